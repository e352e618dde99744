//! The sizes of psw's automata next to those of other translators, recorded in a folder.

use crate::parallel;
use crate::process::run as run_program;
use crate::psw::Psw;
use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Compare the automata of `psw ltl --automaton` with recorded sizes.
#[derive(clap::Args)]
pub struct Args {
    /// The folder with `reference.tsv`.
    folder: PathBuf,
    /// Only formulas whose set or name contains this.
    #[arg(long, default_value = "")]
    only: String,
    /// Show every formula.
    #[arg(long)]
    all: bool,
    /// The psw to judge; the one in this program's folder by default.
    #[arg(long)]
    psw: Option<PathBuf>,
    /// How many at a time.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
}

/// States and edges.
type Size = (u64, u64);

/// The other translators, and where their sizes are in a row.
const OTHERS: [(&str, usize); 4] = [("spin", 3), ("ltl2ba", 5), ("ltl3ba", 7), ("Spot", 9)];

/// A formula that takes longer is listed.
const SLOW: Duration = Duration::from_secs(1);

struct Row {
    name: String,
    formula: String,
    /// As in [`OTHERS`]; `None` where it took too long.
    others: [Option<Size>; 4],
}

struct Answer {
    size: Option<Size>,
    deterministic: bool,
    time: Duration,
}

/// Prints the totals. True if no automaton is larger than SPIN's and none took too long.
pub fn run(args: &Args) -> Result<bool> {
    let psw = Psw::find(args.psw.as_deref(), Duration::from_secs(60))?;
    let path = args.folder.join("reference.tsv");
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let rows: Vec<Row> =
        text.lines().skip(1).filter_map(read_row).filter(|row| row.name.contains(&args.only)).collect();
    if rows.is_empty() {
        bail!("no formula in {} fits", path.display());
    }
    let answers = parallel::map(&rows, args.jobs, |row| ask(&psw, row))?;
    let judged: Vec<(&Row, &Answer)> = rows.iter().zip(&answers).collect();
    if args.all {
        judged.iter().for_each(|(row, answer)| print_row(row, answer));
    }
    print_totals(&judged);
    Ok(print_findings(&judged))
}

fn read_row(line: &str) -> Option<Row> {
    let cells: Vec<&str> = line.split('\t').collect();
    let size = |at: usize| Some((cells.get(at)?.parse().ok()?, cells.get(at + 1)?.parse().ok()?));
    Some(Row {
        name: format!("{}/{}", cells.first()?, cells.get(1)?),
        formula: cells.get(2)?.to_string(),
        others: OTHERS.map(|(_, at)| size(at)),
    })
}

fn ask(psw: &Psw, row: &Row) -> Result<Answer> {
    let dir = tempfile::tempdir()?;
    let start = Instant::now();
    let ran = run_program(
        psw.command().args(["ltl", "--automaton", "hoa", &row.formula]),
        dir.path(),
        Duration::from_secs(60),
    )?;
    let time = start.elapsed();
    let states = ran.stdout.lines().find_map(|line| line.strip_prefix("States: ")?.parse().ok());
    let edges = ran.stdout.lines().filter(|line| line.starts_with('[')).count() as u64;
    let deterministic =
        ran.stdout.lines().any(|line| line.starts_with("properties:") && line.contains(" deterministic"));
    Ok(Answer { size: states.filter(|_| ran.succeeded()).map(|states| (states, edges)), deterministic, time })
}

fn shown(size: Option<Size>) -> String {
    size.map_or("-".to_string(), |(states, edges)| format!("{states}/{edges}"))
}

fn print_row(row: &Row, answer: &Answer) {
    let others: Vec<String> =
        OTHERS.iter().zip(row.others).map(|((name, _), size)| format!("{name} {}", shown(size))).collect();
    let kind = if answer.deterministic { "deterministic" } else { "" };
    println!(
        "{:28} {:>10}  {}  {} ms {kind}",
        row.name,
        shown(answer.size),
        others.join(", "),
        answer.time.as_millis()
    );
}

/// psw against each of the others, on the formulas that both translated.
fn print_totals(judged: &[(&Row, &Answer)]) {
    let deterministic = judged.iter().filter(|(_, answer)| answer.deterministic).count();
    let time: Duration = judged.iter().map(|(_, answer)| answer.time).sum();
    println!(
        "{} formulas, {} translated, {deterministic} to deterministic automata, {:.1} s in all\n",
        judged.len(),
        judged.iter().filter(|(_, answer)| answer.size.is_some()).count(),
        time.as_secs_f64()
    );
    println!(
        "{:8} {:>8} {:>16} {:>16} {:>22} {:>8} {:>8}",
        "", "formulas", "states", "psw", "geometric mean psw/it", "smaller", "larger"
    );
    for (at, (name, _)) in OTHERS.iter().enumerate() {
        let both: Vec<(Size, Size)> =
            judged.iter().filter_map(|(row, answer)| Some((row.others[at]?, answer.size?))).collect();
        let total = |size: &dyn Fn(&(Size, Size)) -> Size| {
            both.iter().map(size).fold((0, 0), |sum, size| (sum.0 + size.0, sum.1 + size.1))
        };
        let ratio: f64 = both.iter().map(|(other, own)| (own.0 as f64 / other.0 as f64).ln()).sum();
        println!(
            "{name:8} {:>8} {:>16} {:>16} {:>22.3} {:>8} {:>8}",
            both.len(),
            shown(Some(total(&|pair| pair.0))),
            shown(Some(total(&|pair| pair.1))),
            (ratio / both.len().max(1) as f64).exp(),
            both.iter().filter(|(other, own)| own.0 < other.0).count(),
            both.iter().filter(|(other, own)| own.0 > other.0).count(),
        );
    }
    println!();
}

fn print_findings(judged: &[(&Row, &Answer)]) -> bool {
    let larger = |(row, answer): &&(&Row, &Answer)| matches!((row.others[0], answer.size), (Some(spin), Some(own)) if own.0 > spin.0);
    let larger: Vec<_> = judged.iter().filter(larger).collect();
    println!("larger than SPIN's: {}", larger.len());
    larger.iter().for_each(|(row, answer)| print_row(row, answer));
    let failed: Vec<_> = judged.iter().filter(|(_, answer)| answer.size.is_none()).collect();
    println!("not translated: {}", failed.len());
    failed.iter().for_each(|(row, answer)| print_row(row, answer));
    let slow = judged.iter().filter(|(_, answer)| answer.time > SLOW).count();
    println!("over {} s: {slow}\nthe slowest:", SLOW.as_secs());
    let mut by_time: Vec<_> = judged.iter().collect();
    by_time.sort_by_key(|(_, answer)| std::cmp::Reverse(answer.time));
    by_time.iter().take(8).for_each(|(row, answer)| print_row(row, answer));
    larger.is_empty() && failed.is_empty() && slow == 0
}
