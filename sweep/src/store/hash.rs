//! The hash of a packed state: words are multiplied in pairs of 64 bits and the two halves of the product folded.
//!
//! Packed states differ in few bits, often in the low bits of one word. A full 64 by 64 bit product carries each of them
//! into the whole result, so every bit of the hash may be used: the table takes its bucket from the high half, and the
//! tag and the overflow bit from the low half. The construction is that of wyhash (Wang Yi) and its descendants.

use statespace::Word;

const START: u64 = 0x9e37_79b9_7f4a_7c15;
const FOLD: u64 = 0xd6e8_feb8_6659_fd93;
const TAIL: u64 = 0xa076_1d64_78bd_642f;
const FINISH: u64 = 0xe703_7ed1_a0b4_28db;

/// The hash of a state. It depends on the words and on how many there are.
#[inline]
pub fn hash(words: &[Word]) -> u64 {
    let (quads, rest) = words.as_chunks::<4>();
    let mut sum = START ^ words.len() as u64;
    for &[a, b, c, d] in quads {
        sum = fold(sum ^ pair(a, b), FOLD ^ pair(c, d));
    }
    match *rest {
        [a] => sum = fold(sum ^ u64::from(a), TAIL),
        [a, b] => sum = fold(sum ^ pair(a, b), TAIL),
        [a, b, c] => sum = fold(sum ^ pair(a, b), TAIL ^ u64::from(c)),
        _ => {}
    }
    fold(sum, FINISH)
}

#[inline]
fn pair(low: Word, high: Word) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Chi-squared per degree of freedom of `keys` over `cells`; close to 1 for a random function.
    fn spread(cells: usize, keys: impl Iterator<Item = usize>) -> f64 {
        let mut counts = vec![0u32; cells];
        let mut total = 0u32;
        for key in keys {
            counts[key] += 1;
            total += 1;
        }
        let mean = f64::from(total) / cells as f64;
        let sum: f64 = counts.iter().map(|&n| (f64::from(n) - mean).powi(2)).sum();
        sum / mean / (cells - 1) as f64
    }

    /// Families of low-entropy states: one counter, counters in nibbles, single bits, counters in separate words.
    fn families() -> Vec<Vec<Vec<Word>>> {
        let counter = (0..1 << 16).map(|n| vec![n, 0, 0, 0, 0]).collect();
        let high = (0..1 << 16).map(|n| vec![0, 0, 0, n << 16]).collect();
        let nibbles = (0..1u32 << 16).map(|n| (0..4).map(|i| (n >> (4 * i)) & 15).collect());
        let words = (0..1u32 << 16).map(|n| (0..8).map(|i| (n >> (2 * i)) & 3).collect());
        let bits = (0..256u32).flat_map(|a| {
            (0..a).map(move |b| {
                let mut state = vec![0; 8];
                state[a as usize / 32] |= 1 << (a % 32);
                state[b as usize / 32] |= 1 << (b % 32);
                state
            })
        });
        vec![counter, high, nibbles.collect(), words.collect(), bits.collect()]
    }

    #[test]
    fn low_entropy_states_spread_over_buckets_and_tags() {
        for (number, family) in families().into_iter().enumerate() {
            let hashes: Vec<u64> = family.iter().map(|state| hash(state)).collect();
            assert_eq!(hashes.iter().collect::<HashSet<_>>().len(), hashes.len());
            let buckets = spread(1000, hashes.iter().map(|h| (((h >> 32) * 1000) >> 32) as usize));
            let tags = spread(256, hashes.iter().map(|&h| h as u8 as usize));
            let joint = spread(4096, hashes.iter().map(|h| (h >> 58 << 6 | h & 63) as usize));
            for value in [buckets, tags, joint] {
                assert!((0.7..1.3).contains(&value), "family {number}: {value}");
            }
        }
    }

    #[test]
    fn length_counts() {
        let lengths: HashSet<u64> = (0..40).map(|n| hash(&vec![0; n])).collect();
        assert_eq!(lengths.len(), 40);
    }
}
