//! Searches for accepting cycles side by side: a table like the one of the paper on LTL-Sweep, on products of our own.
//!
//! `bench/products.txt` lists models, formulas and verdicts. Every search must give the verdict of the list: where one
//! does not, the run fails. States are compared with what the first search, a nested depth-first one, stores, which on a
//! property that holds is the product. Times are processor times of
//! the searches, the best of some turns; what comes before a search, the choice of a measure, is told beside.
//!
//! Evangelista, Kristensen, "Hybrid On-the-Fly LTL Model Checking with the Sweep-Line Method", PETRI NETS 2012, Table 1.

mod list;
mod table;

use crate::bench::machine;
use crate::bench::measured::{self, Limits};
use crate::parallel;
use crate::psw::Psw;
use anyhow::{Context, Result};
use list::{Product, Verdict};
use serde::Deserialize;
use std::path::PathBuf;
use std::time::Duration;

/// Measure the searches for temporal properties side by side.
///
/// Example: cargo xtask products --corpus ../shared/corpus
#[derive(clap::Args)]
pub struct Args {
    /// The folder that the models of the list are in.
    #[arg(long)]
    corpus: PathBuf,
    /// The list: in each line a model with -D flags, a formula and its verdict, with ` | ` between them.
    #[arg(long, default_value = "bench/products.txt")]
    products: PathBuf,
    /// Only products whose line contains this text.
    #[arg(long, default_value = "")]
    filter: String,
    /// The searches; others are compared with the first.
    #[arg(long, value_delimiter = ',', default_value = "ndfs,map,sweep-off,sweep-on,column")]
    search: Vec<String>,
    /// How many turns each search gets.
    #[arg(long, default_value_t = 3)]
    repeat: usize,
    /// Megabytes that each run may take.
    #[arg(long, default_value_t = 4000)]
    memory: u64,
    /// Seconds that each run may compute.
    #[arg(long, default_value_t = 60)]
    max_time: u64,
    /// How many products to measure at the same time: processor times stay comparable.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// The psw to measure; the one in this program's folder by default.
    #[arg(long)]
    psw: Option<PathBuf>,
    /// The page to write.
    #[arg(long, default_value = "bench/PRODUCTS.md")]
    out: PathBuf,
}

/// One search of one product.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Figures {
    /// The most states stored at a time.
    peak: u64,
    /// States visited, each as often as it was.
    visited: u64,
    /// Processor time of the search, in seconds.
    seconds: f64,
    /// Processor time before it: mostly that of choosing a measure.
    start: f64,
}

/// One product.
pub(crate) struct Row<'p> {
    product: &'p Product,
    /// One for each search, or nothing if it did not end within the limits.
    figures: Vec<Option<Figures>>,
    /// The peak of the safety sweep through the model alone, as a part of its states.
    safety: Option<f64>,
    /// Searches with other verdicts than the list's.
    wrong: Vec<String>,
}

#[derive(Deserialize)]
struct Report {
    properties: Vec<Property>,
}

#[derive(Deserialize)]
struct Property {
    verdict: String,
    states: States,
    vacuous: Vec<serde_json::Value>,
}

#[derive(Deserialize)]
struct States {
    peak: u64,
    visited: u64,
}

#[derive(Deserialize)]
struct Safety {
    peak_states: u64,
    states: Option<u64>,
    states_estimate: Option<u64>,
    expanded: u64,
}

/// Prints and writes the table. False if a verdict is wrong.
pub fn run(args: &Args) -> Result<bool> {
    let limits = Limits { megabytes: args.memory, seconds: args.max_time };
    let psw = Psw::find(args.psw.as_deref(), Duration::from_secs(args.max_time))?;
    let mut machine = machine::describe(&psw, limits, args.repeat);
    machine.versions.truncate(1);
    let mut products = list::read(&args.products, &args.corpus)?;
    products.retain(|product| product.text.contains(&args.filter));
    let contest = Contest { psw: &psw, limits, searches: &args.search, repeat: args.repeat.max(1) };
    let products: Vec<&Product> = products.iter().collect();
    let rows = parallel::map(&products, args.jobs, |&product| {
        let row = contest.row(product)?;
        print!("{}", table::line(&row, &args.search));
        Ok(row)
    })?;
    let page = table::page(&machine, &args.search, &rows);
    std::fs::write(&args.out, page).with_context(|| format!("cannot write {}", args.out.display()))?;
    print!("{}", table::means(&args.search, &rows));
    Ok(rows.iter().all(|row| row.wrong.is_empty()))
}

