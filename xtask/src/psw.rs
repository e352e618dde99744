//! Asking psw, as its users do: the command, its JSON and its exit code.

use crate::answer::{Answer, Kind, Search};
use crate::process::{Ran, run};
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// A psw executable.
#[derive(Debug, Clone)]
pub struct Psw {
    program: PathBuf,
    limit: Duration,
    /// Set when it runs.
    variable: Option<(String, String)>,
}

/// The order in which psw explores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Order {
    /// Depth first, as SPIN does.
    Dfs,
    /// Breadth first.
    Bfs,
    /// Breadth first in few bytes.
    Compact,
    /// By progress.
    Sweep,
    /// By progress, column by column.
    Column,
    /// Depth first with a cache.
    Cache,
    /// By progress, with all other layers on disk.
    SweepExt,
    /// Breadth first, on disk.
    BfsExt,
    /// By partitions, on disk.
    Part,
}

impl Order {
    /// Every order.
    pub const ALL: [Order; 9] = [
        Order::Dfs,
        Order::Bfs,
        Order::Compact,
        Order::Sweep,
        Order::Column,
        Order::Cache,
        Order::SweepExt,
        Order::BfsExt,
        Order::Part,
    ];

    /// What psw is told.
    pub fn args(self) -> &'static [&'static str] {
        match self {
            Order::Dfs => &["--search", "dfs"],
            Order::Bfs => &["--search", "bfs"],
            Order::Compact => &["--search", "bfs", "--compress"],
            Order::Sweep => &["--search", "sweep"],
            Order::Column => &["--search", "column"],
            Order::Cache => &["--search", "cache"],
            Order::SweepExt => &["--search", "sweep-ext"],
            Order::BfsExt => &["--search", "bfs-ext"],
            // The parameters are small, so that partitions are split.
            Order::Part => &["--search", "part", "--max-loaded", "500", "--queue-block", "50"],
        }
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Order::Dfs => "dfs",
            Order::Bfs => "bfs",
            Order::Compact => "compact",
            Order::Sweep => "sweep",
            Order::Column => "column",
            Order::Cache => "cache",
            Order::SweepExt => "sweep-ext",
            Order::BfsExt => "bfs-ext",
            Order::Part => "part",
        })
    }
}

/// The options of a search that leaves out what changes no answer.
pub const REDUCED: [&str; 2] = ["--reduce", "full"];

/// What we read of psw's JSON.
#[derive(Deserialize)]
struct Report {
    verdict: String,
    stop_reason: Option<String>,
    states: Option<u64>,
    transitions: u64,
    expanded: u64,
    errors: u64,
    violation: Option<Violation>,
}

#[derive(Deserialize)]
struct Violation {
    kind: String,
    #[serde(default)]
    line: Option<u64>,
}

/// What psw says about a model in so much detail that two of its own runs can be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detail {
    /// The exit code.
    pub code: i32,
    /// A limit stopped the search, with or without a verdict.
    pub stopped: bool,
    /// States, steps and errors, as it counts them.
    pub search: Search,
    /// A hash of the set of states by value, if it was computed.
    pub digest: Option<String>,
    /// What is violated: the kinds, and the lines.
    pub violations: BTreeSet<(String, Option<u64>)>,
}

/// More violations than these are not listed.
const LISTED: usize = 100;

impl Detail {
    /// Whether both say the same about what is wrong, as far as it is listed.
    pub fn has_violations_of(&self, other: &Detail) -> bool {
        let all_listed = self.violations.len() < LISTED && other.violations.len() < LISTED;
        !all_listed || self.violations == other.violations
    }

    /// What a reduced search must not have done, in a few words. `whole` is the same search of all states.
    pub fn lost_by_reduction(&self, whole: &Detail, order: Order) -> Option<&'static str> {
        if self.stopped || whole.stopped {
            return None;
        }
        // Other searches may store a state again.
        let stores_once = matches!(order, Order::Bfs | Order::Dfs | Order::Compact);
        // A sequence that never ends cuts off what else its process can do in a state.
        let cut_off = whole.violations.iter().any(|(kind, _)| kind.starts_with("endless"));
        let has_more = !cut_off && stores_once && self.search.states > whole.search.states;
        match () {
            () if self.code != whole.code => Some("another verdict of the reduced search"),
            () if !self.has_violations_of(whole) => Some("other violations in the reduced search"),
            () if has_more => Some("more states in the reduced search"),
            () => None,
        }
    }
}

/// The part of the report that only a comparison of details reads.
#[derive(Deserialize)]
struct DetailReport {
    stop_reason: Option<String>,
    #[serde(default)]
    digest: Option<String>,
    #[serde(default)]
    violations: Vec<Violation>,
}

impl Psw {
    /// The executable at `program`, which may take `limit` for one model.
    pub fn at(program: &Path, limit: Duration) -> Result<Psw> {
        let program = program.canonicalize().with_context(|| format!("no psw at {}", program.display()))?;
        Ok(Psw { program, limit, variable: None })
    }

    /// The executable that was named, or else the one in this program's folder.
    pub fn find(program: Option<&Path>, limit: Duration) -> Result<Psw> {
        if let Some(program) = program {
            return Psw::at(program, limit);
        }
        let sibling = std::env::current_exe()?.with_file_name("psw");
        if !sibling.exists() {
            bail!(
                "there is no psw in the folder of this program; run `cargo build --release` first, or give one with --psw"
            );
        }
        Psw::at(&sibling, limit)
    }

    /// The same, run with an environment variable.
    pub fn with_variable(self, name: &str, value: &str) -> Psw {
        Psw { variable: Some((name.to_string(), value.to_string())), ..self }
    }

