//! Transition cache: the steps of a process, known from an earlier state that was equal under its view.
//!
//! A process sees few bits of a state (`view.rs`), and the same ones in many states. The first time its steps are found by
//! interpretation, and the changes of each are recorded; afterwards comparing the bits it sees is enough.
//! Invariant: cached events are those of interpretation, in the same order. Only steps without violations are cached. A
//! cache with a low hit rate is switched off, location by location. A process often sees what it saw in the state before:
//! that record is compared first.
//!
//! A table of fixed size maps the bits seen to a record in a pool; when the pool is full, it is emptied.
//! Blom, van de Pol and Weber, "LTSmin: Distributed and Symbolic Reachability", CAV 2010.

use crate::analysis::view::{Mask, ViewId, Views};
use crate::exec::step::Move;
use statespace::Word;

/// Binary logarithm of the number of slots in the table.
const SLOTS_LOG2: u32 = 16;
/// The most words of records, before the last one.
const MAX_POOL: usize = 1 << 20;
/// The most bytes of a cache.
pub const MOST_BYTES: usize = (MAX_POOL + (1 << SLOTS_LOG2)) * size_of::<Word>();
/// Lookups after which the hit rate of a view is judged.
const JUDGED_LOOKUPS: u32 = 1 << 13;

/// The cache of one worker.
#[derive(Debug, Default)]
pub struct TransitionCache {
    /// By hash: where in the pool the record is; 0 if there is none.
    table: Vec<u32>,
    /// Records: the view, the bits seen, how many steps there are, and the changes of each.
    pool: Vec<Word>,
    /// By process: where in the pool the record is that it used last, or 0.
    last: Vec<u32>,
    /// By view.
    usage: Vec<Usage>,
    recording: Option<Recording>,
}

/// How often a view was looked up, and not found.
#[derive(Clone, Copy, Debug, Default)]
struct Usage {
    lookups: u32,
    misses: u32,
    is_off: bool,
}

/// A record that is being written.
#[derive(Clone, Copy, Debug)]
struct Recording {
    slot: usize,
    start: usize,
    /// Where the number of steps is.
    count: usize,
}

/// The result of a lookup.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CacheLookup {
    /// The steps are known.
    Hit(Steps),
    /// They are not known, and are recorded from now on.
    Miss,
    /// The cache is switched off for this view.
    Off,
}

/// Steps that are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Steps {
    /// Where the next one is.
    at: u32,
    /// How many follow, and [`MOVED`].
    count: Word,
}

impl Steps {
    /// Whether all have been taken.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.count & !MOVED == 0
    }

    /// Whether the process can move.
    #[inline]
    pub fn moved(self) -> bool {
        self.count & MOVED != 0
    }
}

/// What stands in place of a record where there is none.
const NO_VIEW: Word = Word::MAX;
/// The bit of a record's count that says that the process can move.
const MOVED: Word = 1 << 31;

impl TransitionCache {
    /// Looks up the steps of process `pid` out of `state`; after a miss, a record is begun.
    #[inline]
    pub fn lookup(&mut self, views: &Views, pid: usize, view: ViewId, state: &[Word]) -> CacheLookup {
        if pid >= self.last.len() {
            self.begin(views, pid);
        }
        let usage = &mut self.usage[view.index()];
        if usage.is_off {
            return CacheLookup::Off;
        }
        usage.lookups += 1;
        let mask = views.view(view);
        if let Some(steps) = self.steps(self.last[pid], view, mask, state) {
            return CacheLookup::Hit(steps);
        }
        let slot = slot(view, mask, state);
        let start = self.table[slot];
        if let Some(steps) = self.steps(start, view, mask, state) {
            self.last[pid] = start;
            return CacheLookup::Hit(steps);
        }
        self.miss(view, mask, slot, state)
    }

    /// The steps of the record at `start`, if it is for this view of this state.
    #[inline(always)]
    fn steps(&self, start: u32, view: ViewId, mask: &Mask, state: &[Word]) -> Option<Steps> {
        let (&record_view, record) = self.pool[start as usize..].split_first()?;
        if record_view != view.index() as Word {
            return None;
        }
        let (seen, rest) = record.split_at(mask.len());
        // All words are compared: where they differ cannot be foreseen.
        let difference =
            mask.iter().zip(seen).fold(0, |all, (&(word, bits), &seen)| all | (state[word as usize] & bits ^ seen));
        (difference == 0).then(|| Steps { at: start + 2 + mask.len() as u32, count: rest[0] })
    }

