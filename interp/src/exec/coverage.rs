//! Which steps have been executed in the course of a search.

use std::sync::atomic::{AtomicBool, Ordering};

use cranelift_entity::EntityRef;
use fxhash::FxHashMap;

use crate::code::program::Program;
use crate::ids::EdgeId;

/// A mark for every edge. Marking is a plain load, and a store the first time.
#[derive(Debug, Default)]
pub struct Coverage {
    executed: Vec<AtomicBool>,
    /// The edges that are executed for another one.
    instead: FxHashMap<EdgeId, Vec<EdgeId>>,
}

impl Coverage {
    /// No edge of the program has been executed.
    pub(crate) fn new(program: &Program) -> Self {
        let executed = program.edges.keys().map(|_| AtomicBool::new(false)).collect();
        let mut instead: FxHashMap<EdgeId, Vec<EdgeId>> = FxHashMap::default();
        for &(first, taken) in &program.fused {
            instead.entry(taken).or_default().push(first);
        }
        Self { executed, instead }
    }

    /// Notes that an edge was executed.
    #[inline]
    pub(crate) fn mark(&self, edge: EdgeId) {
        let mark = &self.executed[edge.index()];
        if !mark.load(Ordering::Relaxed) {
            mark.store(true, Ordering::Relaxed);
        }
    }

    /// Whether an edge was executed.
    pub fn contains(&self, edge: EdgeId) -> bool {
        let others = self.instead.get(&edge).into_iter().flatten();
        self.is_marked(edge) || others.into_iter().any(|&other| self.is_marked(other))
    }

    fn is_marked(&self, edge: EdgeId) -> bool {
        self.executed[edge.index()].load(Ordering::Relaxed)
    }
}
