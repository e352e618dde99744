//! The buffers of an expansion, and what else a worker keeps from one expansion to the next.
//!
//! A *level* is one state on the path from the stored state, which is level 0.

use super::Move;
use super::atomic::Frame;
use super::chain::ChainScratch;
use super::cluster::Clusters;
use super::walker::POLL_INTERVAL;
use crate::exec::coverage::Executed;
use crate::exec::dispatch::LocationInfo;
use crate::exec::reduction::Reduction;
use crate::exec::transition_cache::TransitionCache;
use crate::model::{Model, StepErrors, Tables};
use statespace::Word;

/// Levels that are kept for the next expansion.
pub(super) const KEPT_LEVELS: usize = 1 << 10;

/// A state on the path, with what it contains.
#[derive(Clone, Default, Debug)]
pub(super) struct Level {
    pub(super) words: Vec<Word>,
    pub(super) tables: Tables,
}

/// What one worker needs to expand states. The model itself does not change.
#[derive(Default, Debug)]
pub struct Scratch {
    pub(super) levels: Vec<Level>,
    /// Where each process is in the state at level 0.
    pub(super) locations: Vec<LocationInfo>,
    pub(super) path: Vec<Move>,
    pub(super) frames: Vec<Frame>,
    /// The fields of all messages on offer.
    pub(super) messages: Vec<i32>,
    /// The bits of the last successor that were cleared for where its processes are.
    pub(super) cleared: Vec<(u32, Word)>,
    pub(super) errors: StepErrors,
    pub(super) cache: TransitionCache,
    pub(super) executed: Executed,
    /// In a reduced search: the clusters of the state at level 0, and chains.
    pub(super) clusters: Clusters,
    pub(super) chain: Option<Box<ChainScratch>>,
}

impl Scratch {
    /// Clears what does not matter in the successor at a level. The state at level 0 has been cleared, so nothing is to be
    /// done for processes that stayed where they were.
    #[inline]
    pub(super) fn clear(&mut self, model: &Model, reduction: &Reduction, level: usize) {
        self.cleared.clear();
        if reduction.unused.is_empty() {
            return;
        }
        let lived = model.nr_pr(&self.levels[0].words);
        let Level { words, tables } = &mut self.levels[level];
        if !model.layout.has_constant_tables() {
            model.locate(words, tables);
        }
        let moved = self.path.iter().map(|step| usize::from(step.pid));
        let pids = moved.chain(lived..model.nr_pr(words));
        reduction.unused.clear_some(model, words, tables, pids, &mut self.cleared);
    }

    /// About how many bytes the buffers hold: all levels are about as large as the second.
    pub(super) fn bytes(&self) -> usize {
        /// The allocator's header of each allocation, and what rounding adds.
        const ALLOCATION: usize = 16 + 8;
        /// A list that is about to grow exists twice for a moment, once in its new size.
        fn held<T>(list: &Vec<T>, item: usize) -> usize {
            let is_full = list.capacity() - list.len() <= POLL_INTERVAL as usize;
            list.capacity() * item * if is_full { 3 } else { 1 }
        }
        let level = self.levels.get(1).map_or(0, |level| {
            let Tables { procs, chans } = &level.tables;
            3 * ALLOCATION
                + level.words.capacity() * size_of::<Word>()
                + procs.capacity() * size_of_val(&procs[..]) / procs.len().max(1)
                + chans.capacity() * size_of_val(&chans[..]) / chans.len().max(1)
        });
        self.levels.len() * level
            + held(&self.levels, size_of::<Level>())
            + held(&self.path, size_of::<Move>())
            + held(&self.frames, size_of::<Frame>())
    }
}
