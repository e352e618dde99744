//! One process that creates others, alone: its control flow with the values that it surely has.
//!
//! A variable is followed if it is a scalar that nobody else writes: a local, or, if the process is the only one of its
//! proctype, a global that no other proctype writes. Its value is a number where it is known and `None` where it is not, so
//! that a loop with a known bound is unrolled by following it. What is behind the last `run` is left out.
//! Invariant: every run of the process is a path of moves, whatever the other processes do.

use cranelift_entity::SecondaryMap;
use promela::ids::{ProcTypeId, VarId};
use promela::model::{
    BasicType, CheckedModel, Expr, ExprKind, Init, Place, RecvArg, Scope, Stmt, StmtKind, UnaryOp, Var, VarType,
};
use promela::source::Span;

use crate::analysis::channels;
use crate::analysis::usage::Usage;
use crate::code::arithmetic::binary;
use crate::code::flow::{Edge, Flow, Step};
use crate::code::layout::cut;
use crate::ids::Pc;

/// The values of the variables that are followed, where they are known.
pub(super) type Values = Box<[Option<i32>]>;

/// Who creates, and what it was created with.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Context {
    pub(super) proctype: ProcTypeId,
    /// Its arguments, where they are known; empty for a process that is active from the start.
    pub(super) args: Vec<Option<i32>>,
    /// The number of channels before its own, if that is known.
    pub(super) channels_before: Option<usize>,
}

/// A process that is created.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Spawned {
    pub(super) proctype: ProcTypeId,
    pub(super) args: Vec<Option<i32>>,
    pub(super) priority: Option<i32>,
    pub(super) span: Span,
}

/// A step of the process.
pub(super) struct Move {
    /// Where it leads; `None` when the process ends.
    pub(super) to: Option<Pc>,
    pub(super) values: Values,
    /// The processes it creates, in order.
    pub(super) spawned: Vec<Spawned>,
    /// No other process can move before the next step, unless that one blocks.
    pub(super) keeps_control: bool,
}

/// Whether an edge can be taken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Executable {
    Never,
    Perhaps,
    Always,
}

/// The control flow of a process that creates others.
pub(super) struct Creator<'a, 'm> {
    model: &'m CheckedModel,
    usage: &'a Usage,
    flow: &'a Flow<'m>,
    context: Context,
    /// The variables that are followed.
    followed: Vec<(Scope, VarId)>,
    /// By location: a `run` can still come.
    before_runs: SecondaryMap<Pc, bool>,
    /// The process can lose control at any step.
    is_held_back: bool,
}

impl<'a, 'm> Creator<'a, 'm> {
    /// `is_alone`: no other process of the proctype can exist. `follows`: whether variables are followed at all.
    pub(super) fn new(
        (model, usage, flow): (&'m CheckedModel, &'a Usage, &'a Flow<'m>),
        context: Context,
        (is_alone, follows, is_held_back): (bool, bool, bool),
    ) -> Self {
        let proctype = context.proctype;
        let is_scalar = |var: &Var| matches!(var.ty, VarType::Basic(_)) && var.len.is_none();
        let is_private =
            |id: VarId| !usage.global_is_written(id) || is_alone && usage.global_is_written_only_by(proctype, id);
        let globals = model.globals.iter().filter(|(id, var)| is_scalar(var) && is_private(*id));
        let locals = model.proctypes[proctype].locals.iter().filter(|(_, var)| is_scalar(var));
        let followed = match follows {
            true => {
                globals.map(|(id, _)| (Scope::Global, id)).chain(locals.map(|(id, _)| (Scope::Local, id))).collect()
            }
            false => Vec::new(),
        };
        let before_runs = before_runs(flow);
        Creator { model, usage, flow, context, followed, before_runs, is_held_back }
    }

