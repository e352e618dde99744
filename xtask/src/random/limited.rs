//! Tiny limits: a run that they stop has no verdict, and one that they do not stop has that of the complete run.

use super::Difference;
use crate::process;
use crate::psw::Psw;
use anyhow::Result;
use std::path::Path;

/// Limits that stop most models somewhere, with the searches that they are tried on.
const LIMITS: [&[&str]; 6] = [
    &["--max-states", "1", "--search", "bfs"],
    &["--max-states", "7", "--search", "dfs"],
    &["--max-states", "20", "--search", "column"],
    &["--max-memory", "64K", "--search", "sweep"],
    &["--max-memory", "1K", "--search", "bfs"],
    &["--max-time", "0s", "--search", "dfs"],
];

/// The first limit under which psw gives another verdict than without, if there is one.
pub(super) fn judge(psw: &Psw, model: &Path) -> Result<Option<Difference>> {
    let dir = tempfile::tempdir()?;
    let ask = |limit: &[&str]| -> Result<Option<i32>> {
        let mut command = psw.command();
        command.args(["check", "--safety", "--quiet"]).args(limit).arg(model);
        Ok(process::run(&mut command, dir.path(), psw.limit())?.code())
    };
    let whole = ask(&["--search", "bfs"])?;
    // Without a verdict of the complete run there is nothing to compare with.
    if !matches!(whole, Some(0 | 1)) {
        return Ok(None);
    }
    for limit in LIMITS {
        let found = ask(limit)?;
        if found != whole && found != Some(3) {
            let shown =
                |code: Option<i32>| code.map_or("a signal or no end".to_string(), |code| format!("exit code {code}"));
            return Ok(Some(Difference {
                what: "another verdict under a limit",
                psw: format!("{} with {}", shown(found), limit.join(" ")),
                judge: shown(whole),
            }));
        }
    }
    Ok(None)
}
