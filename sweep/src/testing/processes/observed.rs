//! What is asked of a system of processes besides its faults: measures of progress, good and bad, and cycles past states
//! in which one variable has some value, with an automaton or without.
//!
//! Invariant: all of it sees the locations and variables alone, and the properties only the observed variable and
//! that it changes, not how often it is looked at: so a search may leave out what does not change it.

use std::ops::ControlFlow;

use statespace::{StateSpace, Visit, Word};

use super::configuration::{Configuration, Encoding, Place};
use super::{Fault, Processes};
use crate::measure::{ComponentId, Measure, Progress};
use crate::space::acceptance::{Accepting, Observing, Scc, Strength};
use crate::space::product::{Automaton, Moves};

/// Something that can be measured.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Component {
    /// The sum of the ranks of all locations, given by process and location.
    Ranks(Vec<Vec<u8>>),
    /// The value of a shared variable.
    Variable(Place),
}

impl Component {
    /// Ranks that never fall: the greatest of all locations before.
    pub fn rising(system: &Processes, mut ranks: Vec<Vec<u8>>) -> Component {
        for (ranks, locations) in ranks.iter_mut().zip(&system.processes) {
            // No path without a cycle is longer.
            for _ in locations {
                for (from, edges) in locations.iter().enumerate() {
                    for to in edges.iter().map(|edge| usize::from(edge.target)) {
                        ranks[to] = ranks[to].max(ranks[from]);
                    }
                }
            }
        }
        Component::Ranks(ranks)
    }

    fn of(&self, state: Configuration) -> u16 {
        match self {
            Component::Ranks(ranks) => {
                let ranks = ranks.iter().enumerate().map(|(process, ranks)| ranks[state.location(process)]);
                ranks.map(u16::from).sum()
            }
            Component::Variable(place) => u16::from(state.value(0, *place)),
        }
    }
}

/// A measure of progress; what is claimed to be monotone makes columns.
#[derive(Clone, Debug)]
pub struct ProcessesMeasure {
    /// The components, and whether each is claimed to be monotone.
    pub components: Vec<(bool, Component)>,
    /// How states are packed.
    pub encoding: Encoding,
}

impl Measure for ProcessesMeasure {
    fn has_one_layer(&self) -> bool {
        false
    }

    fn of(&self, state: &[Word]) -> Progress {
        let state = self.encoding.decode(state);
        let parts = |wanted: bool| self.components.iter().filter(move |(monotone, _)| *monotone == wanted);
        let values = parts(true).chain(parts(false)).map(|(_, component)| u128::from(component.of(state)));
        Progress(values.fold(0, |progress, value| progress << u16::BITS | value))
    }

    fn layer_bits(&self) -> u32 {
        u16::BITS * self.components.iter().filter(|(monotone, _)| !monotone).count() as u32
    }

    fn demote(&mut self, from: &[Word], to: &[Word]) -> Vec<ComponentId> {
        let [from, to] = [from, to].map(|state| self.encoding.decode(state));
        let mut demoted = Vec::new();
        for (id, (monotone, component)) in (0..).zip(&mut self.components) {
            if *monotone && component.of(to) < component.of(from) {
                *monotone = false;
                demoted.push(ComponentId(id));
            }
        }
        demoted
    }
}

/// A system whose accepting states are those in which the observed variable has a value. A run that ends repeats its
/// last state.
#[derive(Clone, Copy, Debug)]
pub struct Observed<'a> {
    /// The system.
    pub system: &'a Processes,
    /// The value.
    pub value: u8,
}

impl StateSpace for Observed<'_> {
    type Violation = Fault;
    type Scratch = <Processes as StateSpace>::Scratch;

    fn scratch(&self) -> Self::Scratch {
        self.system.scratch()
    }

    fn fixed_words(&self) -> Option<usize> {
        self.system.fixed_words()
    }

    fn word_bits(&self) -> &[u8] {
        self.system.word_bits()
    }

    fn gave_up(&self) -> bool {
        self.system.gave_up()
    }

    fn initial(&self) -> Result<Vec<Word>, Fault> {
        self.system.initial()
    }

    fn expand<V: Visit<Fault>>(&self, state: &[Word], scratch: &mut Self::Scratch, visit: &mut V) -> ControlFlow<()> {
        self.system.expand(state, scratch, visit)?;
        if scratch.is_empty() { visit.successor(1, state) } else { ControlFlow::Continue(()) }
    }
}

impl Accepting for Observed<'_> {
    fn is_accepting(&self, state: &[Word]) -> bool {
        observed(self.system, state) == self.value
    }

    fn scc(&self, _: &[Word]) -> Scc {
        Scc { rank: 0, strength: Strength::Strong }
    }

    fn cycle(&self) -> Fault {
        Fault::Cycle
    }
}

impl Observing for Observed<'_> {
    fn system<'a>(&self, state: &'a [Word]) -> &'a [Word] {
        state
    }
}

/// The value of the observed variable.
fn observed(system: &Processes, state: &[Word]) -> u8 {
    system.exploration.encoding.decode(state).value(0, Processes::OBSERVED)
}

/// What must not be, of the observed variable. None of these counts how often a value is repeated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Property {
    /// From some moment on it has this value: a weak part behind a rejecting one.
    Stays(u8),
    /// It has this value again and again: a strong part.
    Returns(u8),
    /// It has the first value, and then or later the second, whatever happens behind.
    Then(u8, u8),
    /// It has the first value, and from then on never the second.
    Unanswered(u8, u8),
}

/// The automaton of a property.
#[derive(Clone, Copy, Debug)]
pub struct PropertyAutomaton<'a> {
    /// Who is watched.
    pub system: &'a Processes,
    /// What for.
    pub property: Property,
}

impl Automaton<Fault> for PropertyAutomaton<'_> {
    type Scratch = ();

    fn initial(&self) -> Word {
        0
    }

    fn moves(&self, at: Word, system: &[Word], (): &mut (), moves: &mut Moves<Fault>) {
        let now = observed(self.system, system);
        let targets = match (self.property, at) {
            (Property::Stays(value), 0) => [(0, true), (1, now == value)],
            (Property::Stays(value), _) => [(0, false), (1, now == value)],
            (Property::Returns(value), _) => [(0, now != value), (1, now == value)],
            (Property::Then(first, second), 0) => [(0, true), (if first == second { 2 } else { 1 }, now == first)],
            (Property::Then(_, second), 1) => [(1, true), (2, now == second)],
            (Property::Then(..), _) => [(1, false), (2, true)],
            (Property::Unanswered(first, second), 0) => [(0, true), (1, now == first && now != second)],
            (Property::Unanswered(_, second), _) => [(0, false), (1, now != second)],
        };
        moves.targets.extend(targets.into_iter().filter(|&(_, is_possible)| is_possible).map(|(target, _)| target));
    }

    fn is_accepting(&self, at: Word, _: &[Word]) -> bool {
        match self.property {
            Property::Stays(_) | Property::Returns(_) | Property::Unanswered(..) => at == 1,
            Property::Then(..) => at == 2,
        }
    }

    fn scc(&self, at: Word) -> Scc {
        match self.property {
            Property::Returns(_) => Scc { rank: 0, strength: Strength::Strong },
            Property::Stays(_) | Property::Then(..) | Property::Unanswered(..) => {
                let strength = if self.is_accepting(at, &[]) { Strength::Weak } else { Strength::Rejecting };
                Scc { rank: at, strength }
            }
        }
    }

    fn cycle(&self) -> Fault {
        Fault::Cycle
    }

    fn stutters(&self) -> bool {
        true
    }
}
