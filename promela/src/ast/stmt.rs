//! Statements as written.

use super::{Expr, Name, RecvArg, VarDecl, VarRef};
use crate::source::Span;

/// A sequence of statements (the separators `;` and `->` mean the same and are not kept).
#[derive(Clone, Debug, Default)]
pub struct Sequence {
    /// In order.
    pub stmts: Vec<Stmt>,
    /// From the opening to the closing brace, `::` or guard.
    pub span: Span,
}

/// A statement with its labels.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Labels in front of it, outermost first.
    pub labels: Vec<Name>,
    /// What it is.
    pub kind: StmtKind,
    /// Where it stands (labels not included).
    pub span: Span,
}

/// The forms of a statement.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// A declaration of local variables.
    Vars(VarDecl),
    /// `xr c, d`.
    ExclusiveReceive(Vec<VarRef>),
    /// `xs c, d`.
    ExclusiveSend(Vec<VarRef>),
    /// An expression; `skip` is the constant 1.
    Expr(Expr),
    /// `else`.
    Else,
    /// `v = e`.
    Assign(VarRef, Expr),
    /// `v++`.
    Increment(VarRef),
    /// `v--`.
    Decrement(VarRef),
    /// `c!…`, `c!!…`.
    Send(Send),
    /// `c?…`, `c??…`, `c?<…>`, `c??<…>`.
    Recv(Recv),
    /// `assert(e)`.
    Assert(Expr),
    /// `printf("…", args)`; the text between the quotes, escapes as written.
    Printf(Box<str>, Vec<Expr>),
    /// `printm(e)`.
    Printm(Expr),
    /// `goto label`.
    Goto(Name),
    /// `break`.
    Break,
    /// `if :: … fi`.
    If(Vec<Sequence>),
    /// `do :: … od`.
    Do(Vec<Sequence>),
    /// `atomic { … }`.
    Atomic(Sequence),
    /// `d_step { … }`.
    DStep(Sequence),
    /// `{ … }` (also what an inline call expands to).
    Block(Sequence),
    /// `s unless s`.
    Unless(Box<Stmt>, Box<Stmt>),
    /// `for (v : a .. b) { … }`.
    ForRange {
        /// The loop variable.
        var: VarRef,
        /// First value.
        from: Expr,
        /// Last value.
        to: Expr,
        /// What is repeated.
        body: Sequence,
    },
    /// `for (v in a) { … }` over an array or a channel.
    ForIn {
        /// The loop variable (index, or message structure).
        var: VarRef,
        /// The array or channel.
        over: VarRef,
        /// What is repeated.
        body: Sequence,
    },
    /// `select (v : a .. b)`.
    Select {
        /// The variable that gets a value.
        var: VarRef,
        /// Least value.
        from: Expr,
        /// Greatest value.
        to: Expr,
    },
    /// A piece that did not parse; a diagnostic has been given.
    Error,
}

/// A send statement.
#[derive(Clone, Debug)]
pub struct Send {
    /// The channel.
    pub chan: VarRef,
    /// `!!`.
    pub sorted: bool,
    /// The fields (`c!a(b,c)` is `c!a,b,c`).
    pub args: Vec<Expr>,
}

/// A receive statement.
#[derive(Clone, Debug)]
pub struct Recv {
    /// The channel.
    pub chan: VarRef,
    /// `??`: the first message that matches.
    pub random: bool,
    /// `<…>`: leave the message in the channel.
    pub copy: bool,
    /// The fields.
    pub args: Vec<RecvArg>,
}
