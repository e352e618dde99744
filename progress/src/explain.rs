//! Measures as text: for the report of a search, and for `psw progress`.

use std::collections::BTreeMap;
use std::fmt::Write;

use cranelift_entity::EntityRef;
use interp::Model;
use interp::code::program::{Edge, Graph, Location};
use interp::ids::Pc;
use promela::ids::ProcTypeId;
use promela::source::{Sources, Span};

use crate::choose::Choice;
use crate::component::{Claim, Component, Life, rooted_of};
use crate::process::Parts;
use crate::product::ProductMeasure;

/// The measure in one line.
pub fn summary(measure: &ProductMeasure) -> String {
    let (components, plan) = (measure.components(), measure.plan());
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

/// The reason for the choice, as a phrase.
pub fn reason(choice: &Choice) -> String {
    let sample = &choice.sample;
    let states = sample.states();
    let extent = if sample.complete { "all" } else { "the first" };
    let trial = &choice.trial;
    match choice.measure.plan().is_empty() {
        true if choice.few => "small model".to_owned(),
        true if choice.measure.components().is_empty() => "no component to measure progress by".to_owned(),
        true => format!("no measure of progress saves enough on {extent} {states} states"),
        false => format!(
            "predicted from {extent} {states} states: peak {:.1} % of the states, {:.2} expansions per state",
            100.0 * trial.peak,
            trial.expanded
        ),
    }
}

/// The control flow of the model, all components that were considered, and the choice.
pub fn report(model: &Model, sources: &Sources, choice: &Choice) -> String {
    let mut text = String::from("control flow:\n");
    for (id, proctype) in &model.checked.proctypes {
        if let Some(template) = model.program.template_of(id) {
            let _ = writeln!(text, "  {}: {}", proctype.name, measured(model, sources, id));
            parts(&mut text, model, sources, &template.graph);
        }
    }
    let components = choice.measure.components();
    let sample = &choice.sample;
    let used: Vec<usize> = choice.measure.plan().used().collect();
    let extent = if sample.complete { "all" } else { "the first" };
    let walks = if sample.complete { "" } else { ", and random walks" };
    let _ = writeln!(text, "sample: {extent} {} states{walks}", sample.states());
    for (number, component) in components.iter().enumerate() {
        let directions = sample.directions[number];
        let steps = (directions.forward + directions.stationary + directions.regress).max(1);
        let share = |count: u64| 100.0 * count as f64 / steps as f64;
        let _ = writeln!(
            text,
            "{} {:<40} {:<10} {:>5.1} % forward, {:>5.1} % stationary, {:>5.1} % regress, {} values\n      {}",
            if used.contains(&number) { "*" } else { " " },
            component.name,
            claim(component),
            share(directions.forward),
            share(directions.stationary),
            share(directions.regress),
            if sample.values.is_empty() { 0 } else { sample.spread(number) },
            component.reason,
        );
    }
    let _ = writeln!(text, "chosen: {}", summary(&choice.measure));
    let trial = choice.trial;
    let _ = writeln!(
        text,
        "on the sample: peak {:.1} % of the states, {:.2} expansions per state, {} layers",
        100.0 * trial.peak,
        trial.expanded,
        trial.layers
    );
    text
}

/// The processes of a proctype that are measured, and where they come from.
fn measured(model: &Model, sources: &Sources, proctype: ProcTypeId) -> String {
    let lives = rooted_of(model, proctype);
    if lives.is_empty() {
        let possible = interp::analysis::instances::possible(&model.checked);
        return match (possible.contains(proctype), model.instances.unbounded) {
            (false, _) => "never created".into(),
            (true, Some(run)) if run != Span::default() => {
                let line = sources.line(run);
                format!("not measured: line {line} can create any number of processes, so that its pid is not known")
            }
            (true, _) => "not measured: its pid is not known".into(),
        };
    }
    let pids = |is_meant: &dyn Fn(&Life) -> bool| -> Vec<usize> {
        lives.iter().filter(|life| is_meant(life)).map(|life| life.pid).collect()
    };
    let mut text = format!("process {}", ranges(&pids(&|_| true)));
    let roles = lives.iter().flat_map(|life| &model.instances.slots[life.pid].roles);
    let runs: Vec<Span> =
        roles.filter(|role| role.proctype == proctype).flat_map(|role| role.created_at.iter().copied()).collect();
    if !runs.is_empty() {
        let _ = write!(text, ", created in {}", lines(sources, &runs));
    }
    let shared = pids(&|life| model.instances.slots[life.pid].roles.len() > 1);
    if !shared.is_empty() {
        let _ = write!(text, "; pid {} may also be that of another proctype", ranges(&shared));
    }
    let replaced = pids(&|life| life.is_replaced);
    if !replaced.is_empty() {
        let _ = write!(text, "; pid {} may be used again", ranges(&replaced));
    }
    text
}

/// The strongly connected components of a control flow: a line for each cycle, and one for the locations in none.
fn parts(text: &mut String, model: &Model, sources: &Sources, graph: &Graph) {
    let parts = Parts::new(&model.program, graph);
    let mut cycles: BTreeMap<u32, Cycle> = BTreeMap::new();
    for (from, to, edge) in steps(model, graph) {
        if parts.stays(from, to) {
            let cycle = cycles.entry(parts.part[from.index()]).or_default();
            cycle.spans.push(edge.span);
            cycle.back += usize::from(parts.goes_back(from, to));
        }
    }
    let part_of = |pc: Pc| parts.part[pc.index()];
    for (&part, cycle) in &cycles {
        let members: Vec<Pc> = graph.locations.keys().filter(|&pc| part_of(pc) == part).collect();
        let level = members.first().map_or(0, |pc| parts.level[pc.index()] + 1);
        let lines = lines(sources, &cycle.spans);
        let (size, back) = (counted(members.len(), "location"), counted(cycle.back, "back edge"));
        let _ = writeln!(text, "      level {level}: cycle of {size}, {back}, {lines}");
    }
    let alone: Vec<_> = graph.locations.iter().filter(|(pc, _)| !cycles.contains_key(&part_of(*pc))).collect();
    if !alone.is_empty() {
        let spans: Vec<Span> = alone.iter().map(|(_, location)| location.span).collect();
        let (size, lines) = (counted(alone.len(), "location"), lines(sources, &spans));
        let _ = writeln!(text, "      {size} in no cycle, {lines}");
    }
}

/// The inside of a strongly connected component.
#[derive(Default)]
struct Cycle {
    /// Its statements.
    spans: Vec<Span>,
    /// Its back edges.
    back: usize,
}

/// The steps between locations of a graph.
fn steps<'a>(model: &'a Model, graph: &'a Graph) -> impl Iterator<Item = (Pc, Pc, &'a Edge)> {
    let out = |(from, location): (Pc, &'a Location)| {
        let edges = location.edges().map(|id| &model.program.edges[id]);
        edges.filter_map(move |edge| edge.to.map(|to| (from, to, edge)))
    };
    graph.locations.iter().flat_map(out)
}

