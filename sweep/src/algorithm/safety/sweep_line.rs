//! Sweep-line search of one column: visit states by increasing progress and delete those left behind.
//!
//! Invariant: a deleted state can be met again only over a regress edge; the state where such an edge ends is
//! kept as long as its column (*persistent*) and is a root of the next sweep. The persistent states only grow, so the
//! sweeps end; at most (|B| + 1) times the states of the column are expanded, B being where regress edges end.
//! A strict sweep stops at the first regress edge instead, and reports it.
//!
//! Christensen, Kristensen, Mailund, "A Sweep-Line Method for State Space Exploration", TACAS 2001 (strict); Kristensen,
//! Mailund, "A Generalised Sweep-Line Method for Safety Properties", FME 2002. Their progress mapping is `measure`.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use statespace::{StateSpace, Word};

use super::later_columns::LaterColumns;
use crate::SearchOptions;
use crate::algorithm::cycles::detector::{Context, CycleDetector, Link, When};
use crate::cardinality::CardinalityEstimate;
use crate::control::{Control, End, Revisits, StopReason};
use crate::external::ExternalOptions;
use crate::measure::{Columns, Measure, Progress};
use crate::meter::Meter;
use crate::observer::{Observer, Step};
use crate::outcome::Rejected;
use crate::store::events::{Events, Kind};
use crate::store::layer::{Candidate, ProgressLayer, Tag};
use crate::store::layers::{Layers, Target};
use crate::store::metered::MeteredVec;
use crate::store::predecessor_log::PredecessorLog;
use crate::store::{StateId, hash};

/// Insert as soon as this many successors wait.
const BATCH: usize = 32;

/// This many per cent of the states may be stored twice in any case: the number of states is an estimate.
const ALWAYS: u32 = 10;

/// Memory is short when only one part in so many is left: for the buffers of a search on disk,
pub(super) const FOR_BUFFERS: usize = 8;
/// or for the present column, if what waits in later ones can go to disk.
const FOR_COLUMN: usize = 3;

/// What a sweep does with what the measure says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Rules {
    /// The columns of the measure are used; otherwise all states are in one column.
    pub(crate) columns: bool,
    /// A regress edge ends the search.
    pub(crate) strict: bool,
}

/// A sweep at work.
pub(crate) struct Sweep<'a, S: StateSpace, M, W = ()> {
    pub(super) space: &'a S,
    pub(super) measure: &'a mut M,
    /// The columns in use.
    pub(super) columns: Columns,
    /// A regress edge ends the search.
    is_strict: bool,
    pub(crate) layers: Layers,
    reexpansion_limit: Option<u32>,
    pub(super) distinct: CardinalityEstimate,
    /// Events of states of the present layer that are expanded but not yet looked at.
    pub(super) events: Events<S::Violation, StateId>,
    /// Where their successors go, from the first on.
    targets: MeteredVec<Target>,
    pub(crate) predecessors: PredecessorLog,
    scratch: S::Scratch,
    detector: W,
    /// Does the detector want to know the steps of the present layer?
    is_watched: bool,
    /// Is this the first sweep of its column?
    is_first: bool,
    collects_late: bool,
    /// When so many states are stored, or memory ends, a search on disk takes over; or, if there is a detector, what waits in
    /// later columns goes to disk. `None`: never.
    hand_over_after: Option<u64>,
    external: ExternalOptions,
    /// What waits in later columns, when that is on disk.
    pub(super) later: Option<LaterColumns>,
    /// What is left of the events that are being handled, if memory has ended just now.
    pending: Option<Pending>,
    /// Where the sweep was when memory ended.
    pub(super) stopped: Option<Stopped>,
}

/// A place in a sweep from which it can go on.
pub(super) struct Stopped {
    /// The layer that was being expanded, and its progress.
    pub(super) at: Progress,
    pub(super) layer: ProgressLayer,
    pub(super) pending: Pending,
}

/// Of the events that were collected, those that have not been handled.
#[derive(Clone, Copy)]
pub(crate) struct Pending {
    /// The last so many.
    pub(crate) events: usize,
    /// The step of the first of them has been counted.
    pub(crate) is_counted: bool,
}

