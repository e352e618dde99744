//! The end of the report for people: the verdict, what was checked and what was not, the numbers, what was not reached.

use std::io::Write;

use sweep::{EdgeStats, ExternalStats, HashedTable, Stats, StopReason, Verdict};

use super::{Report, properties, search_phrase, state_bytes};
use crate::cli::{ChosenOrder, DEFAULT};
use crate::property::search::Answer;
use crate::report::unreached::{Unreached, UnreachedIn, UnreachedStatement};
use crate::search::measure::MeasureReport;
use crate::terminal::trusted;

/// Unreached statements shown without `-v`.
const SHOWN_UNREACHED: usize = 20;
/// What to do with a model that has too many states.
const ADVICE: &str = "smaller constants, --ignore for what changes nothing, or a cut-off make it smaller; psw hunt looks for bugs as it is";
/// A run shorter than this, in seconds, says nothing about speed.
const NO_RATE: f64 = 0.1;

/// Writes it.
pub fn write(out: &mut impl Write, report: &Report, colour: bool) -> std::io::Result<()> {
    headline(out, report, colour)?;
    extent(out, report)?;
    numbers(out, &report.outcome.stats)?;
    if let Some(cutoff) = report.cutoff {
        cutoff.write_numbers(out)?;
    }
    if let Some(found) = &report.unreached {
        unreached(out, found, report.options.verbose)?;
    }
    for code in report.differences {
        writeln!(out, "note[{}]: difference from SPIN: {} (psw explain {})", code.id, code.title, code.id)?;
    }
    Ok(())
}

/// What colours say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hue {
    /// Good.
    Green,
    /// Bad.
    Red,
    /// Neither.
    Yellow,
}

/// A word in bold colour, if there are colours.
pub fn paint(word: &str, hue: Hue, colour: bool) -> String {
    let code = match hue {
        Hue::Red => 31,
        Hue::Green => 32,
        Hue::Yellow => 33,
    };
    if colour { trusted(&format!("\x1b[1;{code}m{word}\x1b[0m")) } else { word.to_owned() }
}

fn headline(out: &mut impl Write, report: &Report, colour: bool) -> std::io::Result<()> {
    let (hue, verdict, detail) = match report.verdict() {
        Verdict::Violated => {
            let errors = report.outcome.stats.errors;
            let count = if errors > 1 { format!(" ({errors} violations in all)") } else { String::new() };
            let first =
                report.outcome.violations.first().map(|found| found.violation.kind.message().to_owned() + &count);
            let violated = report.answers.iter().filter(|answer| answer.outcome.verdict() == Verdict::Violated);
            let named = violated.map(|answer| answer.property.name.clone());
            (Hue::Red, "VIOLATED", format!(": {}", first.into_iter().chain(named).collect::<Vec<_>>().join("; ")))
        }
        Verdict::Holds => (Hue::Green, "holds", String::new()),
        Verdict::Stopped(reason) => (Hue::Yellow, "STOPPED", format!(", no verdict: {reason}")),
    };
    let verdict = paint(verdict, hue, colour);
    writeln!(out, "{}: {verdict}{detail}", report.file.display())?;
    match &report.growth {
        Some(growth) => {
            row(out, "what grew", growth)?;
            row(out, "", ADVICE)
        }
        None => Ok(()),
    }
}

/// One fact.
pub fn row(out: &mut impl Write, name: &str, fact: &str) -> std::io::Result<()> {
    writeln!(out, "  {name:<11}  {fact}")
}

/// What was checked, in which states, and what was not.
fn extent(out: &mut impl Write, report: &Report) -> std::io::Result<()> {
    let options = report.options;
    let mut checked = Vec::new();
    let mut left_out: Vec<&str> = Vec::new();
    let checks =
        [(!options.no_assertions, "assertions"), (!options.no_end_states, "end states"), (true, "run-time errors")];
    for (on, what) in checks {
        if on { checked.push(what) } else { left_out.push(what) }
    }
    left_out.extend(report.unchecked.iter().map(String::as_str));
    let states = match (report.outcome.verdict(), report.outcome.stopped) {
        (Verdict::Violated, _) if !options.all_errors => "up to the first violation",
        (_, Some(StopReason::Hashed)) => "in the states visited",
        (_, Some(_)) => "in the states visited before it stopped",
        _ if report.cutoff.is_some() => "in one state of each equivalence class",
        _ => "in all reachable states",
    };
    row(out, "checked", &format!("{}, {states}", list(&checked)))?;
    if !left_out.is_empty() {
        row(out, "NOT checked", &list(&left_out))?;
    }
    for answer in report.answers {
        property(out, answer)?;
    }
    let chosen = report.options.order();
    match &report.hunt {
        Some(hunt) if hunt.found.is_some() => {
            row(
                out,
                "search",
                &format!("depth-first hunt, before the {} that was not needed", search_phrase(chosen.order)),
            )?;
        }
        _ => search(out, chosen, &report.outcome.stats, report.measure)?,
    }
    if let Some(hunt) = &report.hunt {
        row(out, "hunt", &hunt.sentence())?;
    }
    row(out, "reduction", &report.reduction.sentence())
}

