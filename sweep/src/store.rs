//! Where states are kept: tables and compressed sets, layers by progress, queues, and the log of predecessors.
//!
//! Nothing here knows a search: a store says what it holds and what it would take to hold more.

mod arena;
pub(crate) mod bfs_store;
mod bucket;
pub(crate) mod events;
mod fetch;
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
