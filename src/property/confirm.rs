//! Verifies that a run violates a property: the automaton is run over the states of the run, and nothing else.
//!
//! This judges the result of a search by other means: the run is followed in the model, its cycle must close, the automaton must
//! accept it, and what waits along the cycle must be served on it as the fairness assumptions demand.

use std::ops::ControlFlow;

use fxhash::{FxHashMap, FxHashSet};
use interp::exec::step::{Path, Sink};
use interp::inspect::trace::Trace;
use interp::{Model, StateSpace, Violation, Word};
use sweep::space::product::{Automaton, Moves};
use sweep::{Meter, StopReason};

use super::automaton::PropertyAutomaton;
use super::fairness::{self, Fairness, Part, Subject};
use super::{Property, has_accept_labels};

/// How the run violates the property; or why it does not.
pub fn confirm(
    model: &Model,
    property: &Property,
    fairness: &Fairness,
    trace: &Trace,
    meter: &Meter,
) -> Result<Violation, String> {
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
    if let Some(start) = back.filter(|&start| start < last && !fairness.is_empty()) {
        let unserved = unserved(model, fairness, trace, start, meter).map_err(|reason| reason.to_string())?;
        if let Some(subject) = unserved.first() {
            return Err(format!("its cycle is not fair to process {}", subject.pid()));
        }
    }
    Ok(violation)
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

/// What a run that repeats the cycle of a trace does not serve, although it must. This is found in each state of the cycle by
/// itself, and messages by executing every move once more.
pub fn unserved(
    model: &Model,
    fairness: &Fairness,
    trace: &Trace,
    start: usize,
    meter: &Meter,
) -> Result<Vec<Subject>, StopReason> {
    let states = states(trace);
    let mut scratch = model.scratch();
    let mut states_waiting: FxHashMap<Subject, usize> = FxHashMap::default();
    let mut served = FxHashSet::default();
    for (step, &state) in trace.steps.iter().zip(&states).skip(start) {
        meter.check()?;
        let before = |nth: usize| nth.checked_sub(1).map_or(state, |earlier| &step.states[earlier]);
        let spoken = |nth: usize, channels: &mut Vec<i32>| {
            let earlier = nth.checked_sub(1).map(|earlier| &step.moves[earlier]);
            fairness::spoken(model, before(nth), earlier, &step.moves[nth], channels);
        };
        fairness.subjects(model, &step.moves, spoken, |subject, _| {
            served.insert(subject);
        });
        let mut able = Able { model, fairness, state, waiting: FxHashSet::default(), meter, end: Ok(()) };
        let _ = model.walk(state, &mut scratch, &mut able);
        able.end?;
        able.waiting.into_iter().for_each(|subject| *states_waiting.entry(subject).or_default() += 1);
    }
    let length = trace.steps.len() - start;
    let must = |subject: Subject, states: usize| subject.is_strong() || states == length;
    let unserved = states_waiting.into_iter().filter(|(subject, states)| must(*subject, *states));
    let mut unserved: Vec<Subject> =
        unserved.map(|(subject, _)| subject).filter(|subject| !served.contains(subject)).collect();
    unserved.sort_by_key(|subject| subject.pid());
    Ok(unserved)
}

/// Collects what waits in a state.
struct Able<'a> {
    model: &'a Model,
    fairness: &'a Fairness,
    state: &'a [Word],
    waiting: FxHashSet<Subject>,
    meter: &'a Meter,
    end: Result<(), StopReason>,
}

impl Sink for Able<'_> {
    fn successor(&mut self, _: &[Word], path: Path) -> ControlFlow<()> {
        let Able { model, fairness, state, waiting, .. } = self;
        let states: Vec<&[Word]> = std::iter::once(*state).chain(path.states()).collect();
        let spoken = |nth: usize, channels: &mut Vec<i32>| {
            let earlier = nth.checked_sub(1).map(|earlier| &path.moves[earlier]);
            fairness::spoken(model, states[nth], earlier, &path.moves[nth], channels);
        };
        fairness.subjects(model, path.moves, spoken, |subject, part| {
            if part == Part::WaitsAndIsServed {
                waiting.insert(subject);
            }
        });
        ControlFlow::Continue(())
    }

    fn violation(&mut self, _: Violation, _: Path) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn working(&mut self, _: usize) -> ControlFlow<()> {
        self.end = self.meter.check();
        if self.end.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}
