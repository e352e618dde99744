//! A trace as text: a table with a line for each move, and the locations of the processes at its end.

use std::io::Write;
use std::ops::Range;

use interp::inspect::trace::Trace;
use interp::{Violation, Word};
use promela::diagnostics::{Code, Diagnostic};
use promela::render;

use super::explain::{WaitsFor, explain};
use super::filter::Filter;
use super::fold::{self, Row};
use super::summary::bytes;
use super::trace::{self, Change, Line, Message, Standing, Truth};
use crate::load::Loaded;
use crate::property::formula::Atom;
use crate::terminal::trusted;

/// Steps shown at each end of a long trace.
const SHOWN_STEPS: usize = 100;

/// Without a code: there is nothing more to explain.
static VIOLATION: Code = Code { id: "", title: "", explanation: "" };

/// How much of a trace is shown.
#[derive(Clone, Copy, Debug)]
pub struct Extent<'a> {
    /// Every step of a long trace, and every move of a loop or an atomic sequence.
    pub full: bool,
    /// All variables at the end, and macros expanded.
    pub variables: bool,
    /// What is left out, if anything is.
    pub filter: Option<&'a Filter>,
}

/// Writes a trace and its end; after each step, which of the atoms have changed.
pub fn write(
    out: &mut impl Write,
    loaded: &Loaded,
    trace: &Trace,
    atoms: &[Atom],
    extent: Extent,
) -> std::io::Result<()> {
    let length = trace.steps.len();
    let shape = match trace.cycle_start {
        Some(start) if start == length => ", then its last state repeats".to_owned(),
        Some(start) => format!(", ending with a cycle of {}", steps(length - start)),
        None => String::new(),
    };
    let filter = extent.filter.filter(|filter| filter.is_used());
    let some = if filter.is_some() { " (some of them shown)" } else { "" };
    writeln!(out, "trace, {}{shape}{some}:", steps(length))?;
    if !atoms.is_empty() && !trace.initial.is_empty() {
        let initial = trace::atoms(&loaded.model, atoms, &trace.initial);
        writeln!(out, "    0   initially {}", truths(&initial))?;
    }
    let writer = Writer { loaded, trace, atoms, extent, filter };
    match filter.and_then(|filter| filter.steps.clone()) {
        Some(shown) => {
            writer.section(out, shown.start().saturating_sub(1).min(length)..(*shown.end()).min(length))?;
            if *shown.start() > length {
                writeln!(out, "     (it has no step {})", shown.start())?;
            }
        }
        None if extent.full || filter.is_some() || length <= 2 * SHOWN_STEPS => writer.section(out, 0..length)?,
        None => {
            let gap = SHOWN_STEPS..length - SHOWN_STEPS;
            writer.section(out, 0..gap.start)?;
            if trace.cycle_start.is_some_and(|start| gap.contains(&start)) {
                writeln!(out, "     (the cycle starts in the steps left out)")?;
            }
            writeln!(out, "     … {} left out (--full-trace shows them) …", steps(gap.len()))?;
            writer.section(out, gap.end..length)?;
        }
    }
    match trace.cycle_start {
        Some(start) if start == length => writeln!(out, "        <<the last state repeats forever>>")?,
        Some(start) => writeln!(out, "        <<cycle ends: step {} comes next>>", start + 1)?,
        None => {}
    }
    let last = trace::last_state(trace);
    if !last.is_empty() {
        writeln!(out, "at the end:")?;
        locations(out, &trace::ending(loaded, trace))?;
        if extent.variables {
            variables(out, loaded, last)?;
        }
    }
    writeln!(out)
}

/// `1 step`.
fn steps(count: usize) -> String {
    format!("{count} step{}", if count == 1 { "" } else { "s" })
}

/// Writes the steps of one trace.
struct Writer<'a> {
    loaded: &'a Loaded,
    trace: &'a Trace,
    atoms: &'a [Atom],
    extent: Extent<'a>,
    filter: Option<&'a Filter>,
}

