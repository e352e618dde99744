//! Channels and messages.

use super::{Diagnostic, counted};
use crate::ast::{Name, VarRef};
use crate::source::Span;

codes! {
    NOT_A_CHANNEL = "E0401", "not a channel", "\
Only a variable of type `chan` can be sent to, received from, polled, or passed to `len`.

    byte c;
    init { c!1 }                      /* error */
";
    TOO_MANY_SENT = "E0402", "a send has more fields than any channel", "\
    chan c = [1] of { byte };
    init { c!1,2 }                    /* error: one field */
";
    BOUND_TWICE = "E0403", "a receive stores two fields in one variable", "\
    chan c = [1] of { byte, byte };
    byte x;
    init { c?x,x }                    /* error: use `_` for a field that does not matter */
";
    UNSENDABLE = "E0404", "a type that cannot be in a message", "\
Messages hold bit, bool, byte, short, int, pid, mtype, chan and structures of these; not `unsigned`, and no structure that
holds an array of structures.

    typedef Point { unsigned x : 4 }
    chan c = [1] of { Point };        /* error: make x a byte */
";
    NO_CHANNEL = "E0405", "a send in a model without channels", "\
    chan c;
    init { c!1 }                      /* error: c never becomes a channel */

Create it: `chan c = [1] of { byte }`.
";
    LATE_CHANNEL = "E0406", "a channel is created behind the first statement", "\
A declaration that creates a channel must stand at the start of its body: it is created when the process starts.

    init { skip; chan c = [1] of { byte }; c!1 }   /* error */
";
    BAD_CAPACITY = "E0407", "a channel has an impossible capacity", "\
The capacity is a number from 0 (rendezvous) to 65535.

    chan c = [-1] of { byte };        /* error */
    chan c = [0] of { byte };         /* rendezvous */
";
    CHANNEL_FOR_OTHER = "E0408", "a variable of another type is initialised with a channel", "\
    byte c = [1] of { byte };         /* error: write chan c */
";
    NUMBER_FOR_CHANNEL = "E0409", "a number is assigned to a channel variable", "\
A channel variable can be assigned another channel, not a number.

    chan c;
    init { c = 1 }                    /* error */
    chan d = [1] of { byte };
    init { c = d }                    /* right */
";
    CHANNEL_ARITHMETIC = "E0410", "arithmetic with a channel", "\
The number behind a channel means nothing and is not the same in every tool.

    chan c = [1] of { byte };
    init { int x; x = c + 1 }         /* error */
";
    EXCLUSIVE_ELEMENT = "E0411", "`xr` or `xs` of an element of an array", "\
    chan c[2] = [1] of { byte };
    init { xr c[0]; … }               /* error */

Declare channels that are used by one process as variables of their own.
";
    EXCLUSIVE_CONFLICT = "E0412", "two proctypes claim the same channel", "\
`xr c` promises that only this process receives from c, `xs c` that only this one sends to it. Two proctypes cannot both
promise it.

    active proctype P() { xs c; c!1 }
    active proctype Q() { xs c; c!2 }  /* error: drop one xs, or both */
";
    TOO_FEW = "W0401", "a message has fewer fields than its channel", "\
    chan c = [1] of { byte, byte };
    init { c!1 }                      /* the run ends with an error here */
";
    TOO_MANY = "W0402", "a message has more fields than its channel", "\
    chan c = [1] of { byte };
    init { byte x, y; c?x,y }         /* the run ends with an error here */
";
    LENGTH_OF_NUMBER = "W0404", "the length of something that is not a channel", "\
The number is taken as the number of a channel; there is hardly one of that number.

    byte c;
    init { len(c) == 0 }
";
    FIELD_KIND = "W0403", "a value of another kind is sent", "\
A name of another mtype set, a channel where a number is expected, or a number where a channel is. It is stored as a
number all the same.

    chan c = [1] of { byte };
    chan d = [1] of { chan };
    init { c!d }                      /* a channel in a byte: send it through d */
";
}

fn spelled(var: &VarRef) -> String {
    var.parts.iter().map(|part| &*part.name.text).collect::<Vec<_>>().join(".")
}

pub(crate) fn not_a_channel(var: &VarRef, ty: &str) -> Diagnostic {
    Diagnostic::error(&NOT_A_CHANNEL, format!("`{}` is not a channel", spelled(var))).at(var.span, format!("a `{ty}`"))
}

