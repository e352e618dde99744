//! A sample of a state space: its first states, breadth-first, with the steps between them, and what random walks see.
//!
//! The first states are a small graph on which measures can be tried; the walks come to where the first states do not.
//! A sample costs a bounded number of expansions and depends on the model alone, unless its budget is spent: then it has
//! what was seen until then.

use std::ops::ControlFlow;

use interp::exec::reduction::Reduction;
use interp::{Model, StateSpace, Violation, Visit, Word};
use sweep::Meter;
use sweep::meter::Buffers;
use sweep::store::{Inserted, StateId, StateTable};

use crate::component::Component;

type Scratch = <Model as StateSpace>::Scratch;

/// How large a sample is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// The most states of the graph.
    pub states: u32,
    /// How many walks.
    pub walks: u32,
    /// The most steps of each.
    pub steps: u32,
    /// If there are no more states than this, nothing is gained by measuring them.
    pub few: u32,
}

impl Default for Size {
    fn default() -> Self {
        Size { states: 8_000, walks: 8, steps: 250, few: 0 }
    }
}

/// Steps by direction, for one component.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Directions {
    /// To a greater value.
    pub forward: u64,
    /// To the same.
    pub stationary: u64,
    /// To a smaller one.
    pub regress: u64,
}

/// What was seen.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// The steps between the states of the graph.
    pub(crate) steps: Steps,
    /// The value of each component in each state of the graph, component by component, from the least that there is.
    pub values: Vec<Vec<u32>>,
    /// The largest of these.
    pub largest: Vec<u32>,
    /// How each component moved, in the graph and on the walks.
    pub directions: Vec<Directions>,
    /// The graph is the whole state space.
    pub complete: bool,
    /// Its last whole level is larger than the one before: there are many more states.
    pub grows: bool,
}

/// Steps between numbered states, state by state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Steps {
    /// Where the steps of each state end in `states`.
    pub(crate) ends: Vec<u32>,
    /// Where they lead.
    pub(crate) states: Vec<u32>,
    /// The state that each begins in.
    sources: Vec<u32>,
}

impl Steps {
    /// Where the steps of this state lead.
    #[inline]
    pub(crate) fn of(&self, state: u32) -> &[u32] {
        let start = (state as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.states[start as usize..self.ends[state as usize] as usize]
    }

    /// The steps of the next state have all been added.
    fn end(&mut self) {
        self.sources.resize(self.states.len(), self.ends.len() as u32);
        self.ends.push(self.states.len() as u32);
    }

    /// Where the steps lead a component with these values.
    fn directions(&self, values: &[u32]) -> Directions {
        let (mut forward, mut regress) = (0, 0);
        for (from, to) in self.pairs() {
            let (from, to) = (values[from as usize], values[to as usize]);
            forward += u64::from(to > from);
            regress += u64::from(to < from);
        }
        Directions { forward, stationary: self.states.len() as u64 - forward - regress, regress }
    }

    /// All steps, from where to where.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        self.sources.iter().copied().zip(self.states.iter().copied())
    }
}

impl Sample {
    /// Takes a sample of the states of a model, or of those that a reduction leaves.
    pub fn take(
        model: &Model,
        reduction: Option<&Reduction>,
        components: &[Component],
        size: Size,
        meter: &Meter,
    ) -> Sample {
        let mut sample =
            Sample { directions: vec![Directions::default(); components.len()], complete: true, ..Sample::default() };
        let initial = reduction.map_or_else(|| model.initial(), |reduction| reduction.initial(model));
        if let Ok(initial) = initial {
            let mut sampler = Sampler { model, reduction, initial, scratch: model.scratch(), size, meter };
            let states = sampler.graph(&mut sample);
            sample.evaluate(model, components, &states);
            if !sample.complete {
                sampler.walks(components, &mut sample.directions);
            }
        }
        sample
    }

