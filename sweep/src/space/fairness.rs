//! Weak fairness: a product in which only those cycles count that are fair to every process.
//!
//! A run is weakly fair if every process takes part in steps again and again, or again and again cannot begin one. The
//! product is unfolded with a counter (Choueka's construction): it starts at an accepting state, is raised whenever the
//! process it stands for is *served* (takes part in a step, or cannot begin one), and returns to 0 when all have been. A
//! cycle through an accepting state with counter 0 has served everybody.
//! Invariant: the counter is 0, or one more than the pid of the process that it waits for. As in SPIN a process that can
//! only be the receiver of a rendezvous counts as one that cannot begin a step.

use std::ops::ControlFlow;

use statespace::{StateSpace, Visit, Word};

use crate::space::acceptance::{Accepting, Observing, Scc, Strength};
use crate::space::product::{self, Automaton, Numbering, Paired, Scratch};

/// Processes by number, of at most 256.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pids([u64; 4]);

impl Pids {
    /// Adds a process.
    pub fn insert(&mut self, pid: u8) {
        self.0[usize::from(pid) / 64] |= 1 << (pid % 64);
    }

    /// Is the process among them?
    pub fn contains(&self, pid: u32) -> bool {
        self.0[pid as usize / 64] >> (pid % 64) & 1 == 1
    }
}

/// A system that consists of processes.
pub trait Processes: StateSpace {
    /// How many processes there are in a state.
    fn count(&self, state: &[Word]) -> usize;

    /// As `expand`, and says of each step who begins it and who takes part.
    fn expand_movers<V: VisitMovers<Self::Violation>>(
        &self,
        state: &[Word],
        scratch: &mut Self::Scratch,
        visit: &mut V,
    ) -> ControlFlow<()>;
}

/// What is done with the events of one expansion of processes.
pub trait VisitMovers<Violation> {
    /// A step to `next`.
    fn successor(&mut self, event: u32, next: &[Word], begun_by: u8, movers: Pids) -> ControlFlow<()>;
    /// A violation.
    fn violation(&mut self, event: u32, violation: Violation) -> ControlFlow<()>;
    /// As in [`Visit::working`].
    fn working(&mut self, bytes: usize) -> ControlFlow<()>;
}

/// A product of which only the fair cycles count. Its states end with two words: where the automaton stands, and the
/// counter.
pub struct FairProduct<'a, S, A> {
    /// The system.
    pub system: &'a S,
    /// The automaton.
    pub automaton: &'a A,
}

/// System, place of the automaton, and counter.
fn split(state: &[Word]) -> (&[Word], Word, Word) {
    match state {
        [system @ .., at, counter] => (system, *at, *counter),
        _ => (state, 0, 0),
    }
}

impl<S: Processes, A: Automaton<S::Violation>> StateSpace for FairProduct<'_, S, A> {
    type Violation = S::Violation;
    type Scratch = Scratch<S, A>;

    fn scratch(&self) -> Self::Scratch {
        Scratch::new(self.system)
    }

    fn fixed_words(&self) -> Option<usize> {
        self.system.fixed_words().map(|words| words + 2)
    }

    fn word_bits(&self) -> &[u8] {
        product::word_bits(self.system)
    }

    fn gave_up(&self) -> bool {
        self.system.gave_up()
    }

    fn initial(&self) -> Result<Vec<Word>, S::Violation> {
        let mut state = self.system.initial()?;
        state.extend([self.automaton.initial(), 0]);
        Ok(state)
    }

    fn expand<V: Visit<S::Violation>>(
        &self,
        state: &[Word],
        scratch: &mut Self::Scratch,
        visit: &mut V,
    ) -> ControlFlow<()> {
        let (system, at, counter) = split(state);
        let Scratch { system: system_scratch, automaton, moves, next, numbering } = scratch;
        moves.clear();
        self.automaton.moves(at, system, automaton, moves);
        let first = moves.violations.len() as u32;
        *numbering = Numbering { first, moves: moves.targets.len() as u32, stutters: false };
        moves.report(visit)?;
        if moves.targets.is_empty() {
            return ControlFlow::Continue(());
        }
        let starts = counter == 0 && self.automaton.is_accepting(at, system);
        let mut able = Able { begin: Pids::default(), any: false, visit };
        self.system.expand_movers(system, system_scratch, &mut able)?;
        let Able { begin, any, visit } = able;
        let mut steps = Steps {
            first,
            targets: &moves.targets,
            next,
            visit,
            counter: if starts { 1 } else { counter },
            count: self.system.count(system) as u32,
            able: begin,
        };
        if any {
            return self.system.expand_movers(system, system_scratch, &mut steps);
        }
        if self.automaton.stutters() {
            numbering.stutters = true;
            VisitMovers::successor(&mut steps, 0, system, 0, Pids::default())?;
        }
        ControlFlow::Continue(())
    }
}

