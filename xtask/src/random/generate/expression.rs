//! Random expressions, places and messages.

use super::{ChanName, Feature, Generator, PARAMETER, Var};
use crate::random::tree::*;

impl Generator {
    /// A constant that fits the type.
    pub(super) fn fitting(&mut self, ty: &Type) -> Expr {
        if *ty == Type::Mtype {
            let names = self.model.mtypes.clone();
            return Expr::Name(self.rng.pick(&names).cloned().unwrap_or_else(|| "0".to_string()));
        }
        Expr::Const(self.rng.below(if matches!(ty, Type::Bit | Type::Bool) { 2 } else { 3 }) as i64)
    }

    /// A constant that fits the type, or with luck one that does not.
    pub(super) fn constant(&mut self, ty: &Type) -> Expr {
        const WIDE: &[i64] = &[2, 3, 7, -1, -2, 255, 256, 257, 300, 32767, 32768, 65535, 65536, 70000];
        if *ty != Type::Mtype && self.lucky(Feature::WideValues, 20) {
            return Expr::Const(self.rng.pick(WIDE).copied().unwrap_or(0));
        }
        self.fitting(ty)
    }

    /// An index that is always within an array of two elements.
    fn index(&mut self) -> Box<Expr> {
        let scalars = self.scalars(false);
        Box::new(match self.rng.pick(&scalars).cloned() {
            Some((place, _)) if place.index.is_none() && place.field.is_none() && self.rng.chance(60) => {
                Expr::binary("&", Expr::Place(place), Expr::Const(1))
            }
            _ => Expr::Const(self.rng.below(2) as i64),
        })
    }

    /// Every scalar in scope, with constant indices.
    fn scalars(&mut self, write: bool) -> Vec<(Place, Type)> {
        let mut found = Vec::new();
        let usable: Vec<Var> = self.scope.iter().filter(|var| var.writable || !write).cloned().collect();
        for var in usable {
            let index = var.size.map(|size| Box::new(Expr::Const(self.rng.below(size as usize) as i64)));
            let Type::Struct(of) = &var.ty else {
                found.push((Place { name: var.name, index, field: None }, var.ty));
                continue;
            };
            let fields = self.model.typedefs.iter().filter(|typedef| typedef.name == *of);
            let fields: Vec<Decl> = fields.flat_map(|typedef| typedef.fields.clone()).collect();
            for field in fields.into_iter().filter(|field| field.ty != Type::Chan) {
                let inner = field.size.map(|size| Box::new(Expr::Const(self.rng.below(size as usize) as i64)));
                let place = Place { name: var.name.clone(), index: index.clone(), field: Some((field.name, inner)) };
                found.push((place, field.ty));
            }
        }
        found
    }

    /// A scalar that may be read, or also written.
    pub(super) fn place(&mut self, write: bool) -> Option<(Place, Type)> {
        let scalars = self.scalars(write);
        let (mut place, ty) = self.rng.pick(&scalars).cloned()?;
        // An index that is computed, instead of the constant.
        if place.index.is_some() && self.rng.chance(40) {
            place.index = Some(self.index());
        }
        if let Some((_, Some(inner))) = &mut place.field
            && self.rng.chance(40)
        {
            *inner = self.index();
        }
        Some((place, ty))
    }

    /// A value for something of type `ty`; it stays small, so that counters come round.
    pub(super) fn value(&mut self, ty: &Type) -> Expr {
        if *ty == Type::Mtype {
            return match self.place(false) {
                Some((place, Type::Mtype)) => Expr::Place(place),
                _ => self.constant(ty),
            };
        }
        match (self.rng.below(6), self.place(false)) {
            (0 | 1, Some((place, _))) => Expr::Place(place),
            (2 | 3, Some((place, _))) => {
                let op = ["+", "-", "*", "|", "^", "<<", "/"][self.rng.below(7)];
                let operand = Expr::Const(self.rng.between(1, 3) as i64);
                let sum = Expr::binary(op, Expr::Place(place), operand);
                let (cut, by) = [("%", 3), ("&", 1), ("&", 3), ("%", 2)][self.rng.below(4)];
                Expr::binary(cut, sum, Expr::Const(by))
            }
            (4, _) if self.rng.chance(50) => {
                let (left, right) = (self.constant(ty), self.constant(ty));
                Expr::Cond(Box::new(self.comparison()), Box::new(left), Box::new(right))
            }
            (4, _) => self.special().unwrap_or_else(|| self.constant(ty)),
            _ => self.constant(ty),
        }
    }

