//! Claims, traces and formulas, and what belongs only there.

use super::Diagnostic;
use crate::ast::Name;
use crate::source::Span;

codes! {
    IO_IN_CLAIM = "E0701", "a never claim sends or receives", "\
A claim watches the processes and takes no part: it cannot move messages. To look into a channel, poll it:

    never { do :: c?[ack] od }
";
    LOCAL_IN_CLAIM = "E0702", "a never claim declares a variable", "\
A claim is not a process and has no variables of its own. Declare the variable at the top level.

    never { byte x; … }               /* error */
    byte x;
    never { … }                       /* right */
";
    NP_OUTSIDE_CLAIM = "E0703", "`np_` outside a claim", "\
`np_` says whether all processes are outside their progress labels; only a never claim or a formula can ask.

    init { np_ }                      /* error */
    ltl p { <> [] np_ }               /* right */
";
    CLAIM_REDEFINED = "E0704", "two claims have the same name", "\
Never claims and ltl blocks share one name space: a name selects one property.

    ltl p { [] a }
    ltl p { <> b }                    /* error: call it q */
";
    NOT_AN_EVENT = "E0705", "a statement that is no event in a trace", "\
A `trace` or `notrace` lists sends and receives, with `if`, `do` and `goto` between them: no conditions, no assignments,
no `!!`, `??` or `<…>`.

    trace { do :: c!req; c?ack od }   /* right */
    trace { x == 1 -> c!req }         /* error */
";
    SECOND_TRACE = "E0706", "a second trace", "\
A model has at most one `trace` or `notrace`.

    trace { c!req }
    trace { d!req }                   /* error: list the events of both in one */
";
    STDIN = "E0707", "`STDIN` is not supported", "\
`STDIN` reads characters from the keyboard while SPIN simulates a model. A model that depends on them has no fixed set of
runs and cannot be checked. Choose the input in the model instead:

    select (c : 97 .. 122)
";
    STDIN_DECLARED = "W0704", "`STDIN` is used as a channel", "\
With a declaration `chan STDIN`, SPIN reads the keyboard when it simulates, and takes the variable for an uninitialised
channel when it verifies. psw always does the latter: the run ends with an error where it is used.

    chan STDIN;
    init { byte c; STDIN?c }          /* warning */
";
    CHANNEL_TEST_IN_FORMULA = "E0708", "`empty`, `full`, `nempty` or `nfull` in a formula", "\
SPIN does not take these in ltl formulas. Write `len(c) == 0` for `empty(c)`, `len(c) > 0` for `nempty(c)`, and compare
`len(c)` with the capacity for the other two.

    ltl p { [] <> empty(c) }          /* error */
    ltl p { [] <> (len(c) == 0) }     /* right */
";
    SIDE_EFFECT = "W0701", "a never claim changes a variable", "\
A claim is meant to watch. If it assigns a variable that processes read, it changes the behaviour it judges.

    never { do :: x = 1 od }          /* warning */
";
    HIDDEN_READ = "W0702", "a hidden variable is read", "\
`hidden` takes a variable out of the state: two states that differ only there are one. If its value is read later, SPIN
can miss behaviour and report that an erroneous model is correct. psw therefore keeps the variable in the state, as if
`hidden` were not there; numbers of states can differ from SPIN's for that reason.

    hidden byte x;
    init { x = 1; x == 1 }            /* x is kept */
";
    OUTSIDE_CLAIM = "W0703", "`enabled` or `pc_value` outside a claim", "\
These are meant for never claims. A process that asks whether another one is enabled depends on details of how the
model is written.

    init { enabled(1) -> … }          /* warning */
    never { do :: enabled(1) od }     /* as it is meant */
";
}

pub(crate) fn io_in_claim(span: Span) -> Diagnostic {
    Diagnostic::error(&IO_IN_CLAIM, "a never claim cannot send or receive")
        .at(span, "moves a message")
        .note("to look at the first message, poll: `c?[…]`")
}

pub(crate) fn local_in_claim(span: Span) -> Diagnostic {
    Diagnostic::error(&LOCAL_IN_CLAIM, "a never claim has no variables of its own")
        .at(span, "declared here")
        .note("declare it at the top level")
}

pub(crate) fn np_outside_claim(span: Span) -> Diagnostic {
    Diagnostic::error(&NP_OUTSIDE_CLAIM, "`np_` can only be read in a never claim or a formula").at(span, "")
}

pub(crate) fn claim_redefined(name: &Name, earlier: Span) -> Diagnostic {
    Diagnostic::error(&CLAIM_REDEFINED, format!("the claim `{}` is defined twice", name.text))
        .at(name.span, "again here")
        .because(earlier, "first here")
}

pub(crate) fn not_an_event(span: Span) -> Diagnostic {
    Diagnostic::error(&NOT_AN_EVENT, "this is no event that a trace could list").at(span, "only `!` and `?` are")
}

pub(crate) fn second_trace(span: Span, earlier: Span) -> Diagnostic {
    Diagnostic::error(&SECOND_TRACE, "a second trace").at(span, "again here").because(earlier, "first here")
}

pub(crate) fn stdin(span: Span, declared: bool) -> Diagnostic {
    let note = "choose the value in the model: `select (c : 97 .. 122)`";
    if declared {
        Diagnostic::warning(&STDIN_DECLARED, "`STDIN` is a channel that is never created")
            .at(span, "not the keyboard")
            .note(note)
    } else {
        Diagnostic::error(&STDIN, "`STDIN` is not supported").at(span, "reads the keyboard").note(note)
    }
}

pub(crate) fn channel_test_in_formula(span: Span) -> Diagnostic {
    Diagnostic::error(&CHANNEL_TEST_IN_FORMULA, "`empty`, `full`, `nempty` and `nfull` cannot stand in a formula")
        .at(span, "")
        .note("compare the length: `len(c) == 0`")
}

pub(crate) fn side_effect(span: Span) -> Diagnostic {
    Diagnostic::warning(&SIDE_EFFECT, "a never claim changes a variable").at(span, "")
}

pub(crate) fn hidden_read(name: &str, read: Span, declared: Span) -> Diagnostic {
    Diagnostic::warning(&HIDDEN_READ, format!("the hidden variable `{name}` is read and stays in the state"))
        .at(declared, "declared hidden")
        .because(read, "read here")
        .note("SPIN leaves it out of the state and can miss errors")
}

pub(crate) fn outside_claim(function: &str, span: Span) -> Diagnostic {
    Diagnostic::warning(&OUTSIDE_CLAIM, format!("`{function}` outside a never claim")).at(span, "")
}
