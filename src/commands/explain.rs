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
    writeln!(out, "{}: {}\n\n{}", code.id, code.title, code.explanation.trim_end())?;
    out.flush()?;
    Ok(Status::Good)
}