/// The first and the last line of statements, by file if they are in several.
fn lines(sources: &Sources, spans: &[Span]) -> String {
    let mut extents = BTreeMap::new();
    for &span in spans {
        let line = sources.line(span);
        let (first, last) = extents.entry(sources.file_name(span)).or_insert((line, line));
        (*first, *last) = ((*first).min(line), (*last).max(line));
    }
    let extent = |(first, last): &(u32, u32)| match first == last {
        true => format!("line {first}"),
        false => format!("lines {first} to {last}"),
    };
    let in_file = |(file, lines)| if extents.len() > 1 { format!("{file} {}", extent(lines)) } else { extent(lines) };
    extents.iter().map(in_file).collect::<Vec<_>>().join(", ")
}

/// Ascending numbers, those that follow one another as a range: "1, 3 to 15".
fn ranges(numbers: &[usize]) -> String {
    let runs = numbers.chunk_by(|number, next| number + 1 == *next);
    let texts = runs.map(|run| match run {
        [one] => one.to_string(),
        [one, other] => format!("{one}, {other}"),
        _ => format!("{} to {}", run[0], run[run.len() - 1]),
    });
    texts.collect::<Vec<_>>().join(", ")
}

fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// The claim in one word.
pub fn claim(component: &Component) -> &'static str {
    match component.claim {
        Claim::Proven => "monotone",
        Claim::Presumed => "presumed",
        Claim::None => "free",
    }
}
