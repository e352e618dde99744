//! Wide states in two words: pairs of words get a name, pairs of names another, and so on until one pair is left.
//!
//! States have much in common, so there are few names: a state costs its last pair and seldom more. `Folded` is a state
//! space whose states are such pairs; a search over it stores, hashes and compares two words, whatever it is a search
//! of. Names are only ever added, and equal states have equal names, so two folded states are equal if and only if the
//! states are. A successor shares most names with the state it comes from: only what has changed is looked up.
//! States of different lengths also keep their length.
//! Laarman, van de Pol and Weber, "Parallel Recursive State Compression for Free", SPIN 2011.

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;

use interp::space::{StateSpace, Visit, Word};

use crate::control::Stats;
use crate::observer::{Observer, Step, Ways};
use crate::store::{Inserted, Layer, StateId};

/// States of fewer words are stored as they are: names would cost more than they save.
const LEAST_WORDS: usize = 4;

/// A state space with its states folded.
pub(crate) struct Folded<'s, S> {
    space: &'s S,
    /// The pairs that have names: the name is the number.
    names: RefCell<Layer>,
    /// Words of the longest state so far.
    longest: Cell<usize>,
}

impl<'s, S: StateSpace> Folded<'s, S> {
    /// The states of `space` folded, if that pays.
    pub(crate) fn new(space: &'s S) -> Option<Self> {
        let pays = space.fixed_words().is_none_or(|words| words >= LEAST_WORDS);
        pays.then(|| Folded { space, names: RefCell::new(Layer::new(Some(2))), longest: Cell::new(0) })
    }

    /// Words of the longest state so far.
    pub(crate) fn longest(&self) -> usize {
        self.longest.get()
    }

    /// Makes `tree`, which holds a state, the tree of its names, and returns the folded state. `known` is the tree of
    /// another state, perhaps a similar one.
    fn fold(&self, tree: &mut Vec<Word>, known: &[Word], known_words: usize) -> [Word; 3] {
        let words = tree.len();
        if words > self.longest.get() {
            self.longest.set(words);
        }
        let known = if words == known_words { known } else { &[] };
        let mut names = self.names.borrow_mut();
        let (mut start, mut len) = (0, words);
        while len > 2 {
            for at in (start..start + len - 1).step_by(2) {
                let pair = [tree[at], tree[at + 1]];
                let name = match known.get(tree.len()) {
                    Some(&name) if known[at] == pair[0] && known[at + 1] == pair[1] => name,
                    _ => match names.insert(&pair) {
                        Inserted::New(StateId(name)) | Inserted::Known(StateId(name)) => name,
                    },
                };
                tree.push(name);
            }
            if len % 2 == 1 {
                tree.push(tree[start + len - 1]);
            }
            (start, len) = (start + len, len.div_ceil(2));
        }
        let top = |nth: usize| tree.get(start + nth).copied().unwrap_or(0);
        [top(0), top(1), words as Word]
    }

    /// Makes `tree` the tree of names of a folded state: the state comes first, and this many words long.
    fn unfold(&self, folded: &[Word], tree: &mut Vec<Word>) -> usize {
        let words = self.space.fixed_words().unwrap_or_else(|| folded[2] as usize);
        // Where each level of the tree begins, and how long it is; a state has less than 2^32 words.
        let mut levels = [(0, words); 33];
        let mut top = 0;
        while levels[top].1 > 2 {
            let (start, len) = levels[top];
            levels[top + 1] = (start + len, len.div_ceil(2));
            top += 1;
        }
        let (start, len) = levels[top];
        tree.clear();
        tree.resize(start + len, 0);
        tree[start..].copy_from_slice(&folded[..len]);
        let names = self.names.borrow();
        for level in (0..top).rev() {
            let ((start, len), (above, _)) = (levels[level], levels[level + 1]);
            for nth in 0..len / 2 {
                let pair = names.get(StateId(tree[above + nth]));
                tree[start + 2 * nth..][..2].copy_from_slice(pair);
            }
            if len % 2 == 1 {
                tree[start + len - 1] = tree[above + len / 2];
            }
        }
        words
    }

    /// Words of every folded state.
    fn folded_words(&self) -> usize {
        if self.space.fixed_words().is_some() { 2 } else { 3 }
    }
}

/// Buffers: trees of the state that is expanded and of its successor at hand.
pub(crate) struct Buffers<Inner> {
    inner: Inner,
    state: Vec<Word>,
    next: Vec<Word>,
}

impl<S: StateSpace> StateSpace for Folded<'_, S> {
    type Violation = S::Violation;
    type Scratch = Buffers<S::Scratch>;

    fn scratch(&self) -> Self::Scratch {
        Buffers { inner: self.space.scratch(), state: Vec::new(), next: Vec::new() }
    }

    fn fixed_words(&self) -> Option<usize> {
        Some(self.folded_words())
    }

    fn initial(&self) -> Result<Vec<Word>, S::Violation> {
        let mut tree = self.space.initial()?;
        Ok(self.fold(&mut tree, &[], 0)[..self.folded_words()].to_vec())
    }

    fn bytes(&self) -> usize {
        self.names.borrow().bytes()
    }

    fn expand<V: Visit<S::Violation>>(
        &self,
        state: &[Word],
        scratch: &mut Self::Scratch,
        visit: &mut V,
    ) -> ControlFlow<()> {
        let Buffers { inner, state: tree, next } = scratch;
        let words = self.unfold(state, tree);
        let mut folding = Folding { folded: self, tree, words, next, visit };
        self.space.expand(&tree[..words], inner, &mut folding)
    }
}

