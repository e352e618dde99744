//! The states of later columns on disk, for a sweep that holds the present one in memory.
//!
//! When memory is short, what waits in later columns goes to a queue on disk, that of most progress first, and from then on so does
//! every successor in one. When a column begins, its states come back: first those that were stored, with their numbers, then
//! the successors, each of which is stored and counted if it is new.
//! Invariant: between columns nothing else exists; a state of a later column has not been expanded. So verdict, counts and
//! traces are those of a sweep with all its memory, and whoever looks for cycles, each of which is inside one column, notices
//! nothing.
//! If the measure changes, what waits on disk is put in the new order.

use statespace::{StateSpace, Word};

use super::sweep_line::Sweep;
use crate::algorithm::cycles::detector::CycleDetector;
use crate::control::{Control, End, ExternalStats};
use crate::external::record::{Origin, Record};
use crate::external::waiting::Waiting;
use crate::external::{DiskFault, ExternalOptions, Workspace};
use crate::measure::{Measure, Progress};
use crate::observer::Observer;
use crate::store::hash;
use crate::store::layer::{Candidate, Tag};
use crate::store::layers::Target;

/// What waits in later columns.
pub(super) struct LaterColumns {
    workspace: Workspace,
    waiting: Waiting,
    /// How many states had been stored when the disk came into use.
    after: u64,
}

impl LaterColumns {
    /// How many states there are, or fewer.
    pub(super) fn len(&self) -> u64 {
        self.waiting.len()
    }

    /// A state with this tag has a step to a later column.
    pub(super) fn insert(
        &mut self,
        progress: Progress,
        (tag, event): (Tag, u32),
        (hash, state): (u64, &[Word]),
    ) -> Result<(), DiskFault> {
        let origin = Origin { parent: tag.number(), event, depth: tag.depth() + 1 };
        self.waiting.insert(hash, Record { progress, origin, state })
    }

    /// Puts everything in the order of another measure.
    pub(super) fn rearrange(&mut self, measure: impl Fn(&[Word]) -> Progress) -> Result<(), DiskFault> {
        let mut old = std::mem::replace(&mut self.waiting, Waiting::new(&self.workspace));
        let new = &mut self.waiting;
        while let Some(progress) = old.least() {
            old.take_stored(progress, |record| {
                new.insert_stored(Record { progress: measure(record.state), ..record })
            })?;
            old.take_candidates(progress, |record| {
                new.insert(hash(record.state), Record { progress: measure(record.state), ..record })
            })?;
        }
        Ok(())
    }

    fn tell<V: Copy + PartialEq, O: Observer>(&self, control: &mut Control<'_, V, O>) {
        let (disk, handed_over_after) = (self.workspace.file.stats(), Some(self.after));
        control.stats.external = Some(ExternalStats { disk, bound: None, handed_over_after });
    }
}

impl<S: StateSpace<Violation: PartialEq>, M: Measure, W: CycleDetector<S::Violation>> Sweep<'_, S, M, W> {
    /// Moves what waits in columns after that of `at` to disk.
    #[cold]
    pub(super) fn put_off_later_columns<O: Observer>(
        &mut self,
        at: Progress,
        external: ExternalOptions,
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<(), End> {
        let workspace = Workspace::new(external, self.space.fixed_words(), control.meter());
        let mut waiting = Waiting::new(&workspace);
        self.layers.hand_over_above(Some(*self.columns.range(at).end()), |progress, layer| {
            control.deleted(u64::from(layer.len()));
            layer.ids().try_for_each(|id| {
                assert!(layer.waits(id), "no state of a later column has been expanded");
                let tag = layer.tag(id);
                let origin = Origin { parent: tag.number(), event: 0, depth: tag.depth() };
                waiting.insert_stored(Record { progress, origin, state: layer.get(id) })
            })
        })?;
        let later = LaterColumns { workspace, waiting, after: control.stats.states };
        later.tell(control);
        self.later = Some(later);
        Ok(())
    }

    /// The least progress at which a state waits, in memory or on disk.
    pub(super) fn first(&self) -> Option<Progress> {
        let later = self.later.as_ref().and_then(|later| later.waiting.least());
        [self.layers.first(), later].into_iter().flatten().min()
    }

    /// Brings what waits in the column of `first` into memory.
    pub(super) fn load_column<O: Observer>(
        &mut self,
        first: Progress,
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<(), End> {
        let Sweep { later, layers, columns, predecessors, distinct, .. } = self;
        let Some(later) = later else { return Ok(()) };
        while let Some(at) = later.waiting.least().filter(|&at| columns.same(at, first)) {
            let mut layer = layers.take(at);
            later.waiting.take_stored(at, |record| {
                let tag = Tag::new(record.origin.parent, record.origin.depth);
                layers.store_again(&mut layer, (hash(record.state), record.state), tag, control)
            })?;
            later.waiting.take_candidates(at, |Record { origin, state, .. }| {
                let hash = hash(state);
                if layers.find(&layer, Target::HERE, (hash, state)).is_none() {
                    predecessors.room_for(1, control)?;
                    let new = Candidate { hash, state, depth: origin.depth };
                    layers.store(&mut layer, Target::HERE, new, control)?;
                    predecessors.append(origin.parent, origin.event);
                    distinct.add(hash);
                }
                Ok::<(), End>(())
            })?;
            layers.put(at, layer);
        }
        later.tell(control);
        Ok(())
    }
}
