//! Diagnostics of a model: a code, a message, the places, and advice.
//!
//! A finding is one file below `diagnostics/` (or one constant in a file of close relatives), with the [`Code`] that
//! `psw explain` prints and its tests. Codes are stable: a number is never given a second meaning.

/// Declares codes and the table `CODES` of all codes of a file.
macro_rules! codes {
    ($($name:ident = $id:literal, $title:literal, $explanation:literal;)*) => {
        $(
            #[doc = concat!($id, ": ", $title, ".")]
            pub static $name: crate::diagnostics::Code =
                crate::diagnostics::Code { id: $id, title: $title, explanation: $explanation };
        )*
        /// The codes of this file.
        pub static CODES: &[&crate::diagnostics::Code] = &[$(&$name),*];
    };
}

pub mod channel;
pub mod claim;
pub mod constant;
pub mod control;
pub mod declaration;
pub mod name;
pub mod process;
pub mod syntax;
pub mod types;

use crate::source::Span;

/// Every kind of finding, ordered by code.
pub fn all_codes() -> Vec<&'static Code> {
    let tables = [
        channel::CODES,
        claim::CODES,
        constant::CODES,
        control::CODES,
        declaration::CODES,
        name::CODES,
        process::CODES,
        syntax::CODES,
        types::CODES,
    ];
    let mut codes: Vec<&'static Code> = tables.into_iter().flatten().copied().collect();
    codes.sort_by_key(|code| code.id);
    codes
}

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The model can be run, but is probably not what was meant.
    Warning,
    /// The model cannot be run.
    Error,
}

/// A kind of finding, known by a stable code.
#[derive(Debug)]
pub struct Code {
    /// `E0301`, `W0102`, …
    pub id: &'static str,
    /// One line, without the particulars.
    pub title: &'static str,
    /// What `psw explain` prints: why it matters, an example, what to write instead.
    pub explanation: &'static str,
}

/// A place with what it has to do with the finding.
#[derive(Clone, Debug)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// A few words; may be empty.
    pub text: String,
    /// Whether this is the place of the finding itself.
    pub primary: bool,
}

/// One finding.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// Its kind.
    pub code: &'static Code,
    /// What is wrong, with names and numbers.
    pub message: String,
    /// Where; the first primary one is the place of the finding.
    pub labels: Vec<Label>,
    /// What to do about it.
    pub notes: Vec<String>,
}

impl Diagnostic {
    /// A finding that makes the model unusable.
    pub fn error(code: &'static Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, message.into())
    }

    /// A finding that does not.
    pub fn warning(code: &'static Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, message.into())
    }

    fn new(severity: Severity, code: &'static Code, message: String) -> Self {
        Self { severity, code, message, labels: Vec::new(), notes: Vec::new() }
    }

    /// Adds the place of the finding.
    #[must_use]
    pub fn at(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into(), primary: true });
        self
    }

    /// Adds a place that explains it.
    #[must_use]
    pub fn because(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into(), primary: false });
        self
    }

    /// Adds what to do.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }
}

/// A number of things: `1 field`, `2 fields`.
pub(crate) fn counted(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}
