//! Formulas made small while they are made: each constructor applies what is known of its operator.

use crate::nnf::{Form, Ltl, Table};

impl Table {
    /// The conjunction.
    pub(crate) fn and(&mut self, list: impl IntoIterator<Item = Ltl>) -> Ltl {
        self.junction(list, true)
    }

    /// The disjunction.
    pub(crate) fn or(&mut self, list: impl IntoIterator<Item = Ltl>) -> Ltl {
        self.junction(list, false)
    }

    fn junction(&mut self, list: impl IntoIterator<Item = Ltl>, is_and: bool) -> Ltl {
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
        if flat.contains(&zero) {
            return zero;
        }
        for &f in &flat {
            if let &Form::Literal(prop, positive) = self.form(f) {
                let opposite = self.add(Form::Literal(prop, !positive));
                if flat.binary_search(&opposite).is_ok() {
                    return zero;
                }
            }
        }
        match flat.as_slice() {
            [] => unit,
            &[only] => only,
            _ if is_and => self.add(Form::And(flat.into())),
            _ => self.add(Form::Or(flat.into())),
        }
    }

    pub(crate) fn next(&mut self, f: Ltl) -> Ltl {
        if f == Table::TRUE || f == Table::FALSE || self.is_suspendable(f) { f } else { self.add(Form::Next(f)) }
    }

    pub(crate) fn eventually(&mut self, f: Ltl) -> Ltl {
        if self.facts(f).eventual { f } else { self.add(Form::Eventually(f)) }
    }

    pub(crate) fn always(&mut self, f: Ltl) -> Ltl {
        if self.facts(f).universal { f } else { self.add(Form::Always(f)) }
    }

    pub(crate) fn until(&mut self, a: Ltl, b: Ltl) -> Ltl {
        if a == Table::FALSE || a == b || self.facts(b).eventual {
            return b;
        }
        if a == Table::TRUE {
            return self.eventually(b);
        }
        self.add(Form::Until(a, b))
    }

    pub(crate) fn release(&mut self, a: Ltl, b: Ltl) -> Ltl {
        if a == Table::TRUE || a == b || self.facts(b).universal {
            return b;
        }
        if a == Table::FALSE {
            return self.always(b);
        }
        self.add(Form::Release(a, b))
    }

    pub(crate) fn weak_until(&mut self, a: Ltl, b: Ltl) -> Ltl {
        if b == Table::FALSE {
            return self.always(a);
        }
        if a == Table::FALSE || a == b || b == Table::TRUE {
            return b;
        }
        if a == Table::TRUE {
            return Table::TRUE;
        }
        self.add(Form::WeakUntil(a, b))
    }

    pub(crate) fn strong_release(&mut self, a: Ltl, b: Ltl) -> Ltl {
        if a == Table::TRUE || a == b || b == Table::FALSE {
            return b;
        }
        if a == Table::FALSE {
            return Table::FALSE;
        }
        if b == Table::TRUE {
            return self.eventually(a);
        }
        self.add(Form::StrongRelease(a, b))
    }
}
