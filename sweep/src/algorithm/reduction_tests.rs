//! Every search that may leave out steps against one that leaves out nothing, on random systems of processes.
//!
//! A safety search has to find the same violated assertions, with the values they read, the same deadlocks, and to
//! execute the same steps with the values they read; a search for cycles has to give the same verdict. And it has to leave
//! something out in a good part of the cases, or nothing is shown.

use std::cell::Cell;
use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use proptest::prelude::*;
use proptest::test_runner::{TestCaseResult, TestRunner};
use statespace::{StateSpace, Visit, Word};

use crate::external::tests::small;
use crate::space::acceptance::{Accepting, Observing};
use crate::space::product::Product;
use crate::testing::processes::{
    Action, CHANNELS, Component, Edge, Encoding, Exploration, Fault, Observed, Place, Processes, ProcessesMeasure,
    Property, PropertyAutomaton, Reduction, SHARED, VALUES,
};
use crate::{
    Algorithm, CycleSearch, Limits, Meter, Outcome, SearchOptions, StopReason, Verdict, check_cycles, check_with,
};

/// Larger systems are not looked at.
const MOST_STATES: usize = 400;

fn place() -> impl Strategy<Value = Place> {
    prop_oneof![Just(Place::Own), (0..SHARED as u8).prop_map(Place::Shared)]
}

fn action() -> impl Strategy<Value = Action> {
    let (value, channel) = (|| 0..VALUES, || 0..CHANNELS as u8);
    prop_oneof![
        4 => Just(Action::Skip),
        5 => (place(), value()).prop_map(|(place, value)| Action::Set(place, value)),
        1 => (place(), place()).prop_map(|(place, from)| Action::Copy(place, from)),
        2 => place().prop_map(Action::Increase),
        2 => (channel(), value()).prop_map(|(channel, value)| Action::Send(channel, value)),
        1 => (channel(), place()).prop_map(|(channel, from)| Action::SendFrom(channel, from)),
        3 => (channel(), place()).prop_map(|(channel, place)| Action::Receive(channel, place)),
        2 => (place(), value(), any::<bool>()).prop_map(|(place, value, survives)| Action::Forbid(place, value, survives)),
    ]
}

/// An edge that may lead anywhere, and one that leads on.
fn edge(loops: f64) -> impl Strategy<Value = (Edge, bool)> {
    let guard = prop::option::weighted(0.4, (any::<bool>(), place(), 0..VALUES));
    let edge = (guard, action(), any::<u8>()).prop_map(|(guard, action, target)| Edge { guard, action, target });
    (edge, prop::bool::weighted(loops))
}

/// Processes whose locations are mostly passed in order.
fn process(loops: f64) -> impl Strategy<Value = Vec<Vec<Edge>>> {
    let location = || {
        prop_oneof![1 => 0..1usize, 3 => 1..2usize, 2 => 2..3usize]
            .prop_flat_map(move |edges| prop::collection::vec(edge(loops), edges))
    };
    (prop::collection::vec(edge(loops), 1..3), prop::collection::vec(location(), 1..5)).prop_map(|(first, rest)| {
        let locations = rest.len() as u8 + 1;
        let aimed = |from: u8, (edge, is_free): (Edge, bool)| {
            let on = (from + 1 + edge.target % 2).min(locations - 1);
            Edge { target: if is_free { edge.target % locations } else { on }, ..edge }
        };
        let all = (0..).zip(std::iter::once(first).chain(rest));
        all.map(|(from, edges)| edges.into_iter().map(|edge| aimed(from, edge)).collect()).collect()
    })
}

fn systems() -> impl Strategy<Value = Processes> {
    let processes =
        prop::sample::select(vec![0.05, 0.2, 0.5]).prop_flat_map(|loops| prop::collection::vec(process(loops), 2..5));
    let capacities = prop::collection::vec(1..3u8, CHANNELS);
    (processes, capacities).prop_map(|(processes, capacities)| Processes::new(processes, capacities))
}

