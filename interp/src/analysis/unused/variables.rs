//! The bits of variables: what may be cleared at all, and how findings are named.
//!
//! Invariant: only bits that are a value of the variable and of nothing else while its process lives, neither padding nor
//! a location, a priority or a channel. Zero is a value of every field, however narrow it is.

use promela::ids::VarId;
use promela::model::{CheckedModel, Var, VarType};

use crate::analysis::footprint::{Region, Run, StateBits};
use crate::code::layout::Slot;
use crate::code::state::{Array, Field};
use cranelift_entity::{PrimaryMap, SecondaryMap};

/// Variables that come down to more stretches of words are left alone: arrays of many large structures.
const MAX_RUNS: usize = 2_048;

/// The variables of the globals, or of a template.
#[derive(Clone, Debug, Default)]
pub(super) struct Variables {
    /// Names and bits, in order of declaration.
    named: Vec<(String, StateBits)>,
    /// The bits of all of them.
    pub(super) all: StateBits,
}

impl Variables {
    pub(super) fn new(
        model: &CheckedModel,
        vars: &PrimaryMap<VarId, Var>,
        slots: &SecondaryMap<VarId, Option<Slot>>,
        region: Region,
    ) -> Self {
        let (mut named, mut all) = (Vec::new(), Vec::new());
        for (id, var) in vars {
            let Some(slot) = &slots[id] else { continue };
            let mut places = Places { model, region, all: Vec::new() };
            if !places.slot(slot, var.ty, 0) || places.all.is_empty() {
                continue;
            }
            all.extend_from_slice(&places.all);
            named.push((var.name.to_string(), StateBits::exact(&places.all)));
        }
        Variables { named, all: StateBits::exact(&all) }
    }

    /// The names of the variables of which all bits are in a set, and of those with some: `x`, `a (in part)`.
    pub(super) fn names(&self, bits: &StateBits) -> Vec<String> {
        let named = self.named.iter().filter_map(|(name, own)| {
            let found = own.common(bits);
            match (found.runs().is_empty(), &found == own) {
                (true, _) => None,
                (false, true) => Some(name.clone()),
                (false, false) => Some(format!("{name} (in part)")),
            }
        });
        named.collect()
    }
}

struct Places<'m> {
    model: &'m CheckedModel,
    region: Region,
    all: Vec<Run>,
}

impl Places<'_> {
    /// Adds the places of a slot, `offset` words further; whether they are few enough.
    fn slot(&mut self, slot: &Slot, ty: VarType, offset: u32) -> bool {
        match (slot, ty) {
            (Slot::Value(field), VarType::Basic(_)) => {
                let run = Run::of(self.region, Field { word: field.word + offset, ..*field });
                self.add(&[run])
            }
            (Slot::Values(array), VarType::Basic(_)) => {
                let first = Field { word: array.first.word + offset, ..array.first };
                let runs = Run::of_array(self.region, Array { first, ..*array });
                self.add(&runs.into_iter().flatten().collect::<Vec<_>>())
            }
            (Slot::Struct(slots), VarType::Struct(id)) => {
                let fields = self.model.structs[id].fields.values();
                slots.iter().zip(fields).all(|(slot, field)| self.slot(slot, field.ty, offset))
            }
            (Slot::Structs { word, stride, len, element, .. }, VarType::Struct(id)) => {
                let fields = &self.model.structs[id].fields;
                (0..*len).all(|index| {
                    let at = offset + word + index * stride;
                    element.iter().zip(fields.values()).all(|(slot, field)| self.slot(slot, field.ty, at))
                })
            }
            // They take no bits.
            _ => true,
        }
    }

    fn add(&mut self, runs: &[Run]) -> bool {
        self.all.extend_from_slice(runs);
        self.all.len() <= MAX_RUNS
    }
}
