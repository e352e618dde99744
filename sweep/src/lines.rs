//! The states of a sweep: a store for each progress value, in order.
//!
//! A line holds the states of one progress value. The persistent ones come first; behind them are those that will be
//! forgotten when the sweep has passed. Both parts end with states that wait to be expanded: of the persistent ones, the
//! roots; of the others, the tail of the arena.
//! Invariants: `todo` has the progress of every line in which a state waits; the line that is being expanded is taken
//! out of the map and handed back.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ops::{Bound, RangeInclusive};

use interp::space::Word;

use crate::control::{Control, End, Revisits};
use crate::events::growth;
use crate::measure::Progress;
use crate::observer::Observer;
use crate::shelf::{Place, Shelf};
use crate::store::{Layer, StateId};

/// What is known of a stored state beside its words: its number in the predecessor log, and its depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Tag(u64);

/// The bits of a tag that hold the depth; the log has no larger numbers than fit into the others.
const DEPTH_BITS: u32 = 24;

impl Tag {
    pub(crate) fn new(number: u64, depth: u64) -> Tag {
        Tag(number << DEPTH_BITS | depth.min((1 << DEPTH_BITS) - 1))
    }

    /// The number in the predecessor log.
    pub(crate) fn number(self) -> u64 {
        self.0 >> DEPTH_BITS
    }

    pub(crate) fn depth(self) -> u64 {
        self.0 & ((1 << DEPTH_BITS) - 1)
    }
}

/// Why a state is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stay {
    /// Until the sweep has passed.
    Passing,
    /// A step went back to it: as long as its column.
    Persistent,
}

/// A state that may be new.
#[derive(Clone, Copy)]
pub(crate) struct Newcomer<'a> {
    pub(crate) hash: u64,
    pub(crate) state: &'a [Word],
    pub(crate) depth: u64,
}

/// Where a state is stored: its place in its line, and its number in the predecessor log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stored {
    pub(crate) id: StateId,
    pub(crate) number: u64,
}

/// The states of one progress value.
pub(crate) struct Line {
    states: Layer,
    tags: Vec<Tag>,
    /// The states before this are persistent.
    persistent: u32,
    /// Of the persistent states, those from this on wait.
    next_root: u32,
    /// Of the others, those from this on wait.
    next: u32,
    /// Bytes allocated, as `count_bytes` says.
    bytes: usize,
}

impl Line {
    fn new(fixed_words: Option<usize>) -> Line {
        let states = Layer::new(fixed_words);
        let mut line = Line { states, tags: Vec::new(), persistent: 0, next_root: 0, next: 0, bytes: 0 };
        line.count_bytes();
        line
    }

    pub(crate) fn get(&self, id: StateId) -> &[Word] {
        self.states.get(id)
    }

    pub(crate) fn tag(&self, id: StateId) -> Tag {
        self.tags[id.0 as usize]
    }

    pub(crate) fn layer(&self) -> &Layer {
        &self.states
    }

    /// Is this persistent state to be expanded still?
    pub(crate) fn is_root(&self, id: StateId) -> bool {
        id.0 >= self.next_root
    }

    /// The persistent states that have been expanded.
    pub(crate) fn persistent(&self) -> impl Iterator<Item = StateId> {
        (0..self.next_root).map(StateId)
    }

    /// Forgets all states; what is allocated stays.
    fn clear(&mut self) {
        self.states.clear();
        self.tags.clear();
        (self.persistent, self.next_root, self.next) = (0, 0, 0);
        self.count_bytes();
    }

    fn bytes(&self) -> usize {
        self.bytes
    }

    /// Counts the bytes again: something was stored or forgotten.
    fn count_bytes(&mut self) {
        self.bytes = size_of::<(Progress, Line)>() + self.states.bytes() + self.tags.capacity() * size_of::<Tag>();
    }

    /// Does a state wait?
    pub(crate) fn has_waiting(&self) -> bool {
        self.waiting() > 0
    }

    /// How many states wait.
    fn waiting(&self) -> u32 {
        self.persistent - self.next_root + self.states.len() - self.next
    }

    /// The next state to expand; it waits no longer.
    fn pop(&mut self) -> Option<StateId> {
        let next = match self.next_root < self.persistent {
            true => &mut self.next_root,
            false if self.next < self.states.len() => &mut self.next,
            false => return None,
        };
        *next += 1;
        Some(StateId(*next - 1))
    }

