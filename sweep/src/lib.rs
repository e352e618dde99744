//! Explicit-state model checking of any system that implements [`StateSpace`]: breadth-first, depth-first, by the
//! sweep-line method, and for accepting cycles of a product with an automaton.
//!
//! The crate knows no modelling language. A state is a list of words, a violation is a value of the system's own type, and
//! a trace is a list of event numbers. This is a complete system and its check:
//!
//! ```
//! use std::ops::ControlFlow;
//! use sweep::{Algorithm, Meter, SearchOptions, StateSpace, Verdict, Visit, Word, check};
//!
//! /// Two jars of 3 and 5 litres. Having measured 4 litres is the "violation" to be found.
//! struct Jars;
//!
//! impl StateSpace for Jars {
//!     type Violation = &'static str;
//!     type Scratch = ();
//!     fn scratch(&self) {}
//!     fn fixed_words(&self) -> Option<usize> { Some(2) }
//!     fn word_bits(&self) -> &[u8] { &[2, 3] }
//!     fn gave_up(&self) -> bool { false }
//!     fn initial(&self) -> Result<Vec<Word>, &'static str> { Ok(vec![0, 0]) }
//!     fn expand<V: Visit<&'static str>>(&self, state: &[Word], _: &mut (), visit: &mut V) -> ControlFlow<()> {
//!         let (a, b) = (state[0], state[1]);
//!         if b == 4 {
//!             return visit.violation(0, "4 litres");
//!         }
//!         let (to_b, to_a) = (a.min(5 - b), b.min(3 - a));
//!         let next = [[3, b], [a, 5], [0, b], [a, 0], [a - to_b, b + to_b], [a + to_a, b - to_a]];
//!         (0..).zip(next).try_for_each(|(event, next)| visit.successor(event, &next))
//!     }
//! }
//!
//! let options = SearchOptions { algorithm: Algorithm::Bfs, ..SearchOptions::default() };
//! let outcome = check(&Jars, &options, &mut (), &Meter::unlimited());
//! assert_eq!(outcome.verdict(), Verdict::Violated);
//! // The shortest way: fill B, pour into A, empty A, pour, fill B, pour; then event 0 is the violation.
//! assert_eq!(outcome.violations[0].trace, Ok(vec![1, 5, 2, 5, 1, 5, 0]));
//! ```
//!
//! [`hooks`] asks questions about all reachable states, [`measure`] has what sweeps need, [`space`] the spaces that wrap
//! another one, and [`Meter`] the limits of a run.

mod algorithm;
mod captures;
mod cardinality;
pub mod checkpoint;
mod control;
mod external;
pub mod hooks;
mod hunt;
#[cfg(test)]
mod hunt_tests;
#[cfg(test)]
mod limits_tests;
pub mod measure;
pub mod meter;
mod observer;
mod outcome;
mod random;
mod shorten;
pub mod space;
pub mod store;
#[cfg(any(test, feature = "testing"))]
pub mod testing;

pub use statespace::{StateSpace, Visit, Word};

use algorithm::safety::hashed::Hashed;
use algorithm::safety::state_caching::Cache;
use algorithm::safety::sweep_line::Rules;
use algorithm::safety::{bfs, bfs_ext, column_sweep, dfs, sweep_ext};
use checkpoint::Checkpoints;
use control::{Control, End};
use measure::{Measure, NoMeasure};
use space::compression::{Decompressing, MeasureOfCompressed, TreeCompressed};
use store::bfs_store::{Compressed, Indexed};
use store::metered::MeteredTable;
use store::predecessor_log::PredecessorLog;

