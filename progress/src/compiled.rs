//! A measure as a list of reads: one for each run of bits that counts, each with what its values contribute.
//!
//! A term stands at some bits of the progress, so what a component contributes is its value times a unit, and the progress
//! of a state is a plain sum. Components that look at the same bits share a read; few bits are looked up in a table,
//! many are multiplied. While all processes live, reads of neighbouring bits are merged. Sums are added up in whatever
//! number is large enough: most measures fit into one machine word.
//! Invariant: the sum is what the components give one by one, bit for bit.

use std::sync::Arc;

use fxhash::FxHashMap;
use interp::Word;
use interp::code::state::Field;

use crate::component::{Component, Creator, Life, Source, largest};

/// Neighbouring reads are merged up to this number of bits, and looked up in a table.
const MERGED_BITS: u8 = 9;
const MERGED: usize = 1 << MERGED_BITS;
/// Variables up to this size are looked up in a table, as locations are.
const TABLE_BITS: u8 = 8;

/// What contributions are added up in; what does not fit wraps round, and comes back when something is taken away.
pub(crate) trait Sum: Copy + Default {
    fn plus(self, other: Self) -> Self;
    fn times(self, count: u32) -> Self;
    fn minus(self) -> Self;
}

/// A component with what one of it contributes.
pub(crate) struct Weighted<'a, N> {
    pub(crate) component: &'a Component,
    pub(crate) unit: N,
}

/// A measure that is quick to evaluate.
#[derive(Clone, Debug)]
pub(crate) struct Compiled<N> {
    nr_pr: Count,
    creators: Arc<[Creator]>,
    reads: Vec<Read<N>>,
    tables: Vec<N>,
    /// What is read instead if there are at least this many processes: neighbours together, what is multiplied, and the
    /// rest. This is always contributed.
    all_live: usize,
    always: N,
    merged: Vec<Merged<N>>,
    multiplied: Vec<Multiplied<N>>,
    rest: Vec<usize>,
    /// Components whose sums may not fit, or that exist only while a pid has a certain role.
    others: Vec<(Component, N)>,
}

/// Where the number of processes is.
#[derive(Clone, Copy, Debug)]
struct Count {
    word: usize,
    shift: u8,
    mask: u32,
}

impl Count {
    #[inline]
    fn of(self, state: &[Word]) -> usize {
        (state[self.word] >> self.shift & self.mask) as usize
    }
}

/// One run of bits.
#[derive(Clone, Debug)]
struct Read<N> {
    word: usize,
    shift: u8,
    mask: u32,
    /// The top bit, if it is a sign.
    flip: u32,
    /// It exists if there are this many processes.
    processes: usize,
    /// What its values contribute.
    scale: Scale<N>,
    /// What is contributed before the process lives, and after.
    not_yet: N,
    gone: N,
}

/// What tells reads apart: the word, the bits, the sign, the process, and whether there is a table.
type Place = (usize, u8, u32, u32, usize, bool);

/// Neighbouring runs of bits, from this one on, and what all of them contribute.
#[derive(Clone, Debug)]
struct Merged<N> {
    word: u32,
    shift: u32,
    table: [N; MERGED],
}

/// A run of bits, and what one of it contributes.
#[derive(Clone, Copy, Debug)]
struct Multiplied<N> {
    word: u32,
    shift: u32,
    mask: u32,
    flip: u32,
    each: N,
}

#[derive(Clone, Copy, Debug)]
enum Scale<N> {
    /// By a table that starts here.
    Table(usize),
    /// The first for each, and the second in any case.
    Times(N, N),
}

impl<N: Sum> Compiled<N> {
    pub(crate) fn new(nr_pr: Field, parts: &[Weighted<N>]) -> Self {
        let mut compiled = Compiled {
            nr_pr: Count { word: nr_pr.word as usize, shift: nr_pr.shift, mask: largest(nr_pr) },
            creators: Arc::new([]),
            reads: Vec::new(),
            tables: Vec::new(),
            all_live: 0,
            always: N::default(),
            merged: Vec::new(),
            multiplied: Vec::new(),
            rest: Vec::new(),
            others: Vec::new(),
        };
        let mut known = FxHashMap::default();
        for Weighted { component, unit } in parts {
            compiled.add(component, *unit, &mut known);
        }
        compiled.merge();
        compiled
    }

