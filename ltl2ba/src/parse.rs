//! Formulas from text, in SPIN's syntax: signs and words, atoms as opaque pieces of Promela.
//!
//! Precedence is that of SPIN's `ltl` blocks: `->` and `<->` bind least, then `||`, `&&`, then `U`, `V`, `W`, then `[]`,
//! `<>`, `X`, and tightest the operators of expressions; `!` binds as in expressions. So `[] x > 3` is `[] (x > 3)`. Chains
//! of `->` or of `U` need parentheses. Dijkstra's shunting-yard algorithm, without recursion.

use std::collections::HashMap;
use std::ops::Range;

use crate::formula::{FormulaId, Formulas, PropId};
use crate::token::{Prefix, Token, TokenKind, tokens};

/// A formula with the texts of its atoms.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The table the formula is in.
    pub formulas: Formulas,
    /// The formula.
    pub formula: FormulaId,
    /// The atoms; the proposition n is the atom n.
    pub atoms: Vec<Atom>,
}

impl Parsed {
    /// The texts of the atoms.
    pub fn names(&self) -> Vec<String> {
        self.atoms.iter().map(|atom| atom.text.clone()).collect()
    }
}

/// A piece of Promela that is true or false in a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Atom {
    /// Its text, with one blank between words where there was white space.
    pub text: String,
    /// Where it stands first: bytes of the text.
    pub span: Range<usize>,
}

/// What is wrong with the text of a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyntaxError {
    /// Where: bytes of the text. It may be empty and at the end.
    pub span: Range<usize>,
    /// What.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl std::fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SyntaxError {}

/// Operands and operators nested deeper than this are refused.
const MAX_DEPTH: u32 = 2_000;

/// How tightly operators bind.
pub(crate) mod level {
    pub const IMPLIES: u8 = 1;
    pub const OR: u8 = 2;
    pub const AND: u8 = 3;
    pub const UNTIL: u8 = 4;
    pub const TEMPORAL: u8 = 5;
    pub const UNARY: u8 = 20;
}

/// Reads a formula.
pub fn parse(text: &str) -> Result<Parsed, SyntaxError> {
    let tokens = tokens(text)?;
    let mut parser = Parser { text, formulas: Formulas::new(), atoms: Vec::new(), known: HashMap::new() };
    let formula = parser.formula(&tokens)?;
    Ok(Parsed { formulas: parser.formulas, formula, atoms: parser.atoms })
}

/// A finished operand. What has no temporal operator is kept as text, since it may become part of a larger atom.
#[derive(Clone)]
struct Operand {
    form: Shape,
    span: Range<usize>,
    depth: u32,
}

#[derive(Clone)]
enum Shape {
    /// Arithmetic, comparisons and the like: an atom if nothing more is done with it.
    Expression,
    Constant(bool),
    /// A formula, and whether it could also be an expression.
    Formula(FormulaId, bool),
}

/// An operator or bracket that waits for its right side.
enum Waiting {
    Prefix(Prefix, Range<usize>),
    Infix(TokenKind, u8),
    Open(Range<usize>),
}

