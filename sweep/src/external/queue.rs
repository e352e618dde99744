//! The states of future layers, by progress: the first of them in memory, the others on disk.
//!
//! When the insertion buffer is full, the states in it that have most progress are moved to a heap on disk. So what the sweep
//! comes to soon is mostly in memory, and the same state is put into the queue again only if it has left the buffer: the layer
//! that it goes to sees to that.

use super::array_heap::ArrayHeap;
use super::disk::DiskFault;
use super::insertion_buffer::InsertionBuffer;
use super::radix_heap::RadixHeap;
use super::record::Record;
use super::stream::Writer;
use super::{QueueKind, Workspace};
use crate::measure::Progress;
use crate::store::hash;

/// A priority queue.
pub(crate) struct Queue {
    workspace: Workspace,
    buffer: InsertionBuffer,
    on_disk: Heap,
    /// States on disk.
    spilled: u64,
}

enum Heap {
    Array(ArrayHeap),
    Radix(RadixHeap),
}

impl Queue {
    pub(crate) fn new(workspace: &Workspace) -> Queue {
        let on_disk = match workspace.options.queue {
            QueueKind::Array => Heap::Array(ArrayHeap::new(workspace)),
            QueueKind::Radix => Heap::Radix(RadixHeap::new(workspace)),
        };
        Queue {
            workspace: workspace.clone(),
            buffer: InsertionBuffer::new(workspace, workspace.options.buffer),
            on_disk,
            spilled: 0,
        }
    }

    /// How many states are in it, or fewer: some may have been there more than once.
    pub(crate) fn len(&self) -> u64 {
        self.buffer.len() + self.spilled
    }

    /// Adds a state. In a radix heap its progress must not be less than the last that was taken, unless nothing is left.
    pub(crate) fn insert(&mut self, hash: u64, record: Record<'_>) -> Result<(), DiskFault> {
        if self.buffer.is_full() {
            self.spill()?;
        }
        self.buffer.insert(hash, record);
        Ok(())
    }

    #[cold]
    fn spill(&mut self) -> Result<(), DiskFault> {
        let before = self.buffer.len();
        let count = self.workspace.options.spill;
        match &mut self.on_disk {
            Heap::Radix(heap) => self.buffer.spill(count, false, |record| heap.add(record))?,
            Heap::Array(heap) => {
                let mut run = Writer::new(&self.workspace);
                self.buffer.spill(count, true, |record| run.push(record))?;
                if run.len() > 0 {
                    heap.add(run)?;
                }
            }
        }
        self.spilled += before - self.buffer.len();
        Ok(())
    }

    /// The least progress.
    pub(crate) fn least(&self) -> Option<Progress> {
        let on_disk = match &self.on_disk {
            Heap::Array(heap) => heap.least(),
            Heap::Radix(heap) => heap.least(),
        };
        [self.buffer.least(), on_disk].into_iter().flatten().min()
    }

    /// Takes all states of the least progress, which is this.
    pub(crate) fn take<E: From<DiskFault>>(
        &mut self,
        progress: Progress,
        mut take: impl FnMut(Record<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.buffer.least() == Some(progress) {
            self.buffer.take_least(&mut take)?;
        }
        let (buffer, spilled) = (&mut self.buffer, &mut self.spilled);
        let room = buffer.room();
        // What comes next may be taken too: it goes to the buffer.
        let mut take = |record: Record<'_>| {
            *spilled -= 1;
            if record.progress == progress {
                return take(record);
            }
            buffer.insert(hash(record.state), record);
            Ok(())
        };
        match &mut self.on_disk {
            Heap::Array(heap) => heap.take(progress, &mut take)?,
            Heap::Radix(heap) if heap.least() == Some(progress) => heap.take(progress, room, &mut take)?,
            Heap::Radix(_) => {}
        }
        if self.least().is_none() {
            self.spilled = 0;
        }
        Ok(())
    }
}
