//! Statements, one by one: each becomes the steps it stands for.

use super::declare::Home;
use super::{Checker, run};
use crate::ast::{self, BinaryOp, VarRef};
use crate::diagnostics::{channel, claim, control as finding, process, types};
use crate::model::{Expr, ExprKind, Format, FormatPart, Place, ProcKind, Sequence, Stmt, StmtKind};
use crate::source::Span;

impl Checker<'_> {
    /// A sequence that opens no scope of its own (an option, a body).
    pub(super) fn sequence(&mut self, sequence: &ast::Sequence) -> Sequence {
        let mut stmts = Vec::with_capacity(sequence.stmts.len());
        for stmt in &sequence.stmts {
            self.statement(stmt, &mut stmts);
        }
        Sequence { stmts, span: sequence.span }
    }

    /// A sequence in braces: what it declares ends with it.
    pub(super) fn block(&mut self, sequence: &ast::Sequence) -> Sequence {
        if let Some(body) = &mut self.body {
            body.open_block();
        }
        let lowered = self.sequence(sequence);
        if let Some(body) = &mut self.body {
            body.close_block();
        }
        lowered
    }

    /// Lowers one statement and appends its steps; its labels go to the step that SPIN attaches them to.
    pub(super) fn statement(&mut self, stmt: &ast::Stmt, steps: &mut Vec<Stmt>) {
        match &stmt.kind {
            ast::StmtKind::Vars(decl) => {
                return self.local_vars(decl, steps);
            }
            ast::StmtKind::ExclusiveReceive(chans) | ast::StmtKind::ExclusiveSend(chans) => {
                let send = matches!(stmt.kind, ast::StmtKind::ExclusiveSend(_));
                if let Some(kind) = self.exclusive(send, chans) {
                    steps.push(Stmt { labels: Vec::new(), kind, span: stmt.span });
                }
                return;
            }
            _ => {}
        }
        if let Some(body) = &mut self.body {
            body.at_start = false;
        }
        self.restrict(stmt);
        let labels = self.labels_of(&stmt.labels);
        let from = steps.len();
        match &stmt.kind {
            ast::StmtKind::ForRange { .. } | ast::StmtKind::ForIn { .. } | ast::StmtKind::Select { .. } => {
                self.sugar(stmt, steps);
                if steps.len() > from + 1 {
                    stmt.labels.iter().for_each(|label| self.report(finding::label_before_for(label)));
                }
            }
            _ => {
                if let Some(kind) = self.step(stmt) {
                    steps.push(Stmt { labels: Vec::new(), kind, span: stmt.span });
                }
            }
        }
        // What `for` and `select` write out ends with the loop, and that is what a label in front of them marks.
        if steps.len() > from
            && let Some(last) = steps.last_mut()
        {
            last.labels = labels;
        }
    }

    fn step(&mut self, stmt: &ast::Stmt) -> Option<StmtKind> {
        match &stmt.kind {
            ast::StmtKind::Expr(expr) => {
                self.check_runs(expr);
                self.value(expr).map(StmtKind::Expr)
            }
            ast::StmtKind::Else => Some(StmtKind::Else),
            ast::StmtKind::Assign(target, value) => self.assign(target, value, stmt.span),
            ast::StmtKind::Increment(target) => self.count(target, BinaryOp::Add, stmt.span),
            ast::StmtKind::Decrement(target) => self.count(target, BinaryOp::Sub, stmt.span),
            ast::StmtKind::Send(send) => {
                if let Some(arg) = send.args.iter().find(|arg| run::count(arg) > 0) {
                    self.report(process::run_in_message(arg.span));
                    return None;
                }
                self.send(send, stmt.span)
            }
            ast::StmtKind::Recv(recv) => self.recv(recv, stmt.span),
            ast::StmtKind::Assert(expr) => {
                self.no_run_in_d_step(expr);
                self.value(expr).map(StmtKind::Assert)
            }
            ast::StmtKind::Printf(format, args) => self.printf(format, args, stmt.span),
            ast::StmtKind::Printm(expr) => {
                if !matches!(expr.kind, ast::ExprKind::Var(_)) {
                    self.report(finding::printm_of_number(expr.span));
                }
                self.value(expr).map(StmtKind::Printm)
            }
            ast::StmtKind::Goto(label) => self.mentioned(label).map(StmtKind::Goto),
            ast::StmtKind::Break => self.break_loop(stmt.span),
            ast::StmtKind::If(options) => self.options(options).map(StmtKind::If),
            ast::StmtKind::Do(options) => {
                self.loops(1);
                let options = self.options(options);
                self.loops(-1);
                options.map(StmtKind::Do)
            }
            ast::StmtKind::Atomic(inner) => {
                let lowered = self.block(inner);
                self.label_inside(inner, &lowered, "atomic ");
                Some(StmtKind::Atomic(lowered))
            }
            ast::StmtKind::DStep(inner) => {
                let lowered = self.d_step(inner);
                self.label_inside(inner, &lowered, "d_step ");
                Some(StmtKind::DStep(lowered))
            }
            ast::StmtKind::Block(inner) => {
                let lowered = self.block(inner);
                self.label_inside(inner, &lowered, "");
                Some(StmtKind::Block(lowered))
            }
            ast::StmtKind::Unless(main, escape) => {
                if self.body.as_ref().is_some_and(|body| body.in_d_step) {
                    self.report(finding::unless_in_d_step(stmt.span));
                }
                Some(StmtKind::Unless(self.lone(main), self.lone(escape)))
            }
            ast::StmtKind::Vars(_)
            | ast::StmtKind::ExclusiveReceive(_)
            | ast::StmtKind::ExclusiveSend(_)
            | ast::StmtKind::ForRange { .. }
            | ast::StmtKind::ForIn { .. }
            | ast::StmtKind::Select { .. }
            | ast::StmtKind::Error => None,
        }
    }

    /// One side of `unless` as a sequence.
    fn lone(&mut self, stmt: &ast::Stmt) -> Sequence {
        let mut stmts = Vec::new();
        self.statement(stmt, &mut stmts);
        match stmts.pop() {
            Some(Stmt { labels, kind: StmtKind::Block(inner), .. }) if labels.is_empty() && stmts.is_empty() => inner,
            last => {
                stmts.extend(last);
                Sequence { stmts, span: stmt.span }
            }
        }
    }

    /// A declaration inside a body.
    fn local_vars(&mut self, decl: &ast::VarDecl, steps: &mut Vec<Stmt>) {
        let home = match &self.body {
            Some(body) if body.at_start => Home::Start,
            _ => Home::Step,
        };
        if self.body.as_ref().is_some_and(|body| body.proc.kind == ProcKind::Never) {
            self.report(claim::local_in_claim(decl.span));
        }
        for declarator in &decl.declarators {
            if let Some(id) = self.declare_local(decl, declarator, home)
                && home == Home::Step
            {
                steps.push(Stmt { labels: Vec::new(), kind: StmtKind::Declare(id), span: declarator.span });
            }
        }
    }

    fn assign(&mut self, target: &VarRef, value: &ast::Expr, span: Span) -> Option<StmtKind> {
        if let [part] = &target.parts[..] {
            match &*part.name.text {
                "_priority" => {
                    self.uses.priorities = true;
                    let value = self.value(value)?;
                    let pid = Expr { kind: ExprKind::Pid, span: target.span };
                    let kind = ExprKind::SetPriority(Box::new(pid), Box::new(value));
                    return Some(StmtKind::Expr(Expr { kind, span }));
                }
                "_" => return self.value(value).map(|value| StmtKind::Expr(always(value))),
                name @ ("_pid" | "_nr_pr" | "_last" | "np_") => {
                    self.report(types::predefined_assigned(target.span, name));
                    return None;
                }
                _ => {}
            }
        }
        self.no_run_in_d_step(value);
        let (place, value) = (self.written_place(target), self.typed(value));
        let (place, (value, kind)) = (place?, value?);
        if !matches!(value.kind, ExprKind::Load(_)) && mentions_channel(&value) {
            self.report(channel::channel_in_arithmetic(value.span));
            return None;
        }
        self.assignable((&value, kind), place.ty, place.fields.is_empty(), target.span)?;
        Some(StmtKind::Assign(place, value))
    }

    /// `v++` and `v--`.
    fn count(&mut self, target: &VarRef, op: BinaryOp, span: Span) -> Option<StmtKind> {
        if let [part] = &target.parts[..]
            && let name @ ("_pid" | "_nr_pr" | "_last" | "np_" | "_" | "_priority") = &*part.name.text
        {
            self.report(types::predefined_assigned(target.span, name));
            return None;
        }
        let place = self.written_place(target)?;
        self.uses.read(&place);
        Some(stepped(place, op, span))
    }

    fn printf(&mut self, format: &str, args: &[ast::Expr], span: Span) -> Option<StmtKind> {
        let format = split(format);
        let wanted = format.parts.iter().filter(|part| !matches!(part, FormatPart::Text(_))).count();
        if wanted != args.len() {
            self.report(finding::printf_arity(span, wanted, args.len()));
        }
        let lowered: Vec<Option<Expr>> = args.iter().map(|arg| self.value(arg)).collect();
        Some(StmtKind::Printf(format, lowered.into_iter().collect::<Option<_>>()?))
    }

    fn break_loop(&mut self, span: Span) -> Option<StmtKind> {
        match &self.body {
            Some(body) if body.loops > 0 => Some(StmtKind::Break),
            Some(body) if body.outer_loops > 0 => {
                self.report(finding::break_leaves_d_step(span));
                None
            }
            _ => {
                self.report(finding::break_outside_loop(span));
                None
            }
        }
    }

    /// Enters or leaves a loop.
    pub(super) fn loops(&mut self, change: i32) {
        if let Some(body) = &mut self.body {
            body.loops = body.loops.saturating_add_signed(change);
        }
    }

    fn d_step(&mut self, inner: &ast::Sequence) -> Sequence {
        let Some(body) = &mut self.body else {
            return self.block(inner);
        };
        let outside = (body.in_d_step, body.loops, body.outer_loops);
        (body.in_d_step, body.outer_loops, body.loops) = (true, body.loops + body.outer_loops, 0);
        let lowered = self.block(inner);
        if let Some(body) = &mut self.body {
            (body.in_d_step, body.loops, body.outer_loops) = outside;
        }
        lowered
    }

    fn options(&mut self, options: &[ast::Sequence]) -> Option<Vec<Sequence>> {
        let mut otherwise: Option<Span> = None;
        let mut io = None;
        for option in options {
            let Some(guard) = option.stmts.first() else {
                continue;
            };
            for label in &guard.labels {
                self.report(finding::label_before_guard(label));
            }
            match guard.kind {
                ast::StmtKind::Else => {
                    if let Some(first) = otherwise {
                        self.report(finding::second_else(guard.span, first));
                    }
                    otherwise = Some(guard.span);
                }
                ast::StmtKind::Send(_) | ast::StmtKind::Recv(_) => io = io.or(Some(guard.span)),
                _ => {}
            }
        }
        if let (Some(otherwise), Some(io)) = (otherwise, io) {
            let finding = finding::else_with_io(otherwise, io, self.uses.any_exclusive);
            self.report(finding);
        }
        Some(options.iter().map(|option| self.sequence(option)).collect())
    }

    /// What claims, traces and `d_step` do not allow.
    fn restrict(&mut self, stmt: &ast::Stmt) {
        let Some(body) = &self.body else { return };
        let (kind, in_d_step) = (body.proc.kind, body.in_d_step);
        match (kind, &stmt.kind) {
            (ProcKind::Never, ast::StmtKind::Send(_) | ast::StmtKind::Recv(_)) => {
                self.report(claim::io_in_claim(stmt.span));
            }
            (
                ProcKind::Never,
                ast::StmtKind::Assign(..) | ast::StmtKind::Increment(_) | ast::StmtKind::Decrement(_),
            ) => self.report(claim::side_effect(stmt.span)),
            (ProcKind::Trace, ast::StmtKind::Send(ast::Send { sorted: true, .. }))
            | (ProcKind::Trace, ast::StmtKind::Recv(ast::Recv { random: true, .. } | ast::Recv { copy: true, .. }))
            | (
                ProcKind::Trace,
                ast::StmtKind::Expr(_)
                | ast::StmtKind::Assign(..)
                | ast::StmtKind::Increment(_)
                | ast::StmtKind::Decrement(_)
                | ast::StmtKind::Assert(_)
                | ast::StmtKind::Printf(..)
                | ast::StmtKind::Printm(_)
                | ast::StmtKind::Atomic(_)
                | ast::StmtKind::DStep(_)
                | ast::StmtKind::Else,
            ) => self.report(claim::not_an_event(stmt.span)),
            (_, ast::StmtKind::Expr(expr)) if in_d_step => self.no_run_in_d_step(expr),
            _ => {}
        }
    }

    fn no_run_in_d_step(&mut self, expr: &ast::Expr) {
        if self.body.as_ref().is_some_and(|body| body.in_d_step) && run::count(expr) > 0 {
            self.report(process::run_in_d_step(expr.span));
        }
    }
}

