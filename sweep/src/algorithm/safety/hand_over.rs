//! A search in memory that has no more of it hands over to the one on disk (`sweep_ext.rs`), which goes on where it stopped.
//!
//! It stops between two expansions, or between two of the events that expansions have reported; what it holds is written
//! layer by layer, that of most progress first, and freed. Nothing is decided anew: states keep their numbers, so the log
//! that traces are read from goes on too, and so do all counts.
//!
//! - States that wait at or ahead of the sweep-line wait in queues on disk, as *stored* ones: they are taken before candidates
//!   for the same layer, so none is counted twice. The events that were not handled are steps like all others.
//! - The present layer is handed over whole, so that what is expanded in it is known there: it is one partition on disk, which
//!   is loaded, and split if it is too large.
//! - Persistent states that wait behind the line are roots of the next sweep, as before.
//! - Every other state that is kept although it is expanded, and all persistent ones, become AP.
//!
//! Nothing is lost: AP has only states that have been expanded, or will be as they wait here; everything else that was deleted
//! or forgotten can be met again, and is then a candidate. Nothing goes on for ever, by what `sweep_ext.rs` says of AP.
//! Where each state is expanded once in memory, it is here too: what is expanded ahead of the line was a root once, and
//! then `distinct` is not known anyway.
//! What a reduction leaves out stays right. It leaves steps out where one successor is expanded later. In memory, that is one
//! which is not stored, or waits: not stored, it is among the events and becomes a candidate or, behind the line, a root, for it
//! cannot be in AP without waiting; waiting, it waits on. On disk, one with more progress is expanded later whatever is known of it,
//! one in the layer if it is not expanded there, and one with less progress is never relied on. Expansions are ordered, not
//! states, so it does not matter that some of them were made in memory.
//!
//! Of a breadth-first search, all states are one layer.

use statespace::{StateSpace, Word};

use super::bfs;
use super::sweep_ext::{Search, sorter};
use super::sweep_line::{Handled, Stopped, Sweep};
use crate::SearchOptions;
use crate::cardinality::CardinalityEstimate;
use crate::control::{Control, End};
use crate::external::Workspace;
use crate::external::layer::Layer;
use crate::external::record::{Origin, Record};
use crate::external::sorter::Sorter;
use crate::measure::{Columns, Measure, NoMeasure, Progress};
use crate::observer::{Observer, Step};
use crate::store::bfs_store::BfsStore;
use crate::store::events::{Events, Kind};
use crate::store::hash;
use crate::store::layer::{ProgressLayer, Tag};

/// Goes on with a sweep.
pub(super) fn sweep<S, M, O>(
    sweep: Sweep<'_, S, M>,
    stopped: Stopped,
    options: &SearchOptions,
    control: &mut Control<'_, S::Violation, O>,
) -> Result<(), End>
where
    S: StateSpace<Violation: PartialEq>,
    M: Measure,
    O: Observer,
{
    let Sweep { space, measure, columns, mut layers, events, predecessors, distinct, handled, .. } = sweep;
    let Stopped { at, layer: present } = stopped;
    let handled = handled.unwrap_or_default();
    let workspace = Workspace::after_memory(options.external, space.fixed_words(), control.meter());
    let layer = Layer::new(&workspace, predecessors, distinct);
    let mut persistent = sorter(&workspace);
    let mut search = Search::new(space, (&*measure, columns), workspace, layer);
    search.handed_over_after = Some(control.stats.states);
    let hand_over = || {
        layers.hand_over_above(None, |progress, layer| {
            control.deleted(u64::from(layer.len()));
            put_layer(&mut search, (at, progress), layer, &mut persistent)
        })?;
        drop(layers);
        search.reached.layer.begin_on_disk(at, control);
        let origin = |id| (present.tag(id), present.get(id));
        handle(&mut search, at, (&events, handled), origin, control)?;
        drop(events);
        control.deleted(u64::from(present.len()));
        put_layer(&mut search, (at, at), &present, &mut persistent)?;
        drop(present);
        search.go_on(at, persistent, control)
    };
    let end = hand_over();
    search.finish(end, control)
}

