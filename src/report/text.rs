//! The report for people: traces, then the verdict and the statistics.

use std::io::Write;

use super::steps::{self, Extent};
use super::{Report, properties, summary, trace};

/// Writes the report.
pub fn write(out: &mut impl Write, report: &Report, colour: bool) -> anyhow::Result<()> {
    if let Some(found) = report.outcome.violations.first() {
        steps::found(out, report.loaded, found, Extent::of(report.options), colour)?;
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
    if let Some(cutoff) = report.cutoff {
        cutoff.write_inconsistent(out, report.loaded)?;
    }
    properties::runs(out, report.loaded, report.answers, Extent::of(report.options), colour)?;
    summary::write(out, report, colour)?;
    Ok(())
}
