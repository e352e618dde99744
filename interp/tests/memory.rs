//! What is told from memory (`expand`, for searches) against interpretation (`walk`, for traces): on every state of every
//! model the same events, in the same order.

mod common;
mod told;

use std::collections::HashSet;
use std::path::Path;

use common::{load, models};
use interp::{Analysis, Model, StateSpace};
use told::Told;

/// Compares both on the first so many states; how many there were.
fn agree(model: &Model, name: &Path, most: usize) -> usize {
    let Ok(initial) = model.initial() else { return 0 };
    let (mut scratch, mut interpreted) = (model.scratch(), model.scratch());
    let mut known = HashSet::from([initial.clone()]);
    let mut queue = vec![initial];
    let mut next = 0;
    while next < queue.len().min(most) {
        let (mut told, mut expected) = (Told::default(), Told::default());
        let _ = model.expand(&queue[next], &mut scratch, &mut told);
        let _ = model.walk(&queue[next], &mut interpreted, &mut expected);
        assert_eq!(told, expected, "{}: state {next}", name.display());
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
fn memory_and_interpretation_agree() {
    let mut states = 0;
    for path in models("tests/models").iter().chain(&models("examples")) {
        // A state of 64 kilobytes need not be looked at often.
        if let Some(model) = load(path, Analysis::Full) {
            states += agree(&model, path, 3_000);
        }
    }
    assert!(states > 10_000, "{states} states");
}
