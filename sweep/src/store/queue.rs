//! States that wait, first in, first out, each with its number: how many came before it.
//!
//! States stand in chunks, each behind its length. A chunk is freed, or used again, when the last of its states is not
//! needed any more.

use std::collections::VecDeque;

use statespace::Word;

use crate::meter::{Account, Meter};

/// About how many words a chunk holds.
const CHUNK_WORDS: usize = 1 << 14;

/// A queue of states.
#[derive(Default)]
pub(crate) struct Queue {
    chunks: VecDeque<Vec<Word>>,
    spare: Vec<Word>,
    /// Where the next state to be looked at begins: the chunk, and the word in it.
    next: (usize, usize),
    /// The number of that state.
    number: u64,
    len: u64,
    account: Account,
}

/// Where a state of the queue is, until it is released.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    chunk: usize,
    start: usize,
    /// How many states came before it.
    pub(crate) number: u64,
}

impl Queue {
    pub(crate) fn new(meter: &Meter) -> Self {
        Queue { account: meter.account(), ..Queue::default() }
    }

    /// How many states came in all.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// How many states have not been looked at.
    pub(crate) fn waiting(&self) -> u64 {
        self.len - self.number
    }

    /// Bytes that pushing this many words in this many states could allocate.
    pub(crate) fn growth(&self, words: usize, states: usize) -> usize {
        let free = self.chunks.back().map_or(0, |chunk| chunk.capacity() - chunk.len());
        match words + states <= free {
            true => 0,
            false => 2 * (words + states + CHUNK_WORDS) * size_of::<Word>(),
        }
    }

    /// Adds a state at the end.
    #[inline]
    pub(crate) fn push(&mut self, state: &[Word]) {
        let needed = state.len() + 1;
        if self.chunks.back().is_none_or(|chunk| chunk.capacity() - chunk.len() < needed) {
            self.open(needed);
        }
        if let Some(chunk) = self.chunks.back_mut() {
            chunk.push(state.len() as Word);
            chunk.extend_from_slice(state);
        }
        self.len += 1;
    }

    /// The next state that has not been looked at. It stays until it is released.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<Place> {
        let (mut chunk, mut start) = self.next;
        if self.number == self.len {
            return None;
        }
        if start == self.chunks[chunk].len() {
            (chunk, start) = (chunk + 1, 0);
        }
        let place = Place { chunk, start, number: self.number };
        self.next = (chunk, start + 1 + self.chunks[chunk][start] as usize);
        self.number += 1;
        Some(place)
    }

    /// A state that has not been released.
    #[inline]
    pub(crate) fn get(&self, place: Place) -> &[Word] {
        let chunk = &self.chunks[place.chunk];
        let len = chunk[place.start] as usize;
        &chunk[place.start + 1..][..len]
    }

    /// The state that was looked at last waits again.
    pub(crate) fn put_back(&mut self, place: Place) {
        self.next = (place.chunk, place.start);
        self.number = place.number;
    }

    /// The states from this one on, which has not been released.
    pub(crate) fn from(&self, place: Place) -> impl Iterator<Item = &[Word]> {
        self.chunks.iter().enumerate().skip(place.chunk).flat_map(move |(number, chunk)| {
            let mut rest = &chunk[if number == place.chunk { place.start } else { 0 }..];
            std::iter::from_fn(move || {
                let (&len, words) = rest.split_first()?;
                let (state, later) = words.split_at(len as usize);
                rest = later;
                Some(state)
            })
        })
    }

    /// Where the next state is that has not been looked at, if there is one.
    pub(crate) fn first(&self) -> Place {
        let (chunk, start) = self.next;
        Place { chunk, start, number: self.number }
    }

    /// An empty queue gets its next state as the one with this number.
    pub(crate) fn begin_with(&mut self, number: u64) {
        (self.number, self.len) = (number, number);
    }

    /// All states that were looked at are not needed any more. Places are of no use afterwards.
    #[inline]
    pub(crate) fn release(&mut self) {
        while self.next.0 > 0
            && let Some(mut chunk) = self.chunks.pop_front()
        {
            self.next.0 -= 1;
            chunk.clear();
            let unused = std::mem::replace(&mut self.spare, chunk);
            self.account.set(self.account.bytes() - size(&unused));
        }
    }

    #[cold]
    fn open(&mut self, needed: usize) {
        let mut chunk = std::mem::take(&mut self.spare);
        if chunk.capacity() < needed {
            let unused = size(&chunk);
            // The first chunk is small.
            let last = self.chunks.back().map_or(64, |last| (2 * last.capacity()).min(CHUNK_WORDS));
            chunk = Vec::with_capacity(needed.max(last));
            self.account.set(self.account.bytes() - unused + size(&chunk));
        }
        self.chunks.push_back(chunk);
    }
}

/// Bytes of a chunk.
fn size(chunk: &Vec<Word>) -> usize {
    chunk.capacity() * size_of::<Word>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_queue_is_a_queue(calls in prop::collection::vec((0..4u8, 0..3000usize), 0..300)) {
            let (mut queue, mut judge) = (Queue::default(), VecDeque::new());
            let (mut pushed, mut taken) = (0u32, 0);
            for (call, len) in calls {
                match call {
                    0 | 1 => {
                        let state = vec![pushed; len];
                        let (before, growth) = (queue.account.bytes(), queue.growth(len, 1));
                        queue.push(&state);
                        prop_assert!(queue.account.bytes() <= before + growth, "growth is announced");
                        judge.push_back(state);
                        pushed += 1;
                    }
                    2 => match (queue.next(), judge.pop_front()) {
                        (Some(place), Some(state)) => {
                            prop_assert_eq!(queue.get(place), state.as_slice());
                            prop_assert_eq!(place.number, taken);
                            taken += 1;
                        }
                        (place, state) => prop_assert!(place.is_none() && state.is_none()),
                    },
                    _ => queue.release(),
                }
                prop_assert_eq!(queue.waiting(), judge.len() as u64);
                let allocated: usize = queue.chunks.iter().chain([&queue.spare]).map(Vec::capacity).sum();
                prop_assert_eq!(queue.account.bytes(), 4 * allocated);
            }
        }
    }
}
