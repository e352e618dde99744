//! `psw query` under every search against a simple program that stores all states and goes through them. Then again with
//! reductions, which are used where few questions are asked: what they leave out must change no answer.
//!
//! By default over some of the models of `tests/models` and `examples` that are small. `PSW_QUERY_MODELS=FOLDER` goes through all
//! models of a folder, `PSW_QUERY_STATES=N` through those with up to N states, and the figures are printed:
//! `PSW_QUERY_MODELS=../models PSW_QUERY_STATES=100000 cargo test --release --test query -- --nocapture`.

mod judge;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use judge::{Judge, Key};
use serde_json::Value;
use xtask::process::run;

const SEARCHES: [&str; 8] = ["bfs", "dfs", "sweep", "column", "cache", "sweep-ext", "bfs-ext", "part"];
/// Expressions asked about, of each model.
const EXPRESSIONS: usize = 8;
/// The most dead states that are listed.
const LISTED: usize = 200;
/// Models with more states are not asked with a cache that forgets: that may take very long.
const FEW: usize = 500;

#[test]
fn every_answer_is_what_all_states_say() -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = match std::env::var_os("PSW_QUERY_MODELS") {
        Some(folder) => vec![PathBuf::from(folder)],
        None => vec![root.join("tests/models"), root.join("examples")],
    };
    let most = std::env::var("PSW_QUERY_STATES").ok().and_then(|text| text.parse().ok()).unwrap_or(400);
    let mut models = Vec::new();
    folders.iter().try_for_each(|folder| collect(folder, &mut models))?;
    models.sort();
    if std::env::var_os("PSW_QUERY_MODELS").is_none() {
        models = models.into_iter().step_by(4).collect();
    }
    let (mut asked, mut answers, mut states, mut unfinished, mut reduced) = (0, 0, 0, 0, 0);
    let mut wrong = Vec::new();
    let folder = tempfile::tempdir()?;
    for path in &models {
        let Some(judge) = Judge::new(path, most) else { continue };
        asked += 1;
        states += judge.states.len();
        let questions = Questions::of(&judge);
        for (nth, search) in SEARCHES.into_iter().enumerate() {
            for asked in [&questions, &questions.one(nth)] {
                match ask(folder.path(), path, search, asked, &judge)? {
                    Some(report) => {
                        let mut check = Check { judge: &judge, report: &report, search, wrong: Vec::new(), answers: 0 };
                        check.all(asked);
                        answers += check.answers;
                        reduced += usize::from(check.is_reduced());
                        wrong.extend(check.wrong.iter().map(|what| format!("{} by {search}: {what}", path.display())));
                    }
                    None => unfinished += 1,
                }
            }
        }
    }
    println!("{asked} models, {states} states, {answers} answers compared, {unfinished} searches unfinished");
    println!("{reduced} searches reduced");
    assert!(wrong.is_empty(), "{} answers are wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(asked > 0 && answers > 10 * asked, "{asked} models and {answers} answers");
    assert!(reduced > asked, "{asked} models and {reduced} searches that left something out");
    Ok(())
}

#[test]
fn what_a_question_reads_is_part_of_the_states() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let text =
        "hidden byte h; byte x;\nactive proctype A() { do :: x < 3 -> h = 2 * x; here: x++ :: else -> x = 0 od }\n";
    std::fs::write(folder.path().join("m.pml"), text)?;
    let call = |args: &[&str]| -> Result<(Option<i32>, Value, String)> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_psw"));
        let output =
            command.current_dir(folder.path()).args(args).args(["--format", "json", "-q", "m.pml"]).output()?;
        let report = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
        Ok((output.status.code(), report, String::from_utf8_lossy(&output.stderr).into_owned()))
    };
    let (_, checked, _) = call(&["check", "--search", "bfs", "--no-reduction"])?;
    // An expression that reads nothing more changes nothing.
    let (_, about_x, _) = call(&["query", "--search", "bfs", "--no-reduction", "--bounds", "x"])?;
    assert_eq!(about_x["states"], checked["states"]);
    // The value of a hidden variable that the model never reads, and the process that moved last.
    let (_, about_h, _) = call(&["query", "--search", "bfs", "--no-reduction", "--bounds", "h, _last"])?;
    assert_eq!(
        (&about_h["bounds"][0]["least"]["value"], &about_h["bounds"][0]["greatest"]["value"]),
        (&0.into(), &4.into())
    );
    assert!(about_h["states"].as_u64() > checked["states"].as_u64(), "{} {}", about_h["states"], checked["states"]);
    // What only guides a search must not change the states.
    for (option, name) in [("--progress", "h"), ("--canonical", "h"), ("--progress", "_last")] {
        let (code, _, told) = call(&["check", option, name])?;
        assert_eq!(code, Some(2), "{option} {name}: {told}");
        assert!(told.contains("never reads"), "{told}");
    }
    // If a question reads it, it is there.
    let (code, ..) = call(&["query", "--bounds", "h", "--progress", "h"])?;
    assert_eq!(code, Some(0));
    Ok(())
}

