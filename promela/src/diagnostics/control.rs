//! Control flow: labels, jumps, loops, selections.

use super::{Diagnostic, counted};
use crate::ast::{Name, VarRef};
use crate::source::Span;

codes! {
    BREAK_OUTSIDE = "E0501", "`break` outside a loop", "\
`break` leaves the innermost `do` or `for`; outside of one there is nothing to leave.

    init { if :: skip -> break fi }   /* error */
";
    UNDEFINED_LABEL = "E0502", "a jump to a label that does not exist", "\
A `goto` can only reach labels of its own proctype.

    init { goto done }                /* error: there is no `done:` */
";
    DUPLICATE_LABEL = "E0503", "a label is defined twice", "\
    init { again: skip; again: skip }  /* error */
";
    LABEL_INSIDE_BRACES = "E0505", "a label on the first statement inside braces", "\
A block, `atomic` or `d_step` begins where its first statement begins, so a label belongs in front of it.

    atomic { again: x = 1; y = 1 }    /* error */
    again: atomic { x = 1; y = 1 }    /* right */
";
    LABEL_BEFORE_GUARD = "E0506", "an end, progress or accept label in front of a guard", "\
All options of an `if` or `do` start at the same point, so a label cannot mark one of them. SPIN prints a message, goes on
and ignores the label: the check it was meant for does nothing.

    do
    :: end: c?x                       /* error */
    od

Put the label in front of the loop:

    end:
    do
    :: c?x
    od
";
    ACROSS_D_STEP = "E0507", "a jump into or out of a d_step", "\
A `d_step` is one step: control cannot enter it in the middle or leave it before its end, neither with `goto` nor with
`break`. A label right in front of a `d_step` cannot be jumped to either; put a `skip` between them.

    again: d_step { x = 1; y = 1 };
    goto again                        /* error */

    again: skip; d_step { x = 1; y = 1 };
    goto again                        /* right */
";
    GOTO_LOOP = "E0508", "a goto that never arrives", "\
    again: goto again                 /* error: no statement is ever executed */

To wait forever, write `false`; to stutter, `do :: skip od`.
";
    SECOND_ELSE = "E0509", "two `else` in one selection", "\
    if
    :: x == 1 -> …
    :: else -> …
    :: else -> …                      /* error */
    fi
";
    UNLESS_IN_D_STEP = "E0510", "`unless` inside a d_step", "\
A `d_step` cannot be interrupted, so nothing inside it has an escape. Put the `unless` around the `d_step`.

    d_step { { x = 1 } unless { stop } }   /* error */
    { d_step { x = 1 } } unless { stop }   /* right */
";
    LABEL_IS_VARIABLE = "E0511", "a label has the name of something else", "\
    byte done;
    init { done: skip }               /* error */

Rename the label.
";
    EMPTY_RANGE = "E0512", "a range has no value", "\
    for (i : 3 .. 1) { … }            /* error: the first value is beyond the last */
    select (i : 3 .. 1)
";
    BAD_LOOP_VARIABLE = "E0513", "a loop variable that is not a plain variable", "\
The variable of `for` and `select` is a name without index or field.

    for (a[0] : 1 .. 3) { … }         /* error */
";
    NOT_ITERABLE = "E0514", "`for … in` over something that is not an array or channel", "\
    byte x;
    for (i in x) { … }                /* error */
";
    NOT_A_MESSAGE = "E0515", "`for … in` over a channel whose messages are something else", "\
To visit the messages of a channel, its messages must be one structure, and the loop variable must be of that structure.

    typedef M { byte from; byte what }
    chan c = [4] of { M };
    M m;
    init { for (m in c) { … } }
";
    ELSE_WITH_EXCLUSIVE = "E0517", "`else` next to a send or receive in a model with `xr` or `xs`", "\
`else` asks whether a message can move, and so takes part in the use of the channel; SPIN refuses that in a model that
claims channels with `xr` or `xs`. Ask with a poll or a length instead:

    do
    :: c?[ack] -> c?ack
    :: else -> …
    od
";
    PLAIN_LABEL_BEFORE_GUARD = "W0501", "a label in front of a guard", "\
All options of an `if` or `do` start at the same point. A jump to this label starts with this option's guard alone, the
other options are not considered.

    do
    :: again: x < 3 -> x++            /* warning */
    :: else -> break
    od
";
    ELSE_WITH_IO = "W0502", "`else` next to a send or receive", "\
`else` is taken when no other option can be executed at this moment. Next to a receive on a rendezvous channel that is
always so, because the sender must make the first move; next to a buffered channel it is polling.

    do
    :: c?x -> …
    :: else -> …                      /* may be taken although a message is on its way */
    od
";
    UNREACHABLE = "W0503", "a statement is never reached", "\
    goto done;
    x = 1;                            /* never executed */
    done: skip
";
    PRINTF_ARITY = "W0504", "a printf with the wrong number of arguments", "\
    printf(\"%d %d\\n\", x)             /* two conversions, one argument */
";
    PRINTM_OF_NUMBER = "E0516", "printm of something that is not a name", "\
`printm` prints a symbolic name: its argument is an mtype name or variable. Use `printf` for numbers.

    mtype = { red };
    printm(red)                       /* prints red */
    printm(3)                         /* error */
";
    LABEL_BEFORE_FOR = "W0505", "a label in front of `for` or `select`", "\
As in SPIN, the label marks the loop itself: a jump to it does not set the loop variable to its first value again.

    again: for (i : 1 .. 3) { … };
    goto again                        /* i is 4: the loop ends at once */

Put a `skip` between the label and the loop to start over.
";
}

