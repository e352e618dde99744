//! Equivalence cut-off: a state is not looked at if one that is equivalent to it has been.
//!
//! For systems whose progress never ends, and whose states differ for ever in nothing else. The class of every state
//! that satisfies a cut-off predicate is remembered; a new state whose class is remembered is left out. Around any state
//! space, for any search: states in between are stored and forgotten as ever.
//! Invariant: a state whose class is remembered has been handed to the search, so it is or will be expanded. If
//! equivalent states have equivalent steps, what is left out shows nothing new. That is not believed but looked at: when
//! a class is met again by another state, the classes of the successors are compared, and a difference ends the search
//! (`StopReason::Inconsistent`). If the predicate is not true again and again on every endless run, the search may not
//! end; the limits count what is remembered.
//!
//! Mailund, "Equivalence Based Cut-off in the Sweep-Line Method", 2001, Fig. 3.

use std::cell::RefCell;
use std::ops::ControlFlow;

use statespace::{StateSpace, Visit, Word};

use crate::store::{Inserted, StateId, StateTable, hash};

/// So many states that were compared lately are not compared again.
const LATELY: usize = 1 << 12;

/// Which states are equivalent, and at which of them a search may be cut off.
pub trait Equivalence {
    /// Writes the canonical form of a state: equal for equivalent states. `false` if there is none; that ends the search.
    fn class(&self, state: &[Word], class: &mut Vec<Word>) -> bool;

    /// The cut-off predicate: is the class of this state to be remembered? `None` if it has no value; that ends the
    /// search.
    fn is_cutoff(&self, state: &[Word]) -> Option<bool>;
}

/// A state space cut off at states that are equivalent to earlier ones.
pub struct CutOff<'a, S: StateSpace, E> {
    space: &'a S,
    equivalence: &'a E,
    memory: RefCell<Memory<S::Scratch>>,
}

/// What is remembered.
struct Memory<Scratch> {
    classes: StateTable,
    /// By id: the first state of each class.
    first: StateTable,
    /// Hashes of states that were compared.
    lately: Vec<u64>,
    cut: u64,
    ended: bool,
    found: Option<Inconsistent>,
    class: Vec<Word>,
    scratch: Scratch,
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
    pub fn new(space: &'a S, equivalence: &'a E) -> Self {
        let memory = Memory {
            classes: StateTable::new(None),
            first: StateTable::new(None),
            lately: vec![0; LATELY],
            cut: 0,
            ended: false,
            found: None,
            class: Vec::new(),
            scratch: space.scratch(),
        };
        CutOff { space, equivalence, memory: RefCell::new(memory) }
    }

    /// The numbers so far.
    pub fn stats(&self) -> CutOffStats {
        let memory = self.memory.borrow();
        CutOffStats { classes: u64::from(memory.classes.len()), cut: memory.cut }
    }

    /// What ended the search, if it was the equivalence.
    pub fn inconsistent(&self) -> Option<Inconsistent> {
        self.memory.borrow().found.clone()
    }

    /// Whether a search goes on at this state. Its class is remembered if the predicate says so. `working` hears of states
    /// that are expanded for it.
    fn admits(&self, state: &[Word], working: Working<'_>) -> ControlFlow<(), bool> {
        let memory = &mut *self.memory.borrow_mut();
        if memory.ended {
            return ControlFlow::Continue(true);
        }
        let Memory { classes, class, .. } = memory;
        if !self.equivalence.class(state, class) {
            memory.ended = true;
            return ControlFlow::Continue(true);
        }
        let hashed = hash(class);
        if let Some(id) = classes.find(hashed, class) {
            memory.cut += 1;
            self.compare(memory, id, state, working)?;
            return ControlFlow::Continue(false);
        }
        match self.equivalence.is_cutoff(state) {
            None => memory.ended = true,
            Some(false) => {}
            Some(true) => {
                if let (Inserted::New(_), Inserted::Known(_)) =
                    (classes.insert_hashed(hashed, class), memory.first.insert(state))
                {
                    unreachable!("a state has one class");
                }
            }
        }
        ControlFlow::Continue(true)
    }

