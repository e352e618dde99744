//! What a plan would cost: the column sweep on the graph of a sample, counted and not stored.
//!
//! Very many plans are tried on one sample, so a trial is a pass over small arrays that are allocated once. If no
//! component of a plan ever decreases the cost is computed in closed form (`forward`); otherwise the sample is swept (`swept`), until the plan
//! is known to cost too much.

mod forward;
mod lines;
mod swept;

use crate::product::Plan;
use crate::sample::Sample;

use forward::Forward;
use lines::Lines;
use swept::Swept;

/// What a plan costs on a sample.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Trial {
    /// The most states stored at a time, as a part of all.
    pub peak: f64,
    /// The most memory at a time, as a part of that of all states in one layer: a layer costs as much as some states.
    pub weight: f64,
    /// States expanded, as a multiple of all.
    pub expanded: f64,
    /// Layers.
    pub layers: usize,
}

/// What a plan may cost, if it is to be tried to its end.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bound {
    /// Its weight.
    pub weight: f64,
    /// The states it expands, as a multiple of all.
    pub expanded: f64,
}

impl Bound {
    /// A sweep that expands very much is not followed to its end in any case.
    pub const NONE: Bound = Bound { weight: f64::INFINITY, expanded: 3.0 };

    /// Is a cost, for this number of states in all, within it?
    fn allows(&self, cost: &Cost, states: usize) -> bool {
        let all = states.max(1) as f64;
        cost.weight as f64 <= self.weight * all && cost.expanded as f64 <= self.expanded * all
    }
}

/// What a sweep costs, counted in states.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Cost {
    peak: usize,
    weight: usize,
    expanded: usize,
}

/// The memory that a layer takes, in states.
const LAYER_WEIGHT: usize = 8;
/// A layer of a part of the states will have more of them.
const PART_WEIGHT: usize = 2;

/// Trials on one sample.
pub struct Trials<'s> {
    sample: &'s Sample,
    layer_weight: usize,
    lines: Lines,
    forward: Forward,
    swept: Swept,
}

impl<'s> Trials<'s> {
    /// Nothing is tried yet.
    pub fn new(sample: &'s Sample) -> Self {
        Trials {
            sample,
            layer_weight: if sample.complete { LAYER_WEIGHT } else { PART_WEIGHT },
            lines: Lines::default(),
            forward: Forward::default(),
            swept: Swept::default(),
        }
    }

    /// Tries a plan.
    pub fn run(&mut self, plan: &Plan) -> Trial {
        self.sweep(plan, Bound::NONE).0
    }

    /// Tries a plan until it is known to cost more than this.
    pub fn run_below(&mut self, plan: &Plan, bound: Bound) -> Option<Trial> {
        let (trial, is_whole) = self.sweep(plan, bound);
        is_whole.then_some(trial)
    }