impl<S: Processes, A: Automaton<S::Violation>> Accepting for FairProduct<'_, S, A> {
    fn is_accepting(&self, state: &[Word]) -> bool {
        let (system, at, counter) = split(state);
        counter == 0 && self.automaton.is_accepting(at, system)
    }

    fn scc(&self, state: &[Word]) -> Scc {
        let Scc { rank, strength } = self.automaton.scc(split(state).1);
        let strength = match strength {
            Strength::Rejecting => Strength::Rejecting,
            Strength::Weak | Strength::Strong => Strength::Strong,
        };
        Scc { rank, strength }
    }

    fn cycle(&self) -> S::Violation {
        self.automaton.cycle()
    }
}

impl<S: Processes, A: Automaton<S::Violation>> Observing for FairProduct<'_, S, A> {
    fn system<'a>(&self, state: &'a [Word]) -> &'a [Word] {
        split(state).0
    }
}

impl<S: Processes, A: Automaton<S::Violation>> Paired for FairProduct<'_, S, A> {
    fn numbering(&self, scratch: &Self::Scratch) -> Numbering {
        scratch.numbering
    }
}

/// Who can begin a step.
struct Able<'a, V> {
    begin: Pids,
    any: bool,
    visit: &'a mut V,
}

impl<Violation, V: Visit<Violation>> VisitMovers<Violation> for Able<'_, V> {
    fn successor(&mut self, _: u32, _: &[Word], begun_by: u8, _: Pids) -> ControlFlow<()> {
        self.any = true;
        self.begin.insert(begun_by);
        ControlFlow::Continue(())
    }

    fn violation(&mut self, _: u32, _: Violation) -> ControlFlow<()> {
        self.any = true;
        ControlFlow::Continue(())
    }

    fn working(&mut self, bytes: usize) -> ControlFlow<()> {
        self.visit.working(bytes)
    }
}

/// Hands the steps of the system on, each with every move of the automaton and the counter after it.
struct Steps<'a, V> {
    first: u32,
    targets: &'a [Word],
    next: &'a mut Vec<Word>,
    visit: &'a mut V,
    counter: u32,
    count: u32,
    able: Pids,
}

impl<V> Steps<'_, V> {
    /// The counter after a step in which these processes take part.
    fn served(&self, movers: Pids) -> u32 {
        let mut counter = self.counter;
        while (1..=self.count).contains(&counter) && (movers.contains(counter - 1) || !self.able.contains(counter - 1))
        {
            counter += 1;
        }
        if counter > self.count { 0 } else { counter }
    }
}

impl<Violation, V: Visit<Violation>> VisitMovers<Violation> for Steps<'_, V> {
    fn successor(&mut self, event: u32, next: &[Word], _: u8, movers: Pids) -> ControlFlow<()> {
        let counter = self.served(movers);
        self.next.clear();
        self.next.extend_from_slice(next);
        self.next.extend([0, counter]);
        let place = next.len();
        let first = self.first + event * self.targets.len() as u32;
        for (number, &target) in (first..).zip(self.targets) {
            self.next[place] = target;
            self.visit.successor(number, self.next)?;
        }
        ControlFlow::Continue(())
    }

    fn violation(&mut self, event: u32, violation: Violation) -> ControlFlow<()> {
        self.visit.violation(self.first + event * self.targets.len() as u32, violation)
    }

    fn working(&mut self, bytes: usize) -> ControlFlow<()> {
        self.visit.working(bytes)
    }
}
