//! All steps out of a state: interleaving, rendezvous, atomic sequences, timeout, and what is wrong with any of them.
//!
//! A stored state has nobody inside an atomic sequence with control: the states in between are passed through, path by
//! path, and only the state in which the sequence ends or blocks is reported. A rendezvous is one step of two processes;
//! control goes to the receiver. This is how SPIN's verifier walks, so that the numbers of states and steps are its.
//!
//! A *level* is one state on the path from the stored state.

mod rendezvous;

use rendezvous::Offer;

use std::ops::ControlFlow;

use cranelift_entity::EntityRef;

use crate::code::compare::compare;
use crate::code::flow::LocationFlags;
use crate::code::program::{Edge, Guard};
use crate::exec::dispatch::LocationInfo;
use crate::exec::eval::{Env, Ready};
use crate::exec::transition_cache::{CacheLookup, TransitionCache};
use crate::ids::{EdgeId, TemplateId};
use crate::model::{Model, StepErrors, Tables};
use crate::violation::{Violation, ViolationKind};
use promela::source::Span;
use statespace::{StateSpace, Visit, Word};

/// One statement executed by one process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// The process.
    pub pid: u8,
    /// Its code.
    pub template: TemplateId,
    /// The edge.
    pub edge: EdgeId,
}

/// What a walk over the steps of a state reports. `path` has the moves since the state.
pub trait Sink {
    /// Whether it wants to know the moves of each step; if not, `path` may be empty.
    const WANTS_MOVES: bool = true;

    /// A step leads to `next`.
    fn successor(&mut self, next: &[Word], path: Path) -> ControlFlow<()>;
    /// Something is wrong with the last move of `path` (or, if it is empty, with the state).
    fn violation(&mut self, violation: Violation, path: Path) -> ControlFlow<()>;
    /// The walk goes on for long; its buffers hold so many bytes now. `Break` ends it.
    fn working(&mut self, _bytes: usize) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// The moves of one step, and the states in between.
#[derive(Clone, Copy)]
pub struct Path<'a> {
    /// In order.
    pub moves: &'a [Move],
    levels: &'a [Level],
}

impl<'a> Path<'a> {
    /// The state after each move. After a move that went wrong it is of no meaning.
    pub fn states(self) -> impl Iterator<Item = &'a [Word]> {
        self.levels[1..].iter().map(|level| level.words.as_slice()).take(self.moves.len())
    }
}

/// A state on the path, with what it contains.
#[derive(Clone, Default, Debug)]
struct Level {
    words: Vec<Word>,
    tables: Tables,
}

/// Buffers for expanding states.
#[derive(Default, Debug)]
pub struct Scratch {
    levels: Vec<Level>,
    /// Where each process stands on the ground level.
    spots: Vec<LocationInfo>,
    path: Vec<Move>,
    frames: Vec<Frame>,
    messages: Vec<i32>,
    errors: StepErrors,
    cache: TransitionCache,
}

impl Scratch {
    /// About how many bytes the buffers hold: all levels are about as large as the second.
    fn bytes(&self) -> usize {
        /// The allocator's header of each allocation, and what rounding adds.
        const ALLOCATION: usize = 16 + 8;
        /// A list that is about to grow is there twice, once in its new size.
        fn held<T>(list: &Vec<T>, item: usize) -> usize {
            let is_full = list.capacity() - list.len() <= PATIENCE as usize;
            list.capacity() * item * if is_full { 3 } else { 1 }
        }
        let level = self.levels.get(1).map_or(0, |level| {
            let Tables { procs, chans } = &level.tables;
            3 * ALLOCATION
                + level.words.capacity() * size_of::<Word>()
                + procs.capacity() * size_of_val(&procs[..]) / procs.len().max(1)
                + chans.capacity() * size_of_val(&chans[..]) / chans.len().max(1)
        });
        self.levels.len() * level
            + held(&self.levels, size_of::<Level>())
            + held(&self.path, size_of::<Move>())
            + held(&self.frames, size_of::<Frame>())
    }
}

/// How far the trial of a location's edges has come.
#[derive(Clone, Copy, Debug)]
struct Trial {
    pid: usize,
    template: TemplateId,
    next: u32,
    end: u32,
    /// An edge could be taken.
    fired: bool,
    /// The escape that could, or 0.
    escape: u32,
}

