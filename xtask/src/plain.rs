//! psw against its own plain semantics, which does without every analysis: the same states by value, the same steps, the
//! same violations.
//!
//! SPIN counts states, and a wrong value need not change their number; here the values themselves are compared, by a hash of
//! the set of states (`--digest`) that does not depend on how they are stored. The searches that forget states have no such
//! set: of them the verdict and the violations are compared. Each search is also run with all reductions, which must change
//! neither.

use crate::answer::Answer;
use crate::compare;
use crate::parallel;
use crate::psw::{Detail, Order, Psw, REDUCED};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Compare psw with its plain semantics on the models of a corpus.
#[derive(clap::Args)]
pub struct Args {
    /// The folder that holds reference.json and the models, or a folder of models.
    folder: PathBuf,
    /// Skip models with more states than this.
    #[arg(long, default_value_t = 100_000)]
    max_states: u64,
    /// How many models to run at the same time.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Only models whose path contains this text.
    #[arg(long, default_value = "")]
    filter: String,
    /// The psw to judge; the one in this program's folder by default.
    #[arg(long)]
    psw: Option<PathBuf>,
    /// Seconds that psw may take for one model.
    #[arg(long, default_value_t = 60)]
    max_time: u64,
}

/// How the two semantics compare on one model.
#[derive(Debug)]
pub enum Comparison {
    /// As far as both go.
    Same(Answer),
    /// A limit stopped one of them, or the model is no input.
    Skipped(Answer),
    /// They differ.
    Differs(Difference),
}

/// A difference between the clever semantics and the plain one, with both answers.
#[derive(Debug)]
pub struct Difference {
    /// What differs, in a few words.
    pub what: &'static str,
    /// What the clever one says, and by which search.
    pub clever: String,
    /// What the plain one says.
    pub plain: String,
}

/// Prints a line per model that differs or was skipped, and a total. True if nothing differs.
pub fn run(args: &Args) -> Result<bool> {
    let psw = Psw::find(args.psw.as_deref(), Duration::from_secs(args.max_time))?;
    let mut models = models(&args.folder)?;
    models.retain(|model| model.to_string_lossy().contains(&args.filter));
    let limit = args.max_states.to_string();
    let compared = parallel::map(&models, args.jobs, |model| {
        let comparison = compare(&psw, model, &["--max-states", &limit])?;
        match &comparison {
            Comparison::Same(_) => {}
            Comparison::Skipped(answer) => println!("skipped  {}: {answer}", model.display()),
            Comparison::Differs(found) => println!(
                "DIFFERS  {}: {}\n         psw:   {}\n         plain: {}",
                model.display(),
                found.what,
                found.clever,
                found.plain
            ),
        }
        Ok(comparison)
    })?;
    let count = |wanted: fn(&Comparison) -> bool| compared.iter().filter(|comparison| wanted(comparison)).count();
    let differing = count(|comparison| matches!(comparison, Comparison::Differs(_)));
    println!(
        "{} models: {} the same, {} skipped, {differing} differ",
        compared.len(),
        count(|comparison| matches!(comparison, Comparison::Same(_))),
        count(|comparison| matches!(comparison, Comparison::Skipped(_))),
    );
    Ok(differing == 0)
}

/// The models that a reference.json lists, or else every .pml file of the folder.
fn models(folder: &Path) -> Result<Vec<PathBuf>> {
    if folder.join("reference.json").exists() {
        return Ok(compare::read(folder)?.iter().map(|record| folder.join(record.name())).collect());
    }
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "pml") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Runs both semantics on a model, with these options.
pub fn compare(psw: &Psw, model: &Path, options: &[&str]) -> Result<Comparison> {
    let with = |more: &[&'static str]| -> Vec<&str> { options.iter().copied().chain(more.iter().copied()).collect() };
    let (answer, plain) = psw.ask_detail(model, Order::Bfs, &with(&["--digest", "--plain"]))?;
    for order in [Order::Bfs, Order::Dfs, Order::Column, Order::Sweep] {
        let asked = if order == Order::Bfs { with(&["--digest"]) } else { with(&[]) };
        let (clever_answer, clever) = psw.ask_detail(model, order, &asked)?;
        let differs = |what, clever: String, plain: String| {
            Ok(Comparison::Differs(Difference { what, clever: format!("{order}: {clever}"), plain }))
        };
        let (plain, clever) = match (&answer, &clever_answer, &plain, clever) {
            (Answer::Broken(_), ..) | (_, Answer::Broken(_), ..) => {
                return differs("psw breaks down", clever_answer.to_string(), answer.to_string());
            }
            (_, _, Some(plain), Some(clever)) => (plain, clever),
            // Neither of them runs it, or one of them did not end.
            (Answer::Rejected(_), Answer::Rejected(_), ..) => return Ok(Comparison::Skipped(answer)),
            (Answer::Rejected(_), ..) | (_, Answer::Rejected(_), ..) => {
                return differs("only one of them takes the model", clever_answer.to_string(), answer.to_string());
            }
            _ => return Ok(Comparison::Skipped(answer)),
        };
        // The search for the digest comes second, and may be stopped on its own.
        let no_digest = order == Order::Bfs && (plain.digest.is_none() || clever.digest.is_none());
        if plain.stopped || clever.stopped || no_digest {
            return Ok(Comparison::Skipped(answer));
        }
        if let Some(what) = difference(&clever, plain, order) {
            return differs(what, shown(&clever), shown(plain));
        }
        let (reduced_answer, reduced) = psw.ask_detail(model, order, &with(&REDUCED))?;
        match reduced {
            Some(reduced) => {
                if let Some(what) = reduced.lost_by_reduction(&clever, order) {
                    return differs(what, shown(&reduced), shown(&clever));
                }
            }
            None => match reduced_answer {
                Answer::Lost(_) => {}
                _ => return differs("no answer of the reduced search", reduced_answer.to_string(), shown(&clever)),
            },
        }
    }
    Ok(Comparison::Same(answer))
}

fn difference(clever: &Detail, plain: &Detail, order: Order) -> Option<&'static str> {
    if clever.code != plain.code {
        return Some("another verdict");
    }
    if order == Order::Bfs {
        let figures = |detail: &Detail| (detail.search.states, detail.search.transitions, detail.search.errors);
        if figures(clever) != figures(plain) {
            return Some("other numbers");
        }
        if clever.digest != plain.digest {
            return Some("other states");
        }
    }
    (!clever.has_violations_of(plain)).then_some("other violations")
}

