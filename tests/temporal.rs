//! Temporal properties of the models of `tests/temporal`: each has the verdicts of its first line under every search, every
//! violation is replayed, and SPIN agrees unless the line says that it differs.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use xtask::spin::{Claim, ClaimVerdict, Spin};

const SEARCHES: [&str; 5] = ["ndfs", "map", "sweep-off", "sweep-on", "column"];

/// A model, and what its first line says.
struct Case {
    path: PathBuf,
    expected: Vec<Expected>,
    spin_differs: bool,
}

struct Expected {
    property: String,
    fairness: Fairness,
    verdict: ClaimVerdict,
}

/// Which runs count: `fair:` is weak fairness, which SPIN knows too, `fair[strong,channel/c,choice/P]:` is anything else.
enum Fairness {
    None,
    Weak,
    Given(String),
}

impl Fairness {
    fn options(&self) -> Vec<String> {
        let given = match self {
            Fairness::None => return vec!["--fair=none".to_owned()],
            Fairness::Weak => "weak",
            Fairness::Given(given) => given,
        };
        let option = |word: &str| match word.split_once('/') {
            Some((kind, name)) => format!("--fair-{kind}={name}"),
            None => format!("--fair={word}"),
        };
        given.split(',').map(option).collect()
    }

    /// Every search, each with and without reductions; there is only one for what SPIN does not know.
    fn searches(&self) -> Vec<(Option<&'static str>, &'static str)> {
        let searches = match self {
            Fairness::None | Fairness::Weak => SEARCHES.map(Some).to_vec(),
            Fairness::Given(_) => vec![None],
        };
        searches.into_iter().flat_map(|search| ["none", "full"].map(|level| (search, level))).collect()
    }
}

fn cases() -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/temporal"))? {
        let path = entry?.path();
        let text = std::fs::read_to_string(&path)?;
        let line = text.lines().next().unwrap_or_default();
        let words = line.strip_prefix("/* temporal: ").and_then(|line| line.strip_suffix(" */"));
        let words = words.with_context(|| format!("{}: no expectation", path.display()))?;
        let mut case = Case { path, expected: Vec::new(), spin_differs: false };
        for word in words.split_whitespace() {
            let (name, verdict) = word.split_once('=').with_context(|| word.to_owned())?;
            let given = name.strip_prefix("fair[").and_then(|name| name.split_once("]:"));
            let (fairness, property) = match (given, name.strip_prefix("fair:")) {
                (Some((given, name)), _) => (Fairness::Given(given.to_owned()), name),
                (None, Some(name)) => (Fairness::Weak, name),
                (None, None) => (Fairness::None, name),
            };
            let verdict = match verdict {
                "holds" => ClaimVerdict::Holds,
                "violated" => ClaimVerdict::Violated,
                _ => {
                    case.spin_differs = true;
                    continue;
                }
            };
            case.expected.push(Expected { property: property.to_owned(), fairness, verdict });
        }
        cases.push(case);
    }
    ensure!(cases.len() >= 20, "only {} models", cases.len());
    Ok(cases)
}

/// What psw says; a run that it saves must replay.
fn ask(
    case: &Case,
    expected: &Expected,
    (search, reduce): (Option<&str>, &str),
    folder: &Path,
) -> Result<ClaimVerdict> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_psw"));
    command.args(["ltl", "--no-end-states", "--quiet", "--trace-out", "t.json"]).arg(&case.path);
    command.args(["--reduce", reduce]).args(expected.fairness.options()).current_dir(folder);
    if let Some(search) = search {
        command.args(["--search", search]);
    }
    match expected.property.as_str() {
        "non-progress" => drop(command.arg("--non-progress")),
        "never" => drop(command.args(["--name", "claim"])),
        name => drop(command.args(["--name", name])),
    }
    let out = command.output()?;
    match out.status.code() {
        Some(0) => return Ok(ClaimVerdict::Holds),
        Some(1) => {}
        _ => return Ok(ClaimVerdict::Unknown),
    }
    let mut replay = Command::new(env!("CARGO_BIN_EXE_psw"));
    let replayed = replay.arg("replay").arg(&case.path).args(["t.json", "--quiet"]).current_dir(folder).output()?;
    let said = String::from_utf8_lossy(&replayed.stderr).into_owned();
    ensure!(replayed.status.code() == Some(1), "{} {search:?}: {said}", case.path.display());
    Ok(ClaimVerdict::Violated)
}

