//! The choice of a measure: components are added one by one as long as a trial on a sample says that they pay.
//!
//! A plan is judged by the peak of a sweep over the sample and by the states it expands more than once. Only components
//! that never fell in the sample may make columns, and only if they are proven or presumed to be monotone. If nothing
//! helps, the plan is empty and the search has one layer: never much worse than a full search.

use fxhash::{FxHashMap, FxHashSet};
use interp::Model;
use interp::exec::reduction::Reduction;
use sweep::Meter;

use crate::component::{Claim, Component, Source};
use crate::product::{Plan, ProductMeasure};
use crate::sample::{Sample, Size};
use crate::trial::{Bound, Trial, Trials};
use crate::{potential, process, variable};

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

/// The most expansions of a plan, as a multiple of the states of the sample.
const MOST_EXPANDED: f64 = 1.5;
/// The weight of expanding every state twice, relative to storing every state.
const AGAIN: f64 = 0.6;
/// A step of the choice must lower the cost to this part at least,
const WORTH_IT: f64 = 0.95;
/// or to this one, if there is time.
const WORTH_MORE: f64 = 0.98;
/// The share of steps back that a component may have.
const MOST_REGRESS: f64 = 0.2;
/// An empty plan is better than one that does not come below this.
const GOOD_ENOUGH: f64 = 0.85;
/// A plan is searched for on this prefix of the sample, and confirmed on the whole.
const PART: usize = 4_000;
/// Trials on the part, at most.
const MOST_TRIALS: usize = 80;
/// Trials if that was not enough for a model with many states.
const MANY_TRIALS: usize = 300;
/// What is enough, as a cost.
const ENOUGH: f64 = 0.25;
/// Trials on the whole.
const MORE_TRIALS: usize = 10;
/// The most processes that layers are split by at the end.
const MOST_SPLITS: usize = 3;
/// Layers are not split if they would have fewer states of the sample than this.
const LEAST_LAYER: usize = 4;

/// The choice may use one part in four of the budget of a run.
const SHARE: u32 = 4;

/// Chooses a measure for a model, or for what a reduction leaves of it, in a share of what the meter leaves.
pub fn choose(model: &Model, reduction: Option<&Reduction>, mode: Mode, size: Size, meter: &Meter) -> Choice {
    let meter = &meter.share(SHARE);
    let mut components = candidates(model, mode);
    // Without components there is nothing to sample.
    let size = if components.is_empty() { Size { states: 1, walks: 0, ..size } } else { size };
    let mut sample = Sample::take(model, reduction, &components, size, meter);
    if sample.complete && sample.states() <= size.few as usize {
        let plan = Plan::default();
        let trial = Trials::new(&sample).run(&plan);
        return Choice { measure: ProductMeasure::new(model, components, plan), sample, trial, few: true };
    }
    turn(&mut components, &mut sample);
    let part = sample.prefix(PART);
    let mut chooser = Chooser::new(&components, &part, meter);
    let (mut plan, mut trial) = chooser.choose(Plan::default(), MOST_TRIALS, WORTH_IT);
    if sample.grows && !sample.complete && cost(&trial) > ENOUGH {
        (plan, trial) = chooser.choose(plan, MANY_TRIALS, WORTH_MORE);
    }
    if !plan.is_empty() {
        // A plan that is good on few states may be bad on more.
        let mut chooser = Chooser::new(&components, &sample, meter);
        plan = confirm(&mut chooser.tries, plan);
        (plan, trial) = chooser.choose(plan, MORE_TRIALS, WORTH_IT);
        (plan, trial) = split(&components, &mut chooser, plan, trial);
        complete(&components, &mut plan);
    }
    Choice { measure: ProductMeasure::new(model, components, plan), sample, trial, few: false }
}

/// The components that can be chosen.
fn candidates(model: &Model, mode: Mode) -> Vec<Component> {
    let mut components = match mode {
        Mode::None => Vec::new(),
        Mode::Control | Mode::Auto => process::components(model),
    };
    if mode == Mode::Auto {
        components.extend(variable::components(model));
        components.extend(potential::component(model));
    }
    components
}

/// How a measure was made from the components of its model: enough to make it again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Recipe {
    /// For each component, whether it is negated.
    pub falling: Vec<bool>,
    /// What takes part.
    pub plan: Plan,
}

impl Recipe {
    /// The recipe of a measure.
    pub fn of(measure: &ProductMeasure) -> Recipe {
        let falling = measure.components().iter().map(|component| component.falling).collect();
        Recipe { falling, plan: measure.plan().clone() }
    }

