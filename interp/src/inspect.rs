//! What is in a state, by name: processes and where they stand, variables, messages.

use promela::ids::MtypeSetId;
use promela::model::BasicType;
use promela::source::Span;

use crate::channel::Channel;
use crate::code::Guard;
use crate::leaves::Leaf;
use crate::model::{Model, Process, Tables};
use crate::space::Word;
use crate::state::Field;

/// A process as seen from outside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProcessView {
    /// Its number.
    pub pid: usize,
    /// Name of its proctype.
    pub name: String,
    /// The statement it stands before, or the closing brace.
    pub span: Span,
    /// SPIN's number of its location.
    pub location: u32,
    /// Whether it may stay there for ever.
    pub may_end: bool,
    /// Whether it stands at its closing brace.
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
                let class = &self.program.classes[process.class];
                let pc = self.layout.classes[process.class].pc.get(words, process.base);
                let location = class.graph.locations[crate::ids::Pc::from_u32(pc as u32)];
                let has_finished = location.edges().any(|edge| self.program.edges[edge].guard == Guard::End);
                ProcessView {
                    pid,
                    name: self.checked.proctypes[class.proctype].name.to_string(),
                    span: if has_finished { location.span.last() } else { location.span },
                    location: location.number,
                    may_end: location.flags.contains(crate::flow::LocationFlags::END),
                    has_finished,
                }
            })
            .collect()
    }

    /// All variables and the contents of all channels: globals, then process by process, then channels without a
    /// variable that is always theirs.
    pub fn values(&self, words: &[Word]) -> Vec<ValueView> {
        let mut tables = Tables::default();
        self.locate(words, &mut tables);
        self.read(words, &tables).out
    }

    fn read<'a>(&'a self, words: &'a [Word], tables: &'a Tables) -> Reader<'a> {
        let channels = tables.chans.len();
        let (shown, names) = (vec![false; channels], vec![None; channels]);
        let mut reader = Reader { model: self, words, tables, process: None, shown, names, out: Vec::new() };
        reader.variables(self.global_leaves());
        for pid in 0..self.nr_pr(words) {
            let process = tables.procs[pid];
            reader.process = Some((pid, process));
            reader.variables(self.local_leaves(process.class));
        }
        reader.process = None;
        // The channels of a process that does not live do not exist, though they have a place.
        let live = if self.layout.is_fixed { self.live_channels[self.nr_pr(words)] } else { tables.chans.len() };
        for index in 0..live {
            if !reader.shown[index] {
                reader.channel(format!("channel {}", index + 1), index as i32 + 1);
            }
        }
        reader
    }

    /// A name for each channel, by number less one: that of the first variable that holds it.
    pub fn channel_names(&self, words: &[Word]) -> Vec<String> {
        let mut tables = Tables::default();
        self.locate(words, &mut tables);
        let reader = self.read(words, &tables);
        let number = |(index, name): (usize, Option<String>)| name.unwrap_or_else(|| format!("channel {}", index + 1));
        reader.names.into_iter().enumerate().map(number).collect()
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

struct Reader<'a> {
    model: &'a Model,
    words: &'a [Word],
    tables: &'a Tables,
    process: Option<(usize, Process)>,
    /// Channels whose contents have been listed under the name of their variable.
    shown: Vec<bool>,
    /// The first variable that holds each channel.
    names: Vec<Option<String>>,
    out: Vec<ValueView>,
}

impl Reader<'_> {
    fn variables(&mut self, leaves: Vec<Leaf>) {
        for leaf in leaves {
            match leaf {
                Leaf::Value { name, ty, field } => self.value(name, ty, field),
                Leaf::Channel { name, number } => self.channel(name, number),
            }
        }
    }

    fn value(&mut self, name: String, ty: BasicType, field: Field) {
        let base = self.process.map_or(0, |(_, process)| process.base);
        let value = field.get(self.words, base);
        if ty == BasicType::Chan
            && let Some(known) = (value as usize).checked_sub(1).and_then(|index| self.names.get_mut(index))
        {
            known.get_or_insert_with(|| name.clone());
        }
        let value = self.model.show_value(ty, value);
        self.push(name, value);
    }

    fn channel(&mut self, name: String, number: i32) {
        let index = (number as usize).wrapping_sub(1);
        let Some(&place) = self.tables.chans.get(index) else { return };
        self.shown[index] = true;
        self.names[index].get_or_insert_with(|| name.clone());
        let chan = Channel { place, shape: &self.model.layout.shapes[place.ty] };
        if chan.is_rendezvous() {
            return;
        }
        let types = &self.model.checked.chan_types[place.ty].fields;
        let messages: Vec<String> = (0..chan.len(self.words))
            .map(|slot| {
                let fields: Vec<String> = types
                    .iter()
                    .enumerate()
                    .map(|(nth, &ty)| self.model.show_value(ty, chan.field(slot, nth).get(self.words, 0)))
                    .collect();
                format!("[{}]", fields.join(","))
            })
            .collect();
        let text = if messages.is_empty() { "empty".to_owned() } else { messages.join(" ") };
        self.push(name, text);
    }

    fn push(&mut self, name: String, value: String) {
        self.out.push(ValueView { pid: self.process.map(|(pid, _)| pid), name, value });
    }
}
