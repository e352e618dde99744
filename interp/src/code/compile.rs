//! From the checked model to the flat program: layout first, then the code of every template over it.
//!
//! Expressions are in `compile/expr.rs`, places in `compile/place.rs`, statements in `compile/stmt.rs`.

mod expr;
mod fuse;
mod place;
mod stmt;

use std::ops::Range;

use cranelift_entity::{EntitySet, PrimaryMap, SecondaryMap};
use promela::ids::ProcTypeId;
use promela::model::{CheckedModel, ExprKind, Init, Place, ProcType, Scope, Sequence, StmtKind, Var};

use crate::analysis::channels;
use crate::analysis::instances::{self, Instances};
use crate::analysis::ranges::Ranges;
use crate::analysis::usage::Usage;
use crate::code::flow::{self, Flow};
use crate::code::layout::{self, LIMIT, Layout, Slot};
use crate::code::program::{
    ChannelSet, Claim, Edge, Events, Exclusive, Graph, Guard, Location, Node, ProcessTemplate, Program,
};
use crate::ids::{EdgeId, TemplateId};
use crate::inspect::expression::Expressions;
use stmt::StepCode;

/// Everything that execution needs.
pub struct Compiled {
    /// The code.
    pub program: Program,
    /// The places.
    pub layout: Layout,
    /// The processes.
    pub instances: Instances,
}

/// Which analyses are made of a model before it runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Analysis {
    /// All that makes states small and steps fast.
    Full,
    /// Nothing: every variable has the width of its type, every process and channel is created at run time, every
    /// expression is evaluated as it is written, and every statement of a `d_step` is executed on its own. Slow and simple,
    /// the judge of the other.
    Plain,
}

/// Compiles a checked model, and expressions over its globals, its channels and references into its processes.
pub fn compile(model: &CheckedModel, analysis: Analysis, expressions: &Expressions) -> Compiled {
    let is_plain = analysis == Analysis::Plain;
    let usage = Usage::of(model, expressions);
    let usage = if is_plain { usage.with_all_written(model) } else { usage };
    let flows: PrimaryMap<ProcTypeId, Flow> =
        model.proctypes.iter().map(|(id, proc)| flow::build(proc, usage.watched_labels(id))).collect();
    let mut instances = match analysis {
        Analysis::Full => Instances::of(model, &usage, &flows),
        Analysis::Plain => Instances::unknown(model),
    };
    let events = model.trace.as_ref().map(|trace| flow::build(&trace.body, &EntitySet::new()));
    let mut locations = SecondaryMap::new();
    for (id, flow) in &flows {
        locations[id] = flow.locations.len();
    }
    let event_locations = events.as_ref().map(|flow| flow.locations.len());
    let ranges = match analysis {
        Analysis::Full => Ranges::of(model, &usage, instances.most()),
        Analysis::Plain => Ranges::of_types(model),
    };
    let mut layout = layout::compute(model, &usage, &ranges, &instances, &locations, event_locations);
    if layout.channels.len() > LIMIT && instances.is_fixed {
        // Which process creates one channel too many is known only at run time.
        instances.is_fixed = false;
        layout = layout::compute(model, &usage, &ranges, &instances, &locations, event_locations);
    }

    let mut compiler = Compiler {
        model,
        layout: &layout,
        flows: &flows,
        program: Program::default(),
        template: None,
        hoisted: Vec::new(),
        is_plain,
    };
    compiler.program.global_init = compiler.initialisers(&model.globals, &layout.globals, 0, 0, |_| true);
    for (id, template) in &layout.templates {
        compiler.template = Some(id);
        let code = compiler.template_code(id, &flows[template.proctype], &model.proctypes[template.proctype]);
        compiler.program.templates.push(code);
    }
    let possible = instances::possible(model);
    for (id, template) in layout.templates.iter().filter(|(_, template)| possible.contains(template.proctype)) {
        compiler.template = Some(id);
        compiler.exclusives(template.proctype, &model.proctypes[template.proctype].body);
    }
    compiler.template = None;
    if let (Some(flow), Some(trace)) = (&events, &model.trace) {
        let graph = compiler.graph(flow);
        compiler.program.events = Some(watched(&compiler.program, graph, trace.negated));
    }
    for claim in &model.claims {
        let known = compiler.program.nodes.len();
        let graph = compiler.graph(&flow::build(&claim.body, &EntitySet::new()));
        let uses_timeout = compiler.program.nodes.values().skip(known).any(|node| matches!(node, Node::Timeout));
        compiler.program.claims.push(Claim { graph, uses_timeout });
    }
    for expression in expressions.iter() {
        let node = compiler.expr(expression);
        compiler.program.expressions.push(node);
    }
    compiler.program.elements_before = elements_before(model, &flows, events.as_ref());
    let program = compiler.program;
    Compiled { program, layout, instances }
}

