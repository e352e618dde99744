//! Searches that look at every reachable state once, or once more: for assertions, deadlocks, run-time errors.

pub(crate) mod bfs;
pub(crate) mod bfs_ext;
pub(crate) mod column_sweep;
pub(crate) mod dfs;
mod hand_over;
pub(crate) mod hashed;
mod later_columns;
pub(crate) mod state_caching;
pub(crate) mod sweep_ext;
pub(crate) mod sweep_line;
#[cfg(test)]
pub(crate) mod sweep_tests;
#[cfg(test)]
mod tests;
