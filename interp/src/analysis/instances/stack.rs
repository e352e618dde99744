//! Where the stack of processes can end when a process is created: the slots that a `run` can fill.
//!
//! Each creator is followed from its own slot on (an [`Instance`]), with an interval for the number of processes. Between
//! two steps others may move, unless the process keeps control: then processes that can end may have died down to the
//! first that cannot, and others may have created all that they ever can. Whether the process in a slot can end depends on
//! who can be in it, so the whole is repeated until that is settled.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use cranelift_entity::PrimaryMap;
use promela::ids::ProcTypeId;
use promela::model::CheckedModel;
use promela::source::Span;

use super::creator::{Context, Spawned, Values};
use super::descendants::{ContextId, Count, Descendants};
use super::{Instances, PidSlot, Role, can_end, runs_of, statements};
use crate::analysis::channels;
use crate::analysis::usage::Usage;
use crate::code::flow::Flow;
use crate::code::layout::LIMIT;
use crate::ids::Pc;

/// Rounds in which it is settled which slots can become free, before all are taken to.
const MAX_ROUNDS: usize = 8;
/// Points of all creators together; with more, nothing is known.
const MAX_POINTS: usize = 500_000;

/// Who can be in which slot, and a `run` that can be executed any number of times.
pub(super) fn slots<'m>(
    model: &'m CheckedModel,
    usage: &Usage,
    flows: &PrimaryMap<ProcTypeId, Flow<'m>>,
    instances: &Instances,
) -> (Vec<PidSlot>, Option<Span>) {
    let initial = &instances.initial;
    let mut is_alone: Vec<bool> = model.proctypes.values().map(|proc| proc.active == 1).collect();
    for run in statements(model).flat_map(runs_of) {
        is_alone[run.proctype.as_u32() as usize] = false;
    }
    let has_gates = model.uses_priorities && !instances.has_one_priority;
    let is_held_back = model.proctypes.values().map(|proc| has_gates || proc.provided.is_some()).collect();
    let mut descendants = Descendants::new((model, usage, flows), is_alone, is_held_back);
    let mut channels_before = channels::of_globals(model);
    let mut creators = Vec::new();
    for (slot, &proctype) in initial.iter().enumerate() {
        let context = Context { proctype, args: Vec::new(), channels_before: Some(channels_before) };
        creators.push((descendants.context(context), slot));
        channels_before += channels::of_process(model, &model.proctypes[proctype]).len();
    }
    let created: Count = creators.iter().map(|&(context, _)| descendants.count(context)).sum();
    let most = created.map(|created| initial.len() + created).filter(|&most| most <= LIMIT);
    let can_end: Vec<bool> = flows.values().map(can_end).collect();
    let role = |&proctype: &ProcTypeId| {
        let priority = Some(model.proctypes[proctype].priority.clamp(1, 255) as i32);
        PidSlot { roles: vec![Role { proctype, args: Vec::new(), priority, created_at: Vec::new() }], is_reused: false }
    };
    let first: Vec<PidSlot> = initial.iter().map(role).collect();
    let mut becomes_free = vec![false; LIMIT];
    for round in 0.. {
        let mut search = Search {
            descendants: &mut descendants,
            most: most.unwrap_or(LIMIT),
            becomes_free: &becomes_free,
            slots: first.clone(),
            instances: HashMap::new(),
            waiting: Vec::new(),
            points: 0,
        };
        let total: usize = creators.iter().map(|&(context, _)| search.count(context)).sum();
        for &(context, slot) in &creators {
            let others = total.saturating_sub(search.count(context));
            search.begin(context, slot, Heights { low: initial.len(), high: initial.len(), others });
        }
        if !search.run() {
            break;
        }
        let slots = search.slots;
        let can_be_free = |slot: &PidSlot| slot.roles.iter().any(|role| can_end[role.proctype.as_u32() as usize]);
        let mut now: Vec<bool> = slots.iter().map(can_be_free).collect();
        now.resize(LIMIT, false);
        if now == becomes_free {
            let unbounded = match most {
                Some(_) => None,
                None => descendants.unbounded.or_else(|| Some(Span::default())),
            };
            return (slots, unbounded);
        }
        becomes_free = if round < MAX_ROUNDS { now } else { vec![true; LIMIT] };
        if round > MAX_ROUNDS {
            break;
        }
    }
    // Nothing is known but those that live at least as long as the first that creates others.
    let lasting = creators.iter().position(|&(context, _)| descendants.count(context) != Some(0));
    let known = first.into_iter().take(lasting.map_or(usize::MAX, |first| first + 1)).collect();
    (known, descendants.unbounded.or_else(|| Some(Span::default())))
}

