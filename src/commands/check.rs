//! `psw check`: one command, one report.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use interp::Violation;
use sweep::{Algorithm, Limits, Meter, Outcome, SearchOptions, Verdict};

use crate::cli::{CheckArgs, Format, LimitArgs, Search, SearchArgs};
use crate::commands::progress;
use crate::commands::progress::Wanted;
use crate::load::{Loaded, load};
use crate::observers::digest;
use crate::observers::divergence::Growth;
use crate::observers::live::Live;
use crate::observers::log::Log;
use crate::observers::watch::{Distinct, Watch};
use crate::property::search::{Answer, How};
use crate::property::{self, Property};
use crate::report::differences;
use crate::report::summary::bytes;
use crate::report::unreached::unreached;
use crate::report::{self, Report};
use crate::search::cutoff::{self, Asked, Searched};
use crate::search::filtered_model::Selected;
use crate::search::measure::Measuring;
use crate::target::Target;
use crate::trace::file::Files;
use crate::{Status, machine, terminal};

/// A sweep that stores states once more, so many per cent of those it need not keep, forgets no more of the column at hand.
pub const REEXPANSION_LIMIT: u32 = 100;

/// Runs the command.
pub fn run(args: &CheckArgs) -> anyhow::Result<Status> {
    let files = Files::ready(args.trace_out.as_deref(), args.trail, &args.model)?;
    let log_file = args.log.as_deref().map(Target::new).transpose()?;
    let meter = meter(&args.search.limits);
    let Some(mut loaded) = load(&args.model, !args.quiet)? else { return Ok(Status::BadInput) };
    let meter = beside_the_rest(meter).with_interrupt(interrupt());
    let mut properties = if args.safety { Vec::new() } else { property::stated(&loaded) };
    property::compile(&mut properties, &mut loaded.model);
    let Some(wanted) = progress::read(&mut loaded, args.search.progress.as_deref()) else {
        return Ok(Status::BadInput);
    };
    let Some(cut_off) = Asked::read(&mut loaded, &args.cut_off) else { return Ok(Status::BadInput) };
    let live = Live::new(!args.quiet && args.format == Format::Text);
    let distinct = args.count_distinct.then(|| Distinct::new(&meter));
    let mut watch = Watch { live, growth: Growth::default(), distinct, log: args.log.as_ref().map(|_| Log::new()) };
    let searched = search(&loaded, cut_off.as_ref(), &wanted, args, &mut watch, &meter);
    let Some((mut outcome, progress, cut_off)) = searched else {
        watch.live.clear();
        return Ok(Status::BadInput);
    };
    let mut lost = Vec::new();
    if let (Some(log), Some(file)) = (&watch.log, &log_file) {
        lost.extend(report::loss(log.write(file, &outcome.stats)));
    }
    if let Some(distinct) = &watch.distinct {
        outcome.stats.distinct = Some(distinct.count());
    }
    let (answers, unchecked) = match outcome.stopped {
        None if cut_off.is_none() => {
            let limits = limits(&args.search.limits);
            let answers = answers(&loaded, &properties, &wanted, (limits, &meter), &mut watch.live)?;
            let unchecked = answers.iter().filter(|answer| answer.never_begun().is_some());
            let unchecked: Vec<String> = unchecked.map(|answer| answer.property.name.clone()).collect();
            (answers, unchecked)
        }
        // What stopped the search would stop these too; and what is cut off may be part of a cycle.
        _ => (Vec::new(), properties.iter().map(|property| property.name.clone()).collect()),
    };
    watch.live.clear();
    let complete = outcome.stopped.is_none() && (args.all_errors || outcome.violations.is_empty());
    lost.extend(report::loss(keep_trace(&files, &loaded, args, &outcome, &answers)));
    let report = Report {
        file: &args.model.model,
        loaded: &loaded,
        outcome: &outcome,
        answers: &answers,
        search: args.search.order().0,
        unchecked: &unchecked,
        differences: &differences::met(&loaded.model),
        growth: outcome.stopped.and_then(|_| watch.growth.sentence(&loaded.model)),
        unreached: complete.then(|| unreached(&loaded)),
        progress: &progress,
        digest: args.digest.then(|| digest::of(&loaded.model, limits(&args.search.limits), &meter)).flatten(),
        cut_off: cut_off.as_ref(),
        lost: &lost,
        options: args,
    };
    let status = match report.verdict() {
        Verdict::Violated => Status::Violated,
        Verdict::Holds => Status::Good,
        Verdict::Stopped(_) => Status::Stopped,
    };
    let text = |out: &mut _, report: &_| report::text::write(out, report, terminal::has_colours());
    report::deliver(args.format, &lost, &report, text, report::json::write);
    Ok(status)
}

