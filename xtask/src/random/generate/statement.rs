//! Random statements.

use super::{ChanName, FACTS, Feature, Generator, PARAMETER, Var};
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
    !matches!(stmt, Stmt::Label(..) | Stmt::Declare(_) | Stmt::DStep(_) | Stmt::Goto(_) | Stmt::Else | Stmt::Break)
}

fn is_loop(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Do(_) | Stmt::For { .. })
}

/// Puts the label on statement number `at` of those that `can` have it: not where an option, an escape or an atomic
/// sequence opens, and not inside a d_step, where SPIN refuses labels. True if there are so many.
fn place_label(body: &mut [Stmt], opens_nothing: bool, label: &str, at: &mut usize, can: fn(&Stmt) -> bool) -> bool {
    for (index, stmt) in body.iter_mut().enumerate() {
        let free = opens_nothing || index > 0;
        if free && can(stmt) {
            if *at == 0 {
                let plain = std::mem::replace(stmt, Stmt::Skip);
                *stmt = Stmt::Label(label.to_string(), Box::new(plain));
                return true;
            }
            *at -= 1;
        }
        let mut inside = |body: &mut [Stmt], free: bool| place_label(body, free, label, at, can);
        let placed = match stmt {
            Stmt::If(options) | Stmt::Do(options) => options.iter_mut().any(|option| inside(option, false)),
            Stmt::Atomic(body) => inside(body, false),
            Stmt::Block(body) => inside(body, free),
            Stmt::Unless(body, escape) => inside(body, free) || inside(escape, false),
            Stmt::For { body, .. } => inside(body, true),
            _ => false,
        };
        if placed {
            return true;
        }
    }
    false
}

/// Does nothing but take a step.
fn is_filler(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Skip | Stmt::True | Stmt::Printf(_) | Stmt::Printm(_))
}

impl Generator {
    /// The body of a process: its statements, with every one of its labels in place.
    pub(super) fn body(&mut self, length: usize, labels: &[String]) -> Vec<Stmt> {
        let depth = if self.rng.chance(25) { 3 } else { 2 };
        let here = Here { depth, d_step: false, in_loop: false, labels };
        let mut body = if self.rng.chance(45) { vec![self.repetition(here)] } else { self.sequence(length, here) };
        let mut unplaced: Vec<String> = labels.to_vec();
        if self.has(Feature::NestedLabel) {
            unplaced.retain(|label| {
                let (mut at, on_loops) = (self.rng.below(8), self.rng.chance(50));
                let mut at_loop = self.rng.below(2);
                let placed = on_loops && place_label(&mut body, true, label, &mut at_loop, is_loop);
                !placed && !place_label(&mut body, true, label, &mut at, can_be_labelled)
            });
        }
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
        let (scope, chans) = (self.scope.len(), self.chans.len());
        let mut body = Vec::new();
        for _ in 0..length {
            let stmt = self.statement(here);
            self.append(&mut body, stmt);
            if self.lucky(Feature::Assert, 20)
                && let Some(Stmt::Assign(place, _) | Stmt::Step(place, _)) = body.last()
            {
                body.push(Stmt::Assert(self.about(place.clone())));
            }
            if self.lucky(Feature::Printf, 20) {
                body.extend((0..self.rng.between(1, 3)).map(|_| self.filler()));
            }
        }
        self.scope.truncate(scope);
        self.chans.truncate(chans);
        body
    }

    fn append(&mut self, body: &mut Vec<Stmt>, stmt: Stmt) {
        let nested = |stmt: &Stmt| {
            matches!(stmt, Stmt::If(_) | Stmt::Do(_) | Stmt::Block(_) | Stmt::Unless(..) | Stmt::Atomic(_))
                || matches!(stmt, Stmt::Inline(..) | Stmt::For { .. } | Stmt::Select { .. })
        };
        // SPIN takes a break of what stands before a d_step for a jump into it.
        if matches!(stmt, Stmt::DStep(_)) && body.last().is_some_and(nested) {
            body.push(Stmt::Skip);
        }
        body.push(stmt);
    }

    /// A statement that does nothing, or prints.
    fn filler(&mut self) -> Stmt {
        match self.rng.below(5) {
            0 => Stmt::True,
            1 => Stmt::Skip,
            2 if self.has(Feature::Mtype) => Stmt::Printm(self.fitting(&Type::Mtype)),
            3 => Stmt::Printf(Vec::new()),
            _ => Stmt::Printf(vec![self.comparison()]),
        }
    }