/// What is being tried at one point of the path. Each frame belongs to a move of the path.
#[derive(Clone, Copy, Debug)]
enum Frame {
    /// The steps of the process that has control in the state at a level.
    Control(Trial, usize),
    /// The processes that may take what is offered in a rendezvous.
    Offer(Offer),
}

/// A state of the path with which later ones are compared: if it recurs, the atomic sequence never ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Anchor {
    level: usize,
    /// The process that has control.
    pid: usize,
}

/// Trials and successors between two looks at the limits.
const PATIENCE: u32 = 1 << 10;
/// Levels that are kept for the next expansion.
const KEPT_LEVELS: usize = 1 << 10;

impl StateSpace for Model {
    type Violation = Violation;
    type Scratch = Scratch;

    fn scratch(&self) -> Scratch {
        Scratch::default()
    }

    fn fixed_words(&self) -> Option<usize> {
        self.layout.is_fixed.then_some(self.layout.fixed_words as usize)
    }

    fn word_bits(&self) -> &[u8] {
        &self.layout.word_bits
    }

    fn gave_up(&self) -> bool {
        false
    }

    fn initial(&self) -> Result<Vec<Word>, Violation> {
        self.initial_words()
    }

    fn expand<V: Visit<Violation>>(&self, state: &[Word], scratch: &mut Scratch, visit: &mut V) -> ControlFlow<()> {
        self.walk(state, scratch, &mut Numbered { visit, event: 0, bytes: 0 })
    }
}

/// Numbers events for a search, which has no use for paths.
struct Numbered<'v, V> {
    visit: &'v mut V,
    event: u32,
    /// What the buffers held when that was last told.
    bytes: usize,
}

impl<V: Visit<Violation>> Sink for Numbered<'_, V> {
    const WANTS_MOVES: bool = false;

    #[inline]
    fn successor(&mut self, next: &[Word], _path: Path) -> ControlFlow<()> {
        self.event += 1;
        if self.event.is_multiple_of(PATIENCE) {
            self.visit.working(self.bytes)?;
        }
        self.visit.successor(self.event - 1, next)
    }

    fn violation(&mut self, violation: Violation, _path: Path) -> ControlFlow<()> {
        self.event += 1;
        self.visit.violation(self.event - 1, violation)
    }

    fn working(&mut self, bytes: usize) -> ControlFlow<()> {
        self.bytes = bytes;
        self.visit.working(bytes)
    }
}

impl Model {
    /// Reports every step out of `state` with the moves it consists of.
    pub fn walk<S: Sink>(&self, state: &[Word], scratch: &mut Scratch, sink: &mut S) -> ControlFlow<()> {
        let mut walker = self.walker(state, scratch, sink);
        match walker.state() {
            // Nothing has been told to stop: the rest of the expansion has no meaning.
            ControlFlow::Break(()) if walker.is_endless => ControlFlow::Continue(()),
            done => done,
        }
    }

    /// Whether no process can move, unless by a `timeout`.
    pub fn is_waiting(&self, state: &[Word], scratch: &mut Scratch) -> bool {
        let mut nobody = Nobody;
        let mut walker = self.walker(state, scratch, &mut nobody);
        (0..self.nr_pr(state)).all(|pid| walker.process(pid, false) == ControlFlow::Continue(false))
    }

    /// Puts a state on the ground level.
    fn walker<'w, S: Sink>(&'w self, state: &[Word], scratch: &'w mut Scratch, sink: &'w mut S) -> Walker<'w, S> {
        if scratch.levels.is_empty() {
            scratch.levels.resize_with(4, Level::default);
        }
        if scratch.levels.len() > KEPT_LEVELS {
            scratch.levels.truncate(KEPT_LEVELS);
            scratch.levels.shrink_to_fit();
        }
        let ground = &mut scratch.levels[0];
        ground.words.clear();
        ground.words.extend_from_slice(state);
        for level in &mut scratch.levels[..3] {
            self.locate(state, &mut level.tables);
        }
        scratch.path.clear();
        scratch.frames.clear();
        scratch.messages.clear();
        scratch.cache.spoil();
        let Scratch { levels, spots, .. } = &mut *scratch;
        let Level { words, tables } = &levels[0];
        let processes = &tables.procs[..self.nr_pr(words)];
        spots.clear();
        spots.extend(processes.iter().map(|&process| self.dispatch.spot(words, process)));
        Walker { model: self, scratch, sink, anchor: None, until_told: PATIENCE, is_endless: false }
    }
}

/// Stops at the first step.
struct Nobody;

