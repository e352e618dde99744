//! The searches, a file each.

pub(crate) mod bfs;
pub(crate) mod column_sweep;
#[cfg(test)]
mod cycle_tests;
pub(crate) mod dfs;
pub(crate) mod ltl_sweep;
pub(crate) mod ndfs;
pub(crate) mod state_caching;
pub(crate) mod sweep_line;
#[cfg(test)]
mod sweep_tests;
#[cfg(test)]
mod tests;
pub(crate) mod watch;
