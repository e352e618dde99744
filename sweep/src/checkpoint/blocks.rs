//! The file of a checkpoint: a stream of bytes, cut into blocks with checksums (docs/checkpoint.md).
//!
//! The file begins with `pswck` and the version of the format. Each block follows the one before it:
//!
//! | bytes | content |
//! |---|---|
//! | 4 | bytes of its payload, at most 65536 |
//! | 4 | its number, from 0 |
//! | 4 | 1 for the last block, 0 for the others |
//! | 8 | checksum of all the others |
//! | | payload |
//!
//! Numbers are little-endian. Invariant: what a reader hands out stands in a block that is whole and in its place; whoever
//! comes to the end knows that nothing is missing.

use std::io::{self, Read, Write};

use statespace::Word;

use super::ResumeFault;
use crate::external::slots::checksum;

/// The first bytes of a file, before its version.
const MAGIC: &[u8; 5] = b"pswck";
/// The version of all that is written to a checkpoint.
const VERSION: u8 = 1;
/// Bytes of the largest payload.
const MOST: usize = 1 << 16;
/// Bytes in front of a payload.
const HEADER: usize = 20;
/// What a block's checksum begins with, in place of the number of a stream.
const STREAM: u32 = u32::from_le_bytes(*b"ckpt");

/// Writes a checkpoint, a block at a time.
pub struct Writer<'a> {
    to: &'a mut dyn Write,
    block: Vec<u8>,
    number: u32,
}

impl<'a> Writer<'a> {
    /// A new file.
    ///
    /// # Errors
    /// Those of the file, here and in all methods.
    pub fn new(to: &'a mut dyn Write) -> io::Result<Writer<'a>> {
        to.write_all(MAGIC)?;
        to.write_all(&[VERSION])?;
        Ok(Writer { to, block: Vec::with_capacity(MOST), number: 0 })
    }

    /// Bytes as they are.
    pub fn put(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            if self.block.len() == MOST {
                self.flush(false)?;
            }
            let (now, later) = bytes.split_at(bytes.len().min(MOST - self.block.len()));
            self.block.extend_from_slice(now);
            bytes = later;
        }
        Ok(())
    }

    /// A number.
    pub fn number(&mut self, number: u64) -> io::Result<()> {
        self.put(&number.to_le_bytes())
    }

    /// Yes or no.
    pub fn flag(&mut self, flag: bool) -> io::Result<()> {
        self.put(&[u8::from(flag)])
    }

    /// Bytes, behind how many they are.
    pub fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.number(bytes.len() as u64)?;
        self.put(bytes)
    }

    /// Words as they are.
    pub fn words(&mut self, words: &[Word]) -> io::Result<()> {
        words.iter().try_for_each(|word| self.put(&word.to_le_bytes()))
    }

    /// A state: its words, behind how many they are unless all states have as many.
    pub fn state(&mut self, fixed_words: Option<usize>, state: &[Word]) -> io::Result<()> {
        if fixed_words.is_none() {
            self.number(state.len() as u64)?;
        }
        self.words(state)
    }

    /// Nothing more is written.
    pub fn end(mut self) -> io::Result<()> {
        self.flush(true)?;
        self.to.flush()
    }

    fn flush(&mut self, is_last: bool) -> io::Result<()> {
        self.to.write_all(&header(self.number, is_last, &self.block))?;
        self.to.write_all(&self.block)?;
        self.block.clear();
        self.number += 1;
        Ok(())
    }
}

fn header(number: u32, is_last: bool, payload: &[u8]) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..4].copy_from_slice(&(payload.len() as u32).to_le_bytes());
    header[4..8].copy_from_slice(&number.to_le_bytes());
    header[8..12].copy_from_slice(&u32::from(is_last).to_le_bytes());
    header[12..].copy_from_slice(&checksum((STREAM, number), u32::from(is_last), payload).to_le_bytes());
    header
}

/// Reads a checkpoint, a block at a time.
pub struct Reader<'a> {
    from: Box<dyn Read + 'a>,
    block: Vec<u8>,
    /// How much of the block has been read.
    at: usize,
    /// The number of the next block.
    number: u32,
    was_last: bool,
}

