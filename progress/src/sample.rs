//! A sample of a state space: its first states, breadth-first, with the steps between them, and what random walks see.
//!
//! The first states are a small graph on which measures can be tried; the walks come to where the first states do not.
//! A sample costs a bounded number of expansions and depends on the model alone.

use std::ops::ControlFlow;

use interp::{Model, StateSpace, Violation, Visit, Word};
use sweep::store::{Inserted, Layer, StateId};

use crate::component::Component;
use crate::product::Plan;

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
    /// The value of each component in each state, also those not looked at, component by component, from the least that
    /// there is.
    pub values: Vec<Vec<u32>>,
    /// The largest of these.
    pub largest: Vec<u32>,
    /// How each component moved, in the graph and on the walks.
    pub directions: Vec<Directions>,
    /// The graph is the whole state space, and all of it was looked at.
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

    /// Where the steps, from this one on, lead a component with these values.
    fn directions(&self, values: &[u32], first: usize) -> Directions {
        let mut directions = Directions::default();
        for (from, to) in self.pairs().skip(first) {
            directions.add(Directions::of(values[from as usize], values[to as usize]));
        }
        directions
    }

    /// All steps, from where to where.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        self.sources.iter().copied().zip(self.states.iter().copied())
    }
}

/// Takes a sample, and looks at more of the states that are in it if that is wanted.
pub struct Sampler<'m> {
    model: &'m Model,
    /// The states of the graph; the first of them are expanded.
    states: Layer,
    most: u32,
    scratch: Scratch,
    /// Has a step led to a state for which there was no room?
    has_left: bool,
    /// What was seen.
    pub sample: Sample,
}

impl<'m> Sampler<'m> {
    /// Takes a sample. If there is no room for all states, only the first so many are looked at.
    pub fn new(model: &'m Model, components: &[Component], size: Size, first: usize) -> Self {
        let directions = vec![Directions::default(); components.len()];
        let mut sampler = Sampler {
            model,
            states: Layer::new(model.fixed_words()),
            most: size.states,
            scratch: model.scratch(),
            has_left: false,
            sample: Sample { directions, complete: true, ..Sample::default() },
        };
        if let Ok(initial) = model.initial() {
            sampler.states.insert(&initial);
            sampler.expand(first);
            sampler.evaluate(components);
            if !sampler.sample.complete {
                sampler.walks(components, &initial, size);
            }
        }
        sampler
    }

    /// Looks at all states of the graph.
    pub fn finish(&mut self) {
        let known = self.sample.steps.states.len();
        self.expand(usize::MAX);
        let Sample { steps, values, directions, .. } = &mut self.sample;
        for (values, directions) in values.iter().zip(directions) {
            directions.add(steps.directions(values, known));
        }
    }

    /// Expands states until so many are expanded and there is no room for more.
    fn expand(&mut self, first: usize) {
        let Sampler { model, states, most, scratch, has_left, sample } = self;
        let mut state = Vec::new();
        let mut level = (0, 0, 1);
        while sample.states() < states.len() as usize && (sample.states() < first || states.len() < *most) {
            let next = sample.states() as u32;
            if next == level.2 && states.len() < *most {
                level = (level.1, level.2, states.len());
                sample.grows = level.2 - level.1 > level.1 - level.0;
            }
            state.clear();
            state.extend_from_slice(states.get(StateId(next)));
            let mut visit = Collect { states, most: *most, successors: &mut sample.steps.states, has_left };
            let _ = model.expand(&state, scratch, &mut visit);
            sample.steps.end();
        }
        sample.complete = !*has_left && sample.states() == states.len() as usize;
    }

    fn evaluate(&mut self, components: &[Component]) {
        let Sampler { model, states, sample, .. } = self;
        let processes: Vec<usize> = (0..states.len()).map(|id| model.nr_pr(states.get(StateId(id)))).collect();
        for (component, directions) in components.iter().zip(&mut sample.directions) {
            let value = |id: u32| component.value(processes[id as usize], states.get(StateId(id)));
            let mut values: Vec<u32> = (0..states.len()).map(value).collect();
            let least = values.iter().copied().min().unwrap_or(0);
            values.iter_mut().for_each(|value| *value -= least);
            directions.add(sample.steps.directions(&values, 0));
            sample.largest.push(values.iter().copied().max().unwrap_or(0));
            sample.values.push(values);
        }
    }

    fn walks(&mut self, components: &[Component], initial: &[Word], size: Size) {
        let Sampler { model, scratch, sample, .. } = self;
        let mut random = Random(0x9E37_79B9_7F4A_7C15);
        for _ in 0..size.walks {
            let mut state = initial.to_vec();
            let mut visit = Choose { random: &mut random, seen: 0, chosen: Vec::new() };
            let mut values = values_of(model, components, &state);
            for _ in 0..size.steps {
                visit.seen = 0;
                let _ = model.expand(&state, scratch, &mut visit);
                if visit.seen == 0 {
                    break;
                }
                std::mem::swap(&mut state, &mut visit.chosen);
                let processes = model.nr_pr(&state);
                for ((component, before), directions) in components.iter().zip(&mut values).zip(&mut sample.directions)
                {
                    let after = component.value(processes, &state);
                    directions.add(Directions::of(std::mem::replace(before, after), after));
                }
            }
        }
    }
}

impl Sample {
    /// Takes a sample, and looks at all of it.
    pub fn take(model: &Model, components: &[Component], size: Size) -> Sample {
        Sampler::new(model, components, size, usize::MAX).sample
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
        sample.directions = sample.values.iter().map(|values| sample.steps.directions(values, 0)).collect();
        sample
    }

    /// The graph of the first so many states, without steps that lead nowhere new. What walks saw is the same.
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

    /// How many states of the graph were looked at.
    pub fn states(&self) -> usize {
        self.steps.ends.len()
    }

    /// Is there a component of a plan that was seen to fall?
    pub(crate) fn falls(&self, plan: &Plan) -> bool {
        plan.used().any(|part| self.directions[part].regress > 0)
    }

    /// How many different values a component has in the graph.
    pub fn spread(&self, component: usize) -> usize {
        let mut values = self.values[component].clone();
        values.sort_unstable();
        values.dedup();
        values.len()
    }
}

/// The values of components in a state.
fn values_of(model: &Model, components: &[Component], state: &[Word]) -> Vec<u32> {
    components.iter().map(|component| component.value(model.nr_pr(state), state)).collect()
}

impl Directions {
    /// Of one step.
    fn of(from: u32, to: u32) -> Directions {
        let [forward, stationary, regress] = [to > from, to == from, to < from].map(u64::from);
        Directions { forward, stationary, regress }
    }

    fn add(&mut self, other: Directions) {
        self.forward += other.forward;
        self.stationary += other.stationary;
        self.regress += other.regress;
    }

    /// The share of steps to a smaller value.
    pub fn regress_share(&self) -> f64 {
        self.regress as f64 / (self.forward + self.stationary + self.regress).max(1) as f64
    }
}

/// Adds successors to the graph while there is room.
struct Collect<'a> {
    states: &'a mut Layer,
    most: u32,
    successors: &'a mut Vec<u32>,
    has_left: &'a mut bool,
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
            None => *self.has_left = true,
        }
        ControlFlow::Continue(())
    }

    fn violation(&mut self, _: u32, _: Violation) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Keeps one successor, each with the same probability.
struct Choose<'a> {
    random: &'a mut Random,
    seen: u64,
    chosen: Vec<Word>,
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
