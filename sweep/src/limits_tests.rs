//! Limits hold inside one expansion: in every search, and through everything that stands between it and the system.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use statespace::{StateSpace, Visit, Word};

use crate::measure::{Measure, NoMeasure, Progress};
use crate::space::cutoff::{CutOff, Equivalence};
use crate::space::fairness::FairProduct;
use crate::space::product::Product;
use crate::testing::{Laborious, Watchful};
use crate::{Algorithm, CycleSearch, Limits, Outcome, SearchOptions, StopReason, Verdict, check_cycles, check_with};

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

/// Everything that searches a space: what each says. The limits are made anew for each.
fn safety(
    space: &impl StateSpace<Violation = u32>,
    limits: &dyn Fn() -> Limits,
    flag: &AtomicBool,
) -> Vec<Outcome<u32>> {
    let mut outcomes = Vec::new();
    for algorithm in Algorithm::ALL {
        for compact in [false, true] {
            let options = || SearchOptions { algorithm, limits: limits(), compact, ..SearchOptions::default() };
            outcomes.push(check_with(space, &mut Count, &options(), &mut (), flag));
            outcomes.push(check_with(space, &mut NoMeasure, &options(), &mut (), flag));
        }
    }
    outcomes
}

/// Everything that searches for cycles, with and without fairness.
fn cycles(system: &Laborious, limits: &dyn Fn() -> Limits, flag: &AtomicBool) -> Vec<Outcome<u32>> {
    let mut outcomes = Vec::new();
    for cycles in CycleSearch::ALL {
        let options = || SearchOptions { cycles, limits: limits(), ..SearchOptions::default() };
        let product = Product { system, automaton: &Watchful };
        outcomes.push(check_cycles(&product, &mut Count, &options(), &mut (), flag));
        let fair = FairProduct { system, automaton: &Watchful };
        outcomes.push(check_cycles(&fair, &mut Count, &options(), &mut (), flag));
    }
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

fn all(space: &Laborious, limits: &dyn Fn() -> Limits, flag: &AtomicBool) -> Vec<Outcome<u32>> {
    let mut outcomes = cycles(space, limits, flag);
    outcomes.extend(safety(space, limits, flag));
    outcomes.extend(safety(&Laborious { words: 40, ..*space }, limits, flag));
    for algorithm in Algorithm::ALL {
        let classes = Classes(false);
        let options = SearchOptions { algorithm, limits: limits(), ..SearchOptions::default() };
        outcomes.push(check_with(&CutOff::new(space, &classes), &mut Count, &options, &mut (), flag));
    }
    outcomes
}

fn soon() -> Limits {
    Limits { deadline: Some(Instant::now() + Duration::from_millis(20)), ..Limits::default() }
}

#[test]
fn time_ends_an_expansion() {
    for outcome in all(&WORKING, &soon, &AtomicBool::new(false)) {
        assert_eq!(outcome.stopped, Some(StopReason::Time));
        assert_eq!(outcome.stats.expanded, 4);
    }
}

#[test]
fn bytes_end_an_expansion_and_are_counted() {
    let space = Laborious { grows: 1 << 10, ..WORKING };
    let most = 50 << 20;
    let limits = Limits { max_bytes: Some(most), ..Limits::default() };
    for outcome in all(&space, &|| limits, &AtomicBool::new(false)) {
        assert_eq!(outcome.stopped, Some(StopReason::Memory));
        let peak = outcome.stats.peak_bytes;
        // What an expansion says that it holds it holds already.
        assert!(peak <= most + (1 << 16) && peak > most / 10 * 9, "{:?}", outcome.stats);
    }
}

#[test]
fn an_interrupt_ends_an_expansion() {
    let flag = AtomicBool::new(false);
    let space = Laborious { sets: Some(&flag), ..WORKING };
    let begin = || {
        flag.store(false, Ordering::Relaxed);
        Limits::default()
    };
    for outcome in all(&space, &begin, &flag) {
        assert_eq!(outcome.stopped, Some(StopReason::Interrupted));
        assert_eq!(outcome.stats.expanded, 4);
    }
}

#[test]
fn a_cut_off_is_told_when_it_compares() {
    let space = Laborious { last: 1, ..WORKING };
    let classes = Classes(true);
    let options = SearchOptions { limits: soon(), ..SearchOptions::default() };
    let cut_off = CutOff::new(&space, &classes);
    let outcome = check_with(&cut_off, &mut NoMeasure, &options, &mut (), &AtomicBool::new(false));
    assert_eq!(outcome.stopped, Some(StopReason::Time));
    assert!(cut_off.end().is_none());
}

#[test]
fn what_was_violated_before_the_end_is_reported() {
    let space = Laborious { is_bad: true, grows: 1 << 10, ..WORKING };
    let limits = Limits { max_bytes: Some(10 << 20), ..Limits::default() };
    let flag = &AtomicBool::new(false);
    // A fair product first finds out who can move, and reports nothing until then.
    let product = cycles(&space, &|| limits, flag).into_iter().step_by(2);
    for outcome in safety(&space, &|| limits, flag).into_iter().chain(product) {
        assert_eq!(outcome.verdict(), Verdict::Violated);
        assert_eq!(outcome.violations[0].violation, 7);
        assert_eq!(outcome.violations[0].trace, Ok(vec![0, 0, 0, 0]));
    }
}

#[test]
fn a_deadline_that_is_over_stops_at_once() {
    let limits = Limits { deadline: Some(Instant::now()), ..Limits::default() };
    for outcome in all(&Laborious { last: 100, ..WORKING }, &|| limits, &AtomicBool::new(false)) {
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
    let limits = Limits { max_bytes: Some(32 << 20), ..Limits::default() };
    for algorithm in Algorithm::ALL {
        for compact in [false, true] {
            let space = Prolific { reported: AtomicU32::new(0) };
            let options = SearchOptions { algorithm, limits, compact, ..SearchOptions::default() };
            let outcome = check_with(&space, &mut Count, &options, &mut (), &AtomicBool::new(false));
            assert_eq!(outcome.stopped, Some(StopReason::Memory), "{algorithm:?}");
            let bytes = space.reported.into_inner() as usize * 4 * size_of::<Word>();
            assert!(bytes <= 32 << 20, "{algorithm:?} found {bytes} bytes of successors before it stopped");
        }
    }
}
