//! Nested depth-first search for accepting cycles, with early detection on the stack.
//!
//! A state is cyan while it is open. When it is left it becomes blue, or red if no accepting cycle goes through it that is
//! not found yet. A step to a cyan state closes a cycle: it is accepting if either end is. Before an accepting state is
//! left, a second search follows blue states from it and makes them red; if it meets a cyan state, a cycle through both is
//! found. Invariant: no accepting cycle goes through a red state, so each state is expanded twice at most.
//! The components of the automaton save searches: in a rejecting one nothing closes, in a weak one every step to a cyan
//! state does and no second search is needed; and a second search never leaves its component. After the first cycle the search goes
//! on for other violations only.
//!
//! Schwoon, Esparza, "A Note on On-The-Fly Verification Algorithms", TACAS 2005, Fig. 4, after Courcoubetis, Vardi, Wolper,
//! Yannakakis and Holzmann, Peled, Yannakakis.

use statespace::Word;

use super::dfs::{Closing, Met, Visited};
use crate::control::{Control, End};
use crate::meter::Meter;
use crate::observer::Observer;
use crate::space::acceptance::{Accepting, Scc, Strength};
use crate::store::events::{Events, Kind};
use crate::store::metered::{MeteredTable, MeteredVec};
use crate::store::{Inserted, StateId};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Colour {
    Cyan,
    CyanAccepting,
    Blue,
    Red,
}

/// An open state.
#[derive(Clone, Copy)]
struct Open {
    id: StateId,
    scc: Scc,
    is_accepting: bool,
    /// Are all its successors in the same component red, as far as they are known?
    all_red: bool,
}

/// A state of the second search, with the event by which it was entered.
struct Nested {
    event: u32,
    /// How many of its successors wait.
    waiting: u32,
}

/// All states, in colours.
pub(crate) struct Colours<'a, S: Accepting> {
    space: &'a S,
    states: MeteredTable,
    colours: MeteredVec<Colour>,
    open: MeteredVec<Open>,
    nested: MeteredVec<Nested>,
    /// Successors that the second search will look at, with their events.
    waiting: MeteredVec<(StateId, u32)>,
    events: Events<S::Violation>,
    scratch: S::Scratch,
    is_found: bool,
}

impl<'a, S: Accepting<Violation: PartialEq>> Colours<'a, S> {
    pub(crate) fn new(space: &'a S, meter: &Meter) -> Self {
        Colours {
            space,
            states: MeteredTable::new(space.fixed_words(), meter),
            colours: MeteredVec::new(meter),
            open: MeteredVec::new(meter),
            nested: MeteredVec::new(meter),
            waiting: MeteredVec::new(meter),
            events: Events::new(meter),
            scratch: space.scratch(),
            is_found: false,
        }
    }

    /// The deepest open state has a successor that is not new.
    #[inline]
    fn known(&mut self, id: StateId, state: &[Word]) {
        if let Some(open) = self.open.last_mut()
            && open.all_red
            && open.scc.strength == Strength::Strong
            && self.colours[id.0 as usize] != Colour::Red
            && self.space.scc(state).rank == open.scc.rank
        {
            open.all_red = false;
        }
    }

    /// A cycle that begins at an open state.
    #[cold]
    fn closing(&mut self, start: StateId, events: Vec<u32>) -> Closing<S::Violation> {
        self.is_found = true;
        let start = self.open.iter().rposition(|open| open.id == start).unwrap_or(0);
        Closing { violation: self.space.cycle(), start, events }
    }

