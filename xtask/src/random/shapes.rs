//! What occurs in a model, seen in its tree: for the statistics, and for tests that the generator makes it.

use super::tree::*;

/// A shape by name, and how it is recognised.
pub type Shape = (&'static str, fn(&Model) -> bool);

/// True if `is` holds for some statement of the sequence, however deep, with those that stand before it.
pub fn some(body: &[Stmt], is: &dyn Fn(&[Stmt], &Stmt) -> bool) -> bool {
    body.iter()
        .enumerate()
        .any(|(index, stmt)| is(&body[..index], stmt) || stmt.bodies().into_iter().any(|inner| some(inner, is)))
}

/// The same for the whole model.
pub fn in_model(model: &Model, is: &dyn Fn(&[Stmt], &Stmt) -> bool) -> bool {
    let inlines = model.inlines.iter().map(|inline| &inline.body);
    let mut bodies = model.procs.iter().map(|proc| &proc.body).chain(&model.init).chain(inlines);
    bodies.any(|body| some(body, is))
}

/// True if the statement creates a process.
pub fn creates(stmt: &Stmt) -> bool {
    arguments(stmt).is_some()
}

/// The arguments, if the statement creates a process.
fn arguments(stmt: &Stmt) -> Option<&[Expr]> {
    match stmt {
        Stmt::Condition(Expr::Run { args, .. }) | Stmt::Assign(_, Expr::Run { args, .. }) => Some(args),
        _ => None,
    }
}

/// True if a process is created somewhere inside the statement.
fn creates_inside(stmt: &Stmt) -> bool {
    stmt.bodies().into_iter().any(|body| some(body, &|_, stmt| creates(stmt)))
}

/// True if some `run` has an argument of this kind.
fn has_argument(model: &Model, is: fn(&Expr) -> bool) -> bool {
    in_model(model, &|_, stmt| arguments(stmt).is_some_and(|args| args.iter().any(is)))
}

/// True if the process type runs one whose name is such.
fn runs(proc: &Proc, is: impl Fn(&str) -> bool) -> bool {
    some(&proc.body, &|_, stmt| match stmt {
        Stmt::Condition(Expr::Run { proc, .. }) | Stmt::Assign(_, Expr::Run { proc, .. }) => is(proc),
        _ => false,
    })
}

/// How processes are created.
pub const CREATION: &[Shape] = &[
    ("run in a loop", |model| {
        let is_loop = |stmt: &Stmt| match stmt {
            Stmt::Do(_) | Stmt::For { .. } => creates_inside(stmt),
            // A jump back, out of a choice.
            Stmt::Label(label, inner) => {
                let jumps = |_: &[Stmt], stmt: &Stmt| *stmt == Stmt::Goto(label.clone());
                creates_inside(inner) && inner.bodies().into_iter().any(|body| some(body, &jumps))
            }
            _ => false,
        };
        in_model(model, &|_, stmt| is_loop(stmt))
    }),
    ("run in for", |model| in_model(model, &|_, stmt| matches!(stmt, Stmt::For { .. }) && creates_inside(stmt))),
    ("run in atomic", |model| in_model(model, &|_, stmt| matches!(stmt, Stmt::Atomic(_)) && creates_inside(stmt))),
    ("run in unless", |model| in_model(model, &|_, stmt| matches!(stmt, Stmt::Unless(..)) && creates_inside(stmt))),
    ("run in a choice", |model| in_model(model, &|_, stmt| matches!(stmt, Stmt::If(_)) && creates_inside(stmt))),
    ("run behind deaths", |model| {
        let counts = |expr: &Expr| *expr == Expr::Name("_nr_pr".to_string());
        let waits = |stmt: &Stmt| matches!(stmt, Stmt::Condition(Expr::Binary(_, left, _)) if counts(left));
        in_model(model, &|before, stmt| (creates(stmt) || creates_inside(stmt)) && before.iter().any(waits))
    }),
    ("run as a guard", |model| {
        let opens = |option: &Vec<Stmt>| option.first().is_some_and(creates);
        in_model(model, &|_, stmt| matches!(stmt, Stmt::If(options) if options.iter().any(opens)))
    }),
    ("value of run", |model| in_model(model, &|_, stmt| matches!(stmt, Stmt::Assign(_, Expr::Run { .. })))),
    ("run with a priority", |model| {
        in_model(model, &|_, stmt| match stmt {
            Stmt::Condition(run) | Stmt::Assign(_, run) => matches!(run, Expr::Run { priority: Some(_), .. }),
            _ => false,
        })
    }),
    ("constant argument", |model| has_argument(model, |arg| matches!(arg, Expr::Const(_)))),
    ("computed argument", |model| has_argument(model, |arg| matches!(arg, Expr::Binary(..)))),
    ("channel argument", |model| {
        has_argument(model, |arg| matches!(arg, Expr::Place(place) if place.name.starts_with(['b', 'q', 'l'])))
    }),
    ("element as argument", |model| {
        has_argument(model, |arg| matches!(arg, Expr::Place(place) if place.name == "q" && place.index.is_some()))
    }),
    ("nested creation", |model| {
        model.procs.iter().any(|proc| proc.active == 0 && runs(proc, |name| *name != proc.name))
    }),
    ("recursion", |model| model.procs.iter().any(|proc| proc.active == 0 && runs(proc, |name| *name == proc.name))),
    ("two creators", |model| {
        let from_the_start =
            model.procs.iter().filter(|proc| runs(proc, |_| true)).map(|proc| proc.active).sum::<u32>();
        let init = model.init.as_ref().is_some_and(|body| some(body, &|_, stmt| creates(stmt)));
        from_the_start + u32::from(init) > 1
    }),
    ("init in front", |model| model.init.is_some() && model.init_at.is_some_and(|at| at < model.procs.len())),
    ("active and run", |model| {
        let is_run = |name: &str| {
            in_model(model, &|_, stmt| match stmt {
                Stmt::Condition(Expr::Run { proc, .. }) | Stmt::Assign(_, Expr::Run { proc, .. }) => proc == name,
                _ => false,
            })
        };
        model.procs.iter().any(|proc| proc.active > 0 && is_run(&proc.name))
    }),
    ("parameter written", |model| {
        model.procs.iter().any(|proc| {
            let is_param = |place: &Place| proc.params.iter().any(|param| param.name == place.name);
            some(&proc.body, &|_, stmt| match stmt {
                Stmt::Assign(place, _) | Stmt::Step(place, _) => is_param(place),
                Stmt::Receive { args, .. } => args.iter().any(|arg| matches!(arg, Arg::Bind(place) if is_param(place))),
                _ => false,
            })
        })
    }),
    ("parameter as index", |model| {
        model.procs.iter().any(|proc| {
            let is_indexed = |place: &Place| {
                let by = |index: &Expr| proc.params.iter().any(|param| *index == Expr::var(&param.name));
                place.index.as_ref().is_some_and(|index| by(index))
            };
            some(&proc.body, &|_, stmt| match stmt {
                Stmt::Assign(place, _) => is_indexed(place),
                Stmt::Send { chan, .. } | Stmt::Receive { chan, .. } => is_indexed(chan),
                _ => false,
            })
        })
    }),
];
