//! What is done with an input: a function for each target, which panics if psw is wrong.
//!
//! Whatever the bytes are, psw must not panic, two searches must agree, a trace must lead where it says, and an automaton
//! must accept what its formula says. What is expanded is bounded, in states and in steps of one state, so that an input
//! takes milliseconds.

use std::cell::Cell;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use interp::{Model, StateSpace, Violation, Visit, Word};
use ltl2ba::Lasso;
use promela::ast::print::{print, same_tree};
use promela::diagnostics::Severity;
use promela::{Files, Options, Parsed, check, parse, render};
use sweep::{Algorithm, Limits, Meter, Outcome, SearchOptions};

#[path = "../../src/trace/trail.rs"]
#[allow(dead_code)]
mod trail;

/// So many states are stored at most.
const STATES: u64 = 2_000;
/// So many events of one state are looked at.
const EVENTS: u32 = 2_000;
/// Wider states are not executed: they cost time and show nothing more.
const WORDS: u32 = 1 << 10;
/// Longer inputs are not looked at.
const LONGEST: usize = 1 << 14;

struct OneFile<'a>(&'a [u8]);

impl Files for OneFile<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        if path == Path::new("m.pml") { Ok(self.0.to_vec()) } else { Err(io::ErrorKind::NotFound.into()) }
    }
}

fn read(bytes: &[u8]) -> Parsed {
    parse(Path::new("m.pml"), &OneFile(bytes), &Options::default())
}

fn is_broken(parsed: &Parsed) -> bool {
    parsed.diagnostics.iter().any(|finding| finding.severity == Severity::Error)
}

/// Text through the whole front end: findings are shown, and what is printed reads the same.
pub fn front_end(bytes: &[u8]) {
    let mut parsed = read(bytes);
    for finding in &parsed.diagnostics {
        render::to_text(&parsed.sources, finding, false);
    }
    if is_broken(&parsed) {
        return;
    }
    let again = read(print(&parsed.ast).as_bytes());
    assert!(same_tree(&parsed.ast, &again.ast), "the print of a model reads differently");
    check(&parsed.ast, &mut parsed.diagnostics);
}

/// A model that can be executed in little time.
fn model(bytes: &[u8]) -> Option<Model> {
    let mut parsed = read(bytes);
    if bytes.len() > LONGEST || is_broken(&parsed) {
        return None;
    }
    let checked = check(&parsed.ast, &mut parsed.diagnostics)?;
    let model = Model::new(checked);
    let widest = model.layout.templates.values().map(|template| template.words).max().unwrap_or(0);
    (model.layout.fixed_words + widest <= WORDS).then_some(model)
}

/// Text as a model: executed depth first and breadth first, which must agree; every trace is replayed.
pub fn execute(bytes: &[u8]) {
    let Some(model) = model(bytes) else { return };
    let capped = Capped { model: &model };
    let searches = [(Algorithm::Dfs, false), (Algorithm::Bfs, false), (Algorithm::Bfs, true)];
    let outcomes = searches.map(|(algorithm, compact)| search(&capped, algorithm, compact));
    for outcome in &outcomes {
        outcome.violations.iter().for_each(|found| confirm(&model, found));
    }
    // A search that was stopped has seen what its order brought first.
    if outcomes.iter().any(|outcome| outcome.stopped.is_some()) {
        return;
    }
    let [first, others @ ..] = outcomes;
    for other in others {
        assert_eq!(first.stats.states, other.stats.states, "searches disagree about the number of states");
        assert_eq!(first.stats.transitions, other.stats.transitions, "searches disagree about the number of steps");
        assert_eq!(first.stats.errors, other.stats.errors, "searches disagree about the number of errors");
    }
}

fn search(space: &Capped, algorithm: Algorithm, compact: bool) -> Outcome<Violation> {
    let limits = Limits { max_states: Some(STATES), ..Limits::default() };
    let meter = Meter::unlimited().with_max_bytes(Some(256 << 20));
    let options = SearchOptions { algorithm, compact, limits, all_errors: true, ..SearchOptions::default() };
    sweep::check(space, &options, &mut (), &meter)
}

/// A trace leads to the violation that it is the trace of.
fn confirm(model: &Model, found: &sweep::Found<Violation>) {
    let events = found.trace.as_ref().expect("a trace is kept");
    let trace = model.replay(events).expect("a trace can be followed");
    assert_eq!(trace.violation, Some(found.violation), "a trace leads elsewhere");
}

