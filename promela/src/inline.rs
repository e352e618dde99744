//! `inline`: definitions are taken out of the token stream, calls are replaced by the body in braces.
//!
//! SPIN substitutes text, and so do we: an argument is a list of tokens, names are captured, `return e` becomes an
//! assignment to the left-hand side of the call `v = f(…)`. Each substituted token has an [`Expansion`] as its parent that
//! names the inline and its call. A call may stand only where a statement may. Embedded C is folded into one token
//! here, too, since its text is neither searched for calls nor understood otherwise.
//!
//! Bodies are pushed on a stack of frames, so that nesting costs no recursion; an inline whose frame is on the stack
//! cannot be called again.

use std::rc::Rc;

use fxhash::FxHashMap;

use crate::diagnostics::{Diagnostic, syntax as code};
use crate::lexer::{RawToken, stand_in};
use crate::preprocess::{MAX_PRODUCED, counted};
use crate::source::{Expansion, ExpansionId, ExpansionKind, Origin, Place, Sources, Symbol};
use crate::token::{Raw, Token, keyword};

/// Replaces all inlines in a stream of tokens.
pub(crate) fn expand(sources: &mut Sources, diagnostics: &mut Vec<Diagnostic>, tokens: Vec<RawToken>) -> Vec<RawToken> {
    let output = Vec::with_capacity(tokens.len());
    let bottom = Frame { tokens: tokens.into(), at: 0, inline: None, result: Vec::new() };
    let mut inliner = Inliner {
        sources,
        diagnostics,
        inlines: FxHashMap::default(),
        frames: vec![bottom],
        output,
        braces: 0,
        produced: 0,
        stopped: false,
    };
    inliner.run();
    inliner.sources.inlines = inliner.inlines.keys().copied().collect();
    // What is left of a text that grew beyond all bounds is not worth parsing.
    if inliner.stopped { Vec::new() } else { inliner.output }
}

struct Inliner<'a> {
    sources: &'a mut Sources,
    diagnostics: &'a mut Vec<Diagnostic>,
    inlines: FxHashMap<Symbol, Rc<Inline>>,
    frames: Vec<Frame>,
    output: Vec<RawToken>,
    /// How many braces are open at the bottom.
    braces: usize,
    produced: usize,
    stopped: bool,
}

struct Inline {
    name: RawToken,
    params: Vec<Symbol>,
    /// With its braces.
    body: Vec<RawToken>,
}

/// Tokens being read: the file at the bottom, bodies of inlines above.
struct Frame {
    tokens: Rc<[RawToken]>,
    at: usize,
    inline: Option<Symbol>,
    /// What `return` stands for: `v =`.
    result: Vec<RawToken>,
}

