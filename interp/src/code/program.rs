//! The flat program: expressions, statements and edges as rows of tables, over the fields of a packed state.
//!
//! This is the one intermediate form between the checked model and execution: typed, without pointers, the same for
//! every process of a template. An interpreter runs it (`eval.rs`, `effect.rs`, `step.rs`).

use cranelift_entity::{PrimaryMap, SecondaryMap};
use fxhash::FxHashMap;
use promela::ids::{ChanTypeId, MtypeSetId, ProcTypeId};
use promela::model::{BinaryOp, ChanTest, Format};
use promela::source::Span;

use crate::code::flow::LocationFlags;
use crate::code::layout::Parameter;
use crate::code::state::{Array, Field};
use crate::ids::{ClaimId, EdgeId, ExpressionId, NodeId, Pc, TemplateId};

/// All code of a model.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Expressions; children come before parents.
    pub nodes: PrimaryMap<NodeId, Node>,
    /// Where each expression was written.
    pub spans: SecondaryMap<NodeId, Span>,
    /// Arrays that expressions index.
    pub arrays: Vec<Array>,
    /// Places inside arrays of structures.
    pub paths: Vec<Path>,
    /// Channel polls.
    pub polls: Vec<Receive>,
    /// Send statements.
    pub sends: Vec<Send>,
    /// Receive statements.
    pub receives: Vec<Receive>,
    /// `run` expressions.
    pub runs: Vec<Run>,
    /// Remote references.
    pub remotes: Vec<Remote>,
    /// `printf` and `printm`.
    pub prints: Vec<Print>,
    /// Statements' effects.
    pub instructions: Vec<Instruction>,
    /// Edges of all graphs, those of one location in a row, in trial order.
    pub edges: PrimaryMap<EdgeId, Edge>,
    /// Edges that do what other edges of a `d_step` do as well: the first is executed for both.
    pub fused: Vec<(EdgeId, EdgeId)>,
    /// The inside of `d_step`s.
    pub d_steps: Vec<Graph>,
    /// Code of each template of processes.
    pub templates: PrimaryMap<TemplateId, ProcessTemplate>,
    /// How many statements SPIN has numbered in all bodies before that of a proctype.
    pub elements_before: SecondaryMap<ProcTypeId, u32>,
    /// Initial values of globals.
    pub global_init: Block,
    /// The `trace` or `notrace` automaton.
    pub events: Option<Events>,
    /// The automata of the never claims.
    pub claims: PrimaryMap<ClaimId, Claim>,
    /// Channels that one proctype has for itself.
    pub exclusives: Vec<Exclusive>,
    /// Expressions from outside the model.
    pub expressions: PrimaryMap<ExpressionId, NodeId>,
    /// What only readers of a trace need.
    pub notes: Notes,
}

/// How simplified code was written: no search looks at it.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// Simplified expressions, as they were written.
    pub written: FxHashMap<NodeId, Node>,
    /// The names of the values that an expression has.
    pub names: FxHashMap<NodeId, MtypeSetId>,
    /// The expressions that edges were given as their guards.
    pub conditions: FxHashMap<EdgeId, NodeId>,
}

impl Program {
    /// A template of this proctype, if there is one: those of one proctype differ in where their variables are, not in how
    /// they go.
    pub fn template_of(&self, proctype: ProcTypeId) -> Option<&ProcessTemplate> {
        self.templates.values().find(|template| template.proctype == proctype)
    }

    /// Whether an expression has a value in every state. No may be wrong.
    pub fn is_total(&self, node: NodeId) -> bool {
        match self.nodes[node] {
            Node::Const(_) | Node::Load(_) | Node::Compare(..) | Node::Pid | Node::NrPr | Node::Last => true,
            Node::Not(a) | Node::Neg(a) | Node::BitNot(a) => self.is_total(a),
            Node::Binary(BinaryOp::Div | BinaryOp::Rem | BinaryOp::Shl | BinaryOp::Shr, ..) => false,
            Node::Binary(_, a, b) | Node::And(a, b) | Node::Or(a, b) => self.is_total(a) && self.is_total(b),
            Node::Cond(c, a, b) => self.is_total(c) && self.is_total(a) && self.is_total(b),
            _ => false,
        }
    }
}

/// `xr` or `xs`: a process of this proctype alone may receive from (send to) the channel.
#[derive(Clone, Copy, Debug)]
pub struct Exclusive {
    /// The channel's number.
    pub chan: i32,
    /// `xs`.
    pub send: bool,
    /// Whose it is.
    pub proctype: ProcTypeId,
    /// Where it is declared.
    pub span: Span,
}

/// A stretch of [`Program::instructions`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Block {
    /// First.
    pub start: u32,
    /// One past the last.
    pub end: u32,
}