fn collect(folder: &Path, models: &mut Vec<PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(folder).with_context(|| format!("no folder {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, models)?;
        } else if path
            .extension()
            .is_some_and(|extension| ["pml", "pm", "prom", "promela"].iter().any(|&e| extension == e))
        {
            models.push(path);
        }
    }
    Ok(())
}

/// What is asked about a model, with the expected answers.
struct Questions {
    /// Expressions, each with its value in every state.
    expressions: Vec<(String, Vec<i64>)>,
    channels: Vec<String>,
    bounds: BTreeMap<Key, Vec<(i64, i64)>>,
    /// Nothing is asked that is about every state.
    reduced: bool,
}

impl Questions {
    fn of(judge: &Judge) -> Questions {
        let bounds = judge.bounds();
        let mut expressions: Vec<(String, Vec<i64>)> = Vec::new();
        // Every other name, so that not only the first ones are asked about.
        let plain = |name: &str, also: &str| name.chars().all(|c| c.is_alphanumeric() || also.contains(c));
        let can_be_written = |key: &Key| match &key.0 {
            None => plain(&key.1, "_[]."),
            Some((_, process)) => process != "init" && plain(&key.1, "_[]"),
        };
        let once = bounds.iter().filter(|(key, all)| all.len() == 1 && can_be_written(key));
        let variables: Vec<&Key> = once.clone().filter(|(key, _)| key.2 == "variable").map(|(key, _)| key).collect();
        let step = variables.len().div_ceil(EXPRESSIONS).max(1);
        let variables: Vec<&Key> = variables.into_iter().step_by(step).collect();
        for (key, column) in variables.iter().zip(judge.columns(&variables)) {
            let text = match &key.0 {
                None => key.1.clone(),
                Some((pid, process)) => format!("{process}[{pid}]:{}", key.1),
            };
            expressions.push((text, column));
        }
        if let [(a, left), (b, right), ..] = &expressions[..] {
            let sum = left.iter().zip(right).map(|(a, b)| i64::from((*a as i32).wrapping_add(*b as i32))).collect();
            expressions.push((format!("{a} + {b}"), sum));
        }
        let channels = once.filter(|(key, _)| key.2 == "length" && key.0.is_none());
        let channels = channels.map(|(key, _)| key.1.clone()).take(3).collect();
        Questions { expressions, channels, bounds, reduced: false }
    }

    /// Of all expressions the one with this number, if there are any, to a search that may leave something out.
    fn one(&self, number: usize) -> Questions {
        let one = number.checked_rem(self.expressions.len()).map(|nth| self.expressions[nth].clone());
        Questions {
            expressions: one.into_iter().collect(),
            channels: Vec::new(),
            bounds: BTreeMap::new(),
            reduced: true,
        }
    }
}

fn least(values: &[i64]) -> i64 {
    values.iter().copied().min().unwrap_or(0)
}

fn greatest(values: &[i64]) -> i64 {
    values.iter().copied().max().unwrap_or(0)
}