pub use algorithm::cycles::fair_cycles::check_fair_cycles;
pub use algorithm::cycles::{CycleSearch, check_cycles};
pub use control::{EdgeStats, ExternalStats, HashedTable, Limits, Stats, StopReason, SweepStats};
pub use external::{Access, Disk, DiskFault, DiskStats, ExternalOptions, Medium, QueueKind, Storage};
pub use hunt::{HuntOptions, HuntStats, Hunted, hunt};
pub use meter::Meter;
pub use observer::{Observer, Paths, Step};
pub use outcome::{Found, Outcome, Rejected, Trace, TraceLost, Verdict};
pub use shorten::shorten;

/// The order in which states are visited.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Algorithm {
    /// Breadth-first: shortest traces.
    Bfs,
    /// Depth-first, as SPIN does it.
    Dfs,
    /// By progress, deleting what was left behind; stops at the first regress edge.
    StrictSweep,
    /// By progress, deleting what was left behind; sweeps again from where regress edges end.
    Sweep,
    /// Column by column of the measure, sweeping each.
    ColumnSweep,
    /// Depth-first, remembering a limited number of states (`SearchOptions::cache_states`).
    Caching,
    /// By progress, with the present layer in memory and all others on disk.
    ExternalSweep,
    /// Breadth-first, with all states on disk.
    ExternalBfs,
    /// Partition by partition, one of them in memory and the others on disk.
    Partitioned,
}

impl Algorithm {
    /// Whether a search of this order can be interrupted and go on from a checkpoint.
    pub fn has_checkpoints(self) -> bool {
        matches!(self, Algorithm::Bfs | Algorithm::StrictSweep | Algorithm::Sweep | Algorithm::ColumnSweep)
    }

    /// All of them.
    pub const ALL: [Algorithm; 9] = [
        Algorithm::Bfs,
        Algorithm::Dfs,
        Algorithm::StrictSweep,
        Algorithm::Sweep,
        Algorithm::ColumnSweep,
        Algorithm::Caching,
        Algorithm::ExternalSweep,
        Algorithm::ExternalBfs,
        Algorithm::Partitioned,
    ];

    /// Those of them that keep states on disk.
    pub const EXTERNAL: [Algorithm; 3] = [Algorithm::ExternalSweep, Algorithm::ExternalBfs, Algorithm::Partitioned];
}

/// What a search is asked to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchOptions {
    /// The order of the search.
    pub algorithm: Algorithm,
    /// When to stop.
    pub limits: Limits,
    /// Go on after violations.
    pub all_errors: bool,
    /// If not: how many violations end the search, no two of them equal.
    pub wanted: usize,
    /// The most violations to report with a trace, no two of them equal; all are counted. At least one is reported.
    pub max_reported: usize,
    /// Keep what is needed to give the path to a violation.
    pub traces: bool,
    /// Keep what is needed to give an observer the path to any state ([`Paths`]), also in depth-first searches, which need
    /// no log for their own traces.
    pub witnesses: bool,
    /// Sweeps delete what is behind them when this many states were stored since the last time.
    pub collect_every: u64,
    /// A sweep that has stored about this many per cent of the states again, of those that it need not keep, deletes
    /// nothing until its column is done: then each state of the column is expanded once more at most. Nor does it delete
    /// where nearly all states would stay. `None`: it always deletes.
    pub reexpansion_limit: Option<u32>,
    /// How many states `Algorithm::Caching` remembers.
    pub cache_states: u64,
    /// `Algorithm::Dfs` remembers hashes of states. It then proves nothing: it ends with `StopReason::Hashed` at best.
    pub hashed: Option<HashedTable>,
    /// States are compressed where that pays at all, not only wide ones; breadth-first searches keep them in as few bytes as
    /// they can: in less memory, and in some more time.
    pub compact: bool,
    /// `Algorithm::ColumnSweep`, a breadth-first search in its place included, goes on with its states on disk when memory
    /// ends; or, if that comes first, when so many states are stored. `None`: it stops.
    pub hand_over_after: Option<u64>,
    /// The parameters of searches in external memory.
    pub external: ExternalOptions,
    /// How `check_cycles` searches; other searches have `algorithm`.
    pub cycles: CycleSearch,
    /// LTL-Sweep looks for cycles over several layers only where layers with an accepting state are on a cycle of layers.
    pub progress_graph: bool,
    /// LTL-Sweep orders persistent states by their progress first.
    pub progress_first: bool,
}

