//! Who watches a search: the line on the terminal, and what remembers how the model grew.

use interp::Word;
use sweep::{Observer, Stats};

use crate::growth::Growth;
use crate::report::live::Live;

/// Both of them. Which is called where is known when psw is compiled: nothing is looked up per state.
pub struct Watch {
    /// Shows how the run is doing.
    pub live: Live,
    /// Remembers a late state.
    pub growth: Growth,
}

impl Observer for Watch {
    #[inline]
    fn expanding(&mut self, state: &[Word], stats: &Stats) {
        self.growth.expanding(state, stats);
    }

    fn tick(&mut self, stats: &Stats) {
        self.live.tick(stats);
    }
}
