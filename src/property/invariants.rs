//! All invariants of a model in one search of its states, together with whatever else that search looks for.
//!
//! A formula is an invariant if the automaton of its negation waits for one letter ([`ltl2ba::Buchi::awaits_a_letter`]): then
//! its product with the model has the states of the model, and a state violates it where the automaton would leave the
//! state in which it waits. It is that automaton which is asked here, in every state that is expanded, so an atom without
//! a value, short circuits and the combinations of atoms that vacuity is about are those of the product.
//! What the automaton never does is cut a run short: no state that a product visits is missing here.
//!
//! A reduced search keeps each answer: steps that may change an atom are visible, so they stand for no others, and a state
//! that is passed through has the atoms of the one behind it. For every run of the model there is one of the reduced
//! search with the same atoms, as for questions to states ([`sweep::hooks`]). The last state of a run that ends is asked
//! like any other; repeating it adds nothing.

use std::sync::atomic::{AtomicBool, Ordering};

use interp::analysis::dependence::Observed;
use interp::ids::ExpressionId;
use interp::{Model, Violation, ViolationKind, Word};
use sweep::space::judged::{Answers, Invariants, OfSystem};
use sweep::space::product::{Automaton, Moves};
use sweep::{Algorithm, Found, Limits, Meter, Observer, Outcome, SearchOptions};

use super::automaton::Scratch as AutomatonScratch;
use super::search::{Answer, LOOK, OnlyLive, Prepared, replayed};
use crate::observers::live::{Live, News};
use crate::search::filtered_model::FilteredModel;
use crate::search::measure::{MeasureReport, SearchMeasure};
use crate::search::reduction::{ReductionReport, SearchReduction};
use crate::search::{Search, budget};

/// The invariants of one search.
pub struct InvariantSet<'a, 'm, 'p> {
    members: Vec<&'a Prepared<'m, 'p>>,
    /// A violated assertion ends a run, as a run-time error does.
    assertions: bool,
    /// Which of them, and of what else is searched for, are known to be violated.
    violated: Vec<AtomicBool>,
    /// Where that is told at once.
    news: News,
}

impl<'a, 'm, 'p> InvariantSet<'a, 'm, 'p> {
    /// Of these properties, which are invariants.
    pub fn new(members: Vec<&'a Prepared<'m, 'p>>, news: News) -> Self {
        let violated = (0..=members.len()).map(|_| AtomicBool::new(false)).collect();
        InvariantSet { members, assertions: false, violated, news }
    }

    /// The same, violated by assertions that are.
    pub fn with_assertions(self) -> Self {
        InvariantSet { assertions: true, ..self }
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Takes out what has an answer.
    pub fn remove(&mut self, answered: &[Answer]) {
        let is_open =
            |member: &&Prepared| answered.iter().all(|answer| !std::ptr::eq(answer.property, member.property));
        self.members.retain(is_open);
        self.violated = (0..=self.members.len()).map(|_| AtomicBool::new(false)).collect();
    }

    /// What they read.
    fn expressions(&self) -> Vec<ExpressionId> {
        let atoms = self.members.iter().flat_map(|member| member.property.atoms());
        atoms.map(|atom| atom.id).collect()
    }

    /// All that a reduction must not touch, if these expressions guide the search.
    pub fn observed(&self, guides: &[ExpressionId]) -> Observed {
        Observed { expressions: self.expressions(), guides: guides.to_vec(), ..Observed::default() }
    }

    /// Tells that something is violated, once: the invariant with this number, or what else is searched for.
    #[cold]
    fn tell(&self, number: usize, violation: &Violation) {
        if !self.violated[number].swap(true, Ordering::Relaxed) {
            let name = self.members.get(number).map(|member| format!("{}: ", member.property.name));
            self.news.add(format!("{}VIOLATED: {}", name.unwrap_or_default(), violation.kind.message()));
        }
    }
}

/// Buffers: of each automaton, and its moves.
#[derive(Default)]
pub struct Scratch {
    automata: Vec<AutomatonScratch>,
    moves: Moves<Violation>,
}

impl Invariants<Violation> for InvariantSet<'_, '_, '_> {
    type Scratch = Scratch;

    fn count(&self) -> usize {
        self.members.len()
    }

