//! `psw check --log` and `psw plot`: the curve has the peak that the report tells, and the pictures are pictures.

use std::path::Path;
use std::process::{Command, Output};

use anyhow::{Context, Result, ensure};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn psw(folder: &Path, args: &[&str]) -> Result<Output> {
    Command::new(env!("CARGO_BIN_EXE_psw")).current_dir(folder).args(args).output().context("psw runs")
}

#[test]
fn runs_are_taken_down_and_drawn() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let model = format!("{ROOT}/examples/stop_and_wait.pml");
    for search in ["bfs", "column"] {
        let log = format!("{search}.csv");
        let options = ["-DPACKETS=100", "--search", search, "--no-reduction", "--log", &log];
        let ran = psw(folder.path(), &[&["check", "-q", "--format", "json", &model], &options[..]].concat())?;
        ensure!(ran.status.success(), "{ran:?}");
        let report: serde_json::Value = serde_json::from_slice(&ran.stdout)?;
        let text = std::fs::read_to_string(folder.path().join(&log))?;
        let column = |number: usize| {
            text.lines().skip(1).filter_map(move |line| line.split(',').nth(number)?.parse::<u64>().ok())
        };
        let (rows, highest, last) = (column(1).count(), column(1).max(), column(2).last());
        ensure!((100..=2001).contains(&rows), "{rows} rows");
        ensure!(highest <= report["peak_states"].as_u64() && highest > Some(10), "{highest:?} stored in {log}");
        ensure!(last == report["expanded"].as_u64(), "the last row is the end");
    }
    ensure!(psw(folder.path(), &["plot", "bfs.csv", "-o", "one.svg"])?.status.success());
    ensure!(psw(folder.path(), &["plot", "--compare", "bfs.csv", "column.csv", "-o", "two.svg"])?.status.success());
    for (file, curves) in [("one.svg", 3), ("two.svg", 8)] {
        let text = std::fs::read_to_string(folder.path().join(file))?;
        let svg = roxmltree::Document::parse(&text)?;
        let lines = svg.descendants().filter(|node| node.has_tag_name("polyline"));
        ensure!(lines.clone().count() == curves, "{file} has {curves} curves");
        ensure!(lines.clone().all(|line| line.attribute("points").is_some_and(|points| !points.contains("NaN"))));
    }
    ensure!(psw(folder.path(), &["plot", "bfs.csv", "column.csv"])?.status.code() == Some(2));
    ensure!(psw(folder.path(), &["plot", "one.svg"])?.status.code() == Some(2));
    Ok(())
}
