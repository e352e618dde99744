//! Every search against plain reachability, on random and on extreme graphs.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use proptest::prelude::*;
use statespace::{StateSpace, Visit, Word};

use crate::testing::{Graph, GraphEvent, Lattice};
use crate::{Algorithm, Limits, Meter, Observer, Outcome, SearchOptions, Stats, StopReason, Verdict, check};

/// Records which states are discovered and which are expanded.
#[derive(Default)]
struct Recorder {
    discovered: Vec<Word>,
    expanded: Vec<Word>,
    ticks: u32,
}

impl Observer for Recorder {
    fn discovered(&mut self, state: &[Word], stats: &Stats) {
        self.discovered.push(state[0]);
        assert_eq!(stats.states as usize, self.discovered.len());
    }

    fn expanding(&mut self, state: &[Word], _: &Stats) {
        self.expanded.push(state[0]);
    }

    fn tick(&mut self, _: &Stats) {
        self.ticks += 1;
    }
}

fn run(graph: &Graph, options: &SearchOptions) -> (Outcome<u32>, Recorder) {
    let mut recorder = Recorder::default();
    let outcome = check(graph, options, &mut recorder, &Meter::unlimited());
    (outcome, recorder)
}

fn graphs() -> impl Strategy<Value = Graph> {
    (1..40u32).prop_flat_map(|size| {
        let event = prop_oneof![
            12 => (0..size).prop_map(GraphEvent::To),
            1 => (0..4u32).prop_map(GraphEvent::Bad),
        ];
        let nodes = prop::collection::vec(prop::collection::vec(event, 0..5), size as usize);
        (nodes, any::<bool>()).prop_map(|(nodes, variable)| Graph { nodes, variable })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_complete_search_sees_exactly_what_is_reachable(graph in graphs()) {
        let expected = graph.reachable();
        for algorithm in Algorithm::ALL {
            let options = SearchOptions { algorithm, all_errors: true, ..Default::default() };
            let (outcome, recorder) = run(&graph, &options);
            prop_assert_eq!(outcome.stats.states, expected.nodes.len() as u64);
            if !Algorithm::EXTERNAL.contains(&algorithm) {
                prop_assert_eq!(outcome.stats.peak_states, outcome.stats.states);
            }
            prop_assert_eq!(outcome.stats.transitions, expected.transitions);
            prop_assert_eq!(outcome.stats.errors, expected.errors);
            prop_assert_eq!(outcome.stopped, None);
            prop_assert_eq!(recorder.expanded.len(), expected.nodes.len());
            prop_assert_eq!(&recorder.expanded.iter().copied().collect::<HashSet<_>>(), &expected.nodes);
            prop_assert_eq!(recorder.discovered.len(), expected.nodes.len());
            match algorithm {
                Algorithm::Dfs | Algorithm::Caching => prop_assert!(outcome.stats.depth >= expected.depth),
                _ => prop_assert_eq!(outcome.stats.depth, expected.depth),
            }
            let mut kinds = HashSet::new();
            for found in &outcome.violations {
                let trace = found.trace.as_ref().expect("the log fits in memory");
                prop_assert_eq!(graph.replay(trace), Some(found.violation));
                prop_assert!(kinds.insert(found.violation), "each violation once");
            }
            prop_assert_eq!(outcome.violations.is_empty(), expected.errors == 0);
            let verdict = if expected.errors == 0 { Verdict::Holds } else { Verdict::Violated };
            prop_assert_eq!(outcome.verdict(), verdict);
        }
    }

    #[test]
    fn the_first_violation_ends_the_search(graph in graphs()) {
        let nearest = graph.reachable().nearest_violation;
        for algorithm in Algorithm::ALL {
            let (outcome, _) = run(&graph, &SearchOptions { algorithm, ..Default::default() });
            prop_assert_eq!(outcome.stats.errors, u64::from(nearest.is_some()));
            prop_assert_eq!(outcome.violations.len(), usize::from(nearest.is_some()));
            for found in &outcome.violations {
                let trace = found.trace.as_ref().expect("the log fits in memory");
                prop_assert_eq!(graph.replay(trace), Some(found.violation));
                if matches!(algorithm, Algorithm::Bfs | Algorithm::ExternalBfs) {
                    prop_assert_eq!(Some(trace.len() as u64), nearest, "shortest");
                }
            }
        }
    }

    #[test]
    fn a_compact_search_differs_in_nothing_but_memory(graph in graphs()) {
        let plain = SearchOptions { algorithm: Algorithm::Bfs, all_errors: true, ..Default::default() };
        let (expected, seen) = run(&graph, &plain);
        let (compact, also_seen) = run(&graph, &SearchOptions { compact: true, ..plain });
        prop_assert_eq!(&compact.violations, &expected.violations);
        let counts = |stats: &Stats| {
            (stats.states, stats.transitions, stats.depth, stats.errors, stats.max_state_words)
        };
        prop_assert_eq!(counts(&compact.stats), counts(&expected.stats));
        prop_assert_eq!((also_seen.discovered, also_seen.expanded), (seen.discovered, seen.expanded));
    }

    #[test]
    fn depth_first_order_is_that_of_the_recursive_search(graph in graphs()) {
        let options = SearchOptions { all_errors: true, ..Default::default() };
        let (outcome, recorder) = run(&graph, &options);
        let mut simple = Recursive { graph: &graph, order: Vec::new(), found: Vec::new() };
        simple.enter(0);
        prop_assert_eq!(&recorder.discovered, &simple.order);
        let found: Vec<u32> = outcome.violations.iter().map(|found| found.violation).collect();
        prop_assert_eq!(found, simple.found);
    }

    #[test]
    fn states_and_depth_are_limited_exactly(graph in graphs(), most in 0..40u64) {
        let expected = graph.reachable();
        for algorithm in Algorithm::ALL {
            let limits = Limits { max_states: Some(most), ..Default::default() };
            let options = SearchOptions { algorithm, limits, all_errors: true, ..Default::default() };
            let (outcome, _) = run(&graph, &options);
            let all = expected.nodes.len() as u64;
            prop_assert_eq!(outcome.stats.states, all.min(most));
            prop_assert_eq!(outcome.stopped, (all > most).then_some(StopReason::States));
            if outcome.violations.is_empty() && all > most {
                prop_assert_eq!(outcome.verdict(), Verdict::Stopped(StopReason::States));
            }

            let limits = Limits { max_depth: Some(most), ..Default::default() };
            let (complete, _) = run(&graph, &SearchOptions { limits: Limits::default(), ..options });
            let (outcome, _) = run(&graph, &SearchOptions { limits, ..options });
            let too_deep = complete.stats.depth > most;
            prop_assert_eq!(outcome.stopped, too_deep.then_some(StopReason::Depth));
            prop_assert!(outcome.stats.depth <= most);
        }
    }
}

/// The simple version: depth-first search as everybody writes it.
struct Recursive<'a> {
    graph: &'a Graph,
    order: Vec<u32>,
    found: Vec<u32>,
}

impl Recursive<'_> {
    fn enter(&mut self, node: u32) {
        self.order.push(node);
        for &event in &self.graph.nodes[node as usize] {
            match event {
                GraphEvent::To(next) if !self.order.contains(&next) => self.enter(next),
                GraphEvent::Bad(violation) if !self.found.contains(&violation) => {
                    self.found.push(violation);
                }
                _ => {}
            }
        }
    }
}

