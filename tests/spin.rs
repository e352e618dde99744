//! Real SPIN judges every model of `tests/models`: its answer must be the first line of the model, and psw's.

use std::path::Path;
use std::time::Duration;
use xtask::models;
use xtask::psw::Psw;
use xtask::spin::Spin;

#[test]
fn spin_says_the_same() -> anyhow::Result<()> {
    let Some(spin) = Spin::for_test("tests/models", Duration::from_secs(60))? else {
        return Ok(());
    };
    let psw = Psw::at(Path::new(env!("CARGO_BIN_EXE_psw")), Duration::from_secs(60))?;
    let wrong = models::against_spin(&psw, &spin, &Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models"))?;
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
    Ok(())
}
