//! Which values each variable and each field of a message can have, so that it takes no more bits than they need.
//!
//! An interval per variable, the same at every place of the program: the join of all values that are ever stored in it.
//! What a condition implies for a variable holds as long as nothing can have changed it: for a local until it is written
//! or control may come from elsewhere (`Facts`), for a global only while no other process can move.
//! Invariant: every value that a run stores in a variable lies in its range. The ranges grow until another pass over the
//! model adds nothing (after a few passes a range that still grows becomes that of its type). Each pass after that starts
//! from nothing and reads the ranges before it: it can only remove what widening has added too much.
//!
//! Cousot, Cousot, "Abstract Interpretation: A Unified Lattice Model for Static Analysis of Programs", POPL 1977.

mod facts;
mod interval;

use cranelift_entity::SecondaryMap;
use promela::ids::{ChanTypeId, ProcTypeId, StructId, VarId};
use promela::model::*;

use crate::analysis::usage::Usage;
use crate::code::compare::{mirrored, negated};
use facts::Facts;
pub use interval::Range;

/// Passes in which ranges grow by what is stored, before they grow to the bounds of the type.
const EXACT_PASSES: usize = 10;
/// After this many passes each range becomes that of its type.
const MAX_PASSES: usize = 30;
/// The most passes that narrow.
const MAX_NARROWING_PASSES: usize = 8;

/// The ranges of a model.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Ranges {
    globals: SecondaryMap<VarId, Range>,
    locals: SecondaryMap<ProcTypeId, SecondaryMap<VarId, Range>>,
    /// Of a structure's field, in all variables of that type together.
    fields: SecondaryMap<StructId, SecondaryMap<VarId, Range>>,
    messages: SecondaryMap<ChanTypeId, Vec<Range>>,
}

impl Ranges {
    /// `pids` is the most processes that can exist.
    pub fn of(model: &CheckedModel, usage: &Usage, pids: usize) -> Self {
        let mut nothing = Ranges::default();
        for (ty, chan) in &model.chan_types {
            nothing.messages[ty] = vec![Range::ZERO; chan.fields.len()];
        }
        let longest = model.chan_types.values().map(|ty| ty.capacity as usize).max().unwrap_or(0);
        let mut ranges = nothing.clone();
        for pass in 0.. {
            let known = ranges.clone();
            let growth = if pass < EXACT_PASSES { Growth::Joined } else { Growth::Widened };
            ranges = Pass { model, usage, pids, longest, known: &known, found: known.clone(), growth }.run();
            if ranges == known {
                break;
            }
            if pass == MAX_PASSES {
                ranges = Ranges::of_types(model);
                break;
            }
        }
        for _ in 0..MAX_NARROWING_PASSES {
            let (known, found) = (ranges, nothing.clone());
            ranges = Pass { model, usage, pids, longest, known: &known, found, growth: Growth::Joined }.run();
            if ranges == known {
                break;
            }
        }
        ranges
    }

    /// Everything that the types allow.
    pub fn of_types(model: &CheckedModel) -> Self {
        let mut ranges = Ranges::default();
        let whole = |var: &Var| match var.ty {
            VarType::Basic(ty) => Range::of_type(ty),
            VarType::Struct(_) => Range::ZERO,
        };
        for (id, var) in &model.globals {
            ranges.globals[id] = whole(var);
        }
        for (proctype, proc) in &model.proctypes {
            for (id, var) in &proc.locals {
                ranges.locals[proctype][id] = whole(var);
            }
        }
        for (parent, structure) in &model.structs {
            for (id, var) in &structure.fields {
                ranges.fields[parent][id] = whole(var);
            }
        }
        for (id, ty) in &model.chan_types {
            ranges.messages[id] = ty.fields.iter().map(|&field| Range::of_type(field)).collect();
        }
        ranges
    }

    /// Of a global that is not a structure.
    pub fn global(&self, var: VarId) -> Range {
        self.globals[var]
    }

    /// Of a local that is not a structure.
    pub fn local(&self, proctype: ProcTypeId, var: VarId) -> Range {
        self.locals[proctype][var]
    }

    /// Of a field of a structure that is not one itself.
    pub fn field(&self, parent: StructId, field: VarId) -> Range {
        self.fields[parent][field]
    }

    /// Of the fields of a message.
    pub fn message(&self, ty: ChanTypeId) -> &[Range] {
        &self.messages[ty]
    }
}

/// How a range takes in values outside it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Growth {
    /// It becomes as large as it must.
    Joined,
    /// It becomes as large as its type allows.
    Widened,
}

