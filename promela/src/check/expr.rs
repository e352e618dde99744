//! Expressions: names become places, constants and predefined values; kinds that do not fit are pointed at.

use std::sync::Arc;

use super::scope::Global;
use super::value::{Kind, foregone, range};
use super::{Checker, Owner};
use crate::ast::{self, BinaryOp, VarRef};
use crate::diagnostics::{claim, constant, name as names, process, types as finding};
use crate::ids::{LabelId, ProcTypeId, VarId};
use crate::model::{BasicType, ChanTest, Expr, ExprKind, Var};
use crate::source::Span;

impl Checker<'_> {
    /// An expression whose kind does not matter.
    pub(super) fn value(&mut self, expr: &ast::Expr) -> Option<Expr> {
        self.typed(expr).map(|(expr, _)| expr)
    }

    /// An expression and the kind of its value.
    pub(super) fn typed(&mut self, expr: &ast::Expr) -> Option<(Expr, Kind)> {
        let span = expr.span;
        let number = |kind| Some((Expr { kind, span }, Kind::Number));
        match &expr.kind {
            ast::ExprKind::Const(value) => number(ExprKind::Const(*value)),
            ast::ExprKind::Var(var) => self.variable(var, span),
            ast::ExprKind::Unary(op, inner) => {
                let inner = self.value(inner)?;
                number(ExprKind::Unary(*op, Box::new(inner)))
            }
            ast::ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.typed(left), self.typed(right));
                let ((left, left_kind), (right, right_kind)) = (left?, right?);
                self.suspect(*op, (&left, left_kind), (&right, right_kind), span);
                number(ExprKind::Binary(*op, Box::new(left), Box::new(right)))
            }
            ast::ExprKind::Cond(test, yes, no) => {
                let (test, yes, no) = (self.value(test), self.typed(yes), self.typed(no));
                let (test, (yes, kind), (no, other)) = (test?, yes?, no?);
                let kind = if kind == other { kind } else { Kind::Number };
                Some((Expr { kind: ExprKind::Cond(Box::new(test), Box::new(yes), Box::new(no)), span }, kind))
            }
            ast::ExprKind::Len(chan) => {
                let chan = self.length_of(chan)?;
                number(ExprKind::Len(chan))
            }
            ast::ExprKind::Full(chan) => self.chan_test(ChanTest::Full, chan, span),
            ast::ExprKind::NotFull(chan) => self.chan_test(ChanTest::NotFull, chan, span),
            ast::ExprKind::Empty(chan) => self.chan_test(ChanTest::Empty, chan, span),
            ast::ExprKind::NotEmpty(chan) => self.chan_test(ChanTest::NotEmpty, chan, span),
            ast::ExprKind::Poll(poll) => {
                let poll = self.poll(poll)?;
                number(poll)
            }
            ast::ExprKind::Run { proctype, args, priority } => {
                let run = self.run(proctype, args, priority.as_deref(), span)?;
                number(run)
            }
            ast::ExprKind::Timeout => number(ExprKind::Timeout),
            ast::ExprKind::Enabled(pid) => {
                self.claims_only("enabled", span);
                let pid = self.value(pid)?;
                number(ExprKind::Enabled(Box::new(pid)))
            }
            ast::ExprKind::PcValue(pid) => {
                self.claims_only("pc_value", span);
                let pid = self.value(pid)?;
                number(ExprKind::PcValue(Box::new(pid)))
            }
            ast::ExprKind::GetPriority(pid) => {
                self.uses.priorities = true;
                let pid = self.value(pid)?;
                number(ExprKind::GetPriority(Box::new(pid)))
            }
            ast::ExprKind::SetPriority(pid, priority) => {
                self.uses.priorities = true;
                let (pid, priority) = (self.value(pid), self.value(priority));
                number(ExprKind::SetPriority(Box::new(pid?), Box::new(priority?)))
            }
            ast::ExprKind::RemoteLabel { proctype, pid, label } => {
                let (id, pid) = self.remote(proctype, pid.as_deref())?;
                let found = self.remote_label(id, &label.text);
                let Some(found) = found else {
                    self.report(names::unknown_remote("label", label, proctype));
                    return None;
                };
                self.uses.remote_label(id, found);
                number(ExprKind::RemoteLabel { proctype: id, pid, label: found })
            }
            ast::ExprKind::RemoteVar { proctype, pid, var } => self.remote_var(proctype, pid.as_deref(), var, span),
            ast::ExprKind::Error => None,
        }
    }

    /// A name in an expression: predefined, a symbolic constant, or a variable.
    fn variable(&mut self, var: &VarRef, span: Span) -> Option<(Expr, Kind)> {
        if let [part] = &var.parts[..]
            && part.index.is_none()
        {
            let name = &part.name;
            let predefined = match &*name.text {
                "_pid" => Some(ExprKind::Pid),
                "_nr_pr" => Some(ExprKind::NrPr),
                "_last" => Some(ExprKind::Last),
                "_p" => Some(ExprKind::PcValue(Box::new(Expr { kind: ExprKind::Pid, span }))),
                "_priority" => {
                    self.uses.priorities = true;
                    Some(ExprKind::GetPriority(Box::new(Expr { kind: ExprKind::Pid, span })))
                }
                "np_" => {
                    if !self.in_claim() {
                        self.report(claim::np_outside_claim(span));
                    }
                    Some(ExprKind::NonProgress)
                }
                "_" => {
                    self.report(finding::read_of_underscore(span));
                    return None;
                }
                _ => None,
            };
            if let Some(kind) = predefined {
                return Some((Expr { kind, span }, Kind::Number));
            }
            if let Some(&(Global::Mtype(set, value), _)) = self.globals.names.get(&name.text)
                && self.lookup_var(&name.text).is_none()
            {
                return Some((Expr { kind: ExprKind::Const(value), span }, Kind::Mtype(set)));
            }
        }
        let place = self.read_place(var)?;
        let kind = Kind::of(place.ty);
        Some((Expr { kind: ExprKind::Load(place), span }, kind))
    }

    /// Things that are legal and probably not meant.
    fn suspect(&mut self, op: BinaryOp, left: (&Expr, Kind), right: (&Expr, Kind), span: Span) {
        let comparison =
            matches!(op, BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne);
        if let (Kind::Mtype(a), Kind::Mtype(b)) = (left.1, right.1)
            && a != b
            && comparison
        {
            let (a, b) = (self.set_name(a), self.set_name(b));
            self.report(finding::compared_sets(span, &a, &b));
        }
        if matches!(op, BinaryOp::Div | BinaryOp::Rem) && matches!(right.0.kind, ExprKind::Const(0)) {
            self.report(constant::division_by_zero(span));
        }
        let against_number = match (&left.0.kind, &right.0.kind) {
            (ExprKind::Load(place), ExprKind::Const(_)) | (ExprKind::Const(_), ExprKind::Load(place)) => Some(place.ty),
            _ => None,
        };
        if comparison
            && let Some(ty) = against_number
            && let (Some(a), Some(b)) = (range(left.0), range(right.0))
            && let Some(outcome) = foregone(op, a, b)
        {
            let ty = self.type_name(ty);
            self.report(finding::foregone_comparison(span, outcome, &ty));
        }
    }

    fn chan_test(&mut self, test: ChanTest, chan: &VarRef, span: Span) -> Option<(Expr, Kind)> {
        if self.in_formula {
            self.report(claim::channel_test_in_formula(span));
            return None;
        }
        let chan = self.channel(chan)?;
        Some((Expr { kind: ExprKind::ChanTest(test, chan), span }, Kind::Number))
    }

    fn claims_only(&mut self, function: &str, span: Span) {
        if !self.in_claim() {
            self.report(claim::outside_claim(function, span));
        }
    }

    /// The proctype and instance of a remote reference.
    fn remote(&mut self, proctype: &ast::Name, pid: Option<&ast::Expr>) -> Option<(ProcTypeId, Option<Box<Expr>>)> {
        let found = match self.globals.names.get(&proctype.text) {
            Some(&(Global::Proctype(id), _)) => Some(id),
            _ => None,
        };
        if found.is_none() {
            let finding = process::unknown_proctype(proctype, self.nearest_proctype(&proctype.text));
            self.report(finding);
        }
        let pid = match pid {
            Some(pid) => Some(Box::new(self.value(pid)?)),
            None => None,
        };
        Some((found?, pid))
    }

    fn remote_var(
        &mut self,
        proctype: &ast::Name,
        pid: Option<&ast::Expr>,
        var: &VarRef,
        span: Span,
    ) -> Option<(Expr, Kind)> {
        let (id, pid) = self.remote(proctype, pid)?;
        let name = &var.parts.first()?.name;
        if &*name.text == "_p"
            && let Some(pid) = pid
        {
            return Some((Expr { kind: ExprKind::PcValue(pid), span }, Kind::Number));
        }
        let Some((local, declared)) = self.remote_local(id, &name.text) else {
            self.report(names::unknown_remote("variable", name, proctype));
            return None;
        };
        self.uses.remote(id, local);
        let place = self.remote_place(local, &declared, var)?;
        let kind = Kind::of(place.ty);
        let place = Box::new(place);
        Some((Expr { kind: ExprKind::RemoteLoad { proctype: id, pid, place }, span }, kind))
    }

    /// A label of a proctype by name; of the current proctype, only one that has been passed.
    fn remote_label(&self, id: ProcTypeId, name: &Arc<str>) -> Option<LabelId> {
        let label = *self.globals.labels.get(&(id, Arc::clone(name)))?;
        match &self.body {
            Some(body) if body.owner == Owner::Process(id) => body.passed_labels.get(&label).copied(),
            _ => Some(label),
        }
    }

    /// A local of a proctype by name; block scopes are looked through, the one declared first wins.
    fn remote_local(&self, id: ProcTypeId, name: &Arc<str>) -> Option<(VarId, Var)> {
        let local = *self.globals.locals.get(&(id, Arc::clone(name)))?;
        let locals = match &self.body {
            Some(body) if body.owner == Owner::Process(id) => &body.proc.locals,
            _ => &self.model.proctypes[id].locals,
        };
        Some((local, locals.get(local)?.clone()))
    }

    /// A type as it is written.
    pub(super) fn type_name(&self, ty: BasicType) -> String {
        match ty {
            BasicType::Bit => "bit".to_string(),
            BasicType::Byte => "byte".to_string(),
            BasicType::Pid => "pid".to_string(),
            BasicType::Short => "short".to_string(),
            BasicType::Int => "int".to_string(),
            BasicType::Unsigned(width) => format!("unsigned : {width}"),
            BasicType::Mtype(set) => self.set_name(set),
            BasicType::Chan => "chan".to_string(),
        }
    }

    /// A set of symbolic names as it is written.
    pub(super) fn set_name(&self, set: crate::ids::MtypeSetId) -> String {
        match &self.model.mtypes[set].name {
            Some(name) => format!("mtype:{name}"),
            None => "mtype".to_string(),
        }
    }
}
