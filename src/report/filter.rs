//! Which moves of a trace are shown: those of some processes, those that concern some variables, those of some steps.
//!
//! Names are looked up in the model before a search begins: one that does not exist is an error of the call.

use std::ops::RangeInclusive;

use anyhow::bail;
use promela::model::CheckedModel;

use super::trace::Line;
use crate::cli::{ShowArgs, StepsArgs};

/// What is shown of a trace.
#[derive(Clone, Default, Debug)]
pub struct Filter {
    /// Variables and channels; none: all.
    only: Vec<String>,
    /// Processes; none: all.
    processes: Vec<Who>,
    /// Steps, from 1.
    pub steps: Option<RangeInclusive<usize>>,
}

/// A process, or all of a proctype.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Who {
    Name(String),
    Pid(u8),
    Both(String, u8),
}

impl Filter {
    /// What the options say, if the model has what they name.
    pub fn read(args: &ShowArgs, steps: &StepsArgs, model: &CheckedModel) -> anyhow::Result<Self> {
        let only: Vec<String> = args.only.iter().map(|name| name.trim().to_owned()).collect();
        let mut variables: Vec<&str> = model.globals.values().map(|var| &*var.name).collect();
        variables.extend(model.proctypes.values().flat_map(|proc| proc.locals.values()).map(|var| &*var.name));
        for name in &only {
            let variable = name.split(['[', '.']).next().unwrap_or(name);
            if !variables.contains(&variable) {
                bail!("--only: the model has no variable `{variable}`{}", there_are(&variables));
            }
        }
        let names: Vec<&str> = model.proctypes.values().map(|proc| &*proc.name).collect();
        let processes = args.process.iter().map(|text| who(text.trim(), &names)).collect::<anyhow::Result<_>>()?;
        Ok(Filter { only, processes, steps: steps.range.clone() })
    }

    /// Whether anything is left out.
    pub fn is_used(&self) -> bool {
        !self.only.is_empty() || !self.processes.is_empty() || self.steps.is_some()
    }

    /// Takes what is not shown out of a move; `None` if nothing of it is.
    pub fn keep(&self, mut line: Line) -> Option<Line> {
        if self.steps.as_ref().is_some_and(|steps| !steps.contains(&line.step)) {
            return None;
        }
        let is_shown = |who: &Who| match who {
            Who::Name(name) => *name == line.process,
            Who::Pid(pid) => *pid == line.pid,
            Who::Both(name, pid) => (name, *pid) == (&line.process, line.pid),
        };
        if !self.processes.is_empty() && !self.processes.iter().any(is_shown) {
            return None;
        }
        if self.only.is_empty() {
            return Some(line);
        }
        line.changes.retain(|change| self.names(&change.name));
        line.messages.retain(|message| self.names(&message.channel));
        (!line.changes.is_empty() || !line.messages.is_empty()).then_some(line)
    }

    /// Whether a variable, or a part of one, is among those that are shown.
    fn names(&self, name: &str) -> bool {
        let is_part = |rest: &str| rest.is_empty() || rest.starts_with(['[', '.']);
        self.only.iter().any(|only| name.strip_prefix(&**only).is_some_and(is_part))
    }
}

/// `P`, `P(1)` or `1`.
fn who(text: &str, names: &[&str]) -> anyhow::Result<Who> {
    if let Ok(pid) = text.parse() {
        return Ok(Who::Pid(pid));
    }
    let (name, pid) = match text.strip_suffix([')', ']']).and_then(|text| text.split_once(['(', '['])) {
        Some((name, pid)) => (name, Some(pid)),
        None => (text, None),
    };
    if !names.contains(&name) {
        bail!("--process: the model has no proctype `{name}`{}", there_are(names));
    }
    match pid.map(str::parse) {
        None => Ok(Who::Name(name.to_owned())),
        Some(Ok(pid)) => Ok(Who::Both(name.to_owned(), pid)),
        Some(Err(_)) => bail!("--process: write {name}, or {name}(PID) with a number from 0 to 255"),
    }
}

/// The names there are.
fn there_are(names: &[&str]) -> String {
    let mut names = names.to_vec();
    names.sort_unstable();
    names.dedup();
    const MOST: usize = 12;
    let more = if names.len() > MOST { ", …" } else { "" };
    names.truncate(MOST);
    match names.is_empty() {
        true => "; it has none".to_owned(),
        false => format!("; it has {}{more}", names.join(", ")),
    }
}
