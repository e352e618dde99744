//! What tests over all models share.

use std::path::{Path, PathBuf};

use interp::{Analysis, Model};
use promela::model::CheckedModel;

/// Parses and checks a model; `None` if it is wrong.
pub fn checked(path: &Path) -> Option<CheckedModel> {
    let parsed = promela::parse(path, &promela::Disk, &promela::Options::default());
    if parsed.diagnostics.iter().any(|finding| finding.severity == promela::diagnostics::Severity::Error) {
        return None;
    }
    promela::check(&parsed.ast, &mut Vec::new())
}

/// Compiles a model; `None` if it is wrong.
pub fn load(path: &Path, analysis: Analysis) -> Option<Model> {
    checked(path).map(|checked| Model::with(checked, analysis, &Default::default()))
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
