//! Why steps depend on each other, by name: what stands in the way of partial order reduction.
//!
//! The reasons are found pair by pair of statements, by the rules that the table of dependences is made of (`conflict.rs`),
//! and then collected by what the two have in common: a variable, a channel, the number of processes. Invariant: a
//! location has no reason if and only if the table says that it is independent of every future, as long as all pairs were
//! looked at ([`Explanation::is_complete`]).
//!
//! Templates of one proctype differ in where their variables are, so their statements are told apart while pairs are
//! compared, and are one statement in the result.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use fxhash::FxHashMap;
use promela::ids::ProcTypeId;
use promela::source::Span;

use super::conflict::{self, Access, Conflicts, WAYS};
use super::guards::Guards;
use super::{Dependence, Observed, PlaceFlags, Reach};
use crate::analysis::footprint::{ChannelUse, Channels, Footprint, Region, StateBits, Traits};
use crate::analysis::unused::{Unused, UnusedKinds};
use crate::code::layout::Priority;
use crate::code::program::Guard;
use crate::code::state::Field;
use crate::ids::{EdgeId, Pc, TemplateId};
use crate::inspect::scalars::Scalar;
use crate::model::Model;
use statespace::Word;

pub use super::conflict::ChannelPart;

/// The most pairs of statements that are compared.
const MOST_PAIRS: usize = 1 << 20;

/// What reduction can do with a model, and what stands in its way.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The statements that depend on others or are steps of a place, each once for all processes of a proctype.
    pub statements: Vec<Statement>,
    /// The locations with steps, in order of proctypes.
    pub places: Vec<PlaceReport>,
    /// What statements have in common, most harmful first.
    pub shared: Vec<Shared>,
    /// Whether all pairs of statements were compared.
    pub is_complete: bool,
}

/// A statement as written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Statement {
    /// Whose it is.
    pub proctype: ProcTypeId,
    /// Where it was written; for an end, the closing brace.
    pub span: Span,
    /// It is the death of the process.
    pub is_end: bool,
}

/// A location of all processes of a proctype.
#[derive(Clone, Debug)]
pub struct PlaceReport {
    /// Whose it is.
    pub proctype: ProcTypeId,
    /// Which one.
    pub pc: Pc,
    /// The statement that comes next.
    pub span: Span,
    /// Its steps: indices of [`Explanation::statements`].
    pub steps: Vec<usize>,
    /// Whether a process is a cluster of its own here, for each process of the proctype that is known before the run, by
    /// pid, and otherwise for all.
    pub clusters: Vec<(Option<usize>, OwnCluster)>,
    /// Through what it depends on others: indices of [`Explanation::shared`], in order.
    pub shared: Vec<usize>,
    /// One of its steps closes a cycle of the control flow, so that the location is not reduced for temporal properties.
    pub closes_cycle: bool,
}

/// In which states a process is a cluster of its own at a location, as far as can be said without looking at them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum OwnCluster {
    /// In all: its steps depend on no future of anybody.
    Always,
    /// It depends on where the others are, and on which channels are full or empty.
    Sometimes,
    /// In none with another process: its steps depend on every future of everybody.
    Never,
}

/// Something that statements of different processes have in common, so that their order matters.
#[derive(Clone, Debug)]
pub struct Shared {
    /// What it is.
    pub subject: Subject,
    /// Who does what with it: indices of [`Explanation::statements`], in order.
    pub uses: Vec<(usize, Usage)>,
    /// The pairs of statements that depend on each other through it, and why.
    pub pairs: Vec<Pair>,
    /// How many locations depend on others through it.
    pub places: usize,
    /// How many of these depend on others through nothing else.
    pub alone: usize,
}

/// Two statements that depend on each other if different processes execute them.
#[derive(Clone, Debug)]
pub struct Pair {
    /// Indices of [`Explanation::statements`], the smaller one first.
    pub statements: (usize, usize),
    /// Why.
    pub reasons: BTreeSet<Reason>,
}

/// Why a step depends on what another process does.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reason {
    /// Both use a variable, and one of them writes it.
    Variable(Arc<str>),
    /// Both use a channel in ways that do not commute.
    Channel(Arc<str>, ChannelPart),
    /// Both create a process, so that their order gives the pids; or one is a step of what the other may create.
    Creation,
    /// One creates a process, one dies: the pid that is given next.
    Death,
    /// One reads the number of processes, the other changes it.
    ProcessCount,
    /// One of them depends on all that others do.
    Everything(Obstacle),
}

