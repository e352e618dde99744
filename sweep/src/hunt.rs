//! A hunt for violations: a swarm of depth-first searches, each in another order and with another hash function, for spaces
//! that are too large to be searched.
//!
//! Every worker searches round after round on its own. A round is a bounded depth-first search of the space with its events
//! shuffled, some rounds with paths cut off at a small depth; after some rounds the next ones may visit four times as many
//! states, as long as there is memory. States are remembered by their hashes (`algorithm/safety/hashed.rs`), so that small
//! tables reach far. A hunt proves nothing: it ends with a violation, or with `StopReason`, and says about how many states it
//! has not seen (`captures.rs`).
//!
//! Invariant: with a seed and one worker, rounds and what they find depend on the space alone, unless time or memory ends one.
//!
//! Holzmann, Joshi, Groce, "Swarm Verification Techniques", IEEE TSE 2011.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use statespace::StateSpace;

use crate::algorithm::safety::dfs;
use crate::algorithm::safety::hashed::Hashed;
use crate::captures::{Captures, Sample};
use crate::control::{Control, HashedTable, Limits, Stats, StopReason};
use crate::meter::Meter;
use crate::observer::Observer;
use crate::outcome::{Found, Outcome};
use crate::random::mix;
use crate::space::shuffled::Shuffled;
use crate::store::predecessor_log::PredecessorLog;
use crate::{SearchOptions, search};

/// What a hunt is asked to do. The time and memory that it has are those of its meter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HuntOptions {
    /// Threads; at least one.
    pub workers: usize,
    /// Another seed takes other paths.
    pub seed: u64,
    /// End after so many rounds.
    pub rounds: Option<u64>,
    /// Paths are cut off at this depth.
    pub max_depth: Option<u64>,
}

/// How a hunt ended.
#[derive(Clone, Debug)]
pub struct Hunted<V> {
    /// The first violation that was found.
    pub found: Option<Found<V>>,
    /// Why it ended, if it did not find one. `Hashed`: there is nothing left to visit, or the rounds are over.
    pub stopped: Option<StopReason>,
    /// The numbers.
    pub stats: HuntStats,
}

/// What a hunt has done.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct HuntStats {
    /// Depth-first searches.
    pub rounds: u64,
    /// States visited; one that several rounds have visited counts for each.
    pub visited: u64,
    /// Steps taken.
    pub transitions: u64,
    /// The longest path.
    pub depth: u64,
    /// About how many different states were visited.
    pub distinct: f64,
    /// About how many states there are; `None` if the rounds have too little in common for an estimate.
    pub size: Option<f64>,
    /// A round had nothing left to visit, and is expected to have left nothing out.
    pub is_whole: bool,
    /// The most bytes at a time.
    pub peak_bytes: usize,
    /// Words of the largest state.
    pub max_state_words: usize,
    /// Time since the hunt began.
    pub elapsed: Duration,
}

/// The most states of a first round; rounds of the next level may visit four times as many.
const FIRST: u64 = 1 << 13;
/// The rounds of a level: the part of the longest path at which paths are cut off.
const CUTS: [Option<u64>; 4] = [None, Some(16), Some(4), None];
/// The least such depth.
const SHALLOW: u64 = 20;
/// Bytes of a state whose hash is kept whole, while the table is moved to a larger one; and those of a table of bits.
const COMPACT_BYTES: u64 = 32;
const BITS_BYTES: u64 = 2;
/// A round that is expected to have left out less than this has left out nothing.
const NOTHING: f64 = 0.01;
/// Bytes of a worker's stack, which is hardly used.
const STACK: usize = 16 << 20;
/// The time between two looks at the clock.
const TICK: Duration = Duration::from_millis(50);

/// Hunts until a violation is found, a round has visited everything, or a limit is reached.
pub fn hunt<S, O>(space: &S, options: &HuntOptions, observer: &mut O, meter: &Meter) -> Hunted<S::Violation>
where
    S: StateSpace<Violation: PartialEq + Send> + Sync,
    O: Observer,
{
    let started = Instant::now();
    let stop = Arc::new(AtomicBool::new(false));
    let visited = AtomicU64::new(0);
    let (sender, rounds) = channel();
    let workers = options.workers.max(1);
    let share = meter.max_bytes().map(|most| most.saturating_sub(meter.bytes()) / (2 * workers));
    std::thread::scope(|scope| {
        for number in 0..workers {
            let worker = Worker {
                space,
                options,
                number: number as u64,
                share: share.map_or(u64::MAX, |share| share as u64),
                meter: meter.clone().with_interrupt(Arc::clone(&stop)),
                stop: &stop,
                visited: &visited,
                rounds: sender.clone(),
            };
            // Without a thread there is a worker less.
            let _ = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || worker.work());
        }
        drop(sender);
        Collected {
            started,
            stop: &stop,
            visited: &visited,
            meter,
            captures: Captures::default(),
            is_out_of_memory: false,
        }
        .collect(&rounds, observer)
    })
}

/// One round, as its worker reports it.
struct Round<V> {
    outcome: Outcome<V>,
    sample: Sample,
    is_whole: bool,
    /// No path was cut off.
    is_free: bool,
}

/// Who hunts.
struct Worker<'a, S: StateSpace> {
    space: &'a S,
    options: &'a HuntOptions,
    number: u64,
    /// Bytes for its table.
    share: u64,
    meter: Meter,
    stop: &'a AtomicBool,
    visited: &'a AtomicU64,
    rounds: Sender<Round<S::Violation>>,
}

/// What a round may do.
struct Plan {
    states: u64,
    table: HashedTable,
    depth: u64,
    seed: u64,
}

