//! `for` and `select` written out, step for step as SPIN runs them.
//!
//! - `for (i : a .. b) { S }` is `i = a; do :: i <= b -> S; i = i + 1 :: else -> break od`; `b` is evaluated each time.
//! - `for (i in a) { S }` over an array of n elements is `for (i : 0 .. n - 1) { S }`.
//! - `for (m in c) { S }` over a channel rotates the channel once:
//!   `k = 0; do :: k < len(c) -> c?m; c!m; S; k = k + 1 :: else -> break od`, k a counter shared by the loops of a block.
//! - `select (i : a .. b)` with plain numbers at most 32 apart is one choice, `if :: i = a :: … :: i = b fi`;
//!   otherwise `i = a; do :: break :: i < b -> i = i + 1 od`.

use std::sync::Arc;

use super::Checker;
use super::place::Reference;
use super::stmt::{constant, stepped};
use crate::ast::{self, BinaryOp, VarRef};
use crate::diagnostics::control as finding;
use crate::ids::VarId;
use crate::model::{BasicType, Expr, ExprKind, Init, Place, RecvArg, Scope, Sequence, Stmt, StmtKind, Var, VarType};
use crate::source::Span;

/// Furthest apart the ends of a one-step `select` may be.
const MAX_CHOICE: i64 = 32;

impl Checker<'_> {
    /// Writes out one `for` or `select`; the last step is the loop or choice itself.
    pub(super) fn sugar(&mut self, stmt: &ast::Stmt, steps: &mut Vec<Stmt>) {
        let written_out = match &stmt.kind {
            ast::StmtKind::ForRange { var, from, to, body } => self.for_range(var, from, to, body, stmt.span),
            ast::StmtKind::ForIn { var, over, body } => self.for_in(var, over, body, stmt.span),
            ast::StmtKind::Select { var, from, to } => self.select(var, from, to, stmt.span),
            _ => None,
        };
        steps.extend(written_out.unwrap_or_default());
    }

    fn for_range(
        &mut self,
        var: &VarRef,
        from: &ast::Expr,
        to: &ast::Expr,
        body: &ast::Sequence,
        span: Span,
    ) -> Option<Vec<Stmt>> {
        let counter = self.loop_variable(var);
        let (from, to) = (self.value(from), self.value(to));
        let body = self.loop_body(body);
        let (counter, from, to) = (counter?, from?, to?);
        self.non_empty(&from, &to, span)?;
        Some(counting(counter, from, BinaryOp::Le, to, body, span))
    }

    fn for_in(&mut self, var: &VarRef, over: &VarRef, body: &ast::Sequence, span: Span) -> Option<Vec<Stmt>> {
        let reference = self.reference(over);
        let Some(len) = reference.as_ref().and_then(|r| r.whole_array.filter(|_| r.bare().is_some())) else {
            return self.for_channel(var, over, reference, body, span);
        };
        if let Some((scope, id)) = reference.as_ref().and_then(Reference::bare) {
            self.uses.read_var(scope, id, over.span);
        }
        let counter = self.loop_variable(var);
        let body = self.loop_body(body);
        let last = ExprKind::Const(i32::try_from(len).unwrap_or(i32::MAX) - 1);
        Some(counting(counter?, constant(0, span), BinaryOp::Le, Expr { kind: last, span }, body, span))
    }

    fn for_channel(
        &mut self,
        var: &VarRef,
        over: &VarRef,
        reference: Option<Reference>,
        body: &ast::Sequence,
        span: Span,
    ) -> Option<Vec<Stmt>> {
        let message = self.structure(var);
        let chan = match reference {
            Some(r) if r.whole_array.is_none() && r.ty == VarType::Basic(BasicType::Chan) => self.channel(over),
            Some(_) => {
                self.report(finding::not_iterable(over));
                None
            }
            None => None,
        };
        let counter = self.counter(span);
        let body = self.loop_body(body);
        let (chan, counter) = (chan?, counter?);
        let sent = self.sent_structure(&chan);
        let Some(message) = message else {
            self.report(finding::not_a_message(var, over));
            return None;
        };
        let message = message?;
        if sent.is_none() || sent != self.structure_of(var) {
            self.report(finding::not_a_message(var, over));
            return None;
        }
        message.first().iter().for_each(|place| self.uses.write(place));
        let len = Expr { kind: ExprKind::Len(chan.clone()), span };
        let receive = message.iter().cloned().map(RecvArg::Bind).collect();
        let load = |place: &Place| Expr { kind: ExprKind::Load(place.clone()), span };
        let mut turned = vec![
            plain(StmtKind::Recv { chan: chan.clone(), random: false, copy: false, args: receive }, span),
            plain(StmtKind::Send { chan, sorted: false, args: message.iter().map(load).collect() }, span),
        ];
        turned.extend(body.stmts);
        let body = Sequence { stmts: turned, span };
        Some(counting(counter, constant(0, span), BinaryOp::Lt, len, body, span))
    }

    fn select(&mut self, var: &VarRef, from: &ast::Expr, to: &ast::Expr, span: Span) -> Option<Vec<Stmt>> {
        let place = self.loop_variable(var);
        let bounds = match (&from.kind, &to.kind) {
            (ast::ExprKind::Const(from), ast::ExprKind::Const(to)) => Some((*from, *to)),
            _ => None,
        };
        let (from, to) = (self.value(from), self.value(to));
        let (place, from, to) = (place?, from?, to?);
        if let Some((least, greatest)) = bounds {
            if least > greatest {
                self.report(finding::empty_range(span, least, greatest));
                return None;
            }
            if i64::from(greatest) - i64::from(least) <= MAX_CHOICE {
                let option = |value| Sequence {
                    stmts: vec![plain(StmtKind::Assign(place.clone(), constant(value, span)), span)],
                    span,
                };
                return Some(vec![plain(StmtKind::If((least..=greatest).map(option).collect()), span)]);
            }
        }
        let stop = Sequence { stmts: vec![plain(StmtKind::Break, span)], span };
        let more = Sequence {
            stmts: vec![
                plain(StmtKind::Expr(compare(&place, BinaryOp::Lt, to, span)), span),
                plain(stepped(place.clone(), BinaryOp::Add, span), span),
            ],
            span,
        };
        Some(vec![plain(StmtKind::Assign(place, from), span), plain(StmtKind::Do(vec![stop, more]), span)])
    }

    /// The variable of a `for` or `select`: a name without index or field.
    fn loop_variable(&mut self, var: &VarRef) -> Option<Place> {
        if var.parts.len() != 1 || var.parts.iter().any(|part| part.index.is_some()) {
            self.report(finding::bad_loop_variable(var));
            return None;
        }
        let place = self.written_place(var)?;
        self.uses.read(&place);
        Some(place)
    }

    fn loop_body(&mut self, body: &ast::Sequence) -> Sequence {
        self.loops(1);
        let lowered = self.block(body);
        self.loops(-1);
        lowered
    }

    fn non_empty(&mut self, from: &Expr, to: &Expr, span: Span) -> Option<()> {
        if let (ExprKind::Const(from), ExprKind::Const(to)) = (&from.kind, &to.kind)
            && from > to
        {
            self.report(finding::empty_range(span, *from, *to));
            return None;
        }
        Some(())
    }

    /// The counter of the loops over channels in the current block.
    fn counter(&mut self, span: Span) -> Option<Place> {
        let body = self.body.as_mut()?;
        let id = match body.counters.last().copied().flatten() {
            Some(id) => id,
            None => {
                let id = body.proc.locals.push(counter_variable(span));
                *body.counters.last_mut()? = Some(id);
                id
            }
        };
        let place = local(id, span);
        self.uses.read(&place);
        Some(place)
    }
}

