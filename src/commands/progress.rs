//! `psw progress`, as text or as a drawing, and the measure that a search goes by.

use std::io::Write;
use std::time::Instant;

use cranelift_entity::EntityRef;
use interp::code::program::Graph;
use interp::ids::NodeId;
use interp::{Model, StateSpace, Violation};
use progress::component::rooted_of;
use progress::process::Parts;
use progress::sample::Size;
use progress::{Choice, Mode, UserMeasure, choose, explain};
use promela::ids::ProcTypeId;
use sweep::measure::{ComponentId, NoMeasure};
use sweep::{Algorithm, Meter, Observer, Outcome, SearchOptions, StopReason};

use crate::cli::ProgressArgs;
use crate::commands::check::interrupt;
use crate::commands::dot::{self, Marks};
use crate::load::{Loaded, load};
use crate::search::expression;
use crate::{Status, machine, terminal};

/// What a search goes by.
pub enum Wanted {
    /// What `choose` finds in a sample of this size.
    Chosen(Mode, Size),
    /// Expressions of the user, and their text.
    Given(Vec<NodeId>, String),
}

/// A measure in words, for the report.
#[derive(Default)]
pub struct Described {
    /// What was chosen.
    pub measure: String,
    /// Why.
    pub reason: String,
    /// What turned out not to be monotone.
    pub demoted: Vec<String>,
    /// Where a strict measure was rejected.
    pub rejected: Option<String>,
}

/// With no more states than this a search has one layer, unless a measure is asked for.
const FEW: u32 = 6_000;

/// Reads `--progress`; `None` if it is wrong, which has then been said.
pub fn read(loaded: &mut Loaded, text: Option<&str>) -> Option<Wanted> {
    let size = Size::default();
    let text = match text {
        None => return Some(Wanted::Chosen(Mode::Auto, Size { few: FEW, ..size })),
        Some("auto") => return Some(Wanted::Chosen(Mode::Auto, size)),
        Some("control") => return Some(Wanted::Chosen(Mode::Control, size)),
        Some("none") => return Some(Wanted::Chosen(Mode::None, size)),
        Some(text) => text,
    };
    let expressions = expression::read(loaded, "--progress", text)?;
    Some(Wanted::Given(expressions.into_iter().map(|given| given.node).collect(), text.to_owned()))
}

/// Searches by the measure that is wanted; says what it was. The states of `space` are those of `model`.
pub fn search<S: StateSpace<Violation = Violation>, O: Observer>(
    (model, space): (&Model, &S),
    wanted: &Wanted,
    options: &SearchOptions,
    watch: &mut O,
    meter: &Meter,
) -> (Outcome<Violation>, Described) {
    if !matches!(options.algorithm, Algorithm::StrictSweep | Algorithm::Sweep | Algorithm::ColumnSweep) {
        return (sweep::check_with(space, &mut NoMeasure, options, watch, meter), Described::default());
    }
    match wanted {
        Wanted::Chosen(mode, size) => {
            let started = Instant::now();
            let mut choice = choose(model, *mode, *size, meter);
            let choosing = started.elapsed();
            let measure = explain::summary(&choice);
            let reason = match mode {
                Mode::None => "--progress none".to_owned(),
                Mode::Auto | Mode::Control => explain::reason(&choice),
            };
            let mut outcome = sweep::check_with(space, &mut choice.measure, options, watch, meter);
            outcome.stats.elapsed += choosing;
            let name = |id: &ComponentId| choice.measure.components()[id.0 as usize].name.clone();
            let demoted = outcome.demoted.iter().map(name).collect();
            let rejected = rejected(model, &outcome);
            (outcome, Described { measure, reason, demoted, rejected })
        }
        Wanted::Given(nodes, text) => {
            let mut measure = UserMeasure::new(model, nodes);
            let outcome = sweep::check_with(space, &mut measure, options, watch, meter);
            let name = |id: &ComponentId| format!("expression {} of {text}", id.0 + 1);
            let demoted = outcome.demoted.iter().map(name).collect();
            let rejected = rejected(model, &outcome);
            (outcome, Described { measure: text.clone(), reason: "--progress".to_owned(), demoted, rejected })
        }
    }
}

/// The step by which a strict measure fell: which values it changed.
fn rejected(model: &Model, outcome: &Outcome<Violation>) -> Option<String> {
    let rejected = outcome.rejected.as_ref().filter(|_| outcome.stopped == Some(StopReason::Rejected))?;
    let before = model.values(&rejected.from);
    let after = model.values(&rejected.to);
    let changed = before.iter().zip(&after).filter(|(before, after)| before.value != after.value);
    let words: Vec<String> = changed
        .map(|(before, after)| {
            let owner = before.pid.map_or_else(String::new, |pid| format!("({pid})"));
            format!("{owner}{}: {} → {}", before.name, before.value, after.value)
        })
        .collect();
    let steps = rejected.trace.as_ref().map_or(0, Vec::len);
    let words = if words.is_empty() { "only locations change".to_owned() } else { words.join(", ") };
    Some(format!("step {steps} goes back ({words})"))
}

/// Runs the command.
pub fn run(args: &ProgressArgs) -> anyhow::Result<Status> {
    let Some(loaded) = load(&args.model, true)? else { return Ok(Status::BadInput) };
    let mode = if args.control { Mode::Control } else { Mode::Auto };
    let meter = Meter::unlimited().with_max_bytes(machine::default_memory()).with_interrupt(interrupt());
    let choice = choose(&loaded.model, mode, Size::default(), &meter);
    let text = match args.dot {
        true => dot::automata(&loaded, &explain::summary(&choice), |proctype, graph| {
            marks(&loaded.model, &choice, proctype, graph)
        }),
        false => explain::report(&loaded.model, &loaded.sources, &choice),
    };
    let mut out = terminal::stdout();
    write!(out, "{text}")?;
    out.flush()?;
    Ok(Status::Good)
}

/// The parts of an automaton and the ranks of its locations in its drawing; which components it gives, and which of
/// them were chosen.
fn marks(model: &Model, choice: &Choice, proctype: ProcTypeId, graph: &Graph) -> Marks {
    let parts = Parts::new(&model.program, graph);
    let pids = rooted_of(model, proctype);
    let mut marks = Marks::default();
    for (number, component) in choice.measure.components().iter().enumerate() {
        if component.process().is_some_and(|pid| pids.contains(&pid)) {
            let is_chosen = choice.measure.plan().used().any(|used| used == number);
            let star = if is_chosen { "* " } else { "" };
            marks.notes.push(format!("{star}{}: {}", component.name, explain::claim(component)));
            marks.framed |= is_chosen;
        }
    }
    for (pc, location) in &graph.locations {
        let (part, level) = (parts.part[pc.index()], parts.level[pc.index()] + 1);
        let steps = location.edges().filter_map(|edge| model.program.edges[edge].to);
        marks.labels[pc] = match parts.place[pc.index()] {
            0 => format!("level {level}"),
            place => format!("level {level}, place {place}"),
        };
        for to in steps {
            if parts.stays(pc, to) {
                marks.colours[pc] = part % dot::COLOURS + 1;
            }
            if parts.goes_back(pc, to) {
                marks.red.insert((pc, to));
            }
        }
    }
    marks
}
