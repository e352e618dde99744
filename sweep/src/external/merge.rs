//! Sorted runs as one: every state once, in the order of runs.
//!
//! Invariant: no head is less than the one that was last shown. There are few runs, so the least head is found by looking
//! at all of them.

use super::Workspace;
use super::disk::DiskFault;
use super::record::Record;
use super::stream::{Reader, Writer};

/// Sorted runs as one.
#[derive(Default)]
pub(crate) struct Merge {
    runs: Vec<Reader>,
    /// The run with the least head, which is looked at.
    least: Option<usize>,
}

impl Merge {
    /// Of runs that have a head, or of which nothing has been read.
    pub(crate) fn new(mut runs: Vec<Reader>) -> Result<Merge, DiskFault> {
        for run in runs.iter_mut().filter(|run| run.head().is_none()) {
            run.advance()?;
        }
        let mut merge = Merge { runs, least: None };
        merge.find_least();
        Ok(merge)
    }

    /// The least record that has not been passed.
    pub(crate) fn head(&self) -> Option<Record<'_>> {
        self.least.and_then(|least| self.runs[least].head())
    }

    /// Passes the head, and whatever is the same state.
    pub(crate) fn advance(&mut self) -> Result<(), DiskFault> {
        let Some(least) = self.least else { return Ok(()) };
        for other in (0..self.runs.len()).filter(|&other| other != least) {
            let is_same = match (self.runs[other].head(), self.runs[least].head()) {
                (Some(other), Some(least)) => other.compare(&least).is_eq(),
                _ => false,
            };
            if is_same {
                self.runs[other].advance()?;
            }
        }
        self.runs[least].advance()?;
        self.runs.retain(|run| run.head().is_some());
        self.find_least();
        Ok(())
    }

    fn find_least(&mut self) {
        let heads = self.runs.iter().enumerate().filter_map(|(number, run)| Some((number, run.head()?)));
        self.least = heads.min_by(|(_, one), (_, other)| one.compare(other)).map(|(number, _)| number);
    }

    /// Writes all that is left as one run.
    pub(crate) fn write(mut self, workspace: &Workspace) -> Result<Writer, DiskFault> {
        let mut writer = Writer::new(workspace);
        while let Some(record) = self.head() {
            writer.push(record)?;
            self.advance()?;
        }
        Ok(writer)
    }
}
