//! Wide states in a few words: each part of a state gets a name, parts of the list of names again if it is long, and so on
//! until a short list is left.
//!
//! States have much in common, so there are few names: a state costs its list and seldom more. `TreeCompressed` is a state space
//! whose states are such lists; a search over it stores, hashes and compares a few words, whatever it is a search of.
//! Names are only ever added, and equal states have equal names, so two folded states are equal if and only if the states
//! are. A successor shares most names with the state it comes from: only what has changed is looked up.
//! States of different lengths also keep their length.
//! Holzmann, "State Compression in SPIN: Recursive Indexing and Compression Training Runs", SPIN 1997; Laarman, van de Pol
//! and Weber, "Parallel Recursive State Compression for Free", SPIN 2011.

use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};

use statespace::{StateSpace, Visit, Word};

use crate::control::Stats;
use crate::meter::{Account, Meter};
use crate::observer::{Observer, Paths, Step};
use crate::store::{Inserted, StateId, StateTable, hash};

/// Words of a part.
const PART: usize = 4;
/// States of no more words are stored as they are: names would cost more than they save.
const NARROW: usize = 5;
/// A list of so many names is short.
const SHORT: usize = 16;

/// A state space with its states folded.
pub(crate) struct TreeCompressed<'s, S> {
    space: &'s S,
    /// Shared by all workers.
    names: Mutex<Names>,
}

impl<'s, S: StateSpace> TreeCompressed<'s, S> {
    /// The states of `space` folded, if that pays.
    pub(crate) fn new(space: &'s S, meter: &Meter) -> Option<Self> {
        let pays = space.fixed_words().is_none_or(|words| words > NARROW);
        pays.then(|| TreeCompressed { space, names: Mutex::new(Names::new(meter)) })
    }

    fn names(&self) -> MutexGuard<'_, Names> {
        // A table that was left in the middle of an insertion is still searched: the panic is no verdict anyway.
        self.names.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Words of the longest state so far.
    pub(crate) fn longest(&self) -> usize {
        self.names().longest
    }

    /// Makes `tree` the names of all parts of a state, then those of the parts of these names, and so on; returns where
    /// the last list begins. `known` is the same for another state, perhaps a similar one.
    fn fold(&self, state: &[Word], tree: &mut Vec<Word>, known: &Tree) -> usize {
        let known = if known.state.len() == state.len() { known } else { &Tree::default() };
        let mut names = self.names();
        names.longest = names.longest.max(state.len());
        tree.clear();
        names_of(state, &known.state, &known.names, &mut names, tree);
        let (mut start, mut len) = (0, tree.len());
        while len > SHORT {
            let list = tree[start..].to_vec();
            let (same, named) = match known.names.split_at_checked(start + len) {
                Some((lists, named)) => (&lists[start..], named),
                None => (&[][..], &[][..]),
            };
            names_of(&list, same, named, &mut names, tree);
            (start, len) = (start + len, tree.len() - start - len);
        }
        start
    }

    /// Makes `tree` the state and the names of a folded state.
    fn unfold(&self, folded: &[Word], tree: &mut Tree) {
        let (words, last) = match self.space.fixed_words() {
            Some(words) => (words, folded),
            None => (folded[0] as usize, &folded[1..]),
        };
        // Where each list of names begins, and how long it is; a state has less than 2^32 words.
        let (mut lists, mut count) = ([(0, words.div_ceil(PART)); 17], 1);
        while lists[count - 1].1 > SHORT {
            let (start, len) = lists[count - 1];
            lists[count] = (start + len, len.div_ceil(PART));
            count += 1;
        }
        let (start, len) = lists[count - 1];
        tree.names.clear();
        tree.names.resize(start, 0);
        tree.names.extend_from_slice(&last[..len]);
        let names = self.names();
        for list in (1..count).rev() {
            let ((start, len), (above, _)) = (lists[list - 1], lists[list]);
            let (lower, upper) = tree.names.split_at_mut(above);
            for (part, &name) in lower[start..start + len].chunks_mut(PART).zip(upper.iter()) {
                part.copy_from_slice(&names.scc(name)[..part.len()]);
            }
        }
        tree.state.clear();
        for &name in &tree.names[..words.div_ceil(PART)] {
            tree.state.extend_from_slice(names.scc(name));
        }
        tree.state.truncate(words);
    }

