//! Traces that are kept: saved and replayed, walked through, drawn, and handed to SPIN.

mod chart;
mod corpus;
mod trails;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use tempfile::TempDir;

const PSW: &str = env!("CARGO_BIN_EXE_psw");

/// Every search. Some forget the states a trace passes, so that it must be found again.
const SEARCHES: [&str; 8] = ["bfs", "dfs", "sweep", "column", "cache", "sweep-ext", "bfs-ext", "part"];

/// Three processes, both kinds of channels, an atomic sequence, a `d_step`, and a false assertion.
const MODEL: &str = "\
#ifndef LIMIT
#define LIMIT 2
#endif
mtype = { req, ack };
chan meet = [0] of { mtype, byte };
chan line = [2] of { byte };
byte total;
proctype Worker(byte n) { total = total + n }
active proctype Client() {
  atomic { total = 1; meet!req,7; total = 2 };
  line!3; line!4;
  run Worker(5)
}
active proctype Server() {
  byte v;
  meet?req,v;
  line?v;
  d_step { v = v + 1; total = total + v };
  (total > 10);
  printf(\"MSC: total is %d\\n\", total);
  assert(total < LIMIT)
}
";

/// A folder with the model in it.
fn folder(model: &str) -> Result<TempDir> {
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("m.pml"), model)?;
    Ok(folder)
}

/// Runs psw in a folder.
fn psw(folder: &Path, args: &[&str]) -> Result<Output> {
    Ok(Command::new(PSW).current_dir(folder).args(args).stdin(Stdio::null()).output()?)
}

/// What psw prints, when it ends with the exit code.
fn answer(folder: &Path, args: &[&str], code: i32) -> Result<String> {
    let output = psw(folder, args)?;
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    ensure!(output.status.code() == Some(code), "psw {args:?} ends with {:?}:\n{out}{err}", output.status.code());
    Ok(format!("{out}{err}"))
}

fn json(path: &Path) -> Result<Value> {
    Ok(serde_json::from_str(&std::fs::read_to_string(path)?)?)
}

/// The part of a report that is the trace.
fn steps(report: &str) -> &str {
    let trace = report.split_once("trace, ").map_or(report, |(_, trace)| trace);
    trace.split("at the end:").next().unwrap_or(trace)
}

#[test]
fn a_saved_trace_is_confirmed_and_reads_as_it_did() -> Result<()> {
    let folder = folder(MODEL)?;
    let checked = answer(folder.path(), &["check", "--trace-out", "t.json", "m.pml"], 1)?;
    let replayed = answer(folder.path(), &["replay", "m.pml", "t.json"], 1)?;
    assert_eq!(steps(&checked), steps(&replayed));
    assert!(replayed.contains("m.pml: confirmed: assertion violated"), "{replayed}");
    let saved = json(&folder.path().join("t.json"))?;
    assert_eq!(saved["version"], 1);
    assert_eq!(saved["model"], "m.pml");
    assert_eq!(saved["violation"]["kind"], "assertion");
    assert!(saved["events"].as_array().is_some_and(|events| !events.is_empty()));
    assert_eq!(saved["end"][0]["process"], "Client");
    Ok(())
}

#[test]
fn a_trace_shows_messages_and_ties_moves_of_one_step() -> Result<()> {
    let folder = folder(MODEL)?;
    let report = answer(folder.path(), &["check", "-v", "m.pml"], 1)?;
    for expected in [
        "    1 ┌ Client(0)",
        "      │ Client(0)",
        "      └ Server(1)",
        "meet ← [req,7] to Server(1)",
        "meet → [req,7] from Client(0), v: 0 → 7",
        "line ← [3]",
        "line → [3], v: 7 → 3",
        "     total = ",
    ] {
        assert!(report.contains(expected), "no `{expected}` in\n{report}");
    }
    Ok(())
}

