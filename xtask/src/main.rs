//! `cargo xtask`: the judges of psw, as commands.

use anyhow::Result;
use clap::{Parser, Subcommand};
use std::process::ExitCode;
use xtask::{
    bench, claims, compare, expect, kills, limits, ltl, models, mutants, paper, plain, products, random, reduction,
    replay, traps,
};

#[derive(Parser)]
#[command(name = "xtask", about = "The judges of psw: recorded numbers, real SPIN, random models.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Bench(bench::Args),
    Claims(claims::Args),
    Compare(compare::Args),
    Expect(expect::Args),
    Kills(kills::Args),
    Limits(limits::Args),
    Ltl(ltl::Args),
    Models(models::Args),
    Mutants(mutants::Args),
    Paper(paper::Args),
    Plain(plain::Args),
    Products(products::Args),
    Random(random::Args),
    Reduction(reduction::Args),
    Replay(replay::Args),
    Traps(traps::Args),
}

fn main() -> Result<ExitCode> {
    let fine = match Cli::parse().command {
        Command::Bench(args) => bench::run(&args)?,
        Command::Claims(args) => claims::run(&args)?,
        Command::Compare(args) => compare::run(&args)?,
        Command::Expect(args) => expect::run(&args)?,
        Command::Kills(args) => kills::run(&args)?,
        Command::Limits(args) => limits::run(&args)?,
        Command::Ltl(args) => ltl::run(&args)?,
        Command::Models(args) => models::run(&args)?,
        Command::Mutants(args) => mutants::run(&args)?,
        Command::Paper(args) => paper::run(&args)?,
        Command::Plain(args) => plain::run(&args)?,
        Command::Products(args) => products::run(&args)?,
        Command::Random(args) => random::run(&args)?,
        Command::Reduction(args) => reduction::run(&args)?,
        Command::Replay(args) => replay::run(&args)?,
        Command::Traps(args) => traps::run(&args)?,
    };
    Ok(if fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
