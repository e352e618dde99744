//! The report on temporal properties: the counterexamples, then the verdicts, and JSON.

use std::io::Write;
use std::path::Path;

use interp::Violation;
use serde::Serialize;
use sweep::{Found, StopReason, Verdict};

use super::explain::explain;
use super::steps::{self, Extent};
use super::summary::{Hue, bytes, list, paint, row};
use super::trace::{self, Line, Standing};
use crate::Status;
use crate::cli::CycleOrder;
use crate::load::Loaded;
use crate::property;
use crate::property::fairness::Fairness;
use crate::property::search::{Answer, Starved};
use crate::search::reduction::JsonReduction;

/// Everything there is to report about the properties of one model.
pub struct Properties<'a> {
    pub file: &'a Path,
    pub loaded: &'a Loaded,
    /// What was found out.
    pub answers: &'a [Answer<'a>],
    /// A deadlock that violates no property.
    pub deadlock: Option<&'a Found<Violation>>,
    pub search: CycleOrder,
    /// Which runs count.
    pub fairness: &'a Fairness,
    /// By which measure it was swept.
    pub measure: Option<String>,
    /// How much of a trace is shown.
    pub extent: Extent<'a>,
    /// Also the search and what it took.
    pub verbose: bool,
    /// The verdicts alone.
    pub quiet: bool,
    /// Files that could not be written, with the reason.
    pub lost: &'a [String],
}

impl Properties<'_> {
    /// The status of all properties together.
    pub fn status(&self) -> Status {
        if self.deadlock.is_some() { Status::Violated } else { status(self.answers) }
    }
}

/// What the answers come to.
pub fn status(answers: &[Answer]) -> Status {
    let verdicts = || answers.iter().map(|answer| answer.outcome.verdict());
    match () {
        () if verdicts().any(|verdict| verdict == Verdict::Violated) => Status::Violated,
        () if verdicts().all(|verdict| verdict == Verdict::Holds) => Status::Good,
        () => Status::Stopped,
    }
}

/// Writes the report for people: the verdicts, the runs, and the verdicts again, each with what is known about it.
pub fn text(out: &mut impl Write, report: &Properties, colour: bool) -> anyhow::Result<()> {
    let file = report.file.display();
    let deadlock = report.deadlock.map(|found| (trace::replayed(report.loaded, found), &found.violation));
    let is_deadlock = deadlock.as_ref().map(|(trace, violation)| {
        let message = explain(report.loaded, violation, trace.as_ref().ok()).message;
        format!("{file}: end states: {}: {message}", paint("VIOLATED", Hue::Red, colour))
    });
    let line = |answer: &Answer| format!("{file}: {}: {}", answer.property.name, verdict(answer, colour));
    let all = || report.answers.iter().map(line).chain(is_deadlock.clone());
    if report.quiet {
        return Ok(all().try_for_each(|line| writeln!(out, "{line}"))?);
    }
    if deadlock.is_some() || report.answers.iter().any(|answer| answer.run.is_some()) {
        all().try_for_each(|line| writeln!(out, "{line}"))?;
        writeln!(out)?;
    }
    runs(out, report.loaded, report.answers, report.extent, colour)?;
    if let Some((trace, violation)) = &deadlock {
        steps::found(out, report.loaded, trace.as_ref(), violation, (report.extent, colour))?;
    }
    for answer in report.answers {
        writeln!(out, "{}", line(answer))?;
        details(out, report, answer)?;
    }
    is_deadlock.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    Ok(())
}

/// Writes the runs that violate properties.
pub fn runs(
    out: &mut impl Write,
    loaded: &Loaded,
    answers: &[Answer],
    extent: Extent,
    colour: bool,
) -> anyhow::Result<()> {
    for answer in answers {
        let Some(run) = &answer.run else { continue };
        writeln!(out, "{}, {}:", answer.property.name, answer.property.searched())?;
        match run {
            Ok(run) => steps::write(out, loaded, &run.trace, answer.property.atoms(), extent)?,
            Err(lost) => writeln!(out, "(no trace: {lost})")?,
        }
        if let Some(found) = answer.outcome.violations.first() {
            let trace = run.as_ref().ok().map(|run| &run.trace);
            steps::violation(out, loaded, &found.violation, trace, colour)?;
        }
        if let (Ok(run), Some(temporal)) = (run, answer.property.temporal()) {
            let failed = property::failed::conjuncts(&loaded.model, temporal, &run.trace);
            for text in &failed {
                writeln!(out, "what fails: {text}")?;
            }
            if !failed.is_empty() {
                writeln!(out)?;
            }
        }
    }
    Ok(())
}

