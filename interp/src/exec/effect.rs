//! What a step does to a state: instructions, messages, and the inside of a `d_step`.

use std::ops::ControlFlow;

use cranelift_entity::EntityRef;

use crate::code::flow::LocationFlags;
use crate::code::layout::Priority;
use crate::code::program::{
    Argument, Block, Edge, Events, Graph, Guard, Instruction, Location, Node, Program, Receive, Send,
};
use crate::code::state::Field;
use crate::exec::channel::Channel;
use crate::exec::eval::{Env, Ready};
use crate::ids::{EdgeId, Pc};
use crate::inspect::failure::Detail;
use crate::inspect::output::Direction;
use crate::model::{Fault, Spawn, Tables};
use crate::violation::ViolationKind;
use statespace::Word;

/// Edges of a `d_step` between two calls of `keep_going`.
const D_STEP_POLL_INTERVAL: u64 = 1 << 16;

/// A message that is sent or received, as a `trace` automaton sees it.
#[derive(Clone, Copy)]
pub struct MessageEvent<'a> {
    /// The channel's number.
    pub chan: i32,
    /// Sent, not received.
    pub is_send: bool,
    /// The fields.
    pub message: &'a [i32],
    /// The statement.
    pub span: promela::source::Span,
}

impl Env<'_> {
    /// Runs a block; `false` if the step is not executable after all.
    pub fn run_block(&mut self, words: &mut Vec<Word>, block: Block) -> bool {
        let model = self.model;
        for at in block.start..block.end {
            let instruction = &model.program.instructions[at as usize];
            if !self.run(words, instruction) {
                return false;
            }
            if matches!(instruction, Instruction::Run(_)) && at + 1 < block.end && !model.layout.has_constant_tables() {
                // What follows may look at the process that was created just now.
                let mut tables = Tables::default();
                model.locate(words, &mut tables);
                let mut env = Env { tables: &tables, ..*self };
                return env.run_block(words, Block { start: at + 1, ..block });
            }
        }
        true
    }

    /// Runs one instruction; `false` if the step is not executable after all.
    #[inline]
    pub fn run(&mut self, words: &mut Vec<Word>, instruction: &Instruction) -> bool {
        match *instruction {
            Instruction::SetConst(field, value) => self.assign(words, field, value),
            Instruction::Add(field, by) => {
                let value = field.get(words, self.base).wrapping_add(by);
                self.assign(words, field, value);
            }
            Instruction::Set(field, value) => {
                let value = self.eval(words, value);
                self.assign(words, field, value);
            }
            Instruction::Store(target, value) => {
                let value = self.eval(words, value);
                if let Some(field) = self.field_of(words, target) {
                    self.assign(words, field, value);
                }
            }
            Instruction::Send(send) => {
                let send = &self.model.program.sends[send as usize];
                self.send(words, send);
            }
            Instruction::Receive(receive) => {
                let receive = &self.model.program.receives[receive as usize];
                self.receive(words, receive);
            }
            Instruction::Require(condition) => return self.eval(words, condition) != 0,
            Instruction::Declare => {}
            ref rare => self.run_rare(words, rare),
        }
        true
    }

    /// Stores a value in a variable of the process, or in a global.
    #[inline]
    fn assign(&self, words: &mut [Word], field: Field, value: i32) {
        // After an error the value has no meaning.
        #[cfg(debug_assertions)]
        if self.errors.fault.get().is_none() {
            field.assert_holds(value);
        }
        field.set(words, self.base, value);
    }

    #[inline(never)]
    fn run_rare(&mut self, words: &mut Vec<Word>, instruction: &Instruction) {
        let program = &self.model.program;
        match *instruction {
            Instruction::Assert(condition) => {
                if self.eval(words, condition) == 0 && self.errors.fault.get().is_none() {
                    self.note(ViolationKind::Assertion, program.spans[condition]);
                    self.explain(condition, || self.values(words, condition).map_or(Detail::None, Detail::Values));
                }
            }
            Instruction::Print(print) => {
                let print = &program.prints[print as usize];
                let values: Vec<i32> = print.args.iter().map(|&(arg, _)| self.eval(words, arg)).collect();
                if let Some(output) = &self.errors.output {
                    output.borrow_mut().text.push_str(&self.model.format(print, &values));
                }
            }
            Instruction::Fill { array, value } => {
                let array = program.arrays[array as usize];
                let value = self.eval(words, value);
                for index in 0..array.len {
                    self.assign(words, array.element(index), value);
                }
            }
            Instruction::Run(run) => {
                let run = &program.runs[run as usize];
                let args: Vec<i32> = run.args.iter().map(|&arg| self.eval(words, arg)).collect();
                // The priority of the proctype's declaration is for its active instances.
                let priority = run.priority.map_or(1, |priority| self.eval(words, priority));
                let spawn = Spawn { proctype: run.proctype, args: &args, priority, span: run.span };
                self.created = self.model.spawn(words, self.tables, spawn, self.errors);
            }
            Instruction::SetPriority(pid, value) => {
                let (target, value) = (self.eval(words, pid), self.eval(words, value));
                let live = usize::try_from(target).ok().filter(|&pid| pid < self.model.nr_pr(words));
                let Some(target) = live else { return };
                if !(1..=255).contains(&value) {
                    self.fail(ViolationKind::PriorityRange, pid);
                }
                let process = self.tables.procs[target];
                if let Priority::Field(field) = self.model.layout.templates[process.template].priority {
                    field.set(words, process.base, value);
                }
            }
            Instruction::NewChannel(ty, target) => {
                let number = self.model.create_channel(words, ty, self.errors);
                if let Some(field) = self.field_of(words, target) {
                    field.set(words, self.base, number);
                }
            }
            _ => unreachable!("run handles every other instruction itself"),
        }
    }

    /// Notes a violation that does not stop the step.
    pub fn note(&self, kind: ViolationKind, span: promela::source::Span) {
        self.errors.noted.borrow_mut().push(Fault { kind, span });
    }

    /// Puts a message into a buffered channel.
    fn send(&mut self, words: &mut [Word], send: &Send) {
        let Some(chan) = self.channel(words, send.chan) else { return };
        let mut message = [0; MAX_INLINE_FIELDS];
        let given = send.args.len();
        if given > MAX_INLINE_FIELDS {
            let message: Vec<i32> = send.args.iter().map(|&arg| self.eval(words, arg)).collect();
            return self.deliver(words, chan, send, &message);
        }
        for (field, &arg) in message.iter_mut().zip(&send.args) {
            *field = self.eval(words, arg);
        }
        self.deliver(words, chan, send, &message[..given]);
    }

    fn deliver(&mut self, words: &mut [Word], chan: Channel, send: &Send, message: &[i32]) {
        if message.len() != chan.shape.fields.len() {
            self.fail(ViolationKind::MessageArity, send.chan);
            let (given, declared) = (message.len(), chan.shape.fields.len());
            self.explain(send.chan, || Detail::Fields { given, declared });
            return;
        }
        let slot = if send.sorted { chan.sorted_slot(words, message) } else { chan.len(words) };
        if chan.is_full(words) {
            return;
        }
        #[cfg(debug_assertions)]
        if self.errors.fault.get().is_none() {
            chan.shape.fields.iter().zip(message).for_each(|(field, &value)| field.assert_holds(value));
        }
        chan.insert(words, slot, message);
        if self.errors.output.is_some() {
            self.record_message(words, Direction::Send, send.chan, slot, chan);
        }
        if self.model.program.events.is_some() || !self.model.program.exclusives.is_empty() {
            let chan = self.eval(words, send.chan);
            self.watch(words, &MessageEvent { chan, is_send: true, message, span: send.span });
        }
    }

    /// Takes a message out of a buffered channel, binding its fields from left to right.
    fn receive(&mut self, words: &mut [Word], receive: &Receive) {
        let Some(chan) = self.channel(words, receive.chan) else { return };
        if receive.args.len() != chan.shape.fields.len() {
            self.fail(ViolationKind::MessageArity, receive.chan);
            let (given, declared) = (receive.args.len(), chan.shape.fields.len());
            self.explain(receive.chan, || Detail::Fields { given, declared });
            return;
        }
        let Some(slot) = self.find_message(words, chan, receive) else { return };
        if self.errors.output.is_some() {
            let direction = if receive.copy { Direction::Copy } else { Direction::Receive };
            self.record_message(words, direction, receive.chan, slot, chan);
        }
        if self.model.program.events.is_some() || !self.model.program.exclusives.is_empty() {
            let message: Vec<i32> = (0..receive.args.len()).map(|nth| chan.field(slot, nth).get(words, 0)).collect();
            let chan = self.eval(words, receive.chan);
            self.watch(words, &MessageEvent { chan, is_send: false, message: &message, span: receive.span });
        }
        for (nth, arg) in receive.args.iter().enumerate() {
            if let Argument::Bind(target) = *arg {
                let value = chan.field(slot, nth).get(words, 0);
                self.bind(words, target, value);
            }
        }
        if !receive.copy {
            chan.remove(words, slot);
        }
    }

    /// Stores a received value.
    pub fn bind(&self, words: &mut [Word], target: crate::code::program::Target, value: i32) {
        if let Some(field) = self.field_of(words, target) {
            self.assign(words, field, value);
        }
    }

    /// Moves the event automaton, and checks `xr` and `xs`, for a message.
    pub fn watch(&mut self, words: &mut [Word], event: &MessageEvent) {
        let &MessageEvent { chan, is_send, span, .. } = event;
        let program = &self.model.program;
        let me = program.templates[self.tables.procs[self.pid].template].proctype;
        for owner in program.exclusives.iter().filter(|owner| owner.chan == chan && owner.send == is_send) {
            if owner.proctype != me {
                let kind = if is_send { ViolationKind::ExclusiveSend } else { ViolationKind::ExclusiveReceive };
                self.note(kind, span);
            }
        }
        if let Some(events) = &program.events {
            self.follow(words, events, event);
        }
    }

    fn follow(&mut self, words: &mut [Word], events: &Events, event: &MessageEvent) {
        let &MessageEvent { chan, is_send, span, .. } = event;
        let Some(field) = self.model.layout.event else { return };
        let scope = if is_send { &events.sends } else { &events.receives };
        if !scope.iter().any(|&watched| self.eval(words, watched) == chan) {
            return;
        }
        let end = events.end(&self.model.program);
        let at = field.get(words, 0) as usize;
        if let Some(location) = events.graph.locations.get(Pc::new(at)).filter(|_| at != end) {
            let edges = location.edges().map(|edge| &self.model.program.edges[edge]);
            if let Some(edge) = edges.into_iter().find(|edge| self.event_matches(words, edge, event)) {
                let to = edge.to.map_or(end, |pc| pc.index());
                field.set(words, 0, to as i32);
                if events.negated && to == end {
                    self.note(ViolationKind::Trace, span);
                }
                return;
            }
        }
        if events.negated {
            // Only the first attempt counts.
            field.set(words, 0, end as i32);
        } else {
            self.note(ViolationKind::Trace, span);
        }
    }

    fn event_matches(&self, words: &[Word], edge: &Edge, event: &MessageEvent) -> bool {
        let &MessageEvent { chan, is_send, message, .. } = event;
        let program = &self.model.program;
        match (is_send, edge.guard.send(), edge.guard.receive()) {
            (true, Some(send), _) => {
                let send = &program.sends[send as usize];
                self.eval(words, send.chan) == chan
                    && send
                        .args
                        .iter()
                        .zip(message)
                        .all(|(&arg, &value)| matches!(program.nodes[arg], Node::Any) || self.eval(words, arg) == value)
            }
            (false, _, Some(receive)) => {
                let receive = &program.receives[receive as usize];
                self.eval(words, receive.chan) == chan
                    && receive.args.iter().zip(message).all(|(arg, &value)| match *arg {
                        Argument::Match(node) => self.eval(words, node) == value,
                        Argument::Bind(_) | Argument::Any => true,
                    })
            }
            _ => false,
        }
    }

    /// Runs a `d_step` to its end, from one of its locations. Choices take the first executable option. `known` is the
    /// edge to begin with, if it has been found executable; `keep_going` is called now and then, and can end it.
    pub fn run_d_step(
        &mut self,
        words: &mut Vec<Word>,
        d_step: u32,
        mut at: Pc,
        mut known: Option<EdgeId>,
        keep_going: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let model = self.model;
        let graph: &Graph = &model.program.d_steps[d_step as usize];
        // Brent's cycle detection: a state that recurs at the same location recurs infinitely often.
        let (mut anchor, mut anchor_at, mut distance, mut power) = (Vec::new(), at, 0u64, 1024u64);
        for count in 1u64.. {
            let location = graph.locations[at];
            let Some(id) = known.take().or_else(|| self.first_ready(words, location)) else {
                self.stop(ViolationKind::BlockInDStep, location.span);
                break;
            };
            let edge = &model.program.edges[id];
            if self.is_offer(words, edge) {
                self.stop(ViolationKind::RendezvousInDStep, edge.span);
                break;
            }
            self.mark(id);
            self.run_block(words, edge.effect);
            if self.errors.fault.get().is_some() {
                break;
            }
            match edge.to {
                Some(to) => at = to,
                None => break,
            }
            distance += 1;
            if at == anchor_at && anchor == *words {
                self.stop(ViolationKind::EndlessDStep, location.span);
                break;
            }
            if distance == power {
                (anchor, anchor_at, distance, power) = (words.clone(), at, 0, power * 2);
            }
            if count.is_multiple_of(D_STEP_POLL_INTERVAL) {
                keep_going()?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The edge that a `d_step` takes at a location.
    fn first_ready(&self, words: &[Word], location: Location) -> Option<EdgeId> {
        let is_ready = |edge: &EdgeId| self.ready(words, &self.model.program.edges[*edge], false) != Ready::No;
        location.edges().take_while(|_| self.errors.fault.get().is_none()).find(is_ready)
    }

    /// Whether an edge sends to a rendezvous channel.
    fn is_offer(&self, words: &[Word], edge: &Edge) -> bool {
        match edge.guard {
            Guard::Offer(_) => true,
            Guard::Send(_) => matches!(self.ready(words, edge, false), Ready::Rendezvous(_)),
            _ => false,
        }
    }

    fn stop(&self, kind: ViolationKind, span: promela::source::Span) {
        if self.errors.fault.get().is_none() {
            self.errors.fault.set(Some(Fault { kind, span }));
        }
    }
}

/// Messages of up to this many fields are built on the stack.
pub(crate) const MAX_INLINE_FIELDS: usize = 16;

impl Events {
    /// The value that means "matched to the end".
    pub fn end(&self, program: &Program) -> usize {
        let is_end = |pc: &Pc| self.graph.locations[*pc].edges().any(|edge| program.edges[edge].guard == Guard::End);
        self.graph.locations.keys().find(is_end).map_or(self.graph.locations.len(), |pc| pc.index())
    }

    /// Whether a run may end when the automaton is here.
    pub fn may_end(&self, at: usize) -> bool {
        self.graph.locations.get(Pc::new(at)).is_none_or(|location| location.flags.contains(LocationFlags::END))
    }
}
