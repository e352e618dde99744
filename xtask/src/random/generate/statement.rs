//! Random statements.

use super::{ChanName, Feature, Generator, Var};
use crate::random::tree::*;

/// Where a statement stands.
#[derive(Debug, Clone, Copy)]
struct Here<'a> {
    /// How deep it may still nest.
    depth: u32,
    /// Inside a d_step nothing may block, jump or create.
    d_step: bool,
    /// There is a loop to break out of.
    in_loop: bool,
    /// The labels of this process.
    labels: &'a [String],
}

impl Here<'_> {
    fn deeper(self) -> Self {
        Here { depth: self.depth.saturating_sub(1), ..self }
    }
}

/// SPIN takes a label on a d_step for one inside it, and one on a jump may close an endless circle.
fn can_be_labelled(stmt: &Stmt) -> bool {
    !matches!(stmt, Stmt::Label(..) | Stmt::Declare(_) | Stmt::DStep(_) | Stmt::Goto(_))
}

impl Generator {
    /// The body of a process: its statements, with every one of its labels in place.
    pub(super) fn body(&mut self, length: usize, labels: &[String]) -> Vec<Stmt> {
        let here = Here { depth: 2, d_step: false, in_loop: false, labels };
        let mut body = if self.rng.chance(45) { vec![self.repetition(here)] } else { self.sequence(length, here) };
        let mut unplaced: Vec<String> = labels.to_vec();
        if self.lucky(Feature::EndLabel, 60) {
            unplaced.push(self.name("end"));
        }
        for label in unplaced {
            let at = self.rng.below(body.len());
            match body.get_mut(at) {
                Some(stmt) if can_be_labelled(stmt) => {
                    let plain = std::mem::replace(stmt, Stmt::Skip);
                    *stmt = Stmt::Label(label, Box::new(plain));
                }
                _ => body.push(Stmt::Label(label, Box::new(Stmt::Skip))),
            }
        }
        if body.is_empty() {
            body.push(Stmt::Skip);
        }
        body
    }

    /// Statements without labels, for an inline.
    pub(super) fn plain_body(&mut self, length: usize) -> Vec<Stmt> {
        self.sequence(length, Here { depth: 1, d_step: false, in_loop: false, labels: &[] })
    }

    /// At least one statement, if `length` is not 0. What is declared inside is not visible behind it.
    fn sequence(&mut self, length: usize, here: Here) -> Vec<Stmt> {
        let scope = self.scope.len();
        let mut body = Vec::new();
        for _ in 0..length {
            let stmt = self.statement(here);
            let nested = |stmt: &Stmt| {
                matches!(stmt, Stmt::If(_) | Stmt::Do(_) | Stmt::Block(_) | Stmt::Unless(..) | Stmt::Atomic(_))
            };
            // SPIN takes a break of what stands before a d_step for a jump into it.
            if matches!(stmt, Stmt::DStep(_)) && body.last().is_some_and(nested) {
                body.push(Stmt::Skip);
            }
            body.push(stmt);
        }
        self.scope.truncate(scope);
        body
    }

    fn guarded(&mut self, guard: Stmt, here: Here) -> Vec<Stmt> {
        let length = self.rng.below(3);
        let mut body = vec![guard];
        body.extend(self.sequence(length, here));
        body
    }

    fn statement(&mut self, here: Here) -> Stmt {
        if here.d_step {
            return self.d_step_statement(here);
        }
        let nested = if here.depth > 0 { 1 } else { 0 };
        let weight = |on: bool, weight: usize| if on { weight } else { 0 };
        let weights = [
            28,
            4,
            weight(!self.chans.is_empty(), 14),
            8 * nested,
            8 * nested,
            weight(self.has(Feature::Atomic), 9 * nested),
            weight(self.has(Feature::DStep), 7 * nested),
            weight(self.has(Feature::Unless), 8 * nested),
            weight(self.has(Feature::For), 3 * nested),
            weight(self.has(Feature::Select), 3),
            weight(self.has(Feature::Declare), 4),
            weight(self.has(Feature::Goto) && !here.labels.is_empty(), 3),
            weight(self.has(Feature::Assert), 3),
            weight(self.has(Feature::Run), 4 * nested),
            weight(self.has(Feature::Printf), 1),
            weight(here.in_loop, 2),
            2,
            weight(!self.model.inlines.is_empty(), 6),
        ];
        match self.rng.weighted(&weights) {
            0 => self.assignment(),
            1 => Stmt::Condition(self.condition()),
            2 => self.communication(),
            3 => Stmt::If(self.options(here)),
            4 => self.repetition(here),
            5 => Stmt::Atomic(self.some(here.deeper())),
            6 => self.d_step(here),
            7 => {
                let body = self.some(here.deeper());
                let guard = self.guard(here.deeper());
                Stmt::Unless(body, self.guarded(guard, here.deeper()))
            }
            8 => self.for_loop(here),
            9 => self.select(),
            10 => self.declaration(),
            11 => self.jump(here),
            12 => Stmt::Assert(self.comparison()),
            13 => self.creation(here),
            14 => Stmt::Printf(vec![self.comparison()]),
            15 => Stmt::Break,
            17 => self.inline_use(),
            _ => Stmt::Skip,
        }
    }

