//! Liveness of the bits of a process at each of its locations.
//!
//! A bit is *live* at a location if some edge out of it reads the bit, or leads to a location where it is live without
//! giving it a value on every path. The reads of a statement include its guard, the guards that decide about an `else` or
//! an escape, and what it keeps of places that it writes in part or perhaps: a `d_step` gives no bit a value. Invariant: if
//! two states differ in dead bits only, they have the same steps, to states that again differ in dead bits only. The
//! guards that others evaluate for a process (`enabled`, priorities, rendezvous) are those of its location, so they count
//! where it stands.
//!
//! The least solution is found by going round until nothing is added.
//! Aho, Lam, Sethi, Ullman, "Compilers", 2006, section 9.2.5. For model checking: Holzmann, "The Engineering of a Model
//! Checker: the Gnu i-Protocol Case Study Revisited", SPIN 1999.

use cranelift_entity::SecondaryMap;

use crate::analysis::footprint::{Footprint, Run, StateBits};
use crate::code::layout::Layout;
use crate::code::program::Program;
use crate::ids::{EdgeId, Pc, TemplateId};

/// What the statements of a template read, each on its own, and what they overwrite.
pub(super) struct Statements {
    by_edge: SecondaryMap<EdgeId, (StateBits, StateBits)>,
}

impl Statements {
    pub(super) fn new(program: &Program, layout: &Layout) -> Self {
        let mut by_edge = SecondaryMap::new();
        for (id, template) in &program.templates {
            for location in template.graph.locations.values() {
                for edge in location.edges() {
                    let (footprint, overwritten) = Footprint::of_statement(program, layout, id, location, edge);
                    by_edge[edge] = (footprint.reads, overwritten);
                }
            }
        }
        Statements { by_edge }
    }

    /// All that the processes of a template may read, wherever they are.
    pub(super) fn reads(&self, program: &Program, layout: &Layout, id: TemplateId) -> StateBits {
        let mut runs: Vec<Run> = Footprint::of_gate(program, layout, id).reads.runs().to_vec();
        let locations = program.templates[id].graph.locations.values();
        for edge in locations.flat_map(|location| location.edges()) {
            runs.extend_from_slice(self.by_edge[edge].0.runs());
        }
        StateBits::exact(&runs)
    }

    /// By location: which bits of `own` are dead there. Those of `kept` are live everywhere.
    pub(super) fn dead(&self, program: &Program, id: TemplateId, own: &StateBits, kept: &StateBits) -> Vec<StateBits> {
        let candidates = own.without(kept);
        let locations = &program.templates[id].graph.locations;
        let mut live: SecondaryMap<Pc, StateBits> = SecondaryMap::new();
        for (pc, location) in locations {
            let reads = location.edges().flat_map(|edge| self.by_edge[edge].0.common(&candidates).runs().to_vec());
            live[pc] = StateBits::new(&reads.collect::<Vec<_>>());
        }
        let mut has_grown = !candidates.runs().is_empty();
        while has_grown {
            has_grown = false;
            // Later locations first: that leaves another pass for loops only.
            for (pc, location) in locations.iter().rev() {
                let mut all = std::mem::take(&mut live[pc]);
                for edge in location.edges() {
                    let Some(to) = program.edges[edge].to else { continue };
                    let behind = if to == pc { &all } else { &live[to] };
                    let needed = behind.without(&self.by_edge[edge].1);
                    has_grown |= all.extend(&needed);
                }
                live[pc] = all;
            }
        }
        locations.keys().map(|pc| candidates.without(&live[pc])).collect()
    }
}
