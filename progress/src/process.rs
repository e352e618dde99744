//! Where processes stand: the level of the strongly connected component of a location, which is monotone, and its rank
//! in a spanning tree inside a component that is a cycle, which is not.
//!
//! Kristensen, Mailund, "A Compositional Sweep-Line State Space Exploration Method", FORTE 2002, section 5; the two are
//! combined as its conclusion suggests.

use std::collections::HashSet;

use cranelift_entity::EntityRef;
use interp::Model;
use interp::code::{Graph, Guard, Instruction, Program};
use interp::ids::ClassId;

use crate::component::{Claim, Component, Source, rooted};
use crate::{scc, spanning};

/// The successors of each location.
pub fn successors(program: &Program, graph: &Graph) -> Vec<Vec<usize>> {
    let targets = |location: &interp::code::Location| {
        location.edges().filter_map(|edge| program.edges[edge].to).map(|to| to.index()).collect()
    };
    graph.locations.values().map(targets).collect()
}

/// For each location of a class: can a `run` be executed from there on?
pub fn before_runs(model: &Model, class: ClassId) -> Vec<bool> {
    let program = &model.program;
    let graph = &program.classes[class].graph;
    let successors = successors(program, graph);
    let runs_at = |location: &interp::code::Location| location.edges().any(|edge| edge_runs(program, edge));
    let mut before: Vec<bool> = graph.locations.values().map(runs_at).collect();
    // Later locations mostly have larger numbers, so few rounds are needed.
    loop {
        let mut changed = false;
        for location in (0..before.len()).rev() {
            if !before[location] && successors[location].iter().any(|&next| before[next]) {
                before[location] = true;
                changed = true;
            }
        }
        if !changed {
            return before;
        }
    }
}

/// Can a process of this class create others?
pub fn can_run(model: &Model, class: ClassId) -> bool {
    let graph = &model.program.classes[class].graph;
    graph.locations.values().any(|location| location.edges().any(|edge| edge_runs(&model.program, edge)))
}

fn edge_runs(program: &Program, edge: interp::ids::EdgeId) -> bool {
    let runs = |edge: &interp::code::Edge| {
        let block = edge.effect.start as usize..edge.effect.end as usize;
        program.instructions.get(block).is_some_and(|block| block.iter().any(|one| matches!(one, Instruction::Run(_))))
    };
    let edge = &program.edges[edge];
    let inside = match edge.guard {
        Guard::DStep(d_step) => program.d_steps.get(d_step as usize),
        _ => None,
    };
    let inner = inside.into_iter().flat_map(|graph| graph.locations.values()).flat_map(|location| location.edges());
    runs(edge) || inner.into_iter().any(|edge| runs(&program.edges[edge]))
}

/// The components that come from control flow.
pub fn components(model: &Model) -> Vec<Component> {
    let mut found = Vec::new();
    for (process, life) in rooted(model) {
        let class = &model.program.classes[process.class];
        let name = format!("{}({})", model.checked.proctypes[class.proctype].name, life.pid);
        let successors = successors(&model.program, &class.graph);
        let components = scc::components(&successors);
        let levels = scc::levels(&successors, &components);
        let scc::Components { rank, count } = components;
        let tree = spanning::ranks(&successors, class.graph.start.index());
        let pc = model.layout.classes[process.class].pc;
        // A process that never ends and has no order of parts does not progress by itself.
        found.push(Component {
            name: format!("part of {name}"),
            reason: format!("{count} strongly connected parts of its control flow, by the most steps between them"),
            claim: Claim::Proven,
            max: levels.iter().copied().max().unwrap_or(0) + 2,
            falling: false,
            is_control: true,
            is_order: false,
            source: Source::Rank { pc, ranks: levels.iter().map(|level| level + 1).collect(), life: life.clone() },
        });
        if levels.iter().collect::<HashSet<_>>().len() < count as usize {
            found.push(Component {
                name: format!("order of the parts of {name}"),
                reason: "parts on one level, one after the other".into(),
                claim: Claim::Proven,
                max: count + 1,
                falling: false,
                is_control: true,
                is_order: true,
                source: Source::Rank { pc, ranks: rank.iter().map(|rank| rank + 1).collect(), life: life.clone() },
            });
        }
        let mut size = vec![0; count as usize];
        rank.iter().for_each(|&rank| size[rank as usize] += 1);
        let inside = cyclic_ranks(&rank, &tree, &size);
        let largest = inside.iter().copied().max().unwrap_or(0);
        if largest > 1 {
            found.push(Component {
                name: format!("location of {name} in its cycle"),
                reason: "a spanning tree of the cycle; its back edges fall".into(),
                claim: Claim::None,
                max: largest + 1,
                falling: false,
                is_control: true,
                is_order: false,
                source: Source::Rank { pc, ranks: inside, life },
            });
        }
    }
    found
}

/// For locations of a component with several: their order in the tree, from 1. For others: 0.
fn cyclic_ranks(rank: &[u32], tree: &[u32], size: &[u32]) -> Vec<u32> {
    let mut order: Vec<usize> = (0..rank.len()).collect();
    order.sort_by_key(|&location| (rank[location], tree[location]));
    let mut ranks = vec![0; rank.len()];
    let mut place = 0;
    let mut component = u32::MAX;
    for location in order {
        place = if rank[location] == component { place + 1 } else { 1 };
        component = rank[location];
        if size[component as usize] > 1 {
            ranks[location] = place;
        }
    }
    ranks
}