/// Asks psw everything in one call; `None` if it takes too long.
fn ask(folder: &Path, path: &Path, search: &str, questions: &Questions, judge: &Judge) -> Result<Option<Value>> {
    let states = judge.states.len();
    let cache = if states <= FEW { states * 3 / 4 + 1 } else { 1_000_000 };
    let mut command = Command::new(env!("CARGO_BIN_EXE_psw"));
    command.args(["query", "-q", "--format", "json", "--search", search, "--progress", "auto"]);
    command.args(["--dead-states", "--dead-code", "--limit", &LISTED.to_string()]);
    command.args(["--cache", &cache.to_string()]);
    match questions.reduced {
        true => command.args(["--reduce", "full"]),
        false => command.args(["--no-reduction", "--bounds-all"]),
    };
    for (text, values) in &questions.expressions {
        command.args(["--bounds", text]);
        if !questions.reduced {
            command.args(["--histogram", text]);
        }
        command.arg("--reachable").arg(format!("({text}) == {}", least(values)));
        command.arg("--reachable").arg(format!("({text}) > {}", greatest(values)));
        command.arg("--invariant").arg(format!("({text}) < {}", greatest(values)));
    }
    for channel in &questions.channels {
        command.args(["--channel", channel]);
    }
    command.arg(path.canonicalize()?);
    let ran = run(&mut command, folder, Duration::from_secs(120))?;
    match ran.code() {
        Some(0 | 1) => Ok(Some(serde_json::from_str(&ran.stdout)?)),
        None => Ok(None),
        Some(code) => anyhow::bail!("{} by {search}: exit code {code}: {}", path.display(), ran.stderr),
    }
}

struct Check<'a> {
    judge: &'a Judge,
    report: &'a Value,
    search: &'a str,
    wrong: Vec<String>,
    answers: usize,
}

