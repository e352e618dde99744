//! Macros: their definitions, and their expansion by C's rules.
//!
//! An expansion is pushed as a [`Context`] and read before anything behind it, so that it is rescanned together with
//! the text that follows. While a macro's context is on the stack the macro is switched off, and a name met in that
//! time is *painted*: it is never expanded again (Prosser's algorithm, C99 6.10.3.4). Arguments are expanded on their
//! own, behind a barrier that reading does not cross.

use std::sync::Arc;

use super::{MAX_PRODUCED, Preprocessor};
use crate::diagnostics::{Diagnostic, syntax as code};
use crate::lexer::{RawToken, lex_from, stand_in};
use crate::source::{Expansion, ExpansionId, ExpansionKind, Origin, Place, Symbol};
use crate::token::Raw;

/// How deep macro calls may nest in the arguments of macro calls.
const MAX_ARGUMENT_DEPTH: usize = 200;

/// A `#define`.
#[derive(Debug)]
pub(super) struct Macro {
    name: RawToken,
    /// `None`: object-like. The last one may be `__VA_ARGS__`.
    params: Option<Vec<Symbol>>,
    variadic: bool,
    body: Vec<BodyToken>,
}

/// The macros that are defined, by symbol.
#[derive(Default, Debug)]
pub(crate) struct MacroTable(Vec<Option<Arc<Macro>>>);

impl MacroTable {
    fn get(&self, symbol: Symbol) -> Option<&Arc<Macro>> {
        self.0.get(symbol.0 as usize)?.as_ref()
    }

    fn set(&mut self, symbol: Symbol, value: Option<Arc<Macro>>) {
        let index = symbol.0 as usize;
        if self.0.len() <= index {
            self.0.resize(index + 1, None);
        }
        self.0[index] = value;
    }
}

/// A token of a macro's body and, if it is one, which parameter.
#[derive(Clone, Copy, Debug)]
struct BodyToken {
    token: RawToken,
    param: Option<usize>,
}

/// Tokens to be read before the file goes on.
pub(super) struct Context {
    tokens: Vec<RawToken>,
    at: usize,
    source: Option<Symbol>,
    barrier: bool,
}

/// What an argument is for a macro that uses it.
struct Argument {
    written: Vec<RawToken>,
    expanded: Option<Vec<RawToken>>,
}