fn counter_variable(span: Span) -> Var {
    Var {
        name: Arc::from("for counter"),
        ty: VarType::Basic(BasicType::Int),
        len: None,
        hidden: false,
        init: Init::Zero,
        declared_by_step: false,
        span,
    }
}

fn local(var: VarId, span: Span) -> Place {
    Place { scope: Scope::Local, var, index: None, fields: Vec::new(), ty: BasicType::Int, span }
}

/// `counter = from; do :: counter op to -> body; counter++ :: else -> break od`.
fn counting(counter: Place, from: Expr, op: BinaryOp, to: Expr, body: Sequence, span: Span) -> Vec<Stmt> {
    let mut round = vec![plain(StmtKind::Expr(compare(&counter, op, to, span)), span)];
    round.extend(body.stmts);
    round.push(plain(stepped(counter.clone(), BinaryOp::Add, span), span));
    let stop = vec![plain(StmtKind::Else, span), plain(StmtKind::Break, span)];
    let options = [round, stop].map(|stmts| Sequence { stmts, span });
    vec![plain(StmtKind::Assign(counter, from), span), plain(StmtKind::Do(options.into()), span)]
}

fn compare(place: &Place, op: BinaryOp, limit: Expr, span: Span) -> Expr {
    let value = Expr { kind: ExprKind::Load(place.clone()), span };
    Expr { kind: ExprKind::Binary(op, Box::new(value), Box::new(limit)), span }
}

fn plain(kind: StmtKind, span: Span) -> Stmt {
    Stmt { labels: Vec::new(), kind, span }
}
