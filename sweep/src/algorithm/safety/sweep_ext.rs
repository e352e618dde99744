//! Sweep-line search with its queue and its persistent states on disk: in memory is the layer that is being expanded.
//!
//! A successor in the layer is looked up there. One with more progress goes into the queue: whether it is new is found out
//! when its layer is loaded. One with less progress goes to `persistent` (P); after the sweep those that were never found
//! before (NP) become roots of the next one, and are added to all of them (AP).
//! Invariant: AP has the roots of all sweeps. So the sweeps end, at the latest when every state is in AP; and everything
//! reachable is expanded, since the successors of an expanded state are expanded in the same sweep, or in the next one, or were
//! as roots of an earlier one.
//! A layer for which there is no room is partitioned (`external/layer.rs`). Without a measure everything is one layer: that
//! is the search by partitions.
//!
//! Evangelista, Kristensen, "Combining the Sweep-Line Method with the Use of an External-Memory Priority Queue", SPIN 2012,
//! Alg. 1. Their `H` and `U` are `layer`.

use std::cmp::Ordering;

use statespace::{StateSpace, Word};

use crate::SearchOptions;
use crate::control::{Control, End, ExternalStats, Revisits};
use crate::external::layer::Layer;
use crate::external::queue::Queue;
use crate::external::record::{Origin, Record};
use crate::external::sorted_set::SortedSet;
use crate::external::sorter::Sorter;
use crate::external::{ExternalOptions, Workspace};
use crate::measure::{Measure, Progress};
use crate::observer::{Observer, Step};
use crate::store::events::{Events, Kind};
use crate::store::predecessor_log::PredecessorLog;
use crate::store::{StateId, hash};

/// Look at the successors as soon as so many wait.
const BATCH: usize = 32;

/// Of the states that the queue has in memory, a sorter of persistent ones has one in so many: it is not in the paper's T. And
/// blocks of persistent states are smaller, since more files are read at a time when they are merged.
const PERSISTENT: usize = 8;
const BLOCKS: usize = 4;

/// Explores everything that can be reached from `initial`.
pub(crate) fn search<S, M, O>(
    space: &S,
    initial: &[Word],
    measure: &M,
    options: &SearchOptions,
    control: &mut Control<'_, S::Violation, O>,
) -> Result<(), End>
where
    S: StateSpace<Violation: PartialEq>,
    M: Measure,
    O: Observer,
{
    let meter = control.meter();
    let predecessors = PredecessorLog::enabled(options.traces || options.witnesses, meter);
    let workspace = Workspace::new(options.external, space.fixed_words(), meter);
    let block = (workspace.options.block / BLOCKS).max(1);
    let in_small_blocks = Workspace { options: ExternalOptions { block, ..workspace.options }, ..workspace.clone() };
    let mut search = Search {
        space,
        measure,
        layer: Layer::new(&workspace, predecessors),
        queue: Queue::new(&workspace),
        persistent: Sorter::new(&in_small_blocks, workspace.options.buffer / PERSISTENT),
        all_persistent: SortedSet::new(&in_small_blocks),
        events: Events::new(meter),
        scratch: space.scratch(),
        bound: 0.0,
        workspace,
    };
    let end = search.explore(initial, control);
    search.report(control);
    control.ended(&mut search.layer.predecessors);
    end
}

struct Search<'a, S: StateSpace, M> {
    space: &'a S,
    measure: &'a M,
    workspace: Workspace,
    /// The states of the present layer.
    layer: Layer,
    /// Those of later ones, and roots (Q).
    queue: Queue,
    /// Where regress edges of this sweep end (P),
    persistent: Sorter,
    /// and those of all sweeps before it (AP).
    all_persistent: SortedSet,
    /// Events of states that are expanded but not yet looked at.
    events: Events<S::Violation, StateId>,
    scratch: S::Scratch,
    /// State I/Os of the queue by Theorem 1, as far as we are.
    bound: f64,
}

