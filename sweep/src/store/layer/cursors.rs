//! Which states of a layer are persistent, and which are still to be expanded.
//!
//! The persistent states come first; behind them are those that are deleted when the sweep has passed. Both parts end
//! with the states that wait: of the persistent ones, the roots of the next sweep; of the others, the tail. So three
//! numbers say all of it, whatever holds the states.

use std::ops::Range;

use super::super::StateId;

/// Positions in a layer; `len` is always the number of its states.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Cursors {
    /// The states before this are persistent.
    persistent: u32,
    /// Of the persistent states, those from this on wait.
    next_root: u32,
    /// Of the others, those from this on wait.
    next: u32,
}

/// A part of a layer whose states must not be lost when the measure changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::store) enum Section {
    /// Persistent, expanded.
    Persistent,
    /// Persistent, waiting.
    Roots,
    /// Not persistent, waiting.
    Waiting,
}

impl Section {
    /// In the order in which they stand in a layer.
    pub(in crate::store) const ALL: [Section; 3] = [Section::Persistent, Section::Roots, Section::Waiting];
}

impl Cursors {
    pub(super) fn section(self, section: Section, len: u32) -> Range<u32> {
        match section {
            Section::Persistent => 0..self.next_root,
            Section::Roots => self.next_root..self.persistent,
            Section::Waiting => self.next..len,
        }
    }

    pub(super) fn persistent(self) -> u32 {
        self.persistent
    }

    /// Does this persistent state wait?
    pub(super) fn is_root(self, id: StateId) -> bool {
        id.0 >= self.next_root
    }

    /// Is this state still to be expanded?
    pub(super) fn waits(self, id: StateId) -> bool {
        (self.next_root..self.persistent).contains(&id.0) || id.0 >= self.next
    }

    /// How many states wait.
    #[inline]
    pub(super) fn waiting(self, len: u32) -> u32 {
        self.persistent - self.next_root + len - self.next
    }

    /// Have all states been expanded that are not persistent?
    #[inline]
    pub(super) fn has_passed(self, len: u32) -> bool {
        self.next == len
    }

    /// The next state to expand, which waits no longer.
    #[inline]
    pub(super) fn pop(&mut self, len: u32) -> Option<StateId> {
        let next = match self.next_root < self.persistent {
            true => &mut self.next_root,
            false if self.next < len => &mut self.next,
            false => return None,
        };
        *next += 1;
        Some(StateId(*next - 1))
    }

    /// The state that was popped last waits again.
    pub(super) fn unpop(&mut self, id: StateId) {
        let next = if id.0 < self.persistent { &mut self.next_root } else { &mut self.next };
        *next = id.0;
    }

    /// The three numbers.
    pub(super) fn numbers(self) -> [u32; 3] {
        [self.next_root, self.persistent, self.next]
    }

    /// Cursors of these numbers, if they can be those of so many states.
    pub(super) fn of_numbers(numbers: [u32; 3], len: u32) -> Option<Cursors> {
        let [next_root, persistent, next] = numbers;
        (next_root <= persistent && persistent <= next && next <= len).then_some(Cursors {
            persistent,
            next_root,
            next,
        })
    }

    /// The states that are not persistent have been deleted.
    pub(super) fn delete_passed(&mut self) {
        self.next = self.persistent;
    }

    /// A state was added behind persistent ones only: it is persistent, and a root.
    pub(super) fn add_root(&mut self) {
        self.persistent += 1;
        self.next = self.persistent;
    }

    /// The same, and it has been expanded.
    pub(super) fn add_expanded(&mut self) {
        self.add_root();
        self.next_root = self.persistent;
    }

    /// All states are persistent, and none waits.
    pub(super) fn keep_all(&mut self, len: u32) {
        *self = Cursors { persistent: len, next_root: len, next: len };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_come_before_the_tail_and_all_are_expanded_once() {
        let mut cursors = Cursors::default();
        cursors.add_expanded();
        cursors.add_root();
        cursors.add_root();
        let len = 5;
        assert_eq!(cursors.waiting(len), 4);
        let order: Vec<u32> = std::iter::from_fn(|| cursors.pop(len)).map(|id| id.0).collect();
        assert_eq!(order, [1, 2, 3, 4]);
        assert!(cursors.has_passed(len) && cursors.waiting(len) == 0);
        assert_eq!(cursors.section(Section::Persistent, len), 0..3);
        cursors.delete_passed();
        assert_eq!((cursors.waiting(3), cursors.persistent()), (0, 3));
    }

    #[test]
    fn what_waits_is_what_will_be_expanded() {
        let mut cursors = Cursors::default();
        cursors.add_expanded();
        cursors.add_root();
        cursors.add_root();
        let len = 5;
        for _ in 0..=len {
            let waits: Vec<u32> = (0..len).filter(|&id| cursors.waits(StateId(id))).collect();
            let mut later = cursors;
            let expanded: Vec<u32> = std::iter::from_fn(|| later.pop(len)).map(|id| id.0).collect();
            assert_eq!(waits, expanded);
            assert_eq!(Cursors::of_numbers(cursors.numbers(), len), Some(cursors));
            let before = cursors;
            if let Some(id) = cursors.pop(len) {
                let mut again = cursors;
                again.unpop(id);
                assert_eq!(again, before);
            }
        }
    }

    #[test]
    fn sections_are_what_a_change_of_the_measure_must_keep() {
        let mut cursors = Cursors::default();
        cursors.add_expanded();
        cursors.add_root();
        let tail = |cursors: Cursors| Section::ALL.map(|section| cursors.section(section, 4));
        assert_eq!(tail(cursors), [0..1, 1..2, 2..4]);
        cursors.pop(4);
        cursors.pop(4);
        assert_eq!(tail(cursors), [0..2, 2..2, 3..4]);
        cursors.keep_all(4);
        assert_eq!(tail(cursors), [0..4, 4..4, 4..4]);
    }
}
