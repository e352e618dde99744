//! Making a model that shows a difference small.
//!
//! Greedy: every single simplification of the tree is tried in turn and kept if the model still shows the same
//! difference, until none is left. (Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", TSE
//! 2002, on a tree instead of a list.) A simplification may make the model invalid; then it shows another difference, or
//! none, and is dropped.

use super::tree::*;

/// The smallest model found for which `still` holds, after at most `tries` tries.
pub fn shrink(model: &Model, mut tries: usize, mut still: impl FnMut(&Model) -> bool) -> Model {
    let mut best = model.clone();
    loop {
        let mut progress = false;
        let mut at = 0;
        while let Some(candidate) = simplified(&best, at) {
            if tries == 0 {
                return best;
            }
            tries -= 1;
            if still(&candidate) {
                best = candidate;
                progress = true;
            } else {
                at += 1;
            }
        }
        if !progress {
            return best;
        }
    }
}

/// The model with its simplification number `at` done, if there are so many.
fn simplified(model: &Model, at: usize) -> Option<Model> {
    let mut copy = model.clone();
    let mut edit = Edit { left: at, done: false };
    edit.model(&mut copy);
    edit.done.then_some(copy)
}

/// Walks the tree, counts the simplifications that could be done, and does the one that it was sent for.
struct Edit {
    left: usize,
    done: bool,
}

impl Edit {
    /// True exactly once: at the simplification to do.
    fn here(&mut self) -> bool {
        if self.done {
            return false;
        }
        if self.left == 0 {
            self.done = true;
            return true;
        }
        self.left -= 1;
        false
    }

    /// Drops the first half, the second half, or one item.
    fn list<T>(&mut self, items: &mut Vec<T>) {
        if items.len() > 3 {
            let half = items.len() / 2;
            if self.here() {
                items.drain(..half);
                return;
            }
            if self.here() {
                items.truncate(half);
                return;
            }
        }
        for index in 0..items.len() {
            if self.here() {
                items.remove(index);
                return;
            }
        }
    }

    fn option<T>(&mut self, item: &mut Option<T>) {
        if item.is_some() && self.here() {
            *item = None;
        }
    }

    fn model(&mut self, model: &mut Model) {
        self.option(&mut model.arrow);
        self.list(&mut model.procs);
        self.option(&mut model.init);
        self.option(&mut model.init_at);
        self.parameters(model);
        for proc in &mut model.procs {
            self.process(proc);
        }
        if let Some(body) = &mut model.init {
            self.sequence(body);
        }
        self.list(&mut model.inlines);
        for inline in &mut model.inlines {
            self.sequence(&mut inline.body);
        }
        self.list(&mut model.chans);
        for chan in &mut model.chans {
            self.option(&mut chan.size);
            if chan.capacity > 1 && self.here() {
                chan.capacity = 1;
            }
            self.types(&mut chan.fields);
        }
        self.list(&mut model.globals);
        self.decls(&mut model.globals);
        self.list(&mut model.typedefs);
        for typedef in &mut model.typedefs {
            self.list(&mut typedef.fields);
            self.decls(&mut typedef.fields);
        }
        self.list(&mut model.mtypes);
    }

    /// A parameter becomes a local variable that begins with the argument of the first `run`: processes that are all
    /// created with the same argument do not change.
    fn parameters(&mut self, model: &mut Model) {
        for proc in 0..model.procs.len() {
            for at in 0..model.procs[proc].params.len() {
                if self.here() {
                    let name = model.procs[proc].name.clone();
                    let mut given = Vec::new();
                    model.bodies_mut().for_each(|body| take_argument(body, &name, at, &mut given));
                    let init = given.into_iter().next();
                    let param = model.procs[proc].params.remove(at);
                    model.procs[proc].locals.insert(0, Decl { init, ..param });
                    return;
                }
            }
        }
    }

    fn types(&mut self, types: &mut [Type]) {
        for ty in types {
            if !matches!(ty, Type::Byte | Type::Chan) && self.here() {
                *ty = Type::Byte;
            }
        }
    }

    fn decls(&mut self, decls: &mut [Decl]) {
        for decl in decls {
            self.option(&mut decl.init);
            self.option(&mut decl.size);
            self.types(std::slice::from_mut(&mut decl.ty));
        }
    }