#[derive(Clone, Copy, Debug)]
enum Make {
    Constant,
    Rising,
    Ranks,
    Liar,
    Data,
}

/// The components of a measure of a system, made of random ranks.
fn measures() -> impl Strategy<Value = Vec<(Make, [[u8; 5]; 4])>> {
    let make = prop::sample::select(vec![Make::Constant, Make::Rising, Make::Ranks, Make::Liar, Make::Data]);
    prop::collection::vec((make, any::<[[u8; 5]; 4]>()), 1..3)
}

fn measure_of(system: &Processes, made: &[(Make, [[u8; 5]; 4])]) -> ProcessesMeasure {
    let component = |(make, ranks): &(Make, [[u8; 5]; 4])| {
        let ranks: Vec<Vec<u8>> = ranks.iter().map(|ranks| ranks.iter().map(|rank| rank % 4).collect()).collect();
        match make {
            Make::Constant => (true, Component::Ranks(vec![vec![0; 5]; 4])),
            Make::Rising => (true, Component::rising(system, ranks)),
            Make::Ranks => (false, Component::Ranks(ranks)),
            Make::Liar => (true, Component::Ranks(ranks)),
            Make::Data => (false, Component::Variable(Place::Shared(ranks[0][0] % SHARED as u8))),
        }
    };
    ProcessesMeasure { components: made.iter().map(component).collect(), encoding: system.exploration.encoding }
}

fn encodings() -> impl Strategy<Value = Encoding> {
    prop::sample::select(vec![Encoding::Packed, Encoding::Wide, Encoding::Variable])
}

/// What must not matter to a search.
fn switches() -> impl Strategy<Value = SearchOptions> {
    let limits = (prop::option::of(0..200u32), 1..20u64, 1..20u64, prop::option::of(0..60u64));
    (limits, any::<bool>(), any::<bool>(), small()).prop_map(
        |(
            (reexpansion_limit, collect_every, cache_states, hand_over_after),
            progress_graph,
            progress_first,
            external,
        )| SearchOptions {
            external,
            hand_over_after,
            reexpansion_limit,
            collect_every,
            cache_states,
            progress_graph,
            progress_first,
            all_errors: true,
            max_reported: usize::MAX,
            ..Default::default()
        },
    )
}

/// Collects one expansion, in which nothing is left out that the space itself does not leave out.
struct Collected<V> {
    successors: HashMap<u32, Vec<Word>>,
    violations: HashMap<u32, V>,
}

impl<V> Visit<V> for Collected<V> {
    fn successor(&mut self, event: u32, next: &[Word]) -> ControlFlow<()> {
        assert!(self.successors.insert(event, next.to_vec()).is_none());
        ControlFlow::Continue(())
    }

    fn violation(&mut self, event: u32, violation: V) -> ControlFlow<()> {
        assert!(self.violations.insert(event, violation).is_none());
        ControlFlow::Continue(())
    }

    fn left_out(&mut self, _: u32) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn suffices(&mut self) -> bool {
        false
    }

