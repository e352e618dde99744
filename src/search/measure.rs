//! The measure of a run: specified on the command line, chosen once, and used by every search of the run.

use std::time::{Duration, Instant};

use interp::exec::reduction::Reduction;
use interp::ids::ExpressionId;
use interp::inspect::expression::Expressions;
use interp::inspect::values::{ChangeView, Inspector};
use interp::{Model, Violation, Word};
use progress::sample::Size;
use progress::{Choice, Mode, ProductMeasure, Recipe, UserMeasure, choose, explain};
use sweep::measure::{ComponentId, Measure, Progress};
use sweep::{Meter, Outcome, StopReason};

use crate::load::CheckedInput;
use crate::search::expression;

/// The measure that the command line specifies.
pub enum MeasureSpec {
    /// Chosen by trials on a sample of this size.
    Chosen(Mode, Size),
    /// Expressions of the user, and their text.
    Given(Vec<ExpressionId>, String),
}

/// With no more states than this a search has one layer, unless `--progress` is given.
const FEW: u32 = 6_000;

impl MeasureSpec {
    /// Reads `--progress`; `None` if it has errors, which have been shown.
    pub fn read(input: &mut CheckedInput, text: Option<&str>) -> Option<MeasureSpec> {
        let size = Size::default();
        let text = match text {
            None => return Some(MeasureSpec::Chosen(Mode::Auto, Size { few: FEW, ..size })),
            Some("auto") => return Some(MeasureSpec::Chosen(Mode::Auto, size)),
            Some("control") => return Some(MeasureSpec::Chosen(Mode::Control, size)),
            Some("none") => return Some(MeasureSpec::Chosen(Mode::None, size)),
            Some(text) => text,
        };
        let expressions = expression::read(input, "--progress", text, Expressions::guide)?;
        Some(MeasureSpec::Given(expressions.into_iter().map(|given| given.id).collect(), text.to_owned()))
    }

    /// The expressions that it consists of.
    pub fn expressions(&self) -> &[ExpressionId] {
        match self {
            MeasureSpec::Chosen(..) => &[],
            MeasureSpec::Given(expressions, _) => expressions,
        }
    }

    /// Makes the measure again that an interrupted search had; `None` if it is not one of this model.
    pub fn recall<'m>(&self, model: &'m Model, recalled: Option<(Recipe, String)>) -> Option<SearchMeasure<'m>> {
        Some(match (self, recalled) {
            (MeasureSpec::Chosen(mode, _), Some((recipe, reason))) => {
                let measure = Box::new(recipe.measure(model, *mode)?);
                SearchMeasure::Recalled { measure, mode: *mode, reason }
            }
            (MeasureSpec::Given(expressions, text), None) => {
                SearchMeasure::Given(UserMeasure::new(model, expressions), text.clone())
            }
            _ => return None,
        })
    }

    /// Chooses the measure, for a search that this reduction leaves.
    pub fn choose<'m>(&self, model: &'m Model, reduction: Option<&Reduction>, meter: &Meter) -> SearchMeasure<'m> {
        match self {
            MeasureSpec::Chosen(mode, size) => {
                let started = Instant::now();
                let choice = Box::new(choose(model, reduction, *mode, *size, meter));
                SearchMeasure::Chosen { choice, mode: *mode, chosen_in: started.elapsed() }
            }
            MeasureSpec::Given(expressions, text) => {
                SearchMeasure::Given(UserMeasure::new(model, expressions), text.clone())
            }
        }
    }
}

/// The measure of a search, whichever it is, as one type: searches are compiled once.
pub enum SearchMeasure<'m> {
    /// All states are in one layer, or the search does not go by progress.
    None,
    /// Components of the model.
    Chosen { choice: Box<Choice>, mode: Mode, chosen_in: Duration },
    /// Components of the model that were chosen before the search was interrupted, and the reason.
    Recalled { measure: Box<ProductMeasure>, mode: Mode, reason: String },
    /// Expressions of the user, and their text.
    Given(UserMeasure<'m>, String),
}

/// A measure in words, for the report.
#[derive(Default)]
pub struct MeasureReport {
    pub measure: String,
    pub reason: String,
    /// Components that turned out not to be monotone.
    pub demoted: Vec<String>,
    /// The step at which a strict sweep rejected the measure.
    pub rejected: Option<String>,
}

