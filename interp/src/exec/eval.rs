//! The value of an expression, and whether an edge can be taken, in a given state: nothing here changes a state.
//!
//! An error on the way (an index, a division) is left in `errors`, and the value then has no meaning.

use cranelift_entity::EntityRef;
use promela::model::{BinaryOp, ChanTest};

use crate::code::arithmetic::binary;
use crate::code::compare::compare;
use crate::code::flow::LocationFlags;
use crate::code::program::{Argument, Edge, Guard, Node, Path, Receive, Remote, RemotePlace, RemoteValue, Target};
use crate::code::state::{Array, Field};
use crate::exec::channel::Channel;
use crate::exec::coverage::Executed;
use crate::ids::{EdgeId, NodeId, Pc, TemplateId};
use crate::inspect::failure::Detail;
use crate::model::{Fault, Model, Process, StepErrors, Tables};
use crate::violation::ViolationKind;
use statespace::Word;

/// Who evaluates, and where the others are.
#[derive(Clone, Copy)]
pub struct Env<'a> {
    /// The model.
    pub model: &'a Model,
    /// Processes and channels of the state the step starts in.
    pub tables: &'a Tables,
    /// The process that evaluates.
    pub pid: usize,
    /// The first word of its block.
    pub base: usize,
    /// Whether nothing else in the system can move.
    pub timeout: bool,
    /// The process that this step has created.
    pub created: i32,
    /// Where errors are left.
    pub errors: &'a StepErrors,
    /// A process evaluates, not a claim or an expression from outside the model.
    pub is_process: bool,
    /// Where the edges are marked that are executed inside a `d_step`.
    pub(crate) executed: Option<&'a Executed>,
    /// The calls of `enabled` that are being evaluated.
    pub(crate) enabled: Option<&'a EnabledCall<'a>>,
}

/// `enabled(pid)`, called in a guard that is evaluated for an outer call.
#[derive(Clone, Copy)]
pub struct EnabledCall<'a> {
    pid: usize,
    outer: Option<&'a EnabledCall<'a>>,
}

impl EnabledCall<'_> {
    /// Whether an outer call has the same argument, so that the value would depend on itself.
    fn is_circular(&self) -> bool {
        std::iter::successors(self.outer, |call| call.outer).any(|call| call.pid == self.pid)
    }
}

/// Whether an edge can be taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ready {
    /// It cannot.
    No,
    /// It can.
    Yes,
    /// It can, beginning with this edge inside the `d_step`.
    DStep(EdgeId),
    /// It can if another process receives from this rendezvous channel.
    Rendezvous(u32),
}

impl<'a> Env<'a> {
    /// A process of a state.
    pub fn new(model: &'a Model, tables: &'a Tables, pid: usize, base: usize, errors: &'a StepErrors) -> Self {
        Self {
            model,
            tables,
            pid,
            base,
            timeout: false,
            created: 0,
            errors,
            is_process: true,
            executed: None,
            enabled: None,
        }
    }

    /// A claim, or an expression from outside the model.
    pub fn outside(model: &'a Model, tables: &'a Tables, errors: &'a StepErrors) -> Self {
        Self { is_process: false, ..Self::new(model, tables, 0, 0, errors) }
    }

    /// Notes that an edge inside a `d_step` is executed.
    #[inline]
    pub(crate) fn mark(&self, edge: EdgeId) {
        if let Some(executed) = self.executed {
            executed.mark(edge);
        }
    }

    /// Notes an error, unless there has been one in this step.
    pub fn fail(&self, kind: ViolationKind, node: NodeId) {
        if self.errors.fault.get().is_none() {
            self.errors.fault.set(Some(Fault { kind, span: self.model.program.spans[node] }));
        }
    }

    /// Notes an index outside of its array.
    #[cold]
    fn fail_index(&self, index: i32, size: u32, node: NodeId) {
        self.fail(ViolationKind::ArrayIndex, node);
        self.explain(node, || Detail::Index { index, size });
    }

