//! The search for a violation of one property, and the run that it finds. Invariants need none of their own: see
//! `invariants.rs`.

use std::time::{Duration, Instant};

use anyhow::Context;
use interp::exec::reduction::Savings;
use interp::inspect::trace::Trace;
use interp::{Model, Violation, Word};

use serde::Serialize;
use sweep::measure::{Measure, NoMeasure};
use sweep::space::fairness::FairProduct;
use sweep::space::product::{Paired, Product, follow};
use sweep::{
    Algorithm, CycleSearch, Found, Limits, Meter, Observer, Outcome, SearchOptions, Stats, StopReason, Verdict,
    check_cycles, check_fair_cycles,
};

use super::automaton::PropertyAutomaton;
use super::demands::DemandingModel;
use super::fairness::Fairness;
use super::vacuity::Seen;
use super::valuation::Valuation;
use super::{Property, confirm, has_accept_labels, lasso};
use crate::observers::live::Live;
use crate::report::trace::last_state;
use crate::search::budget;
use crate::search::filtered_model::FilteredModel;
use crate::search::reduction::{Allowed, ReductionReport, SearchReduction};

/// What a search found out about a property.
pub struct Answer<'p> {
    pub property: &'p Property,
    /// What the search says. Its traces are of the product: see `run`.
    pub outcome: Outcome<Violation>,
    /// The run that violates the property, or why it cannot be shown.
    pub run: Option<Result<Run, String>>,
    /// Processes that can always move on the cycle of the run, and never do.
    pub starved: Vec<Starved>,
    /// How the property speaks of nothing, if it does.
    pub vacuous: Vec<String>,
    /// States and edges of the automaton.
    pub automaton: Option<(usize, usize)>,
    /// The look at the beginning was enough.
    pub looked: bool,
    /// It was answered in one search of the model with others: the numbers are of that search.
    pub shared: bool,
    /// What was left out.
    pub reduction: ReductionReport,
}

/// A property and its automaton.
pub struct Prepared<'m, 'p> {
    pub property: &'p Property,
    pub automaton: PropertyAutomaton<'m>,
}

/// Makes the automata of all properties.
pub fn prepare<'m, 'p>(model: &'m Model, properties: &'p [Property]) -> anyhow::Result<Vec<Prepared<'m, 'p>>> {
    let has_labels = has_accept_labels(&model.checked);
    let prepared = |property: &'p Property| {
        let automaton = PropertyAutomaton::new(model, property, has_labels)
            .with_context(|| format!("the automaton of {} is too large", property.name))?;
        Ok(Prepared { property, automaton })
    };
    properties.iter().map(prepared).collect()
}

/// The properties that have no answer yet.
pub fn open<'a, 'm, 'p>(prepared: &'a [Prepared<'m, 'p>], answers: &[Answer]) -> Vec<&'a Prepared<'m, 'p>> {
    let is_open = |prepared: &&Prepared| answers.iter().all(|answer| !std::ptr::eq(answer.property, prepared.property));
    prepared.iter().filter(is_open).collect()
}

/// Puts answers into the order of their properties.
pub fn in_order(answers: &mut [Answer], properties: &[Property]) {
    let place = |answer: &Answer| properties.iter().position(|property| std::ptr::eq(property, answer.property));
    answers.sort_by_key(place);
}

/// A run that violates a property.
pub struct Run {
    /// The events of the model.
    pub events: Vec<u32>,
    /// The run itself.
    pub trace: Trace,
}

/// A process that is ready all the time and never has its turn.
#[derive(Clone, Serialize, PartialEq, Eq, Debug)]
pub struct Starved {
    pub pid: u8,
    /// Its proctype.
    pub process: String,
}

/// How to search.
pub struct PropertySearch<'a> {
    /// The options of the search.
    pub options: SearchOptions,
    /// What may be left out.
    pub allowed: Allowed,
    /// Which runs count.
    pub fairness: &'a Fairness,
    /// Begin with a short nested depth-first search: where runs go wrong soon, that finds one without sweeping up to it.
    pub look: bool,
    /// Set by Ctrl-C.
    pub meter: &'a Meter,
}

impl<'p> Answer<'p> {
    /// There was nothing left to search with.
    fn unchecked(property: &'p Property, reason: StopReason) -> Self {
        let stats = Stats::default();
        let outcome =
            Outcome { violations: Vec::new(), stopped: Some(reason), stats, rejected: None, demoted: Vec::new() };
        let reduction = ReductionReport::unused();
        Answer {
            property,
            outcome,
            run: None,
            starved: Vec::new(),
            vacuous: Vec::new(),
            automaton: None,
            looked: false,
            shared: false,
            reduction,
        }
    }

