//! Breadth-first search: states are expanded in the order in which they were found.
//!
//! Invariant: of the states that wait, those numbered below the end of the level have its depth, the others depth + 1. A path
//! in the predecessor log is therefore a shortest one.
//! Successors of several states are collected and then stored together, in order, so that the cache misses of their
//! lookups overlap; buckets are prefetched while the next state is expanded.

use statespace::{StateSpace, Word};

use super::hand_over;
use super::sweep_line::FOR_BUFFERS;
use crate::checkpoint::{Reader, ResumeFault};
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
        scratch: space.scratch(),
        level: Level { depth: 0, end: 1 },
        hand_over_after: options.hand_over_after.filter(|_| options.algorithm == Algorithm::ColumnSweep),
        storing: Storing::default(),
    };
    let mut end = match control.resume() {
        None => search.start(initial, control),
        Some(from) => search.load(space, initial, from, control),
    };
    if end.is_ok() {
        end = search.explore(space, control);
        if let Err(stopped) = end
            && control.is_last_checkpoint(stopped)
        {
            search.save(space, control);
        }
    }
    if end == Err(End::Stopped(StopReason::Memory)) && search.hand_over_after.is_some() && search.storing.has_begun {
        return hand_over::breadth_first(search, space, options, control);
    }
    control.ended(&mut search.predecessors);
    end
}

/// What the search knows, and what it is about to know.
pub(super) struct Search<R: BfsStore, S: StateSpace> {
    pub(super) reached: R,
    /// Events of states that are expanded but not yet looked at, each with its state.
    pub(super) events: Events<S::Violation, R::Place>,
    pub(super) predecessors: PredecessorLog,
    scratch: S::Scratch,
    pub(super) level: Level,
    /// When so many states are stored, or memory ends, others go on on disk. `None`: never.
    hand_over_after: Option<u64>,
    pub(super) storing: Storing,
}

/// The states numbered below `end` that wait have this depth; the others are one deeper.
#[derive(Clone, Copy)]
pub(super) struct Level {
    pub(super) depth: u64,
    pub(super) end: u64,
}

/// How far the collected events have been handled, if it has begun.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Storing {
    has_begun: bool,
    is_announced: bool,
    pub(super) handled: usize,
    /// The step of the next event has been counted.
    pub(super) is_counted: bool,
}

impl<R: BfsStore, S: StateSpace<Violation: PartialEq>> Search<R, S> {
    /// Stores the initial state.
    fn start<O: Observer>(&mut self, initial: &[Word], control: &mut Control<'_, S::Violation, O>) -> Result<(), End> {
        control.step();
        self.reached.store((hash(initial), initial), 0, control)?;
        self.predecessors.append(0, 0);
        Ok(())
    }

    fn explore<O: Observer>(&mut self, space: &S, control: &mut Control<'_, S::Violation, O>) -> Result<(), End> {
        // A search that goes on may have been stopped in the middle of this.
        if self.storing.has_begun {
            self.store_events(control)?;
            self.end_level();
        }
        while self.reached.waiting() > 0 {
            if control.is_short(self.hand_over_after, FOR_BUFFERS) {
                self.storing.has_begun = true;
                return Err(End::Stopped(StopReason::Memory));
            }
            let Some(place) = self.reached.next() else { break };
            let state = self.reached.get(place);
            control.check_space(space)?;
            if let Err(end) = control.expanding(state, self.reached.waiting() + 1) {
                self.put_back(place, control);
                return Err(end);
            }
            let (first, mark) = (self.events.len(), self.events.mark());
            let is_done = |hash, state: &[Word]| self.reached.may_be_done(hash, state);
            let expanded = self.events.expand((space, state), &mut self.scratch, place, &is_done, control);
            if expanded.is_err() {
                control.interrupted(|stats| stats.expanded -= 1);
                for (violation, event, place) in self.events.violations() {
                    control.violated(violation, || self.predecessors.path(R::number(place), event))?;
                }
                self.events.truncate(mark);
                self.reached.put_back(place);
            }
            if !expanded? {
                control.dead(self.reached.get(place), R::number(place));
            }
            self.reached.foresee(&self.events, first);
            if self.events.len() >= BATCH || R::number(place) + 1 == self.level.end {
                self.store_events(control)?;
                let level_ends = self.end_level();
                if control.is_checkpoint_due(level_ends) {
                    self.save(space, control);
                }
            }
        }
        Ok(())
    }

