//! Automata against the direct evaluation of their formulas on words, and against the automata of negations.

mod common;

use common::{all_words, any_formula, any_word, are_disjoint, cover_everything, shown};
use ltl2ba::{FormulaId, Formulas, Node, PropId, evaluate, translate};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    /// A word is accepted exactly if it satisfies the formula; and either by the formula's automaton or its negation's.
    #[test]
    fn membership_is_evaluation((mut formulas, root) in any_formula(3, 12),
                                words in proptest::collection::vec(any_word(3), 40)) {
        let negation = formulas.not(root);
        let (Ok(a), Ok(b)) = (translate(&formulas, root), translate(&formulas, negation)) else { return Ok(()) };
        for word in words {
            let value = evaluate(&formulas, root, &word);
            prop_assert_eq!(a.accepts(&word), value, "{} on {:?}", shown(&formulas, root), word);
            prop_assert_eq!(b.accepts(&word), !value, "not {} on {:?}", shown(&formulas, root), word);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    /// No word is accepted by the automata of a formula and of its negation; deterministic ones accept all words together.
    #[test]
    fn negations_share_nothing_and_leave_nothing((mut formulas, root) in any_formula(2, 9)) {
        let negation = formulas.not(root);
        let (Ok(a), Ok(b)) = (translate(&formulas, root), translate(&formulas, negation)) else { return Ok(()) };
        if a.state_count() * b.state_count() > 400 {
            return Ok(());
        }
        prop_assert!(are_disjoint(&a, &b, 2), "{}", shown(&formulas, root));
        if a.is_deterministic() && b.is_deterministic() {
            prop_assert!(cover_everything(&a, &b, 2), "{}", shown(&formulas, root));
        }
    }
}

/// All formulas with at most `size` operators and atoms over two propositions, by size.
fn all_formulas(formulas: &mut Formulas, size: usize) -> Vec<Vec<FormulaId>> {
    let mut by_size = vec![Vec::new(), vec![formulas.atom(PropId(0)), formulas.atom(PropId(1))]];
    for size in 2..=size {
        let mut made = Vec::new();
        for &f in &by_size[size - 1] {
            made.extend([Node::Not(f), Node::Next(f), Node::Eventually(f), Node::Always(f)].map(|n| formulas.add(n)));
        }
        for left in 1..size - 1 {
            for &f in &by_size[left] {
                for &g in &by_size[size - 1 - left] {
                    let binary = [
                        Node::And(f, g),
                        Node::Or(f, g),
                        Node::Until(f, g),
                        Node::Release(f, g),
                        Node::WeakUntil(f, g),
                        Node::StrongRelease(f, g),
                    ];
                    made.extend(binary.map(|node| formulas.add(node)));
                }
            }
        }
        by_size.push(made);
    }
    by_size
}

#[test]
fn all_small_formulas_on_all_short_words() {
    let mut formulas = Formulas::new();
    let all_words = [all_words(2, 2), all_words(2, 3)];
    let mut count = 0;
    let by_size = all_formulas(&mut formulas, 5);
    for (size, root) in by_size.iter().enumerate().flat_map(|(size, list)| list.iter().map(move |&f| (size, f))) {
        let automaton = translate(&formulas, root).expect("a small formula");
        // The largest formulas on words with two positions, the others on words with three.
        for word in &all_words[usize::from(size < 5)] {
            let value = evaluate(&formulas, root, word);
            assert_eq!(automaton.accepts(word), value, "{} on {word:?}", shown(&formulas, root));
        }
        count += 1;
    }
    assert!(count > 3_000 && all_words[1].len() == 228, "{count} formulas");
}

#[test]
fn what_is_too_much_is_an_error() {
    use ltl2ba::TranslateError::{TooDeep, TooLarge, TooManyAtoms};
    let mut f = Formulas::new();
    let atom = f.atom(PropId(64));
    assert_eq!(translate(&f, atom).err(), Some(TooManyAtoms));
    let mut deep = f.atom(PropId(0));
    for _ in 0..10_000 {
        deep = f.next(deep);
    }
    assert_eq!(translate(&f, deep).err(), Some(TooDeep));
    // Sixty things that all must happen, in any order.
    let mut many = f.constant(true);
    for prop in 0..60 {
        let atom = f.atom(PropId(prop));
        let later = f.eventually(atom);
        many = f.and(many, later);
    }
    assert_eq!(translate(&f, many).err(), Some(TooLarge));
    // Thirty things that all must happen for ever again are no problem.
    let mut fair = f.constant(true);
    for prop in 0..30 {
        let atom = f.atom(PropId(prop));
        let later = f.eventually(atom);
        let recurs = f.always(later);
        fair = f.and(fair, recurs);
    }
    assert_eq!(translate(&f, fair).map(|automaton| automaton.state_count()), Ok(31));
    // A long conjunction is wide, not deep.
    let mut wide = f.atom(PropId(0));
    for n in 0..1_000u32 {
        let atom = f.atom(PropId(n % 60));
        wide = if n % 2 == 0 { f.and(wide, atom) } else { f.and(atom, wide) };
    }
    assert_eq!(translate(&f, wide).map(|automaton| automaton.state_count()), Ok(2));
}
