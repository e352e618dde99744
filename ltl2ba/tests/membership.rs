//! Automata against the direct evaluation of their formulas, on words.

mod common;

use common::{any_formula, any_word, shown};
use ltl2ba::{evaluate, translate};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    /// A word is accepted exactly if it satisfies the formula; and either by the formula's automaton or by its negation's.
    #[test]
    fn membership_is_evaluation((mut formulas, root) in any_formula(3, 12), words in proptest::collection::vec(any_word(3), 40)) {
        let negation = formulas.not(root);
        let (Ok(a), Ok(b)) = (translate(&formulas, root), translate(&formulas, negation)) else { return Ok(()) };
        for word in words {
            let value = evaluate(&formulas, root, &word);
            prop_assert_eq!(a.accepts(&word), value, "{} on {:?}", shown(&formulas, root), word);
            prop_assert_eq!(b.accepts(&word), !value, "not {} on {:?}", shown(&formulas, root), word);
        }
    }
}
