//! Which edges can ever be executed, by the values that variables and messages can have.
//!
//! Models have switches: a constant guards what a setting leaves out, and with it messages are never sent, so that those
//! who would answer never do. What such edges would do says nothing about progress. Each place has a set of values, the
//! same everywhere in the program; an edge lives if its location is reached by edges that live and its guard can hold.
//! Both grow together until nothing is added. A set that gets large is the set of all values.
//!
//! Wegman, Zadeck, "Constant Propagation with Conditional Branches", TOPLAS 1991, with sets and without the order of
//! statements.

use cranelift_entity::{EntityRef, EntitySet};
use fxhash::FxHashMap;
use interp::code::layout::Parameter;
use interp::code::program::{Argument, Block, Edge, Graph, Guard, Instruction, Node, Program, Receive, Target};
use interp::code::state::Field;
use interp::ids::{EdgeId, NodeId, TemplateId};
use interp::{Model, StateSpace, Word};
use promela::model::BinaryOp;

/// The most values of a set that are told apart.
const MOST_VALUES: usize = 16;
/// Arrays up to this length are written element by element.
const MOST_ELEMENTS: u32 = 1024;

/// The values that something can have, in order; `None`: all.
pub type Values = Option<Vec<i32>>;

/// A place: whose it is, if it is local, its word, and its first bit.
type Place = (Option<TemplateId>, u32, u8);

/// What can happen in a model.
pub struct Live<'m> {
    program: &'m Program,
    /// The initial state, if there is one.
    initial: Option<Vec<Word>>,
    edges: EntitySet<EdgeId>,
    /// What is written; nothing else is.
    values: FxHashMap<Place, Values>,
    /// The fields of messages, by channel. Those of all channels that are not known before the run are `None`.
    messages: FxHashMap<(Option<i32>, usize), Values>,
    /// Structures in arrays that are written with an index: whose they are, and their first word.
    scattered: Vec<(Option<TemplateId>, u32)>,
    changed: bool,
}

