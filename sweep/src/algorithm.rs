//! The searches, a file each.

use statespace::Word;

use crate::space::acceptance::{Accepting, Strength};

pub mod cycles;
#[cfg(test)]
mod reduction_tests;
pub(crate) mod safety;

/// Is a cycle through this state a violation?
pub(crate) fn is_good<S: Accepting>(space: &S, state: &[Word]) -> bool {
    match space.scc(state).strength {
        Strength::Rejecting => false,
        Strength::Weak => true,
        Strength::Strong => space.is_accepting(state),
    }
}