impl Inliner<'_> {
    fn run(&mut self) {
        while let Some(frame) = self.frames.last_mut() {
            let Some(&token) = frame.tokens.get(frame.at) else {
                self.frames.pop();
                continue;
            };
            frame.at += 1;
            match token.kind {
                Raw::Name => self.name(token),
                kind => {
                    if self.frames.len() == 1 {
                        match kind {
                            Raw::LeftBrace => self.braces += 1,
                            Raw::RightBrace => self.braces = self.braces.saturating_sub(1),
                            _ => {}
                        }
                    }
                    self.output.push(token);
                }
            }
        }
    }

    fn name(&mut self, token: RawToken) {
        match keyword(token.symbol) {
            Some(Token::Inline) => self.define(token),
            Some(Token::Return) => self.return_statement(token),
            Some(Token::CCode | Token::CDecl | Token::CExpr) => self.embedded_c(token),
            Some(_) => self.output.push(token),
            None => match self.inlines.get(&token.symbol).cloned() {
                Some(inline) if !self.stopped => self.call(token, &inline),
                _ => self.output.push(token),
            },
        }
    }

    fn peek(&self) -> Option<RawToken> {
        let frame = self.frames.last()?;
        frame.tokens.get(frame.at).copied()
    }

    fn take(&mut self) -> Option<RawToken> {
        let frame = self.frames.last_mut()?;
        let token = frame.tokens.get(frame.at).copied();
        frame.at += usize::from(token.is_some());
        token
    }

    fn take_if(&mut self, kind: Raw) -> Option<RawToken> {
        if self.peek()?.kind == kind { self.take() } else { None }
    }

    fn define(&mut self, word: RawToken) {
        if self.frames.len() > 1 || self.braces > 0 {
            let message = "an inline cannot be defined inside a process, a claim or another inline";
            self.error(&code::INLINE_INSIDE, message, word);
        }
        let Some(name) = self.take_if(Raw::Name) else {
            return self.error(&code::INLINE_FORM, "`inline` needs a name", word);
        };
        if keyword(name.symbol).is_some() {
            let text = self.sources.name(name.symbol).clone();
            self.error(&code::INLINE_FORM, format!("`{text}` is a reserved word and cannot name an inline"), name);
        }
        let Some(params) = self.parameters() else {
            let at = self.peek().unwrap_or(name);
            let message = "expected the parameters of the inline: names with commas between them, in parentheses";
            self.error(&code::INLINE_FORM, message, at);
            return self.skip_body();
        };
        let Some(open) = self.take_if(Raw::LeftBrace) else {
            let at = self.peek().unwrap_or(name);
            return self.error(&code::INLINE_FORM, "expected `{` and the body of the inline", at);
        };
        let Some(rest) = self.balanced(Raw::LeftBrace, Raw::RightBrace) else {
            self.skip_all();
            return self.error(&code::INLINE_UNFINISHED, "the body of this inline has no closing brace", open);
        };
        let body = std::iter::once(open).chain(rest).collect();
        let inline = Inline { name, params, body };
        if let Some(first) = self.inlines.insert(name.symbol, Rc::new(inline)) {
            let text = self.sources.name(name.symbol).clone();
            let (again, first) = (self.sources.aside(name.origin), self.sources.aside(first.name.origin));
            self.diagnostics.push(
                Diagnostic::error(&code::INLINE_REDEFINED, format!("the inline `{text}` is defined twice"))
                    .at(again, "defined again here")
                    .because(first, "first defined here"),
            );
        }
    }

    /// Passes over what is left of a definition that was reported.
    fn skip_body(&mut self) {
        while self.peek().is_some_and(|token| token.kind != Raw::LeftBrace) {
            self.take();
        }
        if self.take().is_some() && self.balanced(Raw::LeftBrace, Raw::RightBrace).is_none() {
            self.skip_all();
        }
    }

    /// Passes over everything.
    fn skip_all(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.at = frame.tokens.len();
        }
    }

    fn parameters(&mut self) -> Option<Vec<Symbol>> {
        self.take_if(Raw::LeftParen)?;
        let mut params = Vec::new();
        if self.take_if(Raw::RightParen).is_some() {
            return Some(params);
        }
        loop {
            let name = self.peek().filter(|t| t.kind == Raw::Name && keyword(t.symbol).is_none())?;
            self.take();
            params.push(name.symbol);
            if self.take_if(Raw::Comma).is_none() {
                return self.take_if(Raw::RightParen).map(|_| params);
            }
        }
    }

    /// The tokens up to and with the sign that closes one that has been taken; `None` (and nothing taken) if it never
    /// comes.
    fn balanced(&mut self, open: Raw, close: Raw) -> Option<Vec<RawToken>> {
        let frame = self.frames.last_mut()?;
        let mut depth = 1usize;
        for (index, token) in frame.tokens.get(frame.at..)?.iter().enumerate() {
            if token.kind == open {
                depth += 1;
            } else if token.kind == close {
                depth -= 1;
            }
            if depth == 0 {
                let taken = frame.tokens[frame.at..=frame.at + index].to_vec();
                frame.at += index + 1;
                return Some(taken);
            }
        }
        None
    }

    fn call(&mut self, name: RawToken, inline: &Rc<Inline>) {
        let text = self.sources.name(name.symbol).clone();
        let Some(_open) = self.take_if(Raw::LeftParen) else {
            let span = self.sources.aside(name.origin);
            let defined = self.sources.aside(inline.name.origin);
            self.diagnostics.push(
                Diagnostic::error(&code::INLINE_AS_NAME, format!("`{text}` is an inline and can only be called"))
                    .at(span, "")
                    .because(defined, "defined here"),
            );
            return self.output.push(name);
        };
        let Some(mut inside) = self.balanced(Raw::LeftParen, Raw::RightParen) else {
            return self.error(&code::INLINE_UNFINISHED, format!("this call of `{text}` has no closing `)`"), name);
        };
        let close = inside.pop();
        let Some(result) = self.statement_starts(name) else {
            let span = self.sources.aside(name.origin);
            self.diagnostics.push(
                Diagnostic::error(
                    &code::INLINE_IN_EXPRESSION,
                    format!("the inline `{text}` is called in an expression"),
                )
                .at(span, "a statement can start with this call, or it can be `v = f(…)`")
                .note("an inline stands for statements, not for a value; use `#define` for an expression"),
            );
            return self.output.push(RawToken { kind: Raw::Placeholder, ..name });
        };
        if self.frames.iter().any(|frame| frame.inline == Some(name.symbol)) {
            let (span, defined) = (self.sources.aside(name.origin), self.sources.aside(inline.name.origin));
            self.diagnostics.push(
                Diagnostic::error(&code::INLINE_RECURSIVE, format!("the inline `{text}` calls itself"))
                    .at(span, "called here, inside its own expansion")
                    .because(defined, "defined here")
                    .note("an inline is replaced by its body; use a process or a loop for recursion"),
            );
            return self.output.push(RawToken { kind: Raw::Placeholder, ..name });
        }
        let arguments = split_arguments(&inside);
        if arguments.len() != inline.params.len() || arguments.iter().any(|a| a.is_empty()) {
            let (given, wanted) = (arguments.len(), inline.params.len());
            let (span, defined) = (self.sources.aside(name.origin), self.sources.aside(inline.name.origin));
            let message = if given == wanted {
                format!("an argument of `{text}` is empty")
            } else {
                format!("the inline `{text}` takes {} and not {given}", counted(wanted, "argument"))
            };
            self.diagnostics.push(
                Diagnostic::error(&code::INLINE_ARGUMENTS, message)
                    .at(span, "called here")
                    .because(defined, "defined here"),
            );
            return self.output.push(RawToken { kind: Raw::Placeholder, ..name });
        }
        if let Some(&odd) = inside.iter().find(|token| !in_expression(token)) {
            let word = self.sources.slice(odd.origin.place).to_owned();
            let message = format!("`{word}` cannot stand in an argument of the inline `{text}`");
            let (span, defined) = (self.sources.aside(odd.origin), self.sources.aside(inline.name.origin));
            self.diagnostics.push(
                Diagnostic::error(&code::INLINE_ARGUMENT_FORM, message)
                    .at(span, "arguments are expressions")
                    .because(defined, "defined here"),
            );
            return self.output.push(RawToken { kind: Raw::Placeholder, ..name });
        }
        let call = match close {
            Some(close) if close.origin.place.file == name.origin.place.file => {
                let end = close.origin.place.end.max(name.origin.place.end);
                Place { end, ..name.origin.place }
            }
            _ => name.origin.place,
        };
        let expansion = self.sources.add_expansion(Expansion {
            kind: ExpansionKind::Inline,
            name: name.symbol,
            call,
            parent: name.origin.expansion,
            origin: ExpansionId::NONE,
        });
        let mut tokens = self.substitute(inline, &arguments, expansion);
        if let Some(first) = tokens.first_mut() {
            first.broken = result.first().map_or(name.broken, |token| token.broken);
        }
        self.produced += tokens.len();
        if self.produced > MAX_PRODUCED {
            self.stopped = true;
            let message = format!("the expansion of the inline `{text}` is too large");
            return self.error(&code::EXPANSION_TOO_LARGE, message, name);
        }
        self.frames.push(Frame { tokens: tokens.into(), at: 0, inline: Some(name.symbol), result });
    }

    /// The body with arguments for parameters.
    fn substitute(&mut self, inline: &Inline, arguments: &[&[RawToken]], expansion: ExpansionId) -> Vec<RawToken> {
        let mut moved = FxHashMap::default();
        let mut output = Vec::with_capacity(inline.body.len());
        for &token in &inline.body {
            let frame = self.below(token.origin.expansion, expansion, &mut moved);
            let param =
                if token.kind == Raw::Name { inline.params.iter().position(|&p| p == token.symbol) } else { None };
            let Some(argument) = param.and_then(|p| arguments.get(p)) else {
                output.push(RawToken { origin: Origin { expansion: frame, ..token.origin }, ..token });
                continue;
            };
            output.extend(stand_in(self.sources, argument, token, frame));
        }
        for token in &mut output {
            token.inlined = true;
        }
        output
    }

    /// The chain of macros `id`, which a token of a body came through, as children of a call of the inline.
    fn below(
        &mut self,
        id: ExpansionId,
        root: ExpansionId,
        moved: &mut FxHashMap<ExpansionId, ExpansionId>,
    ) -> ExpansionId {
        let mut chain = Vec::new();
        let mut current = id;
        let mut parent = loop {
            if let Some(&done) = moved.get(&current) {
                break done;
            }
            let Some(&expansion) = self.sources.expansion(current) else {
                break root;
            };
            chain.push((current, expansion));
            current = expansion.parent;
        };
        for (old, expansion) in chain.into_iter().rev() {
            parent = self.sources.add_expansion(Expansion { parent, ..expansion });
            moved.insert(old, parent);
        }
        parent
    }

    /// If a statement may start at a call: the `v =` before it (taken off the output again), or nothing.
    fn statement_starts(&mut self, call: RawToken) -> Option<Vec<RawToken>> {
        let Some(before) = self.output.last() else {
            return Some(Vec::new());
        };
        match before.kind {
            Raw::Assign => {
                let start = reference_start(&self.output[..self.output.len() - 1])?;
                Some(self.output.split_off(start))
            }
            Raw::Semi | Raw::Arrow | Raw::LeftBrace | Raw::RightBrace | Raw::Colon | Raw::ColonColon => {
                Some(Vec::new())
            }
            Raw::Name if matches!(keyword(before.symbol), Some(Token::Else | Token::Unless)) => Some(Vec::new()),
            _ if call.broken => Some(Vec::new()),
            _ => None,
        }
    }

    fn return_statement(&mut self, word: RawToken) {
        let result = self.frames.last().map(|frame| frame.result.clone()).unwrap_or_default();
        if result.is_empty() {
            let message = if self.frames.len() > 1 {
                "`return` in an inline whose value is not assigned"
            } else {
                "`return` outside of an inline"
            };
            let span = self.sources.aside(word.origin);
            self.diagnostics.push(
                Diagnostic::error(&code::STRAY_RETURN, message)
                    .at(span, "")
                    .note("`return e` is for an inline that is called as `v = f(…)`"),
            );
            return;
        }
        let assignment = stand_in(self.sources, &result, word, word.origin.expansion);
        self.output.extend(assignment);
    }

    /// Folds `c_code [condition] { text }` into one token.
    fn embedded_c(&mut self, word: RawToken) {
        let mut last = word;
        if let Some(open) = self.take_if(Raw::LeftBracket) {
            last = self.balanced(Raw::LeftBracket, Raw::RightBracket).and_then(|t| t.last().copied()).unwrap_or(open);
        }
        if let Some(open) = self.take_if(Raw::LeftBrace) {
            match self.balanced(Raw::LeftBrace, Raw::RightBrace).and_then(|t| t.last().copied()) {
                Some(close) => last = close,
                None => {
                    self.skip_all();
                    self.error(&code::C_UNFINISHED, "this block of C has no closing brace", open);
                    last = open;
                }
            }
        }
        let (from, to) = (word.origin.place, last.origin.place);
        let end = if from.file == to.file { to.end.max(from.end) } else { from.end };
        let origin = Origin { place: Place { end, ..from }, ..word.origin };
        self.output.push(RawToken { kind: Raw::EmbeddedC, origin, ..word });
    }

    fn error(&mut self, code: &'static crate::diagnostics::Code, message: impl Into<String>, at: RawToken) {
        let span = self.sources.aside(at.origin);
        self.diagnostics.push(Diagnostic::error(code, message).at(span, ""));
    }
}

