//! `psw ltl`: temporal properties of a model, each with its answer.

use std::sync::atomic::Ordering;

use anyhow::bail;
use sweep::space::judged::OfSystem;
use sweep::{Algorithm, CycleSearch, SearchOptions};

use crate::cli::{CycleOrder, Format, LtlArgs};
use crate::commands::automaton;
use crate::load::{self, CheckedInput, Loaded};
use crate::observers::live::Live;
use crate::property::fairness::Fairness;
use crate::property::invariants::{self, InvariantSet};
use crate::property::search::{Answer, OnlyLive, Prepared, PropertySearch, in_order, open};
use crate::property::{self, Property, deadlock};
use crate::report;
use crate::report::filter::Filter;
use crate::report::html::{self, HtmlFile};
use crate::report::properties::{self, Properties};
use crate::report::steps::Extent;
use crate::search::filtered_model::FilteredModel;
use crate::search::measure::{MeasureSpec, SearchMeasure};
use crate::search::reduction::{Allowed, SearchReduction};
use crate::search::{REEXPANSION_LIMIT, Search, budget};
use crate::trace::file::Files;
use crate::{Status, terminal};

/// Runs the command.
pub fn run(args: &LtlArgs) -> anyhow::Result<Status> {
    if let Some(format) = args.automaton {
        // Without a model the formula comes first.
        let formula = args.formula.clone().unwrap_or_else(|| args.model.model.to_string_lossy().into_owned());
        return automaton::run(&formula, format);
    }
    let files = Files::ready(args.trace_out.as_deref(), args.trail, &args.model)?;
    let page_file = HtmlFile::ready(args.report.as_deref())?;
    let meter = budget::meter_with_disk(&args.limits, &args.disk);
    budget::has_several();

    let Some(mut input) = load::check(&args.model, !args.quiet)? else { return Ok(Status::BadInput) };
    if let Some(formula) = &args.formula
        && input.add_formula(formula).is_none()
    {
        return Ok(Status::BadInput);
    }
    let properties = selected(&mut input, args)?;
    let Some(spec) = MeasureSpec::read(&mut input, Some(&args.progress)) else { return Ok(Status::BadInput) };
    let Some(mut loaded) = input.compile() else { return Ok(Status::BadInput) };
    loaded.meter = budget::beside_the_rest(meter);
    let (loaded, meter) = (&loaded, &loaded.meter);
    let filter = Filter::read(&args.show, &args.steps, &loaded.model.checked)?;

    let prepared = property::search::prepare(&loaded.model, &properties)?;
    let fairness = Fairness::new(args.fairness.words(), &loaded.model)?;
    let demands = !fairness.is_empty() && !fairness.is_weak();
    if let Some(search) = args.search.filter(|_| demands) {
        let search = properties::search_name(search);
        bail!("--search {search} knows weak fairness of all processes only: leave it out{}", fairness.phrase());
    }
    let search = PropertySearch {
        options: options(args),
        allowed: Allowed::new(&args.reduce, &args.model, &args.limits),
        fairness: &fairness,
        look: args.search.is_none(),
        meter,
    };
    let mut live = Live::new(!args.quiet && args.format == Format::Text);
    let system = FilteredModel { end_states: false, ..FilteredModel::all(&loaded.model) };
    // Whoever names a search of products has every property searched for on its own.
    let is_shared = |prepared: &&Prepared| search.look && fairness.is_empty() && prepared.automaton.is_of_invariant();
    let invariants = prepared.iter().filter(is_shared).collect();
    let mut measure = match args.order() {
        _ if demands => SearchMeasure::None,
        CycleOrder::Ndfs | CycleOrder::Map => SearchMeasure::None,
        CycleOrder::SweepOff | CycleOrder::SweepOn | CycleOrder::Column => {
            // The reductions of properties differ, and the measure is one.
            spec.choose(&loaded.model, None, meter)
        }
    };
    let set = InvariantSet::new(invariants, live.news()).with_assertions();
    let mut answers = of_invariants(set, &system, (loaded, &mut measure, &spec), &search, &mut live);
    let open = open(&prepared, &answers);
    answers.extend(property::search::check_all(&open, &system, &mut measure, &search, &mut live));
    in_order(&mut answers, &properties);
    budget::is_over();
    let reports_deadlock = !args.no_end_states && properties::status(&answers) != Status::Violated;
    let is_deadlocked = system.has_deadlock.load(Ordering::Relaxed);
    let deadlock = (is_deadlocked && reports_deadlock).then(|| deadlock::find(&loaded.model, &search, &mut live));
    live.clear();
    let kept = match &deadlock {
        Some(found) => files.keep_found(loaded, &args.model, found),
        None => files.keep_run(loaded, &args.model, &answers, args.formula.as_deref(), &fairness),
    };
    let mut lost: Vec<String> = report::loss(kept).into_iter().collect();
    let report = Properties {
        file: &args.model.model,
        loaded,
        answers: &answers,
        deadlock: deadlock.as_ref(),
        search: args.order(),
        fairness: &fairness,
        measure: measure.summary(),
        extent: Extent { full: args.full_trace, variables: args.verbose, filter: Some(&filter) },
        verbose: args.verbose,
        quiet: args.quiet,
        lost: &[],
    };
    if let Some(file) = &page_file {
        lost.extend(report::loss(file.write(html::properties::page(&report))));
    }
    let report = Properties { lost: &lost, ..report };
    let text = |out: &mut _, report: &_| properties::text(out, report, terminal::has_colours());
    report::deliver(args.format, &lost, &report, text, properties::json);
    Ok(report.status())
}

