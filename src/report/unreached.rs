//! Statements that no run executes: what is left of a model when every step that a complete search took is crossed off.
//!
//! A statement is known by where it was written, so that it counts as executed when any process of its proctype did so,
//! and a `for` or `select`, which is several steps, when it was entered. Code that control flow cannot reach at all is
//! in the list too: the statements are those of the model, not those of the automata.

use std::collections::HashSet;

use interp::Model;
use interp::code::program::{Graph, Guard};
use promela::ids::ProcTypeId;
use promela::model::{ExprKind, Sequence, Stmt, StmtKind};
use promela::source::{Place, Sources, Span};
use serde::Serialize;

use crate::load::Loaded;
use crate::report::trace;

/// What a complete search never executed.
#[derive(Debug)]
pub struct Unreached {
    /// By proctype, those with something to say only.
    pub processes: Vec<UnreachedIn>,
    /// Proctypes that were executed but never came to their closing brace.
    pub never_end: Vec<String>,
}

/// What was never executed of one proctype.
#[derive(Debug)]
pub struct UnreachedIn {
    pub process: String,
    /// Whether nothing of it was executed.
    pub idle: bool,
    /// In the order written.
    pub statements: Vec<UnreachedStatement>,
}

/// A statement that was never executed.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct UnreachedStatement {
    pub process: String,
    pub file: String,
    pub line: u32,
    /// As written.
    pub statement: String,
}

impl Unreached {
    /// All statements.
    pub fn statements(&self) -> impl Iterator<Item = &UnreachedStatement> {
        self.processes.iter().flat_map(|process| &process.statements)
    }
}

/// Reads off what the search that the model has just been through did not execute.
pub fn unreached(loaded: &Loaded) -> Unreached {
    let Loaded { model, sources, .. } = loaded;
    let mut found = Unreached { processes: Vec::new(), never_end: Vec::new() };
    let all: Vec<Executed> = model.checked.proctypes.keys().map(|id| executed(model, id)).collect();
    // A statement of an inline is one, however often the inline is used.
    let mut told: HashSet<Place> = HashSet::new();
    let spans = all.iter().flat_map(|executed| &executed.spans);
    told.extend(spans.filter_map(|&span| in_inline(sources, span)));
    for (proc, executed) in model.checked.proctypes.values().zip(&all) {
        let mut statements = Vec::new();
        collect(&proc.body, &mut |stmt| {
            let mut is_new = |place: Option<Place>| place.is_none_or(|place| told.insert(place));
            if !executed.spans.contains(&stmt.span)
                && (executed.offered.contains(&stmt.span) || !is_skip(stmt))
                && is_new(in_inline(sources, stmt.span))
            {
                let statement = describe(sources, &proc.name, stmt.span);
                if statements.last() != Some(&statement) {
                    statements.push(statement);
                }
            }
        });
        let idle = executed.spans.is_empty() && !executed.ends;
        if !executed.ends && !idle {
            found.never_end.push(proc.name.to_string());
        }
        if !statements.is_empty() {
            found.processes.push(UnreachedIn { process: proc.name.to_string(), idle, statements });
        }
    }
    found
}

/// Where a statement stands in the text of an inline, if it does.
fn in_inline(sources: &Sources, span: Span) -> Option<Place> {
    sources.in_inline(span).then(|| sources.statement_place(span))
}

/// Every statement of the proctypes that is a step, and whether the model has executed it.
pub fn statements(loaded: &Loaded) -> Vec<(Span, bool)> {
    let model = &loaded.model;
    let mut found = Vec::new();
    for (id, proc) in &model.checked.proctypes {
        let executed = executed(model, id);
        collect(&proc.body, &mut |stmt| {
            let done = executed.spans.contains(&stmt.span);
            if done || executed.offered.contains(&stmt.span) || !is_skip(stmt) {
                found.push((stmt.span, done));
            }
        });
    }
    found
}

fn describe(sources: &Sources, process: &str, span: Span) -> UnreachedStatement {
    UnreachedStatement {
        process: process.to_owned(),
        file: sources.file_name(span).to_string(),
        line: sources.line(span),
        statement: trace::statement(sources, span),
    }
}

/// What was executed of a proctype.
#[derive(Default)]
struct Executed {
    /// Statements that were.
    spans: HashSet<Span>,
    /// Statements that are steps of an automaton, executed or not.
    offered: HashSet<Span>,
    /// Whether a process of it ended.
    ends: bool,
}

fn executed(model: &Model, proctype: ProcTypeId) -> Executed {
    let program = &model.program;
    let mut executed = Executed::default();
    let templates = program.templates.values().filter(|template| template.proctype == proctype);
    let mut graphs: Vec<&Graph> = templates.map(|template| &template.graph).collect();
    for &(_, taken) in &program.fused {
        let span = program.edges[taken].span;
        executed.offered.insert(span);
        if model.coverage.contains(taken) {
            executed.spans.insert(span);
        }
    }
    while let Some(graph) = graphs.pop() {
        for id in graph.locations.values().flat_map(|location| location.edges()) {
            let edge = &program.edges[id];
            let done = model.coverage.contains(id);
            match edge.guard {
                Guard::End => executed.ends |= done,
                Guard::DStep(inner) => graphs.extend(program.d_steps.get(inner as usize)),
                _ => {
                    executed.offered.insert(edge.span);
                    if done {
                        executed.spans.insert(edge.span);
                    }
                }
            }
        }
    }
    executed
}

/// A `skip`; several in a row are one step, so that one without a step says nothing.
fn is_skip(stmt: &Stmt) -> bool {
    matches!(&stmt.kind, StmtKind::Expr(expr) if matches!(expr.kind, ExprKind::Const(1)))
}

/// Every statement that is a step of its own, in the order written. (The parser bounds how deep they are nested.)
fn collect<'m>(sequence: &'m Sequence, each: &mut impl FnMut(&'m Stmt)) {
    for stmt in &sequence.stmts {
        match &stmt.kind {
            StmtKind::If(options) | StmtKind::Do(options) => options.iter().for_each(|option| collect(option, each)),
            StmtKind::Atomic(body) | StmtKind::DStep(body) | StmtKind::Block(body) => collect(body, each),
            StmtKind::Unless(main, escape) => {
                collect(main, each);
                collect(escape, each);
            }
            // Jumps are steps only where nothing else is, and say nothing that their neighbours do not.
            StmtKind::Goto(_) | StmtKind::Break | StmtKind::Exclusive { .. } => {}
            StmtKind::Expr(_)
            | StmtKind::Else
            | StmtKind::Assign(..)
            | StmtKind::Declare(_)
            | StmtKind::Send { .. }
            | StmtKind::Recv { .. }
            | StmtKind::Assert(_)
            | StmtKind::Printf(..)
            | StmtKind::Printm(_) => each(stmt),
        }
    }
}
