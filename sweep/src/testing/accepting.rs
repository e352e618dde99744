//! Graphs with accepting nodes, and the simplest search for a cycle through one of them.

use std::collections::HashSet;
use std::ops::ControlFlow;

use statespace::{StateSpace, Visit, Word};

use super::{Graph, GraphEvent};
use crate::space::acceptance::{Accepting, Observing, Scc};

/// A graph with accepting nodes, in parts.
#[derive(Clone, Debug)]
pub struct AcceptingGraph {
    /// The nodes and their events.
    pub graph: Graph,
    /// Which nodes are accepting.
    pub accepting: Vec<bool>,
    /// The part of each node.
    pub parts: Vec<Scc>,
}

impl AcceptingGraph {
    /// What an accepting cycle is called.
    pub const CYCLE: u32 = u32::MAX;

    /// Can an accepting node be reached that can reach itself? Plain reachability again: the judge of all searches.
    pub fn has_accepting_cycle(&self) -> bool {
        self.graph.reachable().nodes.into_iter().any(|node| self.accepting[node as usize] && self.reaches_itself(node))
    }

    fn reaches_itself(&self, node: u32) -> bool {
        let mut seen = HashSet::new();
        let mut todo = vec![node];
        while let Some(from) = todo.pop() {
            for &event in &self.graph.nodes[from as usize] {
                if let GraphEvent::To(next) = event
                    && seen.insert(next)
                {
                    todo.push(next);
                }
            }
        }
        seen.contains(&node)
    }

    /// Is this a path to a cycle and once around it, past an accepting node?
    pub fn is_lasso(&self, trace: &[u32], cycle_start: usize) -> bool {
        let mut nodes = vec![0];
        for &event in trace {
            let last = nodes.last().map_or(0, |&node: &u32| node as usize);
            match self.graph.nodes[last].get(event as usize) {
                Some(GraphEvent::To(next)) => nodes.push(*next),
                _ => return false,
            }
        }
        let Some(cycle) = nodes.get(cycle_start..) else {
            return false;
        };
        cycle.len() > 1 && cycle.first() == cycle.last() && cycle.iter().any(|&node| self.accepting[node as usize])
    }
}

impl StateSpace for AcceptingGraph {
    type Violation = u32;
    type Scratch = ();

    fn scratch(&self) {}

    fn fixed_words(&self) -> Option<usize> {
        self.graph.fixed_words()
    }

    fn word_bits(&self) -> &[u8] {
        self.graph.word_bits()
    }

    fn gave_up(&self) -> bool {
        self.graph.gave_up()
    }

    fn initial(&self) -> Result<Vec<Word>, u32> {
        self.graph.initial()
    }

    fn expand<V: Visit<u32>>(&self, state: &[Word], scratch: &mut (), visit: &mut V) -> ControlFlow<()> {
        self.graph.expand(state, scratch, visit)
    }
}

impl Accepting for AcceptingGraph {
    fn is_accepting(&self, state: &[Word]) -> bool {
        self.accepting[state[0] as usize]
    }

    fn scc(&self, state: &[Word]) -> Scc {
        self.parts[state[0] as usize]
    }

    fn cycle(&self) -> u32 {
        AcceptingGraph::CYCLE
    }
}

impl Observing for AcceptingGraph {
    fn system<'a>(&self, state: &'a [Word]) -> &'a [Word] {
        state
    }
}
