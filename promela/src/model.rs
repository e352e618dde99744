//! The checked model: every name resolved, every constant folded, every construct that is sugar written out.
//!
//! This is the one product of the crate and all that later stages see. Invariants, established by `check`:
//! - every [`Place`] names an existing variable, and its indices and fields fit the declared types;
//! - array sizes, channel capacities and widths are numbers;
//! - `inline`, `for` and `select` are gone, as the `do`/`if` they stand for, step for step as SPIN runs them;
//! - `break` is inside a `do`, every [`StmtKind::Goto`] has its label in the same proctype;
//! - a local declared behind the first statement of its proctype is a [`StmtKind::Declare`] step at that place (which
//!   does nothing for a structure: it starts with its process).

use std::sync::Arc;

use cranelift_entity::PrimaryMap;

pub use crate::ast::{BinaryOp, UnaryOp};
use crate::ids::{ChanTypeId, LabelId, MtypeSetId, ProcTypeId, StructId, VarId};
use crate::source::Span;

/// A whole checked model.
#[derive(Clone, Debug, Default)]
pub struct CheckedModel {
    /// The sets of mtype names; the first is the unnamed set.
    pub mtypes: PrimaryMap<MtypeSetId, MtypeSet>,
    /// The structures.
    pub structs: PrimaryMap<StructId, Struct>,
    /// The kinds of channels that declarations create.
    pub chan_types: PrimaryMap<ChanTypeId, ChanType>,
    /// Global variables in textual order.
    pub globals: PrimaryMap<VarId, Var>,
    /// Proctypes and `init`, in textual order.
    pub proctypes: PrimaryMap<ProcTypeId, ProcType>,
    /// Never claims in textual order.
    pub claims: Vec<Claim>,
    /// `ltl` blocks in textual order.
    pub ltl: Vec<LtlBlock>,
    /// The `trace` or `notrace` declaration.
    pub trace: Option<Trace>,
    /// Whether the model says anything about process priorities: only then do they decide who moves.
    pub uses_priorities: bool,
}

/// The names of one mtype set.
#[derive(Clone, Debug, Default)]
pub struct MtypeSet {
    /// The set's name, `None` for the unnamed one.
    pub name: Option<Arc<str>>,
    /// `names[i]` has the value `i + 1`.
    pub names: Vec<Arc<str>>,
}

/// A `typedef`.
#[derive(Clone, Debug)]
pub struct Struct {
    /// Its name.
    pub name: Arc<str>,
    /// Its fields, in order.
    pub fields: PrimaryMap<VarId, Var>,
    /// Where it is declared.
    pub span: Span,
}

/// What `[capacity] of { fields }` describes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ChanType {
    /// Number of slots; 0 is rendezvous.
    pub capacity: u32,
    /// The fields of a message, structures flattened.
    pub fields: Vec<BasicType>,
}

/// A type that one value of a state has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BasicType {
    /// `bit` and `bool`: one bit, value modulo 2.
    Bit,
    /// 8 bits.
    Byte,
    /// 8 bits, a process number.
    Pid,
    /// 16 bits, signed.
    Short,
    /// 32 bits, signed.
    Int,
    /// `unsigned v : n`, n from 1 to 32.
    Unsigned(u8),
    /// 8 bits, a name of the set or 0.
    Mtype(MtypeSetId),
    /// A channel number (8 bits), 0 when uninitialised.
    Chan,
}

/// The type of a variable or field.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VarType {
    /// A single value (per element).
    Basic(BasicType),
    /// A structure (per element).
    Struct(StructId),
}

/// A variable, parameter or field.
#[derive(Clone, Debug)]
pub struct Var {
    /// Its name as written.
    pub name: Arc<str>,
    /// Type of the variable, or of each element.
    pub ty: VarType,
    /// `Some(n)`: an array of n elements.
    pub len: Option<u32>,
    /// `hidden`: not part of the state.
    pub hidden: bool,
    /// What it starts as: when the run starts (globals), when its process does (locals), or at its
    /// [`StmtKind::Declare`] step.
    pub init: Init,
    /// It gets `init` at a [`StmtKind::Declare`] step, and is 0 until then.
    pub declared_by_step: bool,
    /// Where it is declared.
    pub span: Span,
}

/// How a variable starts.
#[derive(Clone, Debug)]
pub enum Init {
    /// With 0 (a structure: as its fields say).
    Zero,
    /// With this value; each element of an array gets it.
    Value(Expr),
    /// Element by element; elements beyond the list are 0.
    List(Vec<Expr>),
    /// With a new channel (each element of an array with one of its own).
    Chan(ChanTypeId),
}

/// What a [`ProcType`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProcKind {
    /// `proctype` or `D_proctype`.
    Proctype,
    /// `init`.
    Init,
    /// The body of a never claim.
    Never,
    /// The body of a `trace` or `notrace`.
    Trace,
}

