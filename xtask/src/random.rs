//! Random models: psw against real SPIN or its own plain semantics, and a difference made small before it is reported.
//!
//! A model is known by its seed: `random --seed S --count N` judges the models S, S+1, ... S+N-1. With `--plain` some of
//! them do what SPIN leaves undefined, so that `--print --plain` shows what `--plain` judges.

mod dead_states;
mod formulas;
mod generate;
mod limited;
mod print;
pub(crate) mod rng;
mod shapes;
mod shrink;
mod statistics;
mod tree;

use crate::answer::Answer;
use crate::parallel;
use crate::plain::{self, Comparison};
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

/// Compare psw and SPIN, or psw and its plain semantics, on random models.
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
    /// The psw to judge; the one in this program's folder by default.
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
    /// Compare this many random formulas on each model, instead of its counts.
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    formulas: usize,
    /// Compare with psw's plain semantics, and with reductions, instead of with SPIN, which is not needed then.
    #[arg(long)]
    plain: bool,
    /// Compare with SPIN, with the plain semantics, and with reductions.
    #[arg(long, conflicts_with = "plain")]
    both: bool,
    /// Run each model under tiny limits too: no verdict may change.
    #[arg(long)]
    limits: bool,
    /// Print the models instead of running them.
    #[arg(long)]
    print: bool,
}

/// Who is asked about a model.
struct Judges {
    /// Real SPIN.
    spin: Option<Spin>,
    /// The psw that is judged.
    psw: Option<Psw>,
    /// Whether its plain semantics is asked too.
    plain: bool,
    /// Whether it runs under tiny limits too.
    limits: bool,
}

/// How psw's answer differs from that of a judge, and the answers.
struct Difference {
    what: &'static str,
    psw: String,
    judge: String,
}

/// What was found out about a model.
struct Judged {
    /// What SPIN said, or else the plain semantics.
    answer: Answer,
    difference: Option<Difference>,
}

/// Judges the models and prints what differs, and what they were like. True if nothing differs.
pub fn run(args: &Args) -> Result<bool> {
    let mut allowed = if args.features.is_empty() { Feature::value_variants().to_vec() } else { args.features.clone() };
    if !args.plain {
        allowed.retain(|feature| *feature != Feature::SpinUndefined);
    }
    let seeds: Vec<u64> = (args.seed..args.seed.saturating_add(args.count)).collect();
    if args.print {
        seeds.iter().for_each(|seed| println!("/* seed {seed} */\n{}", print(&generate(*seed, &allowed))));
        return Ok(true);
    }
    let limit = Duration::from_secs(args.max_time);
    let psw = if args.spin_only { None } else { Some(Psw::find(args.psw.as_deref(), limit * 4)?) };
    let spin = if args.plain { None } else { Some(Spin::find(limit)?) };
    let judges = Judges { spin, psw, plain: args.plain || args.both, limits: args.limits };
    if args.formulas > 0 {
        return formulas::run(args, &judges);
    }
    if let Some(out) = &args.out {
        std::fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    }
    let statistics = Mutex::new(Statistics::default());
    let fine = parallel::map(&seeds, args.jobs, |seed| {
        let model = generate(*seed, &allowed);
        let Judged { answer, difference } = judges.judge(&model)?;
        statistics.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).add(*seed, &model, &answer);
        // A compiler that is fast may be wrong: gcc has the last word.
        let confirmed = match difference {
            Some(first) if judges.spin.is_some() => match judges.with_gcc().judge(&model)? {
                Judged { answer: Answer::Lost(_), .. } => Some(first), // it was too slow to say anything
                Judged { difference, .. } => difference,
            },
            difference => difference,
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
    /// The same, with gcc for SPIN's verifiers.
    fn with_gcc(&self) -> Judges {
        let spin = self.spin.as_ref().map(Spin::with_gcc);
        Judges { spin, psw: self.psw.clone(), plain: self.plain, limits: self.limits }
    }

    /// What the judges say, and the first difference that psw makes.
    fn judge(&self, model: &Model) -> Result<Judged> {
        let dir = tempfile::tempdir()?;
        let path = dir.path().join("model.pml");
        std::fs::write(&path, print(model))?;
        let mut judged = match &self.spin {
            Some(spin) => self.by_spin(spin, &path)?,
            None => Judged { answer: Answer::Lost("not judged".to_string()), difference: None },
        };
        let Some(psw) = &self.psw else {
            return Ok(judged);
        };
        if self.plain && judged.difference.is_none() {
            let options = ["--max-states", PLAIN_STATES];
            let answer = match plain::compare(psw, &path, &options)? {
                Comparison::Same(answer) => answer,
                Comparison::Skipped(_) => Answer::Lost("stopped by a limit".to_string()),
                Comparison::Differs(plain::Difference { what, clever, plain }) => {
                    judged.difference = Some(Difference { what, psw: clever, judge: plain });
                    Answer::Lost("not the same".to_string())
                }
            };
            if matches!(answer, Answer::Searched(_)) {
                judged.difference = dead_states::judge(psw, &path, &options)?;
            }
            if self.spin.is_none() {
                judged.answer = answer;
            }
        }
        if self.limits && judged.difference.is_none() {
            judged.difference = limited::judge(psw, &path)?;
        }
        Ok(judged)
    }

    fn by_spin(&self, spin: &Spin, path: &Path) -> Result<Judged> {
        let answer = spin.ask(path)?;
        // What SPIN could not finish judges nothing; but psw must not break down on it.
        let lost = matches!(answer, Answer::Lost(_));
        // Sweeps are judged on models whose numbers are recorded.
        let orders: &[Order] = if lost { &[Order::Dfs] } else { &[Order::Dfs, Order::Bfs, Order::Compact] };
        let mut difference = None;
        for order in orders.iter().filter(|_| self.psw.is_some()) {
            let Some(psw) = &self.psw else { break };
            let said = psw.ask(path, *order)?;
            difference = said.difference(&answer).map(|what| Difference {
                what,
                psw: said.to_string(),
                judge: format!("SPIN: {answer}"),
            });
            if difference.is_some() {
                break;
            }
        }
        Ok(Judged { answer, difference })
    }

    fn report(&self, seed: u64, model: &Model, difference: Difference, args: &Args) -> Result<()> {
        let mut shown = difference;
        let small = shrink::shrink(model, args.tries, |candidate| match self.judge(candidate) {
            Ok(Judged { difference: Some(found), .. }) if found.what == shown.what => {
                shown = found;
                true
            }
            _ => false,
        });
        let text = format!(
            "/* seed {seed}: {}\n   psw:   {}\n   judge: {} */\n{}",
            shown.what,
            without_comment(&shown.psw),
            without_comment(&shown.judge),
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

/// What has more states is not compared with the plain semantics.
const PLAIN_STATES: &str = "50000";

/// An answer as text that can stand in a comment.
fn without_comment(answer: &str) -> String {
    answer.replace("*/", "* /")
}

fn write(folder: &Path, name: &str, text: &str) -> Result<()> {
    let path = folder.join(name);
    std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}
