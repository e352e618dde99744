//! A system and the automaton of a property, side by side: a state space with accepting states.
//!
//! The automaton watches: it moves first, by what it sees in the present state of the system, and then the system takes a
//! step. A run in which the system can move no more repeats its last state forever (it *stutters*), so that the
//! automaton sees an infinite run. Where the automaton cannot move, the run is of no interest.
//! A state of the product is a state of the system and one word more, where the automaton stands.
//! Invariant: event `first + e * t + i` is event `e` of the system after the automaton's move `i` out of `t`; the events
//! before `first` are violations that the automaton itself has found.

use std::ops::ControlFlow;

use statespace::{StateSpace, Visit, Word};

use crate::meter::{Buffers, Meter};
use crate::outcome::TraceLost;
use crate::space::acceptance::{Accepting, Observing, Scc};

/// The automaton of a property, as it sees the states of a system.
pub trait Automaton<V> {
    /// Buffers, made once per search.
    type Scratch: Default;

    /// Where it starts.
    fn initial(&self) -> Word;

    /// Finds where it can move from `at` while the system is in `system`. If `system` alone violates the property,
    /// whatever follows, that is a violation and no move.
    fn moves(&self, at: Word, system: &[Word], scratch: &mut Self::Scratch, moves: &mut Moves<V>);

    /// Is a cycle through this state of the product a violation?
    fn is_accepting(&self, at: Word, system: &[Word]) -> bool;

    /// The component of the automaton that `at` is in.
    fn scc(&self, at: Word) -> Scc;

    /// What an accepting cycle is called.
    fn cycle(&self) -> V;

    /// Does a run that ends repeat its last state forever?
    fn stutters(&self) -> bool;
}

/// What an automaton can do in a state.
#[derive(Clone, Debug)]
pub struct Moves<V> {
    /// Where it can go.
    pub targets: Vec<Word>,
    /// What is already violated.
    pub violations: Vec<V>,
}

impl<V> Default for Moves<V> {
    fn default() -> Self {
        Moves { targets: Vec::new(), violations: Vec::new() }
    }
}

impl<V: Copy> Moves<V> {
    pub(crate) fn clear(&mut self) {
        self.targets.clear();
        self.violations.clear();
    }

    /// Reports the violations as the first events.
    pub(crate) fn report(&self, visit: &mut impl Visit<V>) -> ControlFlow<()> {
        for (number, &violation) in (0..).zip(&self.violations) {
            visit.violation(number, violation)?;
        }
        ControlFlow::Continue(())
    }
}

/// A system and an automaton.
pub struct Product<'a, S, A> {
    /// The system. A state in which it reports nothing at all is one in which it cannot move.
    pub system: &'a S,
    /// The automaton.
    pub automaton: &'a A,
}

/// Buffers for expanding states of a product.
pub struct Scratch<S: StateSpace, A: Automaton<S::Violation>> {
    pub(super) system: S::Scratch,
    pub(super) automaton: A::Scratch,
    pub(super) moves: Moves<S::Violation>,
    pub(super) next: Vec<Word>,
    pub(super) numbering: Numbering,
}

impl<S: StateSpace, A: Automaton<S::Violation>> Scratch<S, A> {
    pub(super) fn new(system: &S) -> Self {
        Scratch {
            system: system.scratch(),
            automaton: A::Scratch::default(),
            moves: Moves::default(),
            next: Vec::new(),
            numbering: Numbering::default(),
        }
    }
}

/// The widths of the words of a product. Where states differ in length, those of the automaton have no fixed place.
pub(super) fn word_bits(system: &impl StateSpace) -> &[u8] {
    system.fixed_words().map_or(&[], |_| system.word_bits())
}

/// The states of the system and of the automaton.
fn split(state: &[Word]) -> (&[Word], Word) {
    match state.split_last() {
        Some((&at, system)) => (system, at),
        None => (state, 0),
    }
}

/// How the events of the state that was expanded last are numbered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Numbering {
    /// Violations of the automaton alone come first.
    pub first: u32,
    /// How many moves the automaton had.
    pub moves: u32,
    /// The system could not move and stays where it is.
    pub stutters: bool,
}

/// A product whose runs can be taken apart.
pub trait Paired: Observing {
    /// The numbering of the state that was expanded last.
    fn numbering(&self, scratch: &Self::Scratch) -> Numbering;
}

/// The events of the system behind events of a product: `None` for a step in which the system stays where it is, or has
/// no part in what is violated. No list at all if there is no such run, or no time to find it again.
pub fn follow<P: Paired>(product: &P, events: &[u32], meter: &Meter) -> Result<Vec<Option<u32>>, TraceLost> {
    let mut scratch = product.scratch();
    let lost = || TraceLost("the search has found a run that does not exist".into());
    let mut state = product.initial().map_err(|_| lost())?;
    let mut followed = Vec::with_capacity(events.len());
    for &event in events {
        let mut pick = Pick { event, next: None, violated: false, buffers: Buffers::new(meter) };
        let _ = product.expand(&state, &mut scratch, &mut pick);
        pick.buffers.end().map_err(|reason| TraceLost(format!("following the run: {reason}")))?;
        let Numbering { first, moves, stutters } = product.numbering(&scratch);
        let system = event.checked_sub(first).map(|event| event / moves.max(1)).filter(|_| !stutters);
        match pick.next {
            Some(next) => state = next,
            None if pick.violated => {}
            None => return Err(lost()),
        }
        followed.push(system);
    }
    Ok(followed)
}

