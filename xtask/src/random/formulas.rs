//! Random formulas over random models: psw's verdicts against SPIN's, among all runs and among the fair ones.
//!
//! Models are made without what SPIN's claims change or get wrong: `_nr_pr` counts the claim, `_last` and `enabled` look at
//! bookkeeping, priorities do not go with fairness. Assertions would end runs before the formula is looked at.
//! SPIN loses violations among the fair runs that end; where only that is the difference, psw's run is replayed, and what
//! `psw replay` confirms is not held against psw.
//! Every second formula is an invariant. `psw check` is asked about all of them at once, under every search.

use super::generate::{Feature, generate};
use super::print::print;
use super::rng::Rng;
use super::tree::{Model, Type};
use super::{Args, Judges};
use crate::parallel;
use crate::process;
use crate::spin::{Claim, ClaimVerdict};
use anyhow::{Context, Result};
use clap::ValueEnum;
use std::path::Path;

/// What models have none of.
const LEFT_OUT: [Feature; 9] = [
    Feature::Predefined,
    Feature::Last,
    Feature::Enabled,
    Feature::Priority,
    Feature::Provided,
    Feature::Assert,
    Feature::Deterministic,
    Feature::WideValues,
    Feature::SpinUndefined,
];

/// The most states of a call about all formulas: it explores the whole model, where SPIN ends at the first violation.
const MOST: &str = "20000";

/// How the checkers answered about one formula.
struct Difference {
    text: String,
    /// psw has shown the run, and has confirmed it.
    is_confirmed: bool,
}

/// Judges formulas on the models and prints what differs. True if nothing differs that psw cannot show.
pub(super) fn run(args: &Args, judges: &Judges) -> Result<bool> {
    let allowed: Vec<Feature> =
        Feature::value_variants().iter().copied().filter(|feature| !LEFT_OUT.contains(feature)).collect();
    let seeds: Vec<u64> = (args.seed..args.seed.saturating_add(args.count)).collect();
    let judged = parallel::map(&seeds, args.jobs, |seed| {
        let model = generate(*seed, &allowed);
        judge(*seed, &model, args.formulas, judges)
    })?;
    let asked: usize = judged.iter().map(|(asked, _)| asked).sum();
    let (confirmed, differing): (Vec<&Difference>, Vec<&Difference>) =
        judged.iter().flat_map(|(_, found)| found).partition(|difference| difference.is_confirmed);
    for difference in &differing {
        println!("{}", difference.text);
    }
    println!(
        "{asked} answers about formulas on {} models: {} differ; {} more are violations that SPIN loses and psw shows",
        seeds.len(),
        differing.len(),
        confirmed.len()
    );
    Ok(differing.is_empty())
}

/// How many answers could be compared, and what differs.
fn judge(seed: u64, model: &Model, count: usize, judges: &Judges) -> Result<(usize, Vec<Difference>)> {
    let psw = judges.psw.as_ref().context("formulas are for psw and SPIN")?;
    let spin = judges.spin.as_ref().context("formulas are for psw and SPIN")?;
    let mut rng = Rng::new(seed ^ 0x6c74_6c00);
    let atoms = atoms(model, &mut rng);
    if atoms.is_empty() {
        return Ok((0, Vec::new()));
    }
    let formulas: Vec<String> = (0..count)
        .map(|number| match number % 2 {
            0 => formula(&atoms, 3, &mut rng),
            _ => invariant(&atoms, &mut rng),
        })
        .collect();
    let mut text = print(model);
    for (number, formula) in formulas.iter().enumerate() {
        text.push_str(&format!("ltl p{number} {{ {formula} }}\n"));
    }
    let dir = tempfile::tempdir()?;
    let path = dir.path().join("model.pml");
    std::fs::write(&path, &text)?;
    let Some(verifier) = spin.verifier(&path, &Claim::Named(String::new()))? else {
        return Ok((0, Vec::new()));
    };
    let mut asked = 0;
    let mut differences = Vec::new();
    let mut wanted_of = Vec::new();
    for number in 0..count {
        for fair in [false, true] {
            let name = format!("p{number}");
            let wanted = spin.ask_verifier(&verifier, &Claim::Named(name.clone()), fair)?;
            if wanted == ClaimVerdict::Unknown {
                continue;
            }
            if !fair {
                wanted_of.push((name.clone(), wanted));
            }
            let searches = ["ndfs", "map", "sweep-off", "sweep-on", "column"];
            for (search, reduce) in searches.into_iter().flat_map(|search| [(search, "full"), (search, "none")]) {
                asked += 1;
                let mut command = psw.command();
                command.args(["ltl", "--no-end-states", "--quiet", "--name", &name]);
                command.args(["--search", search, "--reduce", reduce, "--trace-out", "t.json"]);
                command.args(["--fair", if fair { "weak" } else { "none" }]).arg(&path);
                let ran = process::run(&mut command, dir.path(), psw.limit())?;
                let found = match ran.code() {
                    Some(0) => ClaimVerdict::Holds,
                    Some(1) => ClaimVerdict::Violated,
                    _ => ClaimVerdict::Unknown,
                };
                let confirmed = found == ClaimVerdict::Violated && replays(judges, dir.path(), &path)?;
                let shown = found == wanted && (found == ClaimVerdict::Holds || confirmed);
                if !shown {
                    let how = if fair { ", fair" } else { "" };
                    differences.push(Difference {
                        text: format!(
                            "/* seed {seed} p{number} {search}, reduced {reduce}{how}: SPIN {wanted:?}, psw {found:?} */\n{text}"
                        ),
                        is_confirmed: confirmed && fair && wanted == ClaimVerdict::Holds,
                    });
                }
            }
        }
    }
    for (call, name, wanted, found) in all_at_once(judges, dir.path(), &path, &wanted_of)? {
        asked += 1;
        if found != wanted {
            let text = format!("/* seed {seed} {name} {call}: SPIN {wanted:?}, psw {found:?} */\n{text}");
            differences.push(Difference { text, is_confirmed: false });
        }
    }
    Ok((asked, differences))
}

