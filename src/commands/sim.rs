//! `psw sim`: one run, at random or step by step.

use std::borrow::Cow;
use std::io::{BufRead, Write};
use std::ops::ControlFlow;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::bail;
use interp::exec::step::{Move, Path, Scratch, Sink};
use interp::inspect::trace::{Step, Trace};
use interp::{Violation, Word};

use crate::cli::{SimArgs, StepsArgs};
use crate::load::{Loaded, load};
use crate::report::explain::explain;
use crate::report::filter::Filter;
use crate::report::html::{HtmlFile, Page, RunOf, State};
use crate::report::summary::bytes;
use crate::report::{self, steps, trace};
use crate::terminal::{self, say};
use crate::{Status, is_closed_pipe, machine};

/// Runs the command.
pub fn run(args: &SimArgs) -> anyhow::Result<Status> {
    let page_file = HtmlFile::ready(args.report.as_deref())?;
    let Some(loaded) = load(&args.model, true)? else { return Ok(Status::BadInput) };
    let filter = Filter::read(&args.show, &StepsArgs::default(), &loaded.model.checked)?;
    let seed = args
        .seed
        .unwrap_or_else(|| SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64));
    let mut out = terminal::stdout();
    let mut state = match interp::StateSpace::initial(&loaded.model) {
        Ok(state) => state,
        Err(violation) => {
            return violated(report(&mut out, &loaded, &violation, None));
        }
    };
    let mut random = Random(seed);
    let most_bytes = most_bytes();
    let mut scratch = Scratch::default();
    let mut taken = 0;
    let mut told = Ok(());
    let mut record = page_file.map(|file| Record::new(file, &state));
    let status = loop {
        let mut choices = Choices::new(most_bytes);
        let walked = loaded.model.walk(&state, &mut scratch, &mut choices);
        if walked.is_break() && !choices.are_enough() {
            writeln!(out, "-- stopped after {taken} steps: the next step needs more than {}", bytes(most_bytes))?;
            break Status::Stopped;
        }
        if taken == args.steps {
            writeln!(out, "-- stopped after {taken} steps (--steps)")?;
            break Status::Good;
        }
        if choices.are_enough() {
            writeln!(out, "-- step {} is chosen from the first {MOST_CHOICES} of more", taken + 1)?;
        }
        let chosen = match (choices.found.len(), args.interactive) {
            (0, _) => {
                writeln!(out, "-- no process can move, after {taken} steps")?;
                break Status::Good;
            }
            (_, true) => match choose(&mut out, &loaded, &choices.found)? {
                Some(chosen) => chosen,
                None => break Status::Good,
            },
            (count, false) => (random.next() % count as u64) as usize,
        };
        let choice = choices.found.swap_remove(chosen);
        taken += 1;
        let shown = show(&mut out, &loaded, &state, &choice, (taken, args.verbose, &filter));
        if let Some(record) = &mut record {
            record.add(&choice);
        }
        match choice.end {
            Ok(next) => {
                shown?;
                state = next;
            }
            Err(violation) => {
                let steps = vec![choice.step.clone()];
                let trace = Trace { initial: state.clone(), steps, violation: Some(violation), cycle_start: None };
                told = shown.and_then(|()| report(&mut out, &loaded, &violation, Some(&trace)));
                state = choice.step.states.last().cloned().unwrap_or(state);
                break Status::Violated;
            }
        }
    };
    let told = told.and_then(|()| ending(&mut out, &loaded, &state, args.verbose)).and_then(|()| {
        if !args.interactive && args.seed.is_none() {
            writeln!(out, "-- to repeat this run: --seed {seed}")?;
        }
        Ok(out.flush()?)
    });
    if let Some(record) = record
        && let Some(loss) = report::loss(record.write(&loaded, args, seed))
    {
        say(format_args!("psw: {loss}\n"));
    }
    if status == Status::Violated { violated(told) } else { told.map(|()| status) }
}

/// The run as a page will show it.
struct Record {
    file: HtmlFile,
    trace: Trace,
    bytes: usize,
    /// The steps behind these are too many to be kept.
    is_cut: bool,
}

impl Record {
    fn new(file: HtmlFile, initial: &[Word]) -> Self {
        let trace = Trace { initial: initial.to_vec(), steps: Vec::new(), violation: None, cycle_start: None };
        Record { file, trace, bytes: 0, is_cut: false }
    }

