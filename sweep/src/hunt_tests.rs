//! Searches that remember hashes, hunts, and shortened paths, against plain reachability on random graphs.

use proptest::prelude::*;

use crate::control::HashedTable;
use crate::testing::{Graph, GraphEvent, Lattice};
use crate::{
    Algorithm, Found, HuntOptions, Hunted, Limits, Meter, Outcome, SearchOptions, StopReason, Verdict, check, hunt,
    shorten,
};

const OPTIONS: HuntOptions = HuntOptions { workers: 1, seed: 1, rounds: None, max_depth: None };

fn graphs(most: u32) -> impl Strategy<Value = Graph> {
    (1..most).prop_flat_map(|size| {
        let event = prop_oneof![
            20 => (0..size).prop_map(GraphEvent::To),
            1 => (0..4u32).prop_map(GraphEvent::Bad),
        ];
        let nodes = prop::collection::vec(prop::collection::vec(event, 0..4), size as usize);
        (nodes, any::<bool>()).prop_map(|(nodes, variable)| Graph { nodes, variable })
    })
}

fn search(graph: &Graph, table: HashedTable, all_errors: bool) -> Outcome<u32> {
    let options = SearchOptions { algorithm: Algorithm::Dfs, hashed: Some(table), all_errors, ..Default::default() };
    check(graph, &options, &mut (), &Meter::unlimited())
}

fn is_real(graph: &Graph, found: &Found<u32>) -> bool {
    graph.replay(found.trace.as_ref().expect("the path is the trace")) == Some(found.violation)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    /// With room for all it sees what there is, and yet it never says that anything holds.
    #[test]
    fn a_large_table_misses_nothing(graph in graphs(60)) {
        let expected = graph.reachable();
        for table in [HashedTable::Compact, HashedTable::Bits(1 << 16)] {
            let outcome = search(&graph, table, true);
            prop_assert_eq!(outcome.stats.states, expected.nodes.len() as u64);
            prop_assert_eq!(outcome.stats.transitions, expected.transitions);
            prop_assert_eq!(outcome.stats.errors, expected.errors);
            prop_assert_eq!(outcome.stopped, Some(StopReason::Hashed));
            prop_assert!(outcome.violations.iter().all(|found| is_real(&graph, found)));
            let first = search(&graph, table, false);
            prop_assert_eq!(first.violations.is_empty(), expected.errors == 0);
            prop_assert_eq!(first.stopped, (expected.errors == 0).then_some(StopReason::Hashed));
        }
    }

    /// A table that is much too small leaves states out, but what it finds is there.
    #[test]
    fn a_small_table_finds_only_what_there_is(graph in graphs(60), words in 1..4usize) {
        let expected = graph.reachable();
        let outcome = search(&graph, HashedTable::Bits(8 * words), true);
        prop_assert!(outcome.stats.states <= expected.nodes.len() as u64);
        prop_assert!(outcome.stats.errors <= expected.errors);
        prop_assert!(outcome.violations.iter().all(|found| is_real(&graph, found)));
        prop_assert!(outcome.verdict() != Verdict::Holds);
    }

    /// A hunt finds a violation if and only if there is one, where everything is small; one worker always finds the same.
    #[test]
    fn a_hunt_of_a_small_space_is_complete(graph in graphs(60), seed in any::<u64>()) {
        let expected = graph.reachable();
        let hunt = |workers| hunt(&graph, &HuntOptions { workers, seed, ..OPTIONS }, &mut (), &Meter::unlimited());
        let Hunted { found, stopped, stats } = hunt(1);
        prop_assert_eq!(found.is_some(), expected.errors > 0);
        prop_assert!(found.iter().all(|found| is_real(&graph, found)));
        prop_assert_eq!(stopped, (expected.errors == 0).then_some(StopReason::Hashed));
        prop_assert_eq!(stats.is_whole, expected.errors == 0);
        if expected.errors == 0 {
            prop_assert_eq!(stats.visited, expected.nodes.len() as u64);
            prop_assert_eq!(stats.distinct, expected.nodes.len() as f64);
        }
        prop_assert_eq!(&hunt(1).found, &found);
        prop_assert_eq!(hunt(3).found.is_some(), expected.errors > 0);
    }

    /// A path that is cut off finds what is near enough.
    #[test]
    fn no_path_is_longer_than_allowed(graph in graphs(60), most in 0..8u64) {
        let options = HuntOptions { max_depth: Some(most), rounds: Some(3), ..OPTIONS };
        let hunted = hunt(&graph, &options, &mut (), &Meter::unlimited());
        prop_assert!(hunted.stats.depth <= most);
        if let Some(found) = &hunted.found {
            prop_assert!(is_real(&graph, found));
            prop_assert!(found.trace.as_ref().is_ok_and(|trace| trace.len() as u64 <= most + 1));
        }
        if hunted.stats.is_whole {
            prop_assert_eq!(hunted.stats.distinct, graph.reachable().nodes.len() as f64);
        }
    }

    /// Whatever the effort, a shortened path is a path, no longer, and the shortest if there was effort for that.
    #[test]
    fn a_shortened_path_leads_to_a_violation(graph in graphs(80), effort in 0..200u64) {
        let meter = Meter::unlimited();
        let outcome = check(&graph, &SearchOptions::default(), &mut (), &meter);
        if let Some(found) = outcome.violations.into_iter().next() {
            let length = |found: &Found<u32>| found.trace.as_ref().map_or(0, Vec::len);
            let before = length(&found);
            let shorter = shorten(&graph, found, effort, &meter);
            prop_assert!(is_real(&graph, &shorter));
            prop_assert!(length(&shorter) <= before);
            if effort >= 2 * 80 {
                prop_assert_eq!(Some(length(&shorter) as u64), graph.reachable().nearest_violation);
            }
        }
    }
}