/// An expression.
#[derive(Clone, Copy, Debug)]
pub enum Node {
    /// Any value, in the pattern of an event.
    Any,
    /// A number.
    Const(i32),
    /// The value of a field.
    Load(Field),
    /// `field op constant`, the most common guard.
    Compare(BinaryOp, Field, i32),
    /// An array's element.
    Element {
        /// Index into [`Program::arrays`].
        array: u32,
        /// Which element.
        index: NodeId,
    },
    /// A place in [`Program::paths`].
    Path(u32),
    /// One of several channels with numbers in a row.
    ChannelElement {
        /// Number of the first.
        first: i32,
        /// How many.
        len: u32,
        /// Which.
        index: NodeId,
    },
    /// `!a`.
    Not(NodeId),
    /// `-a`.
    Neg(NodeId),
    /// `~a`.
    BitNot(NodeId),
    /// All infix operators but the two below.
    Binary(BinaryOp, NodeId, NodeId),
    /// `a && b`.
    And(NodeId, NodeId),
    /// `a || b`.
    Or(NodeId, NodeId),
    /// `(c -> a : b)`.
    Cond(NodeId, NodeId, NodeId),
    /// `len(c)`.
    Len(NodeId),
    /// `full(c)` and its relatives.
    Test(ChanTest, NodeId),
    /// Index into [`Program::polls`].
    Poll(u32),
    /// `timeout`.
    Timeout,
    /// `np_`.
    NonProgress,
    /// `_pid`.
    Pid,
    /// `_nr_pr`.
    NrPr,
    /// `_last`.
    Last,
    /// `enabled(pid)`.
    Enabled(NodeId),
    /// `pc_value(pid)`.
    PcValue(NodeId),
    /// `get_priority(pid)`.
    GetPriority(NodeId),
    /// Index into [`Program::remotes`].
    Remote(u32),
    /// The number of the process that this step has created.
    Created,
}

/// A place inside an array of structures.
#[derive(Clone, Debug)]
pub struct Path {
    /// The field if all indices were 0.
    pub first: Field,
    /// Index, number of elements, words per element.
    pub dimensions: Vec<(NodeId, u32, u32)>,
    /// Index into the array of values at the end of the path, if there is one.
    pub last: Option<(NodeId, Array)>,
}

/// Where a value is stored.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// A field.
    Field(Field),
    /// An array's element.
    Element {
        /// Index into [`Program::arrays`].
        array: u32,
        /// Which element.
        index: NodeId,
    },
    /// A place in [`Program::paths`].
    Path(u32),
    /// Nowhere: the variable is not part of the state.
    Nowhere,
}

/// A send statement.
#[derive(Clone, Debug)]
pub struct Send {
    /// The channel's number.
    pub chan: NodeId,
    /// `!!`.
    pub sorted: bool,
    /// The fields.
    pub args: Vec<NodeId>,
    /// The channel is known, the fields are as many as it has, and their values can always be computed.
    pub is_total: bool,
    /// The statement in the source.
    pub span: Span,
}

/// A receive statement, or a poll.
#[derive(Clone, Debug)]
pub struct Receive {
    /// The channel's number.
    pub chan: NodeId,
    /// `??`.
    pub random: bool,
    /// The message stays.
    pub copy: bool,
    /// The fields.
    pub args: Vec<Argument>,
    /// The statement in the source.
    pub span: Span,
}

/// One field of a receive.
#[derive(Clone, Copy, Debug)]
pub enum Argument {
    /// Stored here.
    Bind(Target),
    /// Must have this value.
    Match(NodeId),
    /// Anything.
    Any,
}

/// A `run` expression.
#[derive(Clone, Debug)]
pub struct Run {
    /// What is started.
    pub proctype: ProcTypeId,
    /// Its parameters.
    pub args: Vec<NodeId>,
    /// Its priority, if stated.
    pub priority: Option<NodeId>,
    /// The statement in the source.
    pub span: Span,
}

/// A `printf` or `printm`.
#[derive(Clone, Debug)]
pub struct Print {
    /// Text and conversions.
    pub format: Format,
    /// The values to convert, each with the set of names `%e` takes it from.
    pub args: Vec<(NodeId, MtypeSetId)>,
}

/// A reference into another process.
#[derive(Clone, Debug)]
pub struct Remote {
    /// The proctype it names.
    pub proctype: ProcTypeId,
    /// Which process; `None`: the first of that type.
    pub pid: Option<NodeId>,
    /// A label or a local.
    pub what: RemoteValue,
}

/// What a remote reference reads.
#[derive(Clone, Debug)]
pub enum RemoteValue {
    /// Whether the process is at the location with this number.
    Label(u32),
    /// A local, by template: its place (index expressions are the reader's), or the value it always has.
    Local(SecondaryMap<TemplateId, Option<RemotePlace>>),
}

/// Where the local of another process is.
#[derive(Clone, Copy, Debug)]
pub enum RemotePlace {
    /// In the state.
    Target(Target),
    /// Nowhere: it always has this value.
    Const(i32),
}

