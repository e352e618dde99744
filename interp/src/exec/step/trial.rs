//! Which edges of a process can be taken: `provided` clauses and priorities first, then edge by edge in trial order.
//!
//! Once an edge of an escape can be taken, only edges of the same escape follow; `else` can be taken if no edge before it
//! could.

use std::ops::ControlFlow;

use super::Sink;
use super::scratch::Level;
use super::walker::Walker;
use crate::code::compare::compare;
use crate::code::program::{Edge, Guard};
use crate::exec::dispatch::LocationInfo;
use crate::exec::eval::{Env, Ready};
use crate::ids::{EdgeId, TemplateId};
use crate::model::Model;
use crate::violation::ViolationKind;
use statespace::Word;

/// How far the trial of a location's edges has come.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trial {
    pub(super) pid: usize,
    pub(super) template: TemplateId,
    pub(super) next: u32,
    pub(super) end: u32,
    /// Some edge could be taken.
    pub(super) fired: bool,
    /// The escape that could, or 0.
    pub(super) escape: u32,
}

impl<S: Sink> Walker<'_, S> {
    /// The edges of a process that may be tried at all.
    #[inline]
    pub(super) fn trial(&mut self, level: usize, pid: usize, timeout: bool) -> ControlFlow<(), Option<Trial>> {
        let process = self.scratch.levels[level].tables.procs[pid];
        if self.model.dispatch.is_gated(process) && !self.may_move(level, pid, timeout)? {
            return ControlFlow::Continue(None);
        }
        let LocationInfo { first, end, .. } = self.location(level, pid);
        let trial = Trial { pid, template: process.template, next: first, end, fired: false, escape: 0 };
        ControlFlow::Continue(Some(trial))
    }

    /// Whether neither a `provided` clause nor a higher priority holds the process back.
    #[inline(never)]
    pub(super) fn may_move(&mut self, level: usize, pid: usize, timeout: bool) -> ControlFlow<(), bool> {
        let may_move = self.is_free(level, pid, timeout);
        let Some(fault) = self.scratch.errors.fault.take() else { return ControlFlow::Continue(may_move) };
        // What goes wrong without `timeout` too was reported when the process was first tried.
        let is_known = timeout && {
            self.is_free(level, pid, false);
            self.scratch.errors.fault.take().is_some()
        };
        if !is_known {
            self.report(fault.kind, Some(pid), Some(fault.span))?;
        }
        ControlFlow::Continue(false)
    }

    fn is_free(&self, level: usize, pid: usize, timeout: bool) -> bool {
        let Level { words, tables } = &self.scratch.levels[level];
        let env = self.env(level, pid, timeout);
        env.is_provided(words, tables.procs[pid].template) && has_highest_priority(&env, words)
    }

    /// Whether an edge can be taken in the state at `level`. Many do not depend on the state.
    #[inline]
    pub(super) fn ready(
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

    /// Evaluates the guard of an edge, and reports its errors.
    pub(super) fn evaluate(
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
            self.repeat_state(level);
            self.report(fault.kind, Some(trial.pid), Some(fault.span))?;
            self.scratch.path.pop();
            return ControlFlow::Continue(Ready::No);
        }
        ControlFlow::Continue(ready)
    }

    /// Whether the guard of an edge fails without `timeout`, too.
    pub(super) fn fails_anyway(&self, level: usize, trial: &Trial, edge: &Edge) -> bool {
        self.env(level, trial.pid, false).ready(&self.scratch.levels[level].words, edge, trial.fired);
        self.scratch.errors.fault.take().is_some()
    }

    /// A `D_proctype` must not have a second executable step.
    pub(super) fn determinism(&mut self, trial: &Trial, edge: &Edge) -> ControlFlow<()> {
        // As in SPIN, jumps, skips, else and d_step do not count.
        let plain = edge.d_step
            || edge.guard == Guard::Else
            || edge.guard == Guard::True && edge.effect.start == edge.effect.end;
        if trial.fired && !plain && self.model.program.templates[trial.template].deterministic {
            self.report(ViolationKind::Nondeterminism, Some(trial.pid), Some(edge.span))?;
        }
        ControlFlow::Continue(())
    }
}

/// The next edge to try. Once a step of an escape could be taken, only steps of the same escape follow.
#[inline]
pub(super) fn next_edge<'m>(model: &'m Model, trial: &mut Trial) -> Option<(EdgeId, &'m Edge)> {
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
    if !env.model.layout.has_priorities {
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
