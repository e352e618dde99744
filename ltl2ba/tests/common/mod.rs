//! Random formulas and words, and questions about automata answered by the simplest means.
#![allow(dead_code)]

use ltl2ba::{Buchi, FormulaId, Formulas, Lasso, Node, PropId, StateId};
use proptest::prelude::*;

/// A formula over `atoms` propositions with some `size` operators.
pub fn any_formula(atoms: u32, size: u32) -> impl Strategy<Value = (Formulas, FormulaId)> {
    any_list(atoms, size).prop_map(move |steps| {
        let mut formulas = Formulas::new();
        let root = build(&mut formulas, atoms, &steps);
        (formulas, root)
    })
}

/// Two formulas of one table.
pub fn any_pair(atoms: u32, size: u32) -> impl Strategy<Value = (Formulas, FormulaId, FormulaId)> {
    (any_list(atoms, size), any_list(atoms, size)).prop_map(move |(first, second)| {
        let mut formulas = Formulas::new();
        let (f, g) = (build(&mut formulas, atoms, &first), build(&mut formulas, atoms, &second));
        (formulas, f, g)
    })
}

type Step = (u8, u32, u32, u32);

/// A list of forms; each takes its operands among those before it, seldom far back.
fn any_list(atoms: u32, size: u32) -> impl Strategy<Value = Vec<Step>> {
    proptest::collection::vec((0u8..18, 0u32..4, 0u32..4, 0..atoms), 1..=size as usize)
}

fn build(formulas: &mut Formulas, atoms: u32, steps: &[Step]) -> FormulaId {
    let mut made: Vec<FormulaId> = (0..atoms).map(|prop| formulas.atom(PropId(prop))).collect();
    for &(form, back, other, prop) in steps {
        let last = made.len() - 1;
        let atom = formulas.atom(PropId(prop));
        let a = if back == 3 { atom } else { made[last.saturating_sub(back as usize)] };
        let b = if other == 3 { atom } else { made[last.saturating_sub(other as usize)] };
        let node = match form {
            0 | 1 => Node::Not(a),
            2 | 3 => Node::And(a, b),
            4 | 5 => Node::Or(a, b),
            6 => Node::Implies(a, b),
            7 => Node::Equivalent(a, b),
            8 => Node::Next(a),
            9 | 10 => Node::Eventually(a),
            11 | 12 => Node::Always(a),
            13 | 14 => Node::Until(a, b),
            15 => Node::Release(a, b),
            16 => Node::WeakUntil(a, b),
            _ => Node::StrongRelease(a, b),
        };
        made.push(formulas.add(node));
    }
    made[made.len() - 1]
}

/// A word over `atoms` propositions.
pub fn any_word(atoms: u32) -> impl Strategy<Value = Lasso> {
    let letter = 0..1u64 << atoms;
    (proptest::collection::vec(letter.clone(), 0..5), proptest::collection::vec(letter, 1..5))
        .prop_map(|(stem, cycle)| Lasso::new(stem, cycle).expect("the cycle is not empty"))
}

/// All words over `atoms` propositions with at most `length` positions.
pub fn all_words(atoms: u32, length: usize) -> Vec<Lasso> {
    let mut words = Vec::new();
    for size in 1..=length {
        for code in 0..1u64 << (atoms as usize * size) {
            let letters: Vec<u64> = (0..size).map(|at| code >> (at * atoms as usize) & ((1 << atoms) - 1)).collect();
            words.extend((0..size).filter_map(|stem| Lasso::new(letters[..stem].to_vec(), letters[stem..].to_vec())));
        }
    }
    words
}

/// The formula as text.
pub fn shown(formulas: &Formulas, root: FormulaId) -> String {
    formulas.display(root, &["a", "b", "c", "d"]).to_string()
}

/// Pairs of states that read one word together, and their successors. With `sinks` a missing edge leads to no state.
pub struct Product {
    pub pairs: Vec<(Option<StateId>, Option<StateId>)>,
    pub next: Vec<Vec<usize>>,
}

pub fn product(a: &Buchi, b: &Buchi, atoms: u32, sinks: bool) -> Product {
    let mut pairs = vec![(Some(a.initial()), Some(b.initial()))];
    let mut next = Vec::new();
    let targets = |automaton: &Buchi, state: Option<StateId>, letter: u64| -> Vec<Option<StateId>> {
        let edges = state.map_or(&[][..], |state| automaton.edges(state));
        let taken: Vec<_> = edges.iter().filter(|e| e.guard.holds(letter)).map(|e| Some(e.target)).collect();
        if taken.is_empty() && sinks { vec![None] } else { taken }
    };
    while next.len() < pairs.len() {
        let (s, t) = pairs[next.len()];
        let mut found = Vec::new();
        for letter in 0..1u64 << atoms {
            for s in targets(a, s, letter) {
                for t in targets(b, t, letter) {
                    let place = pairs.iter().position(|&pair| pair == (s, t)).unwrap_or_else(|| {
                        pairs.push((s, t));
                        pairs.len() - 1
                    });
                    if !found.contains(&place) {
                        found.push(place);
                    }
                }
            }
        }
        next.push(found);
    }
    Product { pairs, next }
}

/// Who reaches whom in at least one step.
pub fn reaches(next: &[Vec<usize>]) -> Vec<Vec<bool>> {
    (0..next.len())
        .map(|from| {
            let mut seen = vec![false; next.len()];
            let mut todo = next[from].clone();
            while let Some(node) = todo.pop() {
                if !std::mem::replace(&mut seen[node], true) {
                    todo.extend(&next[node]);
                }
            }
            seen
        })
        .collect()
}

/// Whether no word is accepted by both: no pair lies on a cycle with accepting states of both.
pub fn are_disjoint(a: &Buchi, b: &Buchi, atoms: u32) -> bool {
    let product = product(a, b, atoms, false);
    let reach = reaches(&product.next);
    let nodes = 0..product.pairs.len();
    let accepting_a = |node: &usize| product.pairs[*node].0.is_some_and(|state| a.is_accepting(state));
    let accepting_b = |node: &usize| product.pairs[*node].1.is_some_and(|state| b.is_accepting(state));
    let mut seeds = nodes.clone().filter(accepting_a);
    !seeds.any(|seed| {
        reach[seed][seed] && nodes.clone().filter(accepting_b).any(|other| reach[seed][other] && reach[other][seed])
    })
}

/// Whether two deterministic automata accept every word together: no cycle of pairs is without accepting states.
pub fn cover_everything(a: &Buchi, b: &Buchi, atoms: u32) -> bool {
    let product = product(a, b, atoms, true);
    let rejecting = |node: usize| {
        let (s, t) = product.pairs[node];
        !s.is_some_and(|s| a.is_accepting(s)) && !t.is_some_and(|t| b.is_accepting(t))
    };
    let inside: Vec<Vec<usize>> = (0..product.pairs.len())
        .map(|node| match rejecting(node) {
            true => product.next[node].iter().copied().filter(|&to| rejecting(to)).collect(),
            false => Vec::new(),
        })
        .collect();
    let reach = reaches(&inside);
    !(0..inside.len()).any(|node| reach[node][node])
}