    fn add(&mut self, choice: &Choice) {
        self.bytes += choice.step.states.iter().map(|words| size_of_val(&words[..])).sum::<usize>();
        self.is_cut |= self.bytes > MOST_RECORDED || self.trace.steps.len() == trace::MOST_STEPS;
        if !self.is_cut {
            self.trace.steps.push(choice.step.clone());
            self.trace.violation = choice.end.as_ref().err().copied();
        }
    }

    fn write(self, loaded: &Loaded, args: &SimArgs, seed: u64) -> anyhow::Result<()> {
        let violation = self.trace.violation;
        let message = violation.map(|violation| violation.kind.message().to_owned());
        let run = RunOf { name: "run".to_owned(), trace: Cow::Owned(self.trace), violation, atoms: &[] };
        let headline = message.unwrap_or_else(|| format!("one run of {} steps", run.trace.steps.len()));
        let lost = self.is_cut.then(|| "steps behind these: they are too many to be shown".to_owned());
        self.file.write(Page {
            file: &args.model.model,
            loaded,
            state: if violation.is_some() { State::Violated } else { State::Run },
            headline,
            checks: Vec::new(),
            runs: vec![run],
            lost: lost.into_iter().collect(),
            facts: Vec::new(),
            summary: String::new(),
            is_searched: false,
            is_complete: false,
            growth: None,
            // Choices made by hand are not repeated by a number.
            repeat: if args.seed.is_none() && !args.interactive { format!(" --seed {seed}") } else { String::new() },
        })
    }
}

/// The verdict does not depend on whether the report can be written.
fn violated(told: anyhow::Result<()>) -> anyhow::Result<Status> {
    if let Err(error) = told
        && !is_closed_pipe(&error)
    {
        say(format_args!("psw: the report cannot be written: {error:#}; the exit code is the verdict\n"));
    }
    Ok(Status::Violated)
}

/// A small, fast, seeded generator (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

/// A step that can be taken now.
struct Choice {
    step: Step,
    end: Result<Vec<Word>, Violation>,
}

/// The most choices of one step. An atomic sequence can have exponentially many paths.
const MOST_CHOICES: usize = 10_000;
/// The most bytes that the choices of one step may take, with all that lies between them.
const MOST_BYTES: usize = 1 << 30;
/// The most bytes of the states of a run that a page shows.
const MOST_RECORDED: usize = 256 << 20;

/// The same, where there is less. What grows may be there twice for a moment.
fn most_bytes() -> usize {
    machine::default_memory().map_or(MOST_BYTES, |most| (most / 2).min(MOST_BYTES))
}

/// All of them.
struct Choices {
    found: Vec<Choice>,
    /// Those of them that violate something.
    violating: Vec<usize>,
    bytes: usize,
    most_bytes: usize,
}

impl Choices {
    fn new(most_bytes: usize) -> Self {
        Choices { found: Vec::new(), violating: Vec::new(), bytes: 0, most_bytes }
    }

    /// There are as many as one is chosen from.
    fn are_enough(&self) -> bool {
        self.found.len() >= MOST_CHOICES
    }

    fn add(&mut self, path: Path, end: Result<Vec<Word>, Violation>) -> ControlFlow<()> {
        let step = Step { moves: path.moves.to_vec(), states: path.states().map(<[Word]>::to_vec).collect() };
        let words: usize = step.states.iter().map(Vec::len).sum();
        self.bytes += words * size_of::<Word>() + step.moves.len() * size_of::<(Move, Vec<Word>)>();
        if end.is_err() {
            self.violating.push(self.found.len());
        }
        self.found.push(Choice { step, end });
        if self.are_enough() { ControlFlow::Break(()) } else { self.working(0) }
    }
}

impl Sink for Choices {
    fn successor(&mut self, next: &[Word], path: Path) -> ControlFlow<()> {
        // A run that violates something ends there.
        let violates = |&index: &usize| path.moves.starts_with(&self.found[index].step.moves);
        match self.violating.iter().any(violates) {
            true => ControlFlow::Continue(()),
            false => self.add(path, Ok(next.to_vec())),
        }
    }

    fn violation(&mut self, violation: Violation, path: Path) -> ControlFlow<()> {
        self.add(path, Err(violation))
    }

