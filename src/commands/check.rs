//! `psw check`: one command, one report.

use std::time::Duration;

use anyhow::{anyhow, bail, ensure};
use interp::Violation;
use sweep::checkpoint::Checkpoints;
use sweep::space::judged::OfSystem;
use sweep::{Outcome, SearchOptions, StopReason, Verdict};

use crate::checkpoint::{CheckpointFile, Decided, Manifest, Origin, Resumed, VIOLATIONS};
use crate::cli::{CheckArgs, Format};
use crate::load::{self, Loaded};
use crate::observers::digest;
use crate::observers::live::Live;
use crate::observers::log::Log;
use crate::observers::variety::Variety;
use crate::observers::{DistinctStates, Observers};
use crate::property::fairness::Fairness;
use crate::property::invariants::{self, InvariantSet};
use crate::property::search::{Answer, PropertySearch, in_order, open};
use crate::property::{self, Property};
use crate::report::differences;
use crate::report::filter::Filter;
use crate::report::html::{self, HtmlFile};
use crate::report::steps::Extent;
use crate::report::unreached::unreached;
use crate::report::{self, Checks, Report};
use crate::search::cutoff::{self, CutoffSpec};
use crate::search::filtered_model::FilteredModel;
use crate::search::hunt_first;
use crate::search::measure::{MeasureReport, MeasureSpec, SearchMeasure};
use crate::search::reduction::{Allowed, SearchReduction};
use crate::search::{self, Search, Searched, budget};
use crate::target::Target;
use crate::trace::file::Files;
use crate::{Status, terminal};

/// The time from one checkpoint to the next.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(300);

