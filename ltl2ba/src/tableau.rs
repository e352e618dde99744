//! From a formula to an automaton with promises: the tableau, one state per set of demands.
//!
//! A formula is unfolded into what must hold now, what is demanded of the next state, and what is promised:
//! `a U b` is `b`, or `a` and `X(a U b)` and the promise of `b`. This is a Boolean function, monotone in demands and
//! promises. A state is a set of demands; its function is the conjunction of theirs. Each least set of demands by which
//! it can be satisfied is a successor; the letters and promises that go with it are the label.
//! Couvreur, "On-the-fly verification of linear temporal logic", FM 1999.
//!
//! A demand is dropped from a set if another in it simulates it: whatever the other does, letter by letter and promise by
//! promise, it could have done with what it leaves over. Implication alone is not enough: `<>(p && <>q)` implies
//! `<>q` but does not promise `q`, and the promise would be lost. Fritz, Wilke, "Simulation relations for alternating
//! Büchi automata", TCS 2005. States with the same function are one.

use fxhash::FxHashMap;

use crate::bdd::{Bdd, Bdds, Var};
use crate::nnf::{Form, Ltl, Table, operands};
use crate::tgba::{Arrow, Tgba, with_more_promises};
use crate::{Limits, TooLarge};

/// The variables of a translation: demands first, then propositions, each followed by the promises about it.
pub(crate) struct Variables {
    demands: Vec<Ltl>,
    demand_of: FxHashMap<Ltl, u32>,
    atoms: FxHashMap<u32, Var>,
    promises: FxHashMap<Ltl, Var>,
}

impl Variables {
    fn of(table: &Table, root: Ltl) -> Self {
        let parts = table.parts(root);
        let mut demands: Vec<Ltl> = Vec::new();
        let mut atoms: Vec<u32> = Vec::new();
        let mut promised: Vec<Ltl> = Vec::new();
        for &part in &parts {
            match table.form(part) {
                Form::Literal(prop, _) => atoms.push(*prop),
                Form::Next(f) => demands.extend(conjuncts(table, *f)),
                Form::Eventually(f) | Form::Until(_, f) | Form::StrongRelease(f, _) => {
                    demands.push(part);
                    promised.push(*f);
                }
                Form::Always(_) | Form::Release(..) | Form::WeakUntil(..) => demands.push(part),
                Form::True | Form::False | Form::And(_) | Form::Or(_) => {}
            }
        }
        demands.extend(conjuncts(table, root));
        for list in [&mut demands, &mut promised] {
            list.sort_unstable();
            list.dedup();
        }
        // What is made of others comes first: it is decided first.
        demands.reverse();
        atoms.sort_unstable();
        atoms.dedup();
        let demand_of = demands.iter().enumerate().map(|(at, &f)| (f, at as u32)).collect();
        let atoms: FxHashMap<u32, Var> = atoms.into_iter().map(|atom| (atom, atom_variable(atom))).collect();
        let mut promises: FxHashMap<Ltl, Var> = FxHashMap::default();
        for f in promised {
            // Near the first atom of what is promised, so that diagrams stay small.
            let near = table.first_atom(f).map_or(ATOMS - SPACING, |atom| atom_variable(atom).0);
            let var = Var(near + 1 + promises.len() as u32);
            promises.insert(f, var);
        }
        Variables { demands, demand_of, atoms, promises }
    }
}

/// More demands are not worth a try; recursion is as deep as there are demands.
const MAX_DEMANDS: usize = 2_000;

/// Up to how many demands, or sets of demands, are compared with each other.
const COMPARED: usize = 300;

/// Variables below this are demands, and promises about nothing.
const ATOMS: u32 = 1 << 17;
/// Room for the promises about an atom.
const SPACING: u32 = 1 << 16;

/// The variable of a proposition; the same in all automata of a table.
pub(crate) fn atom_variable(atom: u32) -> Var {
    Var(ATOMS + atom * SPACING)
}

/// The proposition of a variable.
pub(crate) fn atom_of(var: Var) -> u32 {
    (var.0 - ATOMS) / SPACING
}

