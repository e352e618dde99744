//! What each edge may read and write, in every layout: the base of the transition cache (`view.rs`) and of partial order
//! reduction.
//!
//! A *footprint* is about one edge of a process, taken from a stored state. An edge that keeps control (`atomic`) has the
//! footprint of the whole sequence, up to where the process can lose control; a `d_step` has that of all its statements.
//! Four parts, which together bound what the edge depends on and what it changes:
//! - [`Footprint::reads`] and [`Footprint::writes`], sets of bits of the state. They cover variables, locations,
//!   priorities, `_nr_pr`, `_last` and the place of a `trace` automaton, all of which are fields. A bit whose old value may
//!   survive a write (another element of an array, a statement that may be skipped) counts as read, too.
//!   Locals of a process created at run time are bits of its block: [`Region::Own`] for the process that moves,
//!   [`Region::Block`] for what remote references and `run` touch in other processes.
//! - [`Footprint::channels`], the parts of channels. Messages are never among the bits: an append and a removal commute,
//!   their bits do not.
//! - [`Footprint::traits`], what bits cannot say: `timeout`, `enabled`, creation and death of processes.
//!
//! A rendezvous is a step of two edges: its footprint is the union of that of the offer and that of the edge that accepts.
//! Neither includes the other.
//!
//! Two edges of different processes p and q are independent if neither writes what the other reads or writes, where
//! - `Own` of p meets `Block` of p's template in q's footprint, `Fixed` meets `Fixed`, and `Own` never meets `Own`;
//! - of the parts of a channel that may be the same, `APPENDS` and `REMOVES_HEAD` commute with each other while both edges
//!   are executable, and each conflicts with itself, with `READS_LENGTH`, `READS_ALL` and `WRITES_ALL`; `REMOVES_HEAD`
//!   conflicts with `READS_HEAD`; `WAITS_FOR_ROOM` and `WAITS_FOR_MESSAGE` say who may enable whom; `DESTROYS` conflicts
//!   with `MUST_EXIST`; `READS_PARTNERS` depends on every edge that may bring a process to an accepting location (with
//!   `RUNS`, a process that the step itself creates may be there);
//! - `TIMEOUT` reads everything, `ENABLED` the guards of all processes, `HELD_BACK` those of higher priority.
//!
//! Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems", LNCS 1032, 1996, chapter 3.

mod bits;
mod channels;
mod statement;

use cranelift_entity::SecondaryMap;

pub use bits::{Region, Run, StateBits};
pub use channels::{ChannelUse, ChannelUses, Channels};

use crate::code::layout::Layout;
use crate::code::program::{Guard, Location, Program};
use crate::ids::{EdgeId, NodeId, Pc, TemplateId};
use statement::Collector;
pub(super) use statement::{Flow, Uses};

bitflags::bitflags! {
    /// What an edge does that sets of bits cannot say, or that whoever keeps steps must know.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub struct Traits: u16 {
        /// A process is created.
        const RUNS = 1;
        /// The process dies.
        const ENDS = 1 << 1;
        /// `timeout`: the outcome depends on whether any process can move.
        const TIMEOUT = 1 << 2;
        /// `enabled`: the outcome depends on the guards of other processes.
        const ENABLED = 1 << 3;
        /// The outcome depends on variables or locations of other processes: remote references, `pc_value`, `np_`.
        const REMOTE = 1 << 4;
        /// Priorities are read or written.
        const PRIORITY = 1 << 5;
        /// The process has a `provided` clause. What it reads is among the reads.
        const PROVIDED = 1 << 6;
        /// The process is a `D_proctype`: the guards of the edges before this one are among the reads.
        const DETERMINISTIC = 1 << 7;
        /// A `trace` or `notrace` automaton may move. Its place and what its patterns read are among the reads.
        const EVENT = 1 << 8;
        /// The number of processes is read as a value: `_nr_pr`.
        const COUNTS = 1 << 9;
        /// A process of higher priority holds this one back if it can move.
        const HELD_BACK = 1 << 10;
    }
}

/// What an edge may read and write. See the head of this file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Footprint {
    /// Whose edge it is.
    pub template: TemplateId,
    /// The outcome depends on no other bits: neither whether the edge is executable, nor what is written.
    pub reads: StateBits,
    /// No other bits change, but those of channels.
    pub writes: StateBits,
    /// The parts of channels that are read or change.
    pub channels: ChannelUses,
    /// All the rest.
    pub traits: Traits,
}

impl Footprint {
    pub(super) fn new(template: TemplateId) -> Self {
        let (reads, writes) = Default::default();
        Footprint { template, reads, writes, channels: ChannelUses::default(), traits: Traits::empty() }
    }