/// Folds successors on their way to the search.
struct Folding<'f, 's, S, V> {
    folded: &'f Folded<'s, S>,
    tree: &'f [Word],
    words: usize,
    next: &'f mut Vec<Word>,
    visit: &'f mut V,
}

impl<S: StateSpace, V: Visit<S::Violation>> Visit<S::Violation> for Folding<'_, '_, S, V> {
    #[inline]
    fn successor(&mut self, event: u32, next: &[Word]) -> ControlFlow<()> {
        self.next.clear();
        self.next.extend_from_slice(next);
        let folded = self.folded.fold(self.next, self.tree, self.words);
        self.visit.successor(event, &folded[..self.folded.folded_words()])
    }

    fn violation(&mut self, event: u32, violation: S::Violation) -> ControlFlow<()> {
        self.visit.violation(event, violation)
    }
}

/// Shows an observer the states as they are.
pub(crate) struct Unfolding<'f, 's, S, O> {
    folded: &'f Folded<'s, S>,
    observer: &'f mut O,
    tree: Vec<Word>,
    other: Vec<Word>,
}

impl<'f, 's, S: StateSpace, O: Observer> Unfolding<'f, 's, S, O> {
    pub(crate) fn new(folded: &'f Folded<'s, S>, observer: &'f mut O) -> Self {
        Unfolding { folded, observer, tree: Vec::new(), other: Vec::new() }
    }
}

impl<S: StateSpace, O: Observer> Observer for Unfolding<'_, '_, S, O> {
    const WATCHES_STEPS: bool = O::WATCHES_STEPS;

    #[inline]
    fn discovered(&mut self, state: &[Word], stats: &Stats) {
        let words = if self.observer.looks() { self.folded.unfold(state, &mut self.tree) } else { 0 };
        self.observer.discovered(&self.tree[..words], stats);
    }

    #[inline]
    fn expanding(&mut self, state: &[Word], stats: &Stats) {
        let words = if self.observer.looks() { self.folded.unfold(state, &mut self.tree) } else { 0 };
        self.observer.expanding(&self.tree[..words], stats);
    }

    fn step(&mut self, step: Step<'_>, stats: &Stats) {
        let from = self.folded.unfold(step.from, &mut self.tree);
        let to = self.folded.unfold(step.to, &mut self.other);
        let step = Step { from: &self.tree[..from], event: step.event, to: &self.other[..to] };
        self.observer.step(step, stats);
    }

    fn dead(&mut self, state: &[Word], number: u64, stats: &Stats) {
        let words = self.folded.unfold(state, &mut self.tree);
        self.observer.dead(&self.tree[..words], number, stats);
    }

    fn tick(&mut self, stats: &Stats) {
        self.observer.tick(stats);
    }

    fn finished(&mut self, ways: &mut Ways<'_>) {
        self.observer.finished(ways);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A space without steps, of states of any length or of one.
    struct Words(Option<usize>);

    impl StateSpace for Words {
        type Violation = ();
        type Scratch = ();

        fn scratch(&self) {}

        fn fixed_words(&self) -> Option<usize> {
            self.0
        }

        fn initial(&self) -> Result<Vec<Word>, ()> {
            Ok(vec![0; self.0.unwrap_or(0)])
        }

        fn expand<V: Visit<()>>(&self, _: &[Word], _: &mut (), _: &mut V) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }
    }

    /// Folds each state, with the one before it as the similar one, and unfolds it again.
    fn there_and_back(fixed: Option<usize>, states: &[Vec<Word>]) {
        let space = Words(fixed);
        let folded = Folded::new(&space).expect("wide states are folded");
        let (mut known, mut known_words, mut back) = (Vec::new(), 0, Vec::new());
        let mut seen = std::collections::HashMap::new();
        for state in states {
            let mut tree = state.clone();
            let small = folded.fold(&mut tree, &known, known_words)[..folded.folded_words()].to_vec();
            assert_eq!(seen.entry(state.clone()).or_insert_with(|| small.clone()), &small);
            let words = folded.unfold(&small, &mut back);
            assert_eq!(&back[..words], state.as_slice());
            assert_eq!(back, tree);
            (known, known_words) = (tree, state.len());
        }
        let distinct: std::collections::HashSet<_> = seen.values().collect();
        assert_eq!(distinct.len(), seen.len());
    }

    proptest! {
        #[test]
        fn fixed_length(states in (4..40usize).prop_flat_map(|n| prop::collection::vec(prop::collection::vec(0..3u32, n), 1..60))) {
            there_and_back(Some(states[0].len()), &states);
        }

        #[test]
        fn any_length(states in prop::collection::vec(prop::collection::vec(0..2u32, 0..20), 1..60)) {
            there_and_back(None, &states);
        }
    }

    #[test]
    fn narrow_states_are_left_alone() {
        assert!(Folded::new(&Words(Some(2))).is_none());
    }
}
