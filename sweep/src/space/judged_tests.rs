//! One search for all invariants against plain reachability, under every search.

use proptest::prelude::*;
use statespace::{StateSpace, Word};

use super::judged::{Answers, Invariants, OfSystem, WithInvariants};
use crate::testing::{Graph, GraphEvent, GraphMeasure};
use crate::{Algorithm, Meter, SearchOptions, check, check_with};

/// Sets of nodes in which each of some invariants is violated. A violation 0 of the graph violates all of them.
#[derive(Clone, Debug)]
struct BadNodes {
    graph: Graph,
    bad: Vec<Vec<bool>>,
}

impl Invariants<u32> for BadNodes {
    type Scratch = ();

    fn count(&self) -> usize {
        self.bad.len()
    }

    fn violated(&self, system: &[Word], (): &mut (), found: &mut Vec<(usize, u32)>) {
        let node = system[0] as usize;
        found.extend(self.bad.iter().enumerate().filter(|(_, bad)| bad[node]).map(|(number, _)| (number, 100)));
    }

    fn is_violated_by(&self, violation: &u32) -> bool {
        *violation == 0
    }
}

impl BadNodes {
    /// Whether the graph has this violation somewhere.
    fn has(&self, wanted: impl Fn(u32) -> bool) -> bool {
        let events = self.graph.reachable().nodes.into_iter().flat_map(|node| &self.graph.nodes[node as usize]);
        events.into_iter().any(|event| matches!(event, GraphEvent::Bad(kind) if wanted(*kind)))
    }

    /// Whether an invariant is violated.
    fn is_violated(&self, number: usize) -> bool {
        self.has(|kind| kind == 0) || self.graph.reachable().nodes.iter().any(|&node| self.bad[number][node as usize])
    }

    /// The node that the events lead to, and whether the last one is a violation of the graph.
    fn follow(&self, events: &[u32]) -> Option<(u32, Option<u32>)> {
        let mut at = (0, None);
        for &event in events {
            let (node, None) = at else { return None };
            at = match self.graph.nodes[node as usize].get(event as usize)? {
                GraphEvent::To(next) => (*next, None),
                GraphEvent::Bad(kind) => (node, Some(*kind)),
            };
        }
        Some(at)
    }
}

/// Where there is no room for a violation, nobody says that there is none.
#[test]
fn a_full_list_leaves_questions_open() {
    let nodes = vec![vec![GraphEvent::Bad(1), GraphEvent::Bad(2), GraphEvent::To(1)], Vec::new()];
    let system = BadNodes { graph: Graph { nodes, variable: false }, bad: vec![vec![false, true]] };
    for (max_reported, is_known) in [(2, false), (3, true)] {
        let space = WithInvariants::new(&system.graph, &system, OfSystem::All);
        let options = SearchOptions {
            algorithm: Algorithm::Bfs,
            all_errors: true,
            wanted: space.wanted(),
            max_reported,
            ..Default::default()
        };
        let outcome = check(&space, &options, &mut (), &Meter::unlimited());
        let answers = space.answers(outcome, max_reported);
        assert_eq!(answers.invariants[0].is_some(), is_known);
        assert!(answers.is_full);
        assert_eq!(answers.outcome.stats.errors, 2);
    }
}

fn systems() -> impl Strategy<Value = (BadNodes, GraphMeasure)> {
    (1..30u32).prop_flat_map(|size| {
        let event = prop_oneof![15 => (0..size).prop_map(GraphEvent::To), 1 => (0..3u32).prop_map(GraphEvent::Bad)];
        let nodes = prop::collection::vec(prop::collection::vec(event, 0..4), size as usize);
        let bad = prop::collection::vec(prop::collection::vec(prop::bool::weighted(0.05), size as usize), 0..4);
        let values = || prop::collection::vec(0..4u16, size as usize);
        (nodes, bad, values(), values(), any::<bool>()).prop_map(|(nodes, bad, a, b, variable)| {
            let measure = GraphMeasure { components: vec![(true, a), (false, b)] };
            (BadNodes { graph: Graph { nodes, variable }, bad }, measure)
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Each question has its own answer, whatever the others come to, and each path leads to what it shows.
    #[test]
    fn every_search_answers_every_question((system, measure) in systems()) {
        for algorithm in Algorithm::ALL.into_iter().filter(|&algorithm| algorithm != Algorithm::StrictSweep) {
            for of_system in [OfSystem::None, OfSystem::First, OfSystem::All] {
                let space = WithInvariants::new(&system.graph, &system, of_system);
                prop_assert!(space.initial().is_ok());
                let all_errors = of_system == OfSystem::All;
                let options = SearchOptions {
                    algorithm, all_errors, wanted: space.wanted(), cache_states: 3, ..Default::default()
                };
                let outcome = check_with(&space, &mut measure.clone(), &options, &mut (), &Meter::unlimited());
                let stored = outcome.stats.states;
                let Answers { outcome, invariants, is_full } = space.answers(outcome, options.max_reported);
                prop_assert!(!is_full);
                prop_assert_eq!(invariants.len(), system.bad.len());
                for (number, found) in invariants.iter().enumerate() {
                    prop_assert_eq!(found.is_some(), system.is_violated(number), "{:?} {}", algorithm, number);
                    let Some(found) = found else { continue };
                    let (node, kind) = system.follow(found.trace.as_ref().unwrap()).expect("a path of the graph");
                    match kind {
                        None => prop_assert!(found.violation == 100 && system.bad[number][node as usize]),
                        Some(kind) => prop_assert!(kind == 0 && found.violation == 0),
                    }
                }
                let own = outcome.violations.len();
                prop_assert_eq!(own > 0, of_system != OfSystem::None && system.has(|_| true), "{:?}", algorithm);
                for found in &outcome.violations {
                    let (_, kind) = system.follow(found.trace.as_ref().unwrap()).expect("a path of the graph");
                    prop_assert_eq!(kind, Some(found.violation));
                }
                match of_system {
                    OfSystem::None => prop_assert_eq!((own, outcome.stats.errors), (0, 0)),
                    OfSystem::First => prop_assert!(own <= 1 && outcome.stats.errors == own as u64),
                    OfSystem::All => {
                        let kinds = (0..3).filter(|&wanted| system.has(|kind| kind == wanted)).count();
                        prop_assert_eq!(own, kinds, "each once");
                        if outcome.stats.distinct.is_some() && outcome.stats.expanded == stored {
                            prop_assert_eq!(outcome.stats.errors, system.graph.reachable().errors);
                        }
                    }
                }
                // Whoever has an open question has seen everything.
                let is_answered = invariants.iter().all(Option::is_some) && (own > 0 || of_system == OfSystem::None);
                if !is_answered {
                    prop_assert!(stored >= system.graph.reachable().nodes.len() as u64);
                }
            }
        }
    }
}
