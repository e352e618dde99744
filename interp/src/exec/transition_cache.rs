//! Steps of a process that are known from an earlier state which looked the same to it.
//!
//! A process sees little of a state (`view.rs`), and the same little in many states. The first time its steps are
//! found by interpretation, and what each changes is written down; afterwards a look at the bits it sees is enough.
//! Invariant: what is told from memory is what interpretation would tell, event by event. Only steps without violations
//! are remembered. A memory that is asked in vain too often is switched off, location by location. A process often sees
//! what it saw in the state before: that record is looked at first.
//!
//! The memory is a table of fixed size that maps bits seen to a record in a pool; when the pool is full all is forgotten.
//! Blom, van de Pol and Weber, "LTSmin: Distributed and Symbolic Reachability", CAV 2010, call it transition caching.

use crate::analysis::view::{Mask, ViewId, Views};
use crate::exec::step::Move;
use statespace::Word;

/// Binary logarithm of the number of places in the table.
const PLACES_LOG2: u32 = 16;
/// Words of records that are kept.
const POOL: usize = 1 << 20;
/// What all of it comes to, in bytes.
pub const MOST_BYTES: usize = (POOL + (1 << PLACES_LOG2)) * size_of::<Word>();
/// So many questions are asked before it is decided whether a view is worth remembering.
const TRIAL: u32 = 1 << 13;

/// What is remembered in the course of one search.
#[derive(Debug, Default)]
pub struct TransitionCache {
    /// Where in the pool the record is; 0 if there is none.
    table: Vec<u32>,
    /// Records: the view, the bits seen, how many steps there are, and the changes of each.
    pool: Vec<Word>,
    /// By process: where the record is that it used last, or 0.
    last: Vec<u32>,
    worth: Vec<Worth>,
    recording: Option<Recording>,
}

/// How often a view was asked for, and known.
#[derive(Clone, Copy, Debug, Default)]
struct Worth {
    asked: u32,
    known: u32,
    is_off: bool,
}

/// A record that is being written.
#[derive(Clone, Copy, Debug)]
struct Recording {
    place: usize,
    start: usize,
    /// Where the number of steps belongs.
    count: usize,
}

/// What the memory says about a view of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CacheLookup {
    /// The steps are known: the place of their record.
    Known(Steps),
    /// They are not, and shall be recorded.
    New,
    /// They are not, and are not worth it.
    NotWorth,
}

/// Steps that are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Steps {
    /// Where the next one is.
    at: usize,
    /// How many follow.
    left: u32,
    /// Whether the process can move.
    pub moved: bool,
}

impl Steps {
    /// Whether all have been taken.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.left == 0
    }
}

/// The bit of a record's count that says that the process can move.
const MOVED: Word = 1 << 31;

impl TransitionCache {
    /// What is known of the steps of process `pid` out of `state`; if nothing is, a record is begun.
    #[inline]
    pub fn recall(&mut self, views: &Views, pid: usize, view: ViewId, state: &[Word]) -> CacheLookup {
        if self.worth.is_empty() {
            self.begin(views);
        }
        if self.worth[view.index()].is_off {
            return CacheLookup::NotWorth;
        }
        self.worth[view.index()].asked += 1;
        let mask = views.view(view);
        if pid >= self.last.len() {
            self.last.resize(pid + 1, 0);
        }
        if let Some(steps) = self.steps(self.last[pid], view, mask, state) {
            return CacheLookup::Known(steps);
        }
        let place = place(view, mask, state);
        if let Some(steps) = self.steps(self.table[place], view, mask, state) {
            self.last[pid] = self.table[place];
            return CacheLookup::Known(steps);
        }
        let worth = &mut self.worth[view.index()];
        if worth.asked >= TRIAL {
            worth.is_off = worth.known < worth.asked / 2;
            (worth.asked, worth.known) = (0, 0);
        }
        self.record(view, mask, place, state);
        CacheLookup::New
    }

