//! Hand-drawn and random graphs, and a lattice of counters, as state spaces.

mod accepting;
mod laborious;
pub mod processes;
mod workers;

use std::collections::{HashSet, VecDeque};
use std::ops::ControlFlow;

use statespace::{StateSpace, Visit, Word};

use crate::measure::{ComponentId, Measure, Progress};

pub use accepting::AcceptingGraph;
pub use laborious::{Laborious, Watchful};
pub use workers::{Workers, WorkersAutomaton, WorkersMeasure, WorkersProperty};

/// What happens in an expansion of a node of a [`Graph`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GraphEvent {
    /// A step to a node.
    To(u32),
    /// A violation with a number.
    Bad(u32),
}

/// A finite graph, given by the events of each node. Node 0 is the initial one.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The events of each node.
    pub nodes: Vec<Vec<GraphEvent>>,
    /// Whether the packed states have different lengths.
    pub variable: bool,
}

/// What there is to know about a graph, found by the simplest means.
#[derive(Debug)]
pub struct Reachable {
    /// The nodes that can be reached.
    pub nodes: HashSet<u32>,
    /// All steps from them, and one for the initial node.
    pub transitions: u64,
    /// All violations in them.
    pub errors: u64,
    /// The greatest distance of a node.
    pub depth: u64,
    /// The distance of the nearest violation, itself included.
    pub nearest_violation: Option<u64>,
}

impl Graph {
    /// The words of a node: few bits that differ, in the middle of others, and as many words as the node says.
    pub fn encode(&self, node: u32) -> Vec<Word> {
        let length = if self.variable { node as usize % 5 } else { 2 };
        let mut state = vec![node];
        state.extend((0..length).map(|n| node >> n & 3));
        state
    }

    /// The violation that a trace leads to, if it is a trace.
    pub fn replay(&self, trace: &[u32]) -> Option<u32> {
        let (&last, steps) = trace.split_last()?;
        let mut node = 0;
        for &event in steps {
            match self.nodes.get(node as usize)?.get(event as usize)? {
                GraphEvent::To(next) => node = *next,
                GraphEvent::Bad(_) => return None,
            }
        }
        match self.nodes.get(node as usize)?.get(last as usize)? {
            GraphEvent::To(_) => None,
            GraphEvent::Bad(violation) => Some(*violation),
        }
    }

    /// Plain reachability with the collections of the standard library: the judge of all searches.
    pub fn reachable(&self) -> Reachable {
        let mut reachable =
            Reachable { nodes: HashSet::from([0]), transitions: 1, errors: 0, depth: 0, nearest_violation: None };
        let mut queue = VecDeque::from([(0, 0)]);
        while let Some((node, depth)) = queue.pop_front() {
            reachable.depth = depth;
            for &event in &self.nodes[node as usize] {
                match event {
                    GraphEvent::To(next) => {
                        reachable.transitions += 1;
                        if reachable.nodes.insert(next) {
                            queue.push_back((next, depth + 1));
                        }
                    }
                    GraphEvent::Bad(_) => {
                        reachable.errors += 1;
                        reachable.nearest_violation.get_or_insert(depth + 1);
                    }
                }
            }
        }
        reachable
    }
}

impl StateSpace for Graph {
    type Violation = u32;
    type Scratch = ();

    fn scratch(&self) {}

    fn fixed_words(&self) -> Option<usize> {
        (!self.variable).then_some(3)
    }

    fn word_bits(&self) -> &[u8] {
        &[]
    }

    fn gave_up(&self) -> bool {
        false
    }

    fn initial(&self) -> Result<Vec<Word>, u32> {
        Ok(self.encode(0))
    }

    fn expand<V: Visit<u32>>(&self, state: &[Word], (): &mut (), visit: &mut V) -> ControlFlow<()> {
        for (number, event) in (0..).zip(&self.nodes[state[0] as usize]) {
            match *event {
                GraphEvent::To(next) => visit.successor(number, &self.encode(next))?,
                GraphEvent::Bad(violation) => visit.violation(number, violation)?,
            }
        }
        ControlFlow::Continue(())
    }
}

/// Counters that each step one by one from 0 to `top`: `(top + 1) ^ counters` states, without a violation.
#[derive(Clone, Copy, Debug)]
pub struct Lattice {
    /// How many counters there are; a word each.
    pub counters: usize,
    /// Where each of them ends.
    pub top: Word,
}

impl StateSpace for Lattice {
    type Violation = ();
    type Scratch = Vec<Word>;

    fn scratch(&self) -> Vec<Word> {
        Vec::new()
    }

    fn fixed_words(&self) -> Option<usize> {
        Some(self.counters)
    }

    fn word_bits(&self) -> &[u8] {
        &[]
    }

    fn gave_up(&self) -> bool {
        false
    }

    fn initial(&self) -> Result<Vec<Word>, ()> {
        Ok(vec![0; self.counters])
    }

    fn expand<V: Visit<()>>(&self, state: &[Word], next: &mut Vec<Word>, visit: &mut V) -> ControlFlow<()> {
        next.clear();
        next.extend_from_slice(state);
        let mut event = 0;
        for counter in 0..state.len() {
            if state[counter] < self.top {
                next[counter] += 1;
                visit.successor(event, next)?;
                next[counter] -= 1;
                event += 1;
            }
        }
        ControlFlow::Continue(())
    }
}

/// A measure for a [`Graph`], given by the components of each node.
#[derive(Clone, Debug)]
pub struct GraphMeasure {
    /// For each component: whether it is claimed to be monotone, and its value in each node, below 2^16.
    pub components: Vec<(bool, Vec<u16>)>,
}

impl GraphMeasure {
    /// The progress of a node.
    pub fn of_node(&self, node: u32) -> Progress {
        let parts = |wanted: bool| self.components.iter().filter(move |(monotone, _)| *monotone == wanted);
        let values = parts(true).chain(parts(false)).map(|(_, values)| u128::from(values[node as usize]));
        Progress(values.fold(0, |progress, value| progress << 16 | value))
    }
}

impl Measure for GraphMeasure {
    fn has_one_layer(&self) -> bool {
        false
    }

    fn of(&self, state: &[Word]) -> Progress {
        self.of_node(state[0])
    }

    fn layer_bits(&self) -> u32 {
        16 * self.components.iter().filter(|(monotone, _)| !monotone).count() as u32
    }

    fn demote(&mut self, from: &[Word], to: &[Word]) -> Vec<ComponentId> {
        let mut demoted = Vec::new();
        for (id, (monotone, values)) in (0..).zip(&mut self.components) {
            if *monotone && values[to[0] as usize] < values[from[0] as usize] {
                *monotone = false;
                demoted.push(ComponentId(id));
            }
        }
        demoted
    }
}
