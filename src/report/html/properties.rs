//! The page of `psw ltl`.

use sweep::Verdict;

use super::{Page, State, checks_of, facts_of, run_to, runs_of};
use crate::Status;
use crate::property::{self, search::Answer};
use crate::report::properties::Properties;

/// The report as a page.
pub fn page<'a>(report: &'a Properties) -> Page<'a> {
    let Properties { loaded, answers, .. } = *report;
    let (mut runs, mut lost) = runs_of(answers);
    match report.deadlock.map(|found| run_to(loaded, found)) {
        Some(Ok(run)) => runs.push(run),
        Some(Err(reason)) => lost.push(reason),
        None => {}
    }
    let violated = answers.iter().filter(|answer| answer.outcome.verdict() == Verdict::Violated);
    let named = |answer: &Answer| match (answer.property.name.as_str(), answer.property.formula()) {
        (property::GIVEN, Some(formula)) => formula,
        (name, Some(formula)) => format!("{name}: {formula}"),
        (name, None) => name.to_owned(),
    };
    let names = violated.map(named);
    let deadlock = report.deadlock.map(|found| found.violation.kind.message().to_owned());
    let headline = match report.status() {
        Status::Violated => names.chain(deadlock).collect::<Vec<_>>().join("; "),
        Status::Good => "every property holds in every run".to_owned(),
        Status::Stopped | Status::BadInput => "no verdict on every property".to_owned(),
    };
    Page {
        file: report.file,
        loaded,
        state: match report.status() {
            Status::Violated => State::Violated,
            Status::Good => State::Holds,
            Status::Stopped | Status::BadInput => State::Stopped,
        },
        headline,
        checks: checks_of(answers),
        runs,
        lost,
        facts: answers.first().map(|answer| facts_of(&answer.outcome.stats)).unwrap_or_default(),
        summary: String::new(),
        is_searched: true,
        is_complete: false,
        growth: None,
        repeat: String::new(),
    }
}
