//! Traces on disk: psw's own form, and reading either form back.
//!
//! The file is one JSON object. `events` is the trace: the numbers of the events that are followed from the initial state.
//! `steps` and `end` repeat it for readers and are not read again; `violation` must be found at the end. A trace fits the model it
//! was made from, with the same macros defined: anything else is an error and never a different run.
//! Fields are only ever added; `version` counts changes of meaning. `docs/traces.md` describes all fields.

use std::path::Path;

use anyhow::{Context, anyhow, bail, ensure};
use interp::Violation;
use interp::inspect::trace::Trace;
use promela::files;
use promela::source::Sources;
use serde::{Deserialize, Serialize};
use sweep::Found;

use crate::cli::ModelArgs;
use crate::load::{self, Loaded};
use crate::property::fairness::Fairness;
use crate::property::formula::Atom;
use crate::property::search::Answer;
use crate::property::{self, Property};
use crate::report::trace;
use crate::target::Target;
use crate::trace::trail;

/// The version of the format.
const VERSION: u32 = 1;
/// The most bytes of a file that is read.
const MOST_BYTES: usize = 1 << 30;

/// The part that is read back.
#[derive(Serialize, Deserialize)]
struct Saved {
    version: u32,
    model: String,
    defines: Vec<String>,
    undefines: Vec<String>,
    violation: Expected,
    /// The temporal property that the run violates, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    property: Option<SavedProperty>,
    events: Vec<u32>,
    /// How many steps come before the cycle, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cycle_start: Option<usize>,
}

/// A temporal property, so that it can be found again.
#[derive(Clone, Serialize, Deserialize, PartialEq, Debug)]
pub struct SavedProperty {
    pub name: String,
    /// What was given on the command line, if it does not stand in the model.
    pub formula: Option<String>,
    /// Only runs that are weakly fair to every process count.
    pub fair: bool,
    /// All assumptions of fairness, as they are written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fairness: Vec<String>,
}

impl SavedProperty {
    /// Which runs count. Traces of before there were others name no assumption.
    fn fairness(&self, loaded: &Loaded) -> anyhow::Result<Fairness> {
        match self.fairness.is_empty() && self.fair {
            true => Ok(Fairness::weak()),
            false => Fairness::new(self.fairness.clone(), &loaded.model),
        }
    }
}

/// What is written: for readers, the steps as well, and where processes stand in the end.
#[derive(Serialize)]
struct Written<'a> {
    #[serde(flatten)]
    saved: Saved,
    steps: &'a [trace::Line],
    end: &'a [trace::Standing],
}

/// A trace to be saved.
pub struct Keep<'a> {
    /// The events of the model.
    pub events: &'a [u32],
    /// The run.
    pub trace: &'a Trace,
    /// What it violates, if that is a temporal property.
    pub property: Option<SavedProperty>,
    /// The atoms of its formula.
    pub atoms: &'a [Atom],
}

/// A violation as it is recorded.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Expected {
    kind: String,
    message: String,
    file: Option<String>,
    line: Option<u32>,
    pid: Option<u8>,
}

impl Expected {
    /// Whether it is the same violation; messages may have changed since.
    fn is_same(&self, other: &Expected) -> bool {
        (&self.kind, &self.file, self.line, self.pid) == (&other.kind, &other.file, other.line, other.pid)
    }

    fn of(sources: &Sources, violation: &Violation) -> Self {
        let file = violation.span.map(|span| sources.file_name(span));
        Self {
            kind: violation.kind.name().to_owned(),
            message: violation.kind.message().to_owned(),
            // The model may have been named by another path.
            file: file.map(|file| base_name(Path::new(&*file))),
            line: violation.span.map(|span| sources.line(span)),
            pid: violation.pid,
        }
    }
}

/// The trace files to write, each tested for being writable.
pub struct Files {
    trace: Option<Target>,
    /// For SPIN.
    trail: Option<Target>,
}

impl Files {
    /// The files of the command line. One that cannot be written is an error now, not after the search.
    pub fn ready(trace: Option<&Path>, trail: bool, args: &ModelArgs) -> anyhow::Result<Files> {
        let trail = trail.then(|| Target::new(Path::new(&format!("{}.trail", base_name(&args.model)))));
        Ok(Files { trace: trace.map(Target::new).transpose()?, trail: trail.transpose()? })
    }

