//! Containers whose memory a meter counts, and which ask before they grow.

use std::ops::{Deref, DerefMut};

use statespace::Word;

use super::{Inserted, StateId, StateTable, hash};
use crate::control::{Control, End, StopReason};
use crate::meter::{Account, Meter};
use crate::observer::Observer;

/// A vector. Whoever pushes makes room first.
pub(crate) struct MeteredVec<T> {
    items: Vec<T>,
    account: Account,
}

impl<T> MeteredVec<T> {
    pub(crate) fn new(meter: &Meter) -> Self {
        MeteredVec { items: Vec::new(), account: meter.account() }
    }

    /// Makes room for `more` items, if that is allowed.
    #[inline]
    pub(crate) fn room_for<V: Copy + PartialEq, O: Observer>(
        &mut self,
        more: usize,
        control: &mut Control<'_, V, O>,
    ) -> Result<(), End> {
        if self.items.capacity() - self.items.len() < more { self.grow(more, control) } else { Ok(()) }
    }

    #[cold]
    fn grow<V: Copy + PartialEq, O: Observer>(
        &mut self,
        more: usize,
        control: &mut Control<'_, V, O>,
    ) -> Result<(), End> {
        control.allow(growth(&self.items, more))?;
        self.items.reserve(more);
        self.count();
        Ok(())
    }

    /// Drops all items and their memory.
    pub(crate) fn release(&mut self) {
        self.items = Vec::new();
        self.count();
    }

    fn count(&mut self) {
        self.account.set(self.items.capacity() * size_of::<T>());
    }
}

impl<T> Default for MeteredVec<T> {
    /// A vector without an account.
    fn default() -> Self {
        MeteredVec { items: Vec::new(), account: Account::default() }
    }
}

impl<T> Deref for MeteredVec<T> {
    type Target = Vec<T>;

    #[inline]
    fn deref(&self) -> &Vec<T> {
        &self.items
    }
}

impl<T> DerefMut for MeteredVec<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.items
    }
}

/// Bytes that an allocator adds to a block of memory, on average: its header, and what rounding up leaves.
pub(crate) const BLOCK: usize = 16;

/// Bytes that pushing `more` items could allocate. A vector that is full doubles.
#[inline]
pub(crate) fn growth<T>(items: &Vec<T>, more: usize) -> usize {
    if items.capacity() - items.len() >= more { 0 } else { items.capacity().max(more).max(8) * size_of::<T>() }
}

/// A table of the states that a search has stored.
pub(crate) struct MeteredTable {
    table: StateTable,
    account: Account,
}

impl MeteredTable {
    pub(crate) fn new(fixed_words: Option<usize>, meter: &Meter) -> Self {
        MeteredTable { table: StateTable::new(fixed_words), account: meter.account() }
    }

    /// Stores a state that was met at this depth, unless it is known.
    #[inline]
    pub(crate) fn store<V: Copy + PartialEq, O: Observer>(
        &mut self,
        (hash, state): (u64, &[Word]),
        depth: u64,
        control: &mut Control<'_, V, O>,
    ) -> Result<Inserted, End> {
        if let Some(id) = self.table.find(hash, state) {
            return Ok(Inserted::Known(id));
        }
        self.room_for(state, control)?;
        control.admit(state, depth)?;
        Ok(Inserted::New(self.table.add(hash, state)))
    }

    /// Stores a state that the search has counted before, unless it is there.
    #[inline]
    pub(crate) fn store_again<V: Copy + PartialEq, O: Observer>(
        &mut self,
        (hash, state): (u64, &[Word]),
        control: &mut Control<'_, V, O>,
    ) -> Result<Inserted, End> {
        if let Some(id) = self.table.find(hash, state) {
            return Ok(Inserted::Known(id));
        }
        self.room_for(state, control)?;
        control.stored_again();
        Ok(Inserted::New(self.table.add(hash, state)))
    }

    /// The number of some words that are no state.
    pub(crate) fn intern<V: Copy + PartialEq, O: Observer>(
        &mut self,
        words: &[Word],
        control: &mut Control<'_, V, O>,
    ) -> Result<StateId, End> {
        let hash = hash(words);
        if let Some(id) = self.table.find(hash, words) {
            return Ok(id);
        }
        self.room_for(words, control)?;
        Ok(self.table.add(hash, words))
    }

    /// Adds a state of a checkpoint; says whether it was not there.
    pub(crate) fn restore<V: Copy + PartialEq, O: Observer>(
        &mut self,
        state: &[Word],
        control: &mut Control<'_, V, O>,
    ) -> Result<bool, End> {
        self.room_for(state, control)?;
        Ok(matches!(self.table.insert(state), Inserted::New(_)))
    }

    /// Deletes all states.
    pub(crate) fn clear(&mut self) {
        self.table.clear();
        self.account.set(self.table.bytes());
    }

    /// Makes room for a state, if that is allowed.
    #[inline]
    pub(crate) fn room_for<V: Copy + PartialEq, O: Observer>(
        &mut self,
        state: &[Word],
        control: &mut Control<'_, V, O>,
    ) -> Result<(), End> {
        if self.table.len() == StateTable::MOST_STATES {
            return Err(End::Stopped(StopReason::States));
        }
        match self.table.growth(state.len()) {
            0 => Ok(()),
            growth => self.grow(state.len(), growth, control),
        }
    }

    #[cold]
    fn grow<V: Copy + PartialEq, O: Observer>(
        &mut self,
        words: usize,
        growth: usize,
        control: &mut Control<'_, V, O>,
    ) -> Result<(), End> {
        control.allow(growth)?;
        self.table.make_room(words);
        self.account.set(self.table.bytes());
        Ok(())
    }
}

impl Deref for MeteredTable {
    type Target = StateTable;

    #[inline]
    fn deref(&self) -> &StateTable {
        &self.table
    }
}