    fn working(&mut self, _: usize) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

fn expansion<S: StateSpace>(space: &S, state: &[Word]) -> Collected<S::Violation> {
    let mut collected = Collected { successors: HashMap::new(), violations: HashMap::new() };
    let _ = space.expand(state, &mut space.scratch(), &mut collected);
    collected
}

/// All there is, found by the simplest means.
struct Plain {
    states: Vec<Vec<Word>>,
    steps: Vec<Vec<usize>>,
    faults: BTreeSet<Fault>,
}

/// The whole graph, if it is small.
fn plain<S: StateSpace<Violation = Fault>>(space: &S, most: usize) -> Option<Plain> {
    let initial = space.initial().ok()?;
    let mut numbers = HashMap::from([(initial.clone(), 0)]);
    let mut plain = Plain { states: vec![initial], steps: Vec::new(), faults: BTreeSet::new() };
    while let Some(state) = plain.states.get(plain.steps.len()) {
        let Collected { successors, violations } = expansion(space, state);
        plain.faults.extend(violations.into_values());
        let mut steps = Vec::new();
        for next in successors.into_values() {
            let number = *numbers.entry(next).or_insert_with_key(|next| {
                plain.states.push(next.clone());
                plain.states.len() - 1
            });
            steps.push(number);
        }
        plain.steps.push(steps);
        if plain.states.len() > most {
            return None;
        }
    }
    Some(plain)
}

impl Plain {
    /// Whether accepting states can be visited again and again. Emerson, Lei, "Efficient Model Checking in Fragments of the
    /// Propositional Mu-Calculus", LICS 1986: take away what cannot reach an accepting state of what is left.
    fn has_accepting_cycle<S: Accepting>(&self, space: &S) -> bool {
        let mut from = vec![Vec::new(); self.states.len()];
        for (state, steps) in self.steps.iter().enumerate() {
            steps.iter().for_each(|&next| from[next].push(state));
        }
        let mut left = vec![true; self.states.len()];
        loop {
            let mut reaches = vec![false; left.len()];
            let accepting = |&state: &usize| left[state] && space.is_accepting(&self.states[state]);
            let mut todo: Vec<usize> = (0..left.len()).filter(accepting).collect();
            while let Some(state) = todo.pop() {
                for &before in &from[state] {
                    if left[before] && !std::mem::replace(&mut reaches[before], true) {
                        todo.push(before);
                    }
                }
            }
            if reaches == left {
                return left.contains(&true);
            }
            left = reaches;
        }
    }
}

/// The states along a trace, and what its last event violates. `None` if there is no such trace.
fn follow<S: StateSpace<Violation = Fault>>(space: &S, trace: &[u32]) -> Option<(Vec<Vec<Word>>, Option<Fault>)> {
    let mut states = vec![space.initial().ok()?];
    for (number, event) in trace.iter().enumerate() {
        let Collected { mut successors, violations } = expansion(space, states.last()?);
        match successors.remove(event) {
            Some(next) => states.push(next),
            None if number + 1 == trace.len() => return Some((states, violations.get(event).copied())),
            None => return None,
        }
    }
    Some((states, None))
}

/// Every violation has a trace that leads to it.
fn replays<S: Accepting<Violation = Fault>>(space: &S, outcome: &Outcome<Fault>) -> TestCaseResult {
    for found in &outcome.violations {
        let trace = found.trace.as_ref().expect("the log fits in memory");
        let (states, violated) = follow(space, trace).expect("it is a trace");
        match found.cycle_start {
            None => prop_assert_eq!(violated, Some(found.violation)),
            Some(start) => {
                let cycle = &states[start..];
                prop_assert_eq!((found.violation, violated), (Fault::Cycle, None));
                prop_assert!(cycle.len() > 1 && cycle.first() == cycle.last(), "{:?} from {}", trace, start);
                prop_assert!(cycle.iter().any(|state| space.is_accepting(state)));
            }
        }
    }
    Ok(())
}

/// In how many cases something is so.
#[derive(Default)]
struct Share {
    cases: Cell<u32>,
    counted: Cell<u32>,
}

impl Share {
    fn add(&self, counts: bool) {
        self.cases.set(self.cases.get() + 1);
        self.counted.set(self.counted.get() + u32::from(counts));
    }

    /// It is so in at least this many per cent of the cases.
    fn is_at_least(&self, per_cent: u32, what: &str) {
        let (cases, counted) = (self.cases.get(), self.counted.get());
        println!("{what}: {counted} of {cases}");
        assert!(counted * 100 >= per_cent * cases, "{what}: {counted} of {cases}");
    }
}

/// Runs a test on many cases, and looks at what was counted when all have passed.
fn judge<T: std::fmt::Debug>(cases: u32, strategy: impl Strategy<Value = T>, test: impl Fn(T) -> TestCaseResult) {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) };
    let mut runner = TestRunner::new(config);
    if let Err(failure) = runner.run(&strategy, test) {
        panic!("{failure}");
    }
}

