//! What happens at every state of every search: it is counted, the observer is told, and the limits are enforced.
//!
//! An algorithm calls `Control` where something happens and hands on with `?` what it answers. `Err(End)` ends the
//! search. Nothing here depends on the order of the search.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use statespace::Word;

use crate::algorithm::cycles::lasso::Lasso;
use crate::measure::ComponentId;
use crate::observer::{Observer, Paths, Step};
use crate::outcome::{Found, Outcome, Rejected, Trace};
use crate::store::predecessor_log::PredecessorLog;
use crate::store::{Inserted, StateId, StateTable};

/// The clock and the interrupt flag are looked at once in so many steps, an expansion counting as `EXPANSION` of them.
const CHECK_EVERY: u64 = 1024;
const EXPANSION: u64 = 32;
/// Before bytes are allocated there must be so many more, or half of that when it was last looked; and a quarter of what is
/// held, for what grows without being counted to the byte.
const SPARE: usize = 8 << 20;
/// The observer hears a tick about this often.
const TICK: Duration = Duration::from_millis(100);

/// When to stop although the search is not complete. `None` means never.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The most states to store in all; one that was forgotten and is stored again counts again.
    pub max_states: Option<u64>,
    /// The most bytes for stores, stacks and buffers together.
    pub max_bytes: Option<usize>,
    /// When to stop, on the clock: one moment for all that a run does.
    pub deadline: Option<Instant>,
    /// The greatest depth of a state that may be stored; the initial state has depth 0.
    pub max_depth: Option<u64>,
}

/// What a search, or whoever works beside it, may use up.
#[derive(Clone, Copy, Debug)]
pub struct Budget<'a> {
    /// When to stop.
    pub limits: Limits,
    /// Set to end it early.
    pub interrupt: &'a AtomicBool,
}

impl Budget<'static> {
    /// No end of it.
    pub fn unlimited() -> Self {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Budget { limits: Limits::default(), interrupt: &NEVER }
    }
}

impl Budget<'_> {
    /// Whether to go on now that so many bytes are held.
    pub fn check(&self, bytes: usize) -> Result<(), StopReason> {
        if self.limits.max_bytes.is_some_and(|most| bytes > most) {
            return Err(StopReason::Memory);
        }
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(StopReason::Interrupted);
        }
        match self.limits.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(StopReason::Time),
            _ => Ok(()),
        }
    }

    /// A part of what is left, for something that must leave time and memory for what comes after it.
    pub fn part(self, parts: u32) -> Self {
        let now = Instant::now();
        let deadline = self.limits.deadline.map(|deadline| now + deadline.saturating_duration_since(now) / parts);
        let max_bytes = self.limits.max_bytes.map(|most| most / parts as usize);
        Budget { limits: Limits { deadline, max_bytes, ..self.limits }, ..self }
    }

    /// What is left while so many bytes are held elsewhere. States and depth are counted by each search anew.
    pub fn beside(self, bytes: usize) -> Self {
        let max_bytes = self.limits.max_bytes.map(|most| most.saturating_sub(bytes));
        Budget { limits: Limits { max_bytes, ..self.limits }, ..self }
    }
}

/// Why a search stopped before it was complete.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StopReason {
    /// One state more than `Limits::max_states`, or than a table can hold, was found.
    States,
    /// More than `Limits::max_bytes` would have been needed.
    Memory,
    /// `Limits::deadline` was over.
    Time,
    /// A state deeper than `Limits::max_depth` was found.
    Depth,
    /// The interrupt flag was set.
    Interrupted,
    /// A step of a strict sweep went back (`Outcome::rejected` says which).
    Rejected,
    /// The system itself found it useless to go on: an equivalence is not consistent with the steps (`CutOff`).
    Inconsistent,
}

impl StopReason {
    /// Its name for machines.
    pub fn name(self) -> &'static str {
        match self {
            StopReason::States => "states",
            StopReason::Memory => "memory",
            StopReason::Time => "time",
            StopReason::Depth => "depth",
            StopReason::Interrupted => "interrupted",
            StopReason::Rejected => "rejected",
            StopReason::Inconsistent => "inconsistent",
        }
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StopReason::States => "the limit of states was reached",
            StopReason::Memory => "the memory limit was reached",
            StopReason::Time => "the time limit was reached",
            StopReason::Depth => "the depth limit was reached",
            StopReason::Interrupted => "interrupted",
            StopReason::Rejected => "the progress measure was rejected",
            StopReason::Inconsistent => "the equivalence was rejected",
        })
    }
}