    fn working(&mut self, bytes: usize) -> ControlFlow<()> {
        if self.bytes + bytes > self.most_bytes { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Asks for a number; `None`: quit.
fn choose(out: &mut impl Write, loaded: &Loaded, choices: &[Choice]) -> anyhow::Result<Option<usize>> {
    for (number, choice) in choices.iter().enumerate() {
        let what: Vec<String> = choice.step.moves.iter().take(3).map(|a_move| describe(loaded, a_move)).collect();
        let more = if choice.step.moves.len() > 3 { "; …" } else { "" };
        let wrong = choice.end.as_ref().err().map(|violation| format!("  ({})", violation.kind.message()));
        writeln!(out, "{:>4}: {}{more}{}", number + 1, what.join("; "), wrong.unwrap_or_default())?;
    }
    loop {
        write!(out, "step (1-{}, q to quit)? ", choices.len())?;
        out.flush()?;
        let mut line = String::new();
        if std::io::stdin().lock().read_line(&mut line)? == 0 {
            writeln!(out)?;
            return Ok(None);
        }
        match line.trim() {
            "q" | "quit" => return Ok(None),
            text => match text.parse::<usize>() {
                Ok(number) if (1..=choices.len()).contains(&number) => return Ok(Some(number - 1)),
                _ if choices.len() == 1 => writeln!(out, "enter 1, or q")?,
                _ => writeln!(out, "enter a number from 1 to {}, or q", choices.len())?,
            },
        }
    }
}

fn describe(loaded: &Loaded, a_move: &Move) -> String {
    let template = &loaded.model.program.templates[a_move.template];
    let edge = &loaded.model.program.edges[a_move.edge];
    let sources = &loaded.sources;
    format!(
        "{}({}) {}:{} {}",
        loaded.model.checked.proctypes[template.proctype].name,
        a_move.pid,
        sources.file_name(edge.span),
        sources.line(edge.span),
        trace::statement(sources, edge.span)
    )
}

/// Prints what the step prints, and as much about it as `-v` says.
fn show(
    out: &mut impl Write,
    loaded: &Loaded,
    before: &[Word],
    choice: &Choice,
    (number, verbose, filter): (u64, u8, &Filter),
) -> anyhow::Result<()> {
    if verbose > 0 {
        let trace =
            Trace { initial: before.to_vec(), steps: vec![choice.step.clone()], violation: None, cycle_start: None };
        let lines = trace::lines(&loaded.model, &loaded.sources, &trace, &[], 0..1);
        for line in lines.into_iter().filter_map(|line| filter.keep(line)) {
            write!(
                out,
                "{number:>5}  {}({})  {}:{}  {}",
                line.process, line.pid, line.file, line.line, line.statement
            )?;
            if verbose > 1 {
                for change in &line.changes {
                    let to = change.to.as_deref().unwrap_or("-");
                    write!(out, "  {} = {to}", change.name)?;
                }
            }
            writeln!(out)?;
        }
    }
    let (mut from, mut earlier) = (before, None);
    for (a_move, after) in choice.step.moves.iter().zip(&choice.step.states) {
        write!(out, "{}", loaded.model.output(from, earlier, a_move).text)?;
        (from, earlier) = (after, Some(a_move));
    }
    Ok(())
}

fn report(out: &mut impl Write, loaded: &Loaded, violation: &Violation, trace: Option<&Trace>) -> anyhow::Result<()> {
    let message = explain(loaded, violation, trace).message;
    let sources = &loaded.sources;
    match violation.span {
        Some(span) => writeln!(out, "-- {}:{}: {message}", sources.file_name(span), sources.line(span))?,
        None => writeln!(out, "-- {message}")?,
    }
    Ok(())
}

/// The locations of the processes.
fn ending(out: &mut impl Write, loaded: &Loaded, state: &[Word], verbose: u8) -> anyhow::Result<()> {
    if state.is_empty() && loaded.model.layout.fixed_words > 0 {
        bail!("the run has no state to show");
    }
    let alive = loaded.model.processes(state).len();
    writeln!(out, "-- {alive} process{} alive", if alive == 1 { "" } else { "es" })?;
    steps::standing(out, loaded, state)?;
    if verbose > 2 {
        steps::variables(out, loaded, state)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_splitmix64() {
        let mut random = Random(1_234_567);
        assert_eq!([random.next(), random.next()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }
}