/// A long path that ends with a violation, with steps that skip one or four nodes, and blind alleys at every node.
fn long_way(nodes: u32) -> Graph {
    const ALLEYS: u32 = 20;
    let step = |node: u32| move |step: &u32| GraphEvent::To((node + step).min(nodes - 1));
    let alleys = |node: u32| (0..ALLEYS).map(move |alley| GraphEvent::To(nodes + ALLEYS * node + alley));
    let events = |node: u32| match node + 1 == nodes {
        true => vec![GraphEvent::Bad(7)],
        false => [1, 2, 5].iter().map(step(node)).chain(alleys(node)).collect(),
    };
    let mut events: Vec<_> = (0..nodes).map(events).collect();
    events.resize(((ALLEYS + 1) * nodes) as usize, Vec::new());
    Graph { nodes: events, variable: false }
}

#[test]
fn shortcuts_are_found_where_the_whole_is_too_large() {
    let graph = long_way(5_000);
    let found = Found { violation: 7, trace: Ok(vec![0; 5_000]), cycle_start: None };
    assert!(is_real(&graph, &found));
    let effort = 90_000;
    let few = Limits { max_states: Some(effort / 2), ..Limits::default() };
    let options = SearchOptions { algorithm: Algorithm::Bfs, limits: few, ..SearchOptions::default() };
    assert!(check(&graph, &options, &mut (), &Meter::unlimited()).violations.is_empty(), "too many for a search");
    let shorter = shorten(&graph, found, effort, &Meter::unlimited());
    assert!(is_real(&graph, &shorter));
    assert_eq!(shorter.trace.map(|trace| trace.len()), Ok(1_001));
}

#[test]
fn a_violation_a_million_steps_deep_is_found() {
    let nodes = 1_000_000;
    let mut graph = Graph { nodes: (1..=nodes).map(|next| vec![GraphEvent::To(next)]).collect(), variable: false };
    graph.nodes.push(vec![GraphEvent::Bad(1)]);
    let hunted = hunt(&graph, &OPTIONS, &mut (), &Meter::unlimited());
    let found = hunted.found.expect("the path leads there");
    assert!(is_real(&graph, &found));
    assert_eq!(found.trace.map(|trace| trace.len()), Ok(nodes as usize + 1));
}

#[test]
fn limits_end_a_hunt_without_a_verdict() {
    // 10^12 states.
    let space = Lattice { counters: 12, top: 9 };
    let rounds = HuntOptions { rounds: Some(6), workers: 2, ..OPTIONS };
    let hunted = hunt(&space, &rounds, &mut (), &Meter::unlimited());
    assert_eq!((hunted.stopped, hunted.stats.rounds), (Some(StopReason::Hashed), 6));
    assert!(!hunted.stats.is_whole && hunted.stats.visited > 20_000);
    let soon = Meter::unlimited().with_deadline(Some(std::time::Instant::now()));
    assert_eq!(hunt(&space, &OPTIONS, &mut (), &soon).stopped, Some(StopReason::Time));
    let interrupted = Meter::unlimited();
    interrupted.interrupt();
    assert_eq!(hunt(&space, &OPTIONS, &mut (), &interrupted).stopped, Some(StopReason::Interrupted));
    let tiny = Meter::unlimited().with_max_bytes(Some(10));
    assert_eq!(hunt(&space, &OPTIONS, &mut (), &tiny).stopped, Some(StopReason::Memory));
}

#[test]
fn memory_bounds_tables_and_paths() {
    let space = Lattice { counters: 10, top: 9 };
    let most = 1 << 20;
    let meter = Meter::unlimited().with_max_bytes(Some(most));
    let hunted = hunt(&space, &HuntOptions { rounds: Some(14), ..OPTIONS }, &mut (), &meter);
    assert_eq!((hunted.stopped, hunted.stats.rounds), (Some(StopReason::Hashed), 14));
    assert!(hunted.stats.peak_bytes <= most, "{}", hunted.stats.peak_bytes);
    assert_eq!(meter.bytes(), 0);
}

/// What a hunt says of the size of spaces whose size is known, from rounds that see a part of it each.
#[test]
fn the_size_of_a_lattice_is_estimated() {
    for (counters, top) in [(4, 19), (6, 7), (9, 3), (17, 1)] {
        let space = Lattice { counters, top };
        let all = f64::from(top + 1).powi(counters as i32);
        // Rounds of 8,000, 33,000 and 131,000 states at most.
        let meter = Meter::unlimited();
        let hunted = hunt(&space, &HuntOptions { rounds: Some(11), ..OPTIONS }, &mut (), &meter);
        let size = hunted.stats.size.unwrap_or(hunted.stats.distinct);
        assert!((0.5..2.0).contains(&(size / all)), "{counters} {top}: {size} of {all}, {:?}", hunted.stats);
    }
}
