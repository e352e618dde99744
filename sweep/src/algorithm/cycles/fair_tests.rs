//! The search for fair cycles against the definition: of all sets of states of a small product, is there one that a run can
//! visit again and again, all of it and nothing else, with an accepting state and every demand met?

use std::ops::ControlFlow;

use proptest::prelude::*;
use statespace::{StateSpace, Visit, Word};

use crate::space::acceptance::{Scc, Strength};
use crate::space::demands::{Demand, Demanding, Role, VisitDemands};
use crate::space::product::{Automaton, Moves, Product, follow};
use crate::{Meter, SearchOptions, check_fair_cycles};

/// Demands are numbered from 0; the strong ones are odd.
const DEMANDS: u32 = 4;
/// Words that all states have behind their number, so that they are compressed.
const PADDING: usize = 12;
/// What an accepting cycle violates.
const CYCLE: u32 = 7;
/// What a forbidden node violates.
const FORBIDDEN: u32 = 9;

fn demand(number: u32) -> Demand {
    Demand::new(number, number % 2 == 1)
}

/// The demands of a set of bits.
fn demands(bits: u32) -> Vec<Demand> {
    (0..DEMANDS).filter(|number| bits >> number & 1 == 1).map(demand).collect()
}

/// A step of the system: where it leads, what it shows to be waiting, and what it serves.
#[derive(Clone, Copy, Debug)]
struct Step {
    to: usize,
    waiting: u32,
    served: u32,
}

#[derive(Clone, Debug)]
struct System {
    nodes: Vec<Vec<Step>>,
    is_wide: bool,
}

/// An automaton: for each state whether it is accepting, and edges that read some nodes (a bit each).
#[derive(Clone, Debug)]
struct Watcher {
    states: Vec<(bool, Vec<(u32, u32)>)>,
    /// The nodes (a bit each) that violate something by themselves.
    forbidden: u32,
    stutters: bool,
}

impl System {
    fn state(&self, node: usize) -> Vec<Word> {
        let mut state = vec![node as Word];
        state.extend(vec![5; if self.is_wide { PADDING } else { 0 }]);
        state
    }
}

impl StateSpace for System {
    type Violation = u32;
    type Scratch = ();

    fn scratch(&self) {}

    fn fixed_words(&self) -> Option<usize> {
        Some(self.state(0).len())
    }

    fn word_bits(&self) -> &[u8] {
        &[]
    }

    fn gave_up(&self) -> bool {
        false
    }

    fn initial(&self) -> Result<Vec<Word>, u32> {
        Ok(self.state(0))
    }

    fn expand<V: Visit<u32>>(&self, state: &[Word], (): &mut (), visit: &mut V) -> ControlFlow<()> {
        for (event, step) in (0..).zip(&self.nodes[state[0] as usize]) {
            visit.successor(event, &self.state(step.to))?;
        }
        ControlFlow::Continue(())
    }
}

impl Demanding for System {
    fn expand_demands<V: VisitDemands<u32>>(&self, state: &[Word], (): &mut (), visit: &mut V) -> ControlFlow<()> {
        for (event, step) in (0..).zip(&self.nodes[state[0] as usize]) {
            let role = Role { waiting: &demands(step.waiting), served: &demands(step.served) };
            visit.successor(event, &self.state(step.to), role)?;
        }
        ControlFlow::Continue(())
    }
}

impl Automaton<u32> for Watcher {
    type Scratch = ();

    fn initial(&self) -> Word {
        0
    }

    fn moves(&self, at: Word, system: &[Word], (): &mut (), moves: &mut Moves<u32>) {
        let edges = &self.states[at as usize].1;
        moves.violations.extend((self.forbidden >> system[0] & 1 == 1).then_some(FORBIDDEN));
        moves.targets.extend(edges.iter().filter(|(nodes, _)| nodes >> system[0] & 1 == 1).map(|&(_, to)| to));
    }

    fn is_accepting(&self, at: Word, _: &[Word]) -> bool {
        self.states[at as usize].0
    }

