//! The column sweep on the graph of a sample, step by step: which states are stored, and which wait.
//!
//! States of a line stand in lists that go through one array, so that storing and forgetting allocate nothing. What is
//! counted is what `algorithm/sweep_line.rs` of the searches would store.

use super::lines::Lines;
use super::{Bound, Cost};
use crate::sample::Sample;

/// The end of a list, and the number of no line.
const NONE: u32 = u32::MAX;

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
pub(super) struct Swept {
    all: Vec<State>,
    by_line: Vec<Line>,
    /// The lines in which states wait.
    todo: Bits,
    persistent: Vec<u32>,
    states: usize,
    lines: usize,
}

impl Swept {
    /// Sweeps the sample, whose states are in these lines, until it is known to cost more than the bound.
    pub(super) fn sweep(&mut self, sample: &Sample, lines: &Lines, layer_weight: usize, bound: &Bound) -> Cost {
        self.fill(lines.keys.len(), &lines.of);
        let mut cost = Cost::default();
        let mut at = self.start();
        while let Some(now) = at {
            while let Some(state) = self.pop(now) {
                cost.expanded += 1;
                for &next in sample.steps.of(state) {
                    self.keep(next, now);
                }
            }
            self.todo.remove(now);
            cost.peak = cost.peak.max(self.states);
            cost.weight = cost.weight.max(self.states + layer_weight * self.lines);
            self.forget_passing(now);
            if !bound.allows(&cost, lines.of.len()) {
                break;
            }
            let column = |line: u32| lines.keys[line as usize] >> lines.layer_bits;
            let same = |line: &u32| column(*line) == column(now);
            at = self.todo.next(now + 1).filter(same).or_else(|| self.todo.next(0));
            if at.is_none_or(|at| !same(&at)) {
                self.forget_persistent();
            }
        }
        cost
    }

    /// Nothing is stored, and the states are in these lines.
    fn fill(&mut self, count: usize, lines: &[u32]) {
        let nothing = Line { first_waiting: NONE, first_passing: NONE, count: 0 };
        self.by_line.clear();
        self.by_line.resize(count, nothing);
        let state = |&line: &u32| State { line, next_waiting: NONE, next_passing: NONE, kept: Kept::No };
        self.all.clear();
        self.all.extend(lines.iter().map(state));
        self.todo.0.clear();
        self.todo.0.resize(count.div_ceil(64), 0);
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
struct Bits(Vec<u64>);

impl Bits {
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
        let mut store = Swept::default();
        store.fill(2, &[0, 1]);
        store.keep(0, 1);
        store.forget_persistent();
        store.keep(0, 0);
        assert_eq!((store.pop(0), store.pop(0), store.states), (Some(0), None, 1));
        store.todo.remove(0);
        store.forget_persistent();
        assert_eq!((store.states, store.lines), (0, 0));
    }
}
