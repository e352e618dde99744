//! Which edges have been executed.
//!
//! Each worker has marks of its own, in its scratch, so that a search does not change the model. They are added to those of
//! the model when the scratch is dropped: after a search, not during it.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cranelift_entity::EntityRef;
use fxhash::FxHashMap;

use crate::code::program::Program;
use crate::ids::EdgeId;

/// The edges that have been executed by all workers that are done.
#[derive(Debug, Default)]
pub struct Coverage {
    executed: Arc<[AtomicBool]>,
    /// The edges that are executed in place of another one.
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

    /// Marks for one worker.
    pub(crate) fn worker(&self) -> Executed {
        Executed { marks: self.executed.iter().map(|_| Cell::new(false)).collect(), total: self.executed.clone() }
    }

    /// For each edge, in order, whether it was executed.
    pub fn marks(&self) -> impl Iterator<Item = bool> {
        self.executed.iter().map(|mark| mark.load(Ordering::Relaxed))
    }

    /// Adds the marks of a search that goes on; `false` if they are not of as many edges.
    pub fn add(&self, marks: &[u8]) -> bool {
        let marked = self.executed.iter().zip(marks).filter(|&(_, &mark)| mark != 0);
        marked.for_each(|(total, _)| total.store(true, Ordering::Relaxed));
        marks.len() == self.executed.len()
    }

    /// Whether an edge was executed.
    pub fn contains(&self, edge: EdgeId) -> bool {
        let is_marked = |edge: EdgeId| self.executed[edge.index()].load(Ordering::Relaxed);
        is_marked(edge) || self.instead.get(&edge).into_iter().flatten().any(|&other| is_marked(other))
    }
}

/// The edges that one worker has executed. Without a model, nothing is kept.
#[derive(Debug, Default)]
pub struct Executed {
    marks: Box<[Cell<bool>]>,
    total: Arc<[AtomicBool]>,
}

impl Executed {
    #[inline]
    pub(crate) fn mark(&self, edge: EdgeId) {
        if let Some(mark) = self.marks.get(edge.index()) {
            mark.set(true);
        }
    }
}

impl Drop for Executed {
    fn drop(&mut self) {
        let marked = self.total.iter().zip(&self.marks).filter(|(_, mark)| mark.get());
        marked.for_each(|(total, _)| total.store(true, Ordering::Relaxed));
    }
}
