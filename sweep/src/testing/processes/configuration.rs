//! A state of a system of processes as one number, and as words.
//!
//! Invariant: what does not exist is 0, so equal states are equal numbers, and equal words.

use statespace::Word;

/// The most processes, each with one variable of its own,
pub const PROCESSES: usize = 4;
/// shared variables,
pub const SHARED: usize = 3;
/// and channels, of at most two messages.
pub const CHANNELS: usize = 2;
/// Variables have values from 0 up to this.
pub const VALUES: u8 = 3;

const LOCATION_BITS: usize = 4;
const VALUE_BITS: usize = 2;
const VARIABLES_AT: usize = PROCESSES * LOCATION_BITS;
const CHANNELS_AT: usize = VARIABLES_AT + (PROCESSES + SHARED) * VALUE_BITS;
/// A number of messages, and two of them.
const CHANNEL_BITS: usize = 3 * VALUE_BITS;
const BITS: usize = CHANNELS_AT + CHANNELS * CHANNEL_BITS;

/// A variable, as a process sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// That of the process itself.
    Own,
    /// One that all have.
    Shared(u8),
}

impl Place {
    /// Its number among all variables.
    pub(super) fn index(self, process: usize) -> usize {
        match self {
            Place::Own => process,
            Place::Shared(number) => PROCESSES + usize::from(number),
        }
    }
}

/// A state: locations, variables, channels.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Debug)]
pub struct Configuration(u64);

impl Configuration {
    fn get(self, at: usize, bits: usize) -> u8 {
        (self.0 >> at & ((1 << bits) - 1)) as u8
    }

    fn with(self, at: usize, bits: usize, value: u8) -> Configuration {
        let mask = ((1 << bits) - 1) << at;
        Configuration(self.0 & !mask | u64::from(value) << at)
    }

    /// Where a process is.
    pub(super) fn location(self, process: usize) -> usize {
        usize::from(self.get(process * LOCATION_BITS, LOCATION_BITS))
    }

    /// The process has moved.
    pub(super) fn at(self, process: usize, location: u8) -> Configuration {
        self.with(process * LOCATION_BITS, LOCATION_BITS, location)
    }

    /// The value of a variable.
    pub(super) fn value(self, process: usize, place: Place) -> u8 {
        self.get(VARIABLES_AT + place.index(process) * VALUE_BITS, VALUE_BITS)
    }

    /// A variable has another value.
    pub(super) fn set(self, process: usize, place: Place, value: u8) -> Configuration {
        self.with(VARIABLES_AT + place.index(process) * VALUE_BITS, VALUE_BITS, value)
    }

    /// How many messages a channel has.
    pub(super) fn messages(self, channel: u8) -> u8 {
        self.get(channel_at(channel), VALUE_BITS)
    }

    /// There is a message more.
    pub(super) fn send(self, channel: u8, value: u8) -> Configuration {
        let (at, count) = (channel_at(channel), self.messages(channel));
        let message_at = at + (1 + usize::from(count)) * VALUE_BITS;
        self.with(message_at, VALUE_BITS, value).with(at, VALUE_BITS, count + 1)
    }

    /// The first message, if there is one, and the state without it.
    pub(super) fn receive(self, channel: u8) -> Option<(u8, Configuration)> {
        let (at, count) = (channel_at(channel), self.messages(channel));
        let [first, second] = [1, 2].map(|number| self.get(at + number * VALUE_BITS, VALUE_BITS));
        let rest = self.with(at + VALUE_BITS, VALUE_BITS, second).with(at + 2 * VALUE_BITS, VALUE_BITS, 0);
        Some((first, rest.with(at, VALUE_BITS, count.checked_sub(1)?)))
    }
}

fn channel_at(channel: u8) -> usize {
    CHANNELS_AT + usize::from(channel) * CHANNEL_BITS
}

/// How states are packed: searches keep narrow, wide and variable ones in different ways.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// Two words.
    Packed,
    /// Two bits in each word.
    Wide,
    /// Two words, and one for each message in the first channel.
    Variable,
}

impl Encoding {
    const WORDS: usize = BITS.div_ceil(VALUE_BITS);

    /// The number of words, if it is always the same.
    pub(super) fn fixed_words(self) -> Option<usize> {
        match self {
            Encoding::Packed => Some(2),
            Encoding::Wide => Some(Encoding::WORDS),
            Encoding::Variable => None,
        }
    }

    /// The words of a state.
    pub fn encode(self, state: Configuration) -> Vec<Word> {
        let Configuration(bits) = state;
        let mut words = vec![bits as Word, (bits >> Word::BITS) as Word];
        match self {
            Encoding::Packed => {}
            Encoding::Wide => {
                words = (0..Encoding::WORDS).map(|n| Word::from(state.get(n * VALUE_BITS, VALUE_BITS))).collect();
            }
            Encoding::Variable => words.extend((0..state.messages(0)).map(Word::from)),
        }
        words
    }

    /// The state that has these words.
    pub fn decode(self, words: &[Word]) -> Configuration {
        let bits = match self {
            Encoding::Wide => VALUE_BITS,
            Encoding::Packed | Encoding::Variable => Word::BITS as usize,
        };
        let count = self.fixed_words().unwrap_or(2);
        let shifted = words[..count].iter().enumerate().map(|(number, &word)| u64::from(word) << (number * bits));
        Configuration(shifted.fold(0, |all, word| all | word))
    }
}
