//! A set of states on disk, as sorted runs; states are added many at a time.
//!
//! Invariant: no state is in two runs, and each run but the last is at least twice as long as the next one. So there are few
//! runs, and a state is written again only when the set has grown by half as much.

use super::Workspace;
use super::disk::DiskFault;
use super::merge::Merge;
use super::record::Record;
use super::stream::{Reader, Writer};

/// A set of states.
pub(crate) struct SortedSet {
    workspace: Workspace,
    runs: Vec<Writer>,
}

impl SortedSet {
    pub(crate) fn new(workspace: &Workspace) -> SortedSet {
        SortedSet { workspace: workspace.clone(), runs: Vec::new() }
    }

    /// Adds the states of `candidates` that are not there; they are shown in order. They can be read again until more are
    /// added.
    pub(crate) fn add<E: From<DiskFault>>(
        &mut self,
        mut candidates: Merge,
        mut show: impl FnMut(Record<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.tidy()?;
        let mut known = Merge::new(self.runs.iter().map(Writer::reader).collect())?;
        let mut new = Writer::new(&self.workspace);
        while let Some(candidate) = candidates.head() {
            while known.head().is_some_and(|known| known.compare(&candidate).is_lt()) {
                known.advance()?;
            }
            if known.head().is_none_or(|known| known.compare(&candidate).is_ne()) {
                new.push(candidate)?;
                show(candidate)?;
            }
            candidates.advance()?;
        }
        new.flush()?;
        self.runs.push(new);
        Ok(())
    }

    /// The states that were added last, in order.
    pub(crate) fn added(&self) -> Option<Reader> {
        self.runs.last().map(Writer::reader)
    }

    /// Merges runs until each is at least twice as long as the next one.
    fn tidy(&mut self) -> Result<(), DiskFault> {
        while let [.., longer, last] = self.runs.as_slice() {
            if longer.len() >= 2 * last.len() && last.len() > 0 {
                break;
            }
            let pair = self.runs.split_off(self.runs.len() - 2);
            let mut merged = Merge::new(pair.into_iter().map(Writer::into_reader).collect())?.write(&self.workspace)?;
            merged.flush()?;
            self.runs.push(merged);
        }
        Ok(())
    }
}
