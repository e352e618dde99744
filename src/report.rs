//! The answer of a run: `text` for people, `json` for machines, `trace` for the way to a violation,
//! `steps` for that way as text, `summary` for what it comes to, `live` while it lasts.

pub mod json;
pub mod live;
pub mod properties;
pub mod steps;
pub mod summary;
pub mod text;
pub mod trace;

use std::path::Path;

use interp::{Digest, Violation};
use promela::diagnostics::Code;
use sweep::{Outcome, Stats, Verdict};

use crate::cli::{CheckArgs, Search};
use crate::cutoff::CutOffReport;
use crate::load::Loaded;
use crate::progress::Described;
use crate::property::search::Answer;
use crate::unreached::Unreached;

/// Everything there is to report about one run.
pub struct Report<'a> {
    /// The model's file.
    pub file: &'a Path,
    /// The model.
    pub loaded: &'a Loaded,
    /// What the search found.
    pub outcome: &'a Outcome<Violation>,
    /// What is known about its temporal properties.
    pub answers: &'a [Answer<'a>],
    /// Which search it was.
    pub search: Search,
    /// Properties that were not checked.
    pub unchecked: &'a [String],
    /// Where the model meets a difference between psw and SPIN.
    pub differences: &'a [&'static Code],
    /// What had grown when a limit stopped the run.
    pub growth: Option<String>,
    /// What was never executed, if the search was complete.
    pub unreached: Option<Unreached>,
    /// By which measure it was swept.
    pub progress: &'a Described,
    /// The reachable states by value, if that was asked for.
    pub digest: Option<Digest>,
    /// What there is to say of the equivalence cut-off, if there was one.
    pub cut_off: Option<&'a CutOffReport>,
    /// What was asked for.
    pub options: &'a CheckArgs,
}

impl Report<'_> {
    /// What it all comes to: no better than what was established.
    pub fn verdict(&self) -> Verdict {
        let all = || self.answers.iter().map(|answer| answer.outcome.verdict()).chain([self.outcome.verdict()]);
        let stopped = all().find(|verdict| matches!(verdict, Verdict::Stopped(_)));
        match all().any(|verdict| verdict == Verdict::Violated) {
            true => Verdict::Violated,
            false => stopped.unwrap_or(Verdict::Holds),
        }
    }
}

/// Bytes of the largest state, rounded up from its bits.
pub fn state_bytes(stats: &Stats) -> usize {
    stats.max_state_words * size_of::<interp::Word>()
}

/// The name of a search.
pub fn search_name(search: Search) -> &'static str {
    match search {
        Search::Bfs => "bfs",
        Search::Dfs => "dfs",
        Search::Sweep => "sweep",
        Search::Column => "column",
        Search::Cache => "cache",
    }
}

/// What it is, for people.
pub fn search_phrase(search: Search) -> &'static str {
    match search {
        Search::Bfs => "breadth-first search",
        Search::Dfs => "depth-first search",
        Search::Sweep => "sweep",
        Search::Column => "column sweep",
        Search::Cache => "depth-first search with a cache",
    }
}
