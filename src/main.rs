//! psw: a model checker for Promela.
//!
//! Here is the whole path of the data: arguments, model, answer, exit code.

mod checkpoint;
mod cli;
mod commands;
mod fault;
mod load;
mod machine;
mod observers;
mod property;
mod report;
mod search;
mod svg;
mod target;
mod terminal;
mod trace;

use std::process::ExitCode;

use clap::Parser;

use cli::{Cli, Command};
use commands::{
    check, dot, explain, hunt, layout, ltl, manual, parse, plot, progress, query, reduce, replay, resume, sim,
};
use fault::Phase;
use terminal::say;

/// The exit code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// 0: everything that was checked holds, or the command was done.
    Good,
    /// 1: a property is violated.
    Violated,
    /// 2: the input or the call is wrong.
    BadInput,
    /// 3: a limit was reached, or something was not checked: nothing was established.
    Stopped,
}

fn main() -> ExitCode {
    fault::watch();
    ignore_file_size_signal();
    set_up_allocator();
    let status = match start().map(std::thread::JoinHandle::join) {
        Ok(Ok(status)) if !fault::has_happened() => status,
        Ok(_) => return ExitCode::from(fault::EXIT_CODE),
        Err(error) => {
            say(format_args!("psw: not enough memory to start (ulimit -v?): {error}\n"));
            Status::Stopped
        }
    };
    ExitCode::from(match status {
        Status::Good => 0,
        Status::Violated => 1,
        Status::BadInput => 2,
        Status::Stopped => 3,
    })
}

/// Sizes of the stack in bytes, the first that can be allocated. Models are traversed recursively, to a depth that the parser
/// bounds and the largest has room for; where the address space is small, most models need less.
const STACKS: [usize; 3] = [256 << 20, 64 << 20, 16 << 20];

/// Starts the thread that does all of the work, on a stack that is large enough. Where the address space is bounded
/// (`ulimit -v`), the stack gets a quarter of it at most.
fn start() -> std::io::Result<std::thread::JoinHandle<Status>> {
    let most = machine::address_space().map_or(usize::MAX, |left| left / 4).max(STACKS[STACKS.len() - 1]);
    let mut refused = std::io::ErrorKind::OutOfMemory.into();
    for stack in STACKS.into_iter().filter(|&stack| stack <= most) {
        match std::thread::Builder::new().stack_size(stack).spawn(run) {
            Ok(thread) => return Ok(thread),
            Err(error) => refused = error,
        }
    }
    Err(refused)
}

/// A file that grows beyond the user's limit (`ulimit -f`) is a write that fails, and not the end of psw.
fn ignore_file_size_signal() {
    #[cfg(unix)]
    #[allow(unsafe_code)]
    // SAFETY: SIG_IGN runs no code of ours, and no other thread exists yet.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}

/// Tables and layers of states that are replaced by larger ones go back to the system at once. Left to itself the allocator
/// keeps pieces of up to 32 MB, which are not counted: 20 % over a memory limit of 100 MB. And it takes address space for small
/// pieces 128 MB at a time for every thread but the first, which `ulimit -v` may refuse: one thread does nearly all of the
/// work, and all have one heap.
fn set_up_allocator() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[allow(unsafe_code)]
    // SAFETY: this sets numbers of the allocator's, and no other thread exists yet.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, 4 << 20);
        libc::mallopt(libc::M_ARENA_MAX, 1);
    }
}

fn run() -> Status {
    let command = match Cli::try_parse() {
        Ok(cli) => cli.command,
        // What is wrong with a call is shown with the call, which may hold anything.
        Err(error) if error.use_stderr() && has_hidden(&error.render().to_string()) => {
            say(error.render());
            return Status::BadInput;
        }
        Err(error) => {
            if error.use_stderr() && asks_for_json() {
                report::refusal::write(None, Some(error.render().to_string()));
            }
            error.exit()
        }
    };
    let reports_json_of = command.reports_json_of();
    fault::enter(Phase::Load);
    let done = match command {
        Command::Check(args) => check::run(&args, None),
        Command::Resume(args) => resume::run(&args),
        Command::Ltl(args) => ltl::run(&args),
        Command::Hunt(args) => hunt::run(&args),
        Command::Query(args) => query::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Sim(args) => sim::run(&args),
        Command::Parse(args) => parse::run(&args),
        Command::Layout(args) => layout::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Progress(args) => progress::run(&args),
        Command::Reduce(args) => reduce::run(&args),
        Command::Dot(args) => dot::run(&args),
        Command::Plot(args) => plot::run(&args),
        Command::Completions(args) => manual::completions(&args),
        Command::Man(args) => manual::man(&args),
    };
    let (status, error) = match done {
        Ok(status) => (status, None),
        Err(error) if is_closed_pipe(&error) => return Status::Good,
        Err(error) => {
            say(format_args!("psw: {error:#}\n"));
            (Status::BadInput, Some(format!("{error:#}")))
        }
    };
    if let Some(model) = reports_json_of.filter(|_| status == Status::BadInput) {
        report::refusal::write(Some(&model), error);
    }
    status
}

/// Whether a call that cannot be read asks for JSON.
fn asks_for_json() -> bool {
    let words: Vec<_> = std::env::args_os().collect();
    words.windows(2).any(|pair| pair[0] == "--format" && pair[1] == "json")
        || words.iter().any(|word| word == "--format=json")
}

fn has_hidden(text: &str) -> bool {
    text.chars().any(promela::visible::is_hidden)
}

/// `psw … | head -1` ends quietly.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let broken = Some(std::io::ErrorKind::BrokenPipe);
    error.chain().any(|cause| {
        cause.downcast_ref::<std::io::Error>().map(std::io::Error::kind) == broken
            || cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind) == broken
    })
}
