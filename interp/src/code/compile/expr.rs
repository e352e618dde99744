//! Expressions to nodes.

use cranelift_entity::SecondaryMap;
use promela::model::{BasicType, BinaryOp, Expr, ExprKind, Place, RecvArg, UnaryOp};
use promela::source::Span;

use super::Compiler;
use crate::code::compare::{mirrored, negated};
use crate::code::program::{Argument, Node, Receive, Remote, RemotePlace, RemoteValue, Run, Target};
use crate::ids::NodeId;

impl<'m> Compiler<'_, 'm> {
    /// Adds a node.
    pub(super) fn node(&mut self, node: Node, span: Span) -> NodeId {
        let id = self.program.nodes.push(node);
        self.program.spans[id] = span;
        id
    }

    /// Compiles an expression; `run`s in it are hoisted.
    pub(super) fn expr(&mut self, e: &'m Expr) -> NodeId {
        let mut written = None;
        let node = match &e.kind {
            ExprKind::Any => Node::Any,
            ExprKind::Const(value) => Node::Const(*value),
            ExprKind::Load(place) => return self.load(place),
            ExprKind::Unary(op, a) => {
                let a = self.expr(a);
                match (op, self.program.nodes[a]) {
                    (UnaryOp::Not, Node::Compare(op, field, value)) => match negated(op) {
                        Some(op) => {
                            written = Some(Node::Not(a));
                            Node::Compare(op, field, value)
                        }
                        None => Node::Not(a),
                    },
                    (UnaryOp::Not, _) => Node::Not(a),
                    (UnaryOp::Neg, _) => Node::Neg(a),
                    (UnaryOp::BitNot, _) => Node::BitNot(a),
                }
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                written = Some(Node::Binary(*op, a, b));
                self.binary(*op, a, b)
            }
            ExprKind::Cond(c, a, b) => Node::Cond(self.expr(c), self.expr(a), self.expr(b)),
            ExprKind::Len(chan) => Node::Len(self.load(chan)),
            ExprKind::ChanTest(test, chan) => Node::Test(*test, self.load(chan)),
            ExprKind::Poll { chan, random, args } => {
                let chan = self.load(chan);
                let args = args.iter().map(|arg| self.poll_argument(arg)).collect();
                self.program.polls.push(Receive { chan, random: *random, copy: true, args, span: e.span });
                Node::Poll(self.program.polls.len() as u32 - 1)
            }
            ExprKind::Run { proctype, args, priority } => {
                let args = args.iter().map(|arg| self.expr(arg)).collect();
                let priority = priority.as_ref().map(|priority| self.expr(priority));
                self.program.runs.push(Run { proctype: *proctype, args, priority, span: e.span });
                self.hoisted.push(self.program.runs.len() as u32 - 1);
                Node::Created
            }
            ExprKind::Timeout => Node::Timeout,
            ExprKind::NonProgress => Node::NonProgress,
            // In a fixed layout it is known, and so is the element of an array that belongs to a process.
            ExprKind::Pid => match self.template.and_then(|id| self.layout.templates[id].pid) {
                Some(pid) if !self.is_plain => Node::Const(pid as i32),
                _ => Node::Pid,
            },
            ExprKind::NrPr => Node::NrPr,
            ExprKind::Last => Node::Last,
            ExprKind::Enabled(pid) => Node::Enabled(self.expr(pid)),
            ExprKind::PcValue(pid) => Node::PcValue(self.expr(pid)),
            ExprKind::GetPriority(pid) => Node::GetPriority(self.expr(pid)),
            // Acts only as a statement of its own (`stmt.rs`); as a value it is what SPIN returns.
            ExprKind::SetPriority(..) => Node::Const(1),
            ExprKind::RemoteLabel { proctype, pid, label } => {
                let pid = pid.as_ref().map(|pid| self.expr(pid));
                let flow = &self.flows[*proctype];
                let number = flow.labels[*label].map_or(0, |pc| flow.locations[pc].number);
                self.program.remotes.push(Remote { proctype: *proctype, pid, what: RemoteValue::Label(number) });
                Node::Remote(self.program.remotes.len() as u32 - 1)
            }
            ExprKind::RemoteLoad { proctype, pid, place } => {
                let pid = pid.as_ref().map(|pid| self.expr(pid));
                let mut by_template = SecondaryMap::new();
                for (template, layout) in &self.layout.templates {
                    if layout.proctype == *proctype {
                        by_template[template] = Some(self.remote_place(place, &layout.locals[place.var]));
                    }
                }
                self.program.remotes.push(Remote { proctype: *proctype, pid, what: RemoteValue::Local(by_template) });
                Node::Remote(self.program.remotes.len() as u32 - 1)
            }
        };
        let id = self.node(node, e.span);
        if let (Node::Compare(..), Some(written)) = (node, written) {
            self.program.notes.written.insert(id, written);
        }
        if let ExprKind::RemoteLoad { place, .. } = &e.kind {
            self.note_names(id, place);
        }
        id
    }

    /// Notes whether a value has a name.
    pub(super) fn note_names(&mut self, node: NodeId, place: &Place) {
        if let BasicType::Mtype(set) = place.ty {
            self.program.notes.names.insert(node, set);
        }
    }

    fn remote_place(&mut self, place: &'m Place, slot: &Option<crate::code::layout::Slot>) -> RemotePlace {
        use super::place::Resolved;
        match self.resolve_slot(place, slot) {
            Resolved::Target(target) => RemotePlace::Target(target),
            Resolved::Const(value) => RemotePlace::Const(value),
            // The number of a constant channel in an array: the first stands for all, since only comparisons use it.
            Resolved::ChannelElement { first, .. } => RemotePlace::Const(first),
        }
    }

    fn binary(&mut self, op: BinaryOp, a: NodeId, b: NodeId) -> Node {
        match (op, mirrored(op), self.program.nodes[a], self.program.nodes[b]) {
            (BinaryOp::And, ..) => Node::And(a, b),
            (BinaryOp::Or, ..) => Node::Or(a, b),
            _ if self.is_plain => Node::Binary(op, a, b),
            (_, Some(_), Node::Load(field), Node::Const(value)) => Node::Compare(op, field, value),
            (_, Some(op), Node::Const(value), Node::Load(field)) => Node::Compare(op, field, value),
            _ => Node::Binary(op, a, b),
        }
    }

    /// An argument of a receive.
    pub(super) fn argument(&mut self, arg: &'m RecvArg) -> Argument {
        match arg {
            RecvArg::Bind(place) => Argument::Bind(self.target(place)),
            RecvArg::Match(value) => Argument::Match(self.expr(value)),
            RecvArg::Any => Argument::Any,
        }
    }

    fn poll_argument(&mut self, arg: &'m RecvArg) -> Argument {
        match arg {
            RecvArg::Bind(_) => Argument::Bind(Target::Nowhere),
            other => self.argument(other),
        }
    }
}