    /// Whose states were visited.
    pub fn states_of(&self) -> &'static str {
        if self.shared { "model" } else { "product" }
    }

    /// Why it was not even begun to search for a violation, if it was not.
    pub fn never_begun(&self) -> Option<StopReason> {
        self.outcome.stopped.filter(|_| self.outcome.stats.states == 0)
    }
}

/// States of the product that the look at the beginning may store.
pub const LOOK: u64 = 50_000;

/// Searches for a violation of each property, one after the other.
pub fn check_all<'p>(
    prepared: &[&Prepared<'_, 'p>],
    system: &FilteredModel,
    measure: &mut impl Measure,
    search: &PropertySearch,
    live: &mut Live,
) -> Vec<Answer<'p>> {
    let mut answers = Vec::new();
    for prepared in prepared {
        live.begin(&prepared.property.name);
        // What ended one search ends all that follow; but who interrupts one wants the next.
        let answer = match search.meter.check() {
            Err(reason) if !budget::goes_on(reason) => Answer::unchecked(prepared.property, reason),
            _ => check(prepared, system, measure, search, live),
        };
        if let Some(found) = answer.outcome.violations.first() {
            live.news().add(format!("{}: VIOLATED: {}", prepared.property.name, found.violation.kind.message()));
        }
        answers.push(answer);
    }
    answers
}

/// Searches for a violation of one property.
fn check<'p>(
    Prepared { property, automaton }: &Prepared<'_, 'p>,
    system: &FilteredModel,
    measure: &mut impl Measure,
    search: &PropertySearch,
    live: &mut Live,
) -> Answer<'p> {
    let model = system.model;
    let reduction =
        SearchReduction::of_property(model, search.allowed, property, automaton, search.fairness, search.meter);
    let reduced = &system.reduced(reduction.get());
    let spaces = (reduced, &reduction);
    let Searched { outcome, run, looked, reduction } = match search.fairness {
        fairness if fairness.is_empty() => {
            search_product(&Product { system: reduced, automaton }, spaces, measure, search, live)
        }
        fairness if fairness.is_weak() => {
            search_product(&FairProduct { system: reduced, automaton }, spaces, measure, search, live)
        }
        fairness => search_fair(property, fairness, automaton, spaces, search, live),
    };
    let starved = match &run {
        Some(Ok(run)) if search.fairness.is_empty() => starved(model, run, search.meter),
        _ => Vec::new(),
    };
    system.merge(reduced);
    let run = run.map(|run| run.map(|run| lasso::shortened((model, search.meter), property, search.fairness, run)));
    let holds = outcome.verdict() == Verdict::Holds;
    let vacuous = match (property.temporal(), automaton.seen()) {
        (Some(temporal), Some(seen)) if holds && property.stutters && !seen.vacuous(temporal).is_empty() => {
            confirmed(system, temporal, search, &outcome.stats)
        }
        _ => Vec::new(),
    };
    Answer { property, outcome, run, starved, vacuous, automaton: automaton.size(), looked, shared: false, reduction }
}

/// What the search of a product has found.
struct Searched {
    outcome: Outcome<Violation>,
    run: Option<Result<Run, String>>,
    /// The look at the beginning was enough.
    looked: bool,
    reduction: ReductionReport,
}

/// Searches the product of a system, which is what the reduction leaves of the model.
fn search_product<P: Paired<Violation = Violation>>(
    product: &P,
    (system, reduction): (&FilteredModel, &SearchReduction),
    measure: &mut impl Measure,
    search: &PropertySearch,
    live: &mut Live,
) -> Searched {
    let mut sees = OnlyLive(live);
    let mut before = Savings::default();
    let look = search.look.then(|| {
        let most = search.options.limits.max_states.map_or(LOOK, |most| most.min(LOOK));
        let limits = Limits { max_states: Some(most), ..search.options.limits };
        let options = SearchOptions { cycles: CycleSearch::Ndfs, limits, ..search.options };
        check_cycles(product, &mut NoMeasure, &options, &mut sees, search.meter)
    });
    let (outcome, looked) = match look {
        Some(seen) if seen.stopped.is_none() || !seen.violations.is_empty() => (seen, true),
        _ => {
            before = reduction.savings();
            (check_cycles(product, measure, &search.options, &mut sees, search.meter), false)
        }
    };
    let reduction = reduction.report(before);
    let run = outcome.violations.first().map(|found| run(product, system, found, search.meter));
    Searched { outcome, run, looked, reduction }
}

