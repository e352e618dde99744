//! Expressions of the command line: read, checked against the model, and compiled, with findings that point into them.

use std::io::Write;

use interp::ids::NodeId;
use interp::model::Fault;
use interp::{Model, Word};
use promela::diagnostics::{Code, Diagnostic, Severity};
use promela::model::{BasicType, Expr, ExprKind, Place, RecvArg, Scope};
use promela::source::Span;
use sweep::Trace;

use crate::load::{self, Loaded};
use crate::report::steps::{self, Extent};
use crate::report::trace;

/// Without a code: the message says it all.
static FINDING: Code = Code { id: "", title: "", explanation: "" };

/// An expression over the states of a model.
#[derive(Clone, Debug)]
pub struct Expression {
    /// As written.
    pub text: String,
    /// Compiled.
    pub node: NodeId,
    /// The type of the value, if it is that of a variable.
    pub ty: Option<BasicType>,
    /// Where it was written.
    pub span: Span,
}

/// Reads the expressions of an option; `None` if one is wrong, which has then been said.
pub fn read(loaded: &mut Loaded, option: &str, text: &str) -> Option<Vec<Expression>> {
    let (parsed, mut findings) = promela::parse_expressions(&mut loaded.sources, &format!("<{option}>"), text);
    let check = |expr| promela::check_expression(&loaded.model.checked, expr, &mut findings);
    let checked: Option<Vec<Expr>> = parsed.iter().map(check).collect();
    for expr in checked.iter().flatten() {
        find_absent(&loaded.model, expr, &mut findings);
    }
    load::show(&loaded.sources, &findings);
    let failed = parsed.is_empty() || findings.iter().any(|finding| finding.severity == Severity::Error);
    let checked = checked.filter(|_| !failed)?;
    let nodes = loaded.model.add_expressions(&checked);
    let expression = |(expr, node): (&Expr, NodeId)| Expression {
        text: trace::statement(&loaded.sources, expr.span),
        node,
        ty: match &expr.kind {
            ExprKind::Load(place) => Some(place.ty),
            ExprKind::RemoteLoad { place, .. } => Some(place.ty),
            _ => None,
        },
        span: expr.span,
    };
    Some(checked.iter().zip(nodes).map(expression).collect())
}

/// Says that an expression has no value in some state, and which state that is.
pub fn has_no_value(loaded: &Loaded, fault: &Fault, state: &[Word], way: Option<&Trace>) {
    let message = format!("{}, in a state that the model reaches", fault.kind.message());
    refuse(loaded, fault.span, message);
    let mut out = Vec::new();
    let followed = way.map(|way| trace::followed(loaded, Some(state), way));
    // Writing to memory does not fail.
    let _ = match followed {
        Some(Ok(trace)) => steps::write(&mut out, loaded, &trace, &[], Extent { full: false, variables: true }),
        _ => writeln!(out, "in this state:")
            .and_then(|()| steps::standing(&mut out, loaded, state))
            .and_then(|()| steps::variables(&mut out, loaded, state)),
    };
    crate::say(String::from_utf8_lossy(&out));
}

/// Shows a mistake in an expression.
pub fn refuse(loaded: &Loaded, span: Span, message: impl Into<String>) {
    load::show(&loaded.sources, &[Diagnostic::error(&FINDING, message).at(span, "")]);
}

/// What an expression reads must be part of the state. (The parser bounds how deep expressions are nested.)
fn find_absent(model: &Model, expr: &Expr, findings: &mut Vec<Diagnostic>) {
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
        ExprKind::Last if model.layout.last.is_none() => {
            findings.push(absent(expr.span, "the states of this model do not hold `_last`, which it never reads"));
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
        if place.scope == Scope::Global && model.layout.globals[place.var].is_none() {
            findings.push(absent(place.span, "a hidden variable that the model never reads is not part of its states"));
        }
        parts.extend(place.index.as_deref());
        parts.extend(place.fields.iter().filter_map(|field| field.index.as_deref()));
    }
    parts.into_iter().for_each(|part| find_absent(model, part, findings));
}
