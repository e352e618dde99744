//! The single values that variables come down to, by name: arrays and structures taken apart, each with its place.

use cranelift_entity::{PrimaryMap, SecondaryMap};
use promela::ids::{StructId, VarId};
use promela::model::{BasicType, Var, VarType};

use crate::code::layout::Slot;
use crate::code::state::Field;
use crate::ids::TemplateId;
use crate::model::Model;

/// A value of its own, or a channel that a variable always holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Scalar {
    /// A value that takes part in the state.
    Value {
        /// `x`, `a[3]`, `s.f`.
        name: String,
        /// Its type.
        ty: BasicType,
        /// Where it is; relative to the process's block if local.
        field: Field,
    },
    /// A value that never changes: an argument.
    Constant {
        /// As above.
        name: String,
        /// Its type.
        ty: BasicType,
        /// The value.
        value: i32,
    },
    /// A channel with a constant number.
    Channel {
        /// `c`, `c[3]`.
        name: String,
        /// The channel's number.
        number: i32,
    },
}

/// Words of the globals, or of the block of a process.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Words<'a> {
    All,
    /// These, in increasing order.
    Only(&'a [u32]),
}

impl Model {
    /// The values of the globals.
    pub fn global_scalars(&self) -> Vec<Scalar> {
        self.globals_in(Words::All, false)
    }

    /// The values of the locals of a template.
    pub fn local_scalars(&self, template: TemplateId) -> Vec<Scalar> {
        self.locals_in(template, Words::All, false)
    }

    /// How many values there are in globals and in one process of each template.
    pub fn scalar_count(&self) -> u64 {
        let globals = self.layout.globals.values();
        let locals = self.layout.templates.values().flat_map(|template| template.locals.values());
        globals.chain(locals).flatten().map(count).fold(0, u64::saturating_add)
    }

    /// The values of globals in some words, or of channel variables alone. (Channels with a constant number have no words,
    /// and are always there.)
    pub(crate) fn globals_in(&self, words: Words<'_>, only_channels: bool) -> Vec<Scalar> {
        self.scalars(&self.checked.globals, &self.layout.globals, words, only_channels)
    }

    /// The same for the locals of a template.
    pub(crate) fn locals_in(&self, template: TemplateId, words: Words<'_>, only_channels: bool) -> Vec<Scalar> {
        let layout = &self.layout.templates[template];
        self.scalars(&self.checked.proctypes[layout.proctype].locals, &layout.locals, words, only_channels)
    }

    fn scalars(
        &self,
        vars: &PrimaryMap<VarId, Var>,
        slots: &SecondaryMap<VarId, Option<Slot>>,
        words: Words<'_>,
        only_channels: bool,
    ) -> Vec<Scalar> {
        let mut collector = Collector { model: self, words, only_channels, out: Vec::new() };
        for (id, var) in vars {
            if let Some(slot) = &slots[id] {
                collector.slot(&var.name, var.ty, slot, 0, false);
            }
        }
        collector.out
    }
}

/// How many values a slot holds.
fn count(slot: &Slot) -> u64 {
    match slot {
        Slot::Value(_) | Slot::Constant(_) | Slot::Channel(_) => 1,
        Slot::Values(array) => u64::from(array.len),
        Slot::Struct(slots) => slots.iter().map(count).fold(0, u64::saturating_add),
        Slot::Structs { len, element, .. } => {
            element.iter().map(count).fold(0, u64::saturating_add).saturating_mul(u64::from(*len))
        }
        Slot::Channels { len, .. } => u64::from(*len),
    }
}

/// Whether a slot holds a constant, which has no words.
fn has_constant(slot: &Slot) -> bool {
    match slot {
        Slot::Constant(_) | Slot::Channel(_) | Slot::Channels { .. } => true,
        Slot::Struct(slots) | Slot::Structs { element: slots, .. } => slots.iter().any(has_constant),
        Slot::Value(_) | Slot::Values(_) => false,
    }
}

struct Collector<'m, 'w> {
    model: &'m Model,
    words: Words<'w>,
    only_channels: bool,
    out: Vec<Scalar>,
}

impl Collector<'_, '_> {
    fn slot(&mut self, name: &str, ty: VarType, slot: &Slot, offset: u32, local: bool) {
        match (slot, ty) {
            (Slot::Value(_) | Slot::Values(_), VarType::Basic(ty)) if self.only_channels && ty != BasicType::Chan => {}
            (Slot::Value(field), VarType::Basic(ty)) => {
                if !self.elements(field.word + offset, 1, 1).is_empty() {
                    self.value(name.to_owned(), ty, *field, offset, local);
                }
            }
            (Slot::Values(array), VarType::Basic(ty)) => {
                let per_word = 1 << array.per_word_log2;
                for word in self.elements(array.first.word + offset, 1, array.len.div_ceil(per_word)) {
                    for index in word * per_word..array.len.min((word + 1) * per_word) {
                        self.value(format!("{name}[{index}]"), ty, array.element(index), offset, local);
                    }
                }
            }
            (Slot::Struct(slots), VarType::Struct(id)) => self.fields(name, id, slots, offset, local),
            (Slot::Structs { word, local: own, stride, len, element }, VarType::Struct(id)) => {
                let elements = match element.iter().any(has_constant) {
                    true => (0..*len).collect(),
                    false => self.elements(word + offset, *stride, *len),
                };
                for index in elements {
                    let at = offset + word + index * stride;
                    self.fields(&format!("{name}[{index}]"), id, element, at, local || *own);
                }
            }
            (Slot::Constant(value), VarType::Basic(ty)) => {
                if !self.only_channels || ty == BasicType::Chan {
                    self.out.push(Scalar::Constant { name: name.to_owned(), ty, value: *value });
                }
            }
            (Slot::Channel(number), _) => self.out.push(Scalar::Channel { name: name.to_owned(), number: *number }),
            (Slot::Channels { first, len }, _) => {
                for index in 0..*len as i32 {
                    self.out.push(Scalar::Channel { name: format!("{name}[{index}]"), number: first + index });
                }
            }
            // Slots are made from types.
            (Slot::Value(_) | Slot::Values(_) | Slot::Constant(_) | Slot::Struct(_) | Slot::Structs { .. }, _) => {}
        }
    }

    /// Which of `len` elements of `stride` words, the first at word `start`, have some of the words that are looked for.
    fn elements(&self, start: u32, stride: u32, len: u32) -> Vec<u32> {
        let Words::Only(words) = self.words else { return (0..len).collect() };
        let from = words.partition_point(|&word| word < start);
        let inside = words[from..].iter().take_while(|&&word| word - start < stride * len);
        let mut elements: Vec<u32> = inside.map(|&word| (word - start) / stride.max(1)).collect();
        elements.dedup();
        elements
    }

    fn fields(&mut self, name: &str, id: StructId, slots: &[Slot], offset: u32, local: bool) {
        let model = self.model;
        for (field, slot) in model.checked.structs[id].fields.values().zip(slots) {
            self.slot(&format!("{name}.{}", field.name), field.ty, slot, offset, local);
        }
    }

    fn value(&mut self, name: String, ty: BasicType, field: Field, offset: u32, local: bool) {
        let field = Field { word: field.word + offset, local: field.local || local, ..field };
        self.out.push(Scalar::Value { name, ty, field });
    }
}
