//! What is known of a model before it runs. These modules know the checked model and the compiled program, and no state.

pub mod channels;
pub mod dependence;
pub mod footprint;
pub mod instances;
pub mod ranges;
pub mod unused;
pub mod usage;
pub(crate) mod view;
