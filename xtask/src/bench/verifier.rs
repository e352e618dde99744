//! A verifier of SPIN's: `spin -a`, gcc, and what it took to make it.
//!
//! It goes on after errors, keeps no claims, and prints nothing of unreached code: what `psw check --safety --all-errors`
//! does. All else is the caller's choice.

use super::measured::{self, Limits, Measured};
use anyhow::Result;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// The choices, for each of the three programs.
pub(crate) struct Options {
    pub(crate) spin: Vec<String>,
    pub(crate) gcc: Vec<String>,
    pub(crate) pan: Vec<String>,
}

/// A verifier that can run at once.
pub(crate) struct Verifier {
    pub(crate) program: PathBuf,
    pub(crate) args: Vec<String>,
    /// From the text of the model to the verifier.
    pub(crate) wall: Duration,
    /// The processor time of that.
    pub(crate) cpu: Duration,
    pub(crate) dir: TempDir,
    /// What gcc was told.
    flags: Vec<String>,
}

impl Verifier {
    /// Makes one, or says why there is none.
    pub(crate) fn make(model: &Path, options: Options, limits: Limits) -> Result<Result<Verifier, String>> {
        let dir = tempfile::tempdir()?;
        let strings = |words: &[&str]| words.iter().map(|word| word.to_string()).collect::<Vec<_>>();
        let mut args = options.spin;
        args.extend(["-a".to_string(), model.display().to_string()]);
        let generated = measured::run(Path::new("spin"), &args, dir.path(), limits)?;
        if !dir.path().join("pan.c").exists() {
            return Ok(Err(format!("spin -a fails: {}", generated.ran.stdout.lines().next().unwrap_or_default())));
        }
        let mut flags = strings(&["-O2", "-w", "-DSAFETY", "-DNOCLAIM", "-o", "pan", "pan.c"]);
        flags.extend(options.gcc);
        let compiled = measured::run(Path::new("gcc"), &flags, dir.path(), limits)?;
        if !compiled.ran.succeeded() {
            return Ok(Err("pan.c does not compile".to_string()));
        }
        let mut args = strings(&["-c0", "-n"]);
        args.extend(options.pan);
        let (wall, cpu) = (generated.wall + compiled.wall, generated.cpu + compiled.cpu);
        Ok(Ok(Verifier { program: dir.path().join("pan"), args, wall, cpu, dir, flags }))
    }

    /// Runs it.
    pub(crate) fn run(&self, limits: Limits) -> Result<Measured> {
        measured::run(&self.program, &self.args, self.dir.path(), limits)
    }

    /// Did that run end because states have more bytes than SPIN expects?
    pub(crate) fn is_too_narrow(run: &Measured) -> bool {
        run.ran.stdout.contains("VECTORSZ")
    }

    /// Compiles it again, for wide states.
    pub(crate) fn widen(&self, limits: Limits) -> Result<()> {
        let mut flags = self.flags.clone();
        flags.push(format!("-DVECTORSZ={WIDE_VECTOR_BYTES}"));
        measured::run(Path::new("gcc"), &flags, self.dir.path(), limits)?;
        Ok(())
    }
}

const WIDE_VECTOR_BYTES: u32 = 1 << 18;

/// The seconds of the search as pan tells them. It counts hundredths; its whole run, `wall`, is the better figure when there
/// are few of them.
pub(crate) fn search_seconds(report: &str, wall: f64) -> f64 {
    number_in(report, "pan: elapsed time").filter(|seconds| *seconds >= 0.1).unwrap_or(wall)
}

/// The first number after `text`.
pub(crate) fn number_in(report: &str, text: &str) -> Option<f64> {
    let line = report.lines().find(|line| line.contains(text))?;
    let (_, rest) = line.split_once(text)?;
    rest.split_whitespace().next()?.parse().ok()
}
