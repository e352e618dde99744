//! The events of expansions that wait for their turn, with the words of the states they lead to.
//!
//! Searches collect what an expansion reports before they look at it: the table lines of all successors can then be
//! fetched together, and the store is not changed while a state in it is being read. Breadth-first search empties the
//! collection from the front, depth-first search moves it to its stack from the back.
//! Invariant: `words` holds the successors of `entries` in their order, end to end, and `violations` the violations.

use std::io;
use std::ops::ControlFlow;

use statespace::{StateSpace, Visit, Word};

use crate::checkpoint::{Codec, Reader, ResumeFault, Writer};
use crate::control::{Control, End};
use crate::meter::{Account, Meter};
use crate::observer::Observer;
use crate::store::metered::growth;
use crate::store::{StateTable, hash};

/// A sequence of events, each with an `Origin` that says whose it is.
pub(crate) struct Events<V, Origin = ()> {
    entries: Vec<Entry<Origin>>,
    words: Vec<Word>,
    violations: Vec<V>,
    /// Are hashes wanted?
    hashes: bool,
    account: Account,
}

#[derive(Clone, Copy)]
struct Entry<Origin> {
    hash: u64,
    /// The number of the event in its expansion.
    number: u32,
    /// The length of the successor; `VIOLATION` if there is none.
    length: u32,
    origin: Origin,
}

const VIOLATION: u32 = u32::MAX;

/// How far a collection goes.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    entries: usize,
    words: usize,
    violations: usize,
}

/// One event, taken out.
pub(crate) struct Event<'a, V, Origin = ()> {
    pub(crate) number: u32,
    pub(crate) origin: Origin,
    pub(crate) kind: Kind<'a, V>,
}

/// What an event is.
pub(crate) enum Kind<'a, V> {
    /// A step to a state with this hash and these words.
    Successor(u64, &'a [Word]),
    /// A property is violated.
    Violation(V),
}

impl<V, Origin> Default for Events<V, Origin> {
    /// No events, and no account.
    fn default() -> Self {
        let account = Account::default();
        Events { entries: Vec::new(), words: Vec::new(), violations: Vec::new(), hashes: true, account }
    }
}

impl<V: Copy, Origin: Copy> Events<V, Origin> {
    pub(crate) fn new(meter: &Meter) -> Self {
        Events { account: meter.account(), ..Events::default() }
    }

