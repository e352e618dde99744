//! Hand-drawn and random graphs, and a lattice of counters, as state spaces.

use std::collections::{HashSet, VecDeque};
use std::ops::ControlFlow;

use interp::space::{StateSpace, Visit, Word};

use crate::acceptance::{Accepting, Part, Strength};
use crate::measure::{ComponentId, Measure, Progress};
use crate::product::{Automaton, Moves};

/// What happens in an expansion of a node of a [`Graph`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GraphEvent {
    /// A step to a node.
    To(u32),
    /// A violation with a number.
    Bad(u32),
}

/// A finite graph, given by the events of each node. Node 0 is the initial one.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The events of each node.
    pub nodes: Vec<Vec<GraphEvent>>,
    /// Whether the packed states have different lengths.
    pub variable: bool,
}

/// What there is to know about a graph, found by the simplest means.
#[derive(Debug)]
pub struct Reachable {
    /// The nodes that can be reached.
    pub nodes: HashSet<u32>,
    /// All steps from them, and one for the initial node.
    pub transitions: u64,
    /// All violations in them.
    pub errors: u64,
    /// The greatest distance of a node.
    pub depth: u64,
    /// The distance of the nearest violation, itself included.
    pub nearest_violation: Option<u64>,
}

impl Graph {
    /// The words of a node: few bits that differ, in the middle of others, and as many words as the node says.
    pub fn encode(&self, node: u32) -> Vec<Word> {
        let length = if self.variable { node as usize % 5 } else { 2 };
        let mut state = vec![node];
        state.extend((0..length).map(|n| node >> n & 3));
        state
    }

    /// The violation that a trace leads to, if it is a trace.
    pub fn replay(&self, trace: &[u32]) -> Option<u32> {
        let (&last, steps) = trace.split_last()?;
        let mut node = 0;
        for &event in steps {
            match self.nodes.get(node as usize)?.get(event as usize)? {
                GraphEvent::To(next) => node = *next,
                GraphEvent::Bad(_) => return None,
            }
        }
        match self.nodes.get(node as usize)?.get(last as usize)? {
            GraphEvent::To(_) => None,
            GraphEvent::Bad(violation) => Some(*violation),
        }
    }

    /// Plain reachability with the collections of the standard library: the judge of all searches.
    pub fn reachable(&self) -> Reachable {
        let mut reachable =
            Reachable { nodes: HashSet::from([0]), transitions: 1, errors: 0, depth: 0, nearest_violation: None };
        let mut queue = VecDeque::from([(0, 0)]);
        while let Some((node, depth)) = queue.pop_front() {
            reachable.depth = depth;
            for &event in &self.nodes[node as usize] {
                match event {
                    GraphEvent::To(next) => {
                        reachable.transitions += 1;
                        if reachable.nodes.insert(next) {
                            queue.push_back((next, depth + 1));
                        }
                    }
                    GraphEvent::Bad(_) => {
                        reachable.errors += 1;
                        reachable.nearest_violation.get_or_insert(depth + 1);
                    }
                }
            }
        }
        reachable
    }
}

impl StateSpace for Graph {
    type Violation = u32;
    type Scratch = ();

    fn scratch(&self) {}

    fn fixed_words(&self) -> Option<usize> {
        (!self.variable).then_some(3)
    }

    fn initial(&self) -> Result<Vec<Word>, u32> {
        Ok(self.encode(0))
    }

    fn expand<V: Visit<u32>>(&self, state: &[Word], (): &mut (), visit: &mut V) -> ControlFlow<()> {
        for (number, event) in (0..).zip(&self.nodes[state[0] as usize]) {
            match *event {
                GraphEvent::To(next) => visit.successor(number, &self.encode(next))?,
                GraphEvent::Bad(violation) => visit.violation(number, violation)?,
            }
        }
        ControlFlow::Continue(())
    }
}

/// A graph with accepting nodes, in parts.
#[derive(Clone, Debug)]
pub struct AcceptingGraph {
    /// The nodes and their events.
    pub graph: Graph,
    /// Which nodes are accepting.
    pub accepting: Vec<bool>,
    /// The part of each node.
    pub parts: Vec<Part>,
}

impl AcceptingGraph {
    /// What an accepting cycle is called.
    pub const CYCLE: u32 = u32::MAX;

    /// Can an accepting node be reached that can reach itself? Plain reachability again: the judge of all searches.
    pub fn has_accepting_cycle(&self) -> bool {
        self.graph.reachable().nodes.into_iter().any(|node| self.accepting[node as usize] && self.reaches_itself(node))
    }

