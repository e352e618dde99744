//! Processes that create others: one after the other, in loops, in choices, behind jumps, and under an escape.

use super::{CREATOR, CREATOR_LABEL, CREATOR_LOCAL, Child, Creation, INIT, Scope, local};
use crate::random::generate::Feature;
use crate::random::tree::*;

/// A creator that is being made.
struct Creator {
    /// Its process type; none for init.
    name: Option<&'static str>,
    /// How many there are of it.
    instances: u32,
    locals: Vec<Decl>,
    scope: Scope,
}

impl Creator {
    /// Declares a byte, once.
    fn byte(&mut self, name: &str) -> String {
        if !self.locals.iter().any(|decl| decl.name == name) {
            self.locals.push(local(Type::Byte, name, None));
        }
        name.to_string()
    }

    /// What can be used inside a loop with this counter.
    fn inside(&self, counter: &str, high: u32) -> Scope {
        Scope { counter: Some((counter.to_string(), high)), ..self.scope.clone() }
    }
}

impl Creation {
    pub(super) fn init(&mut self) -> Vec<Stmt> {
        let scope = Scope { me: INIT.to_string(), ..Scope::default() };
        let mut creator = Creator { name: None, instances: 1, locals: Vec::new(), scope };
        let body = self.creator_body(&mut creator);
        creator.locals.into_iter().map(Stmt::Declare).chain(body).collect()
    }

    pub(super) fn creator(&mut self, instances: u32) -> Proc {
        let scope = Scope { me: CREATOR.to_string(), ..Scope::default() };
        let mut creator = Creator { name: Some(CREATOR), instances, locals: Vec::new(), scope };
        creator.scope.local = Some(creator.byte(CREATOR_LOCAL));
        let mut body = self.creator_body(&mut creator);
        // Others may ask whether it is here.
        body.push(Stmt::Label(CREATOR_LABEL.to_string(), Box::new(Stmt::Skip)));
        let Creator { locals, .. } = creator;
        self.proc(CREATOR, Vec::new(), locals, body)
    }

    fn creator_body(&mut self, creator: &mut Creator) -> Vec<Stmt> {
        if self.lucky(Feature::LocalChannel, 50) {
            let chan = self.own_chan(&mut creator.scope);
            creator.locals.push(chan);
        }
        let mut body = Vec::new();
        for _ in 0..self.base.rng.between(1, 3) {
            let mut batch = self.batch(creator);
            if batch.is_empty() {
                break;
            }
            if self.lucky(Feature::Atomic, 40) {
                batch = vec![Stmt::Atomic(batch)];
            }
            if self.chance(30) {
                batch.push(self.between(&creator.scope));
            }
            body.extend(batch);
        }
        if self.has(Feature::Predefined) && self.chance(10) {
            body.extend(self.kept_alive(creator));
        }
        if body.is_empty() || self.chance(30) {
            body.push(self.act(&creator.scope));
        }
        body
    }

    /// A child that may still be created so many times by this creator.
    fn choose(&mut self, creator: &Creator, times: u32) -> Option<Child> {
        let room = self.room;
        let is = |child: &&Child| {
            child.only_by.as_deref().is_none_or(|by| Some(by) == creator.name)
                && child.cost * times * creator.instances <= room
        };
        let possible: Vec<Child> = self.children.iter().filter(is).cloned().collect();
        let child = self.base.rng.pick(&possible).cloned()?;
        self.room -= child.cost * times * creator.instances;
        Some(child)
    }

    /// Something between two creations, which may block.
    fn between(&mut self, scope: &Scope) -> Stmt {
        match self.below(6) {
            0 | 1 if self.has(Feature::Predefined) => self.deaths(),
            0..=3 => self.wait(scope),
            _ => self.act(scope),
        }
    }

    fn batch(&mut self, creator: &mut Creator) -> Vec<Stmt> {
        match self.below(12) {
            0..=2 if self.has(Feature::For) => self.for_loop(creator),
            3 | 4 => self.counting_loop(creator),
            5 if self.has(Feature::Goto) => self.jumping_loop(creator),
            6 if self.has(Feature::Goto) => self.jump_over(creator),
            7 => self.choice(creator),
            8 if self.has(Feature::Unless) => {
                let body = self.sequence(creator);
                if body.is_empty() {
                    return body;
                }
                let mut escape = vec![self.wait(&creator.scope)];
                if self.chance(50) {
                    escape.extend(self.one(creator));
                }
                vec![Stmt::Unless(body, escape)]
            }
            9 if self.has(Feature::Select) => self.selected(creator),
            _ => self.sequence(creator),
        }
    }

    /// One after the other.
    fn sequence(&mut self, creator: &mut Creator) -> Vec<Stmt> {
        let mut body = Vec::new();
        for _ in 0..self.base.rng.between(1, 3) {
            if !body.is_empty() && self.chance(45) {
                body.push(self.between(&creator.scope));
            }
            body.extend(self.one(creator));
        }
        body
    }

