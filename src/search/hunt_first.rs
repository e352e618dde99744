//! A short hunt for violations before a sweep: depth-first, first in the order of the model and then in some others.
//!
//! A sweep meets what is deep in its order late, and much of what is wrong with models is met at once by going deep. The hunt
//! is bounded by a number of states that does not depend on the model, and by a little time. What it visits is in no
//! statistics: where it finds nothing, a run reports what it does without it.

use std::time::{Duration, Instant};

use interp::Violation;
use serde::Serialize;
use sweep::{Algorithm, HashedTable, HuntOptions, Limits, Meter, Outcome, SearchOptions};

use crate::cli::{CheckArgs, DEFAULT, Reduce};
use crate::commands::hunt::shown;
use crate::search::filtered_model::FilteredModel;

/// The most states of the first search.
const STATES: u64 = 100_000;
/// The most time, where states are expensive.
const TIME: Duration = Duration::from_secs(2);
/// Rounds in other orders, of some thousand states each, and their seed.
const ROUNDS: u64 = 2;
const SEED: u64 = 1;
/// About how many states are expanded to make a trace shorter: that should take no longer than to find it.
const EFFORT: u64 = 4_000;

/// What the hunt did.
pub struct HuntReport {
    /// States visited.
    pub states: u64,
    /// Depth-first searches.
    pub rounds: u64,
    /// How many events the path had before it was made shorter, if a violation was found.
    pub found: Option<usize>,
    pub elapsed: Duration,
}

/// The same for machines.
#[derive(Serialize)]
pub struct JsonHunt {
    states: u64,
    rounds: u64,
    found: bool,
    seconds: f64,
}

impl HuntReport {
    /// For people, in a line.
    pub fn sentence(&self) -> String {
        let HuntReport { states, rounds, .. } = self;
        let searches =
            if *rounds == 1 { "a depth-first search".to_owned() } else { format!("{rounds} depth-first searches") };
        let seconds = self.elapsed.as_secs_f64();
        match self.found {
            Some(length) => format!("{searches} of {states} states found it, {length} events deep ({seconds:.2} s)"),
            None => format!("{searches} of {states} states found nothing ({seconds:.2} s)"),
        }
    }

    /// For machines.
    pub fn json(&self) -> JsonHunt {
        let HuntReport { states, rounds, found, elapsed } = self;
        JsonHunt { states: *states, rounds: *rounds, found: found.is_some(), seconds: elapsed.as_secs_f64() }
    }
}

/// Whether a hunt comes before the search: only where a first violation is looked for by the default search, in reduced
/// form, and nobody asked for what the search sees on its way.
pub fn is_of_use(args: &CheckArgs) -> bool {
    let is_plain =
        args.order().reason == DEFAULT && !args.search.progress_strict && args.search.reduce.level() != Reduce::None;
    let is_watched = args.log.is_some() || args.count_distinct || args.digest;
    let is_cut_off = !args.cut_off.ignore.is_empty() || !args.cut_off.canonical.is_empty();
    is_plain && !is_watched && !is_cut_off && !args.all_errors && !args.no_hunt
}

/// Hunts within the limits of a search; with its outcome, if there is a violation.
pub fn hunt(space: &FilteredModel, limits: Limits, meter: &Meter) -> (HuntReport, Option<Outcome<Violation>>) {
    let started = Instant::now();
    let brief = &meter.share(8).until(started + TIME);
    let most = limits.max_states.map_or(STATES, |most| most.min(STATES));
    let options = SearchOptions {
        algorithm: Algorithm::Dfs,
        hashed: Some(HashedTable::Compact),
        limits: Limits { max_states: Some(most), ..limits },
        ..SearchOptions::default()
    };
    let mut outcome = sweep::check(space, &options, &mut (), brief);
    let mut report = HuntReport { states: outcome.stats.states, rounds: 1, found: None, elapsed: Duration::ZERO };
    if outcome.violations.is_empty() && outcome.stopped == Some(sweep::StopReason::States) && most == STATES {
        let options = HuntOptions { workers: 1, seed: SEED, rounds: Some(ROUNDS), max_depth: None };
        let hunted = sweep::hunt(space, &options, &mut (), brief);
        report.states += hunted.stats.visited;
        report.rounds += hunted.stats.rounds;
        outcome.stats.distinct = None;
        outcome.stats.states += hunted.stats.visited;
        outcome.stats.transitions += hunted.stats.transitions;
        outcome.stats.depth = outcome.stats.depth.max(hunted.stats.depth);
        outcome.stats.errors += u64::from(hunted.found.is_some());
        outcome.violations.extend(hunted.found);
    }
    let found = outcome.violations.pop();
    let Some(found) = found else {
        report.elapsed = started.elapsed();
        return (report, None);
    };
    report.found = Some(found.trace.as_ref().map_or(0, Vec::len));
    outcome.violations.push(shown(space, found, EFFORT, meter));
    // Nothing was stopped: the search has what it was asked for. Its table is of no interest.
    outcome.stopped = None;
    outcome.stats.hashed = None;
    report.elapsed = started.elapsed();
    outcome.stats.elapsed = report.elapsed;
    (report, Some(outcome))
}
