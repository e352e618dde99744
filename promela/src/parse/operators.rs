//! Operators: how tightly each binds, and a row of operands and operators turned into a tree.
//!
//! The grammar hands over a row as it was written; Dijkstra's shunting-yard algorithm builds the tree, bottom up and
//! without recursion. Formulas use the same algorithm with more operators: `[]` and its like bind tighter than `U` but
//! looser than comparisons, so that `[] x > 3` is `[] (x > 3)`.

use super::Builder;
use crate::ast::{BinaryOp, Expr, ExprKind, Ltl, LtlKind, UnaryOp};
use crate::source::Span;

/// What operators are applied to: expressions and formulas.
pub(crate) trait Operand: Sized {
    type Prefix: Copy;
    type Infix: Copy;
    fn span(&self) -> Span;
    fn prefix_level(op: Self::Prefix) -> u8;
    fn infix_level(op: Self::Infix) -> u8;
    fn prefix(cx: &mut Builder<'_>, op: Self::Prefix, a: Self, span: Span) -> Self;
    fn infix(cx: &mut Builder<'_>, op: Self::Infix, a: Self, b: Self, span: Span) -> Self;
}

/// A row of operands and operators.
pub(crate) enum Terms<T: Operand> {
    /// The usual case.
    One(T),
    Row(Vec<Term<T>>),
}

/// A piece of a row; operators with the place of their sign.
pub(crate) enum Term<T: Operand> {
    Operand(T),
    Prefix(T::Prefix, u32),
    Infix(T::Infix, u32),
}

/// An operator that waits for its right operand to be complete.
enum Waiting<T: Operand> {
    Prefix(T::Prefix, u32),
    Infix(T::Infix),
}

impl<T: Operand> Waiting<T> {
    fn level(&self) -> u8 {
        match self {
            Waiting::Prefix(op, _) => T::prefix_level(*op),
            Waiting::Infix(op) => T::infix_level(*op),
        }
    }
}

impl<T: Operand> Terms<T> {
    pub(crate) fn new() -> Self {
        Terms::Row(Vec::new())
    }

    pub(crate) fn operand(self, operand: T) -> Self {
        self.push(Term::Operand(operand))
    }

    pub(crate) fn prefix(self, op: T::Prefix, at: u32) -> Self {
        self.push(Term::Prefix(op, at))
    }

    pub(crate) fn infix(self, op: T::Infix, at: u32) -> Self {
        self.push(Term::Infix(op, at))
    }

    fn push(self, term: Term<T>) -> Self {
        let mut row = match self {
            Terms::One(first) => vec![Term::Operand(first)],
            Terms::Row(row) => row,
        };
        row.push(term);
        Terms::Row(row)
    }

    /// The tree of a row that ends with an operand.
    pub(crate) fn build(self, cx: &mut Builder<'_>) -> T {
        let row = match self {
            Terms::One(only) => return only,
            Terms::Row(row) => row,
        };
        let (mut operands, mut waiting) = (Vec::new(), Vec::new());
        for term in row {
            match term {
                Term::Operand(operand) => operands.push(operand),
                Term::Prefix(op, at) => waiting.push(Waiting::Prefix(op, at)),
                Term::Infix(op, at) => {
                    let level = T::infix_level(op);
                    while let Some(last) = waiting.pop_if(|last| last.level() >= level) {
                        let chained = last.level() == level && matches!(level, IMPLIES | UNTIL);
                        apply(cx, &mut operands, last);
                        if let (true, Some(first)) = (chained, operands.last()) {
                            cx.refuse_chain(first.span(), at);
                        }
                    }
                    waiting.push(Waiting::Infix(op));
                }
            }
        }
        while let Some(last) = waiting.pop() {
            apply(cx, &mut operands, last);
        }
        operands.pop().expect("the grammar ends each row with an operand")
    }
}

/// Applies an operator to the operands on top.
fn apply<T: Operand>(cx: &mut Builder<'_>, operands: &mut Vec<T>, op: Waiting<T>) {
    let Some(right) = operands.pop() else { return };
    let result = match op {
        Waiting::Prefix(op, start) => {
            let span = Span { start, end: right.span().end };
            T::prefix(cx, op, right, span)
        }
        Waiting::Infix(op) => match operands.pop() {
            Some(left) => {
                let span = left.span().to(right.span());
                T::infix(cx, op, left, right, span)
            }
            None => right,
        },
    };
    operands.push(result);
}

const IMPLIES: u8 = 1;
const OR: u8 = 2;
const AND: u8 = 3;
const UNTIL: u8 = 4;
const TEMPORAL: u8 = 5;
const UNARY: u8 = 20;

/// How tightly an operator of expressions binds, as in C.
fn level(op: BinaryOp) -> u8 {
    match op {
        BinaryOp::Or => OR,
        BinaryOp::And => AND,
        BinaryOp::BitOr => 10,
        BinaryOp::BitXor => 11,
        BinaryOp::BitAnd => 12,
        BinaryOp::Eq | BinaryOp::Ne => 13,
        BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => 14,
        BinaryOp::Shl | BinaryOp::Shr => 15,
        BinaryOp::Add | BinaryOp::Sub => 16,
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => 17,
    }
}

impl Operand for Expr {
    type Prefix = UnaryOp;
    type Infix = BinaryOp;

    fn span(&self) -> Span {
        self.span
    }

    fn prefix_level(_: UnaryOp) -> u8 {
        UNARY
    }

    fn infix_level(op: BinaryOp) -> u8 {
        level(op)
    }

    fn prefix(cx: &mut Builder<'_>, op: UnaryOp, a: Self, span: Span) -> Self {
        Expr { kind: ExprKind::Unary(op, Box::new(cx.value(a))), span }
    }

    fn infix(cx: &mut Builder<'_>, op: BinaryOp, a: Self, b: Self, span: Span) -> Self {
        let (a, b) = if matches!(op, BinaryOp::And | BinaryOp::Or) { (a, b) } else { (cx.value(a), cx.value(b)) };
        Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), span }
    }
}

