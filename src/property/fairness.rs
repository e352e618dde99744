//! Which runs count as fair: the assumptions of the command line, and the demands on runs that they come to.
//!
//! The words of an assumption are also how a saved trace keeps it: `weak`, `strong`, `P`, `strong P`, `channel c`,
//! `channel c:P`, `choice P`. `docs/temporal.md` says what each means.

use anyhow::{anyhow, bail};
use cranelift_entity::EntitySet;
use interp::exec::step::Move;
use interp::ids::EdgeId;
use interp::inspect::output::Direction;
use interp::inspect::values::Inspector;
use interp::{Model, StateSpace, Word};
use promela::ids::ProcTypeId;

/// Some of the processes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Who {
    proctype: Option<ProcTypeId>,
    pid: Option<u8>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Assumption {
    /// Who could always move moves again and again.
    Weak(Who),
    /// Who can move again and again moves again and again.
    Strong(Who),
    /// A statement that sends to or receives from these channels and can be executed again and again is.
    Channel(Vec<i32>, Who),
    /// An option that can be taken again and again, where there are several, is.
    Choice(Who),
}

/// Something that a fair run must serve.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Subject {
    /// A process that could always move.
    Weak(u8),
    /// A process that can move again and again.
    Strong(u8),
    /// A statement of a process, by its number in the proctype, on a channel.
    Statement(u8, ProcTypeId, u32, i32),
    /// An option of a process, by the number of its first statement.
    Option(u8, ProcTypeId, u32),
}

impl Subject {
    /// Must it be served if it waits again and again, and not only if it always waits?
    pub fn is_strong(self) -> bool {
        !matches!(self, Subject::Weak(_))
    }

    /// The process that it is about.
    pub fn pid(self) -> u8 {
        match self {
            Subject::Weak(pid) | Subject::Strong(pid) | Subject::Statement(pid, ..) | Subject::Option(pid, ..) => pid,
        }
    }
}

/// Which runs count.
#[derive(Clone, Debug, Default)]
pub struct Fairness {
    /// As it was written.
    words: Vec<String>,
    assumptions: Vec<Assumption>,
    /// The edges that have others beside them at their location.
    options: EntitySet<EdgeId>,
}

impl Fairness {
    /// Runs that are weakly fair to every process.
    pub fn weak() -> Self {
        let assumptions = vec![Assumption::Weak(Who::default())];
        Fairness { words: vec!["weak".to_owned()], assumptions, options: EntitySet::new() }
    }

    /// The assumptions that are written like this. `Err`: the model has no such process or channel.
    pub fn new(words: Vec<String>, model: &Model) -> anyhow::Result<Self> {
        let assumptions = words.iter().map(|text| assumption(text, model)).collect::<anyhow::Result<_>>()?;
        let locations = model.program.templates.values().flat_map(|template| template.graph.locations.values());
        let choices = locations.filter(|location| location.edges().count() > 1);
        let mut options = EntitySet::new();
        for edge in choices.flat_map(|location| location.edges()) {
            options.insert(edge);
        }
        Ok(Fairness { words, assumptions, options })
    }

    /// As they were written.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// All runs count.
    pub fn is_empty(&self) -> bool {
        self.assumptions.is_empty()
    }

    /// Only weak fairness of all processes, for which there is a search of its own.
    pub fn is_weak(&self) -> bool {
        self.words == ["weak"]
    }

