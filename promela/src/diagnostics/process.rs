//! Processes: `run`, parameters, instances, priorities, `provided`.

use super::{Diagnostic, counted};
use crate::ast::Name;
use crate::source::Span;

codes! {
    UNKNOWN_PROCTYPE = "E0601", "a proctype is not declared", "\
    init { run Sender(1) }            /* error if there is no proctype Sender */
";
    ARGUMENT_COUNT = "E0602", "a run with the wrong number of arguments", "\
    proctype P(byte x; chan c) { … }
    init { run P(1) }                 /* error: two parameters */
";
    RUN_MISPLACED = "E0603", "`run` in the wrong place", "\
A `run` that stands as a condition must be the whole condition, because evaluating it has an effect. It cannot be sent,
it cannot be part of an index or of a receive, and it cannot be an argument of another `run`.

    run P() && run Q()                /* error: write run P(); run Q() */
    c!run P()                         /* error: write p = run P(); c!p */
";
    RUN_IN_D_STEP = "E0604", "`run` inside a d_step", "\
A process cannot be created inside a `d_step`. Use `atomic`.

    d_step { x = 1; run P() }         /* error */
    atomic { x = 1; run P() }         /* right */
";
    RUN_IN_DECLARATION = "E0605", "`run` in a declaration", "\
    byte p = run P();                 /* error: write byte p; p = run P() */
";
    BAD_PARAMETER = "E0606", "a parameter that cannot be passed", "\
Parameters are single values or structures without arrays, and they get their value from `run`.

    proctype P(byte a[2]) { … }       /* error */
    proctype Q(byte x = 1) { … }      /* error */
";
    NO_PROCESS = "E0607", "nothing runs", "\
A model needs an `init` or at least one `active` proctype: otherwise there is no process that could do anything.

    active proctype P() { … }
";
    TOO_MANY_PROCESSES = "E0608", "too many processes from the start", "\
At most 255 processes can exist at a time, and the number in `active [n]` is from 0 to 255.

    active [300] proctype P() { … }   /* error */
";
    BAD_PRIORITY = "E0609", "a priority out of range", "\
Priorities are numbers from 1 to 255.

    active proctype P() priority 0 { … }   /* error */
    active proctype P() priority 1 { … }   /* the least */
";
    BAD_PROVIDED = "E0610", "a provided clause that creates a process", "\
A `provided` clause may read global variables, parameters and `_pid`; it is evaluated whenever the process could move, so
it cannot create a process.

    active proctype P() provided (run Q() > 0) { … }        /* error */
    proctype P(byte x) provided (allowed[x]) { … }          /* right */
";
    ARGUMENT_SET = "E0611", "an argument of another mtype set", "\
    mtype:fruit = { apple };
    mtype:tool = { hammer };
    proctype P(mtype:fruit f) { … }
    init { run P(hammer) }            /* error */
";
    RUN_OUTSIDE = "E0612", "`run` outside a process", "\
Only a process can create a process: not a formula, and not the initial value of a global variable.

    ltl p { <> (run P()) }            /* error */
";
    NEVER_RUN = "W0601", "a proctype that never runs", "\
The proctype is neither `active` nor named in any `run`.

    proctype P() { … }
    init { skip }                     /* write run P(), or active proctype P() */
";
    ARGUMENT_KIND = "W0602", "an argument of another kind", "\
A channel is passed where a number is expected, or a number where a channel is.

    proctype P(byte x) { … }
    chan c = [1] of { byte };
    init { run P(c) }                 /* was proctype P(chan x) meant? */
";
}

pub(crate) fn unknown_proctype(name: &Name, near: Option<&str>) -> Diagnostic {
    let finding = Diagnostic::error(&UNKNOWN_PROCTYPE, format!("there is no proctype `{}`", name.text))
        .at(name.span, "not declared");
    match near {
        Some(near) => finding.note(format!("did you mean `{near}`?")),
        None => finding,
    }
}

pub(crate) fn argument_count(span: Span, name: &str, given: usize, wanted: usize, declared: Span) -> Diagnostic {
    Diagnostic::error(&ARGUMENT_COUNT, format!("`{name}` has {}, {given} given", counted(wanted, "parameter")))
        .at(span, "created here")
        .because(declared, "declared here")
}

