//! Random models that are valid by construction and small enough to be searched.
//!
//! Each model uses a random part of the language (Groce and others, "Swarm Testing", ISSTA 2012): what is left out
//! makes room for what is in. What is undefined in SPIN, or wrong in it, is never generated: indices are masked, divisors
//! are constants, loops inside d_step count, a process looks only at older processes (they cannot have been removed), and
//! arrays are not declared behind a statement.

mod creation;
mod expression;
mod statement;

use super::rng::Rng;
use super::tree::*;
use creation::Creation;

/// A part of the language that a model may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
#[allow(missing_docs)]
pub enum Feature {
    Rendezvous,
    Buffered,
    Sorted,
    RandomReceive,
    Copy,
    Poll,
    ChannelArray,
    ChannelParameter,
    ChannelMessage,
    LocalChannel,
    Atomic,
    DStep,
    Unless,
    Run,
    Priority,
    Provided,
    Typedef,
    Array,
    Goto,
    Remote,
    Timeout,
    Else,
    Assert,
    For,
    Select,
    Declare,
    Mtype,
    EndLabel,
    Predefined,
    Last,
    Enabled,
    WideValues,
    Printf,
    Inline,
    Deterministic,
    StructMessage,
    /// Parameters that are structures, whose fields have initial values and may be channels.
    StructParameter,
    /// Braces that are only that.
    Block,
    /// Comparisons of globals in front of what depends on them, with something that may block between.
    Facts,
    /// Labels anywhere, and jumps to them.
    NestedLabel,
    /// Processes that die and are replaced.
    Replaced,
    /// `->` and `-->` behind guards.
    Arrow,
    /// Whole models about which processes there are.
    Creation,
    /// What SPIN leaves undefined: for the plain semantics only.
    SpinUndefined,
}

/// Makes the model that `seed` stands for, with no other features than `allowed`.
pub fn generate(seed: u64, allowed: &[Feature]) -> Model {
    let mut rng = Rng::new(seed);
    let density = rng.between(35, 75);
    let usual_fact = rng.below(10);
    let mut on: Vec<Feature> = allowed
        .iter()
        .copied()
        .filter(|feature| !matches!(feature, Feature::Creation | Feature::SpinUndefined))
        .filter(|feature| {
            let rare = matches!(
                feature,
                Feature::Priority | Feature::Last | Feature::Enabled | Feature::Provided | Feature::Deterministic
            );
            rng.chance(if rare { 12 } else { density })
        })
        .collect();
    // SPIN refuses these combinations.
    if on.contains(&Feature::Priority) || on.contains(&Feature::Enabled) {
        on.retain(|feature| *feature != Feature::Rendezvous);
    }
    // SPIN asks about a process that stands at an else, or is of a D_proctype, with what it noted about another one.
    if on.contains(&Feature::Enabled) {
        on.retain(|feature| !matches!(feature, Feature::Else | Feature::Deterministic));
    }
    let generator = Generator {
        rng,
        on,
        model: Model::default(),
        scope: Vec::new(),
        chans: Vec::new(),
        older: Vec::new(),
        active: 0,
        usual_fact,
        fresh: 0,
    };
    // A choice of its own: the other models do not depend on it.
    let about_creation = Rng::new(seed ^ 0x7275_6e00).chance(40);
    if about_creation && allowed.contains(&Feature::Creation) && allowed.contains(&Feature::Run) {
        Creation::model(generator, allowed)
    } else {
        generator.model()
    }
}

/// What is compared, what is waited for, and what depends on the comparison.
const FACTS: [&str; 3] = ["fx", "fy", "fz"];

/// SPIN has no arrays of unsigned, and keeps more than a bit in an element of a bit array, which psw does not.
fn can_be_array(ty: &Type) -> bool {
    !matches!(ty, Type::Unsigned(_) | Type::Bit | Type::Bool)
}

/// A variable that may be used here.
#[derive(Debug, Clone)]
struct Var {
    name: String,
    ty: Type,
    size: Option<u32>,
    /// Counters of loops are read only.
    writable: bool,
}

/// A channel that may be used here, under this name.
#[derive(Debug, Clone)]
struct ChanName {
    name: String,
    size: Option<u32>,
    /// `None` if it depends on the run which channel this is.
    capacity: Option<u32>,
    fields: Vec<Type>,
}

