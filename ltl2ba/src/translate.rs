//! The path of a formula to its automaton.
//!
//! Tableau, reduction, degeneralisation, reduction; then what its negation's automaton helps to find: the minimal
//! deterministic automaton of an obligation, or one by breakpoints. The best is kept. Every step has limits, so that a
//! formula whose automaton is too large is an error rather than a long wait.

use std::fmt;

use crate::accept::{self, Kind};
use crate::ba::Ba;
use crate::bdd::{Bdd, Bdds};
use crate::breakpoint::breakpoint;
use crate::buchi::{Buchi, Cube, Edge, Guard, StateId, Traits};
use crate::degeneralize::degeneralize;
use crate::formula::{FormulaId, Formulas, Node};
use crate::nnf::{Ltl, Table};
use crate::simulate;
use crate::stutter::is_stutter_invariant;
use crate::tableau::{SPARE, atom_of, tableau};
use crate::tgba::Tgba;
use crate::weak::minimal_weak;

/// Why there is no automaton.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TranslateError {
    /// The automaton, or what leads to it, is too large.
    TooLarge,
    /// More atoms than the 64 that guards have bits for, or an atom with a number above 63.
    TooManyAtoms,
    /// Operators are nested too deep.
    TooDeep,
}

impl fmt::Display for TranslateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TranslateError::TooLarge => "the automaton of this formula is too large",
            TranslateError::TooManyAtoms => "a formula can have at most 64 different atoms",
            TranslateError::TooDeep => "operators are nested too deep in this formula",
        })
    }
}

impl std::error::Error for TranslateError {}

/// A limit was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TooLarge;

impl From<TooLarge> for TranslateError {
    fn from(_: TooLarge) -> Self {
        TranslateError::TooLarge
    }
}

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub states: usize,
    pub edges: usize,
    /// Operations on diagrams, for each stage of the translation.
    pub work: u64,
}

impl Limits {
    /// What `step` gives, unless it takes more work than there may be.
    fn within<T>(&self, bdds: &mut Bdds, step: impl FnOnce(&mut Bdds) -> Result<T, TooLarge>) -> Result<T, TooLarge> {
        bdds.allow(self.work);
        let result = step(bdds);
        let full = bdds.is_full();
        bdds.allow_all();
        if full { Err(TooLarge) } else { result }
    }

    /// An error if one is reached.
    pub(crate) fn check(&self, states: usize, edges: usize, bdds: &Bdds) -> Result<(), TooLarge> {
        if states > self.states || edges > self.edges || bdds.is_full() { Err(TooLarge) } else { Ok(()) }
    }
}

const LIMITS: Limits = Limits { states: 10_000, edges: 150_000, work: MAIN_WORK };

/// Operations on diagrams: for what must be done, and for what may lead to something smaller.
const MAIN_WORK: u64 = 2_500_000;
const EXTRA_WORK: u64 = 400_000;

/// Up to how many states an automaton is worth the search for a deterministic one.
const DETERMINIZED: usize = 300;

/// The deepest formula that is translated; rewriting is recursive. A chain of `&&` or `||` counts as one level.
const MAX_DEPTH: u32 = 500;

/// The Büchi automaton that accepts the words which satisfy the formula.
pub fn translate(formulas: &Formulas, root: FormulaId) -> Result<Buchi, TranslateError> {
    check_size(formulas, root)?;
    let mut table = Table::new();
    let positive = table.of_formula(formulas, root, true);
    let negative = table.of_formula(formulas, root, false);
    let mut bdds = Bdds::new();
    let ba = small_automaton(&table, positive, &mut bdds, &LIMITS)?;
    let limits = Limits { states: 500, edges: 10_000, work: EXTRA_WORK };
    let negation = match ba.state_count() {
        0..=DETERMINIZED => small_automaton(&table, negative, &mut bdds, &limits).ok(),
        _ => None,
    };
    let ba = match &negation {
        Some(negation) => best(ba, negation, &mut bdds),
        None => ba,
    };
    let mut automaton = finish(&ba, &mut bdds);
    let invariant = match &negation {
        _ if !table.facts(positive).has_next => Some(true),
        Some(negation) => is_stutter_invariant(&automaton, &finish(negation, &mut bdds)),
        None => None,
    };
    automaton.set_stutter_invariant(invariant.unwrap_or(false));
    Ok(automaton)
}