    /// One creation, if there is room, with luck one whose value is used.
    fn one(&mut self, creator: &mut Creator) -> Vec<Stmt> {
        let Some(child) = self.choose(creator, 1) else {
            return Vec::new();
        };
        let run = self.run(&child, &creator.scope);
        match self.below(10) {
            0 => vec![Stmt::Assign(Place::var("who"), run)],
            1 => {
                let pid = creator.byte("p");
                let mut body = vec![Stmt::Assign(Place::var(&pid), run)];
                if self.lucky(Feature::Assert, 50) {
                    let first = Expr::Const(i64::from(self.base.active) + self.below(2) as i64);
                    body.push(Stmt::Assert(Expr::binary("==", Expr::var(&pid), first)));
                }
                body
            }
            // Nobody else moves before it is looked at.
            2 | 3 if self.can_look(&child, creator) => {
                let pid = creator.byte("p");
                let var = self.base.rng.pick(&child.vars).cloned().unwrap_or_default();
                let remote = Expr::RemoteVar { proc: child.name, pid: Box::new(Expr::var(&pid)), var };
                let look = Stmt::Assign(Place::var("g"), Expr::binary("&", remote, Expr::Const(3)));
                vec![Stmt::Atomic(vec![Stmt::Assign(Place::var(&pid), run), look])]
            }
            _ => vec![Stmt::Condition(run)],
        }
    }

    fn can_look(&self, child: &Child, creator: &Creator) -> bool {
        let features = self.has(Feature::Remote) && self.has(Feature::Atomic);
        features && !child.vars.is_empty() && self.is_above(&child.name, &creator.scope)
    }

    /// The body of a loop that creates `times` of a child, and perhaps does something between.
    fn repeated(&mut self, creator: &mut Creator, times: u32, inside: &Scope) -> Option<Vec<Stmt>> {
        let child = self.choose(creator, times)?;
        let run = self.run(&child, inside);
        let mut body = match self.below(6) {
            0 => vec![Stmt::Assign(Place::var("who"), run)],
            // One or the other, by what the counter is.
            1 => {
                let other = self.run(&child, inside);
                let about = inside.counter.as_ref().map_or("g", |(counter, _)| counter);
                let is = |op| Stmt::Condition(Expr::binary(op, Expr::var(about), Expr::Const(0)));
                vec![Stmt::If(vec![vec![is("=="), Stmt::Condition(run)], vec![is("!="), Stmt::Condition(other)]])]
            }
            _ => vec![Stmt::Condition(run)],
        };
        if self.chance(30) {
            let at = self.below(2) * body.len();
            let between = self.between(inside);
            body.insert(at, between);
        }
        Some(if self.lucky(Feature::Atomic, 20) { vec![Stmt::Atomic(body)] } else { body })
    }

    fn for_loop(&mut self, creator: &mut Creator) -> Vec<Stmt> {
        let low = self.below(2) as u32;
        let (high, end) = match self.below(4) {
            0 => (2, Expr::var("bound")),
            _ => {
                let high = low + self.base.rng.between(1, 2) as u32;
                (high, Expr::Const(i64::from(high)))
            }
        };
        let counter = creator.byte("k");
        let inside = creator.inside(&counter, high);
        let Some(body) = self.repeated(creator, high + 1 - low, &inside) else {
            return self.sequence(creator);
        };
        let range = Range::Between(Expr::Const(i64::from(low)), end);
        vec![Stmt::For { var: Place::var(&counter), range, body }]
    }

    /// How a counter begins, when it goes on, its step, and how often at most. A global counter may be set back once.
    fn counting(&mut self, creator: &mut Creator) -> Counting {
        let global = self.chance(35);
        let counter = if global { "n".to_string() } else { creator.byte("k") };
        let twice = if global && self.counter_is_disturbed { 2 } else { 1 };
        let high = self.base.rng.between(2, 3) as u32;
        let (start, op, end, step) = match self.below(5) {
            0 if !global => (high, ">", Expr::Const(0), "--"),
            1 => (0, "<=", Expr::var("bound"), "++"),
            _ => (0, "<", Expr::Const(i64::from(high)), "++"),
        };
        let times = if op == "<=" { 3 } else { high };
        Counting { counter, start, op, end, step, times: times * twice, high: 3 }
    }

    fn counting_loop(&mut self, creator: &mut Creator) -> Vec<Stmt> {
        let counting = self.counting(creator);
        let Some(option) = self.counted_option(creator, &counting) else {
            return self.sequence(creator);
        };
        let mut body = self.begin(&counting);
        body.push(Stmt::Do(vec![option, vec![self.otherwise(&counting), Stmt::Break]]));
        body
    }

    /// The same loop, as a jump back.
    fn jumping_loop(&mut self, creator: &mut Creator) -> Vec<Stmt> {
        let counting = self.counting(creator);
        let Some(mut option) = self.counted_option(creator, &counting) else {
            return self.sequence(creator);
        };
        let again = self.base.name("again");
        option.push(Stmt::Goto(again.clone()));
        let choice = Stmt::If(vec![option, vec![self.otherwise(&counting)]]);
        // A label does not open an atomic sequence.
        let start = Stmt::Assign(Place::var(&counting.counter), Expr::Const(i64::from(counting.start)));
        vec![start, Stmt::Label(again, Box::new(choice))]
    }

