//! Limits hold inside one expansion: in every search, and through everything that stands between it and the system.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use statespace::{StateSpace, Visit, Word};

use crate::measure::{Measure, NoMeasure, Progress};
use crate::space::cutoff::{CutOff, Equivalence};
use crate::space::fairness::FairProduct;
use crate::space::product::Product;
use crate::testing::{Laborious, Watchful};
use crate::{
    Algorithm, CycleSearch, Meter, Outcome, SearchOptions, StopReason, Verdict, check_cycles, check_fair_cycles,
    check_with,
};

const WORKING: Laborious = Laborious { words: 2, last: 3, grows: 0, is_bad: false, sets: None };

/// By which each state has a layer.
struct Count;

impl Measure for Count {
    fn has_one_layer(&self) -> bool {
        false
    }

    fn of(&self, state: &[Word]) -> Progress {
        Progress(u128::from(state[0]))
    }

    fn layer_bits(&self) -> u32 {
        0
    }
}

/// Everything that searches a space: what each says. The meter is made anew for each.
fn safety(space: &impl StateSpace<Violation = u32>, meter: &dyn Fn() -> Meter) -> Vec<Outcome<u32>> {
    let mut outcomes = Vec::new();
    for algorithm in Algorithm::ALL {
        for compact in [false, true] {
            let options = SearchOptions { algorithm, compact, ..SearchOptions::default() };
            outcomes.push(check_with(space, &mut Count, &options, &mut (), &meter()));
            outcomes.push(check_with(space, &mut NoMeasure, &options, &mut (), &meter()));
        }
    }
    outcomes
}

/// Everything that searches for cycles, with and without fairness.
fn cycles(system: &Laborious, meter: &dyn Fn() -> Meter) -> Vec<Outcome<u32>> {
    let mut outcomes = Vec::new();
    for cycles in CycleSearch::ALL {
        let options = SearchOptions { cycles, ..SearchOptions::default() };
        let product = Product { system, automaton: &Watchful };
        outcomes.push(check_cycles(&product, &mut Count, &options, &mut (), &meter()));
        let fair = FairProduct { system, automaton: &Watchful };
        outcomes.push(check_cycles(&fair, &mut Count, &options, &mut (), &meter()));
    }
    let product = Product { system, automaton: &Watchful };
    outcomes.push(check_fair_cycles(&product, &SearchOptions::default(), &mut (), &meter()));
    outcomes
}

/// All states are different, and the cut-off looks at the steps of none; or all are equal, and it looks at all.
struct Classes(bool);

impl Equivalence for Classes {
    type Fault = ();

    fn class(&self, state: &[Word], class: &mut Vec<Word>) -> Result<(), ()> {
        class.clear();
        class.extend_from_slice(if self.0 { &[] } else { state });
        Ok(())
    }

    fn is_cutoff(&self, _: &[Word]) -> Result<bool, ()> {
        Ok(true)
    }
}

fn all(space: &Laborious, meter: &dyn Fn() -> Meter) -> Vec<Outcome<u32>> {
    let mut outcomes = cycles(space, meter);
    outcomes.extend(safety(space, meter));
    outcomes.extend(safety(&Laborious { words: 40, ..*space }, meter));
    for algorithm in Algorithm::ALL {
        let classes = Classes(false);
        let (options, meter) = (SearchOptions { algorithm, ..SearchOptions::default() }, meter());
        outcomes.push(check_with(&CutOff::new(space, &classes, &meter), &mut Count, &options, &mut (), &meter));
    }
    outcomes
}

fn soon() -> Meter {
    Meter::unlimited().until(Instant::now() + Duration::from_millis(20))
}

/// At most this many bytes.
fn small(most: usize) -> impl Fn() -> Meter {
    move || Meter::unlimited().with_max_bytes(Some(most))
}

#[test]
fn time_ends_an_expansion() {
    for outcome in all(&WORKING, &soon) {
        assert_eq!(outcome.stopped, Some(StopReason::Time));
        assert_eq!(outcome.stats.expanded, 4);
    }
}

