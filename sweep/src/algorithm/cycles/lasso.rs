//! Paths that are followed again: from the initial state by event numbers, and round a cycle.
//!
//! States are deleted and events are not: a state is found again by taking the events that led to it.

use std::ops::ControlFlow;

use statespace::{StateSpace, Visit, Word};

use crate::algorithm::is_good;
use crate::measure::{Measure, Progress};
use crate::meter::{Buffers, Meter};
use crate::outcome::TraceLost;
use crate::space::acceptance::Accepting;
use crate::{Algorithm, SearchOptions, StopReason, check_with};

/// A trace that ends with a cycle, and how many events come before it. Or else why there is none.
pub(crate) type Lasso = Result<(Vec<u32>, usize), TraceLost>;

/// A state that moves.
pub(crate) struct Walker<'a, S: StateSpace> {
    space: &'a S,
    state: Vec<Word>,
    scratch: S::Scratch,
    meter: &'a Meter,
}

impl<'a, S: StateSpace> Walker<'a, S> {
    pub(crate) fn new(space: &'a S, state: Vec<Word>, meter: &'a Meter) -> Self {
        Walker { space, state, scratch: space.scratch(), meter }
    }

    /// At the initial state.
    pub(crate) fn initial(space: &'a S, meter: &'a Meter) -> Result<Self, TraceLost> {
        space.initial().map(|state| Walker::new(space, state, meter)).map_err(|_| lost())
    }

    pub(crate) fn state(&self) -> &[Word] {
        &self.state
    }

    /// Takes the steps with these events.
    pub(crate) fn take_all(&mut self, events: &[u32]) -> Result<(), TraceLost> {
        for &wanted in events {
            self.take(|event, _| event == wanted)?;
        }
        Ok(())
    }

    /// Takes the first step that is wanted; which event it is.
    pub(crate) fn take(&mut self, wanted: impl FnMut(u32, &[Word]) -> bool) -> Result<u32, TraceLost> {
        let mut choice = Choice { wanted, taken: None, buffers: Buffers::new(self.meter) };
        let _ = self.space.expand(&self.state, &mut self.scratch, &mut choice);
        choice.buffers.end().map_err(stopped)?;
        let (event, next) = choice.taken.ok_or_else(lost)?;
        self.state = next;
        Ok(event)
    }
}

fn lost() -> TraceLost {
    TraceLost("the path cannot be followed again: the state space answers differently each time".into())
}

fn stopped(reason: StopReason) -> TraceLost {
    TraceLost(format!("following the cycle: {reason}"))
}

struct Choice<'a, F> {
    wanted: F,
    taken: Option<(u32, Vec<Word>)>,
    buffers: Buffers<'a>,
}

impl<V, F: FnMut(u32, &[Word]) -> bool> Visit<V> for Choice<'_, F> {
    fn successor(&mut self, event: u32, next: &[Word]) -> ControlFlow<()> {
        if (self.wanted)(event, next) {
            self.taken = Some((event, next.to_vec()));
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn violation(&mut self, _: u32, _: V) -> ControlFlow<()> {
        ControlFlow::Continue(())
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

/// A cycle from a state back to it, past a good one, as a state space: a word more says whether one was passed. Coming
/// round is the violation.
pub(crate) struct Round<'a, S> {
    pub(crate) space: &'a S,
    pub(crate) start: &'a [Word],
}

impl<S: Accepting> Round<'_, S> {
    /// The events of `stem`, which lead to the start, and once round after them.
    pub(crate) fn close(&self, stem: Vec<u32>, measure: &dyn Measure, meter: &Meter) -> Lasso {
        let options = SearchOptions { algorithm: Algorithm::ColumnSweep, ..SearchOptions::default() };
        let outcome = check_with(self, &mut Stripped(measure), &options, &mut (), meter);
        let start = stem.len();
        let mut events = stem;
        match (outcome.violations.into_iter().next(), outcome.stopped) {
            (Some(found), _) => events.extend(found.trace?),
            (None, Some(reason)) => return Err(stopped(reason)),
            (None, None) => return Err(lost()),
        }
        Ok((events, start))
    }

    fn marked(&self, state: &[Word], was_good: bool) -> Vec<Word> {
        let mut marked = state.to_vec();
        marked.push(Word::from(was_good || is_good(self.space, state)));
        marked
    }
}

/// A measure of states with one word more than it knows of.
struct Stripped<'a>(&'a dyn Measure);

impl Measure for Stripped<'_> {
    fn has_one_layer(&self) -> bool {
        false
    }

    fn of(&self, state: &[Word]) -> Progress {
        self.0.of(state.split_last().map_or(state, |(_, rest)| rest))
    }

    fn layer_bits(&self) -> u32 {
        self.0.layer_bits()
    }
}

impl<S: Accepting> StateSpace for Round<'_, S> {
    type Violation = ();
    type Scratch = S::Scratch;

    fn scratch(&self) -> S::Scratch {
        self.space.scratch()
    }

    fn fixed_words(&self) -> Option<usize> {
        self.space.fixed_words().map(|words| words + 1)
    }

    fn word_bits(&self) -> &[u8] {
        self.space.word_bits()
    }

    fn gave_up(&self) -> bool {
        self.space.gave_up()
    }

    fn initial(&self) -> Result<Vec<Word>, ()> {
        Ok(self.marked(self.start, false))
    }

    fn expand<V: Visit<()>>(&self, state: &[Word], scratch: &mut S::Scratch, visit: &mut V) -> ControlFlow<()> {
        let Some((&mark, state)) = state.split_last() else {
            return ControlFlow::Continue(());
        };
        self.space.expand(state, scratch, &mut RoundVisit { round: self, was_good: mark != 0, visit })
    }
}

struct RoundVisit<'a, 'b, S, V> {
    round: &'a Round<'b, S>,
    was_good: bool,
    visit: &'a mut V,
}

impl<S: Accepting, V: Visit<()>> Visit<S::Violation> for RoundVisit<'_, '_, S, V> {
    fn successor(&mut self, event: u32, next: &[Word]) -> ControlFlow<()> {
        let space = self.round.space;
        if next == self.round.start && self.was_good {
            return self.visit.violation(event, ());
        }
        if space.scc(next).rank != space.scc(self.round.start).rank {
            return ControlFlow::Continue(());
        }
        self.visit.successor(event, &self.round.marked(next, self.was_good))
    }

    fn violation(&mut self, _: u32, _: S::Violation) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn working(&mut self, bytes: usize) -> ControlFlow<()> {
        self.visit.working(bytes)
    }

    fn suffices(&mut self) -> bool {
        false
    }

    fn left_out(&mut self, event: u32) -> ControlFlow<()> {
        self.visit.left_out(event)
    }
}