/// Writes the files that were asked for.
fn keep_trace(
    files: &Files,
    loaded: &Loaded,
    args: &CheckArgs,
    outcome: &Outcome<Violation>,
    answers: &[Answer],
) -> anyhow::Result<()> {
    match outcome.violations.first() {
        Some(found) => files.keep_found(loaded, &args.model, found),
        None => files.keep_run(loaded, &args.model, answers, None, false),
    }
}

/// What is true of the runs of the model. Assertions have been looked at.
fn answers<'p>(
    loaded: &Loaded,
    properties: &'p [Property],
    wanted: &Wanted,
    (limits, meter): (Limits, &Meter),
    live: &mut Live,
) -> anyhow::Result<Vec<Answer<'p>>> {
    if properties.is_empty() {
        return Ok(Vec::new());
    }
    let system = Selected { end_states: false, assertions: false, ..Selected::all(&loaded.model) };
    let options = SearchOptions { limits, reexpansion_limit: Some(REEXPANSION_LIMIT), ..Default::default() };
    let how = How { options, fair: false, look: true, meter };
    property::search::check_all(properties, &system, &mut Measuring::new(&loaded.model, wanted, meter), &how, live)
}

fn search(
    loaded: &Loaded,
    cut_off: Option<&Asked>,
    wanted: &Wanted,
    args: &CheckArgs,
    watch: &mut Watch,
    meter: &Meter,
) -> Option<Searched> {
    let space =
        Selected { end_states: !args.no_end_states, assertions: !args.no_assertions, ..Selected::all(&loaded.model) };
    let options = SearchOptions { all_errors: args.all_errors, ..options(&args.search, args.search.order().0) };
    cutoff::search((loaded, &space), cut_off, wanted, &options, watch, meter)
}

/// What the command line says about the search.
pub fn options(args: &SearchArgs, order: Search) -> SearchOptions {
    SearchOptions {
        algorithm: match order {
            Search::Bfs => Algorithm::Bfs,
            Search::Dfs => Algorithm::Dfs,
            Search::Sweep | Search::Column if args.progress_strict => Algorithm::StrictSweep,
            Search::Sweep => Algorithm::Sweep,
            Search::Column => Algorithm::ColumnSweep,
            Search::Cache => Algorithm::Caching,
        },
        limits: limits(&args.limits),
        collect_every: args.gc,
        reexpansion_limit: Some(REEXPANSION_LIMIT),
        cache_states: args.cache,
        compact: args.compress,
        ..SearchOptions::default()
    }
}

/// The limits of each search.
pub fn limits(args: &LimitArgs) -> Limits {
    Limits { max_states: args.max_states, max_depth: args.max_depth }
}

/// The limits of the whole run: the clock runs from now on.
pub fn meter(args: &LimitArgs) -> Meter {
    Meter::unlimited()
        .with_max_bytes(args.max_memory.map(at_most).or_else(machine::default_memory))
        .with_deadline(args.max_time.and_then(|time| Instant::now().checked_add(time)))
}

/// Of a memory limit this part at most is given to what is there before the search: a small limit is still one for states.
const MOST_OF_THE_REST: usize = 8;

/// What the memory limit leaves to the searches: the program and the model, which has been loaded, are in memory too, and so
/// will be the cached transitions.
pub fn beside_the_rest(meter: Meter) -> Meter {
    let rest = machine::resident() + interp::MAX_CACHE_BYTES;
    let left = meter.max_bytes().map(|most| most - rest.min(most / MOST_OF_THE_REST));
    meter.with_max_bytes(left)
}

/// What can be had of so many bytes. If that is less, it is said.
fn at_most(asked: usize) -> usize {
    let most = machine::most_memory().filter(|&most| most < asked);
    if let Some(most) = most {
        let (asked, most) = (bytes(asked), bytes(most));
        crate::say(format_args!("psw: --max-memory asks for {asked}, but only {most} can be had here\n"));
    }
    most.unwrap_or(asked)
}

/// A flag that Ctrl-C sets. A second Ctrl-C ends psw at once.
pub fn interrupt() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&flag);
    // Without a handler Ctrl-C still ends psw, only without the numbers.
    let _ = ctrlc::set_handler(move || {
        if set.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    flag
}
