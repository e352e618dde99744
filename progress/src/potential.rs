//! A potential: weights of locations, counters and channels such that their sum never falls, and rises along as many
//! edges as possible.
//!
//! What a process does in a cycle is progress if it is paid for: a message is received and not sent again, a retry is
//! taken from those that are left. No such thing is monotone by itself, but their weighted sum is if every edge agrees. So
//! each edge that can be executed is an inequality over the unknown weights: what its target and its effects weigh more is
//! not negative. A linear program finds weights for which as many edges as possible gain something; they are made whole
//! numbers, and the weights of locations follow from them as lengths of paths, which shows whether they are right.
//! Invariant: no edge loses, as long as counters neither wrap round nor are written in a way that is not seen here.
//!
//! Schmidt, "Automated Generation of a Progress Measure for the Sweep-Line Method", TACAS 2004, does it for Petri nets,
//! where places are the locations and channels.

use cranelift_entity::EntityRef;
use fxhash::{FxHashMap, FxHashSet};
use interp::Model;
use interp::code::layout::{ChannelPlace, Slot};
use interp::code::program::{Argument, Block, Graph, Guard, Instruction, Node, Program, Target};
use interp::code::state::Field;
use interp::ids::{NodeId, TemplateId};
use interp::model::Process;
use promela::model::BinaryOp;

use crate::component::{Claim, Component, Life, Source, largest, rooted};
use crate::live::{Live, Values};
use crate::process;
use crate::simplex;

/// The most edges in cycles, over all processes.
const MOST_EDGES: usize = 500;
/// Weights are whole after multiplication with at most this.
const MOST_SCALE: u32 = 24;
/// Larger ones are not useful, and are not added up.
const MOST_WEIGHT: f64 = 4096.0;
/// This many quantities are named.
const MOST_NAMED: usize = 12;
/// Whole up to this.
const EXACT: f64 = 1e-3;
/// What a unit of the potential costs, relative to an edge that rises: potentials that rise no more than they must have
/// more values that are next to each other.
const PRICE: f64 = 1e-3;

/// Where a quantity is, and whose it is, if it is not global.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Place {
    owner: Option<usize>,
    word: u32,
    shift: u8,
}

/// Something that is weighed, but no location: a variable, or the messages in a channel.
struct Counted {
    name: String,
    owner: Option<usize>,
    field: Field,
}

/// How much a quantity changes, at least and at most.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Change {
    quantity: usize,
    low: i32,
    high: i32,
}

/// A step of a process between two nodes: its locations, those inside its `d_step`s, and its end.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Step {
    from: usize,
    to: usize,
    changes: Vec<Change>,
}

/// What a process does.
#[derive(Debug)]
struct Moves {
    nodes: usize,
    start: usize,
    steps: Vec<Step>,
    /// The strongly connected component of each node.
    part: Vec<u32>,
}

