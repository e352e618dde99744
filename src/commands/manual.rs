//! `psw completions` and `psw man`: what a shell and a manual need to know, made from the command line's own description.

use std::io::Write;

use anyhow::Context;
use clap::CommandFactory;

use crate::Status;
use crate::cli::{Cli, CompletionsArgs, ManArgs};

/// Runs `psw completions`.
pub fn completions(args: &CompletionsArgs) -> anyhow::Result<Status> {
    // Into memory first: the generator does not survive a closed pipe.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "psw", &mut script);
    print(&script)
}

/// Runs `psw man`.
pub fn man(args: &ManArgs) -> anyhow::Result<Status> {
    let mut command = Cli::command();
    command.build();
    if let Some(name) = &args.command {
        let found = command.find_subcommand(name).cloned();
        command = found.with_context(|| format!("there is no command `{name}`; `psw --help` lists them"))?;
    }
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    print(&page)
}

fn print(text: &[u8]) -> anyhow::Result<Status> {
    let mut out = std::io::stdout().lock();
    out.write_all(text)?;
    out.flush()?;
    Ok(Status::Good)
}
