//! Formulas that mean the same have automata that accept the same; what is said of automata is so; known sizes are
//! reached.

mod common;

use common::{any_formula, any_pair, any_word, are_disjoint, reaches, shown};
use ltl2ba::{Buchi, FormulaId, Formulas, Lasso, PropId, Strength, parse, translate};
use proptest::prelude::*;

/// Equal pairs made of two formulas.
fn identities(f: &mut Formulas, a: FormulaId, b: FormulaId) -> Vec<(&'static str, FormulaId, FormulaId)> {
    let (not_a, not_b) = (f.not(a), f.not(b));
    let until = f.until(a, b);
    let mut laws = Vec::new();
    let next = f.next(until);
    let both = f.and(a, next);
    laws.push(("a U b = b || a && X(a U b)", until, f.or(b, both)));
    let release = f.release(not_a, not_b);
    laws.push(("a U b = !(!a V !b)", until, f.not(release)));
    let (weak, always) = (f.weak_until(a, b), f.always(a));
    laws.push(("a W b = []a || a U b", weak, f.or(always, until)));
    let strong = f.strong_release(a, b);
    let both = f.and(a, b);
    laws.push(("a M b = b U (a && b)", strong, f.until(b, both)));
    let (later, later_until) = (f.eventually(b), f.eventually(until));
    laws.push(("<>(a U b) = <>b", later_until, later));
    let (later_a, later_b, either) = (f.eventually(a), f.eventually(b), f.or(a, b));
    let (recurs_a, recurs_b, later) = (f.always(later_a), f.always(later_b), f.eventually(either));
    let recurs = f.always(later);
    laws.push(("[]<>(a || b) = []<>a || []<>b", recurs, f.or(recurs_a, recurs_b)));
    let (always_b, always_both) = (f.always(b), f.always(both));
    let (persists_a, persists_b) = (f.eventually(always), f.eventually(always_b));
    let persists = f.eventually(always_both);
    laws.push(("<>[](a && b) = <>[]a && <>[]b", persists, f.and(persists_a, persists_b)));
    let not_until = f.not(until);
    laws.push(("!!(a U b) = a U b", f.not(not_until), until));
    laws
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(250))]

    #[test]
    fn equal_formulas_have_equal_languages((mut formulas, a, b) in any_pair(2, 4)) {
        for (law, left, right) in identities(&mut formulas, a, b) {
            for (f, g) in [(left, right), (right, left)] {
                let not_g = formulas.not(g);
                let (Ok(f), Ok(not_g)) = (translate(&formulas, f), translate(&formulas, not_g)) else { continue };
                if f.state_count() * not_g.state_count() <= 400 {
                    prop_assert!(are_disjoint(&f, &not_g, 2), "{law} for {} and {}", shown(&formulas, a), shown(&formulas, b));
                }
            }
        }
    }
}

/// A word in which each letter is repeated as often as the numbers say.
fn stuttered(word: &Lasso, times: &[usize], stem: usize) -> Lasso {
    let letters: Vec<Vec<u64>> =
        (0..word.positions()).map(|at| vec![word.letter(at); times[at % times.len()]]).collect();
    Lasso::new(letters[..stem].concat(), letters[stem..].concat()).expect("the cycle is not empty")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn what_is_said_of_an_automaton_is_so((formulas, root) in any_formula(2, 10)) {
        let Ok(automaton) = translate(&formulas, root) else { return Ok(()) };
        check_flags(&automaton, 2)?;
    }

    #[test]
    fn repetitions_make_no_difference_where_that_is_said(
        (formulas, root) in any_formula(2, 8),
        word in any_word(2),
        times in proptest::collection::vec(1usize..4, 1..6),
    ) {
        let Ok(automaton) = translate(&formulas, root) else { return Ok(()) };
        if automaton.is_stutter_invariant() {
            // The stem ends before the position that follows the last one.
            let stem = word.next(word.positions() - 1);
            let longer = stuttered(&word, &times, stem);
            prop_assert_eq!(automaton.accepts(&word), automaton.accepts(&longer), "{}", shown(&formulas, root));
        }
    }
}

