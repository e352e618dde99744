//! The transition cache (`expand`, for searches) against interpretation (`walk`, for traces): in every state of every
//! model the same events, in the same order.

mod common;
mod events;

use std::collections::HashSet;
use std::path::Path;

use common::{load, models};
use events::Events;
use interp::{Analysis, Model, StateSpace};

/// Compares both on the first `most` states; how many there were.
fn agree(model: &Model, name: &Path, most: usize) -> usize {
    let Ok(initial) = model.initial() else { return 0 };
    let (mut scratch, mut interpreted) = (model.scratch(), model.scratch());
    let mut known = HashSet::from([initial.clone()]);
    let mut queue = vec![initial];
    let mut next = 0;
    while next < queue.len().min(most) {
        let (mut found, mut expected) = (Events::default(), Events::default());
        let _ = model.expand(&queue[next], &mut scratch, &mut found);
        let _ = model.walk(&queue[next], &mut interpreted, &mut expected);
        assert_eq!(found, expected, "{}: state {next}", name.display());
        for state in expected.0.into_iter().flatten() {
            if known.insert(state.clone()) {
                queue.push(state);
            }
        }
        next += 1;
    }
    next
}

#[test]
fn cache_and_interpretation_agree() {
    let mut states = 0;
    for path in models("tests/models").iter().chain(&models("examples")) {
        // A state of 64 kilobytes need not be looked at often.
        if let Some(model) = load(path, Analysis::Full) {
            states += agree(&model, path, 3_000);
        }
    }
    assert!(states > 10_000, "{states} states");
}
