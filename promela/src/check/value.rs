//! What is known of a value before the run: its kind, and between which numbers it lies.

use super::constant::apply;
use crate::ids::MtypeSetId;
use crate::model::{BasicType, BinaryOp, Expr, ExprKind, UnaryOp};

/// The kind of a value, as far as mixing kinds is reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Any number.
    Number,
    /// A name of this set.
    Mtype(MtypeSetId),
    /// A channel.
    Chan,
}

impl Kind {
    /// The kind of what a place of this type holds.
    pub fn of(ty: BasicType) -> Self {
        match ty {
            BasicType::Mtype(set) => Kind::Mtype(set),
            BasicType::Chan => Kind::Chan,
            _ => Kind::Number,
        }
    }
}

/// Least and greatest value a place of this type can hold.
pub(super) fn bounds(ty: BasicType) -> (i64, i64) {
    match ty {
        BasicType::Bit => (0, 1),
        BasicType::Byte | BasicType::Pid | BasicType::Mtype(_) | BasicType::Chan => (0, 255),
        BasicType::Short => (i64::from(i16::MIN), i64::from(i16::MAX)),
        BasicType::Int => (i64::from(i32::MIN), i64::from(i32::MAX)),
        BasicType::Unsigned(width) if width < 32 => (0, (1 << width) - 1),
        BasicType::Unsigned(_) => (i64::from(i32::MIN), i64::from(i32::MAX)),
    }
}

/// What a number becomes when it is stored in a place of this type.
pub(super) fn truncated(ty: BasicType, value: i32) -> i32 {
    match ty {
        BasicType::Bit => value & 1,
        BasicType::Byte | BasicType::Pid | BasicType::Mtype(_) | BasicType::Chan => value & 0xff,
        BasicType::Short => i32::from(value as i16),
        BasicType::Unsigned(width) if width < 32 => value & ((1_u32 << width) - 1) as i32,
        BasicType::Int | BasicType::Unsigned(_) => value,
    }
}

/// Bounds of an expression's value, `None` where nothing useful is known.
pub(super) fn range(expr: &Expr) -> Option<(i64, i64)> {
    match &expr.kind {
        ExprKind::Const(value) => Some((i64::from(*value), i64::from(*value))),
        ExprKind::Load(place) => Some(bounds(place.ty)),
        ExprKind::Len(_) | ExprKind::Pid | ExprKind::NrPr | ExprKind::Last => Some((0, 255)),
        ExprKind::Unary(UnaryOp::Neg, inner) => match inner.kind {
            ExprKind::Const(value) => Some((-i64::from(value), -i64::from(value))),
            _ => None,
        },
        ExprKind::Binary(op, left, right) => match (&left.kind, &right.kind) {
            (ExprKind::Const(left), ExprKind::Const(right)) => {
                apply(*op, *left, *right).map(|value| (i64::from(value), i64::from(value)))
            }
            _ => None,
        },
        _ => None,
    }
}

/// The outcome of a comparison, if the bounds of both sides leave only one.
pub(super) fn foregone(op: BinaryOp, left: (i64, i64), right: (i64, i64)) -> Option<bool> {
    let below = left.1 < right.0;
    let not_above = left.1 <= right.0;
    let above = left.0 > right.1;
    let not_below = left.0 >= right.1;
    let (always, never) = match op {
        BinaryOp::Lt => (below, not_below),
        BinaryOp::Le => (not_above, above),
        BinaryOp::Gt => (above, not_above),
        BinaryOp::Ge => (not_below, below),
        BinaryOp::Eq => (false, below || above),
        BinaryOp::Ne => (below || above, false),
        _ => (false, false),
    };
    match (always, never) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_is_never_negative() {
        let byte = bounds(BasicType::Byte);
        assert_eq!(foregone(BinaryOp::Ge, byte, (0, 0)), Some(true));
        assert_eq!(foregone(BinaryOp::Lt, byte, (0, 0)), Some(false));
        assert_eq!(foregone(BinaryOp::Eq, byte, (256, 256)), Some(false));
        assert_eq!(foregone(BinaryOp::Eq, byte, (255, 255)), None);
    }

    #[test]
    fn a_bit_keeps_the_last_bit() {
        assert_eq!(truncated(BasicType::Bit, 2), 0);
        assert_eq!(truncated(BasicType::Bit, 3), 1);
        assert_eq!(truncated(BasicType::Unsigned(3), 9), 1);
        assert_eq!(truncated(BasicType::Short, 40_000), -25_536);
    }
}
