//! Labels: collected before a body is lowered, because a `goto` may look ahead.
//!
//! A label is unique in its proctype, except that each call of an `inline` has labels of its own: a `goto` prefers the
//! label of the call it stands in.

use std::collections::HashSet;
use std::sync::Arc;

use super::nearest::nearest;
use super::{Checker, Owner};
use crate::ast::{Name, Sequence, Stmt, StmtKind};
use crate::diagnostics::control as finding;
use crate::ids::LabelId;
use crate::model::Label;
use crate::source::{ExpansionKind, Place};

impl Checker<'_> {
    /// Enters all labels of a body.
    pub(super) fn collect_labels(&mut self, sequence: &Sequence) {
        for stmt in &sequence.stmts {
            self.collect_labels_of(stmt);
        }
    }

    fn collect_labels_of(&mut self, stmt: &Stmt) {
        for label in &stmt.labels {
            self.declare_label(label);
        }
        match &stmt.kind {
            StmtKind::If(options) | StmtKind::Do(options) => {
                options
                    .iter()
                    .for_each(|option| self.collect_labels(option));
            }
            StmtKind::Atomic(inner)
            | StmtKind::DStep(inner)
            | StmtKind::Block(inner)
            | StmtKind::ForRange { body: inner, .. }
            | StmtKind::ForIn { body: inner, .. } => self.collect_labels(inner),
            StmtKind::Unless(main, escape) => {
                self.collect_labels_of(main);
                self.collect_labels_of(escape);
            }
            _ => {}
        }
    }

    fn declare_label(&mut self, label: &Name) {
        let call = self.inline_call(label);
        let Some(body) = &mut self.body else { return };
        let owner = body.owner;
        let known = body.labels.entry(Arc::clone(&label.text)).or_default();
        if let Some((_, earlier)) = known.iter().find(|(other, _)| *other == call) {
            let earlier = body.proc.labels[*earlier].span;
            return self.report(finding::duplicate_label(label, earlier));
        }
        let id = body.proc.labels.push(Label {
            name: Arc::clone(&label.text),
            span: label.span,
        });
        known.push((call, id));
        if let Owner::Process(proctype) = owner {
            self.globals
                .labels
                .entry((proctype, Arc::clone(&label.text)))
                .or_insert(id);
        }
    }

    /// The ids of the labels in front of a statement.
    pub(super) fn labels_of(&mut self, labels: &[Name]) -> Vec<LabelId> {
        let mut ids = Vec::with_capacity(labels.len());
        for label in labels {
            if let Some((scope, var)) = self.lookup_var(&label.text) {
                let place = self.var(scope, var).span;
                self.report(finding::label_is_variable(label, place));
            } else if let Some(&(_, place)) = self.globals.names.get(&label.text) {
                self.report(finding::label_is_variable(label, place));
            }
            ids.extend(self.find_label(label));
        }
        ids
    }

    /// The label a `goto` names.
    pub(super) fn goto(&mut self, label: &Name) -> Option<LabelId> {
        let found = self.find_label(label);
        match (found, &mut self.body) {
            (Some(id), Some(body)) => {
                body.used_labels.insert(id);
            }
            (None, Some(body)) => {
                let near = nearest(&label.text, body.labels.keys().map(|known| &**known));
                let finding = finding::undefined_label(label, near);
                self.report(finding);
            }
            _ => {}
        }
        found
    }

    fn find_label(&self, label: &Name) -> Option<LabelId> {
        let known = self.body.as_ref()?.labels.get(&label.text)?;
        let call = self.inline_call(label);
        let own = known.iter().find(|(other, _)| *other == call);
        own.or(known.first()).map(|(_, id)| *id)
    }

    /// Which call of an `inline` a name stands in: the uses that lead to it; empty outside any.
    fn inline_call(&self, label: &Name) -> InlineCall {
        let Some(sources) = self.sources else {
            return InlineCall::new();
        };
        let frames = sources.resolve(label.span).frames;
        frames
            .iter()
            .skip_while(|frame| frame.kind != ExpansionKind::Inline)
            .map(|frame| frame.place)
            .collect()
    }

    /// SPIN refuses a label on the first statement inside braces: it belongs in front of them.
    pub(super) fn label_inside(&mut self, inner: &Sequence, keyword: &str) {
        let first = inner.stmts.iter().find(|stmt| {
            !matches!(
                stmt.kind,
                StmtKind::Vars(_) | StmtKind::ExclusiveReceive(_) | StmtKind::ExclusiveSend(_)
            )
        });
        for label in first.iter().flat_map(|stmt| &stmt.labels) {
            self.report(finding::label_inside_braces(label, keyword));
        }
    }
}

/// The uses of inlines and macros that lead to a place inside an inline, innermost first.
pub(super) type InlineCall = Vec<Place>;

/// Labels that some `goto` of the body names.
pub(super) type UsedLabels = HashSet<LabelId>;
