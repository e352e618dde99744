//! Names in scope: the globals declared so far, and the locals of the current body.
//!
//! Invariant: a name means at most one thing at any point, because Promela allows no shadowing: a local may not take the
//! name of a global or of a local of an enclosing block. Closing a block forgets the names it declared.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::label::Mentions;
use super::{Checker, Owner};
use crate::diagnostics::name as finding;
use crate::ids::{LabelId, MtypeSetId, ProcTypeId, StructId, VarId};
use crate::model::{ProcKind, ProcType, Scope, Var};
use crate::source::Span;

/// What a name at the top level stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Global {
    /// A variable.
    Var(VarId),
    /// A symbolic constant and its value.
    Mtype(MtypeSetId, i32),
    /// A process type.
    Proctype(ProcTypeId),
    /// A structure.
    Struct(StructId),
}

/// The names at the top level.
#[derive(Default)]
pub(super) struct Globals {
    /// What has been declared so far, and where.
    pub names: HashMap<Arc<str>, (Global, Span)>,
    /// All proctypes of the file: `run` may look ahead.
    pub proctypes: HashMap<Arc<str>, ProcTypeId>,
    /// The named mtype sets so far.
    pub sets: HashMap<Arc<str>, MtypeSetId>,
    /// Labels by proctype and name, for remote references.
    pub labels: HashMap<(ProcTypeId, Arc<str>), LabelId>,
    /// Locals by proctype and name, for remote references: the one declared first wins.
    pub locals: HashMap<(ProcTypeId, Arc<str>), VarId>,
}

/// A body while it is lowered.
pub(super) struct Body {
    /// Which body this is.
    pub owner: Owner,
    /// The process under construction: locals and labels grow here.
    pub proc: ProcType,
    /// Locals in scope.
    names: HashMap<Arc<str>, VarId>,
    /// For each open block, the names it declared.
    blocks: Vec<Vec<Arc<str>>>,
    /// The label that each label or `goto` of the body stands for.
    pub mentions: Mentions,
    /// Labels that some `goto` names.
    pub used_labels: HashSet<LabelId>,
    /// Labels met so far: a process can look at its own only behind them.
    pub passed_labels: HashSet<LabelId>,
    /// No statement has been seen yet: declarations take effect when the process starts.
    pub at_start: bool,
    /// How many loops enclose the current point (inside the innermost `d_step`).
    pub loops: u32,
    /// How many more there are outside that `d_step`.
    pub outer_loops: u32,
    /// Inside `d_step`.
    pub in_d_step: bool,
    /// For each open block, the counter of its `for` loops over channels.
    pub counters: Vec<Option<VarId>>,
}

impl Body {
    pub fn new(owner: Owner, proc: ProcType) -> Self {
        Self {
            owner,
            proc,
            names: HashMap::new(),
            blocks: vec![Vec::new()],
            mentions: Mentions::new(),
            used_labels: HashSet::new(),
            passed_labels: HashSet::new(),
            at_start: true,
            loops: 0,
            outer_loops: 0,
            in_d_step: false,
            counters: vec![None],
        }
    }

    /// Adds a local to the scope until its block closes.
    pub fn declare(&mut self, var: Var) -> VarId {
        let name = Arc::clone(&var.name);
        let id = self.proc.locals.push(var);
        self.names.insert(Arc::clone(&name), id);
        if let Some(block) = self.blocks.last_mut() {
            block.push(name);
        }
        id
    }

    pub fn open_block(&mut self) {
        self.blocks.push(Vec::new());
        self.counters.push(None);
    }

    pub fn close_block(&mut self) {
        for name in self.blocks.pop().unwrap_or_default() {
            self.names.remove(&name);
        }
        self.counters.pop();
    }

    /// Names of the locals in scope.
    pub fn visible(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(|name| &**name)
    }
}

impl Checker<'_> {
    /// The variable a name stands for here.
    pub(super) fn lookup_var(&self, name: &str) -> Option<(Scope, VarId)> {
        if let Some(&id) = self.body.as_ref().and_then(|body| body.names.get(name)) {
            return Some((Scope::Local, id));
        }
        match self.globals.names.get(name) {
            Some(&(Global::Var(id), _)) => Some((Scope::Global, id)),
            _ => None,
        }
    }

    /// The declaration of a variable.
    pub(super) fn var(&self, scope: Scope, id: VarId) -> &Var {
        match (scope, &self.body) {
            (Scope::Local, Some(body)) => &body.proc.locals[id],
            _ => &self.model.globals[id],
        }
    }

    /// Enters a name at the top level, or says why it cannot be.
    pub(super) fn declare_global(&mut self, name: &Arc<str>, span: Span, what: Global) -> bool {
        if let Some(&(earlier, place)) = self.globals.names.get(name) {
            if let (Global::Var(_), Global::Mtype(..)) = (earlier, what) {
                self.report(finding::hidden_by_mtype(name, span, place));
            } else {
                self.report(finding::redeclared(name, span, place));
                return false;
            }
        }
        self.globals.names.insert(Arc::clone(name), (what, span));
        true
    }

    /// Whether a local may have this name here.
    pub(super) fn local_name_is_free(&mut self, name: &Arc<str>, span: Span) -> bool {
        let local = self.body.as_ref().and_then(|body| Some(body.proc.locals[*body.names.get(name)?].span));
        let global = self.globals.names.get(name).map(|(_, place)| *place);
        match local.or(global) {
            Some(place) => {
                self.report(finding::redeclared(name, span, place));
                false
            }
            None => true,
        }
    }

    /// Whether the current body is a claim or a formula.
    pub(super) fn in_claim(&self) -> bool {
        self.in_formula || self.body.as_ref().is_some_and(|body| body.proc.kind == ProcKind::Never)
    }

    /// Fills the name tables from a finished model, for an expression that comes from outside.
    pub(super) fn adopt_names(&mut self) {
        for (set, mtypes) in self.model.mtypes.iter() {
            for (name, value) in mtypes.names.iter().zip(1..) {
                self.globals.names.insert(Arc::clone(name), (Global::Mtype(set, value), Span::default()));
            }
        }
        for (id, var) in self.model.globals.iter() {
            self.globals.names.insert(Arc::clone(&var.name), (Global::Var(id), var.span));
        }
        for (id, proc) in self.model.proctypes.iter() {
            self.globals.names.insert(Arc::clone(&proc.name), (Global::Proctype(id), proc.span));
            self.globals.proctypes.insert(Arc::clone(&proc.name), id);
            for (label, declared) in proc.labels.iter() {
                self.globals.labels.entry((id, Arc::clone(&declared.name))).or_insert(label);
            }
            for (local, declared) in proc.locals.iter() {
                self.globals.locals.entry((id, Arc::clone(&declared.name))).or_insert(local);
            }
        }
    }
}
