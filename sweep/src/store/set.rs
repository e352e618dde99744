//! States that are only asked for: which of them are known, in as few bytes as they need.
//!
//! States are packed and scrambled, and stand in buckets of one or a few cache lines: at home in the one that their first
//! bits select, or, if that is full, in the first one after it that is not. The last byte of a bucket has the number of
//! its states and four overflow bits; each bucket passed over sets the one that the state selects. So a lookup reads one
//! bucket, and goes on to the next only if something like it may have gone there.
//! Invariants: a bucket with overflow bits is full, and nothing is ever removed; the set is never quite full.
//!
//! Buckets are in the order of the states they are home to. A larger set is therefore filled from front to back as the
//! smaller one is emptied from front to back, and growing needs hardly more memory than having grown; unless states are
//! packed in a new way, which is seldom.
//!
//! Several states can be announced before they are put in, one after the other: then the cache misses of their lookups
//! overlap.

use std::hint::black_box;

use interp::space::Word;

use super::packing::Packing;
use super::scramble::Scramble;

const LINE: usize = 64;
/// The most states in a bucket: their number has four bits.
const MOST_SLOTS: usize = 15;
const COUNT: u8 = 15;
/// A bucket of one line more is taken if it saves this part of the memory.
const WORTH_A_LINE: f64 = 0.07;
const MOST_LINES: usize = 4;
/// Bytes of a piece of the set.
const CHUNK: usize = 1 << 20;
/// So many per cent of the slots are used before the set grows.
const FULL: usize = 88;
/// Sets up to this size double. Larger ones grow by a quarter: memory counts more than time.
const DOUBLING_BYTES: usize = 1 << 20;

/// A set of states.
pub struct StateSet {
    packing: Packing,
    table: Table,
    len: usize,
    limit: usize,
    announced: Announced,
    /// A state that was not announced.
    pieces: Vec<u64>,
}

/// States that will be put in.
#[derive(Default)]
struct Announced {
    /// Of each, if it fits, the bucket where it is at home.
    homes: Vec<Option<usize>>,
    /// Of each, if it fits, what is looked for; otherwise anything.
    pieces: Vec<u64>,
    /// How many were put in.
    next: usize,
}

/// How buckets are divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    /// Bytes of a bucket.
    bucket: usize,
    /// Bytes of a slot.
    slot: usize,
    slots: usize,
    /// The bits of the first eight bytes of a slot that belong to it.
    head: u64,
    scramble: Scramble,
}

/// A packed state as it is compared: its first and last eight bytes, which overlap or are the same if it is short.
#[derive(Clone, Copy)]
struct Packed<'p> {
    first: u64,
    last: u64,
    pieces: &'p [u64],
}

impl Shape {
    /// For states of so many bits.
    fn new(bits: usize) -> Self {
        let (slot, scramble) = (bits.div_ceil(8), Scramble::new(bits));
        let of = |bucket: usize| {
            // The first eight bytes of a slot are read and written at once, but must not reach the last byte.
            let heads = (bucket - 9) / slot.max(1) + 1;
            let slots = ((bucket - 1) / slot.max(1)).min(heads).min(MOST_SLOTS);
            let head = if slot < 8 { (1 << (8 * slot)) - 1 } else { u64::MAX };
            Shape { bucket, slot, slots, head, scramble }
        };
        let least = (slot + 1).div_ceil(LINE);
        let mut best = of(least * LINE);
        for lines in least + 1..=(least * MOST_LINES) {
            let next = of(lines * LINE);
            let cost = |shape: Shape| shape.bucket as f64 / shape.slots as f64;
            if cost(next) < cost(best) * (1.0 - WORTH_A_LINE) {
                best = next;
            }
        }
        best
    }

