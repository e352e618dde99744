//! What a search leaves out because it changes no answer: as much as the command line allows and the question admits.

use interp::analysis::dependence::Observed;
use interp::exec::reduction::{Proviso, Reduction, Reductions, Savings};
use interp::{Model, ViolationKind};
use interp::code::flow::LocationFlags;
use serde::Serialize;

use crate::cli::{Reduce, ReduceArgs};
use crate::property::{Property, PropertyKind, has_accept_labels};

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
    pub fn of_states(model: &Model, args: &ReduceArgs, observed: &Observed, obstacle: Option<&str>) -> Self {
        Self::new(model, args, Proviso::Search, observed, obstacle)
    }

    /// For a search of the infinite runs that violate a property.
    pub fn of_property(model: &Model, args: &ReduceArgs, property: &Property, fair: bool) -> Self {
        let mut labels = LocationFlags::empty();
        let obstacle = match &property.kind {
            _ if fair => Some("fairness"),
            PropertyKind::Claim(_) => Some("a never claim may count steps"),
            PropertyKind::Formula(temporal) if !temporal.is_stutter_invariant() => Some("the formula counts steps"),
            PropertyKind::Formula(_) => None,
            PropertyKind::Labels => None,
        };
        if property.cycle == ViolationKind::NonProgressCycle {
            labels |= LocationFlags::PROGRESS;
        }
        if matches!(property.kind, PropertyKind::Labels) && has_accept_labels(&model.checked) {
            labels |= LocationFlags::ACCEPT;
        }
        let expressions = property.atoms().iter().map(|atom| atom.id).collect();
        Self::new(model, args, Proviso::Cycles, &Observed { expressions, labels }, obstacle)
    }

    fn new(
        model: &Model,
        args: &ReduceArgs,
        proviso: Proviso,
        observed: &Observed,
        obstacle: Option<&str>,
    ) -> Self {
        let kinds = match args.level() {
            Reduce::None => return Self::unwanted(),
            Reduce::Static => Reductions::CHAINS,
            Reduce::Full => Reductions::all(),
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
