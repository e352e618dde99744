//! What is told from memory (`expand`, for searches) against interpretation (`walk`, for traces): on every state of every
//! model the same events, in the same order.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use interp::step::{Path as Moves, Sink};
use interp::{Model, StateSpace, Violation, Visit, Word};

/// Events as they were told.
#[derive(Default, PartialEq, Debug)]
struct Told(Vec<Result<Vec<Word>, Violation>>);

impl Visit<Violation> for Told {
    fn successor(&mut self, _: u32, next: &[Word]) -> ControlFlow<()> {
        self.0.push(Ok(next.to_vec()));
        ControlFlow::Continue(())
    }

    fn violation(&mut self, _: u32, violation: Violation) -> ControlFlow<()> {
        self.0.push(Err(violation));
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

fn load(path: &Path) -> Option<Model> {
    let parsed = promela::parse(path, &promela::Disk, &promela::Options::default());
    if parsed.diagnostics.iter().any(|finding| finding.severity == promela::diagnostics::Severity::Error) {
        return None;
    }
    promela::check(&parsed.ast, &mut Vec::new()).map(Model::new)
}

fn models(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
    let entries = std::fs::read_dir(folder).expect("the folder is there").filter_map(Result::ok);
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "pml"));
    paths.sort();
    paths
}

/// Compares both on the first so many states; how many there were.
fn agree(model: &Model, name: &Path, most: usize) -> usize {
    let Ok(initial) = model.initial() else { return 0 };
    let (mut scratch, mut interpreted) = (model.scratch(), model.scratch());
    let mut known = HashSet::from([initial.clone()]);
    let mut queue = vec![initial];
    let mut next = 0;
    while next < queue.len().min(most) {
        let (mut told, mut expected) = (Told::default(), Told::default());
        let _ = model.expand(&queue[next], &mut scratch, &mut told);
        let _ = model.walk(&queue[next], &mut interpreted, &mut expected);
        assert_eq!(told, expected, "{}: state {next}", name.display());
        for state in expected.0.into_iter().flatten() {
            if known.insert(state.clone()) {
                queue.push(state);
            }
        }
        next += 1;
    }
    next
}

#[test]
fn memory_and_interpretation_agree() {
    let mut states = 0;
    for path in models("tests/models").iter().chain(&models("examples")) {
        // A state of 64 kilobytes need not be looked at often.
        if let Some(model) = load(path) {
            states += agree(&model, path, 3_000);
        }
    }
    assert!(states > 10_000, "{states} states");
}
