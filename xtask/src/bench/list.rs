//! Lists of models to measure: in each line a path, `-D` flags, and perhaps words that are not flags (a comment).

use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// A model and how it is to be configured.
pub struct Entry {
    /// Path and flags as the list has them.
    pub name: String,
    /// Where the model is.
    pub path: PathBuf,
    /// `-DNAME=VALUE` and the like, as both checkers take them.
    pub flags: Vec<String>,
}

/// Reads a list; paths are relative to `root`.
pub fn read(list: &Path, root: &Path) -> Result<Vec<Entry>> {
    let text = std::fs::read_to_string(list).with_context(|| format!("cannot read {}", list.display()))?;
    text.lines().filter_map(|line| entry(line, root).transpose()).collect()
}

/// What a line lists, if anything.
pub(crate) fn entry(line: &str, root: &Path) -> Result<Option<Entry>> {
    let line = line.split('#').next().unwrap_or_default();
    let mut words = line.split_whitespace();
    let Some(path) = words.next() else { return Ok(None) };
    let flags: Vec<String> = words.take_while(|word| word.starts_with("-D")).map(str::to_string).collect();
    let name = std::iter::once(path).chain(flags.iter().map(String::as_str)).collect::<Vec<_>>().join(" ");
    let path = root.join(path);
    let path = path.canonicalize().with_context(|| format!("no model {}", path.display()))?;
    Ok(Some(Entry { name, path, flags }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_end_where_words_begin() -> Result<()> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(entry("# nothing", root)?.is_none());
        let found = entry("src/main.rs -DA=1 -DB 360357 a note -DC", root)?.context("a model")?;
        assert_eq!((found.name.as_str(), found.flags.len()), ("src/main.rs -DA=1 -DB", 2));
        assert!(entry("src/none.rs", root).is_err());
        Ok(())
    }
}