#[test]
fn bytes_end_an_expansion_and_are_counted() {
    let space = Laborious { grows: 1 << 10, ..WORKING };
    let most = 50 << 20;
    for outcome in all(&space, &small(most)) {
        assert_eq!(outcome.stopped, Some(StopReason::Memory));
        let peak = outcome.stats.peak_bytes;
        // What an expansion says that it holds it holds already.
        assert!(peak <= most + (1 << 16) && peak > most / 10 * 9, "{:?}", outcome.stats);
    }
}

#[test]
fn an_interrupt_ends_an_expansion() {
    let flag = Arc::new(AtomicBool::new(false));
    let space = Laborious { sets: Some(&flag), ..WORKING };
    let begin = || {
        flag.store(false, Ordering::Relaxed);
        Meter::unlimited().with_interrupt(Arc::clone(&flag))
    };
    for outcome in all(&space, &begin) {
        assert_eq!(outcome.stopped, Some(StopReason::Interrupted));
        assert_eq!(outcome.stats.expanded, 4);
    }
}

#[test]
fn a_cut_off_is_told_when_it_compares() {
    let space = Laborious { last: 1, ..WORKING };
    let classes = Classes(true);
    let meter = soon();
    let cut_off = CutOff::new(&space, &classes, &meter);
    let outcome = check_with(&cut_off, &mut NoMeasure, &SearchOptions::default(), &mut (), &meter);
    assert_eq!(outcome.stopped, Some(StopReason::Time));
    assert!(cut_off.end().is_none());
}

#[test]
fn what_was_violated_before_the_end_is_reported() {
    let space = Laborious { is_bad: true, grows: 1 << 10, ..WORKING };
    let meter = small(10 << 20);
    // A fair product first finds out who can move, and reports nothing until then.
    let product = cycles(&space, &meter).into_iter().step_by(2);
    for outcome in safety(&space, &meter).into_iter().chain(product) {
        assert_eq!(outcome.verdict(), Verdict::Violated);
        assert_eq!(outcome.violations[0].violation, 7);
        assert_eq!(outcome.violations[0].trace, Ok(vec![0, 0, 0, 0]));
    }
}

#[test]
fn a_deadline_that_is_over_stops_at_once() {
    for outcome in all(&Laborious { last: 100, ..WORKING }, &|| Meter::unlimited().until(Instant::now())) {
        assert_eq!(outcome.stopped, Some(StopReason::Time));
        assert_eq!(outcome.stats.transitions, 1, "{:?}", outcome.stats);
    }
}

/// A state with very many successors, none of which is stored before all are found.
struct Prolific {
    reported: AtomicU32,
}

impl StateSpace for Prolific {
    type Violation = u32;
    type Scratch = ();

    fn scratch(&self) {}

    fn fixed_words(&self) -> Option<usize> {
        Some(4)
    }

    fn word_bits(&self) -> &[u8] {
        &[]
    }

    fn gave_up(&self) -> bool {
        false
    }

    fn initial(&self) -> Result<Vec<Word>, u32> {
        Ok(vec![0; 4])
    }

    fn expand<V: Visit<u32>>(&self, state: &[Word], (): &mut (), visit: &mut V) -> ControlFlow<()> {
        for event in 0..if state[0] == 0 { 4 << 20 } else { 0 } {
            self.reported.store(event, Ordering::Relaxed);
            visit.successor(event, &[1, event, 0, 0])?;
            if event % 1024 == 0 {
                visit.working(0)?;
            }
        }
        ControlFlow::Continue(())
    }
}

#[test]
fn the_successors_of_one_state_are_counted_while_they_are_found() {
    for algorithm in Algorithm::ALL {
        for compact in [false, true] {
            let space = Prolific { reported: AtomicU32::new(0) };
            let options = SearchOptions { algorithm, compact, ..SearchOptions::default() };
            let outcome = check_with(&space, &mut Count, &options, &mut (), &small(32 << 20)());
            assert_eq!(outcome.stopped, Some(StopReason::Memory), "{algorithm:?}");
            let bytes = space.reported.into_inner() as usize * 4 * size_of::<Word>();
            assert!(bytes <= 32 << 20, "{algorithm:?} found {bytes} bytes of successors before it stopped");
        }
    }
}
