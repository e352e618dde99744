//! Formulas simplified while they are built: each constructor applies the rules of its operator.
//!
//! A formula is *eventual* if prefixes may be put before a word that satisfies it, *universal* if they may be cut off; one
//! that is both holds for a word exactly if it does for its suffixes, and can be moved out of any temporal operator. Every rule is an
//! equality of languages, and makes the formula smaller or moves such parts outwards, so that rewriting ends.
//!
//! Etessami, Holzmann, "Optimizing Büchi automata", CONCUR 2000; Somenzi, Bloem, "Efficient Büchi automata from LTL
//! formulae", CAV 2000; Babiak, Křetínský, Řehák, Strejček, "LTL to Büchi automata translation: fast and more
//! deterministic", TACAS 2012.

use crate::nnf::{Facts, Form, Ltl, Table};

impl Table {
    /// The conjunction.
    pub(crate) fn and(&mut self, list: impl IntoIterator<Item = Ltl>) -> Ltl {
        let Some(flat) = self.flatten(list, true) else { return Table::FALSE };
        if let Some(merged) = self.merge_and(&flat) {
            return merged;
        }
        let Some(flat) = self.without_implied(flat, true) else { return Table::FALSE };
        match flat.as_slice() {
            [] => Table::TRUE,
            &[only] => only,
            _ => self.add(Form::And(flat.into())),
        }
    }

    /// The disjunction.
    pub(crate) fn or(&mut self, list: impl IntoIterator<Item = Ltl>) -> Ltl {
        let Some(flat) = self.flatten(list, false) else { return Table::TRUE };
        if let Some(merged) = self.merge_or(&flat) {
            return merged;
        }
        let Some(flat) = self.without_implied(flat, false) else { return Table::TRUE };
        match flat.as_slice() {
            [] => Table::FALSE,
            &[only] => only,
            _ => self.add(Form::Or(flat.into())),
        }
    }