impl<'a> Reader<'a> {
    /// Begins to read a file.
    ///
    /// # Errors
    /// If it is none, or of another version; and, here and in all methods, if it is damaged or cannot be read.
    pub fn new(mut from: Box<dyn Read + 'a>) -> Result<Reader<'a>, ResumeFault> {
        let mut begin = [0; MAGIC.len() + 1];
        from.read_exact(&mut begin).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => ResumeFault::Foreign,
            _ => unreadable(&error),
        })?;
        match begin.split_last() {
            Some((&VERSION, magic)) if magic == MAGIC => {
                Ok(Reader { from, block: Vec::new(), at: 0, number: 0, was_last: false })
            }
            Some((&version, magic)) if magic == MAGIC => Err(ResumeFault::Version(version)),
            _ => Err(ResumeFault::Foreign),
        }
    }

    /// As many bytes as there is room for.
    pub fn take(&mut self, mut into: &mut [u8]) -> Result<(), ResumeFault> {
        while !into.is_empty() {
            if self.at == self.block.len() {
                self.next_block()?;
            }
            let rest = &self.block[self.at..];
            let now = rest.len().min(into.len());
            let (filled, later) = into.split_at_mut(now);
            filled.copy_from_slice(&rest[..now]);
            self.at += now;
            into = later;
        }
        Ok(())
    }

    /// A number.
    pub fn number(&mut self) -> Result<u64, ResumeFault> {
        let mut bytes = [0; 8];
        self.take(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// A number of something that has a smaller type.
    pub fn small<T: TryFrom<u64>>(&mut self) -> Result<T, ResumeFault> {
        T::try_from(self.number()?).map_err(|_| ResumeFault::Mismatch)
    }

    /// Yes or no.
    pub fn flag(&mut self) -> Result<bool, ResumeFault> {
        let mut byte = [0];
        self.take(&mut byte)?;
        match byte {
            [0] => Ok(false),
            [1] => Ok(true),
            _ => Err(ResumeFault::Mismatch),
        }
    }

    /// Bytes, behind how many they are.
    pub fn bytes(&mut self) -> Result<Vec<u8>, ResumeFault> {
        let mut left: usize = self.small()?;
        let mut bytes = Vec::new();
        // A number that is wrong must not allocate more than there is.
        while left > 0 {
            let (start, now) = (bytes.len(), left.min(MOST));
            bytes.resize(start + now, 0);
            self.take(&mut bytes[start..])?;
            left -= now;
        }
        Ok(bytes)
    }

    /// This many words.
    pub fn words(&mut self, count: usize, into: &mut Vec<Word>) -> Result<(), ResumeFault> {
        into.clear();
        for _ in 0..count {
            let mut bytes = [0; 4];
            self.take(&mut bytes)?;
            into.push(Word::from_le_bytes(bytes));
        }
        Ok(())
    }

    /// A state.
    pub fn state(&mut self, fixed_words: Option<usize>, into: &mut Vec<Word>) -> Result<(), ResumeFault> {
        let count = match fixed_words {
            Some(count) => count,
            None => self.small()?,
        };
        self.words(count, into)
    }

    /// Fails unless everything has been read.
    pub fn end(mut self) -> Result<(), ResumeFault> {
        if self.at < self.block.len() || !self.was_last {
            return Err(ResumeFault::Mismatch);
        }
        match self.from.read(&mut [0]) {
            Ok(0) => Ok(()),
            Ok(_) => Err(ResumeFault::Damaged),
            Err(error) => Err(unreadable(&error)),
        }
    }

    fn next_block(&mut self) -> Result<(), ResumeFault> {
        if self.was_last {
            return Err(ResumeFault::Mismatch);
        }
        let mut found = [0; HEADER];
        self.fill(&mut found)?;
        let len = u32::from_le_bytes([found[0], found[1], found[2], found[3]]) as usize;
        if len > MOST {
            return Err(ResumeFault::Damaged);
        }
        let mut block = std::mem::take(&mut self.block);
        block.resize(len, 0);
        self.fill(&mut block)?;
        self.was_last = found[8] == 1;
        if found != header(self.number, self.was_last, &block) {
            return Err(ResumeFault::Damaged);
        }
        (self.block, self.at) = (block, 0);
        self.number += 1;
        Ok(())
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), ResumeFault> {
        self.from.read_exact(bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => ResumeFault::Damaged,
            _ => unreadable(&error),
        })
    }
}

fn unreadable(error: &io::Error) -> ResumeFault {
    ResumeFault::Unreadable(error.kind(), error.raw_os_error())
}