/// What a step does to a state, one thing after the other.
#[derive(Clone, Copy, Debug)]
pub enum Instruction {
    /// `field = constant`.
    SetConst(Field, i32),
    /// `field = field + constant`.
    Add(Field, i32),
    /// `field = value`.
    Set(Field, NodeId),
    /// `target = value`.
    Store(Target, NodeId),
    /// Every element of an array gets the value.
    Fill {
        /// Index into [`Program::arrays`].
        array: u32,
        /// The value.
        value: NodeId,
    },
    /// Fails the assertion if the value is 0.
    Assert(NodeId),
    /// Index into [`Program::sends`].
    Send(u32),
    /// Index into [`Program::receives`].
    Receive(u32),
    /// Index into [`Program::runs`].
    Run(u32),
    /// The step is not executable after all if the value is 0 (a condition on a just created process).
    Require(NodeId),
    /// `set_priority(pid, value)`.
    SetPriority(NodeId, NodeId),
    /// A new channel of the type; its number is stored.
    NewChannel(ChanTypeId, Target),
    /// Nothing: a structure is declared. It is a step, and no `skip`.
    Declare,
    /// Index into [`Program::prints`]: evaluates the arguments; only a simulation prints.
    Print(u32),
}

/// A never claim.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Its automaton.
    pub graph: Graph,
    /// Whether it reads `timeout`.
    pub uses_timeout: bool,
}

/// Locations; their edges are in [`Program::edges`].
#[derive(Clone, Debug)]
pub struct Graph {
    /// Per location.
    pub locations: PrimaryMap<Pc, Location>,
    /// Where it starts.
    pub start: Pc,
}

/// A location.
#[derive(Clone, Copy, Debug)]
pub struct Location {
    /// Its first edge.
    pub first: u32,
    /// One past its last edge.
    pub end: u32,
    /// SPIN's number for it.
    pub number: u32,
    /// What its labels say.
    pub flags: LocationFlags,
    /// The channels from which a process here may take part in a rendezvous.
    pub accepts: ChannelSet,
    /// The statement behind it.
    pub span: Span,
}

impl Location {
    /// Its edges, in trial order.
    #[inline]
    pub fn edges(self) -> impl Iterator<Item = EdgeId> {
        (self.first..self.end).map(EdgeId::from_u32)
    }
}

/// A step that can be tried at a location.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// When it can be taken.
    pub guard: Guard,
    /// What it does.
    pub effect: Block,
    /// Where it leads; `None` when the process ends (or a `d_step` is left).
    pub to: Option<Pc>,
    /// The process keeps control.
    pub atomic: bool,
    /// It is a whole `d_step`.
    pub d_step: bool,
    /// 0, or which escape it belongs to.
    pub escape: u32,
    /// SPIN's number of the statement in its proctype, from 1.
    pub element: u32,
    /// The statement.
    pub span: Span,
}

/// When an edge can be taken.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Guard {
    /// Always.
    True,
    /// While the value is not 0.
    Expr(NodeId),
    /// While `field op constant` holds.
    Compare(BinaryOp, Field, i32),
    /// When no edge before it can.
    Else,
    /// When there is room, or a partner: index into [`Program::sends`].
    Send(u32),
    /// When there is a message that matches: index into [`Program::receives`].
    Receive(u32),
    /// A send to what is always a rendezvous channel: when there is a partner.
    Offer(u32),
    /// A receive from what is always a rendezvous channel: only as the partner of a send.
    Accept(u32),
    /// When the process is the youngest.
    End,
    /// When the first statement of the `d_step` can: index into [`Program::d_steps`].
    DStep(u32),
}

impl Guard {
    /// The send statement, if it is one.
    pub fn send(self) -> Option<u32> {
        match self {
            Guard::Send(send) | Guard::Offer(send) => Some(send),
            _ => None,
        }
    }

    /// The receive statement, if it is one.
    pub fn receive(self) -> Option<u32> {
        match self {
            Guard::Receive(receive) | Guard::Accept(receive) => Some(receive),
            _ => None,
        }
    }
}

/// A set of channels, by number modulo 64: what is not in it is not meant, what is in it may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ChannelSet(u64);

impl ChannelSet {
    /// Every channel.
    pub const ALL: ChannelSet = ChannelSet(u64::MAX);

    /// Adds a channel.
    pub fn insert(&mut self, number: i32) {
        self.0 |= 1 << (number as u32 % 64);
    }

    /// Adds the channels of another set.
    pub fn extend(&mut self, other: ChannelSet) {
        self.0 |= other.0;
    }

    /// Whether a channel may be meant.
    #[inline]
    pub fn may_contain(self, number: i32) -> bool {
        self.0 & (1 << (number as u32 % 64)) != 0
    }
}

/// Code of one proctype, or of one process instance.
#[derive(Clone, Debug)]
pub struct ProcessTemplate {
    /// Which proctype.
    pub proctype: ProcTypeId,
    /// Its control flow.
    pub graph: Graph,
    /// Where parameters go, structures flattened.
    pub params: Vec<Parameter>,
    /// Initial values of locals.
    pub init: Block,
    /// `provided` clause.
    pub provided: Option<NodeId>,
    /// Declared `D_proctype`.
    pub deterministic: bool,
}

/// The `trace` or `notrace` automaton.
#[derive(Clone, Debug)]
pub struct Events {
    /// Its control flow; guards are sends and receives.
    pub graph: Graph,
    /// `notrace`.
    pub negated: bool,
    /// Channels whose sends it watches.
    pub sends: Vec<NodeId>,
    /// Channels whose receives it watches.
    pub receives: Vec<NodeId>,
}
