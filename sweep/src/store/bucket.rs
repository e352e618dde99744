//! Buckets of packed states: one or a few cache lines, in which one comparison selects the candidates of a lookup.
//!
//! A packed state is cut in two: its first byte, the *tag*, and the *rest*. The last byte of a bucket, the *mark*, has the
//! number of its states and four overflow bits; before it are the tags, and the rests are at the front of the bucket. So a
//! lookup compares all tags at once and then the rests of those that are equal: of other states, one in 256. A tag is a
//! part of its state, so this costs no memory.
//! Invariants: states are filled in one after the other and never removed; a bucket with overflow bits is full.
//!
//! Tags are those of Swiss tables, overflow bits those of boost::unordered_flat_map.

/// Bytes of a cache line.
pub(super) const LINE: usize = 64;
/// Rests are read eight bytes at a time, so some bytes behind a bucket may be read, and are ignored.
pub(super) const BEHIND: usize = 8;
/// Tags and mark are read at once.
const HEADER: usize = 16;
/// The most states in a bucket.
const MOST_SLOTS: usize = HEADER - 1;
/// The bits of a mark that have the number of states.
const COUNT: u8 = 15;
/// A bucket of one line more is taken if it saves this part of the memory.
const WORTH_A_LINE: f64 = 0.07;
const MOST_LINES: usize = 4;

const LOW_BITS: u64 = u64::from_le_bytes([0x01; 8]);
const HIGH_BITS: u64 = u64::from_le_bytes([0x80; 8]);
const GATHER: u64 = 0x0002_0408_1020_4081;

/// A packed state of `N` pieces, cut in two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Key<const N: usize> {
    /// The first byte.
    tag: u8,
    /// The others, in pieces of eight; the last piece has seven of them at most.
    rest: [u64; N],
}

impl<const N: usize> Key<N> {
    /// Cuts a packed state.
    #[inline]
    pub(super) fn cut(pieces: [u64; N]) -> Self {
        let tag = pieces[0] as u8;
        let piece = |nth: usize| pieces[nth] >> 8 | pieces.get(nth + 1).map_or(0, |next| next << 56);
        Key { tag, rest: std::array::from_fn(piece) }
    }

    /// The packed state.
    #[inline]
    pub(super) fn join(self) -> [u64; N] {
        let before = |nth: usize| nth.checked_sub(1).map_or(u64::from(self.tag), |nth| self.rest[nth] >> 56);
        std::array::from_fn(|nth| self.rest[nth] << 8 | before(nth))
    }

    /// The first piece of the packed state.
    #[inline]
    pub(super) fn first(&self) -> u64 {
        self.rest[0] << 8 | u64::from(self.tag)
    }

    /// The overflow bit that is set where it should be and is not.
    #[inline]
    fn overflow(&self) -> u8 {
        1 << (4 + (self.tag & 3))
    }
}

/// What a bucket says about a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Answer {
    /// It is here.
    Here,
    /// It is nowhere.
    Nowhere,
    /// If it is anywhere, then further on.
    Further,
}

/// How buckets are divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// Bytes of a bucket.
    pub(super) bucket: usize,
    /// States in a full bucket.
    pub(super) slots: usize,
    /// Bytes of the header before the first tag, which are anything.
    before_tags: usize,
    /// Bytes of a rest.
    rest: usize,
    /// The bits of its last piece that belong to it.
    part: u64,
}

impl Shape {
    /// For states of this many bits.
    pub(super) fn new(bits: usize) -> Self {
        let slot = bits.div_ceil(8).max(1);
        let rest = slot - 1;
        let part = (1u64 << (8 * (rest % 8))) - 1;
        let of = |lines: usize| {
            let (bucket, slots) = (lines * LINE, ((lines * LINE - 1) / slot).min(MOST_SLOTS));
            Shape { bucket, slots, before_tags: MOST_SLOTS - slots, rest, part }
        };
        let least = (slot + 1).div_ceil(LINE);
        (least + 1..=least * MOST_LINES).map(of).fold(of(least), |best, next| {
            let cost = |shape: Shape| shape.bucket as f64 / shape.slots as f64;
            if cost(next) < cost(best) * (1.0 - WORTH_A_LINE) { next } else { best }
        })
    }

    /// Looks for a state in a bucket, which begins here.
    #[inline]
    pub(super) fn find<const N: usize>(self, bucket: &[u8], key: &Key<N>) -> Answer {
        let header = bucket[self.bucket - HEADER..].first_chunk().expect("a bucket is longer than its header");
        let mark = header[HEADER - 1];
        let mut equal = equal_bytes(header, key.tag) >> self.before_tags & ((1 << (mark & COUNT)) - 1);
        while equal != 0 {
            if self.has(bucket, equal.trailing_zeros() as usize, &key.rest) {
                return Answer::Here;
            }
            equal &= equal - 1;
        }
        if mark & key.overflow() == 0 { Answer::Nowhere } else { Answer::Further }
    }

    /// Puts a state into a bucket, which begins here; if it is full, it is marked, and the state belongs further on.
    #[inline]
    pub(super) fn put<const N: usize>(self, bucket: &mut [u8], key: &Key<N>) -> bool {
        let slot = self.count(bucket);
        if slot == self.slots {
            bucket[self.bucket - 1] |= key.overflow();
            return false;
        }
        bucket[self.bucket - 1] += 1;
        bucket[self.tag_of(slot)] = key.tag;
        let at = slot * self.rest;
        for nth in 0..N - 1 {
            write(bucket, at + 8 * nth, key.rest[nth]);
        }
        if self.part != 0 {
            let behind = read(bucket, at + 8 * (N - 1)) & !self.part;
            write(bucket, at + 8 * (N - 1), behind | key.rest[N - 1]);
        }
        true
    }