    /// How a packed state is compared.
    #[inline]
    fn packed(self, pieces: &[u64]) -> Packed<'_> {
        let last = match self.slot.checked_sub(8) {
            None => pieces[0],
            Some(at) => {
                let (piece, shift) = (at / 8, 8 * (at % 8) as u32);
                let next = pieces.get(piece + 1).map_or(0, |next| next << 1 << (63 - shift));
                pieces[piece] >> shift | next
            }
        };
        Packed { first: pieces[0], last, pieces }
    }

    /// Where the last eight bytes of a slot begin.
    #[inline]
    fn last(self) -> usize {
        self.slot.saturating_sub(8)
    }

    /// Whether a slot, known to begin with the same eight bytes, holds a packed state.
    #[inline]
    fn holds(self, slot: &[u8], packed: Packed) -> bool {
        let is_last = read(slot, self.last()) & self.head == packed.last;
        let between = || packed.pieces[1..self.last().div_ceil(8)].iter().enumerate();
        is_last && (self.slot <= 16 || between().all(|(nth, &piece)| read(slot, 8 * nth + 8) == piece))
    }

    /// Writes a packed state to a slot.
    #[inline]
    fn write(self, slot: &mut [u8], packed: Packed) {
        for (nth, &piece) in packed.pieces[..self.last().div_ceil(8)].iter().enumerate() {
            write(slot, 8 * nth, piece);
        }
        write(slot, self.last(), packed.last);
    }

    /// Reads the pieces of a packed state from a slot.
    #[inline]
    fn pieces(self, slot: &[u8], pieces: &mut [u64]) {
        let whole = self.slot / 8;
        for (nth, piece) in pieces[..whole].iter_mut().enumerate() {
            *piece = read(slot, 8 * nth);
        }
        if let Some(rest) = pieces.get_mut(whole) {
            let known = if self.slot < 8 { 0 } else { 8 * (8 - self.slot % 8) as u32 };
            *rest = (read(slot, self.last()) & self.head).unbounded_shr(known);
        }
    }

    /// Buckets in a chunk: a power of two.
    fn buckets_log2(self) -> u32 {
        (CHUNK / self.bucket).max(1).ilog2()
    }
}

/// The buckets, in chunks.
struct Table {
    shape: Shape,
    chunks: Vec<Chunk>,
    chunk_log2: u32,
    buckets: usize,
}

/// Some buckets, the first of which begins a cache line.
#[derive(Default)]
struct Chunk {
    bytes: Vec<u8>,
    start: usize,
}

impl Chunk {
    fn new(bytes: usize) -> Self {
        let bytes = vec![0; bytes + LINE];
        let start = bytes.as_ptr().align_offset(LINE).min(LINE);
        Chunk { bytes, start }
    }
}

impl StateSet {
    /// An empty set of states of the given number of words, or of any number, which use so many bits of each word, from
    /// the lowest; words that are not listed may use all.
    pub fn new(fixed_words: Option<usize>, word_bits: &[u8]) -> Self {
        let packing = Packing::new(fixed_words, word_bits);
        let mut table = Table::new(Shape::new(packing.bits()), 1);
        table.complete();
        let (limit, pieces) = (table.limit(), vec![0; packing.pieces()]);
        StateSet { packing, table, len: 0, limit, announced: Announced::default(), pieces }
    }

    /// How many states there are.
    pub fn len(&self) -> u64 {
        self.len as u64
    }

    /// Is there no state?
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes allocated.
    pub fn bytes(&self) -> usize {
        self.table.bytes()
    }

    /// Bytes that inserting this state could allocate if it is new; mostly 0.
    #[inline]
    pub fn growth(&self, state: &[Word]) -> usize {
        match self.has_room(state) {
            true => 0,
            false => {
                let larger = self.larger(state).bytes_when_complete();
                // While a larger set is filled in the same order, a chunk of each is there twice; in another, everything is.
                let twice = match self.packing.widened(state) == self.packing {
                    true => self.bytes().min(2 * (CHUNK + LINE)),
                    false => self.bytes(),
                };
                larger.saturating_sub(self.bytes()) + twice
            }
        }
    }

    /// Is this state in the set?
    pub fn contains(&mut self, state: &[Word]) -> bool {
        self.pack(state) && self.table.find(self.table.shape.packed(&self.pieces)).is_ok()
    }

    /// Adds a state unless it is there; says whether it was not.
    pub fn insert(&mut self, state: &[Word]) -> bool {
        if !self.has_room(state) && !self.contains(state) {
            self.make_room(state);
        }
        self.insert_in_room(state)
    }

