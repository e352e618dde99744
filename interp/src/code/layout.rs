//! Which bits of a state hold which value. Computed once per model.
//!
//! When the number of processes is bounded, the layout is *fixed*: every pid has constant places, packed with those of the
//! others. Where several proctypes can have a pid, each has places of its own there, over the same bits, and a field says
//! which one it is; their channels are the same. Arguments that are the same whenever a process is created take no bits.
//! Otherwise the globals come first, and behind them one block of words per process and per channel created at run time,
//! in order of creation; places of locals are then relative to the block.
//!
//! Invariant: what does not exist (a process not yet created or already gone, a message slot that is free) is zero.

use cranelift_entity::{PrimaryMap, SecondaryMap};
use promela::ids::{ChanTypeId, ProcTypeId, StructId, VarId};
use promela::model::{BasicType, CheckedModel, Init, Var, VarType};

use crate::analysis::channels;
use crate::analysis::instances::{Instances, PidSlot, Role};
use crate::analysis::ranges::{Range, Ranges};
use crate::analysis::usage::Usage;
use crate::code::state::{Array, Field};
use crate::ids::TemplateId;
use statespace::Word;

/// SPIN's limit on processes and on channels.
pub const LIMIT: usize = 255;

/// The places of all parts of a state.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The globals.
    pub globals: SecondaryMap<VarId, Option<Slot>>,
    /// One per proctype, or one per pid and proctype that can have it if the layout is fixed.
    pub templates: PrimaryMap<TemplateId, TemplateLayout>,
    /// In a fixed layout: by pid, who can have it.
    pub slots: Vec<SlotLayout>,
    /// Several can have some pid.
    pub has_roles: bool,
    /// Processes can have different priorities, so that one may hold back another.
    pub has_priorities: bool,
    /// Number of live processes.
    pub nr_pr: Field,
    /// The location of the event automaton, if the model has one.
    pub event: Option<Field>,
    /// `_last`, if the model reads it.
    pub last: Option<Field>,
    /// Words before the first block: all of them if the layout is fixed.
    pub fixed_words: u32,
    /// Bits of each of those words that are used, from the lowest.
    pub word_bits: Vec<u8>,
    /// Whether states have only the fixed part.
    pub is_fixed: bool,
    /// Channels with constant places, in order of their numbers: those of globals, and, if the layout is fixed, those
    /// of processes in order of creation.
    pub channels: Vec<ChannelPlace>,
    /// The shape of each kind of channel.
    pub shapes: PrimaryMap<ChanTypeId, ChannelShape>,
    /// The kind of each block behind the fixed part, in its first word: a proctype, or a channel type.
    pub tag: Field,
}

impl Layout {
    /// Whether processes and channels are at the same places in all states, and each pid has one template.
    #[inline]
    pub fn has_constant_tables(&self) -> bool {
        self.is_fixed && !self.has_roles
    }

    /// In a fixed layout: whether a process may have a higher priority than another.
    pub(crate) fn may_hold_back(&self, other: TemplateId, id: TemplateId) -> bool {
        let (other, own) = (&self.templates[other], &self.templates[id]);
        let is_higher = match (other.priority, own.priority) {
            (Priority::Constant(other), Priority::Constant(own)) => other > own,
            _ => true,
        };
        self.has_priorities && other.pid != own.pid && is_higher
    }
}

/// A pid in a fixed layout.
#[derive(Clone, Debug)]
pub struct SlotLayout {
    /// Those that can have it.
    pub templates: Vec<TemplateId>,
    /// Which of them has it, if there are several.
    pub role: Option<Field>,
}

/// Where the priority of a process is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Priority {
    /// It is always this.
    Constant(i32),
    /// In the state.
    Field(Field),
}

impl Priority {
    /// The priority of a process in a state.
    pub fn get(self, words: &[Word], base: usize) -> i32 {
        match self {
            Priority::Constant(value) => value,
            Priority::Field(field) => field.get(words, base),
        }
    }
}

