//! How many states there are, from how often independent searches meet the same ones.
//!
//! Each search keeps the hashes of a sample of the states that it visits; which states are in a sample is decided by their
//! hashes, so that all searches sample the same ones. Many states that only one search has met mean that there are many that
//! none has: with f1 met once and f2 twice, at least about f1² / 2 f2 others. The estimate assumes that the searches are
//! independent. States that are hard to reach for all of them are missed by it, so it is rather too small than too large.
//!
//! Chao, "Estimating the Population Size for Capture-Recapture Data with Unequal Catchability", Biometrics 1987, in the form
//! that is corrected for small numbers.

use std::collections::HashMap;

use statespace::Word;

use crate::control::Stats;
use crate::observer::Observer;
use crate::store::hash;

/// The most hashes in a sample.
const MOST: usize = 1 << 13;

/// A sample of the states that one search has stored.
pub(crate) struct Sample {
    /// Hashes that end with so many zeros are in it.
    zeros: u32,
    hashes: Vec<u64>,
}

impl Sample {
    pub(crate) fn new() -> Self {
        Sample { zeros: 0, hashes: Vec::new() }
    }

    #[inline]
    fn add(&mut self, hash: u64) {
        if hash.trailing_zeros() >= self.zeros {
            self.hashes.push(hash);
            while self.hashes.len() > MOST {
                self.zeros += 1;
                self.hashes.retain(|hash| hash.trailing_zeros() >= self.zeros);
            }
        }
    }
}

impl Observer for Sample {
    #[inline]
    fn discovered(&mut self, state: &[Word], _: &Stats) {
        self.add(hash(state));
    }
}

/// The samples of all searches together.
#[derive(Default)]
pub(crate) struct Captures {
    zeros: u32,
    /// How many searches have met each.
    counts: HashMap<u64, u32>,
    searches: u32,
}

/// Numbers of states.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Population {
    /// Different states that were met.
    pub(crate) met: f64,
    /// All that there are.
    pub(crate) all: f64,
}

impl Captures {
    pub(crate) fn add(&mut self, sample: &Sample) {
        self.searches += 1;
        self.select(sample.zeros);
        for hash in &sample.hashes {
            if hash.trailing_zeros() >= self.zeros {
                *self.counts.entry(*hash).or_default() += 1;
            }
        }
        // The samples of many searches may have little in common.
        while self.counts.len() > 8 * MOST {
            self.select(self.zeros + 1);
        }
    }

    fn select(&mut self, zeros: u32) {
        if zeros > self.zeros {
            self.zeros = zeros;
            self.counts.retain(|hash, _| hash.trailing_zeros() >= zeros);
        }
    }

    /// Different states that were met.
    pub(crate) fn met(&self) -> f64 {
        self.counts.len() as f64 * 2f64.powi(self.zeros as i32)
    }

    /// The estimate, if there are two searches to compare and they have met some state both.
    pub(crate) fn population(&self) -> Option<Population> {
        let met_by = |searches: u32| self.counts.values().filter(|&&count| count == searches).count() as f64;
        let (once, twice) = (met_by(1), met_by(2));
        if self.searches < 2 || once == self.counts.len() as f64 {
            return None;
        }
        let searches = f64::from(self.searches);
        let others = (searches - 1.0) / searches * once * (once - 1.0) / (2.0 * (twice + 1.0));
        let scale = 2f64.powi(self.zeros as i32);
        let met = self.met();
        Some(Population { met, all: met + others * scale })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::random::{Random, mix};

    /// Searches that each meet any of `size` states with this probability, in per cent.
    fn captures(size: u64, searches: u64, per_cent: u64) -> (Captures, f64) {
        let mut captures = Captures::default();
        let mut met = std::collections::HashSet::new();
        for search in 0..searches {
            let mut sample = Sample::new();
            let mut random = Random::new(mix(search + 1));
            for state in 0..size {
                if random.below(100) < per_cent as usize {
                    sample.add(mix(state + 1));
                    met.insert(state);
                }
            }
            captures.add(&sample);
        }
        (captures, met.len() as f64)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        /// Independent searches: what was met and what there is are estimated well, whatever part of it they see.
        #[test]
        fn independent_searches_are_estimated_well(size in 3_000..200_000u64, searches in 2..8u64, per_cent in 5..95u64) {
            let (captures, met) = captures(size, searches, per_cent);
            let population = captures.population().expect("some state was met twice");
            prop_assert!((population.met / met - 1.0).abs() < 0.1, "{population:?}, met {met}");
            prop_assert!((population.all / size as f64 - 1.0).abs() < 0.25, "{population:?} of {size}");
            prop_assert!(population.all >= population.met);
        }
    }

    #[test]
    fn one_search_and_searches_with_nothing_in_common_estimate_nothing() {
        assert_eq!(captures(10_000, 1, 50).0.population(), None);
        let mut apart = Captures::default();
        for part in 0..3 {
            let mut sample = Sample::new();
            (0..1_000).for_each(|state| sample.add(mix(1 + state + 1_000 * part)));
            apart.add(&sample);
        }
        assert_eq!(apart.population(), None);
        assert_eq!(apart.met(), 3_000.0);
    }

    #[test]
    fn searches_that_meet_the_same_have_met_all() {
        let population = captures(50_000, 3, 100).0.population().expect("all were met");
        assert_eq!(population.met, population.all);
        assert!((population.all / 50_000.0 - 1.0).abs() < 0.1);
    }
}
