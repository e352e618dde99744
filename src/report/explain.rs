//! What is wrong, in one line with the values that decide it, and the same for machines.
//!
//! The values are read off the trace: it is followed to its last move, which is executed once more (`interp::inspect`).

use interp::inspect::failure::{Detail, Values};
use interp::inspect::trace::Trace;
use interp::inspect::waiting::{Reason, Waiting};
use interp::{Violation, ViolationKind};
use promela::source::Sources;
use serde::Serialize;

use super::trace::{self, Party};
use crate::load::Loaded;

/// A violation, explained.
#[derive(Default)]
pub struct Explained {
    /// In one line: what is violated, and with which values.
    pub message: String,
    pub values: JsonValues,
}

impl Explained {
    /// What stands at the place of the violation: the values.
    pub fn label(&self) -> String {
        let JsonValues { values, index, size, .. } = &self.values;
        match (values, index, size) {
            (Some(values), ..) => format!("here: {values}"),
            (None, Some(index), Some(size)) => format!("index {index}, size {size}"),
            _ => String::new(),
        }
    }
}

/// The values of a violation, for machines.
#[derive(Serialize, Default)]
pub struct JsonValues {
    /// The expression with values in the places of its operands.
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<String>,
    /// The operands that are not constants.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    operands: Vec<Operand>,
    /// An index outside of its array.
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<i32>,
    /// The size of that array.
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u32>,
    /// In a deadlock: the processes that are not at a valid end state.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    processes: Vec<Party>,
}

/// An operand and its value.
#[derive(Clone, Serialize, Debug)]
pub struct Operand {
    /// As written.
    pub expression: String,
    pub value: String,
}

/// A statement that a process waits at.
#[derive(Clone, Serialize, Debug)]
pub struct WaitsFor {
    /// As written.
    pub statement: String,
    pub line: u32,
    /// Why it cannot be executed.
    pub reason: String,
    /// The values of a guard's operands.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub operands: Vec<Operand>,
}

/// Explains a violation; with the trace that leads to it, by its values.
pub fn explain(loaded: &Loaded, violation: &Violation, trace: Option<&Trace>) -> Explained {
    let Loaded { model, sources, .. } = loaded;
    let plain = violation.kind.message();
    let Some(span) = violation.span else {
        let stuck = trace.filter(|_| violation.kind == ViolationKind::InvalidEndState);
        return stuck.map_or_else(
            || Explained { message: plain.to_owned(), ..Explained::default() },
            |trace| deadlock(loaded, trace),
        );
    };
    let statement = outside_parentheses(&trace::statement(sources, span)).to_owned();
    let failure = trace.and_then(|trace| model.failure(trace)).filter(|failure| failure.span == span);
    let mut values = JsonValues::default();
    let detail = match failure.map(|failure| failure.detail) {
        None | Some(Detail::None) => String::new(),
        Some(Detail::Values(Values { shown, operands })) => {
            values.operands = named(sources, &operands);
            values.values = Some(shown.clone());
            format!(" ({shown})")
        }
        Some(Detail::Index { index, size }) => {
            (values.index, values.size) = (Some(index), Some(size));
            format!(" (index {index}, size {size})")
        }
        Some(Detail::Fields { given, declared }) => format!(" ({given} here, {declared} in the channel)"),
    };
    let message = if statement.is_empty() { plain.to_owned() } else { format!("{plain}: {statement}{detail}") };
    Explained { message, values }
}

/// Which processes are stuck.
fn deadlock(loaded: &Loaded, trace: &Trace) -> Explained {
    let standing = trace::standing(&loaded.model, &loaded.sources, trace::last_state(trace));
    let stuck = standing.into_iter().filter(|standing| !standing.may_end);
    let processes: Vec<Party> =
        stuck.map(|standing| Party { pid: standing.pid as u8, process: standing.process }).collect();
    const MOST: usize = 6;
    let mut names: Vec<String> =
        processes.iter().take(MOST).map(|Party { pid, process }| format!("{process}({pid})")).collect();
    if processes.len() > MOST {
        names.push(format!("{} more", processes.len() - MOST));
    }
    let verb = if processes.len() == 1 { "is" } else { "are" };
    let message = match processes.is_empty() {
        true => ViolationKind::InvalidEndState.message().to_owned(),
        false => format!("deadlock: no process can move; {} {verb} not at a valid end state", names.join(", ")),
    };
    Explained { message, values: JsonValues { processes, ..JsonValues::default() } }
}

/// What a process waits for, statement by statement.
pub fn waits_for(sources: &Sources, waiting: Vec<Waiting>) -> Vec<WaitsFor> {
    let explained = waiting.into_iter().map(|Waiting { span, reason }| {
        let (reason, operands) = in_words(sources, reason);
        WaitsFor { statement: trace::statement(sources, span), line: sources.line(span), reason, operands }
    });
    explained.collect()
}

fn in_words(sources: &Sources, reason: Reason) -> (String, Vec<Operand>) {
    let guard = |values: Option<Values>, what: &str| match values {
        None => (format!("{what} false"), Vec::new()),
        Some(Values { shown, operands }) => (format!("{what} false ({shown})"), named(sources, &operands)),
    };
    let text = match reason {
        Reason::IsFalse(values) => return guard(values, "is"),
        Reason::NotProvided(values) => return guard(values, "is"),
        Reason::Empty => "the channel is empty".to_owned(),
        Reason::Full(1) => "the channel is full (1 message)".to_owned(),
        Reason::Full(messages) => format!("the channel is full ({messages} messages)"),
        Reason::NoMatch(None) => "no message in the channel matches".to_owned(),
        Reason::NoMatch(Some(fields)) => format!("the first message, [{}], does not match", fields.join(",")),
        Reason::NoReceiver => "no process is ready to receive".to_owned(),
        Reason::NoSender => "no process is ready to send".to_owned(),
        Reason::Younger => "processes created later have not ended".to_owned(),
    };
    (text, Vec::new())
}

fn named(sources: &Sources, operands: &[(promela::source::Span, String)]) -> Vec<Operand> {
    let operand =
        |(span, value): &(_, String)| Operand { expression: trace::statement(sources, *span), value: value.clone() };
    operands.iter().map(operand).collect()
}

/// An expression without parentheses around all of it.
pub fn outside_parentheses(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else { return text };
    let mut depth = 0_i32;
    for c in inner.chars() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth < 0 {
            return text;
        }
    }
    inner.trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_parentheses_around_all_of_it_go() {
        assert_eq!(outside_parentheses("(a == 1)"), "a == 1");
        assert_eq!(outside_parentheses("(a) == (b)"), "(a) == (b)");
        assert_eq!(outside_parentheses("a"), "a");
    }
}
