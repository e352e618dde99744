//! What processes do: single statements about their parameters, globals, channels and other processes. Values stay small.

use super::{CREATOR, CREATOR_LABEL, CREATOR_LOCAL, Child, Creation, DISTURBER, FromStart, INIT, Scope};
use crate::random::generate::Feature;
use crate::random::tree::*;

impl Creation {
    /// A statement that changes something as a rule.
    pub(super) fn act(&mut self, scope: &Scope) -> Stmt {
        let index = scope.index.clone();
        match self.below(14) {
            0 | 1 | 11 if self.has(Feature::Array) => {
                let place = self.element("a", scope);
                let flipped = Expr::binary("-", Expr::Const(1), Expr::Place(place.clone()));
                let value = if self.chance(50) { flipped } else { self.small(scope) };
                Stmt::Assign(place, value)
            }
            2..=4 => self.communication(scope).unwrap_or_else(|| self.assignment(scope)),
            5 if scope.writes && index.is_some() => {
                let index = index.unwrap_or_default();
                let next = Expr::binary("+", Expr::var(&index), Expr::Const(1));
                let next = Expr::binary("&", next, Expr::Const(i64::from(self.size - 1)));
                Stmt::Assign(Place::var(&index), next)
            }
            6 if scope.writes => match (&scope.value, &scope.chan) {
                (Some((_, Type::Mtype)), _) => self.assignment(scope),
                (_, Some(chan)) if self.chance(40) => {
                    Stmt::Assign(Place::var(chan), Expr::var(if self.chance(50) { "b0" } else { "b1" }))
                }
                (Some((value, _)), _) => {
                    let flipped = Expr::binary("^", Expr::var(value), Expr::Const(1));
                    Stmt::Assign(Place::var(value), flipped)
                }
                _ => self.assignment(scope),
            },
            7 => Stmt::Assign(Place::var("go"), Expr::Const(1)),
            8 if self.has(Feature::Assert) => Stmt::Assert(self.claim(scope)),
            9 if self.has(Feature::Priority) => self.set_priority(),
            10 if self.has(Feature::Provided) => {
                let place = self.element("w", scope);
                Stmt::Assign(place.clone(), Expr::binary("-", Expr::Const(1), Expr::Place(place)))
            }
            _ => self.assignment(scope),
        }
    }

    fn assignment(&mut self, scope: &Scope) -> Stmt {
        let value = self.small(scope);
        match &scope.local {
            Some(local) if self.chance(40) => Stmt::Assign(Place::var(local), value),
            _ => Stmt::Assign(Place::var("g"), value),
        }
    }

    /// SPIN does not take it back if the process has ended.
    fn set_priority(&mut self) -> Stmt {
        let whom = match self.below(3) {
            0 if self.undefined => Expr::var("who"),
            1 if self.undefined => self.constant_below(6),
            _ => Expr::Name("_pid".to_string()),
        };
        Stmt::SetPriority(whom, self.base.rng.between(1, 3) as u32)
    }

    /// An element of an array of variables or channels.
    fn element(&mut self, array: &str, scope: &Scope) -> Place {
        let index = match &scope.index {
            Some(index) if self.chance(75) => Expr::var(index),
            _ => self.constant_below(self.size),
        };
        Place::element(array, index)
    }

    /// A value with few possibilities.
    pub(super) fn small(&mut self, scope: &Scope) -> Expr {
        let cut = |value| Expr::binary("&", value, Expr::Const(3));
        match (self.below(8), scope) {
            (0 | 1, Scope { value: Some((value, ty)), .. }) if *ty != Type::Mtype => cut(Expr::var(value)),
            (2, Scope { index: Some(index), .. }) => Expr::var(index),
            (3, _) if self.has(Feature::Predefined) => cut(Expr::Name("_pid".to_string())),
            (4, Scope { local: Some(local), .. }) => cut(Expr::var(local)),
            (5, _) => self.remote_value(scope).map_or(Expr::Const(1), cut),
            _ => self.constant_below(3),
        }
    }

