//! Equivalence cut-off: a state is not looked at if one that is equivalent to it has been.
//!
//! For systems whose progress is unbounded, and whose states differ in nothing else in the long run. The class of every state
//! that satisfies a cut-off predicate is remembered; a new state whose class is remembered is left out. Around any state
//! space, for any search: states in between are stored and deleted as usual.
//! Invariant: a state whose class is remembered has been handed to the search, so it is or will be expanded. If
//! equivalent states have equivalent steps, what is left out shows nothing new. This is assumed, and verified on the fly: when
//! a class is met again by another state, the classes of the successors are compared, and a difference ends the search
//! (`StopReason::Inconsistent`). If the predicate is not true again and again on every endless run, the search may not
//! end; the limits count what is remembered.
//!
//! Mailund, "Equivalence Based Cut-off in the Sweep-Line Method", 2001, Fig. 3.

use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};

use statespace::{StateSpace, Visit, Word};

use crate::meter::{Account, Meter};
use crate::store::{Inserted, StateId, StateTable, hash};

/// This many states that were compared lately are not compared again.
const LATELY: usize = 1 << 12;

/// Which states are equivalent, and at which of them a search may be cut off.
pub trait Equivalence {
    /// Why a state has no canonical form, or the predicate no value. It ends the search.
    type Fault: Clone;

    /// Writes the canonical form of a state: equal for equivalent states.
    fn class(&self, state: &[Word], class: &mut Vec<Word>) -> Result<(), Self::Fault>;

    /// The cut-off predicate: is the class of this state to be remembered?
    fn is_cutoff(&self, state: &[Word]) -> Result<bool, Self::Fault>;
}

/// A state space cut off at states that are equivalent to earlier ones.
pub struct CutOff<'a, S, E: Equivalence> {
    space: &'a S,
    equivalence: &'a E,
    /// Shared by all workers.
    memory: Mutex<Memory<E::Fault>>,
}

/// What is remembered.
struct Memory<Fault> {
    classes: StateTable,
    /// By id: the first state of each class.
    first: StateTable,
    /// Hashes of states that were compared.
    lately: Vec<u64>,
    cut: u64,
    end: Option<End<Fault>>,
    account: Account,
}

/// Why the search is of no use any more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End<Fault> {
    /// Equivalent states have different steps.
    Inconsistent(Inconsistent),
    /// A state has no class.
    NoClass(Fault),
}

/// Buffers for expanding states, and for expanding others to compare them.
pub struct Scratch<Inner> {
    inner: Inner,
    compared: Inner,
    class: Vec<Word>,
}

/// Two equivalent states with different steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inconsistent {
    /// The state that has a step.
    pub with: Vec<Word>,
    /// The event that is this step.
    pub event: u32,
    /// The state that lacks it: none of its steps leads to an equivalent state (or violates the same).
    pub without: Vec<Word>,
}

/// The numbers of a cut-off.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct CutOffStats {
    /// Classes remembered.
    pub classes: u64,
    /// Steps that were left out because they lead to a state of a remembered class.
    pub cut: u64,
}

impl<'a, S: StateSpace<Violation: PartialEq>, E: Equivalence> CutOff<'a, S, E> {
    /// Nothing is remembered.
    pub fn new(space: &'a S, equivalence: &'a E, meter: &Meter) -> Self {
        let memory = Memory {
            classes: StateTable::new(None),
            first: StateTable::new(None),
            lately: vec![0; LATELY],
            cut: 0,
            end: None,
            account: meter.account(),
        };
        CutOff { space, equivalence, memory: Mutex::new(memory) }
    }

    fn memory(&self) -> MutexGuard<'_, Memory<E::Fault>> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The numbers so far.
    pub fn stats(&self) -> CutOffStats {
        let memory = self.memory();
        CutOffStats { classes: u64::from(memory.classes.len()), cut: memory.cut }
    }

    /// Why the equivalence ended the search, if it did.
    pub fn end(&self) -> Option<End<E::Fault>> {
        self.memory().end.clone()
    }

