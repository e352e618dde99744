//! LTL-Sweep: accepting cycles by a sweep that knows of no columns, as the paper has it.
//!
//! A cycle inside one layer (SLAC) is found among the steps inside the layer when the sweep passes it; the paper nests a
//! second search there, which expands states again. A cycle over several layers (MLAC) has a regress edge, and the sweep keeps
//! the state where that ends: it is found by passing on the greatest persistent predecessor (`predecessors.rs`), once
//! after the last sweep from all persistent states (*off*), or after each sweep from those it started with (*on*).
//! Invariant: states are deleted as soon as the sweep has passed, so at the end of a sweep every target of a regress edge
//! is persistent.
//!
//! Evangelista, Kristensen, "Hybrid On-the-Fly LTL Model Checking with the Sweep-Line Method", PETRI NETS 2012, Alg. 2 and
//! sections 5.1 to 5.3.

use super::column_cycles::Cycles;
use super::predecessors::{Options, Predecessors};
use super::progress_graph::ProgressGraph;
use crate::SearchOptions;
use crate::algorithm::cycles::detector::{Context, CycleDetector, Link, When};
use crate::control::{Control, End};
use crate::meter::Meter;
use crate::observer::Observer;
use crate::space::acceptance::Accepting;
use crate::store::layer::ProgressLayer;

/// When cycles over several layers are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Moment {
    /// When everything has been swept.
    Off,
    /// After each sweep.
    On,
}

/// Watches a sweep.
pub(crate) struct LtlSweep<'a, S> {
    space: &'a S,
    moment: Moment,
    progress_first: bool,
    inside: Cycles<'a, S>,
    progress_graph: Option<ProgressGraph>,
    /// How many states had been stored when the sweep before the present one began, and when this one did.
    began: [u64; 2],
}

impl<'a, S: Accepting<Violation: PartialEq>> LtlSweep<'a, S> {
    pub(crate) fn new(space: &'a S, moment: Moment, options: &SearchOptions, meter: &Meter) -> Self {
        LtlSweep {
            space,
            moment,
            progress_first: options.progress_first,
            inside: Cycles::new(space, meter),
            progress_graph: options.progress_graph.then(|| ProgressGraph::new(meter)),
            began: [0, 0],
        }
    }
}

impl<S: Accepting<Violation: PartialEq>> CycleDetector<S::Violation> for LtlSweep<'_, S> {
    const IS_ACTIVE: bool = true;

    fn enter(&mut self, layer: &ProgressLayer, _: bool) -> bool {
        // A cycle inside a layer is there as a whole when the first of its states is expanded.
        self.inside.enter(layer, true) || self.progress_graph.is_some()
    }

    fn reserve<O: Observer>(
        &mut self,
        layer: &ProgressLayer,
        steps: usize,
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<(), End> {
        self.progress_graph.iter_mut().for_each(ProgressGraph::count);
        self.inside.reserve(layer, steps, control)
    }

    #[inline]
    fn link(&mut self, layer: &ProgressLayer, link: &Link) {
        self.inside.link(layer, link);
        if let Some(progress_graph) = &mut self.progress_graph {
            progress_graph.add(link.from, link.to, || crate::algorithm::is_good(self.space, layer.get(link.source)));
        }
    }

    fn is_due(&self) -> bool {
        self.inside.is_due()
    }

    fn look<O: Observer>(
        &mut self,
        when: When,
        layer: Option<&ProgressLayer>,
        context: Context<'_>,
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<(), End> {
        let first = match (when, self.moment) {
            (When::Now | When::Layer, _) => return self.inside.look(when, layer, context, control),
            (When::Last, Moment::Off) => 0,
            (When::Sweep, Moment::On) => {
                let [first, began] = self.began;
                self.began = [began, control.stats.states];
                first
            }
            (When::Last, Moment::On) | (When::Sweep, Moment::Off) => return Ok(()),
        };
        if self.inside.is_found() {
            return Ok(());
        }
        let useful = self.progress_graph.as_ref().map(ProgressGraph::useful);
        let options = Options { progress_first: self.progress_first, useful: useful.as_ref(), first };
        let mut search = Predecessors::new(self.space, context, options, control)?;
        self.inside.set_found(search.search(control)?);
        Ok(())
    }
}
