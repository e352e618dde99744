//! Sorts states that come in any order, and leaves out those that came before.
//!
//! The insertion buffer of a queue and the levels of an array heap do it. Array heaps merge states that occur twice; here
//! that makes the difference in size between the successors of a level, or regress edges, and the states they lead to.

use super::Workspace;
use super::array_heap::ArrayHeap;
use super::disk::DiskFault;
use super::insertion_buffer::InsertionBuffer;
use super::merge::Merge;
use super::record::Record;
use super::stream::Writer;

/// States to be sorted.
pub(crate) struct Sorter {
    workspace: Workspace,
    buffer: InsertionBuffer,
    runs: ArrayHeap,
}

impl Sorter {
    /// A sorter that has so many states in memory.
    pub(crate) fn new(workspace: &Workspace, buffer: usize) -> Sorter {
        Sorter {
            workspace: workspace.clone(),
            buffer: InsertionBuffer::new(workspace, buffer.max(2)),
            runs: ArrayHeap::new(workspace),
        }
    }

    /// Adds a state.
    pub(crate) fn insert(&mut self, hash: u64, record: Record<'_>) -> Result<(), DiskFault> {
        if self.buffer.is_full() {
            self.spill()?;
        }
        self.buffer.insert(hash, record);
        Ok(())
    }

    /// Writes what is in memory as a run.
    fn spill(&mut self) -> Result<(), DiskFault> {
        let mut run = Writer::new(&self.workspace);
        self.buffer.spill(self.buffer.len() as usize, true, |record| run.push(record))?;
        self.runs.add(run)
    }

    /// All states that were added, each once, in order; none are left.
    pub(crate) fn take_sorted(&mut self) -> Result<Merge, DiskFault> {
        if self.buffer.len() > 0 {
            self.spill()?;
        }
        std::mem::replace(&mut self.runs, ArrayHeap::new(&self.workspace)).into_sorted()
    }
}