/// The number of processes when a creator starts, and how many others can still create.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Heights {
    low: usize,
    high: usize,
    others: usize,
}

/// A creator in a slot at some point of its control flow.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Point {
    pc: Option<Pc>,
    values: Values,
    /// The fewest processes.
    low: usize,
    /// The most, not counting those that others have created since the start.
    high: usize,
    /// How many the creators among its children can create.
    by_children: usize,
    /// Others may have created processes.
    is_exposed: bool,
    /// No other process has moved since the last step.
    has_control: bool,
    /// The creators it has created since others could last move, with the first and the last slot they may have.
    new: Vec<(ContextId, usize, usize)>,
}

struct Search<'s, 'a, 'm> {
    descendants: &'s mut Descendants<'a, 'm>,
    most: usize,
    /// By slot: the process in it can end.
    becomes_free: &'s [bool],
    slots: Vec<PidSlot>,
    /// The creators by slot, with the heights at which they may start.
    instances: HashMap<(ContextId, usize), Heights>,
    waiting: Vec<(ContextId, usize)>,
    points: usize,
}

impl Search<'_, '_, '_> {
    /// What a context can create, up to SPIN's limit.
    fn count(&self, context: ContextId) -> usize {
        self.descendants.count(context).unwrap_or(LIMIT)
    }

    /// A creator may start in a slot at these heights.
    fn begin(&mut self, context: ContextId, slot: usize, heights: Heights) {
        let heights = Heights { low: heights.low.max(slot + 1), high: heights.high.min(self.most), ..heights };
        let heights = Heights { others: heights.others.min(LIMIT), ..heights };
        if self.count(context) == 0 {
            return;
        }
        let known = self.instances.get(&(context, slot)).copied();
        let joined = known.map_or(heights, |known| Heights {
            low: known.low.min(heights.low),
            high: known.high.max(heights.high),
            others: known.others.max(heights.others),
        });
        if known != Some(joined) {
            self.instances.insert((context, slot), joined);
            self.waiting.push((context, slot));
        }
    }

    /// Follows all creators; `false` if there are too many points.
    fn run(&mut self) -> bool {
        while let Some((context, slot)) = self.waiting.pop() {
            let heights = self.instances[&(context, slot)];
            if !self.instance(context, slot, heights) {
                return false;
            }
        }
        true
    }

    fn instance(&mut self, context: ContextId, slot: usize, heights: Heights) -> bool {
        let Some(known) = self.descendants.get(context) else { return false };
        let (pc, values) = known.creator.start();
        let is_bounded = known.descendants.is_some();
        let start = Point {
            pc: Some(pc),
            values,
            low: heights.low,
            high: heights.high,
            by_children: 0,
            is_exposed: heights.others > 0,
            has_control: false,
            new: Vec::new(),
        };
        let at = Place { context, slot, others: heights.others, is_bounded };
        let start = self.interrupted(&at, start);
        let mut seen = HashSet::from([start.clone()]);
        let mut waiting = vec![start];
        while let Some(point) = waiting.pop() {
            self.points += 1;
            if self.points > MAX_POINTS {
                return false;
            }
            for next in self.successors(&at, &point) {
                if seen.insert(next.clone()) {
                    waiting.push(next);
                }
            }
        }
        true
    }

    fn successors(&mut self, at: &Place, point: &Point) -> Vec<Point> {
        let Some(known) = self.descendants.get(at.context) else { return Vec::new() };
        let Some(pc) = point.pc.filter(|&pc| known.creator.can_run(pc)) else {
            // What it has just created starts all the same.
            if point.has_control {
                self.interrupted(at, point.clone());
            }
            return Vec::new();
        };
        let (moves, may_block) = known.creator.moves(pc, &point.values);
        let mut successors = Vec::new();
        if point.has_control && may_block {
            successors.push(self.interrupted(at, point.clone()));
        }
        for step in moves {
            let mut next = Point { pc: step.to, values: step.values, has_control: true, ..point.clone() };
            for spawned in &step.spawned {
                self.spawn(at, &mut next, spawned);
            }
            successors.push(if step.keeps_control { next } else { self.interrupted(at, next) });
        }
        successors
    }

    /// A process is created: it may get any slot in which the stack can end.
    fn spawn(&mut self, at: &Place, point: &mut Point, spawned: &Spawned) {
        let by_others = if point.is_exposed { at.others + point.by_children } else { 0 };
        let first = point.low;
        let last = if at.is_bounded { (point.high + by_others).min(self.most - 1) } else { self.most - 1 };
        if self.slots.len() <= last {
            self.slots.resize(last + 1, PidSlot::default());
        }
        for slot in first..=last {
            self.slots[slot].add(spawned);
        }
        let context = self.descendants.of(spawned);
        let count = self.count(context);
        if count > 0 {
            point.new.push((context, first, last));
            point.by_children = (point.by_children + count).min(LIMIT);
        }
        if at.is_bounded {
            point.low = (point.low + 1).min(self.most);
            point.high = (point.high + 1).min(self.most);
        }
    }

    /// Others may move: new creators start, processes may die, others may create all they can.
    fn interrupted(&mut self, at: &Place, mut point: Point) -> Point {
        let by_others = at.others + point.by_children;
        let high = if at.is_bounded { point.high + by_others } else { self.most };
        let rest = self.rest(at.context, &point);
        for (context, first, last) in std::mem::take(&mut point.new) {
            let others = at.others + rest + point.by_children.saturating_sub(self.count(context));
            let heights = Heights { low: point.low, high, others };
            (first..=last).for_each(|slot| self.begin(context, slot, heights));
        }
        let runs_follow = point.pc.is_some_and(|pc| self.can_run(at.context, pc)) || by_others > 0;
        if runs_follow {
            self.free_slots(at.slot + 1..high.min(self.slots.len()));
        }
        while point.low > at.slot + 1 && self.becomes_free[point.low - 1] {
            point.low -= 1;
        }
        point.is_exposed |= by_others > 0;
        point.has_control = false;
        point
    }

    /// The processes in these slots may die while others can still be created.
    fn free_slots(&mut self, slots: Range<usize>) {
        for slot in slots {
            self.slots[slot].is_reused |= self.becomes_free[slot];
        }
    }

    fn can_run(&self, context: ContextId, pc: Pc) -> bool {
        self.descendants.get(context).is_some_and(|known| known.creator.can_run(pc))
    }

    /// What a creator can still create.
    fn rest(&self, context: ContextId, point: &Point) -> usize {
        let Some(pc) = point.pc else { return 0 };
        let known = self.descendants.get(context);
        let rest = known.and_then(|known| known.rest.get(&(pc, point.values.clone())));
        rest.map_or(0, |rest| rest.unwrap_or(LIMIT))
    }
}

/// Which creator is followed, and what is the same at all its points.
struct Place {
    context: ContextId,
    slot: usize,
    others: usize,
    is_bounded: bool,
}

impl PidSlot {
    fn add(&mut self, spawned: &Spawned) {
        let Spawned { proctype, args, priority, span } = spawned;
        let Some(role) = self.roles.iter_mut().find(|role| role.proctype == *proctype) else {
            let (args, created_at) = (args.clone(), vec![*span]);
            self.roles.push(Role { proctype: *proctype, args, priority: *priority, created_at });
            return;
        };
        role.args.resize(role.args.len().min(args.len()), None);
        for (known, arg) in role.args.iter_mut().zip(args) {
            *known = known.filter(|known| Some(*known) == *arg);
        }
        role.priority = role.priority.filter(|known| Some(*known) == *priority);
        if !role.created_at.contains(span) {
            role.created_at.push(*span);
        }
    }
}
