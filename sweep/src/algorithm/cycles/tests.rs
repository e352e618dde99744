//! Every search for accepting cycles against plain reachability, on random graphs with all kinds of measures.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use proptest::prelude::*;

use crate::algorithm::safety::sweep_tests::{Make, Recorder, measured, rising};
use crate::external::tests::small;
use crate::measure::NoMeasure;
use crate::space::acceptance::{Scc, Strength, WithRank};
use crate::space::product::Product;
use crate::testing::{
    AcceptingGraph, Graph, GraphEvent, GraphMeasure, Workers, WorkersAutomaton, WorkersMeasure, WorkersProperty,
};
use crate::{
    Algorithm, CycleSearch, Limits, Meter, Outcome, SearchOptions, Stats, StopReason, Verdict, check_cycles, check_with,
};

fn run(graph: &AcceptingGraph, measure: &GraphMeasure, options: SearchOptions) -> (Outcome<u32>, Vec<u32>) {
    let mut recorder = Recorder::default();
    let outcome = check_cycles(graph, &mut measure.clone(), &options, &mut recorder, &Meter::unlimited());
    (outcome, recorder.0)
}

fn options(cycles: CycleSearch) -> SearchOptions {
    SearchOptions { cycles, ..Default::default() }
}

/// Gives nodes parts and makes them accepting as the parts demand it. `wanted` chooses the strength of each part.
fn with_parts(graph: Graph, ranks: &[u16], wanted: &[Strength], accepting: &[bool]) -> AcceptingGraph {
    let ranks = rising(&graph, ranks.iter().take(graph.nodes.len()).map(|rank| rank % 5).collect());
    let part = |&rank: &u16| Scc { rank: u32::from(rank), strength: wanted[usize::from(rank)] };
    let parts: Vec<Scc> = ranks.iter().map(part).collect();
    let accepts = |(part, random): (&Scc, &bool)| match part.strength {
        Strength::Rejecting => false,
        Strength::Weak => true,
        Strength::Strong => *random,
    };
    AcceptingGraph { accepting: parts.iter().zip(accepting).map(accepts).collect(), parts, graph }
}

/// Graphs with measures and parts. Violations besides the cycles only if wanted.
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

