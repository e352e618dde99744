//! Whatever is thrown at the front end, it answers: no panic, no overflow of the stack, no hang.

use std::time::{Duration, Instant};

use promela::ast::print::{print, same_tree};
use promela::diagnostics::Severity;
use promela::{Options, Parsed, parse_expressions, parse_formula, parse_text, render};
use proptest::prelude::*;

fn read(bytes: &[u8]) -> Parsed {
    parse_text("m.pml", bytes, &Options::default())
}

fn has_errors(parsed: &Parsed) -> bool {
    parsed.diagnostics.iter().any(|finding| finding.severity == Severity::Error)
}

/// Reads a text, shows all findings and prints the tree; a text without errors reads back from its print.
fn exercise(bytes: &[u8]) {
    let parsed = read(bytes);
    for finding in &parsed.diagnostics {
        assert!(!finding.labels.is_empty(), "a finding without a place: {}", finding.message);
        render::to_text(&parsed.sources, finding, false);
        render::to_record(&parsed.sources, finding);
    }
    let text = print(&parsed.ast);
    if !has_errors(&parsed) {
        let again = read(text.as_bytes());
        assert!(!has_errors(&again), "does not read back:\n{text}");
        assert!(same_tree(&parsed.ast, &again.ast), "reads back differently:\n{text}");
    }
}

/// A model with nearly everything in it.
const MODEL: &str = include_str!("syntax/everything.pml");

/// Pieces that token soup is made of.
const WORDS: &[&str] = &[
    "init",
    "proctype",
    "active",
    "never",
    "ltl",
    "typedef",
    "mtype",
    "inline",
    "byte",
    "int",
    "chan",
    "unsigned",
    "of",
    "if",
    "fi",
    "do",
    "od",
    "::",
    "->",
    ";",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ",",
    ".",
    "..",
    ":",
    "=",
    "==",
    "!",
    "!!",
    "?",
    "??",
    "<",
    ">",
    "++",
    "--",
    "+",
    "-",
    "*",
    "[]",
    "<>",
    "U",
    "x",
    "y",
    "P",
    "f",
    "0",
    "1",
    "4294967296",
    "skip",
    "else",
    "break",
    "goto",
    "atomic",
    "d_step",
    "unless",
    "for",
    "in",
    "select",
    "run",
    "len",
    "full",
    "eval",
    "timeout",
    "return",
    "assert",
    "printf",
    "\"s\"",
    "'a'",
    "'",
    "\"",
    "@",
    "\n",
    "\n",
    "\n#define f",
    "\n#define f(x) x x",
    "\n#if",
    "\n#if 1\n",
    "\n#else\n",
    "\n#endif\n",
    "\n#include \"m.pml\"\n",
    "#",
    "##",
    "/*",
    "*/",
    "//",
    "\\\n",
    "c_code",
    "$",
];

#[test]
fn a_line_called_zero_is_shown() {
    exercise(b"byte x, y; init { \n#if 1\n # 0 }\n");
}

/// What expressions are made of.
const OPERANDS: &[&str] = &[
    "x",
    "0",
    "1",
    "7",
    "a[x]",
    "t.f",
    "_pid",
    "np_",
    "len(c)",
    "c?[x]",
    "c??[-1, eval(-x)]",
    "timeout",
    "enabled(1)",
    "P[1]@L",
    "P[x - 1]:y",
    "P@L",
    "(run P(- 1, !x))",
    "4294967295",
    "skip",
    "'a'",
];

/// Expressions, with signs next to each other wherever the grammar lets them.
fn expression_text() -> impl Strategy<Value = String> {
    prop::sample::select(OPERANDS).prop_map(str::to_owned).prop_recursive(5, 24, 3, |inner| {
        let unary = prop::sample::select(&["! ", "- ", "~", "~ "][..]);
        let binary = prop::sample::select(
            &["+", "-", "- ", "*", "/", "%", "&", "^", "|", "<<", ">>", "<", "<=", ">", ">=", "==", "!=", "&&", "||"][..],
        );
        prop_oneof![
            (unary, inner.clone()).prop_map(|(sign, a)| format!("{sign}{a}")),
            (inner.clone(), binary, inner.clone()).prop_map(|(a, sign, b)| format!("{a} {sign} {b}")),
            inner.clone().prop_map(|a| format!("({a})")),
            (inner.clone(), inner.clone(), inner).prop_map(|(c, a, b)| format!("({c} -> {a} : {b})")),
        ]
    })
}

