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
use crate::checkpoint::{Reader, ResumeFault, Section};
use crate::control::{Control, End, Revisits, Stats, StopReason, SweepStats};
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
    /// How far the events have been handled, if that has begun.
    pub(super) handled: Option<Handled>,
    /// The first regression among them.
    regression: Option<Regression>,
    /// All regressions that have changed the measure, in order.
    regressions: Vec<Regression>,
    /// When so many states are stored, or memory ends, a search on disk takes over; or, if there is a detector, what waits in
    /// later columns goes to disk. `None`: never.
    hand_over_after: Option<u64>,
    external: ExternalOptions,
    /// What waits in later columns, when that is on disk.
    pub(super) later: Option<LaterColumns>,
    /// Where the sweep was when memory ended.
    pub(super) stopped: Option<Stopped>,
}

/// The layer that was being expanded when memory ended, and its progress.
pub(super) struct Stopped {
    pub(super) at: Progress,
    pub(super) layer: ProgressLayer,
}

/// How far the collected events have been handled.
#[derive(Clone, Copy, Default)]
pub(super) struct Handled {
    /// The first so many.
    pub(super) events: usize,
    /// The step of the next one has been counted.
    pub(super) is_counted: bool,
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
            handled: None,
            regression: None,
            regressions: Vec::new(),
            hand_over_after: options.hand_over_after.filter(|_| rules.columns && !rules.strict),
            external: options.external,
            later: None,
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

