//! Formulas with negations at atoms only, shared, with conjunctions and disjunctions as sorted lists.
//!
//! Operands have smaller numbers than what is made of them. How a formula of this kind is made small is told in
//! `rewrite.rs`; here is only what they are, and how formulas as written become such.

use fxhash::FxHashMap;

use crate::formula::{FormulaId, Formulas, Node};

/// A formula in negation normal form.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Ltl(pub u32);

/// Its forms.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Form {
    True,
    False,
    /// A proposition and whether it stands positive.
    Literal(u32, bool),
    /// At least two, sorted; none is a conjunction.
    And(Box<[Ltl]>),
    /// At least two, sorted; none is a disjunction.
    Or(Box<[Ltl]>),
    Next(Ltl),
    Eventually(Ltl),
    Always(Ltl),
    Until(Ltl, Ltl),
    Release(Ltl, Ltl),
    WeakUntil(Ltl, Ltl),
    StrongRelease(Ltl, Ltl),
}

/// What is known of a formula from its form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    /// If a suffix of a word satisfies it, so does the word.
    pub eventual: bool,
    /// If a word satisfies it, so do its suffixes.
    pub universal: bool,
    /// Without temporal operators.
    pub boolean: bool,
    /// Has the operator X.
    pub has_next: bool,
}

/// A table of formulas.
pub(crate) struct Table {
    forms: Vec<Form>,
    facts: Vec<Facts>,
    ids: FxHashMap<Form, Ltl>,
    /// The least atom in a formula.
    first_atom: Vec<Option<u32>>,
    /// What is known of implications.
    pub(crate) implied: FxHashMap<(Ltl, Ltl), bool>,
    pub(crate) negations: FxHashMap<Ltl, Ltl>,
}

impl Table {
    pub(crate) const TRUE: Ltl = Ltl(0);
    pub(crate) const FALSE: Ltl = Ltl(1);

    pub(crate) fn new() -> Self {
        let mut table = Table {
            forms: Vec::new(),
            facts: Vec::new(),
            ids: FxHashMap::default(),
            first_atom: Vec::new(),
            implied: FxHashMap::default(),
            negations: FxHashMap::default(),
        };
        table.add(Form::True);
        table.add(Form::False);
        table
    }

    /// The formula of exactly this form.
    pub(crate) fn add(&mut self, form: Form) -> Ltl {
        if let Some(&known) = self.ids.get(&form) {
            return known;
        }
        let id = Ltl(self.forms.len() as u32);
        let facts = self.find_facts(&form);
        let first = match &form {
            Form::Literal(prop, _) => Some(*prop),
            form => operands(form).filter_map(|operand| self.first_atom(operand)).min(),
        };
        self.first_atom.push(first);
        self.facts.push(facts);
        self.forms.push(form.clone());
        self.ids.insert(form, id);
        id
    }

    pub(crate) fn form(&self, f: Ltl) -> &Form {
        &self.forms[f.0 as usize]
    }

    pub(crate) fn facts(&self, f: Ltl) -> Facts {
        self.facts[f.0 as usize]
    }

    pub(crate) fn first_atom(&self, f: Ltl) -> Option<u32> {
        self.first_atom[f.0 as usize]
    }

    /// Everything a formula is made of, itself included, operands first.
    pub(crate) fn parts(&self, root: Ltl) -> Vec<Ltl> {
        let mut used = vec![false; root.0 as usize + 1];
        used[root.0 as usize] = true;
        for id in (0..used.len()).rev() {
            if used[id] {
                operands(&self.forms[id]).for_each(|operand| used[operand.0 as usize] = true);
            }
        }
        (0..=root.0).filter(|&id| used[id as usize]).map(Ltl).collect()
    }

    /// Whether it is both eventual and universal: a word satisfies it exactly if its suffixes do.
    pub(crate) fn is_suspendable(&self, f: Ltl) -> bool {
        self.facts(f).eventual && self.facts(f).universal
    }

    /// Etessami and Holzmann's classes, "Optimizing Büchi automata", CONCUR 2000.
    fn find_facts(&self, form: &Form) -> Facts {
        let of = |f: Ltl| self.facts(f);
        let all = |list: &[Ltl], test: fn(Facts) -> bool| list.iter().all(|&f| test(of(f)));
        let (eventual, universal) = match form {
            Form::True | Form::False => (true, true),
            Form::Literal(..) => (false, false),
            Form::And(list) | Form::Or(list) => (all(list, |f| f.eventual), all(list, |f| f.universal)),
            Form::Next(f) => (of(*f).eventual, of(*f).universal),
            Form::Eventually(f) => (true, of(*f).universal),
            Form::Always(f) => (of(*f).eventual, true),
            Form::Until(a, b) | Form::WeakUntil(a, b) => {
                let weak = matches!(form, Form::WeakUntil(..));
                (of(*b).eventual && (!weak || of(*a).eventual), of(*a).universal && of(*b).universal)
            }
            Form::Release(a, b) | Form::StrongRelease(a, b) => {
                let strong = matches!(form, Form::StrongRelease(..));
                (of(*a).eventual && of(*b).eventual, of(*b).universal && (!strong || of(*a).universal))
            }
        };
        let boolean = match form {
            Form::True | Form::False | Form::Literal(..) => true,
            Form::And(list) | Form::Or(list) => all(list, |f| f.boolean),
            _ => false,
        };
        let has_next = matches!(form, Form::Next(_)) || operands(form).any(|f| of(f).has_next);
        Facts { eventual, universal, boolean, has_next }
    }

