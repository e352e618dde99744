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
    /// Nothing was tried, because there are few states.
    pub few: bool,
}

/// A plan may expand so many times the states of the sample.
const MOST_EXPANDED: f64 = 1.5;
/// A step of the choice must lower the cost to this part at least.
const WORTH_IT: f64 = 0.98;
/// The share of steps back that a component may have.
const MOST_REGRESS: f64 = 0.2;
/// An empty plan is better than one that does not come below this.
const GOOD_ENOUGH: f64 = 0.85;
/// A plan is confirmed on a sample so many times larger.
const LARGER: u32 = 4;
/// Trials on the first sample, at most.
const MOST_TRIALS: usize = 500;
/// Trials on the larger one.
const MORE_TRIALS: usize = 40;

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
    if sample.complete && sample.states() <= size.few as usize {
        let plan = Plan::default();
        let trial = trial::run(&sample, &plan);
        return Choice { measure: ProductMeasure::new(model, components, plan), sample, trial, few: true };
    }
    turn(&mut components, &mut sample);
    let (mut plan, mut trial) = Chooser::new(&components, &sample, MOST_TRIALS).choose(Plan::default());
    if !sample.complete && !plan.is_empty() {
        // What looks well on few states may not on more.
        sample = Sample::take(model, &components, Size { states: size.states * LARGER, ..size });
        plan = confirm(&sample, plan);
        (plan, trial) = Chooser::new(&components, &sample, MORE_TRIALS).choose(plan);
        complete(&components, &mut plan);
    }
    Choice { measure: ProductMeasure::new(model, components, plan), sample, trial, few: false }
}

/// Takes components out of a plan until a larger sample agrees with it.
fn confirm(sample: &Sample, mut plan: Plan) -> Plan {
    while !plan.is_empty() && trial::run(sample, &plan).expanded > MOST_EXPANDED {
        let tried = reductions(&plan).into_iter().map(|plan| (doubt(&trial::run(sample, &plan)), plan));
        match tried.min_by(|(a, _), (b, _)| a.total_cmp(b)) {
            Some((_, reduced)) => plan = reduced,
            None => break,
        }
    }
    plan
}

/// What is proven to be monotone and did not move in the sample may move later: it is progress as well.
fn complete(components: &[Component], plan: &mut Plan) {
    let used: Vec<usize> = plan.used().collect();
    if let Some(first) = plan.columns.first_mut().filter(|first| first.len() > 2) {
        let proven = |number: &usize| components[*number].claim == Claim::Proven && components[*number].max > 2;
        first.extend((0..components.len()).filter(proven).filter(|number| !used.contains(number)));
    }
}

/// How far a plan is from being acceptable, and then what it costs.
fn doubt(trial: &Trial) -> f64 {
    cost(trial) + 10.0 * (trial.expanded - MOST_EXPANDED).max(0.0)
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
    /// How many trials are left.
    trials: usize,
}

impl<'a> Chooser<'a> {
    fn new(components: &'a [Component], sample: &'a Sample, trials: usize) -> Self {
        Chooser { components, sample, trials }
    }

    /// The best plan that is found, beginning with `given` and some that suit many models.
    fn choose(&mut self, given: Plan) -> (Plan, Trial) {
        let candidates = self.candidates();
        let empty = trial::run(self.sample, &Plan::default());
        let mut best = (Plan::default(), empty);
        for plan in std::iter::once(given).chain(self.starts(&candidates)) {
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
            if best.0 == before.0 || self.trials == 0 {
                break;
            }
        }
        match best.1.weight < GOOD_ENOUGH {
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
        }
        starts
    }

    /// The ways to add a component to a plan: to the first or last term, or as a term before or behind the others.
    fn extensions(&self, plan: &Plan, component: usize) -> Vec<Plan> {
        let extend = |change: &dyn Fn(&mut Vec<Vec<usize>>)| {
            let mut plan = plan.clone();
            change(match self.makes_columns(component) {
                true => &mut plan.columns,
                false => &mut plan.layers,
            });
            plan
        };
        let first = extend(&|terms| terms.iter_mut().take(1).for_each(|term| term.push(component)));
        let last =
            extend(&|terms| terms.iter_mut().skip(1).next_back().into_iter().for_each(|term| term.push(component)));
        let before = extend(&|terms| terms.insert(0, vec![component]));
        let behind = extend(&|terms| terms.push(vec![component]));
        [first, last, before, behind].into_iter().filter(|extended| extended != plan).collect()
    }

    fn try_plan(&mut self, plan: Plan, best: &mut (Plan, Trial)) {
        let Some(left) = self.trials.checked_sub(1) else { return };
        self.trials = left;
        let trial = trial::run(self.sample, &plan);
        let fewer = plan.used().count() < best.0.used().count();
        let needed = if fewer { cost(&best.1) } else { cost(&best.1) * WORTH_IT };
        if trial.expanded <= MOST_EXPANDED && cost(&trial) < needed {
            *best = (plan, trial);
        }
    }
}

/// Plans with one component less, and without layers.
fn reductions(plan: &Plan) -> Vec<Plan> {
    let without = |component: usize| {
        let mut plan = plan.clone();
        for terms in [&mut plan.columns, &mut plan.layers] {
            terms.iter_mut().for_each(|term| term.retain(|&part| part != component));
            terms.retain(|term| !term.is_empty());
        }
        plan
    };
    let mut plans: Vec<Plan> = plan.used().map(without).collect();
    if !plan.layers.is_empty() {
        plans.push(Plan { columns: plan.columns.clone(), layers: Vec::new() });
    }
    plans
}

/// What a plan costs: memory, and time that is spent twice.
fn cost(trial: &Trial) -> f64 {
    trial.weight + 0.2 * (trial.expanded - 1.0)
}