/// State of the compilation.
struct Compiler<'a, 'm> {
    model: &'m CheckedModel,
    layout: &'a Layout,
    flows: &'a PrimaryMap<ProcTypeId, Flow<'m>>,
    program: Program,
    /// Whose locals are meant.
    template: Option<TemplateId>,
    /// `run`s inside the expression that is compiled: they become instructions in front of the statement's own.
    hoisted: Vec<u32>,
    /// Code is as it was written: [`Analysis::Plain`].
    is_plain: bool,
}

impl<'m> Compiler<'_, 'm> {
    fn template_code(&mut self, id: TemplateId, flow: &Flow<'m>, proc: &'m ProcType) -> ProcessTemplate {
        let layout = self.layout;
        let places = &layout.templates[id];
        let graph = self.graph(flow);
        let params = proc.locals.keys().take(proc.params);
        let params = params.filter_map(|param| places.locals[param].as_ref()).flat_map(Slot::scalars).collect();
        let first_channel = places.channels.0;
        let at_creation = |var: &Var| !var.declared_by_step;
        let init = self.initialisers(&proc.locals, &places.locals, first_channel, proc.params, at_creation);
        let provided = proc.provided.as_ref().map(|condition| self.expr(condition));
        ProcessTemplate { proctype: places.proctype, graph, params, init, provided, deterministic: proc.deterministic }
    }

    fn graph(&mut self, flow: &Flow<'m>) -> Graph {
        let mut locations = PrimaryMap::new();
        for location in flow.locations.values() {
            // The inside of a d_step adds edges of its own, so the code comes first.
            let steps: Vec<_> = location.edges.iter().map(|edge| self.step(&edge.step)).collect();
            let first = self.program.edges.len() as u32;
            for (edge, StepCode { guard, effect, condition, inside }) in location.edges.iter().zip(steps) {
                let flow::Edge { to, atomic, escape, element, span, .. } = *edge;
                let d_step = matches!(edge.step, flow::Step::DStep { .. });
                let id = self.program.edges.push(Edge { guard, effect, to, atomic, d_step, escape, element, span });
                self.program.notes.conditions.extend(condition.map(|node| (id, node)));
                self.program.fused.extend(inside.into_iter().map(|taken| (id, taken)));
            }
            let end = self.program.edges.len() as u32;
            let flow::Location { number, flags, span, .. } = *location;
            let accepts = self.accepted(first..end);
            locations.push(Location { first, end, number, flags, accepts, span });
        }
        Graph { locations, start: flow.start }
    }

    /// The rendezvous channels that edges receive from, and those that open a `d_step`.
    fn accepted(&self, edges: Range<u32>) -> ChannelSet {
        let mut accepted = ChannelSet::default();
        for edge in edges.map(EdgeId::from_u32) {
            let guard = self.program.edges[edge].guard;
            if let Guard::DStep(d_step) = guard {
                let graph = &self.program.d_steps[d_step as usize];
                accepted.extend(graph.locations[graph.start].accepts);
            }
            let Some(receive) = guard.receive() else { continue };
            match (guard, self.program.nodes[self.program.receives[receive as usize].chan]) {
                (Guard::Accept(_), Node::Const(number)) => accepted.insert(number),
                (_, Node::Const(_)) => {}
                _ => return ChannelSet::ALL,
            }
        }
        accepted
    }

    /// Collects the `xr` and `xs` declarations about channels whose numbers are known: those that a global was declared
    /// with, and those of processes that are known.
    fn exclusives(&mut self, proctype: ProcTypeId, body: &'m Sequence) {
        for stmt in &body.stmts {
            match &stmt.kind {
                StmtKind::Exclusive { send, chans } => {
                    for place in chans {
                        let node = self.load(place);
                        let known = match self.program.nodes[node] {
                            Node::Const(chan) => Some(chan),
                            _ => declared_channel(self.model, place),
                        };
                        if let Some(chan) = known {
                            self.program.exclusives.push(Exclusive { chan, send: *send, proctype, span: stmt.span });
                        }
                    }
                }
                StmtKind::If(options) | StmtKind::Do(options) => {
                    options.iter().for_each(|option| self.exclusives(proctype, option));
                }
                StmtKind::Atomic(body) | StmtKind::DStep(body) | StmtKind::Block(body) => {
                    self.exclusives(proctype, body)
                }
                StmtKind::Unless(main, escape) => {
                    self.exclusives(proctype, main);
                    self.exclusives(proctype, escape);
                }
                _ => {}
            }
        }
    }
}