const LATTICE: Lattice = Lattice { counters: 5, top: 9 };

#[test]
fn both_searches_count_the_lattice_alike() {
    for algorithm in Algorithm::ALL {
        let options = SearchOptions { algorithm, ..Default::default() };
        let outcome = check(&LATTICE, &options, &mut (), &Meter::unlimited());
        assert_eq!(outcome.verdict(), Verdict::Holds);
        assert_eq!(outcome.stats.states, 100_000);
        assert_eq!(outcome.stats.transitions, 1 + 5 * 9 * 10_000);
        assert_eq!(outcome.stats.depth, 45);
        assert_eq!(outcome.stats.max_state_words, 5);
    }
}

/// A chain of a million nodes with a violation at its end, and an edge back to the start from each.
fn chain() -> Graph {
    let step = |node: u32| vec![GraphEvent::To(node + 1), GraphEvent::To(0)];
    let mut nodes: Vec<_> = (0..1_000_000).map(step).collect();
    nodes.push(vec![GraphEvent::Bad(7)]);
    Graph { nodes, variable: false }
}

#[test]
fn a_million_deep() {
    let graph = chain();
    // A level of breadth-first search on disk is merged with all before it.
    for algorithm in Algorithm::ALL.into_iter().filter(|&algorithm| algorithm != Algorithm::ExternalBfs) {
        let (outcome, _) = run(&graph, &SearchOptions { algorithm, ..Default::default() });
        assert_eq!(outcome.stats.depth, 1_000_000);
        let trace = outcome.violations[0].trace.as_ref().expect("there is a trace");
        assert_eq!(graph.replay(trace), Some(7));
    }
}