impl Growth {
    fn apply(self, range: &mut Range, value: Range, ty: BasicType) {
        let (before, most) = (*range, Range::of_type(ty));
        *range = range.join(value.cut(ty));
        if self == Growth::Widened && range.low < before.low {
            range.low = most.low;
        }
        if self == Growth::Widened && range.high > before.high {
            range.high = most.high;
        }
    }
}

/// Whose statements are analysed.
#[derive(Clone, Copy)]
enum Owner {
    Proctype(ProcTypeId),
    /// A never claim or an event automaton: its locals are not followed.
    Monitor,
}

/// Who else may move between two statements.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Alone {
    /// Anybody.
    No,
    /// Anybody if the process blocks.
    UntilBlocked,
    /// Nobody.
    Always,
}

struct Pass<'p> {
    model: &'p CheckedModel,
    usage: &'p Usage,
    /// The most processes.
    pids: usize,
    /// The most messages in a channel.
    longest: usize,
    known: &'p Ranges,
    found: Ranges,
    growth: Growth,
}

impl Pass<'_> {
    fn run(mut self) -> Ranges {
        let model = self.model;
        for (id, var) in &model.globals {
            self.initial(var, Owner::Monitor, |pass, value, ty| {
                pass.growth.apply(&mut pass.found.globals[id], value, ty)
            });
        }
        for (parent, structure) in &model.structs {
            for (id, var) in &structure.fields {
                self.initial(var, Owner::Monitor, |pass, value, ty| {
                    pass.growth.apply(&mut pass.found.fields[parent][id], value, ty);
                });
            }
        }
        for (id, proc) in &model.proctypes {
            let owner = Owner::Proctype(id);
            for (local, var) in &proc.locals {
                self.initial(var, owner, |pass, value, ty| {
                    pass.growth.apply(&mut pass.found.locals[id][local], value, ty);
                });
            }
            self.active_parameters(id, proc);
            self.body(owner, &proc.body);
        }
        let claims = model.claims.iter().map(|claim| &claim.body);
        for proc in claims.chain(model.trace.iter().map(|trace| &trace.body)) {
            self.body(Owner::Monitor, &proc.body);
        }
        self.found
    }

    /// The values a declaration gives.
    fn initial(&mut self, var: &Var, owner: Owner, mut store: impl FnMut(&mut Self, Range, BasicType)) {
        let VarType::Basic(ty) = var.ty else { return };
        let facts = Facts::default();
        match &var.init {
            Init::Zero => {}
            Init::Value(value) => {
                let value = self.eval(value, owner, &facts);
                store(self, value, ty);
            }
            Init::List(values) => {
                for value in values {
                    let value = self.eval(value, owner, &facts);
                    store(self, value, ty);
                }
            }
            Init::Chan(_) => store(self, Range::of_type(ty), ty),
        }
    }

    /// Structures among the parameters are not followed: whatever is passed may be in them.
    fn active_parameters(&mut self, id: ProcTypeId, proc: &ProcType) {
        if proc.locals.values().take(proc.params).all(|param| matches!(param.ty, VarType::Basic(_))) {
            return;
        }
        for (param, var) in proc.locals.iter().take(proc.params) {
            match var.ty {
                VarType::Basic(ty) => self.growth.apply(&mut self.found.locals[id][param], Range::of_type(ty), ty),
                VarType::Struct(parent) => self.anything_in(parent),
            }
        }
    }

    fn anything_in(&mut self, parent: StructId) {
        let model = self.model;
        for (id, var) in &model.structs[parent].fields {
            match var.ty {
                VarType::Basic(ty) => self.growth.apply(&mut self.found.fields[parent][id], Range::of_type(ty), ty),
                VarType::Struct(inner) => self.anything_in(inner),
            }
        }
    }

    fn body(&mut self, owner: Owner, body: &Sequence) {
        Walk { pass: self, owner, facts: Facts::default(), alone: Alone::No }.sequence(body);
    }

    /// A value is stored at a place.
    fn store(&mut self, owner: Owner, place: &Place, value: Range) {
        let range = match (place.fields.last(), place.scope, owner) {
            (Some(last), ..) => &mut self.found.fields[last.parent][last.field],
            (None, Scope::Global, _) => &mut self.found.globals[place.var],
            (None, Scope::Local, Owner::Proctype(id)) => &mut self.found.locals[id][place.var],
            (None, Scope::Local, Owner::Monitor) => return,
        };
        self.growth.apply(range, value, place.ty);
    }

    /// What may be at a place.
    fn load(&self, owner: Owner, place: &Place) -> Range {
        match (place.fields.last(), place.scope, owner) {
            (Some(last), ..) => self.known.fields[last.parent][last.field],
            (None, Scope::Global, _) => self.known.globals[place.var],
            (None, Scope::Local, Owner::Proctype(id)) => self.known.locals[id][place.var],
            (None, Scope::Local, Owner::Monitor) => Range::of_type(place.ty),
        }
    }

    /// The kinds of channel that a place may hold, given how many fields its messages have.
    fn channels(&self, owner: Owner, place: &Place, fields: usize) -> Vec<ChanTypeId> {
        let declared = match (place.scope, owner) {
            _ if !place.fields.is_empty() => None,
            (Scope::Global, _) => {
                Some(&self.model.globals[place.var]).filter(|_| !self.usage.global_is_written(place.var))
            }
            (Scope::Local, Owner::Proctype(id)) => {
                let var = &self.model.proctypes[id].locals[place.var];
                Some(var).filter(|_| !self.usage.local_is_written(id, place.var))
            }
            (Scope::Local, Owner::Monitor) => None,
        };
        match declared.map(|var| &var.init) {
            Some(&Init::Chan(ty)) => vec![ty],
            _ => self.model.chan_types.iter().filter(|(_, ty)| ty.fields.len() == fields).map(|(id, _)| id).collect(),
        }
    }

    /// The values an expression may have.
    fn eval(&mut self, e: &Expr, owner: Owner, facts: &Facts) -> Range {
        match &e.kind {
            ExprKind::Const(value) => Range::just(*value),
            ExprKind::Load(place) => facts.about(place).unwrap_or_else(|| self.load(owner, place)),
            ExprKind::Unary(op, a) => self.eval(a, owner, facts).unary(*op),
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.eval(a, owner, facts), self.eval(b, owner, facts));
                a.binary(*op, b)
            }
            ExprKind::Cond(c, a, b) => {
                self.eval(c, owner, facts);
                self.eval(a, owner, facts).join(self.eval(b, owner, facts))
            }
            ExprKind::Run { proctype, args, priority } => {
                if let Some(priority) = priority {
                    self.eval(priority, owner, facts);
                }
                let args: Vec<Range> = args.iter().map(|arg| self.eval(arg, owner, facts)).collect();
                self.pass_on(*proctype, &args);
                Range::up_to(self.pids)
            }
            ExprKind::Pid => Range::up_to(self.pids.saturating_sub(1)),
            ExprKind::RemoteLoad { proctype, place, .. } => self.load(Owner::Proctype(*proctype), place),
            ExprKind::NrPr | ExprKind::Last | ExprKind::GetPriority(_) | ExprKind::SetPriority(..) => Range::up_to(255),
            ExprKind::ChanTest(..)
            | ExprKind::Poll { .. }
            | ExprKind::Timeout
            | ExprKind::NonProgress
            | ExprKind::Enabled(_)
            | ExprKind::RemoteLabel { .. } => Range::BOOL,
            ExprKind::Len(_) => Range::up_to(self.longest),
            ExprKind::Any | ExprKind::PcValue(_) => Range::FULL,
        }
    }

    /// Arguments become parameters.
    fn pass_on(&mut self, proctype: ProcTypeId, args: &[Range]) {
        let proc = &self.model.proctypes[proctype];
        for ((param, var), &value) in proc.locals.iter().take(proc.params).zip(args) {
            if let VarType::Basic(ty) = var.ty {
                self.growth.apply(&mut self.found.locals[proctype][param], value, ty);
            }
        }
    }
}

