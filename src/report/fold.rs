//! Moves of one process that say little one by one, shown as one row with their number: those of one `for`, and those inside an
//! atomic sequence.
//!
//! Only quiet moves are folded: those that send, receive and print nothing, and after which the atoms of a formula are as before.
//! Invariant: every move is in exactly one row, in order; a row shows the changes of all of its moves taken together.

use promela::source::{Sources, Span};

use super::trace::{Change, Line};

/// Fewer moves than this are not folded.
const LEAST: usize = 4;

/// Moves that are shown together; mostly one.
#[derive(Debug)]
pub struct Row {
    /// The first of them, with the changes of all.
    pub line: Line,
    /// The last step among them.
    pub last_step: usize,
    /// How many there are.
    pub count: usize,
    /// The lines of the source on which the last of them stands.
    pub last_line: u32,
}

impl Row {
    fn of(moves: &[Line]) -> Option<Row> {
        let (first, last) = (moves.first()?, moves.last()?);
        let mut line = first.clone();
        line.changes = together(moves);
        line.atoms.clone_from(&last.atoms);
        Some(Row { line, last_step: last.step, count: moves.len(), last_line: last.line })
    }
}

/// The moves as rows; `unfolded`: one for each.
pub fn rows(sources: &Sources, lines: Vec<Line>, unfolded: bool) -> Vec<Row> {
    let single =
        |lines: &[Line]| lines.iter().filter_map(|line| Row::of(std::slice::from_ref(line))).collect::<Vec<_>>();
    if unfolded {
        return single(&lines);
    }
    let quiet = quiet(&lines);
    let mut rows = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let steps = whole_loop(sources, &lines[at..], &quiet[at..]);
        if steps >= LEAST {
            rows.extend(Row::of(&lines[at..at + steps]));
            at += steps;
            continue;
        }
        let step = lines[at..].iter().take_while(|line| line.step == lines[at].step).count();
        rows.extend(inside_step(&lines[at..at + step], &quiet[at..at + step], single));
        at += step;
    }
    rows
}

/// Which moves may be folded.
fn quiet(lines: &[Line]) -> Vec<bool> {
    let mut atoms = None;
    let is_quiet = |line: &Line| {
        let same = line.atoms.is_empty() || atoms.as_ref() == Some(&line.atoms);
        if !line.atoms.is_empty() {
            atoms = Some(line.atoms.clone());
        }
        same && line.messages.is_empty() && line.printed.is_empty() && !line.fails
    };
    lines.iter().map(is_quiet).collect()
}

/// How many moves at the beginning are whole steps of one `for`.
fn whole_loop(sources: &Sources, lines: &[Line], quiet: &[bool]) -> usize {
    let Some(first) = lines.first().filter(|first| is_for(sources, first.span)) else { return 0 };
    let is_of_it = |(line, quiet): &(&Line, &bool)| {
        **quiet && line.pid == first.pid && first.span.start <= line.span.start && line.span.end <= first.span.end
    };
    let moves = lines.iter().zip(quiet).take_while(is_of_it).count();
    match lines.get(moves) {
        // A step is folded as a whole.
        Some(next) => lines[..moves].iter().rposition(|line| line.step != next.step).map_or(0, |last| last + 1),
        None => moves,
    }
}

/// Whether a statement is a `for`.
fn is_for(sources: &Sources, span: Span) -> bool {
    sources.text(Span { start: span.start, end: span.start + 1 }) == "for"
}

/// The rows of one step: of a long atomic sequence only its ends are shown, and what is not quiet.
fn inside_step(lines: &[Line], quiet: &[bool], single: impl Fn(&[Line]) -> Vec<Row>) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let is_same = |index: &usize| quiet[*index] && lines[*index].pid == lines[at].pid;
        let run = (at..lines.len()).take_while(is_same).count();
        // The first and the last say where it begins and ends.
        let inner = at + 1..(at + run).saturating_sub(1).max(at + 1);
        if inner.len() >= LEAST {
            rows.extend(single(&lines[at..=at]));
            rows.extend(Row::of(&lines[inner.clone()]));
            rows.extend(single(&lines[inner.end..at + run]));
            at += run;
        } else {
            rows.extend(single(&lines[at..at + run.max(1)]));
            at += run.max(1);
        }
    }
    rows
}

/// The changes of several moves, as one.
fn together(moves: &[Line]) -> Vec<Change> {
    let mut all: Vec<Change> = Vec::new();
    let mut known = fxhash::FxHashMap::default();
    for change in moves.iter().flat_map(|line| &line.changes) {
        let index = *known.entry((change.pid, change.name.clone())).or_insert(all.len());
        match all.get_mut(index) {
            Some(earlier) => earlier.to.clone_from(&change.to),
            None => all.push(change.clone()),
        }
    }
    all.retain(|change| moves.len() == 1 || change.from != change.to);
    all
}
