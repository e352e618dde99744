//! The sweeps against the papers: their pseudo-code with plain sets as the judge, their bounds, their figures.

use std::collections::{BTreeSet, HashSet};

use proptest::prelude::*;
use statespace::Word;

use crate::measure::{Measure, Progress};
use crate::testing::{Graph, GraphEvent, GraphMeasure, Lattice};
use crate::{Algorithm, Limits, Meter, Observer, Outcome, SearchOptions, Stats, StopReason, Verdict, check_with};

/// Records the states in the order in which they are expanded.
#[derive(Default)]
pub(crate) struct Recorder(pub(crate) Vec<u32>);

impl Observer for Recorder {
    fn expanding(&mut self, state: &[Word], stats: &Stats) {
        assert!(stats.stored <= stats.peak_states && stats.stored > 0);
        self.0.push(state[0]);
    }
}

fn run(graph: &Graph, measure: &GraphMeasure, options: SearchOptions) -> (Outcome<u32>, Vec<u32>) {
    let mut recorder = Recorder::default();
    let mut measure = measure.clone();
    let outcome = check_with(graph, &mut measure, &options, &mut recorder, &Meter::unlimited());
    (outcome, recorder.0)
}

fn options(algorithm: Algorithm) -> SearchOptions {
    SearchOptions { algorithm, all_errors: true, ..Default::default() }
}

/// What the pseudo-code counts.
#[derive(PartialEq, Eq, Debug, Default)]
struct Judged {
    expanded: u64,
    peak: u64,
    sweeps: u64,
    columns: u64,
    persistent: u64,
}

/// Fig. 5 of the compositional paper, line by line, with sets; Fig. 2 if there is one column.
fn judge(graph: &Graph, measure: &GraphMeasure, layer_bits: u32) -> Judged {
    let progress = |node: u32| measure.of_node(node);
    let column = |at: Progress| at.0.checked_shr(layer_bits).unwrap_or(0);
    let mut judged = Judged::default();
    let mut global_unprocessed = BTreeSet::from([(progress(0), 0)]);
    let mut nodes = HashSet::from([0]);
    judged.peak = 1;
    while let Some(&(first, _)) = global_unprocessed.first() {
        judged.columns += 1;
        let mut persistent = HashSet::new();
        let in_column = |&(at, _): &(Progress, u32)| column(at) == column(first);
        let (mut roots, rest): (BTreeSet<_>, BTreeSet<_>) = global_unprocessed.into_iter().partition(in_column);
        global_unprocessed = rest;
        while !roots.is_empty() {
            judged.sweeps += 1;
            let mut unprocessed = std::mem::take(&mut roots);
            while let Some((at, node)) = unprocessed.pop_first() {
                judged.expanded += 1;
                for event in &graph.nodes[node as usize] {
                    let GraphEvent::To(next) = *event else {
                        continue;
                    };
                    if !nodes.insert(next) {
                        continue;
                    }
                    let to = progress(next);
                    if column(to) > column(at) {
                        global_unprocessed.insert((to, next));
                    } else if to < at {
                        persistent.insert(next);
                        roots.insert((to, next));
                    } else {
                        unprocessed.insert((to, next));
                    }
                }
                judged.peak = judged.peak.max(nodes.len() as u64);
                let least = unprocessed.first().map(|&(least, _)| least);
                nodes.retain(|&node| {
                    least.is_some_and(|least| progress(node) >= least)
                        || persistent.contains(&node)
                        || column(progress(node)) > column(first)
                });
            }
        }
        judged.persistent += persistent.len() as u64;
        nodes.retain(|node| !persistent.contains(node));
    }
    judged
}

fn counted(stats: &Stats) -> Judged {
    Judged {
        expanded: stats.expanded,
        peak: stats.peak_states,
        sweeps: stats.sweep.sweeps,
        columns: stats.sweep.columns,
        persistent: stats.sweep.persistent,
    }
}

/// The largest value of all nodes from which each node can be reached: monotone.
pub(crate) fn rising(graph: &Graph, mut values: Vec<u16>) -> Vec<u16> {
    loop {
        let before = values.clone();
        for (node, events) in graph.nodes.iter().enumerate() {
            for event in events {
                if let GraphEvent::To(next) = *event {
                    values[next as usize] = values[next as usize].max(values[node]);
                }
            }
        }
        if values == before {
            return values;
        }
    }
}

