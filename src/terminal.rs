//! Standard output and standard error: control characters of a model or a call cannot reach a terminal.
//!
//! Reports are full of text that psw did not write: statements, `printf`s, names of files, formulas. When it is written its
//! control characters are spelt out (`promela::visible`), in JSON as JSON spells them. psw's own colours must pass: they
//! begin with a mark that is drawn anew for each run, so that no text can contain it by intent.
//!
//! A report is made in memory first: what is written is whole, or the reason why it is not is said.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, IsTerminal, Write};
use std::sync::LazyLock;

use promela::visible::{is_hidden, visible};

use crate::cli::Format;

/// What begins a colour, until it reaches the terminal.
static MARK: LazyLock<String> = LazyLock::new(|| format!("\x1b{:016x}[", RandomState::new().hash_one(0)));

/// Whether what is written there may have colours.
fn may_have_colours(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// Whether there are colours on standard output.
pub fn has_colours() -> bool {
    may_have_colours(&io::stdout())
}

/// Whether there are colours on standard error.
pub fn has_colours_on_stderr() -> bool {
    may_have_colours(&io::stderr())
}

/// Text of psw's own making, the escape sequences in it for the terminal.
pub fn trusted(text: &str) -> String {
    text.replace("\x1b[", &MARK)
}

/// Text as it may be shown: only trusted escape sequences are left.
fn shown(text: &str) -> String {
    text.split(&**MARK).map(visible).collect::<Vec<_>>().join("\x1b[")
}

/// The characters of a JSON text that a terminal would obey can only stand in its strings.
fn shown_in_json(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match is_hidden(c) {
            true => shown.push_str(&format!("\\u{:04x}", u32::from(c))),
            false => shown.push(c),
        }
    }
    shown
}

/// Standard output.
pub struct Out {
    format: Format,
    out: io::StdoutLock<'static>,
}

/// Standard output for text.
pub fn stdout() -> Out {
    stdout_as(Format::Text)
}

/// Standard output for text or JSON.
pub fn stdout_as(format: Format) -> Out {
    Out { format, out: io::stdout().lock() }
}

/// Prints text.
pub fn print(text: &str) -> io::Result<()> {
    let mut out = stdout();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Prints what another program reads, as it is: nothing is spelt out.
pub fn print_raw(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Whoever writes here writes whole pieces of text, never a part of a character.
        let text = String::from_utf8_lossy(bytes);
        let shown = match self.format {
            Format::Text => shown(&text),
            Format::Json => shown_in_json(&text),
        };
        self.out.write_all(shown.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Writes to standard error, which may be closed.
pub fn say(text: impl std::fmt::Display) {
    let _ = io::stderr().write_all(shown(&text.to_string()).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_trusted_colours_pass() {
        let text = format!("{} \x1b[1;32mholds\x1b[0m\n", trusted("\x1b[1;31mVIOLATED\x1b[0m"));
        assert_eq!(shown(&text), "\x1b[1;31mVIOLATED\x1b[0m \\x1b[1;32mholds\\x1b[0m\n");
    }

    #[test]
    fn json_stays_json() {
        let text = serde_json::to_string("\x1b \u{9b} \u{202e} \n é").unwrap_or_default();
        let shown = shown_in_json(&text);
        assert_eq!(shown, r#""\u001b \u009b \u202e \n é""#);
        assert_eq!(serde_json::from_str::<String>(&shown).ok().as_deref(), Some("\x1b \u{9b} \u{202e} \n é"));
    }
}
