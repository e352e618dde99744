//! psw against itself: every violation it finds in a folder of models is saved, replayed, and must be confirmed.
//!
//! A search that forgets states explains them from its log: each search must find what SPIN found, and its trace must
//! lead there. `reference.json` says in which models there is something to be found.

use crate::compare::{self, Record};
use crate::parallel;
use crate::process::run as run_in;
use crate::psw::{Order, Psw};
use anyhow::Result;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Replay the violations that psw finds in a corpus.
#[derive(clap::Args)]
pub struct Args {
    /// The folder that holds reference.json and the models.
    folder: PathBuf,
    /// Skip models with more states than this.
    #[arg(long, default_value_t = u64::MAX, hide_default_value = true)]
    max_states: u64,
    /// How many models to run at the same time.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Only models whose path contains this text.
    #[arg(long, default_value = "")]
    filter: String,
    /// The orders of search.
    #[arg(long, value_delimiter = ',', default_value = "column,sweep,bfs,dfs,cache")]
    search: Vec<Order>,
    /// The psw to judge; the one in this program's folder by default.
    #[arg(long)]
    psw: Option<PathBuf>,
    /// Seconds that psw may take for one search.
    #[arg(long, default_value_t = 60)]
    max_time: u64,
    /// The memory that psw may take for one search.
    #[arg(long, default_value = "4G")]
    max_memory: String,
}

/// What came of a search.
#[derive(Debug, PartialEq, Eq)]
enum Judgement {
    Confirmed,
    Refused,
    Unfinished(String),
    Wrong(String),
}

/// Prints what was not confirmed, and a total. True if nothing is wrong.
pub fn run(args: &Args) -> Result<bool> {
    // psw ends by itself when its time is over, and writes its report then.
    let psw = Psw::find(args.psw.as_deref(), Duration::from_secs(2 * args.max_time + 30))?;
    let records = compare::read(&args.folder)?;
    let chosen: Vec<&Record> = records.iter().filter(|record| chosen(record, args)).collect();
    let judged = parallel::map(&chosen, args.jobs, |record| {
        let model = args.folder.join(record.name()).canonicalize()?;
        let mut judgements = Vec::new();
        for &order in &args.search {
            let judgement = judge(&psw, &model, order, args)?;
            let told = match &judgement {
                Judgement::Confirmed | Judgement::Refused => None,
                Judgement::Unfinished(why) => Some(("unfinished", why)),
                Judgement::Wrong(why) => Some(("WRONG", why)),
            };
            if let Some((word, why)) = told {
                println!("{word:10} {:44} {order}: {why}", record.name().display());
            }
            judgements.push(judgement);
        }
        Ok(judgements)
    })?;
    let judged: Vec<Judgement> = judged.into_iter().flatten().collect();
    let count = |wanted: fn(&Judgement) -> bool| judged.iter().filter(|judgement| wanted(judgement)).count();
    let wrong = count(|judgement| matches!(judgement, Judgement::Wrong(_)));
    println!(
        "{} models, {} searches: {} confirmed, {} unfinished, {} refused (embedded C), {wrong} wrong",
        chosen.len(),
        judged.len(),
        count(|judgement| *judgement == Judgement::Confirmed),
        count(|judgement| matches!(judgement, Judgement::Unfinished(_))),
        count(|judgement| *judgement == Judgement::Refused),
    );
    Ok(wrong == 0)
}

fn chosen(record: &Record, args: &Args) -> bool {
    let of_size = record.states().map_or(args.max_states == u64::MAX, |states| states <= args.max_states);
    record.is_violated() && of_size && record.name().to_string_lossy().contains(&args.filter)
}

/// Searches and saves the trace; then replays it.
fn judge(psw: &Psw, model: &Path, order: Order, args: &Args) -> Result<Judgement> {
    let dir = tempfile::tempdir()?;
    let trace = dir.path().join("trace.json");
    let mut check = psw.command();
    check.arg("check").arg(model).args(order.args()).args(["--safety", "--quiet", "--trace-out"]);
    check.arg(&trace).args(["--max-time", &args.max_time.to_string(), "--max-memory", &args.max_memory]);
    if matches!(order, Order::Sweep | Order::Column | Order::SweepExt) {
        // Measures are tried on small models too.
        check.args(["--progress", "auto"]);
    }
    let searched = run_in(&mut check, dir.path(), psw.limit())?;
    let first = |text: &str| text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().to_owned();
    match searched.code() {
        Some(1) => {}
        Some(2) if searched.stderr.to_lowercase().contains("embedded c") => return Ok(Judgement::Refused),
        Some(3) => return Ok(Judgement::Unfinished(first(&searched.stdout))),
        None if searched.status.is_none() => return Ok(Judgement::Unfinished("psw did not end in time".to_owned())),
        code => return Ok(Judgement::Wrong(format!("no violation found, exit code {code:?}"))),
    }
    let mut replay = psw.command();
    replay.arg("replay").arg("--quiet").arg(model).arg(&trace);
    let replayed = run_in(&mut replay, dir.path(), psw.limit())?;
    Ok(match replayed.code() {
        Some(1) if replayed.stdout.contains(": confirmed: ") => Judgement::Confirmed,
        None if replayed.status.is_none() => Judgement::Unfinished("its replay did not end in time".to_owned()),
        code => Judgement::Wrong(format!("replayed with exit code {code:?}: {}", first(&replayed.stderr))),
    })
}
