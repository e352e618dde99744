//! What a search knows of each stored state besides its words: its number in the predecessor log, and its depth.
//!
//! A tag is one word of 64 bits. Tags are in the order of the states of their layer.

use super::super::StateId;
use super::super::metered::{BLOCK, growth};

/// The bits that hold the depth; the numbers of the log fit into the others.
const DEPTH_BITS: u32 = 24;

/// The number and the depth of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Tag(u64);

impl Tag {
    pub(crate) fn new(number: u64, depth: u64) -> Tag {
        Tag(number << DEPTH_BITS | depth.min((1 << DEPTH_BITS) - 1))
    }

    /// The number in the predecessor log.
    pub(crate) fn number(self) -> u64 {
        self.0 >> DEPTH_BITS
    }

    pub(crate) fn depth(self) -> u64 {
        self.0 & ((1 << DEPTH_BITS) - 1)
    }
}

/// The tags of a layer.
#[derive(Default)]
pub(super) struct Tags(Vec<Tag>);

impl Tags {
    #[inline]
    pub(super) fn get(&self, id: StateId) -> Option<Tag> {
        self.0.get(id.0 as usize).copied()
    }

    /// The tag of a state that is in the layer.
    #[inline]
    pub(super) fn of(&self, id: StateId) -> Tag {
        self.0[id.0 as usize]
    }

    #[inline]
    pub(super) fn push(&mut self, tag: Tag) {
        self.0.push(tag);
    }

    /// Keeps the tags of the first `len` states.
    pub(super) fn truncate(&mut self, len: u32) {
        self.0.truncate(len as usize);
        self.0.shrink_to_fit();
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Bytes that one tag more would allocate.
    #[inline]
    pub(super) fn growth(&self) -> usize {
        growth(&self.0, 1)
    }

    pub(super) fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<Tag>() + BLOCK
    }
}
