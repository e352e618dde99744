//! What a search says at its end. A verdict is never better than what was established.

use std::fmt;

use statespace::Word;

use crate::control::{Stats, StopReason};
use crate::measure::ComponentId;

/// The answer of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Every reachable state was expanded and nothing is violated.
    Holds,
    /// Something is violated; whether the search was complete does not matter.
    Violated,
    /// Nothing was found, but not everything was seen.
    Stopped(StopReason),
}

/// Everything a search has to say.
#[derive(Clone, Debug)]
pub struct Outcome<V> {
    /// The violations, in the order found, no two of them equal: as many as were wanted, or all, up to
    /// `SearchOptions::max_reported`. `stats.errors` counts all.
    pub violations: Vec<Found<V>>,
    /// Which limit stopped the search, if one did. There may be violations nevertheless.
    pub stopped: Option<StopReason>,
    /// The numbers.
    pub stats: Stats,
    /// The step that a strict sweep stopped at.
    pub rejected: Option<Rejected>,
    /// Components of the measure that were claimed to be monotone and are not. They were used as what they are from
    /// then on: no more than time was lost.
    pub demoted: Vec<ComponentId>,
}

/// An edge along which progress decreases.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejected {
    /// The state it starts from.
    pub from: Vec<Word>,
    /// The state it leads to.
    pub to: Vec<Word>,
    /// The path to it; its last event is the step.
    pub trace: Trace,
}

/// A violation and how to get there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found<V> {
    /// What is violated.
    pub violation: V,
    /// The path to it.
    pub trace: Trace,
    /// If it is a cycle: how many events of the trace come before it. The rest lead round it once.
    pub cycle_start: Option<usize>,
}

/// The numbers of the events from the initial state on, the last one being the violation; empty if there is no initial
/// state because computing it is what violates. Or else why the path is not known: a verdict is not lost with its trace.
pub type Trace = Result<Vec<u32>, TraceLost>;

/// Why there is no trace, as a phrase.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceLost(pub String);

impl fmt::Display for TraceLost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TraceLost {}

impl<V> Outcome<V> {
    /// The verdict.
    pub fn verdict(&self) -> Verdict {
        match self.stopped {
            _ if !self.violations.is_empty() => Verdict::Violated,
            Some(reason) => Verdict::Stopped(reason),
            None => Verdict::Holds,
        }
    }
}
