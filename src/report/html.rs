//! The report as one HTML file, for somebody who was not there: the verdict, the run step by step with its source, values,
//! messages and automata, and how the search went.
//!
//! `html/template.html` is the page and its marks `{{…}}` are filled here, once each: style, scripts, drawings, and all that
//! the page shows as one JSON object. Nothing of the model can become part of the page's code: the JSON has no `<`, `>` or `&`,
//! the scripts show its strings as text only, drawings are escaped as SVG is, and the page may run only scripts that bear a
//! number drawn for this file (a nonce of its Content-Security-Policy), and load nothing.

mod automata;
pub mod check;
mod layers;
mod places;
pub mod properties;
mod run;
mod story;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::path::Path;

use interp::Violation;
use interp::inspect::trace::Trace;
use promela::visible::visible;
use serde::Serialize;
use sweep::{Stats, Verdict};

use crate::commands::plot;
use crate::fault::{self, Phase};
use crate::load::Loaded;
use crate::observers::log::Row;
use crate::property::formula::Atom;
use crate::property::search::Answer;
use crate::report::locations::Statements;
use crate::report::summary::bytes;
use crate::report::{self, trace, unreached};
use crate::svg::escape;
use crate::target::Target;
use crate::trace::chart;
use crate::trace::file::base_name;

use places::{FileData, PlaceData, Places};
use run::RunData;

/// Counts changes of meaning of the data; fields are only ever added.
const VERSION: u32 = 1;
/// What ends sooner, in seconds, has no curves.
const SHORT: f64 = 0.05;
/// The most runs that a page shows.
const MOST_RUNS: usize = 10;

const TEMPLATE: &str = include_str!("html/template.html");
const STYLE: &str = include_str!("html/style.css");
/// One script, in parts.
const SCRIPT: &str = concat!(
    include_str!("html/history.js"),
    include_str!("html/source.js"),
    include_str!("html/steps.js"),
    include_str!("html/values.js"),
    include_str!("html/pictures.js"),
    include_str!("html/page.js"),
);

/// What a page is about.
pub struct Page<'a> {
    pub file: &'a Path,
    pub loaded: &'a Loaded,
    pub state: State,
    /// What it comes to, in a few words.
    pub headline: String,
    /// What was checked.
    pub checks: Vec<Check>,
    /// The runs to show.
    pub runs: Vec<RunOf<'a>>,
    /// Runs that cannot be shown, and why.
    pub lost: Vec<String>,
    /// Numbers of the search.
    pub facts: Vec<Fact>,
    /// The end of the report as text.
    pub summary: String,
    /// There was a search, which knows what was executed.
    pub is_searched: bool,
    /// Every statement that can be executed was.
    pub is_complete: bool,
    /// How the search went.
    pub growth: Option<Vec<Row>>,
    /// What is added to the command line to have the same run again.
    pub repeat: String,
}

/// The verdict.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
#[serde(rename_all = "lowercase")]
pub enum State {
    Holds,
    Violated,
    /// No verdict.
    Stopped,
    /// A simulation, which has none.
    Run,
}

impl From<Verdict> for State {
    fn from(verdict: Verdict) -> State {
        match verdict {
            Verdict::Holds => State::Holds,
            Verdict::Violated => State::Violated,
            Verdict::Stopped(_) => State::Stopped,
        }
    }
}

/// A property and its verdict.
#[derive(Serialize)]
pub struct Check {
    pub name: String,
    pub formula: Option<String>,
    pub state: State,
    /// In words.
    pub text: String,
    /// What makes a verdict worth less than it seems.
    pub notes: Vec<String>,
}

/// A number with its name.
#[derive(Serialize)]
pub struct Fact {
    name: &'static str,
    value: String,
}

/// A run of the model.
pub struct RunOf<'a> {
    pub name: String,
    pub trace: Cow<'a, Trace>,
    pub violation: Option<Violation>,
    /// What a formula is made of.
    pub atoms: &'a [Atom],
}

/// All that the page shows.
#[derive(Serialize)]
struct PageData {
    version: u32,
    psw: &'static str,
    model: String,
    command: String,
    state: State,
    headline: String,
    checks: Vec<Check>,
    lost: Vec<String>,
    facts: Vec<Fact>,
    summary: String,
    files: Vec<FileData>,
    places: Vec<PlaceData>,
    /// By file: lines with statements; 0 executed, 1 some of them never executed, 2 none executed.
    coverage: Vec<Vec<(usize, u8)>>,
    is_complete: bool,
    /// By proctype and location: the statements that lead on.
    locations: BTreeMap<String, BTreeMap<u32, Vec<String>>>,
    runs: Vec<RunData>,
}

