//! What is in a state, by name: processes and their locations, variables, messages.

use cranelift_entity::PrimaryMap;
use promela::ids::MtypeSetId;
use promela::model::BasicType;
use promela::source::Span;

use crate::code::program::Guard;
use crate::exec::channel::Channel;
use crate::ids::TemplateId;
use crate::inspect::scalars::{Scalar, Words};
use crate::model::{Model, Process, Tables};
use statespace::Word;

/// A process as seen from outside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProcessView {
    /// Its number.
    pub pid: usize,
    /// Name of its proctype.
    pub name: String,
    /// The statement that it tries next, or the closing brace.
    pub span: Span,
    /// SPIN's number of its location.
    pub location: u32,
    /// Whether it is at a valid end state.
    pub may_end: bool,
    /// Whether it is at its closing brace.
    pub has_finished: bool,
}

/// A value by name: a variable, an array's element, a structure's field, or the contents of a channel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueView {
    /// The process it belongs to; `None` for globals.
    pub pid: Option<usize>,
    /// `x`, `a[3]`, `s.f`.
    pub name: String,
    /// As people read it: a number, an mtype name, `[1,ack] [2,ack]` for messages.
    pub value: String,
}

impl Model {
    /// The live processes.
    pub fn processes(&self, words: &[Word]) -> Vec<ProcessView> {
        let mut tables = Tables::default();
        self.locate(words, &mut tables);
        (0..self.nr_pr(words))
            .map(|pid| {
                let process = tables.procs[pid];
                let template = &self.program.templates[process.template];
                let pc = self.layout.templates[process.template].pc.get(words, process.base);
                let location = template.graph.locations[crate::ids::Pc::from_u32(pc as u32)];
                let has_finished = location.edges().any(|edge| self.program.edges[edge].guard == Guard::End);
                ProcessView {
                    pid,
                    name: self.checked.proctypes[template.proctype].name.to_string(),
                    span: if has_finished { location.span.last() } else { location.span },
                    location: location.number,
                    may_end: location.flags.contains(crate::code::flow::LocationFlags::END),
                    has_finished,
                }
            })
            .collect()
    }

    /// See [`Inspector::values`].
    pub fn values(&self, words: &[Word]) -> Vec<ValueView> {
        Inspector::new(self).values(words)
    }

    /// A value as people read it.
    pub fn show_value(&self, ty: BasicType, value: i32) -> String {
        match ty {
            BasicType::Chan if value != 0 => format!("channel {value}"),
            BasicType::Mtype(set) => self.mtype_name(set, value).map_or_else(|| value.to_string(), str::to_owned),
            _ => value.to_string(),
        }
    }

    /// The name of an mtype value.
    pub fn mtype_name(&self, set: MtypeSetId, value: i32) -> Option<&str> {
        let index = usize::try_from(value).ok()?.checked_sub(1)?;
        self.checked.mtypes.get(set)?.names.get(index).map(|name| &**name)
    }
}

/// A value that a move changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChangeView {
    /// The process it belongs to; `None` for globals.
    pub pid: Option<usize>,
    /// As in [`ValueView`].
    pub name: String,
    /// Before; `None` if it did not exist.
    pub from: Option<String>,
    /// After.
    pub to: String,
}

/// Looks at many states. What it costs to compare two of them grows with what has changed, not with what they hold: states
/// can have millions of values.
pub struct Inspector<'m> {
    model: &'m Model,
    /// Variables that hold channels: the globals, and those of each template.
    globals: Vec<Scalar>,
    locals: PrimaryMap<TemplateId, Vec<Scalar>>,
}

/// A state, and where things are in it.
struct Seen<'w> {
    words: &'w [Word],
    tables: Tables,
    processes: usize,
    /// The channels of a process that does not live do not exist, though they may have a place.
    channels: usize,
}

impl<'m> Inspector<'m> {
    /// For the states of a model.
    pub fn new(model: &'m Model) -> Self {
        let templates = model.layout.templates.keys();
        let locals = templates.map(|template| model.locals_in(template, Words::All, true)).collect();
        Inspector { model, globals: model.globals_in(Words::All, true), locals }
    }

