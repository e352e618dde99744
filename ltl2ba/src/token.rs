//! The text of a formula as tokens. What comes after a name and belongs to it (indices, fields, labels, arguments) is part
//! of its token: to a formula it is an opaque piece of Promela.

use std::ops::Range;

use crate::parse::{SyntaxError, error, level};

/// A piece of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub kind: TokenKind,
    pub span: Range<usize>,
}

/// What it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    /// A name with what belongs to it, a number, or anything in braces.
    Expression,
    Constant(bool),
    Open,
    Close,
    Prefix(Prefix),
    Or,
    And,
    Implies,
    Equivalent,
    Until,
    WeakUntil,
    Release,
    Comparison,
    /// Another operator of expressions, and how tightly it binds.
    Arithmetic(u8),
    /// A minus between operands; before one it is a [`Prefix::Arithmetic`].
    Minus,
}

/// Operators before their operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Prefix {
    Not,
    Always,
    Eventually,
    Next,
    /// `-` and `~`.
    Arithmetic,
}

impl Prefix {
    pub(crate) fn level(self) -> u8 {
        match self {
            Prefix::Not | Prefix::Arithmetic => level::UNARY,
            Prefix::Always | Prefix::Eventually | Prefix::Next => level::TEMPORAL,
        }
    }
}

impl TokenKind {
    /// How tightly it binds, if it stands between operands.
    pub(crate) fn infix_level(&self) -> Option<u8> {
        Some(match self {
            TokenKind::Or => level::OR,
            TokenKind::And => level::AND,
            TokenKind::Implies | TokenKind::Equivalent => level::IMPLIES,
            TokenKind::Until | TokenKind::WeakUntil | TokenKind::Release => level::UNTIL,
            TokenKind::Comparison => 13,
            TokenKind::Arithmetic(level) => *level,
            TokenKind::Minus => 16,
            _ => return None,
        })
    }
}

/// Signs, longer ones before their beginnings.
const SIGNS: &[(&str, TokenKind)] = &[
    ("<->", TokenKind::Equivalent),
    ("->", TokenKind::Implies),
    ("&&", TokenKind::And),
    ("||", TokenKind::Or),
    ("/\\", TokenKind::And),
    ("\\/", TokenKind::Or),
    ("[]", TokenKind::Prefix(Prefix::Always)),
    ("<>", TokenKind::Prefix(Prefix::Eventually)),
    ("==", TokenKind::Comparison),
    ("!=", TokenKind::Comparison),
    ("<<", TokenKind::Arithmetic(15)),
    (">>", TokenKind::Arithmetic(15)),
    ("<=", TokenKind::Comparison),
    (">=", TokenKind::Comparison),
    ("<", TokenKind::Comparison),
    (">", TokenKind::Comparison),
    ("|", TokenKind::Arithmetic(10)),
    ("^", TokenKind::Arithmetic(11)),
    ("&", TokenKind::Arithmetic(12)),
    ("+", TokenKind::Arithmetic(16)),
    ("*", TokenKind::Arithmetic(17)),
    ("/", TokenKind::Arithmetic(17)),
    ("%", TokenKind::Arithmetic(17)),
    ("-", TokenKind::Minus),
    ("~", TokenKind::Prefix(Prefix::Arithmetic)),
    ("!", TokenKind::Prefix(Prefix::Not)),
    ("(", TokenKind::Open),
    (")", TokenKind::Close),
];

const WORDS: &[(&str, TokenKind)] = &[
    ("U", TokenKind::Until),
    ("V", TokenKind::Release),
    ("W", TokenKind::WeakUntil),
    ("X", TokenKind::Prefix(Prefix::Next)),
    ("always", TokenKind::Prefix(Prefix::Always)),
    ("eventually", TokenKind::Prefix(Prefix::Eventually)),
    ("until", TokenKind::Until),
    ("stronguntil", TokenKind::Until),
    ("weakuntil", TokenKind::WeakUntil),
    ("release", TokenKind::Release),
    ("next", TokenKind::Prefix(Prefix::Next)),
    ("implies", TokenKind::Implies),
    ("equivalent", TokenKind::Equivalent),
    ("and", TokenKind::And),
    ("or", TokenKind::Or),
    ("not", TokenKind::Prefix(Prefix::Not)),
    ("true", TokenKind::Constant(true)),
    ("skip", TokenKind::Constant(true)),
    ("false", TokenKind::Constant(false)),
];

