//! Searches over state spaces.

pub mod store;
