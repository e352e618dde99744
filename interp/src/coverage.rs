//! Which steps have been executed in the course of a search.

use std::sync::atomic::{AtomicBool, Ordering};

use cranelift_entity::EntityRef;

use crate::ids::EdgeId;

/// A mark for every edge. Marking is a plain load, and a store the first time.
#[derive(Debug, Default)]
pub struct Coverage {
    executed: Vec<AtomicBool>,
}

impl Coverage {
    /// No edge out of so many has been executed.
    pub(crate) fn new(edges: usize) -> Self {
        Self { executed: (0..edges).map(|_| AtomicBool::new(false)).collect() }
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
        self.executed[edge.index()].load(Ordering::Relaxed)
    }
}
