//! Where things were written: files, tokens, and the macros and inlines a token came through.
//!
//! A [`Span`] is a range of *tokens*, so that two spans join without looking anything up. [`Sources`] owns the files and
//! the table of tokens, and turns a span into file, line, column, text and the chain of expansions.
//!
//! Every token knows the [`Place`] where its characters stand and the [`Expansion`] that brought it here. Expansions
//! form a tree by `parent`: a token of a macro's body is a child of that use of the macro, a token of an argument of
//! the parameter it stands for. Two tokens of one span therefore meet in a *common frame*, and the places where they
//! (or the uses that lead to them) stand in that frame are in one text. That is the place of the span; the frames above
//! it are what a diagnostic shows as "in this expansion of …".

use std::sync::Arc;

use fxhash::FxHashMap;

use crate::preprocess::MacroTable;
use crate::separators::Declared;
use crate::token;

/// A range of tokens: the first, and one past the last, as indices into [`Sources`]' token table.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug)]
pub struct Span {
    /// Index of the first token.
    pub start: u32,
    /// One past the last token.
    pub end: u32,
}

impl Span {
    /// From the start of this span to the end of `other`.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start, end: other.end }
    }

    /// The last token of this span.
    #[must_use]
    pub fn last(self) -> Span {
        Span { start: self.end.saturating_sub(1).max(self.start), end: self.end }
    }
}

/// A file (or a piece of text that psw made up, such as the command line's definitions).
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug)]
pub struct FileId(u32);

/// A range of bytes in one file.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// An interned name. Keywords come first, in the order of `token::KEYWORDS`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Symbol(pub(crate) u32);

/// How a token came to stand where it is; [`ExpansionId::NONE`] if it was simply written there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ExpansionId(u32);

impl ExpansionId {
    /// Not expanded from anything.
    pub const NONE: ExpansionId = ExpansionId(0);
}

/// The kinds of expansion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExpansionKind {
    /// The body of a `#define`d macro.
    Macro,
    /// The body of an `inline`.
    Inline,
    /// An argument of either, standing for a parameter.
    Argument,
}

/// One use of a macro or an inline, or of one of its parameters.
#[derive(Clone, Copy, Debug)]
pub struct Expansion {
    /// What was expanded.
    pub kind: ExpansionKind,
    /// Its name (for an argument: the parameter's).
    pub name: Symbol,
    /// The use that was replaced.
    pub call: Place,
    /// The frame in which `call` stands.
    pub parent: ExpansionId,
    /// For an argument: how its tokens were written at the call.
    pub origin: ExpansionId,
}

/// Where a token was spelled and how it came here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Origin {
    /// Its characters.
    pub place: Place,
    /// The expansion it belongs to.
    pub expansion: ExpansionId,
}

impl Origin {
    /// A token that stands where it was written.
    pub(crate) fn written(place: Place) -> Self {
        Origin { place, expansion: ExpansionId::NONE }
    }
}

/// A place for people: file name, line and column (from 1).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// Name of the file, `#line` respected.
    pub file: Arc<str>,
    /// Line, `#line` respected.
    pub line: u32,
    /// Column in characters.
    pub column: u32,
}

/// One level of expansion around a span.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Macro or inline.
    pub kind: ExpansionKind,
    /// Its name.
    pub name: Symbol,
    /// The use of it.
    pub place: Place,
}

/// A span, resolved.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// Where it stands in the innermost text that holds all of it.
    pub place: Place,
    /// The macros and inlines that text belongs to, innermost first.
    pub frames: Vec<Frame>,
}

#[derive(Debug)]
struct SourceFile {
    name: Arc<str>,
    text: String,
    line_starts: Vec<u32>,
    renumbered: Vec<Renumbered>,
}

/// A `#line` directive: physical lines from `from` on (counted from 0) are called `line`, `line + 1`, … of `name`.
#[derive(Debug)]
struct Renumbered {
    from: u32,
    line: u32,
    name: Arc<str>,
}

/// All text and all tokens of one run of the front end.
#[derive(Debug)]
pub struct Sources {
    files: Vec<SourceFile>,
    tokens: Vec<Origin>,
    expansions: Vec<Expansion>,
    names: Vec<Arc<str>>,
    symbols: FxHashMap<Arc<str>, Symbol>,
    scratch: Option<FileId>,
    /// What the preprocessor and the separators know at the end of the model, for expressions given elsewhere.
    pub(crate) macros: MacroTable,
    pub(crate) declared: Declared,
    /// The names of all inlines.
    pub(crate) inlines: Vec<Symbol>,
}