/// The potential of a model, if there is one that is more than the order of locations.
pub fn component(model: &Model) -> Option<Component> {
    let processes = rooted(model);
    let mut reader = Reader::new(model, &processes);
    let measured = processes.iter().enumerate();
    let mut moves: Vec<Moves> = measured
        .map(|(number, (process, life))| match life.is_replaced {
            false => reader.moves(Some(number), process.template),
            true => reader.moves(None, process.template).merged(),
        })
        .collect();
    // Of those that are not measured, only what they do to others counts.
    let is_measured =
        |template| model.layout.is_fixed && processes.iter().any(|(process, _)| process.template == template);
    let others = model.program.templates.keys().filter(|&template| !is_measured(template));
    moves.extend(others.map(|template| reader.moves(None, template).merged()));
    let Weights { by_quantity, rising } = weights(&moves, &reader)?;
    let mut parts = Vec::new();
    let heights = moves.iter().zip(&rising).map(|(moves, rising)| heights(moves, rising, &by_quantity));
    let heights: Vec<Vec<i64>> = heights.collect::<Option<_>>()?;
    for ((process, life), heights) in processes.iter().zip(&heights) {
        let least = heights.iter().copied().min().unwrap_or(0);
        let above = |height: &i64| u32::try_from(height - least).ok();
        let ranks: Vec<u32> = heights.iter().map(above).collect::<Option<_>>()?;
        let max = ranks.iter().copied().max().unwrap_or(0);
        if max > 0 {
            parts.push((part(process::rank(model, *process, life, &ranks, max), max, false), 1));
        }
    }
    let mut words = Vec::new();
    for (counted, &weight) in reader.quantities.iter().zip(&by_quantity).filter(|(_, weight)| **weight != 0) {
        let Counted { name, owner, field } = counted;
        let life = owner.map(|number| processes[number].1.clone());
        words.push(format!("{} {} * {name}", if weight < 0 { "-" } else { "+" }, weight.unsigned_abs()));
        let source = Source::Fields { fields: vec![*field], life };
        parts.push((part(source, largest(*field), weight < 0), weight.unsigned_abs()));
    }
    // A sum of one is a component already.
    if words.is_empty() || parts.len() < 2 {
        return None;
    }
    let unnamed = words.len().saturating_sub(MOST_NAMED);
    words.truncate(MOST_NAMED);
    if unnamed > 0 {
        words.push(format!("and {unnamed} more"));
    }
    let max = parts.iter().try_fold(0u32, |sum, (part, weight)| sum.checked_add(part.max.checked_mul(*weight)?))?;
    Some(Component {
        name: "potential".into(),
        reason: format!("ranks of locations {}: no statement lowers it, unless a variable wraps", words.join(" ")),
        claim: Claim::Presumed,
        max,
        falling: false,
        is_control: false,
        is_order: false,
        source: Source::Sum(parts),
    })
}

/// A part of the sum.
fn part(source: Source, max: u32, falling: bool) -> Component {
    let (name, reason) = (String::new(), String::new());
    Component { name, reason, claim: Claim::None, max, falling, is_control: false, is_order: false, source }
}

impl Moves {
    /// All nodes as one: where the process stands is not weighed.
    fn merged(self) -> Moves {
        let mut known = FxHashSet::default();
        let steps = self.steps.into_iter().map(|step| Step { from: 0, to: 0, ..step });
        let steps = steps.filter(|step| !step.changes.is_empty() && known.insert(step.clone())).collect();
        Moves { nodes: 1, start: 0, steps, part: vec![0] }
    }
}

/// Whole weights.
struct Weights {
    by_quantity: Vec<i32>,
    /// For each process, the steps that are to rise.
    rising: Vec<Vec<bool>>,
}

