//! The observer that answers all questions in one pass over the states.
//!
//! A state is looked at when it is stored. A search that forgets may store it again; least and greatest values do not
//! mind, states that are listed are listed once, and a number of states is told only if it is known: because nothing was
//! met twice, or because all states in question found room in memory.
//! Invariant: memory grows with the questions, never with the number of states visited.

use std::collections::HashMap;
use std::ops::ControlFlow;

use interp::model::{Fault, Tables};
use interp::{Model, StateSpace, Violation, ViolationKind, Visit, Word};
use sweep::hooks::Kept;
use sweep::{Meter, Observer, Outcome, Paths, Stats, Trace};

use super::contents::Contents;
use super::variables::Variables;
use crate::search::expression::Expression;

/// The states that a question tells apart when the search may visit them again.
const TOLD_APART: usize = 1 << 16;
/// The most values of a histogram.
const MOST_VALUES: usize = 1 << 16;

/// The states in which an expression holds, or does not.
pub struct Sought {
    pub expression: Expression,
    /// Whether it is to hold.
    pub holding: bool,
    /// States found.
    pub found: Found,
}

/// The states that a question is about.
pub struct Found {
    /// How often one was met.
    met: u64,
    /// Those that are kept.
    pub kept: Kept,
    /// How many are shown.
    shown: usize,
}

impl Found {
    /// No states yet, of which `shown` are shown; `again`: the search may visit a state again.
    pub fn new(shown: usize, again: bool) -> Found {
        let room = if again { shown.max(TOLD_APART) } else { shown };
        Found { met: 0, kept: Kept::new(room), shown }
    }

    #[inline]
    fn add(&mut self, state: &[Word], number: u64) {
        self.met += 1;
        self.kept.add(state, number);
    }

    /// Was there any?
    pub fn any(&self) -> bool {
        self.met > 0
    }

    /// How many there are, if that is known.
    pub fn count(&self, outcome: &Outcome<Violation>) -> Option<u64> {
        match outcome.stats.distinct {
            Some(_) => Some(self.met),
            None => self.kept.is_complete().then_some(self.kept.len() as u64),
        }
    }

    /// Those that are shown, with a trace to each.
    pub fn shown(&self) -> impl Iterator<Item = (&[Word], Trace)> {
        self.kept.iter().take(self.shown)
    }

    fn ask(&mut self, ways: &mut Paths<'_>) {
        self.kept.ask_first(self.shown, ways);
    }

    fn map_ways(&mut self, map: impl FnMut(Trace) -> Trace) {
        self.kept.map_paths(map);
    }
}

/// The least and greatest value of an expression.
pub struct Extremes {
    pub expression: Expression,
    /// The least value, the state that had it first, and a trace to that.
    pub least: Option<Extreme>,
    /// The greatest.
    pub greatest: Option<Extreme>,
}

/// One end of a range.
pub struct Extreme {
    pub value: i32,
    number: u64,
    /// A trace to a state that has it.
    pub way: Option<Trace>,
}

impl Extremes {
    #[inline]
    fn note(&mut self, value: i32, number: u64) {
        let new = || Some(Extreme { value, number, way: None });
        if self.least.as_ref().is_none_or(|least| value < least.value) {
            self.least = new();
        }
        if self.greatest.as_ref().is_none_or(|greatest| value > greatest.value) {
            self.greatest = new();
        }
    }

    fn ask(&mut self, ways: &mut Paths<'_>) {
        for end in [&mut self.least, &mut self.greatest].into_iter().flatten() {
            end.way = Some(ways.to(end.number));
        }
    }

    fn map_ways(&mut self, mut map: impl FnMut(Trace) -> Trace) {
        for end in [&mut self.least, &mut self.greatest].into_iter().flatten() {
            end.way = end.way.take().map(&mut map);
        }
    }
}

/// How many states have each value of an expression.
pub struct Histogram {
    pub expression: Expression,
    /// By value.
    pub states: HashMap<i32, u64>,
    /// States whose values found no room.
    pub others: u64,
}

impl Histogram {
    #[inline]
    fn note(&mut self, value: i32) {
        if let Some(states) = self.states.get_mut(&value) {
            *states += 1;
        } else if self.states.len() < MOST_VALUES {
            self.states.insert(value, 1);
        } else {
            self.others += 1;
        }
    }
}

/// The states without a step.
pub struct Dead {
    /// All of them.
    pub all: Found,
    scratch: interp::exec::step::Scratch,
    /// How many of each kind were met.
    met: HashMap<End, u64>,
}

/// What a state without a step is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum End {
    /// Every process may stay where it is.
    Valid,
    /// Some process may not.
    Invalid,
    /// All of its steps are errors.
    Failing,
}

impl Dead {
    /// None yet, of which `listed` are listed; `again`: the search may visit a state again.
    pub fn new(listed: usize, again: bool) -> Dead {
        Dead { all: Found::new(listed, again), scratch: Default::default(), met: HashMap::new() }
    }

