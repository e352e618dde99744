//! A measure given by expressions, compared one after the other.
//!
//! Expressions are presumed to be monotone; one that decreases is demoted like any other component.

use interp::ids::ExpressionId;
use interp::{Model, Word};
use sweep::measure::{ComponentId, Measure, Progress};

/// The most expressions of a measure: each takes 32 of 128 bits.
pub const MOST_EXPRESSIONS: usize = 4;

/// A measure by expressions of a model.
pub struct UserMeasure<'m> {
    model: &'m Model,
    /// Each with whether it still makes columns.
    expressions: Vec<(ExpressionId, bool)>,
}

impl<'m> UserMeasure<'m> {
    /// The measure by these expressions (only the first four count), which the model was compiled with.
    pub fn new(model: &'m Model, expressions: &[ExpressionId]) -> Self {
        let expressions = expressions.iter().take(MOST_EXPRESSIONS).map(|&id| (id, true)).collect();
        UserMeasure { model, expressions }
    }

    /// The value of an expression, from the least that an integer can have.
    fn value(&self, id: ExpressionId, state: &[Word]) -> u32 {
        self.model.value(id, state) as u32 ^ 1 << 31
    }
}

impl Measure for UserMeasure<'_> {
    fn has_one_layer(&self) -> bool {
        false
    }

    fn of(&self, state: &[Word]) -> Progress {
        let parts = |wanted: bool| self.expressions.iter().filter(move |(_, makes_columns)| *makes_columns == wanted);
        let values = parts(true).chain(parts(false)).map(|&(id, _)| u128::from(self.value(id, state)));
        Progress(values.fold(0, |progress, value| progress << 32 | value))
    }

    fn layer_bits(&self) -> u32 {
        32 * self.expressions.iter().filter(|(_, makes_columns)| !makes_columns).count() as u32
    }

    fn demote(&mut self, from: &[Word], to: &[Word]) -> Vec<ComponentId> {
        let falls = |&(node, makes_columns): &(ExpressionId, bool)| {
            makes_columns && self.value(node, to) < self.value(node, from)
        };
        let fallen: Vec<usize> = (0..self.expressions.len()).filter(|&at| falls(&self.expressions[at])).collect();
        for &at in &fallen {
            self.expressions[at].1 = false;
        }
        fallen.into_iter().map(|at| ComponentId(at as u32)).collect()
    }
}
