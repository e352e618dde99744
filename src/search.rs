//! The one path of a search: what the command line says, the measure, the cut-off, the run.

pub mod cutoff;
pub mod expression;
pub mod filtered_model;
pub mod measure;

#[cfg(test)]
mod tests {
    /// Threads share a model and everything that is asked about its states; what changes is in the scratch of each.
    #[test]
    fn spaces_and_measures_are_shared_between_threads() {
        fn shared<T: Sync>() {}
        shared::<interp::Model>();
        shared::<super::filtered_model::Selected<'_>>();
        shared::<super::measure::Measuring<'_>>();
        shared::<super::cutoff::Classes<'_>>();
        shared::<crate::property::automaton::Watching<'_>>();
    }
}
