//! Ways that are followed again: from the initial state by event numbers, and round a cycle.
//!
//! States are forgotten and events are not: a state is found again by taking the events that led to it.

use std::ops::ControlFlow;

use interp::space::{StateSpace, Visit, Word};

use crate::outcome::TraceLost;

/// A trace that ends with a cycle, and how many events come before it. Or else why there is none.
pub(crate) type Lasso = Result<(Vec<u32>, usize), TraceLost>;

/// A state that moves.
pub(crate) struct Walker<'a, S: StateSpace> {
    space: &'a S,
    state: Vec<Word>,
    scratch: S::Scratch,
}

impl<'a, S: StateSpace> Walker<'a, S> {
    pub(crate) fn new(space: &'a S, state: Vec<Word>) -> Self {
        Walker { space, state, scratch: space.scratch() }
    }

    /// At the initial state.
    pub(crate) fn initial(space: &'a S) -> Result<Self, TraceLost> {
        space.initial().map(|state| Walker::new(space, state)).map_err(|_| lost())
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
        let mut choice = Choice { wanted, taken: None };
        let _ = self.space.expand(&self.state, &mut self.scratch, &mut choice);
        let (event, next) = choice.taken.ok_or_else(lost)?;
        self.state = next;
        Ok(event)
    }
}

fn lost() -> TraceLost {
    TraceLost("the way cannot be followed again: the state space answers differently each time".into())
}

struct Choice<F> {
    wanted: F,
    taken: Option<(u32, Vec<Word>)>,
}

impl<V, F: FnMut(u32, &[Word]) -> bool> Visit<V> for Choice<F> {
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
}