fn graphs() -> impl Strategy<Value = Graph> {
    (1..40u32).prop_flat_map(|size| {
        let event = prop_oneof![
            20 => (0..size).prop_map(GraphEvent::To),
            1 => (0..4u32).prop_map(GraphEvent::Bad),
        ];
        let nodes = prop::collection::vec(prop::collection::vec(event, 0..4), size as usize);
        (nodes, any::<bool>()).prop_map(|(nodes, variable)| Graph { nodes, variable })
    })
}

/// How a component of a random measure is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Make {
    /// Monotone, and claimed to be.
    Monotone,
    /// Any values, not claimed to be monotone.
    StateTable,
    /// Any values, claimed to be monotone.
    Liar,
}

/// Graphs with measures of up to four components made in one of these ways.
pub(crate) fn measured(makes: Vec<Make>) -> impl Strategy<Value = (Graph, GraphMeasure)> {
    let component = (prop::sample::select(makes), 1..20u16, any::<[u16; 40]>());
    (graphs(), prop::collection::vec(component, 0..4)).prop_map(|(graph, components)| {
        let component = |(make, spread, values): (Make, u16, [u16; 40])| {
            let values = values[..graph.nodes.len()].iter();
            let values: Vec<u16> = values.map(|value| value % spread).collect();
            match make {
                Make::Monotone => (true, rising(&graph, values)),
                Make::StateTable => (false, values),
                Make::Liar => (true, values),
            }
        };
        let components = components.into_iter().map(component).collect();
        (graph, GraphMeasure { components })
    })
}

/// What every complete search owes: all states, all violations, traces that replay.
pub(crate) fn is_complete(graph: &Graph, outcome: &Outcome<u32>, expanded: &[u32]) {
    let expected = graph.reachable();
    let seen: HashSet<u32> = expanded.iter().copied().collect();
    assert_eq!(seen, expected.nodes);
    assert_eq!(outcome.stopped, None);
    assert_eq!(outcome.stats.expanded as usize, expanded.len());
    assert_eq!(outcome.stats.errors == 0, expected.errors == 0);
    assert_eq!(outcome.violations.is_empty(), expected.errors == 0);
    if let Some(distinct) = outcome.stats.distinct {
        assert_eq!(distinct, expected.nodes.len() as u64);
    }
    for found in &outcome.violations {
        let trace = found.trace.as_ref().expect("the log fits in memory");
        assert_eq!(graph.replay(trace), Some(found.violation));
    }
}

