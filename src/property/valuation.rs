//! The values of a formula's atoms in a state.
//!
//! An atom may have no value: its index is out of range, or it divides by zero. That is an error only where the formula needs
//! it: parts without temporal operators are evaluated with short circuits, from left to right, as in expressions of the
//! language. So `[] (i < 2 -> a[i] == 0)` is fine whatever `i` is, as in SPIN.
//! Invariant: an atom that no evaluation reads changes the value of no such part, so it may count as false.

use interp::ids::ExpressionId;
use interp::model::Fault;
use interp::{Model, Word};
use ltl2ba::{FormulaId, Formulas, Node};

use super::formula::Temporal;

/// Evaluates the atoms of a formula.
pub struct Valuation<'m> {
    model: &'m Model,
    atoms: Vec<ExpressionId>,
    formulas: Formulas,
    /// The largest parts without temporal operators.
    state_formulas: Vec<FormulaId>,
}

impl<'m> Valuation<'m> {
    pub fn new(model: &'m Model, temporal: &Temporal) -> Self {
        let (formulas, root) = temporal.formula();
        let state_formulas = state_formulas(formulas, root);
        Valuation { model, atoms: temporal.expressions(), formulas: formulas.clone(), state_formulas }
    }

    /// Which atoms hold, a bit each; or the error of one that the formula needs.
    #[inline]
    pub fn of(&self, state: &[Word]) -> Result<u64, Fault> {
        self.model.truths(&self.atoms, state).or_else(|_| self.with_short_circuits(state))
    }

    #[cold]
    fn with_short_circuits(&self, state: &[Word]) -> Result<u64, Fault> {
        let values: Vec<Result<bool, Fault>> = self.model.with_tables(state, |tables| {
            let value = |&atom: &ExpressionId| self.model.evaluate(atom, state, tables).map(|value| value != 0);
            self.atoms.iter().map(value).collect()
        });
        for &part in &self.state_formulas {
            evaluate(&self.formulas, part, &values)?;
        }
        let bits = values.iter().enumerate().map(|(bit, value)| u64::from(matches!(value, Ok(true))) << bit);
        Ok(bits.fold(0, |all, bit| all | bit))
    }
}

/// The largest parts of a formula without temporal operators.
fn state_formulas(formulas: &Formulas, root: FormulaId) -> Vec<FormulaId> {
    let (mut found, mut todo) = (Vec::new(), vec![root]);
    while let Some(part) = todo.pop() {
        match formulas.node(part) {
            _ if is_propositional(formulas, part) => found.push(part),
            Node::Constant(_) | Node::Atom(_) => {}
            Node::Not(f) | Node::Next(f) | Node::Eventually(f) | Node::Always(f) => todo.push(f),
            Node::And(f, g)
            | Node::Or(f, g)
            | Node::Implies(f, g)
            | Node::Equivalent(f, g)
            | Node::Until(f, g)
            | Node::Release(f, g)
            | Node::WeakUntil(f, g)
            | Node::StrongRelease(f, g) => todo.extend([f, g]),
        }
    }
    found
}

pub(super) fn is_propositional(formulas: &Formulas, root: FormulaId) -> bool {
    formulas.parts(root).into_iter().all(|part| {
        matches!(
            formulas.node(part),
            Node::Constant(_)
                | Node::Atom(_)
                | Node::Not(_)
                | Node::And(..)
                | Node::Or(..)
                | Node::Implies(..)
                | Node::Equivalent(..)
        )
    })
}

/// From left to right, with short circuits. Nesting is bounded by the parser.
pub(super) fn evaluate(formulas: &Formulas, part: FormulaId, values: &[Result<bool, Fault>]) -> Result<bool, Fault> {
    let value = |part| evaluate(formulas, part, values);
    Ok(match formulas.node(part) {
        Node::Constant(value) => value,
        Node::Atom(atom) => values[atom.0 as usize]?,
        Node::Not(f) => !value(f)?,
        Node::And(f, g) => value(f)? && value(g)?,
        Node::Or(f, g) => value(f)? || value(g)?,
        Node::Implies(f, g) => !value(f)? || value(g)?,
        Node::Equivalent(f, g) => value(f)? == value(g)?,
        Node::Next(_)
        | Node::Eventually(_)
        | Node::Always(_)
        | Node::Until(..)
        | Node::Release(..)
        | Node::WeakUntil(..)
        | Node::StrongRelease(..) => unreachable!("a state formula has no temporal operator"),
    })
}
