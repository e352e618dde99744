//! Depth-first search: a state is entered when it is first met from the deepest state that is still open.
//!
//! A state is expanded once, when it is entered. Those of its events that may still matter (a violation, or a successor
//! that is not stored yet) are put on the stack, the first on top, and each is taken off when its turn comes; a successor
//! that was stored meanwhile, by an earlier one, is then dropped. So violations too are met in depth-first order.
//! Invariant: `path` lists the open states from the initial one to the current; `path[i].waiting` of the entries on the
//! stack belong to the i-th of them. The path itself is the trace: predecessors are recorded only for observers that may
//! ask for the path to a state when it is no longer open.
//!
//! What "stored" means is up to the set of visited states: all of them, or a cache that keeps the open ones
//! (`state_caching.rs`), or hashes of them (`hashed.rs`), or all of them in the colours of a nested search (`ndfs.rs`).

use statespace::{StateSpace, Word};

use crate::control::{Control, End};
use crate::observer::{Observer, Step};
use crate::store::events::{Event, Events, Kind};
use crate::store::metered::{MeteredTable, MeteredVec};
use crate::store::predecessor_log::PredecessorLog;
use crate::store::{Inserted, StateId, hash};

/// What the search knows of the state that a step leads to.
pub(crate) enum Met<V> {
    /// Nothing.
    New,
    /// It is remembered.
    Known,
    /// It is open, and a cycle is closed that is a violation.
    Closes(Closing<V>),
}

/// A cycle that is a violation, as seen from the end of the path.
pub(crate) struct Closing<V> {
    pub(crate) violation: V,
    /// The place in the path of the state where the cycle begins.
    pub(crate) start: usize,
    /// The events from the deepest open state back to that one.
    pub(crate) events: Vec<u32>,
}

/// The states that the search remembers.
pub(crate) trait Visited<V: Copy + PartialEq> {
    /// Stores a state unless it is remembered; says whether it is new. If so it is open until `leave`.
    fn enter<O: Observer>(
        &mut self,
        state: (u64, &[Word]),
        depth: u64,
        control: &mut Control<'_, V, O>,
    ) -> Result<bool, End>;

    /// The state that was entered last.
    fn entered(&self) -> &[Word];

    /// The deepest open state has a step to this one, by this event.
    fn meet(&mut self, event: u32, hash: u64, state: &[Word]) -> Met<V>;

    /// The deepest open state is open no longer. It may turn out to be on a cycle.
    fn leave<O: Observer>(&mut self, control: &mut Control<'_, V, O>) -> Result<Option<Closing<V>>, End>;

    /// Whether a state may have been entered. What has not will be, later than the state that is expanded now.
    fn may_be_done(&self, hash: u64, state: &[Word]) -> bool;

    /// The successors among these events will be looked up.
    fn prefetch(&self, events: &Events<V>);
}

/// Nothing is deleted.
impl<V: Copy + PartialEq> Visited<V> for MeteredTable {
    #[inline]
    fn enter<O: Observer>(
        &mut self,
        state: (u64, &[Word]),
        depth: u64,
        control: &mut Control<'_, V, O>,
    ) -> Result<bool, End> {
        let inserted = self.store(state, depth, control)?;
        Ok(matches!(inserted, Inserted::New(_)))
    }

    #[inline]
    fn entered(&self) -> &[Word] {
        self.get(StateId(self.len() - 1))
    }

    #[inline]
    fn meet(&mut self, _: u32, hash: u64, state: &[Word]) -> Met<V> {
        if self.find(hash, state).is_some() { Met::Known } else { Met::New }
    }

    #[inline]
    fn leave<O: Observer>(&mut self, _: &mut Control<'_, V, O>) -> Result<Option<Closing<V>>, End> {
        Ok(None)
    }

    #[inline]
    fn may_be_done(&self, hash: u64, state: &[Word]) -> bool {
        self.find(hash, state).is_some()
    }