#[test]
fn a_trace_that_does_not_fit_is_an_error() -> Result<()> {
    let folder = folder(MODEL)?;
    let path = folder.path();
    answer(path, &["check", "-D", "LIMIT=3", "--trace-out", "t.json", "m.pml"], 1)?;
    answer(path, &["replay", "-D", "LIMIT=3", "m.pml", "t.json"], 1)?;
    let other = answer(path, &["replay", "-D", "LIMIT=2", "m.pml", "t.json"], 2)?;
    assert!(other.contains("made with -D LIMIT=3, but this call has -D LIMIT=2"), "{other}");
    answer(path, &["replay", "m.pml", "t.json"], 2)?;

    let saved = json(&path.join("t.json"))?;
    let reject = |name: &str, change: &dyn Fn(&mut Value)| -> Result<String> {
        let mut changed = saved.clone();
        change(&mut changed);
        std::fs::write(path.join(name), changed.to_string())?;
        answer(path, &["replay", "-D", "LIMIT=3", "m.pml", name], 2)
    };
    let other = reject("violation.json", &|trace| trace["violation"]["kind"] = "array_index".into())?;
    assert!(other.contains("ends with assertion violated"), "{other}");
    reject("line.json", &|trace| trace["violation"]["line"] = 1.into())?;
    reject("pid.json", &|trace| trace["violation"]["pid"] = 0.into())?;
    let other = reject("events.json", &|trace| trace["events"][1] = 999.into())?;
    assert!(other.contains("step 2 is not a step of this model"), "{other}");
    reject("short.json", &|trace| {
        if let Some(events) = trace["events"].as_array_mut() {
            events.pop();
        }
    })?;
    reject("long.json", &|trace| {
        if let Some(events) = trace["events"].as_array_mut() {
            events.push(0.into());
        }
    })?;
    let other = reject("version.json", &|trace| trace["version"] = 99.into())?;
    assert!(other.contains("version 99"), "{other}");
    for (name, text) in
        [("empty.json", ""), ("half.json", "{\"version\": 1"), ("other.json", "{}"), ("text", "hello\n")]
    {
        std::fs::write(path.join(name), text)?;
        answer(path, &["replay", "m.pml", name], 2)?;
    }
    answer(path, &["replay", "m.pml", "absent.json"], 2)?;
    Ok(())
}

#[test]
fn a_trace_can_be_walked_forward_and_back() -> Result<()> {
    let folder = folder(MODEL)?;
    answer(folder.path(), &["check", "--trace-out", "t.json", "m.pml"], 1)?;
    let mut child = Command::new(PSW)
        .current_dir(folder.path())
        .args(["replay", "--step", "-q", "m.pml", "t.json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    child.stdin.take().context("stdin")?.write_all(b"p\nn\nn\np\n2\n77\nwhat\nv\nq\n")?;
    let output = child.wait_with_output()?;
    assert_eq!(output.status.code(), Some(1));
    let out = String::from_utf8(output.stdout)?;
    let places: Vec<&str> = out.lines().filter_map(|line| line.strip_prefix("step ")?.split(" of ").next()).collect();
    // What is typed is not echoed, so an answer stands on the line of its question.
    assert_eq!(places, ["0", "0", "1", "2", "1", "2", "2", "2", "2"], "{out}");
    for expected in ["the initial state", "this is the initial state", "a number from 0 to", "total = "] {
        assert!(out.contains(expected), "no `{expected}` in\n{out}");
    }
    Ok(())
}

#[test]
fn shortest_is_never_longer() -> Result<()> {
    let folder = folder("byte x; active proctype P() { do :: x < 50 -> x++ :: x > 3 -> break od; assert(x == 0) }")?;
    let length = |options: &[&str]| -> Result<usize> {
        answer(folder.path(), &[&["check", "--trace-out", "t.json"], options, &["m.pml"]].concat(), 1)?;
        Ok(json(&folder.path().join("t.json"))?["events"].as_array().context("events")?.len())
    };
    let (shortest, first) = (length(&["--shortest"])?, length(&["--search", "dfs"])?);
    assert!(shortest < first, "{shortest} and {first}");
    answer(folder.path(), &["check", "--shortest", "--search", "dfs", "m.pml"], 2)?;
    Ok(())
}

#[test]
fn no_file_appears_unasked() -> Result<()> {
    let folder = folder(MODEL)?;
    answer(folder.path(), &["check", "m.pml"], 1)?;
    assert_eq!(std::fs::read_dir(folder.path())?.count(), 1);
    Ok(())
}

#[test]
fn a_model_without_initial_state_has_a_trace_too() -> Result<()> {
    let folder = folder("byte a[2]; byte i = 7; byte b = a[i]; active proctype P() { b = 0; assert(b == 0) }")?;
    answer(folder.path(), &["check", "--trace-out", "t.json", "--trail", "m.pml"], 1)?;
    answer(folder.path(), &["replay", "--msc", "t.svg", "m.pml", "t.json"], 1)?;
    answer(folder.path(), &["replay", "--step", "m.pml", "t.json"], 1)?;
    answer(folder.path(), &["replay", "m.pml", "m.pml.trail"], 1)?;
    Ok(())
}
