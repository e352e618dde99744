//! `psw parse`: is this correct Promela?

use std::io::Write;

use promela::render;

use crate::Status;
use crate::cli::{Format, ParseArgs};
use crate::load::{self, Checked};

/// Runs the command.
pub fn run(args: &ParseArgs) -> anyhow::Result<Status> {
    let Checked { sources, ast, model, findings } = load::check(&args.model)?;
    let mut out = std::io::stdout().lock();
    match args.format {
        Format::Json => {
            let list: Vec<_> = findings.iter().map(|finding| render::to_record(&sources, finding)).collect();
            serde_json::to_writer_pretty(&mut out, &list)?;
            writeln!(out)?;
        }
        Format::Text => {
            load::show(&sources, &findings);
            if args.print {
                write!(out, "{}", promela::ast::print::print(&ast))?;
            } else {
                writeln!(out, "{}", load::summary(&args.model.model, &findings))?;
            }
        }
    }
    Ok(if model.is_some() { Status::Good } else { Status::BadInput })
}
