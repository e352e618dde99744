//! The values behind a failure: the operands of an assertion, an index and the size of its array.
//!
//! They are recorded where the step fails when it is executed once more (`output.rs`), so that they are the values of that very
//! moment, inside a `d_step` too. What is shown is the expression as it was written, with values for its operands; it is
//! evaluated from left to right, and what a short circuit skips is not shown.
//! Invariant: with the values in their places, the expression shown has the value that the expression has.

use promela::ids::MtypeSetId;
use promela::model::BinaryOp;
use promela::source::Span;

use crate::code::program::Node;
use crate::exec::eval::Env;
use crate::ids::NodeId;
use crate::inspect::trace::Trace;
use crate::model::{Model, StepErrors};
use statespace::Word;

/// What failed in a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// Where.
    pub span: Span,
    /// With which values.
    pub detail: Detail,
    /// The step leads nowhere: what it did before is no effect.
    pub is_fatal: bool,
}

/// The values of a failure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Detail {
    /// There are none worth showing.
    None,
    /// Those of an expression.
    Values(Values),
    /// An index outside of its array.
    Index {
        /// Its value.
        index: i32,
        /// The number of elements.
        size: u32,
    },
    /// A message with more or fewer fields than its channel has.
    Fields {
        /// Of the statement.
        given: usize,
        /// Of the channel.
        declared: usize,
    },
}

/// The values of an expression's operands.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Values {
    /// The expression with the values in their places: `4 == 1`.
    pub shown: String,
    /// The operands that are not constants, each with its value.
    pub operands: Vec<(Span, String)>,
}

/// Operands that are shown; more would not be read.
const MOST_OPERANDS: usize = 12;

impl Detail {
    /// An operation that has no value.
    pub(crate) fn operation(op: BinaryOp, a: i32, b: i32) -> Self {
        Detail::Values(Values { shown: format!("{a} {} {b}", op.sign()), operands: Vec::new() })
    }
}

impl Model {
    /// What fails in the last move of a trace that ends with a violation.
    pub fn failure(&self, trace: &Trace) -> Option<Failure> {
        trace.violation.filter(|violation| violation.pid.is_some())?;
        let last = trace.steps.last()?;
        let (a_move, earlier) = last.moves.split_last()?;
        let before = match last.states.len() {
            0 | 1 => match trace.steps.len() {
                0 | 1 => &trace.initial,
                length => trace.steps[length - 2].states.last()?,
            },
            length => &last.states[length - 2],
        };
        self.output(before, earlier.last(), a_move).failure
    }
}

impl Env<'_> {
    /// Records the values behind a failure, if they are wanted.
    #[cold]
    pub(crate) fn explain(&self, node: NodeId, detail: impl FnOnce() -> Detail) {
        let Some(output) = &self.errors.output else { return };
        let is_fatal = self.errors.fault.get().is_some();
        let span = self.model.program.spans[node];
        if output.borrow().failure.is_none() {
            let detail = detail();
            output.borrow_mut().failure = Some(Failure { span, detail, is_fatal });
        }
    }

    /// The values of an expression; `None` if it is constant, or has none.
    pub(crate) fn values(&self, words: &[Word], node: NodeId) -> Option<Values> {
        let errors = StepErrors::default();
        let env = Env { errors: &errors, ..*self };
        let mut values = Values::default();
        env.show(words, node, None, &mut values);
        (errors.fault.get().is_none() && !values.operands.is_empty()).then_some(values)
    }

    /// Adds an expression with the values of its operands, and returns its own.
    fn show(&self, words: &[Word], node: NodeId, names: Option<MtypeSetId>, out: &mut Values) -> i32 {
        if out.operands.len() == MOST_OPERANDS && !matches!(self.model.program.nodes[node], Node::Const(_)) {
            out.shown.push('…');
            return self.eval(words, node);
        }
        let program = &self.model.program;
        let written = program.notes.written.get(&node).copied().unwrap_or(program.nodes[node]);
        match written {
            Node::Not(a) => {
                let is_plain = self.is_operand(a);
                out.shown.push_str(if is_plain { "!" } else { "!(" });
                let value = self.show(words, a, None, out);
                out.shown.push_str(if is_plain { "" } else { ")" });
                i32::from(value == 0)
            }
            Node::And(a, b) => {
                let left = self.show_part(words, a, &written, out);
                out.shown.push_str(" && ");
                match left {
                    0 => out.shown.push('…'),
                    _ => return i32::from(self.show_part(words, b, &written, out) != 0),
                }
                0
            }
            Node::Or(a, b) => {
                let left = self.show_part(words, a, &written, out);
                out.shown.push_str(" || ");
                match left {
                    0 => return i32::from(self.show_part(words, b, &written, out) != 0),
                    _ => out.shown.push('…'),
                }
                1
            }
            Node::Binary(op, a, b) if is_comparison(op) => {
                let names = self.names(a).or_else(|| self.names(b));
                self.show_operand(words, a, names, out);
                out.shown.push_str(&format!(" {} ", op.sign()));
                self.show_operand(words, b, names, out);
                self.eval(words, node)
            }
            _ => self.show_operand(words, node, names.or_else(|| self.names(node)), out),
        }
    }

    /// A side of `&&` or `||`, in parentheses if it is the other of the two.
    fn show_part(&self, words: &[Word], node: NodeId, around: &Node, out: &mut Values) -> i32 {
        let is_other = matches!(
            (around, self.model.program.nodes[node]),
            (Node::And(..), Node::Or(..)) | (Node::Or(..), Node::And(..))
        );
        out.shown.push_str(if is_other { "(" } else { "" });
        let value = self.show(words, node, None, out);
        out.shown.push_str(if is_other { ")" } else { "" });
        value
    }

    /// A value in the place of its expression.
    fn show_operand(&self, words: &[Word], node: NodeId, names: Option<MtypeSetId>, out: &mut Values) -> i32 {
        let value = self.eval(words, node);
        let name = names.and_then(|set| self.model.mtype_name(set, value));
        let text = name.map_or_else(|| value.to_string(), str::to_owned);
        out.shown.push_str(&text);
        let span = self.model.program.spans[node];
        if !matches!(self.model.program.nodes[node], Node::Const(_)) && out.operands.iter().all(|(at, _)| *at != span) {
            out.operands.push((span, text));
        }
        value
    }

    /// The names of an expression's values, if they have any.
    fn names(&self, node: NodeId) -> Option<MtypeSetId> {
        self.model.program.notes.names.get(&node).copied()
    }

    /// Whether it is shown as one value.
    fn is_operand(&self, node: NodeId) -> bool {
        let program = &self.model.program;
        let written = program.notes.written.get(&node).copied().unwrap_or(program.nodes[node]);
        match written {
            Node::Not(_) | Node::And(..) | Node::Or(..) => false,
            Node::Binary(op, ..) => !is_comparison(op),
            _ => true,
        }
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
    matches!(op, Eq | Ne | Lt | Le | Gt | Ge)
}
