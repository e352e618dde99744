//! A space whose events come in another order, so that a depth-first search of it takes other paths.
//!
//! Events keep their numbers: a path of the shuffled space is one of the space itself. The order depends on the seed and the
//! state alone. A persistent set of steps still comes before the others.

use std::ops::{ControlFlow, Range};

use statespace::{StateSpace, Visit, Word};

use crate::random::Random;
use crate::store::hash;

/// The space.
pub(crate) struct Shuffled<'a, S> {
    pub(crate) space: &'a S,
    pub(crate) seed: u64,
}

/// Successors that have not been handed on.
#[derive(Default)]
pub(crate) struct Batch {
    words: Vec<Word>,
    /// The number of each event, and where its words are.
    steps: Vec<(u32, Range<usize>)>,
}

impl Batch {
    fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<Word>() + self.steps.capacity() * size_of::<(u32, Range<usize>)>()
    }

    fn clear(&mut self) {
        self.words.clear();
        self.steps.clear();
    }
}

impl<S: StateSpace> StateSpace for Shuffled<'_, S> {
    type Violation = S::Violation;
    type Scratch = (S::Scratch, Batch);

    fn scratch(&self) -> Self::Scratch {
        (self.space.scratch(), Batch::default())
    }

    fn fixed_words(&self) -> Option<usize> {
        self.space.fixed_words()
    }

    fn word_bits(&self) -> &[u8] {
        self.space.word_bits()
    }

    fn initial(&self) -> Result<Vec<Word>, S::Violation> {
        self.space.initial()
    }

    fn expand<V: Visit<S::Violation>>(
        &self,
        state: &[Word],
        (scratch, batch): &mut Self::Scratch,
        visit: &mut V,
    ) -> ControlFlow<()> {
        batch.clear();
        let random = Random::new(self.seed ^ hash(state));
        let mut collector = Collector { batch, random, visit, until_look: LOOK };
        self.space.expand(state, scratch, &mut collector)?;
        collector.hand_on()
    }

    fn gave_up(&self) -> bool {
        self.space.gave_up()
    }
}

/// After so many words of successors the search hears of them.
const LOOK: usize = 1 << 16;

struct Collector<'a, V> {
    batch: &'a mut Batch,
    random: Random,
    visit: &'a mut V,
    until_look: usize,
}

impl<V> Collector<'_, V> {
    fn hand_on<Violation>(&mut self) -> ControlFlow<()>
    where
        V: Visit<Violation>,
    {
        self.random.shuffle(&mut self.batch.steps);
        let Batch { words, steps } = &*self.batch;
        let done = steps.iter().try_for_each(|(event, place)| self.visit.successor(*event, &words[place.clone()]));
        self.batch.clear();
        done
    }
}

impl<Violation, V: Visit<Violation>> Visit<Violation> for Collector<'_, V> {
    fn successor(&mut self, event: u32, next: &[Word]) -> ControlFlow<()> {
        let Batch { words, steps } = &mut *self.batch;
        let start = words.len();
        words.extend_from_slice(next);
        steps.push((event, start..words.len()));
        match self.until_look.checked_sub(next.len() + 1) {
            Some(left) => {
                self.until_look = left;
                ControlFlow::Continue(())
            }
            None => self.working(0),
        }
    }

    fn violation(&mut self, event: u32, violation: Violation) -> ControlFlow<()> {
        self.visit.violation(event, violation)
    }

    fn left_out(&mut self, event: u32) -> ControlFlow<()> {
        self.visit.left_out(event)
    }

    fn suffices(&mut self) -> bool {
        // Whoever breaks here is not asked again: the search has ended, and knows why.
        self.hand_on::<Violation>().is_break() || self.visit.suffices()
    }

    fn working(&mut self, bytes: usize) -> ControlFlow<()> {
        self.until_look = LOOK;
        self.visit.working(bytes + self.batch.bytes())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::testing::Lattice;

    #[derive(Default)]
    struct Seen(Vec<(u32, Vec<Word>)>);

    impl Visit<()> for Seen {
        fn successor(&mut self, event: u32, next: &[Word]) -> ControlFlow<()> {
            self.0.push((event, next.to_vec()));
            ControlFlow::Continue(())
        }
        fn violation(&mut self, _: u32, (): ()) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }
        fn left_out(&mut self, _: u32) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }
        fn suffices(&mut self) -> bool {
            false
        }
        fn working(&mut self, _: usize) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }
    }

    fn events(space: &impl StateSpace<Violation = ()>) -> Vec<(u32, Vec<Word>)> {
        let mut seen = Seen::default();
        let _ = space.expand(&[0; 6], &mut space.scratch(), &mut seen);
        seen.0
    }

    #[test]
    fn all_events_come_once_with_their_numbers_in_an_order_of_the_seed() {
        let space = Lattice { counters: 6, top: 1 };
        let plain = events(&space);
        let mut orders = HashSet::new();
        for seed in 0..50 {
            let mut shuffled = events(&Shuffled { space: &space, seed });
            assert_eq!(shuffled, events(&Shuffled { space: &space, seed }));
            orders.insert(shuffled.clone());
            shuffled.sort();
            assert_eq!(shuffled, plain);
        }
        assert!(orders.len() > 40, "{}", orders.len());
    }
}