/// The weights of quantities for which most steps in cycles rise.
fn weights(moves: &[Moves], reader: &Reader) -> Option<Weights> {
    let in_cycles = |moves: &Moves| -> Vec<usize> {
        let stays = |step: &Step| moves.part[step.from] == moves.part[step.to];
        (0..moves.steps.len()).filter(|&step| stays(&moves.steps[step])).collect()
    };
    let cycles: Vec<Vec<usize>> = moves.iter().map(in_cycles).collect();
    let count: usize = cycles.iter().map(Vec::len).sum();
    if count == 0 || count > MOST_EDGES {
        return None;
    }
    let mut program = simplex::Program::default();
    let quantities = reader.quantities.len();
    // What is only ever changed in ways that are not known for sure is not worth a weight.
    let mut is_useful = vec![false; quantities];
    for change in moves.iter().flat_map(|moves| &moves.steps).flat_map(|step| &step.changes) {
        is_useful[change.quantity] |= change.low > 0 || change.high < 0;
    }
    let weighed = |quantity: usize| is_useful[quantity] && !reader.banned.contains(&quantity);
    let mut up = vec![None; quantities];
    let mut down = vec![None; quantities];
    for quantity in (0..quantities).filter(|&quantity| weighed(quantity)) {
        up[quantity] = Some(program.variable(-PRICE, f64::INFINITY));
        down[quantity] = Some(program.variable(-PRICE, f64::INFINITY));
    }
    let mut gains = Vec::new();
    for (moves, cycles) in moves.iter().zip(&cycles) {
        let mut heights = vec![None; moves.nodes];
        for &step in cycles {
            let Step { from, to, changes } = &moves.steps[step];
            let gain = program.variable(1.0, 1.0);
            let mut row = vec![(gain, 1.0)];
            for (node, factor) in [(*from, 1.0), (*to, -1.0)] {
                let height = *heights[node].get_or_insert_with(|| program.variable(0.0, f64::INFINITY));
                row.push((height, factor));
            }
            for change in changes {
                row.extend(up[change.quantity].map(|up| (up, -f64::from(change.low))));
                row.extend(down[change.quantity].map(|down| (down, f64::from(change.high))));
            }
            // What is gained beyond that has its price.
            for &(variable, factor) in &row[1..] {
                program.worth[variable] += PRICE * factor;
            }
            program.rows.push(row);
            gains.push(gain);
        }
    }
    let values = program.solve()?;
    let weight = |quantity: usize| -> f64 {
        let of = |variable: Option<usize>| variable.map_or(0.0, |variable| values[variable]);
        of(up[quantity]) - of(down[quantity])
    };
    let scale = (1..=MOST_SCALE).map(f64::from).find(|scale| {
        (0..quantities).all(|quantity| {
            let scaled = weight(quantity) * scale;
            (scaled - scaled.round()).abs() < EXACT && scaled.abs() <= MOST_WEIGHT
        })
    })?;
    let by_quantity = (0..quantities).map(|quantity| (weight(quantity) * scale).round() as i32).collect();
    let mut gains = gains.into_iter();
    let rising = moves.iter().zip(&cycles).map(|(moves, cycles)| {
        // What leaves a cycle can always rise.
        let mut rising = vec![true; moves.steps.len()];
        for (&step, gain) in cycles.iter().zip(&mut gains) {
            rising[step] = values[gain] * scale > 1.0 - EXACT;
        }
        rising
    });
    Some(Weights { rising: rising.collect(), by_quantity })
}

/// The least weights of the nodes of a process for which no step falls and those rise that are to; `None` if there are
/// none.
fn heights(moves: &Moves, rising: &[bool], weights: &[i32]) -> Option<Vec<i64>> {
    let least = |change: &Change| {
        let weight = i64::from(weights[change.quantity]);
        (weight * i64::from(change.low)).min(weight * i64::from(change.high))
    };
    let length = |(step, &rises): (&Step, &bool)| i64::from(rises) - step.changes.iter().map(least).sum::<i64>();
    let lengths: Vec<i64> = moves.steps.iter().zip(rising).map(length).collect();
    let mut heights: Vec<Option<i64>> = vec![None; moves.nodes];
    heights[moves.start] = Some(0);
    for _ in 0..=moves.nodes {
        let mut changed = false;
        for (step, length) in moves.steps.iter().zip(&lengths) {
            let Some(height) = heights[step.from].map(|height| height + length) else { continue };
            if heights[step.to].is_none_or(|known| known < height) {
                heights[step.to] = Some(height);
                changed = true;
            }
        }
        if !changed {
            return Some(heights.into_iter().map(|height| height.unwrap_or(0)).collect());
        }
    }
    None
}

/// Reads what edges do.
struct Reader<'m> {
    model: &'m Model,
    program: &'m Program,
    live: Live<'m>,
    quantities: Vec<Counted>,
    numbers: FxHashMap<Place, usize>,
    /// What is written in ways that are not followed.
    banned: FxHashSet<usize>,
    process: Option<usize>,
    template: TemplateId,
}

impl<'m> Reader<'m> {
    fn new(model: &'m Model, processes: &[(Process, Life)]) -> Self {
        let mut reader = Reader {
            model,
            program: &model.program,
            live: Live::of(model),
            quantities: Vec::new(),
            numbers: FxHashMap::default(),
            banned: FxHashSet::default(),
            process: None,
            template: TemplateId::new(0),
        };
        for (id, var) in &model.checked.globals {
            if let Some(slot) = &model.layout.globals[id] {
                reader.count(None, &var.name, slot);
            }
        }
        for (number, (process, life)) in processes.iter().enumerate().filter(|(_, (_, life))| !life.is_replaced) {
            let layout = &model.layout.templates[process.template];
            let proc = &model.checked.proctypes[layout.proctype];
            for (id, var) in &proc.locals {
                if let Some(slot) = &layout.locals[id] {
                    reader.count(Some(number), &format!("{}({}):{}", proc.name, life.pid, var.name), slot);
                }
            }
        }
        for (number, place) in model.layout.channels.iter().enumerate() {
            if model.layout.shapes[place.ty].capacity > 0 {
                reader.count(None, &format!("messages in channel {}", number + 1), &Slot::Value(place.len));
            }
        }
        reader
    }

