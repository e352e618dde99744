//! Expressions over the states of a model that stand outside of it: atoms of formulas, measures and questions of the
//! command line. They are known before the model is compiled, become part of its program, and are evaluated in states.

use cranelift_entity::{EntitySet, PrimaryMap};
use promela::model::Expr;

use crate::code::flow::LocationFlags;
use crate::exec::channel::Channel;
use crate::exec::eval::Env;
use crate::ids::ExpressionId;
use crate::model::{Fault, Model, StepErrors, Tables};
use statespace::Word;

/// The expressions that a model is compiled with.
#[derive(Clone, Debug, Default)]
pub struct Expressions {
    all: PrimaryMap<ExpressionId, Expr>,
    observed: EntitySet<ExpressionId>,
}

impl Expressions {
    /// Adds an expression that the answer depends on. What it reads is part of the states, as if the model read it.
    pub fn observe(&mut self, expr: Expr) -> ExpressionId {
        let id = self.all.push(expr);
        self.observed.insert(id);
        id
    }

    /// Adds an expression that only guides a search: it changes no state, and may read only what states hold anyway.
    pub fn guide(&mut self, expr: Expr) -> ExpressionId {
        self.all.push(expr)
    }

    /// All expressions, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &Expr> {
        self.all.values()
    }

    /// Those that add to the states what they read.
    pub fn observed(&self) -> impl Iterator<Item = &Expr> {
        self.all.iter().filter(|(id, _)| self.observed.contains(*id)).map(|(_, expr)| expr)
    }

    /// Those that do not.
    pub fn guiding(&self) -> impl Iterator<Item = &Expr> {
        self.all.iter().filter(|(id, _)| !self.observed.contains(*id)).map(|(_, expr)| expr)
    }
}

impl Model {
    /// Which of (at most 64) expressions are not 0 in a state, a bit each; or the error.
    pub fn truths(&self, expressions: &[ExpressionId], words: &[Word]) -> Result<u64, Fault> {
        self.with_tables(words, |tables| {
            let errors = StepErrors::default();
            let env = Env::outside(self, tables, &errors);
            let is_true = |id: ExpressionId| env.eval(words, self.program.expressions[id]) != 0;
            let truth = |(bit, &id): (usize, &ExpressionId)| u64::from(is_true(id)) << bit;
            let truths = expressions.iter().enumerate().map(truth).fold(0, |all, bit| all | bit);
            errors.fault.get().map_or(Ok(truths), Err)
        })
    }

    /// Whether a process is at an `accept` label.
    pub fn is_at_accept(&self, words: &[Word]) -> bool {
        self.with_tables(words, |tables| {
            let errors = StepErrors::default();
            Env::outside(self, tables, &errors).some_location(words, LocationFlags::ACCEPT)
        })
    }

    /// The value of an expression in a state, or the error (a division by zero, an index out of range). `tables` are
    /// those of the state (`Model::locate`).
    pub fn evaluate(&self, id: ExpressionId, words: &[Word], tables: &Tables) -> Result<i32, Fault> {
        let errors = StepErrors::default();
        let value = Env::outside(self, tables, &errors).eval(words, self.program.expressions[id]);
        errors.fault.get().map_or(Ok(value), Err)
    }

    /// The channel that an expression gives in a state; `None` if there is no such channel (now).
    pub fn channel_at(&self, id: ExpressionId, words: &[Word], tables: &Tables) -> Result<Option<Channel<'_>>, Fault> {
        let number = self.evaluate(id, words, tables)?;
        let place = (number as usize).checked_sub(1).and_then(|index| tables.chans.get(index));
        let lives = !self.layout.is_fixed || number as usize <= self.live_channels[self.nr_pr(words)];
        Ok(place.filter(|_| lives).map(|&place| Channel { place, shape: &self.layout.shapes[place.ty] }))
    }

    /// The value of an expression in a state, and 0 where it has none (an index out of range).
    pub fn value(&self, id: ExpressionId, words: &[Word]) -> i32 {
        self.with_tables(words, |tables| self.evaluate(id, words, tables)).unwrap_or(0)
    }
}
