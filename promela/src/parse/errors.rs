//! Messages of syntax errors: what was found, what could have stood there, and what was probably meant.

use lalrpop_util::ParseError;

use crate::diagnostics::{Diagnostic, syntax as code};
use crate::source::{Sources, Span};
use crate::token::Token;

/// Turns an error of the generated parser into a finding.
pub(super) fn describe(sources: &Sources, error: &ParseError<u32, Token, ()>) -> Diagnostic {
    match error {
        ParseError::UnrecognizedToken { token: (start, token, end), expected } => {
            unexpected(sources, *token, Span { start: *start, end: *end }, expected)
        }
        ParseError::ExtraToken { token: (start, token, end) } => {
            unexpected(sources, *token, Span { start: *start, end: *end }, &[])
        }
        ParseError::UnrecognizedEof { location, expected } => {
            let last = Span { start: location.saturating_sub(1), end: *location };
            let finding =
                Diagnostic::error(&code::UNEXPECTED_END, format!("the text ends, but {} expected", wanted(expected)))
                    .at(last, "behind this");
            with_opener(sources, finding, *location, expected)
        }
        ParseError::InvalidToken { location } => {
            let span = Span { start: *location, end: *location + 1 };
            Diagnostic::error(&code::SYNTAX, "this does not parse").at(span, "")
        }
        ParseError::User { error: () } => Diagnostic::error(&code::SYNTAX, "this does not parse"),
    }
}

fn unexpected(sources: &Sources, token: Token, span: Span, expected: &[String]) -> Diagnostic {
    let inserted = span.start == span.end;
    let found = if inserted { "end of line".to_owned() } else { found(sources, token, span) };
    let message = format!("unexpected {found}: {} expected", wanted(expected));
    let place = if inserted { Span { start: span.start.saturating_sub(1), end: span.start } } else { span };
    let mut finding =
        Diagnostic::error(&code::SYNTAX, message).at(place, if inserted { "a statement ends here" } else { "" });
    if inserted && token == Token::Semi {
        finding = finding.note("the end of a line ends a statement; to go on in the next line, open a parenthesis or leave an operator at the end");
    }
    let closes = ["}", "fi", "od", "proctype", "init", "active", "inline", "ltl"].contains(&&*sources.text(span));
    let finding = if closes { with_opener(sources, finding, span.start, expected) } else { finding };
    match call_hint(sources, span).or_else(|| hint(sources, token, span, expected)) {
        Some(hint) => finding.note(hint),
        None => finding,
    }
}

/// Points at the `if` or `do` that would have to be closed before this place.
fn with_opener(sources: &Sources, finding: Diagnostic, at: u32, expected: &[String]) -> Diagnostic {
    let can = |sign: &str| expected.iter().any(|e| e.trim_matches('"') == sign);
    let is_closed_here = !can("fi") && !can("od");
    match (is_closed_here, opener(sources, at)) {
        (false, Some((opener, closer))) if can(closer) => {
            let word = sources.text(opener);
            finding.because(opener, format!("this `{word}` is not closed: a `{closer}` is missing"))
        }
        _ => finding,
    }
}

/// The most tokens in which an `if` or `do` is looked for.
const FAR: u32 = 20_000;

/// The last `if` or `do` in front of a place that is open there, in the same braces, and what closes it.
fn opener(sources: &Sources, at: u32) -> Option<(Span, &'static str)> {
    let (mut closed, mut braces) = (Vec::new(), 0);
    for start in (at.saturating_sub(FAR)..at).rev() {
        let span = Span { start, end: start + 1 };
        match (&*sources.text(span), braces) {
            ("}", _) => braces += 1,
            ("{", 0) => return None,
            ("{", _) => braces -= 1,
            ("fi" | "od", 0) => closed.push(start),
            (word @ ("if" | "do"), 0) if closed.pop().is_none() => {
                return Some((span, if word == "if" { "fi" } else { "od" }));
            }
            _ => {}
        }
    }
    None
}

