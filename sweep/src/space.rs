//! State spaces over state spaces: a product with a property's automaton, fair runs, a cut-off, compressed states.

pub mod acceptance;
pub(crate) mod compression;
pub mod cutoff;
pub mod fairness;
pub mod product;
#[cfg(test)]
mod product_tests;
pub(crate) mod shuffled;
