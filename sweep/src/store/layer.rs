//! The states of one progress value, in three parts that know nothing of each other: the storage, in which states are
//! found and numbered in the order in which they came; the cursors into that order; and a tag for each state.
//!
//! The storage is a [`StateTable`] in memory. Another one (compressed, on disk) has to find, append, read by number and
//! drop all but a prefix; cursors and tags stay as they are.

mod cursors;
mod tags;

use std::io;

use statespace::Word;

use super::{Inserted, StateId, StateTable};
use crate::checkpoint::{Reader, ResumeFault, Writer};
use crate::control::{Control, End, StopReason};
use crate::meter::Account;
use crate::observer::Observer;
use cursors::Cursors;

pub(super) use cursors::Section;
pub(crate) use tags::Tag;
use tags::Tags;

/// Why a state is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Retention {
    /// Until the sweep has passed.
    Passing,
    /// A regress edge ends there: as long as its column.
    Persistent,
}

/// A state that may be new.
#[derive(Clone, Copy)]
pub(crate) struct Candidate<'a> {
    pub(crate) hash: u64,
    pub(crate) state: &'a [Word],
    pub(crate) depth: u64,
}

/// To delete states is to copy those that stay: if fewer than this part of them would go, all stay.
const WORTH_DELETING: u32 = if cfg!(test) { 2 } else { 32 };

/// The states of one progress value.
pub(crate) struct ProgressLayer {
    states: StateTable,
    tags: Tags,
    cursors: Cursors,
    /// Bytes allocated, when they were last counted.
    bytes: usize,
}

impl ProgressLayer {
    /// Bytes of a layer without states.
    pub(super) const EMPTY_BYTES: usize = Tags::EMPTY_BYTES;

    pub(super) fn new(fixed_words: Option<usize>) -> ProgressLayer {
        let (tags, cursors) = (Tags::default(), Cursors::default());
        ProgressLayer { states: StateTable::new(fixed_words), tags, cursors, bytes: 0 }
    }

    pub(crate) fn get(&self, id: StateId) -> &[Word] {
        self.states.get(id)
    }

    pub(crate) fn tag(&self, id: StateId) -> Tag {
        self.tags.of(id)
    }

    pub(crate) fn table(&self) -> &StateTable {
        &self.states
    }

    pub(crate) fn len(&self) -> u32 {
        self.states.len()
    }

    /// How many states there are.
    pub(crate) fn states(&self) -> u32 {
        self.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Is this persistent state still to be expanded?
    pub(crate) fn is_root(&self, id: StateId) -> bool {
        self.cursors.is_root(id)
    }

    /// The persistent states that have been expanded.
    pub(crate) fn persistent(&self) -> impl Iterator<Item = StateId> {
        self.section(Section::Persistent)
    }

    /// All states, in order.
    pub(crate) fn ids(&self) -> impl Iterator<Item = StateId> + use<> {
        (0..self.len()).map(StateId)
    }

    /// Is this state still to be expanded?
    pub(crate) fn waits(&self, id: StateId) -> bool {
        self.cursors.waits(id)
    }

    /// Is this state kept as long as its column?
    pub(crate) fn is_persistent(&self, id: StateId) -> bool {
        id.0 < self.cursors.persistent()
    }

    pub(super) fn section(&self, section: Section) -> impl Iterator<Item = StateId> + use<> {
        self.cursors.section(section, self.len()).map(StateId)
    }

    /// Is any state persistent?
    pub(super) fn has_persistent(&self) -> bool {
        self.cursors.persistent() > 0
    }

    /// Does a state wait?
    pub(crate) fn has_waiting(&self) -> bool {
        self.waiting() > 0
    }

    /// How many states wait.
    #[inline]
    pub(super) fn waiting(&self) -> u32 {
        self.cursors.waiting(self.len())
    }

    /// Have all states been expanded that are not persistent?
    pub(super) fn has_passed(&self) -> bool {
        self.cursors.has_passed(self.len())
    }

    /// The next state to expand; it waits no longer.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<StateId> {
        self.cursors.pop(self.states.len())
    }

    /// The state that was popped last waits again.
    pub(super) fn unpop(&mut self, id: StateId) {
        self.cursors.unpop(id);
    }

    /// Writes all states, with what is known of them.
    pub(super) fn save(&self, fixed_words: Option<usize>, to: &mut Writer<'_>) -> io::Result<()> {
        to.number(u64::from(self.len()))?;
        self.cursors.numbers().into_iter().try_for_each(|number| to.number(u64::from(number)))?;
        (0..self.len()).map(StateId).try_for_each(|id| {
            to.number(self.tag(id).bits())?;
            to.state(fixed_words, self.get(id))
        })
    }

