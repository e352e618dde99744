//! The states of a layer, one after the other, in chunks of about a megabyte that never move.
//!
//! Invariant: every chunk but the last holds exactly `1 << shift` states, so the chunk of a state is a shift of its id.
//! States of a fixed length are found by multiplication; of states of different lengths each chunk also keeps the ends,
//! four bytes a state. The first chunk starts small and grows by a part of it, so that a layer of three states is small.

use statespace::Word;

use super::StateId;
use super::metered::BLOCK;

/// About how many words a chunk holds.
const CHUNK_WORDS: usize = 1 << 18;
/// The most states in a chunk of states of different lengths: the first may be short, and later ones long.
const VARIABLE_STATES: usize = 1 << 12;
/// A chunk of this many words is small.
const SMALL: usize = 1 << 6;
/// The least capacity of a chunk, in states.
const FIRST_STATES: usize = 4;

/// A growing sequence of states.
pub(super) struct Arena {
    /// The length of every state, if all have the same.
    fixed: Option<usize>,
    chunks: Vec<Chunk>,
    /// Binary logarithm of the states in a chunk; chosen when the first state shows how long states are.
    shift: u32,
    len: u32,
    /// The number of states at which the last chunk must grow or a new one begin.
    full_at: u32,
    /// Bytes allocated by all chunks.
    bytes: usize,
}

#[derive(Default)]
struct Chunk {
    words: Vec<Word>,
    /// Where each state ends in `words`; unused when the length is fixed.
    ends: Vec<u32>,
}

impl Arena {
    pub(super) fn new(fixed: Option<usize>) -> Self {
        Arena { fixed, chunks: Vec::new(), shift: 0, len: 0, full_at: 0, bytes: 0 }
    }

    /// The length of every state, if all have the same.
    pub(super) fn fixed(&self) -> Option<usize> {
        self.fixed
    }

    /// Deletes all states; a single chunk stays for the next.
    pub(super) fn clear(&mut self) {
        match self.chunks.as_mut_slice() {
            [chunk] => {
                chunk.words.clear();
                chunk.ends.clear();
                self.len = 0;
            }
            _ => *self = Arena::new(self.fixed),
        }
    }

    pub(super) fn len(&self) -> u32 {
        self.len
    }

    /// Bytes allocated, the list of chunks and what the allocator adds included.
    pub(super) fn bytes(&self) -> usize {
        let blocks = match self.chunks.len() {
            0 => 0,
            chunks => 1 + chunks * self.chunk_blocks(),
        };
        self.bytes + self.chunks.capacity() * size_of::<Chunk>() + blocks * BLOCK
    }

    /// Blocks of memory of a chunk.
    fn chunk_blocks(&self) -> usize {
        if self.fixed.is_some() { 1 } else { 2 }
    }

    #[inline(always)]
    pub(super) fn get(&self, id: StateId) -> &[Word] {
        let chunk = &self.chunks[(id.0 >> self.shift) as usize];
        let slot = (id.0 & ((1 << self.shift) - 1)) as usize;
        match self.fixed {
            Some(length) => &chunk.words[slot * length..][..length],
            None => {
                let start = slot.checked_sub(1).map_or(0, |before| chunk.ends[before]);
                &chunk.words[start as usize..chunk.ends[slot] as usize]
            }
        }
    }

    /// Bytes that `push` of a state of `length` words would allocate, at most.
    #[inline]
    pub(super) fn growth(&self, length: usize) -> usize {
        if self.has_room(length) { 0 } else { self.allocation(length) }
    }

    /// Appends a state. Its id is the number of states before it.
    #[inline]
    pub(super) fn push(&mut self, state: &[Word]) -> StateId {
        assert!(
            self.fixed.is_none_or(|length| length == state.len()),
            "all states of a layer with a fixed length have it"
        );
        if !self.has_room(state.len()) {
            self.make_room(state.len());
        }
        let id = StateId(self.len);
        if let Some(chunk) = self.chunks.last_mut() {
            chunk.words.extend_from_slice(state);
            if self.fixed.is_none() {
                chunk.ends.push(chunk.words.len() as u32);
            }
        }
        self.len += 1;
        id
    }

    /// Can a state be appended without an allocation?
    #[inline]
    pub(super) fn has_room(&self, length: usize) -> bool {
        let words = |chunk: &Chunk| chunk.words.capacity() - chunk.words.len() >= length;
        self.len < self.full_at && (self.fixed.is_some() || self.chunks.last().is_some_and(words))
    }

