//! Where states are kept: tables and compressed sets, layers by progress, queues, and the log of predecessors.
//!
//! A store knows no algorithm. It asks `Control` before it grows and reports each new state; its memory is in an account
//! of the meter.

mod arena;
pub(crate) mod bfs_store;
pub(crate) mod bit_table;
mod bucket;
pub(crate) mod events;
mod fetch;
pub(crate) mod fingerprints;
mod hash;
pub(crate) mod layer;
pub(crate) mod layer_index;
pub(crate) mod layers;
pub(crate) mod metered;
mod packing;
pub(crate) mod predecessor_log;
pub(crate) mod queue;
mod scramble;
mod set;
mod state_table;
mod table;

pub use hash::hash;
pub use set::StateSet;
pub use state_table::{Inserted, StateId, StateTable};