const ALL_MAKES: [Make; 4] = [Make::Monotone, Make::StateTable, Make::Liar, Make::StateTable];

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
    fn honest_measures_are_enough((graph, measure) in cases(vec![Make::Monotone, Make::StateTable], false)) {
        for search in CycleSearch::ALL {
            let (outcome, _) = run(&graph, &measure, options(search));
            is_right(&graph, &outcome);
        }
    }

    #[test]
    fn the_switches_change_no_verdict(
        (graph, measure) in cases(ALL_MAKES.to_vec(), false),
        progress_graph: bool,
        progress_first: bool,
    ) {
        for search in [CycleSearch::SweepOff, CycleSearch::SweepOn] {
            let switched = SearchOptions { progress_graph, progress_first, ..options(search) };
            let (outcome, _) = run(&graph, &measure, switched);
            is_right(&graph, &outcome);
        }
    }

    #[test]
    fn columns_cost_what_the_safety_sweep_costs((graph, measure) in cases(vec![Make::Monotone, Make::StateTable], false)) {
        let (outcome, expanded) = run(&graph, &measure, options(CycleSearch::Column));
        if outcome.verdict() == Verdict::Holds {
            let mut recorder = Recorder::default();
            let mut measure = measure.clone();
            let mut measure = WithRank { space: &graph, measure: &mut measure };
            let safety = SearchOptions { algorithm: Algorithm::ColumnSweep, ..Default::default() };
            let swept = check_with(&graph, &mut measure, &safety, &mut recorder, &Meter::unlimited());
            prop_assert_eq!(expanded, recorder.0);
            prop_assert_eq!(outcome.stats.peak_states, swept.stats.peak_states);
            prop_assert_eq!(outcome.stats.transitions, swept.stats.transitions);
            prop_assert_eq!(outcome.stats.sweep, swept.stats.sweep);
            prop_assert_eq!(outcome.stats.distinct, swept.stats.distinct);
        }
    }

    /// With what waits in later columns on disk, verdict, counts and traces are the same.
    #[test]
    fn later_columns_may_be_on_disk(
        (graph, measure) in cases(ALL_MAKES.to_vec(), true),
        external in small(),
        after in 0..40u64,
        all_errors: bool,
    ) {
        let in_memory = SearchOptions { external, all_errors, ..options(CycleSearch::Column) };
        let (expected, _) = run(&graph, &measure, in_memory);
        let (outcome, _) = run(&graph, &measure, SearchOptions { hand_over_after: Some(after), ..in_memory });
        is_right(&graph, &outcome);
        prop_assert_eq!(outcome.verdict(), expected.verdict());
        if all_errors && expected.demoted.is_empty() {
            let Stats { states, distinct, expanded, transitions, errors, .. } = expected.stats;
            let stats = outcome.stats;
            prop_assert_eq!((stats.states, stats.distinct, stats.expanded), (states, distinct, expanded));
            prop_assert_eq!((stats.transitions, stats.errors, stats.stored), (transitions, errors, 0));
            prop_assert_eq!((stats.sweep, stats.external.is_some()), (expected.stats.sweep, states >= after));
        }
    }

    #[test]
    fn a_nested_search_expands_each_state_twice_at_most((graph, _) in cases(vec![Make::StateTable], false)) {
        let (outcome, expanded) = run(&graph, &GraphMeasure { components: vec![] }, options(CycleSearch::Ndfs));
        let once: HashSet<u32> = expanded.iter().copied().collect();
        prop_assert_eq!(outcome.stats.states, once.len() as u64);
        prop_assert_eq!(outcome.stats.expanded, expanded.len() as u64);
        for node in once {
            let times = expanded.iter().filter(|&&other| other == node).count();
            let most = if graph.parts[node as usize].strength == Strength::Strong { 2 } else { 1 };
            prop_assert!(times <= most);
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
    fn deleting_late_changes_only_memory(
        (graph, measure) in cases(ALL_MAKES.to_vec(), false),
        reexpansion_limit in prop::option::of(0..200u32),
        collect_every in 1..20u64,
    ) {
        for search in CycleSearch::ALL {
            let late = SearchOptions { reexpansion_limit, collect_every, ..options(search) };
            let (outcome, _) = run(&graph, &measure, late);
            is_right(&graph, &outcome);
        }
    }

    #[test]
    fn limits_stop((graph, measure) in cases(vec![Make::Monotone, Make::StateTable], false), most in 0..40u64) {
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

fn accepting(steps: &[&[u32]], accepting: &[u32]) -> AcceptingGraph {
    let to = |steps: &&[u32]| steps.iter().map(|&to| GraphEvent::To(to)).collect();
    let nodes: Vec<Vec<GraphEvent>> = steps.iter().map(to).collect();
    AcceptingGraph {
        accepting: (0..nodes.len() as u32).map(|node| accepting.contains(&node)).collect(),
        parts: vec![Scc { rank: 0, strength: Strength::Strong }; nodes.len()],
        graph: Graph { nodes, variable: false },
    }
}

fn layers(values: &[u16]) -> GraphMeasure {
    GraphMeasure { components: vec![(false, values.to_vec())] }
}

/// Fig. 1 of the paper, drawn after its story: the sweep meets 6 and 9 again over regress edges from 8, and the second sweep
/// visits 9, 6, 4, 10, 7, 8 and ends where 8 leads to 6, which is kept.
#[test]
fn figure_1_sweeps_twice() {
    let graph = accepting(&[&[1, 2], &[3, 4], &[5], &[6], &[7], &[6], &[4], &[8], &[6, 9], &[10], &[7]], &[]);
    let measure = layers(&[0, 0, 1, 2, 3, 2, 2, 5, 5, 1, 4]);
    let (outcome, order) = run(&graph, &measure, options(CycleSearch::SweepOff));
    assert_eq!(outcome.verdict(), Verdict::Holds);
    let (swept, searched) = order.split_at(15);
    assert_eq!(swept, [0, 1, 2, 3, 5, 6, 4, 7, 8, 9, 6, 4, 10, 7, 8]);
    assert_eq!(outcome.stats.sweep.sweeps, 2);
    assert_eq!(outcome.stats.sweep.persistent, 2);
    // The greatest persistent state is 9: its value reaches 6, and goes round from there once more. Nothing is accepting.
    assert_eq!(outcome.stats.sweep.passes, 1);
    assert_eq!(searched, [9, 6, 4, 10, 7, 8, 6, 4, 7, 8]);
    // No layer is accepting: with the progress graph there is nothing to search.
    let with_graph = SearchOptions { progress_graph: true, ..options(CycleSearch::SweepOff) };
    let (outcome, order) = run(&graph, &measure, with_graph);
    assert_eq!(outcome.stats.sweep.passes, 0);
    assert_eq!(order.len(), 15);
}

/// Fig. 2: the accepting cycle through 6 is found in the first pass if 6 is greater than 1 and 2 before it, and in the
/// second if 2 hides it. Greater is what was stored later. Without the step from 6 to 7 there is no cycle.
#[test]
fn figure_2_needs_a_second_pass_if_the_cycle_is_hidden() {
    let seen = accepting(&[&[1, 3], &[2], &[4], &[4], &[6], &[], &[7], &[6]], &[1, 2, 6]);
    let hidden = accepting(&[&[6, 2], &[], &[5], &[], &[5], &[6], &[7], &[4]], &[2, 6]);
    let straight = accepting(&[&[6, 2], &[], &[5], &[], &[5], &[6], &[], &[4]], &[2, 6]);
    for (graph, passes, verdict) in
        [(seen, 1, Verdict::Violated), (hidden, 2, Verdict::Violated), (straight, 2, Verdict::Holds)]
    {
        let (outcome, _) = run(&graph, &layers(&[0; 8]), options(CycleSearch::Map));
        is_right(&graph, &outcome);
        assert_eq!(outcome.verdict(), verdict);
        assert_eq!(outcome.stats.sweep.passes, passes);
    }
}

/// Fig. 3: 1, 2 and 3 are persistent; 3 hides the cycle 1, 4, 5 in the first pass, and 2 is dropped with it because no
/// accepting state lies between 3 and 2. Ordered by progress, 1 is the greatest, and one pass is enough.
#[test]
fn figure_3_finds_the_cycle_over_several_layers() {
    let graph = accepting(&[&[2], &[4], &[6], &[7], &[5], &[1], &[3, 1], &[2]], &[4]);
    let measure = layers(&[0, 3, 1, 1, 4, 5, 2, 2]);
    let (persistent, on) = (3, 1);
    for (search, progress_first, passes) in [
        (CycleSearch::SweepOff, false, 2),
        (CycleSearch::SweepOff, true, 1),
        (CycleSearch::SweepOn, false, on),
        (CycleSearch::SweepOn, true, on),
    ] {
        for progress_graph in [false, true] {
            let switched = SearchOptions { progress_graph, progress_first, ..options(search) };
            let (outcome, _) = run(&graph, &measure, switched);
            is_right(&graph, &outcome);
            let found = &outcome.violations[0];
            let trace = found.trace.as_ref().expect("the log fits in memory");
            assert_eq!(trace.len() - found.cycle_start.expect("it is a cycle"), 3);
            if search == CycleSearch::SweepOff {
                assert_eq!(outcome.stats.sweep.persistent, persistent);
            }
            // The layers of 2, 3, 6 and 7 are in no cycle with an accepting one, so nothing hides 1.
            let expected = if progress_graph { 1 } else { passes };
            assert_eq!(outcome.stats.sweep.passes, expected, "{switched:?}");
        }
    }
}

/// A chain that leads back from its end to its middle, past one accepting node.
fn chain(length: u32) -> (AcceptingGraph, GraphMeasure) {
    let step = |node: u32| vec![GraphEvent::To(if node + 1 < length { node + 1 } else { length / 2 })];
    let graph = AcceptingGraph {
        accepting: (0..length).map(|node| node == length / 4 * 3).collect(),
        parts: vec![Scc { rank: 0, strength: Strength::Strong }; length as usize],
        graph: Graph { nodes: (0..length).map(step).collect(), variable: false },
    };
    let layer = |node: u32| (node / (length / 1000)) as u16;
    (graph, layers(&(0..length).map(layer).collect::<Vec<_>>()))
}

fn follows_a_long_chain(length: u32) {
    let (graph, measure) = chain(length);
    for search in CycleSearch::ALL {
        for measure in [&layers(&vec![0; length as usize]), &measure] {
            let (outcome, _) = run(&graph, measure, options(search));
            let found = &outcome.violations[0];
            let trace = found.trace.as_ref().expect("there is a trace");
            assert!(graph.is_lasso(trace, found.cycle_start.expect("it is a cycle")), "{search:?}");
        }
    }
}

#[test]
fn a_path_of_a_million() {
    follows_a_long_chain(1_000_000);
}

#[test]
#[ignore = "takes a minute and some gigabytes"]
fn a_path_of_ten_million() {
    follows_a_long_chain(10_000_000);
}

const WORKERS: Workers = Workers { workers: 3, phases: 4, places: 5 };

fn alternating(workers: Workers) -> WorkersAutomaton {
    WorkersAutomaton { workers, property: WorkersProperty::Alternating }
}

#[test]
fn memory_is_limited_and_counted() {
    let automaton = alternating(WORKERS);
    let product = Product { system: &WORKERS, automaton: &automaton };
    for search in CycleSearch::ALL {
        let measure = WorkersMeasure { workers: WORKERS, layers: true };
        let complete = check_cycles(&product, &mut { measure }, &options(search), &mut (), &Meter::unlimited());
        assert_eq!(complete.verdict(), Verdict::Holds);
        for parts in 1..8 {
            let most = complete.stats.peak_bytes * parts / 7;
            let meter = Meter::unlimited().with_max_bytes(Some(most));
            let outcome = check_cycles(&product, &mut { measure }, &options(search), &mut (), &meter);
            assert_eq!(meter.bytes(), 0, "everything is given back");
            assert!(outcome.stats.peak_bytes <= most, "{search:?} {parts}/7: {:?}", outcome.stats);
            assert_eq!(outcome.stopped, (parts < 7).then_some(StopReason::Memory), "{search:?} {parts}/7");
        }
    }
}

#[test]
fn time_and_interrupt_stop_the_search() {
    let endless = Workers { workers: 9, phases: 20, places: 5 };
    let automaton = alternating(endless);
    let product = Product { system: &endless, automaton: &automaton };
    for search in CycleSearch::ALL {
        let meter = Meter::unlimited();
        meter.interrupt();
        let interrupted = check_cycles(&product, &mut NoMeasure, &options(search), &mut (), &meter);
        assert_eq!(interrupted.stopped, Some(StopReason::Interrupted));
        let meter = Meter::unlimited().until(Instant::now() + Duration::from_millis(150));
        let mut measure = WorkersMeasure { workers: endless, layers: true };
        let outcome = check_cycles(&product, &mut measure, &options(search), &mut (), &meter);
        assert_eq!(outcome.stopped, Some(StopReason::Time));
    }
}

#[test]
fn without_traces_the_verdict_stays() {
    let graph = accepting(&[&[1], &[0]], &[1]);
    for search in CycleSearch::ALL {
        let (outcome, _) = run(&graph, &layers(&[0, 1]), SearchOptions { traces: false, ..options(search) });
        assert_eq!(outcome.verdict(), Verdict::Violated);
        assert_eq!(outcome.violations[0].violation, AcceptingGraph::CYCLE);
        if search != CycleSearch::Ndfs {
            assert!(outcome.violations[0].trace.is_err());
        }
    }
}

/// Every kind of product, every search: the same verdict.
#[test]
fn searches_agree_on_workers() {
    let workers = Workers { workers: 3, phases: 3, places: 3 };
    for property in
        [WorkersProperty::Nothing, WorkersProperty::Avoided, WorkersProperty::Alternating, WorkersProperty::Returning]
    {
        let automaton = WorkersAutomaton { workers, property };
        let product = Product { system: &workers, automaton: &automaton };
        let expected = if property == WorkersProperty::Returning { Verdict::Violated } else { Verdict::Holds };
        for search in CycleSearch::ALL {
            for layers in [false, true] {
                let mut measure = WorkersMeasure { workers, layers };
                let outcome = check_cycles(&product, &mut measure, &options(search), &mut (), &Meter::unlimited());
                assert_eq!(outcome.verdict(), expected, "{property:?} {search:?}");
            }
        }
    }
}
