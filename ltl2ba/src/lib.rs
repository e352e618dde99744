//! Linear temporal logic to Büchi automata.
//!
//! ```
//! let text = "[] (request -> <> reply)";
//! let mut parsed = ltl2ba::parse(text).expect("a formula");
//! // A model checker looks for runs that violate the formula: those that the automaton of its negation accepts.
//! let negation = parsed.formulas.not(parsed.formula);
//! let automaton = ltl2ba::translate(&parsed.formulas, negation).expect("a small formula");
//! assert_eq!((automaton.state_count(), automaton.edge_count()), (2, 3));
//! let claim = ltl2ba::never_claim(&automaton, &parsed.names(), &format!("violates {text}"));
//! assert_eq!(claim, "\
//! never {    /* violates [] (request -> <> reply) */
//! T0_init:
//! \tdo
//! \t:: (true) -> goto T0_init
//! \t:: (!reply && request) -> goto accept_S1
//! \tod;
//! accept_S1:
//! \tdo
//! \t:: (!reply) -> goto accept_S1
//! \tod;
//! }
//! ");
//! ```
//!
//! Read in this order: formulas as written and as they are worked on, the tableau, what makes automata small, and
//! how they are shown. This crate knows nothing of Promela: atoms are numbers, with the text they were written as.

mod formula;
mod parse;
mod token;

mod implication;
mod nnf;
mod rewrite;

mod bdd;
mod tableau;
mod tgba;

mod accept;
mod ba;
mod breakpoint;
mod degeneralize;
mod powerset;
mod simulate;
mod weak;

mod buchi;
mod lasso;
mod output;
mod stutter;
mod translate;

pub use buchi::{Buchi, Cube, Edge, Guard, StateId, Strength};
pub use formula::{FormulaId, Formulas, Node, PropId};
pub use lasso::{Lasso, evaluate};
pub use output::{dot, hoa, never_claim};
pub use parse::{Atom, Parsed, SyntaxError, parse};
pub use translate::{TranslateError, translate};

use translate::{Limits, TooLarge};
