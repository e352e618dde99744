//! A run of a reduced search as a run of the model itself: every step of a chain is a step of its own, and events have the
//! numbers that they have without a reduction.
//!
//! The moves of the reduced run are executed again by the plain walk over all steps. So whoever looks at a trace, saves it
//! or gives it to SPIN need not know that the search was reduced, and a step that a reduction has made up is found out.

use std::ops::ControlFlow;

use super::trace::NoRun;
use crate::exec::reduction::Reduction;
use crate::exec::step::{Move, Path, Scratch, Sink};
use crate::model::Model;
use crate::violation::Violation;
use statespace::Word;

impl Model {
    /// For each event of a run of a reduced search, the events that it is without reduction. Long steps ask now and then
    /// whether to go on.
    pub fn unreduced(
        &self,
        reduction: &Reduction,
        events: &[u32],
        may_go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Vec<Vec<u32>>, NoRun> {
        let (Ok(mut state), Ok(mut reduced)) = (self.initial_words(), reduction.initial(self)) else {
            return Ok(events.iter().map(|&event| vec![event]).collect());
        };
        let (mut scratch, mut reduced_scratch) = (Scratch::default(), Scratch::default());
        let mut unreduced = Vec::new();
        for (step, &event) in events.iter().enumerate() {
            let mut pick = Pick { left: event, found: None, is_stopped: false, may_go_on: &mut *may_go_on };
            let _ = self.walk_reduced(reduction, &reduced, &mut reduced_scratch, &mut pick);
            let Some((moves, end)) = pick.found else { return Err(pick.why(step)) };
            let violation = end.as_ref().err().copied();
            let mut wanted = &moves[..];
            let mut steps = Vec::new();
            while !wanted.is_empty() || violation.is_some() {
                let mut find =
                    Find { wanted, violation, event: 0, found: None, is_stopped: false, may_go_on: &mut *may_go_on };
                let _ = self.walk(&state, &mut scratch, &mut find);
                let Some((event, taken, next)) = find.found else { return Err(find.why(step)) };
                steps.push(event);
                let Some(next) = next else { break };
                (state, wanted) = (next, &wanted[taken..]);
            }
            unreduced.push(steps);
            match end {
                Ok(next) => reduced = next,
                Err(_) => return Ok(unreduced),
            }
        }
        Ok(unreduced)
    }
}

/// Where an event leads.
type End = Result<Vec<Word>, Violation>;

/// Picks one event out of a reduced walk: its moves, and where they lead.
struct Pick<'a> {
    left: u32,
    found: Option<(Vec<Move>, End)>,
    is_stopped: bool,
    may_go_on: &'a mut dyn FnMut() -> bool,
}

impl Pick<'_> {
    fn why(&self, step: usize) -> NoRun {
        if self.is_stopped { NoRun::Stopped } else { NoRun::NoSuchStep(step) }
    }

    fn event(&mut self, path: Path, end: impl FnOnce() -> End) -> ControlFlow<()> {
        if self.left > 0 {
            self.left -= 1;
            return ControlFlow::Continue(());
        }
        self.found = Some((path.moves.to_vec(), end()));
        ControlFlow::Break(())
    }
}

impl Sink for Pick<'_> {
    fn successor(&mut self, next: &[Word], path: Path) -> ControlFlow<()> {
        self.event(path, || Ok(next.to_vec()))
    }

    fn violation(&mut self, violation: Violation, path: Path) -> ControlFlow<()> {
        self.event(path, || Err(violation))
    }

    fn working(&mut self, _: usize) -> ControlFlow<()> {
        self.is_stopped = !(self.may_go_on)();
        if self.is_stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Finds the step that some moves begin with, or the violation that they are.
struct Find<'a> {
    wanted: &'a [Move],
    violation: Option<Violation>,
    event: u32,
    /// The event, how many moves it is, and where it leads.
    found: Option<(u32, usize, Option<Vec<Word>>)>,
    is_stopped: bool,
    may_go_on: &'a mut dyn FnMut() -> bool,
}

impl Find<'_> {
    fn why(&self, step: usize) -> NoRun {
        if self.is_stopped { NoRun::Stopped } else { NoRun::NoSuchStep(step) }
    }
}

impl Sink for Find<'_> {
    fn successor(&mut self, next: &[Word], path: Path) -> ControlFlow<()> {
        // What violates something is one step.
        let is_it = self.violation.is_none() && self.wanted.starts_with(path.moves);
        if is_it {
            self.found = Some((self.event, path.moves.len(), Some(next.to_vec())));
            return ControlFlow::Break(());
        }
        self.event += 1;
        ControlFlow::Continue(())
    }

    fn violation(&mut self, violation: Violation, path: Path) -> ControlFlow<()> {
        if self.violation == Some(violation) && self.wanted == path.moves {
            self.found = Some((self.event, path.moves.len(), None));
            return ControlFlow::Break(());
        }
        self.event += 1;
        ControlFlow::Continue(())
    }

    fn working(&mut self, _: usize) -> ControlFlow<()> {
        self.is_stopped = !(self.may_go_on)();
        if self.is_stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
