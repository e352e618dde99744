//! A checked Promela model as a transition system: compiled automata, packed states, successors.
//!
//! In reading order: what is known before the run (`analysis`), control flow, places and the flat program (`code`),
//! execution (`exec`), and what people see of it (`inspect`). `Model` is the crate's one product, a
//! [`statespace::StateSpace`] that searches expand.

pub mod ids;
pub mod violation;

pub mod analysis;
pub mod code;
pub mod exec;
pub mod inspect;
pub mod model;

pub use code::compile::Analysis;
pub use inspect::digest::Digest;
pub use model::Model;
pub use statespace::{StateSpace, Visit, Word};
pub use violation::{Violation, ViolationKind};

/// The most bytes of the caches of one worker. A reduced search has two of those for transitions: one for the states that it
/// expands, and one for those that it passes through.
pub const MAX_CACHE_BYTES: usize = 2 * exec::transition_cache::MOST_BYTES;
