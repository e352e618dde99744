//! The steps among states that are stored or were: a graph of numbers, kept while the states themselves are deleted.
//!
//! A node is one visit of a state: it is stored, expanded once, and deleted; a state that is met again after that is a
//! new node. Every path of the system is a path of this graph, and vice versa, so a finite graph of visits has an
//! accepting cycle if and only if the states have one.
//! A record is a byte that says whether the node is good, and for each step the distance to its target, small distances
//! in one byte; some three bytes a step. Cycles are found with the algorithm of Tarjan ("Depth-First Search and Linear
//! Graph Algorithms", SIAM J. Comput. 1972), on a stack of its own.
//! Invariant: without a step to a node with the same or a smaller number there is no cycle, and nothing is searched.

use std::collections::{HashMap, VecDeque};

use crate::control::{Control, End};
use crate::meter::Meter;
use crate::observer::Observer;
use crate::store::metered::MeteredVec;

/// A visit of a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Node(pub(crate) u32);

/// A cycle: where it begins, and which of its recorded steps each node on it takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Cycle {
    pub(crate) start: Node,
    pub(crate) steps: Vec<u32>,
}

/// Searches are put off until this many nodes have records.
const FIRST_SEARCH: u32 = 1 << 12;
/// A graph is searched again when it has this many times the records of the last time.
const SEARCH_AGAIN: u32 = 3;
/// The most bytes of records: their places must fit into 32 bits.
const MOST_BYTES: usize = u32::MAX as usize - 64;

/// The graph.
#[derive(Default)]
pub(crate) struct StepGraph {
    /// Where the record of each node begins, plus one; 0 if it has none.
    starts: MeteredVec<u32>,
    records: MeteredVec<u8>,
    /// The node whose record is being written.
    open: Option<Node>,
    /// How many nodes have a record.
    sources: u32,
    /// Does a step lead back, in the order of numbers?
    leads_back: bool,
    /// At how many sources to search next.
    search_at: u32,
}

impl StepGraph {
    pub(crate) fn new(meter: &Meter) -> Self {
        let (starts, records) = (MeteredVec::new(meter), MeteredVec::new(meter));
        StepGraph { starts, records, search_at: FIRST_SEARCH, ..StepGraph::default() }
    }

    pub(crate) fn clear(&mut self) {
        self.starts.clear();
        self.records.clear();
        (self.open, self.sources, self.leads_back, self.search_at) = (None, 0, false, FIRST_SEARCH);
    }

    /// Makes room for this many steps, each with a record of its own, if no node is larger than `last` and if that is
    /// allowed.
    pub(crate) fn room_for<V: Copy + PartialEq, O: Observer>(
        &mut self,
        steps: usize,
        last: u64,
        control: &mut Control<'_, V, O>,
    ) -> Result<(), End> {
        let nodes = (last as usize + 1).saturating_sub(self.starts.len());
        self.starts.room_for(nodes, control)?;
        self.records.room_for(7 * steps, control)
    }

    /// Bytes that a search allocates, at most.
    pub(crate) fn search_bytes(&self) -> usize {
        self.starts.len() * (2 * size_of::<u32>() + size_of::<Frame>())
    }

    /// Is there no room for this many steps more?
    pub(crate) fn is_full(&self, steps: usize) -> bool {
        self.records.len() + 7 * steps > MOST_BYTES
    }

    /// The next steps are those of this node, which had none until now; a cycle through a good node is wanted.
    pub(crate) fn begin(&mut self, node: Node, is_good: bool) {
        self.close();
        self.extend_to(node);
        self.starts[node.0 as usize] = self.records.len() as u32 + 1;
        self.records.push(u8::from(is_good));
        self.open = Some(node);
        self.sources += 1;
    }

    /// A step of the present node.
    #[inline]
    pub(crate) fn step(&mut self, target: Node) {
        let Some(source) = self.open else {
            return;
        };
        self.leads_back |= target <= source;
        let distance = i64::from(target.0) - i64::from(source.0);
        // 0 ends a record; then forwards and backwards in turn.
        let mut code = (distance << 1 ^ distance >> 63) as u64 + 1;
        while code >= 0x80 {
            self.records.push(code as u8 | 0x80);
            code >>= 7;
        }
        self.records.push(code as u8);
    }

    fn close(&mut self) {
        if self.open.take().is_some() {
            self.records.push(0);
        }
    }

    fn extend_to(&mut self, node: Node) {
        if self.starts.len() <= node.0 as usize {
            self.starts.resize(node.0 as usize + 1, 0);
        }
    }

