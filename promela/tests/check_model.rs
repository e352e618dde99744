//! What the checker makes of statements: sugar written out, declarations as steps, structures flattened.

use std::fmt::Write;

use promela::diagnostics::{Diagnostic, Severity};
use promela::model::{
    CheckedModel, Expr, ExprKind, Init, Place, ProcType, RecvArg, Scope, Sequence, StmtKind, VarType,
};
use promela::{Options, check, check_expression, parse_expressions, parse_text};

fn model(text: &str) -> CheckedModel {
    let parsed = parse_text("model.pml", text.as_bytes(), &Options::default());
    let mut findings = parsed.diagnostics;
    let model = check(&parsed.ast, &mut findings);
    model.unwrap_or_else(|| panic!("{findings:#?}"))
}

/// The body of the first process, one statement a line.
fn body(text: &str) -> String {
    let model = model(text);
    let proc = model.proctypes.values().next().expect("a process");
    let mut lines = String::new();
    Shown { model: &model, proc }.sequence(&proc.body, 0, &mut lines);
    lines
}

struct Shown<'m> {
    model: &'m CheckedModel,
    proc: &'m ProcType,
}

impl Shown<'_> {
    fn sequence(&self, sequence: &Sequence, depth: usize, lines: &mut String) {
        for stmt in &sequence.stmts {
            let labels: String =
                stmt.labels.iter().map(|label| format!("{}: ", self.proc.labels[*label].name)).collect();
            let (head, inner): (String, Vec<&Sequence>) = match &stmt.kind {
                StmtKind::Expr(expr) => (self.expr(expr), vec![]),
                StmtKind::Else => ("else".into(), vec![]),
                StmtKind::Assign(place, value) => (format!("{} = {}", self.place(place), self.expr(value)), vec![]),
                StmtKind::Declare(var) => (format!("declare {}", self.proc.locals[*var].name), vec![]),
                StmtKind::Send { chan, args, .. } => {
                    let args: Vec<String> = args.iter().map(|arg| self.expr(arg)).collect();
                    (format!("{}!{}", self.place(chan), args.join(",")), vec![])
                }
                StmtKind::Recv { chan, args, .. } => {
                    let args: Vec<String> = args.iter().map(|arg| self.arg(arg)).collect();
                    (format!("{}?{}", self.place(chan), args.join(",")), vec![])
                }
                StmtKind::Goto(label) => (format!("goto {}", self.proc.labels[*label].name), vec![]),
                StmtKind::Break => ("break".into(), vec![]),
                StmtKind::If(options) => ("if".into(), options.iter().collect()),
                StmtKind::Do(options) => ("do".into(), options.iter().collect()),
                StmtKind::Atomic(inner) => ("atomic".into(), vec![inner]),
                StmtKind::DStep(inner) => ("d_step".into(), vec![inner]),
                StmtKind::Block(inner) => ("block".into(), vec![inner]),
                StmtKind::Unless(main, escape) => ("unless".into(), vec![main, escape]),
                other => (format!("{other:?}"), vec![]),
            };
            writeln!(lines, "{:depth$}{labels}{head}", "").expect("text grows");
            for sequence in inner {
                writeln!(lines, "{:depth$}  ::", "").expect("text grows");
                self.sequence(sequence, depth + 4, lines);
            }
        }
    }

    fn arg(&self, arg: &RecvArg) -> String {
        match arg {
            RecvArg::Bind(place) => self.place(place),
            RecvArg::Match(expr) => format!("eval({})", self.expr(expr)),
            RecvArg::Any => "_".into(),
        }
    }

    fn expr(&self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Const(value) => value.to_string(),
            ExprKind::Load(place) => self.place(place),
            ExprKind::Binary(op, left, right) => {
                format!("({} {op:?} {})", self.expr(left), self.expr(right))
            }
            ExprKind::Len(chan) => format!("len({})", self.place(chan)),
            ExprKind::Run { args, .. } => {
                format!("run({})", args.iter().map(|arg| self.expr(arg)).collect::<Vec<_>>().join(","))
            }
            ExprKind::SetPriority(pid, value) => {
                format!("set_priority({},{})", self.expr(pid), self.expr(value))
            }
            other => format!("{other:?}"),
        }
    }

    fn place(&self, place: &Place) -> String {
        let declared = match place.scope {
            Scope::Global => &self.model.globals[place.var],
            Scope::Local => &self.proc.locals[place.var],
        };
        let index =
            |index: &Option<Box<Expr>>| index.as_ref().map_or(String::new(), |at| format!("[{}]", self.expr(at)));
        let mut text = format!("{}{}", declared.name, index(&place.index));
        for access in &place.fields {
            let field = &self.model.structs[access.parent].fields[access.field];
            write!(text, ".{}{}", field.name, index(&access.index)).expect("text grows");
        }
        text
    }
}