#[test]
fn equal_violations_are_reported_once_and_others_up_to_a_number() {
    let bad = (0..50).map(|n| GraphEvent::Bad(n % 10)).collect();
    let graph = Graph { nodes: vec![bad], variable: false };
    for algorithm in Algorithm::ALL {
        for (max_reported, reported) in [(100, 10), (4, 4), (0, 1)] {
            let options = SearchOptions { algorithm, all_errors: true, max_reported, ..Default::default() };
            let (outcome, _) = run(&graph, &options);
            assert_eq!(outcome.stats.errors, 50);
            assert_eq!(outcome.violations.len(), reported);
        }
    }
}

/// A system that goes wrong before it has a state.
struct Stillborn;

impl StateSpace for Stillborn {
    type Violation = &'static str;
    type Scratch = ();

    fn scratch(&self) {}

    fn fixed_words(&self) -> Option<usize> {
        None
    }

    fn word_bits(&self) -> &[u8] {
        &[]
    }

    fn gave_up(&self) -> bool {
        false
    }

    fn initial(&self) -> Result<Vec<Word>, &'static str> {
        Err("division by zero")
    }

    fn expand<V: Visit<&'static str>>(&self, _: &[Word], (): &mut (), _: &mut V) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

#[test]
fn a_violation_in_the_initial_state_has_an_empty_trace() {
    let outcome = check(&Stillborn, &SearchOptions::default(), &mut (), &Meter::unlimited());
    assert_eq!(outcome.verdict(), Verdict::Violated);
    assert_eq!(outcome.violations[0].trace, Ok(vec![]));
    assert_eq!(outcome.stats.states, 0);
}

#[test]
fn without_traces_the_verdict_stays() {
    let graph = Graph { nodes: vec![vec![GraphEvent::Bad(1)]], variable: true };
    let options = SearchOptions { algorithm: Algorithm::Bfs, traces: false, ..Default::default() };
    let (outcome, _) = run(&graph, &options);
    assert_eq!(outcome.verdict(), Verdict::Violated);
    assert!(outcome.violations[0].trace.is_err());
}

#[test]
fn memory_is_limited_and_counted() {
    for algorithm in Algorithm::ALL {
        for megabytes in [1, 2, 3, 4] {
            let most = megabytes << 20;
            let meter = Meter::unlimited().with_max_bytes(Some(most));
            let options = SearchOptions { algorithm, ..Default::default() };
            let outcome = check(&LATTICE, &options, &mut (), &meter);
            assert_eq!(meter.bytes(), 0, "everything is given back");
            let stats = outcome.stats;
            assert!(stats.peak_bytes <= most, "{stats:?}");
            match outcome.stopped {
                Some(reason) => {
                    assert_eq!(reason, StopReason::Memory);
                    assert!(stats.peak_bytes > most / 3, "{algorithm:?} {most}: {stats:?}");
                }
                None => assert_eq!(stats.states, 100_000),
            }
            assert!(stats.peak_bytes as u64 > stats.peak_states * 20, "{stats:?}");
        }
    }
}

/// A meter that is interrupted.
fn stopped() -> Meter {
    let meter = Meter::unlimited();
    meter.interrupt();
    meter
}

#[test]
fn time_and_interrupt_stop_the_search() {
    let endless = Lattice { counters: 8, top: 1_000 };
    for algorithm in Algorithm::ALL {
        let options = SearchOptions { algorithm, ..Default::default() };
        let interrupted = check(&endless, &options, &mut (), &stopped());
        assert_eq!(interrupted.stopped, Some(StopReason::Interrupted));

        let meter = Meter::unlimited().until(Instant::now() + Duration::from_millis(250));
        let mut recorder = Recorder::default();
        let outcome = check(&endless, &options, &mut recorder, &meter);
        assert_eq!(outcome.stopped, Some(StopReason::Time));
        assert!(outcome.stats.elapsed >= Duration::from_millis(250));
        assert!(recorder.ticks >= 1);
    }
}

/// Sets the flag from outside, as Ctrl-C does.
struct Impatient(Arc<AtomicBool>);

impl Observer for Impatient {
    fn tick(&mut self, stats: &Stats) {
        assert!(stats.waiting > 0);
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn the_interrupt_flag_is_seen_during_the_search() {
    let endless = Lattice { counters: 8, top: 1_000 };
    let flag = Arc::new(AtomicBool::new(false));
    let meter = Meter::unlimited().with_interrupt(Arc::clone(&flag));
    let outcome = check(&endless, &SearchOptions::default(), &mut Impatient(flag), &meter);
    assert_eq!(outcome.verdict(), Verdict::Stopped(StopReason::Interrupted));
}
