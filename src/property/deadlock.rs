//! A deadlock that the search for a violation of a property has passed.
//!
//! A run that deadlocks repeats its last state forever as far as properties are concerned, and may satisfy them. The deadlock is
//! an error all the same. A new search, in the model alone, finds a shortest path to it.

use interp::{Model, Violation, ViolationKind};
use sweep::measure::NoMeasure;
use sweep::{Algorithm, Found, Outcome, SearchOptions, TraceLost};

use super::search::{OnlyLive, PropertySearch};
use crate::observers::live::Live;
use crate::search::filtered_model::FilteredModel;

/// A shortest path to an invalid end state of a model that has one. If the search is stopped before, there is no trace.
pub fn find(model: &Model, search: &PropertySearch, live: &mut Live) -> Found<Violation> {
    let system = FilteredModel { assertions: false, ..FilteredModel::all(model) };
    let options = SearchOptions { algorithm: Algorithm::Bfs, ..search.options };
    let Outcome { violations, stopped, .. } =
        sweep::check_with(&system, &mut NoMeasure, &options, &mut OnlyLive(live), search.interrupt);
    let mut deadlocks = violations.into_iter().filter(|found| found.violation.kind == ViolationKind::InvalidEndState);
    deadlocks.next().unwrap_or_else(|| Found {
        violation: Violation { kind: ViolationKind::InvalidEndState, pid: None, span: None },
        trace: Err(TraceLost(match stopped {
            Some(reason) => format!("the search for it was stopped: {reason}"),
            None => "another error comes first: see psw check".to_owned(),
        })),
        cycle_start: None,
    })
}
