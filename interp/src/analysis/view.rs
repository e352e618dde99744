//! What a process sees of a state: for each location, the bits on which the steps out of it depend.
//!
//! A *view* is a mask over the state, derived from the footprints of the edges of the location and, where these offer a
//! rendezvous, of the edges of other processes that may accept. Two states that are equal under the view of a location
//! have the same steps there: the same events, which change the same bits to the same values. Invariant: a bit outside the
//! view is neither read by such a step, nor written by it unless the edge overwrites it on every path
//! ([`Views::overwritten`]) or it belongs to a free slot of a channel, which is zero.
//!
//! What else a step depends on is brought down to bits:
//! - whether the process may move at all: what its `provided` clause reads; with priorities, whatever decides whether one
//!   that may have a higher priority can move, which is all its guards, wherever it is;
//! - `enabled`: the guards of all processes;
//! - what a remote reference or a priority means: how many processes there are, and which one has which pid. A process that
//!   does not exist has the value 0, and so have its bits, but for what takes no bits;
//! - `run`: how many processes there are. The bits of the new one are zero before, so they need not be seen.
//!
//! Views exist in fixed layouts only. A view that is too wide to be met again costs little: the cache is switched off where
//! it has a low hit rate.

use cranelift_entity::SecondaryMap;
use fxhash::FxHashSet;

use crate::analysis::footprint::{ChannelUse, Channels, Footprint, Footprints, Region, Run, StateBits, Traits};
use crate::code::layout::{ChannelPlace, ChannelShape, Layout};
use crate::code::program::{Guard, Location, Node, Program};
use crate::ids::{EdgeId, TemplateId};
use statespace::Word;

/// Bits of a state: words that have any, and which.
pub type Mask = Box<[(u32, Word)]>;

/// The views of all locations.
#[derive(Clone, Debug, Default)]
pub struct Views {
    /// See [`Views::view`].
    masks: Vec<Mask>,
    /// By edge: the bits that it gives a value, whatever they were.
    overwritten: SecondaryMap<EdgeId, Mask>,
}

/// A location that has a view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ViewId(u32);

impl ViewId {
    /// For tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Views {
    /// The views of a model, and by template, location by location, which is its.
    pub(crate) fn new(
        program: &Program,
        layout: &Layout,
        footprints: &Footprints,
    ) -> (Self, SecondaryMap<TemplateId, Vec<Option<ViewId>>>) {
        let (mut views, mut by_template) = (Views::default(), SecondaryMap::<_, Vec<_>>::new());
        if !layout.is_fixed {
            return (views, by_template);
        }
        let steps = Steps::new(program, layout, footprints);
        for (id, template) in &program.templates {
            for location in template.graph.locations.values() {
                by_template[id].push(Some(ViewId(views.masks.len() as u32)));
                views.masks.push(mask(&steps.seen_from(id, location)));
                for edge in location.edges() {
                    views.overwritten[edge] = mask(footprints.overwritten(edge));
                }
            }
        }
        (views, by_template)
    }

    /// How many views there are.
    pub fn count(&self) -> usize {
        self.masks.len()
    }

    /// The bits that can be seen from a location.
    #[inline]
    pub fn view(&self, id: ViewId) -> &Mask {
        &self.masks[id.index()]
    }

    /// The bits that an edge gives a value, whatever they were.
    pub fn overwritten(&self, edge: EdgeId) -> &Mask {
        &self.overwritten[edge]
    }
}

fn mask(bits: &StateBits) -> Mask {
    bits.runs().iter().flat_map(|run| (run.first..run.end).map(|word| (word, run.mask))).collect()
}

/// The edges that may accept a message, each with the channels.
fn accepting(program: &Program, footprints: &Footprints) -> Vec<(EdgeId, Channels)> {
    let locations = program.templates.values().flat_map(|template| template.graph.locations.values());
    let edges = locations.flat_map(|location| location.edges()).filter(|&edge| {
        let guard = program.edges[edge].guard;
        guard.receive().is_some() || matches!(guard, Guard::DStep(_))
    });
    let with_channels = edges.flat_map(|edge| {
        let channels =
            footprints.of(edge).into_iter().flat_map(|footprint| footprint.channels.with(ChannelUse::ACCEPTS));
        channels.map(move |channels| (edge, channels))
    });
    with_channels.collect()
}

/// The uses of a channel that depend on whether another process would accept a message.
const OFFERS: ChannelUse = ChannelUse::OFFERS.union(ChannelUse::READS_PARTNERS);

/// What is known of the steps of a model.
struct Steps<'p> {
    program: &'p Program,
    layout: &'p Layout,
    footprints: &'p Footprints,
    accepting: Vec<(EdgeId, Channels)>,
    /// By number, less one.
    buffers: Vec<Option<Buffer>>,
    /// How many processes there are, and which one has which pid.
    processes: StateBits,
    /// What decides which processes have an executable edge, if some expression asks for that with `enabled`.
    enabled: Option<StateBits>,
    /// What decides whether a process may move at all, for those that can be held back.
    gates: SecondaryMap<TemplateId, Option<StateBits>>,
}

/// The bits of the parts of a channel.
struct Buffer {
    length: StateBits,
    first_message: StateBits,
    messages: StateBits,
}