#[test]
fn a_range_loop_is_a_counting_loop() {
    insta::assert_snapshot!(body("byte i, a;\ninit { for (i : 1 .. 3) { a = i }; a = 9 }"), @"
    i = 1
    do
      ::
        (i Le 3)
        a = i
        i = (i Add 1)
      ::
        else
        break
    a = 9
    ");
}

#[test]
fn a_loop_over_a_channel_turns_it_around() {
    let text = "typedef M { byte x; byte y }\nchan c = [2] of { M };\nM m;\nbyte s;\n\
                init { for (m in c) { s = m.x }; for (m in c) { s = m.y } }";
    insta::assert_snapshot!(body(text), @"
    for counter = 0
    do
      ::
        (for counter Lt len(c))
        c?m.x,m.y
        c!m.x,m.y
        s = m.x
        for counter = (for counter Add 1)
      ::
        else
        break
    for counter = 0
    do
      ::
        (for counter Lt len(c))
        c?m.x,m.y
        c!m.x,m.y
        s = m.y
        for counter = (for counter Add 1)
      ::
        else
        break
    ");
}

#[test]
fn a_short_select_is_one_choice_and_a_label_marks_it() {
    insta::assert_snapshot!(body("byte i;\ninit { L: select (i : 1 .. 2); goto L }"), @"
    L: if
      ::
        i = 1
      ::
        i = 2
    goto L
    ");
    let options = |last: u32| body(&format!("byte i;\ninit {{ select (i : 1 .. {last}) }}")).matches("::").count();
    assert_eq!((options(33), options(34)), (33, 2), "plain numbers up to 32 apart are one choice");
}

#[test]
fn a_select_over_expressions_counts() {
    insta::assert_snapshot!(body("byte i, n;\ninit { select (i : 0 .. n) }"), @"
    i = 0
    do
      ::
        break
      ::
        (i Lt n)
        i = (i Add 1)
    ");
}

#[test]
fn a_label_of_a_loop_marks_the_loop() {
    let shown = body("byte i;\ninit { L: for (i : 0 .. 1) { skip }; goto L }");
    assert!(shown.starts_with("i = 0\nL: do\n"), "{shown}");
}

#[test]
fn declarations_behind_the_first_statement_are_steps() {
    let text = "byte g;\ninit { byte a = 1; g = a; byte b, c[2]; { byte d = 2; g = d } }";
    insta::assert_snapshot!(body(text), @"
    g = a
    declare b
    declare c
    block
      ::
        declare d
        g = d
    ");
    let model = model(text);
    let locals: Vec<_> = model.proctypes.values().flat_map(|proc| proc.locals.values()).collect();
    let by_step: Vec<_> = locals.iter().map(|var| (&*var.name, var.declared_by_step)).collect();
    assert_eq!(by_step, [("a", false), ("b", true), ("c", true), ("d", true)]);
}

#[test]
fn a_late_structure_is_a_step_that_does_nothing() {
    let text = "typedef T { byte a = 3 }\ninit { skip; T t; t.a = 1 }";
    assert_eq!(body(text), "1\ndeclare t\nt.a = 1\n");
    assert!(model(text).proctypes.values().all(|proc| proc.locals.values().all(|var| !var.declared_by_step)));
}

#[test]
fn a_block_at_the_very_start_is_no_longer_the_start() {
    insta::assert_snapshot!(body("byte g;\ninit { { byte x = 1; g = x } }"), @"
    block
      ::
        declare x
        g = x
    ");
}

#[test]
fn structures_are_sent_passed_and_received_field_by_field() {
    let text = "typedef A { byte x[2] }\ntypedef B { A a; bool b }\nchan c = [1] of { byte, B };\nB v;\nbyte n;\n\
                init { c!n,v; c?n,v; c?eval(n),_,3,_ }";
    insta::assert_snapshot!(body(text), @"
    c!n,v.a.x[0],v.a.x[1],v.b
    c?n,v.a.x[0],v.a.x[1],v.b
    c?eval(n),_,eval(3),_
    ");
    let passed = "typedef P { byte x; byte y }\nP p;\ninit { run Q(1, p) }\nproctype Q(byte a; P b) { a = b.x }";
    assert_eq!(body(passed), "run(1,p.x,p.y)\n");
}

#[test]
fn labels_of_two_calls_of_an_inline_are_two() {
    let text = "byte x;\ninline f() { x = 2; L: x = 1; goto L }\ninit { f(); f() }";
    let model = model(text);
    let labels: usize = model.proctypes.values().map(|proc| proc.labels.len()).sum();
    assert_eq!(labels, 2);
}

#[test]
fn mtype_names_count_from_the_last_and_sets_on_their_own() {
    let model = model("mtype = { a, b, c };\nmtype = { d, e };\nmtype:s = { p, q };\ninit { skip }");
    let sets: Vec<Vec<&str>> =
        model.mtypes.values().map(|set| set.names.iter().map(|name| &**name).collect()).collect();
    assert_eq!(sets, [vec!["c", "b", "a", "e", "d"], vec!["q", "p"]]);
}

#[test]
fn the_priority_of_a_process_is_a_function_of_its_number() {
    let text = "init { _priority = 3 }";
    assert_eq!(body(text), "set_priority(Pid,3)\n");
    assert!(model(text).uses_priorities);
    assert!(!model("init { skip }").uses_priorities);
}

#[test]
fn a_hidden_variable_stays_hidden_only_while_nobody_reads_it() {
    let model = model("hidden byte kept, dropped;\ninit { kept = 1; dropped = 1; kept == 1 }");
    let hidden: Vec<bool> = model.globals.values().map(|var| var.hidden).collect();
    assert_eq!(hidden, [false, true]);
}

#[test]
fn declared_channels_share_their_kind() {
    let model =
        model("chan a = [1] of { byte };\nchan b[2] = [1] of { byte };\nchan c = [0] of { byte };\ninit { a!1 }");
    assert_eq!(model.chan_types.len(), 2);
    assert!(model.globals.values().all(|var| matches!((&var.init, var.ty), (Init::Chan(_), VarType::Basic(_)))));
}

#[test]
fn expressions_from_outside_see_globals_processes_labels_and_channels() {
    let parsed = parse_text(
        "model.pml",
        b"byte x;\nchan c = [1] of { byte };\nactive proctype P() { byte y; L: y = x; c!y }",
        &Options::default(),
    );
    let (mut sources, mut findings) = (parsed.sources, parsed.diagnostics);
    let model = check(&parsed.ast, &mut findings).expect("a model");
    let (given, syntax) = parse_expressions(&mut sources, "<test>", "x + len(c), P[0]:y, P[0]@L, y, P[0]@M");
    assert!(syntax.is_empty(), "{syntax:#?}");
    let mut said: Vec<Diagnostic> = Vec::new();
    let resolved: Vec<bool> = given.iter().map(|expr| check_expression(&model, expr, &mut said).is_some()).collect();
    assert_eq!(resolved, [true, true, true, false, false]);
    let errors: Vec<&str> = said.iter().filter(|f| f.severity == Severity::Error).map(|f| f.code.id).collect();
    assert_eq!(errors, ["E0201", "E0206"]);
}