impl Preprocessor<'_> {
    /// The next token with all macros expanded.
    pub(super) fn next(&mut self) -> RawToken {
        loop {
            let mut token = self.next_unexpanded();
            if token.kind != Raw::Name || token.painted || self.stopped {
                return token;
            }
            let Some(found) = self.lookup(token.symbol) else {
                match self.builtin_macro(token) {
                    Some(value) => return value,
                    None => return token,
                }
            };
            if self.off.contains(&token.symbol) {
                token.painted = true;
                return token;
            }
            if !self.enter(token, found) {
                return token;
            }
        }
    }

    /// The next token of the innermost context, or of the file.
    fn next_unexpanded(&mut self) -> RawToken {
        let mut token = loop {
            let Some(context) = self.contexts.last_mut() else {
                break self.next_written();
            };
            if let Some(&token) = context.tokens.get(context.at) {
                context.at += 1;
                break token;
            }
            if context.barrier {
                return RawToken::end();
            }
            self.pop_context();
        };
        if std::mem::take(&mut self.carry_break) {
            token.broken = true;
            token.space = true;
        }
        token
    }

    fn pop_context(&mut self) {
        if let Some(source) = self.contexts.pop().and_then(|context| context.source) {
            self.off.remove(&source);
        }
    }

    /// Expands tokens on their own.
    pub(super) fn expand_list(&mut self, tokens: Vec<RawToken>) -> Vec<RawToken> {
        let carried = std::mem::take(&mut self.carry_break);
        self.contexts.push(Context { tokens, at: 0, source: None, barrier: true });
        let depth = self.contexts.len();
        let mut output = Vec::new();
        while !self.stopped {
            let token = self.next();
            if token.kind == Raw::End {
                break;
            }
            output.push(token);
        }
        self.contexts.truncate(depth - 1);
        self.carry_break = carried;
        output
    }

    /// Whether the next token is an opening parenthesis, without reading it.
    fn call_follows(&self) -> bool {
        for context in self.contexts.iter().rev() {
            if let Some(token) = context.tokens.get(context.at) {
                return token.kind == Raw::LeftParen;
            }
            if context.barrier {
                return false;
            }
        }
        self.open.last().and_then(|file| file.tokens.get(file.at)).is_some_and(|token| token.kind == Raw::LeftParen)
    }

    /// Replaces a macro by its body; `false` if a function-like macro is named without being called.
    fn enter(&mut self, name: RawToken, found: Arc<Macro>) -> bool {
        let Some(params) = &found.params else {
            let expansion = self.add_call(name, name.origin.place);
            let tokens = self.substitute(&found, &mut [], expansion);
            self.install(name, tokens, &found);
            return true;
        };
        if !self.call_follows() {
            return false;
        }
        let Some((mut arguments, end, broken)) = self.arguments(name, params.len(), found.variadic) else {
            return true;
        };
        if broken {
            self.break_before_next();
        }
        let (given, wanted) = (arguments.len(), params.len());
        let empty_call = given == 1 && wanted == 0 && arguments[0].written.is_empty();
        if found.variadic && given + 1 == wanted {
            arguments.push(Argument { written: Vec::new(), expanded: None });
        } else if given != wanted && !empty_call {
            self.wrong_argument_count(name, &found, given);
            return true;
        }
        let copied = arguments.iter().map(|argument| argument.written.len()).sum();
        if !self.spend(copied, name, &found) {
            return true;
        }
        if self.argument_depth >= MAX_ARGUMENT_DEPTH {
            self.stopped = true;
            self.error(&code::MACRO_NESTING, "macro calls are nested too deeply in arguments", name);
            return true;
        }
        self.argument_depth += 1;
        let start = name.origin.place;
        let call =
            if end.file == start.file && end.end > start.start { Place { end: end.end, ..start } } else { start };
        let expansion = self.add_call(name, call);
        let tokens = self.substitute(&found, &mut arguments, expansion);
        self.argument_depth -= 1;
        self.install(name, tokens, &found);
        true
    }

    /// The line broke inside a call: the token behind the call starts a new line, as in cpp's output.
    fn break_before_next(&mut self) {
        if let Some(file) = self.open.last_mut()
            && let Some(token) = file.tokens.get_mut(file.at)
        {
            token.broken = true;
            token.space = true;
        }
    }

    fn add_call(&mut self, name: RawToken, call: Place) -> ExpansionId {
        self.sources.add_expansion(Expansion {
            kind: ExpansionKind::Macro,
            name: name.symbol,
            call,
            parent: name.origin.expansion,
            origin: ExpansionId::NONE,
        })
    }

    /// Puts an expansion in the place of the name: its first token stands in the line where the name stood.
    fn install(&mut self, name: RawToken, mut tokens: Vec<RawToken>, source: &Macro) {
        if !self.spend(tokens.len(), name, source) {
            return;
        }
        match tokens.first_mut() {
            Some(first) => {
                first.broken = name.broken;
                first.space = name.space;
            }
            None => self.carry_break |= name.broken,
        }
        self.off.insert(name.symbol);
        self.contexts.push(Context { tokens, at: 0, source: Some(name.symbol), barrier: false });
    }

    /// Counts tokens that expansion makes or moves; `false` (and a diagnostic) when there are too many.
    fn spend(&mut self, tokens: usize, name: RawToken, source: &Macro) -> bool {
        self.produced += tokens;
        if self.produced > MAX_PRODUCED && !self.stopped {
            self.stopped = true;
            let text = self.sources.name(name.symbol).clone();
            let (used, defined) = (self.sources.aside(name.origin), self.sources.aside(source.name.origin));
            self.diagnostics.push(
                Diagnostic::error(&code::EXPANSION_TOO_LARGE, format!("the expansion of `{text}` is too large"))
                    .at(used, "while expanding this")
                    .because(defined, "defined here")
                    .note(format!("macros may produce {MAX_PRODUCED} tokens in all")),
            );
        }
        !self.stopped
    }

    /// Reads the arguments of a call, the opening parenthesis included, and says where it ends and whether the line
    /// breaks in it; `None` (and a diagnostic) if it never ends.
    fn arguments(&mut self, name: RawToken, params: usize, variadic: bool) -> Option<(Vec<Argument>, Place, bool)> {
        let mut broken = self.next_unexpanded().broken;
        let mut arguments = vec![Argument { written: Vec::new(), expanded: None }];
        let mut depth = 0usize;
        loop {
            let mut token = self.next_unexpanded();
            broken |= token.broken;
            token.space |= token.broken;
            token.broken = false;
            token.line_start = false;
            match token.kind {
                Raw::End => {
                    self.error(&code::UNFINISHED_CALL, "this macro call has no closing parenthesis", name);
                    return None;
                }
                Raw::LeftParen => depth += 1,
                Raw::RightParen if depth == 0 => {
                    return Some((arguments, token.origin.place, broken));
                }
                Raw::RightParen => depth -= 1,
                Raw::Comma if depth == 0 && !(variadic && arguments.len() == params) => {
                    arguments.push(Argument { written: Vec::new(), expanded: None });
                    continue;
                }
                // A name that is switched off here must stay so in the expansion.
                Raw::Name if self.off.contains(&token.symbol) => token.painted = true,
                _ => {}
            }
            if let Some(argument) = arguments.last_mut() {
                argument.written.push(token);
            }
        }
    }

    fn wrong_argument_count(&mut self, name: RawToken, found: &Macro, given: usize) {
        let text = self.sources.name(name.symbol).clone();
        let wanted = found.params.as_ref().map_or(0, Vec::len);
        let (used, defined) = (self.sources.aside(name.origin), self.sources.aside(found.name.origin));
        self.diagnostics.push(
            Diagnostic::error(
                &code::MACRO_ARGUMENTS,
                format!("`{text}` takes {} and not {given}", super::counted(wanted, "argument")),
            )
            .at(used, "called here")
            .because(defined, "defined here"),
        );
    }

    /// The body with parameters replaced, `#` and `##` done.
    fn substitute(&mut self, found: &Macro, arguments: &mut [Argument], expansion: ExpansionId) -> Vec<RawToken> {
        let mut output: Vec<RawToken> = Vec::with_capacity(found.body.len());
        let (mut pasting, mut last_was_empty) = (false, false);
        let mut at = 0;
        while let Some(&BodyToken { token, param }) = found.body.get(at) {
            if self.produced + output.len() > MAX_PRODUCED {
                break;
            }
            let mut here = RawToken { origin: Origin { expansion, ..token.origin }, ..token };
            let next_is_paste = |at: usize| found.body.get(at + 1).is_some_and(|b| b.token.kind == Raw::HashHash);
            let stringified = (token.kind == Raw::Hash && found.params.is_some())
                .then(|| found.body.get(at + 1).and_then(|b| b.param))
                .flatten();
            let piece = if let Some(param) = stringified {
                at += 1;
                let written = arguments.get(param).map_or(&[][..], |a| &a.written);
                let text = self.stringify(written);
                // A quote that closes nothing would end the string early.
                let is_bad = written.iter().any(|token| token.kind == Raw::BadString);
                here.kind = if is_bad { Raw::BadString } else { Raw::String };
                here.origin.place = self.sources.add_scratch(&text);
                vec![here]
            } else if let Some(param) = param {
                let raw = pasting || next_is_paste(at);
                let tokens = self.argument(arguments, param, raw);
                stand_in(self.sources, &tokens, here, expansion)
            } else {
                vec![here]
            };
            let empty = piece.is_empty();
            let variadic_comma = found.variadic
                && param.is_some_and(|p| p + 1 == arguments.len())
                && output.last().is_some_and(|t| t.kind == Raw::Comma);
            match (pasting, output.last().copied(), piece.first().copied()) {
                (true, Some(_), None) if variadic_comma => {
                    output.pop();
                }
                (true, Some(left), Some(right)) if !last_was_empty && !variadic_comma => {
                    output.pop();
                    let joined = self.paste(left, right);
                    output.extend(joined);
                    output.extend_from_slice(&piece[1..]);
                }
                _ => output.extend(piece),
            }
            // Joined with something, nothing leaves that thing there to be joined again.
            last_was_empty = empty && (last_was_empty || !pasting);
            pasting = next_is_paste(at);
            at += if pasting { 2 } else { 1 };
        }
        output
    }

    /// The tokens of an argument: as written (for `#` and `##`) or expanded.
    fn argument(&mut self, arguments: &mut [Argument], param: usize, raw: bool) -> Vec<RawToken> {
        let Some(argument) = arguments.get_mut(param) else {
            return Vec::new();
        };
        if raw {
            return argument.written.clone();
        }
        if argument.expanded.is_none() {
            let written = argument.written.clone();
            argument.expanded = Some(self.expand_list(written));
        }
        argument.expanded.clone().unwrap_or_default()
    }

    /// `#`: the spelling of an argument as a string.
    fn stringify(&self, tokens: &[RawToken]) -> String {
        let mut text = String::from("\"");
        for (index, token) in tokens.iter().enumerate() {
            if index > 0 && token.space {
                text.push(' ');
            }
            let spelling = self.sources.slice(token.origin.place);
            if matches!(token.kind, Raw::String | Raw::Char) {
                text.push_str(&spelling.replace('\\', "\\\\").replace('"', "\\\""));
            } else {
                text.push_str(spelling);
            }
        }
        text.push('"');
        text
    }

    /// `##`: two tokens as one. C's numbers may have letters in them (`2x`), which Promela reads as a number and a name.
    fn paste(&mut self, left: RawToken, right: RawToken) -> Vec<RawToken> {
        let text = format!("{}{}", self.sources.slice(left.origin.place), self.sources.slice(right.origin.place));
        let place = self.sources.add_scratch(&text);
        let mut tokens = lex_from(self.sources, place.file, place.start);
        tokens.pop();
        let number =
            text.starts_with(|c: char| c.is_ascii_digit()) && tokens.iter().skip(1).all(|t| t.kind == Raw::Name);
        if tokens.len() != 1 && !number {
            self.error(&code::BAD_PASTE, format!("`##` makes `{text}`, which is not one token"), right);
            return vec![left];
        }
        let expansion = left.origin.expansion;
        for (index, token) in tokens.iter_mut().enumerate() {
            token.origin.expansion = expansion;
            token.painted = index > 0;
            (token.line_start, token.broken, token.space) = (false, false, index == 0 && left.space);
        }
        tokens
    }

    /// `__LINE__` and `__FILE__`.
    fn builtin_macro(&mut self, token: RawToken) -> Option<RawToken> {
        let (kind, text) = if token.symbol == self.builtin.line {
            let place = self.sources.outermost_place(token.origin);
            (Raw::Number, self.sources.location(place).line.to_string())
        } else if token.symbol == self.builtin.file {
            let place = self.sources.outermost_place(token.origin);
            (Raw::String, format!("\"{}\"", self.sources.location(place).file))
        } else {
            return None;
        };
        let place = self.sources.add_scratch(&text);
        Some(RawToken { kind, origin: Origin { place, ..token.origin }, ..token })
    }

    fn lookup(&self, symbol: Symbol) -> Option<Arc<Macro>> {
        self.sources.macros.get(symbol).cloned()
    }

    /// Whether `#ifdef` finds a name.
    pub(super) fn is_defined(&self, symbol: Symbol) -> bool {
        self.lookup(symbol).is_some() || symbol == self.builtin.line || symbol == self.builtin.file
    }

    /// `#define`.
    pub(super) fn define(&mut self, word: RawToken, rest: &[RawToken]) {
        let Some((&name, mut rest)) = rest.split_first().filter(|(name, _)| name.kind == Raw::Name) else {
            return self.error(&code::MALFORMED_DEFINE, "`#define` needs a name", word);
        };
        let mut params = None;
        let mut variadic = false;
        if let Some((open, behind)) = rest.split_first()
            && open.kind == Raw::LeftParen
            && !open.space
        {
            let Some((list, dots, behind)) = self.parameters(*open, behind) else {
                return;
            };
            (params, variadic, rest) = (Some(list), dots, behind);
        }
        let body: Vec<BodyToken> = rest
            .iter()
            .map(|&token| {
                let param = params
                    .as_ref()
                    .filter(|_| token.kind == Raw::Name)
                    .and_then(|list| list.iter().position(|&p| p == token.symbol));
                // A comment may break the line; a macro has only one.
                BodyToken { token: RawToken { broken: false, ..token }, param }
            })
            .collect();
        if let (Some(first), Some(last)) = (body.first(), body.last())
            && let Some(bad) = [first, last].into_iter().find(|b| b.token.kind == Raw::HashHash)
        {
            return self.error(&code::PASTE_AT_END, "`##` cannot stand at an end of a macro's body", bad.token);
        }
        if params.is_some() {
            for (index, b) in body.iter().enumerate() {
                if b.token.kind == Raw::Hash && body.get(index + 1).is_none_or(|next| next.param.is_none()) {
                    let message = "`#` must stand in front of a parameter of the macro";
                    return self.error(&code::HASH_WITHOUT_PARAMETER, message, b.token);
                }
            }
        }
        let new = Macro { name, params, variadic, body };
        if let Some(old) = self.lookup(name.symbol)
            && !self.same_macro(&old, &new)
        {
            let text = self.sources.name(name.symbol).clone();
            let (again, first) = (self.sources.aside(name.origin), self.sources.aside(old.name.origin));
            self.diagnostics.push(
                Diagnostic::warning(&code::MACRO_REDEFINED, format!("`{text}` is defined again, differently"))
                    .at(again, "this definition is used from here on")
                    .because(first, "first defined here"),
            );
        }
        self.sources.macros.set(name.symbol, Some(Arc::new(new)));
    }

    /// The parameters behind the parenthesis of a `#define`, whether they end in `...`, and what follows.
    fn parameters<'t>(&mut self, open: RawToken, rest: &'t [RawToken]) -> Option<(Vec<Symbol>, bool, &'t [RawToken])> {
        let mut params: Vec<Symbol> = Vec::new();
        let mut at = 0;
        if rest.first().is_some_and(|t| t.kind == Raw::RightParen) {
            return Some((params, false, &rest[1..]));
        }
        loop {
            match rest.get(at) {
                Some(t) if t.kind == Raw::Name => {
                    if params.contains(&t.symbol) {
                        self.error(&code::DUPLICATE_PARAMETER, "a parameter of a macro is named twice", *t);
                        return None;
                    }
                    params.push(t.symbol);
                }
                Some(t) if t.kind == Raw::Ellipsis => {
                    params.push(self.builtin.va_args);
                    if rest.get(at + 1).is_some_and(|t| t.kind == Raw::RightParen) {
                        return Some((params, true, &rest[at + 2..]));
                    }
                    break;
                }
                _ => break,
            }
            match rest.get(at + 1).map(|t| t.kind) {
                Some(Raw::Comma) => at += 2,
                Some(Raw::RightParen) => return Some((params, false, &rest[at + 2..])),
                _ => break,
            }
        }
        let message = "the parameters of a macro are names with commas between them, in parentheses";
        self.error(&code::MALFORMED_DEFINE, message, rest.get(at).copied().unwrap_or(open));
        None
    }

    fn same_macro(&self, a: &Macro, b: &Macro) -> bool {
        let spelling =
            |m: &Macro| -> Vec<&str> { m.body.iter().map(|t| self.sources.slice(t.token.origin.place)).collect() };
        a.params == b.params && a.variadic == b.variadic && spelling(a) == spelling(b)
    }

    /// `#undef`.
    pub(super) fn undef(&mut self, word: RawToken, rest: &[RawToken]) {
        match rest.first() {
            Some(name) if name.kind == Raw::Name => {
                self.sources.macros.set(name.symbol, None);
            }
            _ => self.error(&code::MALFORMED_DIRECTIVE, "`#undef` needs the name of a macro", word),
        }
    }
}
