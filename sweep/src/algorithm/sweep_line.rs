//! Sweep-line search of one column: visit states by increasing progress and forget those left behind.
//!
//! Invariant: a forgotten state can be met again only over a step that goes back; the state where such a step ends is
//! kept as long as its column (*persistent*) and is a root of the next sweep. The persistent states only grow, so the
//! sweeps end; at most (|B| + 1) times the states of the column are expanded, B being where steps go back to.
//! A strict sweep stops at the first step back instead, and shows it.
//!
//! Christensen, Kristensen, Mailund, "A Sweep-Line Method for State Space Exploration", TACAS 2001 (strict); Kristensen,
//! Mailund, "A Generalised Sweep-Line Method for Safety Properties", FME 2002. Their progress mapping is `measure`.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use interp::space::{StateSpace, Word};

use super::watch::{Context, Link, Watch, When};
use crate::SearchOptions;
use crate::control::{Control, End, Revisits, StopReason};
use crate::distinct::Distinct;
use crate::events::{Events, Kind};
use crate::lines::{Line, Lines, Newcomer, Tag, Target};
use crate::measure::{Columns, Measure, Progress};
use crate::observer::{Observer, Step};
use crate::outcome::Rejected;
use crate::parents::Parents;
use crate::store::{StateId, hash};

/// Insert as soon as so many successors wait.
const BATCH: usize = 32;

/// So many per cent of the states may be stored twice in any case: the number of states is an estimate.
const ALWAYS: u32 = 10;

/// What a sweep does with what the measure says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Rules {
    /// The columns of the measure are believed in; otherwise all states are in one column.
    pub(crate) columns: bool,
    /// A step back ends the search.
    pub(crate) strict: bool,
}

/// A sweep at work.
pub(crate) struct Sweep<'a, S: StateSpace, M, W = ()> {
    space: &'a S,
    measure: &'a mut M,
    /// The columns that are believed in.
    columns: Columns,
    /// A step back ends the search.
    is_strict: bool,
    pub(crate) lines: Lines,
    patience: Option<u32>,
    distinct: Distinct,
    /// Events of states of the present line that are expanded but not yet looked at.
    events: Events<S::Violation, StateId>,
    /// Where their successors go, from the first on.
    targets: Vec<Target>,
    pub(crate) parents: Parents,
    scratch: S::Scratch,
    watch: W,
    /// Does the watch want to know the steps of the present line?
    is_watched: bool,
    /// Is this the first sweep of its column?
    is_first: bool,
    collects_late: bool,
}

/// A step to an earlier column, which the measure says there is not.
struct Fall {
    from: Vec<Word>,
    to: Vec<Word>,
}

