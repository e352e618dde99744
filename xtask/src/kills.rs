//! Kills: runs of psw with checkpoints are killed at random moments and resumed until they end by themselves.
//!
//! Whatever was killed, verdict, counts and trace are those of a run that was left alone: all of the report but times and
//! bytes is compared. Some kills come while a checkpoint is being written or takes the place of the one before it; how many
//! came at such a moment is shown.

use crate::psw::Psw;
use crate::random::rng::Rng;
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Kill runs with checkpoints at random moments, resume them, and compare what they say in the end.
#[derive(clap::Args)]
pub struct Args {
    /// The model.
    model: PathBuf,
    /// Options of `psw check`.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    options: Vec<String>,
    /// How many kills.
    #[arg(long, default_value_t = 100)]
    kills: u32,
    /// Time between two checkpoints, as psw is told.
    #[arg(long, default_value = "0s")]
    every: String,
    /// The most seconds until a kill [default: a third of what the run takes].
    #[arg(long)]
    within: Option<f64>,
    /// Of the random moments.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The psw to judge; the one in this program's folder by default.
    #[arg(long)]
    psw: Option<PathBuf>,
}

/// Whoever takes longer has no end.
const PATIENCE: Duration = Duration::from_secs(3600);
/// What may differ: what is measured.
const MEASURED: [&str; 3] = ["seconds", "peak_bytes", "checkpoint"];
/// The name of the checkpoint in a folder of its own.
const CHECKPOINT: &str = "run.ckpt";

/// Prints what happened. True if all runs ended alike.
pub fn run(args: &Args) -> Result<bool> {
    let psw = Psw::find(args.psw.as_deref(), PATIENCE)?;
    let model = std::fs::canonicalize(&args.model).with_context(|| args.model.display().to_string())?;
    let dir = tempfile::tempdir()?;
    let check = |checkpoints: &[&str]| {
        let mut words = vec!["check".to_owned(), model.display().to_string()];
        words.extend(args.options.iter().cloned());
        words.extend(["--format", "json", "--quiet"].iter().chain(checkpoints).map(|&word| word.to_owned()));
        words
    };
    let call = Call { psw: psw.program(), dir: dir.path() };
    let began = Instant::now();
    let expected = call.run(&check(&[]), None)?.context("a run that nobody kills ends")?;
    let alone = began.elapsed();
    let checkpoints = ["--checkpoint", CHECKPOINT, "--checkpoint-every", &args.every];
    let within = args.within.map_or(alone / 3, Duration::from_secs_f64);
    let mut rng = Rng::new(args.seed);
    let (mut kills, mut writing, mut before_first, mut runs, mut same) = (0, 0, 0, 0, true);
    while kills < args.kills {
        call.forget()?;
        runs += 1;
        let ended = loop {
            let is_there = dir.path().join(CHECKPOINT).exists();
            before_first += u32::from(kills > 0 && !is_there);
            let words = match is_there {
                true => vec!["resume".to_owned(), CHECKPOINT.to_owned()],
                false => check(&checkpoints),
            };
            let moment = Duration::from_micros(rng.below(within.as_micros() as usize) as u64);
            // The last run is left alone.
            match call.run(&words, (kills < args.kills).then_some(moment))? {
                Some(ended) => break ended,
                None => {
                    kills += 1;
                    writing += u32::from(dir.path().join(format!("{CHECKPOINT}.new")).exists());
                }
            }
        };
        if ended != expected {
            same = false;
            println!("run {runs} differs (seed {}):\n{}\n{}", args.seed, expected.0, ended.0);
        }
    }
    println!(
        "{}: {kills} kills in {runs} runs of {:.1} s, {writing} while a checkpoint was written, {before_first} before the \
         first; {} states, {}; {}",
        args.model.display(),
        alone.as_secs_f64(),
        expected.0["states"],
        expected.0["verdict"],
        if same { "all ended alike" } else { "NOT ALL ENDED ALIKE" }
    );
    Ok(same)
}

/// What psw says, without what is measured, and its exit code.
#[derive(PartialEq, Debug)]
struct Ended(Value, Option<i32>);

struct Call<'a> {
    psw: &'a Path,
    dir: &'a Path,
}

impl Call<'_> {
    /// Runs psw, and kills it after a while; `None` if it had not ended by then.
    fn run(&self, words: &[String], moment: Option<Duration>) -> Result<Option<Ended>> {
        let out = self.dir.join("_stdout");
        let mut command = Command::new(self.psw);
        command.args(words).current_dir(self.dir).stdin(Stdio::null()).stdout(File::create(&out)?);
        let mut child = command.spawn().context("cannot run psw")?;
        let began = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if moment.is_some_and(|moment| began.elapsed() >= moment) {
                child.kill()?;
                let status = child.wait()?;
                if status.code().is_some() {
                    break status;
                }
                return Ok(None);
            }
            ensure!(began.elapsed() < PATIENCE, "psw does not end");
            std::thread::sleep(Duration::from_micros(200));
        };
        let text = std::fs::read_to_string(&out)?;
        let mut report: Value = serde_json::from_str(&text).with_context(|| format!("psw said {text:?}"))?;
        forget_measured(&mut report);
        Ok(Some(Ended(report, status.code())))
    }

    /// Takes checkpoints away.
    fn forget(&self) -> Result<()> {
        for name in [CHECKPOINT.to_owned(), format!("{CHECKPOINT}.new")] {
            let path = self.dir.join(name);
            if path.exists() {
                std::fs::remove_file(path)?;
            }
        }
        Ok(())
    }
}

fn forget_measured(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !MEASURED.contains(&name.as_str()));
            fields.values_mut().for_each(forget_measured);
        }
        Value::Array(items) => items.iter_mut().for_each(forget_measured),
        _ => {}
    }
}
