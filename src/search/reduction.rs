//! What a search leaves out because it changes no answer: as much as the command line allows and the question admits.

use interp::analysis::dependence::Observed;
use interp::code::flow::LocationFlags;
use interp::exec::reduction::{Proviso, Reduction, Reductions, Savings};
use interp::{Model, ViolationKind};
use progress::sample::{Sample, Size};
use serde::Serialize;
use sweep::Meter;

use crate::cli::{LimitArgs, ModelArgs, Reduce, ReduceArgs};
use crate::property::automaton::PropertyAutomaton;
use crate::property::fairness::Fairness;
use crate::property::{Property, PropertyKind};

/// What leaves out steps and states, and no values.
const STEPS: Reductions = Reductions::CLUSTERS.union(Reductions::CHAINS).union(Reductions::MOVERS);
/// One in so many expansions must leave something out.
const WORTH_IT: u64 = 200;

/// What the command line allows to leave out.
#[derive(Clone, Copy, Debug)]
pub struct Allowed {
    level: Reduce,
    /// What it asks for that no reduction can give.
    obstacle: Option<&'static str>,
}

/// A reduction of one search, or why there is none.
pub struct SearchReduction {
    reduction: Option<Reduction>,
    level: Reduce,
    /// Why not, if it was wanted.
    obstacle: Option<&'static str>,
    /// What does too little in this model to be worth its time.
    useless: Reductions,
    /// A small sample had all states.
    pub is_small: bool,
}

/// What a reduction has done in one search, or why there was none.
#[derive(Clone, Copy, Debug)]
pub struct ReductionReport {
    level: Reduce,
    obstacle: Option<&'static str>,
    useless: Reductions,
    savings: Savings,
}

impl Allowed {
    /// By the options that every search has.
    pub fn new(args: &ReduceArgs, model: &ModelArgs, limits: &LimitArgs) -> Self {
        let obstacle = match () {
            () if model.plain => Some("--plain does without any analysis"),
            () if limits.max_depth.is_some() => Some("--max-depth counts every step"),
            () => None,
        };
        Allowed { level: args.level(), obstacle }
    }

    /// The same, unless there is something else in the way.
    pub fn unless(self, obstacle: Option<&'static str>) -> Self {
        Allowed { obstacle: self.obstacle.or(obstacle), ..self }
    }
}

impl SearchReduction {
    /// For a search for violations, each of which is a single step or a state.
    pub fn of_states(model: &Model, allowed: Allowed, observed: &Observed, meter: &Meter) -> Self {
        Self::new(model, allowed, (Reductions::all(), None), Proviso::Search, observed, meter)
    }

    /// The same for a search that goes on: it is known what does too little.
    pub fn of_states_again(
        model: &Model,
        allowed: Allowed,
        observed: &Observed,
        useless: Reductions,
        meter: &Meter,
    ) -> Self {
        Self::new(model, allowed, (Reductions::all(), Some(useless)), Proviso::Search, observed, meter)
    }

    /// What does too little in this model to be worth its time.
    pub fn useless(&self) -> Reductions {
        self.useless
    }

    /// For questions about states: those that are shown must be states of the model, with all of their values.
    pub fn of_questions(model: &Model, allowed: Allowed, observed: &Observed, meter: &Meter) -> Self {
        Self::new(model, allowed, (STEPS, None), Proviso::Search, observed, meter)
    }

    /// For a search of the infinite runs that violate a property, which is known by its automaton.
    pub fn of_property(
        model: &Model,
        allowed: Allowed,
        property: &Property,
        automaton: &PropertyAutomaton,
        fairness: &Fairness,
        meter: &Meter,
    ) -> Self {
        let obstacle = match &property.kind {
            _ if fairness.is_weak() => Some("weak fairness looks at every process in every state"),
            _ if !fairness.is_empty() => Some("fairness looks at every step that can be taken in every state"),
            PropertyKind::Claim(_) => Some("a never claim may count steps"),
            PropertyKind::Formula(_) if !automaton.is_stutter_invariant() => Some("the formula counts steps"),
            PropertyKind::Formula(_) | PropertyKind::Labels => None,
        };
        let labels = match (&property.kind, property.cycle) {
            (PropertyKind::Labels, _) => LocationFlags::ACCEPT,
            (_, ViolationKind::NonProgressCycle) => LocationFlags::PROGRESS,
            _ => LocationFlags::empty(),
        };
        let expressions = property.atoms().iter().map(|atom| atom.id).collect();
        let observed = Observed { expressions, labels, ..Observed::default() };
        // A cycle of a reduced search should be one of the model, so its states are compared as they are.
        Self::new(model, allowed.unless(obstacle), (STEPS, None), Proviso::Cycles, &observed, meter)
    }

