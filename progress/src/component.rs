//! A component of a measure: a small number read from a state.
//!
//! Whatever is read stands at a place that is the same in every state: the globals do, and so do processes whose slot is
//! never re-used. What does not exist yet is below everything, and what is gone is above everything.

use cranelift_entity::EntityRef;
use interp::code::state::Field;
use interp::model::{Process, Tables};
use interp::{Model, Word};
use promela::ids::ProcTypeId;

/// What is known about a component.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Claim {
    /// It may rise and fall.
    None,
    /// It is only ever increased, if nothing wraps round and nothing is reset.
    Presumed,
    /// It never falls.
    Proven,
}

/// A component.
#[derive(Clone, Debug)]
pub struct Component {
    /// In words, as in "location of Sender(1)".
    pub name: String,
    /// Why the claim is what it is.
    pub reason: String,
    /// What is known about its monotonicity.
    pub claim: Claim,
    /// The largest value.
    pub max: u32,
    /// Counts down instead of up: the value is taken from `max`.
    pub falling: bool,
    /// Read from the control flow of a process.
    pub is_control: bool,
    /// Tells apart what another component of the process puts on one level.
    pub is_order: bool,
    /// Where it is read from.
    pub source: Source,
}

impl Component {
    /// Is this the same thing of another process of the same kind?
    pub fn is_alike(&self, other: &Component) -> bool {
        match (&self.source, &other.source) {
            (Source::Rank { ranks, .. }, Source::Rank { ranks: others, .. }) => {
                self.is_order == other.is_order && ranks == others
            }
            (Source::Fields { fields, life: Some(_) }, Source::Fields { fields: others, life: Some(_) }) => {
                self.claim == other.claim && fields == others
            }
            _ => false,
        }
    }
}

/// Where a component is read from.
#[derive(Clone, Debug)]
pub enum Source {
    /// The rank of a process's location.
    Rank {
        /// Where the location is.
        pc: Field,
        /// By location.
        ranks: Vec<u32>,
        /// Whose location it is.
        life: Life,
    },
    /// The sum of fields, each from its least possible value.
    Fields {
        /// The fields.
        fields: Vec<Field>,
        /// Whose they are, if they are not global.
        life: Option<Life>,
    },
}

/// When a process exists.
#[derive(Clone, Debug)]
pub struct Life {
    /// Its number.
    pub pid: usize,
    /// The first word of its block.
    pub base: usize,
    /// For a process that `init` will create: where `init` is before it does.
    pub creator: Option<Creator>,
}

/// The process that creates the others.
#[derive(Clone, Debug)]
pub struct Creator {
    /// Its number.
    pub pid: usize,
    /// Where its location is.
    pub pc: Field,
    /// By location: is a `run` still to come?
    pub before: Vec<bool>,
}

/// The stages of a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Not created yet.
    NotYet,
    /// It lives.
    Alive,
    /// It is gone.
    Gone,
}

impl Life {
    /// The stage of the process in a state.
    pub fn stage(&self, nr_pr: usize, words: &[Word]) -> Stage {
        if nr_pr > self.pid {
            return Stage::Alive;
        }
        match &self.creator {
            Some(Creator { pid, pc, before }) if nr_pr > *pid => {
                let at = pc.get(words, 0) as usize;
                match before.get(at) {
                    Some(true) => Stage::NotYet,
                    _ => Stage::Gone,
                }
            }
            _ => Stage::Gone,
        }
    }
}

impl Component {
    /// The value in a state.
    #[inline]
    pub fn value(&self, nr_pr: usize, words: &[Word]) -> u32 {
        let value = match &self.source {
            Source::Rank { pc, ranks, life } => match life.stage(nr_pr, words) {
                Stage::NotYet => return 0,
                Stage::Gone => return self.max,
                Stage::Alive => {
                    let at = pc.get(words, life.base) as usize;
                    ranks.get(at).copied().unwrap_or(self.max)
                }
            },
            Source::Fields { fields, life } => match life {
                None => self.sum(fields, words, 0),
                Some(life) => match life.stage(nr_pr, words) {
                    Stage::NotYet => return 0,
                    Stage::Gone => return self.max,
                    Stage::Alive => self.sum(fields, words, life.base),
                },
            },
        };
        if self.falling { self.max - value } else { value }
    }

    /// The number of the process it is read from, if it is not global.
    pub fn process(&self) -> Option<usize> {
        match &self.source {
            Source::Rank { life, .. } => Some(life.pid),
            Source::Fields { life, .. } => life.as_ref().map(|life| life.pid),
        }
    }

    #[inline]
    fn sum(&self, fields: &[Field], words: &[Word], base: usize) -> u32 {
        let values = fields.iter().map(|field| from_least(*field, field.get(words, base)));
        values.fold(0, u32::saturating_add).min(self.max)
    }
}

/// A value of a field, counted from the least one it can have.
pub fn from_least(field: Field, value: i32) -> u32 {
    match field.signed {
        true => (value as u32).wrapping_add(1 << (field.bits - 1)) & largest(field),
        false => value as u32,
    }
}

/// The largest value of a field, counted from the least.
pub fn largest(field: Field) -> u32 {
    u32::MAX >> (32 - field.bits)
}

/// The numbers of the processes of a proctype that have constant places.
pub fn rooted_of(model: &Model, proctype: ProcTypeId) -> Vec<usize> {
    let is_of = |process: &Process| model.program.templates[process.template].proctype == proctype;
    rooted(model).into_iter().filter(|(process, _)| is_of(process)).map(|(_, life)| life.pid).collect()
}

/// The processes with constant places: all if the layout is fixed, else those alive at the start up to the first that
/// can create others (the slots of later ones can be re-used).
pub fn rooted(model: &Model) -> Vec<(Process, Life)> {
    let initial = model.instances.initial.len();
    if model.layout.is_fixed {
        let creator = initial.checked_sub(1).map(|pid| {
            let template = interp::ids::TemplateId::new(pid);
            let pc = model.layout.templates[template].pc;
            Creator { pid, pc, before: crate::process::before_runs(model, template) }
        });
        let life = |pid: usize| Life { pid, base: 0, creator: creator.clone().filter(|_| pid >= initial) };
        return model
            .layout
            .templates
            .keys()
            .map(|template| (Process { template, base: 0 }, life(template.index())))
            .collect();
    }
    let Ok(words) = interp::StateSpace::initial(model) else { return Vec::new() };
    let mut tables = Tables::default();
    model.locate(&words, &mut tables);
    let mut rooted = Vec::new();
    for (pid, &process) in tables.procs.iter().enumerate().take(initial) {
        rooted.push((process, Life { pid, base: process.base, creator: None }));
        if crate::process::can_run(model, process.template) {
            break;
        }
    }
    rooted
}
