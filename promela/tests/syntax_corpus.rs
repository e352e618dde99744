//! Every model of the corpus that SPIN accepts is read without a finding, where the corpus is there.

use std::path::{Path, PathBuf};

use promela::diagnostics::Severity;
use promela::{Disk, Options, parse};

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

#[test]
fn accepted_models_are_read() {
    let mut bad = 0;
    for path in accepted() {
        let parsed = parse(&path, &Disk, &Options::default());
        let errors: Vec<_> = parsed
            .diagnostics
            .iter()
            .filter(|d| d.severity == Severity::Error)
            .collect();
        if let Some(first) = errors.first() {
            bad += 1;
            let line = first
                .labels
                .first()
                .map_or(0, |label| parsed.sources.line(label.span));
            println!(
                "{}:{line}: {} {} {:?}",
                path.display(),
                first.code.id,
                first.message,
                first.notes
            );
        }
    }
    assert_eq!(bad, 0, "models with errors");
}
