//! What a process looks at: for each location, the bits of the state on which the steps out of it depend.
//!
//! A *view* is a mask over the state. Two states that are equal under the view of a location have the same steps there:
//! the same events, which change the same bits to the same values. Invariant: a bit outside the view is neither read by
//! such a step, nor written by it unless the edge surely overwrites it ([`Footprints::overwritten`]) or it belongs to a free
//! slot of a channel, which is zero.
//! Views exist in fixed layouts only, and only for locations whose steps create no process and ask for nothing but
//! variables, channels and locations (no `enabled`, no remote references, no priorities, no `provided`).

use cranelift_entity::SecondaryMap;
use fxhash::FxHashSet;

use crate::code::layout::{ChannelPlace, Layout};
use crate::code::program::{
    Argument, Block, ChannelSet, Edge, Graph, Guard, Instruction, Node, Program, Receive, Send, Target,
};
use crate::code::state::{Array, Field};
use crate::exec::channel::Channel;
use crate::ids::{EdgeId, NodeId, Pc, TemplateId};
use statespace::Word;

/// Bits of a state: words that have any, and which.
pub type Mask = Box<[(u32, Word)]>;

/// Places inside arrays of structures of more elements than this are not followed.
const MOST_ELEMENTS: u32 = 1 << 12;

/// The views of all locations.
#[derive(Clone, Debug, Default)]
pub struct Footprints {
    /// What can be seen from a location; see [`Footprints::view`].
    views: Vec<Mask>,
    /// By edge: the bits that it gives a value whatever they were.
    overwritten: SecondaryMap<EdgeId, Mask>,
}

/// A location that has a view. Prints as its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ViewId(u32);

impl ViewId {
    /// For tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Footprints {
    /// The views of a model, and of each template, location by location, which is its.
    pub(crate) fn new(program: &Program, layout: &Layout) -> (Self, SecondaryMap<TemplateId, Vec<Option<ViewId>>>) {
        let (mut footprints, mut by_template) = (Footprints::default(), SecondaryMap::<_, Vec<_>>::new());
        let is_watched = program.events.is_some() || !program.exclusives.is_empty();
        if !layout.is_fixed || is_watched {
            return (footprints, by_template);
        }
        for (id, template) in &program.templates {
            for (pc, location) in &template.graph.locations {
                let mut seen = Seen::new(program, layout);
                seen.location(id, pc);
                by_template[id].push((!seen.is_opaque).then(|| {
                    footprints.views.push(sparse(&seen.mask));
                    ViewId(footprints.views.len() as u32 - 1)
                }));
                for edge in location.edges() {
                    footprints.overwritten[edge] = overwritten(program, layout, id, &program.edges[edge]);
                }
            }
        }
        (footprints, by_template)
    }

    /// How many views there are.
    pub fn count(&self) -> usize {
        self.views.len()
    }

    /// The bits that can be seen from a location.
    #[inline]
    pub fn view(&self, id: ViewId) -> &Mask {
        &self.views[id.index()]
    }

    /// The bits that an edge gives a value, whatever they were.
    pub fn overwritten(&self, edge: EdgeId) -> &Mask {
        &self.overwritten[edge]
    }
}

/// The bits that an edge of a process surely overwrites: its location, and variables that need no index. What is written
/// inside a `d_step` may be written or not.
fn overwritten(program: &Program, layout: &Layout, template: TemplateId, edge: &Edge) -> Mask {
    let mut mask = vec![0; layout.fixed_words as usize];
    let mut add = |field: Field| mask[field.word as usize] |= field.mask();
    if edge.to.is_some() {
        add(layout.templates[template].pc);
    }
    layout.last.into_iter().for_each(&mut add);
    if !matches!(edge.guard, Guard::DStep(_)) {
        for instruction in instructions(program, edge.effect) {
            match *instruction {
                Instruction::SetConst(field, _)
                | Instruction::Set(field, _)
                | Instruction::Store(Target::Field(field), _) => add(field),
                Instruction::Receive(receive) => {
                    for arg in &program.receives[receive as usize].args {
                        if let Argument::Bind(Target::Field(field)) = *arg {
                            add(field);
                        }
                    }
                }
                _ => {}
            }
        }
    }
    if edge.guard == Guard::End {
        for &(word, bits) in &layout.templates[template].owned {
            mask[word as usize] |= bits;
        }
    }
    sparse(&mask)
}

fn sparse(mask: &[Word]) -> Mask {
    let words = mask.iter().enumerate().filter(|(_, bits)| **bits != 0);
    words.map(|(word, bits)| (word as u32, *bits)).collect()
}

fn instructions(program: &Program, block: Block) -> &[Instruction] {
    &program.instructions[block.start as usize..block.end as usize]
}

/// What has been found to be seen from one location.
struct Seen<'p> {
    program: &'p Program,
    layout: &'p Layout,
    mask: Vec<Word>,
    /// Something cannot be told: there is no view.
    is_opaque: bool,
    visited: FxHashSet<(TemplateId, Pc)>,
    /// Locations inside atomic sequences that are still to be looked at.
    waiting: Vec<(TemplateId, Pc)>,
}