    /// Reads what `save` wrote into a layer without states.
    pub(super) fn load<V: Copy + PartialEq, O: Observer>(
        &mut self,
        fixed_words: Option<usize>,
        from: &mut Reader<'_>,
        account: &mut Account,
        control: &mut Control<'_, V, O>,
    ) -> Result<(), End> {
        let len: u32 = from.small()?;
        let cursors = [from.small()?, from.small()?, from.small()?];
        self.cursors = Cursors::of_numbers(cursors, len).ok_or(ResumeFault::Mismatch)?;
        let mut state = Vec::new();
        for _ in 0..len {
            let tag = Tag::of_bits(from.number()?);
            from.state(fixed_words, &mut state)?;
            let growth = self.tags.growth() + self.states.growth(state.len());
            if growth > 0 {
                control.allow(growth)?;
            }
            if let Inserted::Known(_) = self.states.insert(&state) {
                return Err(ResumeFault::Mismatch.into());
            }
            self.tags.push(tag);
            if growth > 0 {
                self.count(account);
            }
        }
        Ok(())
    }

    /// Deletes all states; what is allocated stays.
    pub(super) fn clear(&mut self) {
        self.states.clear();
        self.tags.clear();
        self.cursors = Cursors::default();
    }

    /// Counts the memory again in the account of all layers: something was stored or deleted.
    pub(super) fn count(&mut self, account: &mut Account) {
        let before = self.bytes;
        self.bytes = self.states.bytes() + self.tags.bytes();
        account.set(account.bytes() - before + self.bytes);
    }

    /// Where a state is stored, if it is.
    #[inline(always)]
    pub(super) fn find(&self, (hash, state): (u64, &[Word])) -> Option<StateId> {
        self.states.find(hash, state)
    }

    /// Whether a state is stored and waits no longer.
    pub(super) fn is_done(&self, (hash, state): (u64, &[Word])) -> bool {
        self.states.find(hash, state).is_some_and(|id| !self.cursors.waits(id))
    }

    /// Stores a state that is not known.
    #[inline]
    pub(super) fn store<V: Copy + PartialEq, O: Observer>(
        &mut self,
        retention: Retention,
        Candidate { hash, state, depth }: Candidate<'_>,
        account: &mut Account,
        control: &mut Control<'_, V, O>,
    ) -> Result<StateId, End> {
        // A state that will be expanded anyway need not be kept for it.
        let persists = retention == Retention::Persistent && self.has_passed();
        if persists {
            control.deleted(u64::from(self.delete_passed(account)));
        }
        if self.states.len() == StateTable::MOST_STATES {
            return Err(End::Stopped(StopReason::States));
        }
        let growth = self.tags.growth() + self.states.growth(state.len());
        if growth > 0 {
            control.allow(growth)?;
        }
        let number = control.stats.states;
        control.admit(state, depth)?;
        let id = self.states.add(hash, state);
        self.tags.push(Tag::new(number, depth));
        if growth > 0 {
            self.count(account);
        }
        if persists {
            self.cursors.add_root();
            control.stats.sweep.persistent += 1;
        }
        Ok(id)
    }

    /// Stores a state that is not known here but has a tag.
    pub(super) fn store_again<V: Copy + PartialEq, O: Observer>(
        &mut self,
        (hash, state): (u64, &[Word]),
        tag: Tag,
        account: &mut Account,
        control: &mut Control<'_, V, O>,
    ) -> Result<(), End> {
        let growth = self.tags.growth() + self.states.growth(state.len());
        if growth > 0 {
            control.allow(growth)?;
        }
        control.stored_again();
        self.states.add(hash, state);
        self.tags.push(tag);
        if growth > 0 {
            self.count(account);
        }
        Ok(())
    }

    /// Takes over a state of a section of a layer of another measure.
    pub(super) fn take_over(&mut self, from: &ProgressLayer, id: StateId, section: Section, keeps_persistent: bool) {
        self.states.insert(from.get(id));
        self.tags.push(from.tag(id));
        match section {
            Section::Persistent => self.cursors.add_expanded(),
            Section::Roots if keeps_persistent => self.cursors.add_root(),
            Section::Roots | Section::Waiting => {}
        }
    }

    /// Deletes all but the persistent states; says how many.
    pub(super) fn delete_passed(&mut self, account: &mut Account) -> u32 {
        let persistent = self.cursors.persistent();
        let deleted = self.states.len() - persistent;
        if deleted > 0 {
            self.states = self.states.prefix(persistent);
            self.tags.truncate(persistent);
            self.cursors.delete_passed();
            self.count(account);
        }
        deleted
    }

    /// Are there so few states to delete, and none that waits, that copying the others would be most of the work?
    pub(super) fn is_mostly_persistent(&self) -> bool {
        let persistent = self.cursors.persistent();
        !self.has_waiting() && self.len() - persistent < persistent / WORTH_DELETING
    }

    /// All states become persistent.
    pub(super) fn keep_all(&mut self) {
        self.cursors.keep_all(self.len());
    }
}