    /// Where the process starts, and with which values.
    pub(super) fn start(&self) -> (Pc, Values) {
        let proc = &self.model.proctypes[self.context.proctype];
        let initial = |&(scope, id): &(Scope, VarId)| match scope {
            Scope::Global => self.initial_value(&self.model.globals[id], &[]),
            Scope::Local => {
                let nth = id.as_u32() as usize;
                if nth < proc.params {
                    // An active process has zeros.
                    return if self.context.args.is_empty() { Some(0) } else { self.context.args.get(nth).copied()? };
                }
                let var = &proc.locals[id];
                if var.declared_by_step { Some(0) } else { self.initial_value(var, &[]) }
            }
        };
        (self.flow.start, self.followed.iter().map(initial).collect())
    }

    /// Whether a `run` can follow.
    pub(super) fn can_run(&self, pc: Pc) -> bool {
        self.before_runs[pc]
    }

    /// The steps out of a location, and whether the process may block there.
    pub(super) fn moves(&self, pc: Pc, values: &Values) -> (Vec<Move>, bool) {
        let edges = &self.flow.locations[pc].edges;
        let is_else = |edge: &Edge| matches!(edge.step, Step::Stmt(Stmt { kind: StmtKind::Else, .. }));
        let executable: Vec<Executable> = edges.iter().map(|edge| self.executable(edge, values)).collect();
        let is_always = |(edge, executable): (&Edge, &Executable)| *executable == Executable::Always && !is_else(edge);
        // An else looks at the edges before it only.
        let (mut always, mut moves) = (false, Vec::new());
        for (edge, executable) in edges.iter().zip(&executable) {
            let is_taken = if is_else(edge) { !always } else { *executable != Executable::Never };
            if is_taken {
                moves.push(self.take(edge, values));
            }
            always |= is_always((edge, executable));
        }
        (moves, !always && !edges.iter().any(is_else))
    }

    fn executable(&self, edge: &Edge, values: &Values) -> Executable {
        let Step::Stmt(stmt) = edge.step else {
            return if matches!(edge.step, Step::Skip) { Executable::Always } else { Executable::Perhaps };
        };
        match &stmt.kind {
            StmtKind::Expr(Expr { kind: ExprKind::SetPriority(..) | ExprKind::Run { .. }, .. }) => Executable::Always,
            StmtKind::Expr(e) => match self.eval(e, values) {
                Some(0) => Executable::Never,
                Some(_) => Executable::Always,
                None => Executable::Perhaps,
            },
            StmtKind::Send { .. } | StmtKind::Recv { .. } => Executable::Perhaps,
            _ => Executable::Always,
        }
    }

    fn take(&self, edge: &Edge<'m>, values: &Values) -> Move {
        let mut values = values.clone();
        let mut spawned = Vec::new();
        let mut hands_over = false;
        match &edge.step {
            Step::Stmt(stmt) => {
                hands_over = matches!(&stmt.kind, StmtKind::Send { chan, .. } if !self.is_buffered(chan));
                self.execute(stmt, &mut values, &mut spawned);
            }
            Step::DStep { flow, .. } => self.forget(flow, &mut values),
            Step::Skip | Step::End => {}
        }
        let keeps_control = edge.atomic && !hands_over && !self.is_held_back;
        Move { to: edge.to, values, spawned, keeps_control }
    }

    fn execute(&self, stmt: &'m Stmt, values: &mut Values, spawned: &mut Vec<Spawned>) {
        match &stmt.kind {
            StmtKind::Expr(e) | StmtKind::Assert(e) | StmtKind::Printm(e) => self.run(e, values, spawned),
            StmtKind::Assign(place, e) => {
                self.run(e, values, spawned);
                let value = self.eval(e, values);
                self.assign(place, value, values);
            }
            StmtKind::Declare(id) => {
                let var = &self.model.proctypes[self.context.proctype].locals[*id];
                let value = self.initial_value(var, values);
                self.set(Scope::Local, *id, value, values);
            }
            StmtKind::Send { args, .. } | StmtKind::Printf(_, args) => {
                args.iter().for_each(|arg| self.run(arg, values, spawned));
            }
            StmtKind::Recv { args, .. } => {
                for arg in args {
                    if let RecvArg::Bind(place) = arg {
                        self.assign(place, None, values);
                    }
                }
            }
            // Structure, not steps.
            _ => {}
        }
    }