    /// The value of an expression.
    #[inline]
    pub fn eval(&self, words: &[Word], node: NodeId) -> i32 {
        match self.model.program.nodes[node] {
            Node::Const(value) => value,
            Node::Load(field) => field.get(words, self.base),
            Node::Compare(op, field, value) => i32::from(compare(op, field.get(words, self.base), value)),
            compound => self.eval_compound(words, compound, node),
        }
    }

    /// The expressions that have parts.
    fn eval_compound(&self, words: &[Word], compound: Node, node: NodeId) -> i32 {
        match compound {
            Node::Element { array, index } => {
                let array = self.model.program.arrays[array as usize];
                self.element(words, array, index, node).get(words, self.base)
            }
            Node::Path(path) => self.path(words, &self.model.program.paths[path as usize]).get(words, self.base),
            Node::ChannelElement { first, len, index } => {
                let at = self.eval(words, index);
                if (at as u32) < len {
                    return first + at;
                }
                self.fail_index(at, len, node);
                first
            }
            Node::Not(a) => i32::from(self.eval(words, a) == 0),
            Node::Neg(a) => self.eval(words, a).wrapping_neg(),
            Node::BitNot(a) => !self.eval(words, a),
            Node::Binary(op, a, b) => self.binary(op, self.eval(words, a), self.eval(words, b), node),
            Node::And(a, b) => i32::from(self.eval(words, a) != 0 && self.eval(words, b) != 0),
            Node::Or(a, b) => i32::from(self.eval(words, a) != 0 || self.eval(words, b) != 0),
            Node::Cond(c, a, b) => {
                let chosen = if self.eval(words, c) != 0 { a } else { b };
                self.eval(words, chosen)
            }
            Node::Timeout => i32::from(self.timeout),
            Node::Pid => self.pid as i32,
            Node::NrPr => self.model.nr_pr(words) as i32,
            Node::Created => self.created,
            rare => self.eval_rare(words, rare, node),
        }
    }

    /// The expressions over more than variables.
    #[inline(never)]
    fn eval_rare(&self, words: &[Word], rare: Node, node: NodeId) -> i32 {
        match rare {
            Node::Len(chan) => self.channel(words, chan).map_or(0, |chan| chan.len(words) as i32),
            Node::Test(test, chan) => self.channel(words, chan).map_or(0, |chan| {
                let len = chan.len(words);
                i32::from(match test {
                    ChanTest::Full => chan.is_full(words),
                    ChanTest::NotFull => !chan.is_full(words),
                    ChanTest::Empty => len == 0,
                    ChanTest::NotEmpty => len > 0,
                })
            }),
            Node::Poll(poll) => {
                let poll = &self.model.program.polls[poll as usize];
                let Some(chan) = self.channel(words, poll.chan) else { return 0 };
                if chan.is_rendezvous() {
                    self.fail(ViolationKind::PollRendezvous, node);
                    return 0;
                }
                i32::from(self.find_message(words, chan, poll).is_some())
            }
            Node::NonProgress => i32::from(!self.some_location(words, LocationFlags::PROGRESS)),
            Node::Any => 0,
            Node::Last => self.model.layout.last.map_or(0, |last| last.get(words, 0)),
            Node::Enabled(pid) => self.enabled(words, pid, node),
            Node::PcValue(pid) => {
                self.process(words, self.eval(words, pid)).map_or(0, |(_, process)| self.number_of(words, process))
            }
            Node::GetPriority(pid) => {
                self.process(words, self.eval(words, pid)).map_or(0, |(_, process)| self.priority(words, process))
            }
            Node::Remote(remote) => self.remote(words, &self.model.program.remotes[remote as usize]),
            _ => unreachable!("eval handles every other expression itself"),
        }
    }

    fn binary(&self, op: BinaryOp, a: i32, b: i32, node: NodeId) -> i32 {
        binary(op, a, b).unwrap_or_else(|kind| {
            self.fail(kind, node);
            self.explain(node, || Detail::operation(op, a, b));
            0
        })
    }

