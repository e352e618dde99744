//! `psw dot`: a model as a drawing for Graphviz, its automata or, if it is small, its states.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::ops::ControlFlow;

use cranelift_entity::SecondaryMap;
use interp::code::flow::LocationFlags;
use interp::code::program::{Edge, Graph, Guard, Location};
use interp::exec::step::{Path, Scratch, Sink};
use interp::ids::Pc;
use interp::{Model, StateSpace, Violation, Word};
use promela::ids::ProcTypeId;
use promela::model::{ProcType, StmtKind};
use promela::source::{Sources, Span};
use promela::visible::visible;

use crate::Status;
use crate::cli::DotArgs;
use crate::load::{Loaded, load};
use crate::report::trace;
use crate::svg::cut;
use crate::target::{self, Target};

/// The most values in the label of a state, and the most characters of each.
const MOST_VALUES: usize = 12;
const MOST_CHARS: usize = 40;

/// Runs the command. Nothing is written unless all of it can be.
pub fn run(args: &DotArgs) -> anyhow::Result<Status> {
    let output = args.output.as_deref().map(Target::new).transpose()?;
    let Some(loaded) = load(&args.model, false)? else { return Ok(Status::BadInput) };
    let drawing = match args.states {
        None => automata(&loaded, "", |_, _| Marks::default()),
        Some(most) => match states(&loaded, most) {
            Some(drawing) => drawing,
            None => {
                let file = args.model.model.display();
                crate::say(format_args!("{file}: more than {most} states: not drawn (--states N)\n"));
                return Ok(Status::Stopped);
            }
        },
    };
    target::write_or_print(output.as_ref(), &drawing)?;
    Ok(Status::Good)
}

/// Text between the quotes of a Graphviz string.
fn quoted(text: &str) -> String {
    visible(text).replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

/// What a drawing shows of an automaton besides its steps.
#[derive(Default)]
pub struct Marks {
    /// Lines below its name.
    pub notes: Vec<String>,
    /// It has a thick frame.
    pub framed: bool,
    /// By location: a line of its label.
    pub labels: SecondaryMap<Pc, String>,
    /// By location: a colour of the palette, or 0.
    pub colours: SecondaryMap<Pc, u32>,
    /// Steps in red, by the locations they lead from and to.
    pub red: HashSet<(Pc, Pc)>,
}

/// How many colours the palette has: Brewer's twelve.
pub const COLOURS: u32 = 12;

/// The automaton of each proctype, marked, and that of the trace assertion.
pub fn automata(loaded: &Loaded, title: &str, marks: impl Fn(ProcTypeId, &Graph) -> Marks) -> String {
    let Loaded { model, sources, .. } = loaded;
    let mut out = Automata { model, sources, text: header(), clusters: 0, labels: HashMap::new() };
    if !title.is_empty() {
        out.line(format_args!("  label=\"{}\"\n  labelloc=t", quoted(title)));
    }
    for (id, proc) in &model.checked.proctypes {
        if let Some(template) = model.program.template_of(id) {
            let kind = if template.deterministic { "D_proctype " } else { "" };
            out.labels = labels(proc);
            out.cluster(&format!("{kind}{}", proc.name), &template.graph, &marks(id, &template.graph));
        }
    }
    if let Some(events) = &model.program.events {
        out.cluster(if events.negated { "notrace" } else { "trace" }, &events.graph, &Marks::default());
    }
    out.text.push_str("}\n");
    out.text
}

fn header() -> String {
    "digraph model {\n  node [fontname=\"sans-serif\", fontsize=10]\n  edge [fontname=\"monospace\", fontsize=10]\n"
        .to_owned()
}

struct Automata<'a> {
    model: &'a Model,
    sources: &'a Sources,
    text: String,
    clusters: usize,
    /// The labels of the automaton that is drawn, by statement.
    labels: HashMap<Span, Vec<&'a str>>,
}

/// The labels of a proctype by the statement that they stand before.
fn labels(proc: &ProcType) -> HashMap<Span, Vec<&str>> {
    let mut found: HashMap<Span, Vec<&str>> = HashMap::new();
    let mut todo = vec![&proc.body];
    while let Some(sequence) = todo.pop() {
        for stmt in &sequence.stmts {
            let names = stmt.labels.iter().map(|&label| &*proc.labels[label].name);
            if !stmt.labels.is_empty() {
                found.entry(stmt.span).or_default().extend(names);
            }
            match &stmt.kind {
                StmtKind::If(options) | StmtKind::Do(options) => todo.extend(options),
                StmtKind::Atomic(body) | StmtKind::DStep(body) | StmtKind::Block(body) => todo.push(body),
                StmtKind::Unless(main, escape) => todo.extend([main, escape]),
                _ => {}
            }
        }
    }
    found
}

