//! Bitstate hashing: a set of hashes in which each is a few bits of one table (a Bloom filter).
//!
//! What was added is found; what was not added may be found too, if others have set all of its bits. How often that happens
//! is known from how many were added ([`expected_omissions`]). Tables with other seeds set other bits, so what one leaves out
//! another does not.
//!
//! Holzmann, "An Analysis of Bitstate Hashing", FMSD 1998; Dillinger, Manolios, "Bloom Filters in Probabilistic
//! Verification", FMCAD 2004.

use super::fetch::fetch;
use crate::control::StopReason;
use crate::meter::{Account, Meter};
use crate::random::mix;

/// Bits of a state: what SPIN takes too.
pub(crate) const BITS_OF_A_STATE: u32 = 3;
const WORD_BITS: u64 = u64::BITS as u64;

/// The table.
pub(crate) struct BitTable {
    words: Vec<u64>,
    seed: u64,
    _account: Account,
}

impl BitTable {
    /// A table of so many bytes, if there is room for it.
    pub(crate) fn new(bytes: usize, seed: u64, meter: &Meter) -> Result<Self, StopReason> {
        let words = (bytes / size_of::<u64>()).max(1);
        meter.allow(words * size_of::<u64>())?;
        let mut account = meter.account();
        account.set(words * size_of::<u64>());
        Ok(BitTable { words: vec![0; words], seed, _account: account })
    }

    /// How many bits it has.
    pub(crate) fn bits(&self) -> u64 {
        self.words.len() as u64 * WORD_BITS
    }

    pub(crate) fn contains(&self, hash: u64) -> bool {
        self.places(hash).all(|(word, bit)| self.words[word] & bit != 0)
    }

    pub(crate) fn add(&mut self, hash: u64) {
        for (word, bit) in self.places(hash) {
            self.words[word] |= bit;
        }
    }

    pub(crate) fn prefetch(&self, hash: u64) {
        self.places(hash).for_each(|(word, _)| fetch(&self.words[word]));
    }

    /// The bits of a hash, each as a word and a bit in it: double hashing.
    #[inline]
    fn places(&self, hash: u64) -> impl Iterator<Item = (usize, u64)> + use<> {
        let first = mix(hash ^ self.seed);
        let step = mix(first) | 1;
        let bits = self.bits();
        (0..u64::from(BITS_OF_A_STATE)).map(move |number| {
            let place = first.wrapping_add(number.wrapping_mul(step));
            let bit = ((u128::from(place) * u128::from(bits)) >> 64) as u64;
            ((bit / WORD_BITS) as usize, 1 << (bit % WORD_BITS))
        })
    }
}

/// The share of bits that are set when so many states were added.
pub(crate) fn fill(added: u64, bits: u64) -> f64 {
    fill_by(met(added, bits), bits)
}

/// How many states are expected to have been taken for others while so many were added.
pub(crate) fn expected_omissions(added: u64, bits: u64) -> f64 {
    // Few states are met as often as they are added, but for rounding.
    (met(added, bits) - added as f64).max(0.0)
}

/// The share of bits that are set when so many different states were met. It does not matter which of them were added: of the
/// others all bits were set.
fn fill_by(met: f64, bits: u64) -> f64 {
    -(-f64::from(BITS_OF_A_STATE) * met / bits as f64).exp_m1()
}

/// How many different states must be met until so many of them are added: one that is met is mistaken for another with the
/// probability that all of its bits are set.
fn met(added: u64, bits: u64) -> f64 {
    const PARTS: u32 = 2_000;
    let part = added as f64 / f64::from(PARTS);
    // A full table knows every state.
    let until_added = |met: f64| 1.0 / (1.0 - fill_by(met, bits).powi(BITS_OF_A_STATE as i32)).max(1e-9);
    (0..PARTS).fold(0.0, |met, _| {
        let middle = met + until_added(met) * part / 2.0;
        met + until_added(middle) * part
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(states: u64, bytes: usize, seed: u64) -> (BitTable, u64) {
        let mut table = BitTable::new(bytes, seed, &Meter::unlimited()).expect("there is room");
        let mut omitted = 0;
        for state in 0..states {
            match table.contains(mix(state)) {
                true => omitted += 1,
                false => table.add(mix(state)),
            }
        }
        (table, omitted)
    }

    #[test]
    fn what_was_added_is_found_and_the_fill_is_as_expected() {
        let (table, omitted) = filled(40_000, 20_000, 7);
        assert!((0..40_000).all(|state| table.contains(mix(state))));
        let set: u32 = table.words.iter().map(|word| word.count_ones()).sum();
        let fill = fill(40_000 - omitted, table.bits());
        let measured = f64::from(set) / table.bits() as f64;
        assert!((measured - fill).abs() < 0.01, "{measured} {fill}");
    }

    #[test]
    fn omissions_are_about_as_many_as_expected() {
        for (states, bytes) in [(10_000, 100_000), (40_000, 20_000), (100_000, 20_000), (100_000, 1_000_000)] {
            let (table, omitted) = filled(states, bytes, 3);
            let expected = expected_omissions(states - omitted, table.bits());
            let tolerance = 4.0 * expected.sqrt() + 4.0 + 0.05 * expected;
            assert!((expected - omitted as f64).abs() < tolerance, "{states} in {bytes}: {expected}, not {omitted}");
        }
    }

    #[test]
    fn another_seed_leaves_out_others() {
        let known = |seed| {
            let (table, _) = filled(20_000, 20_000, seed);
            (20_000..60_000).filter(|&state| table.contains(mix(state))).collect::<Vec<u64>>()
        };
        let (first, second) = (known(1), known(2));
        let both = first.iter().filter(|state| second.contains(state)).count();
        assert!(first.len() > 500 && both < first.len() / 5, "{both} of {}", first.len());
    }

    #[test]
    fn a_table_that_does_not_fit_is_refused() {
        let meter = Meter::unlimited().with_max_bytes(Some(1 << 20));
        assert_eq!(BitTable::new(2 << 20, 0, &meter).err(), Some(StopReason::Memory));
        assert!(BitTable::new(1 << 20, 0, &meter).is_ok());
    }
}
