//! Partial order reduction in one state: which processes' steps may stand for all.
//!
//! A cluster is found from each process as a seed: T of its members must not depend on F of anybody else
//! (`analysis/dependence.rs`), so whoever is in the way is taken in. Of all clusters that are not everybody, the one with
//! the fewest processes is tried first, and the next one if none of its processes can move. Invariant: the choice depends
//! on the state alone.

use super::Scratch;
use super::scratch::Level;
use crate::exec::reduction::{Proviso, Reduction, Reductions};
use crate::model::Model;

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

    pub(super) fn insert(&mut self, pid: usize) {
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

/// The clusters of a state that may be tried.
#[derive(Clone, Debug, Default)]
pub(super) struct Clusters {
    /// By pid: the processes on whose future it depends, once that is known.
    depends: Vec<Option<Pids>>,
    /// Those found, best last.
    found: Vec<Pids>,
}

impl Clusters {
    /// Finds the clusters of the state at level 0. The next one to try is taken out with `next`.
    pub(super) fn find(&mut self, model: &Model, reduction: &Reduction, levels: &[Level], numbers: &[u32]) {
        let count = numbers.len();
        self.found.clear();
        self.depends.clear();
        self.depends.resize(count, None);
        let dependence = &reduction.dependence;
        // A process that depends on nobody is a cluster: there is no smaller one.
        let is_allowed = |pid: usize| reduction.allows(numbers[pid]);
        for pid in 0..count {
            if dependence.is_local(numbers[pid]) && is_allowed(pid) && self.is_free(reduction, numbers, pid) {
                let mut alone = Pids::default();
                alone.insert(pid);
                self.found.push(alone);
            }
        }
        if !self.found.is_empty() || !reduction.kinds.contains(Reductions::CLUSTERS) {
            return;
        }
        for seed in 0..count {
            if !dependence.is_stuck(numbers[seed])
                && let Some(cluster) = self.close(model, reduction, levels, numbers, seed)
            {
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

    /// Whether a process that can only die could die now.
    fn is_free(&self, reduction: &Reduction, numbers: &[u32], pid: usize) -> bool {
        !reduction.dependence.only_dies(numbers[pid]) || pid + 1 == numbers.len()
    }

    /// The cluster of a seed, unless it is everybody or may not be used.
    fn close(
        &mut self,
        model: &Model,
        reduction: &Reduction,
        levels: &[Level],
        numbers: &[u32],
        seed: usize,
    ) -> Option<Pids> {
        let (mut cluster, mut waiting) = (Pids::default(), Pids::default());
        waiting.insert(seed);
        while let Some(pid) = waiting.pop() {
            cluster.insert(pid);
            if !reduction.allows(numbers[pid]) {
                return None;
            }
            let depends = match self.depends[pid] {
                Some(depends) => depends,
                None => {
                    let depends = self.depends_on(model, reduction, levels, numbers, pid);
                    self.depends[pid] = Some(depends);
                    depends
                }
            };
            waiting = waiting.union(depends).difference(cluster);
            if (waiting.len() + cluster.len()) as usize == numbers.len() {
                return None;
            }
        }
        Some(cluster)
    }

    /// The processes on whose future the next steps of a process depend.
    fn depends_on(&self, model: &Model, reduction: &Reduction, levels: &[Level], numbers: &[u32], pid: usize) -> Pids {
        let (dependence, own) = (&reduction.dependence, numbers[pid]);
        let Level { words, tables } = &levels[0];
        let mut depends = Pids::default();
        if dependence.is_global(own) {
            return Pids::below(numbers.len());
        }
        if !self.is_free(reduction, numbers, pid) {
            // It waits until all younger ones have died.
            return Pids::below(numbers.len()).difference(Pids::below(pid + 1));
        }
        if dependence.is_local(own) {
            return depends;
        }
        for (other, &number) in numbers.iter().enumerate() {
            if other != pid && dependence.depends(model, words, tables, own, number) {
                depends.insert(other);
            }
        }
        depends
    }
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

impl Scratch {
    /// Finds the clusters of the state at level 0.
    pub(super) fn find_clusters(&mut self, model: &Model, reduction: &Reduction) {
        let Scratch { levels, locations, clusters, numbers, .. } = self;
        numbers.clear();
        numbers.extend(locations.iter().map(|location| location.number));
        clusters.find(model, reduction, levels, numbers);
    }
}
