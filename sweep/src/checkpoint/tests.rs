//! Searches that are stopped again and again, against the same searches left alone; and checkpoints that were damaged.

use std::cell::Cell;
use std::io;
use std::ops::ControlFlow;
use std::time::Duration;

use proptest::prelude::*;
use statespace::{StateSpace, Visit, Word};

use super::{Checkpoints, Codec, Content, Keeper, Reader, ResumeFault, Writer};
use crate::measure::Measure;
use crate::testing::{Graph, GraphEvent, GraphMeasure};
use crate::{
    Algorithm, Limits, Meter, Observer, Outcome, Paths, SearchOptions, Stats, StopReason, Verdict, check_resumable,
    check_with,
};

/// Keeps all checkpoints, unless the disk is full.
#[derive(Default)]
struct Shelf {
    kept: Vec<Vec<u8>>,
    is_full: bool,
}

impl Keeper for Shelf {
    fn keep(&mut self, content: &mut Content<'_>) {
        let mut file = Vec::new();
        let written = match self.is_full {
            true => write(&mut Full, content),
            false => write(&mut file, content),
        };
        if written.is_ok() {
            self.kept.push(file);
        }
    }
}

fn write(to: &mut dyn io::Write, content: &mut Content<'_>) -> io::Result<()> {
    let mut writer = Writer::new(to)?;
    content(&mut writer)?;
    writer.end()
}

/// A disk that is full.
struct Full;

impl io::Write for Full {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::StorageFull.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

const CODEC: Codec<u32> = Codec {
    encode: |violation: u32| violation.to_le_bytes().to_vec(),
    decode: |bytes| Some(u32::from_le_bytes(*bytes.first_chunk()?)),
};

/// A graph that is interrupted from outside when so many events have been reported, also in the middle of an expansion; and
/// of which some events suffice.
struct Disturbed<'g> {
    graph: &'g Graph,
    meter: Meter,
    left: Cell<u64>,
    suffices: bool,
}

impl StateSpace for Disturbed<'_> {
    type Violation = u32;
    type Scratch = ();

    fn scratch(&self) {}

    fn fixed_words(&self) -> Option<usize> {
        self.graph.fixed_words()
    }

    fn word_bits(&self) -> &[u8] {
        &[]
    }

    fn gave_up(&self) -> bool {
        false
    }

    fn initial(&self) -> Result<Vec<Word>, u32> {
        self.graph.initial()
    }

    fn expand<V: Visit<u32>>(&self, state: &[Word], (): &mut (), visit: &mut V) -> ControlFlow<()> {
        let events = &self.graph.nodes[state[0] as usize];
        for (number, event) in (0..).zip(events) {
            if self.suffices && number > 0 && number % 2 == state[0] % 2 && visit.suffices() {
                return visit.left_out(number);
            }
            match *event {
                GraphEvent::To(next) => visit.successor(number, &self.graph.encode(next))?,
                GraphEvent::Bad(violation) => visit.violation(number, violation)?,
            }
            match self.left.get() {
                0 => self.meter.interrupt(),
                left => self.left.set(left - 1),
            }
            visit.working(0)?;
        }
        ControlFlow::Continue(())
    }
}

/// How a search ends too early.
#[derive(Clone, Copy, Debug)]
enum Stop {
    /// A limit of states.
    States(u64),
    /// So many bytes.
    Memory(usize),
    /// From outside, after so many events.
    Interrupt(u64),
    /// Killed: the checkpoint with this number is the last one.
    Kill(u64),
}

fn stops() -> impl Strategy<Value = Vec<Stop>> {
    let stop = prop_oneof![
        (0..40u64).prop_map(Stop::States),
        (0..30_000usize).prop_map(Stop::Memory),
        (0..60u64).prop_map(Stop::Interrupt),
        (0..20u64).prop_map(Stop::Kill),
    ];
    prop::collection::vec(stop, 1..5)
}