    /// Takes the next of some known steps: `next`, the state it starts from, becomes the state it leads to.
    #[inline]
    pub fn take(&self, steps: &mut Steps, next: &mut [Word]) {
        let (&count, rest) = self.pool[steps.at as usize..].split_first().expect("a step follows");
        let (changes, _) = rest.as_chunks::<3>();
        let changes = &changes[..count as usize];
        for &[word, keep, flip] in changes {
            let word = &mut next[word as usize];
            *word = (*word & keep) ^ flip;
        }
        steps.at += 1 + 3 * count;
        steps.count -= 1;
    }

    /// Records that a step by `moves` leads from `state` to `next`, where these bits have been `cleared` whatever they were.
    #[inline]
    pub fn step(&mut self, views: &Views, moves: &[Move], cleared: &[(u32, Word)], state: &[Word], next: &[Word]) {
        if let Some(recording) = self.recording {
            let set = moves.iter().flat_map(|step| views.overwritten(step.edge)).chain(cleared);
            self.write_step(recording, set, state, next);
        }
    }

    /// Drops the record that is being written: a step has a violation.
    pub fn discard(&mut self) {
        if let Some(Recording { start, .. }) = self.recording.take() {
            self.pool.truncate(start);
        }
    }

    /// Completes the record.
    pub fn end(&mut self, moved: bool) {
        if let Some(Recording { slot, start, count }) = self.recording.take() {
            self.pool[count] |= if moved { MOVED } else { 0 };
            self.table[slot] = start as u32;
        }
    }

    /// Makes room for processes up to this one.
    #[cold]
    fn begin(&mut self, views: &Views, pid: usize) {
        if self.usage.is_empty() {
            self.table = vec![0; 1 << SLOTS_LOG2];
            self.pool.push(NO_VIEW);
            self.usage = vec![Usage::default(); views.count()];
        }
        self.last.resize(pid + 1, 0);
    }

    #[inline(never)]
    fn miss(&mut self, view: ViewId, mask: &Mask, slot: usize, state: &[Word]) -> CacheLookup {
        let usage = &mut self.usage[view.index()];
        usage.misses += 1;
        if usage.lookups >= JUDGED_LOOKUPS {
            usage.is_off = usage.lookups - usage.misses < usage.lookups / 2;
            (usage.lookups, usage.misses) = (0, 0);
        }
        self.discard();
        if self.pool.len() > MAX_POOL {
            self.pool.truncate(1);
            self.table.fill(0);
            self.last.fill(0);
        }
        let start = self.pool.len();
        self.pool.push(view.index() as Word);
        self.pool.extend(mask.iter().map(|&(word, bits)| state[word as usize] & bits));
        let count = self.pool.len();
        self.pool.push(0);
        self.recording = Some(Recording { slot, start, count });
        CacheLookup::Miss
    }

    /// A step that gives the bits of `set` a value, whatever they were.
    fn write_step<'m>(
        &mut self,
        recording: Recording,
        set: impl Iterator<Item = &'m (u32, Word)> + Clone,
        state: &[Word],
        next: &[Word],
    ) {
        let size = self.pool.len();
        self.pool.push(0);
        for (word, (&before, &after)) in state.iter().zip(next).enumerate() {
            let keep = !set.clone().filter(|(at, _)| *at as usize == word).fold(0, |all, (_, bits)| all | bits);
            let flip = (before & keep) ^ after;
            if keep != Word::MAX || flip != 0 {
                self.pool.extend([word as Word, keep, flip]);
            }
        }
        self.pool[size] = ((self.pool.len() - size) / 3) as Word;
        self.pool[recording.count] += 1;
    }
}

/// The slot of the table for a view of a state.
#[inline]
fn slot(view: ViewId, mask: &Mask, state: &[Word]) -> usize {
    const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
    let start = view.index() as u64;
    let sum = mask.iter().fold(start, |sum, &(word, bits)| {
        let seen = u64::from(state[word as usize] & bits);
        (sum.rotate_left(29) ^ seen).wrapping_mul(MIX)
    });
    ((sum ^ sum >> 32).wrapping_mul(MIX) >> (64 - SLOTS_LOG2)) as usize
}