    /// The formula, or its negation, in negation normal form.
    pub(crate) fn of_formula(&mut self, formulas: &Formulas, root: FormulaId, positive: bool) -> Ltl {
        let mut needed: FxHashMap<(FormulaId, bool), Ltl> = FxHashMap::default();
        needed.insert((root, positive), Table::TRUE);
        let parts = formulas.parts(root);
        for &id in parts.iter().rev() {
            for polarity in [false, true] {
                if needed.contains_key(&(id, polarity)) {
                    for need in uses(formulas.node(id), polarity) {
                        needed.entry(need).or_insert(Table::TRUE);
                    }
                }
            }
        }
        for &id in &parts {
            for polarity in [false, true] {
                if needed.contains_key(&(id, polarity)) {
                    let get = |f: FormulaId, polarity: bool| needed[&(f, polarity)];
                    let made = self.of_node(formulas.node(id), polarity, &get);
                    needed.insert((id, polarity), made);
                }
            }
        }
        needed[&(root, positive)]
    }

    fn of_node(&mut self, node: Node, pos: bool, get: &dyn Fn(FormulaId, bool) -> Ltl) -> Ltl {
        match node {
            Node::Constant(value) => {
                if value == pos {
                    Table::TRUE
                } else {
                    Table::FALSE
                }
            }
            Node::Atom(prop) => self.add(Form::Literal(prop.0, pos)),
            Node::Not(f) => get(f, !pos),
            Node::And(f, g) if pos => self.and([get(f, true), get(g, true)]),
            Node::And(f, g) => self.or([get(f, false), get(g, false)]),
            Node::Or(f, g) if pos => self.or([get(f, true), get(g, true)]),
            Node::Or(f, g) => self.and([get(f, false), get(g, false)]),
            Node::Implies(f, g) if pos => self.or([get(f, false), get(g, true)]),
            Node::Implies(f, g) => self.and([get(f, true), get(g, false)]),
            Node::Equivalent(f, g) => {
                let one = self.and([get(f, true), get(g, pos)]);
                let other = self.and([get(f, false), get(g, !pos)]);
                self.or([one, other])
            }
            Node::Next(f) => self.next(get(f, pos)),
            Node::Eventually(f) if pos => self.eventually(get(f, true)),
            Node::Eventually(f) => self.always(get(f, false)),
            Node::Always(f) if pos => self.always(get(f, true)),
            Node::Always(f) => self.eventually(get(f, false)),
            Node::Until(f, g) if pos => self.until(get(f, true), get(g, true)),
            Node::Until(f, g) => self.release(get(f, false), get(g, false)),
            Node::Release(f, g) if pos => self.release(get(f, true), get(g, true)),
            Node::Release(f, g) => self.until(get(f, false), get(g, false)),
            Node::WeakUntil(f, g) if pos => self.weak_until(get(f, true), get(g, true)),
            Node::WeakUntil(f, g) => self.strong_release(get(f, false), get(g, false)),
            Node::StrongRelease(f, g) if pos => self.strong_release(get(f, true), get(g, true)),
            Node::StrongRelease(f, g) => self.weak_until(get(f, false), get(g, false)),
        }
    }
}

/// The operands of a form.
pub(crate) fn operands(form: &Form) -> impl Iterator<Item = Ltl> + '_ {
    let (list, pair): (&[Ltl], _) = match form {
        Form::True | Form::False | Form::Literal(..) => (&[], None),
        Form::And(list) | Form::Or(list) => (list, None),
        Form::Next(a) | Form::Eventually(a) | Form::Always(a) => (std::slice::from_ref(a), None),
        Form::Until(a, b) | Form::Release(a, b) | Form::WeakUntil(a, b) | Form::StrongRelease(a, b) => {
            (&[], Some([*a, *b]))
        }
    };
    list.iter().copied().chain(pair.into_iter().flatten())
}

/// Which operands are needed in which polarity.
fn uses(node: Node, pos: bool) -> Vec<(FormulaId, bool)> {
    match node {
        Node::Not(f) => vec![(f, !pos)],
        Node::Implies(f, g) => vec![(f, !pos), (g, pos)],
        Node::Equivalent(f, g) => vec![(f, false), (f, true), (g, false), (g, true)],
        node => node.operands().map(|f| (f, pos)).collect(),
    }
}
