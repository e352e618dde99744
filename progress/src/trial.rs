//! What a plan would cost: the column sweep on the graph of a sample, counted and not stored.

use std::collections::BTreeSet;

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

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    No,
    Passing,
    Persistent,
}

/// Tries a plan.
pub fn run(sample: &Sample, plan: &Plan) -> Trial {
    let size = sample.states();
    let (line, column) = lines(sample, plan);
    let mut store = Store {
        line: &line,
        kept: vec![Kept::No; size],
        passing: vec![Vec::new(); column.len()],
        waiting: vec![Vec::new(); column.len()],
        count: vec![0; column.len()],
        todo: BTreeSet::new(),
        persistent: Vec::new(),
        states: 0,
        lines: 0,
    };
    let layer_weight = if sample.complete { LAYER_WEIGHT } else { PART_WEIGHT };
    let (mut peak, mut weight, mut expanded) = (0, 0, 0);
    if size > 0 {
        store.keep(0, Kept::Passing);
    }
    let mut at = store.todo.first().copied();
    while let Some(now) = at {
        while let Some(state) = store.waiting[now as usize].pop() {
            expanded += 1;
            for &next in &sample.successors[state as usize] {
                match line[next as usize] < now {
                    true => store.keep(next, Kept::Persistent),
                    false => store.keep(next, Kept::Passing),
                }
            }
        }
        store.todo.remove(&now);
        peak = peak.max(store.states);
        weight = weight.max(store.states + layer_weight * store.lines);
        store.forget_passing(now);
        if expanded > MOST_EXPANDED * size {
            break;
        }
        let same = |line: &u32| column[*line as usize] == column[now as usize];
        at = store.todo.range(now + 1..).next().copied().filter(same).or(store.todo.first().copied());
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

/// Which states are stored, and where.
struct Store<'a> {
    line: &'a [u32],
    kept: Vec<Kept>,
    /// By line.
    passing: Vec<Vec<u32>>,
    /// By line.
    waiting: Vec<Vec<u32>>,
    /// How many states a line has.
    count: Vec<u32>,
    /// The lines in which states wait.
    todo: BTreeSet<u32>,
    persistent: Vec<u32>,
    states: usize,
    lines: usize,
}

impl Store<'_> {
    fn keep(&mut self, state: u32, how: Kept) {
        if self.kept[state as usize] != Kept::No {
            return;
        }
        self.kept[state as usize] = how;
        let line = self.line[state as usize];
        match how {
            Kept::Persistent => self.persistent.push(state),
            _ => self.passing[line as usize].push(state),
        }
        self.waiting[line as usize].push(state);
        self.todo.insert(line);
        self.states += 1;
        self.count[line as usize] += 1;
        self.lines += usize::from(self.count[line as usize] == 1);
    }

    fn forget_passing(&mut self, line: u32) {
        for state in std::mem::take(&mut self.passing[line as usize]) {
            self.forget(state);
        }
    }

    fn forget_persistent(&mut self) {
        for state in std::mem::take(&mut self.persistent) {
            self.forget(state);
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

/// The line of each state, numbered in order, and the column of each line.
fn lines(sample: &Sample, plan: &Plan) -> (Vec<u32>, Vec<u32>) {
    let (columns, layers) = (keys(sample, &plan.columns), keys(sample, &plan.layers));
    let mut order: Vec<u32> = (0..sample.states() as u32).collect();
    let key = |state: u32| (columns[state as usize], layers[state as usize]);
    order.sort_unstable_by_key(|&state| key(state));
    let mut line = vec![0; order.len()];
    let mut column: Vec<u32> = Vec::new();
    let mut before = None;
    for state in order {
        let key = key(state);
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

/// The terms of each state packed into a number, as far as they fit: only the values in the sample need room.
fn keys(sample: &Sample, terms: &[Vec<usize>]) -> Vec<u128> {
    let mut keys = vec![0u128; sample.states()];
    let mut left = u128::BITS;
    for term in terms {
        let sum = |state: usize| term.iter().map(|&part| u64::from(sample.values[part][state])).sum::<u64>();
        let sums: Vec<u64> = (0..sample.states()).map(sum).collect();
        let least = sums.iter().copied().min().unwrap_or(0);
        let spread = sums.iter().copied().max().unwrap_or(0) - least;
        let bits = u64::BITS - spread.leading_zeros();
        if bits <= left {
            left -= bits;
            for (key, sum) in keys.iter_mut().zip(sums) {
                *key = *key << bits | u128::from(sum - least);
            }
        }
    }
    keys
}
