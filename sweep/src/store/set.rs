//! A set of states: which of them are known, in as few bytes as they need.
//!
//! States are packed and scrambled, and stand in buckets (`bucket.rs`): at home in the one that their first bits select,
//! or, if that is full, in the first one after it that is not. Each bucket passed over says so, so a lookup reads one
//! bucket, and goes on to the next only if something like the state may have gone there.
//! Invariant: nothing is ever removed, and the set is never quite full.
//!
//! Buckets are in the order of the states they are home to. A larger set is therefore filled from front to back as the
//! smaller one is emptied from front to back, and growing needs hardly more memory than having grown; unless states are
//! packed in a new way, which is seldom.
//!
//! States are put in many at a time, so that the cache misses of their lookups overlap, and so that what depends on how
//! many pieces a packed state has is decided once for all of them.

use statespace::Word;

use super::bucket::{Answer, BEHIND, Key, LINE, Shape};
use super::fetch::fetch;
use super::packing::Packing;
use super::scramble::Scramble;

/// Bytes of a piece of the set.
const CHUNK: usize = 1 << 20;
/// This many per cent of the slots are used before the set grows.
const FULL: usize = 88;
/// Sets up to this size (four megabytes) double. Larger ones grow by a quarter: memory counts more than time.
const DOUBLING_BYTES: usize = 1 << 22;

/// A set of states.
pub struct StateSet {
    packing: Packing,
    scramble: Scramble,
    table: Table,
    len: usize,
    limit: usize,
    /// Of the states that are being put in, the homes,
    homes: Vec<usize>,
    /// and the packed states.
    packed: Vec<u64>,
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
        let bytes = vec![0; bytes + LINE + BEHIND];
        let start = bytes.as_ptr().align_offset(LINE).min(LINE);
        Chunk { bytes, start }
    }
}

/// Does something that is made for packed states of some number of pieces.
macro_rules! for_pieces {
    ($pieces:expr, $n:ident => $do:expr) => {
        for_pieces!($pieces, $n => $do, 1 2 3 4 5 6 7 8 9)
    };
    ($pieces:expr, $n:ident => $do:expr, $($number:literal)*) => {
        match $pieces {
            $($number => { const $n: usize = $number; $do })*
            _ => unreachable!("{} words are no more than nine pieces", StateSet::MOST_WORDS),
        }
    };
}

impl StateSet {
    /// The most words that a state can have.
    pub const MOST_WORDS: usize = 17;

    /// An empty set of states of the given number of words, or of any number, which use this many bits of each word, from
    /// the lowest; words that are not listed may use all.
    pub fn new(fixed_words: Option<usize>, word_bits: &[u8]) -> Self {
        let packing = Packing::new(fixed_words, word_bits);
        let mut table = Table::new(Shape::new(packing.bits()), 1);
        table.complete();
        let (scramble, limit) = (Scramble::new(packing.bits()), table.limit());
        StateSet { packing, scramble, table, len: 0, limit, homes: Vec::new(), packed: Vec::new() }
    }

    /// Bytes allocated.
    pub fn bytes(&self) -> usize {
        self.table.bytes()
    }

