//! Every violation that any search finds in a small model of the corpus has a trace that is confirmed.

use std::path::Path;

use anyhow::{Context, Result};

use super::{SEARCHES, answer, json, psw};

/// Models with fewer states than this are small.
const SMALL: u64 = 20_000;

#[test]
fn every_violation_of_the_corpus_is_confirmed() -> Result<()> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    if !corpus.is_dir() {
        println!("skipped: no corpus of models");
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let reference = json(&corpus.join("reference.json"))?;
    let mut confirmed = 0;
    for record in reference.as_array().context("a list of models")? {
        let full = &record["full"];
        let is_small =
            full["status"] == "completed" && full["states_stored"].as_u64().is_some_and(|count| count < SMALL);
        let (Some(part), Some(path)) = (record["corpus"].as_str(), record["path"].as_str()) else { continue };
        if record["accepted"] != true || !is_small {
            continue;
        }
        let model = corpus.join(part).join(path);
        let model = model.to_str().context("a path in UTF-8")?;
        for (search, reduce) in SEARCHES.into_iter().flat_map(|search| ["none", "full"].map(|level| (search, level))) {
            let how = ["--search", search, "--reduce", reduce];
            let check = [&["check", "--safety", "-q", "--trail", "--trace-out", "t.json", model], &how[..]].concat();
            if psw(folder.path(), &check)?.status.code() != Some(1) {
                continue;
            }
            let trail = format!("{}.trail", path.rsplit('/').next().unwrap_or(path));
            for trace in ["t.json", &trail] {
                answer(folder.path(), &["replay", "-q", model, trace], 1)
                    .with_context(|| format!("{path} by {search}, reduced {reduce}"))?;
            }
            confirmed += 1;
        }
    }
    println!("{confirmed} traces confirmed");
    assert!(confirmed > 100, "only {confirmed} traces were confirmed");
    Ok(())
}
