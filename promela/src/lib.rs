//! The Promela front end: source text to a checked model, with a span for everything.
//!
//! ```
//! use promela::{Options, check, parse_text, render};
//!
//! let text = b"byte n; proctype Worker(byte id) { n++ } active [2] proctype Main() { run Worker(_pid) }";
//! let mut parsed = parse_text("model.pml", text, &Options::default());
//! let model = check(&parsed.ast, &mut parsed.diagnostics);
//! for finding in &parsed.diagnostics {
//!     eprint!("{}", render::to_text(&parsed.sources, finding, false));
//! }
//! let model = model.expect("no errors were found");
//! let processes: Vec<(&str, u32)> = model.proctypes.values().map(|p| (&*p.name, p.active)).collect();
//! assert_eq!(processes, [("Worker", 0), ("Main", 2)]);
//! ```
//!
//! The path of the data: [`parse`] preprocesses (`preprocess`), replaces inlines (`inline`), puts in the semicolons SPIN
//! allows to leave out (`separators`) and builds the tree of [`ast`] (`grammar.lalrpop`, `parse`). All findings are
//! [`diagnostics`]; [`render`] shows them.

pub mod source;

pub(crate) mod token;

pub(crate) mod lexer;

pub(crate) mod preprocess;

pub(crate) mod inline;

pub(crate) mod separators;

pub(crate) mod nesting;

pub mod ast;

pub(crate) mod parse;

pub(crate) mod words;

pub mod ids;

pub mod model;

pub mod check;

pub mod diagnostics;

pub mod render;

pub mod files;
pub mod visible;

pub use check::{check, check_expression, check_formula};

use std::io;
use std::path::{Path, PathBuf};

use ast::{Ast, Expr, Ltl};
use diagnostics::{Diagnostic, Severity};
pub use preprocess::MAX_SOURCE_BYTES;
use preprocess::Preprocessor;
use source::Sources;

/// A source of files.
pub trait Files {
    /// The bytes of a file: the model itself, or one it includes.
    ///
    /// # Errors
    /// When there is no such file or it cannot be read.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;
}

/// The file system.
pub struct Disk;

impl Files for Disk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        files::read(path, MAX_SOURCE_BYTES)
    }
}

/// A single file in memory.
pub struct OneFile<'a> {
    /// Its name; there is no file with another one.
    pub path: &'a Path,
    /// Its text. Promela is ASCII, but comments may have other bytes.
    pub bytes: &'a [u8],
}

impl Files for OneFile<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        if path == self.path { Ok(self.bytes.to_vec()) } else { Err(io::ErrorKind::NotFound.into()) }
    }
}

/// Options of the preprocessor.
#[derive(Clone, Default, Debug)]
pub struct Options {
    /// `-D NAME` or `-D NAME=VALUE`, without the `-D`.
    pub defines: Vec<String>,
    /// `-U NAME`, without the `-U`; applied after the definitions.
    pub undefines: Vec<String>,
    /// Folders for `#include <file>`.
    pub include_dirs: Vec<PathBuf>,
}

/// A model that has been read.
#[derive(Debug)]
pub struct Parsed {
    /// The text and its tokens.
    pub sources: Sources,
    /// The tree; pieces that did not parse are missing or marked as errors.
    pub ast: Ast,
    /// All findings so far, in the order they were met. A file that cannot be read is one of them.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a model.
pub fn parse(path: &Path, files: &dyn Files, options: &Options) -> Parsed {
    let mut sources = Sources::default();
    let mut diagnostics = Vec::new();
    let tokens = Preprocessor::new(&mut sources, &mut diagnostics, files, options).run(path);
    let tokens = inline::expand(&mut sources, &mut diagnostics, tokens);
    let tokens = separators::separate(&mut sources, &mut diagnostics, &tokens);
    let ast = parse::model(&sources, &mut diagnostics, tokens);
    keep_readable(&mut diagnostics);
    Parsed { sources, ast, diagnostics }
}

/// Reads a model from memory; it can include no files.
pub fn parse_text(name: &str, text: &[u8], options: &Options) -> Parsed {
    let path = Path::new(name);
    parse(path, &OneFile { path, bytes: text }, options)
}

/// More findings than this of each severity are dropped: nobody reads them.
const MAX_FINDINGS: usize = 200;

fn keep_readable(diagnostics: &mut Vec<Diagnostic>) {
    let (mut errors, mut warnings) = (0, 0);
    diagnostics.retain(|finding| {
        let count = match finding.severity {
            Severity::Error => &mut errors,
            Severity::Warning => &mut warnings,
        };
        *count += 1;
        *count <= MAX_FINDINGS
    });
}

/// No files: expressions include nothing.
struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _: &Path) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::NotFound.into())
    }
}

/// Reads expressions with commas between them that are given outside of a model (`name` says where: `<--measure>`).
/// The model's macros apply.
pub fn parse_expressions(sources: &mut Sources, name: &str, text: &str) -> (Vec<Expr>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let tokens = lay_out_text(sources, &mut diagnostics, name, text, false);
    let list = parse::expressions(sources, &mut diagnostics, tokens);
    (list.unwrap_or_default(), diagnostics)
}

/// Reads a temporal formula that is given outside of a model. The model's macros apply.
pub fn parse_formula(sources: &mut Sources, name: &str, text: &str) -> (Option<Ltl>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let tokens = lay_out_text(sources, &mut diagnostics, name, text, true);
    let formula = parse::formula(sources, &mut diagnostics, tokens);
    (formula, diagnostics)
}

fn lay_out_text(
    sources: &mut Sources,
    diagnostics: &mut Vec<Diagnostic>,
    name: &str,
    text: &str,
    in_formula: bool,
) -> Vec<separators::Spanned> {
    let options = Options::default();
    let tokens = Preprocessor::new(sources, diagnostics, &NoFiles, &options).run_text(name, text);
    separators::separate_formula(sources, diagnostics, &tokens, in_formula)
}
