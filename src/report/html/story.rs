//! What is wrong with a run, in sentences for somebody who has not seen the model: who did or waits for what, and the values
//! that this depends on.

use interp::Word;
use interp::inspect::values::ValueView;

use super::RunOf;
use crate::load::Loaded;
use crate::report::locations::Statements;
use crate::report::trace;

/// The most values that are told of one statement.
const MOST_VALUES: usize = 6;
/// The most processes that are told of.
const MOST_PROCESSES: usize = 12;

/// The sentences.
pub fn tell(loaded: &Loaded, run: &RunOf, locations: &Statements) -> Vec<String> {
    match (run.trace.cycle_start, run.violation.map(|violation| (violation.pid, violation.span))) {
        (Some(start), _) => cycle(loaded, run, start, locations),
        (None, Some((Some(pid), Some(span)))) => {
            let state = trace::last_state(&run.trace);
            // The whole statement, if it is the last move.
            let last = run.trace.steps.last().and_then(|step| step.moves.last()).filter(|last| last.pid == pid);
            let whole = last.map(|last| loaded.model.program.edges[last.edge].span);
            let whole = whole.filter(|whole| whole.start <= span.start && span.end <= whole.end);
            let statement = trace::statement(&loaded.sources, whole.unwrap_or(span));
            let name = process(loaded, state, usize::from(pid));
            let at = format!("line {}", loaded.sources.line(span));
            vec![format!("{name}, {at}: {statement}{}", where_clause(loaded, state, usize::from(pid), &statement))]
        }
        (None, Some((_, None))) => blocked(loaded, trace::last_state(&run.trace), locations),
        _ => Vec::new(),
    }
}

/// The processes that are stuck.
fn blocked(loaded: &Loaded, state: &[Word], locations: &Statements) -> Vec<String> {
    let processes = if state.is_empty() { Vec::new() } else { loaded.model.processes(state) };
    let mut stuck = processes.into_iter().filter(|process| !process.may_end);
    let mut lines: Vec<String> = Vec::new();
    for view in stuck.by_ref().take(MOST_PROCESSES) {
        let (pid, process, line) = (view.pid, &view.name, loaded.sources.line(view.span));
        let statement = locations.at(&view).join(" or ");
        let what = match view.has_finished {
            true => "waits at its end for processes that it has created".to_owned(),
            false => format!("waits at line {line} for {statement}{}", where_clause(loaded, state, pid, &statement)),
        };
        lines.push(format!("{process}({pid}) {what}"));
    }
    match stuck.count() {
        0 => {}
        more => lines.push(format!("and {more} more processes wait")),
    }
    lines
}

/// What repeats forever, and what is always or never true then.
fn cycle(loaded: &Loaded, run: &RunOf, start: usize, locations: &Statements) -> Vec<String> {
    let trace = &run.trace;
    let length = trace.steps.len();
    let mut lines = vec![match length - start {
        0 if length == 0 => "the initial state stays forever: no process can move".to_owned(),
        0 => format!("after step {length} nothing happens any more: the last state stays forever"),
        1 => format!("step {length} repeats forever"),
        _ => format!("steps {} to {length} repeat forever", start + 1),
    }];
    let states = trace.steps[start..].iter().filter_map(|step| step.states.last().map(Vec::as_slice));
    let mut truths = states
        .chain([trace::last_state(trace)])
        .filter(|state| !state.is_empty())
        .map(|state| trace::atoms(&loaded.model, run.atoms, state));
    let Some(first) = truths.next() else { return lines };
    let mut constant = vec![true; first.len()];
    for truths in truths {
        for ((constant, first), now) in constant.iter_mut().zip(&first).zip(&truths) {
            *constant &= first.holds == now.holds;
        }
    }
    let of = |holds: bool, phrase: &str| {
        let atoms = first.iter().zip(&constant).filter(|(truth, constant)| **constant && truth.holds == holds);
        let atoms: Vec<&str> = atoms.map(|(truth, _)| truth.atom.as_str()).collect();
        (!atoms.is_empty()).then(|| format!("meanwhile {phrase}: {}", atoms.join(", ")))
    };
    lines.extend([of(false, "never true"), of(true, "always true")].into_iter().flatten());
    if length == start {
        lines.extend(blocked(loaded, trace::last_state(trace), locations));
    }
    lines
}

