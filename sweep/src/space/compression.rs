//! Tree compression: wide states in a few words. Each part of a state is replaced by its index in a table of parts, parts
//! of the list of indices again if it is long, and so on until a short list is left.
//!
//! States have much in common, so there are few distinct parts: a state costs its list and seldom more. `TreeCompressed`
//! is a state space whose states are such lists; a search over it stores, hashes and compares a few words, whatever it is
//! a search of. All layers of a sweep share the parts: a layer is dropped without them. Parts are only ever added, and
//! equal states have equal indices, so two compressed states are equal if and only if the states are. A successor shares
//! most parts with the state it comes from: only what has changed is looked up, on the way there and on the way back.
//! States of different lengths also keep their length.
//! Measures, automata and observers see the states as they are.
//! Holzmann, "State Compression in SPIN: Recursive Indexing and Compression Training Runs", SPIN 1997; Laarman, van de Pol
//! and Weber, "Parallel Recursive State Compression for Free", SPIN 2011.

use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use statespace::{StateSpace, Visit, Word};

use crate::checkpoint::{Checkpoints, Content, Keeper, Reader, ResumeFault, Section, Writer};
use crate::control::{End, Stats};
use crate::measure::{ComponentId, Measure, Progress};
use crate::meter::{Account, Meter};
use crate::observer::{Observer, Paths, Step};
use crate::outcome::Outcome;
use crate::space::acceptance::{Accepting, Scc};
use crate::space::demands::{Demanding, Role, VisitDemands};
use crate::store::{Inserted, StateId, StateTable, hash};

/// Words of a part.
const PART: usize = 4;
/// States of no more words are stored as they are: indices would cost more than they save.
const NARROW: usize = if cfg!(test) { 2 } else { 5 };
/// A list of this many indices is short.
const SHORT: usize = 16;
/// The index of no part.
const NO_PART: Word = Word::MAX;

/// A state space with its states compressed.
pub(crate) struct TreeCompressed<'s, S> {
    space: &'s S,
    /// Shared by all workers, who keep the indices of recent parts for themselves ([`Recent`]).
    table: Mutex<PartTable>,
    /// Words of the longest state so far.
    longest: AtomicUsize,
}

impl<'s, S: StateSpace> TreeCompressed<'s, S> {
    /// The states of `space` compressed, if that pays.
    pub(crate) fn new(space: &'s S, meter: &Meter) -> Option<Self> {
        let pays = space.fixed_words().is_none_or(|words| words > NARROW);
        pays.then(|| TreeCompressed { space, table: Mutex::new(PartTable::new(meter)), longest: AtomicUsize::new(0) })
    }

    /// What a search of the compressed states has found, in terms of the states.
    pub(crate) fn decompress_outcome(&self, mut outcome: Outcome<S::Violation>) -> Outcome<S::Violation> {
        outcome.stats.max_state_words = self.longest.load(Ordering::Relaxed);
        for state in outcome.rejected.iter_mut().flat_map(|rejected| [&mut rejected.from, &mut rejected.to]) {
            *state = self.look_at(state, <[Word]>::to_vec);
        }
        outcome
    }

