//! State space caching: depth-first search that remembers the open states, and of the others as many as there is room for.
//!
//! The open states are a set of their own. Closed ones go to the younger of two layers; when there is no room, the older
//! table is dropped and the younger takes its place. So what is deleted was closed longest ago, and deleting costs
//! nothing but freeing.
//! Invariant: the open states are all remembered, so no path runs in a circle and the search ends; without room it may
//! take exponential time.
//!
//! Jard, Jéron, "Bounded-memory Algorithms for Verification On-the-fly", CAV 1991.

use std::collections::HashSet;
use std::rc::Rc;

use statespace::Word;

use super::dfs::{Closing, Met, Visited};
use crate::control::{Control, End, Revisits};
use crate::meter::{Account, Meter};
use crate::observer::Observer;
use crate::store::events::Events;
use crate::store::metered::growth;
use crate::store::{StateTable, hash};

/// Bytes of an open state besides its words: the counters of its owners, and what the allocator adds to a piece of memory
/// and may leave between two.
const OPEN_BYTES: usize = 2 * size_of::<usize>() + 16;
/// Bytes of a place in the set, of which it has a byte more for its own use, and one in eight stays free.
const PLACE_BYTES: usize = (size_of::<Rc<[Word]>>() + 1) * 8 / 7 + 1;

/// The account changes by multiples of this many bytes.
const COUNTED: usize = 1 << 12;

/// A bounded set of visited states.
pub(crate) struct Cache {
    /// The most states to remember, the open ones included.
    most: u64,
    fixed_words: Option<usize>,
    path: Vec<Rc<[Word]>>,
    open: HashSet<Rc<[Word]>>,
    open_bytes: usize,
    young: StateTable,
    old: StateTable,
    account: Account,
}

impl Cache {
    pub(crate) fn new(fixed_words: Option<usize>, most: u64, meter: &Meter) -> Self {
        Cache {
            most,
            fixed_words,
            path: Vec::new(),
            open: HashSet::new(),
            open_bytes: 0,
            young: StateTable::new(fixed_words),
            old: StateTable::new(fixed_words),
            account: meter.account(),
        }
    }

    /// Is this state remembered?
    fn knows(&self, hash: u64, state: &[Word]) -> bool {
        self.young.find(hash, state).is_some() || self.open.contains(state) || self.old.find(hash, state).is_some()
    }

    /// Counts the memory again. Open states come and go: they are counted in steps.
    fn count(&mut self) {
        self.account.set(self.bytes().next_multiple_of(COUNTED));
    }

    fn bytes(&self) -> usize {
        let places = self.open.capacity() * PLACE_BYTES + self.path.capacity() * size_of::<Rc<[Word]>>();
        self.open_bytes + places + self.young.bytes() + self.old.bytes()
    }

    /// Bytes that one more open state would allocate besides itself.
    fn growth(&self) -> usize {
        // The old set is there until the new one, of twice the size, is filled.
        let set =
            if self.open.len() == self.open.capacity() { 2 * self.open.capacity().max(4) * PLACE_BYTES } else { 0 };
        set + growth(&self.path, 1)
    }

    /// Deletes closed states until there is room for one more, or none is left.
    fn make_room<V: Copy + PartialEq, O: Observer>(&mut self, control: &mut Control<'_, V, O>) {
        while control.stats.stored >= self.most && self.young.len() + self.old.len() > 0 {
            control.revisits = Revisits::Possible;
            control.deleted(u64::from(self.old.len()));
            let empty = StateTable::new(self.fixed_words);
            self.old = std::mem::replace(&mut self.young, empty);
        }
    }
}

impl<V: Copy + PartialEq> Visited<V> for Cache {
    fn enter<O: Observer>(
        &mut self,
        (hash, state): (u64, &[Word]),
        depth: u64,
        control: &mut Control<'_, V, O>,
    ) -> Result<bool, End> {
        if self.knows(hash, state) {
            return Ok(false);
        }
        self.make_room(control);
        let bytes = size_of_val(state) + OPEN_BYTES;
        control.allow(bytes + self.growth())?;
        control.admit(state, depth)?;
        self.open_bytes += bytes;
        let state: Rc<[Word]> = state.into();
        self.open.insert(Rc::clone(&state));
        self.path.push(state);
        self.count();
        Ok(true)
    }

    fn entered(&self) -> &[Word] {
        self.path.last().map_or(&[], |state| state)
    }

    fn meet(&mut self, _: u32, hash: u64, state: &[Word]) -> Met<V> {
        if self.knows(hash, state) { Met::Known } else { Met::New }
    }

    fn leave<O: Observer>(&mut self, control: &mut Control<'_, V, O>) -> Result<Option<Closing<V>>, End> {
        if let Some(state) = self.path.pop() {
            self.open.remove(&state);
            self.open_bytes -= size_of_val(&*state) + OPEN_BYTES;
            let growth = self.young.growth(state.len());
            if growth > 0 {
                control.allow(growth)?;
            }
            self.young.insert_hashed(hash(&state), &state);
            self.count();
        }
        Ok(None)
    }

    fn may_be_done(&self, hash: u64, state: &[Word]) -> bool {
        self.knows(hash, state)
    }

    fn prefetch(&self, events: &Events<V>) {
        events.prefetch(&self.young);
    }
}