impl Buffer {
    /// `None` for a rendezvous channel.
    fn new(place: ChannelPlace, shape: &ChannelShape) -> Option<Self> {
        let messages = |count: u32| StateBits::new(&Run::of_messages(place, shape, count));
        (shape.capacity > 0).then(|| Buffer {
            length: StateBits::new(&[Run::of(Region::Fixed, place.len)]),
            first_message: messages(1),
            messages: messages(shape.capacity),
        })
    }
}

impl<'p> Steps<'p> {
    fn new(program: &'p Program, layout: &'p Layout, footprints: &'p Footprints) -> Self {
        let roles = layout.slots.iter().filter_map(|slot| slot.role);
        let processes: Vec<Run> = roles.chain([layout.nr_pr]).map(|field| Run::of(Region::Fixed, field)).collect();
        let mut steps = Steps {
            program,
            layout,
            footprints,
            accepting: accepting(program, footprints),
            buffers: layout.channels.iter().map(|&place| Buffer::new(place, &layout.shapes[place.ty])).collect(),
            processes: StateBits::new(&processes),
            enabled: None,
            gates: SecondaryMap::new(),
        };
        let ids: Vec<TemplateId> = program.templates.keys().collect();
        if program.nodes.values().any(|node| matches!(node, Node::Enabled(_))) {
            let mut seen = steps.processes.clone();
            ids.iter().for_each(|&id| steps.see_guards(id, &mut seen));
            steps.enabled = Some(seen);
        }
        for &id in ids.iter().filter(|&&id| layout.has_priorities || program.templates[id].provided.is_some()) {
            let mut seen = StateBits::default();
            steps.see(&Footprint::of_gate(program, layout, id), &mut seen);
            for &other in ids.iter().filter(|&&other| layout.may_hold_back(other, id)) {
                steps.see(&Footprint::of_gate(program, layout, other), &mut seen);
                steps.see_guards(other, &mut seen);
            }
            steps.gates[id] = Some(seen);
        }
        steps
    }

    /// The bits on which the steps out of a location depend.
    fn seen_from(&self, template: TemplateId, location: &Location) -> StateBits {
        // Whether the process may move at all is evaluated even if it can only accept.
        let mut seen = self.gates[template].clone().unwrap_or_default();
        let mut visited: FxHashSet<EdgeId> = FxHashSet::default();
        // An edge that can only accept is not tried from here.
        let is_tried = |edge: &EdgeId| !matches!(self.program.edges[*edge].guard, Guard::Accept(_));
        let mut waiting: Vec<EdgeId> = location.edges().filter(is_tried).collect();
        while let Some(edge) = waiting.pop() {
            let Some(footprint) = self.footprints.of(edge) else { continue };
            self.see(footprint, &mut seen);
            let partners = self.partners(footprint).filter(|&partner| visited.insert(partner));
            waiting.extend(partners);
        }
        seen
    }

    /// Adds what a footprint depends on.
    fn see(&self, footprint: &Footprint, seen: &mut StateBits) {
        seen.extend(&footprint.reads);
        self.see_channels(footprint, seen);
        if footprint.traits.intersects(Traits::REMOTE | Traits::PRIORITY) {
            seen.extend(&self.processes);
        }
        if let Some(enabled) = self.enabled.as_ref().filter(|_| footprint.traits.contains(Traits::ENABLED)) {
            seen.extend(enabled);
        }
    }

    /// Adds what decides whether a process has an executable edge.
    fn see_guards(&self, template: TemplateId, seen: &mut StateBits) {
        self.see(&Footprint::of_guards(self.program, self.layout, template), seen);
    }

    /// The edges of other processes that may accept what an edge offers. (Their `provided` clauses are part of their
    /// footprints. A process whose priority would hold back a partner but not the sender adds nothing: the sender then has a
    /// higher priority than the partner, and holds it back itself, which the priorities alone say.)
    fn partners(&self, offer: &Footprint) -> impl Iterator<Item = EdgeId> {
        let offered: Vec<Channels> = offer.channels.with(OFFERS).collect();
        let sender = offer.template;
        self.accepting.iter().filter_map(move |&(edge, channels)| {
            let is_other = self.footprints.of(edge).is_some_and(|footprint| footprint.template != sender);
            (is_other && offered.iter().any(|offered| offered.intersects(channels))).then_some(edge)
        })
    }

    /// Adds the bits of channels on which an edge depends. Whether a channel exists, and which partners do, depends on the
    /// number of processes.
    fn see_channels(&self, footprint: &Footprint, seen: &mut StateBits) {
        const ALL: ChannelUse = ChannelUse::READS_ALL.union(ChannelUse::REMOVES_HEAD).union(ChannelUse::WRITES_ALL);
        const COMES_AND_GOES: ChannelUse = ChannelUse::CREATES.union(ChannelUse::DESTROYS);
        const PROCESSES: ChannelUse = OFFERS.union(ChannelUse::MUST_EXIST);
        if footprint.channels.with(PROCESSES).next().is_some() {
            seen.extend(&StateBits::new(&[Run::of(Region::Fixed, self.layout.nr_pr)]));
        }
        for (index, buffer) in self.buffers.iter().enumerate() {
            let usage = footprint.channels.of(index + 1);
            let Some(buffer) = buffer.as_ref().filter(|_| !usage.difference(COMES_AND_GOES).is_empty()) else {
                continue;
            };
            seen.extend(&buffer.length);
            if usage.intersects(ALL) {
                seen.extend(&buffer.messages);
            } else if usage.intersects(ChannelUse::READS_HEAD) {
                seen.extend(&buffer.first_message);
            }
        }
    }
}
