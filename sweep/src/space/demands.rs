//! Demands on the runs that count: what waits again and again is served again and again.
//!
//! A step shows which demands *wait* in the state that it leaves: they could be served, by this step or another one. It
//! *serves* some of them. A *weak* demand is met by a run in which it is served infinitely often, or infinitely often does
//! not wait; a *strong* one is met also, and only, where it waits finitely often. Weak and strong fairness of processes, of
//! messages and of choices are demands (Streett's condition); what they are about is the system's business.
//! Invariant: whether a demand waits depends on the state of the system alone.
//!
//! Manna, Pnueli, *The Temporal Logic of Reactive and Concurrent Systems*, 1992: justice and compassion; Streett,
//! "Propositional Dynamic Logic of Looping and Converse Is Elementarily Decidable", Information and Control 1982.

use std::ops::ControlFlow;

use statespace::{StateSpace, Word};

use crate::space::acceptance::{Accepting, Observing};
use crate::space::product::{self, Automaton, Product};

/// A demand: its number, and whether it is strong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Demand(Word);

impl Demand {
    /// The demand with this number. Numbers should be small and without gaps.
    pub fn new(number: u32, is_strong: bool) -> Self {
        Demand(number << 1 | u32::from(is_strong))
    }

    /// Must it be served if it waits infinitely often, and not only if it waits forever?
    pub fn is_strong(self) -> bool {
        self.0 & 1 == 1
    }

    pub(crate) fn word(self) -> Word {
        self.0
    }

    pub(crate) fn from_word(word: Word) -> Self {
        Demand(word)
    }
}

/// What a step has to do with demands.
#[derive(Clone, Copy, Default, Debug)]
pub struct Role<'a> {
    /// Those that wait in the state that it leaves.
    pub waiting: &'a [Demand],
    /// Those that it serves.
    pub served: &'a [Demand],
}

/// A state space that makes demands on its runs.
pub trait Demanding: StateSpace {
    /// As `expand`, with the same events, and says what each step has to do with demands.
    fn expand_demands<V: VisitDemands<Self::Violation>>(
        &self,
        state: &[Word],
        scratch: &mut Self::Scratch,
        visit: &mut V,
    ) -> ControlFlow<()>;
}

/// What is done with the events of such an expansion.
pub trait VisitDemands<Violation> {
    /// A step to `next`.
    fn successor(&mut self, event: u32, next: &[Word], role: Role) -> ControlFlow<()>;
    /// A violation.
    fn violation(&mut self, event: u32, violation: Violation) -> ControlFlow<()>;
    /// As in [`statespace::Visit::working`].
    fn working(&mut self, bytes: usize) -> ControlFlow<()>;
}

impl<S: Demanding, A: Automaton<S::Violation>> Demanding for Product<'_, S, A> {
    fn expand_demands<V: VisitDemands<S::Violation>>(
        &self,
        state: &[Word],
        scratch: &mut Self::Scratch,
        visit: &mut V,
    ) -> ControlFlow<()> {
        self.begin(state, scratch);
        let product::Scratch { system, moves, next, numbering, .. } = scratch;
        for (number, &violation) in (0..).zip(&moves.violations) {
            visit.violation(number, violation)?;
        }
        if moves.targets.is_empty() {
            return ControlFlow::Continue(());
        }
        let mut steps = Steps { first: numbering.first, targets: &moves.targets, next, visit, moved: false };
        let of_system = self.system(state);
        self.system.expand_demands(of_system, system, &mut steps)?;
        if !steps.moved && self.automaton.stutters() {
            numbering.stutters = true;
            steps.successor(0, of_system, Role::default())?;
        }
        ControlFlow::Continue(())
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

impl<Violation, V: VisitDemands<Violation>> VisitDemands<Violation> for Steps<'_, V> {
    fn successor(&mut self, event: u32, next: &[Word], role: Role) -> ControlFlow<()> {
        self.moved = true;
        self.next.clear();
        self.next.extend_from_slice(next);
        self.next.push(0);
        let first = self.first + event * self.targets.len() as u32;
        for (number, &target) in (first..).zip(self.targets) {
            self.next[next.len()] = target;
            self.visit.successor(number, self.next, role)?;
        }
        ControlFlow::Continue(())
    }

    fn violation(&mut self, event: u32, violation: Violation) -> ControlFlow<()> {
        self.moved = true;
        self.visit.violation(self.first + event * self.targets.len() as u32, violation)
    }

    fn working(&mut self, bytes: usize) -> ControlFlow<()> {
        self.visit.working(bytes)
    }
}

/// A state space in which fair accepting cycles can be searched for.
pub trait FairSpace: Accepting + Demanding {}

impl<S: Accepting + Demanding> FairSpace for S {}
