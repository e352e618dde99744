//! Measures of progress for compiled models: where processes stand, counters, channels, and what the user says.
//!
//! In reading order: graphs (`spanning`), candidates (`component`, `process`, `variable`, and `potential` with what it
//! needs: `live`, `simplex`), what becomes of them (`product`), how they are chosen (`sample`, `trial`, `choose`), the words
//! for it (`explain`), and what the user says (`user`). Nothing here decides a verdict: a measure that claims too much is
//! corrected by the search that uses it.

pub mod spanning;

pub mod component;
pub mod process;
pub mod variable;

mod live;
mod simplex;

pub mod potential;

mod compiled;
pub mod product;

pub mod choose;
pub mod sample;
pub mod trial;

pub mod explain;
pub mod user;

pub use choose::{Choice, Mode, Recipe, choose};
pub use product::ProductMeasure;
pub use user::UserMeasure;
