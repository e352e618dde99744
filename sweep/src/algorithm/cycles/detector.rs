//! What a sweep tells cycle detectors: the steps it takes, and when states are going to be deleted.
//!
//! A detector sees everything and changes nothing in the sweep, except by reporting a violation.

use crate::control::{Control, End};
use crate::measure::{Columns, Measure, Progress};
use crate::observer::Observer;
use crate::store::StateId;
use crate::store::layer::ProgressLayer;
use crate::store::layers::Layers;
use crate::store::predecessor_log::PredecessorLog;

/// Whoever must know which steps there are between stored states, to find cycles among them.
pub(crate) trait CycleDetector<V: Copy + PartialEq> {
    /// Is anything looked for? If not, nothing else is called that costs time.
    const IS_ACTIVE: bool;

    /// A column is going to be swept, when this many states were stored in all and this many wait in it.
    fn begin(&mut self, _stored: u64, _waiting: u64) {}

    /// A layer is going to be expanded. If not `deletes`, states that are expanded may be stored and met again. Whether
    /// its steps matter.
    fn enter(&mut self, _layer: &ProgressLayer, _deletes: bool) -> bool {
        false
    }

    /// This many steps of the layer are going to be added.
    fn reserve<O: Observer>(
        &mut self,
        _layer: &ProgressLayer,
        _steps: usize,
        _control: &mut Control<'_, V, O>,
    ) -> Result<(), End> {
        Ok(())
    }

    /// A state of the layer has a step.
    fn link(&mut self, _layer: &ProgressLayer, _link: &Link) {}

    /// Should there be a look before the layer is done?
    fn is_due(&self) -> bool {
        false
    }

    /// All steps of some states have been added.
    fn look<O: Observer>(
        &mut self,
        _when: When,
        _layer: Option<&ProgressLayer>,
        _context: Context<'_>,
        _control: &mut Control<'_, V, O>,
    ) -> Result<(), End> {
        Ok(())
    }
}

/// Nobody looks for cycles.
impl<V: Copy + PartialEq> CycleDetector<V> for () {
    const IS_ACTIVE: bool = false;
}

/// A step between stored states.
pub(crate) struct Link {
    /// The state of the layer that has it.
    pub(crate) source: StateId,
    /// Where it leads: the place in its layer,
    pub(crate) target: StateId,
    /// and the number in the predecessor log.
    pub(crate) number: u64,
    /// The progress of both.
    pub(crate) from: Progress,
    pub(crate) to: Progress,
    /// Does it stay in its column?
    pub(crate) stays: bool,
}

/// When a detector may search the steps that it knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum When {
    /// In the middle of a layer.
    Now,
    /// A layer is done.
    Layer,
    /// A sweep through the column is done.
    Sweep,
    /// The column is done, or its states are going to be deleted: steps known until now will not matter later.
    Last,
}

/// What a detector needs to give the path to a cycle.
pub(crate) struct Context<'a> {
    /// The states, but for the layer that is being expanded.
    pub(crate) layers: &'a Layers,
    pub(crate) predecessors: &'a mut PredecessorLog,
    /// The measure, and the columns in use.
    pub(crate) measure: &'a dyn Measure,
    pub(crate) columns: Columns,
}
