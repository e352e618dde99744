//! Dead states, reduced against unreduced: a search that leaves out steps and states must meet every state in which nothing
//! can move, with the same values and every process at the same place.

use super::Difference;
use crate::process;
use crate::psw::Psw;
use anyhow::{Context, Result};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// Models with more dead states are not compared: each comes with its trace.
const MOST: usize = 200;

/// The searches that are compared with the whole one.
const SEARCHES: [&str; 3] = ["bfs", "dfs", "column"];

/// The first search that loses or makes up a dead state, if there is one.
pub(super) fn judge(psw: &Psw, model: &Path, options: &[&str]) -> Result<Option<Difference>> {
    let Some(whole) = ask(psw, model, "bfs", "none", options)? else { return Ok(None) };
    for search in SEARCHES {
        // A reduced search may list more states in which only steps that fail are left: some have cleared values.
        let Some(reduced) = ask(psw, model, search, "full", options)? else { continue };
        if reduced == whole {
            continue;
        }
        let shown = |states: Vec<&String>| format!("{} dead states, {states:?}", states.len());
        return Ok(Some(Difference {
            what: "other dead states in the reduced search",
            psw: format!("{search}, alone: {}", shown(reduced.difference(&whole).collect())),
            judge: format!("without reductions, alone: {}", shown(whole.difference(&reduced).collect())),
        }));
    }
    Ok(None)
}

/// The dead states; `None` if there is no answer, or if there are too many.
fn ask(psw: &Psw, model: &Path, search: &str, reduce: &str, options: &[&str]) -> Result<Option<BTreeSet<String>>> {
    let dir = tempfile::tempdir()?;
    let mut command = psw.command();
    command.args(["query", "--dead-states", "--format", "json", "--search", search, "--reduce", reduce]);
    command.args(["--limit", &MOST.to_string()]).args(options).arg(model);
    let ran = process::run(&mut command, dir.path(), psw.limit())?;
    if ran.code() != Some(0) {
        return Ok(None);
    }
    let report: Value = serde_json::from_str(&ran.stdout).context("psw's JSON")?;
    let listed = report["dead_states"]["listed"].as_array().context("the dead states in psw's JSON")?;
    let is_all = report["dead_states"]["states"].as_u64() == Some(listed.len() as u64);
    let state = |listed: &Value| format!("{} {} {}", listed["kind"], listed["standing"], listed["values"]);
    // Where only steps that fail are left, processes can move: there is no deadlock.
    let dead = listed.iter().filter(|listed| listed["kind"] != "failing");
    Ok(is_all.then(|| dead.map(state).collect()))
}
