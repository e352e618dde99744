//! Never claims: where a claim can move while the system is in a given state.
//!
//! A claim moves once before every step of the system, and changes nothing but its own place. A claim that cannot move
//! ends its run; one that reaches its closing brace has found a violation. As in SPIN an atomic
//! sequence of a claim is one move, unless it blocks.

use std::ops::ControlFlow;

use promela::source::Span;

use crate::code::program::{Graph, Guard};
use crate::exec::eval::{Env, Ready};
use crate::ids::{ClaimId, EdgeId, Pc};
use crate::model::{Fault, Model, StepErrors, Tables};
use crate::violation::{Violation, ViolationKind};
use statespace::Word;

/// Buffers for the moves of a claim.
#[derive(Default, Debug)]
pub struct ClaimScratch {
    tables: Tables,
    errors: StepErrors,
    /// A state for effects, which change nothing and can fail.
    words: Vec<Word>,
    /// Locations inside an atomic sequence from which the move continues.
    todo: Vec<Pc>,
    seen: Vec<Pc>,
    /// Where the claim can move; each location once.
    pub targets: Vec<Pc>,
    /// The violations of these moves.
    pub violations: Vec<Violation>,
}

impl Model {
    /// The automaton of a never claim.
    pub fn claim(&self, claim: ClaimId) -> &Graph {
        &self.program.claims[claim].graph
    }

    /// Whether a claim at this location has reached its closing brace.
    pub fn claim_has_ended(&self, claim: ClaimId, at: Pc) -> bool {
        let mut edges = self.claim(claim).locations[at].edges();
        edges.any(|edge| self.program.edges[edge].guard == Guard::End)
    }

    /// Whether a claim reads `timeout`.
    pub fn claim_uses_timeout(&self, claim: ClaimId) -> bool {
        self.program.claims[claim].uses_timeout
    }

    /// Finds all moves of a claim at `at`, while the system is in the state `words` and (`timeout`) cannot
    /// move.
    pub fn claim_moves(&self, claim: ClaimId, at: Pc, words: &[Word], timeout: bool, scratch: &mut ClaimScratch) {
        scratch.targets.clear();
        scratch.violations.clear();
        if self.claim_has_ended(claim, at) {
            let span = self.claim(claim).locations[at].span.last();
            scratch.violations.push(Violation { kind: ViolationKind::ClaimEnd, pid: None, span: Some(span) });
            return;
        }
        self.locate(words, &mut scratch.tables);
        scratch.seen.clear();
        scratch.todo.clear();
        scratch.todo.push(at);
        while let Some(place) = scratch.todo.pop() {
            if scratch.seen.contains(&place) {
                continue;
            }
            scratch.seen.push(place);
            let mut moved = false;
            for edge in self.claim(claim).locations[place].edges() {
                moved |= self.claim_edge(edge, words, timeout, moved, scratch);
            }
            if !moved && place != at {
                add(&mut scratch.targets, place);
            }
        }
    }

    /// Takes an edge of a claim if it can be taken; whether it could.
    fn claim_edge(&self, edge: EdgeId, words: &[Word], timeout: bool, fired: bool, scratch: &mut ClaimScratch) -> bool {
        let ClaimScratch { tables, errors, words: copy, todo, targets, violations, .. } = scratch;
        let edge = &self.program.edges[edge];
        let mut env = Env { timeout, ..Env::outside(self, tables, errors) };
        let ready = env.ready(words, edge, fired);
        let taken = match ready {
            Ready::No | Ready::Rendezvous(_) => false,
            Ready::Yes | Ready::DStep(_) => {
                copy.clear();
                copy.extend_from_slice(words);
                match (edge.guard, ready) {
                    // It writes nothing, so that a loop without end is found at once.
                    (Guard::DStep(d_step), Ready::DStep(first)) => {
                        let start = self.program.d_steps[d_step as usize].start;
                        let _ = env.run_d_step(copy, d_step, start, Some(first), &mut || ControlFlow::Continue(()));
                    }
                    _ => drop(env.run_block(copy, edge.effect)),
                }
                true
            }
        };
        let violation = |kind, span: Span| Violation { kind, pid: None, span: Some(span) };
        violations.extend(errors.noted.take().into_iter().map(|Fault { kind, span }| violation(kind, span)));
        if let Some(Fault { kind, span }) = errors.fault.take() {
            violations.push(violation(kind, span));
            return false;
        }
        if taken && let Some(to) = edge.to {
            match edge.atomic {
                true => todo.push(to),
                false => add(targets, to),
            }
        }
        taken
    }
}

fn add(targets: &mut Vec<Pc>, place: Pc) {
    if !targets.contains(&place) {
        targets.push(place);
    }
}