fn graphs() -> impl Strategy<Value = (Graph, GraphMeasure)> {
    (1..60u32).prop_flat_map(|size| {
        let event = prop_oneof![15 => (0..size).prop_map(GraphEvent::To), 1 => (0..3u32).prop_map(GraphEvent::Bad)];
        // Some expansions fill more than a batch.
        let events =
            prop_oneof![9 => prop::collection::vec(event.clone(), 0..5), 1 => prop::collection::vec(event, 20..50)];
        let nodes = prop::collection::vec(events, size as usize);
        let values = || prop::collection::vec(0..4u16, size as usize);
        // Most of these claims are lies.
        (nodes, any::<bool>(), values(), values(), values()).prop_map(|(nodes, variable, a, b, c)| {
            let measure = GraphMeasure { components: vec![(true, a), (true, b), (false, c)] };
            (Graph { nodes, variable }, measure)
        })
    })
}

fn searches() -> impl Strategy<Value = SearchOptions> {
    let algorithms = [Algorithm::Bfs, Algorithm::Sweep, Algorithm::ColumnSweep, Algorithm::StrictSweep];
    let limit = prop_oneof![Just(None), (0..100u32).prop_map(Some)];
    (prop::sample::select(algorithms.to_vec()), any::<(bool, bool, bool)>(), 1..6u64, limit).prop_map(
        |(algorithm, (all_errors, compact, traces), collect_every, reexpansion_limit)| SearchOptions {
            algorithm,
            all_errors,
            compact,
            traces,
            collect_every,
            reexpansion_limit,
            ..SearchOptions::default()
        },
    )
}

/// What must not depend on how often a search was stopped.
fn counts(outcome: &Outcome<u32>) -> String {
    let Stats { states, distinct, estimate, expanded, stored, transitions, depth, errors, .. } = outcome.stats;
    let Stats { peak_states, max_state_words, sweep, .. } = outcome.stats;
    format!(
        "{:?}",
        (
            (states, distinct, estimate, expanded, stored, transitions, depth, errors),
            (peak_states, max_state_words, sweep),
            (&outcome.violations, outcome.stopped, &outcome.rejected, &outcome.demoted),
        )
    )
}

/// Searches, from a checkpoint if there is one; what was found, and the checkpoints that were written.
fn search(
    (graph, suffices): (&Graph, bool),
    measure: &GraphMeasure,
    options: &SearchOptions,
    stop: Option<Stop>,
    from: Option<&[u8]>,
) -> (Outcome<u32>, Vec<Vec<u8>>) {
    let mut options = *options;
    let (mut most_bytes, mut left, mut every) = (None, u64::MAX, Duration::from_secs(1000));
    match stop {
        Some(Stop::States(most)) => options.limits = Limits { max_states: Some(most), ..options.limits },
        Some(Stop::Memory(most)) => most_bytes = Some(most),
        Some(Stop::Interrupt(events)) => left = events,
        Some(Stop::Kill(_)) => every = Duration::ZERO,
        None => {}
    }
    let meter = Meter::unlimited().with_max_bytes(most_bytes);
    let space = Disturbed { graph, meter: meter.clone(), left: Cell::new(left), suffices };
    let mut shelf = Shelf::default();
    let from = from.map(|bytes| Reader::new(Box::new(bytes)));
    let outcome = match from.transpose() {
        Ok(from) => {
            let checkpoints = Checkpoints { keeper: Box::new(&mut shelf), codec: CODEC, every, from };
            check_resumable(&space, &mut measure.clone(), &options, (&mut (), Some(checkpoints)), &meter)
        }
        Err(fault) => Outcome {
            violations: Vec::new(),
            stopped: Some(StopReason::Resume(fault)),
            stats: Stats::default(),
            rejected: None,
            demoted: Vec::new(),
        },
    };
    (outcome, shelf.kept)
}

