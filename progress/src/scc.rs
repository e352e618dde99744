//! Strongly connected components of a small graph, in topological order.
//!
//! The rank of a node is the number of its component when components are counted from those nothing leads into: along
//! an edge it never falls, and it stays only inside a component. So it is the finest monotone measure of a control-flow
//! graph (up to the order of components that do not reach one another).
//!
//! Tarjan, "Depth-First Search and Linear Graph Algorithms", SIAM J. Computing 1972; with a stack of its own.

/// The components of a graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Components {
    /// The rank of each node's component.
    pub rank: Vec<u32>,
    /// How many components there are.
    pub count: u32,
}

/// Finds the components of the graph with these successors.
pub fn components(successors: &[Vec<usize>]) -> Components {
    const NEW: usize = usize::MAX;
    let size = successors.len();
    let mut index = vec![NEW; size];
    let mut low = vec![0; size];
    let mut component = vec![u32::MAX; size];
    let (mut next_index, mut count) = (0, 0);
    let mut open = Vec::new();
    for root in 0..size {
        let mut path: Vec<(usize, usize)> = Vec::new();
        if index[root] == NEW {
            path.push((root, 0));
        }
        while let Some(&mut (node, ref mut tried)) = path.last_mut() {
            if *tried == 0 {
                index[node] = next_index;
                low[node] = next_index;
                next_index += 1;
                open.push(node);
            }
            let Some(&next) = successors[node].get(*tried) else {
                path.pop();
                if let Some(&(parent, _)) = path.last() {
                    low[parent] = low[parent].min(low[node]);
                }
                if low[node] == index[node] {
                    while let Some(member) = open.pop() {
                        component[member] = count;
                        if member == node {
                            break;
                        }
                    }
                    count += 1;
                }
                continue;
            };
            *tried += 1;
            if index[next] == NEW {
                path.push((next, 0));
            } else if component[next] == u32::MAX {
                low[node] = low[node].min(index[next]);
            }
        }
    }
    // Components are completed in reverse topological order.
    let rank = component.iter().map(|&component| count - 1 - component).collect();
    Components { rank, count }
}

/// For each node the most steps between components on a way to its own: like the rank it never falls, and it grows by no
/// more than it must, so that sums of levels of several graphs have few values.
pub fn levels(successors: &[Vec<usize>], components: &Components) -> Vec<u32> {
    let mut order: Vec<usize> = (0..successors.len()).collect();
    order.sort_by_key(|&node| components.rank[node]);
    let mut level = vec![0; components.count as usize];
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
        fn ranks_are_equal_in_components_and_rise_between_them(
            successors in (1..20usize).prop_flat_map(|size| {
                prop::collection::vec(prop::collection::vec(0..size, 0..4), size)
            })
        ) {
            let Components { rank, count } = components(&successors);
            let level = levels(&successors, &components(&successors));
            let reach = reaches(&successors);
            for from in 0..rank.len() {
                prop_assert!(rank[from] < count);
                for to in 0..rank.len() {
                    let same = reach[from][to] && reach[to][from];
                    prop_assert_eq!(rank[from] == rank[to], same);
                    prop_assert!(!reach[from][to] || rank[from] <= rank[to]);
                    prop_assert!(!reach[from][to] || level[from] + u32::from(!same) <= level[to]);
                }
            }
        }
    }

    #[test]
    fn a_long_chain_needs_no_deep_stack() {
        let successors: Vec<Vec<usize>> =
            (1..=1_000_000).map(|next| if next < 1_000_000 { vec![next] } else { vec![] }).collect();
        assert_eq!(components(&successors).count, 1_000_000);
    }
}
