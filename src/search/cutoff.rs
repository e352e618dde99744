//! The equivalence cut-off as it is asked for: `--ignore`, `--canonical` and `--cutoff`.
//!
//! Two states are equivalent if they are equal where no variable is ignored, and if all canonical expressions have equal
//! values. Without `--ignore`, of the state itself only the processes and where they stand are compared. Ignoring a
//! channel ignores what is in its messages, not how many there are.

use std::io::Write;

use interp::code::state::Field;
use interp::exec::channel::Channel;
use interp::ids::{NodeId, TemplateId};
use interp::inspect::scalars::Scalar;
use interp::inspect::trace::Trace;
use interp::model::{Fault, Tables};
use interp::{Model, Violation, Word};
use promela::ast::{Expr, ExprKind, VarRef};
use serde::Serialize;
use sweep::space::cutoff::{CutOff, CutOffStats, End, Equivalence, Inconsistent};
use sweep::{Meter, Observer, Outcome, SearchOptions};

use crate::cli::CutOffArgs;
use crate::commands::progress::{self, Described, Wanted};
use crate::load::{self, Loaded};
use crate::report::{steps, summary, trace};
use crate::search::expression;
use crate::search::filtered_model::Selected;

/// What was asked for.
#[derive(Default)]
pub struct Asked {
    ignored: Vec<Ignored>,
    ignores: bool,
    canonical: Vec<NodeId>,
    cutoff: Option<NodeId>,
}

/// A value that does not count.
enum Ignored {
    /// At a constant place.
    Global(Field),
    /// In the block of a process of this class, and with this number if one was named.
    Local(TemplateId, Option<usize>, Field),
    /// The messages of a channel with this number.
    Channel(usize),
}

impl Asked {
    /// Reads the options; the inner `None`: no cut-off is wanted; the outer: an option is wrong, which has been said.
    pub fn read(loaded: &mut Loaded, args: &CutOffArgs) -> Option<Option<Asked>> {
        let wanted = !(args.ignore.is_empty() && args.canonical.is_empty());
        let mut asked = Asked { ignores: !args.ignore.is_empty(), ..Asked::default() };
        for text in &args.ignore {
            asked.ignored.extend(ignored(loaded, text)?);
        }
        for text in &args.canonical {
            asked.canonical.extend(expression::read(loaded, "--canonical", text)?.iter().map(|given| given.node));
        }
        if let Some(text) = &args.cutoff {
            asked.cutoff = expression::read(loaded, "--cutoff", text)?.first().map(|given| given.node);
        }
        Some(wanted.then_some(asked))
    }
}

/// Reads a list of variables.
fn ignored(loaded: &mut Loaded, text: &str) -> Option<Vec<Ignored>> {
    let (parsed, mut findings) = promela::parse_expressions(&mut loaded.sources, "<--ignore>", text);
    let mut all = Vec::new();
    for expr in &parsed {
        let found = named(&loaded.model, expr);
        if found.is_empty() {
            // The checker has the better words for a name that means nothing.
            let _ = promela::check_expression(&loaded.model.checked, expr, &mut findings);
            if findings.is_empty() {
                expression::refuse(loaded, expr.span, "this is not a variable that is part of the states");
                return None;
            }
        }
        all.extend(found);
    }
    load::show(&loaded.sources, &findings);
    (!parsed.is_empty() && findings.is_empty()).then_some(all)
}

/// The values that a name stands for: all elements of an array, all fields of a structure.
fn named(model: &Model, expr: &Expr) -> Vec<Ignored> {
    match &expr.kind {
        ExprKind::Var(var) => {
            let Some(path) = path(var) else { return Vec::new() };
            matching(model.global_scalars(), &path, Ignored::Global)
        }
        ExprKind::RemoteVar { proctype, pid, var } => {
            let pid = match pid.as_deref().map(|pid| &pid.kind) {
                None => None,
                Some(ExprKind::Const(pid)) => Some(*pid as usize),
                Some(_) => return Vec::new(),
            };
            let Some(path) = path(var) else { return Vec::new() };
            let is_named = |class: &TemplateId| {
                let name = &model.checked.proctypes[model.layout.templates[*class].proctype].name;
                let index = class.as_u32() as usize;
                **name == *proctype.text && (!model.layout.is_fixed || pid.is_none_or(|pid| pid == index))
            };
            let classes = model.layout.templates.keys().filter(is_named);
            let local = |class| move |field| Ignored::Local(class, pid, field);
            classes.flat_map(|class| matching(model.local_scalars(class), &path, local(class))).collect()
        }
        _ => Vec::new(),
    }
}

