//! The part of an external array heap that is on disk: sorted runs in levels.
//!
//! Level `l` has up to μ runs. A run that comes in goes to level 0; before that, if there is no room, all runs of level 0
//! become one of level 1, and so on. So a state is moved once per level. Of each run the next `K` states are in memory.
//!
//! Brengel, Crauser, Ferragina, Meyer, "An Experimental Study of Priority Queues in External Memory", WAE 1999.

use super::Workspace;
use super::disk::DiskFault;
use super::merge::Merge;
use super::record::Record;
use super::stream::{Reader, Writer};
use crate::measure::Progress;

/// Sorted runs in levels. Each run has a head.
pub(crate) struct ArrayHeap {
    workspace: Workspace,
    levels: Vec<Vec<Reader>>,
}

impl ArrayHeap {
    pub(crate) fn new(workspace: &Workspace) -> ArrayHeap {
        ArrayHeap { workspace: workspace.clone(), levels: Vec::new() }
    }

    /// Adds a sorted run.
    pub(crate) fn add(&mut self, mut run: Writer) -> Result<(), DiskFault> {
        run.flush()?;
        let mut run = run.into_reader();
        run.advance()?;
        self.make_room()?;
        self.levels[0].push(run);
        Ok(())
    }

    /// Merges levels that are full, the highest first, until there is room in level 0.
    fn make_room(&mut self) -> Result<(), DiskFault> {
        let full = |level: &&Vec<Reader>| level.len() >= self.workspace.options.fan_in;
        let free = self.levels.iter().take_while(full).count();
        if free == self.levels.len() {
            self.levels.push(Vec::new());
        }
        for level in (0..free).rev() {
            let runs = std::mem::take(&mut self.levels[level]);
            let mut merged = Merge::new(runs)?.write(&self.workspace)?;
            merged.flush()?;
            let mut merged = merged.into_reader();
            merged.advance()?;
            self.levels[level + 1].push(merged);
        }
        Ok(())
    }

    /// The least progress.
    pub(crate) fn least(&self) -> Option<Progress> {
        self.levels.iter().flatten().filter_map(Reader::progress).min()
    }

    /// Takes all states of this progress, which is the least one.
    pub(crate) fn take<E: From<DiskFault>>(
        &mut self,
        progress: Progress,
        take: &mut impl FnMut(Record<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        for level in &mut self.levels {
            for run in level.iter_mut() {
                while let Some(record) = run.head().filter(|head| head.progress == progress) {
                    take(record)?;
                    run.advance()?;
                }
            }
            level.retain(|run| run.head().is_some());
        }
        Ok(())
    }

    /// All that is left, sorted.
    pub(crate) fn into_sorted(self) -> Result<Merge, DiskFault> {
        Merge::new(self.levels.into_iter().flatten().collect())
    }
}