impl Waiting {
    fn level(&self) -> u8 {
        match self {
            Waiting::Prefix(prefix, _) => prefix.level(),
            Waiting::Infix(_, level) => *level,
            Waiting::Open(_) => 0,
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    formulas: Formulas,
    atoms: Vec<Atom>,
    known: HashMap<String, PropId>,
}

impl Parser<'_> {
    fn formula(&mut self, tokens: &[Token]) -> Result<FormulaId, SyntaxError> {
        let (mut operands, mut waiting): (Vec<Operand>, Vec<Waiting>) = (Vec::new(), Vec::new());
        let mut wants_operand = true;
        for token in tokens {
            let span = token.span.clone();
            match (&token.kind, wants_operand) {
                (TokenKind::Prefix(prefix), true) => waiting.push(Waiting::Prefix(*prefix, span)),
                (TokenKind::Open, true) => waiting.push(Waiting::Open(span)),
                (TokenKind::Expression | TokenKind::Constant(_), true) => {
                    let form = match token.kind {
                        TokenKind::Constant(value) => Shape::Constant(value),
                        _ => Shape::Expression,
                    };
                    operands.push(Operand { form, span, depth: 0 });
                    wants_operand = false;
                }
                (TokenKind::Close, false) => {
                    while let Some(last) = waiting.pop_if(|last| !matches!(last, Waiting::Open(_))) {
                        self.apply(&mut operands, last)?;
                    }
                    let (Some(Waiting::Open(open)), Some(inside)) = (waiting.pop(), operands.last_mut()) else {
                        return Err(error(span, "this parenthesis was never opened", None));
                    };
                    inside.span = open.start..span.end;
                    inside.depth += 1;
                }
                (kind, false) if kind.infix_level().is_some() => {
                    let level = kind.infix_level().unwrap_or_default();
                    self.make_room(&mut operands, &mut waiting, level, &span)?;
                    waiting.push(Waiting::Infix(kind.clone(), level));
                    wants_operand = true;
                }
                _ => return Err(self.unexpected(token, wants_operand, operands.last())),
            }
        }
        if wants_operand {
            let end = self.text.trim_end().len();
            let help = "an operator needs something on its right, as in `p U q`";
            return Err(match tokens {
                [] => error(0..0, "there is no formula", Some("write one, as in `[] (p -> <> q)`")),
                _ => error(end..end, "the formula ends where something is missing", Some(help)),
            });
        }
        while let Some(last) = waiting.pop() {
            if let Waiting::Open(span) = last {
                return Err(error(span, "this parenthesis is never closed", None));
            }
            self.apply(&mut operands, last)?;
        }
        let Some(last) = operands.pop() else { return Err(error(0..0, "there is no formula", None)) };
        self.as_formula(&last)
    }

    /// Applies the operators that bind at least as tightly as the one that comes.
    fn make_room(
        &mut self,
        operands: &mut Vec<Operand>,
        waiting: &mut Vec<Waiting>,
        level: u8,
        span: &Range<usize>,
    ) -> Result<(), SyntaxError> {
        while let Some(last) = waiting.pop_if(|last| last.level() >= level && !matches!(last, Waiting::Open(_))) {
            let chained = last.level() == level && matches!(level, level::IMPLIES | level::UNTIL);
            self.apply(operands, last)?;
            if let (true, Some(first)) = (chained, operands.last()) {
                let (sign, first) = (&self.text[span.clone()], &self.text[first.span.clone()]);
                return Err(error(
                    span.clone(),
                    &format!("parentheses are needed around the operands of `{sign}`"),
                    Some(&format!("`({first}) {sign} …` is how SPIN reads it; put parentheses where you mean them")),
                ));
            }
        }
        Ok(())
    }

    fn apply(&mut self, operands: &mut Vec<Operand>, op: Waiting) -> Result<(), SyntaxError> {
        let Some(right) = operands.pop() else { return Ok(()) };
        let operand = match op {
            Waiting::Open(_) => right,
            Waiting::Prefix(prefix, sign) => {
                let span = sign.start..right.span.end;
                let depth = right.depth + 1;
                let form = match prefix {
                    Prefix::Arithmetic => {
                        self.expression(&right, "arithmetic")?;
                        Shape::Expression
                    }
                    Prefix::Not => {
                        let (f, state) = self.with_kind(&right)?;
                        Shape::Formula(self.formulas.not(f), state)
                    }
                    Prefix::Always => Shape::Formula(
                        {
                            let f = self.as_formula(&right)?;
                            self.formulas.always(f)
                        },
                        false,
                    ),
                    Prefix::Eventually => Shape::Formula(
                        {
                            let f = self.as_formula(&right)?;
                            self.formulas.eventually(f)
                        },
                        false,
                    ),
                    Prefix::Next => Shape::Formula(
                        {
                            let f = self.as_formula(&right)?;
                            self.formulas.next(f)
                        },
                        false,
                    ),
                };
                Operand { form, span, depth }
            }
            Waiting::Infix(kind, _) => {
                let Some(left) = operands.pop() else { return Ok(()) };
                let span = left.span.start..right.span.end;
                let depth = left.depth.max(right.depth) + 1;
                let form = self.infix(&kind, &left, &right)?;
                Operand { form, span, depth }
            }
        };
        if operand.depth > MAX_DEPTH {
            let message = format!("nested more than {MAX_DEPTH} levels deep");
            return Err(error(operand.span.start..operand.span.start + 1, &message, None));
        }
        operands.push(operand);
        Ok(())
    }

    fn infix(&mut self, kind: &TokenKind, left: &Operand, right: &Operand) -> Result<Shape, SyntaxError> {
        if let TokenKind::Comparison | TokenKind::Arithmetic(_) | TokenKind::Minus = kind {
            let user = if *kind == TokenKind::Comparison { "a comparison" } else { "arithmetic" };
            self.expression(left, user)?;
            self.expression(right, user)?;
            return Ok(Shape::Expression);
        }
        let ((a, a_state), (b, b_state)) = (self.with_kind(left)?, self.with_kind(right)?);
        let state = a_state && b_state;
        let f = &mut self.formulas;
        Ok(match kind {
            TokenKind::And => Shape::Formula(f.and(a, b), state),
            TokenKind::Or => Shape::Formula(f.or(a, b), state),
            TokenKind::Implies => Shape::Formula(f.implies(a, b), false),
            TokenKind::Equivalent => Shape::Formula(f.equivalent(a, b), false),
            TokenKind::Until => Shape::Formula(f.until(a, b), false),
            TokenKind::WeakUntil => Shape::Formula(f.weak_until(a, b), false),
            _ => Shape::Formula(f.release(a, b), false),
        })
    }

    /// The operand as a formula, and whether it has no temporal operator.
    fn with_kind(&mut self, operand: &Operand) -> Result<(FormulaId, bool), SyntaxError> {
        Ok(match operand.form {
            Shape::Formula(f, state) => (f, state),
            Shape::Constant(value) => (self.formulas.constant(value), true),
            Shape::Expression => (self.atom(&operand.span), true),
        })
    }

    fn as_formula(&mut self, operand: &Operand) -> Result<FormulaId, SyntaxError> {
        Ok(self.with_kind(operand)?.0)
    }

    /// Refuses what has a temporal operator where an expression is needed.
    fn expression(&self, operand: &Operand, user: &str) -> Result<(), SyntaxError> {
        match operand.form {
            Shape::Formula(_, false) => Err(error(
                operand.span.clone(),
                &format!("a temporal formula is used in {user}"),
                Some("it has a truth value on a run, not a number in a state"),
            )),
            _ => Ok(()),
        }
    }

    /// The atom that stands here. The same text is the same proposition.
    fn atom(&mut self, span: &Range<usize>) -> FormulaId {
        let text = normalised(&self.text[span.clone()]);
        let next = PropId(self.atoms.len() as u32);
        let prop = *self.known.entry(text.clone()).or_insert_with(|| {
            self.atoms.push(Atom { text, span: span.clone() });
            next
        });
        self.formulas.atom(prop)
    }

    fn unexpected(&self, token: &Token, wants_operand: bool, before: Option<&Operand>) -> SyntaxError {
        let sign = &self.text[token.span.clone()];
        let before = before.map(|operand| &self.text[operand.span.clone()]);
        let known = match before {
            Some("G") => Some("`G` is a name here: write `[]` or `always`".to_string()),
            Some("F") => Some("`F` is a name here: write `<>` or `eventually`".to_string()),
            _ if sign == "R" => Some("`R` is a name here: write `V` or `release`".to_string()),
            _ => None,
        };
        if wants_operand {
            let message = format!("`{sign}` stands where a formula should begin");
            return error(token.span.clone(), &message, known.as_deref());
        }
        let message = format!("an operator is missing before `{sign}`");
        let help = known.unwrap_or_else(|| "write `&&`, `||`, `->`, `U` or another operator here".to_string());
        error(token.span.clone(), &message, Some(&help))
    }
}

/// Text with single blanks for white space, and without a pair of parentheses around all of it.
fn normalised(text: &str) -> String {
    let mut text = text.trim();
    while let Some(inner) = without_brackets(text) {
        text = inner.trim();
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What is inside the brackets, if they belong together and enclose everything.
fn without_brackets(text: &str) -> Option<&str> {
    let inner = text
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'))
        .or_else(|| text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')))?;
    let mut depth = 0i32;
    for c in inner.chars() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth < 0 {
            return None;
        }
    }
    Some(inner)
}

pub(crate) fn error(span: Range<usize>, message: &str, help: Option<&str>) -> SyntaxError {
    SyntaxError { span, message: message.to_string(), help: help.map(str::to_string) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The formula as it was understood.
    fn read(text: &str) -> String {
        match parse(text) {
            Ok(parsed) => parsed.formulas.display(parsed.formula, &parsed.names()).to_string(),
            Err(error) => format!(
                "{}..{}: {} ({})",
                error.span.start,
                error.span.end,
                error.message,
                error.help.unwrap_or_default()
            ),
        }
    }

    #[test]
    fn precedence_is_that_of_ltl_blocks() {
        for (text, meaning) in [
            ("p || q && r", "p || (q && r)"),
            ("p && q -> r && s", "(p && q) -> (r && s)"),
            ("[] p U q", "([] p) U q"),
            ("[] x > 3", "[] (x > 3)"),
            ("! p U q", "(!p) U q"),
            ("<> ! p && q", "(<> (!p)) && q"),
            ("[]<>p", "[] (<> p)"),
            ("p U q && r", "(p U q) && r"),
            ("always (a implies eventually b)", "[] (a -> (<> b))"),
            ("p weakuntil q", "p W q"),
            ("p release q", "p V q"),
            ("not p and q or r", "((!p) && q) || r"),
            (r"p /\ q \/ r", "(p && q) || r"),
            ("next p equivalent q", "(X p) <-> q"),
            ("true U false", "true U false"),
            ("!x == 3", "!x == 3"),
        ] {
            assert_eq!(read(text), meaning, "{text}");
        }
    }

    #[test]
    fn atoms_are_pieces_of_promela() {
        for (text, meaning) in [
            ("[] (len(q) < 3)", "[] (len(q) < 3)"),
            ("<> P[1]@done", "<> (P[1]@done)"),
            ("<> P@done && Q:x == 2", "(<> (P@done)) && (Q:x == 2)"),
            ("[] a[i + 1].b <= -1", "[] (a[i + 1].b <= -1)"),
            ("<> {x   ==\n 3}", "<> (x == 3)"),
            ("[] (c?[msg, 3] -> <> nempty(c))", "[] ((c?[msg, 3]) -> (<> (nempty(c))))"),
            ("(a && b) == c", "(a && b) == c"),
        ] {
            assert_eq!(read(text), meaning, "{text}");
        }
        let parsed = parse("(x == 1) U (x  ==  1)").expect("a formula");
        assert_eq!(parsed.atoms.len(), 1);
        assert_eq!(parsed.atoms[0], Atom { text: "x == 1".to_string(), span: 0..8 });
    }

    #[test]
    fn mistakes_are_told_with_their_place() {
        for (text, complaint) in [
            ("", "0..0: there is no formula (write one, as in `[] (p -> <> q)`)"),
            (
                "p U",
                "3..3: the formula ends where something is missing (an operator needs something on its right, as in `p U q`)",
            ),
            (
                "p -> q -> r",
                "7..9: parentheses are needed around the operands of `->` (`(p -> q) -> …` is how SPIN reads it; put parentheses where you mean them)",
            ),
            (
                "p U q U r",
                "6..7: parentheses are needed around the operands of `U` (`(p U q) U …` is how SPIN reads it; put parentheses where you mean them)",
            ),
            ("(p", "0..1: this parenthesis is never closed ()"),
            ("p)", "1..2: this parenthesis was never opened ()"),
            ("p q", "2..3: an operator is missing before `q` (write `&&`, `||`, `->`, `U` or another operator here)"),
            ("G p", "2..3: an operator is missing before `p` (`G` is a name here: write `[]` or `always`)"),
            ("&& p", "0..2: `&&` stands where a formula should begin ()"),
            (
                "(<> q) > 3",
                "0..6: a temporal formula is used in a comparison (it has a truth value on a run, not a number in a state)",
            ),
            ("p $ q", "2..3: `$` means nothing in a formula ()"),
            ("len(q > 3", "3..4: this parenthesis is never closed ()"),
            ("x = 3", "2..3: `=` does not compare (write `==`)"),
        ] {
            assert_eq!(read(text), complaint, "{text}");
        }
    }

    #[test]
    fn depth_is_limited() {
        let deep = format!("{}p", "[]".repeat(10_000));
        assert!(parse(&deep).is_err_and(|error| error.message.contains("levels deep")));
        let wide = format!("{}p{}", "(".repeat(1_000), ")".repeat(1_000));
        assert!(parse(&wide).is_ok());
    }
}