fn edges(stats: &Stats) -> u64 {
    let edges = stats.sweep.edges;
    edges.forward + edges.stationary + edges.regress
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn sweeps_do_what_the_papers_say(
        (graph, measure) in measured(vec![Make::Monotone, Make::StateTable])
    ) {
        let reachable = graph.reachable().nodes;
        let steps = || reachable.iter().flat_map(|&node| {
            graph.nodes[node as usize].iter().filter_map(move |event| match *event {
                GraphEvent::To(next) => Some((node, next)),
                GraphEvent::Bad(_) => None,
            })
        });
        let regress: HashSet<u32> = steps()
            .filter(|&(from, to)| measure.of_node(to) < measure.of_node(from))
            .map(|(_, to)| to)
            .collect();

        let (sweep, expanded) = run(&graph, &measure, options(Algorithm::Sweep));
        is_complete(&graph, &sweep, &expanded);
        prop_assert_eq!(counted(&sweep.stats), judge(&graph, &measure, u128::BITS));
        prop_assert!(expanded.len() <= (regress.len() + 1) * reachable.len(), "Theorem 1");

        let (columns, expanded) = run(&graph, &measure, options(Algorithm::ColumnSweep));
        is_complete(&graph, &columns, &expanded);
        prop_assert_eq!(counted(&columns.stats), judge(&graph, &measure, measure.layer_bits()));
        prop_assert!(columns.demoted.is_empty());
        prop_assert_eq!(columns.stats.stored, 0);
        let column = |node: u32| measure.of_node(node).0 >> measure.layer_bits();
        let bound: usize = reachable.iter().map(|&node| {
            1 + regress.iter().filter(|&&target| column(target) == column(node)).count()
        }).sum();
        prop_assert!(expanded.len() <= bound, "Theorem 2");
        prop_assert_eq!(edges(&columns.stats), columns.stats.transitions - 1);
        if measure.components.iter().all(|(monotone, _)| *monotone) {
            prop_assert_eq!(expanded.len(), reachable.len());
            prop_assert_eq!(columns.stats.distinct, Some(reachable.len() as u64));
            prop_assert_eq!(columns.stats.sweep.sweeps, columns.stats.sweep.columns);
        }

        let (strict, _) = run(&graph, &measure, options(Algorithm::StrictSweep));
        match strict.rejected {
            None => {
                prop_assert!(regress.is_empty());
                prop_assert_eq!(counted(&strict.stats), counted(&sweep.stats));
            }
            Some(rejected) => {
                prop_assert_eq!(strict.stopped, Some(StopReason::Rejected));
                let (from, to) = (rejected.from[0], rejected.to[0]);
                prop_assert!(measure.of_node(to) < measure.of_node(from));
                let mut node = 0;
                let trace = rejected.trace.expect("the log fits in memory");
                for &event in &trace {
                    prop_assert!(node != to || from == to || trace.len() > 1);
                    let GraphEvent::To(next) = graph.nodes[node as usize][event as usize] else {
                        return Err(TestCaseError::fail("a step leads somewhere"));
                    };
                    node = next;
                }
                prop_assert_eq!(node, to);
            }
        }
    }

    #[test]
    fn a_false_claim_costs_no_verdict(
        (graph, measure) in measured(vec![Make::Monotone, Make::StateTable, Make::Liar, Make::Liar])
    ) {
        for algorithm in [Algorithm::Sweep, Algorithm::ColumnSweep] {
            let (outcome, expanded) = run(&graph, &measure, options(algorithm));
            is_complete(&graph, &outcome, &expanded);
            for component in &outcome.demoted {
                prop_assert!(measure.components[component.0 as usize].0);
            }
        }
    }

    #[test]
    fn collecting_late_changes_only_memory(
        (graph, measure) in measured(vec![Make::Monotone, Make::StateTable, Make::Liar]),
        collect_every in 1..30u64,
    ) {
        let late = SearchOptions { collect_every, ..options(Algorithm::ColumnSweep) };
        let (outcome, expanded) = run(&graph, &measure, late);
        is_complete(&graph, &outcome, &expanded);
    }

    #[test]
    fn lost_patience_changes_only_memory(
        (graph, measure) in measured(vec![Make::Monotone, Make::StateTable, Make::Liar]),
        reexpansion_limit in 0..200u32,
        collect_every in 1..10u64,
    ) {
        let reexpansion_limit = Some(reexpansion_limit);
        let impatient = SearchOptions { reexpansion_limit, collect_every, ..options(Algorithm::ColumnSweep) };
        let (outcome, expanded) = run(&graph, &measure, impatient);
        is_complete(&graph, &outcome, &expanded);
    }

    #[test]
    fn a_cache_of_any_size_sees_everything(graph in graphs(), cache_states in 0..40u64) {
        // Time may be exponential: only graphs with few paths.
        let small = Graph { nodes: graph.nodes.iter().take(12).map(|events| {
            let inside = |event: &&GraphEvent| !matches!(event, GraphEvent::To(next) if *next >= 12);
            events.iter().filter(inside).copied().collect()
        }).collect(), ..graph };
        let measure = GraphMeasure { components: vec![] };
        let caching = SearchOptions { cache_states, ..options(Algorithm::Caching) };
        let (outcome, expanded) = run(&small, &measure, caching);
        is_complete(&small, &outcome, &expanded);
        prop_assert!(outcome.stats.peak_states <= cache_states.max(outcome.stats.depth + 1));
    }

    #[test]
    fn limits_stop_a_sweep((graph, measure) in measured(vec![Make::Monotone, Make::StateTable]), most in 0..40u64) {
        let (complete, _) = run(&graph, &measure, options(Algorithm::ColumnSweep));
        let limits = Limits { max_states: Some(most), ..Default::default() };
        let limited = SearchOptions { limits, ..options(Algorithm::ColumnSweep) };
        let (outcome, _) = run(&graph, &measure, limited);
        let too_many = complete.stats.states > most;
        prop_assert_eq!(outcome.stopped, too_many.then_some(StopReason::States));
        prop_assert!(outcome.stats.states <= most);
        let first = SearchOptions { all_errors: false, ..options(Algorithm::ColumnSweep) };
        let (outcome, _) = run(&graph, &measure, first);
        prop_assert_eq!(outcome.verdict() == Verdict::Violated, graph.reachable().errors > 0);
    }
}

