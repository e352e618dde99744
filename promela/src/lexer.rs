//! Text cut into raw tokens, with what the line structure says about them.
//!
//! White space and comments leave no tokens, only marks on the token behind them: whether it is the first of its
//! logical line (a backslash before the end of a line joins it with the next), whether the line broke inside a comment
//! before it, and whether there is any space before it.

use logos::Logos;

use crate::source::{Expansion, ExpansionId, ExpansionKind, FileId, Origin, Place, Sources, Symbol};
use crate::token::Raw;

/// A token before it has a meaning in Promela.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawToken {
    /// What it is.
    pub kind: Raw,
    /// Its name, if it is one.
    pub symbol: Symbol,
    /// Where it was spelled and how it came here.
    pub origin: Origin,
    /// First of its logical line: a directive may start here.
    pub line_start: bool,
    /// The text breaks into a new line before it (also inside a comment): SPIN's parser may see a semicolon.
    pub broken: bool,
    /// There is white space before it.
    pub space: bool,
    /// A macro name that must not be expanded any more.
    pub painted: bool,
    /// It came through an `inline`.
    pub inlined: bool,
}

/// Cuts a file into tokens. Bad tokens stay in the stream: whether they matter is known only when `#if` has chosen.
pub(crate) fn lex(sources: &mut Sources, file: FileId) -> Vec<RawToken> {
    lex_from(sources, file, 0)
}

/// Cuts what stands behind `offset` into tokens.
pub(crate) fn lex_from(sources: &mut Sources, file: FileId, offset: u32) -> Vec<RawToken> {
    // The text is moved out during the scan, because names are interned while it is read.
    let text = sources.take_text(file);
    let mut tokens = Vec::with_capacity(text.len() / 4);
    let (mut line_start, mut broken, mut space) = (true, true, false);
    let mut lexer = Raw::lexer(text.get(offset as usize..).unwrap_or(""));
    while let Some(kind) = lexer.next() {
        let kind = kind.unwrap_or(Raw::Unknown);
        match kind {
            Raw::Newline => (line_start, broken, space) = (true, true, true),
            Raw::Space | Raw::Splice | Raw::LineComment => space = true,
            Raw::BlockComment => {
                broken |= lexer.slice().contains('\n');
                space = true;
            }
            _ => {
                let symbol = if kind == Raw::Name { sources.intern(lexer.slice()) } else { Symbol(0) };
                let span = lexer.span();
                let place = Place { file, start: offset + span.start as u32, end: offset + span.end as u32 };
                tokens.push(RawToken::new(kind, symbol, Origin::written(place), line_start, broken, space));
                (line_start, broken, space) = (false, false, false);
            }
        }
    }
    let end = text.len() as u32;
    sources.put_text(file, text);
    let place = Place { file, start: end, end };
    tokens.push(RawToken::new(Raw::End, Symbol(0), Origin::written(place), true, true, true));
    tokens
}

impl RawToken {
    /// What stands behind the last token of everything.
    pub(crate) fn end() -> Self {
        Self::new(Raw::End, Symbol(0), Origin::written(Place::default()), true, true, true)
    }

    fn new(kind: Raw, symbol: Symbol, origin: Origin, line_start: bool, broken: bool, space: bool) -> Self {
        Self { kind, symbol, origin, line_start, broken, space, painted: false, inlined: false }
    }
}

/// The tokens of an argument, standing for a parameter in the frame `parent`. The first takes the place of the
/// parameter in its line.
pub(crate) fn stand_in(
    sources: &mut Sources,
    argument: &[RawToken],
    param: RawToken,
    parent: ExpansionId,
) -> Vec<RawToken> {
    let mut output = Vec::with_capacity(argument.len());
    let mut last: Option<(ExpansionId, ExpansionId)> = None;
    for (index, &token) in argument.iter().enumerate() {
        let origin = token.origin.expansion;
        let expansion = match last {
            Some((from, to)) if from == origin => to,
            _ => sources.add_expansion(Expansion {
                kind: ExpansionKind::Argument,
                name: param.symbol,
                call: param.origin.place,
                parent,
                origin,
            }),
        };
        last = Some((origin, expansion));
        let (broken, space) = if index == 0 { (param.broken, param.space) } else { (false, token.space) };
        output.push(RawToken { origin: Origin { expansion, ..token.origin }, broken, space, ..token });
    }
    output
}
