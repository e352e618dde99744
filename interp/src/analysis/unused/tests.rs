//! Small models, each with exactly what is found in it: the irrelevant variables, and what is dead in front of the
//! statements of which lines. Most stand beside a near miss.

use promela::model::Ltl;

use super::{Unused, UnusedKinds};
use crate::inspect::expression::Expressions;
use crate::{Analysis, Model};

/// What is found, in a fixed layout and in one where processes are created at run time: it must be the same. Lines begin
/// with 1 for the first line of `body`, a location is at the line of its statement, and `end` is where a process ends.
fn found(body: &str) -> String {
    let full = found_by(body, Analysis::Full);
    assert_eq!(full, found_by(body, Analysis::Plain), "in a layout that is not fixed");
    full
}

fn found_by(body: &str, analysis: Analysis) -> String {
    let parsed = promela::parse_text("test.pml", body.as_bytes(), &Default::default());
    let mut findings = parsed.diagnostics;
    let checked = promela::check(&parsed.ast, &mut findings).unwrap_or_else(|| panic!("{findings:?}"));
    // A formula that is a single atom is observed.
    let mut expressions = Expressions::default();
    let atoms = checked.ltl.iter().filter_map(|block| match &block.formula {
        Ltl::Atom(atom) => Some(atom.clone()),
        _ => None,
    });
    let observed: Vec<_> = atoms.map(|atom| expressions.observe(atom)).collect();
    let model = Model::with(checked, analysis, &expressions);
    assert_eq!(model.layout.is_fixed, analysis == Analysis::Full);
    let unused = Unused::new(&model, UnusedKinds::all(), &observed, true);
    let mut lines = Vec::new();
    let globals = unused.irrelevant_globals();
    if !globals.is_empty() {
        lines.push(format!("irrelevant {}", globals.join(" ")));
    }
    for (id, template) in &model.program.templates {
        let name = &model.checked.proctypes[template.proctype].name;
        let locals = unused.irrelevant_locals(id);
        if !locals.is_empty() {
            lines.push(format!("irrelevant {name}:{}", locals.join(" ")));
        }
        for (pc, location) in &template.graph.locations {
            let dead = unused.dead_locals(id, pc);
            if dead.is_empty() {
                continue;
            }
            let is_end =
                location.edges().any(|edge| model.program.edges[edge].guard == crate::code::program::Guard::End);
            let line = match is_end {
                true => "end".to_owned(),
                false => parsed.sources.line(location.span).to_string(),
            };
            lines.push(format!("{name} {line}: {}", dead.join(" ")));
        }
    }
    lines.join("; ")
}

#[test]
fn a_local_is_dead_until_it_is_written_and_after_it_was_read() {
    let body = "byte g;
        active proctype A() { byte x, y;
            x = g;
            g = x + 1;
            y = g;
            (y == g);
            g = 0
        }";
    assert_eq!(found(body), "A 3: x y; A 4: y; A 5: x y; A 6: x; A 7: x y; A end: x y");
}

#[test]
fn a_loop_keeps_what_its_next_round_reads() {
    let body = "byte g;
        active proctype A() { byte i, old, k; k = g;
            do
            :: i < 3 ->
                old = g;
                g = old + k;
                i++
            :: else ->
                break
            od;
            (g == 3)
        }";
    assert_eq!(found(body), "A 2: old k; A 5: old; A 7: old; A 3: old; A 11: i old k; A end: i old k");
}

#[test]
fn an_escape_reads_wherever_it_may_be_taken() {
    let body = "byte g;
        active proctype A() { byte x, y;
            x = g; y = g;
            {
                g = 1;
                g = 2;
                g = 3
            } unless { (x == g) };
            g = y
        }";
    assert_eq!(found(body), "A 3: x y; A 3: y; A 9: x; A end: x y");
}

#[test]
fn an_else_reads_the_guards_beside_it() {
    let body = "byte g;
        active proctype A() { byte x;
            x = g;
            g = 1;
            if
            :: x == 1 -> g = 2
            :: else -> g = 3
            fi;
            g = 4
        }";
    assert_eq!(found(body), "A 3: x; A 6: x; A 7: x; A 9: x; A end: x");
}

