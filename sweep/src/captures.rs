//! How many states there are, from how often independent searches meet the same ones.
//!
//! Each search keeps the hashes of a sample of the states that it visits; which states are in a sample is decided by their
//! hashes, so that all searches sample the same ones. If a search meets m states that earlier ones have met, of the n that it
//! meets, these had met about the share m / n of all. The estimate assumes that searches are independent. They begin at the
//! same state, so that they overlap more than that, and the estimate is rather too small than too large.
//!
//! Capture and recapture: Petersen 1896, Lincoln 1930, in the form that is corrected for small numbers: Chapman, "Some
//! Properties of the Hypergeometric Distribution", 1951.

use std::collections::HashSet;

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
        if zeros(hash) >= self.zeros {
            self.hashes.push(hash);
            while self.hashes.len() > MOST {
                self.zeros += 1;
                self.hashes.retain(|&hash| zeros(hash) >= self.zeros);
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
    /// Those that some search has met.
    met: HashSet<u64>,
    /// The most states that a search has visited.
    largest: u64,
    all: Option<f64>,
}

impl Captures {
    /// Adds the sample of a search that has visited so many states. It tells about all of them if no path was cut off.
    pub(crate) fn add(&mut self, sample: &Sample, visited: u64, is_free: bool) {
        self.select(sample.zeros);
        let captured: Vec<u64> = sample.hashes.iter().copied().filter(|&hash| zeros(hash) >= self.zeros).collect();
        let again = captured.iter().filter(|&hash| self.met.contains(hash)).count();
        // Small searches say more of the neighbourhood of the initial state than of the rest.
        if is_free && again > 0 && visited >= self.largest / 2 {
            let [before, now, again] = [self.met.len(), captured.len(), again].map(|count| count as f64 + 1.0);
            self.all = Some((before * now / again - 1.0) * self.scale());
        }
        self.largest = self.largest.max(visited);
        self.met.extend(captured);
        // The samples of many searches may have little in common.
        while self.met.len() > 8 * MOST {
            self.select(self.zeros + 1);
        }
    }

    fn select(&mut self, least: u32) {
        if least > self.zeros {
            self.zeros = least;
            self.met.retain(|&hash| zeros(hash) >= least);
        }
    }

    fn scale(&self) -> f64 {
        2f64.powi(self.zeros as i32)
    }

    /// About how many different states were met.
    pub(crate) fn met(&self) -> f64 {
        self.met.len() as f64 * self.scale()
    }

    /// About how many there are, if two searches have met some state both.
    pub(crate) fn all(&self) -> Option<f64> {
        self.all.map(|all| all.max(self.met()))
    }
}

fn zeros(hash: u64) -> u32 {
    hash.trailing_zeros()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::random::{Random, mix};

    /// Searches that each meet any of `size` states with its own probability, in per cent; and what they have met.
    fn captures(size: u64, per_cents: &[usize]) -> (Captures, f64) {
        let mut captures = Captures::default();
        let mut met = HashSet::new();
        for (search, &per_cent) in (1..).zip(per_cents) {
            let (mut sample, mut visited) = (Sample::new(), 0);
            let mut random = Random::new(mix(search));
            for state in 0..size {
                if random.below(100) < per_cent {
                    sample.add(mix(state + 1));
                    met.insert(state);
                    visited += 1;
                }
            }
            captures.add(&sample, visited, true);
        }
        (captures, met.len() as f64)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        /// Independent searches: what was met and what there is are estimated well, however much of it each of them sees.
        #[test]
        fn independent_searches_are_estimated_well(
            size in 5_000..200_000u64,
            per_cents in prop::collection::vec(40..80usize, 2..7),
        ) {
            let (captures, met) = captures(size, &per_cents);
            let all = captures.all().expect("some state was met twice");
            prop_assert!((captures.met() / met - 1.0).abs() < 0.1, "{} met, not {met}", captures.met());
            prop_assert!((all / size as f64 - 1.0).abs() < 0.4, "{all}, not {size}");
            prop_assert!(all >= captures.met());
        }
    }

    #[test]
    fn one_search_and_searches_with_nothing_in_common_estimate_nothing() {
        assert_eq!(captures(10_000, &[50]).0.all(), None);
        let mut apart = Captures::default();
        for part in 0..3 {
            let mut sample = Sample::new();
            (0..1_000).for_each(|state| sample.add(mix(1 + state + 1_000 * part)));
            apart.add(&sample, 1_000, true);
        }
        assert_eq!(apart.all(), None);
        assert_eq!(apart.met(), 3_000.0);
    }

    #[test]
    fn small_searches_and_those_that_are_cut_off_say_nothing_of_the_whole() {
        let mut captures = Captures::default();
        let add = |captures: &mut Captures, states: std::ops::Range<u64>, is_free| {
            let mut sample = Sample::new();
            states.clone().for_each(|state| sample.add(mix(state + 1)));
            captures.add(&sample, states.count() as u64, is_free);
        };
        add(&mut captures, 0..5_000, true);
        add(&mut captures, 0..100, true);
        add(&mut captures, 0..4_000, false);
        assert_eq!(captures.all(), None);
        add(&mut captures, 2_500..7_500, true);
        assert!(captures.all().is_some_and(|all| (9_000.0..11_000.0).contains(&all)));
    }
}
