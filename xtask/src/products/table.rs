//! The figures as text: for the terminal and as a page.

use super::list::Verdict;
use super::{Figures, Row};
use crate::bench::machine::Machine;
use std::fmt::Write;

/// Peak, visits, time, and time with the choice of a measure, as parts of what the first search has.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Ratios([f64; 4]);

impl Ratios {
    fn of(row: &Row, search: usize) -> Option<Ratios> {
        let Figures { peak: product, seconds, start, .. } = (*row.figures.first()?)?;
        let figures = (*row.figures.get(search)?)?;
        let product = product.max(1) as f64;
        // The first search has no measure: before it there is only what all searches have before them.
        let choice = (figures.start - start).max(0.0);
        Some(Ratios([
            figures.peak as f64 / product,
            figures.visited as f64 / product,
            figures.seconds / seconds,
            (choice + figures.seconds) / seconds,
        ]))
    }

    /// The geometric mean of each.
    fn mean(all: &[Ratios]) -> Option<Ratios> {
        let of = |part: usize| (all.iter().map(|ratios| ratios.0[part].ln()).sum::<f64>() / all.len() as f64).exp();
        (!all.is_empty()).then(|| Ratios([0, 1, 2, 3].map(of)))
    }

    fn cell(ratios: Option<Ratios>) -> String {
        ratios.map_or("—".to_string(), |Ratios([peak, visited, time, _])| {
            format!("{} / {} / {time:.2}", per_cent(peak), per_cent(visited))
        })
    }

    /// The time with the choice.
    fn whole(ratios: Option<Ratios>) -> String {
        ratios.map_or("—".to_string(), |Ratios([.., whole])| format!("{whole:.2}"))
    }
}

fn per_cent(part: f64) -> String {
    let digits = if part < 0.1 { 1 } else { 0 };
    format!("{:.digits$}", part * 100.0)
}

/// A product and all its searches.
pub(crate) fn line(row: &Row, searches: &[String]) -> String {
    let mut text = format!("{} | {}\n", row.product.model.name, row.product.formula);
    for (nth, search) in searches.iter().enumerate() {
        let Some(figures) = row.figures[nth] else {
            let _ = writeln!(text, "    {search:10} did not end within the limits");
            continue;
        };
        let Figures { peak, visited, seconds, start } = figures;
        let ratios = Ratios::cell(Ratios::of(row, nth));
        let _ = writeln!(
            text,
            "    {search:10} peak {peak:9} visited {visited:9} {start:6.3} + {seconds:7.3} s   {ratios}"
        );
    }
    if let Some(peak) = row.safety {
        let _ = writeln!(text, "    {:10} peak {:9} %", "safety", per_cent(peak));
    }
    for wrong in &row.wrong {
        let _ = writeln!(text, "    WRONG: {wrong}, but the list says {:?}", row.product.verdict);
    }
    text
}

const KINDS: [(Verdict, &str); 2] = [(Verdict::Holds, "verified"), (Verdict::Violated, "violated")];

/// The geometric means, a line for each search.
pub(crate) fn means(searches: &[String], rows: &[Row]) -> String {
    let mut text = String::new();
    for (verdict, kind) in KINDS {
        for (nth, search) in searches.iter().enumerate() {
            let ratios = ratios(rows, verdict, nth);
            let mean = Ratios::mean(&ratios);
            let (cell, whole) = (Ratios::cell(mean), Ratios::whole(mean));
            let _ = writeln!(text, "{kind} {search:10} {cell:24} with choice {whole:6} mean of {}", ratios.len());
        }
    }
    text
}

fn ratios(rows: &[Row], verdict: Verdict, search: usize) -> Vec<Ratios> {
    let rows = rows.iter().filter(|row| row.product.verdict == verdict);
    rows.filter_map(|row| Ratios::of(row, search)).collect()
}

