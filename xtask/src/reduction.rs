//! Reductions side by side: psw as its users run it and SPIN as its users run it, on a folder of models.
//!
//! SPIN merges steps, forgets dead variables and reduces by partial order unless it is told not to; so does psw. For every
//! model that one of them finishes the page has states, transitions, times and memory of both. psw is asked by its default
//! search, whose states may be counted twice, and breadth first, where they are not; and once without reductions, to say
//! what these save and whether they change a verdict, which they must not: the run fails if they do. Two more sections: how
//! states grow with a parameter of a model, and what reductions cost where they save little.

mod cost;
mod growth;
mod known;
mod run;
mod table;

use crate::bench::list::Entry;
use crate::bench::machine;
use crate::bench::measured::Limits;
use crate::compare;
use crate::parallel;
use crate::psw::Psw;
use anyhow::{Context, Result};
use known::Known;
use run::{Checkers, Run};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Measure psw's reductions and SPIN's side by side.
///
/// Example: cargo xtask reduction ../shared/corpus --known ../shared/reduction.tsv --write bench/REDUCTION.md
#[derive(clap::Args)]
pub struct Args {
    /// The folder that holds reference.json and the models.
    folder: PathBuf,
    /// Recorded figures of other tools, tab-separated with a heading; the models in it come first.
    #[arg(long)]
    known: Option<PathBuf>,
    /// Only models whose path contains this text.
    #[arg(long, default_value = "")]
    filter: String,
    /// Seconds that each program may compute.
    #[arg(long, default_value_t = 60)]
    max_time: u64,
    /// Megabytes that each program may take.
    #[arg(long, default_value_t = 8000)]
    memory: u64,
    /// How many turns each contestant gets where the cost of reductions is measured.
    #[arg(long, default_value_t = 5)]
    turns: usize,
    /// How many models to measure at the same time: processor times stay comparable.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Begin with no model after so many minutes; the page names those that are missing.
    #[arg(long, value_name = "MINUTES")]
    stop_after: Option<u64>,
    /// The psw to measure; the one in this program's folder by default.
    #[arg(long)]
    psw: Option<PathBuf>,
    /// The page to write.
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

/// One model, and what each checker did with it.
pub(crate) struct Row {
    model: String,
    /// States without any reduction, as SPIN counted them once.
    recorded: Option<u64>,
    /// States with LTSmin's partial order reduction, if they are known.
    ltsmin: Option<u64>,
    /// psw's default search.
    psw: Run,
    /// psw breadth first.
    bfs: Run,
    /// psw breadth first without reductions; not asked if it does not end with them.
    full: Option<Run>,
    spin: Run,
}

/// All that a page is made from.
pub(crate) struct Measurements {
    growth: Vec<growth::Point>,
    cost: Vec<cost::Cost>,
    rows: Vec<Row>,
    /// Models that there was no time for.
    missing: Vec<String>,
}

impl Row {
    /// What must not differ and does.
    fn differences(&self) -> Vec<String> {
        let mut found = Vec::new();
        let verdict = |run: &Run| run.found().map(|found| found.violated);
        let without = self.full.as_ref().and_then(verdict);
        for (name, run) in [("psw's default search", &self.psw), ("psw's breadth-first search", &self.bfs)] {
            if let (Some(with), Some(without)) = (verdict(run), without)
                && with != without
            {
                found.push(format!("{name} says {}, without reductions {}", word(with), word(without)));
            }
            if let Run::Broken(why) = run {
                found.push(format!("{name}: {why}"));
            }
        }
        found
    }

    /// Other states than SPIN without any reduction: `compare` judges whether they may differ, as where SPIN goes on after
    /// an error and psw does not. What is left of them with reductions cannot be compared.
    fn other_states(&self) -> Option<String> {
        let (full, recorded) = (self.full.as_ref()?.found()?.states, self.recorded?);
        (full != recorded).then(|| format!("not compared: without reductions psw has {full} states, SPIN {recorded}"))
    }

    /// Kinds of violations that are there with reductions only, or without them only. A verdict needs one violation, so
    /// these are told and not held against psw.
    fn other_kinds(&self) -> Option<String> {
        let full = self.full.as_ref()?.found()?;
        let other = [&self.psw, &self.bfs].into_iter().filter_map(Run::found).find(|with| with.kinds != full.kinds)?;
        let kinds: Vec<&str> = other.kinds.symmetric_difference(&full.kinds).map(String::as_str).collect();
        Some(format!("with reductions and without, psw differs in these kinds of violations: {}", kinds.join(", ")))
    }

    /// Does SPIN give another verdict than psw? There are models on which SPIN is known to be wrong.
    fn spin_differs(&self) -> Option<String> {
        let (psw, spin) = (self.psw.found().or(self.bfs.found())?, self.spin.found()?);
        (psw.violated != spin.violated)
            .then(|| format!("psw says {}, SPIN {}", word(psw.violated), word(spin.violated)))
    }
}

/// A verdict as psw words it.
fn word(violated: bool) -> &'static str {
    if violated { "violated" } else { "holds" }
}

