//! `run` and its arguments: constants, counters, numbers of processes, channels, values of variables.

use super::{Child, Creation, Role, Scope};
use crate::random::generate::Feature;
use crate::random::tree::*;

impl Creation {
    /// `run child(..)`.
    pub(super) fn run(&mut self, child: &Child, scope: &Scope) -> Expr {
        let constant = self.chance(50);
        let args = child.roles.iter().map(|role| self.argument(role, constant, scope)).collect();
        let priority = self.lucky(Feature::Priority, 50).then(|| self.base.rng.between(1, 3) as u32);
        Expr::Run { proc: child.name.clone(), args, priority }
    }

    fn argument(&mut self, role: &Role, constant: bool, scope: &Scope) -> Expr {
        match role {
            Role::Index(ty) if constant => self.constant_index(ty),
            Role::Index(ty) => self.index_argument(ty, scope),
            Role::Value(ty) if constant || *ty == Type::Mtype => self.base.constant(ty),
            Role::Value(ty) => self.value_argument(ty, scope),
            Role::Chan => self.chan_argument(scope),
            Role::Creator => Expr::Name("_pid".to_string()),
            Role::Depth => match &scope.counter {
                Some((counter, high)) if *high <= 2 && !constant => Expr::var(counter),
                _ => self.constant_below(3),
            },
        }
    }

    /// A constant that is an index when it has been cut to its type.
    fn constant_index(&mut self, ty: &Type) -> Expr {
        let index = self.below(self.size as usize) as i64;
        let wraps = match ty {
            Type::Bit => 2,
            Type::Byte | Type::Pid => 256,
            _ => 0,
        };
        Expr::Const(if self.lucky(Feature::WideValues, 15) { index + wraps } else { index })
    }

    /// A computed index that is within the arrays, unless what is undefined may be.
    fn index_argument(&mut self, ty: &Type, scope: &Scope) -> Expr {
        let last = i64::from(self.size - 1);
        if let Some((counter, high)) = &scope.counter
            && self.chance(70)
        {
            let counter = Expr::var(counter);
            let fits = *high < self.size;
            return match self.below(5) {
                0 | 1 if fits => counter,
                2 if fits => Expr::binary("-", Expr::Const(last), counter),
                3 => Expr::binary("&", Expr::binary("+", counter, Expr::Const(1)), Expr::Const(last)),
                _ => Expr::binary("&", counter, Expr::Const(last)),
            };
        }
        let source = match self.below(5) {
            0 if self.has(Feature::Predefined) => Expr::Name("_pid".to_string()),
            1 => scope.index.as_ref().map_or(Expr::var("g"), |index| Expr::var(index)),
            2 if self.has(Feature::Predefined) => Expr::Name("_nr_pr".to_string()),
            3 => Expr::var("n"),
            _ => return self.constant_index(ty),
        };
        if self.undefined && self.chance(50) { source } else { Expr::binary("&", source, Expr::Const(last)) }
    }

    fn value_argument(&mut self, ty: &Type, scope: &Scope) -> Expr {
        if let Some((counter, _)) = &scope.counter
            && self.chance(70)
        {
            let counter = Expr::var(counter);
            return match self.below(5) {
                0 | 1 => counter,
                2 => Expr::binary("+", counter, Expr::Const(1)),
                3 if self.has(Feature::WideValues) => Expr::binary("*", counter, Expr::Const(200)),
                3 => Expr::binary("%", counter, Expr::Const(2)),
                _ => Expr::binary("==", counter, Expr::Const(1)),
            };
        }
        match self.below(6) {
            0 if self.has(Feature::Predefined) => Expr::Name("_pid".to_string()),
            1 if self.has(Feature::Predefined) => Expr::Name("_nr_pr".to_string()),
            2 if self.has(Feature::Array) => {
                let index = self.constant_below(self.size);
                Expr::Place(Place::element("a", index))
            }
            3 => match &scope.value {
                Some((name, value)) if *value != Type::Mtype => Expr::var(name),
                _ => Expr::var("n"),
            },
            4 => Expr::var("g"),
            _ => self.base.constant(ty),
        }
    }

    /// A global channel, an element of the array of channels, or a channel that the creator has.
    fn chan_argument(&mut self, scope: &Scope) -> Expr {
        let last = Expr::Const(i64::from(self.size - 1));
        match self.below(8) {
            0..=2 if self.global_chan("q") => {
                let index = match (&scope.counter, &scope.index) {
                    (Some((counter, high)), _) if *high < self.size => Expr::var(counter),
                    (Some((counter, _)), _) => Expr::binary("&", Expr::var(counter), last),
                    (None, Some(index)) if self.chance(50) => Expr::var(index),
                    _ if self.chance(20) => Expr::binary("&", Expr::var("g"), last),
                    _ => self.constant_below(self.size),
                };
                Expr::Place(Place::element("q", index))
            }
            3 | 4 if scope.own_chan.is_some() => Expr::var(scope.own_chan.as_deref().unwrap_or_default()),
            5 if scope.chan.is_some() => Expr::var(scope.chan.as_deref().unwrap_or_default()),
            6 => Expr::var("b1"),
            _ => Expr::var("b0"),
        }
    }
}
