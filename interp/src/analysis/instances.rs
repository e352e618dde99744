//! Which processes can ever exist, and in which slot: known before the run.
//!
//! A process gets the least pid that is free, and dies only after all younger ones: processes are a stack, and a pid is a
//! place in it, a *slot*. Which proctypes can be in a slot, and with which arguments, follows from where the stack can end
//! when a `run` is executed. That is an interval: from the processes that surely live (below the creator, its own
//! children that cannot end, all it has created since it was last interrupted) to all that can have been created.
//!
//! Every process that creates others is followed with the values it knows (`creator.rs`), so that loops are unrolled and
//! arguments are numbers; how much others can create meanwhile is bounded by their longest paths (`descendants.rs`).
//! Invariant: in every reachable state the process in slot k is one of `slots[k].roles`, with its constant arguments and
//! priority, if `slots` has k; and if the number of processes is bounded, `slots` has all.

mod creator;
mod descendants;
mod stack;

use std::iter::repeat_n;

use cranelift_entity::{EntitySet, PrimaryMap};
use promela::ids::ProcTypeId;
use promela::model::{CheckedModel, Expr, ExprKind, Sequence, Stmt, StmtKind};
use promela::source::Span;

use crate::analysis::channels;
use crate::analysis::usage::Usage;
use crate::code::flow::{Edge, Flow, Step};
use crate::code::layout::LIMIT;

/// The processes of a model.
#[derive(Clone, Debug)]
pub struct Instances {
    /// Those alive at the start, in order of creation.
    pub initial: Vec<ProcTypeId>,
    /// Who can have which pid.
    pub slots: Vec<PidSlot>,
    /// A `run` that can be executed any number of times, if there is one: `slots` does not have all pids then.
    pub unbounded: Option<Span>,
    /// States have constant places for all of `slots`.
    pub is_fixed: bool,
    /// All processes have the same priority at all times, so that priorities decide nothing.
    pub has_one_priority: bool,
    /// Some statement changes a priority.
    pub sets_priorities: bool,
}

/// A place in the stack of processes.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PidSlot {
    /// Who can be in it, in the order in which the analysis has met them: mostly that of creation.
    pub roles: Vec<Role>,
    /// Whether its process may die while others can still be created: another one may come here.
    pub is_reused: bool,
}

/// A process that can be in a slot.
#[derive(Clone, PartialEq, Debug)]
pub struct Role {
    /// What it is.
    pub proctype: ProcTypeId,
    /// By parameter: the value that it always has here when it is created. Shorter where nothing is known.
    pub args: Vec<Option<i32>>,
    /// The priority that it always has here when it is created.
    pub priority: Option<i32>,
    /// The `run`s that create it here; none if it is active from the start.
    pub created_at: Vec<Span>,
}

impl Instances {
    /// The processes of a checked model.
    pub fn of(model: &CheckedModel, usage: &Usage, flows: &PrimaryMap<ProcTypeId, Flow>) -> Self {
        let mut instances = Self::unknown(model);
        instances.has_one_priority = has_one_priority(model, &instances.initial) && !instances.sets_priorities;
        (instances.slots, instances.unbounded) = stack::slots(model, usage, flows, &instances);
        instances.is_fixed = instances.unbounded.is_none() && can_be_fixed(model, flows, &instances.slots);
        instances
    }

    /// Nothing but the processes that are active from the start.
    pub fn unknown(model: &CheckedModel) -> Self {
        let sets = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Expr(Expr { kind: ExprKind::SetPriority(..), .. }));
        Self {
            initial: model.proctypes.iter().flat_map(|(id, proc)| repeat_n(id, proc.active as usize)).collect(),
            slots: Vec::new(),
            unbounded: Some(Span::default()),
            is_fixed: false,
            has_one_priority: false,
            sets_priorities: statements(model).any(sets),
        }
    }

    /// The most processes at a time.
    pub fn most(&self) -> usize {
        match self.unbounded {
            None => self.slots.len(),
            Some(_) => LIMIT,
        }
    }
}

/// The most locations of all that can have a pid, for all pids together: each has code of its own.
const MAX_LOCATIONS: usize = 1 << 18;

