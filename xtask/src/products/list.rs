//! The list of products: in each line a model with `-D` flags, a formula, and its verdict.

use crate::bench::list::{self, Entry};
use anyhow::{Context, Result, bail};
use std::path::Path;

/// What is to be found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    Holds,
    Violated,
}

impl Verdict {
    /// By the word that psw has for it.
    pub(crate) fn named(word: &str) -> Option<Verdict> {
        match word {
            "holds" => Some(Verdict::Holds),
            "violated" => Some(Verdict::Violated),
            _ => None,
        }
    }
}

/// A model and a property of it.
pub(crate) struct Product {
    pub(crate) model: Entry,
    pub(crate) formula: String,
    pub(crate) verdict: Verdict,
    /// The line as it is.
    pub(crate) text: String,
}

/// Reads a list; paths are relative to `root`.
pub(crate) fn read(list: &Path, root: &Path) -> Result<Vec<Product>> {
    let text = std::fs::read_to_string(list).with_context(|| format!("cannot read {}", list.display()))?;
    text.lines().filter_map(|line| product(line, root).transpose()).collect()
}

fn product(line: &str, root: &Path) -> Result<Option<Product>> {
    let text = line.split('#').next().unwrap_or_default().trim();
    let parts: Vec<&str> = text.split(" | ").map(str::trim).collect();
    let Some(model) = list::entry(parts[0], root)? else { return Ok(None) };
    let [_, formula, verdict] = parts[..] else { bail!("not MODEL | FORMULA | VERDICT: {text}") };
    let verdict = Verdict::named(verdict).with_context(|| format!("neither holds nor violated: {text}"))?;
    Ok(Some(Product { model, formula: formula.to_string(), verdict, text: text.to_string() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_in_formulas_are_no_ends() -> Result<()> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let found = product("src/main.rs -DN=2 | [](a || b) | holds # a note", root)?.context("a product")?;
        assert_eq!((found.formula.as_str(), found.verdict), ("[](a || b)", Verdict::Holds));
        assert_eq!(found.model.name, "src/main.rs -DN=2");
        assert!(product("# nothing", root)?.is_none());
        assert!(product("src/main.rs | [] a", root).is_err());
        assert!(product("src/main.rs | [] a | perhaps", root).is_err());
        Ok(())
    }
}
