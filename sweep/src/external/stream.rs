//! Streams: records that are written one after the other, and read in that order, once or as often as wanted.
//!
//! Invariant: the blocks of a stream are in the order in which they were written, those in one slot next to each other; a
//! record is cut only where it is longer than a block. So a stream is read with one block in memory.

use statespace::Word;

use super::Workspace;
use super::disk::DiskFault;
use super::record::{Origin, PREFIX, Record};
use super::slots::{Block, HEADER, SlotFile};
use crate::measure::Progress;
use crate::meter::Account;

/// What was written to disk. Dropping it frees its slots.
pub(crate) struct Stream {
    file: SlotFile,
    /// Its number in the file; 0 if nothing was written.
    id: u32,
    blocks: Vec<Block>,
    /// The slots of this many blocks are free.
    freed: usize,
}

impl Stream {
    fn new(file: &SlotFile) -> Stream {
        Stream { file: file.clone(), id: 0, blocks: Vec::new(), freed: 0 }
    }

    /// Frees the slots that have only blocks before this one.
    fn free_until(&mut self, end: usize) {
        for number in self.freed..end {
            let slot = self.file.slot_of(self.blocks[number]);
            if self.blocks.get(number + 1).is_none_or(|&next| self.file.slot_of(next) != slot) {
                self.file.free_slot(slot);
            }
        }
        self.freed = self.freed.max(end);
    }

    /// Writes a block behind the others.
    fn write(&mut self, records: u32, bytes: &mut [u8]) -> Result<(), DiskFault> {
        if self.blocks.is_empty() {
            self.id = self.file.new_stream();
        }
        let at = match self.blocks.last() {
            Some(&last) if self.file.fits_behind(last, bytes.len() - HEADER) => SlotFile::behind(last),
            _ => self.file.take_slot()?,
        };
        let block = self.file.write(at, (self.id, self.blocks.len() as u32), records, bytes)?;
        self.blocks.push(block);
        Ok(())
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.free_until(self.blocks.len());
    }
}

/// A stream that is being written. Its end is in memory: a block at most.
pub(crate) struct Writer {
    stream: Stream,
    /// Room for a header, and the records that are not on disk yet.
    tail: Vec<u8>,
    buffered: u64,
    /// Records in all.
    len: u64,
    /// The progress of the last one.
    last: Progress,
    most_buffered: u64,
    account: Account,
}

/// More than the numbers of a record take.
const NUMBERS: usize = 64;

impl Writer {
    pub(crate) fn new(workspace: &Workspace) -> Writer {
        Writer {
            stream: Stream::new(&workspace.file),
            tail: Vec::new(),
            buffered: 0,
            len: 0,
            last: Progress::default(),
            most_buffered: workspace.options.block as u64,
            account: workspace.meter.account(),
        }
    }

    /// Records written.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Those of them that are in memory.
    pub(crate) fn buffered(&self) -> u64 {
        self.buffered
    }

    pub(crate) fn push(&mut self, record: Record<'_>) -> Result<(), DiskFault> {
        let most = HEADER + self.stream.file.most_payload();
        if self.buffered > 0 && self.tail.len() + NUMBERS + size_of_val(record.state) > most {
            self.flush()?;
        }
        if self.tail.is_empty() {
            self.tail.resize(HEADER, 0);
        }
        record.encode(self.last, &mut self.tail);
        self.last = record.progress;
        self.len += 1;
        self.count_buffered(self.buffered + 1);
        if self.buffered >= self.most_buffered || self.tail.len() > most { self.flush() } else { Ok(()) }
    }

    fn count_buffered(&mut self, now: u64) {
        self.stream.file.count_buffered(self.buffered, now);
        self.buffered = now;
        self.account.set(self.tail.capacity() + self.stream.blocks.capacity() * size_of::<Block>());
    }

    /// Writes everything to disk.
    pub(crate) fn flush(&mut self) -> Result<(), DiskFault> {
        let most = self.stream.file.most_payload();
        let mut rest = self.tail.len().saturating_sub(HEADER);
        // A record that is longer than a block is cut.
        while rest > most {
            self.stream.write(0, &mut self.tail[..HEADER + most])?;
            self.tail.drain(HEADER..HEADER + most);
            rest -= most;
        }
        if rest > 0 {
            self.stream.write(self.buffered as u32, &mut self.tail)?;
        }
        self.tail.clear();
        self.count_buffered(0);
        Ok(())
    }

    /// Reads everything, and frees what has been read. The end need not be written for that.
    pub(crate) fn into_reader(mut self) -> Reader {
        let empty = Stream::new(&self.stream.file);
        let stream = std::mem::replace(&mut self.stream, empty);
        let mut reader = Reader::new(stream.file.clone(), (stream.id, self.len), Blocks::Own(stream));
        reader.tail = std::mem::take(&mut self.tail);
        reader.tail_records = std::mem::take(&mut self.buffered);
        reader.account = std::mem::take(&mut self.account);
        reader
    }

