//! The least deterministic weak automaton of an obligation.
//!
//! An obligation (a Boolean combination of safety and guarantee properties) is recognised by the sets of states that an
//! automaton can be in, if components of such sets are accepting or not as a whole. Whether a component is, is seen from
//! any word that stays in it; whether the formula is an obligation at all, from the result: it must agree with the
//! automata of the formula and of its negation. Then a component's number, that of the alternations behind it, makes the
//! minimal automaton unique, and it is found as for finite words.
//!
//! Dax, Eisinger, Klaedtke, "Mechanizing the powerset construction for restricted classes of ω-automata", ATVA 2007;
//! Löding, "Efficient minimization of deterministic weak ω-automata", IPL 2001.

use std::collections::VecDeque;

use fxhash::FxHashMap;

use crate::ba::Ba;
use crate::bdd::{Bdd, Bdds, Var};
use crate::powerset::parts;
use crate::simulate::{Relation, row};
use crate::tgba::Arrow;
use crate::{Limits, TooLarge};
use graph::{Components, components};

/// The minimal deterministic weak automaton of `ba`, if there is one. `negation` accepts what `ba` does not; `relation` says
/// which states of `ba` simulate which.
pub(crate) fn minimal_weak(
    ba: &Ba,
    negation: &Ba,
    relation: &Relation,
    bdds: &mut Bdds,
    limits: &Limits,
) -> Result<Option<Ba>, TooLarge> {
    let (sets, edges) = powerset(ba, relation, bdds, limits)?;
    let successors: Vec<Vec<usize>> =
        edges.iter().map(|edges| edges.iter().map(|edge| edge.target).collect()).collect();
    let found = components(&successors);
    let mut accepting = vec![false; edges.len()];
    for (rank, members) in found.members.iter().enumerate().filter(|&(rank, _)| found.cyclic[rank]) {
        if accepts_a_cycle(ba, &sets, &edges, &found, rank as u32, bdds) {
            members.iter().for_each(|&state| accepting[state] = true);
        }
    }
    let weak = Ba { accepting, edges };
    let wrongly_accepted = meets(&weak, true, negation, &found, bdds, limits)?;
    if wrongly_accepted || meets(&weak, false, ba, &found, bdds, limits)? {
        return Ok(None);
    }
    Ok(Some(minimize(weak, &found, bdds)))
}

/// Sets of states, and the edges of each.
type Sets = (Vec<Vec<usize>>, Vec<Vec<Arrow>>);

/// The sets of states and the edges between them; deterministic and complete. States that another of the set simulates
/// are left out.
fn powerset(ba: &Ba, relation: &Relation, bdds: &mut Bdds, limits: &Limits) -> Result<Sets, TooLarge> {
    let mut sets = vec![vec![0]];
    let mut numbers: FxHashMap<Vec<usize>, usize> = FxHashMap::from_iter([(vec![0], 0)]);
    let mut edges: Vec<Vec<Arrow>> = Vec::new();
    let mut edge_count = 0;
    while edges.len() < sets.len() {
        let leaving = sets[edges.len()].iter().flat_map(|&state| &ba.edges[state]);
        let mut found: FxHashMap<usize, Bdd> = FxHashMap::default();
        for (set, letters) in parts(leaving, bdds, limits)? {
            let set = relation.greatest(&set);
            let target = *numbers.entry(set).or_insert_with_key(|set| {
                sets.push(set.clone());
                sets.len() - 1
            });
            let label = found.entry(target).or_insert(Bdd::FALSE);
            *label = bdds.or(*label, letters);
        }
        let mut found: Vec<Arrow> = found.into_iter().map(|(target, label)| Arrow { target, label }).collect();
        found.sort_by_key(|edge| edge.target);
        edge_count += found.len();
        limits.check(sets.len(), edge_count, bdds)?;
        edges.push(found);
    }
    Ok((sets, edges))
}

/// Whether the automaton accepts a word that stays in the component: that of a shortest cycle from its first member.
fn accepts_a_cycle(
    ba: &Ba,
    sets: &[Vec<usize>],
    edges: &[Vec<Arrow>],
    found: &Components,
    rank: u32,
    bdds: &Bdds,
) -> bool {
    let start = found.members[rank as usize][0];
    let word = cycle(start, edges, found, rank);
    let size = word.len();
    let letters: Vec<Vec<Var>> = word.iter().map(|&label| bdds.one_letter(label)).collect();
    let mut product: Vec<Vec<usize>> = vec![Vec::new(); ba.state_count() * size];
    for (state, edges) in ba.edges.iter().enumerate() {
        for (at, letter) in letters.iter().enumerate() {
            let taken = edges.iter().filter(|edge| bdds.value(edge.label, |var| letter.contains(&var)));
            product[state * size + at] = taken.map(|edge| edge.target * size + (at + 1) % size).collect();
        }
    }
    let components = components(&product);
    let mut reached = vec![false; product.len()];
    sets[start].iter().for_each(|&state| reached[state * size] = true);
    for (rank, members) in components.members.iter().enumerate() {
        if !members.iter().any(|&node| reached[node]) {
            continue;
        }
        if components.cyclic[rank] && members.iter().any(|&node| ba.accepting[node / size]) {
            return true;
        }
        members.iter().flat_map(|&node| &product[node]).for_each(|&node| reached[node] = true);
    }
    false
}

