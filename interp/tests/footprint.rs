//! Footprints against execution, on random walks through all models, in fixed layouts and in others.
//!
//! *Writes:* whatever a move changes is in the writes of its edge, and whatever a whole step changes is in the writes of
//! the edges that got control in it. *Reads:* a state is changed in one place at random. Every edge that does not read
//! this place must have the same steps as before, and these must change the same values to the same values.
//! The judge knows only states: it finds what changed by comparing values, never by looking at code.

mod common;

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use common::{load, models};
use interp::analysis::footprint::{ChannelUse, Footprint, Region, StateBits, Traits};
use interp::code::layout::Priority;
use interp::code::state::Field;
use interp::exec::channel::Channel;
use interp::exec::step::{Move, Path as Moves, Scratch, Sink};
use interp::ids::{EdgeId, TemplateId};
use interp::inspect::scalars::Scalar;
use interp::model::Tables;
use interp::{Analysis, Model, StateSpace, Violation, ViolationKind, Word};

/// States of one walk, and walks per model.
const STEPS: usize = 40;
const WALKS: usize = 3;
/// Places that are changed in each state.
const CHANGES: usize = 24;
/// Looks at the limits after which an expansion is given up: a changed state may have many successors.
const PATIENCE: u32 = 8;

/// One event of a state.
#[derive(Clone, PartialEq, Debug)]
struct Event {
    moves: Vec<Move>,
    /// After each move.
    states: Vec<Vec<Word>>,
    end: Result<Vec<Word>, Violation>,
}

#[derive(Default)]
struct Recorder {
    events: Vec<Event>,
    looks: u32,
    is_complete: bool,
}

