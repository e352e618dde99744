//! Random systems of processes, and reduced searches of them: the judge of everything that leaves out steps.
//!
//! A process goes through a graph of locations. Its edges test and change variables of its own and shared ones, and send
//! to and receive from bounded channels. What an edge reads and writes is known, so two steps are called independent only
//! if they are, and a *cluster* of processes is persistent if nothing that the others can ever do depends on an edge that
//! leaves a present location of the cluster. An edge that is not executable counts too: somebody else might enable it.
//! Invariants: the order of the events depends on the state alone, the steps of the smallest cluster first; `executed` has
//! the label of each step that was reported, or followed on the way to a state that was.
//!
//! Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems", LNCS 1032, 1996: persistent sets from
//! static knowledge, and dependence in a state. Kurshan, Levin, Minea, Peled, Yenigün, "Static Partial Order Reduction",
//! TACAS 1998: sticky locations, so that each cycle has a fully expanded state whatever the order of the search.

mod configuration;
mod footprint;
mod observed;

use std::cell::RefCell;
use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;

use statespace::{StateSpace, Visit, Word};

pub use configuration::{CHANNELS, Configuration, Encoding, PROCESSES, Place, SHARED, VALUES};
use footprint::Footprint;
pub use observed::{Component, Observed, ProcessesMeasure, Property, PropertyAutomaton};

/// What an edge does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Nothing.
    Skip,
    /// A variable gets a value,
    Set(Place, u8),
    /// or that of another one.
    Copy(Place, Place),
    /// A variable takes its values in a cycle.
    Increase(Place),
    /// A value is sent to a channel, unless that is full.
    Send(u8, u8),
    /// The value of a variable is sent.
    SendFrom(u8, Place),
    /// The first message of a channel goes to a variable, unless there is none.
    Receive(u8, Place),
    /// It is a violation if a variable has this value; whether there is a step nevertheless.
    Forbid(Place, u8, bool),
}

/// A guard: that a variable has a value, or (`false`) that it has not.
pub type Guard = (bool, Place, u8);

/// An edge of a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// What must hold.
    pub guard: Option<Guard>,
    /// What it does.
    pub action: Action,
    /// Where it leads.
    pub target: u8,
}

/// Which edge was taken, and the values that it read: of the guard, and of the action.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Label {
    process: u8,
    location: u8,
    edge: u8,
    guard: u8,
    action: u8,
}

/// What can be wrong.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Fault {
    /// A forbidden value was read.
    Forbidden(Label),
    /// There is no step out of this state.
    Deadlock(Configuration),
    /// An accepting cycle.
    Cycle,
}

/// Who says when the steps of a cluster are enough.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reduction {
    /// Nobody: they never are.
    None,
    /// The search.
    Asked,
    /// The state: they are if the cluster changes nothing that is observed, and none of its processes is at a sticky
    /// location.
    ByCycles,
}

/// How a system is explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exploration {
    /// What is left out.
    pub reduction: Reduction,
    /// Behind each step up to this many are followed that are the only ones of a cluster.
    pub chain: u32,
    /// How states are packed.
    pub encoding: Encoding,
    /// Whether violations are reported. If not, a run that cannot go on is just that.
    pub has_faults: bool,
}

/// A system of processes.
#[derive(Clone, Debug)]
pub struct Processes {
    /// The edges of each location of each process; all start at location 0.
    pub processes: Vec<Vec<Vec<Edge>>>,
    /// How many messages each channel holds.
    pub capacities: Vec<u8>,
    /// How it is explored.
    pub exploration: Exploration,
    /// By process and location: what its edges may do,
    now: Vec<Vec<Footprint>>,
    /// and what all edges may do that can be reached from there.
    future: Vec<Vec<Footprint>>,
    sticky: Vec<Vec<bool>>,
    executed: RefCell<HashSet<Label>>,
}

/// A step.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    label: Label,
    is_fault: bool,
    next: Option<Configuration>,
}

/// A set of processes, a bit for each.
type Cluster = u8;

impl Processes {
    /// The variable that is observed where cycles are searched for.
    pub const OBSERVED: Place = Place::Shared(0);

    /// A system, to be explored without reduction.
    pub fn new(processes: Vec<Vec<Vec<Edge>>>, capacities: Vec<u8>) -> Processes {
        let numbered = (0..).zip(&processes);
        let now: Vec<Vec<Footprint>> = numbered
            .map(|(process, locations)| locations.iter().map(|edges| Footprint::of(process, edges)).collect())
            .collect();
        let reachable = |locations: &[Vec<Edge>]| (0..locations.len()).map(|from| reachable(locations, from)).collect();
        let reachable: Vec<Vec<BTreeSet<usize>>> = processes.iter().map(|locations| reachable(locations)).collect();
        let together = |now: &[Footprint], places: &BTreeSet<usize>| {
            places.iter().fold(Footprint::default(), |all, &place| all.and(now[place]))
        };
        let future = now.iter().zip(&reachable);
        let future = future.map(|(now, reachable)| reachable.iter().map(|places| together(now, places)).collect());
        Processes {
            future: future.collect(),
            sticky: processes.iter().map(|locations| sticky(locations)).collect(),
            now,
            processes,
            capacities,
            exploration: Exploration {
                reduction: Reduction::None,
                chain: 0,
                encoding: Encoding::Packed,
                has_faults: true,
            },
            executed: RefCell::default(),
        }
    }