/// A step to an earlier column, which the measure says there is not.
struct Regression {
    from: Vec<Word>,
    to: Vec<Word>,
}

impl<'a, S: StateSpace<Violation: PartialEq>, M: Measure, W: CycleDetector<S::Violation>> Sweep<'a, S, M, W> {
    pub(crate) fn new(
        space: &'a S,
        measure: &'a mut M,
        rules: Rules,
        options: &SearchOptions,
        detector: W,
        meter: &Meter,
    ) -> Self {
        Sweep {
            space,
            columns: if rules.columns { Columns::of(measure) } else { Columns::NONE },
            measure,
            is_strict: rules.strict,
            layers: Layers::new(space.fixed_words(), options.collect_every, options.reexpansion_limit.is_some(), meter),
            reexpansion_limit: options.reexpansion_limit,
            distinct: CardinalityEstimate::new(meter),
            events: Events::new(meter),
            targets: MeteredVec::new(meter),
            predecessors: PredecessorLog::enabled(options.traces || options.witnesses, meter),
            scratch: space.scratch(),
            detector,
            is_watched: false,
            is_first: true,
            collects_late: options.collect_every > 1,
            hand_over_after: options.hand_over_after.filter(|_| rules.columns && !rules.strict),
            external: options.external,
            later: None,
            pending: None,
            stopped: None,
        }
    }

