//! Sets of states, and which of them are reached by which letters: what determinisations share.

use crate::bdd::{Bdd, Bdds};
use crate::tgba::Arrow;
use crate::{Limits, TooLarge};

/// Splits all letters by which of these edges they can take: each letter is in one part. The numbers are targets,
/// sorted; no two parts have the same.
pub(crate) fn parts<'a>(
    edges: impl Iterator<Item = &'a Arrow>,
    bdds: &mut Bdds,
    limits: &Limits,
) -> Result<Vec<(Vec<usize>, Bdd)>, TooLarge> {
    let mut edges: Vec<Arrow> = edges.copied().collect();
    edges.sort_by_key(|edge| edge.target);
    let mut parts: Vec<(Vec<usize>, Bdd)> = vec![(Vec::new(), Bdd::TRUE)];
    for group in edges.chunk_by(|a, b| a.target == b.target) {
        let label = group.iter().fold(Bdd::FALSE, |any, edge| bdds.or(any, edge.label));
        let mut split = Vec::with_capacity(parts.len() * 2);
        for (targets, letters) in parts {
            let (inside, outside) = (bdds.and(letters, label), bdds.minus(letters, label));
            if !inside.is_false() {
                let mut more = targets.clone();
                more.push(group[0].target);
                split.push((more, inside));
            }
            if !outside.is_false() {
                split.push((targets, outside));
            }
        }
        parts = split;
        limits.check(0, parts.len(), bdds)?;
    }
    parts.sort_unstable();
    Ok(parts)
}