/// `a[2].b`; `None` if an index is not a number.
fn path(var: &VarRef) -> Option<String> {
    let part = |part: &promela::ast::VarRefPart| match part.index.as_deref().map(|index| &index.kind) {
        None => Some(part.name.text.to_string()),
        Some(ExprKind::Const(index)) => Some(format!("{}[{index}]", part.name.text)),
        Some(_) => None,
    };
    Some(var.parts.iter().map(part).collect::<Option<Vec<_>>>()?.join("."))
}

fn matching(scalars: Vec<Scalar>, path: &str, value: impl Fn(Field) -> Ignored) -> Vec<Ignored> {
    let is_meant = |name: &str| {
        let rest = name.strip_prefix(path);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.']))
    };
    let ignored = scalars.into_iter().filter_map(|scalar| match scalar {
        Scalar::Value { name, field, .. } => is_meant(&name).then(|| value(field)),
        Scalar::Channel { name, number } => is_meant(&name).then_some(Ignored::Channel(number as usize)),
    });
    ignored.collect()
}

/// The equivalence over the states of a model.
pub struct Classes<'m> {
    model: &'m Model,
    asked: &'m Asked,
}

impl<'m> Classes<'m> {
    /// What was asked for.
    pub fn new(model: &'m Model, asked: &'m Asked) -> Self {
        Classes { model, asked }
    }

    fn value(&self, node: NodeId, state: &[Word], tables: &Tables) -> Result<i32, NoValue> {
        self.model.evaluate(node, state, tables).map_err(|fault| (fault, state.to_vec()))
    }

    /// Sets to zero what does not count.
    fn blank(&self, class: &mut [Word], tables: &Tables) {
        for ignored in &self.asked.ignored {
            match *ignored {
                Ignored::Global(field) => field.set(class, 0, 0),
                Ignored::Local(_, _, field) if self.model.layout.is_fixed => field.set(class, 0, 0),
                Ignored::Local(of, pid, field) => {
                    for (number, process) in tables.procs.iter().enumerate() {
                        if process.template == of && pid.is_none_or(|pid| pid == number) {
                            field.set(class, process.base, 0);
                        }
                    }
                }
                Ignored::Channel(number) => {
                    let Some(&place) = tables.chans.get(number - 1) else { continue };
                    let channel = Channel { place, shape: &self.model.layout.shapes[place.ty] };
                    for slot in 0..channel.len(class) {
                        for nth in 0..channel.shape.fields.len() {
                            channel.field(slot, nth).set(class, 0, 0);
                        }
                    }
                }
            }
        }
    }

    /// Who is there, and where they stand.
    fn control(&self, state: &[Word], class: &mut Vec<Word>, tables: &Tables) {
        let live = self.model.nr_pr(state);
        class.push(live as Word);
        for process in tables.procs.iter().take(live) {
            let pc = self.model.layout.templates[process.template].pc;
            class.extend([process.template.as_u32(), pc.get(state, process.base) as Word]);
        }
        class.extend(self.model.layout.event.map(|field| field.get(state, 0) as Word));
    }
}

/// Why an expression has no value, and in which state.
type NoValue = (Fault, Vec<Word>);

impl Equivalence for Classes<'_> {
    type Fault = NoValue;

    fn class(&self, state: &[Word], class: &mut Vec<Word>) -> Result<(), NoValue> {
        self.model.with_tables(state, |tables| {
            class.clear();
            if self.asked.ignores {
                class.extend_from_slice(state);
                self.blank(class, tables);
            } else {
                self.control(state, class, tables);
            }
            for &node in &self.asked.canonical {
                class.push(self.value(node, state, tables)? as Word);
            }
            Ok(())
        })
    }

    fn is_cutoff(&self, state: &[Word]) -> Result<bool, NoValue> {
        let Some(node) = self.asked.cutoff else { return Ok(true) };
        self.model.with_tables(state, |tables| Ok(self.value(node, state, tables)? != 0))
    }
}

/// What a search found: its outcome, its measure, and what there is to say of the cut-off.
pub type Searched = (Outcome<Violation>, Described, Option<CutOffReport>);

