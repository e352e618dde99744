//! Random models about which processes there are: tiny processes, created in many ways.
//!
//! Creators (init, and process types that are active) run *children*, whose parameters play known roles: an index that is
//! always within the arrays, any value, a channel, the number of the creator, how deep to recurse. At most `room` processes
//! are created in one run of the model, but for those of a loop that keeps a number of them alive.
//!
//! What SPIN leaves undefined, such as a remote reference to a process that is gone, is made only for the plain semantics.

mod act;
mod argument;
mod child;
mod creator;

use super::{Feature, Generator};
use crate::random::tree::*;

/// A process that is there from the start, so that its number is known.
#[derive(Debug, Clone)]
struct FromStart {
    proc: String,
    pid: u32,
}

/// A process type that is run.
#[derive(Debug, Clone)]
struct Child {
    name: String,
    /// What its parameters are for.
    roles: Vec<Role>,
    /// The only process type that may run it, if it looks at its creator.
    only_by: Option<String>,
    /// How many processes a run of it makes, with those that it creates itself.
    cost: u32,
    /// What of it can be looked at: variables, and a label.
    vars: Vec<String>,
    label: Option<String>,
}

/// What a parameter is for.
#[derive(Debug, Clone, PartialEq)]
enum Role {
    /// An index of the arrays.
    Index(Type),
    Value(Type),
    Chan,
    /// The number of the creator.
    Creator,
    /// How many generations may still follow.
    Depth,
}

/// What a statement can use.
#[derive(Debug, Clone, Default)]
struct Scope {
    /// The process type, or init.
    me: String,
    /// A parameter that is an index of the arrays.
    index: Option<String>,
    /// A parameter of any type, with it.
    value: Option<(String, Type)>,
    /// A parameter that is a channel.
    chan: Option<String>,
    /// A channel of the process itself.
    own_chan: Option<String>,
    /// A local byte.
    local: Option<String>,
    /// The counter of the loop around it, and the largest value it has there.
    counter: Option<(String, u32)>,
    /// The creator: its process type, and the parameter that has its number.
    creator: Option<(String, String)>,
    /// True for a process that is younger than all that were there from the start.
    is_young: bool,
    /// Whether parameters are written.
    writes: bool,
}

/// The name of a process type of creators; init is the other kind.
const CREATOR: &str = "M";
const INIT: &str = "init";
/// A byte of creators that others may look at, and a label in them.
const CREATOR_LOCAL: &str = "x";
const CREATOR_LABEL: &str = "LM";
/// A process that changes what creators count and wait for.
const DISTURBER: &str = "D";

/// What models about creation are rarely without.
const MATTER: &[Feature] = &[
    Feature::Buffered,
    Feature::Array,
    Feature::ChannelArray,
    Feature::ChannelParameter,
    Feature::Atomic,
    Feature::For,
    Feature::Goto,
    Feature::Predefined,
];

/// Makes models about creation.
pub(super) struct Creation {
    base: Generator,
    /// Whether models may do what SPIN leaves undefined.
    undefined: bool,
    /// The length of the arrays, a power of two.
    size: u32,
    children: Vec<Child>,
    /// The process types and init, as they stand in the text.
    order: Vec<String>,
    from_start: Vec<FromStart>,
    /// How many processes may still be created.
    room: u32,
    /// Whether the disturber sets the global counter back.
    counter_is_disturbed: bool,
}

impl Creation {
    /// A model with the features of the generator, and more of those that matter here.
    pub(super) fn model(mut base: Generator, allowed: &[Feature]) -> Model {
        for feature in allowed {
            if MATTER.contains(feature) && !base.has(*feature) && base.rng.chance(50) {
                base.on.push(*feature);
            }
        }
        let creation = Creation {
            base,
            undefined: allowed.contains(&Feature::SpinUndefined),
            size: 2,
            children: Vec::new(),
            order: Vec::new(),
            from_start: Vec::new(),
            room: 0,
            counter_is_disturbed: false,
        };
        creation.whole()
    }

