//! Words that end in a cycle, and what a formula says of them directly: the reference for all translations.
//!
//! Every ω-regular language is known by its lassos, so two automata that agree on all lassos are equal.

use crate::formula::{FormulaId, Formulas, Node};

/// The word `stem cycle cycle cycle …`. A letter is a set of propositions: bit n for the proposition n.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lasso {
    stem: Vec<u64>,
    cycle: Vec<u64>,
}

impl Lasso {
    /// The word with this stem and this cycle; `None` if the cycle is empty.
    pub fn new(stem: Vec<u64>, cycle: Vec<u64>) -> Option<Self> {
        (!cycle.is_empty()).then_some(Lasso { stem, cycle })
    }

    /// How many positions there are: those of the stem, then those of the cycle.
    pub fn positions(&self) -> usize {
        self.stem.len() + self.cycle.len()
    }

    /// The letter at a position.
    pub fn letter(&self, position: usize) -> u64 {
        match position.checked_sub(self.stem.len()) {
            Some(inside) => self.cycle[inside],
            None => self.stem[position],
        }
    }

    /// The position behind another.
    pub fn next(&self, position: usize) -> usize {
        if position + 1 == self.positions() { self.stem.len() } else { position + 1 }
    }
}

/// Whether the word satisfies the formula, by the definition of each operator.
pub fn evaluate(formulas: &Formulas, root: FormulaId, word: &Lasso) -> bool {
    let size = word.positions();
    let mut values: Vec<Vec<bool>> = vec![Vec::new(); root.0 as usize + 1];
    for id in formulas.parts(root) {
        let of = |f: FormulaId, at: usize| values[f.0 as usize][at];
        let now = |value: &dyn Fn(usize) -> bool| (0..size).map(value).collect();
        values[id.0 as usize] = match formulas.node(id) {
            Node::Constant(value) => vec![value; size],
            Node::Atom(prop) => now(&|at| word.letter(at) >> prop.0 & 1 == 1),
            Node::Not(f) => now(&|at| !of(f, at)),
            Node::And(f, g) => now(&|at| of(f, at) && of(g, at)),
            Node::Or(f, g) => now(&|at| of(f, at) || of(g, at)),
            Node::Implies(f, g) => now(&|at| !of(f, at) || of(g, at)),
            Node::Equivalent(f, g) => now(&|at| of(f, at) == of(g, at)),
            Node::Next(f) => now(&|at| of(f, word.next(at))),
            Node::Eventually(f) => fixpoint(word, false, &|at, next| of(f, at) || next),
            Node::Always(f) => fixpoint(word, true, &|at, next| of(f, at) && next),
            Node::Until(f, g) => fixpoint(word, false, &|at, next| of(g, at) || (of(f, at) && next)),
            Node::WeakUntil(f, g) => fixpoint(word, true, &|at, next| of(g, at) || (of(f, at) && next)),
            Node::Release(f, g) => fixpoint(word, true, &|at, next| of(g, at) && (of(f, at) || next)),
            Node::StrongRelease(f, g) => fixpoint(word, false, &|at, next| of(g, at) && (of(f, at) || next)),
        };
    }
    values[root.0 as usize][0]
}

/// The least (from `false`) or greatest (from `true`) solution of `x[at] = step(at, x[next])`. Twice backwards suffices:
/// the first round gives the right value at the entry of the cycle.
fn fixpoint(word: &Lasso, start: bool, step: &dyn Fn(usize, bool) -> bool) -> Vec<bool> {
    let mut values = vec![start; word.positions()];
    for _ in 0..2 {
        for at in (0..word.positions()).rev() {
            values[at] = step(at, values[word.next(at)]);
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::PropId;

    #[test]
    fn operators_by_hand() {
        let mut f = Formulas::new();
        let (p, q) = (f.atom(PropId(0)), f.atom(PropId(1)));
        let word = Lasso::new(vec![1, 1], vec![2, 0]).expect("a cycle");
        let (until, release) = (f.until(p, q), f.release(q, p));
        let recurring = f.eventually(q);
        let recurring = f.always(recurring);
        let (weak, strong) = (f.weak_until(q, p), f.strong_release(q, p));
        let next = f.next(q);
        let after = f.next(next);
        for (formula, value) in [
            (until, true),
            (release, false),
            (recurring, true),
            (weak, true),
            (strong, false),
            (next, false),
            (after, true),
        ] {
            assert_eq!(evaluate(&f, formula, &word), value, "{}", f.display(formula, &["p", "q"]));
        }
        assert_eq!(Lasso::new(vec![1], vec![]), None);
    }
}
