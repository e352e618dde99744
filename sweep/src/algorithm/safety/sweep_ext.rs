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
//! A search that goes on where one in memory had to stop (`hand_over.rs`) sweeps column by column, as that did: what waits in
//! later columns has a queue of its own, and AP is emptied at the end of a column, since no step leads back to it. If one does,
//! all states are in one column from then on.
//!
//! Evangelista, Kristensen, "Combining the Sweep-Line Method with the Use of an External-Memory Priority Queue", SPIN 2012,
//! Alg. 1. Their `H` and `U` are `layer`.

use std::cmp::Ordering;

use statespace::{StateSpace, Word};

use crate::SearchOptions;
use crate::cardinality::CardinalityEstimate;
use crate::control::{Control, End, ExternalStats, Revisits};
use crate::external::layer::Layer;
use crate::external::record::{Origin, Record};
use crate::external::sorted_set::SortedSet;
use crate::external::sorter::Sorter;
use crate::external::stream::Writer;
use crate::external::waiting::Waiting;
use crate::external::{DiskFault, ExternalOptions, Workspace};
use crate::measure::{Columns, Measure, Progress};
use crate::observer::{Observer, Step};
use crate::store::events::{Events, Kind};
use crate::store::layer::Tag;
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
    let layer = Layer::new(&workspace, predecessors, CardinalityEstimate::new(meter));
    let mut search = Search::new(space, (measure, Columns::NONE), workspace, layer);
    control.step();
    control.stats.sweep.columns = 1;
    let record = Record { progress: measure.of(initial), origin: Origin::default(), state: initial };
    let end = search.reached.queue.insert(hash(initial), record);
    let end = end.map_err(End::from).and_then(|()| search.explore(control));
    search.finish(end, control)
}

/// A sweep at work.
pub(super) struct Search<'a, S: StateSpace, M> {
    space: &'a S,
    workspace: Workspace,
    pub(super) reached: Reached<'a, M>,
    /// Where regress edges of all sweeps of this column before this one ended (AP).
    all_persistent: SortedSet,
    /// Those of them that were stored in memory and will be roots of the next sweep.
    pub(super) roots: Writer,
    /// Events of states that are expanded but not yet looked at.
    events: Events<S::Violation, StateId>,
    scratch: S::Scratch,
    /// State I/Os of the queue by Theorem 1, as far as we are.
    bound: f64,
    /// How many states had been stored when this search took over from one in memory.
    pub(super) handed_over_after: Option<u64>,
}

/// Where successors go.
pub(super) struct Reached<'a, M> {
    measure: &'a M,
    columns: Columns,
    /// The states of the present layer.
    pub(super) layer: Layer,
    /// Those of later ones of the column, and roots (Q);
    queue: Waiting,
    /// those of later columns.
    later: Waiting,
    /// Where regress edges of this sweep end (P).
    persistent: Sorter,
}

