//! One number for memory: the peak of every search beside `--max-memory`, on large models.
//!
//! A search may take its time, and stop with a limit or not; what it must not do is to take more than it was given.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::bench::measured::{self, Limits};

/// Models of a corpus, with their options: each has millions of states without reductions.
const MODELS: [&[&str]; 5] = [
    &["beem/all/at.4.pm"],
    &["beem/all/elevator2.3.pm"],
    &["beem/all/needham.4.pm"],
    &["beem/all/msmie.4.pm"],
    &["real/extended_key_update.pml", "-DDROPS=1", "-DREQ_RETRIES=2", "-DFIN_RETRIES=2"],
];

/// The searches. A formula that holds makes those for cycles go everywhere.
const SEARCHES: [&[&str]; 12] = [
    &["check", "--safety"],
    &["check", "--safety", "--search", "bfs"],
    &["check", "--safety", "--search", "dfs"],
    &["check", "--safety", "--search", "cache"],
    &["check", "--safety", "--search", "sweep"],
    &["check", "--safety", "--search", "sweep-ext"],
    &["check", "--safety", "--search", "bfs-ext"],
    &["check", "--safety", "--search", "part"],
    &["query", "--dead"],
    &["ltl", "--search", "column", "[]true"],
    &["ltl", "--search", "ndfs", "[]true"],
    &["ltl", "--search", "map", "[]true"],
];

/// Memory over the limit that is forgiven: a share, or so many megabytes.
const MORE: (f64, f64) = (0.05, 64.0);

/// Prints the table. True if no search took more than it was given.
pub fn table(psw: &Path, corpus: &Path, megabytes: &[u64], seconds: u64) -> Result<bool> {
    println!("| model | search | --max-memory | peak RSS | time | exit | |");
    println!("|---|---|---|---|---|---|---|");
    let mut kept = true;
    for (model, search, asked) in runs(megabytes) {
        let (file, macros) = model.split_first().context("a model has a file")?;
        let (command, rest) = search.split_first().context("a search has a command")?;
        let path: PathBuf = corpus.join(file);
        let mut args = vec![(*command).to_owned(), path.display().to_string()];
        args.extend(macros.iter().chain(rest).map(|&arg| arg.to_owned()));
        args.extend(["--no-reduction", "--max-memory"].map(str::to_owned));
        args.extend([format!("{asked}M"), "--max-time".to_owned(), format!("{seconds}s")]);
        let limits = Limits { megabytes: super::ENOUGH, seconds: 10 * seconds + super::PATIENCE };
        let took = measured::run(psw, &args, corpus, limits)?;
        let (rss, most) = (took.rss as f64 / 1e6, asked as f64 * 1.048_576);
        let is_kept = rss <= most + (most * MORE.0).max(MORE.1);
        kept &= is_kept;
        let code = took.ran.code().map_or_else(|| "killed".to_owned(), |code| code.to_string());
        let word = if is_kept { "kept" } else { "LARGE" };
        let wall = took.wall.as_secs_f64();
        println!("| {file} | {} | {asked} MB | {rss:.0} MB | {wall:.0} s | {code} | {word} |", search.join(" "));
    }
    Ok(kept)
}

/// Every search of every model, with every limit.
fn runs(megabytes: &[u64]) -> impl Iterator<Item = (&'static [&'static str], &'static [&'static str], u64)> {
    let searches = MODELS.into_iter().flat_map(|model| SEARCHES.into_iter().map(move |search| (model, search)));
    searches.flat_map(move |(model, search)| megabytes.iter().map(move |&asked| (model, search, asked)))
}
