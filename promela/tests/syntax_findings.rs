//! Each finding of the preprocessor and of the parser, on the smallest text that has it, as it is shown.

use std::io;
use std::path::Path;

use promela::diagnostics::syntax as code;
use promela::{Files, Options, Parsed, parse, render};

/// Files that are not on any disk.
struct Memory<'a>(&'a [(&'a str, &'a [u8])]);

impl Files for Memory<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let found = self.0.iter().find(|(name, _)| Path::new(name) == path);
        found.map(|(_, bytes)| bytes.to_vec()).ok_or_else(|| io::Error::other("no such file"))
    }
}

fn read(files: &[(&str, &[u8])]) -> Parsed {
    parse(Path::new("m.pml"), &Memory(files), &Options::default())
}

fn show(parsed: &Parsed) -> String {
    parsed.diagnostics.iter().map(|finding| render::to_text(&parsed.sources, finding, false)).collect()
}

/// Declares a test: the named code is found in the text, and all findings look as recorded.
macro_rules! findings {
    ($($name:ident: $code:ident in $text:expr;)*) => {
        $(
            #[test]
            fn $name() {
                let parsed = read(&[("m.pml", $text.as_bytes())]);
                let codes: Vec<_> = parsed.diagnostics.iter().map(|finding| finding.code.id).collect();
                assert!(codes.contains(&code::$code.id), "{codes:?}");
                insta::assert_snapshot!(show(&parsed));
            }
        )*
    };
}

