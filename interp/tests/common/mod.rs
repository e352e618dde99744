//! What tests over all models share.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use interp::exec::step::{Path as Moves, Sink};
use interp::{Analysis, Model, Violation, Visit, Word};

/// Events as they were told.
#[derive(Default, PartialEq, Debug)]
pub struct Told(pub Vec<Result<Vec<Word>, Violation>>);

impl Visit<Violation> for Told {
    fn successor(&mut self, _: u32, next: &[Word]) -> ControlFlow<()> {
        self.0.push(Ok(next.to_vec()));
        ControlFlow::Continue(())
    }

    fn violation(&mut self, _: u32, violation: Violation) -> ControlFlow<()> {
        self.0.push(Err(violation));
        ControlFlow::Continue(())
    }

    fn left_out(&mut self, _: u32) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn working(&mut self, _: usize) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl Sink for Told {
    fn successor(&mut self, next: &[Word], _: Moves) -> ControlFlow<()> {
        self.0.push(Ok(next.to_vec()));
        ControlFlow::Continue(())
    }

    fn violation(&mut self, violation: Violation, _: Moves) -> ControlFlow<()> {
        self.0.push(Err(violation));
        ControlFlow::Continue(())
    }
}

/// Compiles a model; `None` if it is wrong.
pub fn load(path: &Path, analysis: Analysis) -> Option<Model> {
    let parsed = promela::parse(path, &promela::Disk, &promela::Options::default());
    if parsed.diagnostics.iter().any(|finding| finding.severity == promela::diagnostics::Severity::Error) {
        return None;
    }
    promela::check(&parsed.ast, &mut Vec::new()).map(|checked| Model::with(checked, analysis))
}

/// The models of a folder of the project.
pub fn models(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
    let entries = std::fs::read_dir(folder).expect("the folder is there").filter_map(Result::ok);
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "pml"));
    paths.sort();
    paths
}
