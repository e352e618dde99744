//! Statements to guards and instructions; initialisers to instructions.

use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};
use promela::ids::{MtypeSetId, VarId};
use promela::model::{
    BasicType, BinaryOp, Expr, ExprKind, Format, FormatPart, Init, Place, Stmt, StmtKind, Var, VarType,
};

use super::Compiler;
use crate::code::flow::Step;
use crate::code::layout::{ChannelShape, Slot};
use crate::code::program::{Block, Edge, Graph, Guard, Instruction, Node, Print, Receive, Send, Target};
use crate::ids::{EdgeId, NodeId};

/// The code of one edge.
pub(super) struct StepCode {
    pub guard: Guard,
    pub effect: Block,
    /// The expression that the guard is, as it was written.
    pub condition: Option<NodeId>,
    /// Edges of a `d_step` that has become this one.
    pub inside: Vec<EdgeId>,
}

impl<'m> Compiler<'_, 'm> {
    /// The code of one edge.
    pub(super) fn step(&mut self, step: &Step<'m>) -> StepCode {
        let start = self.program.instructions.len() as u32;
        let mut condition = None;
        let guard = match step {
            Step::Stmt(stmt) => self.stmt(stmt, &mut condition),
            Step::Skip => Guard::True,
            Step::End => Guard::End,
            Step::DStep { flow, opens_with_else } => {
                let graph = self.graph(flow);
                self.own_elses(&graph, *opens_with_else);
                if !self.is_plain {
                    self.fuse(&graph);
                }
                if let Some(id) = self.single_edge(&graph).filter(|_| !self.is_plain) {
                    let Edge { guard, effect, .. } = self.program.edges[id];
                    let inside = graph.locations.values().flat_map(|location| location.edges()).collect();
                    let condition = self.program.notes.conditions.get(&id).copied();
                    return StepCode { guard, effect, condition, inside };
                }
                self.program.d_steps.push(graph);
                let start = self.program.instructions.len() as u32;
                let guard = Guard::DStep(self.program.d_steps.len() as u32 - 1);
                let effect = Block { start, end: start };
                return StepCode { guard, effect, condition: None, inside: Vec::new() };
            }
        };
        let effect = Block { start, end: self.program.instructions.len() as u32 };
        StepCode { guard, effect, condition, inside: Vec::new() }
    }

    /// A choice inside a `d_step` takes its first executable option, so that an `else` that is tried is taken. Only one
    /// that opens the `d_step` is that of a choice outside.
    fn own_elses(&mut self, graph: &Graph, opens_with_else: bool) {
        for (pc, location) in &graph.locations {
            for edge in location.edges().filter(|_| !opens_with_else || pc != graph.start) {
                let guard = &mut self.program.edges[edge].guard;
                if *guard == Guard::Else {
                    *guard = Guard::True;
                }
            }
        }
    }

    /// The guard of a statement; if it is an expression, `condition` is that.
    fn stmt(&mut self, stmt: &'m Stmt, condition: &mut Option<NodeId>) -> Guard {
        match &stmt.kind {
            StmtKind::Expr(Expr { kind: ExprKind::SetPriority(pid, value), .. }) => {
                let (pid, value) = (self.expr(pid), self.expr(value));
                self.emit(Instruction::SetPriority(pid, value));
                Guard::True
            }
            StmtKind::Expr(e) => {
                let node = self.expr(e);
                if self.emit_hoisted() {
                    if !matches!(self.program.nodes[node], Node::Created) {
                        self.emit(Instruction::Require(node));
                    }
                    return Guard::True;
                }
                *condition = Some(node);
                match self.program.nodes[node] {
                    Node::Const(value) if value != 0 => Guard::True,
                    Node::Compare(op, field, value) => Guard::Compare(op, field, value),
                    _ => Guard::Expr(node),
                }
            }
            StmtKind::Else => Guard::Else,
            StmtKind::Assign(place, value) => {
                self.assign(place, value);
                Guard::True
            }
            StmtKind::Declare(var) => {
                self.declare(*var);
                Guard::True
            }
            StmtKind::Send { chan, sorted, args } => {
                let chan = self.load(chan);
                let args: Vec<NodeId> = args.iter().map(|arg| self.expr(arg)).collect();
                self.emit_hoisted();
                let fits = self.shape(chan).is_some_and(|shape| shape.fields.len() == args.len());
                let is_total = fits && args.iter().all(|&arg| self.program.is_total(arg));
                self.program.sends.push(Send { chan, sorted: *sorted, args, is_total, span: stmt.span });
                let send = self.program.sends.len() as u32 - 1;
                self.emit(Instruction::Send(send));
                if self.is_rendezvous(chan) { Guard::Offer(send) } else { Guard::Send(send) }
            }
            StmtKind::Recv { chan, random, copy, args } => {
                let chan = self.load(chan);
                let args = args.iter().map(|arg| self.argument(arg)).collect();
                self.program.receives.push(Receive { chan, random: *random, copy: *copy, args, span: stmt.span });
                let receive = self.program.receives.len() as u32 - 1;
                self.emit(Instruction::Receive(receive));
                if self.is_rendezvous(chan) && !copy { Guard::Accept(receive) } else { Guard::Receive(receive) }
            }
            StmtKind::Assert(e) => {
                let node = self.expr(e);
                self.emit_hoisted();
                self.emit(Instruction::Assert(node));
                Guard::True
            }
            StmtKind::Printf(format, args) => {
                let args = args.iter().map(|arg| (self.expr(arg), names_of(arg))).collect();
                self.print(format.clone(), args)
            }
            StmtKind::Printm(e) => {
                let args = vec![(self.expr(e), names_of(e))];
                self.print(Format { parts: vec![FormatPart::Name] }, args)
            }
            // Structure, not steps: the flow has taken them apart.
            StmtKind::Exclusive { .. }
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::If(_)
            | StmtKind::Do(_)
            | StmtKind::Atomic(_)
            | StmtKind::DStep(_)
            | StmtKind::Block(_)
            | StmtKind::Unless(..) => Guard::True,
        }
    }

    /// Whether an expression is always the same rendezvous channel.
    fn is_rendezvous(&self, chan: NodeId) -> bool {
        self.shape(chan).is_some_and(|shape| shape.capacity == 0)
    }

    /// The shape of a channel whose number is known.
    fn shape(&self, chan: NodeId) -> Option<&ChannelShape> {
        let Node::Const(number) = self.program.nodes[chan] else { return None };
        let place = self.layout.channels.get(usize::try_from(number - 1).ok()?)?;
        Some(&self.layout.shapes[place.ty])
    }

    fn print(&mut self, format: Format, args: Vec<(NodeId, MtypeSetId)>) -> Guard {
        self.emit_hoisted();
        self.program.prints.push(Print { format, args });
        self.emit(Instruction::Print(self.program.prints.len() as u32 - 1));
        Guard::True
    }

    fn emit(&mut self, instruction: Instruction) {
        self.program.instructions.push(instruction);
    }

    /// Emits the `run`s of the expression just compiled, if there are any.
    fn emit_hoisted(&mut self) -> bool {
        let runs = std::mem::take(&mut self.hoisted);
        runs.iter().for_each(|&run| self.emit(Instruction::Run(run)));
        !runs.is_empty()
    }

    fn assign(&mut self, place: &'m Place, value: &'m Expr) {
        let target = self.target(place);
        let node = self.expr(value);
        self.emit_hoisted();
        let field = match target {
            Target::Field(field) if !self.is_plain => field,
            _ => {
                self.emit(Instruction::Store(target, node));
                return;
            }
        };
        let step = match self.program.nodes[node] {
            Node::Const(value) => Instruction::SetConst(field, value),
            Node::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                match (op, self.program.nodes[a], self.program.nodes[b]) {
                    (BinaryOp::Add, Node::Load(from), Node::Const(by)) if from == field => Instruction::Add(field, by),
                    (BinaryOp::Sub, Node::Load(from), Node::Const(by)) if from == field => {
                        Instruction::Add(field, by.wrapping_neg())
                    }
                    _ => Instruction::Set(field, node),
                }
            }
            _ => Instruction::Set(field, node),
        };
        self.emit(step);
    }

    fn declare(&mut self, id: VarId) {
        let Some(template) = self.template else { return };
        let layout = self.layout;
        let var = &self.model.proctypes[layout.templates[template].proctype].locals[id];
        let Some(slot) = &layout.templates[template].locals[id] else { return };
        match var.ty {
            VarType::Basic(_) => self.set_slot(slot, &var.init, true),
            VarType::Struct(_) => self.emit(Instruction::Declare),
        }
    }

    /// Instructions that give variables their initial values in fresh, zeroed places. Channels with constant places
    /// are numbered on from `first_channel`.
    pub(super) fn initialisers(
        &mut self,
        vars: &'m PrimaryMap<VarId, Var>,
        slots: &SecondaryMap<VarId, Option<Slot>>,
        first_channel: usize,
        params: usize,
        at_creation: impl Fn(&Var) -> bool,
    ) -> Block {
        let start = self.program.instructions.len() as u32;
        let mut next_channel = first_channel;
        // Parameters have the values that are passed, or zero, whatever the declaration of a structure gives.
        for (id, var) in vars.iter().skip(params) {
            // A channel is created with its process even if it is declared further down.
            let creates = matches!(var.init, Init::Chan(_)) || at_creation(var);
            if creates {
                self.initialise(var, slots[id].as_ref(), &mut next_channel);
            }
        }
        Block { start, end: self.program.instructions.len() as u32 }
    }

    fn initialise(&mut self, var: &'m Var, slot: Option<&Slot>, next_channel: &mut usize) {
        match (&var.init, var.ty) {
            (Init::Chan(ty), _) => {
                for index in 0..var.len.unwrap_or(1) {
                    let target = match slot {
                        Some(Slot::Value(field)) => Target::Field(*field),
                        Some(Slot::Values(array)) => Target::Field(array.element(index)),
                        _ => Target::Nowhere,
                    };
                    *next_channel += 1;
                    match target {
                        _ if !self.channels_are_constant() => self.emit(Instruction::NewChannel(*ty, target)),
                        Target::Field(field) => self.emit(Instruction::SetConst(field, *next_channel as i32)),
                        _ => {}
                    }
                }
            }
            (_, VarType::Struct(id)) => {
                let model = self.model;
                for index in 0..var.len.unwrap_or(1) {
                    for (field_id, field) in &model.structs[id].fields {
                        let inner = slot.and_then(|slot| field_slot(slot, field_id, index));
                        self.initialise(field, inner.as_ref(), next_channel);
                    }
                }
            }
            (init, VarType::Basic(_)) => {
                if let Some(slot) = slot {
                    self.set_slot(slot, init, false);
                }
            }
        }
    }

    /// Whether channels created now have constant places: globals' always, processes' in a fixed layout.
    fn channels_are_constant(&self) -> bool {
        self.template.is_none() || self.layout.is_fixed
    }

    fn set_slot(&mut self, slot: &Slot, init: &'m Init, also_zero: bool) {
        let value = match init {
            Init::Zero if !also_zero => return,
            Init::Zero => self.node(Node::Const(0), Default::default()),
            Init::Value(value) => self.expr(value),
            Init::List(values) => {
                if let Slot::Values(array) = slot {
                    for index in 0..array.len {
                        let value = match values.get(index as usize) {
                            Some(value) => self.expr(value),
                            None => self.node(Node::Const(0), Default::default()),
                        };
                        self.emit(Instruction::Set(array.element(index), value));
                    }
                }
                return;
            }
            Init::Chan(_) => return,
        };
        self.emit_hoisted();
        match slot {
            Slot::Value(field) => self.emit(Instruction::Set(*field, value)),
            Slot::Values(array) => {
                self.program.arrays.push(*array);
                self.emit(Instruction::Fill { array: self.program.arrays.len() as u32 - 1, value });
            }
            Slot::Struct(_) | Slot::Structs { .. } | Slot::Constant(_) | Slot::Channel(_) | Slot::Channels { .. } => {}
        }
    }
}