    fn new(
        model: &Model,
        allowed: Allowed,
        (kinds, known_useless): (Reductions, Option<Reductions>),
        proviso: Proviso,
        observed: &Observed,
        meter: &Meter,
    ) -> Self {
        let Allowed { level, obstacle } = allowed;
        let useless = Reductions::empty();
        let kinds = match level {
            Reduce::None => {
                return SearchReduction { reduction: None, level, obstacle: None, useless, is_small: false };
            }
            Reduce::Static => kinds.difference(Reductions::CLUSTERS | Reductions::MOVERS),
            Reduce::Full => kinds,
        };
        let reduction = match obstacle {
            Some(_) => None,
            None => Reduction::new(model, kinds, proviso, observed),
        };
        let too_large = reduction.is_none().then_some("the model has too many locations");
        let sampled = reduction.as_ref().map(|reduction| match known_useless {
            Some(useless) => (useless, false),
            None => useless_kinds(model, reduction, meter),
        });
        let (useless, is_small) = sampled.unwrap_or((useless, false));
        let reduction = reduction.map(|reduction| reduction.without(useless));
        SearchReduction { reduction, level, obstacle: obstacle.or(too_large), useless, is_small }
    }

    /// The reduction.
    pub fn get(&self) -> Option<&Reduction> {
        self.reduction.as_ref()
    }

    /// What it has saved so far, in all searches that have ended.
    pub fn savings(&self) -> Savings {
        self.reduction.as_ref().map(Reduction::savings).unwrap_or_default()
    }

    /// What it has done since it had saved so much.
    pub fn report(&self, before: Savings) -> ReductionReport {
        let Savings { reduced, expanded, passed } = self.savings();
        let savings = Savings {
            reduced: reduced - before.reduced,
            expanded: expanded - before.expanded,
            passed: passed - before.passed,
        };
        let level = if self.reduction.is_some() { self.level } else { Reduce::None };
        ReductionReport { level, obstacle: self.obstacle, useless: self.useless, savings }
    }
}

impl ReductionReport {
    /// No search was begun.
    pub fn unused() -> Self {
        let useless = Reductions::empty();
        ReductionReport { level: Reduce::None, obstacle: None, useless, savings: Savings::default() }
    }

    /// Whether something could be left out.
    pub fn is_used(&self) -> bool {
        self.level != Reduce::None
    }

    /// For people, in a line.
    pub fn sentence(&self) -> String {
        let Savings { reduced, expanded, passed } = self.savings;
        let passed = match passed {
            0 => None,
            1 => Some("1 state passed through".to_owned()),
            _ => Some(format!("{passed} states passed through")),
        };
        let reduced = (reduced > 0).then(|| format!("part of the steps in {reduced} of {expanded} expansions"));
        let saved: Vec<String> = passed.into_iter().chain(reduced).collect();
        let level = level_name(self.level);
        match (self.is_used(), self.obstacle) {
            (true, _) if self.useless.contains(Reductions::CHAINS | Reductions::CLUSTERS) => {
                format!("{level}: values alone, since a sample has hardly a step or state that could be left out")
            }
            (true, _) if saved.is_empty() => format!("{level}: no step or state could be left out"),
            (true, _) => format!("{level}: {}", saved.join(", ")),
            (false, Some(obstacle)) => format!("{level}: {obstacle}"),
            (false, None) => level.to_owned(),
        }
    }

    /// For machines.
    pub fn json(&self) -> JsonReduction {
        let Savings { reduced, expanded, passed } = self.savings;
        JsonReduction { used: level_name(self.level), obstacle: self.obstacle, passed, reduced, expanded }
    }
}

/// What leaves out so little in a sample that looking for it costs more, and whether the sample had all states: then nothing
/// does.
fn useless_kinds(model: &Model, reduction: &Reduction, meter: &Meter) -> (Reductions, bool) {
    let size = Size { states: 2_000, ..Size::default() };
    let is_small = Sample::take(model, Some(reduction), &[], size, meter).complete;
    let Savings { reduced, expanded, passed } = reduction.savings();
    let is_rare = |saved: u64| !is_small && saved * WORTH_IT < expanded;
    let useless = match (is_rare(passed), is_rare(reduced)) {
        (true, true) => Reductions::CHAINS | Reductions::CLUSTERS,
        (true, false) => Reductions::CHAINS,
        // Chains need clusters.
        (false, _) => Reductions::empty(),
    };
    (useless, is_small)
}

fn level_name(level: Reduce) -> &'static str {
    match level {
        Reduce::None => "none",
        Reduce::Static => "static",
        Reduce::Full => "full",
    }
}

/// The same for machines.
#[derive(Serialize)]
pub struct JsonReduction {
    used: &'static str,
    obstacle: Option<&'static str>,
    passed: u64,
    reduced: u64,
    expanded: u64,
}