    /// The same system, explored in another way, of which nothing has been executed.
    pub fn explored(&self, exploration: Exploration) -> Processes {
        Processes { exploration, executed: RefCell::default(), ..self.clone() }
    }

    /// The labels of the steps that were executed until now; from here on it is none.
    pub fn take_executed(&self) -> HashSet<Label> {
        self.executed.take()
    }

    /// The steps out of a state, each with its process.
    fn steps(&self, state: Configuration, steps: &mut Vec<(usize, Step)>) {
        steps.clear();
        for (process, locations) in self.processes.iter().enumerate() {
            for (number, edge) in (0..).zip(&locations[state.location(process)]) {
                steps.extend(self.step(state, process, number, edge).map(|step| (process, step)));
            }
        }
    }

    fn step(&self, state: Configuration, process: usize, number: u8, edge: &Edge) -> Option<Step> {
        let value = |place: Place| state.value(process, place);
        let guard = edge.guard.map_or(0, |(_, place, _)| value(place));
        if edge.guard.is_some_and(|(wanted, _, compared)| (guard == compared) != wanted) {
            return None;
        }
        let moved = state.at(process, edge.target);
        let is_full = |channel: u8| state.messages(channel) >= self.capacities[usize::from(channel)];
        let (mut is_fault, mut goes_on) = (false, true);
        let (read, next) = match edge.action {
            Action::Skip => (0, moved),
            Action::Set(place, set) => (0, moved.set(process, place, set)),
            Action::Copy(place, from) => (value(from), moved.set(process, place, value(from))),
            Action::Increase(place) => (value(place), moved.set(process, place, (value(place) + 1) % VALUES)),
            Action::Send(channel, _) | Action::SendFrom(channel, _) if is_full(channel) => return None,
            Action::Send(channel, sent) => (0, moved.send(channel, sent)),
            Action::SendFrom(channel, from) => (value(from), moved.send(channel, value(from))),
            Action::Receive(channel, place) => {
                let (received, rest) = moved.receive(channel)?;
                (received, rest.set(process, place, received))
            }
            Action::Forbid(place, forbidden, survives) => {
                is_fault = value(place) == forbidden;
                goes_on = survives || !is_fault || !self.exploration.has_faults;
                (value(place), moved)
            }
        };
        let label = Label {
            process: process as u8,
            location: state.location(process) as u8,
            edge: number,
            guard,
            action: read,
        };
        Some(Step { label, is_fault, next: goes_on.then_some(next) })
    }

    /// The processes that a persistent cluster with this one has at least.
    fn closure(&self, state: Configuration, seed: usize) -> Cluster {
        let all = 0..self.processes.len();
        let (full, empty) = self.limits(state);
        let mut cluster = 1 << seed;
        loop {
            let before = cluster;
            for inside in all.clone().filter(|&process| has(before, process)) {
                let now = self.now[inside][state.location(inside)];
                for outside in all.clone() {
                    let future = self.future[outside][state.location(outside)];
                    if now.depends_on(future, full, empty) {
                        cluster |= 1 << outside;
                    }
                }
            }
            if cluster == before {
                return cluster;
            }
        }
    }

    /// The channels that are full, and those that are empty.
    fn limits(&self, state: Configuration) -> (u8, u8) {
        let channels = || (0..).zip(&self.capacities);
        let set = |channels: &mut dyn Iterator<Item = u8>| channels.fold(0, |set, channel| set | 1 << channel);
        let full = channels().filter(|&(channel, &capacity)| state.messages(channel) >= capacity);
        let empty = channels().filter(|&(channel, _)| state.messages(channel) == 0);
        (set(&mut full.map(|(channel, _)| channel)), set(&mut empty.map(|(channel, _)| channel)))
    }

    /// The cluster with the fewest steps, of those that may be used. All processes can be one.
    fn cluster(&self, state: Configuration, steps: &[(usize, Step)]) -> Option<Cluster> {
        let seeds = (0..self.processes.len()).filter(|seed| steps.iter().any(|(process, _)| process == seed));
        let clusters = seeds.map(|seed| self.closure(state, seed));
        let allowed = clusters.filter(|&cluster| match self.exploration.reduction {
            Reduction::None => false,
            Reduction::Asked => true,
            Reduction::ByCycles => self.may_go_first(state, cluster, steps),
        });
        allowed.min_by_key(|&cluster| (of_cluster(steps, cluster).count(), cluster))
    }

