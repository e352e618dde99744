//! Searches in external memory with buffers so small that everything is written, merged and split all the time: against plain
//! reachability, against the paper's algorithm with plain sets, and with faults in every access to the disk.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use proptest::prelude::*;
use statespace::Word;

use super::disk::{Disk, DiskFault, Medium, Storage};
use super::layer::Layer;
use super::queue::Queue;
use super::record::{Origin, Record};
use super::sorted_set::SortedSet;
use super::sorter::Sorter;
use super::{ExternalOptions, QueueKind, Workspace};
use crate::algorithm::safety::sweep_tests::{Make, Recorder, is_complete, measured};
use crate::cardinality::CardinalityEstimate;
use crate::control::Control;
use crate::measure::{Measure, NoMeasure, Progress};
use crate::store::hash;
use crate::store::predecessor_log::PredecessorLog;
use crate::testing::{Graph, GraphEvent, GraphMeasure, Lattice};
use crate::{Algorithm, Limits, Meter, Observer, Outcome, SearchOptions, Stats, StopReason, Verdict, check_with};

/// The smallest parameters with which every path is taken.
const TINY: ExternalOptions = ExternalOptions {
    queue: QueueKind::Radix,
    fan_in: 2,
    buffer: 16,
    spill: 8,
    block: 3,
    max_loaded: None,
    slot_bytes: 160,
};

/// Small parameters of all kinds.
pub(crate) fn small() -> impl Strategy<Value = ExternalOptions> {
    let queue = prop::sample::select(vec![QueueKind::Array, QueueKind::Radix]);
    let sizes = (2..4usize, 2..17usize, 1..9usize, 1..5usize, prop::option::of(1..20u32), 60..300usize);
    (queue, sizes, any::<bool>()).prop_map(
        |(queue, (fan_in, buffer, spill, block, max_loaded, slot_bytes), is_tiny)| {
            let tiny = ExternalOptions { queue, max_loaded, ..TINY };
            if is_tiny { tiny } else { ExternalOptions { fan_in, buffer, spill, block, slot_bytes, ..tiny } }
        },
    )
}

fn options(algorithm: Algorithm, external: ExternalOptions) -> SearchOptions {
    SearchOptions { algorithm, external, all_errors: true, ..Default::default() }
}

/// Notes what is expanded, and whether there is more in memory than there may be.
struct Watching {
    recorder: Recorder,
    most: u64,
}

impl Observer for Watching {
    fn discovered(&mut self, _: &[Word], stats: &Stats) {
        assert!(stats.stored <= self.most, "{} of {} states", stats.stored, self.most);
    }

    fn expanding(&mut self, state: &[Word], _: &Stats) {
        self.recorder.0.push(state[0]);
    }
}

fn run(graph: &Graph, measure: &GraphMeasure, options: &SearchOptions, meter: &Meter) -> (Outcome<u32>, Vec<u32>) {
    let most = match options.algorithm {
        // Those of one layer, and a state that is on its way from one file to another.
        Algorithm::ExternalBfs => 1,
        Algorithm::ColumnSweep => u64::MAX,
        _ => options.external.max_loaded.map_or(u64::MAX, u64::from),
    };
    let mut watching = Watching { recorder: Recorder::default(), most };
    let outcome = check_with(graph, &mut measure.clone(), options, &mut watching, meter);
    (outcome, watching.recorder.0)
}

/// What Alg. 1 counts.
#[derive(PartialEq, Eq, Debug)]
struct Judged {
    expanded: u64,
    sweeps: u64,
    layers: u64,
    persistent: u64,
}

