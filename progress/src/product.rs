//! The product of components as one measure: those that are proven or presumed to be monotone make the columns, the others the
//! layers inside a column.
//!
//! A term is a sum of components; terms are compared one after the other, the first first. A single term for all
//! components orders states as their total progress does and has few values; a term for each component is the finest
//! measure. Both extend the component-wise order, so both are right, and which needs less memory depends on the model.
//! Terms are packed side by side, in a few bits less than a progress has; what does not fit is left out.

use interp::code::state::Field;
use interp::{Model, Word};
use sweep::measure::{ComponentId, Measure, Progress};
use sweep::space::acceptance::RANK_BITS;

use crate::compiled::{Compiled, Weighted};
use crate::component::Component;

/// The bits of a [`Progress`] that are used: the rank of a property's automaton goes beside them.
const BITS: u32 = u128::BITS - RANK_BITS;

/// Which components make which terms, by their numbers.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Plan {
    /// Terms of the columns.
    pub columns: Vec<Vec<usize>>,
    /// Terms of the layers.
    pub layers: Vec<Vec<usize>>,
}

impl Plan {
    /// The numbers of all components that take part.
    pub fn used(&self) -> impl Iterator<Item = usize> {
        self.columns.iter().chain(&self.layers).flatten().copied()
    }

    /// Is there nothing?
    pub fn is_empty(&self) -> bool {
        self.used().next().is_none()
    }
}

/// A measure of a compiled model.
#[derive(Clone, Debug)]
pub struct ProductMeasure {
    components: Vec<Component>,
    plan: Plan,
    nr_pr: Field,
    code: Code,
    layer_bits: u32,
}

/// The measure compiled, in numbers that are large enough.
#[derive(Clone, Debug)]
enum Code {
    Narrow(Compiled<u32>),
    Middle(Compiled<u64>),
    Wide(Compiled<u128>),
}

impl ProductMeasure {
    /// The measure that `plan` makes of these components.
    pub fn new(model: &Model, components: Vec<Component>, plan: Plan) -> Self {
        let nr_pr = model.layout.nr_pr;
        let (code, layer_bits) = compile(&components, &plan, nr_pr);
        ProductMeasure { components, plan, nr_pr, code, layer_bits }
    }

    /// All components, those that take no part too.
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// What takes part.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }
}

impl Code {
    // Inlined, because values of progress that go through memory are waited for.
    #[inline(always)]
    fn of(&self, state: &[Word]) -> Progress {
        match self {
            Code::Narrow(compiled) => Progress(compiled.of(state).into()),
            Code::Middle(compiled) => Progress(compiled.of(state).into()),
            Code::Wide(compiled) => Progress(compiled.of(state)),
        }
    }
}

impl Measure for ProductMeasure {
    #[inline(always)]
    fn of(&self, state: &[Word]) -> Progress {
        self.code.of(state)
    }

    #[inline]
    fn layer_bits(&self) -> u32 {
        self.layer_bits
    }

    fn has_one_layer(&self) -> bool {
        self.plan.is_empty()
    }

    fn demote(&mut self, from: &[Word], to: &[Word]) -> Vec<ComponentId> {
        let value = |part: usize, state: &[Word]| self.components[part].value(self.nr_pr.get(state, 0) as usize, state);
        let mut fallen: Vec<usize> = self.plan.columns.iter().flatten().copied().collect();
        fallen.retain(|&part| value(part, to) < value(part, from));
        for term in &mut self.plan.columns {
            term.retain(|part| !fallen.contains(part));
        }
        self.plan.columns.retain(|term| !term.is_empty());
        self.plan.layers.splice(0..0, fallen.iter().map(|&part| vec![part]));
        (self.code, self.layer_bits) = compile(&self.components, &self.plan, self.nr_pr);
        fallen.into_iter().map(|part| ComponentId(part as u32)).collect()
    }
}

/// The code of a measure, and the bits of its layers.
fn compile(components: &[Component], plan: &Plan, nr_pr: Field) -> (Code, u32) {
    let (columns, column_bits) = pack(components, &plan.columns, BITS);
    let (layers, layer_bits) = pack(components, &plan.layers, BITS - column_bits);
    let columns = columns.into_iter().map(|(part, unit)| (part, unit << layer_bits));
    let units: Vec<(usize, u128)> = columns.chain(layers).collect();
    let code = match column_bits + layer_bits {
        ..=32 => Code::Narrow(Compiled::new(nr_pr, &weighted(components, &units, |unit| unit as u32))),
        33..=64 => Code::Middle(Compiled::new(nr_pr, &weighted(components, &units, |unit| unit as u64))),
        _ => Code::Wide(Compiled::new(nr_pr, &weighted(components, &units, |unit| unit))),
    };
    (code, layer_bits)
}

fn weighted<'a, N>(
    components: &'a [Component],
    units: &[(usize, u128)],
    of: impl Fn(u128) -> N,
) -> Vec<Weighted<'a, N>> {
    units.iter().map(|&(part, unit)| Weighted { component: &components[part], unit: of(unit) }).collect()
}

