//! The tests of the copied tree: built once, run for each mutant until one of them fails.
//!
//! The models of `tests/models` are asked one by one here, as `tests/corpus.rs` asks them, so that the first wrong answer
//! ends it; every other test is a program of `cargo test`. What SPIN alone says is not asked.

use super::list::Mutant;
use super::schemata::VARIABLE;
use crate::answer::Answer;
use crate::expectation::{self, Case};
use crate::parallel;
use crate::process::{Ran, run};
use crate::psw::{Order, Psw};
use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// No test takes longer, unless something is wrong with it.
const LIMIT: Duration = Duration::from_secs(150);
/// Nor does what the list names as a killer: single tests, and programs that end in a few seconds.
const KILLER_LIMIT: Duration = Duration::from_secs(40);
/// No model of `tests/models` does.
const MODEL_LIMIT: Duration = Duration::from_secs(15);
/// A psw that grows out of hand shall not take the machine with it: bytes of address space.
const MEMORY: u64 = 4 << 30;

/// Tests that are not asked: they judge SPIN, or the judges.
const LEFT_OUT: [&str; 2] = ["psw/spin", "ltl2ba/spin"];
/// The models of `tests/models` are asked by ourselves.
const MODELS: &str = "psw/corpus";
/// The order in which the tests are asked; those of the mutant's own crate come before all, others after.
const ORDER: [&str; 6] = [MODELS, "interp/interp", "sweep/sweep", "psw/temporal", "psw/query", "psw/replay"];

/// What became of a mutant.
pub enum Fate {
    /// A test noticed it.
    Killed(String),
    /// None did.
    Survived,
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fate::Killed(by) => write!(f, "killed by {by}"),
            Fate::Survived => write!(f, "SURVIVED"),
        }
    }
}

/// A program of tests.
struct Program {
    /// `package/target`.
    name: String,
    path: PathBuf,
    /// Where its package is: tests are run there.
    folder: PathBuf,
}

/// All tests.
pub struct Suite {
    programs: Vec<Program>,
    psw: PathBuf,
    models: PathBuf,
    cases: Vec<Case>,
}

/// What cargo says of what it has built.
#[derive(Deserialize)]
struct Built {
    reason: String,
    #[serde(default)]
    manifest_path: PathBuf,
    #[serde(default)]
    executable: Option<PathBuf>,
    #[serde(default)]
    target: Target,
    #[serde(default)]
    profile: Profile,
    #[serde(default)]
    message: Message,
}

#[derive(Deserialize, Default)]
struct Message {
    level: String,
    #[serde(default)]
    rendered: String,
}

#[derive(Deserialize, Default)]
struct Target {
    name: String,
    kind: Vec<String>,
}

#[derive(Deserialize, Default)]
struct Profile {
    test: bool,
}

impl Suite {
    /// Builds the tests of a tree.
    pub fn build(tree: &Path, target: &Path) -> Result<Suite> {
        let mut cargo = Command::new("cargo");
        cargo.args([
            "test",
            "--no-run",
            "--workspace",
            "--tests",
            "--exclude",
            "xtask",
            "--exclude",
            "promela",
            "--quiet",
        ]);
        // Nobody looks at these programs but us.
        cargo.env("CARGO_PROFILE_TEST_DEBUG", "0").env("CARGO_INCREMENTAL", "0");
        cargo.args(["--message-format", "json"]);
        cargo.env("CARGO_TARGET_DIR", target).current_dir(tree);
        let built = cargo.output().context("cannot run cargo")?;
        let lines: Vec<Built> = String::from_utf8(built.stdout)?
            .lines()
            .map(|line| serde_json::from_str(line).with_context(|| line.to_string()))
            .collect::<Result<_>>()?;
        if !built.status.success() {
            // Replacements leave things unused: warnings are not shown.
            let errors = lines.iter().filter(|line| line.message.level == "error");
            let errors: String = errors.map(|line| line.message.rendered.as_str()).collect();
            bail!("the mutants cannot be built:\n{errors}{}", String::from_utf8_lossy(&built.stderr));
        }
        let mut programs = Vec::new();
        let mut psw = None;
        for built in lines {
            let (Some(path), true) = (built.executable, built.reason == "compiler-artifact") else { continue };
            let folder = built.manifest_path.parent().context("a manifest is in a folder")?.to_path_buf();
            let package =
                if folder == tree { "psw".into() } else { folder.file_name().unwrap_or_default().to_string_lossy() };
            let name = format!("{package}/{}", built.target.name);
            match built.profile.test {
                true => programs.push(Program { name, path, folder }),
                false if built.target.kind == ["bin"] && name == "psw/psw" => psw = Some(path),
                false => {}
            }
        }
        programs.retain(|program| !LEFT_OUT.contains(&program.name.as_str()));
        programs.sort_by_key(|program| ORDER.iter().position(|name| *name == program.name).unwrap_or(ORDER.len()));
        let models = tree.join("tests/models");
        let cases = expectation::cases(&models)?;
        Ok(Suite { programs, psw: psw.context("cargo built no psw")?, models, cases })
    }

