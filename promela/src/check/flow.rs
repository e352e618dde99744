//! What only a whole body shows: jumps across `d_step`, chains of `goto` that never arrive, statements never reached.

use cranelift_entity::SecondaryMap;

use super::Checker;
use crate::diagnostics::control as finding;
use crate::ids::LabelId;
use crate::model::{ProcType, Sequence, Stmt, StmtKind};
use crate::source::Span;

/// Where a label or a `goto` is.
#[derive(Clone, Copy, Default)]
struct Spot {
    /// The outermost `d_step` around it, by number from 1; 0 outside.
    d_step: u32,
    /// The label stands right in front of a `d_step`.
    before_d_step: bool,
    /// The labelled statement is itself a `goto`.
    leads_to: Option<LabelId>,
}

/// The survey of one body.
#[derive(Default)]
struct Survey {
    labels: SecondaryMap<LabelId, Spot>,
    gotos: Vec<(LabelId, u32, Span)>,
    unreached: Vec<Span>,
    d_steps: u32,
}

impl Checker<'_> {
    /// Looks at a finished body as a whole.
    pub(super) fn check_flow(&mut self, proc: &ProcType) {
        let mut survey = Survey::default();
        survey.sequence(&proc.body, 0);
        for &(label, from, span) in &survey.gotos {
            let target = survey.labels[label];
            let name = &proc.labels[label];
            if target.d_step != from || (target.before_d_step && from == 0) {
                self.report(finding::jump_across_d_step(
                    span,
                    &name.name,
                    name.span,
                    target.before_d_step,
                ));
            }
        }
        for (label, declared) in proc.labels.iter() {
            if survey.loops_forever(label, proc.labels.len()) {
                self.report(finding::goto_loop(&declared.name, declared.span));
            }
        }
        for span in survey.unreached {
            self.report(finding::unreachable(span));
        }
    }
}

impl Survey {
    fn sequence(&mut self, sequence: &Sequence, d_step: u32) {
        let mut left = false;
        for stmt in &sequence.stmts {
            if left && !holds_label(stmt) {
                self.unreached.push(stmt.span);
            }
            left = matches!(stmt.kind, StmtKind::Goto(_) | StmtKind::Break);
            self.statement(stmt, d_step);
        }
    }

    fn statement(&mut self, stmt: &Stmt, d_step: u32) {
        for &label in &stmt.labels {
            self.labels[label] = Spot {
                d_step,
                before_d_step: matches!(stmt.kind, StmtKind::DStep(_)),
                leads_to: match stmt.kind {
                    StmtKind::Goto(target) => Some(target),
                    _ => None,
                },
            };
        }
        match &stmt.kind {
            StmtKind::Goto(label) => self.gotos.push((*label, d_step, stmt.span)),
            StmtKind::If(options) | StmtKind::Do(options) => {
                options
                    .iter()
                    .for_each(|option| self.sequence(option, d_step));
            }
            StmtKind::DStep(inner) => {
                let inside = if d_step == 0 {
                    self.d_steps += 1;
                    self.d_steps
                } else {
                    d_step
                };
                self.sequence(inner, inside);
            }
            StmtKind::Atomic(inner) | StmtKind::Block(inner) => self.sequence(inner, d_step),
            StmtKind::Unless(main, escape) => {
                self.sequence(main, d_step);
                self.sequence(escape, d_step);
            }
            _ => {}
        }
    }

    /// Whether following `label: goto …` comes back to the label itself.
    fn loops_forever(&self, label: LabelId, labels: usize) -> bool {
        let mut at = label;
        for _ in 0..labels {
            match self.labels[at].leads_to {
                Some(next) if next == label => return true,
                Some(next) => at = next,
                None => return false,
            }
        }
        false
    }
}

/// Whether a statement or anything in it can be jumped to.
fn holds_label(stmt: &Stmt) -> bool {
    let any = |sequence: &Sequence| sequence.stmts.iter().any(holds_label);
    !stmt.labels.is_empty()
        || match &stmt.kind {
            StmtKind::If(options) | StmtKind::Do(options) => options.iter().any(any),
            StmtKind::Atomic(inner) | StmtKind::DStep(inner) | StmtKind::Block(inner) => any(inner),
            StmtKind::Unless(main, escape) => any(main) || any(escape),
            StmtKind::Exclusive { .. } => true,
            _ => false,
        }
}