/// The numbers of a search, during it and at its end.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Stats {
    /// States stored. A state that was forgotten and met again counts again; see `distinct`.
    pub states: u64,
    /// Distinct states stored, when the search knows: none was forgotten that could have been met again. `None` until
    /// the end.
    pub distinct: Option<u64>,
    /// About how many distinct states there were, when a sweep does not know. `None` until the end.
    pub estimate: Option<u64>,
    /// States expanded; one that was forgotten and met again counts again.
    pub expanded: u64,
    /// States stored now.
    pub stored: u64,
    /// Steps taken, to new and to known states, and one for the initial state.
    pub transitions: u64,
    /// The greatest depth of a stored state, as the search went: a shortest distance if breadth-first, the longest
    /// stack if depth-first, the longest way taken if swept.
    pub depth: u64,
    /// Violations met, reported or not.
    pub errors: u64,
    /// States that wait to be expanded.
    pub waiting: u64,
    /// The most states stored at a time.
    pub peak_states: u64,
    /// The most bytes allocated at a time for stores, stacks and buffers.
    pub peak_bytes: usize,
    /// The bytes allocated when they were last counted.
    pub bytes: usize,
    /// Words of the largest state.
    pub max_state_words: usize,
    /// Time since the search began.
    pub elapsed: Duration,
    /// What only sweeps count.
    pub sweep: SweepStats,
}

/// The numbers of a sweep.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct SweepStats {
    /// Columns swept.
    pub columns: u64,
    /// Sweeps through a column; one each if nothing went back.
    pub sweeps: u64,
    /// Layers opened; one that was forgotten and met again counts again.
    pub layers: u64,
    /// States kept because a step went back to them.
    pub persistent: u64,
    /// Steps taken, by direction.
    pub edges: EdgeStats,
    /// Times that predecessors were passed on to find cycles over several layers.
    pub passes: u64,
}

impl SweepStats {
    /// What a search comes to that had a single table.
    pub(crate) fn of_one_layer(stats: &Stats) -> Self {
        let edges = EdgeStats { stationary: stats.transitions.saturating_sub(1), ..EdgeStats::default() };
        SweepStats { columns: 1, sweeps: 1, layers: 1, edges, ..SweepStats::default() }
    }
}

/// Steps by direction.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct EdgeStats {
    /// To more progress.
    pub forward: u64,
    /// To the same.
    pub stationary: u64,
    /// To less.
    pub regress: u64,
}

/// Why an algorithm ends before it has seen everything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// A limit was reached.
    Stopped(StopReason),
    /// The first violation was found, and one is enough.
    FirstViolation,
}

/// Whether a state can be met again after it was forgotten.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Revisits {
    /// It cannot: states stored are distinct states.
    Never,
    /// It can.
    Possible,
}

/// The bookkeeping of one search.
pub(crate) struct Control<'a, V, O> {
    budget: Budget<'a>,
    /// With `true` the search goes on after a violation.
    all_errors: bool,
    /// The most violations to report, each different from the others.
    max_reported: usize,
    observer: &'a mut O,
    started: Instant,
    last_tick: Duration,
    /// After how many steps, expansions included, there is a look at the clock.
    next_check: u64,
    /// Bytes of the search itself, when they were last counted.
    counted: usize,
    /// Bytes that the system itself keeps.
    kept: usize,
    /// Bytes of the buffers in which states are expanded, as far as they were heard of.
    scratch: usize,
    /// So many bytes in all could be had when that was last tried.
    assured: usize,
    pub(crate) stats: Stats,
    pub(crate) found: Vec<Found<V>>,
    pub(crate) revisits: Revisits,
    pub(crate) rejected: Option<Rejected>,
    pub(crate) demoted: Vec<ComponentId>,
}

impl<'a, V: Copy + PartialEq, O: Observer> Control<'a, V, O> {
    pub(crate) fn new(options: &crate::SearchOptions, observer: &'a mut O, interrupt: &'a AtomicBool) -> Self {
        Control {
            budget: Budget { limits: options.limits, interrupt },
            all_errors: options.all_errors,
            max_reported: options.max_reported.max(1),
            observer,
            started: Instant::now(),
            last_tick: Duration::ZERO,
            next_check: 0,
            counted: 0,
            kept: 0,
            scratch: 0,
            assured: 0,
            stats: Stats::default(),
            found: Vec::new(),
            revisits: Revisits::Never,
            rejected: None,
            demoted: Vec::new(),
        }
    }

    /// Bytes will be allocated, after which there are `total`.
    pub(crate) fn allocating(&mut self, total: usize) -> Result<(), End> {
        let all = total + self.beside();
        if self.budget.limits.max_bytes.is_some_and(|most| all > most) || all > self.assured && !self.can_be_had(all) {
            return Err(End::Stopped(StopReason::Memory));
        }
        self.allocated(total);
        Ok(())
    }