/// What was meant by words that other languages have, and by the call of something that is not there.
fn call_hint(sources: &Sources, span: Span) -> Option<String> {
    let start = span.start.checked_sub(1)?;
    let before = sources.text(Span { start, end: span.start });
    let found = sources.text(span);
    let is_name = before.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !before.starts_with(|c: char| c.is_ascii_digit());
    Some(match (&*before, &*found) {
        (_, "=") if sources.text(Span { start: span.end, end: span.end + 1 }) == ">" => {
            "there is no `=>` in Promela: write `->`, or `>=` to compare".to_owned()
        }
        ("if", "(") => "an `if` has options: `if :: a -> … :: else -> … fi`".to_owned(),
        ("while", "(") => "a loop has options: `do :: a -> … :: else -> break od`".to_owned(),
        ("G", _) => "write `[]` or `always` for `G`".to_owned(),
        ("F", _) => "write `<>` or `eventually` for `F`".to_owned(),
        (name, "(") if is_name && !name.is_empty() && !crate::words::is_keyword(name) => {
            let inlines = sources.inlines.iter().map(|&inline| &**sources.name(inline));
            match inlines.into_iter().find(|inline| crate::words::one_slip(name, inline)) {
                Some(inline) => format!("did you mean `{inline}`?"),
                None if crate::words::near_keyword(name).is_some() => return None,
                None => format!("there is no inline or macro `{name}` above; a process is started with `run`"),
            }
        }
        _ => return None,
    })
}

/// The found token with a word that says what kind of thing it is.
fn found(sources: &Sources, token: Token, span: Span) -> String {
    let text = sources.text(span);
    match token {
        Token::Name(_) => format!("name `{text}`"),
        Token::TypeName(_) => format!("`{text}`, the name of a typedef"),
        Token::ProcName(_) => format!("`{text}`, the name of a proctype"),
        Token::Number(_) => format!("constant `{text}`"),
        Token::Str => format!("string {text}"),
        Token::EmbeddedC => "embedded C".to_owned(),
        _ => format!("`{text}`"),
    }
}

/// What the parser could go on with, in as few words as say it.
fn wanted(expected: &[String]) -> String {
    let marks = ["an expression", "a formula", "the end of a declaration"];
    let mut signs: Vec<&str> = expected.iter().map(|e| e.trim_matches('"')).filter(|e| !marks.contains(e)).collect();
    let mut words = Vec::new();
    let mut group = |members: &[&str], all: &[&str], name: &'static str| {
        if members.iter().all(|m| signs.contains(m)) {
            signs.retain(|s| !all.contains(s));
            words.push(name.to_owned());
        }
    };
    group(&["proctype", "init", "typedef"], TOP_LEVEL, "a declaration");
    group(&["atomic", "if", "goto", "byte"], STATEMENT, "a statement");
    group(&["atomic", "if", "goto"], STATEMENT, "a statement");
    group(&["a name", "a number", "(", "len", "[]"], EXPRESSION, "a formula");
    group(&["a name", "a number", "(", "len"], EXPRESSION, "an expression");
    group(&["byte", "int", "a type"], TYPES, "a type");
    group(&["a name", "a type", "a proctype"], &["a name", "a type", "a proctype"], "a name");
    group(&["+", "*"], OPERATORS, "an operator");
    group(&["+", "-"], OPERATORS, "an operator");
    group(&[";", "->"], &[";", "->"], "`;`");
    for sign in &signs {
        words.push(if sign.starts_with("a ") { (*sign).to_owned() } else { format!("`{}`", spelled(sign)) });
    }
    words.truncate(6);
    match words.split_last() {
        None => "nothing more is".to_owned(),
        Some((only, [])) => format!("{only} is"),
        Some((last, rest)) => format!("{} or {last} is", rest.join(", ")),
    }
}

fn spelled(sign: &str) -> &str {
    if sign == "implies" { "->" } else { sign }
}