/// Searches among the runs that meet demands. What it finds is confirmed by other means before anybody sees it.
fn search_fair(
    property: &Property,
    fairness: &Fairness,
    automaton: &PropertyAutomaton,
    (system, reduction): (&FilteredModel, &SearchReduction),
    search: &PropertySearch,
    live: &mut Live,
) -> Searched {
    let demanding = DemandingModel::new(system, fairness);
    let product = &Product { system: &demanding, automaton };
    let outcome = check_fair_cycles(product, &search.options, &mut OnlyLive(live), search.meter);
    let run = outcome.violations.first().map(|found| {
        let run = run(product, system, found, search.meter)?;
        if found.cycle_start.is_some() {
            let confirmed = confirm::confirm(system.model, property, fairness, &run.trace, search.meter);
            confirmed.map_err(|why| format!("the run that was found could not be confirmed: {why}"))?;
        }
        Ok(run)
    });
    Searched { outcome, run, looked: false, reduction: reduction.report(Savings::default()) }
}

/// Who could always move on the cycle of a run, and never does.
fn starved(model: &Model, run: &Run, meter: &Meter) -> Vec<Starved> {
    let Some(start) = run.trace.cycle_start else { return Vec::new() };
    let unserved = confirm::unserved(model, &Fairness::weak(), &run.trace, start, meter).unwrap_or_default();
    let processes = model.processes(last_state(&run.trace));
    let name = |pid: u8| processes.get(usize::from(pid)).map(|process| process.name.clone()).unwrap_or_default();
    unserved.iter().map(|subject| Starved { pid: subject.pid(), process: name(subject.pid()) }).collect()
}

/// The run of the model behind one of the product.
fn run<P: Paired<Violation = Violation>>(
    product: &P,
    system: &FilteredModel,
    found: &Found<Violation>,
    meter: &Meter,
) -> Result<Run, String> {
    let events = found.trace.as_ref().map_err(ToString::to_string)?;
    let followed = follow(product, events, meter).map_err(|lost| lost.to_string())?;
    let cycle_start = found.cycle_start.map(|start| followed[..start].iter().flatten().count());
    let events: Vec<u32> = followed.into_iter().flatten().collect();
    let steps = system.unreduced(&events, meter).map_err(|error| error.to_string())?;
    let cycle_start = cycle_start.map(|start| steps[..start].iter().map(Vec::len).sum());
    replayed(system.model, (steps.concat(), cycle_start), found.violation, meter)
}

/// A run of the model by its events.
pub fn replayed(
    model: &Model,
    (events, cycle_start): (Vec<u32>, Option<usize>),
    violation: Violation,
    meter: &Meter,
) -> Result<Run, String> {
    let mut may_go_on = || meter.check().is_ok();
    let mut trace = model.replay_while(&events, &mut may_go_on).map_err(|error| error.to_string())?;
    trace.violation.get_or_insert(violation);
    trace.cycle_start = cycle_start;
    Ok(Run { events, trace })
}

/// A formula can be decided in few states. To find out whether it is vacuous may take at least this many states and this
/// long, even if the answer took less.
const CONFIRM: (u64, Duration) = (200_000, Duration::from_secs(2));

/// What is vacuous about a formula in all reachable states of the system, if that can be told about as easily as the
/// answer, for which these numbers stand.
fn confirmed(
    system: &FilteredModel,
    temporal: &super::formula::Temporal,
    search: &PropertySearch,
    answer: &Stats,
) -> Vec<String> {
    let given = search.options.limits;
    let states = CONFIRM.0.max(2 * answer.expanded);
    let enough = Instant::now() + CONFIRM.1.max(answer.elapsed);
    let limits = Limits { max_states: Some(given.max_states.map_or(states, |most| most.min(states))), ..given };
    let options = SearchOptions {
        algorithm: Algorithm::Bfs,
        all_errors: true,
        max_reported: 1,
        traces: false,
        limits,
        ..search.options
    };
    let mut atoms = Atoms { valuation: Valuation::new(system.model, temporal), seen: Seen::default() };
    let outcome = sweep::check_with(system, &mut NoMeasure, &options, &mut atoms, &search.meter.until(enough));
    match outcome.stopped {
        None => atoms.seen.vacuous(temporal),
        Some(_) => Vec::new(),
    }
}

/// Notes the atoms in every state.
struct Atoms<'m> {
    valuation: Valuation<'m>,
    seen: Seen,
}

impl Observer for Atoms<'_> {
    fn expanding(&mut self, state: &[Word], _: &Stats) {
        if let Ok(truths) = self.valuation.of(state) {
            self.seen.add(truths);
        }
    }
}

/// Shows how the run is doing: states of a product are not states of the model.
pub struct OnlyLive<'a>(pub &'a mut Live);

impl Observer for OnlyLive<'_> {
    fn tick(&mut self, stats: &Stats) {
        self.0.tick(stats);
    }
}
