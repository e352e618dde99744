//! Clearing unused bits against not clearing them, on all models, in fixed layouts and in others.
//!
//! *Sets:* from the initial state, once as it is and once cleared, with every successor cleared before it is stored: the
//! cleared states, the violations, and the states in which nothing can move must be the same. *Steps:* each state and the
//! same state cleared must have the same events in the same order, up to clearing. Endless sequences are told apart by
//! process only: where one is cut off is no property of the model.

mod common;
mod events;

use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;
use std::path::Path;

use common::{load, models};
use events::Events;
use interp::analysis::unused::{Unused, UnusedKinds};
use interp::model::Tables;
use interp::{Analysis, Model, StateSpace, Violation, ViolationKind, Visit, Word};

/// States of one exploration.
const MOST: usize = 4_000;
/// Events of one state, and looks at the limits, after which it is given up.
const MOST_EVENTS: usize = 20_000;
const PATIENCE: u32 = 2_000;

struct Judge<'m> {
    model: &'m Model,
    unused: &'m Unused,
    tables: Tables,
}

impl<'m> Judge<'m> {
    fn new(model: &'m Model, unused: &'m Unused) -> Self {
        Judge { model, unused, tables: Tables::default() }
    }

    fn cleared(&mut self, state: &[Word]) -> Vec<Word> {
        let mut words = state.to_vec();
        self.model.locate(&words, &mut self.tables);
        self.unused.clear(self.model, &mut words, &self.tables);
        words
    }
}

/// The events of one state, and whether there are too many to look at.
#[derive(Default)]
struct Bounded {
    events: Events,
    looks: u32,
}

