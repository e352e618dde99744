//! Whether the next steps of one process are in conflict with what another one may do at any time.

use crate::analysis::footprint::{ChannelUse, ChannelUses, Channels, Footprint, Region, Run, StateBits, Traits};
use crate::code::layout::Layout;
use crate::code::program::{ChannelSet, Program};
use crate::ids::TemplateId;
use statespace::Word;

/// Channels with greater numbers are not told apart.
const MOST_KNOWN: usize = 254;

/// What a send on a full channel waits for.
pub(super) const MAKES_ROOM: ChannelUse = ChannelUse::REMOVES_HEAD.union(ChannelUse::WRITES_ALL);
/// What a receive from an empty channel waits for.
pub(super) const BRINGS_MESSAGE: ChannelUse = ChannelUse::APPENDS.union(ChannelUse::WRITES_ALL);

/// What is done with bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Access {
    Reads,
    Writes,
}

impl Access {
    /// The bits with which a footprint does it.
    fn of(self, footprint: &Footprint) -> &StateBits {
        match self {
            Access::Reads => &footprint.reads,
            Access::Writes => &footprint.writes,
        }
    }
}

/// Knows the places of a model.
pub(super) struct Conflicts<'p> {
    pub(super) program: &'p Program,
    pub(super) layout: &'p Layout,
    /// Bits of globals on which nothing depends: every state is cleared of them.
    pub(super) irrelevant: &'p StateBits,
}

/// What stands for the guards of all other processes, where these are not known.
const ASKS: Traits = Traits::ENABLED.union(Traits::HELD_BACK);

impl Conflicts<'_> {
    /// Whether the next steps of a process depend on what another process does, whatever is in the channels.
    pub(super) fn exist(&self, next: &Footprint, other: &Footprint) -> bool {
        self.exist_while_all_live(next, other) || self.count_conflict(next.traits, other.traits)
    }

    /// The same if the other process does not die.
    pub(super) fn exist_while_all_live(&self, next: &Footprint, other: &Footprint) -> bool {
        let (one, two) = (next.traits, other.traits);
        // `timeout` in `other` depends on nothing.
        one.intersects(ASKS | Traits::TIMEOUT)
            || two.intersects(ASKS)
            || self.count_conflict(one, two.difference(Traits::ENDS))
            || self.channel_conflict(next, other)
            || self.overlap((next, Access::Writes), (other, Access::Reads))
            || self.overlap((next, Access::Writes), (other, Access::Writes))
            || self.overlap((next, Access::Reads), (other, Access::Writes))
    }

    /// Whether the next steps of a process may change what somebody outside looks at.
    pub(super) fn is_seen(&self, next: &Footprint, watched: &Footprint) -> bool {
        watched.traits.intersects(ASKS | Traits::TIMEOUT)
            || self.count_conflict(next.traits, watched.traits)
            || uses_conflict(&next.channels, &watched.channels)
            || self.overlap((next, Access::Writes), (watched, Access::Reads))
    }

    /// The number of processes: who changes it, and who depends on it. The youngest process dies before any other can.
    pub(super) fn count_conflict(&self, one: Traits, two: Traits) -> bool {
        let changes = Traits::RUNS | Traits::ENDS;
        one.contains(Traits::RUNS) && two.intersects(changes | Traits::COUNTS)
            || one.contains(Traits::ENDS) && two.intersects(Traits::RUNS | Traits::COUNTS)
            || one.contains(Traits::COUNTS) && two.intersects(changes)
    }

    fn channel_conflict(&self, next: &Footprint, other: &Footprint) -> bool {
        uses_conflict(&next.channels, &other.channels)
            || waits_for_unknown(self.layout, next, &other.channels)
            || other.channels.with(ChannelUse::READS_PARTNERS).any(|channels| {
                // Who is created, and who moves, may come to where it accepts.
                next.traits.contains(Traits::RUNS) || self.accepts(next.template, channels)
            })
    }

    /// Whether a process may ever accept a message from one of these channels.
    pub(super) fn accepts(&self, template: TemplateId, channels: Channels) -> bool {
        let mut accepted = ChannelSet::default();
        self.program.templates[template].graph.locations.values().for_each(|place| accepted.extend(place.accepts));
        are_accepted(accepted, channels)
    }

    /// Whether two processes access a bit in common, which is not the number of processes.
    fn overlap(&self, one: (&Footprint, Access), two: (&Footprint, Access)) -> bool {
        self.find_common_bits(one, two, |_, _, _| true)
    }

    /// Shows the bits that two processes access in common, word by word, until they are enough; whether they are.
    ///
    /// Nobody writes what belongs to another process that lives: whoever creates one writes a block, or the bits of a slot,
    /// that are nobody's. (Who sets priorities depends on everything in any case.)
    pub(super) fn find_common_bits(
        &self,
        (one, access): (&Footprint, Access),
        (two, other): (&Footprint, Access),
        mut is_enough: impl FnMut(Region, u32, Word) -> bool,
    ) -> bool {
        let nr_pr = self.layout.nr_pr;
        let except = match other {
            Access::Reads => &[][..],
            Access::Writes => &self.layout.templates[one.template].owned,
        };
        let (bits, others) = (access.of(one), other.of(two));
        let may_meet = |a: Region, b: Region| match (a, b) {
            (Region::Fixed, Region::Fixed) => true,
            (Region::Own, Region::Block(template)) => template == one.template && other == Access::Reads,
            (Region::Block(template), Region::Own) => template == two.template && access == Access::Reads,
            (Region::Block(a), Region::Block(b)) => a == b,
            _ => false,
        };
        let mut meet = |a: &Run, b: &Run| {
            let mask = a.mask & b.mask;
            let region = if a.region == Region::Own { b.region } else { a.region };
            mask != 0
                && may_meet(a.region, b.region)
                && (a.first.max(b.first)..a.end.min(b.end)).any(|word| {
                    let mut left = mask;
                    if a.region == Region::Fixed {
                        if word == nr_pr.word {
                            left &= !nr_pr.mask();
                        }
                        if let Ok(nth) = except.binary_search_by_key(&word, |&(word, _)| word) {
                            left &= !except[nth].1;
                        }
                        let runs = self.irrelevant.runs().iter();
                        runs.filter(|run| (run.first..run.end).contains(&word)).for_each(|run| left &= !run.mask);
                    }
                    left != 0 && is_enough(region, word, left)
                })
        };
        bits.runs().iter().any(|a| others.runs().iter().any(|b| meet(a, b)))
    }
}

