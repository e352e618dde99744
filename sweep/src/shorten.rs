//! Makes the path to a violation shorter, with a bounded effort.
//!
//! Random and depth-first searches find long paths. If a breadth-first search from the initial state finds a violation within
//! its share of the effort, that one's path is taken: no path is shorter. Else shortcuts are looked for, from each state of
//! the path in turn: a small breadth-first search around it may meet a later state of the path, or a violation. Whatever
//! comes out is a path of the space that ends with a violation.

use std::ops::ControlFlow;

use statespace::{StateSpace, Visit, Word};

use crate::algorithm::cycles::lasso::Walker;
use crate::meter::{Buffers, Meter};
use crate::outcome::Found;
use crate::store::{Inserted, StateId, StateTable};
use crate::{Algorithm, Limits, SearchOptions, check};

/// Most states around one state of the path that are expanded, and the least that are worth it.
const AROUND: u64 = 500;
const LEAST: u64 = 2;

/// The violation, or another one, with a path that is no longer. `effort` is about how many states are expanded.
pub fn shorten<S>(space: &S, found: Found<S::Violation>, effort: u64, meter: &Meter) -> Found<S::Violation>
where
    S: StateSpace<Violation: PartialEq>,
{
    let Ok(events) = &found.trace else { return found };
    let length = events.len();
    let limits = Limits { max_states: Some(effort / 2), ..Limits::default() };
    let options = SearchOptions { algorithm: Algorithm::Bfs, limits, ..SearchOptions::default() };
    let nearest = check(space, &options, &mut (), meter).violations.into_iter().next();
    if let Some(nearest) = nearest.filter(|nearest| nearest.trace.as_ref().is_ok_and(|trace| trace.len() <= length)) {
        return nearest;
    }
    let mut found = found;
    let mut left = effort / 2;
    while left > 0 {
        let Some(shorter) = Shortcuts::new(space, &found, &mut left, meter).and_then(Shortcuts::take_all) else {
            break;
        };
        found = shorter;
    }
    found
}

/// A path and the states on it.
struct Shortcuts<'a, S: StateSpace> {
    space: &'a S,
    scratch: S::Scratch,
    meter: &'a Meter,
    violation: S::Violation,
    /// The events of the path; the last is the violation.
    events: &'a [u32],
    /// The state before each event, which has the same number.
    path: StateTable,
    /// What was met around one state: the states, and the number of the state and the event that each was reached by.
    around: StateTable,
    reached_by: Vec<(u32, u32)>,
    /// How many may be expanded around each state.
    each: u64,
    left: &'a mut u64,
}

/// A path from one state to a later one or to a violation.
struct Shortcut<V> {
    events: Vec<u32>,
    end: Result<usize, V>,
}

impl<'a, S: StateSpace<Violation: PartialEq>> Shortcuts<'a, S> {
    /// `None` if the path is too long, or cannot be followed.
    fn new(space: &'a S, found: &'a Found<S::Violation>, left: &'a mut u64, meter: &'a Meter) -> Option<Self> {
        let events = found.trace.as_deref().ok()?;
        let each = (*left / events.len().max(1) as u64).min(AROUND);
        if each < LEAST {
            return None;
        }
        let mut path = StateTable::new(space.fixed_words());
        let mut walker = Walker::initial(space, meter).ok()?;
        for &event in events.split_last()?.1 {
            // A path that meets a state twice is none of a search.
            let Inserted::New(_) = path.insert(walker.state()) else { return None };
            walker.take_all(&[event]).ok()?;
        }
        path.insert(walker.state());
        let (around, reached_by) = (StateTable::new(space.fixed_words()), Vec::new());
        let (scratch, violation) = (space.scratch(), found.violation);
        Some(Shortcuts { space, scratch, meter, violation, events, path, around, reached_by, each, left })
    }

    /// The path with all shortcuts taken; `None` if there is none.
    fn take_all(mut self) -> Option<Found<S::Violation>> {
        let last = self.events.len() - 1;
        let (mut at, mut events) = (0, Vec::new());
        let mut violation = self.violation;
        while at < last {
            match self.shortcut(at) {
                Some(Shortcut { events: short, end: Ok(later) }) => {
                    events.extend(short);
                    at = later;
                }
                Some(Shortcut { events: short, end: Err(other) }) => {
                    events.extend(short);
                    violation = other;
                    break;
                }
                None => {
                    events.push(self.events[at]);
                    at += 1;
                }
            }
        }
        if at == last {
            events.push(self.events[last]);
        }
        (events.len() < self.events.len()).then_some(Found { violation, trace: Ok(events), cycle_start: None })
    }

    /// The shortcut from a state of the path that saves most, if there is one around it.
    fn shortcut(&mut self, at: usize) -> Option<Shortcut<S::Violation>> {
        self.around.clear();
        self.reached_by.clear();
        self.around.insert(self.path.get(StateId(at as u32)));
        self.reached_by.push((0, 0));
        let mut best: Option<Shortcut<S::Violation>> = None;
        let mut saves = 0;
        let mut next = 0;
        while u64::from(next) < self.each && next < self.around.len() && *self.left > 0 {
            *self.left -= 1;
            let state = self.around.get(StateId(next)).to_vec();
            let mut fan = Fan {
                from: next,
                around: &mut self.around,
                reached_by: &mut self.reached_by,
                violation: None,
                buffers: Buffers::new(self.meter),
            };
            let _ = self.space.expand(&state, &mut self.scratch, &mut fan);
            let Fan { violation, buffers, .. } = fan;
            buffers.end().ok()?;
            let path = self.way(next);
            if let Some((event, violation)) = violation {
                let events = [&path[..], &[event]].concat();
                let is_shorter = events.len() < self.events.len() - at && self.events.len() - at - events.len() > saves;
                return if is_shorter { Some(Shortcut { events, end: Err(violation) }) } else { best };
            }
            let later = self.path.find(crate::store::hash(&state), &state).map(|id| id.0 as usize);
            if let Some(later) = later.filter(|&later| later > at + path.len() + saves) {
                saves = later - at - path.len();
                best = Some(Shortcut { events: path, end: Ok(later) });
            }
            next += 1;
        }
        best
    }

    /// The events that lead to a state around another one.
    fn way(&self, mut number: u32) -> Vec<u32> {
        let mut events = Vec::new();
        while number != 0 {
            let (before, event) = self.reached_by[number as usize];
            events.push(event);
            number = before;
        }
        events.reverse();
        events
    }
}

/// Adds the successors of a state to those around another one.
struct Fan<'a, V> {
    from: u32,
    around: &'a mut StateTable,
    reached_by: &'a mut Vec<(u32, u32)>,
    /// The first violation.
    violation: Option<(u32, V)>,
    buffers: Buffers<'a>,
}

impl<V> Visit<V> for Fan<'_, V> {
    fn successor(&mut self, event: u32, next: &[Word]) -> ControlFlow<()> {
        if let Inserted::New(_) = self.around.insert(next) {
            self.reached_by.push((self.from, event));
        }
        ControlFlow::Continue(())
    }

    fn violation(&mut self, event: u32, violation: V) -> ControlFlow<()> {
        self.violation = Some((event, violation));
        ControlFlow::Break(())
    }

    fn working(&mut self, bytes: usize) -> ControlFlow<()> {
        self.buffers.hold(bytes)
    }

    fn suffices(&mut self) -> bool {
        false
    }

    fn left_out(&mut self, _: u32) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
