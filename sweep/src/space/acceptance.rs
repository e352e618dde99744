//! State spaces in which a cycle can be a violation: products of a system with the automaton of a property.
//!
//! A run is a violation if it visits accepting states infinitely often. Every cycle lies inside one strongly connected
//! component of the automaton, and no step leads back to an earlier one, so each component is searched as its strength
//! requires.
//! Bloem, Ravi, Somenzi, "Efficient Decision Procedures for Model Checking of Linear Time Logic Properties", CAV 1999.

use statespace::{StateSpace, Word};

use crate::measure::{Measure, Progress};

/// What the cycles inside a component of the automaton are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Strength {
    /// No cycle is accepting: there is none, or none has an accepting state.
    Rejecting,
    /// Every cycle is accepting.
    Weak,
    /// Some may be: each must be looked at.
    Strong,
}

/// A strongly connected component of the automaton.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Scc {
    /// Its place in a topological order: along a step the rank stays or grows.
    pub rank: u32,
    /// What its cycles are.
    pub strength: Strength,
}

/// A state space with accepting states.
pub trait Accepting: StateSpace {
    /// Is a cycle through this state a violation?
    fn is_accepting(&self, state: &[Word]) -> bool;

    /// The component of the automaton that this state is in.
    fn scc(&self, state: &[Word]) -> Scc;

    /// What an accepting cycle is called.
    fn cycle(&self) -> Self::Violation;
}

/// A state space with accepting states in whose states those of a system stand as they are.
pub trait Observing: Accepting {
    /// The words of the system alone, for measures that know nothing of the automaton.
    fn system<'a>(&self, state: &'a [Word]) -> &'a [Word];
}

/// A measure of the system, and the rank of the automaton's component as its last monotone component.
///
/// The progress of the system comes first, so that the roots of later components are swept with the layer they were met in
/// and need not wait until the earlier components are done everywhere.
pub struct WithRank<'a, S, M> {
    /// The product.
    pub space: &'a S,
    /// The measure of the system.
    pub measure: &'a mut M,
}

/// The bits of a progress that hold the rank: a measure of the system should leave this many free.
pub const RANK_BITS: u32 = 16;
/// Components that come later share a column; that is as correct, and there are none in practice.
pub(crate) const LAST_RANK: u32 = (1 << RANK_BITS) - 1;

impl<S: Observing, M: Measure> Measure for WithRank<'_, S, M> {
    fn has_one_layer(&self) -> bool {
        false
    }

    #[inline]
    fn of(&self, state: &[Word]) -> Progress {
        let Progress(progress) = self.measure.of(self.space.system(state));
        let rank = self.space.scc(state).rank.min(LAST_RANK);
        let layer_bits = self.layer_bits();
        let layer = progress & ((1 << layer_bits) - 1);
        // What does not fit is left out, but never the rank: the states of a layer are in one component.
        let column = progress.checked_shr(self.measure.layer_bits()).unwrap_or(0) << RANK_BITS | u128::from(rank);
        Progress(column << layer_bits | layer)
    }

    #[inline]
    fn layer_bits(&self) -> u32 {
        self.measure.layer_bits().min(u128::BITS - RANK_BITS)
    }

    fn demote(&mut self, from: &[Word], to: &[Word]) -> Vec<crate::measure::ComponentId> {
        self.measure.demote(self.space.system(from), self.space.system(to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{AcceptingGraph, Graph, GraphMeasure};

    /// However wide a measure is: a layer that mixes components would be searched as if it were in one of them.
    #[test]
    fn states_of_one_progress_are_in_one_component() {
        for (columns, layers) in [(0, 0), (1, 1), (8, 0), (0, 8), (7, 1), (1, 7)] {
            let claims = std::iter::repeat_n(true, columns).chain(std::iter::repeat_n(false, layers));
            let mut measure = GraphMeasure { components: claims.map(|claim| (claim, vec![u16::MAX; 3])).collect() };
            let parts = [0, 7, u32::MAX].map(|rank| Scc { rank, strength: Strength::Weak }).to_vec();
            let graph = Graph { nodes: vec![Vec::new(); 3], variable: false };
            let space = AcceptingGraph { graph, accepting: vec![false; 3], parts };
            let ranked = WithRank { space: &space, measure: &mut measure };
            let [first, second, last] = [0, 1, 2].map(|node| ranked.of(&[node]));
            assert!(first < second && second < last);
            let column = |at: Progress| at.0 >> ranked.layer_bits();
            assert!(column(first) < column(second) && column(second) < column(last));
        }
    }
}