impl Default for Sources {
    fn default() -> Self {
        let none = Expansion {
            kind: ExpansionKind::Macro,
            name: Symbol(0),
            call: Place::default(),
            parent: ExpansionId::NONE,
            origin: ExpansionId::NONE,
        };
        let mut sources = Self {
            files: Vec::new(),
            tokens: Vec::new(),
            expansions: vec![none],
            names: Vec::new(),
            symbols: FxHashMap::default(),
            scratch: None,
            macros: MacroTable::default(),
            declared: Declared::default(),
            inlines: Vec::new(),
        };
        for (word, _) in token::KEYWORDS {
            sources.intern(word);
        }
        sources
    }
}

/// Building the tables.
impl Sources {
    /// Adds a file; texts beyond 4 GB are cut off by the caller.
    pub(crate) fn add_file(&mut self, name: impl Into<Arc<str>>, text: String) -> FileId {
        let id = FileId(self.files.len() as u32);
        let line_starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at as u32 + 1)).collect();
        self.files.push(SourceFile { name: name.into(), text, line_starts, renumbered: Vec::new() });
        id
    }

    /// Adds a piece of text that no file holds: what `#` and `##` build.
    pub(crate) fn add_scratch(&mut self, text: &str) -> Place {
        let id = match self.scratch {
            Some(id) => id,
            None => self.add_file("<built by # and ##>", String::new()),
        };
        self.scratch = Some(id);
        let file = &mut self.files[id.0 as usize];
        let start = file.text.len() as u32;
        file.text.push_str(text);
        let end = file.text.len() as u32;
        file.text.push('\n');
        file.line_starts.push(end + 1);
        Place { file: id, start, end }
    }

    /// A `#line` directive that stands at `place`.
    pub(crate) fn renumber(&mut self, place: Place, line: u32, name: Option<&str>) {
        let current = self.location(place).file;
        let name = name.map_or(current, Arc::from);
        let file = &mut self.files[place.file.0 as usize];
        let from = file.line_index(place.start) + 1;
        file.renumbered.push(Renumbered { from, line, name });
    }

    /// Adds a token and answers its index.
    pub(crate) fn add_token(&mut self, origin: Origin) -> u32 {
        self.tokens.push(origin);
        self.tokens.len() as u32 - 1
    }

    /// The span of one token that is not part of the parsed stream (a directive, say).
    pub(crate) fn aside(&mut self, origin: Origin) -> Span {
        let start = self.add_token(origin);
        Span { start, end: start + 1 }
    }

    /// Lends the text of a file to the lexer.
    pub(crate) fn take_text(&mut self, file: FileId) -> String {
        std::mem::take(&mut self.files[file.0 as usize].text)
    }

    /// Takes the text back.
    pub(crate) fn put_text(&mut self, file: FileId, text: String) {
        self.files[file.0 as usize].text = text;
    }

    /// How many tokens there are.
    pub fn token_count(&self) -> u32 {
        self.tokens.len() as u32
    }

    /// Adds an expansion.
    pub(crate) fn add_expansion(&mut self, expansion: Expansion) -> ExpansionId {
        self.expansions.push(expansion);
        ExpansionId(self.expansions.len() as u32 - 1)
    }

    /// The expansion with this id, unless it is [`ExpansionId::NONE`].
    pub(crate) fn expansion(&self, id: ExpansionId) -> Option<&Expansion> {
        if id == ExpansionId::NONE { None } else { self.expansions.get(id.0 as usize) }
    }

    /// The symbol of a name.
    pub(crate) fn intern(&mut self, name: &str) -> Symbol {
        if let Some(&symbol) = self.symbols.get(name) {
            return symbol;
        }
        let name: Arc<str> = Arc::from(name);
        let symbol = Symbol(self.names.len() as u32);
        self.names.push(name.clone());
        self.symbols.insert(name, symbol);
        symbol
    }

    /// The name of a symbol.
    pub fn name(&self, symbol: Symbol) -> &Arc<str> {
        &self.names[symbol.0 as usize]
    }
}

/// Asking for places and text.
impl Sources {
    /// The characters at a place.
    pub fn slice(&self, place: Place) -> &str {
        self.file_text(place.file).get(place.start as usize..place.end as usize).unwrap_or("")
    }

