//! Movers: statements in front of a place where an atomic sequence may block, which nobody else can tell from no statement.
//!
//! Whether the sequence `atomic { p; c!m; ... }` stops in front of `c!m` depends on who would accept the message, so every
//! step that brings a process there seems to depend on the sequence. It does not if p is silent: if p reads nothing that
//! others write, and writes nothing, its place included, that others read or somebody outside looks at. Let a step that
//! begins with p be interrupted behind it, whether or not the process can go on. A run of that system becomes one of the
//! model, no longer than it and with the same states in the eyes of all others: p moves to the right until its process
//! takes its next step or cannot go on, or out of the run. So independence may be judged in the interrupted system, where p
//! and what follows are steps of their own. A step that only comes to p on its way is not interrupted: its footprint has all
//! that follows. Two things are no movers. One that leads to where the process could go on by itself or accept what
//! somebody else offers: an interruption alone would leave it the second. And one that leads away from where it accepts what
//! somebody else may stop for: who stops in the run would not stop while p is still to come.
//!
//! Invariant: a mover depends on no step of another process, where movers are interrupted.
//!
//! Lipton, "Reduction: A Method of Proving Properties of Parallel Programs", CACM 18(12), 1975.

use cranelift_entity::SecondaryMap;

use super::conflict::{Conflicts, are_accepted};
use super::{Watched, may_live_together};
use crate::analysis::footprint::{ChannelUse, Channels, Footprint};
use crate::code::program::{ChannelSet, Edge, Guard, Program};
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
    pub(super) fn find(conflicts: &Conflicts, dispatch: &Dispatch, watched: &Watched) -> Self {
        let program = conflicts.program;
        let mut movers = Movers::default();
        for candidate in candidates(conflicts, watched, dispatch) {
            movers.0[candidate.edge] = Some(candidate.footprint);
        }
        for _ in 0..MOST_ROUNDS {
            let wholes: Vec<Footprint> =
                program.templates.keys().map(|id| movers.whole(program, dispatch, id)).collect();
            let is_mover = |footprint: &Footprint| {
                program.templates.keys().zip(&wholes).all(|(other, whole)| {
                    !may_live_together(conflicts.layout, footprint.template, other)
                        || !conflicts.exist(footprint, whole)
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

/// Statements that keep control, and of which no more is known than that they touch no channel, nobody outside looks, and
/// nobody minds that the process leaves.
fn candidates(conflicts: &Conflicts, watched: &Watched, dispatch: &Dispatch) -> Vec<Candidate> {
    let Conflicts { program, layout, .. } = *conflicts;
    let asked = partners_asked_for(program, dispatch);
    let mut found = Vec::new();
    for (id, template) in &program.templates {
        let locations = &template.graph.locations;
        let is_labelled = |pc: Pc| locations[pc].flags.intersects(watched.labels);
        let accepts = |pc: Pc| locations[pc].accepts != ChannelSet::default();
        let goes_on = |edge: EdgeId| !matches!(program.edges[edge].guard, Guard::Accept(_));
        for (pc, location) in locations {
            let is_needed = accepts(pc)
                && asked.iter().any(|&(other, channels)| {
                    may_live_together(layout, id, other) && are_accepted(location.accepts, channels)
                });
            for edge in location.edges() {
                let Edge { to: Some(to), atomic: true, .. } = program.edges[edge] else { continue };
                let has_choice = accepts(to) && locations[to].edges().any(goes_on);
                if is_needed || has_choice || is_labelled(pc) || is_labelled(to) {
                    continue;
                }
                let (footprint, _) = Footprint::of_statement(program, layout, id, location, edge);
                let is_plain = footprint.traits.is_empty() && footprint.channels.iter().next().is_none();
                if is_plain && !watched.see(conflicts, &footprint) {
                    found.push(Candidate { edge, footprint: Box::new(footprint) });
                }
            }
        }
    }
    found
}

/// The channels for whose partners a step of a template may stop, or go another way.
fn partners_asked_for(program: &Program, dispatch: &Dispatch) -> Vec<(TemplateId, Channels)> {
    let edges = program.templates.iter().flat_map(|(id, template)| {
        template.graph.locations.values().flat_map(|location| location.edges()).map(move |edge| (id, edge))
    });
    let footprints = edges.filter_map(|(id, edge)| dispatch.footprints.of(edge).map(|footprint| (id, footprint)));
    let asked = footprints.flat_map(|(id, footprint)| {
        footprint.channels.with(ChannelUse::READS_PARTNERS).map(move |channels| (id, channels))
    });
    let mut all: Vec<(TemplateId, Channels)> = Vec::new();
    asked.for_each(|one| {
        if !all.contains(&one) {
            all.push(one);
        }
    });
    all
}
