//! The one path of a search: specification, compiled model, measure, run.
//!
//! The command line is read into [`measure::MeasureSpec`] and [`cutoff::CutoffSpec`] before the model is compiled. Then the
//! measure is chosen, once for everything that the command does, and [`Search::run`] searches; a cut-off is one more
//! decorator of the state space.

pub mod budget;
pub mod cutoff;
pub mod expression;
pub mod filtered_model;
pub mod hunt_first;
pub mod measure;
pub mod reduction;

use interp::{StateSpace, Violation};
use sweep::{Algorithm, Meter, Observer, Outcome, SearchOptions};

use crate::cli::{SearchArgs, SearchOrder};
use crate::load::Loaded;
use cutoff::{Classes, CutoffReport};
use filtered_model::FilteredModel;
use measure::{MeasureReport, SearchMeasure};

/// When the states that a sweep stores again reach this percentage of those it could delete, it deletes no more states of the
/// current column.
pub const REEXPANSION_LIMIT: u32 = 100;

/// A search of a model for violations of safety properties.
pub struct Search<'a, 'm> {
    pub loaded: &'m Loaded,
    pub space: &'a FilteredModel<'m>,
    pub measure: &'a mut SearchMeasure<'m>,
    pub options: SearchOptions,
    pub meter: &'a Meter,
}

/// What a search found.
pub struct Searched {
    pub outcome: Outcome<Violation>,
    pub measure: MeasureReport,
    pub cutoff: Option<CutoffReport>,
}

impl Search<'_, '_> {
    /// Searches the space, cut off by an equivalence if there is one; `None` if an expression had no value in some state,
    /// which has been shown.
    pub fn run<O: Observer>(mut self, classes: Option<&Classes<'_>>, observer: &mut O) -> Option<Searched> {
        match classes {
            None => {
                let (outcome, measure) = self.run_in(self.space, observer);
                Some(Searched { outcome, measure, cutoff: None })
            }
            Some(classes) => cutoff::run(&mut self, classes, observer),
        }
    }

    /// Searches a decorated space, whose states are those of the model.
    pub(crate) fn run_in<S: StateSpace<Violation = Violation>, O: Observer>(
        &mut self,
        space: &S,
        observer: &mut O,
    ) -> (Outcome<Violation>, MeasureReport) {
        let Search { loaded, options, meter, .. } = self;
        if !is_sweep(options) {
            let mut outcome = sweep::check_with(space, &mut SearchMeasure::None, options, observer, meter);
            unreduce(self.space, &mut outcome, meter);
            return (outcome, MeasureReport::default());
        }
        let mut outcome = sweep::check_with(space, self.measure, options, observer, meter);
        unreduce(self.space, &mut outcome, meter);
        outcome.stats.elapsed += self.measure.chosen_in();
        let report = self.measure.report(&loaded.model, &outcome);
        (outcome, report)
    }
}

/// The traces of a reduced search become runs of the model itself.
fn unreduce(space: &FilteredModel, outcome: &mut Outcome<Violation>, meter: &Meter) {
    for found in &mut outcome.violations {
        let trace = std::mem::replace(&mut found.trace, Ok(Vec::new()));
        found.trace = space.unreduced_trace(trace, meter);
    }
}

/// Whether a search goes by a measure.
pub fn is_sweep(options: &SearchOptions) -> bool {
    matches!(
        options.algorithm,
        Algorithm::StrictSweep | Algorithm::Sweep | Algorithm::ColumnSweep | Algorithm::ExternalSweep
    )
}

/// What the command line says about the search.
pub fn options(args: &SearchArgs, order: SearchOrder) -> SearchOptions {
    SearchOptions {
        algorithm: match order {
            SearchOrder::Bfs => Algorithm::Bfs,
            SearchOrder::Dfs => Algorithm::Dfs,
            SearchOrder::Sweep | SearchOrder::Column if args.progress_strict => Algorithm::StrictSweep,
            SearchOrder::Sweep => Algorithm::Sweep,
            SearchOrder::Column => Algorithm::ColumnSweep,
            SearchOrder::Cache => Algorithm::Caching,
            SearchOrder::SweepExt => Algorithm::ExternalSweep,
            SearchOrder::BfsExt => Algorithm::ExternalBfs,
            SearchOrder::Part => Algorithm::Partitioned,
        },
        limits: budget::limits(&args.limits),
        collect_every: args.gc,
        reexpansion_limit: Some(REEXPANSION_LIMIT),
        cache_states: args.cache,
        compact: args.compress,
        external: args.external.options(),
        ..SearchOptions::default()
    }
}

#[cfg(test)]
mod tests {
    /// Threads share a model and everything that is asked about its states; what changes is in the scratch of each.
    #[test]
    fn spaces_and_measures_are_shared_between_threads() {
        fn shared<T: Sync>() {}
        shared::<interp::Model>();
        shared::<super::filtered_model::FilteredModel<'_>>();
        shared::<super::measure::SearchMeasure<'_>>();
        shared::<super::cutoff::Classes<'_>>();
        shared::<crate::property::automaton::PropertyAutomaton<'_>>();
    }
}
