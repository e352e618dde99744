//! The footprint of one statement: its guard, its effect, and what else decides whether its edge is executable.

mod flows;

pub(in crate::analysis) use flows::{Flow, Uses};

use super::{ChannelUse, Channels, Footprint, Region, Run, StateBits, Traits};
use crate::code::layout::{Layout, Priority};
use crate::code::program::{
    Argument, Block, Edge, Guard, Instruction, Location, Node, Path, Program, Receive, Remote, RemotePlace,
    RemoteValue, Send, Target,
};
use crate::code::state::{Array, Field};
use crate::ids::{EdgeId, NodeId, TemplateId};
use promela::ids::ProcTypeId;

/// Elements of arrays of structures that are kept apart; of larger ones all words are taken.
const MAX_ELEMENTS: u32 = 256;

/// Collects a footprint from code.
pub(super) struct Collector<'p> {
    program: &'p Program,
    layout: &'p Layout,
    /// Where fields are that are relative to a block.
    local: Region,
    reads: Vec<Run>,
    writes: Vec<Run>,
    overwritten: Vec<Run>,
    footprint: Footprint,
    /// Statements may be skipped: what they write may keep its value.
    is_optional: bool,
}

impl<'p> Collector<'p> {
    /// The footprint of the statement of an edge of a process, and the bits that it overwrites on every path.
    pub(super) fn statement(
        program: &'p Program,
        layout: &'p Layout,
        template: TemplateId,
        location: &Location,
        edge: EdgeId,
    ) -> (Footprint, StateBits) {
        let mut collector = Collector::new(program, layout, template);
        collector.process(template);
        collector.siblings(template, location, edge);
        collector.edge(template, &program.edges[edge]);
        collector.finish()
    }

    /// What every step of a process depends on: its place, its `provided` clause, and priorities.
    pub(super) fn gate(program: &'p Program, layout: &'p Layout, template: TemplateId) -> Footprint {
        let mut collector = Collector::new(program, layout, template);
        collector.process(template);
        collector.finish().0
    }

    /// What an expression reads.
    pub(super) fn expression(
        program: &'p Program,
        layout: &'p Layout,
        template: TemplateId,
        node: NodeId,
    ) -> Footprint {
        let mut collector = Collector::new(program, layout, template);
        collector.node(node);
        collector.finish().0
    }

    /// What decides whether a process has an executable edge, wherever it is. An offer is executable even if no process
    /// would accept it: `enabled` and priorities do not ask for partners.
    pub(super) fn guards(program: &'p Program, layout: &'p Layout, template: TemplateId) -> Footprint {
        let mut collector = Collector::new(program, layout, template);
        collector.read(layout.templates[template].place);
        let locations = program.templates[template].graph.locations.values();
        for edge in locations.flat_map(|location| location.edges()) {
            match program.edges[edge].guard {
                Guard::Offer(_) => {}
                Guard::Send(send) => {
                    let chan = program.sends[send as usize].chan;
                    collector.channel(chan, ChannelUse::READS_LENGTH, ChannelUse::empty());
                }
                guard => collector.test(guard),
            }
        }
        collector.finish().0
    }

    fn new(program: &'p Program, layout: &'p Layout, template: TemplateId) -> Self {
        let (reads, writes, overwritten) = Default::default();
        let footprint = Footprint::new(template);
        let local = Region::Own;
        Collector { program, layout, local, reads, writes, overwritten, footprint, is_optional: false }
    }

    /// The footprint, and the bits that are overwritten on every path.
    fn finish(self) -> (Footprint, StateBits) {
        let Collector { reads, writes, overwritten, mut footprint, .. } = self;
        footprint.reads = StateBits::new(&reads);
        footprint.writes = StateBits::new(&writes);
        (footprint, StateBits::exact(&overwritten))
    }

    /// What every step of a process depends on and changes.
    fn process(&mut self, template: TemplateId) {
        let (layout, code) = (self.layout, &self.program.templates[template]);
        self.read(layout.templates[template].place);
        if let Some(last) = layout.last {
            self.write(last);
        }
        if let Some(condition) = code.provided {
            self.footprint.traits |= Traits::PROVIDED;
            self.node(condition);
        }
        if layout.has_priorities {
            self.footprint.traits |= Traits::HELD_BACK;
            self.priorities(false);
        }
        if code.deterministic {
            self.footprint.traits |= Traits::DETERMINISTIC;
        }
    }