    /// Stores a state that is not known.
    #[inline]
    fn store<V: Copy + PartialEq, O: Observer>(
        &mut self,
        stay: Stay,
        Newcomer { hash, state, depth }: Newcomer<'_>,
        others: usize,
        control: &mut Control<'_, V, O>,
    ) -> Result<Stored, End> {
        // A state that will be expanded anyway need not be kept for it.
        let persists = stay == Stay::Persistent && self.next == self.states.len();
        if persists && self.next > self.persistent {
            control.forgot(u64::from(self.forget()));
        }
        let more = growth(&self.tags, 1) + self.states.growth(state.len());
        if more > 0 {
            control.allocating(others + self.bytes() + more)?;
        }
        let number = control.stats.states;
        let id = control.store_allowed(&mut self.states, (hash, state), depth)?;
        self.tags.push(Tag::new(number, depth));
        if more > 0 {
            self.count_bytes();
        }
        if persists {
            self.persistent += 1;
            self.next = self.persistent;
            control.stats.sweep.persistent += 1;
        }
        Ok(Stored { id, number })
    }

    /// Where a state is stored, if it is.
    #[inline(always)]
    fn find(&self, (hash, state): (u64, &[Word])) -> Option<Stored> {
        let id = self.states.find(hash, state)?;
        // Every state has a tag; a safety search never looks at it here, and pays for nothing.
        let number = self.tags.get(id.0 as usize).map_or(0, |tag| tag.number());
        Some(Stored { id, number })
    }

    /// Forgets all but the persistent states; says how many.
    fn forget(&mut self) -> u32 {
        let forgotten = self.states.len() - self.persistent;
        if forgotten > 0 {
            self.states = self.states.prefix(self.persistent);
            self.tags.truncate(self.persistent as usize);
            self.tags.shrink_to_fit();
            self.next = self.persistent;
            self.count_bytes();
        }
        forgotten
    }

    /// Are there so few states to forget, and none that waits, that copying the others would be most of the work?
    fn is_mostly_persistent(&self) -> bool {
        !self.has_waiting() && self.states.len() - self.persistent < self.persistent / WORTH_FORGETTING
    }

    /// All states become persistent.
    fn keep(&mut self) {
        self.persistent = self.states.len();
        (self.next_root, self.next) = (self.persistent, self.persistent);
    }
}

/// Where a successor goes, seen from the line that is being expanded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    /// How its progress compares.
    pub(crate) direction: Ordering,
    /// Its line, if that is another one.
    place: Option<Place>,
}

impl Target {
    /// The line that is being expanded.
    pub(crate) const HERE: Target = Target { direction: Ordering::Equal, place: None };
}

/// All lines of a sweep but the one that is being expanded.
pub(crate) struct Lines {
    fixed_words: Option<usize>,
    lines: Shelf<Line>,
    todo: BTreeSet<Progress>,
    /// Lines that the sweep has passed and that may hold states to be forgotten.
    passed: Vec<Progress>,
    /// Nothing is forgotten until the column is done.
    pub(crate) keeps_all: bool,
    /// What hardly saves memory is not forgotten.
    saves_time: bool,
    /// Collect when so many states were stored since the last time.
    collect_every: u64,
    collected_at: u64,
    waiting: u64,
    bytes: usize,
    /// Small lines that were dropped, to be filled again, and their bytes.
    spare: Vec<Line>,
    spare_bytes: usize,
}

/// To forget is to copy what stays: if there is less to forget than this part of it, all of it stays.
const WORTH_FORGETTING: u32 = if cfg!(test) { 2 } else { 32 };

/// So many lines are kept to be filled again,
const MOST_SPARE: usize = 16;
/// if they are no larger than this.
const SPARE_BYTES: usize = 64 << 10;

impl Lines {
    /// No lines. If `saves_time`, what hardly saves memory is not forgotten.
    pub(crate) fn new(fixed_words: Option<usize>, collect_every: u64, saves_time: bool) -> Lines {
        Lines {
            saves_time,
            fixed_words,
            lines: Shelf::new(),
            todo: BTreeSet::new(),
            passed: Vec::new(),
            keeps_all: false,
            collect_every,
            collected_at: 0,
            waiting: 0,
            bytes: 0,
            spare: Vec::new(),
            spare_bytes: 0,
        }
    }

    /// The least progress at which a state waits.
    pub(crate) fn first(&self) -> Option<Progress> {
        self.todo.first().copied()
    }

    /// The least progress above this at which a state waits.
    pub(crate) fn after(&self, progress: Progress) -> Option<Progress> {
        let above = (Bound::Excluded(progress), Bound::Unbounded);
        self.todo.range(above).next().copied()
    }

