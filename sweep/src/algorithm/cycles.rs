//! Searches for accepting cycles, all of them on the same joint: `Accepting`.
//!
//! What `expand` reports counts exactly as in a search for safety violations; in addition, one accepting cycle is looked
//! for. Of several cycles one is found: with `all_errors` the search goes on for the other violations only.

pub(crate) mod column_cycles;
mod demand_graph;
pub(crate) mod detector;
pub(crate) mod fair_cycles;
#[cfg(test)]
mod fair_tests;
pub(crate) mod lasso;
pub(crate) mod ltl_sweep;
pub(crate) mod map;
pub(crate) mod ndfs;
mod predecessors;
mod progress_graph;
mod step_graph;
#[cfg(test)]
mod tests;

use statespace::Word;

use crate::algorithm::cycles::column_cycles::Cycles;
use crate::algorithm::cycles::ltl_sweep::{LtlSweep, Moment};
use crate::algorithm::cycles::ndfs::Colours;
use crate::algorithm::safety::dfs;
use crate::algorithm::safety::sweep_line::{Rules, Sweep};
use crate::control::{Control, End};
use crate::measure::Measure;
use crate::meter::Meter;
use crate::observer::Observer;
use crate::outcome::Outcome;
use crate::space::acceptance::{Accepting, Observing, WithRank};
use crate::space::compression::{Decompressing, MeasureOfCompressed, TreeCompressed};
use crate::store::predecessor_log::PredecessorLog;
use crate::{SearchOptions, is_wide, search};

/// How accepting cycles are searched.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum CycleSearch {
    /// Nested depth-first search; stores everything.
    Ndfs,
    /// Maximal accepting predecessors, breadth-first; stores everything.
    Map,
    /// LTL-Sweep, with cycles over several layers looked for at the end.
    SweepOff,
    /// LTL-Sweep, with cycles over several layers looked for after each sweep.
    SweepOn,
    /// Column by column of the measure and of the automaton's components, deleting as a safety sweep does.
    #[default]
    Column,
}

impl CycleSearch {
    /// All of them.
    pub const ALL: [CycleSearch; 5] =
        [CycleSearch::Ndfs, CycleSearch::Map, CycleSearch::SweepOff, CycleSearch::SweepOn, CycleSearch::Column];
}

/// Searches for violations and for accepting cycles until all is seen, a limit is reached, or the meter is interrupted.
/// `measure` measures the words of the system alone; the rank of the automaton's component is added to it.
///
/// A cycle is reported as `space.cycle()`, with a trace whose events from `cycle_start` on lead round it once. `expanded`
/// counts every expansion: those of second searches too.
pub fn check_cycles<S, M, O>(
    space: &S,
    measure: &mut M,
    options: &SearchOptions,
    observer: &mut O,
    meter: &Meter,
) -> Outcome<S::Violation>
where
    S: Observing<Violation: PartialEq>,
    M: Measure,
    O: Observer,
{
    let mut ranked = WithRank { space, measure };
    let is_compressed = options.compact || is_wide(space);
    match is_compressed.then(|| TreeCompressed::new(space, meter)).flatten() {
        Some(compressed) => {
            let compressed = &compressed;
            let mut measure = MeasureOfCompressed { compressed, measure: &mut ranked };
            let mut observer = Decompressing::new(compressed, observer);
            compressed.decompress_outcome(check_as_it_is(compressed, &mut measure, options, &mut observer, meter))
        }
        None => check_as_it_is(space, &mut ranked, options, observer, meter),
    }
}

/// Searches states as the space has them, by a measure of the whole space.
fn check_as_it_is<S, M, O>(
    space: &S,
    measure: &mut M,
    options: &SearchOptions,
    observer: &mut O,
    meter: &Meter,
) -> Outcome<S::Violation>
where
    S: Accepting<Violation: PartialEq>,
    M: Measure,
    O: Observer,
{
    search(Control::new(options, observer, meter), space, |initial, control| match options.cycles {
        CycleSearch::Ndfs => {
            let predecessors = PredecessorLog::enabled(options.witnesses, meter);
            dfs::search(space, initial, Colours::new(space, meter), predecessors, control)
        }
        CycleSearch::Map => {
            let predecessors = PredecessorLog::enabled(options.traces || options.witnesses, meter);
            map::search(space, initial, predecessors, control)
        }
        CycleSearch::SweepOff => ltl_sweep(space, initial, measure, Moment::Off, options, control),
        CycleSearch::SweepOn => ltl_sweep(space, initial, measure, Moment::On, options, control),
        CycleSearch::Column => {
            let rules = Rules { columns: true, strict: false };
            let mut sweep = Sweep::new(space, measure, rules, options, Cycles::new(space, meter), meter);
            sweep.explore(initial, control)
        }
    })
}

fn ltl_sweep<S, M, O>(
    space: &S,
    initial: &[Word],
    measure: &mut M,
    moment: Moment,
    options: &SearchOptions,
    control: &mut Control<'_, S::Violation, O>,
) -> Result<(), End>
where
    S: Accepting<Violation: PartialEq>,
    M: Measure,
    O: Observer,
{
    // Every state where a regress edge ends must be persistent, so nothing may be kept for any other reason.
    let options = &SearchOptions { collect_every: 1, reexpansion_limit: None, ..*options };
    let detector = LtlSweep::new(space, moment, options, control.meter());
    let rules = Rules { columns: false, strict: false };
    let mut sweep = Sweep::new(space, measure, rules, options, detector, control.meter());
    sweep.explore(initial, control)
}
