//! Sets of bits of a state, for every layout: runs of words that have the same bits in the set.
//!
//! Invariant: runs are sorted by region and word, disjoint, and two that touch have different masks. So equal sets have
//! equal runs, and a whole array costs at most three. A set that would take more than [`MAX_RUNS`] runs is rounded up, first
//! to whole words, then to whole regions, unless it must be exact.

use crate::code::layout::{ChannelPlace, ChannelShape};
use crate::code::state::{Array, Field};
use crate::exec::channel::Channel;
use crate::ids::TemplateId;
use statespace::Word;

/// The most runs of a set that is kept exactly.
const MAX_RUNS: usize = 256;

/// The part of a state that words are counted in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Region {
    /// The words in front of all blocks: globals and constant channels, and in a fixed layout the locals of all processes.
    Fixed,
    /// The block of the process that moves.
    Own,
    /// The block of any process of this template.
    Block(TemplateId),
}

/// The same bits of each word in a row of words.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Run {
    /// What the words are counted in.
    pub region: Region,
    /// The first word.
    pub first: u32,
    /// One past the last word.
    pub end: u32,
    /// The bits of each.
    pub mask: Word,
}

/// A set of bits of a state.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct StateBits {
    runs: Vec<Run>,
}

impl StateBits {
    /// The set of the bits in these runs, which may overlap, or a larger one.
    pub fn new(runs: &[Run]) -> Self {
        Self { runs: round_up(unite_all(runs)) }
    }

    /// The set of the bits in these runs and of no other, however many runs it takes.
    pub fn exact(runs: &[Run]) -> Self {
        Self { runs: unite_all(runs) }
    }

    /// In order, disjoint.
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// Whether some of these bits of a word are in the set.
    pub fn intersects(&self, region: Region, word: u32, mask: Word) -> bool {
        self.runs.iter().any(|run| run.region == region && (run.first..run.end).contains(&word) && run.mask & mask != 0)
    }

    /// Whether all of these bits of a word are in the set.
    pub fn contains(&self, region: Region, word: u32, mask: Word) -> bool {
        self.runs
            .iter()
            .any(|run| run.region == region && (run.first..run.end).contains(&word) && mask & !run.mask == 0)
    }

    /// Whether the set has one of these bits.
    pub fn meets(&self, other: &Run) -> bool {
        let touches = |run: &Run| run.first < other.end && other.first < run.end && run.mask & other.mask != 0;
        self.runs.iter().any(|run| run.region == other.region && touches(run))
    }

    /// The bits of this set that are not in the other one, exactly.
    pub fn without(&self, other: &Self) -> Self {
        Self { runs: combine(&self.runs, &other.runs, |own, other| own & !other) }
    }

    /// The bits that are in both sets, exactly.
    pub fn common(&self, other: &Self) -> Self {
        Self { runs: combine(&self.runs, &other.runs, |own, other| own & other) }
    }

    /// Adds the bits of another set; whether there was a new one.
    pub fn extend(&mut self, other: &Self) -> bool {
        if other.runs.is_empty() || self.runs == other.runs {
            return false;
        }
        let united = round_up(unite(&self.runs, &other.runs));
        let has_grown = united != self.runs;
        self.runs = united;
        has_grown
    }
}

/// The union of runs that may overlap.
fn unite_all(runs: &[Run]) -> Vec<Run> {
    match runs {
        [] | [_] => runs.to_vec(),
        _ => {
            let (left, right) = runs.split_at(runs.len() / 2);
            unite(&unite_all(left), &unite_all(right))
        }
    }
}

/// The union of two lists of runs, each sorted and disjoint.
fn unite(left: &[Run], right: &[Run]) -> Vec<Run> {
    combine(left, right, |one, other| one | other)
}

/// What two lists of runs, each sorted and disjoint, have word by word, combined. Where neither has a bit there is none.
fn combine(left: &[Run], right: &[Run], operation: impl Fn(Word, Word) -> Word) -> Vec<Run> {
    let mut out = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.iter().copied(), right.iter().copied());
    let (mut a, mut b) = (left.next(), right.next());
    while let Some((region, first)) = [a, b].into_iter().flatten().map(|run| (run.region, run.first)).min() {
        let begins = |run: &Run| (run.region, run.first) == (region, first);
        // The next word at which a run begins or ends.
        let next = |run: Run| if begins(&run) { run.end } else { run.first };
        let ahead = [a, b].into_iter().flatten().filter(|run| run.region == region);
        let end = ahead.map(next).min().unwrap_or(first);
        let mask_of = |run: Option<Run>| run.filter(begins).map_or(0, |run| run.mask);
        let mask = operation(mask_of(a), mask_of(b));
        if mask != 0 {
            push(&mut out, Run { region, first, end, mask });
        }
        for (run, rest) in [(&mut a, &mut left), (&mut b, &mut right)] {
            if run.is_some_and(|run| begins(&run)) {
                *run =
                    run.map(|run| Run { first: end, ..run }).filter(|run| run.first < run.end).or_else(|| rest.next());
            }
        }
    }
    out
}

