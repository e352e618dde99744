//! Depth-first search that remembers hashes of states: bits of a table, or hashes of eight bytes.
//!
//! A state may be taken for another one and be left out, with everything behind it. So such a search proves nothing, and ends
//! with `StopReason::Hashed` at best. Invariant: what it enters is reachable, its path is a run, and no state is entered
//! twice, so violations are real and states are counted.
//!
//! Paths may be cut off at a depth. What is behind is then searched only if another path leads there.

use statespace::Word;

use super::dfs::{Closing, Met, Visited};
use crate::control::{Control, End, HashedTable};
use crate::meter::Meter;
use crate::observer::Observer;
use crate::store::bit_table::BitTable;
use crate::store::events::Events;
use crate::store::fingerprints::Fingerprints;

/// What is remembered of states.
pub(crate) enum Hashes {
    Bits(BitTable),
    Compact(Fingerprints),
}

/// The states that were visited, by their hashes, and the one that was entered last.
pub(crate) struct Hashed {
    hashes: Hashes,
    entered: Vec<Word>,
    most_depth: u64,
    /// Paths that were cut off.
    pub(crate) cut: u64,
}

impl Hashed {
    /// What `table` says, with this seed; paths are cut off behind a depth.
    pub(crate) fn new(table: HashedTable, seed: u64, most_depth: u64, meter: &Meter) -> Result<Self, End> {
        let hashes = match table {
            HashedTable::Bits(bytes) => Hashes::Bits(BitTable::new(bytes, seed, meter).map_err(End::Stopped)?),
            HashedTable::Compact => Hashes::Compact(Fingerprints::new(meter)),
        };
        Ok(Hashed { hashes, entered: Vec::new(), most_depth, cut: 0 })
    }

    #[inline]
    fn contains(&self, hash: u64) -> bool {
        match &self.hashes {
            Hashes::Bits(table) => table.contains(hash),
            Hashes::Compact(set) => set.contains(hash),
        }
    }
}

impl<V: Copy + PartialEq> Visited<V> for &mut Hashed {
    #[inline]
    fn enter<O: Observer>(
        &mut self,
        (hash, state): (u64, &[Word]),
        depth: u64,
        control: &mut Control<'_, V, O>,
    ) -> Result<bool, End> {
        if self.contains(hash) {
            return Ok(false);
        }
        if depth > self.most_depth {
            self.cut += 1;
            return Ok(false);
        }
        if let Hashes::Compact(set) = &mut self.hashes
            && set.growth() > 0
        {
            control.allow(set.growth())?;
            set.grow();
        }
        control.admit(state, depth)?;
        match &mut self.hashes {
            Hashes::Bits(table) => table.add(hash),
            Hashes::Compact(set) => set.add(hash),
        }
        self.entered.clear();
        self.entered.extend_from_slice(state);
        Ok(true)
    }

    #[inline]
    fn entered(&self) -> &[Word] {
        &self.entered
    }

    #[inline]
    fn meet(&mut self, _: u32, hash: u64, _: &[Word]) -> Met<V> {
        if self.contains(hash) { Met::Known } else { Met::New }
    }

    #[inline]
    fn leave<O: Observer>(&mut self, _: &mut Control<'_, V, O>) -> Result<Option<Closing<V>>, End> {
        Ok(None)
    }

    #[inline]
    fn may_be_done(&self, hash: u64, _: &[Word]) -> bool {
        self.contains(hash)
    }

    #[inline]
    fn prefetch(&self, events: &Events<V>) {
        events.hashes().for_each(|hash| match &self.hashes {
            Hashes::Bits(table) => table.prefetch(hash),
            Hashes::Compact(set) => set.prefetch(hash),
        });
    }
}
