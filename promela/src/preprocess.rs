//! The C preprocessor, on tokens: files and directives in, one stream of tokens out.
//!
//! SPIN runs `cpp` on a model; psw does the same work itself, so that each token keeps where it was written and the
//! macros it came through. Directives are obeyed while tokens are fetched, so that a macro call may span them as it
//! may in C. Expansion is in `preprocess/expand.rs`, the conditions of `#if` in `preprocess/condition.rs`.
//!
//! Bounds: files include each other at most [`MAX_INCLUDE_DEPTH`] deep and [`MAX_INCLUDES`] times in all, they have at most
//! [`MAX_SOURCE_BYTES`] bytes together, and expansion makes at most [`MAX_PRODUCED`] tokens.

mod condition;
mod expand;
#[cfg(test)]
mod tests;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use fxhash::FxHashSet;

use crate::diagnostics::{Diagnostic, syntax as code};
use crate::lexer::{RawToken, lex};
use crate::source::{FileId, Origin, Place, Sources, Span, Symbol};
use crate::token::Raw;
use crate::{Files, Options};
use expand::Context;
pub(crate) use expand::MacroTable;

/// How deep `#include`s may nest (as in gcc).
pub(crate) const MAX_INCLUDE_DEPTH: usize = 200;
/// How many files may be included in all.
pub(crate) const MAX_INCLUDES: usize = 5_000;
/// How many tokens macros and inlines may produce in all.
pub(crate) const MAX_PRODUCED: usize = 4_000_000;
/// How many bytes a model may have, with all it includes.
pub const MAX_SOURCE_BYTES: usize = 16 << 20;

/// The preprocessor and its tables.
pub(crate) struct Preprocessor<'a> {
    pub(crate) sources: &'a mut Sources,
    pub(crate) diagnostics: &'a mut Vec<Diagnostic>,
    files: &'a dyn Files,
    options: &'a Options,
    /// Macros whose expansion is being read, by symbol.
    off: FxHashSet<Symbol>,
    builtin: Builtin,
    open: Vec<OpenFile>,
    contexts: Vec<Context>,
    /// A line break before tokens that vanished, to be seen on the next one.
    carry_break: bool,
    argument_depth: usize,
    produced: usize,
    included: usize,
    /// Bytes of all files so far.
    read: usize,
    /// A limit was hit: no further macro is expanded and no further file included.
    stopped: bool,
}

/// Names with a meaning of their own.
struct Builtin {
    line: Symbol,
    file: Symbol,
    defined: Symbol,
    va_args: Symbol,
}

/// A file that is being read.
struct OpenFile {
    tokens: Vec<RawToken>,
    at: usize,
    path: PathBuf,
    conditions: Vec<Condition>,
}

/// An `#if` whose `#endif` has not come yet.
struct Condition {
    place: Place,
    /// Some branch was taken already.
    taken: bool,
    /// The present branch is read.
    active: bool,
    seen_else: bool,
}

impl<'a> Preprocessor<'a> {
    pub(crate) fn new(
        sources: &'a mut Sources,
        diagnostics: &'a mut Vec<Diagnostic>,
        files: &'a dyn Files,
        options: &'a Options,
    ) -> Self {
        let builtin = Builtin {
            line: sources.intern("__LINE__"),
            file: sources.intern("__FILE__"),
            defined: sources.intern("defined"),
            va_args: sources.intern("__VA_ARGS__"),
        };
        Self {
            sources,
            diagnostics,
            files,
            options,
            off: FxHashSet::default(),
            builtin,
            open: Vec::new(),
            contexts: Vec::new(),
            carry_break: false,
            argument_depth: 0,
            produced: 0,
            included: 0,
            read: 0,
            stopped: false,
        }
    }

