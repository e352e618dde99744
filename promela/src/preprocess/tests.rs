//! What macros and directives make of a text; the expectations are gcc's.

use std::path::Path;

use super::Preprocessor;
use crate::diagnostics::Diagnostic;
use crate::source::Sources;
use crate::{Files, Options};

/// `a.h` can be included.
struct OneHeader;

impl Files for OneHeader {
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        match path.to_str() {
            Some("inc/a.h") => Ok(b"#define INCLUDED in_a\nfrom_a\n".to_vec()),
            _ => Err(std::io::ErrorKind::NotFound.into()),
        }
    }
}

fn expand_with(text: &str, options: &Options) -> (String, Vec<Diagnostic>) {
    let (mut sources, mut diagnostics) = (Sources::default(), Vec::new());
    let mut preprocessor = Preprocessor::new(&mut sources, &mut diagnostics, &OneHeader, options);
    preprocessor.define_options();
    let tokens = preprocessor.run_text("m.pml", text);
    let words: Vec<_> = tokens.iter().map(|token| sources.slice(token.origin.place)).collect();
    (words.join(" "), diagnostics)
}

fn expand(text: &str) -> String {
    let (words, findings) = expand_with(text, &Options::default());
    assert!(findings.is_empty(), "{text}: {findings:?}");
    words
}

#[test]
fn expansion_follows_the_rules_of_c() {
    let cases = [
        ("#define A B\n#define B A\nA B", "A B"),
        ("#define f(x) x f\nf(1)(2)", "1 f ( 2 )"),
        ("#define f(x) g(x)\n#define g(x) f(x) x\nf(1)", "f ( 1 ) 1"),
        ("#define EMPTY\n#define f(x) [x]\nf EMPTY (1) f(EMPTY)", "f ( 1 ) [ ]"),
        ("#define f(a, b) a-b\nf((1, 2), 3) f(,) f(f(1, 2), 3)", "( 1 , 2 ) - 3 - 1 - 2 - 3"),
        ("#define z z[0]\n#define f(a) f(z * (a))\nf(2 * f(2))", "f ( z [ 0 ] * ( 2 * f ( z [ 0 ] * ( 2 ) ) ) )"),
        ("#define cat(a, b) a ## b\n#define x 7\ncat(x, 1) cat(1, x) cat(+, +)", "x1 1 x ++"),
        ("#define cat(a, b) a ## b\n#define xcat(a, b) cat(a, b)\nxcat(xcat(1, 2), 3)", "123"),
        ("#define cat(a, b) a ## b\ncat(, x) cat(x, ) cat(, )y", "x x y"),
        ("#define t(x, y, z) x ## y ## z\nt(1, 2, 3) t(, 4, 5) t(6, , 7) t(, , 8)", "123 45 67 8"),
        ("#define s(a) #a\ns( a  +\n b ) s(\"q\\n\") s()", "\"a + b\" \"\\\"q\\\\n\\\"\" \"\""),
        ("#define v(a, ...) f(a, __VA_ARGS__)\nv(1, 2, 3)", "f ( 1 , 2 , 3 )"),
        ("#define v(a, ...) f(a, ## __VA_ARGS__)\nv(1) v(1, 2)", "f ( 1 ) f ( 1 , 2 )"),
        ("#define f(x) x\n#define g f(\ng 2)", "2"),
        ("#define g f\n#define f(a) a + 1\ng(g)(3)", "f + 1 ( 3 )"),
        ("#define one /* a\n comment */ 1 // more\none", "1"),
        ("#define two 1 \\\n + 1\ntwo", "1 + 1"),
        ("#define N 3\n0..N 0 .. N", "0 .. 3 0 .. 3"),
        ("#define N 3\n\"N\" 'N' xN", "\"N\" 'N' xN"),
        ("#define N 3\n#undef N\nN", "N"),
        ("x\n__LINE__ __FILE__", "x 2 \"m.pml\""),
        ("#line 40 \"other.pml\"\n__LINE__ __FILE__\n__LINE__", "40 \"other.pml\" 41"),
        ("#pragma once\n# 7 \"x\"\n#ident \"y\"\n#\nz", "z"),
    ];
    for (text, expected) in cases {
        assert_eq!(expand(text), expected, "{text}");
    }
}

#[test]
fn conditions_choose() {
    let cases = [
        ("#if 1 + 2 * 3 == 7 && !defined(X)\na\n#else\nb\n#endif", "a"),
        ("#define X\n#if defined X && defined(Y)\na\n#elif defined X\nb\n#else\nc\n#endif", "b"),
        ("#ifdef X\na\n#else\nb\n#endif\n#ifndef X\nc\n#endif", "b c"),
        ("#if 0\n#if 1\na\n#else\nb\n#endif\n#error no\n#include nothing\n#else\nc\n#endif", "c"),
        ("#if 0x10 == 16 && 010 == 8 && 10UL == 10 && 'a' == 97\na\n#endif", "a"),
        ("#if (1 ? 2 : 3) == 2 && (0 || 1) && -1 < 0 && ~0 == -1 && 7 % 4 == 3 && 1 << 3 == 8\na\n#endif", "a"),
        ("#if 0 && 1 / 0\na\n#elif UNKNOWN\nb\n#else\nc\n#endif", "c"),
        ("#define f(x) x\n#if f(1) + f(1) == 2\na\n#endif", "a"),
        ("#if 0\ndon't \"\n#endif\na", "a"),
    ];
    for (text, expected) in cases {
        assert_eq!(expand(text), expected, "{text}");
    }
}

#[test]
fn the_command_line_defines_and_undefines() {
    let options = Options {
        defines: vec!["A".into(), "B=2 + 2".into(), "C=".into(), "D=4".into()],
        undefines: vec!["D".into()],
        include_dirs: vec!["inc".into()],
    };
    assert_eq!(expand_with("A B C D", &options).0, "1 2 + 2 D");
    assert_eq!(expand_with("#include <a.h>\nINCLUDED", &options).0, "from_a in_a");
    assert_eq!(expand_with("#include \"a.h\"\nINCLUDED", &options).0, "from_a in_a");
}

#[test]
fn lines_break_where_cpp_breaks_them() {
    let (mut sources, mut diagnostics) = (Sources::default(), Vec::new());
    let options = Options::default();
    let text = "#define f(x) x\n#define E\na f(1,\n2) b\nc /*\n*/ d E\nE e f(3\n) g \\\n h";
    let text = text.replace("f(1,\n2)", "f(1\n)");
    let tokens = Preprocessor::new(&mut sources, &mut diagnostics, &OneHeader, &options).run_text("m.pml", &text);
    let lines: String = tokens
        .iter()
        .map(|token| format!("{}{}", if token.broken { "|" } else { " " }, sources.slice(token.origin.place)))
        .collect();
    assert_eq!(lines, "|a 1|b|c|d|e 3|g h");
}
