//! States per second of the searches on a lattice of counters, with and without the predecessor log.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use sweep::testing::Lattice;
use sweep::{Algorithm, Meter, SearchOptions, check};

fn search(c: &mut Criterion) {
    let mut group = c.benchmark_group("search");
    group.sample_size(10);
    for top in [3, 5, 6] {
        let space = Lattice { counters: 8, top };
        let states = u64::from(top + 1).pow(8);
        group.throughput(Throughput::Elements(states));
        let cases =
            [("bfs", Algorithm::Bfs, true), ("bfs without log", Algorithm::Bfs, false), ("dfs", Algorithm::Dfs, true)];
        for (name, algorithm, traces) in cases {
            let options = SearchOptions { algorithm, traces, ..Default::default() };
            group.bench_function(BenchmarkId::new(name, states), |b| {
                b.iter(|| black_box(check(&space, &options, &mut (), &Meter::unlimited())));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, search);
criterion_main!(benches);