    fn some(&mut self, here: Here) -> Vec<Stmt> {
        let length = self.rng.between(1, 3);
        self.sequence(length, here)
    }

    fn assignment(&mut self) -> Stmt {
        match self.place(true) {
            None => Stmt::Skip,
            // Types with few values may be counted up and down for ever.
            Some((place, Type::Bit | Type::Bool | Type::Unsigned(_))) if self.rng.chance(30) => {
                Stmt::Step(place, if self.rng.chance(50) { "++" } else { "--" })
            }
            Some((place, ty)) => Stmt::Assign(place, self.value(&ty)),
        }
    }

    fn inline_use(&mut self) -> Stmt {
        match (self.model.inlines.first().cloned(), self.place(true)) {
            (Some(inline), Some((place, ty)))
                if ty != Type::Mtype && place.index.is_none() && place.field.is_none() =>
            {
                Stmt::Inline(inline.name, place)
            }
            _ => Stmt::Skip,
        }
    }

    fn jump(&mut self, here: Here) -> Stmt {
        self.rng.pick(here.labels).map_or(Stmt::Skip, |label| Stmt::Goto(label.clone()))
    }

    fn communication(&mut self) -> Stmt {
        let Some(chan) = self.rng.pick(&self.chans).cloned() else {
            return Stmt::Skip;
        };
        if chan.fields == [Type::Chan] && !self.chans.iter().any(|chan| chan.name == "lc") {
            return Stmt::Skip;
        }
        if let [Type::Struct(_)] = chan.fields.as_slice() {
            return self.structured(&chan.name);
        }
        let place = self.chan_place(&chan);
        if chan.fields == [Type::Chan] {
            let passable = self.passable();
            return match self.rng.pick(&passable) {
                Some(name) if self.rng.chance(50) => {
                    Stmt::Send { chan: place, sorted: false, args: vec![Expr::var(name)] }
                }
                _ => {
                    let args = vec![Arg::Bind(Place::var("lc"))];
                    Stmt::Receive { chan: place, random: false, keep: false, args }
                }
            };
        }
        if self.rng.chance(50) { self.send(&chan, place) } else { self.receive(&chan, place) }
    }

    /// A structure is sent, received, or every one in the channel is looked at.
    fn structured(&mut self, chan: &str) -> Stmt {
        let (chan, whole) = (Place::var(chan), Place::var("sm"));
        match self.rng.below(5) {
            0 | 1 => Stmt::Send { chan, sorted: self.lucky(Feature::Sorted, 40), args: vec![Expr::Place(whole)] },
            2 if self.has(Feature::For) => {
                Stmt::For { var: whole, range: Range::Chan(chan), body: vec![self.assignment()] }
            }
            _ => {
                let keep = self.lucky(Feature::Copy, 25);
                Stmt::Receive { chan, random: false, keep, args: vec![Arg::Bind(whole)] }
            }
        }
    }

    fn send(&mut self, chan: &ChanName, place: Place) -> Stmt {
        let buffered = chan.capacity.is_some_and(|capacity| capacity > 0);
        let args = chan.fields.iter().map(|ty| self.sent(ty)).collect();
        Stmt::Send { chan: place, sorted: buffered && self.lucky(Feature::Sorted, 40), args }
    }

    fn receive(&mut self, chan: &ChanName, mut place: Place) -> Stmt {
        // When SPIN takes a receive back it looks for the channel with the new values of the variables.
        if let Some(index) = &mut place.index {
            **index = Expr::Const(self.rng.below(2) as i64);
        }
        let buffered = chan.capacity.is_some_and(|capacity| capacity > 0);
        let random = buffered && self.lucky(Feature::RandomReceive, 40);
        let keep = buffered && self.lucky(Feature::Copy, 25);
        Stmt::Receive { chan: place, random, keep, args: self.receive_args(chan) }
    }