findings! {
    missing_include: MISSING_INCLUDE in "#include \"nope.h\"\ninit { skip }\n";
    malformed_include: MALFORMED_INCLUDE in "#include nope\ninit { skip }\n";
    unterminated_comment: UNTERMINATED_COMMENT in "init { skip } /* here it starts\n and never ends\n";
    unterminated_string: UNTERMINATED_STRING in "init { printf(\"done);\n skip }\n";
    quote_in_argument: UNTERMINATED_STRING in "#define S(a) #a\ninit { printf(S(x \"\n)) }\n";
    error_directive: ERROR_DIRECTIVE in "#ifndef N\n#error define N first\n#endif\ninit { skip }\n";
    unknown_directive: UNKNOWN_DIRECTIVE in "#defne N 3\ninit { skip }\n";
    malformed_define: MALFORMED_DEFINE in "#define MAX(a b) a\ninit { skip }\n";
    define_without_name: MALFORMED_DEFINE in "#define 3 N\ninit { skip }\n";
    macro_arguments: MACRO_ARGUMENTS in "#define MAX(a, b) a + b\ninit { byte x; x = 3; x = MAX(1); skip }\n";
    unfinished_call: UNFINISHED_CALL in "#define F(a) a\ninit { F(skip }\n";
    hash_without_parameter: HASH_WITHOUT_PARAMETER in "#define SHOW(x) printf(#y)\ninit { skip }\n";
    bad_paste: BAD_PASTE in "#define PUT(a) a ## +\ninit { byte x; x = PUT(x) 1 }\n";
    bad_condition: BAD_CONDITION in "#if 1 +\n#endif\ninit { skip }\n";
    condition_divides_by_zero: BAD_CONDITION in "#if 1 / 0\n#endif\ninit { skip }\n";
    stray_conditional: STRAY_CONDITIONAL in "#endif\ninit { skip }\n";
    missing_endif: MISSING_ENDIF in "#ifdef X\ninit { skip }\n";
    malformed_directive: MALFORMED_DIRECTIVE in "#ifdef 3\n#endif\ninit { skip }\n";
    malformed_line: MALFORMED_DIRECTIVE in "#line x\ninit { skip }\n";
    duplicate_parameter: DUPLICATE_PARAMETER in "#define F(a, a) a\ninit { skip }\n";
    paste_at_end: PASTE_AT_END in "#define F(a) a ##\ninit { skip }\n";
    else_twice: ELSE_TWICE in "#if 0\n#else\n#else\n#endif\ninit { skip }\n";
    macro_redefined: MACRO_REDEFINED in "#define N 3\n#define N 4\ninit { skip }\n";
    warning_directive: WARNING_DIRECTIVE in "#warning old model\ninit { skip }\n";

    unknown_character: UNKNOWN_CHARACTER in "init { byte x; x = 1 $ 2 }\n";
    bad_character_constant: BAD_CHARACTER_CONSTANT in "init { byte x; x = 'ab' }\n";
    missing_semicolon: SYNTAX in "init { byte x, y; x = 1 y = 2 }\n";
    line_ends_statement: SYNTAX in "init {\n    byte x, y;\n    x == 1\n    && y == 2\n}\n";
    empty_body: SYNTAX in "proctype P() { }\ninit { skip }\n";
    compound_assignment: SYNTAX in "init { byte x; x += 1 }\n";
    assignment_in_condition: SYNTAX in "init { byte x; if :: (x = 1) -> skip fi }\n";
    c_conditional: SYNTAX in "init { byte x; x = x ? 1 : 2 }\n";
    double_negation: SYNTAX in "init { byte x; !!x }\n";
    misspelt_proctype: SYNTAX in "active proctpye P() { skip }\n";
    misspelt_assert: SYNTAX in "init { byte x; asert x == 1 }\n";
    option_missing: SYNTAX in "init { if skip fi }\n";
    unless_on_the_next_line: SYNTAX in "init {\n    skip\n    unless { skip }\n}\n";
    comma_behind_channel: SYNTAX in "chan c = [1] of { byte }, d = [1] of { byte };\ninit { skip }\n";
    proctype_as_variable: SYNTAX in "proctype P() { skip }\ninit { byte P; skip }\n";
    remote_reference_too_early: SYNTAX in "never { do :: P[0]@L od }\nproctype P() { L: skip }\n";
    parameters_with_commas: SYNTAX in "proctype P(byte a, byte b) { skip }\ninit { skip }\n";
    temporal_operator_in_a_process: SYNTAX in "init { byte x; ([] x) }\n";
    several_errors: SYNTAX in "byte x y;\ninit { x = ; if :: x == -> skip fi; x = 2 }\nproctype 3() { skip }\n";
    unexpected_end: UNEXPECTED_END in "init { do :: skip od\n";
    embedded_c: EMBEDDED_C in "c_decl { int z; };\ninit { c_code { z = 1; }; c_expr { z == 1 } }\n";
    embedded_c_state: EMBEDDED_C in "c_state \"int x\" \"Global\"\ninit { skip }\n";
    c_unfinished: C_UNFINISHED in "init { c_code { x = 1; \n";
    label_before_declaration: LABEL_BEFORE_DECLARATION in "init { L: byte x; x = 1 }\n";
    local_mtype: LOCAL_MTYPE in "init { mtype = { a, b }; skip }\n";
    probe_negated: PROBE_IN_EXPRESSION in "chan c = [1] of { byte };\ninit { !full(c) }\n";
    probe_printed: PROBE_IN_EXPRESSION in "chan c = [1] of { byte };\ninit { printf(\"%d\", empty(c)) }\n";
    ltl_chain: LTL_CHAIN in "byte p, q, r;\nltl { p -> q -> r }\ninit { skip }\n";
    until_chain: LTL_CHAIN in "byte p, q, r;\nltl { p U q U r }\ninit { skip }\n";
    temporal_operand: TEMPORAL_OPERAND in "byte p;\nltl { (<> p) > 3 }\ninit { skip }\n";

    inline_form: INLINE_FORM in "inline f(byte a) { skip }\ninit { skip }\n";
    inline_unfinished: INLINE_UNFINISHED in "inline f(a) { a = 1\ninit { skip\n";
    inline_inside: INLINE_INSIDE in "init { inline f() { skip } f() }\n";
    inline_redefined: INLINE_REDEFINED in "inline f() { skip }\ninline f() { skip }\ninit { f() }\n";
    inline_as_name: INLINE_AS_NAME in "inline f() { skip }\ninit { int f; skip }\n";
    inline_in_expression: INLINE_IN_EXPRESSION in "inline f() { skip }\ninit { byte x; x = 1 + f() }\n";
    inline_recursive: INLINE_RECURSIVE in "inline f() { g() }\ninline g() { f() }\ninit { f() }\n";
    inline_arguments: INLINE_ARGUMENTS in "inline f(a, b) { a = b }\ninit { byte x; f(x) }\n";
    inline_empty_argument: INLINE_ARGUMENTS in "inline f(a, b) { a = b }\ninit { byte x; f(x, ) }\n";
    inline_argument_form: INLINE_ARGUMENT_FORM in "inline f(t) { t x }\ninit { f(byte) }\n";
    stray_return: STRAY_RETURN in "inline f() { return 1 }\ninit { f() }\n";
    return_in_a_process: STRAY_RETURN in "init { return 1 }\n";
    error_in_an_inline: SYNTAX in "inline f(a) {\n    a = = 1\n}\ninit {\n    byte x;\n    f(x)\n}\n";
    error_in_a_macro: SYNTAX in "#define ADD(a, b) a + * b\n#define TWICE(a) ADD(a, a)\ninit { byte x; x = TWICE(x) }\n";
    error_in_an_argument: SYNTAX in "#define ID(a) (a)\ninit { byte x; x = ID(x +) }\n";
    nul_byte: NUL_BYTE in "init { \0 skip }\n";
    stray_comment_end: STRAY_COMMENT_END in "/* byte x; /* x */ byte y; */\ninit { skip }\n";
    number_too_large: NUMBER_TOO_LARGE in "init { int x; x = 4294967297 }\n";
}