/// The labels of a shortest cycle from `start` inside its component.
fn cycle(start: usize, edges: &[Vec<Arrow>], found: &Components, rank: u32) -> Vec<Bdd> {
    let mut parents: FxHashMap<usize, (usize, Bdd)> = FxHashMap::default();
    let mut queue = VecDeque::from([start]);
    while let Some(state) = queue.pop_front() {
        for edge in edges[state].iter().filter(|edge| found.rank[edge.target] == rank) {
            if edge.target == start {
                let mut labels = vec![edge.label];
                let mut at = state;
                while at != start {
                    let (parent, label) = parents[&at];
                    labels.push(label);
                    at = parent;
                }
                labels.reverse();
                return labels;
            }
            parents.entry(edge.target).or_insert_with(|| {
                queue.push_back(edge.target);
                (state, edge.label)
            });
        }
    }
    unreachable!("a component with a cycle has one through each of its members")
}

/// Whether a word is accepted by `other` and by the weak automaton (or, if `positive` is false, not by it).
fn meets(
    weak: &Ba,
    positive: bool,
    other: &Ba,
    found: &Components,
    bdds: &mut Bdds,
    limits: &Limits,
) -> Result<bool, TooLarge> {
    let mut pairs = vec![(0, 0)];
    let mut numbers: FxHashMap<(usize, usize), usize> = FxHashMap::from_iter([((0, 0), 0)]);
    let mut product: Vec<Vec<usize>> = Vec::new();
    while product.len() < pairs.len() {
        let (a, b) = pairs[product.len()];
        let mut next = Vec::new();
        for left in &weak.edges[a] {
            for right in &other.edges[b] {
                if bdds.intersects(left.label, right.label) {
                    let pair = (left.target, right.target);
                    next.push(*numbers.entry(pair).or_insert_with(|| {
                        pairs.push(pair);
                        pairs.len() - 1
                    }));
                }
            }
        }
        limits.check(0, pairs.len(), bdds)?;
        product.push(next);
    }
    let in_both = components(&product);
    Ok(in_both.members.iter().zip(&in_both.cyclic).any(|(members, &cyclic)| {
        // Members of one component of the product are in one component of the weak automaton.
        let (first, _) = pairs[members[0]];
        cyclic
            && found.cyclic[found.rank[first] as usize]
            && weak.accepting[first] == positive
            && members.iter().any(|&pair| other.accepting[pairs[pair].1])
    }))
}

/// Merges equivalent states.
fn minimize(weak: Ba, found: &Components, bdds: &mut Bdds) -> Ba {
    // The number of a component: the most alternations behind it, even if it is accepting.
    let mut number = vec![0u32; weak.state_count()];
    for (rank, members) in found.members.iter().enumerate().rev() {
        let leaving = members.iter().flat_map(|&state| &weak.edges[state]);
        let behind =
            leaving.filter(|edge| found.rank[edge.target] != rank as u32).map(|edge| number[edge.target]).max();
        let own = match (found.cyclic[rank], weak.accepting[members[0]], behind) {
            (false, _, behind) => behind.unwrap_or(0),
            (true, accepting, None) => u32::from(!accepting),
            (true, accepting, Some(behind)) => behind + u32::from(behind.is_multiple_of(2) != accepting),
        };
        members.iter().for_each(|&state| number[state] = own);
    }
    let mut class: Vec<usize> = number.iter().map(|number| (number % 2) as usize).collect();
    let mut count = 0;
    loop {
        let mut rows: FxHashMap<(usize, Vec<(usize, Bdd)>), usize> = FxHashMap::default();
        let mut next = Vec::with_capacity(class.len());
        for (state, edges) in weak.edges.iter().enumerate() {
            let row = (class[state], row(edges, &class, bdds));
            let fresh = rows.len();
            next.push(*rows.entry(row).or_insert(fresh));
        }
        class = next;
        if rows.len() == count {
            break;
        }
        count = rows.len();
    }
    let mut minimal = Ba { accepting: vec![false; count], edges: vec![Vec::new(); count] };
    for state in 0..class.len() {
        minimal.accepting[class[state]] = number[state].is_multiple_of(2);
        minimal.edges[class[state]] =
            row(&weak.edges[state], &class, bdds).into_iter().map(|(target, label)| Arrow { target, label }).collect();
    }
    let mut minimal = minimal.reachable(class[0]);
    minimal.remove_useless();
    minimal.settle();
    minimal
}
