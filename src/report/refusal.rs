//! Why there is no report, as JSON: errors in the model or in the call. People read the same on standard error.

use std::cell::RefCell;
use std::io::Write;
use std::path::Path;

use promela::diagnostics::Diagnostic;
use promela::render::{self, Record};
use promela::source::Sources;
use serde::Serialize;

use crate::cli::Format;
use crate::terminal;

thread_local! {
    /// What has been found wrong, by the one thread that does the work.
    static SHOWN: RefCell<Vec<Record>> = const { RefCell::new(Vec::new()) };
}

/// Keeps findings that have been shown.
pub fn keep(sources: &Sources, findings: &[Diagnostic]) {
    SHOWN.with_borrow_mut(|shown| shown.extend(findings.iter().map(|finding| render::to_record(sources, finding))));
}

#[derive(Serialize)]
struct JsonRefusal {
    version: u32,
    model: Option<String>,
    verdict: &'static str,
    error: Option<String>,
    diagnostics: Vec<Record>,
}

/// Writes what was kept, and the error of the call if there is one. Whether it can be written changes no exit code.
pub fn write(model: Option<&Path>, error: Option<String>) {
    let refusal = JsonRefusal {
        version: 1,
        model: model.map(|model| model.display().to_string()),
        verdict: "error",
        error,
        diagnostics: SHOWN.take(),
    };
    let mut out = terminal::stdout_as(Format::Json);
    if let Ok(mut text) = serde_json::to_string_pretty(&refusal) {
        text.push('\n');
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    }
}
