//! The syntax tree: what was written, after macros and inlines were expanded, before any name is resolved.
//!
//! Invariant: every node carries the [`Span`] of the tokens it was built from, and equality of trees ignores spans
//! (see [`Span`]'s `PartialEq` note in `source.rs`: compare trees with [`crate::ast::print`]ed text or `same_tree`).
//! Expressions live in `ast/expr.rs`, statements in `ast/stmt.rs`; `ast/print.rs` turns a tree back to text.

pub mod expr;
pub mod print;
pub mod stmt;

use std::sync::Arc;

use crate::source::Span;

pub use expr::{BinaryOp, Expr, ExprKind, Ltl, LtlKind, Poll, RecvArg, UnaryOp, VarRef, VarRefPart};
pub use stmt::{Recv, Send, Sequence, Stmt, StmtKind};

/// A name as written, with its place.
#[derive(Clone, Debug)]
pub struct Name {
    /// The identifier.
    pub text: Arc<str>,
    /// Where it stands.
    pub span: Span,
}

/// A whole model: the declarations of one translation unit in textual order.
#[derive(Clone, Debug, Default)]
pub struct Ast {
    /// Everything at the top level, in order.
    pub items: Vec<Item>,
}

/// One declaration at the top level.
#[derive(Clone, Debug)]
pub enum Item {
    /// `mtype = { a, b }` or `mtype:set = { a, b }`.
    Mtype(MtypeDecl),
    /// `typedef T { … }`.
    Typedef(Typedef),
    /// A global variable declaration.
    Vars(VarDecl),
    /// `proctype`, `D_proctype`, `active [n] proctype`.
    Proctype(Proctype),
    /// `init { … }`.
    Init(Init),
    /// `never [name] { … }`.
    Never(Claim),
    /// `trace { … }` or `notrace { … }`.
    Trace(Trace),
    /// `ltl [name] { … }`.
    Ltl(LtlBlock),
}

/// `mtype[:set] = { names }`.
#[derive(Clone, Debug)]
pub struct MtypeDecl {
    /// The named subset, if any.
    pub set: Option<Name>,
    /// The names in the order written.
    pub names: Vec<Name>,
    /// The whole declaration.
    pub span: Span,
}

/// `typedef name { fields }`.
#[derive(Clone, Debug)]
pub struct Typedef {
    /// Name of the structure.
    pub name: Name,
    /// Its fields, as declarations.
    pub fields: Vec<VarDecl>,
    /// The whole declaration.
    pub span: Span,
}

/// Visibility prefix of a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visibility {
    /// `hidden`: not part of the state.
    Hidden,
    /// `show`: displayed in charts, no meaning.
    Show,
    /// `local`: a promise for partial order reduction.
    Local,
}

/// `[hidden|show|local] type declarator, declarator …`.
#[derive(Clone, Debug)]
pub struct VarDecl {
    /// The prefix, if any.
    pub visibility: Option<Visibility>,
    /// The declared type.
    pub ty: TypeName,
    /// One per declared variable.
    pub declarators: Vec<Declarator>,
    /// The whole declaration.
    pub span: Span,
}

/// The type of a declaration as written.
#[derive(Clone, Debug)]
pub enum TypeName {
    /// `bit`.
    Bit,
    /// `bool`.
    Bool,
    /// `byte`.
    Byte,
    /// `pid`.
    Pid,
    /// `short`.
    Short,
    /// `int`.
    Int,
    /// `unsigned` (the width stands at the declarator).
    Unsigned,
    /// `mtype` or `mtype:set`.
    Mtype(Option<Name>),
    /// `chan`.
    Chan,
    /// The name of a typedef.
    User(Name),
}

/// One variable of a declaration: `name [: width] [ '[' size ']' ] [= initialiser]`.
#[derive(Clone, Debug)]
pub struct Declarator {
    /// The variable.
    pub name: Name,
    /// `: n` of an `unsigned`.
    pub width: Option<Expr>,
    /// Array size, a constant expression.
    pub size: Option<Expr>,
    /// What it starts as.
    pub init: Option<Initializer>,
    /// The whole declarator.
    pub span: Span,
}

/// What stands behind the `=` of a declaration.
#[derive(Clone, Debug)]
pub enum Initializer {
    /// `= expr`.
    Expr(Expr),
    /// `= { e, e, e }`.
    List(Vec<Expr>, Span),
    /// `= [capacity] of { types }`.
    Chan {
        /// Number of slots.
        capacity: Expr,
        /// Field types of a message (user types allowed).
        fields: Vec<TypeName>,
        /// The whole initialiser.
        span: Span,
    },
}

/// A process type.
#[derive(Clone, Debug)]
pub struct Proctype {
    /// `active` and how many (`None` inside: one).
    pub active: Option<Option<Expr>>,
    /// Written `D_proctype`.
    pub deterministic: bool,
    /// Its name.
    pub name: Name,
    /// Parameters; each declaration may hold several declarators, no initialisers.
    pub params: Vec<VarDecl>,
    /// `priority n`.
    pub priority: Option<Expr>,
    /// `provided (e)`.
    pub provided: Option<Expr>,
    /// The body.
    pub body: Sequence,
    /// The whole declaration.
    pub span: Span,
}

/// `init [priority n] { … }`.
#[derive(Clone, Debug)]
pub struct Init {
    /// `priority n`.
    pub priority: Option<Expr>,
    /// The body.
    pub body: Sequence,
    /// The keyword `init`.
    pub span: Span,
}

/// `never [name] { … }`.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// The body.
    pub body: Sequence,
    /// The keyword `never`.
    pub span: Span,
}

/// `trace { … }` / `notrace { … }`.
#[derive(Clone, Debug)]
pub struct Trace {
    /// `notrace`.
    pub negated: bool,
    /// The body.
    pub body: Sequence,
    /// The keyword.
    pub span: Span,
}

/// `ltl [name] { formula }`.
#[derive(Clone, Debug)]
pub struct LtlBlock {
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// The (positive) formula.
    pub formula: Ltl,
    /// The whole block.
    pub span: Span,
}