    /// What the edges of the same location that are tried before this one have to do with it.
    fn siblings(&mut self, template: TemplateId, location: &Location, edge: EdgeId) {
        let program = self.program;
        let own = &program.edges[edge];
        let reads_all = program.templates[template].deterministic || self.is_else(own.guard);
        for before in location.edges().take_while(|&before| before != edge) {
            let before = &program.edges[before];
            let holds_back = before.escape > 0 && before.escape != own.escape;
            if reads_all || holds_back {
                self.test(before.guard);
            }
        }
    }

    fn is_else(&self, guard: Guard) -> bool {
        match guard {
            Guard::Else => true,
            Guard::DStep(d_step) => {
                let graph = &self.program.d_steps[d_step as usize];
                graph.locations[graph.start].edges().any(|edge| self.is_else(self.program.edges[edge].guard))
            }
            _ => false,
        }
    }

    fn edge(&mut self, template: TemplateId, edge: &'p Edge) {
        match edge.guard {
            Guard::End => self.end(template),
            Guard::DStep(d_step) => self.d_step(d_step),
            guard => self.guard(guard),
        }
        self.block(edge.effect);
        if edge.to.is_some() {
            self.write(self.layout.templates[template].pc);
        }
    }

    /// The process dies, with its variables and channels.
    fn end(&mut self, template: TemplateId) {
        self.footprint.traits |= Traits::ENDS;
        self.read(self.layout.nr_pr);
        self.write(self.layout.nr_pr);
        self.block_of(template, Region::Own);
        self.channels_of(template, ChannelUse::DESTROYS);
    }

    /// All that a process consists of is written.
    fn block_of(&mut self, template: TemplateId, region: Region) {
        let places = &self.layout.templates[template];
        let owned = places.owned.iter().map(|&(word, mask)| {
            let (first, end) = (word, word + 1);
            Run { region: Region::Fixed, first, end, mask }
        });
        let block = (places.words > 0).then_some(Run { region, first: 0, end: places.words, mask: u32::MAX });
        owned.chain(block).for_each(|run| self.overwrite(run));
    }

    /// The channels that come and go with a process.
    fn channels_of(&mut self, template: TemplateId, usage: ChannelUse) {
        let constant = self.layout.channels.len();
        let (first, count) = self.layout.templates[template].channels;
        let channels = match self.layout.is_fixed {
            true => Channels::from_range(first + 1..first + count + 1),
            false if self.creates_channels(template) => Channels::from_range(constant + 1..usize::MAX),
            false => Channels::default(),
        };
        self.footprint.channels.insert(channels, usage);
    }

    fn creates_channels(&self, template: TemplateId) -> bool {
        let init = self.instructions(self.program.templates[template].init);
        init.iter().any(|instruction| matches!(instruction, Instruction::NewChannel(..)))
    }

    /// Every statement of a `d_step` may be executed. Its first one decides whether the edge is executable, if there is
    /// no choice, and if control does not come back to it: what blocks there later is an error.
    fn d_step(&mut self, d_step: u32) {
        let graph = &self.program.d_steps[d_step as usize];
        let mut inside = graph.locations.values().flat_map(|location| location.edges());
        let comes_back = inside.any(|edge| self.program.edges[edge].to == Some(graph.start));
        self.is_optional = true;
        for (pc, location) in &graph.locations {
            for id in location.edges() {
                let edge = &self.program.edges[id];
                let is_first = pc == graph.start;
                let decides = is_first && location.end == location.first + 1 && !comes_back;
                match edge.guard {
                    // A rendezvous inside is an error.
                    Guard::Send(send) | Guard::Offer(send) => {
                        let usage = if decides { ChannelUse::WAITS_FOR_ROOM } else { ChannelUse::READS_LENGTH };
                        self.channel(self.program.sends[send as usize].chan, usage, ChannelUse::empty());
                    }
                    guard if decides => self.guard(guard),
                    guard => self.test(guard),
                }
                if let (true, Some(receive)) = (is_first, edge.guard.receive()) {
                    self.accept(&self.program.receives[receive as usize]);
                }
                self.block(edge.effect);
            }
        }
        self.is_optional = false;
    }

