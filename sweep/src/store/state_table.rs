//! A set of states with dense ids: an arena with the states in the order in which they came, and an index that finds them.
//!
//! Searches that need no ids keep the states they have seen in a compressed set (`set.rs`).
//! Ids are dense, so the states that are not yet expanded are the tail of the arena: the arena is the queue. Dropping a
//! table frees both at once. A full search has one table.

use std::fmt;

use statespace::Word;

use super::arena::Arena;
use super::fetch::fetch;
use super::hash::hash;
use super::table::Table;

/// A state of one table: the number of states that came before it. Prints as `s7`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub u32);

impl fmt::Debug for StateId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{}", self.0)
    }
}

/// What `insert` found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inserted {
    /// The state was not there; it is now, under this id.
    New(StateId),
    /// The state was there already.
    Known(StateId),
}

/// States in a larger arena than this are likely to be out of the cache when they are compared.
const FAR: usize = 8 << 20;

/// A set of states with dense ids.
pub struct StateTable {
    arena: Arena,
    table: Table,
}

impl StateTable {
    /// The most states a table can hold.
    pub const MOST_STATES: u32 = u32::MAX;

    /// An empty table for states of the given number of words, or of any number.
    pub fn new(fixed_words: Option<usize>) -> Self {
        StateTable { arena: Arena::new(fixed_words), table: Table::new() }
    }

    /// How many states there are.
    #[inline]
    pub fn len(&self) -> u32 {
        self.arena.len()
    }

    /// Is there no state?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes allocated.
    pub fn bytes(&self) -> usize {
        self.arena.bytes() + self.table.bytes()
    }

    /// Bytes that inserting a new state of this many words would allocate; mostly 0.
    #[inline]
    pub fn growth(&self, words: usize) -> usize {
        let table = match self.table_is_full() {
            true => self.table.growth(),
            false => 0,
        };
        table + self.arena.growth(words)
    }

    /// Allocates what inserting a new state of this many words needs.
    pub(crate) fn make_room(&mut self, words: usize) {
        if self.table_is_full() {
            self.rebuild_table();
        }
        if !self.arena.has_room(words) {
            self.arena.make_room(words);
        }
    }

    /// The words of a state.
    #[inline]
    pub fn get(&self, id: StateId) -> &[Word] {
        self.arena.get(id)
    }

    /// Adds a state unless it is there.
    pub fn insert(&mut self, state: &[Word]) -> Inserted {
        self.insert_hashed(hash(state), state)
    }

    /// Adds a state with this hash unless it is there.
    #[inline]
    pub fn insert_hashed(&mut self, hash: u64, state: &[Word]) -> Inserted {
        match self.find(hash, state) {
            Some(id) => Inserted::Known(id),
            None => Inserted::New(self.add(hash, state)),
        }
    }

    /// Adds a state with this hash that is not there.
    #[inline]
    pub(crate) fn add(&mut self, hash: u64, state: &[Word]) -> StateId {
        if self.table_is_full() {
            self.rebuild_table();
        }
        let id = self.arena.push(state);
        self.table.insert(hash, id);
        id
    }

    /// A table with the first `len` states of this one.
    pub fn prefix(&self, len: u32) -> StateTable {
        let mut prefix = StateTable::new(self.arena.fixed());
        for id in 0..len {
            prefix.insert(self.get(StateId(id)));
        }
        prefix
    }

    /// Deletes all states; what is allocated stays, if it is a single block.
    pub fn clear(&mut self) {
        self.arena.clear();
        self.table.clear();
    }

    /// The id of a state with this hash, if it is there.
    #[inline]
    pub fn find(&self, hash: u64, state: &[Word]) -> Option<StateId> {
        self.table.find(hash, |id| {
            // Most states are short: a loop is faster than a call.
            let known = self.arena.get(id);
            known.len() == state.len() && known.iter().zip(state).all(|(a, b)| a == b)
        })
    }

    /// Fetches the buckets of these hashes, and in a large table the states they may be, so that their cache misses
    /// overlap.
    #[inline]
    pub fn prefetch(&self, hashes: impl Iterator<Item = u64> + Clone) {
        if self.is_far() {
            let candidates = hashes.filter_map(|hash| self.table.candidate(hash));
            candidates.filter_map(|id| self.arena.get(id).first()).for_each(fetch);
        } else {
            self.table.touch_all(hashes);
        }
    }

