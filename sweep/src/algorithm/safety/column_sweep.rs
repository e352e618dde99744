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
    let end = sweep.columns(initial, control);
    match sweep.stopped.take() {
        Some(stopped) => hand_over::sweep(sweep, stopped, options, control),
        None => sweep.finish(end, control),
    }
}

impl<S: StateSpace<Violation: PartialEq>, M: Measure, W: CycleDetector<S::Violation>> Sweep<'_, S, M, W> {
    /// Sweeps everything, column by column, with whatever watches.
    pub(crate) fn explore<O: Observer>(
        &mut self,
        initial: &[Word],
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<(), End> {
        let end = self.columns(initial, control);
        self.finish(end, control)
    }

    fn columns<O: Observer>(
        &mut self,
        initial: &[Word],
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<(), End> {
        match control.resume() {
            None => self.start(initial, control)?,
            Some(checkpoint) => {
                let at = self.load(initial, checkpoint, control)?;
                let _ = self.column(at, control)?;
            }
        }
        while let Some(first) = self.first() {
            // After a change of the measure there are other columns.
            let _ = self.column(first, control)?;
        }
        Ok(())
    }

    fn finish<O: Observer>(
        &mut self,
        end: Result<(), End>,
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<(), End> {
        control.stats.estimate = Some(self.estimate());
        control.ended(&mut self.predecessors);
        end
    }
}
