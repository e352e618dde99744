//! Checkpoints: all that a search knows, written to a file from which another process goes on.
//!
//! A checkpoint is taken where a search stands between two states: everything that was met is stored or waits among the
//! events, in its order. So a resumed search takes the same steps as one that was never stopped, and what it reports
//! counts everything once. What a limit has interrupted is put back first: a state that was taken out to be expanded
//! waits again, an event that could not be stored waits before those behind it.
//! Each structure writes and reads itself (`save` and `load` beside it); nothing is held twice in memory.
//! A checkpoint that is torn, changed, or of another search is a [`ResumeFault`] before the first state is expanded.

mod blocks;
#[cfg(test)]
mod tests;

use std::fmt;
use std::io;
use std::time::Duration;

use statespace::Word;

use crate::control::{End, StopReason};

pub use blocks::{Reader, Writer};

/// Writes the content of a checkpoint.
pub type Content<'c> = dyn FnMut(&mut Writer<'_>) -> io::Result<()> + 'c;

/// Takes care of the checkpoints of a search.
pub trait Keeper {
    /// Keeps one, in place of those before it. If that fails the search goes on, and the keeper has to say so.
    fn keep(&mut self, content: &mut Content<'_>);
}

impl<K: Keeper> Keeper for &mut K {
    fn keep(&mut self, content: &mut Content<'_>) {
        (**self).keep(content);
    }
}

/// What a violation is as bytes.
#[derive(Debug)]
pub struct Codec<V> {
    /// To bytes,
    pub encode: fn(V) -> Vec<u8>,
    /// and back, if they are a violation.
    pub decode: fn(&[u8]) -> Option<V>,
}

impl<V> Clone for Codec<V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V> Copy for Codec<V> {}

/// When a search writes checkpoints, and the one it goes on from.
pub struct Checkpoints<'a, V> {
    /// Keeps them.
    pub keeper: Box<dyn Keeper + 'a>,
    /// What violations are as bytes.
    pub codec: Codec<V>,
    /// The time from one to the next; if it is zero, there is one at every layer. They are written too when a limit stops the
    /// search.
    pub every: Duration,
    /// The checkpoint to go on from.
    pub from: Option<Reader<'a>>,
}

/// Why a search cannot go on from a checkpoint.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ResumeFault {
    /// It is none.
    Foreign,
    /// It has another version.
    Version(u8),
    /// It was cut off or changed.
    Damaged,
    /// It is whole, but of another search.
    Mismatch,
    /// It cannot be read: the kind of the error, and its number.
    Unreadable(io::ErrorKind, Option<i32>),
}

impl fmt::Display for ResumeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ResumeFault::Foreign => f.write_str("it is no checkpoint"),
            ResumeFault::Version(version) => {
                write!(f, "its format has version {version}, which this psw does not read")
            }
            ResumeFault::Damaged => f.write_str("it is damaged: its checksums are not those of its content"),
            ResumeFault::Mismatch => f.write_str("it is not of this search"),
            ResumeFault::Unreadable(_, Some(code)) => io::Error::from_raw_os_error(*code).fmt(f),
            ResumeFault::Unreadable(kind, None) => kind.fmt(f),
        }
    }
}

impl std::error::Error for ResumeFault {}

impl From<ResumeFault> for End {
    fn from(fault: ResumeFault) -> End {
        End::Stopped(StopReason::Resume(fault))
    }
}

/// What a search is, as the first byte of what it writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Section {
    /// The parts of compressed states.
    Parts = b'p',
    /// A breadth-first search of states as they are.
    Indexed = b'b',
    /// A breadth-first search of states in few bytes.
    Compressed = b'c',
    /// A sweep.
    Sweep = b's',
}

impl Section {
    /// Begins it, for a space with this initial state.
    pub(crate) fn begin(self, initial: &[Word], to: &mut Writer<'_>) -> io::Result<()> {
        to.put(&[self as u8])?;
        to.state(None, initial)
    }

    /// Fails unless it begins here, for the same initial state.
    pub(crate) fn expect(self, initial: &[Word], from: &mut Reader<'_>) -> Result<(), ResumeFault> {
        let (mut tag, mut found) = ([0], Vec::new());
        from.take(&mut tag)?;
        if tag != [self as u8] {
            return Err(ResumeFault::Mismatch);
        }
        from.state(None, &mut found)?;
        if found == initial { Ok(()) } else { Err(ResumeFault::Mismatch) }
    }
}