    /// For machines, in a word.
    pub fn name(&self) -> &'static str {
        match self.words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            [] => "none",
            ["weak"] => "weak",
            ["strong"] => "strong",
            _ => "given",
        }
    }

    /// For people: `, under weak fairness`; nothing if all runs count.
    pub fn phrase(&self) -> String {
        let phrase = |text: &String| match text.split_once(' ') {
            None if matches!(text.as_str(), "weak" | "strong") => format!("{text} fairness"),
            None => format!("weak fairness of {text}"),
            Some(("choice", process)) => format!("fair choices of {process}"),
            Some(("channel", channel)) => format!("fairness of channel {channel}"),
            Some((kind, process)) => format!("{kind} fairness of {process}"),
        };
        let phrases: Vec<String> = self.words.iter().map(phrase).collect();
        match phrases.split_last() {
            None => String::new(),
            Some((last, [])) => format!(", under {last}"),
            Some((last, others)) => format!(", under {} and {last}", others.join(", ")),
        }
    }

    /// What waits to be served, if these are the moves of a step that can be taken, and what that step serves. `spoken` has
    /// the channels to which a move sends, or from which it receives.
    pub fn subjects(
        &self,
        model: &Model,
        moves: &[Move],
        mut spoken: impl FnMut(usize, &mut Vec<i32>),
        mut each: impl FnMut(Subject, Part),
    ) {
        let mut channels = Vec::new();
        for assumption in &self.assumptions {
            for (nth, a_move) in moves.iter().enumerate() {
                let who = |who: &Who| who.includes(model, a_move);
                let number = model.program.edges[a_move.edge].element;
                let proctype = model.program.templates[a_move.template].proctype;
                match assumption {
                    Assumption::Weak(whose) if who(whose) => {
                        let part = if nth == 0 { Part::WaitsAndIsServed } else { Part::IsServed };
                        each(Subject::Weak(a_move.pid), part);
                    }
                    Assumption::Strong(whose) if who(whose) => {
                        each(Subject::Strong(a_move.pid), Part::WaitsAndIsServed);
                    }
                    Assumption::Channel(numbers, whose) if who(whose) => {
                        channels.clear();
                        spoken(nth, &mut channels);
                        for &channel in channels.iter().filter(|channel| numbers.contains(channel)) {
                            each(Subject::Statement(a_move.pid, proctype, number, channel), Part::WaitsAndIsServed);
                        }
                    }
                    Assumption::Choice(whose) if who(whose) && self.options.contains(a_move.edge) => {
                        each(Subject::Option(a_move.pid, proctype, number), Part::WaitsAndIsServed);
                    }
                    _ => {}
                }
            }
        }
    }
}

/// What a step has to do with a subject.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The step serves it.
    IsServed,
    /// It could be served in the state that the step leaves, and the step does.
    WaitsAndIsServed,
}

impl Who {
    fn includes(&self, model: &Model, a_move: &Move) -> bool {
        let proctype = || model.program.templates[a_move.template].proctype;
        self.pid.is_none_or(|pid| pid == a_move.pid) && self.proctype.is_none_or(|wanted| wanted == proctype())
    }
}

/// The channels to which a move sends, or from which it receives, found by executing it once more.
pub fn spoken(model: &Model, before: &[Word], earlier: Option<&Move>, a_move: &Move, channels: &mut Vec<i32>) {
    let messages = model.output(before, earlier, a_move).messages;
    channels.extend(messages.iter().filter(|message| message.direction != Direction::Copy).map(|message| message.chan));
}

fn assumption(text: &str, model: &Model) -> anyhow::Result<Assumption> {
    Ok(match text.split_once(' ') {
        None if text == "weak" => Assumption::Weak(Who::default()),
        None if text == "strong" => Assumption::Strong(Who::default()),
        None => Assumption::Weak(who(text, model)?),
        Some(("weak", name)) => Assumption::Weak(who(name, model)?),
        Some(("strong", name)) => Assumption::Strong(who(name, model)?),
        Some(("choice", name)) => Assumption::Choice(who(name, model)?),
        Some(("channel", name)) => match name.split_once(':') {
            None => Assumption::Channel(channels(name, model)?, Who::default()),
            Some((name, process)) => Assumption::Channel(channels(name, model)?, who(process, model)?),
        },
        Some(_) => bail!("`{text}` is no fairness assumption"),
    })
}

/// `P`, `P[2]` or `2`.
fn who(name: &str, model: &Model) -> anyhow::Result<Who> {
    if let Ok(pid) = name.parse() {
        return Ok(Who { proctype: None, pid: Some(pid) });
    }
    let (name, pid) = match name.strip_suffix(']').and_then(|name| name.split_once('[')) {
        None => (name, None),
        Some((name, pid)) => {
            let pid = pid.trim().parse().map_err(|_| anyhow!("`{pid}` is not the number of a process"))?;
            (name, Some(pid))
        }
    };
    let named = model.checked.proctypes.iter().find(|(_, proctype)| *proctype.name == *name);
    let Some((proctype, _)) = named else {
        let known: Vec<&str> = model.checked.proctypes.values().map(|proctype| &*proctype.name).collect();
        bail!("the model has no process called `{name}`: it has {}", known.join(", "));
    };
    Ok(Who { proctype: Some(proctype), pid })
}

/// The channels that have this name in the initial state; all of an array.
fn channels(name: &str, model: &Model) -> anyhow::Result<Vec<i32>> {
    let initial = model.initial().map_err(|violation| anyhow!("{}", violation.kind.message()))?;
    let names = Inspector::new(model).channel_names(&initial);
    let is_it = |known: &str| known == name || known.split_once('[').is_some_and(|(array, _)| array == name);
    let numbers: Vec<i32> = (1..).zip(&names).filter(|(_, known)| is_it(known)).map(|(number, _)| number).collect();
    if numbers.is_empty() {
        bail!("the model has no channel called `{name}` at the beginning: it has {}", names.join(", "));
    }
    Ok(numbers)
}