/// A process that is older than those generated after it.
#[derive(Debug, Clone)]
struct Older {
    proc: String,
    pid: u32,
    labels: Vec<String>,
    vars: Vec<String>,
}

struct Generator {
    rng: Rng,
    on: Vec<Feature>,
    model: Model,
    scope: Vec<Var>,
    chans: Vec<ChanName>,
    older: Vec<Older>,
    /// How many processes there are from the start, not counting init.
    active: u32,
    /// How facts are used in this model as a rule: a second way could hide what the first one shows.
    usual_fact: usize,
    fresh: u32,
}

/// The structure that is sent in messages and may have arrays, and the one that is a parameter and may have a channel.
const RECORD: &str = "rec";
const PARAMETER: &str = "par";

impl Generator {
    fn has(&self, feature: Feature) -> bool {
        self.on.contains(&feature)
    }

    /// Has the feature, and luck.
    fn lucky(&mut self, feature: Feature, percent: usize) -> bool {
        self.has(feature) && self.rng.chance(percent)
    }

    fn name(&mut self, prefix: &str) -> String {
        self.fresh += 1;
        format!("{prefix}{}", self.fresh)
    }

    fn model(mut self) -> Model {
        if self.has(Feature::Mtype) {
            self.model.mtypes = ["ma", "mb", "mc"].map(str::to_string).to_vec();
        }
        if self.has(Feature::Arrow) {
            self.model.arrow = Some(if self.rng.chance(95) { "->" } else { "-->" });
        }
        if self.has(Feature::Typedef) {
            self.typedef();
        }
        for _ in 0..self.rng.between(1, 3) {
            let decl = self.variable("g");
            self.bring_in(&decl);
            self.model.globals.push(decl);
        }
        if self.has(Feature::Facts) {
            self.facts();
        }
        if self.has(Feature::Provided) {
            let decl = Decl { ty: Type::Byte, name: "w".to_string(), size: Some(2), init: None };
            self.bring_in(&decl);
            self.model.globals.push(decl);
        }
        if self.has(Feature::StructParameter) {
            self.parameter_typedef();
        }
        self.channels();
        if self.has(Feature::Run) {
            let spawned = Decl { ty: Type::Byte, name: "spawned".to_string(), size: None, init: None };
            self.model.globals.push(spawned);
        }
        if self.has(Feature::Inline) {
            self.inline();
        }
        let types = self.rng.between(2, 3);
        let mut pid = 0;
        for index in 0..types {
            let only_run = self.has(Feature::Run) && index > 0 && self.rng.chance(50);
            let active = if only_run { 0 } else { 1 + u32::from(self.rng.chance(25)) };
            let proc = self.process(index, active, pid);
            pid += active;
            self.active = pid;
            self.model.procs.push(proc);
        }
        if self.lucky(Feature::Facts, 60) {
            let proc = self.disturber();
            self.model.procs.push(proc);
            self.active += 1;
        }
        if self.model.procs.iter().any(|proc| proc.active == 0) {
            self.model.init = Some(self.init_body());
        }
        self.model
    }

    fn typedef(&mut self) {
        let mut fields = Vec::new();
        for index in 0..self.rng.between(1, 3) {
            let ty = self.scalar_type();
            let size = (can_be_array(&ty) && self.rng.chance(30)).then_some(2);
            let init = (size.is_none() && self.rng.chance(25)).then(|| self.fitting(&ty));
            fields.push(Decl { ty, name: format!("f{index}"), size, init });
        }
        self.model.typedefs.push(Typedef { name: RECORD.to_string(), fields });
    }

    /// A structure for parameters, and a global variable of it. SPIN takes no arrays there.
    fn parameter_typedef(&mut self) {
        let mut fields = Vec::new();
        for index in 0..self.rng.between(1, 2) {
            let ty = self.field_type();
            let init = self.rng.chance(60).then(|| self.fitting(&ty));
            fields.push(Decl { ty, name: format!("n{index}"), size: None, init });
        }
        if self.lucky(Feature::Buffered, 50) {
            let capacity = self.rng.between(1, 2) as u32;
            let chan = Chan { name: "c".to_string(), size: None, capacity, fields: vec![Type::Byte] };
            let init = Some(Expr::Name(chan.initialiser()));
            fields.push(Decl { ty: Type::Chan, name: chan.name, size: None, init });
        }
        self.model.typedefs.push(Typedef { name: PARAMETER.to_string(), fields });
        let decl = self.parameter_variable("gt");
        self.model.globals.push(decl);
    }

