//! Asking real SPIN: `spin -a`, a C compiler, and the verifier it makes, in a folder of its own.
//!
//! The flags switch off everything that changes the numbers: dataflow resets, removal of write-only variables,
//! statement merging, partial order reduction, claims.

use crate::answer::{Answer, Kind, Search};
use crate::process::{Ran, run};
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// The installed SPIN and a C compiler for the verifiers that it writes.
#[derive(Debug, Clone)]
pub struct Spin {
    compiler: Compiler,
    limit: Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Compiler {
    /// Compiles a verifier in 20 ms where gcc takes 400 ms even without optimisation.
    Tcc,
    Gcc,
}

impl Spin {
    /// Finds the programs; the verifier may take `limit` for one model.
    pub fn find(limit: Duration) -> Result<Spin> {
        let runs = |program: &str, flag: &str| {
            let quiet = Command::new(program).arg(flag).stdout(Stdio::null()).stderr(Stdio::null()).status();
            quiet.is_ok_and(|status| status.success())
        };
        if !runs("spin", "-V") {
            bail!("SPIN judges these models and is not installed: apt-get install -y spin gcc");
        }
        let compiler = match (runs("tcc", "-v"), runs("gcc", "--version")) {
            (true, _) => Compiler::Tcc,
            (false, true) => Compiler::Gcc,
            (false, false) => bail!("SPIN's verifiers are C programs and there is no compiler: apt-get install -y gcc"),
        };
        Ok(Spin { compiler, limit })
    }

    /// The same SPIN with optimising gcc: a second opinion on what a faster compiler made.
    pub fn with_gcc(&self) -> Spin {
        Spin { compiler: Compiler::Gcc, limit: self.limit }
    }

    /// What SPIN says about a model.
    pub fn ask(&self, model: &Path) -> Result<Answer> {
        let model = model.canonicalize().with_context(|| format!("no model {}", model.display()))?;
        let dir = tempfile::tempdir()?;
        let made = run(Command::new("spin").args(["-o1", "-o2", "-o3", "-a"]).arg(&model), dir.path(), self.limit)?;
        if made.code().is_none() {
            return Ok(Answer::Lost("spin -a crashed or did not end".to_string()));
        }
        let exists = dir.path().join("pan.c").exists();
        if !made.succeeded() || !exists {
            let complaint = made.stdout.lines().chain(made.stderr.lines()).find(|line| {
                // These are printed as errors and do no harm, whatever the exit code says.
                line.contains("rror") && !line.contains("dubious use") && !line.contains("truncated in assignment")
            });
            if complaint.is_some() || !exists {
                return Ok(Answer::Rejected(complaint.unwrap_or("no message").to_string()));
            }
        }
        let answer = self.compile_and_run(dir.path(), VECTOR_BYTES)?;
        match &answer {
            Answer::Lost(why) if why.contains("VECTORSZ") => self.compile_and_run(dir.path(), WIDE_VECTOR_BYTES),
            _ => Ok(answer),
        }
    }

    fn compile_and_run(&self, dir: &Path, vector_bytes: u32) -> Result<Answer> {
        let mut command = self.compiler.command();
        command.args(["-w", "-DNOREDUCE", "-DSAFETY", "-DNOCLAIM", "-DMEMLIM=3000", "-o", "pan", "pan.c"]);
        command.arg(format!("-DVECTORSZ={vector_bytes}"));
        let compiled = run(&mut command, dir, COMPILE_LIMIT)?;
        if !compiled.succeeded() {
            let complaint = compiled.stderr.lines().find(|line| line.contains("error")).unwrap_or("no message");
            return Ok(Answer::Unsupported(format!("pan.c does not compile: {complaint}")));
        }
        let ran = run(Command::new("./pan").args(["-c0", "-n", "-m1000000", "-w18"]), dir, self.limit)?;
        Ok(read_report(&ran))
    }
}

/// A temporal property of a model, as SPIN's users ask for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claim {
    /// An `ltl` block or a named claim.
    Named(String),
    /// The only never claim.
    Never,
    /// `accept` labels of processes.
    Labels,
    /// Cycles without `progress` labels.
    NonProgress,
}

impl std::fmt::Display for Claim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Claim::Named(name) => write!(f, "{name}"),
            Claim::Never => write!(f, "never"),
            Claim::Labels => write!(f, "accept"),
            Claim::NonProgress => write!(f, "non-progress"),
        }
    }
}

/// What is said about a temporal property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimVerdict {
    /// No run violates it.
    Holds,
    /// Some run does.
    Violated,
    /// Nobody knows.
    Unknown,
}

impl Spin {
    /// What SPIN says about a property, among all runs or the weakly fair ones.
    pub fn ask_claim(&self, model: &Path, claim: &Claim, fair: bool) -> Result<ClaimVerdict> {
        match self.with_gcc().verifier(model, claim)? {
            Some(verifier) => self.ask_verifier(&verifier, claim, fair),
            None => Ok(ClaimVerdict::Unknown),
        }
    }

