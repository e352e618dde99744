//! All steps out of a state: interleaving, rendezvous, atomic sequences, timeout, and the violations of each.
//!
//! In a stored state no process has control inside an atomic sequence: the states in between are passed through, path by
//! path, and only the state in which the sequence ends or blocks is reported. A rendezvous is one step of two processes;
//! control goes to the receiver. SPIN's verifier walks in the same way, so the numbers of states and steps are the same.
//!
//! This file is what searches and traces see. `walker.rs` has the steps of a state, `trial.rs` the edges of a process that
//! can be taken, `atomic.rs` and `rendezvous.rs` the steps of several moves, `scratch.rs` the buffers.

mod atomic;
mod chain;
pub(crate) mod cluster;
mod rendezvous;
mod scratch;
mod trial;
mod walker;

pub use scratch::Scratch;

use std::ops::ControlFlow;

use crate::exec::reduction::Reduction;
use crate::ids::{EdgeId, TemplateId};
use crate::model::Model;
use crate::violation::Violation;
use chain::{ChainScratch, Chaining};
use scratch::Level;
use statespace::{StateSpace, Visit, Word};
use walker::{POLL_INTERVAL, Walker};

/// One statement executed by one process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// The process.
    pub pid: u8,
    /// Its code.
    pub template: TemplateId,
    /// The edge.
    pub edge: EdgeId,
}

/// Receives what a walk over the steps of a state finds. `path` has the moves since the state.
pub trait Sink {
    /// Whether it needs the moves of each step; if not, `path` may be empty.
    const WANTS_MOVES: bool = true;

    /// A step leads to `next`.
    fn successor(&mut self, next: &[Word], path: Path) -> ControlFlow<()>;
    /// The last move of `path` violates a property (or, if it is empty, the state does).
    fn violation(&mut self, violation: Violation, path: Path) -> ControlFlow<()>;
    /// The steps so far may stand for all: see [`Visit::suffices`].
    fn suffices(&mut self) -> bool {
        false
    }
    /// Called now and then during a long walk, with the bytes that its buffers hold. `Break` ends the walk.
    fn working(&mut self, _bytes: usize) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// The moves of one step, and the states in between.
#[derive(Clone, Copy)]
pub struct Path<'a> {
    /// In order.
    pub moves: &'a [Move],
    levels: &'a [Level],
}

impl<'a> Path<'a> {
    /// The state after each move. After a move that failed it has no meaning.
    pub fn states(self) -> impl Iterator<Item = &'a [Word]> {
        self.levels[1..].iter().map(|level| level.words.as_slice()).take(self.moves.len())
    }
}

impl StateSpace for Model {
    type Violation = Violation;
    type Scratch = Scratch;

    fn scratch(&self) -> Scratch {
        Scratch { executed: self.coverage.worker(), ..Scratch::default() }
    }

    fn fixed_words(&self) -> Option<usize> {
        self.layout.is_fixed.then_some(self.layout.fixed_words as usize)
    }

    fn word_bits(&self) -> &[u8] {
        &self.layout.word_bits
    }

    fn gave_up(&self) -> bool {
        false
    }

    fn initial(&self) -> Result<Vec<Word>, Violation> {
        self.initial_words()
    }

    fn expand<V: Visit<Violation>>(&self, state: &[Word], scratch: &mut Scratch, visit: &mut V) -> ControlFlow<()> {
        self.walk(state, scratch, &mut Numbered { visit, event: 0, bytes: 0 })
    }
}

/// Numbers events for a search, which does not need paths.
struct Numbered<'v, V> {
    visit: &'v mut V,
    event: u32,
    /// What the buffers held when that was last reported.
    bytes: usize,
}

impl<V: Visit<Violation>> Sink for Numbered<'_, V> {
    const WANTS_MOVES: bool = false;

    #[inline]
    fn successor(&mut self, next: &[Word], _path: Path) -> ControlFlow<()> {
        self.event += 1;
        if self.event.is_multiple_of(POLL_INTERVAL) {
            self.visit.working(self.bytes)?;
        }
        self.visit.successor(self.event - 1, next)
    }

    fn violation(&mut self, violation: Violation, _path: Path) -> ControlFlow<()> {
        self.event += 1;
        self.visit.violation(self.event - 1, violation)
    }

    fn suffices(&mut self) -> bool {
        self.visit.suffices()
    }

    fn working(&mut self, bytes: usize) -> ControlFlow<()> {
        self.bytes = bytes;
        self.visit.working(bytes)
    }
}

impl Model {
    /// Reports every step out of `state` with the moves it consists of.
    pub fn walk<S: Sink>(&self, state: &[Word], scratch: &mut Scratch, sink: &mut S) -> ControlFlow<()> {
        Walker::new(self, None, state, scratch, sink).state()
    }

    /// The same with what a reduction leaves: first the steps that may stand for all, each followed along its chain. The
    /// state must be one of the reduced search, and the scratch must have been used with this reduction only.
    pub fn walk_reduced<S: Sink>(
        &self,
        reduction: &Reduction,
        state: &[Word],
        scratch: &mut Scratch,
        sink: &mut S,
    ) -> ControlFlow<()> {
        let mut chain = scratch.chain.take().unwrap_or_else(|| Box::new(ChainScratch::new(self, reduction)));
        chain.tally.savings.expanded += 1;
        let mut chaining = Chaining { model: self, reduction, scratch: &mut chain, sink, is_violated: false };
        let done = Walker::new(self, Some(reduction), state, scratch, &mut chaining).state();
        scratch.chain = Some(chain);
        done
    }

    /// Expands a state as [`StateSpace::expand`] does, with what a reduction leaves.
    pub fn expand_reduced<V: Visit<Violation>>(
        &self,
        reduction: &Reduction,
        state: &[Word],
        scratch: &mut Scratch,
        visit: &mut V,
    ) -> ControlFlow<()> {
        self.walk_reduced(reduction, state, scratch, &mut Numbered { visit, event: 0, bytes: 0 })
    }

    /// Whether no process can move, unless by a `timeout`.
    pub fn is_waiting(&self, state: &[Word], scratch: &mut Scratch) -> bool {
        let mut first = FirstStep;
        let mut walker = Walker::new(self, None, state, scratch, &mut first);
        (0..self.nr_pr(state)).all(|pid| walker.process(pid, false) == ControlFlow::Continue(false))
    }
}

/// Stops at the first step.
struct FirstStep;

impl Sink for FirstStep {
    fn successor(&mut self, _: &[Word], _: Path) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    fn violation(&mut self, _: Violation, _: Path) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}