/// Alg. 1 of the paper with sets.
fn judge(graph: &Graph, measure: &GraphMeasure) -> Judged {
    let mut judged = Judged { expanded: 0, sweeps: 0, layers: 0, persistent: 0 };
    let mut all_persistent = HashSet::new();
    let mut queue = BTreeSet::from([(measure.of_node(0), 0)]);
    while !queue.is_empty() {
        judged.sweeps += 1;
        let mut persistent = HashSet::new();
        while let Some(&(progress, _)) = queue.first() {
            judged.layers += 1;
            let mut layer = HashSet::new();
            while let Some(&(least, node)) = queue.first().filter(|(least, _)| *least == progress) {
                queue.pop_first();
                if !layer.insert(node) {
                    continue;
                }
                judged.expanded += 1;
                for event in &graph.nodes[node as usize] {
                    let GraphEvent::To(next) = *event else { continue };
                    let to = measure.of_node(next);
                    if to < least {
                        persistent.insert(next);
                    } else {
                        queue.insert((to, next));
                    }
                }
            }
        }
        let new = persistent.difference(&all_persistent).copied().collect::<Vec<u32>>();
        queue.extend(new.iter().map(|&node| (measure.of_node(node), node)));
        all_persistent.extend(new);
    }
    judged.persistent = all_persistent.len() as u64;
    judged
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn small_buffers_change_no_answer(
        (graph, measure) in measured(vec![Make::Monotone, Make::StateTable, Make::Liar]),
        external in small(),
    ) {
        let expected = graph.reachable();
        for algorithm in Algorithm::EXTERNAL {
            let meter = Meter::unlimited();
            let (outcome, expanded) = run(&graph, &measure, &options(algorithm, external), &meter);
            is_complete(&graph, &outcome, &expanded);
            prop_assert_eq!(meter.bytes(), 0, "all accounts are empty");
            prop_assert_eq!(meter.disk().bytes(), 0, "all slots are free");
            if algorithm != Algorithm::ExternalSweep {
                prop_assert_eq!(expanded.len(), expected.nodes.len(), "each state once");
                prop_assert_eq!(outcome.stats.transitions, expected.transitions);
                prop_assert_eq!(outcome.stats.errors, expected.errors);
            }
            if algorithm == Algorithm::ExternalBfs {
                prop_assert_eq!(outcome.stats.depth, expected.depth);
            }
            let first = SearchOptions { all_errors: false, ..options(algorithm, external) };
            let (outcome, _) = run(&graph, &measure, &first, &meter);
            prop_assert_eq!(outcome.verdict() == Verdict::Violated, expected.errors > 0);
        }
    }

    #[test]
    fn the_sweep_does_what_the_paper_says(
        (graph, measure) in measured(vec![Make::Monotone, Make::StateTable]),
        external in small(),
    ) {
        let (outcome, _) = run(&graph, &measure, &options(Algorithm::ExternalSweep, external), &Meter::unlimited());
        let Stats { expanded, sweep, .. } = outcome.stats;
        let counted = Judged { expanded, sweeps: sweep.sweeps, layers: sweep.layers, persistent: sweep.persistent };
        prop_assert_eq!(counted, judge(&graph, &measure));
        prop_assert_eq!(outcome.stats.states, expanded);
        let edges = sweep.edges;
        prop_assert_eq!(edges.forward + edges.stationary + edges.regress + 1, outcome.stats.transitions);
        if edges.regress == 0 {
            prop_assert_eq!(outcome.stats.distinct, Some(expanded));
        }
    }

    #[test]
    fn limits_stop_them(
        (graph, measure) in measured(vec![Make::Monotone, Make::StateTable]),
        external in small(),
        most in 0..40u64,
    ) {
        for algorithm in Algorithm::EXTERNAL {
            let complete = run(&graph, &measure, &options(algorithm, external), &Meter::unlimited()).0;
            let limits = Limits { max_states: Some(most), ..Default::default() };
            let limited = SearchOptions { limits, ..options(algorithm, external) };
            let outcome = run(&graph, &measure, &limited, &Meter::unlimited()).0;
            prop_assert_eq!(outcome.stopped, (complete.stats.states > most).then_some(StopReason::States));
            prop_assert_eq!(outcome.stats.states, complete.stats.states.min(most));
        }
    }

    #[test]
    fn a_full_disk_is_a_limit(
        (graph, measure) in measured(vec![Make::Monotone, Make::StateTable]),
        external in small(),
        slots in 0..6u64,
    ) {
        let truth = graph.reachable().errors > 0;
        for algorithm in Algorithm::EXTERNAL {
            let slot_bytes = external.slot_bytes as u64;
            let bounded = Meter::unlimited().with_disk(Disk::in_folder(std::env::temp_dir(), Some(slots * slot_bytes)));
            let complete = run(&graph, &measure, &options(algorithm, external), &Meter::unlimited()).0;
            let outcome = run(&graph, &measure, &options(algorithm, external), &bounded).0;
            let needed = complete.stats.external.map_or(0, |external| external.disk.peak_bytes);
            let stopped = (needed > slots * slot_bytes).then_some(StopReason::Disk(DiskFault::Limit));
            prop_assert_eq!(outcome.stopped, stopped);
            never_wrong(&graph, truth, &outcome);
            prop_assert_eq!(bounded.disk().bytes(), 0);
        }
    }

    #[test]
    fn a_fault_in_any_access_ends_a_search(
        (graph, measure) in measured(vec![Make::Monotone, Make::StateTable]),
        external in small(),
        fault in prop::sample::select(vec![Fault::Refuse, Fault::Short, Fault::Flip]),
        algorithm in prop::sample::select([&Algorithm::EXTERNAL[..], &[Algorithm::ColumnSweep; 2]].concat()),
        (after, compact) in (0..20u64, any::<bool>()),
    ) {
        let truth = graph.reachable().errors > 0;
        let options = SearchOptions { hand_over_after: Some(after), compact, ..options(algorithm, external) };
        let (meter, count) = faulty(fault, u64::MAX);
        let complete = run(&graph, &measure, &options, &meter).0;
        let accesses = count.load(Ordering::Relaxed);
        for at in 0..accesses {
            let (meter, count) = faulty(fault, at);
            let outcome = run(&graph, &measure, &options, &meter).0;
            match outcome.stopped {
                Some(StopReason::Disk(DiskFault::Refused(..) | DiskFault::Damaged)) => {}
                // What is written wrong and never read again does no harm.
                None if fault == Fault::Flip => prop_assert_eq!(&outcome.violations, &complete.violations),
                stopped => prop_assert!(false, "{:?} at {} of {}", stopped, at, accesses),
            }
            never_wrong(&graph, truth, &outcome);
            prop_assert!(count.load(Ordering::Relaxed) > at);
            prop_assert_eq!(meter.disk().bytes(), 0);
        }
    }

    /// A search that hands over at any moment does what it would have done: the same states, and as many steps and violations
    /// where it knows that it has seen each state once.
    #[test]
    fn a_search_may_be_handed_over_at_any_moment(
        (graph, measure) in measured(vec![Make::Monotone, Make::StateTable, Make::Liar]),
        external in small(),
        after in 0..40u64,
        (compact, collect_every, reexpansion_limit) in (any::<bool>(), 1..10u64, prop::option::of(0..200u32)),
    ) {
        let in_memory = SearchOptions { compact, collect_every, reexpansion_limit, ..options(Algorithm::ColumnSweep, external) };
        let (expected, _) = run(&graph, &measure, &in_memory, &Meter::unlimited());
        let meter = Meter::unlimited();
        let handed_over = SearchOptions { hand_over_after: Some(after), ..in_memory };
        let (outcome, expanded) = run(&graph, &measure, &handed_over, &meter);
        is_complete(&graph, &outcome, &expanded);
        prop_assert_eq!((meter.bytes(), meter.disk().bytes()), (0, 0), "all accounts are empty, all slots free");
        // What is deleted late may be met again in memory, where the search on disk has it deleted.
        if let Some(distinct) = expected.stats.distinct.filter(|_| collect_every == 1) {
            let Stats { states, expanded, transitions, errors, .. } = expected.stats;
            let handed_over = outcome.stats;
            prop_assert_eq!(outcome.stats.distinct, Some(distinct));
            prop_assert_eq!((handed_over.states, handed_over.expanded), (states, expanded));
            prop_assert_eq!((handed_over.transitions, handed_over.errors), (transitions, errors));
            prop_assert_eq!(handed_over.sweep.edges, expected.stats.sweep.edges);
            prop_assert_eq!(handed_over.sweep.columns, expected.stats.sweep.columns);
        }
        if let Some(external) = outcome.stats.external {
            prop_assert!(external.handed_over_after.is_some_and(|states| states >= after.min(1)));
        }
        let first = SearchOptions { all_errors: false, ..handed_over };
        let (outcome, _) = run(&graph, &measure, &first, &meter);
        prop_assert_eq!(outcome.verdict() == Verdict::Violated, graph.reachable().errors > 0);
    }

    #[test]
    fn reads_and_writes_may_come_in_pieces(
        (graph, measure) in measured(vec![Make::Monotone, Make::StateTable]),
        external in small(),
    ) {
        for algorithm in Algorithm::EXTERNAL.into_iter().chain([Algorithm::ColumnSweep]) {
            let (meter, _) = faulty(Fault::Pieces, 0);
            let options = SearchOptions { hand_over_after: Some(3), ..options(algorithm, external) };
            let (outcome, expanded) = run(&graph, &measure, &options, &meter);
            is_complete(&graph, &outcome, &expanded);
        }
    }

    #[test]
    fn a_queue_is_a_sorted_set(
        steps in prop::collection::vec(prop::option::weighted(0.9, (1..400u128, 0..60u32)), 0..400),
        shift in 0..120u32,
        external in small(),
    ) {
        let workspace = Workspace::new(external, None, &Meter::unlimited());
        let mut queue = Queue::new(&workspace);
        let mut model: BTreeMap<Progress, BTreeSet<Vec<Word>>> = BTreeMap::new();
        let mut last = 0;
        for step in steps.into_iter().chain([None; 500]) {
            match step {
                Some((more, word)) => {
                    if model.is_empty() {
                        last = 0;
                    }
                    let progress = Progress(last + (more << shift >> 1));
                    let state = vec![word; word as usize % 7];
                    let origin = Origin { parent: u64::from(word), event: word, depth: 3 };
                    // A state has one progress.
                    if model.values().any(|states| states.contains(&state)) {
                        continue;
                    }
                    for _ in 0..1 + more % 2 {
                        queue.insert(hash(&state), Record { progress, origin, state: &state }).expect("there is room");
                    }
                    model.entry(progress).or_default().insert(state);
                }
                None => {
                    prop_assert_eq!(queue.least(), model.keys().next().copied());
                    let Some((least, expected)) = model.pop_first() else { continue };
                    last = least.0;
                    let mut taken = BTreeSet::new();
                    let take = |record: Record<'_>| {
                        assert_eq!(record.progress, least);
                        assert!(record.state.iter().all(|&word| word == record.origin.event));
                        taken.insert(record.state.to_vec());
                        Ok::<(), DiskFault>(())
                    };
                    queue.take(least, take).expect("everything can be read");
                    prop_assert_eq!(taken, expected);
                }
            }
        }
        prop_assert_eq!((queue.len(), queue.least()), (0, None));
        drop(queue);
        prop_assert_eq!((workspace.file.buffered(), workspace.meter.disk().bytes()), (0, 0));
    }

    #[test]
    fn a_sorted_set_takes_in_what_is_new(
        rounds in prop::collection::vec(prop::collection::vec((0..4u128, 0..50u32), 0..80), 0..12),
        external in small(),
    ) {
        let workspace = Workspace::new(external, None, &Meter::unlimited());
        let (mut set, mut sorter) = (SortedSet::new(&workspace), Sorter::new(&workspace, workspace.options.buffer));
        let mut model: BTreeSet<(u128, Vec<Word>)> = BTreeSet::new();
        for round in rounds {
            let round: BTreeSet<(u128, Vec<Word>)> = round.into_iter().map(|(p, n)| (p, vec![p as Word, n, n / 3])).collect();
            for (progress, state) in round.iter().rev().chain(&round) {
                let record = Record { progress: Progress(*progress), origin: Origin::default(), state };
                sorter.insert(hash(state), record).expect("there is room");
            }
            let mut new = Vec::new();
            let sorted = sorter.take_sorted().expect("it can be read");
            set.add(sorted, |record| {
                new.push((record.progress.0, record.state.to_vec()));
                Ok::<(), DiskFault>(())
            }).expect("it can be written");
            let expected: Vec<_> = round.difference(&model).cloned().collect();
            prop_assert_eq!(&new, &expected);
            let mut added = set.added().expect("there is a run");
            for (progress, state) in &expected {
                added.advance().expect("it can be read");
                let head = added.head().expect("there are as many");
                prop_assert_eq!((head.progress.0, head.state), (*progress, state.as_slice()));
            }
            added.advance().expect("it can be read");
            prop_assert_eq!(added.head(), None);
            model.extend(round);
        }
        drop((set, sorter));
        prop_assert_eq!((workspace.file.buffered(), workspace.meter.disk().bytes()), (0, 0));
    }
}

