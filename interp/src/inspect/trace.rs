//! A list of event numbers back into moves and states: a trace that can be read, and that is checked while it is read.

use std::fmt;
use std::ops::ControlFlow;

use crate::exec::step::{Move, Path, Scratch, Sink};
use crate::model::Model;
use crate::violation::Violation;
use statespace::Word;

/// A run from the initial state.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Where it starts; empty if computing the initial state is the violation.
    pub initial: Vec<Word>,
    /// Step by step.
    pub steps: Vec<Step>,
    /// The violation at its end.
    pub violation: Option<Violation>,
    /// If the run is infinite: the number of steps before its cycle. If that is all steps, it stays in its last state.
    pub cycle_start: Option<usize>,
}

/// One step: what happens between two stored states.
#[derive(Clone, Debug)]
pub struct Step {
    /// One move, two in a rendezvous, any number in an atomic sequence.
    pub moves: Vec<Move>,
    /// The state after each move. (After a move that failed it may show half of it.)
    pub states: Vec<Vec<Word>>,
}

/// A list of events that cannot be followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoRun {
    /// It is no run of the model: this step, from 0, does not exist.
    NoSuchStep(usize),
    /// Its states take more than [`MOST_BYTES`].
    TooLarge,
    /// The caller ended it in the middle of a long step.
    Stopped,
}

/// The most bytes of a trace. A search may store large states in few bytes by what they share; a trace has them in full.
pub const MOST_BYTES: usize = 256 << 20;

impl fmt::Display for NoRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoRun::NoSuchStep(step) => write!(f, "step {} is not a step of this model", step + 1),
            NoRun::TooLarge => write!(f, "its states take more than {} MB", MOST_BYTES >> 20),
            NoRun::Stopped => write!(f, "a limit was reached while it was followed"),
        }
    }
}

impl std::error::Error for NoRun {}

impl Model {
    /// Follows a list of events, however long that takes.
    pub fn replay(&self, events: &[u32]) -> Result<Trace, NoRun> {
        self.replay_while(events, &mut || true)
    }

    /// Follows a list of events. Long steps ask now and then whether to go on.
    pub fn replay_while(&self, events: &[u32], may_go_on: &mut dyn FnMut() -> bool) -> Result<Trace, NoRun> {
        let initial = match self.initial_words() {
            Ok(initial) => initial,
            Err(violation) if events.is_empty() => {
                return Ok(Trace {
                    initial: Vec::new(),
                    steps: Vec::new(),
                    violation: Some(violation),
                    cycle_start: None,
                });
            }
            Err(_) => return Err(NoRun::NoSuchStep(0)),
        };
        let mut trace = Trace { initial, steps: Vec::new(), violation: None, cycle_start: None };
        let mut scratch = Scratch::default();
        let mut state = trace.initial.clone();
        let mut bytes = 0;
        for (step, &event) in events.iter().enumerate() {
            if trace.violation.is_some() {
                return Err(NoRun::NoSuchStep(step));
            }
            let mut pick = Pick { left: event, found: None, is_stopped: false, may_go_on };
            let _ = self.walk(&state, &mut scratch, &mut pick);
            let Some((found, end)) = pick.found else {
                return Err(if pick.is_stopped { NoRun::Stopped } else { NoRun::NoSuchStep(step) });
            };
            bytes += found.states.iter().map(|words| size_of_val(&words[..])).sum::<usize>();
            if bytes > MOST_BYTES {
                return Err(NoRun::TooLarge);
            }
            match end {
                Ok(next) => state = next,
                Err(violation) => trace.violation = Some(violation),
            }
            if !found.moves.is_empty() {
                trace.steps.push(found);
            }
        }
        Ok(trace)
    }

    /// The step that an event of a state is.
    pub fn step(&self, state: &[Word], event: u32) -> Option<Step> {
        let mut pick = Pick { left: event, found: None, is_stopped: false, may_go_on: &mut || true };
        let _ = self.walk(state, &mut Scratch::default(), &mut pick);
        pick.found.map(|(step, _)| step)
    }
}

/// Picks one event out of a walk.
struct Pick<'a> {
    left: u32,
    found: Option<(Step, Result<Vec<Word>, Violation>)>,
    is_stopped: bool,
    may_go_on: &'a mut dyn FnMut() -> bool,
}

impl Pick<'_> {
    fn event(&mut self, path: Path, end: impl FnOnce() -> Result<Vec<Word>, Violation>) -> ControlFlow<()> {
        if self.left > 0 {
            self.left -= 1;
            return ControlFlow::Continue(());
        }
        let step = Step { moves: path.moves.to_vec(), states: path.states().map(<[Word]>::to_vec).collect() };
        self.found = Some((step, end()));
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