    fn counted_option(&mut self, creator: &mut Creator, counting: &Counting) -> Option<Vec<Stmt>> {
        let inside = creator.inside(&counting.counter, counting.high);
        let body = self.repeated(creator, counting.times, &inside)?;
        let mut option = vec![Stmt::Condition(counting.goes_on())];
        let step = Stmt::Step(Place::var(&counting.counter), counting.step);
        if self.chance(70) {
            option.extend(body);
            option.push(step);
        } else {
            option.push(step);
            option.extend(body);
        }
        Some(option)
    }

    /// Sets the counter, where it is not 0 anyhow.
    fn begin(&mut self, counting: &Counting) -> Vec<Stmt> {
        let must = counting.start > 0 || counting.counter != "n";
        let start = Stmt::Assign(Place::var(&counting.counter), Expr::Const(i64::from(counting.start)));
        if must { vec![start] } else { Vec::new() }
    }

    fn otherwise(&mut self, counting: &Counting) -> Stmt {
        match self.has(Feature::Else) {
            true => Stmt::Else,
            false => Stmt::Condition(Expr::Unary("!", Box::new(counting.goes_on()))),
        }
    }

    /// One of several creations, some behind a guard.
    fn choice(&mut self, creator: &mut Creator) -> Vec<Stmt> {
        let mut options = Vec::new();
        for _ in 0..self.base.rng.between(2, 3) {
            let mut option = self.one(creator);
            if option.is_empty() {
                continue;
            }
            if self.chance(50) {
                let guard = Stmt::Condition(self.condition(&creator.scope));
                option.insert(0, guard);
            }
            options.push(option);
        }
        if self.chance(40) {
            options.push(vec![self.wait(&creator.scope)]);
        }
        if options.is_empty() { Vec::new() } else { vec![Stmt::If(options)] }
    }

    /// A jump past some creations.
    fn jump_over(&mut self, creator: &mut Creator) -> Vec<Stmt> {
        let skipped = self.sequence(creator);
        if skipped.is_empty() {
            return skipped;
        }
        let (far, condition) = (self.base.name("far"), self.condition(&creator.scope));
        let stay = match self.has(Feature::Else) {
            true => Stmt::Else,
            false => Stmt::Condition(Expr::Unary("!", Box::new(condition.clone()))),
        };
        let mut body = vec![Stmt::If(vec![vec![Stmt::Condition(condition), Stmt::Goto(far.clone())], vec![stay]])];
        body.extend(skipped);
        body.push(Stmt::Label(far, Box::new(Stmt::Skip)));
        body
    }

    /// An argument that is chosen.
    fn selected(&mut self, creator: &mut Creator) -> Vec<Stmt> {
        let counter = creator.byte("k");
        let high = self.base.rng.between(1, 2) as u32;
        let inside = creator.inside(&counter, high);
        let Some(body) = self.repeated(creator, 1, &inside) else {
            return Vec::new();
        };
        let select =
            Stmt::Select { var: Place::var(&counter), low: Expr::Const(0), high: Expr::Const(i64::from(high)) };
        [select].into_iter().chain(body).collect()
    }

    /// A loop without end that creates a process whenever there are few.
    fn kept_alive(&mut self, creator: &mut Creator) -> Vec<Stmt> {
        let limit = Expr::Const(i64::from(self.base.active) + self.base.rng.between(1, 2) as i64);
        let few = Expr::binary("<", Expr::Name("_nr_pr".to_string()), limit);
        let simple: Vec<Child> = {
            let is =
                |child: &&Child| child.cost == 1 && child.only_by.as_deref().is_none_or(|by| Some(by) == creator.name);
            self.children.iter().filter(is).cloned().collect()
        };
        let mut options = Vec::new();
        for _ in 0..self.base.rng.between(1, 2) {
            let Some(child) = self.base.rng.pick(&simple).cloned() else {
                return Vec::new();
            };
            let run = Stmt::Condition(self.run(&child, &creator.scope));
            let option = vec![Stmt::Condition(few.clone()), run];
            options.push(if self.lucky(Feature::Atomic, 70) { vec![Stmt::Atomic(option)] } else { option });
        }
        let repeated = Stmt::Do(options);
        let is_end = self.lucky(Feature::EndLabel, 80);
        vec![if is_end { Stmt::Label("end".to_string(), Box::new(repeated)) } else { repeated }]
    }
}

/// A loop that counts.
struct Counting {
    counter: String,
    start: u32,
    /// It goes on while `counter op end`.
    op: &'static str,
    end: Expr,
    step: &'static str,
    /// How often it goes round at most, and the largest value of the counter.
    times: u32,
    high: u32,
}

impl Counting {
    fn goes_on(&self) -> Expr {
        Expr::binary(self.op, Expr::var(&self.counter), self.end.clone())
    }
}
