//! Accepting cycles that meet demands: breadth-first, with all states and the steps that may be on a cycle stored.
//!
//! States are numbered as they are met, and expanded in that order. Steps inside a component of the automaton that is not
//! rejecting are remembered with what they serve; `demand_graph.rs` searches them, now and then while the graph grows, so
//! that a cycle near the initial state is found early, and at the end. A graph of some of the states has no cycle that the
//! whole has not, and what waits in an expanded state is known.

use std::ops::ControlFlow;

use statespace::Word;

use crate::algorithm::cycles::demand_graph::{DemandGraph, DemandSet, FairCycle};
use crate::algorithm::cycles::lasso::{Lasso, Walker};
use crate::algorithm::is_good;
use crate::control::{Control, End};
use crate::meter::Meter;
use crate::observer::{Observer, Paths};
use crate::outcome::Outcome;
use crate::space::acceptance::{Scc, Strength};
use crate::space::compression::{Decompressing, TreeCompressed};
use crate::space::demands::{Demand, FairSpace, Role, VisitDemands};
use crate::store::events::{Event, Events, Kind};
use crate::store::metered::MeteredTable;
use crate::store::predecessor_log::PredecessorLog;
use crate::store::{Inserted, StateId, hash};
use crate::{SearchOptions, is_wide};

/// Searches for violations, and for an accepting cycle that meets the demands of the space, until all is seen, a limit is
/// reached, or the meter is interrupted. As `check_cycles`, in one order: `SearchOptions::cycles` does not count.
pub fn check_fair_cycles<S, O>(
    space: &S,
    options: &SearchOptions,
    observer: &mut O,
    meter: &Meter,
) -> Outcome<S::Violation>
where
    S: FairSpace<Violation: PartialEq>,
    O: Observer,
{
    let is_compressed = options.compact || is_wide(space);
    match is_compressed.then(|| TreeCompressed::new(space, meter)).flatten() {
        Some(compressed) => {
            let mut observer = Decompressing::new(&compressed, observer);
            compressed.decompress_outcome(check_as_it_is(&compressed, options, &mut observer, meter))
        }
        None => check_as_it_is(space, options, observer, meter),
    }
}

fn check_as_it_is<S, O>(space: &S, options: &SearchOptions, observer: &mut O, meter: &Meter) -> Outcome<S::Violation>
where
    S: FairSpace<Violation: PartialEq>,
    O: Observer,
{
    crate::search(Control::new(options, observer, meter), space, |initial, control| {
        let meter = control.meter();
        let mut search = Search {
            space,
            states: MeteredTable::new(space.fixed_words(), meter),
            graph: DemandGraph::new(meter),
            predecessors: PredecessorLog::enabled(options.traces || options.witnesses, meter),
            events: Events::new(meter),
            waiting: Vec::new(),
            served: Vec::new(),
            scratch: space.scratch(),
            is_found: false,
        };
        let end = search.explore(initial, control);
        control.ended(&mut search.predecessors);
        end
    })
}

struct Search<'a, S: FairSpace> {
    space: &'a S,
    states: MeteredTable,
    graph: DemandGraph,
    predecessors: PredecessorLog,
    /// The events of the state that is being expanded, each with what it serves.
    events: Events<S::Violation, DemandSet>,
    /// What waits in it.
    waiting: Vec<Word>,
    /// What a step serves.
    served: Vec<Word>,
    scratch: S::Scratch,
    is_found: bool,
}