fn process(loaded: &Loaded, state: &[Word], pid: usize) -> String {
    let processes = if state.is_empty() { Vec::new() } else { loaded.model.processes(state) };
    processes.get(pid).map_or_else(|| format!("process {pid}"), |process| format!("{}({pid})", process.name))
}

/// `, where x = 1`: the variables that a statement of a process names.
fn where_clause(loaded: &Loaded, state: &[Word], pid: usize, statement: &str) -> String {
    let values = if state.is_empty() { None } else { trace::values(&loaded.model, state) };
    let told = named(&values.unwrap_or_default(), pid, statement);
    if told.is_empty() { String::new() } else { format!(", where {}", told.join(", ")) }
}

/// The values that a text names, in its order. Locals hide globals.
fn named(values: &[ValueView], pid: usize, text: &str) -> Vec<String> {
    let mut told: Vec<String> = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(is_part) {
        let (name, behind) = rest[at..].split_at(rest[at..].find(|c| !is_part(c)).unwrap_or(rest.len() - at));
        rest = behind;
        if names.contains(&name) {
            continue;
        }
        names.push(name);
        // Of an array that element alone whose index is known.
        let index = behind.strip_prefix('[').and_then(|index| index.split_once(']')).map(|(index, _)| index.trim());
        let element = index.and_then(|index| number(values, pid, index)).map(|index| format!("{name}[{index}]"));
        for owner in [Some(pid), None] {
            let is_meant = |view: &&ValueView| match &element {
                Some(element) => view.name.strip_prefix(&**element).is_some_and(|rest| !rest.starts_with(is_part)),
                None => base(&view.name) == name,
            };
            let named = values.iter().filter(|view| view.pid == owner).filter(is_meant);
            let of: Vec<String> = named.map(|view| format!("{} = {}", view.name, view.value)).collect();
            if !of.is_empty() {
                told.extend(of);
                break;
            }
        }
    }
    if told.len() > MOST_VALUES {
        told.truncate(MOST_VALUES);
        told.push("…".to_owned());
    }
    told
}

/// A character of a name.
fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The value of an index that is a number, a variable, or the process itself.
fn number(values: &[ValueView], pid: usize, text: &str) -> Option<usize> {
    let of = |owner| values.iter().find(|view| view.pid == owner && view.name == text)?.value.parse().ok();
    match text {
        "_pid" => Some(pid),
        text => text.parse().ok().or_else(|| of(Some(pid))).or_else(|| of(None)),
    }
}

/// `a` of `a[3].f`.
fn base(name: &str) -> &str {
    name.split(['[', '.']).next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_names_values() {
        let view = |pid, name: &str, value: &str| ValueView { pid, name: name.to_owned(), value: value.to_owned() };
        let values = [
            view(None, "x", "1"),
            view(None, "a[0]", "2"),
            view(None, "a[1]", "3"),
            view(Some(1), "x", "4"),
            view(Some(2), "y", "5"),
        ];
        assert_eq!(named(&values, 1, "a[y] == x && x"), ["a[0] = 2", "a[1] = 3", "x = 4"]);
        assert_eq!(named(&values, 1, "a[_pid] == x"), ["a[1] = 3", "x = 4"]);
        assert_eq!(named(&values, 3, "a[x]"), ["a[1] = 3", "x = 1"]);
        assert_eq!(named(&values, 2, "x > y"), ["x = 1", "y = 5"]);
        assert!(named(&values, 2, "skip").is_empty());
    }
}
