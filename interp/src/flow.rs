//! From a body's statements to its control-flow graph: the locations at which a process can stand and the edges
//! between them, in the order in which they are tried.
//!
//! SPIN's state counts depend on which control points exist, so the construction follows its rules exactly:
//! - every basic statement is an *element*; compound statements add an element for the choice and joining elements
//!   (*dots*) behind it; elements are numbered in the order in which a parser completes them;
//! - a jump or a dot costs no step: flow runs through it (`hunt`), unless it is the first thing of an option or block,
//!   or it leaves an atomic sequence, in which case it is a step of its own;
//! - an option, block or `unless` has no steps of its own: it offers the steps of its first element;
//! - the escape of an `unless` is offered in front of every step of its main part, outermost first.
//!
//! Invariant: edges of a location are in trial order; `escape` groups those that belong to one escape.

use cranelift_entity::{EntityRef, EntitySet, PrimaryMap, SecondaryMap};
use fxhash::FxHashMap;
use promela::ids::LabelId;
use promela::model::{Expr, ExprKind, ProcType, Sequence, Stmt, StmtKind};
use promela::source::Span;

use crate::ids::Pc;

bitflags::bitflags! {
    /// What labels say about a location.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct LocationFlags: u8 {
        /// A process may stay here for ever (`end…` label, or the closing brace).
        const END = 1;
        /// `progress…` label.
        const PROGRESS = 2;
        /// `accept…` label.
        const ACCEPT = 4;
    }
}

/// The control-flow graph of one proctype.
pub struct Flow<'m> {
    /// Locations a process can reach, in numbering order.
    pub locations: PrimaryMap<Pc, Location<'m>>,
    /// Where a process starts.
    pub start: Pc,
    /// The location of each label, where it has one a process can be at.
    pub labels: SecondaryMap<LabelId, Option<Pc>>,
    /// How many elements the whole body has.
    pub elements: u32,
}

/// A control location.
pub struct Location<'m> {
    /// Its number as SPIN counts: from 1, per proctype.
    pub number: u32,
    /// What its labels say.
    pub flags: LocationFlags,
    /// The statement it stands before.
    pub span: Span,
    /// Its edges in trial order.
    pub edges: Vec<Edge<'m>>,
}

/// One step that can be tried at a location.
#[derive(Clone)]
pub struct Edge<'m> {
    /// What it does.
    pub step: Step<'m>,
    /// Where it leads; `None` when the process ends.
    pub to: Option<Pc>,
    /// The process keeps control: the next step is in the same atomic sequence.
    pub atomic: bool,
    /// 0, or the number of the escape this edge belongs to.
    pub escape: u32,
    /// The number of the element whose step this is, from 1.
    pub element: u32,
    /// The statement.
    pub span: Span,
}

/// What an edge does.
#[derive(Clone)]
pub enum Step<'m> {
    /// A basic statement.
    Stmt(&'m Stmt),
    /// A jump that costs a step.
    Skip,
    /// The closing brace: the process ends.
    End,
    /// A `d_step`: the inner graph is run as one step; an inner edge without target leaves it.
    DStep(std::rc::Rc<Flow<'m>>),
}

/// Builds the graph of `proc`, whose labels in `watched` are spoken of from outside.
pub fn build<'m>(proc: &'m ProcType, watched: &EntitySet<LabelId>) -> Flow<'m> {
    let mut builder = Builder {
        proc,
        watched,
        elements: Vec::new(),
        sequences: Vec::new(),
        labelled: FxHashMap::default(),
        breaks: Vec::new(),
    };
    let body = builder.body(&proc.body);
    builder.close_blocks(body);
    for seq in 0..builder.sequences.len() {
        builder.patch_jumps(seq);
    }
    let start = builder.hunt(builder.sequences[body].first, builder.elements[builder.sequences[body].first].atom);
    builder.graph(start, &|_| true)
}

/// Index of an element; its number is one more.
type El = usize;
/// Index of a sequence.
type Seq = usize;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    Plain,
    Atomic,
    DStep,
}

enum Kind<'m> {
    Basic(&'m Stmt),
    /// A labelled jump that must be a location, or an empty piece.
    Skip,
    Goto(LabelId),
    Break(El),
    /// A jump whose label is spoken of from outside: a process can be seen at it, so it is a step of its own.
    Standing(Box<Kind<'m>>),
    /// Joins the ends of options; flow goes to `next`.
    Dot,
    /// `if`, `do`, `unless`: offers its parts' first elements.
    Choice(Vec<Seq>),
    Unless { main: Seq, escape: Seq },
    Block(Block, Seq),
    End,
}

struct Element<'m> {
    kind: Kind<'m>,
    next: Option<El>,
    /// Inside an atomic sequence and not its last element.
    atom: bool,
    /// Last element of an atomic sequence.
    last_atom: bool,
    /// Inside a `d_step` block (its element).
    d_step: Option<El>,
    /// Escapes, outermost first.
    escapes: Vec<Seq>,
    flags: LocationFlags,
    span: Span,
}

