//! The states of a sweep: a store for each progress value, in order.
//!
//! A layer holds the states of one progress value. The persistent ones come first; behind them are those that will be
//! forgotten when the sweep has passed. Both parts end with states that wait to be expanded: of the persistent ones, the
//! roots; of the others, the tail of the arena.
//! Invariants: `todo` has the progress of every layer in which a state waits; the layer that is being expanded is taken
//! out of the map and handed back.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ops::{Bound, RangeInclusive};

use statespace::Word;

use crate::control::{Control, End, Revisits, StopReason};
use crate::measure::Progress;
use crate::meter::{Account, Meter};
use crate::observer::Observer;
use crate::store::layer_index::{LayerIndex, Place};
use crate::store::metered::growth;
use crate::store::{StateId, StateTable};

/// What is known of a stored state beside its words: its number in the predecessor log, and its depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Tag(u64);

/// The bits of a tag that hold the depth; the log has no larger numbers than fit into the others.
const DEPTH_BITS: u32 = 24;

impl Tag {
    pub(crate) fn new(number: u64, depth: u64) -> Tag {
        Tag(number << DEPTH_BITS | depth.min((1 << DEPTH_BITS) - 1))
    }

    /// The number in the predecessor log.
    pub(crate) fn number(self) -> u64 {
        self.0 >> DEPTH_BITS
    }

    pub(crate) fn depth(self) -> u64 {
        self.0 & ((1 << DEPTH_BITS) - 1)
    }
}

/// Why a state is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Retention {
    /// Until the sweep has passed.
    Passing,
    /// A step went back to it: as long as its column.
    Persistent,
}

/// A state that may be new.
#[derive(Clone, Copy)]
pub(crate) struct Candidate<'a> {
    pub(crate) hash: u64,
    pub(crate) state: &'a [Word],
    pub(crate) depth: u64,
}

/// Where a state is stored: its place in its layer, and its number in the predecessor log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stored {
    pub(crate) id: StateId,
    pub(crate) number: u64,
}

/// The states of one progress value.
pub(crate) struct ProgressLayer {
    states: StateTable,
    tags: Vec<Tag>,
    /// The states before this are persistent.
    persistent: u32,
    /// Of the persistent states, those from this on wait.
    next_root: u32,
    /// Of the others, those from this on wait.
    next: u32,
    /// Bytes allocated, when they were last counted.
    bytes: usize,
}

impl ProgressLayer {
    fn new(fixed_words: Option<usize>) -> ProgressLayer {
        let states = StateTable::new(fixed_words);
        ProgressLayer { states, tags: Vec::new(), persistent: 0, next_root: 0, next: 0, bytes: 0 }
    }

    pub(crate) fn get(&self, id: StateId) -> &[Word] {
        self.states.get(id)
    }

    pub(crate) fn tag(&self, id: StateId) -> Tag {
        self.tags[id.0 as usize]
    }

    pub(crate) fn table(&self) -> &StateTable {
        &self.states
    }

    /// Is this persistent state to be expanded still?
    pub(crate) fn is_root(&self, id: StateId) -> bool {
        id.0 >= self.next_root
    }

    /// The persistent states that have been expanded.
    pub(crate) fn persistent(&self) -> impl Iterator<Item = StateId> {
        (0..self.next_root).map(StateId)
    }

    /// Forgets all states; what is allocated stays.
    fn clear(&mut self) {
        self.states.clear();
        self.tags.clear();
        (self.persistent, self.next_root, self.next) = (0, 0, 0);
    }

    /// Counts the memory again in the account of all layers: something was stored or deleted.
    fn count(&mut self, account: &mut Account) {
        let before = self.bytes;
        self.bytes =
            size_of::<(Progress, ProgressLayer)>() + self.states.bytes() + self.tags.capacity() * size_of::<Tag>();
        account.set(account.bytes() - before + self.bytes);
    }

    /// Does a state wait?
    pub(crate) fn has_waiting(&self) -> bool {
        self.waiting() > 0
    }

    /// How many states wait.
    fn waiting(&self) -> u32 {
        self.persistent - self.next_root + self.states.len() - self.next
    }

    /// The next state to expand; it waits no longer.
    fn pop(&mut self) -> Option<StateId> {
        let next = match self.next_root < self.persistent {
            true => &mut self.next_root,
            false if self.next < self.states.len() => &mut self.next,
            false => return None,
        };
        *next += 1;
        Some(StateId(*next - 1))
    }

