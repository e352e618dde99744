//! Names: not declared, declared twice, not what they seem, not used.

use super::Diagnostic;
use crate::ast::Name;
use crate::source::Span;

codes! {
    UNDECLARED = "E0201", "a name is not declared", "\
A variable must be declared before the place where it is used; Promela reads a file from top to bottom.

    active proctype P() { count = 1 }   /* error: count is declared below */
    byte count;

Move the declaration up, or correct the spelling:

    byte count;
    active proctype P() { count = 1 }
";
    REDECLARED = "E0202", "a name is declared twice", "\
A name means one thing at a time. A local variable may not take the name of a global, of a parameter, or of a variable
of an enclosing block; a second declaration in the same block is an error too. Blocks side by side may reuse a name.

    byte x;
    active proctype P() { byte x; x = 1 }   /* error: x is the global */

Rename one of them.
";
    UNKNOWN_TYPE = "E0203", "a type is not declared", "\
A structure must be declared with `typedef`, at the top level, before it is used.

    Point p;                          /* error */
    typedef Point { byte x; byte y }

Put the typedef first.
";
    UNKNOWN_FIELD = "E0204", "a structure has no such field", "\
    typedef Point { byte x; byte y }
    Point p;
    init { p.z = 1 }                  /* error: Point has x and y */

Use one of the declared fields, or add the field to the typedef.
";
    NOT_A_VARIABLE = "E0205", "a name is not a variable", "\
The name is declared, but as a symbolic constant, a proctype or a structure, where a variable is needed.

    mtype = { ack };
    init { ack = 1 }                  /* error: ack is a constant */
";
    UNKNOWN_REMOTE = "E0206", "a proctype has no such label or variable", "\
`P[pid]@label` and `P[pid]:variable` look into another process: the label or local variable must exist in the proctype.

    active proctype P() { wait: skip }
    never { do :: P[0]@waiting od }   /* error: the label is `wait` */
";
    HIDDEN_BY_MTYPE = "W0201", "a symbolic name takes the name of a variable", "\
From here on the name stands for the constant, and the variable can no longer be reached.

    byte ack;
    mtype = { ack };                  /* warning */

Rename one of them.
";
    UNUSED = "W0202", "something is declared and never used", "\
A variable that nothing reads or writes, or a label that nothing jumps to, is often a spelling mistake elsewhere. Labels
that begin with `end`, `progress` or `accept` have a meaning of their own and are not reported.

    byte count, cuont;                /* warning: cuont is never used */
    init { count++ }
";
}

fn did_you_mean(finding: Diagnostic, near: Option<&str>) -> Diagnostic {
    match near {
        Some(near) => finding.note(format!("did you mean `{near}`?")),
        None => finding,
    }
}

pub(crate) fn undeclared(name: &Name, near: Option<&str>) -> Diagnostic {
    let finding =
        Diagnostic::error(&UNDECLARED, format!("`{}` is not declared", name.text)).at(name.span, "not known here");
    match near {
        Some(_) => did_you_mean(finding, near),
        None => finding.note("declare it above this place"),
    }
}

pub(crate) fn redeclared(name: &str, span: Span, earlier: Span) -> Diagnostic {
    Diagnostic::error(&REDECLARED, format!("`{name}` is declared already"))
        .at(span, "declared again")
        .because(earlier, "first declared here")
        .note("rename one of them: a name means one thing at a time, also in inner blocks")
}

pub(crate) fn unknown_type(name: &Name, near: Option<&str>) -> Diagnostic {
    let finding = Diagnostic::error(&UNKNOWN_TYPE, format!("there is no type `{}`", name.text))
        .at(name.span, "not a type declared above");
    did_you_mean(finding, near)
}

pub(crate) fn unknown_field(name: &Name, structure: &str, declared: Span, near: Option<&str>) -> Diagnostic {
    let finding = Diagnostic::error(&UNKNOWN_FIELD, format!("`{structure}` has no field `{}`", name.text))
        .at(name.span, "no such field")
        .because(declared, "declared here");
    did_you_mean(finding, near)
}

pub(crate) fn not_a_variable(name: &Name, declared: Span) -> Diagnostic {
    Diagnostic::error(&NOT_A_VARIABLE, format!("`{}` is not a variable", name.text))
        .at(name.span, "a variable is needed here")
        .because(declared, "declared here as something else")
}

pub(crate) fn unknown_remote(what: &str, name: &Name, proctype: &Name) -> Diagnostic {
    Diagnostic::error(&UNKNOWN_REMOTE, format!("proctype `{}` has no {what} `{}`", proctype.text, name.text))
        .at(name.span, format!("no such {what}"))
}

pub(crate) fn hidden_by_mtype(name: &str, span: Span, variable: Span) -> Diagnostic {
    Diagnostic::warning(&HIDDEN_BY_MTYPE, format!("the constant `{name}` hides the variable of the same name"))
        .at(span, "a constant from here on")
        .because(variable, "the variable")
}

pub(crate) fn unused(what: &str, name: &str, span: Span) -> Diagnostic {
    Diagnostic::warning(&UNUSED, format!("{what} `{name}` is never used")).at(span, "")
}