/// A process type: its variables, its labels and its body.
#[derive(Clone, Debug)]
pub struct ProcType {
    /// Its name; `init` for the init process.
    pub name: Arc<str>,
    /// What it is.
    pub kind: ProcKind,
    /// Number of instances that run from the start (`init` has 1), created in textual order of proctypes.
    pub active: u32,
    /// `D_proctype`: must be deterministic.
    pub deterministic: bool,
    /// Declared priority, 1 if none.
    pub priority: u32,
    /// `provided` clause.
    pub provided: Option<Expr>,
    /// Parameters, then all other locals in textual order (with the counters of `for` loops over channels among them).
    pub locals: PrimaryMap<VarId, Var>,
    /// How many of `locals` are parameters.
    pub params: usize,
    /// Its labels.
    pub labels: PrimaryMap<LabelId, Label>,
    /// What it does.
    pub body: Sequence,
    /// The name where declared.
    pub span: Span,
}

/// A label of a proctype.
#[derive(Clone, Debug)]
pub struct Label {
    /// As written; prefixes `end`, `progress` and `accept` have meaning.
    pub name: Arc<str>,
    /// Where it stands.
    pub span: Span,
}

/// A never claim.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Its name, if it has one.
    pub name: Option<Arc<str>>,
    /// Its body as a process.
    pub body: ProcType,
}

/// `trace` or `notrace`.
#[derive(Clone, Debug)]
pub struct Trace {
    /// `notrace`: a complete match is the error.
    pub negated: bool,
    /// Its body as a process; its statements are sends and receives only.
    pub body: ProcType,
}

/// `ltl [name] { formula }`.
#[derive(Clone, Debug)]
pub struct LtlBlock {
    /// Its name, if it has one.
    pub name: Option<Arc<str>>,
    /// The positive formula.
    pub formula: Ltl,
    /// Where it stands.
    pub span: Span,
}

/// A temporal formula over checked expressions.
#[derive(Clone, Debug)]
pub enum Ltl {
    /// A state formula.
    Atom(Expr),
    /// `!f`.
    Not(Box<Ltl>),
    /// `f && g`.
    And(Box<Ltl>, Box<Ltl>),
    /// `f || g`.
    Or(Box<Ltl>, Box<Ltl>),
    /// `f -> g`.
    Implies(Box<Ltl>, Box<Ltl>),
    /// `f <-> g`.
    Equivalent(Box<Ltl>, Box<Ltl>),
    /// `X f`.
    Next(Box<Ltl>),
    /// `[] f`.
    Always(Box<Ltl>),
    /// `<> f`.
    Eventually(Box<Ltl>),
    /// `f U g`.
    Until(Box<Ltl>, Box<Ltl>),
    /// `f W g`.
    WeakUntil(Box<Ltl>, Box<Ltl>),
    /// `f V g`.
    Release(Box<Ltl>, Box<Ltl>),
}

/// Statements in order; the flow falls from one to the next.
#[derive(Clone, Debug, Default)]
pub struct Sequence {
    /// In order; empty only where a body is empty.
    pub stmts: Vec<Stmt>,
    /// The whole sequence.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// The labels in front of it.
    pub labels: Vec<LabelId>,
    /// What it does.
    pub kind: StmtKind,
    /// Where it stands; written-out sugar has the place of what it came from.
    pub span: Span,
}

/// The forms of a statement.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// Executable while the value is not 0 (`skip` is 1; `run` and `set_priority` act when executed).
    Expr(Expr),
    /// Executable when nothing else at its location is.
    Else,
    /// `place = value`, cut to the place's type.
    Assign(Place, Expr),
    /// The local gets its [`Var::init`] (0, value, or list); a step of its own. A structure has had it since its process
    /// started, so that the step does nothing; it is no `skip` all the same, which SPIN may leave out.
    Declare(VarId),
    /// `c!e,…` or `c!!e,…`.
    Send {
        /// The channel (a place of type `chan`).
        chan: Place,
        /// `!!`.
        sorted: bool,
        /// The fields, structures flattened.
        args: Vec<Expr>,
    },
    /// `c?…` and its variants.
    Recv {
        /// The channel.
        chan: Place,
        /// `??`.
        random: bool,
        /// `<…>`: the message stays.
        copy: bool,
        /// The fields, structures flattened.
        args: Vec<RecvArg>,
    },
    /// `xr` / `xs`: this process alone may receive from (send to) these; no step.
    Exclusive {
        /// `xs`.
        send: bool,
        /// The channels.
        chans: Vec<Place>,
    },
    /// `assert(e)`.
    Assert(Expr),
    /// `printf(format, args)`.
    Printf(Format, Vec<Expr>),
    /// `printm(e)`.
    Printm(Expr),
    /// Go on at the label; no step unless it is the guard of an option.
    Goto(LabelId),
    /// Leave the innermost `do`; no step unless it is the guard of an option.
    Break,
    /// One option is chosen.
    If(Vec<Sequence>),
    /// One option is chosen, again and again.
    Do(Vec<Sequence>),
    /// Uninterrupted while it does not block.
    Atomic(Sequence),
    /// One step.
    DStep(Sequence),
    /// A block (scopes are resolved: only grouping remains).
    Block(Sequence),
    /// `main unless escape`.
    Unless(Sequence, Sequence),
}