    /// A sample that is drawn by hand: the steps of each state, and the values of each component.
    #[cfg(test)]
    pub(crate) fn drawn(steps: &[&[u32]], values: Vec<Vec<u32>>) -> Sample {
        let mut sample = Sample { complete: true, values, ..Sample::default() };
        for ends in steps {
            sample.steps.states.extend_from_slice(ends);
            sample.steps.end();
        }
        sample.largest = sample.values.iter().map(|values| values.iter().copied().max().unwrap_or(0)).collect();
        sample.directions = sample.values.iter().map(|values| sample.steps.directions(values)).collect();
        sample
    }

    /// The graph of the first states alone, without self-loops and parallel steps. The directions stay those of the whole.
    pub fn prefix(&self, states: usize) -> Sample {
        let mut prefix = Sample { directions: self.directions.clone(), ..Sample::default() };
        for state in 0..states.min(self.states()) as u32 {
            // What is known to be there needs no step.
            let is_new = |next: &u32, seen: &[u32]| *next != state && !seen.contains(next);
            let start = prefix.steps.states.len();
            for &next in self.steps.of(state).iter().filter(|&&next| (next as usize) < states) {
                if is_new(&next, &prefix.steps.states[start..]) {
                    prefix.steps.states.push(next);
                }
            }
            prefix.steps.end();
        }
        prefix.values = self.values.iter().map(|values| values[..prefix.states()].to_vec()).collect();
        prefix.largest.clone_from(&self.largest);
        prefix.complete = self.complete && states >= self.states();
        prefix
    }

    /// How many states the graph has.
    pub fn states(&self) -> usize {
        self.steps.ends.len()
    }

    /// How many different values a component has in the graph.
    pub fn spread(&self, component: usize) -> usize {
        let mut values = self.values[component].clone();
        values.sort_unstable();
        values.dedup();
        values.len()
    }

    fn evaluate(&mut self, model: &Model, components: &[Component], states: &StateTable) {
        let processes: Vec<usize> = (0..states.len()).map(|id| model.nr_pr(states.get(StateId(id)))).collect();
        for (component, directions) in components.iter().zip(&mut self.directions) {
            let value = |id: u32| component.value(processes[id as usize], states.get(StateId(id)));
            let mut values: Vec<u32> = (0..states.len()).map(value).collect();
            let least = values.iter().copied().min().unwrap_or(0);
            values.iter_mut().for_each(|value| *value -= least);
            let largest = values.iter().copied().max().unwrap_or(0);
            // A component that never changes needs no comparison.
            *directions = match largest {
                0 => Directions { stationary: self.steps.states.len() as u64, ..Directions::default() },
                _ => self.steps.directions(&values),
            };
            self.values.push(values);
            self.largest.push(largest);
        }
    }
}

/// Explores the states that a sample is made of.
struct Sampler<'a> {
    model: &'a Model,
    reduction: Option<&'a Reduction>,
    initial: Vec<Word>,
    scratch: Scratch,
    size: Size,
    meter: &'a Meter,
}

impl Sampler<'_> {
    /// The first states of a breadth-first search, and the steps between them.
    fn graph(&mut self, sample: &mut Sample) -> StateTable {
        let Sampler { model, reduction, initial, scratch, size, meter } = self;
        let most = size.states;
        let mut states = StateTable::new(model.fixed_words());
        let mut state = Vec::new();
        states.insert(initial);
        let mut next = 0;
        let mut level = (0, 0, 1);
        let (mut spent, mut account) = (false, meter.account());
        while next < states.len() {
            account.set(states.bytes());
            spent |= meter.check().is_err();
            if spent {
                // What is not expanded has no steps.
                sample.complete = false;
                sample.steps.end();
                next += 1;
                continue;
            }
            if next == level.2 && states.len() < most {
                level = (level.1, level.2, states.len());
                sample.grows = level.2 - level.1 > level.1 - level.0;
            }
            state.clear();
            state.extend_from_slice(states.get(StateId(next)));
            next += 1;
            let Sample { steps, complete, .. } = &mut *sample;
            let buffers = Buffers::new(meter);
            let mut visit = Collect { states: &mut states, most, successors: &mut steps.states, complete, buffers };
            spent |= expand(model, *reduction, &state, scratch, &mut visit).is_break();
            sample.steps.end();
        }
        states
    }

    /// The directions of components on random walks.
    fn walks(&mut self, components: &[Component], directions: &mut [Directions]) {
        let Sampler { model, reduction, initial, scratch, size, meter } = self;
        let mut random = Random(0x9E37_79B9_7F4A_7C15);
        for _ in 0..size.walks {
            let mut state = initial.clone();
            let mut visit = Choose { random: &mut random, seen: 0, chosen: Vec::new(), buffers: Buffers::new(meter) };
            let mut values = values_of(model, components, &state);
            for _ in 0..size.steps {
                visit.seen = 0;
                if meter.check().is_err() || expand(model, *reduction, &state, scratch, &mut visit).is_break() {
                    return;
                }
                if visit.seen == 0 {
                    break;
                }
                std::mem::swap(&mut state, &mut visit.chosen);
                let processes = model.nr_pr(&state);
                for ((component, before), directions) in components.iter().zip(&mut values).zip(&mut *directions) {
                    let after = component.value(processes, &state);
                    directions.add(std::mem::replace(before, after), after);
                }
            }
        }
    }
}

