//! `psw ltl --automaton`: the automaton of a formula, without a model.

use ltl2ba::SyntaxError;

use crate::cli::AutomatonFormat;
use crate::{Status, terminal};

/// Prints the automaton that accepts the runs which satisfy the formula.
pub fn run(text: &str, format: AutomatonFormat) -> anyhow::Result<Status> {
    let parsed = match ltl2ba::parse(text) {
        Ok(parsed) => parsed,
        Err(error) => {
            crate::say(complaint(text, &error));
            return Ok(Status::BadInput);
        }
    };
    let automaton = ltl2ba::translate(&parsed.formulas, parsed.formula)?;
    let names = parsed.names();
    let shown = parsed.formulas.display(parsed.formula, &names).to_string();
    let print = match format {
        AutomatonFormat::Never => ltl2ba::never_claim,
        AutomatonFormat::Hoa => ltl2ba::hoa,
        AutomatonFormat::Dot => ltl2ba::dot,
    };
    terminal::print(&print(&automaton, &names, &shown))?;
    Ok(Status::Good)
}

/// What is wrong, with the formula and a line that points into it.
fn complaint(text: &str, error: &SyntaxError) -> String {
    let start = text[..error.span.start].rfind('\n').map_or(0, |end| end + 1);
    let line = text[start..].lines().next().unwrap_or_default();
    let column = text[start..error.span.start].chars().count();
    let width = text[error.span.clone()].lines().next().map_or(0, |piece| piece.chars().count()).max(1);
    let mut shown = format!("error: {error}\n  {line}\n  {}{}\n", " ".repeat(column), "^".repeat(width));
    if let Some(help) = &error.help {
        shown.push_str(&format!("  {help}\n"));
    }
    shown
}
