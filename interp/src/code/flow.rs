//! From a body's statements to its control-flow graph: the locations at which a process can be and the edges
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

mod elements;
mod graph;

use cranelift_entity::{EntitySet, PrimaryMap, SecondaryMap};
use fxhash::FxHashMap;
use promela::ids::LabelId;
use promela::model::{ProcType, Stmt};
use promela::source::Span;

use crate::ids::Pc;
use elements::Builder;

bitflags::bitflags! {
    /// What labels say about a location.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct LocationFlags: u8 {
        /// A valid end state (`end…` label, or the closing brace).
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
    /// The statement behind it.
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
    DStep {
        /// What is inside.
        flow: std::rc::Rc<Flow<'m>>,
        /// Its first statement is an `else`: that of the choice whose option the `d_step` is.
        opens_with_else: bool,
    },
}

/// Builds the graph of `proc`; remote references name its labels in `watched`.
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
