//! What is in a channel: for each message, the least and the greatest number of copies over all states.
//!
//! A message that was not there in an earlier state had no copies then, so only those that have been in the channel in
//! every state so far need be looked at when they are missing. States in which the channel does not exist do not count.

use std::collections::HashMap;

use interp::exec::channel::Channel;
use interp::ids::ExpressionId;
use interp::{Model, Word};
use promela::ids::ChanTypeId;

/// The most messages that are counted.
const MOST_MESSAGES: usize = 1 << 16;

/// The contents of one channel.
pub struct Contents {
    /// The channel, as written.
    pub text: String,
    /// Its number, as an expression.
    pub id: ExpressionId,
    /// Whether there were more messages than are counted.
    pub overflowed: bool,
    messages: HashMap<Vec<i32>, usize>,
    counts: Vec<Count>,
    /// Messages that were there in every state so far.
    lasting: Vec<usize>,
    states: u64,
    ty: Option<ChanTypeId>,
    buffer: Vec<i32>,
}

/// The copies of one message.
#[derive(Clone, Copy)]
struct Count {
    least: u32,
    greatest: u32,
    /// The number of a state, and the copies in it.
    now: (u64, u32),
}

/// A message and the bounds of its copies.
pub struct Copies {
    /// Its fields, as people read them.
    pub message: Vec<String>,
    /// The fewest copies.
    pub least: u32,
    /// The most.
    pub greatest: u32,
}

impl Contents {
    /// Nothing is known of the channel with this number.
    pub fn new(text: String, id: ExpressionId) -> Contents {
        Contents {
            text,
            id,
            overflowed: false,
            messages: HashMap::new(),
            counts: Vec::new(),
            lasting: Vec::new(),
            states: 0,
            ty: None,
            buffer: Vec::new(),
        }
    }

    /// Notes what is in the channel in a state.
    pub fn note(&mut self, channel: Channel<'_>, state: &[Word]) {
        let first = self.states == 0;
        self.states += 1;
        self.ty = Some(channel.place.ty);
        for slot in 0..channel.len(state) {
            self.buffer.clear();
            let fields = 0..channel.shape.fields.len();
            self.buffer.extend(fields.map(|nth| channel.field(slot, nth).get(state, 0)));
            let index = match self.messages.get(&self.buffer) {
                Some(&index) => index,
                None if self.counts.len() >= MOST_MESSAGES => {
                    self.overflowed = true;
                    continue;
                }
                None => {
                    let index = self.counts.len();
                    self.messages.insert(self.buffer.clone(), index);
                    self.counts.push(Count { least: if first { u32::MAX } else { 0 }, greatest: 0, now: (0, 0) });
                    if first {
                        self.lasting.push(index);
                    }
                    index
                }
            };
            let count = &mut self.counts[index];
            let before = if count.now.0 == self.states { count.now.1 } else { 0 };
            count.now = (self.states, before + 1);
            count.greatest = count.greatest.max(before + 1);
        }
        let (states, counts) = (self.states, &mut self.counts);
        self.lasting.retain(|&index| {
            let count = &mut counts[index];
            count.least = if count.now.0 == states { count.least.min(count.now.1) } else { 0 };
            count.least > 0
        });
    }

    /// In how many visits of states the channel was there.
    pub fn existed(&self) -> bool {
        self.states > 0
    }

    /// All messages, in order.
    pub fn copies(&self, model: &Model) -> Vec<Copies> {
        let Some(ty) = self.ty else { return Vec::new() };
        let types = &model.checked.chan_types[ty].fields;
        let mut messages: Vec<(&Vec<i32>, &usize)> = self.messages.iter().collect();
        messages.sort();
        let show = |fields: &[i32]| fields.iter().zip(types).map(|(&value, &ty)| model.show_value(ty, value)).collect();
        let copies = messages.into_iter().map(|(fields, &index)| {
            let Count { least, greatest, .. } = self.counts[index];
            Copies { message: show(fields), least, greatest }
        });
        copies.collect()
    }
}
