//! The elements of a body: one per basic statement, choice, block, jump and join, in the order SPIN numbers them.
//!
//! Invariant: `next` of an element is where the flow falls to; elements inside an atomic sequence know it, and those
//! that an `unless` can interrupt know its escapes.

use cranelift_entity::EntitySet;
use fxhash::FxHashMap;
use promela::ids::LabelId;
use promela::model::{Expr, ExprKind, ProcType, Sequence, Stmt, StmtKind};
use promela::source::Span;

use super::LocationFlags;

/// Index of an element; its number is one more.
pub(super) type El = usize;
/// Index of a sequence.
pub(super) type Seq = usize;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Block {
    Plain,
    Atomic,
    DStep,
}

pub(super) enum Kind<'m> {
    Basic(&'m Stmt),
    /// A labelled jump that must be a location, or an empty piece.
    Skip,
    Goto(LabelId),
    Break(El),
    /// A jump whose label a remote reference names: a process can be observed there, so it is a step of its own.
    Standing(Box<Kind<'m>>),
    /// Joins the ends of options; flow goes to `next`.
    Dot,
    /// `if`, `do`, `unless`: offers its parts' first elements.
    Choice(Vec<Seq>),
    Unless {
        main: Seq,
        escape: Seq,
    },
    Block(Block, Seq),
    End,
}

pub(super) struct Element<'m> {
    pub(super) kind: Kind<'m>,
    pub(super) next: Option<El>,
    /// Inside an atomic sequence and not its last element.
    pub(super) atom: bool,
    /// Last element of an atomic sequence.
    pub(super) last_atom: bool,
    /// Inside a `d_step` block (its element).
    pub(super) d_step: Option<El>,
    /// Escapes, outermost first.
    pub(super) escapes: Vec<Seq>,
    pub(super) flags: LocationFlags,
    pub(super) span: Span,
}

pub(super) struct Sequenced {
    pub(super) first: El,
    pub(super) last: El,
    /// The last element of its own (not a dot appended later).
    pub(super) extent: El,
}

pub(super) struct Builder<'m, 'w> {
    pub(super) proc: &'m ProcType,
    pub(super) watched: &'w EntitySet<LabelId>,
    pub(super) elements: Vec<Element<'m>>,
    pub(super) sequences: Vec<Sequenced>,
    pub(super) labelled: FxHashMap<LabelId, El>,
    /// For each open `do`: the jumps that leave it.
    pub(super) breaks: Vec<Vec<El>>,
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
    pub(super) fn body(&mut self, sequence: &'m Sequence) -> Seq {
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
                let parts = self.options(options, stmt.span);
                let choice = self.new_element(Kind::Choice(parts.clone()), stmt.span);
                let dot = self.new_element(Kind::Dot, stmt.span);
                self.join(&parts, dot);
                chain.extend([choice, dot]);
                choice
            }
            StmtKind::Do(options) => {
                self.breaks.push(Vec::new());
                let parts = self.options(options, stmt.span);
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
    fn options(&mut self, options: &'m [Sequence], choice: Span) -> Vec<Seq> {
        let mut parts: Vec<Seq> = options.iter().map(|option| self.sequence(option)).collect();
        let is_else = |seq: &Seq| {
            matches!(self.elements[self.sequences[*seq].first].kind, Kind::Basic(Stmt { kind: StmtKind::Else, .. }))
        };
        if let Some(at) = parts.iter().position(is_else) {
            let other = parts.remove(at);
            parts.push(other);
        }
        // The options of a loop written out for a `for` have its span; their `skip`s are all steps.
        if options.iter().all(|option| option.span != choice) {
            for &part in &parts {
                self.drop_repeated_skips(part);
            }
        }
        parts
    }

    /// A `skip` of an option is no step if a `skip` or a print stands in front of it, unless it is labelled or the option's
    /// last. Prints are always steps; a label on what stands in front breaks the row.
    fn drop_repeated_skips(&mut self, option: Seq) {
        let last = self.sequences[option].last;
        let mut at = self.sequences[option].first;
        while at != last {
            let Some(next) = self.elements[at].next else { break };
            let is_repeated = self.is_skip_or_print(at) && self.is_plain_skip(next);
            if next != last && is_repeated {
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

    /// An unlabelled `skip`, `printf` or `printm`.
    fn is_skip_or_print(&self, element: El) -> bool {
        let Kind::Basic(stmt) = self.elements[element].kind else { return false };
        let is_print = matches!(stmt.kind, StmtKind::Printf(..) | StmtKind::Printm(_));
        is_print && stmt.labels.is_empty() || self.is_plain_skip(element)
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
    pub(super) fn close_blocks(&mut self, seq: Seq) {
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
    pub(super) fn patch_jumps(&mut self, seq: Seq) {
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
    pub(super) fn destination(&self, kind: &Kind) -> Option<El> {
        match kind {
            Kind::Goto(label) => self.labelled.get(label).copied(),
            Kind::Break(exit) => Some(*exit),
            Kind::Standing(jump) => self.destination(jump),
            _ => None,
        }
    }
}