    fn reaches_itself(&self, node: u32) -> bool {
        let mut seen = HashSet::new();
        let mut todo = vec![node];
        while let Some(from) = todo.pop() {
            for &event in &self.graph.nodes[from as usize] {
                if let GraphEvent::To(next) = event
                    && seen.insert(next)
                {
                    todo.push(next);
                }
            }
        }
        seen.contains(&node)
    }

    /// Is this a way to a cycle and once round it, past an accepting node?
    pub fn is_lasso(&self, trace: &[u32], cycle_start: usize) -> bool {
        let mut nodes = vec![0];
        for &event in trace {
            let last = nodes.last().map_or(0, |&node: &u32| node as usize);
            match self.graph.nodes[last].get(event as usize) {
                Some(GraphEvent::To(next)) => nodes.push(*next),
                _ => return false,
            }
        }
        let Some(cycle) = nodes.get(cycle_start..) else {
            return false;
        };
        cycle.len() > 1 && cycle.first() == cycle.last() && cycle.iter().any(|&node| self.accepting[node as usize])
    }
}

impl StateSpace for AcceptingGraph {
    type Violation = u32;
    type Scratch = ();

    fn scratch(&self) {}

    fn fixed_words(&self) -> Option<usize> {
        self.graph.fixed_words()
    }

    fn initial(&self) -> Result<Vec<Word>, u32> {
        self.graph.initial()
    }

    fn expand<V: Visit<u32>>(&self, state: &[Word], scratch: &mut (), visit: &mut V) -> ControlFlow<()> {
        self.graph.expand(state, scratch, visit)
    }
}

impl Accepting for AcceptingGraph {
    fn is_accepting(&self, state: &[Word]) -> bool {
        self.accepting[state[0] as usize]
    }

    fn part(&self, state: &[Word]) -> Part {
        self.parts[state[0] as usize]
    }

    fn system<'a>(&self, state: &'a [Word]) -> &'a [Word] {
        state
    }

    fn cycle(&self) -> u32 {
        AcceptingGraph::CYCLE
    }
}

/// Counters that each step one by one from 0 to `top`: `(top + 1) ^ counters` states, without a violation.
#[derive(Clone, Copy, Debug)]
pub struct Lattice {
    /// How many counters there are; a word each.
    pub counters: usize,
    /// Where each of them ends.
    pub top: Word,
}

impl StateSpace for Lattice {
    type Violation = ();
    type Scratch = Vec<Word>;

    fn scratch(&self) -> Vec<Word> {
        Vec::new()
    }

    fn fixed_words(&self) -> Option<usize> {
        Some(self.counters)
    }

    fn initial(&self) -> Result<Vec<Word>, ()> {
        Ok(vec![0; self.counters])
    }

    fn expand<V: Visit<()>>(&self, state: &[Word], next: &mut Vec<Word>, visit: &mut V) -> ControlFlow<()> {
        next.clear();
        next.extend_from_slice(state);
        let mut event = 0;
        for counter in 0..state.len() {
            if state[counter] < self.top {
                next[counter] += 1;
                visit.successor(event, next)?;
                next[counter] -= 1;
                event += 1;
            }
        }
        ControlFlow::Continue(())
    }
}

/// Workers that each go round through some places, and from the last of them to the first of the next phase:
/// `(phases * places) ^ workers` states, without a violation. Nobody goes back to an earlier phase.
#[derive(Clone, Copy, Debug)]
pub struct Workers {
    /// How many workers there are; a word each.
    pub workers: usize,
    /// How many phases there are.
    pub phases: Word,
    /// How many places there are in a phase.
    pub places: Word,
}

impl Workers {
    /// The phases of all workers together.
    pub fn phases_of(&self, state: &[Word]) -> Word {
        state.iter().take(self.workers).map(|word| word / self.places).sum()
    }
}

impl StateSpace for Workers {
    type Violation = ();
    type Scratch = Vec<Word>;

    fn scratch(&self) -> Vec<Word> {
        Vec::new()
    }

    fn fixed_words(&self) -> Option<usize> {
        Some(self.workers)
    }

    fn initial(&self) -> Result<Vec<Word>, ()> {
        Ok(vec![0; self.workers])
    }

    fn expand<V: Visit<()>>(&self, state: &[Word], next: &mut Vec<Word>, visit: &mut V) -> ControlFlow<()> {
        next.clear();
        next.extend_from_slice(state);
        let mut event = 0;
        for worker in 0..state.len() {
            let at = state[worker];
            let is_last = at % self.places == self.places - 1;
            next[worker] = if is_last { at + 1 - self.places } else { at + 1 };
            visit.successor(event, next)?;
            event += 1;
            if is_last && at + 1 < self.phases * self.places {
                next[worker] = at + 1;
                visit.successor(event, next)?;
                event += 1;
            }
            next[worker] = at;
        }
        ControlFlow::Continue(())
    }
}

