//! A checked Promela model as a transition system: compiled automata, packed states, successors.
//!
//! In reading order: what is known before the run (`usage`, `instances`), control flow (`flow`), places (`layout`,
//! `state`), code (`code`, `compile`), execution (`eval`, `channel`, `effect`, `step`), and the joint to the searches
//! (`space`).

pub mod ids;
pub mod space;
pub mod violation;

pub mod instances;
pub mod ranges;
pub mod usage;

pub mod flow;

pub mod layout;
pub mod state;

pub mod code;
mod compile;

pub mod channel;
pub mod claim;
mod compare;
pub mod coverage;
mod digest;
pub mod dispatch;
mod effect;
pub mod eval;
mod expression;
mod footprint;
pub mod inspect;
pub mod leaves;
pub mod listen;
mod memo;
pub mod model;
pub mod step;
pub mod trace;

pub use compile::Analysis;
pub use digest::Digest;
pub use memo::MOST_BYTES as MOST_REMEMBERED;
pub use model::Model;
pub use space::{StateSpace, Visit, Word};
pub use violation::{Violation, ViolationKind};