    /// A variable of the structure for parameters; its channel comes into scope too.
    fn parameter_variable(&mut self, prefix: &str) -> Decl {
        let decl = Decl { ty: Type::Struct(PARAMETER.to_string()), name: self.name(prefix), size: None, init: None };
        self.bring_in(&decl);
        let capacity = None; // a parameter's channel is whichever was passed
        if self.model.typedefs.iter().any(|typedef| typedef.fields.iter().any(|field| field.ty == Type::Chan)) {
            let name = format!("{}.c", decl.name);
            self.chans.push(ChanName { name, size: None, capacity, fields: vec![Type::Byte] });
        }
        decl
    }

    /// Globals that only comparisons, and what depends on them, are about: `fx` is compared and disturbed, `fy` is waited
    /// for, and what is known about `fx` becomes the value of `fz`.
    fn facts(&mut self) {
        for name in FACTS {
            let ty = [Type::Byte, Type::Byte, Type::Short, Type::Int][self.rng.below(4)].clone();
            let decl = Decl { ty, name: name.to_string(), size: None, init: None };
            self.bring_in(&decl);
            if let Some(var) = self.scope.last_mut() {
                var.writable = false;
            }
            self.model.globals.push(decl);
        }
    }

    /// An inline whose parameter is a variable that is written.
    fn inline(&mut self) {
        let (scope, chans) = (self.scope.len(), self.chans.len());
        self.scope.push(Var { name: "v".to_string(), ty: Type::Byte, size: None, writable: true });
        let length = self.rng.between(1, 2);
        let body = self.plain_body(length);
        self.scope.truncate(scope);
        self.chans.truncate(chans);
        self.model.inlines.push(Inline { name: "f".to_string(), param: "v".to_string(), body });
    }

    /// A process that changes what facts are about, and then lets those go on who wait.
    fn disturber(&mut self) -> Proc {
        let mut body = vec![
            Stmt::Assign(Place::var(FACTS[0]), Expr::Const(self.rng.between(3, 255) as i64)),
            Stmt::Assign(Place::var(FACTS[1]), Expr::Const(1)),
        ];
        if self.rng.chance(20) {
            body.reverse();
        }
        if self.lucky(Feature::Atomic, 20) {
            body = vec![Stmt::Atomic(body)];
        }
        Proc {
            name: "D".to_string(),
            active: 1,
            deterministic: false,
            params: Vec::new(),
            priority: None,
            provided: None,
            locals: Vec::new(),
            body,
        }
    }

    fn scalar_type(&mut self) -> Type {
        match self.any_scalar_type() {
            // With priorities SPIN leaves the last bits of a process out of its states. (For the same reason priorities
            // are not changed during a run.)
            Type::Bit | Type::Bool | Type::Unsigned(_) if self.has(Feature::Priority) => Type::Byte,
            ty => ty,
        }
    }

    fn any_scalar_type(&mut self) -> Type {
        match self.rng.below(9) {
            0 | 1 => Type::Bit,
            2 => Type::Bool,
            3 | 4 => Type::Byte,
            5 => Type::Short,
            6 => Type::Int,
            7 => Type::Unsigned(self.rng.between(2, 3) as u32),
            _ if self.has(Feature::Mtype) => Type::Mtype,
            _ => Type::Pid,
        }
    }

    fn variable(&mut self, prefix: &str) -> Decl {
        let name = self.name(prefix);
        if self.lucky(Feature::Typedef, 25) {
            let size = self.lucky(Feature::Array, 30).then_some(2);
            return Decl { ty: Type::Struct(RECORD.to_string()), name, size, init: None };
        }
        let ty = self.scalar_type();
        let size = (can_be_array(&ty) && self.lucky(Feature::Array, 30)).then_some(2);
        let init = self.rng.chance(25).then(|| self.constant(&ty));
        Decl { ty, name, size, init }
    }

    fn bring_in(&mut self, decl: &Decl) {
        self.scope.push(Var { name: decl.name.clone(), ty: decl.ty.clone(), size: decl.size, writable: true });
    }

