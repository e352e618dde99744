//! The token stream that the grammar reads: names classified, and optional semicolons inserted.
//!
//! In the body of a process or a structure the end of a line ends a statement when what stands before it can end one
//! (a name, a constant, a closing sign, `fi`, `od`, `else`, `break`, `++`, `--`) and no parenthesis is open. A semicolon
//! is also put behind `else`, and behind `}` unless something follows that cannot start a statement or declaration; one
//! before `}`, `;` or `->` is dropped. Text from an `inline` follows the same rules, except that `timeout` does not end
//! a line there. A `*/` that ends no comment is nothing. These are SPIN 6.5.2's rules, quirks included: they decide which
//! models it accepts.
//!
//! Separators at the top level are [`Token::ItemEnd`]s, and one stands behind each `}` there, so that the parser
//! can resynchronise after an error.
//!
//! A name is a [`Token::TypeName`] or [`Token::ProcName`] from its declaration on; formulas, which SPIN reads last, know
//! all of them.

use fxhash::FxHashSet;

use crate::diagnostics::{Diagnostic, syntax as code};
use crate::lexer::RawToken;
use crate::source::{Sources, Span, Symbol};
use crate::token::{self, LTL_WORDS, Raw, Token};

/// A token with its place in the table of tokens; an inserted semicolon has none and is empty.
pub(crate) type Spanned = (u32, Token, u32);

/// Names that a declaration has given a syntactic role.
#[derive(Default, Debug)]
pub(crate) struct Declared {
    procs: FxHashSet<Symbol>,
    types: FxHashSet<Symbol>,
}

/// Lays out the tokens of a model and enters them in the table.
pub(crate) fn separate(sources: &mut Sources, diagnostics: &mut Vec<Diagnostic>, tokens: &[RawToken]) -> Vec<Spanned> {
    Separator::new(sources, diagnostics, tokens).run(tokens)
}

/// Lays out the tokens of a formula or expression that is given outside of the model.
pub(crate) fn separate_formula(
    sources: &mut Sources,
    diagnostics: &mut Vec<Diagnostic>,
    tokens: &[RawToken],
    in_formula: bool,
) -> Vec<Spanned> {
    let mut separator = Separator::new(sources, diagnostics, tokens);
    separator.in_formula = in_formula;
    separator.run(tokens)
}

struct Separator<'a> {
    sources: &'a mut Sources,
    diagnostics: &'a mut Vec<Diagnostic>,
    output: Vec<Spanned>,
    /// The token before, as the lexer saw it.
    last: Option<Token>,
    last_inlined: bool,
    /// The last token of the output took the place of a separator.
    replaced: bool,
    /// All proctypes of the text, which formulas may name from anywhere.
    all_procs: FxHashSet<Symbol>,
    ltl_words: Vec<(Symbol, Token)>,
    braces: usize,
    parens: usize,
    item: Option<Token>,
    /// Inside a body or structure, where lines end statements.
    in_sequence: bool,
    in_formula: bool,
    /// Parentheses open when `for (` began.
    for_head: Option<usize>,
    name_of: Option<Token>,
}

impl<'a> Separator<'a> {
    fn new(sources: &'a mut Sources, diagnostics: &'a mut Vec<Diagnostic>, tokens: &[RawToken]) -> Self {
        let ltl_words = LTL_WORDS.iter().map(|&(word, token)| (sources.intern(word), token)).collect();
        let is_proctype = |raw: &RawToken| {
            matches!(token::keyword(raw.symbol), Some(Token::Proctype | Token::DProctype)) && raw.kind == Raw::Name
        };
        let all_procs = tokens
            .windows(2)
            .filter(|pair| is_proctype(&pair[0]) && pair[1].kind == Raw::Name)
            .map(|pair| pair[1].symbol)
            .collect();
        Self {
            sources,
            diagnostics,
            output: Vec::with_capacity(tokens.len() + tokens.len() / 8),
            last: None,
            last_inlined: false,
            replaced: false,
            all_procs,
            ltl_words,
            braces: 0,
            parens: 0,
            item: None,
            in_sequence: false,
            in_formula: false,
            for_head: None,
            name_of: None,
        }
    }