    /// The second search, from the deepest open state: a path to an open one, if there is any.
    fn search<O: Observer>(
        &mut self,
        seed: Open,
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<Option<Closing<S::Violation>>, End> {
        self.nested.clear();
        self.waiting.clear();
        let mut entered = Some((seed.id, 0));
        while let Some((id, event)) = entered {
            let state = self.states.get(id);
            control.expanding(state, self.waiting.len() as u64)?;
            self.events.clear();
            self.events.expand((self.space, state), &mut self.scratch, (), &|_, _| true, control)?;
            self.nested.room_for(1, control)?;
            self.waiting.room_for(self.events.len(), control)?;
            self.events.prefetch(&self.states);
            let before = self.waiting.len();
            let mut met = None;
            for event in self.events.iter() {
                let Kind::Successor(hash, state) = event.kind else {
                    continue;
                };
                control.step();
                // What is behind an accepting state is stored when that is left.
                let Some(id) = self.states.find(hash, state) else {
                    continue;
                };
                match self.colours[id.0 as usize] {
                    Colour::Red => {}
                    _ if self.space.scc(state).rank != seed.scc.rank => {}
                    Colour::Blue => self.waiting.push((id, event.number)),
                    Colour::Cyan | Colour::CyanAccepting => {
                        met = Some((id, event.number));
                        break;
                    }
                }
            }
            let waiting = (self.waiting.len() - before) as u32;
            self.nested.push(Nested { event, waiting });
            if let Some((id, last)) = met {
                let entered = self.nested.iter().skip(1).map(|nested| nested.event);
                let events = entered.chain([last]).collect();
                return Ok(Some(self.closing(id, events)));
            }
            entered = self.advance();
        }
        Ok(None)
    }

    /// The next blue state of the second search; it is red from now on.
    fn advance(&mut self) -> Option<(StateId, u32)> {
        while let Some(top) = self.nested.last_mut() {
            if top.waiting == 0 {
                self.nested.pop();
                continue;
            }
            top.waiting -= 1;
            let (id, event) = self.waiting.pop()?;
            let colour = &mut self.colours[id.0 as usize];
            if *colour == Colour::Blue {
                *colour = Colour::Red;
                return Some((id, event));
            }
        }
        None
    }
}

impl<S: Accepting<Violation: PartialEq>> Visited<S::Violation> for Colours<'_, S> {
    fn enter<O: Observer>(
        &mut self,
        (hash, state): (u64, &[Word]),
        depth: u64,
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<bool, End> {
        self.colours.room_for(1, control)?;
        self.open.room_for(1, control)?;
        let id = match self.states.store((hash, state), depth, control)? {
            Inserted::Known(id) => {
                self.known(id, state);
                return Ok(false);
            }
            Inserted::New(id) => id,
        };
        let scc = self.space.scc(state);
        let is_accepting = scc.strength == Strength::Strong && self.space.is_accepting(state);
        self.colours.push(if is_accepting { Colour::CyanAccepting } else { Colour::Cyan });
        self.open.push(Open { id, scc, is_accepting, all_red: true });
        Ok(true)
    }

    fn entered(&self) -> &[Word] {
        Visited::<S::Violation>::entered(&self.states)
    }

    #[inline]
    fn meet(&mut self, event: u32, hash: u64, state: &[Word]) -> Met<S::Violation> {
        let Some(id) = self.states.find(hash, state) else {
            return Met::New;
        };
        let colour = self.colours[id.0 as usize];
        let is_open = matches!(colour, Colour::Cyan | Colour::CyanAccepting);
        if let Some(top) = self.open.last()
            && is_open
            && !self.is_found
        {
            let is_accepting = top.is_accepting || colour == Colour::CyanAccepting;
            if top.scc.strength == Strength::Weak || top.scc.strength == Strength::Strong && is_accepting {
                return Met::Closes(self.closing(id, vec![event]));
            }
        }
        self.known(id, state);
        Met::Known
    }

    fn leave<O: Observer>(
        &mut self,
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<Option<Closing<S::Violation>>, End> {
        let Some(&top) = self.open.last() else {
            return Ok(None);
        };
        let is_blue = top.scc.strength == Strength::Strong && !top.all_red && !self.is_found;
        let is_seed = is_blue && top.is_accepting;
        // It stays open while the second search runs: that may lead back to it.
        let closing = if is_seed { self.search(top, control)? } else { None };
        self.open.pop();
        let is_blue = is_blue && !is_seed;
        self.colours[top.id.0 as usize] = if is_blue { Colour::Blue } else { Colour::Red };
        if let Some(parent) = self.open.last_mut()
            && parent.scc.rank == top.scc.rank
        {
            parent.all_red &= !is_blue;
        }
        Ok(closing)
    }

    fn may_be_done(&self, _: u64, _: &[Word]) -> bool {
        // For cycles it is not enough that one successor comes later.
        true
    }

    fn prefetch(&self, events: &Events<S::Violation>) {
        events.prefetch(&self.states);
    }
}