/// The file that was asked for.
pub struct HtmlFile(Target);

impl HtmlFile {
    /// A file that can be written as far as one can tell now; `None` if none was asked for.
    pub fn ready(path: Option<&Path>) -> anyhow::Result<Option<HtmlFile>> {
        Ok(path.map(Target::new).transpose()?.map(HtmlFile))
    }

    /// Writes it.
    pub fn write(&self, page: Page) -> anyhow::Result<()> {
        fault::enter(Phase::Report);
        self.0.write(&draw(page)?)
    }
}

/// The file.
fn draw(page: Page) -> anyhow::Result<String> {
    let nonce = format!("{:016x}", RandomState::new().hash_one(1));
    let title = format!("psw: {}", base_name(page.file));
    let charts: Vec<String> =
        page.runs.iter().take(MOST_RUNS).map(|run| chart::embed(page.loaded, &run.trace)).collect();
    let automata = automata::draw(page.loaded);
    let growth = page
        .growth
        .as_deref()
        .filter(|rows| rows.last().is_some_and(|end| end.seconds >= SHORT))
        .map(plot::embed)
        .unwrap_or_default();
    let data = escape_json(&serde_json::to_string(&data(page))?);
    Ok(fill(
        TEMPLATE,
        &[
            ("nonce", &nonce),
            ("title", &escape(&title)),
            ("style", STYLE),
            ("data", &data),
            ("charts", &charts.concat()),
            ("automata", &automata),
            ("growth", &growth),
            ("script", SCRIPT),
        ],
    ))
}

fn data(page: Page) -> PageData {
    let Page { loaded, runs, .. } = page;
    let mut places = Places::new(&loaded.sources);
    // Without a search, what was executed is what the runs have.
    let statements = if page.is_searched { unreached::statements(loaded) } else { run::statements(loaded, &runs) };
    let mut lines = Vec::new();
    for (span, executed) in statements {
        lines.extend(places.lines(span).map(|(file, line)| (file, line, executed)));
    }
    let locations = Statements::new(loaded);
    let runs: Vec<RunData> =
        runs.iter().take(MOST_RUNS).map(|run| run::data(loaded, run, &locations, &mut places)).collect();
    let (files, places) = places.done();
    PageData {
        version: VERSION,
        psw: env!("CARGO_PKG_VERSION"),
        model: visible(&page.file.display().to_string()).into(),
        command: visible(&(command() + &page.repeat)).into(),
        state: page.state,
        headline: visible(&page.headline).into(),
        checks: page.checks,
        lost: page.lost,
        facts: page.facts,
        summary: visible(&page.summary).into(),
        locations: locations.by_process(),
        coverage: coverage(&lines, files.len()),
        files,
        places,
        is_complete: page.is_complete,
        runs,
    }
}

/// Which lines were executed: one of two statements on a line is half of it.
fn coverage(lines: &[(usize, usize, bool)], files: usize) -> Vec<Vec<(usize, u8)>> {
    let mut marks = vec![BTreeMap::<usize, (bool, bool)>::new(); files];
    for &(file, line, executed) in lines {
        let (done, left) = marks[file].entry(line).or_default();
        *done |= executed;
        *left |= !executed;
    }
    let mark = |(line, (done, left)): (usize, (bool, bool))| (line, if !done { 2 } else { u8::from(left) });
    marks.into_iter().map(|lines| lines.into_iter().map(mark).collect()).collect()
}

/// The runs that violate properties, and those that cannot be shown.
pub fn runs_of<'a>(answers: &'a [Answer]) -> (Vec<RunOf<'a>>, Vec<String>) {
    let (mut runs, mut lost) = (Vec::new(), Vec::new());
    for answer in answers {
        let name = answer.property.name.clone();
        match &answer.run {
            Some(Ok(run)) => runs.push(RunOf {
                name,
                trace: Cow::Borrowed(&run.trace),
                violation: answer.outcome.violations.first().map(|found| found.violation),
                atoms: answer.property.atoms(),
            }),
            Some(Err(reason)) => lost.push(format!("{name}: {reason}")),
            None => {}
        }
    }
    (runs, lost)
}

/// The run to what a search has found.
pub fn run_to<'a>(loaded: &Loaded, found: &sweep::Found<Violation>) -> Result<RunOf<'a>, String> {
    let trace = Cow::Owned(trace::replayed(loaded, found)?);
    let violation = Some(found.violation);
    Ok(RunOf { name: found.violation.kind.message().to_owned(), trace, violation, atoms: &[] })
}

