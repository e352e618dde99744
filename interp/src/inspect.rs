//! States and steps by name: what people see of a run. Nothing here is on the path of a search.

pub(crate) mod digest;
pub mod expression;
pub mod failure;
pub mod output;
pub mod scalars;
pub mod trace;
mod unreduced;
pub mod values;
pub mod waiting;
