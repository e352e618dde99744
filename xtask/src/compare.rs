//! psw against the numbers that SPIN gave for a folder of models, recorded in its `reference.json`.
//!
//! States and transitions must be the same, to the last one; so must the kind of the first error. The number of
//! errors is printed when it differs, and is not held against psw: SPIN counts some errors once per way of meeting them.

use crate::answer::{Answer, Kind};
use crate::parallel;
use crate::psw::{Order, Psw};
use anyhow::{Context, Result};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Compare psw with the recorded results of a corpus.
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
    #[arg(long, value_delimiter = ',', default_value = "dfs")]
    search: Vec<Order>,
    /// The psw to judge; the one in this program's folder by default.
    #[arg(long)]
    psw: Option<PathBuf>,
    /// Seconds that psw may take for one model.
    #[arg(long, default_value_t = 600)]
    max_time: u64,
}

/// What is recorded of a model.
#[derive(Deserialize)]
pub(crate) struct Record {
    corpus: String,
    path: PathBuf,
    accepted: bool,
    full: Option<Full>,
    safety: Option<Safety>,
}

#[derive(Deserialize)]
struct Full {
    status: String,
    #[serde(default)]
    states_stored: u64,
    #[serde(default)]
    transitions: u64,
    #[serde(default)]
    errors: u64,
}

#[derive(Deserialize)]
struct Safety {
    verdict: Option<String>,
    verdict_text: Option<String>,
}

/// How psw did on one model.
#[derive(Debug, PartialEq, Eq)]
enum Judgement {
    Same,
    Differs(String),
    Refused,
}

/// Prints a line per model and a total. True if nothing differs.
pub fn run(args: &Args) -> Result<bool> {
    let psw = Psw::find(args.psw.as_deref(), Duration::from_secs(args.max_time))?;
    let records = read(&args.folder)?;
    let chosen: Vec<&Record> = records.iter().filter(|record| chosen(record, args)).collect();
    let judged = parallel::map(&chosen, args.jobs, |record| {
        let model = args.folder.join(record.name());
        let mut line = Vec::new();
        let mut judgement = Judgement::Same;
        for order in &args.search {
            let answer = psw.ask(&model, *order)?;
            line.push(format!("{order}: {answer}"));
            if judgement == Judgement::Same {
                judgement = judge(record, &answer, *order);
            }
        }
        let word = match &judgement {
            Judgement::Same => "same",
            Judgement::Refused => "refused",
            Judgement::Differs(_) => "DIFFERS",
        };
        println!("{word:8} {:44} {}", record.name().display(), line.join("  "));
        if let Judgement::Differs(why) = &judgement {
            println!("         {why}");
        }
        Ok(judgement)
    })?;
    let count = |wanted: fn(&Judgement) -> bool| judged.iter().filter(|judgement| wanted(judgement)).count();
    let differing = count(|judgement| matches!(judgement, Judgement::Differs(_)));
    println!(
        "{} models: {} the same, {} refused (embedded C), {differing} differ; {} of {} not chosen or without a reference",
        judged.len(),
        count(|judgement| *judgement == Judgement::Same),
        count(|judgement| *judgement == Judgement::Refused),
        records.len() - chosen.len(),
        records.len(),
    );
    Ok(differing == 0)
}

/// The records of a folder.
pub(crate) fn read(folder: &Path) -> Result<Vec<Record>> {
    let text = std::fs::read_to_string(folder.join("reference.json")).context("the corpus needs a reference.json")?;
    serde_json::from_str(&text).context("reference.json")
}

impl Record {
    /// The model's path in the folder.
    pub(crate) fn name(&self) -> PathBuf {
        Path::new(&self.corpus).join(&self.path)
    }

    /// Does SPIN take it for a model?
    pub(crate) fn is_accepted(&self) -> bool {
        self.accepted
    }

    /// How many states it has, if SPIN saw all.
    pub(crate) fn states(&self) -> Option<u64> {
        self.full.as_ref().filter(|full| full.status == "completed").map(|full| full.states_stored)
    }

    /// Did SPIN find an error, without a look at temporal properties?
    pub(crate) fn is_violated(&self) -> bool {
        let verdict = self.safety.as_ref().and_then(|safety| safety.verdict.as_deref());
        let in_part = verdict.is_some_and(|verdict| !matches!(verdict, "ok" | "unknown"));
        self.accepted && (in_part || self.full.as_ref().is_some_and(|full| full.errors > 0))
    }
}

fn chosen(record: &Record, args: &Args) -> bool {
    let of_size = match &record.full {
        Some(_) if record.accepted => record.states().is_some_and(|states| states <= args.max_states),
        _ => !record.accepted,
    };
    of_size && record.name().to_string_lossy().contains(&args.filter)
}