    /// The checkpoints of a search of the compressed states: what they mean is in front of them. Parts that a checkpoint has
    /// are taken over.
    pub(crate) fn checkpoints<'c>(
        &'c self,
        checkpoints: Checkpoints<'c, S::Violation>,
        meter: &Meter,
    ) -> Result<Checkpoints<'c, S::Violation>, End> {
        let Checkpoints { keeper: inner, codec, every, mut from } = checkpoints;
        if let Some(from) = &mut from {
            self.load(from, meter)?;
        }
        Ok(Checkpoints { keeper: Box::new(CompressedKeeper { inner, space: self }), codec, every, from })
    }

    /// Writes all parts.
    fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
        Section::Parts.begin(&[], to)?;
        to.number(self.longest.load(Ordering::Relaxed) as u64)?;
        let parts = &lock(&self.table).parts.0;
        to.number(u64::from(parts.len()))?;
        (0..parts.len()).try_for_each(|index| to.words(parts.get(StateId(index))))
    }

    /// Reads what `save` wrote, before anything is compressed.
    fn load(&self, from: &mut Reader<'_>, meter: &Meter) -> Result<(), End> {
        Section::Parts.expect(&[], from)?;
        self.longest.store(from.small()?, Ordering::Relaxed);
        let (mut part, table) = (Vec::new(), &mut *lock(&self.table));
        for _ in 0..from.number()? {
            from.words(PART, &mut part)?;
            meter.allow(table.parts.0.growth(PART)).map_err(End::Stopped)?;
            let before = table.parts.0.len();
            let known = part.first_chunk().map(|part| table.index(hash(part), part));
            if known != Some(before) {
                return Err(ResumeFault::Mismatch.into());
            }
        }
        Ok(())
    }

    /// Makes `tree` the indices of all parts of a state, then those of the parts of these indices, and so on; returns where
    /// the last list begins. `known` is the same for another state, perhaps a similar one.
    #[inline]
    fn compress(&self, state: &[Word], tree: &mut Vec<Word>, known: &Tree, recent: &mut Recent) -> usize {
        let (same, known_indices): (&[Word], &[Word]) = match known.state.len() == state.len() {
            true => (&known.state, &known.indices),
            false => (&[], &[]),
        };
        if state.len() > self.longest.load(Ordering::Relaxed) {
            self.longest.fetch_max(state.len(), Ordering::Relaxed);
        }
        tree.clear();
        let mut index = |part: &[Word; PART]| recent.index(part, &self.table);
        indices_of(state, same, known_indices, &mut index, tree);
        let (mut start, mut len) = (0, tree.len());
        while len > SHORT {
            let list = tree[start..].to_vec();
            let (same, known_indices) = match known_indices.split_at_checked(start + len) {
                Some((lists, known_indices)) => (&lists[start..], known_indices),
                None => (&[][..], &[][..]),
            };
            indices_of(&list, same, known_indices, &mut index, tree);
            (start, len) = (start + len, tree.len() - start - len);
        }
        start
    }

    /// Makes `tree` the state and the indices of a compressed state.
    fn decompress(&self, compressed: &[Word], tree: &mut Tree) {
        let (words, last) = self.split(compressed);
        lock(&self.table).parts.decompress(words, last, tree);
    }

    /// Looks at a compressed state as it is.
    fn look_at<T>(&self, compressed: &[Word], look: impl FnOnce(&[Word]) -> T) -> T {
        let (words, last) = self.split(compressed);
        let PartTable { parts, looked_at, .. } = &mut *lock(&self.table);
        parts.decompress(words, last, looked_at);
        look(&looked_at.state)
    }

    /// How many words a compressed state had, and the last list of its indices.
    fn split<'a>(&self, compressed: &'a [Word]) -> (usize, &'a [Word]) {
        match self.space.fixed_words() {
            Some(words) => (words, compressed),
            None => (compressed[0] as usize, &compressed[1..]),
        }
    }

    /// What is stored of a state: its length, unless all have the same, and the last list of its indices.
    #[inline]
    fn compressed<'l>(&self, words: usize, list: &'l [Word], buffer: &'l mut Vec<Word>) -> &'l [Word] {
        if self.space.fixed_words().is_some() {
            return list;
        }
        buffer.clear();
        buffer.push(words as Word);
        buffer.extend_from_slice(list);
        buffer
    }
}

/// Keeps the parts with every checkpoint.
struct CompressedKeeper<'c, 's, S> {
    inner: Box<dyn Keeper + 'c>,
    space: &'c TreeCompressed<'s, S>,
}

impl<S: StateSpace> Keeper for CompressedKeeper<'_, '_, S> {
    fn keep(&mut self, content: &mut Content<'_>) {
        self.inner.keep(&mut |to| {
            self.space.save(to)?;
            content(to)
        });
    }
}

/// Appends the indices of all parts of `list`. `known_indices` has those of `known`, which is as long, or empty.
#[inline]
fn indices_of(
    list: &[Word],
    known: &[Word],
    known_indices: &[Word],
    index: &mut impl FnMut(&[Word; PART]) -> Word,
    tree: &mut Vec<Word>,
) {
    let ((parts, rest), (known_parts, known_rest)) = (list.as_chunks::<PART>(), known.as_chunks::<PART>());
    if known.len() == list.len() {
        let same = known_parts.iter().zip(known_indices);
        tree.extend(parts.iter().zip(same).map(
            |(part, (known, &known_index))| {
                if part == known { known_index } else { index(part) }
            },
        ));
    } else {
        tree.extend(parts.iter().map(&mut *index));
    }
    if !rest.is_empty() {
        // The rest is short: a loop is faster than a call.
        let is_known = known.len() == list.len() && rest.iter().zip(known_rest).all(|(a, b)| a == b);
        tree.push(if is_known {
            known_indices[parts.len()]
        } else {
            let mut part = [0; PART];
            part[..rest.len()].copy_from_slice(rest);
            index(&part)
        });
    }
}