impl Visit<Violation> for Bounded {
    fn successor(&mut self, event: u32, next: &[Word]) -> ControlFlow<()> {
        Visit::successor(&mut self.events, event, next)?;
        if self.events.0.len() > MOST_EVENTS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn violation(&mut self, event: u32, violation: Violation) -> ControlFlow<()> {
        Visit::violation(&mut self.events, event, violation)
    }

    fn suffices(&mut self) -> bool {
        false
    }

    fn left_out(&mut self, _: u32) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn working(&mut self, _: usize) -> ControlFlow<()> {
        self.looks += 1;
        if self.looks > PATIENCE { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

fn events(model: &Model, state: &[Word], scratch: &mut <Model as StateSpace>::Scratch) -> Option<Events> {
    let mut found = Bounded::default();
    model.expand(state, scratch, &mut found).is_continue().then_some(found.events)
}

fn is_endless(kind: &ViolationKind) -> bool {
    matches!(kind, ViolationKind::EndlessAtomic | ViolationKind::EndlessDStep)
}

/// A violation as it is compared.
fn name(violation: &Violation) -> String {
    let Violation { kind, pid, span } = violation;
    if is_endless(kind) { format!("{kind:?} {pid:?}") } else { format!("{kind:?} {pid:?} {span:?}") }
}

/// What an exploration meets.
#[derive(Default)]
struct Met {
    /// As they were stored.
    states: usize,
    cleared: HashSet<Vec<Word>>,
    violations: BTreeSet<String>,
    deadlocked: HashSet<Vec<Word>>,
}

/// Explores breadth-first; `None` if that takes too long.
fn explore(judge: &mut Judge, clears: bool) -> Option<Met> {
    let model = judge.model;
    let mut met = Met::default();
    let initial = match model.initial() {
        Ok(initial) => initial,
        Err(violation) => {
            met.violations.insert(name(&violation));
            return Some(met);
        }
    };
    let stored = |judge: &mut Judge, state: Vec<Word>| if clears { judge.cleared(&state) } else { state };
    let first = stored(judge, initial);
    let mut known = HashSet::from([first.clone()]);
    let mut queue = vec![first];
    let mut scratch = model.scratch();
    let mut next = 0;
    while next < queue.len() {
        let found = events(model, &queue[next], &mut scratch)?;
        if !found.0.iter().any(Result::is_ok) {
            met.deadlocked.insert(judge.cleared(&queue[next]));
        }
        for event in found.0 {
            match event {
                Ok(state) => {
                    let state = stored(judge, state);
                    if known.insert(state.clone()) {
                        queue.push(state);
                    }
                }
                Err(violation) => drop(met.violations.insert(name(&violation))),
            }
        }
        if queue.len() > MOST {
            return None;
        }
        next += 1;
    }
    met.states = queue.len();
    met.cleared = queue.iter().map(|state| judge.cleared(state)).collect();
    Some(met)
}

/// How many states a model has as it is and cleared, if both have been compared.
fn same_sets(model: &Model, unused: &Unused, path: &Path) -> Option<(usize, usize)> {
    let mut judge = Judge::new(model, unused);
    // The cleared model is the smaller one: the other is given the same bound.
    let (all, few) = (explore(&mut judge, false)?, explore(&mut judge, true));
    let few = few.unwrap_or_else(|| panic!("{}: more states when they are cleared", path.display()));
    assert!(all.cleared == few.cleared, "{}: {} and {} states", path.display(), all.cleared.len(), few.cleared.len());
    assert_eq!(all.violations, few.violations, "{}", path.display());
    assert!(all.deadlocked == few.deadlocked, "{}: states in which nothing can move", path.display());
    Some((all.states, few.states))
}

/// Compares the events of each of the first `most` states with those of the state when it is cleared.
fn same_steps(model: &Model, unused: &Unused, path: &Path, most: usize) {
    let mut judge = Judge::new(model, unused);
    let Ok(initial) = model.initial() else { return };
    let (mut scratch, mut other_scratch) = (model.scratch(), model.scratch());
    let mut known = HashSet::from([initial.clone()]);
    let mut queue = vec![initial];
    let mut next = 0;
    while next < queue.len().min(most) {
        let state = queue[next].clone();
        next += 1;
        let Some(expected) = events(model, &state, &mut scratch) else { return };
        let cleared = judge.cleared(&state);
        if cleared != state {
            let Some(found) = events(model, &cleared, &mut other_scratch) else { return };
            let mut up_to_clearing = |events: &Events| -> Vec<Result<Vec<Word>, String>> {
                let compared = events.0.iter().map(|event| match event {
                    Ok(state) => Ok(judge.cleared(state)),
                    Err(violation) => Err(name(violation)),
                });
                compared.collect()
            };
            let (expected, found) = (up_to_clearing(&expected), up_to_clearing(&found));
            let endless = |events: &[Result<Vec<Word>, String>]| {
                events.iter().any(|event| event.as_ref().is_err_and(|name| name.starts_with("Endless")))
            };
            match endless(&expected) {
                // It may take another round to see that a state recurs.
                true => {
                    let set = |events: &[_]| events.iter().cloned().collect::<HashSet<_>>();
                    assert_eq!(set(&expected), set(&found), "{}: {state:?}", path.display());
                }
                false => assert!(
                    expected == found,
                    "{}: {state:?} cleared {cleared:?}\n{expected:?}\n{found:?}",
                    path.display()
                ),
            }
        }
        for state in expected.0.into_iter().flatten() {
            if known.insert(state.clone()) {
                queue.push(state);
            }
        }
    }
}

fn all_models() -> Vec<std::path::PathBuf> {
    let mut paths = models("tests/models");
    paths.append(&mut models("examples"));
    paths
}

#[test]
fn cleared_and_uncleared_searches_meet_the_same() {
    for analysis in [Analysis::Full, Analysis::Plain] {
        for kinds in [UnusedKinds::IRRELEVANT, UnusedKinds::DEAD, UnusedKinds::all()] {
            let (mut compared, mut fewer, mut states, mut left) = (0, 0, 0, 0);
            for path in all_models() {
                let Some(model) = load(&path, analysis) else { continue };
                let unused = Unused::new(&model, kinds, &[], true);
                let Some((all, few)) = same_sets(&model, &unused, &path) else { continue };
                assert!(few <= all && (few == all || !unused.is_empty()), "{}", path.display());
                compared += 1;
                fewer += usize::from(few < all);
                (states, left) = (states + all, left + few);
            }
            println!(
                "{analysis:?} {kinds:?}: {compared} models, {fewer} with fewer states; {states} states, {left} left"
            );
            assert!(compared > 300, "{compared} models");
            let least = if kinds == UnusedKinds::IRRELEVANT { 5 } else { 20 };
            assert!(fewer >= least, "{analysis:?} {kinds:?}: only {fewer} models have fewer states");
        }
    }
}

#[test]
fn a_cleared_state_has_the_same_steps() {
    for analysis in [Analysis::Full, Analysis::Plain] {
        for path in all_models() {
            let Some(model) = load(&path, analysis) else { continue };
            let unused = Unused::new(&model, UnusedKinds::all(), &[], true);
            if !unused.is_empty() {
                same_steps(&model, &unused, &path, MOST);
            }
        }
    }
}
