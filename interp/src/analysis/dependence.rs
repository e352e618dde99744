//! Which steps of a process depend on what other processes may still do: the base of partial order reduction.
//!
//! T(l) is what a process at location l can do next, executable or not; F(m) is everything that a process at location m can
//! ever do, its death included, and everything that processes can do which it may create. A *persistent cluster* is a set of
//! processes such that no T of theirs depends on an F of the others. Whatever the others do on their own, the cluster's
//! steps stay as they are and commute with it; so all of them together may stand for all steps of a state.
//!
//! Dependence follows the footprints of edges (`footprint.rs`), with what bits cannot say:
//! - A send that has room and a receive that has a message work at two ends of a channel: they depend on each other only
//!   while the channel is full (the send waits for receives) or empty (the receive waits for sends). That is known in each
//!   state, so there are conditional rows beside those that always hold.
//! - A rendezvous is a step of two processes: who may offer belongs together with who may accept, now or later.
//! - A step that begins an atomic sequence is the whole sequence, and so is what the process does after an offer inside the
//!   same step: control may come back to it. In F it ends behind a statement that nobody else can tell from none
//!   (`dependence/movers.rs`).
//! - Creation and death are ordered by their effect on the number of processes. But only the youngest process can die, and
//!   while it lives nobody older does: if it is in the cluster, the others do not die. And a process that is created comes
//!   into a slot above all that live.
//! - Who asks whether others can move (`enabled`, priorities) reads their guards (`dependence/guards.rs`).
//! - Globals that are irrelevant are zero in every state: nothing depends on them.
//! - `timeout` in T depends on everything. In F it depends on nothing: while the cluster has a step that is not taken, and
//!   nobody else can take that away, there is no timeout.
//!
//! Invariant: if process p at l and another process q at m are in a state in which [`Dependence::depends`] says no, then no
//! run in which p does not move makes a step of T(l) executable, not executable, or different in its effect by what q does.
//!
//! Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems", LNCS 1032, 1996, chapters 3 and 4.

mod conflict;
mod exclusive;
pub mod explain;
mod guards;
mod movers;

use cranelift_entity::{EntityRef, EntitySet, SecondaryMap};
use fxhash::FxHashMap;
use graph::Components;
use promela::ids::ProcTypeId;

use crate::analysis::footprint::{ChannelUse, Footprint, StateBits};
use crate::code::flow::LocationFlags;
use crate::code::layout::Layout;
use crate::code::program::{Block, Guard, Instruction, Node, Program};
use crate::exec::channel::Channel;
use crate::exec::dispatch::Dispatch;
use crate::ids::{EdgeId, ExpressionId, NodeId, Pc, TemplateId};
use crate::model::{Model, Tables};
use conflict::Conflicts;
use guards::Guards;
use movers::Movers;
use statespace::Word;

/// The most bits of all rows together.
const MOST_BITS: usize = 1 << 28;

/// What looks at the states of a search from outside.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    /// Expressions whose values matter: atoms of formulas, questions.
    pub expressions: Vec<ExpressionId>,
    /// Expressions that only guide the search: steps need not be seen, but what is read keeps its values.
    pub guides: Vec<ExpressionId>,
    /// Labels that matter.
    pub labels: LocationFlags,
    /// Never claims look at the states.
    pub by_claims: bool,
}

/// Dependence between the locations of all templates.
#[derive(Clone, Debug)]
pub struct Dependence {
    /// By number of location (see [`crate::exec::dispatch::LocationInfo`]).
    places: Vec<Place>,
    /// Rows of bits, one bit for each future.
    rows: Vec<u64>,
    /// Words of a row.
    row_words: usize,
    /// For some location it matters whether others die.
    minds_deaths: bool,
}

/// One location.
#[derive(Clone, Debug)]
struct Place {
    /// Which F is that of the location.
    future: u32,
    /// The futures on which T depends in every state, if their processes do not die meanwhile.
    always: Row,
    /// The same if they may.
    mortal: Row,
    /// Channels with the futures on which T depends while they are full.
    full: Box<[(u8, Row)]>,
    /// Channels with the futures on which T depends while they are empty.
    empty: Box<[(u8, Row)]>,
    flags: PlaceFlags,
}

