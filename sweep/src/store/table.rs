//! An index from hashes to state ids in buckets of one cache line.
//!
//! A bucket holds twelve ids, for each a tag of eight bits of the hash, and 32 overflow bits. An id lives in its home
//! bucket or, if that is full, in the first one after it that is not; each bucket passed over sets the overflow bit that
//! the hash selects. A lookup therefore reads one line of the table, and one state for each tag that matches; it goes on
//! to the next bucket only if the overflow bit says that something with such a hash went there.
//! Invariants: a bucket with overflow bits is full, and nothing is ever removed; the table is never quite full.
//!
//! The table is rebuilt from the states, not from itself: the old one is freed before the new one is made, so growing
//! needs no more memory than having grown.
//! Overflow bits are those of boost::unordered_flat_map, tags those of Swiss tables.

use std::hint::black_box;

use super::StateId;
use super::fetch::fetch;
use super::metered::BLOCK;

const SLOTS: usize = 12;
/// Tables up to this size (64 kilobytes) double. Larger ones grow by a half: memory counts as well as time.
const DOUBLING_BUCKETS: usize = 1 << 10;

/// Ids are put into a new table in groups of this size.
const GROUP: usize = 32;

/// The tag of a slot that holds nothing.
const FREE: u8 = 0;
const LOW_BITS: u128 = u128::from_le_bytes([0x01; 16]);
/// The high bits of the tags, without those of the overflow bits.
const HIGH_BITS: u128 = u128::from_le_bytes([0x80; 16]) >> (128 - 8 * SLOTS);
const OVERFLOW_SHIFT: u32 = 8 * SLOTS as u32;

/// Bytes that an allocator adds to a block that begins with a cache line.
const ALIGNED_BLOCK: usize = BLOCK + size_of::<Bucket>() / 2;

/// The index of one layer.
pub(super) struct Table {
    buckets: Vec<Bucket>,
    /// How many ids may be in the table before it must be rebuilt.
    limit: u32,
}

/// Tags in the low twelve bytes of `tags`; overflow bits in the high four.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Bucket {
    tags: u128,
    ids: [u32; SLOTS],
}

impl Table {
    /// A table without room for anything.
    pub(super) fn new() -> Self {
        Table { buckets: Vec::new(), limit: 0 }
    }

    pub(super) fn bytes(&self) -> usize {
        match self.buckets.capacity() {
            0 => 0,
            buckets => buckets * size_of::<Bucket>() + ALIGNED_BLOCK,
        }
    }

    /// How many ids may be in the table before it must be rebuilt.
    #[inline]
    pub(super) fn limit(&self) -> u32 {
        self.limit
    }

    /// Deletes all ids.
    pub(super) fn clear(&mut self) {
        self.buckets.fill(Bucket::EMPTY);
    }

    /// Bytes that `rebuild` adds.
    pub(super) fn growth(&self) -> usize {
        let block = if self.buckets.is_empty() { ALIGNED_BLOCK } else { 0 };
        (self.next_size() - self.buckets.len()) * size_of::<Bucket>() + block
    }

    /// Makes the table larger and fills it with the ids 0, 1, 2, … that have these hashes.
    pub(super) fn rebuild(&mut self, mut hashes: impl Iterator<Item = u64>) {
        let size = self.next_size();
        self.buckets = Vec::new();
        self.buckets = vec![Bucket::EMPTY; size];
        self.limit = (size * SLOTS / 10 * 9).min(u32::MAX as usize) as u32;
        // While one group is put in, what the next one needs is on its way.
        let (mut group, mut after) = (Vec::with_capacity(GROUP), Vec::with_capacity(GROUP));
        let mut next = 0;
        loop {
            after.clear();
            after.extend(hashes.by_ref().take(GROUP));
            after.iter().for_each(|&hash| self.prefetch(hash));
            for &hash in &group {
                self.insert(hash, StateId(next));
                next += 1;
            }
            if after.is_empty() {
                return;
            }
            std::mem::swap(&mut group, &mut after);
        }
    }

    /// Reads the buckets where these hashes are at home, so that their cache misses overlap.
    #[inline]
    pub(super) fn touch_all(&self, hashes: impl Iterator<Item = u64>) {
        let homes = hashes.filter_map(|hash| self.buckets.get(self.home(hash)));
        black_box(homes.fold(0, |sum, bucket| sum ^ bucket.tags as u64));
    }

    /// Prefetches the home bucket of this hash.
    #[inline(always)]
    pub(super) fn prefetch(&self, hash: u64) {
        if let Some(bucket) = self.buckets.get(self.home(hash)) {
            fetch(bucket);
        }
    }

