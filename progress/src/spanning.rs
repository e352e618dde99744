//! An order of the nodes of a graph by a depth-first spanning tree.
//!
//! The rank of a node is its place in reverse postorder: every edge rises but those that close a cycle of the search
//! (*back edges*). An order of the tree alone would let edges between its branches fall as well.

/// The rank of each node, searching from `start`. Nodes that cannot be reached have rank 0, as `start` has.
pub fn ranks(successors: &[Vec<usize>], start: usize) -> Vec<u32> {
    let mut seen = vec![false; successors.len()];
    let mut finished = Vec::new();
    let mut path = vec![(start, 0)];
    seen[start] = true;
    while let Some(&mut (node, ref mut tried)) = path.last_mut() {
        match successors[node].get(*tried) {
            None => {
                finished.push(node);
                path.pop();
            }
            Some(&next) => {
                *tried += 1;
                if !std::mem::replace(&mut seen[next], true) {
                    path.push((next, 0));
                }
            }
        }
    }
    let mut rank = vec![0; successors.len()];
    for (place, &node) in (0..).zip(finished.iter().rev()) {
        rank[node] = place;
    }
    rank
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_edges_that_close_a_cycle_fall() {
        // 0 → 1 → 2 → 0, and 0 → 2: one back edge.
        let rank = ranks(&[vec![1, 2], vec![2], vec![0], vec![0]], 0);
        assert_eq!(rank, [0, 1, 2, 0]);
    }

    #[test]
    fn branches_are_ordered() {
        // A diamond with a step between its branches.
        let successors = [vec![2, 1], vec![3], vec![1, 3], vec![]];
        let rank = ranks(&successors, 0);
        for (from, nexts) in successors.iter().enumerate() {
            for &to in nexts {
                assert!(rank[from] < rank[to], "{from} {to}");
            }
        }
    }
}