/// The statements of one body, in order.
struct Walk<'w, 'p> {
    pass: &'w mut Pass<'p>,
    owner: Owner,
    facts: Facts,
    alone: Alone,
}

impl Walk<'_, '_> {
    fn sequence(&mut self, sequence: &Sequence) {
        for stmt in &sequence.stmts {
            if !stmt.labels.is_empty() {
                self.facts.forget_all();
            }
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Expr(e) => {
                self.may_block();
                self.eval(e);
                self.believe(e, true);
            }
            StmtKind::Assert(e) | StmtKind::Printm(e) => {
                self.eval(e);
            }
            StmtKind::Printf(_, args) => args.iter().for_each(|arg| {
                self.eval(arg);
            }),
            StmtKind::Assign(place, value) => {
                let value = self.eval(value);
                self.store(place, value);
            }
            // Counted with the declarations.
            StmtKind::Declare(var) => self.facts.forget(Scope::Local, *var),
            StmtKind::Send { chan, args, .. } => {
                self.may_block();
                for (nth, arg) in args.iter().enumerate() {
                    let value = self.eval(arg);
                    self.send(chan, args.len(), nth, value);
                }
                self.may_block();
            }
            StmtKind::Recv { chan, args, .. } => {
                self.may_block();
                for (nth, arg) in args.iter().enumerate() {
                    if let RecvArg::Bind(place) = arg {
                        let value = self.receive(chan, args.len(), nth);
                        self.store(place, value);
                    }
                }
                self.may_block();
            }
            StmtKind::If(options) => self.choice(stmt, options, self.facts.clone()),
            StmtKind::Do(options) => {
                let mut facts = self.facts.clone();
                facts.forget_written(stmt);
                self.choice(stmt, options, facts);
            }
            StmtKind::Atomic(body) => {
                // A process that is held back inside an atomic sequence is not alone there.
                let model = self.pass.model;
                let held_back = model.uses_priorities || model.proctypes.values().any(|proc| proc.provided.is_some());
                self.alone_in(body, if held_back { Alone::No } else { Alone::UntilBlocked });
            }
            StmtKind::DStep(body) => self.alone_in(body, Alone::Always),
            StmtKind::Block(body) => self.sequence(body),
            StmtKind::Unless(main, escape) => {
                for part in [main, escape] {
                    self.facts.forget_all();
                    self.sequence(part);
                }
                self.facts.forget_all();
            }
            StmtKind::Exclusive { .. } | StmtKind::Else | StmtKind::Goto(_) | StmtKind::Break => {}
        }
    }