/// The verdict on one property, in a word and a colour, and more words.
pub fn verdict(answer: &Answer, colour: bool) -> String {
    if let Some(reason) = answer.never_begun() {
        return format!("{}: {reason}", paint("not checked", Hue::Yellow, colour));
    }
    match answer.outcome.verdict() {
        Verdict::Violated => {
            let first = answer.outcome.violations.first().map_or("", |found| found.violation.kind.message());
            format!("{}: {first}", paint("VIOLATED", Hue::Red, colour))
        }
        Verdict::Holds => paint("holds", Hue::Green, colour),
        Verdict::Stopped(reason) => format!("{}, no verdict: {reason}", paint("STOPPED", Hue::Yellow, colour)),
    }
}

/// What is known about a property, and what that took.
fn details(out: &mut impl Write, report: &Properties, answer: &Answer) -> std::io::Result<()> {
    if let Some(formula) = answer.property.formula() {
        row(out, "formula", &formula)?;
    }
    if answer.never_begun().is_some() {
        return Ok(());
    }
    let among = report.fairness.phrase();
    if !among.is_empty() && !report.verbose {
        row(out, "runs", among.trim_start_matches(", "))?;
    }
    for sentence in &answer.vacuous {
        row(out, "VACUOUS", sentence)?;
    }
    if let Some(sentence) = unfair(answer) {
        row(out, "fairness", &sentence)?;
    }
    let stats = &answer.outcome.stats;
    let states = format!(
        "{} of the {} visited, at most {} stored at a time, {} transitions",
        stats.expanded,
        answer.states_of(),
        stats.peak_states,
        stats.transitions
    );
    let (memory, time) = (bytes(stats.peak_bytes), stats.elapsed.as_secs_f64());
    if !report.verbose {
        row(out, "states", &states)?;
        return row(out, "memory", &format!("{memory} at peak, {time:.2} s"));
    }
    let automaton = answer.automaton.map(|(states, edges)| {
        let plural = |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
        format!(" (automaton: {}, {})", plural(states, "state"), plural(edges, "edge"))
    });
    row(out, "searched", &format!("{}{among}{}", answer.property.searched(), automaton.unwrap_or_default()))?;
    let how = match (answer.shared, answer.looked) {
        (true, true) => "a short depth-first search",
        (true, false) => "a column sweep for all invariants",
        (false, true) => "a short nested depth-first search",
        (false, false) if report.fairness.is_empty() || report.fairness.is_weak() => search_phrase(report.search),
        (false, false) => "breadth-first search and components",
    };
    row(out, "states", &format!("{states}, by {how}"))?;
    if let Some(measure) = report.measure.as_ref().filter(|_| !answer.looked) {
        row(out, "measure", measure)?;
    }
    row(out, "reduction", &answer.reduction.sentence())?;
    row(out, "memory", &format!("{memory} at peak"))?;
    row(out, "time", &format!("{time:.2} s"))
}

/// Who is treated unfairly by the run that was found, and what to do about it; if anybody is.
pub fn unfair(answer: &Answer) -> Option<String> {
    let names: Vec<String> =
        answer.starved.iter().map(|Starved { pid, process }| format!("{process}({pid})")).collect();
    let (verb, never) = if names.len() == 1 { ("could", "does") } else { ("could each", "do") };
    let sentence =
        format!("in this run {} {verb} always move and never {never}: --fair weak leaves such runs out", list(&names));
    (!names.is_empty()).then_some(sentence)
}

/// What a search is, for people.
pub fn search_phrase(search: CycleOrder) -> &'static str {
    match search {
        CycleOrder::Ndfs => "nested depth-first search",
        CycleOrder::Map => "maximal accepting predecessors",
        CycleOrder::SweepOff => "an offline LTL sweep",
        CycleOrder::SweepOn => "an online LTL sweep",
        CycleOrder::Column => "an LTL sweep by columns",
    }
}

/// The name of a search.
pub fn search_name(search: CycleOrder) -> &'static str {
    match search {
        CycleOrder::Ndfs => "ndfs",
        CycleOrder::Map => "map",
        CycleOrder::SweepOff => "sweep-off",
        CycleOrder::SweepOn => "sweep-on",
        CycleOrder::Column => "column",
    }
}

