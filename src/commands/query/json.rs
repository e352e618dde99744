//! The answers as one JSON object. Fields are only ever added; `version` counts changes of meaning.

use std::io::Write;

use serde::Serialize;
use sweep::{StopReason, Trace};

use super::Report;
use super::answers::{End, Extreme, Extremes, Histogram, Sought, end};
use super::contents::Contents;
use super::variables::{Bounds, What};
use crate::report::json::{JsonTrace, trace_of};
use crate::report::unreached::UnreachedStatement;
use crate::report::{search_name, state_bytes};
use crate::search::cutoff::{JsonCutoff, JsonState};
use crate::search::reduction::JsonReduction;

#[derive(Serialize)]
struct JsonReport<'a> {
    version: u32,
    model: String,
    search: &'static str,
    verdict: &'static str,
    stop_reason: Option<&'static str>,
    states: Option<u64>,
    states_estimate: Option<u64>,
    stored: u64,
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
    measure: Option<&'a str>,
    cutoff: Option<JsonCutoff>,
    reduction: JsonReduction,
    seconds: f64,
    reachable: Vec<JsonSought<'a>>,
    invariants: Vec<JsonSought<'a>>,
    bounds: Vec<JsonBounds<'a>>,
    histograms: Vec<JsonHistogram<'a>>,
    channels: Vec<JsonChannel<'a>>,
    variables: Option<Vec<JsonVariable<'a>>>,
    dead_states: Option<JsonDead>,
    unreached: Option<Vec<&'a UnreachedStatement>>,
    idle: Option<Vec<&'a str>>,
    never_end: Option<&'a [String]>,
}

#[derive(Serialize)]
struct JsonSought<'a> {
    expression: &'a str,
    answer: &'static str,
    states: Option<u64>,
    witnesses: Vec<JsonWitness>,
}

#[derive(Serialize)]
struct JsonWitness {
    #[serde(flatten)]
    state: JsonState,
    trace: Option<JsonTrace>,
}

#[derive(Serialize)]
struct JsonBounds<'a> {
    expression: &'a str,
    least: Option<JsonExtreme>,
    greatest: Option<JsonExtreme>,
}

#[derive(Serialize)]
struct JsonExtreme {
    value: i32,
    trace: Option<JsonTrace>,
}

#[derive(Serialize)]
struct JsonHistogram<'a> {
    expression: &'a str,
    values: Vec<JsonColumn>,
    others: u64,
}

#[derive(Serialize)]
struct JsonColumn {
    value: i32,
    states: Option<u64>,
}

#[derive(Serialize)]
struct JsonChannel<'a> {
    channel: &'a str,
    exists: bool,
    messages: Vec<JsonCopies>,
    more: bool,
}

#[derive(Serialize)]
struct JsonCopies {
    message: Vec<String>,
    least: u32,
    greatest: u32,
}

#[derive(Serialize)]
struct JsonVariable<'a> {
    pid: Option<usize>,
    process: Option<&'a str>,
    name: &'a str,
    kind: &'static str,
    least: Option<i32>,
    greatest: Option<i32>,
}

#[derive(Serialize)]
struct JsonDead {
    states: Option<u64>,
    valid: Option<u64>,
    invalid: Option<u64>,
    failing: Option<u64>,
    listed: Vec<JsonEnd>,
}

#[derive(Serialize)]
struct JsonEnd {
    kind: &'static str,
    #[serde(flatten)]
    witness: JsonWitness,
}

/// Writes the report.
pub fn write(out: &mut impl Write, report: &Report) -> anyhow::Result<()> {
    let answers = report.answers;
    let stats = &report.outcome.stats;
    let sweep = Some(stats.sweep).filter(|sweep| sweep.sweeps > 0);
    let sought = |holding| {
        let wanted = answers.sought.iter().filter(move |sought| sought.holding == holding);
        wanted.map(|sought| json_sought(report, sought)).collect()
    };
    let unreached = report.unreached.as_ref();
    let idle = |found: &'_ crate::report::unreached::UnreachedIn| found.idle;
    let json = JsonReport {
        version: 1,
        model: report.args.model.model.display().to_string(),
        search: search_name(report.search.order),
        verdict: match report.is_complete() {
            _ if report.is_violated() => "violated",
            true => "holds",
            false => "stopped",
        },
        stop_reason: report.outcome.stopped.map(StopReason::name),
        states: stats.distinct,
        states_estimate: stats.estimate.filter(|_| stats.distinct.is_none()),
        stored: stats.states,
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
        measure: sweep.map(|_| &*report.measure.measure),
        cutoff: report.cutoff.map(|cutoff| cutoff.json(report.loaded)),
        reduction: report.reduction.json(),
        seconds: stats.elapsed.as_secs_f64(),
        reachable: sought(true),
        invariants: sought(false),
        bounds: answers.bounds.iter().map(|extremes| json_bounds(report, extremes)).collect(),
        histograms: answers.histograms.iter().map(|histogram| json_histogram(report, histogram)).collect(),
        channels: answers.channels.iter().map(|contents| json_channel(report, contents)).collect(),
        variables: answers.variables.as_ref().map(|all| all.bounds().into_iter().map(json_variable).collect()),
        dead_states: json_dead(report),
        unreached: unreached.map(|unreached| unreached.statements().collect()),
        idle: unreached.map(|found| found.processes.iter().filter(|p| idle(p)).map(|p| &*p.process).collect()),
        never_end: unreached.map(|unreached| &*unreached.never_end),
    };
    serde_json::to_writer_pretty(&mut *out, &json)?;
    writeln!(out)?;
    Ok(())
}