    /// A comparison of this place with a small constant.
    fn about(&mut self, place: Place) -> Expr {
        let op = ["==", "!=", "<", "<=", ">="][self.rng.below(5)];
        Expr::binary(op, Expr::Place(place), Expr::Const(self.rng.below(4) as i64))
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
            weight(self.has(Feature::Block), 5 * nested),
            weight(self.has(Feature::Facts), 8),
            weight(self.has(Feature::Facts), 6),
        ];
        match self.rng.weighted(&weights) {
            0 => self.assignment(),
            1 => Stmt::Condition(self.condition()),
            2 => self.communication(),
            3 => Stmt::If(self.options(here)),
            4 => self.repetition(here),
            5 => self.atomic(here),
            6 => self.d_step(here),
            18 if self.rng.chance(25) => Stmt::Block(vec![self.repetition(here.deeper())]),
            18 => Stmt::Block(self.some(here.deeper())),
            19 => self.fact(here),
            20 => self.disturbance(),
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

    /// An atomic sequence, with luck one in which something may block in the middle.
    fn atomic(&mut self, here: Here) -> Stmt {
        let mut body = self.some(here.deeper());
        if self.rng.chance(30) {
            let inner = match self.rng.below(3) {
                0 if self.has(Feature::DStep) => self.d_step(here.deeper()),
                1 if self.has(Feature::Block) => Stmt::Block(vec![self.wait()]),
                _ => self.wait(),
            };
            self.append(&mut body, inner);
            body.push(self.assignment());
        }
        Stmt::Atomic(body)
    }

    /// Something that may block.
    pub(super) fn wait(&mut self) -> Stmt {
        match self.rng.below(4) {
            0 if self.has(Feature::Predefined) => self.some_deaths(),
            1 if !self.chans.is_empty() => self.communication(),
            _ => Stmt::Condition(self.condition()),
        }
    }

    fn some_deaths(&mut self) -> Stmt {
        let more = self.rng.between(1, 2) as u32;
        self.wait_for_deaths(more)
    }

    /// Waits until there are no more processes than at the start, and so many.
    pub(super) fn wait_for_deaths(&mut self, more: u32) -> Stmt {
        let count = self.active + more;
        let op = if self.rng.chance(70) { "==" } else { "<=" };
        Stmt::Condition(Expr::binary(op, Expr::Name("_nr_pr".to_string()), Expr::Const(i64::from(count))))
    }

    /// What a process does that is soon gone.
    pub(super) fn short_life(&mut self) -> Stmt {
        match self.rng.below(3) {
            0 => Stmt::Skip,
            1 if self.has(Feature::Assert) => Stmt::Assert(self.comparison()),
            _ => self.assignment(),
        }
    }

    /// A new value for a field of the structure that is passed.
    pub(super) fn parameter_assignment(&mut self) -> Stmt {
        let fields = self.model.typedefs.iter().filter(|typedef| typedef.name == PARAMETER);
        let fields: Vec<Decl> = fields.flat_map(|typedef| typedef.fields.clone()).collect();
        let is = |var: &&Var| var.ty == Type::Struct(PARAMETER.to_string());
        match (self.scope.iter().find(is).map(|var| var.name.clone()), self.rng.pick(&fields).cloned()) {
            (Some(name), Some(field)) if field.ty == Type::Chan => {
                Stmt::Send { chan: Place::var(&format!("{name}.c")), sorted: false, args: vec![Expr::Const(3)] }
            }
            (Some(name), Some(field)) => {
                Stmt::Assign(Place { name, index: None, field: Some((field.name, None)) }, self.fitting(&field.ty))
            }
            _ => Stmt::Skip,
        }
    }

    /// What a comparison says about `fx` becomes the value of `fz`, with something between that may block, so that another
    /// process may have changed `fx` by then; and then a claim about `fz` that is true if nobody did.
    fn fact(&mut self, here: Here) -> Stmt {
        let [x, y, z] = FACTS.map(Expr::var);
        let bound = self.rng.between(1, 6) as i64;
        let op = ["<", "<", "<=", "=="][self.rng.below(4)];
        let known = match self.rng.below(5) {
            0 => Expr::binary("&&", Expr::binary(op, x.clone(), Expr::Const(bound)), self.comparison()),
            1 if op == "<" => Expr::binary(">", Expr::Const(bound), x.clone()),
            _ => Expr::binary(op, x.clone(), Expr::Const(bound)),
        };
        let keep = || Stmt::Assign(Place::var(FACTS[2]), x.clone());
        let ready = || Stmt::Condition(Expr::binary("==", y.clone(), Expr::Const(1)));
        let mut body = vec![Stmt::Condition(known)];
        let rendezvous = self.rendezvous();
        let way = if self.rng.chance(85) { self.usual_fact } else { self.rng.below(10) };
        match way {
            0 | 1 if self.has(Feature::DStep) => body.push(Stmt::DStep(vec![ready(), keep()])),
            2 if self.has(Feature::DStep) => {
                let older = std::mem::take(&mut self.older); // remote references are not allowed inside
                let options = vec![vec![ready()], vec![Stmt::Condition(self.comparison())]];
                self.older = older;
                body.push(Stmt::DStep(vec![Stmt::If(options), keep()]));
            }
            3 => body.extend([Stmt::If(vec![vec![ready()], vec![self.wait()]]), keep()]),
            4 if self.has(Feature::Block) => body.extend([Stmt::Block(vec![ready()]), keep()]),
            5 => {
                let again = vec![Stmt::Condition(Expr::binary("<", x.clone(), Expr::Const(bound + 2)))];
                let again = again.into_iter().chain([Stmt::Step(Place::var(FACTS[0]), "++")]).collect();
                body.push(Stmt::Do(vec![again, vec![keep(), Stmt::Break]]));
            }
            6 => match self.rng.pick(&rendezvous).cloned() {
                Some(chan) => {
                    let place = self.chan_place(&chan);
                    body.extend([self.send(&chan, place), keep()]);
                }
                None => body.extend([self.wait(), keep()]),
            },
            7 if self.has(Feature::Unless) => {
                body.extend([Stmt::Unless(vec![ready(), keep()], vec![self.wait()]), keep()])
            }
            8 => body.push(keep()),
            _ => body.extend([self.wait(), keep()]),
        }
        let holds = Expr::binary("<=", z, Expr::Const(bound + if self.rng.chance(80) { 0 } else { 20 }));
        let held = if self.lucky(Feature::Atomic, 95) { Stmt::Atomic(body) } else { Stmt::Block(body) };
        let mut all = vec![held, Stmt::Assert(holds)];
        if here.in_loop && self.rng.chance(30) {
            all.push(Stmt::Break);
        }
        Stmt::Block(all)
    }

    /// A large value for what facts are about, or leave for those who wait.
    fn disturbance(&mut self) -> Stmt {
        match self.rng.below(5) {
            0 | 1 => Stmt::Assign(Place::var(FACTS[0]), Expr::Const(self.rng.between(3, 255) as i64)),
            2 => Stmt::Assign(Place::var(FACTS[0]), Expr::Const(self.rng.below(3) as i64)),
            _ => Stmt::Assign(Place::var(FACTS[1]), Expr::Const(i64::from(self.rng.chance(80)))),
        }
    }

    fn assignment(&mut self) -> Stmt {
        match self.place(true) {
            None => Stmt::Skip,
            // Types with few values may be counted up and down forever.
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
            weight(self.has(Feature::Printf), 2),
            weight(self.has(Feature::Block), 2 * nested),
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
            10 => self.filler(),
            11 => {
                let guard = self.guard(here.deeper());
                Stmt::Block(self.guarded(guard, here.deeper()))
            }
            _ => Stmt::Skip,
        }
    }

    fn option(&mut self, here: Here) -> Vec<Stmt> {
        let (scope, chans) = (self.scope.len(), self.chans.len());
        let mut option = Vec::new();
        if self.lucky(Feature::Declare, 12) {
            option.extend((0..self.rng.between(1, 2)).map(|_| self.declaration()));
        }
        let guard = self.guard(here.deeper());
        option.extend(self.guarded(guard, here.deeper()));
        if self.lucky(Feature::Printf, 20) {
            let at = self.rng.between(1, option.len());
            let fillers: Vec<Stmt> = (0..self.rng.between(1, 2)).map(|_| self.filler()).collect();
            option.splice(at..at, fillers);
        }
        if option.iter().all(is_filler) {
            option.push(self.assignment()); // SPIN refuses a loop that does nothing
        }
        self.scope.truncate(scope);
        self.chans.truncate(chans);
        option
    }

    fn options(&mut self, here: Here) -> Vec<Vec<Stmt>> {
        let count = self.rng.between(1, 3);
        let mut options: Vec<Vec<Stmt>> = (0..count).map(|_| self.option(here)).collect();
        if self.lucky(Feature::Else, 60) {
            let otherwise = self.otherwise(here);
            let at = if self.rng.chance(85) { options.len() } else { 0 };
            options.insert(at, otherwise);
        }
        options
    }

    /// An option that opens with else, which may stand in a d_step or an atomic sequence.
    fn otherwise(&mut self, here: Here) -> Vec<Stmt> {
        match self.rng.below(6) {
            0 if self.has(Feature::DStep) => {
                let older = std::mem::take(&mut self.older);
                let inside = Here { d_step: true, in_loop: false, ..here.deeper() };
                let inner = self.guarded(Stmt::Else, inside);
                self.older = older;
                vec![Stmt::DStep(self.closed(inner))]
            }
            1 if self.has(Feature::Atomic) => vec![Stmt::Atomic(self.guarded(Stmt::Else, here.deeper()))],
            2 if self.has(Feature::Block) => vec![Stmt::Block(self.guarded(Stmt::Else, here.deeper()))],
            _ => self.guarded(Stmt::Else, here.deeper()),
        }
    }

    /// The break of a loop must not leave the d_step.
    fn closed(&mut self, mut body: Vec<Stmt>) -> Vec<Stmt> {
        if matches!(body.last(), Some(Stmt::Block(_))) {
            body.push(Stmt::Skip);
        }
        body
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
        let guard = self.d_step_guard(inside);
        let length = self.rng.between(1, 3);
        let mut body = vec![guard];
        body.extend(self.sequence(length, inside));
        self.older = older;
        Stmt::DStep(self.closed(body))
    }

    /// What opens a d_step, and may block.
    fn d_step_guard(&mut self, inside: Here) -> Stmt {
        let usable = if self.rng.chance(50) { self.rendezvous() } else { self.buffered() };
        match (self.rng.below(10), self.rng.pick(&usable).cloned()) {
            (0..=3, Some(chan)) => {
                let place = self.chan_place(&chan);
                // A rendezvous that is offered in a d_step is an error, at which SPIN stops.
                let sends = self.rng.chance(if chan.capacity == Some(0) { 5 } else { 50 });
                match if sends { self.send(&chan, place) } else { self.receive(&chan, place) } {
                    // SPIN writes C that does not compile for a copying receive here.
                    Stmt::Receive { chan, random, args, .. } => Stmt::Receive { chan, random, keep: false, args },
                    send => send,
                }
            }
            (4, _) => {
                let count = self.rng.between(1, 2);
                let options = (0..count).map(|_| {
                    let guard = Stmt::Condition(self.condition());
                    self.guarded(guard, inside.deeper())
                });
                Stmt::If(options.collect())
            }
            // SPIN lets a d_step that prints first run in the middle of a rendezvous of others.
            (5, _) if self.has(Feature::Printf) && !self.has(Feature::Rendezvous) => self.filler(),
            (0..=7, _) => Stmt::Condition(self.condition()),
            _ => self.assignment(),
        }
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
        if self.lucky(Feature::StructParameter, 40) {
            return Stmt::Declare(self.parameter_variable("d"));
        }
        let ty = match self.scalar_type() {
            Type::Unsigned(_) => Type::Byte,
            ty => ty,
        };
        let older = std::mem::take(&mut self.older); // remote references are not allowed here
        let init = self.rng.chance(60).then(|| self.value(&ty));
        self.older = older;
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
        let mut create = vec![Stmt::Condition(room), Stmt::Step(spawned(), "++")];
        let mut part = vec![run];
        if self.lucky(Feature::Replaced, 50) {
            part.push(if self.rng.chance(50) { self.some_deaths() } else { self.wait() });
        }
        create.extend(if self.lucky(Feature::Block, 40) { vec![Stmt::Block(part)] } else { part });
        if self.lucky(Feature::Atomic, 50) {
            create = vec![Stmt::Atomic(create)];
        }
        create.extend(self.sequence(1, here.deeper()));
        Stmt::If(vec![create, vec![Stmt::Condition(Expr::binary("==", Expr::Place(spawned()), Expr::Const(2)))]])
    }
}