impl<S: FairSpace<Violation: PartialEq>> Search<'_, S> {
    fn explore<O: Observer>(
        &mut self,
        initial: &[Word],
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<(), End> {
        control.step();
        self.predecessors.room_for(1, control)?;
        self.states.store((hash(initial), initial), 0, control)?;
        self.predecessors.append(0, 0);
        let (mut next, mut depth, mut last_of_depth) = (0, 0, 0);
        while next < self.states.len() {
            if next > last_of_depth {
                (depth, last_of_depth) = (depth + 1, self.states.len() - 1);
            }
            self.expand(StateId(next), depth, control)?;
            if self.graph.is_due() {
                self.look(control)?;
            }
            next += 1;
        }
        self.look(control)
    }

    fn expand<O: Observer>(
        &mut self,
        id: StateId,
        depth: u64,
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<(), End> {
        control.check_space(self.space)?;
        control.expanding(self.states.get(id), u64::from(self.states.len() - id.0))?;
        let collected = self.collect(id, control);
        for (violation, event, _) in self.events.violations() {
            control.violated(violation, || self.predecessors.path(u64::from(id.0), event))?;
        }
        collected?;
        let scc = self.space.scc(self.states.get(id));
        let is_wanted = scc.strength != Strength::Rejecting && !self.is_found;
        self.graph.room_for(self.events.len(), control)?;
        self.predecessors.room_for(self.events.len(), control)?;
        self.events.prefetch(&self.states);
        for event in self.events.iter() {
            let Kind::Successor(hash, state) = event.kind else { continue };
            control.step();
            let to = match self.states.store((hash, state), depth + 1, control)? {
                Inserted::Known(to) => to,
                Inserted::New(to) => {
                    self.predecessors.append(u64::from(id.0), event.number);
                    to
                }
            };
            if is_wanted && may_be_on_cycle(self.space, scc, state) {
                self.graph.step(to.0, event.origin);
            }
        }
        let waiting = self.graph.set(&mut self.waiting, control)?;
        self.graph.add(waiting, is_good(self.space, self.states.get(id)));
        Ok(())
    }

    /// Collects the events of a state, and what waits in it.
    fn collect<O: Observer>(&mut self, id: StateId, control: &mut Control<'_, S::Violation, O>) -> Result<(), End> {
        let Search { space, states, graph, events, waiting, served, scratch, .. } = self;
        events.clear();
        waiting.clear();
        let mut collector = Collector { events, graph, waiting, served, control, until_look: LOOK, end: Ok(()) };
        // Only the collector breaks, and it knows why.
        let _ = space.expand_demands(states.get(id), scratch, &mut collector);
        let end = collector.end;
        self.events.count();
        end
    }

    /// Looks for a cycle in what is there.
    fn look<O: Observer>(&mut self, control: &mut Control<'_, S::Violation, O>) -> Result<(), End> {
        if self.is_found {
            return Ok(());
        }
        control.allow(self.graph.search_bytes())?;
        let meter = control.meter().clone();
        let Some(cycle) = self.graph.fair_cycle(&meter).map_err(End::Stopped)? else { return Ok(()) };
        self.is_found = true;
        control.cycle(self.space.cycle(), || self.lasso(&cycle, &meter))
    }

    /// The path to a cycle and around it.
    fn lasso(&mut self, cycle: &FairCycle, meter: &Meter) -> Lasso {
        let mut events = Paths(&mut self.predecessors).to(u64::from(cycle.start))?;
        let start = events.len();
        let mut walker = Walker::new(self.space, self.states.get(StateId(cycle.start)).to_vec(), meter);
        for &nth in &cycle.steps {
            let scc = self.space.scc(walker.state());
            let mut before = nth;
            let event = walker.take(|_, next| {
                let is_remembered = may_be_on_cycle(self.space, scc, next);
                let is_it = is_remembered && before == 0;
                before -= u32::from(is_remembered && before > 0);
                is_it
            })?;
            events.push(event);
        }
        Ok((events, start))
    }
}

/// May a step from a component of the automaton to this state be part of a cycle? Only such steps are remembered.
fn may_be_on_cycle<S: FairSpace>(space: &S, from: Scc, to: &[Word]) -> bool {
    space.scc(to).rank == from.rank
}

/// When this many words, and `ENTRY` for each successor, were collected in one expansion, the limits are checked.
const LOOK: usize = 1 << 16;
const ENTRY: usize = 16;

/// Collects the events of one expansion.
struct Collector<'a, 'c, V, O> {
    events: &'a mut Events<V, DemandSet>,
    graph: &'a mut DemandGraph,
    waiting: &'a mut Vec<Word>,
    served: &'a mut Vec<Word>,
    control: &'a mut Control<'c, V, O>,
    until_look: usize,
    /// Why the expansion is ended early.
    end: Result<(), End>,
}

impl<V: Copy + PartialEq, O: Observer> VisitDemands<V> for Collector<'_, '_, V, O> {
    fn successor(&mut self, event: u32, next: &[Word], role: Role) -> ControlFlow<()> {
        self.waiting.extend(role.waiting.iter().copied().map(Demand::word));
        self.served.clear();
        self.served.extend(role.served.iter().copied().map(Demand::word));
        match self.graph.set(self.served, self.control) {
            Ok(served) => {
                self.events.push(Event { number: event, origin: served, kind: Kind::Successor(hash(next), next) });
            }
            Err(end) => {
                self.end = Err(end);
                return ControlFlow::Break(());
            }
        }
        match self.until_look.checked_sub(next.len() + ENTRY) {
            Some(left) => {
                self.until_look = left;
                ControlFlow::Continue(())
            }
            None => self.working(0),
        }
    }

    fn violation(&mut self, event: u32, violation: V) -> ControlFlow<()> {
        // It serves nothing: it leads nowhere.
        match self.graph.set(&mut Vec::new(), self.control) {
            Ok(origin) => self.events.push(Event { number: event, origin, kind: Kind::Violation(violation) }),
            Err(end) => {
                self.end = Err(end);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    fn working(&mut self, bytes: usize) -> ControlFlow<()> {
        self.until_look = LOOK;
        self.waiting.sort_unstable();
        self.waiting.dedup();
        self.events.count();
        self.end = self.control.working(bytes);
        if self.end.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}
