//! The searches, a file each.

use interp::space::Word;

use crate::acceptance::{Accepting, Strength};

pub(crate) mod bfs;
pub(crate) mod column_cycles;
pub(crate) mod column_sweep;
#[cfg(test)]
mod cycle_tests;
pub(crate) mod dfs;
pub(crate) mod ltl_sweep;
pub(crate) mod map;
pub(crate) mod ndfs;
mod predecessors;
mod progress_graph;
pub(crate) mod state_caching;
pub(crate) mod sweep_line;
#[cfg(test)]
mod sweep_tests;
#[cfg(test)]
mod tests;
pub(crate) mod watch;

/// Is a cycle through this state a violation?
pub(crate) fn is_good<S: Accepting>(space: &S, state: &[Word]) -> bool {
    match space.part(state).strength {
        Strength::Rejecting => false,
        Strength::Weak => true,
        Strength::Strong => space.is_accepting(state),
    }
}
