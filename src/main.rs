//! psw: a model checker for Promela.
//!
//! Here is the whole path of the data: arguments, model, answer, exit code.

mod automaton;
mod check;
mod cli;
mod cutoff;
mod differences;
mod digest;
mod dot;
mod explain;
mod expression;
mod growth;
mod layout;
mod load;
mod log;
mod ltl;
mod machine;
mod manual;
mod measuring;
mod msc;
mod parse;
mod plot;
mod progress;
mod property;
mod query;
mod replay;
mod report;
mod selected;
mod sim;
mod trace_file;
mod trail;
mod unreached;
mod watch;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

use cli::{Cli, Command};

/// What the exit code says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// 0: everything that was asked for holds, or was done.
    Good,
    /// 1: a property is violated.
    Violated,
    /// 2: the input or the call is wrong.
    BadInput,
    /// 3: a limit was reached, or something was not checked: nothing was established.
    Stopped,
}

fn main() -> ExitCode {
    // Deeply nested models are walked recursively, to a depth the parser bounds.
    let walk = std::thread::Builder::new().stack_size(256 << 20).spawn(run);
    let status = match walk.map(std::thread::JoinHandle::join) {
        Ok(Ok(status)) => status,
        _ => return ExitCode::from(101),
    };
    ExitCode::from(match status {
        Status::Good => 0,
        Status::Violated => 1,
        Status::BadInput => 2,
        Status::Stopped => 3,
    })
}

fn run() -> Status {
    let done = match Cli::parse().command {
        Command::Check(args) => check::run(&args),
        Command::Ltl(args) => ltl::run(&args),
        Command::Query(args) => query::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Sim(args) => sim::run(&args),
        Command::Parse(args) => parse::run(&args),
        Command::Layout(args) => layout::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Progress(args) => progress::run(&args),
        Command::Dot(args) => dot::run(&args),
        Command::Plot(args) => plot::run(&args),
        Command::Completions(args) => manual::completions(&args),
        Command::Man(args) => manual::man(&args),
    };
    done.unwrap_or_else(|error| {
        if is_closed_pipe(&error) {
            return Status::Good;
        }
        say(format_args!("psw: {error:#}\n"));
        Status::BadInput
    })
}

/// Writes to standard error, where nobody may be listening any more.
fn say(text: impl std::fmt::Display) {
    let _ = write!(std::io::stderr(), "{text}");
}

/// `psw … | head -1` ends quietly.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let broken = Some(std::io::ErrorKind::BrokenPipe);
    error.chain().any(|cause| {
        cause.downcast_ref::<std::io::Error>().map(std::io::Error::kind) == broken
            || cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind) == broken
    })
}
