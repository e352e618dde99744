//! From which state, and by which event, each state was first reached: a log that only grows, mostly on disk.
//!
//! The n-th record belongs to the n-th state that was stored, and keeps the number of its parent and of the event. A
//! trace is read backwards, from the last state to the first. States may be deleted from the store meanwhile.
//! A record is eight bytes. The first 8192 stay in memory, so that a small search touches no disk; what is more goes
//! to a file without a name. If writing fails the log is given up, the search goes on, and a trace requested later says
//! why there is none.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use crate::checkpoint::{Reader, ResumeFault, Writer};
use crate::control::{Control, End};
use crate::meter::Meter;
use crate::observer::Observer;
use crate::outcome::{Trace, TraceLost};
use crate::store::metered::MeteredVec;

const RECORD: usize = 8;
/// Bytes kept in memory before they are written.
const BUFFER: usize = 1 << 16;
/// Bytes read at a time on the way back.
const BLOCK: usize = 1 << 12;
/// The bits of a record that hold the event; the others hold the parent.
const EVENT_BITS: u32 = 24;

/// The predecessor log of one search.
pub(crate) struct PredecessorLog {
    /// Records that are not yet in the file.
    buffer: MeteredVec<u8>,
    file: Option<File>,
    /// Bytes in the file.
    written: u64,
    /// Why there is no log any more.
    lost: Option<TraceLost>,
}

impl PredecessorLog {
    /// A log, or one that keeps nothing.
    pub(crate) fn enabled(is_enabled: bool, meter: &Meter) -> Self {
        match is_enabled {
            true => PredecessorLog::new(meter),
            false => PredecessorLog::disabled(),
        }
    }

    fn new(meter: &Meter) -> Self {
        PredecessorLog { buffer: MeteredVec::new(meter), file: None, written: 0, lost: None }
    }

    fn disabled() -> Self {
        let lost = Some(TraceLost("traces were switched off".into()));
        PredecessorLog { buffer: MeteredVec::default(), file: None, written: 0, lost }
    }

    /// Makes room for this many records in the buffer, if that is allowed.
    pub(crate) fn room_for<V: Copy + PartialEq, O: Observer>(
        &mut self,
        records: usize,
        control: &mut Control<'_, V, O>,
    ) -> Result<(), End> {
        if self.lost.is_some() {
            return Ok(());
        }
        // The buffer is written to the file when it is full.
        self.buffer.room_for((records * RECORD).min(BUFFER - self.buffer.len()), control)
    }

    /// The next state was reached from `parent` by `event`. The initial state is its own parent.
    #[inline]
    pub(crate) fn append(&mut self, parent: u64, event: u32) {
        if self.lost.is_some() {
            return;
        }
        if event >> EVENT_BITS != 0 || parent >> (64 - EVENT_BITS) != 0 {
            return self.give_up("a state has too many steps for the trace log");
        }
        let record = parent << EVENT_BITS | u64::from(event);
        self.append_record(record.to_le_bytes());
    }

    #[inline]
    fn append_record(&mut self, record: [u8; RECORD]) {
        self.buffer.extend_from_slice(&record);
        if self.buffer.len() == BUFFER {
            self.spill();
        }
    }

    /// The events that lead from the initial state to state `number`, and `last` after them.
    pub(crate) fn path(&mut self, number: u64, last: u32) -> Trace {
        if let Some(lost) = &self.lost {
            return Err(lost.clone());
        }
        let result = self.read_path(number, last);
        if let (Some(file), Ok(_)) = (&mut self.file, &result)
            && let Err(error) = file.seek(SeekFrom::Start(self.written))
        {
            self.give_up(error);
        }
        result.map_err(|error| TraceLost(format!("the trace log cannot be read: {error}")))
    }

    fn read_path(&mut self, mut number: u64, last: u32) -> io::Result<Vec<u32>> {
        let mut block = Block::default();
        let mut events = vec![last];
        while number > 0 {
            let position = number * RECORD as u64;
            let record = match (position.checked_sub(self.written), &mut self.file) {
                (None, Some(file)) => block.record(file, self.written, position)?,
                (offset, _) => record_at(&self.buffer, offset.unwrap_or(0) as usize)?,
            };
            events.push((record & ((1 << EVENT_BITS) - 1)) as u32);
            number = record >> EVENT_BITS;
        }
        events.reverse();
        Ok(events)
    }

    /// Writes the log, or why there is none.
    pub(crate) fn save(&mut self, to: &mut Writer<'_>) -> io::Result<()> {
        to.flag(self.lost.is_none())?;
        if let Some(TraceLost(why)) = &self.lost {
            return to.bytes(why.as_bytes());
        }
        to.number(self.written + self.buffer.len() as u64)?;
        if let Some(file) = &mut self.file {
            let copied = copy(file, self.written, to);
            // Whatever happens, what is appended goes to the end.
            if let Err(error) = file.seek(SeekFrom::Start(self.written)) {
                self.give_up(error);
            }
            copied?;
        }
        to.put(&self.buffer)
    }