    /// All variables and the contents of all channels: globals, then process by process, then channels without a
    /// variable that is always theirs.
    pub fn values(&self, words: &[Word]) -> Vec<ValueView> {
        let seen = self.see(words);
        let mut out = Vec::new();
        for owner in owners(&seen) {
            let pid = owner.map(|(pid, _)| pid);
            let shown = self.scalars(owner, Words::All).into_iter().filter_map(|scalar| match scalar {
                Scalar::Value { name, ty, field } => {
                    Some((name, self.model.show_value(ty, field.get(words, base(owner)))))
                }
                Scalar::Constant { name, ty, value } => Some((name, self.model.show_value(ty, value))),
                Scalar::Channel { name, number } => Some((name, self.contents(&seen, index(number))?)),
            });
            out.extend(shown.map(|(name, value)| ValueView { pid, name, value }));
        }
        for index in self.nameless(&seen) {
            let value = self.contents(&seen, index);
            out.extend(value.map(|value| ValueView { pid: None, name: nameless(index), value }));
        }
        out
    }

    /// What a move from one state to the other changed, in the order of [`Inspector::values`]. Something new that is zero
    /// or empty is no change, and neither is the end of something.
    pub fn changes(&self, before: &[Word], after: &[Word]) -> Vec<ChangeView> {
        let (old, new) = (self.see(before), self.see(after));
        let changed = changed_words(Some(before), after);
        let mut out = Vec::new();
        for owner in owners(&new) {
            let was = match owner {
                None => Some(None),
                Some((pid, now)) => {
                    let then = old.tables.procs[..old.processes].get(pid).filter(|then| then.template == now.template);
                    then.map(|&then| Some((pid, then)))
                }
            };
            let own;
            let changed = match was {
                Some(was) if base(was) == 0 && base(owner) == 0 => &changed,
                _ => {
                    own = changed_words(was.map(|was| &before[base(was)..]), &after[base(owner)..]);
                    &own
                }
            };
            for scalar in self.scalars(owner, Words::Only(changed)) {
                let change = match scalar {
                    Scalar::Value { name, ty, field } => {
                        let now = field.get(after, base(owner));
                        let then = was.map(|was| field.get(before, base(was)));
                        // Other values of the same word.
                        if then.unwrap_or(0) == now {
                            continue;
                        }
                        let show = |value| self.model.show_value(ty, value);
                        Some((name, then.map(show), show(now)))
                    }
                    // It came with its process.
                    Scalar::Constant { .. } if was.is_some() => continue,
                    Scalar::Constant { name, ty, value } => Some((name, None, self.model.show_value(ty, value))),
                    Scalar::Channel { name, number } => {
                        let then = was.and_then(|_| self.contents(&old, index(number)));
                        self.contents(&new, index(number)).map(|now| (name, then, now))
                    }
                };
                let pid = owner.map(|(pid, _)| pid);
                out.extend(change.map(|(name, from, to)| ChangeView { pid, name, from, to }));
            }
        }
        let had_no_name = self.nameless(&old);
        for index in self.nameless(&new) {
            let from = had_no_name.contains(&index).then(|| self.contents(&old, index)).flatten();
            let to = self.contents(&new, index);
            out.extend(to.map(|to| ChangeView { pid: None, name: nameless(index), from, to }));
        }
        out.retain(|change| match &change.from {
            Some(from) => *from != change.to,
            None => change.to != "0" && change.to != EMPTY,
        });
        out
    }

