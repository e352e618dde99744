//! What happens at every state of every search: it is counted, the observer is notified, and the limits are enforced.
//!
//! An algorithm calls `Control` where something happens and propagates the answer with `?`. `Err(End)` ends the
//! search. Nothing here depends on the order of the search.

use std::fmt;
use std::io;
use std::time::{Duration, Instant};

use statespace::{StateSpace, Word};

use crate::algorithm::cycles::lasso::Lasso;
use crate::checkpoint::{Checkpoints, Codec, Reader, ResumeFault, Writer};
use crate::external::{DiskFault, DiskStats};
use crate::measure::ComponentId;
use crate::meter::{Account, Meter};
use crate::observer::{Observer, Paths, Step};
use crate::outcome::{Found, Outcome, Rejected, Trace, TraceLost};
use crate::store::predecessor_log::PredecessorLog;
use crate::store::{bit_table, fingerprints};

/// The clock and the interrupt flag are checked once in this many steps, an expansion counting as `EXPANSION` of them.
const CHECK_EVERY: u64 = if cfg!(test) { 1 } else { 1024 };
const EXPANSION: u64 = 32;
/// The time between two ticks of the observer.
const TICK: Duration = Duration::from_millis(100);

/// When one search stops although it is not complete. `None` means never. The limits of a whole run, on time and memory,
/// are those of its [`Meter`].
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The most states to store in all; a state that was deleted and is stored again counts again.
    pub max_states: Option<u64>,
    /// The greatest depth of a state that may be stored; the initial state has depth 0.
    pub max_depth: Option<u64>,
}

/// Why a search stopped before it was complete.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StopReason {
    /// One state more than `Limits::max_states`, or than a table can hold, was found.
    States,
    /// More bytes were needed than the meter allows.
    Memory,
    /// The deadline has passed.
    Time,
    /// A state deeper than `Limits::max_depth` was found.
    Depth,
    /// The interrupt flag was set.
    Interrupted,
    /// A strict sweep met a regress edge (`Outcome::rejected` says which).
    Rejected,
    /// The files on disk would be larger than allowed, or cannot be written or read.
    Disk(DiskFault),
    /// The system itself found it useless to go on: an equivalence is not consistent with the steps (`CutOff`).
    Inconsistent,
    /// Everything that was met was visited, but states were told apart by their hashes alone.
    Hashed,
    /// The checkpoint to go on from is of no use.
    Resume(ResumeFault),
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
            StopReason::Disk(_) => "disk",
            StopReason::Inconsistent => "inconsistent",
            StopReason::Resume(_) => "resume",
            StopReason::Hashed => "hashed",
        }
    }

    /// Whether a search that was stopped like this could go on.
    pub fn is_temporary(self) -> bool {
        match self {
            StopReason::States | StopReason::Memory | StopReason::Time | StopReason::Interrupted => true,
            StopReason::Disk(_) => true,
            StopReason::Depth
            | StopReason::Rejected
            | StopReason::Inconsistent
            | StopReason::Resume(_)
            | StopReason::Hashed => false,
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
            StopReason::Disk(fault) => return fault.fmt(f),
            StopReason::Inconsistent => "the equivalence was rejected",
            StopReason::Hashed => "states were told apart by their hashes alone, so some may be left out",
            StopReason::Resume(fault) => return fault.fmt(f),
        })
    }
}

/// The numbers of a search, during it and at its end.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Stats {
    /// States stored. A state that was deleted and met again counts again; see `distinct`.
    pub states: u64,
    /// Distinct states stored, when the search knows: none was deleted that could have been met again. `None` until
    /// the end.
    pub distinct: Option<u64>,
    /// About how many distinct states there were, when a sweep does not know. `None` until the end.
    pub estimate: Option<u64>,
    /// States expanded; one that was deleted and met again counts again.
    pub expanded: u64,
    /// States stored now.
    pub stored: u64,
    /// Steps taken, to new and to known states, and one for the initial state.
    pub transitions: u64,
    /// The greatest depth of a stored state, as the search went: a shortest distance if breadth-first, the longest
    /// stack if depth-first, the longest path taken if swept.
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
    /// What only searches in external memory count.
    pub external: Option<ExternalStats>,
    /// What a search that remembers hashes remembers them in.
    pub hashed: Option<HashedTable>,
}

/// Where hashes of states are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HashedTable {
    /// A few bits of each, in a table of so many bytes.
    Bits(usize),
    /// Eight bytes of each.
    Compact,
}