/// The places of one proctype, or of one that can have a pid.
#[derive(Clone, Debug)]
pub struct TemplateLayout {
    /// Which proctype.
    pub proctype: ProcTypeId,
    /// In a fixed layout: which pid.
    pub pid: Option<usize>,
    /// The location.
    pub pc: Field,
    /// The location, and which of those that can have the pid it is.
    pub place: Field,
    /// The priority.
    pub priority: Priority,
    /// The locals that are part of the state.
    pub locals: SecondaryMap<VarId, Option<Slot>>,
    /// Size of the block (0 if the layout is fixed).
    pub words: u32,
    /// In a fixed layout: the bits that belong to the pid and its channels, for clearing.
    pub owned: Vec<(u32, Word)>,
    /// In a fixed layout: number of its first channel in [`Layout::channels`], and how many it has.
    pub channels: (usize, usize),
}

/// The place of a variable.
#[derive(Clone, Debug)]
pub enum Slot {
    /// A single value.
    Value(Field),
    /// An array of values.
    Values(Array),
    /// A structure: one slot per field.
    Struct(Vec<Slot>),
    /// An array of structures, each `stride` words; the slots are relative to the first word of an element.
    Structs {
        /// First word of the first element.
        word: u32,
        /// Relative to the process's block.
        local: bool,
        /// Words per element.
        stride: u32,
        /// Number of elements.
        len: u32,
        /// The fields of one element.
        element: Vec<Slot>,
    },
    /// A parameter that always has the same value.
    Constant(i32),
    /// A channel variable that always holds the channel of its declaration: its number.
    Channel(i32),
    /// An array of them, numbered from here.
    Channels {
        /// Number of the first.
        first: i32,
        /// How many.
        len: u32,
    },
}

impl Slot {
    /// The values of a structure without arrays, in order: what a parameter is passed as.
    pub fn scalars(&self) -> Vec<Parameter> {
        match *self {
            Slot::Value(field) => vec![Parameter::Field(field)],
            Slot::Constant(value) | Slot::Channel(value) => vec![Parameter::Constant(value)],
            Slot::Struct(ref slots) => slots.iter().flat_map(Slot::scalars).collect(),
            Slot::Values(_) | Slot::Structs { .. } | Slot::Channels { .. } => Vec::new(),
        }
    }
}

/// Where an argument goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parameter {
    /// Into the state.
    Field(Field),
    /// It is always this.
    Constant(i32),
}

/// How messages of one kind of channel are stored.
#[derive(Clone, Debug)]
pub struct ChannelShape {
    /// Number of slots; 0 is rendezvous, which stores nothing.
    pub capacity: u32,
    /// Each field of a message, relative to the start of its slot.
    pub fields: Vec<Field>,
    /// Bits of a slot that shares its word with others, 0 if a slot takes whole words.
    pub slot_bits: u8,
    /// How many slots share a word.
    pub per_word: u32,
    /// Words of a slot if it takes whole words.
    pub slot_words: u32,
    /// Bits for the number of messages.
    pub len_bits: u8,
}

/// Where one channel is.
#[derive(Clone, Copy, Debug)]
pub struct ChannelPlace {
    /// Its kind.
    pub ty: ChanTypeId,
    /// The number of messages in it (meaningless for rendezvous).
    pub len: Field,
    /// First word of its slots.
    pub word: u32,
    /// First bit of its slots in that word.
    pub shift: u8,
}