    fn has(&self, feature: Feature) -> bool {
        self.base.has(feature)
    }

    fn lucky(&mut self, feature: Feature, percent: usize) -> bool {
        self.base.lucky(feature, percent)
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.base.rng.chance(percent)
    }

    fn below(&mut self, end: usize) -> usize {
        self.base.rng.below(end)
    }

    /// A small constant, below `end`.
    fn constant_below(&mut self, end: u32) -> Expr {
        Expr::Const(self.below(end as usize) as i64)
    }

    fn whole(mut self) -> Model {
        self.undefined = self.undefined && self.chance(25);
        self.size = if self.chance(75) { 2 } else { 4 };
        self.room = self.base.rng.between(3, 6) as u32;
        if self.has(Feature::Mtype) {
            self.base.model.mtypes = ["ma", "mb", "mc"].map(str::to_string).to_vec();
        }
        self.globals();
        self.channels();

        let (init, creators) =
            [(true, 0), (true, 0), (true, 0), (true, 1), (false, 1), (false, 2), (true, 2)][self.below(7)];
        let disturbed = self.chance(45);
        self.counter_is_disturbed = disturbed && self.chance(40);
        let count = [1, 2, 2, 2, 3, 3][self.below(6)];
        // The text has them in any order, and numbers are given in that order.
        let mut order: Vec<(String, u32)> = (0..count).map(|index| (format!("K{index}"), 0)).collect();
        if self.chance(20) {
            order[0].1 = self.base.rng.between(1, 2) as u32;
        }
        let active_child = order[0].1 > 0;
        for (name, active) in [(CREATOR, creators), (DISTURBER, u32::from(disturbed)), (INIT, u32::from(init))] {
            if active > 0 {
                let at = self.below(order.len() + 1);
                order.insert(at, (name.to_string(), active));
            }
        }
        for (name, active) in &order {
            self.order.push(name.clone());
            for _ in 0..*active {
                self.from_start.push(FromStart { proc: name.clone(), pid: self.base.active });
                self.base.active += 1;
            }
        }

        let mut procs = Vec::new();
        for index in 0..count {
            let child = self.child(index, active_child && index == 0, creators > 0);
            procs.push(child);
        }
        if disturbed {
            procs.push(self.disturber());
        }
        if creators > 0 {
            procs.push(self.creator(creators));
        }
        if init {
            self.base.model.init = Some(self.init());
            self.base.model.init_at = order.iter().position(|(name, _)| name == INIT);
        }
        for (name, active) in order {
            if let Some(at) = procs.iter().position(|proc| proc.name == name) {
                let proc = procs.swap_remove(at);
                self.base.model.procs.push(Proc { active, ..proc });
            }
        }
        self.base.model
    }

    fn globals(&mut self) {
        let bound = Expr::Const(self.base.rng.between(1, 2) as i64);
        let size = self.size;
        let mut declare = |ty, name: &str, size, init| {
            self.base.model.globals.push(Decl { ty, name: name.to_string(), size, init });
        };
        declare(Type::Byte, "g", None, None); // any small value
        declare(Type::Byte, "go", None, None); // waited for
        declare(Type::Byte, "n", None, None); // counts
        declare(Type::Byte, "bound", None, Some(bound)); // where a loop ends
        declare(Type::Pid, "who", None, None); // the number of a process
        if self.base.has(Feature::Array) {
            self.base.model.globals.push(Decl { ty: Type::Byte, name: "a".to_string(), size: Some(size), init: None });
        }
        if self.base.has(Feature::Provided) {
            self.base.model.globals.push(Decl { ty: Type::Byte, name: "w".to_string(), size: Some(size), init: None });
        }
    }

