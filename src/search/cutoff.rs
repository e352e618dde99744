//! The equivalence cut-off of the command line: `--ignore`, `--canonical` and `--cutoff`.
//!
//! Two states are equivalent if they are equal where no variable is ignored, and if all canonical expressions have equal
//! values. Without `--ignore`, of the state itself only the processes and their locations are compared. Ignoring a
//! channel ignores what is in its messages, not how many there are.

use std::io::Write;

use interp::code::state::Field;
use interp::exec::channel::Channel;
use interp::ids::{ExpressionId, TemplateId};
use interp::inspect::expression::Expressions;
use interp::inspect::scalars::Scalar;
use interp::inspect::trace::Trace;
use interp::model::{Fault, Tables};
use interp::{Model, Word};
use promela::ast::{Expr, ExprKind, VarRef};
use serde::Serialize;
use sweep::Observer;
use sweep::space::cutoff::{CutOff, CutOffStats, End, Equivalence, Inconsistent};

use crate::cli::CutoffArgs;
use crate::load::{self, CheckedInput, Loaded};
use crate::report::{steps, summary, trace};
use crate::search::expression;
use crate::search::{Search, Searched};

/// The cut-off as the command line specifies it.
pub struct CutoffSpec {
    /// The names of `--ignore`, which stand for places that the compiled model has.
    ignored: Vec<Expr>,
    canonical: Vec<ExpressionId>,
    cutoff: Option<ExpressionId>,
}

/// A value that does not count.
enum Ignored {
    /// At a constant place.
    Global(Field),
    /// In the block of a process of this template, and with this number if one was named.
    Local(TemplateId, Option<usize>, Field),
    /// The messages of a channel with this number.
    Channel(usize),
}

/// Why a search with a cut-off has no reduction.
pub const NO_REDUCTION: &str = "a cut-off compares the steps of equivalent states";

impl CutoffSpec {
    /// Reads the options; the inner `None`: there is no cut-off; the outer: an option has errors, which have been shown.
    pub fn read(input: &mut CheckedInput, args: &CutoffArgs) -> Option<Option<CutoffSpec>> {
        let mut ignored = Vec::new();
        for text in &args.ignore {
            let (parsed, findings) = promela::parse_expressions(&mut input.sources, "<--ignore>", text);
            load::show(&input.sources, &findings);
            if parsed.is_empty() || !findings.is_empty() {
                return None;
            }
            ignored.extend(parsed);
        }
        let mut canonical = Vec::new();
        for text in &args.canonical {
            let given = expression::read(input, "--canonical", text, Expressions::guide)?;
            canonical.extend(given.iter().map(|given| given.id));
        }
        let cutoff = match &args.cutoff {
            Some(text) => expression::read(input, "--cutoff", text, Expressions::guide)?.first().map(|given| given.id),
            None => None,
        };
        let is_given = !(args.ignore.is_empty() && args.canonical.is_empty());
        Some(is_given.then_some(CutoffSpec { ignored, canonical, cutoff }))
    }

    /// The equivalence over the states of the compiled model; `None` if a name to be ignored means nothing, which has
    /// been shown.
    fn resolve(self, loaded: &Loaded) -> Option<Classes<'_>> {
        let mut findings = Vec::new();
        let mut ignored = Vec::new();
        for expr in &self.ignored {
            let found = named(&loaded.model, expr);
            if found.is_empty() {
                // The checker has the better words for a name that means nothing.
                let _ = promela::check_expression(&loaded.model.checked, expr, &mut findings);
                if findings.is_empty() {
                    expression::refuse(&loaded.sources, expr.span, "this is not a variable that is part of the states");
                    return None;
                }
            }
            ignored.extend(found);
        }
        load::show(&loaded.sources, &findings);
        findings.is_empty().then(|| Classes {
            model: &loaded.model,
            ignored: (!self.ignored.is_empty()).then_some(ignored),
            canonical: self.canonical,
            cutoff: self.cutoff,
        })
    }
}

