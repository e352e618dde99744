//! Traces as files and drawings: psw's own form, SPIN's trails, message sequence charts.

pub mod chart;
pub mod file;
pub mod trail;
