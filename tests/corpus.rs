//! Every model of `tests/models`, under every search, must give the answer of its own first line.

use std::path::Path;
use std::time::Duration;
use xtask::psw::{Order, Psw};
use xtask::{expectation, parallel};

#[test]
fn every_model_under_every_search() -> anyhow::Result<()> {
    let psw = Psw::at(Path::new(env!("CARGO_BIN_EXE_psw")), Duration::from_secs(60))?;
    let cases = expectation::cases(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models"))?;
    assert!(cases.len() > 80, "the models are there");
    let wrong: Vec<String> = parallel::map(&cases, 2, |case| {
        let mut wrong = Vec::new();
        for order in Order::ALL {
            let answer = psw.ask(&case.path, order)?;
            if !case.expectation.met_by(&answer) {
                wrong.push(format!("{} {order}: {answer}\n    expected {}", case.name(), case.expectation));
            }
        }
        Ok(wrong)
    })?
    .concat();
    assert!(wrong.is_empty(), "{} of {} answers are wrong:\n{}", wrong.len(), cases.len() * 2, wrong.join("\n"));
    Ok(())
}
