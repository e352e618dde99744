//! What a plan would cost: the column sweep on the graph of a sample, counted and not stored.

use crate::product::Plan;
use crate::sample::Sample;

/// What a plan costs on a sample.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Trial {
    /// The most states stored at a time, as a part of all.
    pub peak: f64,
    /// The most memory at a time, as a part of that of all states in one layer: a layer costs as much as some states.
    pub weight: f64,
    /// States expanded, as a multiple of all.
    pub expanded: f64,
    /// Layers.
    pub layers: usize,
}

/// A sweep that expands more than so many times the states is not followed to its end.
const MOST_EXPANDED: usize = 3;

/// A layer takes as much memory as so many states.
const LAYER_WEIGHT: usize = 8;
/// A layer of a part of the states will have more of them.
const PART_WEIGHT: usize = 2;

/// Keys of so many bits are numbered by a table.
const TABLE_BITS: u32 = 20;

/// Tries a plan.
pub fn run(sample: &Sample, plan: &Plan) -> Trial {
    run_below(sample, plan, f64::INFINITY)
}

/// Tries a plan until it is known to weigh more than `most`; then what it costs is not known, but more than that.
pub fn run_below(sample: &Sample, plan: &Plan, most: f64) -> Trial {
    let most = most * sample.states() as f64;
    let size = sample.states();
    let (line, column) = lines(sample, plan);
    let mut store = Store::new(&line, column.len());
    let layer_weight = if sample.complete { LAYER_WEIGHT } else { PART_WEIGHT };
    let (mut peak, mut weight, mut expanded) = (0, 0, 0);
    if size > 0 {
        store.keep(0, Kept::Passing);
    }
    let mut at = store.todo.next(0);
    while let Some(now) = at {
        while let Some(state) = store.pop(now) {
            expanded += 1;
            for &next in sample.successors(state) {
                match line[next as usize] < now {
                    true => store.keep(next, Kept::Persistent),
                    false => store.keep(next, Kept::Passing),
                }
            }
        }
        store.todo.remove(now);
        peak = peak.max(store.states);
        weight = weight.max(store.states + layer_weight * store.lines);
        store.forget_passing(now);
        if expanded > MOST_EXPANDED * size || weight as f64 > most {
            break;
        }
        let same = |line: &u32| column[*line as usize] == column[now as usize];
        at = store.todo.next(now + 1).filter(same).or_else(|| store.todo.next(0));
        if at.is_none_or(|at| !same(&at)) {
            store.forget_persistent();
        }
    }
    let all = size.max(1) as f64;
    Trial {
        peak: peak as f64 / all,
        weight: weight as f64 / all,
        expanded: expanded as f64 / all,
        layers: column.len(),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    No,
    Passing,
    Persistent,
}

/// The end of a list.
const NONE: u32 = u32::MAX;

/// Which states are stored, and where. The states of a line that wait and those that pass are lists through `next_*`.
struct Store<'a> {
    line: &'a [u32],
    kept: Vec<Kept>,
    first_waiting: Vec<u32>,
    next_waiting: Vec<u32>,
    first_passing: Vec<u32>,
    next_passing: Vec<u32>,
    /// How many states a line has.
    count: Vec<u32>,
    /// The lines in which states wait.
    todo: Lines,
    persistent: Vec<u32>,
    states: usize,
    lines: usize,
}

impl<'a> Store<'a> {
    fn new(line: &'a [u32], lines: usize) -> Self {
        Store {
            line,
            kept: vec![Kept::No; line.len()],
            first_waiting: vec![NONE; lines],
            next_waiting: vec![NONE; line.len()],
            first_passing: vec![NONE; lines],
            next_passing: vec![NONE; line.len()],
            count: vec![0; lines],
            todo: Lines(vec![0; lines.div_ceil(64)]),
            persistent: Vec::new(),
            states: 0,
            lines: 0,
        }
    }

    #[inline]
    fn keep(&mut self, state: u32, how: Kept) {
        let at = state as usize;
        if self.kept[at] != Kept::No {
            return;
        }
        self.kept[at] = how;
        let line = self.line[at] as usize;
        match how {
            Kept::Persistent => self.persistent.push(state),
            _ => self.next_passing[at] = std::mem::replace(&mut self.first_passing[line], state),
        }
        self.next_waiting[at] = std::mem::replace(&mut self.first_waiting[line], state);
        self.todo.insert(line as u32);
        self.states += 1;
        self.count[line] += 1;
        self.lines += usize::from(self.count[line] == 1);
    }

    /// Takes a state out that waits in the line.
    fn pop(&mut self, line: u32) -> Option<u32> {
        let state = self.first_waiting[line as usize];
        if state == NONE {
            return None;
        }
        self.first_waiting[line as usize] = self.next_waiting[state as usize];
        Some(state)
    }