impl Check<'_> {
    fn same<T: PartialEq + std::fmt::Debug>(&mut self, what: &str, found: T, expected: T) {
        self.answers += 1;
        if found != expected {
            self.wrong.push(format!("{what} is {found:?}, should be {expected:?}"));
        }
    }

    /// A number that searches which forget may leave open.
    fn count(&mut self, what: &str, found: &Value, expected: usize) {
        if !found.is_null() || ["bfs", "dfs"].contains(&self.search) {
            self.same(what, found.as_u64(), Some(expected as u64));
        }
    }

    /// Whether the search has left something out.
    fn is_reduced(&self) -> bool {
        ["passed", "reduced"].iter().any(|what| self.report["reduction"][what].as_u64() > Some(0))
    }

    /// The number of states of a kind, which a reduced search never tells.
    fn states(&mut self, what: &str, found: &Value, expected: usize) {
        match self.report["reduction"]["used"] == "none" {
            true => self.count(what, found, expected),
            false => self.same(what, found, &Value::Null),
        }
    }

    fn all(&mut self, questions: &Questions) {
        if !questions.reduced {
            self.count("the number of states", &self.report["states"], self.judge.states.len());
        }
        self.variables(questions);
        self.dead_states();
        self.dead_code();
        for (nth, (text, values)) in questions.expressions.iter().enumerate() {
            self.expression(nth, text, values);
            if !questions.reduced {
                self.histogram(nth, text, values);
            }
        }
        for (nth, channel) in questions.channels.iter().enumerate() {
            let report = self.report;
            let message = |copies: &Value| {
                let fields = copies["message"].as_array().into_iter().flatten().filter_map(Value::as_str);
                let number = |name: &str| copies[name].as_u64().unwrap_or(u64::MAX) as usize;
                (fields.collect::<Vec<_>>().join(","), (number("least"), number("greatest")))
            };
            let found = report["channels"][nth]["messages"].as_array().into_iter().flatten().map(message).collect();
            self.same(&format!("channel {channel}"), found, self.judge.copies(channel));
        }
    }

    fn variables(&mut self, questions: &Questions) {
        let mut found: BTreeMap<Key, Vec<(i64, i64)>> = BTreeMap::new();
        for variable in self.report["variables"].as_array().into_iter().flatten() {
            let text = |name: &str| variable[name].as_str().unwrap_or_default().to_owned();
            let owner = variable["pid"].as_u64().map(|pid| (pid as usize, text("process")));
            let kind = if variable["kind"] == "length" { "length" } else { "variable" };
            if let (Some(least), Some(greatest)) = (variable["least"].as_i64(), variable["greatest"].as_i64()) {
                found.entry((owner, text("name"), kind)).or_default().push((least, greatest));
            }
        }
        found.values_mut().for_each(|bounds| bounds.sort());
        let keys: BTreeSet<&Key> = found.keys().chain(questions.bounds.keys()).collect();
        for key in keys {
            self.same(&format!("{key:?}"), found.get(key), questions.bounds.get(key));
        }
    }

    fn dead_states(&mut self) {
        let dead = &self.report["dead_states"];
        self.count("the number of dead states", &dead["states"], self.judge.dead.len());
        for kind in ["valid", "invalid", "failing"] {
            let expected = self.judge.dead.values().filter(|&&known| known == kind).count();
            self.count(&format!("the number of {kind} end states"), &dead[kind], expected);
        }
        let value = |value: &Value| {
            let text = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
            (value["pid"].as_u64(), text("name"), text("value"))
        };
        let mut found = Vec::new();
        for end in dead["listed"].as_array().into_iter().flatten() {
            let values: Vec<_> = end["values"].as_array().into_iter().flatten().map(value).collect();
            found.push((end["kind"].as_str().unwrap_or_default().to_owned(), values));
            self.way(&end["trace"], |judge, state| judge.dead.contains_key(state));
        }
        let mut expected: Vec<_> =
            self.judge.dead.iter().map(|(state, kind)| ((*kind).to_owned(), self.judge.listed(state))).collect();
        found.sort();
        expected.sort();
        if expected.len() > LISTED {
            self.same("the number of dead states listed", found.len(), LISTED);
            found.dedup();
            expected.retain(|end| found.binary_search(end).is_ok());
            expected.dedup();
        }
        self.same("the list of dead states", found, expected);
    }

    /// Nothing that is listed as dead code is ever executed.
    fn dead_code(&mut self) {
        for listed in self.report["unreached"].as_array().into_iter().flatten() {
            let text = |name: &str| listed[name].as_str().unwrap_or_default().to_owned();
            let line = listed["line"].as_u64().unwrap_or(0) as u32;
            let statement = (text("process"), line, text("statement"));
            let executed = self.judge.executed.contains(&statement);
            self.same(&format!("execution of {statement:?}"), executed, false);
        }
    }

    fn expression(&mut self, nth: usize, text: &str, values: &[i64]) {
        let (least, greatest) = (least(values), greatest(values));
        let report = self.report;
        let bounds = &report["bounds"][nth];
        for (end, expected) in [("least", least), ("greatest", greatest)] {
            self.same(&format!("the {end} of {text}"), bounds[end]["value"].as_i64(), Some(expected));
            self.way(&bounds[end]["trace"], |judge, state| {
                judge.index.get(state).is_some_and(|&at| values[at] == expected)
            });
        }
        let least_is = &report["reachable"][2 * nth];
        self.same(&format!("{text} == {least}"), least_is["answer"].as_str(), Some("yes"));
        let expected = values.iter().filter(|&&value| value == least).count();
        self.states(&format!("states with {text} == {least}"), &least_is["states"], expected);
        let more = &report["reachable"][2 * nth + 1];
        self.same(&format!("{text} > {greatest}"), more["answer"].as_str(), Some("no"));
        let less = &report["invariants"][nth];
        self.same(&format!("always {text} < {greatest}"), less["answer"].as_str(), Some("violated"));
        let expected = values.iter().filter(|&&value| value >= greatest).count();
        self.states(&format!("states with {text} >= {greatest}"), &less["states"], expected);
    }

    fn histogram(&mut self, nth: usize, text: &str, values: &[i64]) {
        let mut expected: BTreeMap<i64, usize> = BTreeMap::new();
        values.iter().for_each(|&value| *expected.entry(value).or_default() += 1);
        let report = self.report;
        let columns = report["histograms"][nth]["values"].as_array().map_or(&[][..], Vec::as_slice);
        let found: Vec<Option<i64>> = columns.iter().map(|column| column["value"].as_i64()).collect();
        self.same(&format!("the values of {text}"), found, expected.keys().map(|&value| Some(value)).collect());
        for (column, &states) in columns.iter().zip(expected.values()) {
            self.count(&format!("states with {text} == {}", column["value"]), &column["states"], states);
        }
    }

    /// A trace leads to a state that is as it should be.
    fn way(&mut self, trace: &Value, is_right: impl Fn(&Judge, &Vec<u32>) -> bool) {
        let events: Option<Vec<u32>> = trace["events"]
            .as_array()
            .map(|events| events.iter().filter_map(|event| u32::try_from(event.as_u64()?).ok()).collect());
        let run = events.and_then(|events| self.judge.model.replay(&events).ok());
        let last = run.map(|run| run.steps.last().and_then(|step| step.states.last()).unwrap_or(&run.initial).clone());
        let is_right = last.is_some_and(|last| is_right(self.judge, &last));
        self.same("a trace to the right state", is_right, true);
    }
}
