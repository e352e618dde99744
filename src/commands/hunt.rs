//! `psw hunt`: a swarm of randomised searches for a violation, in models that are too large to be checked.

mod json;
mod text;

use std::num::NonZeroUsize;
use std::thread;

use interp::Violation;
use interp::analysis::dependence::Observed;
use sweep::{Found, HuntOptions, HuntStats, Hunted, Meter, StopReason};

use crate::cli::{Format, HuntArgs, LimitArgs};
use crate::load::{self, Loaded};
use crate::observers::live::Live;
use crate::search::budget;
use crate::search::filtered_model::FilteredModel;
use crate::search::reduction::{Allowed, ReductionReport, SearchReduction};
use crate::trace::file::Files;
use crate::{Status, property, report, terminal};

/// The content of the report.
pub struct Report<'a> {
    pub args: &'a HuntArgs,
    pub loaded: &'a Loaded,
    /// The violation, with a trace of the model itself that was followed again.
    pub found: Option<Found<Violation>>,
    /// Why the hunt ended without one.
    pub stopped: Option<StopReason>,
    pub stats: HuntStats,
    pub workers: usize,
    /// Properties that a hunt does not look at.
    pub unchecked: Vec<String>,
    pub reduction: ReductionReport,
    /// Files that could not be written, with the reason.
    pub lost: Vec<String>,
}

impl Report<'_> {
    /// The share of all states that were visited, as far as it can be estimated.
    pub fn coverage(&self) -> Option<f64> {
        match self.stats {
            HuntStats { is_whole: true, .. } => Some(1.0),
            HuntStats { size: Some(size), distinct, .. } => Some(distinct / size.max(1.0)),
            HuntStats { size: None, .. } => None,
        }
    }
}

/// About how many states are expanded to make a trace shorter.
pub const SHORTEN_EFFORT: u64 = 200_000;

/// Runs the command.
pub fn run(args: &HuntArgs) -> anyhow::Result<Status> {
    let files = Files::ready(args.trace_out.as_deref(), args.trail, &args.model)?;
    let limits = LimitArgs {
        max_memory: args.max_memory,
        max_time: Some(args.max_time),
        max_states: None,
        max_depth: args.max_depth,
    };
    let meter = budget::meter(&limits);
    let Some(mut input) = load::check(&args.model, !args.quiet)? else { return Ok(Status::BadInput) };
    let unchecked = property::stated(&mut input).into_iter().map(|property| property.name).collect();
    let Some(mut loaded) = input.compile() else { return Ok(Status::BadInput) };
    let meter = &budget::beside_the_rest(meter);
    // What was found last of all is still followed again.
    loaded.meter = meter.clone().with_deadline(None);
    let loaded = &loaded;

    // Paths that are cut off need not be counted in steps of the model.
    let counted = LimitArgs { max_depth: None, ..limits };
    let allowed = Allowed::new(&args.reduce, &args.model, &counted);
    let reduction = SearchReduction::of_states(&loaded.model, allowed, &Observed::default(), meter);
    let sampled = reduction.savings();
    let space = FilteredModel {
        reduction: reduction.get(),
        end_states: !args.no_end_states,
        assertions: !args.no_assertions,
        ..FilteredModel::all(&loaded.model)
    };
    let workers = args.workers.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    let options =
        HuntOptions { workers, seed: args.seed, rounds: args.rounds.map(u64::from), max_depth: args.max_depth };
    let mut live = Live::new(!args.quiet && args.format == Format::Text);
    let Hunted { found, stopped, stats } = sweep::hunt(&space, &options, &mut live, meter);
    live.clear();
    let found = found.map(|found| shown(&space, found, SHORTEN_EFFORT, &loaded.meter));
    let mut lost = Vec::new();
    if let Some(found) = &found {
        lost.extend(report::loss(files.keep_found(loaded, &args.model, found)));
    }
    let reduction = reduction.report(sampled);
    let report = Report { args, loaded, found, stopped, stats, workers, unchecked, reduction, lost };
    let text = |out: &mut _, report: &_| text::write(out, report, terminal::has_colours());
    report::deliver(args.format, &report.lost, &report, text, json::write);
    Ok(if report.found.is_some() { Status::Violated } else { Status::Stopped })
}

/// A violation as it is reported: with a shorter path, as a run of the model itself.
pub fn shown(space: &FilteredModel, found: Found<Violation>, effort: u64, meter: &Meter) -> Found<Violation> {
    let found = sweep::shorten(space, found, effort, meter);
    Found { trace: space.unreduced_trace(found.trace, meter), ..found }
}
