//! Which processes will ever exist, when that can be known before the run.
//!
//! If every process is `active` or created by `run` in one uninterrupted, straight-line stretch of `init`, the n-th
//! process has the same type in every state, and the state layout can be fixed. Otherwise the layout grows with the processes.

use cranelift_entity::EntitySet;
use promela::ids::ProcTypeId;
use promela::model::{CheckedModel, Expr, ExprKind, ProcKind, ProcType, Sequence, Stmt, StmtKind};

/// The processes of a model.
#[derive(Clone, Debug)]
pub struct Instances {
    /// Those alive at the start, in order of creation.
    pub initial: Vec<ProcTypeId>,
    /// All that will ever exist, in order of creation, if that is known.
    pub fixed: Option<Vec<ProcTypeId>>,
}

impl Instances {
    /// The processes of a checked model.
    pub fn of(model: &CheckedModel) -> Self {
        let mut initial = Vec::new();
        for (id, proc) in &model.proctypes {
            initial.extend(std::iter::repeat_n(id, proc.active as usize));
        }
        let fixed = fixed(model, &initial);
        Self { initial, fixed }
    }
}

/// The proctypes that are active, or that some `run` names.
pub fn possible(model: &CheckedModel) -> EntitySet<ProcTypeId> {
    let mut runs = Vec::new();
    model.proctypes.values().for_each(|proc| runs_in(&proc.body, &mut runs));
    let active = model.proctypes.iter().filter(|(_, proc)| proc.active > 0).map(|(id, _)| id);
    let mut possible = EntitySet::new();
    for id in active.chain(runs) {
        possible.insert(id);
    }
    possible
}

fn fixed(model: &CheckedModel, initial: &[ProcTypeId]) -> Option<Vec<ProcTypeId>> {
    let mut runs = Vec::new();
    // Priorities and provided clauses can take control away in the middle of an atomic sequence.
    let interruptible = |proc: &ProcType| model.uses_priorities || proc.provided.is_some();
    for (id, proc) in &model.proctypes {
        let mut found = Vec::new();
        runs_in(&proc.body, &mut found);
        // Only an init that was created last is sure to keep all earlier processes alive.
        let known = proc.kind == ProcKind::Init
            && initial.last() == Some(&id)
            && !interruptible(proc)
            && straight_line(&proc.body, found.len());
        if !found.is_empty() && !known {
            return None;
        }
        runs.extend(found);
    }
    let all: Vec<ProcTypeId> = initial.iter().copied().chain(runs).collect();
    (all.len() <= 255).then_some(all)
}

/// Whether all `runs` of the body happen in one uninterrupted stretch.
fn straight_line(body: &Sequence, runs: usize) -> bool {
    let in_one_place = body.stmts.iter().any(|stmt| match &stmt.kind {
        StmtKind::Atomic(inner) => stretch(inner) == Some(runs),
        _ => runs == 1 && own_run(stmt).is_some(),
    });
    in_one_place && !has_jump(body)
}

/// The number of runs in a sequence of statements that never block before the last of them; `None` if they might.
fn stretch(sequence: &Sequence) -> Option<usize> {
    let mut stmts = Vec::new();
    flatten(sequence, &mut stmts);
    let never_blocks = |stmt: &&Stmt| match &stmt.kind {
        StmtKind::Assign(..)
        | StmtKind::Declare(_)
        | StmtKind::Printf(..)
        | StmtKind::Assert(_)
        | StmtKind::Printm(_)
        | StmtKind::Exclusive { .. } => true,
        StmtKind::Expr(Expr { kind: ExprKind::Const(value), .. }) => *value != 0,
        StmtKind::Expr(_) => own_run(stmt).is_some(),
        _ => false,
    };
    let uninterrupted = stmts.iter().take_while(|stmt| never_blocks(stmt)).count();
    let (before, after) = stmts.split_at(uninterrupted);
    let mut later = Vec::new();
    after.iter().for_each(|stmt| runs_of(stmt, &mut later));
    later.is_empty().then(|| before.iter().filter(|stmt| own_run(stmt).is_some()).count())
}

/// The statements of a sequence and of the blocks in it, in the order in which they are executed.
fn flatten<'m>(sequence: &'m Sequence, stmts: &mut Vec<&'m Stmt>) {
    for stmt in &sequence.stmts {
        match &stmt.kind {
            StmtKind::Block(inner) => flatten(inner, stmts),
            _ => stmts.push(stmt),
        }
    }
}

/// The proctype that a statement runs and nothing else.
fn own_run(stmt: &Stmt) -> Option<ProcTypeId> {
    let (StmtKind::Expr(e) | StmtKind::Assign(_, e)) = &stmt.kind else { return None };
    match e.kind {
        ExprKind::Run { proctype, .. } => Some(proctype),
        _ => None,
    }
}

fn has_jump(sequence: &Sequence) -> bool {
    sequence.stmts.iter().any(|stmt| match &stmt.kind {
        StmtKind::Goto(_) => true,
        StmtKind::If(options) | StmtKind::Do(options) => options.iter().any(has_jump),
        StmtKind::Atomic(body) | StmtKind::DStep(body) | StmtKind::Block(body) => has_jump(body),
        StmtKind::Unless(main, escape) => has_jump(main) || has_jump(escape),
        _ => false,
    })
}

fn runs_in(sequence: &Sequence, runs: &mut Vec<ProcTypeId>) {
    sequence.stmts.iter().for_each(|stmt| runs_of(stmt, runs));
}

fn runs_of(stmt: &Stmt, runs: &mut Vec<ProcTypeId>) {
    match &stmt.kind {
        StmtKind::Expr(e) | StmtKind::Assert(e) | StmtKind::Printm(e) | StmtKind::Assign(_, e) => runs_in_expr(e, runs),
        StmtKind::Send { args, .. } | StmtKind::Printf(_, args) => args.iter().for_each(|arg| runs_in_expr(arg, runs)),
        StmtKind::If(options) | StmtKind::Do(options) => options.iter().for_each(|option| runs_in(option, runs)),
        StmtKind::Atomic(body) | StmtKind::DStep(body) | StmtKind::Block(body) => runs_in(body, runs),
        StmtKind::Unless(main, escape) => {
            runs_in(main, runs);
            runs_in(escape, runs);
        }
        StmtKind::Else
        | StmtKind::Declare(_)
        | StmtKind::Recv { .. }
        | StmtKind::Exclusive { .. }
        | StmtKind::Goto(_)
        | StmtKind::Break => {}
    }
}

fn runs_in_expr(e: &Expr, runs: &mut Vec<ProcTypeId>) {
    match &e.kind {
        ExprKind::Run { proctype, .. } => runs.push(*proctype),
        ExprKind::Unary(_, a) => runs_in_expr(a, runs),
        ExprKind::Binary(_, a, b) => {
            runs_in_expr(a, runs);
            runs_in_expr(b, runs);
        }
        ExprKind::Cond(c, a, b) => [c, a, b].into_iter().for_each(|e| runs_in_expr(e, runs)),
        _ => {}
    }
}
