//! Every model of the corpus that SPIN accepts is read, and its print reads as the same tree, where the corpus is there.

use std::io;
use std::path::{Path, PathBuf};

use promela::ast::Ast;
use promela::ast::print::{print, same_tree};
use promela::diagnostics::Severity;
use promela::{Disk, Files, Options, parse, render};

/// The models SPIN accepts, read from the corpus' table with the few lines of JSON that takes.
fn accepted() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus");
    let Ok(table) = std::fs::read_to_string(root.join("reference.json")) else {
        return Vec::new();
    };
    let field = |line: &str, key: &str| {
        let rest = line.trim().strip_prefix(&format!("\"{key}\": "))?;
        Some(rest.trim_end_matches(',').trim_matches('"').to_owned())
    };
    let (mut corpus, mut path, mut models) = (String::new(), String::new(), Vec::new());
    for line in table.lines() {
        if let Some(value) = field(line, "corpus") {
            corpus = value;
        } else if let Some(value) = field(line, "path") {
            path = value;
        } else if field(line, "accepted").is_some_and(|value| value == "true") {
            models.push(root.join(&corpus).join(&path));
        }
    }
    models
}

fn read_without_errors(path: &Path, text: Option<String>) -> Result<Ast, String> {
    let files = Overlay { path, text };
    let parsed = parse(path, &files, &Options::default());
    match parsed.diagnostics.iter().find(|finding| finding.severity == Severity::Error) {
        Some(finding) => Err(render::to_text(&parsed.sources, finding, false)),
        None => Ok(parsed.ast),
    }
}

/// The disk, but for one file.
struct Overlay<'a> {
    path: &'a Path,
    text: Option<String>,
}

impl Files for Overlay<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        match &self.text {
            Some(text) if path == self.path => Ok(text.clone().into_bytes()),
            _ => Disk.read(path),
        }
    }
}

#[test]
fn accepted_models_are_read_and_read_back() {
    for path in accepted() {
        let first = read_without_errors(&path, None).unwrap_or_else(|finding| panic!("{finding}"));
        let text = print(&first);
        let second = read_without_errors(&path, Some(text.clone())).unwrap_or_else(|finding| panic!("{finding}"));
        assert!(same_tree(&first, &second), "{} reads back differently", path.display());
        assert_eq!(text, print(&second), "{} prints differently", path.display());
    }
}