    fn choice(&mut self, stmt: &Stmt, options: &[Sequence], mut facts: Facts) {
        if self.alone != Alone::Always {
            facts.forget_globals();
        }
        for option in options {
            self.facts = facts.clone();
            self.sequence(option);
        }
        self.facts = facts;
        self.facts.forget_written(stmt);
    }

    fn alone_in(&mut self, body: &Sequence, alone: Alone) {
        let outside = self.alone;
        if outside != Alone::Always {
            // The first statement may block, also that of a `d_step` in the middle of an atomic sequence.
            self.facts.forget_globals();
            self.alone = alone;
        }
        self.sequence(body);
        self.alone = outside;
        if outside != Alone::Always {
            self.facts.forget_globals();
        }
    }

    /// Others may move before this statement can.
    fn may_block(&mut self) {
        if self.alone != Alone::Always {
            self.facts.forget_globals();
        }
    }

    fn eval(&mut self, e: &Expr) -> Range {
        self.pass.eval(e, self.owner, &self.facts)
    }

    fn store(&mut self, place: &Place, value: Range) {
        self.pass.store(self.owner, place, value);
        if place.fields.is_empty() {
            self.facts.forget(place.scope, place.var);
        }
    }

    fn send(&mut self, chan: &Place, fields: usize, nth: usize, value: Range) {
        let model = self.pass.model;
        for ty in self.pass.channels(self.owner, chan, fields) {
            if let (Some(range), Some(&field)) =
                (self.pass.found.messages[ty].get_mut(nth), model.chan_types[ty].fields.get(nth))
            {
                self.pass.growth.apply(range, value, field);
            }
        }
    }

    fn receive(&self, chan: &Place, fields: usize, nth: usize) -> Range {
        let channels = self.pass.channels(self.owner, chan, fields);
        let fields = channels.into_iter().filter_map(|ty| self.pass.known.messages[ty].get(nth));
        fields.fold(Range::ZERO, |all, &field| all.join(field))
    }

    /// The condition holds here (or does not).
    fn believe(&mut self, e: &Expr, holds: bool) {
        match &e.kind {
            ExprKind::Unary(UnaryOp::Not, a) => self.believe(a, !holds),
            ExprKind::Binary(BinaryOp::And, a, b) if holds => [a, b].into_iter().for_each(|e| self.believe(e, holds)),
            ExprKind::Binary(BinaryOp::Or, a, b) if !holds => [a, b].into_iter().for_each(|e| self.believe(e, holds)),
            ExprKind::Binary(op, a, b) => {
                let op = if holds { Some(*op) } else { negated(*op) };
                let (left, right) = (self.eval(a), self.eval(b));
                if let Some(op) = op {
                    self.learn(a, left.such_that(op, right));
                    if let Some(op) = mirrored(op) {
                        self.learn(b, right.such_that(op, left));
                    }
                }
            }
            ExprKind::Load(_) => {
                let op = if holds { BinaryOp::Ne } else { BinaryOp::Eq };
                let value = self.eval(e);
                self.learn(e, value.such_that(op, Range::ZERO));
            }
            _ => {}
        }
    }

    fn learn(&mut self, e: &Expr, range: Option<Range>) {
        let (ExprKind::Load(place), Some(range)) = (&e.kind, range) else { return };
        let is_ours = match (place.scope, self.owner) {
            (Scope::Local, Owner::Proctype(_)) => true,
            (Scope::Local, Owner::Monitor) => false,
            (Scope::Global, _) => self.alone != Alone::No,
        };
        if is_ours && place.index.is_none() && place.fields.is_empty() {
            self.facts.learn(place.scope, place.var, range);
        }
    }
}