    /// A value for a field of a message. SPIN keeps more than a bit in a bit field, which psw does not.
    pub(super) fn sent(&mut self, ty: &Type) -> Expr {
        match ty {
            Type::Bit | Type::Bool => Expr::binary("&", self.value(ty), Expr::Const(1)),
            _ => self.value(ty),
        }
    }

    /// Something predefined, remote or about a channel, with a small value.
    fn special(&mut self) -> Option<Expr> {
        let buffered = self.buffered();
        match self.rng.below(6) {
            0 if self.has(Feature::Predefined) => Some(Expr::Name("_pid".to_string())),
            1 if self.has(Feature::Predefined) => Some(Expr::Name("_nr_pr".to_string())),
            2 if self.has(Feature::Last) => Some(Expr::Name("_last".to_string())),
            3 if self.has(Feature::Priority) => {
                Some(Expr::OfPid("get_priority", Box::new(Expr::Name("_pid".to_string()))))
            }
            4 => {
                let chan = self.rng.pick(&buffered).cloned()?;
                Some(Expr::OfChan("len", self.chan_place(&chan)))
            }
            _ if self.has(Feature::Remote) => self.remote(),
            _ => None,
        }
    }

    fn remote(&mut self) -> Option<Expr> {
        let older = self.rng.pick(&self.older).cloned()?;
        let (proc, pid) = (older.proc, Box::new(Expr::Const(i64::from(older.pid))));
        if self.rng.chance(50) {
            let label = self.rng.pick(&older.labels).cloned()?;
            return Some(Expr::RemoteLabel { proc, pid, label });
        }
        let var = self.rng.pick(&older.vars).cloned()?;
        Some(Expr::RemoteVar { proc, pid, var })
    }

    /// A comparison, of a variable with something as a rule.
    pub(super) fn comparison(&mut self) -> Expr {
        let (left, ty) = match (self.special().filter(|_| self.rng.chance(30)), self.place(false)) {
            (Some(special), _) => (special, Type::Byte),
            (None, Some((place, ty))) => (Expr::Place(place), ty),
            (None, None) => (Expr::Const(1), Type::Byte),
        };
        // Half of the comparisons hold for a variable that was not written yet: otherwise most models block at once.
        if ty != Type::Mtype && self.rng.chance(50) {
            let (op, value) = [("==", 0), ("<", 2), ("!=", 2), ("<=", 1), (">=", 0)][self.rng.below(5)];
            return Expr::binary(op, left, Expr::Const(value));
        }
        let op = ["==", "!=", "<", ">", "<=", ">="][self.rng.below(6)];
        let right = match self.rng.below(4) {
            0 => self.place(false).filter(|(_, other)| *other == ty).map(|(place, _)| Expr::Place(place)),
            _ => None,
        };
        let right = right.unwrap_or_else(|| self.constant(&ty));
        Expr::binary(op, left, right)
    }

    /// A condition without side effects.
    pub(super) fn condition(&mut self) -> Expr {
        match self.rng.below(10) {
            0 => Expr::Unary("!", Box::new(self.comparison())),
            1 => Expr::binary("&&", self.comparison(), self.comparison()),
            2 => Expr::binary("||", self.comparison(), self.comparison()),
            3 | 4 => self.about_channel().unwrap_or_else(|| self.comparison()),
            5 if self.has(Feature::Remote) => self.remote().unwrap_or_else(|| self.comparison()),
            6 | 7 if self.has(Feature::Enabled) => {
                let whom = match self.rng.below(8) {
                    0 => Expr::Name("_pid".to_string()),
                    _ => Expr::Const(self.rng.below(self.active as usize + 2) as i64),
                };
                Expr::OfPid("enabled", Box::new(whom))
            }
            _ => self.comparison(),
        }
    }