    /// So many bytes are allocated.
    pub(crate) fn allocated(&mut self, total: usize) {
        self.counted = total;
        self.stats.bytes = total + self.beside();
        self.stats.peak_bytes = self.stats.peak_bytes.max(self.stats.bytes);
    }

    /// Bytes that are held beside those that the search counts.
    fn beside(&self) -> usize {
        self.kept + self.scratch + self.observer.bytes()
    }

    /// Whether the machine gives what is missing to so many bytes. It may refuse (`ulimit -v`), and then it is better to be
    /// asked here than in the middle of a change.
    #[cold]
    fn can_be_had(&mut self, all: usize) -> bool {
        // What grows may be moved, and is there twice for a moment.
        let spare = SPARE.max(all / 4);
        let missing = 2 * all.saturating_sub(self.stats.bytes) + spare;
        let can_be_had = Vec::<u8>::new().try_reserve_exact(missing).is_ok();
        self.assured = all + spare / 2;
        can_be_had
    }

    /// An expansion goes on for long. Its buffers hold so many bytes, and what it found so many more than were counted.
    #[cold]
    pub(crate) fn working(&mut self, buffers: usize, found: usize) -> Result<(), End> {
        self.scratch = self.scratch.max(buffers);
        let counted = self.counted;
        let end = self.allocating(counted + found).and_then(|()| self.check_outside_world());
        self.counted = counted;
        end
    }

