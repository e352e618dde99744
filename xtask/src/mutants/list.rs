//! The list of mutants, as text.
//!
//! A mutant is a block of lines `field: text`; a line that begins with a blank goes on with the one before it. Blocks are
//! separated by empty lines, and `#` begins a comment line. `mutant` is its name and `file` where it is; `from` is the
//! piece of the source that is replaced, an expression or statements (blanks and line breaks in it do not matter), and `to`
//! what it is replaced by, `()` for nothing. `from` must stand in the file once; with `after` it is the first one behind
//! that text, which must stand there once. `why` says what the mutant does wrong. `killer`, if given, names what is tried
//! first: `model NAME` of `tests/models`, or `PACKAGE/TARGET` of the tests, with a part of the names of the tests to run.

use anyhow::{Context, Result, bail, ensure};
use std::path::{Path, PathBuf};

/// Something to make wrong.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mutant {
    /// Unique.
    pub name: String,
    /// Relative to the tree.
    pub file: PathBuf,
    /// Text in front of the place, if the piece alone does not tell it.
    pub after: Option<String>,
    /// What is replaced.
    pub from: String,
    /// By what.
    pub to: String,
    /// What is wrong then.
    pub why: String,
    /// What is tried first.
    pub killer: Option<String>,
}

/// All mutants of a folder, by file and in order.
pub fn read(folder: &Path) -> Result<Vec<Mutant>> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .with_context(|| format!("cannot read {}", folder.display()))?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    paths.sort();
    let mut mutants: Vec<Mutant> = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path)?;
        mutants.extend(parse(&text).with_context(|| format!("in {}", path.display()))?);
    }
    let mut names: Vec<&str> = mutants.iter().map(|mutant| mutant.name.as_str()).collect();
    names.sort_unstable();
    if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        bail!("there are two mutants {}", pair[0]);
    }
    Ok(mutants)
}

fn parse(text: &str) -> Result<Vec<Mutant>> {
    let lines = text.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>();
    lines.split(|line| line.trim().is_empty()).filter(|block| !block.is_empty()).map(mutant).collect()
}

fn mutant(block: &[&str]) -> Result<Mutant> {
    let mut fields: Vec<(&str, String)> = Vec::new();
    for line in block {
        match (line.split_once(": "), fields.last_mut()) {
            (_, Some((_, text))) if line.starts_with(' ') => {
                text.push(' ');
                text.push_str(line.trim());
            }
            (Some((name, text)), _) => fields.push((name, text.trim().to_string())),
            _ => bail!("not a field: {line}"),
        }
    }
    let mut mutant = Mutant::default();
    for (name, text) in fields {
        match name {
            "mutant" => mutant.name = text,
            "file" => mutant.file = text.into(),
            "after" => mutant.after = Some(text),
            "from" => mutant.from = text,
            "to" => mutant.to = text,
            "why" => mutant.why = text,
            "killer" => mutant.killer = Some(text),
            _ => bail!("unknown field {name}"),
        }
    }
    let is_complete = [&mutant.name, &mutant.from, &mutant.to, &mutant.why].iter().all(|text| !text.is_empty());
    ensure!(is_complete && mutant.file.components().count() > 0, "mutant {} lacks a field", mutant.name);
    Ok(mutant)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_read() -> Result<()> {
        let text = "# rules\n\nmutant: a\nfile: x/src/y.rs\nfrom: f(a,\n  b)\nto: ()\nwhy: nothing is done\n\n";
        let mutants = parse(text)?;
        assert_eq!(mutants.len(), 1);
        assert_eq!((mutants[0].from.as_str(), mutants[0].to.as_str()), ("f(a, b)", "()"));
        assert!(parse("mutant: a\nfile: x\n").is_err());
        assert!(parse("mutant: a\ncolour: red\n").is_err());
        Ok(())
    }
}