/// Prints a line per model, writes the page. False if reductions change a verdict.
pub fn run(args: &Args) -> Result<bool> {
    let begin = Instant::now();
    let psw = Psw::find(args.psw.as_deref(), Duration::from_secs(args.max_time))?;
    let limits = Limits { megabytes: args.memory, seconds: args.max_time };
    let checkers = Checkers { psw: &psw, limits };
    let known = args.known.as_deref().map_or_else(|| Ok(HashMap::new()), known::read)?;
    let models = chosen(args, &known)?;

    let growth = growth::measure(&checkers, &args.folder)?;
    let cost = cost::measure(&checkers, &models, args.turns)?;
    let over = args.stop_after.map(|minutes| begin + Duration::from_secs(60 * minutes));
    let rows = parallel::map(&models, args.jobs, |model| {
        if over.is_some_and(|over| Instant::now() > over) {
            return Ok(None);
        }
        let row = row(&checkers, model)?;
        print!("{}", table::line(&row));
        Ok(Some(row))
    })?;
    let missing = models.iter().zip(&rows).filter(|(_, row)| row.is_none()).map(|(model, _)| model.entry.name.clone());
    let missing = missing.collect();
    let measurements = Measurements { growth, cost, missing, rows: rows.into_iter().flatten().collect() };
    if let Some(page) = &args.write {
        let mut machine = machine::describe(&psw, limits, 1);
        machine.rules.push_str(&busy());
        let text = table::page(&machine, &measurements);
        std::fs::write(page, text).with_context(|| format!("cannot write {}", page.display()))?;
    }
    print!("{}", table::summary(&measurements.rows));
    Ok(measurements.rows.iter().all(|row| row.differences().is_empty()))
}

/// How busy the machine was.
fn busy() -> String {
    let loads = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = loads.split_whitespace().nth(2).unwrap_or("unknown");
    format!("; load average of the last 15 minutes: {load}")
}

/// A model of the folder, with what is known of it.
pub(crate) struct Model {
    entry: Entry,
    recorded: Option<u64>,
    known: Option<Known>,
}

/// The models that SPIN accepts: those with recorded figures first, each group with the largest last.
fn chosen(args: &Args, known: &HashMap<PathBuf, Known>) -> Result<Vec<Model>> {
    let records = compare::read(&args.folder)?;
    let mut models = Vec::new();
    for record in records.iter().filter(|record| record.is_accepted()) {
        let name = record.name();
        if !name.to_string_lossy().contains(&args.filter) {
            continue;
        }
        let path = path(&args.folder, &name)?;
        let known = known.get(&name).copied();
        let entry = Entry { name: name.display().to_string(), path, flags: Vec::new() };
        models.push(Model { entry, recorded: record.states(), known });
    }
    models.sort_by_key(|model| (model.known.is_none(), model.recorded.unwrap_or(u64::MAX)));
    Ok(models)
}

fn path(folder: &Path, name: &Path) -> Result<PathBuf> {
    let path = folder.join(name);
    path.canonicalize().with_context(|| format!("no model {}", path.display()))
}

fn row(checkers: &Checkers, model: &Model) -> Result<Row> {
    let path = &model.entry.path;
    let psw = checkers.psw(path, &[])?;
    let spin = checkers.spin(path)?;
    let bfs = checkers.psw(path, run::BREADTH_FIRST)?;
    let full = bfs.found().is_some().then(|| checkers.psw(path, run::UNREDUCED)).transpose()?;
    let ltsmin = model.known.and_then(|known| known.ltsmin);
    Ok(Row { model: model.entry.name.clone(), recorded: model.recorded, ltsmin, psw, bfs, full, spin })
}

#[cfg(test)]
mod tests {
    use super::run::tests::searched;
    use super::*;

    #[test]
    fn reductions_that_change_a_verdict_are_found() {
        let row = |psw: Run, full: Option<Run>| {
            let (bfs, spin) = (searched(5, false), searched(7, false));
            Row { model: "m".to_string(), recorded: Some(9), ltsmin: None, psw, bfs, full, spin }
        };
        assert!(row(searched(5, false), Some(searched(9, false))).differences().is_empty());
        assert!(row(Run::Unfinished, None).differences().is_empty());
        let other = row(searched(5, true), Some(searched(9, false)));
        assert_eq!(other.differences(), ["psw's default search says violated, without reductions holds"]);
        assert!(other.spin_differs().is_some());
        let fewer = row(searched(5, false), Some(searched(8, false)));
        assert!(fewer.differences().is_empty() && fewer.other_states().is_some());
        assert_eq!(row(Run::Broken("a panic".to_string()), None).differences().len(), 1);
    }
}
