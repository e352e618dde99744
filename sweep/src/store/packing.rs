//! States as bit strings without the bits that no state has used so far.
//!
//! Each word takes as many bits as its largest value has needed. A state that needs more widens its words, and everything
//! packed before must then be packed again. That is seldom, since a word that grows gets some bits in advance, and words
//! that are nearly as wide grow with it: they may well hold values of the same kind. States of different lengths begin
//! with their length, and words that a state does not have are zero.

use interp::space::Word;

/// A word that grows gets so many bits in advance.
const IN_ADVANCE: u8 = 2;
/// A word grows with another one if it has so many bits less, at most.
const NEARLY: u8 = 4;
const PIECE_BITS: u32 = u64::BITS;

/// How states are packed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Packing {
    /// Bits of each word.
    widths: Vec<u8>,
    /// The most bits of each word, as far as it has a bound.
    bounds: Vec<u8>,
    /// Bits of the length, if states have different lengths.
    length: Option<u8>,
    /// Bits of a packed state.
    bits: usize,
}

impl Packing {
    /// For states of so many words, or of any number, which use so many bits of each; all words are zero so far.
    pub(super) fn new(fixed_words: Option<usize>, bounds: &[u8]) -> Self {
        let length = fixed_words.map_or(Some(0), |_| None);
        Packing { widths: vec![0; fixed_words.unwrap_or(0)], bounds: bounds.to_vec(), length, bits: 0 }
    }

    /// Bits of a packed state.
    pub(super) fn bits(&self) -> usize {
        self.bits
    }

    /// A packing for all that this one is for, and for `state`.
    pub(super) fn widened(&self, state: &[Word]) -> Packing {
        let mut wider = self.clone();
        if state.len() > wider.widths.len() {
            wider.widths.resize(state.len(), 0);
        }
        let bounds = self.bounds.iter().copied().chain(std::iter::repeat(Word::BITS as u8));
        let mut widest = 0;
        for ((width, &word), bound) in wider.widths.iter_mut().zip(state).zip(bounds.clone()) {
            if widen(width, word, bound) {
                widest = widest.max(*width);
            }
        }
        for (width, bound) in wider.widths.iter_mut().zip(bounds) {
            if *width > 0 && *width + NEARLY >= widest {
                *width = widest.min(bound).max(*width);
            }
        }
        if let Some(width) = &mut wider.length {
            widen(width, state.len() as Word, Word::BITS as u8);
        }
        wider.bits = wider.widths.iter().chain(&wider.length).map(|&width| usize::from(width)).sum();
        wider
    }

    /// How many pieces of 64 bits a packed state has, the last one perhaps empty.
    pub(super) fn pieces(&self) -> usize {
        self.bits / PIECE_BITS as usize + 1
    }

    /// Packs a state into as many pieces as that takes, if it fits; says whether it does.
    #[inline]
    pub(super) fn pack(&self, state: &[Word], pieces: &mut [u64]) -> bool {
        let mut writer = Writer { pieces, next: 0, piece: 0, filled: 0, lost: 0 };
        if let Some(width) = self.length {
            if state.len() > self.widths.len() {
                return false;
            }
            writer.put(state.len() as Word, width);
        }
        for (&word, &width) in state.iter().zip(&self.widths) {
            writer.put(word, width);
        }
        let Writer { next, piece, lost, .. } = writer;
        pieces[next] = piece;
        // What a short state does not have is zero.
        pieces[next + 1..].fill(0);
        lost == 0
    }

    /// The state that was packed into these pieces.
    #[inline]
    pub(super) fn unpack(&self, pieces: &[u64], state: &mut Vec<Word>) {
        let mut at = 0;
        let mut take = |width: u8| {
            let (piece, shift) = (at / PIECE_BITS as usize, at as u32 % PIECE_BITS);
            let low = pieces[piece] >> shift;
            // Of the next piece nothing is taken if the shift is zero.
            let high = pieces.get(piece + 1).map_or(0, |next| next << 1 << (PIECE_BITS - 1 - shift));
            at += usize::from(width);
            ((low | high) & ((1 << width) - 1)) as Word
        };
        let words = match self.length {
            Some(width) => take(width) as usize,
            None => self.widths.len(),
        };
        state.clear();
        state.extend(self.widths[..words].iter().map(|&width| take(width)));
    }
}

/// Makes room for a value; says whether that was necessary.
fn widen(width: &mut u8, value: Word, bound: u8) -> bool {
    let is_too_large = u64::from(value) >> *width != 0;
    if is_too_large {
        let needed = (Word::BITS - value.leading_zeros()) as u8;
        *width = (needed + IN_ADVANCE).min(bound.max(needed));
    }
    is_too_large
}

struct Writer<'p> {
    pieces: &'p mut [u64],
    next: usize,
    piece: u64,
    filled: u32,
    /// Bits for which there was no room.
    lost: u64,
}

impl Writer<'_> {
    #[inline]
    fn put(&mut self, word: Word, width: u8) {
        let value = u64::from(word);
        self.lost |= value >> width;
        self.piece |= value << self.filled;
        self.filled += u32::from(width);
        if self.filled >= PIECE_BITS {
            self.pieces[self.next] = self.piece;
            self.next += 1;
            self.filled -= PIECE_BITS;
            // What did not fit; the shift is at least 1 because a word has fewer bits than a piece.
            self.piece = value >> (u32::from(width) - self.filled);
        }
    }
}