/// Adds a run behind the others.
fn push(runs: &mut Vec<Run>, run: Run) {
    match runs.last_mut() {
        Some(last) if last.region == run.region && last.end == run.first && last.mask == run.mask => last.end = run.end,
        _ => runs.push(run),
    }
}

fn round_up(runs: Vec<Run>) -> Vec<Run> {
    if runs.len() <= MAX_RUNS {
        return runs;
    }
    let mut words = Vec::new();
    runs.iter().for_each(|&run| push(&mut words, Run { mask: Word::MAX, ..run }));
    if words.len() <= MAX_RUNS {
        return words;
    }
    let mut regions: Vec<Run> = Vec::new();
    for run in words {
        match regions.last_mut() {
            Some(last) if last.region == run.region => last.end = run.end,
            _ => regions.push(run),
        }
    }
    regions
}

impl Run {
    /// The bits of a field.
    pub fn of(region: Region, field: Field) -> Self {
        Run { region, first: field.word, end: field.word + 1, mask: field.mask() }
    }

    /// The bits of an array: of the words that are full, and of the last one.
    pub fn of_array(region: Region, array: Array) -> [Option<Self>; 2] {
        let per_word = 1 << array.per_word_log2;
        let mask_of = |len: u32| (0..len).fold(0, |mask, index| mask | array.element(index).mask());
        let (full, rest) = (array.len / per_word, array.len % per_word);
        let word = array.first.word;
        [
            (full > 0).then(|| Run { region, first: word, end: word + full, mask: mask_of(per_word) }),
            (rest > 0).then(|| Run { region, first: word + full, end: word + full + 1, mask: mask_of(rest) }),
        ]
    }

    /// The bits of the first `slots` messages of a channel with a buffer.
    pub fn of_messages(place: ChannelPlace, shape: &ChannelShape, slots: u32) -> Vec<Self> {
        let channel = Channel { place, shape };
        let fields = 0..shape.fields.len();
        let slots = 0..slots.min(shape.capacity);
        slots.flat_map(|slot| fields.clone().map(move |nth| Run::of(Region::Fixed, channel.field(slot, nth)))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(first: u32, end: u32, mask: Word) -> Run {
        Run { region: Region::Fixed, first, end, mask }
    }

    #[test]
    fn a_union_is_the_union_of_its_words() {
        let mut seed = 7u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % below
        };
        for _ in 0..500 {
            let runs: Vec<Run> = (0..random(12))
                .map(|_| {
                    let first = random(20) as u32;
                    let region = if random(3) == 0 { Region::Own } else { Region::Fixed };
                    Run { region, ..run(first, first + 1 + random(5) as u32, 1 << random(3)) }
                })
                .collect();
            let set = StateBits::new(&runs);
            for region in [Region::Fixed, Region::Own] {
                for word in 0..26 {
                    let covering =
                        runs.iter().filter(|run| run.region == region && (run.first..run.end).contains(&word));
                    let mask = covering.fold(0, |mask, run| mask | run.mask);
                    assert!(set.contains(region, word, mask) || mask == 0, "{runs:?} {set:?}");
                    assert!(!set.intersects(region, word, !mask), "{runs:?} {set:?}");
                }
            }
            let in_order = |pair: &[Run]| {
                let [a, b] = pair else { return false };
                (a.region, a.end) <= (b.region, b.first) || a.region < b.region
            };
            assert!(set.runs().windows(2).all(in_order), "{set:?}");
        }
    }

    #[test]
    fn sets_are_combined_word_by_word() {
        let mut seed = 11u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % below
        };
        let mut set = || {
            let runs: Vec<Run> = (0..random(8))
                .map(|_| {
                    let first = random(16) as u32;
                    let region = if random(3) == 0 { Region::Own } else { Region::Fixed };
                    Run { region, ..run(first, first + 1 + random(6) as u32, 1 + random(15) as Word) }
                })
                .collect();
            StateBits::exact(&runs)
        };
        let mask_in = |set: &StateBits, region, word| {
            let covering = set.runs().iter().filter(|run| run.region == region && (run.first..run.end).contains(&word));
            covering.fold(0, |mask, run| mask | run.mask)
        };
        for _ in 0..500 {
            let (one, other) = (set(), set());
            let (common, rest) = (one.common(&other), one.without(&other));
            for (region, word) in [Region::Fixed, Region::Own].into_iter().flat_map(|at| (0..24).map(move |w| (at, w)))
            {
                let (a, b) = (mask_in(&one, region, word), mask_in(&other, region, word));
                assert_eq!(mask_in(&common, region, word), a & b, "{one:?} {other:?}");
                assert_eq!(mask_in(&rest, region, word), a & !b, "{one:?} {other:?}");
            }
            assert_eq!(other.runs().iter().any(|run| one.meets(run)), !common.runs().is_empty(), "{one:?} {other:?}");
        }
    }

    #[test]
    fn neighbours_are_one_run_and_large_sets_are_rounded_up() {
        assert_eq!(StateBits::new(&[run(3, 4, 1), run(1, 3, 1)]).runs(), [run(1, 4, 1)]);
        let many: Vec<Run> = (0..1_000).map(|word| run(2 * word, 2 * word + 1, 1)).collect();
        assert_eq!(StateBits::new(&many).runs(), [run(0, 1_999, Word::MAX)]);
    }
}
