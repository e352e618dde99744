//! How many processes each process can create, with all that those create in turn.
//!
//! A process is told apart by its proctype and by the arguments that are known (a [`Context`]), so that recursion with a
//! depth ends. Its paths are explored with the values it knows; a `run` on a cycle of them can be executed any number of
//! times. Otherwise the longest path bounds the number.

use std::collections::HashMap;

use cranelift_entity::{PrimaryMap, entity_impl};
use promela::ids::ProcTypeId;
use promela::model::CheckedModel;
use promela::source::Span;

use super::creator::{Context, Creator, Move, Spawned, Values};
use crate::analysis::usage::Usage;
use crate::code::flow::Flow;
use crate::code::layout::LIMIT;
use crate::ids::Pc;

/// Points of a process that are explored before its variables are no longer followed.
const MAX_POINTS: usize = 20_000;
/// The most contexts that are told apart by their arguments.
const MAX_CONTEXTS: usize = 300;

/// A context that was met. Prints as `context3`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ContextId(u32);
entity_impl!(ContextId, "context");

/// How many processes can be created; `None` if there is no bound, or none below SPIN's limit.
pub(super) type Count = Option<usize>;

/// What is known of a context.
pub(super) struct Known<'a, 'm> {
    pub(super) creator: Creator<'a, 'm>,
    /// All that it can create, with theirs.
    pub(super) descendants: Count,
    /// The same from a point of it on. What is not there cannot create any more.
    pub(super) rest: HashMap<(Pc, Values), Count>,
}

/// All contexts that can exist.
pub(super) struct Descendants<'a, 'm> {
    model: &'m CheckedModel,
    usage: &'a Usage,
    flows: &'a PrimaryMap<ProcTypeId, Flow<'m>>,
    /// By proctype: at most one process of it can exist.
    is_alone: Vec<bool>,
    /// A process can lose control inside an atomic sequence.
    is_held_back: Vec<bool>,
    ids: HashMap<Context, ContextId>,
    known: PrimaryMap<ContextId, Option<Known<'a, 'm>>>,
    /// A `run` that can be executed any number of times.
    pub(super) unbounded: Option<Span>,
}

impl<'a, 'm> Descendants<'a, 'm> {
    pub(super) fn new(
        (model, usage, flows): (&'m CheckedModel, &'a Usage, &'a PrimaryMap<ProcTypeId, Flow<'m>>),
        is_alone: Vec<bool>,
        is_held_back: Vec<bool>,
    ) -> Self {
        let (ids, known) = (HashMap::new(), PrimaryMap::new());
        Descendants { model, usage, flows, is_alone, is_held_back, ids, known, unbounded: None }
    }

    /// The context of a process that is created.
    pub(super) fn of(&mut self, spawned: &Spawned) -> ContextId {
        let Spawned { proctype, args, .. } = spawned;
        let args = if self.ids.len() < MAX_CONTEXTS { args.clone() } else { vec![None; args.len()] };
        self.context(Context { proctype: *proctype, args, channels_before: None })
    }

    /// The number of a context, explored if it is new.
    pub(super) fn context(&mut self, context: Context) -> ContextId {
        if let Some(&id) = self.ids.get(&context) {
            return id;
        }
        let id = self.known.push(None);
        self.ids.insert(context.clone(), id);
        let known = self.explore(context);
        self.known[id] = Some(known);
        id
    }

    /// What is known of a context; `None` while it is explored, and so inside a recursion.
    pub(super) fn get(&self, id: ContextId) -> Option<&Known<'a, 'm>> {
        self.known[id].as_ref()
    }

    /// What a context can create.
    pub(super) fn count(&self, id: ContextId) -> Count {
        self.get(id).and_then(|known| known.descendants)
    }

    fn explore(&mut self, context: Context) -> Known<'a, 'm> {
        let proctype = context.proctype;
        let nth = proctype.as_u32() as usize;
        let source = (self.model, self.usage, &self.flows[proctype]);
        for follows in [true, false] {
            let how = (self.is_alone[nth], follows, self.is_held_back[nth]);
            let creator = Creator::new(source, context.clone(), how);
            if let Some(points) = points(&creator, if follows { MAX_POINTS } else { usize::MAX }) {
                return self.judge(creator, points);
            }
        }
        unreachable!("without values there are no more points than locations");
    }

    /// The longest paths through the points of a process.
    fn judge(&mut self, creator: Creator<'a, 'm>, points: Points) -> Known<'a, 'm> {
        let Points { points, steps } = points;
        let successors: Vec<Vec<usize>> =
            steps.iter().map(|steps| steps.iter().filter_map(|step| step.to).collect()).collect();
        let components = graph::components(&successors);
        let rank = |point: usize| components.rank[point] as usize;
        let mut rest: Vec<Count> = vec![Some(0); steps.len()];
        // From the components that nothing leads out of.
        for members in components.members.iter().rev() {
            let mut most = Some(0);
            for step in members.iter().flat_map(|&point| &steps[point]) {
                let is_inside = step.to.is_some_and(|to| rank(to) == rank(members[0]));
                let more = match &step.spawned[..] {
                    [] if is_inside => Some(0),
                    [one, ..] if is_inside => {
                        self.unbounded.get_or_insert(one.span);
                        None
                    }
                    spawned => {
                        let rest = step.to.map_or(Some(0), |to| rest[to]);
                        self.weight(spawned).zip(rest).map(|(weight, rest)| weight + rest)
                    }
                };
                most = most.zip(more.filter(|&more| more <= LIMIT)).map(|(most, more)| most.max(more));
            }
            members.iter().for_each(|&point| rest[point] = most);
        }
        let descendants = rest[0];
        Known { creator, descendants, rest: points.into_iter().zip(rest).collect() }
    }

    /// The processes that a step creates, with their descendants.
    fn weight(&mut self, spawned: &[Spawned]) -> Count {
        let mut sum = 0;
        for one in spawned {
            let id = self.of(one);
            let Some(known) = self.get(id) else {
                // Recursion with the same arguments.
                self.unbounded.get_or_insert(one.span);
                return None;
            };
            sum += 1 + known.descendants?;
        }
        Some(sum)
    }
}

/// The points that a process can come to before its last `run`, the first first, and the steps between them.
struct Points {
    points: Vec<(Pc, Values)>,
    /// By point.
    steps: Vec<Vec<PointStep>>,
}

struct PointStep {
    /// `None` where nothing can be created any more.
    to: Option<usize>,
    /// What is created on the way.
    spawned: Vec<Spawned>,
}

/// `None` if there are more than `most`.
fn points(creator: &Creator, most: usize) -> Option<Points> {
    let start = creator.start();
    let mut numbers = HashMap::from([(start.clone(), 0)]);
    let mut found = Points { points: vec![start], steps: Vec::new() };
    while found.steps.len() < found.points.len() {
        let (pc, values) = found.points[found.steps.len()].clone();
        let moves = if creator.can_run(pc) { creator.moves(pc, &values).0 } else { Vec::new() };
        let mut steps = Vec::new();
        for Move { to, values, spawned, .. } in moves {
            let to = to.filter(|&to| creator.can_run(to)).map(|to| {
                *numbers.entry((to, values.clone())).or_insert_with(|| {
                    found.points.push((to, values));
                    found.points.len() - 1
                })
            });
            steps.push(PointStep { to, spawned });
        }
        found.steps.push(steps);
        if found.points.len() > most {
            return None;
        }
    }
    Some(found)
}
