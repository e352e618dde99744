//! The one file of a search: slots of equal size, each taken by one stream or free to be taken again.
//!
//! A slot holds blocks, one behind the other; a block is what is read or written at a time:
//!
//! | bytes | content |
//! |---|---|
//! | 4 | `psx` and the version of the format, 1 |
//! | 4 | the number of the stream |
//! | 4 | the number of the block in its stream |
//! | 4 | records that end in it |
//! | 4 | bytes of its payload |
//! | 8 | checksum of all the others |
//! | | payload |
//!
//! Numbers are little-endian. A block that is not the expected one in every respect is damage, not data.
//! One file, not one for each stream: there may be thousands of streams, and a process may open a thousand files.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::disk::{self, Disk, DiskFault, DiskStats, Medium};

/// The format, and its version.
const MAGIC: [u8; 4] = *b"psx\x01";
/// Bytes in front of a payload.
pub(crate) const HEADER: usize = 28;
/// Where the checksum is.
const CHECKSUM: std::ops::Range<usize> = 20..28;

/// Where a block is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    at: u64,
    /// Header and payload.
    bytes: u32,
    /// Records that end in it.
    pub(crate) records: u32,
}

/// A shared file of slots. All that its streams hold in memory is counted here too.
#[derive(Clone)]
pub(crate) struct SlotFile(Rc<Shared>);

struct Shared {
    /// Records in the buffers of streams and queues.
    buffered: Cell<u64>,
    slot_bytes: u64,
    slots: RefCell<Slots>,
}

struct Slots {
    disk: Disk,
    slot_bytes: u64,
    /// Made when something is written for the first time.
    medium: Option<Box<dyn Medium>>,
    /// Slots in the file,
    slots: u64,
    /// and those of them that are free.
    free: Vec<u64>,
    streams: u32,
    stats: DiskStats,
}

/// Slots of streams that ended with an error are given back too.
impl Drop for Slots {
    fn drop(&mut self) {
        self.disk.give_back((self.slots - self.free.len() as u64) * self.slot_bytes);
    }
}

impl SlotFile {
    pub(crate) fn new(disk: &Disk, slot_bytes: usize) -> SlotFile {
        let slot_bytes = slot_bytes.max(2 * HEADER) as u64;
        let slots = Slots {
            disk: disk.clone(),
            slot_bytes,
            medium: None,
            slots: 0,
            free: Vec::new(),
            streams: 0,
            stats: DiskStats::default(),
        };
        SlotFile(Rc::new(Shared { buffered: Cell::new(0), slot_bytes, slots: RefCell::new(slots) }))
    }

    /// Bytes of the largest payload.
    pub(crate) fn most_payload(&self) -> usize {
        self.0.slot_bytes as usize - HEADER
    }

    pub(crate) fn stats(&self) -> DiskStats {
        self.0.slots.borrow().stats
    }

    /// Records in the buffers of streams and queues.
    pub(crate) fn buffered(&self) -> u64 {
        self.0.buffered.get()
    }

    /// A buffer holds `now` records instead of `before`.
    pub(crate) fn count_buffered(&self, before: u64, now: u64) {
        self.0.buffered.set(self.0.buffered.get() + now - before);
    }

    /// A number for a stream that is going to be written.
    pub(crate) fn new_stream(&self) -> u32 {
        let mut slots = self.0.slots.borrow_mut();
        slots.stats.files += 1;
        slots.streams = slots.streams.wrapping_add(1);
        slots.streams
    }

    /// Takes a free slot. Its place in the file.
    pub(crate) fn take_slot(&self) -> Result<u64, DiskFault> {
        let mut slots = self.0.slots.borrow_mut();
        slots.disk.take(slots.slot_bytes)?;
        let slot = slots.free.pop().unwrap_or_else(|| {
            slots.slots += 1;
            slots.slots - 1
        });
        let used = slots.slots - slots.free.len() as u64;
        slots.stats.peak_bytes = slots.stats.peak_bytes.max(used * slots.slot_bytes);
        Ok(slot * slots.slot_bytes)
    }

