//! Properties as automata: each reads the states of the model and accepts the runs that violate the property.

use std::sync::{Mutex, PoisonError};

use cranelift_entity::EntityRef;
use graph::Components;
use interp::code::flow::LocationFlags;
use interp::exec::claim::ClaimScratch;
use interp::exec::step::Scratch as SystemScratch;
use interp::ids::{ClaimId, Pc};
use interp::model::Fault;
use interp::{Model, Violation, ViolationKind, Word};
use ltl2ba::{Buchi, Guard, StateId, TranslateError};
use sweep::space::acceptance::{Scc, Strength};
use sweep::space::product::{Automaton, Moves};

use super::vacuity::Seen;
use super::valuation::Valuation;
use super::{Property, PropertyKind};

/// The automaton of any property.
pub enum PropertyAutomaton<'m> {
    /// Of a formula.
    Formula(FormulaAutomaton<'m>),
    /// Of a never claim.
    Claim(ClaimAutomaton<'m>),
    /// Of `accept` labels.
    Labels(LabelAutomaton<'m>),
}

impl<'m> PropertyAutomaton<'m> {
    /// The automaton of a property. `labels`: processes have `accept` labels.
    pub fn new(model: &'m Model, property: &Property, labels: bool) -> Result<Self, TranslateError> {
        Ok(match &property.kind {
            PropertyKind::Formula(temporal) => {
                let buchi = temporal.negated()?;
                PropertyAutomaton::Formula(FormulaAutomaton::new(Valuation::new(model, temporal), &buchi, property))
            }
            PropertyKind::Claim(claim) => PropertyAutomaton::Claim(ClaimAutomaton::new(model, *claim, labels)),
            PropertyKind::Labels => PropertyAutomaton::Labels(LabelAutomaton::new(model)),
        })
    }

    /// The combinations of atoms that were met.
    pub fn seen(&self) -> Option<Seen> {
        match self {
            PropertyAutomaton::Formula(automaton) => {
                Some(automaton.seen.lock().unwrap_or_else(PoisonError::into_inner).clone())
            }
            PropertyAutomaton::Claim(_) | PropertyAutomaton::Labels(_) => None,
        }
    }

    /// Whether runs are told apart that differ only in how often states repeat, as far as the property sees them. A never
    /// claim may do anything.
    pub fn is_stutter_invariant(&self) -> bool {
        match self {
            PropertyAutomaton::Formula(automaton) => automaton.is_stutter_invariant,
            PropertyAutomaton::Claim(_) => false,
            PropertyAutomaton::Labels(_) => true,
        }
    }

    /// Whether the property is an invariant, which each state satisfies or violates by itself.
    pub fn is_of_invariant(&self) -> bool {
        match self {
            PropertyAutomaton::Formula(automaton) => automaton.is_of_invariant,
            PropertyAutomaton::Claim(_) | PropertyAutomaton::Labels(_) => false,
        }
    }

    /// States and edges of the automaton of a formula.
    pub fn size(&self) -> Option<(usize, usize)> {
        match self {
            PropertyAutomaton::Formula(FormulaAutomaton { states, .. }) => {
                Some((states.len(), states.iter().map(|state| state.edges.len()).sum()))
            }
            PropertyAutomaton::Claim(_) | PropertyAutomaton::Labels(_) => None,
        }
    }
}

/// Buffers of any automaton.
#[derive(Default)]
pub struct Scratch {
    /// The combinations of atoms that this worker has met.
    seen: Seen,
    claim: Buffers,
}

impl Automaton<Violation> for PropertyAutomaton<'_> {
    type Scratch = Scratch;

    fn initial(&self) -> Word {
        match self {
            PropertyAutomaton::Formula(automaton) => automaton.initial,
            PropertyAutomaton::Claim(automaton) => automaton.initial(),
            PropertyAutomaton::Labels(_) => 0,
        }
    }

    #[inline]
    fn moves(&self, at: Word, system: &[Word], scratch: &mut Scratch, moves: &mut Moves<Violation>) {
        match self {
            PropertyAutomaton::Formula(automaton) => automaton.moves(at, system, &mut scratch.seen, moves),
            PropertyAutomaton::Claim(automaton) => automaton.moves(at, system, &mut scratch.claim, moves),
            PropertyAutomaton::Labels(_) => moves.targets.push(0),
        }
    }

    #[inline]
    fn is_accepting(&self, at: Word, system: &[Word]) -> bool {
        match self {
            PropertyAutomaton::Formula(automaton) => automaton.states[at as usize].is_accepting,
            PropertyAutomaton::Claim(automaton) => automaton.is_accepting(at, system),
            PropertyAutomaton::Labels(automaton) => automaton.is_accepting(system),
        }
    }

    #[inline]
    fn scc(&self, at: Word) -> Scc {
        match self {
            PropertyAutomaton::Formula(automaton) => automaton.states[at as usize].scc,
            PropertyAutomaton::Claim(automaton) => automaton.sccs[at as usize],
            PropertyAutomaton::Labels(_) => Scc { rank: 0, strength: Strength::Strong },
        }
    }

    fn cycle(&self) -> Violation {
        let kind = match self {
            PropertyAutomaton::Formula(automaton) => automaton.cycle,
            PropertyAutomaton::Claim(_) | PropertyAutomaton::Labels(_) => ViolationKind::AcceptanceCycle,
        };
        Violation { kind, pid: None, span: None }
    }

    fn stutters(&self) -> bool {
        match self {
            PropertyAutomaton::Formula(automaton) => automaton.stutters,
            PropertyAutomaton::Claim(_) | PropertyAutomaton::Labels(_) => true,
        }
    }
}

/// The automaton of a negated formula.
pub struct FormulaAutomaton<'m> {
    valuation: Valuation<'m>,
    initial: Word,
    states: Vec<State>,
    cycle: ViolationKind,
    stutters: bool,
    is_stutter_invariant: bool,
    is_of_invariant: bool,
    /// Which combinations of atoms were met, by all workers.
    seen: Mutex<Seen>,
}

