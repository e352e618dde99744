//! The searches, a file each.

pub(crate) mod bfs;
pub(crate) mod column_sweep;
pub(crate) mod dfs;
pub(crate) mod state_caching;
pub(crate) mod sweep_line;
#[cfg(test)]
mod sweep_tests;
#[cfg(test)]
mod tests;
