//! Movers: statements in front of a place where an atomic sequence may block, which nobody else can tell from no statement.
//!
//! Whether the sequence `atomic { p; c!m; ... }` stops in front of `c!m` depends on who would accept the message, so every
//! step that brings a process there seems to depend on the sequence. It does not if p is silent: if p reads nothing that
//! others write, and writes nothing, its place included, that others read or somebody outside looks at. Let the sequence
//! be interrupted behind p, whether or not it can go on. A run of that system becomes one of the model, no longer than it
//! and with the same states in the eyes of all others, by moving p to the right until just before the next statement of its
//! process, or out of the run. So independence may be judged in the interrupted system, where p and what follows are steps
//! of their own. Steps with `timeout` in other processes do not move past p. Where control comes back to who has made an
//! offer, what follows belongs to an earlier step. And where the process could go on by itself or accept what somebody else
//! offers, only an interruption leaves it the second: no mover leads there.
//!
//! Invariant: a mover depends on no step of another process, where movers are interrupted everywhere.
//!
//! Lipton, "Reduction: A Method of Proving Properties of Parallel Programs", CACM 18(12), 1975.

use cranelift_entity::{EntitySet, SecondaryMap};

use super::conflict::Conflicts;
use super::{Watched, may_live_together};
use crate::analysis::footprint::{Footprint, Traits};
use crate::code::program::{ChannelSet, Edge, Graph, Guard, Program};
use crate::exec::dispatch::Dispatch;
use crate::ids::{EdgeId, Pc, TemplateId};

/// So often movers are taken back because of others that were taken back.
const MOST_ROUNDS: usize = 8;
/// The most comparisons of a statement with what another process does.
const MOST_COMPARED: usize = 1 << 18;

/// The movers of a model, each with what its statement alone reads and writes.
#[derive(Default)]
pub(super) struct Movers(SecondaryMap<EdgeId, Option<Box<Footprint>>>);

/// A statement that may turn out to be a mover.
struct Candidate {
    edge: EdgeId,
    footprint: Box<Footprint>,
}

impl Movers {
    /// What an edge does in the interrupted system; `None` for edges without a footprint.
    pub(super) fn footprint<'a>(&'a self, dispatch: &'a Dispatch, edge: EdgeId) -> Option<&'a Footprint> {
        self.0[edge].as_deref().or_else(|| dispatch.footprints.of(edge))
    }

    /// Finds the movers.
    pub(super) fn find(conflicts: &Conflicts, dispatch: &Dispatch, watched: &Watched, comes_back: bool) -> Self {
        let program = conflicts.program;
        let mut movers = Movers::default();
        for candidate in candidates(conflicts, watched, comes_back) {
            movers.0[candidate.edge] = Some(candidate.footprint);
        }
        for _ in 0..MOST_ROUNDS {
            let wholes: Vec<Footprint> =
                program.templates.keys().map(|id| movers.whole(program, dispatch, id)).collect();
            let is_mover = |footprint: &Footprint| {
                program.templates.keys().zip(&wholes).all(|(other, whole)| {
                    !may_live_together(conflicts.layout, footprint.template, other)
                        || !whole.traits.contains(Traits::TIMEOUT) && !conflicts.exist(footprint, whole)
                })
            };
            let mut is_stable = true;
            let found = movers.0.values().filter(|mover| mover.is_some()).count();
            if found.saturating_mul(wholes.len()) > MOST_COMPARED {
                break;
            }
            for mover in movers.0.values_mut() {
                if mover.as_deref().is_some_and(|footprint| !is_mover(footprint)) {
                    *mover = None;
                    is_stable = false;
                }
            }
            if is_stable {
                return movers;
            }
        }
        Movers::default()
    }

    /// All that a process can ever do.
    fn whole(&self, program: &Program, dispatch: &Dispatch, id: TemplateId) -> Footprint {
        let mut whole = Footprint::new(id);
        for edge in program.templates[id].graph.locations.values().flat_map(|location| location.edges()) {
            if let Some(footprint) = self.footprint(dispatch, edge) {
                whole.extend(footprint);
            }
        }
        whole
    }
}

/// Statements that keep control, and of which no more is known than that they touch no channel and nobody outside looks.
fn candidates<'a>(
    conflicts: &'a Conflicts,
    watched: &'a Watched,
    comes_back: bool,
) -> impl Iterator<Item = Candidate> + 'a {
    conflicts.program.templates.iter().flat_map(move |(id, template)| {
        let graph = &template.graph;
        let continued = if comes_back { continued(conflicts.program, graph) } else { EntitySet::new() };
        let locations = graph.locations.iter().filter(move |&(pc, _)| !continued.contains(pc));
        let edges = locations.flat_map(|(pc, location)| location.edges().map(move |edge| (pc, location, edge)));
        edges.filter_map(move |(pc, location, edge)| {
            let Edge { to: Some(to), atomic: true, .. } = conflicts.program.edges[edge] else {
                return None;
            };
            let (footprint, _) = Footprint::of_statement(conflicts.program, conflicts.layout, id, location, edge);
            let is_labelled = |pc: Pc| graph.locations[pc].flags.intersects(watched.labels);
            let is_hidden = !watched.see(conflicts, &footprint) && !is_labelled(pc) && !is_labelled(to);
            let is_plain = footprint.traits.is_empty() && footprint.channels.iter().next().is_none();
            let goes_on = |edge: EdgeId| !matches!(conflicts.program.edges[edge].guard, Guard::Accept(_));
            let behind = &graph.locations[to];
            let has_choice = behind.accepts != ChannelSet::default() && behind.edges().any(goes_on);
            (is_plain && is_hidden && !has_choice).then(|| Candidate { edge, footprint: Box::new(footprint) })
        })
    })
}

/// Where control may be inside a step after it has come back from who accepted an offer.
fn continued(program: &Program, graph: &Graph) -> EntitySet<Pc> {
    let mut continued = EntitySet::new();
    let edges = graph.locations.values().flat_map(|location| location.edges());
    let offers = edges.filter(|&edge| program.edges[edge].atomic && program.edges[edge].guard.send().is_some());
    let mut waiting: Vec<Pc> = offers.filter_map(|edge| program.edges[edge].to).collect();
    while let Some(pc) = waiting.pop() {
        if continued.insert(pc) {
            let kept = graph.locations[pc].edges().filter(|&edge| program.edges[edge].atomic);
            waiting.extend(kept.filter_map(|edge| program.edges[edge].to));
        }
    }
    continued
}
