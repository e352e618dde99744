//! The temporal properties of a model: its formulas, its never claims, its `accept` labels, and that it makes progress.
//!
//! Each is an automaton over the runs of the model; a run that it accepts is a violation.

pub mod automaton;
pub mod confirm;
pub mod deadlock;
pub mod demands;
pub mod failed;
pub mod fairness;
pub mod formula;
pub mod invariants;
pub mod lasso;
pub mod search;
pub mod vacuity;
pub mod valuation;

use anyhow::bail;
use cranelift_entity::EntityRef;
use interp::ViolationKind;
use interp::ids::ClaimId;
use promela::model::{CheckedModel, Expr, ExprKind, Ltl};
use promela::source::Span;

use crate::load::CheckedInput;
use formula::{Atom, Temporal};

/// The name of a formula that was given on the command line.
pub const GIVEN: &str = "formula";

/// A property.
pub struct Property {
    /// What it is called: `ltl p`, `never claim`, `accept labels`, `non-progress cycles`.
    pub name: String,
    /// What it is a property of.
    pub kind: PropertyKind,
    /// What an accepted cycle is.
    pub cycle: ViolationKind,
    /// Does a run that ends repeat its last state forever?
    pub stutters: bool,
}

/// The form of a property.
pub enum PropertyKind {
    /// The automaton of a negated formula.
    Formula(Box<Temporal>),
    /// A never claim.
    Claim(ClaimId),
    /// Processes at `accept` labels.
    Labels,
}

impl Property {
    /// The formula, fully parenthesised.
    pub fn formula(&self) -> Option<String> {
        match &self.kind {
            PropertyKind::Formula(temporal) => Some(temporal.to_string()),
            PropertyKind::Claim(_) | PropertyKind::Labels => None,
        }
    }

    /// What is searched for.
    pub fn searched(&self) -> String {
        match (&self.kind, self.cycle) {
            (_, ViolationKind::NonProgressCycle) => "a cycle without a progress label".to_owned(),
            (PropertyKind::Formula(temporal), _) => format!("a counterexample to {temporal}"),
            (PropertyKind::Claim(_), _) => "a run that the never claim accepts".to_owned(),
            (PropertyKind::Labels, _) => "a cycle through an accept label".to_owned(),
        }
    }

    /// The atoms of its formula.
    pub fn atoms(&self) -> &[Atom] {
        self.temporal().map_or(&[], Temporal::atoms)
    }

    /// The formula, if there is one.
    pub fn temporal(&self) -> Option<&Temporal> {
        match &self.kind {
            PropertyKind::Formula(temporal) => Some(temporal),
            PropertyKind::Claim(_) | PropertyKind::Labels => None,
        }
    }
}

/// Everything that the model states about its runs, in textual order of each kind. The atoms of formulas are added to the
/// expressions of the model.
pub fn stated(input: &mut CheckedInput) -> Vec<Property> {
    let CheckedInput { model: checked, sources, has_given_formula, expressions, .. } = input;
    let mut properties = Vec::new();
    let mut unnamed = 0;
    for (number, block) in checked.ltl.iter().enumerate() {
        let name = match &block.name {
            Some(name) => format!("ltl {name}"),
            None if *has_given_formula && number + 1 == checked.ltl.len() => GIVEN.to_owned(),
            None => {
                // As SPIN calls it.
                unnamed += 1;
                format!("ltl ltl_{}", unnamed - 1)
            }
        };
        properties.push(Property {
            name,
            kind: PropertyKind::Formula(Box::new(Temporal::new(&block.formula, sources, expressions))),
            cycle: ViolationKind::AcceptanceCycle,
            stutters: true,
        });
    }
    for (number, claim) in checked.claims.iter().enumerate() {
        let name = claim.name.as_deref().map(|name| format!(" {name}")).unwrap_or_default();
        properties.push(Property {
            name: format!("never claim{name}"),
            kind: PropertyKind::Claim(ClaimId::new(number)),
            cycle: ViolationKind::AcceptanceCycle,
            stutters: true,
        });
    }
    // As in SPIN a never claim looks at the labels of processes too.
    if has_accept_labels(checked) && checked.claims.is_empty() {
        properties.push(Property {
            name: "accept labels".to_owned(),
            kind: PropertyKind::Labels,
            cycle: ViolationKind::AcceptanceCycle,
            stutters: true,
        });
    }
    properties
}

/// Keeps the properties that are named: by their whole name, or by its last word. What the model does not have is an error,
/// unless it is one of `others`, which are named in the same place.
pub fn select(mut stated: Vec<Property>, names: &[String], others: &[&str]) -> anyhow::Result<Vec<Property>> {
    let is_called = |property: &Property, name: &str| match others.contains(&name) {
        true => property.name == name,
        false => property.name == name || property.name.split(' ').next_back() == Some(name),
    };
    for name in names {
        if !others.contains(&name.as_str()) && !stated.iter().any(|property| is_called(property, name)) {
            let own = stated.iter().map(|property| property.name.as_str());
            let all: Vec<&str> = others.iter().copied().chain(own).collect();
            match all.is_empty() {
                true => bail!("the model has no property `{name}`: it states none"),
                false => bail!("the model has no property `{name}`: it has {}", all.join(", ")),
            }
        }
    }
    stated.retain(|property| names.is_empty() || names.iter().any(|name| is_called(property, name)));
    Ok(stated)
}

/// Every property of the runs that has a name: what the model states, and that it makes progress.
pub fn all(input: &mut CheckedInput) -> Vec<Property> {
    let mut properties = stated(input);
    properties.push(progress(input));
    properties
}

/// That every cycle passes a `progress` label. A run that ends makes no cycle.
pub fn progress(input: &mut CheckedInput) -> Property {
    let np = Expr { kind: ExprKind::NonProgress, span: Span::default() };
    let stuck = Ltl::Eventually(Box::new(Ltl::Always(Box::new(Ltl::Atom(np)))));
    let mut temporal = Temporal::new(&Ltl::Not(Box::new(stuck)), &input.sources, &mut input.expressions);
    temporal.rename_atom("np_");
    Property {
        name: "non-progress cycles".to_owned(),
        kind: PropertyKind::Formula(Box::new(temporal)),
        cycle: ViolationKind::NonProgressCycle,
        stutters: false,
    }
}

/// Does a process have an `accept` label?
pub fn has_accept_labels(checked: &CheckedModel) -> bool {
    let mut labels = checked.proctypes.values().flat_map(|proc| proc.labels.values());
    labels.any(|label| label.name.starts_with("accept"))
}