/// What a reason is about.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Subject {
    /// A step that depends on everything.
    Everything(Obstacle),
    /// A variable; of arrays and structures the part, with all elements of an array as one: `a[]`, `s.f`, `P:x`.
    Variable(Arc<str>),
    /// A channel.
    Channel(Arc<str>),
    /// How many processes there are.
    Processes,
}

/// What makes a step depend on everything.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Obstacle {
    /// `timeout`: whether anybody can move. The steps beside it are concerned.
    Timeout,
    /// `enabled`: whether another process can move.
    Enabled,
    /// Processes can have different priorities, so that one holds another back.
    Priorities,
}

bitflags::bitflags! {
    /// What a statement does with what it shares.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub struct Usage: u16 {
        /// Reads a variable.
        const READS = 1;
        /// Writes a variable.
        const WRITES = 1 << 1;
        /// Sends a message, or offers one.
        const SENDS = 1 << 2;
        /// Takes a message, or accepts one.
        const RECEIVES = 1 << 3;
        /// Looks at messages, or at how many there are.
        const LOOKS = 1 << 4;
        /// Asks whether anybody would accept a message.
        const ASKS_FOR_PARTNERS = 1 << 5;
        /// Brings a process to where it would accept one.
        const APPROACHES = 1 << 6;
        /// Creates a process, or a channel with it.
        const CREATES = 1 << 7;
        /// Is the death of a process, and of its channels.
        const ENDS = 1 << 8;
        /// Reads the number of processes.
        const COUNTS = 1 << 9;
        /// Depends on everything.
        const DEPENDS = 1 << 10;
    }
}

impl Reason {
    /// What it is about.
    pub fn subject(&self) -> Subject {
        match self {
            Reason::Variable(name) => Subject::Variable(Arc::clone(name)),
            Reason::Channel(name, _) => Subject::Channel(Arc::clone(name)),
            Reason::Creation | Reason::Death | Reason::ProcessCount => Subject::Processes,
            Reason::Everything(obstacle) => Subject::Everything(*obstacle),
        }
    }
}

/// Explains a model as it is searched for assertions, deadlocks and run-time errors; `None` if it has too many locations to
/// be reduced at all.
pub fn explain(model: &Model) -> Option<Explanation> {
    let unused = Unused::new(model, UnusedKinds::IRRELEVANT, &[], false);
    let dependence = Dependence::new(model, &Observed::default(), unused.irrelevant(), true)?;
    let mut comparison = Comparison::new(model, unused.irrelevant());
    comparison.compare(&dependence);
    Some(comparison.collect(&dependence))
}

/// A statement of the processes of one template.
struct Unit {
    template: TemplateId,
    statement: usize,
    footprint: Footprint,
}

/// What is known of a subject while pairs are compared.
#[derive(Default)]
struct Found {
    uses: BTreeMap<usize, Usage>,
    pairs: BTreeMap<(usize, usize), BTreeSet<Reason>>,
}

struct Comparison<'m> {
    model: &'m Model,
    conflicts: Conflicts<'m>,
    names: Names,
    statements: Vec<Statement>,
    units: Vec<Unit>,
    /// An edge, as the first of a step or inside of one.
    unit_of: FxHashMap<(EdgeId, bool), usize>,
    /// By template, the locations with their units.
    locations: Vec<(TemplateId, Pc, Vec<usize>, bool)>,
    subjects: FxHashMap<Subject, usize>,
    found: Vec<(Subject, Found)>,
    /// By unit: through what it depends on others.
    depends: Vec<BTreeSet<usize>>,
    is_complete: bool,
}

