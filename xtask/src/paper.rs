//! The systems of the papers, as our examples model them: our numbers next to those of the papers.
//!
//! Total is what the sweep expands, peak the most states stored at a time, both in per cent of all states; time is that
//! of the sweep, its choice of a measure included, as a multiple of our own full search (breadth-first, best of several).
//! Kristensen, Mailund, FORTE 2002, Tables 1 to 3; Gallasch, Kristensen, Mailund, Table 1 (peak and time only).

mod external;

use crate::psw::Psw;
use anyhow::{Context, Result};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Our numbers on the papers' systems, next to the papers'.
#[derive(clap::Args)]
pub struct Args {
    /// The folder of the examples.
    #[arg(long, default_value = "examples")]
    examples: PathBuf,
    /// The psw to measure; the one in this program's folder by default.
    #[arg(long)]
    psw: Option<PathBuf>,
    /// Run each search so often, and take the shortest time.
    #[arg(long, default_value_t = 3)]
    times: u32,
    /// The tables of searches on disk instead.
    #[arg(long)]
    external: bool,
    /// With --external: the folder of the instances,
    #[arg(long, default_value = "../shared/corpus/beem/ext")]
    instances: PathBuf,
    /// which of them, by how their names begin,
    #[arg(long, default_value = "")]
    only: String,
    /// and the limits of each search.
    #[arg(long, default_value = "60m")]
    max_time: String,
    /// See --max-time.
    #[arg(long, default_value = "8G")]
    max_memory: String,
}

/// A line of a paper's table.
struct Row {
    table: &'static str,
    model: &'static str,
    define: &'static [&'static str],
    progress: &'static str,
    /// States, and total, peak and time of the sweep.
    paper: (u64, f64, f64, f64),
}

const fn row(
    table: &'static str,
    model: &'static str,
    define: &'static [&'static str],
    progress: &'static str,
    paper: (u64, f64, f64, f64),
) -> Row {
    Row { table, model, define, progress, paper }
}

const MASTER: &str = "master_slave.pml";
const COMMIT: &str = "two_phase_commit.pml";
const WAIT: &str = "stop_and_wait.pml";

const ROWS: [Row; 17] = [
    row("1", MASTER, &["SLAVES=12", "JOBS=20"], "auto", (126_976, 200.0, 6.45, 1.71)),
    row("1", MASTER, &["SLAVES=12", "JOBS=28"], "auto", (192_512, 200.0, 4.26, 1.57)),
    row("1", MASTER, &["SLAVES=12", "JOBS=40"], "auto", (290_816, 200.0, 2.82, 1.53)),
    row("2", COMMIT, &["VOTERS=6"], "auto", (18_478, 100.0, 21.16, 2.0)),
    row("2", COMMIT, &["VOTERS=7"], "auto", (87_475, 100.0, 22.33, 1.25)),
    row("2", COMMIT, &["VOTERS=8"], "auto", (420_988, 100.0, 23.19, 1.18)),
    row("2", COMMIT, &["VOTERS=8"], "control", (420_988, 100.0, 23.19, 1.18)),
    row("2", COMMIT, &["VOTERS=9"], "auto", (2_051_029, 100.0, 23.81, 1.32)),
    row("3", WAIT, &["PACKETS=20"], "control", (3_640, 103.84, 61.73, 1.0)),
    row("3", WAIT, &["PACKETS=50"], "control", (9_100, 103.84, 61.29, 1.0)),
    row("3", WAIT, &["PACKETS=50"], "auto", (9_100, 103.84, 61.29, 1.0)),
    row("003", WAIT, &["PACKETS=10"], "auto", (2_576, 100.0, 77.7, 1.0)),
    row("003", WAIT, &["PACKETS=50"], "auto", (13_416, 100.0, 17.0, 0.8)),
    row("003", WAIT, &["PACKETS=200"], "auto", (54_066, 100.0, 4.2, 0.33)),
    row("003", WAIT, &["PACKETS=500"], "auto", (135_366, 100.0, 1.7, 0.2)),
    row("003", WAIT, &["PACKETS=1000"], "auto", (270_866, 100.0, 0.8, 0.12)),
    row("003", WAIT, &["PACKETS=2000"], "auto", (541_866, 100.0, 0.4, 0.065)),
];

/// What we read of psw's JSON.
#[derive(Deserialize)]
struct Report {
    verdict: String,
    expanded: u64,
    peak_states: u64,
    seconds: f64,
}

/// Prints the table. True if every model holds.
pub fn run(args: &Args) -> Result<bool> {
    let psw = Psw::find(args.psw.as_deref(), Duration::from_secs(600))?;
    if args.external {
        let Args { instances, only, max_time, max_memory, .. } = args;
        return external::run(&external::Args { psw: &psw, folder: instances, only, max_time, max_memory });
    }
    println!(
        "table model                  setting              measure      states  total %   peak %  time | paper: states  total %   peak %  time"
    );
    let mut fine = true;
    for row in &ROWS {
        let model = args.examples.join(row.model);
        let full = best(&psw, &model, row, &["--search", "bfs"], args.times)?;
        let sweep = best(&psw, &model, row, &["--search", "column", "--progress", row.progress], args.times)?;
        fine &= full.verdict == "holds" && sweep.verdict == "holds";
        let share = |count: u64| 100.0 * count as f64 / full.expanded.max(1) as f64;
        let (states, total, peak, time) = row.paper;
        println!(
            "{:5} {:22} {:20} {:8} {:10} {:8.1} {:8.2} {:5.2} | {:13} {:8.1} {:8.2} {:5.2}",
            row.table,
            row.model,
            row.define.join(" "),
            row.progress,
            full.expanded,
            share(sweep.expanded),
            share(sweep.peak_states),
            sweep.seconds / full.seconds.max(1e-9),
            states,
            total,
            peak,
            time,
        );
    }
    Ok(fine)
}

/// The quickest of several runs.
fn best(psw: &Psw, model: &Path, row: &Row, options: &[&str], times: u32) -> Result<Report> {
    let mut best: Option<Report> = None;
    for _ in 0..times.max(1) {
        let mut command = psw.command();
        command.arg("check").arg(model).args(["-q", "--format", "json", "--no-reduction"]).args(options);
        command.args(row.define.iter().flat_map(|define| ["-D", define]));
        let output = command.output().context("psw runs")?;
        let report: Report = serde_json::from_slice(&output.stdout)
            .with_context(|| format!("{}: {}", model.display(), String::from_utf8_lossy(&output.stderr)))?;
        if best.as_ref().is_none_or(|best| report.seconds < best.seconds) {
            best = Some(report);
        }
    }
    best.context("at least one run")
}
