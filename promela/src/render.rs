//! Findings for people (source lines with labels) and for machines (plain records).
//!
//! A label inside a macro or an inline points into its text; each use that leads there gets a label of its own.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use codespan_reporting::diagnostic as shown;
use codespan_reporting::files::{Error, Files};
use codespan_reporting::term::termcolor::{Buffer, ColorSpec, WriteColor};
use codespan_reporting::term::{self, Config, Styles, StylesWriter};

use crate::diagnostics::{Diagnostic, Severity};
use crate::source::{FileId, Location, Place, Sources};
use crate::visible::visible;

/// Lines longer than this are not shown: they were made by programs.
const MAX_LINE: usize = 600;
/// How many uses of macros and inlines are shown for one label.
const MAX_FRAMES: usize = 6;

/// A finding as text.
pub fn to_text(sources: &Sources, finding: &Diagnostic, colour: bool) -> String {
    let severity = match finding.severity {
        Severity::Warning => shown::Severity::Warning,
        Severity::Error => shown::Severity::Error,
    };
    let mut notes = finding.notes.clone();
    let labels = labels(sources, finding, &mut notes);
    let diagnostic = shown::Diagnostic::new(severity)
        .with_code(finding.code.id)
        .with_message(&finding.message)
        .with_labels(labels)
        .with_notes(notes);
    let config = Config { end_context_lines: 0, start_context_lines: 1, ..Config::default() };
    let files = FileTable(sources);
    if !colour {
        let plain = term::emit_into_string(&config, &files, &diagnostic);
        return visible(plain.as_deref().unwrap_or(&finding.message)).into_owned();
    }
    let styles = Styles::default();
    let mut out = Visible(Buffer::ansi());
    match term::emit_to_write_style(&mut StylesWriter::new(&mut out, &styles), &config, &files, &diagnostic) {
        Ok(()) => String::from_utf8_lossy(out.0.as_slice()).into_owned(),
        Err(_) => visible(&finding.message).into_owned(),
    }
}

/// Writes text with its control characters spelt out; only colours go their own way.
struct Visible(Buffer);