    /// Finds out what can be read together when all processes live.
    fn merge(&mut self) {
        self.all_live = self.reads.iter().map(|read| read.processes).max().unwrap_or(0);
        let mut narrow = Vec::new();
        for (number, read) in self.reads.iter().enumerate() {
            let &Read { word, shift, mask, flip, scale, .. } = read;
            match scale {
                Scale::Table(_) if (mask as usize) < MERGED => narrow.push(number),
                Scale::Table(_) => self.rest.push(number),
                Scale::Times(each, constant) => {
                    self.always = self.always.plus(constant);
                    self.multiplied.push(Multiplied { word: word as u32, shift: shift.into(), mask, flip, each });
                }
            }
        }
        narrow.sort_by_key(|&read| (self.reads[read].word, self.reads[read].shift));
        let mut rest = narrow.as_slice();
        while let Some(&first) = rest.first() {
            let Read { word, shift, .. } = self.reads[first];
            let end = |read: &Read<N>| read.shift + (u32::BITS - read.mask.leading_zeros()) as u8;
            let fits = |&&read: &&usize| {
                let read = &self.reads[read];
                read.word == word && end(read) <= shift + MERGED_BITS
            };
            let count = rest.iter().take_while(fits).count().max(1);
            let (together, others) = rest.split_at(count);
            rest = others;
            let mut table = [N::default(); MERGED];
            for (value, entry) in (0..).zip(&mut table) {
                let bits = value << shift;
                let of = |&read: &usize| self.reads[read].contribution(bits, &self.tables);
                *entry = together.iter().map(of).fold(N::default(), N::plus);
            }
            self.merged.push(Merged { word: word as u32, shift: shift.into(), table });
        }
    }

    fn add(&mut self, component: &Component, unit: N, known: &mut FxHashMap<Place, usize>) {
        let max = unit.times(component.max);
        match &component.source {
            Source::Rank { place, ranks, life } => {
                let value = |at: u32| {
                    let rank = ranks.get(at as usize).copied().unwrap_or(component.max);
                    if component.falling { component.max - rank } else { rank }
                };
                let read = self.read(*place, Some(life), true, known);
                self.contribute(read, unit, value);
                self.reads[read].gone = self.reads[read].gone.plus(max);
            }
            Source::Sum(_) if component.falling => self.others.push((component.clone(), unit)),
            Source::Sum(parts) => {
                for (part, weight) in parts {
                    self.add(part, unit.times(*weight), known);
                }
            }
            Source::Fields { fields, life } => {
                let total: u64 = fields.iter().map(|&field| u64::from(largest(field))).sum();
                let has_role = life.as_ref().is_some_and(|life| life.role.is_some());
                if total > u64::from(component.max) || fields.is_empty() || has_role {
                    self.others.push((component.clone(), unit));
                    return;
                }
                // What falls is taken from the largest value, once.
                let unit = if component.falling { unit.minus() } else { unit };
                for (number, &field) in fields.iter().enumerate() {
                    let read = self.read(field, life.as_ref(), field.bits <= TABLE_BITS, known);
                    self.contribute(read, unit, |value| value);
                    if number == 0 {
                        self.reads[read].gone = self.reads[read].gone.plus(max);
                        if component.falling {
                            self.always(read, max);
                        }
                    }
                }
            }
        }
    }

    /// The read of a field, perhaps a new one.
    fn read(
        &mut self,
        field: Field,
        life: Option<&Life>,
        has_table: bool,
        known: &mut FxHashMap<Place, usize>,
    ) -> usize {
        let word = field.word as usize + life.filter(|_| field.local).map_or(0, |life| life.base);
        let mask = largest(field);
        let flip = if field.signed { 1 << (field.bits - 1) } else { 0 };
        let processes = life.map_or(0, |life| life.pid + 1);
        *known.entry((word, field.shift, mask, flip, processes, has_table)).or_insert_with(|| {
            if let Some(life) = life {
                self.creators = life.creators.clone();
            }
            let scale = match has_table {
                true => Scale::Table(self.tables.len()),
                false => Scale::Times(N::default(), N::default()),
            };
            if let Scale::Table(start) = scale {
                self.tables.resize(start + mask as usize + 1, N::default());
            }
            self.reads.push(Read {
                word,
                shift: field.shift,
                mask,
                flip,
                processes,
                scale,
                not_yet: N::default(),
                gone: N::default(),
            });
            self.reads.len() - 1
        })
    }