    /// Bytes that inserting these states could allocate; mostly 0.
    #[inline]
    pub fn growth<'s>(&self, states: impl Iterator<Item = &'s [Word]> + Clone) -> usize {
        if self.has_room(states.clone()) {
            return 0;
        }
        let (packing, buckets) = self.larger(states);
        let larger = Table::new(Shape::new(packing.bits()), buckets).bytes_when_complete();
        // While a larger set is filled in the same order, a chunk of each is there twice; in another, everything is.
        let twice = match packing == self.packing {
            true => self.bytes().min(2 * (CHUNK + LINE + BEHIND)),
            false => self.bytes(),
        };
        larger.saturating_sub(self.bytes()) + twice
    }

    /// Makes room for these states, unless there is.
    #[inline]
    pub fn make_room<'s>(&mut self, states: impl Iterator<Item = &'s [Word]> + Clone) {
        if !self.has_room(states.clone()) {
            self.grow(states);
        }
    }

    /// Adds the states that are not there; `is_new` gets, for each, whether it was not. There must be room for them.
    #[inline]
    pub fn insert<'s>(&mut self, states: impl Iterator<Item = &'s [Word]>, is_new: &mut Vec<bool>) {
        for_pieces!(self.packing.pieces(), N => self.insert_in_room::<N>(states, is_new));
    }

    /// Whether a state is there.
    pub fn contains(&self, state: &[Word]) -> bool {
        self.packing.fits(state)
            && for_pieces!(self.packing.pieces(), N => {
                let pieces = self.scramble.scramble(self.packing.pack::<N>(state));
                self.table.find(self.table.home(self.scramble.rank(pieces[0])), &Key::cut(pieces)).is_ok()
            })
    }

    /// Hands out all states, in no order, and frees them.
    pub fn hand_over<E>(self, mut take: impl FnMut(&[Word]) -> Result<(), E>) -> Result<(), E> {
        let StateSet { packing, scramble, table, .. } = self;
        let (mut state, mut end) = (Vec::new(), Ok(()));
        for_pieces!(packing.pieces(), N => table.drain(|key: Key<N>| {
            if end.is_ok() {
                packing.unpack(&scramble.unscramble(key.join()), &mut state);
                end = take(&state);
            }
        }));
        end
    }

    fn insert_in_room<'s, const N: usize>(&mut self, states: impl Iterator<Item = &'s [Word]>, is_new: &mut Vec<bool>) {
        let StateSet { packing, scramble, table, homes, packed, .. } = self;
        homes.clear();
        packed.clear();
        for state in states {
            let pieces = scramble.scramble(packing.pack::<N>(state));
            let home = table.home(scramble.rank(pieces[0]));
            table.prefetch(home);
            homes.push(home);
            packed.extend_from_slice(&pieces);
        }
        let mut new = 0;
        let (packed, _) = packed.as_chunks::<N>();
        is_new.extend(packed.iter().zip(homes).map(|(&pieces, home)| {
            let key = Key::cut(pieces);
            let place = table.find(*home, &key);
            if let Err(place) = place {
                table.insert(place, &key);
                new += 1;
            }
            place.is_err()
        }));
        self.len += new;
    }

    /// Can these states be added as things are, if they are all new?
    #[inline]
    fn has_room<'s>(&self, mut states: impl Iterator<Item = &'s [Word]>) -> bool {
        let mut len = self.len;
        let fits = states.all(|state| {
            len += 1;
            self.packing.fits(state)
        });
        fits && len <= self.limit
    }

    /// How states are packed in a set that has room for these states too, and in how many buckets.
    fn larger<'s>(&self, states: impl Iterator<Item = &'s [Word]>) -> (Packing, usize) {
        let (mut packing, mut needed) = (self.packing.clone(), self.len);
        for state in states {
            needed += 1;
            if !packing.fits(state) {
                packing = packing.widened(state, self.bytes() > DOUBLING_BYTES);
            }
        }
        let needed = match self.bytes() < DOUBLING_BYTES {
            _ if needed <= self.limit => self.limit,
            true => needed.max(2 * self.len),
            false => needed.max(self.len + self.len / 4),
        };
        let buckets = Table::buckets_for(Shape::new(packing.bits()), needed);
        (packing, buckets)
    }

    #[cold]
    fn grow<'s>(&mut self, states: impl Iterator<Item = &'s [Word]>) {
        let (packing, buckets) = self.larger(states);
        let old = std::mem::replace(&mut self.table, Table::new(Shape::new(packing.bits()), buckets));
        self.limit = self.table.limit();
        match packing == self.packing {
            true => for_pieces!(packing.pieces(), N => self.refill::<N>(old)),
            false => self.repack(old, packing),
        }
        self.table.complete();
    }

    /// Moves all states over from a smaller table.
    fn refill<const N: usize>(&mut self, old: Table) {
        let StateSet { scramble, table, .. } = self;
        old.drain(|key: Key<N>| table.insert(table.home(scramble.rank(key.first())), &key));
    }

    /// Moves all states over from a table in which they are packed in another way than this.
    fn repack(&mut self, old: Table, packing: Packing) {
        let old_scramble = std::mem::replace(&mut self.scramble, Scramble::new(packing.bits()));
        let old_packing = std::mem::replace(&mut self.packing, packing);
        let mut state = Vec::new();
        for_pieces!(old_packing.pieces(), N => old.drain(|key: Key<N>| {
            old_packing.unpack(&old_scramble.unscramble(key.join()), &mut state);
            self.move_in(&state);
        }));
    }

    /// How many states there are.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Shows all states, in the order of their buckets, until `each` fails.
    pub(crate) fn try_for_each<E>(&self, mut each: impl FnMut(&[Word]) -> Result<(), E>) -> Result<(), E> {
        let mut state = Vec::new();
        for_pieces!(self.packing.pieces(), N => self.table.try_for_each(|key: Key<N>| {
            self.packing.unpack(&self.scramble.unscramble(key.join()), &mut state);
            each(&state)
        }))
    }

    /// Adds a state that is not there.
    fn move_in(&mut self, state: &[Word]) {
        let StateSet { packing, scramble, table, .. } = self;
        for_pieces!(packing.pieces(), N => {
            let key = Key::cut(scramble.scramble(packing.pack::<N>(state)));
            table.insert(table.home(scramble.rank(key.first())), &key);
        });
    }
}