    /// What a plan costs, and whether it is within the bound; if not, it costs at least this.
    fn sweep(&mut self, plan: &Plan, bound: Bound) -> (Trial, bool) {
        let Trials { sample, layer_weight, lines, forward, swept } = self;
        lines.arrange(plan, sample);
        // The largest line alone may be too much already.
        let largest = lines.counts.iter().copied().max().unwrap_or(0) as usize;
        let least = Cost { weight: largest + *layer_weight, ..Cost::default() };
        let falls = plan.used().any(|part| sample.directions[part].regress > 0);
        let cost = match bound.allows(&least, sample.states()) {
            false => least,
            true if falls => swept.sweep(sample, lines, *layer_weight, &bound),
            true => forward.cost(&sample.steps, lines, *layer_weight),
        };
        let weight = cost.weight.max(least.weight);
        let all = sample.states().max(1) as f64;
        let trial = Trial {
            peak: cost.peak as f64 / all,
            weight: weight as f64 / all,
            expanded: cost.expanded as f64 / all,
            layers: lines.keys.len(),
        };
        (trial, bound.allows(&cost, sample.states()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Graphs in which every state is reached from the first, with the values of three components. If `forward`, steps
    /// lead to later states, where the first component is not less.
    fn graphs(forward: bool) -> impl Strategy<Value = Sample> {
        let state = (any::<prop::sample::Index>(), prop::collection::vec(any::<prop::sample::Index>(), 0..4));
        let values = prop::collection::vec(prop::collection::vec(0..6u32, 40), 3);
        (prop::collection::vec(state, 1..40), values).prop_map(move |(states, mut values)| {
            let mut steps = vec![Vec::new(); states.len()];
            for (number, (reached_from, ends)) in states.iter().enumerate() {
                if number > 0 {
                    steps[reached_from.index(number)].push(number as u32);
                }
                let ends = ends.iter().map(|end| end.index(states.len()));
                steps[number].extend(ends.filter(|&end| !forward || end > number).map(|end| end as u32));
            }
            values.iter_mut().for_each(|values| values.truncate(states.len()));
            for (from, ends) in steps.iter().enumerate().filter(|_| forward) {
                ends.iter().for_each(|&to| values[0][to as usize] = values[0][to as usize].max(values[0][from]));
            }
            Sample::drawn(&steps.iter().map(Vec::as_slice).collect::<Vec<_>>(), values)
        })
    }

    proptest! {
        #[test]
        fn the_closed_form_agrees_with_a_sweep(sample in graphs(true), layers in any::<bool>()) {
            let terms = vec![vec![0]];
            let plan = match layers {
                true => Plan { layers: terms, ..Plan::default() },
                false => Plan { columns: terms, ..Plan::default() },
            };
            let mut trials = Trials::new(&sample);
            trials.lines.arrange(&plan, &sample);
            let swept = trials.swept.sweep(&sample, &trials.lines, 3, &Bound::NONE);
            prop_assert_eq!(swept, trials.forward.cost(&sample.steps, &trials.lines, 3));
        }

        #[test]
        fn sums_that_are_kept_are_the_sums(
            sample in graphs(false),
            terms in prop::collection::vec(prop::collection::vec(0..3usize, 1..5), 1..30),
        ) {
            let mut kept = Lines::default();
            for pair in terms.chunks(2) {
                let plan = Plan { columns: pair[..1].to_vec(), layers: pair[1..].to_vec() };
                kept.arrange(&plan, &sample);
                let value = |term: &Vec<usize>, state: usize| -> u32 {
                    term.iter().map(|&part| sample.values[part][state]).sum()
                };
                let of = |state: usize| pair.iter().map(|term| value(term, state)).collect::<Vec<_>>();
                for (a, b) in (0..sample.states()).zip(1..sample.states()) {
                    prop_assert_eq!(of(a).cmp(&of(b)), kept.of[a].cmp(&kept.of[b]));
                }
            }
        }
    }

    /// A chain of four states with a step back, measured by small numbers, by large ones, and backwards.
    fn chain() -> Sample {
        let values = vec![vec![0, 1, 2, 3], vec![0, 1 << 20, 2 << 20, 3 << 20], vec![3, 2, 1, 0]];
        Sample::drawn(&[&[1], &[2], &[3, 3], &[3, 1]], values)
    }

    fn layers(component: usize) -> Plan {
        Plan { columns: Vec::new(), layers: vec![vec![component]] }
    }

    #[test]
    fn a_trial_is_a_sweep() {
        let sample = chain();
        let mut trials = Trials::new(&sample);
        let whole = trials.run(&Plan::default());
        assert_eq!((whole.peak, whole.expanded, whole.layers), (1.0, 1.0, 1));
        let swept = trials.run(&layers(0));
        // The second state is forgotten, met again by the step back, and with it the two behind it.
        assert_eq!((swept.peak, swept.expanded, swept.layers), (0.75, 1.75, 4));
        assert_eq!(trials.run(&layers(1)), swept, "only the order counts");
        assert_eq!(trials.run(&layers(2)).expanded, 1.0, "what is stepped back to is kept");
        assert_eq!(trials.run(&Plan { columns: vec![vec![0], vec![1]], layers: vec![vec![1, 2]] }).layers, 4);
    }

    #[test]
    fn a_bound_is_kept() {
        let sample = chain();
        let mut trials = Trials::new(&sample);
        let swept = trials.run(&layers(0));
        let below =
            |weight: f64, expanded: f64, trials: &mut Trials| trials.run_below(&layers(0), Bound { weight, expanded });
        assert_eq!(below(swept.weight, swept.expanded, &mut trials), Some(swept));
        assert_eq!(below(swept.weight - 0.1, swept.expanded, &mut trials), None);
        assert_eq!(below(swept.weight, 1.5, &mut trials), None);
    }

    #[test]
    fn a_part_has_the_steps_inside_it() {
        let part = chain().prefix(3);
        assert_eq!((part.states(), part.complete), (3, false));
        assert_eq!([part.steps.of(0), part.steps.of(1), part.steps.of(2)], [&[1][..], &[2], &[]]);
        assert_eq!(chain().prefix(9).steps.of(3), [1]);
    }
}
