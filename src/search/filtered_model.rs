//! A model with some of its checks switched off.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use interp::exec::reduction::Reduction;
use interp::exec::step::{Path, Sink};
use interp::inspect::trace::NoRun;
use interp::{Model, StateSpace, Violation, ViolationKind, Visit, Word};
use sweep::space::fairness::{Pids, Processes, VisitMovers};
use sweep::{Meter, Trace, TraceLost};

/// A model of which only some violations are reported. Events keep their numbers, so that traces fit the model itself.
pub struct FilteredModel<'m> {
    pub model: &'m Model,
    /// What is left out. Events then have numbers of their own ([`FilteredModel::unreduced`]).
    pub reduction: Option<&'m Reduction>,
    /// Report invalid end states.
    pub end_states: bool,
    /// Report violated assertions.
    pub assertions: bool,
    /// An invalid end state was met, whether or not it was reported.
    pub has_deadlock: AtomicBool,
}

impl<'m> FilteredModel<'m> {
    /// The model with all of its checks.
    pub fn all(model: &'m Model) -> Self {
        FilteredModel {
            model,
            reduction: None,
            end_states: true,
            assertions: true,
            has_deadlock: AtomicBool::new(false),
        }
    }

    /// The same checks of a reduced model.
    pub fn reduced(&self, reduction: Option<&'m Reduction>) -> Self {
        let FilteredModel { model, end_states, assertions, .. } = *self;
        FilteredModel { model, reduction, end_states, assertions, has_deadlock: AtomicBool::new(false) }
    }

    /// Notes what another search of the same model has met.
    pub fn merge(&self, other: &FilteredModel) {
        self.has_deadlock.fetch_or(other.has_deadlock.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    /// For each event of a run, the events that it is in the model itself, found within a budget.
    pub fn unreduced(&self, events: &[u32], meter: &Meter) -> Result<Vec<Vec<u32>>, NoRun> {
        match self.reduction {
            None => Ok(events.iter().map(|&event| vec![event]).collect()),
            Some(reduction) => self.model.unreduced(reduction, events, &mut || meter.check().is_ok()),
        }
    }

    /// The same for a run whose end matters and nothing else.
    pub fn unreduced_trace(&self, trace: Trace, meter: &Meter) -> Trace {
        let unreduced = self.unreduced(&trace?, meter);
        unreduced.map(|events| events.concat()).map_err(|why| TraceLost(format!("following the run: {why}")))
    }

    /// Whether such a violation is reported.
    pub fn wants(&self, kind: ViolationKind) -> bool {
        match kind {
            ViolationKind::InvalidEndState => {
                self.has_deadlock.store(true, Ordering::Relaxed);
                self.end_states
            }
            ViolationKind::Assertion => self.assertions,
            _ => true,
        }
    }
}

impl StateSpace for FilteredModel<'_> {
    type Violation = Violation;
    type Scratch = <Model as StateSpace>::Scratch;

    fn scratch(&self) -> Self::Scratch {
        self.model.scratch()
    }

    fn fixed_words(&self) -> Option<usize> {
        self.model.fixed_words()
    }

    fn word_bits(&self) -> &[u8] {
        self.model.word_bits()
    }

    fn gave_up(&self) -> bool {
        self.model.gave_up()
    }

    fn initial(&self) -> Result<Vec<Word>, Violation> {
        match self.reduction {
            None => self.model.initial(),
            Some(reduction) => reduction.initial(self.model),
        }
    }

    fn expand<V: Visit<Violation>>(
        &self,
        state: &[Word],
        scratch: &mut Self::Scratch,
        visit: &mut V,
    ) -> ControlFlow<()> {
        let mut filter = Filter { selected: self, visit };
        match self.reduction {
            None => self.model.expand(state, scratch, &mut filter),
            Some(reduction) => self.model.expand_reduced(reduction, state, scratch, &mut filter),
        }
    }
}

impl Processes for FilteredModel<'_> {
    fn count(&self, state: &[Word]) -> usize {
        self.model.nr_pr(state)
    }

    fn expand_movers<V: VisitMovers<Violation>>(
        &self,
        state: &[Word],
        scratch: &mut Self::Scratch,
        visit: &mut V,
    ) -> ControlFlow<()> {
        self.model.walk(state, scratch, &mut Movers { selected: self, visit, event: 0 })
    }
}

/// Adds to each step the processes that take part.
struct Movers<'a, V> {
    selected: &'a FilteredModel<'a>,
    visit: &'a mut V,
    event: u32,
}

impl<V: VisitMovers<Violation>> Sink for Movers<'_, V> {
    fn successor(&mut self, next: &[Word], path: Path) -> ControlFlow<()> {
        let mut movers = Pids::default();
        path.moves.iter().for_each(|a_move| movers.insert(a_move.pid));
        let begun_by = path.moves.first().map_or(0, |a_move| a_move.pid);
        self.event += 1;
        self.visit.successor(self.event - 1, next, begun_by, movers)
    }

    fn violation(&mut self, violation: Violation, _: Path) -> ControlFlow<()> {
        self.event += 1;
        match self.selected.wants(violation.kind) {
            true => self.visit.violation(self.event - 1, violation),
            false => ControlFlow::Continue(()),
        }
    }

    fn working(&mut self, bytes: usize) -> ControlFlow<()> {
        self.visit.working(bytes)
    }
}

struct Filter<'a, V> {
    selected: &'a FilteredModel<'a>,
    visit: &'a mut V,
}

impl<V: Visit<Violation>> Visit<Violation> for Filter<'_, V> {
    #[inline]
    fn successor(&mut self, event: u32, next: &[Word]) -> ControlFlow<()> {
        self.visit.successor(event, next)
    }

    fn violation(&mut self, event: u32, violation: Violation) -> ControlFlow<()> {
        match self.selected.wants(violation.kind) {
            true => self.visit.violation(event, violation),
            false => ControlFlow::Continue(()),
        }
    }

    fn suffices(&mut self) -> bool {
        self.visit.suffices()
    }

    #[inline]
    fn left_out(&mut self, event: u32) -> ControlFlow<()> {
        self.visit.left_out(event)
    }

    fn working(&mut self, bytes: usize) -> ControlFlow<()> {
        self.visit.working(bytes)
    }
}
