//! The measure of a search, whichever was asked for, as one type: searches are compiled once.

use interp::{Model, Word};
use progress::{Choice, UserMeasure, choose, explain};
use sweep::Meter;
use sweep::measure::{ComponentId, Measure, Progress};

use crate::commands::progress::Wanted;

/// A measure, and what it is in words.
pub enum Measuring<'m> {
    /// No progress.
    None,
    /// Components of the model.
    Chosen(Box<Choice>),
    /// Expressions of the user.
    Given(UserMeasure<'m>, String),
}

impl<'m> Measuring<'m> {
    /// What was asked for.
    pub fn new(model: &'m Model, wanted: &Wanted, meter: &Meter) -> Self {
        match wanted {
            Wanted::Chosen(mode, size) => Measuring::Chosen(Box::new(choose(model, *mode, *size, meter))),
            Wanted::Given(nodes, text) => Measuring::Given(UserMeasure::new(model, nodes), text.clone()),
        }
    }

    /// What it is.
    pub fn words(&self) -> Option<String> {
        match self {
            Measuring::None => None,
            Measuring::Chosen(choice) => Some(explain::summary(choice)),
            Measuring::Given(_, text) => Some(text.clone()),
        }
    }
}

impl Measure for Measuring<'_> {
    #[inline]
    fn of(&self, state: &[Word]) -> Progress {
        match self {
            Measuring::None => Progress::default(),
            Measuring::Chosen(choice) => choice.measure.of(state),
            Measuring::Given(measure, _) => measure.of(state),
        }
    }

    #[inline]
    fn layer_bits(&self) -> u32 {
        match self {
            Measuring::None => 0,
            Measuring::Chosen(choice) => choice.measure.layer_bits(),
            Measuring::Given(measure, _) => measure.layer_bits(),
        }
    }

    fn demote(&mut self, from: &[Word], to: &[Word]) -> Vec<ComponentId> {
        match self {
            Measuring::None => Vec::new(),
            Measuring::Chosen(choice) => choice.measure.demote(from, to),
            Measuring::Given(measure, _) => measure.demote(from, to),
        }
    }
}
