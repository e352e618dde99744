//! Messages in a state: the slots of one channel, free ones always zero.

use crate::code::layout::{ChannelPlace, ChannelShape};
use crate::code::state::Field;
use statespace::Word;

/// One channel of a state.
#[derive(Clone, Copy)]
pub struct Channel<'a> {
    /// Where it is.
    pub place: ChannelPlace,
    /// What it looks like.
    pub shape: &'a ChannelShape,
}

impl Channel<'_> {
    /// Whether sender and receiver must meet.
    pub fn is_rendezvous(self) -> bool {
        self.shape.capacity == 0
    }

    /// Number of messages.
    #[inline]
    pub fn len(self, words: &[Word]) -> u32 {
        if self.is_rendezvous() { 0 } else { self.place.len.get(words, 0) as u32 }
    }

    /// Whether no message can be added.
    #[inline]
    pub fn is_full(self, words: &[Word]) -> bool {
        !self.is_rendezvous() && self.len(words) == self.shape.capacity
    }

    /// The place of one field of one message.
    #[inline]
    pub fn field(self, slot: u32, field: usize) -> Field {
        let inside = self.shape.fields[field];
        if self.shape.slot_bits == 0 {
            return Field { word: self.place.word + slot * self.shape.slot_words + inside.word, ..inside };
        }
        let (word, nth) = (slot / self.shape.per_word, slot % self.shape.per_word);
        let shift = self.place.shift + nth as u8 * self.shape.slot_bits + inside.shift;
        Field { word: self.place.word + word, shift, ..inside }
    }

    /// Puts a message in front of the one in `slot` (behind the last: `slot` is the length).
    pub fn insert(self, words: &mut [Word], slot: u32, message: &[i32]) {
        let len = self.len(words);
        for later in (slot..len).rev() {
            self.copy(words, later, later + 1);
        }
        for (nth, &value) in message.iter().enumerate().take(self.shape.fields.len()) {
            self.field(slot, nth).set(words, 0, value);
        }
        self.place.len.set(words, 0, len as i32 + 1);
    }

    /// Takes the message in `slot` out.
    pub fn remove(self, words: &mut [Word], slot: u32) {
        let last = self.len(words) - 1;
        for later in slot..last {
            self.copy(words, later + 1, later);
        }
        for nth in 0..self.shape.fields.len() {
            self.field(last, nth).set(words, 0, 0);
        }
        self.place.len.set(words, 0, last as i32);
    }

    fn copy(self, words: &mut [Word], from: u32, to: u32) {
        if self.shape.slot_bits == 0 {
            let at = |slot: u32| (self.place.word + slot * self.shape.slot_words) as usize;
            let source = at(from)..at(from) + self.shape.slot_words as usize;
            words.copy_within(source, at(to));
        } else {
            let value = self.whole(from).get(words, 0);
            self.whole(to).set(words, 0, value);
        }
    }

    /// A slot that shares its word, as one field.
    fn whole(self, slot: u32) -> Field {
        let (word, nth) = (slot / self.shape.per_word, slot % self.shape.per_word);
        let shift = self.place.shift + nth as u8 * self.shape.slot_bits;
        Field::new(self.place.word + word, shift, self.shape.slot_bits, false, false)
    }

    /// Where a sorted send puts a message: in front of the first that is greater, field by field.
    pub fn sorted_slot(self, words: &[Word], message: &[i32]) -> u32 {
        let len = self.len(words);
        (0..len)
            .find(|&slot| {
                let stored = (0..self.shape.fields.len()).map(|nth| self.field(slot, nth).get(words, 0));
                message.iter().copied().lt(stored)
            })
            .unwrap_or(len)
    }
}