/// Computes the layout.
///
/// `locations` has the number of locations of each proctype, `event_locations` that of the event automaton (one more
/// value is kept for "matched to the end").
pub fn compute(
    model: &CheckedModel,
    usage: &Usage,
    ranges: &Ranges,
    instances: &Instances,
    locations: &SecondaryMap<ProcTypeId, usize>,
    event_locations: Option<usize>,
) -> Layout {
    let shapes: PrimaryMap<ChanTypeId, ChannelShape> = model
        .chan_types
        .iter()
        .map(|(id, ty)| ChannelShape::new(ty.capacity, &ty.fields, ranges.message(id)))
        .collect();
    let kinds = model.proctypes.len() + model.chan_types.len();
    let mut plan = Plan {
        model,
        usage,
        ranges,
        instances,
        locations,
        packer: Packer::default(),
        channels: Vec::new(),
        shapes: &shapes,
    };

    let nr_pr = plan.packer.field(bits_for(instances.most()), false);
    let event = event_locations.map(|count| plan.packer.field(bits_for(count), false));
    let last = usage.uses_last.then(|| plan.packer.field(8, false));
    let storage = Storage {
        stored: |var| usage.global_is_stored(var),
        written: |var| usage.global_is_written(var),
        range: |var| ranges.global(var),
        constants: &[],
        first_channel: Some(0),
    };
    model.globals.values().for_each(|var| plan.create_channels(var));
    let globals = plan.variables(&model.globals, 0, storage);
    let (mut templates, mut slots) = (PrimaryMap::new(), Vec::new());
    if instances.is_fixed {
        for (pid, slot) in instances.slots.iter().enumerate() {
            slots.push(plan.slot_of(pid, slot, &mut templates));
        }
    }
    let fixed_words = plan.packer.words();
    let word_bits = plan.packer.used.clone();
    let channels = std::mem::take(&mut plan.channels);
    let tag = Field::new(0, 0, bits_for(kinds.saturating_sub(1)), false, true);
    if !instances.is_fixed {
        for proctype in model.proctypes.keys() {
            plan.packer = Packer { local: true, ..Packer::default() };
            plan.packer.field(tag.bits, false);
            let pc = plan.packer.field(bits_for(locations[proctype].saturating_sub(1)), false);
            let mut template = plan.template(proctype, pc, pc, None);
            template.words = plan.packer.words();
            templates.push(template);
        }
    }
    Layout {
        globals,
        templates,
        has_roles: slots.iter().any(|slot| slot.role.is_some()),
        slots,
        has_priorities: model.uses_priorities && !instances.has_one_priority,
        nr_pr,
        event,
        last,
        fixed_words,
        word_bits,
        is_fixed: instances.is_fixed,
        channels,
        shapes,
        tag,
    }
}

/// The most bytes that a state may take, by the types of its variables. Searches hold several states at a time, and some
/// tables have an entry per element.
pub const MOST_BYTES: u64 = 64 << 20;

/// How large a state is, by the types of its variables. Computed without visiting the elements of arrays one by one, so
/// that it is known of models that are too large to lay out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declared {
    /// Bytes of all variables and channels that exist from the start.
    pub bytes: u64,
    /// The variables with channels they declare, the largest first: names, and bytes in all processes together.
    pub variables: Vec<(String, u64)>,
}

/// Measures what a model declares. Numbers saturate.
pub fn declared(model: &CheckedModel) -> Declared {
    let globals = model.globals.values().map(|var| (var.name.to_string(), declared_bits(model, var)));
    let locals = model.proctypes.values().flat_map(|proc| {
        let bits = |var: &Var| declared_bits(model, var).saturating_mul(u64::from(proc.active.max(1)));
        proc.locals.values().map(move |var| (format!("{}:{}", proc.name, var.name), bits(var)))
    });
    let mut variables: Vec<(String, u64)> = globals.chain(locals).collect();
    let bits = variables.iter().fold(0, |sum: u64, (_, bits)| sum.saturating_add(*bits));
    variables.iter_mut().for_each(|(_, bits)| *bits = bits.div_ceil(8));
    variables.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
    Declared { bytes: bits.div_ceil(8), variables }
}

/// Bits of a variable, and of the channels that its declaration creates.
fn declared_bits(model: &CheckedModel, var: &Var) -> u64 {
    let value = match var.ty {
        VarType::Basic(ty) => u64::from(width(ty).0),
        VarType::Struct(id) => {
            let fields = model.structs[id].fields.values().map(|field| declared_bits(model, field));
            fields.fold(0, u64::saturating_add)
        }
    };
    let channel = match var.init {
        Init::Chan(ty) => {
            let message = model.chan_types[ty].fields.iter().map(|&field| u64::from(width(field).0)).sum::<u64>();
            message.saturating_mul(u64::from(model.chan_types[ty].capacity))
        }
        _ => 0,
    };
    value.saturating_add(channel).saturating_mul(u64::from(var.len.unwrap_or(1)))
}

/// Bits that hold every value from 0 to `max`; at least one.
pub fn bits_for(max: usize) -> u8 {
    (usize::BITS - max.leading_zeros()).max(1) as u8
}