    fn channels(&mut self) {
        let mut count = 0;
        for (feature, low, high) in [(Feature::Rendezvous, 0, 0), (Feature::Buffered, 1, 3)] {
            for _ in 0..if self.has(feature) { self.rng.between(1, 2) } else { 0 } {
                let capacity = self.rng.between(low, high) as u32;
                let size = self.lucky(Feature::ChannelArray, 40).then_some(2);
                let fields: Vec<Type> = (0..self.rng.between(1, 2)).map(|_| self.field_type()).collect();
                self.channel(&format!("q{count}"), size, capacity, fields);
                count += 1;
            }
        }
        let sendable = self.model.typedefs.iter().all(|typedef| {
            typedef.fields.iter().all(|field| !matches!(field.ty, Type::Unsigned(_) | Type::Bit | Type::Bool))
        });
        if sendable && self.has(Feature::Typedef) && self.has(Feature::StructMessage) {
            let whole = Decl { ty: Type::Struct(RECORD.to_string()), name: "sm".to_string(), size: None, init: None };
            self.bring_in(&whole);
            self.model.globals.push(whole);
            self.channel("qs", None, 2, vec![Type::Struct(RECORD.to_string())]);
        }
        // Channels of one byte can be passed on: whoever gets one knows what it carries.
        let passed = self.has(Feature::ChannelParameter) || self.has(Feature::ChannelMessage);
        if passed && count > 0 {
            for name in ["b0", "b1"] {
                let capacity = if self.has(Feature::Rendezvous) { self.rng.below(3) } else { self.rng.between(1, 2) };
                self.channel(name, None, capacity as u32, vec![Type::Byte]);
            }
            if self.has(Feature::ChannelMessage) {
                let capacity = if self.has(Feature::Rendezvous) { self.rng.below(2) } else { 1 };
                self.channel("cc", None, capacity as u32, vec![Type::Chan]);
            }
        }
    }

    fn channel(&mut self, name: &str, size: Option<u32>, capacity: u32, fields: Vec<Type>) {
        let name = name.to_string();
        self.chans.push(ChanName { name: name.clone(), size, capacity: Some(capacity), fields: fields.clone() });
        self.model.chans.push(Chan { name, size, capacity, fields });
    }

    fn field_type(&mut self) -> Type {
        match self.scalar_type() {
            Type::Unsigned(_) => Type::Byte,
            ty => ty,
        }
    }

    /// The channels of one byte, which may be passed on.
    fn passable(&self) -> Vec<String> {
        let is = |chan: &&ChanName| chan.name.starts_with('b') && chan.capacity.is_some();
        self.chans.iter().filter(is).map(|chan| chan.name.clone()).collect()
    }

    fn process(&mut self, index: usize, active: u32, pid: u32) -> Proc {
        let (scope, chans) = (self.scope.len(), self.chans.len());
        let mut params = Vec::new();
        if active == 0 && self.rng.chance(60) {
            let decl = Decl { ty: self.scalar_type_of_parameter(), name: self.name("p"), size: None, init: None };
            self.bring_in(&decl);
            params.push(decl);
        }
        let indexed = params.clone();
        if active == 0 && self.lucky(Feature::StructParameter, 70) {
            params.push(self.parameter_variable("t"));
        }
        if active == 0 && self.has(Feature::ChannelParameter) && !self.passable().is_empty() {
            let name = self.name("pc");
            params.push(Decl { ty: Type::Chan, name: name.clone(), size: None, init: None });
            self.chans.push(ChanName { name, size: None, capacity: None, fields: vec![Type::Byte] });
        }
        let mut locals = Vec::new();
        for _ in 0..self.rng.below(3) {
            let decl = self.variable("l");
            self.bring_in(&decl);
            locals.push(decl);
        }
        if let Some(first) = self.passable().first().filter(|_| self.has(Feature::ChannelMessage)).cloned() {
            let init = Some(Expr::var(&first));
            locals.push(Decl { ty: Type::Chan, name: "lc".to_string(), size: None, init });
            self.chans.push(ChanName { name: "lc".to_string(), size: None, capacity: None, fields: vec![Type::Byte] });
        }
        if self.lucky(Feature::LocalChannel, 50) {
            locals.push(self.local_channel());
        }
        let labels: Vec<String> = if self.has(Feature::Goto) {
            (0..self.rng.between(1, 2)).map(|_| self.name("L")).collect()
        } else {
            Vec::new()
        };
        let length = self.rng.between(1, 5);
        let body = match self.rng.chance(25) && active == 0 {
            true => vec![self.short_life()],
            false => self.body(length, &labels),
        };
        let provided = self.lucky(Feature::Provided, 50).then(|| self.provided(scope, &indexed));
        let vars = locals.iter().filter(|decl| decl.size.is_none() && !matches!(decl.ty, Type::Struct(_) | Type::Chan));
        let vars: Vec<String> = vars.map(|decl| decl.name.clone()).collect();
        self.scope.truncate(scope);
        self.chans.truncate(chans);
        let name = format!("P{index}");
        for instance in 0..active {
            let (proc, labels, vars) = (name.clone(), labels.clone(), vars.clone());
            self.older.push(Older { proc, pid: pid + instance, labels, vars });
        }
        let priority = self.has(Feature::Priority).then(|| self.rng.between(1, 3) as u32);
        let deterministic = self.lucky(Feature::Deterministic, 50);
        Proc { name, active, deterministic, params, priority, provided, locals, body }
    }