bitflags::bitflags! {
    /// What else is known of T of a location.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    struct PlaceFlags: u8 {
        /// It depends on no future of anybody.
        const LOCAL = 1;
        /// The process can only die.
        const DIES = 1 << 1;
        /// It may change what is observed.
        const VISIBLE = 1 << 2;
        /// It has a back edge: every cycle of the control flow has such a location.
        const STICKY = 1 << 3;
        /// There is nothing to do.
        const STUCK = 1 << 4;
        /// It depends on every future.
        const GLOBAL = 1 << 5;
        /// No two of its edges are executable in one state.
        const SINGLE = 1 << 6;
    }
}

/// A row of bits, by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Row(u32);

impl Row {
    /// No future.
    const NONE: Row = Row(0);
}

impl Dependence {
    /// The dependences of a model; `None` if it has too many locations for a table. `irrelevant` are bits of globals that
    /// every state is cleared of. With `moves`, atomic sequences may be interrupted behind movers.
    pub(crate) fn new(model: &Model, observed: &Observed, irrelevant: &StateBits, moves: bool) -> Option<Self> {
        let Model { program, layout, dispatch, .. } = model;
        let conflicts = Conflicts { program, layout, irrelevant };
        let guards = Guards::new(program, layout);
        let watched = Watched::new(program, layout, observed);
        let movers = match moves {
            true => Movers::find(&conflicts, dispatch, &watched),
            false => Movers::default(),
        };
        let futures = Futures::new(model, &movers, &guards);
        let locations: usize = program.templates.values().map(|template| template.graph.locations.len()).sum();
        if locations.saturating_mul(futures.all.len()) > MOST_BITS {
            return None;
        }
        let row_words = futures.all.len().div_ceil(64);
        let mut builder = Builder {
            program,
            layout,
            dispatch,
            conflicts,
            guards,
            futures,
            known: FxHashMap::default(),
            rows: vec![0; row_words],
            row_words,
        };
        let mut places = Vec::with_capacity(locations);
        for (id, template) in &program.templates {
            let reach = Reach::new(program, id);
            for pc in template.graph.locations.keys() {
                places.push(builder.place(id, pc, &reach, &watched));
            }
        }
        let minds_deaths = places.iter().any(|place| place.always != place.mortal);
        Some(Dependence { places, rows: builder.rows, row_words, minds_deaths })
    }

    /// The futures of all processes of a state, as a row of bits, by the numbers of their locations.
    #[inline]
    pub fn add_futures(&self, numbers: &[u32], row: &mut Vec<u64>) {
        row.resize(self.row_words, 0);
        for &number in numbers {
            let future = self.places[number as usize].future;
            row[future as usize / 64] |= 1 << (future % 64);
        }
    }

    /// On so many other processes T of a location depends at least, if the processes of a state have these futures.
    #[inline]
    pub fn least_others(&self, location: u32, futures: &[u64]) -> u32 {
        let Place { future, always, flags, .. } = self.places[location as usize];
        if flags.contains(PlaceFlags::DIES) {
            return 0;
        }
        let row = &self.rows[always.0 as usize * self.row_words..][..self.row_words];
        let common = row.iter().zip(futures).map(|(&row, &futures)| (row & futures).count_ones());
        common.sum::<u32>() - u32::from(self.has(always, future))
    }

    /// Whether T of a process depends on F of another one, by the numbers of their locations. `dies`: whether that one may
    /// die meanwhile.
    #[inline]
    pub fn depends(
        &self,
        model: &Model,
        words: &[Word],
        tables: &Tables,
        (one, other): (u32, u32),
        dies: bool,
    ) -> bool {
        let (place, future) = (&self.places[one as usize], self.places[other as usize].future);
        let holds = |&(chan, row): &(u8, Row), is_it: fn(Channel, &[Word]) -> bool| {
            self.has(row, future) && {
                let place = tables.chans[usize::from(chan) - 1];
                is_it(Channel { place, shape: &model.layout.shapes[place.ty] }, words)
            }
        };
        self.has(if dies { place.mortal } else { place.always }, future)
            || place.full.iter().any(|full| holds(full, |chan, words| chan.is_full(words)))
            || place.empty.iter().any(|empty| holds(empty, |chan, words| chan.len(words) == 0))
    }

    /// Whether it ever matters that others may die.
    #[inline]
    pub fn minds_deaths(&self) -> bool {
        self.minds_deaths
    }

    #[inline]
    fn has(&self, row: Row, future: u32) -> bool {
        self.rows[row.0 as usize * self.row_words + future as usize / 64] & (1 << (future % 64)) != 0
    }

