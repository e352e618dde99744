//! Products, plain and fair, against the definition: a violation is a cycle that can be reached, passes an accepting state,
//! and, if only fair runs count, has for every process a step that it takes part in or a state where it cannot begin one.

use std::ops::ControlFlow;

use proptest::prelude::*;
use statespace::{StateSpace, Visit, Word};

use crate::measure::NoMeasure;
use crate::space::acceptance::{Scc, Strength};
use crate::space::fairness::{FairProduct, Pids, Processes, VisitMovers};
use crate::space::product::{Automaton, Moves, Paired, Product, follow};
use crate::{CycleSearch, Meter, SearchOptions, check_cycles};

const PROCESSES: u8 = 3;
const LABELS: u32 = 3;

/// A step of the system: where it leads, who begins it, and who else takes part.
#[derive(Clone, Copy, Debug)]
struct Step {
    to: usize,
    begun_by: u8,
    also: Option<u8>,
}

/// A system of processes. A node is seen as its label.
#[derive(Clone, Debug)]
struct System {
    nodes: Vec<(u32, Vec<Step>)>,
}

/// An automaton: for each state whether it is accepting, and edges that read some labels (a bit each).
#[derive(Clone, Debug)]
struct Watcher {
    states: Vec<(bool, Vec<(u32, u32)>)>,
    /// The labels (a bit each) that violate something by themselves.
    forbidden: u32,
    stutters: bool,
}

/// What a forbidden label violates.
const FORBIDDEN: u32 = 9;
/// What an accepting cycle violates.
const CYCLE: u32 = 7;

impl System {
    fn steps(&self, state: &[Word]) -> &[Step] {
        &self.nodes[state[0] as usize].1
    }
}

impl StateSpace for System {
    type Violation = u32;
    type Scratch = ();

    fn scratch(&self) {}

    fn fixed_words(&self) -> Option<usize> {
        Some(1)
    }

    fn word_bits(&self) -> &[u8] {
        &[]
    }

    fn gave_up(&self) -> bool {
        false
    }

    fn initial(&self) -> Result<Vec<Word>, u32> {
        Ok(vec![0])
    }

    fn expand<V: Visit<u32>>(&self, state: &[Word], (): &mut (), visit: &mut V) -> ControlFlow<()> {
        for (event, step) in (0..).zip(self.steps(state)) {
            visit.successor(event, &[step.to as Word])?;
        }
        ControlFlow::Continue(())
    }
}

impl Processes for System {
    fn count(&self, _: &[Word]) -> usize {
        PROCESSES.into()
    }

    fn expand_movers<V: VisitMovers<u32>>(&self, state: &[Word], (): &mut (), visit: &mut V) -> ControlFlow<()> {
        for (event, step) in (0..).zip(self.steps(state)) {
            let mut movers = Pids::default();
            movers.insert(step.begun_by);
            step.also.into_iter().for_each(|pid| movers.insert(pid));
            visit.successor(event, &[step.to as Word], step.begun_by, movers)?;
        }
        ControlFlow::Continue(())
    }
}

struct Watching<'a> {
    system: &'a System,
    watcher: &'a Watcher,
}

impl Automaton<u32> for Watching<'_> {
    type Scratch = ();

    fn initial(&self) -> Word {
        0
    }

    fn moves(&self, at: Word, system: &[Word], (): &mut (), moves: &mut Moves<u32>) {
        let label = self.system.nodes[system[0] as usize].0;
        let edges = &self.watcher.states[at as usize].1;
        moves.violations.extend((self.watcher.forbidden >> label & 1 == 1).then_some(FORBIDDEN));
        moves.targets.extend(edges.iter().filter(|(labels, _)| labels >> label & 1 == 1).map(|&(_, to)| to));
    }

    fn is_accepting(&self, at: Word, _: &[Word]) -> bool {
        self.watcher.states[at as usize].0
    }

    fn scc(&self, _: Word) -> Scc {
        Scc { rank: 0, strength: Strength::Strong }
    }

    fn cycle(&self) -> u32 {
        CYCLE
    }

    fn stutters(&self) -> bool {
        self.watcher.stutters
    }
}

/// A step of the product as the definition has it: from, to, and who takes part.
type Edge = (usize, usize, Vec<u8>);

