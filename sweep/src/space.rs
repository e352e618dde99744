//! State spaces over state spaces: invariants, a product with a property's automaton, fair runs, demands on runs, a cut-off,
//! compressed states.

pub mod acceptance;
pub(crate) mod compression;
pub mod cutoff;
pub mod demands;
pub mod fairness;
pub mod judged;
#[cfg(test)]
mod judged_tests;
pub mod product;
#[cfg(test)]
mod product_tests;
pub(crate) mod shuffled;