impl<'m> Comparison<'m> {
    fn new(model: &'m Model, irrelevant: &'m StateBits) -> Self {
        let (program, layout) = (&model.program, &model.layout);
        let mut comparison = Comparison {
            model,
            conflicts: Conflicts { program, layout, irrelevant },
            names: Names::new(model),
            statements: Vec::new(),
            units: Vec::new(),
            unit_of: FxHashMap::default(),
            locations: Vec::new(),
            subjects: FxHashMap::default(),
            found: Vec::new(),
            depends: Vec::new(),
            is_complete: true,
        };
        let guards = Guards::new(program, layout);
        let mut known: FxHashMap<Statement, usize> = FxHashMap::default();
        for (id, template) in &program.templates {
            let reach = Reach::new(program, id);
            let mut at: FxHashMap<EdgeId, Pc> = FxHashMap::default();
            for (pc, location) in &template.graph.locations {
                at.extend(location.edges().map(|edge| (edge, pc)));
            }
            for pc in template.graph.locations.keys() {
                let edges = reach.edges(pc);
                let closes_cycle = edges.iter().any(|&(edge, _)| reach.back.contains(edge));
                let mut units = Vec::with_capacity(edges.len());
                for key @ (edge, is_first) in edges {
                    let unit = match comparison.unit_of.get(&key) {
                        Some(&unit) => unit,
                        None => {
                            let is_end = matches!(program.edges[edge].guard, Guard::End);
                            let statement =
                                Statement { proctype: template.proctype, span: program.edges[edge].span, is_end };
                            let statements = &mut comparison.statements;
                            let statement = *known.entry(statement).or_insert_with(|| {
                                statements.push(statement);
                                statements.len() - 1
                            });
                            let location = &template.graph.locations[at[&edge]];
                            let (whole, _) = Footprint::of_statement(program, layout, id, location, edge);
                            let mut footprint = if is_first { whole } else { whole.inside_sequence() };
                            guards.resolve(&mut footprint);
                            let unit = comparison.units.len();
                            comparison.units.push(Unit { template: id, statement, footprint });
                            comparison.unit_of.insert(key, unit);
                            unit
                        }
                    };
                    units.push(unit);
                }
                comparison.locations.push((id, pc, units, closes_cycle));
            }
        }
        comparison.depends = vec![BTreeSet::new(); comparison.units.len()];
        comparison
    }

    /// Finds the reasons for which steps of locations depend on what other processes may do.
    fn compare(&mut self, dependence: &Dependence) {
        // Only these can have reasons.
        let mut concerned: Vec<usize> = Vec::new();
        for ((.., units, _), place) in self.locations.iter().zip(&dependence.places) {
            if !place.flags.contains(PlaceFlags::LOCAL) {
                concerned.extend_from_slice(units);
            }
        }
        concerned.sort_unstable();
        concerned.dedup();
        let mut left = MOST_PAIRS;
        for one in concerned {
            for two in 0..self.units.len() {
                let layout = self.conflicts.layout;
                let (own, other) = (&self.units[one], &self.units[two]);
                if !super::may_live_together(layout, own.template, other.template) {
                    continue;
                }
                if left == 0 {
                    self.is_complete = false;
                    return;
                }
                left -= 1;
                let statements = (own.statement, other.statement);
                let mut reasons = Vec::new();
                self.reasons(&own.footprint, &other.footprint, &mut |reason, uses| reasons.push((reason, uses)));
                for (reason, uses) in reasons {
                    self.add(one, statements, reason, uses);
                }
            }
        }
    }

    fn add(&mut self, unit: usize, (one, two): (usize, usize), reason: Reason, (own, other): (Usage, Usage)) {
        let subject = reason.subject();
        let number = *self.subjects.entry(subject.clone()).or_insert_with(|| {
            self.found.push((subject, Found::default()));
            self.found.len() - 1
        });
        self.depends[unit].insert(number);
        let found = &mut self.found[number].1;
        for (statement, usage) in [(one, own), (two, other)] {
            if !usage.is_empty() {
                *found.uses.entry(statement).or_default() |= usage;
            }
        }
        found.pairs.entry((one.min(two), one.max(two))).or_default().insert(reason);
    }

