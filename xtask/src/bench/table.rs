//! The figures as text: on the terminal, as Markdown, and as comma-separated values.

use super::results::{Figures, Ratios, Results, Row};
use std::fmt::Write;

/// What the columns of [`lines`] are.
pub fn heading() -> String {
    format!(
        "{:44} {:14} {:>9} {:>9} {:>9} {:>9} {:>9} {:>7} {:>7} {:>7} {:>7}",
        "model", "", "states", "all s", "search s", "cpu s", "Mstates/s", "MB", "B/state", "ratio", "cpu"
    )
}

/// One model: a line for each contestant; the ratio is that of its states a second to plain SPIN's, the last
/// figure the same for processor time.
pub fn lines(row: &Row) -> String {
    let mut text = String::new();
    if let Some(why) = &row.refused {
        return format!("{:44} REFUSED: {why}\n", row.model);
    }
    let Some(plain) = row.entries.first() else { return text };
    for (nth, entry) in row.entries.iter().enumerate() {
        let model = if nth == 0 { row.model.as_str() } else { "" };
        let Figures { contestant, states, end_to_end, exploration, cpu, rate, rss, bytes_per_state, .. } = entry;
        let _ = write!(
            text,
            "{model:44} {contestant:14} {states:9} {end_to_end:9.3} {exploration:9.3} {cpu:9.3} {:9.2} {:7.0} {bytes_per_state:7.1} {:7.2} {:7.2}",
            rate / 1e6,
            rss / 1e6,
            rate / plain.rate,
            (*states as f64 / cpu) / (plain.states as f64 / plain.cpu),
        );
        if let Some(instructions) = entry.instructions {
            let _ = write!(text, " {:9.0} instructions/state", instructions as f64 / (*states).max(1) as f64);
        }
        text.push('\n');
    }
    text
}

/// Means, worst cases, wins and losses.
pub fn summary(results: &Results) -> String {
    let mut text = String::new();
    for summary in &results.summary {
        let _ = writeln!(text, "{} against {}", summary.psw, summary.spin);
        for (what, ratios) in parts(summary) {
            let Ratios { mean, worst, worst_model, wins, losses } = ratios;
            let _ = writeln!(
                text,
                "  {what:22} mean {mean:6.2}  worst {worst:6.2} ({worst_model})  {wins} won, {losses} lost"
            );
        }
    }
    text
}

/// The page that is kept.
pub fn markdown(results: &Results) -> String {
    let mut text = String::from("# psw and SPIN, side by side\n\n");
    text.push_str(&results.machine.heading("cargo xtask bench"));
    text.push_str(EXPLANATION);
    text.push_str("## Summary\n\n| | | mean | worst | on | won | lost |\n|---|---|---:|---:|---|---:|---:|\n");
    for summary in &results.summary {
        for (what, ratios) in parts(summary) {
            let Ratios { mean, worst, worst_model, wins, losses } = ratios;
            let (psw, spin) = (&summary.psw, &summary.spin);
            let _ = writeln!(
                text,
                "| {psw} against {spin} | {what} | {mean:.2} | {worst:.2} | {worst_model} | {wins} | {losses} |"
            );
        }
    }
    text.push_str("\n![Ratios of each model](results.svg)\n\n## Models\n\n");
    text.push_str(
        "| model | | states | end to end, s | search, s | processor, s | states/s | peak MB | bytes/state | rate to SPIN's |\n",
    );
    text.push_str("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for row in &results.rows {
        if let Some(why) = &row.refused {
            let _ = writeln!(text, "| {} | refused: {why} | | | | | | | | |", row.model);
        }
        let plain = row.entries.first().map_or(f64::NAN, |plain| plain.rate);
        for (nth, entry) in row.entries.iter().enumerate() {
            let _ = writeln!(
                text,
                "| {} | {} | {} | {:.3} | {:.3} | {:.3} | {:.0} | {:.0} | {:.1} | {:.2} |",
                if nth == 0 { row.model.as_str() } else { "" },
                entry.contestant,
                entry.states,
                entry.end_to_end,
                entry.exploration,
                entry.cpu,
                entry.rate,
                entry.rss / 1e6,
                entry.bytes_per_state,
                entry.rate / plain,
            );
        }
    }
    text
}

const EXPLANATION: &str = "\
All programs ran in turns in one run, each on one core, under the same limits; the best of the turns counts. Answers were
compared first: plain SPIN (`spin -o1 -o2 -o3 -a`, `gcc -O2 -DNOREDUCE -DSAFETY`), SPIN with `-DCOLLAPSE` and psw have the
same states and transitions; SPIN by default (merging and partial order reduction on) has the same verdict. All go on after
errors. *End to end* is from the text of the model to the answer: for SPIN generator, gcc and verifier. *Search* is what the
program says of itself; *processor* is the time that psw or the verifier spent on its core, start and end included, and
the steadiest figure on a busy machine. *Bytes/state* is what states and their table take, as the program says, with SPIN's
table as small as the states allow. *Peak MB* is what the kernel counted; pan's stack is for a depth of 2,000,000. A ratio
of times above 1 and a ratio of memory below 1 are in favour of psw.

";

fn parts(summary: &super::results::Summary) -> [(&'static str, &Ratios); 5] {
    [
        ("times faster, search", &summary.exploration),
        ("less processor time", &summary.cpu),
        ("times faster, all", &summary.end_to_end),
        ("memory for a state", &summary.bytes_per_state),
        ("peak memory", &summary.rss),
    ]
}

/// One line for each model and contestant.
pub fn csv(results: &Results) -> String {
    let mut text = String::from(
        "model,contestant,states,transitions,end_to_end,exploration,cpu,rate,rss,bytes_per_state,instructions\n",
    );
    for row in &results.rows {
        for entry in &row.entries {
            let instructions = entry.instructions.map_or(String::new(), |count| count.to_string());
            let _ = writeln!(
                text,
                "\"{}\",{},{},{},{:.6},{:.6},{:.6},{:.0},{:.0},{:.2},{instructions}",
                row.model.replace('"', "\"\""),
                entry.contestant,
                entry.states,
                entry.transitions,
                entry.end_to_end,
                entry.exploration,
                entry.cpu,
                entry.rate,
                entry.rss,
                entry.bytes_per_state,
            );
        }
    }
    text
}
