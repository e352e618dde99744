//! A space with a state whose expansion does not end by itself: what limits must end.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use statespace::{StateSpace, Visit, Word};

use crate::space::acceptance::{Scc, Strength};
use crate::space::demands::{Demanding, Role, VisitDemands};
use crate::space::fairness::{Pids, Processes, VisitMovers};
use crate::space::product::{Automaton, Moves};

/// Counts from 0 on in its first word; from `last` on an expansion reports without end that it is working.
pub struct Laborious<'a> {
    /// Words of a state.
    pub words: usize,
    /// The state that is never done.
    pub last: Word,
    /// Its buffers grow by this many bytes each time that it says so.
    pub grows: usize,
    /// It violates something first.
    pub is_bad: bool,
    /// Set when it has been working for a while.
    pub sets: Option<&'a AtomicBool>,
}

/// A search that lets it report more often than this does not check its limits.
const FOR_EVER: usize = 1 << 32;
/// A while.
const WHILE: usize = 1000;

impl Laborious<'_> {
    /// Works until it is stopped.
    fn work(&self, mut working: impl FnMut(usize) -> ControlFlow<()>) -> ControlFlow<()> {
        for time in 0..FOR_EVER {
            if let Some(flag) = self.sets.filter(|_| time == WHILE) {
                flag.store(true, Ordering::Relaxed);
            }
            working(time * self.grows)?;
        }
        panic!("nobody ends it");
    }

    fn next(&self, state: &[Word]) -> Option<Vec<Word>> {
        let mut next = state.to_vec();
        next[0] += 1;
        (state[0] < self.last).then_some(next)
    }
}

impl StateSpace for Laborious<'_> {
    type Violation = u32;
    type Scratch = ();

    fn scratch(&self) {}

    fn fixed_words(&self) -> Option<usize> {
        Some(self.words)
    }

    fn word_bits(&self) -> &[u8] {
        &[]
    }

    fn gave_up(&self) -> bool {
        false
    }

    fn initial(&self) -> Result<Vec<Word>, u32> {
        Ok(vec![0; self.words])
    }

    fn expand<V: Visit<u32>>(&self, state: &[Word], (): &mut (), visit: &mut V) -> ControlFlow<()> {
        if let Some(next) = self.next(state) {
            return visit.successor(0, &next);
        }
        if self.is_bad {
            visit.violation(0, 7)?;
        }
        self.work(|bytes| visit.working(bytes))
    }
}

impl Processes for Laborious<'_> {
    fn count(&self, _: &[Word]) -> usize {
        1
    }

    fn expand_movers<V: VisitMovers<u32>>(&self, state: &[Word], (): &mut (), visit: &mut V) -> ControlFlow<()> {
        if let Some(next) = self.next(state) {
            return visit.successor(0, &next, 0, Pids::default());
        }
        if self.is_bad {
            visit.violation(0, 7)?;
        }
        self.work(|bytes| visit.working(bytes))
    }
}

impl Demanding for Laborious<'_> {
    fn expand_demands<V: VisitDemands<u32>>(&self, state: &[Word], (): &mut (), visit: &mut V) -> ControlFlow<()> {
        if let Some(next) = self.next(state) {
            return visit.successor(0, &next, Role::default());
        }
        if self.is_bad {
            visit.violation(0, 7)?;
        }
        self.work(|bytes| visit.working(bytes))
    }
}

/// An automaton that accepts every endless run.
pub struct Watchful;

impl Automaton<u32> for Watchful {
    type Scratch = ();

    fn initial(&self) -> Word {
        0
    }

    fn moves(&self, _: Word, _: &[Word], (): &mut (), moves: &mut Moves<u32>) {
        moves.targets.push(0);
    }

    fn is_accepting(&self, _: Word, _: &[Word]) -> bool {
        true
    }

    fn scc(&self, _: Word) -> Scc {
        Scc { rank: 0, strength: Strength::Strong }
    }

    fn cycle(&self) -> u32 {
        8
    }

    fn stutters(&self) -> bool {
        true
    }
}
