//! `run`: where it may stand, and whether its arguments fit the parameters.
//!
//! A `run` may name a proctype that is declared later, so arguments are compared when the whole file has been seen.

use std::sync::Arc;

use super::Checker;
use super::constant::literal;
use super::nearest::nearest;
use super::value::Kind;
use crate::ast::{self, ExprKind as Ast, Name};
use crate::diagnostics::process as finding;
use crate::ids::{ProcTypeId, StructId};
use crate::model::{BasicType, Expr, ExprKind, VarType};
use crate::source::Span;

/// A `run` to be compared with its proctype.
pub(super) struct RunSite {
    pub proctype: ProcTypeId,
    /// Its arguments, structures flattened.
    args: Vec<(Expr, Kind)>,
    span: Span,
}

impl Checker<'_> {
    pub(super) fn run(
        &mut self,
        proctype: &Name,
        args: &[ast::Expr],
        priority: Option<&ast::Expr>,
        span: Span,
    ) -> Option<ExprKind> {
        let found = self.globals.proctypes.get(&proctype.text).copied();
        if found.is_none() {
            let finding = finding::unknown_proctype(proctype, self.nearest_proctype(&proctype.text));
            self.report(finding);
        }
        if self.body.is_none() {
            self.report(finding::run_outside(span));
            return None;
        }
        let mut lowered = Vec::with_capacity(args.len());
        let mut complete = true;
        for arg in args {
            match self.message_field(arg) {
                Some(mut values) => lowered.append(&mut values),
                None => complete = false,
            }
        }
        let priority = match priority {
            Some(priority) => self.run_priority(priority)?,
            None => None,
        };
        let proctype = found?;
        if !complete {
            return None;
        }
        self.runs.push(RunSite { proctype, args: lowered.clone(), span });
        Some(ExprKind::Run { proctype, args: lowered.into_iter().map(|(arg, _)| arg).collect(), priority })
    }

    /// The priority behind a `run`; SPIN takes 0 as none.
    fn run_priority(&mut self, priority: &ast::Expr) -> Option<Option<Box<Expr>>> {
        if literal(priority) == Some(0) {
            self.uses.priorities = true;
            return Some(None);
        }
        let value = i32::try_from(self.priority(priority)?).unwrap_or(i32::MAX);
        Some(Some(Box::new(Expr { kind: ExprKind::Const(value), span: priority.span })))
    }

    /// Reports every `run` whose arguments do not fit.
    pub(super) fn compare_runs(&mut self) {
        let runs = std::mem::take(&mut self.runs);
        for site in &runs {
            let proc = &self.model.proctypes[site.proctype];
            let (name, declared) = (Arc::clone(&proc.name), proc.span);
            let mut wanted = Vec::new();
            for param in proc.locals.values().take(proc.params) {
                self.leaf_types(param.ty, &mut wanted);
            }
            if site.args.len() != wanted.len() {
                self.report(finding::argument_count(site.span, &name, site.args.len(), wanted.len(), declared));
                continue;
            }
            for ((arg, kind), ty) in site.args.iter().zip(wanted) {
                self.compare_argument(arg, *kind, ty, declared);
            }
        }
        self.runs = runs;
    }

    fn compare_argument(&mut self, arg: &Expr, kind: Kind, ty: BasicType, declared: Span) {
        match (kind, ty) {
            (Kind::Mtype(given), BasicType::Mtype(wanted)) if given != wanted => {
                let (given, wanted) = (self.set_name(given), self.set_name(wanted));
                self.report(finding::argument_set(arg.span, &given, &wanted, declared));
            }
            (Kind::Chan, other) if other != BasicType::Chan => {
                let wanted = self.type_name(other);
                self.report(finding::argument_kind(arg.span, "a channel", &wanted, declared));
            }
            (Kind::Number | Kind::Mtype(_), BasicType::Chan) => {
                self.report(finding::argument_kind(arg.span, "a number", "chan", declared));
            }
            _ => self.warn_truncation(arg, ty),
        }
    }

    fn leaf_types(&self, ty: VarType, leaves: &mut Vec<BasicType>) {
        match ty {
            VarType::Basic(ty) => leaves.push(ty),
            VarType::Struct(id) => self.struct_leaves(id, leaves),
        }
    }

    fn struct_leaves(&self, id: StructId, leaves: &mut Vec<BasicType>) {
        for field in self.model.structs[id].fields.values() {
            self.leaf_types(field.ty, leaves);
        }
    }

    /// A `run` that is a condition must be the whole condition.
    pub(super) fn check_runs(&mut self, expr: &ast::Expr) {
        match count(expr) {
            0 => {}
            1 if matches!(expr.kind, Ast::Run { .. }) => {}
            1 => self.report(finding::run_in_compound(expr.span)),
            _ => self.report(finding::several_runs(expr.span)),
        }
    }

    pub(super) fn nearest_proctype(&self, name: &str) -> Option<&str> {
        nearest(name, self.globals.proctypes.keys().map(|known| &**known))
    }
}

/// How many `run` operators an expression holds.
pub(super) fn count(expr: &ast::Expr) -> usize {
    match &expr.kind {
        Ast::Run { args, .. } => 1 + args.iter().map(count).sum::<usize>(),
        Ast::Unary(_, inner) => count(inner),
        Ast::Binary(_, left, right) => count(left) + count(right),
        Ast::Cond(test, yes, no) => count(test) + count(yes) + count(no),
        Ast::Enabled(inner) | Ast::PcValue(inner) | Ast::GetPriority(inner) => count(inner),
        Ast::SetPriority(pid, value) => count(pid) + count(value),
        Ast::RemoteLabel { pid, .. } | Ast::RemoteVar { pid, .. } => pid.as_deref().map_or(0, count),
        Ast::Var(var) => var.parts.iter().filter_map(|part| part.index.as_deref()).map(count).sum(),
        _ => 0,
    }
}