/// All parts that have been seen.
struct PartTable {
    parts: Parts,
    /// The state that was looked at last; the next one may be similar.
    looked_at: Tree,
    account: Account,
}

impl PartTable {
    fn new(meter: &Meter) -> Self {
        let parts = Parts(StateTable::new(Some(PART)));
        PartTable { parts, looked_at: Tree::default(), account: meter.account() }
    }

    /// The index of a part, which is added if it is new.
    fn index(&mut self, hash: u64, part: &[Word; PART]) -> Word {
        match self.parts.0.insert_hashed(hash, part) {
            Inserted::Known(StateId(index)) => index,
            Inserted::New(StateId(index)) => {
                self.account.set(self.parts.0.bytes());
                index
            }
        }
    }
}

/// Parts; the index of each is its number here.
struct Parts(StateTable);

impl Parts {
    #[inline]
    fn part(&self, index: Word) -> &[Word; PART] {
        self.0.get(StateId(index)).first_chunk().expect("all parts have one length")
    }

    /// Makes `tree` the state of this many words with this last list of indices. Of a list of parts, only those are
    /// copied that `tree` does not have; it may be that of a similar state.
    fn decompress(&self, words: usize, last: &[Word], tree: &mut Tree) {
        let Tree { state, indices } = tree;
        let count = words.div_ceil(PART);
        if count > SHORT {
            state.resize(words, 0);
            *indices = self.lists(count, last);
            return self.copy_parts(indices, state);
        }
        if indices.len() != count || state.len() != words {
            state.resize(words, 0);
            indices.clear();
            indices.resize(count, NO_PART);
        }
        let (parts, rest) = state.as_chunks_mut::<PART>();
        for ((part, index), &new) in parts.iter_mut().zip(indices.iter_mut()).zip(last) {
            if *index != new {
                *index = new;
                *part = *self.part(new);
            }
        }
        if !rest.is_empty() {
            indices[count - 1] = last[count - 1];
            self.copy_parts(&last[count - 1..], rest);
        }
    }

    /// All lists of indices of a state, the first of which has `count` and the last of which is given.
    fn lists(&self, count: usize, last: &[Word]) -> Vec<Word> {
        // Where each list of indices begins, and how long it is; a state has less than 2^32 words.
        let (mut lists, mut count) = ([(0, count); 17], 1);
        while lists[count - 1].1 > SHORT {
            let (start, len) = lists[count - 1];
            lists[count] = (start + len, len.div_ceil(PART));
            count += 1;
        }
        let mut indices = vec![0; lists[count - 1].0];
        indices.extend_from_slice(last);
        for list in (1..count).rev() {
            let ((start, len), (above, _)) = (lists[list - 1], lists[list]);
            let (lower, upper) = indices.split_at_mut(above);
            self.copy_parts(upper, &mut lower[start..start + len]);
        }
        indices
    }

    /// Copies the parts with these indices, one after the other.
    fn copy_parts(&self, indices: &[Word], into: &mut [Word]) {
        for (part, &index) in into.chunks_mut(PART).zip(indices) {
            part.copy_from_slice(&self.part(index)[..part.len()]);
        }
    }
}

/// Parts that a worker has looked up recently, with their indices, so that most successors need no lock.
#[derive(Default)]
struct Recent(Vec<([Word; PART], Word)>);

/// Binary logarithm of the number of recent parts that are kept.
const RECENT_LOG2: u32 = 12;

impl Recent {
    #[inline]
    fn index(&mut self, part: &[Word; PART], table: &Mutex<PartTable>) -> Word {
        let hash = hash(part);
        let at = (hash >> (u64::BITS - RECENT_LOG2)) as usize;
        match self.0.get(at) {
            Some((known, index)) if known == part => *index,
            _ => self.miss(hash, part, table),
        }
    }