    /// The same where there is room, or the state is there. If states are announced, it is the next of them.
    #[inline]
    pub(super) fn insert_in_room(&mut self, state: &[Word]) -> bool {
        let count = self.packing.pieces();
        let at = self.announced.next * count;
        let pieces = match self.announced.homes.get(self.announced.next) {
            Some(_) => &self.announced.pieces[at..at + count],
            None => {
                self.pack(state);
                &self.pieces
            }
        };
        self.announced.next += 1;
        let packed = self.table.shape.packed(pieces);
        let Err(place) = self.table.find(packed) else { return false };
        self.table.insert(place, packed);
        self.len += 1;
        true
    }

    /// These states will be put in, in this order, and nothing else before them: brings their buckets near, all at once
    /// instead of one after the other.
    #[inline]
    pub fn announce<'s>(&mut self, states: impl Iterator<Item = &'s [Word]>) {
        let (count, shape) = (self.packing.pieces(), self.table.shape);
        let Announced { homes, pieces, next } = &mut self.announced;
        homes.clear();
        pieces.clear();
        *next = 0;
        for state in states {
            let at = pieces.len();
            pieces.resize(at + count, 0);
            homes.push(self.packing.pack(state, &mut pieces[at..]).then(|| {
                shape.scramble.scramble(&mut pieces[at..]);
                self.table.home(&pieces[at..])
            }));
        }
        // A loop of its own, so short that many misses are under way at a time.
        let near = homes.iter().flatten().map(|&home| {
            let bucket = self.table.bucket(home);
            bucket[0] ^ bucket[shape.bucket - 1]
        });
        black_box(near.fold(0, |all, near| all ^ near));
    }

    /// Packs a state; says whether it fits.
    fn pack(&mut self, state: &[Word]) -> bool {
        let fits = self.packing.pack(state, &mut self.pieces);
        self.table.shape.scramble.scramble(&mut self.pieces);
        fits
    }

    /// Can this state be added as things are?
    #[inline]
    fn has_room(&self, state: &[Word]) -> bool {
        let fits = self.announced.homes.get(self.announced.next).map(Option::is_some);
        self.len < self.limit && fits.unwrap_or_else(|| self.packing.widened(state) == self.packing)
    }

    /// The empty table of a set that has room for this state too.
    fn larger(&self, state: &[Word]) -> Table {
        let shape = Shape::new(self.packing.widened(state).bits());
        let needed = match self.len < self.limit {
            true => self.limit,
            false if self.bytes() < DOUBLING_BYTES => 2 * self.len,
            false => self.len + self.len / 4,
        };
        Table::new(shape, Table::buckets_for(shape, needed))
    }

    /// Makes room for a state that is not there.
    #[cold]
    pub(super) fn make_room(&mut self, state: &[Word]) {
        let table = self.larger(state);
        let packing = self.packing.widened(state);
        let old_packing = std::mem::replace(&mut self.packing, packing);
        let old = std::mem::replace(&mut self.table, table);
        self.limit = self.table.limit();
        let (shape, mut words, mut pieces) = (old.shape, Vec::new(), vec![0; old_packing.pieces()]);
        self.pieces.resize(self.packing.pieces(), 0);
        let is_packed = self.packing == old_packing;
        old.drain(|slot| {
            shape.pieces(slot, &mut pieces);
            match is_packed {
                true => self.pieces.copy_from_slice(&pieces),
                false => {
                    shape.scramble.unscramble(&mut pieces);
                    old_packing.unpack(&pieces, &mut words);
                    self.pack(&words);
                }
            }
            let home = self.table.home(&self.pieces);
            self.table.insert(home, self.table.shape.packed(&self.pieces));
        });
        self.table.complete();
        if !is_packed {
            // What was announced is packed in the old way.
            self.announced = Announced::default();
        }
    }
}

impl Table {
    /// An empty table of so many buckets; none of them is allocated yet.
    fn new(shape: Shape, buckets: usize) -> Self {
        let chunk_log2 = shape.buckets_log2();
        let mut chunks = Vec::new();
        chunks.resize_with(buckets.div_ceil(1 << chunk_log2), Chunk::default);
        Table { shape, chunks, chunk_log2, buckets }
    }

