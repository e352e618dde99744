//! Expressions that come after the model: measures and queries given on the command line.

use cranelift_entity::PrimaryMap;
use promela::ids::ProcTypeId;
use promela::model::Expr;

use crate::analysis::usage::Usage;
use crate::code::compile;
use crate::code::flow::{self, Flow, LocationFlags};
use crate::exec::channel::Channel;
use crate::exec::eval::Env;
use crate::ids::NodeId;
use crate::model::{Fault, Model, StepErrors, Tables};
use statespace::Word;

impl Model {
    /// Adds expressions to the program; their values are had with [`Model::value`].
    pub fn add_expressions(&mut self, expressions: &[Expr]) -> Vec<NodeId> {
        let usage = Usage::of(&self.checked);
        let build = |(id, proc)| flow::build(proc, usage.watched_labels(id));
        let flows: PrimaryMap<ProcTypeId, Flow> = self.checked.proctypes.iter().map(build).collect();
        let program = std::mem::take(&mut self.program);
        let (program, nodes) = compile::expressions(&self.checked, &self.layout, &flows, program, expressions);
        self.program = program;
        nodes
    }

    /// Which of (at most 64) expressions are not 0 in a state, a bit each; or what goes wrong.
    pub fn truths(&self, nodes: &[NodeId], words: &[Word]) -> Result<u64, Fault> {
        self.with_tables(words, |tables| {
            let errors = StepErrors::default();
            let env = Env::outside(self, tables, &errors);
            let truth = |(bit, &node): (usize, &NodeId)| u64::from(env.eval(words, node) != 0) << bit;
            let truths = nodes.iter().enumerate().map(truth).fold(0, |all, bit| all | bit);
            errors.fault.get().map_or(Ok(truths), Err)
        })
    }

    /// Whether a process stands at an `accept` label.
    pub fn is_at_accept(&self, words: &[Word]) -> bool {
        self.with_tables(words, |tables| {
            let errors = StepErrors::default();
            Env::outside(self, tables, &errors).some_location(words, LocationFlags::ACCEPT)
        })
    }

    /// The value of an expression in a state, or what goes wrong (a division by zero, an index out of range). `tables` are
    /// those of the state (`Model::locate`).
    pub fn evaluate(&self, node: NodeId, words: &[Word], tables: &Tables) -> Result<i32, Fault> {
        let errors = StepErrors::default();
        let value = Env::outside(self, tables, &errors).eval(words, node);
        errors.fault.get().map_or(Ok(value), Err)
    }

    /// The channel that an expression gives in a state; `None` if there is no such channel (now).
    pub fn channel_at(&self, node: NodeId, words: &[Word], tables: &Tables) -> Result<Option<Channel<'_>>, Fault> {
        let number = self.evaluate(node, words, tables)?;
        let place = (number as usize).checked_sub(1).and_then(|index| tables.chans.get(index));
        let lives = !self.layout.is_fixed || number as usize <= self.live_channels[self.nr_pr(words)];
        Ok(place.filter(|_| lives).map(|&place| Channel { place, shape: &self.layout.shapes[place.ty] }))
    }

    /// The value of an expression in a state, and 0 where it has none (an index out of range).
    pub fn value(&self, node: NodeId, words: &[Word]) -> i32 {
        self.with_tables(words, |tables| self.evaluate(node, words, tables)).unwrap_or(0)
    }
}
