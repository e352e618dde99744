//! Processes that are run: parameters with their roles, and a short, blocked, endless or fertile life.

use super::{CREATOR, Child, Creation, Role, Scope, local};
use crate::random::generate::Feature;
use crate::random::tree::*;

impl Creation {
    /// Child number `index`. Its fields are known to those that are made after it.
    pub(super) fn child(&mut self, index: usize, is_active: bool, has_creators: bool) -> Proc {
        let name = format!("K{index}");
        let recursive = !is_active && self.chance(12);
        let roles = self.roles(is_active, recursive, has_creators);
        let writes = self.chance(30);
        let mut scope = Scope { me: name.clone(), is_young: !is_active, writes, ..Scope::default() };
        let params: Vec<Decl> = roles.iter().map(|role| parameter(role, &mut scope)).collect();
        let locals = self.child_locals(&mut scope);

        let nested = self.nested(recursive);
        let (mut body, cost) = match (recursive, nested) {
            (true, _) => {
                let body = self.recursion(&name, &roles, &scope);
                (body, 3)
            }
            (false, Some(other)) => {
                let create = Stmt::Condition(self.run(&other, &scope));
                let mut body = vec![create];
                if self.chance(40) {
                    body.insert(0, self.wait(&scope));
                }
                if self.chance(50) {
                    body.push(self.act(&scope));
                }
                (body, 1 + other.cost)
            }
            (false, None) => (self.life(&scope), 1),
        };
        let wants_label = self.has(Feature::Goto) || self.has(Feature::Remote);
        let label =
            (wants_label && !matches!(body[0], Stmt::Label(..)) && self.chance(50)).then(|| format!("L{index}"));
        if let Some(label) = &label {
            let first = std::mem::replace(&mut body[0], Stmt::Skip);
            body[0] = Stmt::Label(label.clone(), Box::new(first));
        }
        let vars = params.iter().chain(&locals).filter(|decl| !matches!(decl.ty, Type::Chan | Type::Mtype));
        let vars = vars.map(|decl| decl.name.clone()).collect();
        let only_by = roles.contains(&Role::Creator).then(|| CREATOR.to_string());
        self.children.push(Child { name: name.clone(), roles, only_by, cost, vars, label });
        let mut proc = self.proc(&name, params, locals, body);
        proc.provided = self.lucky(Feature::Provided, 60).then(|| self.provided(&scope));
        proc
    }

    fn roles(&mut self, is_active: bool, recursive: bool, has_creators: bool) -> Vec<Role> {
        let mut roles = Vec::new();
        if self.chance(70) {
            let bit = self.size == 2 && !self.has(Feature::Priority);
            let types = [Type::Byte, Type::Byte, Type::Pid, Type::Int, Type::Short, Type::Bit];
            let ty = types[self.below(if bit { 6 } else { 5 })].clone();
            roles.push(Role::Index(ty));
        }
        if self.chance(50) {
            roles.push(Role::Value(self.base.scalar_type_of_parameter()));
        }
        // What is active gets no arguments: its channel would be none.
        if !is_active && self.global_chan("b0") && self.lucky(Feature::ChannelParameter, 75) {
            roles.push(Role::Chan);
        }
        if !is_active && !recursive && has_creators && self.lucky(Feature::Remote, 40) {
            roles.push(Role::Creator);
        }
        if recursive {
            roles.push(Role::Depth);
        }
        if self.chance(50) {
            roles.reverse();
        }
        roles
    }

    fn child_locals(&mut self, scope: &mut Scope) -> Vec<Decl> {
        let mut locals = Vec::new();
        if self.chance(40) {
            let init = match (self.below(3), &scope.value, &scope.index) {
                (0, Some((value, ty)), _) if *ty != Type::Mtype => Some(Expr::var(value)),
                (0 | 1, _, Some(index)) => Some(Expr::var(index)),
                _ => None,
            };
            locals.push(local(Type::Byte, "x", init));
            scope.local = Some("x".to_string());
        }
        if self.lucky(Feature::LocalChannel, 35) {
            locals.push(self.own_chan(scope));
        }
        locals
    }

    /// A channel of the process itself; whoever it is passed to is younger.
    pub(super) fn own_chan(&mut self, scope: &mut Scope) -> Decl {
        let capacity = self.base.rng.between(1, 2) as u32;
        let chan = Chan { name: "lq".to_string(), size: None, capacity, fields: vec![Type::Byte] };
        scope.own_chan = Some(chan.name.clone());
        local(Type::Chan, &chan.name, Some(Expr::Name(chan.initialiser())))
    }

