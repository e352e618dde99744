//! Rendezvous: one step of two processes. The sender moves, the message is offered to every process that stands where
//! it might receive it, and control goes to the receiver.

use std::ops::ControlFlow;

use cranelift_entity::EntityRef;

use super::{Scratch, Sink, Trial, Walker, next_edge};
use crate::code::{Argument, Edge, Node};
use crate::eval::Env;
use crate::ids::EdgeId;
use crate::violation::ViolationKind;

/// Control may be handed over so often inside one step.
const HANDOVER_LIMIT: usize = 1_000;

impl<S: Sink> Walker<'_, S> {
    /// All handshakes of a rendezvous send with a process that can receive.
    pub(super) fn rendezvous(
        &mut self,
        level: usize,
        trial: &mut Trial,
        index: EdgeId,
        edge: &Edge,
        send: u32,
    ) -> ControlFlow<()> {
        let model = self.model;
        if !self.has_partner(level, trial.pid, send) {
            trial.escape = 0;
            return ControlFlow::Continue(());
        }
        self.reach(level + 3);
        self.push(trial, index);
        let message = self.scratch.messages.len();
        let Some(chan) = self.offer(level, trial, edge, send) else {
            self.stay(level);
            self.troubles(trial.pid)?;
            self.scratch.path.pop();
            return ControlFlow::Continue(());
        };
        let half = level + 1;
        let mut met = false;
        for pid in (0..model.nr_pr(&self.scratch.levels[half].words)).rev().filter(|&pid| pid != trial.pid) {
            // Only the sender has moved.
            if !self.spot(level, pid).accepts.may_contain(chan) {
                continue;
            }
            let Some(mut partner) = self.trial(half, pid, false)? else { continue };
            while let Some((index, edge)) = next_edge(model, &mut partner) {
                let Some(receive) = edge.guard.receive() else { continue };
                if !self.accepts(half, pid, receive, chan, message) {
                    continue;
                }
                self.determinism(&partner, edge)?;
                (met, partner.fired, partner.escape) = (true, true, edge.escape);
                model.coverage.mark(index);
                self.push(&partner, index);
                self.hand_over(half, trial.pid, &partner, edge, (send, receive), chan, message);
                if self.troubles(pid)? {
                    match edge.atomic {
                        true if self.handovers == HANDOVER_LIMIT => {
                            self.report(ViolationKind::EndlessAtomic, Some(pid), Some(edge.span))?;
                        }
                        true => {
                            self.handovers += 1;
                            self.atomic(level + 2, pid)?;
                            self.handovers -= 1;
                        }
                        false => self.successor(level + 2)?,
                    }
                }
                self.scratch.path.pop();
            }
        }
        self.scratch.path.pop();
        self.scratch.messages.truncate(message);
        if met {
            model.coverage.mark(index);
            trial.fired = true;
            trial.escape = edge.escape;
        } else {
            // As in SPIN, an offer that nobody takes gives way to what the escapes before it would have held back.
            trial.escape = 0;
        }
        ControlFlow::Continue(())
    }

    /// Whether some process stands where it might receive what is sent; no if the channel is known and none does.
    fn has_partner(&self, level: usize, sender: usize, send: u32) -> bool {
        let program = &self.model.program;
        let Node::Const(chan) = program.nodes[program.sends[send as usize].chan] else { return true };
        let processes = self.model.nr_pr(&self.scratch.levels[level].words);
        (0..processes).any(|pid| pid != sender && self.spot(level, pid).accepts.may_contain(chan))
    }

    /// The first half of a rendezvous: the sender has moved and its message is at the end of `messages`.
    /// Returns the channel's number.
    fn offer(&mut self, level: usize, trial: &Trial, edge: &Edge, send: u32) -> Option<i32> {
        let model = self.model;
        let Scratch { levels, trouble, messages, .. } = &mut *self.scratch;
        let (below, above) = levels.split_at_mut(level + 1);
        let (from, half) = (&below[level], &mut above[0]);
        let process = from.tables.procs[trial.pid];
        let env = Env::new(model, &from.tables, trial.pid, process.base, trouble);
        let send = &model.program.sends[send as usize];
        let number = env.eval(&from.words, send.chan);
        let chan = env.channel(&from.words, send.chan)?;
        if send.args.len() != chan.shape.fields.len() {
            env.fail(ViolationKind::MessageArity, send.chan);
            return None;
        }
        for (&arg, field) in send.args.iter().zip(&chan.shape.fields) {
            messages.push(field.cut(env.eval(&from.words, arg)));
        }
        if trouble.fault.get().is_some() {
            return None;
        }
        half.words.clone_from(&from.words);
        if let Some(to) = edge.to {
            model.layout.classes[process.class].pc.set(&mut half.words, process.base, to.index() as i32);
        }
        model.locate(&half.words, &mut half.tables);
        Some(number)
    }

    /// Whether a receive takes the message on offer.
    fn accepts(&self, half: usize, pid: usize, receive: u32, chan: i32, message: usize) -> bool {
        let receive = &self.model.program.receives[receive as usize];
        let words = &self.scratch.levels[half].words;
        let env = self.env(half, pid, false);
        // A channel variable without a channel is reported where the receive is tried on its own.
        let fits = env.eval(words, receive.chan) == chan
            && !receive.copy
            && receive.args.iter().zip(&self.scratch.messages[message..]).all(|(arg, &value)| match *arg {
                Argument::Match(wanted) => env.eval(words, wanted) == value,
                Argument::Bind(_) | Argument::Any => true,
            });
        self.scratch.trouble.fault.take().is_none() && fits
    }

    /// The second half of a rendezvous: the receiver has the message and has moved.
    #[allow(clippy::too_many_arguments)]
    fn hand_over(
        &mut self,
        half: usize,
        sender: usize,
        partner: &Trial,
        edge: &Edge,
        (send, receive): (u32, u32),
        chan: i32,
        message: usize,
    ) {
        let model = self.model;
        let Scratch { levels, trouble, messages, .. } = &mut *self.scratch;
        let (below, above) = levels.split_at_mut(half + 1);
        let (from, next) = (&below[half], &mut above[0].words);
        next.clone_from(&from.words);
        let process = from.tables.procs[partner.pid];
        let mut env = Env::new(model, &from.tables, partner.pid, process.base, trouble);
        let receive = &model.program.receives[receive as usize];
        let message = &messages[message..];
        if receive.args.len() != message.len() {
            env.fail(ViolationKind::MessageArity, receive.chan);
            return;
        }
        if model.program.events.is_some() || !model.program.exclusives.is_empty() {
            let span = model.program.sends[send as usize].span;
            env.of(sender, from.tables.procs[sender]).watch(next, chan, true, message, span);
            env.watch(next, chan, false, message, receive.span);
        }
        for (arg, &value) in receive.args.iter().zip(message) {
            if let Argument::Bind(target) = *arg {
                env.bind(next, target, value);
            }
        }
        if let Some(to) = edge.to {
            model.layout.classes[process.class].pc.set(next, process.base, to.index() as i32);
        }
        if let Some(last) = model.layout.last {
            last.set(next, 0, partner.pid as i32);
        }
    }
}