impl Default for SearchOptions {
    fn default() -> Self {
        SearchOptions {
            algorithm: Algorithm::Dfs,
            limits: Limits::default(),
            all_errors: false,
            wanted: 1,
            max_reported: 100,
            traces: true,
            witnesses: false,
            collect_every: 1,
            reexpansion_limit: None,
            cache_states: u64::MAX,
            hashed: None,
            compact: false,
            hand_over_after: None,
            external: ExternalOptions::default(),
            cycles: CycleSearch::default(),
            progress_graph: false,
            progress_first: false,
        }
    }
}

/// Searches without a measure of progress: see [`check_with`].
pub fn check<S, O>(space: &S, options: &SearchOptions, observer: &mut O, meter: &Meter) -> Outcome<S::Violation>
where
    S: StateSpace<Violation: PartialEq>,
    O: Observer,
{
    check_with(space, &mut NoMeasure, options, observer, meter)
}

/// Searches the states that `space` can reach until all are seen, a limit is reached, the meter is interrupted, or something
/// is violated (unless all errors are wanted). Sweeps go by `measure`, and correct it where it claims too much.
pub fn check_with<S, M, O>(
    space: &S,
    measure: &mut M,
    options: &SearchOptions,
    observer: &mut O,
    meter: &Meter,
) -> Outcome<S::Violation>
where
    S: StateSpace<Violation: PartialEq>,
    M: Measure,
    O: Observer,
{
    check_resumable(space, measure, options, (observer, None), meter)
}

