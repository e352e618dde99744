//! How states grow with a parameter: models of the corpus with another number of processes.

use super::run::{BREADTH_FIRST, Checkers, Run};
use anyhow::{Context, Result};
use std::path::Path;

/// A model with one number of processes.
pub(crate) struct Point {
    pub(crate) model: &'static str,
    pub(crate) processes: u32,
    /// psw's default search.
    pub(crate) psw: Run,
    /// psw breadth first.
    pub(crate) bfs: Run,
    pub(crate) spin: Run,
}

/// The models, which say `#define N`.
const MODELS: [&str; 2] = ["spin/sort.pml", "spin/leader0.pml"];
const PROCESSES: [u32; 4] = [5, 10, 20, 40];

/// Measures those models that the folder has.
pub(crate) fn measure(checkers: &Checkers, folder: &Path) -> Result<Vec<Point>> {
    let mut points = Vec::new();
    for model in MODELS.into_iter().filter(|model| folder.join(model).exists()) {
        let text = std::fs::read_to_string(folder.join(model)).with_context(|| format!("cannot read {model}"))?;
        for processes in PROCESSES {
            let dir = tempfile::tempdir()?;
            let path = dir.path().join("model.pml");
            std::fs::write(&path, with_processes(&text, processes)).context("cannot write a model")?;
            let (psw, bfs) = (checkers.psw(&path, &[])?, checkers.psw(&path, BREADTH_FIRST)?);
            points.push(Point { model, processes, psw, bfs, spin: checkers.spin(&path)? });
        }
    }
    Ok(points)
}

/// The text with another N.
fn with_processes(text: &str, processes: u32) -> String {
    let line = |line: &str| match line.split_whitespace().collect::<Vec<_>>()[..] {
        ["#define", "N", ..] => format!("#define N {processes}\n"),
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_definition_changes() {
        let text = "#define N\t7\t/* Number of Proc */\n#define NN 7\nchan q[N];\n";
        assert_eq!(with_processes(text, 40), "#define N 40\n#define NN 7\nchan q[N];\n");
    }
}