    /// A state is not expanded after all: a limit was reached before.
    #[cold]
    fn put_back<O: Observer>(&mut self, place: R::Place, control: &mut Control<'_, S::Violation, O>) {
        self.reached.put_back(place);
        control.interrupted(|stats| stats.expanded -= 1);
    }

    /// If all states of a level have been expanded, the next one begins.
    fn end_level(&mut self) -> bool {
        let level_ends = self.reached.len() - self.reached.waiting() == self.level.end;
        if level_ends {
            self.level = Level { depth: self.level.depth + 1, end: self.reached.len() };
        }
        level_ends
    }

    /// Handles the collected events in their order.
    fn store_events<O: Observer>(&mut self, control: &mut Control<'_, S::Violation, O>) -> Result<(), End> {
        self.storing.has_begun = true;
        control.allow(0)?;
        self.predecessors.room_for(self.events.len(), control)?;
        if !self.storing.is_announced {
            self.reached.announce(&self.events, control)?;
            self.storing.is_announced = true;
        }
        for (handled, event) in self.events.iter().enumerate() {
            let parent = R::number(event.origin);
            match event.kind {
                Kind::Violation(violation) => {
                    control.violated(violation, || self.predecessors.path(parent, event.number))?;
                }
                Kind::Successor(hash, state) => {
                    control.step();
                    control.took(|| Step { from: self.reached.get(event.origin), event: event.number, to: state });
                    match self.reached.store((hash, state), self.level.depth + 1, control) {
                        Ok(true) => self.predecessors.append(parent, event.number),
                        Ok(false) => {}
                        Err(end) => {
                            (self.storing.handled, self.storing.is_counted) = (handled, true);
                            control.interrupted(|stats| stats.transitions -= 1);
                            return Err(end);
                        }
                    }
                }
            }
        }
        self.events.clear();
        self.reached.release();
        self.storing = Storing::default();
        Ok(())
    }

    /// Writes a checkpoint.
    #[cold]
    fn save<O: Observer>(&mut self, space: &S, control: &mut Control<'_, S::Violation, O>) {
        let (Ok(initial), Some(codec)) = (space.initial(), control.codec()) else { return };
        // What a worker has seen is known when its scratch is dropped.
        self.scratch = space.scratch();
        let Search { reached, events, predecessors, level, storing, .. } = self;
        control.checkpoint(|control, to| {
            R::SECTION.begin(&initial, to)?;
            control.save(codec, |_| {}, to)?;
            predecessors.save(to)?;
            to.number(level.depth)?;
            to.number(level.end)?;
            let pending = events.iter().nth(storing.handled).map(|event| event.origin);
            reached.save(space.fixed_words(), pending, to)?;
            to.flag(storing.has_begun)?;
            to.flag(storing.is_announced)?;
            events.save(storing.handled, R::number, codec, to)
        });
    }

    /// Reads what `save` wrote.
    fn load<O: Observer>(
        &mut self,
        space: &S,
        initial: &[Word],
        mut reader: Reader<'_>,
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<(), End> {
        let from = &mut reader;
        let codec = control.codec().ok_or(ResumeFault::Mismatch)?;
        R::SECTION.expect(initial, from)?;
        control.load(from)?;
        self.predecessors.load(from, control)?;
        self.level = Level { depth: from.number()?, end: from.number()? };
        let needed = self.reached.load(space.fixed_words(), from, control)?;
        self.storing = Storing { has_begun: from.flag()?, is_announced: from.flag()?, ..Storing::default() };
        let place = |number| needed.iter().copied().find(|&place| R::number(place) == number);
        self.events.load(place, codec, from)?;
        Ok(reader.end()?)
    }
}