struct State {
    edges: Vec<(Guard, Word)>,
    is_accepting: bool,
    /// Every continuation is accepted.
    is_terminal: bool,
    scc: Scc,
}

impl<'m> FormulaAutomaton<'m> {
    /// The automaton `buchi` over atoms of the model.
    fn new(valuation: Valuation<'m>, buchi: &Buchi, property: &Property) -> Self {
        let Property { cycle, stutters, .. } = *property;
        let strength = |state| match buchi.strength(state) {
            ltl2ba::Strength::Rejecting => Strength::Rejecting,
            ltl2ba::Strength::Weak => Strength::Weak,
            ltl2ba::Strength::Strong => Strength::Strong,
        };
        let state = |state: StateId| State {
            edges: buchi.edges(state).iter().map(|edge| (edge.guard.clone(), edge.target.0)).collect(),
            is_accepting: buchi.is_accepting(state),
            is_terminal: buchi.is_terminal(state) && stutters,
            scc: Scc { rank: buchi.rank(state), strength: strength(state) },
        };
        FormulaAutomaton {
            valuation,
            initial: buchi.initial().0,
            states: buchi.states().map(state).collect(),
            cycle,
            stutters,
            is_stutter_invariant: buchi.is_stutter_invariant(),
            is_of_invariant: stutters && buchi.awaits_a_letter(),
            seen: Mutex::default(),
        }
    }

