//! Time to evaluate a measure that was chosen for a model, on states along one run of it.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::path::Path;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use interp::{Model, StateSpace, Violation, Visit, Word};
use progress::{Mode, choose};
use sweep::measure::Measure;

/// Keeps the last successor.
#[derive(Default)]
struct Last(Option<Vec<Word>>);

impl Visit<Violation> for Last {
    fn successor(&mut self, _: u32, next: &[Word]) -> ControlFlow<()> {
        self.0 = Some(next.to_vec());
        ControlFlow::Continue(())
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

fn load(name: &str) -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples").join(name);
    let parsed = promela::parse(&path, &promela::Disk, &promela::Options::default());
    Model::new(promela::check(&parsed.ast, &mut Vec::new()).expect("the examples are models"))
}

/// The states of a run that always takes the last step.
fn run(model: &Model) -> Vec<Vec<Word>> {
    let mut scratch = model.scratch();
    let mut states = vec![model.initial().expect("the examples have an initial state")];
    while states.len() < 1_000 {
        let mut last = Last::default();
        let _ = model.expand(&states[states.len() - 1], &mut scratch, &mut last);
        match last.0 {
            Some(next) => states.push(next),
            None => break,
        }
    }
    states
}

fn measures(c: &mut Criterion) {
    let mut group = c.benchmark_group("measure");
    for name in ["two_phase_commit.pml", "stop_and_wait.pml", "leader_election.pml"] {
        let model = load(name);
        let states = run(&model);
        let measure = choose(&model, None, Mode::Auto, Default::default(), &sweep::Meter::unlimited()).measure;
        group.throughput(Throughput::Elements(states.len() as u64));
        group.bench_function(BenchmarkId::new("of", name), |b| {
            b.iter(|| {
                states.iter().for_each(|state| {
                    black_box(measure.of(black_box(state)));
                })
            });
        });
    }
    group.finish();
}

criterion_group!(benches, measures);
criterion_main!(benches);
