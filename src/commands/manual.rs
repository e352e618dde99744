//! `psw completions` and `psw man`: what a shell and a manual need to know, made from the command line's own description.

use anyhow::Context;
use clap::CommandFactory;

use crate::cli::{Cli, CompletionsArgs, ManArgs};
use crate::{Status, terminal};

/// Runs `psw completions`.
pub fn completions(args: &CompletionsArgs) -> anyhow::Result<Status> {
    // Into memory first: the generator does not survive a closed pipe.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "psw", &mut script);
    terminal::print_raw(&script)?;
    Ok(Status::Good)
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
    terminal::print_raw(&page)?;
    Ok(Status::Good)
}
