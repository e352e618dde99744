//! What a process sees of a state: for each location, the bits on which the steps out of it depend.
//!
//! A *view* is a mask over the state, derived from the footprints of the edges of the location and, where these offer a
//! rendezvous, of the edges of other processes that may accept. Two states that are equal under the view of a location
//! have the same steps there: the same events, which change the same bits to the same values. Invariant: a bit outside the
//! view is neither read by such a step, nor written by it unless the edge overwrites it on every path
//! ([`Views::overwritten`]) or it belongs to a free slot of a channel, which is zero.
//! Views exist in fixed layouts only, and only for locations whose steps create no process and depend on nothing but
//! variables, channels and locations (no `enabled`, no remote references, no priorities, no `provided`).

use cranelift_entity::SecondaryMap;
use fxhash::FxHashSet;

use crate::analysis::footprint::{ChannelUse, Channels, Footprint, Footprints, Region, Run, StateBits, Traits};
use crate::code::layout::{ChannelPlace, ChannelShape, Layout};
use crate::code::program::{Guard, Location, Program};
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
        let is_watched = program.events.is_some() || !program.exclusives.is_empty();
        if !layout.is_fixed || is_watched {
            return (views, by_template);
        }
        let buffers = layout.channels.iter().map(|&place| Buffer::new(place, &layout.shapes[place.ty])).collect();
        let steps = Steps { program, layout, footprints, accepting: accepting(program, footprints), buffers };
        for (id, template) in &program.templates {
            for location in template.graph.locations.values() {
                by_template[id].push(steps.seen_from(location).map(|seen| {
                    views.masks.push(mask(&seen));
                    ViewId(views.masks.len() as u32 - 1)
                }));
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

/// What is known of the steps of a model.
struct Steps<'p> {
    program: &'p Program,
    layout: &'p Layout,
    footprints: &'p Footprints,
    accepting: Vec<(EdgeId, Channels)>,
    /// By number, less one.
    buffers: Vec<Option<Buffer>>,
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

impl Steps<'_> {
    /// The bits on which the steps out of a location depend; `None` if they depend on more than bits.
    fn seen_from(&self, location: &Location) -> Option<StateBits> {
        let opaque = Traits::all().difference(Traits::ENDS | Traits::TIMEOUT);
        let footprint_of = |edge| self.footprints.of(edge).filter(|footprint| !footprint.traits.intersects(opaque));
        // Whether the process may move at all is evaluated even if it can only accept.
        if location.edges().any(|edge| footprint_of(edge).is_none()) {
            return None;
        }
        let mut seen = StateBits::default();
        let mut visited: FxHashSet<EdgeId> = FxHashSet::default();
        // An edge that can only accept is not tried from here.
        let is_tried = |edge: &EdgeId| !matches!(self.program.edges[*edge].guard, Guard::Accept(_));
        let mut waiting: Vec<EdgeId> = location.edges().filter(is_tried).collect();
        while let Some(edge) = waiting.pop() {
            let footprint = footprint_of(edge)?;
            seen.extend(&footprint.reads);
            self.see_channels(footprint, &mut seen);
            let partners = self.partners(footprint).filter(|&partner| visited.insert(partner));
            waiting.extend(partners);
        }
        Some(seen)
    }

    /// The edges of other processes that may accept what an edge offers.
    fn partners(&self, offer: &Footprint) -> impl Iterator<Item = EdgeId> {
        let offered: Vec<Channels> = offer.channels.with(ChannelUse::OFFERS | ChannelUse::READS_PARTNERS).collect();
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
        const PROCESSES: ChannelUse =
            ChannelUse::OFFERS.union(ChannelUse::READS_PARTNERS).union(ChannelUse::MUST_EXIST);
        if footprint.channels.with(PROCESSES).next().is_some() {
            seen.extend(&StateBits::new(&[Run::of(Region::Fixed, self.layout.nr_pr)]));
        }
        for (index, buffer) in self.buffers.iter().enumerate() {
            let usage = footprint.channels.of(index + 1);
            let Some(buffer) = buffer.as_ref().filter(|_| !usage.difference(ChannelUse::DESTROYS).is_empty()) else {
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