/// Stopped or not: what is said to be violated is, and only what is known to hold is said to.
fn never_wrong(graph: &Graph, is_violated: bool, outcome: &Outcome<u32>) {
    match outcome.verdict() {
        Verdict::Holds => assert!(!is_violated),
        Verdict::Violated => assert!(is_violated),
        Verdict::Stopped(reason) => assert_eq!(outcome.stopped, Some(reason)),
    }
    for found in &outcome.violations {
        let trace = found.trace.as_ref().expect("the log fits in memory");
        assert_eq!(graph.replay(trace), Some(found.violation));
    }
}

/// What goes wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    /// An error: no space for what is written, and what is read cannot be.
    Refuse,
    /// Half of it is written and then there is no space; or the file ends.
    Short,
    /// One bit is not what it was.
    Flip,
    /// Nothing, but all comes in pieces.
    Pieces,
}

/// Storage in which one access goes wrong.
#[derive(Debug)]
struct Faulty {
    fault: Fault,
    at: u64,
    accesses: Arc<AtomicU64>,
}

struct FaultyFile {
    file: Cursor<Vec<u8>>,
    fault: Fault,
    at: u64,
    accesses: Arc<AtomicU64>,
}

fn faulty(fault: Fault, at: u64) -> (Meter, Arc<AtomicU64>) {
    let accesses = Arc::new(AtomicU64::new(0));
    let storage = Faulty { fault, at, accesses: Arc::clone(&accesses) };
    (Meter::unlimited().with_disk(Disk::on(Arc::new(storage), None)), accesses)
}

