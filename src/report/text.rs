//! The report for people: the verdict, the way to a violation, what was checked, the numbers.

use std::io::Write;

use sweep::Verdict;

use super::steps::{self, Extent};
use super::trace;
use super::{Report, search_name};
use crate::unreached::{Unreached, UnreachedIn, UnreachedStatement};

/// Unreached statements shown unless all are wanted.
const SHOWN_UNREACHED: usize = 20;

/// Writes the report.
pub fn write(out: &mut impl Write, report: &Report, colour: bool) -> anyhow::Result<()> {
    if let Some(found) = report.outcome.violations.first() {
        match trace::replayed(&report.loaded.model, found) {
            Ok(trace) => steps::write(out, report.loaded, &trace, Extent::of(report.options))?,
            Err(lost) => writeln!(out, "(no trace: {lost})")?,
        }
        steps::violation(out, &report.loaded.sources, &found.violation, colour)?;
    }
    for found in report.outcome.violations.iter().skip(1) {
        let place = found.violation.span.map(|span| {
            let sources = &report.loaded.sources;
            format!(" at {}:{}: {}", sources.file_name(span), sources.line(span), trace::statement(sources, span))
        });
        writeln!(out, "also: {}{}", found.violation.kind.message(), place.unwrap_or_default())?;
    }
    if report.outcome.violations.len() > 1 {
        writeln!(out)?;
    }
    headline(out, report)?;
    coverage(out, report)?;
    numbers(out, report)?;
    if let Some(found) = &report.unreached {
        unreached(out, found, report.options.verbose)?;
    }
    for code in report.differences {
        writeln!(out, "note[{}]: psw differs from SPIN here: {} (psw explain {})", code.id, code.title, code.id)?;
    }
    Ok(())
}

fn headline(out: &mut impl Write, report: &Report) -> std::io::Result<()> {
    let file = report.file.display();
    match report.outcome.verdict() {
        Verdict::Violated => {
            let errors = report.outcome.stats.errors;
            let count = if report.options.all_errors { format!(" ({errors} times)") } else { String::new() };
            let first = report.outcome.violations.first().map_or("", |found| found.violation.kind.message());
            writeln!(out, "{file}: VIOLATED: {first}{count}")
        }
        Verdict::Holds if report.unchecked.is_empty() => writeln!(out, "{file}: holds"),
        Verdict::Holds => writeln!(out, "{file}: nothing violated so far, but not everything was checked"),
        Verdict::Stopped(reason) => writeln!(out, "{file}: STOPPED, no verdict: {reason}"),
    }?;
    match &report.growth {
        Some(growth) => writeln!(out, "  what grew    {growth}"),
        None => Ok(()),
    }
}

fn coverage(out: &mut impl Write, report: &Report) -> std::io::Result<()> {
    let options = report.options;
    let mut checked = Vec::new();
    let mut left_out = Vec::new();
    let mut sort = |on: bool, what: &str| if on { checked.push(what.to_owned()) } else { left_out.push(what.to_owned()) };
    sort(!options.no_assertions, "assertions");
    sort(!options.no_end_states, "end states");
    sort(true, "run-time errors");
    left_out.extend(report.unchecked.iter().cloned());
    let extent = match (report.outcome.verdict(), report.outcome.stopped) {
        (Verdict::Violated, _) if !options.all_errors => "up to the first violation",
        (_, Some(_)) => "in the states seen before it stopped",
        _ => "in all reachable states",
    };
    writeln!(out, "  checked      {} {extent}, by {}", checked.join(", "), search_name(report.search))?;
    if !left_out.is_empty() {
        writeln!(out, "  NOT checked  {}", left_out.join(", "))?;
    }
    Ok(())
}

fn numbers(out: &mut impl Write, report: &Report) -> std::io::Result<()> {
    let stats = &report.outcome.stats;
    let seconds = stats.elapsed.as_secs_f64();
    writeln!(out, "  states       {} stored, {} transitions, depth {}", stats.states, stats.transitions, stats.depth)?;
    if stats.errors > 0 {
        writeln!(out, "  violations   {}", stats.errors)?;
    }
    writeln!(
        out,
        "  memory       {} at the peak, {} bytes a state",
        bytes(stats.peak_bytes),
        report.state_bytes()
    )?;
    let rate = if seconds > 0.0 { stats.states as f64 / seconds } else { 0.0 };
    writeln!(out, "  time         {seconds:.2} s, {} states/s", rate as u64)
}

/// Statements that no run executes, by proctype.
fn unreached(out: &mut impl Write, found: &Unreached, all: bool) -> std::io::Result<()> {
    let mut heading = "unreached";
    let mut room = if all { usize::MAX } else { SHOWN_UNREACHED };
    for UnreachedIn { process, idle, statements } in &found.processes {
        let count = statements.len();
        let plural = if count == 1 { "" } else { "s" };
        match idle {
            true => writeln!(out, "  {heading:<11}  {process} is never executed")?,
            false => writeln!(out, "  {heading:<11}  {count} statement{plural} of {process}")?,
        }
        heading = "";
        let shown = if *idle && !all { 0 } else { count.min(room) };
        room -= shown;
        let place = |at: &UnreachedStatement| format!("{}:{}", at.file, at.line);
        let width = statements.iter().take(shown).map(|at| place(at).chars().count()).max().unwrap_or(0);
        for at in statements.iter().take(shown) {
            writeln!(out, "                 {:width$}  {}", place(at), at.statement)?;
        }
        if shown < count && !idle {
            writeln!(out, "                 … {} more (-v shows them)", count - shown)?;
        }
    }
    if !found.never_end.is_empty() {
        writeln!(out, "  never end    {}", found.never_end.join(", "))?;
    }
    Ok(())
}

/// `1.5 MB`.
pub fn bytes(count: usize) -> String {
    let count = count as f64;
    match count {
        _ if count >= 1e9 => format!("{:.1} GB", count / 1e9),
        _ if count >= 1e6 => format!("{:.1} MB", count / 1e6),
        _ if count >= 1e3 => format!("{:.1} kB", count / 1e3),
        _ => format!("{count} bytes"),
    }
}