/// Whether some of these channels may be among those that are accepted.
pub(super) fn are_accepted(accepted: ChannelSet, channels: Channels) -> bool {
    // The last number stands for all that follow.
    let is_meant = |number: usize| channels.contains(number) && accepted.may_contain(number as i32);
    (1..MOST_KNOWN + 1).any(is_meant) || channels.contains(MOST_KNOWN + 1) && accepted != ChannelSet::default()
}

/// Whether two processes may use a channel in ways that do not commute, whatever is in it.
fn uses_conflict(one: &ChannelUses, two: &ChannelUses) -> bool {
    one.iter().any(|(channels, usage)| {
        two.iter()
            .any(|(others, other)| channels.intersects(others) && (one_way(usage, other) || one_way(other, usage)))
    })
}

/// Half of the ways: those that are the same the other way round.
fn one_way(one: ChannelUse, two: ChannelUse) -> bool {
    WAYS.iter().any(|&(a, b, _)| one.intersects(a) && two.intersects(b))
}

const CHANGES: ChannelUse = ChannelUse::APPENDS.union(ChannelUse::REMOVES_HEAD).union(ChannelUse::WRITES_ALL);
const LIFE: ChannelUse = ChannelUse::CREATES.union(ChannelUse::DESTROYS);

/// Uses of a channel that do not commute, and the part of it that they have in common.
pub(super) const WAYS: [(ChannelUse, ChannelUse, ChannelPart); 8] = [
    (ChannelUse::READS_LENGTH.union(ChannelUse::READS_ALL), CHANGES, ChannelPart::Contents),
    (ChannelUse::READS_HEAD, ChannelUse::REMOVES_HEAD.union(ChannelUse::WRITES_ALL), ChannelPart::Head),
    (ChannelUse::WRITES_ALL, CHANGES, ChannelPart::Contents),
    (ChannelUse::APPENDS, ChannelUse::APPENDS, ChannelPart::Tail),
    (ChannelUse::REMOVES_HEAD, ChannelUse::REMOVES_HEAD, ChannelPart::Head),
    (ChannelUse::OFFERS, ChannelUse::ACCEPTS, ChannelPart::Rendezvous),
    (ChannelUse::READS_PARTNERS, ChannelUse::ACCEPTS, ChannelPart::Rendezvous),
    (LIFE, LIFE.complement(), ChannelPart::Existence),
];

/// The part of a channel through which two steps depend on each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ChannelPart {
    /// Both send: the order of the messages.
    Tail,
    /// Both look at or take the first message.
    Head,
    /// One of them looks at the number of messages or at all of them, the other changes them.
    Contents,
    /// One of them offers or may accept in a rendezvous.
    Rendezvous,
    /// One of them creates or destroys it.
    Existence,
    /// One waits for the other while it is full.
    WhileFull,
    /// One waits for the other while it is empty.
    WhileEmpty,
}

/// The channels with constant places that the next steps wait for in this way.
pub(super) fn waited_for(layout: &Layout, next: &Footprint, usage: ChannelUse) -> Vec<u8> {
    let known = layout.channels.len().min(MOST_KNOWN);
    let mut waited: Vec<u8> = (1..=known as u8).collect();
    waited.retain(|&chan| next.channels.of(usize::from(chan)).intersects(usage));
    waited
}

/// Whether the next steps wait for a channel about which nothing is known in a state.
fn waits_for_unknown(layout: &Layout, next: &Footprint, others: &ChannelUses) -> bool {
    let known = layout.channels.len().min(MOST_KNOWN);
    let waits = |usage: ChannelUse, by: ChannelUse| {
        next.channels.with(usage).any(|channels| {
            let is_unknown = (known + 1..MOST_KNOWN + 2).any(|number| channels.contains(number));
            is_unknown && others.with(by).any(|other| channels.intersects(other))
        })
    };
    waits(ChannelUse::WAITS_FOR_ROOM, MAKES_ROOM) || waits(ChannelUse::WAITS_FOR_MESSAGE, BRINGS_MESSAGE)
}
