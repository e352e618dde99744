//! A table: the searches for accepting cycles on products of workers with automata of each strength, and a safety sweep of
//! the same product beside them. Times are those of the processor where they can be read,
//! the best of three, or of one that takes long; `ratio` is to nested depth-first
//! search. Arguments: the number of workers (5), of phases (4) and of places (4).

use std::time::Duration;

use sweep::space::acceptance::WithRank;
use sweep::space::product::Product;
use sweep::testing::{Workers, WorkersAutomaton, WorkersMeasure, WorkersProperty};
use sweep::{Algorithm, CycleSearch, Meter, SearchOptions, Stats, Verdict, check_cycles, check_with};

/// Searches that take longer are given up.
const MOST: Duration = Duration::from_secs(60);
/// Searches that take longer are run once.
const LONG: Duration = Duration::from_secs(5);

fn main() {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse().unwrap_or(4));
    let workers = arguments.next().unwrap_or(5) as usize;
    let (phases, places) = (arguments.next().unwrap_or(4), arguments.next().unwrap_or(4));
    let workers = Workers { workers, phases, places };
    println!(
        "{:<12} {:<8} {:<9} {:<9} {:>9} {:>9} {:>10} {:>10} {:>7} {:>10} {:>8} {:>6}",
        "property",
        "measure",
        "search",
        "verdict",
        "stored",
        "peak",
        "expanded",
        "persistent",
        "passes",
        "kilobytes",
        "seconds",
        "ratio"
    );
    for property in
        [WorkersProperty::Nothing, WorkersProperty::Avoided, WorkersProperty::Alternating, WorkersProperty::Returning]
    {
        for (name, layers) in [("columns", false), ("layers", true)] {
            let measure = WorkersMeasure { workers, layers };
            let automaton = WorkersAutomaton { workers, property };
            let mut first = None;
            let searches = CycleSearch::ALL.into_iter().map(Some).chain([None]);
            for search in searches {
                let (verdict, stats) = best(&automaton, measure, search);
                let seconds = stats.elapsed.as_secs_f64();
                let verdict = match verdict {
                    Verdict::Holds => "holds",
                    Verdict::Violated => "violated",
                    Verdict::Stopped(_) => "stopped",
                };
                println!(
                    "{:<12} {:<8} {:<9} {:<9} {:>9} {:>9} {:>10} {:>10} {:>7} {:>10} {:>8.3} {:>6.2}",
                    format!("{property:?}"),
                    name,
                    search.map_or("(safety)".into(), |search| format!("{search:?}")),
                    verdict,
                    stats.states,
                    stats.peak_states,
                    stats.expanded,
                    stats.sweep.persistent,
                    stats.sweep.passes,
                    stats.peak_bytes >> 10,
                    seconds,
                    seconds / *first.get_or_insert(seconds)
                );
            }
        }
    }
}

fn best(automaton: &WorkersAutomaton, measure: WorkersMeasure, search: Option<CycleSearch>) -> (Verdict, Stats) {
    let mut best = run(automaton, measure, search);
    for _ in 0..2 {
        if best.1.elapsed < LONG {
            let next = run(automaton, measure, search);
            best = if next.1.elapsed < best.1.elapsed { next } else { best };
        }
    }
    best
}

fn run(automaton: &WorkersAutomaton, mut measure: WorkersMeasure, search: Option<CycleSearch>) -> (Verdict, Stats) {
    let product = Product { system: &automaton.workers, automaton };
    let options = SearchOptions {
        algorithm: Algorithm::ColumnSweep,
        cycles: search.unwrap_or_default(),
        reexpansion_limit: Some(75),
        ..SearchOptions::default()
    };
    let meter = Meter::unlimited().until(std::time::Instant::now() + MOST);
    let before = processor_time();
    let mut outcome = match search {
        Some(_) => check_cycles(&product, &mut measure, &options, &mut (), &meter),
        None => {
            let mut measure = WithRank { space: &product, measure: &mut measure };
            check_with(&product, &mut measure, &options, &mut (), &meter)
        }
    };
    if let (Some(before), Some(after)) = (before, processor_time()) {
        outcome.stats.elapsed = after - before;
    }
    (outcome.verdict(), outcome.stats)
}

/// How long this thread has had a processor: on a busy machine that is less than what a clock shows.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}