impl Writer<'_> {
    /// Writes some steps, and where a cycle starts among them.
    fn section(&self, out: &mut impl Write, steps: Range<usize>) -> std::io::Result<()> {
        let mut from = steps.start;
        if let Some(start) = self.trace.cycle_start.filter(|start| steps.contains(start)) {
            self.moves(out, from..start)?;
            writeln!(out, "        <<cycle starts>>")?;
            from = start;
        }
        self.moves(out, from..steps.end)
    }

    fn moves(&self, out: &mut impl Write, steps: Range<usize>) -> std::io::Result<()> {
        let Loaded { model, sources, .. } = self.loaded;
        let mut lines = trace::lines(model, sources, self.trace, self.atoms, steps.clone());
        // What was true before is not said again.
        let state = steps.start.checked_sub(1).and_then(|step| self.trace.steps[step].states.last());
        let mut before = trace::atoms(model, self.atoms, state.unwrap_or(&self.trace.initial));
        for line in lines.iter_mut().filter(|line| !line.atoms.is_empty()) {
            let now = std::mem::take(&mut line.atoms);
            line.atoms =
                now.iter().zip(&before).filter(|(now, before)| now != before).map(|(now, _)| now.clone()).collect();
            before = now;
        }
        if let Some(filter) = self.filter {
            lines = lines.into_iter().filter_map(|line| filter.keep(line)).collect();
        }
        table(out, &fold::rows(sources, lines, self.extent.full || self.filter.is_some()), self.extent.variables)
    }
}

/// `{p, !q}`.
fn truths(atoms: &[Truth]) -> String {
    let is_name = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '_');
    let sign = |truth: &Truth| match truth.holds {
        true => truth.atom.clone(),
        false if is_name(&truth.atom) || truth.atom.starts_with('(') => format!("!{}", truth.atom),
        false => format!("!({})", truth.atom),
    };
    format!("{{{}}}", atoms.iter().map(sign).collect::<Vec<_>>().join(", "))
}

/// Writes the locations of the processes in a state.
pub fn standing(out: &mut impl Write, loaded: &Loaded, state: &[Word]) -> std::io::Result<()> {
    locations(out, &trace::standing(&loaded.model, &loaded.sources, state))
}

/// Writes the locations of processes, and what each waits for.
pub fn locations(out: &mut impl Write, standing: &[Standing]) -> std::io::Result<()> {
    let who = |standing: &Standing| format!("{}({})", standing.process, standing.pid);
    let width = standing.iter().map(|standing| who(standing).chars().count()).max().unwrap_or(0).clamp(8, 24);
    for process in standing {
        let Standing { file, line, statement, may_end, waits, .. } = process;
        let end = match may_end {
            true if statement == trace::END => "  (terminated)",
            true => "  (valid end state)",
            false => "",
        };
        let waits: &[WaitsFor] = if statement == trace::END && *may_end { &[] } else { waits };
        let reason = match waits {
            [only] if only.statement == *statement => format!("  (waits: {})", only.reason),
            _ => String::new(),
        };
        // The options follow.
        let choice = statement.get(..2).filter(|_| waits.len() > 1 && statement.get(2..6) == Some(" :: "));
        let statement = choice.map_or_else(|| statement.clone(), |word| format!("{word} :: …"));
        writeln!(out, "     {:<width$}  {file}:{line}  {statement}{end}{reason}", who(process))?;
        for wait in waits.iter().filter(|_| reason.is_empty()) {
            let WaitsFor { statement, line: at, reason, .. } = wait;
            let verb = if reason.starts_with("is ") { "" } else { ":" };
            let at = if at == line { String::new() } else { format!(" (line {at})") };
            writeln!(out, "     {:width$}    waits: `{statement}`{at}{verb} {reason}", "")?;
        }
    }
    Ok(())
}

/// Writes all variables and the contents of all channels.
pub fn variables(out: &mut impl Write, loaded: &Loaded, state: &[Word]) -> std::io::Result<()> {
    if state.is_empty() {
        return Ok(());
    }
    let Some(views) = trace::values(&loaded.model, state) else {
        return writeln!(out, "     (a state of {} is not listed by value)", bytes(size_of_val(state)));
    };
    for view in views {
        let owner = view.pid.map_or_else(String::new, |pid| format!("({pid}) "));
        writeln!(out, "     {owner}{} = {}", view.name, view.value)?;
    }
    Ok(())
}

/// Writes a trace, or why there is none, and the violation.
pub fn found(
    out: &mut impl Write,
    loaded: &Loaded,
    trace: Result<&Trace, &String>,
    violation: &Violation,
    (extent, colour): (Extent, bool),
) -> std::io::Result<()> {
    match trace {
        Ok(trace) => write(out, loaded, trace, &[], extent)?,
        Err(lost) => writeln!(out, "(no trace: {lost})")?,
    }
    self::violation(out, loaded, violation, trace.ok(), colour)
}

