//! Vacuity: atoms that never change, and implications whose left side never holds.
//!
//! Searches note which combinations of atoms they met. A combination that was not met is only suspicious, because the
//! automaton may not have followed every run: a report needs a search of all reachable states.

use fxhash::FxHashSet;
use ltl2ba::{FormulaId, Formulas, Node, PropId};

use super::formula::Temporal;

/// More combinations than this are not kept: such atoms change.
const MOST: usize = 1 << 12;

/// Combinations of atoms that were met, a bit each.
#[derive(Clone, Default, Debug)]
pub struct Seen {
    combinations: FxHashSet<u64>,
    last: Option<u64>,
    too_many: bool,
}

impl Seen {
    /// Adds a combination. Whether it is new.
    #[inline]
    pub fn add(&mut self, truths: u64) -> bool {
        if self.last == Some(truths) || self.too_many {
            return false;
        }
        self.last = Some(truths);
        let is_new = self.combinations.insert(truths);
        self.too_many = self.combinations.len() > MOST;
        is_new
    }

    /// What is vacuous about the formula if there are no other combinations: a sentence each.
    pub fn vacuous(&self, temporal: &Temporal) -> Vec<String> {
        if self.too_many || self.combinations.is_empty() {
            return Vec::new();
        }
        let (formulas, root) = temporal.formula();
        let stated = invariants(formulas, root);
        let mut found = Vec::new();
        for (bit, atom) in temporal.atoms().iter().enumerate() {
            let mut values = self.combinations.iter().map(|truths| truths >> bit & 1 == 1);
            let first = values.next();
            let is_stated = first == Some(true) && stated.contains(&PropId(bit as u32));
            if values.all(|value| Some(value) == first) && !is_stated {
                let value = if first == Some(true) { "true" } else { "false" };
                found.push(format!("`{}` is {value} in all reachable states", atom.text));
            }
        }
        let names: Vec<&str> = temporal.atoms().iter().map(|atom| atom.text.as_str()).collect();
        for part in formulas.parts(root) {
            let Node::Implies(left, _) = formulas.node(part) else { continue };
            // An atom that never holds has been reported.
            if is_compound(formulas, left) && self.combinations.iter().all(|&truths| !holds(formulas, left, truths)) {
                found
                    .push(format!("`{}` never holds: the implication is never tested", formulas.display(left, &names)));
            }
        }
        found
    }
}

/// The atoms that the formula says are always true: that they are is no surprise.
fn invariants(formulas: &Formulas, root: FormulaId) -> Vec<PropId> {
    let mut found = Vec::new();
    let mut todo = vec![(root, false)];
    while let Some((part, always)) = todo.pop() {
        match formulas.node(part) {
            Node::And(f, g) => todo.extend([(f, always), (g, always)]),
            Node::Always(f) => todo.push((f, true)),
            Node::Atom(prop) if always => found.push(prop),
            _ => {}
        }
    }
    found
}

/// Is this a combination of atoms without temporal operators?
fn is_compound(formulas: &Formulas, formula: FormulaId) -> bool {
    let boolean = |node| {
        matches!(
            node,
            Node::Constant(_)
                | Node::Atom(_)
                | Node::Not(_)
                | Node::And(..)
                | Node::Or(..)
                | Node::Implies(..)
                | Node::Equivalent(..)
        )
    };
    !matches!(formulas.node(formula), Node::Atom(_))
        && formulas.parts(formula).into_iter().all(|part| boolean(formulas.node(part)))
}

/// Does a boolean formula hold in a state with these atoms?
fn holds(formulas: &Formulas, formula: FormulaId, truths: u64) -> bool {
    let mut values: fxhash::FxHashMap<FormulaId, bool> = fxhash::FxHashMap::default();
    for part in formulas.parts(formula) {
        let value = match formulas.node(part) {
            Node::Constant(value) => value,
            Node::Atom(prop) => truths >> prop.0 & 1 == 1,
            Node::Not(f) => !values[&f],
            Node::And(f, g) => values[&f] && values[&g],
            Node::Or(f, g) => values[&f] || values[&g],
            Node::Implies(f, g) => !values[&f] || values[&g],
            Node::Equivalent(f, g) => values[&f] == values[&g],
            _ => false,
        };
        values.insert(part, value);
    }
    values.get(&formula).copied().unwrap_or(false)
}
