//! Questions to one search: hooks on every state, every step and every dead state, answered without keeping states.
//!
//! A question selects by a predicate, reads something off what it selects, and combines that with the result so far; or
//! it keeps states, up to a number, and asks how they were reached when the search has ended. Any number of questions
//! go into one search as pairs of [`Observer`]s.
//!
//! A search that deletes states may meet one again and show it again. The least and the greatest of something do not mind;
//! a count is one of distinct states only if `Outcome::stats.distinct` is known in the end. What is kept is kept once.
//!
//! ```
//! use std::ops::ControlFlow;
//! use statespace::{StateSpace, Visit, Word};
//! use sweep::hooks::{keep_states, on_dead, on_states, on_steps};
//! use sweep::{Algorithm, Meter, SearchOptions, check};
//!
//! /// Two counters; each step adds one to either, as long as both are below four.
//! struct Counters;
//!
//! impl StateSpace for Counters {
//!     type Violation = ();
//!     type Scratch = ();
//!     fn scratch(&self) {}
//!     fn fixed_words(&self) -> Option<usize> {
//!         Some(2)
//!     }
//!     fn word_bits(&self) -> &[u8] {
//!         &[]
//!     }
//!     fn gave_up(&self) -> bool {
//!         false
//!     }
//!     fn initial(&self) -> Result<Vec<Word>, ()> {
//!         Ok(vec![0, 0])
//!     }
//!     fn expand<V: Visit<()>>(&self, state: &[Word], _: &mut (), visit: &mut V) -> ControlFlow<()> {
//!         if state[0] < 4 && state[1] < 4 {
//!             visit.successor(0, &[state[0] + 1, state[1]])?;
//!             visit.successor(1, &[state[0], state[1] + 1])?;
//!         }
//!         ControlFlow::Continue(())
//!     }
//! }
//!
//! // The greatest difference of the two, over all states.
//! let greatest = on_states(0, |_| true, |state| state[0].abs_diff(state[1]), |most, value| *most = value.max(*most));
//! // How often the second counter steps while the first is zero.
//! let lonely = on_steps(0, |step| step.event == 1 && step.from[0] == 0, |_| 1, |sum, one| *sum += one);
//! // The sums in which it all ends.
//! let ends = on_dead(Vec::new(), |_| true, |state| state[0] + state[1], |all: &mut Vec<Word>, sum| all.push(sum));
//! // Two states, with the path to each, in which the counters are equal and not zero.
//! let equal = keep_states(2, |state| state[0] == state[1] && state[0] > 0);
//!
//! let mut questions = ((greatest, lonely), (ends, equal));
//! let options = SearchOptions { algorithm: Algorithm::Bfs, witnesses: true, ..SearchOptions::default() };
//! let outcome = check(&Counters, &options, &mut questions, &Meter::unlimited());
//!
//! let ((greatest, lonely), (mut ends, equal)) = questions;
//! assert_eq!(outcome.stats.distinct, Some(24));
//! assert_eq!(greatest.result, 4);
//! assert_eq!(lonely.result, 4);
//! ends.result.sort();
//! assert_eq!(ends.result, [4, 4, 5, 5, 6, 6, 7, 7]);
//! let (state, path) = equal.kept.iter().next().unwrap();
//! assert_eq!(state, [1, 1]);
//! assert_eq!(path.as_ref().unwrap().len(), 2);
//! assert!(!equal.kept.is_complete(), "there is a third one");
//! ```
//!
//! Gallasch, Kristensen, Mailund, "Sweep-Line State Space Exploration for Coloured Petri Nets", 2002, figures 5 to 8:
//! their node, arc and dead-marking hooks; what they store, `Kept` remembers by number.

use statespace::Word;

use crate::control::Stats;
use crate::observer::{Observer, Paths, Step};
use crate::outcome::{Trace, TraceLost};
use crate::store::{Inserted, StateTable, hash};

/// A question to every state: see [`on_states`].
pub struct OnStates<R, F> {
    /// The answer so far.
    pub result: R,
    fold: F,
}

/// A question to every step: see [`on_steps`].
pub struct OnSteps<R, F> {
    /// The answer so far.
    pub result: R,
    fold: F,
}

/// A question to every dead state: see [`on_dead`].
pub struct OnDead<R, F> {
    /// The answer so far.
    pub result: R,
    fold: F,
}

/// Evaluates every state that satisfies the predicate, and combines the value with the result, which starts as `init`.
pub fn on_states<R, T>(
    init: R,
    mut predicate: impl FnMut(&[Word]) -> bool,
    mut evaluate: impl FnMut(&[Word]) -> T,
    mut combine: impl FnMut(&mut R, T),
) -> OnStates<R, impl FnMut(&mut R, &[Word])> {
    let fold = move |result: &mut R, state: &[Word]| {
        if predicate(state) {
            combine(result, evaluate(state));
        }
    };
    OnStates { result: init, fold }
}

