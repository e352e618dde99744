//! "Did you mean": the known name nearest to one that is not known.
//!
//! Distance is the number of edits (insert, delete, replace, swap of neighbours); at most a third of the name may differ.

/// The candidate nearest to `name`, if one is near enough; of equals, the alphabetically first.
pub(super) fn nearest<'n>(name: &str, candidates: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let limit = (name.chars().count() / 3).min(3);
    candidates
        .filter(|other| other.len().abs_diff(name.len()) <= limit && *other != name)
        .filter_map(|other| Some((distance(name, other, limit)?, other)))
        .min()
        .map(|(_, other)| other)
}

/// Edits from `a` to `b`, if not more than `limit` (restricted Damerau-Levenshtein, three rows).
fn distance(a: &str, b: &str, limit: usize) -> Option<usize> {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before = vec![0; b.len() + 1];
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let replace = above[j] + usize::from(a[i] != b[j]);
            let mut best = replace.min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut above, row);
    }
    above.last().copied().filter(|&edits| edits <= limit)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn one_edit_away() {
        let known = ["count", "turn", "flag"];
        assert_eq!(nearest("cuont", known.into_iter()), Some("count"));
        assert_eq!(nearest("flags", known.into_iter()), Some("flag"));
        assert_eq!(nearest("elephant", known.into_iter()), None);
        assert_eq!(nearest("x", ["y"].into_iter()), None, "short names are all alike");
    }
}