impl<M: Measure> Reached<'_, M> {
    /// A state of the layer at `at` that has this tag has a step.
    pub(super) fn step<V: Copy + PartialEq, O: Observer>(
        &mut self,
        (at, tag): (Progress, Tag),
        event: u32,
        (hash, state): (u64, &[Word]),
        control: &mut Control<'_, V, O>,
    ) -> Result<(), End> {
        let origin = Origin { parent: tag.number(), event, depth: tag.depth() + 1 };
        let record = Record { progress: self.measure.of(state), origin, state };
        let stays = self.columns.same(at, record.progress);
        let edges = &mut control.stats.sweep.edges;
        match record.progress.cmp(&at) {
            Ordering::Equal => {
                edges.stationary += 1;
                self.layer.offer(hash, record, control)?;
            }
            Ordering::Greater => {
                edges.forward += 1;
                if stays { self.queue.insert(hash, record)? } else { self.later.insert(hash, record)? }
            }
            Ordering::Less => {
                edges.regress += 1;
                self.regress(at, record.progress);
                self.persistent.insert(hash, record)?;
            }
        }
        Ok(())
    }

    /// A step leads back: if to an earlier column, there are none.
    pub(super) fn regress(&mut self, at: Progress, to: Progress) {
        if !self.columns.same(at, to) {
            self.columns = Columns::NONE;
        }
    }

    /// A stored state waits in a layer behind the one at `at`.
    pub(super) fn wait(&mut self, at: Progress, record: Record<'_>) -> Result<(), DiskFault> {
        let waiting = if self.columns.same(at, record.progress) { &mut self.queue } else { &mut self.later };
        waiting.insert_stored(record)
    }

    /// Moves what waits in the least of the later columns to the queue. Whether there is one.
    fn open_column(&mut self) -> Result<bool, End> {
        let Reached { columns, queue, later, .. } = self;
        let Some(first) = later.least() else { return Ok(false) };
        while let Some(progress) = later.least().filter(|&progress| columns.same(progress, first)) {
            later.take_stored(progress, |record| queue.insert_stored(record))?;
            later.take_candidates(progress, |record| queue.insert(hash(record.state), record))?;
        }
        Ok(true)
    }
}

impl<'a, S: StateSpace<Violation: PartialEq>, M: Measure> Search<'a, S, M> {
    /// A sweep of which nothing waits yet.
    pub(super) fn new(
        space: &'a S,
        (measure, columns): (&'a M, Columns),
        workspace: Workspace,
        layer: Layer,
    ) -> Search<'a, S, M> {
        let (queue, later) = (Waiting::new(&workspace), Waiting::new(&workspace));
        let persistent = sorter(&workspace);
        Search {
            space,
            reached: Reached { measure, columns, layer, queue, later, persistent },
            all_persistent: SortedSet::new(&in_small_blocks(&workspace)),
            roots: Writer::new(&workspace),
            events: Events::new(&workspace.meter),
            scratch: space.scratch(),
            bound: 0.0,
            handed_over_after: None,
            workspace,
        }
    }

    /// Sweeps all columns.
    pub(super) fn explore<O: Observer>(&mut self, control: &mut Control<'_, S::Violation, O>) -> Result<(), End> {
        loop {
            while self.reached.queue.least().is_some() {
                control.stats.sweep.sweeps += 1;
                self.sweep(control)?;
            }
            if !self.reached.open_column()? {
                return Ok(());
            }
            control.stats.sweep.columns += 1;
            self.all_persistent = SortedSet::new(&in_small_blocks(&self.workspace));
        }
    }