    #[inline]
    fn violated(&self, system: &[Word], scratch: &mut Scratch, found: &mut Vec<(usize, Violation)>) {
        let Scratch { automata, moves } = scratch;
        automata.resize_with(self.members.len(), AutomatonScratch::default);
        for (number, (member, scratch)) in self.members.iter().zip(automata).enumerate() {
            moves.targets.clear();
            member.automaton.moves(member.automaton.initial(), system, scratch, moves);
            if let Some(violation) = moves.violations.pop() {
                self.tell(number, &violation);
                found.push((number, violation));
            }
        }
    }

    fn is_violated_by(&self, violation: &Violation) -> bool {
        self.tell(self.members.len(), violation);
        match violation.kind {
            ViolationKind::InvalidEndState => false,
            ViolationKind::Assertion => self.assertions,
            _ => true,
        }
    }
}

/// What a search of all states has to say, and the invariants that it has an answer to.
pub type Checked<'p> = (Outcome<Violation>, MeasureReport, Vec<Answer<'p>>);

/// Searches all states for what the model itself does wrong and for violations of invariants.
pub fn check<'p, O: Observer>(
    set: &InvariantSet<'_, '_, 'p>,
    search: Search,
    reduction: &SearchReduction,
    of_system: OfSystem,
    observer: &mut O,
) -> Checked<'p> {
    let (system, meter, before) = (search.space, search.meter, reduction.savings());
    let (searched, measured) = search.run_with(set, of_system, observer);
    let reduced = reduction.report(before);
    let Answers { outcome, invariants, is_full } = searched;
    let meter = &budget::of_traces(meter);
    // Without an initial state nothing was asked.
    let is_known = |found: &Option<Found<Violation>>| found.is_some() || !is_full && outcome.stats.states > 0;
    let known = set.members.iter().zip(invariants).filter(|(_, found)| is_known(found));
    let answers = known.map(|(prepared, found)| answer(prepared, found, &outcome, (system.model, reduced, meter)));
    let answers = answers.collect();
    (outcome, measured, answers)
}

/// A short depth-first search before that one: many violations are near, wherever a measure has its states in the end.
/// The answers about those invariants that it finds violated.
pub fn look<'p>(
    set: &InvariantSet<'_, '_, 'p>,
    search: Search,
    reduction: &SearchReduction,
    live: &mut Live,
) -> Vec<Answer<'p>> {
    let Search { loaded, space, meter, options, .. } = search;
    let most = options.limits.max_states.map_or(LOOK, |most| most.min(LOOK));
    let limits = Limits { max_states: Some(most), ..options.limits };
    let options = SearchOptions { algorithm: Algorithm::Dfs, all_errors: false, limits, ..options };
    let system = space.reduced(space.reduction);
    let system = FilteredModel { end_states: false, assertions: set.assertions, ..system };
    let search =
        Search { loaded, space: &system, measure: &mut SearchMeasure::None, options, meter, checkpoints: None };
    let (_, _, mut answers) = check(set, search, reduction, OfSystem::None, &mut OnlyLive(live));
    answers.retain(|answer| !answer.outcome.violations.is_empty());
    answers.iter_mut().for_each(|answer| answer.looked = true);
    answers
}

/// The answer about one invariant of a search that has found this about it, and ended like this.
fn answer<'p>(
    prepared: &Prepared<'_, 'p>,
    found: Option<Found<Violation>>,
    outcome: &Outcome<Violation>,
    (model, reduction, meter): (&Model, ReductionReport, &Meter),
) -> Answer<'p> {
    let Prepared { property, automaton } = prepared;
    let run = found.as_ref().map(|found| {
        let events = found.trace.clone().map_err(|lost| lost.to_string())?;
        replayed(model, (events, None), found.violation, meter)
    });
    let holds = found.is_none() && outcome.stopped.is_none();
    let vacuous = match (property.temporal(), automaton.seen()) {
        // Every reachable state was asked.
        (Some(temporal), Some(seen)) if holds => seen.vacuous(temporal),
        _ => Vec::new(),
    };
    let outcome = Outcome {
        stopped: outcome.stopped.filter(|_| found.is_none()),
        violations: found.into_iter().collect(),
        stats: outcome.stats,
        rejected: None,
        demoted: Vec::new(),
    };
    let (starved, automaton) = (Vec::new(), automaton.size());
    Answer { property, outcome, run, starved, vacuous, automaton, looked: false, shared: true, reduction }
}
