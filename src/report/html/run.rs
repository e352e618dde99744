//! A run as the page has it: the state it starts from in full, and what each move changes.
//!
//! The page goes through the moves once, and knows every state by what changed. What ends and what begins with a process is
//! said here, since a change of values is neither. Of a very long run the page has the end alone.

use interp::Model;
use interp::Word;
use interp::inspect::values::ProcessView;
use promela::source::Span;
use promela::visible::visible;
use serde::Serialize;

use super::RunOf;
use super::places::Places;
use super::story;
use crate::load::Loaded;
use crate::report::locations::Statements;
use crate::report::trace::{self, Line};
use crate::report::{steps, unreached};

/// The most values of a state that are listed.
const MOST_VALUES: usize = 5_000;

/// In larger states the values of a new process are not listed before they change: a run may have thousands of births.
const MOST_WORDS: usize = 4_096;

/// A run.
#[derive(Serialize)]
pub struct RunData {
    name: String,
    /// What is wrong, for somebody who has not seen the model.
    story: Vec<String>,
    /// The process that erred, and the statement.
    error: Option<ErrorData>,
    /// Steps at the beginning that the page does not have.
    skipped: usize,
    /// Moves before the cycle, if the run is infinite; if those are all, its last state stays.
    cycle: Option<usize>,
    /// The atoms of the formula.
    atoms: Vec<String>,
    /// Which of them hold at the start.
    truths: Vec<bool>,
    processes: Vec<Standing>,
    /// Owner, name, value.
    values: Vec<Value>,
    /// There are more values than are listed.
    is_cut: bool,
    moves: Vec<MoveData>,
}

#[derive(Serialize)]
struct ErrorData {
    text: String,
    pid: Option<u8>,
    place: Option<usize>,
}

/// A process: pid, name, SPIN's number of its location, place, whether it may end here.
type Standing = (usize, String, u32, usize, bool);
/// A value: owner, name, text.
type Value = (Option<usize>, String, String);

/// A move.
#[derive(Serialize)]
struct MoveData {
    step: usize,
    pid: u8,
    process: String,
    place: usize,
    text: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    changes: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    messages: Vec<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    printed: String,
    /// Which atoms hold behind the step.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    truths: Vec<bool>,
    /// Processes that are new, or at another location.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    processes: Vec<Standing>,
    /// How many processes are left, if one ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<usize>,
}

/// A run for the page.
pub fn data(loaded: &Loaded, run: &RunOf, locations: &Statements, places: &mut Places) -> RunData {
    let Loaded { model, sources, .. } = loaded;
    let trace = &run.trace;
    let length = trace.steps.len();
    let skipped = length.saturating_sub(trace::MOST_STEPS);
    let start = skipped.checked_sub(1).and_then(|step| trace.steps[step].states.last()).unwrap_or(&trace.initial);
    let lines = trace::lines(model, sources, trace, run.atoms, skipped..length);
    let moves = trace.steps[skipped..].iter().flat_map(|step| step.moves.iter().zip(&step.states));
    let mut alive = processes(model, start);
    let standing = alive.iter().map(|process| stand(process, places)).collect();
    let mut shown = Vec::new();
    for ((a_move, after), line) in moves.zip(&lines) {
        let now = processes(model, after);
        let span = model.program.edges[a_move.edge].span;
        let place = places.number(if line.statement == trace::END { span.last() } else { span });
        shown.push(step(model, place, line, (&alive, &now), after, places));
        alive = now;
    }
    let before =
        |steps: usize| trace.steps[skipped..].iter().take(steps.saturating_sub(skipped)).map(|step| step.moves.len());
    let mut values = listed(model, start, 0);
    let is_cut = values.len() > MOST_VALUES;
    values.truncate(MOST_VALUES);
    RunData {
        name: visible(&run.name).into(),
        story: story::tell(loaded, run, locations).iter().map(|line| visible(line).into()).collect(),
        error: run.violation.map(|violation| ErrorData {
            text: violation.kind.message().to_owned(),
            pid: violation.pid,
            place: violation.span.map(|span| places.number(span)),
        }),
        skipped,
        cycle: trace.cycle_start.map(|start| before(start).sum()),
        atoms: run.atoms.iter().map(|atom| visible(&atom.text).into()).collect(),
        truths: truths(&trace::atoms(model, run.atoms, start)),
        processes: standing,
        values,
        is_cut,
        moves: shown,
    }
}

/// Every statement that is a step, and whether a run executes it. Of a `d_step` that is not known.
pub fn statements(loaded: &Loaded, runs: &[RunOf]) -> Vec<(Span, bool)> {
    let edges = &loaded.model.program.edges;
    let moves = runs.iter().flat_map(|run| &run.trace.steps).flat_map(|step| &step.moves);
    let mut taken: Vec<Span> = moves.map(|a_move| edges[a_move.edge].span).collect();
    taken.sort_unstable_by_key(|span| (span.start, span.end));
    taken.dedup();
    let all = unreached::statements(loaded).into_iter();
    let is_inside = |inner: Span| taken.iter().any(|outer| outer.start <= inner.start && inner.end <= outer.end);
    let mut found = Vec::new();
    for (span, _) in all {
        match (taken.contains(&span), is_inside(span)) {
            (false, true) => found.extend([(span, true), (span, false)]),
            (is_taken, _) => found.push((span, is_taken)),
        }
    }
    found
}

fn step(
    model: &Model,
    place: usize,
    line: &Line,
    (before, now): (&[ProcessView], &[ProcessView]),
    after: &[Word],
    places: &mut Places,
) -> MoveData {
    let is_same = |process: &ProcessView| before.get(process.pid) == Some(process);
    let moved = now.iter().filter(|process| !is_same(process)).map(|process| stand(process, places)).collect();
    let mut changes: Vec<Value> = line
        .changes
        .iter()
        .map(|change| (change.pid, visible(&change.name).into(), visible(change.to.as_deref().unwrap_or("-")).into()))
        .collect();
    if now.len() > before.len() && after.len() <= MOST_WORDS {
        // The values of a new process that are 0 are no changes.
        let new = listed(model, after, before.len());
        changes.extend(new.into_iter().filter(|(pid, ..)| pid.is_some()).take(MOST_VALUES));
    }
    MoveData {
        step: line.step,
        pid: line.pid,
        process: line.process.clone(),
        place,
        text: visible(&line.statement).into(),
        changes,
        messages: line.messages.iter().map(|message| visible(&steps::message(message)).into()).collect(),
        printed: visible(&line.printed).into(),
        truths: truths(&line.atoms),
        processes: moved,
        left: (now.len() < before.len()).then_some(now.len()),
    }
}

fn truths(truths: &[trace::Truth]) -> Vec<bool> {
    truths.iter().map(|truth| truth.holds).collect()
}

fn stand(process: &ProcessView, places: &mut Places) -> Standing {
    (process.pid, process.name.clone(), process.location, places.number(process.span), process.may_end)
}

/// The processes of a state. A run has no state at all if the initial one cannot be computed.
fn processes(model: &Model, words: &[Word]) -> Vec<ProcessView> {
    if words.is_empty() { Vec::new() } else { model.processes(words) }
}

/// The globals of a state, and the values of all processes from this one on.
fn listed(model: &Model, words: &[Word], from: usize) -> Vec<Value> {
    let values = if words.is_empty() { None } else { trace::values(model, words) };
    let of = |pid: Option<usize>| pid.is_none_or(|pid| pid >= from);
    let values = values.unwrap_or_default().into_iter().filter(|view| of(view.pid));
    values.map(|view| (view.pid, visible(&view.name).into(), visible(&view.value).into())).collect()
}