    /// Sweeps the column of `first`, from there on, until nothing waits in it, and deletes it. `Break`: the measure has
    /// changed.
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
        let mut next = Some(first);
        while let Some(root) = next.filter(|&root| self.columns.same(root, first)) {
            if self.sweep(root, control)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            self.is_first = false;
            self.look(When::Sweep, None, control)?;
            next = self.layers.first();
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
            if control.is_checkpoint_due(true) {
                self.save(at, &layer, control);
            }
            let expanded = self.expand(at, &mut layer, control);
            if let Err(end) = expanded {
                if control.is_last_checkpoint(end) {
                    self.save(at, &layer, control);
                }
                if end == End::Stopped(StopReason::Memory) && self.hand_over_after.is_some() && self.handled.is_some() {
                    self.stopped = Some(Stopped { at, layer });
                }
                return Err(end);
            }
            match expanded? {
                None => {
                    self.look(When::Layer, Some(&layer), control)?;
                    self.layers.pass(at, layer, control);
                }
                Some(regression) => {
                    self.look(When::Last, Some(&layer), control)?;
                    self.demote(regression, at, layer, control)?;
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
        // A search that goes on may have been stopped in the middle of this.
        if self.handled.is_some() {
            let regression = self.insert_events(at, layer, control)?;
            if regression.is_some() {
                return Ok(regression);
            }
        }
        while layer.has_waiting() {
            if !W::IS_ACTIVE && control.is_short(self.hand_over_after, FOR_BUFFERS) {
                self.handled = Some(Handled::default());
                return Err(End::Stopped(StopReason::Memory));
            }
            if W::IS_ACTIVE && self.later.is_none() && control.is_short(self.hand_over_after, FOR_COLUMN) {
                self.put_off_later_columns(at, self.external, control)?;
            }
            let Some(id) = self.layers.pop(layer) else { break };
            let state = layer.get(id);
            control.check_space(self.space)?;
            let later = self.later.as_ref().map_or(0, LaterColumns::len);
            if let Err(end) = control.expanding(state, self.layers.waiting() + later + 1) {
                self.put_back(layer, id, control);
                return Err(end);
            }
            let mark = self.events.mark();
            let (layers, measure) = (&self.layers, &*self.measure);
            // For cycles it is not enough that one successor comes later.
            let is_done =
                |hash, next: &[Word]| W::IS_ACTIVE || layers.is_done((at, &*layer), measure.of(next), (hash, next));
            let expanded = self.events.expand((self.space, state), &mut self.scratch, id, &is_done, control);
            if expanded.is_err() {
                self.put_back(layer, id, control);
                for (violation, event, id) in self.events.violations() {
                    control.violated(violation, || self.predecessors.path(layer.tag(id).number(), event))?;
                }
                self.events.truncate(mark);
            }
            if !expanded? {
                control.dead(layer.get(id), layer.tag(id).number());
            }
            if self.events.len() >= BATCH || !layer.has_waiting() {
                let regression = self.insert_events(at, layer, control)?;
                if regression.is_some() {
                    return Ok(regression);
                }
                if self.is_watched && self.detector.is_due() {
                    self.look(When::Now, Some(layer), control)?;
                }
                if control.is_checkpoint_due(false) {
                    self.save(at, layer, control);
                }
            }
        }
        Ok(None)
    }

    /// A state is not expanded after all: a limit was reached before.
    #[cold]
    fn put_back<O: Observer>(
        &mut self,
        layer: &mut ProgressLayer,
        id: StateId,
        control: &mut Control<'_, S::Violation, O>,
    ) {
        self.layers.unpop(layer, id);
        control.interrupted(|stats| stats.expanded -= 1);
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
        self.handled.get_or_insert_default();
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
            ..
        } = self;
        let regression = &mut self.regression;
        let is_watched = W::IS_ACTIVE && *is_watched;
        if is_watched {
            detector.reserve(layer, events.len(), control)?;
        }
        let mut targets = targets.iter();
        for (handled, event) in events.iter().enumerate() {
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
                    let stored = match layers.store(layer, target, new, control) {
                        Ok(stored) => stored,
                        Err(end) => {
                            self.handled = Some(Handled { events: handled, is_counted: true });
                            control.interrupted(|stats| untake(stats, target.direction));
                            return Err(end);
                        }
                    };
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
        self.handled = None;
        Ok(self.regression.take())
    }

    /// Components that regressed make no columns any more.
    #[cold]
    fn demote<O: Observer>(
        &mut self,
        regression: Regression,
        at: Progress,
        layer: ProgressLayer,
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<(), End> {
        control.revisits = Revisits::Possible;
        self.correct(regression, control);
        let measure = &*self.measure;
        // A detector has deleted the steps of the states that are expanded, so they must be expanded again.
        self.layers.rearrange((at, layer), !W::IS_ACTIVE, |state| measure.of(state), control);
        if let Some(later) = &mut self.later {
            later.rearrange(|state| measure.of(state))?;
        }
        Ok(())
    }

    /// Takes back what the measure claims and a regression disproves.
    fn correct<O: Observer>(&mut self, regression: Regression, control: &mut Control<'_, S::Violation, O>) {
        let demoted = self.measure.demote(&regression.from, &regression.to);
        self.columns = Columns::of(self.measure);
        let (from, to) = (self.measure.of(&regression.from), self.measure.of(&regression.to));
        if demoted.is_empty() || to < from && !self.columns.same(from, to) {
            self.columns = Columns::NONE;
        }
        control.demoted.extend(demoted);
        self.regressions.push(regression);
    }

    /// Writes a checkpoint of a search that stands in the layer at `at`.
    #[cold]
    fn save<O: Observer>(&mut self, at: Progress, layer: &ProgressLayer, control: &mut Control<'_, S::Violation, O>) {
        let (Ok(initial), Some(codec)) = (self.space.initial(), control.codec()) else { return };
        // What a worker has seen is known when its scratch is dropped.
        self.scratch = self.space.scratch();
        let Sweep { layers, events, predecessors, distinct, handled, regression, regressions, .. } = self;
        control.checkpoint(|control, to| {
            Section::Sweep.begin(&initial, to)?;
            control.save(codec, leave, to)?;
            predecessors.save(to)?;
            distinct.save(to)?;
            for regressions in [regressions.as_slice(), regression.as_slice()] {
                to.number(regressions.len() as u64)?;
                for Regression { from, to: target } in regressions {
                    to.state(None, from)?;
                    to.state(None, target)?;
                }
            }
            to.put(&at.0.to_le_bytes())?;
            layers.save((at, layer), to)?;
            to.flag(handled.is_some())?;
            events.save(handled.unwrap_or_default().events, |id| u64::from(id.0), codec, to)
        });
    }

    /// Reads what `save` wrote; where the search stood.
    pub(crate) fn load<O: Observer>(
        &mut self,
        initial: &[Word],
        mut reader: Reader<'_>,
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<Progress, End> {
        let from = &mut reader;
        let codec = control.codec().ok_or(ResumeFault::Mismatch)?;
        Section::Sweep.expect(initial, from)?;
        control.load(from)?;
        self.predecessors.load(from, control)?;
        self.distinct.load(from)?;
        for _ in 0..from.number()? {
            let regression = Regression::load(from)?;
            self.correct(regression, control);
        }
        for _ in 0..from.number()? {
            self.regression = Some(Regression::load(from)?);
        }
        let at = Progress::load(from)?;
        self.layers.load(from, control)?;
        let states = self.layers.get(at).map_or(0, ProgressLayer::states);
        self.handled = from.flag()?.then(Handled::default);
        let origin = |id| u32::try_from(id).ok().filter(|&id| id < states).map(StateId);
        self.events.load(origin, codec, from)?;
        reader.end()?;
        Ok(at)
    }
}

impl Regression {
    fn load(from: &mut Reader<'_>) -> Result<Regression, ResumeFault> {
        let mut regression = Regression { from: Vec::new(), to: Vec::new() };
        from.state(None, &mut regression.from)?;
        from.state(None, &mut regression.to)?;
        Ok(regression)
    }
}

/// Takes back that a step was counted.
#[cold]
fn untake(stats: &mut Stats, direction: Ordering) {
    stats.transitions -= 1;
    let edges = &mut stats.sweep.edges;
    match direction {
        Ordering::Greater => edges.forward -= 1,
        Ordering::Equal => edges.stationary -= 1,
        Ordering::Less => edges.regress -= 1,
    }
}

/// Takes back that a layer, its sweep and its column were begun: a search that goes on begins them again.
fn leave(stats: &mut Stats) {
    let SweepStats { columns, sweeps, layers, .. } = &mut stats.sweep;
    *columns -= 1;
    *sweeps -= 1;
    *layers -= 1;
}

/// The successors among events, with their hashes.
fn successors<V: Copy, Origin: Copy>(events: &Events<V, Origin>) -> impl Iterator<Item = (u64, &[Word])> {
    events.iter().filter_map(|event| match event.kind {
        Kind::Successor(hash, state) => Some((hash, state)),
        Kind::Violation(_) => None,
    })
}
