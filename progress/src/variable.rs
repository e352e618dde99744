//! Variables and channels as components, and what the program does to them.
//!
//! Every instruction that writes a place is looked at. A variable that is only ever set to one value, not below its
//! first, is monotone. One that is only increased, or only decreased, is presumed to be: it may wrap round or be set
//! back, which the search notices. Everything else is a component without a claim.

use fxhash::FxHashMap;
use interp::code::layout::Slot;
use interp::code::program::{Argument, Block, Graph, Guard, Instruction, Node, Program, Target};
use interp::code::state::Field;
use interp::ids::{NodeId, TemplateId};
use interp::{Model, StateSpace};
use promela::model::BinaryOp;

use crate::component::{Claim, Component, Life, Source, from_least, largest, rooted};

/// Arrays longer than this are not summed up.
const MOST_ELEMENTS: u32 = 64;

/// What an instruction does to a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Write {
    /// Sets it to a constant.
    Const(i32),
    /// Adds a positive constant.
    Up,
    /// Subtracts one.
    Down,
    /// Something else.
    Other,
}

/// A word of the state or of the blocks of a template, and the first bit: places of different variables differ in it.
type Place = (Option<TemplateId>, u32, u8);

/// All writes of a program, by place. Writes to an element are kept with the first one.
#[derive(Default)]
struct Writes(FxHashMap<Place, Vec<Write>>);

/// The components that come from variables and channels.
pub fn components(model: &Model) -> Vec<Component> {
    let writes = Writes::of(&model.program);
    let mut found = Vec::new();
    let mut reader = Reader { model, writes: &writes, found: &mut found, template: None, life: None };
    for (id, var) in &model.checked.globals {
        if let Some(slot) = &model.layout.globals[id] {
            reader.slot(&var.name, slot);
        }
    }
    for (process, life) in rooted(model) {
        let layout = &model.layout.templates[process.template];
        let proc = &model.checked.proctypes[layout.proctype];
        let owner = format!("{}({})", proc.name, life.pid);
        let mut reader =
            Reader { model, writes: &writes, found: &mut found, template: Some(process.template), life: Some(life) };
        for (id, var) in &proc.locals {
            if let Some(slot) = &layout.locals[id] {
                reader.slot(&format!("{owner}:{}", var.name), slot);
            }
        }
    }
    found.extend(created(model));
    for (number, place) in model.layout.channels.iter().enumerate() {
        if model.layout.shapes[place.ty].capacity > 0 {
            found.push(Component {
                name: format!("messages in channel {}", number + 1),
                reason: "messages come and go".into(),
                claim: Claim::None,
                max: largest(place.len),
                falling: false,
                is_control: false,
                is_order: false,
                source: Source::Fields { fields: vec![place.len], life: None },
            });
        }
    }
    found
}

/// The number of processes, if some are created.
fn created(model: &Model) -> Option<Component> {
    let field = model.layout.nr_pr;
    let creates = model.instances.slots.len() > model.instances.initial.len();
    creates.then(|| Component {
        name: "number of processes".into(),
        reason: "processes are created; it falls when they end".into(),
        claim: Claim::Presumed,
        max: largest(field),
        falling: false,
        is_control: false,
        is_order: false,
        source: Source::Fields { fields: vec![field], life: None },
    })
}

struct Reader<'a> {
    model: &'a Model,
    writes: &'a Writes,
    found: &'a mut Vec<Component>,
    template: Option<TemplateId>,
    life: Option<Life>,
}

impl Reader<'_> {
    fn slot(&mut self, name: &str, slot: &Slot) {
        match slot {
            Slot::Value(field) => self.fields(name, vec![*field]),
            Slot::Values(array) if array.len <= MOST_ELEMENTS => {
                let fields = (0..array.len).map(|index| array.element(index)).collect();
                self.fields(&format!("sum of {name}"), fields);
            }
            Slot::Struct(slots) => {
                for (index, inner) in slots.iter().enumerate() {
                    self.slot(&format!("{name}.{index}"), inner);
                }
            }
            Slot::Values(_) | Slot::Structs { .. } | Slot::Constant(_) | Slot::Channel(_) | Slot::Channels { .. } => {}
        }
    }

    fn fields(&mut self, name: &str, fields: Vec<Field>) {
        let place = |field: &Field| (self.template.filter(|_| field.local), field.word, field.shift);
        let writes: Vec<Write> =
            fields.iter().filter_map(|field| self.writes.0.get(&place(field))).flatten().copied().collect();
        if writes.is_empty() {
            return;
        }
        let (claim, falling, reason) = self.judge(&fields, &writes);
        let total = fields.iter().map(|&field| u64::from(largest(field))).sum::<u64>();
        self.found.push(Component {
            name: name.to_owned(),
            reason: reason.to_owned(),
            claim,
            max: u32::try_from(total).unwrap_or(u32::MAX),
            falling,
            is_control: false,
            is_order: false,
            source: Source::Fields { fields, life: self.life.clone() },
        });
    }

    fn judge(&self, fields: &[Field], writes: &[Write]) -> (Claim, bool, &'static str) {
        let all = |allowed: fn(&Write) -> bool| writes.iter().all(allowed);
        let is_const = |write: &Write| matches!(write, Write::Const(_));
        if let ([field], [Write::Const(value), rest @ ..], None) = (fields, writes, &self.life)
            && rest.iter().all(|write| *write == Write::Const(*value))
            && let Ok(initial) = self.model.initial()
            && from_least(*field, field.cut(*value)) >= from_least(*field, field.get(&initial, 0))
        {
            return (Claim::Proven, false, "only set to one value, not below its initial one");
        }
        if all(|write| matches!(write, Write::Up | Write::Const(_))) && !writes.iter().all(is_const) {
            (Claim::Presumed, false, "only increased or set to constants; it may wrap or be reset")
        } else if all(|write| matches!(write, Write::Down | Write::Const(_))) && !writes.iter().all(is_const) {
            (Claim::Presumed, true, "only decreased or set to constants; it may wrap or be reset")
        } else if writes.iter().all(is_const) {
            (Claim::Presumed, false, "only set to constants")
        } else {
            (Claim::None, false, "assigned arbitrary values")
        }
    }
}