impl<'p> Seen<'p> {
    fn new(program: &'p Program, layout: &'p Layout) -> Self {
        let mask = vec![0; layout.fixed_words as usize];
        Seen { program, layout, mask, is_opaque: false, visited: FxHashSet::default(), waiting: Vec::new() }
    }

    /// Everything that the steps of a process depend on which stands here, to the end of atomic sequences.
    fn location(&mut self, template: TemplateId, pc: Pc) {
        self.go_to(template, pc);
        while let Some((template, pc)) = self.waiting.pop() {
            self.field(self.layout.templates[template].pc);
            let code = &self.program.templates[template];
            self.is_opaque |= code.provided.is_some() || code.deterministic;
            self.is_opaque |= self.layout.templates[template].priority.is_some();
            for edge in code.graph.locations[pc].edges() {
                self.edge(template, &self.program.edges[edge]);
            }
        }
    }

    fn go_to(&mut self, template: TemplateId, pc: Pc) {
        if self.visited.insert((template, pc)) {
            self.waiting.push((template, pc));
        }
    }

    fn edge(&mut self, template: TemplateId, edge: &'p Edge) {
        self.guard(template, edge);
        self.block(edge.effect);
        if let (true, Some(to)) = (edge.atomic, edge.to) {
            self.go_to(template, to);
        }
    }

    fn guard(&mut self, template: TemplateId, edge: &'p Edge) {
        match edge.guard {
            Guard::True | Guard::Else | Guard::Accept(_) => {}
            Guard::Expr(node) => self.node(node),
            Guard::Compare(_, field, _) => self.field(field),
            Guard::Send(send) | Guard::Offer(send) => {
                let send = &self.program.sends[send as usize];
                self.node(send.chan);
                self.places(send.chan).for_each(|place| self.field(place.len));
                let meets = matches!(edge.guard, Guard::Offer(_)) || self.may_be_rendezvous(send.chan);
                if meets {
                    self.partners(template, edge, send);
                }
            }
            Guard::Receive(receive) => self.receive(&self.program.receives[receive as usize]),
            Guard::End => self.field(self.layout.nr_pr),
            Guard::DStep(d_step) => self.d_step(&self.program.d_steps[d_step as usize], template),
        }
    }

    /// What every process looks at that may take what is sent, and what it does then.
    fn partners(&mut self, sender: TemplateId, edge: &Edge, send: &'p Send) {
        send.args.iter().for_each(|&arg| self.node(arg));
        self.field(self.layout.nr_pr);
        // The effect of an edge is not run when two processes meet: it must be the message and nothing else.
        self.is_opaque |= edge.effect.end - edge.effect.start > 1;
        let chan = match self.program.nodes[send.chan] {
            Node::Const(number) => Some(number),
            _ => None,
        };
        for (id, template) in self.program.templates.iter().filter(|(id, _)| *id != sender) {
            for location in template.graph.locations.values() {
                let may_meet =
                    |set: ChannelSet| chan.map_or(set != ChannelSet::default(), |chan| set.may_contain(chan));
                if !may_meet(location.accepts) {
                    continue;
                }
                self.field(self.layout.templates[id].pc);
                self.is_opaque |= template.provided.is_some() || template.deterministic;
                self.is_opaque |= self.layout.templates[id].priority.is_some();
                for edge in location.edges().map(|edge| &self.program.edges[edge]) {
                    // A `d_step` that opens with a receive does more than take the message.
                    self.is_opaque |= matches!(edge.guard, Guard::DStep(_));
                    let Some(receive) = edge.guard.receive() else { continue };
                    let receive = &self.program.receives[receive as usize];
                    self.is_opaque |= edge.effect.end - edge.effect.start > 1;
                    self.node(receive.chan);
                    self.arguments(receive);
                    if let (true, Some(to)) = (edge.atomic, edge.to) {
                        self.go_to(id, to);
                    }
                }
            }
        }
    }

    fn d_step(&mut self, graph: &'p Graph, template: TemplateId) {
        for edge in graph.locations.values().flat_map(|location| location.edges()) {
            let edge = &self.program.edges[edge];
            // Whether a write inside happens depends on the way through: what it would overwrite is seen.
            overwritten(self.program, self.layout, template, edge).iter().for_each(|&(word, bits)| {
                self.mask[word as usize] |= bits;
            });
            self.guard(template, edge);
            self.block(edge.effect);
        }
    }

    fn block(&mut self, block: Block) {
        for instruction in instructions(self.program, block) {
            match *instruction {
                Instruction::SetConst(..) | Instruction::Declare => {}
                Instruction::Add(field, _) => self.field(field),
                Instruction::Set(_, value) => self.node(value),
                Instruction::Store(target, value) => {
                    self.node(value);
                    self.target(target);
                }
                Instruction::Fill { array, value } => {
                    self.node(value);
                    self.array(self.program.arrays[array as usize]);
                }
                Instruction::Assert(condition) | Instruction::Require(condition) => self.node(condition),
                Instruction::Send(send) => self.send(&self.program.sends[send as usize]),
                Instruction::Receive(receive) => self.receive(&self.program.receives[receive as usize]),
                Instruction::Print(print) => {
                    self.program.prints[print as usize].args.iter().for_each(|&(arg, _)| self.node(arg));
                }
                Instruction::Run(_) | Instruction::SetPriority(..) | Instruction::NewChannel(..) => {
                    self.is_opaque = true;
                }
            }
        }
    }