/// The steps of a state, or those that a reduction leaves.
fn expand<V: Visit<Violation>>(
    model: &Model,
    reduction: Option<&Reduction>,
    state: &[Word],
    scratch: &mut Scratch,
    visit: &mut V,
) -> ControlFlow<()> {
    match reduction {
        None => model.expand(state, scratch, visit),
        Some(reduction) => model.expand_reduced(reduction, state, scratch, visit),
    }
}

/// The values of components in a state.
fn values_of(model: &Model, components: &[Component], state: &[Word]) -> Vec<u32> {
    components.iter().map(|component| component.value(model.nr_pr(state), state)).collect()
}

impl Directions {
    fn add(&mut self, from: u32, to: u32) {
        match to.cmp(&from) {
            std::cmp::Ordering::Greater => self.forward += 1,
            std::cmp::Ordering::Equal => self.stationary += 1,
            std::cmp::Ordering::Less => self.regress += 1,
        }
    }

    /// The share of steps to a smaller value.
    pub fn regress_share(&self) -> f64 {
        self.regress as f64 / (self.forward + self.stationary + self.regress).max(1) as f64
    }
}

/// Adds successors to the graph while there is room.
struct Collect<'a> {
    states: &'a mut StateTable,
    most: u32,
    successors: &'a mut Vec<u32>,
    complete: &'a mut bool,
    buffers: Buffers<'a>,
}

impl Visit<Violation> for Collect<'_> {
    fn successor(&mut self, _: u32, next: &[Word]) -> ControlFlow<()> {
        let known = match self.states.len() < self.most {
            true => match self.states.insert(next) {
                Inserted::New(id) | Inserted::Known(id) => Some(id),
            },
            false => self.states.find(sweep::store::hash(next), next),
        };
        match known {
            Some(id) => self.successors.push(id.0),
            None => *self.complete = false,
        }
        ControlFlow::Continue(())
    }

    fn violation(&mut self, _: u32, _: Violation) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn suffices(&mut self) -> bool {
        true
    }

    fn left_out(&mut self, _: u32) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn working(&mut self, bytes: usize) -> ControlFlow<()> {
        self.buffers.hold(bytes)
    }
}

/// Keeps one successor, each with the same probability.
struct Choose<'a> {
    random: &'a mut Random,
    seen: u64,
    chosen: Vec<Word>,
    buffers: Buffers<'a>,
}

impl Visit<Violation> for Choose<'_> {
    fn successor(&mut self, _: u32, next: &[Word]) -> ControlFlow<()> {
        self.seen += 1;
        if self.random.next().is_multiple_of(self.seen) {
            self.chosen.clear();
            self.chosen.extend_from_slice(next);
        }
        ControlFlow::Continue(())
    }

    fn violation(&mut self, _: u32, _: Violation) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn suffices(&mut self) -> bool {
        true
    }

    fn left_out(&mut self, _: u32) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn working(&mut self, bytes: usize) -> ControlFlow<()> {
        self.buffers.hold(bytes)
    }
}

/// Xorshift: the same numbers in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 11
    }
}
