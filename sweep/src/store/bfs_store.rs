//! The states of a breadth-first search: which are known, and in which order they came.
//!
//! Either a table is both, since its arena is a queue, or a set knows the states in as few bytes as they need and a queue
//! has those that wait: a part of the memory, and some more time.

use std::io;
use std::iter::once;

use statespace::{StateSpace, Word};

use crate::checkpoint::{Reader, ResumeFault, Section, Writer};
use crate::control::{Control, End};
use crate::meter::{Account, Meter};
use crate::observer::Observer;
use crate::store::events::Events;
use crate::store::metered::MeteredTable;
use crate::store::queue::{Place, Queue};
use crate::store::{Inserted, StateId, StateSet};

/// Takes a state, with its number if it has not been looked at.
pub(crate) type Take<'t> = &'t mut dyn FnMut(Option<u64>, &[Word]) -> Result<(), End>;

/// Known states in the order in which they came, each with its number: how many came before it.
pub(crate) trait BfsStore {
    /// Where a state is.
    type Place: Copy;
    /// What a checkpoint of it is called.
    const SECTION: Section;

    /// For the states of a space.
    fn new(space: &impl StateSpace, meter: &Meter) -> Self;
    /// A collection of events as this store wants it.
    fn events<V: Copy>(meter: &Meter) -> Events<V, Self::Place>;

    /// How many states there are.
    fn len(&self) -> u64;
    /// How many have not been looked at.
    fn waiting(&self) -> u64;

    /// The next state that has not been looked at. It stays where it is until it is released.
    fn next(&mut self) -> Option<Self::Place>;
    /// The state that was looked at last waits again.
    fn put_back(&mut self, place: Self::Place);
    /// The words of a state that has not been released.
    fn get(&self, place: Self::Place) -> &[Word];
    /// The number of a state.
    fn number(place: Self::Place) -> u64;
    /// The states that were looked at are not needed any more.
    fn release(&mut self);
    /// Whether a state may have been looked at. Only those that are not known are certain to come later, if it is not
    /// remembered which ones wait.
    fn may_be_done(&self, hash: u64, state: &[Word]) -> bool;