    fn about_channel(&mut self) -> Option<Expr> {
        let buffered = self.buffered();
        let chan = self.rng.pick(&buffered).cloned()?;
        let place = self.chan_place(&chan);
        if self.lucky(Feature::Poll, 50) {
            let random = self.lucky(Feature::RandomReceive, 50);
            let args = self.receive_args(&chan);
            return Some(Expr::Poll { chan: place, random, args });
        }
        Some(Expr::OfChan(["empty", "nempty", "full", "nfull"][self.rng.below(4)], place))
    }

    /// The channels that certainly hold messages. Channels that carry channels or structures are
    /// handled apart.
    pub(super) fn buffered(&self) -> Vec<ChanName> {
        self.channels_that(|capacity| capacity > 0)
    }

    /// The channels that certainly hold none.
    pub(super) fn rendezvous(&self) -> Vec<ChanName> {
        self.channels_that(|capacity| capacity == 0)
    }

    fn channels_that(&self, holds: impl Fn(u32) -> bool) -> Vec<ChanName> {
        let is = |chan: &&ChanName| {
            chan.capacity.is_some_and(&holds)
                && !chan.fields.iter().any(|ty| matches!(ty, Type::Chan | Type::Struct(_)))
        };
        self.chans.iter().filter(is).cloned().collect()
    }

    pub(super) fn chan_place(&mut self, chan: &ChanName) -> Place {
        let index = chan.size.map(|_| self.index());
        Place { name: chan.name.clone(), index, field: None }
    }

    pub(super) fn receive_args(&mut self, chan: &ChanName) -> Vec<Arg> {
        let mut bound = Vec::new();
        let mut args = Vec::new();
        for ty in &chan.fields {
            let target = self
                .place(true)
                .filter(|(place, target)| keeps(target, ty) && place.index.is_none() && !bound.contains(&place.name));
            args.push(match (self.rng.below(10), target) {
                (0 | 1, _) => Arg::Const(self.constant(ty)),
                (2, Some((place, _))) => Arg::Eval(Expr::Place(place)),
                (3, _) | (_, None) => Arg::Any,
                (_, Some((place, _))) => {
                    bound.push(place.name.clone());
                    Arg::Bind(place)
                }
            });
        }
        args
    }

    /// A variable of the structure for parameters.
    fn passed_structure(&mut self) -> String {
        // Not those that a process declares on its way: their channels die with it.
        let is = |var: &&Var| var.ty == Type::Struct(PARAMETER.to_string()) && !var.name.starts_with('d');
        let known: Vec<String> = self.scope.iter().filter(is).map(|var| var.name.clone()).collect();
        self.rng.pick(&known).cloned().unwrap_or_default()
    }

    /// `run proc(..)` with arguments for its parameters.
    pub(super) fn run(&mut self, proc: &str) -> Expr {
        let found = self.model.procs.iter().find(|candidate| candidate.name == proc);
        let params = found.map(|found| found.params.clone()).unwrap_or_default();
        let passable = self.passable();
        let args = params
            .iter()
            .map(|param| match param.ty {
                Type::Chan => Expr::var(self.rng.pick(&passable).map_or("b0", String::as_str)),
                Type::Struct(_) => Expr::var(&self.passed_structure()),
                _ => self.constant(&param.ty),
            })
            .collect();
        let priority = self.lucky(Feature::Priority, 50).then(|| self.rng.between(1, 3) as u32);
        Expr::Run { proc: proc.to_string(), args, priority }
    }
}

/// True if a variable of type `target` keeps every value of a field of type `field`. When SPIN takes back a receive it
/// puts the value of the variable into the channel: a value that was cut comes back wrong.
fn keeps(target: &Type, field: &Type) -> bool {
    match (target, field) {
        (Type::Mtype, Type::Mtype) => true,
        (Type::Mtype, _) | (_, Type::Mtype) => false,
        (_, Type::Bit | Type::Bool) | (Type::Int, _) => true,
        (Type::Short, field) => *field != Type::Int,
        (Type::Byte | Type::Pid, field) => matches!(field, Type::Byte | Type::Pid),
        _ => false,
    }
}
