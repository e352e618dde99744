//! A generated model as text. Expressions are printed with all their parentheses.

use super::tree::*;
use std::fmt::{self, Display, Formatter, Write};

/// The text of a model.
pub fn print(model: &Model) -> String {
    let mut out = Printer { text: String::new(), arrow: model.arrow.unwrap_or(";") };
    // Writing to a string cannot fail.
    let _ = write_model(model, &mut out);
    out.text
}

/// The text so far, and what stands behind the first statement of an option.
struct Printer {
    text: String,
    arrow: &'static str,
}

impl Write for Printer {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.text.write_str(text)
    }
}

fn write_model(model: &Model, out: &mut Printer) -> fmt::Result {
    if !model.mtypes.is_empty() {
        writeln!(out, "mtype = {{ {} }};", model.mtypes.join(", "))?;
    }
    for typedef in &model.typedefs {
        writeln!(out, "typedef {} {{ {} }};", typedef.name, list(&typedef.fields, "; "))?;
    }
    for decl in &model.globals {
        writeln!(out, "{decl};")?;
    }
    for chan in &model.chans {
        writeln!(out, "{chan};")?;
    }
    for inline in &model.inlines {
        writeln!(out, "inline {}({}) {{", inline.name, inline.param)?;
        sequence(&inline.body, 1, out)?;
        writeln!(out, "}}")?;
    }
    let init_at = model.init_at.unwrap_or(usize::MAX).min(model.procs.len());
    let (front, behind) = model.procs.split_at(init_at);
    front.iter().try_for_each(|proc| process(proc, out))?;
    if let Some(body) = &model.init {
        writeln!(out, "init {{")?;
        sequence(body, 1, out)?;
        writeln!(out, "}}")?;
    }
    behind.iter().try_for_each(|proc| process(proc, out))
}

fn process(proc: &Proc, out: &mut Printer) -> fmt::Result {
    match proc.active {
        0 => {}
        1 => write!(out, "active ")?,
        count => write!(out, "active [{count}] ")?,
    }
    write!(out, "{}proctype {}({})", if proc.deterministic { "D_" } else { "" }, proc.name, list(&proc.params, "; "))?;
    if let Some(priority) = proc.priority {
        write!(out, " priority {priority}")?;
    }
    if let Some(provided) = &proc.provided {
        write!(out, " provided ({provided})")?;
    }
    writeln!(out, " {{")?;
    for decl in &proc.locals {
        writeln!(out, "\t{decl};")?;
    }
    sequence(&proc.body, 1, out)?;
    writeln!(out, "}}")
}

fn sequence(body: &[Stmt], depth: usize, out: &mut Printer) -> fmt::Result {
    separated(body, ";", depth, out)
}

/// Statements, with `first` behind the first of them and semicolons behind the others.
fn separated(body: &[Stmt], first: &str, depth: usize, out: &mut Printer) -> fmt::Result {
    for (index, stmt) in body.iter().enumerate() {
        write!(out, "{}", "\t".repeat(depth))?;
        statement(stmt, depth, out)?;
        let separator = match (index, stmt) {
            (_, _) if index + 1 == body.len() => "",
            (0, stmt) if !matches!(stmt, Stmt::Declare(_)) => first,
            _ => ";",
        };
        writeln!(out, "{separator}")?;
    }
    Ok(())
}

fn braces(before: &str, body: &[Stmt], depth: usize, out: &mut Printer) -> fmt::Result {
    writeln!(out, "{before}{{")?;
    sequence(body, depth + 1, out)?;
    write!(out, "{}}}", "\t".repeat(depth))
}

fn choice(open: &str, options: &[Vec<Stmt>], close: &str, depth: usize, out: &mut Printer) -> fmt::Result {
    writeln!(out, "{open}")?;
    for option in options {
        writeln!(out, "{}::", "\t".repeat(depth))?;
        separated(option, out.arrow, depth + 1, out)?;
    }
    write!(out, "{}{close}", "\t".repeat(depth))
}