impl HashedTable {
    /// How many states are expected to have been taken for others when so many are stored; those behind them do not count.
    pub fn expected_omissions(self, stored: u64) -> f64 {
        match self {
            HashedTable::Bits(bytes) => bit_table::expected_omissions(stored, 8 * bytes as u64),
            HashedTable::Compact => fingerprints::expected_omissions(stored),
        }
    }

    /// The share of the bits of a table that are set when so many states are stored.
    pub fn fill(self, stored: u64) -> Option<f64> {
        match self {
            HashedTable::Bits(bytes) => Some(bit_table::fill(stored, 8 * bytes as u64)),
            HashedTable::Compact => None,
        }
    }
}

/// The numbers of a search in external memory. `Stats::peak_states` has the states in all buffers too.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct ExternalStats {
    /// What was read and written.
    pub disk: DiskStats,
    /// The most states that the search reads and writes by the theorem for it, if there is one.
    pub bound: Option<u64>,
    /// How many states were stored when memory ended and the disk was used. `None`: it was from the start.
    pub handed_over_after: Option<u64>,
}

/// The numbers of a sweep.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct SweepStats {
    /// Columns swept.
    pub columns: u64,
    /// Sweeps through a column; one each if there is no regress edge.
    pub sweeps: u64,
    /// Layers opened; one that was deleted and met again counts again.
    pub layers: u64,
    /// States kept because a regress edge leads to them.
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
    /// As many violations were found as are wanted.
    Violated,
}

impl From<DiskFault> for End {
    fn from(fault: DiskFault) -> End {
        End::Stopped(StopReason::Disk(fault))
    }
}

/// Whether a state can be met again after it was deleted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Revisits {
    /// It cannot: states stored are distinct states.
    Never,
    /// It can.
    Possible,
}

/// The bookkeeping of one search.
pub(crate) struct Control<'a, V, O> {
    meter: Meter,
    limits: Limits,
    /// So many violations end the search; `None`: it goes on.
    wanted: Option<usize>,
    /// The most violations to report, each different from the others.
    max_reported: usize,
    observer: &'a mut O,
    started: Instant,
    last_tick: Duration,
    /// After how many steps, expansions included, there is a look at the clock.
    next_check: u64,
    /// The largest buffers of an expansion so far.
    scratch: Account,
    pub(crate) stats: Stats,
    pub(crate) found: Vec<Found<V>>,
    pub(crate) revisits: Revisits,
    pub(crate) rejected: Option<Rejected>,
    pub(crate) demoted: Vec<ComponentId>,
    checkpoints: Option<Checkpoints<'a, V>>,
    /// When the last checkpoint was written, and whether the next one is due.
    last_checkpoint: Duration,
    is_due: bool,
    /// What a checkpoint says if a step was interrupted: the numbers before it, and how many violations had been found.
    before: Option<(Stats, usize)>,
}

impl<'a, V: Copy + PartialEq, O: Observer> Control<'a, V, O> {
    pub(crate) fn new(options: &crate::SearchOptions, observer: &'a mut O, meter: &Meter) -> Self {
        Control {
            meter: meter.clone(),
            limits: options.limits,
            wanted: (!options.all_errors).then_some(options.wanted),
            max_reported: options.max_reported.max(options.wanted).max(1),
            observer,
            started: Instant::now(),
            last_tick: Duration::ZERO,
            next_check: 0,
            scratch: meter.account(),
            stats: Stats::default(),
            found: Vec::new(),
            revisits: Revisits::Never,
            rejected: None,
            demoted: Vec::new(),
            checkpoints: None,
            last_checkpoint: Duration::ZERO,
            is_due: false,
            before: None,
        }
    }

    /// The same for a search that writes checkpoints, or goes on from one.
    pub(crate) fn with_checkpoints(self, checkpoints: Option<Checkpoints<'a, V>>) -> Self {
        Control { checkpoints, ..self }
    }

    /// The meter of the run, for components of the search and for searches inside it.
    pub(crate) fn meter(&self) -> &Meter {
        &self.meter
    }

    /// Whether a component may grow by this many bytes.
    #[inline]
    pub(crate) fn allow(&mut self, growth: usize) -> Result<(), End> {
        self.meter.allow(growth).map_err(End::Stopped)?;
        self.count_bytes(growth);
        Ok(())
    }

    /// Whether less than one of so many parts of the memory is left, or so many states are stored, for a search that can go on on
    /// disk then.
    #[inline]
    pub(crate) fn is_short(&self, hand_over_after: Option<u64>, parts: usize) -> bool {
        hand_over_after.is_some_and(|states| self.stats.states >= states || self.meter.is_nearly_full(parts))
    }

