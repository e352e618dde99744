//! What grew: the variables, channels and processes that have the most different values in a sample of the states seen. They say
//! why a model has so many states.
//!
//! Every so many expansions a state is kept. When there are too many, every other one is dropped and states are kept half as
//! often, so that the sample is spread evenly over the run, however long it is.

use fxhash::{FxHashMap, FxHashSet};
use interp::{Model, Word};
use sweep::{Observer, Stats};

/// The most states of the sample, and the most words of all of them.
const MOST: usize = 512;
const MOST_WORDS: usize = 1 << 18;
/// The most places that are named, and the least number of values that is worth it.
const NAMED: usize = 3;
const LEAST: usize = 3;

/// Keeps the sample.
pub struct Variety {
    expanded: u64,
    /// A power of two.
    every: u64,
    states: Vec<Vec<Word>>,
    words: usize,
}

impl Default for Variety {
    fn default() -> Self {
        Variety { expanded: 0, every: 1, states: Vec::new(), words: 0 }
    }
}

impl Observer for Variety {
    #[inline]
    fn looks(&self) -> bool {
        self.expanded & (self.every - 1) == 0
    }

    #[inline]
    fn expanding(&mut self, state: &[Word], _stats: &Stats) {
        if self.looks() {
            self.keep(state);
        }
        self.expanded += 1;
    }
}

impl Variety {
    #[cold]
    fn keep(&mut self, state: &[Word]) {
        if state.len() > MOST_WORDS {
            return;
        }
        self.words += state.len();
        self.states.push(state.to_vec());
        while self.states.len() > MOST || self.words > MOST_WORDS {
            let mut number = 0;
            self.states.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.words = self.states.iter().map(Vec::len).sum();
            self.every *= 2;
        }
    }

    /// A sentence that names what has most values, if anything has some.
    pub fn sentence(&self, model: &Model) -> Option<String> {
        let mut values: FxHashMap<String, FxHashSet<String>> = FxHashMap::default();
        let mut note = |place: String, value: String| values.entry(place).or_default().insert(value);
        for state in &self.states {
            note("the number of processes".to_owned(), model.nr_pr(state).to_string());
            for process in model.processes(state) {
                note(format!("the location of {}({})", process.name, process.pid), process.location.to_string());
            }
            for view in model.values(state) {
                let owner = view.pid.map_or_else(String::new, |pid| format!(" of process {pid}"));
                note(view.name + &owner, view.value);
            }
        }
        let mut counts: Vec<(usize, String)> =
            values.into_iter().map(|(place, values)| (values.len(), place)).collect();
        counts.retain(|(count, _)| *count >= LEAST);
        counts.sort_by(|(a, first), (b, second)| b.cmp(a).then_with(|| first.cmp(second)));
        let named = counts.into_iter().take(NAMED).map(|(count, place)| format!("{place} has {count} values"));
        let named: Vec<String> = named.collect();
        (!named.is_empty()).then(|| format!("of {} states, {}", self.states.len(), named.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_is_bounded_and_spread_evenly() {
        let mut variety = Variety::default();
        for number in 0..1_000_000 {
            variety.expanding(&[number; 5], &Stats::default());
        }
        let kept: Vec<Word> = variety.states.iter().map(|state| state[0]).collect();
        assert!((MOST / 2..=MOST).contains(&kept.len()), "{}", kept.len());
        assert!(kept.windows(2).all(|pair| u64::from(pair[1] - pair[0]) == variety.every), "{kept:?}");
        assert!(kept[kept.len() - 1] > 990_000);
    }

    #[test]
    fn large_states_are_fewer() {
        let mut variety = Variety::default();
        let (large, too_large) = (vec![0; MOST_WORDS / 10], vec![0; MOST_WORDS + 1]);
        for _ in 0..100 {
            variety.expanding(&large, &Stats::default());
            variety.expanding(&too_large, &Stats::default());
        }
        assert!(variety.words <= MOST_WORDS && (2..=10).contains(&variety.states.len()), "{}", variety.states.len());
    }
}
