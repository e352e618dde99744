//! The searches, a file each.

pub(crate) mod bfs;
pub(crate) mod dfs;
#[cfg(test)]
mod tests;
