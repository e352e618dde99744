//! Stutter invariance: whether repeating letters makes a difference.
//!
//! It does exactly if some word can be read, each letter perhaps several times, as one that satisfies the formula and also as
//! one that does not. So both automata read one word, and each may let pass a letter that repeats the last one; a run on
//! which both accept shows a difference. To let a letter pass is no step, so it accepts nothing.
//! Michaud, Duret-Lutz, "Practical stutter-invariance checks for ω-regular languages", SPIN 2015.

use fxhash::FxHashMap;

use crate::buchi::{Buchi, StateId};
use graph::components;

/// How many steps of the two automata are explored.
const MAX_STEPS: usize = 400_000;

/// What both automata have done: where they are, and the letter read last.
type Pair = (StateId, StateId, Option<u64>);

/// Whether words that differ only in repetitions are all accepted or all rejected; `None` if deciding it takes too long. `negation`
/// accepts what `automaton` does not.
pub(crate) fn is_stutter_invariant(automaton: &Buchi, negation: &Buchi) -> Option<bool> {
    let letters = letters(automaton.propositions() | negation.propositions())?;
    let mut pairs: Vec<Pair> = vec![(automaton.initial(), negation.initial(), None)];
    let mut numbers: FxHashMap<Pair, usize> = FxHashMap::from_iter([(pairs[0], 0)]);
    let mut graph: Vec<Vec<usize>> = Vec::new();
    // The steps on which the one, or the other, moved on from an accepting state.
    let mut marks: Vec<[Vec<usize>; 2]> = Vec::new();
    let mut steps = 0;
    while graph.len() < pairs.len() {
        let (a, b, last) = pairs[graph.len()];
        let (mut next, mut marked) = (Vec::new(), [Vec::new(), Vec::new()]);
        for &letter in &letters {
            let (from_a, from_b) = (moves(automaton, a, letter, last), moves(negation, b, letter, last));
            for &(to_a, moved_a) in &from_a {
                for &(to_b, moved_b) in &from_b {
                    steps += 1;
                    if !moved_a && !moved_b {
                        continue;
                    }
                    let pair = (to_a, to_b, Some(letter));
                    let target = *numbers.entry(pair).or_insert_with(|| {
                        pairs.push(pair);
                        pairs.len() - 1
                    });
                    next.push(target);
                    if moved_a && automaton.is_accepting(a) {
                        marked[0].push(target);
                    }
                    if moved_b && negation.is_accepting(b) {
                        marked[1].push(target);
                    }
                }
            }
        }
        if steps > MAX_STEPS {
            return None;
        }
        graph.push(next);
        marks.push(marked);
    }
    let found = components(&graph);
    let differs = found.members.iter().enumerate().any(|(rank, members)| {
        [0, 1].iter().all(|&which: &usize| {
            let stays = |&to: &usize| found.rank[to] == rank as u32;
            members.iter().any(|&pair| marks[pair][which].iter().any(stays))
        })
    });
    Some(!differs)
}

/// All sets of these propositions, if they are not too many.
fn letters(propositions: u64) -> Option<Vec<u64>> {
    let bits: Vec<u32> = (0..64).filter(|bit| propositions >> bit & 1 == 1).collect();
    let all = (bits.len() <= 8).then_some(0..1u64 << bits.len())?;
    Some(all.map(|set| bits.iter().enumerate().map(|(at, bit)| (set >> at & 1) << bit).sum()).collect())
}

/// Where the letter leads, and whether the automaton moved.
fn moves(automaton: &Buchi, state: StateId, letter: u64, last: Option<u64>) -> Vec<(StateId, bool)> {
    let taken = automaton.edges(state).iter().filter(|edge| edge.guard.holds(letter)).map(|edge| (edge.target, true));
    taken.chain((last == Some(letter)).then_some((state, false))).collect()
}
