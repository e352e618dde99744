//! Events of a state as a search and a walk report them, for comparison.

use std::ops::ControlFlow;

use interp::exec::step::{Path as Moves, Sink};
use interp::{Violation, Visit, Word};

/// The events of one state, in order.
#[derive(Default, PartialEq, Debug)]
pub struct Events(pub Vec<Result<Vec<Word>, Violation>>);

impl Visit<Violation> for Events {
    fn successor(&mut self, _: u32, next: &[Word]) -> ControlFlow<()> {
        self.0.push(Ok(next.to_vec()));
        ControlFlow::Continue(())
    }

    fn violation(&mut self, _: u32, violation: Violation) -> ControlFlow<()> {
        self.0.push(Err(violation));
        ControlFlow::Continue(())
    }

    fn suffices(&mut self) -> bool {
        false
    }

    fn left_out(&mut self, _: u32) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn working(&mut self, _: usize) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl Sink for Events {
    fn successor(&mut self, next: &[Word], _: Moves) -> ControlFlow<()> {
        self.0.push(Ok(next.to_vec()));
        ControlFlow::Continue(())
    }

    fn violation(&mut self, violation: Violation, _: Moves) -> ControlFlow<()> {
        self.0.push(Err(violation));
        ControlFlow::Continue(())
    }
}