/// Who is measured, and how.
struct Contest<'c> {
    psw: &'c Psw,
    limits: Limits,
    searches: &'c [String],
    repeat: usize,
}

impl Contest<'_> {
    fn row<'p>(&self, product: &'p Product) -> Result<Row<'p>> {
        let safety = self.safety(product)?;
        let mut row = Row { product, figures: vec![None; self.searches.len()], safety, wrong: Vec::new() };
        let start = |search: &String| self.start(product, search);
        let starts: Vec<Duration> = self.searches.iter().map(start).collect::<Result<_>>()?;
        for turn in 0..self.repeat {
            for ((search, start), figures) in self.searches.iter().zip(&starts).zip(&mut row.figures) {
                if turn > 0 && figures.is_none() {
                    continue;
                }
                let (found, fresh) = self.search(product, search, *start)?;
                if turn == 0 && found != Found::Nothing && found != Found::Verdict(product.verdict) {
                    row.wrong.push(format!("{search}: {found:?}"));
                }
                let faster = |old: &Figures| fresh.is_some_and(|fresh| fresh.seconds < old.seconds);
                if figures.as_ref().is_none_or(faster) {
                    *figures = fresh;
                }
            }
        }
        Ok(row)
    }

    fn search(&self, product: &Product, search: &str, start: Duration) -> Result<(Found, Option<Figures>)> {
        let (cpu, report) =
            self.ask::<Report>(product, "ltl", &["--no-end-states", "--search", search, &product.formula])?;
        let Some(property) = report.and_then(|report| report.properties.into_iter().next()) else {
            return Ok((Found::Nothing, None));
        };
        let found = match Verdict::named(&property.verdict) {
            Some(_) if !property.vacuous.is_empty() => Found::Vacuous,
            Some(verdict) => Found::Verdict(verdict),
            None => return Ok((Found::Nothing, None)),
        };
        let States { peak, visited } = property.states;
        let seconds = cpu.saturating_sub(start).max(LEAST_TIME).as_secs_f64();
        Ok((found, Some(Figures { peak, visited, seconds, start: start.as_secs_f64() })))
    }

    /// Processor time of a search that is stopped as it begins.
    fn start(&self, product: &Product, search: &str) -> Result<Duration> {
        let rest = ["--search", search, "--max-states", "1", &product.formula];
        Ok(self.ask::<serde_json::Value>(product, "ltl", &rest)?.0)
    }

    /// The peak of the column sweep for safety properties, as a part of the states of the model.
    fn safety(&self, product: &Product) -> Result<Option<f64>> {
        let (_, report) = self.ask::<Safety>(product, "check", &["--safety", "--all-errors", "--search", "column"])?;
        Ok(report.map(|report| {
            let states = report.states.or(report.states_estimate).unwrap_or(report.expanded);
            report.peak_states as f64 / states.max(1) as f64
        }))
    }

    /// What a command of psw says of the model, and its processor time.
    fn ask<R: for<'d> Deserialize<'d>>(
        &self,
        product: &Product,
        command: &str,
        rest: &[&str],
    ) -> Result<(Duration, Option<R>)> {
        let dir = tempfile::tempdir()?;
        let memory = format!("{}M", self.limits.megabytes * 9 / 10);
        let mut args = vec![command.to_string(), product.model.path.display().to_string()];
        args.extend(product.model.flags.iter().cloned());
        args.extend(["--quiet", "--no-reduction", "--format", "json", "--max-memory", &memory].map(str::to_string));
        args.extend(rest.iter().map(|word| word.to_string()));
        let program = PathBuf::from(self.psw.command().get_program());
        let ran = measured::run(&program, &args, dir.path(), self.limits)?;
        anyhow::ensure!(ran.ran.code() != Some(2), "{}: {}", product.text, ran.ran.stderr);
        Ok((ran.cpu, serde_json::from_str(&ran.ran.stdout).ok()))
    }
}

/// What is below this is noise.
const LEAST_TIME: Duration = Duration::from_millis(1);

/// What a search says.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Found {
    /// It did not end within the limits.
    Nothing,
    /// The formula says nothing about the model.
    Vacuous,
    Verdict(Verdict),
}
