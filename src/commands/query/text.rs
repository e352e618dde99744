//! The answers for people: question by question, then the statistics of the search.

use std::io::Write;

use interp::Word;
use sweep::Trace;

use super::Report;
use super::answers::{End, Extremes, Histogram, Sought, end};
use super::contents::Contents;
use super::variables::{Bounds, What};
use crate::report::steps::{self, Extent};
use crate::report::summary::{self, Hue};
use crate::report::trace;

/// Writes the report.
pub fn write(out: &mut impl Write, report: &Report, colour: bool) -> anyhow::Result<()> {
    if let Some(cutoff) = report.cutoff {
        cutoff.write_inconsistent(out, report.loaded)?;
    }
    let answers = report.answers;
    for sought in &answers.sought {
        write_sought(out, report, sought)?;
    }
    for extremes in &answers.bounds {
        write_extremes(out, report, extremes)?;
    }
    for histogram in &answers.histograms {
        write_histogram(out, report, histogram)?;
    }
    for contents in &answers.channels {
        write_contents(out, report, contents)?;
    }
    if let Some(variables) = &answers.variables {
        write_variables(out, report, &variables.bounds())?;
    }
    write_dead(out, report)?;
    write_summary(out, report, colour)?;
    Ok(())
}

/// `3 states`.
fn states(count: u64) -> String {
    format!("{count} state{}", if count == 1 { "" } else { "s" })
}

fn write_sought(out: &mut impl Write, report: &Report, sought: &Sought) -> std::io::Result<()> {
    let Sought { expression, holding, found } = sought;
    let (option, yes, no) = match holding {
        true => ("reachable", "yes", "no"),
        false => ("invariant", "VIOLATED", "holds"),
    };
    let answer = match (found.any(), report.is_complete()) {
        (true, _) => yes,
        (false, true) => no,
        (false, false) => "not decided: not found in the states visited",
    };
    let count = match report.count(found).filter(|_| found.any()) {
        Some(count) => format!(", in {}", states(count)),
        None if found.any() && report.reduction.is_used() => String::new(),
        None if found.any() => ", in a number of states that this search does not know".to_owned(),
        None => String::new(),
    };
    writeln!(out, "{option} '{}': {answer}{count}", expression.text)?;
    for (state, way) in found.shown() {
        write_way(out, report, Some(state), &way)?;
    }
    if found.shown().next().is_none() { writeln!(out) } else { Ok(()) }
}

fn write_extremes(out: &mut impl Write, report: &Report, extremes: &Extremes) -> std::io::Result<()> {
    let Extremes { expression, least, greatest } = extremes;
    let (Some(least), Some(greatest)) = (least, greatest) else {
        return writeln!(out, "bounds of '{}': none, no state was seen\n", expression.text);
    };
    let show = |value| show(report, expression.ty, value);
    if least.value == greatest.value {
        return writeln!(out, "bounds of '{}': always {}\n", expression.text, show(least.value));
    }
    writeln!(out, "bounds of '{}': {} to {}", expression.text, show(least.value), show(greatest.value))?;
    for (end, name) in [(least, "least"), (greatest, "greatest")] {
        writeln!(out, "the {name} value, {}:", show(end.value))?;
        if let Some(way) = &end.way {
            write_way(out, report, None, way)?;
        }
    }
    Ok(())
}

fn show(report: &Report, ty: Option<promela::model::BasicType>, value: i32) -> String {
    ty.map_or_else(|| value.to_string(), |ty| report.loaded.model.show_value(ty, value))
}

/// Writes a trace, which must lead to this state.
fn write_way(out: &mut impl Write, report: &Report, state: Option<&[Word]>, way: &Trace) -> std::io::Result<()> {
    let extent = Extent { full: report.args.full_trace, variables: report.args.verbose, filter: None };
    match trace::followed(report.loaded, state, way) {
        Ok(trace) => steps::write(out, report.loaded, &trace, &[], extent),
        Err(lost) => writeln!(out, "(no trace: {lost})\n"),
    }
}

fn write_histogram(out: &mut impl Write, report: &Report, histogram: &Histogram) -> std::io::Result<()> {
    let Histogram { expression, states, others } = histogram;
    let count = states.len();
    writeln!(out, "histogram of '{}': {count} value{}", expression.text, if count == 1 { "" } else { "s" })?;
    let known = report.outcome.stats.distinct.is_some();
    if !known {
        writeln!(
            out,
            "     (this search may visit states again and does not know how many there are; --search bfs does)"
        )?;
    }
    let mut rows: Vec<(i32, u64)> = states.iter().map(|(&value, &states)| (value, states)).collect();
    rows.sort_unstable();
    let width = rows.iter().map(|&(value, _)| show(report, expression.ty, value).chars().count()).max().unwrap_or(0);
    for (value, states) in rows {
        let states = if known { states.to_string() } else { "?".to_owned() };
        writeln!(out, "     {:>width$}  {states}", show(report, expression.ty, value))?;
    }
    if *others > 0 {
        writeln!(out, "     (more values: {others})")?;
    }
    writeln!(out)
}

