//! From a process to the edges it may try. Every expansion begins here, so the tables are small and flat.

use cranelift_entity::EntityRef;

use crate::analysis::footprint::Footprints;
use crate::analysis::view::{ViewId, Views};
use crate::code::layout::Layout;
use crate::code::program::{ChannelSet, Guard, Program};
use crate::code::state::Field;
use crate::ids::Pc;
use crate::model::Process;
use statespace::Word;

/// What the walk needs to know of a location.
#[derive(Clone, Copy, Debug)]
pub struct LocationInfo {
    /// Its number among the locations of all templates.
    pub number: u32,
    /// Its first edge.
    pub first: u32,
    /// One past its last edge.
    pub end: u32,
    /// The channels from which a process here may take part in a rendezvous.
    pub accepts: ChannelSet,
    /// A process here can only accept in a rendezvous, and nothing need be evaluated to know that.
    pub is_passive: bool,
    /// What a process here sees of a state, if that is known.
    pub view: Option<ViewId>,
}

/// Locations of all templates in one table.
#[derive(Clone, Debug, Default)]
pub struct Dispatch {
    /// By template: where the location is kept, and where its locations begin in `locations`.
    templates: Vec<(Field, u32)>,
    locations: Vec<LocationInfo>,
    /// By template: whether a process has a `provided` clause or a priority.
    gated: Vec<bool>,
    /// What each edge reads and writes.
    pub(crate) footprints: Footprints,
    /// What can be seen from where.
    pub(crate) views: Views,
}

impl Dispatch {
    pub(crate) fn new(program: &Program, layout: &Layout) -> Self {
        let footprints = Footprints::new(program, layout);
        let (views, view_of) = Views::new(program, layout, &footprints);
        let mut dispatch = Dispatch { footprints, views, ..Dispatch::default() };
        for (id, template) in &program.templates {
            dispatch.templates.push((layout.templates[id].pc, dispatch.locations.len() as u32));
            dispatch.gated.push(template.provided.is_some() || layout.has_priorities);
            let before = dispatch.locations.len() as u32;
            let info = |(pc, location): (Pc, &crate::code::program::Location)| LocationInfo {
                number: before + pc.as_u32(),
                first: location.first,
                end: location.end,
                accepts: location.accepts,
                is_passive: template.provided.is_none()
                    && location.edges().all(|edge| matches!(program.edges[edge].guard, Guard::Accept(_))),
                view: view_of[id].get(pc.index()).copied().flatten(),
            };
            dispatch.locations.extend(template.graph.locations.iter().map(info));
        }
        dispatch
    }

    /// Where a process is.
    #[inline]
    pub fn location(&self, words: &[Word], process: Process) -> LocationInfo {
        let (pc, first) = self.templates[process.template.index()];
        self.locations[first as usize + pc.get(words, process.base) as usize]
    }

    /// Whether a `provided` clause or priorities may hold the process back.
    #[inline]
    pub fn is_gated(&self, process: Process) -> bool {
        self.gated[process.template.index()]
    }
}
