//! What edges may read and write, as sets of variables and channels.
//!
//! Invariant: two edges whose footprints do not depend on each other in a state commute there, and neither makes the
//! other executable or not. A send and a receive work at the two ends of a channel: they depend on each other only where
//! the channel is full, so that the send waits for the receive, or empty, so that the receive waits for the send.

use super::configuration::Place;
use super::{Action, Edge};

/// A bit for each variable or channel.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Footprint {
    reads: u8,
    writes: u8,
    sends: u8,
    receives: u8,
}

impl Footprint {
    /// Of some edges of a process.
    pub(super) fn of(process: usize, edges: &[Edge]) -> Footprint {
        let variable = |place: Place| 1 << place.index(process);
        let nothing = Footprint::default();
        edges.iter().fold(nothing, |all, edge| {
            let guard = edge.guard.map_or(0, |(_, place, _)| variable(place));
            let action = match edge.action {
                Action::Skip => nothing,
                Action::Set(place, _) => Footprint { writes: variable(place), ..nothing },
                Action::Copy(place, from) => Footprint { reads: variable(from), writes: variable(place), ..nothing },
                Action::Increase(place) => Footprint { reads: variable(place), writes: variable(place), ..nothing },
                Action::Send(channel, _) => Footprint { sends: 1 << channel, ..nothing },
                Action::SendFrom(channel, from) => Footprint { reads: variable(from), sends: 1 << channel, ..nothing },
                Action::Receive(channel, place) => {
                    Footprint { writes: variable(place), receives: 1 << channel, ..nothing }
                }
                Action::Forbid(place, _, _) => Footprint { reads: variable(place), ..nothing },
            };
            all.and(action).and(Footprint { reads: guard, ..nothing })
        })
    }

    /// Both together.
    pub(super) fn and(self, other: Footprint) -> Footprint {
        Footprint {
            reads: self.reads | other.reads,
            writes: self.writes | other.writes,
            sends: self.sends | other.sends,
            receives: self.receives | other.receives,
        }
    }

    /// May it change this shared variable?
    pub(super) fn changes(self, shared: Place) -> bool {
        self.writes >> shared.index(0) & 1 == 1
    }

    /// Whether edges that leave present locations depend on what others can do from now on, while these channels are full
    /// and those are empty.
    pub(super) fn depends_on(self, other: Footprint, full: u8, empty: u8) -> bool {
        let variables = self.writes & (other.reads | other.writes) | self.reads & other.writes;
        let ends = self.sends & other.sends | self.receives & other.receives;
        let waits = self.sends & other.receives & full | self.receives & other.sends & empty;
        variables | ends | waits != 0
    }
}
