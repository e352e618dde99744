//! Where psw differs from SPIN on purpose, and which of these a model meets.

use interp::Model;
use interp::code::program::{Graph, Guard, Node, Program};
use interp::ids::EdgeId;
use promela::diagnostics::Code;
use promela::model::{BasicType, BinaryOp, CheckedModel, Expr, ExprKind, Place, RecvArg, Sequence, StmtKind, UnaryOp};

/// All differences; `docs/differences-from-spin.md` describes them at length.
pub static CODES: &[&Code] = &[&DEADLOCK, &NR_PR, &SELF_LOOP, &TWO_ELSES, &BIT_ARRAY, &SET_NAME, &MOVED_INDEX];

static DEADLOCK: Code = Code {
    id: "D02",
    title: "end states are checked although the model has properties",
    explanation: "\
SPIN switches the check for invalid end states off as soon as a never claim or an ltl block is used, so that a deadlock
is not seen. psw reports it. `--no-end-states` switches the check off.",
};

static NR_PR: Code = Code {
    id: "D05",
    title: "_nr_pr does not count the never claim",
    explanation: "\
In SPIN's verifier a never claim is a process and `_nr_pr` counts it, so that a model that waits for `_nr_pr == 1` waits
forever as soon as it has a property. In psw `_nr_pr` is the number of the model's own processes.",
};

static SELF_LOOP: Code = Code {
    id: "D09",
    title: "a step that changes nothing is a legal run",
    explanation: "\
SPIN refuses a model in which a process can do nothing forever, as in `do :: skip od`. psw runs it: the step leads from
a state to the same state.",
};

static TWO_ELSES: Code = Code {
    id: "D17",
    title: "several elses at one place",
    explanation: "\
When a choice begins with another choice, both may have an `else`. SPIN refuses to run such a model. psw tries the
options in the order written, those of the inner choice in the place of the option that holds it; an `else` can be taken
when none of the statements tried before it can.",
};

static BIT_ARRAY: Code = Code {
    id: "D18",
    title: "elements of a bit array have one bit",
    explanation: "\
SPIN's verifier keeps a byte for each element of a bit or bool array, so that `b[0] = 3` stores 3, while its simulator
stores 1. In psw, as in SPIN's documentation, a bit has one bit: 3 is stored as 1.",
};

static SET_NAME: Code = Code {
    id: "D19",
    title: "a local variable with the name of an mtype set is local",
    explanation: "\
In SPIN a variable declared in a proctype with the name of an mtype set, as in `mtype:role role`, is one variable that
all processes share, whatever its type. In psw every process has its own, as with any other name.",
};

static MOVED_INDEX: Code = Code {
    id: "D20",
    title: "an index or a pattern that its own statement changes",
    explanation: "\
When SPIN's verifier takes back `a[a[j] % 4] = 3` or `c?i,a[i]`, it evaluates the index again, after the change, and may
restore another element than the one that was written; with `c?eval(x),x` it puts another message back into the channel.
The states it goes on with, and what it says about them, can be wrong. psw takes nothing back; it keeps states.",
};

/// The differences that a check of this model meets.
pub fn met(model: &Model, checks_end_states: bool) -> Vec<&'static Code> {
    let checked = &model.checked;
    let has_claim = !checked.ltl.is_empty() || !checked.claims.is_empty();
    let graphs = || model.program.templates.values().map(|template| &template.graph);
    let mut met = Vec::new();
    let mut note = |condition: bool, code: &'static Code| {
        if condition {
            met.push(code);
        }
    };
    note(has_claim && checks_end_states, &DEADLOCK);
    note(has_claim && model.program.nodes.values().any(|node| matches!(node, Node::NrPr)), &NR_PR);
    note(graphs().any(|graph| has_self_loop(&model.program, graph)), &SELF_LOOP);
    note(graphs().any(|graph| has_two_elses(&model.program, graph)), &TWO_ELSES);
    note(checked.proctypes.values().any(|proc| stores_in_bit_array(&proc.body)), &BIT_ARRAY);
    note(has_local_named_like_a_set(checked), &SET_NAME);
    note(checked.proctypes.values().any(|proc| moves_an_index(&proc.body)), &MOVED_INDEX);
    met
}

/// Whether something that may be more than 1 is assigned to an element of a bit array.
fn stores_in_bit_array(sequence: &Sequence) -> bool {
    sequence.stmts.iter().any(|stmt| match &stmt.kind {
        StmtKind::Assign(place, value) => place.ty == BasicType::Bit && is_element(place) && !is_bit(value),
        StmtKind::If(options) | StmtKind::Do(options) => options.iter().any(stores_in_bit_array),
        StmtKind::Atomic(body) | StmtKind::DStep(body) | StmtKind::Block(body) => stores_in_bit_array(body),
        StmtKind::Unless(main, escape) => stores_in_bit_array(main) || stores_in_bit_array(escape),
        _ => false,
    })
}

