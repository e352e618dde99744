//! A trace as text: a table with a line for each move, and the locations of the processes at its end.

use std::io::Write;
use std::ops::Range;

use interp::inspect::trace::Trace;
use interp::{Violation, Word};
use promela::diagnostics::{Code, Diagnostic};
use promela::render;
use promela::source::Sources;
use sweep::Found;

use super::summary::bytes;
use super::trace::{self, Change, Line, Message, Standing, Truth};
use crate::cli::CheckArgs;
use crate::load::Loaded;
use crate::property::formula::Atom;
use crate::terminal::trusted;

/// Steps shown at each end of a long trace.
const SHOWN_STEPS: usize = 100;

/// Without a code: there is nothing more to explain.
static VIOLATION: Code = Code { id: "", title: "", explanation: "" };

/// How much of a trace is shown.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Every step of a long trace, not only its ends.
    pub full: bool,
    /// All variables at the end.
    pub variables: bool,
}

impl Extent {
    /// What the options of `psw check` say.
    pub fn of(args: &CheckArgs) -> Self {
        Self { full: args.full_trace, variables: args.verbose }
    }
}

/// Writes a trace and its end; after each step, which of the atoms hold.
pub fn write(
    out: &mut impl Write,
    loaded: &Loaded,
    trace: &Trace,
    atoms: &[Atom],
    extent: Extent,
) -> std::io::Result<()> {
    let length = trace.steps.len();
    let plural = if length == 1 { "" } else { "s" };
    let shape = match trace.cycle_start {
        Some(start) if start == length => ", then its last state repeats",
        Some(_) => ", ending with a cycle",
        None => "",
    };
    writeln!(out, "trace, {length} step{plural}{shape}:")?;
    if !atoms.is_empty() && !trace.initial.is_empty() {
        let initial = trace::atoms(&loaded.model, atoms, &trace.initial);
        writeln!(out, "    0   initially {}", truths(&initial))?;
    }
    let gap = match extent.full || length <= 2 * SHOWN_STEPS {
        true => length..length,
        false => SHOWN_STEPS..length - SHOWN_STEPS,
    };
    section(out, loaded, trace, atoms, 0..gap.start)?;
    if !gap.is_empty() {
        if trace.cycle_start.is_some_and(|start| gap.contains(&start)) {
            writeln!(out, "     (the cycle starts in the steps left out)")?;
        }
        writeln!(out, "     … {} steps left out (--full-trace shows them) …", gap.len())?;
        section(out, loaded, trace, atoms, gap.end..length)?;
    }
    match trace.cycle_start {
        Some(start) if start == length => writeln!(out, "        <<the last state repeats forever>>")?,
        Some(start) => writeln!(out, "        <<cycle ends: step {} comes next>>", start + 1)?,
        None => {}
    }
    let last = trace::last_state(trace);
    if !last.is_empty() {
        writeln!(out, "at the end:")?;
        standing(out, loaded, last)?;
        if extent.variables {
            variables(out, loaded, last)?;
        }
    }
    writeln!(out)
}

/// Writes some steps, and where a cycle starts among them.
fn section(
    out: &mut impl Write,
    loaded: &Loaded,
    trace: &Trace,
    atoms: &[Atom],
    steps: Range<usize>,
) -> std::io::Result<()> {
    let Loaded { model, sources, .. } = loaded;
    let mut from = steps.start;
    if let Some(start) = trace.cycle_start.filter(|start| steps.contains(start)) {
        table(out, &trace::lines(model, sources, trace, atoms, from..start))?;
        writeln!(out, "        <<cycle starts>>")?;
        from = start;
    }
    table(out, &trace::lines(model, sources, trace, atoms, from..steps.end))
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

/// Writes the locations of the processes.
pub fn standing(out: &mut impl Write, loaded: &Loaded, state: &[Word]) -> std::io::Result<()> {
    for standing in trace::standing(&loaded.model, &loaded.sources, state) {
        let Standing { pid, process, file, line, statement, may_end } = standing;
        let end = match may_end {
            true if statement == trace::END => "  (terminated)",
            true => "  (valid end state)",
            false => "",
        };
        writeln!(out, "     {:<16} {file}:{line}  {statement}{end}", format!("{process}({pid})"))?;
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

/// Writes the trace to a violation, and the violation.
pub fn found(
    out: &mut impl Write,
    loaded: &Loaded,
    found: &Found<Violation>,
    extent: Extent,
    colour: bool,
) -> std::io::Result<()> {
    match trace::replayed(loaded, found) {
        Ok(trace) => write(out, loaded, &trace, &[], extent)?,
        Err(lost) => writeln!(out, "(no trace: {lost})")?,
    }
    violation(out, &loaded.sources, &found.violation, colour)
}

/// Writes what is wrong, with the source.
pub fn violation(out: &mut impl Write, sources: &Sources, violation: &Violation, colour: bool) -> std::io::Result<()> {
    let message = violation.kind.message();
    match violation.span {
        Some(span) => {
            let finding = Diagnostic::error(&VIOLATION, message).at(span, "");
            write!(out, "{}", trusted(&render::to_text(sources, &finding, colour)))
        }
        None => writeln!(out, "error: {message}\n"),
    }
}

/// Writes lines in columns. The moves of one step are tied together at the left.
pub fn table(out: &mut impl Write, lines: &[Line]) -> std::io::Result<()> {
    let who = |line: &Line| format!("{}({})", line.process, line.pid);
    let place = |line: &Line| format!("{}:{}", line.file, line.line);
    let width = |text: &dyn Fn(&Line) -> String| lines.iter().map(|line| text(line).chars().count()).max().unwrap_or(0);
    let (who_width, place_width) = (width(&who), width(&place));
    let statement_width = lines.iter().map(|line| line.statement.chars().count()).max().unwrap_or(0).min(40);
    for step in lines.chunk_by(|a, b| a.step == b.step) {
        for (nth, line) in step.iter().enumerate() {
            let number = if nth == 0 { line.step.to_string() } else { String::new() };
            let tie = match (nth, step.len()) {
                (_, 1) => ' ',
                (0, _) => '┌',
                (nth, len) if nth + 1 == len => '└',
                _ => '│',
            };
            let text = format!(
                "{number:>5} {tie} {:who_width$}  {:place_width$}  {:statement_width$}  {}",
                who(line),
                place(line),
                line.statement,
                effects(line)
            );
            writeln!(out, "{}", text.trim_end())?;
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