impl<'m> Live<'m> {
    /// What can happen in this model.
    pub fn of(model: &'m Model) -> Live<'m> {
        let mut live = Live {
            program: &model.program,
            initial: model.initial().ok(),
            edges: EntitySet::new(),
            values: FxHashMap::default(),
            messages: FxHashMap::default(),
            scattered: Vec::new(),
            changed: true,
        };
        for (template, code) in &model.program.templates {
            for parameter in &code.params {
                if let Parameter::Field(field) = *parameter {
                    live.write(template, field, None);
                }
            }
        }
        while std::mem::take(&mut live.changed) {
            for (template, code) in &model.program.templates {
                live.block(template, code.init);
                live.graph(template, &code.graph);
            }
        }
        live
    }

    /// Can this edge be executed?
    pub fn contains(&self, edge: EdgeId) -> bool {
        self.edges.contains(edge)
    }

    /// The values that a field can have, seen from processes of this template.
    pub fn values(&self, template: TemplateId, field: Field) -> Values {
        let owner = Some(template).filter(|_| field.local);
        if self.scattered.iter().any(|&(whose, first)| whose == owner && field.word >= first) {
            return None;
        }
        let first = match field.local {
            true => 0,
            false => self.initial.as_ref().map(|initial| field.get(initial, 0))?,
        };
        let written = self.values.get(&(owner, field.word, field.shift)).cloned();
        joined(Some(vec![first]), &written.unwrap_or_else(|| Some(Vec::new())))
    }

    /// The values of a field of the messages that this can receive.
    pub fn received(&self, receive: &Receive, number: usize) -> Values {
        self.message(self.channel(receive.chan), number)
    }

    /// The values of an expression in processes of this template.
    pub fn eval(&self, template: TemplateId, node: NodeId) -> Values {
        let of = |node: NodeId| self.eval(template, node);
        match self.program.nodes[node] {
            Node::Const(value) => Some(vec![value]),
            Node::Load(field) => self.values(template, field),
            Node::Compare(op, field, with) => binary(op, &self.values(template, field), &Some(vec![with])),
            Node::Not(a) => mapped(&of(a), |a| i32::from(a == 0)),
            Node::Neg(a) => mapped(&of(a), i32::wrapping_neg),
            Node::Binary(op, a, b) => binary(op, &of(a), &of(b)),
            Node::And(a, b) => binary(BinaryOp::And, &of(a), &of(b)),
            Node::Or(a, b) => binary(BinaryOp::Or, &of(a), &of(b)),
            Node::Cond(c, a, b) => match of(c) {
                Some(only) if only == [0] => of(b),
                Some(values) if !values.contains(&0) => of(a),
                _ => joined(of(a), &of(b)),
            },
            _ => None,
        }
    }

    /// All that can be executed in a graph, once around. Says whether it can be entered.
    fn graph(&mut self, template: TemplateId, graph: &Graph) -> bool {
        let mut reached = vec![false; graph.locations.len()];
        let mut todo = vec![graph.start];
        reached[graph.start.index()] = true;
        let mut enters = false;
        while let Some(at) = todo.pop() {
            for id in graph.locations[at].edges() {
                let edge = self.program.edges[id];
                if !self.edge(template, &edge) {
                    continue;
                }
                self.changed |= self.edges.insert(id);
                enters |= at == graph.start;
                let next = edge.to.filter(|to| !std::mem::replace(&mut reached[to.index()], true));
                todo.extend(next);
            }
        }
        enters
    }

    /// Executes an edge, if it can be.
    fn edge(&mut self, template: TemplateId, edge: &Edge) -> bool {
        let program = self.program;
        let holds = |values: Values| values.is_none_or(|values| values != [0]);
        let can = match edge.guard {
            Guard::Expr(node) => holds(self.eval(template, node)),
            Guard::Compare(op, field, with) => holds(binary(op, &self.values(template, field), &Some(vec![with]))),
            Guard::Receive(receive) | Guard::Accept(receive) => self.matches(template, receive),
            Guard::DStep(inner) => self.graph(template, &program.d_steps[inner as usize]),
            Guard::True | Guard::Else | Guard::End | Guard::Send(_) | Guard::Offer(_) => true,
        };
        if can {
            self.block(template, edge.effect);
        }
        can
    }

    fn block(&mut self, template: TemplateId, block: Block) {
        let program = self.program;
        for instruction in &program.instructions[block.start as usize..block.end as usize] {
            match *instruction {
                Instruction::SetConst(field, value) => self.write(template, field, Some(vec![value])),
                Instruction::Add(field, by) => {
                    let values = self.values(template, field);
                    self.write(template, field, mapped(&values, |value| value.wrapping_add(by)));
                }
                Instruction::Set(field, value) => {
                    let values = self.eval(template, value);
                    self.write(template, field, values);
                }
                Instruction::Store(target, value) => {
                    let values = self.eval(template, value);
                    self.target(template, target, values);
                }
                Instruction::Fill { array, value } => {
                    let values = self.eval(template, value);
                    self.array(template, array, &values);
                }
                Instruction::Send(send) => self.send(template, send),
                Instruction::Receive(receive) => self.receive(template, receive),
                Instruction::NewChannel(_, target) => self.target(template, target, None),
                Instruction::Assert(_)
                | Instruction::Run(_)
                | Instruction::Require(_)
                | Instruction::SetPriority(..)
                | Instruction::Declare
                | Instruction::Print(_) => {}
            }
        }
    }

    fn send(&mut self, template: TemplateId, send: u32) {
        let send = &self.program.sends[send as usize];
        let chan = self.channel(send.chan);
        for (number, &arg) in send.args.iter().enumerate() {
            let values = self.eval(template, arg);
            let known = self.messages.entry((chan, number)).or_insert_with(|| Some(Vec::new()));
            self.changed |= join(known, &values);
        }
    }

    /// Can there be a message that matches?
    fn matches(&self, template: TemplateId, receive: u32) -> bool {
        let receive = &self.program.receives[receive as usize];
        (0..).zip(&receive.args).all(|(number, argument)| {
            let Some(values) = self.received(receive, number) else { return true };
            match *argument {
                Argument::Match(node) => {
                    let wanted = self.eval(template, node);
                    wanted.is_none_or(|wanted| wanted.iter().any(|value| values.contains(value)))
                }
                Argument::Bind(_) | Argument::Any => !values.is_empty(),
            }
        })
    }

    /// What is bound has any value that the field has.
    fn receive(&mut self, template: TemplateId, receive: u32) {
        let receive = &self.program.receives[receive as usize];
        for (number, argument) in (0..).zip(&receive.args) {
            if let Argument::Bind(target) = *argument {
                self.target(template, target, self.received(receive, number));
            }
        }
    }

    /// The values of a field of the messages in a channel.
    fn message(&self, chan: Option<i32>, number: usize) -> Values {
        let of = |chan| self.messages.get(&(chan, number)).cloned().unwrap_or_else(|| Some(Vec::new()));
        match chan {
            Some(_) => joined(of(chan), &of(None)),
            None => None,
        }
    }

    /// The number of a channel, if it is always the same.
    fn channel(&self, chan: NodeId) -> Option<i32> {
        match self.program.nodes[chan] {
            Node::Const(number) => Some(number),
            _ => None,
        }
    }

    fn target(&mut self, template: TemplateId, target: Target, values: Values) {
        match target {
            Target::Field(field) => self.write(template, field, values),
            Target::Element { array, .. } => self.array(template, array, &values),
            Target::Path(path) => {
                let first = self.program.paths[path as usize].first;
                self.scatter(template, first);
            }
            Target::Nowhere => {}
        }
    }

    fn array(&mut self, template: TemplateId, array: u32, values: &Values) {
        let array = self.program.arrays[array as usize];
        if array.len > MOST_ELEMENTS {
            return self.scatter(template, array.first);
        }
        for index in 0..array.len {
            self.write(template, array.element(index), values.clone());
        }
    }

    /// Something behind this field is written.
    fn scatter(&mut self, template: TemplateId, first: Field) {
        let place = (Some(template).filter(|_| first.local), first.word);
        if !self.scattered.contains(&place) {
            self.scattered.push(place);
            self.changed = true;
        }
    }

    fn write(&mut self, template: TemplateId, field: Field, values: Values) {
        let owner = Some(template).filter(|_| field.local);
        let known = self.values.entry((owner, field.word, field.shift)).or_insert_with(|| Some(Vec::new()));
        self.changed |= join(known, &mapped(&values, |value| field.cut(value)));
    }
}

/// Adds values; says whether there were new ones.
fn join(known: &mut Values, more: &Values) -> bool {
    let Some(values) = known else { return false };
    let before = values.len();
    if let Some(more) = more {
        values.extend_from_slice(more);
        values.sort_unstable();
        values.dedup();
    }
    let changed = values.len() > before || more.is_none();
    if values.len() > MOST_VALUES || more.is_none() {
        *known = None;
    }
    changed
}

fn joined(mut known: Values, more: &Values) -> Values {
    join(&mut known, more);
    known
}

fn mapped(values: &Values, of: impl Fn(i32) -> i32) -> Values {
    let mut found = Some(Vec::new());
    join(&mut found, &values.as_ref().map(|values| values.iter().copied().map(of).collect()));
    found
}

/// The values of `a op b`.
fn binary(op: BinaryOp, a: &Values, b: &Values) -> Values {
    let is = |values: &Values, truth: bool| {
        values.as_ref().is_some_and(|values| values.iter().all(|&value| (value != 0) == truth))
    };
    // One side may decide.
    match op {
        BinaryOp::And if is(a, false) || is(b, false) => return Some(vec![0]),
        BinaryOp::Or if is(a, true) || is(b, true) => return Some(vec![1]),
        _ => {}
    }
    let apply: fn(i32, i32) -> i32 = match op {
        BinaryOp::Add => i32::wrapping_add,
        BinaryOp::Sub => i32::wrapping_sub,
        BinaryOp::Mul => i32::wrapping_mul,
        BinaryOp::And => |a, b| i32::from(a != 0 && b != 0),
        BinaryOp::Or => |a, b| i32::from(a != 0 || b != 0),
        BinaryOp::Lt => |a, b| i32::from(a < b),
        BinaryOp::Le => |a, b| i32::from(a <= b),
        BinaryOp::Gt => |a, b| i32::from(a > b),
        BinaryOp::Ge => |a, b| i32::from(a >= b),
        BinaryOp::Eq => |a, b| i32::from(a == b),
        BinaryOp::Ne => |a, b| i32::from(a != b),
        _ => return None,
    };
    let (Some(a), Some(b)) = (a, b) else { return None };
    let mut found = Some(Vec::new());
    for &a in a {
        join(&mut found, &Some(b.iter().map(|&b| apply(a, b)).collect()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn model(text: &str) -> Model {
        let path = Path::new("m.pml");
        let parsed = promela::parse(path, &promela::OneFile { path, bytes: text.as_bytes() }, &Default::default());
        Model::new(promela::check(&parsed.ast, &mut Vec::new()).expect("a correct model"))
    }

    /// How many edges are dead.
    fn dead(text: &str) -> usize {
        let model = model(text);
        let live = Live::of(&model);
        let edges = model.program.templates.values().flat_map(|template| template.graph.locations.values());
        edges.flat_map(|location| location.edges()).filter(|&edge| !live.contains(edge)).count()
    }

    #[test]
    fn what_a_switch_leaves_out_is_dead_with_what_only_it_causes() {
        let text = |switch: u8| {
            format!(
                "mtype = {{ job, extra }}; chan c = [2] of {{ mtype, byte }}; bool asked; byte done;
                active proctype p() {{
                    do
                    :: c ! job, 1
                    :: {switch} == 1 -> c ! extra, 2; asked = true
                    od
                }}
                active proctype q() {{
                    byte x;
                    do
                    :: c ? job, x -> done = x
                    :: c ? extra, x -> done = x
                    :: asked -> asked = false
                    od
                }}"
            )
        };
        assert_eq!(dead(&text(1)), 0);
        // The guard, the send, the assignment; the receive with what follows; the question with what follows.
        assert_eq!(dead(&text(0)), 7);
    }

    #[test]
    fn places_that_are_written_somehow_have_any_value() {
        let program = |write: &str| {
            dead(&format!(
                "typedef S {{ byte v }}; byte a[3]; byte i; S s[2];
                active proctype p() {{ {write}; a[1] == 3 || s[1].v == 4 -> i = 2 }}"
            ))
        };
        assert_eq!(program("a[i] = 2"), 2 + 1, "the guard, the assignment, the end");
        assert_eq!(program("a[i] = 3"), 0);
        assert_eq!(program("a[1] = a[i] + 3"), 0);
        assert_eq!(program("s[i].v = 4"), 0);
        assert_eq!(program("select (i : 0 .. 200); a[1] = i"), 0);
    }

    #[test]
    fn large_sets_are_all_values() {
        let some = |values: &[i32]| Some(values.to_vec());
        assert_eq!(joined(some(&[1, 3]), &some(&[2, 3])), some(&[1, 2, 3]));
        assert_eq!(joined(some(&(0..16).collect::<Vec<_>>()), &some(&[16])), None);
        assert_eq!(binary(BinaryOp::And, &None, &some(&[0])), some(&[0]));
        assert_eq!(binary(BinaryOp::Lt, &some(&[1, 2]), &some(&[2])), some(&[0, 1]));
        assert_eq!(binary(BinaryOp::Add, &None, &some(&[0])), None);
    }
}