    fn communication(&mut self, scope: &Scope) -> Option<Stmt> {
        let mut places = Vec::new();
        if self.global_chan("q") {
            places.push(self.element("q", scope));
        }
        if self.global_chan("b0") {
            places.push(Place::var("b0"));
        }
        // Parameters are what this is about.
        if self.chance(70) || places.is_empty() {
            let known: Vec<Place> = scope.chan.iter().chain(&scope.own_chan).map(|name| Place::var(name)).collect();
            places = if known.is_empty() { places } else { known };
        }
        let chan = self.base.rng.pick(&places).cloned()?;
        if self.chance(55) {
            return Some(Stmt::Send { chan, sorted: false, args: vec![self.small(scope)] });
        }
        let arg = match (self.below(6), &scope.local) {
            (0, _) => Arg::Const(self.constant_below(3)),
            (1, _) => Arg::Any,
            (2, _) => match (&scope.value, &scope.index) {
                (Some((value, ty)), _) if *ty != Type::Mtype => Arg::Eval(Expr::var(value)),
                (_, Some(index)) => Arg::Eval(Expr::var(index)),
                _ => Arg::Bind(Place::var("g")),
            },
            (3 | 4, Some(local)) => Arg::Bind(Place::var(local)),
            (5, _) if scope.writes => match &scope.value {
                Some((value, Type::Byte | Type::Pid | Type::Short | Type::Int)) => Arg::Bind(Place::var(value)),
                _ => Arg::Any,
            },
            _ => Arg::Bind(Place::var("g")),
        };
        Some(Stmt::Receive { chan, random: false, keep: false, args: vec![arg] })
    }

    /// Something that is often true.
    pub(super) fn claim(&mut self, scope: &Scope) -> Expr {
        let bound = self.constant_below(4);
        match (self.below(6), scope) {
            (0 | 1, Scope { value: Some((value, ty)), .. }) if *ty != Type::Mtype => {
                Expr::binary(["!=", "<=", "=="][self.below(3)], Expr::var(value), bound)
            }
            (2, Scope { index: Some(index), .. }) => Expr::binary("!=", Expr::var(index), bound),
            (3, _) if self.has(Feature::Predefined) => {
                let place = Expr::Const(i64::from(self.base.active) + self.below(2) as i64);
                Expr::binary("==", Expr::Name("_pid".to_string()), place)
            }
            (4, _) => match self.remote_value(scope) {
                Some(remote) => Expr::binary("<=", remote, bound),
                None => Expr::binary("<=", Expr::var("g"), bound),
            },
            _ => Expr::binary("<=", Expr::var("g"), bound),
        }
    }

    /// Something that may block.
    pub(super) fn wait(&mut self, scope: &Scope) -> Stmt {
        match self.below(10) {
            0 | 1 => self.communication(scope).unwrap_or_else(|| Stmt::Condition(self.condition(scope))),
            2 | 3 if self.has(Feature::Predefined) => self.deaths(),
            4 if self.has(Feature::Timeout) => Stmt::Condition(Expr::Name("timeout".to_string())),
            _ => Stmt::Condition(self.condition(scope)),
        }
    }

    /// Waits until all children are gone, or all but one or two.
    pub(super) fn deaths(&mut self) -> Stmt {
        let op = if self.chance(60) { "==" } else { "<=" };
        let left = Expr::Const(i64::from(self.base.active) + [0, 0, 0, 1, 2][self.below(5)]);
        Stmt::Condition(Expr::binary(op, Expr::Name("_nr_pr".to_string()), left))
    }

