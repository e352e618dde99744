//! A set of states by value, as one number: two models of one source that reach the same states have the same, however
//! their states are laid out.
//!
//! A state is written out canonically: its processes with their locations, all variables by name, the channels with their
//! messages. The number is the sum of the hashes of all states, so that their order does not matter.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::exec::channel::Channel;
use crate::inspect::scalars::Scalar;
use crate::model::{Model, Tables};
use statespace::Word;

/// The sum of the hashes of some states.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Digest(u128);

impl Digest {
    /// Adds a state of a model.
    pub fn add(&mut self, model: &Model, words: &[Word]) {
        let half = |salt: u8| {
            let mut hasher = DefaultHasher::new();
            salt.hash(&mut hasher);
            model.hash_values(words, &mut hasher);
            u128::from(hasher.finish())
        };
        self.0 = self.0.wrapping_add(half(0) << 64 | half(1));
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl Model {
    /// Hashes all values of a state.
    fn hash_values(&self, words: &[Word], hasher: &mut impl Hasher) {
        let mut tables = Tables::default();
        self.locate(words, &mut tables);
        let variables = |scalars: Vec<Scalar>, base: usize, hasher: &mut _| {
            for scalar in scalars {
                match scalar {
                    Scalar::Value { name, field, .. } => (name, field.get(words, base)).hash(hasher),
                    Scalar::Channel { name, number: value } | Scalar::Constant { name, value, .. } => {
                        (name, value).hash(hasher);
                    }
                }
            }
        };
        variables(self.global_scalars(), 0, hasher);
        for field in [self.layout.event, self.layout.last].into_iter().flatten() {
            field.get(words, 0).hash(hasher);
        }
        let processes = self.processes(words);
        for (view, process) in processes.iter().zip(&tables.procs) {
            (&view.name, view.location).hash(hasher);
            self.layout.templates[process.template].priority.get(words, process.base).hash(hasher);
            variables(self.local_scalars(process.template), process.base, hasher);
        }
        let live = if self.layout.is_fixed { self.live_channels[processes.len()] } else { tables.chans.len() };
        for &place in &tables.chans[..live] {
            let chan = Channel { place, shape: &self.layout.shapes[place.ty] };
            let len = if chan.is_rendezvous() { 0 } else { chan.len(words) };
            (place.ty, len).hash(hasher);
            for slot in 0..len {
                (0..chan.shape.fields.len()).for_each(|nth| chan.field(slot, nth).get(words, 0).hash(hasher));
            }
        }
    }
}