    /// What the statement of one edge reads and writes, without what follows in an atomic sequence, and the bits that it
    /// gives a value on every path.
    pub(super) fn of_statement(
        program: &Program,
        layout: &Layout,
        template: TemplateId,
        location: &Location,
        edge: EdgeId,
    ) -> (Self, StateBits) {
        Collector::statement(program, layout, template, location, edge)
    }

    /// What every step of a process depends on, whatever its edge: its place, its `provided` clause, and priorities.
    pub(super) fn of_gate(program: &Program, layout: &Layout, template: TemplateId) -> Self {
        Collector::gate(program, layout, template)
    }

    /// What an expression that stands outside of the model reads.
    pub(super) fn of_expression(program: &Program, layout: &Layout, template: TemplateId, node: NodeId) -> Self {
        Collector::expression(program, layout, template, node)
    }

    /// What decides whether a process has an executable edge: its place, and the guards of all its edges.
    pub(super) fn of_guards(program: &Program, layout: &Layout, template: TemplateId) -> Self {
        Collector::guards(program, layout, template)
    }

    /// Adds another footprint; whether that changes anything.
    pub(super) fn extend(&mut self, other: &Self) -> bool {
        let known = self.traits;
        self.traits |= other.traits;
        let reads = self.reads.extend(&other.reads);
        let writes = self.writes.extend(&other.writes);
        let channels = self.channels.extend(&other.channels);
        reads || writes || channels || self.traits != known
    }

    /// The same as a part of a longer sequence, in which it may block.
    pub(super) fn inside_sequence(&self) -> Self {
        Footprint { channels: self.channels.as_tests(), ..self.clone() }
    }
}

/// The footprints of all edges of processes.
#[derive(Clone, Debug, Default)]
pub struct Footprints {
    of: SecondaryMap<EdgeId, Option<Box<Footprint>>>,
    /// The bits that the statement of an edge gives a value on every path, whatever they were.
    overwritten: SecondaryMap<EdgeId, StateBits>,
}

impl Footprints {
    pub(crate) fn new(program: &Program, layout: &Layout) -> Self {
        let mut footprints = Footprints::default();
        for id in program.templates.keys() {
            for location in program.templates[id].graph.locations.values() {
                for edge in location.edges() {
                    let (footprint, overwritten) = Collector::statement(program, layout, id, location, edge);
                    footprints.of[edge] = Some(Box::new(footprint));
                    footprints.overwritten[edge] = overwritten;
                }
            }
            footprints.sequences(program, id);
        }
        footprints
    }

    /// Of an edge of a process; `None` for those inside a `d_step`, of claims, and of a `trace`.
    pub fn of(&self, edge: EdgeId) -> Option<&Footprint> {
        self.of[edge].as_deref()
    }

    /// The bits that the statement of an edge gives a value, whatever they were. What follows in an atomic sequence does
    /// not count.
    pub(super) fn overwritten(&self, edge: EdgeId) -> &StateBits {
        &self.overwritten[edge]
    }

    /// Adds to the edges that keep control what can follow before it is lost.
    fn sequences(&mut self, program: &Program, template: TemplateId) {
        let locations = &program.templates[template].graph.locations;
        let mut inside: SecondaryMap<Pc, Option<Footprint>> = SecondaryMap::new();
        let continues = |edge: EdgeId| {
            let edge = &program.edges[edge];
            // After an offer the process that accepts has control.
            edge.to.filter(|_| edge.atomic && !matches!(edge.guard, Guard::Offer(_)))
        };
        for pc in locations.values().flat_map(|location| location.edges()).filter_map(continues) {
            inside[pc].get_or_insert_with(|| Footprint::new(template));
        }
        // Later locations first: that leaves another pass for loops only.
        let mut has_grown = true;
        while has_grown {
            has_grown = false;
            for (pc, location) in locations.iter().rev() {
                let Some(mut all) = inside[pc].take() else { continue };
                for edge in location.edges() {
                    if let Some(own) = &self.of[edge] {
                        has_grown |= all.extend(&own.inside_sequence());
                    }
                    if let Some(rest) = continues(edge).and_then(|to| inside[to].as_ref()) {
                        has_grown |= all.extend(rest);
                    }
                }
                inside[pc] = Some(all);
            }
        }
        for edge in locations.values().flat_map(|location| location.edges()) {
            if let (Some(footprint), Some(to)) = (&mut self.of[edge], continues(edge))
                && let Some(rest) = &inside[to]
            {
                footprint.extend(rest);
            }
        }
    }
}
