//! Divergence: the values that had grown when a limit stopped a run. They hint at why the model has so many states.

use fxhash::FxHashMap;
use interp::inspect::values::ValueView;
use interp::{Model, StateSpace, Word};
use sweep::{Observer, Stats};

/// Every so many expansions a state is kept.
const SAMPLE: u64 = 1024;
/// The most values that are named.
const NAMED: usize = 3;
/// Larger states are not compared: three of their values would say little.
const MOST_WORDS: usize = 1 << 14;

/// Keeps a late state.
#[derive(Default)]
pub struct Divergence {
    expanded: u64,
    latest: Vec<Word>,
}

impl Observer for Divergence {
    #[inline]
    fn looks(&self) -> bool {
        self.expanded.is_multiple_of(SAMPLE)
    }

    #[inline]
    fn expanding(&mut self, state: &[Word], _stats: &Stats) {
        if self.expanded.is_multiple_of(SAMPLE) {
            self.latest.clear();
            self.latest.extend_from_slice(state);
        }
        self.expanded += 1;
    }
}

impl Divergence {
    /// A sentence that names what grew most, if anything did.
    pub fn sentence(&self, model: &Model) -> Option<String> {
        let initial = model.initial().ok()?;
        if self.latest.is_empty() || self.latest.len() > MOST_WORDS {
            return None;
        }
        let mut grown = Vec::new();
        let (before, now) = (model.nr_pr(&initial) as i64, model.nr_pr(&self.latest) as i64);
        if now > before {
            grown.push((now - before, format!("the number of processes grew from {before} to {now}")));
        }
        let (start, late) = (model.values(&initial), model.values(&self.latest));
        let place = |view: &ValueView| (view.pid, view.name.clone());
        let start: FxHashMap<_, &str> = start.iter().map(|view| (place(view), view.value.as_str())).collect();
        for view in late {
            let messages = view.value.matches('[').count() as i64;
            let was = start.get(&place(&view)).map(|old| old.parse::<i64>());
            let owner = view.pid.map_or_else(String::new, |pid| format!(" of process {pid}"));
            match (view.value.parse::<i64>(), was) {
                (Ok(value), Some(Ok(old))) if value > old => {
                    grown.push((value - old, format!("{}{owner} grew from {old} to {value}", view.name)));
                }
                (Err(_), _) if messages > 0 => {
                    grown.push((messages, format!("{} held {messages} messages", view.name)))
                }
                _ => {}
            }
        }
        grown.sort_by_key(|(by, _)| std::cmp::Reverse(*by));
        let named: Vec<String> = grown.into_iter().take(NAMED).map(|(_, what)| what).collect();
        (!named.is_empty()).then(|| named.join(", "))
    }
}
