//! What a search knows of each stored state besides its words: its number in the predecessor log, and its depth.
//!
//! States of a layer that come one after the other have numbers that are not far apart, and depths that are nearly equal.
//! So a tag is kept in three bytes, as what it has more than the first tag of its *run*; a run ends where that does not
//! fit. Invariant: the runs are in the order of the states, and the first begins with the first state.

use super::super::StateId;
use super::super::metered::BLOCK;

/// The bits that hold the depth; the numbers of the log fit into the others.
const DEPTH_BITS: u32 = 24;

/// The number and the depth of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Tag(u64);

impl Tag {
    pub(crate) fn new(number: u64, depth: u64) -> Tag {
        Tag(number << DEPTH_BITS | depth.min((1 << DEPTH_BITS) - 1))
    }

    /// The number in the predecessor log.
    pub(crate) fn number(self) -> u64 {
        self.0 >> DEPTH_BITS
    }

    /// As it is written to a checkpoint.
    pub(in crate::store) fn bits(self) -> u64 {
        self.0
    }

    /// What these bits are.
    pub(in crate::store) fn of_bits(bits: u64) -> Tag {
        Tag(bits)
    }

    pub(crate) fn depth(self) -> u64 {
        self.0 & ((1 << DEPTH_BITS) - 1)
    }
}

/// What a tag has more than the first of its run: two bytes for the number, one, with a sign, for the depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Difference([u8; 3]);

impl Difference {
    /// What has to be added to `first` to have `tag`, if it fits.
    #[inline]
    fn between(first: Tag, tag: Tag) -> Option<Difference> {
        let number = u16::try_from(tag.number().checked_sub(first.number())?).ok()?;
        let depth = i8::try_from(tag.depth() as i64 - first.depth() as i64).ok()?;
        let [low, high] = number.to_le_bytes();
        Some(Difference([low, high, depth as u8]))
    }

    #[inline]
    fn added_to(self, first: Tag) -> Tag {
        let Difference([low, high, depth]) = self;
        let number = first.number() + u64::from(u16::from_le_bytes([low, high]));
        Tag::new(number, first.depth().wrapping_add_signed(i64::from(depth as i8)))
    }
}

/// Tags that differ little from the first of them.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// The state that has the first tag.
    start: u32,
    first: Tag,
}

/// The tags of a layer.
#[derive(Default)]
pub(super) struct Tags {
    differences: Vec<Difference>,
    runs: Vec<Run>,
}

impl Tags {
    /// Bytes of no tags.
    pub(super) const EMPTY_BYTES: usize = 2 * BLOCK;

    /// The tag of a state that is in the layer.
    #[inline]
    pub(super) fn of(&self, id: StateId) -> Tag {
        let after = self.runs.partition_point(|run| run.start <= id.0);
        self.differences[id.0 as usize].added_to(self.runs[after - 1].first)
    }

    #[inline]
    pub(super) fn push(&mut self, tag: Tag) {
        if self.growth() > 0 {
            self.make_room();
        }
        let fitting = self.runs.last().and_then(|run| Difference::between(run.first, tag));
        self.differences.push(fitting.unwrap_or_else(|| {
            self.runs.push(Run { start: self.differences.len() as u32, first: tag });
            Difference([0; 3])
        }));
    }

    #[cold]
    fn make_room(&mut self) {
        if self.differences.len() == self.differences.capacity() {
            self.differences.reserve_exact(more(&self.differences));
        }
        if self.runs.len() == self.runs.capacity() {
            self.runs.reserve_exact(more(&self.runs));
        }
    }

    /// Keeps the tags of the first `len` states.
    pub(super) fn truncate(&mut self, len: u32) {
        self.differences.truncate(len as usize);
        self.runs.truncate(self.runs.partition_point(|run| run.start < len));
        self.differences.shrink_to_fit();
        self.runs.shrink_to_fit();
    }

    pub(super) fn clear(&mut self) {
        self.differences.clear();
        self.runs.clear();
    }

    /// Bytes that one tag more could allocate.
    #[inline]
    pub(super) fn growth(&self) -> usize {
        growth(&self.differences) + growth(&self.runs)
    }

    pub(super) fn bytes(&self) -> usize {
        let (differences, runs) = (self.differences.capacity(), self.runs.capacity());
        differences * size_of::<Difference>() + runs * size_of::<Run>() + Tags::EMPTY_BYTES
    }
}

/// How many items a vector that is full gets room for: few, since most layers are small and there are many.
#[inline]
fn more<T>(items: &[T]) -> usize {
    (items.len() / 4).max(1 + items.len().min(15))
}

/// Bytes that one item more allocates.
#[inline]
fn growth<T>(items: &Vec<T>) -> usize {
    if items.len() < items.capacity() { 0 } else { more(items) * size_of::<T>() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Steps that fit into a difference, that just do not, and that go back.
    fn tags() -> impl Strategy<Value = Vec<(u64, u64)>> {
        let number = prop_oneof![0..3u64, 65_530..65_540u64, 0..1u64 << 20, Just((1u64 << 40) - 1)];
        let depth = prop_oneof![0..300u64, 126..130u64, (1u64 << 24) - 200..(1 << 24) + 2];
        prop::collection::vec((number, depth, any::<bool>()), 0..100).prop_map(|steps| {
            let mut at = 0u64;
            let tag = |(number, depth, goes_on): (u64, u64, bool)| {
                at = if goes_on { (at + number) & ((1 << 40) - 1) } else { number };
                (at, depth)
            };
            steps.into_iter().map(tag).collect()
        })
    }

    proptest! {
        #[test]
        fn tags_are_what_was_pushed(all in tags(), kept in 0..100u32, more in tags()) {
            let mut tags = Tags::default();
            let mut expected: Vec<Tag> = Vec::new();
            let push = |tags: &mut Tags, expected: &mut Vec<Tag>, all: &[(u64, u64)]| {
                for &(number, depth) in all {
                    let (before, growth, tag) = (tags.bytes(), tags.growth(), Tag::new(number, depth));
                    tags.push(tag);
                    expected.push(tag);
                    assert!(tags.bytes() <= before + growth, "growth is announced");
                }
                for (id, &tag) in (0..).zip(expected.iter()) {
                    assert_eq!(tags.of(StateId(id)), tag);
                }
            };
            push(&mut tags, &mut expected, &all);
            tags.truncate(kept);
            expected.truncate(kept as usize);
            push(&mut tags, &mut expected, &more);
            tags.clear();
            expected.clear();
            push(&mut tags, &mut expected, &all);
        }
    }

    #[test]
    fn a_tag_takes_three_bytes() {
        let mut tags = Tags::default();
        let states = 100_000;
        (0..states).for_each(|n| tags.push(Tag::new(9 * n, n % 50)));
        assert!(tags.bytes() < 4 * states as usize, "{}", tags.bytes());
    }
}