pub(crate) fn run_in_compound(span: Span) -> Diagnostic {
    Diagnostic::error(&RUN_MISPLACED, "`run` is part of a larger condition")
        .at(span, "evaluating this has an effect")
        .note("assign the new process to a variable first")
}

pub(crate) fn several_runs(span: Span) -> Diagnostic {
    Diagnostic::error(&RUN_MISPLACED, "more than one `run` in a condition")
        .at(span, "")
        .note("write them as statements of their own")
}

pub(crate) fn run_in_message(span: Span) -> Diagnostic {
    Diagnostic::error(&RUN_MISPLACED, "`run` inside a message")
        .at(span, "")
        .note("assign the new process to a variable first")
}

pub(crate) fn run_in_index(span: Span) -> Diagnostic {
    Diagnostic::error(&RUN_MISPLACED, "`run` inside an index")
        .at(span, "evaluating this has an effect")
        .note("assign the new process to a variable first")
}

pub(crate) fn run_in_d_step(span: Span) -> Diagnostic {
    Diagnostic::error(&RUN_IN_D_STEP, "`run` inside a d_step").at(span, "creates a process").note("use `atomic`")
}

pub(crate) fn run_in_declaration(span: Span) -> Diagnostic {
    Diagnostic::error(&RUN_IN_DECLARATION, "`run` in a declaration")
        .at(span, "creates a process")
        .note("declare the variable, then assign")
}

pub(crate) fn array_parameter(name: &Name) -> Diagnostic {
    Diagnostic::error(&BAD_PARAMETER, format!("the parameter `{}` is an array", name.text))
        .at(name.span, "cannot be passed")
}

pub(crate) fn array_in_parameter(name: &Name, structure: &str) -> Diagnostic {
    Diagnostic::error(&BAD_PARAMETER, format!("the parameter `{}` is a `{structure}`, which holds an array", name.text))
        .at(name.span, "cannot be passed")
}

pub(crate) fn initialised_parameter(name: &Name) -> Diagnostic {
    Diagnostic::error(&BAD_PARAMETER, format!("the parameter `{}` has an initial value", name.text))
        .at(name.span, "gets its value from `run`")
}

pub(crate) fn no_process(span: Span) -> Diagnostic {
    Diagnostic::error(&NO_PROCESS, "the model has no process")
        .at(span, "neither `init` nor an `active` proctype in this file")
        .note("write `active` in front of a proctype, or add an `init`")
}

pub(crate) fn too_many_processes(span: Span, count: u32, most: u32) -> Diagnostic {
    Diagnostic::error(&TOO_MANY_PROCESSES, format!("{count} processes run from the start"))
        .at(span, format!("at most {most} can"))
}

pub(crate) fn bad_instance_count(span: Span, count: i32, most: u32) -> Diagnostic {
    Diagnostic::error(&TOO_MANY_PROCESSES, format!("{count} instances")).at(span, format!("0 to {most} are possible"))
}

pub(crate) fn bad_priority(span: Span, priority: i32) -> Diagnostic {
    Diagnostic::error(&BAD_PRIORITY, format!("{priority} is no priority")).at(span, "1 to 255 are possible")
}

pub(crate) fn provided_run(span: Span) -> Diagnostic {
    Diagnostic::error(&BAD_PROVIDED, "a provided clause cannot create a process").at(span, "")
}

pub(crate) fn argument_set(span: Span, given: &str, wanted: &str, declared: Span) -> Diagnostic {
    Diagnostic::error(&ARGUMENT_SET, format!("the parameter is `{wanted}`, but this is a name of `{given}`"))
        .at(span, format!("of `{given}`"))
        .because(declared, "the proctype")
}

pub(crate) fn run_outside(span: Span) -> Diagnostic {
    Diagnostic::error(&RUN_OUTSIDE, "`run` outside a process").at(span, "no process to create it")
}

pub(crate) fn never_run(name: &str, span: Span) -> Diagnostic {
    Diagnostic::warning(&NEVER_RUN, format!("proctype `{name}` never runs")).at(span, "neither active nor in any `run`")
}

pub(crate) fn argument_kind(span: Span, given: &str, wanted: &str, declared: Span) -> Diagnostic {
    Diagnostic::warning(&ARGUMENT_KIND, format!("{given} is passed for a `{wanted}`"))
        .at(span, given.to_string())
        .because(declared, "the proctype")
}