    fn scc(&self, _: Word) -> Scc {
        Scc { rank: 0, strength: Strength::Strong }
    }

    fn cycle(&self) -> u32 {
        CYCLE
    }

    fn stutters(&self) -> bool {
        self.stutters
    }
}

/// A step of the product: from, to, and what it serves.
type Edge = (usize, usize, u32);

struct Drawn {
    edges: Vec<Edge>,
    /// What waits in each state.
    waiting: Vec<u32>,
    accepting: Vec<bool>,
}

fn draw(system: &System, watcher: &Watcher) -> Drawn {
    let states = watcher.states.len();
    let mut drawn = Drawn { edges: Vec::new(), waiting: Vec::new(), accepting: Vec::new() };
    for (node, steps) in system.nodes.iter().enumerate() {
        for (at, (is_accepting, moves)) in watcher.states.iter().enumerate() {
            drawn.accepting.push(*is_accepting);
            drawn.waiting.push(steps.iter().fold(0, |waiting, step| waiting | step.waiting));
            for &(_, to) in moves.iter().filter(|(nodes, _)| nodes >> node & 1 == 1) {
                let mut edge = |next: usize, served| {
                    drawn.edges.push((node * states + at, next * states + to as usize, served));
                };
                steps.iter().for_each(|step| edge(step.to, step.served));
                if steps.is_empty() && watcher.stutters {
                    edge(node, 0);
                }
            }
        }
    }
    drawn
}

/// Are all demands met by a run that visits states in which these wait, again and again, and takes steps that serve this?
fn is_met(waiting: impl Iterator<Item = u32> + Clone, served: u32) -> bool {
    (0..DEMANDS).all(|number| {
        let waits = |set: u32| set >> number & 1 == 1;
        let must = if number % 2 == 1 { waiting.clone().any(waits) } else { waiting.clone().all(waits) };
        !must || waits(served)
    })
}

/// The verdict by definition.
fn by_definition(drawn: &Drawn) -> bool {
    let size = drawn.accepting.len();
    let mut reached = 1u32;
    for _ in 0..size {
        reached = drawn.edges.iter().fold(reached, |set, &(from, to, _)| set | (set >> from & 1) << to);
    }
    (1..1u32 << size).filter(|set| set & !reached == 0).any(|set| {
        let has = |state: usize| set >> state & 1 == 1;
        let members = || (0..size).filter(|&state| has(state));
        let inside = || drawn.edges.iter().filter(|&&(from, to, _)| has(from) && has(to));
        // From each of them, one step or more lead to all of them.
        let is_connected = members().all(|start| {
            let mut seen = 0;
            for _ in 0..=size {
                seen = inside().fold(
                    seen,
                    |seen, &(from, to, _)| {
                        if from == start || seen >> from & 1 == 1 { seen | 1 << to } else { seen }
                    },
                );
            }
            seen == set
        });
        let served = inside().fold(0, |served, edge| served | edge.2);
        is_connected
            && members().any(|state| drawn.accepting[state])
            && is_met(members().map(|state| drawn.waiting[state]), served)
    })
}

/// Whether the search finds a cycle. What it finds must be a run of the system, fair by itself.
fn searched(system: &System, watcher: &Watcher) -> Result<bool, TestCaseError> {
    let product = Product { system, automaton: watcher };
    let options = SearchOptions { all_errors: true, ..SearchOptions::default() };
    let outcome = check_fair_cycles(&product, &options, &mut (), &Meter::unlimited());
    prop_assert!(outcome.stopped.is_none());
    let mut is_found = false;
    for found in outcome.violations.iter().filter(|found| found.violation == CYCLE) {
        is_found = true;
        let events = found.trace.as_ref().expect("there is room for a trace");
        let start = found.cycle_start.expect("it is a cycle");
        prop_assert!(start < events.len());
        let followed = follow(&product, events, &Meter::unlimited()).expect("it is a run of the product");
        let (mut node, mut served, mut waiting, mut first) = (0, 0, Vec::new(), None);
        for (nth, event) in followed.into_iter().enumerate() {
            let steps = &system.nodes[node];
            if nth == start {
                first = Some(node);
            }
            if nth >= start {
                waiting.push(steps.iter().fold(0, |waiting, step| waiting | step.waiting));
            }
            match event {
                Some(event) => {
                    let step = steps[event as usize];
                    served |= if nth >= start { step.served } else { 0 };
                    node = step.to;
                }
                None => prop_assert!(steps.is_empty(), "it stays only where it cannot move"),
            }
        }
        prop_assert_eq!(first, Some(node), "the cycle closes");
        prop_assert!(is_met(waiting.into_iter(), served), "the cycle is fair");
    }
    Ok(is_found)
}

