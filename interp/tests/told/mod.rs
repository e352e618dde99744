//! Events of a state as a search and a walk report them, for comparison.

use std::ops::ControlFlow;

use interp::exec::step::{Path as Moves, Sink};
use interp::{Violation, Visit, Word};

/// Events as they were told.
#[derive(Default, PartialEq, Debug)]
pub struct Told(pub Vec<Result<Vec<Word>, Violation>>);

impl Visit<Violation> for Told {
    fn successor(&mut self, _: u32, next: &[Word]) -> ControlFlow<()> {
        self.0.push(Ok(next.to_vec()));
        ControlFlow::Continue(())
    }

    fn violation(&mut self, _: u32, violation: Violation) -> ControlFlow<()> {
        self.0.push(Err(violation));
        ControlFlow::Continue(())
    }
}

impl Sink for Told {
    fn successor(&mut self, next: &[Word], _: Moves) -> ControlFlow<()> {
        self.0.push(Ok(next.to_vec()));
        ControlFlow::Continue(())
    }

    fn violation(&mut self, violation: Violation, _: Moves) -> ControlFlow<()> {
        self.0.push(Err(violation));
        ControlFlow::Continue(())
    }
}
