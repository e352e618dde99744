//! Successors per second without storing them: with the transition cache, as searches get them, and by interpretation.

use std::collections::HashSet;
use std::hint::black_box;
use std::ops::ControlFlow;
use std::path::Path;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use interp::exec::step::{Path as Moves, Sink};
use interp::{Model, StateSpace, Violation, Visit, Word};

/// Counts events, and keeps new states as long as there is room.
#[derive(Default)]
struct Count {
    events: u64,
    states: Vec<Vec<Word>>,
    known: HashSet<Vec<Word>>,
    most: usize,
}

impl Count {
    fn event(&mut self, next: &[Word]) -> ControlFlow<()> {
        self.events += 1;
        if self.states.len() < self.most && self.known.insert(next.to_vec()) {
            self.states.push(next.to_vec());
        }
        ControlFlow::Continue(())
    }
}

impl Visit<Violation> for Count {
    fn successor(&mut self, _: u32, next: &[Word]) -> ControlFlow<()> {
        self.event(black_box(next))
    }

    fn violation(&mut self, _: u32, _: Violation) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn suffices(&mut self) -> bool {
        false
    }

    fn left_out(&mut self, _: u32) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn working(&mut self, _: usize) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl Sink for Count {
    fn successor(&mut self, next: &[Word], _: Moves) -> ControlFlow<()> {
        self.event(black_box(next))
    }

    fn violation(&mut self, _: Violation, _: Moves) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

fn load(name: &str, define: &str) -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples").join(name);
    let options = promela::Options { defines: vec![define.to_string()], ..Default::default() };
    let parsed = promela::parse(&path, &promela::Disk, &options);
    Model::new(promela::check(&parsed.ast, &mut Vec::new()).expect("the examples are models"))
}

/// The first states of a breadth-first search.
fn states(model: &Model, most: usize) -> Vec<Vec<Word>> {
    let mut count = Count { most, ..Count::default() };
    let initial = model.initial().expect("the examples have an initial state");
    count.states.push(initial.clone());
    count.known.insert(initial);
    let mut scratch = model.scratch();
    let mut next = 0;
    while next < count.states.len() && count.states.len() < most {
        let state = count.states[next].clone();
        let _ = model.expand(&state, &mut scratch, &mut count);
        next += 1;
    }
    count.states
}

fn successors(c: &mut Criterion) {
    let mut group = c.benchmark_group("successors");
    group.sample_size(10);
    for (name, define) in [
        ("two_phase_commit.pml", "VOTERS=8"),
        ("philosophers_ordered.pml", "N=7"),
        ("stop_and_wait.pml", "PACKETS=200"),
        ("leader_election.pml", "N=6"),
    ] {
        let model = load(name, define);
        let states = states(&model, 20_000);
        group.throughput(Throughput::Elements(states.len() as u64));
        group.bench_function(BenchmarkId::new("memory", name), |b| {
            let mut scratch = model.scratch();
            let mut count = Count::default();
            b.iter(|| {
                for state in &states {
                    let _ = model.expand(state, &mut scratch, &mut count);
                }
                count.events
            });
        });
        group.bench_function(BenchmarkId::new("interpretation", name), |b| {
            let mut scratch = model.scratch();
            let mut count = Count::default();
            b.iter(|| {
                for state in &states {
                    let _ = model.walk(state, &mut scratch, &mut count);
                }
                count.events
            });
        });
    }
    group.finish();
}

criterion_group!(benches, successors);
criterion_main!(benches);
