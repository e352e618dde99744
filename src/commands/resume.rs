//! `psw resume`: the check that a checkpoint belongs to goes on.

use anyhow::{Context, bail};
use clap::Parser;

use crate::Status;
use crate::checkpoint::Resumed;
use crate::cli::{Cli, Command, ResumeArgs};
use crate::commands::check;

/// Runs the command.
pub fn run(args: &ResumeArgs) -> anyhow::Result<Status> {
    let resumed = Resumed::open(&args.file)?;
    let Ok(Cli { command: Command::Check(mut check) }) = Cli::try_parse_from(resumed.origin.arguments()) else {
        bail!(resumed.mismatch());
    };
    args.apply(&mut check);
    let hint = resumed.other_folder().map(|folder| format!("the check was begun in {folder}"));
    let done = check::run(&check, Some(resumed));
    match hint {
        Some(hint) if !check.model.model.exists() => done.context(hint),
        _ => done,
    }
}
