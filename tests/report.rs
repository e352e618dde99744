//! The report as a page, as far as that can be seen without a browser: its data, that a model is no part of it, and that a page
//! that cannot be written changes no verdict. `browser.rs` looks at it in a browser.

use std::path::Path;
use std::process::{Command, Output};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// Two who meet, and one assertion too many; the last statement is never executed.
const SMALL: &str = "\
chan c = [0] of { byte };
byte x;
active proctype A() { c!1; d_step { x = x + 1; x = x * 2 } }
active proctype B() { byte y; c?y; atomic { x > 1 -> printf(\"x is %d\\n\", x) }; assert(x < y); y = 0 }
";

fn psw(folder: &Path, args: &[&str]) -> Result<Output> {
    Command::new(env!("CARGO_BIN_EXE_psw")).current_dir(folder).args(args).output().context("psw runs")
}

/// The data of a page.
fn data(page: &str) -> Result<Value> {
    let (_, behind) = page.split_once("id=\"data\">").context("a page has data")?;
    let (data, _) = behind.split_once("</script>").context("the data ends")?;
    ensure!(!data.contains(['<', '>', '&', '\u{2028}', '\u{2029}']));
    Ok(serde_json::from_str(data)?)
}

fn page(folder: &Path, text: &str, args: &[&str]) -> Result<String> {
    std::fs::write(folder.join("m.pml"), text)?;
    let ran = psw(folder, &[args, &["--report", "out.html"]].concat())?;
    ensure!(matches!(ran.status.code(), Some(0 | 1)), "{ran:?}");
    Ok(std::fs::read_to_string(folder.join("out.html"))?)
}

#[test]
fn a_small_page() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let mut data = data(&page(folder.path(), SMALL, &["check", "-q", "--search", "dfs", "--no-reduction", "m.pml"])?)?;
    // What differs from run to run.
    for fact in data["facts"].as_array_mut().into_iter().flatten() {
        if matches!(fact["name"].as_str(), Some("memory" | "time")) {
            fact["value"] = "[measured]".into();
        }
    }
    data["summary"] = "[the end of the text report]".into();
    data["psw"] = "[version]".into();
    insta::assert_snapshot!("a_small_page", serde_json::to_string_pretty(&data)?);
    Ok(())
}

#[test]
fn pages_of_all_commands_have_the_same_fields() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let fields = |page: &str| -> Result<Vec<String>> {
        Ok(data(page)?.as_object().context("an object")?.keys().cloned().collect())
    };
    let checked = page(folder.path(), SMALL, &["check", "-q", "--trace-out", "t.json", "m.pml"])?;
    for args in [
        &["ltl", "-q", "m.pml", "<> (x == 9)"][..],
        &["replay", "-q", "m.pml", "t.json"],
        &["sim", "--seed", "1", "m.pml"],
        &["check", "-q", "--no-assertions", "--no-end-states", "m.pml"],
    ] {
        ensure!(fields(&page(folder.path(), SMALL, args)?)? == fields(&checked)?, "{args:?}");
    }
    let sim = data(&page(folder.path(), SMALL, &["sim", "m.pml"])?)?;
    ensure!(sim["command"].as_str().is_some_and(|command| command.contains(" --seed ")), "{}", sim["command"]);
    Ok(())
}

#[test]
fn a_model_is_no_part_of_the_page() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let name = "<img src=x onerror=alert(1)>'\"&.pml";
    let model = "active proctype P() { printf(\"</script><script>{{script}}{{data}}<b>&\"); assert(false) }";
    std::fs::write(folder.path().join(name), model)?;
    let ran = psw(folder.path(), &["check", "-q", name, "--report", "out.html"])?;
    ensure!(ran.status.code() == Some(1), "{ran:?}");
    let page = std::fs::read_to_string(folder.path().join("out.html"))?;
    ensure!(page.matches("<script").count() == 2 && page.matches("</script").count() == 2);
    ensure!(!page.contains("<img") && !page.contains("<b>&"));
    ensure!(page.matches("\"use strict\"").count() == 1, "the marks of the template are not the model's to use");
    ensure!(data(&page)?["model"] == name);
    // Only what bears the number of this file runs, and nothing is loaded.
    ensure!(page.contains("default-src 'none'; script-src 'nonce-") && !page.contains("unsafe-inline"));
    let nonce = |page: &str| page.split_once("nonce-").map(|(_, behind)| behind[..16].to_owned());
    psw(folder.path(), &["check", "-q", name, "--report", "again.html"])?;
    let again = std::fs::read_to_string(folder.path().join("again.html"))?;
    ensure!(nonce(&page) != nonce(&again), "the number cannot be known beforehand");
    Ok(())
}

#[test]
fn a_page_that_cannot_be_written_changes_no_verdict() -> Result<()> {
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("m.pml"), SMALL)?;
    let ran = psw(folder.path(), &["check", "-q", "m.pml", "--format", "json", "--report", "/dev/full"])?;
    ensure!(ran.status.code() == Some(1));
    let report: Value = serde_json::from_slice(&ran.stdout)?;
    ensure!(
        report["lost"][0].as_str().is_some_and(|lost| lost.contains("cannot write /dev/full")),
        "{}",
        report["lost"]
    );
    let ran = psw(folder.path(), &["check", "-q", "m.pml", "--report", "no/such/folder.html"])?;
    ensure!(ran.status.code() == Some(2) && ran.stdout.is_empty(), "before the search");
    Ok(())
}

#[test]
fn a_run_that_is_long_has_its_end() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let model = "int n; active proctype P() { do :: n < 12000 -> n++ od }";
    let data = data(&page(folder.path(), model, &["sim", "--seed", "1", "--steps", "30000", "m.pml"])?)?;
    let run = &data["runs"][0];
    ensure!(run["moves"].as_array().is_some_and(|moves| moves.len() == 10_000));
    ensure!(data["lost"][0].as_str().is_some_and(|lost| lost.contains("too many")));
    Ok(())
}
