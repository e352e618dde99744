//! Breadth-first search with all its states on disk: level by level, with one merge per level.
//!
//! The successors of a level are sorted, and merged with the states of all earlier levels; those that are not among them are the
//! next level. It is written as it is found, and read again to be expanded.
//! Invariant: `reached` has the states of all levels so far, and those that were added last are the level that is expanded.
//! The states of a level have consecutive numbers in their order on disk.
//!
//! Stern, Dill, "Using Magnetic Disk Instead of Main Memory in the Murφ Verifier", CAV 1998; the variant that sorts is
//! Korf, "Best-First Frontier Search with Delayed Duplicate Detection", AAAI 2004.

use statespace::{StateSpace, Word};

use crate::SearchOptions;
use crate::control::{Control, End, ExternalStats};
use crate::external::Workspace;
use crate::external::record::{Origin, Record};
use crate::external::sorted_set::SortedSet;
use crate::external::sorter::Sorter;
use crate::measure::Progress;
use crate::observer::{Observer, Step};
use crate::store::events::{Events, Kind};
use crate::store::hash;
use crate::store::predecessor_log::PredecessorLog;

/// Explores everything that can be reached from `initial`.
pub(crate) fn search<S, O>(
    space: &S,
    initial: &[Word],
    options: &SearchOptions,
    control: &mut Control<'_, S::Violation, O>,
) -> Result<(), End>
where
    S: StateSpace<Violation: PartialEq>,
    O: Observer,
{
    let meter = control.meter();
    let workspace = Workspace::new(options.external, space.fixed_words(), meter);
    let mut search = Search {
        space,
        reached: SortedSet::new(&workspace),
        successors: Sorter::new(&workspace, workspace.options.buffer),
        events: Events::new(meter),
        scratch: space.scratch(),
        predecessors: PredecessorLog::enabled(options.traces || options.witnesses, meter),
        levels: 0,
        workspace,
    };
    let end = search.explore(initial, control);
    let bound = Some(control.stats.states * (1 + search.levels));
    control.stats.external =
        Some(ExternalStats { disk: search.workspace.file.stats(), bound, handed_over_after: None });
    control.ended(&mut search.predecessors);
    end
}

struct Search<'a, S: StateSpace> {
    space: &'a S,
    workspace: Workspace,
    /// The states of all levels.
    reached: SortedSet,
    /// The successors of the present one.
    successors: Sorter,
    /// The events of one state.
    events: Events<S::Violation>,
    scratch: S::Scratch,
    predecessors: PredecessorLog,
    levels: u64,
}

impl<S: StateSpace<Violation: PartialEq>> Search<'_, S> {
    fn explore<O: Observer>(
        &mut self,
        initial: &[Word],
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<(), End> {
        control.step();
        let origin = Origin::default();
        self.successors.insert(hash(initial), Record { progress: Progress::default(), origin, state: initial })?;
        loop {
            let first = control.stats.states;
            self.find_level(control)?;
            if control.stats.states == first {
                return Ok(());
            }
            self.levels += 1;
            self.expand_level(first, control)?;
        }
    }

    /// Of the successors, those that were never reached before are the next level.
    fn find_level<O: Observer>(&mut self, control: &mut Control<'_, S::Violation, O>) -> Result<(), End> {
        let Search { reached, successors, predecessors, workspace, levels, .. } = self;
        reached.add(successors.take_sorted()?, |record| {
            let Origin { parent, event, .. } = record.origin;
            predecessors.room_for(1, control)?;
            control.admit(record.state, *levels)?;
            // It is nowhere but in the buffers of the files.
            control.deleted(1);
            control.count_buffered(workspace.file.buffered());
            predecessors.append(parent, event);
            Ok::<(), End>(())
        })
    }

    /// Expands the states of a level, the first of which has this number.
    fn expand_level<O: Observer>(
        &mut self,
        mut number: u64,
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<(), End> {
        let Some(mut level) = self.reached.added() else { return Ok(()) };
        level.advance()?;
        while let Some(Record { state, .. }) = level.head() {
            self.expand(number, state, control)?;
            number += 1;
            level.advance()?;
        }
        Ok(())
    }

    fn expand<O: Observer>(
        &mut self,
        number: u64,
        state: &[Word],
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<(), End> {
        let Search { space, events, successors, predecessors, scratch, workspace, levels, .. } = self;
        control.check_space(*space)?;
        control.expanding(state, control.stats.states - number)?;
        // Which successors are new will be known when all of the level are expanded.
        let is_done = |_: u64, _: &[Word]| true;
        let expanded = events.expand((*space, state), scratch, (), &is_done, control);
        for event in events.iter() {
            match event.kind {
                Kind::Violation(violation) => {
                    control.violated(violation, || predecessors.path(number, event.number))?
                }
                Kind::Successor(hash, next) if expanded.is_ok() => {
                    control.step();
                    control.took(|| Step { from: state, event: event.number, to: next });
                    let origin = Origin { parent: number, event: event.number, depth: *levels };
                    successors.insert(hash, Record { progress: Progress::default(), origin, state: next })?;
                }
                Kind::Successor(..) => {}
            }
        }
        events.clear();
        control.count_buffered(workspace.file.buffered());
        if !expanded? {
            control.dead(state, number);
        }
        Ok(())
    }
}