    /// Whether T of a location depends on nothing that others do.
    #[inline]
    pub fn is_local(&self, location: u32) -> bool {
        self.places[location as usize].flags.contains(PlaceFlags::LOCAL)
    }

    /// Whether a cluster that is not everybody, with a single step if that is wanted, may be found from a location.
    #[inline]
    pub fn may_begin(&self, location: u32, is_single: bool) -> bool {
        let flags = self.places[location as usize].flags;
        let is_hopeless = flags.intersects(PlaceFlags::GLOBAL | PlaceFlags::STUCK);
        // Alone it costs little to find out how many steps there are.
        !is_hopeless && (!is_single || flags.intersects(PlaceFlags::SINGLE | PlaceFlags::LOCAL))
    }

    /// Whether T of a location depends on everything that others do.
    #[inline]
    pub fn is_global(&self, location: u32) -> bool {
        self.places[location as usize].flags.contains(PlaceFlags::GLOBAL)
    }

    /// Whether a process at a location can only die.
    #[inline]
    pub fn only_dies(&self, location: u32) -> bool {
        self.places[location as usize].flags.contains(PlaceFlags::DIES)
    }

    /// Whether a process at a location has nothing to do.
    #[inline]
    pub fn is_stuck(&self, location: u32) -> bool {
        self.places[location as usize].flags.contains(PlaceFlags::STUCK)
    }

    /// Whether at most one edge of a location is executable in any state.
    #[inline]
    pub fn is_single(&self, location: u32) -> bool {
        self.places[location as usize].flags.contains(PlaceFlags::SINGLE)
    }

    /// Whether T of a location may change what is observed.
    #[inline]
    pub fn is_visible(&self, location: u32) -> bool {
        self.places[location as usize].flags.contains(PlaceFlags::VISIBLE)
    }

    /// Whether T of a location has a back edge of the control flow.
    #[inline]
    pub fn is_sticky(&self, location: u32) -> bool {
        self.places[location as usize].flags.contains(PlaceFlags::STICKY)
    }
}

/// Whether a process of one template may live beside one of the other.
fn may_live_together(layout: &Layout, own: TemplateId, other: TemplateId) -> bool {
    let pid = |id: TemplateId| layout.templates[id].pid;
    !layout.is_fixed || pid(own) != pid(other)
}

/// All futures: one for each strongly connected component of each control flow.
struct Futures {
    all: Vec<Future>,
    /// By number of location.
    of: Vec<u32>,
    /// By template: those of its components, and that of its start.
    by_template: Vec<(std::ops::Range<usize>, usize)>,
    /// By proctype: those it may create, and those which they may.
    creates: SecondaryMap<ProcTypeId, EntitySet<ProcTypeId>>,
}

/// Everything that a process can still do.
struct Future {
    /// All edges that it can reach.
    own: Footprint,
    /// The proctypes of which it may create processes, directly or not.
    creates: EntitySet<ProcTypeId>,
}

impl Futures {
    fn new(model: &Model, movers: &Movers, guards: &Guards) -> Self {
        let Model { program, layout, dispatch, .. } = model;
        let mut futures =
            Futures { all: Vec::new(), of: Vec::new(), by_template: Vec::new(), creates: closure(program) };
        for (id, template) in &program.templates {
            let locations = &template.graph.locations;
            let successors: Vec<Vec<usize>> = locations
                .values()
                .map(|location| location.edges().filter_map(|edge| program.edges[edge].to).map(Pc::index).collect())
                .collect();
            let Components { rank, members, .. } = graph::components(&successors);
            let first = futures.all.len();
            let mut components: Vec<Future> = Vec::with_capacity(members.len());
            // Later components first: they are what the others lead to.
            for nodes in members.iter().rev() {
                let mut future = Future { own: Footprint::new(id), creates: EntitySet::new() };
                for &node in nodes {
                    for edge in locations[Pc::new(node)].edges() {
                        if let Some(footprint) = movers.footprint(dispatch, edge) {
                            future.own.extend(footprint);
                        }
                        for proctype in run_by(program, edge) {
                            future.creates.insert(proctype);
                            futures.creates[proctype].iter().for_each(|next| {
                                future.creates.insert(next);
                            });
                        }
                    }
                    for &next in &successors[node] {
                        // From the end: the components after this one are there.
                        if let Some(later) = components.get(members.len() - 1 - rank[next] as usize) {
                            future.own.extend(&later.own);
                            later.creates.iter().for_each(|next| {
                                future.creates.insert(next);
                            });
                        }
                    }
                }
                guards.resolve(&mut future.own);
                components.push(future);
            }
            components.reverse();
            futures.of.extend(rank.iter().map(|&rank| first as u32 + rank));
            let start = first + rank[template.graph.start.index()] as usize;
            futures.all.extend(components);
            futures.by_template.push((first..futures.all.len(), start));
        }
        debug_assert!(layout.templates.len() == futures.by_template.len(), "every template has a layout");
        futures
    }
}