    /// Where it is.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// How long it may take.
    pub fn limit(&self) -> Duration {
        self.limit
    }

    /// The program, without arguments.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.envs(self.variable.iter().map(|(name, value)| (name, value)));
        command
    }

    /// What psw says about a model when it looks at every state and goes on after errors.
    pub fn ask(&self, model: &Path, order: Order) -> Result<Answer> {
        Ok(self.ask_detail(model, order, &[])?.0)
    }

    /// The same with more options, and the details if it gave an answer. Numbers are those of all states and steps, unless
    /// the options say what to leave out.
    pub fn ask_detail(&self, model: &Path, order: Order, more: &[&str]) -> Result<(Answer, Option<Detail>)> {
        let model = model.canonicalize().with_context(|| format!("no model {}", model.display()))?;
        let dir = tempfile::tempdir()?;
        let mut command = self.command();
        command.arg("check").arg(&model).args(order.args());
        command.args(["--all-errors", "--safety", "--format", "json"]).args(more);
        if !more.contains(&"--reduce") {
            command.arg("--no-reduction");
        }
        let is_full = matches!(order, Order::Dfs | Order::Bfs | Order::Compact);
        if !is_full {
            // Measures are tried on small models too.
            command.args(["--count-distinct", "--progress", "auto"]);
        }
        let ran = run(&mut command, dir.path(), self.limit)?;
        let mut answer = read_report(&ran);
        if let Answer::Searched(search) = &mut answer {
            search.once |= is_full;
        }
        let detail = match (&answer, ran.code()) {
            (Answer::Searched(search), Some(code)) => Some(read_detail(&ran.stdout, code, search.clone())?),
            _ => None,
        };
        Ok((answer, detail))
    }
}

fn read_detail(json: &str, code: i32, search: Search) -> Result<Detail> {
    let report: DetailReport = serde_json::from_str(json).context("the violations in psw's JSON")?;
    let violations = report.violations.into_iter().map(|violation| (violation.kind, violation.line)).collect();
    let stopped = report.stop_reason.is_some_and(|reason| reason != "unchecked");
    Ok(Detail { code, stopped, search, digest: report.digest, violations })
}

/// Makes sense of what psw printed. A crash must never look like an answer.
pub(crate) fn read_report(ran: &Ran) -> Answer {
    let output = || ran.stderr.lines().chain(ran.stdout.lines());
    let complaint = |otherwise: &str| output().find(|line| !line.trim().is_empty()).unwrap_or(otherwise).to_string();
    match ran.code() {
        None if ran.status.is_none() => Answer::Lost("psw did not end in time".to_string()),
        None => Answer::Broken(format!("killed by a signal: {}", complaint("no message"))),
        Some(2) => match output().find(|line| line.to_lowercase().contains("embedded c")) {
            Some(line) => Answer::Unsupported(line.to_string()),
            None => {
                let error = output().find(|line| line.contains("error"));
                Answer::Rejected(error.map_or_else(|| complaint("no message"), str::to_string))
            }
        },
        Some(code @ (0 | 1 | 3)) => match serde_json::from_str::<Report>(&ran.stdout) {
            Err(why) => Answer::Broken(format!("psw ended with code {code}; its JSON: {why}")),
            Ok(report) if verdict_code(&report.verdict) != Some(code) => {
                Answer::Broken(format!("psw ended with code {code} and says {:?}", report.verdict))
            }
            Ok(report) => Answer::Searched(search(report)),
        },
        Some(code) => Answer::Broken(format!("psw ended with code {code}: {}", complaint("no message"))),
    }
}

fn verdict_code(verdict: &str) -> Option<i32> {
    match verdict {
        "holds" => Some(0),
        "violated" => Some(1),
        "stopped" => Some(3),
        _ => None,
    }
}

fn search(report: Report) -> Search {
    let first = report.violation.map(|violation| Kind(violation.kind));
    Search {
        // With claims that were not checked psw gives no verdict, but it has seen every state.
        complete: report.verdict != "stopped" || report.stop_reason.as_deref() == Some("unchecked"),
        once: report.states == Some(report.expanded),
        states: report.states.unwrap_or(0),
        transitions: report.transitions,
        errors: report.errors,
        kinds: first.iter().cloned().collect(),
        first,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;

    fn answer(code: i32, stdout: &str, stderr: &str) -> Answer {
        let status = Some(ExitStatus::from_raw(code << 8));
        read_report(&Ran { status, stdout: stdout.to_string(), stderr: stderr.to_string() })
    }

    #[test]
    fn a_report_is_read() {
        let json = r#"{"verdict":"violated","states":5,"expanded":5,"transitions":7,"depth":3,"errors":2,
            "violation":{"kind":"assertion","message":"","file":"m.pml","line":1}}"#;
        assert_eq!(answer(1, json, "").to_string(), "violated=assertion states=5 transitions=7 errors=2");
    }

    #[test]
    fn code_and_verdict_must_agree() {
        let json = r#"{"verdict":"holds","states":5,"expanded":5,"transitions":7,"errors":0,"violation":null}"#;
        assert!(matches!(answer(1, json, ""), Answer::Broken(_)));
        assert!(matches!(answer(0, json, ""), Answer::Searched(_)));
    }

    #[test]
    fn bad_input_and_panics_differ() {
        assert!(matches!(answer(2, "", "error[E0101]: no such name"), Answer::Rejected(_)));
        assert!(matches!(answer(2, "", "error[E0901]: embedded C is not supported"), Answer::Unsupported(_)));
        assert!(matches!(answer(101, "", "thread 'main' panicked"), Answer::Broken(_)));
    }
}
