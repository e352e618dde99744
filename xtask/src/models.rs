//! The models of `tests/models`, each judged by its own first line and by SPIN.

use crate::expectation::{self, Case};
use crate::parallel;
use crate::psw::{Order, Psw, REDUCED};
use crate::spin::Spin;
use anyhow::Result;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Check the models of a folder against their first lines, under every search, and against SPIN.
#[derive(clap::Args)]
pub struct Args {
    /// The folder of the models.
    folder: PathBuf,
    /// The psw to judge; the one in this program's folder by default.
    #[arg(long)]
    psw: Option<PathBuf>,
    /// Do not ask SPIN.
    #[arg(long)]
    without_spin: bool,
}

/// Prints what is wrong. True if nothing is.
pub fn run(args: &Args) -> Result<bool> {
    let psw = Psw::find(args.psw.as_deref(), LIMIT)?;
    let mut wrong = against_first_lines(&psw, &args.folder)?;
    if !args.without_spin {
        wrong.extend(against_spin(&psw, &Spin::find(LIMIT)?, &args.folder)?);
    }
    wrong.iter().for_each(|line| println!("{line}"));
    println!("{} answers are wrong", wrong.len());
    Ok(wrong.is_empty())
}

const LIMIT: Duration = Duration::from_secs(60);

/// Every answer of psw that is not as the first line of the model says, or that a reduction changes.
pub fn against_first_lines(psw: &Psw, folder: &Path) -> Result<Vec<String>> {
    let cases = expectation::cases(folder)?;
    each(&cases, |case, wrong| {
        for order in Order::ALL {
            let (answer, whole) = psw.ask_detail(&case.path, order, &[])?;
            if !case.expectation.met_by(&answer) {
                wrong.push(format!("{} {order}: {answer}\n    expected {}", case.name(), case.expectation));
            }
            let (answer, reduced) = psw.ask_detail(&case.path, order, &REDUCED)?;
            let what = match (&reduced, &whole) {
                (Some(reduced), Some(whole)) => reduced.lost_by_reduction(whole, order),
                (None, None) => None,
                _ => Some("only one of both gives an answer"),
            };
            if let Some(what) = what {
                wrong.push(format!("{} {order}, reduced: {answer}\n    {what}", case.name()));
            }
        }
        Ok(())
    })
}

/// Every model on which SPIN does not agree with its first line, or with psw. Models that say `spin=differs` are left
/// out: on them SPIN crashes, hangs, refuses or is wrong.
pub fn against_spin(psw: &Psw, spin: &Spin, folder: &Path) -> Result<Vec<String>> {
    let mut cases = expectation::cases(folder)?;
    cases.retain(|case| !case.expectation.spin_differs);
    each(&cases, |case, wrong| {
        let judge = spin.ask(&case.path)?;
        if !case.expectation.met_by(&judge) {
            wrong.push(format!("{}: SPIN says {judge}\n    its first line says {}", case.name(), case.expectation));
        }
        let answer = psw.ask(&case.path, Order::Dfs)?;
        if let Some(difference) = answer.difference(&judge) {
            wrong.push(format!("{}: {difference}\n    psw:  {answer}\n    SPIN: {judge}", case.name()));
        }
        Ok(())
    })
}

fn each(cases: &[Case], judge: impl Fn(&Case, &mut Vec<String>) -> Result<()> + Sync) -> Result<Vec<String>> {
    let wrong = parallel::map(cases, 2, |case| {
        let mut wrong = Vec::new();
        judge(case, &mut wrong)?;
        Ok(wrong)
    })?;
    Ok(wrong.concat())
}
