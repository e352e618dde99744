//! What a plan would cost: the column sweep on the graph of a sample, counted and not stored.
//!
//! Very many plans are tried on one sample, so a trial is a pass over small arrays that are allocated once, and a plan
//! that is known to weigh too much is given up: before it is swept, if already its largest layer does.

use fxhash::FxHashMap;

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

/// What a plan may cost, if it is to be tried to its end.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bound {
    /// Its weight.
    pub weight: f64,
    /// The states it expands, as a multiple of all.
    pub expanded: f64,
}

impl Bound {
    /// A sweep that expands very much is not followed to its end in any case.
    pub const NONE: Bound = Bound { weight: f64::INFINITY, expanded: 3.0 };
}

/// A layer takes as much memory as so many states.
const LAYER_WEIGHT: usize = 8;
/// A layer of a part of the states will have more of them.
const PART_WEIGHT: usize = 2;

/// Keys are numbered by a table if it has no more than so many entries for each state.
const TABLE_ENTRIES: usize = 4;

/// The end of a list, and the number of no line.
const NONE: u32 = u32::MAX;

/// Trials on one sample.
pub struct Trials<'s> {
    sample: &'s Sample,
    layer_weight: usize,
    /// The terms of each state, packed into a number.
    keys: Vec<u64>,
    /// Lines by their keys, and the keys in the order of the lines.
    numbers: FxHashMap<u64, u32>,
    table: Vec<u32>,
    distinct: Vec<u64>,
    store: Store,
}

impl<'s> Trials<'s> {
    /// Nothing is tried yet.
    pub fn new(sample: &'s Sample) -> Self {
        Trials {
            sample,
            layer_weight: if sample.complete { LAYER_WEIGHT } else { PART_WEIGHT },
            keys: Vec::new(),
            numbers: FxHashMap::default(),
            table: Vec::new(),
            distinct: Vec::new(),
            store: Store::default(),
        }
    }

    /// Tries a plan.
    pub fn run(&mut self, plan: &Plan) -> Trial {
        self.sweep(plan, Bound::NONE).0
    }

    /// Tries a plan until it is known to cost more than this.
    pub fn run_below(&mut self, plan: &Plan, bound: Bound) -> Option<Trial> {
        let (trial, is_whole) = self.sweep(plan, bound);
        is_whole.then_some(trial)
    }

    /// What a plan costs, and whether it is within the bound; if not, it costs at least this.
    fn sweep(&mut self, plan: &Plan, bound: Bound) -> (Trial, bool) {
        let layer_bits = self.arrange(plan);
        let Trials { sample, layer_weight, distinct, store, .. } = self;
        let all = sample.states().max(1) as f64;
        let is_below = |weight: usize, expanded: usize| {
            weight as f64 <= bound.weight * all && expanded as f64 <= bound.expanded * all
        };
        let (mut peak, mut weight, mut expanded) = (0, store.largest + *layer_weight, 0);
        let mut at = if is_below(weight, 0) { store.start() } else { None };
        while let Some(now) = at {
            while let Some(state) = store.pop(now) {
                expanded += 1;
                for &next in sample.successors(state) {
                    store.keep(next, now);
                }
            }
            store.todo.remove(now);
            peak = peak.max(store.states);
            weight = weight.max(store.states + *layer_weight * store.lines);
            store.forget_passing(now);
            if !is_below(weight, expanded) {
                break;
            }
            let column = |line: u32| distinct[line as usize] >> layer_bits;
            let same = |line: &u32| column(*line) == column(now);
            at = store.todo.next(now + 1).filter(same).or_else(|| store.todo.next(0));
            if at.is_none_or(|at| !same(&at)) {
                store.forget_persistent();
            }
        }
        let trial = Trial {
            peak: peak as f64 / all,
            weight: weight as f64 / all,
            expanded: expanded as f64 / all,
            layers: distinct.len(),
        };
        (trial, is_below(weight, expanded))
    }

    /// Gives each state its line, numbered in order. The keys of the lines have their columns above so many bits.
    fn arrange(&mut self, plan: &Plan) -> u32 {
        self.keys.clear();
        self.keys.resize(self.sample.states(), 0);
        let column_bits = self.pack(&plan.columns, u64::BITS - 1);
        let layer_bits = self.pack(&plan.layers, u64::BITS - 1 - column_bits);
        let size = 1usize.checked_shl(column_bits + layer_bits).unwrap_or(usize::MAX);
        match size <= TABLE_ENTRIES * self.keys.len() {
            true => self.number_by_table(size),
            false => self.number_by_hash(),
        }
        layer_bits
    }