    /// What is stored of a state: its length, unless all have the same, and the last list of its names.
    fn folded(&self, words: usize, list: &[Word], folded: &mut Vec<Word>) {
        folded.clear();
        if self.space.fixed_words().is_none() {
            folded.push(words as Word);
        }
        folded.extend_from_slice(list);
    }
}

/// Appends the names of all parts of `list`. `named` has those of `known`, which may be similar.
#[inline]
fn names_of(list: &[Word], known: &[Word], named: &[Word], names: &mut Names, tree: &mut Vec<Word>) {
    let (parts, rest) = list.as_chunks::<PART>();
    let (known_parts, known_rest) = known.as_chunks::<PART>();
    for (nth, part) in parts.iter().enumerate() {
        tree.push(match known_parts.get(nth) {
            Some(known) if known == part => named[nth],
            _ => names.name(part),
        });
    }
    if !rest.is_empty() {
        let is_known = known_parts.len() == parts.len() && known_rest == rest;
        tree.push(if is_known {
            named[parts.len()]
        } else {
            let mut part = [0; PART];
            part[..rest.len()].copy_from_slice(rest);
            names.name(&part)
        });
    }
}

/// The parts that have names.
struct Names {
    /// The name of a part is its number.
    parts: StateTable,
    /// Parts asked for lately, with their names.
    recent: Vec<([Word; PART], Word)>,
    /// Words of the longest state so far.
    longest: usize,
    account: Account,
}

/// Binary logarithm of the number of parts asked for lately that are kept.
const RECENT_LOG2: u32 = 12;

impl Names {
    fn new(meter: &Meter) -> Self {
        Names { parts: StateTable::new(Some(PART)), recent: Vec::new(), longest: 0, account: meter.account() }
    }

    fn count(&mut self) {
        self.account.set(self.parts.bytes() + self.recent.capacity() * size_of::<([Word; PART], Word)>());
    }

    fn scc(&self, name: Word) -> &[Word] {
        self.parts.get(StateId(name))
    }

    /// The name of a part, perhaps a new one.
    #[inline]
    fn name(&mut self, part: &[Word; PART]) -> Word {
        let hash = hash(part);
        let at = (hash >> (u64::BITS - RECENT_LOG2)) as usize;
        match self.recent.get(at) {
            Some((known, name)) if known == part => return *name,
            Some(_) => {}
            None => {
                // The first part is its own example: all entries are right.
                self.parts.insert(part);
                self.recent = vec![(*part, 0); 1 << RECENT_LOG2];
            }
        }
        let name = match self.parts.insert_hashed(hash, part) {
            Inserted::Known(StateId(name)) => name,
            Inserted::New(StateId(name)) => {
                self.count();
                name
            }
        };
        self.recent[at] = (*part, name);
        name
    }
}

/// A state and all its names.
#[derive(Default)]
struct Tree {
    state: Vec<Word>,
    names: Vec<Word>,
}

/// Buffers: the state that is expanded, and the names of its successor at hand.
pub(crate) struct Buffers<Inner> {
    inner: Inner,
    state: Tree,
    next: Vec<Word>,
    folded: Vec<Word>,
}

impl<S: StateSpace> StateSpace for TreeCompressed<'_, S> {
    type Violation = S::Violation;
    type Scratch = Buffers<S::Scratch>;

    fn scratch(&self) -> Self::Scratch {
        Buffers { inner: self.space.scratch(), state: Tree::default(), next: Vec::new(), folded: Vec::new() }
    }

    fn fixed_words(&self) -> Option<usize> {
        let mut words = self.space.fixed_words()?.div_ceil(PART);
        while words > SHORT {
            words = words.div_ceil(PART);
        }
        Some(words)
    }

    fn word_bits(&self) -> &[u8] {
        // An index may need all bits of its word.
        &[]
    }

    fn gave_up(&self) -> bool {
        self.space.gave_up()
    }

    fn initial(&self) -> Result<Vec<Word>, S::Violation> {
        let state = self.space.initial()?;
        let (mut names, mut folded) = (Vec::new(), Vec::new());
        let start = self.fold(&state, &mut names, &Tree::default());
        self.folded(state.len(), &names[start..], &mut folded);
        Ok(folded)
    }

    fn expand<V: Visit<S::Violation>>(
        &self,
        state: &[Word],
        scratch: &mut Self::Scratch,
        visit: &mut V,
    ) -> ControlFlow<()> {
        let Buffers { inner, state: tree, next, folded } = scratch;
        self.unfold(state, tree);
        self.space.expand(&tree.state, inner, &mut Folding { space: self, tree, next, folded, visit })
    }
}