/// A number.
pub(super) fn constant(value: i32, span: Span) -> Expr {
    Expr { kind: ExprKind::Const(value), span }
}

/// `place = place ± 1`.
pub(super) fn stepped(place: Place, op: BinaryOp, span: Span) -> StmtKind {
    let old = Expr { kind: ExprKind::Load(place.clone()), span };
    let one = constant(1, span);
    let kind = ExprKind::Binary(op, Box::new(old), Box::new(one));
    StmtKind::Assign(place, Expr { kind, span })
}

/// Evaluates, and is executable whatever the value.
fn always(value: Expr) -> Expr {
    if matches!(value.kind, ExprKind::Run { .. }) {
        return value;
    }
    let span = value.span;
    let yes = constant(1, span);
    Expr { kind: ExprKind::Binary(BinaryOp::Or, Box::new(value), Box::new(yes)), span }
}

/// Whether a channel variable is an operand (arguments of `run` aside).
fn mentions_channel(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Load(place) => place.ty == crate::model::BasicType::Chan,
        ExprKind::Unary(_, inner) => mentions_channel(inner),
        ExprKind::Binary(_, left, right) => mentions_channel(left) || mentions_channel(right),
        ExprKind::Cond(test, yes, no) => mentions_channel(test) || mentions_channel(yes) || mentions_channel(no),
        _ => false,
    }
}

/// Splits a format into text and conversions and resolves its escapes.
fn split(format: &str) -> Format {
    let mut parts = Vec::new();
    let mut text = String::new();
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        let conversion = match c {
            '\\' => {
                match chars.next() {
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    Some('r') => text.push('\r'),
                    Some(other) => text.push(other),
                    None => text.push('\\'),
                }
                continue;
            }
            '%' => match chars.next() {
                Some('d') => FormatPart::Decimal,
                Some('u') => FormatPart::Unsigned,
                Some('x') => FormatPart::Hex,
                Some('o') => FormatPart::Octal,
                Some('c') => FormatPart::Char,
                Some('e') => FormatPart::Name,
                Some('%') => {
                    text.push('%');
                    continue;
                }
                Some(other) => {
                    text.push('%');
                    text.push(other);
                    continue;
                }
                None => {
                    text.push('%');
                    continue;
                }
            },
            other => {
                text.push(other);
                continue;
            }
        };
        if !text.is_empty() {
            parts.push(FormatPart::Text(std::mem::take(&mut text)));
        }
        parts.push(conversion);
    }
    if !text.is_empty() {
        parts.push(FormatPart::Text(text));
    }
    Format { parts }
}