/// Searches until the end, stopped meanwhile in all of these ways; and whether the end is that of a search that was stopped:
/// a violation was met when it was.
fn search_with_stops(
    graph: (&Graph, bool),
    measure: &GraphMeasure,
    options: &SearchOptions,
    stops: &[Stop],
) -> (Outcome<u32>, bool) {
    let mut checkpoint: Option<Vec<u8>> = None;
    for &stop in stops {
        let (outcome, mut kept) = search(graph, measure, options, Some(stop), checkpoint.as_deref());
        match stop {
            Stop::Kill(nth) => kept.truncate(nth as usize + 1),
            _ if outcome.stopped.is_none_or(|reason| !reason.is_temporary()) => return (outcome, true),
            // If memory does not suffice for what there was, that is there still.
            _ => {}
        }
        checkpoint = kept.pop().or(checkpoint);
    }
    (search(graph, measure, options, None, checkpoint.as_deref()).0, false)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn a_search_that_was_stopped_ends_as_if_it_had_not_been(
        (graph, measure) in graphs(),
        options in searches(),
        stops in stops(),
        suffices: bool,
    ) {
        let graph = (&graph, suffices);
        let (expected, _) = search(graph, &measure, &options, None, None);
        let (outcome, was_stopped) = search_with_stops(graph, &measure, &options, &stops);
        // It may be met in an expansion that is interrupted, before the step that a strict sweep rejects.
        let comes_first = expected.rejected.is_some() && !outcome.violations.is_empty();
        if was_stopped && !options.all_errors && comes_first {
            prop_assert!(expected.violations.is_empty());
        } else if was_stopped && !options.all_errors {
            prop_assert_eq!(outcome.violations, expected.violations);
            prop_assert_eq!(outcome.stopped, expected.stopped);
        } else {
            prop_assert_eq!(counts(&outcome), counts(&expected));
        }
    }

    #[test]
    fn checkpoints_change_nothing((graph, measure) in graphs(), options in searches(), is_full: bool) {
        let expected = check_with(&graph, &mut measure.clone(), &options, &mut (), &Meter::unlimited());
        let mut shelf = Shelf { is_full, ..Shelf::default() };
        let checkpoints =
            Checkpoints { keeper: Box::new(&mut shelf), codec: CODEC, every: Duration::ZERO, from: None };
        let observed = (&mut (), Some(checkpoints));
        let outcome = check_resumable(&graph, &mut measure.clone(), &options, observed, &Meter::unlimited());
        prop_assert_eq!(counts(&outcome), counts(&expected));
        // One at every layer, and at the end of every level.
        if !is_full && options.algorithm != Algorithm::Bfs {
            prop_assert_eq!(shelf.kept.len() as u64, outcome.stats.sweep.layers);
        }
    }
}

/// A graph with two layers, a violation, and a way back.
fn small() -> (Graph, GraphMeasure) {
    let to = GraphEvent::To;
    let nodes =
        vec![vec![to(1), to(2)], vec![GraphEvent::Bad(7), to(0), to(3)], vec![to(1), to(4)], vec![to(4)], vec![]];
    let measure = GraphMeasure { components: vec![(true, vec![0, 0, 1, 1, 1]), (false, vec![0, 1, 0, 1, 2])] };
    (Graph { nodes, variable: false }, measure)
}

/// The last checkpoint of a search that stopped at its last state, and what the search finds in the end.
fn last_checkpoint(options: &SearchOptions) -> (Vec<u8>, String) {
    let (graph, measure) = small();
    let (_, mut kept) = search((&graph, false), &measure, options, Some(Stop::States(4)), None);
    let (outcome, _) = search((&graph, false), &measure, options, None, None);
    (kept.pop().expect("the search was stopped"), counts(&outcome))
}

fn small_searches() -> impl Iterator<Item = SearchOptions> {
    let algorithms = [(Algorithm::Bfs, false), (Algorithm::Bfs, true), (Algorithm::ColumnSweep, true)];
    algorithms.into_iter().map(|(algorithm, compact)| SearchOptions {
        algorithm,
        compact,
        all_errors: true,
        ..SearchOptions::default()
    })
}

#[test]
fn a_damaged_checkpoint_is_an_error() {
    let (graph, measure) = small();
    for options in small_searches() {
        let (file, expected) = last_checkpoint(&options);
        let resumed = |file: &[u8]| search((&graph, false), &measure, &options, None, Some(file)).0;
        assert_eq!(counts(&resumed(&file)), expected);
        let is_refused = |file: &[u8]| {
            let outcome = resumed(file);
            let knows_nothing = outcome.stats.states == 0 && outcome.violations.is_empty();
            matches!(outcome.stopped, Some(StopReason::Resume(_))) && knows_nothing
        };
        for at in 0..file.len() {
            assert!(is_refused(&file[..at]), "cut off at {at}");
            let mut changed = file.clone();
            changed[at] ^= 1 << (at % 8);
            assert!(is_refused(&changed), "changed at {at}");
        }
        assert!(is_refused(&[file.as_slice(), &[0]].concat()), "more behind it");
    }
}