/// The set of names that an expression's value belongs to; the unnamed one by default.
fn names_of(e: &Expr) -> MtypeSetId {
    match &e.kind {
        ExprKind::Load(Place { ty: BasicType::Mtype(set), .. }) => *set,
        _ => MtypeSetId::new(0),
    }
}

/// The slot of a structure's field, for one element if it is an array of structures.
fn field_slot(slot: &Slot, field: VarId, index: u32) -> Option<Slot> {
    match slot {
        Slot::Struct(slots) => slots.get(field.index()).cloned(),
        Slot::Structs { word, local, stride, element, .. } => {
            element.get(field.index()).map(|inner| moved(inner, word + index * stride, *local))
        }
        _ => None,
    }
}

/// A slot inside a structure that starts `offset` words further.
fn moved(slot: &Slot, offset: u32, local: bool) -> Slot {
    match slot.clone() {
        Slot::Value(mut field) => {
            field.word += offset;
            field.local |= local;
            Slot::Value(field)
        }
        Slot::Values(mut array) => {
            array.first.word += offset;
            array.first.local |= local;
            Slot::Values(array)
        }
        Slot::Struct(slots) => Slot::Struct(slots.iter().map(|inner| moved(inner, offset, local)).collect()),
        Slot::Structs { word, local: inner_local, stride, len, element } => {
            Slot::Structs { word: word + offset, local: inner_local || local, stride, len, element }
        }
        constant => constant,
    }
}
