//! Types: arrays, structures, symbolic names, predefined variables, comparisons.

use super::Diagnostic;
use crate::ast::{VarRef, VarRefPart};
use crate::source::Span;

codes! {
    MISSING_INDEX = "E0301", "an array is used without an index", "\
    byte a[3];
    init { a = 1 }                    /* error: which element? */

Write the element: `a[0] = 1`. To treat all elements, use a loop: `for (i in a) { a[i] = 1 }`.
";
    INDEX_OF_SCALAR = "E0302", "an index on something that is not an array", "\
    byte x;
    init { x[1] = 1 }                 /* error */

Only `x[0]` is tolerated for a variable that is not an array.
";
    WHOLE_STRUCTURE = "E0303", "a structure is used as a value", "\
Structures cannot be assigned or compared as a whole; name the fields one by one. A structure can be sent in a message
and passed to `run`.

    typedef P { byte x; byte y }
    P a, b;
    init { a = b }                    /* error: write a.x = b.x; a.y = b.y */
";
    FIELD_OF_VALUE = "E0304", "a field of something that is not a structure", "\
    byte x;
    init { x.low = 1 }                /* error: x is a byte */
";
    MIXED_SETS = "E0305", "names of different mtype sets are mixed", "\
    mtype:fruit = { apple };
    mtype:tool = { hammer };
    mtype:fruit f;
    init { f = hammer }               /* error: hammer is a tool */

Values of different sets overlap (each set counts from 1), so mixing them is almost always a mistake.
";
    PREDEFINED_ASSIGNED = "E0306", "a predefined variable is assigned", "\
`_pid`, `_nr_pr` and `_last` are set by the run and can only be read.

    init { _pid = 1 }                 /* error */
    c?_pid                            /* error: write c?eval(_pid) to match it */
";
    READ_OF_UNDERSCORE = "E0307", "`_` is read", "\
`_` takes any value and keeps none: it can be assigned and received into, but not read.

    byte x;
    init { x = _ }                    /* error */
";
    COMPARED_SETS = "W0301", "names of different mtype sets are compared", "\
Each set counts from 1, so names of different sets can be equal as numbers. The comparison says nothing.

    mtype:fruit = { apple };
    mtype:tool = { hammer };
    init { assert(apple != hammer) }  /* fails: both are 1 */
";
    STORED_SETS = "W0304", "a name of another mtype set is stored", "\
SPIN lets this pass where it cannot tell at once, but the number means another name in the other set.

    mtype:fruit = { apple };
    mtype:tool = { hammer };
    mtype:fruit f; mtype:tool t;
    init { f = t }                    /* a tool in a fruit */
";
    FOREGONE = "W0302", "a comparison has only one outcome", "\
The type of the variable leaves no choice: a byte is never negative, a bit is never 2.

    byte x;
    do
    :: x >= 0 -> x--                  /* always true: 0 - 1 is 255 */
    od
";
    OUT_OF_RANGE = "W0303", "a constant index is outside its array", "\
    byte a[3];
    init { a[3] = 1 }                 /* the elements are a[0], a[1], a[2] */

If the statement is reached, the run ends with an error.
";
}

fn spelled(var: &VarRef) -> String {
    var.parts.iter().map(|part| &*part.name.text).collect::<Vec<_>>().join(".")
}

pub(crate) fn missing_index(var: &VarRef, len: u32) -> Diagnostic {
    let name = spelled(var);
    Diagnostic::error(&MISSING_INDEX, format!("`{name}` is an array and needs an index"))
        .at(var.span, format!("has {len} elements"))
        .note(format!("write `{name}[0]` for the first element"))
}

pub(crate) fn index_of_scalar(part: &VarRefPart, declared: Span) -> Diagnostic {
    Diagnostic::error(&INDEX_OF_SCALAR, format!("`{}` is not an array", part.name.text))
        .at(part.name.span, "indexed here")
        .because(declared, "declared here")
}

pub(crate) fn whole_structure(var: &VarRef, structure: &str, declared: Span) -> Diagnostic {
    Diagnostic::error(&WHOLE_STRUCTURE, format!("`{}` is a whole structure, not a value", spelled(var)))
        .at(var.span, format!("a `{structure}`"))
        .because(declared, "declared here")
        .note("name one of its fields")
}

pub(crate) fn field_of_value(part: &VarRefPart, var: &VarRef) -> Diagnostic {
    Diagnostic::error(
        &FIELD_OF_VALUE,
        format!("`{}` is a field, but what stands before it is no structure", part.name.text),
    )
    .at(var.span, "not a structure")
}

pub(crate) fn mixed_sets(span: Span, declared: &str, given: &str, place: Span, refused: bool) -> Diagnostic {
    let message = format!("a name of `{given}` is stored where names of `{declared}` belong");
    let finding =
        if refused { Diagnostic::error(&MIXED_SETS, message) } else { Diagnostic::warning(&STORED_SETS, message) };
    finding.at(span, format!("of `{given}`")).because(place, format!("of `{declared}`"))
}

pub(crate) fn predefined_assigned(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error(&PREDEFINED_ASSIGNED, format!("`{name}` cannot be assigned")).at(span, "set by the run itself")
}

pub(crate) fn predefined_received(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error(&PREDEFINED_ASSIGNED, format!("`{name}` cannot be received into"))
        .at(span, "set by the run itself")
        .note(format!("to match its value, write `eval({name})`"))
}

pub(crate) fn read_of_underscore(span: Span) -> Diagnostic {
    Diagnostic::error(&READ_OF_UNDERSCORE, "`_` has no value")
        .at(span, "read here")
        .note("use a variable if the value is needed")
}

pub(crate) fn compared_sets(span: Span, left: &str, right: &str) -> Diagnostic {
    Diagnostic::warning(&COMPARED_SETS, format!("names of `{left}` and `{right}` are compared as numbers")).at(span, "")
}

pub(crate) fn foregone_comparison(span: Span, outcome: bool, ty: &str) -> Diagnostic {
    Diagnostic::warning(&FOREGONE, format!("this comparison is always {outcome}"))
        .at(span, format!("the variable is a `{ty}`"))
}

pub(crate) fn index_out_of_range(part: &VarRefPart, at: i32, len: u32, declared: Span) -> Diagnostic {
    let span = part.index.as_ref().map_or(part.name.span, |index| index.span);
    Diagnostic::warning(&OUT_OF_RANGE, format!("`{}[{at}]` is outside the array", part.name.text))
        .at(span, format!("0 to {} are inside", len - 1))
        .because(declared, "declared here")
        .note("the run ends with an error if this is reached")
}
