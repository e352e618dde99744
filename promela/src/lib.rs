//! The Promela front end.
pub mod ast;
pub mod ids;
pub mod model;
pub mod source;