impl Recorder {
    fn event(&mut self, path: Moves, end: Result<Vec<Word>, Violation>) -> ControlFlow<()> {
        let states = path.states().map(<[Word]>::to_vec).collect();
        self.events.push(Event { moves: path.moves.to_vec(), states, end });
        if self.events.len() > 300 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Sink for Recorder {
    fn successor(&mut self, next: &[Word], path: Moves) -> ControlFlow<()> {
        self.event(path, Ok(next.to_vec()))
    }

    fn violation(&mut self, violation: Violation, path: Moves) -> ControlFlow<()> {
        self.event(path, Err(violation))
    }

    fn working(&mut self, _: usize) -> ControlFlow<()> {
        self.looks += 1;
        if self.looks > PATIENCE { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// All events of a state; `None` if there are too many, or if one of them ends the expansion.
fn events(model: &Model, state: &[Word], scratch: &mut Scratch) -> Option<Vec<Event>> {
    let mut recorder = Recorder::default();
    recorder.is_complete = model.walk(state, scratch, &mut recorder).is_continue();
    let is_endless =
        |event: &Event| event.end.as_ref().is_err_and(|violation| violation.kind == ViolationKind::EndlessAtomic);
    (recorder.is_complete && !recorder.events.iter().any(is_endless)).then_some(recorder.events)
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound.max(1)
    }
}

/// A process that moves, with what it may do.
type Mover<'m> = (usize, &'m Footprint);

/// A value of a state: of nobody or of a process, by number and template.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Place {
    owner: Option<(usize, TemplateId)>,
    field: Field,
}

impl Place {
    fn is_in(self, bits: impl Fn(&Footprint) -> &StateBits, mover: Mover) -> bool {
        let (pid, footprint) = mover;
        let touches = |region| bits(footprint).intersects(region, self.field.word, self.field.mask());
        match self.owner {
            Some((owner, template)) if self.field.local => {
                owner == pid && touches(Region::Own) || touches(Region::Block(template))
            }
            _ => touches(Region::Fixed),
        }
    }
}

struct Judge<'m> {
    model: &'m Model,
    name: String,
    globals: Vec<Scalar>,
    locals: HashMap<TemplateId, Vec<Scalar>>,
    /// The edges that may accept in a rendezvous.
    accepting: Vec<(EdgeId, &'m Footprint)>,
    scratch: Scratch,
    random: Random,
    /// What has been checked: moves, and edges in changed states.
    moves: usize,
    edges: usize,
    failures: Vec<String>,
}

impl<'m> Judge<'m> {
    fn new(model: &'m Model, name: String) -> Self {
        let locals = model.layout.templates.keys().map(|template| (template, model.local_scalars(template))).collect();
        let edges = model.program.templates.values().flat_map(|template| template.graph.locations.values());
        let footprints =
            edges.flat_map(|location| location.edges()).filter_map(|edge| Some((edge, model.footprint(edge)?)));
        let accepts = |footprint: &Footprint| footprint.channels.with(ChannelUse::ACCEPTS).next().is_some();
        let accepting = footprints.filter(|(_, footprint)| accepts(footprint)).collect();
        let seed = name.bytes().fold(1, |sum: u64, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
        Judge {
            model,
            name,
            globals: model.global_scalars(),
            locals,
            accepting,
            scratch: model.scratch(),
            random: Random(seed),
            moves: 0,
            edges: 0,
            failures: Vec::new(),
        }
    }

    fn walk(&mut self) {
        let Ok(initial) = self.model.initial() else { return };
        for _ in 0..WALKS {
            let mut state = initial.clone();
            for _ in 0..STEPS {
                let Some(events) = events(self.model, &state, &mut self.scratch) else { break };
                events.iter().for_each(|event| self.writes(&state, event));
                for _ in 0..CHANGES {
                    self.reads(&state, &events);
                }
                let successors: Vec<_> = events.iter().filter_map(|event| event.end.as_ref().ok()).collect();
                if successors.is_empty() || self.failures.len() > 3 {
                    break;
                }
                state = successors[self.random.below(successors.len())].clone();
            }
        }
    }

    fn footprint(&self, a_move: &Move) -> Mover<'m> {
        (usize::from(a_move.pid), self.model.footprint(a_move.edge).expect("moves are edges of processes"))
    }

    /// Whether a move takes what the one before it offered.
    fn accepts(&self, moves: &[Move], at: usize) -> bool {
        at > 0 && moves[at - 1].pid != moves[at].pid
    }

    /// Checks what an event changes.
    fn writes(&mut self, state: &[Word], event: &Event) {
        let Ok(end) = &event.end else { return };
        let mut before = state;
        let mut in_control = Vec::new();
        for (at, (a_move, after)) in event.moves.iter().zip(&event.states).enumerate() {
            let mut movers = vec![self.footprint(a_move)];
            if self.accepts(&event.moves, at) {
                movers.push(self.footprint(&event.moves[at - 1]));
            }
            if at == 0 || self.accepts(&event.moves, at) {
                in_control.push(self.footprint(a_move));
            }
            self.changes(before, after, &movers, &format!("{a_move:?}"));
            self.moves += 1;
            before = after;
        }
        self.changes(state, end, &in_control, &format!("{:?}", event.moves));
    }

    /// Everything that is different in two states must be written by one of those who moved.
    fn changes(&mut self, before: &[Word], after: &[Word], movers: &[Mover], what: &str) {
        let (mut old, mut new) = (Tables::default(), Tables::default());
        self.model.locate(before, &mut old);
        self.model.locate(after, &mut new);
        let (lived, live) = (self.model.nr_pr(before), self.model.nr_pr(after));
        let mut missing = Vec::new();
        let is_written = |place: Place| movers.iter().any(|&mover| place.is_in(|footprint| &footprint.writes, mover));
        let mut compare = |name: &str, place: Place, bases: (usize, usize)| {
            if place.field.get(before, bases.0) != place.field.get(after, bases.1) && !is_written(place) {
                missing.push(format!("{name} of {:?}", place.owner));
            }
        };
        let layout = &self.model.layout;
        let single = [("_nr_pr", Some(layout.nr_pr)), ("_last", layout.last), ("trace", layout.event)];
        for (name, field) in single.into_iter().filter_map(|(name, field)| Some((name, field?))) {
            compare(name, Place { owner: None, field }, (0, 0));
        }
        for scalar in &self.globals {
            if let Scalar::Value { name, field, .. } = scalar {
                compare(name, Place { owner: None, field: *field }, (0, 0));
            }
        }
        for pid in 0..lived.min(live) {
            let (process, base) = (old.procs[pid], (old.procs[pid].base, new.procs[pid].base));
            let owner = Some((pid, process.template));
            let places = &layout.templates[process.template];
            compare("location", Place { owner, field: places.pc }, base);
            if let Priority::Field(field) = places.priority {
                compare("priority", Place { owner, field }, base);
            }
            for scalar in &self.locals[&process.template] {
                if let Scalar::Value { name, field, .. } = scalar {
                    compare(name, Place { owner, field: *field }, base);
                }
            }
        }
        let has = |traits: Traits| movers.iter().any(|(_, footprint)| footprint.traits.contains(traits));
        if live > lived {
            let template = new.procs[lived].template;
            let pc = Place { owner: Some((usize::MAX, template)), field: layout.templates[template].pc };
            if !has(Traits::RUNS) || !is_written(pc) {
                missing.push("a process".to_owned());
            }
        }
        if live < lived && !has(Traits::ENDS) {
            missing.push("the end of a process".to_owned());
        }
        for number in 1..=old.chans.len().max(new.chans.len()) {
            let used =
                movers.iter().fold(ChannelUse::empty(), |all, (_, footprint)| all | footprint.channels.of(number));
            let is_explained = match (self.messages(before, &old, number), self.messages(after, &new, number)) {
                (Some(old), Some(new)) => explains(used, &old, &new),
                (None, Some(_)) => used.contains(ChannelUse::CREATES),
                (Some(_), None) => used.contains(ChannelUse::DESTROYS),
                (None, None) => true,
            };
            if !is_explained {
                missing.push(format!("channel {number}, {used:?}"));
            }
        }
        for name in missing {
            self.failures.push(format!("{}: {what} writes {name}", self.name));
        }
    }

    /// The messages in a channel; `None` if it has no place.
    fn messages(&self, words: &[Word], tables: &Tables, number: usize) -> Option<Vec<Vec<i32>>> {
        let place = *tables.chans.get(number - 1)?;
        let channel = Channel { place, shape: &self.model.layout.shapes[place.ty] };
        let message =
            |slot| (0..channel.shape.fields.len()).map(|nth| channel.field(slot, nth).get(words, 0)).collect();
        Some((0..channel.len(words)).map(message).collect())
    }

    /// Changes the state in one place, and compares the steps of those who do not read it.
    fn reads(&mut self, state: &[Word], events: &[Event]) {
        let mut tables = Tables::default();
        self.model.locate(state, &mut tables);
        let Some(change) = self.change(state, &tables) else { return };
        let changed = change.apply(self.model, &tables, state);
        if changed == state {
            return;
        }
        let model = self.model;
        let mut scratch = std::mem::take(&mut self.scratch);
        // What the analysis of ranges promises need not hold in a state that was made up.
        let attempt = catch_unwind(AssertUnwindSafe(|| crate::events(model, &changed, &mut scratch)));
        let Ok(found) = attempt else {
            self.scratch = model.scratch();
            return;
        };
        self.scratch = scratch;
        let Some(found) = found else { return };
        let (expected, found) = (by_edge(events), by_edge(&found));
        let pair = Pair { change: &change, tables: &tables, state, expected: &expected, found: &found };
        for pid in 0..model.nr_pr(state) {
            if matches!(change, Change::Field(Place { owner: Some((owner, template)), field }, _)
                if owner == pid && field == model.layout.templates[template].pc)
            {
                continue;
            }
            let process = tables.procs[pid];
            let pc = model.layout.templates[process.template].pc.get(state, process.base) as u32;
            let location = model.program.templates[process.template].graph.locations[interp::ids::Pc::from_u32(pc)];
            let mut all_blind = true;
            for edge in location.edges() {
                let footprint = model.footprint(edge).expect("it is an edge of a process");
                let key = (pid, Some(edge));
                match self.notices(&change, (pid, footprint), &tables) {
                    Notice::Outcome => all_blind = false,
                    // It waits for something: it is blocked in one of the states.
                    Notice::Executability if !expected.contains_key(&key) || !found.contains_key(&key) => {
                        all_blind = false;
                    }
                    Notice::Executability | Notice::Nothing => self.same(key, &pair),
                }
            }
            if all_blind {
                self.same((pid, None), &pair);
            }
        }
    }

    /// The steps that begin with an edge must be what they were.
    fn same(&mut self, key: (usize, Option<EdgeId>), pair: &Pair) {
        self.edges += 1;
        let of = |events: &'_ ByEdge| events.get(&key).cloned().unwrap_or_default();
        let (expected, found) = (of(pair.expected), of(pair.found));
        let is_same = expected.len() == found.len()
            && expected.iter().zip(&found).all(|(expected, found)| {
                let same_end = match (&expected.end, &found.end) {
                    (Ok(expected), Ok(found)) => pair.is_kept(self, expected, found),
                    (Err(expected), Err(found)) => expected == found,
                    _ => false,
                };
                expected.moves == found.moves && same_end
            });
        if !is_same {
            let Pair { change, state, .. } = pair;
            self.failures.push(format!("{}: {key:?} reads {change:?} in {state:?}", self.name));
        }
    }

    /// What an edge may notice of a change.
    fn notices(&self, change: &Change, mover: Mover, tables: &Tables) -> Notice {
        let (_, footprint) = mover;
        if footprint.traits.intersects(Traits::ENABLED | Traits::HELD_BACK | Traits::TIMEOUT) {
            return Notice::Outcome;
        }
        let meets = ChannelUse::OFFERS | ChannelUse::READS_PARTNERS;
        if footprint.channels.with(meets).next().is_some() {
            // The location of the partner, and all that it reads.
            let is_location = matches!(change, Change::Field(Place { owner: Some((_, template)), field }, _)
                if *field == self.model.layout.templates[*template].pc);
            let partners = tables.procs.iter().enumerate().flat_map(|(pid, process)| {
                let own = self.accepting.iter().filter(move |(_, footprint)| footprint.template == process.template);
                own.map(move |(_, footprint)| (pid, *footprint))
            });
            // A step that creates its partner meets one that is not there yet.
            let creates = footprint.traits.contains(Traits::RUNS);
            let created = self.accepting.iter().filter(|_| creates).map(|(_, footprint)| (usize::MAX, *footprint));
            if is_location || partners.chain(created).any(|partner| change.noticed_by(partner) != Notice::Nothing) {
                return Notice::Outcome;
            }
        }
        change.noticed_by(mover)
    }

    /// Another value for some place of the state.
    fn change(&mut self, state: &[Word], tables: &Tables) -> Option<Change> {
        let processes = self.model.nr_pr(state);
        let pid = self.random.below(processes);
        let layout = &self.model.layout;
        let owner = |pid: usize| Some((pid, tables.procs[pid].template));
        match self.random.below(10) {
            0..=2 if !self.globals.is_empty() => {
                let at = self.random.below(self.globals.len());
                let Scalar::Value { field, .. } = self.globals[at] else { return None };
                let value = self.value(field.get(state, 0));
                Some(Change::Field(Place { owner: None, field }, field.cut(value)))
            }
            3..=5 if processes > 0 => {
                let process = tables.procs[pid];
                let scalars = &self.locals[&process.template];
                let at = self.random.below(scalars.len());
                let Some(&Scalar::Value { field, .. }) = scalars.get(at) else { return None };
                let value = self.value(field.get(state, process.base));
                Some(Change::Field(Place { owner: owner(pid), field }, field.cut(value)))
            }
            6 if processes > 0 => {
                let template = tables.procs[pid].template;
                let places = &layout.templates[template];
                let locations = self.model.program.templates[template].graph.locations.len();
                match places.priority {
                    Priority::Field(field) if self.random.below(2) == 0 => {
                        Some(Change::Field(Place { owner: owner(pid), field }, 1 + self.random.below(5) as i32))
                    }
                    _ => {
                        let field = places.pc;
                        Some(Change::Field(Place { owner: owner(pid), field }, self.random.below(locations) as i32))
                    }
                }
            }
            7 => Some(Change::Field(Place { owner: None, field: layout.last? }, pid as i32)),
            _ => {
                let number = 1 + self.random.below(tables.chans.len());
                let shape = &layout.shapes[tables.chans.get(number - 1)?.ty];
                let mut messages = self.messages(state, tables, number)?;
                let before = messages.clone();
                let message = shape.fields.iter().map(|field| field.cut(self.random.below(4) as i32)).collect();
                match self.random.below(4) {
                    0 if messages.len() < shape.capacity as usize => messages.push(message),
                    1 if !messages.is_empty() => drop(messages.pop()),
                    _ if !messages.is_empty() => {
                        let at = self.random.below(messages.len());
                        messages[at] = message;
                    }
                    _ => return None,
                }
                Some(Change::Channel { number, before, messages, capacity: shape.capacity as usize })
            }
        }
    }

    fn value(&mut self, old: i32) -> i32 {
        [0, 1, 2, 3, old.wrapping_add(1), old.wrapping_sub(1)][self.random.below(6)]
    }
}

/// Events by the process that moves first and its edge; without an edge, those before a move.
type ByEdge = BTreeMap<(usize, Option<EdgeId>), Vec<Event>>;

fn by_edge(events: &[Event]) -> ByEdge {
    let mut by_edge = ByEdge::new();
    for event in events {
        let key = match (event.moves.first(), &event.end) {
            (Some(first), _) => (usize::from(first.pid), Some(first.edge)),
            (None, Err(Violation { pid: Some(pid), .. })) => (usize::from(*pid), None),
            // Nobody can move.
            (None, _) => continue,
        };
        by_edge.entry(key).or_default().push(event.clone());
    }
    by_edge
}

/// Whether these uses of a channel can have led from some messages to others.
fn explains(used: ChannelUse, old: &[Vec<i32>], new: &[Vec<i32>]) -> bool {
    if old == new || used.intersects(ChannelUse::WRITES_ALL | ChannelUse::DESTROYS) {
        return true;
    }
    split(old, new).into_iter().any(|(removed, appended)| {
        (removed == 0 || used.contains(ChannelUse::REMOVES_HEAD))
            && (appended == 0 || used.contains(ChannelUse::APPENDS))
    })
}

/// How many messages can have been removed from the front, and how many added behind, least first.
fn split(old: &[Vec<i32>], new: &[Vec<i32>]) -> Vec<(usize, usize)> {
    let fits = |removed: &usize| new.starts_with(&old[*removed..]);
    (0..=old.len()).filter(fits).map(|removed| (removed, new.len() + removed - old.len())).collect()
}

#[derive(Debug)]
enum Change {
    /// A field gets another value.
    Field(Place, i32),
    /// A channel gets other messages.
    Channel { number: usize, before: Vec<Vec<i32>>, messages: Vec<Vec<i32>>, capacity: usize },
}

impl Change {
    fn apply(&self, model: &Model, tables: &Tables, state: &[Word]) -> Vec<Word> {
        let mut words = state.to_vec();
        match self {
            Change::Field(place, value) => {
                let base = place.owner.map_or(0, |(pid, _)| tables.procs[pid].base);
                place.field.set(&mut words, base, *value);
            }
            Change::Channel { number, messages, .. } => fill(model, tables, *number, messages, &mut words),
        }
        words
    }

    fn noticed_by(&self, mover: Mover) -> Notice {
        match self {
            Change::Field(place, _) => match place.is_in(|footprint| &footprint.reads, mover) {
                true => Notice::Outcome,
                false => Notice::Nothing,
            },
            Change::Channel { number, before, messages, capacity } => {
                let used = mover.1.channels.of(*number);
                let (old, new) = (before.len(), messages.len());
                let mut read = ChannelUse::READS_ALL | ChannelUse::WRITES_ALL;
                read.set(ChannelUse::READS_HEAD, before.first() != messages.first());
                read.set(ChannelUse::READS_LENGTH, old != new);
                let mut awaited = ChannelUse::empty();
                awaited.set(ChannelUse::WAITS_FOR_ROOM, (old == *capacity) != (new == *capacity));
                awaited.set(ChannelUse::WAITS_FOR_MESSAGE, (old == 0) != (new == 0));
                match (used.intersects(read), used.intersects(awaited)) {
                    (true, _) => Notice::Outcome,
                    (false, true) => Notice::Executability,
                    (false, false) => Notice::Nothing,
                }
            }
        }
    }
}

/// What an edge may notice of a change.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Notice {
    Nothing,
    /// It may be executable in one of the states only.
    Executability,
    /// Anything.
    Outcome,
}

/// The steps of a state, and of the state after a change.
struct Pair<'a> {
    change: &'a Change,
    /// Of both states: a change does not move anything.
    tables: &'a Tables,
    state: &'a [Word],
    expected: &'a ByEdge,
    found: &'a ByEdge,
}