    /// Compares the steps of a state with those of the first of its class.
    fn compare(
        &self,
        memory: &mut Memory<S::Scratch>,
        id: StateId,
        state: &[Word],
        working: Working<'_>,
    ) -> ControlFlow<()> {
        let Memory { first, lately, scratch, .. } = memory;
        let first = first.get(id);
        let hashed = hash(state) | 1;
        let place = &mut lately[hashed as usize / 2 % LATELY];
        if first == state || *place == hashed {
            return ControlFlow::Continue(());
        }
        *place = hashed;
        let (mine, other) = (self.steps(state, scratch, working)?, self.steps(first, scratch, working)?);
        let (Some(mine), Some(other)) = (mine, other) else {
            memory.ended = true;
            return ControlFlow::Continue(());
        };
        let inconsistent = |event, with: &[Word], without: &[Word]| Inconsistent {
            with: with.to_vec(),
            event,
            without: without.to_vec(),
        };
        memory.found = match (mine.lacking_in(&other), other.lacking_in(&mine)) {
            (Some(event), _) => Some(inconsistent(event, state, first)),
            (None, Some(event)) => Some(inconsistent(event, first, state)),
            (None, None) => return ControlFlow::Continue(()),
        };
        memory.ended = true;
        ControlFlow::Continue(())
    }

    /// The classes that a state has steps to, and what it violates; `None` if a successor has no class.
    fn steps(
        &self,
        state: &[Word],
        scratch: &mut S::Scratch,
        working: Working<'_>,
    ) -> ControlFlow<(), Option<Steps<S::Violation>>> {
        let mut steps = Steps { classes: Vec::new(), violations: Vec::new() };
        let mut collector = Collector { equivalence: self.equivalence, steps: &mut steps, working, stopped: false };
        let complete = self.space.expand(state, scratch, &mut collector).is_continue();
        if collector.stopped {
            return ControlFlow::Break(());
        }
        steps.classes.sort();
        ControlFlow::Continue(complete.then_some(steps))
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

/// Who is told that an expansion goes on for long, and may end it.
type Working<'a> = &'a mut dyn FnMut(usize) -> ControlFlow<()>;

struct Collector<'a, E, V> {
    equivalence: &'a E,
    steps: &'a mut Steps<V>,
    working: Working<'a>,
    /// It was ended.
    stopped: bool,
}

impl<E: Equivalence, V: Copy> Visit<V> for Collector<'_, E, V> {
    fn successor(&mut self, event: u32, next: &[Word]) -> ControlFlow<()> {
        let mut class = Vec::new();
        if !self.equivalence.class(next, &mut class) {
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
        let answer = (self.working)(bytes);
        self.stopped = answer.is_break();
        answer
    }
}

impl<S: StateSpace<Violation: PartialEq>, E: Equivalence> StateSpace for CutOff<'_, S, E> {
    type Violation = S::Violation;
    type Scratch = S::Scratch;

    fn scratch(&self) -> S::Scratch {
        self.space.scratch()
    }

    fn fixed_words(&self) -> Option<usize> {
        self.space.fixed_words()
    }

    fn initial(&self) -> Result<Vec<Word>, S::Violation> {
        let initial = self.space.initial()?;
        // The first state is equivalent to none before it: nothing is expanded.
        let _ = self.admits(&initial, &mut |_| ControlFlow::Continue(()));
        Ok(initial)
    }

    fn expand<V: Visit<S::Violation>>(
        &self,
        state: &[Word],
        scratch: &mut S::Scratch,
        visit: &mut V,
    ) -> ControlFlow<()> {
        self.space.expand(state, scratch, &mut Filter { cut_off: self, visit })
    }

    fn bytes(&self) -> usize {
        self.space.bytes()
    }

    fn kept(&self) -> Option<usize> {
        let memory = self.memory.borrow();
        (!memory.ended).then(|| memory.classes.bytes() + memory.first.bytes() + memory.lately.capacity() * 8)
    }
}

struct Filter<'a, 's, S: StateSpace, E, V> {
    cut_off: &'a CutOff<'s, S, E>,
    visit: &'a mut V,
}