    /// An id that may have this hash.
    #[inline]
    pub(super) fn candidate(&self, hash: u64) -> Option<StateId> {
        let bucket = self.buckets.get(self.home(hash))?;
        bucket.ids.get(first_slot(equal_tags(bucket.tags, tag(hash)))).map(|&id| StateId(id))
    }

    /// The id with this hash for which `is_it` holds.
    #[inline]
    pub(super) fn find(&self, hash: u64, mut is_it: impl FnMut(StateId) -> bool) -> Option<StateId> {
        let mut home = self.home(hash);
        loop {
            let bucket = self.buckets.get(home)?;
            let mut marks = equal_tags(bucket.tags, tag(hash));
            while let Some(&id) = bucket.ids.get(first_slot(marks)) {
                if is_it(StateId(id)) {
                    return Some(StateId(id));
                }
                marks &= marks - 1;
            }
            if bucket.tags & overflow_bit(hash) == 0 {
                return None;
            }
            home = self.after(home);
        }
    }

    /// Adds an id that is not in the table. There must be room.
    #[inline]
    pub(super) fn insert(&mut self, hash: u64, id: StateId) {
        let mut home = self.home(hash);
        loop {
            let bucket = &mut self.buckets[home];
            let slot = first_slot(equal_tags(bucket.tags, FREE));
            if let Some(place) = bucket.ids.get_mut(slot) {
                *place = id.0;
                bucket.tags |= u128::from(tag(hash)) << (8 * slot);
                return;
            }
            bucket.tags |= overflow_bit(hash);
            home = self.after(home);
        }
    }

    fn next_size(&self) -> usize {
        let size = self.buckets.len();
        match size {
            0 => 1,
            _ if size < DOUBLING_BUCKETS => 2 * size,
            _ => size + size / 2,
        }
    }

    #[inline]
    fn home(&self, hash: u64) -> usize {
        (((hash >> 32) * self.buckets.len() as u64) >> 32) as usize
    }

    #[inline]
    fn after(&self, bucket: usize) -> usize {
        if bucket + 1 == self.buckets.len() { 0 } else { bucket + 1 }
    }
}

impl Bucket {
    const EMPTY: Bucket = Bucket { tags: 0, ids: [0; SLOTS] };
}

/// Eight bits of the hash, never those of a free slot.
#[inline]
fn tag(hash: u64) -> u8 {
    (hash as u8).max(FREE + 1)
}

#[inline]
fn overflow_bit(hash: u64) -> u128 {
    1 << (OVERFLOW_SHIFT + (hash >> 8) as u32 % 32)
}

/// A mark for each of the twelve tags that is equal to `tag`. Tags above an equal one may be marked by mistake, those
/// below never: the lowest mark is always right, and the others are candidates.
#[inline]
fn equal_tags(tags: u128, tag: u8) -> u128 {
    let half = u64::from(tag) * LOW_BITS as u64;
    let differences = tags ^ (u128::from(half) | u128::from(half) << 64);
    differences.wrapping_sub(LOW_BITS) & !differences & HIGH_BITS
}

/// The slot of the lowest mark; beyond all slots if there is none.
#[inline]
fn first_slot(marks: u128) -> usize {
    marks.trailing_zeros() as usize / 8
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn filled(hashes: &[u64]) -> Table {
        let mut table = Table::new();
        for (number, &hash) in hashes.iter().enumerate() {
            if number == table.limit() as usize {
                table.rebuild(hashes[..number].iter().copied());
            }
            table.insert(hash, StateId(number as u32));
        }
        table
    }

    #[test]
    fn a_bucket_is_a_cache_line() {
        assert_eq!(size_of::<Bucket>(), 64);
        assert_eq!(align_of::<Bucket>(), 64);
    }

    proptest! {
        /// Hashes from a small set, so that buckets overflow, wrap round at the end, and tags collide.
        #[test]
        fn ids_are_found_under_bad_hashes(
            hashes in prop::collection::vec(
                prop_oneof![Just(0), Just(u64::MAX), Just(1), Just(255 << 32), any::<u64>(), 0..4u64],
                0..400,
            )
        ) {
            let table = filled(&hashes);
            for (number, &hash) in hashes.iter().enumerate() {
                let wanted = StateId(number as u32);
                prop_assert_eq!(table.find(hash, |id| id == wanted), Some(wanted));
                prop_assert_eq!(table.find(hash, |_| false), None);
            }
        }
    }
}