/// The same for every step.
pub fn on_steps<R, T>(
    init: R,
    mut predicate: impl FnMut(Step<'_>) -> bool,
    mut evaluate: impl FnMut(Step<'_>) -> T,
    mut combine: impl FnMut(&mut R, T),
) -> OnSteps<R, impl FnMut(&mut R, Step<'_>)> {
    let fold = move |result: &mut R, step: Step<'_>| {
        if predicate(step) {
            combine(result, evaluate(step));
        }
    };
    OnSteps { result: init, fold }
}

/// The same for every state without a step.
pub fn on_dead<R, T>(
    init: R,
    predicate: impl FnMut(&[Word]) -> bool,
    evaluate: impl FnMut(&[Word]) -> T,
    combine: impl FnMut(&mut R, T),
) -> OnDead<R, impl FnMut(&mut R, &[Word])> {
    let OnStates { result, fold } = on_states(init, predicate, evaluate, combine);
    OnDead { result, fold }
}

impl<R, F: FnMut(&mut R, &[Word])> Observer for OnStates<R, F> {
    #[inline]
    fn discovered(&mut self, state: &[Word], _: &Stats) {
        (self.fold)(&mut self.result, state);
    }
}

impl<R, F: FnMut(&mut R, Step<'_>)> Observer for OnSteps<R, F> {
    const WATCHES_STEPS: bool = true;

    #[inline]
    fn step(&mut self, step: Step<'_>, _: &Stats) {
        (self.fold)(&mut self.result, step);
    }
}

impl<R, F: FnMut(&mut R, &[Word])> Observer for OnDead<R, F> {
    #[inline]
    fn dead(&mut self, state: &[Word], _: u64, _: &Stats) {
        (self.fold)(&mut self.result, state);
    }
}

/// Keeps states: see [`keep_states`].
pub struct KeepStates<P> {
    /// What is kept.
    pub kept: Kept,
    predicate: P,
}

/// Keeps dead states: see [`keep_dead`].
pub struct KeepDead<P> {
    /// What is kept.
    pub kept: Kept,
    predicate: P,
}

/// Keeps up to `most` states that satisfy the predicate, and in the end the path to each.
pub fn keep_states<P: FnMut(&[Word]) -> bool>(most: usize, predicate: P) -> KeepStates<P> {
    KeepStates { kept: Kept::new(most), predicate }
}

/// The same for states without a step.
pub fn keep_dead<P: FnMut(&[Word]) -> bool>(most: usize, predicate: P) -> KeepDead<P> {
    KeepDead { kept: Kept::new(most), predicate }
}

impl<P: FnMut(&[Word]) -> bool> Observer for KeepStates<P> {
    #[inline]
    fn discovered(&mut self, state: &[Word], stats: &Stats) {
        if (self.predicate)(state) {
            self.kept.add(state, stats.states - 1);
        }
    }

    fn finished(&mut self, paths: &mut Paths<'_>) {
        self.kept.ask(paths);
    }
}

impl<P: FnMut(&[Word]) -> bool> Observer for KeepDead<P> {
    #[inline]
    fn dead(&mut self, state: &[Word], number: u64, _: &Stats) {
        if (self.predicate)(state) {
            self.kept.add(state, number);
        }
    }

    fn finished(&mut self, paths: &mut Paths<'_>) {
        self.kept.ask(paths);
    }
}

/// Distinct states that a question keeps, up to a number, and how they were reached.
pub struct Kept {
    most: usize,
    states: StateTable,
    /// By id: the number of the state in its search.
    numbers: Vec<u64>,
    paths: Vec<Trace>,
    turned_away: bool,
}

impl Kept {
    /// Nothing yet, with room for `most` states.
    pub fn new(most: usize) -> Kept {
        Kept { most, states: StateTable::new(None), numbers: Vec::new(), paths: Vec::new(), turned_away: false }
    }

    /// Keeps a state, unless it is kept already or there is no room.
    pub fn add(&mut self, state: &[Word], number: u64) {
        if self.numbers.len() >= self.most {
            self.turned_away = self.turned_away || self.states.find(hash(state), state).is_none();
        } else if let Inserted::New(_) = self.states.insert(state) {
            self.numbers.push(number);
        }
    }

    /// How many are kept.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Is none kept?
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// Whether there was room for all that there were.
    pub fn is_complete(&self) -> bool {
        !self.turned_away
    }

    /// Asks how the states were reached.
    pub fn ask(&mut self, paths: &mut Paths<'_>) {
        self.ask_first(self.len(), paths);
    }

    /// Asks how the first `most` states were reached.
    pub fn ask_first(&mut self, most: usize, paths: &mut Paths<'_>) {
        self.paths = self.numbers.iter().take(most).map(|&number| paths.to(number)).collect();
    }

    /// Replaces the paths that were requested.
    pub fn map_paths(&mut self, map: impl FnMut(Trace) -> Trace) {
        self.paths = std::mem::take(&mut self.paths).into_iter().map(map).collect();
    }

    /// The states in the order in which they came, and the paths to them.
    pub fn iter(&self) -> impl Iterator<Item = (&[Word], Trace)> {
        let not_asked = || Err(TraceLost("the path was not requested".into()));
        (0..).zip(&self.numbers).map(move |(id, _)| {
            let path = self.paths.get(id as usize).cloned();
            (self.states.get(crate::store::StateId(id)), path.unwrap_or_else(not_asked))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;
    use crate::testing::{Graph, GraphEvent, GraphMeasure};
    use crate::{Algorithm, Meter, SearchOptions, check_with};

    fn graphs() -> impl Strategy<Value = (Graph, GraphMeasure)> {
        (1..30u32).prop_flat_map(|size| {
            let event = prop_oneof![9 => (0..size).prop_map(GraphEvent::To), 1 => Just(GraphEvent::Bad(0))];
            let nodes = prop::collection::vec(prop::collection::vec(event, 0..4), size as usize);
            let values = || prop::collection::vec(0..4u16, size as usize);
            (nodes, values(), values()).prop_map(|(nodes, a, b)| {
                let measure = GraphMeasure { components: vec![(true, a), (false, b)] };
                (Graph { nodes, variable: false }, measure)
            })
        })
    }

    /// The node that the events lead to.
    fn follow(graph: &Graph, events: &[u32]) -> Option<u32> {
        events.iter().try_fold(0, |node, &event| match graph.nodes[node as usize].get(event as usize)? {
            GraphEvent::To(next) => Some(*next),
            GraphEvent::Bad(_) => None,
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        /// All hooks under every search, with measures that are mostly wrong, against plain reachability.
        #[test]
        fn every_search_answers_alike((graph, measure) in graphs()) {
            let reachable = graph.reachable().nodes;
            let steps = |node: u32| graph.nodes[node as usize].iter().filter(|event| matches!(event, GraphEvent::To(_)));
            let dead: HashSet<u32> = reachable.iter().copied().filter(|&node| steps(node).count() == 0).collect();
            let all_steps: HashSet<(u32, u32)> = reachable
                .iter()
                .flat_map(|&node| (0..).zip(&graph.nodes[node as usize]).map(move |(number, event)| (node, number, event)))
                .filter(|(_, _, event)| matches!(event, GraphEvent::To(_)))
                .map(|(node, number, _)| (node, number))
                .collect();
            for algorithm in Algorithm::ALL {
                if algorithm == Algorithm::StrictSweep {
                    continue;
                }
                let greatest = on_states(0, |_| true, |state| state[0], |most: &mut u32, node| *most = node.max(*most));
                let taken = on_steps(HashSet::new(), |_| true, |step| (step.from[0], step.event), |all: &mut HashSet<_>, step| {
                    all.insert(step);
                });
                let ends = keep_dead(100, |_| true);
                let odd = keep_states(2, |state| state[0] % 2 == 1);
                let mut questions = ((greatest, taken), (ends, odd));
                let options = SearchOptions { algorithm, witnesses: true, all_errors: true, cache_states: 3, ..Default::default() };
                check_with(&graph, &mut measure.clone(), &options, &mut questions, &Meter::unlimited());
                let ((greatest, taken), (ends, odd)) = questions;
                prop_assert_eq!(Some(greatest.result), reachable.iter().copied().max());
                prop_assert_eq!(&taken.result, &all_steps);
                let listed: HashSet<u32> = ends.kept.iter().map(|(state, _)| state[0]).collect();
                prop_assert_eq!(&listed, &dead);
                prop_assert_eq!(listed.len(), ends.kept.len());
                let odds = reachable.iter().filter(|&node| node % 2 == 1).count();
                prop_assert_eq!(odd.kept.len(), odds.min(2));
                prop_assert_eq!(odd.kept.is_complete(), odds <= 2);
                for (state, path) in ends.kept.iter().chain(odd.kept.iter()) {
                    let path = path.expect("the log fits in memory");
                    prop_assert_eq!(follow(&graph, &path), Some(state[0]), "{:?}", algorithm);
                }
            }
        }
    }
}
