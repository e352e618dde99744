//! `psw query`: questions about all reachable states, answered in one search.

mod answers;
mod contents;
mod json;
mod text;
mod variables;

use anyhow::bail;
use interp::analysis::dependence::Observed;
use interp::ids::ExpressionId;
use interp::inspect::expression::Expressions;
use interp::model::Tables;
use interp::{Model, Violation};
use promela::model::BasicType;
use sweep::{Algorithm, Meter, Outcome, SearchOptions};

use crate::cli::{ChosenOrder, Format, QueryArgs, SearchOrder};
use crate::load::{self, CheckedInput, Loaded};
use crate::observers::Observers;
use crate::observers::live::Live;
use crate::observers::variety::Variety;
use crate::report;
use crate::report::summary::bytes;
use crate::report::unreached::{Unreached, unreached};
use crate::search::cutoff::{self, CutoffReport, CutoffSpec};
use crate::search::expression;
use crate::search::filtered_model::FilteredModel;
use crate::search::measure::{MeasureReport, MeasureSpec, SearchMeasure};
use crate::search::reduction::{Allowed, ReductionReport, SearchReduction};
use crate::search::{self, Search, Searched, budget};
use crate::{Status, terminal};

use answers::{Answers, Dead, Extremes, Found, Histogram, Sought};
use contents::Contents;
use expression::Expression;
use variables::Variables;

/// The content of the report.
pub struct Report<'a> {
    pub args: &'a QueryArgs,
    pub loaded: &'a Loaded,
    /// How the search ended.
    pub outcome: &'a Outcome<Violation>,
    /// The answers.
    pub answers: &'a Answers<'a>,
    /// Which search it was, and why.
    pub search: ChosenOrder,
    pub measure: &'a MeasureReport,
    /// The equivalence cut-off, if there was one.
    pub cutoff: Option<&'a CutoffReport>,
    /// What the search has left out.
    pub reduction: ReductionReport,
    /// What was never executed, if the search was complete (`--dead-code`).
    pub unreached: Option<Unreached>,
}

impl Report<'_> {
    /// Whether every reachable state was visited.
    pub fn is_complete(&self) -> bool {
        self.outcome.stopped.is_none()
    }

    /// How many states there are of a kind, if that is known. A reduced search finds one if there is one, and leaves others
    /// out.
    pub fn count(&self, found: &Found) -> Option<u64> {
        found.count(self.outcome).filter(|_| !self.reduction.is_used())
    }

    /// Whether an invariant is violated.
    pub fn is_violated(&self) -> bool {
        self.answers.sought.iter().any(|sought| !sought.holding && sought.found.any())
    }
}

/// The expressions of the options.
struct Questions {
    reachable: Vec<Expression>,
    invariants: Vec<Expression>,
    bounds: Vec<Expression>,
    histograms: Vec<Expression>,
    channels: Vec<Expression>,
}

