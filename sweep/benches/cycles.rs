//! The searches for accepting cycles on products of a million states, one for each strength of automata.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use sweep::space::product::Product;
use sweep::testing::{Workers, WorkersAutomaton, WorkersMeasure, WorkersProperty};
use sweep::{CycleSearch, Meter, SearchOptions, check_cycles};

fn cycles(c: &mut Criterion) {
    let mut group = c.benchmark_group("cycles");
    group.sample_size(10);
    let workers = Workers { workers: 5, phases: 4, places: 4 };
    for property in [WorkersProperty::Nothing, WorkersProperty::Avoided, WorkersProperty::Alternating] {
        let automaton = WorkersAutomaton { workers, property };
        let product = Product { system: &workers, automaton: &automaton };
        for cycles in [CycleSearch::Ndfs, CycleSearch::Column] {
            let options = SearchOptions { cycles, ..Default::default() };
            group.bench_function(BenchmarkId::new(format!("{cycles:?}"), format!("{property:?}")), |b| {
                b.iter(|| {
                    let mut measure = WorkersMeasure { workers, layers: false };
                    black_box(check_cycles(&product, &mut measure, &options, &mut (), &Meter::unlimited()))
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, cycles);
criterion_main!(benches);
