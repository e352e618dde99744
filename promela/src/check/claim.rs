//! Never claims, traces and temporal formulas.

use std::sync::Arc;

use super::process::empty;
use super::scope::Body;
use super::{Checker, Owner, run, text};
use crate::ast::{self, LtlKind, Name};
use crate::diagnostics::{claim as finding, process};
use crate::model::{Claim, Expr, Ltl, LtlBlock, ProcKind, Trace};
use crate::source::Span;

impl Checker<'_> {
    /// `never [name] { … }`.
    pub(super) fn never(&mut self, claim: &ast::Claim) {
        self.claim_name(claim.name.as_ref());
        let name = claim.name.as_ref().map_or_else(|| Arc::from("never"), text);
        self.body = Some(Body::new(Owner::Claim, empty(name, ProcKind::Never, claim.span)));
        if let Some(body) = self.lower_body(&claim.body) {
            self.model.claims.push(Claim { name: claim.name.as_ref().map(text), body });
        }
    }

    /// `trace { … }` and `notrace { … }`.
    pub(super) fn trace(&mut self, trace: &ast::Trace) {
        if let Some(earlier) = &self.model.trace {
            let earlier = earlier.body.span;
            self.report(finding::second_trace(trace.span, earlier));
        }
        let name = Arc::from(if trace.negated { "notrace" } else { "trace" });
        self.body = Some(Body::new(Owner::Claim, empty(name, ProcKind::Trace, trace.span)));
        if let Some(body) = self.lower_body(&trace.body) {
            self.model.trace = Some(Trace { negated: trace.negated, body });
        }
    }

    /// `ltl [name] { … }`.
    pub(super) fn ltl_block(&mut self, block: &ast::LtlBlock) {
        self.claim_name(block.name.as_ref());
        if let Some(formula) = self.ltl(&block.formula) {
            self.model.ltl.push(LtlBlock { name: block.name.as_ref().map(text), formula, span: block.span });
        }
    }

    /// A temporal formula.
    pub(super) fn ltl(&mut self, formula: &ast::Ltl) -> Option<Ltl> {
        Some(match &formula.kind {
            LtlKind::Atom(expr) => Ltl::Atom(self.state_formula(expr)?),
            LtlKind::Not(f) => Ltl::Not(Box::new(self.ltl(f)?)),
            LtlKind::Next(f) => Ltl::Next(Box::new(self.ltl(f)?)),
            LtlKind::Always(f) => Ltl::Always(Box::new(self.ltl(f)?)),
            LtlKind::Eventually(f) => Ltl::Eventually(Box::new(self.ltl(f)?)),
            LtlKind::And(f, g) => self.pair(f, g, Ltl::And)?,
            LtlKind::Or(f, g) => self.pair(f, g, Ltl::Or)?,
            LtlKind::Implies(f, g) => self.pair(f, g, Ltl::Implies)?,
            LtlKind::Equivalent(f, g) => self.pair(f, g, Ltl::Equivalent)?,
            LtlKind::Until(f, g) => self.pair(f, g, Ltl::Until)?,
            LtlKind::WeakUntil(f, g) => self.pair(f, g, Ltl::WeakUntil)?,
            LtlKind::Release(f, g) => self.pair(f, g, Ltl::Release)?,
        })
    }

    fn pair(&mut self, f: &ast::Ltl, g: &ast::Ltl, join: fn(Box<Ltl>, Box<Ltl>) -> Ltl) -> Option<Ltl> {
        let (f, g) = (self.ltl(f), self.ltl(g));
        Some(join(Box::new(f?), Box::new(g?)))
    }

    /// An expression over a whole state: there is no current process, and nothing may change.
    pub(super) fn state_formula(&mut self, expr: &ast::Expr) -> Option<Expr> {
        if run::count(expr) > 0 {
            self.report(process::run_outside(expr.span));
            return None;
        }
        self.in_formula = true;
        let lowered = self.value(expr);
        self.in_formula = false;
        lowered
    }

    fn claim_name(&mut self, name: Option<&Name>) {
        let Some(name) = name else { return };
        if let Some(earlier) = self.claim_names.insert(text(name), name.span) {
            self.report(finding::claim_redefined(name, earlier));
        }
    }
}

/// Names of claims and formulas so far.
pub(super) type ClaimNames = std::collections::HashMap<Arc<str>, Span>;
