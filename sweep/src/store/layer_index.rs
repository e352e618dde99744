//! Layers by progress: an ordered index, and in front of it a small table of the layers that were looked up last.
//!
//! Steps lead to a few values of progress again and again, so the table answers nearly all lookups; the index
//! knows the order. Layers do not move: a place is valid until its layer is removed.
//! Invariant: what the table says is what the index says.

use std::collections::BTreeMap;
use std::ops::{Index, IndexMut, RangeInclusive};

use crate::measure::Progress;

/// Entries of the table.
const RECENT: usize = 64;
/// The place of nothing.
const NOWHERE: Place = Place(u32::MAX);

/// Bytes of an entry of the index, in nodes of a B-tree that are half full.
const ENTRY_BYTES: usize = 48;

/// Where a layer is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place(u32);

/// Layers in the order of their progress.
pub(crate) struct LayerIndex<T> {
    index: BTreeMap<Progress, Place>,
    slots: Vec<Option<(Progress, T)>>,
    free: Vec<Place>,
    recent: Box<[(Progress, Place); RECENT]>,
}

impl<T> LayerIndex<T> {
    pub(crate) fn new() -> Self {
        let recent = Box::new([(Progress::default(), NOWHERE); RECENT]);
        LayerIndex { index: BTreeMap::new(), slots: Vec::new(), free: Vec::new(), recent }
    }

    /// Where the layer at this progress is, if there is one.
    #[inline(always)]
    pub(crate) fn find(&mut self, progress: Progress) -> Option<Place> {
        let (known, place) = self.recent[slot(progress)];
        if known == progress && place != NOWHERE {
            return Some(place);
        }
        let place = *self.index.get(&progress)?;
        self.recent[slot(progress)] = (progress, place);
        Some(place)
    }

    /// The progress of the layer at this place.
    pub(crate) fn progress(&self, place: Place) -> Progress {
        self.at(place).0
    }

    #[inline]
    fn at(&self, place: Place) -> &(Progress, T) {
        self.slots[place.0 as usize].as_ref().expect("a place is used only while its layer is there")
    }

    /// The layer at this progress.
    pub(crate) fn get(&self, progress: Progress) -> Option<&T> {
        self.index.get(&progress).map(|&place| &self[place])
    }

