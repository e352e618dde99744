//! The figures as text: for the terminal and as a page.

use super::cost::{Cost, Pair};
use super::run::{Found, Run};
use super::{Measurements, Row};
use crate::bench::machine::Machine;
use crate::bench::results::{Better, Ratios, ratios};
use std::fmt::Write;

/// What is compared: a name, and psw's figure as a part of SPIN's, where both have one.
type Comparison = (&'static str, fn(&Row) -> Option<f64>);

const STATES: Comparison = ("states, default search", |row| part(&row.psw, &row.spin, |found| found.states as f64));
const BFS_STATES: Comparison = ("states, bfs", |row| part(&row.bfs, &row.spin, |found| found.states as f64));
const ALL: Comparison = ("end to end, s", |row| part(&row.psw, &row.spin, |found| found.all));
const COMPARISONS: [Comparison; 9] = [
    STATES,
    BFS_STATES,
    ("peak states, default search, to SPIN's stored", |row| part(&row.psw, &row.spin, |found| found.peak as f64)),
    ("transitions, default search", |row| part(&row.psw, &row.spin, |found| found.transitions as f64)),
    ("transitions, bfs", |row| part(&row.bfs, &row.spin, |found| found.transitions as f64)),
    ("search, s", |row| part(&row.psw, &row.spin, |found| found.search)),
    ALL,
    ("processor, end to end, s", |row| part(&row.psw, &row.spin, |found| found.cpu)),
    ("peak memory", |row| part(&row.psw, &row.spin, |found| found.rss as f64)),
];
const TO_UNREDUCED: Comparison =
    ("states, bfs, to psw's without reductions", |row| part(&row.bfs, row.full.as_ref()?, |found| found.states as f64));
const TO_LTSMIN: Comparison = ("states, bfs, to LTSmin's with `--por`", |row| {
    Some(row.bfs.found()?.states as f64 / row.ltsmin.filter(|states| *states > 0)? as f64)
});

/// More than this is worth a look.
const MUCH: f64 = 1.1;
/// What is below this is noise, and the least time that pan tells.
const LEAST_TIME: f64 = 0.01;

fn part(psw: &Run, spin: &Run, of: fn(&Found) -> f64) -> Option<f64> {
    Some(of(psw.found()?).max(LEAST_TIME) / of(spin.found()?).max(LEAST_TIME))
}

fn compared(row: &Row, of: fn(&Row) -> Option<f64>) -> Option<f64> {
    if row.other_states().is_some() { None } else { of(row) }
}

fn values(rows: &[Row], of: fn(&Row) -> Option<f64>) -> Vec<(&str, f64)> {
    rows.iter().filter_map(|row| Some((row.model.as_str(), compared(row, of)?))).collect()
}

/// One model: states of all, then times.
pub(crate) fn line(row: &Row) -> String {
    let mut text = format!(
        "{:60} psw {:>9} ({})  bfs {:>9} ({})  without {:>9}  SPIN {:>9}  end to end {} s, {} s\n",
        row.model,
        states(&row.psw),
        ratio(row, STATES),
        states(&row.bfs),
        ratio(row, BFS_STATES),
        row.full.as_ref().map_or("—".to_string(), states),
        states(&row.spin),
        seconds(&row.psw, |found| found.all),
        seconds(&row.spin, |found| found.all),
    );
    for difference in
        row.differences().into_iter().chain(row.spin_differs()).chain(row.other_states()).chain(row.other_kinds())
    {
        let _ = writeln!(text, "    DIFFERS: {difference}");
    }
    text
}

/// What all models come to.
pub(crate) fn summary(rows: &[Row]) -> String {
    let mut text = String::from(
        "| psw as a part of SPIN | models | geometric mean | the highest | on | over 1 | over 1.10 |\n|---|---:|---:|---:|---|---:|---:|\n",
    );
    for (name, of) in COMPARISONS.into_iter().chain([TO_UNREDUCED, TO_LTSMIN]) {
        let values = values(rows, of);
        if values.is_empty() {
            continue;
        }
        let over = |bound: f64| values.iter().filter(|(_, value)| *value > bound).count();
        let (more, much) = (over(1.0), over(MUCH));
        let Ratios { mean, worst, worst_model, .. } = ratios(values.iter().copied(), Better::Lower);
        let _ =
            writeln!(text, "| {name} | {} | {mean:.3} | {worst:.2} | {worst_model} | {more} | {much} |", values.len());
    }
    text
}

/// The page that is kept.
pub(crate) fn page(machine: &Machine, measured: &Measurements) -> String {
    let rows: Vec<&Row> = measured.rows.iter().filter(|row| is_shown(row)).collect();
    let mut text = String::from("# Reductions of psw and SPIN, side by side\n\n");
    text.push_str(&machine.heading("cargo xtask reduction"));
    text.push_str(EXPLANATION);
    let _ = writeln!(text, "## Summary\n\n{}", summary(&measured.rows));
    let _ = writeln!(text, "{}", counts(measured));
    text.push_str(&more_states(&rows));
    text.push_str(&differences(&measured.rows));
    text.push_str(&growth(measured));
    text.push_str(&cost(&measured.cost));
    text.push_str(&state_table(&rows));
    text.push_str(&time_table(&rows));
    text.push_str(&left_out(measured));
    text
}

const EXPLANATION: &str = "\
Both as their users run them: psw with its reductions; SPIN with merging, dead variables and partial order reduction
(`spin -a`, `gcc -O2 -DSAFETY`, `pan -m10000000`). Both go on after errors (`psw check --safety --all-errors`, `pan -c0 -n`)
and look at no temporal properties (`-DNOCLAIM`). *psw* is its default search, a sweep, which deletes states: where it
could have met some of them again its states are estimated (`~`), and *peak* is the most that it stored at a time. *bfs* is
`--search bfs`, which stores each state once, as SPIN does. *Without* is `--search bfs --no-reduction`: all states. *LTSmin*
is what `--por` stores, recorded once, with deadlocks as the only errors. A dash: not within the limits.

*End to end* is from the text of the model to the answer: for SPIN generator, gcc and verifier; *search* is what the program
says of itself; both are wall time, and long where the machine was busy. *Processor* is the time that all programs took end
to end. *MB* is what the kernel counted for psw and the verifier: of the latter's, some 690 are a stack for a depth of 10,000,000
and an empty table, on every model, and making them takes half a second. Ratios below 1 are in favour of psw.

";

/// Has one of the two finished?
fn is_shown(row: &Row) -> bool {
    [&row.psw, &row.bfs, &row.spin].iter().any(|run| run.found().is_some())
}

/// Who finished what.
fn counts(measured: &Measurements) -> String {
    let count = |of: fn(&Row) -> bool| measured.rows.iter().filter(|row| of(row)).count();
    let both = count(|row| row.psw.found().is_some() && row.spin.found().is_some());
    let psw = count(|row| row.psw.found().is_some() && row.spin.found().is_none());
    let spin = count(|row| row.psw.found().is_none() && row.spin.found().is_some());
    let estimated = count(|row| row.psw.found().is_some_and(|found| found.estimated));
    let peak = |of: fn(&Row) -> Option<&Found>| {
        measured.rows.iter().filter_map(of).map(|found| found.peak).max().unwrap_or_default()
    };
    let (of_psw, of_bfs, of_spin) =
        (peak(|row| row.psw.found()), peak(|row| row.bfs.found()), peak(|row| row.spin.found()));
    format!(
        "Of {} models both finish {both}, psw alone {psw}, SPIN alone {spin}. On {estimated} the states of psw's default \
         search are estimated.\nThe most states stored at a time on any model: psw {of_psw}, bfs {of_bfs}, SPIN {of_spin}.\n",
        measured.rows.len(),
    )
}

/// The models on which psw stores more than SPIN.
fn more_states(rows: &[&Row]) -> String {
    let worst = |row: &Row| [STATES, BFS_STATES].iter().filter_map(|(_, of)| compared(row, *of)).fold(0.0, f64::max);
    let mut more: Vec<&&Row> = rows.iter().filter(|row| worst(row) > MUCH).collect();
    more.sort_by(|one, other| worst(other).total_cmp(&worst(one)));
    let mut text = String::from("## Models on which psw has over 1.10 times as many states as SPIN\n\n");
    if more.is_empty() {
        return text + "None.\n\n";
    }
    text.push_str("| model | psw | bfs | SPIN | without | LTSmin | psw / SPIN | bfs / SPIN |\n");
    text.push_str("|---|---:|---:|---:|---:|---:|---:|---:|\n");
    for row in more {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            row.model,
            states(&row.psw),
            states(&row.bfs),
            states(&row.spin),
            row.full.as_ref().map_or("—".to_string(), states),
            number(row.ltsmin),
            ratio(row, STATES),
            ratio(row, BFS_STATES),
        );
    }
    text + "\n"
}

