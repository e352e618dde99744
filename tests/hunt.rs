//! `psw hunt`, `--bitstate` and `--hash-compact`: what they find is there, they find what a small model has, and they never
//! say that anything holds.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn psw(args: &[&str], model: &Path) -> anyhow::Result<Output> {
    Ok(Command::new(env!("CARGO_BIN_EXE_psw")).args(args).arg(model).current_dir(ROOT).output()?)
}

fn report(args: &[&str], model: &Path) -> anyhow::Result<Option<Value>> {
    let out = psw(args, model)?;
    if out.status.code() == Some(2) {
        return Ok(None);
    }
    let report: Value = serde_json::from_slice(&out.stdout)?;
    let code = match report["verdict"].as_str() {
        Some("holds") => 0,
        Some("violated") => 1,
        _ => 3,
    };
    assert_eq!(out.status.code(), Some(code), "{} {args:?}", model.display());
    Ok(Some(report))
}

/// Every model with all of its states, and by searches that remember hashes: the tables are large, so they find the same.
#[test]
fn searches_by_hashes_find_what_small_models_have() -> anyhow::Result<()> {
    let check = ["check", "--quiet", "--format", "json", "--safety", "--max-time", "60s"];
    let (mut held, mut violated) = (0, 0);
    for entry in std::fs::read_dir(Path::new(ROOT).join("tests/models"))? {
        let path = entry?.path();
        let with = |options: &[&str]| report(&[&check[..], options].concat(), &path);
        let Some(exact) = with(&["--search", "dfs"])? else { continue };
        let bits = with(&["--bitstate", "16M"])?;
        let compact = with(&["--hash-compact"])?;
        let hunt = ["hunt", "--quiet", "--format", "json", "--workers", "1", "--rounds", "12", "--max-time", "60s"];
        for other in [bits, compact, report(&hunt, &path)?].into_iter().flatten() {
            let place = format!("{}: {other}", path.display());
            match exact["verdict"].as_str() {
                Some("holds") => {
                    assert_eq!(
                        (&other["verdict"], &other["stop_reason"]),
                        (&"stopped".into(), &"hashed".into()),
                        "{place}"
                    );
                    held += 1;
                }
                Some("violated") => {
                    assert_eq!(other["verdict"], "violated", "{place}");
                    assert!(other["violation"].is_object(), "{place}");
                    violated += 1;
                }
                _ => {}
            }
        }
        assert!(exact["hashed"].is_null());
    }
    assert!(held > 300 && violated > 100, "{held} held, {violated} violated");
    Ok(())
}

#[test]
fn a_needle_is_found_and_its_trace_can_be_replayed() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let trace = folder.path().join("needle.trace");
    let name = trace.to_str().expect("the name is text");
    let model = Path::new("tests/hunt/needle.pml");
    let options = ["hunt", "--quiet", "--format", "json", "--workers", "1", "--max-time", "10m", "--max-memory", "2G"];
    let found = report(&[&options[..], &["--trace-out", name]].concat(), model)?.expect("the model is correct");
    assert_eq!(found["verdict"], "violated", "{found}");
    assert_eq!(found["violation"]["kind"], "assertion");
    assert!(found["trace"]["length"].as_u64() >= Some(100_000), "{}", found["trace"]["length"]);
    let replayed =
        Command::new(env!("CARGO_BIN_EXE_psw")).arg("replay").arg(model).arg(name).current_dir(ROOT).output()?;
    assert_eq!(replayed.status.code(), Some(1), "{}", String::from_utf8_lossy(&replayed.stderr));
    Ok(())
}

/// One worker and one seed: the same violation by the same path, twice.
#[test]
fn a_seed_is_a_hunt() -> anyhow::Result<()> {
    let model = Path::new("examples/mutex_race.pml");
    let hunt = || report(&["hunt", "--format", "json", "--workers", "1", "--seed", "5", "--rounds", "9"], model);
    let (first, second) = (hunt()?.expect("it is correct"), hunt()?.expect("it is correct"));
    assert_eq!(first["verdict"], "violated");
    for field in ["trace", "violation", "rounds", "visited", "transitions", "depth", "states_visited_estimate"] {
        assert_eq!(first[field], second[field], "{field}");
    }
    Ok(())
}

#[test]
fn a_table_that_is_too_small_says_so() -> anyhow::Result<()> {
    let model = Path::new("examples/leader_election.pml");
    let check = ["check", "--quiet", "--safety", "--no-reduction", "--format", "json"];
    let all = report(&[&check[..], &["--no-hunt"]].concat(), model)?.expect("it is correct");
    let few = report(&[&check[..], &["--bitstate", "64"]].concat(), model)?.expect("it is correct");
    assert_eq!((&all["verdict"], &few["verdict"]), (&"holds".into(), &"stopped".into()));
    assert!(few["states"].as_u64() < all["states"].as_u64());
    assert!(few["hashed"]["expected_omissions"].as_f64() > Some(1.0), "{}", few["hashed"]);
    Ok(())
}