    /// Appends terms to the keys, as far as they fit into so many bits; says how many they take.
    fn pack(&mut self, terms: &[Vec<usize>], most: u32) -> u32 {
        let Trials { sample, keys, .. } = self;
        let mut taken = 0;
        for term in terms {
            let largest: u64 = term.iter().map(|&part| u64::from(sample.largest[part])).sum();
            let bits = u64::BITS - largest.leading_zeros();
            if taken + bits <= most {
                taken += bits;
                keys.iter_mut().for_each(|key| *key <<= bits);
                for &part in term.iter().filter(|&&part| sample.largest[part] > 0) {
                    keys.iter_mut().zip(&sample.values[part]).for_each(|(key, &value)| *key += u64::from(value));
                }
            }
        }
        taken
    }

    fn number_by_table(&mut self, size: usize) {
        let Trials { keys, table, distinct, store, .. } = self;
        table.clear();
        table.resize(size, NONE);
        keys.iter().for_each(|&key| table[key as usize] = 0);
        distinct.clear();
        for (key, number) in table.iter_mut().enumerate().filter(|(_, number)| **number == 0) {
            *number = distinct.len() as u32;
            distinct.push(key as u64);
        }
        store.fill(distinct.len(), keys.iter().map(|&key| table[key as usize]));
    }

    fn number_by_hash(&mut self) {
        let Trials { keys, numbers, table, distinct, store, .. } = self;
        // The keys as they come,
        numbers.clear();
        distinct.clear();
        for key in keys.iter_mut() {
            let number = *numbers.entry(*key).or_insert_with(|| {
                distinct.push(*key);
                distinct.len() as u32 - 1
            });
            *key = u64::from(number);
        }
        // and in order.
        let mut order: Vec<u32> = (0..distinct.len() as u32).collect();
        order.sort_unstable_by_key(|&number| distinct[number as usize]);
        table.clear();
        table.resize(order.len(), 0);
        for (line, &number) in order.iter().enumerate() {
            table[number as usize] = line as u32;
        }
        distinct.sort_unstable();
        store.fill(distinct.len(), keys.iter().map(|&number| table[number as usize]));
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kept {
    No,
    Passing,
    Persistent,
}

/// A state: its line, and the next ones in lists of states of that line.
#[derive(Clone, Copy, Debug)]
struct State {
    line: u32,
    next_waiting: u32,
    next_passing: u32,
    kept: Kept,
}

/// A line: the first of its states that wait, the first that pass, and how many it has.
#[derive(Clone, Copy, Debug)]
struct Line {
    first_waiting: u32,
    first_passing: u32,
    count: u32,
}

/// Which states are stored, and where.
#[derive(Default)]
struct Store {
    all: Vec<State>,
    by_line: Vec<Line>,
    /// The most states that a line can have.
    largest: usize,
    /// The lines in which states wait.
    todo: Lines,
    persistent: Vec<u32>,
    states: usize,
    lines: usize,
}

impl Store {
    /// Nothing is stored, and the states are in these lines.
    fn fill(&mut self, lines: usize, line: impl Iterator<Item = u32>) {
        let nothing = Line { first_waiting: NONE, first_passing: NONE, count: 0 };
        self.by_line.clear();
        self.by_line.resize(lines, nothing);
        self.all.clear();
        for line in line {
            self.all.push(State { line, next_waiting: NONE, next_passing: NONE, kept: Kept::No });
            self.by_line[line as usize].count += 1;
        }
        self.largest = 0;
        for line in &mut self.by_line {
            self.largest = self.largest.max(std::mem::take(&mut line.count) as usize);
        }
        self.todo.0.clear();
        self.todo.0.resize(lines.div_ceil(64), 0);
        self.persistent.clear();
        (self.states, self.lines) = (0, 0);
    }

    /// Stores the initial state; says where it waits.
    fn start(&mut self) -> Option<u32> {
        if !self.all.is_empty() {
            self.keep(0, 0);
        }
        self.todo.next(0)
    }

    /// Takes a state out that waits in the line.
    #[inline]
    fn pop(&mut self, line: u32) -> Option<u32> {
        let line = &mut self.by_line[line as usize];
        let state = line.first_waiting;
        line.first_waiting = self.all.get(state as usize)?.next_waiting;
        Some(state)
    }

    /// Stores a state that is reached from a line.
    #[inline]
    fn keep(&mut self, state: u32, now: u32) {
        let at = &mut self.all[state as usize];
        if at.kept != Kept::No {
            return;
        }
        let line = &mut self.by_line[at.line as usize];
        match at.line < now {
            true => {
                at.kept = Kept::Persistent;
                self.persistent.push(state);
            }
            false => {
                at.kept = Kept::Passing;
                at.next_passing = std::mem::replace(&mut line.first_passing, state);
            }
        }
        at.next_waiting = std::mem::replace(&mut line.first_waiting, state);
        line.count += 1;
        self.lines += usize::from(line.count == 1);
        self.states += 1;
        self.todo.insert(at.line);
    }

    fn forget_passing(&mut self, line: u32) {
        let mut state = std::mem::replace(&mut self.by_line[line as usize].first_passing, NONE);
        while state != NONE {
            self.forget(state);
            state = self.all[state as usize].next_passing;
        }
    }

    /// Not those that wait: where a column is none, steps fall out of it, and what they reach is still to be expanded.
    fn forget_persistent(&mut self) {
        for state in std::mem::take(&mut self.persistent) {
            match self.todo.contains(self.all[state as usize].line) {
                true => self.persistent.push(state),
                false => self.forget(state),
            }
        }
    }

    fn forget(&mut self, state: u32) {
        let at = &mut self.all[state as usize];
        at.kept = Kept::No;
        let count = &mut self.by_line[at.line as usize].count;
        *count -= 1;
        self.states -= 1;
        self.lines -= usize::from(*count == 0);
    }
}

/// A set of lines, a bit each.
#[derive(Default)]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_that_waits_is_not_forgotten() {
        let mut store = Store::default();
        store.fill(2, [0, 1].into_iter());
        store.keep(0, 1);
        store.forget_persistent();
        store.keep(0, 0);
        assert_eq!((store.pop(0), store.pop(0), store.states), (Some(0), None, 1));
        store.todo.remove(0);
        store.forget_persistent();
        assert_eq!((store.states, store.lines), (0, 0));
    }
    /// A chain of four states with a step back, measured by small numbers, by large ones, and backwards.
    fn chain() -> Sample {
        let values = vec![vec![0, 1, 2, 3], vec![0, 1 << 20, 2 << 20, 3 << 20], vec![3, 2, 1, 0]];
        Sample::drawn(&[&[1], &[2], &[3, 3], &[3, 1]], values)
    }