    /// The measure again; `None` if it is not one of this model.
    pub fn measure(self, model: &Model, mode: Mode) -> Option<ProductMeasure> {
        let Recipe { falling, plan } = self;
        let mut components = candidates(model, mode);
        if falling.len() != components.len() || plan.used().any(|number| number >= components.len()) {
            return None;
        }
        for (component, falling) in components.iter_mut().zip(falling) {
            component.falling = falling;
        }
        Some(ProductMeasure::new(model, components, plan))
    }
}

/// Takes components out of a plan until a larger sample agrees with it.
fn confirm(tries: &mut Trials, mut plan: Plan) -> Plan {
    while !plan.is_empty() && tries.run(&plan).expanded > MOST_EXPANDED {
        let tried = reductions(&plan).into_iter().map(|plan| (doubt(&tries.run(&plan)), plan));
        match tried.min_by(|(a, _), (b, _)| a.total_cmp(b)) {
            Some((_, reduced)) => plan = reduced,
            None => break,
        }
    }
    plan
}

/// A sum of many components has few values, and so large layers. They are split by the order of the parts of all
/// processes that are on one level, and then by single processes, as long as that lowers the peak of the sample and does
/// not leave layers of a few states.
fn split(components: &[Component], chooser: &mut Chooser, plan: Plan, trial: Trial) -> (Plan, Trial) {
    let is_sum = plan.columns.iter().any(|term| term.iter().filter(|&&part| components[part].is_control).count() > 1);
    let orders = orders(components, chooser.sample);
    let mut best = (plan, trial);
    if !is_sum || orders.is_empty() {
        return best;
    }
    let alone = orders.iter().take(MOST_SPLITS).map(|&part| vec![part]);
    for term in std::iter::once(orders.clone()).chain(alone) {
        if best.0.columns.contains(&term) {
            continue;
        }
        let mut plan = best.0.clone();
        plan.columns.push(term);
        let trial = chooser.tries.run(&plan);
        if trial.peak > best.1.peak * WORTH_IT || trial.layers * LEAST_LAYER > chooser.sample.states() {
            break;
        }
        best = (plan, trial);
    }
    best
}

/// The components that tell apart parts on one level, as far as they move.
fn orders(components: &[Component], sample: &Sample) -> Vec<usize> {
    let is_order = |&number: &usize| components[number].is_order && sample.directions[number].forward > 0;
    (0..components.len()).filter(is_order).collect()
}

/// Components that are proven to be monotone and did not change in the sample may change later: they are added.
fn complete(components: &[Component], plan: &mut Plan) {
    let used: Vec<usize> = plan.used().collect();
    if let Some(first) = plan.columns.first_mut().filter(|first| first.len() > 2) {
        let proven = |number: &usize| {
            components[*number].claim == Claim::Proven && components[*number].max > 2 && !components[*number].is_order
        };
        first.extend((0..components.len()).filter(proven).filter(|number| !used.contains(number)));
    }
}

/// How far a plan is from being acceptable, and then what it costs.
fn doubt(trial: &Trial) -> f64 {
    cost(trial) + 10.0 * (trial.expanded - MOST_EXPANDED).max(0.0)
}

/// Components without a claim that mostly decrease are negated.
fn turn(components: &mut [Component], sample: &mut Sample) {
    for (number, component) in components.iter_mut().enumerate() {
        let directions = &mut sample.directions[number];
        if !component.is_control && component.claim != Claim::Proven && directions.regress > directions.forward {
            component.falling = !component.falling;
            std::mem::swap(&mut directions.regress, &mut directions.forward);
            if let Some((values, &largest)) = sample.values.get_mut(number).zip(sample.largest.get(number)) {
                values.iter_mut().for_each(|value| *value = largest - *value);
            }
        }
    }
}

struct Chooser<'a> {
    components: &'a [Component],
    /// For each component, the first that is like it.
    kinds: Vec<usize>,
    sample: &'a Sample,
    tries: Trials<'a>,
    /// What plans cost that have been tried, at least.
    known: FxHashMap<Plan, f64>,
    /// How many trials are left.
    left: usize,
    /// A step must lower the cost to this part at least.
    worth: f64,
    meter: &'a Meter,
}

impl<'a> Chooser<'a> {
    fn new(components: &'a [Component], sample: &'a Sample, meter: &'a Meter) -> Self {
        let (kinds, tries, known) = (kinds(components), Trials::new(sample), FxHashMap::default());
        Chooser { components, kinds, sample, tries, known, left: 0, worth: 1.0, meter }
    }

