//! Asking SPIN for the first line of a model, or checking the first lines that are there.

use crate::answer::Answer;
use crate::expectation::Expectation;
use crate::parallel;
use crate::spin::Spin;
use anyhow::Result;
use std::path::PathBuf;
use std::time::Duration;

/// Ask SPIN what the first line of each model should be.
#[derive(clap::Args)]
pub struct Args {
    /// The models.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Put the line into the model: in place of its first line if that is an expectation, or else before it.
    #[arg(long)]
    write: bool,
}

/// Prints, or writes, one line per model. True if SPIN had an answer for each.
pub fn run(args: &Args) -> Result<bool> {
    let spin = Spin::find(Duration::from_secs(60))?;
    let answers = parallel::map(&args.files, 2, |file| spin.ask(file))?;
    let mut all = true;
    for (file, answer) in args.files.iter().zip(&answers) {
        let text = std::fs::read_to_string(file)?;
        let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
        let present = Expectation::parse(first).ok();
        if present.as_ref().is_some_and(|present| present.spin_differs) {
            println!("{}: kept, SPIN says {answer}", file.display());
            continue;
        }
        let Some(expectation) = Expectation::of(answer) else {
            println!("{}: {answer}", file.display());
            all = false;
            continue;
        };
        println!("{}: {expectation}", file.display());
        if let Answer::Searched(search) = answer
            && search.kinds.iter().any(|kind| Some(kind) != search.first.as_ref())
        {
            println!(
                "  more than one kind of error, so the first depends on the order of the search: {:?}",
                search.kinds
            );
        }
        if args.write && present.as_ref() != Some(&expectation) {
            let body = if present.is_some() { rest } else { &text };
            std::fs::write(file, format!("{expectation}\n{body}"))?;
        }
    }
    Ok(all)
}
