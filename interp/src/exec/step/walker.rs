//! The steps of a state, process by process, and what one move does.
//!
//! Processes are tried from the youngest to the oldest, edges in the order of the program. Invariant: the order of events
//! depends on the state alone, so that an event number means the same step whenever the state is expanded.

use std::ops::ControlFlow;

use cranelift_entity::EntityRef;

use super::atomic::Anchor;
use super::cluster::Pids;
use super::scratch::{KEPT_LEVELS, Level};
use super::trial::{Trial, next_edge};
use super::{Move, Path, Scratch, Sink};
use crate::code::flow::LocationFlags;
use crate::code::program::{Edge, Guard};
use crate::exec::dispatch::LocationInfo;
use crate::exec::eval::{Env, Ready};
use crate::exec::reduction::Reduction;
use crate::exec::transition_cache::CacheLookup;
use crate::ids::EdgeId;
use crate::model::Model;
use crate::violation::{Violation, ViolationKind};
use promela::source::Span;
use statespace::Word;

/// Trials, or successors, between two calls of [`Sink::working`].
pub(super) const POLL_INTERVAL: u32 = 1 << 10;

/// One expansion.
pub(super) struct Walker<'w, S> {
    pub(super) model: &'w Model,
    pub(super) scratch: &'w mut Scratch,
    pub(super) sink: &'w mut S,
    /// What is left out, if anything is.
    reduction: Option<&'w Reduction>,
    /// The state that later ones inside an atomic sequence are compared with.
    pub(super) anchor: Option<Anchor>,
    /// Trials until the next call of [`Sink::working`].
    pub(super) until_poll: u32,
    /// An atomic sequence never ends, which ends the steps of its process.
    pub(super) is_endless: bool,
}

impl<'w, S: Sink> Walker<'w, S> {
    /// Puts a state on level 0.
    pub(super) fn new(
        model: &'w Model,
        reduction: Option<&'w Reduction>,
        state: &[Word],
        scratch: &'w mut Scratch,
        sink: &'w mut S,
    ) -> Self {
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
            model.locate(state, &mut level.tables);
        }
        scratch.path.clear();
        scratch.frames.clear();
        scratch.messages.clear();
        scratch.cache.discard();
        let Scratch { levels, locations, .. } = &mut *scratch;
        let Level { words, tables } = &levels[0];
        let processes = &tables.procs[..model.nr_pr(words)];
        locations.clear();
        locations.extend(processes.iter().map(|&process| model.dispatch.location(words, process)));
        Walker { model, scratch, sink, reduction, anchor: None, until_poll: POLL_INTERVAL, is_endless: false }
    }
}