    /// Reads everything as often as wanted, while this writer is there. It must have been flushed.
    pub(crate) fn reader(&self) -> Reader {
        debug_assert_eq!(self.buffered, 0, "the end is on disk");
        let stream = &self.stream;
        Reader::new(stream.file.clone(), (stream.id, self.len), Blocks::Lent(stream.blocks.clone()))
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.stream.file.count_buffered(self.buffered, 0);
    }
}

/// The blocks that a reader reads.
enum Blocks {
    /// It frees what it has read.
    Own(Stream),
    /// Somebody else keeps them.
    Lent(Vec<Block>),
}

impl Blocks {
    fn all(&self) -> &[Block] {
        match self {
            Blocks::Own(stream) => &stream.blocks,
            Blocks::Lent(blocks) => blocks,
        }
    }
}

/// A stream that is being read. One record is looked at, the *head*: first `advance`, then look.
pub(crate) struct Reader {
    file: SlotFile,
    id: u32,
    blocks: Blocks,
    /// How many of them have been read.
    read: usize,
    /// What was read of them, from `position` on not decoded yet.
    bytes: Vec<u8>,
    position: usize,
    /// Records in `bytes`, the decoded ones included.
    buffered: u64,
    /// Behind the last block: what never was on disk, with room for a header in front.
    tail: Vec<u8>,
    tail_records: u64,
    /// Records that have not been the head.
    left: u64,
    head: Option<(Progress, Origin)>,
    state: Vec<Word>,
    last: Progress,
    account: Account,
}

impl Reader {
    fn new(file: SlotFile, (id, left): (u32, u64), blocks: Blocks) -> Reader {
        Reader {
            file,
            id,
            blocks,
            read: 0,
            bytes: Vec::new(),
            position: 0,
            buffered: 0,
            tail: Vec::new(),
            tail_records: 0,
            left,
            head: None,
            state: Vec::new(),
            last: Progress::default(),
            account: Account::default(),
        }
    }

    /// The head, if there is one.
    pub(crate) fn head(&self) -> Option<Record<'_>> {
        self.head.map(|(progress, origin)| Record { progress, origin, state: &self.state })
    }

    /// The progress of the head.
    pub(crate) fn progress(&self) -> Option<Progress> {
        self.head.map(|(progress, _)| progress)
    }

    /// The next record becomes the head; at the end there is none.
    pub(crate) fn advance(&mut self) -> Result<(), DiskFault> {
        if self.left == 0 {
            self.head = None;
            return self.end();
        }
        let length = self.take(PREFIX, |bytes| bytes.first_chunk().map_or(0, |length| u32::from_le_bytes(*length)))?;
        let (last, mut state) = (self.last, std::mem::take(&mut self.state));
        let decoded = self.take(length as usize, |body| Record::decode(body, last, &mut state))?;
        self.state = state;
        let (progress, origin) = decoded?;
        self.head = Some((progress, origin));
        self.last = progress;
        self.left -= 1;
        Ok(())
    }

    /// Takes this many bytes, and reads blocks until there are as many.
    fn take<T>(&mut self, length: usize, decode: impl FnOnce(&[u8]) -> T) -> Result<T, DiskFault> {
        while self.bytes.len() - self.position < length {
            self.fill()?;
        }
        let taken = decode(&self.bytes[self.position..self.position + length]);
        self.position += length;
        Ok(taken)
    }

    /// Reads one more block.
    fn fill(&mut self) -> Result<(), DiskFault> {
        self.bytes.drain(..self.position);
        let before = if self.bytes.is_empty() { self.buffered } else { 0 };
        self.position = 0;
        let number = self.read;
        self.read += 1;
        let records = match self.blocks.all().get(number) {
            Some(&block) => {
                self.file.read(block, (self.id, number as u32), &mut self.bytes)?;
                if let Blocks::Own(stream) = &mut self.blocks {
                    stream.free_until(number);
                }
                u64::from(block.records)
            }
            None if self.tail.len() > HEADER => {
                self.bytes.extend_from_slice(&self.tail[HEADER..]);
                self.tail = Vec::new();
                std::mem::take(&mut self.tail_records)
            }
            None => return Err(DiskFault::Damaged),
        };
        let now = self.buffered - before + records;
        let counted = if number < self.blocks.all().len() { records } else { 0 };
        self.file.count_buffered(before, counted);
        self.buffered = now;
        self.account.set(self.bytes.capacity() + self.tail.capacity() + size_of_val(self.blocks.all()));
        Ok(())
    }

    /// Nothing is left, neither of records nor of bytes.
    fn end(&mut self) -> Result<(), DiskFault> {
        let is_read = self.position == self.bytes.len() && self.read >= self.blocks.all().len();
        if is_read { Ok(()) } else { Err(DiskFault::Damaged) }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.file.count_buffered(self.buffered + self.tail_records, 0);
    }
}
