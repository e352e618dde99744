//! What a move prints, sends and receives. It is executed once more and recorded, so that a search pays nothing for it.

use std::cell::RefCell;
use std::ops::ControlFlow;

use promela::model::FormatPart;

use crate::code::program::{Block, Guard, Instruction, Print, Send};
use crate::exec::channel::Channel;
use crate::exec::eval::Env;
use crate::exec::step::Move;
use crate::ids::NodeId;
use crate::inspect::failure::{Detail, Failure};
use crate::model::{Fault, Model, StepErrors, Tables};
use statespace::Word;

/// What one move prints, sends and receives.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MoveOutput {
    /// Printed text.
    pub text: String,
    /// Messages sent and received, in order; several only in a `d_step`.
    pub messages: Vec<Message>,
    /// What fails in it, if anything does: the first of it.
    pub failure: Option<Failure>,
}

/// A message that is sent or received.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// Sent, received or copied.
    pub direction: Direction,
    /// The channel's number.
    pub chan: i32,
    /// Where in the buffer it was put or found; `None` for a rendezvous.
    pub slot: Option<u32>,
    /// Its fields as people read them. The receiver's half of a rendezvous has none: they are the sender's.
    pub fields: Vec<String>,
}

/// What happens to a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// It is sent.
    Send,
    /// It is received.
    Receive,
    /// It is read and stays in the channel.
    Copy,
}

impl Model {
    /// What `a_move` says when taken from the state `before`. `earlier` is the move before it in the same step, if there
    /// is one: it may have offered what this one accepts.
    pub fn output(&self, before: &[Word], earlier: Option<&Move>, a_move: &Move) -> MoveOutput {
        let edge = self.program.edges[a_move.edge];
        let mut tables = Tables::default();
        self.locate(before, &mut tables);
        let Some(process) = tables.procs.get(usize::from(a_move.pid)).copied() else { return MoveOutput::default() };
        let errors = StepErrors { output: Some(RefCell::default()), ..StepErrors::default() };
        let mut env = Env::new(self, &tables, usize::from(a_move.pid), process.base, &errors);
        let mut words = before.to_vec();
        match edge.guard {
            Guard::End => {}
            // The move has been made before: it ends.
            Guard::DStep(d_step) => {
                let keep_going = &mut || ControlFlow::Continue(());
                let offered = earlier.and_then(|offer| env.acceptance_after(before, offer, a_move));
                let _ = match offered {
                    Some((acceptance, message)) => {
                        env.record_acceptance(before, acceptance.receive);
                        env.complete(&mut words, acceptance, &message, keep_going)
                    }
                    None => env.run_d_step(
                        &mut words,
                        d_step,
                        self.program.d_steps[d_step as usize].start,
                        None,
                        keep_going,
                    ),
                };
            }
            _ if env.record_rendezvous(before, edge.effect) => {}
            _ => {
                // A guard that has no value is not followed by its effect.
                env.ready(before, &edge, false);
                if errors.fault.get().is_none() {
                    env.run_block(&mut words, edge.effect);
                }
            }
        }
        let mut output = errors.output.map(RefCell::into_inner).unwrap_or_default();
        if let Some(Fault { span, .. }) = errors.fault.get() {
            let failure = output.failure.get_or_insert(Failure { span, detail: Detail::None, is_fatal: true });
            failure.is_fatal = true;
        }
        output
    }

    /// The text of a `printf` with these values.
    pub(crate) fn format(&self, print: &Print, values: &[i32]) -> String {
        let mut args = values.iter().zip(&print.args);
        let mut text = String::new();
        for part in &print.format.parts {
            if let FormatPart::Text(plain) = part {
                text.push_str(plain);
                continue;
            }
            let Some((&value, &(_, names))) = args.next() else { break };
            text.push_str(&match part {
                FormatPart::Unsigned => (value as u32).to_string(),
                FormatPart::Hex => format!("{value:x}"),
                FormatPart::Octal => format!("{value:o}"),
                FormatPart::Char => char::from(value as u8).to_string(),
                FormatPart::Name => self.mtype_name(names, value).map_or_else(|| value.to_string(), str::to_owned),
                FormatPart::Decimal | FormatPart::Text(_) => value.to_string(),
            });
        }
        text
    }
}

impl StepErrors {
    fn record(&self, message: Message) {
        if let Some(output) = &self.output {
            output.borrow_mut().messages.push(message);
        }
    }
}

impl Env<'_> {
    /// Records the half of a rendezvous that a statement is, if it is one: such a half cannot be executed alone.
    fn record_rendezvous(&self, words: &[Word], effect: Block) -> bool {
        let program = &self.model.program;
        let meets = |chan: NodeId| self.channel(words, chan).is_some_and(Channel::is_rendezvous);
        let mut effect = program.instructions[effect.start as usize..effect.end as usize].iter();
        effect.any(|instruction| match *instruction {
            Instruction::Send(send) if meets(program.sends[send as usize].chan) => {
                self.record_offer(words, &program.sends[send as usize]);
                true
            }
            Instruction::Receive(receive) if meets(program.receives[receive as usize].chan) => {
                self.record_acceptance(words, receive);
                true
            }
            _ => false,
        })
    }

    /// Records the receiver's half of a rendezvous.
    fn record_acceptance(&self, words: &[Word], receive: u32) {
        let chan = self.eval(words, self.model.program.receives[receive as usize].chan);
        self.errors.record(Message { direction: Direction::Receive, chan, slot: None, fields: Vec::new() });
    }

    /// Records the message in a slot of a buffer.
    pub(crate) fn record_message(&self, words: &[Word], direction: Direction, node: NodeId, slot: u32, chan: Channel) {
        let types = &self.model.checked.chan_types[chan.place.ty].fields;
        let show = |(nth, &ty): (usize, _)| self.model.show_value(ty, chan.field(slot, nth).get(words, 0));
        let fields = types.iter().enumerate().map(show).collect();
        self.errors.record(Message { direction, chan: self.eval(words, node), slot: Some(slot), fields });
    }

    /// Records what a rendezvous offers.
    fn record_offer(&self, words: &[Word], send: &Send) {
        let Some(chan) = self.channel(words, send.chan) else { return };
        let types = &self.model.checked.chan_types[chan.place.ty].fields;
        let fields = send
            .args
            .iter()
            .zip(&chan.shape.fields)
            .zip(types)
            .map(|((&arg, field), &ty)| self.model.show_value(ty, field.cut(self.eval(words, arg))));
        let (fields, number) = (fields.collect(), self.eval(words, send.chan));
        self.errors.record(Message { direction: Direction::Send, chan: number, slot: None, fields });
    }
}
