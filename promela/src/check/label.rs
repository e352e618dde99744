//! Labels: paired with their jumps before a body is lowered, because a `goto` may look ahead.
//!
//! Names of labels follow block scopes: the first mention of a name (a label or a `goto`) claims it for its block and
//! the blocks inside, where it may label one statement. Blocks side by side, and so two calls of one `inline`, each
//! have their own. A `goto` whose block has no such label takes the first one of that name in the proctype.

use std::collections::HashMap;
use std::sync::Arc;

use super::nearest::nearest;
use super::{Checker, Owner};
use crate::ast::{Name, Sequence, Stmt, StmtKind};
use crate::diagnostics::control as finding;
use crate::ids::LabelId;
use crate::model::Label;
use crate::source::Span;

/// Which label each mention stands for, by the place of the mention.
pub(super) type Mentions = HashMap<Span, LabelId>;

/// The walk that pairs labels and jumps.
#[derive(Default)]
struct Pairing {
    /// The label of each claim, once it is seen.
    claims: Vec<Option<LabelId>>,
    /// Claims of the blocks around the point at hand.
    live: HashMap<Arc<str>, usize>,
    /// For each open block, the names it claimed.
    open: Vec<Vec<Arc<str>>>,
    /// The first label of each name.
    first: HashMap<Arc<str>, LabelId>,
    /// Jumps, with the claim each belongs to.
    jumps: Vec<(Name, usize)>,
}

impl Checker<'_> {
    /// Enters all labels of a body and finds the target of each `goto`.
    pub(super) fn pair_labels(&mut self, sequence: &Sequence) {
        let mut pairing = Pairing::default();
        self.pair_block(sequence, &mut pairing);
        for (name, claim) in &pairing.jumps {
            let own = pairing.claims.get(*claim).copied().flatten();
            match (
                own.or_else(|| pairing.first.get(&name.text).copied()),
                &mut self.body,
            ) {
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
        pairing.open.push(Vec::new());
        self.pair_sequence(sequence, pairing);
        for name in pairing.open.pop().unwrap_or_default() {
            pairing.live.remove(&name);
        }
    }

    fn pair_sequence(&mut self, sequence: &Sequence, pairing: &mut Pairing) {
        sequence
            .stmts
            .iter()
            .for_each(|stmt| self.pair_stmt(stmt, pairing));
    }

    fn pair_stmt(&mut self, stmt: &Stmt, pairing: &mut Pairing) {
        for label in &stmt.labels {
            self.declare_label(label, pairing);
        }
        match &stmt.kind {
            StmtKind::Goto(target) => {
                let claim = pairing.mention(&target.text);
                pairing.jumps.push((target.clone(), claim));
            }
            StmtKind::If(options) | StmtKind::Do(options) => {
                options
                    .iter()
                    .for_each(|option| self.pair_sequence(option, pairing));
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
        let claim = pairing.mention(&label.text);
        let (Some(body), Some(claimed)) = (&mut self.body, pairing.claims.get_mut(claim)) else {
            return;
        };
        if let Some(earlier) = claimed {
            let earlier = body.proc.labels[*earlier].span;
            return self.report(finding::duplicate_label(label, earlier));
        }
        let id = body.proc.labels.push(Label {
            name: Arc::clone(&label.text),
            span: label.span,
        });
        *claimed = Some(id);
        pairing.first.entry(Arc::clone(&label.text)).or_insert(id);
        body.mentions.insert(label.span, id);
        if let Owner::Process(proctype) = body.owner {
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
            let variable = self
                .lookup_var(&label.text)
                .map(|(scope, var)| self.var(scope, var).span);
            let other = self.globals.names.get(&label.text).map(|(_, place)| *place);
            if let Some(place) = variable.or(other) {
                self.report(finding::label_is_variable(label, place));
            }
            ids.extend(self.mentioned(label));
        }
        ids
    }

    /// The label that a mention stands for.
    pub(super) fn mentioned(&self, name: &Name) -> Option<LabelId> {
        self.body.as_ref()?.mentions.get(&name.span).copied()
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

impl Pairing {
    /// The claim a name belongs to here; a new one if no block around has it.
    fn mention(&mut self, name: &Arc<str>) -> usize {
        if let Some(&claim) = self.live.get(name) {
            return claim;
        }
        self.claims.push(None);
        self.live.insert(Arc::clone(name), self.claims.len() - 1);
        if let Some(block) = self.open.last_mut() {
            block.push(Arc::clone(name));
        }
        self.claims.len() - 1
    }
}