    /// What a `d_step` may write is not known any more.
    fn forget(&self, flow: &Flow<'m>, values: &mut Values) {
        for edge in flow.locations.values().flat_map(|location| &location.edges) {
            match &edge.step {
                Step::Stmt(Stmt { kind: StmtKind::Assign(place, _), .. }) => self.assign(place, None, values),
                Step::Stmt(Stmt { kind: StmtKind::Declare(id), .. }) => self.set(Scope::Local, *id, None, values),
                Step::Stmt(stmt) => self.execute(stmt, values, &mut Vec::new()),
                Step::DStep { flow, .. } => self.forget(flow, values),
                Step::Skip | Step::End => {}
            }
        }
    }

    /// The processes that an expression creates.
    fn run(&self, e: &Expr, values: &Values, spawned: &mut Vec<Spawned>) {
        match &e.kind {
            ExprKind::Run { proctype, args, priority } => {
                args.iter().for_each(|arg| self.run(arg, values, spawned));
                let args = self.arguments(*proctype, args, values);
                let priority = priority.as_ref().map_or(Some(1), |priority| self.eval(priority, values));
                spawned.push(Spawned { proctype: *proctype, args, priority, span: e.span });
            }
            ExprKind::Unary(_, a) => self.run(a, values, spawned),
            ExprKind::Binary(_, a, b) => [a, b].into_iter().for_each(|e| self.run(e, values, spawned)),
            ExprKind::Cond(c, a, b) => [c, a, b].into_iter().for_each(|e| self.run(e, values, spawned)),
            _ => {}
        }
    }

    /// The values that parameters get, where they are known.
    fn arguments(&self, proctype: ProcTypeId, args: &[Expr], values: &Values) -> Vec<Option<i32>> {
        let proc = &self.model.proctypes[proctype];
        let params: Vec<&Var> = proc.locals.values().take(proc.params).collect();
        // Structures are passed field by field, and not followed.
        if params.len() != args.len() || params.iter().any(|param| matches!(param.ty, VarType::Struct(_))) {
            return vec![None; args.len()];
        }
        let argument = |(param, arg): (&&Var, &Expr)| {
            let VarType::Basic(ty) = param.ty else { return None };
            let value = self.eval(arg, values)?;
            match ty {
                BasicType::Chan => (0..=self.lasting_channels()).contains(&value).then_some(value),
                _ => Some(cut(ty, value)),
            }
        };
        params.iter().zip(args).map(argument).collect()
    }

    /// The channels that exist as long as the process does, by number: all up to this one.
    fn lasting_channels(&self) -> i32 {
        let own = channels::of_process(self.model, &self.model.proctypes[self.context.proctype]).len();
        match self.context.channels_before {
            Some(before) => (before + own) as i32,
            None => channels::of_globals(self.model) as i32,
        }
    }

    fn eval(&self, e: &Expr, values: &[Option<i32>]) -> Option<i32> {
        match &e.kind {
            ExprKind::Const(value) => Some(*value),
            ExprKind::Load(place) => self.load(place, values),
            ExprKind::Unary(op, a) => {
                let a = self.eval(a, values)?;
                Some(match op {
                    UnaryOp::Not => i32::from(a == 0),
                    UnaryOp::Neg => a.wrapping_neg(),
                    UnaryOp::BitNot => !a,
                })
            }
            ExprKind::Binary(op, a, b) => binary(*op, self.eval(a, values)?, self.eval(b, values)?).ok(),
            ExprKind::Cond(c, a, b) => match self.eval(c, values)? {
                0 => self.eval(b, values),
                _ => self.eval(a, values),
            },
            _ => None,
        }
    }