/// The same for a search that writes checkpoints, or goes on from one ([`checkpoint`]); which searches can, says
/// [`Algorithm::has_checkpoints`]. Space, measure and options must be those of the search that was interrupted, but for the
/// limits.
pub fn check_resumable<S, M, O>(
    space: &S,
    measure: &mut M,
    options: &SearchOptions,
    (observer, checkpoints): (&mut O, Option<Checkpoints<'_, S::Violation>>),
    meter: &Meter,
) -> Outcome<S::Violation>
where
    S: StateSpace<Violation: PartialEq>,
    M: Measure,
    O: Observer,
{
    // Hashes are short enough.
    let compact = options.hashed.is_none() && (options.compact || is_wide(space));
    let options = &SearchOptions { compact, ..*options };
    match options.compact.then(|| TreeCompressed::new(space, meter)).flatten() {
        Some(compressed) => {
            let compressed = &compressed;
            let mut measure = MeasureOfCompressed { compressed, measure };
            let mut observer = Decompressing::new(compressed, observer);
            let checkpoints = checkpoints.map(|checkpoints| compressed.checkpoints(checkpoints, meter));
            let outcome = match checkpoints.transpose() {
                Ok(checkpoints) => {
                    check_as_it_is(compressed, &mut measure, options, (&mut observer, checkpoints), meter)
                }
                Err(end) => Control::new(options, &mut observer, meter).finish(Err(end)),
            };
            compressed.decompress_outcome(outcome)
        }
        None => check_as_it_is(space, measure, options, (observer, checkpoints), meter),
    }
}

/// Searches states as the space has them.
fn check_as_it_is<S, M, O>(
    space: &S,
    measure: &mut M,
    options: &SearchOptions,
    (observer, checkpoints): (&mut O, Option<Checkpoints<'_, S::Violation>>),
    meter: &Meter,
) -> Outcome<S::Violation>
where
    S: StateSpace<Violation: PartialEq>,
    M: Measure,
    O: Observer,
{
    // Where there are checkpoints, the search ends with one when memory does.
    let hand_over_after = options.hand_over_after.filter(|_| checkpoints.is_none());
    let options = &SearchOptions { hand_over_after, ..*options };
    let sweeps = matches!(options.algorithm, Algorithm::StrictSweep | Algorithm::Sweep | Algorithm::ColumnSweep);
    if options.algorithm == Algorithm::Bfs || sweeps && measure.has_one_layer() {
        let mut outcome = breadth_first(space, options, (observer, checkpoints), meter);
        if sweeps {
            outcome.stats.sweep = SweepStats::of_one_layer(&outcome.stats);
        }
        return outcome;
    }
    let control = Control::new(options, observer, meter).with_checkpoints(checkpoints);
    search(control, space, |initial, control| match options.algorithm {
        Algorithm::Dfs => {
            let predecessors = PredecessorLog::enabled(options.witnesses, meter);
            match options.hashed {
                Some(table) => {
                    control.stats.hashed = Some(table);
                    let mut visited = Hashed::new(table, 0, u64::MAX, meter)?;
                    dfs::search(space, initial, &mut visited, predecessors, control)?;
                    Err(End::Stopped(StopReason::Hashed))
                }
                None => {
                    dfs::search(space, initial, MeteredTable::new(space.fixed_words(), meter), predecessors, control)
                }
            }
        }
        Algorithm::Caching => {
            let cache = Cache::new(space.fixed_words(), options.cache_states, meter);
            dfs::search(space, initial, cache, PredecessorLog::enabled(options.witnesses, meter), control)
        }
        Algorithm::ExternalSweep => sweep_ext::search(space, initial, measure, options, control),
        Algorithm::ExternalBfs => bfs_ext::search(space, initial, options, control),
        Algorithm::Partitioned => {
            let end = sweep_ext::search(space, initial, &NoMeasure, options, control);
            control.stats.sweep = SweepStats::default();
            end
        }
        Algorithm::Bfs | Algorithm::StrictSweep | Algorithm::Sweep | Algorithm::ColumnSweep => {
            let rules = Rules {
                columns: options.algorithm == Algorithm::ColumnSweep,
                strict: options.algorithm == Algorithm::StrictSweep,
            };
            column_sweep::search(space, initial, measure, rules, options, control)
        }
    })
}

/// States of more words than this, or of different lengths, are compressed by default: uncompressed, they would take more
/// than half the memory that SPIN takes.
const WIDE_WORDS: usize = 8;

fn is_wide(space: &impl StateSpace) -> bool {
    space.fixed_words().is_none_or(|words| words > WIDE_WORDS)
}

/// States in the order in which they are found: also the order of a sweep through a single layer.
fn breadth_first<S, O>(
    space: &S,
    options: &SearchOptions,
    (observer, checkpoints): (&mut O, Option<Checkpoints<'_, S::Violation>>),
    meter: &Meter,
) -> Outcome<S::Violation>
where
    S: StateSpace<Violation: PartialEq>,
    O: Observer,
{
    let control = Control::new(options, observer, meter).with_checkpoints(checkpoints);
    search(control, space, |initial, control| match options.compact {
        true => bfs::search::<Compressed, _, _>(space, initial, options, control),
        false => bfs::search::<Indexed, _, _>(space, initial, options, control),
    })
}

/// Searches from the initial state, if there is one.
fn search<'a, S, O>(
    mut control: Control<'a, S::Violation, O>,
    space: &S,
    algorithm: impl FnOnce(&[Word], &mut Control<'a, S::Violation, O>) -> Result<(), End>,
) -> Outcome<S::Violation>
where
    S: StateSpace<Violation: PartialEq>,
    O: Observer,
{
    let end = match space.initial() {
        Err(violation) => control.violated(violation, || Ok(Vec::new())),
        Ok(initial) => algorithm(&initial, &mut control),
    };
    // What the last expansion met counts too.
    let end = end.and_then(|()| control.check_space(space));
    control.finish(end)
}
