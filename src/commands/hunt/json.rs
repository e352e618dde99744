//! The report of a hunt as one JSON object: `docs/hunt.schema.json`. Fields are only ever added.

use std::io::Write;

use serde::Serialize;
use sweep::StopReason;

use super::Report;
use crate::report::json::{JsonTrace, JsonViolation, json_trace, violation};
use crate::report::trace;
use crate::search::reduction::JsonReduction;

#[derive(Serialize)]
struct JsonHunt<'a> {
    version: u32,
    model: String,
    verdict: &'static str,
    stop_reason: Option<&'static str>,
    seed: u64,
    workers: usize,
    rounds: u64,
    visited: u64,
    transitions: u64,
    depth: u64,
    states_visited_estimate: u64,
    states_estimate: Option<u64>,
    coverage: Option<f64>,
    peak_bytes: usize,
    reduction: JsonReduction,
    seconds: f64,
    violation: Option<JsonViolation>,
    trace: Option<JsonTrace>,
    unchecked: &'a [String],
    lost: &'a [String],
}

/// Writes the report.
pub fn write(out: &mut impl Write, report: &Report) -> anyhow::Result<()> {
    let Report { args, loaded, found, stats, .. } = report;
    let json = JsonHunt {
        version: 1,
        model: args.model.model.display().to_string(),
        verdict: if found.is_some() { "violated" } else { "stopped" },
        stop_reason: report.stopped.map(StopReason::name),
        seed: args.seed,
        workers: report.workers,
        rounds: stats.rounds,
        visited: stats.visited,
        transitions: stats.transitions,
        depth: stats.depth,
        states_visited_estimate: stats.distinct.round() as u64,
        states_estimate: stats.size.map(|size| size.round() as u64),
        coverage: report.coverage(),
        peak_bytes: stats.peak_bytes,
        reduction: report.reduction.json(),
        seconds: stats.elapsed.as_secs_f64(),
        violation: found.as_ref().map(|found| {
            let trace = trace::replayed(loaded, found);
            violation(loaded, &found.violation, trace.as_ref().ok())
        }),
        trace: found.as_ref().and_then(|found| json_trace(loaded, found)),
        unchecked: &report.unchecked,
        lost: &report.lost,
    };
    serde_json::to_writer_pretty(&mut *out, &json)?;
    writeln!(out)?;
    Ok(())
}
