//! A system of any size with cycles and progress, and properties of each strength to check of it.

use std::ops::ControlFlow;

use statespace::{StateSpace, Visit, Word};

use crate::measure::{Measure, Progress};
use crate::space::acceptance::{Scc, Strength};
use crate::space::product::{Automaton, Moves};

/// Workers that each go round through some places, and from the last of them to the first of the next phase:
/// `(phases * places) ^ workers` states, without a violation. Nobody goes back to an earlier phase.
#[derive(Clone, Copy, Debug)]
pub struct Workers {
    /// How many workers there are; a word each.
    pub workers: usize,
    /// How many phases there are.
    pub phases: Word,
    /// How many places there are in a phase.
    pub places: Word,
}

impl Workers {
    /// The phases of all workers together.
    pub fn phases_of(&self, state: &[Word]) -> Word {
        state.iter().take(self.workers).map(|word| word / self.places).sum()
    }
}

impl StateSpace for Workers {
    type Violation = ();
    type Scratch = Vec<Word>;

    fn scratch(&self) -> Vec<Word> {
        Vec::new()
    }

    fn fixed_words(&self) -> Option<usize> {
        Some(self.workers)
    }

    fn word_bits(&self) -> &[u8] {
        &[]
    }

    fn gave_up(&self) -> bool {
        false
    }

    fn initial(&self) -> Result<Vec<Word>, ()> {
        Ok(vec![0; self.workers])
    }

    fn expand<V: Visit<()>>(&self, state: &[Word], next: &mut Vec<Word>, visit: &mut V) -> ControlFlow<()> {
        next.clear();
        next.extend_from_slice(state);
        let mut event = 0;
        for worker in 0..state.len() {
            let at = state[worker];
            let is_last = at % self.places == self.places - 1;
            next[worker] = if is_last { at + 1 - self.places } else { at + 1 };
            visit.successor(event, next)?;
            event += 1;
            if is_last && at + 1 < self.phases * self.places {
                next[worker] = at + 1;
                visit.successor(event, next)?;
                event += 1;
            }
            next[worker] = at;
        }
        ControlFlow::Continue(())
    }
}

/// A measure of [`Workers`]: columns by the phases, and layers by the places if wanted. They regress
/// when a worker starts its cycle again.
#[derive(Clone, Copy, Debug)]
pub struct WorkersMeasure {
    /// What is measured.
    pub workers: Workers,
    /// Whether there are layers.
    pub layers: bool,
}

impl Measure for WorkersMeasure {
    fn has_one_layer(&self) -> bool {
        false
    }

    fn of(&self, state: &[Word]) -> Progress {
        let places = state.iter().map(|word| word % self.workers.places).sum::<Word>();
        let layer = if self.layers { u128::from(places) } else { 0 };
        Progress(u128::from(self.workers.phases_of(state)) << Word::BITS | layer)
    }

    fn layer_bits(&self) -> u32 {
        Word::BITS
    }
}

/// Properties of [`Workers`], as automata of what must not be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WorkersProperty {
    /// Nothing can be violated: the automaton has one rejecting part.
    Nothing,
    /// From some moment on nobody is ever at a last place, which cannot be: a weak part behind a rejecting one.
    Avoided,
    /// The sum of phases is even and odd again and again, which cannot be: a strong part.
    Alternating,
    /// The first worker is at its first place again and again, which can be: a strong part.
    Returning,
}

/// An automaton that watches [`Workers`].
#[derive(Clone, Copy, Debug)]
pub struct WorkersAutomaton {
    /// Who is watched.
    pub workers: Workers,
    /// What for.
    pub property: WorkersProperty,
}

impl Automaton<()> for WorkersAutomaton {
    type Scratch = ();

    fn initial(&self) -> Word {
        0
    }

    fn moves(&self, at: Word, system: &[Word], (): &mut (), moves: &mut Moves<()>) {
        let places = self.workers.places;
        match self.property {
            WorkersProperty::Nothing => moves.targets.push(0),
            WorkersProperty::Avoided => {
                let is_avoided = system.iter().all(|word| word % places != places - 1);
                moves.targets.extend((at == 0).then_some(0));
                moves.targets.extend(is_avoided.then_some(1));
            }
            WorkersProperty::Alternating => {
                // 0 waits for an even sum, 1 has seen it and accepts, 2 waits for an odd one.
                let is_even = self.workers.phases_of(system).is_multiple_of(2);
                moves.targets.push(match (at, is_even) {
                    (0, true) => 1,
                    (_, false) => 0,
                    (_, true) => 2,
                });
            }
            WorkersProperty::Returning => moves.targets.push(u32::from(system[0].is_multiple_of(places))),
        }
    }

    fn is_accepting(&self, at: Word, _: &[Word]) -> bool {
        self.property != WorkersProperty::Nothing && at == 1
    }

    fn scc(&self, at: Word) -> Scc {
        match self.property {
            WorkersProperty::Nothing => Scc { rank: 0, strength: Strength::Rejecting },
            WorkersProperty::Avoided if at == 0 => Scc { rank: 0, strength: Strength::Rejecting },
            WorkersProperty::Avoided => Scc { rank: 1, strength: Strength::Weak },
            WorkersProperty::Alternating | WorkersProperty::Returning => Scc { rank: 0, strength: Strength::Strong },
        }
    }

    fn cycle(&self) {}

    fn stutters(&self) -> bool {
        true
    }
}
