//! A permutation of packed states that makes their first piece as good as a hash.
//!
//! The first piece takes in a hash of the others and is then mixed within its own bits, by steps each of which can be
//! undone: products with odd numbers, and shifts by at least half the width. So the scrambled state says where it belongs,
//! without being unpacked, and two scrambled states are equal if and only if the states are.

const ODD: [u64; 2] = [0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb];
const UNDO: [u64; 2] = [inverse(ODD[0]), inverse(ODD[1])];
const FOLD: u64 = 0xd6e8_feb8_6659_fd93;

/// A permutation for states of some number of bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Scramble {
    /// The bits of the first piece.
    mask: u64,
    bits: u32,
}

impl Scramble {
    /// For states of this many bits.
    pub(super) fn new(bits: usize) -> Self {
        let bits = bits.clamp(1, 64) as u32;
        Scramble { mask: u64::MAX >> (64 - bits), bits }
    }

    /// Scrambles a packed state.
    #[inline]
    pub(super) fn scramble<const N: usize>(self, mut pieces: [u64; N]) -> [u64; N] {
        let mut first = (pieces[0] ^ hash(&pieces[1..])) & self.mask;
        for odd in ODD {
            first ^= first >> self.half();
            first = first.wrapping_mul(odd) & self.mask;
        }
        pieces[0] = first ^ first >> self.half();
        pieces
    }

    /// Undoes it.
    #[inline]
    pub(super) fn unscramble<const N: usize>(self, mut pieces: [u64; N]) -> [u64; N] {
        let mut first = pieces[0] ^ pieces[0] >> self.half();
        for undo in UNDO.into_iter().rev() {
            first = first.wrapping_mul(undo) & self.mask;
            first ^= first >> self.half();
        }
        pieces[0] = (first ^ hash(&pieces[1..])) & self.mask;
        pieces
    }

    /// A number of 64 bits, the high ones of which depend on the whole state that has this first piece.
    #[inline]
    pub(super) fn rank(self, first: u64) -> u64 {
        first << (64 - self.bits)
    }

    fn half(self) -> u32 {
        self.bits.div_ceil(2)
    }
}

/// Zero if there is nothing.
#[inline]
fn hash(pieces: &[u64]) -> u64 {
    pieces.iter().fold(0, |sum, &piece| {
        let product = u128::from(sum ^ piece) * u128::from(FOLD);
        product as u64 ^ (product >> 64) as u64
    })
}

/// The number that undoes the product with an odd one.
const fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    let mut right_bits = 3;
    while right_bits < 64 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
        right_bits *= 2;
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_can_be_undone(bits in 1..64usize, mut pieces in prop::array::uniform4(any::<u64>())) {
            let long = Scramble::new(64 + bits);
            prop_assert_eq!(long.unscramble(long.scramble(pieces)), pieces);
            let short = Scramble::new(bits);
            pieces[0] &= short.mask;
            let scrambled = short.scramble([pieces[0]]);
            prop_assert_eq!(scrambled[0] & !short.mask, 0);
            prop_assert_eq!(short.unscramble(scrambled), [pieces[0]]);
        }
    }

    /// Chi-squared per degree of freedom over the high bits; close to 1 for a random function.
    fn spread<const N: usize>(states: impl Iterator<Item = [u64; N]>, bits: usize) -> f64 {
        let scramble = Scramble::new(bits);
        let (mut counts, mut total) = (vec![0u32; 1024], 0u32);
        for state in states {
            counts[(scramble.rank(scramble.scramble(state)[0]) >> 54) as usize] += 1;
            total += 1;
        }
        let mean = f64::from(total) / 1024.0;
        counts.iter().map(|&count| (f64::from(count) - mean).powi(2)).sum::<f64>() / mean / 1023.0
    }

    #[test]
    fn states_that_differ_little_are_spread() {
        for bits in [40, 52, 63] {
            for shift in [0, 9, bits - 17] {
                let value = spread((0..1 << 17).map(|n| [n << shift]), bits);
                assert!(value < 1.3, "{bits} bits, counter at {shift}: {value}");
            }
        }
        for piece in 0..3 {
            for shift in [0, 30, 47] {
                let state = |n: u64| [0, 1, 2].map(|at| if at == piece { n << shift } else { 7 });
                let value = spread((0..1 << 17).map(state), 180);
                assert!((0.7..1.3).contains(&value), "piece {piece}, counter at {shift}: {value}");
            }
        }
    }
}
