//! Where a span says it stands, and what text it says it has.

use promela::ast::{Item, Sequence, Stmt};
use promela::source::Span;
use promela::{Options, Parsed, parse_text};

fn read(text: &'static str) -> Parsed {
    let parsed = parse_text("m.pml", text.as_bytes(), &Options::default());
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    parsed
}

/// The body of `init`.
fn body(parsed: &Parsed) -> &Sequence {
    let init = parsed.ast.items.iter().find_map(|item| match item {
        Item::Init(init) => Some(&init.body),
        _ => None,
    });
    init.expect("an init")
}

/// Line and text of each statement, those of blocks included.
fn statements(parsed: &Parsed) -> Vec<(u32, String)> {
    fn walk(sequence: &Sequence, visit: &mut impl FnMut(&Stmt)) {
        for stmt in &sequence.stmts {
            match &stmt.kind {
                promela::ast::StmtKind::Block(inner) => walk(inner, visit),
                _ => visit(stmt),
            }
        }
    }
    let mut list = Vec::new();
    walk(body(parsed), &mut |stmt| list.push((parsed.sources.line(stmt.span), parsed.sources.text(stmt.span))));
    list
}

fn expect(text: &'static str, expected: &[(u32, &str)]) {
    let found = statements(&read(text));
    let expected: Vec<_> = expected.iter().map(|(line, text)| (*line, (*text).to_owned())).collect();
    assert_eq!(found, expected);
}

#[test]
fn plain_statements_are_shown_as_written() {
    expect(
        "byte x;\ninit {\n  x = x+1; // more\n  x =\n     (x  /* why */ * 2)\n}\n",
        &[(3, "x = x+1"), (4, "x = (x * 2)")],
    );
}

#[test]
fn macros_count_as_the_line_that_uses_them() {
    expect(
        "#define INC(v) v = v + 1\n#define TWICE(v) INC(v); INC(v)\nbyte x[2];\ninit {\n  skip;\n  TWICE(x[0])\n}\n",
        &[(5, "skip"), (6, "x[0] = x[0] + 1"), (6, "x[0] = x[0] + 1")],
    );
}

#[test]
fn inlines_count_as_their_own_lines() {
    expect(
        "#define ONE 1\ninline set(v, e) {\n  v = e;\n  v++\n  v = v + ONE\n}\nbyte x;\ninit {\n  set(x, 2 * 3)\n  skip\n}\n",
        &[(3, "x = 2 * 3"), (4, "x++"), (5, "x = x + 1"), (10, "skip")],
    );
}

#[test]
fn a_call_with_a_result_assigns_where_it_returns() {
    expect(
        "inline next(e) {\n  skip\n  return e + 1\n}\nbyte x, y;\ninit {\n  y = 2\n  x = next(y)\n  skip\n}\n",
        &[(7, "y = 2"), (2, "skip"), (3, "x = y + 1"), (9, "skip")],
    );
}

#[test]
fn frames_lead_from_the_inside_out() {
    let parsed = read("#define BAD(v) v = 300\ninline f(a) {\n  BAD(a)\n}\nbyte x;\ninit {\n  f(x)\n}\n");
    let promela::ast::StmtKind::Block(block) = &body(&parsed).stmts[0].kind else { panic!("a block") };
    let resolved = parsed.sources.resolve(block.stmts[0].span);
    assert_eq!(parsed.sources.slice(resolved.place), "v = 300");
    let frames: Vec<_> = resolved
        .frames
        .iter()
        .map(|frame| (parsed.sources.name(frame.name).to_string(), parsed.sources.slice(frame.place)))
        .collect();
    assert_eq!(frames, [("BAD".to_owned(), "BAD(a)"), ("f".to_owned(), "f(x)")]);
    assert!(parsed.sources.in_inline(block.stmts[0].span));
    // The argument alone stands where it was written.
    let argument = Span { start: block.stmts[0].span.start, end: block.stmts[0].span.start + 1 };
    let resolved = parsed.sources.resolve(argument);
    assert_eq!(parsed.sources.location(resolved.place).line, 7);
}

#[test]
fn line_directives_are_respected() {
    let parsed = read("#line 10 \"orig.pml\"\nbyte x;\ninit {\n  x = 1\n}\n");
    let span = body(&parsed).stmts[0].span;
    assert_eq!((&*parsed.sources.file_name(span), parsed.sources.line(span)), ("orig.pml", 12));
}
