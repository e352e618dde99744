//! Which variables are read and which are written anywhere in the model.
//!
//! A channel variable that is never written always holds the channel it was declared with, and a hidden variable that
//! is never read need not exist: neither takes bits of the state.

use cranelift_entity::{EntitySet, PrimaryMap, SecondaryMap};
use promela::ids::{LabelId, ProcTypeId, VarId};
use promela::model::*;

use crate::inspect::expression::Expressions;

/// Reads and writes of each variable.
#[derive(Clone, Debug, Default)]
pub struct Usage {
    hidden: EntitySet<VarId>,
    globals_read: EntitySet<VarId>,
    globals_written: SecondaryMap<VarId, Writers>,
    locals_written: PrimaryMap<ProcTypeId, EntitySet<VarId>>,
    /// Labels that remote references name.
    watched: SecondaryMap<ProcTypeId, EntitySet<LabelId>>,
    /// Whether `_last` occurs.
    pub uses_last: bool,
}

/// Whose statements write a global.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Writers {
    #[default]
    Nobody,
    One(ProcTypeId),
    Several,
}

impl Usage {
    /// Looks at every statement and formula of the model, and at the expressions that observe it.
    pub fn of(model: &CheckedModel, expressions: &Expressions) -> Self {
        let mut usage = Usage::default();
        for (id, var) in &model.globals {
            if var.hidden {
                usage.hidden.insert(id);
            }
        }
        for (id, proc) in &model.proctypes {
            let mut scan = Scan { writer: Writers::One(id), ..Scan::new(&mut usage) };
            scan.proctype(proc);
            let written = scan.locals_written;
            usage.locals_written.push(written);
        }
        let claims = model.claims.iter().map(|claim| &claim.body);
        for body in claims.chain(model.trace.iter().map(|trace| &trace.body)) {
            Scan::new(&mut usage).proctype(body);
        }
        for block in &model.ltl {
            Scan::new(&mut usage).formula(&block.formula);
        }
        for expression in expressions.observed() {
            Scan::new(&mut usage).expr(expression);
        }
        usage
    }

    /// The same if every variable is taken to be written somewhere.
    pub fn with_all_written(mut self, model: &CheckedModel) -> Self {
        for id in model.globals.keys() {
            self.globals_written[id] = Writers::Several;
        }
        for (id, proc) in &model.proctypes {
            self.locals_written[id].extend(proc.locals.keys());
        }
        self
    }

    /// Whether the global takes part in the state.
    pub fn global_is_stored(&self, var: VarId) -> bool {
        !self.hidden.contains(var) || self.globals_read.contains(var)
    }

    /// Whether a statement writes the global (its initialiser does not count).
    pub fn global_is_written(&self, var: VarId) -> bool {
        self.globals_written[var] != Writers::Nobody
    }

    /// Whether statements of this proctype write the global, and no others.
    pub fn global_is_written_only_by(&self, proctype: ProcTypeId, var: VarId) -> bool {
        self.globals_written[var] == Writers::One(proctype)
    }

    /// The labels of a proctype that remote references name.
    pub fn watched_labels(&self, proctype: ProcTypeId) -> &EntitySet<LabelId> {
        &self.watched[proctype]
    }

    /// Whether a statement writes the local.
    pub fn local_is_written(&self, proctype: ProcTypeId, var: VarId) -> bool {
        self.locals_written[proctype].contains(var)
    }
}

struct Scan<'u> {
    usage: &'u mut Usage,
    locals_written: EntitySet<VarId>,
    /// Whose statements are looked at.
    writer: Writers,
}

impl<'u> Scan<'u> {
    /// For statements that are those of no process.
    fn new(usage: &'u mut Usage) -> Self {
        Scan { usage, locals_written: EntitySet::new(), writer: Writers::Several }
    }

    fn proctype(&mut self, proc: &ProcType) {
        for var in proc.locals.values() {
            match &var.init {
                Init::Value(value) => self.expr(value),
                Init::List(values) => values.iter().for_each(|value| self.expr(value)),
                Init::Zero | Init::Chan(_) => {}
            }
        }
        proc.provided.iter().for_each(|condition| self.expr(condition));
        self.sequence(&proc.body);
    }

