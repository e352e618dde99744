//! The choice of a measure: components are added one by one as long as a trial on a sample says that they pay.
//!
//! A plan is judged by the peak of a sweep over the sample and by the states it expands more than once. Only components
//! that never fell in the sample may make columns, and only if they are proven or presumed to be monotone. If nothing
//! helps, the plan is empty and the search has one layer: never much worse than a full search.

use interp::Model;

use crate::component::{Claim, Component};
use crate::product::{Plan, ProductMeasure};
use crate::sample::{Sample, Size};
use crate::trial::{self, Trial};
use crate::{process, variable};

/// Where components come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// From everything.
    Auto,
    /// From the control flow of processes.
    Control,
    /// From nothing.
    None,
}

/// A measure that was chosen, and why.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The measure.
    pub measure: ProductMeasure,
    /// What was seen.
    pub sample: Sample,
    /// What the chosen plan cost on the sample.
    pub trial: Trial,
}

/// A plan may expand so many times the states of the sample.
const MOST_EXPANDED: f64 = 1.5;
/// A step of the choice must lower the cost to this part at least.
const WORTH_IT: f64 = 0.98;
/// The share of steps back that a component may have.
const MOST_REGRESS: f64 = 0.2;
/// An empty plan is better than one that does not come below this.
const GOOD_ENOUGH: f64 = 0.85;
/// Trials of one choice, at most.
const MOST_TRIALS: usize = 600;

/// Chooses a measure for a model.
pub fn choose(model: &Model, mode: Mode, size: Size) -> Choice {
    let mut components = match mode {
        Mode::None => Vec::new(),
        Mode::Control | Mode::Auto => process::components(model),
    };
    if mode == Mode::Auto {
        components.extend(variable::components(model));
    }
    let mut sample = Sample::take(model, &components, size);
    turn(&mut components, &mut sample);
    let (plan, trial) = Chooser::new(&components, &sample).choose();
    Choice { measure: ProductMeasure::new(model, components, plan), sample, trial }
}

/// Components without a claim that mostly fall are turned round.
fn turn(components: &mut [Component], sample: &mut Sample) {
    for (number, component) in components.iter_mut().enumerate() {
        let directions = &mut sample.directions[number];
        if !component.is_control && component.claim != Claim::Proven && directions.regress > directions.forward {
            component.falling = !component.falling;
            std::mem::swap(&mut directions.regress, &mut directions.forward);
            for value in sample.values.get_mut(number).into_iter().flatten() {
                *value = component.max - *value;
            }
        }
    }
}

struct Chooser<'a> {
    components: &'a [Component],
    sample: &'a Sample,
    trials: usize,
}

impl<'a> Chooser<'a> {
    fn new(components: &'a [Component], sample: &'a Sample) -> Self {
        Chooser { components, sample, trials: 0 }
    }

    fn choose(&mut self) -> (Plan, Trial) {
        let candidates = self.candidates();
        let empty = trial::run(self.sample, &Plan::default());
        let mut best = (Plan::default(), empty);
        for plan in self.starts(&candidates) {
            self.try_plan(plan, &mut best);
        }
        loop {
            let before = best.clone();
            for &candidate in &candidates {
                if before.0.used().all(|used| used != candidate) {
                    for plan in self.extensions(&before.0, candidate) {
                        self.try_plan(plan, &mut best);
                    }
                }
            }
            for plan in reductions(&before.0) {
                self.try_plan(plan, &mut best);
            }
            if best.0 == before.0 || self.trials > MOST_TRIALS {
                break;
            }
        }
        match best.1.peak < GOOD_ENOUGH {
            true => best,
            false => (Plan::default(), empty),
        }
    }

    /// The components that move and do not fall too often.
    fn candidates(&self) -> Vec<usize> {
        let usable = |&number: &usize| {
            let directions = self.sample.directions[number];
            directions.forward > 0 && directions.regress_share() <= MOST_REGRESS
        };
        (0..self.components.len()).filter(usable).collect()
    }

    /// May this component make columns?
    fn makes_columns(&self, component: usize) -> bool {
        self.components[component].claim > Claim::None && self.sample.directions[component].regress == 0
    }

    /// Plans to begin with: the total progress of all that never falls, alone and with that of cycles.
    fn starts(&self, candidates: &[usize]) -> Vec<Plan> {
        let (columns, others): (Vec<usize>, Vec<usize>) =
            candidates.iter().partition(|&&number| self.makes_columns(number));
        let control = |numbers: &[usize]| -> Vec<usize> {
            numbers.iter().copied().filter(|&number| self.components[number].is_control).collect()
        };
        let term = |parts: &[usize]| if parts.is_empty() { Vec::new() } else { vec![parts.to_vec()] };
        let mut starts = Vec::new();
        for columns in [&columns, &control(&columns)] {
            for layers in [&Vec::new(), &control(&others)] {
                starts.push(Plan { columns: term(columns), layers: term(layers) });
            }
            let each: Vec<Vec<usize>> = columns.iter().map(|&number| vec![number]).collect();
            starts.push(Plan { columns: each, layers: Vec::new() });
        }
        starts
    }

    /// The ways to add a component to a plan: to the last term, as a term behind the others, or before them.
    fn extensions(&self, plan: &Plan, component: usize) -> Vec<Plan> {
        let extend = |change: &dyn Fn(&mut Vec<Vec<usize>>)| {
            let mut plan = plan.clone();
            change(match self.makes_columns(component) {
                true => &mut plan.columns,
                false => &mut plan.layers,
            });
            plan
        };
        let summed = extend(&|terms| match terms.last_mut() {
            Some(last) => last.push(component),
            None => terms.push(vec![component]),
        });
        let behind = extend(&|terms| terms.push(vec![component]));
        let before = extend(&|terms| terms.insert(0, vec![component]));
        vec![summed, behind, before]
    }

    fn try_plan(&mut self, plan: Plan, best: &mut (Plan, Trial)) {
        if self.trials > MOST_TRIALS {
            return;
        }
        self.trials += 1;
        let trial = trial::run(self.sample, &plan);
        let fewer = plan.used().count() < best.0.used().count();
        let needed = if fewer { cost(&best.1) } else { cost(&best.1) * WORTH_IT };
        if trial.expanded <= MOST_EXPANDED && cost(&trial) < needed {
            *best = (plan, trial);
        }
    }
}

/// Plans with one component less.
fn reductions(plan: &Plan) -> Vec<Plan> {
    let without = |component: usize| {
        let mut plan = plan.clone();
        for terms in [&mut plan.columns, &mut plan.layers] {
            terms.iter_mut().for_each(|term| term.retain(|&part| part != component));
            terms.retain(|term| !term.is_empty());
        }
        plan
    };
    plan.used().map(without).collect()
}

/// What a plan costs: memory, and time that is spent twice.
fn cost(trial: &Trial) -> f64 {
    trial.peak + 0.2 * (trial.expanded - 1.0)
}