impl Sink for Nobody {
    fn successor(&mut self, _: &[Word], _: Path) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    fn violation(&mut self, _: Violation, _: Path) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

struct Walker<'w, S> {
    model: &'w Model,
    scratch: &'w mut Scratch,
    sink: &'w mut S,
    /// What states inside an atomic sequence are compared with.
    anchor: Option<Anchor>,
    /// So many trials may follow before the limits are looked at.
    until_told: u32,
    /// An atomic sequence never ends, which ends the expansion.
    is_endless: bool,
}

impl<S: Sink> Walker<'_, S> {
    /// All steps of the state on the ground level.
    fn state(&mut self) -> ControlFlow<()> {
        let processes = self.model.nr_pr(&self.scratch.levels[0].words);
        for timeout in [false, true] {
            let mut moved = false;
            for pid in (0..processes).rev() {
                moved |= match timeout || S::WANTS_MOVES {
                    true => self.process(pid, timeout)?,
                    false => self.remembered(pid)?,
                };
            }
            if moved || processes == 0 {
                return ControlFlow::Continue(());
            }
        }
        match self.stuck(processes) {
            true => self.report(ViolationKind::InvalidEndState, None, None),
            false => ControlFlow::Continue(()),
        }
    }

    /// Whether some process is at a location where it may not stay.
    fn stuck(&self, processes: usize) -> bool {
        let Level { words, tables } = &self.scratch.levels[0];
        let env = Env::new(self.model, tables, 0, 0, &self.scratch.errors);
        let may_stop = |pid: usize| {
            let process = tables.procs[pid];
            let graph = &self.model.program.templates[process.template].graph;
            graph.locations[env.pc(words, process)].flags.contains(LocationFlags::END)
        };
        let events_open = match (&self.model.program.events, self.model.layout.event) {
            (Some(events), Some(field)) => !events.may_end(field.get(words, 0) as usize),
            _ => false,
        };
        events_open || !(0..processes).all(may_stop)
    }

    /// The same as `process`, from memory if possible.
    #[inline]
    fn remembered(&mut self, pid: usize) -> ControlFlow<(), bool> {
        let Some(view) = self.scratch.spots[pid].view else { return self.process(pid, false) };
        let Scratch { levels, cache, .. } = &mut *self.scratch;
        match cache.recall(&self.model.dispatch.footprints, pid, view, &levels[0].words) {
            CacheLookup::Known(mut steps) => {
                let (ground, above) = levels.split_at_mut(1);
                let next = &mut above[0].words;
                while !steps.is_empty() {
                    next.clone_from(&ground[0].words);
                    cache.take(&mut steps, next);
                    self.sink.successor(next, Path { moves: &[], levels: &[] })?;
                }
                ControlFlow::Continue(steps.moved)
            }
            CacheLookup::New => {
                let moved = self.process(pid, false)?;
                self.scratch.cache.end(moved);
                ControlFlow::Continue(moved)
            }
            CacheLookup::NotWorth => self.process(pid, false),
        }
    }

    /// All steps of one process from the ground level; whether there were any.
    fn process(&mut self, pid: usize, timeout: bool) -> ControlFlow<(), bool> {
        if self.scratch.spots[pid].is_passive {
            return ControlFlow::Continue(false);
        }
        let Some(mut trial) = self.trial(0, pid, timeout)? else { return ControlFlow::Continue(false) };
        while let Some((index, edge)) = next_edge(self.model, &mut trial) {
            match self.ready(0, &trial, index, edge, timeout)? {
                Ready::No => {}
                ready @ (Ready::Yes | Ready::DStep(_)) => {
                    self.determinism(&trial, edge)?;
                    self.model.coverage.mark(index);
                    self.push(&trial, index);
                    match self.apply(0, &mut trial, edge, ready, timeout)? {
                        true if edge.atomic => {
                            self.enter(1, pid, edge.span)?;
                            self.explore()?;
                            continue;
                        }
                        true => self.successor(1)?,
                        false => {}
                    }
                    self.scratch.path.pop();
                }
                Ready::Rendezvous(send) => {
                    self.determinism(&trial, edge)?;
                    let offered = self.offer(0, &mut trial, index, edge, send)?;
                    if offered {
                        let met = self.explore()?;
                        self.settle(&mut trial, index, met);
                    }
                }
            }
        }
        ControlFlow::Continue(trial.fired)
    }

    /// All ways on from the frames at hand: through atomic sequences, up to the states where control is lost, and through
    /// the handshakes of an offer. Whether the last frame was an offer that somebody took.
    fn explore(&mut self) -> ControlFlow<(), bool> {
        let mut met = false;
        while let Some(&frame) = self.scratch.frames.last() {
            self.tell()?;
            met = match frame {
                Frame::Control(trial, level) => {
                    self.advance(trial, level)?;
                    false
                }
                Frame::Offer(offer) => self.meet(offer)?,
            };
        }
        ControlFlow::Continue(met)
    }

    /// Tries the next edge of the process that has control.
    fn advance(&mut self, mut trial: Trial, level: usize) -> ControlFlow<()> {
        let top = self.scratch.frames.len() - 1;
        let Some((index, edge)) = next_edge(self.model, &mut trial) else {
            self.scratch.frames.pop();
            if !trial.fired {
                // It blocks here: control is lost, and everybody may move.
                self.successor(level)?;
            }
            self.scratch.path.pop();
            self.leave(level);
            return ControlFlow::Continue(());
        };
        match self.ready(level, &trial, index, edge, false)? {
            Ready::No => self.scratch.frames[top] = Frame::Control(trial, level),
            ready @ (Ready::Yes | Ready::DStep(_)) => {
                self.determinism(&trial, edge)?;
                self.model.coverage.mark(index);
                self.push(&trial, index);
                let applied = self.apply(level, &mut trial, edge, ready, false)?;
                self.scratch.frames[top] = Frame::Control(trial, level);
                match applied {
                    true if edge.atomic => return self.enter(level + 1, trial.pid, edge.span),
                    true => self.successor(level + 1)?,
                    false => {}
                }
                self.scratch.path.pop();
            }
            Ready::Rendezvous(send) => {
                self.determinism(&trial, edge)?;
                self.offer(level, &mut trial, index, edge, send)?;
                self.scratch.frames[top] = Frame::Control(trial, level);
            }
        }
        ControlFlow::Continue(())
    }

    /// Starts trying the steps of `pid`, which has got control in the state at `level` by the statement at `span`.
    fn enter(&mut self, level: usize, pid: usize, span: Span) -> ControlFlow<()> {
        self.reach(level + 2);
        let here = Anchor { level, pid };
        match self.anchor {
            Some(anchor) if anchor.pid == pid && self.is_same(anchor.level, level) => {
                self.report(ViolationKind::EndlessAtomic, Some(pid), Some(span))?;
                self.is_endless = true;
                return ControlFlow::Break(());
            }
            // The state compared with moves up as the path doubles (Brent's cycle detection).
            Some(anchor) if level < 2 * anchor.level.max(8) => {}
            _ => self.anchor = Some(here),
        }
        let Level { words, tables } = &mut self.scratch.levels[level];
        self.model.locate(words, tables);
        let stuck = Trial { pid, template: TemplateId::new(0), next: 0, end: 0, fired: false, escape: 0 };
        let trial = self.trial(level, pid, false)?.unwrap_or(stuck);
        self.scratch.frames.push(Frame::Control(trial, level));
        ControlFlow::Continue(())
    }

    /// The state at `level` is no longer on the path: only one that is may be compared with.
    fn leave(&mut self, level: usize) {
        if self.anchor.is_some_and(|anchor| anchor.level >= level) {
            self.anchor = self.scratch.frames.iter().rev().find_map(|frame| match *frame {
                Frame::Control(trial, level) => Some(Anchor { level, pid: trial.pid }),
                Frame::Offer(_) => None,
            });
        }
    }

    fn is_same(&self, one: usize, other: usize) -> bool {
        self.scratch.levels[one].words == self.scratch.levels[other].words
    }

    /// Tells the sink now and then that the walk goes on.
    #[inline]
    fn tell(&mut self) -> ControlFlow<()> {
        self.until_told -= 1;
        if self.until_told == 0 {
            self.until_told = PATIENCE;
            self.sink.working(self.scratch.bytes())?;
        }
        ControlFlow::Continue(())
    }

    /// Makes sure that there is a buffer for `level`.
    fn reach(&mut self, level: usize) {
        if level >= self.scratch.levels.len() {
            self.scratch.levels.resize_with(level + 1, Level::default);
        }
    }

    /// The edges of a process that may be tried at all.
    #[inline]
    fn trial(&mut self, level: usize, pid: usize, timeout: bool) -> ControlFlow<(), Option<Trial>> {
        let process = self.scratch.levels[level].tables.procs[pid];
        if self.model.dispatch.is_gated(process) && !self.may_move(level, pid, timeout)? {
            return ControlFlow::Continue(None);
        }
        let LocationInfo { first, end, .. } = self.spot(level, pid);
        let trial = Trial { pid, template: process.template, next: first, end, fired: false, escape: 0 };
        ControlFlow::Continue(Some(trial))
    }

    /// Whether neither a `provided` clause nor a higher priority holds the process back.
    #[inline(never)]
    fn may_move(&mut self, level: usize, pid: usize, timeout: bool) -> ControlFlow<(), bool> {
        let Level { words, tables } = &self.scratch.levels[level];
        let env = self.env(level, pid, timeout);
        let may_move = env.is_provided(words, tables.procs[pid].template) && has_highest_priority(&env, words);
        if let Some(fault) = self.scratch.errors.fault.take() {
            self.report(fault.kind, Some(pid), Some(fault.span))?;
            return ControlFlow::Continue(false);
        }
        ControlFlow::Continue(may_move)
    }

    /// Whether an edge can be taken in the state at `level`. Many can be told without looking at the state.
    #[inline]
    fn ready(
        &mut self,
        level: usize,
        trial: &Trial,
        index: EdgeId,
        edge: &Edge,
        timeout: bool,
    ) -> ControlFlow<(), Ready> {
        ControlFlow::Continue(match edge.guard {
            Guard::Accept(_) => Ready::No,
            Guard::True => Ready::Yes,
            Guard::Compare(op, field, value) => {
                let Level { words, tables } = &self.scratch.levels[level];
                match compare(op, field.get(words, tables.procs[trial.pid].base), value) {
                    true => Ready::Yes,
                    false => Ready::No,
                }
            }
            Guard::Offer(send) => Ready::Rendezvous(send),
            _ => return self.evaluate(level, trial, index, edge, timeout),
        })
    }

    /// Evaluates the guard of an edge; what goes wrong is reported.
    fn evaluate(
        &mut self,
        level: usize,
        trial: &Trial,
        index: EdgeId,
        edge: &Edge,
        timeout: bool,
    ) -> ControlFlow<(), Ready> {
        let words = &self.scratch.levels[level].words;
        let ready = self.env(level, trial.pid, timeout).ready(words, edge, trial.fired);
        if let Some(fault) = self.scratch.errors.fault.take() {
            if timeout && self.fails_anyway(level, trial, edge) {
                // It was reported when the edge was first tried.
                return ControlFlow::Continue(Ready::No);
            }
            self.push(trial, index);
            self.stay(level);
            self.report(fault.kind, Some(trial.pid), Some(fault.span))?;
            self.scratch.path.pop();
            return ControlFlow::Continue(Ready::No);
        }
        ControlFlow::Continue(ready)
    }

    /// Whether the guard of an edge goes wrong without `timeout` too.
    fn fails_anyway(&self, level: usize, trial: &Trial, edge: &Edge) -> bool {
        self.env(level, trial.pid, false).ready(&self.scratch.levels[level].words, edge, trial.fired);
        self.scratch.errors.fault.take().is_some()
    }

    /// A move that went wrong before it changed anything: the next level shows the state as it is.
    fn stay(&mut self, level: usize) {
        self.reach(level + 1);
        let (below, above) = self.scratch.levels.split_at_mut(level + 1);
        above[0].words.clone_from(&below[level].words);
    }

    /// Takes an edge from the state at `level` into the next level; whether there is a state to go on from.
    fn apply(
        &mut self,
        level: usize,
        trial: &mut Trial,
        edge: &Edge,
        ready: Ready,
        timeout: bool,
    ) -> ControlFlow<(), bool> {
        let model = self.model;
        // Only a d_step goes on for long.
        let bytes = if matches!(ready, Ready::DStep(_)) { self.scratch.bytes() } else { 0 };
        let Scratch { levels, errors, .. } = &mut *self.scratch;
        let (below, above) = levels.split_at_mut(level + 1);
        let (from, next) = (&below[level], &mut above[0].words);
        next.clone_from(&from.words);
        let process = from.tables.procs[trial.pid];
        let mut env = Env { timeout, ..Env::new(model, &from.tables, trial.pid, process.base, errors) };
        match (edge.guard, ready) {
            (Guard::End, _) => model.kill_youngest(next, process),
            (Guard::DStep(d_step), Ready::DStep(first)) => {
                let start = model.program.d_steps[d_step as usize].start;
                env.run_d_step(next, d_step, start, Some(first), &mut || self.sink.working(bytes))?;
            }
            _ => {
                if !env.run_block(next, edge.effect) {
                    return ControlFlow::Continue(false);
                }
            }
        }
        if let Some(to) = edge.to {
            model.layout.templates[process.template].pc.set(next, process.base, to.index() as i32);
        }
        if let Some(last) = model.layout.last {
            last.set(next, 0, trial.pid as i32);
        }
        trial.fired = true;
        trial.escape = edge.escape;
        self.troubles(trial.pid)
    }

    /// Reports what went wrong in the last move; whether the move counts all the same.
    #[inline]
    fn troubles(&mut self, pid: usize) -> ControlFlow<(), bool> {
        if !self.scratch.errors.noted.get_mut().is_empty() {
            for fault in self.scratch.errors.noted.take() {
                self.report(fault.kind, Some(pid), Some(fault.span))?;
            }
        }
        if let Some(fault) = self.scratch.errors.fault.take() {
            self.report(fault.kind, Some(pid), Some(fault.span))?;
            return ControlFlow::Continue(false);
        }
        ControlFlow::Continue(true)
    }

    /// Where a process stands in the state at `level`.
    #[inline]
    fn spot(&self, level: usize, pid: usize) -> LocationInfo {
        if level == 0 {
            return self.scratch.spots[pid];
        }
        let Level { words, tables } = &self.scratch.levels[level];
        self.model.dispatch.spot(words, tables.procs[pid])
    }

    /// A `D_proctype` must not have a second executable step.
    fn determinism(&mut self, trial: &Trial, edge: &Edge) -> ControlFlow<()> {
        // As in SPIN, jumps, skips, else and d_step are not held against a proctype.
        let plain = edge.d_step
            || edge.guard == Guard::Else
            || edge.guard == Guard::True && edge.effect.start == edge.effect.end;
        if trial.fired && !plain && self.model.program.templates[trial.template].deterministic {
            self.report(ViolationKind::Nondeterminism, Some(trial.pid), Some(edge.span))?;
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn push(&mut self, trial: &Trial, edge: EdgeId) {
        self.scratch.path.push(Move { pid: trial.pid as u8, template: trial.template, edge });
    }

    #[inline]
    fn successor(&mut self, level: usize) -> ControlFlow<()> {
        let Scratch { levels, path, cache, .. } = &mut *self.scratch;
        cache.step(&self.model.dispatch.footprints, path, &levels[0].words, &levels[level].words);
        self.sink.successor(&levels[level].words, Path { moves: path, levels })
    }

    #[inline(never)]
    fn report(&mut self, kind: ViolationKind, pid: Option<usize>, span: Option<Span>) -> ControlFlow<()> {
        let violation = Violation { kind, pid: pid.map(|pid| pid as u8), span };
        self.scratch.cache.spoil();
        let Scratch { levels, path, .. } = &*self.scratch;
        self.sink.violation(violation, Path { moves: path, levels })
    }

    #[inline]
    fn env(&self, level: usize, pid: usize, timeout: bool) -> Env<'_> {
        let tables = &self.scratch.levels[level].tables;
        let base = tables.procs[pid].base;
        Env { timeout, ..Env::new(self.model, tables, pid, base, &self.scratch.errors) }
    }
}

/// The next edge to try. Once a step of an escape could be taken, only steps of the same escape follow.
#[inline]
fn next_edge<'m>(model: &'m Model, trial: &mut Trial) -> Option<(EdgeId, &'m Edge)> {
    if trial.next == trial.end {
        return None;
    }
    let index = EdgeId::from_u32(trial.next);
    let edge = &model.program.edges[index];
    if trial.escape > 0 && trial.escape != edge.escape {
        trial.next = trial.end;
        return None;
    }
    trial.next += 1;
    Some((index, edge))
}

/// Whether no process with a higher priority could move instead.
fn has_highest_priority(env: &Env, words: &[Word]) -> bool {
    if !env.model.checked.uses_priorities {
        return true;
    }
    let mine = env.priority(words, env.tables.procs[env.pid]);
    (0..env.model.nr_pr(words)).all(|pid| {
        let process = env.tables.procs[pid];
        let other = env.of(pid, process);
        pid == env.pid
            || env.priority(words, process) <= mine
            || !other.is_provided(words, process.template)
            || !other.can_move(words)
    })
}