fn write_contents(out: &mut impl Write, report: &Report, contents: &Contents) -> std::io::Result<()> {
    let copies = contents.copies(&report.loaded.model);
    let text = &contents.text;
    match (contents.existed(), copies.is_empty()) {
        (false, _) => writeln!(out, "channel {text}: it never exists")?,
        (true, true) => writeln!(out, "channel {text}: always empty")?,
        (true, false) => writeln!(out, "channel {text}: copies of each message")?,
    }
    let rows: Vec<String> = copies.iter().map(|copies| format!("[{}]", copies.message.join(","))).collect();
    let width = rows.iter().map(|row| row.chars().count()).max().unwrap_or(0);
    for (row, copies) in rows.iter().zip(&copies) {
        writeln!(out, "     {row:<width$}  {} to {}", copies.least, copies.greatest)?;
    }
    if contents.overflowed {
        writeln!(out, "     (and more messages)")?;
    }
    writeln!(out)
}

/// A variable as it is written in an expression.
pub fn name(bounds: &Bounds) -> String {
    let name = match &bounds.owner {
        Some((pid, process)) => format!("{process}[{pid}]:{}", bounds.name),
        None => bounds.name.clone(),
    };
    if bounds.what == What::Length { format!("len({name})") } else { name }
}

fn write_variables(out: &mut impl Write, report: &Report, all: &[&Bounds]) -> std::io::Result<()> {
    writeln!(out, "least and greatest values:")?;
    let width = all.iter().map(|bounds| name(bounds).chars().count()).max().unwrap_or(0);
    for bounds in all {
        let show = |value| match bounds.what {
            What::Variable(ty) => report.loaded.model.show_value(ty, value),
            What::Length => value.to_string(),
        };
        let range = match bounds.range {
            None => "never there".to_owned(),
            Some((least, greatest)) if least == greatest => format!("always {}", show(least)),
            Some((least, greatest)) => format!("{} to {}", show(least), show(greatest)),
        };
        writeln!(out, "     {:<width$}  {range}", name(bounds))?;
    }
    writeln!(out)
}

fn write_dead(out: &mut impl Write, report: &Report) -> std::io::Result<()> {
    let Some(dead) = &report.answers.dead else { return Ok(()) };
    let model = &report.loaded.model;
    let count = |kind| dead.count(kind, model, report.outcome);
    match (count(End::Valid), count(End::Invalid), count(End::Failing)) {
        (Some(valid), Some(invalid), Some(failing)) => {
            let failing = if failing > 0 { format!(", {failing} where every step is an error") } else { String::new() };
            let all = dead.all.count(report.outcome).unwrap_or_default();
            writeln!(out, "dead states: {all} ({valid} valid and {invalid} invalid end states{failing})")?;
        }
        _ => writeln!(out, "dead states: at least {}", dead.all.kept.len())?,
    }
    let mut scratch = Default::default();
    for (nth, (state, way)) in dead.all.shown().enumerate() {
        let kind = match end(model, state, &mut scratch) {
            End::Valid => "valid end state",
            End::Invalid => "INVALID end state",
            End::Failing => "every step is an error",
        };
        let steps = way.as_ref().map_or_else(ToString::to_string, |events| format!("after {} steps", events.len()));
        writeln!(out, "{:>5}  {kind}, {steps}", nth + 1)?;
        steps::standing(out, report.loaded, state)?;
        steps::variables(out, report.loaded, state)?;
        if report.args.verbose {
            write_way(out, report, Some(state), &way)?;
        }
    }
    writeln!(out)
}

fn write_summary(out: &mut impl Write, report: &Report, colour: bool) -> std::io::Result<()> {
    let (hue, word) = match report.outcome.stopped {
        _ if report.is_violated() => (Hue::Red, "VIOLATED"),
        None => (Hue::Green, "answered"),
        Some(_) => (Hue::Yellow, "STOPPED"),
    };
    let word = summary::paint(word, hue, colour);
    let detail = match report.outcome.stopped {
        None => String::new(),
        Some(reason) => format!(", {reason}: the answers are about the states visited until then"),
    };
    writeln!(out, "{}: {word}{detail}", report.args.model.model.display())?;
    let extent = match report.cutoff {
        _ if !report.is_complete() => "the states visited before it stopped",
        None => "all reachable states",
        Some(_) => "one state of each equivalence class",
    };
    summary::row(out, "visited", extent)?;
    if report.args.verbose {
        summary::search(out, report.search, &report.outcome.stats, report.measure)?;
        summary::row(out, "reduction", &report.reduction.sentence())?;
    }
    summary::numbers(out, &report.outcome.stats, report.args.verbose)?;
    if let Some(cutoff) = report.cutoff {
        cutoff.write_numbers(out)?;
    }
    if report.outcome.stats.errors > 0 {
        summary::row(out, "", "in the model itself; psw check reports them")?;
    }
    match &report.unreached {
        Some(unreached) if unreached.processes.is_empty() && unreached.never_end.is_empty() => {
            summary::row(out, "unreached", "nothing: every statement is executed")
        }
        Some(unreached) => summary::unreached(out, unreached, report.args.verbose),
        None if report.args.dead_code => {
            summary::row(out, "unreached", "not known: only a complete search can tell what is never executed")
        }
        None => Ok(()),
    }
}