impl<S: StateSpace<Violation: PartialEq>, M: Measure> Search<'_, S, M> {
    fn explore<O: Observer>(
        &mut self,
        initial: &[Word],
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<(), End> {
        control.step();
        control.stats.sweep.columns = 1;
        let origin = Origin::default();
        self.queue.insert(hash(initial), Record { progress: self.measure.of(initial), origin, state: initial })?;
        while self.queue.least().is_some() {
            self.sweep(control)?;
            self.detect_new_persistent(control)?;
        }
        Ok(())
    }

    /// Expands everything in the queue, and what can be reached from it without going back.
    fn sweep<O: Observer>(&mut self, control: &mut Control<'_, S::Violation, O>) -> Result<(), End> {
        control.stats.sweep.sweeps += 1;
        let before = control.stats.sweep.edges.forward;
        while let Some(progress) = self.queue.least() {
            control.stats.sweep.layers += 1;
            self.layer.begin(progress, control);
            let Search { layer, queue, workspace, .. } = self;
            queue.take(progress, |record| {
                layer.offer(hash(record.state), record, control)?;
                control.count_buffered(workspace.file.buffered());
                Ok::<(), End>(())
            })?;
            self.expand_layer(progress, control)?;
        }
        let forward = (control.stats.sweep.edges.forward - before) as f64;
        let options = &self.workspace.options;
        self.bound += 2.0 * forward * (forward / options.spill as f64 + 1.0).log(options.fan_in as f64);
        Ok(())
    }

    /// NP := P \ AP; AP := AP ∪ NP; Q := NP.
    fn detect_new_persistent<O: Observer>(&mut self, control: &mut Control<'_, S::Violation, O>) -> Result<(), End> {
        let Search { queue, persistent, all_persistent, .. } = self;
        all_persistent.add(persistent.take_sorted()?, |record| {
            control.revisits = Revisits::Possible;
            control.stats.sweep.persistent += 1;
            Ok::<(), End>(queue.insert(hash(record.state), record)?)
        })
    }

    /// Expands the states of the layer until none of them waits.
    fn expand_layer<O: Observer>(
        &mut self,
        progress: Progress,
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<(), End> {
        while let Some(id) = self.layer.pop(control)? {
            let Search { space, measure, layer, queue, events, scratch, .. } = self;
            let (state, number) = (layer.get(id), layer.tag(id).number());
            control.check_space(*space)?;
            control.expanding(state, layer.waiting() + queue.len() + 1)?;
            // What goes into the queue is expanded later, known or not.
            let is_done = |hash, next: &[Word]| match measure.of(next).cmp(&progress) {
                Ordering::Less => true,
                Ordering::Equal => layer.may_be_done(hash, next),
                Ordering::Greater => false,
            };
            let expanded = events.expand((*space, state), scratch, id, &is_done, control);
            if expanded.is_err() {
                for (violation, event, id) in events.violations() {
                    let number = layer.tag(id).number();
                    control.violated(violation, || layer.predecessors.path(number, event))?;
                }
            }
            if !expanded? {
                control.dead(layer.get(id), number);
            }
            if self.events.len() >= BATCH || !self.layer.has_waiting() {
                self.insert_events(progress, control)?;
            }
        }
        Ok(())
    }

    /// Handles the collected events in their order.
    #[inline(never)]
    fn insert_events<O: Observer>(
        &mut self,
        progress: Progress,
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<(), End> {
        control.allow(0)?;
        let Search { measure, layer, queue, persistent, events, workspace, .. } = self;
        for event in events.iter() {
            let tag = layer.tag(event.origin);
            let (hash, state) = match event.kind {
                Kind::Violation(violation) => {
                    control.violated(violation, || layer.predecessors.path(tag.number(), event.number))?;
                    continue;
                }
                Kind::Successor(hash, state) => (hash, state),
            };
            control.step();
            control.took(|| Step { from: layer.get(event.origin), event: event.number, to: state });
            let origin = Origin { parent: tag.number(), event: event.number, depth: tag.depth() + 1 };
            let record = Record { progress: measure.of(state), origin, state };
            let edges = &mut control.stats.sweep.edges;
            match record.progress.cmp(&progress) {
                Ordering::Equal => {
                    edges.stationary += 1;
                    layer.offer(hash, record, control)?;
                }
                Ordering::Greater => {
                    edges.forward += 1;
                    queue.insert(hash, record)?;
                }
                Ordering::Less => {
                    edges.regress += 1;
                    persistent.insert(hash, record)?;
                }
            }
        }
        control.count_buffered(workspace.file.buffered());
        events.clear();
        Ok(())
    }

    /// What only a search in external memory counts.
    fn report<O: Observer>(&mut self, control: &mut Control<'_, S::Violation, O>) {
        let sweep = control.stats.sweep;
        let bound = sweep.persistent as f64 * (sweep.sweeps + 2) as f64 + self.bound;
        // It is about a queue: partitions have none.
        let bound = (!self.measure.has_one_layer()).then_some(bound as u64);
        control.stats.estimate = Some(self.layer.estimate());
        control.stats.external = Some(ExternalStats { disk: self.workspace.file.stats(), bound });
    }
}