/// Width and sign of a value of this type.
pub fn width(ty: BasicType) -> (u8, bool) {
    match ty {
        BasicType::Bit => (1, false),
        BasicType::Byte | BasicType::Pid | BasicType::Mtype(_) | BasicType::Chan => (8, false),
        BasicType::Short => (16, true),
        BasicType::Int => (32, true),
        BasicType::Unsigned(bits) => (bits.clamp(1, 32), false),
    }
}

/// What a variable of this type holds after `value` was stored in it.
pub fn cut(ty: BasicType, value: i32) -> i32 {
    let (bits, signed) = width(ty);
    Field::new(0, 0, bits, signed, false).cut(value)
}

impl ChannelShape {
    fn new(capacity: u32, types: &[BasicType], fields: &[Range]) -> Self {
        let mut packer = Packer::default();
        let total: u32 = fields.iter().map(|field| u32::from(field.width().0)).sum();
        let mut next_bit = 0;
        let fields = fields
            .iter()
            .zip(types)
            .map(|(field, &ty)| {
                let (bits, signed) = field.width();
                if total > 32 {
                    return packer.field(bits, signed).of_width(width(ty).0);
                }
                let place = Field::new(0, next_bit, bits, signed, false).of_width(width(ty).0);
                next_bit += bits;
                place
            })
            .collect();
        let packed = total <= 32;
        Self {
            capacity,
            fields,
            slot_bits: if packed { total.max(1) as u8 } else { 0 },
            per_word: if packed { 32 / total.max(1) } else { 1 },
            slot_words: if packed { 0 } else { packer.words() },
            len_bits: bits_for(capacity as usize),
        }
    }

    /// Bits of all slots if they fit into one word.
    fn bits_in_one_word(&self) -> Option<u8> {
        let bits = u32::from(self.slot_bits).checked_mul(self.capacity)?;
        (self.slot_bits > 0 && bits <= 32).then_some(bits as u8)
    }

    /// Words of all slots.
    pub fn words(&self) -> u32 {
        if self.slot_bits > 0 { self.capacity.div_ceil(self.per_word) } else { self.capacity * self.slot_words }
    }
}

/// Hands out bits of words, the fullest word that has room first.
#[derive(Clone, Default, Debug)]
pub struct Packer {
    /// Bits in use, per word, from the lowest.
    used: Vec<u8>,
    /// Words with room.
    open: Vec<u32>,
    local: bool,
}

impl Packer {
    /// Takes the bits that another one has taken, too; both come from one that had taken less.
    fn unite(&mut self, other: &Packer) {
        let longest = self.used.len().max(other.used.len());
        self.used.resize(longest, 0);
        for (used, other) in self.used.iter_mut().zip(&other.used) {
            *used = (*used).max(*other);
        }
        let open = std::mem::take(&mut self.open);
        for word in open.into_iter().chain(other.open.iter().copied()) {
            if self.used[word as usize] < 32 && !self.open.contains(&word) {
                self.open(word);
            }
        }
    }

    /// A place for a value.
    pub fn field(&mut self, bits: u8, signed: bool) -> Field {
        let (word, shift) = self.bits(bits);
        Field::new(word, shift, bits, signed, self.local)
    }

    fn bits(&mut self, bits: u8) -> (u32, u8) {
        let fits = |word: &u32| self.used[*word as usize] + bits <= 32;
        let best = self.open.iter().copied().filter(fits).max_by_key(|&word| self.used[word as usize]);
        let word = best.unwrap_or_else(|| {
            self.used.push(0);
            let word = self.used.len() as u32 - 1;
            self.open(word);
            word
        });
        let shift = self.used[word as usize];
        self.used[word as usize] += bits;
        if self.used[word as usize] == 32 {
            self.open.retain(|&open| open != word);
        }
        (word, shift)
    }

    /// Whole words in a row.
    fn block(&mut self, words: u32) -> u32 {
        self.row(words, 1, 32)
    }

    /// `len` values of equal width in a row, `per_word` of them in each word; other fields may use the bits left over.
    fn row(&mut self, len: u32, per_word: u32, bits: u8) -> u32 {
        let first = self.used.len() as u32;
        for word in 0..len.div_ceil(per_word) {
            let used = per_word.min(len - word * per_word) as u8 * bits;
            self.used.push(used);
            if used < 32 {
                self.open(first + word);
            }
        }
        first
    }