/// A nondeterministic automaton of the formula.
fn small_automaton(table: &Table, root: Ltl, bdds: &mut Bdds, limits: &Limits) -> Result<Ba, TooLarge> {
    let mut tgba = limits.within(bdds, |bdds| tableau(table, root, bdds, limits))?;
    let kinds = reduce_tgba(&mut tgba, bdds);
    let ba = limits.within(bdds, |bdds| degeneralize(&tgba, &kinds, bdds, limits))?;
    Ok(reduce_ba(ba, bdds))
}

fn reduce_tgba(tgba: &mut Tgba, bdds: &mut Bdds) -> Vec<Kind> {
    accept::clean(tgba, bdds);
    loop {
        let before = size(tgba);
        simulate::merge_transient(tgba, bdds);
        simulate::forward(tgba, bdds);
        simulate::backward(tgba, bdds, |_, _| true);
        let kinds = accept::clean(tgba, bdds);
        if size(tgba) == before {
            return kinds;
        }
    }
}

fn reduce_ba(mut ba: Ba, bdds: &mut Bdds) -> Ba {
    ba.remove_useless();
    loop {
        let before = (ba.state_count(), ba.edge_count());
        ba.settle();
        let mut tgba = ba.with_promise(SPARE, bdds);
        simulate::merge_transient(&mut tgba, bdds);
        simulate::forward(&mut tgba, bdds);
        ba = Ba::of_promise(&tgba, bdds);
        ba.settle();
        let accepting = ba.accepting.clone();
        tgba = ba.with_promise(SPARE, bdds);
        simulate::backward(&mut tgba, bdds, |s, t| !accepting[s] || accepting[t]);
        ba = Ba::of_promise(&tgba, bdds);
        // With the removed edges a state may have lost its last path to an accepting cycle.
        ba.remove_useless();
        if (ba.state_count(), ba.edge_count()) == before {
            ba.settle();
            return ba;
        }
    }
}

/// The best of what can be made of the automata of a formula and its negation.
fn best(ba: Ba, negation: &Ba, bdds: &mut Bdds) -> Ba {
    let mut best = ba.clone();
    let limits = Limits { states: 200 + 4 * ba.state_count(), edges: 100_000, work: EXTRA_WORK };
    let relation = simulate::relation(&ba.with_promise(SPARE, bdds), bdds);
    let weak = limits.within(bdds, |bdds| minimal_weak(&ba, negation, &relation, bdds, &limits));
    if let Ok(Some(weak)) = weak {
        return better(best, weak, bdds);
    }
    let relation = simulate::relation(&negation.with_promise(SPARE, bdds), bdds);
    let deterministic = limits.within(bdds, |bdds| breakpoint(negation, &relation, bdds, &limits));
    if let Ok(Some(deterministic)) = deterministic {
        let deterministic = reduce_ba(deterministic, bdds);
        best = better(best, deterministic, bdds);
    }
    best
}

/// The one with fewer states; else the one with fewer choices, unless it pays with twice the edges; else with fewer
/// edges.
fn better(a: Ba, b: Ba, bdds: &mut Bdds) -> Ba {
    let (choices_a, choices_b) = (a.choices(bdds), b.choices(bdds));
    let (edges_a, edges_b) = (a.edge_count(), b.edge_count());
    let dear = edges_a > 2 * edges_b || edges_b > 2 * edges_a;
    let cost = |states: usize, choices: usize, edges: usize| (states, if dear { 0 } else { choices }, edges);
    if cost(b.state_count(), choices_b, edges_b) < cost(a.state_count(), choices_a, edges_a) { b } else { a }
}

/// States and edges.
fn size(tgba: &Tgba) -> (usize, usize) {
    (tgba.edges.len(), tgba.edges.iter().map(Vec::len).sum())
}

/// Refuses what has too many atoms or is too deep.
fn check_size(formulas: &Formulas, root: FormulaId) -> Result<(), TranslateError> {
    let mut depth = vec![0u32; root.0 as usize + 1];
    for part in formulas.parts(root) {
        if let Node::Atom(prop) = formulas.node(part)
            && prop.0 >= 64
        {
            return Err(TranslateError::TooManyAtoms);
        }
        let node = formulas.node(part);
        let level = |operand: FormulaId| {
            let chained =
                matches!((node, formulas.node(operand)), (Node::And(..), Node::And(..)) | (Node::Or(..), Node::Or(..)));
            depth[operand.0 as usize] + u32::from(!chained)
        };
        depth[part.0 as usize] = node.operands().map(level).max().unwrap_or(0);
        if depth[part.0 as usize] > MAX_DEPTH {
            return Err(TranslateError::TooDeep);
        }
    }
    Ok(())
}