/// Goes on with a breadth-first search.
pub(super) fn breadth_first<R, S, O>(
    search: bfs::Search<R, S>,
    space: &S,
    options: &SearchOptions,
    control: &mut Control<'_, S::Violation, O>,
) -> Result<(), End>
where
    R: BfsStore,
    S: StateSpace<Violation: PartialEq>,
    O: Observer,
{
    let bfs::Search { reached, events, predecessors, level, storing, .. } = search;
    let handled = Handled { events: storing.handled, is_counted: storing.is_counted };
    let meter = &control.meter().clone();
    let workspace = Workspace::after_memory(options.external, space.fixed_words(), meter);
    let layer = Layer::new(&workspace, predecessors, CardinalityEstimate::new(meter));
    let persistent = sorter(&workspace);
    let mut search = Search::new(space, (&NoMeasure, Columns::NONE), workspace, layer);
    search.handed_over_after = Some(control.stats.states);
    let progress = Progress::default();
    let hand_over = || {
        search.reached.layer.begin_on_disk(progress, control);
        let origin = |place| (Tag::new(R::number(place), level.depth), reached.get(place));
        handle(&mut search, progress, (&events, handled), origin, control)?;
        drop(events);
        control.deleted(reached.len());
        reached.hand_over(space, meter, &mut |number, state| {
            let depth = level.depth + u64::from(number.is_some_and(|number| number >= level.end));
            let origin = Origin { parent: number.unwrap_or(0), event: 0, depth };
            Ok(search.reached.layer.put(Record { progress, origin, state }, number.is_some())?)
        })?;
        search.go_on(progress, persistent, control)
    };
    let end = hand_over();
    search.finish(end, control)
}

/// Writes the states of the layer at `progress`; the one at `at` was being expanded.
fn put_layer<S: StateSpace<Violation: PartialEq>, M: Measure>(
    search: &mut Search<'_, S, M>,
    (at, progress): (Progress, Progress),
    layer: &ProgressLayer,
    persistent: &mut Sorter,
) -> Result<(), End> {
    for id in layer.ids() {
        let (tag, waits) = (layer.tag(id), layer.waits(id));
        let origin = Origin { parent: tag.number(), event: 0, depth: tag.depth() };
        let record = Record { progress, origin, state: layer.get(id) };
        let is_behind = progress < at;
        if progress == at {
            search.reached.layer.put(record, waits)?;
        } else if waits && is_behind {
            search.reached.regress(at, progress);
            search.roots.push(record)?;
        } else if waits {
            search.reached.wait(at, record)?;
        }
        if layer.is_persistent(id) || is_behind || !waits && progress > at {
            persistent.insert(hash(record.state), record)?;
        }
    }
    Ok(())
}

/// Handles the events that have not been. `origin` is the tag of a state of the layer at `at`, and the state.
fn handle<'s, S, M, P, O>(
    search: &mut Search<'_, S, M>,
    at: Progress,
    (events, handled): (&Events<S::Violation, P>, Handled),
    origin: impl Fn(P) -> (Tag, &'s [Word]),
    control: &mut Control<'_, S::Violation, O>,
) -> Result<(), End>
where
    S: StateSpace<Violation: PartialEq>,
    M: Measure,
    P: Copy,
    O: Observer,
{
    for (nth, event) in events.iter().skip(handled.events).enumerate() {
        let (tag, from) = origin(event.origin);
        match event.kind {
            Kind::Violation(violation) => {
                let predecessors = &mut search.reached.layer.predecessors;
                control.violated(violation, || predecessors.path(tag.number(), event.number))?;
            }
            Kind::Successor(_, state) if nth == 0 && handled.is_counted => {
                let edges = control.stats.sweep.edges;
                search.reached.step((at, tag), event.number, (hash(state), state), control)?;
                control.stats.sweep.edges = edges;
            }
            Kind::Successor(_, state) => {
                control.step();
                control.took(|| Step { from, event: event.number, to: state });
                search.reached.step((at, tag), event.number, (hash(state), state), control)?;
            }
        }
    }
    Ok(())
}