/// A variable that is no proposition, demand or promise of a tableau.
pub(crate) const SPARE: Var = Var(ATOMS - 1);

fn conjuncts(table: &Table, f: Ltl) -> Vec<Ltl> {
    match table.form(f) {
        Form::And(list) => list.to_vec(),
        Form::True => Vec::new(),
        _ => vec![f],
    }
}

struct Tableau<'a> {
    table: &'a Table,
    bdds: &'a mut Bdds,
    variables: Variables,
    /// What each demand unfolds to.
    unfolded: Vec<Bdd>,
    /// The demands by which a demand is carried: they simulate it.
    carriers: Vec<Vec<u32>>,
    promises: Vec<Var>,
    states: FxHashMap<Vec<u32>, Option<usize>>,
    by_function: FxHashMap<Bdd, usize>,
    functions: Vec<Bdd>,
}

/// The automaton of a formula. Labels are over the variables of the alphabet.
pub(crate) fn tableau(table: &Table, root: Ltl, bdds: &mut Bdds, limits: &Limits) -> Result<Tgba, TooLarge> {
    let variables = Variables::of(table, root);
    if variables.demands.len() > MAX_DEMANDS {
        return Err(TooLarge);
    }
    let mut promises: Vec<Var> = variables.promises.values().copied().collect();
    promises.sort_unstable();
    let mut tableau = Tableau {
        table,
        bdds,
        variables,
        unfolded: Vec::new(),
        carriers: Vec::new(),
        promises: promises.clone(),
        states: FxHashMap::default(),
        by_function: FxHashMap::default(),
        functions: Vec::new(),
    };
    tableau.unfold(root, limits)?;
    tableau.find_carriers(limits)?;
    tableau.unfolded = tableau.unfolded.clone().into_iter().map(|function| tableau.without_carried(function)).collect();
    let first: Vec<u32> = conjuncts(table, root).iter().map(|f| tableau.variables.demand_of[f]).collect();
    let mut edges: Vec<Vec<Arrow>> = Vec::new();
    if tableau.state(first).is_none() {
        return Ok(Tgba { edges: vec![Vec::new()], promises });
    }
    let mut edge_count = 0;
    while edges.len() < tableau.functions.len() {
        let function = tableau.functions[edges.len()];
        let found = tableau.edges(function, limits)?;
        edge_count += found.len();
        limits.check(tableau.functions.len(), edge_count, tableau.bdds)?;
        edges.push(found);
    }
    let mut tgba = Tgba { edges, promises };
    tgba.merge_edges(bdds);
    Ok(tgba)
}

