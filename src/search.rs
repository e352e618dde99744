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
use sweep::checkpoint::Checkpoints;
use sweep::space::judged::{Answers, Invariants, OfSystem, WithInvariants};
use sweep::{Algorithm, Found, Meter, Observer, Outcome, SearchOptions};

use crate::cli::{SearchArgs, SearchOrder};
use crate::load::Loaded;
use cutoff::{Classes, CutoffReport};
use filtered_model::FilteredModel;
use measure::{MeasureReport, SearchMeasure};

/// When the states that a sweep stores again reach this percentage of those it could delete, it deletes no more states of the
/// current column.
pub const REEXPANSION_LIMIT: u32 = 100;

/// A search of a model for violations of safety properties.
pub struct Search<'a, 'm, 's> {
    pub loaded: &'m Loaded,
    pub space: &'a FilteredModel<'m>,
    pub measure: &'a mut SearchMeasure<'s>,
    pub options: SearchOptions,
    pub meter: &'a Meter,
    /// Where checkpoints go to and come from, if there are any.
    pub checkpoints: Option<Checkpoints<'a, Violation>>,
}

/// What a search found.
pub struct Searched {
    pub outcome: Outcome<Violation>,
    pub measure: MeasureReport,
    pub cutoff: Option<CutoffReport>,
}

impl Search<'_, '_, '_> {
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

    /// Searches the space, and asks all invariants at every state.
    pub fn run_with<I: Invariants<Violation>, O: Observer>(
        mut self,
        invariants: &I,
        of_system: OfSystem,
        observer: &mut O,
    ) -> (Answers<Violation>, MeasureReport) {
        let space = WithInvariants::new(self.space, invariants, of_system);
        let reported = self.options.max_reported;
        self.options.wanted = space.wanted();
        self.options.max_reported = reported + space.wanted();
        let outcome = self.search(&space, observer);
        let mut answers = space.answers(outcome, self.options.max_reported);
        answers.outcome.violations.truncate(reported);
        self.unreduce(answers.outcome.violations.iter_mut().chain(answers.invariants.iter_mut().flatten()));
        let report = self.measured(&mut answers.outcome);
        (answers, report)
    }

    /// Searches a decorated space, whose states are those of the model.
    pub(crate) fn run_in<S: StateSpace<Violation = Violation>, O: Observer>(
        &mut self,
        space: &S,
        observer: &mut O,
    ) -> (Outcome<Violation>, MeasureReport) {
        let Search { options, meter, .. } = self;
        let observed = (observer, self.checkpoints.take());
        let mut outcome = match is_sweep(options) {
            true => sweep::check_resumable(space, self.measure, options, observed, meter),
            false => sweep::check_resumable(space, &mut SearchMeasure::None, options, observed, meter),
        };
        self.unreduce(outcome.violations.iter_mut());
        let report = self.measured(&mut outcome);
        (outcome, report)
    }

    fn search<S: StateSpace<Violation: PartialEq>, O: Observer>(
        &mut self,
        space: &S,
        observer: &mut O,
    ) -> Outcome<S::Violation> {
        let Search { options, meter, .. } = self;
        match is_sweep(options) {
            true => sweep::check_with(space, self.measure, options, observer, meter),
            false => sweep::check_with(space, &mut SearchMeasure::None, options, observer, meter),
        }
    }

    /// The traces of a reduced search become runs of the model itself.
    fn unreduce<'f>(&self, found: impl Iterator<Item = &'f mut Found<Violation>>) {
        let meter = budget::of_traces(self.meter);
        for found in found {
            let trace = std::mem::replace(&mut found.trace, Ok(Vec::new()));
            found.trace = self.space.unreduced_trace(trace, &meter);
        }
    }

    /// The measure in words, and what the search has found out about it.
    fn measured(&self, outcome: &mut Outcome<Violation>) -> MeasureReport {
        if !is_sweep(&self.options) {
            return MeasureReport::default();
        }
        outcome.stats.elapsed += self.measure.chosen_in();
        self.measure.report(&self.loaded.model, outcome)
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
        hand_over_after: args.external.disk.hand_over_after().filter(|_| order == SearchOrder::Column),
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