    /// For those who do not need the hashes of successors: they are all 0.
    pub(crate) fn without_hashes(meter: &Meter) -> Self {
        Events { hashes: false, ..Events::new(meter) }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Counts the memory again; something was added.
    #[inline]
    pub(crate) fn count(&mut self) {
        self.account.set(
            self.entries.capacity() * size_of::<Entry<Origin>>()
                + self.words.capacity() * size_of::<Word>()
                + self.violations.capacity() * size_of::<V>(),
        );
    }

    /// Makes room for all of `more`, if that is allowed.
    #[inline]
    pub(crate) fn room_for<O: Observer>(
        &mut self,
        more: &Events<V, impl Copy>,
        control: &mut Control<'_, V, O>,
    ) -> Result<(), End>
    where
        V: PartialEq,
    {
        let growth = growth(&self.entries, more.entries.len())
            + growth(&self.words, more.words.len())
            + growth(&self.violations, more.violations.len());
        if growth > 0 {
            control.allow(growth)?;
            self.entries.reserve(more.entries.len());
            self.words.reserve(more.words.len());
            self.violations.reserve(more.violations.len());
            self.count();
        }
        Ok(())
    }

    /// Adds everything that is reported when `state` is expanded; says whether there is a step. If a limit is reached
    /// meanwhile, what was reported until then has been added.
    ///
    /// Where a persistent set of steps could do for all, it does if one of them leads to a state that will be expanded later
    /// than this one. `is_done` says which states may not be: those that have been expanded, this one included.
    ///
    /// No violation is lost by that. Let `w` be the shortest run from this state that ends in a step which is never taken
    /// with the values it reads there. If `w` has a step of the set, the first such step can be taken first, and a shorter
    /// run follows it. If it has none, all of `w` can still be done, with the same values, after the step to the state that
    /// is expanded later; and of all expansions there is a last one. Neither the order of the search nor what it deletes
    /// matters: expansions are ordered, not states.
    #[inline]
    pub(crate) fn expand<S, O>(
        &mut self,
        (space, state): (&S, &[Word]),
        scratch: &mut S::Scratch,
        origin: Origin,
        is_done: &dyn Fn(u64, &[Word]) -> bool,
        control: &mut Control<'_, V, O>,
    ) -> Result<bool, End>
    where
        S: StateSpace<Violation = V>,
        V: PartialEq,
        O: Observer,
    {
        let start = (self.entries.len(), self.words.len());
        let mut collector =
            Collector { events: self, start, is_done, origin, control, until_look: LOOK, moved: false, end: Ok(()) };
        // Only the collector breaks, and it knows why.
        let _ = space.expand(state, scratch, &mut collector);
        let Collector { moved, end, .. } = collector;
        self.count();
        end.map(|()| moved)
    }

    /// Whether some successor from this entry on, whose words begin there, satisfies a condition.
    fn any_since(&self, (entry, word): (usize, usize), mut is_it: impl FnMut(u64, &[Word]) -> bool) -> bool {
        let mut words = &self.words[word..];
        self.entries[entry..].iter().filter(|entry| entry.length != VIOLATION).any(|entry| {
            let (state, rest) = words.split_at(entry.length as usize);
            words = rest;
            is_it(entry.hash, state)
        })
    }

    /// The violations, from first to last, each with its number and origin.
    pub(crate) fn violations(&self) -> impl Iterator<Item = (V, u32, Origin)> {
        self.iter().filter_map(|event| match event.kind {
            Kind::Successor(..) => None,
            Kind::Violation(violation) => Some((violation, event.number, event.origin)),
        })
    }

    /// Words of all successors.
    pub(crate) fn words(&self) -> usize {
        self.words.len()
    }

    /// The successors, from first to last.
    #[inline]
    pub(crate) fn successors(&self) -> impl Iterator<Item = &[Word]> + Clone {
        self.iter().filter_map(|event| match event.kind {
            Kind::Successor(_, state) => Some(state),
            Kind::Violation(_) => None,
        })
    }

    /// Fetches the buckets of `table` in which the successors will be looked up.
    #[inline]
    pub(crate) fn prefetch(&self, table: &StateTable) {
        table.prefetch(self.hashes());
    }

    /// The hashes of the successors.
    #[inline]
    pub(crate) fn hashes(&self) -> impl Iterator<Item = u64> + Clone {
        self.entries.iter().filter(|entry| entry.length != VIOLATION).map(|entry| entry.hash)
    }

    /// Prefetches the buckets of the successors from this event on.
    #[inline]
    pub(crate) fn prefetch_buckets(&self, first: usize, table: &StateTable) {
        if table.is_far() {
            let successors = self.entries[first..].iter().filter(|entry| entry.length != VIOLATION);
            successors.for_each(|entry| table.prefetch_bucket(entry.hash));
        }
    }

    /// All events from first to last.
    #[inline]
    pub(crate) fn iter(&self) -> impl Iterator<Item = Event<'_, V, Origin>> + Clone {
        let mut words = self.words.as_slice();
        let mut violations = self.violations.iter();
        self.entries.iter().map_while(move |entry| {
            let kind = if entry.length == VIOLATION {
                Kind::Violation(*violations.next()?)
            } else {
                let (state, rest) = words.split_at(entry.length as usize);
                words = rest;
                Kind::Successor(entry.hash, state)
            };
            Some(entry.event(kind))
        })
    }