/// The page that is kept.
pub(crate) fn page(machine: &Machine, searches: &[String], rows: &[Row]) -> String {
    let mut text = String::from("# Searches for temporal properties, side by side\n\n");
    text.push_str(&machine.heading("cargo xtask products"));
    text.push_str(EXPLANATION);
    for (verdict, kind) in KINDS {
        let of_kind: Vec<&Row> = rows.iter().filter(|row| row.product.verdict == verdict).collect();
        let Some((first, others)) = searches.split_first() else { continue };
        let last = searches.len() - 1;
        let _ = writeln!(text, "## {} properties\n", if verdict == Verdict::Holds { "Verified" } else { "Violated" });
        let _ = writeln!(
            text,
            "| model | formula | {first}: states | s | {} | safety | measure s | with it |",
            others.join(" | ")
        );
        let _ = writeln!(text, "|---|---|---:|---:|{}---:|---:|---:|", "---:|".repeat(others.len()));
        for row in &of_kind {
            let (model, formula) = (&row.product.model.name, row.product.formula.replace('|', "\\|"));
            let base = row.figures.first().copied().flatten();
            let states = base.map_or("—".to_string(), |figures| figures.peak.to_string());
            let seconds = base.map_or("—".to_string(), |figures| format!("{:.2}", figures.seconds));
            let cells: Vec<String> = (1..searches.len()).map(|search| Ratios::cell(Ratios::of(row, search))).collect();
            let safety = row.safety.map_or("—".to_string(), per_cent);
            let cells = cells.join(" | ");
            let start =
                row.figures.last().copied().flatten().map_or("—".to_string(), |last| format!("{:.2}", last.start));
            let whole = Ratios::whole(Ratios::of(row, last));
            let _ = writeln!(
                text,
                "| {model} | `{formula}` | {states} | {seconds} | {cells} | {safety} | {start} | {whole} |"
            );
        }
        let cells: Vec<String> = (1..searches.len())
            .map(|search| {
                let all = ratios(rows, verdict, search);
                let missing = of_kind.len() - all.len();
                let mean = Ratios::cell(Ratios::mean(&all));
                if missing > 0 { format!("{mean} ({missing} left out)") } else { mean }
            })
            .collect();
        let safety: Vec<Ratios> = of_kind.iter().filter_map(|row| row.safety).map(|peak| Ratios([peak; 4])).collect();
        let safety = Ratios::mean(&safety).map_or("—".to_string(), |Ratios([peak, ..])| per_cent(peak));
        let whole = Ratios::whole(Ratios::mean(&ratios(rows, verdict, last)));
        let cells = cells.join(" | ");
        let _ = writeln!(text, "| **geometric mean, {kind}** | | | | {cells} | {safety} | | {whole} |\n");
    }
    text
}

const EXPLANATION: &str = "\
Each cell has the states stored at the peak and the states visited, both in per cent of what the nested depth-first search
(`ndfs`) stores, which on a verified property is the whole product, and the processor time of the search as a multiple of
its time. What comes before the last of the searches, mostly the choice of a measure, is under `measure s`; the time of
that search together with the choice, again as a multiple, under `with it`.

`map` goes by maximal accepting predecessors; `sweep-off` and `sweep-on` are LTL-Sweep as its paper has it, `column` is
psw's own. `safety` is the peak of `psw check --safety --search column` on the model alone, in per cent of its states. A
dash: not within the limits. On violated properties a search may end at once or late, by luck of its order; what `psw ltl`
does by default is a short depth-first look before `column`.

";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_geometric() {
        let all = [Ratios([0.5, 1.0, 4.0, 8.0]), Ratios([0.02, 1.0, 1.0, 2.0])];
        let Some(Ratios([peak, visited, time, whole])) = Ratios::mean(&all) else { panic!("a mean") };
        assert!((peak - 0.1).abs() < 1e-9 && (visited - 1.0).abs() < 1e-9 && (time - 2.0).abs() < 1e-9);
        assert!((whole - 4.0).abs() < 1e-9);
        assert_eq!(Ratios::mean(&[]), None);
        assert_eq!(Ratios::cell(Some(Ratios([0.051, 1.07, 1.3, 1.4]))), "5.1 / 107 / 1.30");
        assert_eq!(Ratios::whole(Some(Ratios([0.051, 1.07, 1.3, 1.4]))), "1.40");
    }
}