/// Verdicts and numbers that are not the same.
fn differences(rows: &[Row]) -> String {
    let mut text = String::from("## Verdicts\n\n");
    let before = text.len();
    for row in rows {
        for difference in row.differences() {
            let _ = writeln!(text, "- **{}**: {difference}", row.model);
        }
    }
    if text.len() == before {
        text.push_str("With reductions and without, psw gives the same verdicts.\n\n");
    }
    for row in rows {
        for difference in [row.spin_differs(), row.other_states(), row.other_kinds()].into_iter().flatten() {
            let _ = writeln!(text, "- {}: {difference}", row.model);
        }
    }
    text + "\n"
}

fn growth(measured: &Measurements) -> String {
    let mut text =
        String::from("## Growth\n\nThe models with other numbers of processes: states, and seconds of the search.\n\n");
    text.push_str("| model | N | psw | s | end to end | bfs | s | SPIN | s | end to end |\n");
    text.push_str("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for point in &measured.growth {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            point.model,
            point.processes,
            states(&point.psw),
            seconds(&point.psw, |found| found.search),
            seconds(&point.psw, |found| found.all),
            states(&point.bfs),
            seconds(&point.bfs, |found| found.search),
            states(&point.spin),
            seconds(&point.spin, |found| found.search),
            seconds(&point.spin, |found| found.all),
        );
    }
    text + "\n"
}

