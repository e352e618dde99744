//! The least and greatest value of every variable, and the least and greatest length of every channel.
//!
//! Fields are read where they are, and only in words that were not seen before: each word of a state has a small table of
//! the values it had, and a state that brings nothing new costs one look at each word. What is in the tables has been
//! noted, so nothing is missed, however often a table forgets.
//! Invariant: a local counts only while its process lives, and a channel of a process likewise.

use interp::code::layout::ChannelPlace;
use interp::code::state::Field;
use interp::ids::TemplateId;
use interp::inspect::scalars::Scalar;
use interp::model::Tables;
use interp::{Model, Word};
use promela::ids::ChanTypeId;
use promela::model::BasicType;

/// The most places in the table of one word.
const MOST_PLACES: usize = 256;
/// The most bytes of all tables, as long as each has a place.
const MOST_TABLE_BYTES: usize = 8 << 20;
/// Bytes that one value takes, with its name, about.
const VALUE_BYTES: u64 = 160;

/// A process: its number and its proctype.
pub type Owner = (usize, String);

/// The bounds of one value.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// The process it belongs to; `None` for globals.
    pub owner: Option<Owner>,
    /// `x`, `a[3]`, `s.f`; of a channel, the name it goes by.
    pub name: String,
    /// What it is.
    pub what: What,
    /// Least and greatest; `None` if it never was there.
    pub range: Option<(i32, i32)>,
}

/// What is bounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// The value of a variable of this type.
    Variable(BasicType),
    /// The number of messages in a channel.
    Length,
}

impl Bounds {
    #[inline]
    fn note(&mut self, value: i32) {
        self.range = match self.range {
            None => Some((value, value)),
            Some((least, greatest)) => Some((least.min(value), greatest.max(value))),
        };
    }
}

/// A value and where it is.
#[derive(Clone, Debug)]
struct Watched {
    field: Field,
    /// It always has this value; `field` is something else of its process.
    constant: Option<i32>,
    /// It exists when at least this many processes live.
    processes: usize,
    bounds: Bounds,
}

/// Values whose words lie at a common base: those of the fixed part of a state, or of one process's block.
#[derive(Clone, Debug, Default)]
struct Group {
    /// In the order of their words.
    values: Vec<Watched>,
    /// For each word that has some: which word, and its values.
    words: Vec<(u32, std::ops::Range<usize>)>,
    /// For each of `words`, `places` of them: what it was seen to hold, with the number of processes; never 0.
    seen: Vec<u64>,
    /// A power of two.
    places: usize,
}

impl Group {
    fn new(mut values: Vec<Watched>) -> Group {
        values.sort_by_key(|value| value.field.word);
        let mut words: Vec<(u32, std::ops::Range<usize>)> = Vec::new();
        for (index, value) in values.iter().enumerate() {
            match words.last_mut() {
                Some((word, range)) if *word == value.field.word => range.end = index + 1,
                _ => words.push((value.field.word, index..index + 1)),
            }
        }
        let room = (MOST_TABLE_BYTES / size_of::<u64>() / words.len().max(1)).clamp(1, MOST_PLACES);
        let places = 1 << room.ilog2();
        let seen = vec![0; words.len() * places];
        Group { values, words, seen, places }
    }

    /// Notes the values of a state in which this many processes live.
    #[inline]
    fn note(&mut self, state: &[Word], base: usize, processes: usize) {
        for ((word, range), seen) in self.words.iter().zip(self.seen.chunks_exact_mut(self.places)) {
            let key = u64::from(state[base + *word as usize]) | (processes as u64 + 1) << 32;
            let place = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as usize % self.places;
            if seen[place] == key {
                continue;
            }
            seen[place] = key;
            for value in &mut self.values[range.clone()] {
                if processes >= value.processes {
                    let now = value.constant.unwrap_or_else(|| value.field.get(state, base));
                    value.bounds.note(now);
                }
            }
        }
    }
}

/// All variables and channels of a model.
pub struct Variables {
    /// What is at constant places.
    fixed: Group,
    /// What is in blocks of processes, by number and template.
    blocks: Vec<Vec<Option<Group>>>,
    /// Channels in blocks of their own, by how many came before: each with its kind.
    channels: Vec<Vec<(ChanTypeId, Bounds)>>,
}

impl Variables {
    /// About how many bytes it takes to note the bounds of every variable of a model.
    pub fn bytes(model: &Model) -> usize {
        let values = model.scalar_count().saturating_mul(VALUE_BYTES);
        usize::try_from(values).unwrap_or(usize::MAX).saturating_add(MOST_TABLE_BYTES)
    }