/// Everything computed again, from letters and reachability alone.
fn check_flags(automaton: &Buchi, atoms: u32) -> Result<(), TestCaseError> {
    let next: Vec<Vec<usize>> =
        automaton.states().map(|s| automaton.edges(s).iter().map(|edge| edge.target.index()).collect()).collect();
    let reach = reaches(&next);
    let same = |s: usize, t: usize| s == t || (reach[s][t] && reach[t][s]);
    let letters = 0..1u64 << atoms;
    let taken = |s, letter| automaton.edges(s).iter().filter(move |edge| edge.guard.holds(letter)).count();
    let states: Vec<_> = automaton.states().collect();
    let all =
        |test: &dyn Fn(usize) -> bool| states.iter().all(|&s| letters.clone().all(|letter| test(taken(s, letter))));
    prop_assert_eq!(automaton.is_deterministic(), all(&|count| count <= 1));
    prop_assert_eq!(automaton.is_complete(), all(&|count| count >= 1));
    let accepting: Vec<bool> = states.iter().map(|&s| automaton.is_accepting(s)).collect();
    let quiet: Vec<Vec<usize>> = (0..next.len())
        .map(|s| next[s].iter().copied().filter(|&t| !accepting[s] && !accepting[t]).collect())
        .collect();
    let quiet = reaches(&quiet);
    for &s in &states {
        let at = s.index();
        for &t in &states {
            prop_assert_eq!(automaton.rank(s) == automaton.rank(t), same(at, t.index()));
        }
        prop_assert!(next[at].iter().all(|&t| automaton.rank(s) <= automaton.rank(states[t])));
        let members: Vec<usize> = (0..next.len()).filter(|&t| same(at, t)).collect();
        let accepts = members.iter().any(|&t| accepting[t] && reach[t][t]);
        let rejects = members.iter().any(|&t| quiet[t][t]);
        let strength = match (accepts, rejects) {
            (false, _) => Strength::Rejecting,
            (true, false) => Strength::Weak,
            (true, true) => Strength::Strong,
        };
        prop_assert_eq!(automaton.strength(s), strength);
        let stays = members.iter().all(|&t| {
            letters.clone().all(|letter| taken(states[t], letter) > 0) && next[t].iter().all(|&u| same(t, u))
        });
        prop_assert_eq!(automaton.is_terminal(s), strength == Strength::Weak && stays);
        if !automaton.is_empty() {
            prop_assert!(at == 0 || reach[0][at], "every state is reachable");
            let useful = (0..next.len()).any(|t| (t == at || reach[at][t]) && accepting[t] && reach[t][t]);
            prop_assert!(useful, "every state begins an accepted run");
        }
    }
    Ok(())
}

/// Here a reduction takes the last accepting cycle from behind a state.
#[test]
fn what_a_reduction_makes_useless_is_removed() {
    let mut f = Formulas::new();
    let (p, q) = (f.atom(PropId(0)), f.atom(PropId(1)));
    let not_p = f.not(p);
    let (never_p, always_q) = (f.always(not_p), f.always(q));
    let strong = f.strong_release(always_q, never_p);
    let not_strong = f.not(strong);
    let (until, premise) = (f.until(not_strong, strong), f.until(strong, q));
    let root = f.implies(premise, until);
    let automaton = translate(&f, root).expect("a small automaton");
    check_flags(&automaton, 2).expect("all states are of use");
}

