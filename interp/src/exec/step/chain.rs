//! Chains: a state that has a single step, of a cluster of its own, need not be stored; its step is followed at once.
//!
//! A run from such a state either has the step, or the step can be done before it: nothing is lost if only the state behind
//! the step is looked at. That holds wherever the chain ends and whether or not that state has been expanded before, since
//! the run that is left is no longer than the one that led into the chain, whose first step has been done. (The induction
//! is told at `Events::expand` in the crate of searches.)
//! Where the number of the steps does not matter to a property, neither do those that it cannot see.
//! Invariant: a chain ends before a state at which something is violated, at the latest after [`MOST_STEPS`] steps, and
//! where it would repeat itself. Longer ones mostly end in a state that is known by itself, so that chains which come into
//! the same cycle in different places do not each store states of their own.

use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;

use fxhash::FxHasher;

use super::scratch::Level;
use super::walker::Walker;
use super::{Move, Path, Scratch, Sink};
use crate::exec::reduction::{Proviso, Reduction, Reductions, Tally};
use crate::model::Model;
use crate::violation::Violation;
use statespace::Word;

/// The most steps that are followed.
const MOST_STEPS: u32 = 256;
/// After so many steps it ends at the next milestone.
const SHORT: u32 = 16;
/// One state in so many is a milestone.
const BETWEEN_MILESTONES: u64 = 64;

/// Buffers of a chain.
#[derive(Default, Debug)]
pub struct ChainScratch {
    /// For the steps inside.
    inner: Scratch,
    /// The state reached so far, and the one after its step.
    end: Vec<Word>,
    next: Vec<Word>,
    /// An earlier state of the chain.
    anchor: Vec<Word>,
    /// All moves, and the state after each, if they are wanted. The first level stands for the state before all.
    moves: Vec<Move>,
    levels: Vec<Level>,
    pub(super) tally: Tally,
}

impl ChainScratch {
    pub(super) fn new(model: &Model, reduction: &Reduction) -> Self {
        let inner = Scratch { executed: model.coverage.worker(), ..Scratch::default() };
        ChainScratch { inner, tally: reduction.tally(), ..ChainScratch::default() }
    }
}

/// Follows the chain behind each successor on its way to a sink.
pub(super) struct Chaining<'a, S> {
    pub(super) model: &'a Model,
    pub(super) reduction: &'a Reduction,
    pub(super) scratch: &'a mut ChainScratch,
    pub(super) sink: &'a mut S,
    /// Something was violated.
    pub(super) is_violated: bool,
}

impl<S: Sink> Sink for Chaining<'_, S> {
    const WANTS_MOVES: bool = S::WANTS_MOVES;

    fn successor(&mut self, next: &[Word], path: Path) -> ControlFlow<()> {
        if !self.reduction.kinds.contains(Reductions::CHAINS) || !self.model.may_have_single(self.reduction, next) {
            return self.sink.successor(next, path);
        }
        let ChainScratch { inner, end, next: after, anchor, moves, levels, tally } = &mut *self.scratch;
        end.clear();
        end.extend_from_slice(next);
        anchor.clone_from(end);
        if S::WANTS_MOVES {
            moves.clear();
            levels.clear();
            moves.extend_from_slice(path.moves);
            levels.extend_from_slice(&path.levels[..=path.moves.len()]);
        }
        for step in 1..=MOST_STEPS {
            let known = (moves.len(), levels.len());
            let mut single = Single { sink: &mut *self.sink, events: 0, after, moves, levels };
            let walked = self.model.walk_cluster(self.reduction, end, inner, &mut single);
            let events = single.events;
            if walked.is_break() && events <= 1 {
                // It is the sink that has ended it.
                return ControlFlow::Break(());
            }
            if events != 1 || after == anchor {
                moves.truncate(known.0);
                levels.truncate(known.1);
                break;
            }
            std::mem::swap(end, after);
            tally.savings.passed += 1;
            if step >= SHORT && is_milestone(end) {
                break;
            }
            if step.is_power_of_two() {
                anchor.clone_from(end);
            }
        }
        self.sink.successor(end, Path { moves, levels })
    }

    fn violation(&mut self, violation: Violation, path: Path) -> ControlFlow<()> {
        self.is_violated = true;
        self.sink.violation(violation, path)
    }

    fn suffices(&mut self) -> bool {
        let suffices = match self.reduction.proviso {
            Proviso::Search => self.sink.suffices(),
            // A step that leads nowhere would be the end of what the others can do.
            Proviso::Cycles => !self.is_violated,
        };
        self.scratch.tally.savings.reduced += u64::from(suffices);
        suffices
    }

    fn working(&mut self, bytes: usize) -> ControlFlow<()> {
        self.sink.working(bytes)
    }
}

/// Whether long chains end at a state.
fn is_milestone(state: &[Word]) -> bool {
    let mut hasher = FxHasher::default();
    state.hash(&mut hasher);
    (hasher.finish() >> 32).is_multiple_of(BETWEEN_MILESTONES)
}

/// Finds out whether there is one step and nothing else.
struct Single<'a, S> {
    sink: &'a mut S,
    /// How many steps there are; a violation counts as two.
    events: u32,
    after: &'a mut Vec<Word>,
    moves: &'a mut Vec<Move>,
    levels: &'a mut Vec<Level>,
}

impl<S: Sink> Sink for Single<'_, S> {
    const WANTS_MOVES: bool = S::WANTS_MOVES;

    fn successor(&mut self, next: &[Word], path: Path) -> ControlFlow<()> {
        self.events += 1;
        if self.events > 1 {
            return ControlFlow::Break(());
        }
        self.after.clear();
        self.after.extend_from_slice(next);
        if S::WANTS_MOVES {
            self.moves.extend_from_slice(path.moves);
            self.levels.extend_from_slice(&path.levels[1..=path.moves.len()]);
        }
        ControlFlow::Continue(())
    }

    fn violation(&mut self, _: Violation, _: Path) -> ControlFlow<()> {
        self.events += 2;
        ControlFlow::Break(())
    }

    fn working(&mut self, bytes: usize) -> ControlFlow<()> {
        self.sink.working(bytes)
    }
}

impl Model {
    /// Reports the steps of the first cluster of `state` that can move and may have a single step, and no others.
    fn walk_cluster<S: Sink>(
        &self,
        reduction: &Reduction,
        state: &[Word],
        scratch: &mut Scratch,
        sink: &mut S,
    ) -> ControlFlow<()> {
        let mut walker = Walker::new(self, Some(reduction), state, scratch, sink);
        match walker.cluster(reduction, true) {
            ControlFlow::Continue(_) => ControlFlow::Continue(()),
            ControlFlow::Break(()) => ControlFlow::Break(()),
        }
    }

    /// The clusters of a state, by pid, best first: those whose steps may stand for all, or may be the step of a chain. For
    /// judges of what a reduction leaves out.
    #[doc(hidden)]
    pub fn clusters_of(
        &self,
        reduction: &Reduction,
        state: &[Word],
        is_single: bool,
        scratch: &mut Scratch,
    ) -> Vec<Vec<usize>> {
        Walker::new(self, None, state, scratch, &mut Nobody);
        scratch.find_clusters(self, reduction, is_single);
        let clusters = std::iter::from_fn(|| scratch.clusters.next());
        clusters.map(|mut pids| std::iter::from_fn(|| pids.pop()).collect()).collect()
    }
}

/// Whoever only wants to have a state on level 0.
struct Nobody;

impl Sink for Nobody {
    fn successor(&mut self, _: &[Word], _: Path) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    fn violation(&mut self, _: Violation, _: Path) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}