    /// How many states are in a bucket.
    #[inline]
    pub(super) fn count(self, bucket: &[u8]) -> usize {
        usize::from(bucket[self.bucket - 1] & COUNT)
    }

    /// A state of a bucket.
    #[inline]
    pub(super) fn get<const N: usize>(self, bucket: &[u8], slot: usize) -> Key<N> {
        let piece = |nth: usize| match nth + 1 == N {
            true if self.part == 0 => 0,
            true => read(bucket, slot * self.rest + 8 * nth) & self.part,
            false => read(bucket, slot * self.rest + 8 * nth),
        };
        Key { tag: bucket[self.tag_of(slot)], rest: std::array::from_fn(piece) }
    }

    /// Where the tag of a state is.
    #[inline]
    fn tag_of(self, slot: usize) -> usize {
        self.bucket - HEADER + self.before_tags + slot
    }

    /// Is this the rest of a state in a bucket?
    #[inline]
    fn has<const N: usize>(self, bucket: &[u8], slot: usize, rest: &[u64; N]) -> bool {
        let at = slot * self.rest;
        (0..N - 1).all(|nth| read(bucket, at + 8 * nth) == rest[nth])
            && (self.part == 0 || read(bucket, at + 8 * (N - 1)) & self.part == rest[N - 1])
    }
}

/// A bit for each byte, from the first, that is equal to this one.
#[inline]
fn equal_bytes(bytes: &[u8; HEADER], byte: u8) -> u32 {
    let wanted = u64::from(byte) * LOW_BITS;
    let equal = |half: u64| {
        let differences = half ^ wanted;
        // The high bit of a byte gets set if a lower one is; no byte carries into the next.
        let lower = (differences & !HIGH_BITS) + !HIGH_BITS;
        // The product gathers the high bits in its highest byte.
        (!(lower | differences) & HIGH_BITS).wrapping_mul(GATHER) >> 56
    };
    let halves = u128::from_le_bytes(*bytes);
    (equal(halves as u64) | equal((halves >> 64) as u64) << 8) as u32
}

/// Eight bytes from here on.
#[inline]
fn read(bytes: &[u8], at: usize) -> u64 {
    let piece = bytes[at..].first_chunk().expect("eight bytes follow each bucket");
    u64::from_le_bytes(*piece)
}

#[inline]
fn write(bytes: &mut [u8], at: usize, piece: u64) {
    bytes[at..at + 8].copy_from_slice(&piece.to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A state of this many bits, most of which are zero.
    fn pieces<const N: usize>(bits: usize, &(first, middle, last): &(u64, u64, u64)) -> [u64; N] {
        let mut pieces = [0; N];
        pieces[0] = first & ((1 << bits.min(8)) - 1);
        pieces[bits / 128] ^= middle << (bits / 2 % 64);
        pieces[(bits - 1) / 64] ^= last << ((bits - 1) % 64);
        pieces
    }

    /// Puts states into a bucket until it is full, and looks for them.
    fn fill<const N: usize>(bits: usize, states: &[(u64, u64, u64)]) {
        let shape = Shape::new(bits);
        let mut bytes = vec![0xff; shape.bucket + BEHIND];
        bytes[..shape.bucket].fill(0);
        let mut put: Vec<[u64; N]> = Vec::new();
        for state in states {
            let state = pieces(bits, state);
            let key = Key::cut(state);
            assert_eq!((key.first(), key.join()), (state[0], state));
            let answer = shape.find(&bytes, &key);
            assert_eq!(answer == Answer::Here, put.contains(&state));
            if answer == Answer::Here {
                continue;
            }
            assert!(answer == Answer::Nowhere || put.len() == shape.slots);
            if shape.put(&mut bytes, &key) {
                put.push(state);
            } else {
                assert_eq!(put.len(), shape.slots);
                assert_eq!(shape.find(&bytes, &key), Answer::Further);
            }
            assert_eq!(shape.count(&bytes), put.len());
        }
        let back: Vec<[u64; N]> = (0..put.len()).map(|slot| shape.get(&bytes, slot).join()).collect();
        assert_eq!(back, put);
        assert!(bytes[shape.bucket..].iter().all(|&byte| byte == 0xff), "nothing is written behind a bucket");
    }

    proptest! {
        #[test]
        fn bytes_are_compared_one_by_one(bytes in prop::array::uniform16(0..4u8), byte in 0..4u8, high in any::<bool>()) {
            let flip = if high { 0x80 } else { 0 };
            let marks = equal_bytes(&bytes.map(|byte| byte ^ flip), byte ^ flip);
            prop_assert!((0..16).all(|nth| marks >> nth & 1 == u32::from(bytes[nth] == byte)));
            prop_assert_eq!(marks >> 16, 0);
        }

        /// Few different tags and rests, so that many are equal in part.
        #[test]
        fn a_bucket_has_what_was_put_into_it(
            bits in 1..256usize,
            states in prop::collection::vec((0..3u64, 0..2u64, 0..2u64), 1..20)
        ) {
            match bits.div_ceil(64) {
                1 => fill::<1>(bits, &states),
                2 => fill::<2>(bits, &states),
                3 => fill::<3>(bits, &states),
                _ => fill::<4>(bits, &states),
            }
        }
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
