//! A state that waits in a stream, with its progress and how it was reached.
//!
//! | bytes | content |
//! |---|---|
//! | 4 | bytes of the rest |
//! | 1 to 19 | its progress, xor that of the record before it in the stream (0 before the first) |
//! | 1 to 10 | the number of the state it was reached from |
//! | 1 to 5 | the event that led to it |
//! | 1 to 10 | its depth |
//! | 4 each | its words |
//!
//! Numbers are little-endian, those of varying length seven bits a byte, lowest first, the high bit set in all but the last.

use std::cmp::Ordering;

use statespace::Word;

use super::disk::DiskFault;
use crate::measure::Progress;

/// How a state was reached.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Origin {
    /// The number of its predecessor, or its own if it has one already.
    pub(crate) parent: u64,
    pub(crate) event: u32,
    pub(crate) depth: u64,
}

/// A state, its progress, and how it was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Record<'a> {
    pub(crate) progress: Progress,
    pub(crate) origin: Origin,
    pub(crate) state: &'a [Word],
}

/// Bytes of the length in front of a record.
pub(crate) const PREFIX: usize = 4;

impl Record<'_> {
    /// The order of runs: by progress, and then by what the states are.
    pub(crate) fn compare(&self, other: &Record<'_>) -> Ordering {
        self.progress.cmp(&other.progress).then_with(|| self.state.cmp(other.state))
    }

    /// Appends the record to `bytes`; the one before it had progress `last`.
    pub(crate) fn encode(&self, last: Progress, bytes: &mut Vec<u8>) {
        let start = bytes.len();
        bytes.extend_from_slice(&[0; PREFIX]);
        push_number(self.progress.0 ^ last.0, bytes);
        push_number(u128::from(self.origin.parent), bytes);
        push_number(u128::from(self.origin.event), bytes);
        push_number(u128::from(self.origin.depth), bytes);
        bytes.extend(self.state.iter().flat_map(|word| word.to_le_bytes()));
        let length = (bytes.len() - start - PREFIX) as u32;
        bytes[start..start + PREFIX].copy_from_slice(&length.to_le_bytes());
    }

    /// Reads what stands behind the length; the words are put into `words`.
    pub(crate) fn decode(
        mut body: &[u8],
        last: Progress,
        words: &mut Vec<Word>,
    ) -> Result<(Progress, Origin), DiskFault> {
        let progress = Progress(take_number(&mut body)? ^ last.0);
        let origin = Origin {
            parent: take_number(&mut body)? as u64,
            event: take_number(&mut body)? as u32,
            depth: take_number(&mut body)? as u64,
        };
        let (packed, rest) = body.as_chunks::<4>();
        if !rest.is_empty() {
            return Err(DiskFault::Damaged);
        }
        words.clear();
        words.extend(packed.iter().map(|word| Word::from_le_bytes(*word)));
        Ok((progress, origin))
    }
}

fn push_number(mut number: u128, bytes: &mut Vec<u8>) {
    while number >= 1 << 7 {
        bytes.push(number as u8 | 1 << 7);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take_number(bytes: &mut &[u8]) -> Result<u128, DiskFault> {
    let mut number = 0;
    for shift in (0..u128::BITS).step_by(7) {
        let (&byte, rest) = bytes.split_first().ok_or(DiskFault::Damaged)?;
        *bytes = rest;
        number |= u128::from(byte & 0x7f) << shift;
        if byte < 1 << 7 {
            return Ok(number);
        }
    }
    Err(DiskFault::Damaged)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_written_is_read(
            (progress, last) in (any::<u128>(), any::<u128>()),
            (parent, event, depth) in (any::<u64>(), any::<u32>(), any::<u64>()),
            state in prop::collection::vec(any::<Word>(), 0..20),
        ) {
            let origin = Origin { parent, event, depth };
            let record = Record { progress: Progress(progress), origin, state: &state };
            let (mut bytes, mut words) = (vec![7], Vec::new());
            record.encode(Progress(last), &mut bytes);
            let body = &bytes[1 + PREFIX..];
            prop_assert_eq!(u32::from_le_bytes([bytes[1], bytes[2], bytes[3], bytes[4]]) as usize, body.len());
            prop_assert_eq!(Record::decode(body, Progress(last), &mut words), Ok((record.progress, origin)));
            prop_assert_eq!(&words, &state);
            // A piece of a record is none.
            for end in 0..body.len() {
                let shorter = Record::decode(&body[..end], Progress(last), &mut words);
                prop_assert!(shorter.is_err() || words.len() < state.len());
            }
        }
    }
}
