//! A system and its invariants: one search answers for all of them, and for what the system itself finds wrong.
//!
//! An invariant is a question to every state. It is asked where the state is expanded, before its steps: there the automaton
//! of its negation would move ([`super::product`]), and it has one state in which it waits, so that its product with the
//! system has no more states than the system. The answer of each is therefore that of its own product: it is violated if a
//! state violates it, or if the system finds something wrong that ends a run.
//! Each invariant is one question, and what the system finds is another: violations of one question are equal, so that the
//! first of each is reported, and [`SearchOptions::wanted`](crate::SearchOptions) of them end the search.
//! Invariant: states and their steps are those of the system, under the same numbers; what a state itself violates has the
//! number [`STATE`].

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use statespace::{StateSpace, Visit, Word};

use crate::outcome::{Found, Outcome};

/// The number of the event that is a state itself.
pub const STATE: u32 = u32::MAX;

/// Questions to every state of a system.
pub trait Invariants<V> {
    /// Buffers, made once per search.
    type Scratch: Default;

    /// How many there are.
    fn count(&self) -> usize;

    /// Finds which of them a state violates, and how.
    fn violated(&self, system: &[Word], scratch: &mut Self::Scratch, found: &mut Vec<(usize, V)>);

    /// Whether something that the system has found violates all of them.
    fn is_violated_by(&self, violation: &V) -> bool;
}

/// What is violated: the question, and how.
#[derive(Clone, Copy, Debug)]
pub enum Judged<V> {
    /// Found by the system, which reports all.
    Each(V),
    /// Found by the system, which reports the first.
    First(V),
    /// An invariant.
    Invariant(usize, V),
}

/// Whether one of two is enough to answer what was asked.
impl<V: PartialEq> PartialEq for Judged<V> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Judged::Each(one), Judged::Each(other)) => one == other,
            (Judged::First(_), Judged::First(_)) => true,
            (Judged::Invariant(one, _), Judged::Invariant(other, _)) => one == other,
            _ => false,
        }
    }
}

/// What is wanted of the violations that the system finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OfSystem {
    /// Only what they mean for the invariants.
    None,
    /// The first.
    First,
    /// All.
    All,
}

impl OfSystem {
    /// What a search reports that goes on after violations, or does not.
    pub fn reported(all_errors: bool) -> Self {
        if all_errors { OfSystem::All } else { OfSystem::First }
    }
}

/// A system with invariants.
pub struct WithInvariants<'a, S, I> {
    system: &'a S,
    invariants: &'a I,
    of_system: OfSystem,
    /// How often an invariant was violated.
    errors: AtomicU64,
}

/// What a search has found, question by question.
pub struct Answers<V> {
    /// What the system has found.
    pub outcome: Outcome<V>,
    /// For each invariant: how it is violated, if it is.
    pub invariants: Vec<Option<Found<V>>>,
    /// There was no room for all that was found: an invariant may be violated that seems not to be.
    pub is_full: bool,
}

impl<'a, S: StateSpace, I: Invariants<S::Violation>> WithInvariants<'a, S, I> {
    /// The system with these invariants.
    pub fn new(system: &'a S, invariants: &'a I, of_system: OfSystem) -> Self {
        WithInvariants { system, invariants, of_system, errors: AtomicU64::new(0) }
    }

    /// How many questions there are.
    pub fn wanted(&self) -> usize {
        self.invariants.count() + usize::from(self.of_system != OfSystem::None)
    }

    /// Takes the result of a search apart; it reported at most `max_reported` violations.
    pub fn answers(&self, outcome: Outcome<Judged<S::Violation>>, max_reported: usize) -> Answers<S::Violation> {
        let Outcome { violations: found, stopped, mut stats, rejected, demoted } = outcome;
        let is_full = found.len() >= max_reported;
        let mut invariants: Vec<_> = (0..self.invariants.count()).map(|_| None).collect();
        let mut violations = Vec::new();
        for Found { violation, mut trace, cycle_start } in found {
            // The path to a state ends there.
            if let Ok(events) = &mut trace
                && events.last() == Some(&STATE)
            {
                events.pop();
            }
            match violation {
                Judged::Each(violation) | Judged::First(violation) => {
                    violations.push(Found { violation, trace, cycle_start });
                }
                Judged::Invariant(number, violation) => {
                    invariants[number] = Some(Found { violation, trace, cycle_start });
                }
            }
        }
        stats.errors = match self.of_system {
            OfSystem::All => stats.errors.saturating_sub(self.errors.load(Ordering::Relaxed)),
            OfSystem::First | OfSystem::None => violations.len() as u64,
        };
        Answers { outcome: Outcome { violations, stopped, stats, rejected, demoted }, invariants, is_full }
    }

    /// The system's violation as an answer; `None` if nobody asked for it.
    fn own(&self, violation: S::Violation) -> Option<Judged<S::Violation>> {
        match self.of_system {
            OfSystem::None => None,
            OfSystem::First => Some(Judged::First(violation)),
            OfSystem::All => Some(Judged::Each(violation)),
        }
    }
}

/// Buffers for expanding states.
pub struct Scratch<S: StateSpace, I: Invariants<S::Violation>> {
    system: S::Scratch,
    invariants: I::Scratch,
    found: Vec<(usize, S::Violation)>,
}

impl<S: StateSpace, I: Invariants<S::Violation>> StateSpace for WithInvariants<'_, S, I> {
    type Violation = Judged<S::Violation>;
    type Scratch = Scratch<S, I>;

    fn scratch(&self) -> Self::Scratch {
        Scratch { system: self.system.scratch(), invariants: I::Scratch::default(), found: Vec::new() }
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

    /// Without an initial state there is no run, and nothing to ask.
    fn initial(&self) -> Result<Vec<Word>, Self::Violation> {
        self.system.initial().map_err(Judged::First)
    }

    #[inline]
    fn expand<V: Visit<Self::Violation>>(
        &self,
        state: &[Word],
        scratch: &mut Self::Scratch,
        visit: &mut V,
    ) -> ControlFlow<()> {
        let Scratch { system, invariants, found } = scratch;
        self.invariants.violated(state, invariants, found);
        for (number, violation) in found.drain(..) {
            self.errors.fetch_add(1, Ordering::Relaxed);
            visit.violation(STATE, Judged::Invariant(number, violation))?;
        }
        self.system.expand(state, system, &mut Judge { space: self, visit })
    }
}

/// Hands on what the system reports, with what it means for the invariants.
struct Judge<'a, S, I, V> {
    space: &'a WithInvariants<'a, S, I>,
    visit: &'a mut V,
}

impl<S: StateSpace, I: Invariants<S::Violation>, V: Visit<Judged<S::Violation>>> Visit<S::Violation>
    for Judge<'_, S, I, V>
{
    #[inline]
    fn successor(&mut self, event: u32, next: &[Word]) -> ControlFlow<()> {
        self.visit.successor(event, next)
    }

    fn violation(&mut self, event: u32, violation: S::Violation) -> ControlFlow<()> {
        let space = self.space;
        if let Some(own) = space.own(violation) {
            self.visit.violation(event, own)?;
        }
        if space.invariants.is_violated_by(&violation) {
            for number in 0..space.invariants.count() {
                space.errors.fetch_add(1, Ordering::Relaxed);
                self.visit.violation(event, Judged::Invariant(number, violation))?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn left_out(&mut self, event: u32) -> ControlFlow<()> {
        self.visit.left_out(event)
    }

    fn suffices(&mut self) -> bool {
        self.visit.suffices()
    }

    fn working(&mut self, bytes: usize) -> ControlFlow<()> {
        self.visit.working(bytes)
    }
}
