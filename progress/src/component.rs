//! A component of a measure: a small number read from a state.
//!
//! Whatever is read stands at a place that is the same in every state: the globals do, and so do processes whose pid means
//! the same place in all states. What does not exist yet is below everything, and what is gone is above everything. Where
//! another process may come in the place of one that is gone, nothing is proven: that a component never falls is presumed,
//! and the search notices if it does.

use std::cmp::Ordering;
use std::sync::Arc;

use cranelift_entity::EntityRef;
use interp::code::state::Field;
use interp::ids::TemplateId;
use interp::model::Process;
use interp::{Model, Word};
use promela::ids::ProcTypeId;

use crate::process;

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
        /// Where the location is, with what tells the process apart from others that can have its number.
        place: Field,
        /// By value of that.
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
    /// The sum of others, each with its weight.
    Sum(Vec<(Component, u32)>),
}

/// When a process exists.
#[derive(Clone, Debug)]
pub struct Life {
    /// Its number.
    pub pid: usize,
    /// The first word of its block.
    pub base: usize,
    /// If other proctypes can have its number: which one it is among them.
    pub role: Option<(Field, u32)>,
    /// Those that create processes: while one of them is to create one, a process that does not live is still to come.
    pub creators: Arc<[Creator]>,
    /// Another process may come in its place.
    pub is_replaced: bool,
}

/// A process that creates others.
#[derive(Clone, Debug)]
pub struct Creator {
    /// Its number.
    pub pid: usize,
    /// The first word of its block.
    pub base: usize,
    /// Where its location is, with what tells it apart from others that can have its number.
    pub place: Field,
    /// By value of that: is a `run` still to come?
    pub before: Vec<bool>,
}

impl Creator {
    /// Whether it lives and is to create a process.
    pub fn is_before(&self, nr_pr: usize, words: &[Word]) -> bool {
        nr_pr > self.pid && self.before.get(self.place.get(words, self.base) as usize) == Some(&true)
    }
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
        if nr_pr <= self.pid {
            let is_to_come = self.creators.iter().any(|creator| creator.is_before(nr_pr, words));
            return if is_to_come { Stage::NotYet } else { Stage::Gone };
        }
        match self.role.map(|(field, nth)| nth.cmp(&(field.get(words, 0) as u32))) {
            None | Some(Ordering::Equal) => Stage::Alive,
            // Roles are in the order in which they are mostly created.
            Some(Ordering::Greater) => Stage::NotYet,
            Some(Ordering::Less) => Stage::Gone,
        }
    }
}

impl Component {
    /// The value in a state.
    #[inline]
    pub fn value(&self, nr_pr: usize, words: &[Word]) -> u32 {
        let value = match &self.source {
            Source::Rank { place, ranks, life } => match life.stage(nr_pr, words) {
                Stage::NotYet => return 0,
                Stage::Gone => return self.max,
                Stage::Alive => {
                    let at = place.get(words, life.base) as usize;
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
            Source::Sum(parts) => parts.iter().map(|(part, weight)| weight * part.value(nr_pr, words)).sum(),
        };
        if self.falling { self.max - value } else { value }
    }

    /// The number of the process it is read from, if it is not global.
    pub fn process(&self) -> Option<usize> {
        match &self.source {
            Source::Rank { life, .. } => Some(life.pid),
            Source::Fields { life, .. } => life.as_ref().map(|life| life.pid),
            Source::Sum(_) => None,
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

/// The processes of a proctype that have constant places.
pub fn rooted_of(model: &Model, proctype: ProcTypeId) -> Vec<Life> {
    let is_of = |process: &Process| model.program.templates[process.template].proctype == proctype;
    rooted(model).into_iter().filter(|(process, _)| is_of(process)).map(|(_, life)| life).collect()
}

/// Where the number of processes has no bound, this many are measured.
const MOST_UNBOUNDED: usize = 16;

/// The processes with constant places: all if the layout is fixed, else those in front of which the same processes live in
/// every state.
pub fn rooted(model: &Model) -> Vec<(Process, Life)> {
    let layout = &model.layout;
    let (mut processes, mut roles) = (Vec::new(), Vec::new());
    if layout.is_fixed {
        for slot in &layout.slots {
            for (nth, &template) in (0..).zip(&slot.templates) {
                processes.push(Process { template, base: 0 });
                roles.push(slot.role.map(|role| (role, nth)));
            }
        }
    } else {
        let mut base = layout.fixed_words as usize;
        for slot in model.instances.slots.iter().take(MOST_UNBOUNDED.max(model.instances.initial.len())) {
            let [role] = &slot.roles[..] else { break };
            let template = TemplateId::new(role.proctype.index());
            processes.push(Process { template, base });
            roles.push(None);
            base += layout.templates[template].words as usize + model.channel_words(role.proctype);
        }
    }
    let pid = |nth: usize| layout.templates[processes[nth].template].pid.unwrap_or(nth);
    let creators = processes.iter().enumerate().filter(|(_, process)| process::can_run(model, process.template));
    let creators: Arc<[Creator]> = creators
        .map(|(nth, process)| {
            let places = &layout.templates[process.template];
            let offset = roles[nth].map_or(0, |(_, role)| (role as usize) << places.pc.bits);
            let mut before = vec![false; offset];
            before.extend(process::before_runs(model, process.template));
            Creator { pid: pid(nth), base: process.base, place: places.place, before }
        })
        .collect();
    let initial = model.instances.initial.len();
    let life = |nth: usize| {
        let (process, role, pid) = (processes[nth], roles[nth], pid(nth));
        // Behind the processes that are measured, others may create some.
        let is_replaced = model.instances.slots[pid].is_reused || !layout.is_fixed && pid >= initial;
        (process, Life { pid, base: process.base, role, creators: creators.clone(), is_replaced })
    };
    (0..processes.len()).map(life).collect()
}
