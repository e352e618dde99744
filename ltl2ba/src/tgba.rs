//! Automata with promises on their edges: transition-based generalised Büchi automata, in the dual reading.
//!
//! Between two states there is at most one edge. Its label is a function of the propositions and of the promises: it says
//! which letters can be read while making which promises. To make more promises than needed is always allowed, so labels
//! are monotone in the promises. A run is accepted if no promise is made forever: for each there are infinitely many
//! steps that do not make it. (The acceptance set of a promise consists of the steps without it.)
//!
//! Many sets with one label each would take one edge per subset; so they take one.

use crate::bdd::{Bdd, Bdds, Var};
use graph::{Components, components};

/// An edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Arrow {
    pub target: usize,
    pub label: Bdd,
}

/// The automaton. State 0 is the initial one.
#[derive(Clone, Debug)]
pub(crate) struct Tgba {
    /// At most one to each state, sorted by target, no label is false.
    pub edges: Vec<Vec<Arrow>>,
    pub promises: Vec<Var>,
}

impl Tgba {
    pub(crate) fn components(&self) -> Components {
        components(&self.successors())
    }

    pub(crate) fn successors(&self) -> Vec<Vec<usize>> {
        self.edges.iter().map(|edges| edges.iter().map(|edge| edge.target).collect()).collect()
    }

    /// Sorts the edges of each state and merges those with the same target.
    pub(crate) fn merge_edges(&mut self, bdds: &mut Bdds) {
        for edges in &mut self.edges {
            edges.sort_by_key(|edge| edge.target);
            let mut joined: Vec<Arrow> = Vec::new();
            for &edge in edges.iter().filter(|edge| !edge.label.is_false()) {
                match joined.last_mut() {
                    Some(last) if last.target == edge.target => last.label = bdds.or(last.label, edge.label),
                    _ => joined.push(edge),
                }
            }
            *edges = joined;
        }
    }

    /// Keeps the states that are wanted and reachable through such; the initial one always. Returns where each state
    /// went.
    pub(crate) fn keep(&mut self, wanted: &[bool]) -> Vec<Option<usize>> {
        let mut place: Vec<Option<usize>> = vec![None; self.edges.len()];
        place[0] = Some(0);
        let mut order = vec![0];
        let mut next = 0;
        while let Some(&state) = order.get(next) {
            next += 1;
            for edge in &self.edges[state] {
                if wanted[edge.target] && place[edge.target].is_none() {
                    place[edge.target] = Some(order.len());
                    order.push(edge.target);
                }
            }
        }
        let moved = |&state: &usize| {
            let kept = self.edges[state].iter().filter(|edge| wanted[edge.target]);
            let mut edges: Vec<Arrow> =
                kept.filter_map(|edge| Some(Arrow { target: place[edge.target]?, ..*edge })).collect();
            edges.sort_by_key(|edge| edge.target);
            edges
        };
        self.edges = order.iter().map(moved).collect();
        place
    }
}

/// The label with all promises allowed: a function of the letters.
pub(crate) fn letters(bdds: &mut Bdds, label: Bdd, promises: &[Var]) -> Bdd {
    promises.iter().fold(label, |label, &promise| bdds.cofactor(label, promise, true))
}

/// The least label above this one that is monotone in the promises.
pub(crate) fn with_more_promises(label: Bdd, promises: &[Var], bdds: &mut Bdds) -> Bdd {
    promises.iter().fold(label, |label, &promise| {
        let (without, made) = (bdds.cofactor(label, promise, false), bdds.var(promise));
        let made = bdds.and(made, without);
        bdds.or(label, made)
    })
}