/// The number of the channel that a global, or an element of it, was declared with.
fn declared_channel(model: &CheckedModel, place: &Place) -> Option<i32> {
    let is_declared = matches!(model.globals.get(place.var)?.init, Init::Chan(_));
    if place.scope != Scope::Global || !place.fields.is_empty() || !is_declared {
        return None;
    }
    let index = match place.index.as_deref().map(|index| &index.kind) {
        None => 0,
        Some(ExprKind::Const(index)) => *index,
        Some(_) => return None,
    };
    Some(channels::before_global(model, place.var) as i32 + index + 1)
}

/// How many elements the bodies in front of each proctype have. Claims written out and traces count, as they do in SPIN;
/// formulas do not: SPIN reads them after everything else.
fn elements_before(
    model: &CheckedModel,
    flows: &PrimaryMap<ProcTypeId, Flow>,
    events: Option<&Flow>,
) -> SecondaryMap<ProcTypeId, u32> {
    let mut bodies: Vec<(u32, u32, Option<ProcTypeId>)> =
        model.proctypes.iter().map(|(id, proc)| (proc.span.start, flows[id].elements, Some(id))).collect();
    bodies.extend(
        model
            .claims
            .iter()
            .map(|claim| (claim.body.span.start, flow::build(&claim.body, &EntitySet::new()).elements, None)),
    );
    bodies.extend(model.trace.iter().zip(events).map(|(trace, flow)| (trace.body.span.start, flow.elements, None)));
    bodies.sort_unstable_by_key(|&(start, ..)| start);
    let mut before = SecondaryMap::new();
    let mut count = 0;
    for (_, elements, proctype) in bodies {
        if let Some(id) = proctype {
            before[id] = count;
        }
        count += elements;
    }
    before
}

/// The event automaton with the channels it watches.
fn watched(program: &Program, graph: Graph, negated: bool) -> Events {
    let (mut sends, mut receives) = (Vec::new(), Vec::new());
    for edge in graph.locations.values().flat_map(|location| location.edges()) {
        let guard = program.edges[edge].guard;
        sends.extend(guard.send().map(|send| program.sends[send as usize].chan));
        receives.extend(guard.receive().map(|receive| program.receives[receive as usize].chan));
    }
    Events { graph, negated, sends, receives }
}