/// Every safety search, with the switches given.
fn safety_searches(switches: SearchOptions) -> impl Iterator<Item = SearchOptions> {
    let algorithms = Algorithm::ALL.into_iter().filter(|&algorithm| algorithm != Algorithm::StrictSweep);
    let compact = [false, true].map(|compact| move |algorithm| SearchOptions { algorithm, compact, ..switches });
    algorithms
        .flat_map(move |algorithm| compact.map(|with| with(algorithm)))
        .filter(|options| matches!(options.algorithm, Algorithm::Bfs | Algorithm::ColumnSweep) || !options.compact)
}

/// A cache of few states may take exponential time.
const MOST_EXPANDED: u64 = 20_000;

#[test]
fn a_safety_search_loses_no_violation_and_no_step() {
    let (reduced, chained, ended) = (Share::default(), Share::default(), Share::default());
    let cases = (systems(), measures(), switches(), encodings(), 1..6u32);
    judge(1000, cases, |(system, made, switches, encoding, chain)| {
        let all = Exploration { encoding, ..system.exploration };
        let system = system.explored(all);
        let Some(expected) = plain(&system, MOST_STATES) else { return Ok(()) };
        let executed = system.take_executed();
        for reduction in [Reduction::Asked, Reduction::ByCycles] {
            for chain in [0, chain] {
                let system = system.explored(Exploration { reduction, chain, ..all });
                for options in safety_searches(switches) {
                    let is_caching = options.algorithm == Algorithm::Caching;
                    let max_states = is_caching.then_some(MOST_EXPANDED);
                    let options = SearchOptions { limits: Limits { max_states, ..Limits::default() }, ..options };
                    let mut measure = measure_of(&system, &made);
                    let outcome = check_with(&system, &mut measure, &options, &mut (), &Meter::unlimited());
                    let found: BTreeSet<Fault> = outcome.violations.iter().map(|found| found.violation).collect();
                    let seen = system.take_executed();
                    if is_caching {
                        ended.add(outcome.stopped.is_none());
                        if outcome.stopped == Some(StopReason::States) {
                            continue;
                        }
                    }
                    prop_assert_eq!(outcome.stopped, None);
                    prop_assert_eq!(&found, &expected.faults, "{:?} {:?}", options, reduction);
                    prop_assert_eq!(found.len(), outcome.violations.len());
                    prop_assert_eq!(&seen, &executed, "{:?} {:?}", options, reduction);
                    replays(&Observed { system: &system, value: 0 }, &outcome)?;
                    system.take_executed();
                    if options.algorithm == Algorithm::Bfs && reduction == Reduction::Asked {
                        let share = if chain == 0 { &reduced } else { &chained };
                        share.add(outcome.stats.expanded < expected.states.len() as u64);
                    }
                }
            }
        }
        Ok(())
    });
    reduced.is_at_least(30, "safety searches that expand fewer states");
    chained.is_at_least(30, "the same with chains");
    ended.is_at_least(90, "caches that were large enough");
}

fn properties() -> impl Strategy<Value = Property> {
    let (value, pair) = (|| 0..VALUES, || (0..VALUES, 0..VALUES));
    prop_oneof![
        value().prop_map(Property::Stays),
        value().prop_map(Property::Returns),
        pair().prop_map(|(first, second)| Property::Then(first, second)),
        pair().prop_map(|(first, second)| Property::Unanswered(first, second)),
    ]
}