/// Searches a model, cut off if that is asked for; `None` if an expression had no value in some state, which has been
/// said.
pub fn search<O: Observer>(
    (loaded, space): (&Loaded, &Selected<'_>),
    asked: Option<&Asked>,
    wanted: &Wanted,
    options: &SearchOptions,
    watch: &mut O,
    meter: &Meter,
) -> Option<Searched> {
    let model = &loaded.model;
    let Some(asked) = asked else {
        let (outcome, described) = progress::search((model, space), wanted, options, watch, meter);
        return Some((outcome, described, None));
    };
    let classes = Classes::new(model, asked);
    let cut_off = CutOff::new(space, &classes, meter);
    let (outcome, described) = progress::search((model, &cut_off), wanted, options, watch, meter);
    let inconsistent = match cut_off.end() {
        None => None,
        Some(End::Inconsistent(inconsistent)) => Some(inconsistent),
        Some(End::NoClass((fault, state))) => {
            expression::has_no_value(loaded, &fault, &state, None);
            return None;
        }
    };
    let report = CutOffReport { stats: cut_off.stats(), inconsistent };
    Some((outcome, described, Some(report)))
}

/// What there is to report of a cut-off.
pub struct CutOffReport {
    /// Its numbers.
    pub stats: CutOffStats,
    /// Why it was rejected.
    pub inconsistent: Option<Inconsistent>,
}

/// The same for machines.
#[derive(Serialize)]
pub struct JsonCutOff {
    classes: u64,
    cut: u64,
    inconsistent: Option<JsonInconsistent>,
}

#[derive(Serialize)]
struct JsonInconsistent {
    step: Vec<trace::Line>,
    with: JsonState,
    without: JsonState,
}

/// A state for machines.
#[derive(Serialize)]
pub struct JsonState {
    standing: Vec<trace::Standing>,
    values: Vec<JsonValue>,
}

#[derive(Serialize)]
struct JsonValue {
    pid: Option<usize>,
    name: String,
    value: String,
}

impl JsonState {
    /// Everything in a state, by name.
    pub fn new(loaded: &Loaded, state: &[Word]) -> JsonState {
        let values = loaded.model.values(state).into_iter();
        JsonState {
            standing: trace::standing(&loaded.model, &loaded.sources, state),
            values: values.map(|view| JsonValue { pid: view.pid, name: view.name, value: view.value }).collect(),
        }
    }
}

impl CutOffReport {
    /// For machines.
    pub fn json(&self, loaded: &Loaded) -> JsonCutOff {
        let inconsistent = self.inconsistent.as_ref().map(|found| JsonInconsistent {
            step: step(loaded, found),
            with: JsonState::new(loaded, &found.with),
            without: JsonState::new(loaded, &found.without),
        });
        JsonCutOff { classes: self.stats.classes, cut: self.stats.cut, inconsistent }
    }

    /// For people: the two states, and the step.
    pub fn write_inconsistent(&self, out: &mut impl Write, loaded: &Loaded) -> std::io::Result<()> {
        let Some(found) = &self.inconsistent else { return Ok(()) };
        writeln!(
            out,
            "the equivalence is not consistent with the steps: two equivalent states, and a step that only the"
        )?;
        writeln!(out, "first has (no step of the second leads to a state equivalent to where it leads)")?;
        for (name, state) in [("the first state:", &found.with), ("the second state:", &found.without)] {
            writeln!(out, "{name}")?;
            steps::standing(out, loaded, state)?;
            steps::variables(out, loaded, state)?;
        }
        writeln!(out, "the step of the first:")?;
        steps::table(out, &step(loaded, found))?;
        writeln!(out)
    }

    /// For people: the numbers.
    pub fn write_numbers(&self, out: &mut impl Write) -> std::io::Result<()> {
        let CutOffStats { classes, cut } = self.stats;
        let plural = |count: u64, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
        let classes = plural(classes, "class", "classes");
        summary::row(out, "cut off", &format!("{classes} kept, {} left out", plural(cut, "step", "steps")))
    }
}

/// The step that one of two states has.
fn step(loaded: &Loaded, found: &Inconsistent) -> Vec<trace::Line> {
    let steps: Vec<_> = loaded.model.step(&found.with, found.event).into_iter().collect();
    let trace = Trace { initial: found.with.clone(), steps, violation: None, cycle_start: None };
    trace::lines(&loaded.model, &loaded.sources, &trace, &[], 0..trace.steps.len())
}
