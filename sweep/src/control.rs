//! What happens at every state of every search: it is counted, the observer is told, and the limits are enforced.
//!
//! An algorithm calls `Control` where something happens and hands on with `?` what it answers. `Err(End)` ends the
//! search. Nothing here depends on the order of the search.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use interp::space::Word;

use crate::observer::Observer;
use crate::outcome::{Found, Trace};
use crate::store::{Inserted, Layer};

/// The clock and the interrupt flag are looked at once in so many expansions.
const CHECK_EVERY: u32 = 256;
/// The observer hears a tick about this often.
const TICK: Duration = Duration::from_millis(100);

/// When to stop although the search is not complete. `None` means never.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The most states to store.
    pub max_states: Option<u64>,
    /// The most bytes for stores, stacks and buffers together.
    pub max_bytes: Option<usize>,
    /// The longest time to run.
    pub max_time: Option<Duration>,
    /// The greatest depth of a state that may be stored; the initial state has depth 0.
    pub max_depth: Option<u64>,
}

/// Why a search stopped before it was complete.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StopReason {
    /// One state more than `Limits::max_states`, or than ids, was found.
    States,
    /// More than `Limits::max_bytes` would have been needed.
    Memory,
    /// `Limits::max_time` was over.
    Time,
    /// A state deeper than `Limits::max_depth` was found.
    Depth,
    /// The interrupt flag was set.
    Interrupted,
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StopReason::States => "the limit of states was reached",
            StopReason::Memory => "the memory limit was reached",
            StopReason::Time => "the time limit was reached",
            StopReason::Depth => "the depth limit was reached",
            StopReason::Interrupted => "interrupted",
        })
    }
}

/// The numbers of a search, during it and at its end.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Stats {
    /// Distinct states stored.
    pub states: u64,
    /// Steps taken, to new and to known states, and one for the initial state.
    pub transitions: u64,
    /// The greatest depth of a stored state, as the search went: a shortest distance if breadth-first, the longest
    /// stack if depth-first.
    pub depth: u64,
    /// Violations met, reported or not.
    pub errors: u64,
    /// States that wait to be expanded.
    pub waiting: u64,
    /// The most states stored at a time.
    pub peak_states: u64,
    /// The most bytes allocated at a time for stores, stacks and buffers.
    pub peak_bytes: usize,
    /// Words of the largest state.
    pub max_state_words: usize,
    /// Time since the search began.
    pub elapsed: Duration,
}

/// Why an algorithm ends before it has seen everything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// A limit was reached.
    Stopped(StopReason),
    /// The first violation was found, and one is enough.
    FirstViolation,
}

/// The bookkeeping of one search.
pub(crate) struct Control<'a, V, O> {
    limits: Limits,
    /// The most states one layer may have.
    most_states: u64,
    /// With `true` the search goes on after a violation.
    all_errors: bool,
    /// The most violations to report, each different from the others.
    max_reported: usize,
    observer: &'a mut O,
    interrupt: &'a AtomicBool,
    started: Instant,
    last_tick: Duration,
    until_check: u32,
    pub(crate) stats: Stats,
    pub(crate) found: Vec<Found<V>>,
}

impl<'a, V: Copy + PartialEq, O: Observer> Control<'a, V, O> {
    pub(crate) fn new(
        options: &crate::SearchOptions,
        observer: &'a mut O,
        interrupt: &'a AtomicBool,
    ) -> Self {
        let ids = u64::from(Layer::MOST_STATES);
        Control {
            limits: options.limits,
            most_states: options.limits.max_states.map_or(ids, |most| most.min(ids)),
            all_errors: options.all_errors,
            max_reported: options.max_reported.max(1),
            observer,
            interrupt,
            started: Instant::now(),
            last_tick: Duration::ZERO,
            until_check: CHECK_EVERY,
            stats: Stats::default(),
            found: Vec::new(),
        }
    }

    /// Bytes will be allocated, after which there are `total`.
    pub(crate) fn allocating(&mut self, total: usize) -> Result<(), End> {
        if self.limits.max_bytes.is_some_and(|most| total > most) {
            return Err(End::Stopped(StopReason::Memory));
        }
        self.allocated(total);
        Ok(())
    }

    /// So many bytes are allocated.
    pub(crate) fn allocated(&mut self, total: usize) {
        self.stats.peak_bytes = self.stats.peak_bytes.max(total);
    }

    /// A step to a state, new or known, was taken.
    #[inline]
    pub(crate) fn step(&mut self) {
        self.stats.transitions += 1;
    }

    /// Stores a state that was met at this depth, unless it is known. `others` are the bytes allocated beside the layer.
    #[inline]
    pub(crate) fn store(
        &mut self,
        layer: &mut Layer,
        (hash, state): (u64, &[Word]),
        depth: u64,
        others: impl FnOnce() -> usize,
    ) -> Result<Inserted, End> {
        let growth = layer.growth(state.len());
        let is_full = u64::from(layer.len()) >= self.most_states;
        if (growth > 0 || is_full) && layer.find(hash, state).is_none() {
            if is_full {
                return Err(End::Stopped(StopReason::States));
            }
            self.allocating(layer.bytes() + growth + others())?;
        }
        let inserted = layer.insert_hashed(hash, state);
        if let Inserted::New(_) = inserted {
            self.discovered(state, depth)?;
        }
        Ok(inserted)
    }

    #[inline]
    fn discovered(&mut self, state: &[Word], depth: u64) -> Result<(), End> {
        let stats = &mut self.stats;
        stats.states += 1;
        stats.peak_states = stats.peak_states.max(stats.states);
        stats.max_state_words = stats.max_state_words.max(state.len());
        self.observer.discovered(state, stats);
        if self.limits.max_depth.is_some_and(|most| depth > most) {
            return Err(End::Stopped(StopReason::Depth));
        }
        stats.depth = stats.depth.max(depth);
        Ok(())
    }

    /// A state is going to be expanded while so many wait.
    #[inline]
    pub(crate) fn expanding(&mut self, state: &[Word], waiting: u64) -> Result<(), End> {
        self.stats.waiting = waiting;
        self.observer.expanding(state, &self.stats);
        self.until_check -= 1;
        if self.until_check == 0 {
            self.until_check = CHECK_EVERY;
            self.check_outside_world()?;
        }
        Ok(())
    }

    /// A property is violated; `trace` says how to get there, if it must be told.
    #[cold]
    pub(crate) fn violated(
        &mut self,
        violation: V,
        trace: impl FnOnce() -> Trace,
    ) -> Result<(), End> {
        self.stats.errors += 1;
        let is_new = self.found.iter().all(|found| found.violation != violation);
        if is_new && self.found.len() < self.max_reported {
            let trace = trace();
            self.found.push(Found { violation, trace });
        }
        if self.all_errors {
            Ok(())
        } else {
            Err(End::FirstViolation)
        }
    }

    /// The statistics and the violations, at the end.
    pub(crate) fn finish(mut self) -> (Stats, Vec<Found<V>>) {
        self.stats.elapsed = self.started.elapsed();
        (self.stats, self.found)
    }

    #[cold]
    fn check_outside_world(&mut self) -> Result<(), End> {
        self.stats.elapsed = self.started.elapsed();
        if self.stats.elapsed - self.last_tick >= TICK {
            self.last_tick = self.stats.elapsed;
            self.observer.tick(&self.stats);
        }
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(End::Stopped(StopReason::Interrupted));
        }
        match self.limits.max_time {
            Some(most) if self.stats.elapsed >= most => Err(End::Stopped(StopReason::Time)),
            _ => Ok(()),
        }
    }
}
