//! A table: the searches for accepting cycles on products of workers with automata of each strength. Times are the best of
//! three; the first argument is the number of workers (5), the second that of phases (4).

use std::sync::atomic::AtomicBool;

use sweep::product::Product;
use sweep::testing::{Workers, WorkersAutomaton, WorkersMeasure, WorkersProperty};
use sweep::{CycleSearch, Outcome, SearchOptions, check_cycles};

fn main() {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse().unwrap_or(4));
    let workers = arguments.next().unwrap_or(5) as usize;
    let workers = Workers { workers, phases: arguments.next().unwrap_or(4), places: 4 };
    println!(
        "{:<12} {:<8} {:<10} {:>10} {:>10} {:>10} {:>10} {:>9} {:>8} {:>6}",
        "property", "measure", "search", "stored", "peak", "expanded", "persistent", "kilobytes", "seconds", "ratio"
    );
    for property in
        [WorkersProperty::Nothing, WorkersProperty::Avoided, WorkersProperty::Alternating, WorkersProperty::Returning]
    {
        let automaton = WorkersAutomaton { workers, property };
        for (name, layers) in [("columns", false), ("layers", true)] {
            let mut first = None;
            for search in CycleSearch::ALL {
                let measure = WorkersMeasure { workers, layers };
                let outcome = best(&automaton, measure, search);
                let seconds = outcome.stats.elapsed.as_secs_f64();
                let ratio = seconds / *first.get_or_insert(seconds);
                let stats = outcome.stats;
                println!(
                    "{:<12} {:<8} {:<10} {:>10} {:>10} {:>10} {:>10} {:>9} {:>8.3} {:>6.2}",
                    format!("{property:?}"),
                    name,
                    format!("{search:?}"),
                    stats.states,
                    stats.peak_states,
                    stats.expanded,
                    stats.sweep.persistent,
                    stats.peak_bytes >> 10,
                    seconds,
                    ratio
                );
            }
        }
    }
}

fn best(automaton: &WorkersAutomaton, measure: WorkersMeasure, cycles: CycleSearch) -> Outcome<()> {
    let product = Product { system: &automaton.workers, automaton };
    let options = SearchOptions { cycles, patience: Some(75), ..SearchOptions::default() };
    let run = || check_cycles(&product, &mut { measure }, &options, &mut (), &AtomicBool::new(false));
    let (first, second, third) = (run(), run(), run());
    [second, third]
        .into_iter()
        .fold(first, |best, next| if next.stats.elapsed < best.stats.elapsed { next } else { best })
}