    fn are_wanted(&self) -> bool {
        self.trace.is_some() || self.trail.is_some()
    }

    /// Writes them; one that cannot be written does not keep the other from it.
    fn keep(&self, loaded: &Loaded, args: &ModelArgs, keep: Keep) -> anyhow::Result<()> {
        let trail = self.trail.as_ref().map(|file| file.write(&trail::write(&loaded.model, keep.trace)));
        let trace = self.trace.as_ref().map(|file| write(file, loaded, args, keep));
        match (trace.transpose(), trail.transpose()) {
            (Err(trace), Err(trail)) => bail!("{trace:#}; {trail:#}"),
            (trace, trail) => trace.and(trail).map(drop),
        }
    }

    /// Writes them for what a search has found.
    pub fn keep_found(&self, loaded: &Loaded, args: &ModelArgs, found: &Found<Violation>) -> anyhow::Result<()> {
        if !self.are_wanted() {
            return Ok(());
        }
        let trace = trace::replayed(loaded, found).map_err(|lost| anyhow!("there is no trace to write: {lost}"))?;
        let events = found.trace.as_deref().unwrap_or_default();
        self.keep(loaded, args, Keep { events, trace: &trace, property: None, atoms: &[] })
    }

    /// Writes them for the first run that violates a property.
    pub fn keep_run(
        &self,
        loaded: &Loaded,
        args: &ModelArgs,
        answers: &[Answer],
        formula: Option<&str>,
        fairness: &Fairness,
    ) -> anyhow::Result<()> {
        let violated = answers.iter().find_map(|answer| Some((answer.property, answer.run.as_ref()?)));
        let Some((property, run)) = violated.filter(|_| self.are_wanted()) else { return Ok(()) };
        let run = run.as_ref().map_err(|lost| anyhow!("there is no trace to write: {lost}"))?;
        let saved = SavedProperty {
            name: property.name.clone(),
            formula: formula.map(str::to_owned),
            fair: fairness.words().iter().any(|word| word == "weak"),
            fairness: fairness.words().to_vec(),
        };
        let (events, trace) = (&run.events, &run.trace);
        self.keep(loaded, args, Keep { events, trace, property: Some(saved), atoms: property.atoms() })
    }
}

/// Saves a trace.
fn write(file: &Target, loaded: &Loaded, args: &ModelArgs, keep: Keep) -> anyhow::Result<()> {
    let Keep { events, trace, property, atoms } = keep;
    let Some(violation) = &trace.violation else { bail!("a trace without a violation is not saved") };
    let readable = if trace.steps.len() > trace::MOST_STEPS { 0 } else { trace.steps.len() };
    let steps = trace::lines(&loaded.model, &loaded.sources, trace, atoms, 0..readable);
    let end = trace::ending(loaded, trace);
    let saved = Saved {
        version: VERSION,
        model: base_name(&args.model),
        defines: args.defines.clone(),
        undefines: args.undefines.clone(),
        violation: Expected::of(&loaded.sources, violation),
        property,
        events: events.to_vec(),
        cycle_start: trace.cycle_start,
    };
    let mut text = serde_json::to_string_pretty(&Written { saved, steps: &steps, end: &end })?;
    text.push('\n');
    file.write(&text)
}

/// A trace that has been followed.
pub struct Kept {
    /// The model, with what the trace is about.
    pub loaded: Loaded,
    /// The run.
    pub trace: Trace,
    /// What is wrong with it.
    pub violation: Violation,
    /// The temporal property that it violates, if it is one.
    pub property: Option<Property>,
}