    /// The fields of a variable can be weighed.
    fn count(&mut self, owner: Option<usize>, name: &str, slot: &Slot) {
        match slot {
            Slot::Value(field) => {
                self.numbers.insert(Place { owner, word: field.word, shift: field.shift }, self.quantities.len());
                self.quantities.push(Counted { name: name.to_owned(), owner, field: *field });
            }
            Slot::Struct(slots) => {
                for (index, inner) in slots.iter().enumerate() {
                    self.count(owner, &format!("{name}.{index}"), inner);
                }
            }
            _ => {}
        }
    }

    /// What a process can do, by the number of its place, if its locals can be weighed.
    fn moves(&mut self, process: Option<usize>, template: TemplateId) -> Moves {
        (self.process, self.template) = (process, template);
        let graph = &self.program.templates[template].graph;
        let end = graph.locations.len();
        let mut moves = Moves { nodes: end + 1, start: graph.start.index(), steps: Vec::new(), part: Vec::new() };
        self.graph(graph, 0, end, &mut moves);
        // The channels of a process end with it.
        let lost = self.lost(template);
        moves.steps.iter_mut().filter(|step| step.to == end).for_each(|step| step.changes.extend_from_slice(&lost));
        let mut successors = vec![Vec::new(); moves.nodes];
        moves.steps.iter().for_each(|step| successors[step.from].push(step.to));
        moves.part = graph::components(&successors).rank;
        moves
    }

    /// What is lost with a process of this template.
    fn lost(&self, template: TemplateId) -> Vec<Change> {
        let (first, count) = self.model.layout.templates[template].channels;
        let places = self.model.layout.channels.iter().skip(first).take(count);
        let change = |place: &ChannelPlace| {
            let capacity = self.model.layout.shapes[place.ty].capacity as i32;
            Some(Change { quantity: self.quantity(place.len)?, low: -capacity, high: 0 })
        };
        places.filter_map(change).collect()
    }

    /// The steps of a graph whose first location has the number `first` and which ends at `end`.
    fn graph(&mut self, graph: &Graph, first: usize, end: usize, moves: &mut Moves) {
        let mut known = FxHashSet::default();
        for (location, edges) in &graph.locations {
            for edge in edges.edges() {
                if !self.live.contains(edge) {
                    continue;
                }
                let edge = self.program.edges[edge];
                let mut changes = Changes::default();
                let from = first + location.index();
                let to = edge.to.map_or(end, |to| first + to.index());
                self.block(edge.effect, &mut changes);
                let mut step = Step { from, to, changes: changes.sorted() };
                if let Guard::DStep(inner) = edge.guard {
                    let graph = &self.program.d_steps[inner as usize];
                    let (first, end) = (moves.nodes, moves.nodes + graph.locations.len());
                    moves.nodes = end + 1;
                    let enters = Step { from, to: first + graph.start.index(), changes: Vec::new() };
                    moves.steps.push(enters);
                    self.graph(graph, first, end, moves);
                    step.from = end;
                }
                if known.insert(step.clone()) {
                    moves.steps.push(step);
                }
            }
        }
    }