    /// Notes what is held, and `growth` more, in the statistics.
    #[inline]
    fn count_bytes(&mut self, growth: usize) {
        self.stats.bytes = self.meter.bytes() + growth;
        self.stats.peak_bytes = self.stats.peak_bytes.max(self.stats.bytes);
    }

    /// An expansion takes long. Its buffers hold this many bytes.
    #[cold]
    pub(crate) fn working(&mut self, buffers: usize) -> Result<(), End> {
        self.scratch.set(self.scratch.bytes().max(buffers));
        self.allow(0)?;
        self.check_outside_world()
    }

    /// Stops a search of a space that has given up.
    #[inline]
    pub(crate) fn check_space(&self, space: &impl StateSpace) -> Result<(), End> {
        if space.gave_up() { Err(End::Stopped(StopReason::Inconsistent)) } else { Ok(()) }
    }

    /// A step to a state, new or known, was taken.
    #[inline]
    pub(crate) fn step(&mut self) {
        self.stats.transitions += 1;
    }

    /// The same, for observers of steps.
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
        self.count_bytes(0);
        self.observer.finished(&mut Paths(predecessors));
    }

    /// A new state was met at this depth and is going to be stored, if one more is allowed.
    #[inline]
    pub(crate) fn admit(&mut self, state: &[Word], depth: u64) -> Result<(), End> {
        if self.limits.max_states.is_some_and(|max| self.stats.states >= max) {
            return Err(End::Stopped(StopReason::States));
        }
        self.stats.states += 1;
        self.stored_again();
        let stats = &mut self.stats;
        stats.max_state_words = stats.max_state_words.max(state.len());
        if self.limits.max_depth.is_some_and(|max| depth > max) {
            return Err(End::Stopped(StopReason::Depth));
        }
        self.observer.discovered(state, stats);
        stats.depth = stats.depth.max(depth);
        Ok(())
    }

    /// A state is going to be stored that was counted before: it has no new number and counts for no limit.
    #[inline]
    pub(crate) fn stored_again(&mut self) {
        self.stats.stored += 1;
        self.stats.peak_states = self.stats.peak_states.max(self.stats.stored);
    }

    /// This many states were deleted, or moved to where they will be stored again.
    #[inline]
    pub(crate) fn deleted(&mut self, states: u64) {
        self.stats.stored -= states;
    }

    /// There are this many states in memory besides those that are stored.
    #[inline]
    pub(crate) fn count_buffered(&mut self, buffered: u64) {
        self.stats.peak_states = self.stats.peak_states.max(self.stats.stored + buffered);
    }

    /// A state is going to be expanded while this many wait.
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

    /// A property is violated; `trace` gives the path to it, if it must be reported.
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

    fn found(&mut self, violation: V, path: impl FnOnce() -> (Trace, Option<usize>)) -> Result<(), End> {
        self.stats.errors += 1;
        let is_new = self.found.iter().all(|found| found.violation != violation);
        if is_new && self.found.len() < self.max_reported {
            let (trace, cycle_start) = path();
            self.found.push(Found { violation, trace, cycle_start });
        }
        match self.wanted {
            Some(wanted) if self.found.len() >= wanted => Err(End::Violated),
            _ => Ok(()),
        }
    }

    /// What there is to say when the search ended like this.
    pub(crate) fn finish(mut self, end: Result<(), End>) -> Outcome<V> {
        // What was read so far is not to be believed.
        if let Err(End::Stopped(StopReason::Resume(_))) = end {
            self.stats = Stats::default();
            self.found.clear();
        }
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
                Err(End::Violated) | Ok(()) => None,
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
        if let Some(Checkpoints { every, .. }) = &self.checkpoints {
            self.is_due = !every.is_zero() && self.stats.elapsed - self.last_checkpoint >= *every;
        }
        self.count_bytes(0);
        self.meter.check().map_err(End::Stopped)
    }
}

/// Checkpoints.
impl<'a, V: Copy + PartialEq, O: Observer> Control<'a, V, O> {
    /// Is it time for a checkpoint? There may be one at every layer.
    #[inline]
    pub(crate) fn is_checkpoint_due(&self, at_layer: bool) -> bool {
        self.is_due || at_layer && self.checkpoints.as_ref().is_some_and(|checkpoints| checkpoints.every.is_zero())
    }

    /// Whether there should be one because the search ends like this.
    #[cold]
    pub(crate) fn is_last_checkpoint(&self, end: End) -> bool {
        self.checkpoints.is_some() && matches!(end, End::Stopped(reason) if reason.is_temporary())
    }

    /// A step was interrupted that the search will take again: `undo` takes back what it has counted.
    #[cold]
    pub(crate) fn interrupted(&mut self, undo: impl FnOnce(&mut Stats)) {
        let mut before = self.stats;
        undo(&mut before);
        self.before = Some((before, self.found.len()));
    }

