//! All steps out of a state: interleaving, rendezvous, atomic sequences, timeout, and what is wrong with any of them.
//!
//! A stored state has nobody inside an atomic sequence with control: the states in between are passed through, path by
//! path, and only the state in which the sequence ends or blocks is reported. A rendezvous is one step of two processes;
//! control goes to the receiver. This is how SPIN's verifier walks, so that the numbers of states and steps are its.
//!
//! A *level* is one state on the path from the stored state.

mod rendezvous;

use std::ops::ControlFlow;

use cranelift_entity::EntityRef;

use crate::code::{Edge, Guard};
use crate::compare::compare;
use crate::dispatch::Spot;
use crate::eval::{Env, Ready};
use crate::flow::LocationFlags;
use crate::ids::{ClassId, EdgeId};
use crate::memo::{Memo, Recalled};
use crate::model::{Model, Tables, Trouble};
use crate::space::{StateSpace, Visit, Word};
use crate::violation::{Violation, ViolationKind};
use promela::source::Span;

/// One statement executed by one process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// The process.
    pub pid: u8,
    /// Its code.
    pub class: ClassId,
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
    /// The expansion goes on for long; its buffers hold so many bytes now. `Break` ends it.
    #[inline]
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
    spots: Vec<Spot>,
    path: Vec<Move>,
    frames: Vec<Frame>,
    messages: Vec<i32>,
    trouble: Trouble,
    memo: Memo,
}

/// How far the trial of a location's edges has come.
#[derive(Clone, Copy, Debug)]
struct Trial {
    pid: usize,
    class: ClassId,
    next: u32,
    end: u32,
    /// An edge could be taken.
    fired: bool,
    /// The escape that could, or 0.
    escape: u32,
}

/// A state inside an atomic sequence whose steps are being tried.
#[derive(Clone, Copy, Debug)]
struct Frame {
    trial: Trial,
    level: usize,
}

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

    fn initial(&self) -> Result<Vec<Word>, Violation> {
        self.initial_words()
    }

    fn expand<V: Visit<Violation>>(&self, state: &[Word], scratch: &mut Scratch, visit: &mut V) -> ControlFlow<()> {
        self.walk(state, scratch, &mut Numbered { visit, event: 0 })
    }
}

/// Numbers events for a search, which has no use for paths.
struct Numbered<'v, V> {
    visit: &'v mut V,
    event: u32,
}

impl<V: Visit<Violation>> Sink for Numbered<'_, V> {
    const WANTS_MOVES: bool = false;

    #[inline]
    fn successor(&mut self, next: &[Word], _path: Path) -> ControlFlow<()> {
        self.event += 1;
        self.visit.successor(self.event - 1, next)
    }

    fn violation(&mut self, violation: Violation, _path: Path) -> ControlFlow<()> {
        self.event += 1;
        self.visit.violation(self.event - 1, violation)
    }

    fn working(&mut self, bytes: usize) -> ControlFlow<()> {
        self.visit.working(bytes)
    }
}

