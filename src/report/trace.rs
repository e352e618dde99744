//! A trace as lines: the process, its location and statement, what it printed, sent and received, and what changed.

use std::ops::Range;

use interp::exec::step::Move;
use interp::inspect::output::{Direction, MoveOutput};
use interp::inspect::trace::Trace;
use interp::inspect::values::{ChangeView, Inspector, ProcessView, ValueView};
use interp::{Model, Violation, ViolationKind, Word};
use promela::source::{Sources, Span};
use serde::Serialize;
use sweep::Found;

use super::explain::{self, WaitsFor};
use crate::load::Loaded;
use crate::property::formula::Atom;

/// The most steps of a trace that are written for machines to read; longer ones have their events alone.
pub const MOST_STEPS: usize = 10_000;

/// Larger states are not listed value by value: 256 kB.
const MOST_LISTED_WORDS: usize = 1 << 16;

/// All values of a state; `None` if there are too many to list.
pub fn values(model: &Model, state: &[Word]) -> Option<Vec<ValueView>> {
    (state.len() <= MOST_LISTED_WORDS).then(|| model.values(state))
}

/// The statement of a process that is at its closing brace.
pub const END: &str = "-end-";

/// One move of a trace, ready to print.
#[derive(Clone, Serialize, Debug)]
pub struct Line {
    /// The step it belongs to, from 1; moves of an atomic sequence or a rendezvous share one.
    pub step: usize,
    pub pid: u8,
    pub process: String,
    /// File of the statement.
    pub file: String,
    pub line: u32,
    /// As written.
    pub statement: String,
    /// With its macros expanded, if it uses any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expanded: Option<String>,
    #[serde(skip)]
    pub span: Span,
    /// Something is wrong with it.
    #[serde(skip)]
    pub fails: bool,
    /// Values that changed.
    pub changes: Vec<Change>,
    /// Messages sent and received.
    pub messages: Vec<Message>,
    /// What it prints.
    pub printed: String,
    /// Which atoms of the formula hold after its step; only of the last move of a step.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub atoms: Vec<Truth>,
}

/// An atom of a formula, in one state.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Truth {
    /// As written.
    pub atom: String,
    /// Is it true?
    pub holds: bool,
}