#[test]
fn verdicts_are_those_of_the_first_line_under_every_search() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let mut wrong = Vec::new();
    for case in cases()? {
        for expected in &case.expected {
            for (search, reduce) in expected.fairness.searches() {
                let found = ask(&case, expected, (search, reduce), folder.path())?;
                if found != expected.verdict {
                    let fair = expected.fairness.options().join(" ");
                    let (model, property) = (case.path.display(), &expected.property);
                    wrong.push(format!("{model} {property} {fair} {search:?}, reduced {reduce}: {found:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

/// All properties of a model in one call: `psw check` under every search, and `psw ltl` as it is by default. Each has its
/// own verdict, whatever the others come to.
#[test]
fn verdicts_are_the_same_in_one_search_for_all() -> Result<()> {
    let orders = ["bfs", "dfs", "sweep", "column", "cache", "sweep-ext", "bfs-ext", "part"];
    let searches = orders.into_iter().map(|order| vec!["check", "--search", order]);
    let calls: Vec<Vec<&str>> = searches.chain([vec!["check"], vec!["check", "--all-errors"], vec!["ltl"]]).collect();
    let (mut wrong, mut shared) = (Vec::new(), 0);
    for case in cases()? {
        for (call, reduce) in calls.iter().flat_map(|call| ["none", "full"].map(|level| (call, level))) {
            let mut command = Command::new(env!("CARGO_BIN_EXE_psw"));
            command.args(call).args(["--reduce", reduce, "--quiet", "--format", "json"]).arg(&case.path);
            let report: serde_json::Value = match serde_json::from_slice(&command.output()?.stdout) {
                Ok(report) => report,
                // It states nothing.
                Err(_) if call[0] == "ltl" => continue,
                Err(error) => return Err(error).with_context(|| case.path.display().to_string()),
            };
            let empty = Vec::new();
            for property in report["properties"].as_array().unwrap_or(&empty) {
                shared += usize::from(property["shared"] == true);
                let name = property["name"].as_str().unwrap_or_default();
                let is_it = |name: &str, expected: &Expected| match expected.property.as_str() {
                    "never" => name.starts_with("never claim"),
                    "labels" => name == "accept labels",
                    wanted => name.strip_prefix("ltl ") == Some(wanted),
                };
                let Some(expected) = case
                    .expected
                    .iter()
                    .find(|expected| matches!(expected.fairness, Fairness::None) && is_it(name, expected))
                else {
                    continue;
                };
                let wanted = if expected.verdict == ClaimVerdict::Holds { "holds" } else { "violated" };
                if property["verdict"] != wanted {
                    let (model, said) = (case.path.display(), &property["verdict"]);
                    wrong.push(format!("{model} {name}, {call:?}, reduced {reduce}: {said}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(shared > 100, "only {shared} answers of invariants");
    Ok(())
}

/// A run that was found under one assumption, and is said to be one under another that it does not meet.
#[test]
fn a_run_that_is_not_fair_is_not_confirmed() -> Result<()> {
    let claimed = [
        ("fair_one_process", "pa", "--fair=none", "weak"),
        ("fair_one_process", "pa", "--fair=B", "A"),
        ("fair_strong", "first", "--fair=weak", "strong"),
        ("fair_strong", "first", "--fair=weak", "strong Customer[0]"),
        ("fair_channel_thief", "got", "--fair=weak", "channel c:Receiver"),
        ("fair_channel_sender", "got", "--fair=weak", "channel c"),
        ("fair_channel_receiver", "got", "--fair=weak", "channel cs[1]"),
        ("fair_choice", "got", "--fair=weak", "choice Network"),
        ("fair_d_step", "got", "--fair=weak", "channel c"),
    ];
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("t.json");
    for (model, property, found_under, said) in claimed {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/temporal").join(format!("{model}.pml"));
        let psw = |args: &[&str]| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_psw"));
            command.args(args).arg("--quiet").arg(&path).current_dir(folder.path()).output()
        };
        let found = psw(&["ltl", "--no-end-states", "--name", property, found_under, "--trace-out", "t.json"])?;
        ensure!(found.status.code() == Some(1), "{model}: {found:?}");
        let mut saved: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&file)?)?;
        saved["property"]["fairness"] = serde_json::json!([said]);
        std::fs::write(&file, saved.to_string())?;
        let mut replay = Command::new(env!("CARGO_BIN_EXE_psw"));
        let replayed =
            replay.arg("replay").arg(&path).args(["t.json", "--quiet"]).current_dir(folder.path()).output()?;
        let why = String::from_utf8_lossy(&replayed.stderr);
        ensure!(replayed.status.code() == Some(2) && why.contains("is not fair to"), "{model} {said}: {why}");
    }
    Ok(())
}

#[test]
fn spin_agrees() -> Result<()> {
    let Some(spin) = Spin::for_test("tests/temporal", Duration::from_secs(60))? else {
        return Ok(());
    };
    let mut wrong = Vec::new();
    for case in cases()?.iter().filter(|case| !case.spin_differs) {
        for expected in &case.expected {
            let claim = match expected.property.as_str() {
                "non-progress" => Claim::NonProgress,
                "never" => Claim::Never,
                "labels" => Claim::Labels,
                name => Claim::Named(name.to_owned()),
            };
            let is_fair = match expected.fairness {
                Fairness::None => false,
                Fairness::Weak => true,
                Fairness::Given(_) => continue,
            };
            let said = spin.ask_claim(&case.path, &claim, is_fair)?;
            if said != expected.verdict {
                let fair = if is_fair { " (fair)" } else { "" };
                wrong.push(format!("{} {}{fair}: SPIN says {said:?}", case.path.display(), expected.property));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}