/// A detailed answer as one line.
fn shown(detail: &Detail) -> String {
    let violations: Vec<String> = detail
        .violations
        .iter()
        .map(|(kind, line)| line.map_or_else(|| kind.clone(), |line| format!("{kind} in line {line}")))
        .collect();
    let digest = detail.digest.as_deref().unwrap_or("-");
    format!("{} digest={digest} [{}]", detail.search, violations.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// A psw that answers as this shell script does.
    fn stub(dir: &Path, script: &str) -> Result<(Psw, PathBuf)> {
        let (program, model) = (dir.join("psw"), dir.join("m.pml"));
        std::fs::write(&program, format!("#!/bin/sh\n{script}"))?;
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755))?;
        std::fs::write(&model, "init { skip }")?;
        Ok((Psw::at(&program, Duration::from_secs(20))?, model))
    }

    const REPORT: &str = r#"report() { echo "{\"verdict\":\"$1\",\"stop_reason\":${stop:-null},\"states\":3,\"expanded\":3,\"transitions\":3,
\"errors\":$2,\"digest\":\"$3\",\"violation\":null,\"violations\":[$4]}"; }
"#;

    fn judged(script: &str) -> Result<String> {
        let dir = tempfile::tempdir()?;
        let (psw, model) = stub(dir.path(), &format!("{REPORT}{script}"))?;
        Ok(match compare(&psw, &model, &[])? {
            Comparison::Same(_) => "same".to_string(),
            Comparison::Skipped(_) => "skipped".to_string(),
            Comparison::Differs(found) => found.what.to_string(),
        })
    }

    #[test]
    fn equal_answers_are_the_same() -> Result<()> {
        assert_eq!(judged("report holds 0 aa")?, "same");
        Ok(())
    }

    #[test]
    fn states_are_compared_by_value() -> Result<()> {
        assert_eq!(
            judged("case \"$*\" in *--plain*) report holds 0 aa;; *) report holds 0 bb;; esac")?,
            "other states"
        );
        Ok(())
    }

    #[test]
    fn violations_are_compared_by_line() -> Result<()> {
        let script = r#"line=4; case "$*" in *sweep*) line=5;; esac
            report violated 1 aa "{\"kind\":\"assertion\",\"line\":$line}"; exit 1"#;
        assert_eq!(judged(script)?, "other violations");
        Ok(())
    }

    #[test]
    fn a_reduction_changes_no_answer() -> Result<()> {
        let reduced = |then: &str| judged(&format!("case \"$*\" in *--reduce*) {then};; *) report holds 0 aa;; esac"));
        assert_eq!(reduced("report holds 0 bb")?, "same");
        assert_eq!(reduced("report violated 1 aa; exit 1")?, "another verdict of the reduced search");
        assert_eq!(reduced("exit 101")?, "no answer of the reduced search");
        Ok(())
    }

    #[test]
    fn a_limit_judges_nothing_and_a_panic_does() -> Result<()> {
        let found_before = r#"stop='"states"'; report violated 1 aa; exit 1"#;
        assert_eq!(judged(found_before)?, "skipped");
        assert_eq!(
            judged(
                "case \"$*\" in *--plain*) stop='\"states\"'; report stopped 0 aa; exit 3;; *) report holds 0 aa;; esac"
            )?,
            "skipped"
        );
        assert_eq!(judged("case \"$*\" in *--plain*) report holds 0 aa;; *) exit 101;; esac")?, "psw breaks down");
        Ok(())
    }
}
