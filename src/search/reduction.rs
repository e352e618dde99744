//! What a search leaves out because it changes no answer: as much as the command line allows and the question admits.

use interp::analysis::dependence::Observed;
use interp::code::flow::LocationFlags;
use interp::exec::reduction::{Proviso, Reduction, Reductions, Savings};
use interp::{Model, ViolationKind};
use serde::Serialize;

use crate::cli::Reduce;
use crate::property::automaton::PropertyAutomaton;
use crate::property::{Property, PropertyKind};

/// A reduction of one search, or why there is none.
pub struct SearchReduction {
    reduction: Option<Reduction>,
    /// Why not, if it was wanted.
    obstacle: Option<String>,
}

impl SearchReduction {
    /// No reduction, although one was wanted.
    pub fn prevented(obstacle: impl Into<String>) -> Self {
        SearchReduction { reduction: None, obstacle: Some(obstacle.into()) }
    }

    /// No reduction is wanted.
    pub fn unwanted() -> Self {
        SearchReduction { reduction: None, obstacle: None }
    }

    /// For a search of states and single steps. `obstacle` is what stands against any reduction.
    pub fn of_states(model: &Model, level: Reduce, observed: &Observed, obstacle: Option<&str>) -> Self {
        Self::new(model, level, Proviso::Search, observed, obstacle)
    }

    /// For a search of the infinite runs that violate a property, which is known by its automaton.
    pub fn of_property(
        model: &Model,
        level: Reduce,
        property: &Property,
        automaton: &PropertyAutomaton,
        fair: bool,
    ) -> Self {
        let obstacle = match &property.kind {
            _ if fair => Some("weak fairness looks at every process in every state"),
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
        let observed = Observed { expressions, labels, by_claims: false };
        Self::new(model, level, Proviso::Cycles, &observed, obstacle)
    }

    fn new(model: &Model, level: Reduce, proviso: Proviso, observed: &Observed, obstacle: Option<&str>) -> Self {
        let kinds = match level {
            Reduce::None => return Self::unwanted(),
            Reduce::Static => Reductions::all().difference(Reductions::CLUSTERS),
            Reduce::Full => Reductions::all(),
        };
        // A cycle of a reduced search should be one of the model, so its states are compared as they are.
        let kinds = match proviso {
            Proviso::Search => kinds,
            Proviso::Cycles => kinds.difference(Reductions::IRRELEVANT | Reductions::DEAD),
        };
        if let Some(obstacle) = obstacle {
            return Self::prevented(obstacle);
        }
        match Reduction::new(model, kinds, proviso, observed) {
            Some(reduction) => SearchReduction { reduction: Some(reduction), obstacle: None },
            None => Self::prevented("the model has too many locations"),
        }
    }

    /// The reduction.
    pub fn get(&self) -> Option<&Reduction> {
        self.reduction.as_ref()
    }

    /// For people, in a line.
    pub fn sentence(&self) -> String {
        match (&self.reduction, &self.obstacle) {
            (Some(reduction), _) => {
                let Savings { reduced, expanded, passed } = reduction.savings();
                format!("{passed} states passed through; part of the steps in {reduced} of {expanded} expansions")
            }
            (None, Some(obstacle)) => format!("none: {obstacle}"),
            (None, None) => "none".to_owned(),
        }
    }

    /// For machines.
    pub fn json(&self) -> JsonReduction {
        let savings = self.reduction.as_ref().map(Reduction::savings).unwrap_or_default();
        JsonReduction {
            used: self.reduction.is_some(),
            obstacle: self.obstacle.clone(),
            passed: savings.passed,
            reduced: savings.reduced,
            expanded: savings.expanded,
        }
    }
}

/// The same for machines.
#[derive(Serialize)]
pub struct JsonReduction {
    used: bool,
    obstacle: Option<String>,
    passed: u64,
    reduced: u64,
    expanded: u64,
}