    /// Stores a state that is not known.
    #[inline]
    fn store<V: Copy + PartialEq, O: Observer>(
        &mut self,
        stay: Retention,
        Candidate { hash, state, depth }: Candidate<'_>,
        account: &mut Account,
        control: &mut Control<'_, V, O>,
    ) -> Result<Stored, End> {
        // A state that will be expanded anyway need not be kept for it.
        let persists = stay == Retention::Persistent && self.next == self.states.len();
        if persists && self.next > self.persistent {
            control.forgot(u64::from(self.forget(account)));
        }
        if self.states.len() == StateTable::MOST_STATES {
            return Err(End::Stopped(StopReason::States));
        }
        let growth = growth(&self.tags, 1) + self.states.growth(state.len());
        if growth > 0 {
            control.allow(growth)?;
        }
        let number = control.stats.states;
        control.admit(state, depth)?;
        let id = self.states.add(hash, state);
        self.tags.push(Tag::new(number, depth));
        if growth > 0 {
            self.count(account);
        }
        if persists {
            self.persistent += 1;
            self.next = self.persistent;
            control.stats.sweep.persistent += 1;
        }
        Ok(Stored { id, number })
    }

    /// Where a state is stored, if it is.
    #[inline(always)]
    fn find(&self, (hash, state): (u64, &[Word])) -> Option<Stored> {
        let id = self.states.find(hash, state)?;
        // Every state has a tag; a safety search never looks at it here, and pays for nothing.
        let number = self.tags.get(id.0 as usize).map_or(0, |tag| tag.number());
        Some(Stored { id, number })
    }

    /// Forgets all but the persistent states; says how many.
    fn forget(&mut self, account: &mut Account) -> u32 {
        let forgotten = self.states.len() - self.persistent;
        if forgotten > 0 {
            self.states = self.states.prefix(self.persistent);
            self.tags.truncate(self.persistent as usize);
            self.tags.shrink_to_fit();
            self.next = self.persistent;
            self.count(account);
        }
        forgotten
    }

    /// Are there so few states to forget, and none that waits, that copying the others would be most of the work?
    fn is_mostly_persistent(&self) -> bool {
        !self.has_waiting() && self.states.len() - self.persistent < self.persistent / WORTH_FORGETTING
    }

    /// All states become persistent.
    fn keep(&mut self) {
        self.persistent = self.states.len();
        (self.next_root, self.next) = (self.persistent, self.persistent);
    }
}

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
}

/// All layers of a sweep but the one that is being expanded.
pub(crate) struct Layers {
    fixed_words: Option<usize>,
    layers: LayerIndex<ProgressLayer>,
    todo: BTreeSet<Progress>,
    /// Layers that the sweep has passed and that may hold states to be forgotten.
    passed: Vec<Progress>,
    /// Nothing is forgotten until the column is done.
    pub(crate) keeps_all: bool,
    /// What hardly saves memory is not forgotten.
    saves_time: bool,
    /// Collect when so many states were stored since the last time.
    collect_every: u64,
    collected_at: u64,
    waiting: u64,
    /// Small layers that were dropped, to be filled again.
    spare: Vec<ProgressLayer>,
    /// The memory of all layers: those in the map, the one that is taken out, and the spare ones.
    account: Account,
}

/// To forget is to copy what stays: if there is less to forget than this part of it, all of it stays.
const WORTH_FORGETTING: u32 = if cfg!(test) { 2 } else { 32 };

/// So many layers are kept to be filled again,
const MOST_SPARE: usize = 16;
/// if they are no larger than this.
const SPARE_BYTES: usize = 64 << 10;