/// Reads a trace, psw's or a trail of SPIN's, and the model, and follows it to its violation. `None`: the model is wrong,
/// which has been shown.
pub fn read(path: &Path, args: &ModelArgs, warnings: bool) -> anyhow::Result<Option<Kept>> {
    let text = files::read_text(path, MOST_BYTES).with_context(|| format!("cannot read {}", path.display()));
    let is_saved = text.as_ref().is_ok_and(|text| text.trim_start().starts_with('{'));
    let saved: Option<anyhow::Result<Saved>> =
        text.as_ref().ok().filter(|_| is_saved).map(|text| Ok(serde_json::from_str(text)?));
    // A model that is wrong is worth more words than its trace.
    let Some(mut input) = load::check(args, warnings)? else { return Ok(None) };
    let wanted = saved.as_ref().and_then(|saved| saved.as_ref().ok()?.property.as_ref());
    if let Some(formula) = wanted.and_then(|wanted| wanted.formula.as_deref())
        && input.add_formula(formula).is_none()
    {
        return Ok(None);
    }
    let property = wanted
        .and_then(|wanted| property::all(&mut input).into_iter().rev().find(|property| property.name == wanted.name));
    let Some(loaded) = input.compile() else { return Ok(None) };
    let text = text?;
    let followed = match saved {
        Some(saved) => saved.and_then(|saved| follow(&saved, &loaded, property.as_ref(), args)),
        None => trail::read(&text, &loaded.model).and_then(|events| Ok(loaded.model.replay(&events)?)),
    };
    let trace = followed.with_context(|| format!("{} is not a trace of this model", path.display()))?;
    match trace.violation {
        Some(violation) => Ok(Some(Kept { loaded, trace, violation, property })),
        None => bail!("{} does not lead to a violation", path.display()),
    }
}

/// Follows a saved trace to the violation that it must end with.
fn follow(saved: &Saved, loaded: &Loaded, property: Option<&Property>, args: &ModelArgs) -> anyhow::Result<Trace> {
    ensure!(saved.version == VERSION, "it has version {}, and this psw reads version {VERSION}", saved.version);
    same_macros("D", &saved.defines, &args.defines)?;
    same_macros("U", &saved.undefines, &args.undefines)?;
    let mut trace = loaded.model.replay(&saved.events)?;
    trace.cycle_start = saved.cycle_start;
    if let Some(wanted) = &saved.property {
        let Some(property) = property else { bail!("the model has no property called `{}`", wanted.name) };
        // If nothing else is wrong with the run, it must violate the property.
        if trace.violation.is_none() {
            let fairness = wanted.fairness(loaded)?;
            let confirmed = property::confirm::confirm(&loaded.model, property, &fairness, &trace, &loaded.meter);
            trace.violation = Some(confirmed.map_err(anyhow::Error::msg)?);
        }
    }
    let found = trace.violation.as_ref().map(|violation| Expected::of(&loaded.sources, violation));
    if !found.as_ref().is_some_and(|found| found.is_same(&saved.violation)) {
        let (wanted, found) = (place(&saved.violation), found.as_ref().map(place));
        bail!("it should end with {wanted}, but ends with {}", found.as_deref().unwrap_or("no violation"));
    }
    Ok(trace)
}

fn place(violation: &Expected) -> String {
    let at = violation.file.as_ref().zip(violation.line).map(|(file, line)| format!(" at {file}:{line}"));
    let by = violation.pid.map(|pid| format!(" by process {pid}"));
    format!("{}{}{}", violation.message, at.unwrap_or_default(), by.unwrap_or_default())
}

/// The order of macros does not matter, unless one is given twice: then the last one counts.
fn same_macros(option: &str, saved: &[String], given: &[String]) -> anyhow::Result<()> {
    let sorted = |list: &[String]| {
        let mut list = list.to_vec();
        list.sort_by(|a, b| macro_name(a).cmp(macro_name(b)));
        list
    };
    let say = |list: &[String]| match list {
        [] => format!("no -{option}"),
        list => list.iter().map(|text| format!("-{option} {text}")).collect::<Vec<_>>().join(" "),
    };
    ensure!(sorted(saved) == sorted(given), "it was made with {}, but this call has {}", say(saved), say(given));
    Ok(())
}

fn macro_name(definition: &str) -> &str {
    definition.split_once('=').map_or(definition, |(name, _)| name)
}

/// The last part of a path.
pub fn base_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_may_come_in_any_order_but_not_with_other_values() {
        let list = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
        assert!(same_macros("D", &list(&["A=1", "B"]), &list(&["B", "A=1"])).is_ok());
        assert!(same_macros("D", &list(&["A=1"]), &list(&["A=2"])).is_err());
        assert!(same_macros("D", &list(&["A=1", "A=2"]), &list(&["A=2", "A=1"])).is_err());
        let error = same_macros("D", &list(&["N=3"]), &[]).unwrap_err().to_string();
        assert_eq!(error, "it was made with -D N=3, but this call has no -D");
    }
}
