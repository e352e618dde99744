//! Running real SPIN: `spin -a`, a C compiler, and the verifier it makes, in a folder of its own.
//!
//! The flags switch off everything that changes the numbers: dataflow resets, removal of write-only variables,
//! statement merging, partial order reduction, claims.

use crate::answer::{Answer, Kind, Search};
use crate::process::{Ran, run};
use anyhow::{Context, Result, bail};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// The installed SPIN and a C compiler for the verifiers that it writes.
#[derive(Debug, Clone)]
pub struct Spin {
    compiler: Compiler,
    limit: Duration,
}

/// Most verifiers are compiled longer than they run: the test models take gcc 0.36 s with `-O1`, 0.12 s without, and tcc
/// 0.02 s.
#[derive(Debug, Clone, Copy)]
enum Compiler {
    Tcc,
    Gcc,
    OptimisingGcc,
}

/// The version whose language and counts psw reproduces.
pub const VERSION: &str = "6.5.2";

/// Set to `1`, this environment variable turns tests that are skipped for lack of SPIN into failures, as CI does.
pub const REQUIRED: &str = "PSW_REQUIRE_SPIN";

impl Spin {
    /// Finds the programs; the verifier may take `limit` for one model.
    pub fn find(limit: Duration) -> Result<Spin> {
        if let Some(lack) = lack(version().as_deref(), starts("gcc", "--version")) {
            bail!("{lack}");
        }
        let compiler = if starts("tcc", "-v") { Compiler::Tcc } else { Compiler::Gcc };
        Ok(Spin { compiler, limit })
    }

    /// The same for a test. Without SPIN the test is skipped, and a line on standard error says so, also if the test
    /// harness captures output; with [`REQUIRED`] set it is an error.
    pub fn for_test(test: &str, limit: Duration) -> Result<Option<Spin>> {
        match Spin::find(limit) {
            Ok(spin) => Ok(Some(spin)),
            Err(lack) if std::env::var_os(REQUIRED).is_some_and(|value| value == "1") => Err(lack.context(REQUIRED)),
            Err(lack) => {
                writeln!(std::io::stderr(), "skipped {test}: {lack}")?;
                Ok(None)
            }
        }
    }

    /// The same SPIN with optimising gcc: a second opinion on what a faster compiler made.
    pub fn with_gcc(&self) -> Spin {
        Spin { compiler: Compiler::OptimisingGcc, limit: self.limit }
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
            let error = made.stdout.lines().chain(made.stderr.lines()).find(|line| {
                // These are printed as errors and do no harm, whatever the exit code says.
                line.contains("rror") && !line.contains("dubious use") && !line.contains("truncated in assignment")
            });
            if error.is_some() || !exists {
                return Ok(Answer::Rejected(error.unwrap_or("no message").to_string()));
            }
        }
        let answer = self.compile_and_run(dir.path(), VECTOR_BYTES)?;
        match &answer {
            Answer::Lost(why) if why.contains("VECTORSZ") => self.compile_and_run(dir.path(), WIDE_VECTOR_BYTES),
            _ => Ok(answer),
        }
    }

    fn compile_and_run(&self, dir: &Path, vector_bytes: u32) -> Result<Answer> {
        let vector = format!("-DVECTORSZ={vector_bytes}");
        let compiled = self.compile(dir, &["-DNOREDUCE", "-DSAFETY", "-DNOCLAIM", "-DMEMLIM=3000", &vector])?;
        if !compiled.succeeded() {
            let error = compiled.stderr.lines().find(|line| line.contains("error")).unwrap_or("no message");
            return Ok(Answer::Unsupported(format!("pan.c does not compile: {error}")));
        }
        let ran = run(Command::new("./pan").args(["-c0", "-n", "-m1000000", "-w18"]), dir, self.limit)?;
        Ok(read_report(&ran))
    }

    /// Compiles `pan.c` of this folder to `pan`.
    pub fn compile(&self, dir: &Path, flags: &[&str]) -> Result<Ran> {
        let (compiler, optimise) = match self.compiler {
            Compiler::Tcc => ("tcc", None),
            Compiler::Gcc => ("gcc", None),
            Compiler::OptimisingGcc => ("gcc", Some("-O1")),
        };
        let mut command = Command::new(compiler);
        command.args(["-w", "-o", "pan", "pan.c"]).args(optimise).args(flags);
        run(&mut command, dir, COMPILE_LIMIT)
    }
}

/// The version line of the installed SPIN, if there is one.
fn version() -> Option<String> {
    let output = Command::new("spin").arg("-V").stdin(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn starts(program: &str, flag: &str) -> bool {
    let quiet = Command::new(program).arg(flag).stdout(Stdio::null()).stderr(Stdio::null()).status();
    quiet.is_ok_and(|status| status.success())
}

/// Why SPIN cannot be asked, in one line, if so.
fn lack(version: Option<&str>, has_gcc: bool) -> Option<String> {
    let problem = match version {
        None => "SPIN is not installed".to_owned(),
        Some(version) if !version.split_whitespace().any(|word| word == VERSION) => {
            format!("the installed SPIN is another version ({version})")
        }
        Some(_) if !has_gcc => "gcc, which compiles SPIN's verifiers, is not installed".to_owned(),
        Some(_) => return None,
    };
    Some(format!("{problem}; SPIN {VERSION} is needed: apt-get install -y spin gcc"))
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
    /// No verdict.
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
        let mut flags = vec!["-DNOREDUCE", "-DMEMLIM=4000", "-DNFAIR=5", "-DVECTORSZ=16384"];
        match claim {
            Claim::NonProgress => flags.push("-DNP"),
            Claim::Labels => flags.push("-DNOCLAIM"),
            Claim::Named(_) | Claim::Never => {}
        }
        Ok(self.compile(dir.path(), &flags)?.succeeded().then_some(dir))
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
    fn what_is_missing_is_said_in_one_line() {
        assert_eq!(lack(Some("Spin Version 6.5.2 -- 6 December 2019"), true), None);
        let said = |version, has_gcc| lack(version, has_gcc).unwrap_or_default();
        assert!(said(None, true).starts_with("SPIN is not installed"));
        assert!(said(Some("Spin Version 6.5.2 -- 6 December 2019"), false).starts_with("gcc"));
        let other = said(Some("Spin Version 6.5.20 -- 1 May 2030"), true);
        assert!(other.contains("another version (Spin Version 6.5.20") && !other.contains('\n'), "{other}");
        assert!(other.ends_with("SPIN 6.5.2 is needed: apt-get install -y spin gcc"), "{other}");
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