    /// Adds units to what a read contributes, as many as `value` says.
    fn contribute(&mut self, read: usize, unit: N, value: impl Fn(u32) -> u32) {
        let Read { mask, scale, .. } = &mut self.reads[read];
        match scale {
            Scale::Table(start) => {
                for (at, entry) in (0..=*mask).zip(&mut self.tables[*start..]) {
                    *entry = entry.plus(unit.times(value(at)));
                }
            }
            Scale::Times(each, _) => *each = each.plus(unit),
        }
    }

    /// Adds to what a read contributes in any case.
    fn always(&mut self, read: usize, more: N) {
        let Read { mask, scale, .. } = &mut self.reads[read];
        match scale {
            Scale::Table(start) => {
                let entries = &mut self.tables[*start..=*start + *mask as usize];
                entries.iter_mut().for_each(|entry| *entry = entry.plus(more));
            }
            Scale::Times(_, constant) => *constant = constant.plus(more),
        }
    }

    /// The progress of a state.
    // Mostly there are only a few tables to read; the rare cases are out of line.
    #[inline(always)]
    pub(crate) fn of(&self, state: &[Word]) -> N {
        let processes = self.nr_pr.of(state);
        if processes < self.all_live {
            return self.one_by_one(processes, state);
        }
        let mut progress = self.always;
        for Merged { word, shift, table } in &self.merged {
            let bits = (state[*word as usize] >> shift) as usize;
            progress = progress.plus(table[bits % MERGED]);
        }
        for &Multiplied { word, shift, mask, flip, each } in &self.multiplied {
            progress = progress.plus(each.times((state[word as usize] >> shift & mask) ^ flip));
        }
        match self.rest.is_empty() && self.others.is_empty() {
            true => progress,
            false => progress.plus(self.rest(processes, state)),
        }
    }

    /// What else is contributed when all processes live.
    #[inline(never)]
    fn rest(&self, processes: usize, state: &[Word]) -> N {
        let of = |&read: &usize| self.reads[read].contribution(state[self.reads[read].word], &self.tables);
        self.rest.iter().map(of).fold(self.others(processes, state), N::plus)
    }

    fn others(&self, processes: usize, state: &[Word]) -> N {
        let of = |(component, unit): &(Component, N)| unit.times(component.value(processes, state));
        self.others.iter().map(of).fold(N::default(), N::plus)
    }

    /// The progress of a state in which some processes do not live.
    #[inline(never)]
    fn one_by_one(&self, processes: usize, state: &[Word]) -> N {
        let mut progress = self.others(processes, state);
        let is_to_come = self.creators.iter().any(|creator| creator.is_before(processes, state));
        for read in &self.reads {
            let more = if processes >= read.processes {
                read.contribution(state[read.word], &self.tables)
            } else if is_to_come {
                read.not_yet
            } else {
                read.gone
            };
            progress = progress.plus(more);
        }
        progress
    }
}

impl<N: Sum> Read<N> {
    /// What is contributed by a word.
    #[inline]
    fn contribution(&self, word: Word, tables: &[N]) -> N {
        let value = (word >> self.shift & self.mask) ^ self.flip;
        match self.scale {
            Scale::Table(start) => tables[start + value as usize],
            Scale::Times(each, constant) => each.times(value).plus(constant),
        }
    }
}

macro_rules! sums {
    ($($number:ty),*) => {$(
        impl Sum for $number {
            #[inline]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            #[inline]
            fn times(self, count: u32) -> Self {
                self.wrapping_mul(<$number>::from(count))
            }

            fn minus(self) -> Self {
                self.wrapping_neg()
            }
        }
    )*};
}

sums!(u32, u64, u128);