    /// The reasons for which `next` depends on `other`, each with what both do.
    fn reasons(&self, next: &Footprint, other: &Footprint, found: &mut impl FnMut(Reason, (Usage, Usage))) {
        let (one, two) = (next.traits, other.traits);
        let none = Usage::empty();
        if one.contains(Traits::TIMEOUT) {
            found(Reason::Everything(Obstacle::Timeout), (Usage::DEPENDS, none));
        }
        for (asks, obstacle) in [(Traits::ENABLED, Obstacle::Enabled), (Traits::HELD_BACK, Obstacle::Priorities)] {
            if !(one | two).contains(asks) {
                continue;
            }
            let usage = |traits: Traits| if traits.contains(asks) { Usage::DEPENDS } else { none };
            found(Reason::Everything(obstacle), (usage(one), usage(two)));
        }
        if self.conflicts.count_conflict(one, two) {
            let usage = (process_usage(one), process_usage(two));
            let reason = match (one | two).contains(Traits::COUNTS) {
                true => Reason::ProcessCount,
                false if (one | two).contains(Traits::ENDS) => Reason::Death,
                false => Reason::Creation,
            };
            found(reason, usage);
        }
        self.channel_reasons(next, other, found);
        for (own, others) in
            [(Access::Writes, Access::Reads), (Access::Writes, Access::Writes), (Access::Reads, Access::Writes)]
        {
            let usage = |access: Access| if access == Access::Reads { Usage::READS } else { Usage::WRITES };
            let mut names: BTreeSet<&Arc<str>> = BTreeSet::new();
            self.conflicts.find_common_bits((next, own), (other, others), |region, word, mask| {
                names.extend(self.names.of_bits(region, word, mask));
                false
            });
            for name in names {
                // Whoever creates a process writes its variables; whoever looks into another one reads them.
                let is_created = !is_global(name) && (one | two).contains(Traits::RUNS);
                match is_created && !(one | two).contains(Traits::REMOTE) {
                    true => found(Reason::Creation, (process_usage(one), process_usage(two))),
                    false => found(Reason::Variable(Arc::clone(name)), (usage(own), usage(others))),
                }
            }
        }
    }

    fn channel_reasons(&self, next: &Footprint, other: &Footprint, found: &mut impl FnMut(Reason, (Usage, Usage))) {
        let mut channels: BTreeMap<Reason, (Usage, Usage)> = BTreeMap::new();
        let mut add = |names: BTreeSet<&Arc<str>>, part: ChannelPart, own: Usage, others: Usage| {
            for name in names {
                let known = channels.entry(Reason::Channel(Arc::clone(name), part)).or_default();
                *known = (known.0 | own, known.1 | others);
            }
        };
        for (own, usage) in next.channels.iter() {
            for (others, use_of_others) in other.channels.iter() {
                for (a, b, part) in WAYS {
                    for (a, b) in [(a, b), (b, a)] {
                        if usage.intersects(a) && use_of_others.intersects(b) && own.intersects(others) {
                            let (own_usage, other_usage) = (channel_usage(usage), channel_usage(use_of_others));
                            add(self.names.of_channels(own, others), part, own_usage, other_usage);
                        }
                    }
                }
            }
        }
        let waits = [
            (ChannelUse::WAITS_FOR_ROOM, conflict::MAKES_ROOM, ChannelPart::WhileFull),
            (ChannelUse::WAITS_FOR_MESSAGE, conflict::BRINGS_MESSAGE, ChannelPart::WhileEmpty),
        ];
        for (waiting, brings, part) in waits {
            for (own, usage) in next.channels.iter().filter(|(_, usage)| usage.intersects(waiting)) {
                for (others, use_of_others) in other.channels.iter().filter(|(_, usage)| usage.intersects(brings)) {
                    if own.intersects(others) {
                        let (own_usage, other_usage) = (channel_usage(usage), channel_usage(use_of_others));
                        add(self.names.of_channels(own, others), part, own_usage, other_usage);
                    }
                }
            }
        }
        let (accepted, moves) = match next.traits.contains(Traits::RUNS) {
            true => (Some(Channels::from_range(1..usize::MAX)), Usage::CREATES),
            false => (None, Usage::APPROACHES),
        };
        for asked in other.channels.with(ChannelUse::READS_PARTNERS) {
            if accepted.is_some() || self.conflicts.accepts(next.template, asked) {
                let meant = accepted.unwrap_or(asked);
                add(self.names.of_channels(asked, meant), ChannelPart::Rendezvous, moves, Usage::ASKS_FOR_PARTNERS);
            }
        }
        for (reason, usage) in channels {
            found(reason, usage);
        }
    }
}

/// What a step does with the number of processes.
fn process_usage(traits: Traits) -> Usage {
    let mut usage = Usage::empty();
    usage.set(Usage::CREATES, traits.contains(Traits::RUNS));
    usage.set(Usage::ENDS, traits.contains(Traits::ENDS));
    usage.set(Usage::COUNTS, traits.contains(Traits::COUNTS));
    usage
}