/// Gives each term the bits it needs, as long as there are any; says what one of each component counts, and how many bits
/// are used.
fn pack(components: &[Component], terms: &[Vec<usize>], most: u32) -> (Vec<(usize, u128)>, u32) {
    let mut used = 0;
    let mut packed = Vec::new();
    for parts in terms {
        let largest: u64 = parts.iter().map(|&part| u64::from(components[part].max)).sum();
        let bits = (u64::BITS - largest.leading_zeros()).max(1);
        if bits <= most - used {
            used += bits;
            packed.push((parts, used));
        }
    }
    // The first term takes the highest of the bits that are used.
    let units = packed.iter().flat_map(|&(parts, end)| parts.iter().map(move |&part| (part, 1 << (used - end))));
    (units.collect(), used)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::component::{Claim, Creator, Life, Source, largest};
    use proptest::prelude::*;

    fn field(word: u32, shift: u8, bits: u8, signed: bool) -> Field {
        Field::new(word, shift, bits, signed, false)
    }

    /// Components over three words; the top three bits of the first count the processes.
    fn components() -> impl Strategy<Value = Vec<Component>> {
        let life = (0..4usize).prop_map(|pid| {
            let before = vec![true, true, false, false];
            let creators = [Creator { pid: 1, base: 0, place: field(0, 0, 2, false), before }].into();
            Life { pid, base: 0, role: None, creators, is_replaced: false }
        });
        let place = (0..3u32, 2..20u8, 1..9u8, any::<bool>());
        let place = place.prop_map(|(word, shift, bits, signed)| field(word, shift, bits, signed));
        let pc = (0..3u32, 1..12u8).prop_map(|(word, bits)| field(word, 5, bits, false));
        let ranks = prop::collection::vec(0..9u32, 0..300);
        let rank = (pc, ranks, life.clone()).prop_map(|(place, ranks, life)| Source::Rank { place, ranks, life });
        let wide = (0..3u32, any::<bool>()).prop_map(|(word, signed)| field(word, 0, 27, signed));
        let fields = prop::collection::vec(prop_oneof![3 => place, 1 => wide], 1..4);
        let role = prop::option::of((0..2u32).prop_map(|nth| (field(0, 2, 1, false), nth)));
        let life = prop::option::of((life, role).prop_map(|(life, role)| Life { role, ..life }));
        let fields = (fields, life).prop_map(|(fields, life)| Source::Fields { fields, life });
        let component = (prop_oneof![rank, fields], any::<bool>()).prop_map(|(source, falling)| {
            let max = match &source {
                Source::Rank { .. } => 9,
                Source::Fields { fields, .. } => fields.iter().map(|&field| largest(field)).sum(),
                Source::Sum(_) => unreachable!("sums are made of these"),
            };
            let (name, reason) = (String::new(), String::new());
            Component { name, reason, claim: Claim::None, max, falling, is_control: false, is_order: false, source }
        });
        let parts = prop::collection::vec((component.clone(), 1..4u32), 1..4);
        let sum = (parts, any::<bool>()).prop_map(|(parts, falling)| {
            let max = parts.iter().map(|(part, weight)| weight * part.max).sum();
            let (name, reason, source) = (String::new(), String::new(), Source::Sum(parts));
            Component { name, reason, claim: Claim::None, max, falling, is_control: false, is_order: false, source }
        });
        prop::collection::vec(prop_oneof![4 => component, 1 => sum], 1..6)
    }

    proptest! {
        #[test]
        fn a_compiled_measure_is_the_sum_of_its_components(
            components in components(),
            columns in prop::collection::vec(0..6usize, 0..4),
            layers in prop::collection::vec(0..6usize, 0..4),
            state in any::<[Word; 3]>(),
        ) {
            let inside = |parts: Vec<usize>| parts.into_iter().filter(|&part| part < components.len()).collect();
            let (columns, layers): (Vec<usize>, Vec<usize>) = (inside(columns), inside(layers));
            let plan = Plan { columns: vec![columns.clone()], layers: layers.iter().map(|&part| vec![part]).collect() };
            let nr_pr = field(0, 29, 3, false);
            let value = |part: usize| u128::from(components[part].value(nr_pr.get(&state, 0) as usize, &state));
            let (code, layer_bits) = compile(&components, &plan, nr_pr);
            let mut expected: u128 = columns.iter().map(|&part| value(part)).sum();
            let largest: u64 = columns.iter().map(|&part| u64::from(components[part].max)).sum();
            let mut left = BITS - (u64::BITS - largest.leading_zeros()).max(1);
            for &part in &layers {
                let bits = (u32::BITS - components[part].max.leading_zeros()).max(1);
                if bits <= left {
                    left -= bits;
                    expected = expected << bits | value(part);
                }
            }
            prop_assert_eq!(code.of(&state), Progress(expected));
            prop_assert_eq!(columns.iter().map(|&part| value(part)).sum::<u128>(), expected >> layer_bits);
        }
    }
}
