//! The commands, a file each: they read their arguments, call what does the work, and hand the result to a report.

pub mod automaton;
pub mod check;
pub mod dot;
pub mod explain;
pub mod hunt;
pub mod layout;
pub mod ltl;
pub mod manual;
pub mod parse;
pub mod plot;
pub mod progress;
pub mod query;
pub mod reduce;
pub mod replay;
pub mod resume;
pub mod sim;