    /// Reads what `save` wrote into an empty log.
    pub(crate) fn load<V: Copy + PartialEq, O: Observer>(
        &mut self,
        from: &mut Reader<'_>,
        control: &mut Control<'_, V, O>,
    ) -> Result<(), End> {
        if !from.flag()? {
            self.buffer.release();
            self.lost = Some(TraceLost(String::from_utf8_lossy(&from.bytes()?).into_owned()));
            return Ok(());
        }
        let records = from.number()?;
        if records != control.stats.states * RECORD as u64 || self.lost.is_some() {
            return Err(ResumeFault::Mismatch.into());
        }
        for _ in 0..records / RECORD as u64 {
            self.room_for(1, control)?;
            let mut record = [0; RECORD];
            from.take(&mut record)?;
            if self.lost.is_none() {
                self.append_record(record);
            }
        }
        Ok(())
    }

    #[cold]
    fn spill(&mut self) {
        match self.write() {
            Ok(()) => {
                self.written += self.buffer.len() as u64;
                self.buffer.clear();
            }
            Err(error) => self.give_up(error),
        }
    }

    fn write(&mut self) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(tempfile::tempfile()?),
        };
        file.write_all(&self.buffer)
    }

    #[cold]
    fn give_up(&mut self, why: impl std::fmt::Display) {
        self.lost = Some(TraceLost(format!("the trace log was given up: {why}")));
        self.buffer.release();
        self.file = None;
    }
}

/// Copies the first bytes of a file.
fn copy(file: &mut File, bytes: u64, to: &mut Writer<'_>) -> io::Result<()> {
    file.seek(SeekFrom::Start(0))?;
    let (mut left, mut block) = (bytes, vec![0; BUFFER]);
    while left > 0 {
        let block = &mut block[..left.min(BUFFER as u64) as usize];
        file.read_exact(block)?;
        to.put(block)?;
        left -= block.len() as u64;
    }
    Ok(())
}

/// A piece of the file in memory.
#[derive(Default)]
struct Block {
    start: u64,
    bytes: Vec<u8>,
}

impl Block {
    /// The record at a position of a file of this length.
    fn record(&mut self, file: &mut File, length: u64, position: u64) -> io::Result<u64> {
        let start = position - position % BLOCK as u64;
        if self.bytes.is_empty() || self.start != start {
            self.start = start;
            self.bytes.resize((length - start).min(BLOCK as u64) as usize, 0);
            file.seek(SeekFrom::Start(start))?;
            file.read_exact(&mut self.bytes)?;
        }
        record_at(&self.bytes, (position - start) as usize)
    }
}

fn record_at(bytes: &[u8], offset: usize) -> io::Result<u64> {
    match bytes.get(offset..).and_then(|rest| rest.first_chunk()) {
        Some(record) => Ok(u64::from_le_bytes(*record)),
        None => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// PredecessorLog at all distances, events that tell the state.
    fn filled(states: u64) -> PredecessorLog {
        let mut predecessors = PredecessorLog::new(&Meter::unlimited());
        predecessors.append(0, 0);
        for number in 1..states {
            predecessors.append(parent_of(number), event_of(number));
        }
        predecessors
    }

    fn parent_of(number: u64) -> u64 {
        match number % 3 {
            0 => number - 1,
            1 => number / 2,
            _ => number - number.min(700),
        }
    }

    fn event_of(number: u64) -> u32 {
        (number % 1_000_003) as u32
    }

    fn expected(mut number: u64, last: u32) -> Vec<u32> {
        let mut events = vec![last];
        while number > 0 {
            events.push(event_of(number));
            number = parent_of(number);
        }
        events.reverse();
        events
    }

    #[test]
    fn a_small_log_stays_in_memory() {
        let mut predecessors = filled(8_000);
        assert!(predecessors.file.is_none());
        assert_eq!(predecessors.path(0, 5), Ok(vec![5]));
        assert_eq!(predecessors.path(7_999, 7), Ok(expected(7_999, 7)));
    }

    #[test]
    fn a_large_log_is_read_from_disk_and_written_further() {
        let mut predecessors = filled(600_000);
        assert!(predecessors.file.is_some());
        assert!(predecessors.buffer.capacity() <= BUFFER);
        for number in [599_999, 16_384, 16_383, 1, 400_001] {
            assert_eq!(predecessors.path(number, 3), Ok(expected(number, 3)));
        }
        for number in 600_000..900_000 {
            predecessors.append(parent_of(number), event_of(number));
        }
        assert_eq!(predecessors.path(899_999, 3), Ok(expected(899_999, 3)));
    }

    #[test]
    fn a_failed_write_loses_the_trace_and_says_why() {
        let mut predecessors = filled(200_000);
        let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let read_only = File::open(manifest).expect("the manifest is there");
        predecessors.file = Some(read_only);
        for number in 200_000..400_000 {
            predecessors.append(parent_of(number), event_of(number));
        }
        let lost = predecessors.path(5, 0).expect_err("nothing can be read");
        assert!(lost.to_string().contains("given up"), "{lost}");
        assert_eq!(predecessors.buffer.capacity(), 0);
    }

    #[test]
    fn an_event_that_does_not_fit_loses_the_trace() {
        let mut predecessors = filled(10);
        predecessors.append(3, u32::MAX);
        assert!(predecessors.path(2, 0).is_err());
    }

    #[test]
    fn a_disabled_log_keeps_nothing() {
        let mut predecessors = PredecessorLog::disabled();
        predecessors.append(0, 0);
        assert_eq!(predecessors.buffer.capacity(), 0);
        assert!(predecessors.path(0, 0).is_err());
    }
}
