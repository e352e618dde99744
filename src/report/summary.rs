//! The end of the report for people: the verdict, what was checked and what was not, the numbers, what was not reached.

use std::io::Write;

use sweep::{EdgeStats, ExternalStats, HashedTable, Stats, StopReason, Verdict};

use super::{Report, properties, search_phrase, state_bytes};
use crate::cli::{ChosenOrder, DEFAULT};
use crate::property::search::Answer;
use crate::report::explain::Explained;
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
pub fn write(out: &mut impl Write, report: &Report, verdicts: &[String]) -> std::io::Result<()> {
    let verbose = report.options.verbose;
    verdicts.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    if let Some(growth) = &report.growth {
        row(out, "what grew", growth)?;
        row(out, "", ADVICE)?;
    }
    extent(out, report)?;
    if verbose {
        let chosen = report.options.order();
        match &report.hunt {
            Some(hunt) if hunt.found.is_some() => {
                let left_out = search_phrase(chosen.order);
                row(out, "search", &format!("depth-first hunt, before the {left_out} that was not needed"))?;
            }
            _ => search(out, chosen, &report.outcome.stats, report.measure)?,
        }
        if let Some(hunt) = &report.hunt {
            row(out, "hunt", &hunt.sentence())?;
        }
        row(out, "reduction", &report.reduction.sentence())?;
    }
    numbers(out, &report.outcome.stats, verbose)?;
    if let Some(cutoff) = report.cutoff {
        cutoff.write_numbers(out)?;
    }
    if let Some(found) = &report.unreached {
        unreached(out, found, verbose)?;
    }
    if let Some(path) = report.goes_on_from() {
        let path = path.display();
        row(out, "checkpoint", &format!("{path}; to go on: psw resume {path}"))?;
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

/// The verdicts, a line each: what was checked in every state, then each temporal property.
pub fn verdicts(report: &Report, first: Option<&Explained>, colour: bool) -> Vec<String> {
    let file = report.file.display();
    let outcome = report.outcome;
    let (hue, verdict, detail) = match outcome.verdict() {
        Verdict::Violated => {
            let count = match outcome.stats.errors {
                0 | 1 => String::new(),
                errors => format!(" ({errors} violations in all)"),
            };
            let message = first.map_or("", |first| first.message.as_str());
            (Hue::Red, "VIOLATED", format!(": {message}{count}"))
        }
        Verdict::Holds => (Hue::Green, "holds", String::new()),
        Verdict::Stopped(reason) => (Hue::Yellow, "STOPPED", format!(", no verdict: {reason}")),
    };
    let is_alone = report.answers.is_empty() && report.unchecked.is_empty();
    let what = if is_alone { String::new() } else { format!("{}: ", list(&checked(report).0)) };
    let mut lines = vec![format!("{file}: {what}{}{detail}", paint(verdict, hue, colour))];
    let answered = report.answers.iter();
    lines.extend(
        answered.map(|answer| format!("{file}: {}: {}", answer.property.name, properties::verdict(answer, colour))),
    );
    let is_answered = |name: &&String| report.answers.iter().any(|answer| answer.property.name == **name);
    let unchecked = report.unchecked.iter().filter(|name| !is_answered(name));
    lines.extend(unchecked.map(|name| format!("{file}: {name}: {}", paint("not checked", Hue::Yellow, colour))));
    lines
}

/// One fact.
pub fn row(out: &mut impl Write, name: &str, fact: &str) -> std::io::Result<()> {
    writeln!(out, "  {name:<11}  {fact}")
}

/// What was checked in every state, and what was not.
fn checked(report: &Report) -> (Vec<&'static str>, Vec<&'static str>) {
    let checks =
        [(report.checks.assertions, "assertions"), (report.checks.end_states, "end states"), (true, "run-time errors")];
    let names = |wanted: bool| checks.iter().filter(|(on, _)| *on == wanted).map(|(_, what)| *what).collect();
    (names(true), names(false))
}

/// What was checked, in which states, and what was not.
fn extent(out: &mut impl Write, report: &Report) -> std::io::Result<()> {
    let (checked, mut left_out) = checked(report);
    left_out.extend(report.unchecked.iter().map(String::as_str));
    let states = match (report.outcome.verdict(), report.outcome.stopped) {
        (Verdict::Violated, None) if !report.is_whole() => "up to the first violation",
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
        property(out, answer, report.options.verbose)?;
    }
    if !report.answers.is_empty() && !report.fairness.is_empty() {
        row(out, "fairness", &format!("properties are checked{}", report.fairness.phrase().replacen(", ", " ", 1)))?;
    }
    Ok(())
}

/// A temporal property, what is known about it, and what that took.
fn property(out: &mut impl Write, answer: &Answer, verbose: bool) -> std::io::Result<()> {
    let name = &answer.property.name;
    let formula = answer.property.formula().map(|formula| format!(": {formula}")).unwrap_or_default();
    let stats = &answer.outcome.stats;
    let verdict = properties::verdict(answer, false);
    row(out, "property", &format!("{name}{formula}"))?;
    if answer.never_begun().is_some() {
        return row(out, "", &format!("  {verdict}"));
    }
    if !verbose {
        let shared = if answer.shared && !answer.looked { " (in the search of all states)" } else { "" };
        row(out, "", &format!("  {verdict}{shared}"))?;
        return answer.vacuous.iter().try_for_each(|sentence| row(out, "", &format!("  vacuous: {sentence}")));
    }
    let (visited, seconds) = (stats.expanded, stats.elapsed.as_secs_f64());
    if answer.shared && !answer.looked {
        row(out, "", &format!("  {verdict} (in the search of all states)"))?;
    } else {
        let of = answer.states_of();
        let stored = stats.peak_states;
        let cost = format!("{visited} states of the {of} visited, at most {stored} stored, {seconds:.2} s");
        row(out, "", &format!("  {verdict} ({cost})"))?;
        row(out, "", &format!("  reduction {}", answer.reduction.sentence()))?;
    }
    for sentence in &answer.vacuous {
        row(out, "", &format!("  vacuous: {sentence}"))?;
    }
    if let Some(sentence) = properties::unfair(answer) {
        row(out, "", &format!("  fairness: {sentence}"))?;
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
pub fn list<S: AsRef<str>>(names: &[S]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.concat(),
    }
}

/// What the search counted.
pub fn numbers(out: &mut impl Write, stats: &Stats, verbose: bool) -> std::io::Result<()> {
    let plural = if stats.transitions == 1 { "" } else { "s" };
    let (stored, transitions, depth) = (stats.states, stats.transitions, stats.depth);
    let states = match (stats.distinct, stats.estimate) {
        (Some(distinct), _) if distinct == stored => format!("{distinct} stored"),
        (Some(distinct), _) => format!("{distinct} distinct, {stored} stored"),
        (None, Some(estimate)) if estimate >= stored => format!("{stored} stored"),
        (None, Some(estimate)) => format!("about {estimate} distinct, {stored} stored"),
        (None, None) => format!("{stored} stored, some of them more than once"),
    };
    row(out, "states", &format!("{states}, {transitions} transition{plural}, depth {depth}"))?;
    if let Some(table) = stats.hashed {
        hashed(out, stats, table)?;
    }
    if stats.sweep.layers > 1 {
        sweep(out, stats, verbose)?;
    }
    if let Some(external) = &stats.external {
        on_disk(out, stats, external)?;
    }
    if stats.errors > 1 {
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
fn sweep(out: &mut impl Write, stats: &Stats, verbose: bool) -> std::io::Result<()> {
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
    if !verbose {
        return Ok(());
    }
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
    let mut heading = "disk";
    if let Some(states) = external.handed_over_after {
        row(out, heading, &format!("in use since memory ended, after {states} states"))?;
        heading = "";
    }
    row(out, heading, &format!("{peak} at peak; {written} written to {} file{plural}, {read} read", disk.files))?;
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
    match &found.never_end[..] {
        [] => Ok(()),
        [only] => row(out, heading, &format!("{only} never reaches its end")),
        several => row(out, heading, &format!("{} never reach their end", list(several))),
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