    /// How many there are of a kind, if that is known.
    pub fn count(&self, kind: End, model: &Model, outcome: &Outcome<Violation>) -> Option<u64> {
        self.all.count(outcome)?;
        match outcome.stats.distinct {
            Some(_) => Some(self.met.get(&kind).copied().unwrap_or(0)),
            None => {
                let mut scratch = model.scratch();
                let kept = self.all.kept.iter();
                Some(kept.filter(|(state, _)| end(model, state, &mut scratch) == kind).count() as u64)
            }
        }
    }
}

/// Of which kind a state without a step is.
pub fn end(model: &Model, state: &[Word], scratch: &mut interp::exec::step::Scratch) -> End {
    struct Kinds(End);
    impl Visit<Violation> for Kinds {
        fn successor(&mut self, _: u32, _: &[Word]) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }

        fn violation(&mut self, _: u32, violation: Violation) -> ControlFlow<()> {
            let kind = match violation.kind {
                ViolationKind::InvalidEndState => End::Invalid,
                _ => End::Failing,
            };
            self.0 = self.0.max(kind);
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
    let mut kinds = Kinds(End::Valid);
    // The visitor never breaks, so there is nothing to hand on.
    let _ = model.expand(state, scratch, &mut kinds);
    kinds.0
}

/// An expression that has no value in some state.
pub struct Failure {
    pub fault: Fault,
    /// In which state.
    pub state: Vec<Word>,
    number: u64,
    /// A trace to it.
    pub way: Option<Trace>,
}

/// All answers.
pub struct Answers<'m> {
    pub model: &'m Model,
    /// `--reachable` and `--invariant`.
    pub sought: Vec<Sought>,
    /// `--bounds`.
    pub bounds: Vec<Extremes>,
    /// `--histogram`.
    pub histograms: Vec<Histogram>,
    /// `--channel`.
    pub channels: Vec<Contents>,
    /// `--bounds-all`.
    pub variables: Option<Variables>,
    /// `--dead-states`.
    pub dead: Option<Dead>,
    /// What ended the search early.
    pub failure: Option<Failure>,
    /// Interrupted to end the search.
    pub meter: &'m Meter,
    /// Places of the state at hand.
    pub tables: Tables,
}

impl Answers<'_> {
    /// Replaces the traces, after the search.
    pub fn map_ways(&mut self, mut map: impl FnMut(Trace) -> Trace) {
        self.sought.iter_mut().for_each(|sought| sought.found.map_ways(&mut map));
        self.bounds.iter_mut().for_each(|extremes| extremes.map_ways(&mut map));
        self.dead.iter_mut().for_each(|dead| dead.all.map_ways(&mut map));
        if let Some(failure) = &mut self.failure {
            failure.way = failure.way.take().map(&mut map);
        }
    }

    /// Whether some question has an expression.
    fn evaluates(&self) -> bool {
        !(self.sought.is_empty() && self.bounds.is_empty() && self.histograms.is_empty() && self.channels.is_empty())
    }

    fn evaluate(&mut self, state: &[Word], number: u64) -> Result<(), Fault> {
        let (model, tables) = (self.model, &self.tables);
        for sought in &mut self.sought {
            if (model.evaluate(sought.expression.id, state, tables)? != 0) == sought.holding {
                sought.found.add(state, number);
            }
        }
        for extremes in &mut self.bounds {
            extremes.note(model.evaluate(extremes.expression.id, state, tables)?, number);
        }
        for histogram in &mut self.histograms {
            histogram.note(model.evaluate(histogram.expression.id, state, tables)?);
        }
        for contents in &mut self.channels {
            if let Some(channel) = model.channel_at(contents.id, state, tables)? {
                contents.note(channel, state);
            }
        }
        Ok(())
    }
}

impl Observer for Answers<'_> {
    #[inline]
    fn discovered(&mut self, state: &[Word], stats: &Stats) {
        self.model.locate(state, &mut self.tables);
        if let Some(variables) = &mut self.variables {
            variables.note(self.model, state, &self.tables);
        }
        if self.evaluates() && self.failure.is_none() {
            let number = stats.states - 1;
            if let Err(fault) = self.evaluate(state, number) {
                self.failure = Some(Failure { fault, state: state.to_vec(), number, way: None });
                self.meter.interrupt();
            }
        }
    }

    fn dead(&mut self, state: &[Word], number: u64, _: &Stats) {
        if let Some(dead) = &mut self.dead {
            dead.all.add(state, number);
            *dead.met.entry(end(self.model, state, &mut dead.scratch)).or_default() += 1;
        }
    }

    fn finished(&mut self, ways: &mut Paths<'_>) {
        self.sought.iter_mut().for_each(|sought| sought.found.ask(ways));
        self.bounds.iter_mut().for_each(|extremes| extremes.ask(ways));
        self.dead.iter_mut().for_each(|dead| dead.all.ask(ways));
        if let Some(failure) = &mut self.failure {
            failure.way = Some(ways.to(failure.number));
        }
    }
}