#[test]
fn what_a_remote_reference_reads_lives_everywhere() {
    let body = "byte g;
        active proctype A() { byte x, y;
            x = g; y = x;
            g = y;
            g = 1
        }
        active proctype B() { byte z;
            (A:x == 1);
            z = g; g = z
        }";
    assert_eq!(found(body), "A 3: y; A 3: y; A 5: y; A end: y; B 8: z; B 9: z; B end: z");
}

#[test]
fn a_process_reads_its_own_locals_from_outside_too() {
    let body = "byte g;
        active proctype A() { byte x;
            x = g;
            g = 1;
            (A[_pid]:x == 0);
            g = 2
        }";
    assert_eq!(found_by(body, Analysis::Full), "A 3: x; A 6: x; A end: x");
    // Where a process is not known by its pid it may be another one that reads.
    assert_eq!(found_by(body, Analysis::Plain), "");
}

#[test]
fn a_claim_and_an_observer_read_everywhere() {
    let body = "byte g, h, k, unseen;
        active proctype A() { byte x, y;
            x = g; y = g; g = 0; h++; k++; unseen++;
            g = 1
        }
        ltl { k < 200 }
        never { do :: h < 100 && A:x < 3 od }";
    assert_eq!(found(body), "irrelevant unseen; irrelevant A:y");
}

#[test]
fn a_provided_clause_is_read_everywhere() {
    let body = "byte g, h, k;
        active proctype A() provided (h < 10) {
            h = 1; k = 1;
            g = 1; (g == 1)
        }";
    assert_eq!(found(body), "irrelevant k");
}

#[test]
fn one_element_of_an_array_is_written_and_the_others_stay() {
    let body = "byte g;
        active proctype A() { byte a[3], b[3];
            a[g] = 1; b[0] = g; b[1] = g; b[2] = g;
            g = a[0] + a[1] + b[2];
            g = 2; b[0] = 1; b[1] = 1; (b[0] + b[1] > g)
        }";
    let full = "irrelevant A:a (in part); A 3: b; A 3: b; A 3: b; A 3: b; A 4: b (in part); A 5: a (in part) b; \
        A 5: a (in part) b; A 5: a (in part) b (in part); A 5: a (in part) b (in part); A end: a (in part) b";
    assert_eq!(found_by(body, Analysis::Full), full);
}

#[test]
fn a_d_step_may_skip_what_it_writes() {
    let body = "byte g;
        active proctype A() { byte x, y;
            x = g; y = g;
            d_step { if :: g > 0 -> x = 1 :: else fi; y = 1 };
            g = x + y
        }";
    assert_eq!(found(body), "A 3: x y; A 3: y; A end: x y");
}

#[test]
fn an_atomic_sequence_writes_before_it_reads() {
    let body = "byte g;
        active proctype A() { byte x;
            g = 1;
            atomic { x = g; (g > 1); g = x };
            g = 3
        }";
    assert_eq!(found(body), "A 3: x; A 4: x; A 5: x; A end: x");
}

#[test]
fn a_message_overwrites_what_it_is_received_in() {
    let body = "byte g; chan c = [0] of { byte }; chan d = [1] of { byte };
        active proctype A() { byte x, y;
            x = g; y = g;
            g = 1;
            c?x;
            g = x;
            if :: d?x :: d?eval(y) fi;
            g = x
        }
        active proctype B() { c!1; d!g }";
    assert_eq!(found(body), "A 3: x y; A 3: x y; A 4: x; A 5: x; A 8: y; A end: x y");
}

#[test]
fn the_parameters_and_channels_of_created_processes() {
    let body = "byte g;
        proctype A(byte p; chan c) { byte x;
            c!p;
            x = p + g;
            g = x
        }
        init { chan c = [1] of { byte }; byte n;
            n = g; run A(n, c); g = 1; c?n; g = n; g = 2
        }";
    assert_eq!(
        found_by(body, Analysis::Plain),
        "A 3: x; A 4: c x; A 5: p c; A end: p c x; init 8: n; init 8: n; init 8: n; init 8: c; init 8: c n; init end: c n"
    );
}