impl<'a, S: StateSpace<Violation: PartialEq>, M: Measure, W: Watch<S::Violation>> Sweep<'a, S, M, W> {
    pub(crate) fn new(space: &'a S, measure: &'a mut M, rules: Rules, options: &SearchOptions, watch: W) -> Self {
        Sweep {
            space,
            columns: if rules.columns { Columns::of(measure) } else { Columns::NONE },
            measure,
            is_strict: rules.strict,
            lines: Lines::new(space.fixed_words(), options.collect_every, options.patience.is_some()),
            patience: options.patience,
            distinct: Distinct::new(),
            events: Events::new(),
            targets: Vec::new(),
            parents: Parents::wanted(options.traces || options.witnesses),
            scratch: space.scratch(),
            watch,
            is_watched: false,
            is_first: true,
            collects_late: options.collect_every > 1,
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
        let mut line = self.lines.take(at);
        let new = Newcomer { hash: hash(initial), state: initial, depth: 0 };
        let target = self.lines.target(at, at);
        self.lines.store(&mut line, target, new, 0, control)?;
        self.parents.append(0, 0);
        self.distinct.add(hash(initial));
        self.lines.put(at, line);
        Ok(())
    }

    /// Sweeps the column of `first` until nothing waits in it, and forgets it. `Break`: the measure has changed.
    pub(crate) fn column<O: Observer>(
        &mut self,
        first: Progress,
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<ControlFlow<()>, End> {
        control.stats.sweep.columns += 1;
        self.is_first = true;
        if W::IS_AWAKE {
            self.watch.begin(control.stats.states, self.lines.waiting_in(self.columns.range(first)));
        }
        while let Some(root) = self.lines.first().filter(|&root| self.columns.same(root, first)) {
            if self.sweep(root, control)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            self.is_first = false;
            self.look(When::Sweep, None, control)?;
        }
        self.look(When::Last, None, control)?;
        self.lines.drop_until(*self.columns.range(first).end(), control);
        Ok(ControlFlow::Continue(()))
    }

    /// Lets the watch look.
    fn look<O: Observer>(
        &mut self,
        when: When,
        line: Option<&Line>,
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<(), End> {
        if !W::IS_AWAKE {
            return Ok(());
        }
        let lines = line.map_or(self.lines.all_bytes(), |line| self.lines.bytes(line));
        let others = lines + self.events.bytes() + self.parents.bytes() + self.distinct.bytes();
        let measure = &*self.measure;
        let (lines, parents, columns) = (&self.lines, &mut self.parents, self.columns);
        let context = Context { lines, parents, measure, columns, others };
        self.watch.look(when, line, context, control)
    }

    /// About how many different states were stored.
    pub(crate) fn estimate(&mut self) -> u64 {
        self.distinct.estimate()
    }

    /// Is too much done twice, for what is saved by it, to go on forgetting?
    fn is_impatient<O: Observer>(&mut self, control: &Control<'_, S::Violation, O>) -> bool {
        let once = self.distinct.estimate();
        let again = control.stats.states.saturating_sub(once);
        let saved = once.saturating_sub(control.stats.peak_states);
        self.patience.is_some_and(|per_cent| again * 100 > once * u64::from(ALWAYS) + saved * u64::from(per_cent))
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
            let mut line = self.lines.take(at);
            let forgets = self.is_first && !self.lines.keeps_all && !self.collects_late;
            self.is_watched = W::IS_AWAKE && self.watch.enter(&line, forgets);
            match self.expand(at, &mut line, control)? {
                None => {
                    self.look(When::Line, Some(&line), control)?;
                    self.lines.pass(at, line, control);
                }
                Some(fall) => {
                    self.look(When::Last, Some(&line), control)?;
                    self.demote(&fall, at, line, control);
                    return Ok(ControlFlow::Break(()));
                }
            }
            if self.is_impatient(control) {
                self.lines.keeps_all = true;
            }
            next = self.lines.after(at);
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Expands the states of a line until none of them waits, or a step falls out of the column.
    fn expand<O: Observer>(
        &mut self,
        at: Progress,
        line: &mut Line,
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<Option<Fall>, End> {
        while let Some(id) = self.lines.pop(line) {
            let state = line.get(id);
            control.keeping(self.space.kept())?;
            control.expanding(state, self.lines.waiting() + 1)?;
            let expanded = self.events.expand(self.space, state, &mut self.scratch, id, control);
            if expanded.is_err() {
                for (violation, event, id) in self.events.violations() {
                    control.violated(violation, || self.parents.path(line.tag(id).number(), event))?;
                }
            }
            if !expanded? {
                control.dead(state, line.tag(id).number());
            }
            if self.events.len() >= BATCH || !line.has_waiting() {
                let fall = self.insert_events(at, line, control)?;
                if fall.is_some() {
                    return Ok(fall);
                }
                if self.is_watched && self.watch.is_due() {
                    self.look(When::Now, Some(line), control)?;
                }
            }
        }
        Ok(None)
    }

    /// Finds out where the successors among the events go, and asks for what they will be looked up in.
    // Not inlined, nor is the loop that handles the events: it is as fast, and a profile tells the two apart.
    #[inline(never)]
    fn aim(&mut self, at: Progress, line: &Line) {
        let Sweep { measure, lines, events, targets, .. } = self;
        let enough = targets.len().max(events.len());
        targets.resize(enough, Target::HERE);
        for (target, (hash, state)) in targets.iter_mut().zip(successors(events)) {
            *target = lines.target(at, measure.of(state));
            lines.ask_for(line, *target, hash);
        }
    }

    /// Handles the collected events in their order. A fall is handed on when all are handled.
    #[inline(never)]
    fn insert_events<O: Observer>(
        &mut self,
        at: Progress,
        line: &mut Line,
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<Option<Fall>, End> {
        self.aim(at, line);
        let Sweep { columns, is_strict, lines, events, targets, parents, distinct, watch, is_watched, .. } = self;
        let beside = events.bytes() + parents.bytes() + distinct.bytes() + watch.bytes();
        control.allocating(lines.bytes(line) + beside + parents.growth(events.len()))?;
        parents.reserve(events.len());
        let is_watched = W::IS_AWAKE && *is_watched;
        if is_watched {
            watch.reserve(line, events.len(), lines.bytes(line) + beside - watch.bytes(), control)?;
        }
        let beside = events.bytes() + parents.bytes() + distinct.bytes() + watch.bytes();
        let mut targets = targets.iter();
        let mut fall = None;
        for event in events.iter() {
            let (hash, state) = match event.kind {
                Kind::Violation(violation) => {
                    control.violated(violation, || parents.path(line.tag(event.origin).number(), event.number))?;
                    continue;
                }
                Kind::Successor(hash, state) => (hash, state),
            };
            control.step();
            control.took(|| Step { from: line.get(event.origin), event: event.number, to: state });
            let Some(&target) = targets.next() else { break };
            let edges = &mut control.stats.sweep.edges;
            match target.direction {
                Ordering::Greater => edges.forward += 1,
                Ordering::Equal => edges.stationary += 1,
                Ordering::Less => {
                    edges.regress += 1;
                    if *is_strict {
                        control.rejected = Some(Rejected {
                            from: line.get(event.origin).to_vec(),
                            to: state.to_vec(),
                            trace: parents.path(line.tag(event.origin).number(), event.number),
                        });
                        return Err(End::Stopped(StopReason::Rejected));
                    }
                    if !columns.same(at, lines.progress(at, target)) {
                        fall.get_or_insert_with(|| Fall { from: line.get(event.origin).to_vec(), to: state.to_vec() });
                    }
                }
            }
            let stored = match lines.find(line, target, (hash, state)) {
                Some(stored) => stored,
                None => {
                    let parent: Tag = line.tag(event.origin);
                    let new = Newcomer { hash, state, depth: parent.depth() + 1 };
                    let stored = lines.store(line, target, new, beside, control)?;
                    parents.append(parent.number(), event.number);
                    distinct.add(hash);
                    stored
                }
            };
            if is_watched {
                let to = lines.progress(at, target);
                let stays = columns.same(at, to);
                watch.link(line, &Link { source: event.origin, target: stored, from: at, to, stays });
            }
        }
        events.clear();
        Ok(fall)
    }

    /// What fell is no column any more.
    #[cold]
    fn demote<O: Observer>(
        &mut self,
        fall: &Fall,
        at: Progress,
        line: Line,
        control: &mut Control<'_, S::Violation, O>,
    ) {
        control.revisits = Revisits::Possible;
        let fallen = self.measure.demote(&fall.from, &fall.to);
        self.columns = Columns::of(self.measure);
        let (from, to) = (self.measure.of(&fall.from), self.measure.of(&fall.to));
        if fallen.is_empty() || to < from && !self.columns.same(from, to) {
            self.columns = Columns::NONE;
        }
        control.demoted.extend(fallen);
        let measure = &*self.measure;
        // A watch has forgotten the steps of the states that are expanded, so they must be expanded again.
        self.lines.rearrange((at, line), !W::IS_AWAKE, |state| measure.of(state), control);
    }
}

/// The successors among events, with their hashes.
fn successors<V: Copy, Origin: Copy>(events: &Events<V, Origin>) -> impl Iterator<Item = (u64, &[Word])> {
    events.iter().filter_map(|event| match event.kind {
        Kind::Successor(hash, state) => Some((hash, state)),
        Kind::Violation(_) => None,
    })
}
