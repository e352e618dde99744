//! States as bit strings without the bits that no state has used so far.
//!
//! Each word takes as many bits as its largest value has needed. A state that needs more widens its words, and everything
//! packed before must then be packed again. That is seldom, since a word that grows gets some bits in advance, and words
//! that are nearly as wide grow with it: they may well hold values of the same kind. Where many states would have to be
//! packed again, words that lack few bits get all they can ever need. States of different lengths begin with their length,
//! and words that a state does not have are zero.

use statespace::Word;

/// A word that grows gets this many bits in advance.
const IN_ADVANCE: u8 = 2;
/// A word grows with another one if it has this many bits less, at most.
const NEARLY: u8 = 4;
/// A word that lacks no more bits than these gets all of them, if many states are packed again.
const FEW: u8 = 8;
const PIECE_BITS: u32 = u64::BITS;

/// How states are packed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Packing {
    words: Vec<Place>,
    /// The most bits of each word, as far as it has a bound.
    bounds: Vec<u8>,
    /// Where the length is, if states have different lengths.
    length: Option<Place>,
    /// Bits of a packed state.
    bits: usize,
    /// Are all words as wide as they can ever be?
    is_complete: bool,
}

/// Where a word is in a packed state.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Place {
    /// The piece where it begins,
    piece: u32,
    /// at this bit.
    shift: u8,
    /// How many bits it has.
    width: u8,
}

impl Packing {
    /// For states of this many words, or of any number, which use this many bits of each; all words are zero so far.
    pub(super) fn new(fixed_words: Option<usize>, bounds: &[u8]) -> Self {
        let length = fixed_words.map_or(Some(Place::default()), |_| None);
        let words = vec![Place::default(); fixed_words.unwrap_or(0)];
        Packing { words, bounds: bounds.to_vec(), length, bits: 0, is_complete: false }
    }

    /// Bits of a packed state.
    pub(super) fn bits(&self) -> usize {
        self.bits
    }

    /// Is there room for all words of a state?
    #[inline]
    pub(super) fn fits(&self, state: &[Word]) -> bool {
        self.is_complete || self.has_room_for(state)
    }

    fn has_room_for(&self, state: &[Word]) -> bool {
        state.len() <= self.words.len()
            && self.length.is_none_or(|place| place.fits(state.len() as Word))
            && state.iter().zip(&self.words).fold(0, |lost, (&word, place)| lost | u64::from(word) >> place.width) == 0
    }

    /// A packing for all that this one is for, and for `state`, which does not fit. `many`: there are many states.
    pub(super) fn widened(&self, state: &[Word], many: bool) -> Packing {
        let mut wider = self.clone();
        if state.len() > wider.words.len() {
            wider.words.resize(state.len(), Place::default());
        }
        let bounds = self.bounds.iter().copied().chain(std::iter::repeat(Word::BITS as u8));
        let mut widest = 0;
        wider.is_complete = wider.length.is_none();
        for ((place, &word), bound) in wider.words.iter_mut().zip(state).zip(bounds.clone()) {
            if !place.fits(word) {
                place.widen(word, bound);
                widest = widest.max(place.width);
            }
        }
        for (Place { width, .. }, bound) in wider.words.iter_mut().zip(bounds) {
            if *width > 0 && *width + NEARLY >= widest {
                *width = widest.min(bound).max(*width);
            }
            if many && *width < bound && *width + FEW >= bound {
                *width = bound;
            }
            wider.is_complete &= *width >= bound;
        }
        if let Some(place) = wider.length.as_mut().filter(|place| !place.fits(state.len() as Word)) {
            place.widen(state.len() as Word, Word::BITS as u8);
        }
        wider.bits = 0;
        for place in wider.length.iter_mut().chain(&mut wider.words) {
            // A word without bits is anywhere.
            if place.width > 0 {
                place.piece = (wider.bits / PIECE_BITS as usize) as u32;
                place.shift = (wider.bits % PIECE_BITS as usize) as u8;
                wider.bits += usize::from(place.width);
            }
        }
        wider
    }

    /// How many pieces of 64 bits a packed state has; at least one.
    pub(super) fn pieces(&self) -> usize {
        self.bits.div_ceil(PIECE_BITS as usize).max(1)
    }

    /// Packs a state that fits.
    #[inline]
    pub(super) fn pack<const N: usize>(&self, state: &[Word]) -> [u64; N] {
        let mut pieces = [0; N];
        let mut put = |place: &Place, word: Word| {
            debug_assert!(place.fits(word), "a state that is packed fits");
            let value = u64::from(word);
            pieces[place.piece as usize] |= value << place.shift;
            // Nothing goes to the next piece if the shift is zero; if there is no next piece, nothing is left for it.
            if let Some(next) = pieces.get_mut(place.piece as usize + 1) {
                *next |= value >> 1 >> (PIECE_BITS - 1 - u32::from(place.shift));
            }
        };
        self.length.iter().for_each(|place| put(place, state.len() as Word));
        state.iter().zip(&self.words).for_each(|(&word, place)| put(place, word));
        pieces
    }

    /// The state that was packed into these pieces.
    #[inline]
    pub(super) fn unpack<const N: usize>(&self, pieces: &[u64; N], state: &mut Vec<Word>) {
        let take = |place: &Place| {
            let (piece, shift) = (place.piece as usize, u32::from(place.shift));
            let next = pieces.get(piece + 1).map_or(0, |next| next << 1 << (PIECE_BITS - 1 - shift));
            ((pieces[piece] >> shift | next) & ((1 << place.width) - 1)) as Word
        };
        let words = self.length.as_ref().map_or(self.words.len(), |place| take(place) as usize);
        state.clear();
        state.extend(self.words[..words].iter().map(take));
    }
}

impl Place {
    /// Is there room for this value?
    #[inline]
    fn fits(self, value: Word) -> bool {
        u64::from(value) >> self.width == 0
    }

    /// Makes room for a value that does not fit.
    fn widen(&mut self, value: Word, bound: u8) {
        let needed = (Word::BITS - value.leading_zeros()) as u8;
        self.width = (needed + IN_ADVANCE).min(bound.max(needed));
    }
}