    /// The steps of the record at `start`, if it is one for what is seen of this state.
    #[inline(always)]
    fn steps(&mut self, start: u32, view: ViewId, mask: &Mask, state: &[Word]) -> Option<Steps> {
        let start = start as usize;
        let record = &self.pool[start..];
        if start == 0 || record[0] != view.index() as Word {
            return None;
        }
        let (seen, rest) = record[1..].split_at(mask.len());
        let is_it = mask.iter().zip(seen).all(|(&(word, bits), &seen)| state[word as usize] & bits == seen);
        is_it.then(|| {
            self.worth[view.index()].known += 1;
            Steps { at: start + 2 + mask.len(), left: rest[0] & !MOVED, moved: rest[0] & MOVED != 0 }
        })
    }

    /// Takes the next of some known steps: `next`, the state it starts from, becomes the state it leads to.
    #[inline]
    pub fn take(&self, steps: &mut Steps, next: &mut [Word]) {
        let (changes, _) = self.pool[steps.at + 1..].as_chunks::<3>();
        let changes = &changes[..self.pool[steps.at] as usize];
        for &[word, keep, flip] in changes {
            let word = &mut next[word as usize];
            *word = (*word & keep) ^ flip;
        }
        steps.at += 1 + 3 * changes.len();
        steps.left -= 1;
    }

    /// A step by `moves` leads from `state` to `next`.
    #[inline]
    pub fn step(&mut self, views: &Views, moves: &[Move], state: &[Word], next: &[Word]) {
        if let Some(recording) = self.recording {
            self.write_step(recording, views, moves, state, next);
        }
    }

    /// The record at hand is no good: something is wrong with a step.
    pub fn spoil(&mut self) {
        if let Some(Recording { start, .. }) = self.recording.take() {
            self.pool.truncate(start);
        }
    }

    /// The record is complete.
    pub fn end(&mut self, moved: bool) {
        if let Some(Recording { place, start, count }) = self.recording.take() {
            self.pool[count] |= if moved { MOVED } else { 0 };
            self.table[place] = start as u32;
        }
    }

    #[cold]
    fn begin(&mut self, views: &Views) {
        self.table = vec![0; 1 << PLACES_LOG2];
        self.pool.push(0);
        self.worth = vec![Worth::default(); views.count()];
    }

    #[inline(never)]
    fn record(&mut self, view: ViewId, mask: &Mask, place: usize, state: &[Word]) {
        self.spoil();
        if self.pool.len() > POOL {
            self.pool.truncate(1);
            self.table.fill(0);
            self.last.fill(0);
        }
        let start = self.pool.len();
        self.pool.push(view.index() as Word);
        self.pool.extend(mask.iter().map(|&(word, bits)| state[word as usize] & bits));
        let count = self.pool.len();
        self.pool.push(0);
        self.recording = Some(Recording { place, start, count });
    }

    fn write_step(&mut self, recording: Recording, views: &Views, moves: &[Move], state: &[Word], next: &[Word]) {
        let size = self.pool.len();
        self.pool.push(0);
        for (word, (&before, &after)) in state.iter().zip(next).enumerate() {
            let set = moves.iter().flat_map(|step| views.overwritten(step.edge).iter());
            let keep = !set.filter(|(at, _)| *at as usize == word).fold(0, |all, (_, bits)| all | bits);
            let flip = (before & keep) ^ after;
            if keep != Word::MAX || flip != 0 {
                self.pool.extend([word as Word, keep, flip]);
            }
        }
        self.pool[size] = ((self.pool.len() - size) / 3) as Word;
        self.pool[recording.count] += 1;
    }
}

/// Where in the table the record of a view of a state is, if anywhere.
#[inline]
fn place(view: ViewId, mask: &Mask, state: &[Word]) -> usize {
    const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
    let start = view.index() as u64;
    let sum = mask.iter().fold(start, |sum, &(word, bits)| {
        let seen = u64::from(state[word as usize] & bits);
        (sum.rotate_left(29) ^ seen).wrapping_mul(MIX)
    });
    ((sum ^ sum >> 32).wrapping_mul(MIX) >> (64 - PLACES_LOG2)) as usize
}
