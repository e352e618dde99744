//! Boolean functions as reduced ordered decision diagrams: equal functions have equal numbers.
//!
//! Labels of edges, and what a state may promise and demand of its successors, are functions of few variables with much
//! structure; diagrams make conjunction, implication and equality cheap. Nothing is ever freed: a table lives as long as
//! one translation, and a limit on operations bounds its memory.
//!
//! Bryant, "Graph-based algorithms for Boolean function manipulation", IEEE ToC 1986; irredundant covers by Minato, "Fast
//! generation of irredundant sum-of-products forms from binary decision diagrams", SASIMI 1992. Recursion is at most
//! as deep as there are variables.

use std::hash::BuildHasher;

use fxhash::{FxBuildHasher, FxHashMap};

/// A variable: its place in the order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Var(pub u32);

/// A function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Bdd(u32);

impl Bdd {
    pub(crate) const FALSE: Bdd = Bdd(0);
    pub(crate) const TRUE: Bdd = Bdd(1);

    pub(crate) fn is_false(self) -> bool {
        self == Bdd::FALSE
    }

    pub(crate) fn is_true(self) -> bool {
        self == Bdd::TRUE
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    var: u32,
    low: Bdd,
    high: Bdd,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Op {
    And,
    /// `a` without `b`.
    Minus,
    /// Whether `a` implies `b`, as a constant.
    Implies,
    /// The cofactor by a literal: variable doubled, plus one if it is positive.
    Cofactor,
}

type Key = (Op, u32, u32);

/// A table of functions.
pub(crate) struct Bdds {
    nodes: Vec<Node>,
    unique: FxHashMap<Node, Bdd>,
    /// Results of operations; one that falls into the place of another replaces it.
    computed: Vec<(Key, Bdd)>,
    /// Operations so far, and how many there may be.
    spent: u64,
    allowed: u64,
}

/// The sizes of the table of results, as powers of two.
const FIRST_RESULTS: usize = 1 << 10;
const MOST_RESULTS: usize = 1 << 20;
const NO_RESULT: (Key, Bdd) = ((Op::And, u32::MAX, u32::MAX), Bdd::FALSE);

impl Bdds {
    pub(crate) fn new() -> Self {
        let end = |at| Node { var: u32::MAX, low: Bdd(at), high: Bdd(at) };
        Bdds {
            nodes: vec![end(0), end(1)],
            unique: FxHashMap::default(),
            computed: vec![NO_RESULT; FIRST_RESULTS],
            spent: 0,
            allowed: u64::MAX,
        }
    }

    /// Allows this many more operations. Once they are spent, results are meaningless: whoever sets a limit must check
    /// [`Bdds::is_full`] before using them, and then set another.
    pub(crate) fn allow(&mut self, operations: u64) {
        self.allowed = self.spent.saturating_add(operations);
    }

    /// Removes the limit, for operations that are known to be few.
    pub(crate) fn allow_all(&mut self) {
        self.allowed = u64::MAX;
    }

    /// Counts work of the caller as this many operations.
    pub(crate) fn spend(&mut self, operations: u64) {
        self.spent += operations;
    }

    /// Whether the limit is exceeded.
    pub(crate) fn is_full(&self) -> bool {
        self.spent > self.allowed
    }

    fn place(&self, key: &Key) -> usize {
        FxBuildHasher.hash_one(key) as usize & (self.computed.len() - 1)
    }

    fn recall(&self, key: Key) -> Option<Bdd> {
        let (known, result) = self.computed[self.place(&key)];
        (known == key).then_some(result)
    }

    fn remember(&mut self, key: Key, result: Bdd) -> Bdd {
        self.spent += 1;
        if self.is_full() {
            return result;
        }
        if self.spent > 2 * self.computed.len() as u64 && self.computed.len() < MOST_RESULTS {
            let size = self.computed.len() * 4;
            let old = std::mem::replace(&mut self.computed, vec![NO_RESULT; size]);
            for (key, result) in old {
                let place = self.place(&key);
                self.computed[place] = (key, result);
            }
        }
        let place = self.place(&key);
        self.computed[place] = (key, result);
        result
    }

    fn node(&mut self, var: u32, low: Bdd, high: Bdd) -> Bdd {
        if low == high {
            return low;
        }
        let node = Node { var, low, high };
        *self.unique.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            Bdd(self.nodes.len() as u32 - 1)
        })
    }

    /// The variable itself.
    pub(crate) fn var(&mut self, var: Var) -> Bdd {
        self.node(var.0, Bdd::FALSE, Bdd::TRUE)
    }

