//! What can be observed of a search. An observer never changes the search.
//!
//! These are the hooks that questions about a state space hang on (`hooks.rs` has ready-made ones): every state, every
//! step and every dead state, all in one search and without keeping states. What a search deletes it may meet and report
//! again; `Stats::distinct` says in the end whether it did. The path to a state is requested by the state's number when
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
    fn finished(&mut self, _paths: &mut Paths<'_>) {}
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

/// No observer.
impl Observer for () {
    fn looks(&self) -> bool {
        false
    }
}

/// Another observer, by reference.
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

    fn finished(&mut self, paths: &mut Paths<'_>) {
        (**self).finished(paths);
    }
}

/// Two observers; more are pairs of pairs.
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

    fn finished(&mut self, paths: &mut Paths<'_>) {
        self.0.finished(paths);
        self.1.finished(paths);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meter::Meter;
    use crate::space::compression::{Decompressing, TreeCompressed};
    use crate::testing::Lattice;
    use crate::{Algorithm, SearchOptions, check};

    /// Counts the calls of each method; has no method of the trait left out.
    #[derive(Default, Clone, PartialEq, Eq, Debug)]
    struct Calls {
        looks: std::cell::Cell<u64>,
        discovered: u64,
        expanding: u64,
        steps: u64,
        dead: u64,
        ticks: u64,
        finished: u64,
    }

    impl Observer for Calls {
        const WATCHES_STEPS: bool = true;

        fn looks(&self) -> bool {
            self.looks.set(self.looks.get() + 1);
            true
        }

        fn discovered(&mut self, _: &[Word], _: &Stats) {
            self.discovered += 1;
        }

        fn expanding(&mut self, _: &[Word], _: &Stats) {
            self.expanding += 1;
        }

        fn step(&mut self, _: Step<'_>, _: &Stats) {
            self.steps += 1;
        }

        fn dead(&mut self, _: &[Word], _: u64, _: &Stats) {
            self.dead += 1;
        }

        fn tick(&mut self, _: &Stats) {
            self.ticks += 1;
        }

        fn finished(&mut self, _: &mut Paths<'_>) {
            self.finished += 1;
        }
    }

    /// Calls every method once.
    fn call_all<O: Observer>(observer: &mut O, state: &[Word]) {
        assert!(O::WATCHES_STEPS);
        let stats = Stats::default();
        assert!(observer.looks());
        observer.discovered(state, &stats);
        observer.expanding(state, &stats);
        observer.step(Step { from: state, event: 0, to: state }, &stats);
        observer.dead(state, 0, &stats);
        observer.tick(&stats);
        observer.finished(&mut Paths(&mut PredecessorLog::enabled(false, &Meter::unlimited())));
    }

    #[test]
    fn wrappers_hand_every_call_on() {
        let (mut direct, mut first, mut second, mut inner) = <(Calls, Calls, Calls, Calls)>::default();
        let space = Lattice { counters: 8, top: 1 };
        call_all(&mut direct, &[0; 8]);
        call_all(&mut (&mut first, &mut second), &[0; 8]);
        assert_eq!(first, direct);
        // The first of a pair decides whether the second is asked to look.
        second.looks = direct.looks.clone();
        assert_eq!(second, direct);
        let compressed = TreeCompressed::new(&space, &Meter::unlimited()).expect("eight words are compressed");
        let state = statespace::StateSpace::initial(&compressed).expect("there is an initial state");
        call_all(&mut Decompressing::new(&compressed, &mut inner), &state);
        inner.looks = direct.looks.clone();
        assert_eq!(inner, direct);
    }

    #[test]
    fn compression_shows_the_observer_the_same() {
        let space = Lattice { counters: 8, top: 1 };
        let calls = [false, true].map(|compact| {
            let mut calls = Calls::default();
            let options = SearchOptions { algorithm: Algorithm::Bfs, compact, ..SearchOptions::default() };
            check(&space, &options, &mut calls, &Meter::unlimited());
            (calls.discovered, calls.expanding, calls.steps, calls.dead, calls.finished)
        });
        assert_eq!(calls[0], calls[1]);
        assert_eq!(calls[0].0, 256);
    }
}