    /// Has the graph grown so much that a search now costs little in comparison?
    #[inline]
    pub(crate) fn is_due(&self) -> bool {
        self.leads_back && self.sources >= self.search_at
    }

    /// Can there be a cycle?
    pub(crate) fn may_close(&self) -> bool {
        self.leads_back
    }

    /// A short cycle through a good node, if there is one.
    pub(crate) fn good_cycle(&mut self) -> Option<Cycle> {
        self.close();
        self.search_at = self.sources.saturating_mul(SEARCH_AGAIN).max(FIRST_SEARCH);
        let mut start = None;
        Components::new(self).all(|component| {
            start = component.iter().find(|(_, is_good)| *is_good).map(|&(node, _)| node);
            start.is_none()
        });
        start.map(|start| Cycle { start, steps: self.path_around(start) })
    }

    /// All nodes of components that have a cycle through a good node.
    pub(crate) fn good_components(&mut self) -> Vec<Node> {
        self.close();
        let mut nodes = Vec::new();
        Components::new(self).all(|component| {
            if component.iter().any(|(_, is_good)| *is_good) {
                nodes.extend(component.iter().map(|&(node, _)| node));
            }
            true
        });
        nodes
    }

    /// The steps of a node and whether it is good.
    fn record(&self, node: Node) -> (bool, Steps) {
        match self.starts.get(node.0 as usize) {
            None | Some(0) => (false, Steps { at: usize::MAX }),
            Some(&start) => (self.records[start as usize - 1] != 0, Steps { at: start as usize }),
        }
    }

    /// A shortest path from a node back to it; there is one.
    fn path_around(&self, start: Node) -> Vec<u32> {
        let mut reached: HashMap<Node, (Node, u32)> = HashMap::new();
        let mut queue = VecDeque::from([start]);
        while let Some(node) = queue.pop_front() {
            let (_, mut steps) = self.record(node);
            for nth in 0.. {
                let Some(target) = steps.next(self, node) else {
                    break;
                };
                if let std::collections::hash_map::Entry::Vacant(vacant) = reached.entry(target) {
                    vacant.insert((node, nth));
                    queue.push_back(target);
                }
            }
            if reached.contains_key(&start) {
                break;
            }
        }
        let mut path = Vec::new();
        let mut node = start;
        while let Some(&(before, nth)) = reached.get(&node) {
            path.push(nth);
            node = before;
            if node == start {
                break;
            }
        }
        path.reverse();
        path
    }
}

/// The steps of a record that are not read yet.
#[derive(Clone, Copy)]
struct Steps {
    at: usize,
}

impl Steps {
    #[inline]
    fn next(&mut self, graph: &StepGraph, source: Node) -> Option<Node> {
        let mut code = 0u64;
        let mut shift = 0;
        loop {
            let byte = *graph.records.get(self.at)?;
            code |= u64::from(byte & 0x7F) << shift;
            if code == 0 && byte == 0 {
                return None;
            }
            self.at += 1;
            if byte < 0x80 {
                break;
            }
            shift += 7;
        }
        let code = code - 1;
        let distance = (code >> 1) as i64 ^ -((code & 1) as i64);
        Some(Node((i64::from(source.0) + distance) as u32))
    }
}

/// A node on the path of the search.
struct Frame {
    node: Node,
    /// The least index that can be reached from it over the path.
    low: u32,
    steps: Steps,
    has_loop: bool,
}

/// Tarjan's algorithm at work.
struct Components<'a> {
    graph: &'a StepGraph,
    /// In which order nodes were met, from 1; 0 if not yet, `DONE` if their component is known.
    index: Vec<u32>,
    next_index: u32,
    path: Vec<Frame>,
    /// The nodes whose component is not known; of each, whether it is good.
    open: Vec<(Node, bool)>,
}

const DONE: u32 = u32::MAX;

impl<'a> Components<'a> {
    fn new(graph: &'a StepGraph) -> Self {
        Components { graph, index: vec![0; graph.starts.len()], next_index: 0, path: Vec::new(), open: Vec::new() }
    }