impl<S: StateSpace, A: Automaton<S::Violation>> Product<'_, S, A> {
    /// Lets the automaton move, which comes first.
    #[inline]
    pub(super) fn begin(&self, state: &[Word], scratch: &mut Scratch<S, A>) {
        let (system, at) = split(state);
        let Scratch { automaton, moves, numbering, .. } = scratch;
        moves.clear();
        self.automaton.moves(at, system, automaton, moves);
        let first = moves.violations.len() as u32;
        *numbering = Numbering { first, moves: moves.targets.len() as u32, stutters: false };
    }
}

impl<S: StateSpace, A: Automaton<S::Violation>> StateSpace for Product<'_, S, A> {
    type Violation = S::Violation;
    type Scratch = Scratch<S, A>;

    fn scratch(&self) -> Self::Scratch {
        Scratch::new(self.system)
    }

    fn fixed_words(&self) -> Option<usize> {
        self.system.fixed_words().map(|words| words + 1)
    }

    fn word_bits(&self) -> &[u8] {
        word_bits(self.system)
    }

    fn gave_up(&self) -> bool {
        self.system.gave_up()
    }

    fn initial(&self) -> Result<Vec<Word>, S::Violation> {
        let mut state = self.system.initial()?;
        state.push(self.automaton.initial());
        Ok(state)
    }

    #[inline]
    fn expand<V: Visit<S::Violation>>(
        &self,
        state: &[Word],
        scratch: &mut Self::Scratch,
        visit: &mut V,
    ) -> ControlFlow<()> {
        self.begin(state, scratch);
        let system = self.system(state);
        let Scratch { system: system_scratch, moves, next, numbering, .. } = scratch;
        moves.report(visit)?;
        if moves.targets.is_empty() {
            return ControlFlow::Continue(());
        }
        let mut steps = Steps { first: numbering.first, targets: &moves.targets, next, visit, moved: false };
        self.system.expand(system, system_scratch, &mut steps)?;
        if !steps.moved && self.automaton.stutters() {
            numbering.stutters = true;
            steps.successor(0, system)?;
        }
        ControlFlow::Continue(())
    }
}

impl<S: StateSpace, A: Automaton<S::Violation>> Accepting for Product<'_, S, A> {
    #[inline]
    fn is_accepting(&self, state: &[Word]) -> bool {
        let (system, at) = split(state);
        self.automaton.is_accepting(at, system)
    }

    #[inline]
    fn scc(&self, state: &[Word]) -> Scc {
        self.automaton.scc(split(state).1)
    }

    fn cycle(&self) -> S::Violation {
        self.automaton.cycle()
    }
}

impl<S: StateSpace, A: Automaton<S::Violation>> Observing for Product<'_, S, A> {
    fn system<'a>(&self, state: &'a [Word]) -> &'a [Word] {
        split(state).0
    }
}

impl<S: StateSpace, A: Automaton<S::Violation>> Paired for Product<'_, S, A> {
    fn numbering(&self, scratch: &Self::Scratch) -> Numbering {
        scratch.numbering
    }
}

/// Hands the steps of the system on, each with every move of the automaton.
struct Steps<'a, V> {
    first: u32,
    targets: &'a [Word],
    next: &'a mut Vec<Word>,
    visit: &'a mut V,
    moved: bool,
}

impl<Violation, V: Visit<Violation>> Visit<Violation> for Steps<'_, V> {
    #[inline]
    fn successor(&mut self, event: u32, next: &[Word]) -> ControlFlow<()> {
        self.moved = true;
        self.next.clear();
        self.next.extend_from_slice(next);
        self.next.push(0);
        let first = self.first + event * self.targets.len() as u32;
        for (number, &target) in (first..).zip(self.targets) {
            if let Some(at) = self.next.last_mut() {
                *at = target;
            }
            self.visit.successor(number, self.next)?;
        }
        ControlFlow::Continue(())
    }

    fn violation(&mut self, event: u32, violation: Violation) -> ControlFlow<()> {
        self.moved = true;
        self.visit.violation(self.first + event * self.targets.len() as u32, violation)
    }

    fn suffices(&mut self) -> bool {
        false
    }

    fn left_out(&mut self, event: u32) -> ControlFlow<()> {
        self.moved = true;
        let first = self.first + event * self.targets.len() as u32;
        (first..).zip(self.targets).try_for_each(|(number, _)| self.visit.left_out(number))
    }

    fn working(&mut self, bytes: usize) -> ControlFlow<()> {
        self.visit.working(bytes)
    }
}

/// Picks one event.
struct Pick<'a> {
    event: u32,
    next: Option<Vec<Word>>,
    violated: bool,
    buffers: Buffers<'a>,
}

impl<Violation> Visit<Violation> for Pick<'_> {
    fn successor(&mut self, event: u32, next: &[Word]) -> ControlFlow<()> {
        if event == self.event {
            self.next = Some(next.to_vec());
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn violation(&mut self, event: u32, _: Violation) -> ControlFlow<()> {
        self.violated |= event == self.event;
        if self.violated { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn working(&mut self, bytes: usize) -> ControlFlow<()> {
        self.buffers.hold(bytes)
    }

    fn suffices(&mut self) -> bool {
        false
    }

    fn left_out(&mut self, _: u32) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
