//! The report as one JSON object. Fields are only ever added; `version` counts changes of meaning.

use std::io::Write;

use interp::Violation;
use interp::inspect::trace::Trace;
use serde::Serialize;
use sweep::{EdgeStats, ExternalStats, Found, HashedTable, Stats, StopReason, SweepStats, Verdict};

use super::explain::{Explained, JsonValues, explain};
use super::properties::{JsonProperty, json_property};
use super::trace::{self, Line, Standing};
use super::{Report, search_name, state_bytes};
use crate::load::Loaded;
use crate::report::unreached::UnreachedStatement;
use crate::search::cutoff::JsonCutoff;
use crate::search::hunt_first::{HuntReport, JsonHunt};
use crate::search::reduction::JsonReduction;

#[derive(Serialize)]
struct JsonReport<'a> {
    version: u32,
    model: String,
    search: &'static str,
    fairness: &'static str,
    assumptions: &'a [String],
    verdict: &'static str,
    stop_reason: Option<&'static str>,
    states: Option<u64>,
    states_estimate: Option<u64>,
    transitions: u64,
    depth: u64,
    errors: u64,
    state_bytes: usize,
    peak_states: u64,
    peak_bytes: usize,
    expanded: u64,
    sweeps: Option<u64>,
    columns: Option<u64>,
    layers: Option<u64>,
    persistent: Option<u64>,
    edges: Option<JsonEdges>,
    measure: Option<&'a str>,
    measure_reason: Option<&'a str>,
    demoted: &'a [String],
    rejected: Option<&'a str>,
    cutoff: Option<JsonCutoff>,
    #[serde(skip_serializing_if = "Option::is_none")]
    disk: Option<JsonDisk>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hashed: Option<JsonHashed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hunt: Option<JsonHunt>,
    reduction: JsonReduction,
    seconds: f64,
    violation: Option<JsonViolation>,
    trace: Option<JsonTrace>,
    violations: Vec<JsonViolation>,
    properties: Vec<JsonProperty<'a>>,
    unchecked: &'a [String],
    differences: Vec<&'static str>,
    growth: Option<&'a str>,
    unreached: Option<Vec<&'a UnreachedStatement>>,
    never_end: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
    lost: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    checkpoint: Option<String>,
}

#[derive(Serialize)]
struct JsonEdges {
    forward: u64,
    stationary: u64,
    regress: u64,
}

/// Where hashes of states were kept instead of the states.
#[derive(Serialize)]
struct JsonHashed {
    table_bytes: Option<usize>,
    fill: Option<f64>,
    expected_omissions: f64,
}

impl JsonHashed {
    fn new(stats: &Stats) -> Option<JsonHashed> {
        let table = stats.hashed?;
        let table_bytes = match table {
            HashedTable::Bits(bytes) => Some(bytes),
            HashedTable::Compact => None,
        };
        let expected_omissions = table.expected_omissions(stats.states);
        Some(JsonHashed { table_bytes, fill: table.fill(stats.states), expected_omissions })
    }
}

/// What a search on disk read and wrote.
#[derive(Serialize)]
struct JsonDisk {
    files: u64,
    states_written: u64,
    states_read: u64,
    blocks_written: u64,
    blocks_read: u64,
    bytes_written: u64,
    bytes_read: u64,
    peak_bytes: u64,
    bound: Option<u64>,
    handed_over_after: Option<u64>,
    revisit_factor: f64,
}

impl JsonDisk {
    fn new(stats: &Stats) -> Option<JsonDisk> {
        let ExternalStats { disk, bound, handed_over_after } = stats.external?;
        let distinct = stats.distinct.or(stats.estimate).unwrap_or(stats.states);
        Some(JsonDisk {
            files: disk.files,
            states_written: disk.states_written,
            states_read: disk.states_read,
            blocks_written: disk.blocks_written,
            blocks_read: disk.blocks_read,
            bytes_written: disk.bytes_written,
            bytes_read: disk.bytes_read,
            peak_bytes: disk.peak_bytes,
            bound,
            handed_over_after,
            revisit_factor: stats.expanded as f64 / distinct.max(1) as f64,
        })
    }
}

/// A violation, for machines.
#[derive(Serialize)]
pub struct JsonViolation {
    kind: &'static str,
    message: String,
    file: Option<String>,
    line: Option<u32>,
    pid: Option<u8>,
    #[serde(flatten)]
    values: JsonValues,
}

/// A trace, for machines.
#[derive(Serialize)]
pub struct JsonTrace {
    length: usize,
    events: Vec<u32>,
    steps: Vec<Line>,
    end: Vec<Standing>,
}