    /// A channel of the process itself; it dies with the process and is not passed on.
    fn local_channel(&mut self) -> Decl {
        let (name, capacity) = (self.name("lq"), self.rng.between(1, 2) as u32);
        let fields = vec![self.field_type()];
        let chan = Chan { name: name.clone(), size: None, capacity, fields: fields.clone() };
        self.chans.push(ChanName { name: name.clone(), size: None, capacity: Some(capacity), fields });
        Decl { ty: Type::Chan, name, size: None, init: Some(Expr::Name(chan.initialiser())) }
    }

    fn scalar_type_of_parameter(&mut self) -> Type {
        match self.scalar_type() {
            Type::Unsigned(_) => Type::Byte,
            ty => ty,
        }
    }

    /// A provided clause sees the globals, which are the first `globals` variables of the scope, and `_pid`. SPIN takes
    /// parameters in the index of an array only.
    fn provided(&mut self, globals: usize, params: &[Decl]) -> Expr {
        let arrays: Vec<String> = {
            let is = |var: &&Var| var.size.is_some() && !matches!(var.ty, Type::Struct(_) | Type::Mtype);
            self.scope.iter().take(globals).filter(is).map(|var| var.name.clone()).collect()
        };
        if let (Some(param), Some(array)) = (params.first(), self.rng.pick(&arrays).cloned())
            && param.ty != Type::Mtype
            && self.rng.chance(70)
        {
            let index = Expr::binary("&", Expr::var(&param.name), Expr::Const(1));
            let element = Place { name: array, index: Some(Box::new(index)), field: None };
            let op = ["==", "!=", "<", ">="][self.rng.below(4)];
            return Expr::binary(op, Expr::Place(element), Expr::Const(self.rng.below(2) as i64));
        }
        let locals = self.scope.split_off(globals);
        let older = std::mem::take(&mut self.older);
        let expr = self.comparison();
        self.older = older;
        self.scope.extend(locals);
        expr
    }

    /// Init creates the processes that are only run, some of them behind something that may block, in braces or in an
    /// inline; then it does something else.
    fn init_body(&mut self) -> Vec<Stmt> {
        let names: Vec<String> = self.model.procs.iter().filter(|p| p.active == 0).map(|p| p.name.clone()).collect();
        let mut before = Vec::new();
        if self.lucky(Feature::StructParameter, 50) {
            // What is passed is not what was declared.
            before.extend((0..self.rng.between(1, 2)).map(|_| self.parameter_assignment()));
        }
        let mut order = names.clone();
        if self.lucky(Feature::Replaced, 60) {
            order.extend(self.rng.pick(&names).cloned());
        }
        let mut runs: Vec<Stmt> = Vec::new();
        for (index, name) in order.iter().enumerate() {
            let mut part = vec![Stmt::Condition(self.run(name))];
            if index + 1 < order.len() {
                match self.rng.below(4) {
                    0 => {}
                    1 => part.push(self.wait()),
                    _ => part.push(self.wait_for_deaths(1)),
                }
                part = self.wrapped(part);
            }
            runs.extend(part);
        }
        before.extend(if self.lucky(Feature::Atomic, 60) { vec![Stmt::Atomic(runs)] } else { runs });
        let length = self.rng.below(3);
        before.extend(self.body(length, &[]));
        before
    }

