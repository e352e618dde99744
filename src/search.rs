//! The one path of a search: what the command line says, the measure, the cut-off, the run.

pub mod cutoff;
pub mod expression;
pub mod filtered_model;
pub mod measure;
