//! The report for people: the verdicts, the traces, and the verdicts again with the statistics.

use std::io::Write;

use super::explain::{explain, outside_parentheses};
use super::steps::{self, Extent};
use super::{Report, properties, summary, trace};

/// Writes the report.
pub fn write(out: &mut impl Write, report: &Report, extent: Extent, colour: bool) -> anyhow::Result<()> {
    let first =
        report.outcome.violations.first().map(|found| (trace::replayed(report.loaded, found), &found.violation));
    let explained = first.as_ref().map(|(trace, violation)| explain(report.loaded, violation, trace.as_ref().ok()));
    let verdicts = summary::verdicts(report, explained.as_ref(), colour);
    if report.options.quiet {
        return Ok(verdicts.iter().try_for_each(|line| writeln!(out, "{line}"))?);
    }
    let has_traces = first.is_some() || report.answers.iter().any(|answer| answer.run.is_some());
    if has_traces {
        verdicts.iter().try_for_each(|line| writeln!(out, "{line}"))?;
        writeln!(out)?;
    }
    if let Some((trace, violation)) = &first {
        steps::found(out, report.loaded, trace.as_ref(), violation, (extent, colour))?;
    }
    for found in report.outcome.violations.iter().skip(1) {
        let place = found.violation.span.map(|span| {
            let sources = &report.loaded.sources;
            let statement = trace::statement(sources, span);
            let statement = outside_parentheses(&statement);
            format!(" at {}:{}: {statement}", sources.file_name(span), sources.line(span))
        });
        writeln!(out, "also: {}{}", found.violation.kind.message(), place.unwrap_or_default())?;
    }
    if report.outcome.violations.len() > 1 {
        writeln!(out)?;
    }
    if let Some(cutoff) = report.cutoff {
        cutoff.write_inconsistent(out, report.loaded)?;
    }
    properties::runs(out, report.loaded, report.answers, extent, colour)?;
    summary::write(out, report, &verdicts)?;
    Ok(())
}