impl<S: Sink> Walker<'_, S> {
    /// All steps of the state at level 0; or those of a cluster alone, if they suffice.
    pub(super) fn state(&mut self) -> ControlFlow<()> {
        let processes = self.model.nr_pr(&self.scratch.levels[0].words);
        let mut rest = Pids::below(processes);
        let mut moved = false;
        if let Some(reduction) = self.reduction {
            let tried;
            (moved, tried) = self.cluster(reduction, false)?;
            if moved && self.sink.suffices() {
                return ControlFlow::Continue(());
            }
            rest = rest.difference(tried);
        }
        for timeout in [false, true] {
            moved |= self.steps_of(rest, timeout)?;
            if moved || processes == 0 {
                return ControlFlow::Continue(());
            }
            rest = Pids::below(processes);
        }
        match self.stuck(processes) {
            true => self.report(ViolationKind::InvalidEndState, None, None),
            false => ControlFlow::Continue(()),
        }
    }

    /// The steps of the first cluster that can move: whether there is one, and whose steps have been tried. `is_single`: only
    /// clusters matter that may have a single step.
    pub(super) fn cluster(&mut self, reduction: &Reduction, is_single: bool) -> ControlFlow<(), (bool, Pids)> {
        self.scratch.find_clusters(self.model, reduction, is_single);
        let mut tried = Pids::default();
        while let Some(cluster) = self.scratch.clusters.next() {
            let moved = self.steps_of(cluster.difference(tried), false)?;
            tried = tried.union(cluster);
            if moved {
                return ControlFlow::Continue((true, tried));
            }
        }
        ControlFlow::Continue((false, tried))
    }

    /// All steps of these processes, from the youngest to the oldest; whether there are any.
    fn steps_of(&mut self, mut pids: Pids, timeout: bool) -> ControlFlow<(), bool> {
        let mut moved = false;
        while let Some(pid) = pids.pop() {
            moved |= match timeout || S::WANTS_MOVES {
                true => self.process(pid, timeout)?,
                false => self.cached_steps(pid)?,
            };
        }
        ControlFlow::Continue(moved)
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

    /// The same as `process`, from the transition cache if possible.
    #[inline]
    fn cached_steps(&mut self, pid: usize) -> ControlFlow<(), bool> {
        let Scratch { levels, locations, cache, .. } = &mut *self.scratch;
        let LocationInfo { is_passive, view, .. } = locations[pid];
        if is_passive {
            return ControlFlow::Continue(false);
        }
        let Some(view) = view else { return self.process(pid, false) };
        match cache.lookup(&self.model.dispatch.views, pid, view, &levels[0].words) {
            CacheLookup::Hit(mut steps) => {
                let (ground, above) = levels.split_at_mut(1);
                let next = &mut above[0].words;
                while !steps.is_empty() {
                    next.clone_from(&ground[0].words);
                    cache.take(&mut steps, next);
                    self.sink.successor(next, Path { moves: &[], levels: &[] })?;
                }
                ControlFlow::Continue(steps.moved())
            }
            CacheLookup::Miss => {
                let moved = self.process(pid, false)?;
                self.scratch.cache.end(moved);
                ControlFlow::Continue(moved)
            }
            CacheLookup::Off => self.process(pid, false),
        }
    }

    /// All steps of one process from level 0; whether there were any. An endless sequence among them ends its other steps,
    /// but not those of other processes.
    pub(super) fn process(&mut self, pid: usize, timeout: bool) -> ControlFlow<(), bool> {
        match self.edges(pid, timeout) {
            // The sink has not ended the walk: an endless sequence has.
            ControlFlow::Break(()) if self.is_endless => {
                self.is_endless = false;
                self.anchor = None;
                self.scratch.path.clear();
                self.scratch.frames.clear();
                self.scratch.messages.clear();
                ControlFlow::Continue(true)
            }
            done => done,
        }
    }

    fn edges(&mut self, pid: usize, timeout: bool) -> ControlFlow<(), bool> {
        if self.scratch.locations[pid].is_passive {
            return ControlFlow::Continue(false);
        }
        let Some(mut trial) = self.trial(0, pid, timeout)? else { return ControlFlow::Continue(false) };
        while let Some((index, edge)) = next_edge(self.model, &mut trial) {
            match self.ready(0, &trial, index, edge, timeout)? {
                Ready::No => {}
                ready @ (Ready::Yes | Ready::DStep(_)) => {
                    self.determinism(&trial, edge)?;
                    self.scratch.executed.mark(index);
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
                    if timeout {
                        // An offer does not depend on `timeout`: no process accepted it when it was first tried.
                        trial.escape = 0;
                    } else if self.offer(0, &mut trial, index, edge, send)? {
                        let accepted = self.explore()?;
                        self.settle(&mut trial, index, accepted);
                    }
                }
            }
        }
        ControlFlow::Continue(trial.fired)
    }

    /// Takes an edge from the state at `level` into the next level; whether there is a state to continue from.
    pub(super) fn apply(
        &mut self,
        level: usize,
        trial: &mut Trial,
        edge: &Edge,
        ready: Ready,
        timeout: bool,
    ) -> ControlFlow<(), bool> {
        let model = self.model;
        // Only a d_step can take long.
        let bytes = if matches!(ready, Ready::DStep(_)) { self.scratch.bytes() } else { 0 };
        let Scratch { levels, errors, executed, .. } = &mut *self.scratch;
        let (below, above) = levels.split_at_mut(level + 1);
        let (from, next) = (&below[level], &mut above[0].words);
        next.clone_from(&from.words);
        let process = from.tables.procs[trial.pid];
        let env = Env::new(model, &from.tables, trial.pid, process.base, errors);
        let mut env = Env { timeout, executed: Some(executed), ..env };
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
        self.report_errors(trial.pid)
    }

    /// After a move that failed before it changed anything: the next level gets the same state.
    pub(super) fn repeat_state(&mut self, level: usize) {
        self.reserve(level + 1);
        let (below, above) = self.scratch.levels.split_at_mut(level + 1);
        above[0].words.clone_from(&below[level].words);
    }

    /// Makes sure that there is a buffer for `level`.
    pub(super) fn reserve(&mut self, level: usize) {
        if level >= self.scratch.levels.len() {
            self.scratch.levels.resize_with(level + 1, Level::default);
        }
    }

    /// Reports the violations of the last move; whether the move is a step all the same.
    #[inline]
    pub(super) fn report_errors(&mut self, pid: usize) -> ControlFlow<(), bool> {
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

    /// Calls the sink now and then, which may end the walk.
    #[inline]
    pub(super) fn poll(&mut self) -> ControlFlow<()> {
        self.until_poll -= 1;
        if self.until_poll == 0 {
            self.until_poll = POLL_INTERVAL;
            self.sink.working(self.scratch.bytes())?;
        }
        ControlFlow::Continue(())
    }

    #[inline]
    pub(super) fn push(&mut self, trial: &Trial, edge: EdgeId) {
        self.scratch.path.push(Move { pid: trial.pid as u8, template: trial.template, edge });
    }

    #[inline]
    pub(super) fn successor(&mut self, level: usize) -> ControlFlow<()> {
        if let Some(reduction) = self.reduction {
            self.scratch.clear(self.model, reduction, level);
        }
        let Scratch { levels, path, cache, cleared, .. } = &mut *self.scratch;
        cache.step(&self.model.dispatch.views, path, cleared, &levels[0].words, &levels[level].words);
        self.sink.successor(&levels[level].words, Path { moves: path, levels })
    }

    #[inline(never)]
    pub(super) fn report(&mut self, kind: ViolationKind, pid: Option<usize>, span: Option<Span>) -> ControlFlow<()> {
        let violation = Violation { kind, pid: pid.map(|pid| pid as u8), span };
        self.scratch.cache.discard();
        let Scratch { levels, path, .. } = &*self.scratch;
        self.sink.violation(violation, Path { moves: path, levels })
    }

    /// Where a process is in the state at `level`.
    #[inline]
    pub(super) fn location(&self, level: usize, pid: usize) -> LocationInfo {
        if level == 0 {
            return self.scratch.locations[pid];
        }
        let Level { words, tables } = &self.scratch.levels[level];
        self.model.dispatch.location(words, tables.procs[pid])
    }

    #[inline]
    pub(super) fn env(&self, level: usize, pid: usize, timeout: bool) -> Env<'_> {
        let tables = &self.scratch.levels[level].tables;
        let base = tables.procs[pid].base;
        Env { timeout, ..Env::new(self.model, tables, pid, base, &self.scratch.errors) }
    }
}