    /// The variable, or its negation.
    pub(crate) fn literal(&mut self, var: Var, positive: bool) -> Bdd {
        let (low, high) = if positive { (Bdd::FALSE, Bdd::TRUE) } else { (Bdd::TRUE, Bdd::FALSE) };
        self.node(var.0, low, high)
    }

    /// The first variable that a function depends on.
    pub(crate) fn top(&self, a: Bdd) -> Option<Var> {
        let var = self.nodes[a.0 as usize].var;
        (var != u32::MAX).then_some(Var(var))
    }

    fn split(&self, a: Bdd, var: u32) -> (Bdd, Bdd) {
        let node = self.nodes[a.0 as usize];
        if node.var == var { (node.low, node.high) } else { (a, a) }
    }

    fn level(&self, a: Bdd) -> u32 {
        self.nodes[a.0 as usize].var
    }

    pub(crate) fn and(&mut self, a: Bdd, b: Bdd) -> Bdd {
        if a == b || b.is_true() || a.is_false() {
            return a;
        }
        if a.is_true() || b.is_false() {
            return b;
        }
        self.apply((Op::And, a.0.min(b.0), a.0.max(b.0)), (a, b), Bdds::and)
    }

    /// Bryant's `apply`: the operation on both cofactors by the first variable, unless the result is known.
    fn apply(&mut self, key: Key, (a, b): (Bdd, Bdd), operation: fn(&mut Bdds, Bdd, Bdd) -> Bdd) -> Bdd {
        if let Some(known) = self.recall(key) {
            return known;
        }
        if self.is_full() {
            return Bdd::FALSE;
        }
        let var = self.level(a).min(self.level(b));
        let ((a0, a1), (b0, b1)) = (self.split(a, var), self.split(b, var));
        let (low, high) = (operation(self, a0, b0), operation(self, a1, b1));
        let result = self.node(var, low, high);
        self.remember(key, result)
    }

    /// `a && !b`.
    pub(crate) fn minus(&mut self, a: Bdd, b: Bdd) -> Bdd {
        if a == b || a.is_false() || b.is_true() {
            return Bdd::FALSE;
        }
        if b.is_false() {
            return a;
        }
        self.apply((Op::Minus, a.0, b.0), (a, b), Bdds::minus)
    }

    pub(crate) fn not(&mut self, a: Bdd) -> Bdd {
        self.minus(Bdd::TRUE, a)
    }

    pub(crate) fn or(&mut self, a: Bdd, b: Bdd) -> Bdd {
        let (a, b) = (self.not(a), self.not(b));
        let neither = self.and(a, b);
        self.not(neither)
    }

    /// Whether `a` implies `b`.
    pub(crate) fn implies(&mut self, a: Bdd, b: Bdd) -> bool {
        if a == b || a.is_false() || b.is_true() {
            return true;
        }
        if a.is_true() || b.is_false() {
            return false;
        }
        let key = (Op::Implies, a.0, b.0);
        if let Some(known) = self.recall(key) {
            return known.is_true();
        }
        if self.is_full() {
            return false;
        }
        let var = self.level(a).min(self.level(b));
        let ((a0, a1), (b0, b1)) = (self.split(a, var), self.split(b, var));
        let implies = self.implies(a0, b0) && self.implies(a1, b1);
        self.remember(key, if implies { Bdd::TRUE } else { Bdd::FALSE });
        implies
    }

    /// Whether some valuation satisfies both.
    pub(crate) fn intersects(&mut self, a: Bdd, b: Bdd) -> bool {
        !self.and(a, b).is_false()
    }

    /// The function where the variable has this value.
    pub(crate) fn cofactor(&mut self, a: Bdd, var: Var, value: bool) -> Bdd {
        let level = self.level(a);
        if level > var.0 {
            return a;
        }
        let node = self.nodes[a.0 as usize];
        if level == var.0 {
            return if value { node.high } else { node.low };
        }
        let key = (Op::Cofactor, a.0, var.0 * 2 + u32::from(value));
        if let Some(known) = self.recall(key) {
            return known;
        }
        if self.is_full() {
            return Bdd::FALSE;
        }
        let (low, high) = (self.cofactor(node.low, var, value), self.cofactor(node.high, var, value));
        let result = self.node(node.var, low, high);
        self.remember(key, result)
    }

    /// The value of a function under a valuation.
    pub(crate) fn value(&self, mut a: Bdd, valuation: impl Fn(Var) -> bool) -> bool {
        while let Some(var) = self.top(a) {
            let node = self.nodes[a.0 as usize];
            a = if valuation(var) { node.high } else { node.low };
        }
        a.is_true()
    }