    /// All tests pass if nothing is wrong.
    pub fn must_pass(&self, jobs: usize) -> Result<()> {
        let failures = parallel::map(&self.programs, jobs, |program| match program.name == MODELS {
            true => self.models_fail(0, None),
            false => program.fails(0, None, LIMIT),
        })?;
        let failures: Vec<String> = failures.into_iter().flatten().collect();
        ensure!(failures.is_empty(), "without any mutant:\n{}", failures.join("\n"));
        Ok(())
    }

    /// Runs tests until one notices the mutant.
    pub fn judge(&self, number: u32, mutant: &Mutant) -> Result<Fate> {
        if let Some(killer) = &mutant.killer
            && let Some(by) = self.hinted(number, killer)?
        {
            return Ok(Fate::Killed(by));
        }
        let home = mutant.file.components().next().map(|part| part.as_os_str().to_string_lossy().into_owned());
        let home = format!("{}/", home.unwrap_or_default());
        let (own, others): (Vec<_>, Vec<_>) = self.programs.iter().partition(|program| program.name.starts_with(&home));
        for program in own.into_iter().chain(others) {
            let failed = match program.name == MODELS {
                true => self.models_fail(number, None)?,
                false => program.fails(number, None, LIMIT)?,
            };
            if let Some(by) = failed {
                return Ok(Fate::Killed(by));
            }
        }
        Ok(Fate::Survived)
    }

    /// What the list says notices the mutant.
    fn hinted(&self, number: u32, killer: &str) -> Result<Option<String>> {
        let (first, rest) = killer.split_once(' ').map_or((killer, None), |(first, rest)| (first, Some(rest)));
        if first == "model" {
            return self.models_fail(number, rest);
        }
        let program = self.programs.iter().find(|program| program.name == first);
        program.with_context(|| format!("there are no tests {first}"))?.fails(number, rest, KILLER_LIMIT)
    }

    /// The first wrong answer about a model, or about the one of this name.
    fn models_fail(&self, number: u32, only: Option<&str>) -> Result<Option<String>> {
        let psw = Psw::at(&self.psw, MODEL_LIMIT)?.with_variable(VARIABLE, &number.to_string());
        let is_wanted = |case: &&Case| only.is_none_or(|name| case.name() == name);
        ensure!(self.cases.iter().any(|case| is_wanted(&case)), "no such model in {}", self.models.display());
        for order in Order::ALL {
            for case in self.cases.iter().filter(is_wanted) {
                let answer = psw.ask(&case.path, order)?;
                if !case.expectation.met_by(&answer) {
                    let what = if matches!(answer, Answer::Lost(_)) { format!(": {answer}") } else { String::new() };
                    return Ok(Some(format!("model {} by {order}{what}", case.name())));
                }
            }
        }
        Ok(None)
    }
}

impl Program {
    /// What fails, if something does.
    fn fails(&self, number: u32, filter: Option<&str>, limit: Duration) -> Result<Option<String>> {
        let output = tempfile::tempdir()?;
        // Limited by a shell, in the folder of the package; its output is kept elsewhere.
        let mut command = Command::new("sh");
        let script = format!("ulimit -v {}; cd \"$0\" && exec \"$@\"", MEMORY >> 10);
        command.args(["-c", &script]).arg(&self.folder).arg(&self.path).args(filter);
        command.env(VARIABLE, number.to_string()).env("CARGO_MANIFEST_DIR", &self.folder);
        command
            .env("PROPTEST_FAILURE_PERSISTENCE", "off")
            .env("INSTA_UPDATE", "no")
            .env("INSTA_WORKSPACE_ROOT", &self.folder);
        let ran = run(&mut command, output.path(), limit)?;
        if ran.succeeded() {
            return Ok(None);
        }
        Ok(Some(format!("{}: {}", self.name, reason(&ran))))
    }
}

/// The first test that failed, or how the program ended.
fn reason(ran: &Ran) -> String {
    if ran.status.is_none() {
        return "it did not end in time".to_string();
    }
    let failed = ran.stdout.lines().find_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED"));
    failed.map_or_else(|| "it ended without an answer".to_string(), str::to_string)
}
