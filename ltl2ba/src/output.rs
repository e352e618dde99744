//! Automata as text: never claims for SPIN, HOA for tools, DOT for drawings.

use std::fmt::Write;

use crate::buchi::{Buchi, Guard, StateId};
use crate::formula::is_plain;

/// A guard as a Promela expression over the texts of its atoms.
fn expression(guard: &Guard, atoms: &[String]) -> String {
    if guard.is_true() {
        return "true".to_string();
    }
    let name = |bit: u32| match atoms.get(bit as usize) {
        Some(text) if is_plain(text) => text.clone(),
        Some(text) => format!("({text})"),
        None => format!("p{bit}"),
    };
    let cubes: Vec<String> = guard
        .cubes
        .iter()
        .map(|cube| {
            let literals = (0..64).filter_map(|bit| match (cube.positive >> bit & 1, cube.negative >> bit & 1) {
                (1, _) => Some(name(bit)),
                (_, 1) => Some(format!("!{}", name(bit))),
                _ => None,
            });
            literals.collect::<Vec<_>>().join(" && ")
        })
        .collect();
    match cubes.as_slice() {
        [] => "false".to_string(),
        [only] => only.clone(),
        several => several.iter().map(|cube| format!("({cube})")).collect::<Vec<_>>().join(" || "),
    }
}

/// A never claim that SPIN accepts. `atoms` are the texts of the propositions, `comment` is put above it.
pub fn never_claim(automaton: &Buchi, atoms: &[String], comment: &str) -> String {
    // SPIN knows accepting states by the beginning of their labels, and begins with the first state.
    let label = |state: StateId| match (automaton.is_accepting(state), state == automaton.initial()) {
        (true, true) => "accept_init".to_string(),
        (true, false) => format!("accept_S{}", state.0),
        (false, true) => "T0_init".to_string(),
        (false, false) => format!("T0_S{}", state.0),
    };
    let mut text = format!("never {{    /* {} */\n", comment.replace("*/", "* /"));
    for state in automaton.states() {
        let edges = automaton.edges(state);
        let _ = writeln!(text, "{}:", label(state));
        if edges.is_empty() {
            text.push_str("\tfalse;\n");
            continue;
        }
        text.push_str("\tdo\n");
        for edge in edges {
            let _ = writeln!(text, "\t:: ({}) -> goto {}", expression(&edge.guard, atoms), label(edge.target));
        }
        text.push_str("\tod;\n");
    }
    text.push_str("}\n");
    text
}

/// The automaton in the Hanoi omega-automata format, version 1. `name` is the formula.
pub fn hoa(automaton: &Buchi, atoms: &[String], name: &str) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let mut text = format!(
        "HOA: v1\nname: {}\nStates: {}\nStart: {}\n",
        quoted(name),
        automaton.state_count(),
        automaton.initial().0
    );
    let names: Vec<String> = atoms.iter().map(|atom| quoted(atom)).collect();
    let _ = writeln!(text, "AP: {}{}", names.len(), names.iter().map(|name| format!(" {name}")).collect::<String>());
    text.push_str("acc-name: Buchi\nAcceptance: 1 Inf(0)\nproperties: trans-labels explicit-labels state-acc");
    let flags = [
        (automaton.is_deterministic(), " deterministic"),
        (automaton.is_complete(), " complete"),
        (automaton.is_stutter_invariant(), " stutter-invariant"),
    ];
    flags.iter().filter(|(has, _)| *has).for_each(|(_, flag)| text.push_str(flag));
    text.push_str("\n--BODY--\n");
    for state in automaton.states() {
        let mark = if automaton.is_accepting(state) { " {0}" } else { "" };
        let _ = writeln!(text, "State: {}{mark}", state.0);
        for edge in automaton.edges(state) {
            let _ = writeln!(text, "[{}] {}", numbered(&edge.guard), edge.target.0);
        }
    }
    text.push_str("--END--\n");
    text
}

/// A guard over the numbers of propositions.
fn numbered(guard: &Guard) -> String {
    if guard.is_true() {
        return "t".to_string();
    }
    let cubes = guard.cubes.iter().map(|cube| {
        let literals = (0..64).filter_map(|bit| match (cube.positive >> bit & 1, cube.negative >> bit & 1) {
            (1, _) => Some(format!("{bit}")),
            (_, 1) => Some(format!("!{bit}")),
            _ => None,
        });
        literals.collect::<Vec<_>>().join("&")
    });
    cubes.collect::<Vec<_>>().join(" | ")
}

/// The automaton for Graphviz. `title` is the formula.
pub fn dot(automaton: &Buchi, atoms: &[String], title: &str) -> String {
    let escaped = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let mut text = format!("digraph automaton {{\n  label=\"{}\"\n  rankdir=LR\n", escaped(title));
    let _ = writeln!(text, "  start [shape=point]\n  start -> {}", automaton.initial().0);
    for state in automaton.states() {
        let shape = if automaton.is_accepting(state) { "doublecircle" } else { "circle" };
        let _ = writeln!(text, "  {} [shape={shape}]", state.0);
    }
    for state in automaton.states() {
        for edge in automaton.edges(state) {
            let label = escaped(&expression(&edge.guard, atoms));
            let _ = writeln!(text, "  {} -> {} [label=\"{label}\"]", state.0, edge.target.0);
        }
    }
    text.push_str("}\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{parse, translate};

    fn shown(text: &str, show: fn(&Buchi, &[String], &str) -> String) -> String {
        let parsed = parse(text).expect("a formula");
        show(&translate(&parsed.formulas, parsed.formula).expect("an automaton"), &parsed.names(), text)
    }

    #[test]
    fn a_never_claim() {
        assert_eq!(
            shown("!([] (p -> <> x > 3))", never_claim),
            "never {    /* !([] (p -> <> x > 3)) */\nT0_init:\n\tdo\n\t:: (true) -> goto T0_init\n\
             \t:: (!(x > 3) && p) -> goto accept_S1\n\tod;\naccept_S1:\n\tdo\n\
             \t:: (!(x > 3)) -> goto accept_S1\n\tod;\n}\n"
        );
        assert_eq!(shown("p && !p", never_claim), "never {    /* p && !p */\nT0_init:\n\tfalse;\n}\n");
    }

    #[test]
    fn hoa_and_dot() {
        assert_eq!(
            shown("<> p", hoa),
            "HOA: v1\nname: \"<> p\"\nStates: 2\nStart: 0\nAP: 1 \"p\"\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n\
             properties: trans-labels explicit-labels state-acc deterministic complete stutter-invariant\n--BODY--\n\
             State: 0\n[!0] 0\n[0] 1\nState: 1 {0}\n[t] 1\n--END--\n"
        );
        assert_eq!(
            shown("[] p", dot),
            "digraph automaton {\n  label=\"[] p\"\n  rankdir=LR\n  start [shape=point]\n  start -> 0\n  \
             0 [shape=doublecircle]\n  0 -> 0 [label=\"p\"]\n}\n"
        );
    }
}
