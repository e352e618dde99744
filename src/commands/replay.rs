//! `psw replay`: a saved trace, followed and verified once more; shown, walked through, or drawn.

use std::borrow::Cow;
use std::io::{BufRead, Write};

use interp::Word;
use interp::inspect::trace::Trace;

use crate::cli::{Format, ReplayArgs};
use crate::load::Loaded;
use crate::property::Property;
use crate::property::formula::Atom;
use crate::report::explain::explain;
use crate::report::filter::Filter;
use crate::report::html::{HtmlFile, Page, RunOf, State};
use crate::report::steps::{self, Extent};
use crate::report::{self, trace};
use crate::target::Target;
use crate::trace::chart;
use crate::trace::file;
use crate::trace::file::Kept;
use crate::{Status, terminal};

/// Runs the command.
pub fn run(args: &ReplayArgs) -> anyhow::Result<Status> {
    let chart_file = args.msc.as_deref().map(Target::new).transpose()?;
    let page_file = HtmlFile::ready(args.report.as_deref())?;
    let Some(kept) = file::read(&args.trace, &args.model, !args.quiet)? else { return Ok(Status::BadInput) };
    let Kept { loaded, trace, violation, property } = kept;
    let filter = Filter::read(&args.show, &args.steps, &loaded.model.checked)?;
    let atoms = property.as_ref().map_or(&[][..], Property::atoms);
    let drawn = chart_file.map_or(Ok(()), |file| {
        let title = file::base_name(&args.model.model);
        file.write(&chart::draw(&loaded, &trace, &title))
    });
    if args.step {
        walk(&mut terminal::stdout(), &loaded, &trace, atoms, args.verbose)?;
    }
    let mut lost: Vec<String> = report::loss(drawn).into_iter().collect();
    if let Some(file) = &page_file {
        let named = property.as_ref().map(|property| property.name.clone());
        let headline = violation.kind.message().to_owned();
        let name = named.unwrap_or_else(|| headline.clone());
        let run = RunOf { name, trace: Cow::Borrowed(&trace), violation: Some(violation), atoms };
        let page = Page {
            file: &args.model.model,
            loaded: &loaded,
            state: State::Violated,
            headline,
            checks: Vec::new(),
            runs: vec![run],
            lost: Vec::new(),
            facts: Vec::new(),
            summary: String::new(),
            is_searched: false,
            is_complete: false,
            growth: None,
            repeat: String::new(),
        };
        lost.extend(report::loss(file.write(page)));
    }
    let text = |out: &mut Vec<u8>, _: &()| -> anyhow::Result<()> {
        if !args.step {
            let extent = Extent { full: args.full_trace, variables: args.verbose, filter: Some(&filter) };
            steps::write(out, &loaded, &trace, atoms, extent)?;
        }
        steps::violation(out, &loaded, &violation, Some(&trace), terminal::has_colours())?;
        let of = property.as_ref().map_or_else(String::new, |property| format!("{}: ", property.name));
        let message = explain(&loaded, &violation, Some(&trace)).message;
        writeln!(out, "{}: confirmed: {of}{message}", args.model.model.display())?;
        Ok(())
    };
    report::deliver(Format::Text, &lost, &(), text, |_, ()| Ok(()));
    Ok(Status::Violated)
}

/// Lets the user walk through a trace. Step 0 is the initial state.
fn walk(out: &mut impl Write, loaded: &Loaded, trace: &Trace, atoms: &[Atom], variables: bool) -> anyhow::Result<()> {
    let last = trace.steps.len();
    let mut at = 0;
    show(out, loaded, trace, atoms, at, variables)?;
    loop {
        write!(out, "step {at} of {last} (n next, p previous, a number, v variables, q quit)? ")?;
        out.flush()?;
        let mut line = String::new();
        if std::io::stdin().lock().read_line(&mut line)? == 0 {
            break;
        }
        at = match line.trim() {
            "q" | "quit" => break,
            "n" | "" if at < last => at + 1,
            "n" | "" => {
                writeln!(out, "this is the end of the trace")?;
                continue;
            }
            "p" if at > 0 => at - 1,
            "p" => {
                writeln!(out, "this is the initial state")?;
                continue;
            }
            "v" => {
                steps::variables(out, loaded, state(trace, at))?;
                continue;
            }
            text => match text.parse::<usize>() {
                Ok(number) if number <= last => number,
                _ => {
                    writeln!(out, "enter n, p, v, q, or a number from 0 to {last}")?;
                    continue;
                }
            },
        };
        show(out, loaded, trace, atoms, at, variables)?;
    }
    writeln!(out)?;
    Ok(())
}

/// The state after a number of steps.
fn state(trace: &Trace, steps: usize) -> &[Word] {
    let step = steps.checked_sub(1).and_then(|step| trace.steps.get(step));
    step.and_then(|step| step.states.last()).unwrap_or(&trace.initial)
}

fn show(
    out: &mut impl Write,
    loaded: &Loaded,
    trace: &Trace,
    atoms: &[Atom],
    at: usize,
    variables: bool,
) -> std::io::Result<()> {
    let Loaded { model, sources, .. } = loaded;
    match at.checked_sub(1) {
        Some(step) => steps::moves(out, loaded, trace::lines(model, sources, trace, atoms, step..at))?,
        None => writeln!(out, "the initial state")?,
    }
    steps::standing(out, loaded, state(trace, at))?;
    if variables {
        steps::variables(out, loaded, state(trace, at))?;
    }
    Ok(())
}