    fn block(&mut self, block: Block, changes: &mut Changes) {
        for instruction in &self.program.instructions[block.start as usize..block.end as usize] {
            match *instruction {
                Instruction::SetConst(field, value) => self.set(field, Some(vec![value]), changes),
                Instruction::Add(field, by) => {
                    if let Some(quantity) = self.quantity(field) {
                        changes.add(quantity, by, by);
                    }
                }
                Instruction::Set(field, value) | Instruction::Store(Target::Field(field), value) => {
                    match self.added(field, value) {
                        Some(by) => {
                            if let Some(quantity) = self.quantity(field) {
                                changes.add(quantity, by, by);
                            }
                        }
                        None => self.set(field, self.live.eval(self.template, value), changes),
                    }
                }
                Instruction::Send(send) => self.send(send, changes),
                Instruction::Receive(receive) => self.receive(receive, changes),
                Instruction::NewChannel(_, Target::Field(field)) => self.set(field, None, changes),
                _ => {}
            }
        }
    }

    /// What is added to a field by storing a value in it.
    fn added(&self, field: Field, value: NodeId) -> Option<i32> {
        let Node::Binary(op, a, b) = self.program.nodes[value] else { return None };
        let is_self = |node: Node| matches!(node, Node::Load(from) if from == field);
        match (op, self.program.nodes[a], self.program.nodes[b]) {
            (BinaryOp::Add, own, Node::Const(by)) | (BinaryOp::Add, Node::Const(by), own) if is_self(own) => Some(by),
            (BinaryOp::Sub, own, Node::Const(by)) if is_self(own) => by.checked_neg(),
            _ => None,
        }
    }

    /// A field gets one of these values.
    fn set(&mut self, field: Field, to: Values, changes: &mut Changes) {
        let Some(quantity) = self.quantity(field) else { return };
        let bounds = |values: &Values| Some((*values.as_ref()?.first()?, *values.as_ref()?.last()?));
        match (bounds(&to), bounds(&self.live.values(self.template, field))) {
            (Some((low, high)), Some((least, most))) => {
                changes.add(quantity, low.saturating_sub(most), high.saturating_sub(least));
            }
            _ => {
                self.banned.insert(quantity);
            }
        }
    }

    fn quantity(&self, field: Field) -> Option<usize> {
        let owner = if field.local { Some(self.process?) } else { None };
        self.numbers.get(&Place { owner, word: field.word, shift: field.shift }).copied()
    }

    fn send(&mut self, send: u32, changes: &mut Changes) {
        self.messages(self.program.sends[send as usize].chan, 1, changes);
    }

    fn receive(&mut self, receive: u32, changes: &mut Changes) {
        if !self.program.receives[receive as usize].copy {
            self.messages(self.program.receives[receive as usize].chan, -1, changes);
        }
        self.bind(receive, changes);
    }

    /// A message more or less in a channel, or in any if it is not known which.
    fn messages(&mut self, chan: NodeId, by: i32, changes: &mut Changes) {
        let places = &self.model.layout.channels;
        match self.program.nodes[chan] {
            Node::Const(number) => {
                let place = usize::try_from(number).ok().and_then(|number| places.get(number.checked_sub(1)?));
                if let Some(quantity) = place.and_then(|place| self.quantity(place.len)) {
                    changes.add(quantity, by, by);
                }
            }
            _ => {
                for quantity in places.iter().filter_map(|place| self.quantity(place.len)) {
                    changes.add(quantity, by.min(0), by.max(0));
                }
            }
        }
    }

    fn bind(&mut self, receive: u32, changes: &mut Changes) {
        let receive = &self.program.receives[receive as usize];
        for (number, argument) in receive.args.iter().enumerate() {
            if let Argument::Bind(Target::Field(field)) = *argument {
                self.set(field, self.live.received(receive, number), changes);
            }
        }
    }
}

/// Changes of several quantities, in any order.
#[derive(Default)]
struct Changes(FxHashMap<usize, (i32, i32)>);

impl Changes {
    fn add(&mut self, quantity: usize, low: i32, high: i32) {
        let known = self.0.entry(quantity).or_default();
        *known = (known.0.saturating_add(low), known.1.saturating_add(high));
    }

    fn sorted(self) -> Vec<Change> {
        let changes = self.0.into_iter().filter(|(_, change)| *change != (0, 0));
        let mut sorted: Vec<Change> = changes.map(|(quantity, (low, high))| Change { quantity, low, high }).collect();
        sorted.sort_unstable_by_key(|change| change.quantity);
        sorted
    }
}