/// The proctypes of which an edge creates processes.
fn run_by(program: &Program, edge: EdgeId) -> impl Iterator<Item = ProcTypeId> {
    let edge = &program.edges[edge];
    let inside = match edge.guard {
        Guard::DStep(d_step) => Some(&program.d_steps[d_step as usize]),
        _ => None,
    };
    let inner = inside.into_iter().flat_map(|graph| graph.locations.values()).flat_map(|location| location.edges());
    let blocks = inner.map(|edge| program.edges[edge].effect).chain([edge.effect]);
    blocks.flat_map(|Block { start, end }| &program.instructions[start as usize..end as usize]).filter_map(
        |instruction| match *instruction {
            Instruction::Run(run) => Some(program.runs[run as usize].proctype),
            _ => None,
        },
    )
}

/// Which proctypes each proctype may create, directly or not.
fn closure(program: &Program) -> SecondaryMap<ProcTypeId, EntitySet<ProcTypeId>> {
    let mut creates: SecondaryMap<ProcTypeId, EntitySet<ProcTypeId>> = SecondaryMap::new();
    let mut has_grown = true;
    while has_grown {
        has_grown = false;
        for template in program.templates.values() {
            let edges = template.graph.locations.values().flat_map(|location| location.edges());
            for proctype in edges.flat_map(|edge| run_by(program, edge)) {
                let further: Vec<ProcTypeId> = creates[proctype].iter().collect();
                for next in further.into_iter().chain([proctype]) {
                    has_grown |= creates[template.proctype].insert(next);
                }
            }
        }
    }
    creates
}

/// The locations at which a process can be inside the step that takes it from another one.
struct Reach<'p> {
    program: &'p Program,
    template: TemplateId,
    /// Some process keeps control when it accepts an offer, so control may come back to who has offered.
    comes_back: bool,
    /// Back edges of the control flow: every cycle has one.
    back: EntitySet<EdgeId>,
}

impl<'p> Reach<'p> {
    fn new(program: &'p Program, template: TemplateId) -> Self {
        let comes_back =
            program.templates.values().flat_map(|template| template.graph.locations.values()).any(|location| {
                location.edges().any(|edge| program.edges[edge].atomic && program.edges[edge].guard.receive().is_some())
                    || location.edges().any(|edge| matches!(program.edges[edge].guard, Guard::DStep(_)))
            });
        let mut reach = Reach { program, template, comes_back, back: EntitySet::new() };
        reach.find_back_edges();
        reach
    }

    /// The back edges of a depth-first search from the start.
    fn find_back_edges(&mut self) {
        const NEW: u8 = 0;
        const OPEN: u8 = 1;
        const DONE: u8 = 2;
        let graph = &self.program.templates[self.template].graph;
        let mut colours: SecondaryMap<Pc, u8> = SecondaryMap::with_default(NEW);
        for root in std::iter::once(graph.start).chain(graph.locations.keys()) {
            if colours[root] != NEW {
                continue;
            }
            colours[root] = OPEN;
            let mut path = vec![(root, graph.locations[root].first)];
            while let Some(&mut (pc, ref mut next)) = path.last_mut() {
                if *next == graph.locations[pc].end {
                    colours[pc] = DONE;
                    path.pop();
                    continue;
                }
                let edge = EdgeId::from_u32(*next);
                *next += 1;
                match self.program.edges[edge].to {
                    Some(to) if colours[to] == OPEN => {
                        self.back.insert(edge);
                    }
                    Some(to) if colours[to] == NEW => {
                        colours[to] = OPEN;
                        path.push((to, graph.locations[to].first));
                    }
                    _ => {}
                }
            }
        }
    }

