//! Constants: what must be one, what has no value, what does not fit.

use super::Diagnostic;
use crate::ast::{Expr, Name};
use crate::source::Span;

codes! {
    NOT_CONSTANT = "E0310", "a constant is needed", "\
Array sizes, channel capacities, widths, numbers of processes and the elements of an initialiser list must be known before
the model runs.

    byte n;
    byte a[n + 1];                    /* error */

Use a number or a macro: `#define N 4` and `byte a[N]`.
";
    NO_VALUE = "E0311", "a constant expression has no value", "\
    byte a[4 / 0];                    /* error: division by zero */
";
    TRUNCATED = "W0310", "a number does not fit its variable", "\
Values are cut to the type when they are stored: a byte keeps the last 8 bits, a bit the last one.

    byte x = 300;                     /* x is 44 */
    bool b = 2;                       /* b is false */

Use a wider type, or the number that is meant.
";
    VARIABLE_AS_CONSTANT = "W0311", "a variable stands where a constant is needed", "\
The variable's initial value is used; later assignments change nothing here.

    byte n = 3;
    byte a[n];                        /* three elements */

Write `#define N 3` to say so.
";
    DIVISION_BY_ZERO = "W0312", "a division by the constant 0", "\
If the statement is reached, the run ends with an error.

    x = y / 0
";
}

pub(crate) fn not_constant(span: Span) -> Diagnostic {
    Diagnostic::error(&NOT_CONSTANT, "a constant is needed here").at(span, "not known before the run")
}

pub(crate) fn not_a_number(span: Span) -> Diagnostic {
    Diagnostic::error(&NOT_CONSTANT, "a plain number is needed here")
        .at(span, "an expression")
        .note("write the number itself, or a macro that is one")
}

pub(crate) fn no_value(expr: &Expr) -> Diagnostic {
    Diagnostic::error(&NO_VALUE, "this constant has no value: division by zero").at(expr.span, "")
}

pub(crate) fn truncated(span: Span, number: i32, stored: i32, ty: &str) -> Diagnostic {
    Diagnostic::warning(&TRUNCATED, format!("{number} does not fit a `{ty}`")).at(span, format!("becomes {stored}"))
}

pub(crate) fn variable_as_constant(name: &Name, value: i32) -> Diagnostic {
    Diagnostic::warning(&VARIABLE_AS_CONSTANT, format!("the variable `{}` is taken as the constant {value}", name.text))
        .at(name.span, "its initial value counts")
        .note("a `#define` says the same without doubt")
}

pub(crate) fn division_by_zero(span: Span) -> Diagnostic {
    Diagnostic::warning(&DIVISION_BY_ZERO, "division by zero").at(span, "an error if this is reached")
}