impl io::Write for Visible {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // The renderer writes pieces of text, never a part of a character.
        self.0.write_all(visible(&String::from_utf8_lossy(bytes)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl WriteColor for Visible {
    fn supports_color(&self) -> bool {
        true
    }

    fn set_color(&mut self, colour: &ColorSpec) -> io::Result<()> {
        self.0.set_color(colour)
    }

    fn reset(&mut self) -> io::Result<()> {
        self.0.reset()
    }
}

/// The labels of a finding, each followed by the uses of macros and inlines it stands in.
fn labels(sources: &Sources, finding: &Diagnostic, notes: &mut Vec<String>) -> Vec<shown::Label<FileId>> {
    let mut labels = Vec::new();
    let mut add = |style, place: Place, text: String, notes: &mut Vec<String>| {
        if sources.widest_line(place) > MAX_LINE {
            let at = sources.location(place);
            notes.push(format!("{}:{}:{}: {text}", at.file, at.line, at.column));
            return;
        }
        let label = shown::Label::new(style, place.file, place.start as usize..place.end as usize);
        let label = label.with_message(text);
        if !labels.contains(&label) {
            labels.push(label);
        }
    };
    for label in &finding.labels {
        let resolved = sources.resolve(label.span);
        let style = if label.primary { shown::LabelStyle::Primary } else { shown::LabelStyle::Secondary };
        add(style, resolved.place, label.text.clone(), notes);
        for frame in resolved.frames.iter().take(MAX_FRAMES) {
            let text = format!("in this expansion of `{}`", sources.name(frame.name));
            add(shown::LabelStyle::Secondary, frame.place, text, notes);
        }
    }
    labels
}

/// A finding as data.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Record {
    /// `E0103`, …
    pub code: &'static str,
    /// `error` or `warning`.
    pub severity: &'static str,
    /// What is wrong.
    pub message: String,
    /// What stands at the place of the finding; may be empty.
    pub label: String,
    /// The file of the finding.
    pub file: String,
    /// First line, from 1.
    pub line: u32,
    /// First column, from 1, in characters.
    pub column: u32,
    /// Last line.
    pub end_line: u32,
    /// One past the last column.
    pub end_column: u32,
    /// What to do about it.
    pub notes: Vec<String>,
    /// Other places that matter, uses of macros and inlines among them.
    pub related: Vec<Related>,
}

impl Record {
    /// A model that cannot be read at all.
    pub fn unreadable(path: &std::path::Path, message: String) -> Self {
        Self {
            code: crate::diagnostics::syntax::CANNOT_READ.id,
            severity: "error",
            message,
            label: String::new(),
            file: path.display().to_string(),
            line: 1,
            column: 1,
            end_line: 1,
            end_column: 1,
            notes: Vec::new(),
            related: Vec::new(),
        }
    }
}

/// A place that has to do with a finding.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Related {
    /// Its file.
    pub file: String,
    /// Its line, from 1.
    pub line: u32,
    /// Its column, from 1.
    pub column: u32,
    /// What it has to do with it.
    pub message: String,
}

impl Related {
    fn new(at: &Location, message: String) -> Self {
        Self { file: at.file.to_string(), line: at.line, column: at.column, message }
    }
}

/// A finding as data. One without a place is put at line 1, column 1 of no file.
pub fn to_record(sources: &Sources, finding: &Diagnostic) -> Record {
    let first = finding.labels.iter().position(|label| label.primary).unwrap_or(0);
    let mut record = Record {
        code: finding.code.id,
        severity: match finding.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        },
        message: finding.message.clone(),
        label: finding.labels.get(first).map_or_else(String::new, |label| label.text.clone()),
        file: String::new(),
        line: 1,
        column: 1,
        end_line: 1,
        end_column: 1,
        notes: finding.notes.clone(),
        related: Vec::new(),
    };
    for (index, label) in finding.labels.iter().enumerate() {
        let resolved = sources.resolve(label.span);
        let start = sources.location(resolved.place);
        let end = sources.location(Place { start: resolved.place.end, ..resolved.place });
        if index == first {
            (record.file, record.line, record.column) = (start.file.to_string(), start.line, start.column);
            (record.end_line, record.end_column) = (end.line, end.column);
        } else {
            let message = label.text.clone();
            record.related.push(Related::new(&start, message));
        }
        for frame in resolved.frames.iter().take(MAX_FRAMES) {
            let at = sources.location(frame.place);
            let message = format!("in this expansion of `{}`", sources.name(frame.name));
            record.related.push(Related::new(&at, message));
        }
    }
    record
}

/// The files as codespan wants to see them.
struct FileTable<'s>(&'s Sources);

impl<'a> Files<'a> for FileTable<'_> {
    type FileId = FileId;
    type Name = Arc<str>;
    type Source = &'a str;

    fn name(&'a self, id: FileId) -> Result<Arc<str>, Error> {
        Ok(self.0.opened_as(id).clone())
    }

    fn source(&'a self, id: FileId) -> Result<&'a str, Error> {
        Ok(self.0.file_text(id))
    }

    fn line_index(&'a self, id: FileId, byte: usize) -> Result<usize, Error> {
        Ok(self.0.line_index(id, byte as u32) as usize)
    }

    fn line_number(&'a self, id: FileId, line: usize) -> Result<usize, Error> {
        let start = self.line_range(id, line)?.start as u32;
        // A `#line 0` may have called a line so; the renderer counts from 1.
        Ok((self.0.location(Place { file: id, start, end: start }).line as usize).max(1))
    }

    fn line_range(&'a self, id: FileId, line: usize) -> Result<Range<usize>, Error> {
        self.0.line_range(id, line as u32).ok_or(Error::LineTooLarge { given: line, max: 0 })
    }
}
