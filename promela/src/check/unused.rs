//! Uses of variables, labels and channels, recorded during the walk, and the findings that need all of them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::{Checker, Owner};
use crate::diagnostics::{claim, name as finding, process};
use crate::ids::{LabelId, ProcTypeId, VarId};
use crate::model::{Place, ProcKind, Scope};
use crate::source::Span;

/// How a variable is used.
#[derive(Clone, Copy, Default)]
struct Use {
    read: Option<Span>,
    written: bool,
}

/// Uses recorded during the walk.
#[derive(Default)]
pub(super) struct Uses {
    globals: HashMap<VarId, Use>,
    /// Locals of the current body.
    locals: HashMap<VarId, Use>,
    /// Locals that their own proctype does not use.
    idle: Vec<(ProcTypeId, VarId)>,
    /// Locals that a remote reference reads.
    remote: HashSet<(ProcTypeId, VarId)>,
    /// Labels that a remote reference names.
    remote_labels: HashSet<(ProcTypeId, LabelId)>,
    /// Labels that no `goto` names and whose name says nothing.
    idle_labels: Vec<(ProcTypeId, LabelId)>,
    /// Who claims which channel for itself: `xs` or `xr`, and where.
    pub exclusive: HashMap<(bool, VarId), (Arc<str>, Span)>,
    /// Some process has claimed a channel for itself so far.
    pub any_exclusive: bool,
    /// Something in the model speaks of priorities.
    pub priorities: bool,
}

impl Uses {
    pub fn read(&mut self, place: &Place) {
        self.note(place.scope, place.var).read.get_or_insert(place.span);
    }

    pub fn write(&mut self, place: &Place) {
        self.note(place.scope, place.var).written = true;
    }

    pub fn read_var(&mut self, scope: Scope, var: VarId, span: Span) {
        self.note(scope, var).read.get_or_insert(span);
    }

    pub fn write_var(&mut self, scope: Scope, var: VarId) {
        self.note(scope, var).written = true;
    }

    pub fn remote(&mut self, proctype: ProcTypeId, var: VarId) {
        self.remote.insert((proctype, var));
    }

    pub fn remote_label(&mut self, proctype: ProcTypeId, label: LabelId) {
        self.remote_labels.insert((proctype, label));
    }

    fn note(&mut self, scope: Scope, var: VarId) -> &mut Use {
        match scope {
            Scope::Global => self.globals.entry(var).or_default(),
            Scope::Local => self.locals.entry(var).or_default(),
        }
    }
}

impl Checker<'_> {
    /// Ends the record of the locals of the current body.
    pub(super) fn settle_body(&mut self, used_labels: &HashSet<LabelId>) {
        let locals = std::mem::take(&mut self.uses.locals);
        let Some(body) = &self.body else { return };
        let Owner::Process(id) = body.owner else {
            return;
        };
        let silent = |var: &VarId| !locals.contains_key(var);
        self.uses.idle.extend(body.proc.locals.keys().skip(body.proc.params).filter(silent).map(|var| (id, var)));
        let idle = |(label, declared): (LabelId, &crate::model::Label)| {
            let speaks = ["end", "progress", "accept"].iter().any(|prefix| declared.name.starts_with(prefix));
            (!speaks && !used_labels.contains(&label)).then_some((id, label))
        };
        self.uses.idle_labels.extend(body.proc.labels.iter().filter_map(idle));
    }

    /// A hidden variable that is read would make the search unsound; it is kept in the state instead.
    pub(super) fn settle_hidden(&mut self) {
        for id in self.model.globals.keys().collect::<Vec<_>>() {
            let read = self.uses.globals.get(&id).and_then(|used| used.read);
            if let (true, Some(read)) = (self.model.globals[id].hidden, read) {
                self.model.globals[id].hidden = false;
                let var = &self.model.globals[id];
                let finding = claim::hidden_read(&var.name, read, var.span);
                self.report(finding);
            }
        }
    }

    /// Findings about what is declared and never used; only for a model that is otherwise in order.
    pub(super) fn report_unused(&mut self) {
        if self.failed {
            return;
        }
        let mut findings = Vec::new();
        for (id, var) in self.model.globals.iter() {
            if !self.uses.globals.contains_key(&id) {
                findings.push(finding::unused("variable", &var.name, var.span));
            }
        }
        for &(id, local) in &self.uses.idle {
            let var = &self.model.proctypes[id].locals[local];
            if !self.uses.remote.contains(&(id, local)) {
                findings.push(finding::unused("variable", &var.name, var.span));
            }
        }
        for &(id, label) in &self.uses.idle_labels {
            let declared = &self.model.proctypes[id].labels[label];
            if !self.uses.remote_labels.contains(&(id, label)) {
                findings.push(finding::unused("label", &declared.name, declared.span));
            }
        }
        let run: HashSet<ProcTypeId> = self.runs.iter().map(|site| site.proctype).collect();
        for (id, proc) in self.model.proctypes.iter() {
            if proc.kind == ProcKind::Proctype && proc.active == 0 && !run.contains(&id) {
                findings.push(process::never_run(&proc.name, proc.span));
            }
        }
        findings.into_iter().for_each(|finding| self.report(finding));
    }
}
