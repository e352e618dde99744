//! Where things were written: files, tokens, and the macros and inlines a token came through.
//!
//! A [`Span`] is a range of *tokens*, so that two spans join without looking anything up. [`Sources`] owns the files and
//! the table of tokens, and turns a span into file, line, column, text and the chain of expansions.

/// A range of tokens: the first, and one past the last, as indices into [`Sources`]' token table.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug)]
pub struct Span {
    /// Index of the first token.
    pub start: u32,
    /// One past the last token.
    pub end: u32,
}
