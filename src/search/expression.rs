//! Expressions of the command line: read and checked against the model before it is compiled, with findings that point into
//! them.
//!
//! What a question reads becomes part of the states. An expression that only guides a search (`--progress`, `--canonical`,
//! `--cutoff`) must not change them: it may read only what they hold anyway.

use std::io::Write;

use interp::Word;
use interp::analysis::usage::Usage;
use interp::ids::ExpressionId;
use interp::inspect::expression::Expressions;
use interp::model::Fault;
use promela::diagnostics::{Code, Diagnostic, Severity};
use promela::model::{BasicType, Expr, ExprKind, Place, RecvArg, Scope};
use promela::source::{Sources, Span};
use sweep::Trace;

use crate::load::{self, CheckedInput, Loaded};
use crate::report::steps::{self, Extent};
use crate::report::trace;

/// Without a code: there is nothing more to explain.
static FINDING: Code = Code { id: "", title: "", explanation: "" };

/// An expression over the states of a model.
#[derive(Clone, Debug)]
pub struct Expression {
    /// As written.
    pub text: String,
    pub id: ExpressionId,
    /// The type of the value, if it is that of a variable.
    pub ty: Option<BasicType>,
    pub span: Span,
}

/// Reads the expressions of an option and adds them to the model; `None` if one has errors, which have been shown.
pub fn read(
    input: &mut CheckedInput,
    option: &str,
    text: &str,
    add: fn(&mut Expressions, Expr) -> ExpressionId,
) -> Option<Vec<Expression>> {
    let (parsed, mut findings) = promela::parse_expressions(&mut input.sources, &format!("<{option}>"), text);
    let check = |expr| promela::check_expression(&input.model, expr, &mut findings);
    let checked: Option<Vec<Expr>> = parsed.iter().map(check).collect();
    load::show(&input.sources, &findings);
    let failed = parsed.is_empty() || findings.iter().any(|finding| finding.severity == Severity::Error);
    let checked = checked.filter(|_| !failed)?;
    let expression = |expr: Expr| Expression {
        text: trace::statement(&input.sources, expr.span),
        ty: match &expr.kind {
            ExprKind::Load(place) => Some(place.ty),
            ExprKind::RemoteLoad { place, .. } => Some(place.ty),
            _ => None,
        },
        span: expr.span,
        id: add(&mut input.expressions, expr),
    };
    Some(checked.into_iter().map(expression).collect())
}

/// What expressions that only guide a search read although states do not hold it.
pub fn absent(input: &CheckedInput) -> Vec<Diagnostic> {
    let usage = Usage::of(&input.model, &input.expressions);
    let mut findings = Vec::new();
    input.expressions.guiding().for_each(|expr| find_absent(&usage, expr, &mut findings));
    findings
}

/// Shows that an expression has no value in some state, and the path to it.
pub fn has_no_value(loaded: &Loaded, fault: &Fault, state: &[Word], way: Option<&Trace>) {
    let message = format!("{}, in a reachable state", fault.kind.message());
    refuse(&loaded.sources, fault.span, message);
    let mut out = Vec::new();
    let followed = way.map(|way| trace::followed(loaded, Some(state), way));
    // Writing to memory does not fail.
    let _ = match followed {
        Some(Ok(trace)) => {
            steps::write(&mut out, loaded, &trace, &[], Extent { full: false, variables: true, filter: None })
        }
        _ => writeln!(out, "in this state:")
            .and_then(|()| steps::standing(&mut out, loaded, state))
            .and_then(|()| steps::variables(&mut out, loaded, state)),
    };
    crate::say(String::from_utf8_lossy(&out));
}

/// Shows a mistake in an expression.
pub fn refuse(sources: &Sources, span: Span, message: impl Into<String>) {
    load::show(sources, &[Diagnostic::error(&FINDING, message).at(span, "")]);
}

/// What an expression reads must be part of the states. (The parser bounds how deep expressions are nested.)
fn find_absent(usage: &Usage, expr: &Expr, findings: &mut Vec<Diagnostic>) {
    let absent = |span, why: &str| Diagnostic::error(&FINDING, why).at(span, "");
    let mut places: Vec<&Place> = Vec::new();
    let mut parts: Vec<&Expr> = Vec::new();
    match &expr.kind {
        ExprKind::Load(place) | ExprKind::Len(place) | ExprKind::ChanTest(_, place) => places.push(place),
        ExprKind::RemoteLoad { pid, place, .. } => {
            parts.extend(pid.as_deref());
            places.push(place);
        }
        ExprKind::Poll { chan, args, .. } => {
            places.push(chan);
            parts.extend(args.iter().filter_map(|arg| match arg {
                RecvArg::Match(value) => Some(value),
                RecvArg::Bind(_) | RecvArg::Any => None,
            }));
        }
        ExprKind::Last if !usage.uses_last => {
            findings.push(absent(expr.span, "`_last` is not part of the states of this model, which never reads it"));
        }
        ExprKind::Unary(_, a) | ExprKind::Enabled(a) | ExprKind::PcValue(a) | ExprKind::GetPriority(a) => parts.push(a),
        ExprKind::Binary(_, a, b) | ExprKind::SetPriority(a, b) => parts.extend([&**a, &**b]),
        ExprKind::Cond(c, a, b) => parts.extend([&**c, &**a, &**b]),
        ExprKind::RemoteLabel { pid, .. } => parts.extend(pid.as_deref()),
        ExprKind::Any
        | ExprKind::Const(_)
        | ExprKind::Run { .. }
        | ExprKind::Timeout
        | ExprKind::NonProgress
        | ExprKind::Pid
        | ExprKind::NrPr
        | ExprKind::Last => {}
    }
    for place in places {
        if place.scope == Scope::Global && !usage.global_is_stored(place.var) {
            findings.push(absent(place.span, "a hidden variable that the model never reads is not part of its states"));
        }
        parts.extend(place.index.as_deref());
        parts.extend(place.fields.iter().filter_map(|field| field.index.as_deref()));
    }
    parts.into_iter().for_each(|part| find_absent(usage, part, findings));
}
