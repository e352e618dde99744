//! Fewer iterations of the interpreter inside a `d_step`, whose intermediate states are not visible.
//!
//! An edge that leads to a location with a single unconditional edge takes that edge's effect along, and so on. A
//! `d_step` that is reduced to one edge is then an ordinary edge with a longer effect. [`Program::fused`] records which
//! edges were taken along, for coverage.
//!
//! [`Program::fused`]: crate::code::program::Program::fused

use super::Compiler;
use crate::code::program::{Block, Edge, Graph, Guard, Location, Node};
use crate::ids::EdgeId;

/// The most edges that are taken along.
const MOST: usize = 64;

impl Compiler<'_, '_> {
    /// Joins what can be joined inside a `d_step`.
    pub(super) fn fuse(&mut self, graph: &Graph) {
        let chains: Vec<(EdgeId, Vec<EdgeId>)> = graph
            .locations
            .values()
            .flat_map(|location| location.edges())
            .map(|edge| (edge, self.unconditional_after(graph, edge)))
            .collect();
        let effects: Vec<Block> = chains.iter().map(|(edge, chain)| self.joined(*edge, chain)).collect();
        let ends: Vec<_> =
            chains.iter().map(|(edge, chain)| self.program.edges[*chain.last().unwrap_or(edge)].to).collect();
        for (((edge, chain), effect), to) in chains.into_iter().zip(effects).zip(ends) {
            let joined = &mut self.program.edges[edge];
            (joined.effect, joined.to) = (effect, to);
            self.program.fused.extend(chain.into_iter().map(|taken| (edge, taken)));
        }
    }

    /// The edge that a `d_step` is reduced to, if it is only one and needs no other process.
    pub(super) fn single_edge(&self, graph: &Graph) -> Option<EdgeId> {
        let id = only(graph.locations[graph.start])?;
        let edge = &self.program.edges[id];
        let simple = match edge.guard {
            Guard::True | Guard::Expr(_) | Guard::Compare(..) | Guard::Else => true,
            Guard::Send(send) => self.is_constant(self.program.sends[send as usize].chan),
            Guard::Receive(receive) => self.is_constant(self.program.receives[receive as usize].chan),
            Guard::Offer(_) | Guard::Accept(_) | Guard::End | Guard::DStep(_) => false,
        };
        (simple && edge.to.is_none()).then_some(id)
    }

    fn is_constant(&self, chan: crate::ids::NodeId) -> bool {
        matches!(self.program.nodes[chan], Node::Const(_))
    }

    fn unconditional_after(&self, graph: &Graph, edge: EdgeId) -> Vec<EdgeId> {
        let mut chain = Vec::new();
        let mut at = self.program.edges[edge].to;
        while let Some(next) = at.and_then(|pc| only(graph.locations[pc])) {
            let Edge { guard, to, .. } = self.program.edges[next];
            if guard != Guard::True || next == edge || chain.contains(&next) || chain.len() == MOST {
                break;
            }
            chain.push(next);
            at = to;
        }
        chain
    }

    /// The effects of an edge and of those behind it, as one.
    fn joined(&mut self, edge: EdgeId, chain: &[EdgeId]) -> Block {
        if chain.is_empty() {
            return self.program.edges[edge].effect;
        }
        let start = self.program.instructions.len() as u32;
        for part in std::iter::once(&edge).chain(chain) {
            let Block { start, end } = self.program.edges[*part].effect;
            self.program.instructions.extend_from_within(start as usize..end as usize);
        }
        Block { start, end: self.program.instructions.len() as u32 }
    }
}

/// The edge of a location that has only one.
fn only(location: Location) -> Option<EdgeId> {
    (location.end == location.first + 1).then(|| EdgeId::from_u32(location.first))
}