    fn run(mut self, tokens: &[RawToken]) -> Vec<Spanned> {
        let mut rest = tokens;
        let mut broken = false;
        while let [raw, behind @ ..] = rest {
            if let [slash, behind @ ..] = behind
                && closes_comment(raw, slash)
            {
                self.stray_comment_end(raw, slash);
                broken |= raw.broken;
                rest = behind;
            } else {
                self.token(RawToken { broken: std::mem::take(&mut broken) || raw.broken, ..*raw });
                rest = behind;
            }
        }
        self.output
    }

    /// SPIN drops the end of a comment that has no beginning, wherever it stands.
    fn stray_comment_end(&mut self, star: &RawToken, slash: &RawToken) {
        let start = self.sources.add_token(star.origin);
        let end = self.sources.add_token(slash.origin) + 1;
        self.diagnostics.push(
            Diagnostic::warning(&code::STRAY_COMMENT_END, "this `*/` ends no comment")
                .at(Span { start, end }, "ignored"),
        );
    }

    fn token(&mut self, raw: RawToken) {
        let index = self.sources.add_token(raw.origin);
        let Some(token) = self.classify(raw, index) else {
            return;
        };
        if raw.broken && self.line_ends_statement() && !(self.last == Some(Token::RightBrace) && token == Token::Unless)
        {
            self.emit((index, Token::Semi, index));
            self.last = Some(Token::Semi);
        }
        self.follow(token);
        self.last = Some(token);
        self.last_inlined = raw.inlined;
        if self.braces > 0 || self.parens > 0 {
            return self.emit((index, token, index + 1));
        }
        match token {
            Token::Semi | Token::Arrow => self.output.push((index, Token::ItemEnd, index + 1)),
            Token::RightBrace => {
                self.emit((index, token, index + 1));
                self.output.push((index + 1, Token::ItemEnd, index + 1));
            }
            _ => self.output.push((index, token, index + 1)),
        }
    }

    /// Whether a line that ends here ends a statement.
    fn line_ends_statement(&self) -> bool {
        self.in_sequence
            && self.parens == 0
            && match self.last {
                Some(
                    Token::Name(_)
                    | Token::Number(_)
                    | Token::RightBrace
                    | Token::RightParen
                    | Token::RightBracket
                    | Token::Od
                    | Token::Fi
                    | Token::Else
                    | Token::Break
                    | Token::EmbeddedC
                    | Token::PlusPlus
                    | Token::MinusMinus,
                ) => true,
                Some(Token::Timeout) => !self.last_inlined,
                _ => false,
            }
    }

    /// Adds a token to the output, with a semicolon before it where SPIN repairs one, or instead of one it drops. Of a
    /// row of separators every second one is dropped.
    fn emit(&mut self, spanned: Spanned) {
        let (index, token, _) = spanned;
        let replaced = std::mem::take(&mut self.replaced);
        match self.output.last() {
            Some(&(_, Token::Else, _)) if !matches!(token, Token::Semi | Token::Arrow | Token::Fi) => {
                self.output.push((index, Token::Semi, index));
            }
            Some(&(_, Token::RightBrace, _)) if !follows_brace(token) => {
                self.output.push((index, Token::Semi, index));
            }
            Some(&(_, Token::Semi | Token::Arrow, _))
                if !replaced && matches!(token, Token::RightBrace | Token::Semi | Token::Arrow) =>
            {
                self.output.pop();
                self.replaced = true;
            }
            _ => {}
        }
        self.output.push(spanned);
    }

    /// Keeps track of what is open.
    fn follow(&mut self, token: Token) {
        match token {
            Token::LeftParen => self.parens += 1,
            Token::RightParen => {
                self.parens = self.parens.saturating_sub(1);
                if self.for_head.is_some_and(|at| self.parens <= at) {
                    self.for_head = None;
                }
            }
            Token::For => self.for_head = Some(self.parens),
            Token::LeftBrace => {
                if self.braces == 0 {
                    match self.item.take() {
                        Some(Token::Ltl) => self.in_formula = true,
                        Some(_) => self.in_sequence = true,
                        None => {}
                    }
                }
                self.braces += 1;
                (self.parens, self.for_head) = (0, None);
            }
            Token::RightBrace => {
                self.braces = self.braces.saturating_sub(1);
                self.parens = 0;
                if self.braces == 0 {
                    (self.in_sequence, self.in_formula) = (false, false);
                }
            }
            Token::Semi | Token::ColonColon | Token::Fi | Token::Od if self.in_sequence => self.parens = 0,
            Token::Proctype
            | Token::DProctype
            | Token::Init
            | Token::Never
            | Token::Trace
            | Token::Notrace
            | Token::Typedef
            | Token::Ltl
                if self.braces == 0 =>
            {
                self.item = Some(token);
            }
            Token::Name(symbol) => match self.name_of {
                Some(Token::Typedef) => {
                    self.sources.declared.types.insert(symbol);
                }
                Some(Token::Proctype | Token::DProctype) => {
                    self.sources.declared.procs.insert(symbol);
                }
                _ => {}
            },
            _ => {}
        }
        self.name_of = Some(token);
    }

