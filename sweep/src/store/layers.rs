//! The states of a sweep: a layer for each progress value, in order.
//!
//! Invariants: `todo` has the progress of every layer in which a state waits; the layer that is being expanded is taken
//! out of the index and handed back.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::io;
use std::ops::{Bound, RangeInclusive};

use statespace::Word;

use crate::checkpoint::{Reader, ResumeFault, Writer};
use crate::control::{Control, End, Revisits};
use crate::measure::Progress;
use crate::meter::{Account, Meter};
use crate::observer::Observer;
use crate::store::StateId;
use crate::store::layer::{Candidate, ProgressLayer, Retention, Section, Tag};
use crate::store::layer_index::{LayerIndex, Place};

/// Where a successor goes, seen from the layer that is being expanded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    /// How its progress compares.
    pub(crate) direction: Ordering,
    /// Its layer, if that is another one.
    place: Option<Place>,
}

impl Target {
    /// The layer that is being expanded.
    pub(crate) const HERE: Target = Target { direction: Ordering::Equal, place: None };
    /// A later column, which is on disk.
    pub(crate) const ON_DISK: Target = Target { direction: Ordering::Greater, place: None };

    /// Is it a later column on disk?
    pub(crate) fn is_on_disk(self) -> bool {
        self.direction == Ordering::Greater && self.place.is_none()
    }
}

/// All layers of a sweep but the one that is being expanded.
pub(crate) struct Layers {
    fixed_words: Option<usize>,
    layers: LayerIndex<ProgressLayer>,
    todo: BTreeSet<Progress>,
    /// Layers that the sweep has passed and that may hold states to delete.
    passed: Vec<Progress>,
    /// Nothing is deleted until the column is done.
    pub(crate) keeps_all: bool,
    /// What hardly saves memory is not deleted.
    saves_time: bool,
    /// Collect when this many states were stored since the last time.
    collect_every: u64,
    collected_at: u64,
    waiting: u64,
    /// Small layers that were dropped, to be filled again.
    spare: Vec<ProgressLayer>,
    /// The states of all layers: those in the index, the one that is taken out, and the spare ones.
    account: Account,
    /// The index, and `todo`.
    index_account: Account,
}

/// How many layers are kept to be filled again,
const MOST_SPARE: usize = 16;
/// if they are no larger than this.
const SPARE_BYTES: usize = 4 << 10;

/// Bytes of an entry of `todo`, in nodes of a B-tree that are half full.
const TODO_BYTES: usize = 40;

impl Layers {
    /// No layers. If `saves_time`, what hardly saves memory is not deleted.
    pub(crate) fn new(fixed_words: Option<usize>, collect_every: u64, saves_time: bool, meter: &Meter) -> Layers {
        Layers {
            saves_time,
            fixed_words,
            layers: LayerIndex::new(),
            todo: BTreeSet::new(),
            passed: Vec::new(),
            keeps_all: false,
            collect_every,
            collected_at: 0,
            waiting: 0,
            spare: Vec::new(),
            account: meter.account(),
            index_account: meter.account(),
        }
    }

    /// The least progress at which a state waits.
    pub(crate) fn first(&self) -> Option<Progress> {
        self.todo.first().copied()
    }

    /// The least progress above this at which a state waits.
    pub(crate) fn after(&self, progress: Progress) -> Option<Progress> {
        let above = (Bound::Excluded(progress), Bound::Unbounded);
        self.todo.range(above).next().copied()
    }

