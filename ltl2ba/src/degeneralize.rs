//! From promises to accepting states: one acceptance condition instead of many.
//!
//! The promises of a component are awaited one after the other. A copy of a state carries which one is awaited, its
//! level; a step that is free of the awaited promise goes on to the next level, over as many levels as it is free of.
//! Past the last promise the state is accepting and the first promise is awaited again. All copies of a state have the same language, so
//! an edge into another component may lead to any of them: it goes where no copy is needed for it alone.
//!
//! Giannakopoulou, Lerda, "From states to transitions", FORTE 2002; Babiak, Badie, Duret-Lutz, Křetínský, Strejček,
//! "Compositional approach to suspension and other improvements to LTL translation", SPIN 2013.

use fxhash::FxHashMap;

use crate::accept::{Kind, without};
use crate::ba::Ba;
use crate::bdd::{Bdd, Bdds, Var};
use crate::tgba::{Arrow, Tgba, letters};
use crate::{Limits, TooLarge};
use graph::components;

/// Makes the automaton one with accepting states. `kinds` says what each state's component awaits, in which order.
pub(crate) fn degeneralize(tgba: &Tgba, kinds: &[Kind], bdds: &mut Bdds, limits: &Limits) -> Result<Ba, TooLarge> {
    let rank = tgba.components().rank;
    let none = Vec::new();
    let awaited = |state: usize| match &kinds[state] {
        Kind::Accepting(promises) => promises,
        _ => &none,
    };
    let is_accepting = |&(state, level): &(usize, usize)| match &kinds[state] {
        Kind::Accepting(promises) => level == promises.len(),
        _ => false,
    };
    let mut copies: Vec<(usize, usize)> = vec![(0, 0)];
    let mut numbers: FxHashMap<(usize, usize), usize> = FxHashMap::from_iter([((0, 0), 0)]);
    let mut edges: Vec<Vec<Arrow>> = Vec::new();
    let mut edge_count = 0;
    while edges.len() < copies.len() {
        let (state, level) = copies[edges.len()];
        let mut found = Vec::new();
        for edge in &tgba.edges[state] {
            let promises: &[Var] = if rank[state] == rank[edge.target] { awaited(state) } else { &[] };
            let start = if level >= promises.len() { 0 } else { level };
            let mut here = letters(bdds, edge.label, &tgba.promises);
            for reached in start..=promises.len() {
                let further = match promises.get(start..=reached) {
                    Some(free) => without(bdds, tgba, edge.label, free),
                    None => Bdd::FALSE,
                };
                let label = bdds.minus(here, further);
                here = further;
                if label.is_false() {
                    continue;
                }
                let copy = (edge.target, reached);
                let target = *numbers.entry(copy).or_insert_with(|| {
                    copies.push(copy);
                    copies.len() - 1
                });
                found.push(Arrow { target, label });
            }
        }
        edge_count += found.len();
        limits.check(copies.len(), edge_count, bdds)?;
        edges.push(found);
    }
    let ba = Ba { accepting: copies.iter().map(is_accepting).collect(), edges };
    Ok(choose_copies(ba, &copies))
}

/// Leads edges between components to the copy in the last component that has one, and removes the copies left over.
fn choose_copies(mut ba: Ba, copies: &[(usize, usize)]) -> Ba {
    let found = components(&ba.successors());
    let mut best: FxHashMap<usize, usize> = FxHashMap::default();
    for (copy, &(state, _)) in copies.iter().enumerate() {
        let now = best.entry(state).or_insert(copy);
        if found.rank[copy] > found.rank[*now] {
            *now = copy;
        }
    }
    for (from, edges) in ba.edges.iter_mut().enumerate() {
        for edge in edges {
            if found.rank[edge.target] != found.rank[from] {
                edge.target = best[&copies[edge.target].0];
            }
        }
    }
    let first = best[&copies[0].0];
    ba.reachable(first)
}
