//! Which part of a formula a run violates, where that can be said in a few words: a conjunct that is false in one of its
//! states, or that becomes true in none.
//!
//! `[] (a && b)` is `[] a && [] b`, so conjunctions are split below `[]` too. Other formulas are left to their atoms.

use interp::inspect::trace::Trace;
use interp::{Model, Word};
use ltl2ba::{FormulaId, Formulas, Node};

use super::formula::Temporal;
use super::valuation::{evaluate, is_propositional};

/// The conjuncts that a run violates, each in a sentence.
pub fn conjuncts(model: &Model, temporal: &Temporal, trace: &Trace) -> Vec<String> {
    let (formulas, root) = temporal.formula();
    let (formulas, parts) = &split(formulas.clone(), root);
    let names: Vec<&str> = temporal.atoms().iter().map(|atom| atom.text.as_str()).collect();
    let after = trace.steps.iter().filter_map(|step| step.states.last());
    let states: Vec<&[Word]> = std::iter::once(&trace.initial).chain(after).map(Vec::as_slice).collect();
    let holds = |part: FormulaId, state: &[Word]| {
        let values: Vec<_> = temporal.atoms().iter().map(|atom| Ok(model.value(atom.id, state) != 0)).collect();
        evaluate(formulas, part, &values).unwrap_or(false)
    };
    let is_empty = states.first().is_none_or(|state| state.is_empty());
    let cycle = trace.cycle_start.map(|start| start.min(states.len() - 1));
    let sentence = |part: FormulaId| -> Option<String> {
        let text = |part| formulas.display(part, &names).to_string();
        match formulas.node(part) {
            Node::Always(f) if is_propositional(formulas, f) => {
                let step = states.iter().position(|state| !holds(f, state))?;
                Some(match step {
                    0 => format!("{} is false at the beginning", text(f)),
                    step => format!("{} is false after step {step}", text(f)),
                })
            }
            Node::Always(f) => match formulas.node(f) {
                Node::Eventually(f) if is_propositional(formulas, f) => {
                    let never = states[cycle?..].iter().all(|state| !holds(f, state));
                    never.then(|| format!("{} is false in every state of the cycle", text(f)))
                }
                _ => None,
            },
            Node::Eventually(f) if is_propositional(formulas, f) => {
                cycle?;
                let never = states.iter().all(|state| !holds(f, state));
                never.then(|| format!("{} is false in every state of the run", text(f)))
            }
            _ => None,
        }
    };
    if is_empty { Vec::new() } else { parts.iter().filter_map(|&part| sentence(part)).collect() }
}

/// The conjuncts of a formula, those below `[]` as formulas with `[]`, in the table that has them.
fn split(mut formulas: Formulas, root: FormulaId) -> (Formulas, Vec<FormulaId>) {
    let (mut found, mut todo) = (Vec::new(), vec![root]);
    while let Some(part) = todo.pop() {
        match formulas.node(part) {
            Node::And(f, g) => todo.extend([g, f]),
            Node::Always(f) => match formulas.node(f) {
                Node::And(f, g) => {
                    let (f, g) = (formulas.always(f), formulas.always(g));
                    todo.extend([g, f]);
                }
                _ => found.push(part),
            },
            _ => found.push(part),
        }
    }
    (formulas, found)
}
