//! psw on the models on which SPIN itself is wrong or silent: the right answers, from the notes of that folder.

use crate::process::run as run_program;
use crate::psw::Psw;
use anyhow::{Context, Result};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Check psw's answers on SPIN's own traps.
#[derive(clap::Args)]
pub struct Args {
    /// The folder of the models.
    folder: PathBuf,
    /// Only the questions to this command of psw.
    #[arg(long, default_value = "")]
    only: String,
    /// The psw to judge; the one in this program's folder by default.
    #[arg(long)]
    psw: Option<PathBuf>,
}

/// One question and its right answer.
struct Trap {
    model: &'static str,
    command: &'static [&'static str],
    code: i32,
    /// The kind of violation, where the verdict alone would not show that the trap was seen.
    kind: Option<&'static str>,
    why: &'static str,
}

const CHECK: &[&str] = &["check"];
const LTL: &[&str] = &["ltl"];
const FAIR: &[&str] = &["ltl", "--fair", "weak"];

const TRAPS: &[Trap] = &[
    trap("r02_deadlock_hidden_by_ltl", CHECK, 1, Some("invalid_end_state"), "a deadlock is found without the claim"),
    trap("r02_deadlock_hidden_by_ltl", LTL, 1, Some("invalid_end_state"), "and the claim does not hide it"),
    trap("r03_depth_false_pass", CHECK, 1, Some("assertion"), "no depth bound hides the assertion"),
    trap("r04_ltl_parse", LTL, 1, None, "[] x > 3 is about x"),
    trap("r05_nr_pr_with_claim", CHECK, 1, Some("assertion"), "_nr_pr counts the processes of the model"),
    trap("r05_nr_pr_with_claim", LTL, 1, Some("assertion"), "and not the claim"),
    trap("r06_weak_fairness", LTL, 1, None, "a run that ends can violate a property"),
    trap("r06_weak_fairness", FAIR, 1, None, "also under weak fairness"),
    trap("r07_por_run", CHECK, 1, Some("assertion"), "no reduction loses it around run"),
    trap("r08_bfs_rendezvous", CHECK, 1, Some("invalid_end_state"), "a rendezvous that cannot happen is a deadlock"),
    trap("r09_c_name_clash", CHECK, 0, None, "names of C do not clash"),
    trap("r10_self_loop_refused", CHECK, 0, None, "do :: skip od is a legal run"),
    trap("r11_dstep_hang", CHECK, 1, Some("endless_d_step"), "an endless d_step is found"),
    trap("r12_div_by_zero", CHECK, 1, Some("division_by_zero"), "a division by zero is a verdict"),
    trap("r13_run_too_few_args", CHECK, 2, None, "arguments are counted"),
    trap("r15_unreached_after_break", CHECK, 0, None, "the assertion is never reached"),
    trap("r16_label_before_guard", CHECK, 2, None, "a label that would be ignored is an error"),
    trap("r17_hidden_unsound", CHECK, 1, Some("assertion"), "a hidden variable that is read later hides nothing"),
    trap("r18_bit_array", CHECK, 0, None, "an element of a bit array has one bit, and psw says so"),
    trap("r19_bfs_liveness", LTL, 1, None, "liveness is decided in every order"),
];

const fn trap(
    model: &'static str,
    command: &'static [&'static str],
    code: i32,
    kind: Option<&'static str>,
    why: &'static str,
) -> Trap {
    Trap { model, command, code, kind, why }
}

/// Prints a line per question. True if every answer is right.
pub fn run(args: &Args) -> Result<bool> {
    let psw = Psw::find(args.psw.as_deref(), Duration::from_secs(60))?;
    let mut right = 0;
    let asked: Vec<&Trap> = TRAPS.iter().filter(|trap| trap.command.concat().starts_with(&args.only)).collect();
    for trap in &asked {
        let found = ask(&psw, &args.folder, trap, &[])?;
        let found = match found {
            None => ask(&psw, &args.folder, trap, &["--no-reduction"])?.map(|why| why + ", without reductions"),
            found => found,
        };
        let word = if found.is_none() { "right" } else { "WRONG" };
        println!(
            "{word} {:28} {:20} {}{}",
            trap.model,
            trap.command.join(" "),
            trap.why,
            found.as_deref().unwrap_or("")
        );
        right += usize::from(found.is_none());
    }
    println!("{} questions, {right} answered right", asked.len());
    Ok(right == asked.len())
}

/// What is wrong with psw's answer, if something is.
fn ask(psw: &Psw, folder: &Path, trap: &Trap, options: &[&str]) -> Result<Option<String>> {
    let model = folder.join(trap.model).with_extension("pml");
    let model = model.canonicalize().with_context(|| format!("no model {}", model.display()))?;
    let dir = tempfile::tempdir()?;
    let mut command = psw.command();
    command.args(trap.command).arg(model).args(["--format", "json"]).args(options);
    let ran = run_program(&mut command, dir.path(), Duration::from_secs(60))?;
    if ran.code() != Some(trap.code) {
        return Ok(Some(format!("; exit code {:?} instead of {}", ran.code(), trap.code)));
    }
    let Some(expected) = trap.kind else {
        return Ok(None);
    };
    let report: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
    let kinds = ["/violation/kind", "/properties/0/violation/kind"];
    let kind = kinds.iter().find_map(|place| report.pointer(place).and_then(Value::as_str));
    Ok((kind != Some(expected)).then(|| format!("; kind {kind:?} instead of {expected}")))
}