    /// A statement that can open an option or an escape: never an `else`, and nothing that opens with one, because two
    /// of them at one state are refused.
    fn guard(&mut self, here: Here) -> Stmt {
        let nested = if here.depth > 0 { 1 } else { 0 };
        let weight = |on: bool, weight: usize| if on { weight } else { 0 };
        let weights = [
            12,
            weight(!self.chans.is_empty(), 10),
            4,
            weight(self.has(Feature::Timeout), 2),
            weight(self.has(Feature::Atomic), 3 * nested),
            weight(self.has(Feature::DStep), 2 * nested),
            2 * nested,
            weight(self.has(Feature::Goto) && !here.labels.is_empty(), 1),
            weight(here.in_loop, 1),
            1,
        ];
        match self.rng.weighted(&weights) {
            0 => Stmt::Condition(self.condition()),
            1 => self.communication(),
            2 => self.assignment(),
            3 if self.rng.chance(30) => {
                Stmt::Condition(Expr::binary("&&", Expr::Name("timeout".to_string()), self.comparison()))
            }
            3 => Stmt::Condition(Expr::Name("timeout".to_string())),
            4 => {
                let guard = self.guard(here.deeper());
                Stmt::Atomic(self.guarded(guard, here.deeper()))
            }
            5 => self.d_step(here),
            6 => {
                let count = self.rng.between(1, 2);
                Stmt::If((0..count).map(|_| self.option(here)).collect())
            }
            7 => self.jump(here),
            8 => Stmt::Break,
            _ => Stmt::Skip,
        }
    }

    fn option(&mut self, here: Here) -> Vec<Stmt> {
        let guard = self.guard(here.deeper());
        let mut option = self.guarded(guard, here.deeper());
        if option == [Stmt::Skip] {
            option.push(self.assignment()); // SPIN refuses a loop over skip alone
        }
        option
    }

    fn options(&mut self, here: Here) -> Vec<Vec<Stmt>> {
        let count = self.rng.between(1, 3);
        let mut options: Vec<Vec<Stmt>> = (0..count).map(|_| self.option(here)).collect();
        if self.lucky(Feature::Else, 60) {
            let otherwise = self.guarded(Stmt::Else, here.deeper());
            let at = if self.rng.chance(85) { options.len() } else { 0 };
            options.insert(at, otherwise);
        }
        options
    }

    fn repetition(&mut self, here: Here) -> Stmt {
        let inside = Here { in_loop: true, ..here };
        let mut options = self.options(inside);
        if self.rng.chance(70) {
            match options.iter_mut().find(|option| option.first() == Some(&Stmt::Else)) {
                Some(option) => option.push(Stmt::Break),
                None => options.push(vec![Stmt::Condition(self.comparison()), Stmt::Break]),
            }
        }
        Stmt::Do(options)
    }

    /// A d_step may wait at its first statement only.
    fn d_step(&mut self, here: Here) -> Stmt {
        let inside = Here { d_step: true, in_loop: false, ..here.deeper() };
        let older = std::mem::take(&mut self.older); // remote references are not allowed inside
        let buffered = self.buffered();
        let guard = match self.rng.pick(&buffered).cloned() {
            Some(chan) if self.rng.chance(35) => {
                let place = self.chan_place(&chan);
                match if self.rng.chance(50) { self.send(&chan, place) } else { self.receive(&chan, place) } {
                    // SPIN writes C that does not compile for a copying receive here.
                    Stmt::Receive { chan, random, args, .. } => Stmt::Receive { chan, random, keep: false, args },
                    send => send,
                }
            }
            _ if self.rng.chance(50) => Stmt::Condition(self.condition()),
            _ => self.assignment(),
        };
        let length = self.rng.between(1, 3);
        let mut body = vec![guard];
        body.extend(self.sequence(length, inside));
        if matches!(body.last(), Some(Stmt::Block(_))) {
            body.push(Stmt::Skip); // the break of a loop must not leave the d_step
        }
        self.older = older;
        Stmt::DStep(body)
    }

    fn d_step_statement(&mut self, here: Here) -> Stmt {
        let buffered = self.buffered();
        match self.rng.below(if here.depth > 0 { 10 } else { 5 }) {
            5 => {
                // The first option that can be taken is taken.
                let mut options: Vec<Vec<Stmt>> = Vec::new();
                for _ in 0..self.rng.between(1, 2) {
                    let guard = Stmt::Condition(self.condition());
                    options.push(self.guarded(guard, here.deeper()));
                }
                options.push(self.guarded(Stmt::Else, here.deeper()));
                Stmt::If(options)
            }
            6 => match self.rng.pick(&buffered).cloned() {
                Some(chan) => {
                    let place = self.chan_place(&chan);
                    let act = if self.rng.chance(50) { self.send(&chan, place) } else { self.receive(&chan, place) };
                    Stmt::If(vec![vec![act], vec![Stmt::Else]])
                }
                None => self.assignment(),
            },
            7 => self.counted_loop(here),
            8 if self.has(Feature::For) => self.for_loop(here),
            9 if self.has(Feature::Assert) => Stmt::Assert(self.comparison()),
            4 if here.in_loop => {
                Stmt::If(vec![vec![Stmt::Condition(self.comparison()), Stmt::Break], vec![Stmt::Else]])
            }
            _ => self.assignment(),
        }
    }