    /// Preprocesses a model: the definitions of the command line, then the file.
    pub(crate) fn run(&mut self, path: &Path) -> Vec<RawToken> {
        self.define_options();
        match self.files.read(path) {
            Ok(bytes) => self.open_file(path.to_path_buf(), bytes, None),
            Err(error) if error.kind() == ErrorKind::FileTooLarge => self.too_large(path, None),
            Err(error) => {
                let file = self.sources.add_file(path.to_string_lossy(), String::new());
                let nowhere = self.sources.aside(Origin::written(Place { file, start: 0, end: 0 }));
                self.diagnostics.push(
                    Diagnostic::error(&code::CANNOT_READ, format!("cannot read `{}`: {error}", path.display()))
                        .at(nowhere, ""),
                );
            }
        }
        self.drain()
    }

    /// Preprocesses a piece of text with the macros that are defined by now.
    pub(crate) fn run_text(&mut self, name: &str, text: &str) -> Vec<RawToken> {
        self.open_file(PathBuf::from(name), text.as_bytes().to_vec(), None);
        self.drain()
    }

    fn drain(&mut self) -> Vec<RawToken> {
        let mut output = Vec::new();
        while !self.stopped {
            let token = self.next();
            if token.kind == Raw::End {
                return output;
            }
            output.push(token);
        }
        // What is left of a text that grew beyond all bounds is not worth parsing.
        Vec::new()
    }

    /// `-D` and `-U` are the lines of a small file.
    fn define_options(&mut self) {
        let mut text = String::new();
        for define in &self.options.defines {
            let (name, value) = define.split_once('=').unwrap_or((define, "1"));
            text.push_str(&format!("#define {name} {}\n", value.replace('\n', " ")));
        }
        for name in &self.options.undefines {
            text.push_str(&format!("#undef {name}\n"));
        }
        if !text.is_empty() {
            self.run_text("<command line>", &text);
        }
    }

