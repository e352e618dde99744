//! A trace as a message sequence chart: a lifeline for each process, from top to bottom in the order of the run.
//!
//! Every event has a row of its own, so that no two texts can meet: a message sent or received, a rendezvous, a process
//! that starts or ends, and those local steps that matter to others: globals assigned or asked for, assertions,
//! `printf("MSC: …")`.
//! Other steps have no row. Rows are found here; `svg.rs` draws them. If the run is infinite, a loop on the left leads from its
//! end back to where its cycle starts.
//!
//! A buffered message is followed by its place in the channel, so the arrow ends at the receive that takes this message
//! and not one like it.

mod svg;

use std::collections::HashSet;

use interp::code::program::{Guard, Instruction};
use interp::exec::step::Move;
use interp::inspect::trace::Trace;
use interp::inspect::values::Inspector;
use interp::{Model, Word};

use crate::load::Loaded;
use crate::report::locations::Statements;
use crate::report::steps;
use crate::report::trace::{self, Change, Line, Message};

/// The most rows drawn; of a longer chart only both ends are.
const MOST_ROWS: usize = 1_000;
/// Of these, at the beginning.
const FIRST_ROWS: usize = 200;

/// A chart, ready to draw.
struct Chart {
    title: String,
    /// Processes that run from the start.
    initial: Vec<String>,
    rows: Vec<Row>,
    /// Buffered messages, in the order in which they were sent.
    messages: Vec<Buffered>,
    /// How many processes ever live at the same time.
    columns: usize,
    error: String,
    /// Where processes stand in the end that are part of the error, and before what.
    guilty: Vec<(usize, String)>,
    /// The first row of the cycle; that behind the last one, if the last state stays.
    cycle: Option<usize>,
}

struct Row {
    /// The step it belongs to; 0 for rows that belong to none.
    step: usize,
    /// How many moves have been made with it.
    moves: usize,
    pid: usize,
    event: Event,
    /// Its statement, as a tooltip.
    hint: String,
}

enum Event {
    /// A local step.
    Step { text: String, kind: Kind },
    /// Sender and receiver meet.
    Rendezvous { to: usize, text: String },
    /// Index into the messages.
    Send { message: usize },
    /// Index into the messages.
    Receive { message: usize },
    /// A process appears, named so.
    Start { child: usize, name: String },
    /// The process is gone.
    End,
    /// Rows that are left out.
    Gap { rows: usize },
}

/// Why a local step is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Assignment,
    /// A condition on what others may change.
    Guard,
    Assertion,
    Note,
    /// It is the violation.
    Error,
}

/// A message in a buffer.
struct Buffered {
    from: usize,
    sent: usize,
    /// Row and process of the receive.
    received: Option<(usize, usize)>,
    text: String,
}

/// Draws a trace as an SVG file.
pub fn draw(loaded: &Loaded, trace: &Trace, model: &str) -> String {
    svg::draw(&chart(loaded, trace, model))
}

/// Draws a trace as a part of a page. Rows have the number of moves that have been made with them.
pub fn embed(loaded: &Loaded, trace: &Trace) -> String {
    svg::embed(&chart(loaded, trace, ""))
}

