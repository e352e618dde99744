//! Random formulas and words.

use ltl2ba::{FormulaId, Formulas, Lasso, Node, PropId};
use proptest::prelude::*;

/// A formula over `atoms` propositions with some `size` operators.
pub fn any_formula(atoms: u32, size: u32) -> impl Strategy<Value = (Formulas, FormulaId)> {
    // A list of forms; each takes its operands among those before it, seldom far back.
    let step = (0u8..18, 0u32..4, 0u32..4, 0..atoms);
    proptest::collection::vec(step, 1..=size as usize).prop_map(move |steps| {
        let mut formulas = Formulas::new();
        let mut made: Vec<FormulaId> = (0..atoms).map(|prop| formulas.atom(PropId(prop))).collect();
        for (form, back, other, prop) in steps {
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
        let root = made[made.len() - 1];
        (formulas, root)
    })
}

/// A word over `atoms` propositions.
pub fn any_word(atoms: u32) -> impl Strategy<Value = Lasso> {
    let letter = 0..1u64 << atoms;
    (proptest::collection::vec(letter.clone(), 0..5), proptest::collection::vec(letter, 1..5))
        .prop_map(|(stem, cycle)| Lasso::new(stem, cycle).expect("the cycle is not empty"))
}

/// The formula as text.
pub fn shown(formulas: &Formulas, root: FormulaId) -> String {
    formulas.display(root, &["a", "b", "c", "d"]).to_string()
}