    /// The successors of the events from this one on will be announced soon.
    fn foresee<V: Copy>(&self, _events: &Events<V, Self::Place>, _first: usize) {}
    /// The successors of these events will be stored now, in their order.
    fn announce<V: Copy + PartialEq, O: Observer>(
        &mut self,
        events: &Events<V, Self::Place>,
        control: &mut Control<'_, V, O>,
    ) -> Result<(), End>;
    /// Hands out all states: those that have not been looked at, in order and each with its number, then all others; and frees
    /// them.
    fn hand_over(self, space: &impl StateSpace, meter: &Meter, take: Take<'_>) -> Result<(), End>;
    /// Stores a state that was met at this depth, unless it is known; says whether it was not.
    fn store<V: Copy + PartialEq, O: Observer>(
        &mut self,
        state: (u64, &[Word]),
        depth: u64,
        control: &mut Control<'_, V, O>,
    ) -> Result<bool, End>;

    /// Writes all that is known, and of the states that were looked at those from `needed` on.
    fn save(&self, fixed_words: Option<usize>, needed: Option<Self::Place>, to: &mut Writer<'_>) -> io::Result<()>;
    /// Reads what `save` wrote into an empty store; the places of the states that were needed.
    fn load<V: Copy + PartialEq, O: Observer>(
        &mut self,
        fixed_words: Option<usize>,
        from: &mut Reader<'_>,
        control: &mut Control<'_, V, O>,
    ) -> Result<Vec<Self::Place>, End>;
}

/// States as they are. The states that wait are the tail of the arena.
pub(crate) struct Indexed {
    table: MeteredTable,
    next: u32,
}

impl BfsStore for Indexed {
    type Place = StateId;
    const SECTION: Section = Section::Indexed;

    fn new(space: &impl StateSpace, meter: &Meter) -> Self {
        Indexed { table: MeteredTable::new(space.fixed_words(), meter), next: 0 }
    }

    fn events<V: Copy>(meter: &Meter) -> Events<V, StateId> {
        Events::new(meter)
    }

    fn len(&self) -> u64 {
        u64::from(self.table.len())
    }

    #[inline]
    fn waiting(&self) -> u64 {
        u64::from(self.table.len() - self.next)
    }

    #[inline]
    fn next(&mut self) -> Option<StateId> {
        let id = StateId(self.next);
        (self.next < self.table.len()).then(|| {
            self.next += 1;
            id
        })
    }

    fn put_back(&mut self, id: StateId) {
        self.next = id.0;
    }

    #[inline]
    fn get(&self, id: StateId) -> &[Word] {
        self.table.get(id)
    }

    fn number(id: StateId) -> u64 {
        u64::from(id.0)
    }

    fn release(&mut self) {}

    fn may_be_done(&self, hash: u64, state: &[Word]) -> bool {
        self.table.find(hash, state).is_some_and(|id| id.0 < self.next)
    }

    #[inline]
    fn foresee<V: Copy>(&self, events: &Events<V, StateId>, first: usize) {
        events.prefetch_buckets(first, &self.table);
    }

    #[inline]
    fn announce<V: Copy + PartialEq, O: Observer>(
        &mut self,
        events: &Events<V, StateId>,
        _: &mut Control<'_, V, O>,
    ) -> Result<(), End> {
        events.prefetch(&self.table);
        Ok(())
    }

    fn hand_over(self, _: &impl StateSpace, _: &Meter, take: Take<'_>) -> Result<(), End> {
        for id in self.next..self.table.len() {
            take(Some(u64::from(id)), self.table.get(StateId(id)))?;
        }
        (0..self.next).try_for_each(|id| take(None, self.table.get(StateId(id))))
    }

    #[inline]
    fn store<V: Copy + PartialEq, O: Observer>(
        &mut self,
        state: (u64, &[Word]),
        depth: u64,
        control: &mut Control<'_, V, O>,
    ) -> Result<bool, End> {
        let inserted = self.table.store(state, depth, control)?;
        Ok(matches!(inserted, Inserted::New(_)))
    }

    fn save(&self, fixed_words: Option<usize>, needed: Option<StateId>, to: &mut Writer<'_>) -> io::Result<()> {
        to.number(u64::from(needed.map_or(self.next, |id| id.0)))?;
        to.number(u64::from(self.next))?;
        to.number(u64::from(self.table.len()))?;
        (0..self.table.len()).try_for_each(|id| to.state(fixed_words, self.table.get(StateId(id))))
    }

    fn load<V: Copy + PartialEq, O: Observer>(
        &mut self,
        fixed_words: Option<usize>,
        from: &mut Reader<'_>,
        control: &mut Control<'_, V, O>,
    ) -> Result<Vec<StateId>, End> {
        let (needed, next, len): (u32, u32, u32) = (from.small()?, from.small()?, from.small()?);
        let mut state = Vec::new();
        for _ in 0..len {
            from.state(fixed_words, &mut state)?;
            if !self.table.restore(&state, control)? {
                return Err(ResumeFault::Mismatch.into());
            }
        }
        self.next = next;
        if needed <= next && next <= len && u64::from(len) == control.stats.stored {
            Ok((needed..next).map(StateId).collect())
        } else {
            Err(ResumeFault::Mismatch.into())
        }
    }
}

/// States in few bytes.
pub(crate) struct Compressed {
    known: StateSet,
    account: Account,
    /// Of the announced states that are not yet stored, whether they were not known, from last to first.
    is_new: Vec<bool>,
    /// The states that wait, and those that are not released.
    queue: Queue,
}

impl BfsStore for Compressed {
    type Place = Place;
    const SECTION: Section = Section::Compressed;

    fn new(space: &impl StateSpace, meter: &Meter) -> Self {
        let known = StateSet::new(space.fixed_words(), space.word_bits());
        Compressed { known, account: meter.account(), is_new: Vec::new(), queue: Queue::new(meter) }
    }

    fn events<V: Copy>(meter: &Meter) -> Events<V, Place> {
        Events::without_hashes(meter)
    }

    fn len(&self) -> u64 {
        self.queue.len()
    }

    #[inline]
    fn waiting(&self) -> u64 {
        self.queue.waiting()
    }

    #[inline]
    fn next(&mut self) -> Option<Place> {
        self.queue.next()
    }

    fn put_back(&mut self, place: Place) {
        self.queue.put_back(place);
    }

    #[inline]
    fn get(&self, place: Place) -> &[Word] {
        self.queue.get(place)
    }

    fn number(place: Place) -> u64 {
        place.number
    }

    #[inline]
    fn release(&mut self) {
        self.queue.release();
    }

    fn may_be_done(&self, _: u64, state: &[Word]) -> bool {
        self.known.contains(state)
    }

    #[inline]
    fn announce<V: Copy + PartialEq, O: Observer>(
        &mut self,
        events: &Events<V, Place>,
        control: &mut Control<'_, V, O>,
    ) -> Result<(), End> {
        let (queue, known) = (self.queue.growth(events.words(), events.len()), self.known.growth(events.successors()));
        if queue + known > 0 {
            control.allow(queue + known)?;
        }
        if known > 0 {
            self.known.make_room(events.successors());
            self.account.set(self.known.bytes());
        }
        self.know(events.successors());
        Ok(())
    }

    fn hand_over(mut self, space: &impl StateSpace, meter: &Meter, take: Take<'_>) -> Result<(), End> {
        // The queue is freed as this set, in which a state takes less, grows.
        let mut waiting = StateSet::new(space.fixed_words(), space.word_bits());
        let mut account = meter.account();
        while let Some(place) = self.queue.next() {
            let state = self.queue.get(place);
            take(Some(place.number), state)?;
            waiting.make_room(once(state));
            waiting.insert(once(state), &mut self.is_new);
            account.set(waiting.bytes());
            self.is_new.clear();
            self.queue.release();
        }
        self.known.hand_over(|state| if waiting.contains(state) { Ok(()) } else { take(None, state) })
    }

    #[inline]
    fn store<V: Copy + PartialEq, O: Observer>(
        &mut self,
        (_, state): (u64, &[Word]),
        depth: u64,
        control: &mut Control<'_, V, O>,
    ) -> Result<bool, End> {
        let is_new = self.is_new.pop().unwrap_or_else(|| self.know_one(state));
        if is_new {
            if let Err(end) = control.admit(state, depth) {
                // It is known by now, and new all the same.
                self.is_new.push(true);
                return Err(end);
            }
            self.queue.push(state);
        }
        Ok(is_new)
    }

    fn save(&self, _: Option<usize>, needed: Option<Place>, to: &mut Writer<'_>) -> io::Result<()> {
        to.number(self.known.len() as u64)?;
        self.known.try_for_each(|state| to.state(None, state))?;
        to.number(self.is_new.len() as u64)?;
        self.is_new.iter().try_for_each(|&is_new| to.flag(is_new))?;
        let (next, needed) = (self.queue.first(), needed.unwrap_or(self.queue.first()));
        to.number(needed.number)?;
        to.number(next.number)?;
        to.number(self.queue.len())?;
        self.queue.from(needed).try_for_each(|state| to.state(None, state))
    }

    fn load<V: Copy + PartialEq, O: Observer>(
        &mut self,
        _: Option<usize>,
        from: &mut Reader<'_>,
        control: &mut Control<'_, V, O>,
    ) -> Result<Vec<Place>, End> {
        let mut state = Vec::new();
        for _ in 0..from.number()? {
            from.state(None, &mut state)?;
            let growth = self.known.growth(once(&*state));
            if growth > 0 {
                control.allow(growth)?;
            }
            if !self.know_one(&state) {
                return Err(ResumeFault::Mismatch.into());
            }
        }
        for _ in 0..from.number()? {
            self.is_new.push(from.flag()?);
        }
        let (needed, next, len) = (from.number()?, from.number()?, from.number()?);
        if needed > next || next > len || len != control.stats.stored {
            return Err(ResumeFault::Mismatch.into());
        }
        self.queue.begin_with(needed);
        for _ in needed..len {
            from.state(None, &mut state)?;
            control.allow(self.queue.growth(state.len(), 1))?;
            self.queue.push(&state);
        }
        Ok((needed..next).map_while(|_| self.queue.next()).collect())
    }
}

impl Compressed {
    /// A state that was not announced is known from now on; says whether it was not.
    #[cold]
    fn know_one(&mut self, state: &[Word]) -> bool {
        self.known.make_room(once(state));
        self.account.set(self.known.bytes());
        self.know(once(state));
        self.is_new.pop() == Some(true)
    }

    /// These states, for which there is room, are known from now on.
    #[inline]
    fn know<'s>(&mut self, states: impl Iterator<Item = &'s [Word]>) {
        self.is_new.clear();
        self.known.insert(states, &mut self.is_new);
        self.is_new.reverse();
    }
}