/// Writes what is wrong, with the source.
pub fn violation(
    out: &mut impl Write,
    loaded: &Loaded,
    violation: &Violation,
    trace: Option<&Trace>,
    colour: bool,
) -> std::io::Result<()> {
    let explained = explain(loaded, violation, trace);
    match violation.span {
        Some(span) => {
            let finding = Diagnostic::error(&VIOLATION, violation.kind.message()).at(span, explained.label());
            write!(out, "{}", trusted(&render::to_text(&loaded.sources, &finding, colour)))
        }
        None => writeln!(out, "error: {}\n", explained.message),
    }
}

/// Writes moves, each in a row of its own.
pub fn moves(out: &mut impl Write, loaded: &Loaded, lines: Vec<Line>) -> std::io::Result<()> {
    table(out, &fold::rows(&loaded.sources, lines, true), false)
}

/// Writes rows in columns. The moves of one step are tied together at the left.
pub fn table(out: &mut impl Write, rows: &[Row], expand: bool) -> std::io::Result<()> {
    let who = |row: &Row| format!("{}({})", row.line.process, row.line.pid);
    let place = |row: &Row| format!("{}:{}", row.line.file, row.line.line);
    let statement = |row: &Row| match &row.line.expanded {
        Some(expanded) if expand => expanded.clone(),
        _ => row.line.statement.clone(),
    };
    let width = |text: &dyn Fn(&Row) -> String| rows.iter().map(|row| text(row).chars().count()).max().unwrap_or(0);
    let (who_width, place_width) = (width(&who), width(&place));
    let statement_width = width(&statement).min(40);
    for step in rows.chunk_by(|a, b| a.last_step == b.line.step) {
        for (nth, row) in step.iter().enumerate() {
            let number = if nth == 0 { row.line.step.to_string() } else { String::new() };
            let tie = match (nth, step.len()) {
                (_, 1) => ' ',
                (0, _) => '┌',
                (nth, len) if nth + 1 == len => '└',
                _ => '│',
            };
            let statement = match row.count {
                1 => statement(row),
                count if row.last_step > row.line.step => {
                    format!("{}  … to step {}, {count} moves", statement(row), row.last_step)
                }
                count => format!("{}  … {count} moves to line {}", statement(row), row.last_line),
            };
            let text = format!(
                "{number:>5} {tie} {:who_width$}  {:place_width$}  {statement:statement_width$}  {}",
                who(row),
                place(row),
                effects(&row.line)
            );
            writeln!(out, "{}", text.trim_end())?;
            for printed in row.line.printed.lines() {
                let tie = if nth + 1 < step.len() { '│' } else { ' ' };
                writeln!(out, "      {tie}   prints: {printed}")?;
            }
        }
    }
    Ok(())
}

/// What a move says and changes. The contents of a channel are not repeated where the message is shown.
fn effects(line: &Line) -> String {
    let spoken = |change: &&Change| line.messages.iter().any(|message| message.channel == change.name);
    let messages = line.messages.iter().map(message);
    let changes = line.changes.iter().filter(|change| !spoken(change)).map(|change| value(change, line.pid));
    let effects = messages.chain(changes).collect::<Vec<_>>().join(", ");
    match line.atoms.is_empty() {
        true => effects,
        false => format!("{effects:<24}  {}", truths(&line.atoms)).trim_start().to_owned(),
    }
}

/// `c ← [ack,3]` for a send, `c → [ack,3]` for a receive.
pub fn message(message: &Message) -> String {
    let Message { channel, partner, .. } = message;
    let fields = message.fields.join(",");
    let (arrow, toward) = match message.direction {
        "send" => ('←', "to"),
        _ => ('→', "from"),
    };
    let stays = if message.direction == "copy" { " (stays)" } else { "" };
    let partner = partner.as_ref().map(|party| format!(" {toward} {}({})", party.process, party.pid));
    format!("{channel} {arrow} [{fields}]{}{stays}", partner.unwrap_or_default())
}

fn value(change: &Change, mover: u8) -> String {
    let owner = match change.pid {
        Some(pid) if pid != usize::from(mover) => format!("({pid})"),
        _ => String::new(),
    };
    let to = change.to.as_deref().unwrap_or("-");
    match &change.from {
        None => format!("{owner}{} = {to}", change.name),
        Some(from) => format!("{owner}{}: {from} → {to}", change.name),
    }
}