const NO_SPACE: i32 = 28;
const BROKEN: i32 = 5;

impl Storage for Faulty {
    fn create(&self) -> io::Result<Box<dyn Medium>> {
        let is_bad = self.accesses.fetch_add(1, Ordering::Relaxed) == self.at && self.fault != Fault::Pieces;
        match is_bad {
            true => Err(io::Error::from_raw_os_error(NO_SPACE)),
            false => Ok(Box::new(FaultyFile {
                file: Cursor::default(),
                fault: self.fault,
                at: self.at,
                accesses: Arc::clone(&self.accesses),
            })),
        }
    }
}

impl FaultyFile {
    fn is_bad(&mut self) -> bool {
        self.accesses.fetch_add(1, Ordering::Relaxed) == self.at
    }
}

impl Write for FaultyFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let fault = self.fault;
        match fault {
            Fault::Pieces => self.file.write(&bytes[..bytes.len().min(7)]),
            _ if !self.is_bad() => self.file.write(bytes),
            Fault::Refuse => Err(io::Error::from_raw_os_error(NO_SPACE)),
            Fault::Short => {
                // The rest is refused.
                self.at += 1;
                self.fault = Fault::Refuse;
                self.file.write(&bytes[..bytes.len() / 2])
            }
            Fault::Flip => {
                let mut wrong = bytes.to_vec();
                wrong[bytes.len() * 2 / 3] ^= 4;
                self.file.write(&wrong)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for FaultyFile {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.fault == Fault::Pieces {
            let most = bytes.len().min(7);
            return self.file.read(&mut bytes[..most]);
        }
        if !self.is_bad() {
            return self.file.read(bytes);
        }
        match self.fault {
            Fault::Refuse => Err(io::Error::from_raw_os_error(BROKEN)),
            Fault::Short => Ok(0),
            _ => {
                let read = self.file.read(bytes)?;
                bytes[read / 3] ^= 1;
                Ok(read)
            }
        }
    }
}

impl Seek for FaultyFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// The sum of the counters.
struct Sum;

impl Measure for Sum {
    fn has_one_layer(&self) -> bool {
        false
    }

    fn of(&self, state: &[Word]) -> Progress {
        Progress(state.iter().map(|&word| u128::from(word)).sum())
    }
}

const LATTICE: Lattice = Lattice { counters: 5, top: 9 };

#[test]
fn a_lattice_is_swept_with_a_layer_in_memory() {
    for queue in [QueueKind::Array, QueueKind::Radix] {
        let external = ExternalOptions { queue, fan_in: 3, buffer: 400, spill: 300, block: 20, ..Default::default() };
        let options = SearchOptions { algorithm: Algorithm::ExternalSweep, external, ..Default::default() };
        let outcome = check_with(&LATTICE, &mut Sum, &options, &mut (), &Meter::unlimited());
        let stats = outcome.stats;
        assert_eq!((stats.distinct, stats.expanded, stats.sweep.layers), (Some(100_000), 100_000, 46));
        // The largest layer has 6000 states.
        let disk = stats.external.expect("it is external").disk;
        assert!((6000..6700).contains(&stats.peak_states), "{} states", stats.peak_states);
        assert!(disk.states_written >= 94_000, "{disk:?}");
        assert_eq!(disk.states_read, disk.states_written, "{disk:?}");
        assert!(disk.peak_bytes < disk.bytes_written / 2, "{disk:?}");
        let bound = stats.external.and_then(|external| external.bound).expect("there is a theorem");
        assert!(disk.states_read + disk.states_written <= bound, "{disk:?} {bound}");
    }
}

#[test]
fn a_layer_that_is_larger_than_memory_is_partitioned() {
    let most = 1 << 20;
    let meter = || Meter::unlimited().with_max_bytes(Some(most));
    let external = ExternalOptions { buffer: 1000, spill: 500, block: 100, ..Default::default() };
    let with = |algorithm| SearchOptions { algorithm, external, ..Default::default() };
    let full = check_with(&LATTICE, &mut NoMeasure, &with(Algorithm::Bfs), &mut (), &meter());
    assert_eq!(full.stopped, Some(StopReason::Memory));
    for algorithm in Algorithm::EXTERNAL {
        let outcome = check_with(&LATTICE, &mut NoMeasure, &with(algorithm), &mut (), &meter());
        assert_eq!(outcome.stopped, None);
        assert_eq!(outcome.stats.distinct, Some(100_000));
        assert!(outcome.stats.peak_bytes <= most + (64 << 10), "{} bytes", outcome.stats.peak_bytes);
    }
}

#[test]
fn the_default_search_goes_on_when_memory_ends() {
    let most = 1 << 20;
    let meter = || Meter::unlimited().with_max_bytes(Some(most));
    let external = ExternalOptions { buffer: 1000, spill: 500, block: 100, ..Default::default() };
    let options = SearchOptions { algorithm: Algorithm::ColumnSweep, external, ..Default::default() };
    for compact in [false, true] {
        for hand_over_after in [None, Some(u64::MAX)] {
            let options = SearchOptions { compact, hand_over_after, ..options };
            let one = check_with(&LATTICE, &mut NoMeasure, &options, &mut (), &meter());
            // Two layers do not fit. Compressed, the parts of the states would take most of the memory.
            let large = Lattice { top: 13, ..LATTICE };
            let swept = (!compact).then(|| check_with(&large, &mut Sum, &options, &mut (), &meter()));
            for (outcome, states) in [(Some(one), 100_000), (swept, 537_824)] {
                let Some(outcome) = outcome else { continue };
                match hand_over_after {
                    None => assert_eq!(outcome.stopped, Some(StopReason::Memory)),
                    Some(_) => {
                        assert_eq!((outcome.stopped, outcome.stats.distinct), (None, Some(states)), "{compact}");
                        assert!(outcome.stats.peak_bytes <= most + (64 << 10), "{} bytes", outcome.stats.peak_bytes);
                        assert!(outcome.stats.external.and_then(|external| external.handed_over_after) < Some(states));
                    }
                }
            }
        }
    }
}

#[test]
fn states_may_be_longer_than_blocks() {
    let workspace = Workspace::new(TINY, None, &Meter::unlimited());
    let mut queue = Queue::new(&workspace);
    let state = |n: u32| vec![n; 1 + n as usize * n as usize % 300];
    for n in 0..200 {
        let state = state(n);
        let record = Record { progress: Progress(u128::from(n / 5)), origin: Origin::default(), state: &state };
        queue.insert(hash(&state), record).expect("there is room");
    }
    for layer in 0..40u32 {
        assert_eq!(queue.least(), Some(Progress(u128::from(layer))));
        let mut taken = BTreeSet::new();
        let take = |record: Record<'_>| {
            taken.insert(record.state.to_vec());
            Ok::<(), DiskFault>(())
        };
        queue.take(Progress(u128::from(layer)), take).expect("it can be read");
        assert_eq!(taken, (5 * layer..5 * layer + 5).map(state).collect());
    }
}