#[derive(Serialize)]
struct JsonReport<'a> {
    version: u32,
    model: String,
    search: &'static str,
    fairness: &'static str,
    assumptions: &'a [String],
    verdict: &'static str,
    measure: Option<&'a str>,
    violation: Option<super::json::JsonViolation>,
    trace: Option<super::json::JsonTrace>,
    properties: Vec<JsonProperty<'a>>,
    lost: &'a [String],
}

/// A property and its answer, for machines.
#[derive(Serialize)]
pub struct JsonProperty<'a> {
    name: &'a str,
    formula: Option<String>,
    searched: String,
    verdict: &'static str,
    stop_reason: Option<&'static str>,
    automaton: Option<JsonAutomaton>,
    looked: bool,
    shared: bool,
    reduction: JsonReduction,
    states: JsonStates,
    transitions: u64,
    peak_bytes: usize,
    seconds: f64,
    vacuous: &'a [String],
    starved: &'a [Starved],
    violation: Option<super::json::JsonViolation>,
    trace: Option<JsonRun>,
}

#[derive(Serialize)]
struct JsonAutomaton {
    states: usize,
    edges: usize,
}

/// States of the product.
#[derive(Serialize)]
struct JsonStates {
    peak: u64,
    visited: u64,
    stored: u64,
}

#[derive(Serialize)]
struct JsonRun {
    length: usize,
    cycle_start: Option<usize>,
    events: Vec<u32>,
    steps: Vec<Line>,
    end: Vec<Standing>,
}

/// Writes the report for machines.
pub fn json(out: &mut impl Write, report: &Properties) -> anyhow::Result<()> {
    let json = JsonReport {
        version: 1,
        model: report.file.display().to_string(),
        search: search_name(report.search),
        fairness: report.fairness.name(),
        assumptions: report.fairness.words(),
        verdict: match report.status() {
            Status::Violated => "violated",
            Status::Good => "holds",
            Status::Stopped | Status::BadInput => "stopped",
        },
        measure: report.measure.as_deref(),
        violation: report.deadlock.map(|found| super::json::found(report.loaded, found)),
        trace: report.deadlock.and_then(|found| super::json::json_trace(report.loaded, found)),
        properties: report.answers.iter().map(|answer| json_property(report.loaded, answer)).collect(),
        lost: report.lost,
    };
    serde_json::to_writer_pretty(&mut *out, &json)?;
    writeln!(out)?;
    Ok(())
}

/// A property for machines.
pub fn json_property<'a>(loaded: &Loaded, answer: &'a Answer) -> JsonProperty<'a> {
    let stats = &answer.outcome.stats;
    let violation = answer.outcome.violations.first().map(|found| &found.violation);
    let trace = answer.run.as_ref().and_then(|run| Some(&run.as_ref().ok()?.trace));
    JsonProperty {
        name: &answer.property.name,
        formula: answer.property.formula(),
        searched: answer.property.searched(),
        verdict: match answer.outcome.verdict() {
            Verdict::Violated => "violated",
            Verdict::Holds => "holds",
            Verdict::Stopped(_) => "stopped",
        },
        stop_reason: answer.outcome.stopped.map(StopReason::name),
        automaton: answer.automaton.map(|(states, edges)| JsonAutomaton { states, edges }),
        looked: answer.looked,
        shared: answer.shared,
        reduction: answer.reduction.json(),
        states: JsonStates { peak: stats.peak_states, visited: stats.expanded, stored: stats.states },
        transitions: stats.transitions,
        peak_bytes: stats.peak_bytes,
        seconds: stats.elapsed.as_secs_f64(),
        vacuous: &answer.vacuous,
        starved: &answer.starved,
        violation: violation.map(|violation| super::json::violation(loaded, violation, trace)),
        trace: answer.run.as_ref().and_then(|run| Some(json_run(loaded, answer, run.as_ref().ok()?))),
    }
}

fn json_run(loaded: &Loaded, answer: &Answer, run: &crate::property::search::Run) -> JsonRun {
    let length = run.trace.steps.len();
    let readable = if length > trace::MOST_STEPS { 0 } else { length };
    let steps = trace::lines(&loaded.model, &loaded.sources, &run.trace, answer.property.atoms(), 0..readable);
    let end = trace::ending(loaded, &run.trace);
    JsonRun { length, cycle_start: run.trace.cycle_start, events: run.events.clone(), steps, end }
}
