//! The lines that a plan gives to the states of a sample.
//!
//! The terms of a plan are packed into a key for each state, as the measure would do it, and those keys are numbered in
//! order. Plans that are tried one after the other have most of their terms in common, or all but the last part of one, so
//! the sums of the last terms are kept.

use fxhash::FxHashMap;

use crate::product::Plan;
use crate::sample::Sample;

/// Keys are numbered by a table if it has no more entries than this for each state.
const TABLE_ENTRIES: usize = 4;
/// The number of terms whose sums are kept.
const MOST_SUMS: usize = 6;

/// The states of a sample, arranged in lines.
#[derive(Default)]
pub(super) struct Lines {
    /// The line of each state.
    pub(super) of: Vec<u32>,
    /// The key of each line, in order.
    pub(super) keys: Vec<u64>,
    /// How many states each line has.
    pub(super) counts: Vec<u32>,
    /// The column of a line is its key without so many bits.
    pub(super) layer_bits: u32,
    /// The key of each state.
    packed: Vec<u64>,
    /// Lines by their keys.
    numbers: FxHashMap<u64, u32>,
    table: Vec<u32>,
    /// Terms that were packed, the last first, with their sums.
    sums: Vec<(Vec<usize>, Vec<u64>)>,
}

impl Lines {
    /// Gives each state its line, numbered in order.
    pub(super) fn arrange(&mut self, plan: &Plan, sample: &Sample) {
        self.packed.clear();
        self.packed.resize(sample.states(), 0);
        let column_bits = self.pack(&plan.columns, u64::BITS - 1, sample);
        self.layer_bits = self.pack(&plan.layers, u64::BITS - 1 - column_bits, sample);
        let size = 1usize.checked_shl(column_bits + self.layer_bits).unwrap_or(usize::MAX);
        match size <= TABLE_ENTRIES * self.packed.len() {
            true => self.number_by_table(size),
            false => self.number_by_hash(),
        }
    }

    /// Appends terms to the keys, as far as they fit into this many bits; returns how many they take.
    fn pack(&mut self, terms: &[Vec<usize>], most: u32, sample: &Sample) -> u32 {
        let mut taken = 0;
        for term in terms {
            let largest: u64 = term.iter().map(|&part| u64::from(sample.largest[part])).sum();
            let bits = u64::BITS - largest.leading_zeros();
            if bits > 0 && taken + bits <= most {
                taken += bits;
                self.sum(term, sample);
                let sums = &self.sums[0].1;
                self.packed.iter_mut().zip(sums).for_each(|(key, &sum)| *key = *key << bits | sum);
            }
        }
        taken
    }

    /// Puts the sums of a term first.
    fn sum(&mut self, term: &[usize], sample: &Sample) {
        if let Some(known) = self.sums.iter().position(|(known, _)| known == term) {
            return self.sums[..=known].rotate_right(1);
        }
        // What begins as this term does is added to; the oldest one makes room.
        let shorter =
            self.sums.iter().filter(|(known, _)| term.starts_with(known)).max_by_key(|(known, _)| known.len());
        let (done, start) = shorter.map_or((0, None), |(known, sums)| (known.len(), Some(sums.clone())));
        let mut sums = start.unwrap_or_else(|| vec![0; sample.states()]);
        for &part in term[done..].iter().filter(|&&part| sample.largest[part] > 0) {
            sums.iter_mut().zip(&sample.values[part]).for_each(|(sum, &value)| *sum += u64::from(value));
        }
        self.sums.truncate(MOST_SUMS - 1);
        self.sums.insert(0, (term.to_vec(), sums));
    }

    fn number_by_table(&mut self, size: usize) {
        let Lines { of, keys, counts, packed, table, .. } = self;
        table.clear();
        table.resize(size, 0);
        packed.iter().for_each(|&key| table[key as usize] += 1);
        keys.clear();
        counts.clear();
        for (key, number) in table.iter_mut().enumerate().filter(|(_, count)| **count > 0) {
            counts.push(*number);
            *number = keys.len() as u32;
            keys.push(key as u64);
        }
        of.clear();
        of.extend(packed.iter().map(|&key| table[key as usize]));
    }

    fn number_by_hash(&mut self) {
        let Lines { of, keys, counts, packed, numbers, table, .. } = self;
        // The keys as they come,
        numbers.clear();
        keys.clear();
        of.clear();
        of.extend(packed.iter().map(|&key| {
            *numbers.entry(key).or_insert_with(|| {
                keys.push(key);
                keys.len() as u32 - 1
            })
        }));
        // and in order.
        let mut order: Vec<u32> = (0..keys.len() as u32).collect();
        order.sort_unstable_by_key(|&number| keys[number as usize]);
        table.clear();
        table.resize(order.len(), 0);
        for (line, &number) in order.iter().enumerate() {
            table[number as usize] = line as u32;
        }
        keys.sort_unstable();
        counts.clear();
        counts.resize(keys.len(), 0);
        for line in of {
            *line = table[*line as usize];
            counts[*line as usize] += 1;
        }
    }
}
