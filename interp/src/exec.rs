//! Execution: from one packed state to the next.

pub mod channel;
pub mod claim;
pub mod coverage;
pub mod dispatch;
mod effect;
pub mod eval;
pub mod reduction;
pub mod step;
pub(crate) mod transition_cache;