    fn forget_passing(&mut self, line: u32) {
        let mut state = std::mem::replace(&mut self.first_passing[line as usize], NONE);
        while state != NONE {
            self.forget(state);
            state = self.next_passing[state as usize];
        }
    }

    /// Not those that wait: where a column is none, steps fall out of it, and what they reach is still to be expanded.
    fn forget_persistent(&mut self) {
        for state in std::mem::take(&mut self.persistent) {
            match self.todo.contains(self.line[state as usize]) {
                true => self.persistent.push(state),
                false => self.forget(state),
            }
        }
    }

    fn forget(&mut self, state: u32) {
        self.kept[state as usize] = Kept::No;
        let count = &mut self.count[self.line[state as usize] as usize];
        *count -= 1;
        self.states -= 1;
        self.lines -= usize::from(*count == 0);
    }
}

/// A set of lines, a bit each.
struct Lines(Vec<u64>);

impl Lines {
    fn insert(&mut self, line: u32) {
        self.0[line as usize / 64] |= 1 << (line % 64);
    }

    fn contains(&self, line: u32) -> bool {
        self.0[line as usize / 64] >> (line % 64) & 1 == 1
    }

    fn remove(&mut self, line: u32) {
        self.0[line as usize / 64] &= !(1 << (line % 64));
    }

    /// The least line from this on.
    fn next(&self, line: u32) -> Option<u32> {
        let first = line as usize / 64;
        let mut mask = u64::MAX << (line % 64);
        for (number, &word) in self.0.iter().enumerate().skip(first) {
            if word & mask != 0 {
                return Some(number as u32 * 64 + (word & mask).trailing_zeros());
            }
            mask = u64::MAX;
        }
        None
    }
}

/// The line of each state, numbered in order, and the column of each line.
fn lines(sample: &Sample, plan: &Plan) -> (Vec<u32>, Vec<u32>) {
    let (columns, column_bits) = keys(sample, &plan.columns);
    let (layers, layer_bits) = keys(sample, &plan.layers);
    let key = |state: usize| (columns[state], layers[state]);
    if column_bits + layer_bits <= TABLE_BITS {
        let index = |state: usize| (columns[state] << layer_bits | layers[state]) as usize;
        let mut number = vec![NONE; 1 << (column_bits + layer_bits)];
        (0..sample.states()).for_each(|state| number[index(state)] = 0);
        let mut column = Vec::new();
        for (key, number) in number.iter_mut().enumerate().filter(|(_, number)| **number == 0) {
            *number = column.len() as u32;
            column.push((key >> layer_bits) as u32);
        }
        return ((0..sample.states()).map(|state| number[index(state)]).collect(), column);
    }
    let mut order: Vec<u32> = (0..sample.states() as u32).collect();
    order.sort_unstable_by_key(|&state| key(state as usize));
    let mut line = vec![0; order.len()];
    let mut column: Vec<u32> = Vec::new();
    let mut before = None;
    for state in order {
        let key = key(state as usize);
        let last = column.last().copied().unwrap_or(0);
        match before {
            Some(before) if before == key => {}
            Some((before, _)) if before != key.0 => column.push(last + 1),
            _ => column.push(last),
        }
        line[state as usize] = column.len() as u32 - 1;
        before = Some(key);
    }
    (line, column)
}

/// The terms of each state packed into a number, as far as they fit, and the bits they take: only the values in the
/// sample need room.
fn keys(sample: &Sample, terms: &[Vec<usize>]) -> (Vec<u128>, u32) {
    let mut keys = vec![0u128; sample.states()];
    let mut sums = vec![0u64; sample.states()];
    let mut left = u128::BITS;
    for term in terms {
        sums.fill(0);
        for &part in term {
            sums.iter_mut().zip(&sample.values[part]).for_each(|(sum, &value)| *sum += u64::from(value));
        }
        let least = sums.iter().copied().min().unwrap_or(0);
        let spread = sums.iter().copied().max().unwrap_or(0) - least;
        let bits = u64::BITS - spread.leading_zeros();
        if bits <= left {
            left -= bits;
            for (key, sum) in keys.iter_mut().zip(&sums) {
                *key = *key << bits | u128::from(sum - least);
            }
        }
    }
    (keys, u128::BITS - left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_that_waits_is_not_forgotten() {
        let line = [0, 1];
        let mut store = Store::new(&line, 2);
        store.keep(0, Kept::Persistent);
        store.forget_persistent();
        store.keep(0, Kept::Passing);
        assert_eq!((store.pop(0), store.pop(0), store.states), (Some(0), None, 1));
        store.todo.remove(0);
        store.forget_persistent();
        assert_eq!((store.states, store.lines), (0, 0));
    }
}
