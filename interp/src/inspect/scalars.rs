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
    /// A channel with a constant number.
    Channel {
        /// `c`, `c[3]`.
        name: String,
        /// The channel's number.
        number: i32,
    },
}

impl Model {
    /// The values of the globals.
    pub fn global_scalars(&self) -> Vec<Scalar> {
        self.scalars(&self.checked.globals, &self.layout.globals)
    }

    /// The values of the locals of a template.
    pub fn local_scalars(&self, template: TemplateId) -> Vec<Scalar> {
        let layout = &self.layout.templates[template];
        self.scalars(&self.checked.proctypes[layout.proctype].locals, &layout.locals)
    }

    fn scalars(&self, vars: &PrimaryMap<VarId, Var>, slots: &SecondaryMap<VarId, Option<Slot>>) -> Vec<Scalar> {
        let mut collector = Collector { model: self, out: Vec::new() };
        for (id, var) in vars {
            if let Some(slot) = &slots[id] {
                collector.slot(&var.name, var.ty, slot, 0, false);
            }
        }
        collector.out
    }
}

struct Collector<'m> {
    model: &'m Model,
    out: Vec<Scalar>,
}

impl Collector<'_> {
    fn slot(&mut self, name: &str, ty: VarType, slot: &Slot, offset: u32, local: bool) {
        match (slot, ty) {
            (Slot::Value(field), VarType::Basic(ty)) => self.value(name.to_owned(), ty, *field, offset, local),
            (Slot::Values(array), VarType::Basic(ty)) => {
                for index in 0..array.len {
                    self.value(format!("{name}[{index}]"), ty, array.element(index), offset, local);
                }
            }
            (Slot::Struct(slots), VarType::Struct(id)) => self.fields(name, id, slots, offset, local),
            (Slot::Structs { word, local: own, stride, len, element }, VarType::Struct(id)) => {
                for index in 0..*len {
                    let at = offset + word + index * stride;
                    self.fields(&format!("{name}[{index}]"), id, element, at, local || *own);
                }
            }
            (Slot::Channel(number), _) => self.out.push(Scalar::Channel { name: name.to_owned(), number: *number }),
            (Slot::Channels { first, len }, _) => {
                for index in 0..*len as i32 {
                    self.out.push(Scalar::Channel { name: format!("{name}[{index}]"), number: first + index });
                }
            }
            // Slots are made from types.
            (Slot::Value(_) | Slot::Values(_) | Slot::Struct(_) | Slot::Structs { .. }, _) => {}
        }
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
