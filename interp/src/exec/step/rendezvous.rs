//! Rendezvous: one step of two processes. The sender moves, the message is offered to every process at a location where
//! it may receive it, and control goes to the receiver.
//!
//! A receive that opens a `d_step` takes part with the whole `d_step`. Like any `d_step`, this one begins with its first
//! executable option: it accepts only if that is the receive.

use std::ops::ControlFlow;

use cranelift_entity::EntityRef;

use super::atomic::Frame;
use super::trial::{Trial, next_edge};
use super::walker::Walker;
use super::{Move, Scratch, Sink};
use crate::code::program::{Argument, Block, Edge, Guard, Node, Send};
use crate::exec::effect::MessageEvent;
use crate::exec::eval::{Env, Ready};
use crate::ids::EdgeId;
use crate::violation::ViolationKind;
use statespace::Word;

/// A message on offer: the sender has moved, in the state above `level`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offer {
    level: usize,
    sender: usize,
    /// The edge that sends.
    edge: EdgeId,
    send: u32,
    chan: i32,
    /// Where its fields begin among all messages on offer.
    message: usize,
    /// The process that may accept; those with smaller numbers follow.
    candidate: usize,
    /// How far its edges have been tried.
    partner: Option<Trial>,
    /// Some process has accepted the message.
    accepted: bool,
}

/// How a process accepts what is offered.
#[derive(Clone, Copy)]
pub struct Acceptance {
    /// Index into [`crate::code::program::Program::receives`].
    pub(crate) receive: u32,
    /// If it opens a `d_step`: which, and the edge inside.
    d_step: Option<(u32, EdgeId)>,
}