    /// Whether a search goes on at this state. Its class, which is written to `class`, is remembered if the predicate says
    /// so.
    fn admits(&self, state: &[Word], class: &mut Vec<Word>) -> Admission {
        let memory = &mut *self.memory();
        if memory.end.is_some() {
            return Admission::Yes;
        }
        if let Err(fault) = self.equivalence.class(state, class) {
            memory.end = Some(End::NoClass(fault));
            return Admission::Yes;
        }
        let hashed = hash(class);
        if let Some(id) = memory.classes.find(hashed, class) {
            memory.cut += 1;
            return memory.first_to_compare(id, state).map_or(Admission::No, Admission::Compare);
        }
        match self.equivalence.is_cutoff(state) {
            Err(fault) => memory.end = Some(End::NoClass(fault)),
            Ok(false) => {}
            Ok(true) => {
                if let (Inserted::New(_), Inserted::Known(_)) =
                    (memory.classes.insert_hashed(hashed, class), memory.first.insert(state))
                {
                    unreachable!("a state has one class");
                }
                memory.count();
            }
        }
        Admission::Yes
    }

    /// Compares the steps of a state with those of `first`, the first of its class.
    fn compare(
        &self,
        state: &[Word],
        first: &[Word],
        scratch: &mut S::Scratch,
        working: Working<'_>,
    ) -> ControlFlow<()> {
        let (mine, other) = (self.steps(state, scratch, working)?, self.steps(first, scratch, working)?);
        let end = match (mine, other) {
            (Ok(mine), Ok(other)) => match (mine.lacking_in(&other), other.lacking_in(&mine)) {
                (Some(event), _) => End::Inconsistent(Inconsistent::new(event, state, first)),
                (None, Some(event)) => End::Inconsistent(Inconsistent::new(event, first, state)),
                (None, None) => return ControlFlow::Continue(()),
            },
            (Err(fault), _) | (_, Err(fault)) => End::NoClass(fault),
        };
        self.memory().end.get_or_insert(end);
        ControlFlow::Continue(())
    }

    /// The classes that a state has steps to, and what it violates, or why a successor has no class.
    fn steps(
        &self,
        state: &[Word],
        scratch: &mut S::Scratch,
        working: Working<'_>,
    ) -> ControlFlow<(), Result<Steps<S::Violation>, E::Fault>> {
        let mut steps = Steps { classes: Vec::new(), violations: Vec::new() };
        let mut collector = Collector { equivalence: self.equivalence, steps: &mut steps, working, fault: None };
        let end = self.space.expand(state, scratch, &mut collector);
        if let Some(fault) = collector.fault {
            return ControlFlow::Continue(Err(fault));
        }
        end?;
        steps.classes.sort();
        ControlFlow::Continue(Ok(steps))
    }
}

/// Whether a search goes on at a state.
enum Admission {
    /// It does: the class was not remembered.
    Yes,
    /// It does not.
    No,
    /// It does not if the steps of the state are equivalent to those of this one.
    Compare(Vec<Word>),
}

impl<Fault> Memory<Fault> {
    fn count(&mut self) {
        let lately = self.lately.capacity() * size_of::<u64>();
        self.account.set(self.classes.bytes() + self.first.bytes() + lately);
    }

    /// The first state of a class, unless `state` was compared with it lately.
    fn first_to_compare(&mut self, id: StateId, state: &[Word]) -> Option<Vec<Word>> {
        let first = self.first.get(id);
        let hashed = hash(state) | 1;
        let place = &mut self.lately[hashed as usize / 2 % LATELY];
        if first == state || *place == hashed {
            return None;
        }
        *place = hashed;
        Some(first.to_vec())
    }
}

impl Inconsistent {
    fn new(event: u32, with: &[Word], without: &[Word]) -> Self {
        Inconsistent { with: with.to_vec(), event, without: without.to_vec() }
    }
}

/// What happens in a state, each with the number of its event.
struct Steps<V> {
    classes: Vec<(Vec<Word>, u32)>,
    violations: Vec<(V, u32)>,
}

impl<V: PartialEq> Steps<V> {
    /// The first event that has no equal in `other`.
    fn lacking_in(&self, other: &Steps<V>) -> Option<u32> {
        let leads = |class: &Vec<Word>| other.classes.binary_search_by(|(known, _)| known.cmp(class)).is_ok();
        let step = self.classes.iter().find(|(class, _)| !leads(class));
        let violation =
            self.violations.iter().find(|(mine, _)| other.violations.iter().all(|(theirs, _)| mine != theirs));
        step.map(|&(_, event)| event).or(violation.map(|&(_, event)| event))
    }
}

