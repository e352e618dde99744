//! `psw parse`: is this correct Promela?

use std::io::{IsTerminal, Write};

use promela::render;

use crate::cli::{Format, ParseArgs};
use crate::load::{self, ParsedInput};
use crate::{Status, terminal};

/// Runs the command.
pub fn run(args: &ParseArgs) -> anyhow::Result<Status> {
    let ParsedInput { sources, ast, model, findings } = load::parse(&args.model)?;
    let mut out = terminal::stdout_as(args.format);
    match args.format {
        Format::Json => {
            let list: Vec<_> = findings.iter().map(|finding| render::to_record(&sources, finding)).collect();
            serde_json::to_writer_pretty(&mut out, &list)?;
            writeln!(out)?;
        }
        Format::Text => {
            load::show(&sources, &findings);
            if args.print && !std::io::stdout().is_terminal() {
                // A model to be read again is what it is.
                drop(out);
                terminal::print_raw(promela::ast::print::print(&ast).as_bytes())?;
            } else if args.print {
                write!(out, "{}", promela::ast::print::print(&ast))?;
            } else {
                writeln!(out, "{}", load::summary(&args.model.model, &findings))?;
            }
        }
    }
    Ok(if model.is_some() { Status::Good } else { Status::BadInput })
}