#[test]
fn cannot_read() {
    insta::assert_snapshot!(show(&read(&[])));
}

#[test]
fn include_cycle() {
    let parsed =
        read(&[("m.pml", b"#include \"a.h\"\n"), ("a.h", b"#include \"b.h\"\n"), ("b.h", b"#include \"a.h\"\n")]);
    insta::assert_snapshot!(show(&parsed));
}

#[test]
fn error_in_an_included_file() {
    let parsed = read(&[("m.pml", b"#include \"a.h\"\ninit { skip }\n"), ("a.h", b"byte x y;\n")]);
    insta::assert_snapshot!(show(&parsed));
}

#[test]
fn not_utf8() {
    insta::assert_snapshot!(show(&read(&[("m.pml", b"/* caf\xe9 */ init { skip }\n")])));
}

#[test]
fn expansion_too_large() {
    let parsed = read(&[(
        "m.pml",
        b"#define A B B B B\n#define B C C C C\n#define C D D D D\n#define D E E E E\n#define E F F F F\n\
          #define F G G G G\n#define G H H H H\n#define H I I I I\n#define I J J J J\n#define J K K K K\n\
          #define K L L L L\n#define L M M M M\n#define M skip; skip; skip; skip;\ninit { A }\n",
    )]);
    assert_eq!(parsed.diagnostics[0].code.id, code::EXPANSION_TOO_LARGE.id);
    insta::assert_snapshot!(render::to_text(&parsed.sources, &parsed.diagnostics[0], false));
}

#[test]
fn record_of_a_finding_in_a_macro() {
    let parsed = read(&[("m.pml", b"#define BAD +\ninit { byte x; x = BAD }\n")]);
    let record = render::to_record(&parsed.sources, &parsed.diagnostics[0]);
    assert_eq!((record.line, record.column, record.end_column), (1, 13, 14));
    let related = &record.related[0];
    assert_eq!((related.line, related.column), (2, 20));
    assert_eq!(related.message, "in this expansion of `BAD`");
}
