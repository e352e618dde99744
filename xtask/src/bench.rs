//! psw and real SPIN side by side: time, states a second and memory on the same models, in one run on this machine.
//!
//! The contestants take turns, and turns are repeated, so that what disturbs the machine disturbs all of them; the best
//! time of each counts. Times are compared only when the answers are the same: where a verdict or a number of states
//! differs, the model is refused and the run fails.

mod contest;
pub(crate) mod list;
pub(crate) mod machine;
pub(crate) mod measured;
mod picture;
pub(crate) mod results;
mod table;
pub(crate) mod verifier;

use crate::psw::Psw;
use anyhow::{Context, Result};
use contest::{Contest, Contestant, SpinBuild};
use measured::Limits;
use results::{Results, Row};
use std::path::PathBuf;
use std::time::Duration;

/// Measure psw and SPIN side by side.
///
/// Example: cargo xtask bench --corpus ../corpus --search 'bfs,bfs --compress' --repeat 3
#[derive(clap::Args)]
pub struct Args {
    /// The list of models, a path from the root of the project and -D flags in each line.
    #[arg(long, default_value = "bench/models.txt")]
    models: PathBuf,
    /// Also the models that bench.txt in this folder lists.
    #[arg(long)]
    corpus: Vec<PathBuf>,
    /// Only models whose line contains this text.
    #[arg(long, default_value = "")]
    filter: String,
    /// The searches of psw, each perhaps with options: 'bfs,bfs --compress'.
    #[arg(long, value_delimiter = ',', default_value = "bfs")]
    search: Vec<String>,
    /// The builds of SPIN that are measured in addition to the plain one.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "collapse,default")]
    spin: Vec<SpinBuild>,
    /// How many turns each contestant gets.
    #[arg(long, default_value_t = 3)]
    repeat: usize,
    /// Megabytes that each program may take.
    #[arg(long, default_value_t = 4000)]
    memory: u64,
    /// Seconds that each program may compute.
    #[arg(long, default_value_t = 600)]
    max_time: u64,
    /// Also count instructions with valgrind: slow, but the same on a busy machine.
    #[arg(long)]
    callgrind: bool,
    /// The psw to measure; the one in this program's folder by default.
    #[arg(long)]
    psw: Option<PathBuf>,
    /// Where RESULTS.md, results.csv, results.json and results.svg are written.
    #[arg(long, default_value = "bench")]
    out: PathBuf,
}

/// Prints a line per model and contestant, writes the tables and the picture. False if answers differ.
pub fn run(args: &Args) -> Result<bool> {
    let limits = Limits { megabytes: args.memory, seconds: args.max_time };
    let psw = Psw::find(args.psw.as_deref(), Duration::from_secs(args.max_time))?;
    let mut models = list::read(&args.models, &std::env::current_dir()?)?;
    for corpus in &args.corpus {
        models.extend(list::read(&corpus.join("bench.txt"), corpus)?);
    }
    models.retain(|model| model.name.contains(&args.filter));
    let mut contestants = vec![Contestant::Spin(SpinBuild::Plain)];
    let others = args.spin.iter().copied().filter(|build| *build != SpinBuild::Plain);
    contestants.extend(others.map(Contestant::Spin));
    contestants.extend(args.search.iter().cloned().map(Contestant::Psw));

    let mut results = Results::new(machine::describe(&psw, limits, args.repeat));
    println!("{}", table::heading());
    for model in &models {
        let contest = Contest { model, psw: &psw, limits, repeat: args.repeat, callgrind: args.callgrind };
        let row = match contest.run(&contestants)? {
            Ok(entries) => Row { model: model.name.clone(), entries, refused: None },
            Err(refused) => Row { model: model.name.clone(), entries: Vec::new(), refused: Some(refused) },
        };
        print!("{}", table::lines(&row));
        results.rows.push(row);
    }
    results.summarise(&contestants);
    print!("{}", table::summary(&results));
    std::fs::create_dir_all(&args.out).context("cannot make the folder for the results")?;
    let write = |name: &str, text: String| {
        std::fs::write(args.out.join(name), text).with_context(|| format!("cannot write {name}"))
    };
    write("RESULTS.md", table::markdown(&results))?;
    write("results.csv", table::csv(&results))?;
    write("results.json", serde_json::to_string_pretty(&results)? + "\n")?;
    write("results.svg", picture::draw(&results))?;
    Ok(results.rows.iter().all(|row| row.refused.is_none()))
}