    /// Goes on in the middle of a sweep, with a layer of which states may wait; these are the persistent ones of the sweeps
    /// before it.
    pub(super) fn go_on<O: Observer>(
        &mut self,
        at: Progress,
        mut persistent: Sorter,
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<(), End> {
        self.all_persistent.add(persistent.take_sorted()?, |_| Ok::<(), End>(()))?;
        drop(persistent);
        self.expand_layer(at, control)?;
        self.sweep(control)?;
        self.explore(control)
    }

    /// Expands everything in the queue, and what can be reached from it without going back.
    fn sweep<O: Observer>(&mut self, control: &mut Control<'_, S::Violation, O>) -> Result<(), End> {
        let before = control.stats.sweep.edges.forward;
        while let Some(progress) = self.reached.queue.least() {
            control.stats.sweep.layers += 1;
            let Reached { layer, queue, .. } = &mut self.reached;
            layer.begin(progress, control);
            queue.take_stored(progress, |record| layer.restore(hash(record.state), record, control))?;
            let file = &self.workspace.file;
            queue.take_candidates(progress, |record| {
                layer.offer(hash(record.state), record, control)?;
                control.count_buffered(file.buffered());
                Ok::<(), End>(())
            })?;
            self.expand_layer(progress, control)?;
        }
        let forward = (control.stats.sweep.edges.forward - before) as f64;
        let options = &self.workspace.options;
        self.bound += 2.0 * forward * (forward / options.spill as f64 + 1.0).log(options.fan_in as f64);
        self.detect_new_persistent(control)
    }

    /// NP := P \ AP; AP := AP ∪ NP; Q := NP.
    fn detect_new_persistent<O: Observer>(&mut self, control: &mut Control<'_, S::Violation, O>) -> Result<(), End> {
        let Search { reached: Reached { queue, persistent, .. }, all_persistent, roots, workspace, .. } = self;
        all_persistent.add(persistent.take_sorted()?, |record| {
            control.revisits = Revisits::Possible;
            control.stats.sweep.persistent += 1;
            Ok::<(), End>(queue.insert(hash(record.state), record)?)
        })?;
        let mut roots = std::mem::replace(roots, Writer::new(workspace)).into_reader();
        roots.advance()?;
        while let Some(root) = roots.head() {
            queue.insert_stored(root)?;
            roots.advance()?;
        }
        Ok(())
    }

    /// Expands the states of the layer until none of them waits.
    fn expand_layer<O: Observer>(
        &mut self,
        progress: Progress,
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<(), End> {
        while let Some(id) = self.reached.layer.pop(control)? {
            let Search { space, reached: Reached { measure, layer, queue, later, .. }, events, scratch, .. } = self;
            let (state, number) = (layer.get(id), layer.tag(id).number());
            control.check_space(*space)?;
            control.expanding(state, layer.waiting() + queue.len() + later.len() + 1)?;
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
            if self.events.len() >= BATCH || !self.reached.layer.has_waiting() {
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
        let Search { reached, events, workspace, .. } = self;
        for event in events.iter() {
            let tag = reached.layer.tag(event.origin);
            match event.kind {
                Kind::Violation(violation) => {
                    let predecessors = &mut reached.layer.predecessors;
                    control.violated(violation, || predecessors.path(tag.number(), event.number))?;
                }
                Kind::Successor(hash, state) => {
                    control.step();
                    let from = reached.layer.get(event.origin);
                    control.took(|| Step { from, event: event.number, to: state });
                    reached.step((progress, tag), event.number, (hash, state), control)?;
                }
            }
        }
        control.count_buffered(workspace.file.buffered());
        events.clear();
        self.tell(control);
        Ok(())
    }

    /// What only a search in external memory counts.
    fn tell<O: Observer>(&self, control: &mut Control<'_, S::Violation, O>) {
        let handed_over_after = self.handed_over_after;
        control.stats.external =
            Some(ExternalStats { disk: self.workspace.file.stats(), bound: None, handed_over_after });
    }

    /// Everything is seen, or something ends the search.
    pub(super) fn finish<O: Observer>(
        mut self,
        end: Result<(), End>,
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<(), End> {
        self.tell(control);
        // The theorem is about a queue, and partitions have none; and about a search that was on disk from its start.
        if self.handed_over_after.is_none() && !self.reached.measure.has_one_layer() {
            let sweep = control.stats.sweep;
            let bound = sweep.persistent as f64 * (sweep.sweeps + 2) as f64 + self.bound;
            control.stats.external =
                control.stats.external.map(|stats| ExternalStats { bound: Some(bound as u64), ..stats });
        }
        control.stats.estimate = Some(self.reached.layer.estimate());
        control.ended(&mut self.reached.layer.predecessors);
        end
    }
}

/// Where files of persistent states are.
fn in_small_blocks(workspace: &Workspace) -> Workspace {
    let block = (workspace.options.block / BLOCKS).max(1);
    Workspace { options: ExternalOptions { block, ..workspace.options }, ..workspace.clone() }
}

/// Sorts persistent states.
pub(super) fn sorter(workspace: &Workspace) -> Sorter {
    Sorter::new(&in_small_blocks(workspace), workspace.options.buffer / PERSISTENT)
}