    #[inline]
    fn element(&self, words: &[Word], array: Array, index: NodeId, node: NodeId) -> Field {
        let at = self.eval(words, index);
        if (at as u32) < array.len {
            return array.element(at as u32);
        }
        self.fail_index(at, array.len, node);
        array.first
    }

    fn path(&self, words: &[Word], path: &Path) -> Field {
        let mut offset = 0;
        for &(index, len, stride) in &path.dimensions {
            let at = self.eval(words, index);
            if at as u32 >= len {
                self.fail_index(at, len, index);
                return path.first;
            }
            offset += at as u32 * stride;
        }
        let field = match path.last {
            Some((index, array)) => self.element(words, array, index, index),
            None => path.first,
        };
        Field { word: field.word + offset, ..field }
    }

    /// The field that a target means in a state.
    pub fn field_of(&self, words: &[Word], target: Target) -> Option<Field> {
        match target {
            Target::Field(field) => Some(field),
            Target::Element { array, index } => {
                Some(self.element(words, self.model.program.arrays[array as usize], index, index))
            }
            Target::Path(path) => Some(self.path(words, &self.model.program.paths[path as usize])),
            Target::Nowhere => None,
        }
    }

    /// The channel whose number an expression gives.
    pub fn channel(&self, words: &[Word], node: NodeId) -> Option<Channel<'a>> {
        let number = self.eval(words, node);
        if self.errors.fault.get().is_some() {
            return None;
        }
        let place = (number as usize).checked_sub(1).and_then(|index| self.tables.chans.get(index));
        let constant = matches!(self.model.program.nodes[node], Node::Const(_));
        match place {
            Some(&place) if constant || self.channel_lives(words, number as usize) => {
                Some(Channel { place, shape: &self.model.layout.shapes[place.ty] })
            }
            _ => {
                let kind = match number {
                    0 => ViolationKind::UninitialisedChannel,
                    _ => ViolationKind::BadChannel,
                };
                self.fail(kind, node);
                None
            }
        }
    }

    fn channel_lives(&self, words: &[Word], number: usize) -> bool {
        !self.model.layout.is_fixed || number <= self.model.live_channels[self.model.nr_pr(words)]
    }

    /// The slot of the message that a receive takes.
    pub fn find_message(&self, words: &[Word], chan: Channel, receive: &Receive) -> Option<u32> {
        let candidates = if receive.random { chan.len(words) } else { chan.len(words).min(1) };
        (0..candidates).find(|&slot| {
            receive.args.iter().enumerate().take(chan.shape.fields.len()).all(|(nth, arg)| match arg {
                Argument::Match(value) => chan.field(slot, nth).get(words, 0) == self.eval(words, *value),
                Argument::Bind(_) | Argument::Any => true,
            })
        })
    }

    /// A live process by its number.
    fn process(&self, words: &[Word], pid: i32) -> Option<(usize, Process)> {
        let pid = usize::try_from(pid).ok()?;
        (pid < self.model.nr_pr(words)).then(|| (pid, self.tables.procs[pid]))
    }

    /// The same, evaluated by another process.
    pub fn of(&self, pid: usize, process: Process) -> Self {
        Self { pid, base: process.base, ..*self }
    }

    /// SPIN's number for the location of a process.
    fn number_of(&self, words: &[Word], process: Process) -> i32 {
        let pc = self.pc(words, process);
        self.model.program.templates[process.template].graph.locations[pc].number as i32
    }

    /// Where a process is.
    #[inline]
    pub fn pc(&self, words: &[Word], process: Process) -> Pc {
        Pc::new(self.model.layout.templates[process.template].pc.get(words, process.base) as usize)
    }

    /// The priority of a process.
    pub fn priority(&self, words: &[Word], process: Process) -> i32 {
        self.model.layout.templates[process.template].priority.get(words, process.base)
    }

    fn remote(&self, words: &[Word], remote: &Remote) -> i32 {
        let found = match remote.pid {
            Some(pid) => self.process(words, self.eval(words, pid)),
            None => (0..self.model.nr_pr(words))
                .map(|pid| (pid, self.tables.procs[pid]))
                .find(|(_, process)| self.model.program.templates[process.template].proctype == remote.proctype),
        };
        let Some((_, process)) = found else { return 0 };
        match &remote.what {
            RemoteValue::Label(number) => i32::from(self.number_of(words, process) == *number as i32),
            RemoteValue::Local(by_template) => match by_template[process.template] {
                Some(RemotePlace::Target(target)) => {
                    self.field_of(words, target).map_or(0, |field| field.get(words, process.base))
                }
                Some(RemotePlace::Const(value)) => value,
                None => 0,
            },
        }
    }

    /// `enabled(pid)`. A process may not call it for itself, nor may the value depend on itself.
    fn enabled(&self, words: &[Word], pid: NodeId, node: NodeId) -> i32 {
        let Some((pid, process)) = self.process(words, self.eval(words, pid)) else { return 0 };
        let call = EnabledCall { pid, outer: self.enabled };
        if self.is_process && pid == self.pid || call.is_circular() {
            self.fail(ViolationKind::EnabledOfItself, node);
            return 0;
        }
        let other = Env { enabled: Some(&call), is_process: true, ..self.of(pid, process) };
        i32::from(self.errors.fault.get().is_none() && other.can_move(words))
    }

    /// Whether some process is at a location with the flag.
    pub(crate) fn some_location(&self, words: &[Word], flag: LocationFlags) -> bool {
        (0..self.model.nr_pr(words)).any(|pid| {
            let process = self.tables.procs[pid];
            let graph = &self.model.program.templates[process.template].graph;
            graph.locations[self.pc(words, process)].flags.contains(flag)
        })
    }

    /// Whether the process has an executable step.
    pub fn can_move(&self, words: &[Word]) -> bool {
        let process = self.tables.procs[self.pid];
        let graph = &self.model.program.templates[process.template].graph;
        let location = graph.locations[self.pc(words, process)];
        location.edges().any(|edge| self.ready(words, &self.model.program.edges[edge], false) != Ready::No)
    }

    /// Whether the `provided` clause of the process holds.
    #[inline]
    pub fn is_provided(&self, words: &[Word], template: TemplateId) -> bool {
        self.model.program.templates[template].provided.is_none_or(|condition| self.eval(words, condition) != 0)
    }

    /// Whether an edge of the process can be taken; `fired`: one before it could.
    #[inline]
    pub fn ready(&self, words: &[Word], edge: &Edge, fired: bool) -> Ready {
        let yes = match edge.guard {
            Guard::True => true,
            Guard::Expr(node) => self.eval(words, node) != 0,
            Guard::Compare(op, field, value) => compare(op, field.get(words, self.base), value),
            Guard::Else => !fired,
            Guard::Send(send) => {
                let Some(chan) = self.channel(words, self.model.program.sends[send as usize].chan) else {
                    return Ready::No;
                };
                if chan.is_rendezvous() {
                    return Ready::Rendezvous(send);
                }
                !chan.is_full(words)
            }
            Guard::Receive(receive) => {
                let receive = &self.model.program.receives[receive as usize];
                let Some(chan) = self.channel(words, receive.chan) else { return Ready::No };
                if chan.is_rendezvous() && receive.copy {
                    self.fail(ViolationKind::PollRendezvous, receive.chan);
                }
                self.find_message(words, chan, receive).is_some()
            }
            Guard::Offer(send) => return Ready::Rendezvous(send),
            Guard::Accept(_) => false,
            Guard::End => self.pid + 1 == self.model.nr_pr(words),
            Guard::DStep(d_step) => return self.d_step_ready(words, d_step, fired),
        };
        if yes { Ready::Yes } else { Ready::No }
    }

    /// A `d_step` can be taken if its first statement can.
    fn d_step_ready(&self, words: &[Word], d_step: u32, fired: bool) -> Ready {
        let graph = &self.model.program.d_steps[d_step as usize];
        let location = graph.locations[graph.start];
        let first =
            location.edges().find(|&edge| self.ready(words, &self.model.program.edges[edge], fired) != Ready::No);
        first.map_or(Ready::No, Ready::DStep)
    }
}