/// Folds successors on their way to the search.
struct Folding<'f, 's, S, V> {
    space: &'f TreeCompressed<'s, S>,
    tree: &'f Tree,
    next: &'f mut Vec<Word>,
    folded: &'f mut Vec<Word>,
    visit: &'f mut V,
}

impl<S: StateSpace, V: Visit<S::Violation>> Visit<S::Violation> for Folding<'_, '_, S, V> {
    #[inline]
    fn successor(&mut self, event: u32, next: &[Word]) -> ControlFlow<()> {
        let start = self.space.fold(next, self.next, self.tree);
        self.space.folded(next.len(), &self.next[start..], self.folded);
        self.visit.successor(event, self.folded)
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

/// Shows an observer the states as they are.
pub(crate) struct Unfolding<'f, 's, S, O> {
    folded: &'f TreeCompressed<'s, S>,
    observer: &'f mut O,
    tree: Tree,
    other: Tree,
}

impl<'f, 's, S: StateSpace, O: Observer> Unfolding<'f, 's, S, O> {
    pub(crate) fn new(folded: &'f TreeCompressed<'s, S>, observer: &'f mut O) -> Self {
        Unfolding { folded, observer, tree: Tree::default(), other: Tree::default() }
    }
}

impl<S: StateSpace, O: Observer> Observer for Unfolding<'_, '_, S, O> {
    const WATCHES_STEPS: bool = O::WATCHES_STEPS;

    #[inline]
    fn discovered(&mut self, state: &[Word], stats: &Stats) {
        if self.observer.looks() {
            self.folded.unfold(state, &mut self.tree);
        }
        self.observer.discovered(&self.tree.state, stats);
    }

    #[inline]
    fn expanding(&mut self, state: &[Word], stats: &Stats) {
        if self.observer.looks() {
            self.folded.unfold(state, &mut self.tree);
        }
        self.observer.expanding(&self.tree.state, stats);
    }

    fn step(&mut self, step: Step<'_>, stats: &Stats) {
        self.folded.unfold(step.from, &mut self.tree);
        self.folded.unfold(step.to, &mut self.other);
        self.observer.step(Step { from: &self.tree.state, event: step.event, to: &self.other.state }, stats);
    }

    fn dead(&mut self, state: &[Word], number: u64, stats: &Stats) {
        self.folded.unfold(state, &mut self.tree);
        self.observer.dead(&self.tree.state, number, stats);
    }

    fn tick(&mut self, stats: &Stats) {
        self.observer.tick(stats);
    }

    fn finished(&mut self, ways: &mut Paths<'_>) {
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

        fn word_bits(&self) -> &[u8] {
            &[]
        }

        fn gave_up(&self) -> bool {
            false
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
        let folded = TreeCompressed::new(&space, &Meter::unlimited()).expect("wide states are folded");
        let mut known = Tree::default();
        let mut seen = std::collections::HashMap::new();
        for state in states {
            let (mut names, mut small) = (Vec::new(), Vec::new());
            let start = folded.fold(state, &mut names, &known);
            folded.folded(state.len(), &names[start..], &mut small);
            assert!(folded.fixed_words().is_none_or(|words| words == small.len()));
            assert_eq!(seen.entry(state.clone()).or_insert_with(|| small.clone()), &small);
            let mut back = Tree::default();
            folded.unfold(&small, &mut back);
            assert_eq!(back.state, *state);
            assert_eq!(back.names, names);
            known = back;
        }
        let distinct: std::collections::HashSet<_> = seen.values().collect();
        assert_eq!(distinct.len(), seen.len());
    }

    proptest! {
        #[test]
        fn fixed_length(states in (6..300usize).prop_flat_map(|n| prop::collection::vec(prop::collection::vec(0..3u32, n), 1..40))) {
            there_and_back(Some(states[0].len()), &states);
        }

        #[test]
        fn any_length(states in prop::collection::vec(prop::collection::vec(0..2u32, 0..150), 1..60)) {
            there_and_back(None, &states);
        }
    }

    #[test]
    fn narrow_states_are_left_alone() {
        assert!(TreeCompressed::new(&Words(Some(2)), &Meter::unlimited()).is_none());
    }
}
