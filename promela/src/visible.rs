//! Text that anybody may have written, made harmless to show.
//!
//! A terminal obeys control characters, and some of Unicode's turn the text around them: a model that prints them could
//! hide its verdict or make up another. They are shown as `\x1b` or `\u{202e}`. Newlines and tabs are what they are.

use std::borrow::Cow;

/// Whether a character does something to a terminal other than to stand there.
pub fn is_hidden(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        c => c.is_control(),
    }
}

/// The same text without such characters.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            c if !is_hidden(c) => shown.push(c),
            c if c.is_ascii() => shown.push_str(&format!("\\x{:02x}", u32::from(c))),
            c => shown.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_spelt_out() {
        assert_eq!(visible("a\tb\nc é ≥ 漢"), "a\tb\nc é ≥ 漢");
        assert_eq!(visible("\x1b[2J\r\x07\x7f\0"), "\\x1b[2J\\x0d\\x07\\x7f\\x00");
        assert_eq!(visible("\u{9b}31m \u{202e}abc\u{2069}"), "\\u{9b}31m \\u{202e}abc\\u{2069}");
    }
}
