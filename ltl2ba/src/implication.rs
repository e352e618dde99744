//! When one formula implies another, as far as their forms show it; and negation.
//!
//! Somenzi, Bloem, "Efficient Büchi automata from LTL formulae", CAV 2000. An implication that is missed
//! only leaves a formula larger than it need be. So the search has a budget, and pairs that recur count as unknown.

use crate::nnf::{Form, Ltl, Table};

/// How many pairs are examined for one implication.
const BUDGET: u32 = 2_000;

impl Table {
    /// The negation, pushed to the atoms.
    pub(crate) fn negation(&mut self, f: Ltl) -> Ltl {
        if let Some(&known) = self.negations.get(&f) {
            return known;
        }
        let negation = match self.form(f).clone() {
            Form::True => Table::FALSE,
            Form::False => Table::TRUE,
            Form::Literal(prop, positive) => self.add(Form::Literal(prop, !positive)),
            // Plain forms: an implication needs the shape, not the smallest formula.
            Form::And(list) => {
                let mut list: Vec<Ltl> = list.iter().map(|&g| self.negation(g)).collect();
                list.sort_unstable();
                self.add(Form::Or(list.into()))
            }
            Form::Or(list) => {
                let mut list: Vec<Ltl> = list.iter().map(|&g| self.negation(g)).collect();
                list.sort_unstable();
                self.add(Form::And(list.into()))
            }
            Form::Next(a) => {
                let a = self.negation(a);
                self.add(Form::Next(a))
            }
            Form::Eventually(a) => {
                let a = self.negation(a);
                self.add(Form::Always(a))
            }
            Form::Always(a) => {
                let a = self.negation(a);
                self.add(Form::Eventually(a))
            }
            Form::Until(a, b) => self.negated_pair(a, b, Form::Release),
            Form::Release(a, b) => self.negated_pair(a, b, Form::Until),
            Form::WeakUntil(a, b) => self.negated_pair(a, b, Form::StrongRelease),
            Form::StrongRelease(a, b) => self.negated_pair(a, b, Form::WeakUntil),
        };
        self.negations.insert(f, negation);
        self.negations.insert(negation, f);
        negation
    }

    fn negated_pair(&mut self, a: Ltl, b: Ltl, form: fn(Ltl, Ltl) -> Form) -> Ltl {
        let (a, b) = (self.negation(a), self.negation(b));
        self.add(form(a, b))
    }

    /// Whether every word that satisfies `a` is seen to satisfy `b`.
    pub(crate) fn implies(&mut self, a: Ltl, b: Ltl) -> bool {
        let mut budget = BUDGET;
        self.search(a, b, &mut budget)
    }

    fn search(&mut self, a: Ltl, b: Ltl, budget: &mut u32) -> bool {
        if a == b || a == Table::FALSE || b == Table::TRUE {
            return true;
        }
        if a == Table::TRUE || b == Table::FALSE {
            return false;
        }
        if let Some(&known) = self.implied.get(&(a, b)) {
            return known;
        }
        if *budget == 0 {
            return false;
        }
        *budget -= 1;
        let found = self.by_right(a, b, budget) || self.by_left(a, b, budget);
        // With the budget gone a negative answer means nothing.
        if found || *budget > 0 {
            self.implied.insert((a, b), found);
        }
        found
    }

    /// Looks into `b`.
    fn by_right(&mut self, a: Ltl, b: Ltl, budget: &mut u32) -> bool {
        let universal = self.facts(a).universal;
        match (self.form(a).clone(), self.form(b).clone()) {
            (_, Form::And(list)) => return list.iter().all(|&g| self.search(a, g, budget)),
            (Form::Or(_), _) => {}
            (_, Form::Or(list)) if list.iter().any(|&g| self.search(a, g, budget)) => return true,
            (Form::Next(c), Form::Next(d)) if self.search(c, d, budget) => return true,
            (_, Form::Next(d)) if universal => return self.search(a, d, budget),
            (_, Form::Always(d)) if universal => return self.search(a, d, budget),
            (_, Form::Eventually(d)) if self.search(a, d, budget) => return true,
            (Form::Until(c, d), Form::Until(e, f) | Form::WeakUntil(e, f))
            | (Form::WeakUntil(c, d), Form::WeakUntil(e, f))
                if self.search(c, e, budget) && self.search(d, f, budget) =>
            {
                return true;
            }
            (Form::StrongRelease(c, d), Form::StrongRelease(e, f) | Form::Release(e, f))
            | (Form::Release(c, d), Form::Release(e, f))
                if self.search(c, e, budget) && self.search(d, f, budget) =>
            {
                return true;
            }
            _ => {}
        }
        match self.form(b).clone() {
            Form::Until(_, f) => self.search(a, f, budget),
            Form::WeakUntil(e, f) => self.search(a, f, budget) || (universal && self.search(a, e, budget)),
            Form::Release(e, f) => self.search(a, f, budget) && (universal || self.search(a, e, budget)),
            Form::StrongRelease(e, f) => self.search(a, f, budget) && self.search(a, e, budget),
            _ => false,
        }
    }

    /// Looks into `a`.
    fn by_left(&mut self, a: Ltl, b: Ltl, budget: &mut u32) -> bool {
        let eventual = self.facts(b).eventual;
        match self.form(a).clone() {
            Form::Or(list) => list.iter().all(|&g| self.search(g, b, budget)),
            Form::And(list) => list.iter().any(|&g| self.search(g, b, budget)),
            Form::Always(c) => self.search(c, b, budget),
            Form::Eventually(c) => eventual && self.search(c, b, budget),
            Form::Next(c) => eventual && self.search(c, b, budget),
            Form::Until(c, d) => self.search(d, b, budget) && (eventual || self.search(c, b, budget)),
            Form::WeakUntil(c, d) => self.search(d, b, budget) && self.search(c, b, budget),
            Form::Release(_, d) => self.search(d, b, budget),
            Form::StrongRelease(c, d) => self.search(d, b, budget) || (eventual && self.search(c, b, budget)),
            _ => false,
        }
    }
}