    /// All layers, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Progress, &T)> {
        self.index.iter().map(|(&progress, &place)| (progress, &self[place]))
    }

    /// The layers from one progress to another, both included, in order.
    pub(crate) fn range(&self, range: RangeInclusive<Progress>) -> impl Iterator<Item = (Progress, &T)> {
        self.index.range(range).map(|(&progress, &place)| (progress, &self[place]))
    }

    /// Adds a layer where there is none.
    pub(crate) fn insert(&mut self, progress: Progress, layer: T) -> Place {
        let place = self.free.pop().unwrap_or_else(|| {
            // Doubling could exceed the memory that is left.
            if self.slots.len() == self.slots.capacity() {
                self.slots.reserve_exact(self.more_slots());
            }
            self.slots.push(None);
            Place(self.slots.len() as u32 - 1)
        });
        self.slots[place.0 as usize] = Some((progress, layer));
        self.index.insert(progress, place);
        self.recent[slot(progress)] = (progress, place);
        place
    }

    /// Removes a layer.
    pub(crate) fn remove(&mut self, progress: Progress) -> Option<T> {
        let place = self.index.remove(&progress)?;
        self.release(progress, place)
    }

    /// Removes the first layer, if its progress is as wanted.
    pub(crate) fn remove_first(&mut self, wanted: impl FnOnce(Progress) -> bool) -> Option<T> {
        let first = self.index.first_entry().filter(|first| wanted(*first.key()))?;
        let (progress, place) = first.remove_entry();
        self.release(progress, place)
    }

    /// Removes the last layer, if its progress is as wanted.
    pub(crate) fn remove_last(&mut self, wanted: impl FnOnce(Progress) -> bool) -> Option<(Progress, T)> {
        let last = self.index.last_entry().filter(|last| wanted(*last.key()))?;
        let (progress, place) = last.remove_entry();
        Some((progress, self.release(progress, place)?))
    }

    /// Removes all layers, in order.
    pub(crate) fn take_all(&mut self) -> Vec<(Progress, T)> {
        let index = std::mem::take(&mut self.index);
        let taken = index.into_iter().filter_map(|(at, place)| Some((at, self.release(at, place)?)));
        taken.collect()
    }

    /// How many slots are added when there is none left.
    fn more_slots(&self) -> usize {
        64 + self.slots.len() / 8
    }

    /// Bytes that inserting this many layers could allocate, without what the layers own.
    pub(crate) fn growth(&self, layers: usize) -> usize {
        let room = self.free.len() + self.slots.capacity() - self.slots.len();
        let slots = if layers <= room { 0 } else { layers + self.more_slots() };
        slots * size_of::<Option<(Progress, T)>>() + layers * ENTRY_BYTES
    }

    /// Bytes allocated, without what the layers own.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.recent)
            + self.slots.capacity() * size_of::<Option<(Progress, T)>>()
            + self.free.capacity() * size_of::<Place>()
            + self.index.len() * ENTRY_BYTES
    }

    fn release(&mut self, progress: Progress, place: Place) -> Option<T> {
        let recent = &mut self.recent[slot(progress)];
        if recent.0 == progress {
            recent.1 = NOWHERE;
        }
        self.free.push(place);
        self.slots[place.0 as usize].take().map(|(_, layer)| layer)
    }
}

impl<T> Index<Place> for LayerIndex<T> {
    type Output = T;

    #[inline]
    fn index(&self, place: Place) -> &T {
        &self.at(place).1
    }
}

impl<T> IndexMut<Place> for LayerIndex<T> {
    #[inline]
    fn index_mut(&mut self, place: Place) -> &mut T {
        let layer = self.slots[place.0 as usize].as_mut();
        &mut layer.expect("a place is used only while its layer is there").1
    }
}

/// The entry of the table for a progress.
#[inline]
fn slot(progress: Progress) -> usize {
    let folded = (progress.0 ^ progress.0 >> 64) as u64;
    (folded.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_index_is_a_map(calls in prop::collection::vec((0..5u8, 0..300u32), 0..600)) {
            let mut index = LayerIndex::new();
            let mut map = BTreeMap::new();
            for (number, (call, key)) in calls.into_iter().enumerate() {
                let at = Progress(u128::from(key / 7) << 60 | u128::from(key % 7));
                let found = index.find(at).map(|place| index[place]);
                prop_assert_eq!(found, map.get(&at).copied());
                match (call, found) {
                    (0 | 1, None) => {
                        let allowed = index.bytes() + index.growth(1);
                        let place = index.insert(at, number);
                        prop_assert!(index.bytes() <= allowed, "growth is announced");
                        map.insert(at, number);
                        prop_assert_eq!(index[place], number);
                    }
                    (2, _) => prop_assert_eq!(index.remove(at), map.remove(&at)),
                    (3, _) => {
                        let first = map.first_key_value().map(|(first, _)| *first).filter(|first| *first < at);
                        prop_assert_eq!(index.remove_first(|first| first < at), first.and_then(|first| map.remove(&first)));
                    }
                    (4, _) => {
                        let last = map.last_key_value().map(|(last, _)| *last).filter(|last| *last > at);
                        let expected = last.and_then(|last| map.remove_entry(&last));
                        prop_assert_eq!(index.remove_last(|last| last > at), expected);
                    }
                    _ => {}
                }
            }
            prop_assert_eq!(index.take_all(), map.into_iter().collect::<Vec<_>>());
            prop_assert_eq!(index.take_all(), vec![]);
        }
    }
}