impl<S, E, V> Visit<S::Violation> for Filter<'_, '_, S, E, V>
where
    S: StateSpace<Violation: PartialEq>,
    E: Equivalence,
    V: Visit<S::Violation>,
{
    fn successor(&mut self, event: u32, next: &[Word]) -> ControlFlow<()> {
        match self.cut_off.admits(next, &mut |bytes| self.visit.working(bytes))? {
            true => self.visit.successor(event, next),
            false => self.visit.left_out(event),
        }
    }

    fn violation(&mut self, event: u32, violation: S::Violation) -> ControlFlow<()> {
        self.visit.violation(event, violation)
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
    use std::sync::atomic::AtomicBool;

    use proptest::prelude::*;

    use super::*;
    use crate::hooks::on_states;
    use crate::measure::{Measure, Progress};
    use crate::{Algorithm, Limits, SearchOptions, StopReason, Verdict, check_with};

    /// A finite graph that goes on for ever: each step may add to a counter that nothing depends on, save where
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
        fn class(&self, state: &[Word], class: &mut Vec<Word>) -> bool {
            class.clear();
            class.push(state[0]);
            true
        }

        fn is_cutoff(&self, state: &[Word]) -> Option<bool> {
            Some(state[0].is_multiple_of(self.every))
        }
    }

    struct Counter;

    impl Measure for Counter {
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
                let cut_off = CutOff::new(&space, &equivalence);
                let mut seen = on_states(HashSet::new(), |_| true, |state| state[0], |all: &mut HashSet<u32>, node| {
                    all.insert(node);
                });
                let outcome = check_with(&cut_off, &mut Counter, &options(algorithm), &mut seen, &AtomicBool::new(false));
                prop_assert_eq!(outcome.verdict(), Verdict::Holds, "{:?}", algorithm);
                prop_assert_eq!(&seen.result, &reachable);
                prop_assert_eq!(cut_off.stats().classes, reachable.len() as u64);
                prop_assert_eq!(cut_off.inconsistent(), None);
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
            let cut_off = CutOff::new(&space, &equivalence);
            let outcome = check_with(&cut_off, &mut Counter, &options(algorithm), &mut (), &AtomicBool::new(false));
            assert_eq!(outcome.verdict(), Verdict::Holds);
            assert_eq!(outcome.stats.states, 3);
            assert_eq!(cut_off.stats(), CutOffStats { classes: 1, cut: 1 });

            let plain = check_with(&space, &mut Counter, &options(algorithm), &mut (), &AtomicBool::new(true));
            assert_eq!(plain.verdict(), Verdict::Stopped(StopReason::Interrupted), "without it there is no end");
        }
    }

    /// The step of the watched node is taken only while the counter is small: two states that are called equivalent
    /// differ in their steps.
    #[test]
    fn a_wrong_equivalence_is_found_out() {
        struct Late;
        impl Equivalence for Late {
            fn class(&self, state: &[Word], class: &mut Vec<Word>) -> bool {
                class.clear();
                // Small counters are told apart.
                class.extend([state[0], state[1].min(3)]);
                true
            }
            fn is_cutoff(&self, state: &[Word]) -> Option<bool> {
                Some(state[0] == 1)
            }
        }
        for algorithm in [Algorithm::Bfs, Algorithm::Sweep, Algorithm::ColumnSweep] {
            let space = round(Some(1));
            let cut_off = CutOff::new(&space, &Late);
            let outcome = check_with(&cut_off, &mut Counter, &options(algorithm), &mut (), &AtomicBool::new(false));
            assert_eq!(outcome.verdict(), Verdict::Stopped(StopReason::Inconsistent));
            let expected = Inconsistent { with: vec![1, 3], event: 0, without: vec![1, 4] };
            assert_eq!(cut_off.inconsistent(), Some(expected));
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
            let cut_off = CutOff::new(&Fork, &equivalence);
            let outcome = check_with(&cut_off, &mut Counter, &options(algorithm), &mut (), &AtomicBool::new(false));
            assert_eq!(outcome.verdict(), Verdict::Stopped(StopReason::Inconsistent), "{algorithm:?}");
            let expected = Inconsistent { with: vec![1, 1], event: 0, without: vec![1, 0] };
            assert_eq!(cut_off.inconsistent(), Some(expected), "{algorithm:?}");
        }
    }

    #[test]
    fn what_is_remembered_counts_as_memory() {
        struct Nothing;
        impl Equivalence for Nothing {
            fn class(&self, state: &[Word], class: &mut Vec<Word>) -> bool {
                class.clear();
                class.extend_from_slice(state);
                true
            }
            fn is_cutoff(&self, _: &[Word]) -> Option<bool> {
                Some(true)
            }
        }
        let limits = Limits { max_bytes: Some(4 << 20), ..Limits::default() };
        let options = SearchOptions { algorithm: Algorithm::ColumnSweep, limits, traces: false, ..Default::default() };
        let space = round(None);
        let cut_off = CutOff::new(&space, &Nothing);
        let outcome = check_with(&cut_off, &mut Counter, &options, &mut (), &AtomicBool::new(false));
        assert_eq!(outcome.stopped, Some(StopReason::Memory));
        assert!(outcome.stats.peak_bytes > 2 << 20, "{:?}", outcome.stats);
    }
}
