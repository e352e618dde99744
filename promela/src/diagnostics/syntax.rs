//! The findings of the preprocessor (`E00xx`) and of the reader of Promela's syntax (`E01xx`).

codes! {
    CANNOT_READ = "E0001", "a file cannot be read", "\
The model itself could not be read: it does not exist, is a folder, or you may not read it.

    psw check modle.pml        no such file
    psw check model.pml        what was meant
";
    MISSING_INCLUDE = "E0002", "an included file cannot be read", "\
`#include \"file\"` looks next to the file that includes it, then in the include folders; `#include <file>` looks only
in the include folders.

    #include \"defs.h\"          next to this file
    #include <defs.h>          in a folder given with -I
";
    INCLUDE_CYCLE = "E0003", "files include each other without end", "\
A file includes itself, directly or through others, or the files are nested too deeply. Guard each included file:

    #ifndef DEFS_H
    #define DEFS_H
    …
    #endif
";
    MALFORMED_INCLUDE = "E0004", "an #include without a file name", "\
The name stands in quotes or in angle brackets, or is a macro that expands to such a name.

    #include defs.h            wrong
    #include \"defs.h\"          right
";
    UNTERMINATED_COMMENT = "E0005", "a comment is never closed", "\
A comment that starts with `/*` goes on to the next `*/`, over as many lines as it takes. Comments do not nest: the
first `*/` closes it.

    /* a comment               never closed
    /* a comment */            right
";
    UNTERMINATED_STRING = "E0006", "a string is not closed on its line", "\
A string ends on the line where it begins. A line break inside it is written `\\n`; a quote is written `\\\"`.

    printf(\"done);             wrong
    printf(\"done\\n\");          right
";
    ERROR_DIRECTIVE = "E0007", "an #error directive", "\
The model contains an `#error` for this case; usually a `-D` definition is missing.

    #ifndef N
    #error define N, for example with -D N=3
    #endif
";
    UNKNOWN_DIRECTIVE = "E0008", "an unknown directive", "\
A line that starts with `#` is for the preprocessor, which knows define, undef, include, if, ifdef, ifndef, elif, else,
endif, error, warning, line and pragma.

    #defne N 3                 wrong
    #define N 3                right
";
    MALFORMED_DEFINE = "E0009", "a malformed #define", "\
A macro has a name and, if a parenthesis follows the name without a blank, parameters.

    #define 3 N                wrong
    #define MAX(a b) …         wrong
    #define MAX(a, b) …        right
    #define N 3                right
";
    MACRO_ARGUMENTS = "E0010", "wrong number of macro arguments", "\
A macro is called with as many arguments as it has parameters. Commas inside parentheses do not separate arguments.

    #define MAX(a, b) ((a) > (b) -> (a) : (b))
    x = MAX(y)                 wrong
    x = MAX(y, 3)              right
";
    UNFINISHED_CALL = "E0011", "a macro call without its closing parenthesis", "\
The arguments of a macro may span lines, but the file must not end before the closing parenthesis.

    x = MAX(y, (3)             wrong
    x = MAX(y, (3))            right
";
    HASH_WITHOUT_PARAMETER = "E0012", "# without a parameter", "\
In the body of a macro with parameters, `#` makes a string of the parameter behind it, and of nothing else.

    #define SHOW(x) printf(#y)     wrong
    #define SHOW(x) printf(#x)     right
";
    BAD_PASTE = "E0013", "## does not make one token", "\
`##` joins what stands left and right of it to one name, number or sign.

    #define PUT(a) a ## +      wrong
    #define NAME(a) chan_ ## a     right
";
    BAD_CONDITION = "E0014", "a condition that cannot be evaluated", "\
`#if` takes a constant expression of C: numbers, operators, `defined(X)`, and macros that expand to these. A name that
is not a macro counts as 0.

    #if N >                    wrong
    #if N > 3 && defined(X)    right
";
    STRAY_CONDITIONAL = "E0015", "#else, #elif or #endif without #if", "\
Each `#else`, `#elif` and `#endif` belongs to an `#if`, `#ifdef` or `#ifndef` before it in the same file.

    #endif                     wrong: nothing is open

    #ifdef X
    #endif                     right
";
    MISSING_ENDIF = "E0016", "an #if without #endif", "\
Each `#if`, `#ifdef` and `#ifndef` is closed by an `#endif` in the same file.

    #ifdef X
    byte x;
    #endif                     do not forget this
";
    EXPANSION_TOO_LARGE = "E0017", "an expansion grows beyond all bounds", "\
Macros (or inlines) that use each other twice double with each level; thirty levels make a billion tokens.

    #define A B B
    #define B C C
    …                          use an array, a loop or an inline instead
";
    MACRO_NESTING = "E0018", "macro calls nested too deeply", "\
Macro calls stand inside the arguments of macro calls, hundreds of levels deep. Split the expression with variables or
simpler macros.
";
    FILE_TOO_LARGE = "E0019", "a file is too large", "\
psw reads models of up to 16 MB, with all that they include. A generated model of that size is better expressed with arrays and loops.
";
    MALFORMED_DIRECTIVE = "E0020", "a malformed directive", "\
`#ifdef`, `#ifndef` and `#undef` are followed by a name, `#line` by a number and perhaps a file name in quotes.

    #ifdef 3                   wrong
    #ifdef N                   right
    #line 12 \"model.pml\"       right
";
    DUPLICATE_PARAMETER = "E0021", "two parameters of a macro have the same name", "\
The parameters of a macro have different names.

    #define F(a, a) …          wrong
    #define F(a, b) …          right
";
    PASTE_AT_END = "E0022", "## at an end of a macro's body", "\
`##` joins two tokens and needs one on each side.

    #define F(a) a ##          wrong
    #define F(a) a ## _chan    right
";
    ELSE_TWICE = "E0023", "a branch after #else", "\
`#else` is the last branch of an `#if`.

    #if A
    #else
    #elif B                    wrong: put it before the #else
    #endif
";
    UNKNOWN_CHARACTER = "E0101", "a character without meaning", "\
Outside of strings and comments Promela uses letters, digits, the underscore and the signs of its operators.

    x = y $ z;                 wrong
";
    BAD_CHARACTER_CONSTANT = "E0102", "a malformed character constant", "\
A character constant is one character, or a backslash and one character, between single quotes.

    x = 'ab';                  wrong
    x = 'a';                   right
    x = '\\n';                  right
";
    SYNTAX = "E0103", "a syntax error", "\
The text does not follow Promela's grammar at this place. Frequent reasons:

    x = 1 y = 2                two statements in one line need a `;`: x = 1; y = 2
    a == 1                     the end of a line ends a statement: leave the operator
    && b == 2                  at the end of the first line, or use parentheses
    proctype P() { }           a body needs a statement: write `skip`
    x += 1                     write x = x + 1 or x++
    if (a) { … }               write if :: a -> … :: else fi
";
    UNEXPECTED_END = "E0104", "the text ends too early", "\
Something is open when the model ends: a brace, a parenthesis, an `if` without `fi`, a `do` without `od`.

    init { do :: skip od       wrong
    init { do :: skip od }     right
";
    NESTING_TOO_DEEP = "E0105", "nested too deeply", "\
Parentheses, blocks, prefix operators or chains of operators are nested thousands of levels deep. Split the expression
with variables, or use an array and a loop.
";
    EMBEDDED_C = "E0106", "embedded C is not run", "\
c_code, c_expr, c_decl, c_state and c_track hold C that SPIN compiles into its verifier. psw explores the model itself,
cannot see what such code does, and so refuses it.

    c_expr { now.x > 3 }       write (x > 3)
    c_code { now.x++; }        write x++
";
    C_UNFINISHED = "E0107", "a block of C is never closed", "\
The braces in embedded C must match (and psw would not run it in any case).
";
    LABEL_BEFORE_DECLARATION = "E0108", "a label in front of a declaration", "\
A label marks a statement, not a declaration.

    L: byte x;                 wrong
    byte x; L: x = 1           right
";
    LOCAL_MTYPE = "E0109", "mtype names declared in a process", "\
The names of an mtype are global constants and are declared at the top level.

    init { mtype = { a, b } }  wrong
    mtype = { a, b }
    init { mtype m = a }       right
";
    PROBE_IN_EXPRESSION = "E0110", "full, nfull, empty or nempty in an expression", "\
These four may be joined with `&&` and `||`, but not negated, compared or passed on, so that SPIN's partial order
reduction can see them. Use the opposite one, or `len`.

    !full(c)                   wrong
    nfull(c)                   right
    printf(\"%d\", empty(c))     wrong
    printf(\"%d\", len(c) == 0)  right
";
    LTL_CHAIN = "E0112", "a chain of temporal operators without parentheses", "\
`p -> q -> r` and `p U q U r` mean different things to different people. SPIN groups them to the left, which is seldom
what was meant.

    ltl p { a -> b -> c }      unclear
    ltl p { a -> (b -> c) }    clear
";
    TEMPORAL_OPERAND = "E0113", "a temporal formula used as a number", "\
`[]`, `<>`, `X`, `U`, `V`, `W`, `->` and `<->` are about runs; arithmetic and comparisons are about states.

    ltl p { (<> q) > 3 }       wrong
    ltl p { <> (q > 3) }       right
";
    INLINE_FORM = "E0120", "a malformed inline", "\
An inline has a name, names of parameters without types, and a body in braces.

    inline f(byte a) { … }     wrong
    inline f(a, b) { … }       right
";
    INLINE_UNFINISHED = "E0121", "an inline or a call of one is never closed", "\
The braces of an inline's body and the parentheses of a call must match.

    inline f(a) { a = 1        wrong
    inline f(a) { a = 1 }      right
";
    INLINE_INSIDE = "E0122", "an inline defined inside something", "\
An inline is defined at the top level of the model, before it is called.

    init { inline f() { skip } f() }    wrong
    inline f() { skip }
    init { f() }                        right
";
    INLINE_REDEFINED = "E0123", "an inline is defined twice", "\
Two inlines cannot have the same name.

    inline f() { skip }
    inline f() { x = 1 }       wrong: rename it
";
    INLINE_AS_NAME = "E0124", "the name of an inline used for something else", "\
From its definition on, the name of an inline can only be called.

    inline f() { skip }
    init { int f; … }          wrong: rename the variable
";
    INLINE_IN_EXPRESSION = "E0125", "an inline called in an expression", "\
A call of an inline stands for the statements of its body. It is a statement of its own, or the whole right-hand side
of an assignment if the body contains `return`.

    x = f(1) + 2;              wrong
    x = f(1); x = x + 2;       right
    #define f(a) ((a) * 2)     right, if an expression is meant
";
    INLINE_RECURSIVE = "E0126", "an inline calls itself", "\
A call is replaced by the body, so an inline that calls itself, directly or through others, would never end.

    inline f() { f() }         wrong: use a loop, or a proctype and `run`
";
    INLINE_ARGUMENTS = "E0127", "wrong number of arguments for an inline", "\
An inline is called with one argument for each parameter.

    inline f(a, b) { a = b }
    f(x)                       wrong
    f(x, 3)                    right
";
    STRAY_RETURN = "E0128", "return outside of an inline call with a result", "\
`return e` is for an inline that is called as `v = f(…)`; it then stands for `v = e`.

    inline f(a) { return a + 1 }
    x = f(3);                  right
    f(3);                      wrong
";
    INLINE_ARGUMENT_FORM = "E0129", "an argument of an inline is not an expression", "\
The arguments of an inline are expressions: no types, no strings, no statements.

    inline f(t) { t x }
    f(byte)                    wrong
    #define F(t) t x           right, if text is meant
";
    NOT_UTF8 = "W0001", "a file is not UTF-8", "\
Bytes that are not UTF-8 are replaced. That does no harm in comments; elsewhere they are errors. Convert the file, for
example with `iconv -f latin1 -t utf-8`.
";
    NUL_BYTE = "W0002", "a file contains NUL bytes", "\
NUL bytes are read as blanks. The file is probably damaged, or in a 16-bit encoding.
";
    MACRO_REDEFINED = "W0003", "a macro is defined again, differently", "\
The newer definition holds from here on. Say `#undef` first if this is meant.

    #define N 3
    #define N 4                warned about
";
    WARNING_DIRECTIVE = "W0004", "a #warning directive", "\
The model has something to say to its user.
";
    NUMBER_TOO_LARGE = "W0005", "a number does not fit in 32 bits", "\
The widest type of Promela is a 32-bit int. Like SPIN, psw keeps the low 32 bits.

    x = 4294967297;            reads as 1
";
    STRAY_COMMENT_END = "W0006", "the end of a comment that has no beginning", "\
Comments do not nest: the first `*/` ends a comment, and what was meant to be inside is part of the model. Like SPIN, psw
ignores the second one.

    /* x = 1; /* first */ x = 2; */
";
}

#[cfg(test)]
mod tests {
    use super::CODES;

    #[test]
    fn codes_are_unique_and_in_order() {
        assert!(CODES.windows(2).all(|pair| pair[0].id < pair[1].id));
    }
}