fn automaton(text: &str) -> Buchi {
    let parsed = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    translate(&parsed.formulas, parsed.formula).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// `piece` for each number, with a sign between them.
fn joined(sign: &str, numbers: std::ops::RangeInclusive<u32>, piece: impl Fn(u32) -> String) -> String {
    numbers.map(piece).collect::<Vec<_>>().join(sign)
}

#[test]
fn families_have_their_known_sizes() {
    for n in 1..=6u32 {
        let size = |text: String| automaton(&text).state_count() as u32;
        assert_eq!(size(joined(" && ", 1..=n, |i| format!("[]<>p{i}"))), n + 1, "gf-and {n}");
        assert_eq!(size(joined(" || ", 1..=n, |i| format!("[]<>p{i}"))), 2, "gf-or {n}");
        assert_eq!(size(joined(" && ", 1..=n, |i| format!("<>[]p{i}"))), 2, "fg-and {n}");
        assert_eq!(size(joined(" || ", 1..=n, |i| format!("<>[]p{i}"))), n + 1, "fg-or {n}");
        assert_eq!(size(joined(" && ", 1..=n, |i| format!("<>p{i}"))), 1 << n, "and-f {n}");
        let fair = joined(" && ", 1..=n, |i| format!("[]<>p{i}"));
        assert_eq!(size(format!("!(({fair}) -> [](q -> <>r))")), n + 2, "go-theta {n}");
        assert_eq!(size(format!("({fair}) -> []<>z")), n + 3, "gf-implies {n}");
        let both = joined(" && ", 1..=n, |i| format!("[]<>b{i}"));
        assert_eq!(size(format!("({fair}) -> ({both})")), 2 * n + 2, "sejk-j {n}");
        let right = (2..=n).fold("p1".to_string(), |inner, i| format!("p{i} U ({inner})"));
        assert_eq!(size(right), n.max(2), "u-right {n}");
        let left = (2..=n).fold("p1".to_string(), |inner, i| format!("({inner}) U p{i}"));
        assert_eq!(size(left), 1 << (n.max(2) - 1), "u-left {n}");
    }
    for (n, states) in [(1, 4), (2, 9), (3, 21), (4, 49)] {
        let text = joined(" && ", 1..=n, |i| format!("([]<>a{i} || <>[]b{i})"));
        assert_eq!(automaton(&text).state_count(), states, "streett {n}");
    }
    for (n, states) in [(1, 4), (2, 7), (3, 13), (4, 24)] {
        let text = joined(" && ", 1..=n, |i| format!("([]<>p{i} || <>[]p{})", i + 1));
        assert_eq!(automaton(&text).state_count(), states, "gh-r {n}");
    }
    for (n, states) in [(1, 3), (2, 8), (3, 18), (4, 42), (5, 100)] {
        let text = joined(" && ", 1..=n, |i| format!("(<>p{i} || []p{})", i + 1));
        assert_eq!(automaton(&text).state_count(), states, "gh-q {n}");
    }
    for n in 1..=5u32 {
        let chain = (2..=n + 1).rev().fold(String::new(), |inner, i| match inner.as_str() {
            "" => format!("<>p{i}"),
            inner => format!("<>(p{i} && {inner})"),
        });
        assert_eq!(automaton(&format!("!([](p1 -> {chain}))")).state_count() as u32, n + 1, "not chain {n}");
        let many = joined(" && ", 1..=n, |i| format!("[](p{i} -> <>q{i})"));
        assert_eq!(automaton(&format!("!({many})")).state_count() as u32, n + 1, "not conj {n}");
    }
}

#[test]
fn classes_are_told() {
    let never = automaton("p && !p");
    assert!(never.is_empty() && never.state_count() == 1);
    let tautology = automaton("[]((w0 && !c0) -> ((!c1) U (c0 || c1 || []!c1)))");
    assert!(tautology.is_universal() && tautology.state_count() == 1);
    let response = automaton("!([](p -> <>q))");
    assert_eq!(
        response.states().map(|s| response.strength(s)).collect::<Vec<_>>(),
        [Strength::Rejecting, Strength::Weak]
    );
    let guarantee = automaton("<>p");
    assert!(guarantee.is_deterministic() && guarantee.states().any(|s| guarantee.is_terminal(s)));
    let recurrence = automaton("[]<>p");
    assert!(recurrence.states().all(|s| recurrence.strength(s) == Strength::Strong));
    for (text, invariant) in [
        ("X p", false),
        ("[]<>(p && X !p)", true),
        ("<>(p && X p)", false),
        ("<>(p && X !p)", true),
        ("p U q", true),
        ("(X p) || !(X p)", true),
    ] {
        assert_eq!(automaton(text).is_stutter_invariant(), invariant, "{text}");
    }
}

#[test]
fn the_same_formula_gives_the_same_text() {
    let text = "([]<>a || <>[]b) && ([]<>c || <>[]d)";
    let shown = || ltl2ba::hoa(&automaton(text), &[], text);
    assert_eq!(shown(), shown());
}