    /// Finds all components that have a cycle, and hands them on as long as more are wanted.
    fn all(&mut self, mut wants_more: impl FnMut(&[(Node, bool)]) -> bool) {
        for root in 0..self.index.len() as u32 {
            if self.index[root as usize] != 0 || self.graph.starts[root as usize] == 0 {
                continue;
            }
            self.enter(Node(root));
            while let Some(frame) = self.path.last_mut() {
                let Some(target) = frame.steps.next(self.graph, frame.node) else {
                    if !self.leave(&mut wants_more) {
                        return;
                    }
                    continue;
                };
                frame.has_loop |= target == frame.node;
                match self.index.get(target.0 as usize) {
                    Some(0) => self.enter(target),
                    // A node without steps is on no cycle.
                    None | Some(&DONE) => {}
                    Some(&index) => frame.low = frame.low.min(index),
                }
            }
        }
    }

    fn enter(&mut self, node: Node) {
        let (is_good, steps) = self.graph.record(node);
        self.next_index += 1;
        self.index[node.0 as usize] = self.next_index;
        self.open.push((node, is_good));
        self.path.push(Frame { node, low: self.next_index, steps, has_loop: false });
    }

    /// Ends the visit of the node at the end of the path. If it was the first of a component with a cycle, that is handed
    /// on. Is more wanted?
    fn leave(&mut self, wants_more: &mut impl FnMut(&[(Node, bool)]) -> bool) -> bool {
        let Some(frame) = self.path.pop() else {
            return true;
        };
        let own = self.index[frame.node.0 as usize];
        if frame.low < own {
            if let Some(parent) = self.path.last_mut() {
                parent.low = parent.low.min(frame.low);
            }
            return true;
        }
        let first = self.open.iter().rposition(|&(node, _)| node == frame.node).unwrap_or(0);
        for (node, _) in &self.open[first..] {
            self.index[node.0 as usize] = DONE;
        }
        let has_cycle = frame.has_loop || self.open.len() - first > 1;
        let wants_more = !has_cycle || wants_more(&self.open[first..]);
        self.open.truncate(first);
        wants_more
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn graph(nodes: &[(bool, Vec<u32>)]) -> StepGraph {
        let mut graph = StepGraph::default();
        graph.clear();
        for (number, (is_good, steps)) in (0..).zip(nodes) {
            graph.begin(Node(number), *is_good);
            for &target in steps {
                graph.step(Node(target));
            }
        }
        graph
    }

    /// Can `to` be reached from `from` in one step or more?
    fn reaches(nodes: &[(bool, Vec<u32>)], from: u32, to: u32) -> bool {
        let mut seen = vec![false; nodes.len()];
        let mut todo = vec![from];
        while let Some(node) = todo.pop() {
            for &next in &nodes[node as usize].1 {
                if !std::mem::replace(&mut seen[next as usize], true) {
                    todo.push(next);
                }
            }
        }
        seen[to as usize]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        #[test]
        fn a_cycle_is_found_if_there_is_one(
            nodes in (1..30u32).prop_flat_map(|size| {
                let steps = prop::collection::vec(0..size, 0..4);
                prop::collection::vec((prop::bool::weighted(0.2), steps), size as usize)
            })
        ) {
            let mut steps = graph(&nodes);
            let is_on_cycle = |node: u32| nodes[node as usize].0 && reaches(&nodes, node, node);
            let expected = (0..nodes.len() as u32).any(is_on_cycle);
            let found = steps.good_cycle();
            prop_assert_eq!(found.is_some(), expected);
            prop_assert!(!expected || steps.may_close());
            if let Some(cycle) = found {
                prop_assert!(nodes[cycle.start.0 as usize].0);
                prop_assert!(!cycle.steps.is_empty());
                let mut node = cycle.start.0;
                for nth in cycle.steps {
                    node = nodes[node as usize].1[nth as usize];
                }
                prop_assert_eq!(node, cycle.start.0);
            }
        }
    }

    #[test]
    fn far_targets_are_kept() {
        let mut graph = StepGraph::default();
        graph.begin(Node(3), true);
        graph.step(Node(u32::MAX));
        graph.step(Node(0));
        graph.step(Node(3));
        graph.begin(Node(70_000), false);
        graph.step(Node(3));
        let (is_good, mut steps) = graph.record(Node(3));
        assert!(is_good);
        assert_eq!(steps.next(&graph, Node(3)), Some(Node(u32::MAX)));
        assert_eq!(steps.next(&graph, Node(3)), Some(Node(0)));
        assert_eq!(steps.next(&graph, Node(3)), Some(Node(3)));
        assert_eq!(steps.next(&graph, Node(3)), None);
        assert_eq!(graph.good_cycle(), Some(Cycle { start: Node(3), steps: vec![2] }));
    }
}
