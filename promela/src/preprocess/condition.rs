//! The constant expressions of `#if` and `#elif`, as in C: 64-bit integers, names that are left count as 0.
//!
//! Precedence climbing over the tokens of one line; the nesting of parentheses and prefix operators is bounded, so that
//! the recursion is.

use crate::lexer::RawToken;
use crate::source::Sources;
use crate::token::Raw;

/// How deep a condition may nest.
const MAX_DEPTH: usize = 200;

/// Why there is no value, and where.
type Bad = (RawToken, String);

/// The value of a condition. Errors about a missing piece point to `directive`.
pub(super) fn evaluate(sources: &Sources, tokens: &[RawToken], directive: RawToken) -> Result<i64, Bad> {
    let mut parser = Parser { sources, tokens, at: 0, directive, depth: 0 };
    let value = parser.conditional(true)?;
    match parser.tokens.get(parser.at) {
        None => Ok(value),
        Some(&extra) => Err((extra, "the condition should end here".to_owned())),
    }
}

struct Parser<'a> {
    sources: &'a Sources,
    tokens: &'a [RawToken],
    at: usize,
    directive: RawToken,
    depth: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<Raw> {
        self.tokens.get(self.at).map(|t| t.kind)
    }

    fn here(&self) -> RawToken {
        self.tokens.get(self.at).copied().unwrap_or(self.directive)
    }

    /// `c ? a : b`; `live` is false where the value is not used, so that `0 && 1/0` is no error.
    fn conditional(&mut self, live: bool) -> Result<i64, Bad> {
        self.enter()?;
        let condition = self.binary(0, live)?;
        let value = if self.peek() == Some(Raw::Question) {
            self.at += 1;
            let yes = self.conditional(live && condition != 0)?;
            if self.peek() != Some(Raw::Colon) {
                return Err((self.here(), "expected `:` of a conditional".to_owned()));
            }
            self.at += 1;
            let no = self.conditional(live && condition == 0)?;
            if condition != 0 { yes } else { no }
        } else {
            condition
        };
        self.depth -= 1;
        Ok(value)
    }

    fn binary(&mut self, least: u8, live: bool) -> Result<i64, Bad> {
        self.enter()?;
        let mut left = self.unary(live)?;
        while let Some((operator, level)) = self.peek().and_then(|kind| level(kind).map(|level| (kind, level))) {
            if level < least {
                break;
            }
            let sign = self.here();
            self.at += 1;
            let needed = match operator {
                Raw::AndAnd => left != 0,
                Raw::OrOr => left == 0,
                _ => true,
            };
            let right = self.binary(level + 1, live && needed)?;
            left = match apply(operator, left, right) {
                Some(value) => value,
                None if live => return Err((sign, "division by zero in a condition".to_owned())),
                None => 0,
            };
        }
        self.depth -= 1;
        Ok(left)
    }

    fn unary(&mut self, live: bool) -> Result<i64, Bad> {
        self.enter()?;
        let token = self.here();
        let kind = self.peek();
        self.at += 1;
        let value = match kind {
            Some(Raw::Bang) => i64::from(self.unary(live)? == 0),
            Some(Raw::BangBang) => i64::from(self.unary(live)? != 0),
            Some(Raw::Minus) => self.unary(live)?.wrapping_neg(),
            Some(Raw::MinusMinus | Raw::Plus) => self.unary(live)?,
            Some(Raw::Tilde) => !self.unary(live)?,
            Some(Raw::LeftParen) => {
                let value = self.conditional(live)?;
                if self.peek() != Some(Raw::RightParen) {
                    return Err((self.here(), "expected `)` in a condition".to_owned()));
                }
                self.at += 1;
                value
            }
            Some(Raw::Number) => self.number(token)?,
            Some(Raw::Char) => crate::token::character(self.sources.slice(token.origin.place)).into(),
            Some(Raw::Name) => 0,
            Some(_) => {
                let text = self.sources.slice(token.origin.place);
                return Err((token, format!("`{text}` cannot stand in a condition")));
            }
            None => return Err((self.directive, "the condition is not complete".to_owned())),
        };
        self.depth -= 1;
        Ok(value)
    }

    /// A C number: `0x10`, `010`, `10UL`. The lexer has cut it after its leading digits.
    fn number(&mut self, token: RawToken) -> Result<i64, Bad> {
        let mut text = self.sources.slice(token.origin.place).to_owned();
        if let Some(tail) = self.tokens.get(self.at)
            && tail.kind == Raw::Name
            && !tail.space
        {
            text.push_str(self.sources.slice(tail.origin.place));
            self.at += 1;
        }
        let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
        let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
            Some(hex) => u64::from_str_radix(hex, 16),
            None if digits.len() > 1 && digits.starts_with('0') => u64::from_str_radix(digits, 8),
            None => digits.parse(),
        };
        value.map(|v| v as i64).map_err(|_| (token, format!("`{text}` is not a number of C")))
    }

    fn enter(&mut self) -> Result<(), Bad> {
        self.depth += 1;
        if self.depth > 3 * MAX_DEPTH {
            return Err((self.here(), "the condition is nested too deeply".to_owned()));
        }
        Ok(())
    }
}

/// How tightly an operator binds.
fn level(kind: Raw) -> Option<u8> {
    Some(match kind {
        Raw::OrOr => 1,
        Raw::AndAnd => 2,
        Raw::Or => 3,
        Raw::Caret => 4,
        Raw::And => 5,
        Raw::EqualEqual | Raw::NotEqual => 6,
        Raw::Less | Raw::LessEqual | Raw::Greater | Raw::GreaterEqual => 7,
        Raw::ShiftLeft | Raw::ShiftRight => 8,
        Raw::Plus | Raw::Minus => 9,
        Raw::Star | Raw::Slash | Raw::Percent => 10,
        _ => return None,
    })
}

/// The value of one operator; `None` for a division by zero.
fn apply(operator: Raw, a: i64, b: i64) -> Option<i64> {
    Some(match operator {
        Raw::OrOr => i64::from(a != 0 || b != 0),
        Raw::AndAnd => i64::from(a != 0 && b != 0),
        Raw::Or => a | b,
        Raw::Caret => a ^ b,
        Raw::And => a & b,
        Raw::EqualEqual => i64::from(a == b),
        Raw::NotEqual => i64::from(a != b),
        Raw::Less => i64::from(a < b),
        Raw::LessEqual => i64::from(a <= b),
        Raw::Greater => i64::from(a > b),
        Raw::GreaterEqual => i64::from(a >= b),
        Raw::ShiftLeft => a.wrapping_shl(b as u32),
        Raw::ShiftRight => a.wrapping_shr(b as u32),
        Raw::Plus => a.wrapping_add(b),
        Raw::Minus => a.wrapping_sub(b),
        Raw::Star => a.wrapping_mul(b),
        Raw::Slash => (b != 0).then(|| a.wrapping_div(b))?,
        Raw::Percent => (b != 0).then(|| a.wrapping_rem(b))?,
        _ => return None,
    })
}