impl<S: StateSpace<Violation: PartialEq>> Worker<'_, S> {
    fn work(self) {
        let HuntOptions { workers, rounds, max_depth, .. } = *self.options;
        let (mut longest, mut deepest) = (0, max_depth.unwrap_or(u64::MAX));
        let numbers = (self.number..rounds.unwrap_or(u64::MAX)).step_by(workers.max(1));
        for (turn, number) in (0..).zip(numbers) {
            let round = self.round(&self.plan(turn, number, longest, deepest));
            let Outcome { stats, stopped, violations, .. } = &round.outcome;
            longest = longest.max(stats.depth);
            if *stopped == Some(StopReason::Memory) {
                // The path has taken it.
                deepest = (stats.depth / 2).max(SHALLOW);
            }
            self.visited.fetch_add(stats.states, Ordering::Relaxed);
            let is_last = !violations.is_empty() || round.is_whole || has_no_room(&round.outcome);
            if self.rounds.send(round).is_err() || is_last || self.stop.load(Ordering::Relaxed) {
                return;
            }
        }
    }

    fn plan(&self, turn: u64, number: u64, longest: u64, deepest: u64) -> Plan {
        let level = (turn / CUTS.len() as u64).min(20) as u32;
        let states = (FIRST << (2 * level)).min(self.share / BITS_BYTES).max(1);
        let table = match states <= self.share / COMPACT_BYTES {
            true => HashedTable::Compact,
            false => HashedTable::Bits((states * BITS_BYTES) as usize),
        };
        let cut = CUTS[turn as usize % CUTS.len()];
        let depth = cut.map_or(u64::MAX, |part| (longest / part).max(SHALLOW)).min(deepest);
        Plan { states, table, depth, seed: mix(self.options.seed ^ mix(number + 1)) }
    }

    fn round(&self, plan: &Plan) -> Round<S::Violation> {
        let Plan { states, table, depth, seed } = *plan;
        let space = &Shuffled { space: self.space, seed };
        let limits = Limits { max_states: Some(states), max_depth: None };
        let options = SearchOptions { limits, hashed: Some(table), ..SearchOptions::default() };
        let (mut sample, mut cut) = (Sample::new(), 0);
        let control = Control::new(&options, &mut sample, &self.meter);
        let outcome = search(control, space, |initial, control| {
            let mut visited = Hashed::new(table, seed, depth, &self.meter)?;
            let end = dfs::search(space, initial, &mut visited, PredecessorLog::enabled(false, &self.meter), control);
            cut = visited.cut;
            end
        });
        let is_complete = outcome.stopped.is_none() && outcome.violations.is_empty() && cut == 0;
        let is_whole = is_complete && table.expected_omissions(outcome.stats.states) < NOTHING;
        Round { outcome, sample, is_whole, is_free: cut == 0 }
    }
}

/// Whether there was no memory even for a shallow round.
fn has_no_room<V>(outcome: &Outcome<V>) -> bool {
    outcome.stopped == Some(StopReason::Memory) && outcome.stats.depth <= SHALLOW
}

/// Where the rounds of all workers come together.
struct Collected<'a> {
    started: Instant,
    stop: &'a AtomicBool,
    visited: &'a AtomicU64,
    meter: &'a Meter,
    captures: Captures,
    /// A round had no memory even for a shallow path.
    is_out_of_memory: bool,
}

impl Collected<'_> {
    fn collect<V>(mut self, rounds: &Receiver<Round<V>>, observer: &mut impl Observer) -> Hunted<V> {
        let mut hunted = Hunted { found: None, stopped: None, stats: HuntStats::default() };
        loop {
            match rounds.recv_timeout(TICK) {
                Ok(round) => self.take(round, &mut hunted),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if let Err(reason @ (StopReason::Time | StopReason::Interrupted)) = self.meter.check() {
                hunted.stopped.get_or_insert(reason);
                self.stop.store(true, Ordering::Relaxed);
            }
            let stats = &mut hunted.stats;
            stats.peak_bytes = stats.peak_bytes.max(self.meter.bytes());
            stats.elapsed = self.started.elapsed();
            observer.tick(&Stats {
                states: self.visited.load(Ordering::Relaxed),
                depth: stats.depth,
                bytes: self.meter.bytes(),
                elapsed: stats.elapsed,
                ..Stats::default()
            });
        }
        hunted.stopped = match hunted.found {
            Some(_) => None,
            None if self.is_out_of_memory => hunted.stopped.or(Some(StopReason::Memory)),
            None => hunted.stopped.or(Some(StopReason::Hashed)),
        };
        hunted.stats.distinct = self.captures.met();
        hunted.stats.size = self.captures.all();
        hunted.stats.elapsed = self.started.elapsed();
        hunted
    }

    fn take<V>(&mut self, round: Round<V>, hunted: &mut Hunted<V>) {
        let is_out_of_memory = has_no_room(&round.outcome);
        let Round { outcome: Outcome { violations, stats: of_round, .. }, sample, is_whole, is_free } = round;
        self.is_out_of_memory |= is_out_of_memory;
        self.captures.add(&sample, of_round.states, is_free);
        let stats = &mut hunted.stats;
        stats.rounds += 1;
        stats.visited += of_round.states;
        stats.transitions += of_round.transitions;
        stats.depth = stats.depth.max(of_round.depth);
        stats.peak_bytes = stats.peak_bytes.max(of_round.peak_bytes);
        stats.max_state_words = stats.max_state_words.max(of_round.max_state_words);
        stats.is_whole |= is_whole;
        hunted.found = hunted.found.take().or(violations.into_iter().next());
        if hunted.found.is_some() || is_whole {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}
