//! What README.md and docs/ show of the command is what the command does.
//!
//! A block of commands (`    $ psw …`, or fenced as `console`) is executed line by line in a folder of its own for each page,
//! which has the project's `examples`, and what follows a command is compared with what it prints. `…` on a line of its own
//! stands for any lines; times and rates, which are never the same, are not compared. A fenced block of Promela behind
//! a paragraph that ends with "as `NAME.pml`:" is written to that file first. Every other `psw …` in code must be a call that the
//! command line takes.
//!
//! `PSW_UPDATE_DOCS=1 cargo test --test docs` writes what is printed into the pages, where nothing is left out.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The pages that users read.
fn pages() -> std::io::Result<Vec<PathBuf>> {
    let mut pages = vec![Path::new(ROOT).join("README.md")];
    for entry in fs::read_dir(Path::new(ROOT).join("docs"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
    pages.sort();
    Ok(pages)
}

/// A part of a page.
enum Part<'t> {
    /// A line that is text, or code of another kind.
    Text(&'t str),
    /// A model to be saved under a name, with its lines.
    Model(&'t str, Vec<&'t str>),
    /// A command, and the lines that are shown behind it. All lines of its block have this indentation.
    Call { indent: &'static str, call: &'t str, shown: Vec<&'t str> },
}

/// The parts of a page.
fn parts(page: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut lines = page.lines().peekable();
    let mut name = None;
    while let Some(line) = lines.next() {
        if let Some(call) = line.strip_prefix("    $ ") {
            let mut shown = Vec::new();
            // An empty line belongs to the block if the block goes on behind it.
            while let Some(&next) = lines.peek() {
                if next.starts_with("    $ ") || !(next.is_empty() || next.starts_with("    ")) {
                    break;
                }
                shown.push(next.strip_prefix("    ").unwrap_or(next));
                lines.next();
            }
            let empty = shown.iter().rev().take_while(|line| line.is_empty()).count();
            shown.truncate(shown.len() - empty);
            parts.push(Part::Call { indent: "    ", call, shown });
            parts.extend((0..empty).map(|_| Part::Text("")));
        } else if line == "```console" {
            parts.push(Part::Text(line));
            while let Some(line) = lines.next_if(|line| *line != "```") {
                let Some(call) = line.strip_prefix("$ ") else {
                    parts.push(Part::Text(line));
                    continue;
                };
                let mut shown = Vec::new();
                while let Some(line) = lines.next_if(|line| *line != "```" && !line.starts_with("$ ")) {
                    shown.push(line);
                }
                parts.push(Part::Call { indent: "", call, shown });
            }
        } else if let (Some(name), "```promela") = (name, line) {
            let mut model = Vec::new();
            while let Some(line) = lines.next_if(|line| *line != "```") {
                model.push(line);
            }
            parts.push(Part::Model(name, model));
        } else {
            if !line.is_empty() {
                name = line.strip_suffix("`:").and_then(|line| line.rsplit_once("as `")).map(|(_, name)| name);
            }
            parts.push(Part::Text(line));
        }
    }
    parts
}

/// The words of a call, as a shell takes them apart: what is quoted stays together.
fn words(call: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for char in call.chars() {
        match (quote, char) {
            (Some(open), _) if char == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(char);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            _ => word.get_or_insert_default().push(char),
        }
    }
    words.extend(word);
    words
}

/// What a call prints: what goes to standard error first, as in a terminal that is asked for both.
fn printed(folder: &Path, call: &str) -> std::io::Result<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_psw"));
    command.args(&words(call)[1..]).current_dir(folder).stdin(Stdio::null());
    let out = command.env("NO_COLOR", "1").env("COLUMNS", "100").output()?;
    Ok(format!("{}{}", String::from_utf8_lossy(&out.stderr), String::from_utf8_lossy(&out.stdout)))
}

/// A line without what is never the same: times, rates, and bytes, which depend on the machine.
fn steady(line: &str) -> String {
    let mut steady = String::new();
    let words = line.trim_end().split(' ');
    let is_number = |word: &str| !word.is_empty() && word.chars().all(|char| char.is_ascii_digit() || char == '.');
    let words: Vec<&str> = words.collect();
    for (at, word) in words.iter().enumerate() {
        let unit = words.get(at + 1).map_or("", |unit| unit.trim_end_matches([',', ';', ')']));
        let changes = matches!(unit, "s" | "states/s" | "ms" | "bytes" | "kB" | "MB" | "GB");
        let word = if changes && is_number(word) { "#" } else { word };
        let _ = write!(steady, "{}{word}", if at > 0 { " " } else { "" });
    }
    steady
}

/// Whether these lines are what was printed, `…` standing for any number of lines.
fn is_same(shown: &[&str], said: &[&str]) -> bool {
    let Some((first, rest)) = shown.split_first() else { return said.is_empty() };
    match *first {
        "…" => (0..=said.len()).any(|skipped| is_same(rest, &said[skipped..])),
        _ => said.first().is_some_and(|line| steady(line) == steady(first)) && is_same(rest, &said[1..]),
    }
}

#[test]
fn pages_show_what_the_command_prints() -> anyhow::Result<()> {
    let update = std::env::var_os("PSW_UPDATE_DOCS").is_some();
    let mut calls = 0;
    let mut wrong = String::new();
    for page in pages()? {
        let text = fs::read_to_string(&page)?;
        let folder = tempfile::tempdir()?;
        #[cfg(unix)]
        std::os::unix::fs::symlink(Path::new(ROOT).join("examples"), folder.path().join("examples"))?;
        let mut updated = String::new();
        for part in parts(&text) {
            match part {
                Part::Text(line) => writeln!(updated, "{line}")?,
                Part::Model(name, lines) => {
                    let model = lines.join("\n") + "\n";
                    fs::write(folder.path().join(name), &model)?;
                    write!(updated, "```promela\n{model}")?;
                }
                Part::Call { indent, call, shown } => {
                    let is_whole = !shown.contains(&"…");
                    writeln!(updated, "{indent}$ {call}")?;
                    let is_ours = call.starts_with("psw ") && !call.contains(['|', '>', '&']);
                    let said = if is_ours { printed(folder.path(), call)? } else { shown.join("\n") };
                    let said: Vec<&str> = said.trim_end().lines().collect();
                    calls += u32::from(is_ours);
                    let lines = if update && is_whole && is_ours { &said } else { &shown };
                    for line in lines {
                        let indent = if line.is_empty() { "" } else { indent };
                        writeln!(updated, "{indent}{}", line.trim_end())?;
                    }
                    if is_ours && !shown.is_empty() && !is_same(&shown, &said) {
                        writeln!(wrong, "{}: $ {call}\n--- it prints\n{}", page.display(), said.join("\n"))?;
                    }
                }
            }
        }
        if update {
            fs::write(&page, updated)?;
        }
    }
    assert!(calls > 0, "no page shows a call");
    assert!(update || wrong.is_empty(), "{wrong}");
    Ok(())
}

/// Calls that stand in the text: `psw check --shortest m.pml`. Whether the command line takes them is known without
/// running them: help is given only if nothing before it is wrong.
#[test]
fn calls_in_the_text_are_calls() -> anyhow::Result<()> {
    let mut wrong = String::new();
    let mut calls = 0;
    for page in pages()? {
        let text = fs::read_to_string(&page)?;
        for (number, line) in text.lines().enumerate() {
            let codes = line.split('`').skip(1).step_by(2);
            for code in codes.filter(|code| code.starts_with("psw ")) {
                // What is left to the reader, and what a shell does.
                if code.contains(['…', '[', '|', '>', '<']) || words(code).len() < 2 {
                    continue;
                }
                calls += 1;
                let code = code.split("; ").next().unwrap_or(code);
                let mut command = Command::new(env!("CARGO_BIN_EXE_psw"));
                let out = command.args(&words(code)[1..]).arg("--help").stdin(Stdio::null()).output()?;
                let why = String::from_utf8_lossy(&out.stderr);
                // The text may be about the option itself.
                if !out.status.success() && !why.contains("a value is required for") {
                    writeln!(wrong, "{}:{}: {code}: {}", page.display(), number + 1, why.lines().next().unwrap_or(""))?;
                }
            }
        }
    }
    assert!(calls > 0, "no page names a call");
    assert!(wrong.is_empty(), "{wrong}");
    Ok(())
}

#[test]
fn lines_are_compared_without_times() {
    assert_eq!(steady("  time  0.29 s, 184808 states/s"), "  time  # s, # states/s");
    let said = ["a", "b", "time 1.5 s", "d"];
    assert!(is_same(&["a", "…", "d"], &said));
    assert!(is_same(&["…", "time 9 s", "…"], &said));
    assert!(!is_same(&["a", "…", "c"], &said));
    assert!(!is_same(&["a", "b"], &said));
}

#[test]
fn a_call_is_taken_apart_as_by_a_shell() {
    assert_eq!(words("psw ltl m.pml '[] p' -D N=3"), ["psw", "ltl", "m.pml", "[] p", "-D", "N=3"]);
    assert_eq!(words("psw query --init \"\""), ["psw", "query", "--init", ""]);
}

#[test]
fn a_page_is_put_together_again() {
    let page = "text\n\n    $ psw a\n    out\n\n    more\n\nSave it as `m.pml`:\n\n```promela\ninit { skip }\n```\n\n```console\n$ psw b\nout\n```\n";
    let mut calls = Vec::new();
    let mut models = Vec::new();
    for part in parts(page) {
        match part {
            Part::Call { call, shown, .. } => calls.push((call, shown)),
            Part::Model(name, lines) => models.push((name, lines)),
            Part::Text(_) => {}
        }
    }
    assert_eq!(calls, [("psw a", vec!["out", "", "more"]), ("psw b", vec!["out"])]);
    assert_eq!(models, [("m.pml", vec!["init { skip }"])]);
}