/// Called when an expansion takes long; may end it.
type Working<'a> = &'a mut dyn FnMut(usize) -> ControlFlow<()>;

struct Collector<'a, E: Equivalence, V> {
    equivalence: &'a E,
    steps: &'a mut Steps<V>,
    working: Working<'a>,
    fault: Option<E::Fault>,
}

impl<E: Equivalence, V: Copy> Visit<V> for Collector<'_, E, V> {
    fn successor(&mut self, event: u32, next: &[Word]) -> ControlFlow<()> {
        let mut class = Vec::new();
        if let Err(fault) = self.equivalence.class(next, &mut class) {
            self.fault = Some(fault);
            return ControlFlow::Break(());
        }
        self.steps.classes.push((class, event));
        ControlFlow::Continue(())
    }

    fn violation(&mut self, event: u32, violation: V) -> ControlFlow<()> {
        self.steps.violations.push((violation, event));
        ControlFlow::Continue(())
    }

    fn working(&mut self, bytes: usize) -> ControlFlow<()> {
        (self.working)(bytes)
    }

    fn suffices(&mut self) -> bool {
        false
    }

    fn left_out(&mut self, _: u32) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl<S: StateSpace<Violation: PartialEq>, E: Equivalence> StateSpace for CutOff<'_, S, E> {
    type Violation = S::Violation;
    type Scratch = Scratch<S::Scratch>;

    fn scratch(&self) -> Self::Scratch {
        Scratch { inner: self.space.scratch(), compared: self.space.scratch(), class: Vec::new() }
    }

    fn fixed_words(&self) -> Option<usize> {
        self.space.fixed_words()
    }

    fn word_bits(&self) -> &[u8] {
        self.space.word_bits()
    }

    fn initial(&self) -> Result<Vec<Word>, S::Violation> {
        let initial = self.space.initial()?;
        // It is equivalent to none before it: there is nothing to compare.
        let _ = self.admits(&initial, &mut Vec::new());
        Ok(initial)
    }

    fn expand<V: Visit<S::Violation>>(
        &self,
        state: &[Word],
        scratch: &mut Self::Scratch,
        visit: &mut V,
    ) -> ControlFlow<()> {
        let Scratch { inner, compared, class } = scratch;
        self.space.expand(state, inner, &mut Filter { cut_off: self, compared, class, visit })
    }

    fn gave_up(&self) -> bool {
        self.memory().end.is_some()
    }
}

struct Filter<'a, 's, S: StateSpace, E: Equivalence, V> {
    cut_off: &'a CutOff<'s, S, E>,
    compared: &'a mut S::Scratch,
    class: &'a mut Vec<Word>,
    visit: &'a mut V,
}

