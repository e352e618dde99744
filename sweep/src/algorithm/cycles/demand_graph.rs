//! A graph of states with demands on its runs, and the search for a cycle that meets them all.
//!
//! A cycle that passes through all of a strongly connected component serves whatever a cycle in it can serve, so components
//! are looked at as a whole. If one has no good state, or a weak demand waits in all of its states and is served by none of
//! its steps, no part of it is fair. If a strong demand waits in some of its states and is served by no step, a fair cycle
//! avoids those: they are taken away and what is left is decomposed again. Else all of it is fair.
//! Invariant: a demand for which states were taken away waits nowhere in the rest, so components are nested no deeper than
//! there are strong demands.
//! Lichtenstein, Pnueli, "Checking that Finite State Concurrent Programs Satisfy Their Linear Specification", POPL 1985;
//! Emerson, Lei, "Modalities for Model Checking: Branching Time Logic Strikes Back", Science of Computer Programming 1987.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::ControlFlow;

use statespace::Word;

use crate::StopReason;
use crate::control::{Control, End};
use crate::meter::Meter;
use crate::observer::Observer;
use crate::space::demands::Demand;
use crate::store::StateId;
use crate::store::metered::{MeteredTable, MeteredVec};

/// A set of demands: where it stands in a table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct DemandSet(u32);

/// Searches are put off until this many states have been added.
const FIRST_SEARCH: usize = 1 << 12;
/// The graph is searched again when it has this many times the states of the last time.
const SEARCH_AGAIN: usize = 3;

/// States in the order in which they were expanded, each with its steps; targets may come later.
pub(crate) struct DemandGraph {
    states: MeteredVec<State>,
    steps: MeteredVec<Step>,
    sets: MeteredTable,
    /// Does a step lead back, in the order of numbers?
    leads_back: bool,
    search_at: usize,
}

#[derive(Clone, Copy)]
struct State {
    /// Where its steps end; they begin where those of the state before end.
    end: usize,
    waiting: DemandSet,
    is_good: bool,
}

#[derive(Clone, Copy)]
struct Step {
    to: u32,
    served: DemandSet,
}

/// A cycle: where it begins, and which of its steps each state on it takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FairCycle {
    pub(crate) start: u32,
    pub(crate) steps: Vec<u32>,
}

impl DemandGraph {
    pub(crate) fn new(meter: &Meter) -> Self {
        DemandGraph {
            states: MeteredVec::new(meter),
            steps: MeteredVec::new(meter),
            sets: MeteredTable::new(None, meter),
            leads_back: false,
            search_at: FIRST_SEARCH,
        }
    }

    /// Makes room for a state with this many steps, if that is allowed.
    pub(crate) fn room_for<V: Copy + PartialEq, O: Observer>(
        &mut self,
        steps: usize,
        control: &mut Control<'_, V, O>,
    ) -> Result<(), End> {
        self.states.room_for(1, control)?;
        self.steps.room_for(steps, control)
    }

    /// The set of these demands, which it puts in order.
    pub(crate) fn set<V: Copy + PartialEq, O: Observer>(
        &mut self,
        demands: &mut Vec<Word>,
        control: &mut Control<'_, V, O>,
    ) -> Result<DemandSet, End> {
        demands.sort_unstable();
        demands.dedup();
        Ok(DemandSet(self.sets.intern(demands, control)?.0))
    }

    fn demands(&self, set: DemandSet) -> impl Iterator<Item = Demand> {
        self.sets.get(StateId(set.0)).iter().map(|&word| Demand::from_word(word))
    }

    fn has(&self, set: DemandSet, demand: Demand) -> bool {
        self.sets.get(StateId(set.0)).binary_search(&demand.word()).is_ok()
    }

    /// A step of the state that is added next.
    pub(crate) fn step(&mut self, to: u32, served: DemandSet) {
        self.leads_back |= to as usize <= self.states.len();
        self.steps.push(Step { to, served });
    }

    /// Adds a state; its steps have been added.
    pub(crate) fn add(&mut self, waiting: DemandSet, is_good: bool) {
        self.states.push(State { end: self.steps.len(), waiting, is_good });
    }

    /// Has the graph grown so much that a search now costs little in comparison?
    pub(crate) fn is_due(&self) -> bool {
        self.leads_back && self.states.len() >= self.search_at
    }

    /// Bytes that a search allocates, at most.
    pub(crate) fn search_bytes(&self) -> usize {
        let per_state = graph::VISIT_BYTES + 4 * size_of::<u32>();
        self.states.len() * per_state + self.sets.len() as usize * 2 * size_of::<u32>()
    }

