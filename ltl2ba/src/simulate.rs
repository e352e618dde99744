//! Fewer states and edges by simulation, forwards and backwards.
//!
//! A state simulates another if it can answer each of its steps, with the same letter and no promise more, by a step to a
//! state that again simulates the one reached. States that simulate each other are one. Of two steps with the same letter
//! the one to a simulated state, with no fewer promises, is not needed: this is also what makes automata deterministic.
//! Backwards the same with the steps that lead to a state.
//!
//! Somenzi, Bloem, "Efficient Büchi automata from LTL formulae", CAV 2000; Etessami, Wilke, Schuller, "Fair simulation
//! relations, parity games, and state space reduction for Büchi automata", ICALP 2001. The relation is the greatest
//! fixpoint, by elimination of pairs.

use fxhash::FxHashMap;

use crate::bdd::{Bdd, Bdds, Var};
use crate::tgba::{Arrow, Tgba, letters, with_more_promises};

/// Which states simulate which: row `s` has the bits of those that simulate `s`.
pub(crate) struct Relation {
    rows: Vec<Vec<u64>>,
}

impl Relation {
    /// The relation of those pairs `may` admits.
    fn new(size: usize, may: impl Fn(usize, usize) -> bool) -> Self {
        let row = |s| {
            let mut row = vec![0u64; size.div_ceil(64)];
            (0..size).filter(|&t| may(s, t)).for_each(|t| row[t / 64] |= 1 << (t % 64));
            row
        };
        Relation { rows: (0..size).map(row).collect() }
    }

    /// Whether `t` simulates `s`.
    pub(crate) fn has(&self, s: usize, t: usize) -> bool {
        self.rows[s][t / 64] >> (t % 64) & 1 == 1
    }

    /// The states of a set that no other of it simulates; of those that simulate each other the first.
    pub(crate) fn greatest(&self, set: &[usize]) -> Vec<usize> {
        let needed = |&&s: &&usize| !set.iter().any(|&t| t != s && self.has(s, t) && (t < s || !self.has(t, s)));
        set.iter().filter(needed).copied().collect()
    }

    fn remove(&mut self, s: usize, t: usize) {
        self.rows[s][t / 64] &= !(1 << (t % 64));
    }
}

/// The greatest simulation along these edges, within the pairs that `may` admits; `None` if it takes too long.
fn simulation(edges: &[Vec<Arrow>], bdds: &mut Bdds, may: impl Fn(usize, usize) -> bool) -> Option<Relation> {
    let size = edges.len();
    let any: Vec<Bdd> =
        edges.iter().map(|edges| edges.iter().fold(Bdd::FALSE, |any, edge| bdds.or(any, edge.label))).collect();
    let mut relation = Relation::new(size, may);
    for s in 0..size {
        for t in 0..size {
            if relation.has(s, t) && !bdds.implies(any[s], any[t]) {
                relation.remove(s, t);
            }
        }
    }
    let mut changed = vec![true; size];
    while changed.contains(&true) {
        let mut now = vec![false; size];
        let stale: Vec<bool> = edges.iter().map(|edges| edges.iter().any(|edge| changed[edge.target])).collect();
        for t in 0..size {
            // What t can answer a step to each state with.
            let mut answers: Vec<Option<Bdd>> = vec![None; size];
            for s in (0..size).filter(|&s| stale[s] && s != t) {
                if !relation.has(s, t) {
                    continue;
                }
                bdds.spend(edges[s].len() as u64);
                let answered = edges[s].iter().all(|step| {
                    let answer = *answers[step.target].get_or_insert_with(|| {
                        let fitting = edges[t].iter().filter(|answer| relation.has(step.target, answer.target));
                        fitting.fold(Bdd::FALSE, |any, answer| bdds.or(any, answer.label))
                    });
                    bdds.implies(step.label, answer)
                });
                if !answered {
                    relation.remove(s, t);
                    now[s] = true;
                }
            }
            if bdds.is_full() {
                return None;
            }
        }
        changed = now;
    }
    Some(relation)
}