fn judge(record: &Record, answer: &Answer, order: Order) -> Judgement {
    let differs = |why: String| Judgement::Differs(why);
    match (answer, &record.full) {
        (Answer::Unsupported(_), _) => Judgement::Refused,
        (Answer::Rejected(_), _) if !record.accepted => Judgement::Same,
        (_, _) if !record.accepted => differs("SPIN rejects this model".to_string()),
        (Answer::Searched(search), Some(full)) => {
            let same_steps = !search.once || search.transitions == full.transitions;
            if search.states != full.states_stored || !same_steps || !search.complete {
                return differs(format!("SPIN: states={} transitions={}", full.states_stored, full.transitions));
            }
            match first_kind(record) {
                // Which error comes first depends on the order, and only depth first is SPIN's.
                Some(first) if order == Order::Dfs && first != search.first => {
                    differs(format!("SPIN's first error: {}", first.map_or("none".to_string(), |kind| kind.0)))
                }
                _ => {
                    if order != Order::Dfs && search.first.is_some() != (full.errors > 0) {
                        return differs(format!("SPIN counts {} errors", full.errors));
                    }
                    if search.once && search.errors != full.errors {
                        println!(
                            "  note   {} counts {} errors, SPIN {}",
                            record.name().display(),
                            search.errors,
                            full.errors
                        );
                    }
                    Judgement::Same
                }
            }
        }
        _ => differs("no result to compare".to_string()),
    }
}

/// The kind of the first error that SPIN reports, `Some(None)` if there is no error, `None` if SPIN does not know.
fn first_kind(record: &Record) -> Option<Option<Kind>> {
    let safety = record.safety.as_ref()?;
    match (safety.verdict.as_deref()?, &safety.verdict_text) {
        ("ok", _) => Some(None),
        ("unknown", _) => None,
        (_, Some(text)) => Some(Some(Kind::of_spin_text(text))),
        (verdict, None) => Some(Some(Kind::of_spin_text(verdict))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::Search;

    fn record(json: &str) -> Result<Record> {
        Ok(serde_json::from_str(json)?)
    }

    fn search(states: u64, first: Option<&str>) -> Answer {
        let first = first.map(|kind| Kind(kind.to_string()));
        let once = true;
        Answer::Searched(Search { complete: true, once, states, transitions: 9, errors: 0, kinds: Vec::new(), first })
    }

    #[test]
    fn a_state_more_is_a_difference() -> Result<()> {
        let record = record(
            r#"{"corpus":"a","path":"b.pml","accepted":true,"safety":{"verdict":"invalid end state","verdict_text":"invalid end state"},
            "full":{"status":"completed","states_stored":7,"transitions":9,"errors":0}}"#,
        )?;
        assert_eq!(judge(&record, &search(7, Some("invalid_end_state")), Order::Dfs), Judgement::Same);
        assert!(matches!(judge(&record, &search(8, Some("invalid_end_state")), Order::Dfs), Judgement::Differs(_)));
        assert!(matches!(judge(&record, &search(7, Some("assertion")), Order::Dfs), Judgement::Differs(_)));
        assert!(matches!(judge(&record, &search(7, None), Order::Dfs), Judgement::Differs(_)));
        Ok(())
    }

    #[test]
    fn an_error_in_part_of_the_states_is_one() -> Result<()> {
        let with = |verdict: &str, full: &str| {
            let model = r#""corpus":"a","path":"b.pml","accepted":true"#;
            record(&format!(r#"{{{model},"safety":{{"verdict":"{verdict}","verdict_text":null}},"full":{full}}}"#))
        };
        let (timeout, complete) = (r#"{"status":"timeout"}"#, r#"{"status":"completed","states_stored":7,"errors":2}"#);
        for (verdict, full, is_violated, states) in [
            ("assertion", timeout, true, None),
            ("unknown", timeout, false, None),
            ("unknown", complete, true, Some(7)),
        ] {
            let record = with(verdict, full)?;
            assert_eq!((record.is_violated(), record.states()), (is_violated, states), "{verdict} {full}");
        }
        Ok(())
    }

    #[test]
    fn what_spin_rejects_must_be_rejected() -> Result<()> {
        let record = record(r#"{"corpus":"a","path":"b.pml","accepted":false}"#)?;
        assert_eq!(judge(&record, &Answer::Rejected(String::new()), Order::Dfs), Judgement::Same);
        assert!(matches!(judge(&record, &search(7, None), Order::Dfs), Judgement::Differs(_)));
        Ok(())
    }
}