    /// Takes the last event out; `take` is given it.
    #[inline]
    pub(crate) fn pop<T>(&mut self, take: impl FnOnce(Event<'_, V, Origin>) -> T) -> Option<T> {
        let entry = self.entries.pop()?;
        if entry.length == VIOLATION {
            let violation = self.violations.pop()?;
            return Some(take(entry.event(Kind::Violation(violation))));
        }
        let start = self.words.len() - entry.length as usize;
        let taken = take(entry.event(Kind::Successor(entry.hash, &self.words[start..])));
        self.words.truncate(start);
        Some(taken)
    }

    /// Takes all events out, from last to first.
    #[inline]
    pub(crate) fn drain_back(&mut self, mut take: impl FnMut(Event<'_, V, Origin>)) {
        while self.pop(&mut take).is_some() {}
    }

    /// Adds an event at the end.
    #[inline]
    pub(crate) fn push(&mut self, event: Event<'_, V, Origin>) {
        let (hash, length) = match event.kind {
            Kind::Successor(hash, state) => {
                self.words.extend_from_slice(state);
                (hash, state.len() as u32)
            }
            Kind::Violation(violation) => {
                self.violations.push(violation);
                (0, VIOLATION)
            }
        };
        self.entries.push(Entry { hash, number: event.number, length, origin: event.origin });
    }

    /// How far the collection goes now.
    pub(crate) fn mark(&self) -> Mark {
        Mark { entries: self.entries.len(), words: self.words.len(), violations: self.violations.len() }
    }

    /// Drops what was added since.
    pub(crate) fn truncate(&mut self, mark: Mark) {
        self.entries.truncate(mark.entries);
        self.words.truncate(mark.words);
        self.violations.truncate(mark.violations);
    }

    /// Writes the events from this one on.
    pub(crate) fn save(
        &self,
        first: usize,
        origin: impl Fn(Origin) -> u64,
        codec: Codec<V>,
        to: &mut Writer<'_>,
    ) -> io::Result<()> {
        to.number((self.len() - first) as u64)?;
        self.iter().skip(first).try_for_each(|event| {
            to.number(u64::from(event.number))?;
            to.number(origin(event.origin))?;
            match event.kind {
                Kind::Successor(_, state) => {
                    to.flag(true)?;
                    to.state(None, state)
                }
                Kind::Violation(violation) => {
                    to.flag(false)?;
                    to.bytes(&(codec.encode)(violation))
                }
            }
        })
    }

    /// Reads what `save` wrote into an empty collection.
    pub(crate) fn load(
        &mut self,
        origin: impl Fn(u64) -> Option<Origin>,
        codec: Codec<V>,
        from: &mut Reader<'_>,
    ) -> Result<(), ResumeFault> {
        let mut state = Vec::new();
        for _ in 0..from.number()? {
            let number = from.small()?;
            let origin = origin(from.number()?).ok_or(ResumeFault::Mismatch)?;
            let kind = if from.flag()? {
                from.state(None, &mut state)?;
                Kind::Successor(if self.hashes { hash(&state) } else { 0 }, &state)
            } else {
                Kind::Violation((codec.decode)(&from.bytes()?).ok_or(ResumeFault::Mismatch)?)
            };
            self.push(Event { number, origin, kind });
        }
        self.count();
        Ok(())
    }

    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.words.clear();
        self.violations.clear();
    }
}

impl<Origin: Copy> Entry<Origin> {
    #[inline]
    fn event<'a, V>(&self, kind: Kind<'a, V>) -> Event<'a, V, Origin> {
        Event { number: self.number, origin: self.origin, kind }
    }
}

/// When this many words, and `ENTRY` for each successor, were collected in one expansion, the limits are checked.
const LOOK: usize = 1 << 16;
const ENTRY: usize = 16;

/// Collects the events of one expansion.
struct Collector<'a, 'c, V, Origin, O> {
    events: &'a mut Events<V, Origin>,
    /// Where the events of this expansion begin: entry, and word.
    start: (usize, usize),
    is_done: &'a dyn Fn(u64, &[Word]) -> bool,
    origin: Origin,
    control: &'a mut Control<'c, V, O>,
    until_look: usize,
    moved: bool,
    /// Why the expansion is ended early.
    end: Result<(), End>,
}

impl<V: Copy + PartialEq, Origin: Copy, O: Observer> Visit<V> for Collector<'_, '_, V, Origin, O> {
    #[inline]
    fn successor(&mut self, event: u32, next: &[Word]) -> ControlFlow<()> {
        self.moved = true;
        let hash = if self.events.hashes { hash(next) } else { 0 };
        self.events.push(Event { number: event, origin: self.origin, kind: Kind::Successor(hash, next) });
        match self.until_look.checked_sub(next.len() + ENTRY) {
            Some(left) => {
                self.until_look = left;
                ControlFlow::Continue(())
            }
            None => self.working(0),
        }
    }

    #[inline]
    fn violation(&mut self, event: u32, violation: V) -> ControlFlow<()> {
        self.events.push(Event { number: event, origin: self.origin, kind: Kind::Violation(violation) });
        ControlFlow::Continue(())
    }

    #[inline]
    fn left_out(&mut self, _event: u32) -> ControlFlow<()> {
        self.moved = true;
        ControlFlow::Continue(())
    }

    fn suffices(&mut self) -> bool {
        let is_done = self.is_done;
        self.events.any_since(self.start, |hash, state| !is_done(hash, state))
    }

    fn working(&mut self, bytes: usize) -> ControlFlow<()> {
        self.until_look = LOOK;
        self.events.count();
        self.end = self.control.working(bytes);
        match self.end {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }
}
