//! Trees back to text: valid Promela that reads as the same tree.
//!
//! Every statement is closed by a semicolon and every operand that is itself an operation stands in parentheses, so
//! that neither the end of a line nor precedence decides anything. The recursion is as deep as the tree, which the
//! parser bounds.

use super::{
    Ast, Declarator, Expr, ExprKind, Initializer, Item, Ltl, LtlKind, Name, Proctype, RecvArg, Sequence, Stmt,
    StmtKind, TypeName, UnaryOp, VarDecl, VarRef, Visibility,
};

/// The text of a model.
pub fn print(ast: &Ast) -> String {
    let mut printer = Printer { out: String::new(), depth: 0 };
    for item in &ast.items {
        printer.item(item);
    }
    printer.out
}

/// The text of an expression.
pub fn expression(e: &Expr) -> String {
    let mut printer = Printer { out: String::new(), depth: 0 };
    printer.expr(e);
    printer.out
}

/// The text of a formula, with parentheses around every operand.
pub fn formula(f: &Ltl) -> String {
    let mut printer = Printer { out: String::new(), depth: 0 };
    printer.ltl(f);
    printer.out
}

/// Whether two trees are the same, but for the places they come from.
pub fn same_tree(a: &Ast, b: &Ast) -> bool {
    shape(a) == shape(b)
}

/// The `Debug` form of a tree without its spans.
fn shape(ast: &Ast) -> String {
    let text = format!("{ast:?}");
    let mut pieces = text.split("Span { start: ");
    let mut kept = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        kept.push_str(piece.split_once(" }").map_or("", |(_, rest)| rest));
    }
    kept
}

struct Printer {
    out: String,
    depth: usize,
}

impl Printer {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn name(&mut self, name: &Name) {
        self.put(&name.text);
    }

    fn indent(&mut self) {
        for _ in 0..self.depth {
            self.put("    ");
        }
    }

