//! What an edge does with channels: which ones it may name, and which part of each it touches.

/// A set of channels by number. Numbers from 255 on share a bit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Channels([u64; 4]);

impl Channels {
    /// The channels with these numbers.
    pub fn from_range(numbers: std::ops::Range<usize>) -> Self {
        let mut channels = Channels::default();
        for number in numbers.start.min(255)..numbers.end.min(256) {
            channels.0[number / 64] |= 1 << (number % 64);
        }
        channels
    }

    /// Whether the channel with this number may be in the set.
    pub fn contains(self, number: usize) -> bool {
        let number = number.min(255);
        self.0[number / 64] & (1 << (number % 64)) != 0
    }

    /// Whether some channel may be in both sets.
    pub fn intersects(self, other: Self) -> bool {
        self.0.iter().zip(other.0).any(|(one, other)| one & other != 0)
    }

    /// Whether no channel is in the set.
    pub fn is_empty(self) -> bool {
        self == Channels::default()
    }
}

bitflags::bitflags! {
    /// The parts of a channel that an edge touches, and how.
    ///
    /// The flags keep apart what commutes: a message that is added behind the last, a message that is taken from the
    /// front, and a read of the number of messages.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub struct ChannelUse: u16 {
        /// The outcome depends on the number of messages: `len`, `full`, `empty`, a poll, an `else`, or a statement inside
        /// an atomic sequence that may block.
        const READS_LENGTH = 1;
        /// The outcome depends on the first message, if there is one.
        const READS_HEAD = 1 << 1;
        /// The outcome depends on all messages and their order: `??` and `!!`.
        const READS_ALL = 1 << 2;
        /// The edge is executable only if there is room.
        const WAITS_FOR_ROOM = 1 << 3;
        /// The edge is executable only if there is a message that fits.
        const WAITS_FOR_MESSAGE = 1 << 4;
        /// A message is added behind the last.
        const APPENDS = 1 << 5;
        /// The first message is removed.
        const REMOVES_HEAD = 1 << 6;
        /// A message is added or removed anywhere: `!!` and `??`.
        const WRITES_ALL = 1 << 7;
        /// A message is offered in a rendezvous: the edge is one half of a step.
        const OFFERS = 1 << 8;
        /// A message may be accepted in a rendezvous: the edge is the other half.
        const ACCEPTS = 1 << 9;
        /// The outcome depends on whether a process would accept a message: an `else` or escape beside an offer.
        const READS_PARTNERS = 1 << 10;
        /// The channel comes into existence with a process.
        const CREATES = 1 << 11;
        /// The channel ceases to exist with its process.
        const DESTROYS = 1 << 12;
        /// The channel is named by a variable: if it does not exist, that is an error.
        const MUST_EXIST = 1 << 13;
    }
}

impl ChannelUse {
    /// What is left of a statement's executability if it does not decide whether the edge is executable: whether the
    /// statement blocks is part of the outcome.
    pub fn as_test(self) -> Self {
        let waits = Self::WAITS_FOR_ROOM | Self::WAITS_FOR_MESSAGE;
        let mut test = self.difference(waits);
        test.set(Self::READS_LENGTH, self.intersects(waits | Self::READS_LENGTH));
        test.set(Self::READS_PARTNERS, self.intersects(Self::OFFERS | Self::READS_PARTNERS));
        test
    }

    /// Whether messages can change.
    pub fn writes(self) -> bool {
        self.intersects(Self::APPENDS | Self::REMOVES_HEAD | Self::WRITES_ALL | Self::CREATES | Self::DESTROYS)
    }
}

/// What an edge does with channels.
///
/// Invariant: sorted by set of channels, each once.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct ChannelUses(Vec<(Channels, ChannelUse)>);

impl ChannelUses {
    /// The sets of channels, each with what is done with any of its channels.
    pub fn iter(&self) -> impl Iterator<Item = (Channels, ChannelUse)> {
        self.0.iter().copied()
    }

    /// What may be done with one channel.
    pub fn of(&self, number: usize) -> ChannelUse {
        let naming = self.iter().filter(|(channels, _)| channels.contains(number));
        naming.fold(ChannelUse::empty(), |all, (_, usage)| all | usage)
    }

    /// The channels that are used in one of these ways.
    pub fn with(&self, usage: ChannelUse) -> impl Iterator<Item = Channels> {
        self.iter().filter(move |(_, used)| used.intersects(usage)).map(|(channels, _)| channels)
    }

    /// Adds a use; whether it is new.
    pub(super) fn insert(&mut self, channels: Channels, usage: ChannelUse) -> bool {
        if channels.is_empty() || usage.is_empty() {
            return false;
        }
        match self.0.binary_search_by_key(&channels, |(channels, _)| *channels) {
            Ok(at) => {
                let known = &mut self.0[at].1;
                let is_new = !known.contains(usage);
                *known |= usage;
                is_new
            }
            Err(at) => {
                self.0.insert(at, (channels, usage));
                true
            }
        }
    }

    /// Adds the uses of another edge; whether there was a new one.
    pub(super) fn extend(&mut self, other: &Self) -> bool {
        other.iter().fold(false, |is_new, (channels, usage)| self.insert(channels, usage) || is_new)
    }

    /// See [`ChannelUse::as_test`].
    pub(super) fn as_tests(&self) -> Self {
        Self(self.iter().map(|(channels, usage)| (channels, usage.as_test())).collect())
    }
}