    fn load(&self, place: &Place, values: &[Option<i32>]) -> Option<i32> {
        if !place.fields.is_empty() {
            return None;
        }
        if let Some(channel) = self.declared_channel(place, values) {
            return Some(channel);
        }
        let at = self.followed.iter().position(|&followed| followed == (place.scope, place.var))?;
        values.get(at).copied().flatten()
    }

    /// The channel that a variable was declared with and always has.
    fn declared_channel(&self, place: &Place, values: &[Option<i32>]) -> Option<i32> {
        let proc = &self.model.proctypes[self.context.proctype];
        let (var, before, is_written) = match place.scope {
            Scope::Global => {
                let before = Some(channels::before_global(self.model, place.var));
                (&self.model.globals[place.var], before, self.usage.global_is_written(place.var))
            }
            Scope::Local => {
                let own = channels::before_local(self.model, proc, place.var);
                let before = self.context.channels_before.map(|before| before + own);
                (&proc.locals[place.var], before, self.usage.local_is_written(self.context.proctype, place.var))
            }
        };
        if !matches!(var.init, Init::Chan(_)) || is_written {
            return None;
        }
        let index = place.index.as_deref().map_or(Some(0), |index| self.eval(index, values))?;
        let index = u32::try_from(index).ok().filter(|&index| index < var.len.unwrap_or(1))?;
        Some(before? as i32 + index as i32 + 1)
    }

    /// Whether a channel surely has a buffer.
    fn is_buffered(&self, chan: &Place) -> bool {
        let locals = &self.model.proctypes[self.context.proctype].locals;
        let (var, is_written) = match chan.scope {
            Scope::Global => (&self.model.globals[chan.var], self.usage.global_is_written(chan.var)),
            Scope::Local => (&locals[chan.var], self.usage.local_is_written(self.context.proctype, chan.var)),
        };
        let capacity = |init: &Init| match init {
            Init::Chan(ty) => self.model.chan_types[*ty].capacity,
            _ => 0,
        };
        chan.fields.is_empty() && !is_written && capacity(&var.init) > 0
    }

    fn assign(&self, place: &Place, value: Option<i32>, values: &mut Values) {
        let is_whole = place.fields.is_empty() && place.index.is_none();
        self.set(place.scope, place.var, value.filter(|_| is_whole).map(|value| cut(place.ty, value)), values);
    }

    fn set(&self, scope: Scope, var: VarId, value: Option<i32>, values: &mut Values) {
        if let Some(at) = self.followed.iter().position(|&followed| followed == (scope, var)) {
            values[at] = value;
        }
    }

    fn initial_value(&self, var: &Var, values: &[Option<i32>]) -> Option<i32> {
        let VarType::Basic(ty) = var.ty else { return None };
        match &var.init {
            Init::Zero => Some(0),
            Init::Value(value) => self.eval(value, values).map(|value| cut(ty, value)),
            Init::List(_) | Init::Chan(_) => None,
        }
    }
}

/// For each location: whether a `run` can be executed from there on.
fn before_runs(flow: &Flow) -> SecondaryMap<Pc, bool> {
    let runs = |edge: &Edge| matches!(edge.step, Step::Stmt(stmt) if super::runs_of(stmt).next().is_some());
    let mut before = SecondaryMap::new();
    // Later locations mostly have larger numbers, so few rounds are needed.
    let mut has_grown = true;
    while has_grown {
        has_grown = false;
        for (pc, location) in flow.locations.iter().rev() {
            let leads_on = |edge: &Edge| edge.to.is_some_and(|to| before[to]);
            if !before[pc] && location.edges.iter().any(|edge| runs(edge) || leads_on(edge)) {
                before[pc] = true;
                has_grown = true;
            }
        }
    }
    before
}