#[test]
fn a_folder_that_is_not_there_ends_the_search() {
    let disk = Disk::in_folder("/nowhere/at/all".into(), None);
    let meter = Meter::unlimited().with_disk(disk);
    for algorithm in Algorithm::EXTERNAL {
        let external = ExternalOptions { max_loaded: Some(50), ..TINY };
        let options = SearchOptions { algorithm, external, ..Default::default() };
        let outcome = check_with(&LATTICE, &mut Sum, &options, &mut (), &meter);
        let Verdict::Stopped(reason @ StopReason::Disk(_)) = outcome.verdict() else { panic!("{:?}", outcome.stopped) };
        assert!(reason.to_string().starts_with("a file on disk cannot be made: "), "{reason}");
        assert_eq!(reason.name(), "disk");
    }
}

/// A record of a state.
fn record(progress: u128, state: &[Word]) -> Record<'_> {
    Record { progress: Progress(progress), origin: Origin::default(), state }
}

#[test]
fn a_state_may_come_back() {
    for queue in [QueueKind::Array, QueueKind::Radix] {
        let workspace = Workspace::new(ExternalOptions { queue, ..TINY }, Some(1), &Meter::unlimited());
        let mut queue = Queue::new(&workspace);
        let mut taken = Vec::new();
        for (progress, word) in [(1, 7), (9, 8), (0, 0), (3, 7), (0, 0), (0, 0)] {
            match progress {
                0 => {
                    let least = queue.least().expect("something is left");
                    let take = |record: Record<'_>| {
                        taken.push((record.progress.0, record.state[0]));
                        Ok::<(), DiskFault>(())
                    };
                    queue.take(least, take).expect("it can be read");
                }
                _ => queue.insert(hash(&[word]), record(progress, &[word])).expect("there is room"),
            }
        }
        assert_eq!(taken, [(1, 7), (3, 7), (9, 8)]);
    }
}

