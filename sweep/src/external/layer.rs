//! The states of the layer that is being expanded, in memory as far as there is room.
//!
//! At first all are in one table. If there is no room for a new state, the layer is split by a bit of the hash into two
//! *partitions*, one of which is in memory at a time. A state that belongs to another one is a *candidate* there, on disk: when
//! that partition is loaded, those that it has not seen are new. A partition that is too large is split again.
//! Invariants: each state belongs to the partition its hash says. Of the partition in memory, `table` has all states that were
//! stored: below `next` the expanded ones, the first `on_disk` of which are on disk too. Of another one, `expanded` has those and
//! `waiting` the stored ones that are not expanded; so does that of a partition in memory that `is_full`, until it is split. So nothing is stored twice, and the layer is done when no partition
//! has a state or a candidate that waits.
//!
//! Bao, Jones, "Time-Efficient Model Checking with Magnetic Disk", TACAS 2005, with partitions as large as memory allows.

use statespace::Word;

use super::record::{Origin, Record};
use super::stream::{Reader, Writer};
use super::{DiskFault, Workspace};
use crate::cardinality::CardinalityEstimate;
use crate::control::{Control, End, StopReason};
use crate::measure::Progress;
use crate::observer::Observer;
use crate::store::layer::Tag;
use crate::store::metered::{MeteredTable, MeteredVec, growth};
use crate::store::predecessor_log::PredecessorLog;
use crate::store::{StateId, hash};

/// Of the memory that the meter allows this part is left to queues and buffers when a layer grows.
const LEFT_TO_OTHERS: usize = 4;

/// The partition in memory if none is.
const NOWHERE: usize = usize::MAX;

/// A table no larger than this is used for the next layer too.
const SPARE_BYTES: usize = 64 << 10;

/// A layer at work.
pub(crate) struct Layer {
    workspace: Workspace,
    progress: Progress,
    table: MeteredTable,
    tags: MeteredVec<Tag>,
    next: u32,
    on_disk: u32,
    /// A state of the partition in memory had no room.
    is_full: bool,
    /// In the order of hashes.
    partitions: Vec<Partition>,
    /// The one in memory.
    current: usize,
    /// States and candidates that wait on disk.
    waiting_on_disk: u64,
    /// Candidates that are still in the buffers of their streams.
    buffered: u64,
    pub(crate) predecessors: PredecessorLog,
    distinct: CardinalityEstimate,
}

/// The states whose places begin with these bits.
struct Partition {
    start: u64,
    bits: u32,
    expanded: Writer,
    waiting: Writer,
    candidates: Writer,
}

impl Partition {
    fn new(start: u64, bits: u32, workspace: &Workspace) -> Partition {
        let [expanded, waiting, candidates] = std::array::from_fn(|_| Writer::new(workspace));
        Partition { start, bits, expanded, waiting, candidates }
    }

    fn all_waiting(&self) -> u64 {
        self.waiting.len() + self.candidates.len()
    }
}

