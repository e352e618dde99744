//! `psw progress`: the measure that is chosen for a model, as text or as a drawing.

use cranelift_entity::EntityRef;
use interp::Model;
use interp::code::program::Graph;
use progress::component::rooted_of;
use progress::process::Parts;
use progress::sample::Size;
use progress::{Choice, Mode, choose, explain};
use promela::ids::ProcTypeId;
use sweep::Meter;

use crate::cli::ProgressArgs;
use crate::commands::dot::{self, Marks};
use crate::load::load;
use crate::search::budget::interrupt;
use crate::{Status, machine, terminal};

/// Runs the command.
pub fn run(args: &ProgressArgs) -> anyhow::Result<Status> {
    let Some(loaded) = load(&args.model, true)? else { return Ok(Status::BadInput) };
    let mode = if args.control { Mode::Control } else { Mode::Auto };
    let meter = Meter::unlimited().with_max_bytes(machine::default_memory()).with_interrupt(interrupt());
    let choice = choose(&loaded.model, None, mode, Size::default(), &meter);
    let text = match args.dot {
        true => dot::automata(&loaded, &explain::summary(&choice.measure), |proctype, graph| {
            marks(&loaded.model, &choice, proctype, graph)
        }),
        false => explain::report(&loaded.model, &loaded.sources, &choice),
    };
    terminal::print(&text)?;
    Ok(Status::Good)
}

/// The parts of an automaton and the ranks of its locations in its drawing; which components it gives, and which of
/// them were chosen.
fn marks(model: &Model, choice: &Choice, proctype: ProcTypeId, graph: &Graph) -> Marks {
    let parts = Parts::new(&model.program, graph);
    let pids: Vec<usize> = rooted_of(model, proctype).iter().map(|life| life.pid).collect();
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