    /// The edges that the process may take in one step from a location, each with whether it is the first.
    fn edges(&self, from: Pc) -> Vec<(EdgeId, bool)> {
        let graph = &self.program.templates[self.template].graph;
        let mut all: Vec<(EdgeId, bool)> = graph.locations[from].edges().map(|edge| (edge, true)).collect();
        let mut seen: EntitySet<EdgeId> = EntitySet::new();
        let mut next = 0;
        while let Some(&(edge, _)) = all.get(next) {
            next += 1;
            let Edge { guard, to, atomic } = self.edge(edge);
            let Some(to) = to else { continue };
            let is_offer = guard.send().is_some();
            let further = graph.locations[to].edges().filter(|&edge| {
                let accepts = || self.edge(edge).guard.receive().is_some() || self.is_d_step(edge);
                atomic || is_offer && self.comes_back && accepts()
            });
            for edge in further {
                if seen.insert(edge) {
                    all.push((edge, false));
                }
            }
        }
        all
    }

    fn is_d_step(&self, edge: EdgeId) -> bool {
        matches!(self.program.edges[edge].guard, Guard::DStep(_))
    }

    fn edge(&self, edge: EdgeId) -> Edge {
        let crate::code::program::Edge { guard, to, atomic, .. } = self.program.edges[edge];
        Edge { guard, to, atomic }
    }
}

/// What matters of an edge here.
struct Edge {
    guard: Guard,
    to: Option<Pc>,
    atomic: bool,
}

/// What is observed.
struct Watched {
    footprints: Vec<Footprint>,
    labels: LocationFlags,
}

impl Watched {
    fn new(program: &Program, layout: &Layout, observed: &Observed) -> Self {
        let is_label = |node: NodeId| matches!(program.nodes[node], Node::NonProgress);
        let nodes = observed.expressions.iter().map(|&id| program.expressions[id]);
        let nodes = nodes.filter(|&node| !(is_label(node) && observed.labels.contains(LocationFlags::PROGRESS)));
        // Without a process there is no template to see anything from, and nothing moves.
        let any = program.templates.keys().next();
        let of = |(node, any)| Footprint::of_expression(program, layout, any, node);
        let footprints = nodes.flat_map(|node| any.map(|any| (node, any))).map(of).collect();
        Watched { footprints, labels: observed.labels }
    }

    /// Whether a step may change it; labels are not looked at.
    fn see(&self, conflicts: &Conflicts, step: &Footprint) -> bool {
        self.footprints.iter().any(|watched| conflicts.is_seen(step, watched))
    }
}

struct Builder<'p> {
    program: &'p Program,
    layout: &'p Layout,
    dispatch: &'p Dispatch,
    conflicts: Conflicts<'p>,
    guards: Guards,
    futures: Futures,
    /// Rows that are there, so that equal ones are one.
    known: FxHashMap<Box<[u64]>, Row>,
    rows: Vec<u64>,
    row_words: usize,
}

