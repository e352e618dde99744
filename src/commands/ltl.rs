//! `psw ltl`: temporal properties of a model, each with its answer.

use anyhow::bail;
use sweep::{CycleSearch, SearchOptions};

use crate::cli::{CycleOrder, Fairness, Format, LtlArgs};
use crate::commands::automaton;
use crate::commands::check;
use crate::commands::progress;
use crate::load::{Loaded, load_with};
use crate::observers::live::Live;
use crate::property::search::How;
use crate::property::{self, Property, stuck};
use crate::report;
use crate::report::properties::{self, Properties};
use crate::report::steps::Extent;
use crate::search::filtered_model::Selected;
use crate::search::measure::Measuring;
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
    let meter = check::meter(&args.limits);
    let loaded = load_with(&args.model, !args.quiet, args.formula.as_deref())?;
    let Some(mut loaded) = loaded else { return Ok(Status::BadInput) };
    let meter = check::beside_the_rest(meter).with_interrupt(check::interrupt());
    let mut wanted = wanted(&loaded, args)?;
    property::compile(&mut wanted, &mut loaded.model);
    let Some(measure) = progress::read(&mut loaded, Some(&args.progress)) else { return Ok(Status::BadInput) };
    let model = &loaded.model;
    let mut measure = match args.order() {
        CycleOrder::Ndfs | CycleOrder::Map => Measuring::None,
        CycleOrder::SweepOff | CycleOrder::SweepOn | CycleOrder::Column => Measuring::new(model, &measure, &meter),
    };
    let how =
        How { options: options(args), fair: args.fair == Fairness::Weak, look: args.search.is_none(), meter: &meter };
    let mut live = Live::new(!args.quiet && args.format == Format::Text);
    let system = Selected { end_states: false, ..Selected::all(model) };
    let answers = property::search::check_all(&wanted, &system, &mut measure, &how, &mut live)?;
    let is_hidden =
        system.gets_stuck.into_inner() && !args.no_end_states && properties::status(&answers) != Status::Violated;
    let stuck = is_hidden.then(|| stuck::find(model, &how, &mut live));
    live.clear();
    let kept = match &stuck {
        Some(found) => files.keep_found(&loaded, &args.model, found),
        None => files.keep_run(&loaded, &args.model, &answers, args.formula.as_deref(), how.fair),
    };
    let lost: Vec<String> = report::loss(kept).into_iter().collect();
    let report = Properties {
        file: &args.model.model,
        loaded: &loaded,
        answers: &answers,
        stuck: stuck.as_ref(),
        search: args.order(),
        fair: how.fair,
        measure: measure.words(),
        extent: Extent { full: args.full_trace, variables: args.verbose },
        lost: &lost,
    };
    let text = |out: &mut _, report: &_| properties::text(out, report, terminal::has_colours());
    report::deliver(args.format, &lost, &report, text, properties::json);
    Ok(report.status())
}

/// The properties that were asked for.
fn wanted(loaded: &Loaded, args: &LtlArgs) -> anyhow::Result<Vec<Property>> {
    if args.non_progress {
        return Ok(vec![property::progress(&loaded.sources)]);
    }
    let mut stated = property::stated(loaded);
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
        limits: check::limits(&args.limits),
        reexpansion_limit: Some(check::REEXPANSION_LIMIT),
        progress_graph: args.progress_graph,
        progress_first: args.progress_first,
        ..SearchOptions::default()
    }
}
