//! What a step depends on that asks whether other processes can move.
//!
//! `enabled` asks for the guards of any process, and one of higher priority holds a process back while it can move. In a
//! fixed layout that is no more than bits, parts of channels, and how many processes there are (a process dies only if it is
//! the youngest): it is known who may have which pid, and where its variables are. Invariant: with what
//! [`Guards::resolve`] adds a footprint depends on nothing else of other processes, unless it keeps its traits, which then
//! stand for everything.

use cranelift_entity::SecondaryMap;

use crate::analysis::footprint::{Footprint, Traits};
use crate::code::layout::Layout;
use crate::code::program::Program;
use crate::ids::TemplateId;

/// The guards of processes.
pub(super) struct Guards {
    /// Of all; `None` if it is not known where they are.
    all: Option<Footprint>,
    /// By template: of those that may have a higher priority.
    above: SecondaryMap<TemplateId, Option<Footprint>>,
}

impl Guards {
    pub(super) fn new(program: &Program, layout: &Layout) -> Self {
        let ids = || program.templates.keys();
        let of = |own: TemplateId, is_meant: &dyn Fn(TemplateId) -> bool| {
            let mut guards = Footprint::new(own);
            for other in ids().filter(|&other| is_meant(other)) {
                guards.traits |= Traits::COUNTS;
                guards.extend(&Footprint::of_gate(program, layout, other));
                guards.extend(&Footprint::of_guards(program, layout, other));
            }
            // What decides is collected here, so nothing is left to be asked.
            guards.traits.remove(Traits::ENABLED | Traits::HELD_BACK);
            guards
        };
        let mut guards = Guards { all: None, above: SecondaryMap::new() };
        if layout.is_fixed {
            guards.all = ids().next().map(|any| of(any, &|_| true));
            for id in ids().filter(|_| layout.has_priorities) {
                let above = of(id, &|other| layout.may_hold_back(other, id));
                // Their guards may ask for those of all.
                let of_others = |of: fn(&Program, &Layout, TemplateId) -> Footprint| {
                    let mut higher = ids().filter(|&other| layout.may_hold_back(other, id));
                    higher.any(|other| of(program, layout, other).traits.contains(Traits::ENABLED))
                };
                let asks = of_others(Footprint::of_gate) || of_others(Footprint::of_guards);
                guards.above[id] = if asks { guards.all.clone() } else { Some(above) };
            }
        }
        guards
    }

    /// Adds to what a process does what that depends on.
    pub(super) fn resolve(&self, footprint: &mut Footprint) {
        let own = footprint.template;
        let asked = [(Traits::ENABLED, &self.all), (Traits::HELD_BACK, &self.above[own])];
        for (asks, guards) in asked {
            if let (true, Some(guards)) = (footprint.traits.contains(asks), guards) {
                footprint.extend(guards);
                footprint.traits.remove(asks);
            }
        }
    }
}