/// Answers invariants in one search of the model.
fn of_invariants<'p>(
    mut set: InvariantSet<'_, '_, 'p>,
    system: &FilteredModel,
    (loaded, measure, spec): (&Loaded, &mut SearchMeasure, &MeasureSpec),
    search: &PropertySearch,
    live: &mut Live,
) -> Vec<Answer<'p>> {
    if set.is_empty() {
        return Vec::new();
    }
    let PropertySearch { options, allowed, meter, .. } = *search;
    let options = SearchOptions { algorithm: Algorithm::ColumnSweep, ..options };
    let reduce = |set: &InvariantSet| {
        SearchReduction::of_states(&loaded.model, allowed, &set.observed(spec.expressions()), meter)
    };
    live.begin("invariants");
    let reduction = reduce(&set);
    let space = system.reduced(reduction.get());
    let search = Search { loaded, space: &space, measure: &mut SearchMeasure::None, options, meter, checkpoints: None };
    let mut answers = invariants::look(&set, search, &reduction, live);
    system.merge(&space);
    set.remove(&answers);
    if !set.is_empty() {
        // What is not observed any more may be left out.
        let reduction = if answers.is_empty() { reduction } else { reduce(&set) };
        let space = system.reduced(reduction.get());
        let search = Search { loaded, space: &space, measure, options, meter, checkpoints: None };
        let (_, _, found) = invariants::check(&set, search, &reduction, OfSystem::None, &mut OnlyLive(live));
        system.merge(&space);
        answers.extend(found);
    }
    answers
}

/// The properties to check.
fn selected(input: &mut CheckedInput, args: &LtlArgs) -> anyhow::Result<Vec<Property>> {
    if args.non_progress {
        return Ok(vec![property::progress(input)]);
    }
    let mut stated = property::stated(input);
    if args.formula.is_some() {
        stated.retain(|property| property.name == property::GIVEN);
        return Ok(stated);
    }
    stated = property::select(stated, &args.name, &[])?;
    if stated.is_empty() {
        bail!("the model states no temporal property: give a formula, as in psw ltl MODEL '[]<>done'");
    }
    Ok(stated)
}

fn options(args: &LtlArgs) -> SearchOptions {
    SearchOptions {
        cycles: match args.order() {
            CycleOrder::Ndfs => CycleSearch::Ndfs,
            CycleOrder::Map => CycleSearch::Map,
            CycleOrder::SweepOff => CycleSearch::SweepOff,
            CycleOrder::SweepOn => CycleSearch::SweepOn,
            CycleOrder::Column => CycleSearch::Column,
        },
        limits: budget::limits(&args.limits),
        reexpansion_limit: Some(REEXPANSION_LIMIT),
        hand_over_after: args.disk.hand_over_after(),
        progress_graph: args.progress_graph,
        progress_first: args.progress_first,
        ..SearchOptions::default()
    }
}
