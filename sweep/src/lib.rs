//! Searches over state spaces: they store packed states, count, watch limits, and say what they found.
//!
//! This crate knows no Promela: only `statespace::StateSpace`. A violation is a value it hands on, and a trace is a
//! list of event numbers.

mod algorithm;
mod cardinality;
mod control;
pub mod hooks;
#[cfg(test)]
mod limits_tests;
pub mod measure;
pub mod meter;
mod observer;
mod outcome;
pub mod space;
pub mod store;
#[cfg(any(test, feature = "testing"))]
pub mod testing;

pub use statespace::{StateSpace, Visit, Word};

use algorithm::safety::state_caching::Cache;
use algorithm::safety::sweep_line::Rules;
use algorithm::safety::{bfs, column_sweep, dfs};
use control::{Control, End};
use measure::{Measure, NoMeasure};
use space::compression::{TreeCompressed, Unfolding};
use store::bfs_store::{Compressed, Indexed};
use store::metered::MeteredTable;
use store::predecessor_log::PredecessorLog;

pub use algorithm::cycles::{CycleSearch, check_cycles};
pub use control::{EdgeStats, Limits, Stats, StopReason, SweepStats};
pub use meter::Meter;
pub use observer::{Observer, Paths, Step};
pub use outcome::{Found, Outcome, Rejected, Trace, TraceLost, Verdict};

/// In which order states are visited.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Algorithm {
    /// Breadth-first: shortest traces.
    Bfs,
    /// Depth-first, as SPIN does it.
    Dfs,
    /// By progress, forgetting what was left behind; stops at the first step back.
    StrictSweep,
    /// By progress, forgetting what was left behind; sweeps again from where steps went back to.
    Sweep,
    /// Column by column of the measure, sweeping each.
    ColumnSweep,
    /// Depth-first, remembering only so many states (`SearchOptions::cache_states`).
    Caching,
}

impl Algorithm {
    /// All of them.
    pub const ALL: [Algorithm; 6] = [
        Algorithm::Bfs,
        Algorithm::Dfs,
        Algorithm::StrictSweep,
        Algorithm::Sweep,
        Algorithm::ColumnSweep,
        Algorithm::Caching,
    ];
}

/// What a search is asked to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchOptions {
    /// The order of the search.
    pub algorithm: Algorithm,
    /// When to stop.
    pub limits: Limits,
    /// Go on after a violation.
    pub all_errors: bool,
    /// The most violations to report with a trace, no two of them equal; all are counted. At least one is reported.
    pub max_reported: usize,
    /// Keep what is needed to tell the way to a violation.
    pub traces: bool,
    /// Keep what is needed to tell an observer the way to any state ([`Paths`]), also in depth-first searches, which need
    /// no log for their own traces.
    pub witnesses: bool,
    /// Sweeps forget what is behind them when so many states were stored since the last time.
    pub collect_every: u64,
    /// A sweep that has stored states once more, (about) so many per cent of those that it need not keep, forgets nothing
    /// until its column is done: then each state of the column is expanded once more at most. It does not forget either where nearly all
    /// would stay. `None`: it goes on.
    pub reexpansion_limit: Option<u32>,
    /// How many states `Algorithm::Caching` remembers.
    pub cache_states: u64,
    /// Breadth-first searches keep states in as few bytes as they can, not only wide ones: in less memory, and in some more
    /// time.
    pub compact: bool,
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
            max_reported: 100,
            traces: true,
            witnesses: false,
            collect_every: 1,
            reexpansion_limit: None,
            cache_states: u64::MAX,
            compact: false,
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
    let sweeps = matches!(options.algorithm, Algorithm::StrictSweep | Algorithm::Sweep | Algorithm::ColumnSweep);
    if options.algorithm == Algorithm::Bfs || sweeps && measure.has_one_layer() {
        let options = &SearchOptions { compact: options.compact || is_wide(space), ..*options };
        let mut outcome = match options.compact.then(|| TreeCompressed::new(space, meter)).flatten() {
            Some(folded) => {
                let unfolding = &mut Unfolding::new(&folded, observer);
                let mut outcome = breadth_first(&folded, options, unfolding, meter);
                outcome.stats.max_state_words = folded.longest();
                outcome
            }
            None => breadth_first(space, options, observer, meter),
        };
        if sweeps {
            outcome.stats.sweep = SweepStats::of_one_layer(&outcome.stats);
        }
        return outcome;
    }
    search(options, observer, meter, space, |initial, control| match options.algorithm {
        Algorithm::Dfs => {
            let ways = PredecessorLog::wanted(options.witnesses, meter);
            dfs::search(space, initial, MeteredTable::new(space.fixed_words(), meter), ways, control)
        }
        Algorithm::Caching => {
            let cache = Cache::new(space.fixed_words(), options.cache_states, meter);
            dfs::search(space, initial, cache, PredecessorLog::wanted(options.witnesses, meter), control)
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

/// States of more words than this, or of different lengths, are kept in few bytes without being asked for: as they are,
/// they would take more than half the memory that SPIN takes.
const WIDE_WORDS: usize = 8;

fn is_wide(space: &impl StateSpace) -> bool {
    space.fixed_words().is_none_or(|words| words > WIDE_WORDS)
}

/// States in the order in which they are found: also the order of a sweep through a single layer.
fn breadth_first<S, O>(space: &S, options: &SearchOptions, observer: &mut O, meter: &Meter) -> Outcome<S::Violation>
where
    S: StateSpace<Violation: PartialEq>,
    O: Observer,
{
    search(options, observer, meter, space, |initial, control| {
        let predecessors = PredecessorLog::wanted(options.traces || options.witnesses, meter);
        match options.compact {
            true => bfs::search::<Compressed, _, _>(space, initial, predecessors, control),
            false => bfs::search::<Indexed, _, _>(space, initial, predecessors, control),
        }
    })
}

/// Searches from the initial state, if there is one.
fn search<S, O>(
    options: &SearchOptions,
    observer: &mut O,
    meter: &Meter,
    space: &S,
    algorithm: impl FnOnce(&[Word], &mut Control<'_, S::Violation, O>) -> Result<(), End>,
) -> Outcome<S::Violation>
where
    S: StateSpace<Violation: PartialEq>,
    O: Observer,
{
    let mut control = Control::new(options, observer, meter);
    let end = match space.initial() {
        Err(violation) => control.violated(violation, || Ok(Vec::new())),
        Ok(initial) => algorithm(&initial, &mut control),
    };
    // What the last expansion met counts too.
    let end = end.and_then(|()| control.check_space(space));
    control.finish(end)
}