/// A `printf` format, split.
#[derive(Clone, Debug)]
pub struct Format {
    /// Text and conversions, escapes resolved.
    pub parts: Vec<FormatPart>,
}

/// A piece of a format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FormatPart {
    /// Plain text.
    Text(String),
    /// `%d`.
    Decimal,
    /// `%u`.
    Unsigned,
    /// `%x`.
    Hex,
    /// `%o`.
    Octal,
    /// `%c`.
    Char,
    /// `%e`: an mtype name.
    Name,
}

/// One argument of a receive or poll.
#[derive(Clone, Debug)]
pub enum RecvArg {
    /// The field is stored here.
    Bind(Place),
    /// The field must have this value (a constant, an mtype name, `eval(e)`).
    Match(Expr),
    /// `_`: any value.
    Any,
}

/// An expression; all arithmetic is 32-bit and wraps.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// The forms of an expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `_` in a send of a `trace`: any value fits.
    Any,
    /// A number; mtype names are numbers, and so are folded constants.
    Const(i32),
    /// The value at a place.
    Load(Place),
    /// A prefix operator.
    Unary(UnaryOp, Box<Expr>),
    /// An infix operator (`&&` and `||` evaluate their right side only if it decides).
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `(c -> a : b)`.
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `len(c)`.
    Len(Place),
    /// `full`, `nfull`, `empty`, `nempty`.
    ChanTest(ChanTest, Place),
    /// `c?[…]`, `c??[…]`.
    Poll {
        /// The channel.
        chan: Place,
        /// `??`.
        random: bool,
        /// What must match; [`RecvArg::Bind`] matches anything and binds nothing.
        args: Vec<RecvArg>,
    },
    /// `run P(args)`: the new process's number.
    Run {
        /// The proctype.
        proctype: ProcTypeId,
        /// The values of the parameters in order, structures flattened.
        args: Vec<Expr>,
        /// The new process's priority, if stated.
        priority: Option<Box<Expr>>,
    },
    /// `timeout`.
    Timeout,
    /// `np_`: no process is at a progress label.
    NonProgress,
    /// `_pid`.
    Pid,
    /// `_nr_pr`.
    NrPr,
    /// `_last`.
    Last,
    /// `enabled(pid)`.
    Enabled(Box<Expr>),
    /// `pc_value(pid)`.
    PcValue(Box<Expr>),
    /// `get_priority(pid)`; `_priority` is `get_priority(_pid)`.
    GetPriority(Box<Expr>),
    /// `set_priority(pid, value)`; `_priority = v` is `set_priority(_pid, v)`. Value: the priority set.
    SetPriority(Box<Expr>, Box<Expr>),
    /// `P[pid]@label`.
    RemoteLabel {
        /// The proctype.
        proctype: ProcTypeId,
        /// The instance; `None`: the first of that type.
        pid: Option<Box<Expr>>,
        /// The label in it.
        label: LabelId,
    },
    /// `P[pid]:place`, the place being local to P.
    RemoteLoad {
        /// The proctype.
        proctype: ProcTypeId,
        /// The instance; `None`: the first of that type.
        pid: Option<Box<Expr>>,
        /// A place whose [`Scope`] is `Local` in that proctype (its index expressions are the reader's).
        place: Box<Place>,
    },
}

/// The tests of a channel's filling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChanTest {
    /// `full(c)`.
    Full,
    /// `nfull(c)`.
    NotFull,
    /// `empty(c)`.
    Empty,
    /// `nempty(c)`.
    NotEmpty,
}

/// Which table a variable is in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scope {
    /// [`CheckedModel::globals`].
    Global,
    /// [`ProcType::locals`] of the current process.
    Local,
}

/// A place that holds one value: `a`, `a[i]`, `a[i].b[j].c`.
#[derive(Clone, Debug)]
pub struct Place {
    /// Where the variable lives.
    pub scope: Scope,
    /// The variable.
    pub var: VarId,
    /// Its index, present if and only if it is an array (a scalar written `x[0]` has none).
    pub index: Option<Box<Expr>>,
    /// The path through structures.
    pub fields: Vec<FieldAccess>,
    /// Type of the value at the end of the path.
    pub ty: BasicType,
    /// Where the reference stands.
    pub span: Span,
}

/// `.field` or `.field[index]`.
#[derive(Clone, Debug)]
pub struct FieldAccess {
    /// The structure that has the field.
    pub parent: StructId,
    /// The field.
    pub field: VarId,
    /// Present if and only if the field is an array.
    pub index: Option<Box<Expr>>,
}
