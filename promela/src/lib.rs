//! The Promela front end.
pub mod ast;
pub mod check;
pub mod diagnostics;
pub mod ids;
pub mod model;
pub mod source;

pub use check::{check, check_expression, check_formula};
