//! Büchi automata: the product of this crate.
//!
//! A run is accepted if it visits accepting states infinitely often. There is at most one edge between two states; its guard is a
//! disjunction of cubes. Every state is reachable and, unless the language is empty, begins an accepted run.
//!
//! What a checker needs for each state is computed once, by [`Buchi::new`]: the rank of its component and what kind of
//! cycles the component has. Bloem, Ravi, Somenzi, "Efficient decision procedures for model checking of linear
//! time logic properties", CAV 1999; Černá, Pelánek, "Relating hierarchy of temporal properties to model checking",
//! MFCS 2003.

use std::fmt;

use crate::lasso::Lasso;
use graph::{Components, components};

/// A state of a [`Buchi`]. Prints as `s7`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub u32);

impl StateId {
    /// As an index of tables of states.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for StateId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{}", self.0)
    }
}

/// A conjunction of propositions and negated propositions. Bit n of a mask stands for the proposition n.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cube {
    /// What must hold.
    pub positive: u64,
    /// What must not hold.
    pub negative: u64,
}

impl Cube {
    /// Whether a valuation satisfies it.
    pub fn holds(self, valuation: u64) -> bool {
        self.positive & !valuation == 0 && self.negative & valuation == 0
    }
}

/// A disjunction of cubes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Guard {
    /// No cube is `false`, an empty cube is `true`.
    pub cubes: Vec<Cube>,
}

impl Guard {
    /// Whether a valuation satisfies it: bit n says whether the proposition n holds.
    pub fn holds(&self, valuation: u64) -> bool {
        self.cubes.iter().any(|cube| cube.holds(valuation))
    }

    /// Whether every valuation satisfies it, seen from its form.
    pub fn is_true(&self) -> bool {
        self.cubes.contains(&Cube::default())
    }
}

/// An edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// Which letters it reads.
    pub guard: Guard,
    /// Where it leads.
    pub target: StateId,
}

/// The cycles of a component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strength {
    /// No cycle, or none with an accepting state.
    Rejecting,
    /// Every cycle has an accepting state.
    Weak,
    /// Cycles with and without.
    Strong,
}

/// Properties of a formula's automaton.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Traits {
    /// No state has two edges for the same letter.
    pub deterministic: bool,
    /// Every state has an edge for every letter.
    pub complete: bool,
    /// Words that differ only in how often letters are repeated are either all accepted or all rejected.
    pub stutter_invariant: bool,
}

/// A Büchi automaton.
#[derive(Clone, Debug)]
pub struct Buchi {
    initial: StateId,
    accepting: Vec<bool>,
    edges: Vec<Vec<Edge>>,
    components: Components,
    strength: Vec<Strength>,
    terminal: Vec<bool>,
    traits: Traits,
}

impl Buchi {
    /// The automaton with these states, of which 0 is the initial one. `complete` says of each state whether it has an
    /// edge for every letter.
    pub(crate) fn new(accepting: Vec<bool>, edges: Vec<Vec<Edge>>, complete: &[bool], mut traits: Traits) -> Self {
        let successors: Vec<Vec<usize>> =
            edges.iter().map(|edges| edges.iter().map(|edge| edge.target.index()).collect()).collect();
        let components = components(&successors);
        let strength = strengths(&components, &successors, &accepting);
        traits.complete = complete.iter().all(|&complete| complete);
        let terminal = (0..components.members.len())
            .map(|rank| {
                strength[rank] == Strength::Weak
                    && components.members[rank].iter().all(|&state| {
                        complete[state] && successors[state].iter().all(|&to| components.rank[to] == rank as u32)
                    })
            })
            .collect();
        Buchi { initial: StateId(0), accepting, edges, components, strength, terminal, traits }
    }

    /// The initial state.
    pub fn initial(&self) -> StateId {
        self.initial
    }

