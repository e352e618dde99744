//! Real SPIN judges every model of `tests/models`: its answer must be the first line of the model, and psw's.
//!
//! Models that say `spin=differs` are left out: on them SPIN crashes, hangs, refuses or is wrong.

use std::path::Path;
use std::time::Duration;
use xtask::psw::{Order, Psw};
use xtask::spin::Spin;
use xtask::{expectation, parallel};

#[test]
fn spin_says_the_same() -> anyhow::Result<()> {
    let limit = Duration::from_secs(60);
    let spin = Spin::find(limit)?;
    let psw = Psw::at(Path::new(env!("CARGO_BIN_EXE_psw")), limit)?;
    let mut cases = expectation::cases(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models"))?;
    cases.retain(|case| !case.expectation.spin_differs);
    let wrong: Vec<String> = parallel::map(&cases, 2, |case| {
        let mut wrong = Vec::new();
        let judge = spin.ask(&case.path)?;
        if !case.expectation.met_by(&judge) {
            wrong.push(format!("{}: SPIN says {judge}\n    its first line says {}", case.name(), case.expectation));
        }
        let answer = psw.ask(&case.path, Order::Dfs)?;
        if let Some(difference) = answer.difference(&judge) {
            wrong.push(format!("{}: {difference}\n    psw:  {answer}\n    SPIN: {judge}", case.name()));
        }
        Ok(wrong)
    })?
    .concat();
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
    Ok(())
}
