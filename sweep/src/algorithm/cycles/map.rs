//! Maximal accepting predecessors: accepting cycles breadth-first, with all states stored; for comparison.
//!
//! Every state has the greatest accepting state that leads to it, by the order in which states were stored; it is passed
//! on along steps until nothing grows. An accepting state that receives itself is on a cycle. A greater one outside the cycle
//! may hide that: those that were passed on are accepting no longer after a pass, and the others get another one.
//! Invariant: an accepting state that was passed on and did not get itself is on no accepting cycle.
//!
//! Brim, Černá, Moravec, Šimša, "Accepting Predecessors Are Better than Back Edges in Distributed LTL Model-Checking",
//! FMCAD 2004.

use std::collections::VecDeque;

use statespace::Word;

use crate::algorithm::cycles::lasso::Round;
use crate::algorithm::is_good;
use crate::control::{Control, End};
use crate::measure::NoMeasure;
use crate::meter::Account;
use crate::observer::{Observer, Paths};
use crate::space::acceptance::Accepting;
use crate::store::events::{Events, Kind};
use crate::store::metered::{MeteredTable, MeteredVec};
use crate::store::predecessor_log::PredecessorLog;
use crate::store::{Inserted, StateId, hash};

/// What is known of a state.
#[derive(Clone, Copy)]
struct Known {
    /// The greatest accepting predecessor, plus one; 0 if there is none.
    value: u32,
    depth: u32,
    is_accepting: bool,
    is_waiting: bool,
    is_expanded: bool,
}

/// Explores everything that can be reached from `initial`.
pub(crate) fn search<S, O>(
    space: &S,
    initial: &[Word],
    predecessors: PredecessorLog,
    control: &mut Control<'_, S::Violation, O>,
) -> Result<(), End>
where
    S: Accepting<Violation: PartialEq>,
    O: Observer,
{
    let meter = control.meter();
    let mut map = Map {
        space,
        states: MeteredTable::new(space.fixed_words(), meter),
        known: MeteredVec::new(meter),
        waiting: VecDeque::new(),
        waiting_account: meter.account(),
        predecessors,
        is_found: false,
        events: Events::new(meter),
        scratch: space.scratch(),
    };
    let end = map.search(initial, control);
    control.ended(&mut map.predecessors);
    end
}

struct Map<'a, S: Accepting> {
    space: &'a S,
    states: MeteredTable,
    known: MeteredVec<Known>,
    /// States whose values are to be passed on.
    waiting: VecDeque<StateId>,
    waiting_account: Account,
    predecessors: PredecessorLog,
    is_found: bool,
    events: Events<S::Violation>,
    scratch: S::Scratch,
}