    /// The layers in the index, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Progress, &ProgressLayer)> {
        self.layers.iter()
    }

    /// The layer at this progress.
    pub(crate) fn get(&self, progress: Progress) -> Option<&ProgressLayer> {
        self.layers.get(progress)
    }

    /// Takes a layer out, to expand its states.
    pub(crate) fn take(&mut self, progress: Progress) -> ProgressLayer {
        self.todo.remove(&progress);
        self.layers.remove(progress).unwrap_or_else(|| self.empty())
    }

    /// A layer without states.
    fn empty(&mut self) -> ProgressLayer {
        self.spare.pop().unwrap_or_else(|| {
            let mut layer = ProgressLayer::new(self.fixed_words);
            layer.count(&mut self.account);
            layer
        })
    }

    /// A layer is not needed any more.
    fn discard(&mut self, mut layer: ProgressLayer) {
        if self.spare.len() < MOST_SPARE && layer.bytes() <= SPARE_BYTES {
            layer.clear();
            layer.count(&mut self.account);
            self.spare.push(layer);
        } else {
            self.account.set(self.account.bytes() - layer.bytes());
        }
    }

    /// The next state of a layer that was taken out.
    pub(crate) fn pop(&mut self, layer: &mut ProgressLayer) -> Option<StateId> {
        let id = layer.pop()?;
        self.waiting -= 1;
        Some(id)
    }

    /// The state that was popped last waits again.
    pub(crate) fn unpop(&mut self, layer: &mut ProgressLayer, id: StateId) {
        layer.unpop(id);
        self.waiting += 1;
    }

    /// How many states wait.
    pub(crate) fn waiting(&self) -> u64 {
        self.waiting
    }

    /// How many states wait in layers of this range.
    pub(crate) fn waiting_in(&self, range: RangeInclusive<Progress>) -> u64 {
        self.layers.range(range).map(|(_, layer)| u64::from(layer.waiting())).sum()
    }

    /// Puts a layer back that was taken out.
    pub(crate) fn put(&mut self, progress: Progress, layer: ProgressLayer) {
        if layer.has_waiting() {
            self.todo.insert(progress);
        }
        self.layers.insert(progress, layer);
        self.count_index();
    }

    fn count_index(&mut self) {
        self.index_account.set(self.layers.bytes() + self.todo.len() * TODO_BYTES);
    }

    /// The sweep passes a layer that was taken out.
    pub(crate) fn pass<V: Copy + PartialEq, O: Observer>(
        &mut self,
        progress: Progress,
        layer: ProgressLayer,
        control: &mut Control<'_, V, O>,
    ) {
        if self.keeps_all {
            return self.put(progress, layer);
        }
        let stored = control.stats.states;
        if self.collect_every <= 1 && !layer.has_persistent() && !layer.has_waiting() {
            control.deleted(u64::from(layer.len()));
            return self.discard(layer);
        }
        self.put(progress, layer);
        self.passed.push(progress);
        if self.collect_every <= 1 || stored - self.collected_at >= self.collect_every {
            self.collected_at = stored;
            self.collect(control);
        }
    }

    /// Deletes what the sweep has passed.
    fn collect<V: Copy + PartialEq, O: Observer>(&mut self, control: &mut Control<'_, V, O>) {
        for progress in std::mem::take(&mut self.passed) {
            let Some(mut layer) = self.layers.remove(progress) else {
                continue;
            };
            // States may wait here again, in a later sweep that will pass once more.
            if self.saves_time && layer.is_mostly_persistent() {
                layer.keep_all();
            } else if layer.has_passed() {
                control.deleted(u64::from(layer.delete_passed(&mut self.account)));
            }
            match layer.len() == 0 {
                true => self.discard(layer),
                false => self.put(progress, layer),
            }
        }
    }

    /// Deletes everything up to and including this progress.
    pub(crate) fn drop_until<V: Copy + PartialEq, O: Observer>(
        &mut self,
        last: Progress,
        control: &mut Control<'_, V, O>,
    ) {
        self.keeps_all = false;
        while let Some(layer) = self.layers.remove_first(|first| first <= last) {
            control.deleted(u64::from(layer.len()));
            self.discard(layer);
        }
        self.count_index();
    }

    /// Hands out the layers above this progress, or all, that of most progress first, and frees each.
    pub(crate) fn hand_over_above<E>(
        &mut self,
        last: Option<Progress>,
        mut take: impl FnMut(Progress, &ProgressLayer) -> Result<(), E>,
    ) -> Result<(), E> {
        while let Some((progress, layer)) = self.layers.remove_last(|progress| last.is_none_or(|last| progress > last))
        {
            self.todo.remove(&progress);
            self.waiting -= u64::from(layer.waiting());
            take(progress, &layer)?;
            self.discard(layer);
        }
        self.count_index();
        Ok(())
    }

    /// Bytes that finding the targets of this many states could allocate: each may open a layer.
    pub(crate) fn growth(&self, states: usize) -> usize {
        self.layers.growth(states) + states * (ProgressLayer::EMPTY_BYTES + TODO_BYTES)
    }

    /// Where a state of this progress goes, the layer at `at` being taken out. There is a layer from now on.
    #[inline(always)]
    pub(crate) fn target(&mut self, at: Progress, progress: Progress) -> Target {
        let direction = progress.cmp(&at);
        let place = match direction {
            Ordering::Equal => None,
            _ => Some(self.layers.find(progress).unwrap_or_else(|| self.open(progress))),
        };
        Target { direction, place }
    }

    /// The progress of a target, the layer at `at` being taken out.
    pub(crate) fn progress(&self, at: Progress, target: Target) -> Progress {
        target.place.map_or(at, |place| self.layers.progress(place))
    }

    #[cold]
    fn open(&mut self, progress: Progress) -> Place {
        let layer = self.empty();
        let place = self.layers.insert(progress, layer);
        self.count_index();
        place
    }

    /// Prefetches the bucket of a state with this hash. `layer` is the layer taken out.
    #[inline(always)]
    pub(crate) fn prefetch(&self, layer: &ProgressLayer, target: Target, hash: u64) {
        let into = target.place.map_or(layer, |place| &self.layers[place]);
        into.table().prefetch_bucket(hash);
    }

    /// Where a state with this hash is stored, if it is. `layer` is the layer taken out.
    #[inline(always)]
    pub(crate) fn find(&self, layer: &ProgressLayer, target: Target, state: (u64, &[Word])) -> Option<StateId> {
        target.place.map_or(layer, |place| &self.layers[place]).find(state)
    }

    /// The tag of a stored state. `layer` is the layer taken out.
    #[inline]
    pub(crate) fn tag(&self, layer: &ProgressLayer, target: Target, id: StateId) -> Tag {
        target.place.map_or(layer, |place| &self.layers[place]).tag(id)
    }

    /// Whether a state of this progress is stored and has been expanded. `layer` is the layer taken out, and where from.
    pub(crate) fn is_done(
        &self,
        (at, layer): (Progress, &ProgressLayer),
        progress: Progress,
        state: (u64, &[Word]),
    ) -> bool {
        let layer = if progress == at { Some(layer) } else { self.layers.get(progress) };
        layer.is_some_and(|layer| layer.is_done(state))
    }

    /// Stores a state that is not known. `layer` is the layer taken out.
    pub(crate) fn store<V: Copy + PartialEq, O: Observer>(
        &mut self,
        layer: &mut ProgressLayer,
        target: Target,
        new: Candidate<'_>,
        control: &mut Control<'_, V, O>,
    ) -> Result<StateId, End> {
        let retention = match target.direction {
            Ordering::Less => {
                control.revisits = Revisits::Possible;
                Retention::Persistent
            }
            Ordering::Equal | Ordering::Greater => Retention::Passing,
        };
        // Nothing needs to be told apart where everything is kept.
        let retention = if self.keeps_all { Retention::Passing } else { retention };
        let into = match target.place {
            None => layer,
            Some(place) => &mut self.layers[place],
        };
        let stored = into.store(retention, new, &mut self.account, control)?;
        self.waiting += 1;
        if let Some(place) = target.place
            && into.waiting() == 1
        {
            self.todo.insert(self.layers.progress(place));
        }
        Ok(stored)
    }

    /// Stores a state again in a layer that was taken out, where it is not known. It has this tag, and waits.
    pub(crate) fn store_again<V: Copy + PartialEq, O: Observer>(
        &mut self,
        layer: &mut ProgressLayer,
        state: (u64, &[Word]),
        tag: Tag,
        control: &mut Control<'_, V, O>,
    ) -> Result<(), End> {
        layer.store_again(state, tag, &mut self.account, control)?;
        self.waiting += 1;
        Ok(())
    }

    /// All states move to the layers that a changed measure gives them. States that are expanded and not persistent are
    /// deleted; all that waited wait. If not `keeps_persistent`, no state is persistent any more.
    pub(crate) fn rearrange<V: Copy + PartialEq, O: Observer>(
        &mut self,
        (at, layer): (Progress, ProgressLayer),
        keeps_persistent: bool,
        measure: impl Fn(&[Word]) -> Progress,
        control: &mut Control<'_, V, O>,
    ) {
        self.layers.insert(at, layer);
        let old: Vec<ProgressLayer> = self.layers.take_all().into_iter().map(|(_, layer)| layer).collect();
        self.todo.clear();
        self.passed.clear();
        self.keeps_all = false;
        for &section in &Section::ALL[usize::from(!keeps_persistent)..] {
            for layer in &old {
                for id in layer.section(section) {
                    let progress = measure(layer.get(id));
                    let place = self.layers.find(progress).unwrap_or_else(|| self.open(progress));
                    self.layers[place].take_over(layer, id, section, keeps_persistent);
                }
            }
        }
        let before = old.iter().map(|layer| u64::from(layer.len())).sum();
        self.account.set(self.account.bytes() - old.iter().map(ProgressLayer::bytes).sum::<usize>());
        for (progress, mut layer) in self.layers.take_all() {
            layer.count(&mut self.account);
            control.stats.stored += u64::from(layer.len());
            self.put(progress, layer);
        }
        control.deleted(before);
    }

    /// Writes all layers, and the one that is taken out.
    pub(crate) fn save(&self, (at, taken): (Progress, &ProgressLayer), to: &mut Writer<'_>) -> io::Result<()> {
        to.flag(self.keeps_all)?;
        to.number(self.collected_at)?;
        to.number(self.passed.len() as u64)?;
        self.passed.iter().try_for_each(|passed| to.put(&passed.0.to_le_bytes()))?;
        let layers = || self.layers.iter().chain([(at, taken)]).filter(|(_, layer)| layer.len() > 0);
        to.number(layers().count() as u64)?;
        layers().try_for_each(|(progress, layer)| {
            to.put(&progress.0.to_le_bytes())?;
            layer.save(self.fixed_words, to)
        })
    }

    /// Reads what `save` wrote. No layer is taken out.
    pub(crate) fn load<V: Copy + PartialEq, O: Observer>(
        &mut self,
        from: &mut Reader<'_>,
        control: &mut Control<'_, V, O>,
    ) -> Result<(), End> {
        self.keeps_all = from.flag()?;
        self.collected_at = from.number()?;
        for _ in 0..from.number()? {
            self.passed.push(Progress::load(from)?);
        }
        let mut stored = 0;
        for _ in 0..from.number()? {
            let progress = Progress::load(from)?;
            control.allow(self.growth(1))?;
            let mut layer = self.empty();
            layer.load(self.fixed_words, from, &mut self.account, control)?;
            stored += u64::from(layer.len());
            self.waiting += u64::from(layer.waiting());
            if self.layers.get(progress).is_some() {
                return Err(ResumeFault::Mismatch.into());
            }
            self.put(progress, layer);
        }
        if stored == control.stats.stored { Ok(()) } else { Err(ResumeFault::Mismatch.into()) }
    }
}
