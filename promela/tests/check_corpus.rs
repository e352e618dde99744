//! Every model of the corpus is checked as SPIN checks it: accepted without an error, or rejected with a place.

use std::path::Path;

use promela::diagnostics::{Diagnostic, Severity};
use promela::{Disk, Options, check, parse};

struct Record {
    path: String,
    accepted: bool,
}

fn field(line: &str, key: &str) -> Option<String> {
    let rest = line.trim().strip_prefix(&format!("\"{key}\": "))?;
    Some(rest.trim_end_matches(',').trim_matches('"').to_owned())
}

/// The records of the corpus' table, read line by line; none where the corpus is absent.
fn records(root: &Path) -> Vec<Record> {
    let table = std::fs::read_to_string(root.join("reference.json")).unwrap_or_default();
    let (mut corpus, mut path, mut records) = (String::new(), String::new(), Vec::new());
    for line in table.lines() {
        if let Some(value) = field(line, "corpus") {
            corpus = value;
        } else if let Some(value) = field(line, "path") {
            path = value;
        } else if let Some(value) = field(line, "accepted") {
            records.push(Record { path: format!("{corpus}/{path}"), accepted: value == "true" });
        }
    }
    records
}

fn errors(path: &Path) -> Vec<Diagnostic> {
    let parsed = parse(path, &Disk, &Options::default());
    let mut findings = parsed.diagnostics;
    if findings.iter().all(|finding| finding.severity == Severity::Warning) {
        let model = check(&parsed.ast, &mut findings);
        let failed = findings.iter().any(|finding| finding.severity == Severity::Error);
        assert_eq!(model.is_none(), failed, "{}: a model if and only if no error", path.display());
    }
    findings.retain(|finding| finding.severity == Severity::Error);
    findings
}

#[test]
fn the_corpus_is_judged_as_spin_judges_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus");
    let mut wrong = Vec::new();
    for record in records(&root) {
        let errors = errors(&root.join(&record.path));
        let with_a_place = errors.iter().all(|finding| finding.labels.iter().any(|label| label.primary));
        let refused_c = errors.iter().any(|finding| finding.message.contains("embedded C"));
        if errors.is_empty() != record.accepted && !refused_c || !with_a_place {
            wrong.push(format!("{}: {:?}", record.path, errors.first().map(|finding| &finding.message)));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