fn cost(costs: &[Cost]) -> String {
    let mut text = String::from(
        "## Cost\n\nUser time, the least of several turns in alternation, with reductions and without, in seconds.\n\n",
    );
    text.push_str("| model | search | states with | without | s with | without | ratio |\n");
    text.push_str("|---|---|---:|---:|---:|---:|---:|\n");
    for (nth, search) in ["default", "bfs"].into_iter().enumerate() {
        let pairs: Vec<(&str, &Pair)> =
            costs.iter().filter_map(|cost| Some((cost.model.as_str(), cost.searches[nth].as_ref()?))).collect();
        for (model, pair) in &pairs {
            let Pair { with, without } = pair;
            let (few, all, ratio) = (distinct(with), distinct(without), pair.ratio());
            let _ = writeln!(
                text,
                "| {model} | {search} | {few} | {all} | {:.3} | {:.3} | {ratio:.2} |",
                with.user, without.user
            );
        }
        if !pairs.is_empty() {
            let mean = ratios(pairs.iter().map(|(model, pair)| (*model, pair.ratio())), Better::Lower).mean;
            let _ = writeln!(text, "| **geometric mean** | {search} | | | | | {mean:.2} |");
        }
    }
    text + "\n"
}

fn state_table(rows: &[&Row]) -> String {
    let mut text = String::from("## States and transitions\n\n");
    text.push_str(
        "| model | SPIN | psw | ratio | peak | bfs | ratio | without | LTSmin | transitions: SPIN | psw | bfs |\n",
    );
    text.push_str("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for row in rows {
        let of = |run: &Run, value: fn(&Found) -> u64| number(run.found().map(value));
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            row.model,
            states(&row.spin),
            states(&row.psw),
            ratio(row, STATES),
            of(&row.psw, |found| found.peak),
            states(&row.bfs),
            ratio(row, BFS_STATES),
            row.full.as_ref().map_or("—".to_string(), states),
            number(row.ltsmin),
            of(&row.spin, |found| found.transitions),
            of(&row.psw, |found| found.transitions),
            of(&row.bfs, |found| found.transitions),
        );
    }
    text + "\n"
}

