//! Variables on which nothing ever depends: the complement of a backward closure over assignments.
//!
//! Relevant is what something decisive reads; then, for each flow to a relevant place, what its value is computed from.
//! The order of statements plays no part, so the answer holds in every state, also inside a `d_step`.
//!
//! Fields that are narrower than their types hold what is computed from zeros, too: the range of every variable has 0 in
//! it, and what a condition implies beyond the ranges is about variables that the condition reads, which are relevant.

use crate::analysis::footprint::{Flow, StateBits, Uses};

/// The bits that matter.
pub(super) fn relevant(uses: Uses) -> StateBits {
    let Uses { decisive: mut found, flows: mut others } = uses;
    let mut relevant = StateBits::default();
    while !found.is_empty() {
        found.extend_from_slice(relevant.runs());
        relevant = StateBits::exact(&found);
        let reaches = |flow: &Flow| flow.targets.iter().any(|target| relevant.meets(target));
        let (reaching, rest): (Vec<Flow>, Vec<Flow>) = others.into_iter().partition(reaches);
        others = rest;
        found = reaching.into_iter().flat_map(|flow| flow.reads).collect();
    }
    relevant
}
