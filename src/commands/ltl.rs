//! `psw ltl`: temporal properties of a model, each with its answer.

use std::sync::atomic::Ordering;

use anyhow::bail;
use sweep::{CycleSearch, SearchOptions};

use crate::cli::{CycleOrder, Fairness, Format, LtlArgs};
use crate::commands::automaton;
use crate::load::{self, CheckedInput};
use crate::observers::live::Live;
use crate::property::search::PropertySearch;
use crate::property::{self, Property, deadlock};
use crate::report;
use crate::report::properties::{self, Properties};
use crate::report::steps::Extent;
use crate::search::filtered_model::FilteredModel;
use crate::search::measure::{MeasureSpec, SearchMeasure};
use crate::search::reduction::Allowed;
use crate::search::{REEXPANSION_LIMIT, budget};
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
    let meter = budget::meter_with_disk(&args.limits, &args.disk);

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

    let mut measure = match args.order() {
        CycleOrder::Ndfs | CycleOrder::Map => SearchMeasure::None,
        CycleOrder::SweepOff | CycleOrder::SweepOn | CycleOrder::Column => {
            // The reductions of properties differ, and the measure is one.
            spec.choose(&loaded.model, None, meter)
        }
    };
    let search = PropertySearch {
        options: options(args),
        allowed: Allowed::new(&args.reduce, &args.model, &args.limits),
        fair: args.fair == Fairness::Weak,
        look: args.search.is_none(),
        meter,
    };
    let mut live = Live::new(!args.quiet && args.format == Format::Text);
    let system = FilteredModel { end_states: false, ..FilteredModel::all(&loaded.model) };
    let answers = property::search::check_all(&properties, &system, &mut measure, &search, &mut live)?;
    let reports_deadlock = !args.no_end_states && properties::status(&answers) != Status::Violated;
    let is_deadlocked = system.has_deadlock.load(Ordering::Relaxed);
    let deadlock = (is_deadlocked && reports_deadlock).then(|| deadlock::find(&loaded.model, &search, &mut live));
    live.clear();
    let kept = match &deadlock {
        Some(found) => files.keep_found(loaded, &args.model, found),
        None => files.keep_run(loaded, &args.model, &answers, args.formula.as_deref(), search.fair),
    };
    let lost: Vec<String> = report::loss(kept).into_iter().collect();
    let report = Properties {
        file: &args.model.model,
        loaded,
        answers: &answers,
        deadlock: deadlock.as_ref(),
        search: args.order(),
        fair: search.fair,
        measure: measure.summary(),
        extent: Extent { full: args.full_trace, variables: args.verbose },
        lost: &lost,
    };
    let text = |out: &mut _, report: &_| properties::text(out, report, terminal::has_colours());
    report::deliver(args.format, &lost, &report, text, properties::json);
    Ok(report.status())
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
    let names: Vec<String> = stated.iter().map(|property| property.name.clone()).collect();
    if let Some(name) = &args.name {
        stated.retain(|property| property.name.split(' ').next_back() == Some(name));
        if stated.is_empty() {
            match names.is_empty() {
                true => bail!("the model has no property `{name}`: it states none"),
                false => bail!("the model has no property `{name}`: it has {}", names.join(", ")),
            }
        }
    }
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