pub(crate) fn break_outside_loop(span: Span) -> Diagnostic {
    Diagnostic::error(&BREAK_OUTSIDE, "`break` outside a loop").at(span, "nothing to leave")
}

pub(crate) fn break_leaves_d_step(span: Span) -> Diagnostic {
    Diagnostic::error(&ACROSS_D_STEP, "`break` would leave a d_step").at(span, "the loop is outside the d_step")
}

pub(crate) fn undefined_label(label: &Name, near: Option<&str>) -> Diagnostic {
    let finding = Diagnostic::error(&UNDEFINED_LABEL, format!("there is no label `{}` here", label.text))
        .at(label.span, "not a label of this proctype");
    match near {
        Some(near) => finding.note(format!("did you mean `{near}`?")),
        None => finding,
    }
}

pub(crate) fn duplicate_label(label: &Name, earlier: Span) -> Diagnostic {
    Diagnostic::error(&DUPLICATE_LABEL, format!("the label `{}` is defined twice", label.text))
        .at(label.span, "again here")
        .because(earlier, "first here")
}

pub(crate) fn label_inside_braces(label: &Name, keyword: &str) -> Diagnostic {
    Diagnostic::error(&LABEL_INSIDE_BRACES, format!("the label `{}` belongs in front of the braces", label.text))
        .at(label.span, "marks the first statement inside")
        .note(format!("write `{}: {keyword}{{ … }}`", label.text))
}

pub(crate) fn label_before_guard(label: &Name) -> Diagnostic {
    let meant = ["end", "progress", "accept"].into_iter().find(|prefix| label.text.starts_with(prefix));
    match meant {
        Some(prefix) => Diagnostic::error(
            &LABEL_BEFORE_GUARD,
            format!("the {prefix} label `{}` stands in front of a guard and would mark nothing", label.text),
        )
        .at(label.span, "SPIN ignores it")
        .note("put the label in front of the `if` or `do`"),
        None => Diagnostic::warning(
            &PLAIN_LABEL_BEFORE_GUARD,
            format!("the label `{}` stands in front of a guard", label.text),
        )
        .at(label.span, "a jump here considers this option alone"),
    }
}

pub(crate) fn jump_across_d_step(span: Span, label: &str, target: Span, before: bool) -> Diagnostic {
    let finding = Diagnostic::error(&ACROSS_D_STEP, format!("the jump to `{label}` crosses the border of a d_step"))
        .at(span, "jumps")
        .because(target, "to here");
    if before { finding.note("put a `skip` between the label and the d_step") } else { finding }
}

