//! Observers of a search. An observer never steers.

pub mod digest;
pub mod live;
pub mod log;
pub mod variety;

use fxhash::FxHashSet;
use interp::Word;
use sweep::meter::Account;
use sweep::store::hash;
use sweep::{Meter, Observer, Stats};

use live::Live;
use log::Log;
use variety::Variety;

/// All observers of a search for violations. They are called statically: nothing is looked up per state.
pub struct Observers {
    pub live: Live,
    /// Keeps a sample of the states.
    pub variety: Variety,
    /// `--count-distinct`.
    pub distinct: Option<DistinctStates>,
    /// `--log`.
    pub log: Option<Log>,
}

/// The hashes of all states that were stored. Two states with one hash count as one: with ten million states there is
/// such a pair with a probability of 3 in a million.
pub struct DistinctStates {
    hashes: FxHashSet<u64>,
    account: Account,
}

impl DistinctStates {
    /// No states yet.
    pub fn new(meter: &Meter) -> Self {
        DistinctStates { hashes: FxHashSet::default(), account: meter.account() }
    }

    #[inline]
    fn add(&mut self, state: &[Word]) {
        self.hashes.insert(hash(state));
        // Before the table grows, the bytes are counted that it will need meanwhile: the old table and one twice as large.
        let capacity = self.hashes.capacity();
        let tables = if capacity - self.hashes.len() <= NEARLY_FULL { 3 } else { 1 };
        self.account.set(tables * capacity * HASH_BYTES);
    }

    /// How many there were.
    pub fn count(&self) -> u64 {
        self.hashes.len() as u64
    }
}

/// Bytes of a table of hashes for each that it has room for: one more for the table's own use, and a place in
/// eight stays free.
const HASH_BYTES: usize = (size_of::<u64>() + 1) * 8 / 7 + 1;
/// When there is room for so few more, the table may grow before the limit is checked again.
const NEARLY_FULL: usize = 1 << 12;

impl Observer for Observers {
    #[inline]
    fn looks(&self) -> bool {
        self.distinct.is_some() || self.log.is_some() || self.variety.looks()
    }

    #[inline]
    fn discovered(&mut self, state: &[Word], _: &Stats) {
        if let Some(distinct) = &mut self.distinct {
            distinct.add(state);
        }
    }

    #[inline]
    fn expanding(&mut self, state: &[Word], stats: &Stats) {
        self.variety.expanding(state, stats);
        if let Some(log) = &mut self.log {
            log.expanding(stats);
        }
    }

    fn tick(&mut self, stats: &Stats) {
        self.live.tick(stats);
    }
}
