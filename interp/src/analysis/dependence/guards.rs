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
use crate::code::program::{Node, Program};
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
        let mut guards = Guards { all: None, above: SecondaryMap::new() };
        let is_asked = layout.has_priorities || program.nodes.values().any(|node| matches!(node, Node::Enabled(_)));
        if !layout.is_fixed || !is_asked {
            return guards;
        }
        let each: Vec<Footprint> = program.templates.keys().map(|id| of_one(program, layout, id)).collect();
        guards.all = union(each.iter());
        for id in program.templates.keys().filter(|_| layout.has_priorities) {
            let above = || each.iter().filter(|other| layout.may_hold_back(other.template, id));
            // Their guards may ask for those of all.
            let asks_for_all = above().any(|other| other.traits.contains(Traits::ENABLED));
            guards.above[id] = if asks_for_all { guards.all.clone() } else { union(above()) };
            guards.above[id].get_or_insert_with(|| Footprint::new(id));
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

/// What decides whether a process can move.
fn of_one(program: &Program, layout: &Layout, id: TemplateId) -> Footprint {
    let mut guards = Footprint::of_gate(program, layout, id);
    guards.extend(&Footprint::of_guards(program, layout, id));
    guards.traits |= Traits::COUNTS;
    guards
}

/// What decides for several processes. It is collected there, so nothing is left to be asked.
fn union<'a>(mut each: impl Iterator<Item = &'a Footprint>) -> Option<Footprint> {
    let mut all = each.next()?.clone();
    each.for_each(|one| {
        all.extend(one);
    });
    all.traits.remove(Traits::ENABLED | Traits::HELD_BACK);
    Some(all)
}