/// What psw says about all formulas in one call, for several ways to call it: the call, the formula, SPIN's and psw's answer.
fn all_at_once<'w>(
    judges: &Judges,
    dir: &Path,
    model: &Path,
    wanted: &'w [(String, ClaimVerdict)],
) -> Result<Vec<(String, &'w str, ClaimVerdict, ClaimVerdict)>> {
    let psw = judges.psw.as_ref().context("formulas are for psw and SPIN")?;
    let orders = ["bfs", "dfs", "sweep", "column", "cache"].map(|order| vec!["check", "--search", order]);
    let calls = orders.into_iter().chain([vec!["check"], vec!["check", "--all-errors"], vec!["ltl"]]);
    let mut answers = Vec::new();
    for (call, reduce) in calls.flat_map(|call| ["full", "none"].map(|reduce| (call.clone(), reduce))) {
        let mut command = psw.command();
        command.args(&call).args(["--quiet", "--format", "json", "--reduce", reduce, "--max-states", MOST]).arg(model);
        let ran = process::run(&mut command, dir, psw.limit())?;
        let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
        let unchecked: Vec<&str> =
            report["unchecked"].as_array().into_iter().flatten().filter_map(serde_json::Value::as_str).collect();
        let is_unchecked = |name: &str| unchecked.contains(&format!("ltl {name}").as_str());
        for (name, wanted) in wanted {
            let properties = report["properties"].as_array().into_iter().flatten();
            let mut of_name = properties.filter(|property| property["name"] == format!("ltl {name}"));
            let found = match of_name.next().and_then(|property| property["verdict"].as_str()) {
                Some("holds") => ClaimVerdict::Holds,
                Some("violated") => ClaimVerdict::Violated,
                // A limit judges nothing.
                Some("stopped") => continue,
                None if is_unchecked(name) => continue,
                _ => ClaimVerdict::Unknown,
            };
            answers.push((format!("{call:?}, reduced {reduce}"), name.as_str(), *wanted, found));
        }
    }
    Ok(answers)
}

/// Whether psw confirms the run that it has just saved.
fn replays(judges: &Judges, dir: &Path, model: &Path) -> Result<bool> {
    let psw = judges.psw.as_ref().context("formulas are for psw and SPIN")?;
    let mut command = psw.command();
    command.args(["replay", "--quiet"]).arg(model).arg("t.json");
    Ok(process::run(&mut command, dir, psw.limit())?.code() == Some(1))
}

/// Some comparisons of global variables.
fn atoms(model: &Model, rng: &mut Rng) -> Vec<String> {
    let plain = model.globals.iter().filter(|decl| {
        decl.size.is_none() && matches!(decl.ty, Type::Bit | Type::Bool | Type::Byte | Type::Short | Type::Int)
    });
    let names: Vec<&str> = plain.map(|decl| decl.name.as_str()).collect();
    let mut atom = || {
        let name = rng.pick(&names)?;
        let sign = rng.pick(&["==", "!=", "<", ">="])?;
        Some(format!("({name} {sign} {})", rng.below(3)))
    };
    (0..3).filter_map(|_| atom()).collect()
}

/// An invariant, in one of the ways to write one.
fn invariant(atoms: &[String], rng: &mut Rng) -> String {
    let mut atom = || rng.pick(atoms).cloned().unwrap_or_default();
    let (p, q, r) = (atom(), atom(), atom());
    match rng.below(5) {
        0 => format!("([] {p})"),
        1 => format!("(! <> ({p} && {q}))"),
        2 => format!("([] ({p} -> ({q} || {r})))"),
        3 => format!("(([] {p}) && ([] ({q} || {r})))"),
        _ => format!("(false V ({p} || {q}))"),
    }
}

/// A formula of at most this depth.
fn formula(atoms: &[String], depth: usize, rng: &mut Rng) -> String {
    if depth == 0 || rng.chance(20) {
        return rng.pick(atoms).cloned().unwrap_or_default();
    }
    let part = |rng: &mut Rng| formula(atoms, depth - 1, rng);
    match rng.weighted(&[3, 3, 2, 1, 2, 2, 2, 1]) {
        0 => format!("([] {})", part(rng)),
        1 => format!("(<> {})", part(rng)),
        2 => format!("({} U {})", part(rng), part(rng)),
        3 => format!("(! {})", part(rng)),
        4 => format!("({} && {})", part(rng), part(rng)),
        5 => format!("({} || {})", part(rng), part(rng)),
        6 => format!("({} -> {})", part(rng), part(rng)),
        _ => format!("({} V {})", part(rng), part(rng)),
    }
}
