//! Compositional sweep: column by column, each swept until nothing new is found in it, and then deleted altogether.
//!
//! Invariant: no step leads to an earlier column, so what is deleted with a column, its persistent states included, is
//! never met again; states of later columns wait where they are stored. Expanded are at most the sum over all columns C
//! of (|B(C)| + 1) · |C| states, B(C) being where regress edges inside C end: each state once if layers never regress. If
//! the invariant turns out to be false, the measure is changed and what is stored is rearranged; what was expanded
//! before stays expanded, and everything that waited still waits.
//! With all states in one column this is the generalised sweep-line search.
//!
//! Kristensen, Mailund, "A Compositional Sweep-Line State Space Exploration Method", FORTE 2002, Fig. 5.

use statespace::{StateSpace, Word};

use super::hand_over;
use super::sweep_line::{Rules, Sweep};
use crate::SearchOptions;
use crate::algorithm::cycles::detector::CycleDetector;
use crate::control::{Control, End};
use crate::measure::Measure;
use crate::observer::Observer;

/// Explores everything that can be reached from `initial`.
pub(crate) fn search<S, M, O>(
    space: &S,
    initial: &[Word],
    measure: &mut M,
    rules: Rules,
    options: &SearchOptions,
    control: &mut Control<'_, S::Violation, O>,
) -> Result<(), End>
where
    S: StateSpace<Violation: PartialEq>,
    M: Measure,
    O: Observer,
{
    let mut sweep = Sweep::new(space, measure, rules, options, (), control.meter());
    let end = columns(&mut sweep, initial, control);
    match sweep.stopped.take() {
        Some(stopped) => hand_over::sweep(sweep, stopped, options, control),
        None => finish(&mut sweep, end, control),
    }
}

/// Sweeps everything, column by column, with whatever watches.
pub(crate) fn explore<S, M, W, O>(
    sweep: &mut Sweep<'_, S, M, W>,
    initial: &[Word],
    control: &mut Control<'_, S::Violation, O>,
) -> Result<(), End>
where
    S: StateSpace<Violation: PartialEq>,
    M: Measure,
    W: CycleDetector<S::Violation>,
    O: Observer,
{
    let end = columns(sweep, initial, control);
    finish(sweep, end, control)
}

fn finish<S, M, W, O>(
    sweep: &mut Sweep<'_, S, M, W>,
    end: Result<(), End>,
    control: &mut Control<'_, S::Violation, O>,
) -> Result<(), End>
where
    S: StateSpace<Violation: PartialEq>,
    M: Measure,
    W: CycleDetector<S::Violation>,
    O: Observer,
{
    control.stats.estimate = Some(sweep.estimate());
    control.ended(&mut sweep.predecessors);
    end
}

fn columns<S, M, W, O>(
    sweep: &mut Sweep<'_, S, M, W>,
    initial: &[Word],
    control: &mut Control<'_, S::Violation, O>,
) -> Result<(), End>
where
    S: StateSpace<Violation: PartialEq>,
    M: Measure,
    W: CycleDetector<S::Violation>,
    O: Observer,
{
    match control.resume() {
        None => sweep.start(initial, control)?,
        Some(checkpoint) => {
            let at = sweep.load(initial, checkpoint, control)?;
            let _ = sweep.column(at, control)?;
        }
    }
    while let Some(first) = sweep.first() {
        // After a change of the measure there are other columns.
        let _ = sweep.column(first, control)?;
    }
    Ok(())
}
