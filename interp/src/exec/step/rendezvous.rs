//! Rendezvous: one step of two processes. The sender moves, the message is offered to every process that stands where
//! it might receive it, and control goes to the receiver.
//!
//! A receive that opens a `d_step` takes part with the whole `d_step`. Like any `d_step`, this one begins with its first
//! executable option: it meets the sender only if that is the receive.

use std::ops::ControlFlow;

use cranelift_entity::EntityRef;

use super::{Frame, Move, Scratch, Sink, Trial, Walker, next_edge};
use crate::code::program::{Argument, Block, Edge, Guard, Node, Send};
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
    /// The process that is asked, and those with smaller numbers that still will be.
    asked: usize,
    /// How far its edges have been tried.
    partner: Option<Trial>,
    /// Somebody has taken the message.
    met: bool,
}

/// A receive that takes what is offered.
#[derive(Clone, Copy)]
pub struct Taken {
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
        self.reach(level + 3);
        self.push(trial, index);
        let message = self.scratch.messages.len();
        let Some(chan) = self.send(level, trial, edge, send) else {
            self.stay(level);
            self.troubles(trial.pid)?;
            self.scratch.path.pop();
            self.scratch.messages.truncate(message);
            return ControlFlow::Continue(false);
        };
        let asked = self.model.nr_pr(&self.scratch.levels[level + 1].words);
        let (sender, edge) = (trial.pid, index);
        let offer = Offer { level, sender, edge, send, chan, message, asked, partner: None, met: false };
        self.scratch.frames.push(Frame::Offer(offer));
        ControlFlow::Continue(true)
    }

    /// The next handshake of the offer on top, or its end; whether it ended and somebody had taken it.
    pub(super) fn meet(&mut self, mut offer: Offer) -> ControlFlow<(), bool> {
        let (model, half) = (self.model, offer.level + 1);
        while let Some((partner, index, taken)) = self.next_partner(&mut offer)? {
            let edge = &model.program.edges[index];
            offer.met = true;
            model.coverage.mark(index);
            self.push(&partner, index);
            self.hand_over(&offer, &partner, edge, taken)?;
            let top = self.scratch.frames.len() - 1;
            self.scratch.frames[top] = Frame::Offer(offer);
            if self.troubles(partner.pid)? {
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
            self.settle(&mut trial, offer.edge, offer.met);
            let top = self.scratch.frames.len() - 1;
            self.scratch.frames[top] = Frame::Control(trial, level);
        }
        ControlFlow::Continue(offer.met)
    }

    /// What an offer that was taken, or not, means for the sender.
    pub(super) fn settle(&mut self, trial: &mut Trial, index: EdgeId, met: bool) {
        if met {
            self.model.coverage.mark(index);
            trial.fired = true;
            trial.escape = self.model.program.edges[index].escape;
        } else {
            // As in SPIN, an offer that nobody takes gives way to what the escapes before it would have held back.
            trial.escape = 0;
        }
    }

    /// The next process that takes what is offered, by which edge, and how.
    fn next_partner(&mut self, offer: &mut Offer) -> ControlFlow<(), Option<(Trial, EdgeId, Taken)>> {
        loop {
            let Some(mut partner) = offer.partner else {
                if offer.asked == 0 {
                    return ControlFlow::Continue(None);
                }
                offer.asked -= 1;
                // Only the sender has moved.
                let may_accept = self.spot(offer.level, offer.asked).accepts.may_contain(offer.chan);
                if may_accept && offer.asked != offer.sender {
                    offer.partner = self.trial(offer.level + 1, offer.asked, false)?;
                }
                continue;
            };
            let next = next_edge(self.model, &mut partner);
            offer.partner = next.map(|_| partner);
            let Some((index, edge)) = next else { continue };
            let taken = self.taken(offer, edge);
            if let Some(fault) = self.scratch.errors.fault.take() {
                self.push(&partner, index);
                self.stay(offer.level + 1);
                self.report(fault.kind, Some(partner.pid), Some(fault.span))?;
                self.scratch.path.pop();
                continue;
            }
            if let Some(taken) = taken {
                self.determinism(&partner, edge)?;
                (partner.fired, partner.escape) = (true, edge.escape);
                offer.partner = Some(partner);
                return ControlFlow::Continue(Some((partner, index, taken)));
            }
        }
    }

    /// Whether some process stands where it might receive what is sent; no if the channel is known and none does. A message
    /// that may be wrong in itself is always offered, so that its violation is reported.
    fn has_partner(&self, level: usize, sender: usize, send: u32) -> bool {
        let program = &self.model.program;
        let send = &program.sends[send as usize];
        let (Node::Const(chan), true) = (&program.nodes[send.chan], send.is_total) else { return true };
        let processes = self.model.nr_pr(&self.scratch.levels[level].words);
        (0..processes).any(|pid| pid != sender && self.spot(level, pid).accepts.may_contain(*chan))
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

    /// How the process that is asked takes the message by an edge, if it does. A pattern that cannot be evaluated is a fault.
    fn taken(&self, offer: &Offer, edge: &Edge) -> Option<Taken> {
        let half = offer.level + 1;
        let env = self.env(half, offer.asked, false);
        env.taken(&self.scratch.levels[half].words, edge, offer.chan, &self.scratch.messages[offer.message..])
    }

    /// The second half of a rendezvous: the receiver has the message and has moved.
    fn hand_over(&mut self, offer: &Offer, partner: &Trial, edge: &Edge, taken: Taken) -> ControlFlow<()> {
        let model = self.model;
        let bytes = if taken.d_step.is_some() { self.scratch.bytes() } else { 0 };
        let Scratch { levels, errors, messages, .. } = &mut *self.scratch;
        let (below, above) = levels.split_at_mut(offer.level + 2);
        let (from, next) = (&below[offer.level + 1], &mut above[0].words);
        next.clone_from(&from.words);
        let process = from.tables.procs[partner.pid];
        let mut env = Env::new(model, &from.tables, partner.pid, process.base, errors);
        let message = &messages[offer.message..];
        let receive = &model.program.receives[taken.receive as usize];
        let is_watched = model.program.events.is_some() || !model.program.exclusives.is_empty();
        if is_watched && receive.args.len() == message.len() {
            let span = model.program.sends[offer.send as usize].span;
            env.of(offer.sender, from.tables.procs[offer.sender]).watch(next, offer.chan, true, message, span);
            env.watch(next, offer.chan, false, message, receive.span);
        }
        env.take(next, taken, message, &mut || self.sink.working(bytes))?;
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
    /// if something is wrong.
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

    /// How the process at hand takes a message by an edge, if it does.
    pub fn taken(&self, words: &[Word], edge: &Edge, chan: i32, message: &[i32]) -> Option<Taken> {
        if let Guard::DStep(d_step) = edge.guard {
            let program = &self.model.program;
            let graph = &program.d_steps[d_step as usize];
            for id in graph.locations[graph.start].edges() {
                let inside = &program.edges[id];
                if let Some(taken) = self.taken(words, inside, chan, message) {
                    return Some(Taken { d_step: Some((d_step, id)), ..taken });
                }
                if self.errors.fault.get().is_some() {
                    return None;
                }
                let is_other = self.ready(words, inside, false) != Ready::No;
                // What goes wrong with another option is reported where the d_step is tried on its own.
                if self.errors.fault.take().is_some() || is_other {
                    return None;
                }
            }
            return None;
        }
        let receive = edge.guard.receive()?;
        let wanted = &self.model.program.receives[receive as usize];
        let is_asked = self.eval(words, wanted.chan) == chan && !wanted.copy;
        // What is wrong with the channel is reported where the receive is tried on its own.
        let fits = self.errors.fault.take().is_none()
            && is_asked
            && wanted.args.iter().zip(message).all(|(arg, &value)| match *arg {
                Argument::Match(node) => self.eval(words, node) == value,
                Argument::Bind(_) | Argument::Any => true,
            });
        fits.then_some(Taken { receive, d_step: None })
    }

    /// Stores a message where a receive wants it, and goes on to the end of its `d_step`.
    pub fn take(
        &mut self,
        words: &mut Vec<Word>,
        taken: Taken,
        message: &[i32],
        keep_going: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let program = &self.model.program;
        let receive = &program.receives[taken.receive as usize];
        if receive.args.len() != message.len() {
            self.fail(ViolationKind::MessageArity, receive.chan);
            return ControlFlow::Continue(());
        }
        for (arg, &value) in receive.args.iter().zip(message) {
            if let Argument::Bind(target) = *arg {
                self.bind(words, target, value);
            }
        }
        let Some((d_step, first)) = taken.d_step else { return ControlFlow::Continue(()) };
        self.model.coverage.mark(first);
        let Edge { effect, to, .. } = program.edges[first];
        // Its effect begins with the receive.
        self.run_block(words, Block { start: effect.start + 1, ..effect });
        match to {
            Some(to) if self.errors.fault.get().is_none() => self.run_d_step(words, d_step, to, None, keep_going),
            _ => ControlFlow::Continue(()),
        }
    }

    /// What the process at hand takes in the move `a_move`, of what was offered by the move before it.
    pub(crate) fn taken_after(&self, words: &[Word], offer: &Move, a_move: &Move) -> Option<(Taken, Vec<i32>)> {
        let program = &self.model.program;
        let send = &program.sends[program.edges[offer.edge].guard.send()? as usize];
        let sender = usize::from(offer.pid);
        let mut message = Vec::new();
        let chan = self.of(sender, *self.tables.procs.get(sender)?).offered(words, send, &mut message)?;
        self.taken(words, &program.edges[a_move.edge], chan, &message).map(|taken| (taken, message))
    }
}
