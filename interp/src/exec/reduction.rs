//! What a search of a model may leave out without changing its answer.
//!
//! A [`Reduction`] is made for one kind of search, of one model, by one observer; the model is the same for all. It leaves
//! out steps (`exec/step/cluster.rs`), states between steps (`exec/step/chain.rs`), and values that change nothing any more.
//! Invariant: which steps are proposed, where a chain ends and what is cleared depends on the state alone, so the number of
//! an event means the same step whenever a state is expanded. The proposed steps come first.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::analysis::dependence::{Dependence, Observed};
use crate::analysis::unused::{Unused, UnusedKinds};
use crate::model::{Model, Tables};
use crate::violation::Violation;
use statespace::Word;

bitflags::bitflags! {
    /// The kinds of reductions.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct Reductions: u8 {
        /// Steps that are independent of those taken are put off.
        const CLUSTERS = 1;
        /// States with a single step are passed through.
        const CHAINS = 1 << 1;
        /// Variables that are only assigned hold zero.
        const IRRELEVANT = 1 << 2;
        /// Variables that are overwritten before they are read hold zero.
        const DEAD = 1 << 3;
        /// Of atomic sequences that may block behind statements which nobody else can tell from none, the rest is
        /// independent of these statements: more steps are put off.
        const MOVERS = 1 << 4;
    }
}

/// Who sees to it that no step is put off forever.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proviso {
    /// The search ([`statespace::Visit::suffices`]): enough for violations that a single step or state shows.
    Search,
    /// The reduction: every cycle of the reduced state space has a state whose steps are all taken. Enough for properties
    /// of infinite runs that do not mind stuttering.
    Cycles,
}

/// What is left out of a search.
#[derive(Debug)]
pub struct Reduction {
    pub(crate) dependence: Dependence,
    pub(crate) proviso: Proviso,
    pub(crate) kinds: Reductions,
    pub(crate) unused: Unused,
    totals: Arc<Totals>,
}

/// What a reduction has saved in all searches that are done.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Savings {
    /// Expansions in which not all steps were taken.
    pub reduced: u64,
    /// All expansions.
    pub expanded: u64,
    /// States that were passed through.
    pub passed: u64,
}

/// The same, shared by all workers.
#[derive(Default, Debug)]
struct Totals {
    reduced: AtomicU64,
    expanded: AtomicU64,
    passed: AtomicU64,
}

/// The savings of one worker, which are added to the others' in the end.
#[derive(Default, Debug)]
pub(crate) struct Tally {
    pub(crate) savings: Savings,
    totals: Arc<Totals>,
}

impl Drop for Tally {
    fn drop(&mut self) {
        let Savings { reduced, expanded, passed } = self.savings;
        self.totals.reduced.fetch_add(reduced, Ordering::Relaxed);
        self.totals.expanded.fetch_add(expanded, Ordering::Relaxed);
        self.totals.passed.fetch_add(passed, Ordering::Relaxed);
    }
}

impl Reduction {
    /// The reduction of these kinds for a search that is observed in this way; `None` if the model is too large for it.
    pub fn new(model: &Model, kinds: Reductions, proviso: Proviso, observed: &Observed) -> Option<Self> {
        let mut cleared = UnusedKinds::empty();
        cleared.set(UnusedKinds::IRRELEVANT, kinds.contains(Reductions::IRRELEVANT));
        cleared.set(UnusedKinds::DEAD, kinds.contains(Reductions::DEAD));
        let read = [&observed.expressions[..], &observed.guides].concat();
        let unused = Unused::new(model, cleared, &read, observed.by_claims);
        let moves = kinds.contains(Reductions::MOVERS);
        let dependence = Dependence::new(model, observed, unused.irrelevant(), moves)?;
        Some(Reduction { dependence, proviso, kinds, unused, totals: Arc::default() })
    }

    /// The same without these kinds, with nothing saved so far.
    pub fn without(self, kinds: Reductions) -> Self {
        Reduction { kinds: self.kinds.difference(kinds), totals: Arc::default(), ..self }
    }

    /// What it has saved so far.
    pub fn savings(&self) -> Savings {
        let Totals { reduced, expanded, passed } = &*self.totals;
        let [reduced, expanded, passed] = [reduced, expanded, passed].map(|total| total.load(Ordering::Relaxed));
        Savings { reduced, expanded, passed }
    }

    /// Adds what a search has saved that goes on.
    pub fn add(&self, savings: Savings) {
        drop(Tally { savings, totals: Arc::clone(&self.totals) });
    }

    /// The savings of one worker, none so far.
    pub(crate) fn tally(&self) -> Tally {
        Tally { savings: Savings::default(), totals: Arc::clone(&self.totals) }
    }

    /// The state in which every run starts, as a reduced search stores it.
    pub fn initial(&self, model: &Model) -> Result<Vec<Word>, Violation> {
        let mut initial = model.initial_words()?;
        let mut tables = Tables::default();
        model.locate(&initial, &mut tables);
        self.unused.clear(model, &mut initial, &tables);
        Ok(initial)
    }
}