/// A model of whose states only some steps are looked at: which, depends on the state alone.
struct Capped<'a> {
    model: &'a Model,
}

impl StateSpace for Capped<'_> {
    type Violation = Violation;
    type Scratch = interp::exec::step::Scratch;

    fn scratch(&self) -> Self::Scratch {
        self.model.scratch()
    }

    fn fixed_words(&self) -> Option<usize> {
        self.model.fixed_words()
    }

    fn word_bits(&self) -> &[u8] {
        self.model.word_bits()
    }

    fn gave_up(&self) -> bool {
        self.model.gave_up()
    }

    fn initial(&self) -> Result<Vec<Word>, Violation> {
        self.model.initial()
    }

    fn expand<V: Visit<Violation>>(
        &self,
        state: &[Word],
        scratch: &mut Self::Scratch,
        visit: &mut V,
    ) -> ControlFlow<()> {
        let cut = Cell::new(false);
        let end = self.model.expand(state, scratch, &mut FirstEvents { visit, cut: &cut });
        // For the search the state has no more events.
        if cut.get() { ControlFlow::Continue(()) } else { end }
    }
}

struct FirstEvents<'a, V> {
    visit: &'a mut V,
    cut: &'a Cell<bool>,
}

impl<V> FirstEvents<'_, V> {
    fn go_on(&self, event: u32) -> ControlFlow<()> {
        if event < EVENTS {
            return ControlFlow::Continue(());
        }
        self.cut.set(true);
        ControlFlow::Break(())
    }
}

impl<V: Visit<Violation>> Visit<Violation> for FirstEvents<'_, V> {
    fn successor(&mut self, event: u32, next: &[Word]) -> ControlFlow<()> {
        self.go_on(event)?;
        self.visit.successor(event, next)
    }

    fn violation(&mut self, event: u32, violation: Violation) -> ControlFlow<()> {
        self.go_on(event)?;
        self.visit.violation(event, violation)
    }

    fn left_out(&mut self, event: u32) -> ControlFlow<()> {
        self.visit.left_out(event)
    }

    fn working(&mut self, bytes: usize) -> ControlFlow<()> {
        self.visit.working(bytes)
    }
}

/// A model, a line `%%`, and a trail of SPIN's; its bytes are also the events of a trace.
pub fn replay(bytes: &[u8]) {
    const BORDER: &[u8] = b"\n%%\n";
    let border = bytes.windows(BORDER.len()).position(|window| window == BORDER);
    let Some((text, trace)) = border.map(|at| (&bytes[..at], &bytes[at + BORDER.len()..])) else { return };
    let Some(model) = model(text) else { return };
    let events: Vec<u32> = trace.iter().take(200).map(|&byte| u32::from(byte) % 8).collect();
    let _ = model.replay(&events);
    if let Ok(events) = trail::read(&String::from_utf8_lossy(trace), &model) {
        let trace = model.replay(&events).expect("what was read from a trail can be followed");
        let again = trail::read(&trail::write(&model, &trace), &model);
        assert_eq!(again.ok(), Some(events), "a trail that is written reads differently");
    }
}

/// Text as a formula: its automaton, and that of its negation, accept what direct evaluation says.
pub fn formula(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(parsed) = ltl2ba::parse(text) else { return };
    let mut formulas = parsed.formulas;
    let negation = formulas.not(parsed.formula);
    let atoms = parsed.atoms.len().min(3) as u32;
    for root in [parsed.formula, negation] {
        let Ok(automaton) = ltl2ba::translate(&formulas, root) else { return };
        for word in words(atoms) {
            let value = ltl2ba::evaluate(&formulas, root, &word);
            assert_eq!(automaton.accepts(&word), value, "on {word:?}");
        }
    }
}

/// All words with up to three letters over so many propositions; others are never true.
fn words(atoms: u32) -> impl Iterator<Item = Lasso> {
    let letters = 1u64 << atoms;
    (1..=3u32).flat_map(move |length| {
        (0..letters.pow(length)).flat_map(move |code| {
            let word: Vec<u64> = (0..length).map(|at| code / letters.pow(at) % letters).collect();
            (0..word.len()).filter_map(move |stem| Lasso::new(word[..stem].to_vec(), word[stem..].to_vec()))
        })
    })
}
