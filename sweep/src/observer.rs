//! What can be watched of a search. An observer never steers: it is told, and not asked.

use interp::space::Word;

use crate::control::Stats;

/// A watcher of a search: a progress line, a recorder, a drawing. All its methods may be left out.
pub trait Observer {
    /// A new state was stored; its number is `stats.states - 1`.
    fn discovered(&mut self, _state: &[Word], _stats: &Stats) {}

    /// The steps out of a state are going to be taken.
    fn expanding(&mut self, _state: &[Word], _stats: &Stats) {}

    /// About a tenth of a second has passed since the last tick.
    fn tick(&mut self, _stats: &Stats) {}
}

/// Nobody watches.
impl Observer for () {}