fn chart(loaded: &Loaded, trace: &Trace, name: &str) -> Chart {
    let Loaded { model, sources, .. } = loaded;
    let lines = trace::lines(model, sources, trace, &[], 0..trace.steps.len());
    let inspector = Inspector::new(model);
    let globals = model.checked.globals.values().map(|global| &*global.name).collect();
    let mut builder = Builder { globals, rows: Vec::new(), messages: Vec::new(), buffers: Vec::new(), moves: 0 };
    let initial = names(model, &trace.initial);
    let mut alive = initial.len();
    let mut columns = alive;
    let moves = trace.steps.iter().flat_map(|step| step.moves.iter().zip(&step.states));
    for (index, ((a_move, after), line)) in moves.zip(&lines).enumerate() {
        let is_last = index + 1 == lines.len() && trace.violation.is_some_and(|violation| violation.pid.is_some());
        let now = names(model, after);
        builder.moves = index + 1;
        builder.add(model, a_move, line, is_last);
        builder.live(line, alive, &now, inspector.channel_names(after).len());
        alive = now.len();
        columns = columns.max(alive);
    }
    let violation = trace.violation;
    let error = violation.map_or("no violation", |violation| violation.kind.message());
    let length = trace.steps.len();
    let cycle = trace.cycle_start.map(|start| builder.rows.partition_point(|row| row.step <= start));
    let mut chart = Chart {
        title: format!("{name}: {length} step{} to: {error}", if length == 1 { "" } else { "s" }),
        initial,
        rows: builder.rows,
        messages: builder.messages,
        columns,
        error: error.to_owned(),
        guilty: Vec::new(),
        cycle,
    };
    if !matches!(chart.rows.last(), Some(Row { event: Event::Step { kind: Kind::Error, .. }, .. })) {
        chart.guilty = guilty(loaded, trace);
    }
    chart.shorten();
    chart
}

fn names(model: &Model, words: &[Word]) -> Vec<String> {
    // A trace has no initial state if that cannot be computed.
    match words.is_empty() {
        true => Vec::new(),
        false => model.processes(words).iter().map(|process| format!("{}({})", process.name, process.pid)).collect(),
    }
}

/// The process that erred, or those that are stuck.
fn guilty(loaded: &Loaded, trace: &Trace) -> Vec<(usize, String)> {
    let Loaded { model, sources, .. } = loaded;
    // A cycle is nobody's fault alone; and there is no state at all if the initial one cannot be computed.
    let state = trace::last_state(trace);
    if state.is_empty() || trace.cycle_start.is_some_and(|start| start < trace.steps.len()) {
        return Vec::new();
    }
    match trace.violation.map(|violation| (violation.pid, violation.span)) {
        Some((Some(pid), Some(span))) => vec![(usize::from(pid), trace::statement(sources, span))],
        Some(_) => {
            let statements = Statements::new(loaded);
            let processes = model.processes(state).into_iter().filter(|process| !process.may_end);
            processes.map(|process| (process.pid, statements.at(&process).join(" or "))).collect()
        }
        None => Vec::new(),
    }
}

struct Builder<'m> {
    /// The names of global variables.
    globals: HashSet<&'m str>,
    rows: Vec<Row>,
    messages: Vec<Buffered>,
    /// The messages in each channel, by number less one.
    buffers: Vec<Vec<usize>>,
    /// Moves so far, this one included.
    moves: usize,
}