    #[cold]
    fn allocation(&self, length: usize) -> usize {
        match self.chunks.last() {
            Some(chunk) if !self.last_is_complete() => {
                let (words, ends) = self.capacities(chunk, length);
                (words - chunk.words.capacity()) * size_of::<Word>() + (ends - chunk.ends.capacity()) * size_of::<u32>()
            }
            _ => self.chunk_allocation(length),
        }
    }

    /// Allocates what the next state of `length` words needs.
    #[cold]
    pub(super) fn make_room(&mut self, length: usize) {
        if self.last_is_complete() {
            self.open_chunk(length);
        }
        if let Some(mut chunk) = self.chunks.pop() {
            let (words, ends) = self.capacities(&chunk, length);
            let states = match self.fixed {
                Some(length) => (words / length.max(1)).min(1 << self.shift),
                None => ends,
            };
            let before = (self.chunks.len() as u32) << self.shift;
            self.full_at = before.saturating_add(states as u32);
            self.bytes += enlarge(&mut chunk.words, words) + enlarge(&mut chunk.ends, ends);
            self.chunks.push(chunk);
        }
    }

    /// Is there no chunk, or are there all the states in the last one that it may have?
    fn last_is_complete(&self) -> bool {
        self.len as usize == self.chunks.len() << self.shift
    }

    /// Capacities in words and ends that the last chunk needs to take one more state.
    fn capacities(&self, chunk: &Chunk, length: usize) -> (usize, usize) {
        let states = 1usize << self.shift;
        let needed = chunk.words.len() + length;
        let most = self.fixed.map_or(usize::MAX, |length| length * states);
        let words = capacity(chunk.words.capacity(), needed, length * FIRST_STATES, most);
        let ends = match self.fixed {
            Some(_) => 0,
            None => capacity(chunk.ends.capacity(), chunk.ends.len() + 1, FIRST_STATES, states),
        };
        (words, ends)
    }

    /// Bytes that opening a chunk for a state of `length` words allocates, at most.
    fn chunk_allocation(&self, length: usize) -> usize {
        let list = match self.chunks.len() == self.chunks.capacity() {
            true => self.chunks.capacity().max(4) * size_of::<Chunk>(),
            false => 0,
        };
        let least = length * FIRST_STATES;
        let words = capacity(self.expected_words(), length, least, usize::MAX);
        let ends = FIRST_STATES << self.shift;
        let blocks = (1 + self.chunk_blocks()) * BLOCK;
        list + words * size_of::<Word>() + ends * size_of::<u32>() + blocks
    }

    /// The words to expect in a new chunk: none is known for the first, later ones are like the one before.
    fn expected_words(&self) -> usize {
        self.chunks.last().map_or(0, |chunk| chunk.words.len())
    }

    fn open_chunk(&mut self, length: usize) {
        let expected = self.expected_words();
        if let Some(last) = self.chunks.last_mut() {
            let before = last.words.capacity();
            last.words.shrink_to_fit();
            self.bytes -= (before - last.words.capacity()) * size_of::<Word>();
        } else {
            let states = CHUNK_WORDS / length.max(1);
            // Most layers of a sweep never need a second chunk.
            self.chunks.reserve_exact(1);
            let most = self.fixed.map_or(VARIABLE_STATES, |_| CHUNK_WORDS);
            self.shift = states.clamp(FIRST_STATES, most).ilog2();
        }
        let mut chunk = Chunk::default();
        self.bytes += enlarge(&mut chunk.words, expected);
        if !self.chunks.is_empty() && self.fixed.is_none() {
            self.bytes += enlarge(&mut chunk.ends, 1 << self.shift);
        }
        self.chunks.push(chunk);
    }
}

/// The capacity to have when `needed` must fit: the present one, or if that is small about twice it, or else a quarter
/// more, within bounds.
fn capacity(present: usize, needed: usize, least: usize, most: usize) -> usize {
    let more = (present / 4).max(present.min(SMALL));
    if needed <= present { present } else { (present + more).max(least).max(needed).min(most) }
}

/// Makes the capacity at least `wanted`; returns the bytes that were added.
fn enlarge<T>(items: &mut Vec<T>, wanted: usize) -> usize {
    let before = items.capacity();
    if wanted > before {
        items.reserve_exact(wanted - items.len());
    }
    (items.capacity() - before) * size_of::<T>()
}
