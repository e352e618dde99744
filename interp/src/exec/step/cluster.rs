//! Partial order reduction in one state: which processes' steps may stand for all.
//!
//! A cluster is found from each process as a seed: T of its members must not depend on F of anybody else
//! (`analysis/dependence.rs`), so whoever is in the way is taken in. Of all clusters that are not everybody, the one with
//! the fewest processes is tried first, and the next one if none of its processes can move. While the youngest process is
//! in the cluster and does not move, no other that lives can die. Invariant: the choice depends on the state alone.

use super::Scratch;
use super::scratch::Level;
use crate::exec::reduction::{Proviso, Reduction, Reductions};
use crate::model::{Model, Process};
use statespace::Word;

/// A set of processes, by pid.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Pids([u64; 4]);

impl Pids {
    /// The processes with the pids below this one.
    pub(super) fn below(pid: usize) -> Self {
        let mut pids = Pids::default();
        for (word, first) in pids.0.iter_mut().zip((0..).step_by(64)) {
            *word = match pid.saturating_sub(first) {
                0 => 0,
                count if count < 64 => (1 << count) - 1,
                _ => u64::MAX,
            };
        }
        pids
    }

    /// One process.
    pub(super) fn one(pid: usize) -> Self {
        let mut pids = Pids::default();
        pids.insert(pid);
        pids
    }

    fn insert(&mut self, pid: usize) {
        self.0[pid / 64] |= 1 << (pid % 64);
    }