impl<S: Accepting<Violation: PartialEq>> Map<'_, S> {
    fn search<O: Observer>(&mut self, initial: &[Word], control: &mut Control<'_, S::Violation, O>) -> Result<(), End> {
        control.step();
        self.store((hash(initial), initial), 0, control)?;
        self.predecessors.append(0, 0);
        loop {
            control.stats.sweep.passes += 1;
            while let Some(id) = self.waiting.pop_front() {
                self.expand(id, control)?;
            }
            if self.is_found || !self.delete() {
                return Ok(());
            }
        }
    }

    /// Accepting states that were passed on are accepting no longer. Is there anything to pass on instead?
    fn delete(&mut self) -> bool {
        let mut any = false;
        for id in 0..self.known.len() {
            if let Some(passed_on) = std::mem::take(&mut self.known[id].value).checked_sub(1) {
                any |= std::mem::replace(&mut self.known[passed_on as usize].is_accepting, false);
            }
        }
        if !any {
            return false;
        }
        let accepting = (0..).zip(self.known.iter_mut()).filter(|(_, known)| known.is_accepting);
        for (id, known) in accepting {
            known.is_waiting = true;
            self.waiting.push_back(StateId(id));
        }
        self.count_waiting();
        true
    }

    /// Passes the value of a state on, and meets its successors for the first time perhaps.
    fn expand<O: Observer>(&mut self, id: StateId, control: &mut Control<'_, S::Violation, O>) -> Result<(), End> {
        let state = self.states.get(id);
        control.expanding(state, self.waiting.len() as u64 + 1)?;
        let mut events = std::mem::take(&mut self.events);
        events.clear();
        let expanded = events.expand((self.space, state), &mut self.scratch, (), &|_, _| true, control);
        if expanded.is_err() && !self.known[id.0 as usize].is_expanded {
            for (violation, event, ()) in events.violations() {
                control.violated(violation, || self.predecessors.path(u64::from(id.0), event))?;
            }
        }
        if !expanded? {
            control.dead(state, u64::from(id.0));
        }
        self.room_for(events.len(), control)?;
        events.prefetch(&self.states);
        let end = self.pass_on(id, &events, control);
        self.events = events;
        end
    }

    fn pass_on<O: Observer>(
        &mut self,
        id: StateId,
        events: &Events<S::Violation>,
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<(), End> {
        let from = &mut self.known[id.0 as usize];
        let is_first = !std::mem::replace(&mut from.is_expanded, true);
        from.is_waiting = false;
        let own = if from.is_accepting { id.0 + 1 } else { 0 };
        let (value, depth) = (from.value.max(own), u64::from(from.depth) + 1);
        for event in events.iter() {
            let (hash, state) = match event.kind {
                Kind::Successor(hash, state) => (hash, state),
                Kind::Violation(violation) if is_first => {
                    control.violated(violation, || self.predecessors.path(u64::from(id.0), event.number))?;
                    continue;
                }
                Kind::Violation(_) => continue,
            };
            control.step();
            let to = match self.store((hash, state), depth, control)? {
                Inserted::New(to) => {
                    self.predecessors.append(u64::from(id.0), event.number);
                    to
                }
                Inserted::Known(to) => to,
            };
            if self.is_found {
                continue;
            }
            let known = &mut self.known[to.0 as usize];
            if known.is_accepting && value == to.0 + 1 {
                self.is_found = true;
                self.report(to, control)?;
            } else if value > known.value {
                known.value = value;
                if !std::mem::replace(&mut known.is_waiting, true) {
                    self.waiting.push_back(to);
                }
            }
        }
        Ok(())
    }

    /// Stores a state unless it is known; if it is new it waits.
    fn store<O: Observer>(
        &mut self,
        state: (u64, &[Word]),
        depth: u64,
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<Inserted, End> {
        let inserted = self.states.store(state, depth, control)?;
        if let Inserted::New(id) = inserted {
            let is_accepting = is_good(self.space, state.1);
            let depth = depth.min(u64::from(u32::MAX)) as u32;
            self.known.push(Known { value: 0, depth, is_accepting, is_waiting: true, is_expanded: false });
            self.waiting.push_back(id);
        }
        Ok(inserted)
    }

    #[cold]
    fn report<O: Observer>(&mut self, on: StateId, control: &mut Control<'_, S::Violation, O>) -> Result<(), End> {
        let meter = control.meter().clone();
        control.cycle(self.space.cycle(), || {
            let stem = Paths(&mut self.predecessors).to(u64::from(on.0))?;
            let round = Round { space: self.space, start: self.states.get(on) };
            round.close(stem, &NoMeasure, &meter)
        })
    }

    /// Makes room for this many successors, if that is allowed.
    fn room_for<O: Observer>(
        &mut self,
        successors: usize,
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<(), End> {
        control.allow(0)?;
        self.known.room_for(successors, control)?;
        self.predecessors.room_for(successors, control)?;
        if self.waiting.capacity() - self.waiting.len() < successors {
            control.allow((self.waiting.capacity() + successors) * size_of::<StateId>())?;
            self.waiting.reserve(successors);
            self.count_waiting();
        }
        Ok(())
    }

    fn count_waiting(&mut self) {
        self.waiting_account.set(self.waiting.capacity() * size_of::<StateId>());
    }
}