impl Layers {
    /// No layers. If `saves_time`, what hardly saves memory is not forgotten.
    pub(crate) fn new(fixed_words: Option<usize>, collect_every: u64, saves_time: bool, meter: &Meter) -> Layers {
        let layers = LayerIndex::new();
        let mut account = meter.account();
        account.set(layers.bytes());
        Layers {
            saves_time,
            fixed_words,
            layers,
            todo: BTreeSet::new(),
            passed: Vec::new(),
            keeps_all: false,
            collect_every,
            collected_at: 0,
            waiting: 0,
            spare: Vec::new(),
            account,
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

    /// The layers in the map, in order.
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
        if self.spare.len() < MOST_SPARE && layer.bytes <= SPARE_BYTES {
            layer.clear();
            layer.count(&mut self.account);
            self.spare.push(layer);
        } else {
            self.account.set(self.account.bytes() - layer.bytes);
        }
    }

    /// The next state of a layer that was taken out.
    pub(crate) fn pop(&mut self, layer: &mut ProgressLayer) -> Option<StateId> {
        let id = layer.pop()?;
        self.waiting -= 1;
        Some(id)
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
        if self.collect_every <= 1 && layer.persistent == 0 && !layer.has_waiting() {
            control.forgot(u64::from(layer.states.len()));
            return self.discard(layer);
        }
        self.put(progress, layer);
        self.passed.push(progress);
        if self.collect_every <= 1 || stored - self.collected_at >= self.collect_every {
            self.collected_at = stored;
            self.collect(control);
        }
    }

    /// Forgets what the sweep has passed.
    fn collect<V: Copy + PartialEq, O: Observer>(&mut self, control: &mut Control<'_, V, O>) {
        for progress in std::mem::take(&mut self.passed) {
            let Some(mut layer) = self.layers.remove(progress) else {
                continue;
            };
            // States may wait here again, in a later sweep that will pass once more.
            if self.saves_time && layer.is_mostly_persistent() {
                layer.keep();
            } else if layer.next == layer.states.len() {
                control.forgot(u64::from(layer.forget(&mut self.account)));
            }
            match layer.states.is_empty() {
                true => self.discard(layer),
                false => self.put(progress, layer),
            }
        }
    }

    /// Forgets everything up to and including this progress.
    pub(crate) fn drop_until<V: Copy + PartialEq, O: Observer>(
        &mut self,
        last: Progress,
        control: &mut Control<'_, V, O>,
    ) {
        self.keeps_all = false;
        while let Some(layer) = self.layers.remove_first(|first| first <= last) {
            control.forgot(u64::from(layer.states.len()));
            self.discard(layer);
        }
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
        self.layers.insert(progress, layer)
    }

    /// Asks for what is looked at first to find a state with this hash. `layer` is the layer taken out.
    #[inline(always)]
    pub(crate) fn ask_for(&self, layer: &ProgressLayer, target: Target, hash: u64) {
        let into = target.place.map_or(layer, |place| &self.layers[place]);
        into.states.ask_for(hash);
    }

    /// Where a state with this hash is stored, if it is. `layer` is the layer taken out.
    #[inline(always)]
    pub(crate) fn find(&self, layer: &ProgressLayer, target: Target, state: (u64, &[Word])) -> Option<Stored> {
        target.place.map_or(layer, |place| &self.layers[place]).find(state)
    }

    /// Stores a state that is not known. `layer` is the layer taken out.
    pub(crate) fn store<V: Copy + PartialEq, O: Observer>(
        &mut self,
        layer: &mut ProgressLayer,
        target: Target,
        new: Candidate<'_>,
        control: &mut Control<'_, V, O>,
    ) -> Result<Stored, End> {
        let stay = match target.direction {
            Ordering::Less => {
                control.revisits = Revisits::Possible;
                Retention::Persistent
            }
            Ordering::Equal | Ordering::Greater => Retention::Passing,
        };
        // Nothing needs to be told apart where everything is kept.
        let stay = if self.keeps_all { Retention::Passing } else { stay };
        let into = match target.place {
            None => layer,
            Some(place) => &mut self.layers[place],
        };
        let stored = into.store(stay, new, &mut self.account, control)?;
        self.waiting += 1;
        if let Some(place) = target.place
            && into.waiting() == 1
        {
            self.todo.insert(self.layers.progress(place));
        }
        Ok(stored)
    }

    /// All states move to the layers that a changed measure gives them. States that are expanded and not persistent are
    /// forgotten; all that waited wait. If not `keeps_persistent`, no state is persistent any more.
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
        let parts = [Scc::Kept, Scc::Roots, Scc::Waiting];
        for &part in &parts[usize::from(!keeps_persistent)..] {
            for layer in &old {
                for id in part.of(layer) {
                    let state = layer.get(StateId(id));
                    let progress = measure(state);
                    let place = self.layers.find(progress).unwrap_or_else(|| self.open(progress));
                    let new = &mut self.layers[place];
                    new.states.insert(state);
                    new.tags.push(layer.tags[id as usize]);
                    if keeps_persistent && part != Scc::Waiting {
                        new.persistent += 1;
                        new.next = new.persistent;
                    }
                    if part == Scc::Kept {
                        new.next_root = new.persistent;
                    }
                }
            }
        }
        let before = old.iter().map(|layer| u64::from(layer.states.len())).sum();
        self.account.set(self.account.bytes() - old.iter().map(|layer| layer.bytes).sum::<usize>());
        for (progress, mut layer) in self.layers.take_all() {
            layer.count(&mut self.account);
            control.stats.stored += u64::from(layer.states.len());
            self.put(progress, layer);
        }
        control.forgot(before);
    }
}

/// The parts of a layer that outlive a change of the measure.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scc {
    /// Persistent, expanded.
    Kept,
    /// Persistent, waiting.
    Roots,
    /// Passing, waiting.
    Waiting,
}

impl Scc {
    fn of(self, layer: &ProgressLayer) -> std::ops::Range<u32> {
        match self {
            Scc::Kept => 0..layer.next_root,
            Scc::Roots => layer.next_root..layer.persistent,
            Scc::Waiting => layer.next..layer.states.len(),
        }
    }
}
