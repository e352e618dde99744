//! The report of a run: `text` for people, `json` for machines, `trace` for the counterexample, `steps` for that as text,
//! `summary` for the verdict and the statistics, `html` for all of it as a page.

pub mod differences;
pub mod explain;
pub mod filter;
pub mod fold;
pub mod html;
pub mod json;
pub mod locations;
pub mod properties;
pub mod refusal;
pub mod steps;
pub mod summary;
pub mod text;
pub mod trace;
pub mod unreached;

use std::io::Write;
use std::path::Path;

use interp::{Digest, Violation};
use promela::diagnostics::Code;
use sweep::{Outcome, Stats, StopReason, Verdict};

use crate::cli::{CheckArgs, Format, SearchOrder};
use crate::fault::{self, Phase};
use crate::is_closed_pipe;
use crate::load::Loaded;
use crate::property::fairness::Fairness;
use crate::property::search::Answer;
use crate::report::unreached::Unreached;
use crate::search::cutoff::CutoffReport;
use crate::search::hunt_first::HuntReport;
use crate::search::measure::MeasureReport;
use crate::search::reduction::ReductionReport;
use crate::terminal::{self, say};

/// Everything there is to report about one run.
pub struct Report<'a> {
    pub file: &'a Path,
    pub loaded: &'a Loaded,
    /// What the search found.
    pub outcome: &'a Outcome<Violation>,
    pub answers: &'a [Answer<'a>],
    /// Which runs count for them.
    pub fairness: &'a Fairness,
    /// Which search it was.
    pub search: SearchOrder,
    /// The hunt before the search, if there was one.
    pub hunt: Option<HuntReport>,
    /// Properties that were not checked.
    pub unchecked: &'a [String],
    /// Where the model meets a difference between psw and SPIN.
    pub differences: &'a [&'static Code],
    /// What has the most values in the states seen, if a limit stopped the run.
    pub growth: Option<String>,
    /// What was never executed, if the search was complete.
    pub unreached: Option<Unreached>,
    pub measure: &'a MeasureReport,
    /// What the search has left out.
    pub reduction: ReductionReport,
    /// The reachable states by value (`--digest`).
    pub digest: Option<Digest>,
    /// The equivalence cut-off, if there was one.
    pub cutoff: Option<&'a CutoffReport>,
    /// Files that could not be written, with the reason.
    pub lost: &'a [String],
    pub checks: Checks,
    /// The last checkpoint, if there is one.
    pub checkpoint: Option<&'a Path>,
    pub options: &'a CheckArgs,
}

/// What was searched for in single states and steps, besides run-time errors.
#[derive(Clone, Copy)]
pub struct Checks {
    pub assertions: bool,
    pub end_states: bool,
}

impl Report<'_> {
    /// Whether the search has seen all states. It goes on after a violation for those invariants that are not violated.
    pub fn is_whole(&self) -> bool {
        let mut invariants = self.answers.iter().filter(|answer| answer.shared && !answer.looked);
        let goes_on = self.options.all_errors || self.outcome.violations.is_empty();
        let holds = |answer: &Answer| answer.outcome.verdict() == Verdict::Holds;
        self.outcome.stopped.is_none() && (goes_on || invariants.any(holds))
    }

    /// The verdict of everything together: no better than what was established.
    pub fn verdict(&self) -> Verdict {
        let all = || self.answers.iter().map(|answer| answer.outcome.verdict()).chain([self.outcome.verdict()]);
        let stopped = all().find(|verdict| matches!(verdict, Verdict::Stopped(_)));
        match all().any(|verdict| verdict == Verdict::Violated) {
            true => Verdict::Violated,
            false => stopped.unwrap_or(Verdict::Holds),
        }
    }

    /// The checkpoint from which the check can go on, if it was interrupted.
    pub fn goes_on_from(&self) -> Option<&Path> {
        let mut all = self.answers.iter().map(|answer| answer.outcome.stopped).chain([self.outcome.stopped]);
        self.checkpoint.filter(|_| all.any(|stopped| stopped.is_some_and(StopReason::is_temporary)))
    }
}

/// Shows a report, and which files could not be written. The verdict and its exit code do not depend on them; what cannot be
/// written is an error message on standard error.
pub fn deliver<T>(
    format: Format,
    losses: &[String],
    report: &T,
    text: impl FnOnce(&mut Vec<u8>, &T) -> anyhow::Result<()>,
    json: impl FnOnce(&mut Vec<u8>, &T) -> anyhow::Result<()>,
) {
    fault::enter(Phase::Report);
    for loss in losses {
        say(format_args!("psw: {loss}\n"));
    }
    let mut whole = Vec::new();
    let made = match format {
        Format::Text => text(&mut whole, report),
        Format::Json => json(&mut whole, report),
    };
    // What a panic of another thread has left is no verdict.
    if fault::has_happened() {
        return;
    }
    let mut out = terminal::stdout_as(format);
    let shown = made.and_then(|()| Ok(out.write_all(&whole).and_then(|()| out.flush())?));
    if let Err(error) = shown
        && !is_closed_pipe(&error)
    {
        say(format_args!("psw: the report cannot be written: {error:#}; the exit code is the verdict\n"));
    }
}

/// A loss in words, if there is one.
pub fn loss(done: anyhow::Result<()>) -> Option<String> {
    done.err().map(|error| format!("{error:#}"))
}

/// Bytes of the largest state, rounded up from its bits.
pub fn state_bytes(stats: &Stats) -> usize {
    stats.max_state_words * size_of::<interp::Word>()
}

/// The name of a search.
pub fn search_name(search: SearchOrder) -> &'static str {
    match search {
        SearchOrder::Bfs => "bfs",
        SearchOrder::Dfs => "dfs",
        SearchOrder::Sweep => "sweep",
        SearchOrder::Column => "column",
        SearchOrder::Cache => "cache",
        SearchOrder::SweepExt => "sweep-ext",
        SearchOrder::BfsExt => "bfs-ext",
        SearchOrder::Part => "part",
    }
}

/// What it is, for people.
pub fn search_phrase(search: SearchOrder) -> &'static str {
    match search {
        SearchOrder::Bfs => "breadth-first search",
        SearchOrder::Dfs => "depth-first search",
        SearchOrder::Sweep => "sweep",
        SearchOrder::Column => "column sweep",
        SearchOrder::Cache => "depth-first search with a cache",
        SearchOrder::SweepExt => "sweep with its queue on disk",
        SearchOrder::BfsExt => "breadth-first search on disk",
        SearchOrder::Part => "search by partitions on disk",
    }
}