fn time_table(rows: &[&Row]) -> String {
    let mut text = String::from("## Time and memory\n\n");
    text.push_str(
        "| model | search, s: SPIN | psw | bfs | end to end, s: SPIN | psw | ratio | processor, s: SPIN | psw | MB: SPIN | psw |\n",
    );
    text.push_str("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for row in rows {
        let megabytes =
            |run: &Run| run.found().map_or("—".to_string(), |found| format!("{:.0}", found.rss as f64 / 1e6));
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            row.model,
            seconds(&row.spin, |found| found.search),
            seconds(&row.psw, |found| found.search),
            seconds(&row.bfs, |found| found.search),
            seconds(&row.spin, |found| found.all),
            seconds(&row.psw, |found| found.all),
            ratio(row, ALL),
            seconds(&row.spin, |found| found.cpu),
            seconds(&row.psw, |found| found.cpu),
            megabytes(&row.spin),
            megabytes(&row.psw),
        );
    }
    text + "\n"
}

/// Models that are in no table, and why.
fn left_out(measured: &Measurements) -> String {
    let mut text = String::from("## Left out\n\nWhat neither finishes:\n\n");
    for row in measured.rows.iter().filter(|row| !is_shown(row)) {
        let why = |run: &Run| match run {
            Run::Searched(_) => "finished".to_string(),
            Run::Unfinished => "not within the limits".to_string(),
            Run::Refused(why) | Run::Broken(why) => why.clone(),
        };
        let _ = writeln!(text, "- {}: psw: {}; SPIN: {}", row.model, why(&row.psw), why(&row.spin));
    }
    if !measured.missing.is_empty() {
        let _ = writeln!(
            text,
            "\nThere was no time for {} models: {}.",
            measured.missing.len(),
            measured.missing.join(", ")
        );
    }
    text
}

fn ratio(row: &Row, (_, of): Comparison) -> String {
    compared(row, of).map_or("—".to_string(), |ratio| format!("{ratio:.2}"))
}

fn states(run: &Run) -> String {
    run.found().map_or("—".to_string(), distinct)
}

fn distinct(found: &Found) -> String {
    format!("{}{}", if found.estimated { "~" } else { "" }, found.states)
}

fn number(number: Option<u64>) -> String {
    number.map_or("—".to_string(), |number| number.to_string())
}

fn seconds(run: &Run, of: fn(&Found) -> f64) -> String {
    run.found().map_or("—".to_string(), |found| format!("{:.2}", of(found)))
}

#[cfg(test)]
mod tests {
    use super::super::run::tests::searched;
    use super::*;

    fn row(psw: Run, spin: Run) -> Row {
        Row { model: "m.pml".to_string(), recorded: None, ltsmin: Some(20), bfs: psw.clone(), psw, full: None, spin }
    }

    #[test]
    fn what_is_over_is_counted_and_listed() {
        let rows = [row(searched(10, false), searched(20, false)), row(searched(30, false), searched(20, false))];
        let text = summary(&rows);
        assert!(text.contains("| states, bfs | 2 | 0.866 | 1.50 | m.pml | 1 | 1 |"), "{text}");
        assert!(text.contains("| states, bfs, to LTSmin's with `--por` | 2 | 0.866 |"), "{text}");
        let rows: Vec<&Row> = rows.iter().collect();
        assert!(more_states(&rows).contains("| m.pml | 30 | 30 | 20 | — | 20 | 1.50 | 1.50 |"));
        assert!(more_states(&rows[..1]).contains("None."));
    }

    #[test]
    fn a_model_that_one_finishes_is_shown_and_not_compared() {
        let alone = [row(Run::Unfinished, searched(20, false)), row(Run::Unfinished, Run::Unfinished)];
        assert_eq!((is_shown(&alone[0]), is_shown(&alone[1])), (true, false));
        assert_eq!(STATES.1(&alone[0]), None);
        let mut found = alone[0].spin.found().cloned().unwrap_or_else(|| panic!("it was"));
        found.estimated = true;
        assert_eq!(distinct(&found), "~20");
    }
}