/// Writes the report.
pub fn write(out: &mut impl Write, report: &Report) -> anyhow::Result<()> {
    let stats = &report.outcome.stats;
    let first = report.outcome.violations.first();
    let (verdict, stop_reason) = verdict(report);
    let sweep = Some(stats.sweep).filter(|sweep| sweep.sweeps > 0);
    let json = JsonReport {
        version: 1,
        model: report.file.display().to_string(),
        search: search_name(report.search),
        fairness: report.fairness.name(),
        assumptions: report.fairness.words(),
        verdict,
        stop_reason,
        states: stats.distinct,
        states_estimate: stats.estimate.filter(|_| stats.distinct.is_none()),
        transitions: stats.transitions,
        depth: stats.depth,
        errors: stats.errors,
        state_bytes: state_bytes(stats),
        peak_states: stats.peak_states,
        peak_bytes: stats.peak_bytes,
        expanded: stats.expanded,
        sweeps: sweep.map(|sweep| sweep.sweeps),
        columns: sweep.map(|sweep| sweep.columns),
        layers: sweep.map(|sweep| sweep.layers),
        persistent: sweep.map(|sweep| sweep.persistent),
        edges: sweep.map(|SweepStats { edges: EdgeStats { forward, stationary, regress }, .. }| JsonEdges {
            forward,
            stationary,
            regress,
        }),
        measure: sweep.map(|_| &*report.measure.measure),
        measure_reason: sweep.map(|_| &*report.measure.reason),
        demoted: &report.measure.demoted,
        rejected: report.measure.rejected.as_deref(),
        cutoff: report.cutoff.map(|cutoff| cutoff.json(report.loaded)),
        disk: JsonDisk::new(stats),
        hashed: JsonHashed::new(stats),
        hunt: report.hunt.as_ref().map(HuntReport::json),
        reduction: report.reduction.json(),
        seconds: stats.elapsed.as_secs_f64(),
        violation: first.map(|first| found(report.loaded, first)),
        trace: first.and_then(|found| json_trace(report.loaded, found)),
        violations: report
            .outcome
            .violations
            .iter()
            .enumerate()
            .map(|(nth, one)| match nth {
                0 => found(report.loaded, one),
                _ => violation(report.loaded, &one.violation, None),
            })
            .collect(),
        properties: report.answers.iter().map(|answer| json_property(report.loaded, answer)).collect(),
        unchecked: report.unchecked,
        differences: report.differences.iter().map(|code| code.id).collect(),
        growth: report.growth.as_deref(),
        unreached: report.unreached.as_ref().map(|unreached| unreached.statements().collect()),
        never_end: report.unreached.as_ref().map(|unreached| &*unreached.never_end),
        digest: report.digest.map(|digest| digest.to_string()),
        lost: report.lost,
        checkpoint: report.goes_on_from().map(|path| path.display().to_string()),
    };
    serde_json::to_writer_pretty(&mut *out, &json)?;
    writeln!(out)?;
    Ok(())
}

fn verdict(report: &Report) -> (&'static str, Option<&'static str>) {
    match report.verdict() {
        Verdict::Violated => ("violated", report.outcome.stopped.map(StopReason::name)),
        Verdict::Holds => ("holds", None),
        Verdict::Stopped(reason) => ("stopped", Some(reason.name())),
    }
}

/// A violation for machines, with the values on the trace that leads to it.
pub fn violation(loaded: &Loaded, violation: &Violation, trace: Option<&Trace>) -> JsonViolation {
    let sources = &loaded.sources;
    let Explained { message, values } = explain(loaded, violation, trace);
    JsonViolation {
        kind: violation.kind.name(),
        message,
        file: violation.span.map(|span| sources.file_name(span).to_string()),
        line: violation.span.map(|span| sources.line(span)),
        pid: violation.pid,
        values,
    }
}

/// The same for what a search has found.
pub fn found(loaded: &Loaded, found: &Found<Violation>) -> JsonViolation {
    let trace = trace::replayed(loaded, found);
    violation(loaded, &found.violation, trace.as_ref().ok())
}

/// The trace to a violation.
pub fn json_trace(loaded: &Loaded, found: &Found<Violation>) -> Option<JsonTrace> {
    let events = found.trace.as_ref().ok()?;
    // A violation that no process commits (a deadlock) is an event, but no step.
    let length = events.len() - usize::from(found.violation.pid.is_none() && !events.is_empty());
    trace_of(loaded, events, length)
}

/// A trace by its events; a very long one has no list of steps.
pub fn trace_of(loaded: &Loaded, events: &[u32], length: usize) -> Option<JsonTrace> {
    let events = events.to_vec();
    if length > trace::MOST_STEPS {
        return Some(JsonTrace { length, events, steps: Vec::new(), end: Vec::new() });
    }
    let trace = loaded.replay(&events).ok()?;
    let steps = trace::lines(&loaded.model, &loaded.sources, &trace, &[], 0..trace.steps.len());
    Some(JsonTrace { length, events, steps, end: trace::ending(loaded, &trace) })
}
