//! Expressions and LTL formulas as written.

use super::Name;
use crate::source::Span;

/// An expression with its place.
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
    /// A number, a character constant, `true`, `false`, `skip`.
    Const(i32),
    /// A variable, an mtype name or a predefined variable (`_pid`, `_nr_pr`, `_last`, `np_`, `_priority`, `_`, `STDIN`).
    Var(VarRef),
    /// `! - ~`.
    Unary(UnaryOp, Box<Expr>),
    /// All infix operators.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `(c -> a : b)`.
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `len(c)`.
    Len(VarRef),
    /// `full(c)`.
    Full(VarRef),
    /// `nfull(c)`.
    NotFull(VarRef),
    /// `empty(c)`.
    Empty(VarRef),
    /// `nempty(c)`.
    NotEmpty(VarRef),
    /// `c?[…]`, `c??[…]`.
    Poll(Box<Poll>),
    /// `run P(args) [priority n]`.
    Run {
        /// The proctype.
        proctype: Name,
        /// Actual parameters.
        args: Vec<Expr>,
        /// Its priority.
        priority: Option<Box<Expr>>,
    },
    /// `timeout`.
    Timeout,
    /// `enabled(e)`.
    Enabled(Box<Expr>),
    /// `pc_value(e)`.
    PcValue(Box<Expr>),
    /// `get_priority(e)`.
    GetPriority(Box<Expr>),
    /// `set_priority(e, e)`.
    SetPriority(Box<Expr>, Box<Expr>),
    /// `P[e]@label`, `P@label`.
    RemoteLabel {
        /// The proctype.
        proctype: Name,
        /// Which instance.
        pid: Option<Box<Expr>>,
        /// The label.
        label: Name,
    },
    /// `P[e]:var`, `P:var`.
    RemoteVar {
        /// The proctype.
        proctype: Name,
        /// Which instance.
        pid: Option<Box<Expr>>,
        /// The variable inside it.
        var: VarRef,
    },
    /// A piece that did not parse; a diagnostic has been given.
    Error,
}

/// A reference: `a`, `a[i]`, `a[i].b[j].c`.
#[derive(Clone, Debug)]
pub struct VarRef {
    /// At least one part.
    pub parts: Vec<VarRefPart>,
    /// The whole reference.
    pub span: Span,
}

/// One step of a reference.
#[derive(Clone, Debug)]
pub struct VarRefPart {
    /// Variable or field.
    pub name: Name,
    /// `[e]`.
    pub index: Option<Box<Expr>>,
}

/// `c?[args]` or `c??[args]`.
#[derive(Clone, Debug)]
pub struct Poll {
    /// The channel.
    pub chan: VarRef,
    /// `??`.
    pub random: bool,
    /// What must match.
    pub args: Vec<RecvArg>,
}

/// One argument of a receive or poll.
#[derive(Clone, Debug)]
pub enum RecvArg {
    /// A name: binds a variable, or matches if it turns out to be an mtype constant. `_` discards.
    Var(VarRef),
    /// `eval(e)`.
    Eval(Expr),
    /// A constant, possibly with a minus sign.
    Const(i32, Span),
}

/// Prefix operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// `!`
    Not,
    /// `-`
    Neg,
    /// `~`
    BitNot,
}

/// Infix operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    BitAnd,
    BitXor,
    BitOr,
    Shl,
    Shr,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    And,
    Or,
}

impl BinaryOp {
    /// As it is written.
    pub fn sign(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitXor => "^",
            BinaryOp::BitOr => "|",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::And => "&&",
            BinaryOp::Or => "||",
        }
    }
}

/// A temporal formula with its place.
#[derive(Clone, Debug)]
pub struct Ltl {
    /// What it is.
    pub kind: LtlKind,
    /// Where it stands.
    pub span: Span,
}

/// The forms of a temporal formula.
#[derive(Clone, Debug)]
pub enum LtlKind {
    /// A state formula (any Promela expression; `true` and `false` are constants).
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
    /// `f U g` (strong until).
    Until(Box<Ltl>, Box<Ltl>),
    /// `f W g`.
    WeakUntil(Box<Ltl>, Box<Ltl>),
    /// `f V g`.
    Release(Box<Ltl>, Box<Ltl>),
}