    /// A word has room.
    fn open(&mut self, word: u32) {
        self.open.push(word);
        // Only a few words stay open, so that packing is linear.
        if self.open.len() > 16 {
            self.open.remove(0);
        }
    }

    /// How many words are in use.
    pub fn words(&self) -> u32 {
        self.used.len() as u32
    }

    /// The bits taken since `mark`, as masks.
    fn taken_since(&self, mark: &Packer) -> Vec<(u32, Word)> {
        let low = |bits: u8| if bits == 32 { u32::MAX } else { (1u32 << bits) - 1 };
        let before = |word: usize| mark.used.get(word).copied().unwrap_or(0);
        (0..self.used.len())
            .filter(|&word| self.used[word] != before(word))
            .map(|word| (word as u32, low(self.used[word]) & !low(before(word))))
            .collect()
    }
}

/// How the variables of a table are stored.
struct Storage<'s, Stored, Written, Ranged> {
    stored: Stored,
    written: Written,
    range: Ranged,
    /// The values of the first variables, where they are always the same.
    constants: &'s [Option<i32>],
    /// Channels created by declarations have constant places, from this one on.
    first_channel: Option<usize>,
}

struct Plan<'m> {
    model: &'m CheckedModel,
    usage: &'m Usage,
    ranges: &'m Ranges,
    instances: &'m Instances,
    /// By proctype, how many.
    locations: &'m SecondaryMap<ProcTypeId, usize>,
    packer: Packer,
    channels: Vec<ChannelPlace>,
    shapes: &'m PrimaryMap<ChanTypeId, ChannelShape>,
}

