//! The page of `psw check`.

use sweep::Verdict;

use super::{Check, Page, State, checks_of, facts_of, run_to, runs_of};
use crate::observers::log::Log;
use crate::report::{Report, summary};

/// The report as a page.
pub fn page<'a>(report: &'a Report, log: Option<&Log>) -> Page<'a> {
    let Report { loaded, outcome, answers, options, .. } = *report;
    let (mut runs, mut lost) = runs_of(answers);
    let first = outcome.violations.first().map(|found| run_to(loaded, found));
    match first {
        Some(Ok(run)) => runs.insert(0, run),
        Some(Err(reason)) => lost.push(reason),
        None => {}
    }
    let mut summary = Vec::new();
    // Writing to memory does not fail.
    let _ = summary::write(&mut summary, report, &[]);
    Page {
        file: report.file,
        loaded,
        state: report.verdict().into(),
        headline: headline(report),
        checks: safety_checks(report).into_iter().chain(checks_of(answers)).collect(),
        runs,
        lost,
        facts: facts_of(&outcome.stats),
        summary: String::from_utf8_lossy(&summary).into_owned(),
        is_searched: true,
        is_complete: report.unreached.is_some() && !options.safety,
        growth: log.map(|log| log.rows().to_vec()),
        repeat: String::new(),
    }
}

/// The verdict in a few words.
fn headline(report: &Report) -> String {
    let violated = report.answers.iter().filter(|answer| answer.outcome.verdict() == Verdict::Violated);
    let found = report.outcome.violations.first().map(|found| found.violation.kind.message().to_owned());
    match report.verdict() {
        Verdict::Violated => {
            found.into_iter().chain(violated.map(|answer| answer.property.name.clone())).collect::<Vec<_>>().join("; ")
        }
        Verdict::Holds => "all that was checked holds in every reachable state".to_owned(),
        Verdict::Stopped(reason) => reason.to_string(),
    }
}

/// What was checked of states, and what was not.
fn safety_checks(report: &Report) -> Vec<Check> {
    let found = report.outcome.violations.first();
    let state = report.outcome.verdict().into();
    let text = match (found, report.outcome.stopped) {
        (Some(found), _) => format!("VIOLATED: {}", found.violation.kind.message()),
        (None, Some(reason)) => format!("STOPPED, no verdict: {reason}"),
        (None, None) => "holds".to_owned(),
    };
    let names =
        [(report.checks.assertions, "assertions"), (report.checks.end_states, "end states"), (true, "run-time errors")];
    let name = names.iter().filter(|(on, _)| *on).map(|(_, name)| *name).collect::<Vec<_>>().join(", ");
    let left_out = names.iter().filter(|(on, _)| !*on).map(|(_, name)| format!("{name}: not checked"));
    let notes = left_out.collect();
    let answered = |name: &String| report.answers.iter().any(|answer| answer.property.name == *name);
    let unchecked = report.unchecked.iter().filter(|name| !answered(name)).map(|name| Check {
        name: name.clone(),
        formula: None,
        state: State::Stopped,
        text: "not checked".to_owned(),
        notes: Vec::new(),
    });
    std::iter::once(Check { name, formula: None, state, text, notes }).chain(unchecked).collect()
}
