//! Where statements stand in the files that the page shows.
//!
//! Lines are those of the file, from 0, whatever a `#line` calls them; columns count as scripts do, in units of UTF-16, in the
//! text as it is shown (`promela::visible`).

use std::collections::HashMap;
use std::ops::RangeInclusive;

use promela::source::{FileId, Sources, Span};
use promela::visible::visible;
use serde::Serialize;

use crate::report::trace;

/// Of a larger file the page has the beginning.
const MOST_BYTES: usize = 2 << 20;

/// A file of the model.
#[derive(Serialize)]
pub struct FileData {
    name: String,
    text: String,
}

/// Where a statement stands.
#[derive(Serialize)]
pub struct PlaceData {
    file: usize,
    /// Line and column where it begins.
    from: (usize, usize),
    /// And where it ends.
    to: (usize, usize),
    /// The line as reports call it.
    line: u32,
    text: String,
}

/// Collects places.
pub struct Places<'a> {
    sources: &'a Sources,
    known: HashMap<Span, usize>,
    places: Vec<PlaceData>,
    files: Vec<FileId>,
    /// By file: where its lines begin.
    starts: Vec<Vec<usize>>,
}

impl<'a> Places<'a> {
    /// No places yet.
    pub fn new(sources: &'a Sources) -> Self {
        Places { sources, known: HashMap::new(), places: Vec::new(), files: Vec::new(), starts: Vec::new() }
    }

    /// The number of a place.
    pub fn number(&mut self, span: Span) -> usize {
        if let Some(&number) = self.known.get(&span) {
            return number;
        }
        let place = self.sources.statement_place(span);
        let file = self.file(place.file);
        let (from, to) = (self.position(file, place.start as usize), self.position(file, place.end as usize));
        let (line, text) = (self.sources.line(span), visible(&trace::statement(self.sources, span)).into_owned());
        let number = self.places.len();
        self.places.push(PlaceData { file, from, to, line, text });
        self.known.insert(span, number);
        number
    }

    /// The file of a statement, and its lines.
    pub fn lines(&mut self, span: Span) -> impl Iterator<Item = (usize, usize)> + use<> {
        let place = self.sources.statement_place(span);
        let file = self.file(place.file);
        let last = (place.end as usize).max(place.start as usize + 1) - 1;
        let lines: RangeInclusive<usize> = self.line(file, place.start as usize)..=self.line(file, last);
        lines.map(move |line| (file, line))
    }

    fn file(&mut self, id: FileId) -> usize {
        if let Some(known) = self.files.iter().position(|&file| file == id) {
            return known;
        }
        let text = self.sources.file_text(id);
        self.files.push(id);
        self.starts.push(std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect());
        self.files.len() - 1
    }

    fn line(&self, file: usize, at: usize) -> usize {
        self.starts[file].partition_point(|&start| start <= at).saturating_sub(1)
    }

    fn position(&self, file: usize, at: usize) -> (usize, usize) {
        let line = self.line(file, at);
        let before = self.sources.file_text(self.files[file]).get(self.starts[file][line]..at).unwrap_or("");
        (line, visible(before).encode_utf16().count())
    }

    /// The files and the places in them.
    pub fn done(self) -> (Vec<FileData>, Vec<PlaceData>) {
        let data = |&id: &FileId| {
            let text = self.sources.file_text(id);
            let mut end = text.len().min(MOST_BYTES);
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            let name = visible(self.sources.opened_as(id));
            FileData { name: name.into(), text: visible(&text[..end].replace("\r\n", "\n")).into() }
        };
        (self.files.iter().map(data).collect(), self.places)
    }
}
