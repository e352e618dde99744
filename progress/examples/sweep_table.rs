//! A table: full search against column sweep, for models given on the command line (`model.pml`, `-DNAME=VALUE` for all
//! that follow).

use std::path::Path;
use std::time::Instant;

use interp::Model;
use progress::sample::Size;
use progress::{Mode, choose, explain};
use sweep::{Algorithm, SearchOptions};

fn main() {
    let mut options = promela::Options::default();
    let mut mode = Mode::Auto;
    let mut verbose = false;
    println!(
        "{:<28} {:>10} {:>7} {:>7} {:>8} {:>8} {:>8} {:>7} {:>7}  measure",
        "model", "states", "total%", "peak%", "bytes%", "full s", "choose s", "ratio", "layers"
    );
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--control" => mode = Mode::Control,
            "--auto" => mode = Mode::Auto,
            "-v" => verbose = true,
            _ => match argument.strip_prefix("-D") {
                Some(define) => options.defines.push(define.to_owned()),
                None => row(&argument, &options, mode, verbose),
            },
        }
    }
}

fn row(path: &str, options: &promela::Options, mode: Mode, verbose: bool) {
    let parsed = promela::parse(Path::new(path), &promela::Disk, options);
    let mut findings = Vec::new();
    let Some(checked) = promela::check(&parsed.ast, &mut findings) else { return println!("{path}: wrong") };
    let model = Model::new(checked);
    let search = |algorithm| SearchOptions {
        algorithm,
        all_errors: true,
        reexpansion_limit: Some(75),
        ..SearchOptions::default()
    };
    let meter = sweep::Meter::unlimited();
    let full = sweep::check(&model, &search(Algorithm::Bfs), &mut (), &meter);
    let began = Instant::now();
    let mut choice = choose(&model, None, mode, Size::default(), &sweep::Meter::unlimited());
    let choosing = began.elapsed();
    if verbose {
        print!("{}", explain::report(&model, &parsed.sources, &choice));
    }
    let swept = sweep::check_with(&model, &mut choice.measure, &search(Algorithm::ColumnSweep), &mut (), &meter);
    let per_cent = |part: u64| 100.0 * part as f64 / full.stats.states as f64;
    let verdicts = if (full.stats.errors > 0) == (swept.stats.errors > 0) { "" } else { " VERDICTS DIFFER" };
    println!(
        "{:<28} {:>10} {:>7.1} {:>7.2} {:>8.2} {:>8.2} {:>8.2} {:>7.2} {:>7}  {}{}{verdicts}",
        Path::new(path).file_name().map_or(path.into(), |name| name.to_string_lossy()),
        full.stats.states,
        per_cent(swept.stats.expanded),
        per_cent(swept.stats.peak_states),
        100.0 * swept.stats.peak_bytes as f64 / full.stats.peak_bytes as f64,
        full.stats.elapsed.as_secs_f64(),
        choosing.as_secs_f64(),
        swept.stats.elapsed.as_secs_f64() / full.stats.elapsed.as_secs_f64(),
        swept.stats.sweep.layers,
        explain::summary(&choice.measure),
        if swept.demoted.is_empty() { String::new() } else { format!(" demoted {:?}", swept.demoted) },
    );
}
