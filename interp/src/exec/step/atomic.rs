//! Atomic sequences, without recursion: a stack of frames, one per move after which a process keeps control, or a message
//! is on offer.
//!
//! A sequence that never ends repeats a state with the same process in control; Brent's cycle detection finds it (Brent,
//! "An Improved Monte Carlo Factorization Algorithm", BIT 1980).

use std::ops::ControlFlow;

use cranelift_entity::EntityRef;

use super::Sink;
use super::rendezvous::Offer;
use super::scratch::Level;
use super::trial::{Trial, next_edge};
use super::walker::Walker;
use crate::exec::eval::Ready;
use crate::ids::TemplateId;
use crate::violation::ViolationKind;
use promela::source::Span;

/// What is being tried at one point of the path. Each frame belongs to a move of the path.
#[derive(Clone, Copy, Debug)]
pub(super) enum Frame {
    /// The steps of the process that has control in the state at a level.
    Control(Trial, usize),
    /// The processes that may take what is offered in a rendezvous.
    Offer(Offer),
}

/// A state of the path with which later ones are compared: if it recurs, the atomic sequence never ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Anchor {
    pub(super) level: usize,
    /// The process that has control.
    pub(super) pid: usize,
}

impl<S: Sink> Walker<'_, S> {
    /// All paths that continue from the frames: through atomic sequences, up to the states where control is lost, and
    /// through the handshakes of an offer. Whether the last frame was an offer that a process accepted.
    pub(super) fn explore(&mut self) -> ControlFlow<(), bool> {
        let mut accepted = false;
        while let Some(&frame) = self.scratch.frames.last() {
            self.poll()?;
            accepted = match frame {
                Frame::Control(trial, level) => {
                    self.advance(trial, level)?;
                    false
                }
                Frame::Offer(offer) => self.meet(offer)?,
            };
        }
        ControlFlow::Continue(accepted)
    }

    /// Tries the next edge of the process that has control.
    pub(super) fn advance(&mut self, mut trial: Trial, level: usize) -> ControlFlow<()> {
        let top = self.scratch.frames.len() - 1;
        let Some((index, edge)) = next_edge(self.model, &mut trial) else {
            self.scratch.frames.pop();
            if !trial.fired {
                // It blocks here: control is lost, and every process may move.
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
                self.scratch.executed.mark(index);
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
    pub(super) fn enter(&mut self, level: usize, pid: usize, span: Span) -> ControlFlow<()> {
        self.reserve(level + 2);
        let here = Anchor { level, pid };
        match self.anchor {
            Some(anchor) if anchor.pid == pid && self.is_same(anchor.level, level) => {
                self.report(ViolationKind::EndlessAtomic, Some(pid), Some(span))?;
                self.is_endless = true;
                return ControlFlow::Break(());
            }
            // The state compared with moves up as the path doubles.
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
    pub(super) fn leave(&mut self, level: usize) {
        if self.anchor.is_some_and(|anchor| anchor.level >= level) {
            self.anchor = self.scratch.frames.iter().rev().find_map(|frame| match *frame {
                Frame::Control(trial, level) => Some(Anchor { level, pid: trial.pid }),
                Frame::Offer(_) => None,
            });
        }
    }

    pub(super) fn is_same(&self, one: usize, other: usize) -> bool {
        self.scratch.levels[one].words == self.scratch.levels[other].words
    }
}
