//! The shortest form of a lasso: no stem that ends with steps of the cycle, no cycle that is a repetition of a shorter one.
//!
//! Neither changes the infinite run, only where it is cut into stem and cycle, so that it violates what it violated before. All
//! the same the shorter lasso is judged like the run of a search (`confirm`), and dropped if it does not pass.

use interp::Model;
use interp::inspect::trace::Trace;
use sweep::Meter;

use super::Property;
use super::confirm::confirm;
use super::fairness::Fairness;
use super::search::Run;

/// The same run as a shorter lasso.
pub fn shortened((model, meter): (&Model, &Meter), property: &Property, fairness: &Fairness, run: Run) -> Run {
    let length = run.trace.steps.len();
    let Some(start) = run.trace.cycle_start.filter(|&start| start < length && run.events.len() == length) else {
        return run;
    };
    let (start, end) = shortest(&run.trace, start);
    if end == length {
        return run;
    }
    let Trace { initial, steps, violation, .. } = &run.trace;
    let steps = steps[..end].to_vec();
    let trace = Trace { initial: initial.clone(), steps, violation: *violation, cycle_start: Some(start) };
    match confirm(model, property, fairness, &trace, meter) {
        Ok(_) => Run { events: run.events[..end].to_vec(), trace },
        Err(_) => run,
    }
}

/// Where the cycle begins and ends in the shortest form.
fn shortest(trace: &Trace, mut start: usize) -> (usize, usize) {
    let steps = &trace.steps;
    let mut end = steps.len();
    let state = |at: usize| at.checked_sub(1).map_or(Some(&trace.initial), |before| steps[before].states.last());
    // The same moves from the same state, with the same states in between.
    let is_same = |a: usize, b: usize| {
        state(a) == state(b) && steps[a].moves == steps[b].moves && steps[a].states == steps[b].states
    };
    let cycle = end - start;
    let is_period =
        |period: &usize| cycle.is_multiple_of(*period) && (start..end - period).all(|at| is_same(at, at + period));
    if let Some(period) = (1..cycle).find(is_period) {
        end = start + period;
    }
    while start > 0 && is_same(start - 1, end - 1) {
        (start, end) = (start - 1, end - 1);
    }
    (start, end)
}

#[cfg(test)]
mod tests {
    use interp::inspect::trace::Step;

    use super::*;

    /// A run through these states, without moves.
    fn through(states: &[u32]) -> Trace {
        let steps = states[1..].iter().map(|&state| Step { moves: Vec::new(), states: vec![vec![state]] }).collect();
        Trace { initial: vec![states[0]], steps, violation: None, cycle_start: None }
    }

    /// What a lasso visits, of the nodes a test looks for.
    fn visited(states: &[u32], start: usize, end: usize) -> Vec<u32> {
        let at = |n: usize| if n < end { n } else { start + (n - start) % (end - start) };
        (0..40).map(|n| states[at(n)]).collect()
    }

    #[test]
    fn lassos_are_cut_where_they_repeat() {
        assert_eq!(shortest(&through(&[0, 1, 2, 1, 2, 1]), 3), (1, 3));
        assert_eq!(shortest(&through(&[0, 1, 2, 1, 2, 1]), 1), (1, 3));
        assert_eq!(shortest(&through(&[7, 7, 7]), 0), (0, 1));
        assert_eq!(shortest(&through(&[3, 1, 2, 3, 1]), 1), (0, 3));
        assert_eq!(shortest(&through(&[1, 2, 1, 3, 1]), 0), (0, 4));
    }

    /// All lassos of up to eight steps through two states: the run is the same, it closes, and no form is shorter.
    #[test]
    fn the_run_stays_what_it_is() {
        for length in 1..9 {
            for bits in 0..2_u32 << length {
                let states: Vec<u32> = (0..=length).map(|bit| bits >> bit & 1).collect();
                for start in (0..length).filter(|&start| states[start] == states[length]) {
                    let (from, to) = shortest(&through(&states), start);
                    let run = visited(&states, start, length);
                    assert_eq!(
                        (run.clone(), states[from]),
                        (visited(&states, from, to), states[to]),
                        "{states:?} {start}"
                    );
                    let closes = |begin: usize, end: usize| states[begin] == states[end];
                    let is_shorter =
                        |end| (0..end).any(|begin| closes(begin, end) && visited(&states, begin, end) == run);
                    assert!(!(1..to).any(is_shorter), "{states:?} from {start}: {from}, {to}");
                }
            }
        }
    }
}