    /// Things with a separator between them.
    fn list<T>(&mut self, items: &[T], separator: &str, mut each: impl FnMut(&mut Self, &T)) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.put(separator);
            }
            each(self, item);
        }
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Mtype(mtype) => {
                self.put("mtype");
                if let Some(set) = &mtype.set {
                    self.put(":");
                    self.name(set);
                }
                self.put(" = { ");
                self.list(&mtype.names, ", ", Self::name);
                self.put(" };\n");
            }
            Item::Typedef(typedef) => {
                self.put("typedef ");
                self.name(&typedef.name);
                self.put(" {\n");
                for field in &typedef.fields {
                    self.put("    ");
                    self.declaration(field);
                    self.put(";\n");
                }
                self.put("};\n");
            }
            Item::Vars(decl) => {
                self.declaration(decl);
                self.put(";\n");
            }
            Item::Proctype(proctype) => self.proctype(proctype),
            Item::Init(init) => {
                self.put("init");
                self.clause(" priority ", &init.priority);
                self.body(&init.body);
            }
            Item::Never(claim) => {
                self.put("never");
                if let Some(name) = &claim.name {
                    self.put(" ");
                    self.name(name);
                }
                self.body(&claim.body);
            }
            Item::Trace(trace) => {
                self.put(if trace.negated { "notrace" } else { "trace" });
                self.body(&trace.body);
            }
            Item::Ltl(block) => {
                self.put("ltl ");
                if let Some(name) = &block.name {
                    self.name(name);
                    self.put(" ");
                }
                self.put("{ ");
                self.ltl(&block.formula);
                self.put(" };\n");
            }
        }
    }

    fn proctype(&mut self, proctype: &Proctype) {
        if let Some(count) = &proctype.active {
            self.put("active ");
            if let Some(count) = count {
                self.put("[");
                self.expr(count);
                self.put("] ");
            }
        }
        self.put(if proctype.deterministic { "D_proctype " } else { "proctype " });
        self.name(&proctype.name);
        self.put("(");
        self.list(&proctype.params, "; ", Self::declaration);
        self.put(")");
        self.clause(" priority ", &proctype.priority);
        if let Some(provided) = &proctype.provided {
            self.put(" provided (");
            self.expr(provided);
            self.put(")");
        }
        self.body(&proctype.body);
    }

    fn clause(&mut self, words: &str, value: &Option<Expr>) {
        if let Some(value) = value {
            self.put(words);
            self.expr(value);
        }
    }

    fn body(&mut self, body: &Sequence) {
        self.put(" ");
        self.block(body);
        self.put("\n");
    }

    /// A sequence in braces.
    fn block(&mut self, body: &Sequence) {
        self.put("{\n");
        self.depth += 1;
        self.statements(body);
        self.depth -= 1;
        self.indent();
        self.put("}");
    }

    fn statements(&mut self, body: &Sequence) {
        for stmt in &body.stmts {
            self.indent();
            self.stmt(stmt);
            self.put(";\n");
        }
    }

    fn declaration(&mut self, decl: &VarDecl) {
        self.put(match decl.visibility {
            None => "",
            Some(Visibility::Hidden) => "hidden ",
            Some(Visibility::Show) => "show ",
            Some(Visibility::Local) => "local ",
        });
        self.type_name(&decl.ty);
        self.put(" ");
        self.list(&decl.declarators, ", ", Self::declarator);
    }

    fn type_name(&mut self, ty: &TypeName) {
        match ty {
            TypeName::Bit => self.put("bit"),
            TypeName::Bool => self.put("bool"),
            TypeName::Byte => self.put("byte"),
            TypeName::Pid => self.put("pid"),
            TypeName::Short => self.put("short"),
            TypeName::Int => self.put("int"),
            TypeName::Unsigned => self.put("unsigned"),
            TypeName::Chan => self.put("chan"),
            TypeName::Mtype(None) => self.put("mtype"),
            TypeName::Mtype(Some(set)) => {
                self.put("mtype:");
                self.name(set);
            }
            TypeName::User(name) => self.name(name),
        }
    }

    fn declarator(&mut self, declarator: &Declarator) {
        self.name(&declarator.name);
        self.clause(" : ", &declarator.width);
        if let Some(size) = &declarator.size {
            self.put("[");
            self.expr(size);
            self.put("]");
        }
        match &declarator.init {
            None => {}
            Some(Initializer::Expr(e)) => {
                self.put(" = ");
                self.expr(e);
            }
            Some(Initializer::List(values, _)) => {
                self.put(" = { ");
                self.list(values, ", ", Self::expr);
                self.put(" }");
            }
            Some(Initializer::Chan { capacity, fields, .. }) => {
                self.put(" = [");
                self.expr(capacity);
                self.put("] of { ");
                self.list(fields, ", ", Self::type_name);
                self.put(" }");
            }
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        for label in &stmt.labels {
            self.name(label);
            self.put(": ");
        }
        match &stmt.kind {
            StmtKind::Vars(decl) => self.declaration(decl),
            StmtKind::ExclusiveReceive(chans) => {
                self.put("xr ");
                self.list(chans, ", ", Self::var_ref);
            }
            StmtKind::ExclusiveSend(chans) => {
                self.put("xs ");
                self.list(chans, ", ", Self::var_ref);
            }
            StmtKind::Expr(e) => match e.kind {
                ExprKind::Const(1) => self.put("skip"),
                _ => self.expr(e),
            },
            StmtKind::Else => self.put("else"),
            StmtKind::Assign(var, e) => {
                self.var_ref(var);
                self.put(" = ");
                self.expr(e);
            }
            StmtKind::Increment(var) => {
                self.var_ref(var);
                self.put("++");
            }
            StmtKind::Decrement(var) => {
                self.var_ref(var);
                self.put("--");
            }
            StmtKind::Send(send) => {
                self.var_ref(&send.chan);
                self.put(if send.sorted { "!!" } else { "!" });
                // A negation must not become part of the sign.
                let negates = |first: &Expr| matches!(first.kind, ExprKind::Unary(UnaryOp::Not, _));
                self.put(if send.args.first().is_some_and(negates) { " " } else { "" });
                self.list(&send.args, ", ", Self::expr);
            }
            StmtKind::Recv(recv) => {
                self.var_ref(&recv.chan);
                self.put(if recv.random { "??" } else { "?" });
                self.put(if recv.copy { "<" } else { "" });
                self.list(&recv.args, ", ", Self::recv_arg);
                self.put(if recv.copy { ">" } else { "" });
            }
            StmtKind::Assert(e) => self.call("assert", e),
            StmtKind::Printf(text, args) => {
                self.put("printf(\"");
                self.put(text);
                self.put("\"");
                for arg in args {
                    self.put(", ");
                    self.expr(arg);
                }
                self.put(")");
            }
            StmtKind::Printm(e) => self.call("printm", e),
            StmtKind::Goto(label) => {
                self.put("goto ");
                self.name(label);
            }
            StmtKind::Break => self.put("break"),
            StmtKind::If(options) => self.options("if", options, "fi"),
            StmtKind::Do(options) => self.options("do", options, "od"),
            StmtKind::Atomic(body) => {
                self.put("atomic ");
                self.block(body);
            }
            StmtKind::DStep(body) => {
                self.put("d_step ");
                self.block(body);
            }
            StmtKind::Block(body) => self.block(body),
            StmtKind::Unless(main, escape) => {
                self.stmt(main);
                self.put(" unless ");
                self.stmt(escape);
            }
            StmtKind::ForRange { var, from, to, body } => {
                self.put("for (");
                self.range(var, from, to);
                self.put(") ");
                self.block(body);
            }
            StmtKind::ForIn { var, over, body } => {
                self.put("for (");
                self.var_ref(var);
                self.put(" in ");
                self.var_ref(over);
                self.put(") ");
                self.block(body);
            }
            StmtKind::Select { var, from, to } => {
                self.put("select (");
                self.range(var, from, to);
                self.put(")");
            }
            StmtKind::Error => self.put("skip"),
        }
    }

    fn range(&mut self, var: &VarRef, from: &Expr, to: &Expr) {
        self.var_ref(var);
        self.put(" : ");
        self.expr(from);
        self.put(" .. ");
        self.expr(to);
    }

    fn options(&mut self, open: &str, options: &[Sequence], close: &str) {
        self.put(open);
        self.put("\n");
        for option in options {
            self.indent();
            self.put("::\n");
            self.depth += 1;
            self.statements(option);
            self.depth -= 1;
        }
        self.indent();
        self.put(close);
    }

    fn recv_arg(&mut self, arg: &RecvArg) {
        match arg {
            RecvArg::Var(var) => self.var_ref(var),
            RecvArg::Eval(e) => self.call("eval", e),
            RecvArg::Const(value, _) => self.put(&value.to_string()),
        }
    }

    fn call(&mut self, function: &str, e: &Expr) {
        self.put(function);
        self.put("(");
        self.expr(e);
        self.put(")");
    }

    fn var_ref(&mut self, var: &VarRef) {
        self.list(&var.parts, ".", |printer, part| {
            printer.name(&part.name);
            if let Some(index) = &part.index {
                printer.put("[");
                printer.expr(index);
                printer.put("]");
            }
        });
    }

    /// An expression as an operand.
    fn operand(&mut self, e: &Expr) {
        if matches!(e.kind, ExprKind::Unary(..) | ExprKind::Binary(..)) {
            self.put("(");
            self.expr(e);
            self.put(")");
        } else {
            self.expr(e);
        }
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            // As the lexer cuts numbers to 32 bits, a negative constant is what a large one was cut to.
            ExprKind::Const(value) => self.put(&(*value as u32).to_string()),
            ExprKind::Var(var) => self.var_ref(var),
            ExprKind::Unary(op, a) => {
                self.put(match op {
                    UnaryOp::Not => "!",
                    UnaryOp::Neg => "-",
                    UnaryOp::BitNot => "~",
                });
                self.operand(a);
            }
            ExprKind::Binary(op, a, b) => {
                self.operand(a);
                self.put(" ");
                self.put(op.sign());
                self.put(" ");
                self.operand(b);
            }
            ExprKind::Cond(c, a, b) => {
                self.put("(");
                self.expr(c);
                self.put(" -> ");
                self.expr(a);
                self.put(" : ");
                self.expr(b);
                self.put(")");
            }
            ExprKind::Len(chan) => self.channel_call("len", chan),
            ExprKind::Full(chan) => self.channel_call("full", chan),
            ExprKind::NotFull(chan) => self.channel_call("nfull", chan),
            ExprKind::Empty(chan) => self.channel_call("empty", chan),
            ExprKind::NotEmpty(chan) => self.channel_call("nempty", chan),
            ExprKind::Poll(poll) => {
                self.var_ref(&poll.chan);
                self.put(if poll.random { "??[" } else { "?[" });
                self.list(&poll.args, ", ", Self::recv_arg);
                self.put("]");
            }
            ExprKind::Run { proctype, args, priority } => {
                self.put("run ");
                self.name(proctype);
                self.put("(");
                self.list(args, ", ", Self::expr);
                self.put(")");
                if let Some(priority) = priority {
                    self.put(" priority ");
                    self.expr(priority);
                }
            }
            ExprKind::Timeout => self.put("timeout"),
            ExprKind::Enabled(e) => self.call("enabled", e),
            ExprKind::PcValue(e) => self.call("pc_value", e),
            ExprKind::GetPriority(e) => self.call("get_priority", e),
            ExprKind::SetPriority(process, priority) => {
                self.put("set_priority(");
                self.expr(process);
                self.put(", ");
                self.expr(priority);
                self.put(")");
            }
            ExprKind::RemoteLabel { proctype, pid, label } => {
                self.instance(proctype, pid.as_deref());
                self.put("@");
                self.name(label);
            }
            ExprKind::RemoteVar { proctype, pid, var } => {
                self.instance(proctype, pid.as_deref());
                self.put(":");
                self.var_ref(var);
            }
            ExprKind::Error => self.put("0"),
        }
    }

    fn channel_call(&mut self, function: &str, chan: &VarRef) {
        self.put(function);
        self.put("(");
        self.var_ref(chan);
        self.put(")");
    }

    fn instance(&mut self, proctype: &Name, pid: Option<&Expr>) {
        self.name(proctype);
        if let Some(pid) = pid {
            self.put("[");
            self.expr(pid);
            self.put("]");
        }
    }

    fn ltl(&mut self, f: &Ltl) {
        let (a, op, b) = match &f.kind {
            LtlKind::Atom(e) => return self.expr(e),
            LtlKind::Not(a) => return self.prefix("!", a),
            LtlKind::Next(a) => return self.prefix("X ", a),
            LtlKind::Always(a) => return self.prefix("[] ", a),
            LtlKind::Eventually(a) => return self.prefix("<> ", a),
            LtlKind::And(a, b) => (a, "&&", b),
            LtlKind::Or(a, b) => (a, "||", b),
            LtlKind::Implies(a, b) => (a, "->", b),
            LtlKind::Equivalent(a, b) => (a, "<->", b),
            LtlKind::Until(a, b) => (a, "U", b),
            LtlKind::WeakUntil(a, b) => (a, "W", b),
            LtlKind::Release(a, b) => (a, "V", b),
        };
        self.parenthesised(a);
        self.put(" ");
        self.put(op);
        self.put(" ");
        self.parenthesised(b);
    }

    fn prefix(&mut self, op: &str, f: &Ltl) {
        self.put(op);
        self.parenthesised(f);
    }

    fn parenthesised(&mut self, f: &Ltl) {
        self.put("(");
        self.ltl(f);
        self.put(")");
    }
}
