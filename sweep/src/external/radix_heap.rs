//! The part of an external radix heap that is on disk: a stream for each highest bit in which progress differs from the
//! last one that was taken.
//!
//! Invariant: no progress is less than `last`, and a state is in bucket `i` if bit `i - 1` is the highest in which its progress
//! differs from it; in bucket 0 if none does. So all of one bucket is less than all of the next. When the least progress is
//! taken, the bucket it is in is distributed over lower ones, or goes to memory if there is room: a state is moved at most
//! once per bit of progress, and read and written in order. That the queue is monotone is true in one sweep.
//!
//! Ahuja, Mehlhorn, Orlin, Tarjan, "Faster Algorithms for the Shortest Path Problem", J. ACM 37(2), 1990; in external memory
//! Brengel, Crauser, Ferragina, Meyer, WAE 1999.

use super::Workspace;
use super::disk::DiskFault;
use super::record::Record;
use super::stream::Writer;
use crate::measure::Progress;

/// One more than the bits of a progress.
const BUCKETS: usize = u128::BITS as usize + 1;

/// States in a stream per highest bit.
pub(crate) struct RadixHeap {
    workspace: Workspace,
    buckets: Vec<Bucket>,
    last: Progress,
    /// States in all of them.
    len: u64,
    /// Those of them that are in memory.
    buffered: u64,
    most_buffered: u64,
}

struct Bucket {
    states: Writer,
    least: Option<Progress>,
}

impl RadixHeap {
    pub(crate) fn new(workspace: &Workspace) -> RadixHeap {
        let bucket = || Bucket { states: Writer::new(workspace), least: None };
        RadixHeap {
            workspace: workspace.clone(),
            buckets: std::iter::repeat_with(bucket).take(BUCKETS).collect(),
            last: Progress::default(),
            len: 0,
            buffered: 0,
            most_buffered: workspace.options.buffer as u64 / 8,
        }
    }

    /// Adds a state whose progress is not less than the last that was taken; or any, if nothing is there.
    pub(crate) fn add(&mut self, record: Record<'_>) -> Result<(), DiskFault> {
        if self.len == 0 {
            self.last = Progress::default();
        }
        assert!(record.progress >= self.last, "a radix heap is monotone");
        let bucket = &mut self.buckets[(u128::BITS - (record.progress.0 ^ self.last.0).leading_zeros()) as usize];
        bucket.least = Some(bucket.least.map_or(record.progress, |least| least.min(record.progress)));
        self.buffered -= bucket.states.buffered();
        bucket.states.push(record)?;
        self.buffered += bucket.states.buffered();
        self.len += 1;
        while self.buffered > self.most_buffered {
            self.flush_longest()?;
        }
        Ok(())
    }

    /// Writes the longest end of a bucket to disk.
    fn flush_longest(&mut self) -> Result<(), DiskFault> {
        let Some(longest) = self.buckets.iter_mut().max_by_key(|bucket| bucket.states.buffered()) else {
            return Ok(());
        };
        self.buffered -= longest.states.buffered();
        longest.states.flush()
    }

    /// The least progress.
    pub(crate) fn least(&self) -> Option<Progress> {
        self.buckets.iter().find_map(|bucket| bucket.least)
    }

    /// Takes all states of this progress, which is the least one; and those in the same bucket too, if there are not more of
    /// all of them than `room`.
    pub(crate) fn take<E: From<DiskFault>>(
        &mut self,
        progress: Progress,
        room: u64,
        take: &mut impl FnMut(Record<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(bucket) = self.buckets.iter_mut().find(|bucket| bucket.least.is_some()) else { return Ok(()) };
        bucket.least = None;
        let states = std::mem::replace(&mut bucket.states, Writer::new(&self.workspace));
        self.buffered -= states.buffered();
        self.last = progress;
        let takes_all = states.len() <= room;
        let mut states = states.into_reader();
        states.advance()?;
        while let Some(record) = states.head() {
            if takes_all || record.progress == progress {
                take(record)?
            } else {
                self.add(record)?
            }
            self.len -= 1;
            states.advance()?;
        }
        Ok(())
    }
}
