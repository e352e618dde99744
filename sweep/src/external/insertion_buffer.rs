//! The part of a queue that is in memory: states that wait, each once, by progress.
//!
//! Invariants: `layers` has, for each progress value, the first of the states that wait, and `entries` chain them. States
//! that have been taken stay in the table until it is full; those that wait are then moved to a table of their own. That the
//! same state waits twice is noticed as long as both are here.
//!
//! `T_ins` of Brengel, Crauser, Ferragina, Meyer, WAE 1999, and Evangelista, Kristensen, SPIN 2012.

use std::collections::BTreeMap;

use statespace::Word;

use super::Workspace;
use super::record::{Origin, Record};
use super::slots::SlotFile;
use crate::measure::Progress;
use crate::meter::Account;
use crate::store::{StateId, StateTable, hash};

/// States that wait in memory.
pub(crate) struct InsertionBuffer {
    table: StateTable,
    entries: Vec<Entry>,
    layers: BTreeMap<Progress, u32>,
    /// States that wait.
    len: u64,
    /// Another table, to move states to.
    spare: StateTable,
    most: u32,
    file: SlotFile,
    account: Account,
}

#[derive(Clone, Copy)]
struct Entry {
    progress: Progress,
    origin: Origin,
    /// The next state of this progress, or `LAST`, or `TAKEN`.
    next: u32,
}

const LAST: u32 = u32::MAX;
const TAKEN: u32 = u32::MAX - 1;

/// Bytes of an entry of `layers`, in nodes that are half full.
const LAYER_BYTES: usize = 48;

impl InsertionBuffer {
    /// A buffer of so many states.
    pub(crate) fn new(workspace: &Workspace, most: usize) -> InsertionBuffer {
        InsertionBuffer {
            table: StateTable::new(workspace.fixed_words),
            entries: Vec::new(),
            layers: BTreeMap::new(),
            len: 0,
            spare: StateTable::new(workspace.fixed_words),
            most: most.min(TAKEN as usize) as u32,
            file: workspace.file.clone(),
            account: workspace.meter.account(),
        }
    }

    /// How many states wait.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Whether states must be taken or spilled before one more is inserted.
    pub(crate) fn is_full(&self) -> bool {
        self.table.len() >= self.most
    }

    /// How many states can be inserted before it is full.
    pub(crate) fn room(&self) -> u64 {
        u64::from(self.most.saturating_sub(self.table.len()))
    }

    /// The least progress of a state that waits.
    pub(crate) fn least(&self) -> Option<Progress> {
        self.layers.first_key_value().map(|(&progress, _)| progress)
    }

    /// Adds a state unless it waits.
    pub(crate) fn insert(&mut self, hash: u64, record: Record<'_>) {
        let Record { progress, origin, state } = record;
        let id = match self.table.find(hash, state) {
            Some(id) if self.entries[id.0 as usize].next != TAKEN => return,
            Some(id) => id.0,
            None => {
                let id = self.table.add(hash, state);
                self.entries.push(Entry { progress, origin, next: TAKEN });
                self.count(self.entries.len() as u64 - 1);
                id.0
            }
        };
        let first = self.layers.insert(progress, id);
        self.entries[id as usize] = Entry { progress, origin, next: first.unwrap_or(LAST) };
        self.len += 1;
    }

    /// What is in memory has changed.
    fn count(&mut self, before: u64) {
        self.file.count_buffered(before, self.entries.len() as u64);
        let entries = self.entries.capacity() * size_of::<Entry>() + self.layers.len() * LAYER_BYTES;
        self.account.set(self.table.bytes() + self.spare.bytes() + entries);
    }

    /// Takes the states of the least progress.
    pub(crate) fn take_least<E>(&mut self, mut take: impl FnMut(Record<'_>) -> Result<(), E>) -> Result<(), E> {
        let Some((_, mut next)) = self.layers.pop_first() else { return Ok(()) };
        while next != LAST {
            take(self.record(next))?;
            next = self.remove(next);
        }
        if self.len == 0 {
            self.clear();
        }
        Ok(())
    }

    fn record(&self, id: u32) -> Record<'_> {
        let Entry { progress, origin, .. } = self.entries[id as usize];
        Record { progress, origin, state: self.table.get(StateId(id)) }
    }

    /// A state has been taken. The next of its progress.
    fn remove(&mut self, id: u32) -> u32 {
        self.len -= 1;
        std::mem::replace(&mut self.entries[id as usize].next, TAKEN)
    }

    fn clear(&mut self) {
        let before = self.entries.len() as u64;
        self.table.clear();
        self.entries.clear();
        self.count(before);
    }

    /// Makes room in a full buffer: takes the `count` states of most progress, in no order, unless others have been taken
    /// in the meantime.
    pub(crate) fn spill<E>(
        &mut self,
        count: usize,
        is_sorted: bool,
        mut take: impl FnMut(Record<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.len + count as u64 > u64::from(self.table.len()) {
            let mut spilled = self.remove_largest(count);
            if is_sorted {
                spilled.sort_unstable_by(|&one, &other| self.record(one).compare(&self.record(other)));
            }
            spilled.into_iter().try_for_each(|id| take(self.record(id)))?;
        }
        self.move_waiting();
        Ok(())
    }

    fn remove_largest(&mut self, count: usize) -> Vec<u32> {
        let mut removed = Vec::with_capacity(count);
        while removed.len() < count
            && let Some((progress, mut next)) = self.layers.pop_last()
        {
            while next != LAST && removed.len() < count {
                removed.push(next);
                next = self.remove(next);
            }
            if next != LAST {
                self.layers.insert(progress, next);
            }
        }
        removed
    }

    /// Moves the states that wait to a table of their own.
    fn move_waiting(&mut self) {
        let before = self.entries.len() as u64;
        let mut moved = Vec::with_capacity(self.len as usize);
        self.spare.clear();
        for first in self.layers.values_mut() {
            let mut next = std::mem::replace(first, LAST);
            while next != LAST {
                let entry = self.entries[next as usize];
                let state: &[Word] = self.table.get(StateId(next));
                let id = self.spare.add(hash(state), state);
                moved.push(Entry { next: std::mem::replace(first, id.0), ..entry });
                next = entry.next;
            }
        }
        std::mem::swap(&mut self.table, &mut self.spare);
        self.spare.clear();
        self.entries = moved;
        self.count(before);
    }
}

impl Drop for InsertionBuffer {
    fn drop(&mut self) {
        self.file.count_buffered(self.entries.len() as u64, 0);
    }
}