/// A measure of [`Workers`]: columns by the phases, and layers by the places if wanted. Those fall when one goes round.
#[derive(Clone, Copy, Debug)]
pub struct WorkersMeasure {
    /// What is measured.
    pub workers: Workers,
    /// Whether there are layers.
    pub layers: bool,
}

impl Measure for WorkersMeasure {
    fn of(&self, state: &[Word]) -> Progress {
        let places = state.iter().map(|word| word % self.workers.places).sum::<Word>();
        let layer = if self.layers { u128::from(places) } else { 0 };
        Progress { column: u128::from(self.workers.phases_of(state)), layer }
    }
}

/// Properties of [`Workers`], as automata of what must not be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WorkersProperty {
    /// Nothing can be violated: the automaton has one rejecting part.
    Nothing,
    /// From some moment on nobody is ever at a last place, which cannot be: a weak part behind a rejecting one.
    Avoided,
    /// The sum of phases is even and odd again and again, which cannot be: a strong part.
    Alternating,
    /// The first worker is at its first place again and again, which can be: a strong part.
    Returning,
}

/// An automaton that watches [`Workers`].
#[derive(Clone, Copy, Debug)]
pub struct WorkersAutomaton {
    /// Who is watched.
    pub workers: Workers,
    /// What for.
    pub property: WorkersProperty,
}

impl Automaton<()> for WorkersAutomaton {
    type Scratch = ();

    fn initial(&self) -> Word {
        0
    }

    fn moves(&self, at: Word, system: &[Word], (): &mut (), moves: &mut Moves<()>) {
        let places = self.workers.places;
        match self.property {
            WorkersProperty::Nothing => moves.targets.push(0),
            WorkersProperty::Avoided => {
                let is_avoided = system.iter().all(|word| word % places != places - 1);
                moves.targets.extend((at == 0).then_some(0));
                moves.targets.extend(is_avoided.then_some(1));
            }
            WorkersProperty::Alternating => {
                // 0 waits for an even sum, 1 has seen it and accepts, 2 waits for an odd one.
                let is_even = self.workers.phases_of(system) % 2 == 0;
                moves.targets.push(match (at, is_even) {
                    (0, true) => 1,
                    (_, false) => 0,
                    (_, true) => 2,
                });
            }
            WorkersProperty::Returning => moves.targets.push(u32::from(system[0] % places == 0)),
        }
    }

    fn is_accepting(&self, at: Word, _: &[Word]) -> bool {
        self.property != WorkersProperty::Nothing && at == 1
    }

    fn part(&self, at: Word) -> Part {
        match self.property {
            WorkersProperty::Nothing => Part { rank: 0, strength: Strength::Rejecting },
            WorkersProperty::Avoided if at == 0 => Part { rank: 0, strength: Strength::Rejecting },
            WorkersProperty::Avoided => Part { rank: 1, strength: Strength::Weak },
            WorkersProperty::Alternating | WorkersProperty::Returning => Part { rank: 0, strength: Strength::Strong },
        }
    }

    fn cycle(&self) {}

    fn stutters(&self) -> bool {
        true
    }
}

/// A measure for a [`Graph`], given by the components of each node.
#[derive(Clone, Debug)]
pub struct GraphMeasure {
    /// For each component: whether it is claimed to be monotone, and its value in each node, below 2^16.
    pub components: Vec<(bool, Vec<u16>)>,
}

impl GraphMeasure {
    /// The progress of a node.
    pub fn of_node(&self, node: u32) -> Progress {
        let mut progress = Progress::default();
        for (monotone, values) in &self.components {
            let part = match monotone {
                true => &mut progress.column,
                false => &mut progress.layer,
            };
            *part = *part << 16 | u128::from(values[node as usize]);
        }
        progress
    }
}

impl Measure for GraphMeasure {
    fn of(&self, state: &[Word]) -> Progress {
        self.of_node(state[0])
    }

    fn demote(&mut self, from: &[Word], to: &[Word]) -> Vec<ComponentId> {
        let mut demoted = Vec::new();
        for (id, (monotone, values)) in (0..).zip(&mut self.components) {
            if *monotone && values[to[0] as usize] < values[from[0] as usize] {
                *monotone = false;
                demoted.push(ComponentId(id));
            }
        }
        demoted
    }
}
