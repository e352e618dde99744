//! Every model compiled with all analyses against the same model compiled without: from states with the same values the
//! same events, in the same order, to states with the same values.

mod common;
mod events;

use std::collections::HashMap;
use std::path::Path;

use common::{load, models};
use events::Events;
use interp::{Analysis, Digest, Model, StateSpace, Word};

fn digest(model: &Model, state: &[Word]) -> Digest {
    let mut digest = Digest::default();
    digest.add(model, state);
    digest
}

/// Compares both on the first `most` states; how many there were.
fn agree(clever: &Model, plain: &Model, name: &Path, most: usize) -> usize {
    let (first, judge) = match (clever.initial(), plain.initial()) {
        (Ok(first), Ok(judge)) => (first, judge),
        (first, judge) => {
            assert_eq!(first.err(), judge.err(), "{}", name.display());
            return 0;
        }
    };
    let (mut scratch, mut plain_scratch) = (clever.scratch(), plain.scratch());
    assert_eq!(digest(clever, &first), digest(plain, &judge), "{}: the initial state", name.display());
    let mut known = HashMap::from([(first.clone(), judge.clone())]);
    let mut queue = vec![(first, judge)];
    let mut next = 0;
    while next < queue.len().min(most) {
        let (state, judge) = queue[next].clone();
        let (mut found, mut expected) = (Events::default(), Events::default());
        let _ = clever.expand(&state, &mut scratch, &mut found);
        let _ = plain.expand(&judge, &mut plain_scratch, &mut expected);
        assert_eq!(found.0.len(), expected.0.len(), "{}: events of state {next}", name.display());
        for (event, judge) in found.0.into_iter().zip(expected.0) {
            let (state, judge) = match (event, judge) {
                (Ok(state), Ok(judge)) => (state, judge),
                (event, judge) => {
                    assert_eq!(event.err(), judge.err(), "{}: a violation in state {next}", name.display());
                    continue;
                }
            };
            if let Some(met) = known.get(&state) {
                assert_eq!(*met, judge, "{}: a successor of state {next}", name.display());
                continue;
            }
            assert_eq!(
                digest(clever, &state),
                digest(plain, &judge),
                "{}: a successor of state {next}",
                name.display()
            );
            known.insert(state.clone(), judge.clone());
            queue.push((state, judge));
        }
        next += 1;
    }
    next
}

#[test]
fn clever_and_plain_agree() {
    let mut states = 0;
    for path in models("tests/models").iter().chain(&models("examples")) {
        let plain = load(path, Analysis::Plain);
        if let Some((clever, plain)) = load(path, Analysis::Full).zip(plain) {
            states += agree(&clever, &plain, path, 1_000);
        }
    }
    assert!(states > 10_000, "{states} states");
}