impl Automata<'_> {
    fn cluster(&mut self, name: &str, graph: &Graph, marks: &Marks) {
        let cluster = self.clusters;
        self.clusters += 1;
        self.line(format_args!("  subgraph cluster_{cluster} {{"));
        let name: String =
            std::iter::once(name).chain(marks.notes.iter().map(String::as_str)).collect::<Vec<_>>().join("\n");
        self.line(format_args!("    label=\"{}\"", quoted(&name)));
        if marks.framed {
            self.line(format_args!("    penwidth=2"));
        }
        self.line(format_args!("    p{cluster}_start [shape=point]"));
        self.line(format_args!("    p{cluster}_start -> p{cluster}_{}", graph.start));
        for (pc, location) in &graph.locations {
            let labels = self.labels.get(&location.span).map_or(&[][..], Vec::as_slice);
            let attributes = self.location(location, labels, &marks.labels[pc], marks.colours[pc]);
            self.line(format_args!("    p{cluster}_{pc} [{attributes}]"));
            for edge in location.edges().map(|id| &self.model.program.edges[id]) {
                let label = quoted(&step_text(self.sources, edge));
                let is_red = edge.to.is_some_and(|to| marks.red.contains(&(pc, to)));
                let style = style(edge, is_red);
                let to = edge.to.map_or_else(|| "end".to_owned(), |to| to.to_string());
                self.line(format_args!("    p{cluster}_{pc} -> p{cluster}_{to} [label=\" {label}\"{style}]"));
            }
        }
        let leaves = |location: &Location| location.edges().any(|id| self.model.program.edges[id].to.is_none());
        if graph.locations.values().any(leaves) {
            self.line(format_args!("    p{cluster}_end [shape=point]"));
        }
        self.line(format_args!("  }}"));
    }

    fn line(&mut self, line: std::fmt::Arguments) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{line}");
    }

    /// A location: SPIN's number of it, its line, its labels, and what they say.
    fn location(&self, location: &Location, labels: &[&str], note: &str, colour: u32) -> String {
        let mut label = format!("{}\\nline {}", location.number, self.sources.line(location.span));
        for name in labels {
            label.push_str("\\n");
            label.push_str(name);
        }
        let mut attributes = String::from("shape=ellipse");
        for (flag, name, look) in [
            (LocationFlags::END, "end", ", peripheries=2"),
            (LocationFlags::PROGRESS, "progress", ", style=filled, fillcolor=palegreen"),
            (LocationFlags::ACCEPT, "accept", ", style=filled, fillcolor=lightblue"),
        ] {
            if location.flags.contains(flag) {
                if !labels.iter().any(|label| label.starts_with(name)) {
                    label.push_str("\\n");
                    label.push_str(name);
                }
                attributes.push_str(look);
            }
        }
        if !note.is_empty() {
            label.push_str("\\n");
            label.push_str(&quoted(note));
        }
        if colour > 0 {
            attributes.push_str(&format!(", style=filled, fillcolor=\"/set312/{colour}\""));
        }
        format!("label=\"{label}\", {attributes}")
    }
}

/// What an edge does, as written.
pub fn step_text(sources: &Sources, edge: &Edge) -> String {
    match edge.guard {
        Guard::End => "-end-".to_owned(),
        _ => trace::statement(sources, edge.span),
    }
}

/// Bold: the process keeps control behind it. Blue: a `d_step`, unless it is to be red. Dashed: the escape of an `unless`.
fn style(edge: &Edge, is_red: bool) -> String {
    let mut lines = Vec::new();
    if edge.atomic {
        lines.push("bold");
    }
    if edge.escape > 0 {
        lines.push("dashed");
    }
    let mut style = match lines.is_empty() {
        true => String::new(),
        false => format!(", style=\"{}\"", lines.join(",")),
    };
    if edge.atomic {
        style.push_str(", tooltip=\"atomic: the process keeps control\"");
    }
    match (is_red, edge.d_step) {
        (true, _) => style.push_str(", color=red"),
        (false, true) => style.push_str(", color=blue"),
        (false, false) => {}
    }
    style
}

