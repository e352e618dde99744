//! One run of one checker on one model, in terms that psw and SPIN share.

use crate::answer::Answer;
use crate::bench::measured::{self, Limits, Measured};
use crate::bench::verifier::{self, Options, Verifier};
use crate::psw::{self, Psw};
use crate::spin;
use anyhow::Result;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::Path;

/// Who is asked, and what each is held to.
pub(crate) struct Checkers<'c> {
    pub(crate) psw: &'c Psw,
    /// Memory is that for states. The address space may be larger: neither program uses all that it reserves.
    pub(crate) limits: Limits,
}

/// How a run ended.
#[derive(Clone, Debug)]
pub(crate) enum Run {
    /// All was seen.
    Searched(Found),
    /// A limit came first.
    Unfinished,
    /// The checker does not run this model, or not to the end; its reason.
    Refused(String),
    /// It broke down.
    Broken(String),
}

/// What a search that saw everything found, and what it took.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) violated: bool,
    /// The kinds of violations that psw lists.
    pub(crate) kinds: BTreeSet<String>,
    /// Distinct states that were stored.
    pub(crate) states: u64,
    /// They are estimated: some were deleted, and could have been reached again.
    pub(crate) estimated: bool,
    /// The most stored at a time.
    pub(crate) peak: u64,
    pub(crate) transitions: u64,
    /// Seconds of the search, as the program says.
    pub(crate) search: f64,
    /// Seconds from the text of the model to the answer.
    pub(crate) all: f64,
    /// Processor time of that, in seconds.
    pub(crate) cpu: f64,
    /// Processor time of the last program in user mode, in seconds.
    pub(crate) user: f64,
    /// The most memory it had, in bytes.
    pub(crate) rss: u64,
}

/// What psw is told to search breadth first.
pub(crate) const BREADTH_FIRST: &[&str] = &["--search", "bfs"];
/// The same, without reductions.
pub(crate) const UNREDUCED: &[&str] = &["--search", "bfs", "--no-reduction"];
/// SPIN's stack, in steps.
const DEPTH: &str = "-m10000000";

#[derive(Deserialize)]
struct Report {
    states: Option<u64>,
    states_estimate: Option<u64>,
    peak_states: u64,
    expanded: u64,
    seconds: f64,
    violations: Vec<Violation>,
}

#[derive(Deserialize)]
struct Violation {
    kind: String,
}

impl Run {
    /// What was found, if it saw everything.
    pub(crate) fn found(&self) -> Option<&Found> {
        match self {
            Run::Searched(found) => Some(found),
            _ => None,
        }
    }
}

impl Checkers<'_> {
    /// A run of psw with options.
    pub(crate) fn psw(&self, model: &Path, options: &[&str]) -> Result<Run> {
        let dir = tempfile::tempdir()?;
        let memory = format!("{}M", self.limits.megabytes);
        let mut args = vec!["check".to_string(), model.display().to_string()];
        let rest = ["--safety", "--all-errors", "--format", "json", "--quiet", "--max-memory", &memory];
        args.extend(rest.iter().chain(options).map(|word| word.to_string()));
        let measured = measured::run(self.psw.program(), &args, dir.path(), self.space())?;
        self.end(&measured, psw::read_report(&measured.ran), |found| {
            let report: Report = serde_json::from_str(&measured.ran.stdout)?;
            found.states = report.states.or(report.states_estimate).unwrap_or(report.expanded);
            found.estimated = report.states.is_none();
            found.peak = report.peak_states;
            found.search = report.seconds;
            found.kinds = report.violations.into_iter().map(|violation| violation.kind).collect();
            Ok(())
        })
    }

    /// A run of SPIN as its users run it: merging, dead variables and partial order reduction.
    pub(crate) fn spin(&self, model: &Path) -> Result<Run> {
        let gcc = vec![format!("-DMEMLIM={}", self.limits.megabytes)];
        let options = Options { spin: Vec::new(), gcc, pan: vec![DEPTH.to_string()] };
        let verifier = match Verifier::make(model, options, self.space())? {
            Ok(verifier) => verifier,
            Err(why) => return Ok(Run::Refused(why)),
        };
        let mut measured = verifier.run(self.space())?;
        if Verifier::is_too_narrow(&measured) {
            verifier.widen(self.space())?;
            measured = verifier.run(self.space())?;
        }
        self.end(&measured, spin::read_report(&measured.ran), |found| {
            // Hundredths, but without the half second in which pan makes its stack.
            found.search = verifier::number_in(&measured.ran.stdout, "pan: elapsed time").unwrap_or(found.all);
            found.all += verifier.wall.as_secs_f64();
            found.cpu += verifier.cpu.as_secs_f64();
            Ok(())
        })
    }

    fn space(&self) -> Limits {
        Limits { megabytes: self.limits.megabytes * 5 / 4, ..self.limits }
    }

    /// How a run ended; `more` adds what only this program tells.
    fn end(&self, measured: &Measured, answer: Answer, more: impl FnOnce(&mut Found) -> Result<()>) -> Result<Run> {
        let killed = measured.ran.code().is_none() && measured.cpu.as_secs_f64() >= self.limits.seconds as f64 * 0.95;
        Ok(match answer {
            _ if killed => Run::Unfinished,
            Answer::Searched(search) if search.complete => {
                let mut found = Found {
                    violated: search.first.is_some(),
                    kinds: BTreeSet::new(),
                    states: search.states,
                    estimated: false,
                    peak: search.states,
                    transitions: search.transitions,
                    search: 0.0,
                    all: measured.wall.as_secs_f64(),
                    cpu: measured.cpu.as_secs_f64(),
                    user: measured.user.as_secs_f64(),
                    rss: measured.rss,
                };
                more(&mut found)?;
                Run::Searched(found)
            }
            Answer::Searched(_) if measured.ran.code() == Some(3) => Run::Unfinished,
            Answer::Searched(_) => Run::Refused("gives up at an error".to_string()),
            Answer::Lost(why) if why.contains("search depth") || why.contains("MEMLIM") => Run::Unfinished,
            Answer::Rejected(why) | Answer::Unsupported(why) | Answer::Lost(why) => Run::Refused(why),
            Answer::Broken(why) => Run::Broken(why),
        })
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::process::Ran;
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;
    use std::time::Duration;

    /// A run that took a second.
    pub(crate) fn searched(states: u64, violated: bool) -> Run {
        Run::Searched(Found {
            violated,
            kinds: BTreeSet::new(),
            states,
            estimated: false,
            peak: states,
            transitions: states,
            search: 1.0,
            all: 1.0,
            cpu: 1.0,
            user: 1.0,
            rss: 1,
        })
    }

    #[test]
    fn a_limit_is_no_breakdown() -> Result<()> {
        let psw = Psw::at(&std::env::current_exe()?, Duration::from_secs(1))?;
        let checkers = Checkers { psw: &psw, limits: Limits { megabytes: 100, seconds: 10 } };
        let killed = |seconds| {
            let status = Some(ExitStatus::from_raw(24));
            let ran = Ran { status, stdout: String::new(), stderr: String::new() };
            let (wall, cpu) = (Duration::from_secs(seconds), Duration::from_secs(seconds));
            let measured = Measured { ran, wall, cpu, user: cpu, rss: 0 };
            checkers.end(&measured, psw::read_report(&measured.ran), |_| Ok(()))
        };
        assert!(matches!(killed(10)?, Run::Unfinished));
        assert!(matches!(killed(1)?, Run::Broken(_)));
        Ok(())
    }
}