/// A temporal property, what is known about it, and what that took.
fn property(out: &mut impl Write, answer: &Answer) -> std::io::Result<()> {
    let name = &answer.property.name;
    let formula = answer.property.formula().map(|formula| format!(": {formula}")).unwrap_or_default();
    let stats = &answer.outcome.stats;
    let verdict = properties::verdict(answer, false);
    row(out, "property", &format!("{name}{formula}"))?;
    if answer.never_begun().is_some() {
        return row(out, "", &format!("  {verdict}"));
    }
    row(
        out,
        "",
        &format!(
            "  {verdict} ({} states of the product visited, at most {} stored, {:.2} s)",
            stats.expanded,
            stats.peak_states,
            stats.elapsed.as_secs_f64()
        ),
    )?;
    row(out, "", &format!("  reduction {}", answer.reduction.sentence()))?;
    for sentence in &answer.vacuous {
        row(out, "", &format!("  vacuous: {sentence}"))?;
    }
    Ok(())
}

/// The search and its measure, each with the reason.
pub fn search(
    out: &mut impl Write,
    chosen: ChosenOrder,
    stats: &Stats,
    progress: &MeasureReport,
) -> std::io::Result<()> {
    let ChosenOrder { order, reason: why } = chosen;
    let phrase = search_phrase(order);
    let sweep = &stats.sweep;
    if sweep.sweeps == 0 {
        return row(out, "search", &format!("{phrase} ({why})"));
    }
    if sweep.layers == 1 && progress.demoted.is_empty() {
        let reason = &progress.reason;
        let phrase = if why == DEFAULT { String::new() } else { format!("{phrase} ({why}), ") };
        return row(out, "search", &format!("{phrase}breadth-first ({reason})"));
    }
    row(out, "search", &format!("{phrase} ({why})"))?;
    row(out, "measure", &format!("{} ({})", progress.measure, progress.reason))?;
    for demoted in &progress.demoted {
        row(out, "", &format!("{demoted} turned out not to be monotone"))?;
    }
    match &progress.rejected {
        Some(rejected) => row(out, "rejected", rejected),
        None => Ok(()),
    }
}

/// `a, b and c`.
fn list<S: AsRef<str>>(names: &[S]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.concat(),
    }
}

/// What the search counted.
pub fn numbers(out: &mut impl Write, stats: &Stats) -> std::io::Result<()> {
    let plural = if stats.transitions == 1 { "" } else { "s" };
    let (stored, transitions, depth) = (stats.states, stats.transitions, stats.depth);
    let states = match (stats.distinct, stats.estimate) {
        (Some(distinct), _) if distinct == stored => format!("{distinct} stored"),
        (Some(distinct), _) => format!("{distinct} distinct, {stored} stored"),
        (None, Some(estimate)) => format!("about {} distinct, {stored} stored", estimate.min(stored)),
        (None, None) => format!("{stored} stored, some of them more than once"),
    };
    row(out, "states", &format!("{states}, {transitions} transition{plural}, depth {depth}"))?;
    if let Some(table) = stats.hashed {
        hashed(out, stats, table)?;
    }
    if stats.sweep.layers > 1 {
        sweep(out, stats)?;
    }
    if let Some(external) = &stats.external {
        on_disk(out, stats, external)?;
    }
    if stats.errors > 0 {
        row(out, "violations", &stats.errors.to_string())?;
    }
    let peak = bytes(stats.peak_bytes);
    row(out, "memory", &format!("{peak} at peak, {} bytes per state", state_bytes(stats)))?;
    let seconds = stats.elapsed.as_secs_f64();
    let rate = match seconds < NO_RATE {
        true => String::new(),
        false => format!(", {:.0} states/s", stats.states as f64 / seconds),
    };
    row(out, "time", &format!("{seconds:.2} s{rate}"))
}