#[test]
fn nothing_depends_on_a_variable_that_is_only_counted_or_printed() {
    let body = "byte g; int steps, sum, last, printed, read; byte mirror;
        active proctype A() { int rounds, old;
            do
            :: g < 3 -> steps++; sum = sum + g; last = sum; printed = g; g++; rounds = rounds + 2; read = read + 1
            :: g == 3 -> printf(\"%d\", printed); g = 0; mirror = old; old = mirror
            :: read > 5 -> g = 0
            od
        }";
    assert_eq!(found(body), "irrelevant steps sum last printed mirror; irrelevant A:rounds old");
}

#[test]
fn what_decides_matters() {
    let body = "byte a, b, c, d, e, f, i, j, k, free; byte h[4]; chan q = [1] of { byte };
        proctype P(byte p) { byte own = e, unread = free; (own > 0); assert(p == p) }
        active proctype A() {
            a = k + 1; b = k + 1; c = k + 1; d = k + 1; e = k + 1; f = k + 1; i = k + 1; free = k + 1;
            assert(a < 9);
            (b > 0);
            q!c;
            run P(d);
            q?h[i];
            q?eval(f);
            d_step { (h[0] == 0); j = k };
            if :: j > 0 :: else fi
        }";
    assert_eq!(
        found_by(body, Analysis::Plain),
        "irrelevant free h (in part); irrelevant P:unread; P 2: own; P end: p own"
    );
}

#[test]
fn what_can_fail_matters() {
    let body = "byte g, a, b, c, d, e, n, k; byte f[4], h[4];
        active proctype A() {
            a = g + 1; b = g + 1; c = g + 1; d = g + 1; e = g + 1; n = g + 1; k = g + 1;
            n = 100 / a;
            printf(\"%d\", 5 % b);
            n = 1 << c;
            f[d] = 1;
            n = h[e];
            n = k * 3
        }";
    assert_eq!(found(body), "irrelevant n k f");
}

#[test]
fn a_chain_of_assignments_ends_in_what_matters() {
    let body = "byte a, b, c, d, e, sent, arg, out; chan q = [1] of { byte };
        proctype P(byte p) { (p > 0) }
        active proctype A() {
            a = b + 1; b = c + 1; c = d + 1; (a > 0);
            d = e + 1; e = 1; sent = e + 1; q!sent;
            arg = e + 1; run P(arg); out = a + sent
        }";
    assert_eq!(found_by(body, Analysis::Plain), "irrelevant out; P end: p");
}

#[test]
fn fields_of_structures_are_apart() {
    let body = "typedef T { byte a; byte b; byte c[3] }; T g; T h[2];
        active proctype A() { T x; byte i;
            x.a = g.a; x.b = g.a; x.c[i] = 1;
            g.a = x.a;
            g.b = x.b; h[i].a = 1; h[i].b = 1; i = h[1 - i].a;
            g.c[i] = 2; (x.c[0] + i > 0)
        }";
    assert_eq!(found(body), "irrelevant g h (in part); irrelevant A:x (in part); A end: x (in part) i");
}

#[test]
fn a_trace_reads_what_its_patterns_name() {
    let traced = |event: &str| {
        let body = "byte g, chosen, other; chan c = [1] of { byte };
            active proctype A() { chosen = 1; other = 1; c!1; c?g }";
        found(&format!("{body} trace {{ do :: {event} od }}"))
    };
    assert_eq!(traced("c!chosen"), "irrelevant g other");
    assert_eq!(traced("c?eval(chosen)"), "irrelevant g other");
}

#[test]
fn each_kind_can_be_left_out() {
    let body = "byte steps; active proctype A() { byte x; x = 1; (x == 1); steps++ }";
    let parsed = promela::parse_text("test.pml", body.as_bytes(), &Default::default());
    let checked = promela::check(&parsed.ast, &mut Vec::new()).expect("it is a model");
    let model = Model::new(checked);
    let of = |kinds| Unused::new(&model, kinds, &[], false);
    assert!(of(UnusedKinds::empty()).is_empty());
    assert_eq!(of(UnusedKinds::DEAD).irrelevant_globals(), [""; 0]);
    assert_eq!(of(UnusedKinds::IRRELEVANT).irrelevant_globals(), ["steps"]);
    let template = model.program.templates.keys().next().expect("it has a process");
    let dead = |unused: Unused| {
        let locations = model.program.templates[template].graph.locations.keys();
        locations.filter(|&pc| !unused.dead_locals(template, pc).is_empty()).count()
    };
    assert_eq!((dead(of(UnusedKinds::IRRELEVANT)), dead(of(UnusedKinds::DEAD))), (0, 3));
}
