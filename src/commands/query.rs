//! `psw query`: questions to one search.

mod answers;
mod contents;
mod json;
mod text;
mod variables;

use anyhow::bail;
use interp::model::Tables;
use interp::{Model, Violation};
use promela::model::BasicType;
use sweep::{Algorithm, Meter, Outcome, SearchOptions};

use crate::cli::{Format, QueryArgs, Search};
use crate::commands::check;
use crate::commands::progress;
use crate::commands::progress::Described;
use crate::load::{Loaded, load};
use crate::observers::divergence::Growth;
use crate::observers::live::Live;
use crate::observers::watch::Watch;
use crate::report;
use crate::report::unreached::{Unreached, unreached};
use crate::search::cutoff::{self, Asked, CutOffReport};
use crate::search::expression;
use crate::search::filtered_model::Selected;
use crate::{Status, terminal};

use answers::{Answers, Dead, Extremes, Found, Histogram, Sought};
use contents::Contents;
use expression::Expression;
use variables::Variables;

/// Everything there is to report.
pub struct Report<'a> {
    /// What was asked for.
    pub args: &'a QueryArgs,
    /// The model.
    pub loaded: &'a Loaded,
    /// How the search ended.
    pub outcome: &'a Outcome<Violation>,
    /// The answers.
    pub answers: &'a Answers<'a>,
    /// Which search it was, and why.
    pub search: (Search, &'static str),
    /// By which measure it was swept.
    pub progress: &'a Described,
    /// What there is to say of the equivalence cut-off, if there was one.
    pub cut_off: Option<&'a CutOffReport>,
    /// What was never executed, if the search was complete and that was asked for.
    pub unreached: Option<Unreached>,
}

impl Report<'_> {
    /// Whether every reachable state was asked.
    pub fn is_complete(&self) -> bool {
        self.outcome.stopped.is_none()
    }

    /// Whether an invariant is violated.
    pub fn is_violated(&self) -> bool {
        self.answers.sought.iter().any(|sought| !sought.holding && sought.found.any())
    }
}

/// The expressions that were asked about.
struct Questions {
    reachable: Vec<Expression>,
    invariants: Vec<Expression>,
    bounds: Vec<Expression>,
    histograms: Vec<Expression>,
    channels: Vec<Expression>,
}

/// Runs the command.
pub fn run(args: &QueryArgs) -> anyhow::Result<Status> {
    let meter = check::meter(&args.search.limits);
    let Some(mut loaded) = load(&args.model, !args.quiet)? else { return Ok(Status::BadInput) };
    let Some(wanted) = progress::read(&mut loaded, args.search.progress.as_deref()) else {
        return Ok(Status::BadInput);
    };
    let Some(cut_off) = Asked::read(&mut loaded, &args.cut_off) else { return Ok(Status::BadInput) };
    let Some(questions) = Questions::read(&mut loaded, args) else { return Ok(Status::BadInput) };
    // A search that forgets states cannot count them.
    let search = match args.histogram.is_empty() {
        true => args.search.order(),
        false => args.search.order_or((Search::Bfs, "the default with --histogram")),
    };
    let options = check::options(&args.search, search.0);
    let options = SearchOptions { all_errors: true, max_reported: 1, witnesses: true, ..options };
    let meter = check::beside_the_rest(meter).with_interrupt(check::interrupt());
    let answers = questions.ask(&loaded.model, args, &options, &meter);
    let live = Live::new(!args.quiet && args.format == Format::Text);
    let mut watch = (answers, Watch { live, growth: Growth::default(), distinct: None, log: None });
    let space = Selected::all(&loaded.model);
    let searched = cutoff::search((&loaded, &space), cut_off.as_ref(), &wanted, &options, &mut watch, &meter);
    let (answers, watch) = watch;
    watch.live.clear();
    let Some((outcome, progress, cut_off)) = searched else { return Ok(Status::BadInput) };
    if outcome.stats.states == 0
        && let Some(found) = outcome.violations.first()
    {
        bail!("the model has no initial state: {}", found.violation.kind.message());
    }
    if let Some(failure) = &answers.failure {
        expression::has_no_value(&loaded, &failure.fault, &failure.state, failure.way.as_ref());
        return Ok(Status::BadInput);
    }
    let complete = outcome.stopped.is_none();
    let report = Report {
        args,
        loaded: &loaded,
        outcome: &outcome,
        answers: &answers,
        search,
        progress: &progress,
        cut_off: cut_off.as_ref(),
        unreached: (complete && args.dead_code).then(|| unreached(&loaded)),
    };
    let status = match complete {
        _ if report.is_violated() => Status::Violated,
        true => Status::Good,
        false => Status::Stopped,
    };
    let text = |out: &mut _, report: &_| text::write(out, report, terminal::has_colours());
    report::deliver(args.format, &[], &report, text, json::write);
    Ok(status)
}

impl Questions {
    /// Reads all expressions; `None` if one is wrong, which has then been said.
    fn read(loaded: &mut Loaded, args: &QueryArgs) -> Option<Questions> {
        let mut read = |option: &str, texts: &[String]| {
            let lists: Vec<_> = texts.iter().map(|text| expression::read(loaded, option, text)).collect();
            lists.into_iter().collect::<Option<Vec<_>>>().map(|lists| lists.concat())
        };
        // Every option is read, so that every mistake is shown.
        let reachable = read("--reachable", &args.reachable);
        let invariants = read("--invariant", &args.invariant);
        let bounds = read("--bounds", &args.bounds);
        let histograms = read("--histogram", &args.histogram);
        let channels = read("--channel", &args.channel);
        for given in channels.iter().flatten().filter(|given| given.ty != Some(BasicType::Chan)) {
            expression::refuse(loaded, given.span, "this is not a channel");
        }
        let channels = channels.filter(|given| given.iter().all(|given| given.ty == Some(BasicType::Chan)));
        Some(Questions {
            reachable: reachable?,
            invariants: invariants?,
            bounds: bounds?,
            histograms: histograms?,
            channels: channels?,
        })
    }

    /// Puts them to a search.
    fn ask<'m>(self, model: &'m Model, args: &QueryArgs, options: &SearchOptions, meter: &'m Meter) -> Answers<'m> {
        let again = !matches!(options.algorithm, Algorithm::Bfs | Algorithm::Dfs);
        let sought =
            |holding| move |expression| Sought { expression, holding, found: Found::new(args.all_witnesses, again) };
        let reachable = self.reachable.into_iter().map(sought(true));
        let extremes = |expression| Extremes { expression, least: None, greatest: None };
        let histogram = |expression| Histogram { expression, states: Default::default(), others: 0 };
        Answers {
            model,
            sought: reachable.chain(self.invariants.into_iter().map(sought(false))).collect(),
            bounds: self.bounds.into_iter().map(extremes).collect(),
            histograms: self.histograms.into_iter().map(histogram).collect(),
            channels: self.channels.into_iter().map(|given| Contents::new(given.text, given.node)).collect(),
            variables: args.bounds_all.then(|| Variables::new(model)),
            dead: args.dead_states.then(|| Dead::new(args.limit, again)),
            failure: None,
            meter,
            tables: Tables::default(),
        }
    }
}
