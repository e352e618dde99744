//! `psw check`: one command, one report.

use interp::Violation;
use interp::analysis::dependence::Observed;
use sweep::{Limits, Meter, Outcome, SearchOptions, StopReason, Verdict};

use crate::cli::{CheckArgs, Format};
use crate::load::{self, Loaded};
use crate::observers::digest;
use crate::observers::live::Live;
use crate::observers::log::Log;
use crate::observers::variety::Variety;
use crate::observers::{DistinctStates, Observers};
use crate::property::search::{Answer, PropertySearch};
use crate::property::{self, Property};
use crate::report::differences;
use crate::report::unreached::unreached;
use crate::report::{self, Report};
use crate::search::cutoff::{self, CutoffSpec};
use crate::search::filtered_model::FilteredModel;
use crate::search::hunt_first;
use crate::search::measure::{MeasureReport, MeasureSpec, SearchMeasure};
use crate::search::reduction::{Allowed, SearchReduction};
use crate::search::{self, Search, Searched, budget};
use crate::target::Target;
use crate::trace::file::Files;
use crate::{Status, terminal};

/// Runs the command.
pub fn run(args: &CheckArgs) -> anyhow::Result<Status> {
    let files = Files::ready(args.trace_out.as_deref(), args.trail, &args.model)?;
    let log_file = args.log.as_deref().map(Target::new).transpose()?;
    let meter = budget::meter_with_disk(&args.search);

    let Some(mut input) = load::check(&args.model, !args.quiet)? else { return Ok(Status::BadInput) };
    let properties = if args.safety { Vec::new() } else { property::stated(&mut input) };
    let spec = MeasureSpec::read(&mut input, args.search.progress.as_deref());
    let Some(spec) = spec else { return Ok(Status::BadInput) };
    let Some(cutoff) = CutoffSpec::read(&mut input, &args.cut_off) else { return Ok(Status::BadInput) };
    let Some(mut loaded) = input.compile() else { return Ok(Status::BadInput) };
    loaded.meter = budget::beside_the_rest(meter);
    let (loaded, meter) = (&loaded, &loaded.meter);
    let Some(classes) = cutoff::resolve(cutoff, loaded) else { return Ok(Status::BadInput) };

    let order = args.order();
    let hashed = args.hashed();
    let options = SearchOptions { all_errors: args.all_errors, hashed, ..search::options(&args.search, order.order) };
    let allowed = Allowed::new(&args.search.reduce, &args.model, &args.search.limits);
    let obstacle = match &classes {
        Some(_) => Some(cutoff::NO_REDUCTION),
        None if args.search.shortest => Some("a shortest trace has every step"),
        None => args.digest.then_some("a digest is of every state"),
    };
    let observed = Observed { guides: spec.expressions().to_vec(), ..Observed::default() };
    let reduction = SearchReduction::of_states(&loaded.model, allowed.unless(obstacle), &observed, meter);
    let space = FilteredModel {
        reduction: reduction.get(),
        end_states: !args.no_end_states,
        assertions: !args.no_assertions,
        ..FilteredModel::all(&loaded.model)
    };
    let wants_hunt = hunt_first::is_of_use(args) && !reduction.is_small;
    let (hunt, caught) = match wants_hunt {
        true => Some(hunt_first::hunt(&space, options.limits, meter)).unzip(),
        false => (None, None),
    };
    let caught = caught.flatten();
    let mut measure = match caught.is_none() && search::is_sweep(&options) || !properties.is_empty() {
        true => spec.choose(&loaded.model, reduction.get(), meter),
        false => SearchMeasure::None,
    };
    let sampled = reduction.savings();
    let mut observers = Observers {
        live: Live::new(!args.quiet && args.format == Format::Text),
        variety: Variety::default(),
        distinct: args.count_distinct.then(|| DistinctStates::new(meter)),
        log: args.log.as_ref().map(|_| Log::new()),
    };
    let searched = match caught {
        Some(outcome) => Some(Searched { outcome, measure: MeasureReport::default(), cutoff: None }),
        None => {
            let search = Search { loaded, space: &space, measure: &mut measure, options, meter };
            search.run(classes.as_ref(), &mut observers)
        }
    };
    let Some(Searched { mut outcome, measure: measured, cutoff }) = searched else {
        observers.live.clear();
        return Ok(Status::BadInput);
    };
    let reduced = reduction.report(sampled);
    let mut lost = Vec::new();
    if let (Some(log), Some(file)) = (&observers.log, &log_file) {
        lost.extend(report::loss(log.write(file, &outcome.stats)));
    }
    if let Some(distinct) = &observers.distinct {
        outcome.stats.distinct = Some(distinct.count());
    }
    let answers = match outcome.stopped {
        None if cutoff.is_none() => {
            answers(loaded, &properties, &mut measure, (options.limits, meter, allowed), &mut observers.live)?
        }
        // What stopped the search would stop these too; and what is cut off may be part of a cycle.
        _ => Vec::new(),
    };
    observers.live.clear();
    let is_checked = |property: &&Property| {
        answers.iter().any(|answer| answer.property.name == property.name && answer.never_begun().is_none())
    };
    let unchecked = properties.iter().filter(|property| !is_checked(property));
    let unchecked: Vec<String> = unchecked.map(|property| property.name.clone()).collect();
    let is_complete = outcome.stopped.is_none() && (args.all_errors || outcome.violations.is_empty());
    lost.extend(report::loss(keep_trace(&files, loaded, args, &outcome, &answers)));
    let report = Report {
        file: &args.model.model,
        loaded,
        outcome: &outcome,
        answers: &answers,
        search: order.order,
        hunt,
        unchecked: &unchecked,
        differences: &differences::met(&loaded.model),
        growth: outcome
            .stopped
            .filter(|&reason| reason != StopReason::Hashed)
            .and_then(|_| observers.variety.sentence(&loaded.model)),
        unreached: is_complete.then(|| unreached(loaded)),
        measure: &measured,
        reduction: reduced,
        digest: args.digest.then(|| digest::of(&loaded.model, options.limits, meter)).flatten(),
        cutoff: cutoff.as_ref(),
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

/// Writes the trace files of the command line.
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

/// Checks the temporal properties. Assertions have been checked before.
fn answers<'p>(
    loaded: &Loaded,
    properties: &'p [Property],
    measure: &mut SearchMeasure<'_>,
    (limits, meter, allowed): (Limits, &Meter, Allowed),
    live: &mut Live,
) -> anyhow::Result<Vec<Answer<'p>>> {
    let system = FilteredModel { end_states: false, assertions: false, ..FilteredModel::all(&loaded.model) };
    let options =
        SearchOptions { limits, reexpansion_limit: Some(search::REEXPANSION_LIMIT), ..SearchOptions::default() };
    let search = PropertySearch { options, allowed, fair: false, look: true, meter };
    property::search::check_all(properties, &system, measure, &search, live)
}