    /// What a raw token is to the grammar; `None` if it is reported and left out.
    fn classify(&mut self, raw: RawToken, index: u32) -> Option<Token> {
        let span = Span { start: index, end: index + 1 };
        match raw.kind {
            Raw::Name => Some(self.word(raw.symbol)),
            Raw::Number => Some(Token::Number(self.number(raw, span))),
            Raw::Char => Some(Token::Number(token::character(self.sources.slice(raw.origin.place)))),
            Raw::Arrow if self.in_formula => Some(Token::Implies),
            Raw::BadString => {
                self.report(&code::UNTERMINATED_STRING, "this string has no closing quote on its line", span);
                Some(Token::Str)
            }
            Raw::BadQuote => {
                self.report(&code::BAD_CHARACTER_CONSTANT, "this is not a character constant", span);
                Some(Token::Number(0))
            }
            Raw::BadComment => {
                self.report(&code::UNTERMINATED_COMMENT, "this comment is never closed", span);
                None
            }
            kind => {
                let sign = token::sign(kind);
                if sign.is_none() {
                    let text = self.sources.slice(raw.origin.place).escape_debug().to_string();
                    self.report(&code::UNKNOWN_CHARACTER, format!("`{text}` means nothing in Promela"), span);
                }
                sign
            }
        }
    }

    fn word(&self, symbol: Symbol) -> Token {
        if self.in_formula
            && let Some(&(_, token)) = self.ltl_words.iter().find(|(word, _)| *word == symbol)
        {
            return token;
        }
        match token::keyword(symbol) {
            Some(Token::In) if self.for_head.is_none() => Token::Name(symbol),
            Some(token) => token,
            None if self.sources.declared.types.contains(&symbol) => Token::TypeName(symbol),
            None if self.sources.declared.procs.contains(&symbol)
                || (self.in_formula && self.all_procs.contains(&symbol)) =>
            {
                Token::ProcName(symbol)
            }
            None => Token::Name(symbol),
        }
    }

    /// A number is cut to 32 bits, as SPIN does.
    fn number(&mut self, raw: RawToken, span: Span) -> i32 {
        let text = self.sources.slice(raw.origin.place);
        let value = text.parse::<i64>().unwrap_or(i64::MAX);
        let cut = value as i32;
        if i64::from(cut) != value {
            let message = format!("`{text}` does not fit in 32 bits");
            self.diagnostics.push(
                Diagnostic::warning(&code::NUMBER_TOO_LARGE, message)
                    .at(span, format!("read as {cut}"))
                    .note("Promela's widest type is a 32-bit `int`"),
            );
        }
        cut
    }

    fn report(&mut self, code: &'static crate::diagnostics::Code, message: impl Into<String>, span: Span) {
        self.diagnostics.push(Diagnostic::error(code, message).at(span, ""));
    }
}

/// Whether two tokens are the `*` and the `/` of a `*/`.
fn closes_comment(star: &RawToken, slash: &RawToken) -> bool {
    let (first, second) = (star.origin.place, slash.origin.place);
    (star.kind, slash.kind) == (Raw::Star, Raw::Slash) && first.file == second.file && first.end == second.start
}

/// Whether `}` can be followed by this without a semicolon between.
fn follows_brace(token: Token) -> bool {
    matches!(
        token,
        Token::ColonColon | Token::Fi | Token::Od | Token::RightBrace | Token::Unless | Token::Semi | Token::Arrow
    )
}