/// Whether slots can have constant places: what can have the same pid creates the same channels, so that a channel's number
/// says where it is, and there is not too much code.
fn can_be_fixed(model: &CheckedModel, flows: &PrimaryMap<ProcTypeId, Flow>, slots: &[PidSlot]) -> bool {
    let channels = |role: &Role| channels::of_process(model, &model.proctypes[role.proctype]);
    let agrees = |slot: &PidSlot| slot.roles.windows(2).all(|pair| channels(&pair[0]) == channels(&pair[1]));
    let roles = slots.iter().flat_map(|slot| &slot.roles);
    let locations: usize = roles.map(|role| flows[role.proctype].locations.len()).sum();
    let has_variants = slots.iter().any(|slot| slot.roles.len() > 1);
    slots.iter().all(agrees) && (!has_variants || locations <= MAX_LOCATIONS)
}

/// The proctypes that are active, or that some `run` names.
pub fn possible(model: &CheckedModel) -> EntitySet<ProcTypeId> {
    let active = model.proctypes.iter().filter(|(_, proc)| proc.active > 0).map(|(id, _)| id);
    let mut possible = EntitySet::new();
    active.for_each(|id| {
        possible.insert(id);
    });
    for stmt in statements(model) {
        runs_of(stmt).for_each(|run| {
            possible.insert(run.proctype);
        });
    }
    possible
}

/// Whether all processes are created with the same priority.
fn has_one_priority(model: &CheckedModel, initial: &[ProcTypeId]) -> bool {
    let mut priorities: Vec<Option<i32>> =
        initial.iter().map(|&id| Some(model.proctypes[id].priority.clamp(1, 255) as i32)).collect();
    for stmt in statements(model) {
        priorities.extend(runs_of(stmt).map(|run| match run.priority.map(|priority| &priority.kind) {
            None => Some(1),
            Some(&ExprKind::Const(priority)) => Some(priority),
            Some(_) => None,
        }));
    }
    priorities.iter().all(|priority| priority.is_some() && *priority == priorities[0])
}

/// A `run` in an expression.
pub(crate) struct RunExpr<'m> {
    pub(crate) proctype: ProcTypeId,
    priority: Option<&'m Expr>,
}

/// The `run`s of a statement that is a step.
pub(crate) fn runs_of(stmt: &Stmt) -> impl Iterator<Item = RunExpr<'_>> {
    let mut waiting: Vec<&Expr> = match &stmt.kind {
        StmtKind::Expr(e) | StmtKind::Assert(e) | StmtKind::Printm(e) | StmtKind::Assign(_, e) => vec![e],
        StmtKind::Send { args, .. } | StmtKind::Printf(_, args) => args.iter().collect(),
        _ => Vec::new(),
    };
    std::iter::from_fn(move || {
        while let Some(e) = waiting.pop() {
            match &e.kind {
                ExprKind::Run { proctype, args, priority } => {
                    waiting.extend(args);
                    return Some(RunExpr { proctype: *proctype, priority: priority.as_deref() });
                }
                ExprKind::Unary(_, a) => waiting.push(a),
                ExprKind::Binary(_, a, b) => waiting.extend([&**a, &**b]),
                ExprKind::Cond(c, a, b) => waiting.extend([&**c, &**a, &**b]),
                _ => {}
            }
        }
        None
    })
}

/// All statements of processes, the parts of compound ones too.
fn statements(model: &CheckedModel) -> impl Iterator<Item = &Stmt> {
    let mut waiting: Vec<&Sequence> = model.proctypes.values().map(|proc| &proc.body).collect();
    let mut stmts = Vec::new();
    while let Some(sequence) = waiting.pop() {
        for stmt in &sequence.stmts {
            match &stmt.kind {
                StmtKind::If(options) | StmtKind::Do(options) => waiting.extend(options),
                StmtKind::Atomic(body) | StmtKind::DStep(body) | StmtKind::Block(body) => waiting.push(body),
                StmtKind::Unless(main, escape) => waiting.extend([main, escape]),
                _ => {}
            }
            stmts.push(stmt);
        }
    }
    stmts.into_iter()
}

/// Whether a process with this control flow can end.
fn can_end(flow: &Flow) -> bool {
    let is_end = |edge: &Edge| matches!(edge.step, Step::End);
    flow.locations.values().any(|location| location.edges.iter().any(is_end))
}
