//! From a checked model to a flat program over packed states: control flow, places of variables, code.

pub(crate) mod arithmetic;
pub(crate) mod compare;
pub(crate) mod compile;
pub mod flow;
pub mod layout;
pub mod program;
pub mod state;
