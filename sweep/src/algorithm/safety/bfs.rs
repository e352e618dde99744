//! Breadth-first search: states are expanded in the order in which they were found.
//!
//! Invariant: of the states that wait, those numbered below `level_end` have depth `depth`, the others depth + 1. A path
//! in the predecessor log is therefore a shortest one.
//! Successors of several states are collected and then stored together, in order, so that the cache misses of their
//! lookups overlap; buckets are prefetched while the next state is expanded.

use statespace::{StateSpace, Word};

use crate::control::{Control, End};
use crate::observer::{Observer, Step};
use crate::store::bfs_store::BfsStore;
use crate::store::events::{Events, Kind};
use crate::store::hash;
use crate::store::predecessor_log::PredecessorLog;

/// Store as soon as this many successors wait.
const BATCH: usize = 32;

/// Explores everything that can be reached from `initial`; `R` keeps it.
pub(crate) fn search<R, S, O>(
    space: &S,
    initial: &[Word],
    predecessors: PredecessorLog,
    control: &mut Control<'_, S::Violation, O>,
) -> Result<(), End>
where
    R: BfsStore,
    S: StateSpace<Violation: PartialEq>,
    O: Observer,
{
    let meter = control.meter();
    let mut search = Search { events: R::events(meter), reached: R::new(space, meter), predecessors };
    let end = search.explore(space, initial, control);
    control.ended(&mut search.predecessors);
    end
}

/// What the search knows, and what it is about to know.
struct Search<R: BfsStore, V> {
    reached: R,
    /// Events of states that are expanded but not yet looked at, each with its state.
    events: Events<V, R::Place>,
    predecessors: PredecessorLog,
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

        let (mut depth, mut level_end) = (0, 1);
        while let Some(place) = self.reached.next() {
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
            let level_ends = R::number(place) + 1 == level_end;
            if self.events.len() >= BATCH || level_ends {
                self.store_events(depth + 1, control)?;
            }
            if level_ends {
                (depth, level_end) = (depth + 1, self.reached.len());
            }
        }
        Ok(())
    }

    /// Handles the collected events in their order; new states have this depth.
    fn store_events<O: Observer>(&mut self, depth: u64, control: &mut Control<'_, V, O>) -> Result<(), End> {
        control.allow(0)?;
        self.predecessors.room_for(self.events.len(), control)?;
        self.reached.announce(&self.events, control)?;
        for event in self.events.iter() {
            let parent = R::number(event.origin);
            match event.kind {
                Kind::Violation(violation) => {
                    control.violated(violation, || self.predecessors.path(parent, event.number))?;
                }
                Kind::Successor(hash, state) => {
                    control.step();
                    control.took(|| Step { from: self.reached.get(event.origin), event: event.number, to: state });
                    if self.reached.store((hash, state), depth, control)? {
                        self.predecessors.append(parent, event.number);
                    }
                }
            }
        }
        self.events.clear();
        self.reached.release();
        Ok(())
    }
}