/// Prefix operators of formulas.
#[derive(Clone, Copy)]
pub(crate) enum LtlPrefix {
    State(UnaryOp),
    Always,
    Eventually,
    Next,
}

/// Infix operators of formulas.
#[derive(Clone, Copy)]
pub(crate) enum LtlInfix {
    State(BinaryOp),
    Until,
    WeakUntil,
    Release,
    Implies,
    Equivalent,
}

impl Operand for Ltl {
    type Prefix = LtlPrefix;
    type Infix = LtlInfix;

    fn span(&self) -> Span {
        self.span
    }

    fn prefix_level(op: LtlPrefix) -> u8 {
        match op {
            LtlPrefix::State(_) => UNARY,
            LtlPrefix::Always | LtlPrefix::Eventually | LtlPrefix::Next => TEMPORAL,
        }
    }

    fn infix_level(op: LtlInfix) -> u8 {
        match op {
            LtlInfix::State(op) => level(op),
            LtlInfix::Until | LtlInfix::WeakUntil | LtlInfix::Release => UNTIL,
            LtlInfix::Implies | LtlInfix::Equivalent => IMPLIES,
        }
    }

    fn prefix(cx: &mut Builder<'_>, op: LtlPrefix, a: Self, span: Span) -> Self {
        let kind = match op {
            LtlPrefix::State(UnaryOp::Not) => LtlKind::Not(Box::new(a)),
            LtlPrefix::State(op) => {
                let a = cx.state_formula(a, "arithmetic");
                LtlKind::Atom(Expr::prefix(cx, op, a, span))
            }
            LtlPrefix::Always => LtlKind::Always(Box::new(a)),
            LtlPrefix::Eventually => LtlKind::Eventually(Box::new(a)),
            LtlPrefix::Next => LtlKind::Next(Box::new(a)),
        };
        Ltl { kind, span }
    }

    fn infix(cx: &mut Builder<'_>, op: LtlInfix, a: Self, b: Self, span: Span) -> Self {
        let kind = match op {
            LtlInfix::State(BinaryOp::And) => LtlKind::And(Box::new(a), Box::new(b)),
            LtlInfix::State(BinaryOp::Or) => LtlKind::Or(Box::new(a), Box::new(b)),
            LtlInfix::State(op) => {
                let comparison = (level(BinaryOp::Eq)..=level(BinaryOp::Lt)).contains(&level(op));
                let user = if comparison { "a comparison" } else { "arithmetic" };
                let (a, b) = (cx.state_formula(a, user), cx.state_formula(b, user));
                LtlKind::Atom(Expr::infix(cx, op, a, b, span))
            }
            LtlInfix::Until => LtlKind::Until(Box::new(a), Box::new(b)),
            LtlInfix::WeakUntil => LtlKind::WeakUntil(Box::new(a), Box::new(b)),
            LtlInfix::Release => LtlKind::Release(Box::new(a), Box::new(b)),
            LtlInfix::Implies => LtlKind::Implies(Box::new(a), Box::new(b)),
            LtlInfix::Equivalent => LtlKind::Equivalent(Box::new(a), Box::new(b)),
        };
        Ltl { kind, span }
    }
}
