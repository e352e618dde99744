//! What traces cost: each search with and without the predecessor log, in turns, so that both meet the same machine.
//!
//! A line per model and search: the median of the ratios of times, and the memory that the log takes, in all and a live
//! state. The numbers by which a sweep finds its states in the log are kept in either case: five bytes of the eight in
//! which a live state has its number and its depth.

use std::path::Path;

use interp::{Model, Violation};
use progress::{Mode, choose};
use sweep::{Algorithm, Outcome, SearchOptions};

/// Examples of 10^5 to 10^6 states.
const MODELS: [(&str, &[&str]); 6] = [
    ("leader_election.pml", &["N=7"]),
    ("two_phase_commit.pml", &["VOTERS=8"]),
    ("call_back.pml", &["CLIENTS=5"]),
    ("philosophers.pml", &["N=9"]),
    ("philosophers_ordered.pml", &["N=8"]),
    ("stop_and_wait.pml", &["PACKETS=2000"]),
];

/// How often each is run.
const ROUNDS: usize = 9;

fn load(name: &str, defines: &[&str]) -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples").join(name);
    let defines = defines.iter().map(|&define| define.to_owned()).collect();
    let parsed = promela::parse(&path, &promela::Disk, &promela::Options { defines, ..Default::default() });
    Model::new(promela::check(&parsed.ast, &mut Vec::new()).expect("the examples are models"))
}

fn search(model: &Model, algorithm: Algorithm, traces: bool) -> Outcome<Violation> {
    // Choosing is not what is measured.
    let mut measure = choose(model, None, Mode::Auto, Default::default(), &sweep::Meter::unlimited()).measure;
    let options =
        SearchOptions { algorithm, traces, all_errors: true, reexpansion_limit: Some(75), ..Default::default() };
    sweep::check_with(model, &mut measure, &options, &mut (), &sweep::Meter::unlimited())
}

fn main() {
    println!(
        "{:<26} {:<12} {:>9} {:>9} {:>9} {:>7} {:>9} {:>13}",
        "model", "search", "states", "peak", "seconds", "ratio", "bytes", "bytes a state"
    );
    for (name, defines) in MODELS {
        let model = load(name, defines);
        for algorithm in [Algorithm::Bfs, Algorithm::ColumnSweep] {
            let mut rounds: Vec<_> = (0..ROUNDS)
                .map(|round| {
                    // Neither is always the first of its round.
                    let first = search(&model, algorithm, round % 2 == 0);
                    let second = search(&model, algorithm, round % 2 != 0);
                    if round % 2 == 0 { (first.stats, second.stats) } else { (second.stats, first.stats) }
                })
                .collect();
            let ratio = |(with, without): &(sweep::Stats, sweep::Stats)| {
                with.elapsed.as_secs_f64() / without.elapsed.as_secs_f64()
            };
            rounds.sort_by(|a, b| ratio(a).total_cmp(&ratio(b)));
            let (with, without) = &rounds[ROUNDS / 2];
            let bytes = with.peak_bytes as i64 - without.peak_bytes as i64;
            println!(
                "{name:<26} {:<12} {:>9} {:>9} {:>9.3} {:>7.3} {bytes:>9} {:>13.2}",
                format!("{algorithm:?}"),
                with.states,
                with.peak_states,
                without.elapsed.as_secs_f64(),
                ratio(&rounds[ROUNDS / 2]),
                bytes as f64 / with.peak_states as f64,
            );
        }
    }
}
