//! A bound on how deep the tree can become, checked on the tokens before there is a tree.
//!
//! Later passes recurse over the tree, so its depth must fit on a small stack. A pair of brackets adds a level, and so
//! does every operator: a chain `a + b + c + …` is as deep as it is long, since it groups to the left. For each open
//! bracket we keep the operators of the present chain and the depth of the deepest piece in it; the sum bounds the
//! depth of the chain, and becomes a piece of the level outside when the bracket closes.

use crate::diagnostics::{Diagnostic, syntax as code};
use crate::separators::Spanned;
use crate::source::Span;
use crate::token::Token;

/// The deepest tree that is built.
pub(crate) const MAX_DEPTH: u32 = 2_000;

/// One open bracket.
#[derive(Clone, Copy, Default)]
struct Level {
    /// Operators since the last separator.
    operators: u32,
    /// Depth of the deepest piece since the last separator.
    deepest: u32,
    /// Depth of the deepest chain before that.
    before: u32,
}

impl Level {
    fn depth(self) -> u32 {
        self.before.max(self.operators + self.deepest)
    }
}

/// A finding if the tree of these tokens would be too deep.
pub(crate) fn check(tokens: &[Spanned]) -> Option<Diagnostic> {
    let mut outer: Vec<Level> = Vec::new();
    let mut level = Level::default();
    for &(start, token, end) in tokens {
        match token {
            Token::LeftParen | Token::LeftBracket | Token::LeftBrace | Token::If | Token::Do => {
                outer.push(std::mem::take(&mut level));
            }
            Token::RightParen | Token::RightBracket | Token::RightBrace | Token::Fi | Token::Od => {
                let inner = level.depth() + 1;
                level = outer.pop().unwrap_or_default();
                level.deepest = level.deepest.max(inner);
            }
            Token::Comma | Token::Semi | Token::Arrow | Token::Colon | Token::ColonColon | Token::DotDot => {
                level = Level { before: level.depth(), ..Level::default() };
            }
            token if is_operator(token) => level.operators += 1,
            _ => {}
        }
        if level.operators + level.deepest > MAX_DEPTH || outer.len() > MAX_DEPTH as usize {
            let span = Span { start, end: end.max(start + 1) };
            return Some(
                Diagnostic::error(&code::NESTING_TOO_DEEP, format!("nested more than {MAX_DEPTH} levels deep"))
                    .at(span, "here the limit is reached")
                    .note("parentheses, blocks and operators of one chain count as levels"),
            );
        }
    }
    None
}

/// Signs that make a node of one or two others.
pub(crate) fn is_operator(token: Token) -> bool {
    matches!(
        token,
        Token::EqualEqual
            | Token::NotEqual
            | Token::Less
            | Token::LessEqual
            | Token::Greater
            | Token::GreaterEqual
            | Token::ShiftLeft
            | Token::ShiftRight
            | Token::Bang
            | Token::Plus
            | Token::Minus
            | Token::Star
            | Token::Slash
            | Token::Percent
            | Token::And
            | Token::AndAnd
            | Token::Or
            | Token::OrOr
            | Token::Caret
            | Token::Tilde
            | Token::Always
            | Token::Eventually
            | Token::Next
            | Token::Until
            | Token::WeakUntil
            | Token::Release
            | Token::Implies
            | Token::Equivalent
            | Token::Unless
    )
}
