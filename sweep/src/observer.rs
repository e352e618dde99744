//! What can be watched of a search. An observer never steers: it is told, and not asked.
//!
//! These are the hooks that questions about a state space hang on (`hooks.rs` has ready-made ones): every state, every
//! step and every dead state, all in one search and without keeping states. What a search forgets it may meet and tell
//! again; `Stats::distinct` says in the end whether it did. The way to a state is asked for by the state's number when
//! the search has ended ([`Observer::finished`]): until then a number is all that need be remembered.

use statespace::Word;

use crate::control::Stats;
use crate::outcome::{Trace, TraceLost};
use crate::store::predecessor_log::PredecessorLog;

/// A watcher of a search: a progress line, a recorder, a question. All its methods may be left out.
pub trait Observer {
    /// Whether `step` does anything. If not, a search need not find out from which state each step comes.
    const WATCHES_STEPS: bool = false;

    /// Whether the next call of `discovered` or `expanding` looks at the words of the state; if not, they may be missing.
    fn looks(&self) -> bool {
        true
    }

    /// A new state was stored; its number is `stats.states - 1`.
    fn discovered(&mut self, _state: &[Word], _stats: &Stats) {}

    /// The steps out of a state are going to be taken.
    fn expanding(&mut self, _state: &[Word], _stats: &Stats) {}

    /// A step was taken, to a new or to a known state. Called only if `WATCHES_STEPS`.
    fn step(&mut self, _step: Step<'_>, _stats: &Stats) {}

    /// There is no step out of the state with this number, which was expanded just now.
    fn dead(&mut self, _state: &[Word], _number: u64, _stats: &Stats) {}

    /// About a tenth of a second has passed since the last tick.
    fn tick(&mut self, _stats: &Stats) {}

    /// The search has ended, or was stopped. This is the moment to ask how states were reached.
    fn finished(&mut self, _ways: &mut Paths<'_>) {}
}

/// A step between two states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step<'a> {
    /// Where it starts.
    pub from: &'a [Word],
    /// The number of the event in the expansion of that state.
    pub event: u32,
    /// Where it leads.
    pub to: &'a [Word],
}

/// How the states of a search were reached.
pub struct Paths<'a>(pub(crate) &'a mut PredecessorLog);

impl Paths<'_> {
    /// The events from the initial state to the state with this number. All searches know them if
    /// `SearchOptions::witnesses` is set.
    pub fn to(&mut self, number: u64) -> Trace {
        let mut events = self.0.path(number, 0)?;
        match events.pop() {
            Some(_) => Ok(events),
            None => Err(TraceLost("the trace log is empty".into())),
        }
    }
}

/// Nobody watches.
impl Observer for () {
    fn looks(&self) -> bool {
        false
    }
}

/// Somebody else watches.
impl<O: Observer> Observer for &mut O {
    const WATCHES_STEPS: bool = O::WATCHES_STEPS;

    #[inline]
    fn looks(&self) -> bool {
        (**self).looks()
    }

    #[inline]
    fn discovered(&mut self, state: &[Word], stats: &Stats) {
        (**self).discovered(state, stats);
    }

    #[inline]
    fn expanding(&mut self, state: &[Word], stats: &Stats) {
        (**self).expanding(state, stats);
    }

    #[inline]
    fn step(&mut self, step: Step<'_>, stats: &Stats) {
        (**self).step(step, stats);
    }

    #[inline]
    fn dead(&mut self, state: &[Word], number: u64, stats: &Stats) {
        (**self).dead(state, number, stats);
    }

    fn tick(&mut self, stats: &Stats) {
        (**self).tick(stats);
    }

    fn finished(&mut self, ways: &mut Paths<'_>) {
        (**self).finished(ways);
    }
}

/// Two watch; more are pairs of pairs.
impl<A: Observer, B: Observer> Observer for (A, B) {
    const WATCHES_STEPS: bool = A::WATCHES_STEPS || B::WATCHES_STEPS;

    #[inline]
    fn looks(&self) -> bool {
        self.0.looks() || self.1.looks()
    }

    #[inline]
    fn discovered(&mut self, state: &[Word], stats: &Stats) {
        self.0.discovered(state, stats);
        self.1.discovered(state, stats);
    }

    #[inline]
    fn expanding(&mut self, state: &[Word], stats: &Stats) {
        self.0.expanding(state, stats);
        self.1.expanding(state, stats);
    }

    #[inline]
    fn step(&mut self, step: Step<'_>, stats: &Stats) {
        self.0.step(step, stats);
        self.1.step(step, stats);
    }

    #[inline]
    fn dead(&mut self, state: &[Word], number: u64, stats: &Stats) {
        self.0.dead(state, number, stats);
        self.1.dead(state, number, stats);
    }

    fn tick(&mut self, stats: &Stats) {
        self.0.tick(stats);
        self.1.tick(stats);
    }

    fn finished(&mut self, ways: &mut Paths<'_>) {
        self.0.finished(ways);
        self.1.finished(ways);
    }
}