/// Whether a token can be part of an expression.
fn in_expression(token: &RawToken) -> bool {
    match token.kind {
        Raw::String | Raw::Semi | Raw::LeftBrace | Raw::RightBrace | Raw::ColonColon | Raw::Assign => false,
        Raw::Name => matches!(
            keyword(token.symbol),
            None | Some(
                Token::Number(_)
                    | Token::Run
                    | Token::Priority
                    | Token::Len
                    | Token::Enabled
                    | Token::GetPriority
                    | Token::PcValue
                    | Token::Timeout
                    | Token::NonProgress
                    | Token::Eval
                    | Token::In
                    | Token::CExpr
            )
        ),
        _ => true,
    }
}

/// The arguments between the parentheses of a call.
fn split_arguments(inside: &[RawToken]) -> Vec<&[RawToken]> {
    if inside.is_empty() {
        return Vec::new();
    }
    let mut depth = 0usize;
    inside
        .split(|token| {
            match token.kind {
                Raw::LeftParen | Raw::LeftBracket | Raw::LeftBrace => depth += 1,
                Raw::RightParen | Raw::RightBracket | Raw::RightBrace => depth = depth.saturating_sub(1),
                _ => {}
            }
            token.kind == Raw::Comma && depth == 0
        })
        .collect()
}

/// Where the variable reference that ends a list of tokens starts.
fn reference_start(tokens: &[RawToken]) -> Option<usize> {
    let mut at = tokens.len();
    loop {
        at = at.checked_sub(1)?;
        if tokens[at].kind == Raw::RightBracket {
            let mut depth = 1usize;
            while depth > 0 {
                at = at.checked_sub(1)?;
                match tokens[at].kind {
                    Raw::RightBracket => depth += 1,
                    Raw::LeftBracket => depth -= 1,
                    _ => {}
                }
            }
            at = at.checked_sub(1)?;
        }
        if tokens[at].kind != Raw::Name {
            return None;
        }
        match at.checked_sub(1).map(|before| tokens[before].kind) {
            Some(Raw::Dot) => at -= 1,
            _ => return Some(at),
        }
    }
}