/// The statistics of a sweep.
fn sweep(out: &mut impl Write, stats: &Stats) -> std::io::Result<()> {
    let sweep = stats.sweep;
    let all = stats.distinct.or(stats.estimate).unwrap_or(stats.states).max(1);
    let share = 100.0 * stats.peak_states as f64 / all as f64;
    let expanded = stats.expanded as f64 / all as f64;
    let peak = stats.peak_states;
    row(
        out,
        "peak",
        &format!("{peak} states stored at a time, {share:.1} % of all; {expanded:.2} expansions per state"),
    )?;
    let plural = |count: u64, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let sweeps = plural(sweep.sweeps, "sweep");
    let (columns, layers) = (plural(sweep.columns, "column"), plural(sweep.layers, "layer"));
    let persistent = plural(sweep.persistent, "persistent state");
    row(out, "sweeps", &format!("{sweeps} over {columns} and {layers}, {persistent}"))?;
    let EdgeStats { forward, stationary, regress } = sweep.edges;
    row(out, "edges", &format!("{forward} forward, {stationary} stationary, {regress} regress"))
}

/// What remembers the hashes of states, and what that has cost.
fn hashed(out: &mut impl Write, stats: &Stats, table: HashedTable) -> std::io::Result<()> {
    let omitted = table.expected_omissions(stats.states);
    let omitted = match omitted {
        _ if omitted < 0.01 => "hardly any state was left out".to_owned(),
        _ if omitted < 10.0 => format!("about {omitted:.2} states were left out, and what is behind them"),
        _ => format!("about {omitted:.0} states were left out, and what is behind them"),
    };
    let kept = match (table, table.fill(stats.states)) {
        (HashedTable::Bits(size), Some(fill)) => {
            format!("3 bits of each state in {}, {:.1} % of them set", bytes(size), 100.0 * fill)
        }
        _ => "8 bytes of each state".to_owned(),
    };
    row(out, "hashing", &format!("{kept}: {omitted}"))
}

/// What a search read and wrote.
fn on_disk(out: &mut impl Write, stats: &Stats, external: &ExternalStats) -> std::io::Result<()> {
    let disk = external.disk;
    let size = |count: u64| bytes(count as usize);
    if stats.sweep.layers <= 1 {
        row(out, "peak", &format!("{} states in memory at a time", stats.peak_states))?;
    }
    let (written, read, peak) = (size(disk.bytes_written), size(disk.bytes_read), size(disk.peak_bytes));
    let plural = if disk.files == 1 { "" } else { "s" };
    row(out, "disk", &format!("{peak} at peak; {written} written to {} file{plural}, {read} read", disk.files))?;
    let states = disk.states_written + disk.states_read;
    let each = states as f64 / stats.distinct.or(stats.estimate).unwrap_or(stats.states).max(1) as f64;
    let bound = external.bound.map_or_else(String::new, |bound| format!("; at most {bound} by the theorem"));
    row(
        out,
        "",
        &format!("{} states written, {} read, {each:.2} per state{bound}", disk.states_written, disk.states_read),
    )
}

/// Statements that no run executes, by proctype.
pub fn unreached(out: &mut impl Write, found: &Unreached, all: bool) -> std::io::Result<()> {
    let mut heading = "unreached";
    let mut room = if all { usize::MAX } else { SHOWN_UNREACHED };
    for UnreachedIn { process, idle, statements } in &found.processes {
        let count = statements.len();
        let plural = if count == 1 { "" } else { "s" };
        match idle {
            true => row(out, heading, &format!("{process} is never executed"))?,
            false => row(out, heading, &format!("{count} statement{plural} of {process} never executed"))?,
        }
        heading = "";
        let shown = if *idle && !all { 0 } else { count.min(room) };
        room -= shown;
        let place = |at: &UnreachedStatement| format!("{}:{}", at.file, at.line);
        let width = statements.iter().take(shown).map(|at| place(at).chars().count()).max().unwrap_or(0);
        for at in statements.iter().take(shown) {
            row(out, "", &format!("  {:width$}  {}", place(at), at.statement))?;
        }
        if shown < count && !idle {
            row(out, "", &format!("  … {} more (-v shows them)", count - shown))?;
        }
    }
    match found.never_end.is_empty() {
        true => Ok(()),
        false => row(out, "never ends", &list(&found.never_end)),
    }
}

/// `1.5 MB`.
pub fn bytes(count: usize) -> String {
    let count = count as f64;
    match count {
        _ if count >= 1e9 => format!("{:.1} GB", count / 1e9),
        _ if count >= 1e6 => format!("{:.1} MB", count / 1e6),
        _ if count >= 1e3 => format!("{:.1} kB", count / 1e3),
        _ => format!("{count} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_listed_as_people_do() {
        assert_eq!(list(&["a", "b", "c"]), "a, b and c");
        assert_eq!(list(&["a", "b"]), "a and b");
        assert_eq!(list(&["a"]), "a");
        assert_eq!(list::<&str>(&[]), "");
    }

    #[test]
    fn sizes_have_a_unit() {
        assert_eq!(bytes(416), "416 bytes");
        assert_eq!(bytes(45_640_000), "45.6 MB");
    }
}
