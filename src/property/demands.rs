//! A model that demands fairness of its runs: its steps, each with what it shows to be waiting and what it serves.

use std::ops::ControlFlow;

use cranelift_entity::SecondaryMap;
use fxhash::FxHashMap;
use interp::code::program::{Instruction, Node};
use interp::exec::step::{Path, Sink};
use interp::ids::EdgeId;
use interp::{Model, StateSpace, Violation, Visit, Word};
use sweep::space::demands::{Demand, Demanding, Role, VisitDemands};

use super::fairness::{self, Fairness, Part, Subject};
use crate::search::filtered_model::FilteredModel;

/// A model, of which only the fair runs count.
pub struct DemandingModel<'a> {
    system: &'a FilteredModel<'a>,
    fairness: &'a Fairness,
    talk: SecondaryMap<EdgeId, Talk>,
}

/// The channel on which an edge sends or receives.
#[derive(Clone, Copy, Default)]
enum Talk {
    /// None.
    #[default]
    Silent,
    /// Always this one.
    On(i32),
    /// That depends on the state, or there are several.
    Varies,
}

/// Buffers of an expansion.
pub struct Scratch {
    system: <Model as StateSpace>::Scratch,
    /// The number of each demand, in the order in which they were met.
    numbers: FxHashMap<Subject, u32>,
    waiting: Vec<Demand>,
    served: Vec<Demand>,
}

impl<'a> DemandingModel<'a> {
    /// The model under these assumptions. It must not be reduced: what waits is seen in every state.
    pub fn new(system: &'a FilteredModel<'a>, fairness: &'a Fairness) -> Self {
        let model = system.model;
        let edges = model.program.edges.keys();
        DemandingModel { system, fairness, talk: edges.map(|edge| (edge, talk(model, edge))).collect() }
    }
}

fn talk(model: &Model, edge: EdgeId) -> Talk {
    let program = &model.program;
    let edge = &program.edges[edge];
    if edge.d_step {
        return Talk::Varies;
    }
    let effect = &program.instructions[edge.effect.start as usize..edge.effect.end as usize];
    let mut talk = Talk::Silent;
    for instruction in effect {
        let chan = match *instruction {
            Instruction::Send(send) => program.sends[send as usize].chan,
            Instruction::Receive(receive) if !program.receives[receive as usize].copy => {
                program.receives[receive as usize].chan
            }
            _ => continue,
        };
        talk = match (talk, program.nodes[chan]) {
            (Talk::Silent, Node::Const(number)) => Talk::On(number),
            _ => Talk::Varies,
        };
    }
    talk
}

impl StateSpace for DemandingModel<'_> {
    type Violation = Violation;
    type Scratch = Scratch;

    fn scratch(&self) -> Scratch {
        let system = self.system.scratch();
        Scratch { system, numbers: FxHashMap::default(), waiting: Vec::new(), served: Vec::new() }
    }

    fn fixed_words(&self) -> Option<usize> {
        self.system.fixed_words()
    }

    fn word_bits(&self) -> &[u8] {
        self.system.word_bits()
    }

    fn gave_up(&self) -> bool {
        self.system.gave_up()
    }

    fn initial(&self) -> Result<Vec<Word>, Violation> {
        self.system.initial()
    }

    fn expand<V: Visit<Violation>>(&self, state: &[Word], scratch: &mut Scratch, visit: &mut V) -> ControlFlow<()> {
        self.system.expand(state, &mut scratch.system, visit)
    }
}

impl Demanding for DemandingModel<'_> {
    fn expand_demands<V: VisitDemands<Violation>>(
        &self,
        state: &[Word],
        scratch: &mut Scratch,
        visit: &mut V,
    ) -> ControlFlow<()> {
        let Scratch { system, numbers, waiting, served } = scratch;
        let mut steps = Steps { space: self, state, numbers, waiting, served, visit, event: 0 };
        self.system.model.walk(state, system, &mut steps)
    }
}

/// Adds to each step its demands.
struct Steps<'a, V> {
    space: &'a DemandingModel<'a>,
    state: &'a [Word],
    numbers: &'a mut FxHashMap<Subject, u32>,
    waiting: &'a mut Vec<Demand>,
    served: &'a mut Vec<Demand>,
    visit: &'a mut V,
    event: u32,
}

impl<V: VisitDemands<Violation>> Sink for Steps<'_, V> {
    fn successor(&mut self, next: &[Word], path: Path) -> ControlFlow<()> {
        let Steps { space, state, numbers, waiting, served, .. } = self;
        let model = space.system.model;
        waiting.clear();
        served.clear();
        let spoken = |nth: usize, channels: &mut Vec<i32>| match space.talk[path.moves[nth].edge] {
            Talk::Silent => {}
            Talk::On(channel) => channels.push(channel),
            Talk::Varies => {
                let earlier = nth.checked_sub(1);
                let before = earlier.and_then(|earlier| path.states().nth(earlier)).unwrap_or(state);
                let earlier = earlier.map(|earlier| &path.moves[earlier]);
                fairness::spoken(model, before, earlier, &path.moves[nth], channels);
            }
        };
        space.fairness.subjects(model, path.moves, spoken, |subject, part| {
            let next = numbers.len() as u32;
            let demand = Demand::new(*numbers.entry(subject).or_insert(next), subject.is_strong());
            served.push(demand);
            if part == Part::WaitsAndIsServed {
                waiting.push(demand);
            }
        });
        self.event += 1;
        self.visit.successor(self.event - 1, next, Role { waiting, served })
    }

    fn violation(&mut self, violation: Violation, _: Path) -> ControlFlow<()> {
        self.event += 1;
        match self.space.system.wants(violation.kind) {
            true => self.visit.violation(self.event - 1, violation),
            false => ControlFlow::Continue(()),
        }
    }

    fn working(&mut self, bytes: usize) -> ControlFlow<()> {
        self.visit.working(bytes)
    }
}