impl Writes {
    fn of(program: &Program) -> Writes {
        let mut writes = Writes::default();
        for (template, code) in &program.templates {
            writes.graph(program, template, &code.graph);
        }
        writes
    }

    fn graph(&mut self, program: &Program, template: TemplateId, graph: &Graph) {
        for edge in graph.locations.values().flat_map(|location| location.edges()) {
            let edge = &program.edges[edge];
            self.block(program, template, edge.effect);
            match edge.guard {
                Guard::Receive(receive) | Guard::Accept(receive) => self.receive(program, template, receive),
                Guard::DStep(inner) => {
                    // A d_step has no d_step inside.
                    for edge in program.d_steps[inner as usize].locations.values().flat_map(|location| location.edges())
                    {
                        let edge = &program.edges[edge];
                        self.block(program, template, edge.effect);
                        if let Some(receive) = edge.guard.receive() {
                            self.receive(program, template, receive);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn block(&mut self, program: &Program, template: TemplateId, block: Block) {
        for instruction in &program.instructions[block.start as usize..block.end as usize] {
            match *instruction {
                Instruction::SetConst(field, value) => self.note(template, field, Write::Const(value)),
                Instruction::Add(field, by) => {
                    self.note(template, field, if by > 0 { Write::Up } else { Write::Down });
                }
                Instruction::Set(field, value) => {
                    let write = kind_of(program, value, |node| matches!(node, Node::Load(from) if from == field));
                    self.note(template, field, write);
                }
                Instruction::Store(target, value) => {
                    let is_element = |node| matches!(node, Node::Element { .. } | Node::Path(_));
                    self.target(program, template, target, kind_of(program, value, is_element));
                }
                Instruction::Fill { array, value } => {
                    let array = program.arrays[array as usize];
                    self.note(template, array.first, kind_of(program, value, |_| false));
                }
                Instruction::Receive(receive) => self.receive(program, template, receive),
                Instruction::NewChannel(_, target) => self.target(program, template, target, Write::Other),
                Instruction::Assert(_)
                | Instruction::Send(_)
                | Instruction::Run(_)
                | Instruction::Require(_)
                | Instruction::SetPriority(..)
                | Instruction::Declare
                | Instruction::Print(_) => {}
            }
        }
    }

    fn receive(&mut self, program: &Program, template: TemplateId, receive: u32) {
        for argument in &program.receives[receive as usize].args {
            if let Argument::Bind(target) = *argument {
                self.target(program, template, target, Write::Other);
            }
        }
    }

    fn target(&mut self, program: &Program, template: TemplateId, target: Target, write: Write) {
        match target {
            Target::Field(field) => self.note(template, field, write),
            Target::Element { array, .. } => self.note(template, program.arrays[array as usize].first, write),
            Target::Path(path) => self.note(template, program.paths[path as usize].first, write),
            Target::Nowhere => {}
        }
    }

    fn note(&mut self, template: TemplateId, field: Field, write: Write) {
        let owner = Some(template).filter(|_| field.local);
        let writes = self.0.entry((owner, field.word, field.shift)).or_default();
        if !writes.contains(&write) {
            writes.push(write);
        }
    }
}

/// What storing the value of a node does to a place whose own value `is_self` recognises.
fn kind_of(program: &Program, value: NodeId, is_self: impl Fn(Node) -> bool) -> Write {
    match program.nodes[value] {
        Node::Const(value) => Write::Const(value),
        Node::Binary(op, a, b) => match (op, program.nodes[a], program.nodes[b]) {
            (BinaryOp::Add, own, Node::Const(by)) | (BinaryOp::Add, Node::Const(by), own)
                if is_self(own) && by != 0 =>
            {
                if by > 0 {
                    Write::Up
                } else {
                    Write::Down
                }
            }
            (BinaryOp::Sub, own, Node::Const(by)) if is_self(own) && by != 0 => {
                if by > 0 {
                    Write::Down
                } else {
                    Write::Up
                }
            }
            _ => Write::Other,
        },
        _ => Write::Other,
    }
}