    /// The slot at this place is free again.
    pub(crate) fn free_slot(&self, at: u64) {
        let mut slots = self.0.slots.borrow_mut();
        let slot = at / slots.slot_bytes;
        slots.free.push(slot);
        slots.disk.give_back(slots.slot_bytes);
    }

    /// The place of the slot that a block is in.
    pub(crate) fn slot_of(&self, block: Block) -> u64 {
        block.at - block.at % self.0.slot_bytes
    }

    /// Whether a payload of this many bytes fits behind a block, in its slot.
    pub(crate) fn fits_behind(&self, block: Block, payload: usize) -> bool {
        let end = block.at + u64::from(block.bytes) - self.slot_of(block);
        end + (HEADER + payload) as u64 <= self.0.slot_bytes
    }

    /// The place behind a block.
    pub(crate) fn behind(block: Block) -> u64 {
        block.at + u64::from(block.bytes)
    }

    /// Writes a block. In front of the payload there is room for the header.
    pub(crate) fn write(&self, at: u64, id: (u32, u32), records: u32, bytes: &mut [u8]) -> Result<Block, DiskFault> {
        fill_header(id, records, bytes);
        let mut slots = self.0.slots.borrow_mut();
        let Slots { medium, disk, stats, .. } = &mut *slots;
        let medium = match medium {
            Some(medium) => medium,
            none => none.insert(disk.create()?),
        };
        disk::write(medium.as_mut(), at, bytes)?;
        stats.blocks_written += 1;
        stats.bytes_written += bytes.len() as u64;
        stats.states_written += u64::from(records);
        Ok(Block { at, bytes: bytes.len() as u32, records })
    }

    /// Reads the payload of a block behind what is in `bytes`.
    pub(crate) fn read(&self, block: Block, id: (u32, u32), bytes: &mut Vec<u8>) -> Result<(), DiskFault> {
        let mut slots = self.0.slots.borrow_mut();
        let medium = slots.medium.as_mut().ok_or(DiskFault::Damaged)?;
        let start = bytes.len();
        bytes.resize(start + block.bytes as usize, 0);
        disk::read(medium.as_mut(), block.at, &mut bytes[start..])?;
        let read = &bytes[start..];
        let mut expected = [0; HEADER];
        expected.copy_from_slice(&read[..HEADER]);
        let sum = checksum(id, block.records, &read[HEADER..]);
        if expected != header(id, block.records, read.len() - HEADER, sum) {
            return Err(DiskFault::Damaged);
        }
        bytes.drain(start..start + HEADER);
        slots.stats.blocks_read += 1;
        slots.stats.bytes_read += u64::from(block.bytes);
        slots.stats.states_read += u64::from(block.records);
        Ok(())
    }
}

fn fill_header(id: (u32, u32), records: u32, bytes: &mut [u8]) {
    let (front, payload) = bytes.split_at_mut(HEADER);
    let sum = checksum(id, records, payload);
    front.copy_from_slice(&header(id, records, payload.len(), sum));
}

fn header((stream, number): (u32, u32), records: u32, payload: usize, sum: u64) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..4].copy_from_slice(&MAGIC);
    header[4..8].copy_from_slice(&stream.to_le_bytes());
    header[8..12].copy_from_slice(&number.to_le_bytes());
    header[12..16].copy_from_slice(&records.to_le_bytes());
    header[16..20].copy_from_slice(&(payload as u32).to_le_bytes());
    header[CHECKSUM].copy_from_slice(&sum.to_le_bytes());
    header
}

/// Eight bytes at a time are mixed into a sum by multiplication with an odd number and a shift, neither of which loses
/// anything: two payloads that differ in one place only have different sums.
pub(crate) fn checksum((stream, number): (u32, u32), records: u32, payload: &[u8]) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |sum: u64, word: u64| {
        let product = (sum ^ word).wrapping_mul(ODD);
        product ^ product >> 32
    };
    let (words, rest) = payload.as_chunks::<8>();
    let start = mix(u64::from(stream) << 32 | u64::from(number), u64::from(records) << 32 | payload.len() as u64);
    let sum = words.iter().fold(start, |sum, word| mix(sum, u64::from_le_bytes(*word)));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    mix(sum, u64::from_le_bytes(last))
}