/// Merges states with the same labels to the same targets: cheap, and always done.
fn merge_equal(tgba: &mut Tgba, bdds: &mut Bdds) {
    let mut class = vec![0; tgba.edges.len()];
    let mut count = 1;
    let mut work = 0;
    loop {
        work += tgba.edges.iter().map(|edges| edges.len() as u64 + 1).sum::<u64>();
        if work > 20 * WORK {
            return;
        }
        let mut rows: FxHashMap<Vec<(usize, Bdd)>, usize> = FxHashMap::default();
        let mut next = Vec::with_capacity(class.len());
        for edges in &tgba.edges {
            let fresh = rows.len();
            next.push(*rows.entry(row(edges, &class, bdds)).or_insert(fresh));
        }
        class = next;
        if rows.len() == count {
            break;
        }
        count = rows.len();
    }
    if count < class.len() {
        let first: Vec<usize> = (0..count).filter_map(|c| class.iter().position(|&other| other == c)).collect();
        let moved = |&state: &usize| {
            row(&tgba.edges[state], &class, bdds).into_iter().map(|(target, label)| Arrow { target, label }).collect()
        };
        tgba.edges = first.iter().map(moved).collect();
    }
}

/// The edges by class of their targets.
pub(crate) fn row(edges: &[Arrow], class: &[usize], bdds: &mut Bdds) -> Vec<(usize, Bdd)> {
    let mut row: Vec<(usize, Bdd)> = edges.iter().map(|edge| (class[edge.target], edge.label)).collect();
    row.sort_unstable();
    let mut joined: Vec<(usize, Bdd)> = Vec::new();
    for (target, label) in row {
        match joined.last_mut() {
            Some(last) if last.0 == target => last.1 = bdds.or(last.1, label),
            _ => joined.push((target, label)),
        }
    }
    joined
}

/// Which states of an automaton simulate which. A deterministic automaton gets the identity: the sets of states that the
/// relation reduces have one member each.
pub(crate) fn relation(tgba: &Tgba, bdds: &mut Bdds) -> Relation {
    if is_deterministic(tgba, bdds) {
        return Relation::new(tgba.edges.len(), |s, t| s == t);
    }
    bdds.allow(WORK);
    let relation = simulation(&tgba.edges, bdds, |_, _| true);
    bdds.allow_all();
    relation.unwrap_or_else(|| Relation::new(tgba.edges.len(), |s, t| s == t))
}

/// How many operations are spent on a simulation.
const WORK: u64 = 250_000;

/// The reversed edges.
fn reversed(edges: &[Vec<Arrow>]) -> Vec<Vec<Arrow>> {
    let mut turned = vec![Vec::new(); edges.len()];
    for (from, edges) in edges.iter().enumerate() {
        edges.iter().for_each(|edge| turned[edge.target].push(Arrow { target: from, label: edge.label }));
    }
    turned
}

/// Merges states that simulate each other and removes edges that others cover.
pub(crate) fn forward(tgba: &mut Tgba, bdds: &mut Bdds) {
    merge_equal(tgba, bdds);
    if is_deterministic(tgba, bdds) {
        return;
    }
    bdds.allow(WORK);
    let relation = simulation(&tgba.edges, bdds, |_, _| true);
    bdds.allow_all();
    let Some(relation) = relation else { return };
    let relation = merge(tgba, &relation, bdds);
    let promises = tgba.promises.clone();
    for edges in &mut tgba.edges {
        prune(edges, &relation, &promises, bdds);
    }
    remove_unreachable(tgba);
}

/// The same along the edges that lead to a state. States are merged only if `alike` says so.
pub(crate) fn backward(tgba: &mut Tgba, bdds: &mut Bdds, alike: impl Fn(usize, usize) -> bool) {
    if is_deterministic(tgba, bdds) {
        return;
    }
    let turned = reversed(&tgba.edges);
    bdds.allow(WORK);
    let relation = simulation(&turned, bdds, |s, t| (s != 0 || t == 0) && alike(s, t));
    bdds.allow_all();
    let Some(relation) = relation else { return };
    let relation = merge(tgba, &relation, bdds);
    let mut turned = reversed(&tgba.edges);
    for edges in &mut turned {
        prune(edges, &relation, &tgba.promises, bdds);
    }
    tgba.edges = reversed(&turned);
    remove_unreachable(tgba);
}

/// Whether no letter leads from a state to two. Simulation would find no more than [`merge_equal`], and backwards it could
/// only trade determinism.
fn is_deterministic(tgba: &Tgba, bdds: &mut Bdds) -> bool {
    tgba.edges.iter().all(|edges| !has_choice(edges, &tgba.promises, bdds))
}