    /// The variables that are true in a valuation that satisfies the function, which is not false; all others are false.
    pub(crate) fn one_letter(&self, mut a: Bdd) -> Vec<Var> {
        let mut positive = Vec::new();
        while let Some(var) = self.top(a) {
            let node = self.nodes[a.0 as usize];
            if node.low.is_false() {
                positive.push(var);
                a = node.high;
            } else {
                a = node.low;
            }
        }
        positive
    }

    /// A short irredundant disjunction of cubes: each is a list of literals.
    pub(crate) fn cover(&mut self, a: Bdd) -> Vec<Vec<(Var, bool)>> {
        let (_, cubes) = self.cover_between(a, a);
        cubes
    }

    /// A function between the two, and its cubes.
    fn cover_between(&mut self, least: Bdd, most: Bdd) -> (Bdd, Vec<Vec<(Var, bool)>>) {
        if least.is_false() {
            return (Bdd::FALSE, Vec::new());
        }
        if most.is_true() {
            return (Bdd::TRUE, vec![Vec::new()]);
        }
        let var = self.level(least).min(self.level(most));
        let ((least0, least1), (most0, most1)) = (self.split(least, var), self.split(most, var));
        let only0 = self.minus(least0, most1);
        let only1 = self.minus(least1, most0);
        let (f0, mut cubes0) = self.cover_between(only0, most0);
        let (f1, mut cubes1) = self.cover_between(only1, most1);
        let rest0 = self.minus(least0, f0);
        let rest1 = self.minus(least1, f1);
        let (rest, both) = (self.or(rest0, rest1), self.and(most0, most1));
        let (f2, mut cubes) = self.cover_between(rest, both);
        cubes0.iter_mut().for_each(|cube| cube.push((Var(var), false)));
        cubes1.iter_mut().for_each(|cube| cube.push((Var(var), true)));
        cubes.extend(cubes0);
        cubes.extend(cubes1);
        let (low, high) = (self.or(f0, f2), self.or(f1, f2));
        (self.node(var, low, high), cubes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A function of four variables by its truth table.
    fn of_table(bdds: &mut Bdds, table: u16) -> Bdd {
        let mut result = Bdd::FALSE;
        for row in (0..16).filter(|row| table >> row & 1 == 1) {
            let mut cube = Bdd::TRUE;
            for var in 0..4 {
                let literal = bdds.literal(Var(var), row >> var & 1 == 1);
                cube = bdds.and(cube, literal);
            }
            result = bdds.or(result, cube);
        }
        result
    }

    fn table(bdds: &Bdds, a: Bdd) -> u16 {
        (0..16).filter(|row| bdds.value(a, |var| row >> var.0 & 1 == 1)).map(|row| 1 << row).sum()
    }

    proptest! {
        #[test]
        fn operations_are_those_of_truth_tables(a: u16, b: u16, var in 0u32..4, value: bool) {
            let mut bdds = Bdds::new();
            let (f, g) = (of_table(&mut bdds, a), of_table(&mut bdds, b));
            let (and, or, minus) = (bdds.and(f, g), bdds.or(f, g), bdds.minus(f, g));
            prop_assert_eq!(table(&bdds, and), a & b);
            prop_assert_eq!(table(&bdds, or), a | b);
            prop_assert_eq!(table(&bdds, minus), a & !b);
            prop_assert_eq!(f == g, a == b);
            let cofactor = bdds.cofactor(f, Var(var), value);
            let at = |row: u32| if value { row | 1 << var } else { row & !(1 << var) };
            let expected: u16 = (0..16).filter(|&row| a >> at(row) & 1 == 1).map(|row| 1u16 << row).sum();
            prop_assert_eq!(table(&bdds, cofactor), expected);
        }

        #[test]
        fn a_cover_is_the_function_and_has_no_cube_too_many(a: u16) {
            let mut bdds = Bdds::new();
            let f = of_table(&mut bdds, a);
            let cubes = bdds.cover(f);
            let tables: Vec<u16> = cubes
                .iter()
                .map(|cube| {
                    let holds = |row: &u32| cube.iter().all(|&(var, positive)| (row >> var.0 & 1 == 1) == positive);
                    (0..16u32).filter(holds).map(|row| 1u16 << row).sum()
                })
                .collect();
            prop_assert_eq!(tables.iter().fold(0, |all, t| all | t), a);
            for left_out in 0..tables.len() {
                let rest = tables.iter().enumerate().filter(|&(n, _)| n != left_out).fold(0, |all, (_, t)| all | t);
                prop_assert_ne!(rest, a);
            }
        }
    }
}