    /// Starts to read a file. What is not UTF-8 is replaced and warned about; it matters only outside comments.
    fn open_file(&mut self, path: PathBuf, bytes: Vec<u8>, included_at: Option<Span>) {
        let name = path.to_string_lossy().into_owned();
        self.read += bytes.len();
        if self.read > MAX_SOURCE_BYTES {
            return self.too_large(&path, included_at);
        }
        let (text, bad_byte) = match String::from_utf8(bytes) {
            Ok(text) => (text, None),
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                (String::from_utf8_lossy(error.as_bytes()).into_owned(), Some(at))
            }
        };
        let nul = text.find('\0');
        let file = self.sources.add_file(name.as_str(), text);
        if let Some(at) = bad_byte {
            let span = self.byte_span(file, at, '\u{FFFD}'.len_utf8());
            self.diagnostics.push(
                Diagnostic::warning(&code::NOT_UTF8, format!("`{name}` is not UTF-8"))
                    .at(span, "the first byte that is not")
                    .note("such bytes do no harm in comments; convert the file to be rid of this warning"),
            );
        }
        if let Some(at) = nul {
            let span = self.byte_span(file, at, 1);
            self.diagnostics.push(
                Diagnostic::warning(&code::NUL_BYTE, format!("`{name}` contains NUL bytes"))
                    .at(span, "the first of them")
                    .note("they are read as blanks"),
            );
        }
        let tokens = lex(self.sources, file);
        self.open.push(OpenFile { tokens, at: 0, path, conditions: Vec::new() });
    }

    fn too_large(&mut self, path: &Path, included_at: Option<Span>) {
        self.stopped = true;
        let span = included_at.unwrap_or_else(|| {
            let file = self.sources.add_file(path.to_string_lossy(), String::new());
            self.sources.aside(Origin::written(Place { file, start: 0, end: 0 }))
        });
        let message = format!("with `{}` the model has more than {} MB", path.display(), MAX_SOURCE_BYTES >> 20);
        self.diagnostics.push(Diagnostic::error(&code::FILE_TOO_LARGE, message).at(span, ""));
    }

    fn byte_span(&mut self, file: FileId, at: usize, len: usize) -> Span {
        let place = Place { file, start: at as u32, end: (at + len) as u32 };
        self.sources.aside(Origin::written(place))
    }

    /// The next token as written, with all directives before it obeyed; an [`Raw::End`] when every file is read.
    fn next_written(&mut self) -> RawToken {
        loop {
            let Some(file) = self.open.last_mut() else {
                return RawToken::end();
            };
            let Some(&token) = file.tokens.get(file.at) else {
                return RawToken::end();
            };
            if token.kind == Raw::End {
                self.close_file(token);
                if self.open.is_empty() {
                    return token;
                }
                self.carry_break = true;
                continue;
            }
            file.at += 1;
            if token.kind == Raw::Hash && token.line_start {
                self.directive(token);
                self.carry_break = true;
            } else if file.conditions.last().is_none_or(|c| c.active) {
                return token;
            } else {
                skip_to_directive(file);
            }
        }
    }

    fn close_file(&mut self, end: RawToken) {
        let Some(file) = self.open.pop() else { return };
        for condition in file.conditions {
            let opened = self.sources.aside(Origin::written(condition.place));
            let end = self.sources.aside(end.origin);
            self.diagnostics.push(
                Diagnostic::error(&code::MISSING_ENDIF, "this `#if` has no `#endif`")
                    .at(opened, "opened here")
                    .because(end, "the file ends here"),
            );
        }
    }

    /// The tokens up to the end of the line.
    fn rest_of_line(&mut self) -> Vec<RawToken> {
        let Some(file) = self.open.last_mut() else {
            return Vec::new();
        };
        let start = file.at;
        while file.tokens.get(file.at).is_some_and(|t| !t.line_start && t.kind != Raw::End) {
            file.at += 1;
        }
        file.tokens[start..file.at].to_vec()
    }

    /// Obeys the directive behind `hash`.
    fn directive(&mut self, hash: RawToken) {
        let line = self.rest_of_line();
        let Some(&word) = line.first() else { return };
        let active = self.open.last().and_then(|f| f.conditions.last()).is_none_or(|c| c.active);
        let rest = &line[1..];
        let name = if word.kind == Raw::Name { self.sources.name(word.symbol).clone() } else { "".into() };
        match &*name {
            "if" | "ifdef" | "ifndef" => self.open_condition(word, &name, rest, active),
            "elif" => self.elif(word, rest),
            "else" => self.else_branch(word),
            "endif" => {
                if self.open.last_mut().and_then(|f| f.conditions.pop()).is_none() {
                    self.error(&code::STRAY_CONDITIONAL, "`#endif` without `#if`", word);
                }
            }
            _ if !active => {}
            "define" => self.define(word, rest),
            "undef" => self.undef(word, rest),
            "include" => self.include(word, rest),
            "error" | "warning" => {
                let text = self.written_text(rest);
                let span = self.aside_of(word, rest);
                self.diagnostics.push(if &*name == "error" {
                    Diagnostic::error(&code::ERROR_DIRECTIVE, format!("#error {text}")).at(span, "")
                } else {
                    Diagnostic::warning(&code::WARNING_DIRECTIVE, format!("#warning {text}")).at(span, "")
                });
            }
            "line" => self.line(word, rest),
            "pragma" | "ident" | "sccs" => {}
            // `# 12 "file"`: what a preprocessor leaves.
            _ if word.kind == Raw::Number => self.line(hash, &line),
            _ => {
                let text = self.sources.slice(word.origin.place).to_owned();
                self.error(&code::UNKNOWN_DIRECTIVE, format!("`#{text}` is not a directive"), word);
            }
        }
    }

    fn open_condition(&mut self, word: RawToken, kind: &str, rest: &[RawToken], outer: bool) {
        let active = outer
            && match kind {
                "if" => self.evaluate(word, rest),
                _ => match rest.first() {
                    Some(name) if name.kind == Raw::Name => self.is_defined(name.symbol) == (kind == "ifdef"),
                    _ => {
                        self.error(&code::MALFORMED_DIRECTIVE, format!("`#{kind}` needs the name of a macro"), word);
                        false
                    }
                },
            };
        let condition = Condition { place: word.origin.place, taken: active || !outer, active, seen_else: false };
        if let Some(file) = self.open.last_mut() {
            file.conditions.push(condition);
        }
    }

    fn elif(&mut self, word: RawToken, rest: &[RawToken]) {
        let Some((taken, seen_else)) = self.condition().map(|c| (c.taken, c.seen_else)) else {
            return self.error(&code::STRAY_CONDITIONAL, "`#elif` without `#if`", word);
        };
        if seen_else {
            self.error(&code::ELSE_TWICE, "`#elif` after `#else`", word);
        }
        let active = !taken && self.evaluate(word, rest);
        if let Some(condition) = self.condition() {
            condition.active = active;
            condition.taken |= active;
        }
    }

    fn else_branch(&mut self, word: RawToken) {
        let Some(condition) = self.condition() else {
            return self.error(&code::STRAY_CONDITIONAL, "`#else` without `#if`", word);
        };
        let again = std::mem::replace(&mut condition.seen_else, true);
        condition.active = !condition.taken;
        condition.taken = true;
        if again {
            self.error(&code::ELSE_TWICE, "a second `#else` for one `#if`", word);
        }
    }

    fn condition(&mut self) -> Option<&mut Condition> {
        self.open.last_mut()?.conditions.last_mut()
    }

    fn evaluate(&mut self, word: RawToken, rest: &[RawToken]) -> bool {
        let prepared = self.answer_defined(rest);
        let expanded = self.expand_list(prepared);
        match condition::evaluate(self.sources, &expanded, word) {
            Ok(value) => value != 0,
            Err((at, message)) => {
                self.error(&code::BAD_CONDITION, message, at);
                false
            }
        }
    }

    /// Replaces `defined X` and `defined(X)` by 1 or 0, before macros are expanded.
    fn answer_defined(&mut self, line: &[RawToken]) -> Vec<RawToken> {
        let mut output = Vec::with_capacity(line.len());
        let mut rest = line.iter();
        while let Some(&token) = rest.next() {
            if token.kind != Raw::Name || token.symbol != self.builtin.defined {
                output.push(token);
                continue;
            }
            let ahead = rest.as_slice();
            let (name, used) = match ahead {
                [open, name, close, ..] if open.kind == Raw::LeftParen && close.kind == Raw::RightParen => (name, 3),
                [name, ..] => (name, 1),
                [] => break,
            };
            let place = self.sources.add_scratch(if self.is_defined(name.symbol) { "1" } else { "0" });
            output.push(RawToken { kind: Raw::Number, origin: Origin { place, ..token.origin }, ..token });
            rest = ahead[used..].iter();
        }
        output
    }

    fn include(&mut self, word: RawToken, rest: &[RawToken]) {
        let expanded;
        let named = match rest.first().map(|t| t.kind) {
            Some(Raw::String | Raw::Less | Raw::Diamond) => rest,
            _ => {
                expanded = self.expand_list(rest.to_vec());
                &expanded
            }
        };
        let span = self.aside_of(word, rest);
        let Some((name, beside)) = self.include_name(named) else {
            self.diagnostics.push(
                Diagnostic::error(&code::MALFORMED_INCLUDE, "`#include` needs a file name")
                    .at(span, "")
                    .note("write `#include \"file\"` or `#include <file>`"),
            );
            return;
        };
        if self.stopped {
            return;
        }
        self.included += 1;
        if self.open.len() >= MAX_INCLUDE_DEPTH || self.included > MAX_INCLUDES {
            self.stopped = true;
            let chain: Vec<_> = self.open.iter().rev().take(3).map(|f| format!("`{}`", f.path.display())).collect();
            self.diagnostics.push(
                Diagnostic::error(&code::INCLUDE_CYCLE, format!("`#include`s without end: `{name}` again"))
                    .at(span, "included once more here")
                    .note(format!("it is being read inside {}", chain.join(", inside ")))
                    .note("guard a file against being read twice with `#ifndef X`, `#define X`, …, `#endif`"),
            );
            return;
        }
        let own_folder = self.open.last().and_then(|f| f.path.parent()).map(Path::to_path_buf);
        let folders = own_folder.filter(|_| beside).into_iter().chain(self.options.include_dirs.iter().cloned());
        let mut refused = None;
        for folder in folders {
            let path = folder.join(&name);
            match self.files.read(&path) {
                Ok(bytes) => return self.open_file(path, bytes, Some(span)),
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) if error.kind() == ErrorKind::FileTooLarge => return self.too_large(&path, Some(span)),
                Err(error) => refused = refused.or(Some((path, error))),
            }
        }
        let mut finding = Diagnostic::error(&code::MISSING_INCLUDE, format!("cannot read the included file `{name}`"))
            .at(span, "included here");
        if let Some((path, error)) = refused {
            finding = finding.note(format!("`{}`: {error}", path.display()));
        }
        self.diagnostics.push(
            finding.note("files in quotes are looked for next to the including file, then in the include folders (-I)"),
        );
    }

    /// The file an `#include` names, and whether to look next to the including file.
    fn include_name(&self, named: &[RawToken]) -> Option<(String, bool)> {
        let first = named.first()?;
        match first.kind {
            Raw::String => {
                let text = self.sources.slice(first.origin.place);
                let name = text.strip_prefix('"')?.strip_suffix('"')?;
                (!name.is_empty()).then(|| (name.to_owned(), true))
            }
            Raw::Less => {
                let close = named.iter().position(|t| t.kind == Raw::Greater)?;
                let name = self.written_text(named.get(1..close)?);
                (!name.is_empty()).then_some((name, false))
            }
            _ => None,
        }
    }

    fn line(&mut self, word: RawToken, rest: &[RawToken]) {
        let expanded = self.expand_list(rest.to_vec());
        let number = expanded
            .first()
            .filter(|t| t.kind == Raw::Number)
            .and_then(|t| self.sources.slice(t.origin.place).parse::<u32>().ok());
        let Some(number) = number else {
            return self.error(&code::MALFORMED_DIRECTIVE, "`#line` needs a line number", word);
        };
        let file = expanded.get(1).filter(|t| t.kind == Raw::String);
        let file = file.map(|t| self.sources.slice(t.origin.place).trim_matches('"').to_owned());
        self.sources.renumber(word.origin.place, number, file.as_deref());
    }

    /// The text of tokens that stand in a row in one file.
    fn written_text(&self, tokens: &[RawToken]) -> String {
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else {
            return String::new();
        };
        let (from, to) = (first.origin.place, last.origin.place);
        if from.file == to.file && from.start <= to.end {
            self.sources.slice(Place { end: to.end, ..from }).to_owned()
        } else {
            self.sources.slice(from).to_owned()
        }
    }

    /// A span from `word` to the end of its line.
    fn aside_of(&mut self, word: RawToken, rest: &[RawToken]) -> Span {
        let end = rest.last().map_or(word.origin.place.end, |t| t.origin.place.end);
        self.sources.aside(Origin::written(Place { end, ..word.origin.place }))
    }

    fn error(&mut self, code: &'static crate::diagnostics::Code, message: impl Into<String>, at: RawToken) {
        let span = self.sources.aside(at.origin);
        self.diagnostics.push(Diagnostic::error(code, message).at(span, ""));
    }
}

/// `1 argument`, `2 arguments`.
pub(crate) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Passes over the lines of a branch that is not read.
fn skip_to_directive(file: &mut OpenFile) {
    while let Some(token) = file.tokens.get(file.at) {
        if token.kind == Raw::End || (token.kind == Raw::Hash && token.line_start) {
            break;
        }
        file.at += 1;
    }
}