impl Builder<'_> {
    fn place(&mut self, id: TemplateId, pc: Pc, reach: &Reach, watched: &Watched) -> Place {
        let edges = reach.edges(pc);
        let mut next = Footprint::new(id);
        for &(edge, is_first) in &edges {
            if let Some(footprint) = self.dispatch.footprints.of(edge) {
                match is_first {
                    true => next.extend(footprint),
                    false => next.extend(&footprint.inside_sequence()),
                };
            }
        }
        self.guards.resolve(&mut next);
        let graph = &self.program.templates[id].graph;
        let targets = edges.iter().filter_map(|&(edge, _)| self.program.edges[edge].to);
        let is_labelled = |pc: Pc| graph.locations[pc].flags.intersects(watched.labels);
        let creates_labelled = edges.iter().flat_map(|&(edge, _)| run_by(self.program, edge)).any(|proctype| {
            let created = self.program.templates.values().filter(|template| template.proctype == proctype);
            created
                .map(|template| &template.graph)
                .any(|graph| graph.locations[graph.start].flags.intersects(watched.labels))
        });
        let is_visible = watched.see(&self.conflicts, &next)
            || std::iter::once(pc).chain(targets).any(is_labelled)
            || creates_labelled;
        let future = self.futures.of[self.first_of(id) + pc.index()];
        let always = self.row(&next, |conflicts, next, future| conflicts.exist_while_all_live(next, future));
        let mortal = self.row(&next, |conflicts, next, future| conflicts.exist(next, future));
        let waiting = |usage| conflict::waited_for(self.layout, &next, usage);
        let (room, message) = (waiting(ChannelUse::WAITS_FOR_ROOM), waiting(ChannelUse::WAITS_FOR_MESSAGE));
        let full = self.conditional(&next, room, conflict::MAKES_ROOM, always);
        let empty = self.conditional(&next, message, conflict::BRINGS_MESSAGE, always);
        let mut flags = PlaceFlags::empty();
        let is_end = |&(edge, _): &(EdgeId, bool)| matches!(self.program.edges[edge].guard, Guard::End);
        flags.set(PlaceFlags::LOCAL, mortal == Row::NONE && full.is_empty() && empty.is_empty());
        flags.set(PlaceFlags::DIES, !edges.is_empty() && edges.iter().all(is_end));
        flags.set(PlaceFlags::VISIBLE, is_visible);
        flags.set(PlaceFlags::STICKY, edges.iter().any(|&(edge, _)| reach.back.contains(edge)));
        flags.set(PlaceFlags::STUCK, edges.is_empty());
        flags.set(PlaceFlags::SINGLE, exclusive::are_exclusive(self.program, &graph.locations[pc]));
        let bits = &self.rows[always.0 as usize * self.row_words..][..self.row_words];
        let depends_on = bits.iter().map(|word| word.count_ones()).sum::<u32>() as usize;
        let others = self.futures.by_template.iter().enumerate();
        let others = others.filter(|&(index, _)| may_live_together(self.layout, id, TemplateId::new(index)));
        flags.set(PlaceFlags::GLOBAL, depends_on == others.map(|(_, (range, _))| range.len()).sum::<usize>());
        Place { future, always, mortal, full, empty, flags }
    }

    fn first_of(&self, id: TemplateId) -> usize {
        let before = self.program.templates.values().take(id.index());
        before.map(|template| template.graph.locations.len()).sum()
    }

    /// For each channel that is waited for, the futures that use it in such a way, less those that matter always.
    fn conditional(&mut self, next: &Footprint, waited: Vec<u8>, usage: ChannelUse, always: Row) -> Box<[(u8, Row)]> {
        let mut rows = Vec::new();
        for chan in waited {
            let row = self.row(next, |_, _, future| future.channels.of(usize::from(chan)).intersects(usage));
            let known = always.0 as usize * self.row_words;
            let at = row.0 as usize * self.row_words;
            let adds = (0..self.row_words).any(|word| self.rows[at + word] & !self.rows[known + word] != 0);
            if adds {
                rows.push((chan, row));
            }
        }
        rows.into()
    }

    /// The futures of other processes about which `is_it` says yes.
    fn row(&mut self, next: &Footprint, is_it: impl Fn(&Conflicts, &Footprint, &Footprint) -> bool) -> Row {
        let mut bits = vec![0u64; self.row_words];
        let own_pid = self.layout.templates[next.template].pid;
        // A process that is created comes into a slot above this one.
        let may_come = |id: TemplateId| match (own_pid, self.layout.templates[id].pid) {
            (Some(own), Some(other)) => other > own,
            _ => true,
        };
        // Of created processes: whether their whole future is in conflict.
        let mut created: SecondaryMap<TemplateId, Option<bool>> = SecondaryMap::new();
        for (index, (range, start)) in self.futures.by_template.iter().enumerate() {
            let other = TemplateId::new(index);
            if !may_live_together(self.layout, next.template, other) {
                continue;
            }
            // What can be done from anywhere includes what can be done later, so one look mostly settles all.
            let whole = &self.futures.all[*start];
            let own_conflict = is_it(&self.conflicts, next, &whole.own);
            for number in range.clone() {
                let future = &self.futures.all[number];
                let depends_on_created = |created: &mut SecondaryMap<TemplateId, Option<bool>>| {
                    self.program.templates.iter().any(|(id, template)| {
                        future.creates.contains(template.proctype)
                            && may_come(id)
                            && *created[id].get_or_insert_with(|| {
                                let start = self.futures.by_template[id.index()].1;
                                is_it(&self.conflicts, next, &self.futures.all[start].own)
                            })
                    })
                };
                if own_conflict && is_it(&self.conflicts, next, &future.own) || depends_on_created(&mut created) {
                    bits[number / 64] |= 1 << (number % 64);
                }
            }
        }
        if bits.iter().all(|&word| word == 0) {
            return Row::NONE;
        }
        let bits = bits.into_boxed_slice();
        if let Some(&row) = self.known.get(&bits) {
            return row;
        }
        let row = Row((self.rows.len() / self.row_words) as u32);
        self.rows.extend_from_slice(&bits);
        self.known.insert(bits, row);
        row
    }
}