struct Sequenced {
    first: El,
    last: El,
    /// The last element of its own (not a dot appended later).
    extent: El,
}

struct Builder<'m, 'w> {
    proc: &'m ProcType,
    watched: &'w EntitySet<LabelId>,
    elements: Vec<Element<'m>>,
    sequences: Vec<Sequenced>,
    labelled: FxHashMap<LabelId, El>,
    /// For each open `do`: the jumps that leave it.
    breaks: Vec<Vec<El>>,
}

impl<'m> Builder<'m, '_> {
    fn new_element(&mut self, kind: Kind<'m>, span: Span) -> El {
        self.elements.push(Element {
            kind,
            next: None,
            atom: false,
            last_atom: false,
            d_step: None,
            escapes: Vec::new(),
            flags: LocationFlags::empty(),
            span,
        });
        self.elements.len() - 1
    }

    fn append(&mut self, seq: Seq, element: El) {
        let last = self.sequences[seq].last;
        self.elements[last].next = Some(element);
        self.sequences[seq].last = element;
    }

    /// The body of the whole, with the closing brace as its last element.
    fn body(&mut self, sequence: &'m Sequence) -> Seq {
        let mut chain = self.statements(sequence);
        let end = self.new_element(Kind::End, sequence.span);
        chain.push(end);
        self.chain(&chain)
    }

    fn statements(&mut self, sequence: &'m Sequence) -> Vec<El> {
        let mut chain = Vec::new();
        for stmt in &sequence.stmts {
            self.statement(stmt, &mut chain);
        }
        chain
    }

    fn sequence(&mut self, sequence: &'m Sequence) -> Seq {
        let mut chain = self.statements(sequence);
        if chain.is_empty() {
            let skip = self.new_element(Kind::Skip, sequence.span);
            chain.push(skip);
        }
        self.chain(&chain)
    }

    fn chain(&mut self, chain: &[El]) -> Seq {
        for pair in chain.windows(2) {
            self.elements[pair[0]].next = Some(pair[1]);
        }
        let (first, last) = (chain[0], chain[chain.len() - 1]);
        self.sequences.push(Sequenced { first, last, extent: last });
        self.sequences.len() - 1
    }

    /// Adds the elements of one statement to `chain`, and attaches its labels to the one that stands for it.
    fn statement(&mut self, stmt: &'m Stmt, chain: &mut Vec<El>) {
        let flags = stmt.labels.iter().map(|&label| self.label_flags(label)).fold(LocationFlags::empty(), |a, b| a | b);
        let element = match &stmt.kind {
            StmtKind::Exclusive { .. } => return,
            StmtKind::Goto(label) => self.jump(Kind::Goto(*label), stmt, flags, chain),
            StmtKind::Break => {
                let jump = self.jump(Kind::Break(0), stmt, flags, chain);
                let target = chain[chain.len() - 1];
                if let Some(jumps) = self.breaks.last_mut() {
                    jumps.push(target);
                }
                jump
            }
            StmtKind::If(options) => {
                let parts = self.options(options);
                let choice = self.new_element(Kind::Choice(parts.clone()), stmt.span);
                let dot = self.new_element(Kind::Dot, stmt.span);
                self.join(&parts, dot);
                chain.extend([choice, dot]);
                choice
            }
            StmtKind::Do(options) => {
                self.breaks.push(Vec::new());
                let parts = self.options(options);
                let choice = self.new_element(Kind::Choice(parts.clone()), stmt.span);
                let dot = self.new_element(Kind::Dot, stmt.span);
                let exit = self.new_element(Kind::Dot, stmt.span);
                self.join(&parts, dot);
                for jump in self.breaks.pop().unwrap_or_default() {
                    match &mut self.elements[jump].kind {
                        Kind::Standing(inner) => **inner = Kind::Break(exit),
                        plain => *plain = Kind::Break(exit),
                    }
                }
                chain.extend([dot, choice, exit]);
                choice
            }
            StmtKind::Unless(main, escape) => {
                let mut own = Vec::new();
                let main = self.sequence(main);
                let escape = self.sequence(escape);
                let choice = self.new_element(Kind::Unless { main, escape }, stmt.span);
                let dot = self.new_element(Kind::Dot, stmt.span);
                self.join(&[main, escape], dot);
                self.attach_escape(main, escape);
                own.extend([choice, dot]);
                if stmt.labels.is_empty() {
                    chain.extend(own);
                    choice
                } else {
                    // A label needs a location of its own: the whole is put into a block.
                    let inner = self.chain(&own);
                    let block = self.new_element(Kind::Block(Block::Plain, inner), stmt.span);
                    chain.push(block);
                    block
                }
            }
            StmtKind::Block(body) => self.block(Block::Plain, body, stmt.span, chain),
            StmtKind::Atomic(body) => self.block(Block::Atomic, body, stmt.span, chain),
            StmtKind::DStep(body) => self.block(Block::DStep, body, stmt.span, chain),
            StmtKind::Expr(_)
            | StmtKind::Else
            | StmtKind::Assign(..)
            | StmtKind::Declare(_)
            | StmtKind::Send { .. }
            | StmtKind::Recv { .. }
            | StmtKind::Assert(_)
            | StmtKind::Printf(..)
            | StmtKind::Printm(_) => {
                let element = self.new_element(Kind::Basic(stmt), stmt.span);
                chain.push(element);
                element
            }
        };
        self.elements[element].flags |= flags;
        for &label in &stmt.labels {
            self.labelled.insert(label, element);
        }
    }

    /// A jump; one with an end, progress or accept label gets a location in front that carries it.
    fn jump(&mut self, kind: Kind<'m>, stmt: &Stmt, flags: LocationFlags, chain: &mut Vec<El>) -> El {
        let is_watched = stmt.labels.iter().any(|&label| self.watched.contains(label));
        let kind = if flags.is_empty() && is_watched { Kind::Standing(Box::new(kind)) } else { kind };
        let jump = self.new_element(kind, stmt.span);
        if flags.is_empty() {
            chain.push(jump);
            jump
        } else {
            let skip = self.new_element(Kind::Skip, stmt.span);
            chain.extend([skip, jump]);
            skip
        }
    }

    fn block(&mut self, block: Block, body: &'m Sequence, span: Span, chain: &mut Vec<El>) -> El {
        let inner = self.sequence(body);
        let element = self.new_element(Kind::Block(block, inner), span);
        match block {
            Block::Plain => {}
            Block::Atomic => self.make_atomic(inner, None),
            Block::DStep => self.make_atomic(inner, Some(element)),
        }
        chain.push(element);
        element
    }

    /// The options of a choice, an `else` last.
    fn options(&mut self, options: &'m [Sequence]) -> Vec<Seq> {
        let mut parts: Vec<Seq> = options.iter().map(|option| self.sequence(option)).collect();
        let is_else = |seq: &Seq| {
            matches!(self.elements[self.sequences[*seq].first].kind, Kind::Basic(Stmt { kind: StmtKind::Else, .. }))
        };
        if let Some(at) = parts.iter().position(is_else) {
            let other = parts.remove(at);
            parts.push(other);
        }
        for &part in &parts {
            self.drop_repeated_skips(part);
        }
        parts
    }

    /// Among several `skip`s in a row of an option only the first is a step, but labelled ones and the option's last.
    fn drop_repeated_skips(&mut self, option: Seq) {
        let last = self.sequences[option].last;
        let mut at = self.sequences[option].first;
        while at != last {
            let Some(next) = self.elements[at].next else { break };
            if next != last && self.is_plain_skip(at) && self.is_plain_skip(next) {
                self.elements[at].next = self.elements[next].next;
            } else {
                at = next;
            }
        }
    }

    /// An unlabelled `skip`.
    fn is_plain_skip(&self, element: El) -> bool {
        let Kind::Basic(stmt) = self.elements[element].kind else { return false };
        let is_one = matches!(&stmt.kind, StmtKind::Expr(Expr { kind: ExprKind::Const(1), .. }));
        is_one && stmt.labels.is_empty()
    }

    fn join(&mut self, parts: &[Seq], dot: El) {
        for &part in parts {
            self.append(part, dot);
        }
    }

    fn label_flags(&self, label: LabelId) -> LocationFlags {
        let name = &self.proc.labels[label].name;
        let mut flags = LocationFlags::empty();
        flags.set(LocationFlags::END, name.starts_with("end"));
        flags.set(LocationFlags::PROGRESS, name.starts_with("progress"));
        flags.set(LocationFlags::ACCEPT, name.starts_with("accept"));
        flags
    }

    /// The elements of a sequence that are its own, in order.
    fn own_elements(&self, seq: Seq) -> Vec<El> {
        let Sequenced { first, extent, .. } = self.sequences[seq];
        let mut own = vec![first];
        let mut at = first;
        while at != extent {
            let Some(next) = self.elements[at].next else { break };
            own.push(next);
            at = next;
        }
        own
    }

    /// The sequences inside an element.
    fn parts(&self, element: El) -> Vec<Seq> {
        match &self.elements[element].kind {
            Kind::Choice(parts) => parts.clone(),
            Kind::Unless { main, escape } => vec![*main, *escape],
            Kind::Block(_, inner) => vec![*inner],
            _ => Vec::new(),
        }
    }

    /// Marks all elements of a sequence as inside an atomic sequence (or a `d_step`), its last one as the last.
    fn make_atomic(&mut self, seq: Seq, d_step: Option<El>) {
        self.walk_atomic(seq, d_step);
        let last = self.sequences[seq].last;
        if let Kind::Block(Block::Plain | Block::Atomic, inner) = self.elements[last].kind {
            self.make_atomic(inner, d_step);
        } else {
            self.elements[last].atom = false;
            self.elements[last].last_atom = true;
        }
    }

    fn walk_atomic(&mut self, seq: Seq, d_step: Option<El>) {
        for element in self.own_elements(seq) {
            self.elements[element].atom = true;
            if d_step.is_some() {
                self.elements[element].d_step = d_step;
            }
            match &mut self.elements[element].kind {
                // A d_step inside an atomic stays one step; everything else inside an atomic is plain.
                Kind::Block(Block::DStep, _) if d_step.is_none() => continue,
                Kind::Block(block, _) => *block = Block::Plain,
                _ => {}
            }
            for part in self.parts(element) {
                self.walk_atomic(part, d_step);
            }
        }
    }

    fn attach_escape(&mut self, main: Seq, escape: Seq) {
        for element in self.own_elements(main) {
            self.escape_element(element, escape);
        }
    }

    fn escape_element(&mut self, element: El, escape: Seq) {
        if self.elements[element].escapes.contains(&escape) {
            return;
        }
        for inner in self.elements[element].escapes.clone() {
            self.attach_escape(inner, escape);
        }
        self.elements[element].escapes.insert(0, escape);
        let interrupted = match self.elements[element].kind {
            Kind::Block(Block::DStep, _) => Vec::new(),
            Kind::Unless { main, .. } => vec![main],
            _ => self.parts(element),
        };
        for part in interrupted {
            self.attach_escape(part, escape);
        }
    }

    /// The last element of a block goes on where the block does.
    fn close_blocks(&mut self, seq: Seq) {
        for element in self.own_elements(seq) {
            if let Kind::Block(_, inner) = self.elements[element].kind {
                let last = self.sequences[inner].last;
                self.elements[last].next = self.elements[element].next;
            }
            for part in self.parts(element) {
                self.close_blocks(part);
            }
        }
    }

    /// A jump out of an atomic sequence ends it; one at the end of a sequence into another carries on.
    fn patch_jumps(&mut self, seq: Seq) {
        for element in self.own_elements(seq) {
            let Some(target) = self.destination(&self.elements[element].kind) else { continue };
            let in_atomic = self.elements[target].atom || self.elements[target].last_atom;
            let jump = &mut self.elements[element];
            if jump.atom && !in_atomic {
                jump.atom = false;
                jump.last_atom = true;
            } else if jump.last_atom && in_atomic {
                jump.atom = true;
                jump.last_atom = false;
            }
        }
    }

    /// Where a jump goes.
    fn destination(&self, kind: &Kind) -> Option<El> {
        match kind {
            Kind::Goto(label) => self.labelled.get(label).copied(),
            Kind::Break(exit) => Some(*exit),
            Kind::Standing(jump) => self.destination(jump),
            _ => None,
        }
    }

    /// Where flow that arrives at `element` really stands: jumps and dots are run through, but not out of an atomic
    /// sequence that the flow comes from.
    fn hunt(&self, element: El, from_atomic: bool) -> El {
        let mut at = element;
        // A loop of jumps alone never ends: the first location met again is as good as any.
        for _ in 0..=self.elements.len() {
            let onward = match &self.elements[at].kind {
                jump @ (Kind::Goto(_) | Kind::Break(_)) => self.destination(jump),
                Kind::Dot => self.elements[at].next,
                Kind::Unless { main, .. } => Some(self.sequences[*main].first),
                _ => None,
            };
            match onward {
                Some(next) if !from_atomic || self.elements[next].atom => at = next,
                _ => return at,
            }
        }
        at
    }

    /// The element whose steps a sequence offers first.
    fn first_of(&self, seq: Seq) -> El {
        let mut at = self.sequences[seq].first;
        loop {
            at = match self.elements[at].kind {
                Kind::Dot => match self.elements[at].next {
                    Some(next) => next,
                    None => return at,
                },
                Kind::Unless { main, .. } => self.sequences[main].first,
                _ => return at,
            }
        }
    }

    /// The graph of everything reachable from `start` among the elements that are `inside`.
    fn graph(&self, start: El, inside: &dyn Fn(El) -> bool) -> Flow<'m> {
        let mut steps: Vec<Vec<RawEdge>> =
            (0..self.elements.len()).map(|el| if inside(el) { self.offered(el) } else { Vec::new() }).collect();
        self.offer_escapes(&mut steps);

        let mut reached = vec![false; self.elements.len()];
        let mut todo = vec![start];
        reached[start] = true;
        while let Some(element) = todo.pop() {
            for edge in &steps[element] {
                if let Some(to) = self.target(edge.element).filter(|&to| inside(to))
                    && !std::mem::replace(&mut reached[to], true)
                {
                    todo.push(to);
                }
            }
        }
        let mut pc_of: Vec<Option<Pc>> = vec![None; self.elements.len()];
        for (count, element) in (0..self.elements.len()).filter(|&el| reached[el]).enumerate() {
            pc_of[element] = Some(Pc::new(count));
        }
        let mut locations = PrimaryMap::new();
        for element in (0..self.elements.len()).filter(|&el| reached[el]) {
            let edges = steps[element].iter().map(|raw| self.edge(raw, &pc_of, inside)).collect();
            let Element { flags, span, .. } = self.elements[element];
            let flags = if matches!(self.elements[element].kind, Kind::End) { flags | LocationFlags::END } else { flags };
            locations.push(Location { number: element as u32 + 1, flags, span, edges });
        }
        let mut labels = SecondaryMap::new();
        for (&label, &element) in &self.labelled {
            labels[label] = pc_of[element];
        }
        Flow { locations, start: pc_of[start].unwrap_or(Pc::new(0)), labels, elements: self.elements.len() as u32 }
    }

    /// The steps that an element offers, before escapes.
    fn offered(&self, element: El) -> Vec<RawEdge> {
        match &self.elements[element].kind {
            Kind::Choice(parts) => parts.iter().flat_map(|&part| self.offered(self.first_of(part))).collect(),
            Kind::Unless { main, .. } => self.offered(self.first_of(*main)),
            Kind::Block(Block::Plain | Block::Atomic, inner) => self.offered(self.first_of(*inner)),
            _ => vec![RawEdge { element, escape: 0 }],
        }
    }

    /// Puts the steps of each escape in front of the steps it can interrupt.
    fn offer_escapes(&self, steps: &mut [Vec<RawEdge>]) {
        for element in 0..steps.len() {
            for step in steps[element].clone() {
                let from = &self.elements[step.element];
                for &escape in from.escapes.iter().rev() {
                    let entry = self.hunt(self.sequences[escape].first, from.atom);
                    for offered in steps[entry].clone() {
                        if steps[element].iter().all(|known| known.element != offered.element) {
                            steps[element]
                                .insert(0, RawEdge { element: offered.element, escape: entry as u32 + 1 });
                        }
                    }
                }
            }
        }
    }

    /// Where the step of a basic element leads; `None`: the process ends.
    fn target(&self, element: El) -> Option<El> {
        let Element { kind, next, atom, .. } = &self.elements[element];
        let onward = match kind {
            Kind::End => None,
            _ => self.destination(kind).or(*next),
        };
        onward.map(|to| self.hunt(to, *atom))
    }

    fn edge(&self, raw: &RawEdge, pc_of: &[Option<Pc>], inside: &dyn Fn(El) -> bool) -> Edge<'m> {
        let Element { kind, atom, span, .. } = &self.elements[raw.element];
        let step = match kind {
            Kind::Basic(stmt) => Step::Stmt(stmt),
            Kind::End => Step::End,
            Kind::Block(Block::DStep, inner) => {
                let block = Some(raw.element);
                let start = self.first_of(*inner);
                Step::DStep(std::rc::Rc::new(self.graph(start, &|el| self.elements[el].d_step == block)))
            }
            _ => Step::Skip,
        };
        let to = self.target(raw.element).filter(|&to| inside(to)).and_then(|to| pc_of[to]);
        Edge { step, to, atomic: *atom, escape: raw.escape, element: raw.element as u32 + 1, span: *span }
    }
}

/// An element's step as offered at some location.
#[derive(Clone, Copy)]
struct RawEdge {
    element: El,
    escape: u32,
}
