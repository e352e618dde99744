//! The judges of psw: real SPIN, recorded numbers, models with known answers, and random models.
//!
//! Nothing here shares code with psw: it is driven as a program, as its users drive it, and so is SPIN.
//! Read in this order: what a checker can answer, how each checker is asked, and then the judges.

pub mod answer;
pub mod process;
pub mod psw;
pub mod spin;

pub mod expectation;
pub mod parallel;

pub mod bench;
pub mod claims;
pub mod compare;
pub mod expect;
pub mod kills;
pub mod limits;
pub mod ltl;
pub mod models;
pub mod mutants;
pub mod paper;
pub mod plain;
pub mod products;
pub mod random;
pub mod reduction;
pub mod replay;
pub mod traps;