impl<S: Sink> Walker<'_, S> {
    /// The first half of a rendezvous: the sender moves and its message is on offer, as a frame on top. Whether it is.
    pub(super) fn offer(
        &mut self,
        level: usize,
        trial: &mut Trial,
        index: EdgeId,
        edge: &Edge,
        send: u32,
    ) -> ControlFlow<(), bool> {
        if !self.has_partner(level, trial.pid, send) {
            trial.escape = 0;
            return ControlFlow::Continue(false);
        }
        self.reserve(level + 3);
        self.push(trial, index);
        let message = self.scratch.messages.len();
        let Some(chan) = self.send(level, trial, edge, send) else {
            self.repeat_state(level);
            self.report_errors(trial.pid)?;
            self.scratch.path.pop();
            self.scratch.messages.truncate(message);
            return ControlFlow::Continue(false);
        };
        let candidate = self.model.nr_pr(&self.scratch.levels[level + 1].words);
        let (sender, edge) = (trial.pid, index);
        let offer = Offer { level, sender, edge, send, chan, message, candidate, partner: None, accepted: false };
        self.scratch.frames.push(Frame::Offer(offer));
        ControlFlow::Continue(true)
    }

    /// The next handshake of the offer on top, or its end; whether it ended and was accepted.
    pub(super) fn meet(&mut self, mut offer: Offer) -> ControlFlow<(), bool> {
        let (model, half) = (self.model, offer.level + 1);
        while let Some((partner, index, acceptance)) = self.next_partner(&mut offer)? {
            let edge = &model.program.edges[index];
            offer.accepted = true;
            self.scratch.executed.mark(index);
            self.push(&partner, index);
            self.hand_over(&offer, &partner, edge, acceptance)?;
            let top = self.scratch.frames.len() - 1;
            self.scratch.frames[top] = Frame::Offer(offer);
            if self.report_errors(partner.pid)? {
                match edge.atomic {
                    true => {
                        self.enter(half + 1, partner.pid, edge.span)?;
                        return ControlFlow::Continue(false);
                    }
                    false => self.successor(half + 1)?,
                }
            }
            self.scratch.path.pop();
        }
        self.scratch.frames.pop();
        self.scratch.path.pop();
        self.scratch.messages.truncate(offer.message);
        if let Some(&Frame::Control(mut trial, level)) = self.scratch.frames.last() {
            self.settle(&mut trial, offer.edge, offer.accepted);
            let top = self.scratch.frames.len() - 1;
            self.scratch.frames[top] = Frame::Control(trial, level);
        }
        ControlFlow::Continue(offer.accepted)
    }

    /// What follows for the sender from whether its offer was accepted.
    pub(super) fn settle(&mut self, trial: &mut Trial, index: EdgeId, accepted: bool) {
        if accepted {
            self.scratch.executed.mark(index);
            trial.fired = true;
            trial.escape = self.model.program.edges[index].escape;
        } else {
            // As in SPIN, after an offer that no process accepts the edges are tried that an escape before it has ruled out.
            trial.escape = 0;
        }
    }

    /// The next process that accepts the offer, by which edge, and how.
    fn next_partner(&mut self, offer: &mut Offer) -> ControlFlow<(), Option<(Trial, EdgeId, Acceptance)>> {
        loop {
            let Some(mut partner) = offer.partner else {
                if offer.candidate == 0 {
                    return ControlFlow::Continue(None);
                }
                offer.candidate -= 1;
                // Only the sender has moved.
                let may_accept = self.location(offer.level, offer.candidate).accepts.may_contain(offer.chan);
                if may_accept && offer.candidate != offer.sender {
                    offer.partner = self.trial(offer.level + 1, offer.candidate, false)?;
                }
                continue;
            };
            let next = next_edge(self.model, &mut partner);
            offer.partner = next.map(|_| partner);
            let Some((index, edge)) = next else { continue };
            let acceptance = self.acceptance(offer, edge);
            if let Some(fault) = self.scratch.errors.fault.take() {
                self.push(&partner, index);
                self.repeat_state(offer.level + 1);
                self.report(fault.kind, Some(partner.pid), Some(fault.span))?;
                self.scratch.path.pop();
                continue;
            }
            if let Some(acceptance) = acceptance {
                self.determinism(&partner, edge)?;
                (partner.fired, partner.escape) = (true, edge.escape);
                offer.partner = Some(partner);
                return ControlFlow::Continue(Some((partner, index, acceptance)));
            }
        }
    }

    /// Whether some process may be at a location where it receives what is sent. It is known if the channel is constant. A
    /// message whose evaluation may fail is always offered, so that its violation is reported.
    fn has_partner(&self, level: usize, sender: usize, send: u32) -> bool {
        let program = &self.model.program;
        let send = &program.sends[send as usize];
        let (Node::Const(chan), true) = (&program.nodes[send.chan], send.is_total) else { return true };
        let processes = self.model.nr_pr(&self.scratch.levels[level].words);
        (0..processes).any(|pid| pid != sender && self.location(level, pid).accepts.may_contain(*chan))
    }

    /// Moves the sender, and puts its message behind those on offer. Returns the channel's number.
    fn send(&mut self, level: usize, trial: &Trial, edge: &Edge, send: u32) -> Option<i32> {
        let model = self.model;
        let Scratch { levels, errors, messages, .. } = &mut *self.scratch;
        let (below, above) = levels.split_at_mut(level + 1);
        let (from, half) = (&below[level], &mut above[0]);
        let process = from.tables.procs[trial.pid];
        let env = Env::new(model, &from.tables, trial.pid, process.base, errors);
        let number = env.offered(&from.words, &model.program.sends[send as usize], messages)?;
        half.words.clone_from(&from.words);
        if let Some(to) = edge.to {
            model.layout.templates[process.template].pc.set(&mut half.words, process.base, to.index() as i32);
        }
        model.locate(&half.words, &mut half.tables);
        Some(number)
    }

    /// How the candidate accepts the message by an edge, if it does. A pattern that cannot be evaluated is a fault.
    fn acceptance(&self, offer: &Offer, edge: &Edge) -> Option<Acceptance> {
        let half = offer.level + 1;
        let env = self.env(half, offer.candidate, false);
        env.acceptance(&self.scratch.levels[half].words, edge, offer.chan, &self.scratch.messages[offer.message..])
    }

    /// The second half of a rendezvous: the receiver has the message and has moved.
    fn hand_over(&mut self, offer: &Offer, partner: &Trial, edge: &Edge, acceptance: Acceptance) -> ControlFlow<()> {
        let model = self.model;
        let bytes = if acceptance.d_step.is_some() { self.scratch.bytes() } else { 0 };
        let Scratch { levels, errors, messages, executed, .. } = &mut *self.scratch;
        let (below, above) = levels.split_at_mut(offer.level + 2);
        let (from, next) = (&below[offer.level + 1], &mut above[0].words);
        next.clone_from(&from.words);
        let process = from.tables.procs[partner.pid];
        let env = Env::new(model, &from.tables, partner.pid, process.base, errors);
        let mut env = Env { executed: Some(executed), ..env };
        let message = &messages[offer.message..];
        let receive = &model.program.receives[acceptance.receive as usize];
        let is_watched = model.program.events.is_some() || !model.program.exclusives.is_empty();
        if is_watched && receive.args.len() == message.len() {
            let span = model.program.sends[offer.send as usize].span;
            let sent = MessageEvent { chan: offer.chan, is_send: true, message, span };
            env.of(offer.sender, from.tables.procs[offer.sender]).watch(next, &sent);
            env.watch(next, &MessageEvent { is_send: false, span: receive.span, ..sent });
        }
        env.complete(next, acceptance, message, &mut || self.sink.working(bytes))?;
        if let Some(to) = edge.to {
            model.layout.templates[process.template].pc.set(next, process.base, to.index() as i32);
        }
        if let Some(last) = model.layout.last {
            last.set(next, 0, partner.pid as i32);
        }
        ControlFlow::Continue(())
    }
}