    /// A verifier for properties of this kind, in a folder of its own.
    pub fn verifier(&self, model: &Path, claim: &Claim) -> Result<Option<tempfile::TempDir>> {
        let model = model.canonicalize().with_context(|| format!("no model {}", model.display()))?;
        let dir = tempfile::tempdir()?;
        let made = run(Command::new("spin").arg("-a").arg(&model), dir.path(), self.limit)?;
        if !made.succeeded() || !dir.path().join("pan.c").exists() {
            return Ok(None);
        }
        let mut command = self.compiler.command();
        command.args(["-w", "-DNOREDUCE", "-DMEMLIM=4000", "-DNFAIR=5", "-DVECTORSZ=16384", "-o", "pan", "pan.c"]);
        match claim {
            Claim::NonProgress => drop(command.arg("-DNP")),
            Claim::Labels => drop(command.arg("-DNOCLAIM")),
            Claim::Named(_) | Claim::Never => {}
        }
        Ok(run(&mut command, dir.path(), COMPILE_LIMIT)?.succeeded().then_some(dir))
    }

    /// What a verifier says about a property.
    pub fn ask_verifier(&self, dir: &tempfile::TempDir, claim: &Claim, fair: bool) -> Result<ClaimVerdict> {
        let mut pan = Command::new("./pan");
        pan.args(["-n", "-m2000000", "-w20", if *claim == Claim::NonProgress { "-l" } else { "-a" }]);
        if fair {
            pan.arg("-f");
        }
        if let Claim::Named(name) = claim {
            pan.args(["-N", name]);
        }
        let ran = run(&mut pan, dir.path(), self.limit)?;
        let says = |text: &str| ran.stdout.contains(text) || ran.stderr.contains(text);
        let lost = ["max search depth too small", "reached -DMEMLIM", "VECTORSZ too small"];
        Ok(match ran.stdout.split_once("errors: ") {
            Some((_, rest)) if leading_number(rest) > 0 => ClaimVerdict::Violated,
            Some(_) if !lost.iter().any(|text| says(text)) && ran.code() == Some(0) => ClaimVerdict::Holds,
            _ => ClaimVerdict::Unknown,
        })
    }
}

impl Compiler {
    /// The compiler, as it is asked for a verifier.
    fn command(self) -> Command {
        match self {
            Compiler::Tcc => Command::new("tcc"),
            Compiler::Gcc => {
                let mut command = Command::new("gcc");
                command.arg("-O1");
                command
            }
        }
    }
}

const VECTOR_BYTES: u32 = 4096;
const WIDE_VECTOR_BYTES: u32 = 1 << 18;
const COMPILE_LIMIT: Duration = Duration::from_secs(120);

/// Makes sense of what pan printed.
pub(crate) fn read_report(ran: &Ran) -> Answer {
    let lines = || ran.stdout.lines().chain(ran.stderr.lines());
    let about = |text: &'static str| lines().find(|line| line.contains(text)).map(str::to_string);
    let Some(code) = ran.code() else {
        let why = if ran.status.is_some() { "pan was killed by a signal" } else { "pan did not end in time" };
        return Answer::Lost(why.to_string());
    };
    if let Some(why) = about("VECTORSZ too small").or(about("max search depth too small")).or(about("reached -DMEMLIM"))
    {
        return Answer::Lost(why);
    }
    let refused = ["unconditional self-loop", "inherits 2 'else'", "enabled(pid=thisproc)"];
    if let Some(why) = refused.into_iter().find_map(about) {
        return Answer::Unsupported(why);
    }
    let (Some(states), Some(transitions)) = (about("states, stored"), about("transitions (=")) else {
        return Answer::Lost(format!("pan ended with code {code} and without a report"));
    };
    let kinds: Vec<Kind> = lines().filter_map(error_text).map(Kind::of_spin_text).collect();
    Answer::Searched(Search {
        once: true,
        complete: about("Search not completed").is_none(),
        states: leading_number(&states),
        transitions: leading_number(&transitions),
        errors: lines().find_map(|line| line.split_once("errors: ")).map_or(0, |(_, rest)| leading_number(rest)),
        first: kinds.first().cloned(),
        kinds,
    })
}

/// The text of a line such as `pan:1: invalid end state (at depth 3)`.
fn error_text(line: &str) -> Option<&str> {
    let (number, text) = line.strip_prefix("pan:")?.split_once(": ")?;
    number.parse::<u64>().ok()?;
    Some(text.rsplit_once(" (at depth").map_or(text, |(text, _)| text))
}

/// pan prints large numbers as `1.2345e+06` when they do not fit its field; it prints all digits that count.
fn leading_number(line: &str) -> u64 {
    let word = line.split_whitespace().next().unwrap_or_default();
    word.parse::<u64>().ok().or_else(|| word.parse::<f64>().ok().map(|number| number as u64)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;

    fn report(stdout: &str) -> Answer {
        read_report(&Ran { status: Some(ExitStatus::from_raw(0)), stdout: stdout.to_string(), stderr: String::new() })
    }

    #[test]
    fn a_report_is_read() {
        let answer = report(
            "pan:1: assertion violated 0 (at depth 2)\npan: wrote m.trail\n\
             State-vector 20 byte, depth reached 2, errors: 3\n       12 states, stored\n        4 states, matched\n       \
             16 transitions (= stored+matched)\n",
        );
        assert_eq!(answer.to_string(), "violated=assertion states=12 transitions=16 errors=3");
    }

    #[test]
    fn a_truncated_search_is_no_answer() {
        assert!(matches!(report("error: max search depth too small\n 1 states, stored\n"), Answer::Lost(_)));
    }

    #[test]
    fn a_refusal_is_not_a_crash() {
        assert!(matches!(
            report("error: proctype 'E' line 1, state 2: has unconditional self-loop\n"),
            Answer::Unsupported(_)
        ));
    }
}
