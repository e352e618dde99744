//! The simple program that `psw query` is held against: all states in a hash set, and every answer by going through them.
//!
//! It reads states by name, as traces do (`Model::values`), and never looks at a field or evaluates an expression.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::ops::ControlFlow;
use std::path::Path;

use interp::exec::step::{Move, Path as Moves, Sink};
use interp::inspect::values::ValueView;
use interp::{Model, StateSpace, Violation, ViolationKind, Word};
use promela::diagnostics::Severity;
use promela::source::{Sources, Span};
use promela::{Disk, Options};

/// A model with all its states.
pub struct Judge {
    pub model: Model,
    pub states: Vec<Vec<Word>>,
    /// Where each state is in `states`.
    pub index: HashMap<Vec<Word>, usize>,
    /// States without a successor, each with its kind.
    pub dead: HashMap<Vec<Word>, &'static str>,
    /// What was executed: proctype, line and text.
    pub executed: BTreeSet<(String, u32, String)>,
}

/// A variable or channel: its process (with proctype), its name, and `variable` or `length`.
pub type Key = (Option<(usize, String)>, String, &'static str);

/// The successors of a state, what is wrong with it, and what is executed.
#[derive(Default)]
struct Steps {
    next: Vec<Vec<Word>>,
    violations: Vec<ViolationKind>,
    spans: Vec<(String, Span)>,
}

struct Collect<'m> {
    model: &'m Model,
    steps: Steps,
}

impl Collect<'_> {
    fn moves(&mut self, moves: &[Move]) {
        for a_move in moves {
            let template = &self.model.program.templates[a_move.template];
            let name = self.model.checked.proctypes[template.proctype].name.to_string();
            self.steps.spans.push((name, self.model.program.edges[a_move.edge].span));
        }
    }
}

impl Sink for Collect<'_> {
    fn successor(&mut self, next: &[Word], path: Moves) -> ControlFlow<()> {
        self.steps.next.push(next.to_vec());
        self.moves(path.moves);
        ControlFlow::Continue(())
    }

    fn violation(&mut self, violation: Violation, path: Moves) -> ControlFlow<()> {
        // A move that goes wrong is not executed; one that does all the same has a successor too.
        self.steps.violations.push(violation.kind);
        self.moves(&path.moves[..path.moves.len().saturating_sub(1)]);
        ControlFlow::Continue(())
    }
}

/// Reads a model; `None` if it is wrong.
fn read(path: &Path) -> Option<(Model, Sources)> {
    let parsed = promela::parse(path, &Disk, &Options::default());
    if parsed.diagnostics.iter().any(|finding| finding.severity == Severity::Error) {
        return None;
    }
    let checked = promela::check(&parsed.ast, &mut Vec::new())?;
    Some((Model::new(checked), parsed.sources))
}

impl Judge {
    /// Goes through all states; `None` if the model is wrong, or there are more than `most`.
    pub fn new(path: &Path, most: usize) -> Option<Judge> {
        let (model, sources) = read(path)?;
        let initial = model.initial().ok()?;
        let mut known = HashSet::from([initial.clone()]);
        let mut queue = VecDeque::from([initial]);
        let (mut states, mut dead, mut spans) = (Vec::new(), HashMap::new(), HashSet::new());
        while let Some(state) = queue.pop_front() {
            let mut collect = Collect { model: &model, steps: Steps::default() };
            let _ = model.walk(&state, &mut model.scratch(), &mut collect);
            let Steps { next, violations, spans: executed } = collect.steps;
            spans.extend(executed);
            if next.is_empty() {
                let kind = match violations.as_slice() {
                    [] => "valid",
                    [ViolationKind::InvalidEndState] => "invalid",
                    _ => "failing",
                };
                dead.insert(state.clone(), kind);
            }
            for next in next {
                if !known.contains(&next) {
                    known.insert(next.clone());
                    queue.push_back(next);
                }
            }
            if known.len() > most {
                return None;
            }
            states.push(state);
        }
        let text = |(process, span): (String, Span)| (process, sources.line(span), statement(&sources, span));
        // A text that stands twice on a line does not tell which of the two is meant.
        let mut places: HashMap<(u32, String), HashSet<Span>> = HashMap::new();
        for edge in model.program.edges.values() {
            let place = (sources.line(edge.span), statement(&sources, edge.span));
            places.entry(place).or_default().insert(edge.span);
        }
        let is_clear = |(_, line, text): &(String, u32, String)| places[&(*line, text.clone())].len() == 1;
        let executed = spans.into_iter().map(text).filter(is_clear).collect();
        let index = states.iter().cloned().zip(0..).collect();
        Some(Judge { model, states, index, dead, executed })
    }