    fn buckets_for(shape: Shape, states: usize) -> usize {
        (states * 100).div_ceil(shape.slots * FULL) + 1
    }

    /// How many states may be in the table.
    fn limit(&self) -> usize {
        self.buckets * self.shape.slots * FULL / 100
    }

    fn bytes(&self) -> usize {
        let chunks: usize = self.chunks.iter().map(|chunk| chunk.bytes.capacity()).sum();
        chunks + self.chunks.capacity() * size_of::<Chunk>()
    }

    fn bytes_when_complete(&self) -> usize {
        self.buckets * self.shape.bucket + self.chunks.len() * (LINE + size_of::<Chunk>())
    }

    /// Allocates all that is not.
    fn complete(&mut self) {
        for chunk in 0..self.chunks.len() {
            self.allocate(chunk);
        }
    }

    fn allocate(&mut self, chunk: usize) {
        if self.chunks[chunk].bytes.is_empty() {
            let buckets = (self.buckets - (chunk << self.chunk_log2)).min(1 << self.chunk_log2);
            self.chunks[chunk] = Chunk::new(buckets * self.shape.bucket);
        }
    }

    #[inline]
    fn home(&self, pieces: &[u64]) -> usize {
        (((self.shape.scramble.rank(pieces) >> 32) * self.buckets as u64) >> 32) as usize
    }

    #[inline]
    fn after(&self, bucket: usize) -> usize {
        if bucket + 1 == self.buckets { 0 } else { bucket + 1 }
    }

    #[inline]
    fn bucket(&self, number: usize) -> &[u8] {
        let Chunk { bytes, start } = &self.chunks[number >> self.chunk_log2];
        let at = start + (number & ((1 << self.chunk_log2) - 1)) * self.shape.bucket;
        &bytes[at..at + self.shape.bucket]
    }

    #[inline]
    fn bucket_mut(&mut self, number: usize) -> &mut [u8] {
        let bucket = self.shape.bucket;
        let Chunk { bytes, start } = &mut self.chunks[number >> self.chunk_log2];
        let at = *start + (number & ((1 << self.chunk_log2) - 1)) * bucket;
        &mut bytes[at..at + bucket]
    }

    /// Whether a packed state is there; if not, the bucket where it may be put.
    #[inline]
    fn find(&self, packed: Packed) -> Result<(), usize> {
        let shape = self.shape;
        let mut home = self.home(packed.pieces);
        loop {
            let bucket = self.bucket(home);
            let mark = bucket[shape.bucket - 1];
            // All slots are looked at, so that nothing depends on where the state is.
            let equal = |slot| u32::from(read(bucket, slot * shape.slot) & shape.head == packed.first) << slot;
            let mut marks = (0..shape.slots).fold(0, |marks, slot| marks | equal(slot)) & ((1 << (mark & COUNT)) - 1);
            while marks != 0 {
                let slot = marks.trailing_zeros() as usize;
                if shape.slot <= 8 || shape.holds(&bucket[slot * shape.slot..], packed) {
                    return Ok(());
                }
                marks &= marks - 1;
            }
            if mark & overflow_bit(packed.first) == 0 {
                return Err(home);
            }
            home = self.after(home);
        }
    }

    /// Puts a packed state that is not there into this bucket or the first one after it that is not full.
    #[inline]
    fn insert(&mut self, mut home: usize, packed: Packed) {
        let shape = self.shape;
        loop {
            if self.chunks[home >> self.chunk_log2].bytes.is_empty() {
                self.allocate(home >> self.chunk_log2);
            }
            let bucket = self.bucket_mut(home);
            let count = usize::from(bucket[shape.bucket - 1] & COUNT);
            if count < shape.slots {
                bucket[shape.bucket - 1] += 1;
                return shape.write(&mut bucket[count * shape.slot..], packed);
            }
            bucket[shape.bucket - 1] |= overflow_bit(packed.first);
            home = self.after(home);
        }
    }

