//! What reductions cost where they save little: the same search with and without them, in turns.

use super::Model;
use super::run::{BREADTH_FIRST, Checkers, Found, Run, UNREDUCED};
use anyhow::Result;

/// A model, and the least user time of all turns with and without reductions.
pub(crate) struct Cost {
    pub(crate) model: String,
    /// Of the default search and the one breadth first.
    pub(crate) searches: [Option<Pair>; 2],
}

/// A search with reductions, and without.
#[derive(Clone)]
pub(crate) struct Pair {
    pub(crate) with: Found,
    pub(crate) without: Found,
}

/// Families of models in which most steps concern several processes.
const FAMILIES: [&str; 3] = ["beem/all/peterson.", "beem/all/telephony.", "beem/all/lamport."];
/// More states take too long for many turns.
const LARGEST: u64 = 2_000_000;
/// Each search with its options, with and without reductions.
const SEARCHES: [[&[&str]; 2]; 2] = [[&[], &["--no-reduction"]], [BREADTH_FIRST, UNREDUCED]];

/// Measures those of the models that are not too large.
pub(crate) fn measure(checkers: &Checkers, models: &[Model], turns: usize) -> Result<Vec<Cost>> {
    let chosen = models.iter().filter(|model| {
        model.recorded.is_some_and(|states| states <= LARGEST)
            && FAMILIES.iter().any(|family| model.entry.name.starts_with(family))
    });
    let mut costs = Vec::new();
    for model in chosen {
        let mut searches = [None, None];
        for (options, pair) in SEARCHES.iter().zip(&mut searches) {
            for _ in 0..turns.max(1) {
                let [with, without] = options.map(|options| checkers.psw(&model.entry.path, options));
                let (Run::Searched(with), Run::Searched(without)) = (with?, without?) else { break };
                let fresh = Pair { with, without };
                *pair = Some(pair.take().map_or(fresh.clone(), |old: Pair| old.best(fresh)));
            }
        }
        costs.push(Cost { model: model.entry.name.clone(), searches });
    }
    costs.sort_by(|one, other| one.model.cmp(&other.model));
    Ok(costs)
}

impl Pair {
    /// How many times longer the search takes with reductions.
    pub(crate) fn ratio(&self) -> f64 {
        self.with.user.max(LEAST_TIME) / self.without.user.max(LEAST_TIME)
    }

    /// The faster run of each.
    fn best(self, other: Pair) -> Pair {
        let faster = |one: Found, other: Found| if other.user < one.user { other } else { one };
        Pair { with: faster(self.with, other.with), without: faster(self.without, other.without) }
    }
}

/// What is below this is noise.
const LEAST_TIME: f64 = 0.001;