    /// The operands, sorted, without neutral ones; `None` if one decides everything.
    fn flatten(&mut self, list: impl IntoIterator<Item = Ltl>, is_and: bool) -> Option<Vec<Ltl>> {
        let (unit, zero) = if is_and { (Table::TRUE, Table::FALSE) } else { (Table::FALSE, Table::TRUE) };
        let mut flat = Vec::new();
        for f in list {
            match self.form(f) {
                Form::And(inner) if is_and => flat.extend(inner.iter().copied()),
                Form::Or(inner) if !is_and => flat.extend(inner.iter().copied()),
                _ => flat.push(f),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        flat.retain(|&f| f != unit);
        (!flat.contains(&zero)).then_some(flat)
    }

    /// Leaves out operands that others imply; `None` if two exclude each other (or, in a disjunction, exhaust).
    fn without_implied(&mut self, mut list: Vec<Ltl>, is_and: bool) -> Option<Vec<Ltl>> {
        let mut at = 0;
        while at < list.len() {
            let f = list[at];
            let mut needed = true;
            for &other in list.iter().filter(|&&other| other != f) {
                let (strong, weak) = if is_and { (other, f) } else { (f, other) };
                if self.implies(strong, weak) {
                    needed = false;
                    break;
                }
                let opposite = self.negation(other);
                let excluded = if is_and { self.implies(f, opposite) } else { self.implies(opposite, f) };
                if excluded {
                    return None;
                }
            }
            if needed {
                at += 1;
            } else {
                list.remove(at);
            }
        }
        Some(list)
    }

    /// Joins two operands of a conjunction that make one.
    fn merge_and(&mut self, list: &[Ltl]) -> Option<Ltl> {
        for (at, &f) in list.iter().enumerate() {
            for &g in &list[at + 1..] {
                let merged = match (self.form(f).clone(), self.form(g).clone()) {
                    (Form::Next(a), Form::Next(b)) => {
                        let both = self.and([a, b]);
                        self.next(both)
                    }
                    // Kept apart if it is about what recurs: each is then rewritten by itself.
                    (Form::Always(a), Form::Always(b)) if !self.facts(a).eventual && !self.facts(b).eventual => {
                        let both = self.and([a, b]);
                        self.always(both)
                    }
                    (Form::Eventually(a), Form::Eventually(b))
                        if self.facts(a).universal && self.facts(b).universal =>
                    {
                        let both = self.and([a, b]);
                        self.eventually(both)
                    }
                    (Form::Until(a, b), Form::Until(c, d)) if b == d => {
                        let both = self.and([a, c]);
                        self.until(both, b)
                    }
                    (Form::WeakUntil(a, b), Form::WeakUntil(c, d)) if b == d => {
                        let both = self.and([a, c]);
                        self.weak_until(both, b)
                    }
                    (Form::Release(a, b), Form::Release(c, d)) if a == c => {
                        let both = self.and([b, d]);
                        self.release(a, both)
                    }
                    (Form::StrongRelease(a, b), Form::StrongRelease(c, d)) if a == c => {
                        let both = self.and([b, d]);
                        self.strong_release(a, both)
                    }
                    _ => continue,
                };
                let rest = list.iter().copied().filter(|&other| other != f && other != g);
                return Some(self.and(rest.chain([merged]).collect::<Vec<_>>()));
            }
        }
        None
    }

    /// Joins two operands of a disjunction that make one.
    fn merge_or(&mut self, list: &[Ltl]) -> Option<Ltl> {
        for (at, &f) in list.iter().enumerate() {
            for &g in &list[at + 1..] {
                let merged = match (self.form(f).clone(), self.form(g).clone()) {
                    (Form::Next(a), Form::Next(b)) => {
                        let any = self.or([a, b]);
                        self.next(any)
                    }
                    (Form::Eventually(a), Form::Eventually(b)) => {
                        let any = self.or([a, b]);
                        self.eventually(any)
                    }
                    (Form::Always(a), Form::Always(b)) if self.facts(a).eventual && self.facts(b).eventual => {
                        let any = self.or([a, b]);
                        self.always(any)
                    }
                    // What recurs need not be decided before the other is.
                    (Form::Eventually(a), _) if self.is_suspendable(g) => {
                        let any = self.or([a, g]);
                        self.add_eventually(any)
                    }
                    (_, Form::Eventually(b)) if self.is_suspendable(f) => {
                        let any = self.or([b, f]);
                        self.add_eventually(any)
                    }
                    (Form::Until(a, b), Form::Until(c, d)) if a == c => {
                        let any = self.or([b, d]);
                        self.until(a, any)
                    }
                    (Form::WeakUntil(a, b), Form::WeakUntil(c, d)) if a == c => {
                        let any = self.or([b, d]);
                        self.weak_until(a, any)
                    }
                    (Form::Release(a, b), Form::Release(c, d)) if b == d => {
                        let any = self.or([a, c]);
                        self.release(any, b)
                    }
                    (Form::StrongRelease(a, b), Form::StrongRelease(c, d)) if b == d => {
                        let any = self.or([a, c]);
                        self.strong_release(any, b)
                    }
                    _ => continue,
                };
                let rest = list.iter().copied().filter(|&other| other != f && other != g);
                return Some(self.or(rest.chain([merged]).collect::<Vec<_>>()));
            }
        }
        None
    }

    /// `F f` where `f` may have parts that are eventual.
    fn add_eventually(&mut self, f: Ltl) -> Ltl {
        if self.facts(f).eventual { f } else { self.add(Form::Eventually(f)) }
    }

    /// The operands of a conjunction (or disjunction) that have a property, joined, and the others, joined; `None` if there
    /// are none.
    fn split(&mut self, f: Ltl, is_and: bool, test: impl Fn(Facts) -> bool) -> Option<(Ltl, Ltl)> {
        let list = match (self.form(f), is_and) {
            (Form::And(list), true) | (Form::Or(list), false) => list.to_vec(),
            _ => return None,
        };
        let (with, without): (Vec<Ltl>, Vec<Ltl>) = list.into_iter().partition(|&g| test(self.facts(g)));
        if with.is_empty() {
            return None;
        }
        Some(if is_and { (self.and(with), self.and(without)) } else { (self.or(with), self.or(without)) })
    }

    /// `X f`.
    pub(crate) fn next(&mut self, f: Ltl) -> Ltl {
        if self.is_suspendable(f) {
            return f;
        }
        for is_and in [true, false] {
            if let Some((out, rest)) = self.split(f, is_and, recurs) {
                let rest = self.next(rest);
                return if is_and { self.and([out, rest]) } else { self.or([out, rest]) };
            }
        }
        self.add(Form::Next(f))
    }

    /// `F f`.
    pub(crate) fn eventually(&mut self, f: Ltl) -> Ltl {
        if self.facts(f).eventual {
            return f;
        }
        if let Some((out, rest)) = self.split(f, true, recurs) {
            let rest = self.eventually(rest);
            return self.and([out, rest]);
        }
        match *self.form(f) {
            Form::Next(a) => {
                let later = self.eventually(a);
                self.next(later)
            }
            Form::Until(_, b) => self.eventually(b),
            Form::StrongRelease(a, b) => {
                let both = self.and([a, b]);
                self.eventually(both)
            }
            Form::Release(a, b) => {
                let (both, always) = (self.and([a, b]), self.always(b));
                let any = self.or([both, always]);
                self.eventually(any)
            }
            Form::WeakUntil(a, b) => {
                let always = self.always(a);
                let any = self.or([b, always]);
                self.eventually(any)
            }
            Form::Always(a) => self.eventually_always(a, f),
            _ => self.add(Form::Eventually(f)),
        }
    }

    /// `F G a`; `always` is `G a`.
    fn eventually_always(&mut self, a: Ltl, always: Ltl) -> Ltl {
        let persists = |table: &mut Table, f: Ltl| {
            let f = table.always(f);
            table.eventually(f)
        };
        match *self.form(a) {
            Form::Until(c, d) => {
                let any = self.or([c, d]);
                let (persists, later) = (persists(self, any), self.eventually(d));
                let recurs = self.always(later);
                return self.and([persists, recurs]);
            }
            Form::Release(_, d) => return persists(self, d),
            Form::WeakUntil(c, d) => {
                let any = self.or([c, d]);
                return persists(self, any);
            }
            Form::StrongRelease(c, d) => {
                let (persists, later) = (persists(self, d), self.eventually(c));
                let recurs = self.always(later);
                return self.and([persists, recurs]);
            }
            _ => {}
        }
        if let Some((eventual, rest)) = self.split(a, false, |g| g.eventual) {
            let (recurs, persists) = (self.always(eventual), persists(self, rest));
            return self.or([recurs, persists]);
        }
        if let Some((universal, rest)) = self.split(a, false, |g| g.universal) {
            let (later, persists) = (self.eventually(universal), persists(self, rest));
            return self.or([later, persists]);
        }
        self.add(Form::Eventually(always))
    }

    /// `G f`.
    pub(crate) fn always(&mut self, f: Ltl) -> Ltl {
        if self.facts(f).universal {
            return f;
        }
        if let Some((out, rest)) = self.split(f, true, |g| g.universal) {
            let rest = self.always(rest);
            return self.and([out, rest]);
        }
        if let Some((out, rest)) = self.split(f, false, recurs) {
            let rest = self.always(rest);
            return self.or([out, rest]);
        }
        match self.form(f).clone() {
            Form::And(list) if list.iter().any(|&g| self.facts(g).eventual) => {
                let (eventual, rest): (Vec<Ltl>, Vec<Ltl>) = list.iter().partition(|&&g| self.facts(g).eventual);
                let rest = self.and(rest);
                let mut parts: Vec<Ltl> = eventual.into_iter().map(|g| self.always(g)).collect();
                parts.push(self.always(rest));
                self.and(parts)
            }
            Form::Next(a) => {
                let always = self.always(a);
                self.next(always)
            }
            Form::Release(_, b) => self.always(b),
            Form::WeakUntil(a, b) => {
                let any = self.or([a, b]);
                self.always(any)
            }
            Form::Until(a, b) if self.facts(b).boolean => {
                let (any, later) = (self.or([a, b]), self.eventually(b));
                let (always, recurs) = (self.always(any), self.always(later));
                self.and([always, recurs])
            }
            Form::StrongRelease(a, b) if self.facts(a).boolean => {
                let (always, later) = (self.always(b), self.eventually(a));
                let recurs = self.always(later);
                self.and([always, recurs])
            }
            Form::Eventually(a) => self.always_eventually(a, f),
            _ => self.add(Form::Always(f)),
        }
    }

    /// `G F a`; `later` is `F a`.
    fn always_eventually(&mut self, a: Ltl, later: Ltl) -> Ltl {
        let recurs = |table: &mut Table, f: Ltl| {
            let f = table.eventually(f);
            table.always(f)
        };
        if let Some((universal, rest)) = self.split(a, true, |g| g.universal) {
            let (persists, recurs) = (self.eventually(universal), recurs(self, rest));
            return self.and([persists, recurs]);
        }
        if let Some((eventual, rest)) = self.split(a, true, |g| g.eventual) {
            let (always, recurs) = (self.always(eventual), recurs(self, rest));
            return self.and([always, recurs]);
        }
        // Under a disjunction each part can be seen by itself.
        if let Form::Or(list) = self.form(a).clone()
            && list.iter().any(|&g| self.recurs_by_itself(g))
        {
            let (apart, rest): (Vec<Ltl>, Vec<Ltl>) = list.iter().partition(|&&g| self.recurs_by_itself(g));
            let rest = self.or(rest);
            let mut parts: Vec<Ltl> = apart.into_iter().map(|g| recurs(self, g)).collect();
            parts.push(recurs(self, rest));
            return self.or(parts);
        }
        self.add(Form::Always(later))
    }

    /// Whether `G F f` is something simpler.
    fn recurs_by_itself(&self, f: Ltl) -> bool {
        match self.form(f) {
            Form::And(list) => list.iter().any(|&g| self.facts(g).universal || self.facts(g).eventual),
            Form::Next(_) => true,
            form => !matches!(form, Form::Literal(..)) && (self.facts(f).universal || self.facts(f).eventual),
        }
    }

    /// `a U b`.
    pub(crate) fn until(&mut self, a: Ltl, b: Ltl) -> Ltl {
        if self.facts(b).eventual || self.implies(a, b) {
            return b;
        }
        let not_b = self.negation(b);
        if self.implies(not_b, a) {
            return self.eventually(b);
        }
        if let (&Form::Next(c), &Form::Next(d)) = (self.form(a), self.form(b)) {
            let until = self.until(c, d);
            return self.next(until);
        }
        if let Form::Until(c, _) = *self.form(b)
            && self.implies(a, c)
        {
            return b;
        }
        let universal = if self.is_suspendable(a) { Some((a, Table::TRUE)) } else { self.split(a, true, recurs) };
        if let Some((universal, rest)) = universal {
            let until = self.until(rest, b);
            let both = self.and([universal, until]);
            return self.or([b, both]);
        }
        if let Some((eventual, rest)) = self.split(b, false, |g| g.eventual) {
            let until = self.until(a, rest);
            return self.or([eventual, until]);
        }
        if let Some((out, rest)) = self.split(b, true, recurs) {
            let until = self.until(a, rest);
            return self.and([out, until]);
        }
        self.add(Form::Until(a, b))
    }

    /// `a W b`.
    pub(crate) fn weak_until(&mut self, a: Ltl, b: Ltl) -> Ltl {
        if b == Table::FALSE {
            return self.always(a);
        }
        if self.implies(a, b) {
            return b;
        }
        let not_b = self.negation(b);
        if self.implies(not_b, a) {
            return Table::TRUE;
        }
        if self.facts(a).universal {
            return self.or([a, b]);
        }
        if let (&Form::Next(c), &Form::Next(d)) = (self.form(a), self.form(b)) {
            let until = self.weak_until(c, d);
            return self.next(until);
        }
        if let Form::WeakUntil(c, _) = *self.form(b)
            && self.implies(a, c)
        {
            return b;
        }
        if let Some((universal, rest)) = self.split(a, true, recurs) {
            let until = self.weak_until(rest, b);
            let both = self.and([universal, until]);
            return self.or([b, both]);
        }
        if let Some((eventual, rest)) = self.split(b, false, |g| g.eventual) {
            let until = self.weak_until(a, rest);
            return self.or([eventual, until]);
        }
        self.add(Form::WeakUntil(a, b))
    }

    /// `a V b`.
    pub(crate) fn release(&mut self, a: Ltl, b: Ltl) -> Ltl {
        if self.facts(b).universal || self.implies(b, a) {
            return b;
        }
        let not_b = self.negation(b);
        if self.implies(a, not_b) {
            return self.always(b);
        }
        if let (&Form::Next(c), &Form::Next(d)) = (self.form(a), self.form(b)) {
            let release = self.release(c, d);
            return self.next(release);
        }
        if let Form::Release(c, _) = *self.form(b)
            && self.implies(c, a)
        {
            return b;
        }
        let eventual = if self.is_suspendable(a) { Some((a, Table::FALSE)) } else { self.split(a, false, recurs) };
        if let Some((eventual, rest)) = eventual {
            let release = self.release(rest, b);
            let any = self.or([eventual, release]);
            return self.and([b, any]);
        }
        if let Some((universal, rest)) = self.split(b, true, |g| g.universal) {
            let release = self.release(a, rest);
            return self.and([universal, release]);
        }
        if let Some((out, rest)) = self.split(b, false, recurs) {
            let release = self.release(a, rest);
            return self.or([out, release]);
        }
        self.add(Form::Release(a, b))
    }

    /// `a M b`.
    pub(crate) fn strong_release(&mut self, a: Ltl, b: Ltl) -> Ltl {
        if b == Table::TRUE {
            return self.eventually(a);
        }
        if self.implies(b, a) {
            return b;
        }
        let not_b = self.negation(b);
        if self.implies(a, not_b) {
            return Table::FALSE;
        }
        if self.facts(a).eventual {
            return self.and([a, b]);
        }
        if let (&Form::Next(c), &Form::Next(d)) = (self.form(a), self.form(b)) {
            let release = self.strong_release(c, d);
            return self.next(release);
        }
        if let Form::StrongRelease(c, _) = *self.form(b)
            && self.implies(c, a)
        {
            return b;
        }
        if let Some((eventual, rest)) = self.split(a, false, recurs) {
            let release = self.strong_release(rest, b);
            let any = self.or([eventual, release]);
            return self.and([b, any]);
        }
        if let Some((universal, rest)) = self.split(b, true, |g| g.universal) {
            let release = self.strong_release(a, rest);
            return self.and([universal, release]);
        }
        self.add(Form::StrongRelease(a, b))
    }
}

/// Whether a formula is both eventual and universal.
fn recurs(facts: Facts) -> bool {
    facts.eventual && facts.universal
}