/// Statements around such expressions.
fn statement_text() -> impl Strategy<Value = String> {
    let e = expression_text;
    let leaf = prop_oneof![
        e(),
        (prop::sample::select(&["c!", "c! ! ", "c! - ", "c!!", "c!! ! ", "t.c[x]! ! "][..]), e())
            .prop_map(|(c, a)| format!("{c}{a}")),
        (e(), e()).prop_map(|(a, b)| format!("c!x({a}, {b})")),
        (prop::sample::select(&["c?", "c??", "c? ", "c?? "][..]), e())
            .prop_map(|(c, a)| format!("{c}eval({a}), -1, x")),
        Just("c?<-1, x>".to_owned()),
        Just("c??< x, - 2 >".to_owned()),
        e().prop_map(|a| format!("x = {a}")),
        e().prop_map(|a| format!("a[{a}]++")),
        e().prop_map(|a| format!("a[{a}]--")),
        e().prop_map(|a| format!("assert({a})")),
        e().prop_map(|a| format!("printf(\"%d\\n\", {a})")),
        (e(), e()).prop_map(|(a, b)| format!("select (x : {a} .. {b})")),
        (e(), e()).prop_map(|(a, b)| format!("set_priority({a}, {b})")),
        Just("run P(1, 2) priority 3".to_owned()),
        Just("T u; unsigned v : 3 = 2; mtype:kind k = ka".to_owned()),
        Just("goto L".to_owned()),
        Just("full(c) || nempty(c)".to_owned()),
    ];
    leaf.prop_recursive(4, 12, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a}; {b}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("if :: {a} --> {b} :: else -> {b} fi")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("do :: {a} :: else :: {b}; break od")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{{ {a} }} unless {{ {b} }}")),
            inner.clone().prop_map(|a| format!("atomic {{ {a} }}")),
            inner.clone().prop_map(|a| format!("d_step {{ {a} }}")),
            (expression_text(), inner).prop_map(|(e, a)| format!("for (x : {e} .. 3) {{ {a} }}")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        exercise(&bytes);
    }

    #[test]
    fn token_soup(words in prop::collection::vec(prop::sample::select(WORDS), 0..200)) {
        exercise(words.join(" ").as_bytes());
    }

    #[test]
    fn tokens_in_a_body(words in prop::collection::vec(prop::sample::select(WORDS), 0..40)) {
        exercise(format!("byte x, y; init {{ {} }}\n", words.join(" ")).as_bytes());
    }

    #[test]
    fn statements_read_back(body in statement_text()) {
        let declared = "mtype:kind = { ka, kb }; typedef T { byte f; chan c[2] }; T t; chan c = [2] of { byte, byte };\n\
            byte x, a[3]; proctype P(byte p; byte q) { byte y; L: y = 1 }\n";
        let text = format!("{declared}active proctype Q() provided (!a[x]) {{ x = 1; {body}; L: skip }}\n");
        prop_assert!(!has_errors(&read(text.as_bytes())), "does not read:\n{}", text);
        exercise(text.as_bytes());
    }

    #[test]
    fn mutated_models(cuts in prop::collection::vec((any::<prop::sample::Index>(), 0..30usize, prop::sample::select(WORDS)), 1..6)) {
        let mut bytes = MODEL.as_bytes().to_vec();
        for (index, length, word) in cuts {
            let start = index.index(bytes.len());
            let end = (start + length).min(bytes.len());
            bytes.splice(start..end, word.bytes());
        }
        exercise(&bytes);
    }

    #[test]
    fn expressions_from_elsewhere(text in "[a-z0-9+*()!<>=&|,. \\[\\]U?-]{0,60}") {
        let mut parsed = read(MODEL.as_bytes());
        parse_expressions(&mut parsed.sources, "<expression>", &text);
        parse_formula(&mut parsed.sources, "<formula>", &text);
    }
}

#[test]
fn signs_stay_apart() {
    for statement in ["c! !x", "c!! !x", "c! !x, !x", "c! - -x", "x = - -x", "x = x - -1", "! !x", "~ ~x", "c? -1"] {
        let text = format!("byte x; chan c = [1] of {{ byte }}; init {{ {statement} }}\n");
        assert!(!has_errors(&read(text.as_bytes())), "does not read: {statement}");
        exercise(text.as_bytes());
    }
}

#[test]
fn everything_reads_and_reads_back() {
    let parsed = read(MODEL.as_bytes());
    let findings: String = parsed.diagnostics.iter().map(|f| render::to_text(&parsed.sources, f, false)).collect();
    assert_eq!(findings, "");
    exercise(MODEL.as_bytes());
}