    /// A condition, without side effects.
    pub(super) fn condition(&mut self, scope: &Scope) -> Expr {
        match self.below(8) {
            0 | 1 if self.has(Feature::Enabled) => Expr::OfPid("enabled", Box::new(self.another(scope))),
            2 | 3 => self.remote_label(scope).unwrap_or_else(|| Expr::var("go")),
            4 => Expr::var("go"),
            5 => Expr::binary("!=", Expr::var("g"), Expr::Const(0)),
            6 if self.has(Feature::Array) => {
                let element = self.element("a", scope);
                Expr::binary(if self.chance(50) { "==" } else { "!=" }, Expr::Place(element), Expr::Const(0))
            }
            _ => Expr::binary("<=", Expr::var("g"), self.constant_below(3)),
        }
    }

    /// The number of another process: SPIN stops at `enabled` of the process itself.
    fn another(&mut self, scope: &Scope) -> Expr {
        match (self.below(3), &scope.creator) {
            (0, _) if self.undefined => return Expr::var("who"),
            (0 | 1, Some((_, pid))) => return Expr::var(pid),
            _ => {}
        }
        let is_own = |pid: u32| self.from_start.iter().any(|process| process.pid == pid && process.proc == scope.me);
        let others: Vec<u32> = match self.first_creator() {
            // A child may have any number but this one.
            Some(first) if ![CREATOR, DISTURBER, INIT].contains(&scope.me.as_str()) => vec![first.pid],
            _ => (0..6).filter(|pid| !is_own(*pid)).collect(),
        };
        Expr::Const(i64::from(self.base.rng.pick(&others).copied().unwrap_or_default()))
    }

    /// A process that can be looked at: the creator, or the first of all creators.
    fn remote(&mut self, scope: &Scope) -> Option<(String, Box<Expr>)> {
        if !self.has(Feature::Remote) || !self.is_above(CREATOR, scope) {
            return None;
        }
        if let Some((proc, pid)) = &scope.creator
            && self.chance(70)
        {
            return Some((proc.clone(), Box::new(Expr::var(pid))));
        }
        let first = self.first_creator().filter(|first| scope.is_young && first.proc == CREATOR)?;
        Some((CREATOR.to_string(), Box::new(Expr::Const(i64::from(first.pid)))))
    }

    /// The creator with the least number. It is older than all that are run, and so it is there as long as they are; another
    /// creator may be gone before a process is run, which then has its number.
    fn first_creator(&self) -> Option<&FromStart> {
        self.from_start.iter().find(|process| process.proc == CREATOR || process.proc == INIT)
    }

    fn remote_value(&mut self, scope: &Scope) -> Option<Expr> {
        if let Some(child) = self.any_child(scope) {
            let var = self.base.rng.pick(&child.vars).cloned()?;
            return Some(Expr::RemoteVar { proc: child.name, pid: self.any_pid(), var });
        }
        let (proc, pid) = self.remote(scope)?;
        Some(Expr::RemoteVar { proc, pid, var: CREATOR_LOCAL.to_string() })
    }

    fn remote_label(&mut self, scope: &Scope) -> Option<Expr> {
        if let Some(child) = self.any_child(scope) {
            return Some(Expr::RemoteLabel { proc: child.name, pid: self.any_pid(), label: child.label? });
        }
        let (proc, pid) = self.remote(scope)?;
        Some(Expr::RemoteLabel { proc, pid, label: CREATOR_LABEL.to_string() })
    }

    /// A child that is looked at wherever it may be, if what is undefined may be.
    fn any_child(&mut self, scope: &Scope) -> Option<Child> {
        if !self.undefined || !self.lucky(Feature::Remote, 60) {
            return None;
        }
        let above: Vec<Child> =
            self.children.iter().filter(|child| self.is_above(&child.name, scope)).cloned().collect();
        self.base.rng.pick(&above).cloned()
    }

    /// The number of a process that may not be there yet, or be another one now.
    fn any_pid(&mut self) -> Box<Expr> {
        let young = i64::from(self.base.active) + self.below(3) as i64;
        Box::new(if self.chance(40) { Expr::var("who") } else { Expr::Const(young) })
    }
}