    /// A cycle through a good state that meets all demands, if there is one.
    pub(crate) fn fair_cycle(&mut self, meter: &Meter) -> Result<Option<FairCycle>, StopReason> {
        self.search_at = self.states.len().saturating_mul(SEARCH_AGAIN).max(FIRST_SEARCH);
        if !self.leads_back {
            return Ok(None);
        }
        Decomposition::new(self).fair_cycle(meter)
    }

    fn steps_of(&self, state: u32) -> &[Step] {
        let Some(&State { end, .. }) = self.states.get(state as usize) else { return &[] };
        let start = (state as usize).checked_sub(1).map_or(0, |before| self.states[before].end);
        &self.steps[start..end]
    }
}

/// The decomposition at work. A part is a list of states; components of a part are looked for among its own steps.
struct Decomposition<'g> {
    graph: &'g DemandGraph,
    /// The place of each state in the part that is decomposed.
    places: Vec<u32>,
    /// The component that each state was last seen in, as a number.
    component_of: Vec<u32>,
    components: u32,
    /// Of each set, how many states of the component have it as what waits.
    waiting: Vec<u32>,
    /// Of each set, the component in which it was last seen as what is served.
    served: Vec<u32>,
}

/// What comes of a component.
enum Finding {
    Fair,
    /// No part of it is fair.
    Hopeless,
    /// It is fair, if at all, where these do not wait.
    Without(HashSet<Demand>),
}

impl<'g> Decomposition<'g> {
    fn new(graph: &'g DemandGraph) -> Self {
        let (states, sets) = (graph.states.len(), graph.sets.len() as usize);
        Decomposition {
            graph,
            places: vec![0; states],
            component_of: vec![0; states],
            components: 0,
            waiting: vec![0; sets],
            served: vec![0; sets],
        }
    }

    fn fair_cycle(mut self, meter: &Meter) -> Result<Option<FairCycle>, StopReason> {
        let mut parts: Vec<Vec<u32>> = vec![(0..self.graph.states.len() as u32).collect()];
        while let Some(part) = parts.pop() {
            meter.check()?;
            if let Some(start) = self.decompose(&part, &mut parts) {
                return Ok(Some(self.cycle(start)));
            }
        }
        Ok(None)
    }

    /// Looks at the components of a part. What is left of those that are not fair are new parts. The first good state of one
    /// that is fair, if there is one.
    fn decompose(&mut self, part: &[u32], parts: &mut Vec<Vec<u32>>) -> Option<u32> {
        let mut places = std::mem::take(&mut self.places);
        for (place, &state) in (0..).zip(part) {
            places[state as usize] = place;
        }
        let graph = self.graph;
        // A place outside the part is an old one: it says another state, or none.
        let place_of =
            |state: u32| places.get(state as usize).copied().filter(|&place| part.get(place as usize) == Some(&state));
        let successor =
            |place: u32, nth: usize| graph.steps_of(part[place as usize]).get(nth).map(|step| place_of(step.to));
        let mut start = None;
        let _ = graph::visit(part.len(), successor, |component| {
            let mut states: Vec<u32> = component.iter().map(|&place| part[place as usize]).collect();
            match self.look_at(&states) {
                Finding::Fair => {
                    start = states.into_iter().filter(|&state| graph.states[state as usize].is_good).min();
                    return ControlFlow::Break(());
                }
                Finding::Hopeless => {}
                Finding::Without(demands) => {
                    states.retain(|&state| {
                        let waiting = graph.states[state as usize].waiting;
                        !graph.demands(waiting).any(|demand| demands.contains(&demand))
                    });
                    parts.push(states);
                }
            }
            ControlFlow::Continue(())
        });
        self.places = places;
        start
    }

