//! Who watches a search. An observer never steers.

pub mod digest;
pub mod divergence;
pub mod live;
pub mod log;
pub mod watch;