    /// Whether the steps of a cluster may be taken without the others, whoever asks and when.
    fn may_go_first(&self, state: Configuration, cluster: Cluster, steps: &[(usize, Step)]) -> bool {
        let is_quiet = |process: usize| {
            let location = state.location(process);
            !self.now[process][location].changes(Processes::OBSERVED) && !self.sticky[process][location]
        };
        // What the others can do has to be done behind a step.
        (0..self.processes.len()).filter(|&process| has(cluster, process)).all(is_quiet)
            && of_cluster(steps, cluster).all(|step| step.next.is_some())
    }

    /// The state at the end of the chain that begins here.
    fn follow(&self, mut state: Configuration) -> Configuration {
        let mut steps = Vec::new();
        for _ in 0..self.exploration.chain {
            self.steps(state, &mut steps);
            let Some(cluster) = self.cluster(state, &steps) else { break };
            steps.retain(|&(process, _)| has(cluster, process));
            let &[(_, Step { label, is_fault: false, next: Some(next) })] = steps.as_slice() else { break };
            self.executed.borrow_mut().insert(label);
            state = next;
        }
        state
    }

    fn report<V: Visit<Fault>>(&self, step: Step, event: &mut u32, visit: &mut V) -> ControlFlow<()> {
        self.executed.borrow_mut().insert(step.label);
        if step.is_fault && self.exploration.has_faults {
            visit.violation(*event, Fault::Forbidden(step.label))?;
            *event += 1;
        }
        if let Some(next) = step.next {
            visit.successor(*event, &self.exploration.encoding.encode(self.follow(next)))?;
            *event += 1;
        }
        ControlFlow::Continue(())
    }
}

fn has(cluster: Cluster, process: usize) -> bool {
    cluster >> process & 1 == 1
}

/// The steps of a cluster.
fn of_cluster(steps: &[(usize, Step)], cluster: Cluster) -> impl Iterator<Item = Step> {
    steps.iter().filter(move |&&(process, _)| has(cluster, process)).map(|&(_, step)| step)
}

/// The locations that can be reached from one, which is among them.
fn reachable(locations: &[Vec<Edge>], from: usize) -> BTreeSet<usize> {
    let mut seen = BTreeSet::from([from]);
    let mut todo = vec![from];
    while let Some(location) = todo.pop() {
        todo.extend(locations[location].iter().map(|edge| usize::from(edge.target)).filter(|&next| seen.insert(next)));
    }
    seen
}

/// The locations that an edge leaves which closes a cycle of a depth-first search.
fn sticky(locations: &[Vec<Edge>]) -> Vec<bool> {
    fn enter(locations: &[Vec<Edge>], at: usize, seen: &mut [bool], open: &mut [bool], sticky: &mut [bool]) {
        (seen[at], open[at]) = (true, true);
        for next in locations[at].iter().map(|edge| usize::from(edge.target)) {
            sticky[at] |= open[next];
            if !seen[next] {
                enter(locations, next, seen, open, sticky);
            }
        }
        open[at] = false;
    }
    let no = vec![false; locations.len()];
    let (mut seen, mut open, mut sticky) = (no.clone(), no.clone(), no);
    enter(locations, 0, &mut seen, &mut open, &mut sticky);
    sticky
}

impl StateSpace for Processes {
    type Violation = Fault;
    type Scratch = Vec<(usize, Step)>;

    fn scratch(&self) -> Self::Scratch {
        Vec::new()
    }

    fn fixed_words(&self) -> Option<usize> {
        self.exploration.encoding.fixed_words()
    }

    fn word_bits(&self) -> &[u8] {
        &[]
    }

    fn gave_up(&self) -> bool {
        false
    }

    fn initial(&self) -> Result<Vec<Word>, Fault> {
        Ok(self.exploration.encoding.encode(Configuration::default()))
    }

    fn expand<V: Visit<Fault>>(
        &self,
        state: &[Word],
        steps: &mut Vec<(usize, Step)>,
        visit: &mut V,
    ) -> ControlFlow<()> {
        let state = self.exploration.encoding.decode(state);
        self.steps(state, steps);
        if steps.is_empty() && self.exploration.has_faults {
            return visit.violation(0, Fault::Deadlock(state));
        }
        let cluster = self.cluster(state, steps).unwrap_or(Cluster::MAX);
        let mut event = 0;
        for step in of_cluster(steps, cluster) {
            self.report(step, &mut event, visit)?;
        }
        let mut others = of_cluster(steps, !cluster).peekable();
        let is_enough = match self.exploration.reduction {
            _ if others.peek().is_none() => true,
            Reduction::None => false,
            Reduction::Asked => visit.suffices(),
            Reduction::ByCycles => true,
        };
        if is_enough {
            ControlFlow::Continue(())
        } else {
            others.try_for_each(|step| self.report(step, &mut event, visit))
        }
    }
}
