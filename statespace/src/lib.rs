//! The joint between a system and a search: states are packed words, and a state is expanded into events.
//!
//! Invariant: what `expand` reports depends on the state alone, in content and in order, so that the number of an event
//! is enough to find it again. A trace is a list of such numbers.

use std::fmt::Debug;
use std::ops::ControlFlow;

/// The unit of a packed state. Two states are equal if and only if their words are.
pub type Word = u32;

/// A system as a search sees it.
///
/// No method has a default, here and in [`Visit`]: a space that decorates another one must say what it does with each, so
/// the compiler finds a method that is not forwarded.
pub trait StateSpace {
    /// What can be wrong with a step or a state.
    type Violation: Copy + Debug;
    /// Buffers for `expand`, made once per search.
    type Scratch;

    /// New buffers.
    fn scratch(&self) -> Self::Scratch;

    /// The number of words of every state, if they all have the same.
    fn fixed_words(&self) -> Option<usize>;

    /// Of each word, how many bits are used, from the lowest; words that are not listed may use all.
    fn word_bits(&self) -> &[u8];

    /// The state in which every run starts.
    fn initial(&self) -> Result<Vec<Word>, Self::Violation>;

    /// Reports every step out of `state`, and everything that is wrong with it or with its steps, to `visit`.
    /// Nothing is allocated per step. `Break` from `visit` ends the enumeration and is returned.
    fn expand<V: Visit<Self::Violation>>(
        &self,
        state: &[Word],
        scratch: &mut Self::Scratch,
        visit: &mut V,
    ) -> ControlFlow<()>;

    /// Whether the space has found out that a search of it is of no use, as a cut-off by an inconsistent equivalence is.
    /// The search stops; most spaces never give up.
    fn gave_up(&self) -> bool;
}

/// What a search does with the events of one expansion. `event` counts both kinds together, from 0.
pub trait Visit<Violation> {
    /// A step leads to `next`, which is valid only during the call.
    fn successor(&mut self, event: u32, next: &[Word]) -> ControlFlow<()>;
    /// A step, or the state itself (a deadlock), violates a property. A violating step may also have a successor,
    /// which is then an event of its own.
    fn violation(&mut self, event: u32, violation: Violation) -> ControlFlow<()>;
    /// A step leads to a state that the search need not look at.
    fn left_out(&mut self, event: u32) -> ControlFlow<()>;
    /// The steps reported so far are a persistent set: whatever the others can do without them is independent of them.
    /// `true` leaves out the others. That is sound only where the search sees to it that no step is put off forever.
    fn suffices(&mut self) -> bool;
    /// The expansion takes long, and its buffers hold this many bytes. `Break` ends it.
    fn working(&mut self, bytes: usize) -> ControlFlow<()>;
}
