//! `psw ltl`: temporal properties of a model, each with its answer.

use std::io::{IsTerminal, Write};

use anyhow::bail;
use sweep::{Budget, CycleSearch, Limits, SearchOptions};

use crate::cli::{CycleOrder, Fairness, Format, LtlArgs};
use crate::load::{Loaded, load_with};
use crate::measuring::Measuring;
use crate::property::search::How;
use crate::property::{self, Property, stuck};
use crate::report::live::Live;
use crate::report::properties::{self, Properties};
use crate::report::steps::Extent;
use crate::selected::Selected;
use crate::trace_file::Files;
use crate::{Status, automaton, check, is_closed_pipe, progress};

/// Runs the command.
pub fn run(args: &LtlArgs) -> anyhow::Result<Status> {
    if let Some(format) = args.automaton {
        // Without a model the formula comes first.
        let formula = args.formula.clone().unwrap_or_else(|| args.model.model.to_string_lossy().into_owned());
        return automaton::run(&formula, format);
    }
    let limits = check::limits(&args.limits);
    let loaded = load_with(&args.model, !args.quiet, args.formula.as_deref())?;
    let Some(mut loaded) = loaded else { return Ok(Status::BadInput) };
    let mut wanted = wanted(&loaded, args)?;
    property::compile(&mut wanted, &mut loaded.model);
    let Some(measure) = progress::read(&mut loaded, Some(&args.progress)) else { return Ok(Status::BadInput) };
    let model = &loaded.model;
    let interrupt = check::interrupt();
    let mut measure = match args.order() {
        CycleOrder::Ndfs | CycleOrder::Map => Measuring::None,
        CycleOrder::SweepOff | CycleOrder::SweepOn | CycleOrder::Column => {
            Measuring::new(model, &measure, Budget { limits, interrupt: &interrupt })
        }
    };
    let how = How {
        options: options(args, limits),
        fair: args.fair == Fairness::Weak,
        look: args.search.is_none(),
        interrupt: &interrupt,
    };
    let mut live = Live::new(!args.quiet && args.format == Format::Text);
    let system = Selected { end_states: false, ..Selected::all(model) };
    let answers = property::search::check_all(&wanted, &system, &mut measure, &how, &mut live)?;
    let is_hidden = system.gets_stuck.get() && !args.no_end_states && properties::status(&answers) != Status::Violated;
    let stuck = is_hidden.then(|| stuck::find(model, &how, &mut live));
    live.clear();
    let report = Properties {
        file: &args.model.model,
        loaded: &loaded,
        answers: &answers,
        stuck: stuck.as_ref(),
        search: args.order(),
        fair: how.fair,
        measure: measure.words(),
        extent: Extent { full: args.full_trace, variables: args.verbose },
    };
    let files = Files { trace: args.trace_out.as_deref(), trail: args.trail };
    let kept = match &stuck {
        Some(found) => files.keep_found(&loaded, &args.model, found),
        None => files.keep_run(&loaded, &args.model, &answers, args.formula.as_deref(), how.fair),
    };
    let status = report.status();
    match print(&report, args.format) {
        // The verdict stands, whether or not anybody reads the report to its end.
        Err(error) if is_closed_pipe(&error) => kept.map(|()| status),
        printed => printed.and(kept).map(|()| status),
    }
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

fn options(args: &LtlArgs, limits: Limits) -> SearchOptions {
    SearchOptions {
        cycles: match args.order() {
            CycleOrder::Ndfs => CycleSearch::Ndfs,
            CycleOrder::Map => CycleSearch::Map,
            CycleOrder::SweepOff => CycleSearch::SweepOff,
            CycleOrder::SweepOn => CycleSearch::SweepOn,
            CycleOrder::Column => CycleSearch::Column,
        },
        limits,
        patience: Some(check::PATIENCE),
        progress_graph: args.progress_graph,
        progress_first: args.progress_first,
        ..SearchOptions::default()
    }
}

fn print(report: &Properties, format: Format) -> anyhow::Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    match format {
        Format::Text => {
            let colour = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
            properties::text(&mut out, report, colour)?;
        }
        Format::Json => properties::json(&mut out, report)?,
    }
    out.flush()?;
    Ok(())
}