    /// A guard that decides whether the edge is executable.
    fn guard(&mut self, guard: Guard) {
        match guard {
            Guard::Send(send) | Guard::Offer(send) => {
                let send = &self.program.sends[send as usize];
                self.channel(send.chan, ChannelUse::WAITS_FOR_ROOM, ChannelUse::OFFERS);
            }
            Guard::Receive(receive) | Guard::Accept(receive) => {
                let receive = &self.program.receives[receive as usize];
                self.message(receive, ChannelUse::WAITS_FOR_MESSAGE);
                self.accept(receive);
            }
            other => self.test(other),
        }
    }

    /// A guard that is evaluated, and decides something else.
    fn test(&mut self, guard: Guard) {
        match guard {
            Guard::True | Guard::Else => {}
            Guard::Expr(node) => self.node(node),
            Guard::Compare(_, field, _) => self.read(field),
            Guard::Send(send) | Guard::Offer(send) => {
                let send = &self.program.sends[send as usize];
                self.channel(send.chan, ChannelUse::READS_LENGTH, ChannelUse::READS_PARTNERS);
                if self.has_rendezvous(self.channels(send.chan)) {
                    send.args.iter().for_each(|&arg| self.node(arg));
                }
            }
            Guard::Receive(receive) => {
                self.message(&self.program.receives[receive as usize], ChannelUse::READS_LENGTH);
            }
            // It is never tried on its own.
            Guard::Accept(_) => {}
            Guard::End => self.read(self.layout.nr_pr),
            Guard::DStep(d_step) => {
                let graph = &self.program.d_steps[d_step as usize];
                graph.locations[graph.start].edges().for_each(|edge| self.test(self.program.edges[edge].guard));
            }
        }
    }

    fn accept(&mut self, receive: &'p Receive) {
        if !receive.copy {
            self.channel(receive.chan, ChannelUse::empty(), ChannelUse::ACCEPTS);
        }
    }

    /// Looks for the message that a receive takes.
    fn message(&mut self, receive: &'p Receive, usage: ChannelUse) {
        let which = if receive.random { ChannelUse::READS_ALL } else { ChannelUse::READS_HEAD };
        self.channel(receive.chan, which | usage, ChannelUse::empty());
        for arg in &receive.args {
            if let Argument::Match(value) = *arg {
                self.node(value);
            }
        }
    }

    fn block(&mut self, block: Block) {
        self.instructions(block).iter().for_each(|instruction| self.instruction(instruction));
    }

