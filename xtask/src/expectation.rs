//! The first line of a model in `tests/models`: what every search must say about it.
//!
//! `/* psw: holds states=12 transitions=15 */`, `/* psw: violated=assertion states=4 transitions=4 errors=1 */` or
//! `/* psw: rejected */`. A number that is not given is not compared: SPIN itself gives none when it breaks off.
//! With `spin=differs`, psw is right and SPIN is not; the second line of the model says why.

use crate::answer::{Answer, Kind, Search};
use anyhow::{Context, Result, bail};
use std::fmt;
use std::path::{Path, PathBuf};

/// What must be said about a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expectation {
    verdict: Verdict,
    states: Option<u64>,
    transitions: Option<u64>,
    errors: Option<u64>,
    /// True if SPIN says something else.
    pub spin_differs: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Verdict {
    Holds,
    Violated(Kind),
    Rejected,
}

/// A model file with its expectation.
pub struct Case {
    /// Where the model is.
    pub path: PathBuf,
    /// What its first line says.
    pub expectation: Expectation,
}

impl Case {
    /// The model's name, for messages.
    pub fn name(&self) -> String {
        self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// All models of a folder, by name.
pub fn cases(folder: &Path) -> Result<Vec<Case>> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "pml") {
            paths.push(path);
        }
    }
    paths.sort();
    paths.into_iter().map(case).collect()
}

fn case(path: PathBuf) -> Result<Case> {
    let text = std::fs::read_to_string(&path)?;
    let line = text.lines().next().unwrap_or_default();
    let expectation = Expectation::parse(line).with_context(|| format!("first line of {}", path.display()))?;
    Ok(Case { path, expectation })
}

impl Expectation {
    /// Reads a first line.
    pub fn parse(line: &str) -> Result<Expectation> {
        let inside = line.strip_prefix("/* psw: ").and_then(|rest| rest.trim_end().strip_suffix(" */"));
        let mut words = inside.context("expected `/* psw: ... */`")?.split_whitespace();
        let verdict = match words.next().unwrap_or_default() {
            "holds" => Verdict::Holds,
            "rejected" => Verdict::Rejected,
            other => match other.strip_prefix("violated=") {
                Some(kind) => Verdict::Violated(Kind(kind.to_string())),
                None => bail!("unknown verdict {other:?}"),
            },
        };
        let mut expectation =
            Expectation { verdict, states: None, transitions: None, errors: None, spin_differs: false };
        for word in words {
            match word.split_once('=') {
                Some(("states", number)) => expectation.states = Some(number.parse()?),
                Some(("transitions", number)) => expectation.transitions = Some(number.parse()?),
                Some(("errors", number)) => expectation.errors = Some(number.parse()?),
                Some(("spin", "differs")) => expectation.spin_differs = true,
                _ => bail!("unknown word {word:?}"),
            }
        }
        Ok(expectation)
    }

    /// The expectation that an answer fulfils, if the answer says enough.
    pub fn of(answer: &Answer) -> Option<Expectation> {
        let expectation = |verdict, numbers: Option<&Search>| Expectation {
            verdict,
            states: numbers.map(|search| search.states),
            transitions: numbers.map(|search| search.transitions),
            errors: numbers.map(|search| search.errors).filter(|errors| *errors > 0),
            spin_differs: false,
        };
        match answer {
            Answer::Searched(search) => match &search.first {
                None if search.complete => Some(expectation(Verdict::Holds, Some(search))),
                None => None,
                Some(kind) => {
                    Some(expectation(Verdict::Violated(kind.clone()), Some(search).filter(|search| search.complete)))
                }
            },
            Answer::Rejected(_) => Some(expectation(Verdict::Rejected, None)),
            Answer::Unsupported(_) | Answer::Lost(_) | Answer::Broken(_) => None,
        }
    }

    /// True if the answer is as expected.
    pub fn met_by(&self, answer: &Answer) -> bool {
        match (&self.verdict, answer) {
            (Verdict::Rejected, Answer::Rejected(_)) => true,
            (Verdict::Holds, Answer::Searched(search)) => {
                search.complete && search.errors == 0 && search.first.is_none() && self.same_size(search)
            }
            (Verdict::Violated(kind), Answer::Searched(search)) => {
                let same_errors = self.errors.is_none_or(|errors| !search.once || errors == search.errors);
                search.first.as_ref() == Some(kind) && same_errors && self.same_size(search)
            }
            _ => false,
        }
    }

    fn same_size(&self, search: &Search) -> bool {
        self.states.is_none_or(|states| states == search.states)
            && self.transitions.is_none_or(|transitions| !search.once || transitions == search.transitions)
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "/* psw: ")?;
        match &self.verdict {
            Verdict::Holds => write!(f, "holds")?,
            Verdict::Violated(kind) => write!(f, "violated={kind}")?,
            Verdict::Rejected => write!(f, "rejected")?,
        }
        for (name, number) in [("states", self.states), ("transitions", self.transitions), ("errors", self.errors)] {
            if let Some(number) = number {
                write!(f, " {name}={number}")?;
            }
        }
        if self.spin_differs {
            write!(f, " spin=differs")?;
        }
        write!(f, " */")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_line_is_read_and_written() -> Result<()> {
        for line in [
            "/* psw: holds states=12 transitions=15 */",
            "/* psw: violated=assertion states=4 transitions=5 errors=1 */",
            "/* psw: violated=division_by_zero spin=differs */",
            "/* psw: rejected */",
        ] {
            assert_eq!(Expectation::parse(line)?.to_string(), line);
        }
        assert!(Expectation::parse("/* psw: fine */").is_err());
        assert!(Expectation::parse("byte x;").is_err());
        Ok(())
    }

    #[test]
    fn every_number_counts() -> Result<()> {
        let kind = Kind("assertion".to_string());
        let search = |states, errors| {
            Answer::Searched(Search {
                complete: true,
                once: true,
                states,
                transitions: 5,
                errors,
                first: Some(kind.clone()),
                kinds: vec![kind.clone()],
            })
        };
        let expectation = Expectation::parse("/* psw: violated=assertion states=4 transitions=5 errors=1 */")?;
        assert!(expectation.met_by(&search(4, 1)));
        assert!(!expectation.met_by(&search(3, 1)));
        assert!(!expectation.met_by(&search(4, 2)));
        assert!(!expectation.met_by(&Answer::Lost(String::new())));
        Ok(())
    }
}