fn statement(stmt: &Stmt, depth: usize, out: &mut Printer) -> fmt::Result {
    match stmt {
        Stmt::Skip => write!(out, "skip"),
        Stmt::True => write!(out, "true"),
        Stmt::Else => write!(out, "else"),
        Stmt::Break => write!(out, "break"),
        Stmt::Goto(label) => write!(out, "goto {label}"),
        Stmt::Condition(expr) => write!(out, "{expr}"),
        Stmt::Assign(place, expr) => write!(out, "{place} = {expr}"),
        Stmt::Step(place, op) => write!(out, "{place}{op}"),
        Stmt::Assert(expr) => write!(out, "assert({expr})"),
        Stmt::Printf(args) => {
            write!(out, "printf(\"{}\\n\"", "%d ".repeat(args.len()))?;
            args.iter().try_for_each(|arg| write!(out, ", {arg}"))?;
            write!(out, ")")
        }
        Stmt::Printm(value) => write!(out, "printm({value})"),
        Stmt::Declare(decl) => write!(out, "{decl}"),
        Stmt::Send { chan, sorted, args } => {
            write!(out, "{chan}{}{}", if *sorted { "!!" } else { "!" }, list(args, ","))
        }
        Stmt::Receive { chan, random, keep, args } => {
            let op = if *random { "??" } else { "?" };
            let (open, close) = if *keep { ("<", ">") } else { ("", "") };
            write!(out, "{chan}{op}{open}{}{close}", list(args, ","))
        }
        Stmt::If(options) => choice("if", options, "fi", depth, out),
        Stmt::Do(options) => choice("do", options, "od", depth, out),
        Stmt::Atomic(body) => braces("atomic ", body, depth, out),
        Stmt::DStep(body) => braces("d_step ", body, depth, out),
        Stmt::Block(body) => braces("", body, depth, out),
        Stmt::Unless(body, escape) => {
            braces("", body, depth, out)?;
            braces(" unless ", escape, depth, out)
        }
        Stmt::For { var, range: Range::Between(low, high), body } => {
            braces(&format!("for ({var} : {low} .. {high}) "), body, depth, out)
        }
        Stmt::For { var, range: Range::Array(array), body } => {
            braces(&format!("for ({var} in {array}) "), body, depth, out)
        }
        Stmt::For { var, range: Range::Chan(chan), body } => {
            braces(&format!("for ({var} in {chan}) "), body, depth, out)
        }
        Stmt::Select { var, low, high } => write!(out, "select ({var} : {low} .. {high})"),
        Stmt::Inline(name, arg) => write!(out, "{name}({arg})"),
        Stmt::SetPriority(pid, priority) => write!(out, "set_priority({pid}, {priority})"),
        Stmt::Label(label, stmt) => {
            write!(out, "{label}: ")?;
            statement(stmt, depth, out)
        }
    }
}

fn list<T: Display>(items: &[T], separator: &str) -> String {
    items.iter().map(T::to_string).collect::<Vec<_>>().join(separator)
}

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Type::Bit => "bit",
            Type::Bool => "bool",
            Type::Byte => "byte",
            Type::Short => "short",
            Type::Int => "int",
            Type::Pid => "pid",
            Type::Unsigned(_) => "unsigned",
            Type::Mtype => "mtype",
            Type::Chan => "chan",
            Type::Struct(name) => name,
        })
    }
}

impl Display for Decl {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.ty, self.name)?;
        if let Type::Unsigned(bits) = self.ty {
            write!(f, " : {bits}")?;
        }
        if let Some(size) = self.size {
            write!(f, "[{size}]")?;
        }
        self.init.iter().try_for_each(|init| write!(f, " = {init}"))
    }
}

impl Display for Chan {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "chan {}", self.name)?;
        self.size.iter().try_for_each(|size| write!(f, "[{size}]"))?;
        write!(f, " = {}", self.initialiser())
    }
}

impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)?;
        self.index.iter().try_for_each(|index| write!(f, "[{index}]"))?;
        if let Some((field, index)) = &self.field {
            write!(f, ".{field}")?;
            index.iter().try_for_each(|index| write!(f, "[{index}]"))?;
        }
        Ok(())
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Expr::Const(value) => write!(f, "{value}"),
            Expr::Name(name) => write!(f, "{name}"),
            Expr::Place(place) => write!(f, "{place}"),
            Expr::Unary(op, expr) => write!(f, "({op} {expr})"),
            Expr::Binary(op, left, right) => write!(f, "({left} {op} {right})"),
            Expr::Cond(test, left, right) => write!(f, "({test} -> {left} : {right})"),
            Expr::OfChan(function, chan) => write!(f, "{function}({chan})"),
            Expr::Poll { chan, random, args } => {
                write!(f, "{chan}{}[{}]", if *random { "??" } else { "?" }, list(args, ","))
            }
            Expr::Run { proc, args, priority } => {
                write!(f, "run {proc}({})", list(args, ", "))?;
                priority.iter().try_for_each(|priority| write!(f, " priority {priority}"))
            }
            Expr::RemoteLabel { proc, pid, label } => write!(f, "{proc}[{pid}]@{label}"),
            Expr::RemoteVar { proc, pid, var } => write!(f, "{proc}[{pid}]:{var}"),
            Expr::OfPid(function, pid) => write!(f, "{function}({pid})"),
        }
    }
}

impl Display for Arg {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Arg::Const(value) => write!(f, "{value}"),
            Arg::Eval(expr) => write!(f, "eval({expr})"),
            Arg::Bind(place) => write!(f, "{place}"),
            Arg::Any => write!(f, "_"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_text() {
        let guard = Stmt::Condition(Expr::binary("<", Expr::var("x"), Expr::Const(2)));
        let body = vec![Stmt::Do(vec![vec![guard, Stmt::Step(Place::var("x"), "++")], vec![Stmt::Else, Stmt::Break]])];
        let decl = Decl { ty: Type::Byte, name: "x".to_string(), size: None, init: None };
        let proc = Proc {
            name: "P".to_string(),
            active: 2,
            deterministic: false,
            params: Vec::new(),
            priority: None,
            provided: None,
            locals: Vec::new(),
            body,
        };
        let model = Model { globals: vec![decl], procs: vec![proc], ..Model::default() };
        let expected = "byte x;\nactive [2] proctype P() {\n\tdo\n\t::\n\t\t(x < 2);\n\t\tx++\n\t::\n\t\telse;\n\t\tbreak\n\tod\n}\n";
        assert_eq!(print(&model), expected);
    }
}