/// What a step does with a channel, in fewer words.
fn channel_usage(usage: ChannelUse) -> Usage {
    const SENDS: ChannelUse = ChannelUse::APPENDS.union(ChannelUse::WAITS_FOR_ROOM).union(ChannelUse::OFFERS);
    const RECEIVES: ChannelUse = ChannelUse::REMOVES_HEAD.union(ChannelUse::ACCEPTS);
    const LOOKS: ChannelUse = ChannelUse::READS_LENGTH
        .union(ChannelUse::READS_HEAD)
        .union(ChannelUse::READS_ALL)
        .union(ChannelUse::MUST_EXIST);
    let mut found = Usage::empty();
    found.set(Usage::SENDS, usage.intersects(SENDS));
    // `??` removes a message anywhere, `!!` adds one.
    let is_random = usage.contains(ChannelUse::WRITES_ALL) && !found.contains(Usage::SENDS);
    found.set(Usage::RECEIVES, usage.intersects(RECEIVES) || is_random);
    found.set(Usage::LOOKS, usage.intersects(LOOKS) && !found.intersects(Usage::SENDS | Usage::RECEIVES));
    found.set(Usage::ASKS_FOR_PARTNERS, usage.contains(ChannelUse::READS_PARTNERS));
    found.set(Usage::CREATES, usage.contains(ChannelUse::CREATES));
    found.set(Usage::ENDS, usage.contains(ChannelUse::DESTROYS));
    found
}

impl Comparison<'_> {
    /// Puts together what was found.
    fn collect(self, dependence: &Dependence) -> Explanation {
        let mut places: BTreeMap<(ProcTypeId, Pc), PlaceReport> = BTreeMap::new();
        let mut through: BTreeMap<(ProcTypeId, Pc), BTreeSet<usize>> = BTreeMap::new();
        for ((template, pc, units, closes_cycle), place) in self.locations.iter().zip(&dependence.places) {
            if units.is_empty() {
                continue;
            }
            let layout = &self.model.layout.templates[*template];
            let key = (layout.proctype, *pc);
            let report = places.entry(key).or_insert_with(|| PlaceReport {
                proctype: layout.proctype,
                pc: *pc,
                span: self.model.program.templates[*template].graph.locations[*pc].span,
                steps: Vec::new(),
                clusters: Vec::new(),
                shared: Vec::new(),
                closes_cycle: *closes_cycle,
            });
            let first = self.model.program.templates[*template].graph.locations[*pc].edges();
            for statement in first.filter_map(|edge| self.unit_of.get(&(edge, true))) {
                let statement = self.units[*statement].statement;
                if !report.steps.contains(&statement) {
                    report.steps.push(statement);
                }
            }
            let cluster = match place.flags {
                flags if flags.contains(PlaceFlags::LOCAL) => OwnCluster::Always,
                flags if flags.contains(PlaceFlags::GLOBAL) => OwnCluster::Never,
                _ => OwnCluster::Sometimes,
            };
            report.clusters.push((layout.pid, cluster));
            // A statement of several locations may be a step of a local one, too.
            if cluster != OwnCluster::Always {
                through.entry(key).or_default().extend(units.iter().flat_map(|&unit| &self.depends[unit]));
            }
        }
        let count = |wanted: usize, is_alone: bool| {
            through.values().filter(|found| found.contains(&wanted) && !(is_alone && found.len() > 1)).count()
        };
        let to_shared = |(number, (subject, found)): (usize, &(Subject, Found))| {
            let pairs = found.pairs.iter().map(|(&statements, reasons)| Pair { statements, reasons: reasons.clone() });
            let shared = Shared {
                subject: subject.clone(),
                uses: found.uses.iter().map(|(&statement, &usage)| (statement, usage)).collect(),
                pairs: pairs.collect(),
                places: count(number, false),
                alone: count(number, true),
            };
            (number, shared)
        };
        let mut shared: Vec<(usize, Shared)> = self.found.iter().enumerate().map(to_shared).collect();
        let harm = |shared: &Shared| std::cmp::Reverse((shared.alone, shared.places, shared.pairs.len()));
        shared.sort_by_cached_key(|(_, shared)| (harm(shared), shared.subject.clone()));
        let mut order = vec![0; shared.len()];
        for (at, &(number, _)) in shared.iter().enumerate() {
            order[number] = at;
        }
        for (key, found) in through {
            if let Some(place) = places.get_mut(&key) {
                place.shared = found.into_iter().map(|number| order[number]).collect();
                place.shared.sort_unstable();
            }
        }
        Explanation {
            statements: self.statements,
            places: places.into_values().collect(),
            shared: shared.into_iter().map(|(_, shared)| shared).collect(),
            is_complete: self.is_complete,
        }
    }
}