    /// Another child to create, with luck.
    fn nested(&mut self, recursive: bool) -> Option<Child> {
        if recursive || !self.chance(25) {
            return None;
        }
        let known: Vec<Child> = self.children.iter().filter(|child| child.only_by.is_none()).cloned().collect();
        self.base.rng.pick(&known).filter(|child| child.cost <= 2).cloned()
    }

    fn life(&mut self, scope: &Scope) -> Vec<Stmt> {
        match self.below(12) {
            0 | 1 => vec![Stmt::Skip],
            2..=5 => (0..self.base.rng.between(1, 2)).map(|_| self.act(scope)).collect(),
            6 | 7 => {
                let mut body = vec![self.wait(scope)];
                if self.chance(60) {
                    body.push(self.act(scope));
                }
                body
            }
            8 | 9 => self.by_parameter(scope),
            _ => {
                let options = (0..self.base.rng.between(1, 2)).map(|_| vec![self.act(scope)]).collect();
                let repeated = Stmt::Do(options);
                let is_end = self.lucky(Feature::EndLabel, 80);
                vec![if is_end { Stmt::Label("end".to_string(), Box::new(repeated)) } else { repeated }]
            }
        }
    }

    /// Different things for different arguments.
    fn by_parameter(&mut self, scope: &Scope) -> Vec<Stmt> {
        let about = match (&scope.index, &scope.value) {
            (Some(index), _) => Expr::var(index),
            (None, Some((value, ty))) if *ty != Type::Mtype => Expr::var(value),
            _ if self.has(Feature::Predefined) => Expr::Name("_pid".to_string()),
            _ => Expr::var("g"),
        };
        let constant = self.constant_below(3);
        let other = match self.has(Feature::Else) {
            true => Stmt::Else,
            false => Stmt::Condition(Expr::binary("!=", about.clone(), constant.clone())),
        };
        let mut options = vec![vec![Stmt::Condition(Expr::binary("==", about, constant))], vec![other]];
        for option in &mut options {
            if self.chance(70) {
                option.push(self.act(scope));
            }
        }
        vec![Stmt::If(options)]
    }

    /// A process that creates one of its own kind, as long as its depth allows it.
    fn recursion(&mut self, name: &str, roles: &[Role], scope: &Scope) -> Vec<Stmt> {
        let depth = || Expr::var("d");
        let child = Child {
            name: name.to_string(),
            roles: roles.to_vec(),
            only_by: None,
            cost: 0,
            vars: Vec::new(),
            label: None,
        };
        let Expr::Run { proc, mut args, priority } = self.run(&child, scope) else {
            return vec![Stmt::Skip];
        };
        for (arg, _) in args.iter_mut().zip(roles).filter(|(_, role)| **role == Role::Depth) {
            *arg = Expr::binary("-", depth(), Expr::Const(1));
        }
        let create = Stmt::Condition(Expr::Run { proc, args, priority });
        let mut deeper = vec![Stmt::Condition(Expr::binary(">", depth(), Expr::Const(0))), create];
        if self.chance(30) {
            deeper.push(self.act(scope));
        }
        let last = match self.has(Feature::Else) {
            true => Stmt::Else,
            false => Stmt::Condition(Expr::binary("==", depth(), Expr::Const(0))),
        };
        let mut body = vec![Stmt::If(vec![deeper, vec![last]])];
        if self.chance(40) {
            body.insert(0, self.act(scope));
        }
        body
    }

    /// SPIN takes parameters in the index of an array only.
    fn provided(&mut self, scope: &Scope) -> Expr {
        let index = match &scope.index {
            Some(index) if self.chance(60) => Expr::var(index),
            _ if self.chance(50) => {
                Expr::binary("&", Expr::Name("_pid".to_string()), Expr::Const(i64::from(self.size - 1)))
            }
            _ => self.constant_below(self.size),
        };
        Expr::binary("==", Expr::Place(Place::element("w", index)), Expr::Const(0))
    }
}

/// The parameter for a role; it comes into scope.
fn parameter(role: &Role, scope: &mut Scope) -> Decl {
    match role {
        Role::Index(ty) => {
            scope.index = Some("i".to_string());
            local(ty.clone(), "i", None)
        }
        Role::Value(ty) => {
            scope.value = Some(("v".to_string(), ty.clone()));
            local(ty.clone(), "v", None)
        }
        Role::Chan => {
            scope.chan = Some("pc".to_string());
            local(Type::Chan, "pc", None)
        }
        Role::Creator => {
            scope.creator = Some((CREATOR.to_string(), "by".to_string()));
            local(Type::Pid, "by", None)
        }
        Role::Depth => local(Type::Byte, "d", None),
    }
}
