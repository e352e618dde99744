//! Figures that other tools gave once, from a file beside the models: tab-separated, with a heading.

use anyhow::{Context, Result};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// What is known of a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Known {
    /// States with LTSmin's `--por`, deadlocks being the only errors.
    pub(crate) ltsmin: Option<u64>,
}

/// Reads the file: models by their path in the folder.
pub(crate) fn read(file: &Path) -> Result<HashMap<PathBuf, Known>> {
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    parse(&text).with_context(|| file.display().to_string())
}

fn parse(text: &str) -> Result<HashMap<PathBuf, Known>> {
    let mut lines = text.lines();
    let heading: Vec<&str> = lines.next().context("no heading")?.split('\t').collect();
    let column = |name: &str| {
        heading.iter().position(|heading| *heading == name).with_context(|| format!("no column called {name}"))
    };
    let (corpus, path, ltsmin) = (column("corpus")?, column("path")?, column("ltsmin_por")?);
    let known = lines.map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        let cell = |column: usize| cells.get(column).copied().unwrap_or_default();
        (Path::new(cell(corpus)).join(cell(path)), Known { ltsmin: cell(ltsmin).parse().ok() })
    });
    Ok(known.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_go_by_their_names_and_cells_may_be_empty() -> Result<()> {
        let known = parse("path\tcorpus\tltsmin_por\tmore\na.pml\tx\t7\t\nb c.pml\ty\t\t8\n")?;
        assert_eq!(known[Path::new("x/a.pml")], Known { ltsmin: Some(7) });
        assert_eq!(known[Path::new("y/b c.pml")], Known { ltsmin: None });
        assert!(parse("path\tcorpus\n").is_err());
        Ok(())
    }
}