/// Runs the command, from where it was interrupted if it was.
pub fn run(args: &CheckArgs, resumed: Option<Resumed>) -> anyhow::Result<Status> {
    let mut checkpoint =
        args.checkpoint.as_deref().map(|path| CheckpointFile::new(path, resumed.as_ref())).transpose()?;
    let files = Files::ready(args.trace_out.as_deref(), args.trail, &args.model)?;
    let page_file = HtmlFile::ready(args.report.as_deref())?;
    let log_file = args.log.as_deref().map(Target::new).transpose()?;
    let meter = budget::meter_with_disk(&args.search.limits, &args.search.external.disk);
    budget::has_several();

    let Some(mut input) = load::check(&args.model, !args.quiet)? else { return Ok(Status::BadInput) };
    let stated = if args.safety { Vec::new() } else { property::stated(&mut input) };
    let Selected { properties, assertions, end_states } = Selected::of(stated, args)?;
    let spec = MeasureSpec::read(&mut input, args.search.progress.as_deref());
    let Some(spec) = spec else { return Ok(Status::BadInput) };
    let Some(cutoff) = CutoffSpec::read(&mut input, &args.cut_off) else { return Ok(Status::BadInput) };
    let Some(mut loaded) = input.compile() else { return Ok(Status::BadInput) };
    loaded.meter = budget::beside_the_rest(meter);
    let (loaded, meter) = (&loaded, &loaded.meter);
    let filter = Filter::read(&args.show, &args.steps, &loaded.model.checked)?;
    let Some(classes) = cutoff::resolve(cutoff, loaded) else { return Ok(Status::BadInput) };
    if let Some(resumed) = &resumed {
        resumed.expect_model(loaded)?;
    }

    let fairness = Fairness::new(args.fairness.words(), &loaded.model)?;
    let order = args.order();
    let hashed = args.hashed();
    let options = SearchOptions { all_errors: args.all_errors, hashed, ..search::options(&args.search, order.order) };
    let name = report::search_name(order.order);
    ensure!(
        checkpoint.is_none() || options.algorithm.has_checkpoints() && hashed.is_none(),
        "--checkpoint: --search {name} writes no checkpoints; column, sweep and bfs do"
    );
    let allowed = Allowed::new(&args.search.reduce, &args.model, &args.search.limits);
    let obstacle = match &classes {
        Some(_) => Some(cutoff::NO_REDUCTION),
        None if args.search.shortest => Some("a shortest trace has every step"),
        None => args.digest.then_some("a digest is of every state"),
    };
    // What is cut off may be part of a cycle, or violate an invariant.
    let checked: &[Property] = if classes.is_none() { &properties } else { &[] };
    let prepared = property::search::prepare(&loaded.model, checked)?;
    // A checkpoint is of the search of the system alone; and fairness may excuse what leads to a violated invariant.
    let is_shared = fairness.is_empty() && checkpoint.is_none() && resumed.is_none() && hashed.is_none();
    let (invariants, others): (Vec<_>, Vec<_>) =
        prepared.iter().partition(|prepared| is_shared && prepared.automaton.is_of_invariant());
    let mut observers = Observers {
        live: Live::new(!args.quiet && args.format == Format::Text),
        variety: Variety::default(),
        distinct: args.count_distinct.then(|| DistinctStates::new(meter)),
        log: (log_file.is_some() || page_file.is_some()).then(|| Log::new(log_file)),
    };
    let mut set = InvariantSet::new(invariants, observers.live.news());
    let reduce = |set: &InvariantSet| {
        let observed = set.observed(spec.expressions());
        SearchReduction::of_states(&loaded.model, allowed.unless(obstacle), &observed, meter)
    };
    let mut reduction = match &resumed {
        None => reduce(&set),
        Some(Resumed { decided, .. }) => {
            let observed = set.observed(spec.expressions());
            SearchReduction::of_states_again(&loaded.model, allowed.unless(obstacle), &observed, decided.useless, meter)
        }
    };
    let mut answers = Vec::new();
    if !set.is_empty() && args.search.looks_first() {
        let space = FilteredModel { reduction: reduction.get(), ..FilteredModel::all(&loaded.model) };
        let measure = &mut SearchMeasure::None;
        let search = Search { loaded, space: &space, measure, options, meter, checkpoints: None };
        answers = invariants::look(&set, search, &reduction, &mut observers.live);
        set.remove(&answers);
        // What is not observed any more may be left out.
        if !answers.is_empty() {
            reduction = reduce(&set);
        }
    }
    let space =
        FilteredModel { reduction: reduction.get(), end_states, assertions, ..FilteredModel::all(&loaded.model) };
    // Whoever has invariants has them looked for in the same way, before.
    let wants_hunt = hunt_first::is_of_use(args) && !reduction.is_small && checkpoint.is_none() && set.is_empty();
    let (hunt, caught) = match wants_hunt {
        true => Some(hunt_first::hunt(&space, options.limits, meter)).unzip(),
        false => (None, None),
    };
    let caught = caught.flatten();
    let sweeps = caught.is_none() && search::is_sweep(&options);
    let mut measure = match (sweeps || !others.is_empty(), &resumed) {
        (false, _) => SearchMeasure::None,
        (true, None) => spec.choose(&loaded.model, reduction.get(), meter),
        (true, Some(resumed)) => {
            let recalled = spec.recall(&loaded.model, resumed.decided.measure.clone());
            recalled.ok_or_else(|| anyhow!(resumed.mismatch()))?
        }
    };
    let sampled = reduction.savings();
    let (resumed_path, origin, search_so_far) = match resumed {
        None if checkpoint.is_none() => (None, Origin::default(), None),
        None => (None, Origin::here()?, None),
        Some(resumed) => {
            resumed.restore(loaded, &reduction)?;
            (Some(resumed.path().display().to_string()), resumed.origin, Some(resumed.search))
        }
    };
    let decided = Decided { useless: reduction.useless(), measure: measure.recipe() };
    let manifest = Manifest { origin, loaded, reduction: &reduction, decided, sampled };
    let checkpoints = checkpoint.as_mut().map(|file| Checkpoints {
        keeper: Box::new(file.keeper(&manifest)),
        codec: VIOLATIONS,
        every: args.checkpoint_every.unwrap_or(CHECKPOINT_EVERY),
        from: search_so_far,
    });
    observers.live.begin(if set.is_empty() && others.is_empty() { "" } else { "all states" });
    let searched = {
        let search = Search { loaded, space: &space, measure: &mut measure, options, meter, checkpoints };
        match caught {
            Some(outcome) => Some(Searched { outcome, measure: MeasureReport::default(), cutoff: None }),
            None if set.is_empty() => search.run(classes.as_ref(), &mut observers),
            None => {
                let of_system = OfSystem::reported(args.all_errors);
                let (outcome, measure, found) = invariants::check(&set, search, &reduction, of_system, &mut observers);
                answers.extend(found);
                Some(Searched { outcome, measure, cutoff: None })
            }
        }
    };
    let Some(Searched { mut outcome, measure: measured, cutoff }) = searched else {
        observers.live.clear();
        return Ok(Status::BadInput);
    };
    if let (Some(StopReason::Resume(fault)), Some(path)) = (outcome.stopped, resumed_path) {
        observers.live.clear();
        bail!("cannot go on from {path}: {fault}");
    }
    let reduced = reduction.report(sampled);
    let mut lost = Vec::new();
    if let Some(log) = &mut observers.log {
        lost.extend(report::loss(log.finish(&outcome.stats)));
    }
    if let Some(distinct) = &observers.distinct {
        outcome.stats.distinct = Some(distinct.count());
    }
    // What stopped the search would stop the others too, unless it was the user, who wants them.
    if outcome.stopped.is_none_or(budget::goes_on) {
        let open = open(&prepared, &answers);
        let options = SearchOptions {
            limits: options.limits,
            reexpansion_limit: Some(search::REEXPANSION_LIMIT),
            hand_over_after: args.search.external.disk.hand_over_after(),
            ..SearchOptions::default()
        };
        // Assertions have been checked before.
        let search = PropertySearch { options, allowed, fairness: &fairness, look: true, meter };
        let system = FilteredModel { end_states: false, assertions: false, ..FilteredModel::all(&loaded.model) };
        answers.extend(property::search::check_all(&open, &system, &mut measure, &search, &mut observers.live));
    }
    budget::is_over();
    observers.live.clear();
    in_order(&mut answers, &properties);
    let is_checked = |property: &&Property| {
        answers.iter().any(|answer| answer.property.name == property.name && answer.never_begun().is_none())
    };
    let unchecked = properties.iter().filter(|property| !is_checked(property));
    let unchecked: Vec<String> = unchecked.map(|property| property.name.clone()).collect();
    lost.extend(report::loss(keep_trace(&files, loaded, args, &outcome, (&answers, &fairness))));
    let mut report = Report {
        file: &args.model.model,
        loaded,
        outcome: &outcome,
        answers: &answers,
        fairness: &fairness,
        search: order.order,
        hunt,
        unchecked: &unchecked,
        differences: &differences::met(&loaded.model, end_states),
        growth: outcome
            .stopped
            .filter(|&reason| reason != StopReason::Hashed)
            .and_then(|_| observers.variety.sentence(&loaded.model)),
        unreached: None,
        measure: &measured,
        reduction: reduced,
        digest: args.digest.then(|| digest::of(&loaded.model, options.limits, meter)).flatten(),
        cutoff: cutoff.as_ref(),
        lost: &[],
        checkpoint: checkpoint.as_ref().and_then(CheckpointFile::written),
        checks: Checks { assertions, end_states },
        options: args,
    };
    report.unreached = report.is_whole().then(|| unreached(loaded));
    if let Some(file) = &page_file {
        lost.extend(report::loss(file.write(html::check::page(&report, observers.log.as_ref()))));
    }
    let report = Report { lost: &lost, ..report };
    let status = match report.verdict() {
        Verdict::Violated => Status::Violated,
        Verdict::Holds => Status::Good,
        Verdict::Stopped(_) => Status::Stopped,
    };
    let extent = Extent { full: args.full_trace, variables: args.verbose, filter: Some(&filter) };
    let text = |out: &mut _, report: &_| report::text::write(out, report, extent, terminal::has_colours());
    report::deliver(args.format, &lost, &report, text, report::json::write);
    Ok(status)
}

/// Writes the trace files of the command line.
fn keep_trace(
    files: &Files,
    loaded: &Loaded,
    args: &CheckArgs,
    outcome: &Outcome<Violation>,
    (answers, fairness): (&[Answer], &Fairness),
) -> anyhow::Result<()> {
    match outcome.violations.first() {
        Some(found) => files.keep_found(loaded, &args.model, found),
        None => files.keep_run(loaded, &args.model, answers, None, fairness),
    }
}

/// What is checked.
struct Selected {
    properties: Vec<Property>,
    assertions: bool,
    end_states: bool,
}

/// Names of what every model has.
const ASSERTIONS: &str = "assertions";
const END_STATES: &str = "end-states";
const ERRORS: &str = "errors";

impl Selected {
    /// What the options say.
    fn of(stated: Vec<Property>, args: &CheckArgs) -> anyhow::Result<Selected> {
        let names = &args.property;
        let is_named = |name| names.is_empty() || names.iter().any(|given| given == name);
        Ok(Selected {
            properties: property::select(stated, names, &[ASSERTIONS, END_STATES, ERRORS])?,
            assertions: !args.no_assertions && is_named(ASSERTIONS),
            end_states: !args.no_end_states && is_named(END_STATES),
        })
    }
}
