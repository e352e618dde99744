//! Strongly connected components of a small graph, in topological order.
//!
//! The rank of a node is the number of its component, counted from those nothing leads into: along an edge it never
//! falls, and it stays only inside a component.
//!
//! Tarjan, "Depth-First Search and Linear Graph Algorithms", SIAM J. Computing 1972; with a stack of its own.

/// The components of a graph.
#[derive(Clone, Debug)]
pub(crate) struct Components {
    /// The rank of each node's component.
    pub rank: Vec<u32>,
    /// The nodes of each component, by rank.
    pub members: Vec<Vec<usize>>,
    /// Whether a component has a cycle, by rank.
    pub cyclic: Vec<bool>,
}

/// Finds the components of the graph with these successors.
pub(crate) fn components(successors: &[Vec<usize>]) -> Components {
    const NEW: usize = usize::MAX;
    let size = successors.len();
    let mut index = vec![NEW; size];
    let mut low = vec![0; size];
    let mut done = vec![false; size];
    let mut next_index = 0;
    let mut open = Vec::new();
    let mut members: Vec<Vec<usize>> = Vec::new();
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
            if let Some(&next) = successors[node].get(*tried) {
                *tried += 1;
                if index[next] == NEW {
                    path.push((next, 0));
                } else if !done[next] {
                    low[node] = low[node].min(index[next]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == index[node] {
                let mut component = Vec::new();
                while let Some(member) = open.pop() {
                    done[member] = true;
                    component.push(member);
                    if member == node {
                        break;
                    }
                }
                members.push(component);
            }
        }
    }
    members.reverse();
    let mut rank = vec![0; size];
    for (number, component) in members.iter().enumerate() {
        component.iter().for_each(|&node| rank[node] = number as u32);
    }
    let cyclic = members.iter().map(|c| c.len() > 1 || successors[c[0]].contains(&c[0])).collect();
    Components { rank, members, cyclic }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_rise_along_edges_between_components() {
        let graph = vec![vec![1], vec![2], vec![1, 3], vec![3], vec![0]];
        let found = components(&graph);
        assert_eq!(found.rank, vec![1, 2, 2, 3, 0]);
        assert_eq!(found.cyclic, vec![false, false, true, true]);
    }

    #[test]
    fn a_long_path_needs_no_stack() {
        let graph: Vec<Vec<usize>> = (0..200_000).map(|n| vec![n + 1]).chain([vec![]]).collect();
        assert_eq!(components(&graph).members.len(), 200_001);
    }
}