impl Plan<'_> {
    /// The places of a pid, for each that can have it.
    fn slot_of(
        &mut self,
        pid: usize,
        slot: &PidSlot,
        templates: &mut PrimaryMap<TemplateId, TemplateLayout>,
    ) -> SlotLayout {
        let mark = self.packer.clone();
        let first_channel = self.channels.len();
        // What can have the same pid has the same channels.
        if let Some(role) = slot.roles.first() {
            let proc = &self.model.proctypes[role.proctype];
            proc.locals.values().skip(proc.params).for_each(|var| self.create_channels(var));
        }
        let locations = slot.roles.iter().map(|role| self.locations[role.proctype]).max().unwrap_or(0);
        let pc_bits = bits_for(locations.saturating_sub(1));
        let role_bits = if slot.roles.len() > 1 { bits_for(slot.roles.len() - 1) } else { 0 };
        let place = self.packer.field(pc_bits + role_bits, false);
        let pc = Field { bits: pc_bits, ..place };
        let common = self.packer.clone();
        let mut all = common.clone();
        let mut ids = Vec::new();
        for role in &slot.roles {
            self.packer = common.clone();
            let template = self.template(role.proctype, pc, place, Some((pid, role, first_channel)));
            all.unite(&self.packer);
            ids.push(templates.push(template));
        }
        self.packer = all;
        let owned = self.packer.taken_since(&mark);
        let channels = (first_channel, self.channels.len() - first_channel);
        for &id in &ids {
            (templates[id].owned, templates[id].channels) = (owned.clone(), channels);
        }
        let role = (role_bits > 0).then(|| Field::new(place.word, place.shift + pc_bits, role_bits, false, false));
        SlotLayout { templates: ids, role }
    }

    /// The places of a proctype: in a fixed layout with its pid, what is known of it, and where its channels begin.
    fn template(
        &mut self,
        proctype: ProcTypeId,
        pc: Field,
        place: Field,
        fixed: Option<(usize, &Role, usize)>,
    ) -> TemplateLayout {
        let proc = &self.model.proctypes[proctype];
        let (usage, ranges, instances) = (self.usage, self.ranges, self.instances);
        let constant = match fixed {
            Some((_, role, _)) if !instances.sets_priorities => role.priority,
            _ => None,
        };
        let priority = match (self.model.uses_priorities, constant) {
            (false, _) => Priority::Constant(1),
            (true, Some(priority)) => Priority::Constant(priority),
            (true, None) => Priority::Field(self.packer.field(8, false)),
        };
        let storage = Storage {
            stored: |_| true,
            written: |var| usage.local_is_written(proctype, var),
            range: |var| ranges.local(proctype, var),
            constants: fixed.map_or(&[], |(_, role, _)| &role.args),
            first_channel: fixed.map(|(.., first)| first),
        };
        let locals = self.variables(&proc.locals, proc.params, storage);
        let pid = fixed.map(|(pid, ..)| pid);
        let (words, owned, channels) = (0, Vec::new(), (0, 0));
        TemplateLayout { proctype, pid, pc, place, priority, locals, words, owned, channels }
    }

    /// Slots for a table of variables, of which the first are parameters: these create no channels.
    fn variables(
        &mut self,
        vars: &PrimaryMap<VarId, Var>,
        params: usize,
        storage: Storage<impl Fn(VarId) -> bool, impl Fn(VarId) -> bool, impl Fn(VarId) -> Range>,
    ) -> SecondaryMap<VarId, Option<Slot>> {
        let mut slots = SecondaryMap::new();
        let mut created = storage.first_channel.unwrap_or(0);
        for (nth, (id, var)) in vars.iter().enumerate() {
            let first = created as i32 + 1;
            if nth >= params {
                let mut kinds = Vec::new();
                channels::created_by(self.model, var, &mut kinds);
                created += kinds.len();
            }
            let constant = storage.constants.get(nth).copied().flatten().filter(|_| !(storage.written)(id));
            slots[id] = match (&var.init, var.len, constant) {
                (_, _, Some(value)) => Some(Slot::Constant(value)),
                (Init::Chan(_), len, _) if storage.first_channel.is_some() && !(storage.written)(id) => {
                    Some(match len {
                        None => Slot::Channel(first),
                        Some(len) => Slot::Channels { first, len },
                    })
                }
                _ if (storage.stored)(id) => Some(self.slot(var, (storage.range)(id))),
                _ => None,
            };
        }
        slots
    }

    fn slot(&mut self, var: &Var, range: Range) -> Slot {
        match (var.ty, var.len) {
            (VarType::Basic(ty), None) => {
                let (bits, signed) = range.width();
                Slot::Value(self.packer.field(bits, signed).of_width(width(ty).0))
            }
            (VarType::Basic(ty), Some(len)) => {
                let (bits, signed) = range.width();
                let per_word_log2 = (32 / u32::from(bits)).ilog2() as u8;
                let (word, shift) = if len <= 1 << per_word_log2 {
                    self.packer.bits(bits * len as u8)
                } else {
                    (self.packer.row(len, 1 << per_word_log2, bits), 0)
                };
                let first = Field::new(word, shift, bits, signed, self.packer.local).of_width(width(ty).0);
                Slot::Values(Array { first, len, per_word_log2 })
            }
            (VarType::Struct(id), None) => Slot::Struct(self.fields(id)),
            (VarType::Struct(id), Some(len)) => {
                let local = self.packer.local;
                let outer = std::mem::take(&mut self.packer);
                let element = self.fields(id);
                let stride = self.packer.words();
                self.packer = outer;
                let word = self.packer.block(stride * len);
                Slot::Structs { word, local, stride, len, element }
            }
        }
    }

    fn fields(&mut self, id: StructId) -> Vec<Slot> {
        let model = self.model;
        let ranges = self.ranges;
        model.structs[id].fields.iter().map(|(field, var)| self.slot(var, ranges.field(id, field))).collect()
    }

    /// Places for the channels that the declaration of `var` creates, in order.
    fn create_channels(&mut self, var: &Var) {
        let mut kinds = Vec::new();
        channels::created_by(self.model, var, &mut kinds);
        kinds.into_iter().for_each(|ty| self.create_channel(ty));
    }

    fn create_channel(&mut self, ty: ChanTypeId) {
        let shape = &self.shapes[ty];
        let place = if shape.capacity == 0 {
            ChannelPlace { ty, len: Field::new(0, 0, 1, false, false), word: 0, shift: 0 }
        } else {
            let len = self.packer.field(shape.len_bits, false);
            let (word, shift) = match shape.bits_in_one_word() {
                Some(bits) => self.packer.bits(bits),
                None if shape.slot_bits > 0 => (self.packer.row(shape.capacity, shape.per_word, shape.slot_bits), 0),
                None => (self.packer.block(shape.words()), 0),
            };
            ChannelPlace { ty, len, word, shift }
        };
        self.channels.push(place);
    }
}