fn is_element(place: &Place) -> bool {
    place.fields.last().map_or(place.index.is_some(), |field| field.index.is_some())
}

/// Whether the value is 0 or 1 for sure.
fn is_bit(value: &Expr) -> bool {
    use BinaryOp::{And, BitAnd, BitOr, BitXor, Eq, Ge, Gt, Le, Lt, Ne, Or};
    match &value.kind {
        ExprKind::Const(value) => (0..=1).contains(value),
        ExprKind::Load(place) => place.ty == BasicType::Bit,
        ExprKind::Unary(UnaryOp::Not, _) | ExprKind::Binary(And | Or | Eq | Ne | Lt | Le | Gt | Ge, ..) => true,
        ExprKind::Binary(BitAnd | BitOr | BitXor, a, b) | ExprKind::Cond(_, a, b) => is_bit(a) && is_bit(b),
        ExprKind::Binary(BinaryOp::Sub, a, b) => matches!(a.kind, ExprKind::Const(1)) && is_bit(b),
        _ => false,
    }
}

fn has_local_named_like_a_set(model: &CheckedModel) -> bool {
    let sets = || model.mtypes.values().filter(|set| !set.names.is_empty()).filter_map(|set| set.name.as_ref());
    let mut locals = model.proctypes.values().flat_map(|proc| proc.locals.values());
    locals.any(|local| sets().any(|set| *set == local.name))
}

/// Whether a statement writes a variable that an index of a place it writes depends on. A d_step is exempt: SPIN restores
/// the whole state behind one.
fn moves_an_index(sequence: &Sequence) -> bool {
    sequence.stmts.iter().any(|stmt| match &stmt.kind {
        StmtKind::Assign(place, _) => depends_on(place, place),
        StmtKind::Recv { args, .. } => {
            let bound: Vec<&Place> = args.iter().filter_map(bound_place).collect();
            bound.iter().any(|written| {
                args.iter().any(|arg| match arg {
                    RecvArg::Bind(place) => depends_on(place, written),
                    RecvArg::Match(pattern) => reads(pattern, &|read| is_same_field(read, written)),
                    RecvArg::Any => false,
                })
            })
        }
        StmtKind::If(options) | StmtKind::Do(options) => options.iter().any(moves_an_index),
        StmtKind::Atomic(body) | StmtKind::Block(body) => moves_an_index(body),
        StmtKind::Unless(main, escape) => moves_an_index(main) || moves_an_index(escape),
        _ => false,
    })
}

fn bound_place(arg: &RecvArg) -> Option<&Place> {
    match arg {
        RecvArg::Bind(place) => Some(place),
        _ => None,
    }
}

/// Whether an index of `place` reads the variable, and the same field of it, that is `written`.
fn depends_on(place: &Place, written: &Place) -> bool {
    let mut indices = place.index.iter().chain(place.fields.iter().filter_map(|field| field.index.as_ref()));
    indices.any(|index| reads(index, &|read| is_same_field(read, written)))
}

fn is_same_field(read: &Place, written: &Place) -> bool {
    let fields = |place: &Place| place.fields.iter().map(|field| field.field).collect::<Vec<_>>();
    (read.scope, read.var) == (written.scope, written.var) && fields(read) == fields(written)
}

/// Whether an expression reads such a place.
fn reads(expr: &Expr, wanted: &dyn Fn(&Place) -> bool) -> bool {
    match &expr.kind {
        ExprKind::Load(place) => {
            let mut indices = place.index.iter().chain(place.fields.iter().filter_map(|field| field.index.as_ref()));
            wanted(place) || indices.any(|index| reads(index, wanted))
        }
        ExprKind::Unary(_, a) => reads(a, wanted),
        ExprKind::Binary(_, a, b) => reads(a, wanted) || reads(b, wanted),
        ExprKind::Cond(c, a, b) => [c, a, b].into_iter().any(|part| reads(part, wanted)),
        _ => false,
    }
}

fn has_self_loop(program: &Program, graph: &Graph) -> bool {
    graph.locations.iter().any(|(pc, location)| {
        location
            .edges()
            .map(|edge| program.edges[edge])
            .any(|edge| edge.guard == Guard::True && edge.effect.start == edge.effect.end && edge.to == Some(pc))
    })
}

fn has_two_elses(program: &Program, graph: &Graph) -> bool {
    let is_else = |edge: &EdgeId| program.edges[*edge].guard == Guard::Else;
    graph.locations.values().any(|location| location.edges().filter(is_else).count() > 1)
}
