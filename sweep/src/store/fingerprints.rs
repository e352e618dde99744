//! Hash compaction: a set of hashes in eight bytes each, whatever the states are.
//!
//! Two states with one hash count as one: of n states about n² / 2^65 are left out, which is one in two hundred runs of
//! 500 million states. The table is one array that is searched from where the hash says; zero is a free place.
//!
//! Stern, Dill, "Improved Probabilistic Verification by Hash Compaction", CHARME 1995.

use super::fetch::fetch;
use crate::meter::{Account, Meter};

/// The least number of places.
const LEAST: usize = 1 << 10;

/// The set.
pub(crate) struct Fingerprints {
    /// A power of two of places.
    places: Vec<u64>,
    len: usize,
    account: Account,
}

impl Fingerprints {
    pub(crate) fn new(meter: &Meter) -> Self {
        let mut account = meter.account();
        account.set(LEAST * size_of::<u64>());
        Fingerprints { places: vec![0; LEAST], len: 0, account }
    }

    pub(crate) fn contains(&self, hash: u64) -> bool {
        self.places[self.place(hash)] != 0
    }

    /// Adds a hash that is not there; there is room for it.
    pub(crate) fn add(&mut self, hash: u64) {
        let place = self.place(hash);
        self.places[place] = hash.max(1);
        self.len += 1;
    }

    /// Bytes that one more could allocate. One place in four stays free.
    pub(crate) fn growth(&self) -> usize {
        if self.len < self.places.len() / 4 * 3 { 0 } else { 2 * size_of_val(&*self.places) }
    }

    /// Doubles the number of places.
    pub(crate) fn grow(&mut self) {
        let larger = vec![0; 2 * self.places.len()];
        let places = std::mem::replace(&mut self.places, larger);
        self.account.set(size_of_val(&*self.places));
        for hash in places.into_iter().filter(|&hash| hash != 0) {
            let place = self.place(hash);
            self.places[place] = hash;
        }
    }

    pub(crate) fn prefetch(&self, hash: u64) {
        fetch(&self.places[self.home(hash)]);
    }

    /// Where the hash is, or the free place where it belongs.
    #[inline]
    fn place(&self, hash: u64) -> usize {
        let wanted = hash.max(1);
        let mut place = self.home(hash);
        while self.places[place] != wanted && self.places[place] != 0 {
            place = (place + 1) % self.places.len();
        }
        place
    }

    #[inline]
    fn home(&self, hash: u64) -> usize {
        (hash >> (u64::BITS - self.places.len().trailing_zeros())) as usize
    }
}

/// How many states of so many are expected to have the hash of another one.
pub(crate) fn expected_omissions(added: u64) -> f64 {
    (added as f64).powi(2) / 2f64.powi(65)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::random::mix;

    #[test]
    fn it_is_a_set() {
        let mut set = Fingerprints::new(&Meter::unlimited());
        let mut judge = HashSet::new();
        // Zero, and many hashes with one home at the end of the table.
        let crowded = (0..300).map(|low| u64::MAX - low);
        for hash in (0..20_000).map(|number| mix(number % 15_000)).chain([0]).chain(crowded) {
            assert_eq!(set.contains(hash), judge.contains(&hash), "{hash}");
            if judge.insert(hash) {
                if set.growth() > 0 {
                    set.grow();
                }
                set.add(hash);
            }
        }
        assert_eq!(set.len, judge.len());
        assert!(judge.iter().all(|&hash| set.contains(hash)));
        assert!(set.places.len() < 3 * judge.len(), "{} places", set.places.len());
    }
}
