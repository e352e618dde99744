//! A checked Promela model as a transition system: compiled automata, packed states, successors.

pub mod space;
