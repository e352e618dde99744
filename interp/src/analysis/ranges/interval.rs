//! Intervals of 32-bit values, and what the operators make of them.

use promela::model::{BasicType, BinaryOp, UnaryOp};

use crate::code::layout::{bits_for, width};

/// All values from `low` to `high`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// The least.
    pub low: i32,
    /// The greatest.
    pub high: i32,
}

impl Default for Range {
    /// What every place holds before anything is stored in it.
    fn default() -> Self {
        Range::ZERO
    }
}

impl Range {
    /// 0 alone.
    pub const ZERO: Range = Range { low: 0, high: 0 };
    /// 0 and 1.
    pub const BOOL: Range = Range { low: 0, high: 1 };
    /// Everything.
    pub const FULL: Range = Range { low: i32::MIN, high: i32::MAX };

    /// One value.
    pub fn just(value: i32) -> Range {
        Range { low: value, high: value }
    }

    /// 0 to `high`.
    pub fn up_to(high: usize) -> Range {
        Range { low: 0, high: i32::try_from(high).unwrap_or(i32::MAX) }
    }

    /// What a variable of the type can hold.
    pub fn of_type(ty: BasicType) -> Range {
        let (bits, signed) = width(ty);
        match (bits, signed) {
            (32, _) => Range::FULL,
            (bits, true) => Range { low: -(1 << (bits - 1)), high: (1 << (bits - 1)) - 1 },
            (bits, false) => Range { low: 0, high: ((1i64 << bits) - 1) as i32 },
        }
    }

    /// The bits that hold every value of the range, and whether the top one is a sign.
    pub fn width(self) -> (u8, bool) {
        match usize::try_from(self.low) {
            Ok(_) => (bits_for(self.high as usize), false),
            Err(_) => (33 - (!self.low).leading_zeros().min(self.high.max(0).leading_zeros()) as u8, true),
        }
    }