/// Runs the command.
pub fn run(args: &QueryArgs) -> anyhow::Result<Status> {
    let meter = budget::meter_with_disk(&args.search.limits, &args.search.external.disk);

    let Some(mut input) = load::check(&args.model, !args.quiet)? else { return Ok(Status::BadInput) };
    let spec = MeasureSpec::read(&mut input, args.search.progress.as_deref());
    let Some(spec) = spec else { return Ok(Status::BadInput) };
    let Some(cutoff) = CutoffSpec::read(&mut input, &args.cut_off) else { return Ok(Status::BadInput) };
    let Some(questions) = Questions::read(&mut input, args) else { return Ok(Status::BadInput) };
    let Some(mut loaded) = input.compile() else { return Ok(Status::BadInput) };
    loaded.meter = budget::beside_the_rest(meter);
    let (loaded, meter) = (&loaded, &loaded.meter);
    let Some(classes) = cutoff::resolve(cutoff, loaded) else { return Ok(Status::BadInput) };

    // A search that forgets states cannot count them.
    let order = match args.histogram.is_empty() {
        true => args.search.order(),
        false => args.search.order_or(ChosenOrder { order: SearchOrder::Bfs, reason: "the default with --histogram" }),
    };
    let bounds_bytes = if args.bounds_all { Variables::bytes(&loaded.model) } else { 0 };
    if meter.allow(bounds_bytes).is_err() {
        let (count, needed) = (loaded.model.scalar_count(), bytes(bounds_bytes));
        crate::say(format_args!("psw: --bounds-all of {count} values needs {needed}, more than the memory limit\n"));
        return Ok(Status::Stopped);
    }
    let mut bounds_account = meter.account();
    bounds_account.set(bounds_bytes);
    let options = search::options(&args.search, order.order);
    let options = SearchOptions { all_errors: true, max_reported: 1, witnesses: true, ..options };
    let observed =
        Observed { expressions: questions.expressions(), guides: spec.expressions().to_vec(), ..Observed::default() };
    let obstacle = classes.as_ref().map(|_| cutoff::NO_REDUCTION).or(obstacle(args));
    let allowed = Allowed::new(&args.search.reduce, &args.model, &args.search.limits).unless(obstacle);
    let reduction = SearchReduction::of_questions(&loaded.model, allowed, &observed, meter);
    let mut measure = match search::is_sweep(&options) {
        true => spec.choose(&loaded.model, reduction.get(), meter),
        false => SearchMeasure::None,
    };
    let sampled = reduction.savings();
    let answers = questions.ask(&loaded.model, args, &options, meter);
    let live = Live::new(!args.quiet && args.format == Format::Text);
    let observers = Observers { live, variety: Variety::default(), distinct: None, log: None };
    let mut observers = (answers, observers);
    let space = FilteredModel { reduction: reduction.get(), ..FilteredModel::all(&loaded.model) };
    let search = Search { loaded, space: &space, measure: &mut measure, options, meter, checkpoints: None };
    let searched = search.run(classes.as_ref(), &mut observers);
    let (mut answers, observers) = observers;
    observers.live.clear();
    let reduced = reduction.report(sampled);
    answers.map_ways(|way| space.unreduced_trace(way, meter));
    let Some(Searched { outcome, measure, cutoff }) = searched else { return Ok(Status::BadInput) };
    if outcome.stats.states == 0
        && let Some(found) = outcome.violations.first()
    {
        bail!("the model has no initial state: {}", found.violation.kind.message());
    }
    if let Some(failure) = &answers.failure {
        expression::has_no_value(loaded, &failure.fault, &failure.state, failure.way.as_ref());
        return Ok(Status::BadInput);
    }
    let complete = outcome.stopped.is_none();
    let report = Report {
        args,
        loaded,
        outcome: &outcome,
        answers: &answers,
        search: order,
        measure: &measure,
        cutoff: cutoff.as_ref(),
        reduction: reduced,
        unreached: (complete && args.dead_code).then(|| unreached(loaded)),
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

/// What stands in the way of a reduction: questions that are about every state, or about what no expression reads.
fn obstacle(args: &QueryArgs) -> Option<&'static str> {
    match () {
        () if args.search.shortest => Some("a shortest trace has every step"),
        () if !args.histogram.is_empty() => Some("a histogram counts every state"),
        () if args.bounds_all => Some("--bounds-all looks at every variable"),
        () if !args.channel.is_empty() => Some("--channel looks at every message"),
        () if args.all_witnesses > 1 => Some("--all-witnesses lists states"),
        () => None,
    }
}

impl Questions {
    /// All that a search must not miss.
    fn expressions(&self) -> Vec<ExpressionId> {
        let Questions { reachable, invariants, bounds, histograms, channels } = self;
        let all = [reachable, invariants, bounds, histograms, channels];
        all.into_iter().flatten().map(|expression| expression.id).collect()
    }

    /// Reads all expressions; `None` if one has errors, which have been shown.
    fn read(input: &mut CheckedInput, args: &QueryArgs) -> Option<Questions> {
        let mut read = |option: &str, texts: &[String]| {
            let lists: Vec<_> =
                texts.iter().map(|text| expression::read(input, option, text, Expressions::observe)).collect();
            lists.into_iter().collect::<Option<Vec<_>>>().map(|lists| lists.concat())
        };
        // Every option is read, so that every mistake is shown.
        let reachable = read("--reachable", &args.reachable);
        let invariants = read("--invariant", &args.invariant);
        let bounds = read("--bounds", &args.bounds);
        let histograms = read("--histogram", &args.histogram);
        let channels = read("--channel", &args.channel);
        for given in channels.iter().flatten().filter(|given| given.ty != Some(BasicType::Chan)) {
            expression::refuse(&input.sources, given.span, "this is not a channel");
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

    /// The observer of a search that answers them.
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
            channels: self.channels.into_iter().map(|given| Contents::new(given.text, given.id)).collect(),
            variables: args.bounds_all.then(|| Variables::new(model)),
            dead: args.dead_states.then(|| Dead::new(args.limit, again)),
            failure: None,
            meter,
            tables: Tables::default(),
        }
    }
}