#[test]
fn a_checkpoint_of_another_search_is_an_error() {
    let (graph, measure) = small();
    let files: Vec<Vec<u8>> = small_searches().map(|options| last_checkpoint(&options).0).collect();
    for (nth, options) in small_searches().enumerate() {
        for (other, file) in files.iter().enumerate() {
            let (outcome, _) = search((&graph, false), &measure, &options, None, Some(file));
            let fault = (nth != other).then_some(StopReason::Resume(ResumeFault::Mismatch));
            assert_eq!(outcome.stopped, fault);
        }
        // Another initial state.
        let larger = Graph { variable: true, ..graph.clone() };
        let (outcome, _) = search((&larger, false), &measure, &options, None, Some(&files[nth]));
        assert_eq!(outcome.stopped, Some(StopReason::Resume(ResumeFault::Mismatch)));
    }
}

#[test]
fn a_file_of_another_version_says_which() {
    let options = SearchOptions { algorithm: Algorithm::Bfs, all_errors: true, ..SearchOptions::default() };
    let (mut file, _) = last_checkpoint(&options);
    file[5] += 1;
    let fault = Reader::new(Box::new(file.as_slice())).err();
    assert_eq!(fault, Some(ResumeFault::Version(2)));
    assert_eq!(Reader::new(Box::new(&b"psw"[..])).err(), Some(ResumeFault::Foreign));
    assert_eq!(Reader::new(Box::new(&b"psx\x01 and more"[..])).err(), Some(ResumeFault::Foreign));
}

/// What cannot go on is not kept.
#[test]
fn a_depth_limit_leaves_no_checkpoint() {
    let (graph, measure) = small();
    for options in small_searches() {
        let options = SearchOptions { limits: Limits { max_depth: Some(1), ..Limits::default() }, ..options };
        let (outcome, kept) = search((&graph, false), &measure, &options, None, None);
        assert_eq!((outcome.verdict(), outcome.stopped), (Verdict::Violated, Some(StopReason::Depth)));
        assert_eq!(kept.len(), 0);
    }
}

/// A log that is mostly on disk, blocks of which there are many, a set that has grown, and paths asked for at the end.
#[test]
fn a_large_search_goes_on() {
    let size = 120_000;
    let next = |node: u64| GraphEvent::To((node * 48_271 % size) as u32);
    let mut nodes: Vec<_> = (0..size).map(|node| vec![next(node), next(node * node + 1), next(node / 2 + 3)]).collect();
    nodes[size as usize - 2].push(GraphEvent::Bad(1));
    let graph = Graph { nodes, variable: false };
    let values = (0..size).map(|node| (node % 7) as u16).collect();
    let measure = GraphMeasure { components: vec![(false, values)] };
    for options in small_searches() {
        let options = SearchOptions { witnesses: true, ..options };
        let graph = (&graph, true);
        let (expected, _) = search(graph, &measure, &options, None, None);
        assert!(expected.stats.states > 50_000, "{}", expected.stats.states);
        let stops = [Stop::States(3_000), Stop::Interrupt(90_000), Stop::Memory(2_500_000), Stop::States(40_000)];
        let (outcome, _) = search_with_stops(graph, &measure, &options, &stops);
        assert_eq!(counts(&outcome), counts(&expected));
    }
}

/// Remembers the path to the state with a number.
struct PathTo(u64, Option<Vec<u32>>);

impl Observer for PathTo {
    fn finished(&mut self, paths: &mut Paths<'_>) {
        self.1 = paths.to(self.0).ok();
    }
}

#[test]
fn paths_lead_through_the_time_before() {
    let (graph, mut measure) = small();
    for options in small_searches() {
        let (file, _) = last_checkpoint(&options);
        let [mut first, mut second] = [PathTo(4, None), PathTo(4, None)];
        check_with(&graph, &mut measure.clone(), &options, &mut first, &Meter::unlimited());
        let (mut shelf, from) = (Shelf::default(), Reader::new(Box::new(file.as_slice())).ok());
        let checkpoints = Checkpoints { keeper: Box::new(&mut shelf), codec: CODEC, every: Duration::MAX, from };
        check_resumable(&graph, &mut measure, &options, (&mut second, Some(checkpoints)), &Meter::unlimited());
        assert!(first.1.is_some());
        assert_eq!(first.1, second.1);
    }
    assert!(!measure.has_one_layer());
}