    /// All values of a state as numbers, by name; of channels with contents, their lengths.
    pub fn numbers(&self, state: &[Word]) -> Vec<(Key, i64)> {
        let processes = self.model.processes(state);
        let number = |view: ValueView| {
            let owner = view.pid.map(|pid| (pid, processes[pid].name.clone()));
            let (kind, number) = match view.value.as_str() {
                "empty" => ("length", 0),
                text if text.starts_with('[') => ("length", text.matches('[').count() as i64),
                text => ("variable", self.number(text)),
            };
            ((owner, view.name, kind), number)
        };
        self.model.values(state).into_iter().map(number).collect()
    }

    /// A value back to its number.
    fn number(&self, text: &str) -> i64 {
        let names = self.model.checked.mtypes.values().flat_map(|set| (1..).zip(&set.names));
        match text.strip_prefix("channel ").unwrap_or(text).parse() {
            Ok(number) => number,
            Err(_) => names.into_iter().find(|(_, name)| ***name == *text).map_or(i64::MIN, |(number, _)| number),
        }
    }

    /// Least and greatest of everything. Names that occur several times in a process have several.
    pub fn bounds(&self) -> BTreeMap<Key, Vec<(i64, i64)>> {
        let mut all: BTreeMap<(Key, usize), (i64, i64)> = BTreeMap::new();
        for state in &self.states {
            let mut seen: BTreeMap<Key, usize> = BTreeMap::new();
            for (key, number) in self.numbers(state) {
                let nth = seen.entry(key.clone()).or_default();
                let bounds = all.entry((key, *nth)).or_insert((number, number));
                *nth += 1;
                *bounds = (bounds.0.min(number), bounds.1.max(number));
            }
        }
        let mut merged: BTreeMap<Key, Vec<(i64, i64)>> = BTreeMap::new();
        for ((key, _), bounds) in all {
            merged.entry(key).or_default().push(bounds);
        }
        merged.values_mut().for_each(|bounds| bounds.sort());
        merged
    }

    /// The values of some variables in every state, and 0 where one is not there.
    pub fn columns(&self, keys: &[&Key]) -> Vec<Vec<i64>> {
        let mut columns = vec![vec![0; self.states.len()]; keys.len()];
        for (row, state) in self.states.iter().enumerate() {
            for (key, number) in self.numbers(state) {
                if let Some(column) = keys.iter().position(|&wanted| *wanted == key) {
                    columns[column][row] = number;
                }
            }
        }
        columns
    }

    /// For each message of a global channel: the fewest and the most copies.
    pub fn copies(&self, channel: &str) -> BTreeMap<String, (usize, usize)> {
        let mut all: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for state in &self.states {
            let mut counts: BTreeMap<String, usize> = BTreeMap::new();
            self.messages(state, channel).into_iter().for_each(|message| *counts.entry(message).or_default() += 1);
            for (message, count) in counts {
                all.entry(message).or_default().push(count);
            }
        }
        let bounds = |counts: Vec<usize>| {
            let fewest = counts.iter().copied().min().filter(|_| counts.len() == self.states.len());
            (fewest.unwrap_or(0), counts.iter().copied().max().unwrap_or(0))
        };
        all.into_iter().map(|(message, counts)| (message, bounds(counts))).collect()
    }

    fn messages(&self, state: &[Word], channel: &str) -> Vec<String> {
        let views = self.model.values(state);
        let held = views.iter().find(|view| view.pid.is_none() && view.name == channel);
        match held.map(|view| view.value.as_str()) {
            None | Some("empty") => Vec::new(),
            Some(text) => text[1..text.len() - 1].split("] [").map(str::to_owned).collect(),
        }
    }

    /// A state as `psw query` lists it.
    pub fn listed(&self, state: &[Word]) -> Vec<(Option<u64>, String, String)> {
        let views = self.model.values(state).into_iter();
        views.map(|view| (view.pid.map(|pid| pid as u64), view.name, view.value)).collect()
    }
}

/// A statement as written, on one line.
fn statement(sources: &Sources, span: Span) -> String {
    let text = sources.text(span);
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.get(..24) {
        Some(first) if words.len() > 24 => format!("{} …", first.join(" ")),
        _ => words.join(" "),
    }
}