    #[inline(never)]
    fn miss(&mut self, hash: u64, part: &[Word; PART], table: &Mutex<PartTable>) -> Word {
        let index = lock(table).index(hash, part);
        let at = (hash >> (u64::BITS - RECENT_LOG2)) as usize;
        match self.0.get_mut(at) {
            Some(entry) => *entry = (*part, index),
            // The first part stands in all entries: all of them are right.
            None => self.0 = vec![(*part, index); 1 << RECENT_LOG2],
        }
        index
    }
}

fn lock(table: &Mutex<PartTable>) -> MutexGuard<'_, PartTable> {
    // A table that was left in the middle of an insertion is still searched: the panic is no verdict anyway.
    table.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A state and all its indices.
#[derive(Default)]
struct Tree {
    state: Vec<Word>,
    indices: Vec<Word>,
}

/// Buffers: the state that is expanded, and the indices of its successor at hand.
pub(crate) struct Buffers<Inner> {
    inner: Inner,
    state: Tree,
    next: Vec<Word>,
    compressed: Vec<Word>,
    recent: Recent,
}

impl<S: StateSpace> StateSpace for TreeCompressed<'_, S> {
    type Violation = S::Violation;
    type Scratch = Buffers<S::Scratch>;

    fn scratch(&self) -> Self::Scratch {
        Buffers {
            inner: self.space.scratch(),
            state: Tree::default(),
            next: Vec::new(),
            compressed: Vec::new(),
            recent: Recent::default(),
        }
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
        let (mut indices, mut compressed) = (Vec::new(), Vec::new());
        let start = self.compress(&state, &mut indices, &Tree::default(), &mut Recent::default());
        Ok(self.compressed(state.len(), &indices[start..], &mut compressed).to_vec())
    }

    fn expand<V: Visit<S::Violation>>(
        &self,
        state: &[Word],
        scratch: &mut Self::Scratch,
        visit: &mut V,
    ) -> ControlFlow<()> {
        let Buffers { inner, state: tree, next, compressed, recent } = scratch;
        self.decompress(state, tree);
        self.space.expand(&tree.state, inner, &mut Compressing { space: self, tree, next, compressed, recent, visit })
    }
}

/// Compresses successors on their way to the search.
struct Compressing<'f, 's, S, V> {
    space: &'f TreeCompressed<'s, S>,
    tree: &'f Tree,
    next: &'f mut Vec<Word>,
    compressed: &'f mut Vec<Word>,
    recent: &'f mut Recent,
    visit: &'f mut V,
}

impl<S: StateSpace, V: Visit<S::Violation>> Visit<S::Violation> for Compressing<'_, '_, S, V> {
    #[inline]
    fn successor(&mut self, event: u32, next: &[Word]) -> ControlFlow<()> {
        let start = self.space.compress(next, self.next, self.tree, self.recent);
        let compressed = self.space.compressed(next.len(), &self.next[start..], self.compressed);
        self.visit.successor(event, compressed)
    }

    fn violation(&mut self, event: u32, violation: S::Violation) -> ControlFlow<()> {
        self.visit.violation(event, violation)
    }

    fn suffices(&mut self) -> bool {
        self.visit.suffices()
    }

    fn left_out(&mut self, event: u32) -> ControlFlow<()> {
        self.visit.left_out(event)
    }

    fn working(&mut self, bytes: usize) -> ControlFlow<()> {
        self.visit.working(bytes)
    }
}

impl<S: Demanding> Demanding for TreeCompressed<'_, S> {
    fn expand_demands<V: VisitDemands<S::Violation>>(
        &self,
        state: &[Word],
        scratch: &mut Self::Scratch,
        visit: &mut V,
    ) -> ControlFlow<()> {
        let Buffers { inner, state: tree, next, compressed, recent } = scratch;
        self.decompress(state, tree);
        let mut compressing = Compressing { space: self, tree, next, compressed, recent, visit };
        self.space.expand_demands(&tree.state, inner, &mut compressing)
    }
}

impl<S: StateSpace, V: VisitDemands<S::Violation>> VisitDemands<S::Violation> for Compressing<'_, '_, S, V> {
    fn successor(&mut self, event: u32, next: &[Word], role: Role) -> ControlFlow<()> {
        let start = self.space.compress(next, self.next, self.tree, self.recent);
        let compressed = self.space.compressed(next.len(), &self.next[start..], self.compressed);
        self.visit.successor(event, compressed, role)
    }

    fn violation(&mut self, event: u32, violation: S::Violation) -> ControlFlow<()> {
        self.visit.violation(event, violation)
    }

