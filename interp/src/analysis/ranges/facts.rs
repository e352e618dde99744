//! What is known about variables at one place of a body, beyond their ranges.

use promela::ids::VarId;
use promela::model::{Place, RecvArg, Scope, Sequence, Stmt, StmtKind};

use super::Range;

/// Variables that are not arrays or structures, with the values they can have here.
#[derive(Clone, Default)]
pub struct Facts(Vec<(Scope, VarId, Range)>);

impl Facts {
    /// What is known about the value at a place.
    pub fn about(&self, place: &Place) -> Option<Range> {
        let plain = place.index.is_none() && place.fields.is_empty();
        let fact = self.0.iter().find(|fact| plain && (fact.0, fact.1) == (place.scope, place.var));
        fact.map(|fact| fact.2)
    }

    pub fn learn(&mut self, scope: Scope, var: VarId, range: Range) {
        self.forget(scope, var);
        self.0.push((scope, var, range));
    }

    pub fn forget(&mut self, scope: Scope, var: VarId) {
        self.0.retain(|fact| (fact.0, fact.1) != (scope, var));
    }

    pub fn forget_all(&mut self) {
        self.0.clear();
    }

    /// Others may have moved.
    pub fn forget_globals(&mut self) {
        self.0.retain(|fact| fact.0 == Scope::Local);
    }

    /// The statement may have been executed; if a jump may lead into it, nothing is known.
    pub fn forget_written(&mut self, stmt: &Stmt) {
        if self.0.is_empty() {
            return;
        }
        if let StmtKind::If(parts) | StmtKind::Do(parts) = &stmt.kind {
            parts.iter().for_each(|part| self.forget_written_in(part));
        }
    }

    fn forget_written_in(&mut self, sequence: &Sequence) {
        for stmt in &sequence.stmts {
            if !stmt.labels.is_empty() {
                self.forget_all();
            }
            match &stmt.kind {
                StmtKind::Assign(place, _) => self.forget(place.scope, place.var),
                StmtKind::Declare(var) => self.forget(Scope::Local, *var),
                StmtKind::Recv { args, .. } => {
                    for arg in args {
                        if let RecvArg::Bind(place) = arg {
                            self.forget(place.scope, place.var);
                        }
                    }
                }
                StmtKind::If(_) | StmtKind::Do(_) => self.forget_written(stmt),
                StmtKind::Atomic(body) | StmtKind::DStep(body) | StmtKind::Block(body) => self.forget_written_in(body),
                StmtKind::Unless(main, escape) => {
                    [main, escape].into_iter().for_each(|part| self.forget_written_in(part))
                }
                StmtKind::Expr(_)
                | StmtKind::Else
                | StmtKind::Send { .. }
                | StmtKind::Exclusive { .. }
                | StmtKind::Assert(_)
                | StmtKind::Printf(..)
                | StmtKind::Printm(_)
                | StmtKind::Goto(_)
                | StmtKind::Break => {}
            }
        }
    }
}
