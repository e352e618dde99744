//! The progress graph: layers as nodes, with the steps between them. A layer that is in no cycle of layers with an
//! accepting one holds no state of an accepting cycle over several layers.
//!
//! Evangelista, Kristensen (see `ltl_sweep.rs`), section 5.2.

use std::collections::{HashMap, HashSet};

use crate::algorithm::cycles::step_graph::{Node, StepGraph};
use crate::measure::Progress;
use crate::meter::{Account, Meter};

/// The layers met until now.
#[derive(Default)]
pub(crate) struct ProgressGraph {
    layers: HashMap<Progress, Node>,
    /// Is there an accepting state in the layer?
    is_good: Vec<bool>,
    steps: HashSet<(Node, Node)>,
    /// The last step: most are like the one before.
    last: Option<(Progress, Progress)>,
    account: Account,
}

impl ProgressGraph {
    pub(crate) fn new(meter: &Meter) -> Self {
        ProgressGraph { account: meter.account(), ..ProgressGraph::default() }
    }

    /// There is a step between layers, from a state that may be good.
    #[inline]
    pub(crate) fn add(&mut self, from: Progress, to: Progress, is_good: impl FnOnce() -> bool) {
        let node = self.node(from);
        let is_known = self.is_good[node.0 as usize];
        self.is_good[node.0 as usize] = is_known || is_good();
        if from != to && self.last != Some((from, to)) {
            self.last = Some((from, to));
            let target = self.node(to);
            self.steps.insert((node, target));
        }
    }

    fn node(&mut self, layer: Progress) -> Node {
        let next = Node(self.layers.len() as u32);
        let node = *self.layers.entry(layer).or_insert(next);
        if node == next {
            self.is_good.push(false);
        }
        node
    }

    /// The layers where cycles over several of them can be.
    pub(crate) fn useful(&self) -> HashSet<Progress> {
        let mut steps: Vec<(Node, Node)> = self.steps.iter().copied().collect();
        steps.sort_unstable();
        let mut graph = StepGraph::default();
        let mut source = None;
        for (from, to) in steps {
            if source != Some(from) {
                source = Some(from);
                graph.begin(from, self.is_good[from.0 as usize]);
            }
            graph.step(to);
        }
        let useful: HashSet<Node> = graph.good_components().into_iter().collect();
        self.layers.iter().filter(|(_, node)| useful.contains(node)).map(|(&layer, _)| layer).collect()
    }

    /// Counts the memory again: steps may have been added.
    pub(crate) fn count(&mut self) {
        self.account.set(
            self.layers.capacity() * (size_of::<(Progress, Node)>() + 1)
                + self.is_good.capacity()
                + self.steps.capacity() * (size_of::<(Node, Node)>() + 1),
        );
    }
}