impl Table {
    /// An empty table of this many buckets; none of them is allocated yet.
    fn new(shape: Shape, buckets: usize) -> Self {
        // Buckets in a chunk are a power of two.
        let chunk_log2 = (CHUNK / shape.bucket).max(1).ilog2();
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
        self.buckets * self.shape.bucket + self.chunks.len() * (LINE + BEHIND + size_of::<Chunk>())
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

    /// Where states of this rank are at home.
    #[inline]
    fn home(&self, rank: u64) -> usize {
        (((rank >> 32) * self.buckets as u64) >> 32) as usize
    }

    #[inline]
    fn after(&self, bucket: usize) -> usize {
        if bucket + 1 == self.buckets { 0 } else { bucket + 1 }
    }

    /// A bucket, and what is behind it.
    #[inline]
    fn bucket(&self, number: usize) -> &[u8] {
        let Chunk { bytes, start } = &self.chunks[number >> self.chunk_log2];
        &bytes[start + (number & ((1 << self.chunk_log2) - 1)) * self.shape.bucket..]
    }

    /// Has a bucket fetched: its ends are in its first line and in its last.
    #[inline]
    fn prefetch(&self, number: usize) {
        let bucket = self.bucket(number);
        fetch(&bucket[0]);
        fetch(&bucket[self.shape.bucket - 1]);
    }

    #[inline]
    fn bucket_mut(&mut self, number: usize) -> &mut [u8] {
        let Chunk { bytes, start } = &mut self.chunks[number >> self.chunk_log2];
        &mut bytes[*start + (number & ((1 << self.chunk_log2) - 1)) * self.shape.bucket..]
    }

    /// Whether a state is there; if not, the bucket where it may be put. `home` is where it is looked for first.
    #[inline]
    fn find<const N: usize>(&self, mut home: usize, key: &Key<N>) -> Result<(), usize> {
        loop {
            match self.shape.find(self.bucket(home), key) {
                Answer::Here => return Ok(()),
                Answer::Nowhere => return Err(home),
                Answer::Further => home = self.after(home),
            }
        }
    }

    /// Puts a state that is not there into this bucket or the first one after it that is not full.
    #[inline]
    fn insert<const N: usize>(&mut self, mut home: usize, key: &Key<N>) {
        let shape = self.shape;
        loop {
            if self.chunks[home >> self.chunk_log2].bytes.is_empty() {
                self.allocate(home >> self.chunk_log2);
            }
            if shape.put(self.bucket_mut(home), key) {
                return;
            }
            home = self.after(home);
        }
    }

    /// Shows all states in the order of their buckets.
    fn try_for_each<const N: usize, E>(&self, mut each: impl FnMut(Key<N>) -> Result<(), E>) -> Result<(), E> {
        (0..self.buckets).try_for_each(|number| {
            let bucket = self.bucket(number);
            (0..self.shape.count(bucket)).try_for_each(|slot| each(self.shape.get(bucket, slot)))
        })
    }

    /// Hands out all states in the order of their buckets, freeing chunks on the way.
    #[inline]
    fn drain<const N: usize>(self, mut each: impl FnMut(Key<N>)) {
        let (shape, in_chunk) = (self.shape, 1 << self.chunk_log2);
        for (nth, Chunk { bytes, start }) in self.chunks.into_iter().enumerate() {
            for bucket in 0..in_chunk.min(self.buckets - nth * in_chunk) {
                let bucket = &bytes[start + bucket * shape.bucket..];
                (0..shape.count(bucket)).for_each(|slot| each(shape.get(bucket, slot)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;
    use std::iter::once;

    /// Inserts all states, some at a time, and compares every answer with that of a set.
    fn agrees_with_a_set(fixed: Option<usize>, states: &[Vec<Word>]) -> StateSet {
        // The first word of a state uses few bits, others may use all.
        let states: Vec<Vec<Word>> = states.iter().cloned().map(of_few_bits).collect();
        let mut set = StateSet::new(fixed, &[20, 40]);
        let mut judge: HashSet<&[Word]> = HashSet::new();
        let mut rest = states.as_slice();
        for size in (0..40).cycle() {
            let (some, others) = rest.split_at(size.min(rest.len()));
            let some_states = some.iter().map(Vec::as_slice);
            let (before, growth, mut is_new) = (set.bytes(), set.growth(some_states.clone()), Vec::new());
            set.make_room(some_states.clone());
            set.insert(some_states, &mut is_new);
            let expected: Vec<bool> = some.iter().map(|state| judge.insert(state)).collect();
            assert_eq!(is_new, expected);
            assert!(set.bytes() <= before + growth, "growth is announced");
            rest = others;
            if rest.is_empty() {
                break;
            }
        }
        assert_eq!(set.len, judge.len());
        let mut handed_over = HashSet::new();
        let set_again = set_of(fixed, &judge);
        set_again
            .hand_over(|state| {
                assert!(handed_over.insert(state.to_vec()));
                Ok::<(), ()>(())
            })
            .expect("nothing is refused");
        assert_eq!(handed_over.len(), judge.len());
        assert!(handed_over.iter().all(|state| judge.contains(state.as_slice())));
        for some in judge.iter().collect::<Vec<_>>().chunks(50) {
            let (some_states, mut is_new) = (some.iter().map(|state| **state), Vec::new());
            set.make_room(some_states.clone());
            set.insert(some_states, &mut is_new);
            assert_eq!(is_new, vec![false; some.len()]);
        }
        set
    }

    /// A set of these states.
    fn set_of(fixed: Option<usize>, states: &HashSet<&[Word]>) -> StateSet {
        let mut set = StateSet::new(fixed, &[20, 40]);
        for &state in states {
            set.make_room(once(state));
            set.insert(once(state), &mut Vec::new());
        }
        set
    }

    fn of_few_bits(mut state: Vec<Word>) -> Vec<Word> {
        state.iter_mut().take(1).for_each(|word| *word &= (1 << 20) - 1);
        state
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
        let lengths: Vec<_> = (0..100_000u32).map(|n| vec![n / 2; n as usize / 2 % 16]).collect();
        agrees_with_a_set(None, &lengths);
    }

    #[test]
    fn states_of_many_words_and_of_none() {
        let large: Vec<_> = (0..200).map(|n| vec![u32::MAX - n / 2; StateSet::MOST_WORDS]).collect();
        agrees_with_a_set(Some(StateSet::MOST_WORDS), &large);
        let less: Vec<_> = large.iter().map(|state| state[1..].to_vec()).collect();
        agrees_with_a_set(None, &less);
        agrees_with_a_set(Some(0), &[vec![], vec![]]);
        agrees_with_a_set(None, &[vec![], vec![0], vec![], vec![0, 0]]);
    }

    #[test]
    fn a_large_word_behind_small_ones_is_packed_anew() {
        let states = [vec![1], vec![0], vec![2_544_760_464]];
        agrees_with_a_set(Some(1), &states);
        agrees_with_a_set(None, &states);
    }

    #[test]
    fn a_state_takes_little_more_than_the_bits_it_uses() {
        let states: Vec<_> = (0..2_000_000u32).map(|n| vec![n & 1023, 0, n >> 10, 0]).collect();
        let set = agrees_with_a_set(Some(4), &states);
        let each = set.bytes() as f64 / 2e6;
        assert!(each < 6.0, "{each} bytes for 25 bits");
    }
}
