//! The product of components as one measure: those that are believed to be monotone make the columns, the others the
//! layers inside a column.
//!
//! A term is a sum of components; terms are compared one after the other, the first first. A single term for all
//! components orders states as their total progress does and has few values; a term for each component is the finest
//! measure. Both extend the component-wise order, so both are right, and which needs less memory depends on the model.
//! Terms are packed side by side, in 128 bits for the layers and a few less for the columns; what does not fit is left out.

use interp::state::Field;
use interp::{Model, Word};
use sweep::acceptance::RANK_BITS;
use sweep::measure::{ComponentId, Measure, Progress};

use crate::component::Component;

/// The bits of the layer of a [`Progress`].
const LAYER_BITS: u32 = u128::BITS;
/// The bits of its column: the rank of a property's automaton goes beside it.
const COLUMN_BITS: u32 = u128::BITS - RANK_BITS;

/// Which components make which terms, by their numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
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
    columns: Vec<Term>,
    layers: Vec<Term>,
    nr_pr: Field,
}

#[derive(Clone, Debug)]
struct Term {
    parts: Vec<usize>,
    bits: u32,
}

impl ProductMeasure {
    /// The measure that `plan` makes of these components.
    pub fn new(model: &Model, components: Vec<Component>, plan: Plan) -> Self {
        let columns = pack(&components, &plan.columns, COLUMN_BITS);
        let layers = pack(&components, &plan.layers, LAYER_BITS);
        ProductMeasure { components, plan, columns, layers, nr_pr: model.layout.nr_pr }
    }

    /// All components, those that take no part too.
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// What takes part.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    fn key(&self, terms: &[Term], nr_pr: usize, state: &[Word]) -> u128 {
        terms.iter().fold(0, |key, term| {
            let values = term.parts.iter().map(|&part| u128::from(self.components[part].value(nr_pr, state)));
            key << term.bits | values.sum::<u128>()
        })
    }
}

impl Measure for ProductMeasure {
    #[inline]
    fn of(&self, state: &[Word]) -> Progress {
        let nr_pr = self.nr_pr.get(state, 0) as usize;
        Progress { column: self.key(&self.columns, nr_pr, state), layer: self.key(&self.layers, nr_pr, state) }
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
        self.columns = pack(&self.components, &self.plan.columns, COLUMN_BITS);
        self.layers = pack(&self.components, &self.plan.layers, LAYER_BITS);
        fallen.into_iter().map(|part| ComponentId(part as u32)).collect()
    }
}

/// Gives each term the bits it needs, as long as there are any.
fn pack(components: &[Component], terms: &[Vec<usize>], bits: u32) -> Vec<Term> {
    let mut left = bits;
    let mut packed = Vec::new();
    for parts in terms {
        let largest: u64 = parts.iter().map(|&part| u64::from(components[part].max)).sum();
        let bits = (u64::BITS - largest.leading_zeros()).max(1);
        if bits <= left {
            left -= bits;
            packed.push(Term { parts: parts.clone(), bits });
        }
    }
    packed
}
