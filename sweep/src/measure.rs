//! Measures of progress: a number for each state that a search orders and deletes by.
//!
//! Any mapping from states to [`Progress`] is sound: a bad one costs time and memory, never a verdict. What a measure
//! *claims* is that its columns are monotone (no step leads to an earlier one); the sweeps look at every step, and a
//! claim that turns out false is taken back ([`Measure::demote`]) before anything depends on it.

use std::ops::RangeInclusive;

use statespace::Word;

use crate::checkpoint::{Reader, ResumeFault};

/// How far a state has come.
///
/// Components are packed side by side, the most important in the highest bits, so that comparing numbers compares
/// components lexicographically. Those that are assumed to be monotone come first: they say which column a state is in,
/// and the others, in the lowest [`Measure::layer_bits`], which layer of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Progress(pub u128);

impl Progress {
    /// Reads a progress from a checkpoint.
    pub(crate) fn load(from: &mut Reader<'_>) -> Result<Progress, ResumeFault> {
        let mut bytes = [0; 16];
        from.take(&mut bytes)?;
        Ok(Progress(u128::from_le_bytes(bytes)))
    }
}

/// Which columns there are: the progress of the states of one differs only in this many of the lowest bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Columns(u32);

impl Columns {
    /// All states are in one column.
    pub(crate) const NONE: Columns = Columns(u128::BITS);

    /// The columns of a measure.
    pub(crate) fn of(measure: &impl Measure) -> Columns {
        Columns(measure.layer_bits())
    }

    /// Are the two in one column?
    #[inline]
    pub(crate) fn same(self, a: Progress, b: Progress) -> bool {
        (a.0 ^ b.0).checked_shr(self.0).unwrap_or(0) == 0
    }

    /// The progress of all that is in the column of this.
    pub(crate) fn range(self, progress: Progress) -> RangeInclusive<Progress> {
        let layers = !u128::MAX.checked_shl(self.0).unwrap_or(0);
        Progress(progress.0 & !layers)..=Progress(progress.0 | layers)
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

    /// How many of the lowest bits of a progress tell the layers of a column apart.
    fn layer_bits(&self) -> u32 {
        0
    }

    /// Do all states have the same progress?
    fn has_one_layer(&self) -> bool;

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