    fn look_at(&mut self, component: &[u32]) -> Finding {
        let graph = self.graph;
        let is_good = |&state: &u32| graph.states[state as usize].is_good;
        let steps = |state: u32| graph.steps_of(state).iter();
        let has_cycle = component.len() > 1 || steps(component[0]).any(|step| step.to == component[0]);
        if !has_cycle || !component.iter().any(is_good) {
            return Finding::Hopeless;
        }
        self.components += 1;
        let own = self.components;
        component.iter().for_each(|&state| self.component_of[state as usize] = own);
        let mut served = HashSet::new();
        let mut waiting = Vec::new();
        for &state in component {
            let set = graph.states[state as usize].waiting;
            if self.waiting[set.0 as usize] == 0 {
                waiting.push(set);
            }
            self.waiting[set.0 as usize] += 1;
            for step in steps(state).filter(|step| self.component_of.get(step.to as usize) == Some(&own)) {
                if std::mem::replace(&mut self.served[step.served.0 as usize], own) != own {
                    served.extend(graph.demands(step.served));
                }
            }
        }
        let mut states_waiting: HashMap<Demand, usize> = HashMap::new();
        for set in waiting {
            let states = std::mem::take(&mut self.waiting[set.0 as usize]) as usize;
            for demand in graph.demands(set).filter(|demand| !served.contains(demand)) {
                *states_waiting.entry(demand).or_default() += states;
            }
        }
        if states_waiting.iter().any(|(demand, &states)| !demand.is_strong() && states == component.len()) {
            return Finding::Hopeless;
        }
        let avoided: HashSet<Demand> = states_waiting.into_keys().filter(|demand| demand.is_strong()).collect();
        if avoided.is_empty() { Finding::Fair } else { Finding::Without(avoided) }
    }

    /// A short cycle through a state of the component that was looked at last, which is fair: as long as a demand is not met
    /// by the cycle so far, on to where it is; then back.
    fn cycle(&self, start: u32) -> FairCycle {
        let mut path =
            Path { at: start, steps: Vec::new(), states: 0, waiting: HashMap::new(), served: HashSet::new() };
        path.enter(self.graph);
        loop {
            let unmet = path.unmet();
            let next = match () {
                () if !unmet.is_empty() => self.path(path.at, |step| self.meets(step, &unmet)),
                () if path.at == start && !path.steps.is_empty() => break,
                () => self.path(path.at, |step| step.to == start),
            };
            assert!(!next.is_empty(), "inside a component everything can be reached");
            for (nth, step) in next {
                path.steps.push(nth);
                path.served.extend(self.graph.demands(step.served));
                path.at = step.to;
                path.enter(self.graph);
            }
        }
        FairCycle { start, steps: path.steps }
    }

    /// Does a step meet one of these demands, or lead to where one that is weak does not wait?
    fn meets(&self, step: &Step, demands: &[Demand]) -> bool {
        let waiting = self.graph.states[step.to as usize].waiting;
        demands.iter().any(|&demand| {
            self.graph.has(step.served, demand) || !demand.is_strong() && !self.graph.has(waiting, demand)
        })
    }

    /// A shortest path inside the component, of one step at least, that ends with a step of this kind.
    fn path(&self, from: u32, is_last: impl Fn(&Step) -> bool) -> Vec<(u32, Step)> {
        let own = self.component_of[from as usize];
        let mut reached: HashMap<u32, (u32, u32)> = HashMap::new();
        let mut queue = VecDeque::from([from]);
        while let Some(state) = queue.pop_front() {
            for (nth, step) in (0..).zip(self.graph.steps_of(state)) {
                if self.component_of.get(step.to as usize) != Some(&own) {
                    continue;
                }
                if is_last(step) {
                    let mut path = vec![(nth, *step)];
                    let mut at = state;
                    while at != from {
                        let (before, nth) = reached[&at];
                        path.push((nth, self.graph.steps_of(before)[nth as usize]));
                        at = before;
                    }
                    path.reverse();
                    return path;
                }
                if step.to != from
                    && let Entry::Vacant(vacant) = reached.entry(step.to)
                {
                    vacant.insert((state, nth));
                    queue.push_back(step.to);
                }
            }
        }
        Vec::new()
    }
}

/// A path, and what it has met.
struct Path {
    at: u32,
    steps: Vec<u32>,
    /// How many states it has, and in how many of them each demand waits.
    states: usize,
    waiting: HashMap<Demand, usize>,
    served: HashSet<Demand>,
}

impl Path {
    fn enter(&mut self, graph: &DemandGraph) {
        self.states += 1;
        for demand in graph.demands(graph.states[self.at as usize].waiting) {
            *self.waiting.entry(demand).or_default() += 1;
        }
    }

    /// What would not be met by a cycle of these states and steps.
    fn unmet(&self) -> Vec<Demand> {
        let waits = |(demand, &states): (&Demand, &usize)| {
            let enough = if demand.is_strong() { 1 } else { self.states };
            (states >= enough && !self.served.contains(demand)).then_some(*demand)
        };
        self.waiting.iter().filter_map(waits).collect()
    }
}