pub(crate) fn too_many_sent(span: Span, given: usize, most: usize) -> Diagnostic {
    Diagnostic::error(&TOO_MANY_SENT, format!("{} sent, but no channel has more than {most}", counted(given, "field")))
        .at(span, "sent here")
}

pub(crate) fn bound_twice(name: &Name, earlier: Span) -> Diagnostic {
    Diagnostic::error(&BOUND_TWICE, format!("`{}` stands in two fields of one receive", name.text))
        .at(name.span, "again here")
        .because(earlier, "first here")
        .note("use `_` for a field that does not matter")
}

pub(crate) fn unsigned_field(span: Span) -> Diagnostic {
    Diagnostic::error(&UNSENDABLE, "`unsigned` cannot be in a message")
        .at(span, "this channel")
        .note("use `byte`, `short` or `int`")
}

pub(crate) fn unsendable(span: Span, structure: &str, declared: Span, problem: &str) -> Diagnostic {
    Diagnostic::error(&UNSENDABLE, format!("`{structure}` cannot be in a message: it has {problem}"))
        .at(span, "this channel")
        .because(declared, "the structure")
}

pub(crate) fn no_channel(span: Span) -> Diagnostic {
    Diagnostic::error(&NO_CHANNEL, "a message is sent, but the model creates no channel")
        .at(span, "sent here")
        .note("create one: `chan c = [1] of { byte }`")
}

pub(crate) fn late_channel(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error(&LATE_CHANNEL, format!("the channel `{name}` must be created at the start of the body"))
        .at(span, "behind the first statement, or in a block")
        .note("move the declaration up")
}

pub(crate) fn bad_capacity(span: Span, capacity: i32, most: i32) -> Diagnostic {
    Diagnostic::error(&BAD_CAPACITY, format!("a channel cannot have {capacity} slots"))
        .at(span, format!("0 to {most} are possible"))
}

pub(crate) fn channel_for_other_type(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error(&CHANNEL_FOR_OTHER, format!("`{name}` is not of type `chan`")).at(span, "a new channel")
}

pub(crate) fn number_for_channel(span: Span) -> Diagnostic {
    Diagnostic::error(&NUMBER_FOR_CHANNEL, "a channel cannot be a number").at(span, "a number")
}

pub(crate) fn channel_in_arithmetic(span: Span) -> Diagnostic {
    Diagnostic::error(&CHANNEL_ARITHMETIC, "a channel is not a number").at(span, "calculates with a channel")
}

pub(crate) fn exclusive_element(chan: &VarRef) -> Diagnostic {
    Diagnostic::error(&EXCLUSIVE_ELEMENT, "`xr` and `xs` take whole channel variables")
        .at(chan.span, "an element of an array")
}

pub(crate) fn exclusive_conflict(span: Span, owner: &str, other: &str, earlier: Span) -> Diagnostic {
    Diagnostic::error(&EXCLUSIVE_CONFLICT, format!("both `{other}` and `{owner}` claim this channel for themselves"))
        .at(span, format!("claimed by `{owner}`"))
        .because(earlier, format!("claimed by `{other}`"))
}

pub(crate) fn too_few(span: Span, verb: &str, given: usize, declared: usize, at: Span) -> Diagnostic {
    Diagnostic::warning(&TOO_FEW, format!("{} {verb}, {declared} declared", counted(given, "field")))
        .at(span, "an error if this is reached")
        .because(at, "the channel")
}

pub(crate) fn too_many(span: Span, verb: &str, given: usize, declared: usize, at: Span) -> Diagnostic {
    Diagnostic::warning(&TOO_MANY, format!("{} {verb}, {declared} declared", counted(given, "field")))
        .at(span, "an error if this is reached")
        .because(at, "the channel")
}

pub(crate) fn field_kind(span: Span, given: &str, declared: &str) -> Diagnostic {
    Diagnostic::warning(&FIELD_KIND, format!("{given} is sent in a field of type `{declared}`"))
        .at(span, given.to_string())
}

pub(crate) fn length_of_number(var: &VarRef, ty: &str) -> Diagnostic {
    Diagnostic::warning(&LENGTH_OF_NUMBER, format!("the length of `{}`, which is not a channel", spelled(var)))
        .at(var.span, format!("a `{ty}`"))
}