    /// Stores the initial state.
    pub(crate) fn start<O: Observer>(
        &mut self,
        initial: &[Word],
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<(), End> {
        control.step();
        let at = self.measure.of(initial);
        let mut layer = self.layers.take(at);
        let new = Candidate { hash: hash(initial), state: initial, depth: 0 };
        let target = self.layers.target(at, at);
        self.layers.store(&mut layer, target, new, control)?;
        self.predecessors.append(0, 0);
        self.distinct.add(hash(initial));
        self.layers.put(at, layer);
        Ok(())
    }

    /// Sweeps the column of `first` until nothing waits in it, and deletes it. `Break`: the measure has changed.
    pub(crate) fn column<O: Observer>(
        &mut self,
        first: Progress,
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<ControlFlow<()>, End> {
        control.stats.sweep.columns += 1;
        self.is_first = true;
        self.load_column(first, control)?;
        if W::IS_ACTIVE {
            self.detector.begin(control.stats.states, self.layers.waiting_in(self.columns.range(first)));
        }
        while let Some(root) = self.layers.first().filter(|&root| self.columns.same(root, first)) {
            if self.sweep(root, control)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            self.is_first = false;
            self.look(When::Sweep, None, control)?;
        }
        self.look(When::Last, None, control)?;
        self.layers.drop_until(*self.columns.range(first).end(), control);
        Ok(ControlFlow::Continue(()))
    }

    /// Lets the detector look.
    fn look<O: Observer>(
        &mut self,
        when: When,
        layer: Option<&ProgressLayer>,
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<(), End> {
        if !W::IS_ACTIVE {
            return Ok(());
        }
        let measure = &*self.measure;
        let (layers, predecessors, columns) = (&self.layers, &mut self.predecessors, self.columns);
        let context = Context { layers, predecessors, measure, columns };
        self.detector.look(when, layer, context, control)
    }

    /// About how many different states were stored.
    pub(crate) fn estimate(&mut self) -> u64 {
        self.distinct.estimate()
    }

    /// Are too many states expanded again, for the memory it saves, to go on deleting?
    fn exceeds_reexpansion_limit<O: Observer>(&mut self, control: &Control<'_, S::Violation, O>) -> bool {
        let once = self.distinct.estimate();
        let again = control.stats.states.saturating_sub(once);
        let saved = once.saturating_sub(control.stats.peak_states);
        self.reexpansion_limit
            .is_some_and(|per_cent| again * 100 > once * u64::from(ALWAYS) + saved * u64::from(per_cent))
    }

    /// Sweeps the column of `start` once, from there on. `Break`: the measure has changed.
    pub(crate) fn sweep<O: Observer>(
        &mut self,
        start: Progress,
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<ControlFlow<()>, End> {
        control.stats.sweep.sweeps += 1;
        let mut next = Some(start);
        while let Some(at) = next.filter(|&at| self.columns.same(at, start)) {
            control.stats.sweep.layers += 1;
            let mut layer = self.layers.take(at);
            let deletes = self.is_first && !self.layers.keeps_all && !self.collects_late;
            self.is_watched = W::IS_ACTIVE && self.detector.enter(&layer, deletes);
            let expanded = self.expand(at, &mut layer, control);
            if let (Err(End::Stopped(StopReason::Memory)), Some(pending)) = (&expanded, self.pending) {
                self.stopped = Some(Stopped { at, layer, pending });
                return Err(End::Stopped(StopReason::Memory));
            }
            match expanded? {
                None => {
                    self.look(When::Layer, Some(&layer), control)?;
                    self.layers.pass(at, layer, control);
                }
                Some(regression) => {
                    self.look(When::Last, Some(&layer), control)?;
                    self.demote(&regression, at, layer, control)?;
                    return Ok(ControlFlow::Break(()));
                }
            }
            if self.exceeds_reexpansion_limit(control) {
                self.layers.keeps_all = true;
            }
            next = self.layers.after(at);
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Expands the states of a layer until none of them waits, or an edge leads to an earlier column.
    fn expand<O: Observer>(
        &mut self,
        at: Progress,
        layer: &mut ProgressLayer,
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<Option<Regression>, End> {
        while layer.has_waiting() {
            if !W::IS_ACTIVE && control.is_short(self.hand_over_after, FOR_BUFFERS) {
                self.pending = Some(Pending { events: self.events.len(), is_counted: false });
                return Err(End::Stopped(StopReason::Memory));
            }
            if W::IS_ACTIVE && self.later.is_none() && control.is_short(self.hand_over_after, FOR_COLUMN) {
                self.put_off_later_columns(at, self.external, control)?;
            }
            let Some(id) = self.layers.pop(layer) else { break };
            let state = layer.get(id);
            control.check_space(self.space)?;
            let later = self.later.as_ref().map_or(0, LaterColumns::len);
            control.expanding(state, self.layers.waiting() + later + 1)?;
            let (layers, measure) = (&self.layers, &*self.measure);
            // For cycles it is not enough that one successor comes later.
            let is_done =
                |hash, next: &[Word]| W::IS_ACTIVE || layers.is_done((at, &*layer), measure.of(next), (hash, next));
            let expanded = self.events.expand((self.space, state), &mut self.scratch, id, &is_done, control);
            if expanded.is_err() {
                for (violation, event, id) in self.events.violations() {
                    control.violated(violation, || self.predecessors.path(layer.tag(id).number(), event))?;
                }
            }
            if !expanded? {
                control.dead(state, layer.tag(id).number());
            }
            if self.events.len() >= BATCH || !layer.has_waiting() {
                let regression = self.insert_events(at, layer, control)?;
                if regression.is_some() {
                    return Ok(regression);
                }
                if self.is_watched && self.detector.is_due() {
                    self.look(When::Now, Some(layer), control)?;
                }
            }
        }
        Ok(None)
    }

    /// Finds out where the successors among the events go, and prefetches their buckets.
    // Not inlined, nor is the loop that handles the events: it is as fast, and a profile tells the two apart.
    #[inline(never)]
    fn aim(&mut self, at: Progress, layer: &ProgressLayer) {
        let Sweep { measure, layers, events, targets, columns, later, .. } = self;
        let enough = targets.len().max(events.len());
        targets.resize(enough, Target::HERE);
        for (target, (hash, state)) in targets.iter_mut().zip(successors(events)) {
            let progress = measure.of(state);
            *target = match later {
                Some(_) if progress > at && !columns.same(at, progress) => Target::ON_DISK,
                _ => layers.target(at, progress),
            };
            layers.prefetch(layer, *target, hash);
        }
    }

    /// Handles the collected events in their order. A regression is handed on when all are handled.
    #[inline(never)]
    fn insert_events<O: Observer>(
        &mut self,
        at: Progress,
        layer: &mut ProgressLayer,
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<Option<Regression>, End> {
        self.pending = self.hand_over_after.map(|_| Pending { events: self.events.len(), is_counted: false });
        control.allow(self.layers.growth(self.events.len()))?;
        self.targets.room_for(self.events.len().saturating_sub(self.targets.len()), control)?;
        self.predecessors.room_for(self.events.len(), control)?;
        self.aim(at, layer);
        let Sweep {
            measure,
            later,
            columns,
            is_strict,
            layers,
            events,
            targets,
            predecessors,
            distinct,
            detector,
            is_watched,
            pending,
            ..
        } = self;
        let is_watched = W::IS_ACTIVE && *is_watched;
        if is_watched {
            detector.reserve(layer, events.len(), control)?;
        }
        let mut targets = targets.iter();
        let mut regression = None;
        for (nth, event) in events.iter().enumerate() {
            let (hash, state) = match event.kind {
                Kind::Violation(violation) => {
                    control
                        .violated(violation, || predecessors.path(layer.tag(event.origin).number(), event.number))?;
                    continue;
                }
                Kind::Successor(hash, state) => (hash, state),
            };
            control.step();
            control.took(|| Step { from: layer.get(event.origin), event: event.number, to: state });
            let Some(&target) = targets.next() else { break };
            let edges = &mut control.stats.sweep.edges;
            match target.direction {
                Ordering::Greater => {
                    edges.forward += 1;
                    if let Some(later) = later
                        && target.is_on_disk()
                    {
                        let by = (layer.tag(event.origin), event.number);
                        later.insert(measure.of(state), by, (hash, state))?;
                        continue;
                    }
                }
                Ordering::Equal => edges.stationary += 1,
                Ordering::Less => {
                    edges.regress += 1;
                    if *is_strict {
                        control.rejected = Some(Rejected {
                            from: layer.get(event.origin).to_vec(),
                            to: state.to_vec(),
                            trace: predecessors.path(layer.tag(event.origin).number(), event.number),
                        });
                        return Err(End::Stopped(StopReason::Rejected));
                    }
                    if !columns.same(at, layers.progress(at, target)) {
                        regression.get_or_insert_with(|| Regression {
                            from: layer.get(event.origin).to_vec(),
                            to: state.to_vec(),
                        });
                    }
                }
            }
            let stored = match layers.find(layer, target, (hash, state)) {
                Some(stored) => stored,
                None => {
                    let parent: Tag = layer.tag(event.origin);
                    let new = Candidate { hash, state, depth: parent.depth() + 1 };
                    let stored = layers.store(layer, target, new, control).inspect_err(|_| {
                        let left = events.len() - nth;
                        *pending = pending.map(|_| Pending { events: left, is_counted: true });
                    })?;
                    predecessors.append(parent.number(), event.number);
                    distinct.add(hash);
                    stored
                }
            };
            if is_watched {
                let to = layers.progress(at, target);
                let stays = columns.same(at, to);
                let number = layers.tag(layer, target, stored).number();
                let link = Link { source: event.origin, target: stored, number, from: at, to, stays };
                detector.link(layer, &link);
            }
        }
        events.clear();
        *pending = None;
        Ok(regression)
    }

    /// Components that regressed make no columns any more.
    #[cold]
    fn demote<O: Observer>(
        &mut self,
        regression: &Regression,
        at: Progress,
        layer: ProgressLayer,
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<(), End> {
        control.revisits = Revisits::Possible;
        let demoted = self.measure.demote(&regression.from, &regression.to);
        self.columns = Columns::of(self.measure);
        let (from, to) = (self.measure.of(&regression.from), self.measure.of(&regression.to));
        if demoted.is_empty() || to < from && !self.columns.same(from, to) {
            self.columns = Columns::NONE;
        }
        control.demoted.extend(demoted);
        let measure = &*self.measure;
        // A detector has deleted the steps of the states that are expanded, so they must be expanded again.
        self.layers.rearrange((at, layer), !W::IS_ACTIVE, |state| measure.of(state), control);
        if let Some(later) = &mut self.later {
            later.rearrange(|state| measure.of(state))?;
        }
        Ok(())
    }
}

/// The successors among events, with their hashes.
fn successors<V: Copy, Origin: Copy>(events: &Events<V, Origin>) -> impl Iterator<Item = (u64, &[Word])> {
    events.iter().filter_map(|event| match event.kind {
        Kind::Successor(hash, state) => Some((hash, state)),
        Kind::Violation(_) => None,
    })
}