    /// A loop that certainly ends: its counter is its own.
    fn counted_loop(&mut self, here: Here) -> Stmt {
        let counter = self.name("k");
        let body = self.with_counter(&counter, Here { in_loop: true, ..here.deeper() });
        let guard = Stmt::Condition(Expr::binary("<", Expr::var(&counter), Expr::Const(2)));
        let mut option = vec![guard, Stmt::Step(Place::var(&counter), "++")];
        option.extend(body);
        let decl = Decl { ty: Type::Byte, name: counter, size: None, init: None };
        Stmt::Block(vec![Stmt::Declare(decl), Stmt::Do(vec![option, vec![Stmt::Else, Stmt::Break]])])
    }

    fn with_counter(&mut self, counter: &str, here: Here) -> Vec<Stmt> {
        self.scope.push(Var { name: counter.to_string(), ty: Type::Byte, size: None, writable: false });
        let body = self.some(here);
        self.scope.pop();
        body
    }

    fn for_loop(&mut self, here: Here) -> Stmt {
        let counter = self.name("i");
        let inside = Here { in_loop: true, ..here.deeper() };
        let arrays: Vec<String> = {
            let is = |var: &&Var| var.size.is_some() && !matches!(var.ty, Type::Struct(_));
            self.scope.iter().filter(is).map(|var| var.name.clone()).collect()
        };
        let range = match self.rng.pick(&arrays).cloned() {
            Some(array) if self.rng.chance(50) => Range::Array(array),
            _ => {
                let low = self.rng.below(2) as i64;
                Range::Between(Expr::Const(low), Expr::Const(low + self.rng.below(3) as i64))
            }
        };
        let body = self.with_counter(&counter, inside);
        let decl = Decl { ty: Type::Byte, name: counter.clone(), size: None, init: None };
        Stmt::Block(vec![Stmt::Declare(decl), Stmt::For { var: Place::var(&counter), range, body }])
    }

    fn select(&mut self) -> Stmt {
        let plain = self.place(true).filter(|(place, ty)| {
            place.index.is_none() && place.field.is_none() && matches!(ty, Type::Byte | Type::Short | Type::Int)
        });
        match plain {
            Some((var, _)) => {
                let low = self.rng.below(2) as i64;
                let high = Expr::Const(low + self.rng.between(1, 3) as i64);
                Stmt::Select { var, low: Expr::Const(low), high }
            }
            None => self.assignment(),
        }
    }

    fn declaration(&mut self) -> Stmt {
        let ty = match self.scalar_type() {
            Type::Unsigned(_) => Type::Byte,
            ty => ty,
        };
        let init = self.rng.chance(60).then(|| self.value(&ty));
        let decl = Decl { ty, name: self.name("d"), size: None, init };
        self.bring_in(&decl);
        Stmt::Declare(decl)
    }

    /// Creates a process, twice at most in a whole run.
    fn creation(&mut self, here: Here) -> Stmt {
        let known: Vec<String> = self.model.procs.iter().map(|proc| proc.name.clone()).collect();
        let Some(proc) = self.rng.pick(&known).cloned() else {
            return Stmt::Skip;
        };
        let run = self.run(&proc);
        let run = match self.place(true) {
            Some((place, Type::Byte | Type::Pid)) if self.rng.chance(40) => Stmt::Assign(place, run),
            _ => Stmt::Condition(run),
        };
        let spawned = || Place::var("spawned");
        let room = Expr::binary("<", Expr::Place(spawned()), Expr::Const(2));
        let mut create = vec![Stmt::Condition(room), Stmt::Step(spawned(), "++"), run];
        if self.lucky(Feature::Atomic, 50) {
            create = vec![Stmt::Atomic(create)];
        }
        create.extend(self.sequence(1, here.deeper()));
        Stmt::If(vec![create, vec![Stmt::Condition(Expr::binary("==", Expr::Place(spawned()), Expr::Const(2)))]])
    }
}
