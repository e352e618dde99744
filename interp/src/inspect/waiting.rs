//! Why a process cannot move: for each statement that it could execute next, what that waits for.

use promela::source::Span;

use crate::code::program::{Edge, Guard};
use crate::exec::channel::Channel;
use crate::exec::eval::{Env, Ready};
use crate::ids::{EdgeId, NodeId};
use crate::inspect::failure::Values;
use crate::model::{Model, StepErrors, Tables};
use statespace::Word;

/// A statement that cannot be executed, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waiting {
    /// The statement.
    pub span: Span,
    /// Why.
    pub reason: Reason,
}

/// Why a statement cannot be executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// Its expression is 0; with the values of its operands, if it has any.
    IsFalse(Option<Values>),
    /// The `provided` clause of its process is.
    NotProvided(Option<Values>),
    /// The channel of a receive is empty.
    Empty,
    /// The channel of a send is full: so many messages.
    Full(u32),
    /// The first message, which is this one, does not match; `None`: no message does.
    NoMatch(Option<Vec<String>>),
    /// No process receives what is offered.
    NoReceiver,
    /// No process offers a message.
    NoSender,
    /// It is the end of the process, which must wait for those that were created later.
    Younger,
}

/// The most statements of one process.
const MOST: usize = 64;

impl Model {
    /// What a process waits for in a state. A statement that can be executed is not among it.
    pub fn waiting(&self, words: &[Word], pid: usize) -> Vec<Waiting> {
        let mut tables = Tables::default();
        self.locate(words, &mut tables);
        let Some(&process) = tables.procs[..self.nr_pr(words)].get(pid) else { return Vec::new() };
        let errors = StepErrors::default();
        let env = Env::new(self, &tables, pid, process.base, &errors);
        let template = &self.program.templates[process.template];
        let location = template.graph.locations[env.pc(words, process)];
        if let Some(condition) = template.provided.filter(|&condition| env.eval(words, condition) == 0) {
            let span = self.program.spans[condition];
            return vec![Waiting { span, reason: Reason::NotProvided(env.values(words, condition)) }];
        }
        let mut waiting = Vec::new();
        for edge in location.edges() {
            env.add_waiting(words, edge, &mut waiting);
        }
        waiting.truncate(MOST);
        waiting
    }
}

impl Env<'_> {
    fn add_waiting(&self, words: &[Word], id: EdgeId, out: &mut Vec<Waiting>) {
        let program = &self.model.program;
        let edge = &program.edges[id];
        if let Guard::DStep(d_step) = edge.guard {
            let graph = &program.d_steps[d_step as usize];
            for inside in graph.locations[graph.start].edges() {
                self.add_waiting(words, inside, out);
            }
            return;
        }
        let errors = StepErrors::default();
        let env = Env { errors: &errors, ..*self };
        let reason = env.reason(words, id, edge);
        // What has no value is an error of its own.
        if let Some(reason) = reason.filter(|_| errors.fault.get().is_none()) {
            let span = if edge.guard == Guard::End { edge.span.last() } else { edge.span };
            let waiting = Waiting { span, reason };
            if !out.contains(&waiting) {
                out.push(waiting);
            }
        }
    }

    fn reason(&self, words: &[Word], id: EdgeId, edge: &Edge) -> Option<Reason> {
        let program = &self.model.program;
        let condition = program.notes.conditions.get(&id).copied();
        let values = |node: Option<NodeId>| node.and_then(|node| self.values(words, node));
        match edge.guard {
            Guard::Expr(node) => {
                (self.eval(words, node) == 0).then(|| Reason::IsFalse(values(Some(condition.unwrap_or(node)))))
            }
            Guard::Compare(..) => {
                (self.ready(words, edge, false) == Ready::No).then(|| Reason::IsFalse(values(condition)))
            }
            Guard::Send(send) | Guard::Offer(send) => {
                let chan = self.channel(words, program.sends[send as usize].chan)?;
                match chan.is_rendezvous() {
                    true => Some(Reason::NoReceiver),
                    false => chan.is_full(words).then(|| Reason::Full(chan.len(words))),
                }
            }
            Guard::Receive(receive) | Guard::Accept(receive) => {
                let receive = &program.receives[receive as usize];
                let chan = self.channel(words, receive.chan)?;
                match chan.len(words) {
                    _ if chan.is_rendezvous() => Some(Reason::NoSender),
                    0 => Some(Reason::Empty),
                    _ if self.find_message(words, chan, receive).is_some() => None,
                    _ if receive.random => Some(Reason::NoMatch(None)),
                    _ => Some(Reason::NoMatch(Some(self.first_message(words, chan)))),
                }
            }
            Guard::End => (self.pid + 1 != self.model.nr_pr(words)).then_some(Reason::Younger),
            Guard::True | Guard::Else | Guard::DStep(_) => None,
        }
    }

    fn first_message(&self, words: &[Word], chan: Channel) -> Vec<String> {
        let types = &self.model.checked.chan_types[chan.place.ty].fields;
        let show = |(nth, &ty): (usize, _)| self.model.show_value(ty, chan.field(0, nth).get(words, 0));
        types.iter().enumerate().map(show).collect()
    }
}
