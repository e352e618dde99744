//! Strongly connected components of a graph in memory, in topological order.
//!
//! Locations of a process, states of an automaton and states of a run are such graphs. The rank of a node is the number of
//! its component when components are counted from those that no edge leads into. It never decreases along an edge, and is
//! equal only inside a component: it is the finest monotone measure of the graph, up to the order of components that do
//! not reach each other.
//!
//! Tarjan, "Depth-First Search and Linear Graph Algorithms", SIAM J. Computing 1972; with an explicit stack.
//!
//! ```
//! // 0 -> 1 <-> 2 -> 3
//! let found = graph::components(&[vec![1], vec![2], vec![1, 3], vec![]]);
//! assert_eq!(found.rank, [0, 1, 1, 2]);
//! assert_eq!(found.cyclic, [false, true, false]);
//! ```

use std::ops::ControlFlow;

/// The components of a graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Components {
    /// The rank of each node's component.
    pub rank: Vec<u32>,
    /// The nodes of each component, by rank.
    pub members: Vec<Vec<usize>>,
    /// Whether a component has a cycle, by rank.
    pub cyclic: Vec<bool>,
}

impl Components {
    /// Whether a cycle leads through this node.
    pub fn is_on_cycle(&self, node: usize) -> bool {
        self.cyclic[self.rank[node] as usize]
    }
}

/// Finds the components of the graph with these successors.
pub fn components(successors: &[Vec<usize>]) -> Components {
    let size = successors.len();
    let mut members: Vec<Vec<usize>> = Vec::new();
    let successor = |node: u32, nth: usize| successors[node as usize].get(nth).map(|&next| Some(next as u32));
    let _ = visit(size, successor, |component| {
        members.push(component.iter().rev().map(|&node| node as usize).collect());
        ControlFlow::Continue(())
    });
    members.reverse();
    let mut rank = vec![0; size];
    for (number, component) in members.iter().enumerate() {
        component.iter().for_each(|&node| rank[node] = number as u32);
    }
    let cyclic = members.iter().map(|c| c.len() > 1 || successors[c[0]].contains(&c[0])).collect();
    Components { rank, members, cyclic }
}

/// The bytes that [`visit`] takes for each node, at most.
pub const VISIT_BYTES: usize = 2 * size_of::<u32>() + size_of::<bool>() + size_of::<u32>() + size_of::<(u32, usize)>();

/// Hands on the components one by one, each before those that lead to it, until `each` breaks. `successor` has the n-th edge
/// of a node: `None` if there are no more, `Some(None)` if it does not count.
pub fn visit(
    size: usize,
    successor: impl Fn(u32, usize) -> Option<Option<u32>>,
    mut each: impl FnMut(&[u32]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    const NEW: u32 = u32::MAX;
    let mut index = vec![NEW; size];
    let mut low = vec![0; size];
    let mut done = vec![false; size];
    let mut next_index = 0;
    let mut open: Vec<u32> = Vec::new();
    let mut path: Vec<(u32, usize)> = Vec::new();
    for root in 0..size as u32 {
        if index[root as usize] == NEW {
            path.push((root, 0));
        }
        while let Some(&mut (node, ref mut tried)) = path.last_mut() {
            let at = node as usize;
            if *tried == 0 {
                index[at] = next_index;
                low[at] = next_index;
                next_index += 1;
                open.push(node);
            }
            if let Some(next) = successor(node, *tried) {
                *tried += 1;
                match next {
                    Some(next) if index[next as usize] == NEW => path.push((next, 0)),
                    Some(next) if !done[next as usize] => low[at] = low[at].min(index[next as usize]),
                    _ => {}
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent as usize] = low[parent as usize].min(low[at]);
            }
            if low[at] == index[at] {
                let first = open.iter().rposition(|&member| member == node).unwrap_or(0);
                open[first..].iter().for_each(|&member| done[member as usize] = true);
                each(&open[first..])?;
                open.truncate(first);
            }
        }
    }
    ControlFlow::Continue(())
}

/// For each node the largest number of edges between components on a path to its own. Like the rank it never decreases
/// along an edge, and it grows by no more than it must, so that sums of levels of several graphs have few values.
pub fn levels(successors: &[Vec<usize>], components: &Components) -> Vec<u32> {
    let mut order: Vec<usize> = (0..successors.len()).collect();
    order.sort_by_key(|&node| components.rank[node]);
    let mut level = vec![0; components.members.len()];
    for node in order {
        let from = components.rank[node] as usize;
        for &next in &successors[node] {
            let to = components.rank[next] as usize;
            if to != from {
                level[to] = level[to].max(level[from] + 1);
            }
        }
    }
    components.rank.iter().map(|&rank| level[rank as usize]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// By depth-first searches from every node.
    fn reaches(successors: &[Vec<usize>]) -> Vec<Vec<bool>> {
        let size = successors.len();
        let mut reach = vec![vec![false; size]; size];
        for (node, row) in reach.iter_mut().enumerate() {
            let mut todo = vec![node];
            while let Some(node) = todo.pop() {
                if !std::mem::replace(&mut row[node], true) {
                    todo.extend(&successors[node]);
                }
            }
        }
        reach
    }

    proptest! {
        #[test]
        fn components_are_those_of_reachability(
            successors in (1..20usize).prop_flat_map(|size| {
                prop::collection::vec(prop::collection::vec(0..size, 0..4), size)
            })
        ) {
            let found = components(&successors);
            let reach = reaches(&successors);
            prop_assert_eq!(found.members.len(), found.cyclic.len());
            prop_assert_eq!(found.members.iter().map(Vec::len).sum::<usize>(), successors.len());
            for (from, &rank) in found.rank.iter().enumerate() {
                prop_assert!(found.members[rank as usize].contains(&from));
                prop_assert_eq!(found.is_on_cycle(from), successors[from].iter().any(|&next| reach[next][from]));
                for (to, &other) in found.rank.iter().enumerate() {
                    prop_assert_eq!(rank == other, reach[from][to] && reach[to][from]);
                    prop_assert!(!reach[from][to] || rank <= other);
                }
            }
        }

        #[test]
        fn levels_rise_between_components_and_are_equal_inside(
            successors in (1..20usize).prop_flat_map(|size| {
                prop::collection::vec(prop::collection::vec(0..size, 0..4), size)
            })
        ) {
            let found = components(&successors);
            let level = levels(&successors, &found);
            for (from, targets) in successors.iter().enumerate() {
                for &to in targets {
                    let is_inside = found.rank[from] == found.rank[to];
                    prop_assert!(level[from] + u32::from(!is_inside) <= level[to]);
                    prop_assert!(!is_inside || level[from] == level[to]);
                }
            }
        }
    }

    #[test]
    fn a_long_path_needs_no_deep_stack() {
        let graph: Vec<Vec<usize>> = (0..1_000_000).map(|n| vec![n + 1]).chain([vec![]]).collect();
        assert_eq!(components(&graph).members.len(), 1_000_001);
    }
}