    /// A name for each channel, by number less one: that of the first variable that holds it.
    pub fn channel_names(&self, words: &[Word]) -> Vec<String> {
        let seen = self.see(words);
        let mut names: Vec<Option<&str>> = vec![None; seen.tables.chans.len()];
        for owner in owners(&seen) {
            for scalar in self.channels(owner) {
                let (name, number) = match scalar {
                    Scalar::Value { name, ty: BasicType::Chan, field } => (name, field.get(words, base(owner))),
                    Scalar::Value { .. } | Scalar::Constant { .. } => continue,
                    Scalar::Channel { name, number } => (name, *number),
                };
                if let Some(known) = names.get_mut(index(number)) {
                    known.get_or_insert(name);
                }
            }
        }
        let number = |(index, name): (usize, Option<&str>)| name.map_or_else(|| nameless(index), str::to_owned);
        names.into_iter().enumerate().map(number).collect()
    }

    fn see<'w>(&self, words: &'w [Word]) -> Seen<'w> {
        let mut tables = Tables::default();
        self.model.locate(words, &mut tables);
        let processes = self.model.nr_pr(words);
        let is_fixed = self.model.layout.is_fixed;
        let channels = if is_fixed { self.model.live_channels[processes] } else { tables.chans.len() };
        Seen { words, tables, processes, channels }
    }

    /// The values of an owner in some words.
    fn scalars(&self, owner: Owner, words: Words<'_>) -> Vec<Scalar> {
        match owner {
            None => self.model.globals_in(words, false),
            Some((_, process)) => self.model.locals_in(process.template, words, false),
        }
    }

    /// The variables of an owner that hold channels.
    fn channels(&self, owner: Owner) -> &[Scalar] {
        owner.map_or(&self.globals, |(_, process)| &self.locals[process.template])
    }

    /// The channels that have no variable that is always theirs.
    fn nameless(&self, seen: &Seen) -> Vec<usize> {
        let mut named = vec![false; seen.tables.chans.len()];
        for owner in owners(seen) {
            for scalar in self.channels(owner) {
                if let Scalar::Channel { number, .. } = scalar
                    && let Some(named) = named.get_mut(index(*number))
                {
                    *named = true;
                }
            }
        }
        (0..seen.channels).filter(|&index| !named[index]).collect()
    }

    /// The messages in a channel as people read them; none if it has no buffer.
    fn contents(&self, seen: &Seen, index: usize) -> Option<String> {
        let &place = seen.tables.chans.get(index)?;
        let chan = Channel { place, shape: &self.model.layout.shapes[place.ty] };
        if chan.is_rendezvous() {
            return None;
        }
        let types = &self.model.checked.chan_types[place.ty].fields;
        let messages: Vec<String> = (0..chan.len(seen.words))
            .map(|slot| {
                let fields: Vec<String> = types
                    .iter()
                    .enumerate()
                    .map(|(nth, &ty)| self.model.show_value(ty, chan.field(slot, nth).get(seen.words, 0)))
                    .collect();
                format!("[{}]", fields.join(","))
            })
            .collect();
        Some(if messages.is_empty() { EMPTY.to_owned() } else { messages.join(" ") })
    }
}

/// A channel without messages.
const EMPTY: &str = "empty";

/// The process that a variable belongs to, with its number; `None` for globals.
type Owner = Option<(usize, Process)>;

/// The owners of variables in a state: `None`, which has the globals, and each process.
fn owners(seen: &Seen) -> impl Iterator<Item = Owner> {
    let processes = seen.tables.procs[..seen.processes].iter().enumerate();
    std::iter::once(None).chain(processes.map(|(pid, &process)| Some((pid, process))))
}

/// The words that differ between an owner's words in two states, or from 0 if it is new.
fn changed_words(old: Option<&[Word]>, new: &[Word]) -> Vec<u32> {
    let old = old.into_iter().flatten().copied().chain(std::iter::repeat(0));
    (0..).zip(new.iter().zip(old)).filter(|(_, (new, old))| **new != *old).map(|(word, _)| word).collect()
}

fn base(owner: Owner) -> usize {
    owner.map_or(0, |(_, process)| process.base)
}

/// Where the channel with this number is in a table; nowhere if there is no such channel.
fn index(number: i32) -> usize {
    (number as usize).wrapping_sub(1)
}

fn nameless(index: usize) -> String {
    format!("channel {}", index + 1)
}
