//! psw against SPIN on temporal properties: `ltl` blocks, never claims, `accept` and `progress` labels.
//!
//! The verdict must be the same under every search, with fairness and without, reduced and not. Where a folder has a `reference.json` the
//! recorded verdicts judge too; else real SPIN is asked.

use crate::process;
use crate::spin::{Claim, ClaimVerdict, Spin};
use crate::{parallel, psw::Psw};
use anyhow::{Context, Result};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Compare psw with SPIN on the temporal properties of a folder of models.
#[derive(clap::Args)]
pub struct Args {
    /// The folder: with a reference.json, or with models.
    folder: PathBuf,
    /// Only models whose path contains this text.
    #[arg(long, default_value = "")]
    filter: String,
    /// The searches; `default` is what psw does when it is not told.
    #[arg(long, value_delimiter = ',', default_value = "ndfs,default")]
    search: Vec<String>,
    /// Also ask for fair runs, of real SPIN.
    #[arg(long)]
    fair: bool,
    /// Skip properties for which SPIN stored more states than this, where that is recorded.
    #[arg(long, default_value_t = u64::MAX, hide_default_value = true)]
    max_states: u64,
    /// How many models to run at the same time.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Seconds that psw and SPIN may take for one property.
    #[arg(long, default_value_t = 120)]
    max_time: u64,
    /// The psw to judge; the one in this program's folder by default.
    #[arg(long)]
    psw: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Record {
    corpus: String,
    path: PathBuf,
    accepted: bool,
    #[serde(default)]
    claims: Vec<Recorded>,
}

#[derive(Deserialize)]
struct Recorded {
    kind: String,
    name: Option<String>,
    verdict: String,
    status: String,
    #[serde(default)]
    states_stored: u64,
}

/// A property to ask about, and what is known of the answer.
struct Question {
    model: PathBuf,
    label: String,
    claim: Claim,
    recorded: Option<ClaimVerdict>,
}

#[derive(Deserialize)]
struct Report {
    properties: Vec<Property>,
}

#[derive(Deserialize)]
struct Property {
    name: String,
}

/// Prints a line per property and a total. True if nothing differs.
pub fn run(args: &Args) -> Result<bool> {
    let limit = Duration::from_secs(args.max_time);
    let psw = Psw::find(args.psw.as_deref(), limit)?;
    let spin = Spin::find(limit)?;
    let questions: Vec<Question> =
        questions(args, &psw)?.into_iter().filter(|question| question.label.contains(&args.filter)).collect();
    let fairness: &[bool] = if args.fair { &[false, true] } else { &[false] };
    let judged = parallel::map(&questions, args.jobs, |question| {
        let mut fine = true;
        for &fair in fairness {
            let wanted = match (&question.recorded, fair) {
                (Some(recorded), false) => *recorded,
                _ => spin.ask_claim(&question.model, &question.claim, fair)?,
            };
            let mut words = vec![format!("{wanted:?}")];
            let mut differs = false;
            for search in &args.search {
                for (how, options) in [("", &[][..]), (" unreduced", &["--no-reduction"])] {
                    let found = ask(&psw, question, search, fair, options)?;
                    differs |= !agree(wanted, found);
                    words.push(format!("{search}{how}: {found:?}"));
                }
            }
            fine &= !differs;
            let word = if differs { "DIFFERS" } else { "same" };
            let how = if fair { " (fair)" } else { "" };
            println!("{word:8} {:60} SPIN: {}", format!("{}{how}", question.label), words.join("  "));
        }
        Ok(fine)
    })?;
    let differing = judged.iter().filter(|fine| !**fine).count();
    println!("{} properties: {} the same, {differing} differ", judged.len(), judged.len() - differing);
    Ok(differing == 0)
}

/// An answer that was not reached, of either, says nothing.
fn agree(wanted: ClaimVerdict, found: ClaimVerdict) -> bool {
    wanted == found || wanted == ClaimVerdict::Unknown
}

fn ask(psw: &Psw, question: &Question, search: &str, fair: bool, options: &[&str]) -> Result<ClaimVerdict> {
    let dir = tempfile::tempdir()?;
    let mut command = psw.command();
    // With a claim SPIN does not look for invalid end states.
    command.args(["ltl", "--no-end-states", "--format", "json"]).args(options).arg(question.model.canonicalize()?);
    if search != "default" {
        command.args(["--search", search]);
    }
    match &question.claim {
        Claim::Named(name) => drop(command.args(["--name", name])),
        Claim::NonProgress => drop(command.arg("--non-progress")),
        Claim::Never => drop(command.args(["--name", "claim"])),
        Claim::Labels => drop(command.args(["--name", "labels"])),
    }
    if fair {
        command.args(["--fair", "weak"]);
    }
    let ran = process::run(&mut command, dir.path(), psw.limit())?;
    Ok(match ran.code() {
        Some(0) => ClaimVerdict::Holds,
        Some(1) => ClaimVerdict::Violated,
        _ => ClaimVerdict::Unknown,
    })
}

fn questions(args: &Args, psw: &Psw) -> Result<Vec<Question>> {
    let reference = args.folder.join("reference.json");
    if !reference.exists() {
        return stated(&args.folder, psw);
    }
    let text = std::fs::read_to_string(&reference)?;
    let records: Vec<Record> = serde_json::from_str(&text).context("reference.json")?;
    let mut questions = Vec::new();
    for record in records.iter().filter(|record| record.accepted) {
        for claim in record.claims.iter().filter(|claim| claim.states_stored <= args.max_states) {
            let asked = match (claim.kind.as_str(), &claim.name) {
                ("ltl", Some(name)) => Claim::Named(name.clone()),
                ("never", _) => Claim::Never,
                ("non-progress", _) => Claim::NonProgress,
                _ => Claim::Labels,
            };
            let verdict = match (claim.status.as_str(), claim.verdict.as_str()) {
                ("completed", "ok") => ClaimVerdict::Holds,
                ("stopped at error", _) => ClaimVerdict::Violated,
                _ => ClaimVerdict::Unknown,
            };
            let path = Path::new(&record.corpus).join(&record.path);
            questions.push(Question {
                label: format!("{} {asked}", path.display()),
                model: args.folder.join(path),
                claim: asked,
                recorded: Some(verdict),
            });
        }
    }
    Ok(questions)
}

/// Everything that the models of a folder state.
fn stated(folder: &Path, psw: &Psw) -> Result<Vec<Question>> {
    let mut models: Vec<PathBuf> = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    models.retain(|path| path.extension().is_some_and(|extension| extension == "pml"));
    models.sort();
    let mut questions = Vec::new();
    for model in models {
        let text = std::fs::read_to_string(&model)?;
        let mut claims = Vec::new();
        if ["ltl", "never", "accept"].iter().any(|word| text.contains(word)) {
            let dir = tempfile::tempdir()?;
            let mut command = psw.command();
            command.arg("ltl").arg(model.canonicalize()?).args(["--format", "json", "--max-states", "1"]);
            let ran = process::run(&mut command, dir.path(), psw.limit())?;
            let report: Option<Report> = serde_json::from_str(&ran.stdout).ok();
            for property in report.into_iter().flat_map(|report| report.properties) {
                claims.push(match property.name.as_str() {
                    "never claim" => Claim::Never,
                    "accept labels" => Claim::Labels,
                    name => Claim::Named(name.split(' ').next_back().unwrap_or_default().to_owned()),
                });
            }
        }
        if text.contains("progress") {
            claims.push(Claim::NonProgress);
        }
        for claim in claims {
            let label = format!("{} {claim}", model.file_name().unwrap_or_default().to_string_lossy());
            questions.push(Question { model: model.clone(), label, claim, recorded: None });
        }
    }
    Ok(questions)
}
