//! A deterministic automaton for a formula whose negation has a weak one.
//!
//! The negation is then satisfied exactly if some run stays among accepting states from some time on. So a word satisfies the
//! formula if, infinitely often, no run is left that has been among accepting states since the last such moment. States
//! are the set of states that runs are in, and the subset of those still watched; when none is watched any more the state is
//! accepting and all are watched again. Miyano, Hayashi, "Alternating finite automata on ω-words", TCS 1984.
//!
//! States that are simulated by others of a set are left out; simulation keeps a run among accepting states.

use fxhash::FxHashMap;

use crate::ba::Ba;
use crate::bdd::{Bdd, Bdds};
use crate::powerset::parts;
use crate::simulate::Relation;
use crate::tgba::Arrow;
use crate::{Limits, TooLarge};
use graph::components;

/// The automaton of what `negation` does not accept; `None` if that is not weak.
pub(crate) fn breakpoint(
    negation: &Ba,
    relation: &Relation,
    bdds: &mut Bdds,
    limits: &Limits,
) -> Result<Option<Ba>, TooLarge> {
    if !is_weak(negation) {
        return Ok(None);
    }
    let watch = |states: &[usize]| -> Vec<usize> {
        states.iter().copied().filter(|&state| negation.accepting[state]).collect()
    };
    let first = (vec![0], Vec::new());
    let mut states: Vec<(Vec<usize>, Vec<usize>)> = vec![first.clone()];
    let mut numbers: FxHashMap<(Vec<usize>, Vec<usize>), usize> = FxHashMap::from_iter([(first, 0)]);
    let mut edges: Vec<Vec<Arrow>> = Vec::new();
    let mut edge_count = 0;
    while edges.len() < states.len() {
        let (all, watched) = states[edges.len()].clone();
        let mut found: FxHashMap<usize, Bdd> = FxHashMap::default();
        let of_watched = parts(watched.iter().flat_map(|&state| &negation.edges[state]), bdds, limits)?;
        for (next, letters) in parts(all.iter().flat_map(|&state| &negation.edges[state]), bdds, limits)? {
            let next = relation.greatest(&next);
            for (still, inside) in &of_watched {
                let letters = bdds.and(letters, *inside);
                if letters.is_false() {
                    continue;
                }
                let still = if watched.is_empty() { watch(&next) } else { watch(&relation.greatest(still)) };
                let key = (next.clone(), still);
                let target = *numbers.entry(key).or_insert_with_key(|key| {
                    states.push(key.clone());
                    states.len() - 1
                });
                let label = found.entry(target).or_insert(Bdd::FALSE);
                *label = bdds.or(*label, letters);
            }
        }
        let mut found: Vec<Arrow> = found.into_iter().map(|(target, label)| Arrow { target, label }).collect();
        found.sort_by_key(|edge| edge.target);
        edge_count += found.len();
        limits.check(states.len(), edge_count, bdds)?;
        edges.push(found);
    }
    let accepting = states.iter().map(|(_, watched)| watched.is_empty()).collect();
    Ok(Some(Ba { accepting, edges }))
}

/// Whether no component has both kinds of states on its cycles.
fn is_weak(ba: &Ba) -> bool {
    let found = components(&ba.successors());
    found.members.iter().all(|members| members.iter().all(|&state| ba.accepting[state] == ba.accepting[members[0]]))
}