impl Builder<'_> {
    /// Adds the rows of a move.
    fn add(&mut self, model: &Model, a_move: &Move, line: &Line, is_last: bool) {
        if !line.messages.is_empty() {
            for message in &line.messages {
                self.message(line, message);
            }
            return;
        }
        let edge = &model.program.edges[a_move.edge];
        let effect = &model.program.instructions[edge.effect.start as usize..edge.effect.end as usize];
        let asserts = effect.iter().any(|instruction| matches!(instruction, Instruction::Assert(_)));
        let global = |change: &&Change| change.pid.is_none();
        if let Some(note) = line.printed.trim().strip_prefix("MSC:") {
            self.step(line, note.trim().to_owned(), Kind::Note);
        } else if is_last || asserts {
            self.step(line, line.statement.clone(), if is_last { Kind::Error } else { Kind::Assertion });
        } else if line.changes.iter().any(|change| global(&change)) {
            let changes = line.changes.iter().filter(global);
            let text = changes.map(|change| format!("{} = {}", change.name, change.to.as_deref().unwrap_or("-")));
            self.step(line, text.collect::<Vec<_>>().join(", "), Kind::Assignment);
        } else if matches!(edge.guard, Guard::Expr(_) | Guard::Compare(..)) && self.names_global(&line.statement) {
            self.step(line, line.statement.clone(), Kind::Guard);
        }
    }

    /// Whether a statement names a global variable.
    fn names_global(&self, statement: &str) -> bool {
        statement.split(|c: char| !c.is_alphanumeric() && c != '_').any(|name| self.globals.contains(name))
    }

    fn step(&mut self, line: &Line, text: String, kind: Kind) {
        self.row(line, Event::Step { text, kind });
    }

    fn row(&mut self, line: &Line, event: Event) {
        let hint = format!("{}({}) {}:{} {}", line.process, line.pid, line.file, line.line, line.statement);
        self.rows.push(Row { step: line.step, moves: self.moves, pid: usize::from(line.pid), event, hint });
    }

    fn message(&mut self, line: &Line, message: &Message) {
        let text = format!("{} [{}]", message.channel, message.fields.join(","));
        let index = usize::try_from(message.number).unwrap_or(0).saturating_sub(1);
        if index >= self.buffers.len() {
            self.buffers.resize(index + 1, Vec::new());
        }
        let buffer = &mut self.buffers[index];
        match (message.direction, message.slot, &message.partner) {
            ("send", Some(slot), _) => {
                let number = self.messages.len();
                buffer.insert((slot as usize).min(buffer.len()), number);
                let (from, sent) = (usize::from(line.pid), self.rows.len());
                self.messages.push(Buffered { from, sent, received: None, text });
                self.row(line, Event::Send { message: number });
            }
            ("receive", Some(slot), _) if (slot as usize) < buffer.len() => {
                let number = buffer.remove(slot as usize);
                self.messages[number].received = Some((self.rows.len(), usize::from(line.pid)));
                self.row(line, Event::Receive { message: number });
            }
            ("send", None, Some(partner)) => {
                self.row(line, Event::Rendezvous { to: usize::from(partner.pid), text });
            }
            // The receiver's half of a rendezvous is drawn with the sender's.
            ("receive", None, Some(_)) => {}
            _ => self.step(line, steps::message(message), Kind::Note),
        }
    }

    /// Adds rows for processes that appear and disappear with a move. Channels go with the process that made them.
    fn live(&mut self, line: &Line, before: usize, now: &[String], channels: usize) {
        for (child, name) in now.iter().enumerate().skip(before) {
            self.row(line, Event::Start { child, name: name.clone() });
        }
        if now.len() < before {
            self.row(line, Event::End);
            self.buffers.truncate(channels);
        }
    }
}

impl Chart {
    /// Leaves out the middle of a long chart.
    fn shorten(&mut self) {
        let Some(excess) = self.rows.len().checked_sub(MOST_ROWS).filter(|&excess| excess > 0) else { return };
        let (first, behind) = (FIRST_ROWS, FIRST_ROWS + excess);
        let starts_or_ends = |row: &Row| matches!(row.event, Event::Start { .. } | Event::End);
        let (mut kept, mut place) = (Vec::new(), vec![None; self.rows.len()]);
        for (index, row) in std::mem::take(&mut self.rows).into_iter().enumerate() {
            if index == first {
                let hint = "a chart has at most so many rows".to_owned();
                kept.push(Row { step: 0, moves: row.moves, pid: 0, event: Event::Gap { rows: excess }, hint });
            }
            // Lifelines stay right.
            if index < first || index >= behind || starts_or_ends(&row) {
                place[index] = Some(kept.len());
                kept.push(row);
            }
        }
        self.cycle = self.cycle.map(|row| match place.get(row) {
            Some(Some(row)) => *row,
            // It starts in the gap.
            Some(None) => first,
            None => kept.len(),
        });
        self.rows = kept;
        for message in &mut self.messages {
            // A message sent in the gap has no row; its receive is drawn as one from afar.
            message.sent = place[message.sent].unwrap_or(0);
            message.received = message.received.map(|(row, pid)| (place[row].unwrap_or(usize::MAX), pid));
        }
    }
}