    /// The statements as they are, in braces, or as an inline.
    fn wrapped(&mut self, part: Vec<Stmt>) -> Vec<Stmt> {
        if self.lucky(Feature::Inline, 40) {
            let name = self.name("make");
            self.model.inlines.push(Inline { name: name.clone(), param: "v".to_string(), body: part });
            return vec![Stmt::Inline(name, Place::var("spawned"))];
        }
        if self.lucky(Feature::Block, 60) { vec![Stmt::Block(part)] } else { part }
    }
}

#[cfg(test)]
mod tests {
    use super::super::print::print;
    use super::super::shapes::{Shape, creates, in_model, some};
    use super::*;
    use clap::ValueEnum;

    #[test]
    fn a_seed_is_a_model() {
        let text = |seed| print(&generate(seed, Feature::value_variants()));
        assert_eq!(text(11), text(11));
        assert_ne!(text(11), text(12));
    }

    #[test]
    fn only_what_is_allowed_occurs() {
        for seed in 0..200 {
            let text = print(&generate(seed, &[Feature::Atomic, Feature::Else]));
            assert!(!text.contains("d_step") && !text.contains("chan") && !text.contains("run"), "{text}");
        }
    }

    fn opens(stmt: &Stmt, is: impl Fn(&Stmt) -> bool) -> bool {
        matches!(stmt, Stmt::DStep(body) if body.first().is_some_and(is))
    }

    fn has_option(stmt: &Stmt, is: impl Fn(&[Stmt]) -> bool) -> bool {
        matches!(stmt, Stmt::If(options) | Stmt::Do(options) if options.iter().any(|option| is(option)))
    }

    fn prints(stmt: &Stmt) -> bool {
        matches!(stmt, Stmt::Printf(_) | Stmt::Printm(_))
    }

