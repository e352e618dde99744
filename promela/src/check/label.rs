//! Labels: paired with their jumps before a body is lowered, because a `goto` may look ahead.
//!
//! Names of labels follow block scopes: a name may label one statement of a block (blocks inside not counted), so that
//! two calls of one `inline` each have their own. A `goto` takes the label of the innermost block around it that has
//! one, else the first of that name in the proctype.

use std::collections::HashMap;
use std::sync::Arc;

use super::nearest::nearest;
use super::{Checker, Owner};
use crate::ast::{Name, Sequence, Stmt, StmtKind};
use crate::diagnostics::control as finding;
use crate::ids::LabelId;
use crate::model::{self, Label};
use crate::source::Span;

/// Which label each mention stands for, by the place of the mention.
pub(super) type Mentions = HashMap<Span, LabelId>;

/// The walk that pairs labels and jumps.
#[derive(Default)]
struct Pairing {
    /// The block around each block, by number.
    parents: Vec<Option<usize>>,
    /// The current block.
    block: Option<usize>,
    /// The labels of each block.
    labels: HashMap<(Option<usize>, Arc<str>), LabelId>,
    /// The first label of each name.
    first: HashMap<Arc<str>, LabelId>,
    /// Jumps, with the block each stands in.
    jumps: Vec<(Name, Option<usize>)>,
}

impl Checker<'_> {
    /// Enters all labels of a body and finds the target of each `goto`.
    pub(super) fn pair_labels(&mut self, sequence: &Sequence) {
        let mut pairing = Pairing::default();
        self.pair_block(sequence, &mut pairing);
        for (name, block) in &pairing.jumps {
            match (pairing.target(name, *block), &mut self.body) {
                (Some(label), Some(body)) => {
                    body.mentions.insert(name.span, label);
                    body.used_labels.insert(label);
                }
                _ => {
                    let near = nearest(&name.text, pairing.first.keys().map(|label| &**label));
                    self.report(finding::undefined_label(name, near));
                }
            }
        }
    }

    fn pair_block(&mut self, sequence: &Sequence, pairing: &mut Pairing) {
        let outer = pairing.block;
        pairing.parents.push(outer);
        pairing.block = Some(pairing.parents.len() - 1);
        self.pair_sequence(sequence, pairing);
        pairing.block = outer;
    }

    fn pair_sequence(&mut self, sequence: &Sequence, pairing: &mut Pairing) {
        sequence.stmts.iter().for_each(|stmt| self.pair_stmt(stmt, pairing));
    }

    fn pair_stmt(&mut self, stmt: &Stmt, pairing: &mut Pairing) {
        for label in &stmt.labels {
            self.declare_label(label, pairing);
        }
        match &stmt.kind {
            StmtKind::Goto(target) => pairing.jumps.push((target.clone(), pairing.block)),
            StmtKind::If(options) | StmtKind::Do(options) => {
                options.iter().for_each(|option| self.pair_sequence(option, pairing));
            }
            StmtKind::Atomic(inner)
            | StmtKind::DStep(inner)
            | StmtKind::Block(inner)
            | StmtKind::ForRange { body: inner, .. }
            | StmtKind::ForIn { body: inner, .. } => self.pair_block(inner, pairing),
            StmtKind::Unless(main, escape) => {
                self.pair_stmt(main, pairing);
                self.pair_stmt(escape, pairing);
            }
            _ => {}
        }
    }

    fn declare_label(&mut self, label: &Name, pairing: &mut Pairing) {
        let Some(body) = &mut self.body else { return };
        let name = &label.text;
        if let Some(earlier) = pairing.labels.get(&(pairing.block, Arc::clone(name))) {
            let earlier = body.proc.labels[*earlier].span;
            return self.report(finding::duplicate_label(label, earlier));
        }
        let id = body.proc.labels.push(Label { name: Arc::clone(name), span: label.span });
        pairing.labels.insert((pairing.block, Arc::clone(name)), id);
        pairing.first.entry(Arc::clone(name)).or_insert(id);
        body.mentions.insert(label.span, id);
        if let Owner::Process(proctype) = body.owner {
            self.globals.labels.entry((proctype, Arc::clone(name))).or_insert(id);
        }
    }

    /// The ids of the labels in front of a statement.
    pub(super) fn labels_of(&mut self, labels: &[Name]) -> Vec<LabelId> {
        let mut ids = Vec::with_capacity(labels.len());
        for label in labels {
            let variable = self.lookup_var(&label.text).map(|(scope, var)| self.var(scope, var).span);
            let other = self.globals.names.get(&label.text).map(|(_, place)| *place);
            if let Some(place) = variable.or(other) {
                self.report(finding::label_is_variable(label, place));
            }
            let id = self.mentioned(label);
            if let Some(body) = &mut self.body {
                body.passed_labels.extend(id);
            }
            ids.extend(id);
        }
        ids
    }

    /// The label that a mention stands for.
    pub(super) fn mentioned(&self, name: &Name) -> Option<LabelId> {
        self.body.as_ref()?.mentions.get(&name.span).copied()
    }

    /// SPIN refuses a label on what stands first inside braces: it belongs in front of them. A loop comes behind a place
    /// of its own, where its rounds begin, and a `for` behind a step.
    pub(super) fn label_inside(&mut self, inner: &Sequence, lowered: &model::Sequence, keyword: &str) {
        let is_marked = |first: &model::Stmt| !first.labels.is_empty() && !matches!(first.kind, model::StmtKind::Do(_));
        if lowered.stmts.first().is_some_and(is_marked) {
            for label in inner.stmts.first().iter().flat_map(|stmt| &stmt.labels) {
                self.report(finding::label_inside_braces(label, keyword));
            }
        }
    }
}

impl Pairing {
    /// The label a jump from this block means.
    fn target(&self, name: &Name, block: Option<usize>) -> Option<LabelId> {
        let outwards = std::iter::successors(block, |block| self.parents.get(*block).copied().flatten());
        let mut around = outwards.filter_map(|block| self.labels.get(&(Some(block), Arc::clone(&name.text))));
        around.next().or_else(|| self.first.get(&name.text)).copied()
    }
}