impl Tableau<'_> {
    /// Computes the function of every demand.
    fn unfold(&mut self, root: Ltl, limits: &Limits) -> Result<(), TooLarge> {
        let mut functions: FxHashMap<Ltl, Bdd> = FxHashMap::default();
        for part in self.table.parts(root) {
            // The conjunction of everything is what states are for.
            if part == root && matches!(self.table.form(root), Form::And(_)) {
                continue;
            }
            let function = self.unfold_part(part, &functions);
            functions.insert(part, function);
            limits.check(0, 0, self.bdds)?;
        }
        self.unfolded = self.variables.demands.iter().map(|f| functions[f]).collect();
        Ok(())
    }

    fn unfold_part(&mut self, part: Ltl, functions: &FxHashMap<Ltl, Bdd>) -> Bdd {
        let form = self.table.form(part);
        let bdds = &mut *self.bdds;
        let again = self.variables.demand_of.get(&part).map(|&at| bdds.var(Var(at)));
        let again = again.unwrap_or(Bdd::TRUE);
        let promised = |bdds: &mut Bdds, f: Ltl| {
            let promise = bdds.var(self.variables.promises[&f]);
            bdds.and(promise, again)
        };
        match form {
            Form::True => Bdd::TRUE,
            Form::False => Bdd::FALSE,
            Form::Literal(prop, positive) => bdds.literal(self.variables.atoms[prop], *positive),
            Form::And(_) => operands(form).fold(Bdd::TRUE, |all, f| bdds.and(all, functions[&f])),
            Form::Or(_) => operands(form).fold(Bdd::FALSE, |any, f| bdds.or(any, functions[&f])),
            Form::Next(f) => conjuncts(self.table, *f).iter().fold(Bdd::TRUE, |all, demand| {
                let demand = bdds.var(Var(self.variables.demand_of[demand]));
                bdds.and(all, demand)
            }),
            Form::Eventually(f) => {
                let later = promised(bdds, *f);
                bdds.or(functions[f], later)
            }
            Form::Always(f) => bdds.and(functions[f], again),
            Form::Until(a, b) => {
                let later = promised(bdds, *b);
                let later = bdds.and(functions[a], later);
                bdds.or(functions[b], later)
            }
            Form::WeakUntil(a, b) => {
                let later = bdds.and(functions[a], again);
                bdds.or(functions[b], later)
            }
            Form::Release(a, b) => {
                let free = bdds.or(functions[a], again);
                bdds.and(functions[b], free)
            }
            Form::StrongRelease(a, b) => {
                let later = promised(bdds, *a);
                let free = bdds.or(functions[a], later);
                bdds.and(functions[b], free)
            }
        }
    }

    /// The demands in a function replaced by other functions of demands.
    fn replace(&mut self, function: Bdd, by: &[Bdd], known: &mut FxHashMap<Bdd, Bdd>) -> Bdd {
        let Some(var) = self.bdds.top(function).filter(|var| (var.0 as usize) < by.len()) else { return function };
        if let Some(&known) = known.get(&function) {
            return known;
        }
        let (low, high) = (self.bdds.cofactor(function, var, false), self.bdds.cofactor(function, var, true));
        let (low, high) = (self.replace(low, by, known), self.replace(high, by, known));
        // Monotone: where the demand is not made, nothing more is possible.
        let with = self.bdds.and(by[var.0 as usize], high);
        let result = self.bdds.or(with, low);
        known.insert(function, result);
        result
    }

    /// Finds which demands simulate which: a greatest fixpoint.
    fn find_carriers(&mut self, limits: &Limits) -> Result<(), TooLarge> {
        let size = self.variables.demands.len();
        let own: Vec<Bdd> = (0..size).map(|at| self.bdds.var(Var(at as u32))).collect();
        if size > COMPARED {
            self.carriers = vec![Vec::new(); size];
            return Ok(());
        }
        // stronger[j] are the demands that carry j; at first, those whose letters and promises are among j's.
        let satisfied = vec![Bdd::TRUE; size];
        let plain: Vec<Bdd> =
            (0..size).map(|at| self.replace(self.unfolded[at], &satisfied, &mut FxHashMap::default())).collect();
        let mut stronger: Vec<Vec<usize>> = (0..size)
            .map(|weak| (0..size).filter(|&strong| self.bdds.implies(plain[strong], plain[weak])).collect())
            .collect();
        loop {
            let by: Vec<Bdd> = stronger
                .iter()
                .map(|list| list.iter().fold(Bdd::FALSE, |any, &at| self.bdds.or(any, own[at])))
                .collect();
            let mut known = FxHashMap::default();
            let mut changed = false;
            for (weak, list) in stronger.iter_mut().enumerate() {
                let relaxed = self.replace(self.unfolded[weak], &by, &mut known);
                let before = list.len();
                list.retain(|&strong| strong == weak || self.bdds.implies(self.unfolded[strong], relaxed));
                changed |= list.len() != before;
                limits.check(0, 0, self.bdds)?;
            }
            if !changed {
                break;
            }
        }
        // Of demands that carry each other the first stays.
        self.carriers = (0..size)
            .map(|weak| {
                let carries = |&strong: &usize| strong != weak && (strong < weak || !stronger[strong].contains(&weak));
                stronger[weak].iter().copied().filter(carries).map(|strong| strong as u32).collect()
            })
            .collect();
        Ok(())
    }

    /// The function without the demands that are carried by one which is always needed.
    fn without_carried(&mut self, mut function: Bdd) -> Bdd {
        for weak in 0..self.carriers.len() {
            let is_needed = |&strong: &u32| self.bdds.cofactor(function, Var(strong), false).is_false();
            if self.carriers[weak].iter().any(is_needed) {
                function = self.bdds.cofactor(function, Var(weak as u32), true);
            }
        }
        function
    }

    /// The state with these demands; `None` if nothing can satisfy them.
    fn state(&mut self, demands: Vec<u32>) -> Option<usize> {
        if let Some(&known) = self.states.get(&demands) {
            return known;
        }
        let function = demands.iter().fold(Bdd::TRUE, |all, &at| self.bdds.and(all, self.unfolded[at as usize]));
        let function = self.without_carried(function);
        let state = (!function.is_false()).then(|| {
            *self.by_function.entry(function).or_insert_with(|| {
                self.functions.push(function);
                self.functions.len() - 1
            })
        });
        self.states.insert(demands, state);
        state
    }

    /// The edges of the state with this function.
    fn edges(&mut self, function: Bdd, limits: &Limits) -> Result<Vec<Arrow>, TooLarge> {
        let mut least = Vec::new();
        self.successors(function, function, &mut Vec::new(), &mut least, limits)?;
        let mut found: Vec<(Vec<u32>, Bdd)> = Vec::new();
        let mut places: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
        for (demands, letters) in least {
            let carried = |weak: &&u32| self.carriers[**weak as usize].iter().any(|strong| demands.contains(strong));
            let demands: Vec<u32> = demands.iter().filter(|weak| !carried(weak)).copied().collect();
            let place = *places.entry(demands).or_insert_with_key(|demands| {
                found.push((demands.clone(), Bdd::FALSE));
                found.len() - 1
            });
            found[place].1 = self.bdds.or(found[place].1, letters);
        }
        if found.len() <= COMPARED {
            self.prune(&mut found);
        }
        let mut edges = Vec::new();
        for (demands, letters) in found {
            if !letters.is_false()
                && let Some(target) = self.state(demands)
            {
                edges.push(Arrow { target, label: with_more_promises(letters, &self.promises, self.bdds) });
            }
        }
        Ok(edges)
    }

    /// Takes the letters from each set of demands for which there is one that it carries.
    fn prune(&mut self, found: &mut [(Vec<u32>, Bdd)]) {
        for at in 0..found.len() {
            for other in (0..found.len()).filter(|&other| other != at) {
                let (strong, weak) = (&found[at].0, &found[other].0);
                let carried = |demand: &u32| {
                    strong.contains(demand)
                        || self.carriers[*demand as usize].iter().any(|carrier| strong.contains(carrier))
                };
                if weak.iter().all(carried) {
                    let promised = with_more_promises(found[other].1, &self.promises, self.bdds);
                    found[at].1 = self.bdds.minus(found[at].1, promised);
                }
            }
        }
    }

    /// Finds each least set of demands, and for which letters and promises it is needed: where `least` holds, but without
    /// one of its demands `most` does not.
    fn successors(
        &mut self,
        least: Bdd,
        most: Bdd,
        demands: &mut Vec<u32>,
        found: &mut Vec<(Vec<u32>, Bdd)>,
        limits: &Limits,
    ) -> Result<(), TooLarge> {
        if least.is_false() {
            return Ok(());
        }
        let is_demand = |var: &Var| (var.0 as usize) < self.unfolded.len();
        let tops = [self.bdds.top(least), self.bdds.top(most)];
        let Some(var) = tops.into_iter().flatten().filter(is_demand).min() else {
            limits.check(self.functions.len(), found.len(), self.bdds)?;
            found.push((demands.clone(), least));
            return Ok(());
        };
        let (least0, least1) = (self.bdds.cofactor(least, var, false), self.bdds.cofactor(least, var, true));
        let (most0, most1) = (self.bdds.cofactor(most, var, false), self.bdds.cofactor(most, var, true));
        self.successors(least0, most0, demands, found, limits)?;
        let needed = self.bdds.minus(least1, most0);
        demands.push(var.0);
        self.successors(needed, most1, demands, found, limits)?;
        demands.pop();
        Ok(())
    }
}
