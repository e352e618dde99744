//! Linear temporal logic to Büchi automata.
//!
//! ```
//! let parsed = ltl2ba::parse("[] (request -> <> reply)").expect("a formula");
//! let mut formulas = parsed.formulas;
//! let negation = formulas.not(parsed.formula);
//! let automaton = ltl2ba::translate(&formulas, negation).expect("a small one");
//! assert_eq!((automaton.state_count(), automaton.edge_count()), (2, 3));
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
mod scc;
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
