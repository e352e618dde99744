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

/// What is around a statement.
#[derive(Clone, Copy, Default)]
struct Inside {
    /// The outermost `d_step`, by number from 1; 0 outside.
    d_step: u32,
    /// An `atomic`.
    atomic: bool,
    /// The outermost `atomic` ends with it.
    closes_atomic: bool,
}

/// The survey of one body.
#[derive(Default)]
struct Survey {
    labels: SecondaryMap<LabelId, Spot>,
    gotos: Vec<(LabelId, u32, Span)>,
    unreached: Vec<Span>,
    /// A `d_step` right behind a loop with a `break`, and the loop.
    breaks_into_d_step: Vec<(Span, Span)>,
    d_steps: u32,
}

impl Checker<'_> {
    /// Looks at a finished body as a whole.
    pub(super) fn check_flow(&mut self, proc: &ProcType) {
        let mut survey = Survey::default();
        survey.sequence(&proc.body, Inside::default(), None);
        for &(label, from, span) in &survey.gotos {
            let target = survey.labels[label];
            let name = &proc.labels[label];
            if target.d_step != from || target.before_d_step {
                self.report(finding::jump_across_d_step(span, &name.name, name.span, target.before_d_step));
            }
        }
        for (label, declared) in proc.labels.iter() {
            if survey.loops_forever(label, proc.labels.len()) {
                self.report(finding::goto_loop(&declared.name, declared.span));
            }
        }
        for (d_step, from) in survey.breaks_into_d_step {
            self.report(finding::break_into_d_step(d_step, from));
        }
        for span in survey.unreached {
            self.report(finding::unreachable(span));
        }
    }
}

impl Survey {
    /// `after`: the statement that follows the sequence without a step between. What closes an atomic sequence follows
    /// nothing in this way: a jump inside the sequence ends in front of it.
    fn sequence(&mut self, sequence: &Sequence, inside: Inside, after: Option<&Stmt>) {
        let mut left = false;
        for (at, stmt) in sequence.stmts.iter().enumerate() {
            if left && !holds_label(stmt) {
                self.unreached.push(stmt.span);
            }
            left = matches!(stmt.kind, StmtKind::Goto(_) | StmtKind::Break);
            let rest = &sequence.stmts[at + 1..];
            let next = match rest {
                [] => after,
                [_] if inside.closes_atomic => None,
                [next, ..] => Some(next),
            };
            self.statement(stmt, Inside { closes_atomic: inside.closes_atomic && rest.is_empty(), ..inside }, next);
        }
    }

    fn statement(&mut self, stmt: &Stmt, inside: Inside, after: Option<&Stmt>) {
        let Inside { d_step, atomic, .. } = inside;
        let within = Inside { closes_atomic: false, ..inside };
        for &label in &stmt.labels {
            self.labels[label] = Spot {
                d_step,
                before_d_step: begins_with_d_step(stmt),
                leads_to: match stmt.kind {
                    StmtKind::Goto(target) => Some(target),
                    _ => None,
                },
            };
        }
        match &stmt.kind {
            StmtKind::Goto(label) => self.gotos.push((*label, d_step, stmt.span)),
            StmtKind::If(options) => options.iter().for_each(|option| self.sequence(option, within, after)),
            StmtKind::Do(options) => {
                if let Some(after) = after
                    && d_step == 0
                    && begins_with_d_step(after)
                    && options.iter().any(breaks)
                {
                    self.breaks_into_d_step.push((after.span, stmt.span));
                }
                options.iter().for_each(|option| self.sequence(option, within, None));
            }
            StmtKind::DStep(inner) => {
                let d_step = if d_step == 0 {
                    self.d_steps += 1;
                    self.d_steps
                } else {
                    d_step
                };
                self.sequence(inner, Inside { d_step, ..within }, None);
            }
            StmtKind::Block(inner) => self.sequence(inner, inside, after),
            StmtKind::Atomic(inner) if atomic => self.sequence(inner, inside, after),
            StmtKind::Atomic(inner) => self.sequence(inner, Inside { d_step, atomic: true, closes_atomic: true }, None),
            StmtKind::Unless(main, escape) => {
                self.sequence(main, within, None);
                self.sequence(escape, within, None);
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

/// Whether control that arrives at a statement is at once at the start of a `d_step` that no jump may enter. SPIN looks
/// for the border in front of the last `d_step` to be closed, so it lets jumps to one that holds another pass.
fn begins_with_d_step(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::DStep(inner) => !holds_d_step(inner),
        StmtKind::Unless(main, _) => main.stmts.first().is_some_and(begins_with_d_step),
        _ => false,
    }
}

/// Whether there is a `d_step` anywhere in a sequence.
fn holds_d_step(sequence: &Sequence) -> bool {
    sequence.stmts.iter().any(|stmt| match &stmt.kind {
        StmtKind::DStep(_) => true,
        StmtKind::If(options) | StmtKind::Do(options) => options.iter().any(holds_d_step),
        StmtKind::Atomic(inner) | StmtKind::Block(inner) => holds_d_step(inner),
        StmtKind::Unless(main, escape) => holds_d_step(main) || holds_d_step(escape),
        _ => false,
    })
}

/// Whether a sequence leaves the loop around it with `break`.
fn breaks(sequence: &Sequence) -> bool {
    sequence.stmts.iter().any(|stmt| match &stmt.kind {
        StmtKind::Break => true,
        StmtKind::If(options) => options.iter().any(breaks),
        StmtKind::Block(inner) | StmtKind::Atomic(inner) => breaks(inner),
        StmtKind::Unless(main, escape) => breaks(main) || breaks(escape),
        _ => false,
    })
}