    fn layers(component: usize) -> Plan {
        Plan { columns: Vec::new(), layers: vec![vec![component]] }
    }

    #[test]
    fn a_trial_is_a_sweep() {
        let sample = chain();
        let mut trials = Trials::new(&sample);
        let whole = trials.run(&Plan::default());
        assert_eq!((whole.peak, whole.expanded, whole.layers), (1.0, 1.0, 1));
        let swept = trials.run(&layers(0));
        // The second state is forgotten, met again by the step back, and with it the two behind it.
        assert_eq!((swept.peak, swept.expanded, swept.layers), (0.75, 1.75, 4));
        assert_eq!(trials.run(&layers(1)), swept, "only the order counts");
        assert_eq!(trials.run(&layers(2)).expanded, 1.0, "what is stepped back to is kept");
        assert_eq!(trials.run(&Plan { columns: vec![vec![0], vec![1]], layers: vec![vec![1, 2]] }).layers, 4);
    }

    #[test]
    fn a_bound_is_kept() {
        let sample = chain();
        let mut trials = Trials::new(&sample);
        let swept = trials.run(&layers(0));
        let below =
            |weight: f64, expanded: f64, trials: &mut Trials| trials.run_below(&layers(0), Bound { weight, expanded });
        assert_eq!(below(swept.weight, swept.expanded, &mut trials), Some(swept));
        assert_eq!(below(swept.weight - 0.1, swept.expanded, &mut trials), None);
        assert_eq!(below(swept.weight, 1.5, &mut trials), None);
    }

    #[test]
    fn a_part_has_the_steps_inside_it() {
        let part = chain().prefix(3);
        assert_eq!((part.states(), part.complete), (3, false));
        assert_eq!([part.successors(0), part.successors(1), part.successors(2)], [&[1][..], &[2], &[]]);
        assert_eq!(chain().prefix(9).successors(3), [1]);
    }
}