    fn prefetch(&self, events: &Events<V>) {
        events.prefetch(self);
    }
}

/// An open state.
#[derive(Clone, Copy)]
struct Open {
    /// The event by which it was entered.
    event: u32,
    /// How many of its events are on the stack.
    waiting: u32,
    /// How many states were stored before it.
    number: u64,
}

/// Explores everything that can be reached from `initial`.
pub(crate) fn search<S, O>(
    space: &S,
    initial: &[Word],
    visited: impl Visited<S::Violation>,
    predecessors: PredecessorLog,
    control: &mut Control<'_, S::Violation, O>,
) -> Result<(), End>
where
    S: StateSpace<Violation: PartialEq>,
    O: Observer,
{
    let meter = control.meter();
    let (path, stack, events) = (MeteredVec::new(meter), Events::new(meter), Events::new(meter));
    let mut search = Search { visited, path, stack, events, predecessors };
    let end = search.explore(space, initial, control);
    control.ended(&mut search.predecessors);
    end
}

struct Search<V, St> {
    visited: St,
    path: MeteredVec<Open>,
    stack: Events<V>,
    /// The events of the state that is being entered.
    events: Events<V>,
    predecessors: PredecessorLog,
}

impl<V: Copy + PartialEq, St: Visited<V>> Search<V, St> {
    fn explore<S: StateSpace<Violation = V>, O: Observer>(
        &mut self,
        space: &S,
        initial: &[Word],
        control: &mut Control<'_, V, O>,
    ) -> Result<(), End> {
        let mut scratch = space.scratch();
        control.step();
        self.visited.enter((hash(initial), initial), 0, control)?;
        self.predecessors.append(0, 0);
        let mut entered = Some(0);
        while let Some(event) = entered {
            let state = self.visited.entered();
            control.check_space(space)?;
            control.expanding(state, self.stack.len() as u64)?;
            let number = control.stats.states - 1;
            let is_done = |hash, state: &[Word]| self.visited.may_be_done(hash, state);
            let expanded = self.events.expand((space, state), &mut scratch, (), &is_done, control);
            if expanded.is_err() {
                self.path.push(Open { event, waiting: 0, number });
                for (violation, last, ()) in self.events.violations() {
                    control.violated(violation, || Ok(trace(&self.path, &[last])))?;
                }
            }
            if !expanded? {
                control.dead(state, number);
            }
            self.open(event, number, control)?;
            entered = self.advance(control)?;
        }
        Ok(())
    }

    /// Puts a state on the path and what is worth knowing of its events on the stack.
    fn open<O: Observer>(&mut self, event: u32, number: u64, control: &mut Control<'_, V, O>) -> Result<(), End> {
        self.path.room_for(1, control)?;
        self.stack.room_for(&self.events, control)?;
        self.predecessors.room_for(1, control)?;
        self.visited.prefetch(&self.events);
        let mut waiting = 0;
        let mut first_closing = None;
        self.events.drain_back(|event| {
            if let Kind::Successor(hash, state) = event.kind {
                control.step();
                control.took(|| Step { from: self.visited.entered(), event: event.number, to: state });
                match self.visited.meet(event.number, hash, state) {
                    Met::New => {}
                    Met::Known => return,
                    Met::Closes(closing) => {
                        first_closing = Some(closing);
                        return;
                    }
                }
            }
            self.stack.push(event);
            waiting += 1;
        });
        self.path.push(Open { event, waiting, number });
        match first_closing {
            None => Ok(()),
            Some(closing) => closed(&self.path, closing, control),
        }
    }

    /// Takes events off the stack until one leads to a new state; which event it was.
    fn advance<O: Observer>(&mut self, control: &mut Control<'_, V, O>) -> Result<Option<u32>, End> {
        let Search { visited, path, stack, predecessors, .. } = self;
        while let Some(top) = path.last_mut() {
            if top.waiting == 0 {
                let closing = visited.leave(control)?;
                if let Some(closing) = closing {
                    closed(path, closing, control)?;
                }
                path.pop();
                continue;
            }
            top.waiting -= 1;
            let parent = top.number;
            let depth = path.len() as u64;
            let entered = stack.pop(|event: Event<'_, V>| match event.kind {
                Kind::Violation(violation) => {
                    control.violated(violation, || Ok(trace(path, &[event.number])))?;
                    Ok::<_, End>(None)
                }
                Kind::Successor(hash, state) => {
                    let is_new = visited.enter((hash, state), depth, control)?;
                    if is_new {
                        predecessors.append(parent, event.number);
                    }
                    Ok(is_new.then_some(event.number))
                }
            });
            if let Some(entered) = entered.transpose()?.flatten() {
                return Ok(Some(entered));
            }
        }
        Ok(None)
    }
}

/// Reports a cycle.
#[cold]
fn closed<V: Copy + PartialEq, O: Observer>(
    path: &[Open],
    closing: Closing<V>,
    control: &mut Control<'_, V, O>,
) -> Result<(), End> {
    control.cycle(closing.violation, || Ok((trace(path, &closing.events), closing.start)))
}

/// The events along the path, and `last` after them.
fn trace(path: &[Open], last: &[u32]) -> Vec<u32> {
    let entered = path.iter().skip(1).map(|open| open.event);
    entered.chain(last.iter().copied()).collect()
}