impl<S, E, V> Visit<S::Violation> for Filter<'_, '_, S, E, V>
where
    S: StateSpace<Violation: PartialEq>,
    E: Equivalence,
    V: Visit<S::Violation>,
{
    fn successor(&mut self, event: u32, next: &[Word]) -> ControlFlow<()> {
        match self.cut_off.admits(next, self.class) {
            Admission::Yes => return self.visit.successor(event, next),
            Admission::No => {}
            Admission::Compare(first) => {
                self.cut_off.compare(next, &first, self.compared, &mut |bytes| self.visit.working(bytes))?;
            }
        }
        self.visit.left_out(event)
    }

    fn violation(&mut self, event: u32, violation: S::Violation) -> ControlFlow<()> {
        self.visit.violation(event, violation)
    }

    fn suffices(&mut self) -> bool {
        false
    }

    fn left_out(&mut self, event: u32) -> ControlFlow<()> {
        self.visit.left_out(event)
    }

    fn working(&mut self, bytes: usize) -> ControlFlow<()> {
        self.visit.working(bytes)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;
    use crate::hooks::on_states;
    use crate::measure::{Measure, Progress};
    use crate::{Algorithm, Limits, SearchOptions, StopReason, Verdict, check_with};

    /// A finite graph with a counter that grows without bound: each step may add to it, and nothing depends on it save where
    /// `watched` says so.
    struct Endless {
        steps: Vec<Vec<(u32, bool)>>,
        /// The node from which steps are taken only while the counter is small.
        watched: Option<u32>,
    }

    impl StateSpace for Endless {
        type Violation = u32;
        type Scratch = ();

        fn scratch(&self) {}

        fn fixed_words(&self) -> Option<usize> {
            Some(2)
        }

        fn word_bits(&self) -> &[u8] {
            &[]
        }

        fn gave_up(&self) -> bool {
            false
        }

        fn initial(&self) -> Result<Vec<Word>, u32> {
            Ok(vec![0, 0])
        }

        fn expand<V: Visit<u32>>(&self, state: &[Word], (): &mut (), visit: &mut V) -> ControlFlow<()> {
            if self.watched == Some(state[0]) && state[1] > 3 {
                return ControlFlow::Continue(());
            }
            for (event, &(to, counts)) in (0..).zip(&self.steps[state[0] as usize]) {
                visit.successor(event, &[to, state[1] + u32::from(counts)])?;
            }
            ControlFlow::Continue(())
        }
    }

    /// States that differ in the counter are equivalent; all nodes divisible by `every` are remembered.
    struct SameNode {
        every: u32,
    }

    impl Equivalence for SameNode {
        type Fault = ();

        fn class(&self, state: &[Word], class: &mut Vec<Word>) -> Result<(), ()> {
            class.clear();
            class.push(state[0]);
            Ok(())
        }

        fn is_cutoff(&self, state: &[Word]) -> Result<bool, ()> {
            Ok(state[0].is_multiple_of(self.every))
        }
    }

    struct Counter;

    impl Measure for Counter {
        fn has_one_layer(&self) -> bool {
            false
        }

        fn of(&self, state: &[Word]) -> Progress {
            Progress(u128::from(state[1]))
        }
    }

    fn options(algorithm: Algorithm) -> SearchOptions {
        let limits = Limits { max_states: Some(20_000), ..Limits::default() };
        SearchOptions { algorithm, limits, ..SearchOptions::default() }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        /// Every node is seen, as by plain reachability of the graph without its counter.
        #[test]
        fn all_classes_are_seen(steps in prop::collection::vec(prop::collection::vec((0..12u32, any::<bool>()), 0..4), 12)) {
            let space = Endless { steps, watched: None };
            let mut reachable = HashSet::from([0]);
            let mut todo = vec![0];
            while let Some(node) = todo.pop() {
                for &(next, _) in &space.steps[node as usize] {
                    if reachable.insert(next) {
                        todo.push(next);
                    }
                }
            }
            for algorithm in Algorithm::ALL {
                let equivalence = SameNode { every: 1 };
                let cut_off = CutOff::new(&space, &equivalence, &Meter::unlimited());
                let mut seen = on_states(HashSet::new(), |_| true, |state| state[0], |all: &mut HashSet<u32>, node| {
                    all.insert(node);
                });
                let outcome = check_with(&cut_off, &mut Counter, &options(algorithm), &mut seen, &Meter::unlimited());
                prop_assert_eq!(outcome.verdict(), Verdict::Holds, "{:?}", algorithm);
                prop_assert_eq!(&seen.result, &reachable);
                prop_assert_eq!(cut_off.stats().classes, reachable.len() as u64);
                prop_assert_eq!(cut_off.end(), None);
            }
        }
    }

    /// 0 → 1 → 2 → 0, one more each round.
    fn round(watched: Option<u32>) -> Endless {
        Endless { steps: vec![vec![(1, false)], vec![(2, false)], vec![(0, true)]], watched }
    }

    #[test]
    fn one_class_in_a_round_is_enough_and_none_is_too_few() {
        for algorithm in Algorithm::ALL {
            let (space, equivalence) = (round(None), SameNode { every: 3 });
            let cut_off = CutOff::new(&space, &equivalence, &Meter::unlimited());
            let outcome = check_with(&cut_off, &mut Counter, &options(algorithm), &mut (), &Meter::unlimited());
            assert_eq!(outcome.verdict(), Verdict::Holds);
            assert_eq!(outcome.stats.states, 3);
            assert_eq!(cut_off.stats(), CutOffStats { classes: 1, cut: 1 });

            let meter = Meter::unlimited();
            meter.interrupt();
            let plain = check_with(&space, &mut Counter, &options(algorithm), &mut (), &meter);
            assert_eq!(plain.verdict(), Verdict::Stopped(StopReason::Interrupted), "without it there is no end");
        }
    }

    /// The step of the watched node is taken only while the counter is small: two states that are called equivalent
    /// differ in their steps.
    #[test]
    fn a_wrong_equivalence_is_found_out() {
        struct Late;
        impl Equivalence for Late {
            type Fault = ();
            fn class(&self, state: &[Word], class: &mut Vec<Word>) -> Result<(), ()> {
                class.clear();
                // Small counters are told apart.
                class.extend([state[0], state[1].min(3)]);
                Ok(())
            }
            fn is_cutoff(&self, state: &[Word]) -> Result<bool, ()> {
                Ok(state[0] == 1)
            }
        }
        for algorithm in [Algorithm::Bfs, Algorithm::Sweep, Algorithm::ColumnSweep] {
            let space = round(Some(1));
            let cut_off = CutOff::new(&space, &Late, &Meter::unlimited());
            let outcome = check_with(&cut_off, &mut Counter, &options(algorithm), &mut (), &Meter::unlimited());
            assert_eq!(outcome.verdict(), Verdict::Stopped(StopReason::Inconsistent));
            let expected = Inconsistent { with: vec![1, 3], event: 0, without: vec![1, 4] };
            assert_eq!(cut_off.end(), Some(End::Inconsistent(expected)));
        }
    }

    /// Equal steps are not enough: of two states with the same steps only one violates something.
    #[test]
    fn an_equivalence_of_states_that_violate_different_things_is_found_out() {
        struct Fork;
        impl StateSpace for Fork {
            type Violation = u32;
            type Scratch = ();
            fn scratch(&self) {}
            fn fixed_words(&self) -> Option<usize> {
                Some(2)
            }
            fn word_bits(&self) -> &[u8] {
                &[]
            }

            fn gave_up(&self) -> bool {
                false
            }

            fn initial(&self) -> Result<Vec<Word>, u32> {
                Ok(vec![0, 0])
            }
            fn expand<V: Visit<u32>>(&self, state: &[Word], (): &mut (), visit: &mut V) -> ControlFlow<()> {
                match state {
                    [0, _] => {
                        visit.successor(0, &[1, 0])?;
                        visit.successor(1, &[1, 1])
                    }
                    [1, 1] => visit.violation(0, 5),
                    _ => ControlFlow::Continue(()),
                }
            }
        }
        for algorithm in Algorithm::ALL {
            let equivalence = SameNode { every: 1 };
            let cut_off = CutOff::new(&Fork, &equivalence, &Meter::unlimited());
            let outcome = check_with(&cut_off, &mut Counter, &options(algorithm), &mut (), &Meter::unlimited());
            assert_eq!(outcome.verdict(), Verdict::Stopped(StopReason::Inconsistent), "{algorithm:?}");
            let expected = Inconsistent { with: vec![1, 1], event: 0, without: vec![1, 0] };
            assert_eq!(cut_off.end(), Some(End::Inconsistent(expected)), "{algorithm:?}");
        }
    }

    #[test]
    fn what_is_remembered_counts_as_memory() {
        struct Nothing;
        impl Equivalence for Nothing {
            type Fault = ();
            fn class(&self, state: &[Word], class: &mut Vec<Word>) -> Result<(), ()> {
                class.clear();
                class.extend_from_slice(state);
                Ok(())
            }
            fn is_cutoff(&self, _: &[Word]) -> Result<bool, ()> {
                Ok(true)
            }
        }
        let meter = Meter::unlimited().with_max_bytes(Some(4 << 20));
        let options = SearchOptions { algorithm: Algorithm::ColumnSweep, traces: false, ..Default::default() };
        let space = round(None);
        let cut_off = CutOff::new(&space, &Nothing, &meter);
        let outcome = check_with(&cut_off, &mut Counter, &options, &mut (), &meter);
        assert_eq!(outcome.stopped, Some(StopReason::Memory));
        assert!(outcome.stats.peak_bytes > 2 << 20, "{:?}", outcome.stats);
    }
}