impl Pair<'_> {
    /// Whether a step from the changed state leads where it led before, but for the change, which may be overwritten.
    fn is_kept(&self, judge: &Judge, expected: &[Word], found: &[Word]) -> bool {
        match self.change {
            Change::Field(place, value) => {
                let base = place.owner.map_or(0, |(pid, _)| self.tables.procs[pid].base);
                let at = place.field.word as usize + if place.field.local { base } else { 0 };
                let mut kept = expected.to_vec();
                if at < kept.len() {
                    place.field.set(&mut kept, base, *value);
                }
                found == expected || found == kept
            }
            Change::Channel { number, before, messages, .. } => {
                let mut tables = Tables::default();
                judge.model.locate(expected, &mut tables);
                let Some(after) = judge.messages(expected, &tables, *number) else { return found == expected };
                let is_possible = |(removed, appended): (usize, usize)| {
                    let Some(kept) = messages.get(removed..) else { return false };
                    let all: Vec<_> = kept.iter().chain(&after[after.len() - appended..]).cloned().collect();
                    let mut words = expected.to_vec();
                    fill(judge.model, &tables, *number, &all, &mut words);
                    found == words
                };
                found == expected || split(before, &after).into_iter().any(is_possible)
            }
        }
    }
}

/// Puts messages into a channel. Free slots are zero.
fn fill(model: &Model, tables: &Tables, number: usize, messages: &[Vec<i32>], words: &mut [Word]) {
    let place = tables.chans[number - 1];
    let channel = Channel { place, shape: &model.layout.shapes[place.ty] };
    for slot in 0..channel.shape.capacity {
        for nth in 0..channel.shape.fields.len() {
            let value = messages.get(slot as usize).map_or(0, |message| message[nth]);
            channel.field(slot, nth).set(words, 0, value);
        }
    }
    place.len.set(words, 0, messages.len() as i32);
}

#[test]
fn footprints_cover_what_edges_do() {
    // Panics inside changed states are expected.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let (mut moves, mut edges, mut failures) = (0, 0, Vec::new());
    for path in models("tests/models").iter().chain(&models("examples")) {
        for analysis in [Analysis::Full, Analysis::Plain] {
            let Some(model) = load(path, analysis) else { continue };
            let mut judge = Judge::new(&model, format!("{} ({analysis:?})", name(path)));
            judge.walk();
            (moves, edges) = (moves + judge.moves, edges + judge.edges);
            failures.append(&mut judge.failures);
        }
    }
    std::panic::set_hook(hook);
    println!("{moves} moves, {edges} edges in changed states");
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures[..failures.len().min(20)].join("\n"));
    assert!(moves > 10_000 && edges > 100_000, "{moves} moves, {edges} edges in changed states");
}

fn name(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}