    fn process(&mut self, proc: &mut Proc) {
        if proc.active > 1 && self.here() {
            proc.active = 1;
        }
        self.flag(&mut proc.deterministic);
        self.option(&mut proc.provided);
        self.option(&mut proc.priority);
        self.list(&mut proc.params);
        self.decls(&mut proc.params);
        self.sequence(&mut proc.body);
        self.list(&mut proc.locals);
        self.decls(&mut proc.locals);
        if let Some(provided) = &mut proc.provided {
            self.expr(provided);
        }
    }

    /// The last statement stays: nothing at all is a matter of its own.
    fn sequence(&mut self, body: &mut Vec<Stmt>) {
        if body.len() > 1 {
            self.list(body);
        }
        for index in 0..body.len() {
            // A compound statement gives way to what is in it.
            for part in 0.. {
                let Some(inside) = body.get(index).and_then(|stmt| parts(stmt, part)) else {
                    break;
                };
                if self.here() {
                    body.splice(index..=index, inside);
                    return;
                }
            }
            if let Some(stmt) = body.get_mut(index) {
                self.statement(stmt);
            }
        }
    }

    fn options(&mut self, options: &mut Vec<Vec<Stmt>>) {
        self.list(options);
        options.iter_mut().for_each(|option| self.sequence(option));
    }

    fn statement(&mut self, stmt: &mut Stmt) {
        match stmt {
            Stmt::Skip | Stmt::True | Stmt::Else | Stmt::Break | Stmt::Goto(_) | Stmt::Printm(_) => {}
            Stmt::Condition(expr) | Stmt::Assert(expr) => self.expr(expr),
            Stmt::Assign(place, expr) => {
                self.place(place);
                self.expr(expr);
            }
            Stmt::Step(place, _) => self.place(place),
            Stmt::Printf(args) => {
                self.list(args);
                args.iter_mut().for_each(|arg| self.expr(arg));
            }
            Stmt::Declare(decl) => self.decls(std::slice::from_mut(decl)),
            Stmt::Send { chan, sorted, args } => {
                self.place(chan);
                self.flag(sorted);
                args.iter_mut().for_each(|arg| self.expr(arg));
            }
            Stmt::Receive { chan, random, keep, args } => {
                self.place(chan);
                self.flag(random);
                self.flag(keep);
                self.args(args);
            }
            Stmt::If(options) | Stmt::Do(options) => self.options(options),
            Stmt::Atomic(body) | Stmt::DStep(body) | Stmt::Block(body) => self.sequence(body),
            Stmt::Unless(body, escape) => {
                self.sequence(body);
                self.sequence(escape);
            }
            Stmt::For { range, body, .. } => {
                if let Range::Between(low, high) = range {
                    self.expr(low);
                    self.expr(high);
                }
                self.sequence(body);
            }
            Stmt::Select { low, high, .. } => {
                self.expr(low);
                self.expr(high);
            }
            Stmt::SetPriority(pid, _) => self.expr(pid),
            Stmt::Label(_, inner) => self.statement(inner),
            Stmt::Inline(_, place) => self.place(place),
        }
    }

    fn flag(&mut self, flag: &mut bool) {
        if *flag && self.here() {
            *flag = false;
        }
    }

    fn args(&mut self, args: &mut [Arg]) {
        for arg in args {
            if *arg != Arg::Any && self.here() {
                *arg = Arg::Any;
            }
            match arg {
                Arg::Const(expr) | Arg::Eval(expr) => self.expr(expr),
                Arg::Bind(place) => self.place(place),
                Arg::Any => {}
            }
        }
    }

    fn place(&mut self, place: &mut Place) {
        self.option(&mut place.index);
        if let Some(index) = &mut place.index {
            self.expr(index);
        }
        if let Some((_, inner)) = &mut place.field {
            self.option(inner);
            if let Some(inner) = inner {
                self.expr(inner);
            }
        }
    }