    /// All files and pieces of text, with their names.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|file| (&*file.name, file.text.as_str()))
    }

    /// The whole text of a file.
    pub fn file_text(&self, file: FileId) -> &str {
        &self.files[file.0 as usize].text
    }

    /// The name a file was opened under.
    pub fn opened_as(&self, file: FileId) -> &Arc<str> {
        &self.files[file.0 as usize].name
    }

    /// The line (counted from 0) that holds a byte of a file.
    pub(crate) fn line_index(&self, file: FileId, at: u32) -> u32 {
        self.files[file.0 as usize].line_index(at)
    }

    /// The bytes of a line (counted from 0), its end included.
    pub(crate) fn line_range(&self, file: FileId, line: u32) -> Option<std::ops::Range<usize>> {
        let file = self.files.get(file.0 as usize)?;
        let start = *file.line_starts.get(line as usize)? as usize;
        let end = file.line_starts.get(line as usize + 1).map_or(file.text.len(), |&next| next as usize);
        Some(start..end)
    }

    /// How many bytes the longest of the lines has that a place begins or ends in.
    pub(crate) fn widest_line(&self, place: Place) -> usize {
        let width = |at| {
            let line = self.line_index(place.file, at);
            self.line_range(place.file, line).map_or(0, |range| range.len())
        };
        width(place.start).max(width(place.end))
    }

    /// File, line and column of the first character of a place.
    pub fn location(&self, place: Place) -> Location {
        let file = &self.files[place.file.0 as usize];
        let index = file.line_index(place.start);
        let line_start = file.line_starts[index as usize] as usize;
        let before = file.text.get(line_start..place.start as usize).unwrap_or("");
        let column = before.chars().count() as u32 + 1;
        match file.renumbered.iter().rev().find(|r| r.from <= index) {
            Some(r) => Location { file: r.name.clone(), line: r.line.saturating_add(index - r.from), column },
            None => Location { file: file.name.clone(), line: index + 1, column },
        }
    }

    /// The innermost text that holds all of a span, and the macros and inlines around it.
    pub fn resolve(&self, span: Span) -> Resolved {
        let (place, frame) = self.place(span);
        let mut frames = Vec::new();
        let mut current = frame;
        while let Some(expansion) = self.expansion(current) {
            if expansion.kind == ExpansionKind::Argument {
                current = expansion.origin;
            } else {
                frames.push(Frame { kind: expansion.kind, name: expansion.name, place: expansion.call });
                current = expansion.parent;
            }
        }
        Resolved { place, frames }
    }

    /// Where a statement stands for a reader of the model: macros count as the text that uses them (as SPIN numbers
    /// lines), inlines as their own text.
    pub fn statement_place(&self, span: Span) -> Place {
        let (mut place, mut frame) = self.place(span);
        while let Some(expansion) = self.expansion(frame) {
            match expansion.kind {
                ExpansionKind::Inline => break,
                ExpansionKind::Macro => (place, frame) = (expansion.call, expansion.parent),
                ExpansionKind::Argument => frame = expansion.origin,
            }
        }
        place
    }

    /// The line of [`Sources::statement_place`].
    pub fn line(&self, span: Span) -> u32 {
        self.location(self.statement_place(span)).line
    }

    /// The file of [`Sources::statement_place`].
    pub fn file_name(&self, span: Span) -> Arc<str> {
        self.location(self.statement_place(span)).file
    }

    /// Whether the first token of a span came through an `inline`.
    pub fn in_inline(&self, span: Span) -> bool {
        let mut current = self.tokens.get(span.start as usize).map_or(ExpansionId::NONE, |token| token.expansion);
        while let Some(expansion) = self.expansion(current) {
            if expansion.kind == ExpansionKind::Inline {
                return true;
            }
            current = expansion.parent;
        }
        false
    }

    /// What stands there after expansion: the tokens of a span, with a blank where the source has white space between
    /// them, or where two tokens of different origin meet and a reader would put one.
    pub fn text(&self, span: Span) -> String {
        let tokens = self.tokens.get(span.start as usize..span.end as usize).unwrap_or(&[]);
        let mut text = String::new();
        let mut previous: Option<&Origin> = None;
        for token in tokens {
            let spelling = self.slice(token.place);
            if let Some(previous) = previous {
                let (before, after) = (previous.place, token.place);
                let neighbours =
                    previous.expansion == token.expansion && before.file == after.file && before.end <= after.start;
                let blank = if neighbours { before.end < after.start } else { token::blank_between(&text, spelling) };
                if blank {
                    text.push(' ');
                }
            }
            text.push_str(spelling);
            previous = Some(token);
        }
        text
    }

    /// What stands there as it was written: like [`Sources::text`], but with the uses of macros that lie in the span as a whole.
    pub fn written(&self, span: Span) -> String {
        let mut text = String::new();
        let mut previous: Option<Origin> = None;
        let mut at = span.start;
        while at < span.end.min(self.token_count()) {
            let (token, after) = self.widest_use(at, span);
            let spelling = self.slice(token.place);
            if let Some(Origin { place: before, expansion }) = previous {
                let Place { file, start, .. } = token.place;
                let are_neighbours = expansion == token.expansion && before.file == file && before.end <= start;
                let blank = if are_neighbours { before.end < start } else { token::blank_between(&text, spelling) };
                text.push_str(if blank { " " } else { "" });
            }
            text.push_str(spelling);
            (previous, at) = (Some(token), after);
        }
        text
    }

    /// The largest use of a macro that begins with this token and ends within the span, or the token itself; and the index of
    /// the token behind it.
    fn widest_use(&self, at: u32, span: Span) -> (Origin, u32) {
        let token = self.tokens[at as usize];
        let mut found = (token, at + 1);
        let mut current = token.expansion;
        while let Some(expansion) = self.expansion(current) {
            let begins = !at.checked_sub(1).is_some_and(|before| self.is_inside(before, current));
            if !begins {
                break;
            }
            if expansion.kind == ExpansionKind::Macro {
                let end = (at + 1..span.end).find(|&next| !self.is_inside(next, current)).unwrap_or(span.end);
                if end == span.end && self.is_inside(end, current) {
                    break;
                }
                found = (Origin { place: expansion.call, expansion: expansion.parent }, end);
            }
            current = expansion.parent;
        }
        found
    }

    /// Whether a token came through an expansion.
    fn is_inside(&self, at: u32, frame: ExpansionId) -> bool {
        let mut current = self.tokens.get(at as usize).map_or(ExpansionId::NONE, |token| token.expansion);
        while let Some(expansion) = self.expansion(current) {
            if current == frame {
                return true;
            }
            current = expansion.parent;
        }
        false
    }

    /// Where a token stands in the text of a file, all macros and inlines around it climbed.
    pub(crate) fn outermost_place(&self, token: Origin) -> Place {
        self.place_in(token, ExpansionId::NONE)
    }

    /// The place of a span and the frame that place belongs to.
    fn place(&self, span: Span) -> (Place, ExpansionId) {
        let Some(newest) = self.tokens.len().checked_sub(1) else {
            return (Place::default(), ExpansionId::NONE);
        };
        let first = self.tokens[(span.start as usize).min(newest)];
        let last = self.tokens[(span.end.max(span.start + 1) as usize - 1).min(newest)];
        let frame = self.common_frame(first.expansion, last.expansion);
        let (from, to) = (self.place_in(first, frame), self.place_in(last, frame));
        let place = if from.file == to.file {
            Place { file: from.file, start: from.start.min(to.start), end: from.end.max(to.end) }
        } else {
            from
        };
        (place, frame)
    }

    fn common_frame(&self, a: ExpansionId, b: ExpansionId) -> ExpansionId {
        if a == b {
            return a;
        }
        let mut above_a = fxhash::FxHashSet::default();
        let mut current = a;
        while let Some(expansion) = self.expansion(current) {
            above_a.insert(current);
            current = expansion.parent;
        }
        let mut current = b;
        while let Some(expansion) = self.expansion(current) {
            if above_a.contains(&current) {
                return current;
            }
            current = expansion.parent;
        }
        ExpansionId::NONE
    }

    fn place_in(&self, token: Origin, frame: ExpansionId) -> Place {
        let Origin { mut place, expansion: mut current } = token;
        while current != frame {
            let Some(expansion) = self.expansion(current) else {
                break;
            };
            (place, current) = (expansion.call, expansion.parent);
        }
        place
    }
}

impl SourceFile {
    /// The line (counted from 0) that holds a byte.
    fn line_index(&self, at: u32) -> u32 {
        self.line_starts.partition_point(|&start| start <= at).saturating_sub(1) as u32
    }
}
