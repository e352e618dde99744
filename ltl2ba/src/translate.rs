//! The path of a formula to its automaton.

use std::fmt;

use crate::accept;
use crate::bdd::{Bdd, Bdds};
use crate::buchi::{Buchi, Cube, Edge, Guard, StateId, Traits};
use crate::degeneralize::{Ba, degeneralize};
use crate::formula::{FormulaId, Formulas, Node};
use crate::nnf::Table;
use crate::tableau::{Alphabet, tableau};

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
    /// Up to how many demands are compared with each other.
    pub demands: usize,
}

impl Limits {
    /// An error if one is reached.
    pub(crate) fn check(&self, states: usize, edges: usize, bdds: &Bdds) -> Result<(), TooLarge> {
        if states > self.states || edges > self.edges || bdds.is_full() { Err(TooLarge) } else { Ok(()) }
    }
}

const LIMITS: Limits = Limits { states: 20_000, edges: 400_000, demands: 120 };

/// The deepest formula that is translated.
const MAX_DEPTH: u32 = 2_000;

/// The Büchi automaton that accepts the words which satisfy the formula.
pub fn translate(formulas: &Formulas, root: FormulaId) -> Result<Buchi, TranslateError> {
    check_size(formulas, root)?;
    let mut table = Table::new();
    let positive = table.of_formula(formulas, root, true);
    let mut bdds = Bdds::new();
    let (mut tgba, alphabet) = tableau(&table, positive, &mut bdds, &LIMITS)?;
    let kinds = accept::clean(&mut tgba, &mut bdds);
    let ba = degeneralize(&tgba, &kinds, &mut bdds, &LIMITS)?;
    let stutter_invariant = !table.facts(positive).has_next;
    Ok(finish(&ba, &alphabet, stutter_invariant, &mut bdds))
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
        let inner = formulas.node(part).operands().map(|operand| depth[operand.0 as usize]).max();
        depth[part.0 as usize] = inner.map_or(0, |inner| inner + 1);
        if depth[part.0 as usize] > MAX_DEPTH {
            return Err(TranslateError::TooDeep);
        }
    }
    Ok(())
}

/// The automaton as others see it: guards instead of functions.
fn finish(ba: &Ba, alphabet: &Alphabet, stutter_invariant: bool, bdds: &mut Bdds) -> Buchi {
    let mut traits = Traits { deterministic: true, stutter_invariant, ..Traits::default() };
    let mut complete = Vec::new();
    let mut edges = Vec::new();
    for arrows in &ba.edges {
        let mut any = Bdd::FALSE;
        for arrow in arrows {
            traits.deterministic &= !bdds.intersects(any, arrow.label);
            any = bdds.or(any, arrow.label);
        }
        complete.push(any.is_true());
        let edge = |arrow: &crate::tgba::Arrow| Edge {
            guard: guard(arrow.label, alphabet, bdds),
            target: StateId(arrow.target as u32),
        };
        edges.push(arrows.iter().map(edge).collect());
    }
    Buchi::new(ba.accepting.clone(), edges, &complete, traits)
}

fn guard(label: Bdd, alphabet: &Alphabet, bdds: &mut Bdds) -> Guard {
    let mut cubes: Vec<Cube> = Vec::new();
    for literals in bdds.cover(label) {
        let mut cube = Cube::default();
        for (var, positive) in literals {
            let place = alphabet.atoms.iter().find(|&&(_, known)| known == var).map(|&(prop, _)| prop);
            let bit = 1 << place.expect("labels of finished automata are over propositions");
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