/// All states and the steps between them; `None` if there are more than `most`.
fn states(loaded: &Loaded, most: usize) -> Option<String> {
    let model = &loaded.model;
    let mut drawing =
        States { loaded, text: header(), known: HashMap::new(), todo: Vec::new(), from: 0, violations: 0 };
    match model.initial() {
        Ok(initial) => {
            drawing.number(&initial);
        }
        Err(violation) => {
            drawing.wrong(&violation);
        }
    }
    let mut scratch = Scratch::default();
    while let Some(state) = drawing.todo.get(drawing.from).cloned() {
        if drawing.known.len() > most {
            return None;
        }
        let _ = drawing.write_state(&state);
        let _ = model.walk(&state, &mut scratch, &mut drawing);
        drawing.from += 1;
    }
    drawing.text.push_str("}\n");
    Some(drawing.text)
}

/// The drawing of a state space, in the order in which states are met: breadth-first.
struct States<'a> {
    loaded: &'a Loaded,
    text: String,
    known: HashMap<Vec<Word>, usize>,
    todo: Vec<Vec<Word>>,
    /// The state whose steps are drawn.
    from: usize,
    /// How many violations were drawn.
    violations: usize,
}

impl States<'_> {
    fn number(&mut self, state: &[Word]) -> usize {
        if let Some(&number) = self.known.get(state) {
            return number;
        }
        let number = self.known.len();
        self.known.insert(state.to_vec(), number);
        self.todo.push(state.to_vec());
        number
    }

    /// A state: the locations of the processes and values; if they are many, the others are in the tooltip.
    fn write_state(&mut self, state: &[Word]) -> std::fmt::Result {
        let (model, from) = (&self.loaded.model, self.from);
        let mut label = format!("{from}");
        for process in model.processes(state) {
            write!(label, "\n{}({}) line {}", process.name, process.pid, self.loaded.sources.line(process.span))?;
        }
        let values: Vec<String> = trace::values(model, state)
            .unwrap_or_default()
            .into_iter()
            .map(|view| match view.pid {
                Some(pid) => format!("({pid}) {} = {}", view.name, view.value),
                None => format!("{} = {}", view.name, view.value),
            })
            .collect();
        for value in values.iter().take(MOST_VALUES) {
            write!(label, "\n{}", cut(value, MOST_CHARS))?;
        }
        if values.len() > MOST_VALUES {
            write!(label, "\n… {} more", values.len() - MOST_VALUES)?;
        }
        let start = if from == 0 { ", penwidth=2" } else { "" };
        let (label, tooltip) = (quoted(&label), quoted(&values.join("\n")));
        writeln!(self.text, "  s{from} [shape=box, label=\"{label}\", tooltip=\"{tooltip}\"{start}]")
    }

    /// The moves of a step, a line each.
    fn way(&self, path: Path) -> String {
        let moves = path.moves.iter().map(|a_move| {
            let edge = &self.loaded.model.program.edges[a_move.edge];
            format!("({}) {}", a_move.pid, step_text(&self.loaded.sources, edge))
        });
        quoted(&moves.collect::<Vec<_>>().join("\n"))
    }

    /// Something wrong, at the end of an edge of its own.
    fn wrong(&mut self, violation: &Violation) -> usize {
        let number = self.violations;
        self.violations += 1;
        let message = quoted(violation.kind.message());
        let _ = writeln!(self.text, "  v{number} [shape=box, color=red, fontcolor=red, label=\"{message}\"]");
        number
    }
}

impl Sink for States<'_> {
    fn successor(&mut self, next: &[Word], path: Path) -> ControlFlow<()> {
        let (from, to, label) = (self.from, self.number(next), self.way(path));
        let _ = writeln!(self.text, "  s{from} -> s{to} [label=\" {label}\"]");
        ControlFlow::Continue(())
    }

    fn violation(&mut self, violation: Violation, path: Path) -> ControlFlow<()> {
        let (from, to, label) = (self.from, self.wrong(&violation), self.way(path));
        let _ = writeln!(self.text, "  s{from} -> v{to} [color=red, label=\" {label}\"]");
        ControlFlow::Continue(())
    }
}