impl Env<'_> {
    /// Adds the fields of the message that a statement offers to `message`, and returns the number of its channel; `None`
    /// in case of an error.
    pub fn offered(&self, words: &[Word], send: &Send, message: &mut Vec<i32>) -> Option<i32> {
        let number = self.eval(words, send.chan);
        let chan = self.channel(words, send.chan)?;
        if send.args.len() != chan.shape.fields.len() {
            self.fail(ViolationKind::MessageArity, send.chan);
            return None;
        }
        for (&arg, field) in send.args.iter().zip(&chan.shape.fields) {
            let value = self.eval(words, arg);
            #[cfg(debug_assertions)]
            if self.errors.fault.get().is_none() {
                field.assert_holds(value);
            }
            message.push(field.cut(value));
        }
        self.errors.fault.get().is_none().then_some(number)
    }

    /// How the process accepts a message by an edge, if it does.
    pub fn acceptance(&self, words: &[Word], edge: &Edge, chan: i32, message: &[i32]) -> Option<Acceptance> {
        if let Guard::DStep(d_step) = edge.guard {
            let program = &self.model.program;
            let graph = &program.d_steps[d_step as usize];
            for id in graph.locations[graph.start].edges() {
                let inside = &program.edges[id];
                if let Some(acceptance) = self.acceptance(words, inside, chan, message) {
                    return Some(Acceptance { d_step: Some((d_step, id)), ..acceptance });
                }
                if self.errors.fault.get().is_some() {
                    return None;
                }
                let is_other = self.ready(words, inside, false) != Ready::No;
                // An error in another option is reported where the d_step is tried on its own.
                if self.errors.fault.take().is_some() || is_other {
                    return None;
                }
            }
            return None;
        }
        let receive = edge.guard.receive()?;
        let pattern = &self.model.program.receives[receive as usize];
        let is_same_channel = self.eval(words, pattern.chan) == chan && !pattern.copy;
        // An error in the channel's expression is reported where the receive is tried on its own.
        let fits = self.errors.fault.take().is_none()
            && is_same_channel
            && pattern.args.iter().zip(message).all(|(arg, &value)| match *arg {
                Argument::Match(node) => self.eval(words, node) == value,
                Argument::Bind(_) | Argument::Any => true,
            });
        fits.then_some(Acceptance { receive, d_step: None })
    }

    /// Stores the message in the variables of the receive, and executes the rest of its `d_step`.
    pub fn complete(
        &mut self,
        words: &mut Vec<Word>,
        acceptance: Acceptance,
        message: &[i32],
        keep_going: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let program = &self.model.program;
        let receive = &program.receives[acceptance.receive as usize];
        if receive.args.len() != message.len() {
            self.fail(ViolationKind::MessageArity, receive.chan);
            return ControlFlow::Continue(());
        }
        for (arg, &value) in receive.args.iter().zip(message) {
            if let Argument::Bind(target) = *arg {
                self.bind(words, target, value);
            }
        }
        let Some((d_step, first)) = acceptance.d_step else { return ControlFlow::Continue(()) };
        self.mark(first);
        let Edge { effect, to, .. } = program.edges[first];
        // Its effect begins with the receive.
        self.run_block(words, Block { start: effect.start + 1, ..effect });
        match to {
            Some(to) if self.errors.fault.get().is_none() => self.run_d_step(words, d_step, to, None, keep_going),
            _ => ControlFlow::Continue(()),
        }
    }

    /// How the process accepts in the move `a_move` what the move before it has offered, and the message.
    pub(crate) fn acceptance_after(
        &self,
        words: &[Word],
        offer: &Move,
        a_move: &Move,
    ) -> Option<(Acceptance, Vec<i32>)> {
        let program = &self.model.program;
        let send = &program.sends[program.edges[offer.edge].guard.send()? as usize];
        let sender = usize::from(offer.pid);
        let mut message = Vec::new();
        let chan = self.of(sender, *self.tables.procs.get(sender)?).offered(words, send, &mut message)?;
        self.acceptance(words, &program.edges[a_move.edge], chan, &message).map(|acceptance| (acceptance, message))
    }
}