    /// What is left of the budget for work beside what is held now.
    pub(crate) fn rest(&self) -> Budget<'a> {
        self.budget.beside(self.stats.bytes)
    }

    /// The system keeps so many bytes itself, or has found it useless to go on.
    #[inline]
    pub(crate) fn keeping(&mut self, kept: Option<usize>) -> Result<(), End> {
        match kept {
            Some(bytes) => {
                self.kept = bytes;
                Ok(())
            }
            None => Err(End::Stopped(StopReason::Inconsistent)),
        }
    }

    /// A step to a state, new or known, was taken.
    #[inline]
    pub(crate) fn step(&mut self) {
        self.stats.transitions += 1;
    }

    /// The same, for who wants to know which step it was.
    #[inline]
    pub(crate) fn took<'s>(&mut self, step: impl FnOnce() -> Step<'s>) {
        if O::WATCHES_STEPS {
            self.observer.step(step(), &self.stats);
        }
    }

    /// There is no step out of the state with this number.
    #[inline]
    pub(crate) fn dead(&mut self, state: &[Word], number: u64) {
        self.observer.dead(state, number, &self.stats);
    }

    /// Nothing more will happen; `predecessors` knows how states were reached.
    pub(crate) fn ended(&mut self, predecessors: &mut PredecessorLog) {
        self.observer.finished(&mut Paths(predecessors));
    }

    /// Stores a state that was met at this depth, unless it is known. `others` are the bytes allocated beside the store.
    #[inline]
    pub(crate) fn store(
        &mut self,
        table: &mut StateTable,
        (hash, state): (u64, &[Word]),
        depth: u64,
        others: impl FnOnce() -> usize,
    ) -> Result<Inserted, End> {
        if let Some(id) = table.find(hash, state) {
            return Ok(Inserted::Known(id));
        }
        self.allow(table, state, others)?;
        self.store_allowed(table, (hash, state), depth).map(Inserted::New)
    }

    /// The same for a state that is not known, and for which memory is allowed.
    #[inline]
    pub(crate) fn store_allowed(
        &mut self,
        table: &mut StateTable,
        (hash, state): (u64, &[Word]),
        depth: u64,
    ) -> Result<StateId, End> {
        if self.is_full() || table.len() == StateTable::MOST_STATES {
            return Err(End::Stopped(StopReason::States));
        }
        let id = table.add(hash, state);
        self.discovered(state, depth)?;
        Ok(id)
    }

    /// The same for a state that the search has seen and stores for a while only: it has no number and counts for no limit.
    #[inline]
    pub(crate) fn store_again(
        &mut self,
        table: &mut StateTable,
        (hash, state): (u64, &[Word]),
        others: impl FnOnce() -> usize,
    ) -> Result<Inserted, End> {
        if let Some(id) = table.find(hash, state) {
            return Ok(Inserted::Known(id));
        }
        if table.len() == StateTable::MOST_STATES {
            return Err(End::Stopped(StopReason::States));
        }
        self.allow(table, state, others)?;
        let id = table.add(hash, state);
        self.stats.stored += 1;
        self.stats.peak_states = self.stats.peak_states.max(self.stats.stored);
        Ok(Inserted::New(id))
    }

    /// Asks for the memory that one state more in a table takes.
    #[inline]
    fn allow(&mut self, table: &StateTable, state: &[Word], others: impl FnOnce() -> usize) -> Result<(), End> {
        match table.growth(state.len()) {
            0 => Ok(()),
            growth => self.allocating(table.bytes() + growth + others()),
        }
    }

    /// Is one state more than may be stored?
    pub(crate) fn is_full(&self) -> bool {
        self.budget.limits.max_states.is_some_and(|most| self.stats.states >= most)
    }

    /// A state was met that is new, if there may be one more.
    #[inline]
    pub(crate) fn admit(&mut self, state: &[Word], depth: u64) -> Result<(), End> {
        match self.is_full() {
            true => Err(End::Stopped(StopReason::States)),
            false => self.discovered(state, depth),
        }
    }

    /// A state was met that is not stored and will be.
    #[inline]
    pub(crate) fn discovered(&mut self, state: &[Word], depth: u64) -> Result<(), End> {
        let stats = &mut self.stats;
        stats.states += 1;
        stats.stored += 1;
        stats.peak_states = stats.peak_states.max(stats.stored);
        stats.max_state_words = stats.max_state_words.max(state.len());
        if self.budget.limits.max_depth.is_some_and(|most| depth > most) {
            return Err(End::Stopped(StopReason::Depth));
        }
        self.observer.discovered(state, stats);
        stats.depth = stats.depth.max(depth);
        Ok(())
    }

    /// So many states were deleted, or moved to where they will be stored again.
    #[inline]
    pub(crate) fn forgot(&mut self, states: u64) {
        self.stats.stored -= states;
    }

    /// A state is going to be expanded while so many wait.
    #[inline]
    pub(crate) fn expanding(&mut self, state: &[Word], waiting: u64) -> Result<(), End> {
        self.stats.waiting = waiting;
        self.stats.expanded += 1;
        self.observer.expanding(state, &self.stats);
        let done = self.stats.transitions + EXPANSION * self.stats.expanded;
        if done >= self.next_check {
            self.next_check = done + CHECK_EVERY;
            self.check_outside_world()?;
        }
        Ok(())
    }

    /// A property is violated; `trace` says how to get there, if it must be told.
    #[cold]
    pub(crate) fn violated(&mut self, violation: V, trace: impl FnOnce() -> Trace) -> Result<(), End> {
        self.found(violation, || (trace(), None))
    }

    /// There is a cycle that is a violation.
    #[cold]
    pub(crate) fn cycle(&mut self, violation: V, lasso: impl FnOnce() -> Lasso) -> Result<(), End> {
        self.found(violation, || match lasso() {
            Ok((events, start)) => (Ok(events), Some(start)),
            Err(lost) => (Err(lost), None),
        })
    }

    fn found(&mut self, violation: V, way: impl FnOnce() -> (Trace, Option<usize>)) -> Result<(), End> {
        self.stats.errors += 1;
        let is_new = self.found.iter().all(|found| found.violation != violation);
        if is_new && self.found.len() < self.max_reported {
            let (trace, cycle_start) = way();
            self.found.push(Found { violation, trace, cycle_start });
        }
        if self.all_errors { Ok(()) } else { Err(End::FirstViolation) }
    }

    /// What there is to say when the search ended like this.
    pub(crate) fn finish(mut self, end: Result<(), End>) -> Outcome<V> {
        self.stats.elapsed = self.started.elapsed();
        self.stats.distinct = match self.revisits {
            Revisits::Never => Some(self.stats.states),
            Revisits::Possible => None,
        };
        self.stats.estimate = self.stats.estimate.filter(|_| self.stats.distinct.is_none());
        Outcome {
            violations: self.found,
            stopped: match end {
                Err(End::Stopped(reason)) => Some(reason),
                Err(End::FirstViolation) | Ok(()) => None,
            },
            stats: self.stats,
            rejected: self.rejected,
            demoted: self.demoted,
        }
    }

    #[cold]
    fn check_outside_world(&mut self) -> Result<(), End> {
        self.stats.elapsed = self.started.elapsed();
        if self.stats.elapsed - self.last_tick >= TICK {
            self.last_tick = self.stats.elapsed;
            self.observer.tick(&self.stats);
        }
        // Observers may hold more than they did when bytes were last counted.
        self.allocated(self.counted);
        self.budget.check(self.stats.bytes).map_err(End::Stopped)
    }
}
