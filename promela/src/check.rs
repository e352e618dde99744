//! From the syntax tree to the checked model: names, types, constants and sugar, in one walk in textual order.
//!
//! Promela is declared before use, so one pass suffices; only `run` may name a proctype that comes later, and `ltl`
//! blocks see the whole file. Proctypes therefore get their ids first, arguments of `run` are compared with parameters
//! last, and formulas are resolved after everything else.
//!
//! Every finding is reported: a piece that cannot be lowered is left out (`None`) and the walk goes on. A model is
//! handed out only when there was no error, so that holes never reach a later stage.

mod channel;
mod claim;
mod constant;
mod declare;
mod expr;
mod flow;
mod label;
mod nearest;
mod place;
mod process;
mod run;
mod scope;
mod stmt;
mod sugar;
mod unused;
mod value;

use std::collections::HashMap;
use std::sync::Arc;

use crate::ast::{self, Ast, Item};
use crate::diagnostics::{Diagnostic, Severity, process as finding};
use crate::ids::{MtypeSetId, ProcTypeId, StructId};
use crate::model::{self, CheckedModel};
use crate::source::Span;
use channel::SendSite;
use claim::ClaimNames;
use run::RunSite;
use scope::{Body, Globals};
use unused::Uses;

/// Checks a parsed model. Findings are added to `diagnostics`; a model is returned if and only if no error is among them,
/// from the parser or new.
pub fn check(ast: &Ast, diagnostics: &mut Vec<Diagnostic>) -> Option<CheckedModel> {
    let is_broken = diagnostics.iter().any(|finding| finding.severity == Severity::Error);
    let mut checker = Checker::new(CheckedModel::default(), diagnostics);
    checker.failed = is_broken;
    checker.name_proctypes(&ast.items);
    for item in &ast.items {
        checker.item(item);
    }
    for item in &ast.items {
        if let Item::Ltl(block) = item {
            checker.ltl_block(block);
        }
    }
    checker.compare_runs();
    checker.compare_sends();
    checker.require_a_process(ast);
    checker.settle_hidden();
    checker.report_unused();
    checker.finish()
}

/// Resolves an expression that stands outside any file (a command line) over the globals, processes, labels and
/// channels of a checked model.
pub fn check_expression(
    model: &CheckedModel,
    expr: &ast::Expr,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<model::Expr> {
    let mut checker = Checker::new(model.clone(), diagnostics);
    checker.adopt_names();
    let lowered = checker.state_formula(expr);
    (!checker.failed).then_some(())?;
    lowered
}

/// Resolves a temporal formula given outside any file, as [`check_expression`] does for an expression.
pub fn check_formula(
    model: &CheckedModel,
    formula: &ast::Ltl,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<model::Ltl> {
    let mut checker = Checker::new(model.clone(), diagnostics);
    checker.adopt_names();
    let lowered = checker.ltl(formula);
    (!checker.failed).then_some(())?;
    lowered
}

/// The walk: the model so far, the names known so far, and what was found.
struct Checker<'a> {
    model: CheckedModel,
    diagnostics: &'a mut Vec<Diagnostic>,
    /// An error was reported.
    failed: bool,
    globals: Globals,
    /// The process, claim or trace whose body is being lowered.
    body: Option<Body>,
    /// How many proctypes have been given their body.
    bodies: u32,
    /// How many processes run from the start, so far.
    running: u32,
    /// The current expression is a formula over global states.
    in_formula: bool,
    claim_names: ClaimNames,
    /// Which structure the messages of a channel are, by the channel's declaration.
    chan_structs: HashMap<Span, StructId>,
    runs: Vec<RunSite>,
    sends: Vec<SendSite>,
    uses: Uses,
}

impl<'a> Checker<'a> {
    fn new(mut model: CheckedModel, diagnostics: &'a mut Vec<Diagnostic>) -> Self {
        if model.mtypes.is_empty() {
            model.mtypes.push(model::MtypeSet::default());
        }
        Self {
            model,
            diagnostics,
            failed: false,
            globals: Globals::default(),
            body: None,
            bodies: 0,
            running: 0,
            in_formula: false,
            claim_names: ClaimNames::new(),
            chan_structs: HashMap::new(),
            runs: Vec::new(),
            sends: Vec::new(),
            uses: Uses::default(),
        }
    }

    fn report(&mut self, finding: Diagnostic) {
        self.failed |= finding.severity == Severity::Error;
        self.diagnostics.push(finding);
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Mtype(decl) => self.mtype_decl(decl),
            Item::Typedef(typedef) => self.typedef(typedef),
            Item::Vars(decl) => self.global_vars(decl),
            Item::Proctype(proctype) => self.proctype(proctype),
            Item::Init(init) => self.init(init),
            Item::Never(claim) => self.never(claim),
            Item::Trace(trace) => self.trace(trace),
            Item::Ltl(_) => {}
        }
    }

    fn require_a_process(&mut self, ast: &Ast) {
        if self.model.proctypes.values().all(|p| p.active == 0) && !self.failed {
            self.report(finding::no_process(whole(ast)));
        }
    }

    fn finish(mut self) -> Option<CheckedModel> {
        self.model.uses_priorities = self.uses.priorities;
        (!self.failed).then_some(self.model)
    }
}

/// From the first to the last item.
fn whole(ast: &Ast) -> Span {
    let mut spans = ast.items.iter().map(|item| match item {
        Item::Mtype(i) => i.span,
        Item::Typedef(i) => i.span,
        Item::Vars(i) => i.span,
        Item::Proctype(i) => i.name.span,
        Item::Init(i) => i.span,
        Item::Never(i) => i.span,
        Item::Trace(i) => i.span,
        Item::Ltl(i) => i.span,
    });
    spans.next().unwrap_or_default()
}

/// The unnamed set of mtype names.
fn unnamed_set() -> MtypeSetId {
    MtypeSetId::from_u32(0)
}

/// The tables a [`Body`] can belong to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Owner {
    /// An entry of the model's proctypes.
    Process(ProcTypeId),
    /// The claim being lowered, not yet in the model.
    Claim,
}

/// Copies a name cheaply.
fn text(name: &ast::Name) -> Arc<str> {
    Arc::clone(&name.text)
}