    /// Prefetches the bucket of this hash.
    #[inline(always)]
    pub fn prefetch_bucket(&self, hash: u64) {
        self.table.prefetch(hash);
    }

    /// Are states likely to be out of the cache?
    #[inline]
    pub(crate) fn is_far(&self) -> bool {
        self.arena.bytes() > FAR
    }

    #[inline]
    fn table_is_full(&self) -> bool {
        self.len() >= self.table.limit()
    }

    #[cold]
    fn rebuild_table(&mut self) {
        let states = (0..self.arena.len()).map(|id| hash(self.arena.get(StateId(id))));
        self.table.rebuild(states);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    /// Inserts all states and compares every answer with that of a map.
    fn agrees_with_a_map(fixed: Option<usize>, states: &[Vec<Word>]) {
        let mut table = StateTable::new(fixed);
        let mut map: HashMap<&[Word], StateId> = HashMap::new();
        for state in states {
            let next = StateId(map.len() as u32);
            let expected = match map.get(state.as_slice()) {
                Some(&id) => Inserted::Known(id),
                None => Inserted::New(next),
            };
            let (before, growth) = (table.bytes(), table.growth(state.len()));
            assert_eq!(table.insert(state), expected);
            if expected == Inserted::New(next) {
                assert!(table.bytes() <= before + growth, "growth is announced");
            } else {
                assert_eq!(table.bytes(), before);
            }
            map.entry(state).or_insert(next);
        }
        assert_eq!(table.len() as usize, map.len());
        for (state, &id) in &map {
            assert_eq!(table.get(id), *state);
            assert_eq!(table.find(hash(state), state), Some(id));
        }
    }

    proptest! {
        #[test]
        fn fixed_length(states in prop::collection::vec(prop::collection::vec(0..5u32, 4), 0..600)) {
            agrees_with_a_map(Some(4), &states);
        }

        #[test]
        fn variable_length(states in prop::collection::vec(prop::collection::vec(0..2u32, 0..9), 0..600)) {
            agrees_with_a_map(None, &states);
        }
    }

    #[test]
    fn growth_over_many_chunks() {
        let state = |n: u32| vec![n % 7, n / 3, n, 0, 0, n % 2];
        let fixed: Vec<_> = (0..300_000).map(state).collect();
        agrees_with_a_map(Some(6), &fixed);
        let variable: Vec<_> = (0..200_000u32).map(|n| vec![n / 2; n as usize / 2 % 40]).collect();
        agrees_with_a_map(None, &variable);
    }

    #[test]
    fn states_of_64_kilobytes_and_of_none() {
        let large: Vec<_> = (0..200).map(|n| vec![n / 2; 1 << 14]).collect();
        agrees_with_a_map(Some(1 << 14), &large);
        agrees_with_a_map(None, &large);
        agrees_with_a_map(Some(0), &[vec![], vec![]]);
        agrees_with_a_map(None, &[vec![], vec![0], vec![], vec![0, 0]]);
    }

    #[test]
    fn a_cleared_layer_is_empty_and_can_be_filled_again() {
        for fixed in [Some(3), None] {
            let mut table = StateTable::new(fixed);
            for size in [0, 5, 40, 300_000, 7, 20] {
                table.clear();
                let before = table.bytes();
                for n in 0..size {
                    assert_eq!(table.insert(&[n, 7, 0]), Inserted::New(StateId(n)));
                    assert_eq!(table.insert(&[n / 2, 7, 0]), Inserted::Known(StateId(n / 2)));
                }
                assert_eq!(table.len(), size);
                assert!(table.bytes() >= before);
            }
        }
    }

    #[test]
    fn a_small_layer_is_small() {
        let mut table = StateTable::new(Some(8));
        table.insert(&[0; 8]);
        assert!(table.bytes() < 512, "{} bytes", table.bytes());
    }

    #[test]
    fn overhead_of_a_large_layer_is_below_ten_bytes_a_state() {
        let mut table = StateTable::new(Some(2));
        let mut worst = 0.0f64;
        for n in 0..3_000_000u32 {
            table.insert(&[n, 0]);
            if n > 1_500_000 {
                worst = worst.max(table.bytes() as f64 / f64::from(n) - 8.0);
            }
        }
        assert!(worst < 10.0, "{worst} bytes");
    }
}
