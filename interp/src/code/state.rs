//! Packed states, bit by bit: the only code that touches the words.
//!
//! A [`Field`] is a run of bits inside one word. Fields never straddle words, so that a value is read with one load and
//! two shifts and written with one load, a mask and a store. Signed fields extend their sign when read.

use statespace::Word;

/// A run of bits inside one word of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// Which word, counted from the start of the state, or of the process's block if `local`.
    pub word: u32,
    /// The lowest bit.
    pub shift: u8,
    /// How many bits, 1 to 32.
    pub bits: u8,
    /// Whether the top bit is a sign.
    pub signed: bool,
    /// Relative to the block of the process.
    pub local: bool,
    /// It is narrower than the type of its values, which fit all the same (`ranges.rs`).
    #[cfg(debug_assertions)]
    pub narrowed: bool,
}

impl Field {
    /// A run of bits that holds whatever is stored in it, cut to its width.
    pub fn new(word: u32, shift: u8, bits: u8, signed: bool, local: bool) -> Self {
        Field {
            word,
            shift,
            bits,
            signed,
            local,
            #[cfg(debug_assertions)]
            narrowed: false,
        }
    }

    /// The same for values of a type with `bits` bits: if the field is narrower, the analysis of ranges guarantees that
    /// they fit.
    #[cfg_attr(not(debug_assertions), allow(unused_mut, unused_variables))]
    pub fn of_width(mut self, bits: u8) -> Self {
        #[cfg(debug_assertions)]
        {
            self.narrowed = self.bits < bits;
        }
        self
    }

    /// Checks that guarantee.
    #[cfg(debug_assertions)]
    pub fn assert_holds(self, value: i32) {
        assert!(!self.narrowed || self.cut(value) == value, "{value} does not fit into its range: {self:?}");
    }

    #[inline(always)]
    fn at(self, base: usize) -> usize {
        self.word as usize + if self.local { base } else { 0 }
    }

    /// The value in `words`; `base` is the first word of the process's block.
    #[inline(always)]
    pub fn get(self, words: &[Word], base: usize) -> i32 {
        let top = words[self.at(base)] << (32 - self.shift - self.bits);
        let unused = 32 - self.bits;
        if self.signed { (top as i32) >> unused } else { (top >> unused) as i32 }
    }

    /// Stores `value`, cut to the field.
    #[inline(always)]
    pub fn set(self, words: &mut [Word], base: usize, value: i32) {
        let mask = (u32::MAX >> (32 - self.bits)) << self.shift;
        let word = &mut words[self.at(base)];
        *word = (*word & !mask) | (((value as u32) << self.shift) & mask);
    }

    /// What reading the field gives after `value` was stored.
    #[inline(always)]
    pub fn cut(self, value: i32) -> i32 {
        let top = (value as u32) << (32 - self.bits);
        if self.signed { (top as i32) >> (32 - self.bits) } else { (top >> (32 - self.bits)) as i32 }
    }

    /// The bits of its word that the field covers.
    pub fn mask(self) -> Word {
        (u32::MAX >> (32 - self.bits)) << self.shift
    }
}

/// Fields of equal width in a row; `1 << per_word_log2` of them in each word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Array {
    /// The first element.
    pub first: Field,
    /// Number of elements.
    pub len: u32,
    /// Binary logarithm of how many elements one word holds.
    pub per_word_log2: u8,
}

impl Array {
    /// The element at `index`, which must be below `len`.
    #[inline(always)]
    pub fn element(self, index: u32) -> Field {
        let inside = index & ((1 << self.per_word_log2) - 1);
        Field {
            word: self.first.word + (index >> self.per_word_log2),
            shift: self.first.shift + inside as u8 * self.first.bits,
            ..self.first
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_keeps_its_neighbours_and_its_sign() {
        let mut words = vec![0xffff_ffff, 0];
        let low = Field::new(0, 3, 5, false, false);
        low.set(&mut words, 0, 0b1_0110_1010);
        assert_eq!(low.get(&words, 0), 0b0_1010);
        assert_eq!(words[0], !(0b1_0101 << 3));
        let short = Field::new(0, 16, 16, true, true);
        short.set(&mut words, 1, 40_000);
        assert_eq!(short.get(&words, 1), 40_000 - 65_536);
        assert_eq!(short.cut(40_000), 40_000 - 65_536);
        let whole = Field::new(1, 0, 32, true, false);
        whole.set(&mut words, 0, -7);
        assert_eq!(whole.get(&words, 0), -7);
    }

    #[test]
    fn array_elements_fill_words_in_order() {
        let bytes = Array { first: Field::new(2, 0, 8, false, false), len: 6, per_word_log2: 2 };
        assert_eq!((bytes.element(3).word, bytes.element(3).shift), (2, 24));
        assert_eq!((bytes.element(4).word, bytes.element(4).shift), (3, 0));
    }
}