#[test]
fn an_array_heap_has_few_runs() {
    let workspace = Workspace::new(ExternalOptions { queue: QueueKind::Array, ..TINY }, Some(1), &Meter::unlimited());
    let mut queue = Queue::new(&workspace);
    for n in 0..5000 {
        queue.insert(hash(&[n]), record(u128::from(n * 7919 % 5000), &[n])).expect("there is room");
        // T + K f, with f files in levels of two, and the ends of what is being merged.
        assert!(workspace.file.buffered() <= 16 + 3 * (2 * 11 + 1), "{}", workspace.file.buffered());
    }
}

#[test]
fn a_sorted_set_has_few_runs() {
    let workspace = Workspace::new(TINY, Some(1), &Meter::unlimited());
    let (mut set, mut sorter) = (SortedSet::new(&workspace), Sorter::new(&workspace, workspace.options.buffer));
    for round in 0..200 {
        for n in 0..10 {
            let state = [n * 200 + round];
            sorter.insert(hash(&state), record(0, &state)).expect("there is room");
        }
        let sorted = sorter.take_sorted().expect("it can be read");
        let watched = |_: Record<'_>| {
            assert!(workspace.file.buffered() <= 3 * 15, "{}", workspace.file.buffered());
            Ok::<(), DiskFault>(())
        };
        set.add(sorted, watched).expect("it can be written");
    }
}