fn systems() -> impl Strategy<Value = System> {
    ((1..5usize), any::<bool>()).prop_flat_map(|(size, is_wide)| {
        let bits = || prop_oneof![2 => Just(0), 3 => 0..1u32 << DEMANDS];
        let step = (0..size, bits(), bits()).prop_map(|(to, waiting, served)| Step { to, waiting, served });
        let nodes = prop::collection::vec(prop::collection::vec(step, 0..4), size);
        nodes.prop_map(move |nodes| System { nodes, is_wide })
    })
}

fn watchers() -> impl Strategy<Value = Watcher> {
    (1..3u32).prop_flat_map(|size| {
        let edges = prop::collection::vec((1..1u32 << 4, 0..size), 1..4);
        let states = prop::collection::vec((any::<bool>(), edges), size as usize);
        let forbidden = prop_oneof![Just(0), 0..1u32 << 4];
        (states, forbidden, any::<bool>()).prop_map(|(states, forbidden, stutters)| Watcher {
            states,
            forbidden,
            stutters,
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn fair_cycles_are_those_of_the_definition(system in systems(), watcher in watchers()) {
        prop_assert_eq!(searched(&system, &watcher)?, by_definition(&draw(&system, &watcher)));
    }
}

/// A ring of `size` nodes, in each of which a strong demand waits, of `size` in all; a step of every node goes round, and
/// one step serves.
fn ring(size: usize, serves: bool) -> System {
    let served = if serves { 0b10 } else { 0 };
    let node = |node: usize| {
        let served = if node == size / 2 { served } else { 0 };
        vec![Step { to: (node + 1) % size, waiting: 0b10, served }]
    };
    System { nodes: (0..size).map(node).collect(), is_wide: false }
}

#[test]
fn a_long_ring_is_followed_without_recursion() {
    // As if all nodes were read by the same edge.
    struct All;
    impl Automaton<u32> for All {
        type Scratch = ();
        fn initial(&self) -> Word {
            0
        }
        fn moves(&self, _: Word, _: &[Word], (): &mut (), moves: &mut Moves<u32>) {
            moves.targets.push(0);
        }
        fn is_accepting(&self, _: Word, _: &[Word]) -> bool {
            true
        }
        fn scc(&self, _: Word) -> Scc {
            Scc { rank: 0, strength: Strength::Weak }
        }
        fn cycle(&self) -> u32 {
            CYCLE
        }
        fn stutters(&self) -> bool {
            true
        }
    }
    let size = 200_000;
    for serves in [false, true] {
        let system = ring(size, serves);
        let product = Product { system: &system, automaton: &All };
        let options = SearchOptions::default();
        let outcome = check_fair_cycles(&product, &options, &mut (), &Meter::unlimited());
        let lengths: Vec<usize> =
            outcome.violations.iter().map(|found| found.trace.as_ref().map_or(0, Vec::len)).collect();
        assert_eq!(lengths, if serves { vec![size] } else { vec![] });
        let meter = Meter::unlimited().with_max_bytes(Some(8 << 20));
        let stopped = check_fair_cycles(&product, &options, &mut (), &meter).stopped;
        assert_eq!(stopped, Some(crate::StopReason::Memory));
    }
}
