//! Declarations: sizes, widths, initialisers, sets of names.

use super::{Diagnostic, counted};
use crate::ast::Name;
use crate::source::Span;

codes! {
    BAD_ARRAY_SIZE = "E0320", "an array has an impossible size", "\
    byte a[0];                        /* error: at least one element */
";
    BAD_WIDTH = "E0321", "an unsigned variable has an impossible width", "\
    unsigned u : 40;                  /* error: 1 to 31 bits */
    unsigned v;                       /* error: how many? */

Write `unsigned u : 5` for values from 0 to 31; for 32 bits use `int`.
";
    WIDTH_OF_OTHER = "E0322", "a width on a type that has one already", "\
    byte x : 3;                       /* error: write unsigned x : 3 */
";
    UNSIGNED_ARRAY = "E0323", "an array of unsigned", "\
SPIN has no arrays of `unsigned`. Use `byte`, `short` or `int`, or put the unsigned variable in a structure and make an
array of that.

    unsigned u[4] : 3;                /* error */
    typedef U { unsigned u : 3 }
    U u[4];                           /* right: u[0].u */
";
    HIDDEN_LOCAL = "E0324", "a local variable is hidden", "\
`hidden` takes a global variable out of the state. A local one is part of its process.

    active proctype P() { hidden byte x; skip }   /* error */
";
    LIST_FOR_SCALAR = "E0325", "a list of values for a single variable", "\
    byte x = { 1, 2 };                /* error: write byte x[2] = { 1, 2 } */
";
    LATE_LIST = "E0326", "a list of values behind the first statement", "\
An initialiser list is for variables that get their value when the process starts; behind the first statement, or in a
block, a declaration is a step of its own and takes a single value.

    init { skip; byte a[2] = { 1, 2 } }   /* error */

Declare the array at the start of the body.
";
    TOO_MANY_MTYPES = "E0327", "a set has too many names", "\
Symbolic names are stored in a byte, and 0 means none: a set holds at most 255 names. Use named sets
(`mtype:state = { … }`) to divide them.

    mtype:state = { idle, busy };
    mtype:message = { req, ack };
";
    LIST_TOO_LONG = "W0320", "a list has more values than the array has elements", "\
    byte a[2] = { 1, 2, 3 };          /* the 3 is dropped */
";
    VALUE_FOR_STRUCTURE = "W0321", "an initial value for a structure", "\
A structure takes its initial values from its typedef; a value behind the variable has no effect.

    typedef P { byte x = 1 }
    P p = 3;                          /* p.x is 1 */
";
}

pub(crate) fn bad_array_size(span: Span, name: &str, size: i32, most: i32) -> Diagnostic {
    Diagnostic::error(&BAD_ARRAY_SIZE, format!("the array `{name}` cannot have {size} elements"))
        .at(span, format!("1 to {most} are possible"))
}

pub(crate) fn bad_width(span: Span, width: i32) -> Diagnostic {
    Diagnostic::error(&BAD_WIDTH, format!("an unsigned variable cannot have {width} bits"))
        .at(span, "1 to 31 are possible")
        .note("for 32 bits use `int`")
}

pub(crate) fn missing_width(name: &Name) -> Diagnostic {
    Diagnostic::error(&BAD_WIDTH, format!("`{}` needs a width", name.text))
        .at(name.span, "how many bits?")
        .note(format!("write `unsigned {} : 4` for four bits", name.text))
}

pub(crate) fn width_of_other_type(span: Span) -> Diagnostic {
    Diagnostic::error(&WIDTH_OF_OTHER, "only an `unsigned` variable takes a width").at(span, "this width")
}

pub(crate) fn unsigned_array(span: Span) -> Diagnostic {
    Diagnostic::error(&UNSIGNED_ARRAY, "there are no arrays of `unsigned`")
        .at(span, "")
        .note("use an array of `byte`, `short` or `int`")
}

pub(crate) fn hidden_local(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error(&HIDDEN_LOCAL, format!("the local variable `{name}` cannot be hidden")).at(span, "not a global")
}

pub(crate) fn list_for_scalar(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error(&LIST_FOR_SCALAR, format!("`{name}` is not an array")).at(span, "a list of values")
}

pub(crate) fn late_list(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error(&LATE_LIST, format!("`{name}` cannot have a list of values here"))
        .at(span, "behind the first statement")
        .note("move the declaration to the start of the body")
}

pub(crate) fn too_many_mtypes(span: Span, names: usize) -> Diagnostic {
    Diagnostic::error(&TOO_MANY_MTYPES, format!("{names} names in one mtype set"))
        .at(span, "at most 255 fit")
        .note("divide them into named sets: `mtype:name = { … }`")
}

pub(crate) fn list_too_long(span: Span, values: usize, len: u32) -> Diagnostic {
    Diagnostic::warning(
        &LIST_TOO_LONG,
        format!("{} for {}", counted(values, "value"), counted(len as usize, "element")),
    )
    .at(span, "the rest is dropped")
}

pub(crate) fn value_for_structure(span: Span, name: &str) -> Diagnostic {
    Diagnostic::warning(&VALUE_FOR_STRUCTURE, format!("`{name}` is a structure: this value has no effect"))
        .at(span, "")
        .note("give the initial values in the typedef")
}
