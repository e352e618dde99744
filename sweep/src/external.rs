//! Searches that keep states on disk: what their files and queues are made of.
//!
//! Whatever waits is a [`record::Record`]: a state with its progress and how it was reached. Records are written one after
//! the other into streams, which share one file of slots; a sorted stream is a run. From the bottom up: `disk` (what the run
//! may use, and every read and write), `slots`, `record`, `stream`, `merge`, `sorted_set`; on them the insertion buffer,
//! the array heap, the radix heap, the queue, and what waits in two of them; and a layer that is in memory as far as there is
//! room.

pub(crate) mod array_heap;
pub(crate) mod disk;
pub(crate) mod insertion_buffer;
pub(crate) mod layer;
pub(crate) mod merge;
pub(crate) mod queue;
pub(crate) mod radix_heap;
pub(crate) mod record;
pub(crate) mod slots;
pub(crate) mod sorted_set;
pub(crate) mod sorter;
pub(crate) mod stream;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod waiting;

pub use disk::{Access, Disk, DiskFault, DiskStats, Medium, Storage};

use crate::meter::Meter;
use slots::SlotFile;

/// The priority queue of a sweep in external memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum QueueKind {
    /// Sorted runs in levels, merged when a level is full. Brengel, Crauser, Ferragina, Meyer, WAE 1999.
    Array,
    /// A file for each highest bit in which progress differs from that of the sweep-line, which never goes back in one
    /// sweep. The same paper, after Ahuja, Mehlhorn, Orlin, Tarjan, J. ACM 37(2), 1990.
    #[default]
    Radix,
}

/// The parameters of searches in external memory; by default those of Evangelista, Kristensen, SPIN 2012.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExternalOptions {
    /// The queue of a sweep.
    pub queue: QueueKind,
    /// The runs in a level of an array heap (μ); at least 2.
    pub fan_in: usize,
    /// States in an insertion buffer (T).
    pub buffer: usize,
    /// States that are written when it is full (B).
    pub spill: usize,
    /// States that are read or written at a time (K).
    pub block: usize,
    /// The most states of a layer in memory: of a larger one, only a part is at a time. `None`: as many as the meter allows.
    pub max_loaded: Option<u32>,
    /// Bytes of a slot of the file. A block is no larger.
    pub slot_bytes: usize,
}

impl Default for ExternalOptions {
    fn default() -> Self {
        ExternalOptions {
            queue: QueueKind::default(),
            fan_in: 10,
            buffer: 20_000,
            spill: 10_000,
            block: 1_000,
            max_loaded: None,
            slot_bytes: 1 << 16,
        }
    }
}

/// Of the memory that the meter allows an insertion buffer has one part in this many, and a slot one in `SLOTS`: a small limit
/// is one for states.
const BUFFERS: usize = 16;
const SLOTS: usize = 256;
/// A slot of this many bytes is small enough.
const LEAST_SLOT: usize = 1 << 12;
/// About how many bytes a state takes in an insertion buffer, with two tables, besides its words,
const BUFFERED: usize = 100;
/// for each word of it,
const WORD: usize = 2 * size_of::<statespace::Word>();
/// and of how many words it is if that is not known.
const WORDS: usize = 20;

/// How many states an insertion buffer may have, of the memory that the meter allows.
fn buffered_in(most: usize, fixed_words: Option<usize>) -> usize {
    most / BUFFERS / (BUFFERED + WORD * fixed_words.unwrap_or(WORDS))
}

/// The file of one search, and how it is used.
#[derive(Clone)]
pub(crate) struct Workspace {
    pub(crate) file: SlotFile,
    pub(crate) options: ExternalOptions,
    pub(crate) meter: Meter,
    /// The number of words of every state, if they all have the same.
    pub(crate) fixed_words: Option<usize>,
}

impl Workspace {
    /// For a search that was in memory before: its queues may have their part of it.
    pub(crate) fn after_memory(options: ExternalOptions, fixed_words: Option<usize>, meter: &Meter) -> Workspace {
        let most = meter.max_bytes().map_or(0, |most| buffered_in(most, fixed_words));
        let buffer = options.buffer.max(most / 2);
        let spill = if buffer > options.buffer { buffer / 2 } else { options.spill };
        Workspace::new(ExternalOptions { buffer, spill, ..options }, fixed_words, meter)
    }

    pub(crate) fn new(options: ExternalOptions, fixed_words: Option<usize>, meter: &Meter) -> Workspace {
        let (buffer, slot_bytes) = match meter.max_bytes() {
            None => (options.buffer, options.slot_bytes),
            Some(most) => (
                options.buffer.min(buffered_in(most, fixed_words)),
                options.slot_bytes.min((most / SLOTS).max(LEAST_SLOT)),
            ),
        };
        let buffer = buffer.max(2);
        let options = ExternalOptions {
            fan_in: options.fan_in.max(2),
            buffer,
            spill: options.spill.clamp(1, buffer - 1),
            block: options.block.max(1),
            max_loaded: options.max_loaded.map(|most| most.max(1)),
            slot_bytes,
            ..options
        };
        let file = SlotFile::new(meter.disk(), slot_bytes);
        Workspace { file, options, meter: meter.clone(), fixed_words }
    }
}
