//! Breadth-first search: states are expanded in the order in which they were found.
//!
//! Invariant: of the states that wait, those numbered below the end of the level have its depth, the others depth + 1. A path
//! in the predecessor log is therefore a shortest one.
//! Successors of several states are collected and then stored together, in order, so that the cache misses of their
//! lookups overlap; buckets are prefetched while the next state is expanded.

use statespace::{StateSpace, Word};

use super::hand_over;
use super::sweep_line::{FOR_BUFFERS, Pending};
use crate::control::{Control, End, StopReason};
use crate::observer::{Observer, Step};
use crate::store::bfs_store::BfsStore;
use crate::store::events::{Events, Kind};
use crate::store::hash;
use crate::store::predecessor_log::PredecessorLog;
use crate::{Algorithm, SearchOptions};

/// Store as soon as this many successors wait.
const BATCH: usize = 32;

/// Explores everything that can be reached from `initial`; `R` keeps it.
pub(crate) fn search<R, S, O>(
    space: &S,
    initial: &[Word],
    options: &SearchOptions,
    control: &mut Control<'_, S::Violation, O>,
) -> Result<(), End>
where
    R: BfsStore,
    S: StateSpace<Violation: PartialEq>,
    O: Observer,
{
    let meter = control.meter();
    let mut search = Search {
        events: R::events(meter),
        reached: R::new(space, meter),
        predecessors: PredecessorLog::enabled(options.traces || options.witnesses, meter),
        level: Level { depth: 0, end: 1 },
        hand_over_after: options.hand_over_after.filter(|_| options.algorithm == Algorithm::ColumnSweep),
        pending: None,
    };
    let end = search.explore(space, initial, control);
    if let (Err(End::Stopped(StopReason::Memory)), Some(pending)) = (&end, search.pending) {
        return hand_over::breadth_first(search, pending, space, options, control);
    }
    control.ended(&mut search.predecessors);
    end
}

/// What the search knows, and what it is about to know.
pub(super) struct Search<R: BfsStore, V> {
    pub(super) reached: R,
    /// Events of states that are expanded but not yet looked at, each with its state.
    pub(super) events: Events<V, R::Place>,
    pub(super) predecessors: PredecessorLog,
    pub(super) level: Level,
    /// When so many states are stored, or memory ends, others go on on disk. `None`: never.
    hand_over_after: Option<u64>,
    /// What is left of the events that are being handled, if memory has ended just now.
    pending: Option<Pending>,
}

/// The states numbered below `end` that wait have this depth; the others are one deeper.
#[derive(Clone, Copy)]
pub(super) struct Level {
    pub(super) depth: u64,
    pub(super) end: u64,
}

impl<R: BfsStore, V: Copy + PartialEq> Search<R, V> {
    fn explore<S: StateSpace<Violation = V>, O: Observer>(
        &mut self,
        space: &S,
        initial: &[Word],
        control: &mut Control<'_, V, O>,
    ) -> Result<(), End> {
        let mut scratch = space.scratch();
        control.step();
        self.reached.store((hash(initial), initial), 0, control)?;
        self.predecessors.append(0, 0);

        while self.reached.waiting() > 0 {
            if control.is_short(self.hand_over_after, FOR_BUFFERS) {
                self.pending = Some(Pending { events: self.events.len(), is_counted: false });
                return Err(End::Stopped(StopReason::Memory));
            }
            let Some(place) = self.reached.next() else { break };
            let state = self.reached.get(place);
            control.check_space(space)?;
            control.expanding(state, self.reached.waiting() + 1)?;
            let first = self.events.len();
            let is_done = |hash, state: &[Word]| self.reached.may_be_done(hash, state);
            let expanded = self.events.expand((space, state), &mut scratch, place, &is_done, control);
            if expanded.is_err() {
                for (violation, event, place) in self.events.violations() {
                    control.violated(violation, || self.predecessors.path(R::number(place), event))?;
                }
            }
            if !expanded? {
                control.dead(state, R::number(place));
            }
            self.reached.foresee(&self.events, first);
            let Level { depth, end } = self.level;
            let level_ends = R::number(place) + 1 == end;
            if self.events.len() >= BATCH || level_ends {
                self.store_events(depth + 1, control)?;
            }
            if level_ends {
                self.level = Level { depth: depth + 1, end: self.reached.len() };
            }
        }
        Ok(())
    }

    /// Handles the collected events in their order; new states have this depth.
    fn store_events<O: Observer>(&mut self, depth: u64, control: &mut Control<'_, V, O>) -> Result<(), End> {
        self.pending = self.hand_over_after.map(|_| Pending { events: self.events.len(), is_counted: false });
        control.allow(0)?;
        self.predecessors.room_for(self.events.len(), control)?;
        self.reached.announce(&self.events, control)?;
        for (nth, event) in self.events.iter().enumerate() {
            let parent = R::number(event.origin);
            match event.kind {
                Kind::Violation(violation) => {
                    control.violated(violation, || self.predecessors.path(parent, event.number))?;
                }
                Kind::Successor(hash, state) => {
                    control.step();
                    control.took(|| Step { from: self.reached.get(event.origin), event: event.number, to: state });
                    let is_new = self.reached.store((hash, state), depth, control).inspect_err(|_| {
                        let left = self.events.len() - nth;
                        self.pending = self.pending.map(|_| Pending { events: left, is_counted: true });
                    })?;
                    if is_new {
                        self.predecessors.append(parent, event.number);
                    }
                }
            }
        }
        self.events.clear();
        self.pending = None;
        self.reached.release();
        Ok(())
    }
}
