//! Random models: psw against real SPIN, and a difference made small before it is reported.
//!
//! A model is known by its seed: `random --seed S --count N` judges the models S, S+1, ... S+N-1.

mod formulas;
mod generate;
mod print;
mod rng;
mod shrink;
mod statistics;
mod tree;

use crate::answer::Answer;
use crate::parallel;
use crate::psw::{Order, Psw};
use crate::spin::Spin;
use anyhow::{Context, Result};
use clap::ValueEnum;
use generate::{Feature, generate};
use print::print;
use statistics::Statistics;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;
use tree::Model;

/// Compare psw and SPIN on random models.
#[derive(clap::Args)]
pub struct Args {
    /// The seed of the first model; the next model has the next seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many models.
    #[arg(long, default_value_t = 200)]
    count: u64,
    /// Use no other parts of the language than these.
    #[arg(long, value_enum, value_delimiter = ',')]
    features: Vec<Feature>,
    /// Where the models that show a difference are written, small and as they were.
    #[arg(long)]
    out: Option<PathBuf>,
    /// How many models to judge at the same time.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// The psw to judge; the one beside this program if not given.
    #[arg(long)]
    psw: Option<PathBuf>,
    /// Ask only SPIN: what the generator makes, without a comparison.
    #[arg(long)]
    spin_only: bool,
    /// Seconds that a checker may take for one model; what takes SPIN longer is skipped.
    #[arg(long, default_value_t = 5)]
    max_time: u64,
    /// How many simplifications are tried to make a difference small.
    #[arg(long, default_value_t = 3000)]
    tries: usize,
    /// Judge so many random formulas on each model, instead of its numbers.
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    formulas: usize,
    /// Print the models instead of running them.
    #[arg(long)]
    print: bool,
}

/// The two checkers.
struct Judges {
    spin: Spin,
    psw: Option<Psw>,
}

/// How psw's answer differs from SPIN's, and the answers.
struct Difference {
    what: &'static str,
    psw: Answer,
    spin: Answer,
}

/// Judges the models and prints what differs, and what they were like. True if nothing differs.
pub fn run(args: &Args) -> Result<bool> {
    let allowed = if args.features.is_empty() { Feature::value_variants() } else { &args.features };
    let seeds: Vec<u64> = (args.seed..args.seed.saturating_add(args.count)).collect();
    if args.print {
        seeds.iter().for_each(|seed| println!("/* seed {seed} */\n{}", print(&generate(*seed, allowed))));
        return Ok(true);
    }
    let limit = Duration::from_secs(args.max_time);
    let psw = if args.spin_only { None } else { Some(Psw::find(args.psw.as_deref(), limit * 4)?) };
    let judges = Judges { spin: Spin::find(limit)?, psw };
    if args.formulas > 0 {
        return formulas::run(args, &judges);
    }
    if let Some(out) = &args.out {
        std::fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    }
    let statistics = Mutex::new(Statistics::default());
    let fine = parallel::map(&seeds, args.jobs, |seed| {
        let model = generate(*seed, allowed);
        let (spin, difference) = judges.judge(&judges.spin, &model)?;
        statistics.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).add(*seed, &print(&model), &spin);
        // A compiler that is fast may be wrong: gcc has the last word.
        let confirmed = match difference {
            Some(_) => judges.judge(&judges.spin.with_gcc(), &model)?.1,
            None => None,
        };
        let Some(difference) = confirmed else {
            return Ok(true);
        };
        judges.report(*seed, &model, difference, args)?;
        Ok(false)
    })?;
    let differing = fine.iter().filter(|fine| !**fine).count();
    print!("{}", statistics.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()));
    if judges.psw.is_some() {
        println!("{} models, {differing} differ", seeds.len());
    }
    Ok(differing == 0)
}

impl Judges {
    /// What SPIN says, and the difference that psw makes.
    fn judge(&self, spin: &Spin, model: &Model) -> Result<(Answer, Option<Difference>)> {
        let dir = tempfile::tempdir()?;
        let path = dir.path().join("model.pml");
        std::fs::write(&path, print(model))?;
        let judge = spin.ask(&path)?;
        // What SPIN could not finish judges nothing.
        let Some(psw) = self.psw.as_ref().filter(|_| !matches!(judge, Answer::Lost(_))) else {
            return Ok((judge, None));
        };
        // Sweeps are judged on models whose numbers are recorded.
        for order in [Order::Dfs, Order::Bfs, Order::Compact] {
            let answer = psw.ask(&path, order)?;
            if let Some(what) = answer.difference(&judge) {
                return Ok((judge.clone(), Some(Difference { what, psw: answer, spin: judge })));
            }
        }
        Ok((judge, None))
    }

    fn report(&self, seed: u64, model: &Model, difference: Difference, args: &Args) -> Result<()> {
        let mut shown = difference;
        let small = shrink::shrink(model, args.tries, |candidate| match self.judge(&self.spin, candidate) {
            Ok((_, Some(found))) if found.what == shown.what => {
                shown = found;
                true
            }
            _ => false,
        });
        let text = format!(
            "/* seed {seed}: {}\n   psw:  {}\n   SPIN: {} */\n{}",
            shown.what,
            without_comment(&shown.psw),
            without_comment(&shown.spin),
            print(&small)
        );
        println!("{text}");
        if let Some(out) = &args.out {
            write(out, &format!("{seed}.pml"), &text)?;
            write(out, &format!("{seed}.whole.pml"), &print(model))?;
        }
        Ok(())
    }
}

/// An answer as text that can stand in a comment.
fn without_comment(answer: &Answer) -> String {
    answer.to_string().replace("*/", "* /")
}

fn write(folder: &Path, name: &str, text: &str) -> Result<()> {
    let path = folder.join(name);
    std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}