impl Model {
    /// Reports every step out of `state` with the moves it consists of.
    pub fn walk<S: Sink>(&self, state: &[Word], scratch: &mut Scratch, sink: &mut S) -> ControlFlow<()> {
        self.walker(state, scratch, sink).state()
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
        let ground = &mut scratch.levels[0];
        ground.words.clear();
        ground.words.extend_from_slice(state);
        for level in &mut scratch.levels[..3] {
            self.locate(state, &mut level.tables);
        }
        scratch.path.clear();
        scratch.frames.clear();
        scratch.messages.clear();
        scratch.memo.spoil();
        let Scratch { levels, spots, .. } = &mut *scratch;
        let Level { words, tables } = &levels[0];
        let processes = &tables.procs[..self.nr_pr(words)];
        spots.clear();
        spots.extend(processes.iter().map(|&process| self.dispatch.spot(words, process)));
        Walker { model: self, scratch, sink, handovers: 0 }
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
    handovers: usize,
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
        let env = Env::new(self.model, tables, 0, 0, &self.scratch.trouble);
        let may_stop = |pid: usize| {
            let process = tables.procs[pid];
            let graph = &self.model.program.classes[process.class].graph;
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
        let Scratch { levels, memo, .. } = &mut *self.scratch;
        match memo.recall(&self.model.dispatch.footprints, pid, view, &levels[0].words) {
            Recalled::Known(mut steps) => {
                let (ground, above) = levels.split_at_mut(1);
                let next = &mut above[0].words;
                while !steps.is_empty() {
                    next.clone_from(&ground[0].words);
                    memo.take(&mut steps, next);
                    self.sink.successor(next, Path { moves: &[], levels: &[] })?;
                }
                ControlFlow::Continue(steps.moved)
            }
            Recalled::New => {
                let moved = self.process(pid, false)?;
                self.scratch.memo.end(moved);
                ControlFlow::Continue(moved)
            }
            Recalled::NotWorth => self.process(pid, false),
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
                    if self.apply(0, &mut trial, edge, ready, timeout)? {
                        match edge.atomic {
                            true => self.atomic(1, pid)?,
                            false => self.successor(1)?,
                        }
                    }
                    self.scratch.path.pop();
                }
                Ready::Rendezvous(send) => {
                    self.determinism(&trial, edge)?;
                    self.rendezvous(0, &mut trial, index, edge, send)?;
                }
            }
        }
        ControlFlow::Continue(trial.fired)
    }

    /// All ways on through an atomic sequence in which `pid` has control, up to the states where it loses it.
    fn atomic(&mut self, level: usize, pid: usize) -> ControlFlow<()> {
        let bottom = self.scratch.frames.len();
        let base = level;
        // A state met again on the way will be met for ever; the state compared with moves up as the path doubles.
        let mut anchor = level;
        self.enter(level, pid)?;
        while self.scratch.frames.len() > bottom {
            let top = self.scratch.frames.len() - 1;
            let Frame { mut trial, level } = self.scratch.frames[top];
            let Some((index, edge)) = next_edge(self.model, &mut trial) else {
                self.scratch.frames.pop();
                if !trial.fired {
                    // It blocks here: control is lost, and everybody may move.
                    self.successor(level)?;
                }
                if self.scratch.frames.len() > bottom {
                    self.scratch.path.pop();
                }
                // Only a state on the way here may be compared with, and this one no longer is.
                anchor = anchor.min(level.saturating_sub(1).max(base));
                continue;
            };
            match self.ready(level, &trial, index, edge, false)? {
                Ready::No => {}
                ready @ (Ready::Yes | Ready::DStep(_)) => {
                    self.determinism(&trial, edge)?;
                    self.model.coverage.mark(index);
                    self.push(&trial, index);
                    let applied = self.apply(level, &mut trial, edge, ready, false)?;
                    self.scratch.frames[top].trial = trial;
                    if applied && edge.atomic {
                        if self.scratch.levels[level + 1].words == self.scratch.levels[anchor].words {
                            self.report(ViolationKind::EndlessAtomic, Some(trial.pid), Some(edge.span))?;
                        } else {
                            self.enter(level + 1, trial.pid)?;
                            if level + 1 >= 2 * anchor.max(8) {
                                anchor = level + 1;
                            }
                            continue;
                        }
                    } else if applied {
                        self.successor(level + 1)?;
                    }
                    self.scratch.path.pop();
                    continue;
                }
                Ready::Rendezvous(send) => {
                    self.determinism(&trial, edge)?;
                    self.rendezvous(level, &mut trial, index, edge, send)?;
                }
            }
            self.scratch.frames[top].trial = trial;
        }
        ControlFlow::Continue(())
    }

    /// Starts trying the steps of `pid`, which has control in the state at `level`.
    fn enter(&mut self, level: usize, pid: usize) -> ControlFlow<()> {
        self.reach(level + 2);
        let Level { words, tables } = &mut self.scratch.levels[level];
        self.model.locate(words, tables);
        let stuck = Trial { pid, class: ClassId::new(0), next: 0, end: 0, fired: false, escape: 0 };
        let trial = self.trial(level, pid, false)?.unwrap_or(stuck);
        self.scratch.frames.push(Frame { trial, level });
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
        let Spot { first, end, .. } = self.spot(level, pid);
        let trial = Trial { pid, class: process.class, next: first, end, fired: false, escape: 0 };
        ControlFlow::Continue(Some(trial))
    }

    /// Whether neither a `provided` clause nor a higher priority holds the process back.
    #[inline(never)]
    fn may_move(&mut self, level: usize, pid: usize, timeout: bool) -> ControlFlow<(), bool> {
        let Level { words, tables } = &self.scratch.levels[level];
        let env = self.env(level, pid, timeout);
        let may_move = env.is_provided(words, tables.procs[pid].class) && has_highest_priority(&env, words);
        if let Some(fault) = self.scratch.trouble.fault.take() {
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
        if let Some(fault) = self.scratch.trouble.fault.take() {
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
        self.scratch.trouble.fault.take().is_some()
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
        let Scratch { levels, trouble, .. } = &mut *self.scratch;
        let (below, above) = levels.split_at_mut(level + 1);
        let (from, next) = (&below[level], &mut above[0].words);
        next.clone_from(&from.words);
        let process = from.tables.procs[trial.pid];
        let mut env = Env { timeout, ..Env::new(model, &from.tables, trial.pid, process.base, trouble) };
        match (edge.guard, ready) {
            (Guard::End, _) => model.kill_youngest(next, process),
            (Guard::DStep(d_step), Ready::DStep(first)) => env.run_d_step(next, d_step, Some(first)),
            _ => {
                if !env.run_block(next, edge.effect) {
                    return ControlFlow::Continue(false);
                }
            }
        }
        if let Some(to) = edge.to {
            model.layout.classes[process.class].pc.set(next, process.base, to.index() as i32);
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
        if !self.scratch.trouble.noted.get_mut().is_empty() {
            for fault in self.scratch.trouble.noted.take() {
                self.report(fault.kind, Some(pid), Some(fault.span))?;
            }
        }
        if let Some(fault) = self.scratch.trouble.fault.take() {
            self.report(fault.kind, Some(pid), Some(fault.span))?;
            return ControlFlow::Continue(false);
        }
        ControlFlow::Continue(true)
    }

    /// Where a process stands in the state at `level`.
    #[inline]
    fn spot(&self, level: usize, pid: usize) -> Spot {
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
        if trial.fired && !plain && self.model.program.classes[trial.class].deterministic {
            self.report(ViolationKind::Nondeterminism, Some(trial.pid), Some(edge.span))?;
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn push(&mut self, trial: &Trial, edge: EdgeId) {
        self.scratch.path.push(Move { pid: trial.pid as u8, class: trial.class, edge });
    }

    #[inline]
    fn successor(&mut self, level: usize) -> ControlFlow<()> {
        let Scratch { levels, path, memo, .. } = &mut *self.scratch;
        memo.step(&self.model.dispatch.footprints, path, &levels[0].words, &levels[level].words);
        self.sink.successor(&levels[level].words, Path { moves: path, levels })
    }

    #[inline(never)]
    fn report(&mut self, kind: ViolationKind, pid: Option<usize>, span: Option<Span>) -> ControlFlow<()> {
        let violation = Violation { kind, pid: pid.map(|pid| pid as u8), span };
        self.scratch.memo.spoil();
        let Scratch { levels, path, .. } = &*self.scratch;
        self.sink.violation(violation, Path { moves: path, levels })
    }

    #[inline]
    fn env(&self, level: usize, pid: usize, timeout: bool) -> Env<'_> {
        let tables = &self.scratch.levels[level].tables;
        let base = tables.procs[pid].base;
        Env { timeout, ..Env::new(self.model, tables, pid, base, &self.scratch.trouble) }
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
            || !other.is_provided(words, process.class)
            || !other.can_move(words)
    })
}