/// Which atoms hold in a state.
pub fn atoms(model: &Model, atoms: &[Atom], state: &[Word]) -> Vec<Truth> {
    let truth = |atom: &Atom| Truth { atom: atom.text.clone(), holds: model.value(atom.id, state) != 0 };
    atoms.iter().map(truth).collect()
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

impl From<ChangeView> for Change {
    fn from(ChangeView { pid, name, from, to }: ChangeView) -> Self {
        Change { pid, name, from, to: Some(to) }
    }
}

/// A message that a move sends or receives.
#[derive(Clone, Serialize, Debug)]
pub struct Message {
    /// `send`, `receive`, or `copy` for a receive that leaves the message where it is.
    pub direction: &'static str,
    /// The channel's name, or its number.
    pub channel: String,
    /// The channel's number.
    pub number: i32,
    /// Its place in the buffer; none in a rendezvous.
    pub slot: Option<u32>,
    pub fields: Vec<String>,
    /// The other process of a rendezvous.
    pub partner: Option<Party>,
}

/// The location of a process.
#[derive(Clone, Serialize, Debug)]
pub struct Standing {
    pub pid: usize,
    pub process: String,
    /// File of its next statement.
    pub file: String,
    pub line: u32,
    /// As written; `-end-` at the closing brace.
    pub statement: String,
    /// Whether that is a valid end state.
    pub may_end: bool,
    /// In a deadlock: what it waits for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub waits: Vec<WaitsFor>,
}

/// The locations of all processes in a state.
pub fn standing(model: &Model, sources: &Sources, state: &[Word]) -> Vec<Standing> {
    let stand = |process: ProcessView| Standing {
        pid: process.pid,
        process: process.name,
        file: sources.file_name(process.span).to_string(),
        line: sources.line(process.span),
        statement: if process.has_finished { END.to_owned() } else { statement(sources, process.span) },
        may_end: process.may_end,
        waits: Vec::new(),
    };
    // A trace has no state at all if the initial one cannot be computed.
    if state.is_empty() { Vec::new() } else { model.processes(state).into_iter().map(stand).collect() }
}

/// The locations at the end of a trace; in a deadlock with what each process waits for.
pub fn ending(loaded: &Loaded, trace: &Trace) -> Vec<Standing> {
    let Loaded { model, sources, .. } = loaded;
    let state = last_state(trace);
    let mut standing = standing(model, sources, state);
    if trace.violation.is_some_and(|violation| violation.kind == ViolationKind::InvalidEndState) {
        for process in &mut standing {
            process.waits = explain::waits_for(sources, model.waiting(state, process.pid));
        }
    }
    standing
}

/// The state in which a trace ends.
pub fn last_state(trace: &Trace) -> &[Word] {
    trace.steps.last().and_then(|step| step.states.last()).unwrap_or(&trace.initial)
}

/// A process that takes part in something.
#[derive(Clone, Serialize, Debug)]
pub struct Party {
    pub pid: u8,
    pub process: String,
}

/// Follows a path, which must lead to this state.
pub fn followed(loaded: &Loaded, state: Option<&[Word]>, way: &sweep::Trace) -> Result<Trace, String> {
    let events = way.as_ref().map_err(ToString::to_string)?;
    let followed = loaded.replay(events).map_err(|error| error.to_string())?;
    match state {
        Some(state) if last_state(&followed) != state => Err("it leads to another state".to_owned()),
        _ => Ok(followed),
    }
}

/// The run that a search found; a sentence if there is none.
pub fn replayed(loaded: &Loaded, found: &Found<Violation>) -> Result<Trace, String> {
    let events = found.trace.as_ref().map_err(ToString::to_string)?;
    loaded.replay(events).map_err(|error| error.to_string())
}

/// The moves of some steps as lines, and after each step which of the atoms hold.
pub fn lines(model: &Model, sources: &Sources, trace: &Trace, atoms: &[Atom], steps: Range<usize>) -> Vec<Line> {
    let before = match steps.start.checked_sub(1).and_then(|step| trace.steps.get(step)) {
        Some(step) => step.states.last(),
        None => Some(&trace.initial),
    };
    let Some(mut before) = before.filter(|_| !steps.is_empty()) else { return Vec::new() };
    let inspector = Inspector::new(model);
    let mut lines: Vec<Line> = Vec::new();
    for (index, step) in trace.steps.iter().enumerate().take(steps.end).skip(steps.start) {
        let opening = lines.len();
        let mut earlier = None;
        for (a_move, words) in step.moves.iter().zip(&step.states) {
            let changes = inspector.changes(before, words).into_iter().map(Change::from).collect();
            let mut line = line(model, sources, index + 1, a_move, changes);
            let output = model.output(before, earlier, a_move);
            line.fails = output.failure.is_some();
            if output.failure.as_ref().is_some_and(|failure| failure.is_fatal) {
                // The step leads nowhere: what it did before it failed is no effect.
                line.changes.clear();
            }
            add_output(output, || inspector.channel_names(before), &mut line, &mut lines[opening..]);
            earlier = Some(a_move);
            lines.push(line);
            before = words;
        }
        if let Some(last) = lines.last_mut() {
            last.atoms = self::atoms(model, atoms, before);
        }
    }
    lines
}

fn line(model: &Model, sources: &Sources, step: usize, a_move: &Move, changes: Vec<Change>) -> Line {
    let template = &model.program.templates[a_move.template];
    let edge = &model.program.edges[a_move.edge];
    let ends = edge.guard == interp::code::program::Guard::End;
    let span = if ends { edge.span.last() } else { edge.span };
    Line {
        step,
        pid: a_move.pid,
        process: model.checked.proctypes[template.proctype].name.to_string(),
        file: sources.file_name(span).to_string(),
        line: sources.line(span),
        statement: if ends { END.to_owned() } else { statement(sources, span) },
        expanded: if ends { None } else { expanded(sources, span) },
        span,
        fails: false,
        changes,
        messages: Vec::new(),
        printed: String::new(),
        atoms: Vec::new(),
    }
}

/// Fills in what a move prints, sends and receives. The receiver of a rendezvous comes right behind its sender; each becomes the
/// partner of the other.
fn add_output(output: MoveOutput, names: impl FnOnce() -> Vec<String>, line: &mut Line, earlier: &mut [Line]) {
    line.printed = output.text;
    if output.messages.is_empty() {
        return;
    }
    let names = names();
    for message in output.messages {
        let index = usize::try_from(message.chan).ok().and_then(|number| number.checked_sub(1));
        let name = index.and_then(|index| names.get(index)).cloned();
        let mut shown = Message {
            direction: match message.direction {
                Direction::Send => "send",
                Direction::Receive => "receive",
                Direction::Copy => "copy",
            },
            channel: name.unwrap_or_else(|| format!("channel {}", message.chan)),
            number: message.chan,
            slot: message.slot,
            fields: message.fields,
            partner: None,
        };
        let meets = message.slot.is_none() && message.direction == Direction::Receive;
        if let Some(sender) = earlier.last_mut().filter(|_| meets)
            && let Some(sent) = sender.messages.last_mut()
        {
            sent.partner = Some(Party { pid: line.pid, process: line.process.clone() });
            shown.fields.clone_from(&sent.fields);
            shown.partner = Some(Party { pid: sender.pid, process: sender.process.clone() });
        }
        line.messages.push(shown);
    }
}

/// A statement as written, on one line; of a `for`, what is in front of its body.
pub fn statement(sources: &Sources, span: Span) -> String {
    on_one_line(&sources.written(span))
}

/// The same with its macros expanded, if it uses any.
pub fn expanded(sources: &Sources, span: Span) -> Option<String> {
    let text = sources.text(span);
    (text != sources.written(span)).then(|| on_one_line(&text))
}

fn on_one_line(text: &str) -> String {
    let is_for = text.strip_prefix("for").is_some_and(|rest| rest.trim_start().starts_with('('));
    let text = if is_for { text.split('{').next().unwrap_or(text) } else { text };
    let mut words: Vec<&str> = text.split_whitespace().collect();
    const MOST: usize = 24;
    if words.len() > MOST {
        words.truncate(MOST);
        words.push("…");
    }
    words.join(" ")
}
