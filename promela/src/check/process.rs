//! Processes: proctypes with their parameters and clauses, and `init`.

use std::sync::Arc;

use cranelift_entity::PrimaryMap;

use super::declare::Home;
use super::scope::{Body, Global};
use super::{Checker, Owner, text};
use crate::ast::{self, Item};
use crate::diagnostics::process as finding;
use crate::ids::{ProcTypeId, VarId};
use crate::model::{Expr, ProcKind, ProcType, Sequence};
use crate::source::Span;

/// Most processes that can live at a time.
const MAX_PROCESSES: u32 = 255;

impl Checker<'_> {
    /// Gives every proctype and `init` its id, in textual order.
    pub(super) fn name_proctypes(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Proctype(proctype) => {
                    let id =
                        self.model.proctypes.push(empty(text(&proctype.name), ProcKind::Proctype, proctype.name.span));
                    self.globals.proctypes.entry(text(&proctype.name)).or_insert(id);
                }
                Item::Init(init) => {
                    self.model.proctypes.push(empty(Arc::from("init"), ProcKind::Init, init.span));
                }
                _ => {}
            }
        }
    }

    /// The next proctype in textual order that has no body yet.
    fn next_proctype(&mut self) -> ProcTypeId {
        let id = ProcTypeId::from_u32(self.bodies);
        self.bodies += 1;
        id
    }

    pub(super) fn proctype(&mut self, proctype: &ast::Proctype) {
        let id = self.next_proctype();
        self.declare_global(&proctype.name.text, proctype.name.span, Global::Proctype(id));
        let active = match &proctype.active {
            None => 0,
            Some(None) => 1,
            Some(Some(count)) => self.instances(count).unwrap_or(0),
        };
        let priority = proctype.priority.as_ref().and_then(|priority| self.priority(priority)).unwrap_or(1);
        let mut proc = empty(text(&proctype.name), ProcKind::Proctype, proctype.name.span);
        proc.active = active;
        proc.deterministic = proctype.deterministic;
        proc.priority = priority;
        self.body = Some(Body::new(Owner::Process(id), proc));
        self.params(&proctype.params);
        let provided = proctype.provided.as_ref().and_then(|provided| self.provided(provided));
        if let Some(body) = &mut self.body {
            body.proc.provided = provided;
        }
        self.running += active;
        if self.running > MAX_PROCESSES && self.running - active <= MAX_PROCESSES {
            self.report(finding::too_many_processes(proctype.name.span, self.running, MAX_PROCESSES));
        }
        if let Some(proc) = self.lower_body(&proctype.body) {
            self.model.proctypes[id] = proc;
        }
    }

    pub(super) fn init(&mut self, init: &ast::Init) {
        let id = self.next_proctype();
        let mut proc = empty(Arc::from("init"), ProcKind::Init, init.span);
        proc.active = 1;
        self.running += 1;
        proc.priority = init.priority.as_ref().and_then(|priority| self.priority(priority)).unwrap_or(1);
        self.body = Some(Body::new(Owner::Process(id), proc));
        if let Some(proc) = self.lower_body(&init.body) {
            self.model.proctypes[id] = proc;
        }
    }

    /// Lowers the statements of the current body and closes it.
    pub(super) fn lower_body(&mut self, statements: &ast::Sequence) -> Option<ProcType> {
        self.pair_labels(statements);
        let lowered = self.block(statements);
        let used = self.body.as_mut().map(|body| std::mem::take(&mut body.used_labels)).unwrap_or_default();
        self.settle_body(&used);
        let mut proc = self.body.take()?.proc;
        proc.body = lowered;
        self.check_flow(&proc);
        Some(proc)
    }

    fn params(&mut self, params: &[ast::VarDecl]) {
        for decl in params {
            for declarator in &decl.declarators {
                if self.declare_local(decl, declarator, Home::Parameter).is_some()
                    && let Some(body) = &mut self.body
                {
                    body.proc.params += 1;
                }
            }
        }
    }

    /// Adds a local variable to the current body, if its name is free.
    pub(super) fn declare_local(
        &mut self,
        decl: &ast::VarDecl,
        declarator: &ast::Declarator,
        home: Home,
    ) -> Option<VarId> {
        let var = self.variable_of(decl, declarator, home)?;
        self.local_name_is_free(&var.name, var.span).then_some(())?;
        let name = Arc::clone(&var.name);
        let body = self.body.as_mut()?;
        let id = body.declare(var);
        if let Owner::Process(proctype) = body.owner {
            self.globals.locals.entry((proctype, name)).or_insert(id);
        }
        Some(id)
    }

    fn instances(&mut self, count: &ast::Expr) -> Option<u32> {
        let number = self.constant(count, true)?;
        match u32::try_from(number) {
            Ok(number) if number <= MAX_PROCESSES => Some(number),
            _ => {
                self.report(finding::bad_instance_count(count.span, number, MAX_PROCESSES));
                None
            }
        }
    }

    /// A priority clause: a number from 1 to 255.
    pub(super) fn priority(&mut self, priority: &ast::Expr) -> Option<u32> {
        self.uses.priorities = true;
        let number = self.number(priority)?;
        match u32::try_from(number) {
            Ok(number @ 1..=255) => Some(number),
            _ => {
                self.report(finding::bad_priority(priority.span, number));
                None
            }
        }
    }

    /// A `provided` clause speaks of globals, parameters and `_pid`.
    fn provided(&mut self, provided: &ast::Expr) -> Option<Expr> {
        if super::run::count(provided) > 0 {
            self.report(finding::provided_run(provided.span));
            return None;
        }
        self.value(provided)
    }
}

/// A process without body.
pub(super) fn empty(name: Arc<str>, kind: ProcKind, span: Span) -> ProcType {
    ProcType {
        name,
        kind,
        active: 0,
        deterministic: false,
        priority: 1,
        provided: None,
        locals: PrimaryMap::new(),
        params: 0,
        labels: PrimaryMap::new(),
        body: Sequence::default(),
        span,
    }
}
