//! The infix operators on 32-bit values.

use promela::model::BinaryOp;

use crate::code::compare::compare;
use crate::violation::ViolationKind;

/// `a op b`; an error where it has no value.
#[inline]
pub(crate) fn binary(op: BinaryOp, a: i32, b: i32) -> Result<i32, ViolationKind> {
    Ok(match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div | BinaryOp::Rem if b == 0 => return Err(ViolationKind::DivisionByZero),
        BinaryOp::Div => a.wrapping_div(b),
        BinaryOp::Rem => a.wrapping_rem(b),
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::BitOr => a | b,
        BinaryOp::Shl | BinaryOp::Shr if !(0..32).contains(&b) => return Err(ViolationKind::Shift),
        BinaryOp::Shl => a << b,
        BinaryOp::Shr => a >> b,
        BinaryOp::And => i32::from(a != 0 && b != 0),
        BinaryOp::Or => i32::from(a != 0 || b != 0),
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
            i32::from(compare(op, a, b))
        }
    })
}
