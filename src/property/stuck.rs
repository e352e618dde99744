//! The way into an invalid end state that the search for a property has passed by.
//!
//! A run that gets stuck goes on in its last state for ever as far as properties are concerned, and may well satisfy them.
//! That it gets stuck is an error all the same. The way to it is searched for anew, in the model alone, where it is short.

use interp::{Model, Violation, ViolationKind};
use sweep::measure::NoMeasure;
use sweep::{Algorithm, Found, Outcome, SearchOptions, TraceLost};

use super::search::{How, OnlyLive};
use crate::observers::live::Live;
use crate::search::filtered_model::Selected;

/// A shortest way into an invalid end state of a model that has one. If the search is stopped before, there is no trace.
pub fn find(model: &Model, how: &How, live: &mut Live) -> Found<Violation> {
    let system = Selected { assertions: false, ..Selected::all(model) };
    let options = SearchOptions { algorithm: Algorithm::Bfs, ..how.options };
    let Outcome { violations, stopped, .. } =
        sweep::check_with(&system, &mut NoMeasure, &options, &mut OnlyLive(live), how.meter);
    let mut stuck = violations.into_iter().filter(|found| found.violation.kind == ViolationKind::InvalidEndState);
    stuck.next().unwrap_or_else(|| Found {
        violation: Violation { kind: ViolationKind::InvalidEndState, pid: None, span: None },
        trace: Err(TraceLost(match stopped {
            Some(reason) => format!("the search for it was stopped: {reason}"),
            None => "another error comes first: see psw check".to_owned(),
        })),
        cycle_start: None,
    })
}
