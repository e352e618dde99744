//! Every search for accepting cycles against plain reachability, on random graphs with all kinds of measures.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use proptest::prelude::*;

use super::sweep_tests::{Make, Recorder, measured, rising};
use crate::acceptance::{Part, Strength};
use crate::testing::{AcceptingGraph, Graph, GraphEvent, GraphMeasure};
use crate::{CycleSearch, Limits, Outcome, SearchOptions, StopReason, Verdict, check_cycles};

fn run(graph: &AcceptingGraph, measure: &GraphMeasure, options: SearchOptions) -> (Outcome<u32>, Vec<u32>) {
    let mut recorder = Recorder::default();
    let outcome = check_cycles(graph, &mut measure.clone(), &options, &mut recorder, &AtomicBool::new(false));
    (outcome, recorder.0)
}

fn options(cycles: CycleSearch) -> SearchOptions {
    SearchOptions { cycles, ..Default::default() }
}

/// Gives nodes parts and makes them accepting as the parts demand it. `wanted` chooses the strength of each part.
fn with_parts(graph: Graph, ranks: &[u16], wanted: &[Strength], accepting: &[bool]) -> AcceptingGraph {
    let ranks = rising(&graph, ranks.iter().take(graph.nodes.len()).map(|rank| rank % 5).collect());
    let part = |&rank: &u16| Part { rank: u32::from(rank), strength: wanted[usize::from(rank)] };
    let parts: Vec<Part> = ranks.iter().map(part).collect();
    let accepts = |(part, random): (&Part, &bool)| match part.strength {
        Strength::Rejecting => false,
        Strength::Weak => true,
        Strength::Strong => *random,
    };
    AcceptingGraph { accepting: parts.iter().zip(accepting).map(accepts).collect(), parts, graph }
}

/// Graphs with measures and parts. Violations beside the cycles only if wanted.
fn cases(makes: Vec<Make>, violations: bool) -> impl Strategy<Value = (AcceptingGraph, GraphMeasure)> {
    let strength = prop::sample::select(vec![Strength::Rejecting, Strength::Weak, Strength::Strong, Strength::Strong]);
    let strengths = prop_oneof![prop::collection::vec(strength, 5), Just(vec![Strength::Strong; 5])];
    let density = prop::sample::select(vec![0.05, 0.2, 0.6]);
    let accepting = density.prop_flat_map(|density| prop::collection::vec(prop::bool::weighted(density), 40));
    let ranks = prop_oneof![prop::collection::vec(any::<u16>(), 40), Just(vec![0; 40])];
    (measured(makes), strengths, accepting, ranks).prop_map(
        move |((mut graph, measure), strengths, accepting, ranks)| {
            if !violations {
                for events in &mut graph.nodes {
                    events.retain(|event| matches!(event, GraphEvent::To(_)));
                }
            }
            (with_parts(graph, &ranks, &strengths, &accepting), measure)
        },
    )
}

const ALL_MAKES: [Make; 4] = [Make::Monotone, Make::Layer, Make::Liar, Make::Layer];

/// What every complete search owes.
fn is_right(graph: &AcceptingGraph, outcome: &Outcome<u32>) {
    let expected = graph.graph.reachable();
    let cyclic = graph.has_accepting_cycle();
    assert_eq!(outcome.stopped, None);
    assert_eq!(outcome.verdict() == Verdict::Violated, cyclic || expected.errors > 0);
    assert!(outcome.stats.peak_states <= expected.nodes.len() as u64);
    for found in &outcome.violations {
        let trace = found.trace.as_ref().expect("the log fits in memory");
        match found.cycle_start {
            None => assert_eq!(graph.graph.replay(trace), Some(found.violation)),
            Some(start) => {
                assert_eq!(found.violation, AcceptingGraph::CYCLE);
                assert!(graph.is_lasso(trace, start), "{trace:?} from {start}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn the_verdict_is_right((graph, measure) in cases(ALL_MAKES.to_vec(), false)) {
        for search in CycleSearch::ALL {
            let (outcome, _) = run(&graph, &measure, options(search));
            is_right(&graph, &outcome);
            prop_assert_eq!(outcome.stats.errors, u64::from(graph.has_accepting_cycle()));
        }
    }

    #[test]
    fn honest_measures_are_enough((graph, measure) in cases(vec![Make::Monotone, Make::Layer], false)) {
        for search in CycleSearch::ALL {
            let (outcome, _) = run(&graph, &measure, options(search));
            is_right(&graph, &outcome);
        }
    }

    #[test]
    fn violations_beside_cycles_are_found((graph, measure) in cases(ALL_MAKES.to_vec(), true)) {
        let expected = graph.graph.reachable();
        let kinds: HashSet<u32> = expected.nodes.iter().flat_map(|&node| &graph.graph.nodes[node as usize])
            .filter_map(|event| match event {
                GraphEvent::Bad(violation) => Some(*violation),
                GraphEvent::To(_) => None,
            })
            .chain(graph.has_accepting_cycle().then_some(AcceptingGraph::CYCLE))
            .collect();
        for search in CycleSearch::ALL {
            let (outcome, _) = run(&graph, &measure, options(search));
            is_right(&graph, &outcome);
            prop_assert_eq!(outcome.violations.len(), usize::from(!kinds.is_empty()));

            let all = SearchOptions { all_errors: true, ..options(search) };
            let (outcome, expanded) = run(&graph, &measure, all);
            is_right(&graph, &outcome);
            let found: HashSet<u32> = outcome.violations.iter().map(|found| found.violation).collect();
            prop_assert_eq!(&found, &kinds);
            prop_assert_eq!(&expanded.into_iter().collect::<HashSet<_>>(), &expected.nodes);
        }
    }

    #[test]
    fn forgetting_late_changes_only_memory(
        (graph, measure) in cases(ALL_MAKES.to_vec(), false),
        patience in prop::option::of(0..200u32),
        collect_every in 1..20u64,
    ) {
        for search in CycleSearch::ALL {
            let late = SearchOptions { patience, collect_every, ..options(search) };
            let (outcome, _) = run(&graph, &measure, late);
            is_right(&graph, &outcome);
        }
    }

    #[test]
    fn limits_stop((graph, measure) in cases(vec![Make::Monotone, Make::Layer], false), most in 0..40u64) {
        for search in CycleSearch::ALL {
            let (complete, _) = run(&graph, &measure, options(search));
            let limits = Limits { max_states: Some(most), ..Default::default() };
            let (outcome, _) = run(&graph, &measure, SearchOptions { limits, ..options(search) });
            prop_assert!(outcome.stats.states <= most);
            let too_many = complete.stats.states > most;
            prop_assert_eq!(outcome.stopped, too_many.then_some(StopReason::States));
        }
    }
}
