//! Accepting cycles by a sweep: column by column, each state expanded as often as the safety sweep does.
//!
//! What the sweep stores and deletes is what a safety sweep stores and deletes; in addition, the steps between visits of
//! states are remembered as numbers (`step_graph.rs`), and searched for a cycle through a good node: one that is
//! accepting, or any in a weak component. In a rejecting component nothing is remembered.
//! In the first sweep of a column no step leads to a state that was expanded before its layer: a cycle of visits lies in
//! one layer, and only the steps inside the present layer are remembered. In later sweeps, and where a sweep deletes late,
//! all steps inside the column are. Every cycle lies inside one column, so they are deleted with it.
//! Invariant: a step that is not remembered leads to a visit from which no path leads back to its source. If the measure
//! regresses, what is remembered is searched, and then all expanded states are deleted, so that this stays true.
//!
//! Evangelista, Kristensen, "Hybrid On-the-Fly LTL Model Checking with the Sweep-Line Method", PETRI NETS 2012, for what is
//! to be found; Kristensen, Mailund (see `column_sweep.rs`) for the columns.

use std::collections::HashMap;

use crate::algorithm::cycles::detector::{Context, CycleDetector, Link, When};
use crate::algorithm::cycles::lasso::{Lasso, Walker};
use crate::algorithm::cycles::step_graph::{Cycle, Node, StepGraph};
use crate::control::{Control, End, StopReason};
use crate::meter::{Account, Meter};
use crate::observer::{Observer, Paths};
use crate::space::acceptance::{Accepting, LAST_RANK, Strength};
use crate::store::StateId;
use crate::store::layer::ProgressLayer;

/// Which steps are remembered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Scope {
    /// Those inside the present layer; a node is a place in it.
    Layer,
    /// Those inside the column; a node is a number in the predecessor log.
    Column,
}

/// Remembers steps and searches them for cycles.
pub(crate) struct Cycles<'a, S> {
    space: &'a S,
    scope: Scope,
    graph: StepGraph,
    /// How many states had been stored when the column began, and how many of them waited in it. Those are the first nodes
    /// of the column, as they are met; all others follow in the order of their numbers.
    stored: u64,
    waiting: u64,
    waited: HashMap<u64, Node>,
    account: Account,
    /// The state whose steps are being added, and whether any of them is remembered.
    source: Option<Source>,
    /// Were there steps since the last search?
    is_searched: bool,
    is_found: bool,
    /// Do the steps of the present layer not matter?
    is_idle: bool,
}

#[derive(Clone, Copy)]
struct Source {
    id: StateId,
    is_wanted: bool,
    is_written: bool,
}

impl<'a, S: Accepting<Violation: PartialEq>> Cycles<'a, S> {
    pub(crate) fn new(space: &'a S, meter: &Meter) -> Self {
        Cycles {
            space,
            scope: Scope::Layer,
            graph: StepGraph::new(meter),
            stored: 0,
            waiting: 0,
            waited: HashMap::new(),
            account: meter.account(),
            source: None,
            is_searched: true,
            is_found: false,
            is_idle: false,
        }
    }

    /// Is there nothing more to look for?
    pub(crate) fn is_found(&self) -> bool {
        self.is_found
    }

    /// Somebody else has found a cycle, or not.
    pub(crate) fn set_found(&mut self, is_found: bool) {
        self.is_found |= is_found;
    }

    fn clear(&mut self) {
        self.graph.clear();
        self.waited.clear();
        self.source = None;
        self.is_searched = true;
    }

    #[inline]
    fn node(&mut self, id: StateId, number: u64) -> Node {
        match (self.scope, number.checked_sub(self.stored)) {
            (Scope::Layer, _) => Node(id.0),
            (Scope::Column, Some(since)) => Node((self.waiting + since) as u32),
            (Scope::Column, None) => {
                let next = Node(self.waited.len() as u32);
                *self.waited.entry(number).or_insert(next)
            }
        }
    }

    /// The number of a node in the predecessor log.
    fn number(&self, node: Node, layer: Option<&ProgressLayer>) -> Option<u64> {
        match (self.scope, u64::from(node.0).checked_sub(self.waiting)) {
            (Scope::Layer, _) => layer.map(|layer| layer.tag(StateId(node.0)).number()),
            (Scope::Column, Some(since)) => Some(self.stored + since),
            (Scope::Column, None) => self.waited.iter().find(|&(_, &other)| other == node).map(|(&number, _)| number),
        }
    }

