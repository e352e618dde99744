//! Elements to locations and edges: flow runs through jumps and joins, choices offer what their parts begin with, and
//! escapes come first.

use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};
use promela::model::StmtKind;

use super::elements::{Block, Builder, El, Element, Kind, Seq};
use super::{Edge, Flow, Location, LocationFlags, Step};
use crate::ids::Pc;

impl<'m> Builder<'m, '_> {
    /// The element at which flow that arrives at `element` stops: jumps and dots are run through, but not out of an atomic
    /// sequence that the flow comes from.
    pub(super) fn hunt(&self, element: El, from_atomic: bool) -> El {
        let mut at = element;
        // A loop of jumps alone never ends: any of its locations will do.
        for _ in 0..=self.elements.len() {
            let onward = match &self.elements[at].kind {
                jump @ (Kind::Goto(_) | Kind::Break(_)) => self.destination(jump),
                Kind::Dot => self.elements[at].next,
                Kind::Unless { main, .. } => Some(self.sequences[*main].first),
                _ => None,
            };
            match onward {
                Some(next) if !from_atomic || self.elements[next].atom => at = next,
                _ => return at,
            }
        }
        at
    }

    /// The element whose steps a sequence offers first.
    fn first_of(&self, seq: Seq) -> El {
        let mut at = self.sequences[seq].first;
        loop {
            at = match self.elements[at].kind {
                Kind::Dot => match self.elements[at].next {
                    Some(next) => next,
                    None => return at,
                },
                Kind::Unless { main, .. } => self.sequences[main].first,
                _ => return at,
            }
        }
    }

    /// The graph of everything reachable from `start` among the elements that are `inside`.
    pub(super) fn graph(&self, start: El, inside: &dyn Fn(El) -> bool) -> Flow<'m> {
        let mut steps: Vec<Vec<RawEdge>> =
            (0..self.elements.len()).map(|el| if inside(el) { self.offered(el) } else { Vec::new() }).collect();
        self.offer_escapes(&mut steps);

        let mut reached = vec![false; self.elements.len()];
        let mut todo = vec![start];
        reached[start] = true;
        while let Some(element) = todo.pop() {
            for edge in &steps[element] {
                if let Some(to) = self.target(edge.element).filter(|&to| inside(to))
                    && !std::mem::replace(&mut reached[to], true)
                {
                    todo.push(to);
                }
            }
        }
        let mut pc_of: Vec<Option<Pc>> = vec![None; self.elements.len()];
        for (count, element) in (0..self.elements.len()).filter(|&el| reached[el]).enumerate() {
            pc_of[element] = Some(Pc::new(count));
        }
        let mut locations = PrimaryMap::new();
        for element in (0..self.elements.len()).filter(|&el| reached[el]) {
            let edges = steps[element].iter().map(|raw| self.edge(raw, &pc_of, inside)).collect();
            let Element { flags, span, .. } = self.elements[element];
            let flags =
                if matches!(self.elements[element].kind, Kind::End) { flags | LocationFlags::END } else { flags };
            locations.push(Location { number: element as u32 + 1, flags, span, edges });
        }
        let mut labels = SecondaryMap::new();
        for (&label, &element) in &self.labelled {
            labels[label] = pc_of[element];
        }
        Flow { locations, start: pc_of[start].unwrap_or(Pc::new(0)), labels, elements: self.elements.len() as u32 }
    }

    /// The steps that an element offers, before escapes.
    fn offered(&self, element: El) -> Vec<RawEdge> {
        match &self.elements[element].kind {
            Kind::Choice(parts) => parts.iter().flat_map(|&part| self.offered(self.first_of(part))).collect(),
            Kind::Unless { main, .. } => self.offered(self.first_of(*main)),
            Kind::Block(Block::Plain | Block::Atomic, inner) => self.offered(self.first_of(*inner)),
            _ => vec![RawEdge { element, escape: 0 }],
        }
    }

    /// Puts the steps of each escape in front of the steps it can interrupt.
    fn offer_escapes(&self, steps: &mut [Vec<RawEdge>]) {
        for element in 0..steps.len() {
            for step in steps[element].clone() {
                let from = &self.elements[step.element];
                for &escape in from.escapes.iter().rev() {
                    let entry = self.hunt(self.sequences[escape].first, from.atom);
                    for offered in steps[entry].clone() {
                        if steps[element].iter().all(|known| known.element != offered.element) {
                            steps[element].insert(0, RawEdge { element: offered.element, escape: entry as u32 + 1 });
                        }
                    }
                }
            }
        }
    }

    /// Whether a sequence begins with an `else`, blocks aside.
    fn opens_with_else(&self, seq: Seq) -> bool {
        match &self.elements[self.first_of(seq)].kind {
            Kind::Basic(stmt) => matches!(stmt.kind, StmtKind::Else),
            Kind::Block(_, inner) => self.opens_with_else(*inner),
            _ => false,
        }
    }

    /// Where the step of a basic element leads; `None`: the process ends.
    fn target(&self, element: El) -> Option<El> {
        let Element { kind, next, atom, .. } = &self.elements[element];
        let onward = match kind {
            Kind::End => None,
            _ => self.destination(kind).or(*next),
        };
        onward.map(|to| self.hunt(to, *atom))
    }

    fn edge(&self, raw: &RawEdge, pc_of: &[Option<Pc>], inside: &dyn Fn(El) -> bool) -> Edge<'m> {
        let Element { kind, atom, span, .. } = &self.elements[raw.element];
        let step = match kind {
            Kind::Basic(stmt) => Step::Stmt(stmt),
            Kind::End => Step::End,
            Kind::Block(Block::DStep, inner) => {
                let block = Some(raw.element);
                let start = self.first_of(*inner);
                let flow = std::rc::Rc::new(self.graph(start, &|el| self.elements[el].d_step == block));
                Step::DStep { flow, opens_with_else: self.opens_with_else(*inner) }
            }
            _ => Step::Skip,
        };
        let to = self.target(raw.element).filter(|&to| inside(to)).and_then(|to| pc_of[to]);
        Edge { step, to, atomic: *atom, escape: raw.escape, element: raw.element as u32 + 1, span: *span }
    }
}

/// An element's step as offered at some location.
#[derive(Clone, Copy)]
struct RawEdge {
    element: El,
    escape: u32,
}