#[test]
fn expressions_use_the_macros_of_the_model() {
    let mut parsed = read(b"#define LIMIT 3\nbyte x; proctype P() { L: skip }\ninit { skip }\n");
    let (list, findings) = parse_expressions(&mut parsed.sources, "<expression>", "x < LIMIT, P[1]@L");
    assert!(findings.is_empty());
    let texts: Vec<_> = list.iter().map(promela::ast::print::expression).collect();
    assert_eq!(texts, ["x < 3", "P[1]@L"]);
    let (formula, findings) = parse_formula(&mut parsed.sources, "<formula>", "[] x < LIMIT -> <> P@L");
    assert!(findings.is_empty());
    assert_eq!(promela::ast::print::formula(&formula.expect("a formula")), "([] (x < 3)) -> (<> (P@L))");
    let (_, findings) = parse_expressions(&mut parsed.sources, "<expression>", "x <");
    assert_eq!(findings.len(), 1);
}

/// Texts that are deep, long or both are answered with a finding or a tree, and soon.
#[test]
fn monsters() {
    let repeat = |open: &str, middle: &str, close: &str, n: usize| {
        format!("byte x; init {{ {}{middle}{} }}\n", open.repeat(n), close.repeat(n))
    };
    let deep = [
        repeat("(", "x", ")", 100_000),
        repeat("{", "skip", "}", 100_000),
        repeat("if :: ", "skip", " fi", 100_000),
        repeat("atomic {", "skip", "}", 100_000),
        repeat("x[", "0", "]", 100_000),
        repeat("! ", "x", "", 100_000),
        repeat("x = - ", "1", "", 100_000),
        repeat("x + ", "x", "", 1_000_000),
        repeat("L: ", "skip", "", 100_000),
        repeat("(", "", "", 1_000_000),
        repeat("", "", "}", 1_000_000),
        format!("ltl {{ {} 1 }}\ninit {{ skip }}\n", "[] ".repeat(100_000)),
        format!("ltl {{ 1 {} }}\ninit {{ skip }}\n", "U 1 ".repeat(100_000)),
        format!("#if {}1{}\n#endif\ninit {{ skip }}\n", "(".repeat(100_000), ")".repeat(100_000)),
        format!("#if {}1\n#endif\ninit {{ skip }}\n", "!".repeat(100_000)),
        format!("#define f(x) x\ninit {{ {}skip{} }}\n", "f(".repeat(100_000), ")".repeat(100_000)),
        format!("#define f(x) (x) + (x)\nbyte y; init {{ y = {}1{} }}\n", "f(".repeat(60), ")".repeat(60)),
        format!(
            "{}inline f0() {{ skip }}\ninit {{ f40() }}\n",
            (1..=40).map(|n| format!("inline f{n}() {{ f{m}(); f{m}() }}\n", m = n - 1)).collect::<String>()
        ),
        format!("init {{ printf(\"{}\") }}", "a".repeat(10_000_000)),
        format!("init {{ {} }}", "x ".repeat(300_000)),
        format!("{}\n", "byte x = ; ".repeat(100_000)),
        format!("init {{ skip }} /*{}", "*".repeat(1_000_000)),
        "a".repeat(10_000_000),
        "/".repeat(1_000_000),
        "\"".repeat(1_000_000),
        "'".repeat(1_000_000),
        "\\\n".repeat(1_000_000),
        "#".repeat(1_000_000),
        "#\n".repeat(1_000_000),
        "#if 1\n".repeat(100_000),
    ];
    for text in &deep {
        let begin = Instant::now();
        let parsed = read(text.as_bytes());
        for finding in &parsed.diagnostics {
            let shown = render::to_text(&parsed.sources, finding, false);
            assert!(shown.len() < 20_000, "a finding of {} bytes", shown.len());
        }
        drop(parsed.ast.clone());
        let start: String = text.chars().take(60).collect();
        println!("{:>10.3?} {:>9} bytes {} findings: {start:?}", begin.elapsed(), text.len(), parsed.diagnostics.len());
        assert!(begin.elapsed() < Duration::from_secs(20), "too slow: {start}");
    }
}

#[test]
fn ten_megabytes_are_read() {
    let statement = "    x = (x + 1) % 10; if :: x > 3 -> x = 0 :: else -> skip fi\n";
    let text = format!("byte x;\ninit {{\n{}}}\n", statement.repeat(10_000_000 / statement.len()));
    let parsed = read(text.as_bytes());
    assert!(!has_errors(&parsed));
}
