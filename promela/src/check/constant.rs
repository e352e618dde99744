//! Constants: what must be a number before the model runs (sizes, capacities, widths, counts).
//!
//! Arithmetic is that of the run: 32 bits, wrapping. Expressions that are executed are never folded.

use super::Checker;
use super::scope::Global;
use super::value::range;
use crate::ast::{BinaryOp, Expr, ExprKind, Name, UnaryOp};
use crate::diagnostics::constant as finding;
use crate::model::Init;

/// The value of a plain number.
pub(super) fn literal(expr: &Expr) -> Option<i32> {
    match &expr.kind {
        ExprKind::Const(value) => Some(*value),
        _ => None,
    }
}

/// The name, if an expression is a name without index or field.
pub(super) fn bare_name(expr: &Expr) -> Option<&Name> {
    match &expr.kind {
        ExprKind::Var(var) => match &var.parts[..] {
            [part] if part.index.is_none() => Some(&part.name),
            _ => None,
        },
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
    /// The value of a constant expression; reports what is not constant. With `variables`, a variable counts with the
    /// value it is declared with, as SPIN has it for array sizes and numbers of processes.
    pub(super) fn constant(&mut self, expr: &Expr, variables: bool) -> Option<i32> {
        match &expr.kind {
            ExprKind::Const(value) => Some(*value),
            ExprKind::Unary(UnaryOp::Neg, inner) => self.constant(inner, variables).map(i32::wrapping_neg),
            ExprKind::Binary(
                op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem),
                left,
                right,
            ) => {
                let (left, right) = (self.constant(left, variables), self.constant(right, variables));
                let value = apply(*op, left?, right?);
                if value.is_none() {
                    self.report(finding::no_value(expr));
                }
                value
            }
            ExprKind::Error => None,
            _ => match bare_name(expr) {
                Some(name) => self.constant_named(name, variables),
                None => {
                    self.report(finding::not_constant(expr.span));
                    None
                }
            },
        }
    }

    /// A plain number or a symbolic name.
    pub(super) fn number(&mut self, expr: &Expr) -> Option<i32> {
        match (literal(expr), bare_name(expr)) {
            (Some(value), _) => Some(value),
            (None, Some(name)) => self.constant_named(name, false),
            (None, None) => {
                self.report(finding::not_a_number(expr.span));
                None
            }
        }
    }

    fn constant_named(&mut self, name: &Name, variables: bool) -> Option<i32> {
        if let Some(&(Global::Mtype(_, value), _)) = self.globals.names.get(&name.text) {
            return Some(value);
        }
        let Some((scope, id)) = self.lookup_var(&name.text) else {
            let finding = self.undeclared(name);
            self.report(finding);
            return None;
        };
        let var = self.var(scope, id);
        let value = match &var.init {
            Init::Zero if var.len.is_none() => Some(0),
            Init::Value(value) if var.len.is_none() => match range(value) {
                Some((least, greatest)) if least == greatest => i32::try_from(least).ok(),
                _ => None,
            },
            _ => None,
        };
        if let (Some(value), true) = (value, variables) {
            self.uses.read_var(scope, id, name.span);
            self.report(finding::variable_as_constant(name, value));
            return Some(value);
        }
        self.report(finding::not_constant(name.span));
        None
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