fn json_sought<'a>(report: &Report, sought: &'a Sought) -> JsonSought<'a> {
    let Sought { expression, holding, found } = sought;
    JsonSought {
        expression: &expression.text,
        answer: match (found.any(), report.is_complete(), holding) {
            (true, _, true) => "yes",
            (false, true, true) => "no",
            (true, _, false) => "violated",
            (false, true, false) => "holds",
            (false, false, _) => "unknown",
        },
        states: report.count(found),
        witnesses: found.shown().map(|(state, way)| json_witness(report, state, &way)).collect(),
    }
}

fn json_witness(report: &Report, state: &[interp::Word], way: &Trace) -> JsonWitness {
    JsonWitness { state: JsonState::new(report.loaded, state), trace: json_way(report, way) }
}

fn json_way(report: &Report, way: &Trace) -> Option<JsonTrace> {
    let events = way.as_ref().ok()?;
    trace_of(report.loaded, events, events.len())
}

fn json_bounds<'a>(report: &Report, extremes: &'a Extremes) -> JsonBounds<'a> {
    let end =
        |end: &Extreme| JsonExtreme { value: end.value, trace: end.way.as_ref().and_then(|way| json_way(report, way)) };
    JsonBounds {
        expression: &extremes.expression.text,
        least: extremes.least.as_ref().map(end),
        greatest: extremes.greatest.as_ref().map(end),
    }
}

fn json_histogram<'a>(report: &Report, histogram: &'a Histogram) -> JsonHistogram<'a> {
    let known = report.outcome.stats.distinct.is_some();
    let mut values: Vec<JsonColumn> = histogram
        .states
        .iter()
        .map(|(&value, &states)| JsonColumn { value, states: known.then_some(states) })
        .collect();
    values.sort_unstable_by_key(|column| column.value);
    JsonHistogram { expression: &histogram.expression.text, values, others: histogram.others }
}

fn json_channel<'a>(report: &Report, contents: &'a Contents) -> JsonChannel<'a> {
    let copies = contents.copies(&report.loaded.model).into_iter();
    JsonChannel {
        channel: &contents.text,
        exists: contents.existed(),
        messages: copies
            .map(|copies| JsonCopies { message: copies.message, least: copies.least, greatest: copies.greatest })
            .collect(),
        more: contents.overflowed,
    }
}

fn json_variable(bounds: &Bounds) -> JsonVariable<'_> {
    JsonVariable {
        pid: bounds.owner.as_ref().map(|(pid, _)| *pid),
        process: bounds.owner.as_ref().map(|(_, process)| &**process),
        name: &bounds.name,
        kind: match bounds.what {
            What::Variable(_) => "variable",
            What::Length => "length",
        },
        least: bounds.range.map(|(least, _)| least),
        greatest: bounds.range.map(|(_, greatest)| greatest),
    }
}

fn json_dead(report: &Report) -> Option<JsonDead> {
    let dead = report.answers.dead.as_ref()?;
    let model = &report.loaded.model;
    let count = |kind| dead.count(kind, model, report.outcome);
    let mut scratch = Default::default();
    let mut json_end = |(state, way): (&[interp::Word], Trace)| JsonEnd {
        kind: match end(model, state, &mut scratch) {
            End::Valid => "valid",
            End::Invalid => "invalid",
            End::Failing => "failing",
        },
        witness: json_witness(report, state, &way),
    };
    Some(JsonDead {
        states: dead.all.count(report.outcome),
        valid: count(End::Valid),
        invalid: count(End::Invalid),
        failing: count(End::Failing),
        listed: dead.all.shown().map(&mut json_end).collect(),
    })
}