fn graph(steps: &[&[u32]]) -> Graph {
    let to = |steps: &&[u32]| steps.iter().map(|&to| GraphEvent::To(to)).collect();
    Graph { nodes: steps.iter().map(to).collect(), variable: false }
}

/// Figs. 3 and 4 of the compositional paper: the squares of the states are as the captions tell, the first coordinate
/// monotone and the second not. Node 0 is ι, node n is s_n.
fn figure() -> (Graph, GraphMeasure) {
    let graph = graph(&[
        &[1, 2], // ι (1,1)
        &[3, 4], // s1 (1,2)
        &[3],    // s2 (1,2)
        &[5],    // s3 (1,2)
        &[7],    // s4 (3,3)
        &[6, 8], // s5 (2,2): a regress edge to s6
        &[5],    // s6 (2,1)
        &[],     // s7 (4,1): reached by going down in the second coordinate
        &[4],    // s8 (2,3)
    ]);
    let measure = GraphMeasure {
        components: vec![(true, vec![1, 1, 1, 1, 3, 2, 2, 4, 2]), (false, vec![1, 2, 2, 2, 3, 2, 1, 1, 3])],
    };
    (graph, measure)
}

#[test]
fn figure_4_revisits_only_inside_its_column() {
    let (graph, measure) = figure();
    let (outcome, order) = run(&graph, &measure, options(Algorithm::ColumnSweep));
    // Column 1; column 2 with its second sweep from s6, which meets s5 again; columns 3 and 4.
    assert_eq!(order, [0, 1, 2, 3, 5, 8, 6, 5, 8, 4, 7]);
    assert_eq!(outcome.stats.sweep.columns, 4);
    assert_eq!(outcome.stats.sweep.sweeps, 5);
    assert_eq!(outcome.stats.sweep.persistent, 1);
    assert_eq!(outcome.stats.distinct, None);
}

/// Fig. 3 of the sweep-line library paper: node 1 is the initial marking; layer 1 ends with nodes 7 and 8, layer 2 begins
/// with 9 to 12. Nodes 1 to 8 are deleted when node 8 was expanded.
#[test]
fn the_first_layer_is_forgotten_when_its_last_node_is_expanded() {
    let graph = graph(&[&[1], &[2], &[3, 4], &[5, 8], &[5, 6], &[7, 9], &[7, 10], &[11], &[9], &[11], &[11], &[]]);
    let layer = |node: u16| u16::from(node >= 8);
    let measure = GraphMeasure { components: vec![(true, (0..12).map(layer).collect())] };
    struct Stored(Vec<u64>);
    impl Observer for Stored {
        fn expanding(&mut self, _: &[Word], stats: &Stats) {
            self.0.push(stats.stored);
        }
    }
    let mut stored = Stored(Vec::new());
    let outcome =
        check_with(&graph, &mut measure.clone(), &options(Algorithm::StrictSweep), &mut stored, &Meter::unlimited());
    assert_eq!(outcome.rejected, None);
    assert_eq!(outcome.stats.peak_states, 12);
    assert_eq!(stored.0[8], 4, "only layer 2 is left");
    assert_eq!(outcome.stats.sweep.layers, 2);
}

/// The sum of the counters of a lattice: two layers are stored at a time.
#[test]
fn a_lattice_is_swept_by_its_sum() {
    struct Sum;
    impl Measure for Sum {
        fn has_one_layer(&self) -> bool {
            false
        }

        fn of(&self, state: &[Word]) -> Progress {
            Progress(state.iter().map(|&word| u128::from(word)).sum())
        }
    }
    let lattice = Lattice { counters: 5, top: 9 };
    let outcome = check_with(&lattice, &mut Sum, &options(Algorithm::ColumnSweep), &mut (), &Meter::unlimited());
    assert_eq!(outcome.stats.distinct, Some(100_000));
    assert_eq!(outcome.stats.expanded, 100_000);
    assert_eq!(outcome.stats.sweep.layers, 46);
    // The two largest numbers of ways to write n as a sum of five digits: 6000 each, for 22 and 23.
    assert_eq!(outcome.stats.peak_states, 12_000);
}
