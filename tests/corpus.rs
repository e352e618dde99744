//! Every model of `tests/models`, under every search, must give the answer of its own first line.

use std::path::Path;
use std::time::Duration;
use xtask::models;
use xtask::psw::Psw;

#[test]
fn every_model_under_every_search() -> anyhow::Result<()> {
    let psw = Psw::at(Path::new(env!("CARGO_BIN_EXE_psw")), Duration::from_secs(60))?;
    let wrong = models::against_first_lines(&psw, &Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models"))?;
    assert!(wrong.is_empty(), "{} answers are wrong:\n{}", wrong.len(), wrong.join("\n"));
    Ok(())
}