    #[test]
    fn every_shape_occurs() {
        let shapes: &[Shape] = &[
            ("else opens a d_step", |model| in_model(model, &|_, stmt| opens(stmt, |first| *first == Stmt::Else))),
            ("a receive opens a d_step", |model| {
                in_model(model, &|_, stmt| opens(stmt, |first| matches!(first, Stmt::Receive { .. })))
            }),
            ("a rendezvous opens a d_step", |model| {
                let is_rendezvous = |chan: &Place| model.chans.iter().any(|c| c.name == chan.name && c.capacity == 0);
                in_model(model, &|_, stmt| {
                    opens(stmt, |first| matches!(first, Stmt::Receive { chan, .. } if is_rendezvous(chan)))
                })
            }),
            ("a rendezvous is offered in a d_step", |model| {
                let is_rendezvous = |chan: &Place| model.chans.iter().any(|c| c.name == chan.name && c.capacity == 0);
                in_model(model, &|_, stmt| {
                    opens(stmt, |first| matches!(first, Stmt::Send { chan, .. } if is_rendezvous(chan)))
                })
            }),
            ("a choice opens a d_step", |model| {
                in_model(model, &|_, stmt| opens(stmt, |first| matches!(first, Stmt::If(_))))
            }),
            ("a d_step in the middle of an atomic", |model| {
                let in_middle = |before: &[Stmt], stmt: &Stmt| !before.is_empty() && matches!(stmt, Stmt::DStep(_));
                in_model(model, &|_, stmt| matches!(stmt, Stmt::Atomic(body) if some(body, &in_middle)))
            }),
            ("an atomic that blocks in the middle", |model| {
                let waits = |before: &[Stmt], stmt: &Stmt| !before.is_empty() && matches!(stmt, Stmt::Condition(_));
                in_model(model, &|_, stmt| matches!(stmt, Stmt::Atomic(body) if some(body, &waits)))
            }),
            ("run in braces, and something that may block behind it", |model| {
                in_model(model, &|_, stmt| match stmt {
                    Stmt::Block(body) => body.first().is_some_and(creates) && body.len() > 1,
                    _ => false,
                })
            }),
            ("run in an inline", |model| model.inlines.iter().any(|inline| some(&inline.body, &|_, s| creates(s)))),
            ("a skip behind a print in an option", |model| {
                let is = |pair: &[Stmt]| prints(&pair[0]) && matches!(pair[1], Stmt::Skip | Stmt::True);
                in_model(model, &|_, stmt| has_option(stmt, |option| option.windows(2).any(is)))
            }),
            ("a structure as parameter", |model| {
                let is = |decl: &Decl| matches!(decl.ty, Type::Struct(_));
                model.procs.iter().any(|proc| proc.params.iter().any(is))
            }),
            ("a field with an initial value", |model| {
                model
                    .typedefs
                    .iter()
                    .any(|typedef| typedef.fields.iter().any(|f| f.init.is_some() && f.ty != Type::Chan))
            }),
            ("a channel in a structure", |model| {
                model.typedefs.iter().any(|typedef| typedef.fields.iter().any(|field| field.ty == Type::Chan))
            }),
            ("declarations open an option", |model| {
                let is = |option: &[Stmt]| matches!(option, [Stmt::Declare(_), Stmt::Declare(_), ..]);
                in_model(model, &|_, stmt| has_option(stmt, is))
            }),
            ("a structure is declared in an option", |model| {
                let is = |stmt: &Stmt| matches!(stmt, Stmt::Declare(Decl { ty: Type::Struct(_), .. }));
                in_model(model, &|_, stmt| has_option(stmt, |option| option.iter().any(is)))
            }),
            ("a label on an inner loop", |model| {
                let is = |_: &[Stmt], stmt: &Stmt| matches!(stmt, Stmt::Label(_, inner) if matches!(**inner, Stmt::Do(_) | Stmt::For { .. }));
                in_model(model, &|_, stmt| stmt.bodies().into_iter().any(|body| some(body, &is)))
            }),
            ("a label inside a choice", |model| {
                let is = |stmt: &Stmt| matches!(stmt, Stmt::Label(..));
                in_model(model, &|_, stmt| has_option(stmt, |option| option.iter().any(is)))
            }),
            ("a parameter in a provided clause", |model| {
                model.procs.iter().any(|proc| {
                    let text = proc.provided.as_ref().map(Expr::to_string).unwrap_or_default();
                    proc.params.iter().any(|param| text.contains(&format!("({} &", param.name)))
                })
            }),
            ("enabled of itself", |model| print(model).contains("enabled(_pid)")),
            ("run with a priority", |model| print(model).contains(") priority")),
            ("an assertion on what was just written", |model| {
                in_model(model, &|before, stmt| {
                    matches!((before.last(), stmt), (Some(Stmt::Assign(place, _)), Stmt::Assert(Expr::Binary(_, left, _)))
                        if **left == Expr::Place(place.clone()))
                })
            }),
            ("a fact that is used behind a d_step's guard", |model| {
                let uses = |stmt: &Stmt| matches!(stmt, Stmt::DStep(body) if body.last().is_some_and(keeps_fact));
                in_model(model, &|_, stmt| matches!(stmt, Stmt::Atomic(body) if body.iter().any(uses)))
            }),
            ("a process that is replaced", |model| {
                let is = |before: &[Stmt], stmt: &Stmt| creates(stmt) && before.last().is_some_and(waits_for_deaths);
                in_model(model, &is)
            }),
            ("unless around a d_step", |model| {
                let is = |_: &[Stmt], stmt: &Stmt| matches!(stmt, Stmt::DStep(_));
                in_model(model, &|_, stmt| matches!(stmt, Stmt::Unless(body, _) if some(body, &is)))
            }),
            ("-->", |model| model.arrow == Some("-->")),
        ];
        let models: Vec<Model> = (0..600).map(|seed| generate(seed, Feature::value_variants())).collect();
        for (shape, occurs) in shapes {
            let count = models.iter().filter(|model| occurs(model)).count();
            assert!(count > 0, "no model of {} has this: {shape}", models.len());
        }
    }

    fn keeps_fact(stmt: &Stmt) -> bool {
        matches!(stmt, Stmt::Assign(place, _) if place.name == FACTS[2])
    }

    fn waits_for_deaths(stmt: &Stmt) -> bool {
        matches!(stmt, Stmt::Condition(Expr::Binary(_, left, _)) if **left == Expr::Name("_nr_pr".to_string()))
    }
}
