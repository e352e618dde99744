//! States of later layers on disk: those that were stored in memory before, with their numbers, and *candidates*, of which it
//! is not known whether they are new.
//!
//! Invariant: stored states wait once each, in a queue of their own. Those of a layer are taken before its candidates, so a
//! candidate that is one of them is known when it comes, and no state is counted twice.

use super::Workspace;
use super::disk::DiskFault;
use super::queue::Queue;
use super::record::Record;
use crate::measure::Progress;
use crate::store::hash;

/// States that wait on disk.
pub(crate) struct Waiting {
    workspace: Workspace,
    /// Made when there is one.
    stored: Option<Queue>,
    candidates: Queue,
}

impl Waiting {
    pub(crate) fn new(workspace: &Workspace) -> Waiting {
        Waiting { workspace: workspace.clone(), stored: None, candidates: Queue::new(workspace) }
    }

    /// How many there are, or fewer: some may have been there more than once.
    pub(crate) fn len(&self) -> u64 {
        self.stored.as_ref().map_or(0, Queue::len) + self.candidates.len()
    }

    /// The least progress.
    pub(crate) fn least(&self) -> Option<Progress> {
        let stored = self.stored.as_ref().and_then(Queue::least);
        [stored, self.candidates.least()].into_iter().flatten().min()
    }

    /// Adds a candidate.
    pub(crate) fn insert(&mut self, hash: u64, record: Record<'_>) -> Result<(), DiskFault> {
        self.candidates.insert(hash, record)
    }

    /// Adds a state that was stored before and has its number.
    pub(crate) fn insert_stored(&mut self, record: Record<'_>) -> Result<(), DiskFault> {
        let stored = self.stored.get_or_insert_with(|| Queue::new(&self.workspace));
        stored.insert(hash(record.state), record)
    }

    /// Takes the stored states of this progress, if it is the least one.
    pub(crate) fn take_stored<E: From<DiskFault>>(
        &mut self,
        progress: Progress,
        take: impl FnMut(Record<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(stored) = &mut self.stored else { return Ok(()) };
        stored.take(progress, take)?;
        if stored.least().is_none() {
            self.stored = None;
        }
        Ok(())
    }

    /// Takes the candidates of this progress, if it is the least one.
    pub(crate) fn take_candidates<E: From<DiskFault>>(
        &mut self,
        progress: Progress,
        take: impl FnMut(Record<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.candidates.take(progress, take)
    }
}
