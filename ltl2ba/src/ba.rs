//! Automata with accepting states, as they are worked on: labels are functions of letters.

use crate::bdd::{Bdds, Var};
use crate::simulate::has_choice;
use crate::tgba::{Arrow, Tgba};
use graph::components;

/// The automaton. State 0 is the initial one; at most one edge leads from a state to another.
#[derive(Clone, Debug)]
pub(crate) struct Ba {
    pub accepting: Vec<bool>,
    pub edges: Vec<Vec<Arrow>>,
}

impl Ba {
    pub(crate) fn state_count(&self) -> usize {
        self.edges.len()
    }

    pub(crate) fn edge_count(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    pub(crate) fn successors(&self) -> Vec<Vec<usize>> {
        self.edges.iter().map(|edges| edges.iter().map(|edge| edge.target).collect()).collect()
    }

    /// How many states have two edges for the same letter.
    pub(crate) fn choices(&self, bdds: &mut Bdds) -> usize {
        self.edges.iter().filter(|edges| has_choice(edges, &[], bdds)).count()
    }

    /// The same with one promise, made by all steps of states that are not accepting.
    pub(crate) fn with_promise(&self, promise: Var, bdds: &mut Bdds) -> Tgba {
        let made = bdds.var(promise);
        let mut edges = self.edges.clone();
        for (edges, _) in edges.iter_mut().zip(&self.accepting).filter(|(_, accepting)| !**accepting) {
            edges.iter_mut().for_each(|edge| edge.label = bdds.and(edge.label, made));
        }
        Tgba { edges, promises: vec![promise] }
    }

    /// The inverse of [`Ba::with_promise`].
    pub(crate) fn of_promise(tgba: &Tgba, bdds: &mut Bdds) -> Self {
        let promise = tgba.promises[0];
        let mut ba = Ba { accepting: Vec::new(), edges: tgba.edges.clone() };
        for edges in &mut ba.edges {
            ba.accepting.push(edges.iter().any(|edge| !bdds.cofactor(edge.label, promise, false).is_false()));
            edges.iter_mut().for_each(|edge| edge.label = bdds.cofactor(edge.label, promise, true));
        }
        ba
    }

    /// Makes accepting exactly the states of components in which all cycles are, and of others those that were; states
    /// that are on no accepting cycle are not.
    pub(crate) fn settle(&mut self) {
        let found = components(&self.successors());
        let quiet: Vec<Vec<usize>> = (0..self.edges.len())
            .map(|state| {
                let free = |to: &usize| !self.accepting[state] && !self.accepting[*to];
                self.edges[state].iter().map(|edge| edge.target).filter(free).collect()
            })
            .collect();
        let quiet = components(&quiet);
        for (rank, members) in found.members.iter().enumerate() {
            let some = found.cyclic[rank] && members.iter().any(|&state| self.accepting[state]);
            let all = some && !members.iter().any(|&state| quiet.cyclic[quiet.rank[state] as usize]);
            members.iter().for_each(|&state| self.accepting[state] = some && (all || self.accepting[state]));
        }
    }

    /// The part of an automaton that is reachable from `first`, which becomes state 0.
    pub(crate) fn reachable(&self, first: usize) -> Ba {
        let mut place = vec![usize::MAX; self.edges.len()];
        place[first] = 0;
        let mut order = vec![first];
        let mut next = 0;
        while let Some(&state) = order.get(next) {
            next += 1;
            for edge in &self.edges[state] {
                if place[edge.target] == usize::MAX {
                    place[edge.target] = order.len();
                    order.push(edge.target);
                }
            }
        }
        let moved = |&state: &usize| {
            let mut edges: Vec<Arrow> =
                self.edges[state].iter().map(|edge| Arrow { target: place[edge.target], ..*edge }).collect();
            edges.sort_by_key(|edge| edge.target);
            edges
        };
        Ba {
            accepting: order.iter().map(|&state| self.accepting[state]).collect(),
            edges: order.iter().map(moved).collect(),
        }
    }

    /// Removes the states from which no accepting cycle can be reached.
    pub(crate) fn remove_useless(&mut self) {
        let found = components(&self.successors());
        let mut useful = vec![false; self.edges.len()];
        for (rank, members) in found.members.iter().enumerate().rev() {
            let accepts = found.cyclic[rank] && members.iter().any(|&state| self.accepting[state]);
            if accepts || members.iter().any(|&state| self.edges[state].iter().any(|edge| useful[edge.target])) {
                members.iter().for_each(|&state| useful[state] = true);
            }
        }
        self.edges.iter_mut().for_each(|edges| edges.retain(|edge| useful[edge.target]));
        *self = self.reachable(0);
    }
}
