//! What is done with an input: a function for each target, which panics if psw is wrong.
//!
//! Whatever the bytes are, psw must not panic, two searches must agree, a trace must lead where it says, and an automaton
//! must accept what its formula says. What is expanded is bounded, in states and in steps of one state, so that an input
//! takes milliseconds.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use interp::inspect::expression::Expressions;
use interp::{Analysis, Digest, Model, StateSpace, Violation, Visit, Word};
use ltl2ba::Lasso;
use promela::ast::print::{print, same_tree};
use promela::diagnostics::Severity;
use promela::{Options, Parsed, check, parse_text, render};
use sweep::{Algorithm, Limits, Meter, Observer, Outcome, SearchOptions, Stats};

#[path = "../../src/trace/trail.rs"]
#[allow(dead_code)]
mod trail;

/// So many states are stored at most.
const STATES: u64 = 2_000;
/// So many events of one state are looked at.
const EVENTS: u32 = 2_000;
/// Wider states are not executed: they cost time and show nothing more.
const WORDS: u32 = 1 << 7;
/// A run has so many steps at most.
const STEPS: usize = 60;
/// A search ends after this time; then nothing is compared.
const TIME: Duration = Duration::from_secs(1);
/// Longer inputs are not looked at.
const LONGEST: usize = 1 << 14;

fn read(bytes: &[u8]) -> Parsed {
    parse_text("m.pml", bytes, &Options::default())
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
fn model(bytes: &[u8], analysis: Analysis) -> Option<Model> {
    let mut parsed = read(bytes);
    if bytes.len() > LONGEST || is_broken(&parsed) {
        return None;
    }
    let checked = check(&parsed.ast, &mut parsed.diagnostics)?;
    let model = Model::with(checked, analysis, &Expressions::default());
    let widest = model.layout.templates.values().map(|template| template.words).max().unwrap_or(0);
    (model.layout.fixed_words + widest <= WORDS).then_some(model)
}

/// Text as a model: executed depth first and breadth first, which must agree, also with the plain semantics; every trace
/// is replayed.
pub fn execute(bytes: &[u8]) {
    let Some(model) = model(bytes, Analysis::Full) else { return };
    let searches = [(Algorithm::Dfs, false), (Algorithm::Bfs, false), (Algorithm::Bfs, true)];
    let seen = searches.map(|(algorithm, compact)| search(&model, algorithm, compact));
    for seen in &seen {
        seen.outcome.violations.iter().for_each(|found| confirm(&model, found));
    }
    let [first, others @ ..] = seen;
    others.iter().for_each(|other| first.must_agree(other, "searches disagree"));
    if let Some(plain) = self::model(bytes, Analysis::Plain) {
        first.must_agree(&search(&plain, Algorithm::Bfs, false), "the plain semantics disagrees");
    }
}

/// What a search has seen.
struct Seen {
    outcome: Outcome<Violation>,
    /// Of all states.
    digest: Digest,
}

impl Seen {
    fn must_agree(&self, other: &Seen, what: &str) {
        // A search that was stopped has seen what its order brought first.
        if self.outcome.stopped.is_some() || other.outcome.stopped.is_some() {
            return;
        }
        let (one, two) = (&self.outcome.stats, &other.outcome.stats);
        assert_eq!(one.states, two.states, "{what} about the number of states");
        assert_eq!(one.transitions, two.transitions, "{what} about the number of steps");
        assert_eq!(one.errors, two.errors, "{what} about the number of errors");
        assert_eq!(self.digest, other.digest, "{what} about the values of the states");
    }
}

fn search(model: &Model, algorithm: Algorithm, compact: bool) -> Seen {
    let deadline = Some(Instant::now() + TIME);
    let limits = Limits { max_states: Some(STATES), ..Limits::default() };
    let meter = Meter::unlimited().with_max_bytes(Some(256 << 20)).with_deadline(deadline);
    let options = SearchOptions { algorithm, compact, limits, all_errors: true, ..SearchOptions::default() };
    let mut states = States { model, digest: Digest::default() };
    let outcome = sweep::check(&Capped { model }, &options, &mut states, &meter);
    Seen { outcome, digest: states.digest }
}

/// Adds up the values of all states.
struct States<'m> {
    model: &'m Model,
    digest: Digest,
}

impl Observer for States<'_> {
    fn discovered(&mut self, state: &[Word], _: &Stats) {
        self.digest.add(self.model, state);
    }
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

    fn gave_up(&self) -> bool {
        self.model.gave_up()
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

    fn working(&mut self, bytes: usize) -> ControlFlow<()> {
        self.visit.working(bytes)
    }

    fn suffices(&mut self) -> bool {
        self.visit.suffices()
    }

    fn left_out(&mut self, event: u32) -> ControlFlow<()> {
        self.visit.left_out(event)
    }
}

/// A model, a line `%%`, and a trail of SPIN's. The trail's bytes also choose a run, step by step; without a trail the
/// model's own bytes do. The run is written as a trail and read again.
pub fn replay(bytes: &[u8]) {
    const BORDER: &[u8] = b"\n%%\n";
    let border = bytes.windows(BORDER.len()).position(|window| window == BORDER);
    let (text, trace) = border.map_or((bytes, bytes), |at| (&bytes[..at], &bytes[at + BORDER.len()..]));
    let Some(model) = model(text, Analysis::Full) else { return };
    let events = chosen(&model, trace);
    let run = model.replay(&events).expect("a run can be followed");
    if run.violation.is_some() {
        let text = trail::write(&model, &run);
        let again = trail::read(&text, &model).expect("a trail that was written can be read");
        let again = model.replay(&again).expect("what was read from a trail can be followed");
        assert_eq!(trail::write(&model, &again), text, "a trail that is written reads differently");
    }
    if border.is_some()
        && let Ok(events) = trail::read(&String::from_utf8_lossy(trace), &model)
    {
        let trace = model.replay(&events).expect("what was read from a trail can be followed");
        let again = trail::read(&trail::write(&model, &trace), &model);
        assert_eq!(again.ok(), Some(events), "a trail that is written reads differently");
    }
}

/// The events of a run, each chosen by a byte. It ends with a violation, or before a state with too many steps.
fn chosen(model: &Model, choices: &[u8]) -> Vec<u32> {
    let mut events = Vec::new();
    let Ok(mut state) = model.initial() else { return events };
    let mut scratch = model.scratch();
    for &choice in choices.iter().take(STEPS) {
        let mut found = Successors::default();
        if model.expand(&state, &mut scratch, &mut found).is_break() || found.0.is_empty() {
            break;
        }
        let event = usize::from(choice) % found.0.len();
        events.push(event as u32);
        match found.0.swap_remove(event) {
            Some(next) => state = next,
            None => break,
        }
    }
    events
}

/// The successors of a state, `None` for a violation.
#[derive(Default)]
struct Successors(Vec<Option<Vec<Word>>>);

impl Successors {
    fn add(&mut self, next: Option<Vec<Word>>) -> ControlFlow<()> {
        self.0.push(next);
        if self.0.len() < EVENTS as usize { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

impl Visit<Violation> for Successors {
    fn successor(&mut self, _: u32, next: &[Word]) -> ControlFlow<()> {
        self.add(Some(next.to_vec()))
    }

    fn violation(&mut self, _: u32, _: Violation) -> ControlFlow<()> {
        self.add(None)
    }

    fn working(&mut self, _: usize) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    fn suffices(&mut self) -> bool {
        false
    }

    fn left_out(&mut self, _: u32) -> ControlFlow<()> {
        ControlFlow::Continue(())
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