/// The verdicts on properties.
pub fn checks_of(answers: &[Answer]) -> Vec<Check> {
    let check = |answer: &Answer| Check {
        name: answer.property.name.clone(),
        formula: answer.property.formula(),
        state: match answer.never_begun() {
            Some(_) => State::Stopped,
            None => answer.outcome.verdict().into(),
        },
        text: report::properties::verdict(answer, false),
        notes: answer.vacuous.clone(),
    };
    answers.iter().map(check).collect()
}

/// The numbers of a search.
pub fn facts_of(stats: &Stats) -> Vec<Fact> {
    let found = stats.distinct.unwrap_or(stats.states);
    let fact = |name, value| Fact { name, value };
    vec![
        fact("states", grouped(found)),
        fact("most in memory at a time", grouped(stats.peak_states)),
        fact("transitions", grouped(stats.transitions)),
        fact("depth", grouped(stats.depth)),
        fact("memory", bytes(stats.peak_bytes)),
        fact("time", format!("{:.2} s", stats.elapsed.as_secs_f64())),
    ]
}

/// `1 234 567`, with spaces that are no line breaks.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let first = digits.len() % 3;
    let (head, tail) = digits.split_at(first);
    let groups = tail.as_bytes().chunks(3).map(|group| String::from_utf8_lossy(group).into_owned());
    let head = (!head.is_empty()).then(|| head.to_owned());
    head.into_iter().chain(groups).collect::<Vec<_>>().join("\u{202f}")
}

/// The command line as a shell reads it.
fn command() -> String {
    let arguments = std::env::args_os().skip(1).map(|argument| quoted(&argument.to_string_lossy()));
    std::iter::once("psw".to_owned()).chain(arguments).collect::<Vec<_>>().join(" ")
}

/// A word of a shell.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./=:,@%+".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// A JSON text that can stand in a script element: what could end it is spelt out, and what some take for a line break.
fn escape_json(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for c in json.chars() {
        match matches!(c, '<' | '>' | '&' | '\u{2028}' | '\u{2029}') {
            true => escaped.push_str(&format!("\\u{:04x}", u32::from(c))),
            false => escaped.push(c),
        }
    }
    escaped
}

/// A template with its marks replaced; what replaces them is not looked at again.
fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut page = String::new();
    let mut rest = template;
    while let Some((before, (name, after))) =
        rest.split_once("{{").and_then(|(before, after)| Some((before, after.split_once("}}")?)))
    {
        page.push_str(before);
        page.push_str(values.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value));
        rest = after;
    }
    page.push_str(rest);
    page
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_string_comes_back_and_has_no_markup(text in any::<String>()) {
            let hostile = format!("{text}</script><!--&lt;\u{2028}\u{2029}{text}");
            let json = escape_json(&serde_json::to_string(&hostile).expect("a string is JSON"));
            prop_assert!(!json.contains(['<', '>', '&', '\u{2028}', '\u{2029}']), "markup");
            prop_assert_eq!(serde_json::from_str::<String>(&json).expect("it is JSON still"), hostile);
        }

        #[test]
        fn any_text_is_text_in_a_drawing(text in any::<String>()) {
            let hostile = format!("{text}</text><script>\"'&{text}");
            let drawn = format!("<t a=\"{0}\">{0}</t>", escape(&hostile));
            let read = roxmltree::Document::parse(&drawn).expect("it is XML");
            prop_assert!(!read.root_element().has_children() || read.root_element().first_child().is_some_and(|node| node.is_text()));
            prop_assert_eq!(read.root_element().children().count(), 1);
        }
    }

    #[test]
    fn marks_are_filled_once() {
        assert_eq!(fill("a {{x}} {{y}} {{none}}.", &[("x", "{{y}}"), ("y", "1")]), "a {{y}} 1 .");
    }

    #[test]
    fn words_of_a_shell() {
        assert_eq!(quoted("a-b=1"), "a-b=1");
        assert_eq!(quoted("[]<>p"), "'[]<>p'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn numbers_in_groups() {
        assert_eq!(
            [grouped(0), grouped(999), grouped(1000), grouped(1_234_567)].join("|").replace('\u{202f}', "_"),
            "0|999|1_000|1_234_567"
        );
    }

    #[test]
    fn half_a_line_may_be_executed() {
        let lines = [(0, 3, true), (0, 3, false), (0, 4, true), (0, 5, false)];
        assert_eq!(coverage(&lines, 1), [vec![(3, 1), (4, 0), (5, 2)]]);
    }
}
