//! Words that are close to each other: what a misspelt word was probably meant to be.

use crate::token::KEYWORDS;

/// The reserved word that a name is one slip away from.
pub(crate) fn near_keyword(name: &str) -> Option<&'static str> {
    if name.len() < 4 || KEYWORDS.iter().any(|&(word, _)| word == name) {
        return None;
    }
    KEYWORDS.iter().map(|&(word, _)| word).filter(|word| *word != name).find(|word| one_slip(name, word))
}

/// Whether a word is reserved.
pub(crate) fn is_keyword(name: &str) -> bool {
    KEYWORDS.iter().any(|&(word, _)| word == name)
}

/// Whether two words differ by one letter added, dropped or changed, or two neighbours swapped.
pub(crate) fn one_slip(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let front = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[front..], &b[front..]);
    match (a, b) {
        ([_, x @ ..], [_, y @ ..]) if x == y => true,
        ([_, x @ ..], y) if x == y => true,
        (x, [_, y @ ..]) if x == y => true,
        ([p, q, x @ ..], [r, s, y @ ..]) => p == s && q == r && x == y,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::near_keyword;

    #[test]
    fn slips_are_found() {
        assert_eq!(near_keyword("protype"), Some("proctype"));
        assert_eq!(near_keyword("proctpye"), Some("proctype"));
        assert_eq!(near_keyword("asert"), Some("assert"));
        assert_eq!(near_keyword("atomics"), Some("atomic"));
        assert_eq!(near_keyword("x"), None);
    }
}
