//! `psw parse`: is this correct Promela?

use std::io::{IsTerminal, Write};

use promela::render::{self, Record};

use crate::cli::{Format, ParseArgs};
use crate::load::{self, ParsedInput};
use crate::{Status, terminal};

/// Runs the command.
pub fn run(args: &ParseArgs) -> anyhow::Result<Status> {
    let parsed = load::parse(&args.model);
    if let (Err(error), Format::Json) = (&parsed, args.format) {
        let record = Record::unreadable(&args.model.model, format!("{error:#}"));
        write_json(&[record])?;
    }
    let ParsedInput { sources, ast, model, findings } = parsed?;
    let mut out = terminal::stdout_as(args.format);
    match args.format {
        Format::Json => {
            drop(out);
            let list: Vec<_> = findings.iter().map(|finding| render::to_record(&sources, finding)).collect();
            write_json(&list)?;
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

fn write_json(list: &[Record]) -> anyhow::Result<()> {
    let mut out = terminal::stdout_as(Format::Json);
    serde_json::to_writer_pretty(&mut out, list)?;
    Ok(writeln!(out)?)
}
