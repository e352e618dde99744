//! Searches over state spaces: they store packed states, count, watch limits, and say what they found.
//!
//! This crate knows no Promela: only `interp::space::StateSpace`. A violation is a value it hands on, and a trace is a
//! list of event numbers.

mod algorithm;
mod control;
mod events;
mod observer;
mod outcome;
mod parents;
pub mod store;
#[cfg(any(test, feature = "testing"))]
pub mod testing;

use std::sync::atomic::AtomicBool;

use interp::space::StateSpace;

use algorithm::{bfs, dfs};
use control::{Control, End};
use parents::Parents;

pub use control::{Limits, Stats, StopReason};
pub use observer::Observer;
pub use outcome::{Found, Outcome, Trace, TraceLost, Verdict};

/// In which order states are visited.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Algorithm {
    /// Breadth-first: shortest traces.
    Bfs,
    /// Depth-first, as SPIN does it.
    Dfs,
}

impl Algorithm {
    /// All of them.
    pub const ALL: [Algorithm; 2] = [Algorithm::Bfs, Algorithm::Dfs];
}

/// What a search is asked to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchOptions {
    /// The order of the search.
    pub algorithm: Algorithm,
    /// When to stop.
    pub limits: Limits,
    /// Go on after a violation.
    pub all_errors: bool,
    /// The most violations to report with a trace, no two of them equal; all are counted. At least one is reported.
    pub max_reported: usize,
    /// Keep what is needed to tell the way to a violation.
    pub traces: bool,
}

impl Default for SearchOptions {
    fn default() -> Self {
        SearchOptions {
            algorithm: Algorithm::Dfs,
            limits: Limits::default(),
            all_errors: false,
            max_reported: 100,
            traces: true,
        }
    }
}

/// Searches the states that `space` can reach until all are seen, a limit is reached, `interrupt` is set, or something
/// is violated (unless all errors are wanted).
pub fn check<S, O>(
    space: &S,
    options: &SearchOptions,
    observer: &mut O,
    interrupt: &AtomicBool,
) -> Outcome<S::Violation>
where
    S: StateSpace<Violation: PartialEq>,
    O: Observer,
{
    let mut control = Control::new(options, observer, interrupt);
    let end = match space.initial() {
        Err(violation) => control.violated(violation, || Ok(Vec::new())),
        Ok(initial) => match options.algorithm {
            Algorithm::Bfs => {
                let parents = match options.traces {
                    true => Parents::new(),
                    false => Parents::disabled(),
                };
                bfs::search(space, &initial, parents, &mut control)
            }
            Algorithm::Dfs => dfs::search(space, &initial, &mut control),
        },
    };
    let (stats, violations) = control.finish();
    let stopped = match end {
        Err(End::Stopped(reason)) => Some(reason),
        Err(End::FirstViolation) | Ok(()) => None,
    };
    Outcome {
        violations,
        stopped,
        stats,
    }
}