/// Every search for cycles of a space finds what there is. How many states are stored by those that store each once.
fn cycles_are_found<S: Observing<Violation = Fault>>(
    space: &S,
    measure: &ProcessesMeasure,
    switches: SearchOptions,
    expected: &BTreeSet<Fault>,
) -> Result<BTreeSet<u64>, TestCaseError> {
    let mut stored = BTreeSet::new();
    for cycles in CycleSearch::ALL {
        let options = SearchOptions { cycles, ..switches };
        let outcome = check_cycles(space, &mut measure.clone(), &options, &mut (), &Meter::unlimited());
        let found: BTreeSet<Fault> = outcome.violations.iter().map(|found| found.violation).collect();
        prop_assert_eq!(outcome.stopped, None);
        prop_assert_eq!(&found, expected, "{:?}", options);
        prop_assert_eq!(outcome.verdict() == Verdict::Violated, !found.is_empty());
        replays(space, &outcome)?;
        if matches!(cycles, CycleSearch::Ndfs | CycleSearch::Map) {
            stored.insert(outcome.stats.states);
        }
    }
    Ok(stored)
}

#[test]
fn a_search_for_cycles_gives_the_same_verdict() {
    let (reduced, chained, violated) = (Share::default(), Share::default(), Share::default());
    let cases = (systems(), measures(), switches(), encodings(), 1..6u32, properties());
    judge(1500, cases, |(system, made, switches, encoding, chain, property)| {
        let all = Exploration { encoding, has_faults: false, ..system.exploration };
        let system = &system.explored(all);
        let measure = measure_of(system, &made);
        let product = Product { system, automaton: &PropertyAutomaton { system, property } };
        let Some(graph) = plain(&product, MOST_STATES) else { return Ok(()) };
        let expected: BTreeSet<Fault> =
            graph.has_accepting_cycle(&product).then_some(Fault::Cycle).into_iter().collect();
        violated.add(!expected.is_empty());
        for (reduction, chain) in [(Reduction::ByCycles, 0), (Reduction::ByCycles, chain), (Reduction::Asked, 0)] {
            let system = &system.explored(Exploration { reduction, chain, ..all });
            let product = Product { system, automaton: &PropertyAutomaton { system, property } };
            let stored = cycles_are_found(&product, &measure, switches, &expected)?;
            if expected.is_empty() && reduction == Reduction::ByCycles {
                let share = if chain == 0 { &reduced } else { &chained };
                share.add(stored.last() < Some(&(graph.states.len() as u64)));
            }
        }
        Ok(())
    });
    reduced.is_at_least(30, "searches for cycles that store fewer states");
    chained.is_at_least(30, "the same with chains");
    violated.is_at_least(20, "with an accepting cycle");
}

/// Here all searches see the whole system, so the violations beside the cycle are the same too. A space that asks, and leaves
/// it to a search what to leave out, has to be answered that nothing is.
#[test]
fn without_an_automaton_the_violations_are_the_same_too() {
    let (reduced, violated) = (Share::default(), Share::default());
    let cases = (systems(), measures(), switches(), encodings(), 0..6u32, 0..VALUES);
    judge(1000, cases, |(system, made, switches, encoding, chain, value)| {
        let all = Exploration { encoding, ..system.exploration };
        let system = &system.explored(all);
        let measure = measure_of(system, &made);
        let space = Observed { system, value };
        let Some(graph) = plain(&space, MOST_STATES) else { return Ok(()) };
        let mut expected = graph.faults.clone();
        expected.extend(graph.has_accepting_cycle(&space).then_some(Fault::Cycle));
        violated.add(expected.contains(&Fault::Cycle));
        for (reduction, chain) in [(Reduction::ByCycles, chain), (Reduction::Asked, 0)] {
            let system = &system.explored(Exploration { reduction, chain, ..all });
            let stored = cycles_are_found(&Observed { system, value }, &measure, switches, &expected)?;
            if reduction == Reduction::ByCycles {
                reduced.add(stored.last() < Some(&(graph.states.len() as u64)));
            } else {
                prop_assert_eq!(stored, BTreeSet::from([graph.states.len() as u64]));
            }
        }
        Ok(())
    });
    reduced.is_at_least(30, "searches for cycles that store fewer states");
    violated.is_at_least(20, "with an accepting cycle");
}
