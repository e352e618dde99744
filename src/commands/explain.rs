//! `psw explain`: what a code means.

use std::io::Write;

use anyhow::bail;

use crate::cli::ExplainArgs;
use crate::report::differences;
use crate::{Status, terminal};

/// Runs the command.
pub fn run(args: &ExplainArgs) -> anyhow::Result<Status> {
    let mut codes = promela::diagnostics::all_codes();
    codes.extend(differences::CODES);
    codes.sort_by_key(|code| code.id);
    let mut out = terminal::stdout();
    let Some(wanted) = &args.code else {
        for code in codes {
            writeln!(out, "{}  {}", code.id, code.title)?;
        }
        out.flush()?;
        return Ok(Status::Good);
    };
    let Some(code) = codes.iter().find(|code| code.id.eq_ignore_ascii_case(wanted)) else {
        bail!("no diagnostic has the code {wanted}; `psw explain` lists them all");
    };
    let explanation = code.explanation.trim_end();
    // Where it opens with an example, the first line has lost its indentation.
    let indent = if opens_with_code(explanation) { "    " } else { "" };
    writeln!(out, "{}: {}\n\n{indent}{explanation}", code.id, code.title)?;
    out.flush()?;
    Ok(Status::Good)
}

/// Whether the first line belongs to an example: prose is set apart from those by an empty line.
fn opens_with_code(explanation: &str) -> bool {
    let mut lines = explanation.lines();
    let first = lines.next().unwrap_or("");
    first.ends_with("*/") || lines.next().is_some_and(|second| second.starts_with("    "))
}
