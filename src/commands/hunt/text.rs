//! The report of a hunt for people.

use std::io::Write;

use super::Report;
use crate::report::explain::explain;
use crate::report::steps::{self, Extent};
use crate::report::summary::{Hue, bytes, paint, row};
use crate::report::trace;

/// Writes it.
pub fn write(out: &mut impl Write, report: &Report, colour: bool) -> anyhow::Result<()> {
    let Report { args, loaded, found, stats, .. } = report;
    let extent = Extent { full: args.full_trace, variables: args.verbose, filter: None };
    let mut message = String::new();
    if let Some(found) = found {
        let trace = trace::replayed(loaded, found);
        message = explain(loaded, &found.violation, trace.as_ref().ok()).message;
        steps::found(out, loaded, trace.as_ref(), &found.violation, (extent, colour))?;
    }
    let (hue, verdict, detail) = match (found, report.stopped) {
        (Some(_), _) => (Hue::Red, "VIOLATED", format!(": {message}")),
        (None, reason) => {
            let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
            (Hue::Yellow, "no verdict", format!("{reason}; no violation was found"))
        }
    };
    writeln!(out, "{}: {}{detail}", args.model.model.display(), paint(verdict, hue, colour))?;
    if !report.unchecked.is_empty() {
        row(out, "NOT hunted", &report.unchecked.join(", "))?;
    }
    let plural = |count: u64, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let (rounds, workers) = (plural(stats.rounds, "round"), plural(report.workers as u64, "worker"));
    row(out, "hunt", &format!("{rounds} of depth-first search by {workers}, seed {}", args.seed))?;
    row(out, "reduction", &report.reduction.sentence())?;
    row(out, "states", &format!("{}, depth {}", visited(report), stats.depth))?;
    if found.is_none() {
        row(out, "coverage", &coverage(report))?;
    }
    row(out, "memory", &format!("{} at peak", bytes(stats.peak_bytes)))?;
    row(out, "time", &format!("{:.2} s", stats.elapsed.as_secs_f64()))?;
    if stats.is_whole && found.is_none() {
        writeln!(out, "This model is small enough to be checked: psw check gives a verdict.")?;
    }
    Ok(())
}

fn visited(report: &Report) -> String {
    let (visited, distinct) = (report.stats.visited, report.stats.distinct.round() as u64);
    match report.stats.rounds {
        0 | 1 => format!("{visited} visited"),
        _ => format!("{visited} visits to about {distinct} different states"),
    }
}

/// What part of the states was visited, and what that is said by.
fn coverage(report: &Report) -> String {
    match (report.stats.is_whole, report.stats.size, report.coverage()) {
        (true, ..) => "every state that was met; states were told apart by hashes of 64 bits".to_owned(),
        (_, Some(size), Some(share)) => format!(
            "at most about {:.1} %: there are about {} states or more, by how much the rounds overlap",
            100.0 * share,
            rough(size)
        ),
        _ => "unknown: the rounds have too little in common to tell, so there are many more states".to_owned(),
    }
}

/// Two digits of a large number.
fn rough(number: f64) -> String {
    if number < 10_000.0 { format!("{number:.0}") } else { format!("{number:.1e}") }
}