    fn channels(&mut self) {
        if !self.has(Feature::Rendezvous) && !self.has(Feature::Buffered) {
            return;
        }
        let size = self.size;
        for (name, size) in [("b0", None), ("b1", None), ("q", Some(size))] {
            if size.is_some() && !self.has(Feature::ChannelArray) {
                continue;
            }
            let rendezvous = !self.has(Feature::Buffered) || self.lucky(Feature::Rendezvous, 35);
            let capacity = if rendezvous { 0 } else { self.base.rng.between(1, 2) as u32 };
            self.base.model.chans.push(Chan { name: name.to_string(), size, capacity, fields: vec![Type::Byte] });
        }
    }

    /// True if the process type stands above this one, or is this one: then remote references to it are allowed.
    fn is_above(&self, proc: &str, scope: &Scope) -> bool {
        let mut names = self.order.iter().filter(|name| *name == proc || **name == scope.me);
        names.next().is_some_and(|first| first == proc)
    }

    fn global_chan(&self, name: &str) -> bool {
        self.base.model.chans.iter().any(|chan| chan.name == name)
    }

    /// A process that lets others go on, or changes what they count.
    fn disturber(&mut self) -> Proc {
        let mut body = Vec::new();
        if self.counter_is_disturbed {
            body.push(Stmt::Assign(Place::var("n"), Expr::Const(0)));
        } else if self.chance(50) {
            body.push(Stmt::Assign(Place::var("bound"), Expr::Const(self.base.rng.between(1, 2) as i64)));
        }
        let scope = Scope { me: DISTURBER.to_string(), ..Scope::default() };
        for _ in 0..self.base.rng.between(1, 2) {
            body.push(if self.chance(30) { self.wait(&scope) } else { self.act(&scope) });
        }
        self.proc(DISTURBER, Vec::new(), Vec::new(), body)
    }

    fn proc(&mut self, name: &str, params: Vec<Decl>, locals: Vec<Decl>, body: Vec<Stmt>) -> Proc {
        let priority = self.lucky(Feature::Priority, 60).then(|| self.base.rng.between(1, 3) as u32);
        let name = name.to_string();
        Proc { name, active: 0, deterministic: false, params, priority, provided: None, locals, body }
    }
}

/// A local variable.
fn local(ty: Type, name: &str, init: Option<Expr>) -> Decl {
    Decl { ty, name: name.to_string(), size: None, init }
}

#[cfg(test)]
mod tests {
    use crate::random::generate::{Feature, generate};
    use crate::random::shapes::{CREATION, Shape, in_model};
    use crate::random::tree::*;
    use clap::ValueEnum;

    /// The models about creation among the first ones.
    fn models(allowed: &[Feature], count: u64) -> Vec<Model> {
        let is = |model: &Model| model.globals.iter().any(|decl| decl.name == "go");
        (0..count).map(|seed| generate(seed, allowed)).filter(is).collect()
    }

    #[test]
    fn every_way_of_creation_occurs() {
        let others: &[Shape] = &[
            ("set_priority", |model| in_model(model, &|_, stmt| matches!(stmt, Stmt::SetPriority(..)))),
            ("a provided clause", |model| model.procs.iter().any(|proc| proc.provided.is_some())),
            ("an active child with a parameter", |model| {
                model.procs.iter().any(|proc| proc.active > 0 && !proc.params.is_empty())
            }),
            ("a counter that another process sets back", |model| {
                let sets = |stmt: &Stmt| *stmt == Stmt::Assign(Place::var("n"), Expr::Const(0));
                model.procs.iter().any(|proc| proc.name == super::DISTURBER && proc.body.iter().any(sets))
            }),
        ];
        let models = models(Feature::value_variants(), 1000);
        assert!((350..450).contains(&models.len()), "{} of 1000 models are about creation", models.len());
        for (shape, occurs) in CREATION.iter().chain(others) {
            let count = models.iter().filter(|model| occurs(model)).count();
            assert!(count > 0, "no model of {} has this: {shape}", models.len());
        }
    }

    #[test]
    fn nothing_is_about_creation_without_run() {
        let allowed: Vec<Feature> =
            Feature::value_variants().iter().copied().filter(|feature| *feature != Feature::Run).collect();
        assert!(models(&allowed, 100).is_empty());
    }
}