    fn expr(&mut self, expr: &mut Expr) {
        // Constants and plain variables are the smallest; anything else gives way to 0, to 1, or to an operand.
        let smallest = match expr {
            Expr::Const(0 | 1) | Expr::Name(_) => true,
            Expr::Place(place) => place.index.is_none() && place.field.is_none(),
            _ => false,
        };
        if !smallest {
            for value in [0, 1] {
                if self.here() {
                    *expr = Expr::Const(value);
                    return;
                }
            }
        }
        for operand in operands(expr) {
            if self.here() {
                *expr = operand;
                return;
            }
        }
        match expr {
            Expr::Const(_) | Expr::Name(_) => {}
            Expr::RemoteLabel { pid, .. } | Expr::RemoteVar { pid, .. } => self.expr(pid),
            Expr::Place(place) | Expr::OfChan(_, place) => self.place(place),
            Expr::Unary(_, inner) | Expr::OfPid(_, inner) => self.expr(inner),
            Expr::Binary(_, left, right) => {
                self.expr(left);
                self.expr(right);
            }
            Expr::Cond(test, left, right) => {
                self.expr(test);
                self.expr(left);
                self.expr(right);
            }
            Expr::Poll { chan, random, args } => {
                self.place(chan);
                self.flag(random);
                self.args(args);
            }
            Expr::Run { args, priority, .. } => {
                self.list(args);
                self.option(priority);
                args.iter_mut().for_each(|arg| self.expr(arg));
            }
        }
    }
}

/// Takes argument number `at` out of every `run` of the process type.
fn take_argument(body: &mut [Stmt], proc: &str, at: usize, given: &mut Vec<Expr>) {
    for stmt in body {
        if let Stmt::Condition(Expr::Run { proc: run, args, .. }) | Stmt::Assign(_, Expr::Run { proc: run, args, .. }) =
            stmt
            && run == proc
            && at < args.len()
        {
            given.push(args.remove(at));
        }
        stmt.bodies_mut().into_iter().for_each(|inner| take_argument(inner, proc, at, given));
    }
}

/// The sequences that a compound statement consists of, by number.
fn parts(stmt: &Stmt, part: usize) -> Option<Vec<Stmt>> {
    let bodies = stmt.bodies();
    let body = bodies.get(part)?;
    // Outside a choice there is no else.
    Some(body.iter().filter(|stmt| **stmt != Stmt::Else).cloned().collect())
}

fn operands(expr: &Expr) -> Vec<Expr> {
    match expr {
        Expr::Unary(_, inner) => vec![(**inner).clone()],
        Expr::Binary(_, left, right) => vec![(**left).clone(), (**right).clone()],
        Expr::Cond(_, left, right) => vec![(**left).clone(), (**right).clone()],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::generate::{Feature, generate};
    use super::super::print::print;
    use super::*;
    use clap::ValueEnum;

    #[test]
    fn what_does_not_matter_is_dropped() {
        let model = (0..)
            .map(|seed| generate(seed, Feature::value_variants()))
            .find(|model| model.inlines.is_empty() && print(model).contains("atomic"))
            .unwrap_or_default();
        let small = print(&shrink(&model, 100_000, |candidate| print(candidate).contains("atomic")));
        assert_eq!(small.trim_end(), "init {\n\tatomic {\n\t\t0\n\t}\n}");
    }

    #[test]
    fn a_parameter_goes_with_its_arguments() {
        let run = |value| {
            Stmt::Condition(Expr::Run { proc: "P".to_string(), args: vec![Expr::Const(value)], priority: None })
        };
        let param = Decl { ty: Type::Byte, name: "v".to_string(), size: None, init: None };
        let proc = Proc {
            name: "P".to_string(),
            active: 0,
            deterministic: false,
            params: vec![param],
            priority: None,
            provided: None,
            locals: Vec::new(),
            body: vec![Stmt::Assert(Expr::var("v"))],
        };
        let init = Some(vec![Stmt::Atomic(vec![run(3), run(4)])]);
        let model = Model { procs: vec![proc], init, ..Model::default() };
        let is_valid = |text: &str| text.matches("run P()").count() == 2 && text.contains("byte v = 3");
        let small = print(&shrink(&model, 1000, |candidate| {
            print(candidate).matches("(").count() >= 4
                && (print(candidate) == print(&model) || is_valid(&print(candidate)))
        }));
        assert!(is_valid(&small), "{small}");
    }

    #[test]
    fn tries_are_limited() {
        let model = generate(3, Feature::value_variants());
        let mut asked = 0;
        shrink(&model, 10, |_| {
            asked += 1;
            false
        });
        assert_eq!(asked, 10);
    }
}