/// The verdict by definition: is there a violation, among all runs and among the fair ones?
fn by_definition(system: &System, watcher: &Watcher) -> (bool, bool) {
    let states = watcher.states.len();
    let number = |node: usize, at: usize| node * states + at;
    let mut edges: Vec<Edge> = Vec::new();
    for (node, (label, steps)) in system.nodes.iter().enumerate() {
        for (at, (_, moves)) in watcher.states.iter().enumerate() {
            for &(_, to) in moves.iter().filter(|(labels, _)| labels >> label & 1 == 1) {
                for step in steps {
                    let movers = std::iter::once(step.begun_by).chain(step.also).collect();
                    edges.push((number(node, at), number(step.to, to as usize), movers));
                }
                if steps.is_empty() && watcher.stutters {
                    edges.push((number(node, at), number(node, to as usize), Vec::new()));
                }
            }
        }
    }
    let size = system.nodes.len() * states;
    let mut reach = vec![vec![false; size]; size];
    for (from, to, _) in &edges {
        reach[*from][*to] = true;
    }
    for middle in 0..size {
        for from in 0..size {
            for to in 0..size {
                reach[from][to] |= reach[from][middle] && reach[middle][to];
            }
        }
    }
    let (mut any, mut fair) = (false, false);
    let accepting = |state: usize| watcher.states[state % states].0;
    for state in (0..size).filter(|&state| accepting(state) && reach[state][state] && (state == 0 || reach[0][state])) {
        any = true;
        // The largest cycle through it serves everybody whom any cycle serves.
        let on_it = |other: usize| other == state || reach[state][other] && reach[other][state];
        let is_served = |pid: u8| {
            let moves = edges.iter().any(|(from, to, movers)| on_it(*from) && on_it(*to) && movers.contains(&pid));
            let rests = (0..size)
                .filter(|&other| on_it(other))
                .any(|other| system.nodes[other / states].1.iter().all(|step| step.begun_by != pid));
            moves || rests
        };
        fair |= (0..PROCESSES).all(is_served);
    }
    (any, fair)
}

/// Whether a search finds an accepting cycle. Whatever it finds must be a run of the system.
fn searched<P: Paired<Violation = u32>>(product: &P, system: &System, watcher: &Watcher, search: CycleSearch) -> bool {
    let options = SearchOptions { cycles: search, all_errors: true, ..SearchOptions::default() };
    let outcome = check_cycles(product, &mut NoMeasure, &options, &mut (), &Meter::unlimited());
    for found in &outcome.violations {
        let events = found.trace.as_ref().expect("there is room for a trace");
        let mut followed = follow(product, events, &Meter::unlimited()).expect("it is a run of the product");
        if found.violation == FORBIDDEN {
            assert_eq!(followed.pop(), Some(None), "the system has no part in what the automaton finds");
        }
        let mut nodes = vec![0];
        for event in followed {
            let (_, steps) = &system.nodes[nodes[nodes.len() - 1]];
            match event {
                Some(event) => nodes.push(steps[event as usize].to),
                None => {
                    assert!(steps.is_empty(), "the system stays only where it cannot move");
                    nodes.push(nodes[nodes.len() - 1]);
                }
            }
        }
        let last = nodes[nodes.len() - 1];
        match (found.violation, found.cycle_start) {
            (CYCLE, Some(start)) => assert_eq!(last, nodes[start], "the cycle closes"),
            (FORBIDDEN, None) => assert_eq!(watcher.forbidden >> system.nodes[last].0 & 1, 1),
            other => panic!("{other:?}"),
        }
    }
    outcome.violations.iter().any(|found| found.violation == CYCLE)
}

fn systems() -> impl Strategy<Value = System> {
    (1..6usize).prop_flat_map(|size| {
        let step = (0..size, 0..PROCESSES, prop::option::weighted(0.2, 0..PROCESSES))
            .prop_map(|(to, begun_by, also)| Step { to, begun_by, also });
        let node = (0..LABELS, prop::collection::vec(step, 0..4));
        prop::collection::vec(node, size).prop_map(|nodes| System { nodes })
    })
}

fn watchers() -> impl Strategy<Value = Watcher> {
    (1..4u32).prop_flat_map(|size| {
        let edges = prop::collection::vec((1..1u32 << LABELS, 0..size), 0..4);
        let states = prop::collection::vec((any::<bool>(), edges), size as usize);
        let forbidden = prop_oneof![Just(0), 0..1u32 << LABELS];
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
    fn products_have_the_violations_of_the_definition(system in systems(), watcher in watchers()) {
        let (any, fair) = by_definition(&system, &watcher);
        let automaton = &Watching { system: &system, watcher: &watcher };
        let plain = Product { system: &system, automaton };
        let only_fair = FairProduct { system: &system, automaton };
        for search in CycleSearch::ALL {
            prop_assert_eq!(searched(&plain, &system, &watcher, search), any, "{:?}", search);
            prop_assert_eq!(searched(&only_fair, &system, &watcher, search), fair, "{:?}, fair", search);
        }
    }
}
