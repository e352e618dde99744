//! A trace as lines: who moved, where, by which statement, and what changed.

use interp::Model;
use interp::inspect::ValueView;
use interp::step::Move;
use interp::trace::Trace;
use promela::source::Sources;
use serde::Serialize;

/// One move of a trace, ready to print.
#[derive(Clone, Serialize, Debug)]
pub struct Line {
    /// The step it belongs to, from 1; moves of an atomic sequence or a rendezvous share one.
    pub step: usize,
    /// The process.
    pub pid: u8,
    /// Its proctype.
    pub process: String,
    /// File of the statement.
    pub file: String,
    /// Its line.
    pub line: u32,
    /// As written.
    pub statement: String,
    /// Values that changed.
    pub changes: Vec<Change>,
}

/// A value that changed.
#[derive(Clone, Serialize, Debug)]
pub struct Change {
    /// The process it belongs to; none for globals.
    pub pid: Option<usize>,
    /// The variable or channel.
    pub name: String,
    /// Before; none if it did not exist.
    pub from: Option<String>,
    /// After; none if it is gone.
    pub to: Option<String>,
}

/// The moves of steps `first..last` as lines.
pub fn lines(model: &Model, sources: &Sources, trace: &Trace, steps: std::ops::Range<usize>) -> Vec<Line> {
    let before = match steps.start.checked_sub(1).and_then(|step| trace.steps.get(step)) {
        Some(step) => step.states.last(),
        None => Some(&trace.initial),
    };
    let mut known = before.map(|words| model.values(words)).unwrap_or_default();
    let mut lines = Vec::new();
    for (index, step) in trace.steps.iter().enumerate().take(steps.end).skip(steps.start) {
        for (a_move, words) in step.moves.iter().zip(&step.states) {
            let now = model.values(words);
            lines.push(line(model, sources, index + 1, a_move, changes(&known, &now)));
            known = now;
        }
    }
    lines
}

fn line(model: &Model, sources: &Sources, step: usize, a_move: &Move, changes: Vec<Change>) -> Line {
    let class = &model.program.classes[a_move.class];
    let edge = &model.program.edges[a_move.edge];
    let ends = edge.guard == interp::code::Guard::End;
    Line {
        step,
        pid: a_move.pid,
        process: model.checked.proctypes[class.proctype].name.to_string(),
        file: sources.file_name(edge.span).to_string(),
        line: sources.line(edge.span),
        statement: if ends { "-end-".to_owned() } else { statement(sources, edge.span) },
        changes,
    }
}

/// A statement as written, on one line.
pub fn statement(sources: &Sources, span: promela::source::Span) -> String {
    let text = sources.text(span);
    let mut words: Vec<&str> = text.split_whitespace().collect();
    const MOST: usize = 24;
    if words.len() > MOST {
        words.truncate(MOST);
        words.push("…");
    }
    words.join(" ")
}

/// What differs between two lists of values. Both list globals first, then processes in order.
fn changes(before: &[ValueView], after: &[ValueView]) -> Vec<Change> {
    let key = |view: &ValueView| (view.pid, view.name.clone());
    // Nearly always the lists have the same names in the same order.
    let aligned = before.len() == after.len() && before.iter().zip(after).all(|(a, b)| a.pid == b.pid && a.name == b.name);
    if aligned {
        let differing = before.iter().zip(after).filter(|(a, b)| a.value != b.value);
        return differing.map(|(a, b)| change(b, Some(&a.value), Some(&b.value))).collect();
    }
    let old: std::collections::HashMap<_, _> = before.iter().map(|view| (key(view), &view.value)).collect();
    let changed = after.iter().filter_map(|view| match old.get(&key(view)) {
        Some(&value) if *value == view.value => None,
        Some(value) => Some(change(view, Some(value), Some(&view.value))),
        None if view.value == "0" || view.value == "empty" => None,
        None => Some(change(view, None, Some(&view.value))),
    });
    changed.collect()
}

fn change(view: &ValueView, from: Option<&String>, to: Option<&String>) -> Change {
    Change { pid: view.pid, name: view.name.clone(), from: from.cloned(), to: to.cloned() }
}
