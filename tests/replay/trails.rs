//! Real SPIN replays psw's trails to the same violation: the same assertion fails at the same line, or all processes stand
//! at the same lines. And psw reads its own trails, and those of a verifier that SPIN makes without merging statements.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;
use xtask::spin::Spin;

use super::{MODEL, SEARCHES, answer, folder, json, psw};

/// At least so many models must have been replayed, under each search.
const ENOUGH: usize = 20;

fn spin(folder: &Path, args: &[&str]) -> Result<String> {
    let output = Command::new("spin").current_dir(folder).args(args).stdin(Stdio::null()).output()?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr))
}

fn installed_spin(test: &str) -> Result<Option<Spin>> {
    Spin::for_test(test, Duration::from_secs(60))
}

fn models() -> Result<Vec<PathBuf>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut models = Vec::new();
    for folder in ["tests/models", "examples"] {
        for entry in std::fs::read_dir(root.join(folder))? {
            models.push(entry?.path());
        }
    }
    models.retain(|path| path.extension().is_some_and(|extension| extension == "pml"));
    models.sort();
    Ok(models)
}

#[test]
fn spin_replays_every_trail_to_the_same_violation() -> Result<()> {
    if installed_spin("spin_replays_every_trail_to_the_same_violation")?.is_none() {
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let (mut replayed, mut wrong) = (0, Vec::new());
    for path in models()? {
        let name = path.file_name().context("a file")?.to_string_lossy().into_owned();
        std::fs::copy(&path, folder.path().join(&name))?;
        for (search, reduce) in SEARCHES.into_iter().flat_map(|search| ["none", "full"].map(|level| (search, level))) {
            let how = ["--search", search, "--reduce", reduce, "--max-states", "50000"];
            let check = [&["check", "--safety", "-q", "--trail", "--trace-out", "t.json", &name], &how[..]].concat();
            if psw(folder.path(), &check)?.status.code() != Some(1) {
                continue;
            }
            answer(folder.path(), &["replay", "-q", &name, &format!("{name}.trail")], 1).context(name.clone())?;
            match differs(folder.path(), &name)? {
                Some(None) => replayed += 1,
                Some(Some(difference)) => wrong.push(format!("{name} by {search}, reduced {reduce}: {difference}")),
                None => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{} and {replayed} right:\n{}", wrong.len(), wrong.join("\n\n"));
    println!("{replayed} trails replayed by SPIN");
    assert!(replayed >= 2 * SEARCHES.len() * ENOUGH, "only {replayed} trails were replayed");
    Ok(())
}

/// How SPIN's replay of a trail differs from psw's trace; nothing if the two cannot be compared.
fn differs(folder: &Path, name: &str) -> Result<Option<Option<String>>> {
    let saved = json(&folder.join("t.json"))?;
    let violation = &saved["violation"];
    let replay = || spin(folder, &["-t", "-p", name]);
    Ok(match violation["kind"].as_str() {
        Some("assertion") => {
            let (said, expected) =
                (replay()?, format!("spin: {name}:{}, Error: assertion violated", violation["line"]));
            Some((!said.contains(&expected)).then(|| format!("{expected}\n{said}")))
        }
        Some("invalid_end_state") => {
            let (said, expected) = (replay()?, stands(&saved));
            Some((stands_in_spin(&said) != expected).then(|| format!("{expected:?}\n{said}")))
        }
        // What SPIN's simulator does about run-time errors has little to do with its verifier.
        _ => None,
    })
}

/// The line at which each process stands at the end of a saved trace.
fn stands(saved: &Value) -> BTreeMap<u64, u64> {
    let processes = saved["end"].as_array().into_iter().flatten();
    processes.filter_map(|process| Some((process["pid"].as_u64()?, process["line"].as_u64()?))).collect()
}

/// The same in what SPIN prints at the end of a replay: `  8:  proc  1 (B:1) m.pml:6 (state 3)`.
fn stands_in_spin(said: &str) -> BTreeMap<u64, u64> {
    let end = said.rsplit("#processes").next().unwrap_or_default();
    let standing = |line: &str| {
        let (_, process) = line.split_once("proc ")?;
        let (pid, rest) = process.trim_start().split_once(' ')?;
        let place = rest.split(' ').find(|word| word.contains(".pml:"))?;
        Some((pid.parse().ok()?, place.rsplit(':').next()?.parse().ok()?))
    };
    end.lines().filter_map(standing).collect()
}

#[test]
fn claims_formulas_and_traces_shift_no_number() -> Result<()> {
    if installed_spin("claims_formulas_and_traces_shift_no_number")?.is_none() {
        return Ok(());
    }
    let declared = "byte x; chan c = [2] of { byte };\n";
    let processes = "\
proctype Late(byte n) { x = x + n }
active proctype First() { c!1; if :: x == 0 -> x = 1 :: else fi; run Late(2) }
active proctype Second() { byte y; c?y; do :: x < 3 -> skip :: x >= 3 -> break od; assert(x == y) }
";
    for claim in ["never { do :: x > 200 -> break :: else od }\n", "ltl p { [] (x < 200) }\n", "notrace { c?99 }\n"] {
        for text in [format!("{declared}{claim}{processes}"), format!("{declared}{processes}{claim}")] {
            let folder = folder(&text)?;
            answer(folder.path(), &["check", "--safety", "-q", "--trail", "m.pml"], 1)?;
            let said = spin(folder.path(), &["-t", "-p", "m.pml"])?;
            assert!(said.contains("Error: assertion violated"), "{text}\n{said}");
            answer(folder.path(), &["replay", "-q", "m.pml", "m.pml.trail"], 1)?;
        }
    }
    Ok(())
}

#[test]
fn a_trail_of_spins_verifier_is_read_if_it_merges_nothing() -> Result<()> {
    let Some(installed) = installed_spin("a_trail_of_spins_verifier_is_read_if_it_merges_nothing")? else {
        return Ok(());
    };
    let folder = folder(MODEL)?;
    for (option, code) in [("-o3", 1), ("-o1", 2)] {
        spin(folder.path(), &[option, "-a", "m.pml"])?;
        assert!(installed.compile(folder.path(), &["-DSAFETY", "-DNOREDUCE"])?.succeeded());
        Command::new(folder.path().join("pan")).current_dir(folder.path()).output()?;
        let said = answer(folder.path(), &["replay", "m.pml", "m.pml.trail"], code)?;
        assert!(code == 1 || said.contains("spin -o3 -a"), "{said}");
    }
    Ok(())
}