    pub(super) fn union(self, other: Self) -> Self {
        Pids(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    pub(super) fn difference(self, other: Self) -> Self {
        Pids(std::array::from_fn(|word| self.0[word] & !other.0[word]))
    }

    pub(super) fn len(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Takes the youngest process out.
    pub(super) fn pop(&mut self) -> Option<usize> {
        let nth = self.0.iter().rposition(|&word| word != 0)?;
        let bit = 63 - self.0[nth].leading_zeros() as usize;
        self.0[nth] &= !(1 << bit);
        Some(nth * 64 + bit)
    }
}

/// The most processes of a cluster that is expected to have a single step.
const MOST_SINGLE: u32 = 2;

/// The clusters of a state that may be tried.
#[derive(Clone, Debug, Default)]
pub(super) struct Clusters {
    /// By pid: the number of the location.
    numbers: Vec<u32>,
    /// The futures of all processes, as a row of bits.
    futures: Vec<u64>,
    /// By pid: the processes on whose future it depends, once that is known.
    depends: Vec<Option<Pids>>,
    /// Those found, best last.
    found: Vec<Pids>,
}

impl Clusters {
    /// Finds the clusters of a state; those that may have a single step, if no others are wanted. The next one to try is
    /// taken out with `next`.
    pub(super) fn find(&mut self, model: &Model, reduction: &Reduction, level: &Level, is_single: bool) {
        self.found.clear();
        let (dependence, count) = (&reduction.dependence, self.numbers.len());
        // A process that depends on nobody is a cluster: there is no smaller one.
        for (pid, &number) in self.numbers.iter().enumerate() {
            if dependence.is_local(number) && reduction.allows(number) && is_free(reduction, &self.numbers, pid) {
                self.found.push(Pids::one(pid));
            }
        }
        if !self.found.is_empty() || !reduction.kinds.contains(Reductions::CLUSTERS) {
            return;
        }
        self.depends.clear();
        self.futures.clear();
        let most =
            if is_single { MOST_SINGLE } else { (count as u32).div_ceil(2).min((count as u32).saturating_sub(1)) };
        for seed in 0..count {
            let number = self.numbers[seed];
            if count > MOST_SINGLE as usize {
                if !dependence.may_begin(number, is_single) {
                    continue;
                }
                if self.futures.is_empty() {
                    dependence.add_futures(&self.numbers, &mut self.futures);
                }
                if dependence.least_others(number, &self.futures) >= most {
                    continue;
                }
            }
            if seed + 1 == count && dependence.minds_deaths() {
                // What is known of the others is for those that may die.
                self.depends.clear();
            }
            if let Some(cluster) = self.close(model, reduction, level, seed, most) {
                self.found.push(cluster);
            }
        }
        // Of equally small ones, that of the youngest seed comes first.
        self.found.sort_by_key(|cluster| std::cmp::Reverse(cluster.len()));
        self.found.dedup();
    }

    /// The next cluster to try.
    pub(super) fn next(&mut self) -> Option<Pids> {
        self.found.pop()
    }

    /// The cluster of a seed, unless it has more processes than this, or may not be used.
    fn close(&mut self, model: &Model, reduction: &Reduction, level: &Level, seed: usize, most: u32) -> Option<Pids> {
        self.depends.resize(self.numbers.len(), None);
        let (mut cluster, mut waiting) = (Pids::default(), Pids::one(seed));
        while let Some(pid) = waiting.pop() {
            cluster.insert(pid);
            if !reduction.allows(self.numbers[pid]) {
                return None;
            }
            let depends = match self.depends[pid] {
                Some(depends) => depends,
                None => {
                    let depends = self.depends_on(model, reduction, level, pid, seed + 1 < self.numbers.len());
                    self.depends[pid] = Some(depends);
                    depends
                }
            };
            waiting = waiting.union(depends).difference(cluster);
            if waiting.len() + cluster.len() > most {
                return None;
            }
        }
        Some(cluster)
    }

    /// The processes on whose future the next steps of a process depend. `die`: whether others may die meanwhile.
    fn depends_on(&self, model: &Model, reduction: &Reduction, level: &Level, pid: usize, die: bool) -> Pids {
        let numbers = &self.numbers[..];
        let (dependence, own) = (&reduction.dependence, numbers[pid]);
        let Level { words, tables } = level;
        let mut depends = Pids::default();
        if dependence.is_global(own) {
            return Pids::below(numbers.len());
        }
        if !is_free(reduction, numbers, pid) {
            // It waits until all younger ones have died.
            return Pids::below(numbers.len()).difference(Pids::below(pid + 1));
        }
        if dependence.is_local(own) {
            return depends;
        }
        for (other, &number) in numbers.iter().enumerate() {
            if other != pid && dependence.depends(model, words, tables, (own, number), die) {
                depends.insert(other);
            }
        }
        depends
    }
}

/// Whether a process is not one that waits until all younger ones have died.
fn is_free(reduction: &Reduction, numbers: &[u32], pid: usize) -> bool {
    !reduction.dependence.only_dies(numbers[pid]) || pid + 1 == numbers.len()
}

impl Reduction {
    /// Whether a cluster may contain a process at a location.
    fn allows(&self, number: u32) -> bool {
        let is_hidden = !self.dependence.is_visible(number);
        match self.proviso {
            Proviso::Search => is_hidden,
            Proviso::Cycles => is_hidden && !self.dependence.is_sticky(number),
        }
    }
}

impl Model {
    /// Whether a chain may go on from a state: a quick look, which may say yes for nothing.
    #[inline]
    pub(super) fn may_have_single(&self, reduction: &Reduction, words: &[Word]) -> bool {
        if !self.layout.has_constant_tables() {
            return true;
        }
        let processes = &self.fixed.procs[..self.nr_pr(words)];
        let number = |&process: &Process| self.dispatch.location(words, process).number;
        processes.len() <= MOST_SINGLE as usize
            || processes.iter().any(|process| reduction.dependence.may_begin(number(process), true))
    }
}

impl Scratch {
    /// Finds the clusters of the state at level 0.
    pub(super) fn find_clusters(&mut self, model: &Model, reduction: &Reduction, is_single: bool) {
        let Scratch { levels, locations, clusters, .. } = self;
        clusters.numbers.clear();
        clusters.numbers.extend(locations.iter().map(|location| location.number));
        clusters.find(model, reduction, &levels[0], is_single);
    }
}