    fn working(&mut self, bytes: usize) -> ControlFlow<()> {
        self.visit.working(bytes)
    }
}

impl<S: Accepting> Accepting for TreeCompressed<'_, S> {
    fn is_accepting(&self, state: &[Word]) -> bool {
        self.look_at(state, |state| self.space.is_accepting(state))
    }

    fn scc(&self, state: &[Word]) -> Scc {
        self.look_at(state, |state| self.space.scc(state))
    }

    fn cycle(&self) -> S::Violation {
        self.space.cycle()
    }
}

/// Measures compressed states by what they are.
pub(crate) struct MeasureOfCompressed<'f, 's, S, M> {
    pub(crate) compressed: &'f TreeCompressed<'s, S>,
    pub(crate) measure: &'f mut M,
}

impl<S: StateSpace, M: Measure> Measure for MeasureOfCompressed<'_, '_, S, M> {
    #[inline]
    fn of(&self, state: &[Word]) -> Progress {
        self.compressed.look_at(state, |state| self.measure.of(state))
    }

    fn layer_bits(&self) -> u32 {
        self.measure.layer_bits()
    }

    fn has_one_layer(&self) -> bool {
        self.measure.has_one_layer()
    }

    fn demote(&mut self, from: &[Word], to: &[Word]) -> Vec<ComponentId> {
        let [from, to] = [from, to].map(|state| self.compressed.look_at(state, <[Word]>::to_vec));
        self.measure.demote(&from, &to)
    }
}

/// Shows an observer the states as they are.
pub(crate) struct Decompressing<'f, 's, S, O> {
    compressed: &'f TreeCompressed<'s, S>,
    observer: &'f mut O,
    tree: Tree,
    other: Tree,
}

impl<'f, 's, S: StateSpace, O: Observer> Decompressing<'f, 's, S, O> {
    pub(crate) fn new(compressed: &'f TreeCompressed<'s, S>, observer: &'f mut O) -> Self {
        Decompressing { compressed, observer, tree: Tree::default(), other: Tree::default() }
    }
}

impl<S: StateSpace, O: Observer> Observer for Decompressing<'_, '_, S, O> {
    const WATCHES_STEPS: bool = O::WATCHES_STEPS;

    #[inline]
    fn looks(&self) -> bool {
        self.observer.looks()
    }

    #[inline]
    fn discovered(&mut self, state: &[Word], stats: &Stats) {
        if self.observer.looks() {
            self.compressed.decompress(state, &mut self.tree);
        }
        self.observer.discovered(&self.tree.state, stats);
    }

    #[inline]
    fn expanding(&mut self, state: &[Word], stats: &Stats) {
        if self.observer.looks() {
            self.compressed.decompress(state, &mut self.tree);
        }
        self.observer.expanding(&self.tree.state, stats);
    }

    fn step(&mut self, step: Step<'_>, stats: &Stats) {
        self.compressed.decompress(step.from, &mut self.tree);
        self.compressed.decompress(step.to, &mut self.other);
        self.observer.step(Step { from: &self.tree.state, event: step.event, to: &self.other.state }, stats);
    }

    fn dead(&mut self, state: &[Word], number: u64, stats: &Stats) {
        self.compressed.decompress(state, &mut self.tree);
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

    /// Compresses each state, with the one before it as the similar one, and decompresses it again.
    fn there_and_back(fixed: Option<usize>, states: &[Vec<Word>]) {
        let space = Words(fixed);
        let compressed = TreeCompressed::new(&space, &Meter::unlimited()).expect("wide states are compressed");
        let mut known = Tree::default();
        let mut seen = std::collections::HashMap::new();
        let mut recent = Recent::default();
        for state in states {
            let (mut indices, mut buffer) = (Vec::new(), Vec::new());
            let start = compressed.compress(state, &mut indices, &known, &mut recent);
            let small = compressed.compressed(state.len(), &indices[start..], &mut buffer).to_vec();
            assert!(compressed.fixed_words().is_none_or(|words| words == small.len()));
            assert_eq!(seen.entry(state.clone()).or_insert_with(|| small.clone()), &small);
            compressed.decompress(&small, &mut known);
            assert_eq!(known.state, *state);
            assert_eq!(known.indices, indices);
            assert_eq!(compressed.look_at(&small, <[Word]>::to_vec), *state);
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