    /// The least range with both.
    pub fn join(self, other: Range) -> Range {
        Range { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// What is left when values are stored in a variable of the type.
    pub fn cut(self, ty: BasicType) -> Range {
        let all = Range::of_type(ty);
        if all.low <= self.low && self.high <= all.high { self } else { all }
    }

    /// The range between two bounds if no value in it wraps.
    fn between(low: i64, high: i64) -> Range {
        match (i32::try_from(low), i32::try_from(high)) {
            (Ok(low), Ok(high)) => Range { low, high },
            _ => Range::FULL,
        }
    }

    fn is_natural(self) -> bool {
        self.low >= 0
    }

    /// `op a`.
    pub fn unary(self, op: UnaryOp) -> Range {
        match op {
            UnaryOp::Not => Range::BOOL,
            UnaryOp::Neg => Range::between(-i64::from(self.high), -i64::from(self.low)),
            UnaryOp::BitNot => Range { low: !self.high, high: !self.low },
        }
    }

    /// `a op b`.
    pub fn binary(self, op: BinaryOp, other: Range) -> Range {
        let (low, high) = (i64::from(self.low), i64::from(self.high));
        let (other_low, other_high) = (i64::from(other.low), i64::from(other.high));
        match op {
            BinaryOp::Add => Range::between(low + other_low, high + other_high),
            BinaryOp::Sub => Range::between(low - other_high, high - other_low),
            BinaryOp::Mul => {
                let corners = [low * other_low, low * other_high, high * other_low, high * other_high];
                Range::between(corners.into_iter().min().unwrap_or(0), corners.into_iter().max().unwrap_or(0))
            }
            // By 0 there is no value.
            BinaryOp::Div if other.is_natural() => {
                let (least, most) = (other_low.max(1), other_high.max(1));
                Range::between((low / least).min(low / most), (high / least).max(high / most))
            }
            BinaryOp::Rem if other.is_natural() => {
                let most = (other_high - 1).max(0);
                Range::between(low.max(-most).min(0), high.min(most).max(0))
            }
            BinaryOp::BitAnd if self.is_natural() && other.is_natural() => Range::between(0, high.min(other_high)),
            BinaryOp::BitAnd if self.is_natural() => Range::between(0, high),
            BinaryOp::BitAnd if other.is_natural() => Range::between(0, other_high),
            BinaryOp::BitOr | BinaryOp::BitXor if self.is_natural() && other.is_natural() => {
                let bits = bits_for(self.high.max(other.high) as usize);
                Range::between(0, (1i64 << bits) - 1)
            }
            BinaryOp::Shr if self.is_natural() && other.is_natural() => Range::between(0, high),
            BinaryOp::Shl if self.is_natural() && other.is_natural() && other.high < 32 => {
                Range::between(low << other_low, high << other_high)
            }
            BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge => Range::BOOL,
            BinaryOp::Div
            | BinaryOp::Rem
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor
            | BinaryOp::Shl
            | BinaryOp::Shr => Range::FULL,
        }
    }

    /// The values for which `a op b` can hold with some `b` of `other`; `None` if nothing is known, or nothing is left.
    pub fn such_that(self, op: BinaryOp, other: Range) -> Option<Range> {
        let Range { mut low, mut high } = self;
        match op {
            BinaryOp::Eq => (low, high) = (low.max(other.low), high.min(other.high)),
            BinaryOp::Ne if other.low == other.high && other.low == low => low = low.checked_add(1)?,
            BinaryOp::Ne if other.low == other.high && other.low == high => high = high.checked_sub(1)?,
            BinaryOp::Lt => high = high.min(other.high.checked_sub(1)?),
            BinaryOp::Le => high = high.min(other.high),
            BinaryOp::Gt => low = low.max(other.low.checked_add(1)?),
            BinaryOp::Ge => low = low.max(other.low),
            _ => return None,
        }
        (low <= high).then_some(Range { low, high })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::compare::negated;
    use proptest::prelude::*;

    fn range() -> impl Strategy<Value = Range> {
        let bound = prop_oneof![-9..9, -300..300, any::<i32>()];
        (bound.clone(), bound).prop_map(|(a, b): (i32, i32)| Range { low: a.min(b), high: a.max(b) })
    }

    /// Some values of the range, its ends among them.
    fn members(range: Range) -> Vec<i32> {
        let span = i64::from(range.high) - i64::from(range.low);
        (0..=8).map(|nth| (i64::from(range.low) + span * nth / 8) as i32).collect()
    }

    fn apply(op: BinaryOp, a: i32, b: i32) -> Option<i32> {
        Some(match op {
            BinaryOp::Add => a.wrapping_add(b),
            BinaryOp::Sub => a.wrapping_sub(b),
            BinaryOp::Mul => a.wrapping_mul(b),
            BinaryOp::Div if b == 0 => return None,
            BinaryOp::Rem if b == 0 => return None,
            BinaryOp::Div => a.wrapping_div(b),
            BinaryOp::Rem => a.wrapping_rem(b),
            BinaryOp::BitAnd => a & b,
            BinaryOp::BitOr => a | b,
            BinaryOp::BitXor => a ^ b,
            BinaryOp::Shl | BinaryOp::Shr if !(0..32).contains(&b) => return None,
            BinaryOp::Shl => a << b,
            BinaryOp::Shr => a >> b,
            BinaryOp::And => i32::from(a != 0 && b != 0),
            BinaryOp::Or => i32::from(a != 0 || b != 0),
            _ => i32::from(crate::code::compare::compare(op, a, b)),
        })
    }

    const ALL: [BinaryOp; 18] = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Div,
        BinaryOp::Rem,
        BinaryOp::BitAnd,
        BinaryOp::BitOr,
        BinaryOp::BitXor,
        BinaryOp::Shl,
        BinaryOp::Shr,
        BinaryOp::And,
        BinaryOp::Or,
        BinaryOp::Eq,
        BinaryOp::Ne,
        BinaryOp::Lt,
        BinaryOp::Le,
        BinaryOp::Gt,
        BinaryOp::Ge,
    ];

    fn contains(range: Range, value: i32) -> bool {
        range.low <= value && value <= range.high
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]
        #[test]
        fn operators_stay_inside(a in range(), b in range()) {
            for op in ALL {
                let result = a.binary(op, b);
                for x in members(a) {
                    for y in members(b) {
                        if let Some(value) = apply(op, x, y) {
                            prop_assert!(contains(result, value), "{x} {op:?} {y} = {value} is not in {result:?}");
                            if value != 0 && negated(op).is_some() {
                                let left = a.such_that(op, b).unwrap_or(a);
                                prop_assert!(contains(left, x), "{x} {op:?} {y}, but {x} is not in {left:?}");
                            }
                        }
                    }
                }
            }
        }

        #[test]
        fn a_range_fits_into_its_bits(a in range()) {
            let (bits, signed) = a.width();
            let field = crate::code::state::Field::new(0, 0, bits, signed, false);
            for value in members(a) {
                prop_assert_eq!(field.cut(value), value);
            }
        }
    }
}