    /// The checkpoint that the search goes on from, if there is one. It is there once.
    pub(crate) fn resume(&mut self) -> Option<Reader<'a>> {
        self.checkpoints.as_mut()?.from.take()
    }

    /// What violations are as bytes.
    pub(crate) fn codec(&self) -> Option<Codec<V>> {
        self.checkpoints.as_ref().map(|checkpoints| checkpoints.codec)
    }

    /// Writes a checkpoint with this content, if there are any.
    #[cold]
    pub(crate) fn checkpoint(&mut self, mut content: impl FnMut(&Self, &mut Writer<'_>) -> io::Result<()>) {
        if let Some(mut checkpoints) = self.checkpoints.take() {
            checkpoints.keeper.keep(&mut |to| content(self, to));
            self.checkpoints = Some(checkpoints);
        }
        self.last_checkpoint = self.started.elapsed();
        self.is_due = false;
    }

    /// The numbers and violations of a search that will go on. `uncount` takes back what will be counted again then.
    pub(crate) fn save(
        &self,
        codec: Codec<V>,
        uncount: impl FnOnce(&mut Stats),
        to: &mut Writer<'_>,
    ) -> io::Result<()> {
        let (mut stats, found) = self.before.unwrap_or((self.stats, self.found.len()));
        uncount(&mut stats);
        stats.elapsed = self.started.elapsed();
        to.number(stats.elapsed.as_nanos() as u64)?;
        to.number(stats.peak_bytes as u64)?;
        to.number(stats.max_state_words as u64)?;
        counts(&mut stats).into_iter().try_for_each(|count| to.number(*count))?;
        to.flag(self.revisits == Revisits::Possible)?;
        to.number(found as u64)?;
        for Found { violation, trace, cycle_start } in &self.found[..found] {
            to.bytes(&(codec.encode)(*violation))?;
            to.number(cycle_start.map_or(0, |start| start as u64 + 1))?;
            to.flag(trace.is_ok())?;
            match trace {
                Err(TraceLost(why)) => to.bytes(why.as_bytes())?,
                Ok(events) => {
                    to.number(events.len() as u64)?;
                    to.words(events)?;
                }
            }
        }
        Ok(())
    }

    /// Reads what `save` wrote.
    pub(crate) fn load(&mut self, from: &mut Reader<'_>) -> Result<(), End> {
        let elapsed = Duration::from_nanos(from.number()?);
        self.stats.elapsed = elapsed;
        (self.last_tick, self.last_checkpoint) = (elapsed, elapsed);
        self.started = self.started.checked_sub(elapsed).unwrap_or(self.started);
        self.stats.peak_bytes = self.stats.peak_bytes.max(from.small()?);
        self.stats.max_state_words = from.small()?;
        for count in counts(&mut self.stats) {
            *count = from.number()?;
        }
        self.revisits = if from.flag()? { Revisits::Possible } else { Revisits::Never };
        let Some(codec) = self.codec() else { return Err(ResumeFault::Mismatch.into()) };
        for _ in 0..from.number()? {
            let violation = (codec.decode)(&from.bytes()?).ok_or(ResumeFault::Mismatch)?;
            let cycle_start: usize = from.small()?;
            let trace = match from.flag()? {
                false => Err(TraceLost(String::from_utf8_lossy(&from.bytes()?).into_owned())),
                true => {
                    let (length, mut events) = (from.small()?, Vec::new());
                    from.words(length, &mut events)?;
                    Ok(events)
                }
            };
            self.found.push(Found { violation, trace, cycle_start: cycle_start.checked_sub(1) });
        }
        Ok(())
    }
}

/// All that statistics count, in the order of a checkpoint.
fn counts(stats: &mut Stats) -> [&mut u64; 15] {
    let Stats {
        states,
        expanded,
        stored,
        transitions,
        depth,
        errors,
        waiting,
        peak_states,
        sweep,
        // What is measured, what is known at the end, and what only searches on disk count.
        distinct: _,
        estimate: _,
        peak_bytes: _,
        bytes: _,
        max_state_words: _,
        elapsed: _,
        external: _,
        hashed: _,
    } = stats;
    let SweepStats { columns, sweeps, layers, persistent, edges, passes: _ } = sweep;
    let EdgeStats { forward, stationary, regress } = edges;
    [
        states,
        expanded,
        stored,
        transitions,
        depth,
        errors,
        waiting,
        peak_states,
        columns,
        sweeps,
        layers,
        persistent,
        forward,
        stationary,
        regress,
    ]
}