/// The equivalence of a search; the inner `None`: there is no cut-off; the outer: it has errors, which have been shown.
pub fn resolve(spec: Option<CutoffSpec>, loaded: &Loaded) -> Option<Option<Classes<'_>>> {
    match spec {
        None => Some(None),
        Some(spec) => spec.resolve(loaded).map(Some),
    }
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
            let is_named = |template: &TemplateId| {
                let name = &model.checked.proctypes[model.layout.templates[*template].proctype].name;
                let of = model.layout.templates[*template].pid;
                **name == *proctype.text && (pid.is_none() || of.is_none() || pid == of)
            };
            let templates = model.layout.templates.keys().filter(is_named);
            let local = |template| move |field| Ignored::Local(template, pid, field);
            templates.flat_map(|template| matching(model.local_scalars(template), &path, local(template))).collect()
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
        // It never changes.
        Scalar::Constant { .. } => None,
        Scalar::Channel { name, number } => is_meant(&name).then_some(Ignored::Channel(number as usize)),
    });
    ignored.collect()
}

/// The equivalence over the states of a model.
pub struct Classes<'m> {
    model: &'m Model,
    /// `None`: of the state itself only the locations of processes count.
    ignored: Option<Vec<Ignored>>,
    canonical: Vec<ExpressionId>,
    cutoff: Option<ExpressionId>,
}

impl Classes<'_> {
    fn value(&self, id: ExpressionId, state: &[Word], tables: &Tables) -> Result<i32, NoValue> {
        self.model.evaluate(id, state, tables).map_err(|fault| (fault, state.to_vec()))
    }

    /// Sets to zero what does not count.
    fn blank(&self, ignored: &[Ignored], class: &mut [Word], tables: &Tables) {
        for value in ignored {
            match *value {
                Ignored::Global(field) => field.set(class, 0, 0),
                Ignored::Local(_, _, field) if self.model.layout.has_constant_tables() => field.set(class, 0, 0),
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

    /// The live processes and their locations.
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
            match &self.ignored {
                Some(ignored) => {
                    class.extend_from_slice(state);
                    self.blank(ignored, class, tables);
                }
                None => self.control(state, class, tables),
            }
            for &id in &self.canonical {
                class.push(self.value(id, state, tables)? as Word);
            }
            Ok(())
        })
    }

    fn is_cutoff(&self, state: &[Word]) -> Result<bool, NoValue> {
        let Some(id) = self.cutoff else { return Ok(true) };
        self.model.with_tables(state, |tables| Ok(self.value(id, state, tables)? != 0))
    }
}

/// Searches a space cut off by an equivalence; `None` if an expression had no value in some state, which has been shown.
pub fn run<O: Observer>(search: &mut Search, classes: &Classes<'_>, observer: &mut O) -> Option<Searched> {
    let cut_off = CutOff::new(search.space, classes, search.meter);
    let (outcome, measure) = search.run_in(&cut_off, observer);
    let inconsistent = match cut_off.end() {
        None => None,
        Some(End::Inconsistent(inconsistent)) => Some(inconsistent),
        Some(End::NoClass((fault, state))) => {
            expression::has_no_value(search.loaded, &fault, &state, None);
            return None;
        }
    };
    let report = CutoffReport { stats: cut_off.stats(), inconsistent };
    Some(Searched { outcome, measure, cutoff: Some(report) })
}

/// The report of a cut-off.
pub struct CutoffReport {
    /// Its numbers.
    pub stats: CutOffStats,
    /// Why it was rejected.
    pub inconsistent: Option<Inconsistent>,
}

/// The same for machines.
#[derive(Serialize)]
pub struct JsonCutoff {
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
    /// Everything in a state, by name; no values if there are too many to list.
    pub fn new(loaded: &Loaded, state: &[Word]) -> JsonState {
        let values = trace::values(&loaded.model, state).unwrap_or_default().into_iter();
        JsonState {
            standing: trace::standing(&loaded.model, &loaded.sources, state),
            values: values.map(|view| JsonValue { pid: view.pid, name: view.name, value: view.value }).collect(),
        }
    }
}

impl CutoffReport {
    /// For machines.
    pub fn json(&self, loaded: &Loaded) -> JsonCutoff {
        let inconsistent = self.inconsistent.as_ref().map(|found| JsonInconsistent {
            step: step(loaded, found),
            with: JsonState::new(loaded, &found.with),
            without: JsonState::new(loaded, &found.without),
        });
        JsonCutoff { classes: self.stats.classes, cut: self.stats.cut, inconsistent }
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
        steps::moves(out, loaded, step(loaded, found))?;
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
