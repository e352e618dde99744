//! Depth-first search: a state is entered when it is first met from the deepest state that is still open.
//!
//! A state is expanded once, when it is entered. Those of its events that may still matter (a violation, or a successor
//! that is not stored yet) are put on the stack, the first on top, and each is taken off when its turn comes; a successor
//! that was stored meanwhile, by an earlier one, is then dropped. So violations too are met in depth-first order.
//! Invariant: `path` lists the open states from the initial one to the current; `path[i].waiting` of the entries on the
//! stack belong to the i-th of them. The path itself is the trace: no predecessors are recorded.

use interp::space::{StateSpace, Word};

use crate::control::{Control, End};
use crate::events::{Event, Events, Kind, growth};
use crate::observer::Observer;
use crate::store::{Inserted, Layer, StateId, hash};

/// An open state.
#[derive(Clone, Copy)]
struct Open {
    /// The event by which it was entered.
    event: u32,
    /// How many of its events are on the stack.
    waiting: u32,
}

/// Explores everything that can be reached from `initial`.
pub(crate) fn search<S, O>(
    space: &S,
    initial: &[Word],
    control: &mut Control<'_, S::Violation, O>,
) -> Result<(), End>
where
    S: StateSpace<Violation: PartialEq>,
    O: Observer,
{
    let mut search = Search {
        layer: Layer::new(space.fixed_words()),
        path: Vec::new(),
        stack: Events::new(),
        events: Events::new(),
    };
    let end = search.explore(space, initial, control);
    control.allocated(search.bytes());
    end
}

struct Search<V> {
    layer: Layer,
    path: Vec<Open>,
    stack: Events<V>,
    /// The events of the state that is being entered.
    events: Events<V>,
}

/// A state that was stored just now, and the event that led to it.
type Entered = Option<(u32, StateId)>;

impl<V: Copy + PartialEq> Search<V> {
    fn explore<S: StateSpace<Violation = V>, O: Observer>(
        &mut self,
        space: &S,
        initial: &[Word],
        control: &mut Control<'_, V, O>,
    ) -> Result<(), End> {
        let mut scratch = space.scratch();
        control.step();
        control.store(&mut self.layer, (hash(initial), initial), 0, || 0)?;
        let mut entered = Some((0, StateId(0)));
        while let Some((event, id)) = entered {
            let state = self.layer.get(id);
            control.expanding(state, self.stack.len() as u64)?;
            self.events.expand(space, state, &mut scratch, ());
            self.open(event, control)?;
            entered = self.advance(control)?;
        }
        Ok(())
    }

    /// Puts a state on the path and what is worth knowing of its events on the stack.
    fn open<O: Observer>(
        &mut self,
        event: u32,
        control: &mut Control<'_, V, O>,
    ) -> Result<(), End> {
        let growth = growth(&self.path, 1) + self.stack.growth(&self.events);
        if growth > 0 {
            control.allocating(self.bytes() + growth)?;
        }
        self.events.prefetch(&self.layer);
        let mut waiting = 0;
        self.events.drain_back(|event| {
            if let Kind::Successor(hash, state) = event.kind {
                control.step();
                if self.layer.find(hash, state).is_some() {
                    return;
                }
            }
            self.stack.push(event);
            waiting += 1;
        });
        self.path.push(Open { event, waiting });
        Ok(())
    }

    /// Takes events off the stack until one leads to a new state.
    fn advance<O: Observer>(&mut self, control: &mut Control<'_, V, O>) -> Result<Entered, End> {
        while let Some(top) = self.path.last_mut() {
            if top.waiting == 0 {
                self.path.pop();
                continue;
            }
            top.waiting -= 1;
            let Search {
                layer,
                path,
                stack,
                events,
            } = self;
            let others = stack.bytes() + events.bytes() + bytes(path);
            let depth = path.len() as u64;
            let entered = stack.pop(|event: Event<'_, V>| match event.kind {
                Kind::Violation(violation) => {
                    control.violated(violation, || Ok(trace(path, event.number)))?;
                    Ok(None)
                }
                Kind::Successor(hash, state) => {
                    let inserted = control.store(layer, (hash, state), depth, || others)?;
                    Ok(match inserted {
                        Inserted::New(id) => Some((event.number, id)),
                        Inserted::Known(_) => None,
                    })
                }
            });
            if let Some(entered) = entered.transpose()?.flatten() {
                return Ok(Some(entered));
            }
        }
        Ok(None)
    }

    fn bytes(&self) -> usize {
        self.layer.bytes() + self.stack.bytes() + self.events.bytes() + bytes(&self.path)
    }
}

/// The events along the path, and `last` after them.
fn trace(path: &[Open], last: u32) -> Vec<u32> {
    let entered = path.iter().skip(1).map(|open| open.event);
    entered.chain([last]).collect()
}

fn bytes(path: &Vec<Open>) -> usize {
    path.capacity() * size_of::<Open>()
}