    fn instructions(&self, block: Block) -> &'p [Instruction] {
        &self.program.instructions[block.start as usize..block.end as usize]
    }

    fn instruction(&mut self, instruction: &'p Instruction) {
        let program = self.program;
        match *instruction {
            Instruction::Declare => {}
            Instruction::SetConst(field, _) => self.write(field),
            Instruction::Add(field, _) => {
                self.read(field);
                self.write(field);
            }
            Instruction::Set(field, value) => {
                self.node(value);
                self.write(field);
            }
            Instruction::Store(target, value) => {
                self.node(value);
                self.target(target);
            }
            Instruction::Fill { array, value } => {
                self.node(value);
                let array = program.arrays[array as usize];
                let elements = Run::of_array(self.region(array.first), array);
                elements.into_iter().flatten().for_each(|run| self.overwrite(run));
            }
            Instruction::Assert(condition) | Instruction::Require(condition) => self.node(condition),
            Instruction::Send(send) => self.send(&program.sends[send as usize]),
            Instruction::Receive(receive) => self.receive(&program.receives[receive as usize]),
            Instruction::Print(print) => {
                program.prints[print as usize].args.iter().for_each(|&(arg, _)| self.node(arg));
            }
            Instruction::Run(run) => {
                let run = &program.runs[run as usize];
                run.args.iter().chain(&run.priority).for_each(|&arg| self.node(arg));
                self.run(run.proctype);
            }
            Instruction::SetPriority(pid, value) => {
                [pid, value].into_iter().for_each(|node| self.node(node));
                self.priorities(true);
            }
            // Which channel is known where the process is created.
            Instruction::NewChannel(_, target) => self.target(target),
        }
    }

    /// A process is created: all its variables get values, some of them those of expressions. None of its bits is read: as
    /// it does not exist, they are zero.
    fn run(&mut self, proctype: ProcTypeId) {
        self.footprint.traits |= Traits::RUNS;
        self.read(self.layout.nr_pr);
        self.write(self.layout.nr_pr);
        for (id, template) in self.program.templates.iter().filter(|(_, template)| template.proctype == proctype) {
            let creator = std::mem::replace(&mut self.local, Region::Block(id));
            let was_optional = std::mem::replace(&mut self.is_optional, true);
            let known = self.reads.len();
            self.block_of(id, Region::Block(id));
            self.block(template.init);
            let mut read = self.reads.split_off(known);
            read.retain(|run| !self.is_part_of(id, run));
            self.reads.append(&mut read);
            self.channels_of(id, ChannelUse::CREATES);
            (self.local, self.is_optional) = (creator, was_optional);
        }
    }

    /// Whether these are bits of a process of this template.
    fn is_part_of(&self, template: TemplateId, run: &Run) -> bool {
        let owned = &self.layout.templates[template].owned;
        let owns =
            |word: u32| owned.binary_search_by_key(&word, |&(at, _)| at).is_ok_and(|nth| run.mask & !owned[nth].1 == 0);
        run.region == Region::Block(template) || run.region == Region::Fixed && (run.first..run.end).all(owns)
    }

    /// The priorities of any process are read, or one of them is written.
    fn priorities(&mut self, is_write: bool) {
        self.footprint.traits |= Traits::PRIORITY;
        let layout = self.layout;
        for (id, places) in &layout.templates {
            if let Priority::Field(field) = places.priority {
                self.everywhere(id, Run::of(self.region(field), field), is_write);
            }
        }
    }

    /// The locations of all processes of some templates are read.
    fn locations(&mut self, is_meant: impl Fn(TemplateId) -> bool) {
        self.footprint.traits |= Traits::REMOTE;
        let places = self.layout.templates.iter().filter(|(id, _)| is_meant(*id));
        for (id, field) in places.map(|(id, places)| (id, places.place)).collect::<Vec<_>>() {
            self.everywhere(id, Run::of(self.region(field), field), false);
        }
    }

    /// A place is read, or perhaps written, in every process of a template.
    fn everywhere(&mut self, template: TemplateId, place: Run, is_write: bool) {
        let own = (template == self.footprint.template).then_some(Region::Own);
        let regions = match place.region {
            Region::Fixed => [Some(Region::Fixed), None],
            Region::Own | Region::Block(_) => [Some(Region::Block(template)), own],
        };
        for region in regions.into_iter().flatten() {
            let run = Run { region, ..place };
            self.reads.push(run);
            if is_write {
                self.writes.push(run);
            }
        }
    }

    fn send(&mut self, send: &'p Send) {
        send.args.iter().for_each(|&arg| self.node(arg));
        let usage = match send.sorted {
            true => ChannelUse::READS_ALL | ChannelUse::WRITES_ALL,
            false => ChannelUse::APPENDS,
        };
        self.channel(send.chan, usage, ChannelUse::empty());
        self.event(send.chan, true);
    }

    fn receive(&mut self, receive: &'p Receive) {
        let usage = match (receive.copy, receive.random) {
            (true, _) => ChannelUse::empty(),
            (false, true) => ChannelUse::WRITES_ALL,
            (false, false) => ChannelUse::REMOVES_HEAD,
        };
        self.message(receive, usage);
        for arg in &receive.args {
            if let Argument::Bind(target) = *arg {
                self.target(target);
            }
        }
        self.event(receive.chan, false);
    }

    /// A message is shown to the `trace` automaton, if it may watch the channel.
    fn event(&mut self, chan: NodeId, is_send: bool) {
        let Some((events, place)) = self.program.events.as_ref().zip(self.layout.event) else { return };
        let watched = if is_send { &events.sends } else { &events.receives };
        if !watched.iter().any(|&node| self.channels(node).intersects(self.channels(chan))) {
            return;
        }
        self.footprint.traits |= Traits::EVENT;
        watched.iter().for_each(|&node| self.node(node));
        self.read(place);
        self.writes.push(Run::of(Region::Fixed, place));
        for edge in events.graph.locations.values().flat_map(|location| location.edges()) {
            let guard = self.program.edges[edge].guard;
            if let Some(send) = guard.send() {
                let send = &self.program.sends[send as usize];
                send.args.iter().chain([&send.chan]).for_each(|&node| self.node(node));
            }
            if let Some(receive) = guard.receive() {
                let receive = &self.program.receives[receive as usize];
                let matched = receive.args.iter().filter_map(|arg| match arg {
                    Argument::Match(node) => Some(node),
                    Argument::Bind(_) | Argument::Any => None,
                });
                matched.chain([&receive.chan]).for_each(|&node| self.node(node));
            }
        }
    }

    fn node(&mut self, node: NodeId) {
        match self.program.nodes[node] {
            Node::Any | Node::Const(_) | Node::Pid | Node::Created => {}
            Node::Timeout => self.footprint.traits |= Traits::TIMEOUT,
            Node::Load(field) | Node::Compare(_, field, _) => self.read(field),
            Node::Element { array, index } => {
                self.node(index);
                let runs = self.elements(self.program.arrays[array as usize], index, 0);
                self.reads.extend(runs.into_iter().flatten());
            }
            Node::Path(path) => {
                let runs = self.path(&self.program.paths[path as usize]);
                self.reads.extend(runs);
            }
            Node::ChannelElement { index, .. } => self.node(index),
            Node::Not(a) | Node::Neg(a) | Node::BitNot(a) => self.node(a),
            Node::Binary(_, a, b) | Node::And(a, b) | Node::Or(a, b) => [a, b].into_iter().for_each(|a| self.node(a)),
            Node::Cond(c, a, b) => [c, a, b].into_iter().for_each(|a| self.node(a)),
            Node::Len(chan) | Node::Test(_, chan) => {
                self.channel(chan, ChannelUse::READS_LENGTH, ChannelUse::empty());
            }
            Node::Poll(poll) => self.message(&self.program.polls[poll as usize], ChannelUse::READS_LENGTH),
            Node::NrPr => {
                self.footprint.traits |= Traits::COUNTS;
                self.read(self.layout.nr_pr);
            }
            Node::Last => self.layout.last.into_iter().for_each(|last| self.read(last)),
            Node::NonProgress => self.locations(|_| true),
            Node::Enabled(pid) => {
                self.footprint.traits |= Traits::ENABLED;
                self.node(pid);
            }
            Node::PcValue(pid) => {
                self.node(pid);
                self.locations(|_| true);
            }
            Node::GetPriority(pid) => {
                self.node(pid);
                self.priorities(false);
            }
            Node::Remote(remote) => self.remote(&self.program.remotes[remote as usize]),
        }
    }

    fn remote(&mut self, remote: &'p Remote) {
        let program = self.program;
        if let Some(pid) = remote.pid {
            self.node(pid);
        }
        let constant = remote.pid.and_then(|pid| match program.nodes[pid] {
            Node::Const(pid) if self.layout.is_fixed => Some(pid as usize),
            _ => None,
        });
        // A process is meant by its number, whatever its type, or else it is the first of the type.
        let is_meant = |id: TemplateId| match remote.pid {
            None => program.templates[id].proctype == remote.proctype,
            Some(_) => constant.is_none_or(|pid| self.layout.templates[id].pid == Some(pid)),
        };
        let RemoteValue::Local(by_template) = &remote.what else { return self.locations(is_meant) };
        self.footprint.traits |= Traits::REMOTE;
        for id in program.templates.keys().filter(|&id| is_meant(id)) {
            // Whether the process exists is read from whatever is its own: it is written with the process.
            let target = match by_template[id] {
                Some(RemotePlace::Target(target)) => target,
                Some(RemotePlace::Const(_)) => Target::Field(self.layout.templates[id].place),
                None => continue,
            };
            for run in self.places(target) {
                self.everywhere(id, run, false);
            }
        }
    }

    /// A value goes to a target.
    fn target(&mut self, target: Target) {
        match target {
            Target::Field(field) => self.write(field),
            _ => {
                let runs = self.places(target);
                self.write_some(&runs);
            }
        }
    }

    /// The places that a target may come down to. Its indices are read.
    fn places(&mut self, target: Target) -> Vec<Run> {
        match target {
            Target::Field(field) => vec![Run::of(self.region(field), field)],
            Target::Element { array, index } => {
                self.node(index);
                self.elements(self.program.arrays[array as usize], index, 0).into_iter().flatten().collect()
            }
            Target::Path(path) => self.path(&self.program.paths[path as usize]),
            Target::Nowhere => Vec::new(),
        }
    }

    /// The elements of an array that an index may mean, `offset` words further.
    fn elements(&self, array: Array, index: NodeId, offset: u32) -> [Option<Run>; 2] {
        let array = Array { first: Field { word: array.first.word + offset, ..array.first }, ..array };
        match self.program.nodes[index] {
            Node::Const(at) if (at as u32) < array.len => {
                [Some(Run::of(self.region(array.first), array.element(at as u32))), None]
            }
            _ => Run::of_array(self.region(array.first), array),
        }
    }

    /// The places that a path may lead to. Its indices are read.
    fn path(&mut self, path: &'p Path) -> Vec<Run> {
        let region = self.region(path.first);
        let mut offsets = vec![0];
        let mut words = 1;
        for &(index, len, stride) in &path.dimensions {
            self.node(index);
            words += (len - 1) * stride;
            offsets = match self.program.nodes[index] {
                Node::Const(at) if (at as u32) < len => {
                    offsets.iter().map(|offset| offset + at as u32 * stride).collect()
                }
                _ if (offsets.len() as u32).saturating_mul(len) > MAX_ELEMENTS => Vec::new(),
                _ => offsets.iter().flat_map(|offset| (0..len).map(move |at| offset + at * stride)).collect(),
            };
        }
        let last = path.last.map(|(index, array)| {
            self.node(index);
            (index, array)
        });
        if offsets.is_empty() {
            let array_words = last.map_or(0, |(_, array)| array.len >> array.per_word_log2);
            let first = last.map_or(path.first, |(_, array)| array.first).word;
            return vec![Run { region, first, end: first + words + array_words, mask: u32::MAX }];
        }
        let runs = offsets.into_iter().flat_map(|offset| match last {
            Some((index, array)) => self.elements(array, index, offset),
            None => [Some(Run::of(region, Field { word: path.first.word + offset, ..path.first })), None],
        });
        runs.flatten().collect()
    }

    fn read(&mut self, field: Field) {
        self.reads.push(Run::of(self.region(field), field));
    }

    /// A field gets a value.
    fn write(&mut self, field: Field) {
        self.overwrite(Run::of(self.region(field), field));
    }

    /// All of these bits get a value, if the statement is not skipped.
    fn overwrite(&mut self, run: Run) {
        self.writes.push(run);
        match self.is_optional {
            true => self.reads.push(run),
            false => self.overwritten.push(run),
        }
    }

    /// Some of these places get a value, and the others keep theirs.
    fn write_some(&mut self, runs: &[Run]) {
        self.writes.extend(runs);
        self.reads.extend(runs);
    }

    fn region(&self, field: Field) -> Region {
        if field.local { self.local } else { Region::Fixed }
    }

    /// A channel is used: in one way if it has a buffer, in the other if it is a rendezvous channel.
    fn channel(&mut self, chan: NodeId, buffered: ChannelUse, rendezvous: ChannelUse) {
        self.node(chan);
        let channels = self.channels(chan);
        let mut usage = ChannelUse::empty();
        if self.has_buffered(channels) {
            usage |= buffered;
        }
        if self.has_rendezvous(channels) {
            usage |= rendezvous;
        }
        if !matches!(self.program.nodes[chan], Node::Const(_)) {
            usage |= ChannelUse::MUST_EXIST;
        }
        self.footprint.channels.insert(channels, usage);
    }

    /// The channels that an expression may mean.
    fn channels(&self, chan: NodeId) -> Channels {
        match self.program.nodes[chan] {
            Node::Const(number) => number.try_into().map_or(Channels::default(), |number: usize| {
                Channels::from_range(number..number + usize::from(number > 0))
            }),
            Node::ChannelElement { first, len, .. } => {
                Channels::from_range(first as usize..first as usize + len as usize)
            }
            _ if self.layout.is_fixed => Channels::from_range(1..self.layout.channels.len() + 1),
            _ => Channels::from_range(1..usize::MAX),
        }
    }

    fn has_buffered(&self, channels: Channels) -> bool {
        self.has_capacity(channels, |capacity| capacity > 0)
    }

    fn has_rendezvous(&self, channels: Channels) -> bool {
        self.has_capacity(channels, |capacity| capacity == 0)
    }

    /// Whether one of the channels may have such a capacity. Those created at run time may be of any type.
    fn has_capacity(&self, channels: Channels, is_meant: impl Fn(u32) -> bool) -> bool {
        let shapes = &self.layout.shapes;
        let constant = self.layout.channels.iter().enumerate();
        let mut known = constant.filter(|(index, _)| channels.contains(index + 1)).map(|(_, place)| &shapes[place.ty]);
        let is_created = !self.layout.is_fixed && channels.contains(self.layout.channels.len() + 1);
        known.any(|shape| is_meant(shape.capacity))
            || is_created && shapes.values().any(|shape| is_meant(shape.capacity))
    }
}
