//! `psw check --digest`: the set of reachable states by value, as one number, to compare runs of psw with each other.

use interp::{Digest, Model, Word};
use sweep::{Algorithm, Limits, Meter, Observer, SearchOptions, Stats};

/// The digest of all reachable states; `None` if a limit was reached before all were seen.
pub fn of(model: &Model, limits: Limits, meter: &Meter) -> Option<Digest> {
    let options = SearchOptions {
        algorithm: Algorithm::Bfs,
        limits,
        all_errors: true,
        max_reported: 1,
        traces: false,
        ..SearchOptions::default()
    };
    let mut states = States { model, digest: Digest::default() };
    let outcome = sweep::check(model, &options, &mut states, meter);
    outcome.stopped.is_none().then_some(states.digest)
}

struct States<'m> {
    model: &'m Model,
    digest: Digest,
}

impl Observer for States<'_> {
    fn discovered(&mut self, state: &[Word], _: &Stats) {
        self.digest.add(self.model, state);
    }
}