    /// The path to a cycle and around it.
    fn lasso(&self, cycle: &Cycle, layer: Option<&ProgressLayer>, context: &mut Context<'_>, meter: &Meter) -> Lasso {
        let number = self.number(cycle.start, layer);
        let mut events = Paths(context.predecessors).to(number.unwrap_or(0))?;
        let start = events.len();
        let mut walker = Walker::initial(self.space, meter)?;
        walker.take_all(&events)?;
        for &nth in &cycle.steps {
            let from = context.measure.of(walker.state());
            let mut before = nth;
            let event = walker.take(|_, next| {
                let to = context.measure.of(next);
                let is_told = match self.scope {
                    Scope::Layer => to == from,
                    Scope::Column => context.columns.same(from, to),
                };
                let is_it = is_told && before == 0;
                before -= u32::from(is_told && before > 0);
                is_it
            })?;
            events.push(event);
        }
        Ok((events, start))
    }
}

impl<S: Accepting<Violation: PartialEq>> CycleDetector<S::Violation> for Cycles<'_, S> {
    const IS_ACTIVE: bool = true;

    fn begin(&mut self, stored: u64, waiting: u64) {
        (self.stored, self.waiting) = (stored, waiting);
    }

    fn enter(&mut self, layer: &ProgressLayer, deletes: bool) -> bool {
        self.scope = if deletes { Scope::Layer } else { Scope::Column };
        self.source = None;
        // All states of a layer are in one component, except behind the last rank.
        let scc = self.space.scc(layer.get(StateId(0)));
        self.is_idle = self.is_found || scc.strength == Strength::Rejecting && scc.rank < LAST_RANK;
        !self.is_idle
    }

    fn reserve<O: Observer>(
        &mut self,
        layer: &ProgressLayer,
        steps: usize,
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<(), End> {
        let last = match self.scope {
            Scope::Layer => u64::from(layer.table().len()),
            Scope::Column => self.waiting + control.stats.states - self.stored,
        };
        let last = last + steps as u64;
        if self.graph.is_full(steps) || last > u64::from(u32::MAX) {
            return Err(End::Stopped(StopReason::Memory));
        }
        self.account.set(self.waited.capacity() * WAITED_BYTES);
        self.graph.room_for(steps, last, control)
    }

    #[inline]
    fn link(&mut self, layer: &ProgressLayer, link: &Link) {
        if self.is_idle {
            return;
        }
        let source = match self.source {
            Some(source) if source.id == link.source => source,
            _ => {
                let strength = self.space.scc(layer.get(link.source)).strength;
                Source { id: link.source, is_wanted: strength != Strength::Rejecting, is_written: false }
            }
        };
        self.source = Some(source);
        let is_told = match self.scope {
            Scope::Layer => link.from == link.to,
            Scope::Column => link.stays,
        };
        if !source.is_wanted || !is_told {
            return;
        }
        if !source.is_written {
            self.source = Some(Source { is_written: true, ..source });
            let node = self.node(link.source, layer.tag(link.source).number());
            self.graph.begin(node, crate::algorithm::is_good(self.space, layer.get(link.source)));
            self.is_searched = false;
        }
        let target = self.node(link.target, link.number);
        self.graph.step(target);
    }

    #[inline]
    fn is_due(&self) -> bool {
        self.graph.is_due()
    }

    fn look<O: Observer>(
        &mut self,
        when: When,
        layer: Option<&ProgressLayer>,
        mut context: Context<'_>,
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<(), End> {
        let is_last = match when {
            When::Now | When::Sweep => false,
            When::Layer => self.scope == Scope::Layer,
            When::Last => true,
        };
        if self.graph.is_due() || is_last && self.graph.may_close() && !self.is_searched {
            control.allow(self.graph.search_bytes())?;
            self.is_searched = true;
            if let Some(cycle) = self.graph.good_cycle() {
                (self.is_found, self.is_idle) = (true, true);
                let meter = control.meter().clone();
                control.cycle(self.space.cycle(), || self.lasso(&cycle, layer, &mut context, &meter))?;
            }
        }
        if is_last {
            self.clear();
        }
        Ok(())
    }
}

/// Bytes of an entry of the map of nodes, as far as they are known from outside.
const WAITED_BYTES: usize = size_of::<(u64, Node)>() + 1;
