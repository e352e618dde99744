//! Where processes stand: the level of the strongly connected component of a location, which is monotone, and its rank
//! in a spanning tree inside a component that is a cycle, which is not.
//!
//! Kristensen, Mailund, "A Compositional Sweep-Line State Space Exploration Method", FORTE 2002, section 5; the two are
//! combined as its conclusion suggests.

use std::collections::HashSet;

use cranelift_entity::EntityRef;
use interp::Model;
use interp::code::program::{Graph, Guard, Instruction, Program};
use interp::ids::{Pc, TemplateId};
use interp::model::Process;

use crate::component::{Claim, Component, Life, Source, rooted};
use crate::spanning;

/// The parts of a control flow: its strongly connected components. Tables are by location.
pub struct Parts {
    /// Its part: along a step the number never falls, and it stays only inside a part.
    pub part: Vec<u32>,
    /// How many parts there are.
    pub count: u32,
    /// The most steps between components on a path to it.
    pub level: Vec<u32>,
    /// Its place in the spanning tree of its part, from 1; 0 if it is alone there.
    pub place: Vec<u32>,
}

impl Parts {
    /// The parts of a graph.
    pub fn new(program: &Program, graph: &Graph) -> Parts {
        let successors = successors(program, graph);
        let components = graph::components(&successors);
        let level = graph::levels(&successors, &components);
        let tree = spanning::ranks(&successors, graph.start.index());
        let size: Vec<u32> = components.members.iter().map(|members| members.len() as u32).collect();
        let (part, count) = (components.rank, components.members.len() as u32);
        let place = places(&part, &tree, &size);
        Parts { part, count, level, place }
    }

    /// Does a step between these locations stay in their part?
    pub fn stays(&self, from: Pc, to: Pc) -> bool {
        self.part[from.index()] == self.part[to.index()]
    }

    /// Does it go back there?
    pub fn goes_back(&self, from: Pc, to: Pc) -> bool {
        self.stays(from, to) && self.place[to.index()] < self.place[from.index()]
    }
}

/// The successors of each location.
pub fn successors(program: &Program, graph: &Graph) -> Vec<Vec<usize>> {
    let targets = |location: &interp::code::program::Location| {
        location.edges().filter_map(|edge| program.edges[edge].to).map(|to| to.index()).collect()
    };
    graph.locations.values().map(targets).collect()
}

/// For each location of a template: can a `run` be executed from there on?
pub fn before_runs(model: &Model, template: TemplateId) -> Vec<bool> {
    let program = &model.program;
    let graph = &program.templates[template].graph;
    let successors = successors(program, graph);
    let runs_at = |location: &interp::code::program::Location| location.edges().any(|edge| edge_runs(program, edge));
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

/// Can a process of this template create others?
pub fn can_run(model: &Model, template: TemplateId) -> bool {
    let graph = &model.program.templates[template].graph;
    graph.locations.values().any(|location| location.edges().any(|edge| edge_runs(&model.program, edge)))
}

fn edge_runs(program: &Program, edge: interp::ids::EdgeId) -> bool {
    let runs = |edge: &interp::code::program::Edge| {
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
        let template = &model.program.templates[process.template];
        let name = format!("{}({})", model.checked.proctypes[template.proctype].name, life.pid);
        let Parts { part, count, level, place } = Parts::new(&model.program, &template.graph);
        let (claim, monotone) = match life.is_replaced {
            false => (Claim::Proven, "monotone"),
            true => (Claim::Presumed, "monotone until another process comes in its place"),
        };
        let control = |name: String, reason: String, max: u32, ranks: &[u32]| Component {
            name,
            reason,
            claim,
            max,
            falling: false,
            is_control: true,
            is_order: false,
            source: rank(model, process, &life, ranks, max),
        };
        let above = |ranks: &[u32]| ranks.iter().map(|rank| rank + 1).collect::<Vec<u32>>();
        // A process that never ends and has no order of parts does not progress by itself.
        let reason = match count {
            1 => "its control flow is one strongly connected component".into(),
            _ => format!("the level among {count} strongly connected components of its control flow: {monotone}"),
        };
        let highest = level.iter().copied().max().unwrap_or(0) + 2;
        found.push(control(format!("SCC level of {name}"), reason, highest, &above(&level)));
        if level.iter().collect::<HashSet<_>>().len() < count as usize {
            let reason = format!("a topological order of its strongly connected components: {monotone}");
            let order = control(format!("SCC order of {name}"), reason, count + 1, &above(&part));
            found.push(Component { is_order: true, ..order });
        }
        let largest = place.iter().copied().max().unwrap_or(0);
        if largest > 1 {
            let reason = "the order of a spanning tree of the cycle: back edges regress".into();
            let position = control(format!("position of {name} in its cycle"), reason, largest + 1, &place);
            found.push(Component { claim: Claim::None, ..position });
        }
    }
    found
}

/// Ranks of the locations of a process. While others have its pid it is as if it were still to come, or gone.
pub(crate) fn rank(model: &Model, process: Process, life: &Life, ranks: &[u32], max: u32) -> Source {
    let places = &model.layout.templates[process.template];
    let Some((role, nth)) = life.role else {
        return Source::Rank { place: places.pc, ranks: ranks.to_vec(), life: life.clone() };
    };
    let locations = 1 << places.pc.bits;
    let roles = 1u32 << role.bits;
    let own = (0..locations).map(|pc| ranks.get(pc).copied().unwrap_or(max));
    let earlier = std::iter::repeat_n(0, nth as usize * locations);
    let later = std::iter::repeat_n(max, (roles - nth - 1) as usize * locations);
    // What tells the roles apart is read with the location.
    let life = Life { role: None, ..life.clone() };
    Source::Rank { place: places.place, ranks: earlier.chain(own).chain(later).collect(), life }
}

/// For locations of a part with several: their order in the tree, from 1. For others: 0.
fn places(part: &[u32], tree: &[u32], size: &[u32]) -> Vec<u32> {
    let mut order: Vec<usize> = (0..part.len()).collect();
    order.sort_by_key(|&location| (part[location], tree[location]));
    let mut places = vec![0; part.len()];
    let mut place = 0;
    let mut current = u32::MAX;
    for location in order {
        place = if part[location] == current { place + 1 } else { 1 };
        current = part[location];
        if size[current as usize] > 1 {
            places[location] = place;
        }
    }
    places
}