/// Whether some letter can take two of these edges.
pub(crate) fn has_choice(edges: &[Arrow], promises: &[Var], bdds: &mut Bdds) -> bool {
    let mut any = Bdd::FALSE;
    edges.iter().any(|edge| {
        let letters = letters(bdds, edge.label, promises);
        let again = bdds.intersects(any, letters);
        any = bdds.or(any, letters);
        again
    })
}

/// Takes from the label of each edge what an edge to a state that simulates its target covers.
fn prune(edges: &mut Vec<Arrow>, relation: &Relation, promises: &[Var], bdds: &mut Bdds) {
    for at in 0..edges.len() {
        let target = edges[at].target;
        let better = edges.iter().filter(|edge| edge.target != target && relation.has(target, edge.target));
        let covered = better.fold(Bdd::FALSE, |any, edge| bdds.or(any, edge.label));
        let rest = bdds.minus(edges[at].label, covered);
        if rest != edges[at].label {
            edges[at].label = with_more_promises(rest, promises, bdds);
        }
    }
    edges.retain(|edge| !edge.label.is_false());
}

/// Makes one state of those that simulate each other. The relation that is returned is that of the states left.
fn merge(tgba: &mut Tgba, relation: &Relation, bdds: &mut Bdds) -> Relation {
    let size = tgba.edges.len();
    let mut kept: Vec<usize> = Vec::new();
    let mut place = Vec::with_capacity(size);
    for s in 0..size {
        let known = kept.iter().position(|&t| relation.has(s, t) && relation.has(t, s));
        place.push(known.unwrap_or(kept.len()));
        if known.is_none() {
            kept.push(s);
        }
    }
    let mut edges: Vec<Vec<Arrow>> = vec![Vec::new(); kept.len()];
    for (s, leaving) in tgba.edges.iter().enumerate() {
        edges[place[s]].extend(leaving.iter().map(|edge| Arrow { target: place[edge.target], ..*edge }));
    }
    tgba.edges = edges;
    tgba.merge_edges(bdds);
    Relation::new(kept.len(), |s, t| relation.has(kept[s], kept[t]))
}

fn remove_unreachable(tgba: &mut Tgba) {
    let all = vec![true; tgba.edges.len()];
    tgba.keep(&all);
}

/// Merges each state that is on no cycle with another that has the same successors for the same letters: what its
/// steps promise does not matter.
pub(crate) fn merge_transient(tgba: &mut Tgba, bdds: &mut Bdds) {
    let found = tgba.components();
    let size = tgba.edges.len();
    let mut by_row: FxHashMap<Vec<(usize, Bdd)>, usize> = FxHashMap::default();
    let mut instead: Vec<usize> = (0..size).collect();
    let is_transient = |state: usize| !found.cyclic[found.rank[state] as usize];
    let rows: Vec<Vec<(usize, Bdd)>> = tgba
        .edges
        .iter()
        .map(|edges| edges.iter().map(|edge| (edge.target, letters(bdds, edge.label, &tgba.promises))).collect())
        .collect();
    for state in (0..size).filter(|&state| !is_transient(state)) {
        by_row.entry(rows[state].clone()).or_insert(state);
    }
    for state in (0..size).filter(|&state| is_transient(state)) {
        instead[state] = *by_row.entry(rows[state].clone()).or_insert(state);
    }
    if instead[0] != 0 {
        // The initial state is the one with number 0.
        let other = instead[0];
        tgba.edges.swap(0, other);
        let swap = |state: usize| match state {
            0 => other,
            state if state == other => 0,
            state => state,
        };
        for edges in &mut tgba.edges {
            edges.iter_mut().for_each(|edge| edge.target = swap(instead[edge.target]));
        }
    } else {
        for edges in &mut tgba.edges {
            edges.iter_mut().for_each(|edge| edge.target = instead[edge.target]);
        }
    }
    tgba.merge_edges(bdds);
    remove_unreachable(tgba);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0 and 2 simulate each other, and 1 simulates 3.
    #[test]
    fn of_states_that_simulate_each_other_one_is_kept() {
        let relation = Relation::new(4, |s, t| s == t || [(0, 2), (2, 0), (3, 1)].contains(&(s, t)));
        assert_eq!(relation.greatest(&[0, 2]), [0]);
        assert_eq!(relation.greatest(&[2, 0]), [0]);
        assert_eq!(relation.greatest(&[3, 2, 1, 0]), [1, 0]);
        assert_eq!(relation.greatest(&[3]), [3]);
    }
}
