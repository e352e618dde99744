//! Removes redundant promises from the labels, and states that are on no accepting run.
//!
//! Acceptance depends on the steps that occur infinitely often, so a promise counts only inside an accepting component.
//! There it is redundant if every step without some other promise is a step without this one; and where no promise can be
//! made forever, none is needed.

use fxhash::FxHashMap;

use crate::bdd::{Bdd, Bdds, Var};
use crate::tgba::{Tgba, letters};
use graph::components;

/// The cycles of a component.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// No cycle.
    Trivial,
    /// No cycle is accepting.
    Rejecting,
    /// A run is accepting if it makes none of these promises forever; if there are none, every run is.
    Accepting(Vec<Var>),
}

/// Cleans the automaton and says what kind each state's component is of.
pub(crate) fn clean(tgba: &mut Tgba, bdds: &mut Bdds) -> Vec<Kind> {
    remove_useless(tgba, bdds);
    let found = tgba.components();
    let mut kinds = vec![Kind::Trivial; tgba.edges.len()];
    let all = tgba.promises.iter().fold(Bdd::TRUE, |all, &promise| {
        let made = bdds.var(promise);
        bdds.and(all, made)
    });
    for (rank, members) in found.members.iter().enumerate() {
        let kind = if found.cyclic[rank] { kind(tgba, members, &found.rank, bdds) } else { Kind::Trivial };
        for &state in members {
            for edge in &mut tgba.edges[state] {
                let stays = found.rank[edge.target] == rank as u32;
                edge.label = match &kind {
                    Kind::Accepting(needed) if stays => {
                        let unused: Vec<Var> =
                            tgba.promises.iter().filter(|promise| !needed.contains(promise)).copied().collect();
                        letters(bdds, edge.label, &unused)
                    }
                    _ => {
                        let plain = letters(bdds, edge.label, &tgba.promises);
                        bdds.and(plain, all)
                    }
                };
            }
            kinds[state] = kind.clone();
        }
    }
    kinds
}

fn kind(tgba: &Tgba, members: &[usize], rank: &[u32], bdds: &mut Bdds) -> Kind {
    let inside: Vec<(usize, usize, Bdd)> = members
        .iter()
        .flat_map(|&state| tgba.edges[state].iter().map(move |edge| (state, edge.target, edge.label)))
        .filter(|&(from, to, _)| rank[from] == rank[to])
        .collect();
    let free =
        |bdds: &mut Bdds, promise: Var| inside.iter().any(|edge| !without(bdds, tgba, edge.2, &[promise]).is_false());
    if !tgba.promises.iter().all(|&promise| free(bdds, promise)) {
        return Kind::Rejecting;
    }
    let mut needed: Vec<Var> =
        tgba.promises.iter().copied().filter(|&promise| can_be_made_for_ever(tgba, &inside, promise, bdds)).collect();
    // A promise is dropped if another that stays is never free without it.
    let mut at = 0;
    while at < needed.len() {
        let promise = needed[at];
        let implied = needed.iter().any(|&other| {
            other != promise
                && inside.iter().all(|&(.., label)| {
                    let free = without(bdds, tgba, label, &[other]);
                    free == without(bdds, tgba, label, &[other, promise])
                })
        });
        if implied {
            needed.remove(at);
        } else {
            at += 1;
        }
    }
    Kind::Accepting(needed)
}

/// The letters that can be read without making these promises.
pub(crate) fn without(bdds: &mut Bdds, tgba: &Tgba, label: Bdd, promises: &[Var]) -> Bdd {
    let label = promises.iter().fold(label, |label, &promise| bdds.cofactor(label, promise, false));
    letters(bdds, label, &tgba.promises)
}

/// Whether there is a cycle on which each step must make the promise. Edges are between members of one component.
fn can_be_made_for_ever(tgba: &Tgba, inside: &[(usize, usize, Bdd)], promise: Var, bdds: &mut Bdds) -> bool {
    let mut places: FxHashMap<usize, usize> = FxHashMap::default();
    let mut graph: Vec<Vec<usize>> = Vec::new();
    for &(from, to, label) in inside {
        let (all, free) = (letters(bdds, label, &tgba.promises), without(bdds, tgba, label, &[promise]));
        if all != free {
            let [from, to] = [from, to].map(|state| {
                *places.entry(state).or_insert_with(|| {
                    graph.push(Vec::new());
                    graph.len() - 1
                })
            });
            graph[from].push(to);
        }
    }
    components(&graph).cyclic.contains(&true)
}

/// Removes the states from which no accepting component can be reached.
fn remove_useless(tgba: &mut Tgba, bdds: &mut Bdds) {
    let found = tgba.components();
    let mut useful = vec![false; tgba.edges.len()];
    for (rank, members) in found.members.iter().enumerate().rev() {
        let leads = members.iter().any(|&state| tgba.edges[state].iter().any(|edge| useful[edge.target]));
        if leads || (found.cyclic[rank] && kind(tgba, members, &found.rank, bdds) != Kind::Rejecting) {
            members.iter().for_each(|&state| useful[state] = true);
        }
    }
    tgba.keep(&useful);
    if !useful[0] {
        tgba.edges[0].clear();
    }
}