    /// Nothing is known of any.
    pub fn new(model: &Model) -> Variables {
        let layout = &model.layout;
        let mut names: Vec<Option<(Option<Owner>, String)>> = vec![None; layout.channels.len()];
        let mut name = |number: i32, owner: &Option<Owner>, name: String| {
            if let Some(known) = (number as usize).checked_sub(1).and_then(|index| names.get_mut(index)) {
                known.get_or_insert_with(|| (owner.clone(), name));
            }
        };
        let mut values = Vec::new();
        for scalar in model.global_scalars() {
            match scalar {
                Scalar::Value { name, ty, field } => values.push(watched(field, 0, None, name, ty)),
                // Only an argument is constant.
                Scalar::Constant { .. } => {}
                Scalar::Channel { name: known, number } => name(number, &None, known),
            }
        }
        // By channel: the processes that live if it exists; `None` if it depends on who has a pid whose it is.
        let mut owned = vec![Some(0); layout.channels.len()];
        for (pid, slot) in layout.slots.iter().enumerate() {
            for &template in &slot.templates {
                let owner = owner(model, pid, template);
                for scalar in model.local_scalars(template) {
                    if let Scalar::Channel { name: known, number } = &scalar {
                        name(*number, &owner, known.clone());
                    }
                    if slot.role.is_none() {
                        values.extend(local(model, template, &owner, pid + 1, scalar));
                    }
                }
                let (first, count) = layout.templates[template].channels;
                owned[first..first + count].fill(slot.role.is_none().then_some(pid + 1));
            }
        }
        for (index, place) in layout.channels.iter().enumerate() {
            if let (true, Some(processes)) = (layout.shapes[place.ty].capacity > 0, owned[index]) {
                let (owner, name) = names[index].take().unwrap_or_else(|| (None, format!("channel {}", index + 1)));
                values.push(length(*place, processes, owner, name));
            }
        }
        Variables { fixed: Group::new(values), blocks: Vec::new(), channels: Vec::new() }
    }

    /// Notes the values of a state; `tables` are its own.
    #[inline]
    pub fn note(&mut self, model: &Model, state: &[Word], tables: &Tables) {
        let live = model.nr_pr(state);
        self.fixed.note(state, 0, live);
        if model.layout.has_constant_tables() {
            return;
        }
        let has_block = |pid: usize| model.layout.slots.get(pid).is_none_or(|slot| slot.role.is_some());
        for (pid, process) in tables.procs.iter().enumerate().take(live).filter(|(pid, _)| has_block(*pid)) {
            if self.blocks.len() <= pid {
                self.blocks.resize(pid + 1, vec![None; model.layout.templates.len()]);
            }
            let group = &mut self.blocks[pid][process.template.as_u32() as usize];
            group.get_or_insert_with(|| block(model, pid, process.template)).note(state, process.base, 0);
        }
        let constant = model.layout.channels.len();
        for (index, place) in tables.chans.iter().skip(constant).enumerate() {
            if model.layout.shapes[place.ty].capacity == 0 {
                continue;
            }
            if self.channels.len() <= index {
                self.channels.resize(index + 1, Vec::new());
            }
            let kinds = &mut self.channels[index];
            let length = place.len.get(state, 0);
            match kinds.iter_mut().find(|(ty, _)| *ty == place.ty) {
                Some((_, bounds)) => bounds.note(length),
                None => {
                    let name = format!("channel {}", constant + index + 1);
                    let mut bounds = Bounds { owner: None, name, what: What::Length, range: None };
                    bounds.note(length);
                    kinds.push((place.ty, bounds));
                }
            }
        }
    }

    /// What is known: globals, then process by process, each with its channels.
    pub fn bounds(&self) -> Vec<&Bounds> {
        let blocks = self.blocks.iter().flatten().flatten();
        let groups = std::iter::once(&self.fixed).chain(blocks);
        let values = groups.flat_map(|group| group.values.iter().map(|value| &value.bounds));
        let mut all: Vec<&Bounds> = values.chain(self.channels.iter().flatten().map(|(_, bounds)| bounds)).collect();
        all.sort_by_key(|bounds| (bounds.owner.as_ref().map(|(pid, _)| *pid), bounds.what == What::Length));
        all
    }
}

fn watched(field: Field, processes: usize, owner: Option<Owner>, name: String, ty: BasicType) -> Watched {
    let bounds = Bounds { owner, name, what: What::Variable(ty), range: None };
    Watched { field, constant: None, processes, bounds }
}

/// The length of a channel that exists when this many processes live.
fn length(place: ChannelPlace, processes: usize, owner: Option<Owner>, name: String) -> Watched {
    let bounds = Bounds { owner, name, what: What::Length, range: None };
    Watched { field: place.len, constant: None, processes, bounds }
}

/// A local of a process that exists when this many live; channels are watched on their own.
fn local(
    model: &Model,
    template: TemplateId,
    owner: &Option<Owner>,
    processes: usize,
    scalar: Scalar,
) -> Option<Watched> {
    match scalar {
        Scalar::Value { name, ty, field } => Some(watched(field, processes, owner.clone(), name, ty)),
        Scalar::Constant { name, ty, value } => {
            let pc = model.layout.templates[template].pc;
            Some(Watched { constant: Some(value), ..watched(pc, processes, owner.clone(), name, ty) })
        }
        Scalar::Channel { .. } => None,
    }
}

fn owner(model: &Model, pid: usize, template: TemplateId) -> Option<Owner> {
    Some((pid, model.checked.proctypes[model.layout.templates[template].proctype].name.to_string()))
}

/// The locals of a process that has a block of its own, or a pid that others can have; of the latter its channels, too.
fn block(model: &Model, pid: usize, template: TemplateId) -> Group {
    let (owner, layout) = (owner(model, pid, template), &model.layout);
    let (first, count) = if layout.is_fixed { layout.templates[template].channels } else { (0, 0) };
    let scalar = |scalar: Scalar| match scalar {
        Scalar::Channel { name, number } => {
            let index = (number as usize).checked_sub(1)?;
            let place = *layout.channels.get(index).filter(|_| (first..first + count).contains(&index))?;
            (layout.shapes[place.ty].capacity > 0).then(|| length(place, 0, owner.clone(), name))
        }
        scalar => local(model, template, &owner, 0, scalar),
    };
    Group::new(model.local_scalars(template).into_iter().filter_map(scalar).collect())
}