    /// How many states there are; at least one.
    pub fn state_count(&self) -> usize {
        self.accepting.len()
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    /// All states.
    pub fn states(&self) -> impl Iterator<Item = StateId> + use<> {
        (0..self.accepting.len() as u32).map(StateId)
    }

    /// Whether no word is accepted. The automaton is then a state without edges.
    pub fn is_empty(&self) -> bool {
        self.edges[self.initial.index()].is_empty()
    }

    /// Whether every word is accepted, as far as the first state shows it.
    pub fn is_universal(&self) -> bool {
        self.is_terminal(self.initial)
    }

    /// Whether a state is accepting.
    pub fn is_accepting(&self, state: StateId) -> bool {
        self.accepting[state.index()]
    }

    /// The edges of a state.
    pub fn edges(&self, state: StateId) -> &[Edge] {
        &self.edges[state.index()]
    }

    /// The rank of a state's component. It never decreases along an edge, and is equal only inside a component.
    pub fn rank(&self, state: StateId) -> u32 {
        self.components.rank[state.index()]
    }

    /// How many ranks there are.
    pub fn rank_count(&self) -> u32 {
        self.components.members.len() as u32
    }

    /// What kind of cycles a state's component has.
    pub fn strength(&self, state: StateId) -> Strength {
        self.strength[self.rank(state) as usize]
    }

    /// Whether every word is accepted from here on: all cycles of the component are accepting, no edge leaves it, and
    /// there is an edge for every letter.
    pub fn is_terminal(&self, state: StateId) -> bool {
        self.terminal[self.rank(state) as usize]
    }

    /// Whether a word is accepted if and only if it has one of certain letters, wherever: `<> p`, the negation of an
    /// invariant. The automaton waits in its first state, whatever it reads, and from a state that accepts every word
    /// nothing is left to see; or it begins in such a state.
    pub fn awaits_a_letter(&self) -> bool {
        let initial = self.initial();
        let waits_or_ends = |edge: &Edge| edge.target == initial || self.is_terminal(edge.target);
        let is_complete = self.traits.complete;
        self.is_universal()
            || is_complete && !self.is_accepting(initial) && self.edges(initial).iter().all(waits_or_ends)
    }

    /// Whether no state has two edges for the same letter.
    pub fn is_deterministic(&self) -> bool {
        self.traits.deterministic
    }

    /// Whether every state has an edge for every letter.
    pub fn is_complete(&self) -> bool {
        self.traits.complete
    }

    /// Whether words that differ only in how often letters are repeated are either all accepted or all rejected. `false`
    /// also where deciding it would have been too expensive.
    pub fn is_stutter_invariant(&self) -> bool {
        self.traits.stutter_invariant
    }

    /// The propositions that occur in guards.
    pub fn propositions(&self) -> u64 {
        let cubes = self.edges.iter().flatten().flat_map(|edge| &edge.guard.cubes);
        cubes.fold(0, |all, cube| all | cube.positive | cube.negative)
    }

    pub(crate) fn set_stutter_invariant(&mut self, invariant: bool) {
        self.traits.stutter_invariant = invariant;
    }

    /// Whether a word is accepted.
    pub fn accepts(&self, word: &Lasso) -> bool {
        let size = word.positions();
        let node = |state: usize, at: usize| state * size + at;
        let product: Vec<Vec<usize>> = (0..self.state_count() * size)
            .map(|node_id| {
                let (state, at) = (node_id / size, node_id % size);
                let taken = self.edges[state].iter().filter(|edge| edge.guard.holds(word.letter(at)));
                taken.map(|edge| node(edge.target.index(), word.next(at))).collect()
            })
            .collect();
        let found = components(&product);
        let mut reached = vec![false; product.len()];
        reached[node(self.initial.index(), 0)] = true;
        // Components come in topological order, so one pass over them finds what is reachable.
        for (rank, members) in found.members.iter().enumerate() {
            if !members.iter().any(|&member| reached[member]) {
                continue;
            }
            if found.cyclic[rank] && members.iter().any(|&member| self.accepting[member / size]) {
                return true;
            }
            members.iter().flat_map(|&member| &product[member]).for_each(|&to| reached[to] = true);
        }
        false
    }
}

/// The strength of each component.
fn strengths(components: &Components, successors: &[Vec<usize>], accepting: &[bool]) -> Vec<Strength> {
    let rejecting: Vec<Vec<usize>> = (0..successors.len())
        .map(|state| {
            let inside = |&&to: &&usize| !accepting[state] && !accepting[to];
            successors[state].iter().filter(inside).copied().collect()
        })
        .collect();
    let rejecting = self::components(&rejecting);
    let in_rejecting_cycle = |state: usize| rejecting.cyclic[rejecting.rank[state] as usize];
    let strength = |(members, &cyclic): (&Vec<usize>, &bool)| {
        if !cyclic || !members.iter().any(|&state| accepting[state]) {
            Strength::Rejecting
        } else if members.iter().any(|&state| in_rejecting_cycle(state)) {
            Strength::Strong
        } else {
            Strength::Weak
        }
    };
    components.members.iter().zip(&components.cyclic).map(strength).collect()
}

#[cfg(test)]
mod tests {
    /// Whether a formula is an invariant, by the automaton of its negation.
    fn is_invariant(formula: &str) -> bool {
        let parsed = crate::parse(&format!("!({formula})")).expect("a formula");
        crate::translate(&parsed.formulas, parsed.formula).expect("a small one").awaits_a_letter()
    }

    #[test]
    fn invariants_are_recognised_however_they_are_written() {
        let invariants = [
            "[] p",
            "!<> p",
            "[] (p -> (q || !r))",
            "[] p && [] q",
            "!(true U p)",
            "false V p",
            "[] [] p",
            "[] (p && [] q)",
            "p W false",
            "[] p && p",
            "false",
            "[] false",
        ];
        let others = [
            "p",
            "<> p",
            "[] <> p",
            "[] p || [] q",
            "p W q",
            "p && X p",
            "X [] p",
            "[] (p -> X q)",
            "[] p && <> q",
            "p -> [] q",
            "true",
            "[] (p || [] q)",
        ];
        for formula in invariants {
            assert!(is_invariant(formula), "{formula}");
        }
        for formula in others {
            assert!(!is_invariant(formula), "{formula}");
        }
    }
}
