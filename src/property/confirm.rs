//! Verifies that a run violates a property: the automaton is run over the states of the run, and nothing else.
//!
//! This judges the result of a search by other means: the run is followed in the model, its cycle must close, the automaton must
//! accept it, and under weak fairness no process may be enabled along the whole cycle without moving.

use std::ops::ControlFlow;

use fxhash::FxHashMap;
use interp::inspect::trace::Trace;
use interp::{Model, Violation, Word};
use sweep::space::fairness::{Pids, Processes, VisitMovers};
use sweep::space::product::{Automaton, Moves};

use super::automaton::PropertyAutomaton;
use super::{Property, has_accept_labels};
use crate::search::filtered_model::FilteredModel;

/// How the run violates the property; or why it does not.
pub fn confirm(model: &Model, property: &Property, fair: bool, trace: &Trace) -> Result<Violation, String> {
    let states = states(trace);
    let last = states.len() - 1;
    let back = trace.cycle_start;
    if let Some(start) = back
        && states.get(start) != states.last()
    {
        return Err("its cycle does not close".to_owned());
    }
    let automaton = PropertyAutomaton::new(model, property, has_accept_labels(&model.checked))
        .map_err(|error| error.to_string())?;
    let violation =
        accepts(&automaton, &states, back).ok_or_else(|| format!("it does not violate {}", property.name))?;
    match back {
        Some(start) if fair && start < last => is_fair(model, trace, &states, start).map(|()| violation),
        _ => Ok(violation),
    }
}

/// The state at the beginning and after each step.
fn states(trace: &Trace) -> Vec<&[Word]> {
    let after = trace.steps.iter().filter_map(|step| step.states.last());
    std::iter::once(&trace.initial).chain(after).map(Vec::as_slice).collect()
}

/// The violation, if the automaton accepts the states, with `back` as the successor of the last one.
fn accepts(automaton: &PropertyAutomaton, states: &[&[Word]], back: Option<usize>) -> Option<Violation> {
    // A state that is left by going back is the same as the one gone back to.
    let length = match back {
        Some(start) if start + 1 < states.len() => states.len() - 1,
        _ => states.len(),
    };
    let mut scratch = <PropertyAutomaton as Automaton<Violation>>::Scratch::default();
    let mut nodes = vec![(0, automaton.initial())];
    let mut numbers = FxHashMap::from_iter([(nodes[0], 0)]);
    let mut successors: Vec<Vec<usize>> = Vec::new();
    while let Some(&(position, at)) = nodes.get(successors.len()) {
        let mut moves = Moves::default();
        automaton.moves(at, states[position], &mut scratch, &mut moves);
        // What no continuation can mend is not mended by the steps that follow: a reduced search sees them only together.
        if let (None, Some(&violation)) = (back, moves.violations.first()) {
            return Some(violation);
        }
        let next = match back {
            _ if position + 1 < length => position + 1,
            Some(start) => start.min(length - 1),
            None => {
                successors.push(Vec::new());
                continue;
            }
        };
        let mut to = Vec::new();
        for target in moves.targets {
            let node = (next, target);
            to.push(*numbers.entry(node).or_insert(nodes.len()));
            if numbers.len() > nodes.len() {
                nodes.push(node);
            }
        }
        successors.push(to);
    }
    let components = graph::components(&successors);
    let mut numbered = nodes.iter().enumerate();
    let accepted = numbered.any(|(node, &(position, at))| {
        automaton.is_accepting(at, states[position]) && components.is_on_cycle(node) && back.is_some()
    });
    accepted.then(|| automaton.cycle())
}

/// Whether every process has its turn on the cycle, or cannot begin a step somewhere on it.
fn is_fair(model: &Model, trace: &Trace, states: &[&[Word]], start: usize) -> Result<(), String> {
    let system = FilteredModel { end_states: false, assertions: false, ..FilteredModel::all(model) };
    let mut scratch = Default::default();
    let mut served = Pids::default();
    for (step, state) in trace.steps.iter().zip(states).skip(start) {
        step.moves.iter().for_each(|a_move| served.insert(a_move.pid));
        let mut able = Able(Pids::default());
        let _ = system.expand_movers(state, &mut scratch, &mut able);
        (0..=u8::MAX).filter(|&pid| !able.0.contains(u32::from(pid))).for_each(|pid| served.insert(pid));
    }
    match (0..=u8::MAX).find(|&pid| !served.contains(u32::from(pid))) {
        Some(pid) => Err(format!("its cycle is not fair to process {pid}")),
        None => Ok(()),
    }
}

/// The processes that can begin a step.
struct Able(Pids);

impl VisitMovers<Violation> for Able {
    fn successor(&mut self, _: u32, _: &[Word], begun_by: u8, _: Pids) -> ControlFlow<()> {
        self.0.insert(begun_by);
        ControlFlow::Continue(())
    }

    fn violation(&mut self, _: u32, _: Violation) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn working(&mut self, _: usize) -> ControlFlow<()> {
        // The state was expanded before, when the run was followed.
        ControlFlow::Continue(())
    }
}