impl SearchMeasure<'_> {
    /// The measure in words.
    pub fn summary(&self) -> Option<String> {
        match self {
            SearchMeasure::None => None,
            SearchMeasure::Chosen { choice, .. } => Some(explain::summary(&choice.measure)),
            SearchMeasure::Recalled { measure, .. } => Some(explain::summary(measure)),
            SearchMeasure::Given(_, text) => Some(text.clone()),
        }
    }

    /// How a measure was chosen, and why: enough to make it again.
    pub fn recipe(&self) -> Option<(Recipe, String)> {
        match self {
            SearchMeasure::None | SearchMeasure::Given(..) => None,
            SearchMeasure::Chosen { choice, .. } => Some((Recipe::of(&choice.measure), explain::reason(choice))),
            SearchMeasure::Recalled { measure, reason, .. } => Some((Recipe::of(measure), reason.clone())),
        }
    }

    /// How long it took to choose it.
    pub fn chosen_in(&self) -> Duration {
        match self {
            SearchMeasure::Chosen { chosen_in, .. } => *chosen_in,
            SearchMeasure::None | SearchMeasure::Recalled { .. } | SearchMeasure::Given(..) => Duration::ZERO,
        }
    }

    fn reason(&self) -> String {
        match self {
            SearchMeasure::None => String::new(),
            SearchMeasure::Chosen { mode: Mode::None, .. } | SearchMeasure::Recalled { mode: Mode::None, .. } => {
                "--progress none".to_owned()
            }
            SearchMeasure::Chosen { choice, .. } => explain::reason(choice),
            SearchMeasure::Recalled { reason, .. } => reason.clone(),
            SearchMeasure::Given(..) => "--progress".to_owned(),
        }
    }

    fn component(&self, id: ComponentId) -> String {
        match self {
            SearchMeasure::None => String::new(),
            SearchMeasure::Chosen { choice, .. } => choice.measure.components()[id.0 as usize].name.clone(),
            SearchMeasure::Recalled { measure, .. } => measure.components()[id.0 as usize].name.clone(),
            SearchMeasure::Given(_, text) => format!("expression {} of {text}", id.0 + 1),
        }
    }

    /// The measure in words, and what a search by it found out about it.
    pub fn report(&self, model: &Model, outcome: &Outcome<Violation>) -> MeasureReport {
        MeasureReport {
            measure: self.summary().unwrap_or_default(),
            reason: self.reason(),
            demoted: outcome.demoted.iter().map(|&id| self.component(id)).collect(),
            rejected: rejected(model, outcome),
        }
    }
}

impl Measure for SearchMeasure<'_> {
    #[inline]
    fn of(&self, state: &[Word]) -> Progress {
        match self {
            SearchMeasure::None => Progress::default(),
            SearchMeasure::Chosen { choice, .. } => choice.measure.of(state),
            SearchMeasure::Recalled { measure, .. } => measure.of(state),
            SearchMeasure::Given(measure, _) => measure.of(state),
        }
    }

    #[inline]
    fn layer_bits(&self) -> u32 {
        match self {
            SearchMeasure::None => 0,
            SearchMeasure::Chosen { choice, .. } => choice.measure.layer_bits(),
            SearchMeasure::Recalled { measure, .. } => measure.layer_bits(),
            SearchMeasure::Given(measure, _) => measure.layer_bits(),
        }
    }

    fn has_one_layer(&self) -> bool {
        match self {
            SearchMeasure::None => true,
            SearchMeasure::Chosen { choice, .. } => choice.measure.has_one_layer(),
            SearchMeasure::Recalled { measure, .. } => measure.has_one_layer(),
            SearchMeasure::Given(measure, _) => measure.has_one_layer(),
        }
    }

    fn demote(&mut self, from: &[Word], to: &[Word]) -> Vec<ComponentId> {
        match self {
            SearchMeasure::None => Vec::new(),
            SearchMeasure::Chosen { choice, .. } => choice.measure.demote(from, to),
            SearchMeasure::Recalled { measure, .. } => measure.demote(from, to),
            SearchMeasure::Given(measure, _) => measure.demote(from, to),
        }
    }
}

/// The regress edge at which a strict sweep rejected the measure, with the values that it changes.
fn rejected(model: &Model, outcome: &Outcome<Violation>) -> Option<String> {
    let rejected = outcome.rejected.as_ref().filter(|_| outcome.stopped == Some(StopReason::Rejected))?;
    let change = |change: ChangeView| {
        let owner = change.pid.map_or_else(String::new, |pid| format!("({pid})"));
        format!("{owner}{}: {} → {}", change.name, change.from.as_deref().unwrap_or("new"), change.to)
    };
    let changes = Inspector::new(model).changes(&rejected.from, &rejected.to);
    let changes: Vec<String> = changes.into_iter().map(change).collect();
    let steps = rejected.trace.as_ref().map_or(0, Vec::len);
    let changes = if changes.is_empty() { "only locations change".to_owned() } else { changes.join(", ") };
    Some(format!("step {steps} is a regress edge ({changes})"))
}