/// Bits of a word, and the variable that they are of.
type NamedBits = (Word, Arc<str>);

/// Names of bits and of channels.
struct Names {
    by_word: FxHashMap<(Region, u32), Vec<NamedBits>>,
    /// By number, from 1.
    channels: Vec<Arc<str>>,
    /// Channels without a number that is known.
    other_channels: Arc<str>,
    other_bits: Arc<str>,
}

impl Names {
    fn new(model: &Model) -> Self {
        let layout = &model.layout;
        let mut names = Names {
            by_word: FxHashMap::default(),
            channels: (1..=layout.channels.len()).map(|number| format!("channel {number}").into()).collect(),
            other_channels: "channels created at run time".into(),
            other_bits: "the variables of a process".into(),
        };
        let mut known: BTreeSet<Arc<str>> = BTreeSet::new();
        names.add_scalars("", Region::Fixed, model.global_scalars(), &mut known);
        for (id, places) in &layout.templates {
            let proctype = &model.checked.proctypes[places.proctype].name;
            let region = if layout.is_fixed { Region::Fixed } else { Region::Block(id) };
            names.add_scalars(&format!("{proctype}:"), region, model.local_scalars(id), &mut known);
            let location: Arc<str> = format!("the location of {proctype}").into();
            names.add(region, places.pc, &location);
            names.add(region, places.place, &location);
            if let Priority::Field(priority) = places.priority {
                names.add(region, priority, &format!("the priority of {proctype}").into());
            }
        }
        for (field, name) in [(layout.last, "_last"), (layout.event, "the trace assertion")] {
            if let Some(field) = field {
                names.add(Region::Fixed, field, &name.into());
            }
        }
        names
    }

    fn add_scalars(&mut self, owner: &str, region: Region, scalars: Vec<Scalar>, known: &mut BTreeSet<Arc<str>>) {
        for scalar in scalars {
            let (Scalar::Value { name, .. } | Scalar::Constant { name, .. } | Scalar::Channel { name, .. }) = &scalar;
            let name = format!("{owner}{}", without_indices(name));
            let name = match known.get(&*name) {
                Some(name) => Arc::clone(name),
                None => {
                    let name: Arc<str> = name.into();
                    known.insert(Arc::clone(&name));
                    name
                }
            };
            match scalar {
                Scalar::Value { field, .. } => self.add(region, field, &name),
                Scalar::Channel { number, .. } => {
                    let nth = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
                    if let Some(channel) = nth.and_then(|nth| self.channels.get_mut(nth)) {
                        *channel = name;
                    }
                }
                Scalar::Constant { .. } => {}
            }
        }
    }

    fn add(&mut self, region: Region, field: Field, name: &Arc<str>) {
        self.by_word.entry((region, field.word)).or_default().push((field.mask(), Arc::clone(name)));
    }

    /// What has some of these bits of a word.
    fn of_bits(&self, region: Region, word: u32, mask: Word) -> BTreeSet<&Arc<str>> {
        let named = self.by_word.get(&(region, word)).into_iter().flatten();
        let mut found: BTreeSet<_> = named.filter(|(own, _)| own & mask != 0).map(|(_, name)| name).collect();
        if found.is_empty() {
            found.insert(&self.other_bits);
        }
        found
    }

    /// The channels that may be in both sets.
    fn of_channels(&self, one: Channels, other: Channels) -> BTreeSet<&Arc<str>> {
        let both = |number: usize| one.contains(number) && other.contains(number);
        let known = self.channels.iter().enumerate().filter(|&(nth, _)| both(nth + 1)).map(|(_, name)| name);
        let mut found: BTreeSet<_> = known.collect();
        if found.is_empty() || (self.channels.len() + 1..=255).any(both) {
            found.insert(&self.other_channels);
        }
        found
    }
}

/// Whether this names a global: what belongs to a process is named with its proctype.
fn is_global(name: &str) -> bool {
    !name.contains([':', ' '])
}

/// All elements of an array as one: `a[]` for `a[3]`.
fn without_indices(name: &str) -> String {
    let mut is_index = false;
    let mut kept = String::with_capacity(name.len());
    for c in name.chars() {
        is_index &= c != ']';
        if !is_index {
            kept.push(c);
        }
        is_index |= c == '[';
    }
    kept
}

#[cfg(test)]
mod tests;