pub(crate) fn goto_loop(label: &str, span: Span) -> Diagnostic {
    Diagnostic::error(&GOTO_LOOP, format!("the jump from `{label}` comes back without a step"))
        .at(span, "nothing is ever executed")
        .note("write `false` to wait forever, or `do :: skip od` to stutter")
}

pub(crate) fn second_else(span: Span, first: Span) -> Diagnostic {
    Diagnostic::error(&SECOND_ELSE, "two `else` in one selection").at(span, "again here").because(first, "first here")
}

pub(crate) fn unless_in_d_step(span: Span) -> Diagnostic {
    Diagnostic::error(&UNLESS_IN_D_STEP, "`unless` inside a d_step").at(span, "a d_step cannot be interrupted")
}

pub(crate) fn label_is_variable(label: &Name, declared: Span) -> Diagnostic {
    Diagnostic::error(&LABEL_IS_VARIABLE, format!("`{}` cannot be a label", label.text))
        .at(label.span, "used as a label")
        .because(declared, "declared here as something else")
}

pub(crate) fn empty_range(span: Span, from: i32, to: i32) -> Diagnostic {
    Diagnostic::error(&EMPTY_RANGE, format!("there is no value from {from} to {to}")).at(span, "an empty range")
}

pub(crate) fn bad_loop_variable(var: &VarRef) -> Diagnostic {
    Diagnostic::error(&BAD_LOOP_VARIABLE, "the loop variable must be a name without index or field").at(var.span, "")
}

pub(crate) fn not_iterable(over: &VarRef) -> Diagnostic {
    Diagnostic::error(&NOT_ITERABLE, "neither an array nor a channel").at(over.span, "cannot be visited one by one")
}

pub(crate) fn not_a_message(var: &VarRef, over: &VarRef) -> Diagnostic {
    Diagnostic::error(&NOT_A_MESSAGE, "the messages of the channel and the loop variable must be the same structure")
        .at(var.span, "the loop variable")
        .because(over.span, "the channel")
}

pub(crate) fn else_with_io(otherwise: Span, io: Span, exclusive: bool) -> Diagnostic {
    let finding = if exclusive {
        Diagnostic::error(&ELSE_WITH_EXCLUSIVE, "`else` next to a send or receive, in a model with `xr` or `xs`")
    } else {
        Diagnostic::warning(&ELSE_WITH_IO, "`else` next to a send or receive")
    };
    finding.at(otherwise, "taken when no message can move at this moment").because(io, "the message")
}

pub(crate) fn unreachable(span: Span) -> Diagnostic {
    Diagnostic::warning(&UNREACHABLE, "this statement is never reached").at(span, "")
}

pub(crate) fn printf_arity(span: Span, wanted: usize, given: usize) -> Diagnostic {
    Diagnostic::warning(&PRINTF_ARITY, format!("{} for {}", counted(given, "argument"), counted(wanted, "conversion")))
        .at(span, "")
}

pub(crate) fn label_before_for(label: &Name) -> Diagnostic {
    Diagnostic::warning(&LABEL_BEFORE_FOR, format!("a jump to `{}` does not restart the loop", label.text))
        .at(label.span, "marks the loop, not its first value")
}

pub(crate) fn printm_of_number(span: Span) -> Diagnostic {
    Diagnostic::error(&PRINTM_OF_NUMBER, "`printm` takes a name or a variable")
        .at(span, "an expression")
        .note("use `printf` for numbers")
}

pub(crate) fn break_into_d_step(span: Span, loop_span: Span) -> Diagnostic {
    Diagnostic::error(&ACROSS_D_STEP, "a loop with `break` cannot be followed by a d_step right away")
        .at(span, "the break would jump here")
        .because(loop_span, "out of this loop")
        .note("SPIN refuses this; put a `skip` between them, or the d_step in braces")
}
