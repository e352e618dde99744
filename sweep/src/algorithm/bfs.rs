//! Breadth-first search: states are expanded in the order in which they were stored, so the arena is the queue.
//!
//! Invariant: states before `next` are expanded; those from `next` to `level_end` have depth `depth`, those after it
//! depth + 1. A path in the predecessor log is therefore a shortest one.
//! Successors of several states are collected and then inserted together, in order, so that the cache misses of their
//! lookups overlap.

use interp::space::{StateSpace, Word};

use crate::control::{Control, End};
use crate::events::{Events, Kind};
use crate::observer::{Observer, Step};
use crate::parents::Parents;
use crate::store::{Inserted, Layer, StateId, hash};

/// Insert as soon as so many successors wait.
const BATCH: usize = 32;

/// Explores everything that can be reached from `initial`.
pub(crate) fn search<S, O>(
    space: &S,
    initial: &[Word],
    parents: Parents,
    control: &mut Control<'_, S::Violation, O>,
) -> Result<(), End>
where
    S: StateSpace<Violation: PartialEq>,
    O: Observer,
{
    let mut reached = Reached { layer: Layer::new(space.fixed_words()), events: Events::new(), parents };
    let end = reached.explore(space, initial, control);
    control.allocated(reached.bytes() + space.bytes());
    control.ended(&mut reached.parents);
    end
}

/// What the search knows, and what it is about to know.
struct Reached<V> {
    layer: Layer,
    /// Events of states that are expanded but not yet looked at, each with its state.
    events: Events<V, StateId>,
    parents: Parents,
}

impl<V: Copy + PartialEq> Reached<V> {
    fn explore<S: StateSpace<Violation = V>, O: Observer>(
        &mut self,
        space: &S,
        initial: &[Word],
        control: &mut Control<'_, V, O>,
    ) -> Result<(), End> {
        let mut scratch = space.scratch();
        control.step();
        control.store(&mut self.layer, (hash(initial), initial), 0, || 0)?;
        self.parents.append(0, 0);

        let mut next = 0;
        let mut depth = 0;
        while next < self.layer.len() {
            let level_end = self.layer.len();
            while next < level_end {
                let id = StateId(next);
                let state = self.layer.get(id);
                control.keeping(space.kept())?;
                control.expanding(state, u64::from(self.layer.len() - next))?;
                if !self.events.expand(space, state, &mut scratch, id) {
                    control.dead(state, u64::from(next));
                }
                next += 1;
                if self.events.len() >= BATCH || next == level_end {
                    self.insert_events(depth + 1, space.bytes(), control)?;
                }
            }
            depth += 1;
        }
        Ok(())
    }

    /// Handles the collected events in their order; new states have this depth. `beside`: bytes that are not ours.
    fn insert_events<O: Observer>(
        &mut self,
        depth: u64,
        beside: usize,
        control: &mut Control<'_, V, O>,
    ) -> Result<(), End> {
        control.allocating(self.bytes() + beside + self.parents.growth(self.events.len()))?;
        self.parents.reserve(self.events.len());
        self.events.prefetch(&self.layer);
        for event in self.events.iter() {
            let parent = u64::from(event.origin.0);
            match event.kind {
                Kind::Violation(violation) => {
                    control.violated(violation, || self.parents.path(parent, event.number))?;
                }
                Kind::Successor(hash, state) => {
                    control.step();
                    control.took(|| Step { from: self.layer.get(event.origin), event: event.number, to: state });
                    let others = || self.events.bytes() + self.parents.bytes() + beside;
                    let inserted = control.store(&mut self.layer, (hash, state), depth, others)?;
                    if let Inserted::New(_) = inserted {
                        self.parents.append(parent, event.number);
                    }
                }
            }
        }
        self.events.clear();
        Ok(())
    }

    fn bytes(&self) -> usize {
        self.layer.bytes() + self.events.bytes() + self.parents.bytes()
    }
}