    fn moves(&self, at: Word, system: &[Word], seen: &mut Seen, moves: &mut Moves<Violation>) {
        let truths = match self.valuation.of(system) {
            Ok(truths) => truths,
            Err(Fault { kind, span }) => {
                moves.violations.push(Violation { kind, pid: None, span: Some(span) });
                return;
            }
        };
        if seen.add(truths) {
            self.seen.lock().unwrap_or_else(PoisonError::into_inner).add(truths);
        }
        let state = &self.states[at as usize];
        let mut lost = state.is_terminal;
        for (guard, target) in &state.edges {
            if guard.holds(truths) {
                match self.states[*target as usize].is_terminal {
                    true => lost = true,
                    false => moves.targets.push(*target),
                }
            }
        }
        if lost {
            moves.targets.clear();
            moves.violations.push(Violation { kind: ViolationKind::Formula, pid: None, span: None });
        }
    }
}

/// A never claim.
pub struct ClaimAutomaton<'m> {
    model: &'m Model,
    claim: ClaimId,
    sccs: Vec<Scc>,
    /// Processes have `accept` labels, which count too.
    labels: bool,
    uses_timeout: bool,
}

/// Buffers for the moves of a claim.
#[derive(Default)]
pub struct Buffers {
    claim: ClaimScratch,
    system: SystemScratch,
}

impl<'m> ClaimAutomaton<'m> {
    fn new(model: &'m Model, claim: ClaimId, labels: bool) -> Self {
        let graph = model.claim(claim);
        let edges = |at: usize| {
            let edges = graph.locations[Pc::new(at)].edges();
            edges.filter_map(|edge| model.program.edges[edge].to).map(EntityRef::index).collect()
        };
        let successors: Vec<Vec<usize>> = (0..graph.locations.len()).map(edges).collect();
        let is_accepting = |at: usize| graph.locations[Pc::new(at)].flags.contains(LocationFlags::ACCEPT);
        let sccs = sccs(&successors, is_accepting, labels);
        ClaimAutomaton { model, claim, sccs, labels, uses_timeout: model.claim_uses_timeout(claim) }
    }
}

/// The strongly connected components of an automaton whose states have these successors.
fn sccs(successors: &[Vec<usize>], is_accepting: impl Fn(usize) -> bool, labels: bool) -> Vec<Scc> {
    let Components { rank: ranks, members, .. } = graph::components(successors);
    let some: Vec<bool> = members.iter().map(|scc| scc.iter().any(|&state| is_accepting(state))).collect();
    let all: Vec<bool> = members.iter().map(|scc| scc.iter().all(|&state| is_accepting(state))).collect();
    let strength = |rank: usize| match (some[rank], all[rank]) {
        _ if labels => Strength::Strong,
        (_, true) => Strength::Weak,
        (true, false) => Strength::Strong,
        (false, false) => Strength::Rejecting,
    };
    ranks.iter().map(|&rank| Scc { rank, strength: strength(rank as usize) }).collect()
}

impl ClaimAutomaton<'_> {
    fn initial(&self) -> Word {
        self.model.claim(self.claim).start.index() as Word
    }

    fn moves(&self, at: Word, system: &[Word], buffers: &mut Buffers, moves: &mut Moves<Violation>) {
        let timeout = self.uses_timeout && self.model.is_waiting(system, &mut buffers.system);
        self.model.claim_moves(self.claim, Pc::new(at as usize), system, timeout, &mut buffers.claim);
        moves.targets.extend(buffers.claim.targets.iter().map(|place| place.index() as Word));
        moves.violations.append(&mut buffers.claim.violations);
    }

    fn is_accepting(&self, at: Word, system: &[Word]) -> bool {
        let location = &self.model.claim(self.claim).locations[Pc::new(at as usize)];
        location.flags.contains(LocationFlags::ACCEPT) || self.labels && self.model.is_at_accept(system)
    }
}

/// `accept` labels of processes: the automaton has one state, and the system accepts.
pub struct LabelAutomaton<'m> {
    model: &'m Model,
}

impl<'m> LabelAutomaton<'m> {
    fn new(model: &'m Model) -> Self {
        LabelAutomaton { model }
    }

    fn is_accepting(&self, system: &[Word]) -> bool {
        self.model.is_at_accept(system)
    }
}