/// What was probably meant.
fn hint(sources: &Sources, token: Token, span: Span, expected: &[String]) -> Option<String> {
    let can = |sign: &str| expected.iter().any(|e| e.trim_matches('"') == sign);
    let text = sources.text(span);
    let before = span.start.checked_sub(1).map(|at| sources.text(Span { start: at, end: span.start }));
    let before = before.as_deref().unwrap_or("");
    Some(match token {
        Token::Assign if can("==") => "`=` assigns; to compare, write `==`".to_owned(),
        Token::Assign if matches!(before, "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^") => {
            format!("there is no `{before}=` in Promela: write `x = x {before} …`")
        }
        _ if before == "?" && expected.len() == 1 && can("[") => {
            "a conditional is written `(condition -> a : b)`; a poll is written `c?[…]`".to_owned()
        }
        _ if can("atomic") && token != Token::Unless && crate::nesting::is_operator(token) => {
            "the end of the line before ends a statement: leave the operator there, or use parentheses".to_owned()
        }
        Token::BangBang => "`!!` is a sorted send; write `! !x` to negate twice".to_owned(),
        Token::MinusMinus => "`--` decrements; write `- -x` to negate twice".to_owned(),
        Token::Unless => "`unless` must stand in the line of the `}` (or statement) before it".to_owned(),
        Token::RightBrace if can("atomic") => "a body holds at least one statement: write `skip`".to_owned(),
        Token::Comma if before == "}" => {
            "end the declaration here and start a new one: no comma follows `}`".to_owned()
        }
        Token::ProcName(_) if can("a name") => {
            format!("`{text}` is taken by a proctype; choose another name")
        }
        Token::TypeName(_) if can("a name") => {
            format!("`{text}` is taken by a typedef; choose another name")
        }
        _ if near_before(sources, span).is_some() => {
            let (written, meant) = near_before(sources, span)?;
            format!("did you mean `{meant}` instead of `{written}`?")
        }
        Token::Name(_) | Token::ProcName(_) | Token::TypeName(_) if can(";") && !can("a name") => {
            "a `;` is missing between two statements in one line".to_owned()
        }
        Token::Byte | Token::Int | Token::Bool | Token::Bit | Token::Short | Token::Chan | Token::Mtype
            if before == "," && can("a name") =>
        {
            "parameters of different types are separated by `;`".to_owned()
        }
        Token::At | Token::Colon => "a remote reference needs a proctype that is declared above".to_owned(),
        Token::Question if can("==") => "a conditional is written `(condition -> a : b)`".to_owned(),
        Token::Name(_) => match crate::words::near_keyword(&text) {
            Some(word) if can(word) => format!("did you mean `{word}`?"),
            _ => return None,
        },
        Token::Always | Token::Eventually => "temporal operators belong into `ltl` blocks".to_owned(),
        _ => return None,
    })
}

/// A name shortly before a place that looks like a misspelt reserved word, and that word.
fn near_before(sources: &Sources, span: Span) -> Option<(String, &'static str)> {
    (1..=2).find_map(|back| {
        let start = span.start.checked_sub(back)?;
        let text = sources.text(Span { start, end: start + 1 });
        crate::words::near_keyword(&text).map(|word| (text, word))
    })
}

const TOP_LEVEL: &[&str] = &[
    "proctype",
    "init",
    "typedef",
    "active",
    "D_proctype",
    "never",
    "trace",
    "notrace",
    "ltl",
    "mtype",
    "C code",
    "c_state",
    "c_track",
    "hidden",
    "show",
    "local",
    "bit",
    "bool",
    "byte",
    "pid",
    "short",
    "int",
    "chan",
    "unsigned",
    "a name",
    "a type",
    ";",
    "->",
];
const STATEMENT: &[&str] = &[
    "a name",
    "a type",
    "a proctype",
    "a number",
    "C code",
    "assert",
    "atomic",
    "break",
    "d_step",
    "do",
    "else",
    "empty",
    "enabled",
    "for",
    "full",
    "get_priority",
    "goto",
    "hidden",
    "if",
    "len",
    "local",
    "mtype",
    "nempty",
    "nfull",
    "np_",
    "pc_value",
    "printf",
    "printm",
    "run",
    "select",
    "set_priority",
    "show",
    "timeout",
    "xr",
    "xs",
    "(",
    "{",
    "!",
    "-",
    "~",
    "bit",
    "bool",
    "byte",
    "pid",
    "short",
    "int",
    "chan",
    "unsigned",
];
const EXPRESSION: &[&str] = &[
    "a name",
    "a proctype",
    "a number",
    "C code",
    "empty",
    "enabled",
    "full",
    "get_priority",
    "len",
    "nempty",
    "nfull",
    "np_",
    "pc_value",
    "run",
    "timeout",
    "(",
    "!",
    "-",
    "~",
    "[]",
    "<>",
    "X",
];
const TYPES: &[&str] = &[
    "bit", "bool", "byte", "pid", "short", "int", "chan", "unsigned", "mtype", "a type", "a name", "hidden", "show",
    "local",
];
const OPERATORS: &[&str] = &[
    "+", "-", "*", "/", "%", "&", "|", "^", "&&", "||", "==", "!=", "<", "<=", ">", ">=", "<<", ">>", "U", "V", "W",
    "implies", "<->", "!!", "??", "?", "!", "++", "--", "=", ".", "[", "@",
];