    /// Hands out all slots in the order of their buckets, freeing chunks on the way.
    fn drain(self, mut each: impl FnMut(&[u8])) {
        let shape = self.shape;
        for Chunk { bytes, start } in self.chunks {
            for bucket in bytes[start.min(bytes.len())..].chunks_exact(shape.bucket) {
                let count = usize::from(bucket[shape.bucket - 1] & COUNT);
                (0..count).for_each(|nth| each(&bucket[nth * shape.slot..]));
            }
        }
    }
}

/// Eight bytes from here on.
#[inline]
fn read(bytes: &[u8], at: usize) -> u64 {
    let piece = bytes[at..].first_chunk().expect("no slot reaches the last byte of its bucket");
    u64::from_le_bytes(*piece)
}

#[inline]
fn write(bytes: &mut [u8], at: usize, piece: u64) {
    bytes[at..at + 8].copy_from_slice(&piece.to_le_bytes());
}

#[inline]
fn overflow_bit(first: u64) -> u8 {
    1 << (4 + (first & 3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    /// Inserts all states and compares every answer with that of a set.
    fn agrees_with_a_set(fixed: Option<usize>, states: &[Vec<Word>]) -> StateSet {
        let mut set = StateSet::new(fixed, &[3, 40, 0]);
        let mut judge: HashSet<&[Word]> = HashSet::new();
        for state in states {
            let (before, growth) = (set.bytes(), set.growth(state));
            assert_eq!(set.contains(state), judge.contains(state.as_slice()));
            let is_new = judge.insert(state);
            assert_eq!(set.insert(state), is_new);
            match is_new {
                true => assert!(set.bytes() <= before + growth, "growth is announced"),
                false => assert_eq!(set.bytes(), before),
            }
        }
        assert_eq!(set.len() as usize, judge.len());
        assert!(judge.iter().all(|state| set.contains(state)));
        set
    }

    fn word() -> impl Strategy<Value = Word> {
        prop_oneof![Just(0), 0..4u32, 0..1000u32, any::<Word>()]
    }

    proptest! {
        #[test]
        fn fixed_length(states in (0..9usize).prop_flat_map(|n| prop::collection::vec(prop::collection::vec(word(), n), 0..400))) {
            agrees_with_a_set(states.first().map(Vec::len), &states);
        }

        #[test]
        fn any_length(states in prop::collection::vec(prop::collection::vec(word(), 0..9), 0..400)) {
            agrees_with_a_set(None, &states);
        }
    }

    #[test]
    fn growth_over_many_chunks() {
        let state = |n: u32| vec![n % 7, n / 3, n, 0, 0, n % 2];
        let states: Vec<_> = (0..400_000).map(state).collect();
        agrees_with_a_set(Some(6), &states);
        let lengths: Vec<_> = (0..100_000u32).map(|n| vec![n / 2; n as usize / 2 % 40]).collect();
        agrees_with_a_set(None, &lengths);
    }

    #[test]
    fn states_of_64_kilobytes_and_of_none() {
        let large: Vec<_> = (0..200).map(|n| vec![n / 2; 1 << 14]).collect();
        agrees_with_a_set(Some(1 << 14), &large);
        agrees_with_a_set(None, &large);
        agrees_with_a_set(Some(0), &[vec![], vec![]]);
        agrees_with_a_set(None, &[vec![], vec![0], vec![], vec![0, 0]]);
    }

    #[test]
    fn a_state_takes_little_more_than_the_bits_it_uses() {
        let states: Vec<_> = (0..2_000_000u32).map(|n| vec![n & 1023, 0, n >> 10, 0]).collect();
        let set = agrees_with_a_set(Some(4), &states);
        let each = set.bytes() as f64 / 2e6;
        assert!(each < 6.0, "{each} bytes for 25 bits");
    }

    #[test]
    fn buckets_waste_little() {
        for slot in 1..200 {
            let shape = Shape::new(8 * slot);
            assert!(shape.slots >= 1 && shape.slots * slot < shape.bucket, "{shape:?}");
            let waste = shape.bucket as f64 / (shape.slots * slot) as f64;
            assert!(slot < 5 || waste < 1.34, "{shape:?}: {waste}");
        }
    }
}
