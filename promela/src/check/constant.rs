//! Constants: what must be a number before the model runs (sizes, capacities, widths, counts).
//!
//! Arithmetic is that of the run: 32 bits, wrapping. Expressions that are executed are never folded.

use super::Checker;
use super::scope::Global;
use crate::ast::{BinaryOp, Expr, ExprKind, Name, UnaryOp};
use crate::diagnostics::constant as finding;
use crate::model::{self, Init};

/// The value of a plain number (possibly negated).
pub(super) fn literal(expr: &Expr) -> Option<i32> {
    match &expr.kind {
        ExprKind::Const(value) => Some(*value),
        ExprKind::Unary(UnaryOp::Neg, inner) => literal(inner).map(i32::wrapping_neg),
        _ => None,
    }
}

/// The value of an operator on numbers; `None` where there is none (division by zero, a shift beyond the width).
pub(super) fn apply(op: BinaryOp, left: i32, right: i32) -> Option<i32> {
    let shift = u32::try_from(right).ok();
    Some(match op {
        BinaryOp::Add => left.wrapping_add(right),
        BinaryOp::Sub => left.wrapping_sub(right),
        BinaryOp::Mul => left.wrapping_mul(right),
        BinaryOp::Div if right == 0 => return None,
        BinaryOp::Div => left.wrapping_div(right),
        BinaryOp::Rem if right == 0 => return None,
        BinaryOp::Rem => left.wrapping_rem(right),
        BinaryOp::BitAnd => left & right,
        BinaryOp::BitXor => left ^ right,
        BinaryOp::BitOr => left | right,
        BinaryOp::Shl => left.checked_shl(shift?)?,
        BinaryOp::Shr => left.checked_shr(shift?)?,
        BinaryOp::Lt => i32::from(left < right),
        BinaryOp::Le => i32::from(left <= right),
        BinaryOp::Gt => i32::from(left > right),
        BinaryOp::Ge => i32::from(left >= right),
        BinaryOp::Eq => i32::from(left == right),
        BinaryOp::Ne => i32::from(left != right),
        BinaryOp::And => i32::from(left != 0 && right != 0),
        BinaryOp::Or => i32::from(left != 0 || right != 0),
    })
}

impl Checker<'_> {
    /// The value of a constant expression; reports what is not constant.
    pub(super) fn constant(&mut self, expr: &Expr) -> Option<i32> {
        match &expr.kind {
            ExprKind::Const(value) => Some(*value),
            ExprKind::Var(var) => {
                if let ([part], None) = (
                    &var.parts[..],
                    var.parts.first().and_then(|part| part.index.as_ref()),
                ) {
                    if let Some(&(Global::Mtype(_, value), _)) =
                        self.globals.names.get(&part.name.text)
                    {
                        return Some(value);
                    }
                    if let Some(value) = self.initial_value(&part.name) {
                        self.report(finding::variable_as_constant(part, value));
                        return Some(value);
                    }
                    if self.lookup_var(&part.name.text).is_none() {
                        let finding = self.undeclared(&part.name);
                        self.report(finding);
                        return None;
                    }
                }
                self.report(finding::not_constant(expr));
                None
            }
            ExprKind::Unary(op, inner) => {
                let value = self.constant(inner)?;
                Some(match op {
                    UnaryOp::Neg => value.wrapping_neg(),
                    UnaryOp::Not => i32::from(value == 0),
                    UnaryOp::BitNot => !value,
                })
            }
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.constant(left), self.constant(right));
                let value = apply(*op, left?, right?);
                if value.is_none() {
                    self.report(finding::no_value(expr, *op));
                }
                value
            }
            ExprKind::Cond(test, yes, no) => match self.constant(test)? {
                0 => self.constant(no),
                _ => self.constant(yes),
            },
            ExprKind::Error => None,
            _ => {
                self.report(finding::not_constant(expr));
                None
            }
        }
    }

    /// The value a global variable is declared with, if that is a number.
    fn initial_value(&mut self, name: &Name) -> Option<i32> {
        let (scope, id) = self.lookup_var(&name.text)?;
        let var = self.var(scope, id);
        let value = match &var.init {
            Init::Value(model::Expr {
                kind: model::ExprKind::Const(value),
                ..
            }) if var.len.is_none() => *value,
            _ => return None,
        };
        self.uses.read_var(scope, id, name.span);
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::apply;
    use crate::ast::BinaryOp::*;

    #[test]
    fn arithmetic_is_that_of_the_run() {
        assert_eq!(apply(Div, -7, 2), Some(-3));
        assert_eq!(apply(Rem, -7, 2), Some(-1));
        assert_eq!(apply(Div, 1, 0), None);
        assert_eq!(apply(Shl, 1, 33), None);
        assert_eq!(apply(Add, i32::MAX, 1), Some(i32::MIN));
    }
}
