//! Measures of progress: a number for each state that a search orders and forgets by.
//!
//! Any mapping from states to [`Progress`] is sound: a bad one costs time and memory, never a verdict. What a measure
//! *claims* is that its columns are monotone (no step leads to an earlier one); the sweeps look at every step, and a
//! claim that turns out false is taken back ([`Measure::demote`]) before anything depends on it.

use std::hash::{Hash, Hasher};

use interp::space::Word;

/// How far a state has come. Columns are ordered first, layers inside a column after them.
///
/// Components are packed side by side, the most important in the highest bits, so that comparing numbers compares
/// components lexicographically.
#[derive(Clone, Copy, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Progress {
    /// The value of the monotone components: which column the state is in.
    pub column: u128,
    /// The value of the others: which layer of the column.
    pub layer: u128,
}

/// Half by half: compared as a whole, a value that was written half by half just now would have to be waited for.
impl PartialEq for Progress {
    #[inline]
    fn eq(&self, other: &Progress) -> bool {
        let differences = [self.column ^ other.column, self.layer ^ other.layer];
        differences.into_iter().fold(0, |all, halves| all | halves as u64 | (halves >> 64) as u64) == 0
    }
}

impl Hash for Progress {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (self.column, self.layer).hash(hasher);
    }
}

/// A component of a measure, by its number. Prints as `component3`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ComponentId(pub u32);

impl std::fmt::Debug for ComponentId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "component{}", self.0)
    }
}

/// A mapping from states to their progress.
pub trait Measure {
    /// The progress of a state.
    fn of(&self, state: &[Word]) -> Progress;

    /// Do all states have the same progress?
    fn has_one_layer(&self) -> bool {
        false
    }

    /// There is a step between these states, and the column of `to` is less than that of `from`. Moves the components
    /// that fell from the columns to the layers and says which they are. If there are none, the measure is used
    /// without columns from now on.
    fn demote(&mut self, _from: &[Word], _to: &[Word]) -> Vec<ComponentId> {
        Vec::new()
    }
}

/// No progress: all states are in one layer.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoMeasure;

impl Measure for NoMeasure {
    fn of(&self, _: &[Word]) -> Progress {
        Progress::default()
    }

    fn has_one_layer(&self) -> bool {
        true
    }
}