/// The automaton as others see it: guards instead of functions.
fn finish(ba: &Ba, bdds: &mut Bdds) -> Buchi {
    let mut traits = Traits { deterministic: true, ..Traits::default() };
    let mut complete = Vec::new();
    let mut edges = Vec::new();
    for arrows in &ba.edges {
        let mut any = Bdd::FALSE;
        for arrow in arrows {
            traits.deterministic &= !bdds.intersects(any, arrow.label);
            any = bdds.or(any, arrow.label);
        }
        complete.push(any.is_true());
        let edge =
            |arrow: &crate::tgba::Arrow| Edge { guard: guard(arrow.label, bdds), target: StateId(arrow.target as u32) };
        edges.push(arrows.iter().map(edge).collect());
    }
    Buchi::new(ba.accepting.clone(), edges, &complete, traits)
}

fn guard(label: Bdd, bdds: &mut Bdds) -> Guard {
    let mut cubes: Vec<Cube> = Vec::new();
    for literals in bdds.cover(label) {
        let mut cube = Cube::default();
        for (var, positive) in literals {
            let bit = 1 << atom_of(var);
            if positive {
                cube.positive |= bit;
            } else {
                cube.negative |= bit;
            }
        }
        cubes.push(cube);
    }
    cubes.sort_unstable();
    Guard { cubes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    /// Whether the two automata accept no word in common.
    fn are_disjoint(a: &Ba, b: &Ba, bdds: &mut Bdds) -> bool {
        let (na, nb) = (a.state_count(), b.state_count());
        let mut graph = vec![Vec::new(); na * nb];
        for s in 0..na {
            for t in 0..nb {
                for left in &a.edges[s] {
                    for right in b.edges[t].iter().filter(|right| bdds.intersects(left.label, right.label)) {
                        graph[s * nb + t].push(left.target * nb + right.target);
                    }
                }
            }
        }
        let mut reached = vec![false; graph.len()];
        let mut todo = vec![0];
        while let Some(node) = todo.pop() {
            if !std::mem::replace(&mut reached[node], true) {
                todo.extend(&graph[node]);
            }
        }
        let found = graph::components(&graph);
        !found.members.iter().zip(&found.cyclic).any(|(members, &cyclic)| {
            cyclic
                && reached[members[0]]
                && members.iter().any(|node| a.accepting[node / nb])
                && members.iter().any(|node| b.accepting[node % nb])
        })
    }

    /// After each step the automaton still accepts nothing that the negation's does, and no step adds states.
    #[test]
    fn no_step_adds_words_or_states() {
        for text in [
            "[](p -> <>(q && <>r))",
            "([]<>p || <>[]q) && ([]<>r || <>[]p)",
            "(<>p || []q) && (<>q || []r)",
            "[](p -> (q U (r || []q)))",
            "([]<>p) U ([](([]<>q) U (X r)))",
            "<>(p && X(q U r)) -> [](p || X q)",
        ] {
            let parsed = parse(text).expect("a formula");
            let mut table = Table::new();
            let mut bdds = Bdds::new();
            for polarity in [false, true] {
                let f = table.of_formula(&parsed.formulas, parsed.formula, polarity);
                let not_f = table.of_formula(&parsed.formulas, parsed.formula, !polarity);
                let negation = small_automaton(&table, not_f, &mut bdds, &LIMITS).expect("a small one");
                let mut tgba = tableau(&table, f, &mut bdds, &LIMITS).expect("a small one");
                let mut last = usize::MAX;
                for step in 0..5 {
                    let kinds = accept::clean(&mut tgba, &mut bdds);
                    match step {
                        1 => simulate::merge_transient(&mut tgba, &mut bdds),
                        2 => simulate::forward(&mut tgba, &mut bdds),
                        3 => simulate::backward(&mut tgba, &mut bdds, |_, _| true),
                        _ => {}
                    }
                    assert!(tgba.edges.len() <= last, "step {step} of {text}");
                    last = tgba.edges.len();
                    if matches!(step, 0 | 4) {
                        let ba = degeneralize(&tgba, &kinds, &mut bdds, &LIMITS).expect("a small one");
                        assert!(are_disjoint(&ba, &negation, &mut bdds), "step {step} of {text}");
                        let reduced = reduce_ba(ba.clone(), &mut bdds);
                        assert!(reduced.state_count() <= ba.state_count(), "reduction of {text}");
                        assert!(are_disjoint(&reduced, &negation, &mut bdds), "reduction of {text}");
                        let best = best(reduced.clone(), &negation, &mut bdds);
                        assert!(best.state_count() <= reduced.state_count(), "choice for {text}");
                        assert!(are_disjoint(&best, &negation, &mut bdds), "choice for {text}");
                    }
                }
            }
        }
    }
}
