//! A measure in words.

use std::fmt::Write;

use crate::choose::Choice;
use crate::component::{Claim, Component};

/// The measure in one line.
pub fn summary(choice: &Choice) -> String {
    let components = choice.measure.components();
    let plan = choice.measure.plan();
    let name = |&part: &usize| components[part].name.as_str();
    let terms = |terms: &[Vec<usize>]| -> Vec<String> {
        terms.iter().map(|term| term.iter().map(name).collect::<Vec<_>>().join(" + ")).collect()
    };
    if plan.is_empty() {
        return "none: one layer".into();
    }
    let mut parts = Vec::new();
    if !plan.columns.is_empty() {
        parts.push(format!("columns by {}", terms(&plan.columns).join(", then ")));
    }
    if !plan.layers.is_empty() {
        parts.push(format!("layers by {}", terms(&plan.layers).join(", then ")));
    }
    parts.join("; ")
}

/// Why the measure is what it is, as a phrase.
pub fn reason(choice: &Choice) -> String {
    let sample = &choice.sample;
    let states = sample.states();
    let extent = if sample.complete { "all" } else { "the first" };
    let trial = &choice.trial;
    match choice.measure.plan().is_empty() {
        true if choice.few => format!("its {states} states are few"),
        true if choice.measure.components().is_empty() => "there is nothing to measure progress by".to_owned(),
        true => format!("no measure of progress saves enough on {extent} {states} states"),
        false => format!(
            "on {extent} {states} states its peak was {:.1} %, with {:.2} expansions a state",
            100.0 * trial.peak,
            trial.expanded
        ),
    }
}

/// Everything that was considered, a line each, and what came of it.
pub fn report(choice: &Choice) -> String {
    let mut text = String::new();
    let components = choice.measure.components();
    let sample = &choice.sample;
    let used: Vec<usize> = choice.measure.plan().used().collect();
    let extent = if sample.complete { "all" } else { "the first" };
    let _ = writeln!(text, "sample: {extent} {} states, and random walks", sample.states());
    for (number, component) in components.iter().enumerate() {
        let directions = sample.directions[number];
        let steps = (directions.forward + directions.stationary + directions.regress).max(1);
        let share = |count: u64| 100.0 * count as f64 / steps as f64;
        let _ = writeln!(
            text,
            "{} {:<40} {:<10} {:>5.1} % forward, {:>5.1} % back, {} values\n      {}",
            if used.contains(&number) { "*" } else { " " },
            component.name,
            claim(component),
            share(directions.forward),
            share(directions.regress),
            if sample.values.is_empty() { 0 } else { sample.spread(number) },
            component.reason,
        );
    }
    let _ = writeln!(text, "chosen: {}", summary(choice));
    let trial = choice.trial;
    let _ = writeln!(
        text,
        "on the sample: peak {:.1} % of the states, {:.2} expansions a state, {} layers",
        100.0 * trial.peak,
        trial.expanded,
        trial.layers
    );
    text
}

/// The claim in one word.
pub fn claim(component: &Component) -> &'static str {
    match component.claim {
        Claim::Proven => "monotone",
        Claim::Presumed => "presumed",
        Claim::None => "free",
    }
}