/// Cuts the text into tokens.
pub(crate) fn tokens(text: &str) -> Result<Vec<Token>, SyntaxError> {
    let mut found: Vec<Token> = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let start = at;
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let wants_operand = found
            .last()
            .is_none_or(|last| !matches!(last.kind, TokenKind::Expression | TokenKind::Constant(_) | TokenKind::Close));
        let kind = if is_word(c) {
            at += word_length(&text[at..]);
            let word = &text[start..at];
            match WORDS.iter().find(|(known, _)| *known == word) {
                Some((_, kind)) => kind.clone(),
                None if c.is_ascii_digit() => TokenKind::Constant(word.chars().any(|c| c != '0')),
                None => {
                    at = end_of_reference(text, at)?;
                    TokenKind::Expression
                }
            }
        } else if c == '{' {
            at = end_of_brackets(text, at)?;
            TokenKind::Expression
        } else if let Some((sign, kind)) = SIGNS.iter().find(|(sign, _)| text[at..].starts_with(sign)) {
            at += sign.len();
            match kind {
                TokenKind::Minus if wants_operand => TokenKind::Prefix(Prefix::Arithmetic),
                kind => kind.clone(),
            }
        } else if c == '=' {
            return Err(error(at..at + 1, "`=` does not compare", Some("write `==`")));
        } else {
            let message = format!("`{}` means nothing in a formula", c.escape_debug());
            return Err(error(at..at + c.len_utf8(), &message, None));
        };
        found.push(Token { kind, span: start..at });
    }
    Ok(found)
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn word_length(text: &str) -> usize {
    text.find(|c| !is_word(c)).unwrap_or(text.len())
}

/// The end of what belongs to the name that ends at `at`: arguments, indices, fields, labels, polls.
fn end_of_reference(text: &str, mut at: usize) -> Result<usize, SyntaxError> {
    loop {
        let blank = text[at..].len() - text[at..].trim_start().len();
        let next = at + blank;
        let rest = &text[next..];
        if rest.starts_with('(') || (rest.starts_with('[') && !rest.starts_with("[]")) {
            at = end_of_brackets(text, next)?;
        } else if rest.starts_with("?[") || rest.starts_with("??[") {
            at = end_of_brackets(text, next + rest.find('[').unwrap_or_default())?;
        } else if rest.starts_with(['.', '@', ':']) {
            let name = rest[1..].trim_start();
            let length = word_length(name);
            if length == 0 {
                return Err(error(next..next + 1, &format!("a name is missing after `{}`", &rest[..1]), None));
            }
            at = text.len() - name.len() + length;
        } else {
            return Ok(at);
        }
    }
}

/// The end of the brackets that open at `at`.
fn end_of_brackets(text: &str, at: usize) -> Result<usize, SyntaxError> {
    let mut open: Vec<(char, usize)> = Vec::new();
    for (offset, c) in text[at..].char_indices() {
        let place = at + offset;
        match c {
            '(' | '[' | '{' => open.push((c, place)),
            ')' | ']' | '}' => {
                let fits =
                    matches!((open.pop(), c), (Some(('(', _)), ')') | (Some(('[', _)), ']') | (Some(('{', _)), '}'));
                if !fits {
                    return Err(error(place..place + 1, &format!("`{c}` does not close what is open here"), None));
                }
                if open.is_empty() {
                    return Ok(place + 1);
                }
            }
            _ => {}
        }
    }
    let name = if text[at..].starts_with('(') { "parenthesis" } else { "bracket" };
    Err(error(at..at + 1, &format!("this {name} is never closed"), None))
}