    /// A message goes behind the others, into a slot that is zero, or between them.
    fn send(&mut self, send: &'p Send) {
        self.node(send.chan);
        send.args.iter().for_each(|&arg| self.node(arg));
        match send.sorted {
            true => self.contents(send.chan),
            false => self.places(send.chan).for_each(|place| self.field(place.len)),
        }
    }

    fn receive(&mut self, receive: &'p Receive) {
        self.node(receive.chan);
        self.contents(receive.chan);
        self.arguments(receive);
    }

    fn arguments(&mut self, receive: &'p Receive) {
        for arg in &receive.args {
            match *arg {
                Argument::Match(value) => self.node(value),
                Argument::Bind(target) => self.target(target),
                Argument::Any => {}
            }
        }
    }

    /// Where a value may go: of several places, one is written and all are seen.
    fn target(&mut self, target: Target) {
        match target {
            Target::Field(_) | Target::Nowhere => {}
            Target::Element { array, index } => {
                self.node(index);
                self.array(self.program.arrays[array as usize]);
            }
            Target::Path(path) => self.path(path),
        }
    }

    fn node(&mut self, node: NodeId) {
        match self.program.nodes[node] {
            Node::Any | Node::Const(_) | Node::Timeout | Node::Pid => {}
            Node::Load(field) | Node::Compare(_, field, _) => self.field(field),
            Node::Element { array, index } => {
                self.node(index);
                self.array(self.program.arrays[array as usize]);
            }
            Node::Path(path) => self.path(path),
            Node::ChannelElement { index, .. } => self.node(index),
            Node::Not(a) | Node::Neg(a) | Node::BitNot(a) => self.node(a),
            Node::Binary(_, a, b) | Node::And(a, b) | Node::Or(a, b) => [a, b].into_iter().for_each(|a| self.node(a)),
            Node::Cond(c, a, b) => [c, a, b].into_iter().for_each(|a| self.node(a)),
            Node::Len(chan) | Node::Test(_, chan) => {
                self.node(chan);
                self.places(chan).for_each(|place| self.field(place.len));
            }
            Node::Poll(poll) => self.receive(&self.program.polls[poll as usize]),
            Node::NrPr => self.field(self.layout.nr_pr),
            Node::Last => self.layout.last.into_iter().for_each(|last| self.field(last)),
            Node::NonProgress
            | Node::Enabled(_)
            | Node::PcValue(_)
            | Node::GetPriority(_)
            | Node::Remote(_)
            | Node::Created => self.is_opaque = true,
        }
    }

    fn field(&mut self, field: Field) {
        self.mask[field.word as usize] |= field.mask();
    }

    fn array(&mut self, array: Array) {
        (0..array.len).for_each(|index| self.field(array.element(index)));
    }

    fn path(&mut self, path: u32) {
        let path = &self.program.paths[path as usize];
        let mut offsets = vec![0];
        for &(index, len, stride) in &path.dimensions {
            self.node(index);
            if offsets.len() as u32 * len > MOST_ELEMENTS {
                self.is_opaque = true;
                return;
            }
            offsets = offsets.iter().flat_map(|offset| (0..len).map(move |at| offset + at * stride)).collect();
        }
        for offset in offsets {
            match path.last {
                None => self.field(Field { word: path.first.word + offset, ..path.first }),
                Some((index, array)) => {
                    self.node(index);
                    let first = Field { word: array.first.word + offset, ..array.first };
                    self.array(Array { first, ..array });
                }
            }
        }
    }

    /// The channels that an expression may mean. A channel that is not named must also live.
    fn places(&mut self, chan: NodeId) -> std::vec::IntoIter<ChannelPlace> {
        let all = &self.layout.channels;
        let meant = match self.program.nodes[chan] {
            Node::Const(number) => (number as usize).checked_sub(1).and_then(|index| all.get(index..index + 1)),
            _ => {
                self.field(self.layout.nr_pr);
                Some(all.as_slice())
            }
        };
        meant.unwrap_or_default().to_vec().into_iter()
    }

    /// The messages of the channels that an expression may mean.
    fn contents(&mut self, chan: NodeId) {
        for place in self.places(chan) {
            let channel = Channel { place, shape: &self.layout.shapes[place.ty] };
            if channel.is_rendezvous() {
                continue;
            }
            self.field(place.len);
            for slot in 0..channel.shape.capacity {
                (0..channel.shape.fields.len()).for_each(|nth| self.field(channel.field(slot, nth)));
            }
        }
    }

    fn may_be_rendezvous(&mut self, chan: NodeId) -> bool {
        let shapes = &self.layout.shapes;
        self.places(chan).any(|place| shapes[place.ty].capacity == 0)
    }
}