/// Others take memory, and give it back, while a layer is explored: partitions that had room have none when they come back.
#[test]
fn memory_may_become_less() {
    let meter = Meter::unlimited().with_max_bytes(Some(1 << 20));
    let external = ExternalOptions { buffer: 100, spill: 50, block: 20, ..Default::default() };
    let options = SearchOptions { external, ..Default::default() };
    let mut observer = ();
    let mut control: Control<'_, u32, ()> = Control::new(&options, &mut observer, &meter);
    let workspace = Workspace::new(external, Some(4), &meter);
    let mut layer = Layer::new(&workspace, PredecessorLog::enabled(false, &meter), CardinalityEstimate::new(&meter));
    layer.begin(Progress(3), &mut control);
    let mut others = meter.account();
    let mut expanded = HashSet::new();
    for round in 0..40 {
        others.set(if round / 10 % 2 == 0 { 0 } else { 600 << 10 });
        for n in 0..2000 {
            // Every other state comes again.
            let state = [round / 2, n, round * (n % 2), 0];
            layer.offer(hash(&state), record(3, &state), &mut control).expect("there is room");
        }
        for _ in 0..1400 {
            let Some(id) = layer.pop(&mut control).expect("there is room") else { break };
            assert!(expanded.insert(layer.get(id).to_vec()), "once");
        }
    }
    while let Some(id) = layer.pop(&mut control).expect("there is room") {
        assert!(expanded.insert(layer.get(id).to_vec()), "once");
    }
    assert_eq!(layer.waiting(), 0);
    // Of the states with an even number, those of two rounds are the same.
    assert_eq!(expanded.len(), 20 * 1000 + 40 * 1000);
    assert_eq!(control.stats.states, 60_000);
}