    /// The best plan that is found in this number of trials, beginning with `given` and some that suit many models.
    fn choose(&mut self, given: Plan, trials: usize, worth: f64) -> (Plan, Trial) {
        (self.left, self.worth) = (trials, worth);
        let candidates = self.candidates();
        let empty = self.tries.run(&Plan::default());
        let mut best = (Plan::default(), empty);
        for plan in std::iter::once(given).chain(self.starts(&candidates)) {
            self.try_plan(plan, &mut best);
        }
        loop {
            let before = best.clone();
            // A change that does not help with one component does not help with another one like it.
            let mut useless = FxHashSet::default();
            for (change, plan) in self.changes(&before.0, &candidates) {
                if !useless.contains(&change) && !self.try_plan(plan, &mut best) {
                    useless.insert(change);
                }
            }
            if best.0 == before.0 || self.left == 0 {
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
            let is_order = self.components[number].is_order;
            !is_order && directions.forward > 0 && directions.regress_share() <= MOST_REGRESS
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
        let orders = orders(self.components, self.sample);
        // A potential is a total of its own, which the others add nothing to.
        let is_sum = |&&number: &&usize| matches!(self.components[number].source, Source::Sum(_));
        let mut starts: Vec<Plan> =
            columns.iter().filter(is_sum).map(|&sum| Plan { columns: vec![vec![sum]], layers: Vec::new() }).collect();
        for columns in [&columns, &control(&columns)] {
            for layers in [&Vec::new(), &control(&others)] {
                starts.push(Plan { columns: term(columns), layers: term(layers) });
                if !columns.is_empty() && !orders.is_empty() {
                    starts.push(Plan { columns: vec![columns.clone(), orders.clone()], layers: term(layers) });
                }
            }
        }
        starts
    }

    /// The plans with one component more or less, and what each does to components of which kind.
    fn changes(&self, plan: &Plan, candidates: &[usize]) -> Vec<((Change, Option<usize>), Plan)> {
        let unused = candidates.iter().filter(|&candidate| plan.used().all(|used| used != *candidate));
        let extended = unused.flat_map(|&candidate| {
            let kind = Some(self.kinds[candidate]);
            self.extensions(plan, candidate).into_iter().map(move |(change, plan)| ((change, kind), plan))
        });
        let kinds = plan.used().map(|used| Some(self.kinds[used])).chain([None]);
        let reduced = kinds.zip(reductions(plan)).map(|(kind, plan)| ((Change::Without, kind), plan));
        extended.chain(reduced).collect()
    }

    /// The ways to add a component to a plan.
    fn extensions(&self, plan: &Plan, component: usize) -> Vec<(Change, Plan)> {
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
        let all = [(Change::First, first), (Change::Last, last), (Change::Before, before), (Change::Behind, behind)];
        all.into_iter().filter(|(_, extended)| extended != plan).collect()
    }

    /// Tries a plan, and keeps it if it is good enough. Says whether it is.
    fn try_plan(&mut self, plan: Plan, best: &mut (Plan, Trial)) -> bool {
        let fewer = plan.used().count() < best.0.used().count();
        let needed = if fewer { cost(&best.1) } else { cost(&best.1) * self.worth };
        if self.meter.check().is_err() {
            self.left = 0;
        }
        if self.left == 0 || self.known.get(&plan).is_some_and(|&least| least >= needed) {
            return false;
        }
        self.left -= 1;
        let bound = Bound { weight: needed, expanded: MOST_EXPANDED };
        let trial = self.tries.run_below(&plan, bound).filter(|trial| cost(trial) < needed);
        self.known.insert(plan.clone(), trial.map_or(needed, |trial| cost(&trial)));
        if let Some(trial) = trial {
            *best = (plan, trial);
        }
        trial.is_some()
    }
}

/// What is done to a plan.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Change {
    /// A component is added to the first term,
    First,
    /// or to the last,
    Last,
    /// or as a term before the others,
    Before,
    /// or behind them.
    Behind,
    /// A component is taken out.
    Without,
}

/// For each component, the first that is like it.
fn kinds(components: &[Component]) -> Vec<usize> {
    let mut kinds: Vec<usize> = Vec::new();
    let mut firsts: Vec<usize> = Vec::new();
    for (number, component) in components.iter().enumerate() {
        let known = firsts.iter().copied().find(|&first| components[first].is_alike(component));
        firsts.extend(Some(number).filter(|_| known.is_none()));
        kinds.push(known.unwrap_or(number));
    }
    kinds
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
    trial.weight + AGAIN * (trial.expanded - 1.0)
}
