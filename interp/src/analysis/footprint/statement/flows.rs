//! Reads by what they are for: values that only go from one place to another, and everything else.
//!
//! A *flow* is an assignment: what its value reads matters only if the place it goes to does. All else that is read
//! decides something: guards, indices, messages, patterns, assertions, arguments of `run`. Invariant: a bit that is in no
//! [`Uses::decisive`], and in no [`Flow::reads`] of a flow to a bit that matters, changes neither which steps there are nor
//! their errors, nor any bit that matters. An expression that can fail decides that, so all it reads is decisive. A place
//! that is only written in part is not read here: what it keeps matters exactly if the place does.
//!
//! Weiser, "Program Slicing", ICSE 1981: the relevant variables of a slice, without the order of statements.

use super::{Collector, Run};
use crate::code::layout::Layout;
use crate::code::program::{Argument, Block, Graph, Guard, Instruction, Program, Receive};
use crate::ids::{ExpressionId, NodeId, TemplateId};

/// A value that goes from some places to others.
pub(in crate::analysis) struct Flow {
    /// Where it may go.
    pub(in crate::analysis) targets: Vec<Run>,
    /// What it is computed from.
    pub(in crate::analysis) reads: Vec<Run>,
}

/// What some code reads.
#[derive(Default)]
pub(in crate::analysis) struct Uses {
    /// Reads that decide something.
    pub(in crate::analysis) decisive: Vec<Run>,
    /// All other reads.
    pub(in crate::analysis) flows: Vec<Flow>,
}

impl Uses {
    /// Of the code of a template: its edges, its initialisers, its `provided` clause. (Initialisers of globals are executed
    /// before there is a state.)
    pub(in crate::analysis) fn of_template(program: &Program, layout: &Layout, id: TemplateId) -> Self {
        let mut collector = Collector::new(program, layout, id);
        let mut flows = Vec::new();
        let template = &program.templates[id];
        collector.process(id);
        collector.sort_graph(&template.graph, &mut flows);
        collector.sort(template.init, &mut flows);
        Uses { decisive: collector.reads, flows }
    }

    /// What is read from outside: expressions, and claims.
    pub(in crate::analysis) fn of_observers(
        program: &Program,
        layout: &Layout,
        observed: &[ExpressionId],
        sees_claims: bool,
    ) -> Vec<Run> {
        let mut collector = Collector::nobody(program, layout);
        observed.iter().filter_map(|&id| program.expressions.get(id)).for_each(|&node| collector.node(node));
        for claim in program.claims.values().filter(|_| sees_claims) {
            for edge in claim.graph.locations.values().flat_map(|location| location.edges()) {
                let edge = &program.edges[edge];
                match edge.guard {
                    Guard::DStep(d_step) => collector.d_step(d_step),
                    guard => collector.guard(guard),
                }
                collector.block(edge.effect);
            }
        }
        collector.reads
    }
}

impl<'p> Collector<'p> {
    /// For code that is no process's: it has no block.
    fn nobody(program: &'p Program, layout: &'p Layout) -> Self {
        Collector::new(program, layout, TemplateId::from_u32(u32::MAX - 1))
    }

    fn sort_graph(&mut self, graph: &'p Graph, flows: &mut Vec<Flow>) {
        let program = self.program;
        for edge in graph.locations.values().flat_map(|location| location.edges()) {
            let edge = &program.edges[edge];
            match edge.guard {
                Guard::DStep(d_step) => self.sort_graph(&program.d_steps[d_step as usize], flows),
                guard => self.guard(guard),
            }
            self.sort(edge.effect, flows);
        }
    }

    fn sort(&mut self, block: Block, flows: &mut Vec<Flow>) {
        for instruction in self.instructions(block) {
            self.sort_instruction(instruction, flows);
        }
    }

    fn sort_instruction(&mut self, instruction: &'p Instruction, flows: &mut Vec<Flow>) {
        let program = self.program;
        match *instruction {
            // A counter goes only to itself.
            Instruction::Declare | Instruction::SetConst(..) | Instruction::Add(..) => {}
            Instruction::Set(field, value) => {
                let targets = vec![Run::of(self.region(field), field)];
                self.flow(targets, value, flows);
            }
            Instruction::Store(target, value) => {
                let targets = self.places(target);
                self.flow(targets, value, flows);
            }
            Instruction::Fill { array, value } => {
                let array = program.arrays[array as usize];
                let targets = Run::of_array(self.region(array.first), array).into_iter().flatten().collect();
                self.flow(targets, value, flows);
            }
            Instruction::Print(print) => {
                let can_fail = |&(arg, _): &(NodeId, _)| !program.is_total(arg);
                let args = program.prints[print as usize].args.iter().filter(|arg| can_fail(arg));
                args.for_each(|&(arg, _)| self.node(arg));
            }
            Instruction::Receive(receive) => self.sort_receive(&program.receives[receive as usize]),
            Instruction::Assert(condition) | Instruction::Require(condition) => self.node(condition),
            Instruction::Send(send) => self.send(&program.sends[send as usize]),
            Instruction::Run(run) => {
                let run = &program.runs[run as usize];
                run.args.iter().chain(&run.priority).for_each(|&arg| self.node(arg));
            }
            Instruction::SetPriority(pid, value) => [pid, value].into_iter().for_each(|node| self.node(node)),
            // Whoever looks at the state finds the channel by it.
            Instruction::NewChannel(_, target) => {
                let places = self.places(target);
                self.reads.extend(places);
            }
        }
    }

    /// What is received goes to variables, whatever they were. The guard has looked for the message.
    fn sort_receive(&mut self, receive: &'p Receive) {
        for arg in &receive.args {
            if let Argument::Bind(target) = *arg {
                // Only the indices.
                self.places(target);
            }
        }
        self.event(receive.chan, false);
    }

    fn flow(&mut self, targets: Vec<Run>, value: NodeId, flows: &mut Vec<Flow>) {
        if !self.program.is_total(value) {
            return self.node(value);
        }
        let known = self.reads.len();
        self.node(value);
        let reads = self.reads.split_off(known);
        flows.push(Flow { targets, reads });
    }
}