/// Where a state is among partitions: its hash, whose high bits already choose the bucket in a table, in another order.
fn place(hash: u64) -> u64 {
    (hash ^ hash >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

impl Layer {
    /// An empty layer of a search that knows how the states so far were reached, and about how many there are.
    pub(crate) fn new(workspace: &Workspace, predecessors: PredecessorLog, distinct: CardinalityEstimate) -> Layer {
        let meter = &workspace.meter;
        Layer {
            workspace: workspace.clone(),
            progress: Progress::default(),
            table: MeteredTable::new(workspace.fixed_words, meter),
            tags: MeteredVec::new(meter),
            next: 0,
            on_disk: 0,
            is_full: false,
            partitions: vec![Partition::new(0, 0, workspace)],
            current: 0,
            waiting_on_disk: 0,
            buffered: 0,
            predecessors,
            distinct,
        }
    }

    /// Begins with an empty layer at this progress.
    pub(crate) fn begin<V: Copy + PartialEq, O: Observer>(
        &mut self,
        progress: Progress,
        control: &mut Control<'_, V, O>,
    ) {
        self.clear_table(control);
        self.progress = progress;
        if self.partitions.len() > 1 || self.partitions[0].expanded.len() > 0 {
            self.partitions = vec![Partition::new(0, 0, &self.workspace)];
        }
        self.current = 0;
    }

    /// The same, and all states that it has already come from elsewhere, by `put`, and go to disk.
    pub(crate) fn begin_on_disk<V: Copy + PartialEq, O: Observer>(
        &mut self,
        progress: Progress,
        control: &mut Control<'_, V, O>,
    ) {
        self.begin(progress, control);
        self.current = NOWHERE;
    }

    /// A state that was stored elsewhere is written. It has its number, and it waits or has been expanded.
    pub(crate) fn put(&mut self, record: Record<'_>, waits: bool) -> Result<(), DiskFault> {
        let partition = self.partition_of(hash(record.state));
        let partition = &mut self.partitions[partition];
        self.waiting_on_disk += u64::from(waits);
        if waits { partition.waiting.push(record) } else { partition.expanded.push(record) }
    }

    /// A state that was stored elsewhere, has its number, and waits comes into memory if there is room. It is not known here.
    pub(crate) fn restore<V: Copy + PartialEq, O: Observer>(
        &mut self,
        hash: u64,
        record: Record<'_>,
        control: &mut Control<'_, V, O>,
    ) -> Result<(), End> {
        if self.is_full || !self.has_room(record.state)? {
            self.is_full = true;
            return Ok(self.put(record, true)?);
        }
        self.store_again(hash, record, control)
    }

    /// Stores a state that has its number.
    fn store_again<V: Copy + PartialEq, O: Observer>(
        &mut self,
        hash: u64,
        Record { origin, state, .. }: Record<'_>,
        control: &mut Control<'_, V, O>,
    ) -> Result<(), End> {
        self.tags.room_for(1, control)?;
        self.table.store_again((hash, state), control)?;
        self.tags.push(Tag::new(origin.parent, origin.depth));
        Ok(())
    }

    /// Empties the memory.
    fn clear_table<V: Copy + PartialEq, O: Observer>(&mut self, control: &mut Control<'_, V, O>) {
        control.deleted(u64::from(self.table.len()));
        if self.table.bytes() <= SPARE_BYTES {
            self.table.clear();
            self.tags.clear();
        } else {
            self.table = MeteredTable::new(self.workspace.fixed_words, &self.workspace.meter);
            self.tags.release();
        }
        (self.next, self.on_disk, self.is_full) = (0, 0, false);
    }

    pub(crate) fn get(&self, id: StateId) -> &[Word] {
        self.table.get(id)
    }

    pub(crate) fn tag(&self, id: StateId) -> Tag {
        self.tags[id.0 as usize]
    }

    /// How many states and candidates wait.
    pub(crate) fn waiting(&self) -> u64 {
        u64::from(self.table.len() - self.next) + self.waiting_on_disk
    }

    /// About how many different states were stored.
    pub(crate) fn estimate(&mut self) -> u64 {
        self.distinct.estimate()
    }

    /// Whether a state of this layer may have been expanded in this sweep. What is not in the table of its partition has not:
    /// it may be a candidate, and comes later.
    pub(crate) fn may_be_done(&self, hash: u64, state: &[Word]) -> bool {
        self.partition_of(hash) != self.current || self.table.find(hash, state).is_some_and(|id| id.0 < self.next)
    }

    #[inline]
    fn partition_of(&self, hash: u64) -> usize {
        match self.partitions.len() {
            1 => 0,
            _ => self.partitions.partition_point(|partition| partition.start <= place(hash)) - 1,
        }
    }

    /// A state of this layer was met: it is stored if it is new, or put off if that cannot be known, or there is no room.
    pub(crate) fn offer<V: Copy + PartialEq, O: Observer>(
        &mut self,
        hash: u64,
        record: Record<'_>,
        control: &mut Control<'_, V, O>,
    ) -> Result<(), End> {
        let partition = self.partition_of(hash);
        if partition != self.current {
            return self.put_off(partition, record);
        }
        if self.table.find(hash, record.state).is_some() {
            return Ok(());
        }
        // If it is full, it may have states on disk that wait.
        if self.is_full || !self.has_room(record.state)? {
            self.is_full = true;
            return self.put_off(partition, record);
        }
        let Origin { parent, event, depth } = record.origin;
        self.predecessors.room_for(1, control)?;
        self.tags.room_for(1, control)?;
        self.table.store((hash, record.state), depth, control)?;
        self.predecessors.append(parent, event);
        self.tags.push(Tag::new(control.stats.states - 1, depth));
        self.distinct.add(hash);
        Ok(())
    }

    /// Whether there is room for one more state, now that there may be other ones.
    fn has_room(&self, state: &[Word]) -> Result<bool, End> {
        let meter = &self.workspace.meter;
        let growth = self.table.growth(state.len()) + growth(&self.tags, 1);
        let left = meter.max_bytes().unwrap_or(0) / LEFT_TO_OTHERS;
        let most = self.workspace.options.max_loaded.unwrap_or(u32::MAX);
        if self.table.len() < most && (growth == 0 || meter.allow(growth + left).is_ok()) {
            return Ok(true);
        }
        if self.table.is_empty() { Err(End::Stopped(StopReason::Memory)) } else { Ok(false) }
    }

    /// Writes a candidate of a partition.
    #[cold]
    fn put_off(&mut self, partition: usize, record: Record<'_>) -> Result<(), End> {
        self.waiting_on_disk += 1;
        let candidates = &mut self.partitions[partition].candidates;
        self.buffered -= candidates.buffered();
        candidates.push(record)?;
        self.buffered += candidates.buffered();
        while self.buffered > self.workspace.options.buffer as u64 {
            self.flush_longest()?;
        }
        Ok(())
    }

    /// Writes the longest end of a stream of candidates to disk.
    fn flush_longest(&mut self) -> Result<(), End> {
        let candidates = self.partitions.iter_mut().map(|partition| &mut partition.candidates);
        let Some(longest) = candidates.max_by_key(|candidates| candidates.buffered()) else { return Ok(()) };
        self.buffered -= longest.buffered();
        Ok(longest.flush()?)
    }

    /// The next state to expand. `None`: the layer is done.
    pub(crate) fn pop<V: Copy + PartialEq, O: Observer>(
        &mut self,
        control: &mut Control<'_, V, O>,
    ) -> Result<Option<StateId>, End> {
        loop {
            if self.is_full {
                self.split(true, control)?;
            } else if self.next < self.table.len() {
                self.next += 1;
                return Ok(Some(StateId(self.next - 1)));
            } else if self.waiting_on_disk == 0 {
                return Ok(None);
            } else {
                self.leave(control)?;
                self.load_fullest(control)?;
            }
        }
    }

    /// Whether a state waits in memory.
    pub(crate) fn has_waiting(&self) -> bool {
        self.next < self.table.len()
    }

    /// Moves the partition in memory to disk. All of its states are expanded.
    fn leave<V: Copy + PartialEq, O: Observer>(&mut self, control: &mut Control<'_, V, O>) -> Result<(), End> {
        if self.current == NOWHERE {
            return Ok(());
        }
        let mut expanded = std::mem::replace(&mut self.partitions[self.current].expanded, Writer::new(&self.workspace));
        for id in self.on_disk..self.table.len() {
            expanded.push(self.stored(StateId(id)))?;
        }
        expanded.flush()?;
        self.partitions[self.current].expanded = expanded;
        self.clear_table(control);
        Ok(())
    }

    /// A stored state as it is written: its number instead of its predecessor's.
    fn stored(&self, id: StateId) -> Record<'_> {
        let tag = self.tag(id);
        let origin = Origin { parent: tag.number(), event: 0, depth: tag.depth() };
        Record { progress: self.progress, origin, state: self.table.get(id) }
    }

    /// Loads the partition in which most waits.
    fn load_fullest<V: Copy + PartialEq, O: Observer>(&mut self, control: &mut Control<'_, V, O>) -> Result<(), End> {
        let numbered = self.partitions.iter().enumerate();
        self.current = numbered.max_by_key(|(_, partition)| partition.all_waiting()).map_or(0, |(number, _)| number);
        let partition = &mut self.partitions[self.current];
        partition.expanded.flush()?;
        partition.waiting.flush()?;
        let (expanded, waiting) = (partition.expanded.reader(), partition.waiting.reader());
        let is_complete = self.load(expanded, control)? && {
            (self.next, self.on_disk) = (self.table.len(), self.table.len());
            self.load(waiting, control)?
        };
        if !is_complete {
            return self.split(false, control);
        }
        let partition = &mut self.partitions[self.current];
        self.waiting_on_disk -= partition.all_waiting();
        self.buffered -= partition.candidates.buffered();
        partition.waiting = Writer::new(&self.workspace);
        let candidates = std::mem::replace(&mut partition.candidates, Writer::new(&self.workspace));
        // If there is no room for all, those that are left become candidates again.
        each(candidates.into_reader(), |record| self.offer(hash(record.state), record, control))
    }

    /// Loads states that were stored before. Whether there was room for all.
    fn load<V: Copy + PartialEq, O: Observer>(
        &mut self,
        mut states: Reader,
        control: &mut Control<'_, V, O>,
    ) -> Result<bool, End> {
        states.advance()?;
        while let Some(record) = states.head() {
            if !self.has_room(record.state)? {
                return Ok(false);
            }
            self.store_again(hash(record.state), record, control)?;
            states.advance()?;
        }
        Ok(true)
    }

    /// Splits the partition that is in memory, or that cannot be loaded, and leaves none in memory.
    #[cold]
    fn split<V: Copy + PartialEq, O: Observer>(
        &mut self,
        is_loaded: bool,
        control: &mut Control<'_, V, O>,
    ) -> Result<(), End> {
        let whole = self.partitions.remove(self.current);
        if whole.bits == u64::BITS {
            return Err(End::Stopped(StopReason::Memory));
        }
        let bit = 1 << (u64::BITS - 1 - whole.bits);
        let mut halves =
            [whole.start, whole.start | bit].map(|start| Partition::new(start, whole.bits + 1, &self.workspace));
        let half = |state: &[Word]| usize::from(place(hash(state)) & bit != 0);
        self.waiting_on_disk -= whole.all_waiting();
        self.buffered -= whole.candidates.buffered();
        if is_loaded {
            for id in 0..self.table.len() {
                let record = self.stored(StateId(id));
                let into = &mut halves[half(record.state)];
                if id < self.next { into.expanded.push(record)? } else { into.waiting.push(record)? }
            }
        } else {
            each(whole.expanded.into_reader(), |record| halves[half(record.state)].expanded.push(record))?;
        }
        each(whole.waiting.into_reader(), |record| halves[half(record.state)].waiting.push(record))?;
        self.clear_table(control);
        each(whole.candidates.into_reader(), |record| halves[half(record.state)].candidates.push(record))?;
        for half in &mut halves {
            half.expanded.flush()?;
            half.waiting.flush()?;
            half.candidates.flush()?;
            self.waiting_on_disk += half.all_waiting();
        }
        self.partitions.splice(self.current..self.current, halves);
        Ok(())
    }
}

/// Everything in a stream.
fn each<E: From<super::DiskFault>>(
    mut records: Reader,
    mut take: impl FnMut(Record<'_>) -> Result<(), E>,
) -> Result<(), E> {
    records.advance()?;
    while let Some(record) = records.head() {
        take(record)?;
        records.advance()?;
    }
    Ok(())
}