    fn sequence(&mut self, sequence: &Sequence) {
        sequence.stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Expr(e) | StmtKind::Assert(e) | StmtKind::Printm(e) => self.expr(e),
            StmtKind::Assign(place, value) => {
                self.write(place);
                self.expr(value);
            }
            StmtKind::Declare(var) => {
                self.locals_written.insert(*var);
            }
            StmtKind::Send { chan, args, .. } => {
                self.read(chan);
                args.iter().for_each(|arg| self.expr(arg));
            }
            StmtKind::Recv { chan, args, .. } => {
                self.read(chan);
                args.iter().for_each(|arg| self.recv_arg(arg, true));
            }
            StmtKind::Printf(_, args) => args.iter().for_each(|arg| self.expr(arg)),
            StmtKind::If(options) | StmtKind::Do(options) => options.iter().for_each(|option| self.sequence(option)),
            StmtKind::Atomic(body) | StmtKind::DStep(body) | StmtKind::Block(body) => self.sequence(body),
            StmtKind::Unless(main, escape) => {
                self.sequence(main);
                self.sequence(escape);
            }
            StmtKind::Exclusive { chans, .. } => chans.iter().for_each(|chan| self.read(chan)),
            StmtKind::Else | StmtKind::Goto(_) | StmtKind::Break => {}
        }
    }

    fn recv_arg(&mut self, arg: &RecvArg, binds: bool) {
        match arg {
            RecvArg::Bind(place) if binds => self.write(place),
            RecvArg::Bind(_) | RecvArg::Any => {}
            RecvArg::Match(e) => self.expr(e),
        }
    }

    fn write(&mut self, place: &Place) {
        match place.scope {
            Scope::Global => {
                let writers = &mut self.usage.globals_written[place.var];
                *writers =
                    if *writers == Writers::Nobody || *writers == self.writer { self.writer } else { Writers::Several };
            }
            Scope::Local => {
                self.locals_written.insert(place.var);
            }
        }
        self.indices(place);
    }

    fn read(&mut self, place: &Place) {
        if place.scope == Scope::Global {
            self.usage.globals_read.insert(place.var);
        }
        self.indices(place);
    }

    fn indices(&mut self, place: &Place) {
        let fields = place.fields.iter().filter_map(|field| field.index.as_deref());
        for index in place.index.as_deref().into_iter().chain(fields) {
            self.expr(index);
        }
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Load(place) | ExprKind::Len(place) | ExprKind::ChanTest(_, place) => self.read(place),
            ExprKind::Unary(_, a) | ExprKind::Enabled(a) | ExprKind::PcValue(a) | ExprKind::GetPriority(a) => {
                self.expr(a);
            }
            ExprKind::Binary(_, a, b) | ExprKind::SetPriority(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Cond(c, a, b) => [c, a, b].into_iter().for_each(|e| self.expr(e)),
            ExprKind::Poll { chan, args, .. } => {
                self.read(chan);
                args.iter().for_each(|arg| self.recv_arg(arg, false));
            }
            ExprKind::Run { args, priority, .. } => {
                args.iter().chain(priority.as_deref()).for_each(|e| self.expr(e));
            }
            ExprKind::RemoteLabel { proctype, pid, label } => {
                self.usage.watched[*proctype].insert(*label);
                pid.iter().for_each(|pid| self.expr(pid));
            }
            ExprKind::RemoteLoad { pid, place, .. } => {
                pid.iter().for_each(|pid| self.expr(pid));
                self.indices(place);
            }
            ExprKind::Any
            | ExprKind::Const(_)
            | ExprKind::Timeout
            | ExprKind::NonProgress
            | ExprKind::Pid
            | ExprKind::NrPr => {}
            ExprKind::Last => self.usage.uses_last = true,
        }
    }

    fn formula(&mut self, formula: &Ltl) {
        match formula {
            Ltl::Atom(e) => self.expr(e),
            Ltl::Not(f) | Ltl::Next(f) | Ltl::Always(f) | Ltl::Eventually(f) => self.formula(f),
            Ltl::And(f, g)
            | Ltl::Or(f, g)
            | Ltl::Implies(f, g)
            | Ltl::Equivalent(f, g)
            | Ltl::Until(f, g)
            | Ltl::WeakUntil(f, g)
            | Ltl::Release(f, g) => {
                self.formula(f);
                self.formula(g);
            }
        }
    }
}