    /// Bytes allocated by the lines in the map and by `line`.
    pub(crate) fn bytes(&self, line: &Line) -> usize {
        self.all_bytes() + line.bytes()
    }

    /// Bytes allocated by the lines in the map.
    pub(crate) fn all_bytes(&self) -> usize {
        self.bytes + self.spare_bytes + self.lines.bytes()
    }

    /// The lines in the map, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Progress, &Line)> {
        self.lines.iter()
    }

    /// The line at this progress.
    pub(crate) fn get(&self, progress: Progress) -> Option<&Line> {
        self.lines.get(progress)
    }

    /// Takes a line out, to expand its states.
    pub(crate) fn take(&mut self, progress: Progress) -> Line {
        self.todo.remove(&progress);
        match self.lines.remove(progress) {
            Some(line) => {
                self.bytes -= line.bytes();
                line
            }
            None => self.empty(),
        }
    }

    /// A line without states.
    fn empty(&mut self) -> Line {
        match self.spare.pop() {
            Some(line) => {
                self.spare_bytes -= line.bytes();
                line
            }
            None => Line::new(self.fixed_words),
        }
    }

    /// A line is not needed any more.
    fn discard(&mut self, mut line: Line) {
        if self.spare.len() < MOST_SPARE && line.bytes() <= SPARE_BYTES {
            line.clear();
            self.spare_bytes += line.bytes();
            self.spare.push(line);
        }
    }

    /// The next state of a line that was taken out.
    pub(crate) fn pop(&mut self, line: &mut Line) -> Option<StateId> {
        let id = line.pop()?;
        self.waiting -= 1;
        Some(id)
    }

    /// How many states wait.
    pub(crate) fn waiting(&self) -> u64 {
        self.waiting
    }

    /// How many states wait in lines of this range.
    pub(crate) fn waiting_in(&self, range: RangeInclusive<Progress>) -> u64 {
        self.lines.range(range).map(|(_, line)| u64::from(line.waiting())).sum()
    }

    /// Puts a line back that was taken out.
    pub(crate) fn put(&mut self, progress: Progress, line: Line) {
        if line.has_waiting() {
            self.todo.insert(progress);
        }
        self.bytes += line.bytes();
        self.lines.insert(progress, line);
    }

    /// The sweep passes a line that was taken out.
    pub(crate) fn pass<V: Copy + PartialEq, O: Observer>(
        &mut self,
        progress: Progress,
        line: Line,
        control: &mut Control<'_, V, O>,
    ) {
        if self.keeps_all {
            return self.put(progress, line);
        }
        let stored = control.stats.states;
        if self.collect_every <= 1 && line.persistent == 0 && !line.has_waiting() {
            control.forgot(u64::from(line.states.len()));
            return self.discard(line);
        }
        self.put(progress, line);
        self.passed.push(progress);
        if self.collect_every <= 1 || stored - self.collected_at >= self.collect_every {
            self.collected_at = stored;
            self.collect(control);
        }
    }

    /// Forgets what the sweep has passed.
    fn collect<V: Copy + PartialEq, O: Observer>(&mut self, control: &mut Control<'_, V, O>) {
        for progress in std::mem::take(&mut self.passed) {
            let Some(mut line) = self.lines.remove(progress) else {
                continue;
            };
            self.bytes -= line.bytes();
            // States may wait here again, in a later sweep that will pass once more.
            if self.saves_time && line.is_mostly_persistent() {
                line.keep();
            } else if line.next == line.states.len() {
                control.forgot(u64::from(line.forget()));
            }
            match line.states.is_empty() {
                true => self.discard(line),
                false => self.put(progress, line),
            }
        }
    }

    /// Forgets everything up to and including this progress.
    pub(crate) fn drop_until<V: Copy + PartialEq, O: Observer>(
        &mut self,
        last: Progress,
        control: &mut Control<'_, V, O>,
    ) {
        self.keeps_all = false;
        while let Some(line) = self.lines.remove_first(|first| first <= last) {
            self.bytes -= line.bytes();
            control.forgot(u64::from(line.states.len()));
            self.discard(line);
        }
    }

    /// Where a state of this progress goes, the line at `at` being taken out. There is a line from now on.
    #[inline(always)]
    pub(crate) fn target(&mut self, at: Progress, progress: Progress) -> Target {
        let direction = progress.cmp(&at);
        let place = match direction {
            Ordering::Equal => None,
            _ => Some(self.lines.find(progress).unwrap_or_else(|| self.open(progress))),
        };
        Target { direction, place }
    }

    /// The progress of a target, the line at `at` being taken out.
    pub(crate) fn progress(&self, at: Progress, target: Target) -> Progress {
        target.place.map_or(at, |place| self.lines.progress(place))
    }

    #[cold]
    fn open(&mut self, progress: Progress) -> Place {
        let line = self.empty();
        self.bytes += line.bytes();
        self.lines.insert(progress, line)
    }

    /// Asks for what is looked at first to find a state with this hash. `line` is the line taken out.
    #[inline(always)]
    pub(crate) fn ask_for(&self, line: &Line, target: Target, hash: u64) {
        let into = target.place.map_or(line, |place| &self.lines[place]);
        into.states.ask_for(hash);
    }

    /// Where a state with this hash is stored, if it is. `line` is the line taken out.
    #[inline(always)]
    pub(crate) fn find(&self, line: &Line, target: Target, state: (u64, &[Word])) -> Option<Stored> {
        target.place.map_or(line, |place| &self.lines[place]).find(state)
    }

    /// Stores a state that is not known. `line` is the line taken out; `others` are bytes allocated beside all lines.
    pub(crate) fn store<V: Copy + PartialEq, O: Observer>(
        &mut self,
        line: &mut Line,
        target: Target,
        new: Newcomer<'_>,
        others: usize,
        control: &mut Control<'_, V, O>,
    ) -> Result<Stored, End> {
        let stay = match target.direction {
            Ordering::Less => {
                control.revisits = Revisits::Possible;
                Stay::Persistent
            }
            Ordering::Equal | Ordering::Greater => Stay::Passing,
        };
        // Nothing needs to be told apart where everything is kept.
        let stay = if self.keeps_all { Stay::Passing } else { stay };
        let all = others + self.bytes(line);
        let into = match target.place {
            None => line,
            Some(place) => &mut self.lines[place],
        };
        let before = into.bytes();
        let stored = into.store(stay, new, all - before, control)?;
        self.waiting += 1;
        if let Some(place) = target.place {
            self.bytes = self.bytes - before + into.bytes();
            if into.waiting() == 1 {
                self.todo.insert(self.lines.progress(place));
            }
        }
        Ok(stored)
    }

    /// All states move to the lines that a changed measure gives them. States that are expanded and not persistent are
    /// forgotten; all that waited wait. If not `keeps_persistent`, no state is persistent any more.
    pub(crate) fn rearrange<V: Copy + PartialEq, O: Observer>(
        &mut self,
        (at, line): (Progress, Line),
        keeps_persistent: bool,
        measure: impl Fn(&[Word]) -> Progress,
        control: &mut Control<'_, V, O>,
    ) {
        self.lines.insert(at, line);
        let old: Vec<Line> = self.lines.take_all().into_iter().map(|(_, line)| line).collect();
        self.todo.clear();
        self.passed.clear();
        self.keeps_all = false;
        self.bytes = 0;
        let parts = [Part::Kept, Part::Roots, Part::Waiting];
        for &part in &parts[usize::from(!keeps_persistent)..] {
            for line in &old {
                for id in part.of(line) {
                    let state = line.get(StateId(id));
                    let progress = measure(state);
                    let place = self.lines.find(progress).unwrap_or_else(|| self.open(progress));
                    let new = &mut self.lines[place];
                    new.states.insert(state);
                    new.tags.push(line.tags[id as usize]);
                    if keeps_persistent && part != Part::Waiting {
                        new.persistent += 1;
                        new.next = new.persistent;
                    }
                    if part == Part::Kept {
                        new.next_root = new.persistent;
                    }
                }
            }
        }
        let before = old.iter().map(|line| u64::from(line.states.len())).sum();
        self.bytes = 0;
        for (progress, line) in self.lines.take_all() {
            control.stats.stored += u64::from(line.states.len());
            self.put(progress, line);
        }
        control.forgot(before);
    }
}

/// The parts of a line that outlive a change of the measure.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Persistent, expanded.
    Kept,
    /// Persistent, waiting.
    Roots,
    /// Passing, waiting.
    Waiting,
}

impl Part {
    fn of(self, line: &Line) -> std::ops::Range<u32> {
        match self {
            Part::Kept => 0..line.next_root,
            Part::Roots => line.next_root..line.persistent,
            Part::Waiting => line.next..line.states.len(),
        }
    }
}
